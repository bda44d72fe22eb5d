r"""Autoencoders: nine rows, a small random network, linear pairs by NumPy, a code of one number by quadrature."""

import numpy as np
from scipy.integrate import quad
from scipy.special import logsumexp, softmax
from scipy.stats import entropy, multivariate_normal, norm

from notes_lib.networks.autoencoder import (
    Part,
    autoencoder_gradients,
    best_decoder,
    code_gradient,
    corrupt,
    denoising_factors,
    evidence_bound,
    kl_to_prior,
    linear_autoencoder,
    linear_error,
    linear_gradients,
    log_noise_density,
    reparametrise,
    sparsity_penalty,
)
from notes_lib.networks.backpropagation import forward, initial_weights
from tests.formulas.values import At, Instance

N, D, K = 9, 4, 2
X_, Z_, EX = r"\mathbf{x}_#", r"\mathbf{z}_#", r"\operatorname{E}_q[\ln p(\mathbf{x}\mid\mathbf{z})]"
PRICE, GAP = r"\operatorname{KL}(q\Vert p)", r"\operatorname{KL}(q\Vert p(\cdot\mid\mathbf{x}))"


def network(rng, X):
    """A random network with a logistic code, its loss with noise and price, and what the decoder tells the encoder."""
    old = np.random.RandomState(int(rng.integers(2**31)))
    W, b = initial_weights([D, 3, K], old, "tanh")
    V, c = initial_weights([K, 3, D], old, "tanh")
    encoder, decoder = Part(W, b, "tanh", "logistic"), Part(V, c, "tanh", "identity")
    h = lambda x: forward(np.atleast_2d(x), W, b, "tanh", "logistic")[-1][0]
    g = lambda z: forward(np.atleast_2d(z), V, c, "tanh")[-1][0]
    seed, noise, beta, rho = int(rng.integers(100)), 0.7, 1.3, 0.2
    Y, E = corrupt(X, noise, np.random.default_rng(seed)), np.random.default_rng(seed).normal(size=X.shape)
    layers = decoder.run(encoder.run(X)[-1])
    codes = layers[0]
    slopes = lambda n: V[1].T @ np.diag(1 - layers[1][n - 1] ** 2) @ V[0].T
    activity = codes.mean(axis=0)
    price = lambda p: sum(entropy([rho, 1 - rho], [q, 1 - q]) for q in np.ravel(p))
    plain, priced = (autoencoder_gradients(X, X, encoder, decoder, s, rho).loss for s in (0.0, beta))
    return {
        "h": h, "g": g, Z_: codes, r"\hat{\mathbf{x}}_#": layers[-1], "J": plain,
        "E": float(np.mean([np.sum((x - g(h(x))) ** 2) for x in X])),
        r"\boldsymbol{\delta}_#": code_gradient(decoder, layers, layers[-1] - X), r"\mathbf{G}_#": slopes,
        r"\mathbf{y}_#": Y, r"\boldsymbol{\varepsilon}_#": E, r"\sigma": noise,
        r"J_\sigma": autoencoder_gradients(X, Y, encoder, decoder).loss, r"J_\beta": priced, r"\beta": beta,
        r"\rho": rho, r"\hat\rho_#": activity, "P": At(price, r"\hat\rho_#"),
    }, price(activity) - sparsity_penalty(activity, rho)  # fmt: skip


def best_guess(rng, X):
    """The denoiser by softmax, densities of noisy rows by SciPy and by the library."""
    y, noise = X[0] + 0.3 * rng.normal(size=D), 0.8
    logs = np.array([multivariate_normal(x, noise**2 * np.eye(D)).logpdf(y) for x in X])
    density = lambda y: np.mean([multivariate_normal(x, noise**2 * np.eye(D)).pdf(np.ravel(y)) for x in X])
    log_density = lambda y: logsumexp(log_noise_density(X, np.tile(np.ravel(y), (N, 1)), noise**2)) - np.log(N)
    return {
        r"\mathbf{y}": y, r"r(\mathbf{y})": softmax(logs) @ X, r"\sigma^2": noise**2, "p": density, "L": log_density,
    }  # fmt: skip


def one_code(rng):
    """A decoder with a bend and a code of one number: likelihood, bound and gap by quadrature."""
    a, v, mu, s = rng.normal(size=2), rng.uniform(0.2, 0.6), rng.normal() / 2, rng.uniform(0.4, 0.9)
    g = lambda z: np.array([np.sin(a[0] + 2 * float(np.ravel(z)[0])), float(np.ravel(z)[0]) + a[1]])
    x, z = rng.normal(size=2), rng.normal()
    of_x = lambda z: multivariate_normal(g(z), v * np.eye(2)).pdf(x)
    points, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    codes = mu + s * points
    dense = np.array([np.log(of_x(z)) for z in codes])
    fine = np.linspace(-9, 9, 20_001)
    evidence = np.sum([of_x(z) * norm.pdf(z) for z in fine[::10]]) * (fine[10] - fine[0])
    q = norm(mu, s)
    price = quad(lambda z: q.pdf(z) * (q.logpdf(z) - norm.logpdf(z)), mu - 9 * s, mu + 9 * s, epsabs=1e-12)[0]
    rows = lambda value: np.full((80, 1), value)
    bounds = evidence_bound(
        np.tile(x, (80, 1)), [g(z) for z in codes], v, rows(mu), rows(2 * np.log(s)))  # fmt: skip
    to_posterior = weights @ (q.logpdf(codes) - dense - norm.logpdf(codes)) + np.log(evidence)
    return {
        r"\mathbf{x}": x, r"\mathbf{z}": z, "z": 0.0, "g": g, r"\sigma^2": v, "D": 2,
        r"p(\mathbf{x}\mid\mathbf{z})": of_x(z), r"p(\mathbf{x}\mid z)": At(of_x, "z"), "p(z)": At(norm.pdf, "z"),
        r"p(\mathbf{x})": evidence, "F": weights @ bounds, EX: weights @ dense, PRICE: price, GAP: to_posterior,
    }  # fmt: skip


def encoder_says(rng):
    """Means and spreads of two codes, one draw, and the bound with it."""
    mu, s, eps = rng.normal(size=2), rng.uniform(0.3, 1.5, size=2), rng.normal(size=2)
    W, x, v = rng.normal(size=(3, 2)), rng.normal(size=3), 0.6

    def bound(mu, s):
        mu, log_var = np.ravel(mu)[None], 2 * np.log(np.ravel(s)[None])
        z = reparametrise(mu, log_var, eps[None])
        return evidence_bound(x[None], np.sin(z @ W.T), v, mu, log_var)[0]

    z = reparametrise(mu[None], 2 * np.log(s[None]), eps[None])[0]
    return {
        "k": range(1, 3), "K": 2, r"\mu_#": mu, "s_#": s, r"\varepsilon_#": eps, "z_#": z,
        PRICE: kl_to_prior(mu[None], 2 * np.log(s[None]))[0], r"\hat F": At(bound, r"\mu_#", "s_#"),
        "d_#": W.T @ (np.cos(W @ z) * (np.sin(W @ z) - x)) / v, r"\mathbf{z}": z,
        r"q(\mathbf{z})": multivariate_normal(mu, np.diag(s**2)).pdf(z),
        r"\mathcal{N}": lambda z, m, v: norm(m, np.sqrt(v)).pdf(z),
    }  # fmt: skip


def instance(seed):
    """Covariance and axes by NumPy; the pairs from the library."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, D)) @ rng.normal(size=(D, D))
    X -= X.mean(axis=0)
    S = X.T @ X / N
    lam, U = (v[..., ::-1] for v in np.linalg.eigh(S))
    A, B = rng.normal(size=(K, D)), rng.normal(size=(D, K))
    Q = np.linalg.qr(B)[0]
    M, way = rng.normal(size=(K, K)), rng.uniform(0.2, 1.4)
    turn = np.array([[np.cos(way), -np.sin(way)], [np.sin(way), np.cos(way)]])
    best = linear_autoencoder(X, K, np.diag(np.sign(np.sum(U[:, :K] * linear_autoencoder(X, K).B, axis=0))) @ M)
    across = float(np.mean(np.sum((X - X @ Q @ Q.T) ** 2, axis=1)))
    parts, difference = network(rng, X)
    assert abs(difference) < 1e-12
    both = linear_gradients(S, A, A.T)
    rest = np.eye(D) - A.T @ A
    sigma2 = 0.6
    linear = {
        "n": range(1, N + 1), "i": range(1, D + 1), "N": N, "D": D, "K": K, "k": range(1, K + 1), X_: X,
        r"\mathbf{S}": S, r"\lambda_#": lam, r"\mathbf{U}": U[:, :K], r"\boldsymbol{\Lambda}": np.diag(lam[:K]),
        r"\mathbf{A}": A, r"\mathbf{B}": B, r"\mathbf{Q}": Q, r"\mathbf{M}": M, r"\mathbf{I}": np.eye(D),
        r"E(\mathbf{A},\mathbf{B})": float(np.mean(np.sum((X - X @ A.T @ B.T) ** 2, axis=1))),
        r"\mathbf{C}": np.cov((X @ best.A.T).T, ddof=0), r"\sigma^2": sigma2, "m_#": np.diag(
            U.T @ np.linalg.solve(S + sigma2 * np.eye(D), S) @ U),
        r"\mathbf{R}": U @ np.diag(denoising_factors(lam, sigma2)) @ U.T,
        r"\mathbf{D}_{\mathbf{A}}": linear_gradients(S, A, B).A,
        r"\mathbf{D}_{\mathbf{B}}": linear_gradients(S, A, B).B,
        r"\mathcal{I}": frozenset({1, 3}),
        r"E(\mathbf{U}_{\mathcal{I}}^\top,\mathbf{U}_{\mathcal{I}})": linear_error(S, U[:, [0, 2]].T, U[:, [0, 2]]),
    }  # fmt: skip
    solved = {r"\mathbf{A}": best.A, r"\mathbf{B}": best.B}
    tied = {
        r"\mathbf{D}": -2 * A @ (rest @ S + S @ rest), r"\mathbf{D}_{\mathbf{A}}": both.A,
        r"\mathbf{D}_{\mathbf{B}}": both.B, r"\mathbf{M}": turn, r"\mathbf{A}": turn.T @ U[:, :K].T,
        r"\mathbf{B}": U[:, :K] @ turn,
    }  # fmt: skip
    W, mean, x, v = rng.normal(size=(D, K)), rng.normal(size=D), rng.normal(size=D), 0.4
    hidden = {
        r"\mathbf{W}": W, r"\bar{\mathbf{x}}": mean, r"\mathbf{x}": x, r"\sigma^2": v, r"\mathbf{I}": np.eye(K),
        r"\boldsymbol{\mu}": W.T @ np.linalg.solve(W @ W.T + v * np.eye(D), x - mean),
    }  # fmt: skip
    residuals = np.array([x - parts["g"](z) for x, z in zip(X, parts[Z_], strict=True)])
    says, bend = encoder_says(rng), one_code(rng)
    own = dict.fromkeys(
        ["autoencoder-parts", "autoencoder-error", "autoencoder-loss", "autoencoder-chain", "autoencoder-corruption",
         "autoencoder-denoising-loss", "autoencoder-sparse-penalty", "autoencoder-sparse-loss",
         "autoencoder-sparse-gradient", "autoencoder-must-know-parts"], parts,
    ) | {
        "autoencoder-noise": parts | {r"\sigma^2": norm.fit(residuals.ravel(), floc=0)[1] ** 2},
        "autoencoder-linear-solutions": solved, "autoencoder-code-covariance": {}, "autoencoder-recover": solved,
        "autoencoder-must-know-linear": solved,
        "autoencoder-best-decoder": {r"\mathbf{B}": best_decoder(S, A)},
        "autoencoder-tied": tied, "autoencoder-tied-gradient": tied, "autoencoder-must-know-tied": tied,
        "autoencoder-must-know-denoising": {r"\mathbf{y}_#": parts[r"\mathbf{y}_#"], r"\sigma": parts[r"\sigma"],
                                            r"\boldsymbol{\varepsilon}_#": parts[r"\boldsymbol{\varepsilon}_#"]},
        "autoencoder-denoising-best": best_guess(rng, X), "autoencoder-score": best_guess(rng, X),
        "autoencoder-ppca": hidden,
    }  # fmt: skip
    own |= dict.fromkeys(
        ["autoencoder-generative", "autoencoder-marginal", "autoencoder-elbo", "autoencoder-gap",
         "autoencoder-must-know-elbo"], bend,
    )  # fmt: skip
    own |= dict.fromkeys(
        ["autoencoder-posterior", "autoencoder-kl", "autoencoder-sample", "autoencoder-gradient-mu",
         "autoencoder-gradient-s", "autoencoder-must-know-kl"], says,
    )  # fmt: skip
    worth = {
        "autoencoder-linear-bound": {1: across, 2: float(lam[K:].sum())},
        "autoencoder-must-know-linear": {1: float(lam[K:].sum())},
    }
    return Instance(linear, own, worth=worth)


UNREAD: dict[str, str] = {}
