"""The quiz of the chapter *The exponential family*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.integrate import quad

from notes_lib.foundations.descent import numerical_gradient, numerical_hessian
from notes_lib.foundations.exponential_family import (
    Bernoulli,
    Categorical,
    ConjugatePrior,
    Exponential,
    Gaussian,
    GeneralizedLinearModel,
    Poisson,
    UnitGaussian,
    glm_gradient,
    glm_log_likelihood,
    irls_step,
    maximum_entropy,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
RNG = np.random.default_rng(0)
X = np.column_stack([np.ones(40), RNG.normal(size=40)])
MEAN = X @ [0.3, 0.5]
MODELS = {  # family, and two samples of targets
    "bernoulli": (Bernoulli(), RNG.binomial(1, 1 / (1 + np.exp(-MEAN)), (2, 40))),
    "poisson": (Poisson(), RNG.poisson(np.exp(MEAN), (2, 40))),
    "gaussian": (UnitGaussian(), RNG.normal(MEAN, size=(2, 40))),
}


def quiz_variance():
    r"""For which family is $\operatorname{Var}\, x = \mathbb{E}\, x$ because $a'' = a'$?"""
    eta, h = np.linspace(-3, -0.1, 30), 1e-3
    families = {
        "Bernoulli": Bernoulli(),
        "Poisson": Poisson(),
        "exponential": Exponential(),
        "Gaussian with $v = 1$": UnitGaussian(),
    }

    def fits(family):
        low, middle, high = (family.log_partition(at) for at in (eta - h, eta, eta + h))
        first, second = (high - low) / (2 * h), (high - 2 * middle + low) / h**2
        assert np.allclose([family.mean_parameter(eta), family.covariance(eta)], [first, second], rtol=1e-2)
        return np.allclose(family.mean_parameter(eta), family.covariance(eta))

    return {name: fits(family) for name, family in families.items()}


def quiz_ones(n, value):
    """All <n> targets of a logistic regression with intercept and one feature are <value>. The maximum-likelihood
    weights"""
    rows, y = X[: int(n)], np.full(int(n), value)
    likelihood = lambda w: glm_log_likelihood(w, rows, y, Bernoulli())
    is_best = lambda w: np.abs(glm_gradient(w, rows, y, Bernoulli())).max() < SMALL
    many = [np.array([b, w]) for b in np.linspace(-9, 9, 19) for w in (-2, 0, 2)]
    return {
        "are 0": is_best(np.zeros(2)),
        r"have intercept $\log 10$": any(is_best(np.array([np.log(10), w])) for w in (-2, 0, 2)),
        "do not exist": all(likelihood(w + np.array([1, 0])) > likelihood(w) for w in many),
        "are not unique, but exist": any(is_best(w) for w in many),
    }


def quiz_canonical():
    """Which statements hold for a generalised linear model with canonical link?"""
    w, gradient, hessian, one_step, means = np.array([0.1, -0.2]), [], [], [], []
    for name, (family, targets) in MODELS.items():
        of = lambda y, family=family: lambda w: glm_log_likelihood(w, X, y, family)
        y = targets[0]
        residual = y - family.mean_parameter(X @ w)
        gradient.append(np.allclose(numerical_gradient(of(y), w), X.T @ residual, atol=1e-5))
        hessian.append(np.allclose(*(numerical_hessian(of(y), w) for y in targets), rtol=1e-4))
        one_step.append(np.abs(glm_gradient(irls_step(w, X, y, family), X, y, family)).max() < 1e-6)
        fitted = GeneralizedLinearModel(name).fit(X[:, 1:], y).predict(X[:, 1:])
        means.append(np.isclose(fitted.mean(), y.mean()))
    return {
        r"The gradient is $\mathbf{X}^\top(\mathbf{y} - \boldsymbol{\mu})$": all(gradient),
        r"The Hessian does not depend on $\mathbf{y}$": all(hessian),
        "Newton's method needs one step": all(one_step),
        "With an intercept the fitted means have the mean of the targets": all(means),
    }


def quiz_pseudo(n, average, strength, mean):
    r"""$N = <n>$ counts with mean <average>; prior: $\nu = <strength>$ pseudo-counts of mean <mean>. The posterior mean
    of the rate is"""
    after = ConjugatePrior(Poisson(), strength, mean).update(np.full(int(n), average))
    eta = np.linspace(-10, 5, 15_001)
    density = np.exp(after.log_kernel(eta) - after.log_kernel(eta).max())
    rate = np.exp(eta) @ density / density.sum()
    once = (mean + n * average) / (strength + n)  # the prior's mean as one count
    return Numbers(rate, [(mean + average) / 2, average, once])


def tf_open():
    """The natural parameter space is always an open set."""

    def is_finite(h, eta):  # the integral of h(x) exp(eta x) from 1 on
        tail, _ = quad(lambda u: np.exp(u) * h(np.exp(u)) * np.exp(eta * np.exp(u)), np.log(1e3), np.log(1e4))
        return tail < 0.01

    def has_its_border(h):
        assert is_finite(h, -0.1)
        assert not is_finite(h, 0.01)
        return is_finite(h, 0.0)

    flat, falling = (lambda x: 1.0), (lambda x: x**-2.0)
    assert not has_its_border(flat)
    return not has_its_border(falling)


def tf_minimal():
    """The categorical family with indicators of all $K$ categories as statistics is minimal."""

    def is_minimal(T):  # no combination of the statistics is constant
        return np.linalg.matrix_rank(np.column_stack([np.ones(len(T)), T])) == T.shape[1] + 1

    assert all(is_minimal(Categorical(K).statistic(range(K))) for K in (2, 3, 5))
    return all(is_minimal(np.eye(K)) for K in (2, 3, 5))


def tf_posterior():
    """If two classes have densities of one exponential family with the same $T$ and $h$, the posterior log-odds are
    linear in $T(x)$."""
    counts, times = np.arange(8), np.linspace(0.1, 4, 12)
    cases = [
        (Poisson(), counts, 0.2, 1.1),
        (Exponential(), times, -0.5, -2.0),
        (UnitGaussian(), times, 0.3, -1.0),
        (Gaussian(), times, Gaussian().natural_parameter(0, 1), Gaussian().natural_parameter(2, 5)),
    ]

    def is_linear(family, x, eta_0, eta_1):
        odds = np.log(0.7 / 0.3) + family.log_density(x, eta_1) - family.log_density(x, eta_0)
        T = np.column_stack([np.ones(len(x)), family.statistic(x)])
        return np.allclose(T @ np.linalg.lstsq(T, odds)[0], odds)

    return all(is_linear(*case) for case in cases)


def tf_overdispersion():
    """Overdispersion biases the weights of a Poisson regression."""
    rng = np.random.default_rng(1)
    x, true = rng.uniform(-1, 1, 400), np.array([1.0, 0.5])
    rate = np.exp(true[0] + true[1] * x)
    samples = rng.poisson(rate * rng.gamma(1.0, 1.0, size=(100, 400)))  # of variance rate + rate^2
    fits = [GeneralizedLinearModel("poisson").fit(x[:, None], y) for y in samples]
    weights = np.array([[fit.intercept_, fit.coef_[0]] for fit in fits])
    rows = np.column_stack([np.ones(400), x])
    promised = np.sqrt(np.diag(np.linalg.inv(rows.T @ (rows * rate[:, None]))))
    assert (weights.std(axis=0) > 1.3 * promised).all()
    return abs(weights.mean(axis=0) - true).max() > 0.1


def tf_entropy():
    r"""The distribution on $x \geq 0$ of largest entropy with mean $m$ is exponential."""
    shares = np.linspace(0, 10, 1001)  # of the mean

    def is_exponential(m):
        log_density = np.log(maximum_entropy(m * shares[:, None], [m]).p)
        slopes = np.diff(log_density) / np.diff(m * shares)
        return np.ptp(slopes) < 1e-3 / m and np.isclose(slopes.mean(), -1 / m, rtol=0.02)

    return all(is_exponential(m) for m in (0.5, 1.0, 7.0))


test_claim = decided("foundations/exponential_family", globals())
