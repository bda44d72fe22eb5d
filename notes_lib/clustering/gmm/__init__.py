"""Gaussian mixtures fitted by expectation-maximisation (EM).

The pure functions follow the derivation of the chapter *Gaussian mixtures and EM*: component densities, E-step, M-step,
and the lower bound that explains why the likelihood never falls. :class:`GaussianMixture` loops over them and keeps the
contract of scikit-learn.

Rows are handled in blocks that stay in the cache, and inside a block the data points are columns, so that each step is
one matrix product for each component.

Source: Dempster, Laird and Rubin (1977), J. R. Stat. Soc. B 39, 1-38; Bishop (2006), sections 9.2 to 9.4.
"""

from notes_lib.clustering.gmm.model import GaussianMixture
from notes_lib.clustering.gmm.precision import precision_cholesky
from notes_lib.clustering.gmm.steps import (
    EStep,
    MStep,
    e_step,
    elbo,
    entropy,
    log_component_densities,
    m_step,
    n_parameters,
    q_function,
)

__all__ = [
    "EStep",
    "GaussianMixture",
    "MStep",
    "e_step",
    "elbo",
    "entropy",
    "log_component_densities",
    "m_step",
    "n_parameters",
    "precision_cholesky",
    "q_function",
]
