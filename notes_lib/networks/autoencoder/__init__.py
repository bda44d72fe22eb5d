"""Autoencoders: networks that learn to repeat their input, and what they learn by it.

The pure functions follow the chapter *Autoencoders*: the linear one in closed form and PCA's axes from any of its
solutions, noise at the input, the price of activity, and the bound of the variational one. Forward and backward passes
are those of the chapter *Backpropagation*. :class:`Autoencoder` and :class:`VariationalAutoencoder` put them together.

Sources: Baldi and Hornik (1989); Vincent et al. (2010); Kingma and Welling (2014).
"""

from notes_lib.networks.autoencoder.joined import Pair, Part, code_gradient
from notes_lib.networks.autoencoder.linear import (
    LinearAutoencoder,
    LinearGradients,
    axes_of_decoder,
    best_decoder,
    denoising_factors,
    linear_autoencoder,
    linear_error,
    linear_gradients,
)
from notes_lib.networks.autoencoder.model import Autoencoder, Losses, autoencoder_gradients
from notes_lib.networks.autoencoder.steps import (
    corrupt,
    evidence_bound,
    kl_to_prior,
    log_noise_density,
    reparametrise,
    sparsity_gradient,
    sparsity_penalty,
)
from notes_lib.networks.autoencoder.variational import VariationalAutoencoder, bound_gradients

__all__ = [
    "Autoencoder",
    "LinearAutoencoder",
    "LinearGradients",
    "Losses",
    "Pair",
    "Part",
    "VariationalAutoencoder",
    "autoencoder_gradients",
    "axes_of_decoder",
    "best_decoder",
    "bound_gradients",
    "code_gradient",
    "corrupt",
    "denoising_factors",
    "evidence_bound",
    "kl_to_prior",
    "linear_autoencoder",
    "linear_error",
    "linear_gradients",
    "log_noise_density",
    "reparametrise",
    "sparsity_gradient",
    "sparsity_penalty",
]
