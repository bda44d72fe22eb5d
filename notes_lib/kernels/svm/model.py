"""The estimator of the dual: a support vector machine with a kernel, fitted by SMO."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import validate_data

from notes_lib.checks import FloatArray, check_positive, class_codes
from notes_lib.kernels.svm.machine import KernelMachine
from notes_lib.kernels.svm.smo import Solution, duality_gap, solve
from notes_lib.kernels.svm.steps import bias_from_candidates, decide, one_vs_one_scores
from notes_lib.linear.linear_regression.checks import check_weights
from notes_lib.linear.logistic_regression.checks import class_weights

HARD_LIMIT = 100_000  # most steps for a hard margin, whose dual has no maximum if the classes overlap


class SVC(ClassifierMixin, KernelMachine):
    """Soft-margin support vector classifier with a kernel, one machine for each pair of classes, fitted by SMO.

    Parameters
    ----------
    C : float
        Positive: price of a unit of slack. Infinite for a hard margin.
    kernel : {"rbf", "linear", "poly", "sigmoid", "precomputed"} or callable
        As in :func:`notes_lib.kernels.kernel_methods.kernel_matrix`. With "precomputed", X is the kernel matrix.
    degree, coef0
        Of the polynomial and the sigmoid kernel.
    gamma : {"scale", "auto"} or float
        "scale" is ``1 / (d X.var())``, each row counted with its weight (in scikit-learn all alike); "auto" is
        ``1 / d``.
    tol : float
        Largest KKT violation accepted, in units of the score; at most 2, the violation before the first step.
    cache_size : float
        Megabytes for rows of the kernel matrix; the time, not the result, depends on it. A precomputed or callable
        kernel takes its n x n matrix besides.
    class_weight : dict, "balanced" or None
        Factor of C for each class; "balanced" is ``n / (K n_k)``, rows counted with their weights.
    max_iter : int
        Most steps for a pair of classes; -1 for practically no limit (100 000, and 100 for each row, if C is infinite).

    Attributes
    ----------
    classes_ : (K,) array
    support_ : (n_SV,) array
        Rows with a positive multiplier, class by class.
    support_vectors_ : (n_SV, d) array
        Empty for a precomputed kernel.
    n_support_ : (K,) array
    dual_coef_ : (K - 1, n_SV) array
        ``alpha_n y_n``. Positive for ``classes_[1]`` if there are two classes; for more, laid out as in scikit-learn:
        of a support vector of class c, row r belongs to its pair with class r (r < c) or r + 1, and the first class of
        a pair is the positive one.
    intercept_ : (K (K - 1) / 2,) array
    coef_ : (K (K - 1) / 2, d) array
        Weights of the pairs; only for the linear kernel.
    gamma_ : float
    n_iter_ : (K (K - 1) / 2,) array
    objective_ : (n_iter,) array, or a list of them
        Dual objective after each step; for more than two classes one array for each pair.
    duality_gap_ : float, or (K (K - 1) / 2,) array
        Primal less dual objective at the end. A hard margin does not price what is left of the violations.
    n_features_in_ : int

    Notes
    -----
    O(n) time for a step and O(n d) for a new row of the kernel matrix; the number of steps grows with n and with C.
    ``predict`` takes the largest score (``break_ties=True`` of scikit-learn). A callable kernel is evaluated once, as
    an n x n matrix. Equations :eq:`svm-dual`, :eq:`svm-clip`, :eq:`svm-stopping`, :eq:`svm-kernel-score`.

    Examples
    --------
    >>> model = SVC(C=float("inf"), kernel="linear").fit([[3, 3], [4, 3], [1, 1]], [1, 1, -1])
    >>> model.coef_, model.intercept_
    (array([[0.5, 0.5]]), array([-2.]))
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int = 3,
        gamma: str | float = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: dict[Any, float] | str | None = None,
        max_iter: int = -1,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> SVC:
        """Solve the dual of every pair of classes.

        Parameters
        ----------
        X : (n, d) array
            The (n, n) kernel matrix if it is precomputed.
        y : (n,) array
            Labels of any type, of at least two classes.
        sample_weight : (n,) array, optional
            Factor of C for each row, not negative; weight 2 is the same as the row twice, 0 leaves it out.

        Raises
        ------
        ValueError
            Bad data or hyper-parameter; one class; a weight below 0, or none above; a precomputed or callable kernel
            whose matrix is not square, not symmetric or, where a step meets it, not positive semi-definite; a hard
            margin, if the steps end before any hyperplane separates the classes: they overlap, or ``max_iter`` is too
            small.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` or rounding ends the steps early, or the sigmoid (or a polynomial with negative ``coef0``)
            shows a negative curvature.
        """
        C = np.inf if isinstance(self.C, Real) and np.isposinf(float(self.C)) else check_positive(self.C, "C")
        tol, megabytes = check_positive(self.tol, "tol"), check_positive(self.cache_size, "cache_size")
        if tol > 2:
            raise ValueError(f"tol must be at most 2, the KKT violation before the first step, got {tol}.")
        limit = self._limit()
        X, y = validate_data(self, X, y, dtype=float)
        v = check_weights(sample_weight, len(y))
        used = np.flatnonzero(v)  # weight 0 leaves a row out, and perhaps its class
        codes, C_n = np.full(len(y), -1), np.zeros(len(y))
        self.classes_, codes[used] = class_codes(y[used])
        C_n[used] = C * v[used] * class_weights(self.class_weight, self.classes_, codes[used], v[used])[codes[used]]
        coordinates, centre = self._coordinates(X, None if sample_weight is None else v)
        K = len(self.classes_)
        pairs = list(combinations(range(K), 2))
        coef, self.intercept_ = np.zeros((len(pairs), len(X))), np.zeros(len(pairs))
        objectives, gaps = [], []
        for p, (first, second) in enumerate(pairs):
            rows = np.flatnonzero((codes == first) | (codes == second))
            signs = np.where(codes[rows] == (second if K == 2 else first), 1.0, -1.0)
            everyone = len(rows) == len(X)
            part = coordinates if everyone else coordinates[np.ix_(rows, rows)] if self._given else coordinates[rows]
            steps = min(limit, HARD_LIMIT + 100 * len(rows)) if np.isinf(C) else limit
            found = solve(self._gram(part), signs, C_n[rows], tol, steps, megabytes, self._curvature())
            self._report(found, tol, steps, limit)
            coef[p, rows] = found.alpha * signs
            b = bias_from_candidates(found.F, found.alpha, signs, C_n[rows])
            gaps.append(duality_gap(found, b, signs, C_n[rows]))
            objectives.append(np.array(found.objective))
            self.intercept_[p] = b
        support = np.flatnonzero(coef.any(axis=0))
        self.support_ = support[np.argsort(codes[support], kind="stable")]
        self.n_support_ = np.bincount(codes[support], minlength=K)
        self._keep(X, coef[:, self.support_], coordinates, centre)
        self.dual_coef_ = self._dual if K == 2 else _by_class(self._dual, codes[self.support_], pairs)
        self.n_iter_ = np.array([len(o) for o in objectives])
        self.objective_ = objectives[0] if K == 2 else objectives
        self.duality_gap_ = gaps[0] if K == 2 else np.array(gaps)
        return self

    @property
    def coef_(self) -> FloatArray:
        """Weights of the pairs, for the linear kernel."""
        return self._linear_weights()

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores (n,), positive for ``classes_[1]``, or (n, K) from the votes of :func:`one_vs_one_scores`."""
        scores = self._scores(X)  # svm-kernel-score
        return scores.ravel() if len(self.classes_) == 2 else one_vs_one_scores(scores, len(self.classes_))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest score; the first one in a tie."""
        return decide(self.decision_function(X), self.classes_)

    def _report(self, found: Solution, tol: float, steps: int, limit: int) -> None:
        """Say what went wrong, if anything did."""
        if found.violation >= 2 and np.isinf(self.C):  # below 2 the scores of the two classes are apart
            stopped = len(found.objective) >= limit  # by max_iter: that says nothing about the classes
            raise ValueError(
                f"C=inf asks for a hard margin, but {len(found.objective)} steps found no hyperplane that separates "
                f"the classes: {'increase max_iter or, if ' if stopped else ''}they overlap, "
                f"{'' if stopped else 'so '}choose a finite C."
            )
        self._warn(found, tol, steps)


def _by_class(coef: FloatArray, codes: np.ndarray, pairs: list[tuple[int, int]]) -> FloatArray:
    """Coefficients of the pairs (P, n_SV) in the layout (K - 1, n_SV) of libsvm and scikit-learn."""
    laid = np.zeros((codes.max(), coef.shape[1]))
    for row, (first, second) in zip(coef, pairs, strict=True):
        laid[second - 1, codes == first] = row[codes == first]
        laid[first, codes == second] = row[codes == second]
    return laid
