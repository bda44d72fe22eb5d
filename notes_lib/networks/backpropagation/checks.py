"""What input a network accepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_choice, check_integer, check_matrix, check_real, check_vector

ACTIVATIONS = ("identity", "logistic", "tanh", "relu")
OUT_ACTIVATIONS = ("identity", "logistic", "softmax", "tanh", "relu")
LOSSES = ("squared_error", "log_loss")


def check_sizes(sizes: Iterable[Any], name: str = "sizes", least: int = 2) -> list[int]:
    """Widths of layers as a list of integers, each at least 1.

    Raises
    ------
    TypeError, ValueError
        If there are fewer than ``least`` layers, or a width is no integer or less than 1.
    """
    widths = list(sizes)
    if len(widths) < least:
        raise ValueError(f"{name} must name at least {least} layers, got {widths}.")
    return [check_integer(width, f"{name}[{k}]") for k, width in enumerate(widths)]


def check_layers(
    coefs: Sequence[ArrayLike], intercepts: Sequence[ArrayLike], n_inputs: int | None = None
) -> tuple[list[FloatArray], list[FloatArray]]:
    """Weights and biases as lists of arrays whose shapes follow each other.

    Raises
    ------
    TypeError, ValueError
        If there is no layer, the lists differ in length, an entry is not finite, or two neighbours do not fit.
    """
    W = [check_matrix(w, f"coefs[{k}]") for k, w in enumerate(coefs)]
    if not W or len(W) != len(intercepts):
        raise ValueError(f"coefs and intercepts must hold one entry a layer, got {len(W)} and {len(intercepts)}.")
    b = [check_vector(v, f"intercepts[{k}]", w.shape[1]) for k, (v, w) in enumerate(zip(intercepts, W, strict=True))]
    width = W[0].shape[0] if n_inputs is None else n_inputs
    for k, w in enumerate(W):
        if w.shape[0] != width:
            raise ValueError(f"coefs[{k}] must have {width} rows, one for each unit before it, got shape {w.shape}.")
        width = w.shape[1]
    return W, b


def check_share(value: Any, name: str) -> float:
    """A number from 0 to below 1.

    Raises
    ------
    TypeError, ValueError
        If it is none.
    """
    if check_real(value, name) >= 1:
        raise ValueError(f"{name} must be at least 0 and less than 1, got {value}.")
    return float(value)


def check_activation(name: Any) -> None:
    """Raise ``ValueError`` for an activation of hidden units that is not known."""
    check_choice(name, "activation", ACTIVATIONS)
