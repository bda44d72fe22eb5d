"""The estimators of a density: histogram, kernels, nearest neighbours."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.bayes.density_estimation.steps import WIDER, check_neighbors, kernel_log_density, knn_log_density
from notes_lib.bayes.density_estimation.windows import window
from notes_lib.checks import FloatArray, check_integer, check_number, check_positive
from notes_lib.numerics import RandomState, check_rng


class _Density(BaseEstimator):
    """What all three share: the data of ``fit``, and a score that is a sum of log-densities."""

    def fit(self, X: ArrayLike, y: Any = None) -> _Density:
        """Check and keep the instances; ``y`` is ignored.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter.
        """
        self._learn(np.asarray(validate_data(self, X, dtype="numeric"), dtype=float))
        return self

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Log-density (n,) in nats at the rows of X."""
        check_is_fitted(self)
        return self._log_density(np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float))

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Log-likelihood of all rows together, as scikit-learn: the sum of ``score_samples``; ``y`` is ignored."""
        return float(self.score_samples(X).sum())

    @abstractmethod
    def _learn(self, X: FloatArray) -> None:
        """Learn from checked rows."""

    @abstractmethod
    def _log_density(self, X: FloatArray) -> FloatArray:
        """Log-density of checked rows."""


class HistogramDensity(_Density):
    """Counts in the cells of a grid; :eq:`density-estimation-histogram`.

    Parameters
    ----------
    bandwidth : float
        Width of a cell in every direction; positive, and no less than 1e-308 of the largest value.
    origin : float
        A corner of a cell, in every coordinate. It changes the estimate.

    Attributes
    ----------
    cells_ : (m, d) array
        The occupied cells, as whole numbers of widths from the origin.
    counts_ : (m,) array of int
        Instances in each of them.
    n_samples_ : int
    n_features_in_ : int

    Notes
    -----
    O(n d log n) time to fit, O((m + q) d log (m + q)) for q new rows. An instance on an edge belongs to the cell above.

    Examples
    --------
    >>> model = HistogramDensity(bandwidth=2.0).fit([[0.5], [1.5], [2.5], [7.0]])
    >>> np.exp(model.score_samples([[1.0], [5.0]])).round(3)  # 2 / (4 * 2), and an empty cell
    array([0.25, 0.  ])
    """

    def __init__(self, *, bandwidth: float = 1.0, origin: float = 0.0) -> None:
        self.bandwidth = bandwidth
        self.origin = origin

    def _learn(self, X: FloatArray) -> None:
        check_positive(self.bandwidth, "bandwidth", WIDER)
        check_number(self.origin, "origin")
        cells = self._cells(X)
        if not np.isfinite(cells).all():
            raise ValueError(
                f"bandwidth is too small for values like these, got {self.bandwidth}: the numbers of cells overflow, "
                "raise it."
            )
        self.cells_, self.counts_ = np.unique(cells, axis=0, return_counts=True)
        self.n_samples_ = len(X)

    def _cells(self, X: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):  # a new row so far away lies in no occupied cell
            return np.floor((X - self.origin) / self.bandwidth) + 0.0  # no -0 among the cells

    def _log_density(self, X: FloatArray) -> FloatArray:
        known, codes = np.unique(np.vstack([self.cells_, self._cells(X)]), axis=0, return_inverse=True)
        counts = np.zeros(len(known))
        counts[codes[: len(self.counts_)]] = self.counts_
        with np.errstate(divide="ignore"):
            logs = np.log(counts / self.n_samples_) - X.shape[1] * np.log(self.bandwidth)
        return logs[codes[len(self.counts_) :]]

    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> FloatArray:
        """Draw (n_samples, d) rows: a cell by its count, a uniform point in it."""
        check_is_fitted(self)
        rng, n = check_rng(random_state), check_integer(n_samples, "n_samples")
        chosen = self.cells_[rng.choice(len(self.cells_), n, p=self.counts_ / self.n_samples_)]
        return self.origin + self.bandwidth * (chosen + rng.random(chosen.shape))


class KernelDensity(_Density):
    """Mean of a window around each instance; :eq:`density-estimation-kde`.

    Parameters
    ----------
    bandwidth : float, "scott" or "silverman"
        Positive. The two rules of scikit-learn are n^(-1/(d+4)) and (n (d+2) / 4)^(-1/(d+4)): they ignore the scale of
        the data, so standardise first, or see :func:`~notes_lib.bayes.density_estimation.silverman_bandwidth`.
    kernel : {'gaussian', 'tophat', 'epanechnikov', 'linear', 'exponential'}
        Scikit-learn has a cosine as well.

    Attributes
    ----------
    X_ : (n, d) array
        The instances: the estimate needs them all.
    bandwidth_ : float
        The width that is used.
    n_features_in_ : int

    Notes
    -----
    Nothing to compute in ``fit``; O(n d) time for each new row.

    Examples
    --------
    >>> model = KernelDensity(bandwidth=0.5, kernel="tophat").fit([[0.0], [0.4], [3.0]])
    >>> np.exp(model.score_samples([[0.2]])).round(4)  # 2 / (3 * 1)
    array([0.6667])
    """

    def __init__(self, *, bandwidth: float | Literal["scott", "silverman"] = 1.0, kernel: str = "gaussian") -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel

    def _learn(self, X: FloatArray) -> None:
        self.bandwidth_ = self._width(*X.shape)
        window(self.kernel)
        self.X_ = X.copy()

    def _width(self, n: int, d: int) -> float:
        if not isinstance(self.bandwidth, str):
            return check_positive(self.bandwidth, "bandwidth", WIDER)
        if self.bandwidth not in ("scott", "silverman"):
            raise ValueError(f"bandwidth must be a number, 'scott' or 'silverman', got {self.bandwidth!r}.")
        return float((n if self.bandwidth == "scott" else n * (d + 2) / 4) ** (-1 / (d + 4)))

    def _log_density(self, X: FloatArray) -> FloatArray:
        return kernel_log_density(X, self.X_, self.bandwidth_, self.kernel)

    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> FloatArray:
        """Draw (n_samples, d) rows: an instance, and a step drawn from the kernel, whichever it is."""
        check_is_fitted(self)
        rng, n = check_rng(random_state), check_integer(n_samples, "n_samples")
        centres = self.X_[rng.integers(len(self.X_), size=n)]
        direction = rng.normal(size=centres.shape)
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        radius = np.sqrt(window(self.kernel).squared_radius(rng, centres.shape[1], n))
        return centres + self.bandwidth_ * radius[:, None] * direction


class KNeighborsDensity(_Density):
    """Count over volume of the ball that reaches to the k-th neighbour; :eq:`density-estimation-knn`.

    Its integral is infinite, so it has no ``sample``; ratios of it at one point are what classification needs.

    Parameters
    ----------
    n_neighbors : int
        At least 1, at most the number of instances.

    Attributes
    ----------
    X_ : (n, d) array
    n_features_in_ : int

    Notes
    -----
    O(n d) time for each new row.

    Examples
    --------
    >>> model = KNeighborsDensity(n_neighbors=2).fit([[0.0], [1.0], [5.0]])
    >>> np.exp(model.score_samples([[0.0]])).round(4)  # 2 / (3 * 2)
    array([0.3333])
    """

    def __init__(self, *, n_neighbors: int = 5) -> None:
        self.n_neighbors = n_neighbors

    def _learn(self, X: FloatArray) -> None:
        check_neighbors(self.n_neighbors, len(X))
        self.X_ = X.copy()

    def _log_density(self, X: FloatArray) -> FloatArray:
        return knn_log_density(X, self.X_, self.n_neighbors)
