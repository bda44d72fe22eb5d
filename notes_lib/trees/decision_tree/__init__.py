"""Decision trees with one branch for each value: impurity, ID3, C4.5, and the rules that a tree states.

The functions follow the derivation of the chapter *Decision trees*; entropy and information gain are those of the
chapter *Information theory*. A split is described by its table of counts: one row for each branch, one column for each
class. The estimators put the functions together and keep the contract of scikit-learn.

Source: Quinlan (1986), Machine Learning 1, 81-106; Quinlan (1993), C4.5: Programs for Machine Learning, chapters 2
and 3; Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, chapter 4.
"""

from notes_lib.trees.decision_tree.growing import Node, Split, Stopping, grow, select_split
from notes_lib.trees.decision_tree.model import C45Classifier, ID3Classifier
from notes_lib.trees.decision_tree.rules import Rule, export_text, rules, tree_graph
from notes_lib.trees.decision_tree.steps import (
    IMPURITIES,
    best_threshold,
    boundary_thresholds,
    gain_ratio,
    gini,
    impurity_after,
    impurity_decrease,
    intrinsic_value,
    misclassification,
)

__all__ = [
    "IMPURITIES",
    "C45Classifier",
    "ID3Classifier",
    "Node",
    "Rule",
    "Split",
    "Stopping",
    "best_threshold",
    "boundary_thresholds",
    "export_text",
    "gain_ratio",
    "gini",
    "grow",
    "impurity_after",
    "impurity_decrease",
    "intrinsic_value",
    "misclassification",
    "rules",
    "select_split",
    "tree_graph",
]
