"""One rule for each leaf, and fewer, shorter rules: a condition goes if the pessimistic error does not rise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from notes_lib.checks import FloatArray, check_matrix
from notes_lib.trees.cart.prices import TIE
from notes_lib.trees.decision_tree import Rule
from notes_lib.trees.pruning.costs import pessimistic_rate

Bounds = dict[int, tuple[float, float]]


class LeafRule(NamedTuple):
    """IF every feature in ``bounds`` lies above its first and at most at its second number THEN the label.

    ``weight`` counts the instances that fulfil the conditions, ``errors`` those of them with another label.
    """

    bounds: Bounds
    label: Any
    weight: float
    errors: float

    def covers(self, X: FloatArray) -> Any:
        """Whether each row fulfils all conditions, (n,) array of bool."""
        inside = np.ones(len(X), dtype=bool)
        for j, (low, high) in self.bounds.items():
            inside &= (X[:, j] > low) & (X[:, j] <= high)
        return inside

    @property
    def conditions(self) -> list[tuple[int, int, float]]:
        """Feature, side (0: above, 1: at most) and threshold of each condition."""
        return [(j, k, v) for j, pair in self.bounds.items() for k, v in enumerate(pair) if np.isfinite(v)]

    def without(self, feature: int, side: int) -> Bounds:
        """The bounds with one condition less."""
        pair = list(self.bounds[feature])
        pair[side] = np.inf if side else -np.inf
        rest = self.bounds | {feature: (pair[0], pair[1])}
        return {j: p for j, p in rest.items() if p != (-np.inf, np.inf)}

    def text(self, feature_names: Sequence[str] | None = None, digits: int = 3) -> str:
        """The rule in words; features are called ``x0``, ``x1``, ... without names."""
        said = []
        for j, side, value in self.conditions:
            name = f"x{j}" if feature_names is None else feature_names[j]
            said.append(f"{name} {'<=' if side else '>'} {value:.{digits}g}")
        return str(Rule(tuple(said), self.label, self.weight, 1 - self.errors / self.weight))


class RuleList(NamedTuple):
    """Rules in the order in which they are asked; the first that covers a row decides, else ``default``."""

    rules: tuple[LeafRule, ...]
    default: Any

    def predict(self, X: ArrayLike) -> Any:
        """Label of each row, (n,) array."""
        X = check_matrix(X, "X")
        labels, first = np.array([*(rule.label for rule in self.rules), self.default]), np.full(len(X), -1)
        for k in range(len(self.rules))[::-1]:  # earlier rules overwrite later ones
            first[self.rules[k].covers(X)] = k
        return labels[first]


def extract_rules(model: Any) -> list[LeafRule]:
    """One rule for each leaf, from left to right; of several conditions on one side of a feature the tightest.

    Parameters
    ----------
    model : DecisionTreeClassifier
        Fitted, also pruned.

    Returns
    -------
    list of LeafRule
        Weights and errors are those of the training instances of the leaf.

    Raises
    ------
    sklearn.exceptions.NotFittedError, TypeError
        If the model is not fitted or has no classes.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["no", "yes", "yes", "yes"])
    >>> [rule.text(["age"]) for rule in extract_rules(model)]
    ['IF age <= 1.5 THEN no', 'IF age > 1.5 THEN yes']
    """
    check_is_fitted(model, "tree_")
    if not hasattr(model, "classes_"):
        raise TypeError("model must be a classifier, its rules name classes: group the targets of a regressor first.")
    tree, found = model.tree_, []
    way: dict[int, Bounds] = {0: {}}
    for t in range(tree.node_count):  # parents come before their children, and leaves from left to right
        if tree.is_leaf[t]:
            weight, best = float(tree.weighted_n_node_samples[t]), int(tree.value[t].argmax())
            errors = max(0.0, weight * (1 - float(tree.value[t, best])))
            found.append(LeafRule(way[t], model.classes_[best].item(), weight, errors))
            continue
        j, s = int(tree.feature[t]), float(tree.threshold[t])
        low, high = way[t].get(j, (-np.inf, np.inf))
        way[int(tree.children_left[t])] = way[t] | {j: (low, s)}  # a later test of a path is the tighter one
        way[int(tree.children_right[t])] = way[t] | {j: (s, high)}
    return found


def simplify_rules(rules: Sequence[LeafRule], X: ArrayLike, y: ArrayLike, confidence: float = 0.25) -> RuleList:
    """Drop conditions while the pessimistic error of a rule does not rise, then rules that save no training error.

    Parameters
    ----------
    rules : sequence of LeafRule
    X : (n, d) array
        Training instances.
    y : (n,) array
    confidence : float
        As in :func:`pessimistic_rate`.

    Returns
    -------
    RuleList
        The rules of the smallest bounds :eq:`pruning-exact-bound` first; the default is the most frequent label among
        the instances that no rule covers, or of all.

    Raises
    ------
    TypeError, ValueError
        If there are no rules, the lengths differ, or the confidence is not in (0, 1).

    Notes
    -----
    The plan of C4.5 (Quinlan, 1993, chapter 5), without its choice among the rules of a class by description length.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> X, y = [[1], [2], [3], [4]], ["no", "yes", "yes", "yes"]
    >>> short = simplify_rules(extract_rules(DecisionTreeClassifier().fit(X, y)), X, y)
    >>> [rule.text() for rule in short.rules], short.default
    (['IF x0 > 1.5 THEN yes'], 'no')
    """
    X, y = check_matrix(X, "X"), np.asarray(y)
    if not rules or y.shape != (len(X),):
        raise ValueError(
            f"rules must not be empty and y must have {len(X)} entries, got {len(rules)} rules, {y.shape}."
        )
    counted = [_counted(rule.bounds, rule.label, X, y) for rule in rules]
    shorter = [_shorten(rule, X, y, confidence) for rule in counted if rule.weight]
    different = {(r.label, tuple(sorted(r.bounds.items()))): r for r in shorter}
    ordered = sorted(different.values(), key=lambda r: (_rate(r, confidence), len(r.conditions)))
    kept = tuple(ordered)
    for rule in ordered[::-1]:  # the worst ones first
        fewer = tuple(r for r in kept if r is not rule)
        if _errors(fewer, X, y) <= _errors(kept, X, y):
            kept = fewer
    return RuleList(kept, _default(kept, X, y))


def _rate(rule: LeafRule, confidence: float) -> float:
    return float(pessimistic_rate(rule.errors, rule.weight, confidence))


def _counted(bounds: Bounds, label: Any, X: FloatArray, y: Any) -> LeafRule:
    rule = LeafRule(bounds, label, 0.0, 0.0)
    inside = rule.covers(X)
    return rule._replace(weight=float(inside.sum()), errors=float((y[inside] != label).sum()))


def _shorten(here: LeafRule, X: FloatArray, y: Any, confidence: float) -> LeafRule:
    """Drop the condition that leaves the smallest bound, as long as this bound is not larger."""
    while here.conditions:
        shorter = [_counted(here.without(j, side), here.label, X, y) for j, side, _ in here.conditions]
        best = min(shorter, key=lambda r: _rate(r, confidence))
        if _rate(best, confidence) > _rate(here, confidence) + TIE:
            break
        here = best
    return here


def _default(rules: tuple[LeafRule, ...], X: FloatArray, y: Any) -> Any:
    covered = np.zeros(len(X), dtype=bool)
    for rule in rules:
        covered |= rule.covers(X)
    names, counts = np.unique(y if covered.all() else y[~covered], return_counts=True)
    return names[counts.argmax()].item()


def _errors(rules: tuple[LeafRule, ...], X: FloatArray, y: Any) -> int:
    return int((RuleList(rules, _default(rules, X, y)).predict(X) != y).sum())
