"""Bagging and random forests: many unstable learners, made different by chance, and their average.

The pure functions follow the chapter *Bagging and random forests*: the variance of an average of correlated learners,
the probability of staying out of a bootstrap sample, and the vote of independent voters with its bound.
:class:`BaggingClassifier`, :class:`RandomForestClassifier` and :class:`RandomForestRegressor` have the contract of
scikit-learn, and so has :func:`permutation_importance`. The trees are those of :mod:`notes_lib.trees.cart`.

Sources: L. Breiman (1996), *Bagging Predictors*; L. Breiman (2001), *Random Forests*.
"""

from notes_lib.theory.resampling import bootstrap_counts, out_of_bag_probability
from notes_lib.trees.random_forest.importance import PermutationImportance, permutation_importance
from notes_lib.trees.random_forest.model import BaggingClassifier, RandomForestClassifier, RandomForestRegressor
from notes_lib.trees.random_forest.steps import (
    average_variance,
    hoeffding_vote_bound,
    majority_vote_probability,
    mean_correlation,
)

__all__ = [
    "BaggingClassifier",
    "PermutationImportance",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "average_variance",
    "bootstrap_counts",
    "hoeffding_vote_bound",
    "majority_vote_probability",
    "mean_correlation",
    "out_of_bag_probability",
    "permutation_importance",
]
