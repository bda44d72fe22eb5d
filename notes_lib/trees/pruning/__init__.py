"""Pruning: how large a tree should be, and the rules that are left of it.

All methods make leaves of some inner nodes of a binary tree of the chapter *Classification and regression trees*. Three
of them, reduced error, pessimistic and cost-complexity pruning, are one recursion, :func:`best_cut`, with three costs.
The estimators of that chapter prune themselves at a price for each leaf, their parameter ``ccp_alpha``.

Source: L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), *Classification and Regression Trees*, chapter
3; J. R. Quinlan (1993), *C4.5: Programs for Machine Learning*, chapters 4 and 5.
"""

from notes_lib.trees.cart.prices import (
    PruningPath,
    best_cut,
    cost_complexity_cut,
    cost_complexity_pruning_path,
    link_strengths,
    resubstitution_costs,
)
from notes_lib.trees.pruning.costs import early_stop, node_errors, pessimistic_rate, reach
from notes_lib.trees.pruning.post import (
    AlphaSearch,
    alpha_by_cross_validation,
    pessimistic_pruning,
    prune,
    reduced_error_pruning,
)
from notes_lib.trees.pruning.rules import LeafRule, RuleList, extract_rules, simplify_rules

__all__ = [
    "AlphaSearch",
    "LeafRule",
    "PruningPath",
    "RuleList",
    "alpha_by_cross_validation",
    "best_cut",
    "cost_complexity_cut",
    "cost_complexity_pruning_path",
    "early_stop",
    "extract_rules",
    "link_strengths",
    "node_errors",
    "pessimistic_pruning",
    "pessimistic_rate",
    "prune",
    "reach",
    "reduced_error_pruning",
    "resubstitution_costs",
    "simplify_rules",
]
