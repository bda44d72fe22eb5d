"""Exercises on non-negative factors: SciPy's least squares, Poisson's distribution, differences for slopes."""

import numpy as np
from scipy import stats
from scipy.optimize import brentq, nnls
from scipy.special import gamma

from notes_lib.clustering.kmeans import KMeans
from notes_lib.reduction.nmf import divergence, gradient, majoriser, multiplicative_update, shares
from tests.formulas.instances.reduction.nmf import KL, THOMAS, half_squares
from tests.formulas.values import At
from tests.solutions.ledger import Worked

W, H, R = r"\mathbf{W}", r"\mathbf{H}", r"\mathbf{R}"
N, D, K = 5, 4, 3


def _positive(*shape, seed=0):
    return np.random.default_rng(seed).uniform(0.2, 3, shape)


def _column():
    """Data, factors and other values of one column, and the letters they have."""
    x, weights, h, u = _positive(N), _positive(N, K, seed=1), _positive(K, seed=2), _positive(K, seed=3)
    letters = {"n": range(1, N + 1), "k": range(1, K + 1), "d": range(1, D + 1), "x_#": x, "w_{##}": weights, "h_#": h,
               "u_#": u, "y_#": [row @ h for row in weights], r"\mathbf{h}": h,
               r"\alpha_{##}": shares(weights, h)}  # fmt: skip
    return letters, x, weights, h, u


def ex_derive():
    letters, x, weights, h, _ = _column()
    F = At(lambda h: half_squares(x[:, None], weights, np.reshape(h, (K, 1))))
    after = multiplicative_update(x[:, None], weights, h[:, None])[:, 0]
    return Worked({**letters, "F": F, "u_#": after}, numbers=[shares(weights, h)[0].sum()])


def ex_mixing():
    amounts, parts = np.array([[3, 1], [1, 2.0]]), np.eye(2)
    mixing = lambda t: np.array([[1, -t], [0, 1]])
    t = 0.2
    mixed, back = amounts @ mixing(t), np.linalg.solve(mixing(t), parts)
    least = brentq(lambda t: np.linalg.solve(mixing(t), parts)[0, 1], -1, 1)
    most = brentq(lambda t: (amounts @ mixing(t)).min(), 0, 1)
    return Worked(
        {W: amounts, H: parts, R: mixing(t), "t": t, "w_{##}": amounts},
        numbers=[back, 0, 0, mixed, back, back, least, most, amounts[:, 1]],
    )


def ex_kl():
    letters, x, weights, h, u = _column()
    counts, means = np.random.default_rng(0).poisson(3, (N, D)), _positive(N, D)
    bound = lambda u: majoriser(x, weights, u, h, KL)
    slope = [(bound(u + e) - bound(u - e)) / 2e-5 for e in 1e-5 * np.eye(K)]
    return Worked(
        {**letters, "x_{##}": counts, "y_{##}": means, r"\Gamma": At(gamma)},
        numbers=[stats.poisson(means).logpmf(counts), slope],
    )


def ex_hals():
    amounts, left, h = np.array([1, 2.0]), np.array([3, -4.0]), 0.7
    best, vertex = nnls(amounts[:, None], left)[0][0], np.linalg.lstsq(amounts[:, None], left)[0][0]
    after = multiplicative_update(np.maximum(left, 0)[:, None], amounts[:, None], [[0.0]])[0, 0]
    return Worked(
        {"n": range(1, 3), "d": range(1, 2), "k": range(1, 2), "w_{##}": amounts[:, None], "r_{##}": left[:, None],
         "h": h},
        numbers=[amounts, left, 0, half_squares(left[:, None], amounts[:, None], [[h]]), vertex, 0, best, best, after],
    )  # fmt: skip


def ex_compare():
    rows = _positive(9, 2)
    members = np.eye(3)[KMeans(3, random_state=0).fit_predict(rows)]
    return Worked({W: _positive(3, 2)}, numbers=[0, 16, members.sum(axis=1)[0], members.min()])


def cards():
    X, weights, parts = _positive(N, D), _positive(N, K, seed=1), _positive(K, D, seed=2)
    error = divergence(X, weights, parts)
    squares = np.sum((X - weights @ parts) ** 2)
    ranked = [np.linalg.matrix_rank(weights[:, :k] @ parts[:k]) for k in (1, 2)]
    members = np.eye(3)[KMeans(3, random_state=0).fit_predict(X)]
    w = 2**0.5  # so that the denominator of an entry 2 is 4
    data, factor, entry = np.array([[6 / w]]), np.array([[w]]), np.array([[2.0]])
    after = multiplicative_update(data, factor, entry)[0, 0]
    slope = gradient(data, factor, entry)[0, 0]
    above, below = (factor.T @ data)[0, 0], (factor.T @ factor @ entry)[0, 0]
    stuck = multiplicative_update(data, factor, 0 * entry)[0, 0]
    exact = np.linalg.solve(factor, data)
    level, kept = gradient(data, factor, exact)[0, 0], (multiplicative_update(data, factor, exact) / exact)[0, 0]
    return {
        "lost-marks-both": Worked(numbers=[len([weights, parts])]),
        "lost-marks-rank": Worked(numbers=ranked),
        "do-not-confuse-methods": Worked(numbers=[0, 0, members.max(axis=1)[0]]),
        "counterexample-rank": Worked(
            numbers=[THOMAS @ 10.0 ** np.arange(3, -1, -1), np.linalg.matrix_rank(THOMAS)]
        ),
        "convention-error": Worked(
            {"F": error},
            numbers=[error / squares, error / squares, np.linalg.norm(X - weights @ parts), squares / error,
                     error / squares],
        ),
        "quiz-update": Worked(
            numbers=[entry[0, 0], above, below, 2 * below / above, after, after, after / 2, 2 - slope, 1]
        ),
        "quiz-slope": Worked(
            numbers=[entry[0, 0], above, below, above - below, after / 2, -slope, slope, level, kept]
        ),
        "quiz-zero": Worked(numbers=[0, stuck]),
        "tf-convex": Worked(numbers=[error / squares]),
        "tf-joint": Worked(numbers=[error / squares]),
    }  # fmt: skip
