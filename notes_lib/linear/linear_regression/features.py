"""Polynomial features: all monomials up to a degree."""

from __future__ import annotations

from itertools import chain, combinations, combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_integer


class PolynomialFeatures(TransformerMixin, BaseEstimator):
    """Monomials of the columns up to a degree, in scikit-learn's order; :eq:`linear-regression-monomials`.

    Parameters
    ----------
    degree : int or (int, int)
        Largest degree, at least 0, or the smallest and the largest one; the bias does not count.
    interaction_only : bool
        Only products of different columns.
    include_bias : bool
        Whether the column of ones, the monomial of degree 0, comes first. Leave it out before a model with an intercept
        of its own.

    Attributes
    ----------
    powers_ : (k, d) array of int
        Exponent of each column in each of the k = ``n_output_features_`` monomials.
    n_features_in_, n_output_features_ : int

    Notes
    -----
    ``(d + degree)! / (d! degree!)`` columns with the bias, and as many products for each row.

    Examples
    --------
    >>> PolynomialFeatures(2).fit_transform([[2.0, 3.0]])
    array([[1., 2., 3., 4., 6., 9.]])
    """

    def __init__(
        self, degree: int | tuple[int, int] = 2, *, interaction_only: bool = False, include_bias: bool = True
    ) -> None:
        self.degree, self.interaction_only, self.include_bias = degree, interaction_only, include_bias

    def fit(self, X: ArrayLike, y: Any = None) -> PolynomialFeatures:
        """List the monomials.

        Raises
        ------
        TypeError, ValueError
            If ``degree`` is no integer from 0 on, and no pair of them in order, nothing is left to compute, or X is no
            finite matrix.
        """
        least, most = self._degrees()
        d = validate_data(self, X, dtype=float).shape[1]
        choose: Any = combinations if self.interaction_only else combinations_with_replacement
        degrees = [*([0] if self.include_bias else []), *range(max(least, 1), most + 1)]
        terms = chain.from_iterable(choose(range(d), k) for k in degrees)
        self.powers_: IntArray = np.array([np.bincount(term, minlength=d) for term in map(_indices, terms)], dtype=int)
        self.n_output_features_ = len(self.powers_)
        if not self.n_output_features_:
            raise ValueError(
                f"degree={self.degree} without include_bias leaves no feature: set include_bias=True or raise degree."
            )
        return self

    def _degrees(self) -> tuple[int, int]:
        if not isinstance(self.degree, tuple):
            return 0, check_integer(self.degree, "degree", 0)
        if len(self.degree) != 2:
            raise ValueError(f"degree must be a number or a pair (smallest, largest), got {self.degree}.")
        least, most = (check_integer(each, "degree", 0) for each in self.degree)
        if least > most:
            raise ValueError(f"degree must be a pair (smallest, largest), got {self.degree}: exchange the two.")
        return least, most

    def transform(self, X: ArrayLike) -> FloatArray:
        """Monomials of each row, (n, k)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        columns = np.ones((len(self.powers_), len(X)))
        for column, powers in zip(columns, self.powers_, strict=True):
            for j in np.flatnonzero(powers):
                column *= X[:, j] ** powers[j]  # linear-regression-monomials
        return np.ascontiguousarray(columns.T)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> np.ndarray:
        """Names such as ``x0^2 x1``."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.array([_name(powers, names) for powers in self.powers_], dtype=object)


def _indices(term: tuple[int, ...]) -> np.ndarray:
    return np.array(term, dtype=int)


def _name(powers: IntArray, names: np.ndarray) -> str:
    parts = [names[j] + (f"^{powers[j]}" if powers[j] > 1 else "") for j in np.flatnonzero(powers)]
    return " ".join(parts) or "1"
