"""Generalisation: how far the empirical risk may be from the risk, and what a class of hypotheses has to do with it.

The pure functions follow the chapter *Generalisation*: Hoeffding's bound, the sample sizes for finite classes, the
labelings that a class gives some points, the bounds of Sauer and of Vapnik and Chervonenkis, Rademacher complexity, and
two learners with a bound on the number of their mistakes.

Sources: Hoeffding (1963), Journal of the American Statistical Association 58, 13-30; Vapnik and Chervonenkis (1971),
Theory of Probability and its Applications 16, 264-280; Sauer (1972), Journal of Combinatorial Theory A 13, 145-147;
Littlestone (1988), Machine Learning 2, 285-318.
"""

from notes_lib.theory.generalization.bounds import (
    hoeffding_bound,
    pac_sample_size,
    sauer_bound,
    uniform_deviation,
    vc_bound,
    vc_sample_size,
)
from notes_lib.theory.generalization.complexity import Complexity, empirical_rademacher, rademacher_bound
from notes_lib.theory.generalization.online import Halved, Winnowed, halving, winnow
from notes_lib.theory.generalization.shattering import (
    RadonPartition,
    growth_function,
    is_shattered,
    labelings,
    radon_partition,
)

__all__ = [
    "Complexity",
    "Halved",
    "RadonPartition",
    "Winnowed",
    "empirical_rademacher",
    "growth_function",
    "halving",
    "hoeffding_bound",
    "is_shattered",
    "labelings",
    "pac_sample_size",
    "rademacher_bound",
    "radon_partition",
    "sauer_bound",
    "uniform_deviation",
    "vc_bound",
    "vc_sample_size",
    "winnow",
]
