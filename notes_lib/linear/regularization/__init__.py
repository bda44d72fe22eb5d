"""Ridge, lasso and elastic net: least squares with a penalty on the weights.

The functions take data that are centred already and have no bias; the estimators centre, and their bias is free. Names,
parameters and scales of the penalties are those of scikit-learn: a sum of squares for ridge, half a mean for the other
two. Left out: several targets, sparse matrices, other solvers.

Source: Hoerl and Kennard (1970), Technometrics 12, 55-67; Tibshirani (1996), J. R. Stat. Soc. B 58, 267-288; Zou and
Hastie (2005), J. R. Stat. Soc. B 67, 301-320; Hastie, Tibshirani and Friedman (2009), section 3.4.
"""

from notes_lib.linear.regularization.model import ElasticNet, Lasso, Ridge
from notes_lib.linear.regularization.path import (
    LassoKnots,
    LassoPath,
    coordinate_descent,
    enet_path,
    lasso_knots,
    lasso_path,
)
from notes_lib.linear.regularization.steps import (
    RidgeSVD,
    coordinate_update,
    effective_degrees_of_freedom,
    elastic_net_gap,
    elastic_net_objective,
    largest_alpha,
    ridge_svd,
    ridge_weights,
    soft_threshold,
)

__all__ = [
    "ElasticNet",
    "Lasso",
    "LassoKnots",
    "LassoPath",
    "Ridge",
    "RidgeSVD",
    "coordinate_descent",
    "coordinate_update",
    "effective_degrees_of_freedom",
    "elastic_net_gap",
    "elastic_net_objective",
    "enet_path",
    "largest_alpha",
    "lasso_knots",
    "lasso_path",
    "ridge_svd",
    "ridge_weights",
    "soft_threshold",
]
