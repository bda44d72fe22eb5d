"""Ways to divide data: folds, stratified folds, one split."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _num_samples

from notes_lib.checks import IntArray, check_integer
from notes_lib.foundations.cross_validation.checks import Split, apportion, check_sizes
from notes_lib.numerics import RandomState, check_rng


@dataclass(frozen=True)
class KFold:
    """K folds of consecutive instances, each the test part once; :eq:`cross-validation-fold-sizes`.

    Parameters
    ----------
    n_splits : int
        Number of folds K, at least 2.
    shuffle : bool
        Whether to shuffle the instances first. Data sorted by class need it; in a series in time it would put
        neighbours, which are nearly copies, on both sides of a split.
    random_state : int, Generator, RandomState or None
        Seed of the shuffle; refused without it.

    Raises
    ------
    ValueError
        If ``n_splits`` is less than 2, or ``random_state`` is given without ``shuffle``.

    Examples
    --------
    >>> [test.tolist() for _, test in KFold(3).split(range(7))]
    [[0, 1, 2], [3, 4], [5, 6]]
    """

    n_splits: int = 5
    _: KW_ONLY
    shuffle: bool = False
    random_state: RandomState = None

    def __post_init__(self) -> None:
        check_integer(self.n_splits, "n_splits", 2)
        if self.random_state is not None and not self.shuffle:
            raise ValueError("random_state has no effect without shuffle=True: set it, or leave random_state at None.")

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return K; the arguments are ignored."""
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Yield K pairs of index arrays ``(train, test)``, both ascending.

        Parameters
        ----------
        X : array, list or table of n rows
        y, groups : ignored

        Raises
        ------
        ValueError
            If there are more folds than instances.
        """
        n = _num_samples(X)
        if self.n_splits > n:
            raise ValueError(
                f"n_splits={self.n_splits} folds need as many instances, got n_samples = {n}: lower n_splits."
            )
        order = np.arange(n)
        if self.shuffle:
            check_rng(self.random_state).shuffle(order)
        sizes = np.full(self.n_splits, n // self.n_splits)
        sizes[: n % self.n_splits] += 1  # cross-validation-fold-sizes
        fold = np.empty(n, dtype=int)
        fold[order] = np.repeat(np.arange(self.n_splits), sizes)
        return _each_fold(fold, self.n_splits)


@dataclass(frozen=True)
class StratifiedKFold(KFold):
    """K folds in each of which every class has nearly its share; parameters as in :class:`KFold`.

    The instances of a class keep their order, or are shuffled among the places of their class.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1]
    >>> [test.tolist() for _, test in StratifiedKFold(2).split(y, y)]
    [[0, 1, 4], [2, 3, 5]]
    """

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Yield K pairs of index arrays ``(train, test)``, both ascending.

        Parameters
        ----------
        X : array, list or table of n rows
        y : (n,) array
            Classes.
        groups : ignored

        Raises
        ------
        ValueError
            If ``y`` is missing, is no vector of classes or has another length than ``X``; if each class has fewer
            instances than there are folds.
        """
        if y is None or type_of_target(y) not in ("binary", "multiclass"):
            raise ValueError("y must be a vector of classes for stratified folds: use KFold for numbers.")
        indexable(X, y)
        _, first, codes, counts = np.unique(np.ravel(y), True, True, True)
        codes = np.argsort(np.argsort(first))[codes]  # classes in order of appearance, as scikit-learn numbers them
        if self.n_splits > counts.max():
            raise ValueError(
                f"n_splits={self.n_splits} exceeds every class, the largest has {counts.max()} "
                f"(n_samples = {len(codes)}): lower it."
            )
        if self.n_splits > counts.min():
            warnings.warn(
                f"the smallest class has {counts.min()} instances, fewer than n_splits={self.n_splits}: some folds "
                "lack it.",
                UserWarning,
                stacklevel=2,
            )
        K = self.n_splits
        dealt = np.sort(codes)  # like cards, one to each fold in turn
        rng = check_rng(self.random_state) if self.shuffle else None
        fold = np.empty(len(codes), dtype=int)
        for c in range(len(counts)):
            places = np.repeat(np.arange(K), [np.count_nonzero(dealt[k::K] == c) for k in range(K)])
            fold[codes == c] = places if rng is None else rng.permutation(places)
        return _each_fold(fold, K)


@dataclass(frozen=True)
class LeaveOneOut:
    """As many folds as instances: each is the test part once, :eq:`cross-validation-k-fold` with K = N.

    Examples
    --------
    >>> [test.tolist() for _, test in LeaveOneOut().split([5, 6, 7])]
    [[0], [1], [2]]
    """

    def get_n_splits(self, X: Any, y: Any = None, groups: Any = None) -> int:
        """Return the number of rows of ``X``."""
        return int(_num_samples(X))

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Yield n pairs of index arrays ``(train, test)``; ``X`` of at least two rows, or a ``ValueError``."""
        n = _num_samples(X)
        if n < 2:
            raise ValueError(f"X needs at least two instances to leave one out, got {n}.")
        return _each_fold(np.arange(n), n)


def _each_fold(fold: IntArray, K: int) -> Iterator[Split]:
    for k in range(K):
        yield Split(np.flatnonzero(fold != k), np.flatnonzero(fold == k))


def train_test_split(
    *arrays: Any,
    test_size: float | None = None,
    train_size: float | None = None,
    random_state: RandomState = None,
    shuffle: bool = True,
    stratify: ArrayLike | None = None,
) -> list[Any]:
    """Split each of several arrays into a training and a test part, all at the same places.

    Parameters
    ----------
    *arrays : arrays, lists or tables of n rows
    test_size, train_size : int, float or None
        A number of instances, or a share (rounded up for the test part, down for the training part). One that is None
        is the rest; both None: 0.25 for the test part.
    random_state : int, Generator, RandomState or None
        Seed of the shuffle.
    shuffle : bool
        Whether to draw at random; otherwise the last instances are the test part.
    stratify : (n,) or (n, m) array or None
        Classes that keep their shares in both parts, up to rounding; of a matrix each different row is a class.

    Returns
    -------
    list
        ``a_train, a_test, b_train, b_test, ...``

    Raises
    ------
    ValueError
        If lengths differ or nothing is given; if a size leaves a part empty or the two exceed n; with ``stratify``, if
        ``shuffle`` is off, a class has one instance only, or a part has fewer instances than there are classes.
    TypeError
        If a size is no number.

    Examples
    --------
    >>> train_test_split([1, 2, 3, 4, 5], test_size=2, shuffle=False)
    [[1, 2, 3], [4, 5]]
    """
    if not arrays:
        raise ValueError("give at least one array to split.")
    arrays = tuple(indexable(*arrays))
    n = _num_samples(arrays[0])
    sizes = check_sizes(n, test_size, train_size)
    if not shuffle:
        if stratify is not None:
            raise ValueError("stratify needs shuffle=True: without it the parts are simply the first and the last.")
        train, test = np.arange(sizes.train), np.arange(sizes.train, sizes.train + sizes.test)
    elif stratify is None:
        order = check_rng(random_state).permutation(n)
        test, train = order[: sizes.test], order[sizes.test : sizes.test + sizes.train]
    else:
        indexable(arrays[0], stratify)
        train, test = _stratified(np.asarray(stratify), sizes.train, sizes.test, check_rng(random_state))
    return [_safe_indexing(a, part) for a in arrays for part in (train, test)]


def _stratified(y: Any, n_train: int, n_test: int, rng: np.random.Generator) -> Split:
    y = y if y.ndim == 1 else np.unique(y, axis=0, return_inverse=True)[1].ravel()
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if counts.min() < 2:
        raise ValueError(
            f"stratify: class {classes[counts.argmin()]!r} has one instance, which cannot be on both sides."
        )
    if min(n_train, n_test) < len(classes):
        raise ValueError(f"stratify: {len(classes)} classes do not fit into {min(n_train, n_test)} instances.")
    train_counts = apportion(counts, n_train)
    test_counts = apportion(counts - train_counts, n_test)
    train, test = [], []
    for c in range(len(classes)):
        members = rng.permutation(np.flatnonzero(codes == c))
        train.append(members[: train_counts[c]])
        test.append(members[train_counts[c] : train_counts[c] + test_counts[c]])
    return Split(rng.permutation(np.concatenate(train)), rng.permutation(np.concatenate(test)))
