"""Descent methods: numerical derivatives, line search, gradient descent, momentum, Adam, Newton, L-BFGS, stochastic
gradients, conjugate gradients.

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

from notes_lib.foundations.descent.conjugate import conjugate_gradients
from notes_lib.foundations.descent.model import (
    Minimum,
    descend,
    gradient_descent,
    lbfgs,
    newton,
)
from notes_lib.foundations.descent.rules import Adam, Momentum
from notes_lib.foundations.descent.search import (
    LineSearch,
    golden_section,
    line_search,
    wolfe_search,
)
from notes_lib.foundations.descent.steps import (
    adam_step,
    gradient_error,
    gradient_step,
    lbfgs_direction,
    momentum_step,
    newton_direction,
    numerical_gradient,
    numerical_hessian,
)
from notes_lib.foundations.descent.stochastic import stochastic_gradient_descent

__all__ = [
    "Adam",
    "LineSearch",
    "Minimum",
    "Momentum",
    "adam_step",
    "conjugate_gradients",
    "descend",
    "golden_section",
    "gradient_descent",
    "gradient_error",
    "gradient_step",
    "lbfgs",
    "lbfgs_direction",
    "line_search",
    "momentum_step",
    "newton",
    "newton_direction",
    "numerical_gradient",
    "numerical_hessian",
    "stochastic_gradient_descent",
    "wolfe_search",
]
