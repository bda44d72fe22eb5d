"""Bagging and random forests as estimators with the contract of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix, hstack
from sklearn.base import RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer
from notes_lib.foundations.evaluation import r2_score
from notes_lib.linear.linear_regression.checks import check_weights
from notes_lib.linear.logistic_regression.checks import class_weights
from notes_lib.numerics import RandomState, check_rng
from notes_lib.trees.cart import DecisionTreeClassifier, DecisionTreeRegressor, Presorted, Rule, presort
from notes_lib.trees.cart.checks import ClassCriterion, MaxFeatures, impurity_named
from notes_lib.trees.cart.model import TreeModel
from notes_lib.trees.random_forest.members import Ensemble, Voting, seed

ForestWeight = dict[Any, float] | Literal["balanced", "balanced_subsample"] | None


class BaggingClassifier(Voting):
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
        Draws the samples; a member with a ``random_state``, its own or that of an estimator inside, gets a seed.

    Attributes
    ----------
    estimator_ : classifier
        What the members are copies of.
    estimators_ : list
        Fitted members, as in scikit-learn: their classes are codes 0, 1, ... of ``classes_``.
    bootstrap_counts_ : (B, n) array of int
        How often each row was drawn for each member.
    oob_decision_function_ : (n, K) array
        Mean shares from the members that have not seen a row, :eq:`random-forest-oob`; NaN if all have.
    oob_score_ : float
        Accuracy of these.
    classes_ : (K,) array
    n_classes_ : int
        K.
    n_features_in_ : int

    Notes
    -----
    ``estimators_samples_`` holds the rows of each sample. ``len(model)``, ``model[i]`` and a loop over ``model`` give
    the members. Source: Breiman (1996).

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
        self.estimator_ = DecisionTreeClassifier() if self.estimator is None else clone(self.estimator)
        self.estimators_ = []
        for count in self.bootstrap_counts_:
            member, rows = clone(self.estimator_), np.repeat(np.arange(len(A)), count)
            seed(member, rng)
            member.fit(A[rows], codes[rows])  # what fit returns may be something else
            self.estimators_.append(member)
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


class _Forest(Ensemble):
    """What both forests share: trees that draw features at each node, on columns sorted once."""

    def _grow(
        self, X: FloatArray, targets: FloatArray, weight: FloatArray, member: TreeModel, rule: Rule,
        factors: Callable[[IntArray], FloatArray] | None = None,
    ) -> None:  # fmt: skip
        """Grow copies of ``member``; ``factors`` says what each row of a bootstrap sample counts."""
        if not self.bootstrap and (self.oob_score or self.max_samples is not None):
            raise ValueError("oob_score and max_samples need bootstrap=True: without it every tree sees all rows.")
        rng, B = check_rng(self.random_state), check_integer(self.n_estimators, "n_estimators")
        drawn = self._draw(len(X), weight, rng) if self.bootstrap else np.ones((B, len(X)), dtype=np.int64)
        self.bootstrap_counts_ = drawn
        settings = member.get_params().keys() & self.get_params().keys() - {"random_state", "class_weight"}
        self.estimator_ = member.set_params(**{name: getattr(self, name) for name in settings})
        data, self.estimators_ = presort(X), []
        for count in drawn:
            part = count.astype(float) if self.bootstrap else weight
            self.estimators_.append(self._planted(data, targets, part * factors(count) if factors else part, rule, rng))

    def _planted(
        self, data: Presorted, targets: FloatArray, weight: FloatArray, rule: Rule, rng: np.random.Generator
    ) -> Any:  # fmt: skip
        """A tree as an estimator of its own."""
        member = clone(self.estimator_)
        member._plant(data, targets, weight, rule, rng)
        for name in ("n_features_in_", "classes_", "n_classes_"):
            if hasattr(self, name):
                setattr(member, name, getattr(self, name))
        return member

    def _values(self, member: Any, X: FloatArray) -> FloatArray:
        tree = member.tree_
        return np.asarray(tree.value[tree.apply(X)])

    def apply(self, X: ArrayLike) -> IntArray:
        """Number of the leaf of each row in each tree, (n, B) array."""
        check_is_fitted(self)
        A = validate_data(self, X, dtype=float, reset=False)
        return np.column_stack([member.tree_.apply(A) for member in self.estimators_])

    def decision_path(self, X: ArrayLike) -> tuple[csr_matrix, IntArray]:
        """Which nodes each row passes in all trees, sparse (n, m) of 0 and 1, and where each tree's columns begin.

        The second is a (B + 1,) array: the nodes of tree b are its columns from entry b to before entry b + 1.
        """
        check_is_fitted(self)
        A = validate_data(self, X, dtype=float, reset=False)
        paths = [member.tree_.decision_path(A) for member in self.estimators_]
        return hstack(paths, format="csr"), np.cumsum([0, *(path.shape[1] for path in paths)])

    @property
    def feature_importances_(self) -> FloatArray:
        """Share of each feature in the decrease of impurity, averaged over the trees, (d,) array; zeros for leaves."""
        check_is_fitted(self)
        total = np.sum([member.feature_importances_ for member in self.estimators_], axis=0)
        return np.asarray(total / total.sum() if total.sum() > 0 else total)


class RandomForestClassifier(_Forest, Voting):
    """Trees on bootstrap samples that draw features at each node, averaged :eq:`random-forest-average`.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    criterion : {"gini", "entropy", "log_loss"}
    max_depth : int or None
    min_samples_split, min_samples_leaf : int
        As in :class:`notes_lib.trees.cart.DecisionTreeClassifier`; they count different rows.
    min_weight_fraction_leaf, max_leaf_nodes, min_impurity_decrease
        As there.
    max_features : int, float, "sqrt", "log2" or None
        How many features each node draws; None looks at all, which is bagging.
    bootstrap : bool
        Without it every tree sees all rows, and only the features are drawn.
    oob_score : bool
        Compute the out-of-bag estimates.
    max_samples : int, float or None
        Size of each bootstrap sample: a number, a share of the rows, or None for as many as there are rows.
    random_state : int, Generator, RandomState or None
    class_weight : dict, "balanced", "balanced_subsample" or None
        Factors of ``sample_weight`` by class; "balanced" gives every class the same weight in all, after which rows
        are drawn, "balanced_subsample" does so within each bootstrap sample.

    Attributes
    ----------
    estimator_ : DecisionTreeClassifier
        What the trees are copies of.
    estimators_ : list of DecisionTreeClassifier
    bootstrap_counts_ : (B, n) array of int
        How often each row was drawn for each tree.
    oob_decision_function_ : (n, K) array
        Mean shares from the trees that have not seen a row, :eq:`random-forest-oob`; NaN if all have.
    oob_score_ : float
        Accuracy of these, over the rows that some tree has not seen.
    classes_ : (K,) array
    n_classes_ : int
        K.
    n_features_in_ : int

    Notes
    -----
    ``feature_importances_`` (d,) is the mean of those of the trees, and ``estimators_samples_`` holds the rows of each
    sample. The trees take ``bootstrap_counts_`` as weights: no row is copied, and the columns are sorted once for all
    trees. Without ``sample_weight`` each count is binomial, for many rows nearly a Poisson number with mean 1: 0, 1, 2
    or 3 in about 37, 37, 18 and 6 % of the cases. O(B k n log n) time for each level with k drawn features, O(B n)
    memory. ``len(model)``, ``model[i]`` and a loop over ``model`` give the trees. Source: Breiman (2001).

    Examples
    --------
    >>> X, y = [[0, 5], [1, 3], [2, 5], [3, 3], [10, 5], [11, 3], [12, 5], [13, 3]], [0] * 4 + [1] * 4
    >>> model = RandomForestClassifier(30, max_features=1, random_state=0).fit(X, y)
    >>> model.predict([[1, 4], [12, 4]])
    array([0, 1])
    """

    def __init__(
        self, n_estimators: int = 100, *, criterion: ClassCriterion = "gini", max_depth: int | None = None,
        min_samples_split: int = 2, min_samples_leaf: int = 1, max_features: MaxFeatures = "sqrt",
        bootstrap: bool = True, oob_score: bool = False, max_samples: float | None = None,
        random_state: RandomState = None, min_weight_fraction_leaf: float = 0.0, max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, class_weight: ForestWeight = None,
    ) -> None:  # fmt: skip
        self.n_estimators, self.criterion, self.max_depth = n_estimators, criterion, max_depth
        self.min_samples_split, self.min_samples_leaf = min_samples_split, min_samples_leaf
        self.max_features, self.bootstrap, self.oob_score = max_features, bootstrap, oob_score
        self.max_samples, self.random_state = max_samples, random_state
        self.min_weight_fraction_leaf, self.max_leaf_nodes = min_weight_fraction_leaf, max_leaf_nodes
        self.min_impurity_decrease, self.class_weight = min_impurity_decrease, class_weight

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
        rule, weight = Rule(impurity_named(self.criterion)), check_weights(sample_weight, len(A))

        def balanced(count: IntArray) -> FloatArray:
            return class_weights("balanced", self.classes_, codes, count)[codes]

        within = self.class_weight == "balanced_subsample" and self.bootstrap
        if not within:
            choice = "balanced" if self.class_weight == "balanced_subsample" else self.class_weight
            weight = weight * class_weights(choice, self.classes_, codes, weight)[codes]
        member = DecisionTreeClassifier()
        self._grow(A, np.eye(self.n_classes_)[codes], weight, member, rule, balanced if within else None)
        if self.oob_score:
            self._score_out_of_bag(A, codes)
        return self


class RandomForestRegressor(RegressorMixin, _Forest):
    """Regression trees on bootstrap samples that draw features at each node, averaged :eq:`random-forest-average`.

    Parameters
    ----------
    n_estimators, max_depth, min_samples_split, min_samples_leaf, bootstrap, oob_score, max_samples, random_state
        As in :class:`RandomForestClassifier`.
    min_weight_fraction_leaf, max_leaf_nodes, min_impurity_decrease
        As there.
    criterion : {"squared_error"}
    max_features : int, float, "sqrt", "log2" or None
        How many features each node draws; all by default, as in scikit-learn, which is bagging. A third is customary.

    Attributes
    ----------
    estimator_ : DecisionTreeRegressor
        What the trees are copies of.
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
        max_samples: float | None = None, random_state: RandomState = None, min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0,
    ) -> None:  # fmt: skip
        self.n_estimators, self.criterion, self.max_depth = n_estimators, criterion, max_depth
        self.min_samples_split, self.min_samples_leaf = min_samples_split, min_samples_leaf
        self.max_features, self.bootstrap, self.oob_score = max_features, bootstrap, oob_score
        self.max_samples, self.random_state = max_samples, random_state
        self.min_weight_fraction_leaf, self.max_leaf_nodes = min_weight_fraction_leaf, max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease

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
        weight, rule = check_weights(sample_weight, len(A)), Rule("squared_error")
        self._grow(A, target[:, None], weight, DecisionTreeRegressor(), rule)
        if self.oob_score:
            self.oob_prediction_ = self._out_of_bag(A, 1)[:, 0]
            judged = ~np.isnan(self.oob_prediction_)
            self.oob_score_ = r2_score(target[judged], self.oob_prediction_[judged])
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Mean of the trees, (n,) array."""
        return self._average(X)[:, 0]
