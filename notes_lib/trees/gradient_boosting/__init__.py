"""Gradient boosting: a sum of trees, each fitted to the negative gradient of the loss at the sum before it.

The pure functions follow the chapter *Gradient boosting*: pseudo-residuals, values of leaves, the second-order gain,
partial dependence. The trees come from :func:`notes_lib.trees.cart.grow`, or from histograms of derivatives;
:class:`GradientBoostingRegressor` and :class:`GradientBoostingClassifier` have the contract of scikit-learn.

Sources: J. H. Friedman (2001), *Greedy function approximation: a gradient boosting machine*, Annals of Statistics 29,
1189-1232; T. Chen and C. Guestrin (2016), *XGBoost: a scalable tree boosting system*, KDD.
"""

from notes_lib.trees.gradient_boosting.dependence import partial_dependence
from notes_lib.trees.gradient_boosting.histogram import Binned, SecondOrder, bin_columns, grow_histogram
from notes_lib.trees.gradient_boosting.model import GradientBoostingClassifier, GradientBoostingRegressor
from notes_lib.trees.gradient_boosting.steps import (
    DependenceCurves,
    dependence_curves,
    leaf_value,
    pseudo_residuals,
    second_order_gain,
    second_order_value,
)

__all__ = [
    "Binned",
    "DependenceCurves",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "SecondOrder",
    "bin_columns",
    "dependence_curves",
    "grow_histogram",
    "leaf_value",
    "partial_dependence",
    "pseudo_residuals",
    "second_order_gain",
    "second_order_value",
]
