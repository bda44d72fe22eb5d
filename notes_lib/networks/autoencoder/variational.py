"""The variational autoencoder: the encoder names a Gaussian of codes, and the bound of a likelihood is climbed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_positive, check_shape
from notes_lib.networks.autoencoder.joined import Pair, Part, check_activation, code_gradient, hidden_sizes, start
from notes_lib.networks.autoencoder.model import Losses
from notes_lib.networks.autoencoder.steps import evidence_bound, reparametrise
from notes_lib.networks.autoencoder.training import Settings, train
from notes_lib.networks.backpropagation.steps import Gradients, backward, generator
from notes_lib.numerics import RandomState


def bound_gradients(
    X: FloatArray,
    eps: FloatArray,
    encoder: Part,
    decoder: Part,
    noise_variance: float,
    out: tuple[Gradients, Gradients] | None = None,
) -> Losses:
    """Minus the estimated mean bound of some rows, and its gradients; :eq:`autoencoder-elbo`.

    Parameters
    ----------
    X : (n, d) array
    eps : (n, k) array
        Standard normal numbers, held fixed while the gradient is taken; :eq:`autoencoder-sample`.
    encoder : Part
        With 2 k outputs: means, then logarithms of the variances.
    decoder : Part
    noise_variance : float
    out : pair of Gradients, optional
        Arrays to write into.

    Returns
    -------
    Losses

    Notes
    -----
    O(n P) time for P weights.
    """
    inner = encoder.run(X)
    mu, log_var = np.split(inner[-1], 2, axis=1)
    outer = decoder.run(reparametrise(mu, log_var, eps))
    loss = -float(evidence_bound(X, outer[-1], noise_variance, mu, log_var).mean())
    delta = (outer[-1] - X) / noise_variance
    to_codes = code_gradient(decoder, outer, delta)  # (n, k)
    by_mu = to_codes + mu  # autoencoder-gradient-mu
    by_log_var = 0.5 * (to_codes * eps * np.exp(log_var / 2) + np.expm1(log_var))  # autoencoder-gradient-s
    into, onto = out if out is not None else (None, None)
    return Losses(
        loss,
        backward(inner, np.hstack([by_mu, by_log_var]), encoder.coefs, encoder.activation, out=into),
        backward(outer, delta, decoder.coefs, decoder.activation, out=onto),
    )


class VariationalAutoencoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A generative model ``x = g(z) + noise`` with a network g, fitted together with an encoder that guesses z.

    Parameters
    ----------
    n_components : int
        Size k of the code.
    hidden_layer_sizes : int or sequence of int
        Widths of the encoder's hidden layers; the decoder has them backwards. None makes both parts linear: the model
        is then probabilistic PCA.
    activation : {'identity', 'logistic', 'tanh', 'relu'}
    noise_variance : float or None
        Variance of the noise in each direction. None sets it after each pass to the mean squared error per entry,
        which is where the bound is largest; :eq:`autoencoder-noise`.
    learning_rate_init, max_iter, tol, n_iter_no_change, batch_size : as in :class:`Autoencoder`
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    lower_bounds_ : list of float
        Mean estimated bound per row of each pass, in nats.
    noise_variance_ : float
    n_iter_, n_features_in_ : int

    Notes
    -----
    One code is drawn for each row and pass. O(n P) time a pass for P weights. Source: Kingma and Welling (2014).

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(100, 1)) @ [[1.0, 1.0]]
    >>> model = VariationalAutoencoder(1, (), noise_variance=0.1, tol=0.01, random_state=0).fit(X)
    >>> model.sample(3, random_state=0).shape
    (3, 2)
    """

    def __init__(
        self,
        n_components: int = 2,
        hidden_layer_sizes: int | Sequence[int] = (32,),
        activation: str = "tanh",
        *,
        noise_variance: float | None = None,
        learning_rate_init: float = 0.005,
        max_iter: int = 300,
        tol: float = 1e-4,
        n_iter_no_change: int = 10,
        batch_size: int | str = "auto",
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.noise_variance = noise_variance
        self.learning_rate_init = learning_rate_init
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.batch_size = batch_size
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> VariationalAutoencoder:
        """Climb the bound on the rows of ``X``.

        Raises
        ------
        ValueError, TypeError
            Bad data or parameter; a layer of width 0; rows that are all equal while the noise is to be learned; a loss
            that is not finite.

        Warns
        -----
        ConvergenceWarning
            If the bound still rose in the last pass.
        """
        X = validate_data(self, X, dtype=float, ensure_min_samples=2)
        (n, d), k = X.shape, check_integer(self.n_components, "n_components")
        sizes = hidden_sizes(self.hidden_layer_sizes)
        check_activation("activation", self.activation)
        settings, rng = Settings(self, n), generator(self.random_state)
        if self.noise_variance is None:
            noise = check_positive(X.var(axis=0).mean(), "the variance of X", ": give noise_variance")
        else:
            noise = check_positive(self.noise_variance, "noise_variance")
        encoder = start([d, *sizes, 2 * k], rng, self.activation, "identity")
        pair = Pair(encoder, start([k, *sizes[::-1], d], rng, self.activation, "identity"))
        floor = 1e-6 * noise

        def batch(rows: FloatArray) -> float:
            eps = rng.normal(size=(len(rows), k))
            return bound_gradients(rows, eps, pair.encoder, pair.decoder, noise, pair.gradients).loss

        def learn_noise() -> None:
            nonlocal noise
            mu, log_var = np.split(pair.encoder.run(X)[-1], 2, axis=1)
            means = pair.decoder.run(reparametrise(mu, log_var, rng.normal(size=mu.shape)))[-1]
            noise = max(float(((X - means) ** 2).mean()), floor)  # autoencoder-noise

        after_epoch = learn_noise if self.noise_variance is None else lambda: None
        curve = train(X, pair, batch, settings, rng, after_epoch)
        self.lower_bounds_, self.n_iter_ = [-loss for loss in curve], len(curve)
        self.noise_variance_ = noise
        self._encoder, self._decoder, self._n_features_out = pair.encoder, pair.decoder, k
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """Means (n, k) of the codes of the rows."""
        return self.posterior(X)[0]

    def posterior(self, X: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """What the encoder says of each row: means and variances (n, k) of a Gaussian; :eq:`autoencoder-posterior`."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        mu, log_var = np.split(self._encoder.run(X)[-1], 2, axis=1)
        return mu, np.exp(log_var)

    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """Rows (n, d) that the decoder makes of codes (n, k), without noise.

        Raises
        ------
        ValueError
            If ``X`` has not as many columns as the code, or is not finite.
        """
        check_is_fitted(self)
        return self._decoder.run(check_shape(X, "X", (None, self._n_features_out)))[-1]

    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> FloatArray:
        """New rows: codes from the prior, decoded, with noise; :eq:`autoencoder-generative`.

        Raises
        ------
        TypeError, ValueError
            If ``n_samples`` is no integer from 1 on.
        """
        check_is_fitted(self)
        rng = generator(random_state)
        means = self.inverse_transform(rng.normal(size=(check_integer(n_samples, "n_samples"), self._n_features_out)))
        return means + np.sqrt(self.noise_variance_) * rng.normal(size=means.shape)

    def score(self, X: ArrayLike, y: object = None, n_draws: int = 100) -> float:
        """Mean bound per row, :eq:`autoencoder-elbo`, averaged over ``n_draws`` codes of each row.

        Raises
        ------
        TypeError, ValueError
            If ``n_draws`` is no integer from 1 on.
        """
        mu, var = self.posterior(X)
        X, rng, total = np.asarray(X, dtype=float), np.random.RandomState(0), 0.0
        for _ in range(check_integer(n_draws, "n_draws")):
            means = self._decoder.run(reparametrise(mu, np.log(var), rng.normal(size=mu.shape)))[-1]
            total += float(evidence_bound(X, means, self.noise_variance_, mu, np.log(var)).mean())
        return total / n_draws
