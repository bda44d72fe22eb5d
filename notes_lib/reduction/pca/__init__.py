"""Principal component analysis: the few directions along which rows of numbers differ most.

The pure functions follow the chapter *Principal component analysis*: mean and covariance, the axes by eigenvectors, by
a singular value decomposition or by the Gram matrix, what is lost when a row is rebuilt from a few scores, the
probabilistic model and its likelihood, the Karhunen-Loeve expansion with an autocorrelation matrix, loadings, and how
many components to keep. :class:`PCA` puts them together and keeps the contract of scikit-learn.

Sources: Pearson (1901); Hotelling (1933); Tipping and Bishop (1999); Jolliffe (2002).
"""

from notes_lib.reduction.pca.choice import (
    ParallelAnalysis,
    bootstrap_components,
    components_for_share,
    held_out_errors,
    parallel_analysis,
)
from notes_lib.reduction.pca.karhunen_loeve import autocorrelation, karhunen_loeve
from notes_lib.reduction.pca.model import PCA
from notes_lib.reduction.pca.probabilistic import ProbabilisticPCA, probabilistic_pca
from notes_lib.reduction.pca.steps import (
    Axes,
    gram_axes,
    loadings,
    mean_and_covariance,
    principal_axes,
    reconstruct,
    reconstruction_error,
    svd_axes,
)

__all__ = [
    "PCA",
    "Axes",
    "ParallelAnalysis",
    "ProbabilisticPCA",
    "autocorrelation",
    "bootstrap_components",
    "components_for_share",
    "gram_axes",
    "held_out_errors",
    "karhunen_loeve",
    "loadings",
    "mean_and_covariance",
    "parallel_analysis",
    "principal_axes",
    "probabilistic_pca",
    "reconstruct",
    "reconstruction_error",
    "svd_axes",
]
