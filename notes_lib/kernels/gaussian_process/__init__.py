"""Gaussian processes: a Gaussian distribution over functions, conditioned on the data.

The pure functions follow the chapter *Gaussian processes*: the posterior at new points by conditioning a Gaussian, the
log marginal likelihood with its gradient, and draws of functions. The covariance functions know their matrices and the
derivatives by the logarithms of their parameters, and add and multiply.
:class:`GaussianProcessRegressor` puts these together and keeps the contract of scikit-learn.

Sources: C. E. Rasmussen and C. K. I. Williams (2006), *Gaussian processes for machine learning*, chapters 2, 4 and 5;
C. M. Bishop (2006), *Pattern recognition and machine learning*, section 6.4.
"""

from notes_lib.kernels.gaussian_process.covariances import (
    RBF,
    ConstantKernel,
    Covariance,
    DotProduct,
    ExpSineSquared,
    Product,
    Sum,
    WhiteKernel,
)
from notes_lib.kernels.gaussian_process.model import GaussianProcessRegressor
from notes_lib.kernels.gaussian_process.steps import (
    MarginalLikelihood,
    ProcessPosterior,
    gp_posterior,
    likelihood_gradient,
    log_marginal_likelihood,
    sample_functions,
)

__all__ = [
    "RBF",
    "ConstantKernel",
    "Covariance",
    "DotProduct",
    "ExpSineSquared",
    "GaussianProcessRegressor",
    "MarginalLikelihood",
    "ProcessPosterior",
    "Product",
    "Sum",
    "WhiteKernel",
    "gp_posterior",
    "likelihood_gradient",
    "log_marginal_likelihood",
    "sample_functions",
]
