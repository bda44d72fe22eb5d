"""The quiz of the chapter *Gaussian processes*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.kernel_ridge import KernelRidge

from notes_lib.kernels.gaussian_process import (
    RBF,
    ConstantKernel,
    DotProduct,
    ExpSineSquared,
    GaussianProcessRegressor,
    WhiteKernel,
    gp_posterior,
    log_marginal_likelihood,
)
from notes_lib.linear.bayesian_regression import predictive, weight_posterior
from notes_lib.numerics import NotPositiveDefiniteError
from tests.claims.deciding import Numbers, decided

RNG = np.random.default_rng(0)
X = np.array([[-3.5], [-2.1], [0.4], [1.2], [2.3], [2.7], [3.8]])
Y = np.array([1.1, 0.1, 0.6, 0.6, -0.4, -1.0, -0.6])
NEW = np.array([[-3.0], [0.0], [2.5], [6.0]])


def _told(X, y, kernel=None, noise=0.03, new=NEW):
    """Mean and variance of the function at new points."""
    k = kernel or RBF(1.2)
    told = gp_posterior(k(X), k(new, X), k(new), y, noise)
    return told.mean, np.diag(told.covariance)


def quiz_variance():
    """The posterior variance at a point depends on"""
    before = _told(X, Y)[1]
    residuals = Y + np.where(np.abs(X[:, 0] - 2.5) < 0.5, [3.0, -3.0, 3.0, -3.0, 3.0, -3.0, 3.0], 0)
    same = lambda variances: np.allclose(variances, before)
    moved = not same(_told(X + 0.5, Y)[1])  # as many instances, in other places
    others = [_told(X, Y, RBF(2.0))[1], _told(X, Y, noise=0.3)[1]]
    return {
        "the training points and the targets": not same(_told(X, 10 * Y)[1]),
        "the residuals near the point": not same(_told(X, residuals)[1]),
        "the number of instances alone": not moved,
        "the training points, the kernel and the noise": moved and not any(map(same, others)),
    }


def quiz_likelihood():
    """In the marginal likelihood a longer length-scale usually"""
    short, long = (log_marginal_likelihood(RBF(scale)(X) + 0.03 * np.eye(7), Y) for scale in (1.0, 3.0))
    complexity, fit = long.complexity - short.complexity, long.fit - short.fit
    return {
        "raises the complexity term and lowers the fit": complexity > 0 > fit,
        "raises both": complexity > 0 and fit > 0,
        "lowers both": complexity < 0 and fit < 0,
        "leaves the complexity term as it is": bool(np.isclose(complexity, 0)),
    }


def quiz_mean():
    """Which are true of the mean?"""
    mean = lambda y: _told(X, y)[0]
    ridge = KernelRidge(alpha=0.03, kernel="precomputed").fit(RBF(1.2)(X), Y).predict(RBF(1.2)(NEW, X))
    far = _told(X, Y + 5, new=np.array([[100.0]]))[0]
    return {
        r"It is that of kernel ridge regression with $\lambda=\sigma^2$": np.allclose(mean(Y), ridge),
        "Far away it goes to the mean of the targets": np.allclose(far, np.mean(Y + 5)),
        "It is linear in the targets": np.allclose(mean(2 * Y + Y**2), 2 * mean(Y) + mean(Y**2)),
        "It passes through the targets": np.allclose(_told(X, Y, new=X)[0], Y),
    }


def _repaired(kernel, noise=0.0):
    """Whether a process of repeated rows with different targets can be fitted."""
    try:
        GaussianProcessRegressor(kernel, alpha=noise, optimizer=None).fit([[0.0], [1.0], [0.0]], [1.0, 2.0, 3.0])
    except (ValueError, NotPositiveDefiniteError):
        return False
    return True


def quiz_singular():
    """Which repair a singular covariance of repeated rows with different targets?"""
    assert not _repaired(RBF(1.0))
    return {
        "A larger `alpha`": _repaired(RBF(1.0), 0.1),
        "A longer length-scale": _repaired(RBF(5.0)),
        "A white kernel": _repaired(RBF(1.0) + WhiteKernel(0.1)),
        "A periodic factor": _repaired(RBF(1.0) * ExpSineSquared(1.0, 2.0)),
    }


def quiz_far(v, noise):
    """An RBF kernel has variance <v>, the noise variance <noise>. Far from all data a new target has the variance"""
    variance = _told(X, Y, ConstantKernel(v) * RBF(1.2), noise, np.array([[100.0]]))[1][0]
    return Numbers(variance + noise, [0, noise, variance])


def tf_linear():
    """Bayesian linear regression is a Gaussian process."""
    rows = lambda Z: np.column_stack([np.ones(len(Z)), Z])
    told = predictive(rows(NEW), weight_posterior(rows(X), Y, 2.0, 4.0), 4.0)
    mean, variance = _told(X, Y, 0.5 * DotProduct(1.0), 0.25)
    return np.allclose(mean, told.mean) and np.allclose(variance + 0.25, told.std**2)


def tf_nugget():
    """Noise and a nugget can be told apart by the likelihood if the training points are distinct."""
    covariance = lambda Z, nugget, noise: RBF(1.2)(Z) + nugget * (Z == Z.T) + noise * np.eye(len(Z))
    repeated = np.vstack([X[:6], X[:1]])
    value = lambda Z, *parts: log_marginal_likelihood(covariance(Z, *parts), Y).value
    assert not np.isclose(value(repeated, 0.2, 0.1), value(repeated, 0.1, 0.2))
    return not np.isclose(value(X, 0.2, 0.1), value(X, 0.1, 0.2))


def tf_concave():
    """The marginal likelihood is a concave function of the logarithms of the parameters."""
    ends = np.log([[1.19, 0.166**2], [5.03, 0.538**2]])
    value = lambda t: log_marginal_likelihood(RBF(np.exp(t[0]))(X) + np.exp(t[1]) * np.eye(7), Y).value
    path = [value(ends[0] + share * (ends[1] - ends[0])) for share in np.linspace(0, 1, 41)]
    return bool((np.diff(path, 2) <= 1e-9).all())


def tf_more():
    """With fixed parameters a further measurement never raises the posterior variance of the function."""
    rises = []
    for _ in range(50):
        places, y, scale = RNG.uniform(-4, 4, size=(8, 1)), RNG.normal(size=8), RNG.uniform(0.3, 3)
        fewer, more = (_told(places[:n], y[:n], RBF(scale))[1] for n in (7, 8))
        rises.append((more > fewer + 1e-12).any())
    return not any(rises)


def tf_labels():
    """In classification the posterior of the function at a labelled point is Gaussian."""
    f = np.linspace(-15, 15, 20_001)
    skewed = []
    for likelihood in (expit(f), np.exp(-((1 - f) ** 2) / 2)):  # a label, and a target with noise
        p = likelihood * np.exp(-(f**2) / 8)
        p /= p.sum()
        centre = f - p @ f
        skewed.append((p @ centre**3) / (p @ centre**2) ** 1.5)
    assert abs(skewed[1]) < 1e-9
    return abs(skewed[0]) < 1e-3


@pytest.mark.parametrize("length_scale", [0.5, 2.0])
def test_the_variance_far_away_needs_a_kernel_that_decays(length_scale):
    far = np.array([[100.0]])
    assert np.isclose(_told(X, Y, RBF(length_scale), new=far)[1][0], 1)
    assert _told(X, Y, DotProduct(1.0), new=far)[1][0] > 4


test_claim = decided("kernels/gaussian_process", globals())
