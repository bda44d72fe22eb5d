"""Hidden Markov models with categorical or Gaussian emissions.

The pure functions follow the derivation of the chapter *Hidden Markov models*: joint probability of a path, forward,
backward, posterior, expected transitions, Viterbi, and the updates of Baum-Welch. :class:`CategoricalHMM` and
:class:`GaussianHMM` put them together under the names of hmmlearn; ``fit`` is plain maximum likelihood, without priors.

Emissions enter the functions as ``log_emission`` (T, K), the log-probability or log-density of each observation under
each state, so that every function serves any kind of emission.

Source: Rabiner (1989), Proceedings of the IEEE 77, 257-286; Bishop (2006), section 13.2.
"""

from notes_lib.sequences.hmm.base import Monitor
from notes_lib.sequences.hmm.chain import is_irreducible, period, second_eigenvalue, stationary_distribution
from notes_lib.sequences.hmm.model import CategoricalHMM, GaussianHMM
from notes_lib.sequences.hmm.steps import (
    BackwardPass,
    EStep,
    ForwardPass,
    ViterbiPath,
    backward,
    backward_step,
    e_step,
    expected_transitions,
    forward,
    forward_step,
    joint_log_probability,
    posterior,
    viterbi,
    viterbi_step,
)
from notes_lib.sequences.hmm.updates import gaussian_m_step, normalize_counts, symbol_counts

__all__ = [
    "BackwardPass",
    "CategoricalHMM",
    "EStep",
    "ForwardPass",
    "GaussianHMM",
    "Monitor",
    "ViterbiPath",
    "backward",
    "backward_step",
    "e_step",
    "expected_transitions",
    "forward",
    "forward_step",
    "gaussian_m_step",
    "is_irreducible",
    "joint_log_probability",
    "normalize_counts",
    "period",
    "posterior",
    "second_eigenvalue",
    "stationary_distribution",
    "symbol_counts",
    "viterbi",
    "viterbi_step",
]
