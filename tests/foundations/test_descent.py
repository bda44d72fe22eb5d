"""Descent methods: published numbers, independent routes, laws, extremes, errors."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
import scipy.integrate
import scipy.optimize
import scipy.sparse.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from notes_lib.datasets import load_breast_cancer
from notes_lib.foundations.descent import (
    Adam,
    Momentum,
    adam_step,
    conjugate_gradients,
    golden_section,
    gradient_descent,
    gradient_error,
    gradient_step,
    lbfgs,
    lbfgs_direction,
    line_search,
    momentum_step,
    newton,
    newton_direction,
    numerical_gradient,
    numerical_hessian,
    stochastic_gradient_descent,
    wolfe_search,
)
from notes_lib.foundations.descent.objective import Objective, start
from tests.problems import quadratic

METHODS = [gradient_descent, newton, lbfgs]


def rosenbrock(x):
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


def rosenbrock_gradient(x):
    return np.array([-400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0]), 200 * (x[1] - x[0] ** 2)])


def rosenbrock_hessian(x):
    return np.array([[1200 * x[0] ** 2 - 400 * x[1] + 2, -400 * x[0]], [-400 * x[0], 200.0]])


def logistic(seed=0, n=60, d=4, penalty=0.05):
    """Mean logistic loss with an L2 penalty: fun, jac of chosen rows, Hessian, n, d."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    Z = X * np.where(X @ rng.normal(size=d) + rng.logistic(size=n) > 0, 1, -1)[:, None]

    def fun(w):
        return np.logaddexp(0, -Z @ w).mean() + penalty / 2 * w @ w

    def jac(w, rows=slice(None)):
        A = Z[rows]
        return -(A.T @ expit(-A @ w)) / len(A) + penalty * w

    def hess(w):
        s = expit(Z @ w)
        return (Z.T * (s * (1 - s))) @ Z / n + penalty * np.eye(d)

    return fun, jac, hess, n, d


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("descent-central-difference", "descent-numerical-hessian")
def test_rosenbrock_at_its_usual_start():
    # More, Garbow and Hillstrom (1981), problem 1, x0 = (-1.2, 1): f = 24.2; derivatives by its formulas
    x0 = [-1.2, 1.0]
    assert_allclose(rosenbrock(x0), 24.2, rtol=1e-14)
    assert_allclose(numerical_gradient(rosenbrock, x0), [-215.6, -88.0], rtol=1e-7)
    assert_allclose(numerical_hessian(rosenbrock, x0), [[1330.0, 480.0], [480.0, 200.0]], rtol=1e-5)


@pytest.mark.parametrize("method", [newton, lbfgs])
def test_rosenbrock_has_its_minimum_at_ones(method):
    found = method(rosenbrock, [-1.2, 1.0], rosenbrock_gradient)
    assert found.converged
    assert_allclose(found.x, [1.0, 1.0], rtol=0, atol=1e-5)
    # SciPy's tutorial: the five-dimensional function from this start also ends at ones
    five = lbfgs(scipy.optimize.rosen, [1.3, 0.7, 0.8, 1.9, 1.2], scipy.optimize.rosen_der, tol=1e-8)
    assert_allclose(five.x, np.ones(5), rtol=0, atol=1e-7)


@pytest.mark.equation("descent-cg-step", "descent-cg-direction")
def test_example_of_shewchuk():
    # Shewchuk (1994), equation 4: A = (3 2; 2 6), b = (2, -8), solution (2, -2); his start is (-2, -2)
    path = []
    found = conjugate_gradients([[3.0, 2.0], [2.0, 6.0]], [2.0, -8.0], [-2.0, -2.0], callback=path.append)
    assert found.n_iter == 2
    assert_allclose(path[0], [0.08, -0.613333333], rtol=1e-8)  # the first step is that of steepest descent
    assert_allclose(found.x, [2.0, -2.0], rtol=1e-12)


@pytest.mark.equation("descent-heavy-ball")
def test_the_heavy_ball_cycles_on_the_function_of_lessard_recht_and_packard():
    # Lessard, Recht, Packard (2016), section 4.6: m = 1, L = 25, the best settings of a quadratic, and a cycle of three
    slope = lambda x: np.where(x < 1, 25 * x, np.where(x < 2, x + 24, 25 * x - 24))
    fun = lambda x: float(scipy.integrate.quad(slope, 0, x[0], points=[1, 2])[0])
    path = []
    with pytest.warns(ConvergenceWarning, match="after max_iter=120"):
        gradient_descent(
            fun, [3.3], slope, learning_rate=1 / 9, rule=Momentum(4 / 9), max_iter=120, callback=path.append
        )
    cycle = np.array(path[-3:]).ravel()
    assert_allclose(sorted(cycle), sorted([792 / 1225, -2208 / 1225, 2592 / 1225]), rtol=1e-6)


@pytest.mark.equation("descent-adam-bias", "descent-adam-step")
@pytest.mark.parametrize("slope", [1e-6, -3.0, 1e6])
def test_the_first_step_of_adam_has_the_length_of_the_learning_rate(slope):
    # Kingma and Ba (2015), section 2.1: |step| is about alpha, whatever the scale of the gradient
    x, _, _ = adam_step([1.0], [0.0], [0.0], [slope], 1, learning_rate=0.01)
    assert_allclose(x[0] - 1.0, -0.01 * np.sign(slope), rtol=0.011)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("descent-central-difference", "descent-numerical-hessian")
@pytest.mark.parametrize("seed", range(4))
def test_numerical_derivatives_of_a_logistic_loss(seed):
    fun, jac, hess, _, d = logistic(seed)
    w = np.random.default_rng(seed + 50).normal(size=d)
    assert_allclose(numerical_gradient(fun, w), jac(w), rtol=1e-7, atol=1e-9)
    H = numerical_hessian(fun, w)
    assert_allclose(H, hess(w), rtol=0, atol=1e-6)
    assert_array_equal(H, H.T)
    assert gradient_error(fun, jac, w) < 1e-8
    assert_allclose(
        gradient_error(fun, lambda w: jac(w) + np.r_[0.3, np.zeros(d - 1)], w),
        0.3 / max(1, np.abs(jac(w)).max()),
        rtol=1e-6,
    )


def test_gradient_error_is_relative_to_the_largest_entry():
    assert_allclose(gradient_error(lambda x: 500 * x @ x, lambda x: 900 * x, [1.0, 3.0]), 0.1, rtol=1e-6)


@pytest.mark.equation("descent-gradient-step", "descent-error-factor")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rate", [0.02, 0.2])
def test_gradient_descent_on_a_quadratic_in_closed_form(seed, rate):
    P, q, best = quadratic(seed)
    x0, path = np.random.default_rng(seed).normal(size=4), []
    with pytest.warns(ConvergenceWarning, match="increase max_iter"):
        found = gradient_descent(
            lambda x: x @ P @ x / 2 + q @ x,
            x0,
            lambda x: P @ x + q,
            learning_rate=rate,
            max_iter=7,
            callback=path.append,
        )
    power = np.linalg.matrix_power(np.eye(4) - rate * P, 7)
    assert_allclose(found.x, best + power @ (x0 - best), rtol=1e-9, atol=1e-12)
    assert_allclose(path[0], gradient_step(x0, P @ x0 + q, rate), rtol=1e-15)
    assert len(path) == found.n_iter == 7
    assert_array_equal(path[-1], found.x)
    assert_allclose(found.objective, [x @ P @ x / 2 + q @ x for x in [x0, *path]], rtol=1e-12)


@pytest.mark.equation("descent-two-loop-back", "descent-two-loop-scale", "descent-two-loop-forth")
@pytest.mark.parametrize("m", [1, 2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_two_loops_equal_the_dense_bfgs_matrix(seed, m):
    rng, (P, _, _) = np.random.default_rng(seed), quadratic(seed, d=6)
    S = list(rng.normal(size=(m, 6)))
    Y = [P @ s + 0.05 * rng.normal(size=6) for s in S]
    assert min(s @ y for s, y in zip(S, Y, strict=True)) > 0
    H = (S[-1] @ Y[-1]) / (Y[-1] @ Y[-1]) * np.eye(6)
    for s, y in zip(S, Y, strict=True):
        V = np.eye(6) - np.outer(y, s) / (s @ y)
        H = V.T @ H @ V + np.outer(s, s) / (s @ y)  # descent-bfgs
    g = rng.normal(size=6)
    assert_allclose(lbfgs_direction(g, S, Y), -H @ g, rtol=1e-10, atol=1e-12)


def test_two_loops_without_memory_make_a_step_of_length_one():
    assert_allclose(lbfgs_direction([3.0, 4.0], [], []), [-0.6, -0.8], rtol=1e-15)


@pytest.mark.equation("descent-newton-direction", "descent-newton-absolute")
@pytest.mark.parametrize("seed", range(4))
def test_newton_direction(seed):
    P, _, _ = quadratic(seed)
    g = np.random.default_rng(seed).normal(size=4)
    assert_allclose(newton_direction(g, P), -np.linalg.inv(P) @ g, rtol=1e-10)
    values, V = np.linalg.eigh(P)
    indefinite = V @ np.diag(values * [-1, 1, -1, 1]) @ V.T
    indefinite = (indefinite + indefinite.T) / 2
    assert_allclose(newton_direction(g, indefinite), -np.linalg.inv(P) @ g, rtol=1e-9)  # the moduli are those of P


def test_newton_direction_at_flat_places():
    assert_allclose(newton_direction([1.0, 2.0], np.zeros((2, 2))), [-1.0, -2.0])
    assert_allclose(newton_direction([0.0, 1e-8], np.diag([-4.0, 0.0])), [0.0, -0.25], rtol=1e-12)  # floor 4e-8


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", ["pair", "two functions", "differences"])
def test_logistic_minimum_as_scipy(method, form):
    fun, jac, hess, _, d = logistic(1)
    first, second = {
        "pair": (lambda w: (fun(w), jac(w)), True),
        "two functions": (fun, jac),
        "differences": (fun, None),
    }[form]
    extra = {"learning_rate": 0.8} if method is gradient_descent else {}
    if method is newton and form == "two functions":
        extra = {"hess": hess}
    found = method(first, np.ones(d), second, tol=1e-6, **extra)
    peer = scipy.optimize.minimize(fun, np.ones(d), jac=jac, method="BFGS", options={"gtol": 1e-9})
    assert found.converged
    assert_allclose(found.x, peer.x, rtol=0, atol=2e-5)
    assert_allclose(found.objective[-1], peer.fun, rtol=1e-10)
    assert_allclose(found.objective[0], fun(np.ones(d)), rtol=1e-15)
    assert np.abs(jac(found.x)).max() <= 1.1e-6


def test_breast_cancer_as_scipy():
    data = load_breast_cancer()
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    Z = X * np.where(data.y == 1, 1, -1)[:, None]
    fun = lambda w: np.logaddexp(0, -Z @ w).mean() + 0.005 * w @ w
    jac = lambda w: -(Z.T @ expit(-Z @ w)) / len(Z) + 0.01 * w
    found = lbfgs(fun, np.zeros(30), jac, tol=1e-8)
    peer = scipy.optimize.minimize(
        fun, np.zeros(30), jac=jac, method="L-BFGS-B", options={"gtol": 1e-9, "ftol": 0, "maxiter": 1000}
    )
    assert_allclose(found.objective[-1], peer.fun, rtol=1e-8)
    assert_allclose(found.x, peer.x, rtol=0, atol=1e-5)


@pytest.mark.equation("descent-armijo")
def test_line_search_takes_the_first_step_that_falls_by_enough():
    fun, x, d = lambda x: float(x[0] ** 4), np.array([1.0]), np.array([-4.0])
    for c1 in [1e-4, 0.5]:
        found = line_search(fun, x, d, slope=-16.0, c1=c1)
        trials = [0.5**k for k in range(20)]
        expected = next(t for t in trials if (1 - 4 * t) ** 4 <= 1 - c1 * t * 16)
        assert found.step == expected
        assert found.n_evals == trials.index(expected) + 1
        assert_allclose(found.x, [1 - 4 * expected])
        assert_allclose(found.fun, (1 - 4 * expected) ** 4)
    assert line_search(fun, x, d, slope=-16.0, step=0.9, shrink=0.1).step == pytest.approx(0.09)
    assert line_search(lambda x: -x[0], [0.0], [1.0], slope=-1.0, c1=0.999).step == 1.0


@pytest.mark.equation("descent-cg-step", "descent-cg-direction")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("form", ["matrix", "product"])
def test_conjugate_gradients_as_solve_and_as_scipy(seed, form):
    P, b, _ = quadratic(seed, d=12)
    ours, theirs = [], []
    found = conjugate_gradients(P if form == "matrix" else lambda v: P @ v, b, rtol=1e-12, callback=ours.append)
    scipy.sparse.linalg.cg(P, b, rtol=1e-12, atol=0.0, callback=lambda x: theirs.append(x.copy()))
    assert found.converged
    assert_allclose(found.x, np.linalg.solve(P, b), rtol=1e-9, atol=1e-11)
    assert_allclose(np.array(ours[:8]), np.array(theirs[:8]), rtol=1e-7, atol=1e-9)
    assert_allclose(found.objective, [x @ P @ x / 2 - b @ x for x in [0 * b, *ours]], rtol=1e-10, atol=1e-12)


@pytest.mark.equation("descent-cg-krylov")
@pytest.mark.parametrize("seed", range(3))
def test_conjugate_gradients_minimise_over_the_krylov_space(seed):
    P, b, _ = quadratic(seed, d=7)
    path = []
    conjugate_gradients(P, b, rtol=1e-12, callback=path.append)
    for k in (1, 2, 4):
        K = np.column_stack([np.linalg.matrix_power(P, j) @ b for j in range(k)])
        assert_allclose(path[k - 1], K @ np.linalg.solve(K.T @ P @ K, K.T @ b), rtol=1e-8, atol=1e-10)


@pytest.mark.equation("descent-heavy-ball", "descent-nesterov")
@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_momentum_as_its_two_textbook_recursions(seed, nesterov):
    P, q, best = quadratic(seed)
    grad, eta, beta = lambda x: P @ x + q, 0.05, 0.7
    path, x0 = [], best + 1
    with pytest.warns(ConvergenceWarning):
        gradient_descent(
            lambda x: x @ P @ x / 2 + q @ x, x0, grad, learning_rate=eta, rule=Momentum(beta, nesterov), max_iter=9,
            callback=path.append,
        )  # fmt: skip
    x, y, expected = [x0, x0], x0, []
    for _ in range(9):
        if nesterov:  # Nesterov (1983): a gradient step from y, then an extrapolation
            x.append(y - eta * grad(y))
            y = x[-1] + beta * (x[-1] - x[-2])
            expected.append(y)
        else:  # Polyak (1964): x(t+1) = x(t) - eta g + beta (x(t) - x(t-1))
            x.append(x[-1] - eta * grad(x[-1]) + beta * (x[-1] - x[-2]))
            expected.append(x[-1])
    assert_allclose(np.array(path), np.array(expected), rtol=1e-12, atol=1e-13)


@pytest.mark.equation("descent-adam-means", "descent-adam-bias", "descent-adam-step")
@pytest.mark.parametrize("seed", range(3))
def test_adam_as_weighted_means_of_all_gradients(seed):
    rng = np.random.default_rng(seed)
    G, eta, b1, b2, eps = rng.normal(size=(12, 3)), 0.03, 0.8, 0.95, 1e-3
    x, m, v = np.ones(3), np.zeros(3), np.zeros(3)
    expected = np.ones(3)
    for t in range(1, 13):
        x, m, v = adam_step(x, m, v, G[t - 1], t, eta, b1, b2, eps)
        w1, w2 = b1 ** np.arange(t)[::-1], b2 ** np.arange(t)[::-1]  # the youngest gradient has weight 1
        mean, square = w1 @ G[:t] / w1.sum(), w2 @ G[:t] ** 2 / w2.sum()
        expected = expected - eta * mean / (np.sqrt(square) + eps)
        assert_allclose(x, expected, rtol=1e-12)


@pytest.mark.equation("descent-adam-step", "descent-heavy-ball")
@pytest.mark.parametrize("rule", [Adam(0.8, 0.9), Momentum(0.6), Momentum(0.6, nesterov=True)])
def test_stochastic_steps_with_a_rule_one_by_one(rule):
    fun, jac, _, n, d = logistic(3, n=10)
    settings = {"batch_size": 4, "learning_rate": 0.1, "rule": rule, "max_iter": 2, "tol": None, "random_state": 5}
    found = [stochastic_gradient_descent(fun, np.zeros(d), jac, n, **settings) for _ in range(2)]
    rng, w, first, second, t = np.random.default_rng(5), np.zeros(d), np.zeros(d), np.zeros(d), 0
    for _ in range(2):
        order = rng.permutation(n)
        for rows in (order[:4], order[4:8], order[8:]):
            t += 1
            if isinstance(rule, Adam):
                w, first, second = adam_step(w, first, second, jac(w, rows), t, 0.1, 0.8, 0.9)
            else:
                w, first = momentum_step(w, first, jac(w, rows), 0.1, 0.6, rule.nesterov)
    assert_allclose(found[0].x, w, rtol=1e-12)
    assert_array_equal(found[0].x, found[1].x)  # a rule keeps nothing from one run to the next


@pytest.mark.equation("descent-wolfe")
def test_wolfe_search_takes_the_step_of_the_bisection_by_hand():
    # phi(t) = (t d - 3)^2 with d = 1/10: slope -0.6; 1 and 2 are too short for c2 = 0.9, 4 is long enough
    found = wolfe_search(lambda x: (x[0] - 3) ** 2, [0.0], [0.1], lambda x: 2 * (x - 3))
    assert (found.step, found.n_evals) == (4.0, 3)
    # d = 10: the minimum is at t = 0.3; 1 is too long, 1/2 falls: (5 - 3)^2 < 9 and its slope is positive
    assert wolfe_search(lambda x: (x[0] - 3) ** 2, [0.0], [10.0], lambda x: 2 * (x - 3)).step == 0.5
    # x^2 from -1 with d = 0.3: slope -0.6 + 0.18 t, so c2 = 0.05 asks for t >= 3.17: 1.7 is too short and doubled
    found = wolfe_search(lambda x: x @ x, [-1.0], [0.3], lambda x: 2 * x, c1=0.04, c2=0.05, step=1.7)
    assert (found.step, found.n_evals) == (3.4, 2)


@pytest.mark.equation("descent-golden")
def test_golden_section_as_scipy():
    for fun, low, high in [
        (np.cos, 1.0, 6.0),
        (lambda t: abs(t - 0.3), -4.0, 9.0),
        (lambda t: t - np.log(t), 0.1, 5.0),
    ]:
        peer = scipy.optimize.minimize_scalar(fun, bounds=(low, high), method="bounded", options={"xatol": 1e-10})
        assert_allclose(golden_section(fun, low, high), peer.x, rtol=0, atol=2e-7)


@pytest.mark.equation("descent-golden")
def test_golden_section_shortens_by_the_golden_ratio_with_one_evaluation():
    seen = []
    golden_section(lambda t: (seen.append(t), (t - 1) ** 2)[1], 0.0, 3.0, tol=0.01)
    ratio = (np.sqrt(5) - 1) / 2
    iterations = int(np.ceil(np.log(0.01 / 3) / np.log(ratio)))
    assert len(seen) == iterations + 2
    assert_allclose(seen[:2], [3 * (1 - ratio), 3 * ratio], rtol=1e-12)


@pytest.mark.equation("descent-sgd-step")
def test_full_batch_is_gradient_descent():
    fun, jac, _, n, d = logistic(2)
    batch = stochastic_gradient_descent(fun, np.ones(d), jac, n, batch_size=n, learning_rate=0.5, max_iter=9, tol=None)
    with pytest.warns(ConvergenceWarning):
        plain = gradient_descent(fun, np.ones(d), jac, learning_rate=0.5, max_iter=9)
    assert_allclose(batch.x, plain.x, rtol=1e-12)
    assert_allclose(batch.objective, plain.objective, rtol=1e-12)


@pytest.mark.equation("descent-sgd-step", "descent-sgd-average")
@pytest.mark.parametrize("average", [False, True])
def test_stochastic_steps_one_by_one(average):
    fun, jac, _, n, d = logistic(3, n=10)
    rate = lambda t: 0.7 / (1 + t)
    seen = []
    found = stochastic_gradient_descent(
        fun, np.zeros(d), jac, n, batch_size=4, learning_rate=rate, average=average, max_iter=2, tol=None,
        random_state=5, callback=seen.append,
    )  # fmt: skip
    rng, w, t, reported = np.random.default_rng(5), np.zeros(d), 0, []
    for _ in range(2):
        order, visited = rng.permutation(n), []
        for rows in (order[:4], order[4:8], order[8:]):
            w = w - rate(t) * jac(w, rows)
            t += 1
            visited.append(w)
        reported.append(np.mean(visited, axis=0) if average else w)
    assert_allclose(np.array(seen), np.array(reported), rtol=1e-13)
    assert_allclose(found.x, reported[-1], rtol=1e-13)
    assert_allclose(found.objective, [fun(w) for w in [np.zeros(d), *reported]], rtol=1e-13)
    assert found.n_iter == 2
    assert not found.converged  # without tol nothing is claimed


# --------------------------------------------------------------------------------------------------------------- laws

seeds = st.integers(0, 10**6)
quick = settings(max_examples=20, deadline=None)


@pytest.mark.equation("descent-stable-step")
@quick
@given(seed=seeds, share=st.sampled_from([0.1, 0.5, 0.9]))
def test_fixed_steps_converge_below_two_over_the_largest_eigenvalue(seed, share):
    P, q, best = quadratic(seed)
    fun, jac = lambda x: x @ P @ x / 2 + q @ x, lambda x: P @ x + q
    found = gradient_descent(fun, best + 1, jac, learning_rate=share * 2 / 8, tol=1e-8, max_iter=5000)
    assert found.converged
    assert_allclose(found.x, best, rtol=0, atol=1e-7)
    assert np.diff(found.objective).max() <= 1e-14 * np.abs(found.objective).max()  # no oscillation of the objective


@pytest.mark.equation("descent-stable-step")
@quick
@given(seed=seeds)
def test_fixed_steps_diverge_above_it(seed):
    P, q, best = quadratic(seed)
    fun, jac = lambda x: x @ P @ x / 2 + q @ x, lambda x: P @ x + q
    with pytest.warns(ConvergenceWarning, match="decrease learning_rate: the objective rose"):
        found = gradient_descent(fun, best + 1, jac, learning_rate=1.05 * 2 / 8, max_iter=100)
    assert not found.converged
    assert found.objective[-1] > found.objective[0]


@pytest.mark.equation("descent-armijo")
@quick
@given(seed=seeds, which=st.integers(0, 2))
def test_a_line_search_never_lets_the_objective_rise(seed, which):
    fun, jac, _, _, d = logistic(seed, n=20)
    x0 = 3 * np.random.default_rng(seed).normal(size=d)
    extra = {"learning_rate": None} if which == 0 else {}
    found = METHODS[which](fun, x0, jac, tol=1e-5, **extra)
    assert found.converged
    assert np.diff(found.objective).max() <= 1e-14


@pytest.mark.equation("descent-wolfe", "descent-curvature")
@quick
@given(seed=seeds, length=st.sampled_from([1e-3, 1.0, 50.0]))
def test_a_step_of_wolfe_gives_positive_curvature_without_convexity(seed, length):
    rng = np.random.default_rng(seed)
    w = rng.normal(size=3)
    fun = lambda x: np.sin(2 * x + w).sum() + 0.05 * x @ x
    jac = lambda x: 2 * np.cos(2 * x + w) + 0.1 * x
    x = rng.normal(size=3)
    d = -length * jac(x)
    found = wolfe_search(fun, x, d, jac, c1=0.1, c2=0.6)
    slope, after = jac(x) @ d, jac(found.x) @ d
    assert_allclose(found.x, x + found.step * d)
    assert found.fun == fun(found.x) <= fun(x) + 0.1 * found.step * slope + 1e-12
    assert after >= 0.6 * slope
    assert (found.x - x) @ (jac(found.x) - jac(x)) >= (0.6 - 1) * found.step * slope * (1 - 1e-9) > 0


@pytest.mark.equation("descent-convex-rate")
@pytest.mark.parametrize("k", [1, 4, 30])
def test_the_rate_of_a_convex_function_is_reached_to_a_factor_near_two(k):
    # Drori and Teboulle (2014), theorem 2: L R^2 / (4 k + 2) is the sharp value, reached by this Huber function
    L, R = 3.0, 2.0
    bend = R / (2 * k + 1)
    fun = lambda x: L * (x[0] ** 2 / 2 if abs(x[0]) < bend else bend * abs(x[0]) - bend**2 / 2)
    jac = lambda x: L * np.clip(x, -bend, bend)
    with pytest.warns(ConvergenceWarning):
        found = gradient_descent(fun, [R], jac, learning_rate=1 / L, max_iter=k)
    assert_allclose(found.objective[-1], L * R**2 / (4 * k + 2), rtol=1e-9)
    assert found.objective[-1] < L * R**2 / (2 * k)


@pytest.mark.equation("descent-strong-rate", "descent-gradient-dominance")
@quick
@given(seed=seeds, share=st.sampled_from([0.2, 1.0]))
def test_a_strongly_convex_function_falls_by_its_factor_in_every_step(seed, share):
    fun, jac, hess, _, d = logistic(seed, n=20)
    top = np.linalg.eigvalsh(hess(np.zeros(d)))[-1]  # the largest curvature of a logistic loss is that at 0
    best = newton(fun, np.zeros(d), jac, hess, tol=1e-10)
    x0 = np.random.default_rng(seed).normal(size=d)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = gradient_descent(fun, x0, jac, learning_rate=share / top, max_iter=30)
    gaps = found.objective - best.objective[-1]
    kept = gaps[1:] > 1e-12
    assert (gaps[1:] <= (1 - share * 0.05 / top) * gaps[:-1])[kept].all()
    assert jac(x0) @ jac(x0) >= 2 * 0.05 * gaps[0]


@pytest.mark.equation("descent-momentum-best")
@pytest.mark.parametrize("seed", range(3))
def test_the_best_momentum_of_a_quadratic_has_the_root_of_its_condition(seed):
    P, q, best = quadratic(seed, low=0.1, high=10.0)
    fun, jac = lambda x: x @ P @ x / 2 + q @ x, lambda x: P @ x + q
    sqrt_k, path = 10.0, []
    eta = 4 / (np.sqrt(10.0) + np.sqrt(0.1)) ** 2
    beta = ((sqrt_k - 1) / (sqrt_k + 1)) ** 2
    found = gradient_descent(fun, best + 1, jac, learning_rate=eta, rule=Momentum(beta), tol=1e-9, callback=path.append)
    assert found.converged
    errors = np.array([np.linalg.norm(x - best) for x in path])
    rate = (errors[90] / errors[30]) ** (1 / 60)
    assert abs(rate - (sqrt_k - 1) / (sqrt_k + 1)) < 0.02
    for step, momentum in [(eta, 0.5 + 0.5 * beta), (eta / 2, beta)]:
        rule = Momentum(momentum)
        slower = gradient_descent(fun, best + 1, jac, learning_rate=step, rule=rule, tol=1e-9, max_iter=5000)
        assert slower.n_iter > 1.2 * found.n_iter


@pytest.mark.equation("descent-cg-rate")
@quick
@given(seed=seeds)
def test_conjugate_gradients_stay_below_their_bound(seed):
    P, b, _ = quadratic(seed, d=15, low=0.2, high=20.0)
    path = []
    conjugate_gradients(P, b, callback=path.append)
    best = np.linalg.solve(P, b)
    norm = lambda e: np.sqrt(e @ P @ e)
    factor = (10.0 - 1) / (10.0 + 1)
    for k, x in enumerate(path, start=1):
        assert norm(x - best) <= 2 * factor**k / (1 + factor ** (2 * k)) * norm(best) * (1 + 1e-9) + 1e-12


@quick
@given(seed=seeds, scale=st.sampled_from([1e-4, 1.0, 1e5]))
def test_adam_does_not_see_the_unit_of_a_coordinate_of_the_gradient(seed, scale):
    rng = np.random.default_rng(seed)
    G, units = rng.normal(size=(6, 2)), np.array([1.0, scale])
    ends = []
    for gradients in (G, G * units):
        x, m, v = np.zeros(2), np.zeros(2), np.zeros(2)
        for t, g in enumerate(gradients, start=1):
            x, m, v = adam_step(x, m, v, g, t, 0.1, eps=1e-16)
        ends.append(x)
    assert_allclose(*ends, rtol=1e-9)


@pytest.mark.equation("descent-secant")
@quick
@given(seed=seeds, m=st.integers(1, 6))
def test_two_loops_fulfil_the_secant_equation_and_lead_downhill(seed, m):
    rng, (P, _, _) = np.random.default_rng(seed), quadratic(seed, d=5)
    S = list(rng.normal(size=(m, 5)))
    Y = [P @ s for s in S]
    assert_allclose(-lbfgs_direction(Y[-1], S, Y), S[-1], rtol=1e-8, atol=1e-10)
    g = rng.normal(size=5)
    assert g @ lbfgs_direction(g, S, Y) < 0


@pytest.mark.equation("descent-newton-direction")
@quick
@given(seed=seeds)
def test_newton_needs_one_step_on_a_quadratic_whatever_its_condition(seed):
    P, q, best = quadratic(seed, low=1e-4, high=1e4)
    found = newton(lambda x: x @ P @ x / 2 + q @ x, best + 1, lambda x: P @ x + q, lambda x: P, tol=1e-6)
    assert found.n_iter == 1
    assert_allclose(found.x, best, rtol=1e-5, atol=1e-5)


@pytest.mark.equation("descent-newton-invariance")
@quick
@given(seed=seeds)
def test_newton_does_not_see_a_linear_change_of_variables(seed):
    _, jac, hess, _, d = logistic(seed)
    A = np.random.default_rng(seed).normal(size=(d, d)) + 3 * np.eye(d)
    w = np.random.default_rng(seed + 1).normal(size=d)
    there = newton_direction(A.T @ jac(A @ w), A.T @ hess(A @ w) @ A)
    assert_allclose(A @ there, newton_direction(jac(A @ w), hess(A @ w)), rtol=1e-7, atol=1e-9)


@pytest.mark.equation("descent-newton-absolute")
@quick
@given(seed=seeds)
def test_newton_direction_leads_downhill_for_every_hessian(seed):
    rng = np.random.default_rng(seed)
    A, g = rng.normal(size=(4, 4)), rng.normal(size=4)
    assert g @ newton_direction(g, A + A.T) < 0


@pytest.mark.equation("descent-quadratic-rate")
def test_newton_doubles_the_digits():
    fun, jac, hess, _, d = logistic(4)
    path = []
    found = newton(fun, np.full(d, 2.0), jac, hess, tol=1e-13, callback=path.append)
    gaps = [np.abs(w - found.x).max() for w in path]
    gaps = [e for e in gaps if 1e-7 < e < 0.3]
    assert len(gaps) >= 2
    assert all(after < 2 * before**2 for before, after in pairwise(gaps))


@pytest.mark.equation("descent-sgd-unbiased")
def test_mean_of_the_single_steps_is_the_batch_step():
    _, jac, _, n, d = logistic(5)
    w = np.ones(d)
    single = np.array([gradient_step(w, jac(w, [i]), 0.3) for i in range(n)])
    assert_allclose(single.mean(axis=0), gradient_step(w, jac(w), 0.3), rtol=1e-12)


def test_stochastic_descent_with_a_falling_step_gets_below_the_plateau_of_a_constant_one():
    fun, jac, hess, n, d = logistic(6, n=200)
    lowest = newton(fun, np.zeros(d), jac, hess).objective[-1]
    settings = {"n_samples": n, "max_iter": 60, "tol": None, "random_state": 0}
    constant = stochastic_gradient_descent(fun, np.zeros(d), jac, learning_rate=0.5, **settings)
    falling = stochastic_gradient_descent(fun, np.zeros(d), jac, learning_rate=lambda t: 2 / (4 + 0.05 * t), **settings)
    averaged = stochastic_gradient_descent(fun, np.zeros(d), jac, learning_rate=0.5, average=True, **settings)
    gap = np.mean(constant.objective[-20:]) - lowest
    assert gap > 1e-3
    assert falling.objective[-1] - lowest < gap / 5
    assert np.mean(averaged.objective[-20:]) - lowest < gap / 5


def test_seed_fixes_the_order():
    fun, jac, _, n, d = logistic(7)
    run = lambda seed: stochastic_gradient_descent(fun, np.zeros(d), jac, n, max_iter=2, tol=None, random_state=seed).x
    assert_array_equal(run(1), run(1))
    assert np.abs(run(1) - run(2)).max() > 0


def test_stochastic_descent_stops_on_a_plateau():
    fun, jac, _, n, d = logistic(8)
    found = stochastic_gradient_descent(
        fun, np.zeros(d), jac, n, batch_size=n, learning_rate=0.5, max_iter=1000, tol=1e-3, n_iter_no_change=3
    )
    assert found.converged
    falls = found.objective[:-1] - found.objective[1:]
    assert falls[-4] > 1e-3  # the last improvement that counted, then three that did not
    assert falls[-3:].max() <= 1e-3
    with pytest.warns(ConvergenceWarning, match=r"tol=0.001 in 3 epochs after max_iter=5: increase max_iter\."):
        early = stochastic_gradient_descent(
            fun, np.zeros(d), jac, n, batch_size=n, learning_rate=0.5, max_iter=5, tol=1e-3, n_iter_no_change=3
        )
    assert early.n_iter == 5
    assert not early.converged


def test_a_plateau_is_measured_from_the_best_epoch():
    values = iter([5.0, 3.0, 4.0, 3.5, 2.0])
    found = stochastic_gradient_descent(
        lambda x: next(values), [0.0], lambda x, rows: 0 * x, 4, tol=0.0, n_iter_no_change=2
    )
    assert_array_equal(found.objective, [5.0, 3.0, 4.0, 3.5])  # two epochs in a row above 3, although the last one fell


# ------------------------------------------------------------------------------------------------------------ extremes


@pytest.mark.parametrize("method", METHODS)
def test_start_at_the_minimum(method):
    found = method(lambda x: x @ x, [0.0, 0.0], lambda x: 2 * x)
    assert found.n_iter == 0
    assert found.converged
    assert_array_equal(found.objective, [0.0])


@pytest.mark.parametrize("method", METHODS)
def test_input_is_left_alone_and_may_be_of_any_kind(method):
    x0 = np.arange(8, dtype=np.float32)[::2]
    found = method(lambda x: x @ x, x0, lambda x: 2 * x)
    assert_array_equal(x0, [0, 2, 4, 6])
    assert found.x.dtype == float
    assert_allclose(found.x, 0.0, atol=1e-5)
    assert_allclose(method(lambda x: x @ x, [3], lambda x: 2 * x).x, [0.0], atol=1e-5)


@pytest.mark.parametrize("method", [newton, lbfgs])
def test_ill_conditioned_quadratic(method):
    scale = np.logspace(0, 6, 7)
    found = method(lambda x: scale @ x**2 / 2, np.ones(7), lambda x: scale * x, tol=1e-7)
    assert found.converged
    assert_allclose(found.x, 0.0, atol=1e-7)


def test_newton_leaves_a_saddle_point_that_attracts_the_plain_step():
    # f = x^4/4 - x^2/2 + y^2/2 has a saddle at 0 and minima at (+-1, 0)
    fun, jac = lambda x: x[0] ** 4 / 4 - x[0] ** 2 / 2 + x[1] ** 2 / 2, lambda x: np.array([x[0] ** 3 - x[0], x[1]])
    hess = lambda x: np.diag([3 * x[0] ** 2 - 1, 1.0])
    plain = np.array([0.1, 1.0])
    for _ in range(20):
        plain = plain - np.linalg.solve(hess(plain), jac(plain))
    assert_allclose(plain, 0.0, atol=1e-12)
    assert_allclose(newton(fun, [0.1, 1.0], jac, hess).x, [1.0, 0.0], atol=1e-6)


def test_memory_of_one_step_is_enough():
    assert lbfgs(rosenbrock, [-1.2, 1.0], rosenbrock_gradient, maxcor=1).converged


def test_steps_of_negative_curvature_are_not_remembered():
    fun, jac = lambda x: np.sin(x).sum() + 0.01 * x @ x, lambda x: np.cos(x) + 0.02 * x
    found = lbfgs(fun, [1.6, 1.5], jac, tol=1e-8)  # starts next to a maximum, where s'y < 0
    assert found.converged
    assert (numerical_hessian(fun, found.x).diagonal() > 0).all()


@pytest.mark.equation("descent-curvature")
def test_with_armijo_alone_pairs_of_negative_curvature_arise_and_are_dropped():
    # from here the backtracking stops where the slope along the step has become steeper: s'y < 0; Wolfe goes on
    fun, jac = lambda x: np.sin(x).sum() + 0.01 * x @ x, lambda x: np.cos(x) + 0.02 * x
    lowest = {}
    for c2 in (None, 0.9):
        path = [np.array([1.6, 1.5])]
        assert lbfgs(fun, path[0], jac, tol=1e-8, c2=c2, callback=path.append).converged
        lowest[c2] = min((b - a) @ (jac(b) - jac(a)) for a, b in pairwise(path))
    assert lowest[None] < 0 < lowest[0.9]


def test_a_gradient_is_computed_once_for_each_trial_that_falls():
    calls = []

    def jac(x):
        calls.append(x.copy())
        return rosenbrock_gradient(x)

    found = lbfgs(rosenbrock, [-1.2, 1.0], jac)
    assert found.n_iter + 1 <= len(calls) < 1.5 * found.n_iter
    assert len({x.tobytes() for x in calls}) == len(calls)


def test_conjugate_gradients_need_as_many_steps_as_there_are_eigenvalues():
    V = np.linalg.qr(np.random.default_rng(0).normal(size=(30, 30)))[0]
    P = V @ np.diag(np.repeat([1.0, 5.0, 40.0], 10)) @ V.T
    found = conjugate_gradients((P + P.T) / 2, np.ones(30), rtol=1e-10)
    assert found.n_iter == 3
    start = conjugate_gradients(np.eye(2), [1.0, 2.0], [1.0, 2.0])
    assert (start.n_iter, start.converged) == (0, True)


def test_conjugate_gradients_stop_at_the_first_residual_that_is_small_relative_to_b():
    P, b, _ = quadratic(3, d=20)
    path = []
    conjugate_gradients(P, 1e6 * b, rtol=1e-3, callback=path.append)
    sizes = [np.linalg.norm(1e6 * b - P @ x) / np.linalg.norm(1e6 * b) for x in path]
    assert sizes[-1] <= 1e-3 < min(sizes[:-1])


def test_conjugate_gradients_that_stop_early_say_so():
    P, b, _ = quadratic(0, d=9)
    with pytest.warns(ConvergenceWarning, match="after max_iter=3 iterations"):
        found = conjugate_gradients(P, b, max_iter=3)
    assert (found.n_iter, found.converged) == (3, False)


def test_wolfe_search_on_a_function_that_falls_without_end():
    with pytest.warns(ConvergenceWarning, match="no step fulfils Wolfe's conditions after max_iter=7 trials"):
        found = wolfe_search(lambda x: -x[0], [0.0], [1.0], lambda x: -np.ones(1), max_iter=7)
    assert (found.step, found.fun, found.n_evals) == (0.0, 0.0, 7)


def test_value_and_gradient_are_computed_together_once():
    calls = []

    def pair(x):
        calls.append(x.copy())
        return x @ x, 2 * x

    found = gradient_descent(pair, [1.0, 2.0], True, learning_rate=0.25)
    assert len(calls) == found.n_iter + 1


def test_gradient_belongs_to_the_point_asked_for():
    objective = Objective(lambda x: (x @ x, 2 * x), True)
    objective.value(np.array([1.0, 2.0]))
    assert_array_equal(objective.gradient(np.array([3.0, 4.0])), [6.0, 8.0])


def test_tolerance_is_for_the_largest_entry():
    run = lambda tol: gradient_descent(lambda x: x @ x / 2, np.full(5, 0.9), lambda x: x, tol=tol).n_iter
    assert run(0.9) == 0
    assert run(0.85) == 1


def test_overflow_ends_the_descent_at_the_last_finite_point():
    with pytest.warns(ConvergenceWarning, match=r"the objective is inf after \d+ iterations: decrease learning_rate"):
        found = gradient_descent(lambda x: float(x[0] ** 4), [2.0], lambda x: 4 * x**3, learning_rate=1.0)
    assert np.isfinite(found.x).all()
    assert np.isfinite(found.objective).all()
    assert_allclose(found.objective[-1], found.x[0] ** 4)
    with pytest.warns(ConvergenceWarning, match=r"the objective is (inf|nan) after epoch 1: decrease learning_rate"):
        lost = stochastic_gradient_descent(
            lambda x: float(x[0] ** 2), [2.0], lambda x, rows: 2 * x, 2000, learning_rate=3.0
        )
    assert_array_equal(lost.x, [2.0])
    assert lost.n_iter == 0


@pytest.mark.parametrize("method", [newton, lbfgs])
@pytest.mark.parametrize("pair", [False, True])
def test_a_wrong_gradient_is_reported(method, pair):
    fun, wrong = lambda x: x @ x + x.sum(), lambda x: -2 * x - 1
    with pytest.warns(ConvergenceWarning, match="jac is wrong"):
        found = method(lambda x: (fun(x), wrong(x)), [3.0, 4.0], True) if pair else method(fun, [3.0, 4.0], wrong)
    assert not found.converged
    assert found.objective[-1] <= fun(np.array([3.0, 4.0]))


def test_tolerance_below_rounding_is_reported():
    fun, jac, hess, _, d = logistic(9)
    with pytest.warns(ConvergenceWarning, match="increase tol=0"):
        found = lbfgs(lambda w: 1e6 + fun(w), np.ones(d), jac, tol=0.0)
    assert_allclose(found.x, newton(fun, np.ones(d), jac, hess).x, atol=1e-2)


def test_a_step_into_the_void_is_reported():
    cliff = lambda x: (0.0 if x[0] == 1.0 else 1.0, np.ones(1))
    with pytest.warns(ConvergenceWarning, match="no step lowers the objective"):
        found = lbfgs(cliff, [1.0], True)
    assert_array_equal(found.x, [1.0])
    assert found.n_iter == 0


def test_line_search_that_finds_nothing():
    with pytest.warns(ConvergenceWarning, match="after max_iter=5 trials"):
        found = line_search(lambda x: x[0], [0.0], [1.0], slope=-1.0, max_iter=5)
    assert (found.step, found.fun, found.n_evals) == (0.0, 0.0, 5)


# -------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"x0": [[1.0, 2.0]]}, ValueError, r"x0 must be a vector of shape \(d,\), got shape \(1, 2\)"),
        ({"x0": []}, ValueError, "x0 must be a vector"),
        ({"x0": [np.nan, 1.0]}, ValueError, "x0 must be finite"),
        ({"fun": 3.0}, TypeError, "fun must be a function of x, got float"),
        ({"fun": lambda x: x}, ValueError, r"fun must return one number, got an array of shape \(2,\)"),
        ({"fun": lambda x: np.inf}, ValueError, "fun is inf at x0: start where it is finite"),
        ({"jac": False}, TypeError, "jac must be a function of x, True or None, got False"),
        ({"jac": True}, ValueError, r"fun must return the pair \(value, gradient\) if jac=True"),
        ({"jac": lambda x: x[:1]}, ValueError, r"jac must return a gradient with the shape of x, \(2,\), got \(1,\)"),
        ({"jac": lambda x: x * np.nan}, ValueError, "jac returned NaN or inf: compare it with"),
        ({"tol": -1.0}, ValueError, "tol must be finite and at least 0"),
        ({"tol": "small"}, TypeError, "tol must be a number"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"max_iter": 2.0}, TypeError, "max_iter must be an integer"),
    ],
)
def test_bad_arguments_of_the_methods(method, change, error, message):
    arguments = {"fun": lambda x: x @ x, "x0": [1.0, 2.0], "jac": lambda x: 2 * x} | change
    with pytest.raises(error, match=message):
        method(**arguments)


@pytest.mark.parametrize("rate", [0.0, -1.0, np.nan, np.inf])
def test_bad_learning_rate(rate):
    with pytest.raises(ValueError, match="learning_rate must be"):
        gradient_descent(lambda x: x @ x, [1.0], learning_rate=rate)
    with pytest.raises(ValueError, match="learning_rate must be"):
        stochastic_gradient_descent(lambda x: x @ x, [1.0], lambda x, rows: 2 * x, 3, learning_rate=rate)


def test_bad_memory():
    with pytest.raises(ValueError, match="maxcor must be at least 1"):
        lbfgs(rosenbrock, [0.0, 0.0], maxcor=0)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"n_samples": 0}, ValueError, "n_samples must be at least 1"),
        ({"batch_size": 0}, ValueError, "batch_size must be at least 1"),
        ({"batch_size": 5}, ValueError, "batch_size=5 must be at most n_samples=4"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"n_iter_no_change": 0}, ValueError, "n_iter_no_change must be at least 1"),
        ({"tol": -1.0}, ValueError, "tol must be finite and at least 0"),
        ({"random_state": "x"}, TypeError, "random_state"),
        ({"jac": lambda x, rows: 1.0}, ValueError, r"jac must return a gradient with the shape of x, \(1,\), got \(\)"),
        ({"jac": lambda x, rows: x * np.nan}, ValueError, "jac returned NaN or inf: compare it with"),
        ({"x0": 1.0}, ValueError, "x0 must be a vector"),
    ],
)
def test_bad_arguments_of_stochastic_descent(change, error, message):
    arguments = {"fun": lambda x: x @ x, "x0": [1.0], "jac": lambda x, rows: 2 * x, "n_samples": 4} | change
    with pytest.raises(error, match=message):
        stochastic_gradient_descent(**arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slope": 0.0}, "slope must be negative, got 0.0: the direction does not lead downhill"),
        ({"slope": np.nan}, "slope must be negative"),
        ({"c1": 1.0}, "c1 must be less than 1"),
        ({"c1": 0.0}, "c1 must be positive"),
        ({"shrink": 1.0}, "shrink must be less than 1"),
        ({"step": 0.0}, "step must be positive"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
        ({"x": [np.inf]}, "x must be finite"),
        ({"direction": [[1.0]]}, "direction must be a vector"),
        ({"direction": [-1.0, -1.0]}, r"direction must be a vector of shape \(1,\), got shape \(2,\)"),
        ({"fun": lambda x: np.nan}, "fun is nan at x0"),
    ],
)
def test_bad_arguments_of_the_line_search(change, message):
    arguments = {"fun": lambda x: x @ x, "x": [1.0], "direction": [-1.0], "slope": -2.0} | change
    with pytest.raises(ValueError, match=message):
        line_search(**arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"direction": [1.0]}, r"the slope along direction is 2.0: choose a direction that leads downhill"),
        ({"c1": 0.9}, "c1 must be less than c2, and c2 less than 1, got c1=0.9 and c2=0.9"),
        ({"c2": 1.0}, "c1 must be less than c2, and c2 less than 1"),
        ({"c1": 0.0}, "c1 must be positive"),
        ({"step": 0.0}, "step must be positive"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
        ({"x": [np.nan]}, "x must be finite"),
        ({"direction": [-1.0, -1.0]}, r"direction must be a vector of shape \(1,\), got shape \(2,\)"),
        ({"fun": lambda x: np.inf}, "fun is inf at x0"),
    ],
)
def test_bad_arguments_of_wolfe_search(change, message):
    arguments = {"fun": lambda x: x @ x, "x": [1.0], "direction": [-1.0], "jac": lambda x: 2 * x} | change
    with pytest.raises(ValueError, match=message):
        wolfe_search(**arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"A": [[1.0, 2.0], [0.0, 1.0]]}, "A must be symmetric"),
        ({"A": np.eye(3)}, r"A must have the shape \(2, 2\), as b asks for, got \(3, 3\)"),
        ({"A": [[1.0, 0.0], [0.0, -2.0]]}, "A is not positive definite: d'Ad = -1 along a direction d"),
        ({"A": [[1.0, 1.0], [1.0, 1.0]], "b": [1.0, -1.0]}, "A is not positive definite"),
        ({"A": lambda v: v[:1]}, r"A\(v\) must be a vector of shape \(2,\), got shape \(1,\)"),
        ({"b": [[1.0]]}, "b must be a vector"),
        ({"x0": [1.0]}, r"x0 must be a vector of shape \(2,\)"),
        ({"rtol": -1.0}, "rtol must be finite and at least 0"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
    ],
)
def test_bad_arguments_of_conjugate_gradients(change, message):
    with pytest.raises(ValueError, match=message):
        conjugate_gradients(**({"A": np.eye(2), "b": [1.0, 1.0]} | change))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Momentum(1.0), "momentum must be at least 0 and less than 1, got 1.0"),
        (lambda: Momentum(-0.1), "momentum must be at least 0"),
        (lambda: Adam(beta1=1.0), "beta1 must be at least 0 and less than 1"),
        (lambda: Adam(beta2=np.nan), "beta2 must be at least 0 and less than 1"),
        (lambda: Adam(eps=0.0), "eps must be positive"),
        (
            lambda: gradient_descent(lambda x: x @ x, [1.0], learning_rate=None, rule=Adam()),
            "learning_rate must be a number if there is a rule",
        ),
        (lambda: lbfgs(rosenbrock, [0.0, 0.0], c2=1.0), "c2 must lie between 1e-4 and 1, or be None, got 1.0"),
        (lambda: lbfgs(rosenbrock, [0.0, 0.0], c2=1e-5), "c2 must lie between 1e-4 and 1"),
    ],
)
def test_bad_settings_of_rules(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_rule_is_one_of_two():
    with pytest.raises(TypeError, match=r"rule must be Momentum\(\), Adam\(\) or None, got 'adam'"):
        gradient_descent(lambda x: x @ x, [1.0], rule="adam")


@pytest.mark.parametrize(
    ("low", "high", "tol", "message"),
    [
        (1, 1, 1e-8, "low must be less"),
        (-np.inf, 1, 1e-8, "low must be less than high, both finite"),
        (0, np.inf, 1e-8, "low must be less than high, both finite"),
        (0, 1, 0, "tol must be"),
    ],
)
def test_bad_arguments_of_the_golden_section(low, high, tol, message):
    with pytest.raises(ValueError, match=message):
        golden_section(np.cos, low, high, tol)


@pytest.mark.parametrize("function", [numerical_gradient, numerical_hessian])
def test_bad_arguments_of_the_derivatives(function):
    with pytest.raises(ValueError, match="x must be a vector"):
        function(lambda x: x.sum(), 1.0)
    with pytest.raises(ValueError, match="h must be positive"):
        function(lambda x: x.sum(), [1.0], h=0.0)
    with pytest.raises(ValueError, match="fun must return one number"):
        function(lambda x: x, [1.0, 2.0])
    with (
        np.errstate(invalid="ignore", divide="ignore"),
        pytest.raises(ValueError, match="fun is not finite next to x: move x away from the border"),
    ):
        function(lambda x: np.log(x).sum(), [0.0, 1.0])


@pytest.mark.parametrize(
    ("hessian", "message"),
    [
        (np.ones((2, 3)), "the Hessian must be a square matrix"),
        ([[1.0, 2.0], [0.0, 1.0]], "the Hessian must be symmetric"),
        ([[np.nan]], "the Hessian must be finite"),
    ],
)
def test_bad_hessian(hessian, message):
    with pytest.raises(ValueError, match=message):
        newton_direction([1.0, 1.0], hessian)


def test_warnings_point_at_the_caller():
    for method in METHODS:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            method(rosenbrock, [-1.2, 1.0], rosenbrock_gradient, max_iter=1)
        assert caught[0].filename == __file__


def test_the_start_is_a_copy():
    x0 = np.array([3.0, -1.0])
    x, _ = start(x0, Objective(lambda v: float(v @ v), None))
    assert not np.shares_memory(x, x0)
