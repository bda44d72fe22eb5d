"""Trees that are grown and then pruned at a price for each leaf, with the contract of scikit-learn."""

from __future__ import annotations

from typing import Literal

from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_real
from notes_lib.numerics import RandomState
from notes_lib.trees.cart import DecisionTreeClassifier, DecisionTreeRegressor, collapse
from notes_lib.trees.cart.checks import ClassCriterion, ClassWeight, MaxFeatures
from notes_lib.trees.cart.model import TreeModel
from notes_lib.trees.cart.search import LeafError, Rule
from notes_lib.trees.pruning.sequence import PruningPath, cost_complexity_cut, cost_complexity_pruning_path


class _Pruned(TreeModel):
    """What both estimators share: the tree that has grown is replaced by the pruned one."""

    ccp_alpha: float

    def _grow(self, X: FloatArray, targets: FloatArray, sample_weight: ArrayLike | None, rule: Rule) -> None:
        super()._grow(X, targets, sample_weight, rule)
        price = check_real(self.ccp_alpha, "ccp_alpha")
        if price > 0:
            self.tree_ = collapse(self.tree_, cost_complexity_cut(self.tree_, price))

    def cost_complexity_pruning_path(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> PruningPath:
        """Grow a tree on the data and return the nested trees that pruning leads through; the model stays as it is."""
        grown = type(self)(**(self.get_params() | {"ccp_alpha": 0.0})).fit(X, y, sample_weight)
        return cost_complexity_pruning_path(grown.tree_)


class PrunedTreeClassifier(_Pruned, DecisionTreeClassifier):
    """A classification tree that is grown and then pruned at a price for each leaf, :eq:`pruning-cost`.

    Parameters
    ----------
    criterion, max_depth, min_samples_split, min_samples_leaf, max_features, random_state, max_leaf_nodes
        As in :class:`notes_lib.trees.cart.DecisionTreeClassifier`.
    min_weight_fraction_leaf, min_impurity_decrease, class_weight
        As there.
    ccp_alpha : float
        Price of a leaf, in units of impurity; 0 prunes nothing.

    Attributes
    ----------
    tree_ : Tree
        The pruned tree.
    classes_, n_classes_, max_features_, n_features_in_
        As there.

    Notes
    -----
    Source: Breiman, Friedman, Olshen and Stone (1984), chapter 3; with impurity in place of errors, as in scikit-learn.

    Examples
    --------
    >>> X, y = [[1], [2], [3], [4]], [0, 1, 0, 0]
    >>> [PrunedTreeClassifier(ccp_alpha=a).fit(X, y).get_n_leaves() for a in (0, 0.2)]
    [3, 1]
    """

    def __init__(
        self, *, criterion: ClassCriterion = "gini", max_depth: int | None = None, min_samples_split: int = 2,
        min_samples_leaf: int = 1, max_features: MaxFeatures = None, random_state: RandomState = None,
        max_leaf_nodes: int | None = None, ccp_alpha: float = 0.0, min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0, class_weight: ClassWeight = None,
    ) -> None:  # fmt: skip
        super().__init__(
            criterion=criterion, max_depth=max_depth, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, max_features=max_features, random_state=random_state,
            max_leaf_nodes=max_leaf_nodes, min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease, class_weight=class_weight,
        )  # fmt: skip
        self.ccp_alpha = ccp_alpha


class PrunedTreeRegressor(_Pruned, DecisionTreeRegressor):
    """A regression tree that is grown and then pruned at a price for each leaf, :eq:`pruning-cost`.

    Parameters
    ----------
    criterion, max_depth, min_samples_split, min_samples_leaf, max_features, random_state, max_leaf_nodes, tolerance
        As in :class:`notes_lib.trees.cart.DecisionTreeRegressor`.
    leaf_error, min_weight_fraction_leaf, min_impurity_decrease
        As there.
    ccp_alpha : float
        Price of a leaf, in units of the variance; 0 prunes nothing.

    Attributes
    ----------
    tree_ : Tree
        The pruned tree.
    max_features_, n_features_in_
        As there.

    Examples
    --------
    >>> X, y = [[1], [2], [3]], [0, 2, 8]
    >>> [PrunedTreeRegressor(ccp_alpha=a).fit(X, y).get_n_leaves() for a in (0, 1, 11)]
    [3, 2, 1]
    """

    def __init__(
        self, *, criterion: Literal["squared_error"] = "squared_error", max_depth: int | None = None,
        min_samples_split: int = 2, min_samples_leaf: int = 1, max_features: MaxFeatures = None,
        random_state: RandomState = None, max_leaf_nodes: int | None = None, tolerance: float = 0.0,
        leaf_error: LeafError = "mean", ccp_alpha: float = 0.0, min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(
            criterion=criterion, max_depth=max_depth, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, max_features=max_features, random_state=random_state,
            max_leaf_nodes=max_leaf_nodes, tolerance=tolerance, leaf_error=leaf_error,
            min_weight_fraction_leaf=min_weight_fraction_leaf, min_impurity_decrease=min_impurity_decrease,
        )  # fmt: skip
        self.ccp_alpha = ccp_alpha
