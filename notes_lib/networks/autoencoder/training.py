"""The loop that both autoencoders share: epochs, shuffled batches, Adam, and when to stop."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, check_integer, check_positive, check_real
from notes_lib.networks.autoencoder.joined import Pair
from notes_lib.networks.backpropagation.optimisers import Adam
from notes_lib.networks.backpropagation.training import Progress, orders


class Settings:
    """What a training loop needs of an estimator's parameters, checked.

    Raises
    ------
    TypeError, ValueError
        If ``learning_rate_init`` is not positive, ``max_iter``, ``n_iter_no_change`` or ``batch_size`` not an integer
        from 1 on, or ``tol`` negative.
    """

    def __init__(self, model: Any, n: int) -> None:
        self.rate = check_positive(model.learning_rate_init, "learning_rate_init")
        self.max_iter = check_integer(model.max_iter, "max_iter")
        self.patience = check_integer(model.n_iter_no_change, "n_iter_no_change")
        self.tol = check_real(model.tol, "tol")
        auto = isinstance(model.batch_size, str) and model.batch_size == "auto"
        self.batch_size = min(n, 200 if auto else check_integer(model.batch_size, "batch_size"))


def train(
    X: FloatArray,
    pair: Pair,
    batch: Callable[[FloatArray], float],
    settings: Settings,
    rng: np.random.RandomState,
    after_epoch: Callable[[], None] = lambda: None,
) -> list[float]:
    """Change the parameters of ``pair`` until the loss no longer falls; the mean loss of each epoch.

    Parameters
    ----------
    X : (n, d) array
    pair : Pair
    batch : function
        Writes the gradient of some rows into ``pair.gradient`` and returns their mean loss.
    settings : Settings
    rng : RandomState
        Shuffles the rows before each epoch, as scikit-learn does.
    after_epoch : function, optional

    Raises
    ------
    ValueError
        If the loss is not finite.

    Warns
    -----
    ConvergenceWarning
        If the loss still fell in the last epoch.
    """
    rule, progress, n = Adam(settings.rate), Progress(), len(X)
    order = orders(n, True, rng)
    for epoch in range(1, settings.max_iter + 1):
        shuffled, total = X[next(order)], 0.0
        for first in range(0, n, settings.batch_size):
            rows = shuffled[first : first + settings.batch_size]
            with np.errstate(over="ignore", invalid="ignore"):
                loss = batch(rows)
            if not np.isfinite(loss) or not np.isfinite(pair.gradient).all():
                raise ValueError(
                    f"The loss is no longer finite in epoch {epoch}: lower learning_rate_init, now "
                    f"{settings.rate:g}, or standardise X."
                )
            rule.step(pair.theta, pair.gradient)
            total += loss * len(rows)
        after_epoch()
        progress.add(total / n, None, settings.tol)
        if progress.waiting > settings.patience:
            return progress.losses
    warnings.warn(
        f"The loss still falls after max_iter={settings.max_iter} epochs: raise max_iter, learning_rate_init or tol.",
        ConvergenceWarning,
        stacklevel=3,
    )
    return progress.losses
