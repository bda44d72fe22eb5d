"""Evaluation of scores: ROC curve, AUC, precision-recall curve."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import FloatArray, IntArray, check_choice
from notes_lib.foundations.evaluation.checks import (
    Array,
    Ranked,
    average_classes,
    check_weights,
    class_probabilities,
    encode,
    ranked,
    ranked_classes,
    split_scores,
)


class Roc(NamedTuple):
    """Result of :func:`roc_curve`: ``fpr`` and ``tpr`` rising from 0 to 1, ``thresholds`` falling from infinity."""

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray


class PrecisionRecall(NamedTuple):
    """Result of :func:`precision_recall_curve`: ``precision`` and ``recall`` (m + 1,), rising ``thresholds`` (m,)."""

    precision: FloatArray
    recall: FloatArray
    thresholds: FloatArray


class _Sweep(NamedTuple):
    """Falling distinct scores, and how many positive and negative instances score at least that much."""

    thresholds: FloatArray
    tp: Array
    fp: Array


def _sweep(positive: Ranked, negative: Ranked) -> _Sweep:
    scores = np.sort(np.concatenate([positive.scores, negative.scores]))
    distinct = scores[np.r_[True, scores[1:] != scores[:-1]]]  # tied instances cross the threshold together
    tp, fp = (group.above[np.searchsorted(group.scores, distinct)] for group in (positive, negative))
    return _Sweep(distinct[::-1], tp[::-1], fp[::-1])


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> Roc:
    """True-positive rate against false-positive rate as the threshold falls; :eq:`evaluation-roc`.

    Parameters
    ----------
    y_true : (n,) array
        Labels of two classes.
    y_score : (n,) array
        Finite numbers, larger for more positive; probabilities or any other scale.
    pos_label : label or None
        The positive class; None for 1 among the labels {0, 1} or {-1, 1}.
    sample_weight : (n,) array or None
        What each instance counts, as in :func:`confusion_matrix`; one of weight 0 adds no point.
    drop_intermediate : bool
        Leave out points half-way between their two neighbours, but for the first after (0, 0): the curve stays the
        same.

    Returns
    -------
    Roc
        One point for each distinct score (instances with tied scores enter together) after the point (0, 0) with
        threshold infinity. An instance is positive if its score is at least the threshold.

    Raises
    ------
    ValueError
        Bad labels, weights or scores (NaN, infinity, integers beyond 2^53), different lengths, another number of
        classes than two (a rate of an empty class is not defined), or no ``pos_label`` for other labels than 0, 1 and
        -1, 1.

    Notes
    -----
    O(n log n) time, O(n) memory. Source: Fawcett (2006), algorithm 1.

    Examples
    --------
    >>> roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).tpr
    array([0. , 0.5, 0.5, 1. , 1. ])
    """
    thresholds, tp, fp = _sweep(*ranked_classes(y_true, y_score, pos_label, sample_weight))
    if drop_intermediate and len(fp) > 1:
        corner = (np.diff(fp, 2) != 0) | (np.diff(tp, 2) != 0)
        thresholds, tp, fp = (a[np.r_[True, corner, True]] for a in (thresholds, tp, fp))
    thresholds, tp, fp = np.r_[np.inf, thresholds], np.r_[0, tp], np.r_[0, fp]
    return Roc(fp / fp[-1], tp / tp[-1], thresholds)  # evaluation-roc


def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    sample_weight: ArrayLike | None = None,
    multi_class: str = "raise",
    labels: ArrayLike | None = None,
) -> Any:
    """Area under the ROC curve: the share of (positive, negative) pairs in the right order, ties counted one half.

    Implements :eq:`evaluation-auc-pairs`, which equals the area :eq:`evaluation-auc-area`. More than two classes are
    taken one against the rest, :eq:`evaluation-auc-ovr`, or in pairs, :eq:`evaluation-auc-ovo`.

    Parameters
    ----------
    y_true : (n,) array
        Labels; of two classes the one that sorts last is positive.
    y_score : (n,) array, or (n, K) array for more than two classes
        As in :func:`roc_curve`; for K classes their probabilities, sorted by label.
    average : {'macro', 'weighted'} or None
        For more than two classes: 'macro' is the plain mean, 'weighted' weights by the numbers of instances, None
        (with 'ovr') gives the array of the areas. Two classes have one area, and nothing to average.
    sample_weight : (n,) array or None
        What each instance counts, as in :func:`confusion_matrix`: a pair counts the product. (scikit-learn takes none
        with 'ovo'.)
    multi_class : {'raise', 'ovr', 'ovo'}
        'ovr': each class against all others. 'ovo': the mean over all pairs of classes of the two areas that the
        columns of the two classes give among their instances.
    labels : (K,) array or None
        All classes, for a check of the columns; more than two classes only.

    Returns
    -------
    float, or (K,) array if ``average`` is None
        1 if every positive scores above every negative, 0.5 for scores that say nothing.

    Raises
    ------
    ValueError
        Bad labels, scores or weights, different lengths, fewer than two classes, more than two without
        ``multi_class``, rows of ``y_score`` that are no distributions, a class without instances, or unknown
        ``average`` or ``multi_class``.

    Notes
    -----
    O(n log n) time for two classes, O(n) memory: each positive finds its place among the sorted negatives. Source:
    Hanley and McNeil (1982), Radiology 143, 29-36; Hand and Till (2001), Machine Learning 45, 171-186.

    Examples
    --------
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    check_choice(multi_class, "multi_class", ("raise", "ovr", "ovo"))
    if labels is not None and multi_class == "raise":
        raise ValueError("labels are used with multi_class='ovr' or 'ovo' only: set one of these, or leave labels out.")
    if average not in ("macro", "weighted") and (average is not None or multi_class == "ovo"):
        raise ValueError(f"average must be 'macro', 'weighted', or None with multi_class='ovr', got {average!r}.")
    if multi_class != "raise" and (labels is not None or len(encode(y_true=y_true).classes) > 2):
        codes, proba = class_probabilities(y_true, y_score, labels, "y_score")
        return _auc_of_classes(codes, proba, check_weights(sample_weight, len(codes)), average, multi_class)
    return _area(*ranked_classes(y_true, y_score, None, sample_weight, last=True))


def _area(positive: Ranked, negative: Ranked) -> float:
    ends = (np.searchsorted(negative.scores, positive.scores, side=side) for side in ("left", "right"))
    beaten = negative.above[0] - sum(negative.above[end] for end in ends) / 2
    pairs = -np.diff(positive.above) @ beaten
    return float(pairs / positive.above[0] / negative.above[0])  # evaluation-auc-pairs


def _auc_of_classes(
    codes: IntArray, proba: FloatArray, weights: Array | None, average: str | None, multi_class: str
) -> Any:
    sizes = np.bincount(codes, weights, minlength=proba.shape[1])
    if (sizes == 0).any():
        raise ValueError("y_true must hold every class of labels: a rate of a class without instances is not defined.")

    def group(member: NDArray[np.bool_], k: int) -> Ranked:
        return ranked(proba[member, k], None if weights is None else weights[member])

    own = [group(codes == k, k) for k in range(len(sizes))]
    if multi_class == "ovr":
        areas = np.array([_area(own[k], group(codes != k, k)) for k in range(len(sizes))])  # evaluation-auc-ovr
        return areas if average is None else average_classes(areas, sizes if average == "weighted" else sizes**0)
    i, j = np.triu_indices(len(sizes), 1)
    pairs = [*zip(i.tolist(), j.tolist(), strict=True), *zip(j.tolist(), i.tolist(), strict=True)]
    one = [_area(own[a], group(codes == b, a)) for a, b in pairs]
    areas = np.reshape(one, (2, len(i))).mean(axis=0)  # evaluation-auc-ovo
    return average_classes(areas, sizes[i] + sizes[j] if average == "weighted" else i**0)


def roc_auc_standard_error(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Standard error of the AUC by DeLong's formula; :eq:`evaluation-delong`.

    Parameters
    ----------
    y_true, y_score : (n,) arrays
        As in :func:`roc_auc_score`, two classes.

    Returns
    -------
    float
        0 for a perfect ranking, where the formula says nothing.

    Raises
    ------
    ValueError
        As in :func:`roc_auc_score`; if a class has one instance only.

    Notes
    -----
    O(n log n) time. Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845.

    Examples
    --------
    >>> round(roc_auc_standard_error([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.3536
    """
    positive, negative = split_scores(y_true, y_score, last=True)
    if min(len(positive), len(negative)) < 2:
        raise ValueError("y_true must hold two instances of each class: one alone does not show how far scores vary.")
    beaten = _half_ties(negative, positive) / len(negative)  # by each positive
    above = 1 - _half_ties(positive, negative) / len(positive)  # each negative
    return float(np.sqrt(beaten.var(ddof=1) / len(positive) + above.var(ddof=1) / len(negative)))  # evaluation-delong


def _half_ties(others: FloatArray, scores: FloatArray) -> FloatArray:
    """How many of the sorted ``others`` lie below each score, ties counted one half."""
    return (np.searchsorted(others, scores, side="left") + np.searchsorted(others, scores, side="right")) / 2


def precision_recall_curve(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> PrecisionRecall:
    """Precision and recall for every threshold; :eq:`evaluation-pr`.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in :func:`roc_curve`.

    Returns
    -------
    PrecisionRecall
        ``thresholds`` (m,) are the distinct scores in ascending order; the curves have one more point at their end,
        precision 1 and recall 0, that belongs to no threshold.

    Raises
    ------
    ValueError
        As in :func:`roc_curve`.

    Notes
    -----
    O(n log n) time, O(n) memory.

    Examples
    --------
    >>> precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).recall
    array([1. , 1. , 0.5, 0.5, 0. ])
    """
    sweep = _sweep(*ranked_classes(y_true, y_score, pos_label, sample_weight))
    tp, fp = sweep.tp[::-1], sweep.fp[::-1]
    precision, recall = tp / (tp + fp), tp / tp[0]  # evaluation-pr
    return PrecisionRecall(np.r_[precision, 1.0], np.r_[recall, 0.0], sweep.thresholds[::-1])


def average_precision_score(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = 1, sample_weight: ArrayLike | None = None
) -> float:
    """Mean precision, weighted by the steps of recall; :eq:`evaluation-average-precision`.

    Parameters
    ----------
    y_true, y_score : (n,) arrays
        As in :func:`roc_curve`.
    pos_label : label
        The positive class.
    sample_weight : (n,) array or None
        As in :func:`roc_curve`.

    Returns
    -------
    float
        1 for a perfect ranking; about the share of positives for scores that say nothing.

    Raises
    ------
    ValueError
        As in :func:`roc_curve`.

    Notes
    -----
    O(n log n) time, O(n) memory. A sum of rectangles, not the trapezoidal area, which is too optimistic: between two
    points of a precision-recall curve the true curve is not a straight line.

    Examples
    --------
    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    precision, recall, _ = precision_recall_curve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return float(-np.diff(recall) @ precision[:-1])  # evaluation-average-precision
