"""Independent component analysis: sources that were mixed linearly, found again because they are not Gaussian.

The pure functions follow the chapter *Independent component analysis*: whitening, which leaves a rotation; kurtosis and
the contrast that stands in for negentropy; the fixed point as a step of Newton's method; its two ways to several
components; the likelihood and its natural gradient. :class:`FastICA` puts them together and keeps the contract of
scikit-learn.

Sources: A. Hyvärinen and E. Oja (2000), *Independent Component Analysis: Algorithms and Applications*; A. Hyvärinen
(1999), *Fast and Robust Fixed-Point Algorithms for Independent Component Analysis*.
"""

from notes_lib.reduction.ica.contrasts import CONTRASTS, Contrast, excess_kurtosis, negentropy_contrast
from notes_lib.reduction.ica.model import FastICA
from notes_lib.reduction.ica.steps import (
    Whitening,
    amari_error,
    deflate,
    fixed_point_step,
    log_likelihood,
    natural_gradient_step,
    rotation,
    symmetric_decorrelation,
    whiten,
)

__all__ = [
    "CONTRASTS",
    "Contrast",
    "FastICA",
    "Whitening",
    "amari_error",
    "deflate",
    "excess_kurtosis",
    "fixed_point_step",
    "log_likelihood",
    "natural_gradient_step",
    "negentropy_contrast",
    "rotation",
    "symmetric_decorrelation",
    "whiten",
]
