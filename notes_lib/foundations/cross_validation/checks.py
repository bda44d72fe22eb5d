"""What the chapter *Cross-validation* accepts: splits, sizes, parameter grids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from notes_lib.checks import IntArray, check_integer


class Split(NamedTuple):
    """Indices of the instances to learn from and of those to judge by."""

    train: IntArray
    test: IntArray


class Sizes(NamedTuple):
    """Result of :func:`check_sizes`."""

    train: int
    test: int


def check_splits(splits: Iterable[Any], n: int) -> list[Split]:
    """Return splits as a list, having refused empty ones, indices out of range, and instances on both sides."""
    checked = []
    for k, pair in enumerate(splits):
        if len(pair) != 2:
            raise ValueError(f"cv must yield pairs (train, test) of indices, split {k} has {len(pair)} parts.")
        train, test = (_rows(part, n, k) for part in pair)
        if len(train) == 0 or len(test) == 0:
            raise ValueError(f"cv: split {k} leaves nothing to train on or to test on.")
        shared = np.intersect1d(train, test)
        if len(shared):
            raise ValueError(
                f"cv: split {k} has instance {shared[0]} in its training and its test part, so the score would be "
                "that of a model that has seen the answers: make the two disjoint."
            )
        checked.append(Split(train, test))
    if not checked:
        raise ValueError("cv must yield at least one split, got none.")
    return checked


def _rows(part: Any, n: int, k: int) -> IntArray:
    """Row numbers from 0 to n - 1 of one part of split k: from indices, also negative ones, or from a mask."""
    try:
        return np.arange(n)[np.asarray(part)] if len(part) else np.arange(0)
    except IndexError as error:
        raise ValueError(
            f"cv: split {k} must hold row numbers below n = {n}, or a mask of that length: {error}."
        ) from None


def check_pairwise(X: Any) -> Any:
    """Return a matrix that has one row and one column for each instance; lists become an array."""
    K = X if hasattr(X, "shape") else np.asarray(X)
    if len(K.shape) != 2 or K.shape[0] != K.shape[1]:
        raise ValueError(
            f"X must be the square matrix of all pairs of instances, as the estimator takes a precomputed one, got "
            f"shape {K.shape}: compute it first, or give the estimator a kernel that takes the rows themselves."
        )
    return K


def check_sizes(n: int, test_size: Any, train_size: Any) -> Sizes:
    """Numbers of training and test instances from numbers or shares of ``n``."""
    if test_size is None and train_size is None:
        test_size = 0.25
    shares: list[Any] = [v for v in (test_size, train_size) if isinstance(v, Real) and not isinstance(v, Integral)]
    if len(shares) == 2 and shares[0] + shares[1] > 1:
        raise ValueError(f"train_size={train_size} and test_size={test_size} are more than all: lower one of them.")
    n_test = None if test_size is None else _size(n, test_size, "test_size", ceil)
    n_train = None if train_size is None else _size(n, train_size, "train_size", floor)
    if n_test is None:
        n_test = n - int(n_train or 0)
    if n_train is None:
        n_train = n - n_test
    if n_train + n_test > n:
        raise ValueError(f"train_size and test_size ask for {n_train} + {n_test} of {n} instances: lower one of them.")
    if n_train < 1 or n_test < 1:
        raise ValueError(
            f"{n} instances with test_size={test_size} and train_size={train_size} leave one part empty, change a size."
        )
    return Sizes(n_train, n_test)


def _size(n: int, value: Any, name: str, rounding: Any) -> int:
    if isinstance(value, Integral) and not isinstance(value, bool):
        if not 0 < int(value) < n:
            raise ValueError(f"{name} must lie between 1 and n - 1 = {n - 1}, got {value}.")
        return int(value)
    if isinstance(value, Real) and not isinstance(value, bool):
        if not 0 < float(value) < 1:
            raise ValueError(f"{name} must be a share between 0 and 1, exclusive, or a whole number, got {value}.")
        return int(rounding(float(value) * n))
    raise TypeError(f"{name} must be a number, got {value!r} of type {type(value).__name__}.")


def check_grid(param_grid: Any) -> list[dict[str, Sequence[Any]]]:
    """Return a grid as a list of mappings from names to non-empty lists of values."""
    grids = [param_grid] if isinstance(param_grid, Mapping) else param_grid
    if not isinstance(grids, (list, tuple)) or not grids:
        raise TypeError(f"param_grid must be a dict of lists, or a list of such dicts, got {param_grid!r}.")
    for grid in grids:
        if not isinstance(grid, Mapping):
            raise TypeError(f"param_grid must hold dicts, got {grid!r}.")
        for name, values in grid.items():
            if isinstance(values, str) or not isinstance(values, (list, tuple, range, np.ndarray)):
                raise TypeError(f"param_grid[{name!r}] must be a list of values, got {values!r}: write [{values!r}].")
            if len(values) == 0:
                raise ValueError(f"param_grid[{name!r}] is empty: give at least one value, or leave {name!r} out.")
    return [dict(grid) for grid in grids]


def check_names(estimator: BaseEstimator, candidates: Sequence[Mapping[str, Any]]) -> None:
    """Refuse hyper-parameters that the estimator does not have, before anything is fitted."""
    known = estimator.get_params()
    for name in {name: None for candidate in candidates for name in candidate}:
        if name.split("__")[0] not in known:
            raise ValueError(
                f"param_grid names {name!r}, which {type(estimator).__name__} does not have: it has {sorted(known)}."
            )


def check_error_score(error_score: Any) -> None:
    """Refuse what is neither 'raise' nor a finite number nor NaN."""
    if isinstance(error_score, Real) and not isinstance(error_score, bool) and not np.isinf(float(error_score)):
        return
    if not (isinstance(error_score, str) and error_score == "raise"):
        raise ValueError(f"error_score must be 'raise', a finite number or nan, got {error_score!r}.")


def apportion(counts: IntArray, total: int) -> IntArray:
    """Divide ``total`` in proportion to ``counts``: largest remainders, the first class in a tie."""
    total = check_integer(total, "total", 0)
    exact = counts * total / counts.sum()
    shares = np.floor(exact).astype(int)
    largest = np.argsort(-(exact - shares), kind="stable")[: total - shares.sum()]
    shares[largest] += 1
    return shares
