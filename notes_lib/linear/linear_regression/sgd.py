"""Linear regression by stochastic gradients."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer, check_positive, check_real
from notes_lib.linear.linear_regression.steps import sgd_pass
from notes_lib.numerics import RandomState, check_rng


class SGDRegressor(RegressorMixin, BaseEstimator):
    """Least squares by stochastic gradient descent on half the squared error; :eq:`linear-regression-sgd`.

    As scikit-learn's, with ``penalty=None`` and with batches. Standardise the columns first.

    Parameters
    ----------
    fit_intercept : bool
    learning_rate : {'invscaling', 'constant'}
        Step t has length ``eta0 / t**power_t``, or ``eta0`` always.
    eta0, power_t : float
    batch_size : int
        Rows of a step.
    max_iter : int
        Most passes over the rows.
    tol : float or None
        Stop when the loss of ``n_iter_no_change`` passes in a row was not lower by ``tol`` than the best one before;
        None: do all passes.
    n_iter_no_change : int
    shuffle : bool
        Whether the rows are in a new order in each pass.
    average : bool
        Whether ``coef_`` is the mean of the weights after all steps instead of the last ones.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    coef_ : (d,) array
    intercept_ : (1,) array
    objective_ : (T,) array
        Half the mean squared error after each of the T = ``n_iter_`` passes, of the weights that walk; infinite for a
        pass that overflowed.
    n_iter_, t_, n_features_in_ : int
        Passes, steps so far plus 1, columns.

    Notes
    -----
    O(n d) time for each pass, O(d) memory beside the data.

    Examples
    --------
    >>> model = SGDRegressor(eta0=0.1, tol=1e-9, random_state=0).fit([[-1.0], [0.0], [1.0]], [-1.0, 1.0, 3.0])
    >>> model.coef_.round(3), model.intercept_.round(3)
    (array([2.]), array([1.]))
    """

    def __init__(
        self, *, fit_intercept: bool = True, learning_rate: str = "invscaling", eta0: float = 0.01,
        power_t: float = 0.25, batch_size: int = 1, max_iter: int = 1000, tol: float | None = 1e-3,
        n_iter_no_change: int = 5, shuffle: bool = True, average: bool = False, random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.fit_intercept, self.learning_rate, self.eta0, self.power_t = fit_intercept, learning_rate, eta0, power_t
        self.batch_size, self.max_iter, self.tol, self.n_iter_no_change = batch_size, max_iter, tol, n_iter_no_change
        self.shuffle, self.average, self.random_state = shuffle, average, random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> SGDRegressor:
        """Walk from 0 until the loss stops falling.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter. A step so long that the weights overflow ends the walk before that pass, with a
            ``ConvergenceWarning`` that names ``eta0``.
        """
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True)
        self._start(X.shape[1])
        rng, best, worse = check_rng(self.random_state), np.inf, 0
        losses: list[float] = []
        for _ in range(check_integer(self.max_iter, "max_iter")):
            losses.append(self._pass(X, y, rng))
            worse = worse + 1 if losses[-1] > best - self._tol else 0
            best = min(best, losses[-1])
            if losses[-1] == np.inf or (self.tol is not None and worse >= self._patience):
                break
        else:
            if self.tol is not None:
                message = "the loss still falls after max_iter passes: increase max_iter, tol or eta0."
                warnings.warn(message, ConvergenceWarning, stacklevel=2)
        self.n_iter_, self.objective_ = len(losses), np.array(losses)
        return self

    def partial_fit(self, X: ArrayLike, y: ArrayLike) -> SGDRegressor:
        """One more pass over these rows, from the weights reached so far.

        Raises
        ------
        TypeError, ValueError
            As :meth:`fit`; also if the number of columns is another one than before.
        """
        first = not hasattr(self, "coef_")
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True, reset=first)
        if first:
            self._start(X.shape[1])
            self._rng = check_rng(self.random_state)
            self.n_iter_, self.objective_ = 0, np.empty(0)
        loss = self._pass(X, y, getattr(self, "_rng", None) or check_rng(self.random_state))
        self.n_iter_, self.objective_ = self.n_iter_ + 1, np.append(self.objective_, loss)
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Fitted hyperplane at the rows of ``X``, (n,)."""
        check_is_fitted(self)
        return validate_data(self, X, dtype=float, reset=False) @ self.coef_ + self.intercept_[0]

    def _start(self, d: int) -> None:
        """Check the hyper-parameters; weights of 0, the intercept last."""
        check_choice(self.learning_rate, "learning_rate", ("invscaling", "constant"))
        check_positive(self.eta0, "eta0")
        check_real(self.power_t, "power_t")
        check_integer(self.batch_size, "batch_size")
        check_choice(self.average, "average", (False, True))
        self._tol = 0.0 if self.tol is None else check_real(self.tol, "tol")
        self._patience = check_integer(self.n_iter_no_change, "n_iter_no_change")
        self._walk, self._sum, self.t_ = np.zeros(d + 1), np.zeros(d + 1), 1
        self.coef_, self.intercept_ = np.zeros(d), np.zeros(1)

    def _pass(self, X: FloatArray, y: FloatArray, rng: np.random.Generator) -> float:
        """One pass; the loss after it."""
        n = len(X)
        A = np.column_stack([X, np.ones(n) if self.fit_intercept else np.zeros(n)])
        order = rng.permutation(n) if self.shuffle else np.arange(n)
        t = self.t_ + np.arange(-(-n // self.batch_size))
        rates = self.eta0 / t**self.power_t if self.learning_rate == "invscaling" else np.full(len(t), self.eta0)
        with np.errstate(over="ignore", invalid="ignore"):
            path = sgd_pass(self._walk, A, y, order, rates, self.batch_size)
            loss = 0.5 * float(np.mean((y - A @ path[-1]) ** 2))
        if not np.isfinite(loss):
            message = f"the weights overflow with eta0={self.eta0:g}: standardise the columns or lower eta0."
            warnings.warn(message, ConvergenceWarning, stacklevel=3)
            return float("inf")
        self.t_ += len(t)
        self._walk, self._sum = path[-1], self._sum + path.sum(axis=0)
        w = self._sum / (self.t_ - 1) if self.average else self._walk
        self.coef_, self.intercept_ = w[:-1].copy(), w[-1:].copy()
        return loss
