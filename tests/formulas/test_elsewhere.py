"""Formulas in sentences and solutions that are true on the instances of their chapter, although they have no label.

Many others give a symbol a value of their own, as exercises do; printed numbers are read by ``tests/sums.py``. How many
are true is counted: a slip in one of them makes it one less.
"""

from functools import cache

import pytest

from tests.drills.arithmetic import formulas
from tests.formulas import page
from tests.formulas.chapters import STEMS, Chapter
from tests.formulas.execute import TRUE, on_all
from tests.formulas.tokens import LOGIC, tokens

TRUE_ONES = {
    "adaboost": 25, "anomaly_detection": 15, "apriori": 12, "autoencoder": 7, "backpropagation": 8,
    "bayes_decision": 11, "bayesian_network": 30, "bayesian_regression": 9, "bias_variance": 8, "cart": 5, "cca": 20,
    "cross_validation": 17, "curse_of_dimensionality": 18, "decision_tree": 14, "density_clustering": 12,
    "density_estimation": 10, "descent": 32, "dirichlet_process": 23, "estimation": 22, "evaluation": 30,
    "exponential_family": 6, "fisher_lda": 20, "gaussian_discriminant": 15, "gaussian_process": 23,
    "generalization": 15, "gmm": 16, "gradient_boosting": 7, "hashing": 7, "hierarchical_clustering": 14, "hmm": 16,
    "ica": 15, "inference": 13, "information": 26, "kalman_filter": 16, "kernel_methods": 28, "kernel_pca": 26,
    "kernel_ridge": 31, "kmeans": 12, "linear_algebra": 22, "linear_regression": 17, "logistic_regression": 28,
    "manifold_learning": 10, "mdp": 7, "mixture_discriminant": 19, "model_selection": 6, "multivariate_gaussian": 32,
    "naive_bayes": 25, "nearest_neighbors": 30, "nmf": 7, "optimization": 45, "pca": 27, "perceptron": 18,
    "prototype_selection": 12, "pruning": 18, "random_forest": 12, "random_projection": 19, "recommender": 11,
    "regularization": 21, "resampling": 6, "risk": 5, "semi_supervised": 10, "softmax_regression": 15,
    "sufficient_statistics": 9, "svd": 20, "svm": 55, "svr": 32, "temporal_difference": 12,
}  # fmt: skip


def true_ones(stem, text):
    """The formulas of a text that state something true, without those that are executed by their label or card."""
    named = {*page.labelled(text).values(), *page.of_cards(text).values()}
    return [formula for formula in formulas(text) if formula.strip() not in named and is_true(formula, stem)]


@cache
def is_true(formula, stem):
    """Whether a formula states something, is read, and true on all instances."""
    results = on_all(formula, Chapter.of(stem).instances, "") if LOGIC.keys() & {*tokens(formula)} else []
    return {result.status for result in results} == {TRUE}


@pytest.mark.parametrize("stem", STEMS)
def test_as_many_are_true_as_before(stem):
    found = true_ones(stem, page.markdown(f"{STEMS[stem]}/{stem}"))
    assert len(found) >= TRUE_ONES[stem], "one of them is not true, or not there, any more"
    assert len(found) == TRUE_ONES[stem], "more than before: raise the number"


def test_a_slip_makes_one_less():
    text = page.markdown("kernels/svm")
    for right, slip in [
        (r"$C - \alpha_n - \mu_n = 0$", r"$C + \alpha_n - \mu_n = 0$"),
        (r"$0 \leq \alpha_n \leq C$", r"$0 \leq \alpha_n < C$"),  # one of three places
    ]:
        assert right in text
        assert len(true_ones("svm", text.replace(right, slip, 1))) == TRUE_ONES["svm"] - 1
