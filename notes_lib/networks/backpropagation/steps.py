"""The functions of the derivation: forward and backward through the layers, the start, counting.

Instances are rows. Layer ``l`` maps (n, m) to (n, k) by weights (m, k) and biases (k,), as ``coefs_`` and
``intercepts_`` of scikit-learn do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from notes_lib.checks import (
    FloatArray,
    check_choice,
    check_integer,
    check_matrix,
    check_number,
    check_real,
    check_shape,
)
from notes_lib.networks.backpropagation.checks import (
    OUT_ACTIVATIONS,
    check_activation,
    check_layers,
    check_share,
    check_sizes,
)
from notes_lib.numerics import RandomState, check_rng

Masks = Sequence[FloatArray | None]
EPS = float(np.finfo(float).eps)  # probabilities are kept that far from 0 and 1 in a logarithm


class Gradients(NamedTuple):
    """Derivatives of the loss: ``coefs``, one (m, k) for each layer, and ``intercepts``, one (k,)."""

    coefs: list[FloatArray]
    intercepts: list[FloatArray]


# ----------------------------------------------------------------------------------------------------------- one layer


def activate(Z: ArrayLike, activation: str = "relu", out: FloatArray | None = None) -> FloatArray:
    """Activations of pre-activations (n, k), :eq:`backpropagation-activations`, softmax along the rows.

    Parameters
    ----------
    Z : (n, k) array
    activation : {'identity', 'logistic', 'tanh', 'relu', 'softmax'}
    out : array like ``Z``, optional
        Where to write; may be ``Z`` itself.

    Raises
    ------
    ValueError
        For another activation.

    Examples
    --------
    >>> activate([[-1.0, 0.0, 2.0]], "relu")
    array([[0., 0., 2.]])
    """
    check_choice(activation, "activation", OUT_ACTIVATIONS)
    Z = np.asarray(Z, dtype=float)
    if activation == "relu":
        return np.maximum(Z, 0.0, out=out)
    if activation == "tanh":
        return np.tanh(Z, out=out)
    if activation == "logistic":
        return np.asarray(expit(Z, out=out))
    if activation == "identity":
        out = np.empty_like(Z) if out is None else out
        out[...] = Z
        return out
    P = np.subtract(Z, Z.max(axis=-1, keepdims=True), out=out)
    np.exp(P, out=P)
    P /= (P @ np.ones(P.shape[-1]))[..., None]
    return P


def activation_slope(A: ArrayLike, activation: str = "relu") -> FloatArray:
    """Derivative of the activation from its own value, :eq:`backpropagation-slopes`.

    Parameters
    ----------
    A : array
        Activations, not pre-activations. The slope of 'relu' at 0 is taken to be 0.
    activation : {'identity', 'logistic', 'tanh', 'relu'}

    Raises
    ------
    ValueError
        For another activation.

    Examples
    --------
    >>> activation_slope([[0.0, 0.5]], "logistic")
    array([[0.  , 0.25]])
    """
    check_activation(activation)
    A = np.asarray(A, dtype=float)
    if activation == "relu":
        return (A > 0).astype(float)
    if activation == "tanh":
        return 1 - A * A
    return A * (1 - A) if activation == "logistic" else np.ones_like(A)


def _times_slope(D: FloatArray, A: FloatArray, activation: str) -> None:
    """Multiply D by the slope, in place."""
    if activation == "relu":
        D *= A > 0
    elif activation == "tanh":
        slope = A * A
        D *= np.subtract(1.0, slope, out=slope)
    elif activation == "logistic":
        slope = np.subtract(1.0, A)
        slope *= A
        D *= slope


# ---------------------------------------------------------------------------------------------------- forward, backward


def forward(
    X: ArrayLike,
    coefs: Sequence[ArrayLike],
    intercepts: Sequence[ArrayLike],
    activation: str = "relu",
    out_activation: str = "identity",
    masks: Masks | None = None,
) -> list[FloatArray]:
    """Activations of all layers, :eq:`backpropagation-forward`.

    Parameters
    ----------
    X : (n, d) array
    coefs : list of (m, k) arrays
        Weights, the first with d rows.
    intercepts : list of (k,) arrays
    activation : {'identity', 'logistic', 'tanh', 'relu'}
        Of the hidden layers.
    out_activation : {'identity', 'logistic', 'softmax', 'tanh', 'relu'}
        Of the last layer.
    masks : list, optional
        For each layer before the last one an (n, m) array, by which its activations are multiplied on their way into
        the next layer, or None; see :func:`dropout_mask`. The list that is returned holds them without it.

    Returns
    -------
    list of arrays
        ``X`` itself, then one (n, k) for each layer.

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, an entry is not finite, or an activation is not known.

    Notes
    -----
    O(n P) time for P weights, O(n units) memory. Source: Rumelhart, Hinton and Williams (1986).

    Examples
    --------
    >>> A = forward([[1.0, 2.0]], [[[1.0, -1.0], [1.0, 0.0]], [[2.0], [1.0]]], [[0.0, 0.0], [0.5]])
    >>> A[1], A[2]
    (array([[3., 0.]]), array([[6.5]]))
    """
    X = check_matrix(X, "X")
    check_activation(activation)
    check_choice(out_activation, "out_activation", OUT_ACTIVATIONS)
    W, b = check_layers(coefs, intercepts, X.shape[1])
    return propagate(X, W, b, activation, out_activation, masks)


def propagate(
    X: FloatArray,
    coefs: Sequence[FloatArray],
    intercepts: Sequence[FloatArray],
    activation: str,
    out_activation: str,
    masks: Masks | None = None,
) -> list[FloatArray]:
    """:func:`forward` without a look at its arguments."""
    layers, last = [X], len(coefs) - 1
    for k, (W, b) in enumerate(zip(coefs, intercepts, strict=True)):
        Z = masked(layers[k], masks, k) @ W  # (n, k)
        Z += b  # backpropagation-forward
        layers.append(activate(Z, out_activation if k == last else activation, out=Z))
    return layers


def masked(A: FloatArray, masks: Masks | None, k: int) -> FloatArray:
    """Activations of layer k as they enter the next one."""
    mask = masks[k] if masks is not None else None
    return A if mask is None else A * mask


def layer_deltas(
    activations: Sequence[FloatArray],
    delta: FloatArray,
    coefs: Sequence[FloatArray],
    activation: str = "relu",
    masks: Masks | None = None,
) -> list[FloatArray]:
    """Derivatives of the loss by the pre-activations of all layers, from the last, :eq:`backpropagation-delta`.

    Parameters
    ----------
    activations : list of arrays
        From :func:`forward`.
    delta : (n, K) array
        Of the last layer, from :func:`output_delta`.
    coefs : list of (m, k) arrays
    activation : {'identity', 'logistic', 'tanh', 'relu'}
    masks : list, optional
        Those of the forward pass.

    Returns
    -------
    list of arrays
        One (n, k) for each layer, the first layer first. The derivative by the inputs is the first of them times the
        transposed first weights.

    Raises
    ------
    ValueError
        If the number of layers, or the shape of ``delta``, does not fit.

    Examples
    --------
    >>> W = [np.array([[1.0, -1.0]]), np.array([[2.0], [3.0]])]
    >>> A = forward([[1.0]], W, [[0.0, 0.0], [0.0]])
    >>> layer_deltas(A, np.array([[0.5]]), W)[0]
    array([[1., 0.]])
    """
    if len(activations) != len(coefs) + 1 or np.shape(delta) != activations[-1].shape:
        raise ValueError(
            f"activations must hold the inputs and {len(coefs)} layers, and delta be like the last of them, got "
            f"{len(activations)} arrays and shape {np.shape(delta)}."
        )
    deltas = [np.asarray(delta, dtype=float)]
    for k in range(len(coefs) - 1, 0, -1):
        D = deltas[0] @ np.asarray(coefs[k]).T  # (n, m)
        mask = masks[k] if masks is not None else None
        if mask is not None:
            D *= mask
        _times_slope(D, activations[k], activation)  # backpropagation-delta
        deltas.insert(0, D)
    return deltas


def backward(
    activations: Sequence[FloatArray],
    delta: FloatArray,
    coefs: Sequence[FloatArray],
    activation: str = "relu",
    alpha: float = 0.0,
    masks: Masks | None = None,
    out: Gradients | None = None,
) -> Gradients:
    """Gradients of the mean loss with its penalty, :eq:`backpropagation-weight-gradient`, by one pass backwards.

    Parameters
    ----------
    activations : list of arrays
        From :func:`forward`.
    delta : (n, K) array
        From :func:`~notes_lib.networks.backpropagation.output_delta`: not yet divided by n.
    coefs : list of (m, k) arrays
    activation : {'identity', 'logistic', 'tanh', 'relu'}
        Of the hidden layers.
    alpha : float
        Weight of the penalty ``alpha / (2 n)`` times the sum of the squared weights; biases are not penalised.
    masks : list, optional
        Those of the forward pass.
    out : Gradients, optional
        Arrays to write into.

    Returns
    -------
    Gradients
        ``coefs`` and ``intercepts``, shaped like the parameters.

    Raises
    ------
    ValueError
        If shapes do not fit, an activation is not known or ``alpha`` is negative.

    Notes
    -----
    O(n P) time for P weights, about twice the forward pass.

    Examples
    --------
    >>> W = [np.array([[1.0, -1.0]]), np.array([[2.0], [3.0]])]
    >>> A = forward([[1.0]], W, [[0.0, 0.0], [0.0]])
    >>> gradients = backward(A, A[-1] - [[1.5]], W)
    >>> gradients.coefs[0], gradients.intercepts[1]
    (array([[1., 0.]]), array([0.5]))
    """
    check_activation(activation)
    n, alpha = len(activations[0]), check_real(alpha, "alpha")
    deltas = layer_deltas(activations, delta, coefs, activation, masks)
    if out is None:
        out = Gradients([np.empty(np.shape(W)) for W in coefs], [np.empty(D.shape[1]) for D in deltas])
    share = np.full(n, 1 / n)
    for k, D in enumerate(deltas):
        G, g = out.coefs[k], out.intercepts[k]
        np.matmul(masked(activations[k], masks, k).T, D, out=G)  # backpropagation-weight-gradient
        if alpha:
            G += alpha * coefs[k]
        G /= n
        np.dot(share, D, out=g)  # backpropagation-bias-gradient
    return out


def output_loss(A: FloatArray, Y: FloatArray, loss: str) -> float:
    """Mean loss of outputs, :func:`~notes_lib.networks.backpropagation.network_loss` without a penalty."""
    if loss == "squared_error":
        D = (A - Y).ravel()
        return float(D @ D) / (2 * len(A))
    P = np.maximum(A, EPS)
    np.minimum(P, 1 - EPS, out=P)
    entropy = np.vdot(Y, np.log(P))
    if A.shape[1] == 1:
        entropy += np.vdot(1 - Y, np.log(1 - P))
    return -float(entropy) / len(A)


# ---------------------------------------------------------------------------------------------------------- the start


def xavier_variance(n_in: int, n_out: int) -> float:
    """Variance of weights that keeps activations and gradients alike on average, :eq:`backpropagation-xavier`.

    Examples
    --------
    >>> xavier_variance(30, 20)
    0.04
    """
    return 2.0 / (check_integer(n_in, "n_in") + check_integer(n_out, "n_out"))


def he_variance(n_in: int) -> float:
    """Variance of weights behind rectified units, half of which are silent, :eq:`backpropagation-he`.

    Examples
    --------
    >>> he_variance(50)
    0.04
    """
    return 2.0 / check_integer(n_in, "n_in")


def initial_weights(
    sizes: Iterable[int], rng: RandomState = None, activation: str = "relu"
) -> tuple[list[FloatArray], list[FloatArray]]:
    """Uniform weights and biases of all layers, :eq:`backpropagation-uniform`.

    Parameters
    ----------
    sizes : sequence of int
        Widths of all layers, inputs and outputs included.
    rng : int, Generator, RandomState or None
        An int starts the old generator of NumPy, so that the weights are those of scikit-learn.
    activation : {'identity', 'logistic', 'tanh', 'relu'}
        The limit is the root of 6 / (n_in + n_out), for 'logistic' of 2 / (n_in + n_out).

    Returns
    -------
    coefs, intercepts : lists of (m, k) and of (k,) arrays

    Raises
    ------
    TypeError, ValueError
        If there are fewer than two layers, a width is less than 1, or the activation is not known.

    Examples
    --------
    >>> coefs, intercepts = initial_weights([2, 3, 1], 0)
    >>> [W.shape for W in coefs], [b.shape for b in intercepts]
    ([(2, 3), (3, 1)], [(3,), (1,)])
    >>> coefs[1].ravel().round(4)
    array([-0.2855,  0.7146,  0.0708])
    """
    widths = check_sizes(sizes)
    check_activation(activation)
    rng = generator(rng)
    coefs: list[FloatArray] = []
    intercepts: list[FloatArray] = []
    for m, k in pairwise(widths):
        limit = np.sqrt((2.0 if activation == "logistic" else 6.0) / (m + k))  # backpropagation-uniform
        coefs.append(rng.uniform(-limit, limit, (m, k)))
        intercepts.append(rng.uniform(-limit, limit, k))
    return coefs, intercepts


def generator(random_state: RandomState) -> np.random.RandomState:
    """The old generator of NumPy, whose draws are those of scikit-learn; it shares the stream of a Generator.

    Raises
    ------
    TypeError, ValueError
        As :func:`notes_lib.numerics.check_rng`.
    """
    if isinstance(random_state, np.random.RandomState):
        return random_state
    rng = check_rng(random_state)
    if isinstance(random_state, np.random.Generator) or random_state is None:
        return np.random.RandomState(rng.bit_generator)
    return np.random.RandomState(random_state)


def dropout_mask(rng: RandomState, shape: tuple[int, ...], rate: float) -> FloatArray:
    """Zeros with probability ``rate``, else 1 / (1 - rate): their mean is 1, :eq:`backpropagation-dropout`.

    Raises
    ------
    TypeError, ValueError
        If ``rate`` is not from 0 to below 1.

    Examples
    --------
    >>> mask = dropout_mask(0, (1000,), 0.2)
    >>> sorted(set(mask.tolist())), bool(abs(mask.mean() - 1) < 0.05)
    ([0.0, 1.25], True)
    """
    keep = 1 - check_share(rate, "rate")
    return (generator(rng).uniform(size=shape) < keep) / keep


# ------------------------------------------------------------------------------------------------ counting, a staircase


def count_parameters(sizes: Iterable[int]) -> int:
    """Number of weights and biases, :eq:`backpropagation-count`.

    Raises
    ------
    TypeError, ValueError
        If there are fewer than two layers, or a width is less than 1.

    Examples
    --------
    >>> count_parameters([64, 32, 10])
    2410
    """
    widths = check_sizes(sizes)
    return sum((m + 1) * k for m, k in pairwise(widths))


def step_network(x: ArrayLike, values: ArrayLike, steepness: float) -> tuple[list[FloatArray], list[FloatArray]]:
    """A network that climbs from value to value by steep logistic steps, :eq:`backpropagation-steps`.

    Parameters
    ----------
    x : (m,) array
        Increasing places, at least two.
    values : (m,) array
        What the network says between the middles beside each place.
    steepness : float

    Returns
    -------
    coefs, intercepts
        Of one hidden layer of m - 1 logistic units and one output 'identity'.

    Raises
    ------
    TypeError, ValueError
        If the places do not increase or shapes differ.

    Examples
    --------
    >>> W, b = step_network([0.0, 1.0, 2.0], [5.0, 7.0, 6.0], 1000.0)
    >>> forward([[0.2], [1.2], [1.9]], W, b, "logistic")[-1].ravel().round(6)
    array([5., 7., 6.])
    """
    x = check_shape(x, "x", (None,))
    f = check_shape(values, "values", x.shape)
    if len(x) < 2 or (np.diff(x) <= 0).any():
        raise ValueError("x must hold at least two places in increasing order.")
    kappa = check_number(steepness, "steepness")
    middles = (x[1:] + x[:-1]) / 2
    coefs = [np.full((1, len(middles)), kappa), np.diff(f)[:, None]]
    return coefs, [-kappa * middles, f[:1].copy()]  # backpropagation-steps
