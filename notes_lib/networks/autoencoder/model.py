"""The autoencoder as an estimator: plain, tied, denoising or sparse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_positive, check_real, check_shape
from notes_lib.networks.autoencoder.joined import Pair, Part, check_activation, code_gradient, hidden_sizes, start
from notes_lib.networks.autoencoder.steps import corrupt, sparsity_gradient, sparsity_penalty
from notes_lib.networks.autoencoder.training import Settings, train
from notes_lib.networks.backpropagation.steps import Gradients, activation_slope, backward, generator, output_loss
from notes_lib.numerics import RandomState


class Losses(NamedTuple):
    """Mean loss of some rows, and its derivatives by the parameters of encoder and decoder."""

    loss: float
    encoder: Gradients
    decoder: Gradients


def autoencoder_gradients(
    X: FloatArray,
    seen: FloatArray,
    encoder: Part,
    decoder: Part,
    sparsity: float = 0.0,
    target: float = 0.05,
    out: tuple[Gradients, Gradients] | None = None,
) -> Losses:
    """Loss of reconstructing ``X`` from ``seen``, and its gradients; :eq:`autoencoder-chain`.

    Parameters
    ----------
    X, seen : (n, d) arrays
        What is to be said, and what is shown: the same, or with noise.
    encoder, decoder : Part
    sparsity, target : float
        Weight of :func:`sparsity_penalty` and the wanted mean activity of the codes.
    out : pair of Gradients, optional
        Arrays to write into.

    Returns
    -------
    Losses

    Notes
    -----
    O(n P) time for P weights. The mean activity is that of these rows.
    """
    inner = encoder.run(seen)
    codes = inner[-1]
    outer = decoder.run(codes)
    delta = outer[-1] - X
    loss = output_loss(outer[-1], X, "squared_error")  # autoencoder-loss
    to_codes = code_gradient(decoder, outer, delta)
    if sparsity:
        activity = codes.mean(axis=0)
        loss += sparsity * sparsity_penalty(activity, target)  # autoencoder-sparse-loss
        to_codes += sparsity * sparsity_gradient(activity, target)
    to_codes *= activation_slope(codes, encoder.out_activation)
    into, onto = out if out is not None else (None, None)
    return Losses(
        loss,
        backward(inner, to_codes, encoder.coefs, encoder.activation, out=into),
        backward(outer, delta, decoder.coefs, decoder.activation, out=onto),
    )


class Autoencoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A network that learns to repeat its input through a layer that holds the code.

    Parameters
    ----------
    hidden_layer_sizes : int or sequence of int
        Widths of all layers between input and output, as in scikit-learn's networks. The code is the narrowest of
        them; among equally narrow ones the one nearest the middle.
    activation : {'identity', 'logistic', 'tanh', 'relu'}
        Of the hidden layers. The output is linear.
    code_activation : {'auto', 'identity', 'logistic', 'tanh', 'relu'}
        Of the code. 'auto' leaves it linear between other layers, and takes ``activation`` where it is the only hidden
        layer.
    learning_rate_init : float
        Step size of Adam.
    max_iter : int
        Most passes through the data.
    tol, n_iter_no_change : float, int
        Training ends when more than ``n_iter_no_change`` passes in a row lower the smallest loss by less than ``tol``.
    batch_size : int or 'auto'
        Rows for a step; 'auto' is min(200, n).
    noise : float
        Standard deviation of fresh Gaussian noise on the input of each step; the clean row is what is to be said.
    tied : bool
        The decoder's weights are the transposed ones of the encoder. The layers must read the same backwards.
    sparsity, sparsity_target : float
        Weight of the price for mean activities of the code that differ from the target; needs a logistic code.
    random_state : int, Generator, RandomState or None
        Weights, order of the rows and noise. With 'code_activation' equal to ``activation`` and without extras the
        weights are those of scikit-learn's ``MLPRegressor(alpha=0)`` for the same int.

    Attributes
    ----------
    coefs_, intercepts_ : lists of (m, k) and of (k,) arrays
        Of all layers, as in scikit-learn.
    n_encoder_layers_ : int
        How many of them belong to the encoder.
    loss_curve_ : list of float
        Half the mean squared reconstruction error of each pass, :eq:`autoencoder-loss`, with noise and price if asked
        for.
    loss_ : float
    n_iter_, n_features_in_ : int

    Notes
    -----
    O(n P) time a pass for P weights. Sources: Rumelhart, Hinton and Williams (1986); Vincent et al. (2010) for the
    noise.

    Examples
    --------
    >>> t = np.linspace(-1, 1, 50)[:, None]
    >>> model = Autoencoder(1, "identity", max_iter=5000, tol=1e-9, n_iter_no_change=50, random_state=0)
    >>> model.fit(t @ [[3.0, 4.0]]).inverse_transform(model.transform([[3.0, 4.0]])).round(2)
    array([[3., 4.]])
    """

    def __init__(
        self,
        hidden_layer_sizes: int | Sequence[int] = (32, 2, 32),
        activation: str = "tanh",
        *,
        code_activation: str = "auto",
        learning_rate_init: float = 0.005,
        max_iter: int = 300,
        tol: float = 1e-4,
        n_iter_no_change: int = 10,
        batch_size: int | str = "auto",
        noise: float = 0.0,
        tied: bool = False,
        sparsity: float = 0.0,
        sparsity_target: float = 0.05,
        random_state: RandomState = None,
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.code_activation = code_activation
        self.learning_rate_init = learning_rate_init
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.batch_size = batch_size
        self.noise = noise
        self.tied = tied
        self.sparsity = sparsity
        self.sparsity_target = sparsity_target
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> Autoencoder:
        """Train the network on the rows of ``X``.

        Raises
        ------
        ValueError, TypeError
            Bad data or parameter; no hidden layer or one of width 0; tied layers that do not read the same backwards;
            a price of activity without a logistic code; a loss that is not finite.

        Warns
        -----
        ConvergenceWarning
            If the loss still fell in the last pass.
        """
        X = validate_data(self, X, dtype=float)
        encoder, decoder, rng = self._parts(X.shape[1])
        noise, sparsity = check_real(self.noise, "noise"), check_real(self.sparsity, "sparsity")
        target = check_positive(self.sparsity_target, "sparsity_target")
        if target >= 1:
            raise ValueError(f"sparsity_target must be below 1, got {self.sparsity_target}.")
        if sparsity and encoder.out_activation != "logistic":
            raise ValueError("sparsity needs mean activities between 0 and 1: set code_activation='logistic'.")
        settings = Settings(self, len(X))

        pair = Pair(encoder, decoder)

        def batch(rows: FloatArray) -> float:
            seen = corrupt(rows, noise, rng) if noise else rows  # autoencoder-corruption
            found = autoencoder_gradients(rows, seen, pair.encoder, pair.decoder, sparsity, target, pair.gradients)
            if self.tied:  # both copies of a weight take the same steps
                for G, H in zip(found.encoder.coefs, found.decoder.coefs[::-1], strict=True):
                    G += H.T  # autoencoder-tied-gradient
                    H[:] = G.T
            return found.loss

        self.loss_curve_ = train(X, pair, batch, settings, rng)
        self.loss_, self.n_iter_ = self.loss_curve_[-1], len(self.loss_curve_)
        self.n_encoder_layers_ = len(encoder.coefs)
        self.coefs_ = [*pair.encoder.coefs, *pair.decoder.coefs]
        self.intercepts_ = [*pair.encoder.intercepts, *pair.decoder.intercepts]
        self._activations = encoder.activation, encoder.out_activation
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """Codes (n, k) of the rows, without noise; :eq:`autoencoder-parts`."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return self._part(encoder=True).run(X)[-1]

    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """Rows (n, d) that the decoder makes of codes (n, k); :eq:`autoencoder-parts`.

        Raises
        ------
        ValueError
            If ``X`` has not as many columns as the code, or is not finite.
        """
        check_is_fitted(self)
        Z = check_shape(X, "X", (None, self._n_features_out))
        return self._part(encoder=False).run(Z)[-1]

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Minus the mean squared reconstruction error of the rows; :eq:`autoencoder-error`."""
        rebuilt = self.inverse_transform(self.transform(X))
        return -2 * output_loss(rebuilt, np.asarray(X, dtype=float), "squared_error")

    @property
    def _n_features_out(self) -> int:
        return int(self.intercepts_[self.n_encoder_layers_ - 1].size)

    def _part(self, encoder: bool) -> Part:
        k = self.n_encoder_layers_
        side = slice(None, k) if encoder else slice(k, None)
        last = self._activations[1] if encoder else "identity"
        return Part(self.coefs_[side], self.intercepts_[side], self._activations[0], last)

    def _parts(self, d: int) -> tuple[Part, Part, np.random.RandomState]:
        """Encoder and decoder at the start."""
        sizes = hidden_sizes(self.hidden_layer_sizes)
        if not sizes:
            raise ValueError("hidden_layer_sizes must name at least one layer, which holds the code, got none.")
        check_activation("activation", self.activation)
        check_activation("code_activation", self.code_activation, ("auto",))
        if not isinstance(self.tied, bool | np.bool_):
            raise TypeError(f"tied must be True or False, got {self.tied!r}.")
        if self.tied and sizes != sizes[::-1]:
            raise ValueError(f"tied weights need hidden_layer_sizes that read the same backwards, got {sizes}.")
        middle = (len(sizes) - 1) / 2
        code = min(range(len(sizes)), key=lambda k: (sizes[k], abs(k - middle)))
        if self.tied and code != middle:
            raise ValueError(f"tied weights need the narrowest layer in the middle, got hidden_layer_sizes={sizes}.")
        last = self.code_activation
        if last == "auto":
            last = self.activation if len(sizes) == 1 else "identity"
        rng = generator(self.random_state)
        whole = start([d, *sizes, d], rng, self.activation, "identity")
        W, b, k = whole.coefs, whole.intercepts, code + 1
        outer = [w.T for w in W[k - 1 :: -1]] if self.tied else W[k:]
        return Part(W[:k], b[:k], self.activation, last), whole._replace(coefs=outer, intercepts=b[k:]), rng
