"""Evaluation of predicted labels: the confusion matrix and everything that follows from it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_labels, check_real
from notes_lib.foundations.evaluation.checks import (
    Array,
    average_classes,
    encode,
    positive_class,
    quotient,
)

Mean = str | None  # values of ``average``
Fill = float | str  # values of ``zero_division``


class Counts(NamedTuple):
    """Result of :func:`one_vs_rest_counts`: true positives, false negatives, false positives, true negatives, (K,)."""

    tp: IntArray
    fn: IntArray
    fp: IntArray
    tn: IntArray


def confusion_matrix(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: ArrayLike | None = None, normalize: str | None = None
) -> IntArray | FloatArray:
    """Count instances by true class (row) and predicted class (column); :eq:`evaluation-confusion`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Labels, both of numbers or both of text.
    labels : (K,) array or None
        Classes in the order of the rows; instances with another label are left out. All classes, sorted, if None.
    normalize : {'true', 'pred', 'all'} or None
        Divide each row, each column, or everything by its sum (a sum of 0 leaves zeros).

    Returns
    -------
    (K, K) array
        Entry ``[i, j]``: instances of true class i predicted as class j. For labels 0 and 1: [[TN, FP], [FN, TP]].

    Raises
    ------
    ValueError
        If a vector is empty, holds NaN, fractions or mixed types, or the lengths differ; if ``labels`` repeats a label
        or holds none of those in ``y_true``; if ``normalize`` is unknown.

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
    C = _chosen(y_true, y_pred, labels, ("y_true", "y_pred"))
    if normalize is None:
        return C
    total = C.sum(axis={"true": 1, "pred": 0, "all": None}[normalize], keepdims=True)
    return C / np.maximum(total, 1)


def _table(y_true: ArrayLike, y_pred: ArrayLike, names: tuple[str, str] = ("y_true", "y_pred")) -> tuple[IntArray, Any]:
    classes, (truth, guess) = encode(**dict(zip(names, (y_true, y_pred), strict=True)))
    K = len(classes)
    return np.bincount(truth * K + guess, minlength=K * K).reshape(K, K), classes  # evaluation-confusion


def _chosen(first: ArrayLike, second: ArrayLike, labels: ArrayLike | None, names: tuple[str, str]) -> IntArray:
    """Table of all labels, or of ``labels`` with zeros for one that no instance carries; ``names`` for errors."""
    C, found = _table(first, second, names)
    if labels is None:
        return C
    classes, wanted = found.tolist(), check_labels(labels=labels)[0].tolist()
    if len(set(wanted)) != len(wanted):
        raise ValueError(f"labels must differ, got {wanted}.")
    if not any(C[k].any() for k, label in enumerate(classes) if label in wanted):
        raise ValueError(f"labels must hold at least one label of {names[0]}, got {wanted}.")
    index = [classes.index(label) if label in classes else len(classes) for label in wanted]
    return np.pad(C, (0, 1))[np.ix_(index, index)]


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


def accuracy_score(y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True) -> float:
    """Share of the instances that are predicted right, or their number; :eq:`evaluation-accuracy`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Labels of any number of classes, as in :func:`confusion_matrix`.
    normalize : bool
        Whether to divide by n.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Bad labels, as in :func:`confusion_matrix`.

    Examples
    --------
    >>> accuracy_score(["cat", "dog", "dog"], ["cat", "cat", "dog"], normalize=False)
    2.0
    """
    C, _ = _table(y_true, y_pred)
    return float(np.trace(C) / C.sum() if normalize else np.trace(C))


def precision_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = 1, average: Mean = "binary", zero_division: Fill = "warn"
) -> Any:
    """TP / (TP + FP): how many of the instances called positive are so; :eq:`evaluation-precision`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Labels, as in :func:`confusion_matrix`.
    pos_label : label
        The positive class; used with ``average='binary'`` only.
    average : {'binary', 'micro', 'macro', 'weighted'} or None
        'binary': the score of ``pos_label``, for two classes. Otherwise each class is taken as positive in turn:
        'micro' adds up the counts first, 'macro' is the mean of the scores, 'weighted' their mean weighted by the
        numbers of true instances, None the array of the scores; :eq:`evaluation-micro`, :eq:`evaluation-macro`.
    zero_division : {'warn', 0, 1, nan}
        What 0/0 is. 'warn' takes 0 and warns with ``UndefinedMetricWarning``; nan leaves such classes out of a mean.

    Returns
    -------
    float, or (K,) array in the order of the sorted labels if ``average`` is None

    Raises
    ------
    ValueError
        Bad labels, as in :func:`confusion_matrix`; with 'binary' more than two classes, or two without ``pos_label``
        (a single one counts as negative then); an unknown ``average`` or ``zero_division``.

    Examples
    --------
    >>> round(precision_score([1, 1, 0, 0], [1, 1, 1, 0]), 4)
    0.6667
    """
    how = (pos_label, average, zero_division, "precision", "no instance is predicted positive")
    return _by_class(lambda c: (c.tp, c.tp + c.fp), y_true, y_pred, *how)  # evaluation-precision


def recall_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = 1, average: Mean = "binary", zero_division: Fill = "warn"
) -> Any:
    """TP / (TP + FN): how many of the positive instances are found; also sensitivity; :eq:`evaluation-recall`.

    Parameters, returned value and errors as in :func:`precision_score`. 'macro' is the balanced accuracy.

    Examples
    --------
    >>> recall_score([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])
    0.75
    """
    how = (pos_label, average, zero_division, "recall", "no instance is positive")
    return _by_class(lambda c: (c.tp, c.tp + c.fn), y_true, y_pred, *how)  # evaluation-recall


def specificity_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = 1, average: Mean = "binary", zero_division: Fill = "warn"
) -> Any:
    """TN / (TN + FP): how many of the negative instances are let pass; :eq:`evaluation-specificity`.

    Parameters, returned value and errors as in :func:`precision_score`.

    Examples
    --------
    >>> specificity_score([1, 0, 0, 0, 0], [1, 1, 0, 0, 0])
    0.75
    """
    how = (pos_label, average, zero_division, "specificity", "no instance is negative")
    return _by_class(lambda c: (c.tn, c.tn + c.fp), y_true, y_pred, *how)  # evaluation-specificity


def type_i_error(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = 1, average: Mean = "binary", zero_division: Fill = "warn"
) -> Any:
    """FP / (FP + TN), the false-positive rate: false alarms among the negatives; :eq:`evaluation-type-i`.

    Parameters, returned value and errors as in :func:`precision_score`. It is 1 - specificity.

    Examples
    --------
    >>> type_i_error([1, 0, 0, 0, 0], [1, 1, 0, 0, 0])
    0.25
    """
    how = (pos_label, average, zero_division, "type-I error", "no instance is negative")
    return _by_class(lambda c: (c.fp, c.fp + c.tn), y_true, y_pred, *how)  # evaluation-type-i


def type_ii_error(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = 1, average: Mean = "binary", zero_division: Fill = "warn"
) -> Any:
    """FN / (FN + TP), the false-negative rate: misses among the positives; :eq:`evaluation-type-ii`.

    Parameters, returned value and errors as in :func:`precision_score`. It is 1 - recall.

    Examples
    --------
    >>> type_ii_error([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])
    0.25
    """
    how = (pos_label, average, zero_division, "type-II error", "no instance is positive")
    return _by_class(lambda c: (c.fn, c.fn + c.tp), y_true, y_pred, *how)  # evaluation-type-ii


def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    pos_label: Any = 1,
    average: Mean = "binary",
    zero_division: Fill = "warn",
) -> Any:
    """Harmonic mean of precision and recall with weights 1 and beta^2; :eq:`evaluation-f-beta`.

    Computed from the counts, :eq:`evaluation-f-beta-counts`, which does not divide by a precision or recall of 0.

    Parameters
    ----------
    y_true, y_pred, pos_label, average, zero_division
        As in :func:`precision_score`.
    beta : float
        Recall has the weight beta^2, precision the weight 1: 0 gives precision, a large number recall.

    Returns
    -------
    float, or (K,) array if ``average`` is None

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
    how = (pos_label, average, zero_division, "F-score", "no instance is positive or predicted positive")
    return _by_class(_f_parts(b2), y_true, y_pred, *how)


def _f_parts(b2: float) -> Callable[[Counts], tuple[Array, Array]]:
    return lambda c: ((1 + b2) * c.tp, (1 + b2) * c.tp + b2 * c.fn + c.fp)  # evaluation-f-beta-counts


def f1_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = 1, average: Mean = "binary", zero_division: Fill = "warn"
) -> Any:
    """2 TP / (2 TP + FN + FP), the harmonic mean of precision and recall; :eq:`evaluation-f-beta` with beta = 1.

    Parameters, returned value and errors as in :func:`precision_score`.

    Examples
    --------
    >>> round(f1_score([1, 1, 1, 1, 0], [1, 1, 0, 0, 0]), 4)
    0.6667
    """
    how = (pos_label, average, zero_division, "F-score", "no instance is positive or predicted positive")
    return _by_class(_f_parts(1.0), y_true, y_pred, *how)


def _by_class(
    parts: Callable[[Counts], tuple[Array, Array]],
    y_true: ArrayLike,
    y_pred: ArrayLike,
    pos_label: Any,
    average: Mean,
    zero_division: Fill,
    what: str,
    cause: str,
) -> Any:
    """Numerator over denominator for the positive class, for all classes together, or for each one."""
    if average not in ("binary", "micro", "macro", "weighted", None):
        raise ValueError(f"average must be 'binary', 'micro', 'macro', 'weighted' or None, got {average!r}.")
    C, classes = _table(y_true, y_pred)
    counts = one_vs_rest_counts(C)
    if average == "binary":
        k = positive_class(classes, pos_label)
        counts = Counts(*(np.array([0, 0, 0, C.sum()]) if k is None else np.array(counts)[:, k])[:, None])
    elif pos_label != 1:
        warnings.warn(f"pos_label={pos_label!r} is not used with average={average!r}.", UserWarning, stacklevel=3)
    if average == "micro":
        counts = Counts(*np.sum(counts, axis=1, keepdims=True))  # evaluation-micro
    scores = quotient(*parts(counts), zero_division, what, cause)
    if average is None:
        return scores
    weights = counts.tp + counts.fn if average == "weighted" else np.ones(len(scores))
    return average_classes(scores, weights)  # evaluation-macro


def cohen_kappa_score(
    y1: ArrayLike, y2: ArrayLike, *, labels: ArrayLike | None = None, weights: str | None = None
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

    Returns
    -------
    float
        1 for full agreement, 0 for the agreement expected by chance, negative for less.

    Raises
    ------
    ValueError
        Bad labels, as in :func:`confusion_matrix`; unknown ``weights``; if both raters gave one and the same label
        to every instance, because kappa is then 0/0.

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
    C = _chosen(y1, y2, labels, ("y1", "y2"))
    distance = np.abs(np.subtract.outer(np.arange(len(C)), np.arange(len(C))))
    W = {None: np.minimum(distance, 1), "linear": distance, "quadratic": distance**2}[weights]
    expected = np.outer(C.sum(axis=1), C.sum(axis=0)) / max(C.sum(), 1)
    by_chance = (W * expected).sum()
    if by_chance == 0:
        raise ValueError("y1 and y2 share one label throughout, or none, so kappa is 0/0: report the agreement.")
    return float(1 - (W * C).sum() / by_chance)  # evaluation-weighted-kappa


def matthews_corrcoef(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Correlation of true and predicted class; :eq:`evaluation-mcc`, for more classes :eq:`evaluation-mcc-multiclass`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Labels, as in :func:`confusion_matrix`; exchanging the two changes nothing.

    Returns
    -------
    float
        1 for a perfect prediction, 0 on average for a random one, -1 (two classes) for one that is always wrong. Where
        one of the two is constant the quotient is 0/0 and 0.0 is returned: it carries no information.

    Raises
    ------
    ValueError
        Bad labels, as in :func:`confusion_matrix`.

    Notes
    -----
    Source: Matthews (1975), Biochimica et Biophysica Acta 405, 442-451; Gorodkin (2004), Comput. Biol. Chem. 28.

    Examples
    --------
    >>> round(matthews_corrcoef([1, 1, 1, 0, 0], [1, 1, 0, 0, 1]), 4)
    0.1667
    """
    C = _table(y_true, y_pred)[0].astype(float)
    n, t, p = C.sum(), C.sum(axis=1), C.sum(axis=0)
    spread = np.sqrt(n * n - t @ t) * np.sqrt(n * n - p @ p)
    return float((n * np.trace(C) - t @ p) / spread) if spread > 0 else 0.0  # evaluation-mcc-multiclass


_MEANS: dict[str, Callable[[float, float], float]] = {
    "arithmetic": lambda u, v: (u + v) / 2,
    "geometric": lambda u, v: math.sqrt(u * v),
    "min": min,
    "max": max,
}
