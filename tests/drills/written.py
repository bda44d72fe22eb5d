"""The chapters whose drills have slips and errors carried forward; the list disappears when all of them are here."""

from notes_lib.drills import by_chapter

WRITTEN = [
    "clustering/gmm",
    "foundations/cross_validation",
    "foundations/descent",
    "foundations/estimation",
    "foundations/evaluation",
    "foundations/exponential_family",
    "foundations/inference",
    "foundations/information",
    "foundations/linear_algebra",
    "foundations/multivariate_gaussian",
    "foundations/optimization",
    "foundations/risk",
    "kernels/svm",
    "trees/adaboost",
    "trees/cart",
    "trees/decision_tree",
    "trees/gradient_boosting",
    "trees/pruning",
    "trees/random_forest",
]
TOPICS = [topic for chapter in WRITTEN for topic in by_chapter()[chapter]]
