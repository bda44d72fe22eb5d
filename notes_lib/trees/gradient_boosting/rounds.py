"""The rounds of boosting, which numbers and classes share: held-out rows, samples, trees, scores, importances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_positive, check_real
from notes_lib.numerics import check_rng
from notes_lib.trees.cart import DecisionTreeRegressor
from notes_lib.trees.cart.growth import grow_leaves, presort
from notes_lib.trees.cart.search import Rule
from notes_lib.trees.cart.structure import Tree
from notes_lib.trees.gradient_boosting.histogram import SecondOrder, bin_columns, grow_histogram
from notes_lib.trees.gradient_boosting.losses import Loss
from notes_lib.trees.random_forest.members import Members

TreeMethod = Literal["exact", "hist"]


class _Rows(NamedTuple):
    """Instances, their targets, weights and present scores."""

    X: FloatArray
    y: FloatArray
    w: FloatArray
    F: FloatArray


class Boosting(Members, BaseEstimator):
    """What both estimators share: the rounds, the scores after each of them, and the importances."""

    def _boost(self, X: FloatArray, y: FloatArray, w: FloatArray, loss: Loss) -> None:
        self._check()
        rng = check_rng(self.random_state)
        X, y, w = X[w > 0], y[w > 0], w[w > 0]
        held = self._held_out(y, rng)
        self.baseline_ = loss.start(y[~held], w[~held])
        train, test = (_Rows(X[s], y[s], w[s], np.tile(self.baseline_, (int(s.sum()), 1))) for s in (~held, held))
        plant = self._planter(train, loss)
        self.trees_: list[list[Tree]] = []
        train_score: list[float] = []
        validation: list[float] = []
        for _ in range(self.n_estimators):
            bag = train.w * self._drawn(len(train.w), rng)
            grown = plant(bag, train.F)
            for k, (tree, leaf) in enumerate(grown):
                train.F[:, k] += self.learning_rate * tree.value[leaf, 0]  # gradient-boosting-update
                if held.any():
                    test.F[:, k] += self.learning_rate * tree.value[tree.apply(test.X), 0]
            self.trees_.append([tree for tree, _ in grown])
            train_score.append(float(np.average(loss.loss(train.y, train.F, train.w), weights=train.w)))
            if held.any():
                validation.append(float(np.average(loss.loss(test.y, test.F, test.w), weights=test.w)))
                if self._stalls(validation):
                    break
        self.train_score_ = np.array(train_score)
        self.validation_score_ = np.array(validation)
        self.n_estimators_ = len(self.trees_)
        self.estimators_ = np.array([[self._member(tree) for tree in trees] for trees in self.trees_])

    def _member(self, tree: Tree) -> DecisionTreeRegressor:
        """A tree as an estimator of its own, which predicts what it adds to a score before the learning rate."""
        member = DecisionTreeRegressor(
            max_depth=self.max_depth, min_samples_split=self.min_samples_split, min_samples_leaf=self.min_samples_leaf
        )
        member.tree_, member.n_features_in_, member.max_features_ = tree, self.n_features_in_, self.n_features_in_
        return member

    def _check(self) -> None:
        check_positive(self.learning_rate, "learning_rate", "choose a step between 0 and 1, 0.1 for instance")
        check_integer(self.n_estimators, "n_estimators")
        check_integer(self.max_depth, "max_depth")
        check_integer(self.min_samples_split, "min_samples_split", 2)
        check_integer(self.min_samples_leaf, "min_samples_leaf")
        check_integer(self.max_bin, "max_bin", 2)
        check_choice(self.tree_method, "tree_method", ("exact", "hist"))
        for name in ("subsample", "validation_fraction"):
            if check_positive(getattr(self, name), name) > 1 or (name[0] == "v" and self.validation_fraction == 1):
                raise ValueError(f"{name} is a share of the rows, got {getattr(self, name)}: choose one below 1.")
        for name in ("reg_lambda", "gamma"):
            if check_real(getattr(self, name), name) > 0 and self.tree_method == "exact":
                raise ValueError(f"{name} belongs to the second-order objective: set tree_method='hist' to use it.")
        if self.n_iter_no_change is not None:
            check_integer(self.n_iter_no_change, "n_iter_no_change")
            check_real(self.tol, "tol")

    def _held_out(self, y: FloatArray, rng: np.random.Generator) -> Any:
        """Whether each row judges when to stop: none, or a share that is the same in every class."""
        held = np.zeros(len(y), dtype=bool)
        if self.n_iter_no_change is None:
            return held
        order = rng.permutation(len(y))
        if isinstance(self, ClassifierMixin):
            order = order[np.argsort(y[order], kind="stable")]
        held[order[np.diff(np.floor(np.arange(len(y) + 1) * self.validation_fraction)) > 0]] = True
        if not held.any() or (len(np.unique(y[~held])) < len(np.unique(y)) and isinstance(self, ClassifierMixin)):
            raise ValueError(
                f"validation_fraction={self.validation_fraction} of {len(y)} rows leaves nothing to judge by, or a "
                "class without training rows: give more rows, or another share."
            )
        return held

    def _drawn(self, n: int, rng: np.random.Generator) -> FloatArray:
        """1 for each row that takes part in a round, 0 for the others; no random number is drawn if all do."""
        if self.subsample == 1:
            return np.ones(n)
        drawn = np.zeros(n)
        drawn[rng.permutation(n)[: max(1, int(self.subsample * n))]] = 1.0
        return drawn

    def _stalls(self, scores: list[float]) -> bool:
        """Whether the last rounds have not lowered the best held-out loss by more than ``tol``."""
        last = int(self.n_iter_no_change)
        return len(scores) > last and min(scores[-last:]) > min(scores[:-last]) - self.tol

    def _planter(self, rows: _Rows, loss: Loss) -> Any:
        """A function that grows the trees of one round, after columns have been sorted, or cut into bins, once."""
        limits: dict[str, Any] = {
            "max_depth": self.max_depth, "min_samples_split": self.min_samples_split,
            "min_samples_leaf": self.min_samples_leaf,
        }  # fmt: skip
        if self.tree_method == "hist":
            binned, second = bin_columns(rows.X, self.max_bin), SecondOrder(self.reg_lambda, self.gamma, **limits)

            def by_bins(bag: FloatArray, F: FloatArray) -> list[tuple[Tree, IntArray]]:
                R, H = loss.residual(rows.y, F, bag), loss.curvature(rows.y, F, bag)
                return [grow_histogram(binned, -bag * R[:, k], bag * H[:, k], bag, second) for k in range(F.shape[1])]

            return by_bins
        sorted_once, rule = presort(rows.X), Rule("squared_error", **limits)

        def by_rows(bag: FloatArray, F: FloatArray) -> list[tuple[Tree, IntArray]]:
            R, found = loss.residual(rows.y, F, bag), []
            for k in range(F.shape[1]):
                tree, leaf = grow_leaves(sorted_once, R[:, [k]], bag, rule)  # gradient-boosting-projection
                leaf = leaf if bag.all() else tree.apply(rows.X)  # rows that were left out need one, too
                value = loss.leaf_values(rows.y, F, R, bag, k, leaf, tree.node_count)
                found.append((tree._replace(value=value[:, None]), leaf))
            return found

        return by_rows

    def _staged(self, X: ArrayLike) -> Iterator[FloatArray]:
        """Scores before the first round and after each one, always in the same array, (n, K)."""
        check_is_fitted(self, "trees_")
        X = validate_data(self, X, dtype=float, reset=False)
        F = np.tile(self.baseline_, (len(X), 1))
        yield F
        for trees in self.trees_:
            for k, tree in enumerate(trees):
                F[:, k] += self.learning_rate * tree.value[tree.apply(X), 0]
            yield F

    def _scores(self, X: ArrayLike) -> FloatArray:
        *_, F = self._staged(X)
        return F

    @property
    def feature_importances_(self) -> FloatArray:
        """Share of each feature in all gains, (d,) array, :eq:`gradient-boosting-importance`; zeros without one."""
        check_is_fitted(self, "trees_")
        total = np.zeros(self.n_features_in_)
        for tree in (tree for trees in self.trees_ for tree in trees):
            inner = ~tree.is_leaf
            np.add.at(total, tree.feature[inner], tree.gains()[inner] / tree.weighted_n_node_samples[0])
        return total / total.sum() if total.sum() > 0 else total
