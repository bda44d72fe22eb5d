"""Decision trees for classes and for numbers as estimators with the contract of scikit-learn."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_real
from notes_lib.linear.linear_regression.checks import check_weights
from notes_lib.linear.logistic_regression.checks import class_weights
from notes_lib.numerics import RandomState
from notes_lib.trees.cart.checks import (
    ClassCriterion,
    ClassWeight,
    MaxFeatures,
    features_to_draw,
    impurity_named,
    least_weight,
)
from notes_lib.trees.cart.growth import grow, presort
from notes_lib.trees.cart.prices import PruningPath, cost_complexity_cut, cost_complexity_pruning_path
from notes_lib.trees.cart.search import LeafError, Presorted, Rule
from notes_lib.trees.cart.structure import Tree, collapse, limited
from notes_lib.trees.decision_tree.model import LogShares


class TreeModel(BaseEstimator):
    """What both estimators share: the rule of growth, the tree, and what is read off it."""

    tree_: Tree

    def _grow(self, X: FloatArray, targets: FloatArray, sample_weight: ArrayLike | None, rule: Rule) -> None:
        self._plant(presort(X), targets, check_weights(sample_weight, len(X)), rule, self.random_state)

    def _plant(
        self, data: Presorted, targets: FloatArray, weight: FloatArray, rule: Rule, random_state: RandomState
    ) -> None:  # fmt: skip
        """Grow ``tree_`` on columns that are already sorted; what ``rule`` leaves open are the settings of the tree."""
        self.max_features_ = features_to_draw(self.max_features, len(data.rank))
        rule = rule._replace(
            max_depth=np.inf if self.max_depth is None else check_integer(self.max_depth, "max_depth"),
            min_samples_split=check_integer(self.min_samples_split, "min_samples_split", 2),
            min_samples_leaf=check_integer(self.min_samples_leaf, "min_samples_leaf"),
            max_features=self.max_features_,
            min_weight_leaf=least_weight(self.min_weight_fraction_leaf, weight),
        )
        least = check_real(self.min_impurity_decrease, "min_impurity_decrease")
        if self.max_leaf_nodes is not None:
            check_integer(self.max_leaf_nodes, "max_leaf_nodes", 2)
        price = check_real(self.ccp_alpha, "ccp_alpha")
        tree = limited(grow(data, targets, weight, rule, random_state), least, self.max_leaf_nodes)
        self.tree_ = collapse(tree, cost_complexity_cut(tree, price)) if price > 0 else tree

    def cost_complexity_pruning_path(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> PruningPath:
        """Grow a tree on the data and return the nested trees that pruning leads through; the model stays as it is."""
        grown = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        return cost_complexity_pruning_path(grown.tree_)

    def apply(self, X: ArrayLike) -> IntArray:
        """Number of the leaf of each row, (n,) array."""
        check_is_fitted(self, "tree_")
        return self.tree_.apply(validate_data(self, X, dtype=float, reset=False))

    def decision_path(self, X: ArrayLike) -> csr_matrix:
        """Which nodes each row passes from the root to its leaf, sparse (n, m) matrix of 0 and 1."""
        check_is_fitted(self, "tree_")
        return self.tree_.decision_path(validate_data(self, X, dtype=float, reset=False))

    def get_depth(self) -> int:
        """Depth of the deepest leaf; a single leaf has depth 0."""
        check_is_fitted(self, "tree_")
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> FloatArray:
        """Share of each feature in the decrease of impurity, (d,) array; zeros for a single leaf."""
        check_is_fitted(self, "tree_")
        return self.tree_.importances(self.n_features_in_)


class DecisionTreeClassifier(LogShares, ClassifierMixin, TreeModel):
    """A classification tree; splits maximise the decrease of impurity :eq:`cart-gini-gain`.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss"}
        Impurity: :eq:`cart-gini`, or the entropy in bits, of which "log_loss" is another name.
    max_depth : int or None
    min_samples_split : int
        A node with fewer instances is a leaf.
    min_samples_leaf : int
        No split leaves fewer instances on a side.
    max_features : int, float, "sqrt", "log2" or None
        How many features each node draws at random: a number, a share of all, a rule; None looks at all.
    random_state : int, Generator, RandomState or None
        Draws the features; not used if all are looked at.
    max_leaf_nodes : int or None
        Split the leaf with the largest decrease first, up to so many leaves.
    min_weight_fraction_leaf : float
        No split leaves a smaller share of all weight on a side; at most 1/2.
    min_impurity_decrease : float
        A split is made if it lowers the impurity, times the share of the weight at the node, by at least so much.
    class_weight : dict, "balanced" or None
        Factors of the weights by class; "balanced" gives every class the same weight in all, if rows count 1 each.
    ccp_alpha : float
        Price of a leaf, in units of impurity, at which the tree is pruned once it has grown, :eq:`pruning-cost`; 0
        prunes nothing.

    Attributes
    ----------
    tree_ : Tree
        Arrays over the nodes.
    classes_ : (K,) array
    n_classes_ : int
        K.
    max_features_ : int
        How many features each node draws.
    n_features_in_ : int

    Notes
    -----
    ``feature_importances_`` (d,) is the share of each feature in the decrease of impurity, :eq:`cart-importance`.
    O(d n log n) time for each level, O(d n) memory. Of equally good splits the first feature and then the smallest
    threshold is taken; scikit-learn takes the features in a random order. NaN and infinity are refused.
    Source: Breiman, Friedman, Olshen and Stone (1984).

    Examples
    --------
    >>> model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "a", "b", "b"])
    >>> model.predict([[2.4], [2.6]]).tolist(), model.tree_.threshold[0]
    (['a', 'b'], np.float64(2.5))
    """

    def __init__(
        self, *, criterion: ClassCriterion = "gini", max_depth: int | None = None, min_samples_split: int = 2,
        min_samples_leaf: int = 1, max_features: MaxFeatures = None, random_state: RandomState = None,
        max_leaf_nodes: int | None = None, min_weight_fraction_leaf: float = 0.0, min_impurity_decrease: float = 0.0,
        class_weight: ClassWeight = None, ccp_alpha: float = 0.0,
    ) -> None:  # fmt: skip
        self.criterion, self.max_depth, self.min_samples_split = criterion, max_depth, min_samples_split
        self.min_samples_leaf, self.max_features, self.random_state = min_samples_leaf, max_features, random_state
        self.max_leaf_nodes, self.min_weight_fraction_leaf = max_leaf_nodes, min_weight_fraction_leaf
        self.min_impurity_decrease, self.class_weight = min_impurity_decrease, class_weight
        self.ccp_alpha = ccp_alpha

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> DecisionTreeClassifier:
        """Grow the tree.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type; with a single class the tree is one leaf.
        sample_weight : (n,) array, optional
            Non-negative; rows of weight 0 take no part.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, weights that are negative or all 0.
        """
        X, y = validate_data(self, X, y, dtype=float)
        check_classification_targets(y)
        rule = Rule(impurity_named(self.criterion))
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        weight = check_weights(sample_weight, len(X)) * class_weights(self.class_weight, self.classes_, codes)[codes]
        self._grow(X, np.eye(self.n_classes_)[codes], weight, rule)
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Shares of the classes in the leaf of each row, (n, K) array."""
        leaves = self.apply(X)
        return self.tree_.value[leaves]

    def predict(self, X: ArrayLike) -> Any:
        """Most frequent class in the leaf of each row, (n,) array; the first of equally frequent ones."""
        leaves = self.apply(X)
        return self.classes_[self.tree_.value.argmax(axis=1)[leaves]]


class DecisionTreeRegressor(RegressorMixin, TreeModel):
    """A regression tree; splits maximise the decrease :eq:`cart-gain` of the squared error, leaves hold the mean.

    Parameters
    ----------
    criterion : {"squared_error"}
    max_depth, min_samples_split, min_samples_leaf, max_features, random_state, max_leaf_nodes
        As in :class:`DecisionTreeClassifier`.
    min_weight_fraction_leaf, min_impurity_decrease
        As there.
    ccp_alpha : float
        As there, in units of the variance.
    tolerance : float
        A node whose error is at most this is a leaf.
    leaf_error : {"mean", "worst"}
        Which error of a node ``tolerance`` speaks of: the mean squared one, or :eq:`cart-worst`, the largest distance
        of a target from the mean. The second bounds every training error of a tree that nothing else has stopped and
        whose equal rows have equal targets.

    Attributes
    ----------
    tree_ : Tree
        Arrays over the nodes.
    max_features_ : int
        How many features each node draws.
    n_features_in_ : int

    Notes
    -----
    As in :class:`DecisionTreeClassifier`, ``feature_importances_`` too; ``tolerance`` and ``leaf_error`` are not in
    scikit-learn.

    Examples
    --------
    >>> model = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3]], [5, 6, 10])
    >>> model.predict([[2.4], [2.6]]).tolist()
    [5.5, 10.0]
    """

    def __init__(
        self, *, criterion: Literal["squared_error"] = "squared_error", max_depth: int | None = None,
        min_samples_split: int = 2, min_samples_leaf: int = 1, max_features: MaxFeatures = None,
        random_state: RandomState = None, max_leaf_nodes: int | None = None, tolerance: float = 0.0,
        leaf_error: LeafError = "mean", min_weight_fraction_leaf: float = 0.0, min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
    ) -> None:  # fmt: skip
        self.criterion, self.max_depth, self.min_samples_split = criterion, max_depth, min_samples_split
        self.min_samples_leaf, self.max_features, self.random_state = min_samples_leaf, max_features, random_state
        self.max_leaf_nodes, self.tolerance, self.leaf_error = max_leaf_nodes, tolerance, leaf_error
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease, self.ccp_alpha = min_impurity_decrease, ccp_alpha

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> DecisionTreeRegressor:
        """Grow the tree.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array of numbers
        sample_weight : (n,) array, optional
            Non-negative; rows of weight 0 take no part.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, weights that are negative or all 0.
        """
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True)
        check_choice(self.criterion, "criterion", ("squared_error",))
        check_choice(self.leaf_error, "leaf_error", ("mean", "worst"))
        rule = Rule(self.criterion, tolerance=check_real(self.tolerance, "tolerance"), leaf_error=self.leaf_error)
        self._grow(X, np.asarray(y, dtype=float)[:, None], sample_weight, rule)
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Mean target in the leaf of each row, (n,) array."""
        leaves = self.apply(X)
        return self.tree_.value[leaves, 0]
