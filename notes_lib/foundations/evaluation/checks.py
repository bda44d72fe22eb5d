"""Checks and encodings behind the measures: labels to numbers, scores by class, 0/0."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from notes_lib.checks import FloatArray, IntArray, check_distribution, check_labels, check_vector

Array = NDArray[Any]  # of labels of any type, or of counts as well as shares


class Encoded(NamedTuple):
    """Distinct labels ``classes`` (K,), sorted, and for each given vector the indices of its labels in them."""

    classes: Array
    codes: list[IntArray]


class Split(NamedTuple):
    """Scores of the positive and of the negative instances, each in ascending order."""

    positive: FloatArray
    negative: FloatArray


class Ranked(NamedTuple):
    """Scores (m,) of one class in ascending order, and the weight (m + 1,) of those from each place on."""

    scores: FloatArray
    above: Array


def check_weights(sample_weight: ArrayLike | None, n: int, name: str = "sample_weight") -> Array | None:
    """Weights (n,), not negative and not all 0; None stays None.

    Integers stay integers as long as doubles can count up to their sum, 2^53.
    """
    if sample_weight is None:
        return None
    given = np.asarray(sample_weight)
    if given.ndim == 1 and len(given) != n:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {[n, n, len(given)]}: {name} must hold one "
            "weight for each instance."
        )
    w = check_vector(given, name, n)
    if (w < 0).any():
        raise ValueError(f"{name} must not be negative, got {w.min():g}: leave the instance out, or give it weight 0.")
    with np.errstate(over="ignore"):
        total = w.sum()
    if not 0 < total < np.inf:
        raise ValueError(f"{name} must have a positive and finite sum, got {total:g}: divide by the largest one.")
    return given.astype(np.int64) if given.dtype.kind in "biu" and total <= 2**53 else w


def encode(**vectors: ArrayLike) -> Encoded:
    """Number the labels of vectors of one length by their sorted union; the keywords name them in errors."""
    arrays = check_labels(**vectors)
    if all(a.dtype.kind in "biu" for a in arrays):
        low, high = min(int(a.min()) for a in arrays), max(int(a.max()) for a in arrays)
        if high - low < 1000 + len(arrays[0]) and -(2**63) <= low <= high < 2**63:
            return _encode_by_table(arrays, low, high)
    classes, codes = np.unique(np.concatenate(arrays), return_inverse=True)
    return Encoded(classes, np.split(codes, len(arrays)))


def _encode_by_table(arrays: Sequence[Array], low: int, high: int) -> Encoded:
    """Number integers in a short range by a table with one entry for each, which needs no sorting."""
    offsets = [a.astype(np.int64) - low for a in arrays]
    present = np.zeros(high - low + 1, dtype=bool)
    for offset in offsets:
        present[offset] = True
    classes = np.flatnonzero(present) + low
    index = np.cumsum(present) - 1
    codes: list[IntArray] = [*offsets] if present.all() else [index[offset] for offset in offsets]
    return Encoded(classes.astype(np.result_type(*arrays)), codes)


def positive_class(classes: Array, pos_label: Any) -> int | None:
    """Index of the positive class, None if all instances carry one label and it is another one."""
    if len(classes) > 2:
        raise ValueError(
            f"y_true and y_pred hold {len(classes)} classes, but average='binary' is for two: choose average='micro', "
            "'macro', 'weighted' or None."
        )
    index = next((k for k, label in enumerate(classes.tolist()) if label == pos_label), None)
    if index is None and len(classes) == 2:
        raise ValueError(f"pos_label={pos_label!r} is not one of the labels {classes.tolist()}: name one of them.")
    return index


def split_scores(y_true: ArrayLike, y_score: ArrayLike, pos_label: Any = None, *, last: bool = False) -> Split:
    """Sorted scores of both classes; the positive one is ``pos_label``, or 1 among {0, 1} or {-1, 1}, or the last."""
    return Split(*(group.scores for group in ranked_classes(y_true, y_score, pos_label, last=last)))


def ranked_classes(
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    *,
    last: bool = False,
) -> tuple[Ranked, Ranked]:
    """Positive and negative instances by score, without those of weight 0; the classes as in :func:`split_scores`."""
    classes, (codes,) = encode(y_true=y_true)
    scores = numbers(y_score, "y_score")
    given = np.asarray(y_score)
    if given.dtype.kind in "iu" and (int(given.max()) > 2**53 or int(given.min()) < -(2**53)):
        raise ValueError(
            "y_score holds integers beyond 2^53, which floats cannot all tell apart: replace them by ranks."
        )
    if len(scores) != len(codes):
        raise ValueError(f"y_true and y_score must have one length, got {len(codes)} and {len(scores)}.")
    w = check_weights(sample_weight, len(codes))
    if w is not None and not w.all():
        counted = w > 0
        scores, w = scores[counted], w[counted]
        classes, (codes,) = encode(y_true=check_labels(y_true=y_true)[0][counted])
    if len(classes) != 2:
        raise ValueError(
            f"y_true must hold two classes, got {classes.tolist()[:5]}: a rate of a class without instances is not "
            "defined; for more classes, take one against the rest."
        )
    if pos_label is None and not last and classes.tolist() not in ([0, 1], [-1, 1]):
        raise ValueError(f"y_true holds the labels {classes.tolist()}: say by pos_label which one is positive.")
    default = classes[1]  # 1 is the larger one
    positive = codes == positive_class(classes, default if pos_label is None else pos_label)
    one, other = (ranked(scores[group], None if w is None else w[group]) for group in (positive, ~positive))
    return one, other


def ranked(scores: FloatArray, weights: Array | None = None) -> Ranked:
    """Sort the scores of one class, of weight 1 each if None are given."""
    if weights is None:
        return Ranked(np.sort(scores), np.arange(len(scores), -1, -1))
    order = np.argsort(scores, kind="stable")
    return Ranked(scores[order], np.append(np.cumsum(weights[order][::-1])[::-1], 0))  # sums of what is positive


def class_probabilities(
    y_true: ArrayLike, values: ArrayLike, labels: ArrayLike | None, name: str
) -> tuple[IntArray, FloatArray]:
    """Column of each instance's class, and probabilities (n, K) with a column for each class, sorted by label."""
    classes, (codes,) = encode(y_true=y_true)
    if labels is not None:
        given = check_labels(labels=labels)[0]
        wanted = np.unique(given)
        if not np.array_equal(given, wanted):
            raise ValueError(f"Parameter 'labels' must be ordered, as the columns of {name} are, got {given.tolist()}.")
        if not np.isin(classes, wanted).all():
            raise ValueError(f"labels must hold every label of y_true, got {wanted.tolist()}: name all classes.")
        classes, codes = wanted, np.searchsorted(wanted, classes)[codes]
    proba = np.asarray(values)
    if proba.ndim == 1 and len(classes) == 2:
        p = numbers(values, name)
        proba = np.column_stack([1 - p, p])
    if proba.shape != (len(codes), len(classes)):
        raise ValueError(
            f"{name} must have one row for each of {len(codes)} instances and one column for each of {len(classes)} "
            f"classes, got shape {proba.shape}: name classes that are not in y_true by labels."
        )
    return codes, check_distribution(proba, name)


def numbers(values: ArrayLike, name: str) -> FloatArray:
    """Return a vector of finite numbers; a single column is taken as a vector."""
    a = outputs(values, name)
    if len(a) > 1:
        raise ValueError(f"{name} must be a vector of at least one number, got shape {a.T.shape}: select one column.")
    return a[0]


def outputs(values: ArrayLike, name: str) -> FloatArray:
    """Return the columns of a matrix of finite numbers as rows (m, n); a vector is one column."""
    a = np.asarray(values)
    if a.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got dtype {a.dtype}.")
    if a.ndim not in (1, 2) or a.size == 0:
        raise ValueError(
            f"{name} must be a vector of at least one number, or a matrix of columns, got shape {a.shape}."
        )
    a = np.ascontiguousarray(np.atleast_2d(a.T), dtype=float)
    if not np.isfinite(a).all():
        raise ValueError(f"{name} contains NaN or infinity: remove these instances, or replace infinity by ranks.")
    return a


def quotient(numerator: Array, denominator: Array, zero_division: float | str, what: str, cause: str) -> FloatArray:
    """Divide two vectors of one length; 0/0 becomes ``zero_division``, with a warning and 0.0 if that is 'warn'."""
    known = isinstance(zero_division, Real) and (zero_division in (0, 1) or np.isnan(zero_division))
    if zero_division != "warn" and not known:
        raise ValueError(f"zero_division must be 'warn', 0, 1 or nan, got {zero_division!r}.")
    undefined = denominator == 0
    if undefined.any() and zero_division == "warn":
        warnings.warn(
            f"{what} is 0/0 because {cause}, and set to 0: choose zero_division=0, 1 or nan to say what it is to be.",
            UndefinedMetricWarning,
            stacklevel=4,
        )
    filler = 0.0 if zero_division == "warn" else float(zero_division)
    return np.where(undefined, filler, numerator / np.where(undefined, 1, denominator))


def average_classes(scores: FloatArray, weights: Array) -> float:
    """Weighted mean over the classes whose score is not NaN; their plain mean if all their weights are 0."""
    known = ~np.isnan(scores)
    if not known.any():
        return float("nan")
    w = weights[known] if weights[known].any() else np.ones(known.sum())
    return float(w @ scores[known] / w.sum())


def mean(values: FloatArray, weights: Array | None) -> float:
    """Mean of one number for each instance, weighted if there are weights."""
    return float(values.mean() if weights is None else weights @ values / weights.sum())
