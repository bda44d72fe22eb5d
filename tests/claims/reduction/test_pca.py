"""The quiz of the chapter *Principal component analysis*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.stats import spearmanr

from notes_lib.linear.fisher_lda import fisher_direction
from notes_lib.reduction.pca import PCA, held_out_errors, karhunen_loeve, principal_axes, reconstruction_error
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


def _rows(seed=0, n=60, d=4):
    """Correlated rows away from the origin."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 3


def quiz_error(values):
    """A covariance matrix has the eigenvalues <values>. With two components, the mean squared distance from the
    reconstruction is"""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, len(values)))
    A, _, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    X = A * np.sqrt(40 * np.asarray(values))  # this covariance matrix, with divisor 40
    error = reconstruction_error(X, X.mean(axis=0), PCA(2).fit(X).components_)
    return Numbers(error, [sum(values) - error, error / sum(values), values[1]])


def quiz_rank(rows, columns):
    """<rows> centred rows have <columns> columns. How many eigenvalues of their covariance matrix can be positive?"""
    X = _rows(0, int(rows), int(columns))
    values = np.linalg.eigvalsh(np.cov(X.T))
    return Numbers(np.sum(values > 1e-8 * values.max()), [columns, rows, columns - 1])


def _same_axes(X, Y):
    """Whether two data sets have the same principal axes, up to sign."""
    a, b = PCA().fit(X).components_, PCA().fit(Y).components_
    return a.shape == b.shape and np.allclose(np.abs((a * b).sum(axis=1)), 1, atol=1e-8)


def quiz_same():
    """Which of these leaves the principal axes of a data set as they are?"""
    X = _rows()
    five = lambda by: X * np.r_[by, np.ones(3)]
    return {
        "adding <shift> to every entry of one column": lambda shift: _same_axes(X, X + np.r_[shift, np.zeros(3)]),
        "multiplying one column by <by>": lambda by: _same_axes(X, five(by)),
        "adding a copy of one column": _same_axes(X, np.hstack([X, X[:, :1]])),
        "adding one far row": _same_axes(X, np.vstack([X, [100, -50, 0, 20]])),
    }


def quiz_share(first):
    """Four standardised features; the first eigenvalue is <first>. The first component explains"""
    rest = (4 - first) / 3
    R = np.full((4, 4), (first - rest) / 4) + rest * np.eye(4)  # equal correlations
    assert np.allclose(np.diag(R), 1)
    values = principal_axes(R).eigenvalues
    assert np.isclose(values[0], first)
    share = 100 * values[0] / values.sum()
    return Numbers(share, [10 * first, first, 100 - share], r" \\?%")


def quiz_properties():
    """Which are true of PCA? (Mark all.)"""
    Z = PCA().fit_transform(_rows())
    t = np.linspace(-2, 2, 81)
    bow = PCA().fit_transform(np.column_stack([t, 0.4 * t**2]))
    bent = abs(spearmanr(np.abs(bow[:, 0]), bow[:, 1])[0]) < 0.5  # one score says nothing about the other
    rng, y = np.random.default_rng(1), np.repeat([0, 1], 60)
    flat = rng.normal(size=(120, 2)) * [4, 0.5] + np.outer(y, [0, 2])
    apart = lambda z: abs(z[y == 1].mean() - z[y == 0].mean()) / z[y == 0].std()
    separates = apart(flat @ PCA(1).fit(flat).components_[0]) >= apart(flat @ fisher_direction(flat, y)) - SMALL
    return {
        "two different scores are uncorrelated": np.allclose(np.corrcoef(Z.T), np.eye(4)),
        "two different scores are independent": bent,
        "the mean squared distance never grows with another component": _never_grows(3) and _never_grows(4),
        "the first component separates the classes best": separates,
    }


def _never_grows(seed):
    """Whether the error on other rows never grows with a component."""
    errors = held_out_errors(_rows(seed), _rows(seed + 100)).mean(axis=0)
    return (np.diff(errors) <= SMALL).all()


def tf_multiplier():
    """The multiplier of the orthogonality constraint for the second axis is zero."""
    S = np.cov(_rows().T)
    values, V = principal_axes(S)
    # 2 S u - 2 lambda u = phi u_1 at the best u that is orthogonal to u_1: found without eigenvectors, on a circle
    basis = np.linalg.svd(V[:1])[2][1:]
    inner = basis @ S @ basis.T
    u = np.linalg.matrix_power(inner, 200) @ np.ones(3)
    u = basis.T @ (u / np.linalg.norm(u))
    return abs(2 * V[0] @ S @ u) < 1e-6 * values[0]


def tf_held_out():
    """On held-out rows the reconstruction error grows again when there are too many components."""
    few = held_out_errors(_rows(5, 8, 6), _rows(6, 200, 6)).mean(axis=0)
    assert few[0] > few[-1]
    return not (_never_grows(5) and (np.diff(few) <= SMALL).all())


def tf_whitening():
    """After whitening, a rotation of the scores keeps their covariance matrix."""
    W = PCA(whiten=True).fit_transform(_rows())
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(4, 4)))[0]
    return np.allclose(np.cov((W @ Q).T), np.eye(4))


def tf_centring():
    """Without centring, the first axis is the direction of largest variance."""
    at_home = _rows() - _rows().mean(axis=0)
    spread = lambda X: np.var(X @ karhunen_loeve(X, 1).components[0])
    largest = PCA(1).fit(at_home).explained_variance_[0] * 59 / 60
    assert np.isclose(spread(at_home), largest)  # true if the mean is zero
    return spread(at_home + np.array([0, 50, 0, 0])) >= largest - SMALL


test_claim = decided("reduction/pca", globals())
