"""The quiz of the chapter *Canonical correlation analysis*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.linalg import subspace_angles
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression

from notes_lib.reduction.cca import CCA, canonical_pairs, pls_directions, score_correlations, view_covariances
from tests.claims.deciding import Numbers, decided

CLOSE = {"rtol": 1e-8, "atol": 1e-10}


def _views(seed, n=60, p=4, q=3):
    """Two views with two common causes."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 2))
    return [Z @ rng.normal(size=(2, d)) + rng.normal(size=(n, d)) for d in (p, q)]


def _white(X):
    """The same view with uncorrelated columns of variance 1."""
    return np.linalg.qr(X - X.mean(axis=0))[0] * np.sqrt(len(X) - 1)


def quiz_pairs(n, p, q):
    """Two views of <n> rows have <p> and <q> columns without linear dependences. How many canonical pairs are there?"""
    p, q = int(p), int(q)
    return Numbers(len(canonical_pairs(*_views(0, int(n), p, q)).values), [p, p + q, p * q])


def quiz_certain(n, p, q):
    """Two views of <n> rows have <p> and <q> columns without linear dependences. How many canonical correlations are 1
    whatever the data are?"""
    rng = np.random.default_rng(0)
    X, Y = (rng.normal(size=(int(n), int(d))) for d in (p, q))
    cosines = np.cos(subspace_angles(X - X.mean(axis=0), Y - Y.mean(axis=0)))
    return Numbers((cosines > 1 - 1e-9).sum(), [0, p + q - n, min(p, q)])


def quiz_change():
    """Which change of the first view can change the canonical correlations?"""
    X, Y = _views(1)
    before = canonical_pairs(X, Y).values

    def changes(view):
        return not np.allclose(canonical_pairs(view, Y).values, before, **CLOSE)

    noise = np.random.default_rng(2).normal(size=len(X))
    return {
        "doubling one column": changes(X * [2, 1, 1, 1]),
        "adding 5 to every entry": changes(X + 5),
        "adding a column of noise": changes(np.column_stack([X, noise])),
        "replacing two columns by their sum and difference": changes(
            np.column_stack([X[:, 0] + X[:, 1], X[:, 0] - X[:, 1], X[:, 2:]])
        ),
    }


def quiz_scores():
    """Which are true of the canonical scores, without a ridge? (Mark all.)"""
    X, Y = _views(3)
    pairs = canonical_pairs(X, Y)
    U, V = X @ pairs.x_directions, Y @ pairs.y_directions
    R = np.corrcoef(U.T, V.T)
    off = ~np.eye(3, dtype=bool)
    angles = pairs.x_directions.T @ pairs.x_directions
    a = pairs.x_directions[:, 0] / np.linalg.norm(pairs.x_directions[:, 0])
    return {
        "the scores of one view are uncorrelated": np.abs(R[:3, :3][off]).max() < 1e-8
        and np.abs(R[3:, 3:][off]).max() < 1e-8,
        "a score is uncorrelated with all scores of the other view but its partner": np.abs(R[:3, 3:][off]).max() < 1e-8
        and np.diag(R[:3, 3:]).min() > 1e-3,
        "the directions of one view are orthogonal": np.abs(angles[off]).max() < 1e-8,
        "the first score has the largest variance that a direction of length 1 can have": np.isclose(
            np.var(X @ a, ddof=1), PCA(1).fit(X).explained_variance_[0]
        ),
    }


def tf_regression():
    """With a single column in the second view, the first squared canonical correlation is the $R^2$ of linear
    regression."""
    both = [
        (canonical_pairs(X, Y[:, 0]).values[0] ** 2, LinearRegression().fit(X, Y[:, 0]).score(X, Y[:, 0]))
        for X, Y in map(_views, range(5))
    ]
    return np.allclose(*np.transpose(both), **CLOSE)


def tf_square():
    r"""The eigenvalues of $\mathbf{C}_{xx}^{-1}\mathbf{C}_{xy}\mathbf{C}_{yy}^{-1}\mathbf{C}_{yx}$ are the canonical
    correlations."""
    X, Y = _views(4)
    C_xx, C_yy, C_xy = view_covariances(X, Y)
    product = np.linalg.solve(C_xx, C_xy) @ np.linalg.solve(C_yy, C_xy.T)
    found = np.sort(np.linalg.eigvals(product).real)[::-1][:3]
    assert np.allclose(np.sqrt(found), CCA(3).fit(X, Y).correlations_, **CLOSE)
    return np.allclose(found, CCA(3).fit(X, Y).correlations_, **CLOSE)


def tf_ridge():
    """A ridge can raise the first correlation of the training rows."""
    rises = []
    for seed in range(10):
        X, Y = _views(seed, n=15)
        plain = CCA(1).fit(X, Y).correlations_[0]
        rises += [CCA(1, ridge=r).fit(X, Y).correlations_[0] - plain for r in (0.01, 0.1, 1, 10)]
    return max(rises) > 1e-10


def tf_white():
    """If both views are white, canonical correlation and partial least squares find the same directions."""

    def agree(X, Y):
        cca, pls = canonical_pairs(X, Y), pls_directions(X, Y)
        return np.allclose(cca.x_directions, pls.x_directions[:, :3], atol=1e-7) and np.allclose(
            cca.y_directions, pls.y_directions[:, :3], atol=1e-7
        )

    assert not agree(*_views(0))
    return all(agree(*map(_white, _views(seed))) for seed in range(5))


def tf_independent():
    """If all canonical correlations are 0, the views are independent."""
    x = np.linspace(-1, 1, 11)
    curved = canonical_pairs(x, x**2).values
    assert curved.max() < 1e-12
    levels = np.array([(i, j) for i in range(4) for j in range(4)], dtype=float)  # all pairs once: independent
    assert score_correlations(levels[:, :1], levels[:, 1:])[0] < 1e-12
    return len({(round(a, 9), round(b, 9)) for a, b in zip(x, x**2, strict=True)}) == len(set(x)) * len(set(x**2))


test_claim = decided("reduction/cca", globals())
