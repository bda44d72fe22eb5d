"""The estimator of the chapter *Dirichlet process mixtures*."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_integer
from notes_lib.clustering.dirichlet_process.checks import check_concentration, check_prior
from notes_lib.clustering.dirichlet_process.conjugate import (
    NormalInverseWishart,
    evidence_of,
    posterior_of,
    predictive_of,
)
from notes_lib.clustering.dirichlet_process.gibbs import sweep
from notes_lib.clustering.dirichlet_process.steps import canonical_labels, co_clustering, indicators, log_partition
from notes_lib.numerics import RandomState, check_rng


class DirichletProcessMixture(ClusterMixin, BaseEstimator):
    """Mixture of Gaussians with as many components as the data ask for, sampled by collapsed Gibbs sweeps.

    The state is a partition of the rows; weights, means and covariances are integrated out. Each sweep seats every row
    once more, given all others (:eq:`dirichlet-process-gibbs`). The first sweep starts in an empty restaurant.

    Parameters
    ----------
    alpha : float
        Concentration: how readily a row opens a cluster of its own.
    mean_prior : (d,) array or None
        Expected mean of a cluster; None takes the mean of X.
    mean_precision_prior : float or None
        So many rows at ``mean_prior`` the prior counts as; None is 1. Small values let clusters lie far apart.
    degrees_of_freedom_prior : float or None
        Above d - 1; None is d, the vaguest whole number.
    covariance_prior : (d, d) array or None
        Scale of the inverse Wishart prior, in units of X squared; None takes the covariance of X (divisor n - 1).
    n_iter : int
        Sweeps that are kept.
    burn_in : int
        Sweeps before them that are not.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    labels_trace_ : (n_iter, n) array of int
        The partition after each kept sweep, numbered from 0 by first members.
    n_clusters_trace_ : (n_iter,) array of int
    log_joint_ : (n_iter,) array
        Log of prior times evidence of each partition, nats; :eq:`dirichlet-process-joint`.
    co_clustering_ : (n, n) array
        How often two rows are together; :eq:`dirichlet-process-together`.
    labels_ : (n,) array of int
        Of the sampled partitions the one whose zeros and ones are nearest to ``co_clustering_`` in squares.
    n_clusters_ : int
        Its number of clusters.
    prior_ : NormalInverseWishart
    n_features_in_ : int

    Notes
    -----
    See :func:`gibbs_sweep` for the time of a sweep; O(n^2 + n_iter n) memory.

    Source: Neal (2000), J. Comput. Graph. Stat. 9(2), algorithm 3; Dahl (2006) for ``labels_``.

    Examples
    --------
    >>> X = np.array([[0.0], [0.2], [0.1], [9.0], [9.1], [9.3]])
    >>> prior = {"mean_precision_prior": 0.05, "covariance_prior": [[0.1]]}
    >>> DirichletProcessMixture(1.0, **prior, random_state=0).fit_predict(X)
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        mean_prior: ArrayLike | None = None,
        mean_precision_prior: float | None = None,
        degrees_of_freedom_prior: float | None = None,
        covariance_prior: ArrayLike | None = None,
        n_iter: int = 200,
        burn_in: int = 50,
        random_state: RandomState = None,
    ) -> None:
        self.alpha = alpha
        self.mean_prior = mean_prior
        self.mean_precision_prior = mean_precision_prior
        self.degrees_of_freedom_prior = degrees_of_freedom_prior
        self.covariance_prior = covariance_prior
        self.n_iter = n_iter
        self.burn_in = burn_in
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> DirichletProcessMixture:
        """Sample partitions of the rows of X; ``y`` is ignored.

        Raises
        ------
        ValueError, TypeError
            Bad data, or a parameter of the wrong kind or out of range; a constant column without a
            ``covariance_prior``.
        """
        alpha = check_concentration(self.alpha)
        check_integer(self.n_iter, "n_iter")
        check_integer(self.burn_in, "burn_in", 0)
        X = np.array(validate_data(self, X, dtype="numeric", ensure_min_samples=2), dtype=float)
        self.prior_, rng = self._prior(X), check_rng(self.random_state)
        z, trace = np.full(len(X), -1), []
        for _ in range(self.burn_in + self.n_iter):
            z = canonical_labels(sweep(X, z, alpha, self.prior_, rng.random(len(X))))
            trace.append(z)
        self.labels_trace_ = np.array(trace[self.burn_in :])
        self.n_clusters_trace_ = self.labels_trace_.max(axis=1) + 1
        self.log_joint_ = np.array([self._log_joint(X, labels) for labels in self.labels_trace_])
        self.co_clustering_ = co_clustering(self.labels_trace_)
        self.labels_ = nearest_partition(self.labels_trace_, self.co_clustering_)
        self.n_clusters_, self._X = int(self.labels_.max()) + 1, X
        return self

    def predict(self, X: ArrayLike) -> IntArray:
        """Most probable cluster (n,) of each new row among those of ``labels_``; the first one in a tie."""
        X = self._rows(X)
        return np.column_stack(self._log_weights(X, self.labels_)[:-1]).argmax(axis=1)

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Log predictive density (n,) of each new row, nats: :eq:`dirichlet-process-density` averaged over sweeps."""
        X = self._rows(X)
        seen, count = np.unique(self.labels_trace_, axis=0, return_counts=True)
        told = [logsumexp(self._log_weights(X, labels), axis=0) for labels in seen]
        total = np.log(self.alpha + len(self._X)) + np.log(count.sum())
        return logsumexp(told, axis=0, b=count[:, None]) - total

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Mean log predictive density of a row, nats; ``y`` is ignored."""
        return float(self.score_samples(X).mean())

    def _rows(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float)

    def _log_weights(self, X: FloatArray, labels: IntArray) -> list[FloatArray]:
        """For each cluster of a partition, and last for a new one: log of its size (alpha) times its density."""
        tables = [self._X[labels == k] for k in range(labels.max() + 1)]
        known = [np.log(len(rows)) + predictive_of(X, posterior_of(self.prior_, rows)) for rows in tables]
        return [*known, np.log(self.alpha) + predictive_of(X, self.prior_)]

    def _log_joint(self, X: FloatArray, labels: IntArray) -> float:
        tables = [X[labels == k] for k in range(labels.max() + 1)]
        evidence = sum(evidence_of(posterior_of(self.prior_, rows), self.prior_, rows.size) for rows in tables)
        return log_partition(labels, self.alpha) + evidence  # dirichlet-process-joint

    def _prior(self, X: FloatArray) -> NormalInverseWishart:
        """The prior of a cluster, with what is None taken from the data."""
        chosen: list[tuple[Any, Any]] = [
            (self.mean_prior, X.mean(axis=0)),
            (self.mean_precision_prior, 1.0),
            (self.degrees_of_freedom_prior, float(X.shape[1])),
            (self.covariance_prior, np.atleast_2d(np.cov(X.T))),
        ]
        prior = NormalInverseWishart(*check_prior(*(default if own is None else own for own, default in chosen)))
        if len(prior.mean) != X.shape[1]:
            raise ValueError(f"mean_prior must have shape ({X.shape[1]},), one number a column of X.")
        return prior


def nearest_partition(trace: IntArray, together: FloatArray) -> IntArray:
    """The first of the partitions that minimise the squared distance between their zeros and ones and ``together``."""
    cost = []
    for labels in trace:
        member = indicators(labels)
        cost.append((member.sum(axis=0) ** 2).sum() - 2 * np.einsum("ij,ij->", member, together @ member))
    return trace[int(np.round(cost, 9).argmin())].copy()
