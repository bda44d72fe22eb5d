"""Exercises on hashing: binomial distributions for bands and bits, sets by counting, values of the library."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
from scipy.linalg import orthogonal_procrustes
from scipy.optimize import brentq
from scipy.spatial import distance
from scipy.stats import binom

from notes_lib.reduction.hashing import (
    angle,
    candidate_probability,
    collision_probability,
    hamming_distances,
    jaccard,
    quantization_error,
    threshold,
)
from tests.formulas.instances.reduction.hashing import rotation
from tests.formulas.values import At
from tests.solutions.ledger import Worked

B, V, R = r"\mathbf{B}", r"\mathbf{V}", r"\mathbf{R}"


def _sets(first, second, shared):
    """Two sets of these sizes."""
    return frozenset(range(first)), frozenset(range(first - shared, first - shared + second))


def _similarity(S, T):
    """Jaccard's similarity of rows of zeros and ones."""
    rows = [[float(i in group) for i in sorted(S | T)] for group in (S, T)]
    return jaccard(rows, rows)[0, 1]


def _candidate(s, bands, rows):
    """The chance that at least one band agrees in all rows."""
    return binom(bands, binom(rows, s).pmf(rows)).sf(0)


def _all_groups(s, group, groups):
    """The chance that each group has an agreeing row."""
    return binom(groups, binom(group, s).sf(0)).pmf(groups)


def _parts(x):
    """Numerator and denominator."""
    found = Fraction(float(x)).limit_denominator(50)
    return [found.numerator, found.denominator]


def ex_wedge():
    cosine, bits = 0.5, 6
    agree = collision_probability(np.arccos(cosine))
    return Worked(
        {r"\theta": 0.7},
        own={r"\theta=60": {r"\theta": np.degrees(angle([1, 0], [cosine, 0.75**0.5]))}},
        numbers=[cosine, bits, 60, 12, agree],
        known=[binom(bits, agree).pmf(bits), _parts(agree)[1] ** bits, np.degrees(np.pi)],
    )


def ex_union():
    S, T = _sets(8, 5, 3)
    J = _similarity(S, T)
    return Worked({"S": S, "T": T, "J": J}, numbers=[8, 5, 3, 90], known=[binom(90, J).std() / 90])


def ex_choose():
    choices = [(50, 2), (20, 5), (10, 10)]
    misses, unwanted = ([_candidate(s, *choice) for choice in choices] for s in (0.8, 0.3))
    safe = [k for k, found in enumerate(misses) if 1 - found < 0.01]
    best = min(safe, key=lambda k: unwanted[k])
    assert len(safe) == 2
    return Worked(
        {"s": 0.8, "C": At(lambda s: float(candidate_probability(s, *choices[best])))},
        worlds=[{"s": 0.3}],
        numbers=[choices[1][0] * choices[1][1], 1 - misses[best], unwanted[best], choices, 1 / 0.01, len(misses),
                 len(unwanted), unwanted[best], choices[best], 1, 100],
    )  # fmt: skip


def ex_procrustes():
    v, _ = rotation(np.random.default_rng(0))
    lost = quantization_error(v[V], v[R], v[B])
    mirrored = orthogonal_procrustes(v[V], v[V] * [1, -1])[0]
    turned = orthogonal_procrustes(v[r"\mathbf{F}"], v[r"\mathbf{F}"])[0]
    return Worked(v, numbers=[lost, lost, np.linalg.svd(v[V])[1] @ np.linalg.svd(v[V])[1], turned[0, 0],
                              np.linalg.det(mirrored)])  # fmt: skip


def ex_order():
    s, b, r = 0.2, 4, 4
    return Worked(
        {"s": s, "b": b, "r": r},
        worlds=[{"s": 0.8}],
        numbers=[1 - binom(b, s).pmf(0), _all_groups(s, b, r), len([0.2, 0.8])],
    )


def ex_code():
    codes = np.array([[0, 1, 1, 0, 1], [1, 1, 0, 0, 0]])
    signs = 2 * codes - 1
    return Worked(
        {"a": 1, "b": 1, "m": 5, r"\mathbf{a}": signs[0], r"\mathbf{b}": signs[1]},
        numbers=[codes.min(), codes.max(), signs.min(), signs.max(), hamming_distances([[1]], [[1]])[0, 0],
                 hamming_distances([[1]], [[0]])[0, 0], signs[0, 1] * signs[1, 1], signs[0, 0] * signs[1, 0],
                 hamming_distances(codes[:1], codes[1:])[0, 0]],
    )  # fmt: skip


def cards():
    s, b, r = 0.8, 20, 5
    x, y = [1, 0.5], [-0.3, 2]
    cosine = 1 - distance.cosine(x, y)
    right = angle([1, 0], [0, 1])
    rows = np.array([[1, 1, 0, 1, 0], [1, 0, 1, 1, 0]])
    half_way = brentq(lambda s: _candidate(s, b, r) - 0.5, 0, 1, xtol=1e-14)
    bits, N = 6, 7
    sixty = np.pi / 3
    S, T = _sets(6, 4, 2)
    curve = _candidate(0.5, 3, 2)
    J = _similarity(S, T)
    missed = binom(b, s**r).pmf(0)
    return {
        "lost-marks-exchanged": Worked(
            {"s": s}, numbers=[b, r, _candidate(s, r, b), _candidate(s, b, r)]
        ),
        "lost-marks-cosine": Worked(
            {"c": cosine, r"\arccos": At(np.arccos)},
            numbers=[np.degrees(right), collision_probability(right), np.dot([1, 0], [0, 1]),
                     collision_probability(angle(x, y))],
        ),
        "lost-marks-miss": Worked(numbers=[angle(x, x)]),
        "what-if-scale": Worked(numbers=[2]),
        "what-if-double": Worked({"s": s}, numbers=[2, b, r]),
        "counterexample-order": Worked(
            {"J": _similarity(*_sets(4, 4, 3))},
            worlds=[{"J": _similarity(*_sets(3, 3, 2))}],
            own={"J=0.6": {"J": _similarity(*_sets(4, 4, 3))}, "J=0.5": {"J": _similarity(*_sets(3, 3, 2))}},
            numbers=[20],
        ),
        "counting": Worked(
            {"m": bits, "N": N}, numbers=[len([*product((0, 1), repeat=bits)]), len([*combinations(range(N), 2)])]
        ),
        "convention-threshold": Worked(
            {"b": b, "r": r, "s": half_way, "C": At(lambda s: float(candidate_probability(s, b, r)))},
            numbers=[threshold(b, r), threshold(b, r), b, r, half_way, half_way],
        ),
        "convention-distance": Worked({"J": jaccard(rows, rows)[0, 1]}, numbers=[distance.jaccard(*rows.astype(bool))]),
        "quiz-angle": Worked(
            numbers=[np.degrees(sixty), _parts(np.cos(sixty)), _parts(collision_probability(sixty)),
                     collision_probability(sixty), _parts(1 - collision_probability(sixty)),
                     _parts(1 - sixty / (2 * np.pi))],
            known=[np.degrees(np.pi)],
        ),
        "quiz-jaccard": Worked(
            {"S": S, "T": T},
            numbers=[len(S & T), _parts(len(S & T) / len(T)), _parts(len(S & T) / len(S)), _parts(J), J,
                     _parts(len(S & T) / (len(S) + len(T))), (len(S) + len(T) - len(S ^ T)) / len(S & T),
                     len(S) + len(T)],
        ),
        "quiz-curve": Worked(
            {"s": 0.5},
            numbers=[3, 2, binom(2, 0.5).pmf(2), curve, curve, _all_groups(0.5, 3, 2), 1 - curve],
        ),
        "tf-always": Worked({"s": s}, numbers=[b, r, round(1 / missed, -2)]),
    }  # fmt: skip
