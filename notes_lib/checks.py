"""What an argument may be: types, and one check with one error text for each kind of argument.

A check returns the argument in the form in which the caller uses it, or raises an error that names the argument, what
was given and what to do. Checks that only one chapter needs stand beside it, in its own ``checks.py``.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.utils.multiclass import check_classification_targets

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]

FEW = 1000  # entries


def check_integer(value: Any, name: str, minimum: int = 1) -> int:
    """Return an integer that is at least ``minimum``; ``name`` is what to call it in an error message.

    Raises
    ------
    TypeError
        If ``value`` is not an integer (a bool or a float such as 2.0 is not).
    ValueError
        If it is less than ``minimum``.

    Examples
    --------
    >>> check_integer(np.int64(3), "max_iter")
    3
    """
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, got {value!r} of type {type(value).__name__}.")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}.")
    return int(value)


def _real(value: Any, name: str) -> float:
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {value!r} of type {type(value).__name__}.")
    return float(value)


def check_real(value: Any, name: str, minimum: float = 0.0) -> float:
    """Return a finite number that is at least ``minimum``; ``name`` is what to call it in an error message.

    Raises
    ------
    TypeError
        If ``value`` is not a real number (a bool or text is not).
    ValueError
        If it is NaN, infinite or less than ``minimum``.

    Examples
    --------
    >>> check_real(1, "tol")
    1.0
    """
    if not minimum <= _real(value, name) < np.inf:
        raise ValueError(f"{name} must be finite and at least {minimum:g}, got {value}.")
    return float(value)


def check_number(value: Any, name: str) -> float:
    """Return a finite number of either sign; ``name`` is what to call it in an error message.

    Raises
    ------
    TypeError
        If ``value`` is not a real number (a bool or text is not).
    ValueError
        If it is NaN or infinite.

    Examples
    --------
    >>> check_number(-1, "coef0")
    -1.0
    """
    if not np.isfinite(_real(value, name)):
        raise ValueError(f"{name} must be finite, got {value}.")
    return float(value)


def check_positive(value: Any, name: str, remedy: str = "") -> float:
    """Return a finite number above 0; ``name`` is what to call it in an error message, which ends with ``remedy``.

    Raises
    ------
    TypeError
        If ``value`` is not a real number (a bool or text is not).
    ValueError
        If it is NaN, infinite, negative or 0.

    Examples
    --------
    >>> check_positive(2, "gamma")
    2.0
    """
    if check_real(value, name) == 0:
        raise ValueError(f"{name} must be positive, got {value}{': ' if remedy else ''}{remedy}.")
    return float(value)


def check_choice(value: Any, name: str, choices: tuple[Any, ...]) -> None:
    """Raise ``ValueError`` for a value that is not among ``choices``; ``name`` is what to call it there."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {choices}, got {value!r}.")


def all_finite(values: FloatArray) -> bool:
    """Whether no entry is NaN or infinite: one pass over the sum, a second one only where this sum overflows.

    Of few entries each is looked at: to silence the warning of an overflow would cost more.

    Examples
    --------
    >>> all_finite(np.full(2 * FEW, 1e308)), all_finite(np.array([1.0, np.nan]))
    (True, False)
    """
    if values.size < FEW:
        return bool(np.isfinite(values).all())
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.sum()) or np.isfinite(values).all())


def check_finite(values: FloatArray, name: str) -> FloatArray:
    """Return ``values`` as they are, or raise ``ValueError`` if an entry is NaN or infinite."""
    if not all_finite(values):
        raise ValueError(f"{name} must be finite, it holds NaN or inf: remove or impute these entries.")
    return values


def _array(values: ArrayLike, name: str, kinds: str = "biufO", what: str = "numbers") -> NDArray[Any]:
    """An array of numbers, also of objects such as fractions, in its own dtype."""
    if issparse(values):
        raise TypeError(f"{name} must be a dense array, got a sparse one: use {name}.toarray().")
    V = np.asarray(values)
    if V.dtype.kind not in kinds:
        raise TypeError(f"{name} must hold {what}, got dtype {V.dtype}.")
    return V


def _floats(values: ArrayLike, name: str) -> FloatArray:
    """An array of floats; complex numbers would lose their imaginary part, and text names no argument."""
    return _array(values, name, what="real numbers").astype(float, copy=False)


def check_numbers(values: ArrayLike, name: str) -> FloatArray:
    """Return finite floats of the same shape, perhaps ``values`` itself; text and objects are a ``TypeError``."""
    return check_finite(_array(values, name, "biuf").astype(float, copy=False), name)


def check_counts(values: ArrayLike, name: str, upper: float = np.inf, what: str = "") -> FloatArray:
    """Return whole numbers from 0 to ``upper``, as floats of the same shape; ``what`` names them in the error.

    Raises
    ------
    TypeError, ValueError
        If the entries are no numbers, or one of them is negative, above ``upper``, no whole number, NaN or infinite.

    Examples
    --------
    >>> check_counts([0, 3], "k", upper=5)
    array([0., 3.])
    """
    counts = check_numbers(values, name)
    wrong = (counts < 0) | (counts > upper) | (counts != np.round(counts))
    if wrong.any():
        limit = "upwards" if upper == np.inf else f"to {upper:g}"
        what = what or f"counts, whole numbers from 0 {limit}"
        raise ValueError(f"{name} must hold {what}, got {counts[wrong][0]:g}.")
    return counts


def check_shape(values: ArrayLike, name: str, shape: tuple[int | None, ...]) -> FloatArray:
    """Return finite floats of a given shape, in which None stands for any length.

    Raises
    ------
    ValueError
        If the shape is another, or an entry is NaN or infinite.
    TypeError
        If it holds text or complex numbers.

    Examples
    --------
    >>> check_shape([[1, 2]], "means", (1, None))
    array([[1., 2.]])
    """
    V = _floats(values, name)
    if V.ndim != len(shape) or any(n is not None and n != m for n, m in zip(shape, V.shape, strict=True)):
        raise ValueError(f"{name} must have shape {str(shape).replace('None', 'd')}, got {V.shape}.")
    if not all_finite(V):
        raise ValueError(f"{name} must be finite, got NaN or infinity.")
    return V


def check_binary(values: ArrayLike, name: str) -> FloatArray:
    """Return a matrix of zeros and ones as floats; it may have no entries.

    Raises
    ------
    TypeError, ValueError
        If it is no matrix of finite numbers, or an entry is neither 0 nor 1.

    Examples
    --------
    >>> check_binary([[True, False]], "A")
    array([[1., 0.]])
    """
    return check_counts(check_shape(values, name, (None, None)), name, 1, "0 or 1")


def check_vector(values: ArrayLike, name: str, size: int | None = None) -> FloatArray:
    """Return a (d,) array of finite floats, of the given size if there is one, else with at least one entry.

    Raises
    ------
    ValueError
        If the shape is another, or an entry is NaN or infinite.
    TypeError
        If it holds text or complex numbers.

    Examples
    --------
    >>> check_vector([1, 2], "mean")
    array([1., 2.])
    """
    v = _floats(values, name)
    if v.ndim != 1 or (v.size == 0 if size is None else v.size != size):
        length = "d" if size is None else size
        raise ValueError(f"{name} must be a vector of shape ({length},), got shape {v.shape}: ravel a matrix.")
    return check_finite(v, name)


def check_matrix(values: ArrayLike, name: str, square: bool = False) -> FloatArray:
    """Return a matrix of finite floats with at least one entry, square if that is asked for.

    Raises
    ------
    ValueError
        If it is no such matrix, or an entry is NaN or infinite.
    TypeError
        If it holds text or complex numbers.

    Examples
    --------
    >>> check_matrix([[1, 2]], "X")
    array([[1., 2.]])
    """
    A = _floats(values, name)
    if A.ndim != 2 or A.size == 0 or (square and A.shape[0] != A.shape[1]):
        raise ValueError(f"{name} must be a {'square ' if square else ''}matrix with entries, got shape {A.shape}.")
    return check_finite(A, name)


def check_data(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return a matrix of finite floats, and a vector with one entry for each of its rows.

    Raises
    ------
    ValueError
        If ``X`` is no such matrix, the length of ``y`` is another, or an entry is NaN or infinite.
    TypeError
        If it holds text or complex numbers.

    Examples
    --------
    >>> check_data([[1, 2]], [3])
    (array([[1., 2.]]), array([3.]))
    """
    X = check_matrix(X, "X")
    return X, check_vector(y, "y", len(X))


def check_indices(values: ArrayLike, name: str, n: int) -> IntArray:
    """Return numbers of some of ``n`` things: at least one, none twice, in the order given; an integer counts too.

    Raises
    ------
    ValueError
        If they are not integers from 0 to n - 1, all different.

    Examples
    --------
    >>> check_indices(2, "given", 3)
    array([2])
    """
    i = np.atleast_1d(np.asarray(values))
    if i.ndim != 1 or i.dtype.kind not in "iu" or i.size == 0:
        raise ValueError(f"{name} must hold at least one integer from 0 to {n - 1}, got {values!r}.")
    if len(np.unique(i)) < i.size or i.min() < 0 or i.max() >= n:
        raise ValueError(f"{name} must hold different integers from 0 to {n - 1}, got {i.tolist()}.")
    return i


def check_codes(values: ArrayLike, name: str, n: int, k: int) -> IntArray:
    """Return ``n`` integers from 0 to k - 1: the numbers of clusters, classes or states, one for each instance.

    Raises
    ------
    ValueError
        If the shape is not (n,), or an entry is no such integer.

    Examples
    --------
    >>> check_codes([0, 1, 1], "labels", 3, 2)
    array([0, 1, 1])
    """
    codes = np.asarray(values)
    if codes.shape != (n,) or codes.dtype.kind not in "iu":
        raise ValueError(f"{name} must be {n} integers, one for each instance, got {codes.dtype} {codes.shape}.")
    if codes.min() < 0 or codes.max() >= k:
        raise ValueError(f"{name} must lie in 0..{k - 1}, got {codes.min()}..{codes.max()}.")
    return codes.astype(np.intp)


def check_signs(values: ArrayLike, name: str = "y") -> FloatArray:
    """Return a vector of the labels -1 and +1 as floats.

    Raises
    ------
    ValueError
        If it is no vector, or holds anything else.

    Examples
    --------
    >>> check_signs([1, -1])
    array([ 1., -1.])
    """
    y = np.asarray(values)
    if y.ndim != 1 or not np.isin(y, (-1, 1)).all():
        raise ValueError(f"{name} must be a vector of -1 and 1: map the two classes to these numbers.")
    return y.astype(float)


def check_labels(**vectors: ArrayLike) -> list[NDArray[Any]]:
    """Return vectors of labels of one length and one kind; the keywords name them in error messages.

    Labels are whole numbers, booleans or text. A single column is taken as a vector.

    Raises
    ------
    ValueError
        If one is no vector with at least one entry, or holds NaN, fractions, None, or text beside numbers; if the
        lengths differ; if one vector holds text and another one numbers.

    Examples
    --------
    >>> check_labels(y_true=["b", "a"], y_pred=[["a"], ["a"]])[1]
    array(['a', 'a'], dtype='<U1')
    """
    arrays = [_labels(values, name) for name, values in vectors.items()]
    names = " and ".join(vectors)
    if len({len(a) for a in arrays}) > 1:
        raise ValueError(f"{names} must have one length, got {' and '.join(str(len(a)) for a in arrays)}.")
    if len({a.dtype.kind in "US" for a in arrays}) > 1:
        raise ValueError(f"Mix of label input types (string and number) in {names}: write all labels in one type.")
    return arrays


def check_symmetric(A: ArrayLike, name: str, rtol: float = 1e-8) -> FloatArray:
    """Return a symmetric matrix as floats; ``name`` is what to call it in an error message.

    Raises
    ------
    ValueError
        If ``A`` is not square, not finite, or not symmetric; names the remedy. Entries ``a_ij`` and ``a_ji`` may differ
        by ``rtol`` of themselves or of the root of ``a_ii a_jj``, whatever the units of the variables, and by rounding
        errors of the largest entry.
    TypeError
        If it holds text or complex numbers.

    Examples
    --------
    >>> check_symmetric([[2, 1], [1, 3]], "A")
    array([[2., 1.],
           [1., 3.]])
    """
    A = _floats(A, name)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"{name} must be a square matrix, got shape {A.shape}.")
    check_finite(A, name)
    if (A == A.T).all():  # the usual case, and quick
        return A
    root = np.sqrt(np.abs(np.diag(A)))
    size = np.maximum(np.abs(A), np.outer(root, root))
    rounding = 10 * len(A) * np.finfo(float).eps * np.abs(A).max()
    if not (np.abs(A - A.T) <= np.maximum(rtol * size, rounding)).all():
        raise ValueError(f"{name} must be symmetric: average it with its transpose if rounding is the cause.")
    return A


def check_distribution(
    values: ArrayLike, name: str, shape: tuple[int, ...] | None = None, positive: bool = False
) -> FloatArray:
    """Return ``values`` as floats whose last axis holds probabilities: finite, non-negative, with sum 1.

    Parameters
    ----------
    values : array_like
        One distribution, or one in each row.
    name : str
        What to call it in an error message.
    shape : tuple of int, optional
        The shape that it must have.
    positive : bool
        Whether a probability of 0 is refused too.

    Raises
    ------
    TypeError
        If it holds text.
    ValueError
        If the shape is another, or a row is not a distribution. Names the row. Sums may be off by 1e-8, and in single
        or half precision by the K roundings that K probabilities of that precision bring with them.

    Examples
    --------
    >>> check_distribution([[0.5, 0.5], [0, 1]], "transmat")
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    given = _array(values, name)
    P = np.array(given, dtype=float)  # a copy: what a model keeps does not change with what it was given
    if P.ndim == 0 or P.size == 0 or (shape is not None and P.shape != shape):
        raise ValueError(f"{name} must have shape {shape or '(K,) or (n, K)'}, got {P.shape}.")
    rounding = P.shape[-1] * float(np.finfo(given.dtype).eps) if given.dtype.kind == "f" else 0.0
    off = np.abs(P.sum(axis=-1) - 1)
    wrong = ~(np.isfinite(P) & (P > 0 if positive else P >= 0)).all(axis=-1) | ~(off <= 1e-8 + rounding)
    for index in np.argwhere(wrong)[:1]:
        row = tuple(int(i) for i in index)
        where = f"row {', '.join(map(str, row))} of {name}" if row else name
        raise ValueError(
            f"{where} must be {'positive' if positive else 'non-negative'} and sum to 1, got {P[row].tolist()}: "
            "divide counts by their sum."
        )
    return P


def class_codes(y: ArrayLike) -> tuple[NDArray[Any], IntArray]:
    """Sorted classes, and the position of each label among them.

    Parameters
    ----------
    y : (n,) array
        Labels of any type.

    Returns
    -------
    classes : (K,) array
    codes : (n,) array of int
        ``classes[codes]`` is ``y``.

    Raises
    ------
    ValueError
        If the labels are not those of a classification, or there are fewer than two classes.

    Examples
    --------
    >>> class_codes(["b", "a", "b"])[1]
    array([1, 0, 1])
    """
    plain = isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "biuUS"
    if not plain:
        check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if plain and 2 * len(classes) > len(codes):
        check_classification_targets(y)  # warns: so many classes may be the targets of a regression
    if len(classes) < 2:
        raise ValueError(f"y must hold at least two classes, got {len(classes)} class.")
    return classes, codes


def _labels(values: ArrayLike, name: str) -> NDArray[Any]:
    a = np.asarray(values)
    if a.dtype.kind == "O":  # as pandas hands out text
        a = _one_type(a, name)
    if a.ndim == 2 and a.shape[1] == 1:
        a = a[:, 0]
    if a.ndim != 1 or a.size == 0:
        raise ValueError(f"{name} must be a vector of at least one label, got shape {a.shape}.")
    if a.dtype.kind not in "biufUS":
        raise ValueError(f"{name} must hold numbers or text as labels, got dtype {a.dtype}.")
    if a.dtype.kind == "f" and not np.isfinite(a).all():
        wrong = "NaN" if np.isnan(a).any() else "infinity or a value too large for a float"
        raise ValueError(f"Input {name} contains {wrong}, which is no label: remove these instances.")
    if a.dtype.kind == "f" and (a != np.round(a)).any():
        raise ValueError(f"{name} holds fractions, which are no labels: compare scores with a threshold first.")
    return a


def _one_type(a: NDArray[Any], name: str) -> NDArray[Any]:
    values = a.tolist()
    flat = a.ravel().tolist()
    if any(v is None for v in flat) or len({isinstance(v, str) for v in flat}) > 1:
        raise ValueError(f"{name} mixes text with numbers or None: write all labels in one type.")
    return np.array(values)
