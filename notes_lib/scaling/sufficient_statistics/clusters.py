"""Summaries of a chunk for given centres or given components: one pass of k-means, of EM, of mini-batches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_counts, check_shape
from notes_lib.clustering.gmm import blocks, e_step
from notes_lib.clustering.gmm.steps import MStep
from notes_lib.clustering.kmeans import assign
from notes_lib.clustering.kmeans.blocks import squared_to, sum_of_squares
from notes_lib.numerics import BLOCK, aligned_empty, row_blocks
from notes_lib.scaling.sufficient_statistics.steps import Moments, merge_moments


class ClusterSums(NamedTuple):
    """Of each cluster the number of rows (k,) and their sum (k, d) about ``shift``; ``cost`` is the objective."""

    counts: FloatArray
    sums: FloatArray
    cost: float


class MixtureMoments(NamedTuple):
    """Moments of the components, weighted by responsibilities, the sum of the log-densities, the number of rows."""

    moments: Moments
    log_likelihood: float
    count: int  # type: ignore[assignment]  # a tuple has a method of this name


class Candidates(NamedTuple):
    """Rows farthest from their own centres: squared distances (m,), rows (m, d), clusters (m,), farthest first."""

    distances: FloatArray
    rows: FloatArray
    labels: IntArray


def cluster_sums(X: FloatArray, centers: FloatArray, shift: FloatArray) -> ClusterSums:
    """Assign the rows of a chunk to their nearest centres, and add up each cluster.

    Implements :eq:`sufficient-statistics-clusters`; the labels are not kept.

    Parameters
    ----------
    X : (n, d) array
    centers : (k, d) array
    shift : (d,) array
        A point near the middle of all rows: sums about it lose few digits.

    Notes
    -----
    O(n k d) time, O(k d) memory beside a block of rows. Of several equally near centres the first one is taken.

    Examples
    --------
    >>> cluster_sums(np.array([[0.0], [2.0], [9.0]]), np.array([[1.0], [8.0]]), np.zeros(1))
    ClusterSums(counts=array([2., 1.]), sums=array([[2.],
           [9.]]), cost=3.0)
    """
    mu = centers - shift
    k, d = mu.shape
    norms = sum_of_squares(mu, axis=1)
    A = np.column_stack([-2.0 * mu, norms])  # (k, d + 1)
    sums, cost = np.zeros((k, d + 1)), 0.0
    slack, size = 8 * (d + 1) * np.finfo(float).eps, min(BLOCK, len(X))
    room, table = np.ones((size, d + 1)), aligned_empty(k, size)  # one for all blocks: they stay in the cache
    for rows in row_blocks(len(X)):
        B = room[: rows.stop - rows.start]  # its last column holds ones
        np.subtract(X[rows], shift, out=B[:, :-1])
        r2 = np.einsum("md,md->m", B[:, :-1], B[:, :-1])
        D = np.matmul(A, B.T, out=table[:, : len(B)])  # (k, m): |x - mu|^2 - |x|^2
        least = D.min(axis=0)
        cost += float(least.sum() + r2.sum())
        r2 += norms.max()
        r2 *= slack
        r2 += least  # what is no farther is a tie but for rounding
        Z = np.less_equal(D, r2, out=D)  # one-hot but for ties, written over D
        S = Z @ B
        if S[:, -1].sum() > len(B):
            tied = np.flatnonzero(Z.sum(axis=0) > 1)
            nearest = squared_to(B[tied, :-1], mu).argmin(axis=1)
            Z[:, tied] = 0.0
            Z[nearest, tied] = 1.0
            S = Z @ B
        sums += S
    return ClusterSums(sums[:, -1].copy(), sums[:, :-1].copy(), cost)


def add_cluster_sums(a: ClusterSums, b: ClusterSums) -> ClusterSums:
    """Sums over both chunks; O(k d) time.

    Examples
    --------
    >>> part = ClusterSums(np.array([1.0]), np.array([[3.0]]), 0.5)
    >>> add_cluster_sums(part, part)
    ClusterSums(counts=array([2.]), sums=array([[6.]]), cost=1.0)
    """
    return ClusterSums(a.counts + b.counts, a.sums + b.sums, a.cost + b.cost)


def farthest_rows(X: FloatArray, centers: FloatArray, m: int) -> Candidates:
    """The rows of a chunk that lie farthest from their own centres: what an empty cluster may be given."""
    labels = assign(X, centers)
    far = sum_of_squares(X - centers[labels], axis=1)
    first = np.argsort(-far, kind="stable")[:m]
    return Candidates(far[first], X[first], labels[first])


def merge_candidates(a: Candidates, b: Candidates) -> Candidates:
    """The farthest rows of both; at equal distance those of the earlier chunk."""
    distances = np.concatenate([a.distances, b.distances])
    first = np.argsort(-distances, kind="stable")[: max(len(a.distances), len(b.distances))]
    rows, labels = np.concatenate([a.rows, b.rows]), np.concatenate([a.labels, b.labels])
    return Candidates(distances[first], rows[first], labels[first])


def fill_empty(sums: ClusterSums, candidates: Candidates, shift: FloatArray) -> ClusterSums:
    """Move the farthest row into each empty cluster, as :func:`~notes_lib.clustering.kmeans.reseed_empty` does."""
    counts, totals = sums.counts.copy(), sums.sums.copy()
    empty = list(np.flatnonzero(counts == 0))
    for x, donor in zip(candidates.rows - shift, candidates.labels, strict=True):
        if empty and counts[donor] > 1:
            k = empty.pop(0)
            counts[donor] -= 1
            totals[donor] -= x
            counts[k], totals[k] = 1, x
    return ClusterSums(counts, totals, sums.cost)


def mini_batch_step(centers: ArrayLike, counts: ArrayLike, X: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """One step of mini-batch k-means: each centre moves to the mean of all rows that it has been given so far.

    Implements :eq:`sufficient-statistics-mini-batch`; the rows given earlier are not assigned again.

    Parameters
    ----------
    centers : (k, d) array
    counts : (k,) array
        How many rows each centre has been given; 0 at the start.
    X : (n, d) array
        The batch.

    Returns
    -------
    centers : (k, d) array
    counts : (k,) array

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite or a count is negative.

    Notes
    -----
    O(n k d) time. Source: Sculley (2010), *Web-scale k-means clustering*.

    Examples
    --------
    >>> mini_batch_step([[0.0], [8.0]], [1, 1], [[2.0], [9.0], [10.0]])
    (array([[1.],
           [9.]]), array([2., 3.]))
    """
    mu = check_shape(centers, "centers", (None, None))
    X, v = check_shape(X, "X", (None, mu.shape[1])), check_counts(counts, "counts")
    batch = cluster_sums(X, mu, np.zeros(mu.shape[1]))
    total = check_shape(v, "counts", (len(mu),)) + batch.counts
    moved = (batch.sums - batch.counts[:, None] * mu) / np.maximum(total, 1)[:, None]
    return mu + moved, total  # sufficient-statistics-mini-batch


def mixture_moments(X: FloatArray, theta: MStep, covariance_type: str = "full") -> MixtureMoments:
    """E-step on a chunk, and what the M-step needs of it; :eq:`sufficient-statistics-mixture`.

    Parameters
    ----------
    X : (n, d) array
    theta : MStep
        Weights, means and covariances before the pass, the same for all chunks.
    covariance_type : {'full', 'tied', 'diag', 'spherical'}

    Notes
    -----
    O(n K d^2) time, O(n K) memory.

    Examples
    --------
    >>> theta = MStep(np.ones(1), np.zeros((1, 1)), np.ones(1))
    >>> mixture_moments(np.array([[1.0], [3.0]]), theta, "spherical").moments
    Moments(count=array([2.]), mean=array([[2.]]), scatter=array([[2.]]))
    """
    step = e_step(X, *theta, covariance_type)
    return weighted_moments(X, step.responsibilities.T, float(step.log_likelihood.sum()), covariance_type)


def weighted_moments(X: FloatArray, gamma: FloatArray, log_likelihood: float, covariance_type: str) -> MixtureMoments:
    """Moments of the rows for given responsibilities (K, n)."""
    N = gamma.sum(axis=1)  # (K,)
    mean = np.divide(gamma @ X, N[:, None], out=np.zeros((len(N), X.shape[1])), where=N[:, None] > 0)
    scatter = blocks.scatter(X, gamma, mean, full=covariance_type in ("full", "tied"))
    return MixtureMoments(Moments(N, mean, scatter), log_likelihood, len(X))


def merge_mixture_moments(a: MixtureMoments, b: MixtureMoments) -> MixtureMoments:
    """Those of both chunks, by :func:`merge_moments`; O(K d^2) time.

    Examples
    --------
    >>> theta = MStep(np.ones(1), np.zeros((1, 1)), np.ones(1))
    >>> a, b = (mixture_moments(np.array([[x]]), theta, "spherical") for x in (1.0, 3.0))
    >>> merge_mixture_moments(a, b).moments.scatter
    array([[2.]])
    """
    return MixtureMoments(merge_moments(a.moments, b.moments), a.log_likelihood + b.log_likelihood, a.count + b.count)


def mixture_parameters(found: MixtureMoments, covariance_type: str = "full", reg_covar: float = 1e-6) -> MStep:
    """The M-step from merged moments; :eq:`sufficient-statistics-mixture-step`.

    Raises
    ------
    ValueError
        If a component has responsibility for no row (names it).

    Notes
    -----
    O(K d^2) time, whatever the number of rows.

    Examples
    --------
    >>> found = MixtureMoments(Moments(np.array([2.0]), np.array([[2.0]]), np.array([[2.0]])), 0.0, 2)
    >>> mixture_parameters(found, "diag", reg_covar=0.0).covariances
    array([[1.]])
    """
    N, mean, S = found.moments
    for k in np.flatnonzero(~(N > 0)):
        raise ValueError(
            f"component {k} has responsibility for no row, so its mean is undefined: use fewer components "
            "or another start."
        )
    Sigma = S.sum(axis=0) / found.count if covariance_type == "tied" else (S.T / N).T
    if covariance_type == "spherical":
        Sigma = Sigma.mean(axis=1)
    ridge = reg_covar * (np.eye(mean.shape[1]) if S.ndim == 3 else 1.0)
    return MStep(N / found.count, mean, Sigma + ridge)  # sufficient-statistics-mixture-step
