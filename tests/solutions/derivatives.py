"""Derivatives for ledgers, other than those on the page; central differences are in ``notes_lib.numerics``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def slopes(f: Callable[[Any], Any], at: Any, h: float = 1e-30) -> Any:
    """The derivatives of a number by a number, or by each entry of an array, by steps along the imaginary axis.

    Nothing is subtracted, so that all digits are right, where ``f`` takes complex numbers.
    """
    at = np.asarray(at, dtype=float)
    found = np.empty(at.shape)
    for place in np.ndindex(at.shape):
        step = np.zeros(at.shape, dtype=complex)
        step[place] = 1j * h
        found[place] = f(at + step).imag / h
    return found if at.ndim else float(found)
