"""The classifier of the chapter *Mixture discriminant analysis*, and the number of components by BIC."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax, logsumexp, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice, check_distribution, check_integer, class_codes
from notes_lib.clustering.gmm import GaussianMixture, MStep
from notes_lib.clustering.gmm.precision import COVARIANCE_TYPES
from notes_lib.clustering.mixture_discriminant.steps import class_log_joint, component_posterior, mda_parameters
from notes_lib.linear.fisher_lda import contrast
from notes_lib.numerics import RandomState, check_rng

REG_COVAR = 1e-6  # of a class with several components, as in GaussianMixture


class MixtureDiscriminantAnalysis(ClassifierMixin, BaseEstimator):
    """A Gaussian mixture for each class, fitted by EM on its rows, and Bayes' theorem.

    With one component for each class it is quadratic discriminant analysis. The posterior of a class adds up over its
    components, :eq:`mixture-discriminant-posterior`.

    Parameters
    ----------
    n_components : int or sequence of int
        Number of components of every class, or of each in the order of ``classes_``.
    covariance_type : {'full', 'tied', 'diag', 'spherical'}
        'tied': one covariance for the components of a class, not for all classes.
    tol, max_iter, n_init
        Of EM in each class, see :class:`~notes_lib.clustering.gmm.GaussianMixture`.
    reg_covar : float or None
        Added to the diagonal of every covariance. None adds 1e-6 in classes of several components, whose likelihood has
        no maximum, and nothing in classes of one, which are then the plain Gaussians of maximum likelihood.
    priors : (K,) array or None
        Class probabilities, positive, with sum 1; the shares of the classes in ``y`` if None.
    random_state : int, Generator, RandomState or None
        For the starts of EM.

    Attributes
    ----------
    classes_ : (K,) array
    priors_ : (K,) array
    n_components_ : (K,) array of int
    mixtures_ : list of K GaussianMixture
        ``weights_``, ``means_`` and ``covariances_`` (divisor: the sum of responsibilities, n_k with one component).
    lower_bounds_ : list of K lists
        Mean log-likelihood of the rows of each class before each iteration.
    n_iter_ : int
        Iterations of the class that took most.
    n_features_in_ : int

    Notes
    -----
    O(n J d^2 + J d^3) time for an iteration with J components in each of the classes: a row meets the components of its
    own class only. Prediction takes the same with all components. Source: Hastie and Tibshirani (1996).

    Examples
    --------
    >>> X = [[0.0], [0.2], [0.4], [4.0], [4.2], [4.4], [2.0], [2.2], [2.4]]
    >>> y = ["ends"] * 6 + ["middle"] * 3
    >>> model = MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(X, y)
    >>> model.predict([[0.1], [2.1], [4.1]]).tolist()
    ['ends', 'middle', 'ends']
    """

    def __init__(
        self,
        n_components: int | Sequence[int] = 2,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float | None = None,
        max_iter: int = 100,
        n_init: int = 1,
        priors: ArrayLike | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.priors = priors
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> MixtureDiscriminantAnalysis:
        """Estimate the priors, and run EM on the rows of each class.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; fewer than two classes; a number of components for another number of classes; a
            class with fewer rows than components, or with one row; a covariance that became singular (these name the
            class, the cause and the remedy).

        Warns
        -----
        ConvergenceWarning
            If EM did not converge in a class (names it).
        """
        check_choice(self.covariance_type, "covariance_type", COVARIANCE_TYPES)
        X, y = validate_data(self, X, y, dtype="numeric")
        X = np.asarray(X, dtype=float)
        self.classes_, codes = class_codes(y)
        K = len(self.classes_)
        self.n_components_ = check_components(self.n_components, K)
        if self.priors is None:
            self.priors_: FloatArray = np.bincount(codes) / len(codes)  # mixture-discriminant-priors
        else:
            self.priors_ = check_distribution(self.priors, "priors", (K,), positive=True)
        rng = check_rng(self.random_state)
        self.mixtures_ = [self._fit_class(X[codes == k], k, rng) for k in range(K)]
        self.lower_bounds_ = [mixture.lower_bounds_ for mixture in self.mixtures_]
        self.n_iter_ = max(mixture.n_iter_ for mixture in self.mixtures_)
        for label, mixture in zip(self.classes_, self.mixtures_, strict=True):
            if not mixture.converged_:
                warnings.warn(
                    f"class {label!s}: EM did not reach tol={self.tol} in max_iter={self.max_iter} iterations: raise "
                    "either.",
                    ConvergenceWarning,
                    stacklevel=2,
                )
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest posterior, :eq:`mixture-discriminant-rule`; the first in a tie."""
        best = self._log_joint(X).argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Posterior probabilities (n, K); :eq:`mixture-discriminant-posterior`."""
        return softmax(self._log_joint(X), axis=1)

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Their logarithms (n, K), also where a probability is too small for a float."""
        return log_softmax(self._log_joint(X), axis=1)

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Log of prior times density (n, K), nats; for two classes the log-odds (n,) of ``classes_[1]``."""
        return contrast(self._log_joint(X))

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Log-density (n,) of every row, whatever its class, nats; :eq:`mixture-discriminant-density`."""
        return logsumexp(self._log_joint(X), axis=1)

    def component_proba(self, X: ArrayLike) -> list[FloatArray]:
        """Posterior of the components of each class, K arrays (n, J_k); see :func:`component_posterior`."""
        X = self._validated(X)
        return component_posterior(X, self._thetas(), self.priors_, self.covariance_type)

    def bic(self, X: ArrayLike, y: ArrayLike) -> float:
        """Bayesian information criterion of instances and labels, lower is better; :eq:`mixture-discriminant-bic`.

        Raises
        ------
        ValueError
            If a label is not among ``classes_`` or there is not one for each row.
        """
        log_joint, y = self._log_joint(X), np.asarray(y)
        if y.shape != (len(log_joint),) or not np.isin(y, self.classes_).all():
            raise ValueError(f"y must hold a label for each of {len(log_joint)} rows, all among {self.classes_}.")
        own = log_joint[np.arange(len(y)), np.searchsorted(self.classes_, y)]
        P = mda_parameters(self.n_components_.tolist(), self.n_features_in_, self.covariance_type)
        return float(-2 * own.sum() + P * np.log(len(y)))

    def _fit_class(self, rows: FloatArray, k: int, rng: np.random.Generator) -> GaussianMixture:
        """EM on the rows of class k; :eq:`mixture-discriminant-responsibility`, :eq:`mixture-discriminant-mstep`."""
        name, J = f"class {self.classes_[k]!s}", int(self.n_components_[k])
        if len(rows) < max(J, 2):
            raise ValueError(
                f"{name} has n_samples={len(rows)}, too few for n_components={J}: each class needs at least two rows "
                "and as many as it has components; use fewer components or add rows."
            )
        reg_covar = (REG_COVAR if J > 1 else 0.0) if self.reg_covar is None else self.reg_covar
        mixture = GaussianMixture(
            J,
            covariance_type=self.covariance_type,
            tol=self.tol,
            reg_covar=reg_covar,
            max_iter=self.max_iter,
            n_init=self.n_init,
            random_state=rng,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            try:
                mixture.fit(rows)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from error  # says that reg_covar or fewer components help
        return mixture

    def _thetas(self) -> list[MStep]:
        return [MStep(m.weights_, m.means_, m.covariances_) for m in self.mixtures_]

    def _validated(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float)

    def _log_joint(self, X: ArrayLike) -> FloatArray:
        X = self._validated(X)
        return class_log_joint(X, self._thetas(), self.priors_, self.covariance_type)


def check_components(n_components: Any, K: int) -> IntArray:
    """A number of components for each of K classes."""
    counts = [n_components] * K if np.ndim(n_components) == 0 else list(n_components)
    if len(counts) != K:
        raise ValueError(
            f"n_components must be one integer, or one for each of {K} classes in the order of classes_, got "
            f"{len(counts)}: {counts}."
        )
    return np.array([check_integer(J, "n_components") for J in counts])


class ComponentChoice(NamedTuple):
    """Result of :func:`choose_components`: ``n_components`` for each class, and ``bic`` (K, number of candidates)."""

    n_components: list[int]
    bic: FloatArray


def choose_components(
    X: ArrayLike,
    y: ArrayLike,
    candidates: Sequence[int] = (1, 2, 3, 4, 5),
    *,
    covariance_type: str = "full",
    n_init: int = 1,
    random_state: RandomState = None,
) -> ComponentChoice:
    """The number of components of each class with the smallest BIC; :eq:`mixture-discriminant-class-bic`.

    The criterion of the whole model is a sum over the classes, so each class chooses for itself: K times the number of
    candidates fits, not one for every combination.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    candidates : sequence of int
        Numbers of components to try; of equal values the one that stands first is taken.
    covariance_type, n_init, random_state
        As in :class:`MixtureDiscriminantAnalysis`.

    Returns
    -------
    ComponentChoice
        ``bic`` holds the share of each class: minus twice the log-likelihood of its rows, plus log n for each parameter
        of its mixture, with n the number of all rows.

    Raises
    ------
    TypeError, ValueError
        As :meth:`MixtureDiscriminantAnalysis.fit`, and if there are no candidates.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.concatenate([rng.normal(c, 0.5, 50) for c in (-4, 4, 0)])[:, None]
    >>> choose_components(x, [0] * 100 + [1] * 50, (1, 2, 3), random_state=0).n_components
    [2, 1]
    """
    if len(candidates) == 0:
        raise ValueError("candidates must hold at least one number of components.")
    rng, columns = check_rng(random_state), []
    for J in candidates:
        model = MixtureDiscriminantAnalysis(J, covariance_type=covariance_type, n_init=n_init, random_state=rng)
        model.fit(X, y)
        A, codes = np.asarray(X, dtype=float), class_codes(y)[1]
        P = mda_parameters([J], A.shape[1], covariance_type)
        own = [m.score_samples(A[codes == k]).sum() for k, m in enumerate(model.mixtures_)]
        columns.append(-2 * np.array(own) + P * np.log(len(A)))  # mixture-discriminant-class-bic
    table = np.column_stack(columns)
    return ComponentChoice([int(candidates[j]) for j in table.argmin(axis=1)], table)
