"""The estimator of the chapter *Non-negative matrix factorisation*."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer, check_real, check_shape
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reduction.nmf.checks import (
    INITS,
    check_count,
    check_non_negative,
    check_solver,
    check_start,
    check_target,
    refuse_text,
)
from notes_lib.reduction.nmf.solvers import Factors, coordinate_descent, multiplicative
from notes_lib.reduction.nmf.starts import nndsvd, random_start
from notes_lib.reduction.nmf.steps import divergence

FILL = {"nndsvd": "zeros", "nndsvda": "mean", "nndsvdar": "random"}


class NMF(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Non-negative matrix factorisation, X near W H with W and H of at least 0.

    Looks for factors with a small :eq:`nmf-objective` or :eq:`nmf-divergence`. What it finds depends on the start.
    Parameters and attributes are those of ``sklearn.decomposition.NMF``, without penalties.

    Parameters
    ----------
    n_components : int, 'auto' or None
        Number of parts k, at most min(n, d). 'auto' or None: as many rows as the H of ``init='custom'`` has, else
        min(n, d).
    init : None, 'random', 'nndsvd', 'nndsvda', 'nndsvdar' or 'custom'
        See :func:`random_start` and :func:`nndsvd`, without zeros in 'nndsvda' and 'nndsvdar'. None: 'nndsvda'.
        'custom': from the W and H that ``fit_transform`` is given.
    solver : 'cd' or 'mu'
        Row by row, also called HALS, for squared errors; or multiplicative updates, for both losses.
    beta_loss : 'frobenius' or 'kullback-leibler'
        Squared errors, or the Kullback-Leibler divergence (solver 'mu').
    tol : float
        When to stop; see :func:`coordinate_descent` and :func:`multiplicative`.
    max_iter : int
        Largest number of iterations.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    components_ : (k, d) array, the parts H
    n_components_ : int, k
    reconstruction_err_ : float
        The Frobenius norm of X - W H; with the other loss the root of twice the divergence.
    n_iter_ : int
    objective_ : array of ``n_iter_`` numbers, half the squared error, or the divergence, after each iteration
    n_features_in_ : int
    feature_names_in_ : array of str, if X has column names

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` iterations are used up and ``tol`` is positive.
    UserWarning
        If multiplicative updates start from 'nndsvd', whose zeros they cannot change.
    RuntimeWarning
        If W or H is given and ``init`` is not 'custom'.

    Raises
    ------
    ValueError
        If X has a negative, NaN, infinite or no entry, or is 0 everywhere; if ``n_components`` is below 1 or above
        min(n, d); if another parameter has no valid value; if 'cd' is to minimise a divergence; if W or H of
        'custom' is missing, negative, 0 everywhere or of the wrong shape. By ``transform``: if X has another number of
        columns.
    TypeError
        If a parameter has the wrong type, or X is sparse or holds text.

    Notes
    -----
    O(n d k) time for each iteration, O(n d) memory. Rows and columns of zeros are allowed: they get zeros. Features are
    neither centred nor scaled. 'nndsvda' and 'nndsvdar' take their fill from the mean of X, as in scikit-learn, while
    the factors have the size of its root: bring data in very large or small units near 1 first.

    Examples
    --------
    >>> X = np.array([[2.0, 0.0, 2.0], [0.0, 3.0, 0.0], [2.0, 3.0, 2.0]])
    >>> model = NMF(2, tol=1e-8).fit(X)
    >>> model.reconstruction_err_ < 1e-6, model.components_ > 1e-6
    (True, array([[ True, False,  True],
           [False,  True, False]]))
    """

    def __init__(
        self,
        n_components: int | str | None = "auto",
        *,
        init: str | None = None,
        solver: str = "cd",
        beta_loss: str = "frobenius",
        tol: float = 1e-4,
        max_iter: int = 200,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.solver = solver
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None, **params: ArrayLike | None) -> NMF:
        """Find the parts of the rows of ``X`` (n, d).

        Parameters
        ----------
        X : (n, d) array of numbers of at least 0
        y : ignored
        **params
            W and H of :meth:`fit_transform`.

        Returns
        -------
        NMF
            The estimator.
        """
        self.fit_transform(X, **params)
        return self

    def fit_transform(
        self, X: ArrayLike, y: Any = None, W: ArrayLike | None = None, H: ArrayLike | None = None
    ) -> FloatArray:
        """Find the parts, and return how much of each is in each row.

        Parameters
        ----------
        X : (n, d) array of numbers of at least 0
        y : ignored
        W : (n, k) array, H : (k, d) array, of numbers of at least 0
            The start of ``init='custom'``; they are not changed.

        Returns
        -------
        (n, k) array
            The factor W.
        """
        self._check_parameters()
        refuse_text(X)
        X = check_target(validate_data(self, X, dtype=np.float64))
        start = self._start(X, W, H)
        found = self._loop(X, *start)
        self.components_, self.n_components_ = found.H, len(found.H)
        self.n_iter_, self.objective_ = found.n_iter, found.objective
        self.reconstruction_err_ = float(np.sqrt(2 * max(0.0, divergence(X, found.W, found.H, self.beta_loss))))
        return found.W

    def transform(self, X: ArrayLike) -> FloatArray:
        """How much of each part is in each row of ``X`` (n, d), the parts fixed; an (n, k) array."""
        check_is_fitted(self)
        self._check_parameters()
        refuse_text(X)
        X = check_non_negative(validate_data(self, X, reset=False, dtype=np.float64), "X")
        k = len(self.components_)
        level = np.sqrt(X.mean() / k) if self.solver == "mu" else 0.0  # a factor of 0 would never move
        return self._loop(X, np.full((len(X), k), level), self.components_, update_H=False).W

    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """The sums of parts, ``X @ components_`` (n, d), for amounts ``X`` (n, k)."""
        check_is_fitted(self)
        return np.asarray(check_shape(X, "X", (None, len(self.components_))) @ self.components_)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def _check_parameters(self) -> None:
        check_solver(self.solver, self.beta_loss)
        check_choice(self.init, "init", INITS)
        check_integer(self.max_iter, "max_iter")
        check_real(self.tol, "tol")

    def _start(self, X: FloatArray, W: ArrayLike | None, H: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
        """The factors from which the loop starts, as new arrays."""
        custom, k = self.init == "custom", self.n_components
        if k is None or (isinstance(k, str) and k == "auto"):
            k = len(np.atleast_2d(np.asarray(H))) if custom and H is not None else min(X.shape)
        k = check_count(k, X.shape)
        if custom:
            return check_start(W, "W", (len(X), k)), check_start(H, "H", (k, X.shape[1]))
        if W is not None or H is not None:
            message = "W and H are ignored: they are the start of init='custom' only."
            warnings.warn(message, RuntimeWarning, stacklevel=3)
        rng = check_rng(self.random_state)
        if self.init == "random":
            return random_start(X, k, rng)
        if self.solver == "mu" and self.init == "nndsvd":
            message = "solver='mu' cannot change the zeros of init='nndsvd': choose init='nndsvda' or 'nndsvdar'."
            warnings.warn(message, UserWarning, stacklevel=3)
        return nndsvd(X, k, FILL[self.init or "nndsvda"], rng)

    def _loop(self, X: FloatArray, W: FloatArray, H: FloatArray, update_H: bool = True) -> Factors:
        limits: dict[str, Any] = {"max_iter": self.max_iter, "tol": self.tol, "update_H": update_H}
        if self.solver == "cd":
            found = coordinate_descent(X, W, H, **limits)
        else:
            found = multiplicative(X, W, H, self.beta_loss, **limits)
        if self.tol > 0 and not found.converged:
            message = f"the factors still improved after max_iter={self.max_iter} iterations: raise max_iter or tol."
            warnings.warn(message, ConvergenceWarning, stacklevel=3)
        return found
