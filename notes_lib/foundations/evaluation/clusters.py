"""Agreement of two partitions: purity, pair counts, Rand index, mutual information."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from notes_lib.checks import IntArray
from notes_lib.foundations.evaluation.checks import encode
from notes_lib.foundations.evaluation.confusion import _MEANS


class PairCounts(NamedTuple):
    """Result of :func:`pair_counts`: numbers of unordered pairs; "positive" means in one group."""

    tp: int
    fp: int
    fn: int
    tn: int


class _Overlap(NamedTuple):
    """Class, cluster and size of each non-empty cell of the contingency table; sizes of classes and of clusters."""

    i: IntArray
    j: IntArray
    n_ij: IntArray
    a: IntArray
    b: IntArray


def _overlap(labels_true: ArrayLike, labels_pred: ArrayLike) -> _Overlap:
    classes, (truth,) = encode(labels_true=labels_true)
    clusters, (found,) = encode(labels_pred=labels_pred)
    if len(truth) != len(found):
        raise ValueError(f"labels_true and labels_pred must have one length, got {len(truth)} and {len(found)}.")
    K, L = len(classes), len(clusters)
    cell = truth * L + found  # evaluation-contingency
    if 1000 + len(cell) >= K * L:
        table = np.bincount(cell, minlength=K * L)
        cells = np.flatnonzero(table)
        counts = table[cells]
    else:  # many small groups: most cells of the table are empty
        cells, counts = np.unique(cell, return_counts=True)
    return _Overlap(cells // L, cells % L, counts, np.bincount(truth), np.bincount(found))


def purity_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Share of the instances that belong to the commonest class of their cluster; :eq:`evaluation-purity`.

    Parameters
    ----------
    labels_true, labels_pred : (n,) arrays
        Class and cluster of each instance; numbers or text, one type in each.

    Returns
    -------
    float
        From (size of the largest class) / n to 1. Splitting clusters never lowers it: one instance a cluster gives 1.

    Raises
    ------
    ValueError
        If a vector is empty, holds NaN or mixed types, or the lengths differ.

    Examples
    --------
    >>> purity_score(["a", "a", "b", "b"], [0, 0, 0, 1])
    0.75
    """
    overlap = _overlap(labels_true, labels_pred)
    largest = np.zeros(len(overlap.b), dtype=int)
    np.maximum.at(largest, overlap.j, overlap.n_ij)
    return float(largest.sum() / overlap.b.sum())


def pair_counts(labels_true: ArrayLike, labels_pred: ArrayLike) -> PairCounts:
    """Count pairs of instances by whether class and cluster put them together; :eq:`evaluation-pairs`.

    Parameters
    ----------
    labels_true, labels_pred : (n,) arrays
        As in :func:`purity_score`.

    Returns
    -------
    PairCounts
        Of the n (n - 1) / 2 pairs: ``tp`` together in both, ``fp`` in the cluster only, ``fn`` in the class only,
        ``tn`` in neither.

    Raises
    ------
    ValueError
        As in :func:`purity_score`.

    Notes
    -----
    O(n) time, and O(n log n) if there are many groups; no pair is looked at.

    Examples
    --------
    >>> pair_counts([0, 0, 1, 1], [0, 0, 0, 1])
    PairCounts(tp=1, fp=2, fn=1, tn=2)
    """
    overlap = _overlap(labels_true, labels_pred)
    both, classes, clusters = (int((m * (m - 1) // 2).sum()) for m in (overlap.n_ij, overlap.a, overlap.b))
    n = int(overlap.a.sum())
    return PairCounts(both, clusters - both, classes - both, n * (n - 1) // 2 - classes - clusters + both)


def rand_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Share of the pairs on which two partitions agree; :eq:`evaluation-rand`.

    Parameters
    ----------
    labels_true, labels_pred : (n,) arrays
        As in :func:`purity_score`; exchanging the two changes nothing.

    Returns
    -------
    float
        From 0 to 1; 1 if the partitions are equal up to the names of the groups (also for n = 1, with no pair).

    Raises
    ------
    ValueError
        As in :func:`purity_score`.

    Notes
    -----
    Time as :func:`pair_counts`. Source: Rand (1971), J. Am. Stat. Assoc. 66, 846-850.

    Examples
    --------
    >>> rand_score([0, 0, 1, 1], [0, 0, 0, 1])
    0.5
    """
    pairs = pair_counts(labels_true, labels_pred)
    return (pairs.tp + pairs.tn) / sum(pairs) if any(pairs) else 1.0


def adjusted_rand_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Rand index corrected for chance, 0 on average for random labels; :eq:`evaluation-adjusted-rand`.

    Parameters
    ----------
    labels_true, labels_pred : (n,) arrays
        As in :func:`purity_score`; exchanging the two changes nothing.

    Returns
    -------
    float
        At most 1, reached by equal partitions; negative if they agree less than by chance.

    Raises
    ------
    ValueError
        As in :func:`purity_score`.

    Notes
    -----
    Time as :func:`pair_counts`. Source: Hubert and Arabie (1985), Journal of Classification 2, 193-218.

    Examples
    --------
    >>> adjusted_rand_score([0, 0, 1, 1], [0, 0, 0, 1])
    0.0
    """
    tp, fp, fn, _ = pairs = pair_counts(labels_true, labels_pred)
    if fp == fn == 0:
        return 1.0  # equal partitions, the only case in which the quotient may be 0/0
    expected = (tp + fp) * (tp + fn) / sum(pairs)
    return (tp - expected) / ((tp + fp + tp + fn) / 2 - expected)


def normalized_mutual_info_score(
    labels_true: ArrayLike, labels_pred: ArrayLike, *, average_method: str = "arithmetic"
) -> float:
    """Mutual information of class and cluster over a mean of their entropies; :eq:`evaluation-nmi`.

    Parameters
    ----------
    labels_true, labels_pred : (n,) arrays
        As in :func:`purity_score`; exchanging the two changes nothing.
    average_method : {'arithmetic', 'geometric', 'min', 'max'}
        Which mean of the two entropies to divide by.

    Returns
    -------
    float
        From 0 (independent, or only one of the partitions has a single group) to 1 (equal up to names; also if both
        have a single group).

    Raises
    ------
    ValueError
        As in :func:`purity_score`, or for an unknown ``average_method``.

    Notes
    -----
    Time as :func:`pair_counts`. The base of the logarithm cancels. Source: Strehl and Ghosh (2002), J. Mach. Learn.
    Res. 3, 583-617, for the geometric mean; Manning, Raghavan and Schuetze (2008), section 16.3, for the arithmetic.

    Examples
    --------
    >>> round(normalized_mutual_info_score([0, 0, 1, 1], [0, 0, 0, 1]), 4)
    0.3437
    """
    if average_method not in _MEANS:
        raise ValueError(f"average_method must be one of {', '.join(_MEANS)}, got {average_method!r}.")
    overlap = _overlap(labels_true, labels_pred)
    if len(overlap.a) == len(overlap.b) == 1:
        return 1.0
    if len(overlap.a) == 1 or len(overlap.b) == 1:
        return 0.0
    mean = _MEANS[average_method](_entropy(overlap.a), _entropy(overlap.b))
    return max(_mutual_information(overlap), 0.0) / mean


def _entropy(counts: IntArray) -> float:
    return float(entr(counts / counts.sum()).sum())


def _mutual_information(overlap: _Overlap) -> float:
    """Mutual information of class and cluster in nats, from the cells that are not empty."""
    i, j, n_ij, a, b = overlap
    n = n_ij.sum()
    ratio = (n_ij / a[i]) * (n / b[j])  # p_ij / (p_i p_j)
    return float((n_ij / n * np.log(ratio)).sum())  # evaluation-mutual-information
