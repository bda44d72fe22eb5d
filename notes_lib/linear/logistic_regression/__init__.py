"""Logistic regression: a linear score, read as log-odds, and its maximum-likelihood fit.

The pure functions follow the derivation of the chapter *Logistic regression*: objective, gradient, Hessian, one Newton
step and its form as weighted least squares, one proximal step for the penalty of absolute values, and the table of
odds ratios. :class:`LogisticRegression` fits two classes by Newton's method; :class:`OneVsRestClassifier` and
:class:`OneVsOneClassifier` make a classifier of more classes out of one of two.

Source: Cox (1958), J. R. Stat. Soc. B 20, 215-242; Hastie, Tibshirani and Friedman (2009), section 4.4; Albert and
Anderson (1984), Biometrika 71, 1-10, on separated classes.
"""

from notes_lib.linear.logistic_regression.model import LogisticRegression
from notes_lib.linear.logistic_regression.multiclass import OneVsOneClassifier, OneVsRestClassifier, pairwise_votes
from notes_lib.linear.logistic_regression.steps import (
    CoefficientTable,
    WorkingResponse,
    coefficient_table,
    logistic_gradient,
    logistic_hessian,
    logistic_objective,
    newton_step,
    proximal_step,
    working_response,
)

__all__ = [
    "CoefficientTable",
    "LogisticRegression",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "WorkingResponse",
    "coefficient_table",
    "logistic_gradient",
    "logistic_hessian",
    "logistic_objective",
    "newton_step",
    "pairwise_votes",
    "proximal_step",
    "working_response",
]
