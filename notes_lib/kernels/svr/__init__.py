"""Support vector regression: the flattest function inside a tube, by the dual of the support vector machine, doubled.

The pure functions follow the chapter *Support vector regression*: the loss, both objectives, the five cases of the KKT
conditions, the problem with two copies of each row, the interval of the bias, the share nu. :class:`SVR` hands the
doubled problem to the solver of :mod:`notes_lib.kernels.svm` and keeps the contract of scikit-learn.

Source: Drucker, Burges, Kaufman, Smola and Vapnik (1997), Advances in Neural Information Processing Systems 9, 155-161;
Smola and Schoelkopf (2004), Statistics and Computing 14, 199-222.
"""

from notes_lib.kernels.svr.model import SVR
from notes_lib.kernels.svr.steps import (
    Doubled,
    bias_interval,
    doubled_problem,
    dual_objective,
    epsilon_insensitive,
    kkt_case,
    primal_objective,
    tube_bias,
    tube_nu,
)

__all__ = [
    "SVR",
    "Doubled",
    "bias_interval",
    "doubled_problem",
    "dual_objective",
    "epsilon_insensitive",
    "kkt_case",
    "primal_objective",
    "tube_bias",
    "tube_nu",
]
