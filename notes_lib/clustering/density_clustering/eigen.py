"""The eigenvectors of a normalised Laplacian with the smallest eigenvalues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh, lapack
from scipy.sparse import csc_array, eye_array, issparse
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from notes_lib.checks import FloatArray, check_integer
from notes_lib.clustering.density_clustering.checks import Weights, check_degrees, check_weights
from notes_lib.clustering.density_clustering.graphs import degrees_of, normalized
from notes_lib.numerics import RandomState, check_rng, leading_signs

SMALL = 300  # nodes up to which all eigenvectors together are the quickest way
EXTRA = 10  # vectors iterated beside those that are asked for
SHIFT = 1e-9  # added to the Laplacian, whose smallest eigenvalue is 0, before it is factorised
ROUNDS, RESIDUAL = 60, 1e-12


class SpectralEmbedding(NamedTuple):
    """``eigenvalues`` (k,), the smallest first; ``vectors`` (n, k), a node a row."""

    eigenvalues: FloatArray
    vectors: FloatArray


def spectral_embedding(W: Any, n_components: int, *, random_state: RandomState = None) -> SpectralEmbedding:
    """Solutions of ``L z = lambda D z`` with the smallest eigenvalues, :eq:`density-clustering-generalized`.

    With ``u = D^(1/2) z`` they are the eigenvectors of the symmetric normalised Laplacian; the ``u`` are orthonormal.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Symmetric weights, none negative, each node with an edge to another one; the diagonal does not count.
    n_components : int
        At most n.
    random_state : int, Generator, RandomState or None
        Where the iteration starts for more than 300 nodes.

    Returns
    -------
    SpectralEmbedding
        The largest entry of each vector is positive. The first eigenvalue is 0, its vector constant if the graph is
        connected; of a multiple eigenvalue some basis.

    Raises
    ------
    TypeError, ValueError
        If ``W`` is no such matrix, a node is isolated, or ``n_components`` is not an integer from 1 to n.

    Notes
    -----
    O(n^3 / 3) time and O(n^2) memory for a full matrix; for a sparse one what its factorisation takes. Both factorise
    ``L + shift`` once and repeat solving and orthogonalising: each round shrinks what is wrong by the ratio of the
    eigenvalues kept and left out. Where that is too slow, Lanczos' method continues with the same factors.

    Examples
    --------
    >>> found = spectral_embedding([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]], 3)
    >>> found.eigenvalues.round(12) + 0.0
    array([0., 0., 2.])
    """
    W = check_weights(W)
    return embedding_of(W, check_degrees(degrees_of(W)), n_components, random_state)


def embedding_of(W: Any, d: FloatArray, n_components: int, random_state: RandomState) -> SpectralEmbedding:
    """The same of weights that have been checked, with their degrees."""
    n, k = len(d), check_integer(n_components, "n_components")
    if k > n:
        raise ValueError(f"n_components={k} must be at most n = {n}, the number of nodes.")
    L: Any = normalized(W, d)
    if n <= max(SMALL, k + EXTRA):
        values, U = eigh(L.toarray() if issparse(L) else L, subset_by_index=[0, k - 1])
    else:
        values, U = _smallest(L, k, check_rng(random_state))
    Z = U / np.sqrt(d)[:, None]
    return SpectralEmbedding(np.maximum(values, 0.0), Z * leading_signs(Z.T))


def _smallest(L: Weights, k: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Eigenpairs of a positive semidefinite matrix by inverse iteration of a whole subspace."""
    solve = _solver(L)
    Q = np.linalg.qr(rng.standard_normal((L.shape[0], k + EXTRA)))[0]
    for _ in range(ROUNDS):
        Q = np.linalg.qr(solve(Q))[0]
        LQ = L @ Q
        values, S = np.linalg.eigh(Q.T @ LQ)  # the best vectors of the subspace
        Q, LQ = Q @ S, LQ @ S
        if np.abs(LQ[:, :k] - Q[:, :k] * values[:k]).max() <= RESIDUAL:
            return values[:k], Q[:, :k]
    inverse = LinearOperator(L.shape, matvec=solve, dtype=float)  # neighbouring eigenvalues are too alike: Lanczos
    mu, U = eigsh(inverse, k, which="LM", v0=Q[:, :k].sum(axis=1))
    return 1.0 / mu[::-1] - SHIFT, U[:, ::-1]


def _solver(L: Weights) -> Callable[[FloatArray], FloatArray]:
    """How to solve with ``L + SHIFT I``, factorised once."""
    if issparse(L):
        A = csc_array(L + SHIFT * eye_array(L.shape[0]))
        solve: Callable[[FloatArray], FloatArray] = splu(
            A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
        ).solve
        return solve
    A = np.array(L, order="F")
    A[np.diag_indices_from(A)] += SHIFT
    C, _ = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
    return lambda B: np.asarray(lapack.dpotrs(C, B, lower=1)[0])
