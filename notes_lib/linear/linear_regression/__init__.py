"""Linear regression: least squares with its statistics, diagnostics, polynomial features and stochastic gradients.

The pure functions follow the derivation of the chapter *Linear regression*. The design matrix ``X`` of the step
functions holds its column of ones where the model has an intercept; the estimators take the features alone.

Source: Seber and Lee (2003), Linear Regression Analysis; Hastie, Tibshirani and Friedman (2009), section 3.2; Cook and
Weisberg (1982), Residuals and Influence in Regression.
"""

from notes_lib.linear.linear_regression.diagnosis import (
    Influence,
    breusch_pagan_test,
    hat_matrix,
    influence,
    leverages,
    variance_inflation_factors,
)
from notes_lib.linear.linear_regression.features import PolynomialFeatures
from notes_lib.linear.linear_regression.inference import (
    Intervals,
    Summary,
    f_test,
    least_squares_summary,
    prediction_intervals,
)
from notes_lib.linear.linear_regression.model import LinearRegression
from notes_lib.linear.linear_regression.sgd import SGDRegressor
from notes_lib.linear.linear_regression.steps import (
    Centred,
    add_intercept,
    centre,
    normal_equations,
    regression_log_likelihood,
    sgd_pass,
    shortest_weights,
    squared_error,
    squared_error_gradient,
    squared_error_hessian,
)

__all__ = [
    "Centred",
    "Influence",
    "Intervals",
    "LinearRegression",
    "PolynomialFeatures",
    "SGDRegressor",
    "Summary",
    "add_intercept",
    "breusch_pagan_test",
    "centre",
    "f_test",
    "hat_matrix",
    "influence",
    "least_squares_summary",
    "leverages",
    "normal_equations",
    "prediction_intervals",
    "regression_log_likelihood",
    "sgd_pass",
    "shortest_weights",
    "squared_error",
    "squared_error_gradient",
    "squared_error_hessian",
    "variance_inflation_factors",
]
