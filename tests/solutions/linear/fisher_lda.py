"""Exercises on Fisher's discriminant: scatter by NumPy's covariances, eigenvalues by SciPy, thresholds by densities."""

import numpy as np
import scipy.linalg
from scipy.stats import multivariate_normal

from notes_lib.linear.fisher_lda import FisherDiscriminant, fisher_criterion, fisher_direction, scatter_matrices
from tests.solutions.ledger import Worked

W, S_W, S_B, DELTA = r"\mathbf{w}", r"\mathbf{S}_w", r"\mathbf{S}_b", r"\boldsymbol{\delta}"
POINTS = np.array([[4, 1], [2, 4], [2, 3], [3, 6], [4, 4]]), np.array([[9, 10], [6, 8], [9, 5], [8, 7], [10, 8]])


def _top(S_b, S_w):
    """The largest generalised eigenvalue and its direction, with scatter 1."""
    values, vectors = scipy.linalg.eigh(S_b, S_w)
    return float(values[-1]), vectors[:, -1]


def _classes(*rows):
    """All rows below each other, and their classes."""
    return np.vstack(rows), np.repeat(np.arange(len(rows)), [len(r) for r in rows])


def _scatter(rows):
    return len(rows) * np.cov(rows.T, bias=True)


def _two(first=POINTS[0], second=POINTS[1]):
    """The symbols of two classes."""
    X, y = _classes(first, second)
    return {
        "k": range(1, 3), "n": range(1, len(y) + 1), r"\mathbf{x}_#": X, "N": len(y), "N_#": [len(first), len(second)],
        "C_#": [frozenset(np.flatnonzero(y == k) + 1) for k in (0, 1)], DELTA: second.mean(axis=0) - first.mean(axis=0),
        r"\mathbf{m}_#": [first.mean(axis=0), second.mean(axis=0)], r"\mathbf{m}": X.mean(axis=0),
        r"\mathbf{S}_#": [_scatter(first), _scatter(second)], S_W: scatter_matrices(X, y).S_w,
        r"\mathbf{S}_t": _scatter(X),
    }  # fmt: skip


def _factor(first=POINTS[0], second=POINTS[1]):
    """How many times the scatter between two classes is the product of the difference of their means."""
    difference = second.mean(axis=0) - first.mean(axis=0)
    return np.trace(scatter_matrices(*_classes(first, second)).S_b) / (difference @ difference)


def ex_derive():
    names = _two()
    S_b = np.outer(names[DELTA], names[DELTA])
    value, w = _top(S_b, names[S_W])
    projected = [rows @ w for rows in POINTS]
    goal = lambda v: float(v @ S_b @ v - value * (v @ names[S_W] @ v - 1))
    slope = [(goal(w + e) - goal(w - e)) / 2e-3 for e in 1e-3 * np.eye(2)]
    return Worked(
        {**names, S_B: S_b, W: w, r"\lambda": value, "J": value, r"\mathcal{L}": goal(w), r"\mathbf{0}": np.zeros(2),
         r"\tilde m_#": [z.mean() for z in projected], r"\tilde s_#^2": [len(z) * z.var() for z in projected],
         r"\partial\mathcal{L}/\partial\mathbf{w}": np.round(slope, 9)},
        numbers=[_factor(), np.zeros(2)],
    )  # fmt: skip


def ex_lecture():
    rows, lecture = 5, 10
    S_1, S_2 = (np.cov(points.T, bias=True) for points in POINTS)
    names = _two() | {r"\mathbf{S}_#": [S_1, S_2], S_W: S_1 + S_2}
    delta = names[DELTA]
    names[S_B] = np.outer(delta, delta)
    value, _ = _top(names[S_B], names[S_W])
    sums = scatter_matrices(*_classes(*POINTS))
    w = fisher_direction(*_classes(*POINTS))
    long = np.linalg.solve(names[S_W], delta)
    cut = lambda v: np.floor(100 * v) / 100
    return Worked(
        {**names, W: w, r"\lambda": value},
        numbers=[
            1, POINTS[0], 2, POINTS[1], lecture, rows, np.linalg.norm(w), cut(value), cut(w),
            sums.S_w[0, 0] / names[S_W][0, 0], _top(sums.S_b, sums.S_w)[0] / value,
        ],
        known=[names[S_W], names[S_B], np.linalg.det(names[S_W]), long, np.linalg.det(names[S_W]) * long, value,
               _factor()],
    )  # fmt: skip


def ex_total():
    X, y = _classes(*POINTS)
    names, (S_w, S_b) = _two(), scatter_matrices(X, y)[:2]
    value, w = _top(S_b, S_w)
    generic = np.array([0.4, -0.7])
    of_total = np.linalg.solve(names[r"\mathbf{S}_t"], names[DELTA])
    return Worked(
        {**names, S_B: S_b, W: w, r"\lambda": value, "b": generic @ S_b @ generic, "s": generic @ S_w @ generic,
         "J": fisher_criterion(generic, S_w, S_b), "K": 2},
        own={text: {W: generic} for text in (r"b=\mathbf{w}^\top\mathbf{S}_b\mathbf{w}",
                                             r"s=\mathbf{w}^\top\mathbf{S}_w\mathbf{w}")},
        numbers=[of_total, _top(S_b, names[r"\mathbf{S}_t"])[0], np.linalg.solve(S_w, names[DELTA]), of_total],
    )  # fmt: skip


def ex_hand():
    S_w, means, size, x = np.array([[4, 2], [2, 3]]), np.array([[1, 1], [3, 4]]), 10, np.array([4, 1])
    delta = means[1] - means[0]
    w = np.linalg.solve(S_w, delta)
    w = np.round(w / np.abs(w).max(), 9)
    rows = [np.tile(mean, (size, 1)) for mean in means]
    factor = _factor(*rows)
    value, _ = _top(factor * np.outer(delta, delta), S_w)
    middle = float(means.mean(axis=0) @ w)
    return Worked(
        {S_W: S_w, r"\mathbf{m}_#": means, DELTA: delta, "N_#": [size, size], W: w, r"\mathbf{x}": x, "c": middle,
         r"\alpha": factor, r"\lambda_#": [value]},
        numbers=[value, x, middle, 1 + (x @ w > middle)],
        known=[size * size],
    )  # fmt: skip


def ex_length():
    means, covariance, priors = np.array([[1, 1], [3, 4]]), np.array([[2, 0.5], [0.5, 1]]), np.array([0.3, 0.7])
    x = np.array([2.5, 3.5])
    odds = [multivariate_normal(m, covariance).logpdf(x) for m in means]
    w = np.linalg.inv(covariance) @ (means[1] - means[0])
    c = w @ x - (odds[1] - odds[0] + np.log(priors[1] / priors[0]))
    length = np.linalg.norm(w)
    return Worked(
        {W: w, r"\mathbf{v}": w / length, "c": c, r"\mathbf{m}_#": means, r"\pi_#": priors, r"\boldsymbol{\Sigma}":
         covariance, DELTA: means[1] - means[0], r"\mathbf{x}": x},
        numbers=[np.linalg.norm(w / length), c / length, np.log(0.5 / 0.5)],
    )  # fmt: skip


def ex_reduced():
    K, marks = 10, 3  # the marks after a word are read
    directions = np.linalg.matrix_rank(np.eye(K) - 1 / K)
    return Worked({"K": K, "r": 1}, worlds=[{"r": K - 1}], numbers=[0.1, 600, [2, 4, 9], directions, marks])


def cards():
    X, y = _classes(*POINTS)
    two = _two()
    rng = np.random.default_rng(0)
    three = rng.normal(size=(12, 2)) + np.repeat(rng.normal(size=(3, 2)), 4, axis=0)
    S_w, S_b = scatter_matrices(three, np.repeat([0, 1, 2], 4))[:2]
    axes = np.linalg.eigh(S_w + S_b)[1]
    constant = scatter_matrices(np.column_stack([np.ones(10), X]), y).S_w
    augmented = np.array([1, 0.3, 0.7, 1.1])
    long = np.linalg.solve(two[S_W], two[DELTA])
    covariances = [np.cov(rows.T, bias=True) for rows in POINTS]
    larger = np.vstack([POINTS[1], [[7, 5.0], [8, 9]]])
    uneven = _two(POINTS[0], larger)
    sizes = {r"\boldsymbol{\Sigma}_#": [covariances[0], np.cov(larger.T, bias=True)]}
    few = rng.normal(size=(4, 4))
    ranks = [np.linalg.matrix_rank(S) for S in scatter_matrices(few, [0, 0, 1, 2])[:2]]
    assert ranks[0] == 1
    repeated = _classes(POINTS[0], np.tile(POINTS[1], (9, 1)))
    centred = [rows - rows.mean(axis=0) for rows in POINTS]
    w = np.array([0.4, -0.7])
    unit, (_, scaled) = w / np.linalg.norm(w), _top(S_b, S_w)
    priors = np.array([0.3, 0.7])
    thresholds = [FisherDiscriminant(priors=p).fit(X, y).intercept_[0] for p in (priors, [0.5, 0.5])]
    low, high = np.array([0, 1, 2]), np.array([3, 4, 50])
    K, D = 4, 3
    symmetric = len(np.tril_indices(D)[0])
    four = rng.normal(size=(20, 10)) + np.repeat(rng.normal(size=(4, 10)), 5, axis=0)
    rank = np.linalg.matrix_rank(scatter_matrices(four, np.repeat(range(4), 5)).S_b)
    same = scatter_matrices(*_classes(POINTS[0], POINTS[0][::-1] * 1.0))
    assert low.max() < high.min()
    return {
        "lost-marks-augmented": Worked(
            {"x_#": augmented[1:], r"\ldots": 0.7, "D": 3, r"\mathbf{x}": augmented, r"\mathbb{R}^#": {4: augmented},
             W: -long,
             S_W: two[S_W], r"\mathbf{m}_#": two[r"\mathbf{m}_#"]},
            numbers=[augmented, augmented, round(np.linalg.det(constant), 9)],
        ),
        "lost-marks-smallest": Worked(
            {S_W: S_w, S_B: S_b},
            numbers=[np.linalg.solve(S_w, S_b), abs(round(scipy.linalg.eigvalsh(
                scatter_matrices(X, y).S_b, two[S_W])[0], 9)), np.linalg.solve(S_w, S_b), np.linalg.solve(S_b, S_w)],
        ),
        "lost-marks-orthogonal": Worked(
            {S_W: S_w, S_B: S_b, r"\mathbf{w}_#": scipy.linalg.eigh(S_b, S_w)[1].T},
            own={r"\mathbf{w}_1^\top\mathbf{w}_2=0": {r"\mathbf{w}_#": axes.T}},
            numbers=[np.linalg.solve(S_w, S_b)],
        ),
        "lost-marks-pooling": Worked(
            uneven | sizes,
            own={r"\mathbf{S}_w=\boldsymbol{\Sigma}_1+\boldsymbol{\Sigma}_2": {
                S_W: sum(sizes[r"\boldsymbol{\Sigma}_#"])}, "N_1=N_2": two},
        ),
        "do-not-confuse-pca": Worked(
            {W: scaled, S_W: S_w, "K": 3, "D": 4, "N": len(few)}, own={r"\mathbf{w}^\top\mathbf{w}=1": {W: unit}},
            numbers=[ranks[1], np.linalg.matrix_rank(np.cov(few.T))],
        ),
        "what-if-repeat": Worked(
            {**two, S_W: scatter_matrices(*repeated).S_w, W: w}, numbers=[c.T @ (c @ w) for c in centred]
        ),
        "what-if-priors": Worked({r"\pi_#": priors}, numbers=[thresholds[0] - thresholds[1]]),
        "counterexample-separable": Worked(
            numbers=[1, low, 2, high, low.max(), high.min(), np.sum(high < (low.mean() + high.mean()) / 2)],
            known=[low.mean(), high.mean()],
        ),
        "counting-parameters": Worked(
            {"D": D, "K": K},
            numbers=[symmetric, np.linalg.matrix_rank(np.eye(K) - 1 / K), np.size(np.ones((K, D))) + symmetric + 3,
                     np.append(w, [0, 0]).size, np.tile(np.tril_indices(D)[0], K).size],
        ),
        "convention-divisor": Worked(
            uneven,
            numbers=[[np.trace(S) / np.trace(np.cov(rows.T)) for S, rows in zip(
                uneven[r"\mathbf{S}_#"], (POINTS[0], larger), strict=True)], _factor(POINTS[0], larger)],
        ),
        "convention-length": Worked(
            {W: scaled, S_W: S_w}, own={r"\lVert\mathbf{w}\rVert=1": {W: unit}}, numbers=[1, 2]
        ),
        "quiz-rank": Worked(
            {**two, "K": K, "D": 10, r"\mathbf{0}": np.zeros(2)}, numbers=[four.shape[1], rank, 0, K, rank, 1]
        ),
        "quiz-singular": Worked(numbers=[1000]),
        "quiz-round": Worked(two, numbers=[long]),
        "tf-distance": Worked(two, numbers=[POINTS[1].mean(axis=0) - POINTS[0].mean(axis=0)]),
        "tf-least-squares": Worked(numbers=[-1, 1]),
        "tf-equal-means": Worked(
            {S_B: same.S_b, r"\mathbf{0}": np.zeros((2, 2))}, numbers=[fisher_criterion(w, same.S_w, same.S_b)]
        ),
    }  # fmt: skip
