"""How many digits a least-squares problem can lose."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import svdvals

from notes_lib.checks import check_matrix
from notes_lib.foundations.linear_algebra.reduction import EPS, lengths


def condition_number(X: ArrayLike, *, scaled: bool = True) -> float:
    """Condition number of ``X``: the largest over the smallest singular value; :eq:`linear-algebra-condition`.

    Parameters
    ----------
    X : (n, d) array
    scaled : bool
        Bring every column to length 1 first. Units then decide nothing, and the number says what QR and Cholesky can
        lose, which treat each column in its own units.

    Returns
    -------
    float
        From 1 (orthogonal columns) to infinity (columns that are dependent to rounding, or more columns than rows).
        With a small residual QR loses up to ``log10`` of it of the 16 digits, the normal equations up to twice as many
        (:eq:`linear-algebra-cond-squared`, :eq:`linear-algebra-ls-perturbation`).

    Raises
    ------
    ValueError
        If ``X`` is empty or not finite.

    Notes
    -----
    O(n d min(n, d)) time, O(n d) memory.

    Examples
    --------
    >>> X = [[3.0, 0.0], [0.0, 600.0]]
    >>> condition_number(X), condition_number(X, scaled=False)
    (1.0, 200.0)
    """
    X = check_matrix(X, "X")
    n, d = X.shape
    size = lengths(X)
    if n < d or not size.all():
        return np.inf
    s = svdvals(X / (size if scaled else size.max()))
    return float(s[0] / s[-1]) if s[-1] > n * EPS * s[0] else np.inf
