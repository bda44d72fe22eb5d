"""A convolution and a pooling by their definitions, and how large they are: where deep learning begins."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_matrix


def output_size(n: int, kernel: int, stride: int = 1, padding: int = 0) -> int:
    """How many places a window has along an axis, :eq:`backpropagation-convolution-size`.

    Parameters
    ----------
    n, kernel, stride, padding : int
        Length of the axis, of the window, of a move, and zeros that are added at each end.

    Raises
    ------
    TypeError, ValueError
        If a length is less than 1, ``padding`` less than 0, or the window longer than the padded axis.

    Examples
    --------
    >>> output_size(28, 5), output_size(28, 3, stride=2, padding=1)
    (24, 14)
    """
    n, kernel = check_integer(n, "n"), check_integer(kernel, "kernel")
    stride, padding = check_integer(stride, "stride"), check_integer(padding, "padding", 0)
    if kernel > n + 2 * padding:
        raise ValueError(f"kernel must be at most n + 2 padding = {n + 2 * padding}, got {kernel}.")
    return (n + 2 * padding - kernel) // stride + 1  # backpropagation-convolution-size


def convolution_parameters(kernel: int, in_channels: int, out_channels: int) -> int:
    """Weights and biases of a layer with square windows, :eq:`backpropagation-convolution-count`.

    Raises
    ------
    TypeError, ValueError
        If a number is less than 1.

    Examples
    --------
    >>> convolution_parameters(3, 1, 8)
    80
    """
    k, m, o = (
        check_integer(value, name)
        for value, name in ((kernel, "kernel"), (in_channels, "in_channels"), (out_channels, "out_channels"))
    )
    return (k * k * m + 1) * o


def convolve(image: ArrayLike, kernel: ArrayLike, stride: int = 1, padding: int = 0, bias: float = 0.0) -> FloatArray:
    """Products of a small window of weights with every place of an image, :eq:`backpropagation-convolution`.

    As in all networks the window is not turned around: a mathematician calls it a cross-correlation.

    Parameters
    ----------
    image : (h, w) array
    kernel : (p, q) array
    stride, padding : int
    bias : float

    Returns
    -------
    array
        :func:`output_size` along each axis.

    Raises
    ------
    TypeError, ValueError
        If one is no matrix, or sizes do not fit.

    Notes
    -----
    Time O(output times p q).

    Examples
    --------
    >>> convolve([[1.0, 2.0, 4.0], [1.0, 2.0, 4.0]], [[-1.0, 1.0]])
    array([[1., 2.],
           [1., 2.]])
    """
    image, kernel = check_matrix(image, "image"), check_matrix(kernel, "kernel")
    for n, k in zip(image.shape, kernel.shape, strict=True):
        output_size(n, k, stride, padding)
    windows = sliding_window_view(np.pad(image, padding), kernel.shape)[::stride, ::stride]
    return np.einsum("ijpq,pq->ij", windows, kernel) + bias  # backpropagation-convolution


def max_pool(image: ArrayLike, size: int, stride: int | None = None) -> FloatArray:
    """Largest value of each square window; the stride is the size of the window unless it is given.

    Raises
    ------
    TypeError, ValueError
        If ``image`` is no matrix, or sizes do not fit.

    Examples
    --------
    >>> max_pool([[1.0, 5.0, 2.0, 0.0], [3.0, 4.0, 1.0, 9.0]], 2)
    array([[5., 9.]])
    """
    image = check_matrix(image, "image")
    stride = size if stride is None else stride
    for n in image.shape:
        output_size(n, size, stride)
    return sliding_window_view(image, (size, size))[::stride, ::stride].max(axis=(2, 3))
