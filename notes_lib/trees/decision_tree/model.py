"""The estimators: ID3 for categories, C4.5 for categories, numbers and missing values."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import (
    _check_sample_weight,  # underlined, but what scikit-learn's guide for developers tells estimators to use
    check_is_fitted,
    validate_data,
)

from notes_lib.checks import FloatArray, check_choice, check_indices, check_integer, check_real, class_codes
from notes_lib.trees.decision_tree.columns import Column, is_missing, learn_column
from notes_lib.trees.decision_tree.growing import Stopping, follow, grow, select_split
from notes_lib.trees.decision_tree.steps import IMPURITIES


class LogShares:
    """What every classifier with ``predict_proba`` shares that has no better way to its logarithms."""

    predict_proba: Any

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Natural logarithms of :meth:`predict_proba`, (n, K) array; -inf where it is 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))


class _Tree(LogShares, ClassifierMixin, BaseEstimator):
    """A classifier that asks one question after another; the two algorithms differ in the rule that picks it."""

    max_depth: int | None
    min_samples_split: int
    max_impurity: float
    min_gain: float

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree, :eq:`decision-tree-stop`.

        Parameters
        ----------
        X : (n, d) array, list of rows or data frame
            Text or numbers in each column.
        y : (n,) array
            Labels of any type, of at least two classes.
        sample_weight : (n,) array, optional
            Not negative; a weight of 2 counts as the row twice.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; one class; all weights 0.
        """
        X, y = validate_data(self, _rows(X), y, dtype=None, ensure_all_finite="allow-nan")
        self.classes_, codes = class_codes(y)
        w = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        stopping = self._stopping()
        self.columns_ = self._columns(X)
        E = self._encode(X)
        used = w > 0
        numeric = [c.categories is None for c in self.columns_]
        kept = np.searchsorted(np.unique(codes[used]), codes[used])  # classes of weight 0 get no counts yet
        self.nodes_ = grow(E[used], kept, w[used], numeric, self._choose(), self._criterion(), stopping)
        self._widen(np.unique(codes[used]))
        return self

    def _widen(self, present: np.ndarray) -> None:
        """Counts of all classes, also of those whose weights are 0."""
        for node in self.nodes_:
            counts = np.zeros(len(self.classes_))
            counts[present] = node.counts
            node.counts = counts

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Shares (n, K) of the classes where each row ends; :eq:`decision-tree-leaf`.

        Raises
        ------
        TypeError, ValueError
            Bad data.
        """
        check_is_fitted(self)
        X = validate_data(self, _rows(X), dtype=None, ensure_all_finite="allow-nan", reset=False)
        return follow(self.nodes_, self._encode(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest share; the first in a tie."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def get_depth(self) -> int:
        """Questions on the longest way from the root to a leaf."""
        check_is_fitted(self)
        depth = [0] * len(self.nodes_)
        for here, node in enumerate(self.nodes_):  # parents come before their children
            for child in node.children.values():
                depth[child] = depth[here] + 1
        return max(depth)

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return sum(node.split is None for node in self.nodes_)

    def _stopping(self) -> Stopping:
        return Stopping(
            np.inf if self.max_depth is None else check_integer(self.max_depth, "max_depth", 0),
            check_integer(self.min_samples_split, "min_samples_split", 2),
            check_real(self.max_impurity, "max_impurity"),
            check_real(self.min_gain, "min_gain"),
        )

    def _encode(self, X: np.ndarray) -> FloatArray:
        columns = [column.encode(X[:, j], j) for j, column in enumerate(self.columns_)]
        return np.column_stack(columns)

    def _criterion(self) -> str:
        return "entropy"

    @abstractmethod
    def _columns(self, X: np.ndarray) -> list[Column]:
        """What is to be known of each feature."""

    @abstractmethod
    def _choose(self) -> Any:
        """The rule that picks a split."""


class ID3Classifier(_Tree):
    """Categories only, one branch for each value, the largest gain; :eq:`decision-tree-gain`.

    Parameters
    ----------
    criterion : {"entropy", "gini", "misclassification"}
        Entropy, in bits, is that of ID3; the others are there to be compared.
    max_depth : int or None
        Largest number of questions on a way; 0 gives the majority class.
    min_samples_split : int
        A node with fewer rows is a leaf.
    max_impurity : float
        A node whose impurity is at most this is pure enough to be a leaf.
    min_gain : float
        A node is a leaf if no split gains as much. With 0 a split that gains nothing is taken too, which XOR needs.

    Attributes
    ----------
    classes_ : (K,) array
    nodes_ : list of Node
        The root first, each parent before its children.
    columns_ : list of Column
        Categories of each feature.
    n_features_in_ : int

    Notes
    -----
    Every different value is a category, also of a number. A value without a branch, because no row of the node had it,
    gets the shares of that node. A feature with one value is never asked.

    Source: Quinlan (1986), Machine Learning 1, 81-106.

    Examples
    --------
    >>> rows = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "hot"]]
    >>> tree = ID3Classifier().fit(rows, ["no", "no", "yes", "yes"])
    >>> tree.predict([["rain", "cold"]])
    array(['yes'], dtype='<U3')
    """

    def __init__(
        self, *, criterion: str = "entropy", max_depth: int | None = None, min_samples_split: int = 2,
        max_impurity: float = 0.0, min_gain: float = 0.0,
    ) -> None:  # fmt: skip
        self.criterion, self.max_depth, self.min_samples_split = criterion, max_depth, min_samples_split
        self.max_impurity, self.min_gain = max_impurity, min_gain

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.classifier_tags.poor_score = True  # scikit-learn tries it on numbers, all of them different
        return tags

    def _criterion(self) -> str:
        check_choice(self.criterion, "criterion", tuple(IMPURITIES))
        return self.criterion

    def _choose(self) -> Any:
        return select_split

    def _columns(self, X: np.ndarray) -> list[Column]:
        return [learn_column(X[:, j], j, True) for j in range(X.shape[1])]

    def _encode(self, X: np.ndarray) -> FloatArray:
        for j in range(X.shape[1]):
            if is_missing(X[:, j]).any():
                raise ValueError(
                    f"column {j} of X holds NaN: give missing values a category of their own, or use C45Classifier."
                )
        return super()._encode(X)


class C45Classifier(_Tree):
    """Categories, numbers cut at a threshold, missing values; :eq:`decision-tree-ratio`, :eq:`decision-tree-missing`.

    Parameters
    ----------
    categorical_features : array of int or None
        Columns of numbers that are categories; columns of text always are.
    max_depth, min_samples_split, max_impurity, min_gain
        As in :class:`ID3Classifier`; impurity and gain in bits.

    Attributes
    ----------
    classes_, nodes_, columns_, n_features_in_
        As in :class:`ID3Classifier`; the categories of a number are None.

    Notes
    -----
    The largest gain ratio among the splits whose gain is at least the mean gain, :eq:`decision-tree-average-rule`. A
    row without the value that is asked goes down every branch, with weights in the shares of the branches. The tree is
    grown until its leaves are pure: pruning is a chapter of its own. The correction of Release 8 for many thresholds is
    left out.

    Source: Quinlan (1993), C4.5, chapters 2 and 3.

    Examples
    --------
    >>> rows = [["sun", 30], ["sun", 18], ["rain", None], ["rain", 12]]
    >>> tree = C45Classifier().fit(rows, ["no", "yes", "yes", "yes"])
    >>> tree.predict([["sun", 31], ["sun", 11]])
    array(['no', 'yes'], dtype='<U3')
    """

    def __init__(
        self, *, categorical_features: ArrayLike | None = None, max_depth: int | None = None,
        min_samples_split: int = 2, max_impurity: float = 0.0, min_gain: float = 0.0,
    ) -> None:  # fmt: skip
        self.categorical_features, self.max_depth = categorical_features, max_depth
        self.min_samples_split, self.max_impurity, self.min_gain = min_samples_split, max_impurity, min_gain

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags

    def _choose(self) -> Any:
        return partial(select_split, use_ratio=True)

    def _columns(self, X: np.ndarray) -> list[Column]:
        d = X.shape[1]
        named = self.categorical_features
        chosen = [] if named is None else check_indices(named, "categorical_features", d).tolist()
        return [learn_column(X[:, j], j, j in chosen) for j in range(d)]


def _rows(X: Any) -> Any:
    """A list of rows as objects, so that a number beside text stays a number."""
    return np.array(X, dtype=object) if isinstance(X, list | tuple) else X
