"""What input logistic regression accepts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import FloatArray, IntArray, check_choice, check_matrix, check_positive, check_shape, check_vector
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


def class_weights(
    class_weight: Any, classes: NDArray[Any], codes: IntArray, weight: FloatArray | IntArray | None = None
) -> FloatArray:
    """Weight of a row of each class, by a dict or in all the same for each class; :eq:`svm-class-weights`.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        A class that the dict does not name counts 1. "balanced" gives every class the same weight in all, which is
        that of the rows divided by their number of classes.
    classes : (K,) array
    codes : (n,) array of int
        Class of each row.
    weight : (n,) array, optional
        What each row counts for "balanced"; 1 by default. A class without weight does not count as one.

    Returns
    -------
    (K,) array

    Raises
    ------
    TypeError, ValueError
        If it is none of these, a number is not positive, or a name stands for no class while a class has no name.

    Examples
    --------
    >>> class_weights("balanced", np.array(["a", "b"]), np.array([0, 0, 0, 1])).round(3)
    array([0.667, 2.   ])
    >>> class_weights({"b": 5}, np.array(["a", "b"]), np.array([0, 0, 0, 1]))
    array([1., 5.])
    """
    if isinstance(class_weight, dict):
        names = classes.tolist()
        unknown, unnamed = [c for c in class_weight if c not in names], [c for c in names if c not in class_weight]
        if unknown and unnamed:
            raise ValueError(f"class_weight names {unknown}, which are not among the classes {names}: correct them.")
        remedy = "leave out rows instead"
        return np.array([check_positive(class_weight.get(c, 1.0), f"class_weight[{c!r}]", remedy) for c in names])
    if class_weight is None:
        return np.ones(len(classes))
    check_choice(class_weight, "class_weight", ("balanced", None))
    mass: Any = np.bincount(codes, weight, len(classes))
    present = mass > 0
    return np.divide(mass.sum(), present.sum() * mass, out=np.zeros(len(mass)), where=present)


def used_rows(
    X: FloatArray, y: np.ndarray, sample_weight: ArrayLike | None
) -> tuple[FloatArray, np.ndarray, FloatArray]:
    """Rows, labels and weights of the rows that have some weight: 0 leaves a row out, and perhaps its class."""
    v = check_weights(sample_weight, len(y))
    used = slice(None) if v.all() else v > 0
    return X[used], y[used], v[used]
