"""What ensembles share: a list of members, seeds for them, bootstrap samples, the average, and its out-of-bag form."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_integer
from notes_lib.foundations.evaluation import accuracy_score
from notes_lib.theory.resampling import bootstrap_counts
from notes_lib.trees.decision_tree.model import LogShares
from notes_lib.trees.random_forest.steps import draws_of


class Members:
    """An ensemble as a sequence of its fitted members: ``len(model)``, ``model[i]``, ``for member in model``."""

    estimators_: Any

    def __len__(self) -> int:
        """Number of members, or of rounds."""
        check_is_fitted(self, "estimators_")
        return len(self.estimators_)

    def __getitem__(self, index: Any) -> Any:
        """The member with this number, or those of a slice."""
        check_is_fitted(self, "estimators_")
        return self.estimators_[index]

    def __iter__(self) -> Iterator[Any]:
        """The members in the order in which they were fitted."""
        check_is_fitted(self, "estimators_")
        return iter(self.estimators_)


def seed(member: Any, rng: np.random.Generator) -> None:
    """Give an estimator, and those inside it, as in a pipeline, a seed wherever they have a ``random_state``.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> trees = [DecisionTreeClassifier(), DecisionTreeClassifier()]
    >>> for tree in trees:
    ...     seed(tree, np.random.default_rng(0))
    >>> trees[0].random_state == trees[1].random_state
    True
    """
    names = [name for name in member.get_params() if f"__{name}".endswith("__random_state")]
    member.set_params(**{name: int(rng.integers(2**31)) for name in sorted(names)})


class Ensemble(Members, BaseEstimator):
    """What bagging and forests share: bootstrap samples, the average of the members, and its out-of-bag form."""

    bootstrap_counts_: IntArray
    _values: Callable[[Any, FloatArray], FloatArray]  # what one member predicts, (n, q) array

    def _draw(self, n: int, weight: FloatArray, rng: np.random.Generator) -> IntArray:
        """Counts (B, n) of the bootstrap samples."""
        B, size = check_integer(self.n_estimators, "n_estimators"), draws_of(self.max_samples, n)
        return np.array([bootstrap_counts(n, size, rng, weight) for _ in range(B)])

    def _average(self, X: ArrayLike) -> FloatArray:
        """Mean over the members, :eq:`random-forest-average`."""
        check_is_fitted(self)
        A = validate_data(self, X, dtype=float, reset=False)
        total = sum(self._values(member, A) for member in self.estimators_)
        return np.asarray(total / len(self.estimators_))

    def _out_of_bag(self, X: FloatArray, q: int) -> FloatArray:
        """Mean over the members that have not seen the row, :eq:`random-forest-oob`; NaN if all have seen it."""
        votes = (self.bootstrap_counts_ == 0).sum(axis=0)
        if not votes.any():
            raise ValueError("oob_score needs rows that some member has not seen: raise n_estimators.")
        if not votes.all():
            warnings.warn(
                f"{(votes == 0).sum()} rows are in every bootstrap sample and do not count in oob_score_: raise "
                "n_estimators.",
                UserWarning,
                stacklevel=4,
            )
        total = np.zeros((len(X), q))
        for member, count in zip(self.estimators_, self.bootstrap_counts_, strict=True):
            out = count == 0
            if out.any():
                total[out] += self._values(member, X[out])
        with np.errstate(invalid="ignore"):
            return np.asarray(total / votes[:, None])

    @property
    def estimators_samples_(self) -> list[IntArray]:
        """Rows of each bootstrap sample, repeated as often as they were drawn."""
        check_is_fitted(self)
        return [np.repeat(np.arange(len(count)), count) for count in self.bootstrap_counts_]


class Voting(LogShares, ClassifierMixin, Ensemble):
    """What the two classifiers share."""

    classes_: Any

    def _encode(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, IntArray]:
        X, y = validate_data(self, X, y, dtype=float)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        return X, codes

    def _score_out_of_bag(self, X: FloatArray, codes: IntArray) -> None:
        shares = self._out_of_bag(X, len(self.classes_))
        judged = ~np.isnan(shares[:, 0])
        self.oob_decision_function_ = shares
        self.oob_score_ = accuracy_score(codes[judged], shares[judged].argmax(axis=1))

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Mean of the shares that the members give to the classes, (n, K) array."""
        return self._average(X)

    def predict(self, X: ArrayLike) -> Any:
        """Class with the largest mean share, (n,) array; the first of equal ones."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]
