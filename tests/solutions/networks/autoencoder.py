"""Exercises on autoencoders: errors of rows with the variances of the task, divergences by integration."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm
from sklearn.decomposition import PCA

from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _rows(variances):
    """Rows that are centred, uncorrelated and have exactly these variances."""
    spread = np.sqrt(np.multiply(variances, len(variances)))
    return np.vstack([np.diag(spread), -np.diag(spread)])


def _left(variances, components):
    """The mean squared error of so many principal components."""
    X = _rows(variances)
    pca = PCA(components).fit(X)
    return float(np.mean(np.sum((X - pca.inverse_transform(pca.transform(X))) ** 2, axis=1)))


def _divergence(mu, s):
    """From a normal code to the standard one, by integration."""
    q, p = norm(mu, s), norm()
    return quad(lambda z: q.pdf(z) * (q.logpdf(z) - p.logpdf(z)), mu - 12 * s, mu + 12 * s, epsabs=1e-13)[0]


def ex_subspace():
    values, K = np.array([5, 2, 1]), 1
    X, U, M = _rows(values), np.eye(3)[:, :K], np.array([[0.7]])
    error = lambda A, B: np.mean(np.sum((X - X @ np.atleast_2d(A).T @ np.reshape(B, (3, K)).T) ** 2, axis=1))
    least, whole = _left(values, K), np.sum(X**2) / len(X)
    A, B = np.linalg.pinv(U @ M), U @ M
    assert np.isclose(error(A, B), least)
    return Worked(
        {r"\mathbf{A}": A, r"\mathbf{B}": B, r"\mathbf{M}": M, r"\mathbf{U}": U, "E": At(error), r"\lambda_#": values,
         "D": len(values), "K": K},
        numbers=[least, least - _left(values, 2), values, whole - least, least / whole],
    )  # fmt: skip


def ex_bound():
    tasks: list[dict[str, float]] = [{r"\mu": 1, "s": 1}, {r"\mu": 0, "s": 1 / 2}]
    found = [_divergence(*task.values()) for task in tasks]
    assert np.isclose(found[0], 1 / 2)
    return Worked(tasks[0], worlds=tasks[1:], known=found)


def _noisy(variances, noise):
    """Scores without and with noise, all signs of both being equally likely."""
    signs = np.array([*product((-1, 1), repeat=2 * len(variances))])
    clean = signs[:, : len(variances)] * np.sqrt(variances)
    return clean, clean + noise**0.5 * signs[:, len(variances) :]


def _factor(variance, noise):
    """The best factor of a noisy score, by least squares."""
    clean, noisy = _noisy([variance], noise)
    return float(np.linalg.lstsq(noisy, clean)[0][0, 0])


def _denoised(variances, noise):
    """The mean squared error that the best factors leave."""
    clean, noisy = _noisy(variances, noise)
    factors = [_factor(variance, noise) for variance in variances]
    return np.mean(np.sum((noisy * factors - clean) ** 2, axis=1))


def ex_denoiser():
    variances, noise, other = np.array([9, 1]), 1, 0.7
    clean, noisy = _noisy(variances, noise)
    kept = PCA(1).fit(noisy)
    parts = np.mean((kept.inverse_transform(kept.transform(noisy)) - clean) ** 2, axis=0)
    assert np.isclose(_denoised(variances, noise), 1.4)
    return Worked(
        {r"\lambda_#": variances, r"\sigma": other**0.5, "i": range(1, 3)},
        numbers=[variances, noise, _denoised(variances, other), [_factor(v, noise) for v in variances], parts,
                 parts.sum()],
    )  # fmt: skip


def _network(widths):
    """Numbers of weights and biases."""
    weights = sum(np.zeros(shape).size for shape in pairwise(widths))
    return weights, sum(np.zeros(width).size for width in widths[1:])


def ex_count():
    widths = [64, 20, 5, 20, 64]
    weights, biases = _network(widths)
    tied = _network(widths[:3])[0]
    return Worked(numbers=[widths, weights + biases, tied / weights, tied, tied + biases], known=[weights, biases])


def ex_axes():
    decoder, variances = np.array([[1, 1, 0], [1, -1, 0]]), [3, 2]
    X = _rows(variances) @ decoder
    covariance = X.T @ X / len(X)
    values, axes = np.linalg.eigh(covariance)
    axes = (axes * np.sign(axes[0])).T[::-1]
    longer = np.linalg.norm(decoder, axis=1)
    scores = X @ axes[:2].T
    ratio = scores[0, 0] / _rows(variances)[0, 0]
    return Worked(
        {r"\mathbf{b}_#": decoder},
        numbers=[decoder, variances, 0, covariance, np.diag(covariance), covariance[0, 1], axes[0], values[2], axes[1],
                 values[1], longer[0], np.linalg.norm(axes[0]), ratio],
    )  # fmt: skip


def ex_code():
    sigma = 0.7
    law = norm(0, sigma)
    return Worked({r"\sigma": sigma}, numbers=[9 / (law.logpdf(0) - law.logpdf(3))])


def cards():
    y, encode = np.array([0.4, -1.1, 0.7]), np.array([0.6, 0.0, 0.8])
    D, H, K = 7, 5, 2
    weights, biases = _network([D, H, K, H, D])
    mu, s = 0.7, 1.4
    four, best = [4, 2, 1, 1], Fraction(_factor(3, 1)).limit_denominator(9)
    divergence = _divergence(2, 1)
    drawn = lambda sign, spread: norm(1, spread).ppf(norm.cdf(sign))
    return {
        "lost-marks-zero": Worked(numbers=[0]),
        "lost-marks-target": Worked(
            {r"\mathbf{y}": y, "h": At(lambda y: float(encode @ y)), "g": At(lambda z: z * encode)},
            numbers=[y @ y - (encode @ y) ** 2],  # as the code is a score
        ),
        "lost-marks-log": Worked({r"\mu": mu, "s": s}, numbers=[_divergence(mu, s) + np.log(s) / 2]),
        "what-if-scale": Worked(numbers=[2, 1 / 2]),
        "counting": Worked({"D": D, "H": H, "K": K}, numbers=[weights, biases]),
        "convention-loss": Worked(numbers=[1 / 2, 1 / 2]),
        "quiz-least": Worked(
            numbers=[four, 2, _left(four, 2), _left(four, 2), np.sum(four) - _left(four, 2), _left(four, 1),
                     _left(four, 3)],
        ),
        "quiz-factor": Worked(
            numbers=[3, 1, (1 - best).numerator, (1 - best).denominator, best.numerator, best.denominator, best,
                     3 / 1, _factor(3, 0)],
        ),
        "quiz-kl": Worked(
            {r"\mu": 2, "s": 1},
            numbers=[2 * divergence, 1 / 2, divergence, divergence, divergence + 1 / 2, 1, 1, 2 / 2],
        ),
        "quiz-sample": Worked(
            {r"\mu": 1, "s": 2, r"\varepsilon": -1},
            numbers=[drawn(-1, 2), drawn(-1, 2), drawn(1, 2), drawn(-1, 2**2), drawn(-1, 1)],
        ),
    }  # fmt: skip
