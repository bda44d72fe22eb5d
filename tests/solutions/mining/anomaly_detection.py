"""Exercises on anomaly detection: trees by all orders of their cuts, alarms by counting rows, machines by solvers."""

from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
from scipy import stats
from scipy.optimize import brentq
from scipy.special import digamma
from sklearn.ensemble import IsolationForest
from sklearn.metrics import accuracy_score, precision_score
from sklearn.neighbors import LocalOutlierFactor

from notes_lib.mining.anomaly_detection import (
    OneClassSVM,
    isolation_score,
    local_outlier_factors,
    local_reachability_density,
    nearest_others,
    squared_mahalanobis,
)
from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _depths(low, high, order):
    """The depths of the leaves ``low`` to ``high`` if gap ``g``, behind leaf ``g``, is cut in this order."""
    cut = next((g for g in order if low <= g < high), None)
    return [0] if cut is None else [d + 1 for d in _depths(low, cut, order) + _depths(cut + 1, high, order)]


@cache
def _total(n):
    """The mean total depth of the leaves of n values over all orders of the cuts."""
    return float(np.mean([sum(_depths(0, n - 1, order)) for order in permutations(range(n - 1))]))


def _yardstick(n):
    return _total(round(n)) / n


def _harmonic(n):
    return digamma(n + 1) + np.euler_gamma


def ex_yardstick():
    n = 5
    trees = {"n": n, "L": At(lambda n: _total(round(n))), "c": At(_yardstick), "H_#": At(_harmonic)}
    return Worked(
        trees,
        numbers=[1, n - 1, _yardstick(4), 1, 4, _total(2) / 2, n - 1, n - 1, n * (n - 1)],
        known=[isolation_score(1, 4)],
    )


def ex_sensor():
    N, alpha = 120, 0.01
    threshold = stats.chi2(2).isf(alpha)
    limit = brentq(lambda M: (N - M) / M - threshold, 1, N, xtol=1e-12)
    M = next(M for M in range(1, N) if threshold >= (N - M) / M)
    X = np.random.default_rng(0).normal(size=(N, 2))
    X[:M] = 50, -30  # the sensor that sticks
    design = np.column_stack([X, np.ones(N)])
    H = design @ np.linalg.pinv(design)
    delta = squared_mahalanobis(X, X.mean(axis=0), np.cov(X.T, bias=True))[0]
    return Worked(
        {"N": N, "M": M, r"\alpha": alpha, "t": threshold, "n": range(1, 2), "i": range(1, N + 1), "H_{##}": H,
         "h_#": np.diag(H), r"\Delta_#": [delta**0.5]},
        numbers=[delta, M * H[0, 0] ** 2, 1 / M, 1 + delta, 1 / 2],
        known=[limit],
    )  # fmt: skip


def _machine(nu, N=20):
    """Multipliers of the one-class machine, which sum to nu N, and slacks."""
    X = np.random.default_rng(1).normal(size=(N, 2))
    machine = OneClassSVM(nu=nu, gamma=0.5, tol=1e-12).fit(X)
    scaled = np.zeros(N)
    scaled[machine.support_] = machine.dual_coef_[0]
    slack = np.maximum(0, -machine.decision_function(X)) / (nu * N)
    return scaled, slack


def ex_nu():
    nu, N = 0.35, 20
    scaled, slack = _machine(nu, N)
    a, outside = scaled / (nu * N), int(slack.argmax()) + 1
    everywhere = _machine(1, N)[0] / N
    assert np.allclose(everywhere, everywhere[0])
    return Worked(
        {r"\nu": nu, "N": N, "n": range(outside, outside + 1), r"\xi_#": dict(enumerate(slack, 1)),
         "a_#": dict(enumerate(a, 1)), "b_#": dict(enumerate(np.round(a.max() - a, 12), 1))},
        worlds=[{r"\nu": everywhere.sum()}],
        numbers=[0, a.sum(), a.max(), a.sum(), everywhere[0]],
    )  # fmt: skip


def _log(size, odd, caught, rung):
    """Truth and alarms of a log: its rows, the odd ones, and the alarms among these and among the others."""
    truth, alarm = np.zeros(size, dtype=int), np.zeros(size, dtype=int)
    truth[:odd] = 1
    alarm[:caught] = 1
    alarm[odd : odd + rung] = 1
    return truth, alarm


def ex_rare():
    size = 100_000
    odd = size // 1000
    caught, rung = odd * 80 // 100, (size - odd) * 2 // 100
    truth, alarm = _log(size, odd, caught, rung)
    precision, silence = precision_score(truth, alarm), accuracy_score(truth, 0 * alarm)
    prior, hit = odd / size, caught / odd
    F = brentq(lambda F: caught / (caught + F * (size - odd)) - 1 / 2, 0, 1, xtol=1e-15)
    return Worked(
        {r"\pi": prior, "T": hit, "F": F},
        numbers=[1000, 80, 2, 1 / 2, silence],
        known=[precision, accuracy_score(truth, alarm), rung / size],
    )


def _ring(size):
    """Density and factor of each of some points at equal steps on a circle, with two neighbours."""
    angles = 2 * np.pi * np.arange(8) / 8
    found = nearest_others(size * np.column_stack([np.cos(angles), np.sin(angles)]), 2)
    density = local_reachability_density(found.distances, found.indices, found.distances[:, -1])
    return found.distances[0, -1], density, local_outlier_factors(density, density[found.indices])


def ex_grid():
    r, density, factors = _ring(1)
    _, stretched, _ = _ring(3)
    c = density[0] / stretched[0]
    return Worked({"c": c, "r": r}, numbers=[factors[0], 0, density[0], factors[1], stretched[0] / density[0]])


def ex_code():
    c, k = 0.3, 2
    X = np.random.default_rng(2).normal(size=(10, 2))
    rows = np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)
    marks = np.sign(np.quantile(rows[:, k], 1 - c) - rows[:, k])
    assert np.sum(marks < 0) == c * len(X)
    return Worked({"c": c}, numbers=[min(marks), max(marks), rows[0, 0], np.mean(marks > 0)])


def cards():
    rows = np.random.default_rng(3).normal(size=(50, 2))
    called = lambda share: np.mean(
        IsolationForest(n_estimators=10, contamination=share, random_state=0).fit_predict(rows) < 0
    )
    same = _ring(1)[2][0]
    copies = np.vstack([np.repeat([[9.0, 9.0]], 30, axis=0), rows])
    company = -LocalOutlierFactor(20).fit(copies).negative_outlier_factor_[0]
    silence = accuracy_score(*_log(1000, 1, 0, 0))
    scaled, nu, N = _machine(0.35)[0], 0.35, 20
    n, bar, chi = 6, stats.chi2(2).isf(0.05), stats.chi2(1).isf(0.05)
    third = Fraction(round(3 * _yardstick(3)), 3)
    twice = third + 2  # of the harmonic number, without the 1
    share = lambda prior: prior * 0.9 / (prior * 0.9 + (1 - prior) * 0.01)
    exact = lambda n: 2 * (_harmonic(n) - 1)
    rough = 2 * (np.log(255) + np.euler_gamma) - 2 * 255 / 256
    return {
        "lost-marks-accuracy": Worked(numbers=[100 * silence, silence]),
        "lost-marks-root": Worked({r"\Delta": bar, r"t_\alpha": bar}, numbers=[bar**2]),
        "lost-marks-ratio": Worked(numbers=[same] * 3),
        "lost-marks-contamination": Worked(numbers=[100 * called(0.1)]),
        "what-if-scale": Worked(numbers=[100]),
        "what-if-copies": Worked({"k": 20}, numbers=[company]),
        "what-if-contamination": Worked(numbers=[2, called(0.2) / called(0.1)]),
        "what-if-sample": Worked(numbers=[2, _yardstick(2), isolation_score(1, 2)]),
        "counting": Worked({"n": n}, numbers=[n - 1]),
        "convention-sign": Worked(numbers=[min(IsolationForest(n_estimators=10, random_state=0).fit_predict(rows))]),
        "convention-cn": Worked(
            {"n": n, "c": At(_yardstick), "H_#": At(_harmonic)},
            numbers=[_harmonic(n - 1), np.log(n - 1) + np.euler_gamma, 256, rough, exact(256), 2, _yardstick(2)],
            known=[np.euler_gamma],
        ),
        "convention-nu": Worked(
            {r"\nu": nu, "N": N}, numbers=[scaled.sum() / (nu * N), scaled.max() / (nu * N), scaled.max()]
        ),
        "quiz-threshold": Worked({r"\alpha": 0.05}, numbers=[bar, bar, bar**0.5, chi, chi**0.5]),
        "quiz-masking": Worked(numbers=[10, 100, 99 / 1, 100 / 10, 1, 9, 9, 9**0.5]),
        "quiz-cn": Worked(
            {"c": At(_yardstick), "H_#": At(_harmonic), "n": 2},
            numbers=[
                _yardstick(2), _yardstick(3), 1, 2, _yardstick(2), third.numerator, third.denominator,
                _yardstick(2), _yardstick(3), _yardstick(2) + 2, twice.numerator, twice.denominator,
                _yardstick(2) + 2, 1, _total(2), _total(3),
            ],
        ),
        "quiz-rare": Worked(
            numbers=[1000, 90, 1, 0.9, 1 - 0.01, share(1 / 100), 100, share(1 / 1000), share(1 / 1000)],
            known=[0.999 * 0.01],
        ),
        "quiz-scale": Worked(numbers=[100, 20]),
        "quiz-masking-remedy": Worked(numbers=[1 / 2]),
        "tf-scale": Worked(numbers=[10]),
        "tf-nu": Worked({r"\nu": 0.1}, numbers=[0.1, 0.1]),
    }  # fmt: skip
