"""Kernels, and algorithms that need the data only through them.

The pure functions follow the chapter *Kernel methods*: the kernels, of vectors and of texts, the test for a valid one,
centring, features that come close to a kernel, distance and neighbours in feature space, one step of gradient descent
and one pass of the perceptron on the coefficients.
:class:`KernelGradientDescent` and :class:`KernelPerceptron` repeat these steps and keep the contract of scikit-learn.

Source: Aizerman, Braverman and Rozonoer (1964), Autom. Remote Control 25, 821-837; Schoelkopf and Smola (2002),
*Learning with Kernels*, chapters 1 and 2; Freund and Schapire (1999), Machine Learning 37, 277-296.
"""

from notes_lib.kernels.kernel_methods.approximate import nystroem_features, random_fourier_features
from notes_lib.kernels.kernel_methods.functions import (
    center_kernel,
    is_positive_semidefinite,
    kernel_diagonal,
    kernel_matrix,
    linear_kernel,
    matern_kernel,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
)
from notes_lib.kernels.kernel_methods.model import KernelGradientDescent, KernelPerceptron
from notes_lib.kernels.kernel_methods.steps import (
    GradientStep,
    Neighbors,
    PerceptronPass,
    gradient_step,
    kernel_distance,
    kernel_neighbors,
    perceptron_pass,
)
from notes_lib.kernels.kernel_methods.strings import spectrum_kernel, subsequence_kernel, subsequence_table

__all__ = [
    "GradientStep",
    "KernelGradientDescent",
    "KernelPerceptron",
    "Neighbors",
    "PerceptronPass",
    "center_kernel",
    "gradient_step",
    "is_positive_semidefinite",
    "kernel_diagonal",
    "kernel_distance",
    "kernel_matrix",
    "kernel_neighbors",
    "linear_kernel",
    "matern_kernel",
    "nystroem_features",
    "perceptron_pass",
    "polynomial_kernel",
    "random_fourier_features",
    "rbf_kernel",
    "sigmoid_kernel",
    "spectrum_kernel",
    "subsequence_kernel",
    "subsequence_table",
]
