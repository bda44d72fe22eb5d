"""Manifold learning: scaling of distances, Isomap, locally linear embedding, Laplacian eigenmaps and t-SNE."""

from notes_lib.reduction.manifold_learning.model import MDS, Isomap, LocallyLinearEmbedding
from notes_lib.reduction.manifold_learning.neighbourhoods import (
    alignment_matrix,
    barycenter_weights,
    connect_parts,
    geodesic_distances,
    laplacian_eigenmap,
    local_weights,
    neighbor_graph,
    trustworthiness,
)
from notes_lib.reduction.manifold_learning.steps import (
    Scaling,
    classical_scaling,
    double_centring,
    guttman_transform,
    place_new_points,
    stress,
    swiss_roll,
)
from notes_lib.reduction.manifold_learning.tsne import (
    TSNE,
    conditional_affinities,
    joint_affinities,
    kl_divergence,
    kl_gradient,
    student_affinities,
)

__all__ = [
    "MDS",
    "TSNE",
    "Isomap",
    "LocallyLinearEmbedding",
    "Scaling",
    "alignment_matrix",
    "barycenter_weights",
    "classical_scaling",
    "conditional_affinities",
    "connect_parts",
    "double_centring",
    "geodesic_distances",
    "guttman_transform",
    "joint_affinities",
    "kl_divergence",
    "kl_gradient",
    "laplacian_eigenmap",
    "local_weights",
    "neighbor_graph",
    "place_new_points",
    "stress",
    "student_affinities",
    "swiss_roll",
    "trustworthiness",
]
