"""The numbered formulas of the front pages, each against an independent computation.

The conversions of *Regularisation strength by convention* are held to scikit-learn: were a peer to change its
objective, the page would be wrong, and a test here fails.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import DotProduct
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import BayesianRidge, ElasticNet, Lasso, LogisticRegression, Ridge, SGDRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.svm import SVC, SVR, LinearSVC

N, D = 60, 4


@pytest.fixture
def data():
    """Centred inputs and targets, so that no estimator needs a bias; labels -1 and +1."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, D)) * [1, 2, 0.5, 1]
    X -= X.mean(axis=0)
    y = X @ [1.5, -0.5, 0.8, 0.0] + rng.normal(size=N)
    y -= y.mean()
    return X, y, np.where(X @ [1, 0.3, -1, 0.2] + rng.normal(size=N) > 0, 1, -1)


def ridge(X, y, lam):
    """Solve the normal equations of the page."""
    return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)


@pytest.mark.equation("learning-succession")
@pytest.mark.parametrize(("n", "m"), [(0, 1), (3, 1), (5, 5), (7, 40)])
def test_probability_of_m_more_days_is_the_integral(n, m):
    value, _ = quad(lambda theta: (1 - theta) ** m * (n + 1) * (1 - theta) ** n, 0, 1)
    assert value == pytest.approx((n + 1) / (n + m + 1), rel=1e-10)


@pytest.mark.equation("learning-consistent-rules")
@pytest.mark.parametrize("m", [0, 1, 3, 4])
def test_rules_that_fit_are_counted_and_split_evenly_on_a_new_input(m):
    inputs = 2**2  # two yes/no answers
    labels = (1, 0, 0, 1)[:m]
    fit = [rule for rule in product((0, 1), repeat=inputs) if rule[:m] == labels]
    assert len(fit) == 2 ** (2**2 - m)
    if m < inputs:
        assert 2 * sum(rule[m] for rule in fit) == len(fit)


@pytest.mark.equation("learning-best-class", "learning-best-mean")
def test_best_answers_under_zero_one_and_squared_loss():
    p = np.array([0.2, 0.5, 0.3])
    zero_one = [sum(p[j] for j in range(3) if j != k) for k in range(3)]
    assert int(np.argmin(zero_one)) == int(np.argmax(p)) == 1
    values = np.array([-1.0, 0.5, 4.0])
    grid = np.linspace(-2, 5, 70001)
    squared = ((values - grid[:, None]) ** 2) @ p
    assert grid[squared.argmin()] == pytest.approx(p @ values, abs=1e-4)


@pytest.mark.equation("learning-bayes")
def test_bayes_theorem_against_a_table_of_counts():
    counts = np.array([[8, 2], [3, 27]])  # rows: class, columns: value of x
    prior = counts.sum(axis=1) / counts.sum()
    conditional = counts / counts.sum(axis=1, keepdims=True)
    posterior = conditional * prior[:, None] / (conditional * prior[:, None]).sum(axis=0)
    np.testing.assert_allclose(posterior, counts / counts.sum(axis=0), rtol=1e-12)


@pytest.mark.equation("notation-reference", "notation-ridge", "notation-scaling")
@pytest.mark.parametrize(
    ("loss_factor", "penalty_factor", "to_lambda"),
    [
        ("1", "s", "s"),
        ("1/2", "s/2", "s"),
        ("1/2", "s", "2*s"),
        ("1", "s/2", "s/2"),
        ("1/N", "s", "N*s"),
        ("1/(2*N)", "s", "2*N*s"),
        ("1/(2*N)", "s/2", "N*s"),
    ],
)
def test_every_row_of_squared_objectives(data, loss_factor, penalty_factor, to_lambda):
    X, y, _ = data
    scope = {"s": 0.7, "N": N}
    a, c, lam = (eval(text, scope) for text in (loss_factor, penalty_factor, to_lambda))
    w = ridge(X, y, lam)
    gradient = -2 * a * X.T @ (y - X @ w) + 2 * c * w  # of the objective as the source writes it
    np.testing.assert_allclose(gradient, 0, atol=1e-10)


def test_ridge_and_kernel_ridge_alpha_is_lambda(data):
    X, y, _ = data
    np.testing.assert_allclose(Ridge(alpha=3.0).fit(X, y).coef_, ridge(X, y, 3.0), rtol=1e-8)
    fitted = KernelRidge(alpha=3.0, kernel="linear").fit(X, y)
    np.testing.assert_allclose(fitted.predict(X), X @ ridge(X, y, 3.0), rtol=1e-8)


@pytest.mark.equation("notation-bayes-strength")
def test_lambda_is_prior_precision_over_noise_precision(data):
    X, y, _ = data
    alpha, beta = 2.0, 0.4
    posterior_mean = np.linalg.solve(beta * X.T @ X + alpha * np.eye(D), beta * X.T @ y)
    np.testing.assert_allclose(posterior_mean, ridge(X, y, alpha / beta), rtol=1e-10)
    peer = BayesianRidge(tol=1e-10, max_iter=5000).fit(X, y)  # its alpha_ is the noise precision
    np.testing.assert_allclose(peer.coef_, ridge(X, y, peer.lambda_ / peer.alpha_), rtol=1e-6)


def test_gaussian_process_alpha_is_lambda_and_scales_with_the_prior(data):
    X, y, _ = data
    kernel = DotProduct(sigma_0=0, sigma_0_bounds="fixed")
    mean = GaussianProcessRegressor(kernel, alpha=3.0, optimizer=None).fit(X, y).predict(X)
    np.testing.assert_allclose(mean, X @ ridge(X, y, 3.0), rtol=1e-8, atol=1e-10)
    mean = GaussianProcessRegressor(5.0 * kernel, alpha=3.0, optimizer=None).fit(X, y).predict(X)
    np.testing.assert_allclose(mean, X @ ridge(X, y, 3.0 / 5.0), rtol=1e-8, atol=1e-10)


def test_lasso_and_elastic_net_have_the_mean_in_the_loss(data):
    X, y, _ = data
    for model, l1, l2 in [
        (Lasso(alpha=0.2, tol=1e-12), N * 0.2, 0.0),
        (ElasticNet(alpha=0.3, l1_ratio=0.25, tol=1e-12), N * 0.3 * 0.25, N * 0.3 * 0.75),
    ]:
        w = model.fit(X, y).coef_
        pull = X.T @ (y - X @ w) - l2 * w  # equals lambda_1 sign(w) where w is not zero, else lies within
        active = w != 0
        assert 0 < active.sum() <= D
        np.testing.assert_allclose(pull[active], l1 * np.sign(w[active]), rtol=1e-6)
        assert (abs(pull[~active]) <= l1 * (1 + 1e-6)).all()


def test_sgd_alpha_times_n_is_lambda(data):
    X, y, _ = data
    model = SGDRegressor(
        alpha=0.5, fit_intercept=False, average=True, eta0=0.02, learning_rate="constant", tol=None, max_iter=3000,
        random_state=0,
    )  # fmt: skip
    w = model.fit(X, y).coef_
    np.testing.assert_allclose(w, ridge(X, y, N * 0.5), atol=0.02)
    assert abs(w - ridge(X, y, 0.5)).max() > 0.2  # the other conventions are far away
    assert abs(w - ridge(X, y, 2 * N * 0.5)).max() > 0.1


def test_logistic_c_is_the_inverse_of_lambda(data):
    X, _, t = data
    C = 0.3
    w = LogisticRegression(C=C, fit_intercept=False, tol=1e-12, max_iter=10000).fit(X, t).coef_[0]
    gradient = -(t / (1 + np.exp(t * (X @ w)))) @ X + w / C
    np.testing.assert_allclose(gradient, 0, atol=1e-4)


def test_svm_c_is_the_inverse_of_lambda(data):
    X, _, t = data
    C = 0.3
    model = SVC(C=C, kernel="linear", tol=1e-10).fit(X, t)
    alpha = np.abs(model.dual_coef_[0])
    assert alpha.max() == pytest.approx(C)  # the box of the dual
    w, b = model.coef_[0], model.intercept_[0]
    margin = t * (X @ w + b)
    penalty = 0.5 * w @ w + C * np.maximum(0, 1 - margin).sum()
    dual = alpha.sum() - 0.5 * w @ w
    assert penalty == pytest.approx(dual, rel=1e-6)  # both sides of strong duality for this very objective


def test_linear_svc_minimises_c_times_squared_hinge_without_a_half(data):
    X, _, t = data
    C = 0.3
    w = LinearSVC(C=C, fit_intercept=False, tol=1e-12, max_iter=100000).fit(X, t).coef_[0]
    gradient = w - 2 * C * (t * np.maximum(0, 1 - t * (X @ w))) @ X
    np.testing.assert_allclose(gradient, 0, atol=1e-4)


def test_svr_c_is_the_inverse_of_lambda(data):
    X, y, _ = data
    C, epsilon = 0.3, 0.2
    model = SVR(C=C, epsilon=epsilon, kernel="linear", tol=1e-10).fit(X, y)
    w, b, coef = model.coef_[0], model.intercept_[0], model.dual_coef_[0]
    residual = y - X @ w - b
    primal = 0.5 * w @ w + C * np.maximum(0, abs(residual) - epsilon).sum()
    dual = coef @ y[model.support_] - epsilon * abs(coef).sum() - 0.5 * w @ w
    assert primal == pytest.approx(dual, rel=1e-6)


def test_network_without_hidden_layer_is_ridge_with_the_same_alpha(data):
    X, y, _ = data
    model = MLPRegressor(
        hidden_layer_sizes=(), alpha=30.0, solver="lbfgs", tol=1e-12, max_iter=5000, random_state=0
    ).fit(X, y)
    np.testing.assert_allclose(model.coefs_[0][:, 0], ridge(X, y, 30.0), atol=1e-4)


def test_early_stopping_and_ridge_shrink_weak_directions_alike():
    eta, t = 1e-3, 200
    s = np.array([1e-6, 1e-4, 1e-2])  # small eigenvalues
    np.testing.assert_allclose(1 - (1 - eta * s) ** t, s / (s + 1 / (eta * t)), rtol=2e-3)


@pytest.mark.equation("notation-p-norm")
def test_norms():
    v = np.array([3.0, -4.0, 0.0])
    for p in (1, 2, 3):
        assert np.linalg.norm(v, p) == pytest.approx((abs(v) ** p).sum() ** (1 / p))
    assert np.linalg.norm(v, np.inf) == max(abs(v))
