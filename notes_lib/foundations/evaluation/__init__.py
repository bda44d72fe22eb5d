"""Evaluation: how good a classifier, a ranking, a regression or a clustering is.

Everything about the labels that a classifier predicts follows from its confusion matrix; everything about its scores
from the order in which they put positive and negative instances. Names, parameters and results are those of
scikit-learn, which has no specificity, type-I and type-II error or purity.

Source: Fawcett (2006), Pattern Recognition Letters 27, 861-874; Manning, Raghavan and Schuetze (2008), chapters 8 and
16; Hanley and McNeil (1982), Radiology 143, 29-36.
"""

from notes_lib.foundations.evaluation.clusters import (
    PairCounts,
    adjusted_rand_score,
    normalized_mutual_info_score,
    pair_counts,
    purity_score,
    rand_score,
)
from notes_lib.foundations.evaluation.confusion import (
    Counts,
    accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    matthews_corrcoef,
    one_vs_rest_counts,
)
from notes_lib.foundations.evaluation.costs import Decision, mean_cost, minimum_cost_decision
from notes_lib.foundations.evaluation.probabilities import brier_score_loss, log_loss
from notes_lib.foundations.evaluation.ranking import (
    PrecisionRecall,
    Roc,
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_auc_standard_error,
    roc_curve,
)
from notes_lib.foundations.evaluation.rates import (
    f1_score,
    fbeta_score,
    precision_score,
    recall_score,
    specificity_score,
    type_i_error,
    type_ii_error,
)
from notes_lib.foundations.evaluation.regression import mean_absolute_error, mean_squared_error, r2_score

__all__ = [
    "Counts",
    "Decision",
    "PairCounts",
    "PrecisionRecall",
    "Roc",
    "accuracy_score",
    "adjusted_rand_score",
    "average_precision_score",
    "brier_score_loss",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "fbeta_score",
    "log_loss",
    "matthews_corrcoef",
    "mean_absolute_error",
    "mean_cost",
    "mean_squared_error",
    "minimum_cost_decision",
    "normalized_mutual_info_score",
    "one_vs_rest_counts",
    "pair_counts",
    "precision_recall_curve",
    "precision_score",
    "purity_score",
    "r2_score",
    "rand_score",
    "recall_score",
    "roc_auc_score",
    "roc_auc_standard_error",
    "roc_curve",
    "specificity_score",
    "type_i_error",
    "type_ii_error",
]
