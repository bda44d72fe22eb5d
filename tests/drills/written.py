"""The chapters whose drills have slips and errors carried forward; the list disappears when all of them are here."""

from notes_lib.drills import by_chapter

WRITTEN = [
    "clustering/gmm",
    "foundations/estimation",
    "kernels/gaussian_process",
    "kernels/kernel_methods",
    "kernels/kernel_ridge",
    "kernels/svm",
    "kernels/svr",
    "linear/bayesian_regression",
    "linear/fisher_lda",
    "linear/gaussian_discriminant",
    "linear/linear_regression",
    "linear/logistic_regression",
    "linear/perceptron",
    "linear/regularization",
    "linear/softmax_regression",
    "mining/anomaly_detection",
    "mining/apriori",
    "mining/recommender",
    "networks/autoencoder",
    "networks/backpropagation",
    "reinforcement/mdp",
    "reinforcement/temporal_difference",
    "scaling/sufficient_statistics",
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
