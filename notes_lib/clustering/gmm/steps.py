"""E-step, M-step and the lower bound, in the order of the chapter *Gaussian mixtures and EM*."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from notes_lib.checks import FloatArray, check_distribution, check_integer
from notes_lib.clustering.gmm import blocks, checks
from notes_lib.clustering.gmm.precision import covariance_shape
from notes_lib.numerics import row_blocks


class EStep(NamedTuple):
    """Result of :func:`e_step`: ``responsibilities`` (n, K), rows sum to 1; ``log_likelihood`` (n,), nats."""

    responsibilities: FloatArray
    log_likelihood: FloatArray


class MStep(NamedTuple):
    """Parameters of a mixture: ``weights`` (K,), ``means`` (K, d), ``covariances`` in scikit-learn's shapes."""

    weights: FloatArray
    means: FloatArray
    covariances: FloatArray


def log_component_densities(
    X: ArrayLike, means: ArrayLike, covariances: ArrayLike, covariance_type: str = "full"
) -> FloatArray:
    """Log-density ``log N(x_n | mu_k, Sigma_k)`` of every row under every component.

    Implements :eq:`gmm-normal` in the form :eq:`gmm-cholesky`.

    Parameters
    ----------
    X : (n, d) array
    means : (K, d) array
    covariances : array
        Shape by ``covariance_type``, as in :func:`precision_cholesky`.
    covariance_type : str

    Returns
    -------
    (n, K) array, nats

    Raises
    ------
    ValueError
        If the shapes do not fit or a covariance is not symmetric positive definite.

    Notes
    -----
    O(n K d^2 + K d^3) time, O(n K) memory.

    Examples
    --------
    >>> log_component_densities([[0.0]], [[0.0]], [[[1.0]]]).round(4)
    array([[-0.9189]])
    """
    X, mu, W = checks.check_model(X, means, covariances, covariance_type)
    out = np.empty((len(mu), len(X)))  # (K, n): the values of a component stand together
    for rows in row_blocks(len(X)):
        blocks.log_densities(X[rows], mu, W, out[:, rows])
    return out.T


def e_step(
    X: ArrayLike, weights: ArrayLike, means: ArrayLike, covariances: ArrayLike, covariance_type: str = "full"
) -> EStep:
    """Posterior probability of every component for every row, and the log-density of every row.

    Implements :eq:`gmm-responsibility` and :eq:`gmm-likelihood` by the log-sum-exp :eq:`gmm-logsumexp`, so that nothing
    underflows.

    Parameters
    ----------
    X : (n, d) array
    weights : (K,) array
        Non-negative, sums to 1.
    means : (K, d) array
    covariances : array
        Shape by ``covariance_type``, as in :func:`precision_cholesky`.
    covariance_type : str

    Returns
    -------
    EStep
        ``responsibilities`` (n, K), rows sum to 1; ``log_likelihood`` (n,), nats: log p(x_n).

    Raises
    ------
    ValueError
        If the shapes do not fit, ``weights`` is not a distribution, a covariance is not symmetric positive definite, or
        the squared distance of a row overflows.

    Notes
    -----
    O(n K d^2 + K d^3) time, O(n K) memory. Source: Bishop (2006), equation 9.13.

    Examples
    --------
    >>> step = e_step([[0.0], [2.0]], [0.5, 0.5], [[0.0], [2.0]], [1.0, 1.0], "spherical")
    >>> step.responsibilities.round(3)
    array([[0.881, 0.119],
           [0.119, 0.881]])
    """
    X, mu, W = checks.check_model(X, means, covariances, covariance_type)
    with np.errstate(divide="ignore"):  # a weight of 0 gives log pi = -inf and responsibility 0
        log_pi = np.log(check_distribution(weights, "weights", (len(mu),)))[:, None]  # (K, 1)
    gamma, log_p = np.empty((len(mu), len(X))), np.empty(len(X))  # (K, n), (n,)
    for rows in row_blocks(len(X)):
        joint = gamma[:, rows]  # a view: log-joint first, responsibilities at the end
        blocks.log_densities(X[rows], mu, W, joint)
        joint += log_pi  # log pi_k + log N(x_n | mu_k, Sigma_k)
        largest = joint.max(axis=0)  # (rows,)
        if not np.isfinite(largest).all():
            bad = rows.start + int(np.argmin(np.isfinite(largest)))
            raise ValueError(f"X row {bad} holds NaN or is too far from every component: remove or rescale it.")
        joint -= largest
        np.exp(joint, out=joint)
        total = joint.sum(axis=0)
        joint /= total  # gmm-responsibility
        log_p[rows] = largest + np.log(total)  # gmm-logsumexp
    return EStep(gamma.T, log_p)


def m_step(X: ArrayLike, responsibilities: ArrayLike, covariance_type: str = "full", reg_covar: float = 1e-6) -> MStep:
    """Parameters that maximise the expected complete log-likelihood for given responsibilities.

    Implements :eq:`gmm-mstep-weights`, :eq:`gmm-mstep-mean`, :eq:`gmm-mstep-covariance` and, for the other covariance
    types, :eq:`gmm-mstep-types`. The divisor is N_k, not N_k - 1; ``reg_covar`` is then added to the diagonal, as in
    scikit-learn, so the result is the exact maximiser only with ``reg_covar=0``.

    Parameters
    ----------
    X : (n, d) array
    responsibilities : (n, K) array
        Non-negative; the weights sum to 1 if the rows do.
    covariance_type : str
    reg_covar : float
        At least 0, in units of X squared.

    Returns
    -------
    MStep
        ``weights`` (K,), ``means`` (K, d), ``covariances`` (shape by ``covariance_type``).

    Raises
    ------
    ValueError
        If the shapes do not fit, an entry is NaN or infinite, a responsibility or ``reg_covar`` is negative, or a
        component has no responsibility left (names it).

    Notes
    -----
    O(n K d^2) time, O(K d^2) memory. Source: Bishop (2006), equations 9.17, 9.19 and 9.22.

    Examples
    --------
    >>> m_step([[0.0], [2.0], [5.0]], [[1, 0], [1, 0], [0, 1]], "spherical", reg_covar=0.0).means
    array([[1.],
           [5.]])
    """
    X, gamma = checks.check_m_step(X, responsibilities, covariance_type, reg_covar)  # (n, d), (K, n)
    N = gamma.sum(axis=1)  # (K,) gmm-count
    mu = gamma @ X / N[:, None]  # (K, d) gmm-mstep-mean
    S = blocks.scatter(X, gamma, mu, full=covariance_type in ("full", "tied"))  # (K, d, d) or (K, d)
    Sigma = S.sum(axis=0) / len(X) if covariance_type == "tied" else (S.T / N).T  # gmm-mstep-covariance
    if covariance_type == "spherical":
        Sigma = Sigma.mean(axis=1)
    ridge = reg_covar * (np.eye(X.shape[1]) if S.ndim == 3 else 1.0)
    return MStep(N / len(X), mu, Sigma + ridge)  # gmm-mstep-weights


def entropy(responsibilities: ArrayLike) -> float:
    """Entropies of the rows of responsibilities, added up; :eq:`gmm-entropy`, in nats, with 0 log 0 = 0. O(n K) time.

    Parameters
    ----------
    responsibilities : (n, K) array, rows sum to 1 (else a ValueError names the row)

    Returns
    -------
    float
        From 0 (every row certain) to n log K (nothing known).

    Examples
    --------
    >>> round(entropy([[0.5, 0.5], [1.0, 0.0]]), 4)
    0.6931
    """
    gamma = check_distribution(responsibilities, "responsibilities")
    return float(-xlogy(gamma, gamma).sum())


def q_function(X: ArrayLike, responsibilities: ArrayLike, theta: MStep, covariance_type: str = "full") -> float:
    """Expected complete log-likelihood of ``theta`` under given responsibilities, in nats; :eq:`gmm-q`.

    O(n K d^2 + K d^3) time, O(n K) memory.

    Parameters
    ----------
    X : (n, d) array
    responsibilities : (n, K) array
        Computed from the *old* parameters, held fixed; rows sum to 1.
    theta : MStep or (weights, means, covariances)
        The parameters at which Q is evaluated.
    covariance_type : str

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the shapes do not fit, weights or responsibilities are no distributions or a covariance is not positive
        definite.

    Examples
    --------
    >>> round(q_function([[0.0]], [[1.0]], ([1.0], [[0.0]], [1.0]), "spherical"), 4)
    -0.9189
    """
    weights, means, covariances = theta
    log_density = log_component_densities(X, means, covariances, covariance_type)
    gamma = check_distribution(responsibilities, "responsibilities", log_density.shape)
    pi = check_distribution(weights, "weights", (gamma.shape[1],))
    return float((xlogy(gamma, pi) + gamma * log_density).sum())


def elbo(X: ArrayLike, responsibilities: ArrayLike, theta: MStep, covariance_type: str = "full") -> float:
    """Evidence lower bound ``Q + H``; :eq:`gmm-elbo`.

    At most the log-likelihood of ``theta``, and equal to it at the posterior under ``theta``.

    Parameters
    ----------
    X, responsibilities, theta, covariance_type
        As in :func:`q_function`, with its errors and cost; the rows of ``responsibilities`` may be any distributions.

    Returns
    -------
    float, nats

    Examples
    --------
    >>> theta = ([0.5, 0.5], [[0.0], [2.0]], [1.0, 1.0])
    >>> step = e_step([[0.3]], *theta, "spherical")
    >>> bool(np.isclose(elbo([[0.3]], step.responsibilities, theta, "spherical"), step.log_likelihood.sum()))
    True
    """
    return q_function(X, responsibilities, theta, covariance_type) + entropy(responsibilities)


def n_parameters(n_components: int, n_features: int, covariance_type: str = "full") -> int:
    """Number of free parameters: K - 1 weights, K d means and the covariances; :eq:`gmm-parameters`, O(1).

    Raises ValueError or TypeError if a number is not an integer of at least 1 or the type is unknown.

    Examples
    --------
    >>> [n_parameters(3, 2, kind) for kind in ("full", "tied", "diag", "spherical")]
    [17, 11, 14, 11]
    """
    K, d = check_integer(n_components, "n_components"), check_integer(n_features, "n_features")
    covariance_shape(covariance_type, K, d)  # refuses an unknown type
    symmetric = d * (d + 1) // 2  # entries on and above the diagonal
    return K - 1 + K * d + {"full": K * symmetric, "tied": symmetric, "diag": K * d, "spherical": K}[covariance_type]
