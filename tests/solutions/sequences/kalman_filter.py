"""Exercises on the Kalman filter: conditional Gaussians of whole stretches, and steps by precisions."""

from itertools import product

import numpy as np
from scipy import stats
from scipy.optimize import minimize_scalar

from notes_lib.datasets import load_nile
from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _conditional(mean, cov, seen, values):
    """Mean and covariance of what is not seen, given the values of what is."""
    rest = [k for k in range(len(mean)) if k not in seen]
    gain = np.linalg.solve(cov[np.ix_(seen, seen)], cov[np.ix_(seen, rest)]).T
    return mean[rest] + gain @ (values - mean[seen]), cov[np.ix_(rest, rest)] - gain @ cov[np.ix_(seen, rest)]


def _level(mean, variance, reading, noise):
    """Mean and variance of a level after a reading, by precisions."""
    precision = 1 / variance + 1 / noise
    return (mean / variance + reading / noise) / precision, 1 / precision


def ex_gain():
    P, C, R = np.array([[2, 0.5], [0.5, 1]]), np.array([[1, 2], [0, 1.0]]), np.array([[0.4, 0.1], [0.1, 0.3]])
    gain = lambda R: np.linalg.inv(np.linalg.inv(P) + C.T @ np.linalg.inv(R) @ C) @ C.T @ np.linalg.inv(R)
    none = 1e-9 * np.eye(2)
    root = np.linalg.cholesky(R)
    draws = root @ np.array([[1, -1, 1, -1], [1, 1, -1, -1]])  # four equally probable values of the noise
    moments = np.append(draws.mean(axis=1), np.ravel(np.cov(draws, bias=True)))
    y, m = np.array([[1.0], [-2]]), np.array([[0.3], [0.7]])
    left = P - gain(none) @ C @ P
    zero = {r"\mathbf{0}": np.zeros((2, 2))}
    return Worked(
        {r"\bar{\mathbf{P}}": P, r"\mathbf{C}": C, r"\mathbf{R}": R, r"\mathbf{S}": C @ P @ C.T + R,
         r"\mathbf{K}": gain(R), r"\mathbf{v}": moments[:, None], r"\mathbf{0}": np.zeros((2, 1)), r"\mathbf{y}": y,
         r"\mathcal{N}": At(lambda mean, cov: np.append(mean, np.ravel(cov)))},
        own={
            r"\mathbf{R}\to\mathbf{0}": {**zero, r"\mathbf{R}": none},
            r"\mathbf{K}\to\mathbf{C}^{-1}": {r"\mathbf{K}": gain(none)},
            r"\mathbf{m}=\mathbf{C}^{-1}\mathbf{y}": {r"\mathbf{m}": (m + gain(none) @ (y - C @ m)).round(7)},
            r"\mathbf{P}=\mathbf{0}": {**zero, r"\mathbf{P}": left.round(7)},
        },
        numbers=[moments],
    )  # fmt: skip


def ex_optimal():
    p, r, k, mean, z, v = 1.7, 0.6, 0.3, 0.4, 1.1, -0.5
    signs = [*product((-1, 1), repeat=2)]  # errors of the start and of the reading, each with its variance
    variance = lambda k: float(np.var([(1 - k) * a * p**0.5 + k * b * r**0.5 for a, b in signs]))
    best = minimize_scalar(variance, bounds=(0, 1), options={"xatol": 1e-9})
    h = 1e-3  # the variance is a quadratic, so that differences are exact
    slope = (variance(k + h) - variance(k - h)) / (2 * h)
    bend = (variance(k + h) - 2 * variance(k) + variance(k - h)) / h**2
    return Worked(
        {r"\bar p": p, "r": r, "k": k, r"\bar m": mean, "z": z, "v": v, "m": mean + k * (z + v - mean)},
        own={r"(1-k)\bar p": {"k": best.x}},
        numbers=[variance(k), round(slope, 9), round(bend, 7), best.fun],
    )


def ex_constant():
    r, vague, readings = 0.8, 1e12, np.array([3.0, 5, 4, 9])
    means, variances = [0.0], [vague]
    for y in readings:
        m, p = _level(means[-1], variances[-1], y, r)
        means, variances = [*means, m], [*variances, p]
    assert np.isclose(means[-1], readings.mean())
    gain = variances[-1] / r
    t = len(readings)
    late = _level(0, r / 10**8, 0, r)[1] / r  # the gain after very many readings
    return Worked(
        {"q": 0, "r": r, "t": t, r"\bar p_1": vague, r"\infty": vague, "p_t": variances[-1], "k_t": gain,
         "m_t": means[-1], "m_{t-1}": means[-2], "y_t": readings[-1]},
        own={r"1/\bar p_1": {r"\bar p_1": 3}},  # of a start that is less vague
        numbers=[vague, 1 / r, t / r, 1 / 3, round(late, 6)],
    )  # fmt: skip


def ex_whole():
    q, r, start, y = 1, 1, 1, np.array([0, 3])
    pushes = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 1]])  # of z_1, z_2, y_1 and y_2
    cov = pushes @ np.diag([start, q, r, r]) @ pushes.T
    given = lambda rows, seen, values: _conditional(np.zeros(len(rows)), cov[np.ix_(rows, rows)], seen, values)
    smoothed = given([0, 1, 2, 3], [2, 3], y)[0]
    first, second = given([0, 2], [1], y[:1]), given([1, 2, 3], [1, 2], y)
    predicted = given([1, 2], [1], y[:1])
    inverse = np.linalg.inv(cov[2:, 2:])
    return Worked(
        {"q": q, "r": r, "y_#": y, "z_#": smoothed, r"\operatorname{E}(z_1\mid y_1,y_2)": smoothed[0],
         "m_1": first[0][0], "p_1": first[1][0, 0], r"\bar p_2": predicted[1][0, 0], "m_2": second[0][0],
         "k_2": (second[0][0] - predicted[0][0]) / (y[1] - predicted[0][0])},
        numbers=[
            0, start, smoothed, y, smoothed[0], cov[:2, :2], r, cov[2:, 2:], inverse, cov[0, 2:], cov[0, 2:] @ inverse,
            cov[0, 1] * first[1][0, 0] / predicted[1][0, 0],
        ],
    )  # fmt: skip


def _steady(q, r):
    """The predicted variance of a level after many steps."""
    p = 1.0
    for _ in range(200):
        p = _level(0, p, 0, r)[1] + q
    return p


def _free(d, m):
    """The numbers in the four matrices of a model, a covariance counted once."""
    return d * d + m * d + len(np.triu_indices(d)[0]) + len(np.triu_indices(m)[0])


def cards():
    p, r, mean, k = 1.7, 0.6, 0.4, 0.9
    around = lambda variance: np.array(stats.norm(mean, variance**0.5).interval(0.95))
    names = {r"\bar m": mean, r"\bar p": p, "r": r}
    z_score = stats.norm.ppf(0.975)
    A = np.array([[1, 1], [0, 0.9]])
    before, after, predicted = np.array([[2, 0.5], [0.5, 1]]), np.diag([1, 0.5]), np.array([[3, 1], [1, 1.5]])
    nile = load_nile()
    year = next(y for y in np.ravel(nile.X) if y == 1900)
    flows = dict(enumerate(np.ravel(nile.y)[:9].tolist(), 1))
    R = np.array([[0.4, 0.1], [0.1, 0.3]])
    halved = np.linalg.inv(2 * np.linalg.inv(R))
    d, m, t = 3, 2, 4
    prior, noise = 6, 3
    gain = _level(0, prior, 1, noise)[0]
    here, there = (_level(0, variance, 4, 2)[0] for variance in (2, 2 + 1))
    steady = _steady(2, 4)
    still = _level(0, 1e-9, 1, 1)[0]
    joseph = (1 - k) * (1 - k) * p + k * k * r
    return {
        "lost-marks-interval": Worked(names, numbers=[around(p), around(p + r)], known=[z_score]),
        "lost-marks-short": Worked({**names, "k": k}, numbers=[p - k * p, joseph]),
        "lost-marks-smoother": Worked(
            {r"\mathbf{P}_t": before, r"\mathbf{A}": A, r"\mathbf{P}_{t+1}": after, "t": t,
             r"\bar{\mathbf{P}}_{t+1}": predicted, r"\mathbf{G}_t": np.linalg.solve(after, A @ before).T},
            numbers=[t + 1, 2, np.linalg.inv(predicted)],
        ),
        "do-not-confuse-questions": Worked(
            {r"\mathbf{y}_#": flows, "t": t}, numbers=[year, flows[1], flows[t - 1], flows[1], flows[1]], known=[year]
        ),
        "do-not-confuse-hmm": Worked({"K": 5, "d": d, "O": At(lambda steps: steps)}, numbers=[5 * 5, d * d * d]),
        "what-if-extremes": Worked({"q": 0}),
        "what-if-twice": Worked({r"\mathbf{R}": R}, numbers=[2, halved]),
        "counterexample-small": Worked(numbers=[10**2], known=[10**2]),
        "counting-parameters": Worked({"d": d, "m": m}, numbers=[_free(d, m)]),
        "convention-names": Worked({r"\mathbf{m}_{t|t-1}": mean}, numbers=[mean]),
        "convention-start": Worked(
            {r"\mathbf{z}_1": 1.5, r"\mathbf{y}_1": 4, r"\mathbf{z}_0": 1.2, "q": 1, "r": 2, "y_1": 4},
            numbers=[1.5, 4, 1.2, 2, here], known=[there],
        ),
        "quiz-gain": Worked(
            numbers=[prior, noise, 1 - gain, 1 - gain, gain, gain, prior / noise, prior / noise, 1, 0.5],
            known=[gain, 1 - gain],
        ),
        "quiz-steady": Worked(
            {"q": 2, "r": 4},
            numbers=[_level(0, steady, 0, 4)[1], steady - 2, steady, steady, 2 + 4, 2 * 4],
        ),
        "quiz-missing": Worked(numbers=[2]),
        "tf-still": Worked({"q": 0, "t": t}, numbers=[round(still, 6), 1 / t]),
        "tf-double": Worked(numbers=[2]),
    }  # fmt: skip
