"""Densities and posteriors of classes that are mixtures, as in the chapter *Mixture discriminant analysis*."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from notes_lib.checks import FloatArray, check_distribution, check_integer
from notes_lib.clustering.gmm import MStep, e_step, n_parameters


def class_log_densities(X: ArrayLike, mixtures: Sequence[MStep], covariance_type: str = "full") -> FloatArray:
    """Log-density of every row under the mixture of every class; :eq:`mixture-discriminant-class-density`.

    Parameters
    ----------
    X : (n, d) array
    mixtures : sequence of K triples (weights, means, covariances)
        One for each class, with as many components as it likes; see :func:`~notes_lib.clustering.gmm.e_step`. The
        weights of a class sum to 1.
    covariance_type : {'full', 'tied', 'diag', 'spherical'}

    Returns
    -------
    (n, K) array, nats

    Raises
    ------
    ValueError
        If there is no mixture, a shape does not fit, weights are no distribution, or a covariance is not positive
        definite.

    Notes
    -----
    O(n J d^2 + J d^3) time with J components in all.

    Examples
    --------
    >>> one, two = ([1.0], [[0.0]], [1.0]), ([0.5, 0.5], [[-2.0], [2.0]], [1.0, 1.0])
    >>> np.exp(class_log_densities([[0.0], [2.0]], [one, two], "spherical")).round(4)
    array([[0.3989, 0.054 ],
           [0.054 , 0.1995]])
    """
    if len(mixtures) == 0:
        raise ValueError("mixtures must hold a triple (weights, means, covariances) for each class, got none.")
    return np.column_stack([e_step(X, *theta, covariance_type).log_likelihood for theta in mixtures])


def class_log_joint(
    X: ArrayLike, mixtures: Sequence[MStep], priors: ArrayLike, covariance_type: str = "full"
) -> FloatArray:
    """Log of prior times density of each class; their log-sum-exp is log p(x), :eq:`mixture-discriminant-density`.

    Parameters
    ----------
    X, mixtures, covariance_type
        As in :func:`class_log_densities`, with its errors and cost.
    priors : (K,) array
        Class probabilities, positive, with sum 1 (else a ValueError).

    Returns
    -------
    (n, K) array, nats

    Examples
    --------
    >>> unit, far = ([1.0], [[0.0]], [1.0]), ([1.0], [[2.0]], [1.0])
    >>> class_log_joint([[1.0]], [unit, far], [0.25, 0.75], "spherical").round(3)
    array([[-2.805, -1.707]])
    """
    log_density = class_log_densities(X, mixtures, covariance_type)
    return log_density + np.log(check_distribution(priors, "priors", (len(mixtures),), positive=True))


def class_posterior(
    X: ArrayLike, mixtures: Sequence[MStep], priors: ArrayLike, covariance_type: str = "full"
) -> FloatArray:
    """Posterior probability of every class, by Bayes' theorem; :eq:`mixture-discriminant-posterior`.

    Parameters
    ----------
    X, mixtures, priors, covariance_type
        As in :func:`class_log_joint`, with its errors and cost.

    Returns
    -------
    (n, K) array, rows sum to 1

    Examples
    --------
    >>> one, two = ([1.0], [[0.0]], [1.0]), ([0.5, 0.5], [[-2.0], [2.0]], [1.0, 1.0])
    >>> class_posterior([[0.0], [2.0]], [one, two], [0.5, 0.5], "spherical").round(3)
    array([[0.881, 0.119],
           [0.213, 0.787]])
    """
    return softmax(class_log_joint(X, mixtures, priors, covariance_type), axis=1)


def component_posterior(
    X: ArrayLike, mixtures: Sequence[MStep], priors: ArrayLike, covariance_type: str = "full"
) -> list[FloatArray]:
    """Posterior probability of every component of every class; :eq:`mixture-discriminant-component-posterior`.

    Parameters
    ----------
    X, mixtures, priors, covariance_type
        As in :func:`class_log_joint`, with its errors and cost.

    Returns
    -------
    list of K arrays (n, J_k)
        The row sums of array k are the posterior of class k.

    Examples
    --------
    >>> one, two = ([1.0], [[0.0]], [1.0]), ([0.5, 0.5], [[-2.0], [2.0]], [1.0, 1.0])
    >>> [p.round(3).tolist() for p in component_posterior([[2.0]], [one, two], [0.5, 0.5], "spherical")]
    [[[0.213]], [[0.0, 0.787]]]
    """
    posterior = class_posterior(X, mixtures, priors, covariance_type)
    inside = [e_step(X, *theta, covariance_type).responsibilities for theta in mixtures]
    return [q[:, None] * gamma for q, gamma in zip(posterior.T, inside, strict=True)]


def mda_parameters(n_components: Sequence[int], n_features: int, covariance_type: str = "full") -> int:
    """Number of free parameters: K - 1 priors and all mixtures; :eq:`mixture-discriminant-parameters`.

    Parameters
    ----------
    n_components : sequence of K integers
    n_features : int
    covariance_type : str

    Returns
    -------
    int

    Raises
    ------
    TypeError, ValueError
        If there are no classes, a number is not an integer of at least 1, or the type is unknown.

    Examples
    --------
    >>> mda_parameters([1, 1], 2), mda_parameters([2, 3], 2)
    (11, 29)
    """
    K = check_integer(len(n_components), "the number of classes in n_components")
    return K - 1 + sum(n_parameters(J, n_features, covariance_type) for J in n_components)
