"""The quiz of the chapter *Singular value decomposition*, decided: see ``tests/claims/deciding.py``."""

from functools import cache

import numpy as np

from notes_lib.reduction.svd import (
    exact_svd,
    low_rank_approximation,
    power_step,
    pseudo_inverse,
    randomized_svd,
    svd_power,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


@cache
def _matrices():
    """Matrices of several shapes, two of them of a lower rank."""
    rng = np.random.default_rng(0)
    plain = [rng.normal(size=shape) for shape in [(5, 4), (4, 5), (4, 4), (1, 3), (3, 1)]]
    return [*plain, plain[0][:, :1] @ plain[1][:1], plain[0][:, :2] @ plain[1][:2]]


def _values(A):
    return np.linalg.svd(A, compute_uv=False)


def _same(a, b):
    return len(a) == len(b) and np.allclose(a, b, atol=SMALL)


def quiz_error(values):
    """A matrix has the singular values <values>. In the Frobenius norm, the best matrix of rank 1 is away from it by"""
    A = np.linalg.qr(np.random.default_rng(0).normal(size=(4, 3)))[0] * values
    gap = A - low_rank_approximation(A, 1)
    return Numbers(np.linalg.norm(gap), [np.linalg.norm(gap, 2), sum(values[1:]), values[0]])


def quiz_rate(first, second):
    """The first two singular values are <first> and <second>. A round of power iteration, there and back, divides the
    tangent of the angle by at least"""
    A = np.diag([first, second, second / 2])
    starts = np.random.default_rng(0).normal(size=(50, 3))
    starts[0, 2] = 0.0  # where the bound is reached
    tangent = lambda x: np.linalg.norm(x[1:]) / abs(x[0])
    factor = min(tangent(x) / tangent(power_step(A, x)[2]) for x in starts)
    return Numbers(factor, [first / second, (first / second) ** 3, first - second])


def quiz_invariant():
    """Which changes leave all singular values of every matrix as they are? (Mark all.)"""
    two = lambda A: A * np.append(2.0, np.ones(A.shape[1] - 1))
    changes = {
        "taking the transpose": lambda A: A.T,
        "putting the rows into another order": lambda A: A[::-1],
        "subtracting the mean of each column": lambda A: A - A.mean(axis=0),
        "multiplying one column by 2": two,
    }
    return {name: all(_same(_values(change(A)), _values(A)) for A in _matrices()) for name, change in changes.items()}


def quiz_shortest():
    r"""The columns of $\mathbf{A}$ are linearly dependent. Then $\mathbf{A}^+\mathbf{y}$ is"""
    A, y = np.array([[1.0, 1.0], [2.0, 2.0], [0.0, 0.0]]), np.array([2.0, 3.0, 1.0])
    w = pseudo_inverse(A) @ y
    error = lambda w: np.linalg.norm(A @ w - y)
    others = [w + step * np.array([1.0, -1.0]) for step in (-2, -w[0], 0.5, w[0])]
    fits = all(abs(error(other) - error(w)) < SMALL for other in others)
    least = fits and all(error(w) <= error(w + d) for d in np.random.default_rng(0).normal(size=(50, 2)))
    zeros = lambda w: int(np.sum(np.abs(w) < SMALL))
    return {
        r"the only minimiser of $\lVert\mathbf{A}\mathbf{w}-\mathbf{y}\rVert$": least and not fits,
        r"the shortest minimiser of $\lVert\mathbf{A}\mathbf{w}-\mathbf{y}\rVert$": least
        and all(np.linalg.norm(other) > np.linalg.norm(w) for other in others),
        r"the minimiser of $\lVert\mathbf{A}\mathbf{w}-\mathbf{y}\rVert$ with the most zeros": least
        and zeros(w) >= max(map(zeros, others)),
        "not defined": not np.isfinite(w).all(),
    }


def tf_exists():
    """Every real matrix, of any shape and rank, has a singular value decomposition."""
    found = [svd_power(A, min(A.shape)) for A in [*_matrices(), np.zeros((3, 2))]]
    whole = [np.allclose((U * s) @ Vt, A, atol=1e-8) for (U, s, Vt), A in zip(found, _matrices(), strict=False)]
    right = [np.allclose(U.T @ U, np.eye(len(s)), atol=1e-8) and (s >= 0).all() for U, s, _ in found]
    return all(whole) and all(right) and all(np.allclose(Vt @ Vt.T, np.eye(len(s)), atol=1e-8) for _, s, Vt in found)


def tf_symmetric():
    """The singular values of a symmetric matrix are its eigenvalues."""
    eigen = lambda A: np.sort(np.linalg.eigvalsh(A))[::-1]
    good = np.diag([3.0, 1.0])
    assert _same(exact_svd(good).s, eigen(good))
    return all(_same(exact_svd(A).s, eigen(A)) for A in (good, -np.eye(2), _symmetric(3)))


def _symmetric(seed):
    A = np.random.default_rng(seed).normal(size=(3, 3))
    return A + A.T


def tf_both():
    """The matrix of rank $k$ that is nearest in the Frobenius norm is also nearest in the spectral norm."""
    rng, worst = np.random.default_rng(1), 0.0
    for A in _matrices()[:3]:
        for k in (1, 2):
            best = low_rank_approximation(A, k)
            U, s, Vt = np.linalg.svd(best)
            for size in (1e-3, 0.1, 1.0):
                for _ in range(20):
                    near = (
                        (U[:, :k] + size * rng.normal(size=(len(A), k)))
                        * s[:k]
                        @ (Vt[:k] + size * rng.normal(size=(k, A.shape[1])))
                    )
                    assert np.linalg.norm(A - best) < np.linalg.norm(A - near)
                    worst = max(worst, np.linalg.norm(A - best, 2) - np.linalg.norm(A - near, 2))
    return worst < SMALL


def tf_sum():
    """The largest singular value of a sum is at most the sum of the largest singular values."""
    rng = np.random.default_rng(2)
    gaps = [_values(A)[0] + _values(B)[0] - _values(A + B)[0] for A in _matrices() for B in [rng.normal(size=A.shape)]]
    return min(gaps) > -SMALL


def tf_above():
    """The randomised decomposition sometimes finds a first singular value that is larger than the true one."""
    A = np.random.default_rng(3).normal(size=(30, 20))
    found = [randomized_svd(A, 1, n_oversamples=2, n_iter=q, random_state=i).s[0] for i in range(50) for q in (0, 3)]
    assert min(found) < 0.9 * _values(A)[0]
    return max(found) > _values(A)[0] * (1 + 1e-12)


test_claim = decided("reduction/svd", globals())
