"""How many components, and how sure their entries are: shares, held-out rows, shuffled columns, bootstrap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_vector
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reduction.pca.checks import at_most, rows, varied
from notes_lib.reduction.pca.steps import Axes, gram_axes, moments, principal_axes, svd_axes


class ParallelAnalysis(NamedTuple):
    """Eigenvalues of the data, what chance reaches, and how many lead beyond it."""

    eigenvalues: FloatArray  # (d,)
    thresholds: FloatArray  # (d,)
    n_components: int


def axes_of(
    X: FloatArray, solver: str = "auto", n_components: int | None = None
) -> tuple[FloatArray, FloatArray, Axes]:
    """Mean, variance of each column, and axes (min(n, d) of them, or ``n_components``) by the quickest way."""
    n, d = X.shape
    if solver == "auto":
        solver = "covariance_eigh" if n >= 10 * d else "gram" if d >= 10 * n else "full"
    k = min(n, d) if n_components is None else n_components
    if solver == "covariance_eigh":
        mean, S = moments(X)
        varied(float(np.trace(S)), mean, n)
        return mean, np.diag(S).copy(), principal_axes(S, k)
    mean = X.mean(axis=0)
    centred = X - mean
    with np.errstate(over="ignore"):
        variances = (centred**2).sum(axis=0) / (n - 1)
    varied(float(variances.sum()), mean, n)
    found = gram_axes(centred, k) if solver == "gram" else svd_axes(centred)
    return mean, variances, Axes(found.eigenvalues[:k], found.components[:k])


def components_for_share(explained_variance_ratio: ArrayLike, share: float) -> int:
    """Smallest number of components whose shares of the variance add up to more than ``share``; :eq:`pca-share`.

    Parameters
    ----------
    explained_variance_ratio : (k,) array
        Shares in descending order.
    share : float
        Between 0 and 1.

    Raises
    ------
    ValueError, TypeError
        If ``share`` is not between 0 and 1, a share is negative, or their sum is above 1 or too small.

    Examples
    --------
    >>> components_for_share([0.6, 0.3, 0.1], 0.8)
    2
    """
    ratio = check_vector(explained_variance_ratio, "explained_variance_ratio")
    if isinstance(share, bool | str) or not 0 < share < 1:
        raise ValueError(f"share must lie between 0 and 1, got {share!r}.")
    total = np.cumsum(ratio)
    if (ratio < 0).any() or total[-1] > 1 + 1e-9:
        raise ValueError("explained_variance_ratio must hold shares: none negative, at most 1 in sum.")
    if total[-1] <= share:
        raise ValueError(f"explained_variance_ratio adds up to {total[-1]:.3g} only: keep more components.")
    return int(np.searchsorted(total, share, side="right")) + 1


def held_out_errors(X_train: ArrayLike, X_test: ArrayLike) -> FloatArray:
    """Squared distance of each new row from the plane of 0, 1, 2, ... components; :eq:`pca-error`.

    Parameters
    ----------
    X_train : (n, d) array
        Gives mean and axes.
    X_test : (m, d) array
        Is rebuilt.

    Returns
    -------
    (m, min(n, d) + 1) array
        Column k: with k components. It never rises with k, on new rows as on old ones.

    Raises
    ------
    ValueError, TypeError
        If a matrix is not finite, the widths differ, or the training rows are all equal.

    Notes
    -----
    O((n + m) d min(n, d)) time: the squared scores are taken off one after the other.

    Examples
    --------
    >>> held_out_errors([[1.0, 0.0], [-1.0, 0.0]], [[3.0, 4.0]])[0, :2]
    array([25., 16.])
    """
    X_train, X_test = rows(X_train, "X_train"), rows(X_test, "X_test", least=1)
    if X_train.shape[1] != X_test.shape[1]:
        raise ValueError(f"X_test must have {X_train.shape[1]} columns as X_train has, got {X_test.shape[1]}.")
    mean, _, (_, V) = axes_of(X_train)
    R = X_test - mean
    gained = np.cumsum((R @ V.T) ** 2, axis=1)
    start = (R**2).sum(axis=1)[:, None]
    return np.hstack([start, np.maximum(start - gained, 0.0)])


def parallel_analysis(
    X: ArrayLike,
    n_repeats: int = 50,
    quantile: float = 0.95,
    *,
    standardize: bool = True,
    random_state: RandomState = None,
) -> ParallelAnalysis:
    """Keep the leading components that are larger than those of shuffled columns.

    Shuffling each column by itself keeps its values and destroys all correlation; what the eigenvalues of such data
    reach is what chance alone explains. Horn (1965) drew Gaussian columns instead.

    Parameters
    ----------
    X : (n, d) array
    n_repeats : int
        Shuffles.
    quantile : float
        Of the shuffled eigenvalues, by rank: between 0 and 1.
    standardize : bool
        Eigenvalues of the correlation matrix, else of the covariance matrix.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    ParallelAnalysis
        ``n_components`` counts the eigenvalues above their threshold before the first one that is not.

    Raises
    ------
    ValueError, TypeError
        If ``X`` is no finite matrix of rows that differ, a column is constant although it is to be standardised,
        ``n_repeats`` is no positive integer, or ``quantile`` is not between 0 and 1.

    Notes
    -----
    O(n_repeats (n d^2 + d^3)) time.

    Examples
    --------
    >>> a = np.arange(20.0)
    >>> parallel_analysis(np.column_stack([a, a, a % 3]), random_state=0).n_components
    1
    """
    X = rows(X)
    check_integer(n_repeats, "n_repeats")
    if isinstance(quantile, bool | str) or not 0 < quantile < 1:
        raise ValueError(f"quantile must lie between 0 and 1, got {quantile!r}.")
    rng = check_rng(random_state)
    mean, S = moments(X)
    varied(float(np.trace(S)), mean, len(X))
    Z = X - mean
    if standardize:
        if (np.ptp(X, axis=0) == 0).any():
            column = int(np.argmin(np.ptp(X, axis=0)))
            raise ValueError(f"X: column {column} is constant and cannot be standardised: remove it.")
        Z /= np.sqrt(np.diag(S))
    found = principal_axes(moments(Z)[1]).eigenvalues
    chance = [principal_axes(moments(rng.permuted(Z, axis=0))[1]).eigenvalues for _ in range(n_repeats)]
    thresholds = np.quantile(chance, quantile, axis=0)
    return ParallelAnalysis(found, thresholds, int(np.cumprod(found > thresholds).sum()))


def bootstrap_components(
    X: ArrayLike, n_components: int = 1, n_resamples: int = 200, *, random_state: RandomState = None
) -> FloatArray:
    """Axes of samples drawn from the rows with replacement, each turned to the side of the data's own axis.

    Parameters
    ----------
    X : (n, d) array
        Standardise it first if the features have different units.
    n_components, n_resamples : int
    random_state : int, Generator, RandomState or None

    Returns
    -------
    (n_resamples, n_components, d) array
        Quantiles over the first axis are intervals for the entries. They mean something for components whose variances
        are well apart; others change places from sample to sample.

    Raises
    ------
    ValueError, TypeError
        If ``X`` is no finite matrix of rows that differ, ``n_components`` is above min(n, d), or ``n_resamples`` is no
        positive integer.

    Notes
    -----
    O(n_resamples (n d^2 + d^3)) time.

    Examples
    --------
    >>> bootstrap_components([[0.0, 1.0], [1.0, 2.0], [5.0, 6.0]], n_resamples=4, random_state=0).shape
    (4, 1, 2)
    """
    X = rows(X)
    k = at_most(n_components, min(X.shape), "min(n_samples, n_features)")
    check_integer(n_resamples, "n_resamples")
    rng = check_rng(random_state)
    own = axes_of(X, n_components=k)[2].components
    drawn: list[FloatArray] = []
    while len(drawn) < n_resamples:
        sample = X[rng.integers(0, len(X), len(X))]
        if not (sample == sample[0]).all():  # one row again and again has no axis
            V = axes_of(sample, n_components=k)[2].components
            drawn.append(V * np.where((V * own).sum(axis=1) < 0, -1.0, 1.0)[:, None])
    return np.array(drawn)
