"""Wilson's editing, multi-edit and Hart's condensing as functions on arrays, in the order of the derivation."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtrc

from notes_lib.checks import (
    FloatArray,
    IntArray,
    check_choice,
    check_indices,
    check_integer,
    check_matrix,
    check_numbers,
    class_codes,
)
from notes_lib.neighbors.nearest_neighbors import k_nearest
from notes_lib.numerics import RandomState, check_rng, squared_distances

Kind = Literal["all", "mode"]


class Edited(NamedTuple):
    """What :func:`multi_edit` kept.

    ``kept`` the rows that are left, in their order; ``removed`` how many each round took away.
    """

    kept: IntArray
    removed: IntArray


class Condensed(NamedTuple):
    """What :func:`hart_condense` stored.

    ``store`` the rows in the order in which they were stored; ``added`` how many each pass stored, the last one none.
    """

    store: IntArray
    added: IntArray


def vote(labels: ArrayLike, n_classes: int) -> IntArray:
    """Class with the most votes in each row; of classes with as many votes the smaller one.

    Parameters
    ----------
    labels : (m, k) array of int
        Classes 0 to ``n_classes - 1`` of the neighbours of each query.
    n_classes : int

    Returns
    -------
    (m,) array of int

    Notes
    -----
    O(m (k + K)) time.

    Examples
    --------
    >>> vote([[0, 1, 1], [2, 0, 1]], 3)
    array([1, 0])
    """
    labels = np.asarray(labels)
    counts = np.zeros((len(labels), n_classes), dtype=np.intp)
    np.add.at(counts, (np.arange(len(labels))[:, None], labels), 1)
    return counts.argmax(axis=1)


def wilson_edit(X: ArrayLike, y: ArrayLike, k: int = 3, kind: Kind = "mode") -> IntArray:
    """Rows that their ``k`` nearest other rows classify right.

    Implements :eq:`prototype-selection-wilson`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Labels of any type, of at least two classes.
    k : int
        Neighbours that vote, the instance itself not among them.
    kind : {"mode", "all"}
        Whether the class with the most votes has to be that of the instance, which is Wilson's rule, or all votes.

    Returns
    -------
    array of int
        The rows that are kept, in their order. All decisions are made on the whole set, so the order of the rows does
        not matter, except for ties.

    Raises
    ------
    TypeError, ValueError
        Bad data, one class, a ``kind`` that is none of the two, ``k`` < 1 or >= n.

    Notes
    -----
    O(n^2 (d + k)) time.

    Examples
    --------
    >>> wilson_edit([[0], [1], [2], [3], [7], [8], [9]], [0, 0, 1, 0, 1, 1, 1])
    array([0, 1, 3, 4, 5, 6])
    """
    X, codes = _labelled(X, y)
    check_choice(kind, "kind", get_args(Kind))
    if check_integer(k, "k") >= len(X):
        raise ValueError(f"k must be at most {len(X) - 1}, the number of other instances, got {k}.")
    around = codes[k_nearest(X, None, k).indices]  # (n, k)
    if kind == "all":
        return np.flatnonzero((around == codes[:, None]).all(axis=1))
    return np.flatnonzero(vote(around, codes.max() + 1) == codes)


def edited_posterior(eta: ArrayLike, k: int = 1, rounds: int = 1) -> FloatArray:
    """Posterior of class 1 among the instances that editing keeps, if the votes are independent of the instance.

    Implements :eq:`prototype-selection-posterior`, ``rounds`` times.

    Parameters
    ----------
    eta : array
        Posterior of class 1 before editing, between 0 and 1.
    k : int
        Odd number of votes.
    rounds : int
        How often the set is edited.

    Returns
    -------
    array shaped like ``eta``

    Raises
    ------
    TypeError, ValueError
        If ``eta`` is no probability, ``k`` is not odd, or ``rounds`` is negative.

    Examples
    --------
    >>> edited_posterior([0.2, 0.5, 0.8]).round(4)
    array([0.0588, 0.5   , 0.9412])
    """
    p = check_numbers(eta, "eta")
    if ((p < 0) | (p > 1)).any():
        raise ValueError("eta must hold probabilities between 0 and 1.")
    if check_integer(k, "k") % 2 == 0:
        raise ValueError(f"k must be odd, so that no vote is a draw, got {k}.")
    for _ in range(check_integer(rounds, "rounds", minimum=0)):
        A = bdtrc(k // 2, k, p)  # most of the k votes are for class 1
        p = p * A / (p * A + (1 - p) * (1 - A))
    return p


def edited_risk(eta: ArrayLike, k: int = 1, rounds: int = 1) -> FloatArray:
    """Limit of the conditional error of 1-NN on the edited set, where the posterior of class 1 is ``eta``.

    Implements :eq:`prototype-selection-risk`. Parameters and errors are those of :func:`edited_posterior`; with
    ``rounds=0`` it is the error of 1-NN on the whole set, ``2 eta (1 - eta)``.

    Examples
    --------
    >>> edited_risk([0.1, 0.5], rounds=0), edited_risk([0.1, 0.5]).round(4)
    (array([0.18, 0.5 ]), array([0.1098, 0.5   ]))
    """
    eta = check_numbers(eta, "eta")
    p = edited_posterior(eta, k, rounds)
    return eta * (1 - p) + (1 - eta) * p


def multi_edit(
    X: ArrayLike, y: ArrayLike, n_splits: int = 3, patience: int = 3, random_state: RandomState = None
) -> Edited:
    """Edit again and again, each instance by 1-NN in a part of the data that it does not belong to.

    A round divides what is left at random into ``n_splits`` parts, classifies part s by its nearest neighbours in part
    s + 1, the last part by the first one, and removes what is wrong: :eq:`prototype-selection-rounds`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Labels of any type, of at least two classes.
    n_splits : int
        At least 3: with 2 parts the instances of one would judge those that judge them.
    patience : int
        It ends after so many rounds in a row that remove nothing.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Edited

    Raises
    ------
    TypeError, ValueError
        Bad data, one class, fewer rows than parts, ``n_splits`` < 3, ``patience`` < 1.

    Notes
    -----
    O(n^2 d / n_splits) time a round. It also ends when fewer instances than parts are left.

    Examples
    --------
    >>> X, y = np.r_[0.0:30.0, 100.0:130.0][:, None], np.repeat([0, 1], 30)
    >>> y[10] = 1
    >>> run = multi_edit(X, y, random_state=0)
    >>> np.setdiff1d(np.arange(60), run.kept), run.removed
    (array([10]), array([1, 0, 0, 0]))
    """
    X, codes = _labelled(X, y)
    n_splits, patience = check_integer(n_splits, "n_splits", 3), check_integer(patience, "patience")
    if n_splits > len(X):
        raise ValueError(f"n_splits must be at most {len(X)}, the number of rows, got {n_splits}.")
    rng = check_rng(random_state)
    kept, removed = np.arange(len(X)), [len(X)]
    while any(removed[-patience:]) and len(kept) >= n_splits:
        parts = np.array_split(rng.permutation(kept), n_splits)
        judges = [*parts[1:], parts[0]]
        right = [
            part[codes[judge[k_nearest(X[judge], X[part], 1).indices[:, 0]]] == codes[part]]
            for part, judge in zip(parts, judges, strict=True)
        ]
        removed.append(len(kept) - sum(map(len, right)))
        kept = np.sort(np.concatenate(right))
    return Edited(kept, np.array(removed[1:]))


def hart_condense(
    X: ArrayLike, y: ArrayLike, order: ArrayLike | None = None, start: ArrayLike | None = None
) -> Condensed:
    """Store each instance that the stored ones classify wrong, pass after pass, until none is.

    Implements :eq:`prototype-selection-condense`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Labels of any type, of at least two classes.
    order : (n,) array of int, optional
        The order in which the rows come; that of the data by default. The result depends on it.
    start : array of int, optional
        Rows that are stored from the beginning; the first one that comes by default.

    Returns
    -------
    Condensed
        A consistent subset, :eq:`prototype-selection-consistent`, unless equal rows have different labels.

    Raises
    ------
    TypeError, ValueError
        Bad data, one class, an ``order`` that does not hold each row once, a ``start`` that names no row.

    Notes
    -----
    O(n d s) time for s stored instances. Of two stored instances at the same distance the older one decides.

    Examples
    --------
    >>> hart_condense([[0], [1], [2], [3], [7], [8], [9], [10]], [0, 0, 0, 0, 1, 1, 1, 1])
    Condensed(store=array([0, 4]), added=array([1, 0]))
    """
    X, codes = _labelled(X, y)
    n = len(X)
    order = np.arange(n) if order is None else check_indices(order, "order", n)
    if len(order) < n:
        raise ValueError(f"order must hold each of the {n} rows once, got {len(order)} of them.")
    first = order[:1] if start is None else check_indices(start, "start", n)
    place = np.empty(n, dtype=np.intp)
    place[order] = np.arange(n)
    grown = grow(X[order], codes[order], place[first].tolist())
    return Condensed(order[grown.store], grown.added)


def grow(X: FloatArray, codes: IntArray, start: list[int]) -> Condensed:
    """Hart's passes in the order of the rows; after each one that is stored the next wrong one is looked up."""
    store: list[int] = []
    distance, label = np.full(len(X), np.inf), np.full(len(X), -1)  # of the nearest stored instance
    wrong = np.ones(len(X), dtype=bool)

    def keep(i: int) -> None:
        store.append(i)
        d = squared_distances(X, X[i : i + 1])[:, 0]
        closer = d < distance
        distance[closer], label[closer] = d[closer], codes[i]
        np.not_equal(label, codes, out=wrong)
        wrong[store] = False  # a stored instance does not come again

    for i in start:
        keep(i)
    added: list[int] = []
    while not added or added[-1]:
        i, before = -1, len(store)
        while wrong[i + 1 :].any():
            i += 1 + int(wrong[i + 1 :].argmax())
            keep(i)  # prototype-selection-condense
        added.append(len(store) - before)
    return Condensed(np.array(store), np.array(added))


def inconsistent(X: ArrayLike, y: ArrayLike, store: ArrayLike) -> IntArray:
    """Rows that their nearest stored row classifies wrong: none, if ``store`` is a consistent subset.

    Tests :eq:`prototype-selection-consistent`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    store : array of int
        Rows of the subset.

    Returns
    -------
    array of int

    Raises
    ------
    TypeError, ValueError
        Bad data, one class, a ``store`` that names no row, or one twice.

    Notes
    -----
    O(n s d) time for s stored rows.

    Examples
    --------
    >>> inconsistent([[0], [1], [2], [3]], [0, 0, 1, 1], [0, 3])
    array([], dtype=int64)
    >>> inconsistent([[0], [1], [2], [3]], [0, 0, 1, 1], [0, 1])
    array([2, 3])
    """
    X, codes = _labelled(X, y)
    store = check_indices(store, "store", len(X))
    return np.flatnonzero(codes[store[k_nearest(X[store], X, 1).indices[:, 0]]] != codes)


def _labelled(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, IntArray]:
    X, y = check_matrix(X, "X"), np.asarray(y)
    if y.shape != (len(X),):
        raise ValueError(f"y must hold one label for each of the {len(X)} rows of X, got shape {y.shape}.")
    return X, class_codes(y)[1]
