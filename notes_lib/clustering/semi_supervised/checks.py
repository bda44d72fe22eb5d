"""What the functions of the chapter *Semi-supervised learning* accept: labels of which some are missing, graphs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets

from notes_lib.checks import FloatArray, IntArray, all_finite

UNLABELLED = -1  # as in scikit-learn


class PartialLabels(NamedTuple):
    """``classes`` (K,) sorted; ``codes`` (n,): the position of each label among them, -1 where there is none."""

    classes: NDArray[Any]
    codes: IntArray


def check_partial_labels(y: ArrayLike) -> PartialLabels:
    """Classes and codes of labels of which some are missing: -1, also among text if the dtype is object.

    Raises
    ------
    ValueError
        If ``y`` is no vector, or holds the text '-1', no label at all, labels of one class only, or what is no label of
        a classification.

    Examples
    --------
    >>> check_partial_labels([7, -1, 5]).codes
    array([ 1, -1,  0])
    """
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(f"y must be a vector with one entry for each row of X, got shape {labels.shape}.")
    if labels.dtype.kind in "US" and (labels == str(UNLABELLED)).any():
        raise ValueError("y holds the text '-1': make it an array with dtype=object, in which -1 stays a number.")
    missing = np.array([not isinstance(v, str) and v == UNLABELLED for v in labels.tolist()], dtype=bool)
    if missing.all():
        raise ValueError("y holds no label at all: label at least one row of each class; -1 means unlabelled.")
    check_classification_targets(labels[~missing])
    classes, known = np.unique(labels[~missing], return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"y holds labels of one class only ({classes[0]}): a class without labels cannot be learnt, so label at "
            "least one row of each class."
        )
    codes = np.full(len(labels), UNLABELLED)
    codes[~missing] = known
    return PartialLabels(classes, codes)


def check_partial_codes(y: ArrayLike, n: int) -> IntArray:
    """Return ``n`` integers from -1 on, one for each node; at least one of them is a class, not -1."""
    codes = np.asarray(y)
    if codes.shape != (n,) or codes.dtype.kind not in "iu" or (n and codes.min() < UNLABELLED):
        raise ValueError(f"y must hold {n} integers, the codes 0, 1, ... of the classes, or -1 for unlabelled.")
    if codes.max(initial=UNLABELLED) == UNLABELLED:
        raise ValueError("y holds no label at all: label at least one node; -1 means unlabelled.")
    return codes.astype(np.intp)


def check_weights(W: Any, n: int | None = None, name: str = "W") -> Any:
    """Return the weights of a graph, (n, n), as floats: finite and not negative; a sparse matrix stays sparse."""
    A = W.astype(float).tocsr() if sparse.issparse(W) else np.asarray(W, dtype=float)
    if A.ndim != 2 or A.shape[0] != A.shape[1] or A.shape[0] != (n or A.shape[0]) or 0 in A.shape:
        raise ValueError(f"{name} must be a square matrix, one row for each node, got shape {A.shape}.")
    values: Any = A.data if sparse.issparse(A) else A
    if not all_finite(values) or values.min(initial=0) < 0:
        raise ValueError(f"{name} must hold finite weights that are not negative: they say how alike two nodes are.")
    return A


def check_reached(reached: NDArray[np.bool_]) -> None:
    """Raise ``ValueError`` for a node from which no path leads to a label."""
    for row in np.flatnonzero(~reached):
        raise ValueError(
            f"row {row} has no label, and no path of positive weights was found from it to a labelled row: join it to "
            "the graph (a smaller gamma, more neighbours, a larger max_iter), or label it, or leave it out."
        )


def check_probabilities(P: ArrayLike) -> FloatArray:
    """Return an (n, K) matrix of numbers from 0 to 1, K at least 2."""
    proba = np.asarray(P, dtype=float)
    if proba.ndim != 2 or proba.shape[1] < 2 or not ((proba >= 0) & (proba <= 1 + 1e-8)).all():
        raise ValueError(f"P must be (n, K) with probabilities in each row, K >= 2, got shape {proba.shape}.")
    return proba
