"""Autoencoders against PCA, scikit-learn's network, finite differences, SciPy's integrals and known bounds."""

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.networks.autoencoder import (
    Autoencoder,
    Pair,
    Part,
    VariationalAutoencoder,
    autoencoder_gradients,
    axes_of_decoder,
    best_decoder,
    bound_gradients,
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
    sparsity_gradient,
    sparsity_penalty,
)
from notes_lib.networks.autoencoder.joined import start
from notes_lib.numerics import central_difference
from notes_lib.reduction.pca import PCA, mean_and_covariance, principal_axes, probabilistic_pca

SMITH = np.array([[2.5, 2.4], [0.5, 0.7], [2.2, 2.9], [1.9, 2.2], [3.1, 3.0], [2.3, 2.7], [2.0, 1.6], [1.0, 1.1],
                  [1.5, 1.6], [1.1, 0.9]])  # fmt: skip
SEEDS = st.integers(0, 2**31)


def cloud(seed, n=60, d=4):
    """Rows with different variances along turned axes, away from the origin."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return rng.normal(size=(n, d)) * np.arange(d, 0, -1) @ turn + rng.normal(size=d)


def pair(rng, d=3, hidden=4, k=2, activation="tanh", last="identity"):
    """A small encoder and decoder with random weights."""
    old = np.random.RandomState(int(rng.integers(2**31)))
    return start([d, hidden, k], old, activation, last), start([k, hidden, d], old, activation, "identity")


def by_parameters(encoder, decoder, loss):
    """Finite differences of a loss by all parameters of both parts, in the order of ``Pair``."""
    both = Pair(encoder, decoder)

    def at(theta):
        both.theta[:] = theta
        return loss(both.encoder, both.decoder)

    return central_difference(at, both.theta.copy(), 1e-6)


def flat(found, encoder, decoder):
    """The gradients in the same order."""
    both = Pair(encoder, decoder)
    for into, out in zip(both.gradients, (found.encoder, found.decoder), strict=True):
        for a, b in zip((*into.coefs, *into.intercepts), (*out.coefs, *out.intercepts), strict=True):
            a[:] = b
    return both.gradient


class TestGolden:
    @pytest.mark.equation("autoencoder-linear-solutions", "autoencoder-linear-bound")
    def test_smiths_ten_points(self):
        # L. I. Smith (2002), A tutorial on Principal Components Analysis: scores and eigenvalues, divisor n - 1
        model = linear_autoencoder(SMITH, 1)
        codes = (SMITH - model.mean) @ model.A.T
        scores = [-0.827970186, 1.77758033, -0.992197494, -0.274210416, -1.67580142, -0.912949103, 0.099109437,
                  1.14457216, 0.438046137, 1.22382056]  # fmt: skip
        assert codes[:, 0] == pytest.approx(-np.array(scores), abs=2e-8)
        error = linear_error(mean_and_covariance(SMITH, ddof=0)[1], model.A, model.B)
        assert error == pytest.approx(0.9 * 0.0490833989, abs=2e-9)

    @pytest.mark.equation("autoencoder-linear-bound")
    def test_johnson_and_wicherns_covariance(self):
        # R. A. Johnson and D. W. Wichern, example 8.1: eigenvalues 5.83, 2.00, 0.17
        S = np.array([[1.0, -2, 0], [-2, 5, 0], [0, 0, 2]])
        U = principal_axes(S, 2).components
        assert linear_error(S, U, U.T) == pytest.approx(0.17, abs=0.006)


class TestLinear:
    @pytest.mark.equation("autoencoder-linear-error")
    @given(SEEDS)
    @settings(max_examples=20)
    def test_error_is_the_mean_over_rows(self, seed):
        rng, X = np.random.default_rng(seed), cloud(seed)
        mean, S = mean_and_covariance(X, ddof=0)
        A, B = rng.normal(size=(2, 4)), rng.normal(size=(4, 2))
        rebuilt = mean + (X - mean) @ A.T @ B.T
        assert linear_error(S, A, B) == pytest.approx(((X - rebuilt) ** 2).sum(axis=1).mean())

    @pytest.mark.equation("autoencoder-linear-gradient", "autoencoder-tied-gradient")
    @given(SEEDS)
    @settings(max_examples=20)
    def test_gradients_by_differences(self, seed):
        rng = np.random.default_rng(seed)
        S, A, B = np.cov(cloud(seed).T), rng.normal(size=(2, 4)), rng.normal(size=(4, 2))
        found = linear_gradients(S, A, B)
        by_A = central_difference(lambda a: linear_error(S, a.reshape(2, 4), B), A.ravel(), 1e-5)
        by_B = central_difference(lambda b: linear_error(S, A, b.reshape(4, 2)), B.ravel(), 1e-5)
        assert found.A.ravel() == pytest.approx(by_A, rel=1e-5, abs=1e-5)
        assert found.B.ravel() == pytest.approx(by_B, rel=1e-5, abs=1e-5)
        tied = linear_gradients(S, A, A.T)
        by_W = central_difference(lambda w: linear_error(S, w.reshape(2, 4), w.reshape(2, 4).T), A.ravel(), 1e-5)
        assert (tied.A + tied.B.T).ravel() == pytest.approx(by_W, rel=1e-5, abs=1e-5)

    @pytest.mark.equation("autoencoder-best-decoder")
    @given(SEEDS)
    @settings(max_examples=20)
    def test_best_decoder_is_stationary_and_least_squares(self, seed):
        rng, X = np.random.default_rng(seed), cloud(seed)
        X = X - X.mean(axis=0)
        S, A = X.T @ X / len(X), rng.normal(size=(2, 4))
        B = best_decoder(S, A)
        assert pytest.approx(np.linalg.lstsq(X @ A.T, X)[0].T) == B
        assert pytest.approx(np.zeros((4, 2)), abs=1e-9) == linear_gradients(S, A, B).B

    @pytest.mark.equation("autoencoder-linear-bound", "autoencoder-linear-solutions")
    @given(SEEDS, st.integers(1, 3))
    @settings(max_examples=20)
    def test_no_pair_beats_the_discarded_variances(self, seed, k):
        rng, X = np.random.default_rng(seed), cloud(seed)
        S = mean_and_covariance(X, ddof=0)[1]
        least = principal_axes(S).eigenvalues[k:].sum()
        model = linear_autoencoder(X, k, rng.normal(size=(k, k)) + 3 * np.eye(k))
        assert linear_error(S, model.A, model.B) == pytest.approx(least)
        rebuilt = PCA(k).fit(X).inverse_transform(PCA(k).fit(X).transform(X))
        assert model.mean + (X - model.mean) @ model.A.T @ model.B.T == pytest.approx(rebuilt)
        for _ in range(10):
            A = rng.normal(size=(k, 4))
            assert linear_error(S, A, best_decoder(S, A)) >= least * (1 - 1e-12)

    @pytest.mark.equation("autoencoder-saddle")
    def test_other_axes_are_stationary_and_no_minimum(self):
        X = cloud(3)
        S = mean_and_covariance(X, ddof=0)[1]
        axes = principal_axes(S)
        U = axes.components[[0, 2]]
        assert all(g == pytest.approx(np.zeros(g.shape), abs=1e-10) for g in linear_gradients(S, U, U.T))
        assert linear_error(S, U, U.T) == pytest.approx(axes.eigenvalues[[1, 3]].sum())
        turned = np.array([U[0], np.cos(0.01) * U[1] + np.sin(0.01) * axes.components[1]])
        assert linear_error(S, turned, turned.T) < linear_error(S, U, U.T)

    @pytest.mark.equation("autoencoder-recover", "autoencoder-code-covariance")
    @given(SEEDS)
    @settings(max_examples=20)
    def test_axes_come_back_from_any_solution(self, seed):
        rng, X = np.random.default_rng(seed), cloud(seed)
        model = linear_autoencoder(X, 2, rng.normal(size=(2, 2)) + 3 * np.eye(2))
        C = np.cov(((X - model.mean) @ model.A.T).T, ddof=0)
        pca = PCA(2).fit(X)
        found = axes_of_decoder(model.B, C)
        assert found.components == pytest.approx(pca.components_, abs=1e-6)
        assert found.eigenvalues == pytest.approx(pca.explained_variance_ * (len(X) - 1) / len(X))

    @pytest.mark.equation("autoencoder-shrinkage", "autoencoder-wiener")
    def test_best_linear_denoiser_multiplies_scores(self):
        S = mean_and_covariance(cloud(1), ddof=0)[1]
        axes = principal_axes(S)
        M = axes.components.T * denoising_factors(axes.eigenvalues, 0.7) @ axes.components

        def risk(m):  # mean squared distance of m (x + noise) from x
            m = m.reshape(4, 4)
            return np.trace((np.eye(4) - m) @ S @ (np.eye(4) - m).T) + 0.7 * np.sum(m**2)

        assert central_difference(risk, M.ravel(), 1e-5) == pytest.approx(np.zeros(16), abs=1e-6)
        assert pytest.approx(M) == np.linalg.solve((S + 0.7 * np.eye(4)).T, S.T).T

    def test_wide_and_constant_data(self):
        X = np.random.default_rng(0).normal(size=(5, 40))
        model = linear_autoencoder(X, 5)
        assert model.mean + (X - model.mean) @ model.A.T @ model.B.T == pytest.approx(X)
        X[:, 3] = 7.0
        assert linear_autoencoder(X, 2).A[:, 3] == pytest.approx([0, 0], abs=1e-12)


class TestSteps:
    @pytest.mark.equation("autoencoder-corruption")
    def test_noise_has_mean_and_variance(self):
        E = corrupt(np.full((20_000, 3), 5.0), 2.0, np.random.default_rng(0)) - 5
        assert abs(E.mean()) < 4 * 2 / np.sqrt(60_000)
        assert E.var() == pytest.approx(4, rel=0.03)
        assert np.abs(np.corrcoef(E.T) - np.eye(3)).max() < 0.03

    @pytest.mark.equation("autoencoder-sparse-penalty", "autoencoder-sparse-gradient")
    @given(st.lists(st.floats(0.02, 0.98), min_size=1, max_size=5), st.floats(0.02, 0.98))
    @settings(max_examples=30)
    def test_penalty_is_a_divergence(self, activity, target):
        p = np.array(activity)
        by_hand = sum(q * np.log(q / r) for x in p for q, r in ((target, x), (1 - target, 1 - x)))
        assert sparsity_penalty(p, target) == pytest.approx(by_hand, abs=1e-12)
        assert sparsity_penalty(p, target) >= -1e-15
        slope = central_difference(lambda v: sparsity_penalty(v, target), p, 1e-6)
        assert sparsity_gradient(p, target) == pytest.approx(slope, rel=1e-4, abs=1e-4)
        assert sparsity_penalty([target], target) == 0

    @pytest.mark.equation("autoencoder-kl")
    @pytest.mark.parametrize(("mu", "s"), [(0.0, 1.0), (1.5, 0.4), (-0.7, 1.6)])
    def test_divergence_by_integration(self, mu, s):
        q, p = norm(mu, s), norm()
        integral = quad(lambda z: q.pdf(z) * (q.logpdf(z) - p.logpdf(z)), -15, 15)[0]
        assert kl_to_prior([[mu]], [[2 * np.log(s)]]) == pytest.approx([integral], abs=1e-8)
        twice = kl_to_prior([[mu, mu]], [[2 * np.log(s)] * 2])
        assert twice == pytest.approx([2 * integral], abs=1e-8)

    def test_tiny_divergences_keep_their_digits(self):
        assert kl_to_prior([[0.0]], [[1e-6]]) == pytest.approx([0.25e-12], rel=1e-3)

    @pytest.mark.equation("autoencoder-sample", "autoencoder-posterior")
    def test_samples_have_the_named_law(self):
        eps = np.random.default_rng(0).normal(size=(40_000, 2))
        z = reparametrise(np.tile([1.0, -2.0], (40_000, 1)), np.tile(np.log([4.0, 0.25]), (40_000, 1)), eps)
        assert z.mean(axis=0) == pytest.approx([1, -2], abs=0.05)
        assert z.var(axis=0) == pytest.approx([4, 0.25], rel=0.03)

    @pytest.mark.equation("autoencoder-elbo", "autoencoder-generative")
    def test_densities_and_bound_against_scipy(self):
        rng = np.random.default_rng(0)
        X, M, mu, log_var = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), *rng.normal(size=(2, 5, 2))
        dense = [multivariate_normal(m, 0.3 * np.eye(3)).logpdf(x) for x, m in zip(X, M, strict=True)]
        assert log_noise_density(X, M, 0.3) == pytest.approx(dense)
        assert evidence_bound(X, M, 0.3, mu, log_var) == pytest.approx(dense - kl_to_prior(mu, log_var))

    @pytest.mark.equation("autoencoder-elbo", "autoencoder-gap", "autoencoder-marginal")
    def test_bound_and_gap_of_a_curved_model(self):
        # x = sin(2 z) + noise: the log-likelihood by integration, the bound and the gap by integration, too
        x, v, q = 0.6, 0.2, norm(0.3, 0.5)
        joint = lambda z: norm(np.sin(2 * z), np.sqrt(v)).pdf(x) * norm.pdf(z)
        evidence = np.log(quad(joint, -8, 8)[0])
        mean = lambda z: log_noise_density([[x]], [[np.sin(2 * z)]], v)[0]
        bound = quad(lambda z: q.pdf(z) * mean(z), -8, 8)[0] - kl_to_prior([[0.3]], [[2 * np.log(0.5)]])[0]
        gap = quad(lambda z: q.pdf(z) * (q.logpdf(z) - np.log(joint(z)) + evidence), -6, 6)[0]
        assert bound < evidence
        assert evidence - bound == pytest.approx(gap, abs=1e-7)


class TestGradients:
    @pytest.mark.equation("autoencoder-chain", "autoencoder-loss", "autoencoder-sparse-loss")
    @pytest.mark.parametrize(
        ("activation", "last", "sparsity"),
        [("tanh", "identity", 0.0), ("tanh", "tanh", 0.0), ("logistic", "logistic", 0.7), ("tanh", "logistic", 0.3)],
    )
    @pytest.mark.parametrize("seed", range(3))
    def test_by_differences(self, activation, last, sparsity, seed):
        rng = np.random.default_rng(seed)
        encoder, decoder = pair(rng, activation=activation, last=last)
        X = rng.normal(size=(7, 3))
        seen = X + rng.normal(size=X.shape)
        found = autoencoder_gradients(X, seen, encoder, decoder, sparsity, 0.1)
        wanted = by_parameters(encoder, decoder, lambda e, d: autoencoder_gradients(X, seen, e, d, sparsity, 0.1).loss)
        assert flat(found, encoder, decoder) == pytest.approx(wanted, rel=1e-5, abs=1e-7)
        plain = ((X - decoder.run(encoder.run(seen)[-1])[-1]) ** 2).sum(axis=1).mean() / 2
        price = sparsity and sparsity * sparsity_penalty(encoder.run(seen)[-1].mean(axis=0), 0.1)
        assert found.loss == pytest.approx(plain + price)

    @pytest.mark.equation("autoencoder-chain")
    def test_code_gradient_by_differences(self):
        rng = np.random.default_rng(0)
        _, decoder = pair(rng)
        z, x = rng.normal(size=2), rng.normal(size=3)
        half = lambda z: 0.5 * np.sum((decoder.run(z[None])[-1] - x) ** 2)
        layers = decoder.run(z[None])
        assert code_gradient(decoder, layers, layers[-1] - x)[0] == pytest.approx(central_difference(half, z), abs=1e-6)

    @pytest.mark.equation("autoencoder-gradient-mu", "autoencoder-gradient-s", "autoencoder-elbo")
    @pytest.mark.parametrize("seed", range(3))
    def test_bound_by_differences(self, seed):
        rng = np.random.default_rng(seed)
        encoder, _ = pair(rng, k=4)
        _, decoder = pair(rng, k=2)
        X, eps = rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
        found = bound_gradients(X, eps, encoder, decoder, 0.3)
        wanted = by_parameters(encoder, decoder, lambda e, d: bound_gradients(X, eps, e, d, 0.3).loss)
        assert flat(found, encoder, decoder) == pytest.approx(wanted, rel=1e-5, abs=1e-6)


class TestAutoencoder:
    @pytest.mark.equation("autoencoder-parts", "autoencoder-error", "autoencoder-loss")
    @pytest.mark.parametrize(("sizes", "activation"), [((6, 2, 6), "tanh"), ((5,), "relu"), ((3, 7), "logistic")])
    def test_equal_to_scikit_learns_network(self, sizes, activation):
        X = cloud(0, n=250) / 3
        kw = {"learning_rate_init": 0.01, "max_iter": 8, "random_state": 5}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            peer = MLPRegressor(hidden_layer_sizes=sizes, activation=activation, alpha=0, **kw).fit(X, X)
            ours = Autoencoder(sizes, activation, code_activation=activation, **kw).fit(X)
        for a, b in zip((*ours.coefs_, *ours.intercepts_), (*peer.coefs_, *peer.intercepts_), strict=True):
            assert a == pytest.approx(b, abs=1e-12)
        assert ours.inverse_transform(ours.transform(X)) == pytest.approx(peer.predict(X))
        assert ours.transform(X).shape == (250, min(sizes))
        assert ours.loss_curve_ == pytest.approx([4 * loss for loss in peer.loss_curve_])  # mean over outputs there
        assert ours.n_iter_ == peer.n_iter_ == 8
        assert -ours.score(X) == pytest.approx(((X - peer.predict(X)) ** 2).sum(axis=1).mean())

    @pytest.mark.equation("autoencoder-linear-bound", "autoencoder-linear-solutions")
    @pytest.mark.parametrize("tied", [False, True])
    def test_a_trained_linear_one_finds_the_subspace_of_pca(self, tied):
        X = cloud(2, n=100)
        model = Autoencoder(2, "identity", learning_rate_init=0.01, max_iter=4000, tol=1e-10, n_iter_no_change=100,
                            batch_size=100, tied=tied, random_state=0).fit(X)  # fmt: skip
        pca = PCA(2).fit(X)
        error = ((X - pca.inverse_transform(pca.transform(X))) ** 2).sum(axis=1).mean()
        assert -model.score(X) == pytest.approx(error, rel=1e-4)
        assert 2 * model.loss_ == pytest.approx(error, rel=1e-3)
        Q = np.linalg.qr(model.coefs_[1].T)[0]
        assert np.linalg.svd(Q.T @ pca.components_.T)[1] == pytest.approx([1, 1], abs=1e-4)
        assert np.abs(Q.T @ pca.components_.T).max() < 0.999  # not its axes
        if tied:
            assert model.coefs_[0].T @ model.coefs_[0] == pytest.approx(np.eye(2), abs=0.02)

    def test_tied_weights_stay_transposed(self):
        with pytest.warns(ConvergenceWarning):
            model = Autoencoder((5, 2, 5), tied=True, max_iter=5, random_state=0).fit(cloud(0))
        for a, b in zip(model.coefs_, model.coefs_[::-1], strict=True):
            assert np.array_equal(a, b.T)
        assert model.n_encoder_layers_ == 2

    def test_a_curved_line_has_one_number(self):
        t = np.random.default_rng(0).uniform(-2, 2, 200)
        X = 1.5 * np.column_stack([np.sin(t), np.cos(t)])
        model = Autoencoder((16, 1, 16), learning_rate_init=0.03, max_iter=600, n_iter_no_change=30, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X)
        pca = PCA(1).fit(X)
        straight = ((X - pca.inverse_transform(pca.transform(X))) ** 2).sum(axis=1).mean()
        assert -model.score(X) < 0.05 * straight
        z = model.transform(X)[np.argsort(t), 0]
        assert (np.diff(z) > 0).all() or (np.diff(z) < 0).all()  # the code is the place on the curve

    @pytest.mark.equation("autoencoder-shrinkage", "autoencoder-corruption")
    def test_a_linear_denoiser_shrinks_the_scores(self):
        X = cloud(4, n=400)
        X -= X.mean(axis=0)
        model = Autoencoder(4, "identity", noise=1.5, learning_rate_init=0.003, max_iter=1500, tol=0, random_state=0,
                            n_iter_no_change=1500, batch_size=100)  # fmt: skip
        with pytest.warns(ConvergenceWarning):
            model.fit(X)
        axes = principal_axes(X.T @ X / len(X))
        M = model.coefs_[0] @ model.coefs_[1]
        found = np.diag(axes.components @ M @ axes.components.T)
        assert found == pytest.approx(denoising_factors(axes.eigenvalues, 1.5**2), abs=0.04)

    @pytest.mark.equation("autoencoder-sparse-loss")
    def test_price_lowers_the_mean_activity(self):
        X = cloud(5, n=200) / 3
        kw = {"activation": "logistic", "learning_rate_init": 0.02, "max_iter": 300, "tol": 1e-6, "random_state": 0}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            free = Autoencoder(12, **kw).fit(X).transform(X).mean()
            priced = Autoencoder(12, sparsity=1.0, sparsity_target=0.1, **kw).fit(X).transform(X).mean(axis=0)
        assert free > 0.3
        assert priced == pytest.approx(np.full(12, 0.1), abs=0.05)

    def test_code_is_the_narrowest_layer_nearest_the_middle(self):
        X = cloud(0)
        widths = {(5, 2, 3): (2, 2), (3, 3, 3): (3, 2), (3, 4, 3, 3): (3, 3), (4, 2): (2, 2), (3, 3): (3, 1)}
        for sizes, (k, layers) in widths.items():
            with pytest.warns(ConvergenceWarning):
                model = Autoencoder(sizes, max_iter=1, random_state=0).fit(X)
            assert (model.transform(X).shape[1], model.n_encoder_layers_) == (k, layers)

    def test_auto_leaves_a_code_between_layers_linear(self):
        X, kw = cloud(0), {"max_iter": 1, "random_state": 0, "activation": "relu"}
        with pytest.warns(ConvergenceWarning):
            between, alone = Autoencoder((6, 2, 6), **kw).fit(X), Autoencoder(6, **kw).fit(X)
        assert (between.transform(X) < 0).any()
        assert (alone.transform(X) >= 0).all()

    def test_works_with_the_rest(self):
        X, kw = cloud(0), {"max_iter": 3, "random_state": 0}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = Autoencoder(2, **kw).fit(X)
            pipe = make_pipeline(StandardScaler(), Autoencoder(2, **kw)).fit(X)
            again = clone(model).fit(X)
            other = Autoencoder(2, max_iter=3, random_state=np.random.RandomState(0)).fit(X.astype(np.float32))
        assert pipe.transform(X).shape == (60, 2)
        assert np.array_equal(pickle.loads(pickle.dumps(model)).transform(X), again.transform(X))
        assert other.transform(X) == pytest.approx(model.transform(X), abs=1e-4)
        assert list(model.get_feature_names_out()) == ["autoencoder0", "autoencoder1"]


class TestVariational:
    @pytest.mark.equation("autoencoder-ppca", "autoencoder-noise")
    def test_a_linear_one_is_probabilistic_pca(self):
        X = cloud(0, n=400)
        X = (X - X.mean(axis=0)) / 3
        exact = probabilistic_pca(X, 2)
        model = VariationalAutoencoder(2, (), learning_rate_init=0.01, batch_size=100, max_iter=400, tol=0,
                                       n_iter_no_change=400, random_state=0)  # fmt: skip
        with pytest.warns(ConvergenceWarning):
            model.fit(X)
        assert model.score(X) <= exact.log_likelihood / 400 + 0.01
        assert model.score(X) == pytest.approx(exact.log_likelihood / 400, abs=0.05)
        assert model.noise_variance_ == pytest.approx(exact.noise_variance, rel=0.1)

    @pytest.mark.equation("autoencoder-ppca")
    def test_the_exact_posterior_closes_the_gap(self):
        X = cloud(1, n=200)
        fit = probabilistic_pca(X, 2)
        M = fit.W.T @ fit.W + fit.noise_variance * np.eye(2)
        mu = np.linalg.solve(M, fit.W.T @ (X - fit.mean).T).T
        log_var = np.tile(np.log(fit.noise_variance / np.diag(M)), (200, 1))  # M is diagonal here
        rng, total = np.random.default_rng(0), []
        for _ in range(400):
            z = reparametrise(mu, log_var, rng.normal(size=mu.shape))
            total.append(evidence_bound(X, fit.mean + z @ fit.W.T, fit.noise_variance, mu, log_var).mean())
        error = np.std(total) / 20
        assert abs(np.mean(total) - fit.log_likelihood / 200) < 4.5 * error

    def test_samples_resemble_the_data(self):
        t = np.random.default_rng(0).uniform(-2, 2, 300)
        X = 1.5 * np.column_stack([np.sin(t), np.cos(t)]) + 0.1 * np.random.default_rng(1).normal(size=(300, 2))
        model = VariationalAutoencoder(1, 16, learning_rate_init=0.02, max_iter=500, tol=1e-3, n_iter_no_change=100,
                                       random_state=0)  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X)
        new = model.sample(400, random_state=0)
        assert np.array_equal(new, model.sample(400, random_state=0))
        assert np.median(np.abs(np.hypot(*new.T) - 1.5)) < 0.25
        assert model.lower_bounds_[-1] > model.lower_bounds_[0]
        assert model.n_iter_ == len(model.lower_bounds_)
        mu, var = model.posterior(X)
        assert np.array_equal(mu, model.transform(X))
        assert (var > 0).all()
        assert list(model.get_feature_names_out()) == ["variationalautoencoder0"]

    def test_a_given_noise_is_kept(self):
        with pytest.warns(ConvergenceWarning):
            model = VariationalAutoencoder(1, 3, noise_variance=0.5, max_iter=2, random_state=0).fit(cloud(0))
        assert model.noise_variance_ == 0.5


CONTRACT = [
    (estimator, check)
    for estimator in (
        Autoencoder(3, max_iter=5, random_state=0), VariationalAutoencoder(1, 3, max_iter=5, random_state=0))
    for estimator, check in estimator_checks_generator(estimator)
]  # fmt: skip


@pytest.mark.parametrize(
    ("estimator", "check"), CONTRACT, ids=[f"{type(e).__name__}-{getattr(c, 'func', c).__name__}" for e, c in CONTRACT]
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_contract(estimator, check):
    if getattr(check, "func", check).__name__ != "check_array_api_input":  # needs another array library
        check(estimator)


@pytest.mark.parametrize("estimator", [Autoencoder(), VariationalAutoencoder()])
def test_not_fitted(estimator):
    for method in ("transform", "inverse_transform"):
        with pytest.raises(NotFittedError):
            getattr(estimator, method)([[1.0, 1.0]])


X = [[1.0, 2.0], [3.0, 1.0], [0.0, 5.0]]
FEW = {"max_iter": 1, "random_state": 0}
I2 = [[1.0, 0.0], [0.0, 1.0]]
PART = Part([np.ones((2, 1))], [np.zeros(1)], "tanh", "identity")
BAD = [
    (lambda: linear_error([[1.0, 2.0], [0.0, 1.0]], I2, I2), ValueError, "S must be symmetric"),
    (lambda: linear_error(I2, [[1.0]], I2), ValueError, "A must have shape"),
    (lambda: linear_gradients(I2, I2, [[1.0], [0.0]]), ValueError, "B must have shape"),
    (lambda: best_decoder(I2, [[1.0, 0.0], [2.0, 0.0]]), ValueError, "got a singular one: remove rows of A"),
    (lambda: linear_autoencoder(X, 3), ValueError, r"n_components=3 must be at most min\(n, d\) = 2"),
    (lambda: linear_autoencoder(X, 1.0), TypeError, "n_components must be an integer"),
    (lambda: linear_autoencoder(X, 2, [[1.0, 1.0], [1.0, 1.0]]), ValueError, "mixing must be invertible"),
    (lambda: linear_autoencoder(X, 2, [[1.0]]), ValueError, "mixing must have shape"),
    (lambda: axes_of_decoder([[1.0, 1.0], [1.0, 1.0]], I2), ValueError, "B must have independent columns"),
    (lambda: axes_of_decoder([[1.0], [0.0]], I2), ValueError, "B must have shape"),
    (lambda: denoising_factors([-1.0], 1.0), ValueError, "variances must not be negative, got -1"),
    (lambda: denoising_factors([1.0], 0.0), ValueError, "noise_variance must be"),
    (lambda: corrupt(X, -1.0, np.random.default_rng(0)), ValueError, "noise must be"),
    (lambda: sparsity_penalty([0.0], 0.1), ValueError, "must lie strictly between 0 and 1"),
    (lambda: sparsity_gradient([0.5], 1.0), ValueError, "must lie strictly between 0 and 1"),
    (lambda: reparametrise(X, X, I2), ValueError, "eps must have shape"),
    (lambda: kl_to_prior(X, I2), ValueError, "log_var must have shape"),
    (lambda: log_noise_density(X, X, 0.0), ValueError, "noise_variance must be"),
    (lambda: log_noise_density(X, I2, 1.0), ValueError, "mean must have shape"),
    (lambda: evidence_bound(X, X, 1.0, I2, I2), ValueError, "divergence must have shape"),
    (lambda: code_gradient(PART, PART.run(np.ones((3, 2))), np.ones((3, 2))), ValueError, "delta be like the last"),
    (lambda: Autoencoder(()).fit(X), ValueError, "at least one layer, which holds the code"),
    (lambda: Autoencoder((3, 0)).fit(X), ValueError, "hidden_layer_sizes.* must be at least 1"),
    (lambda: Autoencoder("32").fit(X), TypeError, "hidden_layer_sizes.* must be an integer"),
    (lambda: Autoencoder(2, "sine").fit(X), ValueError, "activation must be one of"),
    (lambda: Autoencoder(2, code_activation="softmax").fit(X), ValueError, "code_activation must be one of"),
    (lambda: Autoencoder(2, learning_rate_init=0.0).fit(X), ValueError, "learning_rate_init must be"),
    (lambda: Autoencoder(2, max_iter=0).fit(X), ValueError, "max_iter must be at least 1"),
    (lambda: Autoencoder(2, tol=-1.0).fit(X), ValueError, "tol must be"),
    (lambda: Autoencoder(2, n_iter_no_change=0).fit(X), ValueError, "n_iter_no_change must be at least 1"),
    (lambda: Autoencoder(2, batch_size=0).fit(X), ValueError, "batch_size must be at least 1"),
    (lambda: Autoencoder(2, noise=-1.0).fit(X), ValueError, "noise must be"),
    (lambda: Autoencoder(2, tied=1).fit(X), TypeError, "tied must be True or False"),
    (lambda: Autoencoder((4, 2), tied=True).fit(X), ValueError, "read the same backwards"),
    (lambda: Autoencoder((2, 4, 2), tied=True).fit(X), ValueError, "narrowest layer in the middle"),
    (lambda: Autoencoder(2, sparsity=1.0).fit(X), ValueError, "set code_activation='logistic'"),
    (lambda: Autoencoder(2, sparsity=-1.0).fit(X), ValueError, "sparsity must be"),
    (lambda: Autoencoder(2, sparsity_target=1.0).fit(X), ValueError, "sparsity_target must be below 1"),
    (lambda: Autoencoder(2).fit([[1.0, np.nan]]), ValueError, "NaN"),
    (lambda: Autoencoder(2, "identity", learning_rate_init=1e200).fit(X), ValueError, "no longer finite in epoch"),
    (lambda: Autoencoder(2, **FEW).fit(X).transform([[1.0]]), ValueError, "features"),
    (lambda: Autoencoder(2, **FEW).fit(X).inverse_transform([[1.0]]), ValueError, "X must have shape"),
    (lambda: VariationalAutoencoder(0).fit(X), ValueError, "n_components must be at least 1"),
    (lambda: VariationalAutoencoder(1, (0,)).fit(X), ValueError, "must be at least 1"),
    (lambda: VariationalAutoencoder(1, noise_variance=0.0).fit(X), ValueError, "noise_variance must be"),
    (lambda: VariationalAutoencoder(1).fit([[1.0], [1.0]]), ValueError, "the variance of X must be"),
    (lambda: VariationalAutoencoder(1, **FEW).fit(X).inverse_transform(X), ValueError, "X must have shape"),
    (lambda: VariationalAutoencoder(1, **FEW).fit(X).sample(0), ValueError, "n_samples must be at least 1"),
    (lambda: VariationalAutoencoder(1, **FEW).fit(X).score(X, n_draws=0), ValueError, "n_draws must be at least 1"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("call", "error", "message"), BAD, ids=[message for *_, message in BAD])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
