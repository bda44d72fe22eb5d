"""Optimisation: numerical derivatives, descent methods, conditions for an optimum, quadratic programs and their duals.

The pure functions follow the derivation of the chapter *Optimisation*. Gradient descent, Newton and L-BFGS are one
loop, :func:`descend`, with three directions. Names are those of ``scipy.optimize.minimize``: ``fun``, ``x0``, ``jac``,
``hess``, ``callback``; what the methods have in common is written here once:

- ``fun`` maps a (d,) array to a number. ``jac`` is a function that returns the gradient (d,), or True if ``fun``
  returns the pair (value, gradient), or None for central differences.
- ``callback`` is called with x after each iteration; ``path.append`` keeps the way.
- They stop when no entry of the gradient is larger than ``tol``. They raise ``ValueError`` or ``TypeError`` for an
  ``x0`` that is not a finite vector, for a ``fun`` or ``jac`` that returns something else, and for bad settings.

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
from notes_lib.foundations.optimization.descent import (
    Minimum,
    descend,
    gradient_descent,
    lbfgs,
    newton,
    stochastic_gradient_descent,
)
from notes_lib.foundations.optimization.search import LineSearch, golden_section, line_search
from notes_lib.foundations.optimization.steps import (
    gradient_error,
    gradient_step,
    lbfgs_direction,
    newton_direction,
    numerical_gradient,
    numerical_hessian,
)

__all__ = [
    "KKT",
    "EqualityQP",
    "LineSearch",
    "Minimum",
    "QPDual",
    "QPSolution",
    "descend",
    "equality_qp",
    "golden_section",
    "gradient_descent",
    "gradient_error",
    "gradient_step",
    "kkt_residuals",
    "lbfgs",
    "lbfgs_direction",
    "line_search",
    "newton",
    "newton_direction",
    "numerical_gradient",
    "numerical_hessian",
    "qp_dual",
    "solve_qp",
    "stochastic_gradient_descent",
]
