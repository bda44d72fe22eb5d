"""The quiz of the chapter *Autoencoders*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from sklearn.exceptions import ConvergenceWarning

from notes_lib.networks.autoencoder import (
    Autoencoder,
    best_decoder,
    evidence_bound,
    kl_to_prior,
    linear_autoencoder,
    linear_error,
    linear_gradients,
)
from notes_lib.numerics import central_difference
from notes_lib.reduction.pca import probabilistic_pca
from tests.claims.deciding import Numbers, decided


def quiz_least(first, second, third, fourth, size):
    """A covariance matrix has the eigenvalues <first>, <second>, <third> and <fourth>. The least error of a linear
    autoencoder with a code of <size> numbers is"""
    lam = np.array([first, second, third, fourth])
    k = int(size)
    S, axes = np.diag(lam), np.eye(4)
    least = linear_error(S, axes[:k], axes[:k].T)
    rng = np.random.default_rng(0)
    tried = [linear_error(S, A, best_decoder(S, A)) for A in rng.normal(size=(300, k, 4))]
    assert least <= min(tried)
    return Numbers(least, [lam[:k].sum(), linear_error(S, axes[:1], axes[:1].T), lam[k]])


def quiz_factor(variance, noise):
    """A score has the variance <variance> and the noise the variance <noise>. The best linear denoiser multiplies the
    score by"""
    m = np.linspace(0, 4, 4001)
    best = m[((1 - m) ** 2 * variance + m**2 * noise).argmin()]
    return Numbers(round(best, 9), [1 - round(best, 9), variance / noise, 1])


def quiz_kl(mu, s):
    r"""The encoder says $\mu=<mu>$ and $s=<s>$ for a code of one number. The divergence from the prior is"""
    q = norm(mu, s)
    price = quad(lambda z: q.pdf(z) * (q.logpdf(z) - norm.logpdf(z)), mu - 9 * s, mu + 9 * s)[0]
    return Numbers(round(price, 7), [2 * round(price, 7), (mu**2 + s**2) / 2, mu / 2])


def quiz_sample(mu, s, eps):
    r"""An encoder says $\mu=<mu>$, $s=<s>$, and $\varepsilon=<eps>$ is drawn. The code is"""
    code = norm(mu, s).ppf(norm.cdf(eps))  # the same quantile
    return Numbers(round(code, 9), [mu + s * abs(eps), mu + s**2 * eps, mu + eps])


def _cloud(scale=(3.0, 2.0, 1.0, 0.5)):
    X = np.random.default_rng(0).normal(size=(60, 4)) @ np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))[0]
    X = X * scale
    return X - X.mean(axis=0)


def _product(X, k, mixing=None):
    model = linear_autoencoder(X, k, mixing)
    return model.B @ model.A


def quiz_same():
    """Which of these leave the reconstructions of a linear autoencoder at its minimum as they are? (Mark all.)"""
    X = _cloud()
    now = _product(X, 2)
    tied = Autoencoder(2, "identity", tied=True, learning_rate_init=0.01, max_iter=3000, tol=1e-12,
                       n_iter_no_change=300, random_state=0).fit(X)  # fmt: skip
    W = tied.coefs_[0]
    larger = X * [1, 1, 5, 1]
    return {
        "mixing the codes by an invertible matrix, undone in the decoder": np.allclose(
            _product(X, 2, [[2, 1], [0.3, -1]]), now
        ),
        "tying the weights and training again": np.allclose(W @ W.T, now, atol=0.02),
        "one more code unit": np.allclose(_product(X, 3), now, atol=0.02),
        "a larger scale of one column": np.allclose(
            larger @ _product(larger, 2).T / [1, 1, 5, 1], X @ now.T, atol=0.02
        ),
    }


def quiz_forbid():
    """Which of these forbid that an autoencoder with a wide linear code simply copies? (Mark all.)"""
    S = np.cov(_cloud().T, ddof=0)
    identity = np.eye(4)
    risk = lambda M: np.trace((identity - M) @ S @ (identity - M).T) + 0.5 * np.sum(M**2)  # noise, clean target
    best = S @ np.linalg.inv(S + 0.5 * identity)
    narrow = linear_autoencoder(_cloud(), 3)
    many = np.vstack([_cloud()] * 5)
    copies = lambda A, B, S: linear_error(S, A, B) < 1e-12
    return {
        "noise on the input, the clean row as target": risk(identity) > risk(best) + 0.01,
        "a code narrower than the data's rank": not copies(narrow.A, narrow.B, S),
        "tied weights": not copies(identity, identity.T, S),
        "more training rows": not copies(identity, identity, np.cov(many.T, ddof=0)),
    }


def tf_total():
    """The codes of a tied linear autoencoder at its minimum have the same total variance as PCA's scores."""
    X = _cloud()
    turn = np.linalg.qr(np.random.default_rng(2).normal(size=(2, 2)))[0]
    scores, tied, free = (
        (X @ linear_autoencoder(X, 2, M).A.T).var(axis=0).sum() for M in (None, turn, [[2.0, 0.0], [0.0, 1.0]])
    )
    assert not np.isclose(free, scores)  # without tying it is another
    return np.isclose(tied, scores)


def tf_minima():
    """The error of a linear autoencoder has local minima that are not global."""
    S = np.cov(_cloud().T, ddof=0)
    U = np.linalg.eigh(S)[1][:, ::-1]

    def lowest_curvature(axes):
        A = U[:, list(axes)].T
        assert np.abs(linear_gradients(S, A, A.T).A).max() < 1e-10  # stationary
        both = np.concatenate([A.ravel(), A.ravel(order="F")])
        slope = lambda v: np.concatenate(
            [g.ravel() for g in linear_gradients(S, v[:8].reshape(2, 4), v[8:].reshape(4, 2))]
        )
        H = np.array(central_difference(slope, both, 1e-5)).reshape(16, 16)
        return np.linalg.eigvalsh((H + H.T) / 2).min()

    assert lowest_curvature((0, 1)) > -1e-6  # at the global minimum
    others = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    return any(lowest_curvature(axes) > -1e-6 for axes in others)


def _linear_bound(shift):
    """Mean bound over many draws less the log-likelihood, for a posterior that is shifted."""
    X = _cloud()
    fit = probabilistic_pca(X, 2)
    M = fit.W.T @ fit.W + fit.noise_variance * np.eye(2)
    mu = np.linalg.solve(M, fit.W.T @ (X - fit.mean).T).T + shift
    log_var = np.tile(np.log(fit.noise_variance / np.diag(M)), (len(X), 1))
    rng, draws = np.random.default_rng(0), []
    for _ in range(400):
        z = mu + np.exp(log_var / 2) * rng.normal(size=mu.shape)
        draws.append(evidence_bound(X, fit.mean + z @ fit.W.T, fit.noise_variance, mu, log_var).mean())
    return np.mean(draws) - fit.log_likelihood / len(X), np.std(draws) / 20


def tf_tight():
    """With the exact posterior as $q$ the bound equals the log-likelihood."""
    exact, error = _linear_bound(0.0)
    shifted, _ = _linear_bound(0.5)
    assert shifted < -0.1  # another q gives something away
    return abs(exact) < 4 * error


def tf_exceed():
    """The bound of a variational autoencoder can exceed the log-likelihood."""
    rng = np.random.default_rng(0)
    joint = lambda z: norm.pdf(0.6, np.sin(2 * z), 0.5) * norm.pdf(z)
    evidence = np.log(quad(joint, -8, 8)[0])
    points, weights = np.polynomial.hermite_e.hermegauss(100)
    gaps = []
    for mu, s in zip(rng.normal(size=40), rng.uniform(0.2, 2, 40), strict=True):
        z = mu + s * points
        dense = weights @ norm(np.sin(2 * z), 0.5).logpdf(0.6) / weights.sum()
        gaps.append(dense - kl_to_prior([[mu]], [[2 * np.log(s)]])[0] - evidence)
    assert min(gaps) < -0.1
    return max(gaps) > 0


def tf_narrow():
    """A denoising autoencoder needs a code that is narrower than its input."""
    t = np.random.default_rng(0).uniform(-2, 2, 200)
    X = 1.5 * np.column_stack([np.sin(t), np.cos(t)])
    wide = Autoencoder((16, 16), noise=0.3, learning_rate_init=0.02, max_iter=150, tol=0, n_iter_no_change=150,
                       code_activation="tanh", random_state=0)  # fmt: skip
    with pytest.warns(ConvergenceWarning):
        wide.fit(X)
    Y = X + 0.3 * np.random.default_rng(1).normal(size=X.shape)
    before = ((Y - X) ** 2).sum(axis=1).mean()
    after = ((wide.inverse_transform(wide.transform(Y)) - X) ** 2).sum(axis=1).mean()
    return after > 0.8 * before


test_claim = decided("networks/autoencoder", globals())
