"""Hierarchical clustering: trees of merges from the bottom up, trees of splits from the top down.

The step functions stand in the order of the derivation in the chapter *Hierarchical clustering*; :func:`linkage` merges
by the Lance-Williams formula, :func:`cophenet` reads distances off the tree, and the estimators cut it.

Sources: G. N. Lance and W. T. Williams (1967), *A general theory of classificatory sorting strategies*; J. H. Ward
(1963), *Hierarchical grouping to optimize an objective function*; D. Müllner (2011), *Modern hierarchical,
agglomerative clustering algorithms*; L. Kaufman and P. J. Rousseeuw (1990), *Finding Groups in Data*.
"""

from notes_lib.clustering.hierarchical_clustering.divisive import best_bipartition, bipartitions, bisect
from notes_lib.clustering.hierarchical_clustering.merging import linkage
from notes_lib.clustering.hierarchical_clustering.model import AgglomerativeClustering, DivisiveClustering
from notes_lib.clustering.hierarchical_clustering.steps import (
    METHODS,
    lance_williams,
    lance_williams_coefficients,
    linkage_distance,
    minimum_spanning_tree,
    plain_linkage,
    ward_increase,
)
from notes_lib.clustering.hierarchical_clustering.tree import (
    cophenet,
    cut_by_height,
    cut_by_number,
    leaf_order,
)

__all__ = [
    "METHODS",
    "AgglomerativeClustering",
    "DivisiveClustering",
    "best_bipartition",
    "bipartitions",
    "bisect",
    "cophenet",
    "cut_by_height",
    "cut_by_number",
    "lance_williams",
    "lance_williams_coefficients",
    "leaf_order",
    "linkage",
    "linkage_distance",
    "minimum_spanning_tree",
    "plain_linkage",
    "ward_increase",
]
