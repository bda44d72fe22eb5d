"""The Gaussian as a value: every operation returns a new one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from notes_lib.checks import FloatArray, check_indices, check_integer, check_matrix, check_symmetric, check_vector
from notes_lib.foundations.linear_algebra import cholesky_solve, schur_complement
from notes_lib.foundations.linear_algebra.reduction import EPS, definite_factor, lengths
from notes_lib.foundations.multivariate_gaussian.checks import points, split
from notes_lib.foundations.multivariate_gaussian.steps import conditional_gain
from notes_lib.numerics import NotPositiveDefiniteError, RandomState, check_rng, log_gaussian


@dataclass(frozen=True, eq=False)
class MultivariateGaussian:
    """Gaussian distribution of a vector; :eq:`multivariate-gaussian-density`. Immutable.

    Parameters
    ----------
    mean : (d,) array
        In the units of the variables. Stored, like ``covariance``, as a read-only copy.
    covariance : (d, d) array
        Symmetric and positive definite, in products of these units.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, or ``covariance`` is not symmetric.
    NotPositiveDefiniteError
        If ``covariance`` is singular or indefinite: some variable is to rounding a combination of those before it
        (:eq:`linear-algebra-pivot`). A ``ValueError``; ``index`` is the number of the variable.

    Notes
    -----
    O(d^3 / 3) time, O(d^2) memory: one Cholesky factor.

    Examples
    --------
    >>> g = MultivariateGaussian([1.0, 2.0], [[4.0, 2.0], [2.0, 5.0]])
    >>> g.condition(0, [3.0])
    MultivariateGaussian(mean=array([3.]), covariance=array([[4.]]))
    """

    mean: Any
    covariance: Any
    _L: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        mean = check_vector(self.mean, "mean").copy()
        covariance = check_symmetric(self.covariance, "covariance")
        if covariance.shape != (mean.size, mean.size):
            raise ValueError(f"mean must be (d,), covariance (d, d), got shapes {mean.shape} and {covariance.shape}.")
        covariance = covariance / 2 + covariance.T / 2  # halves first, since the sum could overflow
        L = definite_factor(covariance, "covariance")
        for name, array in [("mean", mean), ("covariance", covariance), ("_L", L)]:
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __reduce__(self) -> tuple[type, tuple[FloatArray, FloatArray]]:
        return MultivariateGaussian, (self.mean, self.covariance)  # so that copies and pickles are read-only too

    def logpdf(self, X: ArrayLike) -> FloatArray | float:
        """Log-density in nats, from the Cholesky factor; :eq:`multivariate-gaussian-logpdf`. O(n d^2) time.

        Parameters
        ----------
        X : (n, d) or (d,) array
            Points as rows, or one point.

        Returns
        -------
        (n,) array, or float for one point

        Raises
        ------
        ValueError
            If the shape does not fit or a number is not finite.
        """
        X, single = points(X, len(self.mean))
        values = log_gaussian(X, self.mean, self._L)  # multivariate-gaussian-logpdf
        return float(values[0]) if single else values

    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> FloatArray:
        """Independent draws, ``mean + L z`` with standard normal z; :eq:`multivariate-gaussian-sampling`.

        Parameters
        ----------
        n_samples : int
            At least 1.
        random_state : int, numpy.random.Generator, numpy.random.RandomState or None

        Returns
        -------
        (n_samples, d) array

        Raises
        ------
        TypeError, ValueError
            If ``n_samples`` is not a positive integer, or ``random_state`` is of another type.

        Notes
        -----
        O(n d^2) time. Samplers that use another square root of the covariance give other numbers for the same seed.
        """
        n = check_integer(n_samples, "n_samples")
        Z = check_rng(random_state).standard_normal((n, len(self.mean)))
        return self.mean + Z @ self._L.T  # multivariate-gaussian-sampling, one draw a row

    def affine(self, A: ArrayLike, b: ArrayLike | None = None) -> MultivariateGaussian:
        """Distribution of ``A x + b``; :eq:`multivariate-gaussian-affine`. O(m d (m + d) + m^3) time.

        Parameters
        ----------
        A : (m, d) array
            Independent rows, so m <= d.
        b : (m,) array or None
            0 if None.

        Raises
        ------
        ValueError
            If a shape does not fit, a number is not finite, or the rows of ``A`` are linearly dependent: ``A x`` then
            lies in a smaller space and has no density.
        """
        A = check_matrix(A, "A")
        if A.shape[1] != len(self.mean):
            raise ValueError(f"A must have one column for each variable, {len(self.mean)}, got shape {A.shape}.")
        mean = A @ self.mean + (0.0 if b is None else check_vector(b, "b", len(A)))
        F = A @ self._L
        covariance = F @ F.T  # A Sigma A', symmetric to the last digit
        try:
            return MultivariateGaussian(mean, covariance)  # multivariate-gaussian-affine
        except NotPositiveDefiniteError as error:
            raise ValueError(
                f"row {error.index} of A is a combination of those before it, so A x has no density: remove the row."
            ) from error

    def marginal(self, indices: ArrayLike) -> MultivariateGaussian:
        """Distribution of some variables, whatever the others are; :eq:`multivariate-gaussian-marginal`. O(p^3) time.

        Parameters
        ----------
        indices : (p,) array of int, or int
            Numbers of the variables to keep, from 0, in the order wanted.

        Raises ValueError if ``indices`` is empty, repeats a variable or names one that does not exist.
        """
        a = check_indices(indices, "indices", len(self.mean))
        return MultivariateGaussian(self.mean[a], self.covariance[np.ix_(a, a)])  # multivariate-gaussian-marginal

    def condition(self, given: ArrayLike, values: ArrayLike) -> MultivariateGaussian:
        """Distribution of the other variables when some are known; :eq:`multivariate-gaussian-conditional`.

        Parameters
        ----------
        given : (q,) array of int, or int
            Numbers of the known variables, from 0; not all.
        values : (q,) array or number
            Their values, in the same order.

        Returns
        -------
        MultivariateGaussian
            Of the remaining variables, in ascending order. Its covariance does not depend on ``values``.

        Raises
        ------
        ValueError
            If ``given`` is empty, names all variables, repeats one or names one that does not exist, or ``values``
            does not fit.

        Notes
        -----
        O(q^3 + q d^2 + (d - q)^3) time, the last term for the Cholesky factor of the result.
        """
        d = len(self.mean)
        b, a = split(given, d)
        x_b = check_vector(np.atleast_1d(values), "values", b.size)
        G = conditional_gain(self.covariance, b)
        mean = self.mean[a] + G @ (x_b - self.mean[b])  # multivariate-gaussian-conditional-mean
        return MultivariateGaussian(mean, schur_complement(self.covariance, b))  # -conditional-covariance

    @property
    def precision(self) -> FloatArray:
        """Inverse covariance (d, d); :eq:`multivariate-gaussian-precision`. O(d^3) time, computed on each access."""
        inverse = cholesky_solve(self.covariance, np.eye(len(self.mean)))
        return (inverse + inverse.T) / 2


def mahalanobis(X: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> FloatArray | float:
    """Mahalanobis distance of points from a mean; :eq:`multivariate-gaussian-mahalanobis`.

    Parameters
    ----------
    X : (n, d) or (d,) array
        Points as rows, or one point.
    mean : (d,) array
    covariance : (d, d) array
        Symmetric positive definite (SciPy's function of this name takes its inverse).

    Returns
    -------
    (n,) array, or float for one point
        In standard deviations: the root of the quadratic form, not its square.

    Raises
    ------
    ValueError
        As :class:`MultivariateGaussian`, and if ``X`` does not fit.

    Notes
    -----
    O(d^3 / 3 + n d^2) time: the length of ``L^-1 (x - mean)``, :eq:`multivariate-gaussian-whitening`.

    Examples
    --------
    >>> mahalanobis([[2.0, 0.0], [0.0, 2.0]], [0.0, 0.0], [[4.0, 0.0], [0.0, 1.0]])
    array([1., 2.])
    """
    g = MultivariateGaussian(mean, covariance)
    X, single = points(X, len(g.mean))
    Z = solve_triangular(g._L, (X - g.mean).T, lower=True)  # multivariate-gaussian-whitening, (d, n)
    distances = lengths(Z)  # multivariate-gaussian-mahalanobis
    return float(distances[0]) if single else distances


def partial_correlation(covariance: ArrayLike) -> FloatArray:
    """Correlation of each pair of variables given all others; :eq:`multivariate-gaussian-partial`. O(d^3) time.

    Parameters
    ----------
    covariance : (d, d) array
        Symmetric positive definite.

    Returns
    -------
    (d, d) array
        Symmetric with ones on the diagonal. An entry is 0 exactly where the precision matrix is 0.

    Raises ValueError if ``covariance`` is not symmetric positive definite.

    Examples
    --------
    >>> partial_correlation([[2.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 1.0, 2.0]])[0].round(3)
    array([1.   , 0.333, 0.333])
    """
    Sigma = check_matrix(covariance, "covariance", square=True)
    Lambda = MultivariateGaussian(np.zeros(len(Sigma)), Sigma).precision
    root = np.sqrt(np.diag(Lambda))
    R = -Lambda / np.outer(root, root)  # multivariate-gaussian-partial
    np.fill_diagonal(R, 1.0)
    return R


def kl_gaussian(p: MultivariateGaussian, q: MultivariateGaussian) -> float:
    """Kullback-Leibler divergence of q from p in nats; :eq:`multivariate-gaussian-kl`. O(d^3) time.

    Parameters
    ----------
    p, q : MultivariateGaussian
        Of equally many variables; the expectation is under ``p``.

    Returns
    -------
    float
        Not negative, as a sum of the terms of :eq:`multivariate-gaussian-kl-triangular`, none of which is.

    Raises
    ------
    ValueError
        If the numbers of variables differ.

    Examples
    --------
    >>> standard, wide = MultivariateGaussian([0.0], [[1.0]]), MultivariateGaussian([0.0], [[4.0]])
    >>> round(kl_gaussian(standard, wide), 4), round(kl_gaussian(wide, standard), 4)
    (0.3181, 0.8069)
    """
    if len(p.mean) != len(q.mean):
        raise ValueError(f"p and q must have equally many variables, got {len(p.mean)} and {len(q.mean)}.")
    M = solve_triangular(q._L, p._L, lower=True)  # L_q^-1 L_p, lower triangular
    u = solve_triangular(q._L, p.mean - q.mean, lower=True)
    m = np.diag(M)
    scales = (m - 1) ** 2 + 2 * (m - 1 - np.log(m))  # m^2 - 1 - log m^2, with no square that vanishes
    return float(0.5 * (scales.sum() + (np.tril(M, -1) ** 2).sum() + u @ u))  # -kl-triangular


def linear_gaussian(prior: MultivariateGaussian, A: ArrayLike, b: ArrayLike, noise: ArrayLike) -> MultivariateGaussian:
    """Joint distribution of x and ``y = A x + b + noise``; :eq:`multivariate-gaussian-linear-joint`.

    Its marginal of y is the evidence; conditioned on y it is the posterior of x.

    Parameters
    ----------
    prior : MultivariateGaussian
        Of x, d variables.
    A : (m, d) array
        Any rank.
    b : (m,) array
    noise : (m, m) array
        Covariance of the noise, symmetric positive definite; the noise has mean 0 and is independent of x.

    Returns
    -------
    MultivariateGaussian
        Of d + m variables: first x, then y.

    Raises
    ------
    ValueError
        If a shape does not fit, ``noise`` is not symmetric positive definite, or so small that y is to rounding a
        function of x.

    Notes
    -----
    O((d + m)^3) time.

    Examples
    --------
    >>> joint = linear_gaussian(MultivariateGaussian([0.0], [[1.0]]), [[1.0]], [0.0], [[1.0]])
    >>> joint.condition(1, [3.0])
    MultivariateGaussian(mean=array([1.5]), covariance=array([[0.5]]))
    """
    A = check_matrix(A, "A")
    d, m = len(prior.mean), len(A)
    if A.shape[1] != d:
        raise ValueError(f"A must have one column for each variable, {d}, got shape {A.shape}.")
    R = check_symmetric(noise, "noise")
    if R.shape != (m, m):
        raise ValueError(f"noise must have shape ({m}, {m}), one row for each row of A, got {R.shape}.")
    L_noise = definite_factor(R, "noise")
    mean = np.concatenate([prior.mean, A @ prior.mean + check_vector(b, "b", m)])
    F = np.vstack([np.eye(d), A]) @ prior._L
    joint = F @ F.T  # multivariate-gaussian-linear-joint
    joint[d:, d:] += R
    small = np.flatnonzero(np.diag(L_noise) ** 2 <= 20 * len(mean) * EPS * np.diag(joint)[d:])  # pivots of y given x
    if small.size:
        raise ValueError(
            f"noise is too small: to rounding, y[{small[0]}] is a function of x and of what stands before it; enlarge "
            "noise, or take prior.affine(A, b) for y without noise."
        )
    return MultivariateGaussian(mean, joint)
