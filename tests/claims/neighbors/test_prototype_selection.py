"""The quiz of the chapter *Prototype selection*, decided: see ``tests/claims/deciding.py``."""

from itertools import combinations, product

import numpy as np

from notes_lib.neighbors.nearest_neighbors import k_nearest
from notes_lib.neighbors.prototype_selection import (
    edited_posterior,
    edited_risk,
    hart_condense,
    inconsistent,
    multi_edit,
    wilson_edit,
)
from tests.claims.deciding import Numbers, Words, decided

SMALL = 1e-9


def _clouds(seed, n=60, gap=1.0):
    """Two classes that overlap, in random order; the border of Bayes's rule is where the first feature is 0."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2)
    return rng.normal(size=(n, 2)) + gap * np.outer(2 * y - 1, [1, 0]), y


def _one_nn(X, y, rows, queries):
    return y[rows][k_nearest(X[rows], queries, 1).indices[:, 0]]


def quiz_posterior(eta, k):
    r"""$\eta=<eta>$, one round of editing with $k=<k>$. The posterior among the kept is"""
    assert k == 1
    pairs = {(a, b): (eta if a else 1 - eta) * (eta if b else 1 - eta) for a, b in product((0, 1), repeat=2)}
    kept = pairs[1, 1] + pairs[0, 0]  # label and vote agree
    return Numbers(pairs[1, 1] / kept, [pairs[1, 1], eta, edited_posterior(eta, rounds=60)])


def quiz_wilson():
    """Which can change the result of Wilson's editing?"""
    sets = [_clouds(seed) for seed in range(5)]

    def changes(edit):
        return any(not np.array_equal(edit(X, y), wilson_edit(X, y)) for X, y in sets)

    def in_another_order(X, y):
        order = np.random.default_rng(9).permutation(len(X))
        return np.sort(order[wilson_edit(X[order], y[order])])

    return {
        "the order of the rows": changes(in_another_order),
        "the unit of one feature": changes(lambda X, y: wilson_edit(X * [1, 20], y)),
        "a common factor for all features": changes(lambda X, y: wilson_edit(7 * X, y)),
        "exchanging the names of two classes": changes(lambda X, y: wilson_edit(X, 1 - y)),
    }


def quiz_hart():
    """Which are true for Hart's store? (Mark all.)"""
    runs = []
    for seed in range(8):
        X, y = _clouds(seed, 30)
        order = np.random.default_rng(seed).permutation(30)
        runs.append((X, y, order, hart_condense(X, y, order).store))
    line, halves = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    stores = [hart_condense(line, halves, order).store for order in (range(8), [3, 4, 0, 1, 2, 5, 6, 7])]
    pairs = [pair for pair in combinations(range(8), 2) if not inconsistent(line, halves, pair).size]
    return {
        "It holds an instance of every class": all(set(y[store]) == {0, 1} for _, y, _, store in runs),
        "It is the smallest consistent subset": all(len(store) == len(min(pairs, key=len)) for store in stores),
        "It holds the first instance of the order": all(order[0] in store for _, _, order, store in runs),
        "It is the same for all orders": set(stores[0]) == set(stores[1]),
    }


def quiz_noise():
    """The labels are noisy, and you want a small store with a low error. What do you do?"""

    def with_itself(X, y):
        votes = y[k_nearest(X, X, 3).indices].mean(axis=1) > 0.5
        return np.flatnonzero(votes == y)

    def condensed(X, y, rows):
        return rows[hart_condense(X[rows], y[rows]).store]

    def edited(X, y, rows):
        return rows[wilson_edit(X[rows], y[rows])]

    ways = {
        "condense, then edit": lambda X, y, rows: edited(X, y, condensed(X, y, rows)),
        "edit, then condense": lambda X, y, rows: condensed(X, y, edited(X, y, rows)),
        "condense only": condensed,
        "edit with the instance among its own neighbours": lambda X, y, rows: with_itself(X, y),
    }
    errors, sizes = dict.fromkeys(ways, 0.0), dict.fromkeys(ways, 0.0)
    for seed in range(10):
        X, truth = _clouds(seed, 300, gap=2.5)
        y = np.where(np.random.default_rng(seed).random(300) < 0.1, 1 - truth, truth)
        queries, right = _clouds(100 + seed, 500, gap=2.5)
        for name, choose in ways.items():
            rows = choose(X, y, np.arange(300))
            errors[name] += (_one_nn(X, y, rows, queries) != right).mean() / 10
            sizes[name] += len(rows) / 10
    assert errors["condense only"] > 5 * errors["edit, then condense"]
    return {
        name: errors[name] < min(errors.values()) + 0.01 and sizes[name] < 1.1 * min(sizes.values()) for name in ways
    }


def quiz_multi():
    """Multi-edit comes nearer to Bayes's rule than Wilson's rule repeated with one vote because"""
    unlike: dict[str, list[float]] = {"drawn": [], "same": []}
    kept: dict[str, list[int]] = {"drawn": [], "same": []}
    for seed in range(6):
        X, y = _clouds(seed, 500)
        queries, _ = _clouds(100 + seed, 500)
        rows, before = np.arange(500), 0
        while len(rows) != before:
            before, rows = len(rows), rows[wilson_edit(X[rows], y[rows], k=1)]
        for name, left in [("drawn", multi_edit(X, y, random_state=seed).kept), ("same", rows)]:
            unlike[name].append((_one_nn(X, y, left, queries) != (queries[:, 0] > 0)).mean())
            kept[name].append(len(left))
    gain = np.subtract(unlike["same"], unlike["drawn"])
    return {
        "its judges are drawn anew in every round": gain.mean() > 3 * gain.std(ddof=1) / len(gain) ** 0.5,
        "it uses more votes": Words("both have one vote, by their definition"),
        "it keeps more instances": np.mean(kept["drawn"]) > np.mean(kept["same"]),
        "it moves the border to where the posterior is one half": edited_posterior(0.5) != 0.5,
    }


def tf_border():
    """Editing moves the set where the posterior is one half."""
    assert edited_posterior(0.51) > 0.51
    assert edited_posterior(0.49) < 0.49
    return any(edited_posterior(0.5, k, rounds) != 0.5 for k in (1, 3, 5) for rounds in (1, 2))


def tf_last():
    """If no equal rows have different labels, every training instance is right in the last pass of Hart's procedure."""
    equal = hart_condense([[0.0], [0.0], [1.0]], [0, 1, 1])
    assert inconsistent([[0.0], [0.0], [1.0]], [0, 1, 1], equal.store).size
    runs = [(*_clouds(seed), hart_condense(*_clouds(seed))) for seed in range(8)]
    return all(run.added[-1] == 0 and not inconsistent(X, y, run.store).size for X, y, run in runs)


def tf_lower():
    """A condensed set has a lower error on new instances than the whole set."""
    worse = []
    for seed in range(10):
        X, y = _clouds(seed, 200, gap=2.0)
        queries, truth = _clouds(50 + seed, 1000, gap=2.0)
        stores = [hart_condense(X, y).store, np.arange(200)]
        errors = [(_one_nn(X, y, rows, queries) != truth).mean() for rows in stores]
        worse.append(errors[0] - errors[1])
    assert np.mean(worse) > 2 * np.std(worse, ddof=1) / 10**0.5
    return all(difference < 0 for difference in worse)


def tf_never():
    """With two classes and independent votes, editing never raises the limit of the error of 1-NN."""
    eta = np.linspace(0, 1, 401)
    whole = edited_risk(eta, rounds=0)
    assert (edited_risk(eta) < whole - 1e-3).any()
    return all((edited_risk(eta, k) <= whole + SMALL).all() for k in (1, 3, 5, 9))


test_claim = decided("neighbors/prototype_selection", globals())
