"""The singular value decomposition: every matrix is a rotation, a stretching of axes and another rotation.

The pure functions follow the derivation of the chapter *Singular value decomposition*: the decomposition itself, the
best approximation of low rank and its error, numerical rank and pseudo-inverse, power iteration, and the randomised
decomposition. :class:`TruncatedSVD` puts them together and keeps the contract of scikit-learn.

Source: Eckart and Young (1936), Psychometrika 1, 211-218; Golub and Van Loan (2013), sections 2.4, 5.5 and 7.3; Halko,
Martinsson and Tropp (2011), SIAM Review 53, 217-288.
"""

from notes_lib.reduction.svd.model import TruncatedSVD
from notes_lib.reduction.svd.sketch import randomized_svd, range_finder, svd_from_range
from notes_lib.reduction.svd.steps import (
    SVD,
    TruncationError,
    exact_svd,
    low_rank_approximation,
    numerical_rank,
    power_step,
    pseudo_inverse,
    svd_power,
    truncation_error,
)

__all__ = [
    "SVD",
    "TruncatedSVD",
    "TruncationError",
    "exact_svd",
    "low_rank_approximation",
    "numerical_rank",
    "power_step",
    "pseudo_inverse",
    "randomized_svd",
    "range_finder",
    "svd_from_range",
    "svd_power",
    "truncation_error",
]
