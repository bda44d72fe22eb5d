"""Canonical correlation analysis: the directions along which two views of the same instances agree most.

The pure functions follow the chapter *Canonical correlation analysis*: covariances of two views, the correlation along
two directions, the whitened cross-covariance and its singular vectors, the permutation test, and partial least squares
in brief. :class:`CCA` puts them together and has the names of scikit-learn.

Source: H. Hotelling (1936), *Relations between two sets of variates*, Biometrika 28, 321-377.
"""

from notes_lib.reduction.cca.model import CCA
from notes_lib.reduction.cca.pls import LinearFit, pls_directions, pls_regression
from notes_lib.reduction.cca.steps import (
    CanonicalPairs,
    PermutationTest,
    ViewCovariances,
    canonical_pairs,
    direction_correlation,
    first_correlation_test,
    score_correlations,
    view_covariances,
    whitened_covariance,
)

__all__ = [
    "CCA",
    "CanonicalPairs",
    "LinearFit",
    "PermutationTest",
    "ViewCovariances",
    "canonical_pairs",
    "direction_correlation",
    "first_correlation_test",
    "pls_directions",
    "pls_regression",
    "score_correlations",
    "view_covariances",
    "whitened_covariance",
]
