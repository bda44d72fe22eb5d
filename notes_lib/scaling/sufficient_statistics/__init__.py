"""Sufficient statistics: estimators that see their data in chunks, on one machine or on a cluster.

A chunk is turned into a small summary (map), two summaries are merged into one (reduce), and the estimate is computed
from the last summary alone. The pure functions follow the chapter *Sufficient statistics at scale*; the estimators loop
over them, and hold one chunk at a time.

Source: Chan, Golub and LeVeque (1983), The American Statistician 37, 242-247; Chu et al. (2006), Map-Reduce for Machine
Learning on Multicore; Demmel, Grigori, Hoemmen and Langou (2012), SIAM J. Sci. Comput. 34, A206-A239.
"""

from notes_lib.scaling.sufficient_statistics.chunks import FileChunks, FilePart
from notes_lib.scaling.sufficient_statistics.clusters import (
    ClusterSums,
    MixtureMoments,
    add_cluster_sums,
    cluster_sums,
    merge_mixture_moments,
    mini_batch_step,
    mixture_moments,
    mixture_parameters,
)
from notes_lib.scaling.sufficient_statistics.engine import map_reduce, message_bytes
from notes_lib.scaling.sufficient_statistics.model import (
    ChunkedGaussianNB,
    ChunkedLinearDiscriminantAnalysis,
    ChunkedLinearRegression,
)
from notes_lib.scaling.sufficient_statistics.passes import ChunkedGaussianMixture, ChunkedKMeans
from notes_lib.scaling.sufficient_statistics.steps import (
    ClassMoments,
    Moments,
    RegressionSums,
    Triangle,
    add_sums,
    class_moments,
    merge_classes,
    merge_moments,
    merge_triangles,
    moments,
    pooled_moments,
    regression_sums,
    solve_sums,
    triangle_of,
)

__all__ = [
    "ChunkedGaussianMixture",
    "ChunkedGaussianNB",
    "ChunkedKMeans",
    "ChunkedLinearDiscriminantAnalysis",
    "ChunkedLinearRegression",
    "ClassMoments",
    "ClusterSums",
    "FileChunks",
    "FilePart",
    "MixtureMoments",
    "Moments",
    "RegressionSums",
    "Triangle",
    "add_cluster_sums",
    "add_sums",
    "class_moments",
    "cluster_sums",
    "map_reduce",
    "merge_classes",
    "merge_mixture_moments",
    "merge_moments",
    "merge_triangles",
    "message_bytes",
    "mini_batch_step",
    "mixture_moments",
    "mixture_parameters",
    "moments",
    "pooled_moments",
    "regression_sums",
    "solve_sums",
    "triangle_of",
]
