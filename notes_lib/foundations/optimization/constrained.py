"""Constrained problems of the chapter *Optimisation*: the four conditions, and quadratic programs with their duals."""

from __future__ import annotations

import warnings
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, LinAlgWarning, cho_solve, solve

from notes_lib.checks import FloatArray, check_vector
from notes_lib.foundations.optimization.checks import constraints
from notes_lib.numerics import cholesky_factor

SLACK = 1e-9  # a constraint or a multiplier that is wrong by less, relative to the data, counts as right
MOST = 16  # constraints of solve_qp, which tries 2^m active sets


class KKT(NamedTuple):
    """Largest violation of each condition, all at least 0: ``stationarity``, ``primal``, ``dual``, ``slackness``."""

    stationarity: float
    primal: float
    dual: float
    slackness: float


class EqualityQP(NamedTuple):
    """Result of :func:`equality_qp`: ``x`` (d,) and the multipliers ``lam`` (m,)."""

    x: FloatArray
    lam: FloatArray


class QPSolution(NamedTuple):
    """Result of :func:`solve_qp`: ``x`` (d,), multipliers ``mu`` (m,), ``lam`` (k,), values ``primal``, ``dual``."""

    x: FloatArray
    mu: FloatArray
    primal: float
    dual: float
    lam: FloatArray


class QPDual(NamedTuple):
    """Dual function of a quadratic program, ``-mu'K mu / 2 - r'mu - c``: ``K`` (m, m), ``r`` (m,), ``c``."""

    K: FloatArray
    r: FloatArray
    c: float

    def value(self, mu: ArrayLike) -> float:
        """Dual function at ``mu`` (m,); a lower bound of the primal optimum if no entry is negative."""
        mu = check_vector(mu, "mu", len(self.r))
        return float(-0.5 * mu @ self.K @ mu - self.r @ mu - self.c)


def kkt_residuals(
    gradient: ArrayLike,
    g: ArrayLike = (),
    jac_g: ArrayLike = (),
    mu: ArrayLike = (),
    h: ArrayLike = (),
    jac_h: ArrayLike = (),
    lam: ArrayLike = (),
) -> KKT:
    """How far a point and its multipliers are from the Karush-Kuhn-Tucker conditions.

    Implements :eq:`optimization-kkt-stationarity`, :eq:`optimization-kkt-primal`, :eq:`optimization-kkt-dual` and
    :eq:`optimization-kkt-slackness` for: minimise f(x) subject to g(x) <= 0 and h(x) = 0.

    Parameters
    ----------
    gradient : (d,) array
        Gradient of f at the point.
    g, mu : (m,) arrays
        Inequality constraints at the point, feasible if not positive, and their multipliers.
    jac_g : (m, d) array
        Row j is the gradient of constraint j.
    h, lam : (k,) arrays
        Equality constraints at the point, and their multipliers.
    jac_h : (k, d) array

    Returns
    -------
    KKT
        Largest entry of the gradient of the Lagrangian; largest violation of a constraint; largest negative multiplier,
        as a positive number; largest product of a multiplier and its constraint. All four are 0 at a KKT point.

    Raises
    ------
    ValueError
        If a shape does not fit, or a value is not finite.

    Examples
    --------
    >>> kkt_residuals([2.0], g=[0.0], jac_g=[[-1.0]], mu=[2.0])  # minimise x^2 with 1 - x <= 0, at x = 1
    KKT(stationarity=0.0, primal=0.0, dual=0.0, slackness=0.0)
    """
    gradient = check_vector(gradient, "gradient")
    jac_g, g = constraints(jac_g, g, gradient.size, ("jac_g", "g"))
    jac_h, h = constraints(jac_h, h, gradient.size, ("jac_h", "h"))
    mu, lam = check_vector(mu, "mu", g.size), check_vector(lam, "lam", h.size)
    return KKT(
        float(np.abs(gradient + mu @ jac_g + lam @ jac_h).max()),  # optimization-kkt-stationarity
        float(max(np.max(g, initial=0.0), np.max(np.abs(h), initial=0.0))),  # optimization-kkt-primal
        float(np.max(-mu, initial=0.0)),  # optimization-kkt-dual
        float(np.max(np.abs(mu * g), initial=0.0)),  # optimization-kkt-slackness
    )


def equality_qp(P: ArrayLike, q: ArrayLike, A: ArrayLike, b: ArrayLike) -> EqualityQP:
    """Minimise ``x'Px / 2 + q'x`` subject to ``A x = b``, by one linear system, :eq:`optimization-kkt-system`.

    Parameters
    ----------
    P : (d, d) array
        Symmetric positive semi-definite.
    q : (d,) array
    A : (m, d) array
    b : (m,) array

    Returns
    -------
    EqualityQP
        ``lam`` has the sign of the Lagrangian ``f + lam'(A x - b)``: if b changes by db, the optimum does by about
        ``-lam'db``.

    Raises
    ------
    ValueError
        If a shape does not fit, a value is not finite, P is not symmetric or has a negative eigenvalue, or the solution
        is not unique (dependent rows of A, or a direction that neither P nor A sees).

    Notes
    -----
    O((d + m)^3) time.

    Examples
    --------
    >>> equality_qp([[2.0, 0.0], [0.0, 2.0]], [0.0, 0.0], [[1.0, 1.0]], [2.0])  # the point of a line next to 0
    EqualityQP(x=array([1., 1.]), lam=array([-2.]))
    """
    P, q = _quadratic(P, q)
    A, b = constraints(A, b, q.size, ("A", "b"))
    *program, unit, weight = _scaled(P, q, A, b)
    values = np.linalg.eigvalsh(program[0])
    if values[0] < -SLACK * np.abs(values).max():
        raise ValueError(
            f"P has the eigenvalue {np.linalg.eigvalsh(P)[0]:.3g}: the objective is not convex, and P must be positive "
            "semi-definite (tangent_curvature tells whether a point is a minimum all the same)."
        )
    z, lam = _kkt_system(*program)
    return EqualityQP(unit * z, weight * lam)


def qp_dual(P: ArrayLike, q: ArrayLike, G: ArrayLike, h: ArrayLike) -> QPDual:
    """Dual function of: minimise ``x'Px / 2 + q'x`` subject to ``G x <= h``; :eq:`optimization-qp-dual`.

    Parameters
    ----------
    P : (d, d) array
        Symmetric positive definite.
    q : (d,) array
    G : (m, d) array
    h : (m,) array

    Returns
    -------
    QPDual
        ``K = G P^-1 G'``, ``r = h + G P^-1 q``, ``c = q'P^-1 q / 2``; ``value(mu)`` evaluates it.

    Raises
    ------
    ValueError
        If a shape does not fit, a value is not finite, or P is not symmetric and positive definite.

    Examples
    --------
    >>> round(qp_dual([[2.0]], [0.0], [[-1.0]], [-1.0]).value([2.0]), 9)  # minimise x^2 with x >= 1
    1.0
    """
    P, q = _quadratic(P, q)
    G, h = constraints(G, h, q.size, ("G", "h"))
    L = cholesky_factor(P, "P")
    K, shift = G @ cho_solve((L, True), G.T), cho_solve((L, True), q)
    return QPDual(K, h + G @ shift, float(q @ shift / 2))  # optimization-qp-dual


def solve_qp(
    P: ArrayLike, q: ArrayLike, G: ArrayLike, h: ArrayLike, A: ArrayLike = (), b: ArrayLike = ()
) -> QPSolution:
    """Minimise ``x'Px / 2 + q'x`` subject to ``G x <= h`` and ``A x = b`` by enumerating active sets, as by hand.

    For every choice of inequalities that hold with equality, the smallest first, :eq:`optimization-kkt-system` gives x
    and multipliers; the choice at which the conditions of :func:`kkt_residuals` hold is the answer. Choices with
    dependent rows make the system singular and are left out: independent rows carry multipliers too. (What the
    literature calls an active-set *method* goes from one such set to a neighbour that lowers the objective.)

    Parameters
    ----------
    P : (d, d) array
        Symmetric positive definite.
    q : (d,) array
    G : (m, d) array
    h : (m,) array
    A : (k, d) array
        Independent rows; none by default.
    b : (k,) array

    Returns
    -------
    QPSolution
        ``primal - dual`` is the duality gap, 0 up to rounding. ``mu`` and ``lam`` have the signs of the Lagrangian
        ``f + mu'(G x - h) + lam'(A x - b)``.

    Raises
    ------
    ValueError
        As in :func:`qp_dual`; also if rows of A are dependent, no point fulfils all constraints, or there are more than
        16 inequalities.

    Notes
    -----
    Up to 2^m systems of size at most 2d: for small problems. Chapters with large ones have their own methods. The units
    of variables, constraints and objective do not matter: each is scaled first. A constraint that is violated by less
    than 1e-9 of its terms counts as fulfilled.

    Examples
    --------
    >>> found = solve_qp([[2.0]], [0.0], [[-1.0]], [-1.0])  # minimise x^2 with x >= 1
    >>> found.x, found.mu
    (array([1.]), array([2.]))
    """
    P, q = _quadratic(P, q)
    G, h = constraints(G, h, q.size, ("G", "h"))
    A, b = constraints(A, b, q.size, ("A", "b"))
    m, k = len(h), len(b)
    if m > MOST:
        raise ValueError(f"G has {m} rows, more than {MOST}: there are 2^{m} active sets to try.")
    rows, sides = np.vstack([G, A]), np.r_[h, b]
    dual = qp_dual(P, q, rows, sides)
    P_z, q_z, rows, sides, unit, weight = _scaled(P, q, rows, sides)
    if k:
        _kkt_system(P_z, q_z, rows[m:], sides[m:])  # refuses dependent rows
    for active in chain.from_iterable(combinations(range(m), size) for size in range(min(m, q.size - k) + 1)):
        held = [*active, *range(m, m + k)]
        try:
            z, multipliers = _kkt_system(P_z, q_z, rows[held], sides[held])
        except ValueError:  # dependent rows: fewer of them do
            continue
        both = np.zeros(m + k)
        both[held] = multipliers
        mu = both[:m]
        if _fulfils(rows[:m], sides[:m], z) and (mu >= -SLACK * np.abs(mu).max(initial=0.0)).all():
            x, both = unit * z, weight * np.r_[np.maximum(mu, 0.0), both[m:]]
            return QPSolution(x, both[:m], float(0.5 * x @ P @ x + q @ x), dual.value(both), both[m:])
    raise ValueError(f"no x fulfils G x <= h{' and A x = b' if k else ''}: relax a constraint.")


def _fulfils(G: FloatArray, h: FloatArray, x: FloatArray) -> bool:
    scale = np.abs(G).sum(axis=1) * np.abs(x).max() + np.abs(h)
    return bool((G @ x - h <= SLACK * scale).all())


def _quadratic(P: ArrayLike, q: ArrayLike) -> tuple[FloatArray, FloatArray]:
    q = check_vector(q, "q")
    P = np.asarray(P, dtype=float)
    square = P.shape == (q.size, q.size) and bool(np.isfinite(P).all())
    size = np.sqrt(np.abs(np.diag(P))) if square else q  # no entry of a semi-definite P is larger than size[i] size[j]
    if not square or (np.abs(P - P.T) > 1e-8 * np.outer(size, size)).any():
        raise ValueError(f"P must be a finite symmetric matrix of shape ({q.size}, {q.size}), as q asks for.")
    return P, q


def _scaled(P: FloatArray, q: FloatArray, A: FloatArray, b: FloatArray) -> tuple[FloatArray, ...]:
    """The program in z, with x = unit * z: diag(P) and the rows of A are near 1, by powers of 2 and so exactly.

    The multipliers of x are weight * those of z. Without this a program in large or small units looks singular.
    """
    unit = np.ldexp(1.0, -np.frexp(np.sqrt(np.maximum(np.diag(P), 0.0)))[1])  # (d,)
    A = A * unit
    weight = np.ldexp(1.0, -np.frexp(np.abs(A).max(axis=1, initial=0.0))[1])  # (m,)
    return P * unit * unit[:, None], q * unit, A * weight[:, None], b * weight, unit, weight


def _kkt_system(P: FloatArray, q: FloatArray, A: FloatArray, b: FloatArray) -> EqualityQP:
    matrix = np.block([[P, A.T], [A, np.zeros((len(b), len(b)))]])
    with warnings.catch_warnings():
        warnings.simplefilter("error", LinAlgWarning)
        try:
            solution = solve(matrix, np.r_[-q, b], assume_a="sym")  # optimization-kkt-system
        except (LinAlgError, LinAlgWarning) as error:
            raise ValueError(
                "the solution is not unique: remove dependent rows of A, or make P positive definite."
            ) from error
    return EqualityQP(solution[: q.size], solution[q.size :])
