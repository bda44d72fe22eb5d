"""Exercises on labels that are scarce: harmonic functions by linear systems and walks, EM by its densities."""

from itertools import product

import numpy as np
from scipy import stats
from scipy.optimize import approx_fprime, brentq
from scipy.special import softmax

from tests.solutions.ledger import Worked


def _harmonic(W, labels):
    """The values that minimise the energy, by least squares over the edges; ``labels`` are those of some nodes."""
    N = len(W)
    edges = [(n, m) for n in range(N) for m in range(n)]
    rows = np.array([np.sqrt(W[n, m]) * (np.eye(N)[n] - np.eye(N)[m]) for n, m in edges])
    free = [n for n in range(N) if n not in labels]
    fixed = rows[:, [*labels]] @ np.array([*labels.values()])
    found = np.linalg.lstsq(rows[:, free], -fixed, rcond=None)[0]
    return {**labels, **dict(zip(free, found, strict=True))}


def _path(weights):
    """The weights of nodes in a row."""
    W = np.diag(np.array(weights, dtype=float), 1)
    return W + W.T


def ex_harmonic():
    W = np.array([[0, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 4], [0, 1, 4, 0]], dtype=float)
    values = _harmonic(W, {0: 0.0, 3: 1.0})
    assert all(0 <= v <= 1 for v in values.values())
    walk = (W / W.sum(axis=1)[:, None])[1:3]
    assert np.allclose(np.linalg.solve(np.eye(2) - walk[:, 1:3], walk[:, 3]), [values[1], values[2]])
    energy = lambda f: sum(W[n, m] * (f[n] - f[m]) ** 2 for n in range(4) for m in range(n))
    f = np.array([0.3, -1, 2, 0.8])
    assert np.isclose(energy(f), 0.5 * np.sum(W * (f[:, None] - f) ** 2))
    low, high = min(values.values()), max(values.values())
    return Worked(
        {"n": range(1, 5), "m": range(1, 5), "w_{##}": W, "d_#": W.sum(axis=1), "f_#": f,
         r"\partial E / \partial f_#": approx_fprime(f, energy, 1e-7).round(5)},
        numbers=[0, low, high, low, high, high, high],
    )  # fmt: skip


def ex_chain():
    w = 0.7
    at = lambda w: _harmonic(_path([1, w, 1]), {0: 1.0, 3: 0.0})
    values, gap, tied = at(w), at(1e-9), at(1e9)
    assert np.isclose(tied[1], tied[2])
    limit = {"w": 0}
    return Worked(
        {"w": w, "f_C": values[1], "f_D": values[2]},
        own={r"w\to0": limit, r"f_C\to1": {"f_C": gap[1]}, r"f_D\to0": {"f_D": gap[2]}},
        numbers=[1, 0, 1, round(tied[1], 6)],
    )


def ex_em():
    x, first = np.array([0, 4, 1, 2]), {0: 1, 1: 2}  # the labelled rows stand first
    densities = np.array([stats.norm(mean).pdf(x) for mean in x[:2]])
    gamma = densities / densities.sum(axis=0)
    gamma[:, :2] = np.eye(2)
    mean = lambda k, weights: np.average(x, weights=gamma[k] * weights)
    both, labelled, rest = [[mean(k, w) for k in (0, 1)] for w in ([1] * 4, [1, 1, 0, 0], [0, 0, 1, 1])]
    share = densities[:, 2] * np.sqrt(2 * np.pi)
    return Worked(
        {r"\pi_#": [0.5, 0.5], "x": x[2], r"\gamma_1": gamma[0, 2], r"\mu_1": both[0], r"\mu_2": both[1],
         r"\lambda": 1},
        own={r"\lambda = 0": {r"\lambda": 0}, "x = 2": {"x": x[3]}, r"\pi_k = \tfrac12": {r"\pi_k": 0.5}},
        numbers=[x[0], first[0], x[1], first[1], x[2:], 1, gamma[:, 0], gamma[:, 1], share, gamma[0, 3], labelled],
        known=[gamma, gamma[:, 2:].sum(axis=1), both, rest],
    )  # fmt: skip


def ex_discriminative():
    return Worked(numbers=[softmax([0.3, -1, 2]).sum()])


def ex_noise():
    k, q, delta = 10, 0.1, 0.05
    bound = lambda r: np.exp(-2 * r * (0.5 - q) ** 2)
    enough = brentq(lambda r: k * bound(r) - delta, 1, 99)
    r = next(r for r in range(1, 99, 2) if k * bound(r) <= delta)
    wrong = stats.binom(r, q).sf(r // 2)
    assert wrong <= bound(r)
    return Worked(
        {"k": k, "q": q, r"\delta": delta, "r": r},
        numbers=[0.5, 1 - delta, bound(r), k * bound(r), enough],
        known=[k / delta, enough],
    )


def ex_code():
    return Worked(numbers=[1])


def cards():
    grid = np.ones((5, 5)) - np.eye(5)  # all rows alike; two labels of class 1, one of class 0
    alike = _harmonic(grid, {0: 1.0, 1: 1.0, 2: 0.0})
    assert np.allclose([alike[3], alike[4]], 2 / 3)
    weight = lambda gamma, distance=1.7: np.exp(-gamma * distance**2)
    chain = _harmonic(_path([1, 1, 2]), {0: 1.0, 3: 0.0})
    equal = _harmonic(_path([1, 1, 1]), {0: 1.0, 3: 0.0})
    loops = _harmonic(_path([1, 1, 2]) + 3 * np.eye(4), {0: 1.0, 3: 0.0})
    doubled = _harmonic(2 * _path([1, 1, 2]), {0: 1.0, 3: 0.0})
    assert np.allclose([chain[1], chain[1]], [loops[1], doubled[1]])
    labels = {"A": 1, "B": 0}
    rows = 1000
    places = rows + 1
    answers = next(k for k in range(99) if len(range(2**k)) >= places)
    n = 5
    labelings = [*product((0, 1), repeat=n)]
    thresholds = [rest for rest in labelings if list(rest) == sorted(rest)]
    share = 0.2
    return {
        "lost-marks-sure": Worked({r"\tau": 0.99}),
        "lost-marks-stop": Worked({"w_{nn}": weight(1, 0)}),
        "lost-marks-log": Worked({"n": 64}, numbers=[next(k for k in range(99) if 2**k == 64), 1]),
        "do-not-confuse-soft": Worked(numbers=[2]),
        "what-if-flat": Worked({r"\gamma": 0}, numbers=[weight(0), 1]),
        "what-if-alpha": Worked(own={rf"\alpha\to{end}": {r"\alpha": end} for end in (0, 1)}, numbers=[0, 1]),
        "counterexample-island": Worked(numbers=[1, 0]),
        "counting-thresholds": Worked(
            {"n": n, "k": 7}, numbers=[len(labelings), len(thresholds), len([*product("ab", repeat=7)])]
        ),
        "convention-alpha": Worked(numbers=[share, 1 - share, share, 0.99], known=[0.99]),
        "convention-loops": Worked({"w_{nn}": weight(1, 0)}),
        "quiz-chain": Worked(
            {"f_C": chain[1], "f_D": chain[2]},
            numbers=[1, 1, 2, labels["A"], labels["B"], np.mean([*labels.values()]), equal[1], chain[1], chain[2]],
        ),
        "quiz-queries": Worked(
            numbers=[rows, rows / 2, 0.5, answers, places, round(rows**0.5), rows, answers - 1],
            known=[2**answers, 2 ** (answers - 1)],
        ),
        "quiz-harmonic": Worked(numbers=[max(labels.values()), max(labels.values())]),
        "tf-equal": Worked(numbers=[1]),
    }
