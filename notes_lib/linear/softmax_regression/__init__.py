"""Softmax regression: one linear score for each class, turned into probabilities, fitted by maximum likelihood.

The pure functions follow the derivation of the chapter *Softmax regression*: the softmax by a stable log-sum-exp,
one-hot labels, the cross-entropy with its gradient and its Hessian, one step of gradient descent.
:class:`SoftmaxRegression` has the contract of scikit-learn; it runs L-BFGS in coordinates in which the Hessian at zero
weights is the identity.

Sources: D. Boehning (1992), Annals of the Institute of Statistical Mathematics 44, 197-200; C. M. Bishop (2006),
*Pattern Recognition and Machine Learning*, section 4.3.4.
"""

from notes_lib.linear.softmax_regression.model import SoftmaxRegression
from notes_lib.linear.softmax_regression.steps import (
    log_sum_exp,
    one_hot,
    softmax,
    softmax_gradient,
    softmax_hessian,
    softmax_loss,
    softmax_step,
)

__all__ = [
    "SoftmaxRegression",
    "log_sum_exp",
    "one_hot",
    "softmax",
    "softmax_gradient",
    "softmax_hessian",
    "softmax_loss",
    "softmax_step",
]
