"""Descent methods: numerical derivatives, line search, gradient descent, Newton, L-BFGS, stochastic gradients.

The pure functions follow the derivation of the chapter *Descent methods*. Gradient descent, Newton and L-BFGS are one
loop, :func:`descend`, with three directions. Names are those of ``scipy.optimize.minimize``: ``fun``, ``x0``, ``jac``,
``hess``, ``callback``; what the methods have in common is written here once:

- ``fun`` maps a (d,) array to a number. ``jac`` is a function that returns the gradient (d,), or True if ``fun``
  returns the pair (value, gradient), or None for central differences.
- ``callback`` is called with x after each iteration; ``path.append`` keeps the way.
- They stop when no entry of the gradient is larger than ``tol``. They raise ``ValueError`` or ``TypeError`` for an
  ``x0`` that is not a finite vector, for a ``fun`` or ``jac`` that returns something else, and for bad settings.

Source: Nocedal and Wright (2006), Numerical Optimization.
"""

from notes_lib.foundations.descent.model import (
    Minimum,
    descend,
    gradient_descent,
    lbfgs,
    newton,
    stochastic_gradient_descent,
)
from notes_lib.foundations.descent.search import LineSearch, golden_section, line_search
from notes_lib.foundations.descent.steps import (
    gradient_error,
    gradient_step,
    lbfgs_direction,
    newton_direction,
    numerical_gradient,
    numerical_hessian,
)

__all__ = [
    "LineSearch",
    "Minimum",
    "descend",
    "golden_section",
    "gradient_descent",
    "gradient_error",
    "gradient_step",
    "lbfgs",
    "lbfgs_direction",
    "line_search",
    "newton",
    "newton_direction",
    "numerical_gradient",
    "numerical_hessian",
    "stochastic_gradient_descent",
]
