"""The eigenvectors of a symmetric matrix with the largest eigenvalues."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from notes_lib.checks import FloatArray, check_choice, check_integer, check_symmetric
from notes_lib.numerics import RandomState, check_rng, leading_signs

SOLVERS = ("auto", "dense", "randomized")
SMALL = 300  # rows up to which all eigenvectors together are the quickest way
EXTRA = 5  # vectors multiplied beside those that are asked for
ROUNDS, RESIDUAL = 40, 1e-14


class Eigenpairs(NamedTuple):
    """``eigenvalues`` (k,), the largest first; ``eigenvectors`` (n, k), orthonormal columns."""

    eigenvalues: FloatArray
    eigenvectors: FloatArray


def leading_eigenpairs(
    A: ArrayLike, n_components: int, eigen_solver: str = "auto", *, random_state: RandomState = None
) -> Eigenpairs:
    """The largest eigenvalues of a symmetric matrix, and their eigenvectors; :eq:`kernel-pca-dual-problem`.

    Parameters
    ----------
    A : (n, n) array
        Symmetric.
    n_components : int
        How many, from 1 to n.
    eigen_solver : {"auto", "dense", "randomized"}
        ``"dense"`` reduces the whole matrix. ``"randomized"`` multiplies a block of random vectors by A again and again
        and takes the best vectors of everything that came out, to full precision. ``"auto"`` does so for more than 300
        rows and at most one component in twenty.
    random_state : int, Generator, RandomState or None
        Where ``"randomized"`` starts; the result does not depend on it beyond rounding.

    Returns
    -------
    Eigenpairs
        The entry of each eigenvector with the largest absolute value is positive.

    Raises
    ------
    TypeError, ValueError
        If ``A`` is not square, finite and symmetric, ``n_components`` is not an integer from 1 to n, or the solver or
        ``random_state`` is unknown.

    Notes
    -----
    O(n^3) time for ``"dense"``; O(n^2 k) for each product of ``"randomized"``, which needs about ten. O(n^2) memory.
    Where 40 products are not enough, the dense way finishes the work.

    Examples
    --------
    >>> leading_eigenpairs([[2.0, 1.0], [1.0, 2.0]], 1).eigenvalues.round(12)
    array([3.])
    """
    A = check_symmetric(A, "A")
    check_choice(eigen_solver, "eigen_solver", SOLVERS)
    n, k = len(A), check_integer(n_components, "n_components")
    if k > n:
        raise ValueError(f"n_components={k} must be at most {n}, the number of rows: ask for fewer.")
    return eigenpairs_of(A, k, eigen_solver, check_rng(random_state))


def eigenpairs_of(A: FloatArray, k: int, eigen_solver: str, rng: np.random.Generator) -> Eigenpairs:
    """The same for arguments that have been checked."""
    n = len(A)
    quick = eigen_solver == "randomized" or (eigen_solver == "auto" and n > SMALL and 20 * k <= n)
    found = _block_krylov(A, k, rng) if quick and 2 * (k + EXTRA) <= n else None
    if found is None:
        values, vectors = eigh(A, subset_by_index=[n - k, n - 1], check_finite=False)
        found = Eigenpairs(values[::-1], vectors[:, ::-1])
    values, vectors = found
    return Eigenpairs(values, vectors * leading_signs(vectors.T))


def _block_krylov(A: FloatArray, k: int, rng: np.random.Generator) -> Eigenpairs | None:
    """Best vectors of the span of Q, AQ, A^2 Q, ... for a random block Q; None if that takes too long."""
    n, b = len(A), k + EXTRA
    width = min(ROUNDS, n // b) * b
    V = np.empty((n, width), order="F")  # orthonormal, one block after the other
    T = np.zeros((width, width))  # V'AV
    Q = np.linalg.qr(rng.standard_normal((n, b)))[0]
    for m in range(b, width + 1, b):
        V[:, m - b : m] = Q
        basis = V[:, :m]
        Q = A @ Q
        T[:m, m - b : m] = basis.T @ Q
        Q -= basis @ T[:m, m - b : m]
        Q -= basis @ (basis.T @ Q)  # once more, against rounding
        Q, R = np.linalg.qr(Q)
        values, S = eigh(T[:m, :m], lower=False, check_finite=False)  # Rayleigh-Ritz, kernel-pca-ritz
        values, S = values[: -k - 1 : -1], S[:, : -k - 1 : -1]
        if np.abs(R @ S[-b:]).max() <= RESIDUAL * np.abs(values).max():  # what A does outside the span
            return Eigenpairs(values, basis @ S)
    return None
