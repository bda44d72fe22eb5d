"""Estimation: maximum likelihood, the maximum of the posterior, and conjugate priors that need no integral.

The functions follow the derivation of the chapter *Estimation*: log-likelihoods and their maximisers for four
distributions, then three conjugate pairs. A conjugate model is a value: its ``update`` returns a new one, so that the
posterior of today is the prior of tomorrow. Time and memory are O(n) throughout, O(n + K) with K categories.

Source: Bishop (2006), sections 1.2 and 2.1 to 2.3; Gelman et al. (2013), chapter 2.
"""

from notes_lib.foundations.estimation.model import BetaBernoulli, DirichletCategorical, NormalNormal
from notes_lib.foundations.estimation.steps import (
    GaussianFit,
    LaplaceFit,
    bernoulli_log_likelihood,
    bernoulli_mle,
    categorical_log_likelihood,
    categorical_mle,
    category_counts,
    gaussian_log_likelihood,
    gaussian_mle,
    laplace_log_likelihood,
    laplace_mle,
)

__all__ = [
    "BetaBernoulli",
    "DirichletCategorical",
    "GaussianFit",
    "LaplaceFit",
    "NormalNormal",
    "bernoulli_log_likelihood",
    "bernoulli_mle",
    "categorical_log_likelihood",
    "categorical_mle",
    "category_counts",
    "gaussian_log_likelihood",
    "gaussian_mle",
    "laplace_log_likelihood",
    "laplace_mle",
]
