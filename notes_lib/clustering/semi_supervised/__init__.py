"""Semi-supervised learning: classifiers from few labels and many rows without one, which are marked -1.

The functions follow the derivation of the chapter *Semi-supervised learning*: self-training, EM for one Gaussian a
class with some labels, labels on a graph (harmonic function and label spreading), and active learning. The estimators
put them together and keep the contract of scikit-learn.

Source: Chapelle, Schölkopf and Zien (2006); Zhu, Ghahramani and Lafferty (2003); Nigam, McCallum, Thrun and Mitchell
(2000); Zhou et al. (2004); Settles (2012).
"""

from notes_lib.clustering.semi_supervised.active import (
    Search,
    queries_needed,
    query_threshold,
    random_interval,
    uncertainty,
)
from notes_lib.clustering.semi_supervised.graph import (
    Settled,
    energy,
    harmonic,
    normalized_weights,
    one_hot,
    propagate,
    spread,
    spreading,
    transition_matrix,
)
from notes_lib.clustering.semi_supervised.mixture import SemiSupervisedMixture, clamped_e_step, weighted_m_step
from notes_lib.clustering.semi_supervised.propagation import LabelPropagation, LabelSpreading
from notes_lib.clustering.semi_supervised.self_training import (
    SelfTrainingClassifier,
    select_best,
    select_confident,
)

__all__ = [
    "LabelPropagation",
    "LabelSpreading",
    "Search",
    "SelfTrainingClassifier",
    "SemiSupervisedMixture",
    "Settled",
    "clamped_e_step",
    "energy",
    "harmonic",
    "normalized_weights",
    "one_hot",
    "propagate",
    "queries_needed",
    "query_threshold",
    "random_interval",
    "select_best",
    "select_confident",
    "spread",
    "spreading",
    "transition_matrix",
    "uncertainty",
    "weighted_m_step",
]
