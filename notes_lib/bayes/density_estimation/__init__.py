"""Density estimation without a parametric form: counts in a region, fixed or grown until it holds enough.

Histogram, kernel (Parzen) and k-nearest-neighbour density, the bandwidth that minimises the asymptotic mean integrated
squared error, its rule of thumb, and two criteria of cross-validation. The functions follow the derivation of the
chapter *Density estimation*; the estimators put them together and keep the contract of scikit-learn.

Source: Parzen (1962), Ann. Math. Statist. 33, 1065-1076; Silverman (1986), *Density Estimation for Statistics and Data
Analysis*; Bishop (2006), section 2.5.
"""

from notes_lib.bayes.density_estimation.bandwidth import (
    amise,
    amise_bandwidth,
    gaussian_curvature,
    least_squares_cv,
    likelihood_cv,
    silverman_bandwidth,
)
from notes_lib.bayes.density_estimation.classifier import DensityClassifier
from notes_lib.bayes.density_estimation.model import HistogramDensity, KernelDensity, KNeighborsDensity
from notes_lib.bayes.density_estimation.steps import (
    CountDensity,
    count_density,
    kernel_log_density,
    knn_log_density,
)
from notes_lib.bayes.density_estimation.windows import KernelConstants, kernel_constants, smoothing_kernel

__all__ = [
    "CountDensity",
    "DensityClassifier",
    "HistogramDensity",
    "KNeighborsDensity",
    "KernelConstants",
    "KernelDensity",
    "amise",
    "amise_bandwidth",
    "count_density",
    "gaussian_curvature",
    "kernel_constants",
    "kernel_log_density",
    "knn_log_density",
    "least_squares_cv",
    "likelihood_cv",
    "silverman_bandwidth",
    "smoothing_kernel",
]
