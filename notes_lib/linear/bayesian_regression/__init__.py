"""Bayesian linear regression: a distribution over the weights instead of one vector of weights.

The pure functions follow the derivation of the chapter *Bayesian linear regression*: the posterior by completing the
square, the predictive distribution, the evidence with its fixed point for the two precisions, and the conjugate model
of unknown noise. :class:`BayesianLinearRegression` has the contract of scikit-learn.

Sources: C. M. Bishop (2006), *Pattern recognition and machine learning*, sections 3.3-3.5; D. J. C. MacKay (1992),
*Bayesian interpolation*, Neural Computation 4, 415-447; A. Gelman et al. (2013), *Bayesian data analysis*, chapter 14.
"""

from notes_lib.linear.bayesian_regression.evidence import (
    Precisions,
    choose_precisions,
    effective_parameters,
    log_evidence,
)
from notes_lib.linear.bayesian_regression.model import BayesianLinearRegression
from notes_lib.linear.bayesian_regression.steps import (
    Predictive,
    predictive,
    predictive_covariance,
    update_weights,
    weight_posterior,
    weight_prior,
)
from notes_lib.linear.bayesian_regression.unknown_noise import (
    NormalInverseGamma,
    StudentPredictive,
    normal_inverse_gamma_update,
    student_predictive,
)

__all__ = [
    "BayesianLinearRegression",
    "NormalInverseGamma",
    "Precisions",
    "Predictive",
    "StudentPredictive",
    "choose_precisions",
    "effective_parameters",
    "log_evidence",
    "normal_inverse_gamma_update",
    "predictive",
    "predictive_covariance",
    "student_predictive",
    "update_weights",
    "weight_posterior",
    "weight_prior",
]
