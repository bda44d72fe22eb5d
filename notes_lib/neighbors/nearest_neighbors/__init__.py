"""Nearest neighbours: classification and regression by the labels of the stored instances that lie nearest.

The pure functions follow the chapter *Nearest neighbours*: distances and the axioms of a metric, the search among all
instances, votes and local means, the limit of the risk and the bound of Cover and Hart. :class:`KDTree` and
:class:`BallTree` search by branch and bound; :class:`KNeighborsClassifier` and :class:`KNeighborsRegressor` have the
contract of scikit-learn.

Sources: E. Fix and J. L. Hodges (1951), *Discriminatory analysis: nonparametric discrimination*; T. M. Cover and P. E.
Hart (1967), IEEE Transactions on Information Theory 13, 21-27; J. H. Friedman, J. L. Bentley and R. A. Finkel (1977),
ACM Transactions on Mathematical Software 3, 209-226.
"""

from notes_lib.neighbors.nearest_neighbors.model import KNeighborsClassifier, KNeighborsRegressor
from notes_lib.neighbors.nearest_neighbors.search import Neighbors, k_nearest
from notes_lib.neighbors.nearest_neighbors.steps import (
    AxiomViolations,
    asymptotic_risk,
    axiom_violations,
    cover_hart_bound,
    neighbor_weights,
    pairwise_distances,
    vote_shares,
)
from notes_lib.neighbors.nearest_neighbors.trees import BallTree, KDTree, ball_bound, box_bound

__all__ = [
    "AxiomViolations",
    "BallTree",
    "KDTree",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "Neighbors",
    "asymptotic_risk",
    "axiom_violations",
    "ball_bound",
    "box_bound",
    "cover_hart_bound",
    "k_nearest",
    "neighbor_weights",
    "pairwise_distances",
    "vote_shares",
]
