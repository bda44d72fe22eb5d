"""Two networks that meet in the code: the passes of the chapter on backpropagation, carried on through the middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, check_choice
from notes_lib.networks.backpropagation.checks import ACTIVATIONS, check_sizes
from notes_lib.networks.backpropagation.steps import Gradients, initial_weights, layer_deltas, propagate
from notes_lib.networks.backpropagation.training import Parameters


class Part(NamedTuple):
    """Weights and biases of the encoder or of the decoder, and what its last layer does."""

    coefs: list[FloatArray]
    intercepts: list[FloatArray]
    activation: str
    out_activation: str

    def run(self, X: FloatArray) -> list[FloatArray]:
        """Activations of all layers, the input first; :eq:`backpropagation-forward`."""
        return propagate(X, self.coefs, self.intercepts, self.activation, self.out_activation)


class Pair:
    """An encoder and a decoder whose weights and biases are views of one vector, and room for their gradients.

    Parameters
    ----------
    encoder, decoder : Part
        Their weights are copied.

    Attributes
    ----------
    encoder, decoder : Part
    theta, gradient : (P,) arrays
        All parameters, and derivatives by them.
    gradients : pair of Gradients
        Views of ``gradient``: those of the encoder and those of the decoder.
    """

    def __init__(self, encoder: Part, decoder: Part) -> None:
        k = len(encoder.coefs)
        all_of = Parameters([*encoder.coefs, *decoder.coefs], [*encoder.intercepts, *decoder.intercepts])
        self.theta, self.gradient = all_of.theta, np.empty_like(all_of.theta)
        W, b = all_of.coefs, all_of.intercepts
        self.encoder = encoder._replace(coefs=W[:k], intercepts=b[:k])
        self.decoder = decoder._replace(coefs=W[k:], intercepts=b[k:])
        G, g = all_of.views(self.gradient)
        self.gradients = Gradients(G[:k], g[:k]), Gradients(G[k:], g[k:])


def start(sizes: Sequence[int], rng: np.random.RandomState, activation: str, out_activation: str) -> Part:
    """A part with the random weights of the chapter on backpropagation."""
    return Part(*initial_weights(sizes, rng, activation), activation, out_activation)


def code_gradient(part: Part, layers: Sequence[FloatArray], delta: FloatArray) -> FloatArray:
    """Derivative (n, k) of each row's loss by what went into a part; :eq:`autoencoder-chain`.

    Parameters
    ----------
    part : Part
        The decoder.
    layers : list of arrays
        Its activations, the codes first.
    delta : (n, d) array
        Derivative of the loss by the reconstruction.

    Notes
    -----
    O(n P) time for P weights.

    Examples
    --------
    >>> decoder = Part([np.array([[2.0, 3.0]])], [np.zeros(2)], "tanh", "identity")
    >>> code_gradient(decoder, decoder.run(np.array([[1.0]])), np.array([[1.0, 10.0]]))
    array([[32.]])
    """
    return layer_deltas(layers, delta, part.coefs, part.activation)[0] @ part.coefs[0].T


def hidden_sizes(sizes: object) -> list[int]:
    """Widths of hidden layers from an integer or a sequence; none are allowed.

    Raises
    ------
    TypeError, ValueError
        If a width is no integer, or less than 1.
    """
    widths = list(sizes) if np.iterable(sizes) and not isinstance(sizes, str) else [sizes]
    return check_sizes(widths, "hidden_layer_sizes", least=0)


def check_activation(name: str, value: object, more: tuple[str, ...] = ()) -> None:
    """Raise ``ValueError`` for an activation that is not known, naming the parameter."""
    check_choice(value, name, (*ACTIVATIONS, *more))
