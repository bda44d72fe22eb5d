"""AdaBoost: a weighted vote of weak learners, each trained on the weights that the earlier ones have left.

The pure functions follow the chapter *AdaBoost*: weighted error, vote, both forms of the new weights, the bound on the
training error, margins. :func:`best_stump` finds a tree with one test in columns that are sorted once, and
:class:`AdaBoostClassifier` has the contract of scikit-learn.

Source: Y. Freund and R. E. Schapire (1997), *A decision-theoretic generalization of on-line learning and an application
to boosting*.
"""

from notes_lib.trees.adaboost.model import AdaBoostClassifier
from notes_lib.trees.adaboost.steps import (
    exponential_update,
    mistake_update,
    normalizer,
    training_bound,
    vote,
    vote_margins,
    weighted_error,
)
from notes_lib.trees.adaboost.stumps import SortedColumns, Stump, best_stump, sort_columns

__all__ = [
    "AdaBoostClassifier",
    "SortedColumns",
    "Stump",
    "best_stump",
    "exponential_update",
    "mistake_update",
    "normalizer",
    "sort_columns",
    "training_bound",
    "vote",
    "vote_margins",
    "weighted_error",
]
