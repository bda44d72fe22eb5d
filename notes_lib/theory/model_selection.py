"""Model selection: what a criterion charges for the parameters of a model, and scores without refitting.

All criteria are to be *minimised*; log-likelihoods are natural logarithms, at their maximum and with all constants.
The functions follow the derivation of the chapter *Model selection*. The ``aic`` and ``bic`` methods of mixtures and
Markov chains in this library, and those of scikit-learn and statsmodels, have the same sign and the same constants in
the log-likelihood; for linear models statsmodels and scikit-learn do not count the variance as a parameter.

Source: Akaike (1974), IEEE Trans. Automatic Control 19, 716-723; Schwarz (1978), Annals of Statistics 6, 461-464;
Hurvich and Tsai (1989), Biometrika 76, 297-307; Rissanen (1978), Automatica 14, 465-471; Golub, Heath and Wahba (1979),
Technometrics 21, 215-223.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import (
    FloatArray,
    check_counts,
    check_integer,
    check_matrix,
    check_number,
    check_numbers,
    check_positive,
    check_vector,
)
from notes_lib.foundations.cross_validation import leave_one_out_residuals
from notes_lib.numerics import cholesky_factor


class CodeLength(NamedTuple):
    """Bits for the number of the model in the list, for its parameters, and for the data given both."""

    model: FloatArray
    parameters: FloatArray
    data: FloatArray

    @property
    def total(self) -> FloatArray:
        """Length of the whole message; :eq:`model-selection-mdl`."""
        return self.model + self.parameters + self.data


def gaussian_log_likelihood(rss: ArrayLike, n_samples: int, noise: float | None = None) -> FloatArray:
    """Log-likelihood of a regression with Gaussian noise at least squares; :eq:`model-selection-gaussian`.

    Parameters
    ----------
    rss : float or array
        Residual sums of squares, one for each model.
    n_samples : int
    noise : float, optional
        The variance of the noise if it is known; None estimates it by ``rss / n_samples``, one more parameter.

    Returns
    -------
    array with the shape of ``rss``

    Raises
    ------
    ValueError, TypeError
        If ``rss`` is not finite or negative, ``n_samples`` is no positive integer, ``noise`` is not positive, or a
        variance that has to be estimated is 0: the likelihood then has no maximum.

    Examples
    --------
    >>> gaussian_log_likelihood([8.0, 4.0], 4).round(4)
    array([-7.062 , -5.6758])
    """
    rss, n = check_numbers(rss, "rss"), check_integer(n_samples, "n_samples")
    if (rss < 0).any() or (noise is None and (rss == 0).any()):
        raise ValueError("rss must be positive: a perfect fit has no maximum of the likelihood; give noise.")
    if noise is None:
        return -n / 2 * (np.log(2 * np.pi * rss / n) + 1)  # model-selection-gaussian
    noise = check_positive(noise, "noise")
    return -n / 2 * np.log(2 * np.pi * noise) - rss / (2 * noise)


def aic(log_likelihood: ArrayLike, n_parameters: ArrayLike, n_samples: int | None = None) -> FloatArray:
    """Akaike's information criterion, lower is better; :eq:`model-selection-aic`.

    Parameters
    ----------
    log_likelihood : float or array
        At its maximum, one for each model.
    n_parameters : int or array of ints
        Free parameters, an estimated variance included.
    n_samples : int, optional
        If given, the small-sample form AICc, :eq:`model-selection-aicc`; it needs ``n_samples > n_parameters + 1``.

    Returns
    -------
    array

    Raises
    ------
    ValueError, TypeError
        If a log-likelihood is not finite, a count is no whole number from 0 on, the shapes do not agree, or there are
        too few instances for AICc.

    Examples
    --------
    >>> aic([-7.0, -6.5], [2, 3]), aic([-7.0, -6.5], [2, 3], 10)
    (array([18., 19.]), array([19.71428571, 23.        ]))
    """
    ell, k = _checked(log_likelihood, n_parameters)
    if n_samples is None:
        return -2 * ell + 2 * k  # model-selection-aic
    n = check_integer(n_samples, "n_samples")
    if (k + 1 >= n).any():
        raise ValueError(f"n_samples must be above n_parameters + 1 = {int(k.max()) + 1} for AICc, got {n}.")
    return -2 * ell + 2 * k * n / (n - k - 1)  # model-selection-aicc


def bic(log_likelihood: ArrayLike, n_parameters: ArrayLike, n_samples: int) -> FloatArray:
    """Schwarz's criterion, lower is better: about -2 log evidence; :eq:`model-selection-bic`.

    Parameters
    ----------
    log_likelihood, n_parameters
        As in :func:`aic`.
    n_samples : int

    Returns
    -------
    array

    Raises
    ------
    ValueError, TypeError
        As :func:`aic`; ``n_samples`` is no positive integer.

    Examples
    --------
    >>> bic([-7.0, -6.5], [2, 3], 10).round(3)
    array([18.605, 19.908])
    """
    ell, k = _checked(log_likelihood, n_parameters)
    return -2 * ell + k * np.log(check_integer(n_samples, "n_samples"))  # model-selection-bic


def mdl(log_likelihood: ArrayLike, n_parameters: ArrayLike, n_samples: int, n_models: int = 1) -> CodeLength:
    """Parts of a two-part code in bits, shorter is better; :eq:`model-selection-mdl`.

    Parameters
    ----------
    log_likelihood, n_parameters, n_samples
        As in :func:`bic`, natural logarithms.
    n_models : int
        Length of the list from which the model is taken.

    Returns
    -------
    CodeLength
        Every parameter costs half the binary logarithm of ``n_samples``. For continuous data the third part leaves out
        the precision of the data, the same for all models, and may be negative.

    Raises
    ------
    ValueError, TypeError
        As :func:`bic`; ``n_models`` is no positive integer.

    Examples
    --------
    >>> mdl([-16 * np.log(2)], [1], 16, n_models=2)
    CodeLength(model=array([1.]), parameters=array([2.]), data=array([16.]))
    """
    ell, k = _checked(log_likelihood, n_parameters)
    n, choices = check_integer(n_samples, "n_samples"), check_integer(n_models, "n_models")
    model = np.full_like(ell, np.log2(choices))
    return CodeLength(model, k / 2 * np.log2(n), -ell / np.log(2))  # model-selection-mdl


def laplace_evidence(log_joint: float, precision: ArrayLike) -> float:
    """Log evidence from a Gaussian put at the mode of the posterior; :eq:`model-selection-laplace`.

    Parameters
    ----------
    log_joint : float
        Log-likelihood plus log prior density at the mode.
    precision : (k, k) array
        Minus the Hessian of the log joint there.

    Raises
    ------
    ValueError, TypeError
        If ``log_joint`` is no finite number, or ``precision`` is not symmetric and positive definite: then the point is
        no isolated maximum.

    Notes
    -----
    O(k^3) time. Exact where the posterior is Gaussian.

    Examples
    --------
    >>> round(laplace_evidence(-2.0, [[2.0, 0.0], [0.0, 8.0]]), 6)
    -1.548417
    """
    log_joint, L = check_number(log_joint, "log_joint"), cholesky_factor(precision, "precision")
    return float(log_joint + len(L) / 2 * np.log(2 * np.pi) - np.log(np.diag(L)).sum())


def loo_score(L: ArrayLike, y: ArrayLike) -> float:
    """Mean squared leave-one-out error of a linear smoother from one fit; :eq:`model-selection-loo`.

    Parameters
    ----------
    L : (N, N) array
        The predictions at the training inputs are ``L @ y``.
    y : (N,) array

    Raises
    ------
    ValueError
        If the shapes do not agree, an entry is not finite, or an entry of the diagonal is 1 or more.

    Notes
    -----
    O(N^2) time. Exact for (ridge, kernel ridge, weighted) least squares with fixed columns, and for averages whose
    weights are renormalised without the instance; see the chapter for the condition.

    Examples
    --------
    >>> loo_score(np.full((2, 2), 0.5), [1.0, 3.0])
    4.0
    """
    L, y = _smoother(L, y)
    return float((leave_one_out_residuals(y - L @ y, np.diag(L)) ** 2).mean())


def gcv_score(L: ArrayLike, y: ArrayLike) -> float:
    """Generalised cross-validation: every leverage replaced by their mean; :eq:`model-selection-gcv`.

    Parameters
    ----------
    L, y
        As in :func:`loo_score`.

    Raises
    ------
    ValueError
        If the shapes do not agree, an entry is not finite, or the trace of ``L`` is N or more.

    Examples
    --------
    >>> gcv_score([[0.5, 0.0], [0.0, 0.0]], [3.0, 3.0])
    10.0
    """
    L, y = _smoother(L, y)
    mean_leverage = np.full(len(y), np.trace(L) / len(y))
    return float((leave_one_out_residuals(y - L @ y, mean_leverage) ** 2).mean())


def _checked(log_likelihood: ArrayLike, n_parameters: ArrayLike) -> tuple[FloatArray, FloatArray]:
    ell, k = check_numbers(log_likelihood, "log_likelihood"), check_counts(n_parameters, "n_parameters")
    if ell.shape != k.shape:
        raise ValueError(
            f"log_likelihood and n_parameters must have one entry for each model, got shapes {ell.shape} and {k.shape}."
        )
    return ell, k


def _smoother(L: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    L = check_matrix(L, "L", square=True)
    return L, check_vector(y, "y", len(L))
