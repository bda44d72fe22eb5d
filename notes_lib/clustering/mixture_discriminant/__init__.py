"""Classes that are made of clusters: a Gaussian mixture for each class, and clusters put to use.

The pure functions follow the chapter *Mixture discriminant analysis*: the density of a class, the posterior of classes
and of their components, the number of components, cluster labels as features, and what sets a segment apart.
:class:`MixtureDiscriminantAnalysis` and :class:`ClusterFeatures` have the contract of scikit-learn. EM is that of
:mod:`notes_lib.clustering.gmm`, run on the rows of one class at a time.

Source: Hastie and Tibshirani (1996), J. R. Stat. Soc. B 58, 155-176, whose components share one covariance matrix;
Hennig (2007), Comput. Stat. Data Anal. 52, 258-271, for the stability of clusters.
"""

from notes_lib.clustering.mixture_discriminant.features import ClusterFeatures, local_features
from notes_lib.clustering.mixture_discriminant.model import (
    ComponentChoice,
    MixtureDiscriminantAnalysis,
    choose_components,
)
from notes_lib.clustering.mixture_discriminant.segments import (
    SegmentProfile,
    segment_matches,
    segment_names,
    segment_profile,
    segment_stability,
)
from notes_lib.clustering.mixture_discriminant.steps import (
    class_log_densities,
    class_log_joint,
    class_posterior,
    component_posterior,
    mda_parameters,
)

__all__ = [
    "ClusterFeatures",
    "ComponentChoice",
    "MixtureDiscriminantAnalysis",
    "SegmentProfile",
    "choose_components",
    "class_log_densities",
    "class_log_joint",
    "class_posterior",
    "component_posterior",
    "local_features",
    "mda_parameters",
    "segment_matches",
    "segment_names",
    "segment_profile",
    "segment_stability",
]
