"""What the quiz of the chapter on random projections marks right, computed again."""

import numpy as np

from notes_lib.reduction.random_projection import (
    GaussianRandomProjection,
    SparseRandomProjection,
    distance_ratios,
    gaussian_components,
    inner_product_variance,
    johnson_lindenstrauss_min_dim,
)
from tests.claims.deciding import Numbers, decided

SEEDS = range(200)


def quiz_million(components, points, more):
    """The lemma asks for <components> components for <points> points. For <more> points and the same $\\varepsilon$ it
    asks for"""
    grid = np.linspace(0.2, 0.9, 7001)
    asked = johnson_lindenstrauss_min_dim(points, eps=grid)
    eps = grid[np.abs(asked - components).argmin()]  # for which the lemma asks for so many
    found = johnson_lindenstrauss_min_dim(more, eps=eps)
    slips = [components, components * more / points, np.round(components * np.sqrt(more / points))]
    return Numbers(np.round(found, -1), slips)


def quiz_spread(components):
    """With <components> Gaussian components, the ratio of a squared distance after to before has the standard
    deviation"""
    x = np.array([2.0, 1.0])
    variance = inner_product_variance(x, x, int(components)) / (x @ x) ** 2
    return Numbers(np.sqrt(variance), [variance, np.sqrt(variance / 2), variance / 2])


def quiz_spike(s):
    """Sparse entries with $s=<s>$ instead of Gaussian ones. For a vector with a single entry that is not 0, the
    variance of $Q$ is multiplied by"""
    law = [(s, 1 / s), (0.0, 1 - 1 / s)]  # squares of an entry
    mean = sum(p * v for v, p in law)
    variance, gaussian = sum(p * v**2 for v, p in law) - mean**2, 2.0
    fourth = sum(p * v**2 for v, p in law)
    return Numbers(variance / gaussian, [1, fourth, fourth / 3])


def quiz_which():
    """Which changes change the dimension that the lemma asks for? (Mark all.)"""

    def asked(n, features, eps, unit):
        X = unit * np.random.default_rng(0).normal(size=(n, features))
        return GaussianRandomProjection(eps=eps, random_state=0).fit(X).n_components_

    base = asked(20, 400, 0.5, 1.0)
    return {
        "more points": asked(40, 400, 0.5, 1.0) != base,
        "more features": asked(20, 800, 0.5, 1.0) != base,
        "a smaller $\\varepsilon$": asked(20, 400, 0.4, 1.0) != base,
        "another unit for all features": asked(20, 400, 0.5, 1000.0) != base,
    }


def tf_equal():
    """Equal rows have equal projections."""
    X = np.random.default_rng(0).normal(size=(4, 30))[[0, 1, 0, 2]]
    same = []
    for E in (GaussianRandomProjection, SparseRandomProjection):
        Z = E(5, random_state=0).fit_transform(X)
        assert not np.allclose(Z[0], Z[1])
        same.append(np.allclose(Z[0], Z[2], atol=1e-12))
    return all(same)


def tf_perpendicular():
    """Perpendicular vectors stay perpendicular after a Gaussian projection."""
    x, y = np.eye(5)[:2]
    dots = np.array([(A @ x) @ (A @ y) for A in (gaussian_components(4, 5, seed) for seed in SEEDS)])
    assert abs(dots.mean()) < 4 * dots.std() / np.sqrt(len(dots))  # on average they do
    return np.abs(dots).max() < 0.1


def tf_halve():
    """Twice as many components halve the standard deviation of $Q$."""
    x = np.arange(1.0, 5.0)
    once, twice, four = (np.sqrt(inner_product_variance(x, x, k)) for k in (10, 20, 40))
    assert np.isclose(four, once / 2)
    return np.isclose(twice, once / 2)


def tf_signs(s):
    """With signs only, $s=<s>$, the variance of $Q$ is never larger than with Gaussian entries."""
    rng = np.random.default_rng(1)
    vectors = [*rng.normal(size=(50, 6)), *np.eye(6), np.ones(6)]
    assert inner_product_variance(vectors[-2], vectors[-2], 3, 9) > inner_product_variance(vectors[-2], vectors[-2], 3)
    return all(inner_product_variance(x, x, 3, s) <= inner_product_variance(x, x, 3) for x in vectors)


def tf_new():
    """A matrix that keeps all distances of a cloud keeps those to every new point."""
    X = np.random.default_rng(2).normal(size=(5, 60))
    model = GaussianRandomProjection(50, random_state=0).fit(X)
    assert np.abs(distance_ratios(X, model.transform(X)) - 1).max() < 0.5
    new = X[:1] + np.linalg.svd(model.components_)[2][-1:]
    cloud = np.vstack([X, new])
    return np.abs(distance_ratios(cloud, model.transform(cloud)) - 1).max() < 0.5


test_claim = decided("reduction/random_projection", globals())
