"""Optimisation with constraints: conditions of first and second order, quadratic programs and their duals.

The pure functions follow the derivation of the chapter *Optimisation*; its methods of descent have a chapter of their
own, :mod:`notes_lib.foundations.descent`.

Source: Nocedal and Wright (2006), Numerical Optimization; Boyd and Vandenberghe (2004), Convex Optimization.
"""

from notes_lib.foundations.optimization.constrained import (
    KKT,
    EqualityQP,
    QPDual,
    QPSolution,
    equality_qp,
    kkt_residuals,
    qp_dual,
    solve_qp,
)
from notes_lib.foundations.optimization.curvature import TangentCurvature, bordered_hessian, tangent_curvature

__all__ = [
    "KKT",
    "EqualityQP",
    "QPDual",
    "QPSolution",
    "TangentCurvature",
    "bordered_hessian",
    "equality_qp",
    "kkt_residuals",
    "qp_dual",
    "solve_qp",
    "tangent_curvature",
]
