"""Exponential families and generalised linear models: one form, one algorithm for all of them.

The families come in the natural parameter: log-partition function, mean and covariance of the statistic, and maximum
likelihood by matching moments. Then the parts of a generalised linear model with the canonical link (log-likelihood,
gradient, Hessian, Newton step, deviance), and the distribution of largest entropy with given moments.

Source: Bishop (2006), section 2.4; McCullagh and Nelder (1989), chapter 2; Wainwright and Jordan (2008), chapter 3.
"""

from notes_lib.foundations.exponential_family.families import (
    Bernoulli,
    Categorical,
    Exponential,
    Family,
    Gaussian,
    Poisson,
    UnitGaussian,
)
from notes_lib.foundations.exponential_family.model import ConjugatePrior, GeneralizedLinearModel
from notes_lib.foundations.exponential_family.steps import (
    MaximumEntropy,
    deviance,
    glm_gradient,
    glm_hessian,
    glm_log_likelihood,
    irls_step,
    maximum_entropy,
)

__all__ = [
    "Bernoulli",
    "Categorical",
    "ConjugatePrior",
    "Exponential",
    "Family",
    "Gaussian",
    "GeneralizedLinearModel",
    "MaximumEntropy",
    "Poisson",
    "UnitGaussian",
    "deviance",
    "glm_gradient",
    "glm_hessian",
    "glm_log_likelihood",
    "irls_step",
    "maximum_entropy",
]
