"""What input logistic regression accepts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.class_weight import compute_class_weight

from notes_lib.checks import FloatArray, check_matrix, check_positive, check_shape, check_vector
from notes_lib.linear.linear_regression.checks import check_weights


def inverse_strength(C: Any) -> float:
    """Return 1/C, the factor of the penalty: 0 for ``C=np.inf``, which means no penalty."""
    if isinstance(C, float) and np.isposinf(C):
        return 0.0
    return 1 / check_positive(C, "C", "a smaller C is a stronger penalty, C=np.inf is none")


def zeros_and_ones(y: ArrayLike, n: int) -> FloatArray:
    """Return labels as (n,) floats, or raise ``ValueError`` if one of them is neither 0 nor 1."""
    y = check_vector(y, "y", n)
    if not np.isin(y, (0, 1)).all():
        raise ValueError("y must hold only 0 and 1: map the two classes to these numbers, or use LogisticRegression.")
    return y


def problem(
    w: ArrayLike, X: ArrayLike, y: ArrayLike, penalty: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return weights, rows, labels and penalties whose shapes fit."""
    X = check_matrix(X, "X")
    w = check_vector(w, "w", X.shape[1])
    return w, X, zeros_and_ones(y, len(X)), penalties(penalty, len(w))


def penalties(penalty: ArrayLike, d: int) -> FloatArray:
    """Return one penalty for each weight, or raise ``ValueError`` if one is negative."""
    strengths = np.asarray(penalty, dtype=float)
    strengths = check_shape(np.full(d, strengths) if strengths.ndim == 0 else strengths, "penalty", (d,))
    if (strengths < 0).any():
        raise ValueError(f"penalty must not be negative, got {strengths.min():g}.")
    return strengths


def class_weights(class_weight: Any, classes: np.ndarray, y: np.ndarray, v: FloatArray | None = None) -> FloatArray:
    """Factor of the loss for each class, all positive; :eq:`svm-class-weights`. Rows count with their weights ``v``."""
    if class_weight is None:
        return np.ones(len(classes))
    found = compute_class_weight(class_weight, classes=classes, y=y, sample_weight=v)
    weights = np.asarray(found, dtype=float)
    if not (weights > 0).all() or not np.isfinite(weights).all():
        raise ValueError(f"class_weight must give positive numbers, got {weights.tolist()}: leave out rows instead.")
    return weights


def used_rows(
    X: FloatArray, y: np.ndarray, sample_weight: ArrayLike | None
) -> tuple[FloatArray, np.ndarray, FloatArray]:
    """Rows, labels and weights of the rows that have some weight: 0 leaves a row out, and perhaps its class."""
    v = check_weights(sample_weight, len(y))
    used = slice(None) if v.all() else v > 0
    return X[used], y[used], v[used]
