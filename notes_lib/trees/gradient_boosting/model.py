"""Gradient boosting of trees for numbers and for classes, with the contract of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice
from notes_lib.linear.linear_regression.checks import check_weights
from notes_lib.linear.softmax_regression import log_sum_exp, softmax
from notes_lib.numerics import RandomState
from notes_lib.trees.gradient_boosting.losses import LogisticLoss, SoftmaxLoss, loss_of
from notes_lib.trees.gradient_boosting.rounds import Boosting, TreeMethod


class GradientBoostingRegressor(RegressorMixin, Boosting):
    """A sum of regression trees, each fitted to the pseudo-residuals of the sum before it, :eq:`gradient-boosting-sum`.

    Parameters
    ----------
    loss : {"squared_error", "absolute_error", "huber"}
    learning_rate : float
        Positive factor of every tree, :eq:`gradient-boosting-update`.
    n_estimators : int
        Number of rounds, at most.
    subsample : float
        Share of the rows, without replacement, on which each tree is grown.
    max_depth : int
    min_samples_split : int
        A node with fewer rows is a leaf.
    min_samples_leaf : int
        No split leaves fewer rows on a side.
    alpha : float
        Share of the absolute residuals below the border of Huber's loss.
    n_iter_no_change : int or None
        If so many rounds do not lower the loss on held-out rows by more than ``tol``, stop; None never stops early.
    validation_fraction : float
        Share of the rows held out for this; the trees do not see them.
    tol : float
    random_state : int, Generator, RandomState or None
        Draws the rows of a round and the held-out ones.
    tree_method : {"exact", "hist"}
        All thresholds and least squares, or bins and the second-order gain :eq:`gradient-boosting-gain`.
    max_bin : int
        Bins of a feature, for "hist".
    reg_lambda, gamma : float
        Penalties on squared leaf values and for each leaf, for "hist".

    Attributes
    ----------
    baseline_ : (1,) array
        The best constant, with which boosting begins.
    trees_ : list of lists of Tree
        The trees of each round, with the values of their leaves before the learning rate.
    estimators_ : (T, 1) array of DecisionTreeRegressor
        The same trees as estimators, as in scikit-learn; (T, K) for more than two classes. ``len(model)``,
        ``model[i]`` and a loop over ``model`` give the rounds.
    n_estimators_ : int
        Rounds made.
    train_score_ : (T,) array
        Mean loss on the training rows after each round; squared errors are halved.
    validation_score_ : (T,) array
        The same on the held-out rows; empty without early stopping.
    n_features_in_ : int

    Notes
    -----
    O(d n log n) time for each level of each tree, or O(d n) by bins. NaN and infinity are refused. The names of the
    second-order variant are those of XGBoost; scikit-learn has it as ``HistGradientBoostingRegressor``. Sources:
    J. H. Friedman (2001), Annals of Statistics 29, 1189-1232; T. Chen and C. Guestrin (2016), KDD.

    Examples
    --------
    >>> model = GradientBoostingRegressor(n_estimators=1, learning_rate=0.5, max_depth=1)
    >>> model.fit([[1], [2], [3]], [0, 0, 6]).predict([[1], [3]])
    array([1., 4.])
    """

    def __init__(
        self, *, loss: Literal["squared_error", "absolute_error", "huber"] = "squared_error",
        learning_rate: float = 0.1, n_estimators: int = 100, subsample: float = 1.0, max_depth: int = 3,
        min_samples_split: int = 2, min_samples_leaf: int = 1, alpha: float = 0.9,
        n_iter_no_change: int | None = None, validation_fraction: float = 0.1, tol: float = 1e-4,
        random_state: RandomState = None, tree_method: TreeMethod = "exact", max_bin: int = 255,
        reg_lambda: float = 0.0, gamma: float = 0.0,
    ) -> None:  # fmt: skip
        self.loss, self.learning_rate, self.n_estimators, self.subsample = loss, learning_rate, n_estimators, subsample
        self.max_depth, self.min_samples_split, self.min_samples_leaf = max_depth, min_samples_split, min_samples_leaf
        self.alpha, self.n_iter_no_change, self.validation_fraction = alpha, n_iter_no_change, validation_fraction
        self.tol, self.random_state, self.tree_method, self.max_bin = tol, random_state, tree_method, max_bin
        self.reg_lambda, self.gamma = reg_lambda, gamma

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> GradientBoostingRegressor:
        """Boost.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array of numbers
        sample_weight : (n,) array, optional
            Non-negative; rows of weight 0 take no part.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, weights that are negative or all 0, penalties without "hist", a loss without
            a second derivative with it.
        """
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True)
        check_choice(self.loss, "loss", ("squared_error", "absolute_error", "huber"))
        if self.tree_method == "hist" and self.loss != "squared_error":
            raise ValueError(f"tree_method='hist' needs a second derivative, which {self.loss!r} lacks: use 'exact'.")
        w = check_weights(sample_weight, len(X))
        self._boost(X, np.asarray(y, dtype=float), w, loss_of(self.loss, self.alpha))
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Prediction for each row, (n,) array."""
        return self._scores(X)[:, 0]

    def staged_predict(self, X: ArrayLike) -> Iterator[FloatArray]:
        """Predictions after each round."""
        stages = self._staged(X)
        next(stages)
        return (F[:, 0].copy() for F in stages)


class GradientBoostingClassifier(ClassifierMixin, Boosting):
    """Boosted trees for classes: one tree a round for two classes, :eq:`gradient-boosting-logistic`, else one a class.

    Parameters
    ----------
    learning_rate, n_estimators, subsample, max_depth, min_samples_split, min_samples_leaf, n_iter_no_change
        As in :class:`GradientBoostingRegressor`.
    validation_fraction, tol, random_state, tree_method, max_bin, reg_lambda, gamma
        As in :class:`GradientBoostingRegressor`. The held-out rows have the same share in every class.

    Attributes
    ----------
    classes_ : (K,) array
    n_classes_ : int
        K.
    baseline_ : (1,) or (K,) array
        Log-odds of the second class, or logarithms of the shares of the classes.
    trees_, estimators_, n_estimators_, train_score_, validation_score_, n_features_in_
        As in :class:`GradientBoostingRegressor`; the score is the mean log loss in nats.

    Notes
    -----
    As in :class:`GradientBoostingRegressor`. For more than two classes the leaves of "exact" carry Friedman's factor
    (K - 1) / K, :eq:`gradient-boosting-softmax`; those of "hist" do not.

    Examples
    --------
    >>> model = GradientBoostingClassifier(n_estimators=20).fit([[1], [2], [3], [4]], ["a", "a", "b", "b"])
    >>> model.predict([[1.4], [3.6]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self, *, learning_rate: float = 0.1, n_estimators: int = 100, subsample: float = 1.0, max_depth: int = 3,
        min_samples_split: int = 2, min_samples_leaf: int = 1, n_iter_no_change: int | None = None,
        validation_fraction: float = 0.1, tol: float = 1e-4, random_state: RandomState = None,
        tree_method: TreeMethod = "exact", max_bin: int = 255, reg_lambda: float = 0.0, gamma: float = 0.0,
    ) -> None:  # fmt: skip
        self.learning_rate, self.n_estimators, self.subsample = learning_rate, n_estimators, subsample
        self.max_depth, self.min_samples_split, self.min_samples_leaf = max_depth, min_samples_split, min_samples_leaf
        self.n_iter_no_change, self.validation_fraction, self.tol = n_iter_no_change, validation_fraction, tol
        self.random_state, self.tree_method, self.max_bin = random_state, tree_method, max_bin
        self.reg_lambda, self.gamma = reg_lambda, gamma

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> GradientBoostingClassifier:
        """Boost.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type, at least two classes with a positive weight.
        sample_weight : (n,) array, optional
            Non-negative; rows of weight 0 take no part.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, weights that are negative or all 0, one class, a class without weight.
        """
        X, y = validate_data(self, X, y, dtype=float)
        check_classification_targets(y)
        w = check_weights(sample_weight, len(X))
        self.classes_, codes = np.unique(y, return_inverse=True)
        K = self.n_classes_ = len(self.classes_)
        heavy = int(np.count_nonzero(np.bincount(codes, w, K)))
        if heavy < max(2, K):
            raise ValueError(
                f"y must hold at least two classes, each with a positive weight, got {heavy} class"
                f"{'' if heavy == 1 else 'es'} with a weight among {self.classes_[:5].tolist()}: remove rows of "
                "weight 0, or predict a constant."
            )
        self._boost(X, codes.astype(float), w, LogisticLoss() if K == 2 else SoftmaxLoss())
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores: log-odds of the second class (n,), or (n, K)."""
        F = self._scores(X)
        return F[:, 0] if len(self.classes_) == 2 else F

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Probabilities of the classes, (n, K) array."""
        return _probabilities(self._scores(X))

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Natural logarithms of the probabilities, (n, K) array, also of those that underflow."""
        F = self._scores(X)
        F = np.column_stack([-F[:, 0], F[:, 0]]) / 2 if F.shape[1] == 1 else F
        return F - log_sum_exp(F)[:, None]

    def predict(self, X: ArrayLike) -> Any:
        """Most probable class of each row, (n,) array."""
        chosen = _decide(self._scores(X))
        return self.classes_[chosen]

    def staged_predict_proba(self, X: ArrayLike) -> Iterator[FloatArray]:
        """Probabilities after each round."""
        stages = self._staged(X)
        next(stages)
        return (_probabilities(F) for F in stages)

    def staged_predict(self, X: ArrayLike) -> Iterator[Any]:
        """Classes after each round."""
        stages = self._staged(X)
        next(stages)
        return (self.classes_[_decide(F)] for F in stages)


def _probabilities(F: FloatArray) -> FloatArray:
    if F.shape[1] == 1:
        return np.asarray(expit(np.column_stack([-F[:, 0], F[:, 0]])))
    return softmax(F)


def _decide(F: FloatArray) -> IntArray:
    return (F[:, 0] > 0).astype(np.intp) if F.shape[1] == 1 else F.argmax(axis=1)
