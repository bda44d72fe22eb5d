"""Gaussian discriminant analysis: a prior and a Gaussian for each class, and the class that Bayes' theorem favours.

One covariance for all classes makes the scores linear (LDA), one for each makes them quadratic (QDA). The functions
follow the derivation of the chapter *Gaussian discriminant analysis*; the estimators put them together and keep the
contract of scikit-learn.

Source: Friedman (1989), J. Am. Stat. Assoc. 84, 165-175; Hastie, Tibshirani and Friedman (2009), section 4.3; Bishop
(2006), section 4.2.
"""

from notes_lib.linear.gaussian_discriminant.model import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from notes_lib.linear.gaussian_discriminant.steps import (
    ClassGaussians,
    LinearScores,
    class_gaussians,
    lda_coefficients,
    lda_error,
    logistic_parameters,
    qda_scores,
    regularized_covariances,
)

__all__ = [
    "ClassGaussians",
    "LinearDiscriminantAnalysis",
    "LinearScores",
    "QuadraticDiscriminantAnalysis",
    "class_gaussians",
    "lda_coefficients",
    "lda_error",
    "logistic_parameters",
    "qda_scores",
    "regularized_covariances",
]
