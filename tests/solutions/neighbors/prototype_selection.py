"""Exercises on prototype selection: traces in plain loops, posteriors by enumeration of label and vote."""

from itertools import combinations, pairwise, product

import numpy as np
from scipy.optimize import brentq

from notes_lib.neighbors.prototype_selection import edited_posterior, edited_risk, hart_condense, wilson_edit
from tests.formulas.values import At
from tests.solutions.ledger import Worked

ONE_NN = 1  # the 1 of 1-NN


def _edited(eta):
    """Shares of class 1 and class 0 that are kept with one vote, and the error of 1-NN."""
    share = {(a, b): (eta if a else 1 - eta) * (eta if b else 1 - eta) for a, b in product((0, 1), repeat=2)}
    ones, zeros = share[1, 1], share[0, 0]
    return ones, zeros, (eta * zeros + (1 - eta) * ones) / (ones + zeros)


def _hart(x, y, order):
    """Hart's passes on a line: what is stored, and how many there are."""
    store, passes, before = [order[0]], 0, 0
    while len(store) > before:
        before, passes = len(store), passes + 1
        for i in order:
            nearest = min(store, key=lambda j: abs(x[i] - x[j]))  # of equally near ones the older
            store += [i] if i not in store and y[nearest] != y[i] else []
    return store, passes


def _near(x, i, k):
    """The instances of a line that are nearest to one of them."""
    return sorted((j for j in range(len(x)) if j != i), key=lambda j: abs(x[i] - x[j]))[:k]


def _gone(x, y, k):
    """What Wilson's rule removes from a line with two classes."""
    return [x[i] for i in range(len(x)) if 2 * sum(y[j] == y[i] for j in _near(x, i, k)) < k]


def _borders(x, y, rows):
    """Where 1-NN on a line changes its answer."""
    rows = sorted(rows, key=lambda i: x[i])
    return [(x[i] + x[j]) / 2 for i, j in pairwise(rows) if y[i] != y[j]]


def ex_consistent():
    x, y = np.zeros(2), [0, 1]
    apart = abs(x[0] - x[1])
    return Worked({"x_#": x, "y_#": y}, numbers=[abs(x[0] - x[0]), y, apart])


def ex_posterior():
    eta = 0.9
    ones, zeros, error = _edited(eta)
    odds = eta / (1 - eta)
    balanced = {r"\eta": float(edited_posterior(0.5))}
    return Worked(
        {r"\eta": eta, "k": 1, r"\eta'": ones / (ones + zeros), "Z": ones + zeros},
        own={r"\eta=\tfrac12": balanced},
        numbers=[
            1, ONE_NN, ONE_NN, 1, 1, 0, zeros, 1, odds, error, eta * (1 - eta) + (1 - eta) * eta,
            min(eta, 1 - eta),
        ],
        known=[error],
    )  # fmt: skip


def ex_orders():
    x, y = list(range(8)), [0] * 4 + [1] * 4
    store, passes = _hart(x, y, x)
    other, _ = _hart(x, y, [3, 4, 0, 1, 2, 5, 6, 7])
    right = lambda pair: all(abs(i - pair[y[i]]) < abs(i - pair[1 - y[i]]) for i in x)
    pairs = [pair for pair in combinations(x, 2) if y[pair[0]] < y[pair[1]] and right(pair)]
    middles = sorted(set(x[:4])), sorted(set(x[4:]))
    last, first = middles[0][-1], middles[1][0]
    tie = abs(store[0] - 2)
    assert tie == abs(store[1] - 2)
    assert passes == 3
    sums = {a + b for a, b in pairs}
    assert len(sums) == 1
    two = lambda total: {"a": total / 2 - 1, "b": total / 2 + 1}
    return Worked(
        {"a": pairs[0][0], "b": pairs[0][1]},
        own={"a+b=6": two(2 * last), "a+b=8": two(2 * first)},
        numbers=[
            x[:4], 0, x[4:], 1, x[:3], x[-1], other, store[0], x[1:4], store[1], x[5:], 1, 2, tie, tie, store[0],
            store[2], store[1], sorted(store), sorted(other), sorted(other), last, first, pairs, last, first, pairs[0],
        ],
    )  # fmt: skip


def ex_pay():
    N, S = 10_000, 500
    spent, saved = sum(N for _ in range(S)), N - S
    queries = next(q for q in range(10**6) if q * saved > spent)
    many = {"N": 10**9, "S": 500}
    return Worked({"N": N, "S": S}, own={r"NS/(N-S)\approx S": many}, numbers=[queries], known=[saved, spent / saved])


def ex_wilson():
    x, y = [2, 4, 8, 20, 18, 25, 27], [0, 0, 0, 0, 1, 1, 1]
    one, three = _gone(x, y, 1), _gone(x, y, 3)
    everything, after, single = (
        _borders(x, y, [i for i in range(7) if x[i] not in out]) for out in (_gone(x, [0] * 7, 1), three, one)
    )
    assert len(after) == len(single) == 1
    intruder, fellow = (sorted(x[j] for j in _near(x, i, 3)) for i in (3, 4))
    return Worked(
        {"k": 1},
        worlds=[{"k": 3}],
        numbers=[
            x[:4], 0, x[4:], 1, ONE_NN, sorted(one), three, intruder, 1, x[4], fellow,
            after,
        ],
        known=[everything, single, single[0] - after[0]],
    )  # fmt: skip


def ex_factor():
    f = lambda u: u / (1 - 2 * u + 2 * u**2)
    best = brentq(lambda u: f(u + 1e-6) - f(u - 1e-6), 0.5, 1)  # where the slope is 0
    rest = 0.3
    quotient = edited_risk(rest) / rest
    return Worked(
        {r"r^\star": rest, "u": 1 - rest, "f": At(f, "u"), r"\mathbb{E}r": float(edited_risk(rest)),
         r"\mathbb{E}r^\star": rest},
        own={r"u=1/\sqrt2": {"u": best},
             r"f=\frac{1/\sqrt2}{2-\sqrt2}=\frac{1}{2\sqrt2-2}=\frac{1+\sqrt2}{2}": {"f": f(best)}},
        numbers=[quotient, 0, 0.5, [0.5, 1], edited_risk(rest)],
        known=[f(best)],
    )  # fmt: skip


def cards():
    eta, k, N, rounds = 0.8, 1, 9, 60
    ones, zeros, error = _edited(eta)
    x, y = [0, 4, 6, 11], [0, 0, 1, 1]
    stores = [[0, 3], [0, 1, 2]]
    middle = (x[1] + x[2]) / 2
    fewer, more = (_borders(x, y, rows) for rows in stores)
    assert all(len(_hart(x, y, [*rows, *set(range(4)).difference(rows)])[0]) == len(rows) for rows in stores)
    assert more == [middle]
    twins = np.repeat([0.0, 1, 5], 2)[:, None]
    labels = np.repeat([0, 1, 1], 2)
    assert len(wilson_edit(twins, labels, k)) == len(twins)
    far = hart_condense([[0.0], [1.0], [60.0], [61.0]], [0, 0, 1, 1]).store
    pairs = list(combinations(range(N), 2))
    half = float(edited_posterior(0.5))
    share = {r"\eta": eta, "Z": ones + zeros, "r": error}
    return {
        "lost-marks-self": Worked({"k": k}, numbers=[3, abs(x[0] - x[0])]),
        "do-not-confuse-two": Worked(numbers=[ONE_NN, abs(x[0] - x[0]), abs(x[0] - x[0])]),
        "what-if-twice": Worked({"k": k}, numbers=[len(twins) / 3, abs(x[0] - x[0])]),
        "what-if-k": Worked({"N": N}, numbers=[len(_near(range(N), 0, N))]),
        "counterexample-small": Worked(
            numbers=[x[:2], y[0], x[2:], y[-1], middle, [x[i] for i in stores[0]], [x[i] for i in stores[1]],
                     fewer, middle, fewer, more],
        ),
        "counting": Worked({"N": N, "N_#": [4, 5], "k": 3}, numbers=[len(pairs), 4, 5, len(far)]),
        "convention-one": Worked(numbers=[ONE_NN, ONE_NN]),
        "quiz-posterior": Worked(
            {r"\eta": eta, "k": k},
            numbers=[round(eta / (1 - eta)) ** 2, round(ones / zeros) + 1, ones / (ones + zeros), eta / (1 - eta),
                     ones / zeros, ones, 1, ones + zeros, eta, edited_posterior(0.0), edited_posterior(1.0),
                     edited_posterior(eta, rounds=rounds)],
        ),
        "quiz-multi": Worked(numbers=[half, half / (1 - half), half / (1 - half)]),
        "tf-border": Worked(numbers=[half, half / (1 - half), half / (1 - half)]),
        "tf-last": Worked(numbers=[abs(x[0] - x[0])]),
        "tf-never": Worked(share, numbers=[ONE_NN, sum(_edited(0.5)[:2])]),
    }  # fmt: skip
