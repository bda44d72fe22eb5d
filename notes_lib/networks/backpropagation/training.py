"""The loop over mini-batches, with all parameters in one vector and all gradients in another."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray
from notes_lib.foundations.descent import lbfgs
from notes_lib.networks.backpropagation.losses import MATCHES, network_loss
from notes_lib.networks.backpropagation.optimisers import SGD, Adam
from notes_lib.networks.backpropagation.steps import Gradients, backward, dropout_mask, output_loss, propagate


class Parameters:
    """Weights and biases as views of one vector, the weights first.

    Parameters
    ----------
    coefs, intercepts : lists of arrays
        Copied.
    """

    def __init__(self, coefs: Sequence[FloatArray], intercepts: Sequence[FloatArray]) -> None:
        self.theta = np.concatenate([np.ravel(a) for a in (*coefs, *intercepts)]).astype(float)
        self.n_weights = sum(W.size for W in coefs)
        self.shapes = [np.shape(a) for a in (*coefs, *intercepts)]
        self.coefs, self.intercepts = self.views(self.theta)

    def views(self, vector: FloatArray) -> Gradients:
        """A vector of the same length, cut into weights and biases."""
        ends = np.cumsum([int(np.prod(shape)) for shape in self.shapes])[:-1]
        parts = [part.reshape(shape) for part, shape in zip(np.split(vector, ends), self.shapes, strict=True)]
        half = len(parts) // 2
        return Gradients(parts[:half], parts[half:])


class Setting(NamedTuple):
    """What a run needs to know, named as in :class:`~notes_lib.networks.backpropagation.MLPClassifier`."""

    activation: str
    out_activation: str
    alpha: float
    dropout: float
    batch_size: int
    shuffle: bool
    max_iter: int
    tol: float
    n_iter_no_change: float


class Progress:
    """The losses of the epochs so far, the best of them, and how long nothing has become better."""

    def __init__(self) -> None:
        self.losses: list[float] = []
        self.scores: list[float] = []
        self.best = np.inf
        self.waiting = 0

    def add(self, loss: float, score: float | None, tol: float) -> bool:
        """Enter one epoch; whether it is the best one. A score is better the larger it is."""
        self.losses.append(loss)
        cost = loss
        if score is not None:
            self.scores.append(score)
            cost = -score
        self.waiting = self.waiting + 1 if cost > self.best - tol else 0
        better = cost < self.best
        if better:
            self.best = cost
        return better


def epoch(
    X: FloatArray,
    Y: FloatArray,
    parameters: Parameters,
    rule: SGD | Adam,
    setting: Setting,
    rng: np.random.RandomState,
    gradient: FloatArray,
) -> float:
    """One pass over the rows as they stand; the mean loss, each batch at the weights that it met.

    The gradients are those of :func:`~notes_lib.networks.backpropagation.backward`.
    """
    n, total, loss = len(X), 0.0, MATCHES[setting.out_activation]
    views, weights = parameters.views(gradient), parameters.theta[: parameters.n_weights]
    for start in range(0, n, setting.batch_size):
        rows = slice(start, min(start + setting.batch_size, n))
        A, masks = _forward(X[rows], parameters, setting, rng)
        size = rows.stop - start
        squares = setting.alpha * float(weights @ weights) / (2 * size)
        share = A[-1].shape[1] if loss == "squared_error" else 1  # the mean over outputs, as scikit-learn reports it
        total += size * (output_loss(A[-1], Y[rows], loss) / share + squares)
        backward(A, A[-1] - Y[rows], parameters.coefs, setting.activation, setting.alpha, masks, views)
        rule.step(parameters.theta, gradient)
    return total / n


def _forward(
    X: FloatArray, parameters: Parameters, setting: Setting, rng: np.random.RandomState
) -> tuple[list[FloatArray], list[FloatArray | None] | None]:
    masks = None
    if setting.dropout:
        hidden = [W.shape[1] for W in parameters.coefs[:-1]]
        masks = [None, *(dropout_mask(rng, (len(X), width), setting.dropout) for width in hidden)]
    A = propagate(X, parameters.coefs, parameters.intercepts, setting.activation, setting.out_activation, masks)
    return A, masks


def orders(n: int, shuffle: bool, rng: np.random.RandomState) -> Iterator[IntArray | None]:
    """Orders of the rows, epoch after epoch: each shuffles the one before it; None is the given order."""
    order = np.arange(n)
    while True:
        if shuffle:
            turn = np.arange(n)
            rng.shuffle(turn)
            order = order[turn]
        yield order if shuffle else None


def train(
    X: FloatArray,
    Y: FloatArray,
    parameters: Parameters,
    rule: SGD | Adam,
    setting: Setting,
    rng: np.random.RandomState,
    progress: Progress,
    validate: Callable[[], float] | None = None,
) -> int:
    """Epochs until nothing improves by ``tol``; how many there were. Parameters and progress change in place.

    With ``validate``, a score of the present parameters, the best parameters are restored at the end.

    Raises
    ------
    ValueError
        If the loss is no longer finite.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` epochs do not suffice.
    """
    gradient, best = np.empty_like(parameters.theta), parameters.theta.copy()
    order, ranks = orders(len(X), setting.shuffle, rng), (np.empty_like(X), np.empty_like(Y))
    for n_iter in range(1, setting.max_iter + 1):
        rows, lined = next(order), (X, Y)
        if rows is not None:
            lined = np.take(X, rows, 0, ranks[0], "clip"), np.take(Y, rows, 0, ranks[1], "clip")
        with np.errstate(over="ignore", invalid="ignore"):
            loss = epoch(lined[0], lined[1], parameters, rule, setting, rng, gradient)
        if not np.isfinite(loss) or not np.isfinite(parameters.theta).all():
            raise ValueError(
                f"The loss is no longer finite after epoch {n_iter}: lower learning_rate_init, now "
                f"{rule.learning_rate:g}, or standardise X and y."
            )
        score = validate() if validate is not None else None
        if progress.add(loss, score, setting.tol) and validate is not None:
            best[:] = parameters.theta
        if progress.waiting > setting.n_iter_no_change:
            break
    else:
        warnings.warn(
            f"The loss still falls after max_iter={setting.max_iter} epochs: raise max_iter or learning_rate_init.",
            ConvergenceWarning,
            stacklevel=4,
        )
    if validate is not None:
        parameters.theta[:] = best
    return n_iter


def minimise(X: FloatArray, Y: FloatArray, parameters: Parameters, setting: Setting) -> tuple[int, float]:
    """L-BFGS on all rows at once: number of iterations and the loss; the parameters change in place.

    Raises
    ------
    ValueError
        If the loss is not finite.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` iterations do not suffice.
    """

    def loss_and_gradient(theta: FloatArray) -> tuple[float, FloatArray]:
        parameters.theta[:] = theta
        A, _ = _forward(X, parameters, setting._replace(dropout=0.0), np.random.RandomState(0))
        gradient = np.empty_like(theta)
        backward(A, A[-1] - Y, parameters.coefs, setting.activation, setting.alpha, out=parameters.views(gradient))
        loss = MATCHES[setting.out_activation]
        return network_loss(A[-1], Y, parameters.coefs, loss, setting.alpha), gradient

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it names parameters of the search
        found = lbfgs(loss_and_gradient, parameters.theta.copy(), True, max_iter=setting.max_iter, tol=setting.tol)
    parameters.theta[:] = found.x
    if not found.converged and found.n_iter >= setting.max_iter:
        warnings.warn(
            f"L-BFGS has not converged after max_iter={setting.max_iter} iterations: raise max_iter or standardise X.",
            ConvergenceWarning,
            stacklevel=4,
        )
    return found.n_iter, float(found.objective[-1])
