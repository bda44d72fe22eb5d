"""The Karhunen-Loeve expansion as pattern recognition has it: an autocorrelation matrix, with or without classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_distribution, class_codes
from notes_lib.reduction.pca.checks import at_most, rows
from notes_lib.reduction.pca.steps import Axes, principal_axes


def autocorrelation(X: ArrayLike, y: ArrayLike | None = None, priors: ArrayLike | None = None) -> FloatArray:
    """Mean of the products ``x x'``, nothing subtracted; :eq:`pca-autocorrelation`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array or None
        Classes. The matrix is then the mean of the class matrices, weighted by ``priors``.
    priors : (K,) array or None
        Class probabilities in the order of the sorted classes; the shares in ``y`` if None.

    Returns
    -------
    (d, d) array

    Raises
    ------
    ValueError, TypeError
        If ``X`` is no finite matrix, ``y`` does not fit it, ``priors`` are no distribution over its classes, or there
        are priors without classes.

    Notes
    -----
    O(n d^2) time.

    Examples
    --------
    >>> autocorrelation([[1.0, 0.0], [3.0, 0.0], [0.0, 2.0]], ["a", "a", "b"], [0.5, 0.5])
    array([[2.5, 0. ],
           [0. , 2. ]])
    """
    X = rows(X, least=1)
    if y is None:
        if priors is not None:
            raise ValueError("priors are probabilities of classes: give the classes y too.")
        return X.T @ X / len(X)
    classes, codes = class_codes(y)
    if len(codes) != len(X):
        raise ValueError(f"y must have {len(X)} entries, one for each row of X, got {len(codes)}.")
    counts = np.bincount(codes)
    shares = counts / len(X) if priors is None else check_distribution(priors, "priors", (len(classes),))
    return (X * (shares / counts)[codes][:, None]).T @ X  # pca-autocorrelation


def karhunen_loeve(
    X: ArrayLike, n_components: int | None = None, y: ArrayLike | None = None, priors: ArrayLike | None = None
) -> Axes:
    """Coordinates that lose least in the mean square when the rest is dropped; :eq:`pca-autocorrelation`.

    Without centring, as textbooks of pattern recognition have it. Of rows with mean 0 the axes are those of
    :class:`~notes_lib.reduction.pca.PCA`, and the eigenvalues have the divisor n.

    Parameters
    ----------
    X : (n, d) array
    n_components : int or None
        All d if None.
    y, priors
        As in :func:`autocorrelation`.

    Returns
    -------
    Axes
        Eigenvalues of the autocorrelation matrix, descending, and unit directions as rows. A row ``x`` has the new
        coordinates ``components @ x``.

    Raises
    ------
    ValueError, TypeError
        As :func:`autocorrelation`, and if ``n_components`` is not an integer from 1 to d.

    Notes
    -----
    O(n d^2 + d^3) time.

    Examples
    --------
    >>> karhunen_loeve([[3.0, 4.0], [-3.0, -4.0]], 1)
    Axes(eigenvalues=array([25.]), components=array([[0.6, 0.8]]))
    """
    R = autocorrelation(X, y, priors)
    return principal_axes(R, at_most(n_components, len(R), "n_features"))
