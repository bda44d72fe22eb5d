"""What clusters say about the data: how large a segment is, what sets it apart, and whether it comes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from notes_lib.checks import FloatArray, check_codes, check_integer, check_matrix, check_positive
from notes_lib.numerics import RandomState, check_rng


class SegmentProfile(NamedTuple):
    """Result of :func:`segment_profile`: ``shares`` (J,), ``means`` (J, d) and ``standouts`` (J, d)."""

    shares: FloatArray
    means: FloatArray
    standouts: FloatArray


def segment_profile(X: ArrayLike, labels: ArrayLike) -> SegmentProfile:
    """Size and mean of each segment, and by how much its mean stands out; :eq:`mixture-discriminant-standout`.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array of int
        Segments 0..J-1, each with at least one row.

    Returns
    -------
    SegmentProfile
        ``standouts`` are distances of the means from the mean of all rows, in standard deviations (divisor n) of all
        rows; 0 in a constant column.

    Raises
    ------
    ValueError
        If a label is missing, negative or no integer, or a segment is empty.

    Notes
    -----
    O(n d) time. The squares of a column's standouts, weighted by the shares, add up to the share of its variance that
    lies between the segments: :eq:`mixture-discriminant-explained`.

    Examples
    --------
    >>> profile = segment_profile([[0.0], [2.0], [10.0], [12.0]], [0, 0, 1, 1])
    >>> profile.means.ravel().tolist(), profile.standouts.ravel().round(3).tolist()
    ([1.0, 11.0], [-0.981, 0.981])
    """
    X = check_matrix(X, "X")
    labels = check_segments(labels, len(X))
    counts = np.bincount(labels)
    B = np.eye(len(counts))[labels]  # (n, J)
    center = X.mean(axis=0)
    offsets = B.T @ (X - center) / counts[:, None]  # (J, d)
    spread = X.std(axis=0)
    varies = spread > 1e-12 * np.abs(X).max(axis=0)
    standouts = np.where(varies, offsets / np.where(varies, spread, 1.0), 0.0)  # mixture-discriminant-standout
    return SegmentProfile(counts / len(X), center + offsets, standouts)


def segment_names(standouts: ArrayLike, feature_names: Sequence[str], least: float = 0.5, most: int = 3) -> list[str]:
    """Name each segment by the features that set it apart: the largest standouts, in words.

    Parameters
    ----------
    standouts : (J, d) array
        Of :func:`segment_profile`.
    feature_names : sequence of d str
    least : float
        Standouts that are smaller in size are not worth a word.
    most : int
        Number of features in a name at most.

    Returns
    -------
    list of J str
        As "high price, low weight", the largest first; "average" where nothing stands out.

    Raises
    ------
    TypeError, ValueError
        If there is not a name for each column, ``least`` is not positive, or ``most`` is not an integer of at least 1.

    Examples
    --------
    >>> segment_names([[0.2, -1.5], [0.1, 0.3]], ["price", "weight"])
    ['low weight', 'average']
    """
    Z = check_matrix(standouts, "standouts")
    check_positive(least, "least")
    check_integer(most, "most")
    if len(feature_names) != Z.shape[1]:
        raise ValueError(f"feature_names must name {Z.shape[1]} columns, got {len(feature_names)} names.")
    names = []
    for z in Z:
        order = [j for j in np.argsort(-np.abs(z), kind="stable") if abs(z[j]) >= least]
        words = [f"{'high' if z[j] > 0 else 'low'} {feature_names[j]}" for j in order[:most]]
        names.append(", ".join(words) or "average")
    return names


def segment_matches(labels: ArrayLike, others: ArrayLike) -> FloatArray:
    """Similarity of each segment to the one that matches it best in another clustering of the same rows.

    Implements :eq:`mixture-discriminant-jaccard`: the rows in both, over the rows in either.

    Parameters
    ----------
    labels, others : (n,) arrays of int
        Segments 0..J-1 and 0..L-1, each with at least one row; the numbers need not correspond.

    Returns
    -------
    (J,) array
        From above 0 to 1: the same rows.

    Raises
    ------
    ValueError
        If a label is missing, negative or no integer, or a segment is empty.

    Examples
    --------
    >>> segment_matches([0, 0, 0, 1], [1, 1, 0, 0]).round(3)
    array([0.667, 0.5  ])
    """
    a = check_segments(labels, np.size(labels))
    b = check_segments(others, len(a), "others")
    both = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(both, (a, b), 1.0)
    either = both.sum(axis=1)[:, None] + both.sum(axis=0) - both
    return (both / either).max(axis=1)  # mixture-discriminant-jaccard


def segment_stability(
    clusterer: Any, X: ArrayLike, n_bootstrap: int = 50, random_state: RandomState = None
) -> FloatArray:
    """How well each segment comes back when the data are drawn anew: its match in clusterings of bootstrap samples.

    Parameters
    ----------
    clusterer : estimator with ``fit`` and ``predict``
        Such as :class:`~notes_lib.clustering.kmeans.KMeans`; its clones are fitted, it is left alone. Fit and labels
        are of all rows of ``X``; each clone is fitted to a sample drawn with replacement, and labels all rows.
    X : (n, d) array
    n_bootstrap : int
    random_state : int, Generator, RandomState or None
        For the samples.

    Returns
    -------
    (n_bootstrap, J) array
        See :func:`segment_matches`. By Hennig's rule of thumb a mean below 0.6 is no segment to rely on, one of 0.75 or
        more is a valid pattern, and one of 0.85 or more is highly stable.

    Raises
    ------
    TypeError, ValueError
        If ``n_bootstrap`` is not an integer of at least 1, the clusterer has no ``predict``, or it refuses the data.

    Notes
    -----
    ``n_bootstrap + 1`` fits. Source: Hennig (2007), who matches on the rows of the sample only.

    Examples
    --------
    >>> from notes_lib.clustering.kmeans import KMeans
    >>> segment_stability(KMeans(2, random_state=0), [[0.0], [0.1], [5.0], [5.1]] * 5, 3, random_state=0)
    array([[1., 1.],
           [1., 1.],
           [1., 1.]])
    """
    X = check_matrix(X, "X")
    check_integer(n_bootstrap, "n_bootstrap")
    if not hasattr(clusterer, "predict"):
        raise TypeError("clusterer must have fit and predict, as KMeans or GaussianMixture: new rows need a label.")
    rng, n = check_rng(random_state), len(X)
    labels = present(clone(clusterer).fit(X).predict(X))
    samples = rng.integers(0, n, (n_bootstrap, n))
    return np.array([segment_matches(labels, present(clone(clusterer).fit(X[rows]).predict(X))) for rows in samples])


def present(labels: ArrayLike) -> np.ndarray:
    """The same segments numbered 0..J-1 without gaps: a component may win no row."""
    return np.unique(labels, return_inverse=True)[1]


def check_segments(labels: ArrayLike, n: int, name: str = "labels") -> np.ndarray:
    """Integers from 0 upwards, one for each row, none of them left out."""
    codes = check_codes(labels, name, n, n)
    missing = np.flatnonzero(np.bincount(codes) == 0)
    if missing.size:
        raise ValueError(f"{name} leave segment {missing[0]} without a row: number the segments 0..J-1 without gaps.")
    return codes
