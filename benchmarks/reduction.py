"""Workloads of the chapters on dimension reduction."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import sklearn.cross_decomposition
import sklearn.decomposition
import sklearn.manifold
from sklearn.exceptions import ConvergenceWarning

from benchmarks.harness import Workload
from notes_lib.checks import FloatArray
from notes_lib.reduction.cca import CCA
from notes_lib.reduction.hashing import MinHashLSH
from notes_lib.reduction.ica import FastICA
from notes_lib.reduction.kernel_pca import KernelPCA
from notes_lib.reduction.manifold_learning import MDS, Isomap, LocallyLinearEmbedding, swiss_roll
from notes_lib.reduction.nmf import NMF
from notes_lib.reduction.pca import PCA
from notes_lib.reduction.random_projection import GaussianRandomProjection, SparseRandomProjection
from notes_lib.reduction.svd import TruncatedSVD, randomized_svd


def _largest_gap(a: Any, b: Any) -> float:
    """Of singular values, relative to the largest one."""
    return float(np.abs(a - b).max() / b[0])


def randomized_svd_dense() -> Workload:
    """20 singular triplets of a matrix whose values fall slowly."""
    from sklearn.utils.extmath import randomized_svd as peer

    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.normal(size=(m, 200)))[0] for m in (2000, 1000))
    A = (U / np.arange(1, 201)) @ V.T + 1e-4 * rng.normal(size=(2000, 1000))
    return Workload(
        name="randomised SVD, dense",
        size="2000 x 1000, 20 components, 7 rounds",
        peer_name="scikit-learn",
        ours=lambda: randomized_svd(A, 20, random_state=0).s,
        peer=lambda: peer(A, 20, random_state=0)[1],
        difference=_largest_gap,
        tolerance=1e-6,
        goal=1.0,
        technique="both products in the order in which the matrix lies in memory; columns made orthonormal by the "
        "Cholesky factor of their small Gram matrix",
    )


def truncated_svd_sparse() -> Workload:
    """20 components of a sparse matrix of counts."""
    import sklearn.decomposition
    from scipy.sparse import csr_array, random_array

    X = csr_array(random_array((20_000, 2000), density=0.005, rng=np.random.default_rng(0)))
    return Workload(
        name="truncated SVD, sparse",
        size="20,000 x 2000, 0.5 % stored, 20 components",
        peer_name="scikit-learn",
        ours=lambda: TruncatedSVD(20, random_state=0).fit(X).singular_values_,
        peer=lambda: sklearn.decomposition.TruncatedSVD(20, random_state=0).fit(X).singular_values_,
        difference=_largest_gap,
        tolerance=2e-2,  # values that hardly fall: two samples of the columns agree no better
        goal=1.0,
        technique="as for a dense matrix, without forming any dense one of its size",
    )


def pca() -> Workload:
    """All axes of many rows."""
    import sklearn.decomposition

    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 100)) @ rng.normal(size=(100, 100)) + 5.0
    return Workload(
        name="principal components",
        size="50,000 x 100",
        peer_name="scikit-learn (auto)",
        ours=lambda: PCA().fit(X).explained_variance_,
        peer=lambda: sklearn.decomposition.PCA().fit(X).explained_variance_,
        difference=lambda a, b: float(np.abs(a / b - 1).max()),
        tolerance=1e-8,
        goal=0.95,
        technique="covariance matrix in one pass over blocks of rows, each moved near the mean; eigenvectors",
    )


def kernel_pca() -> Workload:
    """Five components of an RBF kernel matrix."""
    import sklearn.decomposition

    X = np.random.default_rng(0).normal(size=(2000, 10))
    X[:1000, 0] += 4.0
    same: dict[str, Any] = {"kernel": "rbf", "gamma": 0.05, "random_state": 0}
    return Workload(
        name="kernel PCA",
        size="2,000 x 10, 5 components",
        peer_name="scikit-learn (ARPACK)",
        ours=lambda: KernelPCA(5, **same).fit_transform(X),
        peer=lambda: sklearn.decomposition.KernelPCA(5, eigen_solver="arpack", **same).fit_transform(X),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-8,
        goal=0.5,
        technique="a block of vectors is multiplied by the matrix again and again, and Rayleigh-Ritz takes the best "
        "of all blocks, not of the last one only",
    )


def independent_components() -> Workload:
    """Whitening and fixed-point iterations from one start; ten Laplace sources."""
    import sklearn.decomposition

    rng = np.random.default_rng(0)
    A, start = rng.normal(size=(10, 10)), rng.normal(size=(10, 10))
    X = rng.laplace(size=(20_000, 10)) @ A.T
    ours = FastICA(tol=1e-6, w_init=start)
    peer = sklearn.decomposition.FastICA(tol=1e-6, w_init=start, whiten_solver="eigh")
    return Workload(
        name="independent components",
        size="20,000 x 10",
        peer_name="scikit-learn, whitening by eigh",
        ours=lambda: ours.fit(X).components_,
        peer=lambda: peer.fit(X).components_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.5,
        floor=1.3,  # nearly all of it is NumPy's tanh, on both sides
        technique="one evaluation of tanh for both means, in blocks that stay in the cache",
    )


def cca_two_views() -> Workload:
    """Five pairs of two views with common causes."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(5000, 8))
    X, Y = (Z @ rng.normal(size=(8, d)) + 2 * rng.normal(size=(5000, d)) for d in (40, 30))
    return Workload(
        name="canonical correlation analysis",
        size="5,000 rows, 40 and 30 columns, 5 components",
        peer_name="scikit-learn",
        ours=lambda: scores(CCA(5).fit(X, Y), X, Y),
        peer=lambda: scores(sklearn.cross_decomposition.CCA(5).fit(X, Y), X, Y),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-3,
        goal=1.5,
        technique="one singular value decomposition of each view for all pairs, instead of iterations for each pair",
    )


def scores(model: CCA | sklearn.cross_decomposition.CCA, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Correlations of the scores that a model finds."""
    pairs = zip(*(S.T for S in model.transform(X, Y)), strict=True)
    return np.array([np.corrcoef(u, v)[0, 1] for u, v in pairs])


def nmf_parts() -> Workload:
    """Fifty iterations by rows from one start; scikit-learn's other solver has a larger error after as many."""
    rng = np.random.default_rng(0)
    n, d, k = 2000, 500, 20
    X = rng.random((n, k)) @ rng.random((k, d)) + 0.1 * rng.random((n, d))
    W, H = rng.random((n, k)), rng.random((k, d))
    limits: dict[str, Any] = {"init": "custom", "solver": "cd", "max_iter": 50, "tol": 1e-12}

    def error(model: Any) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit_transform(X, W=W.copy(), H=H.copy())
        return float(model.reconstruction_err_)

    return Workload(
        name="NMF by rows",
        size="2000 instances, 500 features, 20 parts, 50 iterations",
        peer_name="scikit-learn NMF, cd",
        ours=lambda: error(NMF(k, **limits)),
        peer=lambda: error(sklearn.decomposition.NMF(k, **limits)),
        difference=lambda a, b: abs(a - b) / b,
        tolerance=1e-8,
        goal=0.95,
        technique="products of the data first, then one product of a vector and a matrix for each part",
    )


def gaussian_projection() -> Workload:
    """Draw a dense matrix and project."""
    return _projection(
        GaussianRandomProjection,
        name="Gaussian random projection",
        size="2000 x 5000 to 400 components",
        technique="normal numbers by the ziggurat method of the Generator, then one matrix product",
    )


def sparse_projection() -> Workload:
    """Draw a sparse matrix and project."""
    return _projection(
        SparseRandomProjection,
        name="sparse random projection",
        size="2000 x 5000 to 400 components, density 0.014",
        technique="only entries that are not 0 are drawn, by their geometric gaps; 64 rows at a time, which stay in "
        "the cache",
    )


def _projection(ours: Any, **said: Any) -> Workload:
    """Draw and project, ours and scikit-learn's class of the same name."""
    import sklearn.random_projection

    X = np.random.default_rng(1).normal(size=(2000, 5000))
    peer = getattr(sklearn.random_projection, ours.__name__)
    return Workload(
        peer_name="scikit-learn",
        ours=lambda: ours(400, random_state=0).fit_transform(X),
        peer=lambda: peer(400, random_state=0).fit_transform(X),
        difference=relative_energy,
        tolerance=0.01,  # other random numbers: the ratio of two means of 800,000 squares
        goal=1.0,
        **said,
    )


def relative_energy(a: FloatArray, b: FloatArray) -> float:
    """How far the ratio of two sums of squares is from 1."""
    return abs(float((a**2).sum() / (b**2).sum()) - 1)


def _plain_minhash(sets: list[set[int]], size: int) -> list[list[int]]:
    """One set after the other: numbers of all its items by all hash functions, modulo a prime, and their minima."""
    a, b = np.random.default_rng(0).integers(1, 2**31 - 1, size=(2, size), dtype=np.uint64)
    prime = np.uint64(2**31 - 1)
    signature = [
        ((np.array(list(items), dtype=np.uint64)[:, None] * a + b) % prime).min(axis=0).tolist() for items in sets
    ]
    tables: list[dict[tuple[int, ...], list[int]]] = [{} for _ in range(0, size, 5)]
    for row, numbers in enumerate(signature):
        for t, table in enumerate(tables):
            table.setdefault(tuple(numbers[5 * t : 5 * t + 5]), []).append(row)
    return signature


def _estimate(signature: np.ndarray) -> float:
    """Share of equal entries of a set and the next one, mean over all."""
    return float((signature[1:] == signature[:-1]).mean())


def minhash() -> Workload:
    """Signatures of sets, and their bands in tables."""
    rng = np.random.default_rng(0)
    common = rng.choice(10**6, size=80, replace=False)
    sets = [{*common.tolist(), *rng.integers(0, 10**6, size=20).tolist()} for _ in range(5000)]
    return Workload(
        name="MinHash",
        size="5000 sets of 100 items, 20 bands of 5 rows",
        peer_name="one set after the other",
        ours=lambda: MinHashLSH(20, 5, random_state=0).fit(sets),
        peer=lambda: _plain_minhash(sets, 100),
        difference=lambda lsh, b: abs(_estimate(lsh.transform(sets)) - _estimate(np.array(b))),
        tolerance=0.05,  # of two draws of hash functions: both estimate the same similarities
        goal=5.0,
        floor=1.5,  # the minima over all items are most of the work on both sides
        technique="items of many sets are numbered by all hash functions at once, in pieces that stay in the cache; "
        "the buckets of a table are runs of equal sorted keys",
    )


def _map_gap(a: FloatArray, b: FloatArray) -> float:
    """Largest difference of two maps up to the signs of their axes, relative to the largest coordinate."""
    return float(np.abs(np.abs(a) - np.abs(b)).max() / np.abs(b).max())


def _roll() -> FloatArray:
    return swiss_roll(1500, noise=0.05, random_state=0).X


def isomap() -> Workload:
    """Shortest paths over a rolled-up sheet, and their scaling."""
    X = _roll()
    return Workload(
        name="Isomap",
        size="1500 x 3, 10 neighbours, 2 components",
        peer_name="scikit-learn",
        ours=lambda: Isomap(n_neighbors=10).fit_transform(X),
        peer=lambda: sklearn.manifold.Isomap(n_neighbors=10).fit_transform(X),
        difference=_map_gap,
        tolerance=1e-8,
        goal=0.6,
        technique="Dijkstra's algorithm over a sparse graph, which is most of the work on both sides; Lanczos' method "
        "for the two eigenvectors",
    )


def locally_linear() -> Workload:
    """Weights of the neighbours of all points, and a sparse eigenproblem."""
    X = _roll()
    peer = sklearn.manifold.LocallyLinearEmbedding(n_neighbors=10, random_state=0, tol=1e-12)
    return Workload(
        name="LLE",
        size="1500 x 3, 10 neighbours, 2 components",
        peer_name="scikit-learn",
        ours=lambda: LocallyLinearEmbedding(n_neighbors=10).fit_transform(X),
        peer=lambda: peer.fit_transform(X),
        difference=_map_gap,
        tolerance=1e-3,  # the wanted eigenvalues are near 1e-8 of the largest
        goal=0.5,
        technique="the local systems of all points are solved together; the sparse matrix is factorised once",
    )


def classical_mds() -> Workload:
    """Points from a table of distances."""
    X = np.random.default_rng(0).normal(size=(1500, 10)) * np.linspace(3, 1, 10)
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    peer = sklearn.manifold.ClassicalMDS(2, metric="precomputed")
    return Workload(
        name="classical MDS",
        size="1500 x 1500 distances, 2 components",
        peer_name="scikit-learn",
        ours=lambda: MDS(2, dissimilarity="precomputed").fit_transform(D),
        peer=lambda: peer.fit_transform(D),
        difference=_map_gap,
        tolerance=1e-8,
        goal=1.0,
        technique="Lanczos' method for the wanted eigenvectors in place of all of them",
    )


WORKLOADS = [
    randomized_svd_dense,
    truncated_svd_sparse,
    pca,
    kernel_pca,
    independent_components,
    cca_two_views,
    nmf_parts,
    gaussian_projection,
    sparse_projection,
    minhash,
    isomap,
    locally_linear,
    classical_mds,
]
