"""Rows of text and numbers as rows of numbers: categories by their position, a missing value as NaN."""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from notes_lib.checks import FloatArray


class Column(NamedTuple):
    """What is known of a feature: sorted categories, or None for a number."""

    categories: np.ndarray | None

    def encode(self, values: np.ndarray, j: int) -> FloatArray:
        """Numbers (n,); a category that is not known gets a code that no branch has."""
        missing = is_missing(values)
        x = np.full(len(values), np.nan)
        if self.categories is None:
            x[~missing] = _finite(values[~missing], j)
            return x
        known = {value: float(code) for code, value in enumerate(self.categories.tolist())}
        x[~missing] = [known.get(value, len(known)) for value in values[~missing].tolist()]
        return x


def is_missing(values: np.ndarray) -> Any:
    """Where a column holds None or NaN."""
    if values.dtype.kind in "fc":
        return np.isnan(values)
    return np.array([v is None or bool(v != v) for v in values.tolist()], dtype=bool)


def learn_column(values: np.ndarray, j: int, categorical: bool) -> Column:
    """A number if all entries are numbers and it is not called categorical, else its categories.

    Raises
    ------
    TypeError
        If it holds anything but text and numbers, or both.
    """
    known = values[~is_missing(values)].tolist()
    for value in known:
        if not isinstance(value, Real | str):
            raise TypeError(f"column {j} of X holds {value!r}: each such argument must be a string or a number.")
    texts = sum(isinstance(value, str) for value in known)
    if 0 < texts < len(known):
        raise TypeError(f"column {j} of X mixes text and numbers: convert its entries to one of them.")
    return Column(np.unique(known) if categorical or texts else None)


def _finite(values: np.ndarray, j: int) -> FloatArray:
    try:
        x = values.astype(float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"column {j} of X is a number in the rows of fit: got {values[0]!r}, convert it.") from error
    if not np.isfinite(x).all():
        raise ValueError(f"column {j} of X holds infinity: replace it by a number, or by NaN if it is missing.")
    return x
