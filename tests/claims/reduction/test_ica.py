"""What the quiz on independent components says: all combinations of a few values, and sources that are drawn."""

import warnings
from itertools import product

import numpy as np
from scipy.stats import kurtosis, norm, ortho_group, spearmanr
from sklearn.exceptions import ConvergenceWarning

from notes_lib.reduction.ica import CONTRASTS, FastICA, amari_error, symmetric_decorrelation, whiten
from tests.claims.deciding import Numbers, decided

A = np.array([[1.0, 0.6], [0.5, 1.0]])


def _drawn(names, seed=0, n=3000):
    """Independent sources of variance 1 with the distributions of these names."""
    rng = np.random.default_rng(seed)
    draw = {"uniform": lambda: rng.uniform(-1, 1, n), "Gaussian": lambda: rng.normal(size=n),
            "Laplace": lambda: rng.laplace(size=n)}  # fmt: skip
    S = np.column_stack([draw[name]() for name in names])
    return (S - S.mean(axis=0)) / S.std(axis=0)


def _fitted(S, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return FastICA(random_state=seed, max_iter=200).fit(S @ A.T)


def _separated(*names):
    """Whether a separation is right for every one of ten draws."""
    errors = [amari_error(_fitted(_drawn(names, seed), seed).components_, A) for seed in range(10)]
    return max(errors) < 0.15


def quiz_unknown():
    """Which of these can independent component analysis *not* tell?"""
    S = _drawn(["uniform", "uniform"])
    found = [_fitted(S, seed) for seed in range(8)]
    sources = [np.abs(np.corrcoef(model.transform(S @ A.T).T, S.T)[:2, 2:]) for model in found]
    firsts = {int(C[0].argmax()) for C in sources}
    ratios = [np.sort(model.mixing_[1] / model.mixing_[0]) for model in found]
    misled = [ratio for ratio in ratios if not np.allclose(ratio, np.sort(A[1] / A[0]), atol=0.05)]
    V = whiten(S @ A.T).V
    turned = [model.components_ @ np.linalg.inv(V) for model in found]
    angles = [np.degrees(np.arctan2(R[0, 1], R[0, 0])) % 90 for R in turned]
    return {
        "how loud a sound is at one microphone compared with the other": bool(misled),
        "which source is the first one": len(firsts) > 1,
        "whether the sources are white noise or a tone": min(C.max(axis=1).min() for C in sources) < 0.99,
        "the angle that is left after whitening": np.ptp(angles) > 1,
    }  # fmt: skip


def quiz_kurtosis(first, second, a, b):
    """Two independent sources of variance 1 have the excess kurtosis <first> and <second>. What is the excess kurtosis
    of $y=<a>\\,s_1+<b>\\,s_2$?"""
    laws = [_three_values(value) for value in (first, second)]
    fourth = sum(p * q * (a * u + b * v) ** 4 for (u, p), (v, q) in product(*laws))
    return Numbers(
        fourth - 3,
        [a * first + b * second, a**2 * first + b**2 * second, a**4 * first + b**4 * abs(second)],
    )


def _three_values(excess):
    """Values and probabilities of a symmetric number of variance 1 with this excess kurtosis."""
    p = 1 / (2 * (excess + 3))
    size = 1 / np.sqrt(2 * p)
    return [(-size, p), (0.0, 1 - 2 * p), (size, p)]


def quiz_whitening():
    """Why is the data whitened first?"""
    S = _drawn(["uniform", "uniform"])
    Z, V, _ = whiten(S @ A.T)
    Q = V @ A
    squares = np.corrcoef(Z[:, 0] ** 2, Z[:, 1] ** 2)[0, 1]
    dirty = np.vstack([S @ A.T, [[30.0, -30.0]]])
    far = np.linalg.norm(whiten(dirty).Z[-1]) / np.median(np.linalg.norm(whiten(dirty).Z, axis=1))
    return {
        "it makes the components independent": abs(squares) < 0.1,
        "an orthogonal matrix is left to find": np.abs(Q @ Q.T - np.eye(2)).max() < 0.1,
        "it makes Gaussian sources separable": _separated("Gaussian", "Gaussian"),
        "it removes the far points": far < 3,
    }


def quiz_pairs():
    """Which pairs of sources can be separated? (Mark all.)"""
    return {
        "uniform and uniform": _separated("uniform", "uniform"),
        "uniform and Gaussian": _separated("uniform", "Gaussian"),
        "Gaussian and Gaussian": _separated("Gaussian", "Gaussian"),
        "Laplace and uniform": _separated("Laplace", "uniform"),
    }


def tf_uncorrelated():
    """Independent numbers with finite variances are uncorrelated."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(20):
        pairs = np.array(list(product(rng.normal(size=5), rng.gamma(1, size=7))))
        found.append(np.cov(pairs.T, bias=True)[0, 1])
        assert spearmanr(*np.column_stack([pairs[:, 0], pairs[:, 0] ** 3]).T)[0] > 0.9  # a dependent pair is seen
    return np.abs(found).max() < 1e-12


def tf_orthogonal():
    """If $\\mathbf{V}$ whitens the data, every orthogonal matrix times $\\mathbf{V}$ whitens them, too."""
    X = _drawn(["uniform", "Laplace"]) @ A.T
    V, Sigma = whiten(X).V, np.cov(X.T, bias=True)
    turns = [*ortho_group.rvs(2, size=20, random_state=0), symmetric_decorrelation(A)]
    assert not np.allclose((A @ V) @ Sigma @ (A @ V).T, np.eye(2))  # a matrix that is not orthogonal does not
    return all(np.allclose((turn @ V) @ Sigma @ (turn @ V).T, np.eye(2)) for turn in turns)


def tf_zero(value):
    """A source with excess kurtosis <value> is Gaussian."""
    three = np.sqrt(3) * np.array([-1, 0, 0, 0, 0, 1])
    G, *_, gaussian, _ = CONTRASTS["logcosh"]
    assert np.isclose(kurtosis(three), value)
    assert np.isclose(norm.moment(4) - 3, value)  # a Gaussian has it, too
    return abs(G(three).mean() - gaussian) < 1e-3


def tf_rows():
    """The rows of the unmixing matrix $\\mathbf{W}$ are perpendicular."""
    S = _drawn(["uniform", "uniform"])
    model = _fitted(S, 0)
    R = model.components_ @ np.linalg.inv(whiten(S @ A.T).V)
    assert np.allclose(R @ R.T, np.eye(2))
    first, second = model.components_
    return abs(first @ second) < 0.05 * np.linalg.norm(first) * np.linalg.norm(second)


test_claim = decided("reduction/ica", globals())
