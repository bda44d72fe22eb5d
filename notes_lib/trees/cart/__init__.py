"""Classification and regression trees (CART): binary splits, chosen greedily, with a constant in each leaf.

The pure functions follow the chapter *Classification and regression trees*: the Gini index and its gain, all thresholds
of one feature, subsets of categories, a split along a direction, straight lines in the leaves. :func:`grow` builds a
tree level by level from columns that are sorted once; :class:`DecisionTreeClassifier` and
:class:`DecisionTreeRegressor` have the contract of scikit-learn.

Source: L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), *Classification and Regression Trees*.
"""

from notes_lib.trees.cart.growth import grow, presort
from notes_lib.trees.cart.model import DecisionTreeClassifier, DecisionTreeRegressor
from notes_lib.trees.cart.search import Presorted, Rule
from notes_lib.trees.cart.steps import (
    CategorySplit,
    LeafLines,
    ObliqueSplit,
    Thresholds,
    category_split,
    fit_leaf_lines,
    gini_gain,
    oblique_split,
    predict_leaf_lines,
    threshold_losses,
)
from notes_lib.trees.cart.structure import Tree, collapse, export_text, layout
from notes_lib.trees.decision_tree import gini

__all__ = [
    "CategorySplit",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "LeafLines",
    "ObliqueSplit",
    "Presorted",
    "Rule",
    "Thresholds",
    "Tree",
    "category_split",
    "collapse",
    "export_text",
    "fit_leaf_lines",
    "gini",
    "gini_gain",
    "grow",
    "layout",
    "oblique_split",
    "predict_leaf_lines",
    "presort",
    "threshold_losses",
]
