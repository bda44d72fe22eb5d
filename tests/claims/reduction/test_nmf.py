"""The quiz of the chapter *Non-negative matrix factorisation*, decided: see ``tests/claims/deciding.py``."""

from functools import cache

import numpy as np

from notes_lib.numerics import central_difference
from notes_lib.reduction.nmf import NMF, coordinate_descent, divergence, multiplicative, multiplicative_update
from tests.claims.deciding import Numbers, decided

KL = "kullback-leibler"


def _factors(seed, n=8, d=6, k=3):
    """Positive data and factors."""
    rng = np.random.default_rng(seed)
    return rng.random((n, d)) + 0.1, rng.random((n, k)) + 0.1, rng.random((k, d)) + 0.1


def _entry(value, numerator, denominator):
    """One entry of H with this numerator and denominator: x and w of a single sum."""
    w = np.sqrt(denominator / value)
    return np.array([[numerator / w]]), np.array([[w]]), np.array([[value]])


def quiz_update(value, numerator, denominator):
    """An entry of $\\mathbf{H}$ is <value>; its numerator is <numerator> and its denominator <denominator>. After the
    multiplicative update it is"""
    found = multiplicative_update(*_entry(value, numerator, denominator))
    slips = [value * denominator / numerator, numerator / denominator, value + numerator - denominator]
    return Numbers(found, slips)


def quiz_slope(value, numerator, denominator):
    """The same entry, <value>, with numerator <numerator> and denominator <denominator>: what is the slope of $F$
    there?"""
    X, W, H = _entry(value, numerator, denominator)
    slope = float(central_difference(lambda h: divergence(X, W, h), H)[0, 0])
    return Numbers(round(slope, 6), [numerator - denominator, numerator / denominator, 0])


def quiz_zero():
    """An entry of $\\mathbf{H}$ is 0 and its slope is negative. What do multiplicative updates make of it?"""
    X, W, H = _factors(0)
    X[:, 2] += 1.0
    H[1, 2] = 0.0
    slope = central_difference(lambda h: divergence(X, W, np.maximum(h, 0)), H + 1e-5)[1, 2]
    assert slope < 0
    assert coordinate_descent(X, W, H, max_iter=50, update_H=True).H[1, 2] > 0
    after = multiplicative(X, W, H, max_iter=100, tol=0).H[1, 2]
    return {"it stays 0": after == 0, "it grows": after > 0, "it becomes negative": after < 0}


def quiz_same():
    """Which changes leave $\\mathbf{W}\\mathbf{H}$ as it is, for positive factors? (Mark all.)"""
    _, W, H = _factors(1)

    def same(columns, rows):
        """Whether the product stays, if column k of W and row k of H are these multiples of others."""
        A, B = W.copy(), H.copy()
        for k, (source, factor) in columns.items():
            A[:, k] = factor * W[:, source]
        for k, (source, factor) in rows.items():
            B[k] = factor * H[source]
        return np.allclose(A @ B, W @ H)

    swap = {0: (1, 1), 1: (0, 1)}
    return {
        "double a column of $\\mathbf{W}$ and halve the row of $\\mathbf{H}$ that belongs to it": same(
            {0: (0, 2)}, {0: (0, 0.5)}
        ),
        "swap two columns of $\\mathbf{W}$ and the same two rows of $\\mathbf{H}$": same(swap, swap),
        "double a column of $\\mathbf{W}$ and the row of $\\mathbf{H}$ that belongs to it": same(
            {0: (0, 2)}, {0: (0, 2)}
        ),
        "swap two columns of $\\mathbf{W}$ and leave $\\mathbf{H}$": same(swap, {}),
    }


def _above_the_chord(move_W):
    """How far the objective at the middle of two points lies above the mean of both: positive refutes convexity."""
    worst = -np.inf
    for seed in range(30):
        X, W, H = _factors(seed)
        V = W[:, [1, 2, 0]] if move_W else W
        G = H[[1, 2, 0]]
        ends = (divergence(X, W, H) + divergence(X, V, G)) / 2
        worst = max(worst, divergence(X, (W + V) / 2, (H + G) / 2) - ends)
    return worst


def tf_convex():
    """For fixed $\\mathbf{W}$, half the sum of squared errors is a convex function of $\\mathbf{H}$."""
    curvatures = []
    for seed in range(5):
        W = _factors(seed)[1]
        curvatures.append(np.linalg.eigvalsh(W.T @ W).min())  # the Hessian, for each column
    return min(curvatures) >= 0 and _above_the_chord(move_W=False) <= 1e-12


def tf_joint():
    """Half the sum of squared errors is convex in $\\mathbf{W}$ and $\\mathbf{H}$ together."""
    _, W, H = _factors(3)
    X = W @ H  # two orders of the same parts are perfect, and their middle is not
    swapped = divergence(X, (W + W[:, [1, 2, 0]]) / 2, (H + H[[1, 2, 0]]) / 2)
    assert divergence(X, W[:, [1, 2, 0]], H[[1, 2, 0]]) < 1e-20
    return swapped < 1e-9


def tf_sums():
    """After an update of $\\mathbf{H}$ for the Kullback-Leibler divergence, $\\mathbf{W}\\mathbf{H}$ has the column
    sums of $\\mathbf{X}$."""
    pairs = []
    for seed in range(5):
        X, W, H = _factors(seed)
        pairs.append(np.allclose((W @ multiplicative_update(X, W, H, KL)).sum(axis=0), X.sum(axis=0)))
    return all(pairs)


def tf_centred():
    """NMF accepts data whose columns have been centred."""
    X = _factors(4)[0]
    assert NMF(2, tol=0, max_iter=5).fit(X).n_iter_ == 5
    try:
        NMF(2).fit(X - X.mean(axis=0))
    except ValueError as error:
        refused = "Negative values" in str(error)
    return not refused


def tf_one():
    """With one part, NMF can be as good as the best matrix of rank one with free signs."""
    gaps = []
    for seed in range(5):
        X = _factors(seed)[0]
        tail = np.linalg.norm(np.linalg.svd(X, compute_uv=False)[1:])
        gaps.append(NMF(1, tol=1e-12, max_iter=2000).fit(X).reconstruction_err_ - tail)
    return max(gaps) < 1e-8


@cache
def _ends():
    """Errors at which the updates stop, from several starts."""
    X = np.random.default_rng(0).random((12, 10))
    models = [
        NMF(4, init="random", solver="mu", tol=1e-8, max_iter=20_000, random_state=seed).fit(X) for seed in range(6)
    ]  # a warning would say that one of them has not stopped
    return np.array([model.reconstruction_err_ for model in models])


def tf_smallest():
    """If the multiplicative updates stop, they have found the smallest error for this number of parts."""
    return np.ptp(_ends()) < 0.002


test_claim = decided("reduction/nmf", globals())
