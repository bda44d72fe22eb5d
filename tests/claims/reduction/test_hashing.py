"""The quiz of the chapter *Hashing for similarity search*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np
from scipy.stats import ortho_group

from notes_lib.reduction.hashing import MinHashLSH, RandomHyperplaneLSH, hyperplane_bits
from tests.claims.deciding import Numbers, decided


def quiz_angle(degrees):
    """Two vectors form an angle of <degrees> degrees. A random hyperplane gives them equal bits with probability"""
    turn = np.deg2rad(np.arange(0.05, 360, 0.1))  # normals all around
    theta = np.deg2rad(degrees)
    bits = hyperplane_bits([[1, 0], [np.cos(theta), np.sin(theta)]], np.column_stack([np.cos(turn), np.sin(turn)]))
    equal = (bits[0] == bits[1]).mean()
    return Numbers(equal, [np.cos(theta), 1 - equal, 1 - (1 - equal) / 2])


def quiz_jaccard(n_S, n_T, shared):
    r"""$|S|=<n_S>$, $|T|=<n_T>$, <shared> items are shared. Their MinHash values agree with probability"""
    S = set(range(int(n_S)))
    T = set(range(int(n_S - shared), int(n_S - shared + n_T)))
    firsts = list(S | T)  # each item of the union comes first in as many orders
    agree = np.mean([item in S and item in T for item in firsts])
    return Numbers(agree, [shared / n_T, shared / n_S, shared / (n_S + n_T)])


def _candidate(s, bands, rows, inner, outer):
    """Probability over all outcomes of the rows of all bands."""
    total = 0.0
    for outcome in product([0, 1], repeat=bands * rows):
        agree = np.reshape(outcome, (bands, rows))
        total += outer(inner(row) for row in agree) * np.prod(np.where(agree, s, 1 - s))
    return total


def quiz_curve(s, bands, rows):
    """$s=<s>$, <bands> bands of <rows> rows. The pair becomes a candidate with probability"""
    b, r = int(bands), int(rows)
    right = _candidate(s, b, r, all, any)
    return Numbers(right, [s**r, 1 - right, _candidate(s, r, b, any, all)])


def _found(n_bits, n_tables, scale=1.0):
    """Share of pairs at a small angle that tables of random bits bring together, over many draws."""
    pair = np.array([[1.0, 0.0], [np.cos(0.5), np.sin(0.5)]])
    runs = [RandomHyperplaneLSH(n_bits, n_tables, random_state=seed).fit(pair[:1]) for seed in range(300)]
    return np.mean([len(lsh.candidates(scale * pair[1:])[0]) for lsh in runs])


def quiz_find():
    """What raises the share of the true neighbours that tables of random bits find? (Mark all.)"""
    base = _found(6, 3)
    return {
        "more tables": _found(6, 12) > base + 0.1,
        "fewer bits a table": _found(2, 3) > base + 0.1,
        "more bits a table": _found(18, 3) > base + 0.1,
        "longer query vectors": _found(6, 3, scale=10.0) != base,
    }


def tf_scale():
    """Multiplying a vector by a positive number changes none of its bits."""
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(50, 4)), rng.normal(size=(60, 4))
    bits = hyperplane_bits(X, W)
    assert not np.array_equal(hyperplane_bits(-X, W), bits)  # a negative one does change them
    return all(np.array_equal(hyperplane_bits(c * X, W), bits) for c in (1e-3, 2.0, 1e6))


def tf_centre():
    """Subtracting the mean from all data changes no code of random hyperplanes."""
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(50, 4)) + 3, rng.normal(size=(20, 4))
    centred = X - X.mean(axis=0)
    assert np.array_equal(hyperplane_bits(centred, W), hyperplane_bits(centred - centred.mean(axis=0), W))
    return np.array_equal(hyperplane_bits(X, W), hyperplane_bits(centred, W))


def _spread(size):
    """Standard deviation of the estimates from 60 orders for two sets of this size that share half of the union."""
    S, T = set(range(3 * size)), set(range(size, 4 * size))
    estimates = []
    for seed in range(400):
        a, b = MinHashLSH(60, 1, random_state=seed).fit([S]).transform([S, T])
        estimates.append((a == b).mean())
    return np.std(estimates)


def tf_size():
    """The standard error of a MinHash estimate grows with the size of the sets."""
    small, large = _spread(5), _spread(100)
    return large > 1.2 * small


def tf_always(bands, rows, s):
    """With <bands> bands of <rows> rows, every pair with $s=<s>$ becomes a candidate."""
    missed = (1 - s**rows) ** bands
    assert round(1 / missed, -2) == 2800
    return missed == 0


def tf_rotation():
    """An orthogonal matrix changes no distance between the projected data."""
    V, R = np.random.default_rng(0).normal(size=(20, 4)), ortho_group.rvs(4, random_state=0)
    gaps = lambda A: np.linalg.norm(A[:, None] - A[None], axis=2)
    return np.allclose(gaps(V @ R), gaps(V)) and not np.allclose(gaps(2 * V @ R), gaps(V))


test_claim = decided("reduction/hashing", globals())
