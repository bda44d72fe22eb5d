"""One sweep of collapsed Gibbs sampling: each row leaves its table and is seated again.

The derivation seats one row at a time. Here the weights of a block of rows are computed together, as long as nobody
moves: seating a row where it sat leaves all weights as they are. After a move the weights of two tables are computed
again for the rows that follow. From the same uniform numbers both ways draw the same seats.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_vector
from notes_lib.clustering.dirichlet_process.checks import check_concentration, check_groups, check_prior, check_rows
from notes_lib.clustering.dirichlet_process.conjugate import (
    NormalInverseWishart,
    distances,
    log_counted,
    log_new,
    posterior_of,
    predictive_of,
)

ROWS = 256  # of a block: enough for products to pay, few enough that little is computed again after a move


def gibbs_sweep(
    X: ArrayLike, labels: ArrayLike, alpha: float, prior: NormalInverseWishart, uniforms: ArrayLike
) -> IntArray:
    """Seat every row once more, in their order, given all others; :eq:`dirichlet-process-gibbs`.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array of int
        The table of each row, from 0; -1 is a row that has no seat yet, as all of them before the first sweep.
    alpha : float
        Concentration, positive.
    prior : NormalInverseWishart
    uniforms : (n,) array
        A number in [0, 1) for each row: its seat is where the summed weights, tables in their order and the new one
        last, exceed this share of their total.

    Returns
    -------
    (n,) array of int
        The new tables. A new table takes the smallest number that is free; a row that sat alone and opens a new table
        keeps its own.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, a label is below -1, ``alpha`` is not positive, the prior is none, or a uniform number
        lies outside [0, 1).

    Notes
    -----
    O(n K d^2 + M N d^2) time for K tables, M rows that move and N rows of a table.

    Examples
    --------
    >>> prior = NormalInverseWishart([0.0], 0.1, 1.0, [[1.0]])
    >>> gibbs_sweep([[0.0], [0.1], [9.0], [9.1]], [-1, -1, -1, -1], 1.0, prior, [0.5, 0.5, 0.5, 0.5])
    array([0, 0, 1, 1])
    """
    alpha, prior = check_concentration(alpha), NormalInverseWishart(*check_prior(*prior))
    X = check_rows(X, len(prior.mean))
    z, u = check_groups(labels).astype(int), check_vector(uniforms, "uniforms", len(X))
    if len(z) != len(X) or z.min() < -1:
        raise ValueError(
            f"labels must be {len(X)} tables, one for each row of X, from 0 (-1: no seat), got {z.tolist()}."
        )
    if not ((u >= 0) & (u < 1)).all():
        raise ValueError("uniforms must lie in [0, 1): draw them with rng.random(n).")
    return sweep(X, z, alpha, prior, u)


def sweep(X: FloatArray, z: IntArray, alpha: float, prior: NormalInverseWishart, u: FloatArray) -> IntArray:
    """:func:`gibbs_sweep` of arguments that are known to fit."""
    z = z.copy()
    for start in range(0, len(X), ROWS):
        rows = np.arange(start, min(start + ROWS, len(X)))
        tables = [table_weights(X, z, k, prior, rows) for k in range(z.max() + 1)]
        new = np.log(alpha) + predictive_of(X[rows], prior)
        while len(rows):
            alone = (z[rows] >= 0) & (np.bincount(z[z >= 0], minlength=1)[z[rows]] == 1)
            same = np.where(alone, len(tables), z[rows])  # who sits alone and draws a new table keeps this one
            drawn = choose(np.column_stack([*tables, new]), u[rows])
            moved = np.flatnonzero(drawn != same)
            if not len(moved):
                break
            n = moved[0]
            left, seat = int(z[rows[n]]), free_table(z) if drawn[n] == len(tables) else int(drawn[n])
            z[rows[n]] = seat
            rows, new = rows[n + 1 :], new[n + 1 :]
            tables = [column[n + 1 :] for column in tables] + [np.empty(0)] * (seat == len(tables))
            for k in {left, seat} - {-1}:
                tables[k] = table_weights(X, z, k, prior, rows)
    return z


def table_weights(X: FloatArray, z: IntArray, k: int, prior: NormalInverseWishart, rows: IntArray) -> FloatArray:
    """Log-weight of table k for each of the rows, given all other rows; -inf where nobody else sits."""
    members, here = z == k, z[rows] == k
    size = int(members.sum())
    weights = np.full(len(rows), -np.inf)
    if size and len(rows):
        posterior = posterior_of(prior, X[members])
        spread, log_det = distances(X[rows], posterior)
        weights[~here] = math.log(size) + log_new(spread[~here], log_det, posterior)  # dirichlet-process-gibbs
        if size > 1:
            weights[here] = math.log(size - 1) + log_counted(spread[here], log_det, posterior)
    return weights


def choose(log_weights: FloatArray, u: FloatArray) -> IntArray:
    """In each row the first column at which the summed weights exceed the share u of their total."""
    weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
    summed = weights.cumsum(axis=1)
    return (summed <= u[:, None] * summed[:, -1:]).sum(axis=1)


def free_table(z: IntArray) -> int:
    """The smallest number of a table at which nobody sits."""
    taken = np.bincount(z[z >= 0]) > 0
    return int(np.append(~taken, True).argmax())
