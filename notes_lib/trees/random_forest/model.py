"""Bagging and random forests as estimators with the contract of scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer
from notes_lib.foundations.evaluation import accuracy_score, r2_score
from notes_lib.linear.linear_regression.checks import check_weights
from notes_lib.numerics import RandomState, check_rng
from notes_lib.theory.resampling import bootstrap_counts
from notes_lib.trees.cart import DecisionTreeClassifier, DecisionTreeRegressor, Rule, Tree, grow, presort
from notes_lib.trees.cart.checks import MaxFeatures, features_to_draw
from notes_lib.trees.random_forest.steps import draws_of


class _Ensemble(BaseEstimator):
    """What all three share: bootstrap samples, the average of the members, and its out-of-bag form."""

    estimators_: list[Any]
    bootstrap_counts_: IntArray
    _values: Callable[[Any, FloatArray], FloatArray]  # what one member predicts, (n, q) array

    def _draw(self, n: int, weight: FloatArray, rng: np.random.Generator) -> IntArray:
        """Counts (B, n) of the bootstrap samples."""
        B, size = check_integer(self.n_estimators, "n_estimators"), draws_of(self.max_samples, n)
        return np.array([bootstrap_counts(n, size, rng, weight) for _ in range(B)])

    def _average(self, X: ArrayLike) -> FloatArray:
        """Mean over the members, :eq:`random-forest-average`."""
        check_is_fitted(self)
        A = validate_data(self, X, dtype=float, reset=False)
        total = sum(self._values(member, A) for member in self.estimators_)
        return np.asarray(total / len(self.estimators_))

    def _out_of_bag(self, X: FloatArray, q: int) -> FloatArray:
        """Mean over the members that have not seen the row, :eq:`random-forest-oob`; NaN if all have seen it."""
        votes = (self.bootstrap_counts_ == 0).sum(axis=0)
        if not votes.any():
            raise ValueError("oob_score needs rows that some member has not seen: raise n_estimators.")
        if not votes.all():
            warnings.warn(
                f"{(votes == 0).sum()} rows are in every bootstrap sample and do not count in oob_score_: raise "
                "n_estimators.",
                UserWarning,
                stacklevel=4,
            )
        total = np.zeros((len(X), q))
        for member, count in zip(self.estimators_, self.bootstrap_counts_, strict=True):
            out = count == 0
            if out.any():
                total[out] += self._values(member, X[out])
        with np.errstate(invalid="ignore"):
            return np.asarray(total / votes[:, None])

    @property
    def estimators_samples_(self) -> list[IntArray]:
        """Rows of each bootstrap sample, repeated as often as they were drawn."""
        check_is_fitted(self)
        return [np.repeat(np.arange(len(count)), count) for count in self.bootstrap_counts_]


class _Voting(ClassifierMixin, _Ensemble):
    """What the two classifiers share."""

    classes_: Any

    def _encode(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, IntArray]:
        X, y = validate_data(self, X, y, dtype=float)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        return X, codes

    def _score_out_of_bag(self, X: FloatArray, codes: IntArray) -> None:
        shares = self._out_of_bag(X, len(self.classes_))
        judged = ~np.isnan(shares[:, 0])
        self.oob_decision_function_ = shares
        self.oob_score_ = accuracy_score(codes[judged], shares[judged].argmax(axis=1))

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Mean of the shares that the members give to the classes, (n, K) array."""
        return self._average(X)

    def predict(self, X: ArrayLike) -> Any:
        """Class with the largest mean share, (n,) array; the first of equal ones."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]


class BaggingClassifier(_Voting):
    """Copies of one classifier, fitted to bootstrap samples and averaged, :eq:`random-forest-average`.

    Parameters
    ----------
    estimator : classifier, optional
        A full :class:`notes_lib.trees.cart.DecisionTreeClassifier` by default. One without ``predict_proba`` votes.
    n_estimators : int
    max_samples : int, float or None
        Size of each bootstrap sample: a number, a share of the rows, or None for as many as there are rows.
    oob_score : bool
        Compute the out-of-bag estimates.
    random_state : int, Generator, RandomState or None
        Draws the samples; a member with a ``random_state`` gets a seed of its own.

    Attributes
    ----------
    estimators_ : list
        Fitted members; their classes are codes 0, 1, ... of ``classes_``.
    bootstrap_counts_ : (B, n) array of int
        How often each row was drawn for each member.
    oob_decision_function_ : (n, K) array
        Mean shares from the members that have not seen a row, :eq:`random-forest-oob`; NaN if all have.
    oob_score_ : float
        Accuracy of these.
    classes_ : (K,) array
    n_features_in_ : int

    Notes
    -----
    ``estimators_samples_`` holds the rows of each sample. Source: Breiman (1996).

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [10], [11], [12], [13]], ["a"] * 4 + ["b"] * 4
    >>> BaggingClassifier(random_state=0).fit(X, y).predict([[1.5], [11.5]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self, estimator: Any = None, n_estimators: int = 10, *, max_samples: float | None = None,
        oob_score: bool = False, random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.estimator, self.n_estimators, self.max_samples = estimator, n_estimators, max_samples
        self.oob_score, self.random_state = oob_score, random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> BaggingClassifier:
        """Draw the samples and fit the members.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type.
        sample_weight : (n,) array, optional
            Non-negative; rows are drawn in proportion to it.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; weights that are negative or all 0; no out-of-bag row for ``oob_score``.
        """
        A, codes = self._encode(X, y)
        rng = check_rng(self.random_state)
        self.bootstrap_counts_ = self._draw(len(A), check_weights(sample_weight, len(A)), rng)
        self.estimators_ = []
        for rows in self.estimators_samples_:
            member = DecisionTreeClassifier() if self.estimator is None else clone(self.estimator)
            if "random_state" in member.get_params():
                member.set_params(random_state=int(rng.integers(2**31)))
            self.estimators_.append(member.fit(A[rows], codes[rows]))
        if self.oob_score:
            self._score_out_of_bag(A, codes)
        return self

    def _values(self, member: Any, X: FloatArray) -> FloatArray:
        shares = np.zeros((len(X), len(self.classes_)))
        if hasattr(member, "predict_proba"):
            shares[:, member.classes_] = member.predict_proba(X)  # its sample may lack a class
        else:
            shares[np.arange(len(X)), member.predict(X)] = 1.0
        return shares


class _Forest(_Ensemble):
    """What both forests share: trees that draw features at each node, on columns sorted once."""

    estimators_: list[Any]

    def _grow(self, X: FloatArray, targets: FloatArray, sample_weight: ArrayLike | None, member: Any) -> None:
        if not self.bootstrap and (self.oob_score or self.max_samples is not None):
            raise ValueError("oob_score and max_samples need bootstrap=True: without it every tree sees all rows.")
        rule = Rule(
            self.criterion,
            max_depth=np.inf if self.max_depth is None else check_integer(self.max_depth, "max_depth"),
            min_samples_split=check_integer(self.min_samples_split, "min_samples_split", 2),
            min_samples_leaf=check_integer(self.min_samples_leaf, "min_samples_leaf"),
            max_features=features_to_draw(self.max_features, X.shape[1]),
        )
        weight, rng = check_weights(sample_weight, len(X)), check_rng(self.random_state)
        B = check_integer(self.n_estimators, "n_estimators")
        drawn = self._draw(len(X), weight, rng) if self.bootstrap else np.ones((B, len(X)), dtype=np.int64)
        self.bootstrap_counts_ = drawn
        data, self.estimators_ = presort(X), []
        for count in drawn:
            part = count.astype(float) if self.bootstrap else weight
            self.estimators_.append(self._planted(grow(data, targets, part, rule, rng), clone(member)))

    def _planted(self, tree: Tree, member: Any) -> Any:
        """The tree as an estimator of its own."""
        member.tree_, member.n_features_in_ = tree, self.n_features_in_
        if hasattr(self, "classes_"):
            member.classes_ = self.classes_
        return member

    def _values(self, member: Any, X: FloatArray) -> FloatArray:
        tree = member.tree_
        return np.asarray(tree.value[tree.apply(X)])

    def apply(self, X: ArrayLike) -> IntArray:
        """Number of the leaf of each row in each tree, (n, B) array."""
        check_is_fitted(self)
        A = validate_data(self, X, dtype=float, reset=False)
        return np.column_stack([member.tree_.apply(A) for member in self.estimators_])

    @property
    def feature_importances_(self) -> FloatArray:
        """Share of each feature in the decrease of impurity, averaged over the trees, (d,) array; zeros for leaves."""
        check_is_fitted(self)
        total = np.sum([member.feature_importances_ for member in self.estimators_], axis=0)
        return np.asarray(total / total.sum() if total.sum() > 0 else total)


class RandomForestClassifier(_Forest, _Voting):
    """Trees on bootstrap samples that draw features at each node, averaged :eq:`random-forest-average`.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    criterion : {"gini", "entropy"}
    max_depth : int or None
    min_samples_split, min_samples_leaf : int
        As in :class:`notes_lib.trees.cart.DecisionTreeClassifier`; they count different rows.
    max_features : int, float, "sqrt", "log2" or None
        How many features each node draws; None looks at all, which is bagging.
    bootstrap : bool
        Without it every tree sees all rows, and only the features are drawn.
    oob_score : bool
        Compute the out-of-bag estimates.
    max_samples : int, float or None
        Size of each bootstrap sample: a number, a share of the rows, or None for as many as there are rows.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    estimators_ : list of DecisionTreeClassifier
    bootstrap_counts_ : (B, n) array of int
        How often each row was drawn for each tree.
    oob_decision_function_ : (n, K) array
        Mean shares from the trees that have not seen a row, :eq:`random-forest-oob`; NaN if all have.
    oob_score_ : float
        Accuracy of these, over the rows that some tree has not seen.
    classes_ : (K,) array
    n_features_in_ : int

    Notes
    -----
    ``feature_importances_`` (d,) is the mean of those of the trees, and ``estimators_samples_`` holds the rows of each
    sample. The trees take ``bootstrap_counts_`` as weights: no row is copied, and the columns are sorted once for all
    trees. Without ``sample_weight`` each count is binomial, for many rows nearly a Poisson number with mean 1: 0, 1, 2
    or 3 in about 37, 37, 18 and 6 % of the cases. O(B k n log n) time for each level with k drawn features, O(B n)
    memory. Source: Breiman (2001).

    Examples
    --------
    >>> X, y = [[0, 5], [1, 3], [2, 5], [3, 3], [10, 5], [11, 3], [12, 5], [13, 3]], [0] * 4 + [1] * 4
    >>> model = RandomForestClassifier(30, max_features=1, random_state=0).fit(X, y)
    >>> model.predict([[1, 4], [12, 4]])
    array([0, 1])
    """

    def __init__(
        self, n_estimators: int = 100, *, criterion: Literal["gini", "entropy"] = "gini", max_depth: int | None = None,
        min_samples_split: int = 2, min_samples_leaf: int = 1, max_features: MaxFeatures = "sqrt",
        bootstrap: bool = True, oob_score: bool = False, max_samples: float | None = None,
        random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.n_estimators, self.criterion, self.max_depth = n_estimators, criterion, max_depth
        self.min_samples_split, self.min_samples_leaf = min_samples_split, min_samples_leaf
        self.max_features, self.bootstrap, self.oob_score = max_features, bootstrap, oob_score
        self.max_samples, self.random_state = max_samples, random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> RandomForestClassifier:
        """Draw the samples and grow the trees.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type.
        sample_weight : (n,) array, optional
            Non-negative; rows are drawn in proportion to it, or count so much in every tree if ``bootstrap=False``.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; weights that are negative or all 0; no out-of-bag row for ``oob_score``.
        """
        A, codes = self._encode(X, y)
        check_choice(self.criterion, "criterion", ("gini", "entropy"))
        self._grow(A, np.eye(len(self.classes_))[codes], sample_weight, DecisionTreeClassifier())
        if self.oob_score:
            self._score_out_of_bag(A, codes)
        return self


class RandomForestRegressor(RegressorMixin, _Forest):
    """Regression trees on bootstrap samples that draw features at each node, averaged :eq:`random-forest-average`.

    Parameters
    ----------
    n_estimators, max_depth, min_samples_split, min_samples_leaf, bootstrap, oob_score, max_samples, random_state
        As in :class:`RandomForestClassifier`.
    criterion : {"squared_error"}
    max_features : int, float, "sqrt", "log2" or None
        How many features each node draws; all by default, as in scikit-learn, which is bagging. A third is customary.

    Attributes
    ----------
    estimators_ : list of DecisionTreeRegressor
    bootstrap_counts_ : (B, n) array of int
        How often each row was drawn for each tree.
    oob_prediction_ : (n,) array
        Mean of the trees that have not seen a row, :eq:`random-forest-oob`; NaN if all have.
    oob_score_ : float
        R squared of these, over the rows that some tree has not seen.
    n_features_in_ : int

    Notes
    -----
    As in :class:`RandomForestClassifier`.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [10], [11], [12], [13]], [5, 5, 5, 5, 9, 9, 9, 9]
    >>> RandomForestRegressor(20, random_state=0).fit(X, y).predict([[1], [12]]).tolist()
    [5.0, 9.0]
    """

    def __init__(
        self, n_estimators: int = 100, *, criterion: Literal["squared_error"] = "squared_error",
        max_depth: int | None = None, min_samples_split: int = 2, min_samples_leaf: int = 1,
        max_features: MaxFeatures = 1.0, bootstrap: bool = True, oob_score: bool = False,
        max_samples: float | None = None, random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.n_estimators, self.criterion, self.max_depth = n_estimators, criterion, max_depth
        self.min_samples_split, self.min_samples_leaf = min_samples_split, min_samples_leaf
        self.max_features, self.bootstrap, self.oob_score = max_features, bootstrap, oob_score
        self.max_samples, self.random_state = max_samples, random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> RandomForestRegressor:
        """Draw the samples and grow the trees.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array of numbers
        sample_weight : (n,) array, optional
            As in :class:`RandomForestClassifier`.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; weights that are negative or all 0; no out-of-bag row for ``oob_score``.
        """
        A, target = validate_data(self, X, y, dtype=float, y_numeric=True)
        target = np.asarray(target, dtype=float)
        check_choice(self.criterion, "criterion", ("squared_error",))
        self._grow(A, target[:, None], sample_weight, DecisionTreeRegressor())
        if self.oob_score:
            self.oob_prediction_ = self._out_of_bag(A, 1)[:, 0]
            judged = ~np.isnan(self.oob_prediction_)
            self.oob_score_ = r2_score(target[judged], self.oob_prediction_[judged])
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Mean of the trees, (n,) array."""
        return self._average(X)[:, 0]
