"""The curse of dimensionality: volumes of balls, shells and caps, nearest samples, distances, effective dimensions.

The functions follow the derivation of the chapter *The curse of dimensionality*: where the volume of a ball lies, how
many samples fill it, how distances concentrate, and the two numbers that say whether it matters for the data at hand.

Source: Hastie, Tibshirani and Friedman (2009), section 2.5; Beyer et al. (1999), ICDT, 217-235; Facco et al. (2017),
Scientific Reports 7, 12140.
"""

from notes_lib.neighbors.curse_of_dimensionality.distances import (
    Contrast,
    IntrinsicDimension,
    distance_contrast,
    effective_dimension,
    intrinsic_dimension,
    relative_spread,
)
from notes_lib.neighbors.curse_of_dimensionality.volumes import (
    ball_volume,
    cap_bound,
    cap_fraction,
    edge_length,
    log_ball_volume,
    log_samples_needed,
    median_nearest_distance,
    shell_fraction,
    shell_thickness,
)

__all__ = [
    "Contrast",
    "IntrinsicDimension",
    "ball_volume",
    "cap_bound",
    "cap_fraction",
    "distance_contrast",
    "edge_length",
    "effective_dimension",
    "intrinsic_dimension",
    "log_ball_volume",
    "log_samples_needed",
    "median_nearest_distance",
    "relative_spread",
    "shell_fraction",
    "shell_thickness",
]
