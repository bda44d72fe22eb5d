"""Kernel PCA: principal components of features that are never written down.

The pure functions follow the chapter *Kernel PCA*: the leading eigenvectors of the centred kernel matrix, their
coefficients of length one in feature space, the scores of new rows, what a reconstruction loses, and the search for a
point with given features. :class:`KernelPCA` keeps the contract of scikit-learn. Kernels and centring are those of the
chapter *Kernel methods*.

Source: Schoelkopf, Smola and Mueller (1998), Neural Computation 10, 1299-1319; Mika et al. (1999), Advances in Neural
Information Processing Systems 11, 536-542 (pre-images).
"""

from notes_lib.reduction.kernel_pca.eigen import Eigenpairs, leading_eigenpairs
from notes_lib.reduction.kernel_pca.model import KernelPCA
from notes_lib.reduction.kernel_pca.steps import (
    Preimages,
    kernel_scores,
    normalized_coefficients,
    preimage_step,
    preimage_weights,
    rbf_preimages,
    reconstruction_error,
)

__all__ = [
    "Eigenpairs",
    "KernelPCA",
    "Preimages",
    "kernel_scores",
    "leading_eigenpairs",
    "normalized_coefficients",
    "preimage_step",
    "preimage_weights",
    "rbf_preimages",
    "reconstruction_error",
]
