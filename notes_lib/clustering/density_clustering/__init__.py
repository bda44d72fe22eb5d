"""Density-based and spectral clustering: DBSCAN, graph Laplacians, cuts, and the spectral relaxation.

The step functions stand in the order of the derivation in the chapter *Density-based and spectral clustering*;
:class:`DBSCAN` and :class:`SpectralClustering` put them together, with the contract of scikit-learn.

Sources: M. Ester, H.-P. Kriegel, J. Sander and X. Xu (1996), *A density-based algorithm for discovering clusters*; J.
Shi and J. Malik (2000), *Normalized cuts and image segmentation*; A. Y. Ng, M. I. Jordan and Y. Weiss (2001), *On
spectral clustering: analysis and an algorithm*; U. von Luxburg (2007), *A tutorial on spectral clustering*.
"""

from notes_lib.clustering.density_clustering.cuts import cluster_volumes, cut_weights, normalized_cut, ratio_cut
from notes_lib.clustering.density_clustering.eigen import SpectralEmbedding, spectral_embedding
from notes_lib.clustering.density_clustering.graphs import degrees, laplacian, neighbor_affinity
from notes_lib.clustering.density_clustering.model import DBSCAN, SpectralClustering
from notes_lib.clustering.density_clustering.steps import (
    core_mask,
    density_labels,
    eps_neighbors,
    k_distances,
    normalize_rows,
    pivoted_labels,
)

__all__ = [
    "DBSCAN",
    "SpectralClustering",
    "SpectralEmbedding",
    "cluster_volumes",
    "core_mask",
    "cut_weights",
    "degrees",
    "density_labels",
    "eps_neighbors",
    "k_distances",
    "laplacian",
    "neighbor_affinity",
    "normalize_rows",
    "normalized_cut",
    "pivoted_labels",
    "ratio_cut",
    "spectral_embedding",
]
