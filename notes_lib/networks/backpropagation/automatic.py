"""Automatic differentiation in reverse: a number that remembers how it was made.

Each operation on a :class:`Tensor` notes its operands and how a derivative by the result becomes one by each operand.
:meth:`Tensor.backward` walks this record from the end to the beginning, which is the chain rule: backpropagation
without a formula for a layer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_numbers

Rule = Callable[[FloatArray], FloatArray]


class Tensor:
    """An array with its derivative.

    Parameters
    ----------
    value : array
    parents : tuple of (Tensor, function)
        Operands; the function turns the derivative by this array into that by the operand.

    Attributes
    ----------
    value : array
    gradient : array
        After :meth:`backward` the derivative of its result by this array.

    Notes
    -----
    Time and memory of :meth:`backward` are a small multiple of those of the computation. Source: Linnainmaa (1976).

    Raises
    ------
    TypeError, ValueError
        If ``value`` holds no finite numbers.

    Examples
    --------
    >>> x = Tensor([3.0])
    >>> (x * x + x).sum().backward()
    >>> x.gradient
    array([7.])
    """

    def __init__(self, value: ArrayLike, parents: tuple[tuple[Tensor, Rule], ...] = ()) -> None:
        self.value = check_numbers(value, "value")
        self.parents = parents
        self.gradient = np.zeros_like(self.value)

    def __add__(self, other: Tensor | ArrayLike) -> Tensor:
        other = _tensor(other)
        return Tensor(self.value + other.value, ((self, lambda d: d), (other, lambda d: d)))

    def __mul__(self, other: Tensor | ArrayLike) -> Tensor:
        other = _tensor(other)
        return Tensor(self.value * other.value, ((self, lambda d: d * other.value), (other, lambda d: d * self.value)))

    def __matmul__(self, other: Tensor) -> Tensor:
        return Tensor(
            self.value @ other.value,
            ((self, lambda d: d @ other.value.T), (other, lambda d: self.value.T @ d)),
        )

    def tanh(self) -> Tensor:
        """Hyperbolic tangent of each entry."""
        t = np.tanh(self.value)
        return Tensor(t, ((self, lambda d: d * (1 - t * t)),))

    def relu(self) -> Tensor:
        """Positive part of each entry."""
        return Tensor(np.maximum(self.value, 0.0), ((self, lambda d: d * (self.value > 0)),))

    def exp(self) -> Tensor:
        """Exponential of each entry."""
        e = np.exp(self.value)
        return Tensor(e, ((self, lambda d: d * e),))

    def log(self) -> Tensor:
        """Logarithm of each entry."""
        return Tensor(np.log(self.value), ((self, lambda d: d / self.value),))

    def sum(self, axis: int | None = None) -> Tensor:
        """Sum of all entries, or along an axis, which stays with length 1."""
        total = np.sum(self.value, axis=axis, keepdims=axis is not None)
        return Tensor(total, ((self, lambda d: np.broadcast_to(d, self.value.shape)),))

    def backward(self) -> None:
        """Derivatives of this single number by everything that it was made of, into their ``gradient``.

        Raises
        ------
        ValueError
            If it is not a single number.
        """
        if self.value.size != 1:
            raise ValueError(f"backward starts from a single number, got shape {self.value.shape}: take its sum.")
        order = self._order()
        for node in order:
            node.gradient = np.zeros_like(node.value)
        self.gradient = np.ones_like(self.value)
        for node in reversed(order):  # from the result to what it was made of
            for parent, rule in node.parents:
                parent.gradient = parent.gradient + _unbroadcast(rule(node.gradient), parent.value.shape)

    def _order(self) -> list[Tensor]:
        """Every array in the record, operands before results."""
        order: list[Tensor] = []
        seen: set[int] = set()
        stack: list[tuple[Tensor, bool]] = [(self, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack.extend((parent, False) for parent, _ in node.parents)
        return order


def _tensor(value: Tensor | ArrayLike) -> Tensor:
    return value if isinstance(value, Tensor) else Tensor(value)


def _unbroadcast(d: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Sum a derivative over the axes along which its operand was repeated."""
    d = d.sum(axis=tuple(range(d.ndim - len(shape))))
    repeated = tuple(k for k, size in enumerate(shape) if size == 1 and d.shape[k] != 1)
    return d.sum(axis=repeated, keepdims=True)
