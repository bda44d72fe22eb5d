"""The estimators that go through the chunks several times: k-means and Gaussian mixtures."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, all_finite, check_choice, check_integer, check_real
from notes_lib.clustering.gmm import GaussianMixture
from notes_lib.clustering.gmm import checks as gmm_checks
from notes_lib.clustering.gmm.steps import MStep
from notes_lib.clustering.kmeans import KMeans, assign, kmeans_plusplus
from notes_lib.numerics import RandomState, check_rng
from notes_lib.scaling.sufficient_statistics import clusters, steps
from notes_lib.scaling.sufficient_statistics.engine import Source
from notes_lib.scaling.sufficient_statistics.model import Chunked

SAMPLE = 1000  # rows from which k-means takes its starts, or 50 for each cluster
Sample = tuple[FloatArray, FloatArray, steps.Moments]


class ChunkedKMeans(Chunked):
    """Lloyd's algorithm with one pass through the chunks for each iteration; :eq:`sufficient-statistics-clusters`.

    From the same start it finds what :class:`~notes_lib.clustering.kmeans.KMeans` finds on all rows at once. Labels
    are not kept: :meth:`predict` gives those of any chunk.

    Parameters
    ----------
    n_clusters : int
    init : 'k-means++', 'random' or array (k, d)
        The first two choose among a sample of all rows (1000, or 50 for each cluster if that is more).
    max_iter, tol, random_state
        As of the one-machine estimator.
    backend : {'numpy', 'dask'}

    Attributes
    ----------
    cluster_centers_ : (n_clusters, d) array
    inertia_ : float
    n_iter_, n_reseeded_, n_features_in_ : int
    objective_ : array, the objective after each iteration
    counts_ : (n_clusters,) array, rows of each cluster in the last pass
    model_ : KMeans, without ``labels_``

    Warns
    -----
    ConvergenceWarning
        If the centres still moved after ``max_iter`` iterations.

    Notes
    -----
    O(n k d) time a pass, O(k d) memory beside a chunk; one pass more for the start, and one more where an iteration
    leaves a cluster empty.

    Examples
    --------
    >>> model = ChunkedKMeans(2, init=[[0.0], [1.0]]).fit([[[0.0], [1.0]], [[5.0], [6.0]]])
    >>> model.cluster_centers_.ravel(), model.inertia_
    (array([0.5, 5.5]), 1.0)
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: str | ArrayLike = "k-means++",
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: RandomState = None,
        backend: str = "numpy",
    ) -> None:
        self.n_clusters, self.init, self.max_iter, self.tol = n_clusters, init, max_iter, tol
        self.random_state, self.backend = random_state, backend

    def fit(self, chunks: Iterable[Any]) -> ChunkedKMeans:
        """Go through ``chunks`` again and again, until the centres stand still.

        Parameters
        ----------
        chunks : iterable that can be gone through again
            Of matrices (n, d), of pairs whose second member is ignored, or of functions without arguments that return
            one.

        Raises
        ------
        TypeError, ValueError, ImportError
            As :class:`ChunkedLinearRegression`; also an iterator (it would be spent after one pass), fewer distinct
            rows than clusters, or a hyper-parameter out of range.
        """
        k, max_iter = check_integer(self.n_clusters, "n_clusters"), check_integer(self.max_iter, "max_iter")
        tol = check_real(self.tol, "tol")
        source, rng = self._source(chunks, several=True), check_rng(self.random_state)
        size = max(SAMPLE, 50 * k)
        look = partial(_sample, int(rng.integers(2**63)), size)
        _, rows, whole = source.reduce(look, partial(_merge_samples, size), numbered=True)
        if not all_finite(whole.scatter):
            raise ValueError("X is too large: the squares of X overflow, rescale its columns.")
        n, d = whole.count, len(whole.mean)
        if (distinct := len(np.unique(rows, axis=0))) < k:
            raise ValueError(
                f"a sample of {len(rows)} of {n} rows has only {distinct} distinct points, fewer than n_clusters={k}: "
                "ask for fewer clusters."
            )
        variance = whole.scatter / n
        grid = 2.0 ** np.round(np.log2(np.sqrt(variance.max()))) if variance.max() > 0 else 1.0
        shift = np.round(whole.mean / grid) * grid  # as the one-machine estimator shifts
        total = float(whole.scatter.sum() + n * ((whole.mean - shift) ** 2).sum())
        mu, limit = self._start(rows, k, d, rng), tol * float(variance.mean())
        objective: list[float] = []
        n_reseeded, moved, settled = 0, True, False
        while not settled and len(objective) < max_iter:
            found = source.reduce(partial(_cluster_sums, mu, shift), clusters.add_cluster_sums)
            if (empty := int((found.counts == 0).sum())) > 0:
                n_reseeded += empty
                far = source.reduce(partial(_farthest, mu, 2 * k), clusters.merge_candidates)
                found = clusters.fill_empty(found, far, shift)
            centred = found.sums / found.counts[:, None]
            objective.append(max(0.0, total - float(found.counts @ (centred * centred).sum(axis=1))))
            moved = not np.array_equal(centred + shift, mu)
            settled = bool(((centred + shift - mu) ** 2).sum() <= limit)
            mu = centred + shift
        if moved:
            found = source.reduce(partial(_cluster_sums, mu, shift), clusters.add_cluster_sums)
        model = KMeans(k, max_iter=max_iter, tol=tol)
        model.cluster_centers_, model.inertia_, model._n_features_out = mu, max(0.0, found.cost), k
        model.objective_, model.n_iter_, model.n_reseeded_ = np.array(objective), len(objective), n_reseeded
        self.counts_ = found.counts
        self._adopt(model, d)
        if not settled:
            message = f"the centres still moved after max_iter={max_iter} iterations; raise max_iter or tol."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

    def _start(self, rows: FloatArray, k: int, d: int, rng: np.random.Generator) -> FloatArray:
        if isinstance(self.init, str):
            check_choice(self.init, "init", ("k-means++", "random"))
            if self.init == "k-means++":
                return kmeans_plusplus(rows, k, random_state=rng)[0]
            return rows[rng.choice(len(rows), k, replace=False)]
        mu = np.array(self.init, dtype=float)
        if mu.shape != (k, d) or not np.isfinite(mu).all():
            raise ValueError(f"init must be a finite array of shape {(k, d)}, got shape {mu.shape}.")
        return mu

    def transform(self, X: ArrayLike) -> FloatArray:
        """Distance (n, n_clusters) from each row of ``X`` (n, d) to each centre."""
        return self._fitted().transform(X)


def _sample(seed: int, size: int, i: int, X: FloatArray) -> Sample:
    """Random keys, the rows that have the smallest ones, and the moments of all: these summaries merge."""
    keys = np.random.default_rng([seed, i]).random(len(X))
    first = _smallest(keys, size)
    with np.errstate(over="ignore", invalid="ignore"):
        return keys[first], X[first], steps.moments(X, full=False)


def _merge_samples(size: int, a: Sample, b: Sample) -> Sample:
    keys, rows = np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]])
    first = _smallest(keys, size)
    return keys[first], rows[first], steps.merge_moments(a[2], b[2])


def _smallest(keys: FloatArray, size: int) -> np.ndarray:
    if len(keys) > size:
        return np.argpartition(keys, size)[:size]
    return np.arange(len(keys))


def _cluster_sums(mu: FloatArray, shift: FloatArray, X: FloatArray) -> clusters.ClusterSums:
    return clusters.cluster_sums(X, mu, shift)


def _farthest(mu: FloatArray, m: int, X: FloatArray) -> clusters.Candidates:
    return clusters.farthest_rows(X, mu, m)


class ChunkedGaussianMixture(Chunked):
    """EM with one pass through the chunks for each iteration; :eq:`sufficient-statistics-mixture`.

    From the same start it finds what :class:`~notes_lib.clustering.gmm.GaussianMixture` finds on all rows at once.

    Parameters
    ----------
    n_components, covariance_type, tol, reg_covar, max_iter
        As of the one-machine estimator.
    weights_init, means_init, covariances_init : array or None
        The start. Whatever is not given comes from the clusters of one :class:`ChunkedKMeans`.
    random_state : int, Generator, RandomState or None
    backend : {'numpy', 'dask'}

    Attributes
    ----------
    weights_, means_, covariances_, precisions_, precisions_cholesky_, converged_, n_iter_, lower_bounds_, lower_bound_
        As of the one-machine estimator.
    n_features_in_ : int
    model_ : GaussianMixture

    Warns
    -----
    ConvergenceWarning
        If EM did not reach ``tol`` in ``max_iter`` iterations.

    Notes
    -----
    O(n K d^2) time a pass, O(K d^2) memory beside a chunk and its responsibilities.

    Examples
    --------
    >>> chunks = [[[1.0], [5.2], [0.8]], [[5.0], [1.2], [4.8]]]
    >>> sorted(ChunkedGaussianMixture(2, random_state=0).fit(chunks).means_.ravel().round(3).tolist())
    [1.0, 5.0]
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        weights_init: ArrayLike | None = None,
        means_init: ArrayLike | None = None,
        covariances_init: ArrayLike | None = None,
        random_state: RandomState = None,
        backend: str = "numpy",
    ) -> None:
        self.n_components, self.covariance_type, self.tol = n_components, covariance_type, tol
        self.reg_covar, self.max_iter, self.random_state = reg_covar, max_iter, random_state
        self.weights_init, self.means_init, self.covariances_init = weights_init, means_init, covariances_init
        self.backend = backend

    def fit(self, chunks: Iterable[Any]) -> ChunkedGaussianMixture:
        """Go through ``chunks`` again and again, one pass for each E-step.

        Raises
        ------
        TypeError, ValueError, ImportError
            As :class:`ChunkedKMeans`; a covariance that became singular (names the component).
        """
        model = GaussianMixture(
            self.n_components,
            covariance_type=self.covariance_type,
            tol=self.tol,
            reg_covar=self.reg_covar,
            max_iter=self.max_iter,
        )
        gmm_checks.check_hyperparameters(model)
        source = self._source(chunks, several=True)
        theta, converged = self._start(source), False
        bounds: list[float] = []
        while not converged and len(bounds) < self.max_iter:
            work = partial(_mixture_moments, theta, self.covariance_type)
            found = source.reduce(work, clusters.merge_mixture_moments)
            theta = clusters.mixture_parameters(found, self.covariance_type, self.reg_covar)
            bounds.append(found.log_likelihood / found.count)
            converged = len(bounds) > 1 and abs(bounds[-1] - bounds[-2]) < self.tol
        model._keep(theta, bounds, converged)
        self._adopt(model, theta.means.shape[1])
        if not converged:
            message = f"EM did not reach tol={self.tol} in max_iter={self.max_iter} iterations: raise one of them."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

    def _start(self, source: Source) -> MStep:
        """Parameters before the first pass: those given, the others from clusters."""
        names = ("weights", "means", "covariances")
        given = {name: getattr(self, f"{name}_init") for name in names}
        known = {name: np.array(value, dtype=float) for name, value in given.items() if value is not None}
        if len(known) == 3:
            return MStep(**known)
        with warnings.catch_warnings():  # a start need not have settled
            warnings.simplefilter("ignore", ConvergenceWarning)
            start = ChunkedKMeans(
                self.n_components, max_iter=20, random_state=self.random_state, backend=self.backend
            ).fit(source.chunks)
        work = partial(_hard_moments, start.model_.cluster_centers_, self.covariance_type)
        found = source.reduce(work, clusters.merge_mixture_moments)
        return clusters.mixture_parameters(found, self.covariance_type, self.reg_covar)._replace(**known)

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Responsibilities (n, K) of the rows of ``X`` (n, d)."""
        return self._fitted().predict_proba(X)

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Log-density (n,) of the rows of ``X`` (n, d), nats."""
        return self._fitted().score_samples(X)


def _mixture_moments(theta: MStep, covariance_type: str, X: FloatArray) -> clusters.MixtureMoments:
    return clusters.mixture_moments(X, theta, covariance_type)


def _hard_moments(centers: FloatArray, covariance_type: str, X: FloatArray) -> clusters.MixtureMoments:
    gamma = np.eye(len(centers))[assign(X, centers)].T
    return clusters.weighted_moments(X, gamma, 0.0, covariance_type)
