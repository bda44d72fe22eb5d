"""Prototype selection: what Wilson's rule keeps, posteriors after editing, and a step of Hart's procedure."""

import numpy as np
from scipy.stats import binom

from notes_lib.neighbors.nearest_neighbors import k_nearest
from notes_lib.neighbors.prototype_selection import edited_posterior, edited_risk, hart_condense, wilson_edit
from tests.formulas.values import At, Instance

LEAST = (100, 100)


def of_set(seed):
    """Nine instances of two classes: what is kept, and a consistent store; instances are counted from 1."""
    rng = np.random.default_rng(seed)
    N, k = 9, 3
    X, y = rng.normal(size=(N, 2)), np.append([1, 2], rng.integers(1, 3, N - 2))
    near = [frozenset(int(j) + 1 for j in row) for row in k_nearest(X, None, k).indices]
    store = hart_condense(X, y).store
    nearest = store[k_nearest(X[store], X, 1).indices[:, 0]] + 1
    return {
        "N": N, "n": range(1, N + 1), "c": range(1, 3), "y_#": y, r"\mathbf{x}_#": X, r"\mathbb{1}": 1,
        r"\mathcal{N}_k": lambda n: near[int(n) - 1],
        r"\mathcal{V}": frozenset(int(n) + 1 for n in wilson_edit(X, y, k)),
        r"\mathcal{S}": frozenset(int(n) + 1 for n in store),
        r"\mathrm{nn}(\mathbf{x}_#;\mathcal{S})": nearest,
    }  # fmt: skip


def of_step(seed):
    """An instance that a store gets wrong, and the store after the library has seen it."""
    rng = np.random.default_rng(seed)
    while True:
        X, y = rng.normal(size=(9, 2)), np.append([1, 2], rng.integers(1, 3, 7))
        run = hart_condense(X, y)
        if len(run.store) > 3:
            break
    before, n = run.store[:3], run.store[3]
    nearest = before[k_nearest(X[before], X, 1).indices[:, 0]] + 1
    rows = lambda store: frozenset(int(i) + 1 for i in store)
    return {
        "n": range(n + 1, n + 2), "y_#": y, r"\mathbf{x}_#": X, r"\mathcal{S}": rows(before),
        r"\mathrm{nn}(\mathbf{x}_#;\mathcal{S})": nearest, r"\mathcal{S}\leftarrow": rows(run.store[:4]),
    }  # fmt: skip


def instance(seed):
    """A posterior, an odd number of votes, and a number of rounds."""
    rng = np.random.default_rng(seed)
    eta, k, m = float((0.2, 0.8, 0.35, 0.6)[seed] + 0.05 * rng.random()), (1, 3, 5, 7)[seed], seed + 1
    majority = binom.sf(k // 2, k, eta)
    kept = eta * majority + (1 - eta) * (1 - majority)
    after, rounds = float(edited_posterior(eta, k)), float(edited_posterior(eta, 1, m))
    risk = float(edited_risk(eta, k))
    values = {
        **of_set(seed), "k": k, "m": m, r"\eta": eta, r"\eta'": after, r"\eta^{(m)}": rounds, "Z": kept, "r": risk,
        "A_k": At(lambda p: binom.sf(k // 2, k, p), r"\eta"), "A_1": At(lambda p: binom.sf(0, 1, p), r"\eta"),
        r"r^\star": min(eta, 1 - eta), "j": range(0, k + 1),
    }  # fmt: skip
    single = {"k": 1, "r": float(edited_risk(eta)), r"\eta'": float(edited_posterior(eta))}
    card = "prototype-selection-must-know-"
    own = {
        "prototype-selection-wilson": {"j": range(1, 10)}, "prototype-selection-condense": of_step(seed),
        "prototype-selection-bound": single, f"{card}wilson:1": {"k": 3},
        **{f"{card}posterior:{i}": single for i in (1, 2, 3)}, **{f"{card}risk:{i}": single for i in (1, 2, 3)},
    }  # fmt: skip
    worth = {
        "prototype-selection-bound": {2: (1 + 2**0.5) / 2},
        f"{card}posterior:3": 2.0**m,
        f"{card}risk:3": float(edited_risk(eta, rounds=0)),
        f"{card}risk:1": {2: 1.207 * min(eta, 1 - eta)},
    }
    return Instance(values, own, worth)
