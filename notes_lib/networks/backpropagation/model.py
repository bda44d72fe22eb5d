"""Multilayer perceptrons as estimators with the contract of scikit-learn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer, check_positive, check_real, class_codes
from notes_lib.linear.softmax_regression import one_hot
from notes_lib.networks.backpropagation.checks import check_activation, check_share, check_sizes
from notes_lib.networks.backpropagation.optimisers import SGD, Adam
from notes_lib.networks.backpropagation.steps import generator, initial_weights, propagate
from notes_lib.networks.backpropagation.training import Parameters, Progress, Setting, minimise, train
from notes_lib.numerics import RandomState


class _Network(BaseEstimator):
    """What the classifier and the regressor share."""

    out_activation_: str
    coefs_: list[FloatArray]
    intercepts_: list[FloatArray]
    _progress: Progress

    def __init__(
        self,
        hidden_layer_sizes: int | Sequence[int] = (100,),
        activation: str = "relu",
        *,
        solver: str = "adam",
        alpha: float = 0.0001,
        batch_size: int | str = "auto",
        learning_rate_init: float = 0.001,
        max_iter: int = 200,
        shuffle: bool = True,
        random_state: RandomState = None,
        tol: float = 1e-4,
        warm_start: bool = False,
        momentum: float = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        n_iter_no_change: int = 10,
        dropout: float = 0.0,
    ) -> None:
        self.hidden_layer_sizes, self.activation, self.solver = hidden_layer_sizes, activation, solver
        self.alpha = alpha
        self.batch_size, self.learning_rate_init, self.max_iter = batch_size, learning_rate_init, max_iter
        self.shuffle, self.random_state, self.tol, self.warm_start = shuffle, random_state, tol, warm_start
        self.momentum, self.nesterovs_momentum = momentum, nesterovs_momentum
        self.early_stopping, self.validation_fraction = early_stopping, validation_fraction
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        self.n_iter_no_change, self.dropout = n_iter_no_change, dropout

    def _learn(self, X: FloatArray, Y: FloatArray) -> None:
        """Train on targets (n, K), from fresh weights or, with ``warm_start``, from those of the last fit."""
        rule, hidden, rng = self._checked(), self._hidden(), generator(self.random_state)
        sizes = [X.shape[1], *hidden, Y.shape[1]]
        old = self.warm_start and hasattr(self, "coefs_")
        if old and [W.shape for W in self.coefs_] != list(pairwise(sizes)):
            raise ValueError(f"warm_start needs layers of the same sizes, now {sizes}: call fit without it first.")
        coefs, intercepts = (self.coefs_, self.intercepts_) if old else initial_weights(sizes, rng, self.activation)
        parameters = Parameters(coefs, intercepts)
        progress = self._progress if old and hasattr(self, "_progress") else Progress()
        setting = self._setting(len(X))
        if rule is None:
            self.n_iter_, self.loss_ = minimise(X, Y, parameters, setting)
        else:
            validate = None
            if self.early_stopping:
                held, kept = self._split(len(X), rng)
                validation = X[held], Y[held]
                X, Y = X[kept], Y[kept]
                validate = lambda: self._held_out(*validation, parameters)
                setting = self._setting(len(X))
            self.n_iter_ = train(X, Y, parameters, rule, setting, rng, progress, validate)
            self._progress, self.loss_ = progress, progress.losses[-1]
            self.loss_curve_ = list(progress.losses)
            self.validation_scores_ = list(progress.scores) if self.early_stopping else None
        self.coefs_, self.intercepts_ = list(parameters.coefs), list(parameters.intercepts)
        self.n_layers_, self.n_outputs_ = len(sizes), Y.shape[1]

    def _hidden(self) -> list[int]:
        sizes = self.hidden_layer_sizes
        return check_sizes(sizes if np.iterable(sizes) else [sizes], "hidden_layer_sizes", 0)

    def _checked(self) -> SGD | Adam | None:
        """The rule of the steps, None for L-BFGS, after a look at all hyper-parameters."""
        check_activation(self.activation)
        check_choice(self.solver, "solver", ("adam", "sgd", "lbfgs"))
        check_real(self.alpha, "alpha")
        check_real(self.tol, "tol")
        check_integer(self.max_iter, "max_iter")
        if self.n_iter_no_change != np.inf:
            check_integer(self.n_iter_no_change, "n_iter_no_change")
        check_share(self.dropout, "dropout")
        check_share(self.validation_fraction, "validation_fraction")
        rate = check_positive(self.learning_rate_init, "learning_rate_init")
        sgd = SGD(rate, self.momentum, self.nesterovs_momentum)
        adam = Adam(rate, self.beta_1, self.beta_2, self.epsilon)
        if self.solver == "lbfgs":
            return None
        return sgd if self.solver == "sgd" else adam

    def _setting(self, n: int) -> Setting:
        size = min(200, n)
        if self.batch_size != "auto":
            size = min(check_integer(self.batch_size, "batch_size"), n)
        return Setting(
            self.activation, self.out_activation_, float(self.alpha), float(self.dropout), size, self.shuffle,
            self.max_iter, float(self.tol), self.n_iter_no_change,
        )  # fmt: skip

    def _split(self, n: int, rng: np.random.RandomState) -> tuple[Any, Any]:
        """Rows that are held out, and those that are kept."""
        held = int(np.ceil(self.validation_fraction * n))
        if held < 2 or held >= n:
            raise ValueError(
                f"validation_fraction={self.validation_fraction} holds out {held} of {n} rows: early_stopping needs at "
                "least two, and some to learn from."
            )
        order = rng.permutation(n)
        return order[:held], order[held:]

    def _held_out(self, X: FloatArray, Y: FloatArray, parameters: Parameters) -> float:
        """Score of the present parameters on held-out rows."""
        A = propagate(X, parameters.coefs, parameters.intercepts, self.activation, self.out_activation_)[-1]
        return self._score_of(A, Y)

    @abstractmethod
    def _score_of(self, A: FloatArray, Y: FloatArray) -> float:
        """Accuracy, or coefficient of determination, of outputs."""

    def _outputs(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return propagate(X, self.coefs_, self.intercepts_, self.activation, self.out_activation_)[-1]


class MLPClassifier(ClassifierMixin, _Network):
    """Multilayer perceptron for classes: hidden layers, then a softmax, or one logistic output for two classes.

    Minimises :eq:`backpropagation-loss` with the cross-entropy by mini-batches whose gradients come from
    :func:`backward`.

    Parameters
    ----------
    hidden_layer_sizes : int or sequence of int
        Widths of the hidden layers; ``()`` is a softmax regression.
    activation : {'identity', 'logistic', 'tanh', 'relu'}
        Of the hidden units.
    solver : {'adam', 'sgd', 'lbfgs'}
        Adam, gradient steps with momentum, or L-BFGS on all rows at once (for a few thousand rows at most).
    alpha : float
        Weight of the penalty, ``alpha / (2 n)`` times the sum of squared weights, n the rows of a batch.
    batch_size : int or 'auto'
        Rows of a batch; 'auto' is 200, or all if there are fewer.
    learning_rate_init : float
        Learning rate, the same in all epochs.
    max_iter : int
        Most epochs, or iterations of L-BFGS.
    shuffle : bool
        Whether each epoch has its own order of the rows.
    random_state : int, Generator, RandomState or None
        An int gives the start and the batches that scikit-learn has for it.
    tol : float
        An epoch that lowers the loss by less counts as no progress; for L-BFGS the largest entry of the gradient.
    warm_start : bool
        Go on from ``coefs_`` and ``intercepts_`` of the last fit.
    momentum : float
        Of 'sgd'.
    nesterovs_momentum : bool
        Of 'sgd'.
    early_stopping : bool
        Judge progress by the accuracy on held-out rows, and keep the weights of the best epoch.
    validation_fraction : float
        Share of the rows that is held out, at random.
    beta_1, beta_2, epsilon : float
        Of 'adam'.
    n_iter_no_change : int
        More epochs than this without progress end the training.
    dropout : float
        Probability with which a hidden unit is silent for one instance of a batch; not in scikit-learn.

    Attributes
    ----------
    classes_ : (K,) array
    coefs_, intercepts_ : lists of arrays
        Weights (m, k) and biases (k,) of each layer.
    loss_ : float
    loss_curve_ : list of float
        Mean loss of each epoch with its penalty, each batch at the weights that it met; not for 'lbfgs'.
    validation_scores_ : list of float or None
        With ``early_stopping`` the accuracy on the held-out rows after each epoch.
    n_iter_ : int
    n_layers_, n_outputs_ : int
    out_activation_ : str
    n_features_in_ : int

    Notes
    -----
    O(n P) time an epoch for P weights; O(P + batch_size units) memory beside the data. With the same arguments the
    weights are those of scikit-learn, but for ``early_stopping`` with two classes, which it stratifies. Sources:
    Rumelhart, Hinton and Williams (1986); Goodfellow, Bengio and Courville (2016), chapters 6 to 8.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], ["same", "other", "other", "same"]
    >>> model = MLPClassifier((4,), "tanh", solver="lbfgs", random_state=0).fit(X, y)
    >>> model.predict(X)
    array(['same', 'other', 'other', 'same'], dtype='<U5')
    """

    classes_: np.ndarray

    def fit(self, X: ArrayLike, y: ArrayLike) -> MLPClassifier:
        """Learn the weights.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type, of at least two classes.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, one class, a loss that is no longer finite, or ``warm_start`` with other
            classes or layers.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` does not suffice.
        """
        X, y = validate_data(self, X, y, dtype=float)
        classes, codes = class_codes(y)
        if self.warm_start and hasattr(self, "coefs_") and not np.array_equal(classes, self.classes_):
            raise ValueError(f"warm_start needs the same classes, {self.classes_.tolist()}, got {classes.tolist()}.")
        self.classes_, two = classes, len(classes) == 2
        self.out_activation_ = "logistic" if two else "softmax"
        self._learn(X, codes[:, None].astype(float) if two else one_hot(codes, len(classes)))
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Probabilities (n, K) of the classes."""
        P = self._outputs(X)
        return np.column_stack([1 - P, P]) if len(self.classes_) == 2 else P

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Logarithms (n, K) of the probabilities, minus infinity where one rounds to 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest probability."""
        best = _best(self._outputs(X))
        return self.classes_[best]

    def _score_of(self, A: FloatArray, Y: FloatArray) -> float:
        return float((_best(A) == _best(Y)).mean())


class MLPRegressor(RegressorMixin, _Network):
    """Multilayer perceptron for numbers: hidden layers, then linear outputs, one for each target.

    Minimises :eq:`backpropagation-loss` with half the squared error. Parameters are those of :class:`MLPClassifier`;
    ``early_stopping`` judges progress by the coefficient of determination.

    Attributes
    ----------
    coefs_, intercepts_ : lists of arrays
        Weights (m, k) and biases (k,) of each layer.
    loss_ : float
    loss_curve_ : list of float
        As in :class:`MLPClassifier`. As in scikit-learn, squares are averaged over the targets here, although the
        gradients are those of their sum.
    validation_scores_ : list of float or None
    n_iter_ : int
    n_layers_, n_outputs_ : int
    out_activation_ : str
    n_features_in_ : int

    Notes
    -----
    As :class:`MLPClassifier`. Standardise ``X``, and ``y`` if its values are large.

    Examples
    --------
    >>> X = np.linspace(-2, 2, 30)[:, None]
    >>> model = MLPRegressor((10,), "tanh", solver="lbfgs", alpha=0, max_iter=500, random_state=0).fit(X, X[:, 0] ** 2)
    >>> bool(np.abs(model.predict(X) - X[:, 0] ** 2).max() < 0.02)
    True
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> MLPRegressor:
        """Learn the weights.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) or (n, K) array

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, a loss that is no longer finite, or ``warm_start`` with other layers.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` does not suffice.
        """
        X, y = validate_data(self, X, y, dtype=float, multi_output=True, y_numeric=True)
        Y = np.asarray(y, dtype=float)
        self.out_activation_ = "identity"
        self._learn(X, Y[:, None] if Y.ndim == 1 else Y)
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Numbers (n,), or (n, K) if there were several targets."""
        Y = self._outputs(X)
        return Y[:, 0] if self.n_outputs_ == 1 else Y

    def _score_of(self, A: FloatArray, Y: FloatArray) -> float:
        squares = ((Y - Y.mean(axis=0)) ** 2).sum(axis=0)
        return float((1 - ((Y - A) ** 2).sum(axis=0) / np.where(squares > 0, squares, 1.0)).mean())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _best(P: FloatArray) -> np.ndarray:
    """Number (n,) of the class of largest probability; one column is the probability of class 1."""
    return (P[:, 0] > 0.5).astype(int) if P.shape[1] == 1 else P.argmax(axis=1)
