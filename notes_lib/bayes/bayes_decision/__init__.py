"""Bayesian decision theory: what to do when the probabilities are known, and how good any rule can be.

Rules that need priors (smallest error, smallest risk, rejection), rules that do without (Neyman and Pearson, minimax),
the error as an integral over regions, bounds of it, and a classifier that puts a density for each class in the place
of the true ones. Classes are numbered from 0; ``cost[k, a]`` is the cost of action a when class k is true. The
functions follow the derivation of the chapter *Bayesian decision theory*.

Source: Duda, Hart and Stork (2001), chapter 2; Chow (1970), IEEE Trans. Inf. Theory 16, 41-46; Neyman and Pearson
(1933), Phil. Trans. R. Soc. A 231, 289-337; Chernoff (1952), Ann. Math. Stat. 23, 493-507.
"""

from notes_lib.bayes.bayes_decision.bounds import (
    ErrorBounds,
    chernoff_coefficient,
    error_bounds,
    gaussian_chernoff_coefficient,
)
from notes_lib.bayes.bayes_decision.model import BayesClassifier, GaussianDensity
from notes_lib.bayes.bayes_decision.ratio_tests import (
    Minimax,
    RatioRoc,
    RatioTest,
    binormal_auc,
    binormal_roc,
    likelihood_ratio_roc,
    minimax_test,
    neyman_pearson,
)
from notes_lib.bayes.bayes_decision.regions import Regions, bayes_regions
from notes_lib.bayes.bayes_decision.steps import (
    REJECT,
    Action,
    ErrorReject,
    chow_reject,
    error_reject_curve,
    likelihood_threshold,
    log_posterior,
    minimum_risk_action,
)

__all__ = [
    "REJECT",
    "Action",
    "BayesClassifier",
    "ErrorBounds",
    "ErrorReject",
    "GaussianDensity",
    "Minimax",
    "RatioRoc",
    "RatioTest",
    "Regions",
    "bayes_regions",
    "binormal_auc",
    "binormal_roc",
    "chernoff_coefficient",
    "chow_reject",
    "error_bounds",
    "error_reject_curve",
    "gaussian_chernoff_coefficient",
    "likelihood_ratio_roc",
    "likelihood_threshold",
    "log_posterior",
    "minimax_test",
    "minimum_risk_action",
    "neyman_pearson",
]
