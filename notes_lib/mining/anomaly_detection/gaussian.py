"""The detector of one cloud: distances in standard deviations, from all rows or from the half that lies closest."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray
from notes_lib.foundations.multivariate_gaussian import ellipsoid_probability
from notes_lib.foundations.multivariate_gaussian.steps import gaussian_mle_multivariate
from notes_lib.mining.anomaly_detection.detector import Detector, signs
from notes_lib.mining.anomaly_detection.steps import chi_square_threshold, concentration_step, squared_mahalanobis

MOST = 100  # concentration steps; a handful is usual


class MahalanobisDetector(Detector):
    """Odd is what lies far from the mean in standard deviations; :eq:`anomaly-detection-mahalanobis`.

    Parameters
    ----------
    contamination : float or "auto"
        Share of alarms among the fitted rows, above 0 and at most 0.5. With "auto" the threshold is the quantile of
        the chi-square distribution, :eq:`anomaly-detection-alarm`, which does not look at the rows.
    alpha : float
        Share of false alarms that "auto" allows.
    robust : bool
        Fit to a half of the rows only: from the half that lies nearest to the medians, concentration steps go on until
        the half stays. The covariance is multiplied by a number that makes it right for a Gaussian.

    Attributes
    ----------
    location_ : (d,) array
    covariance_ : (d, d) array
        With the divisor n.
    support_ : (n,) array of bool
        The rows that location and covariance are computed from.
    offset_ : float
        Rows with a lower score are odd: minus the threshold of the squared distance.
    n_features_in_ : int

    Notes
    -----
    O(n d^2 + d^3) time, for each concentration step if it is robust. That start and these steps are a simple form of
    the minimum covariance determinant; the full method tries many starts (Rousseeuw and Van Driessen 1999).

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> model = MahalanobisDetector("auto").fit(X)
    >>> model.predict([[0.0, 0.0], [5.0, 5.0]])
    array([ 1, -1])
    """

    def __init__(self, contamination: float | str = 0.1, *, alpha: float = 0.025, robust: bool = False) -> None:
        self.contamination, self.alpha, self.robust = contamination, alpha, robust

    def fit(self, X: ArrayLike, y: None = None) -> MahalanobisDetector:
        """Estimate mean, covariance and threshold.

        Parameters
        ----------
        X : (n, d) array, n > d

        Raises
        ------
        TypeError, ValueError
            Bad data, a singular covariance (constant or dependent columns, too few rows), ``contamination`` outside
            (0, 0.5], ``alpha`` outside (0, 1].
        """
        X = validate_data(self, X, dtype=float, ensure_min_samples=2)
        self._contamination()
        automatic = -chi_square_threshold(self.alpha, X.shape[1])
        rows, factor = self._half(X) if self.robust else (np.arange(len(X)), 1.0)
        mean, covariance = gaussian_mle_multivariate(X[rows])
        self.location_, self.covariance_ = mean, factor * covariance
        self.support_ = np.zeros(len(X), dtype=bool)
        self.support_[rows] = True
        self._place_threshold(-self._distances(X), automatic)
        return self

    def mahalanobis(self, X: ArrayLike) -> FloatArray:
        """Squared distances (n,) of the rows from the location, as scikit-learn's method of this name."""
        check_is_fitted(self)
        return self._distances(validate_data(self, X, dtype=float, reset=False))

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Minus the squared distances (n,): low is odd."""
        return -self.mahalanobis(X)

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores less the threshold (n,): negative is odd."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: ArrayLike) -> IntArray:
        """1 for usual rows, -1 for odd ones, (n,)."""
        return signs(self.decision_function(X))

    def _distances(self, X: FloatArray) -> FloatArray:
        return squared_mahalanobis(X, self.location_, self.covariance_)

    def _half(self, X: FloatArray) -> tuple[IntArray, float]:
        """The rows after the last concentration step, and what their covariance is to be multiplied by."""
        n, d = X.shape
        h = min((n + d + 2) // 2, n)
        middle = np.median(X, axis=0)
        gaps = np.abs(X - middle)
        spread = np.median(gaps, axis=0)
        spread[spread == 0] = 1.0
        rows = np.sort(np.argsort(np.square(gaps / spread).sum(axis=1), kind="stable")[:h])
        for _ in range(MOST):
            new = concentration_step(X, rows, h)
            if np.array_equal(new, rows):
                break
            rows = new
        share = h / n  # of a Gaussian, the part within a radius has a covariance smaller by this factor
        radius = np.sqrt(chi_square_threshold(1 - share, d)) if h < n else np.inf
        return rows, share / float(ellipsoid_probability(radius, d + 2))
