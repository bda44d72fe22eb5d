"""Anomaly detection: scores that say how odd a row is, learned from rows without labels.

The pure functions follow the chapter *Anomaly detection*: the Mahalanobis distance and what outliers do to it, the
distances of neighbours and the local outlier factor, the depth of random trees, the reconstruction error, and what an
alarm is worth. The estimators have the contract of scikit-learn: ``score_samples`` is low for odd rows, ``predict``
gives 1 for a usual row and -1 for an odd one.

Sources: M. M. Breunig, H.-P. Kriegel, R. T. Ng and J. Sander (2000), *LOF: identifying density-based local outliers*;
F. T. Liu, K. M. Ting and Z.-H. Zhou (2008), *Isolation forest*; B. Schoelkopf, J. C. Platt, J. Shawe-Taylor, A. J.
Smola and R. C. Williamson (2001), Neural Computation 13, 1443-1471.
"""

from notes_lib.mining.anomaly_detection.forest import Forest, grow_forest, mean_depths
from notes_lib.mining.anomaly_detection.gaussian import MahalanobisDetector
from notes_lib.mining.anomaly_detection.model import IsolationForest, LocalOutlierFactor
from notes_lib.mining.anomaly_detection.one_class import OneClassSVM
from notes_lib.mining.anomaly_detection.steps import (
    alarm_precision,
    average_path_length,
    chi_square_threshold,
    concentration_step,
    conformal_p_values,
    isolation_score,
    local_outlier_factors,
    local_reachability_density,
    masking_limit,
    nearest_others,
    reconstruction_errors,
    squared_mahalanobis,
)

__all__ = [
    "Forest",
    "IsolationForest",
    "LocalOutlierFactor",
    "MahalanobisDetector",
    "OneClassSVM",
    "alarm_precision",
    "average_path_length",
    "chi_square_threshold",
    "concentration_step",
    "conformal_p_values",
    "grow_forest",
    "isolation_score",
    "local_outlier_factors",
    "local_reachability_density",
    "masking_limit",
    "mean_depths",
    "nearest_others",
    "reconstruction_errors",
    "squared_mahalanobis",
]
