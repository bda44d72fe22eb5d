"""Bayesian networks: graphs that say which variables depend on which, and tables that say how.

``graph`` reads independence off the arrows, ``factors`` sums products of tables, ``learning`` counts, ``sampling``
draws, and :class:`BayesianNetwork` puts them together.

Sources: J. Pearl (1988), *Probabilistic reasoning in intelligent systems*; D. Koller and N. Friedman (2009),
*Probabilistic graphical models*; R. D. Shachter (1998), *Bayes-ball*.
"""

from notes_lib.bayes.bayesian_network.factors import (
    Elimination,
    Factor,
    eliminate,
    enumerate_all,
    greedy_order,
    multiply,
    restrict,
    sum_out,
)
from notes_lib.bayes.bayesian_network.graph import (
    ancestors,
    count_parameters,
    d_separated,
    markov_blanket,
    markov_equivalent,
    reachable,
    topological_order,
)
from notes_lib.bayes.bayesian_network.learning import family_counts, learn_table
from notes_lib.bayes.bayesian_network.model import BayesianNetwork
from notes_lib.bayes.bayesian_network.sampling import (
    GibbsEstimate,
    chain_means,
    forward_sample,
    full_conditional,
    gibbs_sweep,
)

__all__ = [
    "BayesianNetwork",
    "Elimination",
    "Factor",
    "GibbsEstimate",
    "ancestors",
    "chain_means",
    "count_parameters",
    "d_separated",
    "eliminate",
    "enumerate_all",
    "family_counts",
    "forward_sample",
    "full_conditional",
    "gibbs_sweep",
    "greedy_order",
    "learn_table",
    "markov_blanket",
    "markov_equivalent",
    "multiply",
    "reachable",
    "restrict",
    "sum_out",
    "topological_order",
]
