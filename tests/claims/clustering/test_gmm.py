"""The quiz of the chapter *Gaussian mixtures and EM*, decided: see ``tests/claims/deciding.py``."""

import inspect

import numpy as np
import pytest
from scipy.stats import entropy as entropy_of
from scipy.stats import multivariate_normal, norm

from notes_lib.clustering.gmm import EStep, GaussianMixture, MStep, e_step, m_step, n_parameters, q_function
from notes_lib.clustering.kmeans import assign
from tests.claims.deciding import Numbers, Words, decided

SMALL = 1e-9
LINE = "spherical"  # on a line each component has one variance


def _cloud(seed, n=40):
    """Points in the plane, and a mixture of two components that does not fit them."""
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(n, 2)), rng.normal([2, 1], 0.7, (n, 2))])
    return X, MStep(np.array([0.3, 0.7]), rng.normal(size=(2, 2)), np.array([np.eye(2), 2 * np.eye(2)]))


def _run(X, theta, rounds, kind="full"):
    """Mixtures along a run of EM, and their log-likelihoods."""
    path, height = [theta], []
    for _ in range(rounds):
        step = e_step(X, *path[-1], kind)
        height.append(step.log_likelihood.sum())
        path.append(m_step(X, step.responsibilities, kind, reg_covar=0.0))
    return path, np.array(height)


def _posterior(X, theta):
    """Bayes' theorem with densities by SciPy."""
    densities = [multivariate_normal(m, S).pdf(X) for m, S in zip(theta.means, theta.covariances, strict=True)]
    joint = theta.weights * np.column_stack(densities)
    return joint / joint.sum(axis=1, keepdims=True)


def quiz_e_step():
    """What does the E-step of a Gaussian mixture compute?"""
    X, theta = _cloud(0)
    gamma = e_step(X, *theta).responsibilities
    return {
        "The most probable component of each point": np.allclose(gamma, np.eye(2)[gamma.argmax(axis=1)]),
        r"The expected value of $\mathbf{x}_n$": gamma.shape == X.shape and np.allclose(gamma, X),
        "New means and covariances": bool({"means", "covariances"} & {*EStep._fields}),
        "The posterior probability of each component for each point": np.allclose(gamma, _posterior(X, theta)),
    }


def quiz_entropy():
    r"""At the posterior, which relation holds between $Q$, $\ell$ and the entropy $H$ of the responsibilities?"""
    X, theta = _cloud(1)
    gamma = e_step(X, *theta).responsibilities
    ell = e_step(X, *theta).log_likelihood.sum()
    Q, H = q_function(X, gamma, theta), entropy_of(gamma, axis=1).sum()
    return {
        r"$Q = \ell - H$": np.isclose(Q, ell - H),
        r"$Q = \ell + H$": np.isclose(Q, ell + H),
        r"$Q = \ell$": np.isclose(Q, ell),
        r"$Q \geq \ell$": bool(ell <= Q),
    }


def quiz_count(components, dimensions):
    r"""A mixture with $K = <components>$ components in $D = <dimensions>$ dimensions and full covariances has how many
    free parameters?"""
    K, D = int(components), int(dimensions)
    triangle = len(np.triu_indices(D)[0])
    right = K - 1 + K * D + K * triangle
    assert right == n_parameters(K, D)
    return Numbers(right, [K + K * D + K * D * D, right + 1, n_parameters(K, D, "tied")])


def _spike():
    """Four equal points beside sixty others, and a start with a component on the four."""
    x = np.concatenate([np.zeros(4), np.random.default_rng(7).normal(-2.5, 1, 60)])[:, None]
    return x, MStep(np.array([0.3, 0.3, 0.4]), np.array([[0.0], [-2.0], [-3.5]]), np.array([0.1, 1.0, 1.0]))


def _narrowest(x, start, rounds):
    """The smallest variance after some rounds."""
    return _run(x, start, rounds, LINE)[0][-1].covariances.min()


def quiz_collapse():
    """During EM with full covariances the log-likelihood shoots up and one variance goes to zero. What happened, and
    what helps?"""
    x, start = _spike()
    with pytest.raises(ValueError, match=r"."):  # in spite of log-sum-exp
        _run(x, start, 200, LINE)
    path, height = next(_run(x, start, n, LINE) for n in range(1, 200) if _narrowest(x, start, n) < SMALL)
    assert (np.diff(height) > 0).all()
    narrow = [path[-1]._replace(covariances=path[-1].covariances * [factor, 1, 1]) for factor in (0.1, 0.01)]
    low, high = (e_step(x, *theta, LINE).log_likelihood.sum() for theta in narrow)
    floored = GaussianMixture(
        3, covariance_type=LINE, reg_covar=0.1, weights_init=start.weights, means_init=start.means,
        precisions_init=1 / start.covariances, max_iter=300,
    ).fit(x)  # fmt: skip
    return {
        "The global maximum was found; stop here": high <= low,
        "Underflow; use log-sum-exp": not np.isfinite(height).all(),
        "A component collapsed onto a few points; use a floor or a prior, fewer components, or another start": (
            path[-1].covariances.min() < SMALL and floored.covariances_.min() >= 0.1
        ),
        "The step size was too large; reduce it": Words("EM has no step size"),
    }


def quiz_guarantee():
    """Which statements hold for every EM run on a Gaussian mixture (with `reg_covar` 0, before any collapse)?"""
    falls, off, moves = [], [], []
    for seed in range(6):
        X, theta = _cloud(seed)
        path, height = _run(X, theta, 40)
        falls.append(np.diff(height).min())
        off.append(max(np.abs(t.weights @ t.means - X.mean(axis=0)).max() for t in path[1:]))
        moves.append(np.abs(path[-1].means - path[-2].means).max())
    x = np.r_[np.random.default_rng(0).normal(-3, 1, 60), np.random.default_rng(1).normal(3, 1, 60)][:, None]
    path, height = _run(x, MStep(np.array([0.5, 0.5]), np.zeros((2, 1)), np.ones(2)), 50, LINE)
    d = 0.5  # the means apart, at the same mean and variance of the mixture
    beside = MStep(path[-1].weights, path[-1].means + np.array([[-d], [d]]), path[-1].covariances - d**2)
    return {
        "The limit is a local maximum": e_step(x, *beside, LINE).log_likelihood.sum() <= height[-1],
        "The incomplete log-likelihood never falls": min(falls) > -SMALL,
        "It ends after finitely many steps, as k-means does": max(moves) == 0,
        "After each M-step the mean of the mixture is the mean of the data": max(off) < SMALL,
    }


def tf_step_size():
    """EM needs a step size that is small enough."""
    assert {*inspect.signature(m_step).parameters} == {"X", "responsibilities", "covariance_type", "reg_covar"}
    return min(np.diff(_run(*_cloud(seed), 40)[1]).min() for seed in range(6)) < -SMALL


def tf_labels():
    """If two runs of EM end at the same likelihood, they have found the same parameters in the same order."""
    X, theta = _cloud(2)
    turned = MStep(*(part[::-1] for part in theta))
    (one, height), (two, height_2) = (_run(X, start, 60) for start in (theta, turned))
    assert np.isclose(height[-1], height_2[-1])
    assert np.allclose(one[-1].means, two[-1].means[::-1])
    return np.allclose(one[-1].means, two[-1].means)


def tf_near(share):
    r"""A point with $\gamma_{nk} = <share>$ lies near $\boldsymbol{\mu}_k$."""
    x = np.linspace(0, 60, 6001)
    gamma = e_step(x[:, None], [0.5, 0.5], [[-1.0], [0.0]], np.ones(2), LINE).responsibilities[:, 1]
    assert gamma[100] < share  # the mean of the other component is not far either
    return x[gamma >= share].max() < 3


def tf_border():
    """With equal weights and one common spherical covariance, the border between two components is the border of
    k-means for the same means."""
    rng, same = np.random.default_rng(0), []
    for _ in range(20):
        means, X = rng.normal(size=(2, 2)), rng.normal(size=(500, 2)) * 3
        gamma = e_step(X, [0.5, 0.5], means, rng.uniform(0.2, 3) * np.eye(2), "tied").responsibilities
        same.append(np.array_equal(gamma.argmax(axis=1), assign(X, means)))
    return all(same)


def tf_lagrange():
    r"""The M-step for the weights needs a Lagrange multiplier, whose value is $-N$ for $\mathcal{L} = \ell +
    \lambda(\sum_k \pi_k - 1)$."""
    rng = np.random.default_rng(0)
    means, sd = np.array([-1.5, 1.5]), np.array([0.8, 1.2])
    x = means[np.arange(30) % 2] + rng.normal(size=30)
    pi = np.array([0.5, 0.5])
    for _ in range(3000):
        pi = e_step(x[:, None], pi, means[:, None], sd**2, LINE).responsibilities.mean(axis=0)
    ell = lambda pi: np.log(norm(means, sd).pdf(x[:, None]) @ pi).sum()
    slopes = [(ell(pi + h) - ell(pi - h)) / 2e-6 for h in 1e-6 * np.eye(2)]  # each is minus the multiplier
    return np.allclose(slopes, len(x), rtol=1e-5)


def tf_more_components():
    """Adding a component can lower the largest likelihood that can be reached."""
    lower = []
    for seed in range(6):
        X, _ = _cloud(seed)
        fit = GaussianMixture(2, random_state=0, max_iter=500).fit(X)
        split = [
            np.r_[fit.weights_[0] / 2, fit.weights_[0] / 2, fit.weights_[1]],
            fit.means_[[0, 0, 1]],
            fit.covariances_[[0, 0, 1]],
        ]
        best, more = fit.score_samples(X).sum(), e_step(X, *split).log_likelihood.sum()
        lower.append(more < best - SMALL)
    return any(lower)


test_claim = decided("clustering/gmm", globals())
