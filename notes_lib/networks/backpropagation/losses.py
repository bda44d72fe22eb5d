"""What outputs cost, and the derivative of the cost by the last pre-activations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_choice, check_matrix, check_real, check_shape
from notes_lib.networks.backpropagation.checks import LOSSES, OUT_ACTIVATIONS
from notes_lib.networks.backpropagation.steps import activation_slope, output_loss

MATCHES = {"identity": "squared_error", "logistic": "log_loss", "softmax": "log_loss"}


def output_delta(A: ArrayLike, Y: ArrayLike, out_activation: str = "identity", loss: str | None = None) -> FloatArray:
    """Derivative of the loss of each instance by the last pre-activations, :eq:`backpropagation-output-delta`.

    Parameters
    ----------
    A, Y : (n, K) arrays
        Outputs, and what they should be: numbers, 0 and 1, or rows that sum to 1.
    out_activation : {'identity', 'logistic', 'softmax', 'tanh', 'relu'}
    loss : {'squared_error', 'log_loss'}, optional
        Half the sum of squares, or minus the log-likelihood. None takes the one that matches the output, for which the
        derivative is ``A - Y``.

    Returns
    -------
    (n, K) array

    Raises
    ------
    TypeError, ValueError
        If shapes differ, or the loss has no derivative for this output here.

    Examples
    --------
    >>> output_delta([[0.75]], [[1.0]], "logistic"), output_delta([[0.75]], [[1.0]], "logistic", "squared_error")
    (array([[-0.25]]), array([[-0.046875]]))
    """
    A = check_matrix(A, "A")
    Y = check_shape(Y, "Y", A.shape)
    check_choice(out_activation, "out_activation", OUT_ACTIVATIONS)
    D = A - Y
    if loss is None:
        check_choice(out_activation, "out_activation without a loss", tuple(MATCHES))
        return D
    check_choice(loss, "loss", LOSSES)
    if MATCHES.get(out_activation) == loss:
        return D
    if loss == "log_loss" or out_activation == "softmax":
        raise ValueError(
            f"loss {loss!r} needs another out_activation than {out_activation!r}: take the one it matches."
        )
    return D * activation_slope(A, out_activation)


def network_loss(
    A: ArrayLike,
    Y: ArrayLike,
    coefs: Sequence[ArrayLike] = (),
    loss: str = "squared_error",
    alpha: float = 0.0,
) -> float:
    """Mean loss of outputs with its penalty, :eq:`backpropagation-loss`.

    Parameters
    ----------
    A, Y : (n, K) arrays
        Outputs, and what they should be. One column of a 'log_loss' holds the probability of 1.
    coefs : list of (m, k) arrays
        What is penalised.
    loss : {'squared_error', 'log_loss'}
        Half the squares, or minus the log-likelihood, summed over the outputs of an instance. Probabilities are kept
        2.2e-16 away from 0 and 1.
    alpha : float

    Raises
    ------
    TypeError, ValueError
        If shapes differ, the loss is not known or ``alpha`` is negative.

    Examples
    --------
    >>> network_loss([[0.5], [2.0]], [[1.0], [2.0]], [[[2.0]]], alpha=1.0)
    1.0625
    """
    A = check_matrix(A, "A")
    Y = check_shape(Y, "Y", A.shape)
    check_choice(loss, "loss", LOSSES)
    squares = sum(float(np.sum(np.square(W))) for W in coefs)
    return output_loss(A, Y, loss) + check_real(alpha, "alpha") * squares / (2 * len(A))
