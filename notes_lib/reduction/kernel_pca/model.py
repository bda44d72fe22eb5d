"""The estimator of the chapter *Kernel PCA*."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer, check_real, check_symmetric
from notes_lib.kernels.kernel_methods.functions import Kernel, width
from notes_lib.kernels.kernel_methods.model import KernelModel
from notes_lib.kernels.kernel_ridge import KernelRidge
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reduction.kernel_pca.eigen import SOLVERS, Eigenpairs, eigenpairs_of
from notes_lib.reduction.kernel_pca.steps import normalized_coefficients

ROUNDING = 1e-12  # share of the largest eigenvalue below which an eigenvalue is 0
INVALID = 1e-6  # share below minus which the kernel is not positive semi-definite


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, KernelModel):
    """Principal components in the feature space of a kernel; :eq:`kernel-pca-dual-problem`.

    Parameters
    ----------
    n_components : int or None
        How many, at most the number of rows; None keeps all whose eigenvalue is not 0.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"} or callable
        As in :func:`notes_lib.kernels.kernel_methods.kernel_matrix`; "precomputed": X is the kernel matrix.
    gamma, degree, coef0
        Of the kernel; ``gamma`` is 1 / d if None.
    alpha : float
        Strength of the ridge regression that learns the way back, at least 0.
    fit_inverse_transform : bool
        Whether to learn the way back from scores to rows.
    eigen_solver : {"auto", "dense", "randomized"}
        As in :func:`leading_eigenpairs`; all of them are exact to rounding.
    remove_zero_eig : bool
        Whether to leave out components without variance, as is done anyway if ``n_components`` is None.
    random_state : int, Generator, RandomState or None
        Where the solver ``"randomized"`` starts.

    Attributes
    ----------
    eigenvalues_ : (k,) array
        Of the centred kernel matrix, the largest first, *not* divided by n; what is rounding is 0.
    eigenvectors_ : (n, k) array
        Columns of length 1, with the largest entry positive; divided by the roots of the eigenvalues they are the
        coefficients of the directions.
    X_fit_ : (n, d) array
        The training rows, which :meth:`transform` needs.
    gamma_ : float
    dual_coef_, X_transformed_fit_ : (n, d) and (n, k) arrays
        With ``fit_inverse_transform``: the regression of the rows on their scores.
    n_features_in_ : int

    Notes
    -----
    O(n^2 d) time for the matrix and O(n^3) for the eigenvectors, or about ten products O(n^2 k) for a few components
    of many rows; O(n (d + k)) for the scores of a new row. O(n^2) memory.

    A callable, a precomputed and a sigmoid kernel are asked for all their eigenvalues, since these could be negative.
    What counts is the matrix after centring: minus half of squared Euclidean distances is accepted.

    As in scikit-learn, the way back has no intercept: it does not add the mean of X, which centring took away. The RBF
    kernel can do without; for a linear one use ordinary principal components.

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]
    >>> model = KernelPCA(1).fit(X)
    >>> model.eigenvalues_.round(6)
    array([4.])
    >>> model.transform([[3.0, 3.0]]).round(4)
    array([[-2.8284]])
    """

    def __init__(
        self, n_components: int | None = None, *, kernel: Kernel = "linear", gamma: float | None = None,
        degree: int = 3, coef0: float = 1.0, alpha: float = 1.0, fit_inverse_transform: bool = False,
        eigen_solver: str = "auto", remove_zero_eig: bool = False, random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.n_components, self.kernel, self.gamma, self.degree = n_components, kernel, gamma, degree
        self.coef0, self.alpha, self.fit_inverse_transform = coef0, alpha, fit_inverse_transform
        self.eigen_solver, self.remove_zero_eig, self.random_state = eigen_solver, remove_zero_eig, random_state

    def fit(self, X: ArrayLike, y: Any = None) -> KernelPCA:
        """Centre the kernel matrix and find its leading eigenvectors.

        Parameters
        ----------
        X : (n, d) array
            The (n, n) kernel matrix if it is precomputed.
        y : ignored

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; more components than rows; rows that are all the same; a precomputed or
            callable kernel that is not positive semi-definite on X after centring; a way back with a precomputed
            kernel.

        Warns
        -----
        ConvergenceWarning
            If the sigmoid kernel, or the polynomial one with a negative ``coef0``, is not positive semi-definite on X.
            Components with a negative eigenvalue count as 0.
        """
        X = validate_data(self, X, dtype=float)
        n = len(X)
        k = n if self.n_components is None else check_integer(self.n_components, "n_components")
        if k > n:
            raise ValueError(f"n_components={k} must be at most {n}, the number of rows: ask for fewer, or None.")
        check_choice(self.eigen_solver, "eigen_solver", SOLVERS)
        for name in ("fit_inverse_transform", "remove_zero_eig"):
            check_choice(getattr(self, name), name, (True, False))
        if self.fit_inverse_transform and self.kernel == "precomputed":
            raise ValueError('fit_inverse_transform must be False with kernel="precomputed": no rows to find.')
        check_real(self.alpha, "alpha")
        self.gamma_ = width(self.gamma, X)
        K = self._kernel(X)
        if self.kernel == "precomputed":
            check_symmetric(K, "X")
        self._means = K.mean(axis=0)
        centred = K - self._means  # as center_kernel, whose checks would take longer than the centring
        centred -= (self._means - self._means.mean())[:, None]
        if np.linalg.norm(centred) <= 10 * n * np.finfo(float).eps * np.abs(self._means).max():
            one = " (1 sample)" if n == 1 else ""
            raise ValueError(f"X must hold rows that differ{one}: nothing varies, as far as the kernel can tell.")
        values, V = self._eigenpairs(centred, k)
        if self.n_components is None or self.remove_zero_eig:
            values, V = values[values > 0], V[:, values > 0]
        self.eigenvalues_, self.eigenvectors_, self.X_fit_ = values, V, X.copy()  # the caller may change theirs
        if self.fit_inverse_transform:
            self.X_transformed_fit_ = self._training_scores()
            self._way_back = self._ridge().fit(self.X_transformed_fit_, X)
            self.dual_coef_ = self._way_back.dual_coef_
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> FloatArray:
        """Scores (n, k) of the training rows, from the eigenvectors alone; :eq:`kernel-pca-score`."""
        return self.fit(X)._training_scores()

    def transform(self, X: ArrayLike) -> FloatArray:
        """Scores (m, k) of any rows; :eq:`kernel-pca-new-score`.

        Parameters
        ----------
        X : (m, d) array
            The (m, n) kernel values with the training rows if the kernel is precomputed.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        K = X if self.kernel == "precomputed" else self._kernel(X, self.X_fit_)
        alpha = normalized_coefficients(self.eigenvalues_, self.eigenvectors_)
        alpha -= alpha.mean(axis=0)  # so that what is the same in a row of K falls out: kernel-pca-shift
        return (K - self._means) @ alpha

    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """Rows (m, d) whose scores are about X, by the regression that ``fit_inverse_transform`` has learnt.

        Parameters
        ----------
        X : (m, k) array
            Scores.
        """
        check_is_fitted(self)
        if not (self.fit_inverse_transform and hasattr(self, "dual_coef_")):
            raise NotFittedError("the way back is not fitted: set fit_inverse_transform=True and call fit again.")
        X = check_array(X, dtype=float, input_name="X")
        if X.shape[1] != self._n_features_out:
            raise ValueError(f"X must hold {self._n_features_out} scores a row, got shape {X.shape}.")
        return self._way_back.predict(X)

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def _training_scores(self) -> FloatArray:
        return self.eigenvectors_ * np.sqrt(self.eigenvalues_)  # kernel-pca-score

    def _ridge(self) -> KernelRidge:
        return KernelRidge(
            self.alpha, kernel=self.kernel, gamma=self.gamma_, degree=self.degree, coef0=self.coef0
        )  # fmt: skip

    def _eigenpairs(self, K: FloatArray, k: int) -> Eigenpairs:
        """The k leading ones of the centred matrix, negative values and rounding as 0."""
        n, rng = len(K), check_rng(self.random_state)
        sure = self.kernel in ("linear", "rbf") or (self.kernel == "poly" and self.coef0 >= 0)
        values, V = eigenpairs_of(K, k, self.eigen_solver, rng) if sure else eigenpairs_of(K, n, "dense", rng)
        if not sure and values[-1] < -INVALID * np.abs(values).max():
            message = f"kernel={self.kernel!r} is not positive semi-definite on these rows, even after centring"
            if values[0] <= 0 or self.kernel not in ("sigmoid", "poly"):
                raise ValueError(f"{message}: use a valid kernel, or add a positive number to the diagonal.")
            warnings.warn(f"{message}: change coef0 or gamma, or the kernel.", ConvergenceWarning, stacklevel=3)
        values = np.where(values > ROUNDING * values[0], values, 0.0)[:k]
        return Eigenpairs(values, V[:, :k])
