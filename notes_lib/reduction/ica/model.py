"""The estimator: whitening, fixed-point iterations, sources."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import pinv
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer, check_real, check_shape
from notes_lib.numerics import RandomState, check_rng, row_blocks
from notes_lib.reduction.ica.contrasts import Contrast, contrast_of
from notes_lib.reduction.ica.steps import orthogonal, unit
from notes_lib.reduction.ica.whitening import number_of_components, white_axes

FAR_FROM_WHITE = 0.1  # a covariance whose entries differ by more from those of the identity


class FastICA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Independent components by fixed-point iterations on white data.

    Parameters
    ----------
    n_components : int or None
        Number of sources, at most min(n, d), which is the default. Data of more features are projected onto as many
        principal components.
    algorithm : {'parallel', 'deflation'}
        All directions together, :eq:`ica-symmetric`, or one after the other, :eq:`ica-deflation`.
    whiten : {'unit-variance', 'arbitrary-variance'} or False
        Sources of variance 1, or of variance 1/n as scikit-learn has it. False: the data are white already.
    fun : {'logcosh', 'exp', 'cube'}
        The contrast: tanh for most sources, 'exp' for very heavy tails, 'cube' for kurtosis, which outliers ruin.
    max_iter : int
        Most iterations, for each component by deflation.
    tol : float
        A direction has converged when its cosine with the one before differs by less from 1, up to the sign.
    w_init : (C, C) array or None
        Rows are directions from which to start, in the space of white data; drawn from N(0, 1) if None.
    random_state : int, Generator, RandomState or None
        Draws ``w_init``.

    Attributes
    ----------
    components_ : (C, d) array
        Unmixing matrix: ``sources = (X - mean_) @ components_.T``; :eq:`ica-components`.
    mixing_ : (d, C) array
        Its pseudo-inverse.
    mean_ : (d,) array
        Not set if ``whiten`` is False.
    whitening_ : (C, d) array
        Along its rows the centred data have the sum of squares 1, as in scikit-learn: times ``sqrt(n)`` the matrix of
        :func:`whiten`. Not set if ``whiten`` is False.
    n_iter_ : int
        Iterations; by deflation the most that a component took.
    changes_ : list of float
        The largest change of a direction in each iteration, as ``tol`` measures it; by deflation one component after
        the other.
    n_features_in_ : int

    Notes
    -----
    O(n d^2) time for whitening, O(n C^2) for each iteration; O(n C) memory beside the data. Order and signs of the
    sources are arbitrary. If more than one source is Gaussian, what comes out for these is arbitrary too.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> S = rng.uniform(-1, 1, size=(2000, 2))
    >>> A = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> model = FastICA(random_state=0).fit(S @ A.T)
    >>> np.abs(model.components_ @ A / np.sqrt(3)).round(1)  # a permutation, for sources of unit variance
    array([[0., 1.],
           [1., 0.]])
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        algorithm: str = "parallel",
        whiten: str | bool = "unit-variance",
        fun: str = "logcosh",
        max_iter: int = 200,
        tol: float = 1e-4,
        w_init: ArrayLike | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.whiten = whiten
        self.fun = fun
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> FastICA:
        """Find the directions; ``y`` is ignored.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; more components than min(n, d), or than the rank of the centred data (names
            a constant column if there is one); ``w_init`` of another shape or singular.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` iterations were not enough.
        UserWarning
            If ``whiten`` is False, and X is far from white or ``n_components`` is given, which then has no effect.
        """
        X = self._checked(X, ensure_min_samples=2)
        self._check_settings()
        if self.whiten:
            mean = X.mean(axis=0)
            centred = X - mean
            K = white_axes(centred, self.n_components)
            Z = np.sqrt(len(X)) * K @ centred.T  # (C, n)
        else:
            Z = self._taken_as_white(X)
        start = self._start(len(Z))
        R = (self._parallel if self.algorithm == "parallel" else self._deflation)(start, Z, contrast_of(self.fun))
        if self.whiten:
            self.mean_, self.whitening_ = mean, K
            scale = np.sqrt(len(X)) if self.whiten == "unit-variance" else 1.0
            self.components_ = scale * (R @ K)  # ica-components
        else:
            self.components_ = R
        self.mixing_ = pinv(self.components_)
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """Sources (n, C) of rows."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        return (X - self.mean_ if self.whiten else X) @ self.components_.T

    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """Mix sources (n, C) to rows (n, d); the inverse of :meth:`transform` if no component was left out.

        Raises
        ------
        TypeError, ValueError
            If X has another number of columns than there are components, or an entry is not finite.
        """
        check_is_fitted(self)
        mixed = check_shape(X, "X", (None, len(self.components_))) @ self.mixing_.T
        return mixed + self.mean_ if self.whiten else mixed

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _checked(self, X: ArrayLike, **how: Any) -> FloatArray:
        return np.asarray(validate_data(self, X, dtype="numeric", **how), dtype=float)

    def _check_settings(self) -> None:
        check_choice(self.algorithm, "algorithm", ("parallel", "deflation"))
        if self.whiten is not False:
            check_choice(self.whiten, "whiten", ("unit-variance", "arbitrary-variance", False))
        check_choice(self.fun, "fun", ("logcosh", "exp", "cube"))
        check_integer(self.max_iter, "max_iter")
        check_real(self.tol, "tol")

    def _taken_as_white(self, X: FloatArray) -> FloatArray:
        """The data as (C, n); says so if they cannot be white."""
        if self.n_components is not None:
            number_of_components(self.n_components, min(X.shape))
            warnings.warn("n_components is ignored with whiten=False: whiten, or leave it out.", UserWarning, 3)
        if np.abs(X.T @ X / len(X) - np.eye(X.shape[1])).max() > FAR_FROM_WHITE:
            warnings.warn("X is far from white, as whiten=False takes it to be: whiten it first.", UserWarning, 3)
        return np.ascontiguousarray(X.T)

    def _start(self, C: int) -> FloatArray:
        if self.w_init is None:
            return check_rng(self.random_state).normal(size=(C, C))
        W = check_shape(self.w_init, "w_init", (C, C))
        orthogonal(W, "w_init")  # refuses dependent rows
        return W

    def _parallel(self, W: FloatArray, Z: FloatArray, contrast: Contrast) -> FloatArray:
        R, self.changes_ = orthogonal(W, "w_init"), []
        for _ in range(self.max_iter):
            new = orthogonal(fixed_point(R, Z, contrast), "the step")
            self.changes_.append(largest_change(new, R))
            R = new
            if self.changes_[-1] < self.tol:
                break
        else:
            self._warn("the directions")
        self.n_iter_ = len(self.changes_)
        return R

    def _deflation(self, W: FloatArray, Z: FloatArray, contrast: Contrast) -> FloatArray:
        R, self.changes_, self.n_iter_ = np.zeros_like(W, dtype=float), [], 0
        for i, w in enumerate(W / np.linalg.norm(W, axis=1, keepdims=True)):
            before = len(self.changes_)
            for _ in range(self.max_iter):
                step = fixed_point(w[None], Z, contrast)[0]
                new = unit(step - (R[:i] @ step) @ R[:i], w)  # ica-deflation
                self.changes_.append(largest_change(new[None], w[None]))
                w = new
                if self.changes_[-1] < self.tol:
                    break
            else:
                self._warn(f"component {i}")
            R[i], self.n_iter_ = w, max(self.n_iter_, len(self.changes_) - before)
        return R

    def _warn(self, what: str) -> None:
        warnings.warn(
            f"{what} did not converge in max_iter={self.max_iter} iterations: increase max_iter or tol. "
            "Several Gaussian sources have no direction of their own.",
            ConvergenceWarning,
            4,
        )


def fixed_point(R: FloatArray, Z: FloatArray, contrast: Contrast) -> FloatArray:
    """``E g(R z) z' - diag(E g'(R z)) R`` (C, C) for white data Z (C, n): :eq:`ica-fixed-point`, not yet scaled.

    In blocks of columns that stay in the processor's cache, with one evaluation of g for both means.
    """
    n = Z.shape[1]
    moment, slope = np.zeros((len(R), len(Z))), np.zeros(len(R))
    for block in row_blocks(n, len(Z)):
        Y = R @ Z[:, block]
        slope += contrast.push(Y)
        moment += Y @ Z[:, block].T
    return moment / n - (slope / n)[:, None] * R


def largest_change(new: FloatArray, old: FloatArray) -> float:
    """The largest distance from 1 of the cosine of two directions in the same row, up to the sign."""
    return float(np.abs(np.abs(np.einsum("ij,ij->i", new, old)) - 1).max())
