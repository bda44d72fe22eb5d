"""The evidence of two precisions and its fixed point, on a few numbers that are computed once from the data."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, check_data, check_integer, check_matrix, check_positive

LARGEST = 1e12  # how far a precision may run away: signal or noise is then below a millionth of the other


class Spectrum(NamedTuple):
    """All that posterior and evidence need of ``X = U diag(s) V`` and ``y``.

    ``s`` (r,) singular values; ``z`` (r,) the target's components along the columns of U; ``V`` (r, d); ``rest`` the
    squared length of the target outside them; ``n`` the number of rows that inform on the noise, one less if an
    intercept was taken out; ``shift`` a term of the log evidence that depends on no precision.
    """

    s: FloatArray
    z: FloatArray
    V: FloatArray
    rest: float
    n: int
    shift: float

    def mean(self, alpha: float, beta: float) -> FloatArray:
        """Posterior mean of the weights."""
        return (beta * self.s * self.z / (alpha + beta * self.s**2)) @ self.V

    def covariance(self, alpha: float, beta: float) -> FloatArray:
        """Posterior covariance: 1 / alpha in each direction, less where there are data."""
        less = 1 / alpha - 1 / (alpha + beta * self.s**2)
        if len(self.s) == self.V.shape[1]:
            return (self.V.T / (alpha + beta * self.s**2)) @ self.V
        return np.eye(self.V.shape[1]) / alpha - (self.V.T * less) @ self.V

    def gamma(self, alpha: float, beta: float) -> float:
        """Number of weights that the data determine, :eq:`bayesian-regression-gamma`."""
        return float((beta * self.s**2 / (alpha + beta * self.s**2)).sum())

    def squares(self, alpha: float, beta: float) -> tuple[float, float]:
        """Squared lengths of the posterior mean and of the residual at it."""
        shrunk = beta * self.s * self.z / (alpha + beta * self.s**2)
        left = alpha * self.z / (alpha + beta * self.s**2)
        return float(shrunk @ shrunk), float(left @ left) + self.rest

    def log_evidence(self, alpha: float, beta: float) -> float:
        """Logarithm of :eq:`bayesian-regression-evidence`."""
        w2, e2 = self.squares(alpha, beta)
        shrinkage = np.log1p(beta / alpha * self.s**2).sum()  # log det A - d log alpha
        return float(self.shift + (self.n * np.log(beta / (2 * np.pi)) - beta * e2 - alpha * w2 - shrinkage) / 2)


class Precisions(NamedTuple):
    """What :func:`choose_precisions` found.

    ``gamma`` is the effective number of parameters, ``history`` (n_iter + 1,) the log evidence from the start on.
    """

    alpha: float
    beta: float
    gamma: float
    history: FloatArray
    n_iter: int
    converged: bool


def spectrum(X: FloatArray, y: FloatArray, n: int | None = None, shift: float = 0.0) -> Spectrum:
    """Singular values of ``X`` and the parts of ``y``; ``n`` counts the rows if ``X`` is a factor of the data."""
    U, s, V = np.linalg.svd(X, full_matrices=False)
    z = U.T @ y
    outside = y - U @ z
    return Spectrum(s, z, V, float(outside @ outside), len(X) if n is None else n, shift)


def log_evidence(X: ArrayLike, y: ArrayLike, alpha: float, beta: float) -> float:
    """Log density of the targets with the weights integrated out; :eq:`bayesian-regression-evidence`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    alpha, beta : float
        Precision of each weight in the prior, and of the noise.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, or a precision is not positive.

    Notes
    -----
    O(n d min(n, d)) time; the n x n covariance of the targets is never formed.

    Examples
    --------
    >>> round(log_evidence([[1.0]], [2.0], 1.0, 1.0), 6)  # normal, mean 0, variance 2
    -2.265512
    """
    X, y = check_data(X, y)
    return spectrum(X, y).log_evidence(check_positive(alpha, "alpha"), check_positive(beta, "beta"))


def effective_parameters(X: ArrayLike, alpha: float, beta: float) -> float:
    """Number of directions of the weights that the data determine; :eq:`bayesian-regression-gamma`.

    Raises
    ------
    TypeError, ValueError
        If ``X`` is no finite matrix or a precision is not positive.

    Examples
    --------
    >>> effective_parameters([[3.0, 0.0], [0.0, 0.0]], 1.0, 1.0)
    0.9
    """
    X = check_matrix(X, "X")
    return spectrum(X, np.zeros(len(X))).gamma(check_positive(alpha, "alpha"), check_positive(beta, "beta"))


def choose_precisions(
    X: ArrayLike, y: ArrayLike, alpha: float | None = None, beta: float | None = None, *, max_iter: int = 1000,
    tol: float = 1e-9,
) -> Precisions:  # fmt: skip
    """Maximise the evidence over the precisions that are None; :eq:`bayesian-regression-fixed-point`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    alpha, beta : float, optional
        A precision that is known.
    max_iter : int
        Most rounds of the fixed point.
    tol : float
        Largest relative change of a precision in the last round.

    Returns
    -------
    Precisions

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, or a given precision is not positive.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` is too small, or a precision runs away: the targets show no signal, or no noise.

    Notes
    -----
    O(n d min(n, d)) time once, O(min(n, d)) for each round. Where the evidence has several maxima, as it may for
    columns of very different scale, the rounds end at one of them. Source: MacKay (1992).

    Examples
    --------
    >>> found = choose_precisions([[1.0], [2.0], [3.0], [4.0]], [1.1, 1.9, 3.2, 3.8])
    >>> round(found.alpha, 3), round(found.beta, 2), round(found.gamma, 4)
    (1.021, 30.93, 0.9989)
    """
    X, y = check_data(X, y)
    return fixed_point(spectrum(X, y), alpha, beta, check_integer(max_iter, "max_iter"), check_positive(tol, "tol"))


def fixed_point(data: Spectrum, alpha: float | None, beta: float | None, max_iter: int, tol: float) -> Precisions:
    """The rounds of :func:`choose_precisions`; a precision that is given stays."""
    free = alpha is None, beta is None
    n = max(data.n, 1)
    spread = (float(data.z @ data.z) + data.rest) / n or 1.0  # mean square of the target; 1 if that is 0
    size = float((data.s**2).sum()) or 1.0
    a = size / n / spread if alpha is None else check_positive(alpha, "alpha")  # the prior explains all of it, and
    b = 1 / spread if beta is None else check_positive(beta, "beta")  # so does the noise
    history, change = [data.log_evidence(a, b)], np.inf
    while (free[0] or free[1]) and len(history) <= max_iter and change > tol:
        gamma, (w2, e2), before = data.gamma(a, b), data.squares(a, b), (a, b)
        if free[0]:  # bayesian-regression-fixed-point
            a = min(gamma / w2 if w2 > 0 else np.inf, LARGEST * b * size)
        if free[1]:
            b = min((data.n - gamma) / e2 if e2 > 0 else np.inf, LARGEST / spread)
        history.append(data.log_evidence(a, b))
        change = max(abs(a - before[0]) / a, abs(b - before[1]) / b)
    ran_away = (free[0] and 2 * a >= LARGEST * b * size) or (free[1] and b >= LARGEST / spread)  # b moved after a
    converged = not any(free) or (change <= tol and not ran_away)
    if not converged:
        warnings.warn(
            "the evidence has no maximum at finite precisions: y shows no signal, or no noise; give alpha and beta."
            if ran_away else f"the precisions still change after {max_iter} rounds: raise max_iter.",
            ConvergenceWarning, stacklevel=3,
        )  # fmt: skip
    return Precisions(a, b, data.gamma(a, b), np.array(history), len(history) - 1, converged)
