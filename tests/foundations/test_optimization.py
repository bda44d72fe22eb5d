"""Optimisation: published numbers, independent routes, laws, extremes, errors."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import null_space

from notes_lib.foundations.optimization import (
    bordered_hessian,
    equality_qp,
    kkt_residuals,
    qp_dual,
    solve_qp,
    tangent_curvature,
)
from notes_lib.numerics import central_difference
from tests.problems import quadratic


def program(seed, d=3, m=5):
    """A convex quadratic program that a known interior point fulfils."""
    rng = np.random.default_rng(seed)
    P, q, _ = quadratic(seed, d)
    G, inside = rng.normal(size=(m, d)), rng.normal(size=d)
    return P, 3 * q, G, G @ inside + rng.uniform(0.01, 0.5, m)


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("optimization-kkt-system", "optimization-lagrange-several")
def test_nocedal_wright_example_16_2():
    # two equality constraints; there the Lagrangian is f - lambda'(Ax - b), so the multipliers (3, -2) are ours negated
    P = [[6.0, 2.0, 1.0], [2.0, 5.0, 2.0], [1.0, 2.0, 4.0]]
    found = equality_qp(P, [-8.0, -3.0, -3.0], [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], [3.0, 0.0])
    assert_allclose(found.x, [2.0, -1.0, 1.0], rtol=1e-12)
    assert_allclose(found.lam, [-3.0, 2.0], rtol=1e-12)


@pytest.mark.equation("optimization-kkt-stationarity", "optimization-kkt-slackness", "optimization-kkt-dual")
def test_nocedal_wright_example_16_4():
    # minimise (x1 - 1)^2 + (x2 - 2.5)^2 with five inequalities; solution (1.4, 1.7), first constraint active
    G = [[-1.0, 2.0], [1.0, 2.0], [1.0, -2.0], [-1.0, 0.0], [0.0, -1.0]]
    h = [2.0, 6.0, 2.0, 0.0, 0.0]
    found = solve_qp(2 * np.eye(2), [-2.0, -5.0], G, h)
    assert_allclose(found.x, [1.4, 1.7], rtol=1e-12)
    assert_allclose(found.mu, [0.8, 0, 0, 0, 0], rtol=1e-12, atol=1e-12)
    assert_allclose(found.primal + 1 + 2.5**2, 0.4**2 + 0.8**2, rtol=1e-12)
    assert_allclose(found.primal, found.dual, rtol=1e-12)


@pytest.mark.equation("optimization-kkt-stationarity", "optimization-kkt-primal", "optimization-kkt-slackness")
def test_boyd_vandenberghe_exercise_5_1():
    # minimise x^2 + 1 with (x - 2)(x - 4) <= 0: x = 2, lambda = 2, p* = d* = 5
    at = lambda x, mu: kkt_residuals([2 * x], [(x - 2) * (x - 4)], [[2 * x - 6]], [mu])
    assert at(2.0, 2.0) == (0.0, 0.0, 0.0, 0.0)
    assert at(3.0, 0.0) == (6.0, 0.0, 0.0, 0.0)
    assert at(1.0, 0.5) == (0.0, 3.0, 0.0, 1.5)
    assert at(3.0, 2.0) == (6.0, 0.0, 0.0, 2.0)  # feasible and slack, yet with a price: the product is negative
    assert at(4.0, -4.0) == (0.0, 0.0, 4.0, 0.0)  # stationary, active, but the sign of the multiplier is wrong


@pytest.mark.equation("optimization-lagrangian")
def test_each_multiplier_goes_with_its_own_constraint():
    # minimise x1^2 + x2^2 with 1 - x1 <= 0 and 3 - x2 <= 0: x = (1, 3), mu = (2, 6), not one multiplier for both
    found = solve_qp(2 * np.eye(2), [0.0, 0.0], -np.eye(2), [-1.0, -3.0])
    assert_allclose(found.x, [1.0, 3.0])
    assert_allclose(found.mu, [2.0, 6.0])
    assert kkt_residuals(2 * found.x, 0 * found.x, -np.eye(2), found.mu) == (0.0, 0.0, 0.0, 0.0)
    assert kkt_residuals(2 * found.x, [0.0, 0.0], -np.eye(2), [2.0, 2.0]).stationarity == 4.0


@pytest.mark.equation("optimization-reduced-hessian", "optimization-curvature-sufficient")
def test_nocedal_wright_example_12_1():
    # minimise x1 + x2 on the circle |x|^2 = 2: the minimum is (-1, -1); f itself has no curvature at all
    for x, lam, kind in [((-1.0, -1.0), 0.5, "minimum"), ((1.0, 1.0), -0.5, "maximum")]:
        assert kkt_residuals([1.0, 1.0], h=[0.0], jac_h=[[2 * x[0], 2 * x[1]]], lam=[lam]) == (0, 0, 0, 0)
        found = tangent_curvature(2 * lam * np.eye(2), [[2 * x[0], 2 * x[1]]])
        assert found.kind == kind
        assert_allclose(found.eigenvalues, [2 * lam], rtol=1e-12)


@pytest.mark.equation("optimization-bordered-hessian")
def test_box_with_a_given_surface():
    # largest xyz with xy + yz + zx = 3: the cube, lambda = 1/2 for the minimum of -xyz; determinant worked out by hand
    W = -0.5 * (np.ones((3, 3)) - np.eye(3))
    found = tangent_curvature(W, [[2.0, 2.0, 2.0]])
    assert_allclose(found.eigenvalues, [0.5, 0.5], rtol=1e-12)
    assert found.kind == "minimum"
    assert_allclose(np.linalg.det(bordered_hessian(W, [[2.0, 2.0, 2.0]])), -3.0, rtol=1e-12)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("optimization-kkt-system")
@pytest.mark.parametrize("seed", range(4))
def test_equality_program_by_the_null_space(seed):
    rng, (P, q, _) = np.random.default_rng(seed), quadratic(seed, d=5)
    A, b = rng.normal(size=(2, 5)), rng.normal(size=2)
    N, particular = null_space(A), np.linalg.lstsq(A, b)[0]
    x = particular - N @ np.linalg.solve(N.T @ P @ N, N.T @ (P @ particular + q))
    found = equality_qp(P, q, A, b)
    assert_allclose(found.x, x, rtol=1e-9, atol=1e-11)
    assert_allclose(P @ found.x + q + A.T @ found.lam, 0.0, atol=1e-11)


@pytest.mark.equation("optimization-qp-dual", "optimization-dual-function")
@pytest.mark.parametrize("seed", range(4))
def test_dual_function_is_the_smallest_lagrangian(seed):
    P, q, G, h = program(seed)
    dual = qp_dual(P, q, G, h)
    for mu in np.random.default_rng(seed).exponential(size=(3, 5)):
        lagrangian = lambda x, mu=mu: x @ P @ x / 2 + q @ x + mu @ (G @ x - h)
        slope = lambda x, mu=mu: P @ x + q + G.T @ mu
        inner = scipy.optimize.minimize(lagrangian, np.zeros(3), jac=slope, method="BFGS", options={"gtol": 1e-9})
        assert_allclose(dual.value(mu), inner.fun, rtol=1e-9)
        assert_allclose(  # its gradient is the vector of constraints at the minimiser
            central_difference(dual.value, mu), G @ inner.x - h, rtol=0, atol=1e-6
        )


@pytest.mark.parametrize("seed", range(6))
def test_quadratic_program_as_scipy(seed):
    P, q, G, h = program(seed)
    found = solve_qp(P, q, G, h)
    peer = scipy.optimize.minimize(
        lambda x: x @ P @ x / 2 + q @ x,
        np.zeros(3),
        jac=lambda x: P @ x + q,
        constraints={"type": "ineq", "fun": lambda x: h - G @ x, "jac": lambda x: -G},
        method="SLSQP",
        options={"ftol": 1e-10, "maxiter": 500},
    )
    assert peer.success
    assert_allclose(found.primal, peer.fun, rtol=1e-6)
    assert_allclose(found.x, peer.x, rtol=0, atol=1e-4)


@pytest.mark.equation("optimization-reduced-hessian")
@pytest.mark.parametrize("m", range(4))
@pytest.mark.parametrize("seed", range(3))
def test_curvature_by_another_basis_and_by_inertia(seed, m):
    rng = np.random.default_rng(seed)
    W, A = rng.normal(size=(5, 5)), rng.normal(size=(m, 5))
    W = W + W.T
    found = tangent_curvature(W, A)
    N = null_space(A) if m else np.eye(5)
    values = np.linalg.eigvalsh(N.T @ W @ N)
    assert_allclose(found.eigenvalues, values, rtol=1e-9, atol=1e-12)
    assert found.kind == {(True, False): "minimum", (False, True): "maximum"}.get(
        (bool((values > 0).all()), bool((values < 0).all())), "saddle"
    )
    inertia = np.linalg.eigvalsh(bordered_hessian(W, A))
    assert (inertia < 0).sum() == (found.eigenvalues < 0).sum() + m
    assert (inertia > 0).sum() == (found.eigenvalues > 0).sum() + m


@pytest.mark.equation("optimization-curvature-necessary", "optimization-curvature-sufficient")
@pytest.mark.parametrize("seed", range(6))
def test_curvature_is_the_second_derivative_along_the_constraint(seed):
    # on an ellipse with known parametrisation, at every stationary point that a fine grid of angles brackets
    rng = np.random.default_rng(seed)
    P, q, axes = rng.normal(size=(2, 2)), rng.normal(size=2), rng.uniform(0.5, 2, 2)
    P = P + P.T
    point = lambda t: np.array([axes[0] * np.cos(t), axes[1] * np.sin(t)])
    along = lambda t: point(t) @ P @ point(t) / 2 + q @ point(t)
    slope = lambda t: (P @ point(t) + q) @ np.array([-axes[0] * np.sin(t), axes[1] * np.cos(t)])
    grid = np.linspace(0, 2 * np.pi, 61)
    kinds = []
    for a, b in pairwise(grid):
        if slope(a) * slope(b) < 0:
            t = scipy.optimize.brentq(slope, a, b, xtol=1e-14)
            x, normal = point(t), 2 * point(t) / axes**2
            lam = -(P @ x + q) @ normal / (normal @ normal)
            found = tangent_curvature(P + lam * np.diag(2 / axes**2), [normal])
            velocity = np.array([-axes[0] * np.sin(t), axes[1] * np.cos(t)])
            second = (along(t + 1e-4) - 2 * along(t) + along(t - 1e-4)) / 1e-8
            assert_allclose(found.eigenvalues[0] * velocity @ velocity, second, rtol=1e-5, atol=1e-5)
            kinds.append(found.kind)
    assert kinds.count("minimum") == kinds.count("maximum") >= 1


@pytest.mark.parametrize("seed", range(6))
def test_program_with_equalities_as_scipy(seed):
    P, q, G, h = program(seed, d=4)
    A = np.random.default_rng(seed + 9).normal(size=(2, 4))
    b = A @ np.linalg.lstsq(G, h - 0.1)[0]
    found = solve_qp(P, q, G, h, A, b)
    peer = scipy.optimize.minimize(
        lambda x: x @ P @ x / 2 + q @ x,
        np.zeros(4),
        jac=lambda x: P @ x + q,
        constraints=[
            {"type": "ineq", "fun": lambda x: h - G @ x, "jac": lambda x: -G},
            {"type": "eq", "fun": lambda x: A @ x - b, "jac": lambda x: A},
        ],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert peer.success
    assert_allclose(found.x, peer.x, rtol=0, atol=1e-5)
    assert_allclose(found.primal, found.dual, rtol=1e-9)
    residuals = kkt_residuals(P @ found.x + q, G @ found.x - h, G, found.mu, A @ found.x - b, A, found.lam)
    assert max(residuals) < 1e-8 * (1 + np.abs(found.mu).max() + np.abs(found.lam).max())


# --------------------------------------------------------------------------------------------------------------- laws

seeds = st.integers(0, 10**6)
quick = settings(max_examples=20, deadline=None)


@pytest.mark.equation("optimization-weak-duality", "optimization-qp-dual")
@quick
@given(seed=seeds)
def test_weak_duality_for_feasible_x_and_multipliers_that_are_not_negative(seed):
    P, q, G, h = program(seed)
    dual, rng = qp_dual(P, q, G, h), np.random.default_rng(seed + 1)
    X = 3 * rng.normal(size=(200, 3))
    feasible = X[(h - X @ G.T >= 0).all(axis=1)]
    values = np.einsum("ni,ij,nj->n", feasible, P, feasible) / 2 + feasible @ q
    for mu in rng.exponential(size=(20, 5)):
        assert dual.value(mu) <= min(values, default=np.inf)
    best = solve_qp(P, q, G, h)
    assert all(dual.value(mu) <= best.primal + 1e-9 for mu in rng.exponential(size=(20, 5)))


@pytest.mark.equation(
    "optimization-kkt-stationarity", "optimization-kkt-primal", "optimization-kkt-dual", "optimization-kkt-slackness"
)
@quick
@given(seed=seeds, d=st.integers(1, 4), m=st.integers(1, 6))
def test_solution_of_a_program_fulfils_the_conditions_without_a_gap(seed, d, m):
    P, q, G, h = program(seed, d, m)
    found = solve_qp(P, q, G, h)
    residuals = kkt_residuals(P @ found.x + q, G @ found.x - h, G, found.mu)
    assert max(residuals) < 1e-7 * (1 + np.abs(q).max() + np.abs(found.mu).max())
    assert_allclose(found.primal, found.dual, rtol=1e-8, atol=1e-8)


@pytest.mark.equation("optimization-sensitivity")
@quick
@given(seed=seeds)
def test_multipliers_are_prices(seed):
    P, q, G, h = program(seed, m=2)
    found = solve_qp(P, q, G, h)
    if np.any((found.mu > 0) & (found.mu < 1e-2)) or np.any((found.mu == 0) & (h - G @ found.x < 1e-2)):
        return  # next to a change of the active set the optimum has a kink
    slope = central_difference(lambda h: solve_qp(P, q, G, h).primal, h, h=1e-5)
    assert_allclose(slope, -found.mu, rtol=0, atol=1e-4 * (1 + found.mu.max()))


@pytest.mark.equation("optimization-price-global")
@quick
@given(seed=seeds)
def test_prices_bound_every_change_of_the_right_hand_sides(seed):
    P, q, G, h = program(seed)
    rng = np.random.default_rng(seed + 2)
    A = rng.normal(size=(1, 3))
    inside = np.linalg.lstsq(G, h - 0.3)[0]
    if (G @ inside > h).any():
        return
    b = A @ inside
    found = solve_qp(P, q, G, h, A, b)
    for _ in range(5):
        move = 0.2 * rng.normal(size=3)  # both programs have the moved point
        u, v = np.maximum(G @ (inside + move) - h, 0) + rng.exponential(0.3, 5), A @ move
        bound = found.primal - found.mu @ u - found.lam @ v
        assert solve_qp(P, q, G, h + u, A, b + v).primal >= bound - 1e-9 * (1 + abs(bound))


# ------------------------------------------------------------------------------------------------------------ extremes


@pytest.mark.parametrize("scale", [1e-120, 1e120])
def test_quadratic_program_at_any_scale(scale):
    found = solve_qp(2 * np.eye(2), [-2.0 * scale, -5.0 * scale], [[-1.0, 2.0], [1.0, 2.0]], [2.0 * scale, 6.0 * scale])
    assert_allclose(found.x, [1.4 * scale, 1.7 * scale], rtol=1e-9)


@pytest.mark.parametrize("rows", [(1.0, 1.0), (1e-12, 1.0), (1.0, 1e-12), (1e-12, 1e12), (1e-60, 1e60)])
@pytest.mark.parametrize("columns", [(1.0, 1.0), (1e-9, 1e9), (1e100, 1e90)])
@pytest.mark.parametrize("price", [1.0, 1e12, 1e-40])
def test_solution_does_not_hang_on_the_units_of_constraints_variables_and_objective(rows, columns, price):
    # the program of the chapter, x = (2, 1), mu = (4, 0), with every quantity in other units
    P, q = np.diag([2.0, 4.0]), np.array([-8.0, -8.0])
    G, h = np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([3.0, 2.0])
    R, C = np.array(rows), np.array(columns)
    found = solve_qp(price * P / np.outer(C, C), price * q / C, R[:, None] * G / C, R * h)
    assert_allclose(found.x / C, [2.0, 1.0], rtol=1e-12)
    assert_allclose(found.mu * R / price, [4.0, 0.0], rtol=1e-12, atol=0)
    assert_allclose([found.primal / price, found.dual / price], [-18.0, -18.0], rtol=1e-12)
    alone = equality_qp(price * P / np.outer(C, C), price * q / C, R[:1, None] * G[:1] / C, R[:1] * h[:1])
    assert_allclose([*alone.x / C, *alone.lam * R[0] / price], [2.0, 1.0, 4.0], rtol=1e-12)


def test_a_negative_multiplier_is_not_hidden_by_one_in_other_units():
    # x1^2 / 1000 + x2^2 with x1 <= 3, x2 >= 1, x1 >= 1: at the vertex (3, 1) the first multiplier is -0.006
    G, h = np.array([[1.0, 0.0], [0.0, -1e-7], [-1.0, 0.0]]), [3.0, -1e-7, -1.0]
    found = solve_qp(np.diag([0.002, 2.0]), [0.0, 0.0], G, h)
    assert_allclose(found.x, [1.0, 1.0], rtol=1e-9)
    assert_allclose(found.mu, [0.0, 2e7, 0.002], rtol=1e-9)


def test_program_without_active_or_without_any_constraint():
    free = solve_qp(np.eye(2), [-1.0, -2.0], [[1.0, 1.0]], [10.0])
    assert_allclose(free.x, [1.0, 2.0])
    assert_array_equal(free.mu, [0.0])
    assert_allclose(solve_qp(np.eye(2), [-1.0, -2.0], np.empty((0, 2)), []).x, [1.0, 2.0])
    assert_allclose(equality_qp(np.eye(2), [-1.0, -2.0], np.empty((0, 2)), []).x, [1.0, 2.0])


def test_repeated_constraint_gets_a_multiplier_once():
    found = solve_qp(2 * np.eye(2), [0.0, 0.0], [[-1.0, 0.0], [-1.0, 0.0], [0.0, -1.0]], [-1.0, -1.0, -2.0])
    assert_allclose(found.x, [1.0, 2.0])
    assert_allclose(found.mu, [2.0, 0.0, 4.0])


def test_an_equality_written_as_two_inequalities():
    # the point of the plane 0.3 x1 = 0.7 x2 next to (1/2, -1/10, 0): both sides are 0 up to rounding, and so is x3
    found = solve_qp(2 * np.eye(3), [-1.0, 0.2, 0.0], [[0.3, -0.7, 0.0], [-0.3, 0.7, 0.0]], [0.0, 0.0])
    assert_allclose(found.x, np.array([0.7, 0.3, 0.0]) * 0.32 / 0.58, rtol=1e-12, atol=1e-15)


def test_no_constraints_at_all():
    assert kkt_residuals([0.0, -3.0]) == (3.0, 0.0, 0.0, 0.0)
    assert kkt_residuals([1.0], h=[-0.5], jac_h=[[1.0]], lam=[-1.0]) == (0.0, 0.5, 0.0, 0.0)


def test_no_free_direction_and_flat_ones():
    vertex = tangent_curvature(-np.eye(2), np.eye(2))
    assert vertex.eigenvalues.shape == (0,)
    assert vertex.kind == "minimum"
    assert tangent_curvature(np.diag([1.0, 0.0])).kind == "undecided"
    assert tangent_curvature(np.diag([-1.0, 1e-12])).kind == "undecided"
    assert tangent_curvature(np.zeros((2, 2))).kind == "undecided"
    assert tangent_curvature(np.diag([1e-200, 2e-200])).kind == "minimum"
    assert tangent_curvature(np.diag([-3.0, -2.0]), [[1.0, 0.0]]).kind == "maximum"
    assert_array_equal(bordered_hessian([[2.0]], np.empty((0, 1))), [[2.0]])


@pytest.mark.parametrize("scale", [1e-200, 1e-17, 1e17])
def test_free_directions_do_not_hang_on_the_units_of_a_constraint(scale):
    W = np.diag([1.0, -2.0, 3.0])
    assert tangent_curvature(W, [[1.0, 0.0, 0.0], [0.0, scale, 0.0]]).kind == "minimum"
    assert_allclose(np.abs(bordered_hessian(W, [[0.0, scale, 0.0]])[0]), [0.0, 0.0, scale, 0.0])
    with pytest.raises(ValueError, match="the rows of jac must be linearly independent"):
        tangent_curvature(W, [[1.0, 0.0, 0.0], [scale, 0.0, 0.0]])
    with pytest.raises(ValueError, match="the rows of jac must be linearly independent"):
        tangent_curvature(W, [[scale, 0.0, 0.0], [0.0, 0.0, 0.0]])


def test_equalities_alone_and_as_many_as_variables():
    P, q, A, b = np.eye(2), [-1.0, -2.0], [[1.0, 1.0]], [1.0]
    found, plain = solve_qp(P, q, [[0.0, 1.0]], [5.0], A, b), equality_qp(P, q, A, b)
    assert_allclose([*found.x, *found.lam], [*plain.x, *plain.lam], rtol=1e-12)
    fixed = solve_qp(P, q, [[1.0, 0.0]], [3.0], np.eye(2), [2.0, 4.0])
    assert_allclose(fixed.x, [2.0, 4.0])
    assert_allclose(fixed.lam, [-1.0, -2.0])
    with pytest.raises(ValueError, match=r"no x fulfils G x <= h and A x = b: relax a constraint\."):
        solve_qp(P, q, [[1.0, 0.0]], [1.0], np.eye(2), [2.0, 4.0])
    with pytest.raises(ValueError, match="remove dependent rows of A"):
        solve_qp(P, q, [[1.0, 0.0]], [3.0], [[1.0, 1.0], [2.0, 2.0]], [1.0, 2.0])


# -------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"P": np.eye(3)}, r"P must be a finite symmetric matrix of shape \(2, 2\)"),
        ({"P": [[1.0, 1.0], [0.0, 1.0]]}, "P must be a finite symmetric matrix"),
        ({"P": [[1e20, 5e9], [0.0, 1.0]]}, "P must be a finite symmetric matrix"),
        ({"P": [[np.nan, 0.0], [0.0, 1.0]]}, "P must be a finite symmetric matrix"),
        ({"q": [[1.0, 2.0]]}, "q must be a vector"),
        ({"G": [[1.0, 0.0, 0.0]]}, r"must be \(m, 2\) and \w \(m,\), a row for each constraint"),
        ({"h": [1.0, 2.0]}, "a row for each constraint"),
        ({"G": [[np.inf, 0.0]]}, "must be finite"),
    ],
)
@pytest.mark.parametrize("function", [solve_qp, qp_dual, equality_qp])
def test_bad_programs(function, change, message):
    arguments = {"P": np.eye(2), "q": [1.0, 1.0], "G": [[1.0, 0.0]], "h": [1.0]} | change
    with pytest.raises(ValueError, match=message):
        function(*arguments.values())


def test_programs_without_a_solution_or_with_many():
    with pytest.raises(ValueError, match="no x fulfils G x <= h: relax a constraint"):
        solve_qp([[1.0]], [0.0], [[1.0], [-1.0]], [-1.0, -1.0])
    with pytest.raises(ValueError, match="P is not positive definite"):
        solve_qp([[1.0, 1.0], [1.0, 1.0]], [0.0, 0.0], [[1.0, 0.0]], [1.0])
    with pytest.raises(ValueError, match="G has 17 rows, more than 16"):
        solve_qp([[1.0]], [0.0], np.ones((17, 1)), np.ones(17))
    with pytest.raises(ValueError, match=r"P has the eigenvalue -1: .* not convex, and P must be positive semi"):
        equality_qp(np.diag([1.0, -1.0]), [0.0, 0.0], [[1.0, 0.0]], [1.0])
    for A, b in [([[1.0, 1.0], [2.0, 2.0]], [1.0, 2.0]), ([[1.0, 1.0], [1.0, 1.0 + 1e-17]], [1.0, 1.0])]:
        with pytest.raises(ValueError, match="remove dependent rows of A, or make P positive definite"):
            equality_qp(np.eye(2), [0.0, 0.0], A, b)
    with pytest.raises(ValueError, match="the solution is not unique"):
        equality_qp(np.diag([1.0, 0.0]), [0.0, 0.0], [[1.0, 0.0]], [1.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"gradient": [[1.0]]}, "gradient must be a vector"),
        ({"gradient": [1.0], "g": [1.0], "jac_g": [[1.0, 2.0]], "mu": [1.0]}, r"jac_g must be \(m, 1\) and g \(m,\)"),
        ({"gradient": [1.0], "g": [1.0], "jac_g": [[1.0]]}, r"mu must be a vector of shape \(1,\), got shape \(0,\)"),
        ({"gradient": [1.0], "mu": [1.0]}, r"mu must be a vector of shape \(0,\)"),
        ({"gradient": [1.0], "h": [1.0], "jac_h": [[1.0]]}, r"lam must be a vector of shape \(1,\)"),
        ({"gradient": [1.0], "h": [1.0], "jac_h": [1.0], "lam": [1.0]}, r"jac_h must be \(m, 1\)"),
        ({"gradient": [1.0], "g": [np.nan], "jac_g": [[1.0]], "mu": [1.0]}, "jac_g and g must be finite"),
    ],
)
def test_bad_candidates(arguments, message):
    with pytest.raises(ValueError, match=message):
        kkt_residuals(**arguments)


def test_dual_at_a_wrong_number_of_multipliers():
    with pytest.raises(ValueError, match=r"mu must be a vector of shape \(1,\), got shape \(2,\)"):
        qp_dual([[1.0]], [0.0], [[1.0]], [1.0]).value([1.0, 2.0])


def test_a_slightly_concave_direction_has_no_minimum():
    with pytest.raises(ValueError, match="the objective is not convex"):
        equality_qp(np.diag([1.0, -1e-6]), [0.0, 0.0], [[1.0, 0.0]], [0.0])
    with pytest.raises(ValueError, match="P has the eigenvalue -1: the objective is not convex"):  # in other units
        equality_qp(np.diag([1e20, -1.0]), [0.0, 0.0], [[1.0, 0.0]], [0.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0, 2.0]],), "hessian must be a square matrix"),
        (([[1.0, 2.0], [0.0, 1.0]],), "hessian must be symmetric"),
        (([[np.inf]],), "hessian must be finite"),
        ((np.eye(2), [[1.0, 0.0, 0.0]]), r"jac must have shape \(d, 2\), got \(1, 3\)"),
        ((np.eye(2), [1.0, 0.0]), r"jac must have shape \(d, 2\), got \(2,\)"),
        ((np.eye(2), [[np.nan, 0.0]]), "jac must be finite"),
        ((np.eye(3), [[1.0, 0.0, 1.0], [2.0, 0.0, 2.0]]), "the rows of jac must be linearly independent: remove"),
    ],
)
def test_bad_curvature(arguments, message):
    with pytest.raises(ValueError, match=message):
        tangent_curvature(*arguments)
    with pytest.raises(ValueError, match=message):
        bordered_hessian(*arguments, *([()] if len(arguments) == 1 else []))
