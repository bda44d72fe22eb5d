"""Exercises on sufficient statistics: sums over the rows of both chunks, sizes of arrays, times that are equal."""

import numpy as np
from scipy.optimize import brentq

from tests.solutions.ledger import Worked


def _scatter(x):
    return float(np.sum((x - np.mean(x)) ** 2))


def _chunk(size, mean, variance):
    """Rows with this mean and variance, half of them below and half above."""
    return mean + variance**0.5 * np.where(np.arange(size) % 2, 1, -1)


A, B = _chunk(4, 10, 3), _chunk(6, 20, 3)
BOTH = np.concatenate([A, B])
SUMMARY = {"n_a": len(A), "n_b": len(B), "n": len(BOTH), r"\bar x_a": np.mean(A), r"\bar x_b": np.mean(B),
           "S_a": _scatter(A), "S_b": _scatter(B), r"\delta": np.mean(B) - np.mean(A)}  # fmt: skip
BETWEEN = _scatter(BOTH) - _scatter(A) - _scatter(B)


def ex_variance():
    moved = [len(x) * (np.mean(x) - np.mean(BOTH)) ** 2 for x in (A, B)]
    return Worked(
        {**SUMMARY, "S": _scatter(BOTH), r"\bar x": np.mean(BOTH)},
        own={r"\sum_n(x_n-v)^2=S_a+n_a(\bar x_a-v)^2": {"n": range(1, 5), "x_#": A, "v": 11.3}},
        numbers=[len(A), len(B), np.mean(A), np.mean(B), np.var(A), np.var(B), moved, BETWEEN],
        known=[_scatter(BOTH), np.var(BOTH)],
    )


def _bytes(columns):
    """Of a count, the means and one triangle of a scatter."""
    return 8 + np.zeros(columns).nbytes + np.zeros((columns, columns))[np.triu_indices(columns)].nbytes


def ex_bytes():
    rows, columns, chunks, components, passes = 10**9, 20, 1000, 5, 30
    summary = _bytes(columns)
    back = components * summary * chunks * passes
    assert back < rows * np.zeros(columns).nbytes / 500
    return Worked(
        numbers=[rows, columns, np.zeros(1).nbytes, chunks, components, passes, summary * chunks],
        known=[len(np.triu_indices(columns)[0]), summary, summary * chunks / 1e6, back / 1e8],
    )


def ex_pass():
    workers, centres = [np.array([0, 2, 9]), np.array([3, 11])], np.array([1, 8])
    nearest = lambda x: np.abs(x[:, None] - centres).argmin(axis=1)
    parts = [[x[nearest(x) == k] for k in range(2)] for x in workers]
    (first, second), other = parts
    rows = np.concatenate(workers)
    assert np.allclose([np.mean(rows[nearest(rows) == k]) for k in range(2)], [5 / 3, 10])
    own = [[np.mean(part) for part in found] for found in parts]
    return Worked(
        numbers=[
            workers[0], workers[1], centres, 1, len(first), first.sum(), 2, len(second), second.sum(),
            [[len(part), part.sum()] for part in other], np.mean(own, axis=0),
        ],
    )  # fmt: skip


def ex_even():
    workers, start, compute = 4, 6, 0.5
    cluster = lambda chunks, send=0.1: start + chunks / workers * (send + compute)
    even = brentq(lambda chunks: cluster(chunks) - chunks * compute, 1, 1000, xtol=1e-12)
    many = 1e12
    never = brentq(lambda send: cluster(many, send) - many * compute, 0, 9)
    assert np.isclose(never, 1.5)
    return Worked(
        {"C_*": even},
        numbers=[workers, start, compute, 0.1, next(c for c in range(1, 99) if cluster(c) < c * compute)],
        known=[even, many * compute / cluster(many)],
    )


def ex_code():
    empty = np.zeros(0)
    return Worked({"n": len(empty)}, numbers=[[len(empty), empty.sum(), (empty**2).sum()]])


def cards():
    spread = np.std(A, ddof=1)
    D, C = 7, 8
    left, mergers, rounds = C, 0, 0
    while left > 1:  # in each round of a tree neighbours are merged
        mergers, rounds, left = mergers + left // 2, rounds + 1, left - left // 2
    a, b = np.full(3, 2.0), np.full(1, 10.0)
    mean = np.mean([*a, *b])
    exchanged = np.average([a[0], b[0]], weights=[len(b), len(a)])
    pairs = [np.array([-1.0, 1.0]), np.array([3.0, 5.0])]
    inside, union = sum(map(_scatter, pairs)), _scatter(np.concatenate(pairs))
    between = union - inside
    columns = 10
    triangle = len(np.triu_indices(columns)[0])
    return {
        "lost-marks-scatter": Worked(SUMMARY, numbers=[BETWEEN]),
        "lost-marks-divisor": Worked(
            {**SUMMARY, "s_a": spread},
            own={"S_a=n_a s_a^2": {"s_a": np.std(A)}},  # it would hold for the divisor n
            numbers=[spread**2, _scatter(A) / spread**2, _scatter(A)],
        ),
        "do-not-confuse-ways": Worked(numbers=[1, 1]),
        "what-if-twice": Worked({"n": len(A)}, numbers=[2, _scatter(A) / spread**2]),
        "counting": Worked(
            {"D": D, "C": C}, numbers=[len(np.triu_indices(D)[0]), mergers, rounds]
        ),
        "convention-scatter": Worked(
            {**SUMMARY, r"\sigma": np.std(BOTH), r"\sigma_a": np.std(A), r"\sigma_b": np.std(B)},
            numbers=[len(A), len(B), np.mean(A), np.mean(B), np.var(A), np.var(BOTH)],
        ),
        "quiz-mean": Worked(
            numbers=[len(a), a[0], len(b), b[0], (a[0] + b[0]) / 2, mean, mean, exchanged, a[0] + b[0]]
        ),
        "quiz-scatter": Worked(
            numbers=[len(pairs[0]), _scatter(pairs[0]), np.mean(pairs[1]) - np.mean(pairs[0]), inside,
                     inside + 2 * between, 2, union, union, inside + between**0.5],
        ),
        "quiz-numbers": Worked(
            numbers=[columns, 1 + columns + columns**2, _bytes(columns) / 8, 1 + columns + triangle, 1 + triangle,
                     1 + 2 * columns],
            known=[triangle],
        ),
    }  # fmt: skip
