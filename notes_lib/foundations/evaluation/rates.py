"""Evaluation of predicted labels, one class against the rest: precision, recall and the other rates."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import check_real
from notes_lib.foundations.evaluation.checks import Array, average_classes, positive_class, quotient
from notes_lib.foundations.evaluation.confusion import Counts, one_vs_rest_counts, positions, table

Mean = str | None  # values of ``average``
Fill = float | str  # values of ``zero_division``


def precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Mean = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: Fill = "warn",
) -> Any:
    """TP / (TP + FP): how many of the instances called positive are so; :eq:`evaluation-precision`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Labels, as in :func:`confusion_matrix`.
    labels : (J,) array or None
        Classes to take as positive in turn, in this order, where ``average`` is not 'binary'; instances of the others
        are their negatives. All classes, sorted, if None.
    pos_label : label
        The positive class; used with ``average='binary'`` only.
    average : {'binary', 'micro', 'macro', 'weighted'} or None
        'binary': the score of ``pos_label``, for two classes. Otherwise each class is taken as positive in turn:
        'micro' adds up the counts first, 'macro' is the mean of the scores, 'weighted' their mean weighted by the
        numbers of true instances, None the array of the scores; :eq:`evaluation-micro`, :eq:`evaluation-macro`.
    sample_weight : (n,) array or None
        What each instance counts, as in :func:`confusion_matrix`.
    zero_division : {'warn', 0, 1, nan}
        What 0/0 is. 'warn' takes 0 and warns with ``UndefinedMetricWarning``; nan leaves such classes out of a mean.

    Returns
    -------
    float, or (J,) array in the order of ``labels`` if ``average`` is None

    Raises
    ------
    ValueError
        Bad labels or weights, as in :func:`confusion_matrix`; ``labels`` that repeat one; with 'binary' more than two
        classes, or two without ``pos_label`` (a single one counts as negative then); an unknown ``average`` or
        ``zero_division``.

    Examples
    --------
    >>> round(precision_score([1, 1, 0, 0], [1, 1, 1, 0]), 4)
    0.6667
    """
    how = (labels, pos_label, average, sample_weight, zero_division, "precision", "no instance is predicted positive")
    return _by_class(lambda c: (c.tp, c.tp + c.fp), y_true, y_pred, *how)  # evaluation-precision


def recall_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Mean = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: Fill = "warn",
) -> Any:
    """TP / (TP + FN): how many of the positive instances are found; also sensitivity; :eq:`evaluation-recall`.

    Parameters, returned value and errors as in :func:`precision_score`. 'macro' is the balanced accuracy.

    Examples
    --------
    >>> recall_score([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])
    0.75
    """
    how = (labels, pos_label, average, sample_weight, zero_division, "recall", "no instance is positive")
    return _by_class(lambda c: (c.tp, c.tp + c.fn), y_true, y_pred, *how)  # evaluation-recall


def specificity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Mean = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: Fill = "warn",
) -> Any:
    """TN / (TN + FP): how many of the negative instances are let pass; :eq:`evaluation-specificity`.

    Parameters, returned value and errors as in :func:`precision_score`.

    Examples
    --------
    >>> specificity_score([1, 0, 0, 0, 0], [1, 1, 0, 0, 0])
    0.75
    """
    how = (labels, pos_label, average, sample_weight, zero_division, "specificity", "no instance is negative")
    return _by_class(lambda c: (c.tn, c.tn + c.fp), y_true, y_pred, *how)  # evaluation-specificity


def type_i_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Mean = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: Fill = "warn",
) -> Any:
    """FP / (FP + TN), the false-positive rate: false alarms among the negatives; :eq:`evaluation-type-i`.

    Parameters, returned value and errors as in :func:`precision_score`. It is 1 - specificity.

    Examples
    --------
    >>> type_i_error([1, 0, 0, 0, 0], [1, 1, 0, 0, 0])
    0.25
    """
    how = (labels, pos_label, average, sample_weight, zero_division, "type-I error", "no instance is negative")
    return _by_class(lambda c: (c.fp, c.fp + c.tn), y_true, y_pred, *how)  # evaluation-type-i


def type_ii_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Mean = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: Fill = "warn",
) -> Any:
    """FN / (FN + TP), the false-negative rate: misses among the positives; :eq:`evaluation-type-ii`.

    Parameters, returned value and errors as in :func:`precision_score`. It is 1 - recall.

    Examples
    --------
    >>> type_ii_error([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])
    0.25
    """
    how = (labels, pos_label, average, sample_weight, zero_division, "type-II error", "no instance is positive")
    return _by_class(lambda c: (c.fn, c.fn + c.tp), y_true, y_pred, *how)  # evaluation-type-ii


def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Mean = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: Fill = "warn",
) -> Any:
    """Harmonic mean of precision and recall with weights 1 and beta^2; :eq:`evaluation-f-beta`.

    Computed from the counts, :eq:`evaluation-f-beta-counts`, which does not divide by a precision or recall of 0.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As in :func:`precision_score`.
    beta : float
        Recall has the weight beta^2, precision the weight 1: 0 gives precision, a large number recall.

    Returns
    -------
    float, or (J,) array if ``average`` is None

    Raises
    ------
    ValueError, TypeError
        As in :func:`precision_score`, or if ``beta`` is negative or no finite number.

    Notes
    -----
    Source: van Rijsbergen (1979), Information Retrieval, chapter 7.

    Examples
    --------
    >>> round(fbeta_score([1, 1, 1, 1, 0], [1, 1, 0, 0, 0], beta=2), 4)
    0.5556
    """
    beta = check_real(beta, "beta")
    b2 = min(beta * beta, 1e300)  # F is the recall to the last digit long before
    how = (
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
        "F-score",
        "no instance is positive or predicted positive",
    )
    return _by_class(_f_parts(b2), y_true, y_pred, *how)


def _f_parts(b2: float) -> Callable[[Counts], tuple[Array, Array]]:
    return lambda c: ((1 + b2) * c.tp, (1 + b2) * c.tp + b2 * c.fn + c.fp)  # evaluation-f-beta-counts


def f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Mean = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: Fill = "warn",
) -> Any:
    """2 TP / (2 TP + FN + FP), the harmonic mean of precision and recall; :eq:`evaluation-f-beta` with beta = 1.

    Parameters, returned value and errors as in :func:`precision_score`.

    Examples
    --------
    >>> round(f1_score([1, 1, 1, 1, 0], [1, 1, 0, 0, 0]), 4)
    0.6667
    """
    how = (
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
        "F-score",
        "no instance is positive or predicted positive",
    )
    return _by_class(_f_parts(1.0), y_true, y_pred, *how)


def _by_class(
    parts: Callable[[Counts], tuple[Array, Array]],
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    pos_label: Any,
    average: Mean,
    sample_weight: ArrayLike | None,
    zero_division: Fill,
    what: str,
    cause: str,
) -> Any:
    """Numerator over denominator for the positive class, for all chosen classes together, or for each one."""
    if average not in ("binary", "micro", "macro", "weighted", None):
        raise ValueError(f"average must be 'binary', 'micro', 'macro', 'weighted' or None, got {average!r}.")
    C, classes = table(y_true, y_pred, sample_weight)
    counts = _with_absent(C)
    if average == "binary":
        k = positive_class(classes, pos_label)
        counts = _take(counts, [-1 if k is None else k])
        if labels is not None:
            warnings.warn("labels are not used with average='binary': name the class by pos_label.", stacklevel=3)
    else:
        counts = _take(counts, list(range(len(C))) if labels is None else positions(classes, labels))
        if pos_label != 1:
            warnings.warn(f"pos_label={pos_label!r} is not used with average={average!r}.", UserWarning, stacklevel=3)
    if average == "micro":
        counts = Counts(*np.sum(counts, axis=1, keepdims=True))  # evaluation-micro
    scores = quotient(*parts(counts), zero_division, what, cause)
    if average is None:
        return scores
    weights = counts.tp + counts.fn if average == "weighted" else np.ones(len(scores))
    return average_classes(scores, weights)  # evaluation-macro


def _with_absent(C: Array) -> Counts:
    """Counts of each class, and last those of a class that no instance carries."""
    counts = one_vs_rest_counts(np.pad(C, (0, 1)))
    if C.dtype.kind != "f":
        return counts
    others = [np.delete(np.delete(C, k, axis=0), k, axis=1).sum() for k in range(len(C))]
    return counts._replace(tn=np.array([*others, C.sum()]))  # a difference of weights would leave rounding errors


def _take(counts: Counts, classes: list[int]) -> Counts:
    return Counts(*np.array(counts)[:, classes])
