"""The perceptron: a linear classifier that learns from its mistakes only, and the least-squares classifier beside it.

The pure functions follow the derivation of the chapter *The perceptron*: normalised samples, the criterion and its
gradient, one pass over the rows, the bound on the number of mistakes, and the rule of Widrow and Hoff. One loop,
:func:`learn`, repeats passes and keeps the last, the average or the best weights; :class:`Perceptron` has the contract
of scikit-learn.

Sources: F. Rosenblatt (1958), Psychological Review 65, 386-408; A. B. J. Novikoff (1962), *On convergence proofs on
perceptrons*; B. Widrow and M. E. Hoff (1960), *Adaptive switching circuits*; S. I. Gallant (1990), IEEE Transactions on
Neural Networks 1, 179-191; Y. Freund and R. E. Schapire (1999), Machine Learning 37, 277-296.
"""

from notes_lib.linear.perceptron.model import Perceptron
from notes_lib.linear.perceptron.passes import Learned, learn
from notes_lib.linear.perceptron.steps import (
    Pass,
    least_squares_weights,
    lms_pass,
    lms_step,
    margin,
    normalised_samples,
    novikoff_bound,
    online_pass,
    perceptron_criterion,
    perceptron_gradient,
    perceptron_step,
)

__all__ = [
    "Learned",
    "Pass",
    "Perceptron",
    "learn",
    "least_squares_weights",
    "lms_pass",
    "lms_step",
    "margin",
    "normalised_samples",
    "novikoff_bound",
    "online_pass",
    "perceptron_criterion",
    "perceptron_gradient",
    "perceptron_step",
]
