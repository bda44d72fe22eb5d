"""Optimisation with constraints: conditions for an optimum, quadratic programs and their duals.

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

__all__ = [
    "KKT",
    "EqualityQP",
    "QPDual",
    "QPSolution",
    "equality_qp",
    "kkt_residuals",
    "qp_dual",
    "solve_qp",
]
