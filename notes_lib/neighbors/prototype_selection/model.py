"""Prototype selection as samplers with the contract of imbalanced-learn."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice, class_codes
from notes_lib.neighbors.prototype_selection.steps import Kind, hart_condense, multi_edit, wilson_edit
from notes_lib.numerics import RandomState, check_rng

Strategy = Literal["auto", "not minority", "majority", "not majority", "all"]


class Selector(BaseEstimator):
    """What the three samplers share: they choose rows in ``fit`` and return them from ``fit_resample``."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Selector:
        """Choose the rows.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type, of at least two classes.

        Raises
        ------
        TypeError, ValueError
            Bad data or parameter, one class; or no instance would be left.

        Warns
        -----
        UserWarning
            If a class loses its last instance, or if equal rows have different labels, so that no subset is consistent.
        """
        self._choose(X, y)
        return self

    def fit_resample(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, np.ndarray]:
        """Choose rows and return them with their labels; errors and warnings are those of ``fit``.

        Returns
        -------
        X_resampled : (n_new, d) array
        y_resampled : (n_new,) array
        """
        X, y = self._choose(X, y)
        return X[self.sample_indices_], y[self.sample_indices_]

    def _choose(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, np.ndarray]:
        X, y = validate_data(self, X, y, dtype=float)
        classes, codes = class_codes(y)
        chosen = self._select(X, codes)
        left = np.bincount(codes[chosen], minlength=len(classes))
        if not left.any():
            raise ValueError(
                "no instance would be left: the classes overlap everywhere, or they are too small to be edited."
            )
        if not left.all():
            warnings.warn(
                f"no instance is left of the classes {classes[left == 0].tolist()}: they are too small "
                "or overlap too much; keep them whole, or edit with fewer neighbours.", UserWarning, stacklevel=3,
            )  # fmt: skip
        self.sample_indices_: IntArray = chosen
        return X, y

    @abstractmethod
    def _select(self, X: FloatArray, codes: IntArray) -> IntArray:
        """Rows that stay."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def eligible(codes: IntArray, strategy: Strategy) -> np.ndarray:
    """For each row whether it may be removed: whether its class is one of those that the strategy names."""
    check_choice(strategy, "sampling_strategy", get_args(Strategy))
    counts = np.bincount(codes)
    if strategy == "all":
        return np.ones(len(codes), dtype=bool)
    if strategy in ("majority", "not majority"):
        return (codes == counts.argmax()) == (strategy == "majority")
    return codes != counts.argmin()


class EditedNearestNeighbours(Selector):
    """Remove instances that their neighbours classify wrong.

    Wilson's rule :eq:`prototype-selection-wilson` is ``sampling_strategy="all", kind_sel="mode"``. The defaults are
    those of imbalanced-learn: they clean away what lies near other classes and spare the smallest class.

    Parameters
    ----------
    sampling_strategy : {"auto", "not minority", "majority", "not majority", "all"}
        Classes that may lose instances; "auto" is "not minority". The neighbours may be of any class.
    n_neighbors : int
        Neighbours that vote, the instance itself not among them.
    kind_sel : {"all", "mode"}
        Whether all neighbours or the most frequent class among them must agree with the label.

    Attributes
    ----------
    sample_indices_ : array of int
        Rows that are kept, in their order. (imbalanced-learn lists the same rows class by class.)
    n_features_in_ : int

    Notes
    -----
    O(n^2 d) time. Source: Wilson (1972).

    Examples
    --------
    >>> editor = EditedNearestNeighbours(sampling_strategy="all", kind_sel="mode")
    >>> editor.fit_resample([[0], [1], [2], [3], [7], [8], [9]], [0, 0, 1, 0, 1, 1, 1])[1]
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(self, *, sampling_strategy: Strategy = "auto", n_neighbors: int = 3, kind_sel: Kind = "all") -> None:
        self.sampling_strategy, self.n_neighbors, self.kind_sel = sampling_strategy, n_neighbors, kind_sel

    def _select(self, X: FloatArray, codes: IntArray) -> IntArray:
        keep = ~eligible(codes, self.sampling_strategy)
        check_choice(self.kind_sel, "kind_sel", get_args(Kind))
        keep[wilson_edit(X, codes, self.n_neighbors, self.kind_sel)] = True
        return np.flatnonzero(keep)


class CondensedNearestNeighbour(Selector):
    """Store what the stored instances classify wrong, until 1-NN on them is right on all: Hart's rule.

    Hart's rule :eq:`prototype-selection-condense` is ``sampling_strategy="all"``; otherwise the classes that are not
    named are stored whole before the first pass.

    Parameters
    ----------
    sampling_strategy : {"auto", "not minority", "majority", "not majority", "all"}
        Classes that may lose instances; "auto" is "not minority".
    shuffle : bool
        Whether the rows come in a random order, not in that of the data. The result depends on the order.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    sample_indices_ : array of int
        Stored rows, in the order in which they were stored.
    n_features_in_ : int

    Notes
    -----
    O(n d s) time for s stored instances. imbalanced-learn's class of this name makes one pass for each class against
    the smallest class, so its result need not be consistent. Source: Hart (1968).

    Examples
    --------
    >>> X = [[0], [1], [2], [3], [7], [8], [9], [10]]
    >>> condenser = CondensedNearestNeighbour(sampling_strategy="all").fit(X, [0, 0, 0, 0, 1, 1, 1, 1])
    >>> condenser.sample_indices_
    array([0, 4])
    """

    def __init__(
        self, *, sampling_strategy: Strategy = "auto", shuffle: bool = False, random_state: RandomState = None
    ) -> None:
        self.sampling_strategy, self.shuffle, self.random_state = sampling_strategy, shuffle, random_state

    def _select(self, X: FloatArray, codes: IntArray) -> IntArray:
        whole = np.flatnonzero(~eligible(codes, self.sampling_strategy))
        rng = check_rng(self.random_state)
        order = rng.permutation(len(X)) if self.shuffle else np.arange(len(X))
        if len(np.unique(X, axis=0)) < len(np.unique(np.column_stack([X, codes]), axis=0)):
            warnings.warn(
                "X holds equal rows with different labels, so no subset is consistent: edit first, or remove them.",
                UserWarning, stacklevel=4,
            )  # fmt: skip
        return hart_condense(X, codes, order, whole if whole.size else None).store


class MultiEdit(Selector):
    """Edit in rounds, each instance by its nearest neighbour in another part of the data, until nothing changes.

    Repeats :eq:`prototype-selection-rounds`; see :func:`multi_edit`.

    Parameters
    ----------
    n_splits : int
        Parts of a round, at least 3.
    patience : int
        It ends after so many rounds in a row that remove nothing.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    sample_indices_ : array of int
        Rows that are kept, in their order.
    n_features_in_ : int

    Notes
    -----
    O(n^2 d / n_splits) time a round. Source: Devijver and Kittler (1982), section 3.11.

    Examples
    --------
    >>> X, y = np.r_[0.0:30.0, 100.0:130.0][:, None], np.repeat([0, 1], 30)
    >>> y[10] = 1
    >>> MultiEdit(random_state=0).fit_resample(X, y)[0].shape
    (59, 1)
    """

    def __init__(self, *, n_splits: int = 3, patience: int = 3, random_state: RandomState = None) -> None:
        self.n_splits, self.patience, self.random_state = n_splits, patience, random_state

    def _select(self, X: FloatArray, codes: IntArray) -> IntArray:
        return multi_edit(X, codes, self.n_splits, self.patience, self.random_state).kept
