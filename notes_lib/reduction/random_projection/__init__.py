"""Random projections: a few random directions that keep all distances of a cloud of points, whatever its dimension.

The pure functions follow the chapter *Random projections*: the two tails of the chi-square distribution, the union
bound over all pairs, the dimension that it asks for, dense and sparse random matrices, and the variance of lengths and
inner products. :class:`GaussianRandomProjection` and :class:`SparseRandomProjection` have the contract of scikit-learn,
and so has :func:`johnson_lindenstrauss_min_dim`.

Sources: W. B. Johnson and J. Lindenstrauss (1984), *Extensions of Lipschitz Mappings into a Hilbert Space*;
S. Dasgupta and A. Gupta (2003), *An Elementary Proof of a Theorem of Johnson and Lindenstrauss*; D. Achlioptas (2003),
*Database-friendly Random Projections*; P. Li, T. Hastie and K. Church (2006), *Very Sparse Random Projections*.
"""

from notes_lib.reduction.random_projection.model import GaussianRandomProjection, SparseRandomProjection
from notes_lib.reduction.random_projection.steps import (
    confident_min_dim,
    distance_ratios,
    failure_bound,
    gaussian_components,
    inner_product_variance,
    johnson_lindenstrauss_min_dim,
    lower_tail_bound,
    sparse_components,
    upper_tail_bound,
)

__all__ = [
    "GaussianRandomProjection",
    "SparseRandomProjection",
    "confident_min_dim",
    "distance_ratios",
    "failure_bound",
    "gaussian_components",
    "inner_product_variance",
    "johnson_lindenstrauss_min_dim",
    "lower_tail_bound",
    "sparse_components",
    "upper_tail_bound",
]
