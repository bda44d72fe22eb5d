"""What every machine with a kernel needs besides its dual: the kernel, its rows, the scores and the warnings."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_positive, check_symmetric
from notes_lib.kernels.kernel_methods import kernel_matrix
from notes_lib.kernels.svm.rows import Gram, gram
from notes_lib.kernels.svm.smo import Solution
from notes_lib.numerics import row_blocks

UNLIMITED = 10_000_000  # iterations if max_iter is -1
SINGLE = 1e-6  # a matrix that was computed in single precision is symmetric to this


class KernelMachine(BaseEstimator):
    """Base of the estimators that :func:`notes_lib.kernels.svm.smo.solve` fits."""

    kernel: str | Callable[..., Any]
    degree: int
    gamma: str | float
    coef0: float
    max_iter: int
    support_: np.ndarray
    support_vectors_: FloatArray
    intercept_: FloatArray
    _coef: FloatArray
    _rescale = "X"  # what a warning asks to rescale
    _goal = "a widest margin"  # what a kernel that is not valid does not give

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    @property
    def _given(self) -> bool:
        """Whether the kernel matrix exists as a whole."""
        return callable(self.kernel) or self.kernel == "precomputed"

    def _limit(self) -> int:
        """Most steps of a fit."""
        limit = check_integer(self.max_iter, "max_iter", -1)
        if limit == 0:
            raise ValueError("max_iter must be positive, or -1 for no limit, got 0.")
        return UNLIMITED if limit == -1 else limit

    def _coordinates(self, X: FloatArray, weights: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """What :meth:`_gram` takes, and the centre that was subtracted for the sake of its digits; sets ``gamma_``."""
        self.gamma_ = self._width(X, weights)
        matrix = self._kernel(X[:1] if self.kernel != "precomputed" else X)  # refuses bad options, too
        if self._given:
            matrix = check_symmetric(self._kernel(X), "The kernel matrix", SINGLE)
        centre = X.mean(axis=0) if self.kernel == "linear" else np.zeros(X.shape[1])
        return (matrix if self._given else X - centre), centre

    def _gram(self, coordinates: FloatArray) -> Gram:
        name = "precomputed" if self._given else str(self.kernel)
        return gram(coordinates, name, self.gamma_, self.degree, self.coef0)

    def _keep(self, X: FloatArray, coef: FloatArray, coordinates: FloatArray, centre: FloatArray) -> None:
        """Keep the rows ``support_``, their coefficients (P, n_SV), and the weights if the kernel is linear."""
        self.support_vectors_ = np.empty((0, 0)) if self.kernel == "precomputed" else X[self.support_]
        self._dual = coef
        if self.kernel == "linear":
            self._coef = coef @ coordinates[self.support_]
            self.intercept_ -= self._coef @ centre

    def _scores(self, X: ArrayLike) -> FloatArray:
        """``sum_s coef[p, s] k(x_s, x) + b_p`` over the support vectors, (n, P); by the weights if there are any."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        if self.kernel == "linear":
            return X @ self._coef.T + self.intercept_
        expansion = [self._kernel_at(X[rows]) @ self._dual.T for rows in row_blocks(len(X))]
        return np.vstack(expansion) + self.intercept_

    def _linear_weights(self) -> FloatArray:
        if self.kernel != "linear":
            raise AttributeError("coef_ exists for kernel='linear' only: the weights live in the feature space.")
        check_is_fitted(self)
        return self._coef

    def _kernel(self, X: FloatArray, Y: FloatArray | None = None) -> FloatArray:
        return kernel_matrix(X, Y, self.kernel, gamma=self.gamma_, degree=self.degree, coef0=self.coef0)

    def _kernel_at(self, X: FloatArray) -> FloatArray:
        if not len(self.support_):
            return np.zeros((len(X), 0))
        return X[:, self.support_] if self.kernel == "precomputed" else self._kernel(X, self.support_vectors_)

    def _width(self, X: FloatArray, weights: FloatArray | None) -> float:
        if isinstance(self.gamma, str):
            if self.gamma not in ("scale", "auto"):
                raise ValueError(f"gamma must be 'scale', 'auto' or a positive number, got {self.gamma!r}.")
            with np.errstate(over="ignore", invalid="ignore"):
                variance = _variance(X, weights) if self.gamma == "scale" else 1.0
            if not np.isfinite(variance):
                raise ValueError("X is too large: its squares overflow, rescale its columns.")
            return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
        return check_positive(self.gamma, "gamma")

    def _curvature(self) -> str:
        if self._given:
            return "refuse"
        return "note" if self.kernel == "sigmoid" or (self.kernel == "poly" and self.coef0 < 0) else "trust"

    def _warn(self, found: Solution, tol: float, steps: int) -> None:
        """Say what went wrong, if anything did; called by a method that ``fit`` calls."""
        if found.violation >= tol:
            cause = "max_iter" if len(found.objective) >= steps else "tol (it is below rounding)"
            message = f"SMO stopped at a KKT violation of {found.violation:.2g}: increase {cause}, or rescale "
            warnings.warn(message + f"{self._rescale}.", ConvergenceWarning, stacklevel=4)
        if found.indefinite:
            message = f"kernel={self.kernel!r} is not positive semi-definite on these rows: the result is a stationary "
            message += f"point of the dual, not {self._goal}. Use another kernel, or change gamma and coef0."
            warnings.warn(message, ConvergenceWarning, stacklevel=4)


def _variance(X: FloatArray, weights: FloatArray | None) -> float:
    """Variance of all entries, each row counted with its weight."""
    if weights is None:
        return float(X.var())
    deviation = X - np.average(X.mean(axis=1), weights=weights)
    return float(np.average((deviation**2).mean(axis=1), weights=weights))
