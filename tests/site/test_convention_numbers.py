"""What both conventions of a card give on the same numbers: each number of the page's file is computed."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy import special, stats
from scipy.spatial import distance

from notes_lib.bayes.naive_bayes import GaussianNB
from notes_lib.clustering.density_clustering import DBSCAN
from notes_lib.clustering.gmm import GaussianMixture
from notes_lib.clustering.hierarchical_clustering import linkage
from notes_lib.clustering.kmeans import inertia
from notes_lib.foundations import evaluation, information, risk
from notes_lib.foundations.exponential_family import UnitGaussian, deviance
from notes_lib.kernels.kernel_ridge import KernelRidge
from notes_lib.linear.gaussian_discriminant import QuadraticDiscriminantAnalysis
from notes_lib.linear.softmax_regression import softmax_loss
from notes_lib.neighbors.curse_of_dimensionality import ball_volume, distance_contrast
from notes_lib.reduction.kernel_pca import KernelPCA
from notes_lib.reduction.nmf import divergence
from notes_lib.trees.cart import gini

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = yaml.safe_load((ROOT / "chapters/revision/conventions.yml").read_text(encoding="utf-8"))
LABEL = re.compile(r":class: convention\n:name: (\S+)")
VALUE = re.compile(r"[−-]?\d+(?:\.\d+)?")

FOUR = np.array([1.0, 2.0, 4.0, 5.0])
PAIRS = np.array([[1.0, 1], [2, 3], [3, 2]])
EYE = np.eye(2)
F1 = lambda p, r: 2 * p * r / (p + r)


def slope(f, at, h=1e-6):
    return (f(at + h) - f(at - h)) / (2 * h)


def log_determinant(step, both):
    """Slope of log |X| when one off-diagonal entry moves, or both."""
    return slope(lambda t: math.log(np.linalg.det([[2, 1 + t], [1 + (t if both else 0), 2]])), 0.0, step)


def stable(curvature):
    """The largest step of gradient descent for which the distance to the minimum does not grow."""
    steps = np.arange(1, 1001) / 1000
    return max(steps[np.abs(1 - steps * curvature) <= 1])


def squares(c):
    return slope(lambda w: c * ((w - 1) ** 2 + (2 * w - 3) ** 2), 0.0)


def fit_of_mean(lam):
    """The minimiser of the mean of squares with a penalty, for the instance 1 with the target 1, twice."""
    w = np.linspace(0, 1, 100_001)
    return w[((w - 1) ** 2 + lam * w**2).argmin()]


def core_members(count):
    """The least min_samples that a point with so many others in reach does not meet, less one."""
    X = np.r_[0.0, np.full(count, 1.0) * np.array([1, -1, 1, -1])[:count]][:, None]
    return max(m for m in range(1, 10) if 0 in DBSCAN(eps=1, min_samples=m).fit(X).core_sample_indices_)


GAUSS = QuadraticDiscriminantAnalysis().fit([[1], [2], [6], [11], [12], [16.5]], [0, 0, 0, 1, 1, 1])
MIX = GaussianMixture(1, reg_covar=0).fit(FOUR[:, None])
BOTH = {
    "estimation-convention-divisor": lambda: (np.var(FOUR), np.var(FOUR, ddof=1)),
    "estimation-convention-pseudocounts": lambda: (stats.beta(1 + 3, 1 + 1).mean(), 3 / 4),
    "estimation-convention-binomial": lambda: (stats.bernoulli(0.5).pmf([1, 1, 0]).prod(), stats.binom(3, 0.5).pmf(2)),
    "multivariate-gaussian-convention-divisor": lambda: (np.cov(PAIRS.T, ddof=0)[0, 1], np.cov(PAIRS.T)[0, 1]),
    "multivariate-gaussian-convention-second": lambda: (stats.norm(0, 2).pdf(0), stats.norm(0, 4).pdf(0)),
    "multivariate-gaussian-convention-distance": lambda: (
        distance.mahalanobis([3, 4], [0, 0], EYE), distance.sqeuclidean([3, 4], [0, 0]),
    ),
    "information-convention-base": lambda: (
        information.entropy([0.5, 0.25, 0.25], base=2), stats.entropy([0.5, 0.25, 0.25]),
    ),
    "information-convention-sum": lambda: (
        evaluation.log_loss([0, 1] * 5, [0.5] * 10), -np.log(np.full(10, 0.5)).sum(),
    ),
    "linear-algebra-convention-symmetric": lambda: (log_determinant(1e-5, False), log_determinant(1e-5, True)),
    "linear-algebra-convention-factors": lambda: (
        slope(lambda w: (2 * w - 1) ** 2 / 2, 3.0), slope(lambda w: (2 * w - 1) ** 2, 3.0),
    ),
    "inference-convention-information": lambda: (
        1 / stats.bernoulli(0.5).var(), 100**2 / stats.binom(100, 0.5).var(),
    ),
    "inference-convention-sides": lambda: (2 * stats.norm.sf(1.96), stats.norm.sf(1.96)),
    "exponential-family-convention-programs": lambda: (
        deviance([1.0, 2.0], [0.0, 0.0], UnitGaussian()), np.mean([1.0, 4.0]) / 2,
    ),
    "risk-convention-half": lambda: (
        risk.residual_huber(np.array([3.0]), 1.0)[0], 2 * special.huber(1.0, 3.0),
    ),
    "risk-convention-log": lambda: (risk.margin_logistic(np.array([0.0]))[0], math.log2(2)),
    "risk-convention-zero": lambda: (
        risk.margin_zero_one(np.array([-1.0, 0, 0, 2])).mean(), np.mean(np.array([-1, 0, 0, 2]) < 0),
    ),
    "evaluation-convention-axes": lambda: (
        evaluation.precision_score([1] * 12 + [0] * 2, [1] * 8 + [0] * 4 + [1] * 2),
        evaluation.recall_score([1] * 12 + [0] * 2, [1] * 8 + [0] * 4 + [1] * 2),
    ),
    "evaluation-convention-names": lambda: (np.mean([F1(1, 0.5), F1(0.5, 1)]), F1(0.75, 0.75)),
    "cross-validation-convention-pooled": lambda: (np.mean([2 / 2, 1 / 4]), np.mean([1, 1, 1, 0, 0, 0])),
    "cross-validation-convention-std": lambda: (np.std([0.6, 0.7, 0.8]), np.std([0.6, 0.7, 0.8], ddof=1)),
    "descent-convention-sum": lambda: (stable(4), stable(8)),
    "density-clustering-convention-itself": lambda: (core_members(4), core_members(4) - 1),
    "hierarchical-clustering-convention-ward": lambda: (
        linkage(np.array([[0.0], [3.0]]), "ward")[0, 2], np.var([0, 3]) * 2,
    ),
    "kmeans-convention-scale": lambda: (
        inertia([[0], [2], [4], [6]], [0, 0, 1, 1], [[1], [5]]),
        np.mean([1, 1, 1, 1]),
    ),
    "gmm-convention-divisor": lambda: (MIX.covariances_[0, 0, 0], np.var(FOUR, ddof=1)),
    "gmm-convention-likelihood": lambda: (np.full(100, -3.0).sum(), np.full(100, -3.0).mean()),
    "gmm-convention-bic": lambda: (-2 * -300 + 5 * math.log(100), 2 * -300 - 5 * math.log(100)),
    "bayes-decision-convention-ratio": lambda: (0.2 / 0.6, 0.6 / 0.2),
    "naive-bayes-convention-smoothing": lambda: (
        GaussianNB(var_smoothing=0).fit([[1], [3], [5], [8]], [0, 0, 1, 1]).var_[0, 0], np.var([1, 3], ddof=1),
    ),
    "linear-regression-convention-factor": lambda: (squares(1), squares(0.5)),
    "logistic-regression-convention-sum": lambda: (1 / 10, 1 / 10 / 50),
    "softmax-regression-convention-mean": lambda: (
        softmax_loss(np.zeros((3, 1)), np.ones((10, 1)), np.eye(3)[[0] * 10]), math.log(3),
    ),
    "fisher-lda-convention-divisor": lambda: (
        (np.var([1, 3]) * 2 + np.var([5, 9]) * 2) / 4, (np.var([1, 3], ddof=1) + np.var([5, 9], ddof=1)) / 2,
    ),
    "gaussian-discriminant-convention-divisor": lambda: (GAUSS.covariance_[0, 0, 0], np.var([1, 2, 6], ddof=1)),
    "bias-variance-convention-sign": lambda: (np.var([1, 2, 3]), np.var([1, 2, 3], ddof=1)),
    "kernel-methods-convention-width": lambda: (1 / (2 * 2**2), 1 / 2**2),
    "kernel-ridge-convention-scale": lambda: (
        KernelRidge(1, kernel="linear", fit_intercept=False).fit([[1.0], [1.0]], [1.0, 1.0]).predict([[1.0]])[0],
        fit_of_mean(1.0),
    ),
    "svm-convention-margin": lambda: (1 / np.linalg.norm([3, 4]), 2 / np.linalg.norm([3, 4])),
    "svm-convention-c": lambda: (20 / 20, 20),
    "svr-convention-width": lambda: (0.1, 2 * 0.1),
    "cart-convention-gini": lambda: (gini([0.5, 0.5]), 0.5 * 0.5),
    "decision-tree-convention-gini": lambda: (gini([0.25, 0.75]), stats.entropy([1, 3], base=2) / 2),
    "pruning-convention-cost": lambda: (gini([0.75, 0.25]), 1 - 3 / 4),
    "random-forest-convention-vote": lambda: (np.mean([0.9, 0.4, 0.4]), np.mean(np.array([0.9, 0.4, 0.4]) > 0.5)),
    "gradient-boosting-convention-half": lambda: (
        -slope(lambda u: (3 - u) ** 2 / 2, 1.0), -slope(lambda u: (3 - u) ** 2, 1.0),
    ),
    "curse-of-dimensionality-convention-contrast": lambda: (
        distance_contrast([[2.0], [3.0], [4.0]], [[0.0]]).relative[0], np.std([2, 3, 4]) / 3,
    ),
    "curse-of-dimensionality-convention-sphere": lambda: (ball_volume(3), slope(lambda r: ball_volume(3) * r**3, 1.0)),
    "pca-convention-divisor": lambda: (np.var(FOUR), np.var(FOUR, ddof=1)),
    "kernel-pca-convention-eigenvalue": lambda: (
        KernelPCA(1, kernel="linear").fit([[-1.0], [1.0]]).eigenvalues_[0], np.var([-1, 1]),
    ),
    "manifold-learning-convention-stress": lambda: (
        (5 - 4) ** 2 + (3 - 3) ** 2, math.sqrt(((5 - 4) ** 2) / (3**2 + 4**2)),
    ),
    "nmf-convention-error": lambda: (divergence([[3.0, 4.0]], [[0.0]], [[0.0, 0.0]]), 3**2 + 4**2),
    "cca-convention-ridge": lambda: (0.2 / (1 - 0.2), 0.25 / (1 + 0.25)),
    "ica-convention-whitening": lambda: (np.var(np.r_[np.full(50, 0.1), np.full(50, -0.1)]), 1),
    "autoencoder-convention-loss": lambda: (np.sum(np.square([1, 1, 2])) / 2, np.mean(np.square([1, 1, 2]))),
    "apriori-convention-rule": lambda: (3 / 10, 4 / 10),
    "anomaly-detection-convention-squared": lambda: (
        distance.sqeuclidean([3, 4], [0, 0]), distance.mahalanobis([3, 4], [0, 0], EYE),
    ),
}  # fmt: skip


def cards():
    """The labels of the cards of all chapters."""
    for path in (ROOT / "chapters").glob("*/*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield from LABEL.findall("".join(cell["source"]))


def test_numbers_belong_to_cards_and_are_computed():
    assert set(NUMBERS) <= set(cards())
    assert set(NUMBERS) == set(BOTH)
    assert all(set(entry) == {"given", "here", "there"} for entry in NUMBERS.values())


@pytest.mark.parametrize("label", NUMBERS)
def test_both_conventions_give_these_numbers(label):
    printed = [VALUE.search(re.sub(r"\$[^$]*\$", " ", NUMBERS[label][key]))[0] for key in ("here", "there")]
    assert printed[0] != printed[1]
    for text, value in zip(printed, BOTH[label](), strict=True):
        number, places = float(text.replace("−", "-")), len(text.partition(".")[2])
        assert abs(number - value) <= 0.5 * 10.0**-places + 1e-6, f"{text} for {value}"
