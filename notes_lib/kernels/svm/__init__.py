"""Support vector machines: the widest margin, by its dual (kernels, SMO) and by its primal (linear, Newton).

The pure functions follow the chapter *Support vector machines*: margin, both objectives, the candidates for the bias,
the working set and the two-variable step of SMO, the votes of one-vs-one, the squared hinge, Platt's sigmoid.
:class:`SVC` and :class:`LinearSVC` run the same steps in their fast form and keep the contract of scikit-learn.

Source: Boser, Guyon and Vapnik (1992), COLT, 144-152; Cortes and Vapnik (1995), Machine Learning 20, 273-297; Platt
(1999), Advances in Kernel Methods, 185-208; Fan, Chen and Lin (2005), J. Mach. Learn. Res. 6, 1889-1918.
"""

from notes_lib.kernels.svm.linear import LinearSVC
from notes_lib.kernels.svm.model import SVC
from notes_lib.kernels.svm.platt import PlattSigmoid, platt_probability, platt_scaling
from notes_lib.kernels.svm.steps import (
    SquaredHinge,
    Step,
    WorkingSet,
    bias_candidates,
    bias_from_candidates,
    dual_objective,
    geometric_margin,
    one_vs_one_scores,
    primal_objective,
    squared_hinge,
    two_variable_step,
    working_set,
)

__all__ = [
    "SVC",
    "LinearSVC",
    "PlattSigmoid",
    "SquaredHinge",
    "Step",
    "WorkingSet",
    "bias_candidates",
    "bias_from_candidates",
    "dual_objective",
    "geometric_margin",
    "one_vs_one_scores",
    "platt_probability",
    "platt_scaling",
    "primal_objective",
    "squared_hinge",
    "two_variable_step",
    "working_set",
]
