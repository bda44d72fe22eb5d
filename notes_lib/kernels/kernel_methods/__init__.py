"""Kernels, and algorithms that need the data only through them.

The pure functions follow the chapter *Kernel methods*: the kernels, the test for a valid one, centring, distance and
neighbours in feature space, one step of gradient descent and one pass of the perceptron on the coefficients.
:class:`KernelGradientDescent` and :class:`KernelPerceptron` repeat these steps and keep the contract of scikit-learn.

Source: Aizerman, Braverman and Rozonoer (1964), Autom. Remote Control 25, 821-837; Schoelkopf and Smola (2002),
*Learning with Kernels*, chapters 1 and 2; Freund and Schapire (1999), Machine Learning 37, 277-296.
"""

from notes_lib.kernels.kernel_methods.functions import (
    center_kernel,
    is_positive_semidefinite,
    kernel_diagonal,
    kernel_matrix,
    linear_kernel,
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
    "perceptron_pass",
    "polynomial_kernel",
    "rbf_kernel",
    "sigmoid_kernel",
]
