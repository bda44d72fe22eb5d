"""Multilayer perceptrons and backpropagation.

The pure functions follow the derivation of the chapter *Backpropagation*: forward and backward through the layers, the
loss, the start from variances, dropout, counting, a staircase that approximates a function. Beside them stand an
automatic differentiation, :class:`Tensor`; momentum and :class:`Adam` for parameters in several arrays; a convolution
and a pooling by their definitions. :class:`MLPClassifier` and :class:`MLPRegressor` have the contract of scikit-learn.

Sources: Rumelhart, Hinton and Williams (1986), Nature 323, 533-536; I. Goodfellow, Y. Bengio and A. Courville (2016),
*Deep Learning*, chapters 6 to 9.
"""

from notes_lib.networks.backpropagation.automatic import Tensor
from notes_lib.networks.backpropagation.convolution import (
    convolution_parameters,
    convolve,
    max_pool,
    output_size,
)
from notes_lib.networks.backpropagation.losses import network_loss, output_delta
from notes_lib.networks.backpropagation.model import MLPClassifier, MLPRegressor
from notes_lib.networks.backpropagation.optimisers import SGD, Adam
from notes_lib.networks.backpropagation.steps import (
    Gradients,
    activate,
    activation_slope,
    backward,
    count_parameters,
    dropout_mask,
    forward,
    he_variance,
    initial_weights,
    layer_deltas,
    step_network,
    xavier_variance,
)

__all__ = [
    "SGD",
    "Adam",
    "Gradients",
    "MLPClassifier",
    "MLPRegressor",
    "Tensor",
    "activate",
    "activation_slope",
    "backward",
    "convolution_parameters",
    "convolve",
    "count_parameters",
    "dropout_mask",
    "forward",
    "he_variance",
    "initial_weights",
    "layer_deltas",
    "max_pool",
    "network_loss",
    "output_delta",
    "output_size",
    "step_network",
    "xavier_variance",
]
