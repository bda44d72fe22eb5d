"""Exercises on the Dirichlet process: seats and partitions by enumeration, densities by quadrature."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import factorial

import numpy as np
from scipy import special, stats
from scipy.integrate import quad

from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _seatings(n, alpha):
    """Each way to seat guests in their order, as canonical labels, with its probability."""
    found = {(): Fraction(1)}
    for guest in range(n):
        found = {
            (*labels, table): p * Fraction(labels.count(table) or alpha) / (guest + alpha)
            for labels, p in found.items()
            for table in range(max(labels, default=-1) + 2)
        }
    return found


def _tables(n, alpha):
    """The distribution of the number of tables."""
    found = Counter()
    for labels, p in _seatings(n, alpha).items():
        found[max(labels) + 1] += p
    return {k: float(p) for k, p in found.items()}


def _groups(labels):
    """The groups of rows, numbered from 1, in the order of their first members."""
    return [[n + 1 for n, label in enumerate(labels) if label == k] for k in dict.fromkeys(labels)]


def ex_limit():
    n, K, alpha, counts = 5, 10**9, 2.0, np.array([3, 2])
    finite = lambda own: (own + alpha / K) / (n + alpha)
    occupied = sum(finite(own) for own in counts)
    return Worked(
        {"n": n, r"\alpha": alpha, "n_k": counts[0]},
        numbers=[n + 1, round(finite(0), 6), round(occupied + (K - 2) * finite(0), 6)],
    )


def ex_three():
    guests, alpha = 3, 2
    seats = _seatings(guests, alpha)
    tables = _tables(guests, alpha)
    first, second = seats[0, 0, 1], seats[0, 1, 0]
    assert float(max(p.denominator for p in seats.values())) <= factorial(4)
    return Worked(
        {r"\alpha": alpha, r"P(\{1,2\},\{3\})": float(first), r"P(\{1,3\},\{2\})": float(second)},
        numbers=[float(first), float(second), [tables[k] for k in (1, 2, 3)]],
    )


def ex_step():
    prior, alpha, x = 4, 1, 3
    tables = [[-1, 0], [4], []]
    likelihood = lambda rows, mu: np.prod(stats.norm.pdf(rows, mu)) * stats.norm.pdf(mu, 0, prior**0.5)
    integral = lambda rows: quad(lambda mu: likelihood(rows, mu), -20, 20, epsabs=1e-13, points=(0, 3))[0]
    densities = np.array([integral([*rows, x]) / integral(rows) for rows in tables])
    weights = np.array([len(rows) or alpha for rows in tables]) * densities
    posterior = lambda rows, f: quad(lambda mu: f(mu) * likelihood(rows, mu), -20, 20)[0] / integral(rows)
    means = [posterior(rows, lambda mu: mu) for rows in tables[:2]]
    spread = [1 + posterior(rows, lambda mu, m=m: (mu - m) ** 2) for rows, m in zip(tables[:2], means, strict=True)]
    assert np.allclose([*means, *spread], [-4 / 9, 16 / 5, 13 / 9, 9 / 5])
    somewhere = 0.7
    return Worked(
        {r"\alpha": alpha, "x": x, r"\mathcal{N}": At(lambda m, v: stats.norm(m, v**0.5).pdf(somewhere))},
        numbers=[1, stats.norm(0, prior**0.5).pdf(somewhere), tables[0], tables[1], densities.round(5)[:1],
                 densities[1:], 2 * densities.round(5)[0], densities[1:], weights / weights.sum()],
        known=[densities, weights / weights.sum()],
    )  # fmt: skip


def ex_urn():
    n, m, alpha = 7, 4, 1
    first = {
        k: float(sum(p for labels, p in _seatings(n, alpha).items() if labels.count(0) == k)) for k in range(1, n + 1)
    }
    assert np.allclose([*first.values()], first[m])
    other = 2.5
    rest = lambda last: float(special.poch(other, last + 1))
    shape = quad(lambda v: v ** (m - 1) * (1 - v) ** (n - m), 0, 1)[0]
    return Worked(
        {"n": n, "m": m, r"P(n_1=m)": first[m], r"\alpha": other, "B": At(special.beta)},
        own={r"\alpha=1": {r"\alpha": alpha}},
        numbers=[first[m], 1, 0.5, m - 1, factorial(m) / m, rest(n - m - 1), rest(n - 1) / other,
                 len([*combinations(range(n - 1), m - 1)]), shape, shape,
                 special.beta(1, 1), min(first), [0, 1], 0.5, stats.uniform.sf(0.5)],
    )  # fmt: skip


def ex_count():
    bell = {n: len(_seatings(n, 1)) for n in range(7)}
    K, d, rows = 5, 3, 100
    return Worked(
        {"n": 4, "j": range(5), "B_{n+1}": bell[5], "B_#": bell},
        numbers=[3, 4, 5, K, d, rows, bell[3], bell[4], bell[5], [bell[n] for n in (0, 1, 2)], rows],
    )


def ex_trace():
    sweeps = [(0, 0, 1, 1), (1, 1, 0, 0), (0, 0, 0, 1), (0, 0, 1, 2)]
    together = np.array([np.equal.outer(c, c) for c in sweeps], dtype=float)
    A = together.mean(axis=0)
    far = np.sum((together - A) ** 2, axis=(1, 2)) / 2
    best = [_groups(sweeps[k]) for k in np.flatnonzero(far == far.min())]
    named = np.mean([c[0] == 0 for c in sweeps])
    same = [k + 1 for k, c in enumerate(sweeps) if _groups(c) == _groups(sweeps[0])]
    assert best[0] == best[1]
    return Worked(
        {"A_{##}": A},
        numbers=[sweeps, 1, 0, named, 0.5, best[1], best[2], same],
        known=[named],
    )


def cards():
    tables, alpha = [5, 3, 1], 1
    shares = np.array([*tables, alpha]) / (sum(tables) + alpha)
    expected = lambda n, alpha: sum(k * p for k, p in _tables(n, alpha).items())
    stick = [quad(lambda v: v * stats.beta(1, 4).pdf(v), 0, 1)[0]]
    stick.append((1 - stick[0]) * stick[0])
    bell = {n: len(_seatings(n, 1)) for n in range(7)}
    d, nu = 2, 7
    scale = np.array([[2, 0.5], [0.5, 1]])
    n = 9
    two = _seatings(2, 1)
    return {
        "lost-marks-labels": Worked(numbers=[1, 1]),
        "lost-marks-counted": Worked(numbers=[2]),
        "lost-marks-alpha": Worked({r"\alpha": 3}),
        "do-not-confuse-process": Worked({r"\alpha": 2.5, "n": n}, numbers=[quad(lambda t: 2.5 / (2.5 + t), 0, n)[0]]),
        "what-if-alpha": Worked({r"\alpha": 0}, numbers=[0]),
        "what-if-twice": Worked(numbers=[2, 2]),
        "counterexample-k": Worked({r"\alpha": 2}),
        "counting": Worked(
            {"n": 5, "B_{n+1}": bell[6], "B_#": bell, "j": range(7)}, numbers=[bell[k] for k in range(1, 7)]
        ),
        "convention-wishart": Worked(
            {r"\boldsymbol{\Psi}_0": scale, r"\nu_0": nu, "d": d},
            numbers=[scale, stats.invwishart(nu, scale).mean(), scale],
        ),
        "convention-guest": Worked({"n": n, r"\alpha": 2.5}, numbers=[n - 1 + 2.5]),
        "quiz-seat": Worked(
            {r"\alpha": alpha},
            numbers=[
                tables,
                shares[-1],
                shares[-1],
                1 / len(shares),
                1 / sum(tables),
                1 / sum(tables),
                alpha / (1 + alpha),
            ],
            known=[1 / sum(tables)],
        ),
        "quiz-expected": Worked(
            {r"\alpha": 1},
            numbers=[3, expected(2, 1), 2, expected(3, 1), expected(3, 1), 3, 1],
            known=[expected(3, 1)],
        ),
        "quiz-stick": Worked({r"\alpha": 4}, numbers=[1 / 4, 1 / 4, 1 - stick[0], stick[0], stick[0], stick[1]]),
        "quiz-names": Worked(numbers=[0, 0]),
        "tf-two": Worked({r"\alpha": 1}, numbers=[float(two[0, 0])]),
        "tf-double": Worked(numbers=[2]),
        "tf-tails": Worked(numbers=[2, 20]),
    }
