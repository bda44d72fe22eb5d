r"""Hashing: two vectors and random hyperplanes, two sets and all orders of five items, rows and bands, a rotation."""

from itertools import permutations

import numpy as np
from scipy.linalg import orthogonal_procrustes, svd
from scipy.stats import binom

from notes_lib.reduction.hashing import (
    candidate_probability,
    code_step,
    collision_probability,
    hyperplane_bits,
    jaccard,
    minhash_signature,
    principal_directions,
    procrustes_rotation,
    quantization_error,
    spectral_bits,
    spectral_modes,
    steepest_similarity,
    threshold,
)
from notes_lib.reduction.hashing.learned import Mode
from tests.formulas.values import At, Instance


def vectors(rng):
    """Two vectors of known angle, hyperplanes, and the moments of a binomial distance of their codes."""
    theta, m = rng.uniform(0.3, 2.5), 8
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    x = turn @ [rng.uniform(1, 2), 0, 0]
    y = turn @ (rng.uniform(1, 2) * np.array([np.cos(theta), np.sin(theta), 0]))
    w = rng.normal(size=3)
    distance = binom(m, 1 - collision_probability(theta))
    return {
        r"\mathbf{x}": x, r"\mathbf{y}": y, r"\mathbf{w}": w, r"\theta": theta, "m": m,
        r"h_{\mathbf{w}}(\mathbf{x})": At(lambda w: float(hyperplane_bits([x], [w])[0, 0]), r"\mathbf{w}"),
        r"p(\theta)": collision_probability(theta), r"\operatorname{E}d_H": distance.mean(),
        "d_H": 3, r"\hat\theta": np.pi - np.pi * (m - 3) / m,
        r"\operatorname{Var}(\hat\theta)": distance.var() * (np.pi / m) ** 2,
    }  # fmt: skip


def sets(rng):
    """Two sets of five items, and what they report in all 120 orders."""
    while True:
        A = rng.integers(0, 2, size=(2, 5))
        if A.any(axis=1).all() and 0 < (A[0] * A[1]).sum() < 5:
            break
    orders = np.array(list(permutations(range(1, 6))))
    reports = minhash_signature(A, orders)
    equal, J = reports[0] == reports[1], jaccard(A, A)[0, 1]
    S, T = (frozenset(np.flatnonzero(row) + 1) for row in A)
    first = int(rng.integers(100))
    some = slice(first, first + 8)
    by_order = lambda row: lambda k: reports[row, first + int(k) - 1]
    return {
        "S": S, "T": T, "J(S,T)": J, "J": J, "i": range(1, 6), r"\sigma": lambda i: orders[first, int(i) - 1],
        r"h_\sigma(S)": reports[0, first], r"h_{\sigma_#}(S)": by_order(0), r"h_{\sigma_#}(T)": by_order(1),
        r"\Pr(h_\sigma(S)=h_\sigma(T))": equal.mean(), "k": range(1, 9), r"\hat J": equal[some].mean(),
        r"\operatorname{Var}(\hat J)": binom(8, J).var() / 64,
    }  # fmt: skip


def rotation(rng):
    """Centred data along principal directions, codes, the best rotation by SciPy, and one alternation."""
    X = rng.normal(size=(12, 4)) * [3, 2, 1, 0.5] + 2
    P = principal_directions(X, 2)
    V = (X - X.mean(axis=0)) @ P
    R = np.linalg.qr(rng.normal(size=(2, 2)))[0]
    B = code_step(V, R)
    best, _ = orthogonal_procrustes(V, B)
    F, Omega, Gt = svd(V.T @ B)
    better = procrustes_rotation(V, B)
    more = code_step(V, better)
    return {
        r"\mathbf{X}": X, r"\mathbf{1}": np.ones(12), r"\bar{\mathbf{x}}": X.mean(axis=0), r"\mathbf{P}": P,
        r"\mathbf{V}": V, r"\mathbf{R}": R, r"\mathbf{B}": B, "N": 12, "m": 2, "n": range(1, 13), "k": range(1, 3),
        "Q": lambda B, R: quantization_error(V, R, B), "B_{##}": B, r"(\mathbf{V}\mathbf{R})_{##}": V @ R,
        r"\mathbf{F}": F, r"\boldsymbol{\Omega}": np.diag(Omega), r"\mathbf{G}": Gt.T, r"\omega_#": Omega,
        "z_{##}": F.T @ R @ Gt.T, r"\mathbf{B}'": more, r"\mathbf{R}'": better,
    }, best  # fmt: skip


def waves(rng):
    """One column, its range, the waves along it, and a value."""
    V = rng.uniform(-1, 3, size=(30, 2)) * [2, 1]
    low, length, j = V.min(axis=0), np.ptp(V, axis=0), int(rng.integers(1, 4))
    v = V[0, 0]
    bit = spectral_bits([[v, low[1]]], [Mode(0, j)], low, low + length)[0, 0]
    return {
        r"\lambda_{kj}": float(spectral_value(V, j)), "j": j, "L_k": length[0], "a_k": low[0], "v": v,
        "h_{kj}(v)": float(bit),
    }  # fmt: skip


def spectral_value(V, j):
    """The j-th eigenvalue of the second difference on a fine grid of the first column's range, ends free."""
    n, length = 10**6, np.ptp(V[:, 0])
    assert spectral_modes(V[:, :1], 3)[j - 1] == Mode(0, j)
    step = length / n
    return (2 * np.sin(np.pi * j / (2 * n)) / step) ** 2


def instance(seed):
    """One pair of vectors, one of sets, one choice of rows and bands, and one step of iterative quantization."""
    rng = np.random.default_rng(seed)
    b, r, s = int(rng.integers(2, 20)), int(rng.integers(2, 6)), rng.uniform(0.2, 0.9)
    similarities = rng.uniform(size=6)
    turned, best = rotation(rng)
    bands = {
        "s": s, "r": r, "b": b, "C(s)": 1 - binom(b, binom(r, s).pmf(r)).pmf(0), "s_*": threshold(b, r),
        r"s_{\text{steep}}": steepest_similarity(b, r), r"\Pr(\text{one band agrees})": binom(r, s).pmf(r),
        "C": lambda s: float(candidate_probability(s, b, r)), "N": 6, "n": range(1, 7), "s_#": similarities,
        r"\operatorname{E}|\mathcal{C}|": sum(1 - binom(b, t**r).pmf(0) for t in similarities),
    }  # fmt: skip
    of_sets, of_rotation, of_waves = sets(rng), turned, waves(rng)
    own = dict.fromkeys(
        ["hashing-jaccard", "hashing-minhash", "hashing-minhash-collision", "hashing-must-know-minhash"], of_sets
    ) | {
        "hashing-minhash-estimate": of_sets | {"m": 8}, "hashing-minhash-variance": of_sets | {"m": 8},
        "hashing-spectral-modes": of_waves, "hashing-spectral-bit": of_waves,
        "hashing-procrustes": of_rotation | {r"\mathbf{R}": best},
    }  # fmt: skip
    own |= dict.fromkeys(
        ["hashing-projection", "hashing-quantization", "hashing-expanded", "hashing-code-step", "hashing-svd",
         "hashing-trace", "hashing-descent"], of_rotation,
    )  # fmt: skip
    values = vectors(rng) | bands
    card = "hashing-must-know-"
    side = bool(values[r"h_{\mathbf{w}}(\mathbf{x})"](values[r"\mathbf{w}"]))
    missed = binom(b, binom(r, s).pmf(r)).pmf(0)
    return Instance(values, own, worth={f"{card}curve:2": missed}, truth={f"{card}hyperplane:1": side})


UNREAD: dict[str, str] = {}
