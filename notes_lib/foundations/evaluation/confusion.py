"""Evaluation of predicted labels: the confusion matrix, and what is said of all classes together."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_labels
from notes_lib.foundations.evaluation.checks import Array, check_weights, encode


class Counts(NamedTuple):
    """Result of :func:`one_vs_rest_counts`: true positives, false negatives, false positives, true negatives, (K,)."""

    tp: Array
    fn: Array
    fp: Array
    tn: Array


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: str | None = None,
) -> IntArray | FloatArray:
    """Count instances by true class (row) and predicted class (column); :eq:`evaluation-confusion`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Labels, both of numbers or both of text.
    labels : (K,) array or None
        Classes in the order of the rows; instances with another label are left out. All classes, sorted, if None.
    sample_weight : (n,) array or None
        What each instance counts, not negative: weight 2 is the same as a second row. 1 each if None.
    normalize : {'true', 'pred', 'all'} or None
        Divide each row, each column, or everything by its sum (a sum of 0 leaves zeros).

    Returns
    -------
    (K, K) array
        Entry ``[i, j]``: instances of true class i predicted as class j, or the sum of their weights (an integer if
        the weights are). For labels 0 and 1: [[TN, FP], [FN, TP]].

    Raises
    ------
    ValueError
        If a vector is empty, holds NaN, fractions or mixed types, or the lengths differ; if ``labels`` repeats a label
        or holds none of those in ``y_true``; if ``normalize`` is unknown; if ``sample_weight`` has another length, a
        negative, NaN or infinite entry, or none above 0.

    Notes
    -----
    O(n + K^2) time for integers in a short range, O(n log n) for other labels.

    Examples
    --------
    >>> confusion_matrix([1, 1, 1, 0, 0], [1, 1, 0, 0, 1])
    array([[1, 1],
           [1, 2]])
    """
    if normalize not in (None, "true", "pred", "all"):
        raise ValueError(f"normalize must be 'true', 'pred', 'all' or None, got {normalize!r}.")
    C = _chosen(y_true, y_pred, labels, ("y_true", "y_pred"), sample_weight)
    if normalize is None:
        return C
    total = C.sum(axis={"true": 1, "pred": 0, "all": None}[normalize], keepdims=True)
    return C / np.where(total == 0, 1, total)


def table(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> tuple[Array, Array]:
    """Confusion matrix of all labels, and the labels (K,), sorted; ``names`` of the two vectors for errors."""
    classes, (truth, guess) = encode(**dict(zip(names, (y_true, y_pred), strict=True)))
    w, K = check_weights(sample_weight, len(truth)), len(classes)
    C = np.bincount(truth * K + guess, w, minlength=K * K).reshape(K, K)  # evaluation-confusion
    return C if w is None else C.astype(w.dtype), classes


def positions(classes: Array, labels: ArrayLike) -> list[int]:
    """Where each of ``labels``, which must differ, stands in ``classes`` (K,); K for one that is not there."""
    known, wanted = classes.tolist(), check_labels(labels=labels)[0].tolist()
    if len(set(wanted)) != len(wanted):
        raise ValueError(f"labels must differ, got {wanted}.")
    place = {label: k for k, label in enumerate(known)}
    return [place.get(label, len(known)) for label in wanted]


def _chosen(
    first: ArrayLike,
    second: ArrayLike,
    labels: ArrayLike | None,
    names: tuple[str, str],
    sample_weight: ArrayLike | None,
) -> Array:
    """Table of all labels, or of ``labels`` with zeros for one that no instance carries."""
    C, found = table(first, second, sample_weight, names)
    if labels is None:
        return C
    index = positions(found, labels)
    C = np.pad(C, (0, 1))
    if not C[index].any():
        raise ValueError(f"labels must hold at least one label of {names[0]}, got {np.asarray(labels).tolist()}.")
    return C[np.ix_(index, index)]


def one_vs_rest_counts(C: ArrayLike) -> Counts:
    """Take each class in turn as the positive one; :eq:`evaluation-counts`.

    Parameters
    ----------
    C : (K, K) array
        Confusion matrix, ``C[i, j]``: true i, predicted j.

    Returns
    -------
    Counts
        Four arrays (K,); for each class they add up to the number of instances.

    Raises
    ------
    ValueError
        If ``C`` is not square, or an entry is no number, negative, NaN or infinite.

    Examples
    --------
    >>> one_vs_rest_counts([[65, 5], [10, 20]]).fn
    array([ 5, 10])
    """
    C = np.asarray(C)
    if C.ndim != 2 or C.shape[0] != C.shape[1]:
        raise ValueError(f"C must be a square confusion matrix, got shape {C.shape}.")
    if C.dtype.kind not in "iuf" or not (np.isfinite(C) & (np.sign(C) >= 0)).all():
        raise ValueError("C must hold counts or shares, finite and not negative: count with confusion_matrix.")
    tp = np.diag(C)
    fn, fp = C.sum(axis=1) - tp, C.sum(axis=0) - tp
    return Counts(tp, fn, fp, C.sum() - tp - fn - fp)


def accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
    """Share of the instances that are predicted right, or their number; :eq:`evaluation-accuracy`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Labels of any number of classes, as in :func:`confusion_matrix`.
    normalize : bool
        Whether to divide by n, or by the sum of the weights.
    sample_weight : (n,) array or None
        As in :func:`confusion_matrix`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Bad labels or weights, as in :func:`confusion_matrix`.

    Examples
    --------
    >>> accuracy_score(["cat", "dog", "dog"], ["cat", "cat", "dog"], normalize=False)
    2.0
    """
    C, _ = table(y_true, y_pred, sample_weight)
    return float(np.trace(C) / C.sum() if normalize else np.trace(C))


def cohen_kappa_score(
    y1: ArrayLike,
    y2: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    weights: str | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Agreement of two raters beyond what their marginal frequencies give by chance; :eq:`evaluation-kappa`.

    Parameters
    ----------
    y1, y2 : (n,) arrays
        Labels that the two raters gave; exchanging them changes nothing.
    labels : (K,) array or None
        As in :func:`confusion_matrix`; gives the order of the classes that ``weights`` needs.
    weights : {'linear', 'quadratic'} or None
        How bad a disagreement is: its distance in ``labels``, that squared, or 1 for each; see
        :eq:`evaluation-weighted-kappa`.
    sample_weight : (n,) array or None
        As in :func:`confusion_matrix`.

    Returns
    -------
    float
        1 for full agreement, 0 for the agreement expected by chance, negative for less.

    Raises
    ------
    ValueError
        Bad labels or weights, as in :func:`confusion_matrix`; unknown ``weights``; if both raters gave one and
        the same label to every instance, because kappa is then 0/0.

    Notes
    -----
    Source: Cohen (1960), Educational and Psychological Measurement 20, 37-46.

    Examples
    --------
    >>> round(cohen_kappa_score([1, 1, 1, 0, 0], [1, 1, 0, 0, 1]), 4)
    0.1667
    """
    if weights not in (None, "linear", "quadratic"):
        raise ValueError(f"weights must be 'linear', 'quadratic' or None, got {weights!r}.")
    C = _chosen(y1, y2, labels, ("y1", "y2"), sample_weight)
    distance = np.abs(np.subtract.outer(np.arange(len(C)), np.arange(len(C))))
    W = {None: np.minimum(distance, 1), "linear": distance, "quadratic": distance**2}[weights]
    expected = np.outer(C.sum(axis=1), C.sum(axis=0)) / (C.sum() or 1)
    by_chance = (W * expected).sum()
    if by_chance == 0:
        raise ValueError("y1 and y2 share one label throughout, or none, so kappa is 0/0: report the agreement.")
    return float(1 - (W * C).sum() / by_chance)  # evaluation-weighted-kappa


def matthews_corrcoef(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Correlation of true and predicted class; :eq:`evaluation-mcc`, for more classes :eq:`evaluation-mcc-multiclass`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Labels, as in :func:`confusion_matrix`; exchanging the two changes nothing.
    sample_weight : (n,) array or None
        As in :func:`confusion_matrix`.

    Returns
    -------
    float
        1 for a perfect prediction, 0 on average for a random one, -1 (two classes) for one that is always wrong. Where
        one of the two is constant the quotient is 0/0 and 0.0 is returned: it carries no information.

    Raises
    ------
    ValueError
        Bad labels or weights, as in :func:`confusion_matrix`.

    Notes
    -----
    Source: Matthews (1975), Biochimica et Biophysica Acta 405, 442-451; Gorodkin (2004), Comput. Biol. Chem. 28.

    Examples
    --------
    >>> round(matthews_corrcoef([1, 1, 1, 0, 0], [1, 1, 0, 0, 1]), 4)
    0.1667
    """
    C = table(y_true, y_pred, sample_weight)[0].astype(float)
    n, t, p = C.sum(), C.sum(axis=1), C.sum(axis=0)
    if min(np.count_nonzero(t), np.count_nonzero(p)) < 2:
        return 0.0  # exactly, where a difference of sums of weights would leave a rounding error
    spread = np.sqrt(max(n * n - t @ t, 0.0)) * np.sqrt(max(n * n - p @ p, 0.0))
    return float((n * np.trace(C) - t @ p) / spread) if spread > 0 else 0.0  # evaluation-mcc-multiclass


_MEANS: dict[str, Callable[[float, float], float]] = {
    "arithmetic": lambda u, v: (u + v) / 2,
    "geometric": lambda u, v: math.sqrt(u * v),
    "min": min,
    "max": max,
}
