"""The multivariate Gaussian: density, contours, affine maps, marginals, conditionals, sampling, fitting, tests.

The functions follow the derivation of the chapter *The multivariate Gaussian*. A Gaussian is a value: every operation
returns a new one. All of them rest on a Cholesky factor: no determinant is formed, and a covariance is inverted only
where its inverse is the result. ``d`` is the number of variables.

Source: Bishop (2006), section 2.3; Mardia, Kent and Bibby (1979), chapters 3 and 4.
"""

from notes_lib.foundations.multivariate_gaussian.diagnosis import (
    MardiaTest,
    ShrinkageEstimate,
    correlation_interval,
    ledoit_wolf,
    mardia_test,
)
from notes_lib.foundations.multivariate_gaussian.model import (
    MultivariateGaussian,
    kl_gaussian,
    linear_gaussian,
    mahalanobis,
    partial_correlation,
)
from notes_lib.foundations.multivariate_gaussian.steps import (
    MultivariateFit,
    conditional_gain,
    ellipsoid_probability,
    ellipsoid_radius,
    gaussian_mle_multivariate,
)

__all__ = [
    "MardiaTest",
    "MultivariateFit",
    "MultivariateGaussian",
    "ShrinkageEstimate",
    "conditional_gain",
    "correlation_interval",
    "ellipsoid_probability",
    "ellipsoid_radius",
    "gaussian_mle_multivariate",
    "kl_gaussian",
    "ledoit_wolf",
    "linear_gaussian",
    "mahalanobis",
    "mardia_test",
    "partial_correlation",
]
