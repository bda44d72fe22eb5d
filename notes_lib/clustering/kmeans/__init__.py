"""k-means: Lloyd's algorithm, its initialisations, the silhouette, and k-medoids.

The step functions stand in the order of the derivation in the chapter *k-means*; :class:`KMeans` repeats them from one
or several starts.

Sources: S. P. Lloyd (1982), *Least squares quantization in PCM*; D. Arthur and S. Vassilvitskii (2007), *k-means++: the
advantages of careful seeding*; P. J. Rousseeuw (1987), *Silhouettes*; L. Kaufman and P. J. Rousseeuw
(1990), *Finding Groups in Data*.
"""

from notes_lib.clustering.kmeans.medoids import MedoidRun, assign_to_medoids, k_medoids, update_medoids
from notes_lib.clustering.kmeans.model import KMeans
from notes_lib.clustering.kmeans.seeding import dsquared_probabilities, initial_centers, kmeans_plusplus, sample_index
from notes_lib.clustering.kmeans.silhouette import silhouette_samples, silhouette_score
from notes_lib.clustering.kmeans.steps import LloydRun, assign, inertia, lloyd, reseed_empty, update_centers

__all__ = [
    "KMeans",
    "LloydRun",
    "MedoidRun",
    "assign",
    "assign_to_medoids",
    "dsquared_probabilities",
    "inertia",
    "initial_centers",
    "k_medoids",
    "kmeans_plusplus",
    "lloyd",
    "reseed_empty",
    "sample_index",
    "silhouette_samples",
    "silhouette_score",
    "update_centers",
    "update_medoids",
]
