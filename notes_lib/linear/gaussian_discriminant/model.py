"""The estimators: linear and quadratic discriminant analysis."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_distribution, class_codes
from notes_lib.foundations.linear_algebra.reduction import definite_factor
from notes_lib.linear.fisher_lda import (
    SINGULAR,
    ClassMoments,
    class_moments,
    components,
    contrast,
    discriminant_directions,
    named_column,
    shrunk_scatter,
)
from notes_lib.linear.gaussian_discriminant.steps import (
    check_share,
    factored_scores,
    fitted_classes,
    lda_coefficients,
    regularized_covariances,
)
from notes_lib.numerics import row_blocks


class _BayesRule(ClassifierMixin, BaseEstimator):
    """What both share: a score for each class, up to a number that the classes of a row have in common."""

    @abstractmethod
    def _scores(self, X: FloatArray) -> FloatArray:
        """Scores (n, K) of checked rows."""

    def _checked_scores(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        return self._scores(np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float))

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores (n, K); for two classes their difference (n,), the log-odds of ``classes_[1]`` in nats.

        Of more than two classes only the differences within a row have a meaning.
        """
        return contrast(self._checked_scores(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest posterior probability, :eq:`gaussian-discriminant-rule`; the first in a tie."""
        best = self._checked_scores(X).argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Posterior probabilities (n, K); :eq:`gaussian-discriminant-softmax`."""
        return softmax(self._checked_scores(X), axis=1)

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Their logarithms (n, K), also where a probability is too small for a float."""
        return log_softmax(self._checked_scores(X), axis=1)

    def _class_priors(self, counts: np.ndarray) -> FloatArray:
        if self.priors is None:
            return counts / counts.sum()  # gaussian-discriminant-priors
        return check_distribution(self.priors, "priors", (len(counts),), positive=True)


class LinearDiscriminantAnalysis(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _BayesRule):
    """Gaussian classes with one covariance: linear scores; :eq:`gaussian-discriminant-lda-score`.

    :meth:`transform` is the projection on the directions of :class:`~notes_lib.linear.fisher_lda.FisherDiscriminant`,
    which predicts the same classes.

    Parameters
    ----------
    shrinkage : float in [0, 1] or None
        Share of the identity in the covariance, see :func:`~notes_lib.linear.fisher_lda.shrunk_scatter`.
        Standardise the columns first. (The solver 'eigen' of scikit-learn also shrinks the covariance of all rows, so
        that its directions are others.)
    priors : (K,) array or None
        Class probabilities, positive, with sum 1; the shares of the classes in ``y`` if None. As with the solver 'svd'
        of scikit-learn, they weigh the class means of the directions, and not the classes in the covariance.
    n_components : int or None
        Columns of :meth:`transform`, at most min(K - 1, d), which is the default; they do not change the classes.

    Attributes
    ----------
    classes_ : (K,) array
    priors_ : (K,) array
    means_ : (K, d) array
    xbar_ : (d,) array
        Mean of the class means, weighted by ``priors_``: without given priors the mean of all rows.
    covariance_ : (d, d) array
        Pooled, with divisor n as in maximum likelihood, after shrinkage. (R divides by n - K in its scores.)
    scalings_ : (d, min(K - 1, d)) array
        Directions with ``w' covariance_ w = 1``. Signs as in
        :func:`~notes_lib.linear.fisher_lda.discriminant_directions`.
    explained_variance_ratio_ : (n_components,) array
        Share of each direction in the variance between the classes; 0 if all class means are equal.
    coef_, intercept_ : (K, d) and (K,) arrays, or (1, d) and (1,) for two classes
    n_features_in_ : int

    Notes
    -----
    O(n d (d + K) + d^3) time to fit, O(n d K) to predict.

    Examples
    --------
    >>> X = [[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]]
    >>> LinearDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2]).predict([[-0.8, -1]])
    array([1])
    """

    def __init__(
        self, *, shrinkage: float | None = None, priors: ArrayLike | None = None, n_components: int | None = None
    ) -> None:
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components

    def fit(self, X: ArrayLike, y: ArrayLike) -> LinearDiscriminantAnalysis:
        """Estimate priors, means and the pooled covariance, and find the directions.

        Raises
        ------
        ValueError
            Bad data or hyper-parameter; fewer than two classes; not more rows than classes; singular covariance without
            shrinkage (names a column, the cause and the remedy).
        """
        X, y = validate_data(self, X, y, dtype="numeric")
        X = np.asarray(X, dtype=float)
        self.classes_, codes = class_codes(y)
        n, K = len(X), len(self.classes_)
        if n <= K:
            raise ValueError(f"X must have more rows than classes, got {n} rows and {K} classes: add data.")
        self._keep(class_moments(X, codes, K))
        return self

    def _keep(self, moments: ClassMoments) -> None:
        """Set what is learned from the moments of all rows."""
        (K, d), n = moments.offsets.shape, moments.counts.sum()
        n_columns = components(self.n_components, min(K - 1, d))
        self.priors_ = self._class_priors(moments.counts)
        centre = self.priors_ @ moments.offsets  # 0 but for given priors
        offsets = moments.offsets - centre
        self.xbar_, self.means_ = moments.xbar + centre, moments.xbar + moments.offsets
        S_w = moments.S_w if self.shrinkage is None else shrunk_scatter(moments.S_w, self.shrinkage)
        self.covariance_ = S_w / n  # gaussian-discriminant-pooled
        with named_column(self.covariance_):
            # about the mean, so that data far from 0 keep their digits
            self._about_mean = lda_coefficients(offsets, self.covariance_, self.priors_)
        S_b = (self.priors_ * offsets.T) @ offsets
        between, self.scalings_ = discriminant_directions(self.covariance_, S_b, min(K - 1, d))
        total = between.sum()
        self.explained_variance_ratio_ = between[:n_columns] / (total if total > 0 else 1.0)
        slopes = contrast(self._about_mean.coef.T)  # (d, K), or (d,)
        self.coef_ = np.atleast_2d(slopes.T)
        self.intercept_ = np.atleast_1d(contrast(self._about_mean.intercept) - self.xbar_ @ slopes)

    def transform(self, X: ArrayLike) -> FloatArray:
        """Coordinates (n, n_components) along the directions, with ``xbar_`` at the origin."""
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float)
        return (X - self.xbar_) @ self.scalings_[:, : self._n_features_out]

    @property
    def _n_features_out(self) -> int:
        return len(self.explained_variance_ratio_)

    def _scores(self, X: FloatArray) -> FloatArray:
        scores, W = np.empty((len(X), len(self.classes_))), np.ascontiguousarray(self._about_mean.coef.T)
        for rows in row_blocks(*X.shape):
            np.matmul(X[rows] - self.xbar_, W, out=scores[rows])
        scores += self._about_mean.intercept
        return scores


class QuadraticDiscriminantAnalysis(_BayesRule):
    """Gaussian classes, each with its covariance: quadratic scores; :eq:`gaussian-discriminant-qda-score`.

    With ``pooling`` and ``shrinkage`` it is regularised discriminant analysis.

    Parameters
    ----------
    shrinkage : float in [0, 1] or None
        Share of the identity in each covariance, as with the solver 'eigen' of scikit-learn. (Its ``reg_param`` adds
        the identity itself, in whatever units.)
    pooling : float in [0, 1]
        Share of the pooled covariance: 0 is QDA, 1 is LDA. Scikit-learn has no such parameter; R's package klaR calls
        it lambda. See :func:`regularized_covariances`.
    priors : (K,) array or None
        As in :class:`LinearDiscriminantAnalysis`.

    Attributes
    ----------
    classes_ : (K,) array
    priors_ : (K,) array
    means_ : (K, d) array
    covariance_ : (K, d, d) array
        Of each class, with divisor N_k as in maximum likelihood, after regularisation.
    n_features_in_ : int

    Notes
    -----
    O(n d^2 + K d^3) time to fit, O(n K d^2) to predict.

    Examples
    --------
    >>> X = [[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]]
    >>> QuadraticDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2]).predict([[-0.8, -1]])
    array([1])
    """

    def __init__(
        self, *, shrinkage: float | None = None, pooling: float = 0.0, priors: ArrayLike | None = None
    ) -> None:
        self.shrinkage = shrinkage
        self.pooling = pooling
        self.priors = priors

    def fit(self, X: ArrayLike, y: ArrayLike) -> QuadraticDiscriminantAnalysis:
        """Estimate priors, and mean and covariance of each class.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; fewer than two classes; a class with one row, without pooling; a singular
            covariance (names the class, the cause and the remedy).
        """
        X, y = validate_data(self, X, y, dtype="numeric")
        self.classes_, codes = class_codes(y)
        counts = np.bincount(codes)
        alpha = check_share(self.pooling, "pooling")
        if alpha == 0 and counts.min() == 1:
            raise ValueError(
                f"class {self.classes_[counts.argmin()]!s} has one row, which has no spread: add rows of this class, "
                "or set pooling to a positive number."
            )
        self.priors_ = self._class_priors(counts)
        regular = alpha > 0 or bool(self.shrinkage)
        fit = fitted_classes(np.asarray(X, dtype=float), codes, self.classes_, regular)
        gamma = 0.0 if self.shrinkage is None else self.shrinkage
        self.means_ = fit.means
        self.covariance_ = regularized_covariances(fit.covariances, fit.pooled, alpha, gamma)
        self._factors = [self._factor(k) for k in range(len(counts))]
        return self

    def _factor(self, k: int) -> FloatArray:
        try:
            return definite_factor(self.covariance_[k], "the covariance", SINGULAR)
        except ValueError as error:
            raise ValueError(
                f"class {self.classes_[k]!s}: {error} Or set shrinkage to a positive number, and pooling where the "
                "rows of the class are all equal."
            ) from error

    def _scores(self, X: FloatArray) -> FloatArray:
        return factored_scores(X, self.means_, self._factors, self.priors_)
