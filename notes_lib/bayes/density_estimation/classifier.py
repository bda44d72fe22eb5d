"""Classification by density: Bayes' theorem with an estimated density for each class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.bayes.density_estimation.model import KernelDensity
from notes_lib.checks import FloatArray, check_distribution, class_codes


class DensityClassifier(ClassifierMixin, BaseEstimator):
    """The class with the largest prior times density; :eq:`density-estimation-classify`.

    Parameters
    ----------
    density : estimator or None
        Has ``fit`` and ``score_samples``; one copy is fitted to each class. Gaussian kernels of bandwidth 1 if None.
    priors : (K,) array or None
        In the order of ``classes_``; the shares of the classes in ``y`` if None.
    classes : array or None
        All labels that there are, if ``y`` might lack one.

    Attributes
    ----------
    classes_ : (K,) array
    priors_ : (K,) array
    densities_ : list of K fitted estimators
    n_features_in_ : int

    Notes
    -----
    K fits; a prediction costs K log-densities. It is refused (``ValueError``) for a row whose density is 0 in every
    class, or infinite in one: no posterior probability follows.

    Examples
    --------
    >>> model = DensityClassifier().fit([[0.0], [1.0], [4.0]], ["a", "a", "b"])
    >>> model.predict([[1.5], [3.5]])
    array(['a', 'b'], dtype='<U1')
    """

    def __init__(self, density: Any = None, *, priors: ArrayLike | None = None, classes: ArrayLike | None = None):
        self.density = density
        self.priors = priors
        self.classes = classes

    def fit(self, X: ArrayLike, y: ArrayLike) -> DensityClassifier:
        """Estimate a prior and a density for each class.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; fewer than two classes; a class without instances; a class from which its
            density cannot be estimated (names the class, the cause and the remedy).
        """
        X, y = validate_data(self, X, y, dtype="numeric")
        self.classes_, codes = class_codes(y)
        if self.classes is not None:
            self._check_labels(np.unique(np.asarray(self.classes)))
        shares = np.bincount(codes) / len(codes)
        given = shares if self.priors is None else self.priors
        self.priors_ = check_distribution(given, "priors", shares.shape, positive=True)
        self.densities_ = [self._fitted(X[codes == k], label) for k, label in enumerate(self.classes_)]
        return self

    def _check_labels(self, labels: np.ndarray) -> None:
        missing, unknown = np.setdiff1d(labels, self.classes_), np.setdiff1d(self.classes_, labels)
        if len(missing):
            raise ValueError(f"class {missing[0]!s} has no instances in y: add some, or take it out of classes.")
        if len(unknown):
            raise ValueError(f"y holds the class {unknown[0]!s}, which is not in classes: add it there.")

    def _fitted(self, rows: np.ndarray, label: Any) -> Any:
        density = KernelDensity() if self.density is None else clone(self.density)
        try:
            return density.fit(rows)
        except ValueError as error:
            raise ValueError(f"class {label!s}: {error}") from error

    def _joint(self, X: ArrayLike) -> FloatArray:
        """Log of prior times density (n, K)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype="numeric", reset=False)
        logs = np.column_stack([density.score_samples(X) for density in self.densities_])
        silent = (logs == -np.inf).all(axis=1) | (logs == np.inf).any(axis=1)
        if silent.any():
            raise ValueError(
                f"row {int(silent.argmax())} of X has the density 0 in every class, or an infinite one: widen the "
                "windows, take the Gaussian kernel, or raise n_neighbors."
            )
        return logs + np.log(self.priors_)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest posterior probability; the first in a tie."""
        best = self._joint(X).argmax(axis=1)
        return self.classes_[best]

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Logarithms of the posterior probabilities (n, K)."""
        return log_softmax(self._joint(X), axis=1)

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Posterior probabilities (n, K)."""
        return np.exp(self.predict_log_proba(X))
