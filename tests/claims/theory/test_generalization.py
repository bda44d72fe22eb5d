"""The quiz of the chapter *Generalization*, decided: see ``tests/claims/deciding.py``."""

from itertools import combinations
from math import comb

import numpy as np

from notes_lib.theory.generalization import (
    growth_function,
    hoeffding_bound,
    is_shattered,
    labelings,
    pac_sample_size,
    sauer_bound,
)
from tests.claims.deciding import Numbers, decided

LABELS = (np.arange(16)[:, None] >> np.arange(4)) & 1  # of four points, every labeling
CLASSES = ((np.arange(2**16)[:, None] >> np.arange(16)) & 1).astype(np.float32)  # every set of labelings
SIZES = CLASSES.sum(axis=1)


def _shattered(size):
    """Whether each class (a row) shatters each set of so many of the four points (a column)."""
    columns = []
    for points in combinations(range(4), size):
        pattern = LABELS[:, points] @ (1 << np.arange(size))
        columns.append((CLASSES @ np.eye(2**size, dtype=np.float32)[pattern] > 0).all(axis=1))
    return np.column_stack(columns)


def _dimensions():
    """VC dimension of each class; -1 of the empty one."""
    return np.sum([_shattered(size).any(axis=1) for size in range(5)], axis=0) - 1


def quiz_four(n, wide, narrow):
    """A test set of <n> instances bounds the deviation by <wide> at some confidence. For <narrow> you need about"""
    confidence = hoeffding_bound(wide, int(n))
    return {"<size>": lambda size: np.isclose(hoeffding_bound(narrow, int(size)), confidence, rtol=0.01)}


def quiz_sauer(d, n):
    """A class of VC dimension <d> gives <n> points at most how many labelings?"""
    most = sauer_bound(int(n), int(d))
    assert SIZES[_dimensions() == d].max() == sauer_bound(4, int(d))
    if d == 2:  # which intervals attain
        assert len(labelings(np.arange(n)[:, None], "intervals")) == most
    return Numbers(most, [comb(int(n), int(d)), n**d, 2**n])


def quiz_half_spaces(d):
    """The VC dimension of half-spaces in <d> dimensions is"""
    corners = np.vstack([np.zeros(3), np.eye(3)])
    assert is_shattered(corners, "half-spaces")
    assert len(labelings(np.vstack([corners, [3, 5, 7]]), "half-spaces")) == growth_function("half-spaces", 5, 3) < 32
    dimension = max(n for n in range(40) if growth_function("half-spaces", n, int(d)) == 2**n)
    return {"<number>": lambda number: number == dimension}


def quiz_least(least):
    """Which show that a VC dimension is at least <least>? (Mark all.)"""
    shows = lambda premise: premise.any() and (_dimensions()[premise] >= least).all()
    of_three = np.column_stack([
        (CLASSES @ np.eye(8, dtype=np.float32)[LABELS[:, points] @ [1, 2, 4]] > 0).sum(axis=1)
        for points in combinations(range(4), 3)
    ])  # fmt: skip
    return {
        "every set of <size> points is shattered": lambda size: shows(_shattered(int(size)).all(axis=1)),
        "a set of three points with all <number> labelings": lambda number: shows((of_three == number).any(axis=1)),
        "some labeling of some three points is missing": shows((of_three < 8).any(axis=1)),
        "a set of four points with <number> labelings": lambda number: shows(number == SIZES),
    }


def tf_polynomial():
    """The growth function of a class is either $2^N$ for all $N$ or bounded by a polynomial."""
    dimensions = _dimensions()
    sauer = np.array([sauer_bound(4, d) for d in range(5)])
    of_line = [growth_function("intervals", n) <= (n + 1) ** 2 for n in range(60)]
    of_space = [growth_function("half-spaces", n, 3) <= (n + 1) ** 4 for n in range(60)]
    return (SIZES[1:] <= sauer[dimensions[1:]]).all() and all(of_line + of_space)


def _nearest(x, y, at):
    return y[abs(at[:, None] - x).argmin(axis=1)]


def tf_infinite():
    """If the VC dimension is infinite, the method cannot generalise on any distribution."""
    rng = np.random.default_rng(0)
    x, at = rng.random(1000), rng.random(1000)
    coin = rng.integers(2, size=1000)
    assert (_nearest(x, coin, x) == coin).all()  # nearest neighbour shatters any points
    assert abs((_nearest(x, coin, at) == rng.integers(2, size=1000)).mean() - 0.5) < 0.1
    return (_nearest(x, x > 0.3, at) != (at > 0.3)).mean() > 0.1


def tf_zero(value):
    """A hypothesis class with a training error of <value> is consistent."""
    rng, at = np.random.default_rng(0), np.linspace(0, 1, 10_000)
    memorised, ray = [], []
    for n in (10, 100, 1000):
        x = rng.random(n)
        y = x > 0.3
        stored = dict(zip(x, y, strict=True))
        border = x[y].min()
        assert np.mean([stored.get(one, False) for one in x] != y) == np.mean((x >= border) != y) == value
        memorised.append(np.mean([stored.get(one, False) for one in at] != (at > 0.3)))
        ray.append(np.mean((at >= border) != (at > 0.3)))
    assert ray[-1] < 0.01
    return memorised[-1] < 0.01


def tf_log():
    """In a finite class the sample size grows with the logarithm of the number of hypotheses."""
    sizes = [[pac_sample_size(10**k, 0.05, 0.05, realizable=exact) for k in range(1, 9)] for exact in (True, False)]
    steps = np.diff(sizes, axis=1)
    return steps.min() > 10 and np.ptp(steps, axis=1).max() <= 1  # for each factor of 10


def tf_trees():
    """Decision trees of any depth on a numeric feature have an infinite VC dimension."""
    rng, fitted = np.random.default_rng(0), []
    for n in (1, 5, 8, 50):
        x = np.sort(rng.random(n))
        cuts = (x[1:] + x[:-1]) / 2  # a leaf for each point
        fitted += [(y[np.searchsorted(cuts, x)] == y).all() for y in rng.integers(2, size=(20, n))]
    return all(fitted)


def tf_parameters(many, most):
    """A class that is described by <many> parameters has a VC dimension of at most <most>."""
    shattered = 0
    for n in range(1, 7):
        y = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
        omega = np.pi * (1 + (1 - y) @ 10.0 ** np.arange(1, n + 1))  # one parameter, and others that do nothing
        if ((np.sin(omega[:, None] * 10.0 ** -np.arange(1, n + 1)) > 0) == y).all():
            shattered = n
    assert many < shattered
    return shattered <= most


test_claim = decided("theory/generalization", globals())
