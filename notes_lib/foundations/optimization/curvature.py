"""Second-order conditions of the chapter *Optimisation*: the curvature of a Lagrangian along its constraints."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_shape, check_symmetric

FLAT = 1e-9  # a curvature that is smaller, relative to the largest entry of the Hessian, counts as 0

Kind = Literal["minimum", "maximum", "saddle", "undecided"]


class TangentCurvature(NamedTuple):
    """Result of :func:`tangent_curvature`: ``eigenvalues`` (d - m,), ascending, and what they say, ``kind``."""

    eigenvalues: FloatArray
    kind: Kind


def tangent_curvature(hessian: ArrayLike, jac: ArrayLike = ()) -> TangentCurvature:
    """Curvature of the Lagrangian in the directions that the constraints leave free, and what it decides.

    The eigenvalues of ``Z'WZ``, :eq:`optimization-reduced-hessian`, where ``W`` is the Hessian of the Lagrangian by x
    and the columns of ``Z`` are an orthonormal basis of the directions v with ``A v = 0``.

    Parameters
    ----------
    hessian : (d, d) array
        ``W`` at a point that satisfies the first-order conditions.
    jac : (m, d) array
        ``A``: the gradients of the equality constraints, and of the inequality constraints with a positive multiplier,
        one a row. None: an unconstrained problem.

    Returns
    -------
    TangentCurvature
        ``kind`` is "minimum" or "maximum" (strict and local; where inequalities have a positive multiplier, a "maximum"
        only says that no free direction leads up), "saddle" if free directions lead up and down, and "undecided" if an
        eigenvalue is 0 and the others have one sign. An eigenvalue below 1e-9 of the largest entry of ``hessian``
        counts as 0: choose units in which the variables are of like size. Where no direction is left free it is
        "minimum".

    Raises
    ------
    ValueError
        If a shape does not fit, a value is not finite, the Hessian is not symmetric, or the rows of A are dependent.

    Notes
    -----
    O(d^3) time.

    Examples
    --------
    >>> tangent_curvature([[1.0, 1.0], [1.0, 1.0]], [[2.0, -2.0]])  # x1 x2 on the circle |x|^2 = 2, at (1, -1)
    TangentCurvature(eigenvalues=array([2.]), kind='minimum')
    """
    W = check_symmetric(hessian, "hessian")
    A = _independent(jac, len(W))
    Z = np.linalg.qr(A.T, mode="complete")[0][:, len(A) :] if len(A) else np.eye(len(W))
    values = np.linalg.eigvalsh(Z.T @ W @ Z)  # optimization-reduced-hessian
    return TangentCurvature(values, _kind(values, FLAT * np.abs(W).max(initial=0.0)))


def bordered_hessian(hessian: ArrayLike, jac: ArrayLike) -> FloatArray:
    """Hessian of the Lagrangian by its multipliers and x together, :eq:`optimization-bordered-hessian`.

    Parameters are those of :func:`tangent_curvature`.

    Returns
    -------
    (m + d, m + d) array
        The multipliers first. If the m rows of ``jac`` are independent it has m negative eigenvalues and as many
        positive ones, and one more of the sign of each curvature that :func:`tangent_curvature` finds.

    Raises
    ------
    ValueError
        As in :func:`tangent_curvature`.

    Examples
    --------
    >>> round(float(np.linalg.det(bordered_hessian([[1.0, 1.0], [1.0, 1.0]], [[2.0, -2.0]]))), 9)
    -16.0
    """
    W = check_symmetric(hessian, "hessian")
    A = _independent(jac, len(W))
    return np.block([[np.zeros((len(A), len(A))), A], [A.T, W]])  # optimization-bordered-hessian


def _independent(jac: ArrayLike, d: int) -> FloatArray:
    A = check_shape(jac, "jac", (None, d)) if np.size(jac) else np.empty((0, d))
    size = np.abs(A).max(axis=1, initial=0.0)  # the unit of a constraint does not matter
    if len(A) and (size.min() == 0 or np.linalg.matrix_rank(A / size[:, None]) < len(A)):
        raise ValueError("the rows of jac must be linearly independent: remove a gradient that the others combine to.")
    return A


def _kind(values: FloatArray, flat: float) -> Kind:
    if (values > flat).all():
        return "minimum"
    if (values < -flat).all():
        return "maximum"
    return "saddle" if values[0] < -flat and values[-1] > flat else "undecided"
