"""Dirichlet process mixtures: a posterior over all groupings, so that the number of clusters need not be chosen.

The pure functions follow the derivation of the chapter *Dirichlet process mixtures*: the Chinese restaurant as a limit
of the Dirichlet-multinomial, the probability of a partition, the broken stick, the conjugate prior of a Gaussian with
its predictive density, and one sweep of collapsed Gibbs sampling. :class:`DirichletProcessMixture` runs the sweeps.

Source: Neal (2000), J. Comput. Graph. Stat. 9(2), 249-265, algorithm 3; Murphy (2012), section 25.2 and, for the
Gaussian, section 4.6.
"""

from notes_lib.clustering.dirichlet_process.conjugate import (
    NormalInverseWishart,
    log_evidence,
    log_predictive,
    niw_posterior,
)
from notes_lib.clustering.dirichlet_process.gibbs import gibbs_sweep
from notes_lib.clustering.dirichlet_process.model import DirichletProcessMixture
from notes_lib.clustering.dirichlet_process.steps import (
    canonical_labels,
    chinese_restaurant,
    co_clustering,
    expected_tables,
    log_partition,
    seating_probabilities,
    stick_weights,
)

__all__ = [
    "DirichletProcessMixture",
    "NormalInverseWishart",
    "canonical_labels",
    "chinese_restaurant",
    "co_clustering",
    "expected_tables",
    "gibbs_sweep",
    "log_evidence",
    "log_partition",
    "log_predictive",
    "niw_posterior",
    "seating_probabilities",
    "stick_weights",
]
