"""Summaries of a chunk and their merging, in the order of the chapter *Sufficient statistics at scale*."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.bayes.naive_bayes import gaussian
from notes_lib.checks import FloatArray, check_data, check_matrix
from notes_lib.foundations.linear_algebra import cholesky_solve
from notes_lib.foundations.linear_algebra.reduction import triangle
from notes_lib.linear import fisher_lda
from notes_lib.linear.linear_regression import centre


class RegressionSums(NamedTuple):
    """Number of rows, ``gram`` (d, d) and ``moment`` (d,): all that least squares needs of the rows."""

    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    gram: FloatArray
    moment: FloatArray


class Moments(NamedTuple):
    """Count or total weight, mean (d,) and scatter (d, d) about it; or an array of each, one entry for each group.

    A scatter with the shape of the means holds sums of squares, one for each column.
    """

    count: Any
    mean: FloatArray
    scatter: FloatArray


class ClassMoments(NamedTuple):
    """Moments of the rows of each class: ``classes`` (K,), ``counts`` (K,), ``means`` (K, d), ``scatter``.

    ``scatter`` is (K, d), or (d, d) where it is pooled: the sum over the classes, each about its own mean.
    """

    classes: np.ndarray
    counts: FloatArray
    means: FloatArray
    scatter: FloatArray
    pooled: bool


class Triangle(NamedTuple):
    """What least squares needs of rows, with all digits: ``R'R`` is the scatter of X, ``R'c`` that of X with y.

    ``count``, ``x_mean`` (d,), ``y_mean`` (m,), ``R`` (r, d) and ``c`` (r, m) with r at most d.
    """

    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    x_mean: FloatArray
    y_mean: FloatArray
    R: FloatArray
    c: FloatArray


def regression_sums(X: ArrayLike, y: ArrayLike) -> RegressionSums:
    """Sums of products of one chunk; :eq:`sufficient-statistics-sums`.

    Parameters
    ----------
    X : (n, d) array
        Design matrix, with a column of ones where the model has an intercept.
    y : (n,) array

    Raises
    ------
    ValueError
        If the shapes do not fit or a number is not finite.

    Notes
    -----
    O(n d^2) time.

    Examples
    --------
    >>> regression_sums([[1.0, 0.0], [1.0, 2.0]], [1.0, 3.0]).moment
    array([4., 6.])
    """
    X, y = check_data(X, y)
    return RegressionSums(len(X), X.T @ X, X.T @ y)  # sufficient-statistics-sums


def add_sums(a: RegressionSums, b: RegressionSums) -> RegressionSums:
    """Sums over both chunks; :eq:`sufficient-statistics-additive`, O(d^2) time.

    Examples
    --------
    >>> a, b = regression_sums([[1.0]], [2.0]), regression_sums([[3.0]], [4.0])
    >>> add_sums(a, b).gram
    array([[10.]])
    """
    return RegressionSums(a.count + b.count, a.gram + b.gram, a.moment + b.moment)


def solve_sums(sums: RegressionSums) -> FloatArray:
    """Weights (d,) from sums over all rows; :eq:`sufficient-statistics-normal`.

    Raises
    ------
    NotPositiveDefiniteError
        If ``gram`` is singular; a ``ValueError``. :func:`merge_triangles` is the way that needs no such matrix.

    Notes
    -----
    O(d^3) time. The condition number of ``gram`` is the square of that of X: half the digits are lost.

    Examples
    --------
    >>> solve_sums(regression_sums([[1.0, 0.0], [1.0, 2.0]], [1.0, 3.0])).round(12)
    array([1., 1.])
    """
    return cholesky_solve(sums.gram, sums.moment)  # sufficient-statistics-normal


def moments(X: ArrayLike, full: bool = True) -> Moments:
    """Count, mean and scatter of one chunk, in two passes; :eq:`sufficient-statistics-moments`.

    Parameters
    ----------
    X : (n, d) array
    full : bool
        Whether the scatter is a matrix (d, d), or only its diagonal (d,).

    Raises
    ------
    ValueError
        If ``X`` is no finite matrix with entries.

    Notes
    -----
    O(n d^2) time, O(n d) without ``full``.

    Examples
    --------
    >>> moments([[1.0], [3.0]])
    Moments(count=2, mean=array([2.]), scatter=array([[2.]]))
    """
    X = check_matrix(X, "X")
    D = X - X[0]  # first about a row, so that a large offset costs no digits
    shift = D.mean(axis=0)
    D -= shift
    return Moments(len(X), X[0] + shift, D.T @ D if full else np.einsum("nd,nd->d", D, D))


def merge_moments(a: Moments, b: Moments) -> Moments:
    """Moments of the rows of both; :eq:`sufficient-statistics-merge-mean`, :eq:`sufficient-statistics-merge-scatter`.

    Parameters
    ----------
    a, b : Moments
        Of one row or more, or of groups of rows, some of which may be empty (count and mean 0).

    Returns
    -------
    Moments

    Notes
    -----
    O(d^2) time a group. Nothing is subtracted but the means, so nothing cancels. Source: Chan, Golub and LeVeque
    (1983), equations 1.5 and 2.1.

    Examples
    --------
    >>> merge_moments(moments([[1.0], [3.0]]), moments([[8.0]]))
    Moments(count=3, mean=array([4.]), scatter=array([[26.]]))
    """
    n = a.count + b.count
    share = np.divide(b.count, n, out=np.zeros(np.shape(n)), where=np.asarray(n) > 0)[..., None]  # of b
    delta = b.mean - a.mean
    mean = a.mean + share * delta  # sufficient-statistics-merge-mean
    weight = np.asarray(a.count)[..., None] * share  # n_a n_b / n
    between = weight * delta * delta
    if a.scatter.ndim > a.mean.ndim:
        between = (weight * delta)[..., None] * delta[..., None, :]
    return Moments(n, mean, a.scatter + b.scatter + between)  # sufficient-statistics-merge-scatter


def class_moments(X: FloatArray, y: np.ndarray) -> ClassMoments:
    """Count, mean and sums of squares of each class of a chunk: the summary of naive Bayes.

    Implements :eq:`sufficient-statistics-classes`; arrays as :func:`~notes_lib.checks.check_matrix` returns them.

    Examples
    --------
    >>> class_moments(np.array([[0.0], [2.0], [5.0]]), np.array(["a", "a", "b"])).scatter.ravel()
    array([2., 0.])
    """
    classes, codes = np.unique(y, return_inverse=True)
    member = (codes == np.arange(len(classes))[:, None]).astype(float)
    return ClassMoments(classes, *gaussian.class_moments(X, member), pooled=False)


def pooled_moments(X: FloatArray, y: np.ndarray) -> ClassMoments:
    """Count and mean of each class of a chunk and one scatter for all: the summary of discriminant analysis.

    Implements :eq:`sufficient-statistics-pooled`.

    Examples
    --------
    >>> pooled_moments(np.array([[0.0], [2.0], [5.0]]), np.array(["a", "a", "b"])).scatter
    array([[2.]])
    """
    classes, codes = np.unique(y, return_inverse=True)
    found = fisher_lda.class_moments(X, codes, len(classes))
    return ClassMoments(classes, found.counts, found.xbar + found.offsets, found.S_w, pooled=True)


def merge_classes(a: ClassMoments, b: ClassMoments) -> ClassMoments:
    """Moments of the classes of two chunks, which need not hold the same classes; :eq:`sufficient-statistics-classes`.

    Raises
    ------
    ValueError
        If the labels of one are text and those of the other numbers.

    Notes
    -----
    O(K d) time, O(K d^2) for a pooled scatter; :eq:`sufficient-statistics-pooled`.

    Examples
    --------
    >>> a = class_moments(np.array([[0.0], [2.0]]), np.array(["a", "a"]))
    >>> b = class_moments(np.array([[4.0], [5.0]]), np.array(["a", "b"]))
    >>> merge_classes(a, b).means.ravel()
    array([2., 5.])
    """
    if (a.classes.dtype.kind in "US") != (b.classes.dtype.kind in "US"):
        raise ValueError("y holds text in some chunks and numbers in others: write all labels in one type.")
    classes = np.union1d(a.classes, b.classes)
    left, right = _spread(a, classes), _spread(b, classes)
    both = merge_moments(left, right)
    if not a.pooled:
        return ClassMoments(classes, *both, pooled=False)
    delta = right.mean - left.mean
    weight = np.divide(left.count * right.count, both.count)  # a class of the union has rows
    scatter = a.scatter + b.scatter + (weight * delta.T) @ delta  # sufficient-statistics-pooled
    return ClassMoments(classes, both.count, both.mean, scatter, pooled=True)


def _spread(part: ClassMoments, classes: np.ndarray) -> Moments:
    """The same with a row for each of ``classes``, empty where the part has no such class."""
    at = np.searchsorted(classes, part.classes)
    counts, means = np.zeros(len(classes)), np.zeros((len(classes), part.means.shape[1]))
    counts[at], means[at] = part.counts, part.means
    squares = np.zeros_like(means)
    if not part.pooled:
        squares[at] = part.scatter
    return Moments(counts, means, squares)


def triangle_of(X: FloatArray, y: FloatArray, intercept: bool = True) -> Triangle:
    """Means and triangle of one chunk, as :eq:`sufficient-statistics-triangle` has it.

    Parameters
    ----------
    X, y : (n, d) and (n, m) arrays
    intercept : bool
        Without one nothing is centred, and the means are 0.

    Notes
    -----
    O(n d^2) time, O(n d) memory.

    Examples
    --------
    >>> abs(triangle_of(np.array([[0.0], [3.0], [6.0]]), np.array([[1.0], [2.0], [6.0]])).R).round(4)
    array([[4.2426]])
    """
    chunk = centre(X, y, None, intercept)
    R, c = compact(chunk.X, chunk.y)
    flat = intercept & ~R.any(axis=0)  # the mean of a constant column is its number, without rounding
    chunk.x_mean[flat] = X[0, flat]
    return Triangle(len(X), chunk.x_mean, chunk.y_mean, R, c)


def merge_triangles(a: Triangle, b: Triangle) -> Triangle:
    """Means and triangle of both chunks; :eq:`sufficient-statistics-stack`.

    The difference of the means is one more row, with the weight that it has in :func:`merge_moments`.

    Notes
    -----
    O(d^3) time. Source: Demmel et al. (2012), section 3.

    Examples
    --------
    >>> X, y = np.array([[0.0], [3.0], [6.0]]), np.array([[1.0], [2.0], [6.0]])
    >>> merged = merge_triangles(triangle_of(X[:2], y[:2]), triangle_of(X[2:], y[2:]))
    >>> abs(merged.R).round(4)
    array([[4.2426]])
    """
    n = a.count + b.count
    share = b.count / n
    dx, dy = b.x_mean - a.x_mean, b.y_mean - a.y_mean
    root = np.sqrt(a.count * share)
    R, c = compact(np.vstack([a.R, b.R, root * dx]), np.vstack([a.c, b.c, root * dy]))  # sufficient-statistics-stack
    return Triangle(n, a.x_mean + share * dx, a.y_mean + share * dy, R, c)


def compact(X: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """At most d rows with the same products ``X'X`` and ``X'y``."""
    return triangle(X, y) if len(X) > X.shape[1] else (X, y)
