"""The quiz of the chapter *The curse of dimensionality*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import special_ortho_group

from notes_lib.neighbors.curse_of_dimensionality import (
    cap_fraction,
    distance_contrast,
    intrinsic_dimension,
    relative_spread,
    shell_fraction,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


def _classes(features, seeds=range(12), n=400, relevant=3):
    """Errors of the nearest neighbour; ``features`` takes samples, labels and the training half, and gives columns."""
    errors = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        y = np.arange(n) % 2
        X = rng.normal(size=(n, 500))
        X[:, :relevant] += 1.5 * y[:, None]
        Z = features(X, y, n // 2, rng)
        nearest = cdist(Z[n // 2 :], Z[: n // 2]).argmin(axis=1)
        errors.append((y[: n // 2][nearest] != y[n // 2 :]).mean())
    return np.array(errors)


def _is_better(features):
    """Whether the errors fall by more than three standard errors, against all features as they are."""
    saved = _classes(lambda X, *_: X) - _classes(features)
    return saved.mean() > 3 * saved.std(ddof=1) / np.sqrt(len(saved)) + SMALL


def _selected(X, y, half, rng):
    difference = X[:half][y[:half] == 1].mean(axis=0) - X[:half][y[:half] == 0].mean(axis=0)
    return X[:, np.argsort(np.abs(difference))[-3:]]


def _distances(d, n=4000, seed=0):
    x, y = np.random.default_rng(seed).uniform(size=(2, n, round(d)))
    return np.linalg.norm(x - y, axis=1)


def quiz_border(d, smaller):
    """Which share of a cube in <d> dimensions lies in the border that is left when its edge shrinks by <smaller> %?"""
    border = 100 * shell_fraction(round(d), smaller / 100)
    return Numbers(border, [smaller, 100 - border, d * smaller], " %")


def quiz_root():
    r"""$d$ grows fourfold, with independent uniform coordinates. The deviation of distances over their mean"""
    quotient = np.mean([_relative(4 * d) / _relative(d) for d in (50, 100, 200)])
    assert abs(relative_spread(400, 1 / 6, 7 / 180) / relative_spread(100, 1 / 6, 7 / 180) - quotient) < 0.05
    return {
        "halves": abs(quotient - 1 / 2) < 0.05, "falls to a quarter": abs(quotient - 1 / 4) < 0.05,
        "stays": abs(quotient - 1) < 0.05, "doubles": abs(quotient - 2) < 0.05,
    }  # fmt: skip


def _relative(d):
    D = _distances(d)
    return D.std() / D.mean()


def quiz_remedies():
    """Which can help a nearest neighbour among 500 features, of which three matter? (Mark all.)"""
    return {
        "adding 500 more irrelevant features": _is_better(
            lambda X, y, half, rng: np.hstack([X, rng.normal(size=X.shape)])
        ),
        "selecting features on the training samples": _is_better(_selected),
        "knowing beforehand which three": _is_better(lambda X, *_: X[:, :3]),
        "turning the coordinates by a random rotation": _is_better(
            lambda X, y, half, rng: X @ np.linalg.qr(rng.normal(size=(500, 500)))[0]
        ),
    }


def quiz_effective(eigenvalues):
    """Eigenvalues <eigenvalues>. The effective dimension is"""
    # from draws of the squared distance: its relative variance is 2 over the effective dimension
    rng = np.random.default_rng(1)
    S = (2 * rng.normal(size=(400_000, len(eigenvalues))) ** 2) @ eigenvalues
    effective = round(2 * S.mean() ** 2 / S.var(), 1)
    return Numbers(effective, [len(eigenvalues), sum(eigenvalues), 1 / effective])


def tf_deviation(many, few):
    """In <many> dimensions the distances of independent uniform points have a smaller standard deviation than in
    <few>."""
    deviations = [_distances(d).std() for d in (many, few)]
    assert _relative(many) < _relative(few) / 5
    return deviations[0] < 0.9 * deviations[1]


def tf_rotation():
    """A random rotation of the data changes neither contrast nor intrinsic dimension."""
    X = np.random.default_rng(2).normal(size=(60, 5)) * [3, 2, 1, 1, 1]
    turned = X @ special_ortho_group(5, seed=3).rvs().T
    assert not np.allclose(distance_contrast(X * [9, 1, 1, 1, 1]).relative, distance_contrast(X).relative)
    same = np.allclose(distance_contrast(turned).relative, distance_contrast(X).relative)
    return same and np.isclose(intrinsic_dimension(turned).estimate, intrinsic_dimension(X).estimate)


def tf_right(d):
    """Two independent random directions in <d> dimensions are usually within one degree of a right angle."""
    # the cosine is a coordinate of a point on the sphere, which is the shadow of the ball in two dimensions fewer
    beyond = 2 * cap_fraction(round(d) - 2, np.sin(np.radians(1)))
    assert 2 * cap_fraction(98, np.sin(np.radians(1))) > 0.5
    return beyond < 0.5


def tf_pca():
    """Principal components always remove irrelevant features."""

    def weight(scale):  # of an irrelevant feature in the first component, beside one with classes
        rng = np.random.default_rng(4)
        X = rng.normal(size=(400, 2)) * [1, scale]
        X[:, 0] += 3 * (np.arange(400) % 2)
        return abs(np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][0, 1])

    assert weight(0.1) < 0.1
    return all(weight(scale) < 0.1 for scale in (0.1, 1, 4))


test_claim = decided("neighbors/curse_of_dimensionality", globals())
