"""Classification by density: Bayes' theorem with an estimated density for each class."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.bayes.bayes_decision import BayesClassifier
from notes_lib.bayes.density_estimation.model import KernelDensity
from notes_lib.checks import FloatArray


class DensityClassifier(BayesClassifier):
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

    _default_density = KernelDensity

    def __init__(self, density: Any = None, *, priors: ArrayLike | None = None, classes: ArrayLike | None = None):
        super().__init__(density, priors=priors)
        self.classes = classes

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Estimate a prior and a density for each class.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; fewer than two classes; a class without instances; a class from which its
            density cannot be estimated (names the class, the cause and the remedy).
        """
        if self.classes is not None:
            self._check_labels(np.unique(np.asarray(self.classes)), np.unique(np.asarray(y)))
        return super().fit(X, y)

    def _check_labels(self, labels: np.ndarray, present: np.ndarray) -> None:
        missing, unknown = np.setdiff1d(labels, present), np.setdiff1d(present, labels)
        if len(missing):
            raise ValueError(f"class {missing[0]!s} has no instances in y: add some, or take it out of classes.")
        if len(unknown):
            raise ValueError(f"y holds the class {unknown[0]!s}, which is not in classes: add it there.")

    def _log_densities(self, X: FloatArray) -> FloatArray:
        logs = super()._log_densities(X)
        silent = (logs == -np.inf).all(axis=1) | (logs == np.inf).any(axis=1)
        if silent.any():
            raise ValueError(
                f"row {int(silent.argmax())} of X has the density 0 in every class, or an infinite one: widen the "
                "windows, take the Gaussian kernel, or raise n_neighbors."
            )
        return logs
