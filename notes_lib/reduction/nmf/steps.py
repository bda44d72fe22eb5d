"""The steps of the derivation, in its order: objective, gradient, shares, majoriser, updates."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from notes_lib.checks import FloatArray, check_choice, check_vector
from notes_lib.reduction.nmf.checks import LOSSES, check_factors, check_non_negative


def divergence(X: ArrayLike, W: ArrayLike, H: ArrayLike, beta_loss: str = "frobenius") -> float:
    """Objective of a factorisation: :eq:`nmf-objective`, or :eq:`nmf-divergence` for 'kullback-leibler'.

    Parameters
    ----------
    X : (n, d) array of numbers of at least 0
    W : (n, k) array, H : (k, d) array, of numbers of at least 0
    beta_loss : 'frobenius' or 'kullback-leibler'

    Returns
    -------
    float
        Half the sum of squared errors, or the divergence in nats, with ``0 log 0 = 0``. The divergence is infinite
        where ``W @ H`` is 0 and X is not.

    Raises
    ------
    ValueError
        If the shapes do not fit together, an entry is negative or not finite, or the loss is unknown.

    Notes
    -----
    O(n d k) time, O(n d) memory.

    Examples
    --------
    >>> divergence([[3.0, 1.0]], [[1.0]], [[1.0, 1.0]])
    2.0
    """
    X, W, H = check_factors(X, W, H)
    check_choice(beta_loss, "beta_loss", LOSSES)
    return squares(X, W @ H) if beta_loss == "frobenius" else kullback_leibler(X, W @ H)


def squares(X: FloatArray, Y: FloatArray) -> float:
    """Half the sum of squared differences."""
    D = X - Y
    return 0.5 * float(np.vdot(D, D))


def kullback_leibler(X: FloatArray, Y: FloatArray) -> float:
    """Generalised Kullback-Leibler divergence of Y from X, in nats."""
    with np.errstate(divide="ignore"):
        return float((xlogy(X, X) - xlogy(X, Y) - X + Y).sum())


def gradient(X: ArrayLike, W: ArrayLike, H: ArrayLike, beta_loss: str = "frobenius") -> FloatArray:
    """Slope of the objective in each entry of H, :eq:`nmf-gradient`; a (k, d) array.

    Parameters, errors and cost are those of :func:`divergence`; for 'kullback-leibler' ``W @ H`` must be positive
    wherever X is.

    Examples
    --------
    >>> gradient([[3.0, 1.0]], [[1.0]], [[1.0, 1.0]])
    array([[-2.,  0.]])
    """
    X, W, H = check_factors(X, W, H)
    check_choice(beta_loss, "beta_loss", LOSSES)
    if beta_loss == "frobenius":
        return W.T @ W @ H - W.T @ X
    Y = W @ H
    if ((Y == 0) & (X > 0)).any():
        raise ValueError("W @ H must be positive wherever X is, for this loss: start from positive W and H.")
    return W.sum(axis=0)[:, None] - W.T @ ratio(X, Y, of_none=0.0)


def ratio(numerator: FloatArray, denominator: FloatArray, of_none: float) -> FloatArray:
    """Entry by entry; ``of_none`` is what a division by 0 is worth."""
    none = denominator == 0
    if not none.any():
        return numerator / denominator
    return np.where(none, of_none, numerator / np.where(none, 1.0, denominator))


def shares(W: ArrayLike, h: ArrayLike) -> FloatArray:
    """How much of each sum comes from each part, :eq:`nmf-shares`: an (n, k) array whose rows sum to 1.

    Parameters
    ----------
    W : (n, k) array of numbers of at least 0
    h : (k,) array of numbers of at least 0
        One column of H.

    Raises
    ------
    ValueError
        If the shapes do not fit together, an entry is negative, or ``W @ h`` has an entry of 0.

    Examples
    --------
    >>> shares([[1.0, 2.0]], [2.0, 3.0])
    array([[0.25, 0.75]])
    """
    W = check_non_negative(W, "W")
    h = check_vector(h, "h", W.shape[1])
    parts = W * check_non_negative(h[None], "h")
    total = parts.sum(axis=1, keepdims=True)
    if not total.all():
        raise ValueError("W @ h must be positive in every row: a sum of 0 has no shares; drop rows of W that are 0.")
    return parts / total


def majoriser(x: ArrayLike, W: ArrayLike, h: ArrayLike, at: ArrayLike, beta_loss: str = "frobenius") -> float:
    """Upper bound of the objective of one column that touches it at ``at``: :eq:`nmf-majoriser`, :eq:`nmf-kl-jensen`.

    Parameters
    ----------
    x : (n,) array of numbers of at least 0
        One column of X.
    W : (n, k) array of numbers of at least 0
    h, at : (k,) arrays of positive numbers
        Where the bound is evaluated, and where it touches.
    beta_loss : 'frobenius' or 'kullback-leibler'

    Returns
    -------
    float
        At least the :func:`divergence` of ``W @ h`` from x, and equal to it for ``h == at``.

    Raises
    ------
    ValueError
        If the shapes do not fit together, an entry of ``h`` or ``at`` is not positive, or another one is negative.

    Notes
    -----
    O(n k) time.

    Examples
    --------
    >>> majoriser([2.0], [[1.0, 1.0]], [1.0, 1.0], at=[1.0, 1.0])
    0.0
    """
    W = check_non_negative(W, "W")
    x = check_non_negative(check_vector(x, "x", len(W))[:, None], "x")
    h, at = check_vector(h, "h", W.shape[1]), check_vector(at, "at", W.shape[1])
    check_choice(beta_loss, "beta_loss", LOSSES)
    if min(h.min(), at.min()) <= 0:
        raise ValueError("h and at must be positive: the bound divides by them; start the updates above 0.")
    alpha = shares(W, at)  # (n, k)
    of_part = (W @ at)[:, None] * (h / at)  # (n, k): the sum, if all of it grew like this part
    if beta_loss == "frobenius":
        return 0.5 * float((alpha * (x - of_part) ** 2).sum())
    return float((xlogy(x, x) - x).sum() - (alpha * xlogy(x, of_part)).sum() + (W @ h).sum())


def multiplicative_update(X: ArrayLike, W: ArrayLike, H: ArrayLike, beta_loss: str = "frobenius") -> FloatArray:
    """One multiplicative update of H, which never raises the objective: :eq:`nmf-update`, :eq:`nmf-kl-update`.

    Parameters and errors are those of :func:`divergence`. The update of W is that of the transposed problem,
    ``multiplicative_update(X.T, H.T, W.T).T``.

    Returns
    -------
    (k, d) array
        The new H. An entry of 0 stays 0; one whose denominator is 0 stays as it is, since it is 0 itself or its part is
        nowhere in use.

    Notes
    -----
    O(n d k) time.

    Examples
    --------
    >>> multiplicative_update([[3.0, 1.0]], [[1.0]], [[1.0, 1.0]])
    array([[3., 1.]])
    """
    X, W, H = check_factors(X, W, H)
    check_choice(beta_loss, "beta_loss", LOSSES)
    if beta_loss == "frobenius":
        return H * ratio(W.T @ X, W.T @ W @ H, of_none=1.0)
    return kl_rows(X, W, H)


def kl_rows(X: FloatArray, W: FloatArray, H: FloatArray) -> FloatArray:
    """The update :eq:`nmf-kl-update`, without a look at its arguments; what a sum of 0 misses has no shares."""
    return H * ratio(W.T @ ratio(X, W @ H, of_none=0.0), W.sum(axis=0)[:, None] * np.ones(H.shape[1]), of_none=1.0)


def hals_update(X: ArrayLike, W: ArrayLike, H: ArrayLike) -> FloatArray:
    """Each row of H in turn to its best values, the others fixed: :eq:`nmf-hals`.

    Parameters and errors are those of :func:`divergence`; squared errors only.

    Returns
    -------
    (k, d) array
        The new H; a row whose part is nowhere in use, a column of zeros in W, stays as it is.

    Notes
    -----
    O(n d k) time: the residual is kept up to date. :func:`hals_rows` computes the same from two products.

    Examples
    --------
    >>> hals_update([[3.0, 1.0]], [[1.0]], [[1.0, 1.0]])
    array([[3., 1.]])
    """
    X, W, H = check_factors(X, W, H)
    H = H.copy()
    for k in range(len(H)):
        size = W[:, k] @ W[:, k]
        if size > 0:
            rest = X - W @ H + np.outer(W[:, k], H[k])  # what the other parts leave
            H[k] = np.maximum(0.0, W[:, k] @ rest / size)
    return H


def rescaled(W: ArrayLike, H: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The same product with rows of H that sum to 1, :eq:`nmf-scaling`.

    Parameters
    ----------
    W : (n, k) array, H : (k, d) array, of numbers of at least 0

    Returns
    -------
    W : (n, k) array
        Each column times the sum of its row of H: in the units of X.
    H : (k, d) array
        Rows that sum to 1; a row of zeros stays one, and its column of W becomes 0.

    Raises
    ------
    ValueError
        If an entry is negative, or the shapes do not fit together.

    Examples
    --------
    >>> rescaled([[1.0]], [[1.0, 3.0]])
    (array([[4.]]), array([[0.25, 0.75]]))
    """
    W, H = check_non_negative(W, "W"), check_non_negative(H, "H")
    if W.shape[1] != len(H):
        raise ValueError(f"W must be (n, k) and H (k, d), got shapes {W.shape} and {H.shape}.")
    total = H.sum(axis=1)
    return W * total, H / np.where(total > 0, total, 1.0)[:, None]
