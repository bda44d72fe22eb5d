"""The quiz of the chapter *The multivariate Gaussian*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
import pytest
import scipy.stats

from notes_lib.foundations.multivariate_gaussian import (
    MultivariateGaussian,
    gaussian_mle_multivariate,
    mahalanobis,
    partial_correlation,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
WALK = np.minimum.outer([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])  # covariance of a random walk; its precision is banded


def _covariances(d=4):
    """Of every kind of dependence."""
    for F in np.random.default_rng(0).normal(size=(20, d, d)):
        yield F @ F.T + 0.1 * np.eye(d)


def _given(covariance, given, values=None):
    """Variances of the other variables when some are known."""
    known = np.zeros(len(given)) if values is None else values
    return np.diag(MultivariateGaussian(np.zeros(len(covariance)), covariance).condition(given, known).covariance)


def quiz_variance(a, b, c, d):
    r"""$\boldsymbol{\Sigma} = \begin{pmatrix} <a> & <b> \\ <c> & <d> \end{pmatrix}$. What is the variance of $x_2$
    given $x_1$?"""
    covariance = np.array([[a, b], [c, d]])
    values = [_given(covariance, [0], [x])[0] for x in (-3.0, 0.0, 7.0)]
    return {
        "<variance>": lambda variance: np.allclose(values, variance),
        "It depends on the value of $x_1$": np.ptp(values) > SMALL,
    }


def quiz_axes(distance):
    r"""The half axes of the contour $\Delta = <distance>$ are"""

    def half_axes(covariance):  # the nearest and the farthest point of the contour, among all directions
        turn = np.linspace(0, np.pi, 10_001)
        direction = np.column_stack([np.cos(turn), np.sin(turn)])
        reach = distance / mahalanobis(direction, np.zeros(2), covariance)
        return np.array([reach.min(), reach.max()])

    def are(lengths):
        return all(np.allclose(half_axes(S), np.sort(lengths(S)), rtol=1e-5) for S in _covariances(2))

    return {
        r"the eigenvalues of $\boldsymbol{\Sigma}$": are(np.linalg.eigvalsh),
        r"the square roots of the eigenvalues of $\boldsymbol{\Sigma}$": are(lambda S: np.sqrt(np.linalg.eigvalsh(S))),
        r"the square roots of the diagonal of $\boldsymbol{\Sigma}$": are(lambda S: np.sqrt(np.diag(S))),
        r"the eigenvalues of $\boldsymbol{\Sigma}^{-1}$": are(lambda S: np.linalg.eigvalsh(np.linalg.inv(S))),
    }


def quiz_precision():
    r"""Which statements hold for *every* Gaussian vector with $\Lambda_{12} = 0$?"""
    precisions = [np.linalg.inv(WALK[np.ix_([0, 2, 1], [0, 2, 1])]), *_covariances()]
    for precision in precisions:
        precision[0, 1] = precision[1, 0] = 0
    every = [np.linalg.inv(P) for P in precisions if np.linalg.eigvalsh(P).min() > 0.01]
    assert len(every) > 5
    rest = [np.arange(2, len(S)) for S in every]
    blocks = [
        MultivariateGaussian(np.zeros(len(S)), S).condition(r, np.ones(len(r))).covariance
        for S, r in zip(every, rest, strict=True)
    ]
    zero = lambda values: np.allclose(values, 0, atol=SMALL)
    correlated = [S[0, 1] / np.sqrt(S[0, 0] * S[1, 1]) for S in every]
    return {
        "$x_1$ and $x_2$ are independent given all other variables": zero([block[0, 1] for block in blocks]),
        "$x_1$ and $x_2$ are uncorrelated": zero(correlated),
        "The partial correlation of $x_1$ and $x_2$ is 0": zero([partial_correlation(S)[0, 1] for S in every]),
        r"The block of $\boldsymbol{\Sigma}$ for $x_1, x_2$ is diagonal": zero([S[0, 1] for S in every]),
    }


def quiz_product(a, v, b, w):
    r"""You multiply the densities $\mathcal{N}(<a>, <v>)$ and $\mathcal{N}(<b>, <w>)$ and normalise. Mean and
    variance?"""
    x = np.linspace(-50, 50, 20_001)
    density = scipy.stats.norm.pdf(x, a, np.sqrt(v)) * scipy.stats.norm.pdf(x, b, np.sqrt(w))
    density /= density.sum()
    mean = density @ x
    right = [mean, density @ (x - mean) ** 2]
    turned = (a * v + b * w) / (v + w)
    return Numbers(right, [[a + b, v + w], [(a + b) / 2, (v + w) / 2], [turned, right[1]]])


def quiz_few():
    """Ten points in ten dimensions. The maximum-likelihood covariance"""
    X = np.random.default_rng(0).normal(size=(10, 10))
    S = np.cov(X.T, bias=True)
    value, vectors = np.linalg.eigh(S)
    shrunk = lambda size: S + size * np.outer(vectors[:, 0], vectors[:, 0])  # along the direction without a spread
    likelihood = [MultivariateGaussian(X.mean(axis=0), shrunk(size)).logpdf(X).sum() for size in (1e-2, 1e-4, 1e-6)]
    with pytest.raises(ValueError, match="singular, so the likelihood has no maximum"):
        gaussian_mle_multivariate(X)
    is_regular = lambda covariance: np.linalg.matrix_rank(covariance) == len(covariance)
    assert len(np.unique(X, axis=0)) == 10
    return {
        "exists if no two points are equal": is_regular(S),
        "exists, but is biased": abs(value[0]) > SMALL,
        "is singular: the likelihood has no maximum": abs(value[0]) < SMALL and (np.diff(likelihood) > 1).all(),
        "becomes invertible with the divisor $N - 1$": is_regular(np.cov(X.T)),
    }


def tf_marginal():
    """Every marginal of a Gaussian vector is Gaussian."""
    nodes = np.linspace(-60, 60, 6001)

    def is_gaussian(S):  # integrate the other variable away
        g = MultivariateGaussian([1.0, -1.0], S)
        at = np.array([-1.0, 0.5, 4.0])
        density = [np.exp(g.logpdf(np.column_stack([np.full(6001, x), nodes]))).sum() * 0.02 for x in at]
        return np.allclose(density, scipy.stats.norm.pdf(at, 1, np.sqrt(S[0, 0])))

    return all(is_gaussian(S) for S in _covariances(2))


def tf_converse():
    """If all marginals are Gaussian, the vector is Gaussian."""
    rng = np.random.default_rng(0)
    x, sign, other = rng.normal(size=20_000), rng.choice([-1, 1], 20_000), rng.normal(size=20_000)
    is_gaussian = lambda sample: scipy.stats.kstest(sample / sample.std(), "norm").pvalue > 1e-3
    assert is_gaussian(x)
    assert is_gaussian(sign * x)
    assert is_gaussian(x + other)
    return is_gaussian(x + sign * x)


def tf_more():
    """Conditioning on more variables of a Gaussian vector never increases the variance of the others."""
    return all(
        (_given(S, [2, 3]) <= _given(S, [3])[:2] + SMALL).all() and (_given(S, [3]) <= np.diag(S)[:3] + SMALL).all()
        for S in _covariances()
    )


def tf_below(limit):
    """The density of a Gaussian is always below <limit>."""
    peak = lambda spread: np.exp(MultivariateGaussian([0.0], [[spread**2]]).logpdf([0.0]))
    assert peak(1.0) < limit
    return all(peak(spread) < limit for spread in (1.0, 0.1, 0.01))


def tf_axis():
    r"""For $0 < |\rho| < 1$ the line that predicts $x_2$ from $x_1$ is the long axis of the ellipse."""

    def angle(S):  # between the line and the axis
        line = MultivariateGaussian([0.0, 0.0], S).condition([0], [1.0]).mean[0]
        axis = np.linalg.eigh(S)[1][:, -1]
        return abs(np.array([-line, 1.0]) @ axis) / np.hypot(line, 1)

    assert angle(np.diag([2.0, 1.0])) < SMALL  # which it is for rho = 0
    return any(angle(S) < 1e-3 for S in _covariances(2))


def tf_mean_square():
    """On the data a Gaussian was fitted to by maximum likelihood, the mean squared Mahalanobis distance is $D$."""
    rng = np.random.default_rng(0)
    samples = [draw(size=(30, d)) for d in (1, 2, 5) for draw in (rng.normal, rng.exponential, rng.standard_cauchy)]
    return all(np.isclose((mahalanobis(X, *gaussian_mle_multivariate(X)) ** 2).mean(), X.shape[1]) for X in samples)


test_claim = decided("foundations/multivariate_gaussian", globals())
