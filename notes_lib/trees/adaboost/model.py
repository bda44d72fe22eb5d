"""AdaBoost as an estimator with the contract of scikit-learn; SAMME for more than two classes."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_positive, class_codes
from notes_lib.linear.linear_regression.checks import check_weights
from notes_lib.linear.softmax_regression import softmax
from notes_lib.numerics import RandomState, check_rng
from notes_lib.trees.adaboost.stumps import StumpCriterion, best_stump, sort_columns, stump_tree, tree_stump
from notes_lib.trees.cart import DecisionTreeClassifier
from notes_lib.trees.decision_tree.model import LogShares
from notes_lib.trees.random_forest.members import Members, seed

CHANCE = 1e-10  # how much better than chance a weak learner has to be
LARGEST = 700.0  # a vote: e to it is still a number
Learn = Callable[[FloatArray], tuple[Any, IntArray]]


class AdaBoostClassifier(Members, LogShares, ClassifierMixin, BaseEstimator):
    """A weighted vote of weak learners, each trained on weights that the earlier ones have left, :eq:`adaboost-update`.

    With more than two classes the rule is SAMME, :eq:`adaboost-samme`; for two it is AdaBoost.

    Parameters
    ----------
    estimator : classifier or None
        Weak learner, whose ``fit`` takes ``sample_weight``. None: the best stump, a tree with one test.
    n_estimators : int
        Largest number of rounds.
    learning_rate : float
        Positive; each vote is multiplied by it.
    random_state : int, Generator, RandomState or None
        Seeds for weak learners that have a ``random_state``, their own or that of one inside; stumps need none.
    criterion : {"gini", "error"}
        How a stump is chosen: by the gain of the Gini index :eq:`cart-gini-gain`, as in scikit-learn, or by the
        weighted error :eq:`adaboost-error`. Not used with another ``estimator``.

    Attributes
    ----------
    estimator_ : classifier
        What the weak learners are copies of; a :class:`notes_lib.trees.cart.DecisionTreeClassifier` of depth 1 if
        ``estimator`` is None.
    estimators_ : list of length T
        Weak learners, as in scikit-learn: fitted copies of ``estimator_``, whose ``predict`` gives labels.
    stumps_ : list of Stump
        The same learners as :class:`Stump`, which says the test and both answers; empty with another ``estimator``.
    estimator_errors_ : (T,) array
        Their weighted errors.
    estimator_weights_ : (T,) array
        Their votes on the scale of SAMME: for two classes twice :eq:`adaboost-alpha`, as in scikit-learn.
    objective_ : (T,) array
        Mean exponential loss after each round; for two classes no less than the training error, :eq:`adaboost-chain`.
    n_iter_ : int
        Number of rounds T.
    classes_ : (K,) array
    n_classes_ : int
        K.
    n_features_in_ : int

    Notes
    -----
    ``len(model)``, ``model[i]`` and a loop over ``model`` give the weak learners.
    ``feature_importances_`` (d,) is the mean of those of the weak learners, weighted by their votes. Training ends
    early when a weak learner makes no mistake, which then outvotes all others, or when it is no better than chance;
    then with a ``ConvergenceWarning``. Of equally good stumps the one with the first feature and the smallest threshold
    is taken. For stumps O(d n log n) once and O(d n K) for each round. Sources: Freund and Schapire (1997); Zhu, Zou,
    Rosset and Hastie (2009) for SAMME.

    Examples
    --------
    >>> X, y = [[1], [2], [3], [4], [5], [6]], ["a", "a", "b", "b", "a", "a"]
    >>> model = AdaBoostClassifier(n_estimators=3, criterion="error").fit(X, y)
    >>> model.predict(X).tolist()
    ['a', 'a', 'b', 'b', 'a', 'a']
    """

    def __init__(
        self, estimator: Any = None, *, n_estimators: int = 50, learning_rate: float = 1.0,
        random_state: RandomState = None, criterion: StumpCriterion = "gini",
    ) -> None:  # fmt: skip
        self.estimator, self.n_estimators, self.learning_rate = estimator, n_estimators, learning_rate
        self.random_state, self.criterion = random_state, criterion

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> AdaBoostClassifier:
        """Train one weak learner after the other.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type, at least two classes.
        sample_weight : (n,) array, optional
            Weights before the first round, non-negative; rows of weight 0 take no part.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, one class, weights that are negative or all 0, a weak learner that takes no
            weights or whose first fit is no better than chance.
        """
        X, y = validate_data(self, X, y, dtype=float)
        check_integer(self.n_estimators, "n_estimators")
        check_positive(self.learning_rate, "learning_rate")
        check_choice(self.criterion, "criterion", ("gini", "error"))
        w = check_weights(sample_weight, len(X))
        X, y, w = X[w > 0], y[w > 0], w[w > 0]
        self.classes_, codes = class_codes(y)
        self.n_classes_ = len(self.classes_)
        stumps = self.estimator is None
        self.estimator_ = DecisionTreeClassifier(max_depth=1) if stumps else clone(self.estimator)
        self._boost(self._stumps(X, codes) if stumps else self._copies(X, y), codes, w / w.sum())
        self.stumps_ = [tree_stump(member.tree_, self.classes_) for member in self.estimators_] if stumps else []
        return self

    def _stumps(self, X: FloatArray, codes: IntArray) -> Learn:
        """How a stump is found for given weights."""
        columns, K = sort_columns(X, codes), self.n_classes_
        hot = np.ascontiguousarray(np.eye(K)[codes].T)

        def learn(w: FloatArray) -> tuple[Any, IntArray]:
            member, mass = DecisionTreeClassifier(max_depth=1), hot * w
            member.tree_ = stump_tree(columns, best_stump(columns, mass, self.criterion), mass)
            member.classes_, member.n_classes_ = self.classes_, K
            member.n_features_in_ = member.max_features_ = X.shape[1]
            return member, tree_stump(member.tree_, np.arange(K)).predict(X)

        return learn

    def _copies(self, X: FloatArray, y: Any) -> Learn:
        """How a copy of ``estimator`` is fitted to given weights."""
        if not has_fit_parameter(self.estimator, "sample_weight"):
            name = type(self.estimator).__name__
            raise ValueError(
                f"estimator must take sample_weight in fit, {name} does not: choose one that does, as a tree."
            )
        rng = check_rng(self.random_state)

        def learn(w: FloatArray) -> tuple[Any, IntArray]:
            model = clone(self.estimator_)
            seed(model, rng)
            model.fit(X, y, sample_weight=w)
            return model, np.searchsorted(self.classes_, model.predict(X))

        return learn

    def _boost(self, learn: Learn, codes: IntArray, w: FloatArray) -> None:
        """The rounds: error :eq:`adaboost-error`, vote :eq:`adaboost-samme`, raised weights of the mistakes."""
        K = len(self.classes_)
        self.estimators_, loss = [], 1.0
        rounds: list[tuple[float, float, float]] = []
        for _ in range(self.n_estimators):
            learner, answers = learn(w)
            miss = answers != codes
            epsilon = float(w[miss].sum())
            if epsilon >= 1 - 1 / K - CHANCE:
                self._no_better_than_chance(epsilon, K)
                break
            vote = self._vote(epsilon, K)
            if vote > LARGEST:
                self._vote_overflows(vote)
                break
            self.estimators_.append(learner)
            if epsilon == 0:  # an infinite vote: more than all others together
                rounds.append((0.0, 1 + sum(vote for _, vote, _ in rounds), 0.0))
                break
            loss *= (1 - epsilon) * np.exp(-vote * (K - 1) / K) + epsilon * np.exp(vote / K)
            rounds.append((epsilon, vote, loss))
            w = np.where(miss, w * np.exp(vote), w)
            w /= w.sum()
        self.estimator_errors_, self.estimator_weights_, self.objective_ = np.array(rounds).T
        self.n_iter_ = len(rounds)

    def _vote(self, epsilon: float, K: int) -> float:
        """The vote :eq:`adaboost-samme`, 0 where it is infinite."""
        return self.learning_rate * float(np.log((1 - epsilon) / epsilon) + np.log(K - 1)) if epsilon > 0 else 0.0

    def _vote_overflows(self, vote: float) -> None:
        """Raise in the first round, warn in a later one."""
        done = len(self.estimators_)
        rate = f"learning_rate={self.learning_rate:g}"
        told = f"with {rate} the vote of round {done + 1} is {vote:.3g}, and e to it overflows"
        if not done:
            raise ValueError(f"Cannot boost: {told}: set a smaller learning_rate.")
        warnings.warn(
            f"Boosting stopped after {done} rounds: {told}; set a smaller learning_rate.",
            ConvergenceWarning,
            stacklevel=3,
        )

    def _no_better_than_chance(self, epsilon: float, K: int) -> None:
        """Raise in the first round, warn in a later one."""
        done = len(self.estimators_)
        told = f"the weak learner of round {done + 1} is no better than chance (weighted error {epsilon:.3g}, K = {K})"
        if not done:
            raise ValueError(f"Cannot boost: {told}: set estimator to a stronger one, as a deeper tree.")
        warnings.warn(
            f"Boosting stopped after {done} rounds: {told}; set n_estimators to {done}, or a stronger estimator.",
            ConvergenceWarning,
            stacklevel=3,
        )

    def _scores(self, X: ArrayLike) -> Iterator[FloatArray]:
        """Votes for each class, (n, K), as shares of all votes, after each round; the scores of a row sum to 0."""
        check_is_fitted(self, "estimators_")
        X = validate_data(self, X, dtype=float, reset=False)
        K = len(self.classes_)
        total, scores = 0.0, np.zeros((len(X), K))
        for learner, vote in zip(self.stumps_ or self.estimators_, self.estimator_weights_, strict=True):
            says = learner.predict(X)[:, None] == self.classes_
            scores, total = scores + vote * (says - (1 - says) / (K - 1)), total + vote
            yield scores / total

    def _decision(self, scores: FloatArray) -> FloatArray:
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def _last(self, X: ArrayLike) -> FloatArray:
        """Scores of the whole ensemble."""
        return deque(self._scores(X), maxlen=1).pop()

    def staged_decision_function(self, X: ArrayLike) -> Iterator[FloatArray]:
        """Values of :meth:`decision_function` after each round."""
        return map(self._decision, self._scores(X))

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Weighted votes for ``classes_[1]`` minus those against it, as a share of all, (n,); scores (n, K) otherwise.

        For two classes it lies between -1 and 1 and is half of scikit-learn's; times the label -1 or 1 it is the margin
        :eq:`adaboost-margin`. With K classes each vote counts 1 for its class and ``-1/(K-1)`` for each other one.
        """
        scores = self._last(X)
        return self._decision(scores)

    def _probabilities(self, scores: FloatArray) -> FloatArray:
        return softmax(scores / (self.n_classes_ - 1))

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Softmax of the scores divided by K - 1, (n, K) array, as in scikit-learn.

        The scores are shares of all votes, so the probabilities stay away from 0 and 1: they rank, but say too little.
        """
        return self._probabilities(self._last(X))

    def staged_predict_proba(self, X: ArrayLike) -> Iterator[FloatArray]:
        """Values of :meth:`predict_proba` after each round."""
        return map(self._probabilities, self._scores(X))

    def staged_predict(self, X: ArrayLike) -> Iterator[Any]:
        """Predicted classes (n,) after each round."""
        return (self.classes_[s.argmax(axis=1)] for s in self._scores(X))

    def predict(self, X: ArrayLike) -> Any:
        """Class with the most votes, (n,) array; the first of equal ones."""
        scores = self._last(X)
        return self.classes_[scores.argmax(axis=1)]

    @property
    def feature_importances_(self) -> FloatArray:
        """Mean of the importances of the weak learners, weighted by their votes, (d,) array.

        A stump that lowers the Gini index gives all to its feature. Weak learners without ``feature_importances_`` have
        none: ``AttributeError``.
        """
        check_is_fitted(self, "estimators_")
        each = [learner.feature_importances_ for learner in self.estimators_]
        return np.asarray(np.average(each, axis=0, weights=self.estimator_weights_))
