"""The chapters whose drills have slips and errors carried forward; the list disappears when all of them are here."""

from notes_lib.drills import by_chapter

WRITTEN = [
    "bayes/bayes_decision",
    "bayes/bayesian_network",
    "bayes/density_estimation",
    "bayes/naive_bayes",
    "clustering/gmm",
    "foundations/estimation",
    "kernels/svm",
    "neighbors/curse_of_dimensionality",
    "neighbors/nearest_neighbors",
    "neighbors/prototype_selection",
    "reinforcement/mdp",
    "reinforcement/temporal_difference",
    "sequences/hmm",
    "sequences/kalman_filter",
    "trees/adaboost",
    "trees/cart",
    "trees/decision_tree",
    "trees/gradient_boosting",
    "trees/pruning",
    "trees/random_forest",
]
TOPICS = [topic for chapter in WRITTEN for topic in by_chapter()[chapter]]
