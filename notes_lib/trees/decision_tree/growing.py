"""Divide and conquer: choose a split, send the rows down its branches, go on until every leaf is finished.

Rows hold numbers only: a numeric feature as it is, a categorical one as the position of its value among the categories,
a missing value as NaN. The tree is a list of nodes that name their children by position, so that no depth is too large.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.trees.decision_tree.steps import IMPURITIES, best_threshold, impurity_decrease, intrinsic_value


class Split(NamedTuple):
    """A question: which feature, at which threshold (NaN asks for the value), its gain and its intrinsic value."""

    feature: int
    threshold: float
    gain: float
    intrinsic: float


class Stopping(NamedTuple):
    """When a node stays a leaf although it is not pure; the arguments of the estimators."""

    max_depth: float = np.inf
    min_samples_split: int = 2
    max_impurity: float = 0.0
    min_gain: float = 0.0


FREELY = Stopping()  # until every leaf is pure or nothing is left to ask


@dataclass
class Node:
    """Weights of the classes (K,) here, the question if there is one, and the position of the child of each answer.

    The answers are codes of categories, or 0 for "at most the threshold" and 1 for "above it".
    """

    counts: FloatArray
    split: Split | None = None
    children: dict[int, int] = field(default_factory=dict)

    @property
    def probabilities(self) -> FloatArray:
        """Shares (K,) of the classes."""
        return self.counts / self.counts.sum()


def branches(x: FloatArray, split: Split) -> IntArray:
    """Answer of each row to a question; -1 for a missing value."""
    answers = x if np.isnan(split.threshold) else np.where(np.isnan(x), np.nan, x > split.threshold)
    return np.where(np.isnan(answers), -1, answers).astype(int)


def propose(j: int, x: FloatArray, y: IntArray, w: FloatArray, numeric: bool, criterion: str) -> Split | None:
    """The best question about feature ``j``, or None if every answer is the same; :eq:`decision-tree-missing`."""
    known = ~np.isnan(x)
    if not known.any():
        return None
    threshold, gain = np.nan, 0.0
    if numeric:
        threshold, gain = best_threshold(x[known], y[known], criterion, w[known])
        if np.isnan(threshold):
            return None
    answers = branches(x, Split(j, threshold, 0.0, 0.0))
    sizes = np.bincount(answers + 1, w)  # those of missing values first
    if (sizes[1:] > 0).sum() < 2:
        return None
    if not numeric:
        K = int(y.max()) + 1
        cells = np.bincount(answers[known] * K + y[known], w[known], K * (int(answers.max()) + 1))
        gain = impurity_decrease(cells.reshape(-1, K), criterion)
    share = sizes[1:].sum() / sizes.sum()
    return Split(j, float(threshold), float(share * gain), intrinsic_value(sizes))  # decision-tree-missing


def select_split(splits: list[Split], use_ratio: bool = False) -> Split | None:
    """The attribute that is asked: the largest gain, or C4.5's rule :eq:`decision-tree-average-rule`.

    Parameters
    ----------
    splits : list of Split
        At most one for each feature.
    use_ratio : bool
        Largest gain ratio among the splits whose gain is at least the mean gain.

    Returns
    -------
    Split or None
        The first one in a tie; None if there is none.

    Examples
    --------
    >>> balanced, lopsided = Split(0, 0.5, 0.4, 1.0), Split(1, 0.5, 0.1, 0.1)
    >>> select_split([balanced, lopsided], use_ratio=True).feature
    0
    """
    if not splits:
        return None
    mean = sum(s.gain for s in splits) / len(splits)
    allowed = [s for s in splits if not use_ratio or s.gain >= mean - 1e-12]  # decision-tree-average-rule
    scores = [s.gain / s.intrinsic if use_ratio else s.gain for s in allowed]
    return next(s for s, score in zip(allowed, scores, strict=True) if score >= max(scores) - 1e-12)


def grow(
    X: FloatArray, y: IntArray, w: FloatArray, numeric: list[bool], choose: Callable[[list[Split]], Split | None],
    criterion: str = "entropy", stopping: Stopping = FREELY,
) -> list[Node]:  # fmt: skip
    """GenerateTree: the nodes of a tree, root first; the algorithm box of the chapter.

    Parameters
    ----------
    X : (n, d) array
        Numbers, codes of categories, NaN.
    y : (n,) array of int
        Codes of the classes, from 0 up.
    w : (n,) array
        Positive weights.
    numeric : list of bool
        Whether a feature is cut at a threshold.
    choose : callable
        The rule that picks one of the proposed splits.
    criterion : {"entropy", "gini", "misclassification"}
    stopping : Stopping

    Returns
    -------
    list of Node

    Notes
    -----
    O(d n log n) time for each level. It ends: a split has two branches with known rows, so each child lacks a row that
    its parent has.
    """
    K = int(y.max()) + 1
    nodes: list[Node] = []
    work = [(np.arange(len(y)), w, 0, -1, 0)]
    while work:
        rows, w, depth, parent, answer = work.pop()
        node = Node(np.bincount(y[rows], w, K).astype(float))
        nodes.append(node)
        if parent >= 0:
            nodes[parent].children[answer] = len(nodes) - 1
        node.split = _question(X[rows], y[rows], w, depth, node, numeric, choose, criterion, stopping)
        if node.split is not None:
            parts = divide(X[rows, node.split.feature], w, node.split)
            here = len(nodes) - 1
            work += [(rows[part], share, depth + 1, here, a) for a, part, share in reversed(parts)]
    return nodes


def _question(
    X: FloatArray, y: IntArray, w: FloatArray, depth: int, node: Node, numeric: list[bool],
    choose: Callable[[list[Split]], Split | None], criterion: str, stopping: Stopping,
) -> Split | None:  # fmt: skip
    """SplitAttribute: the question of a node, None if it is to be a leaf; :eq:`decision-tree-stop`."""
    impurity = IMPURITIES[criterion](node.probabilities)
    if impurity <= stopping.max_impurity or depth >= stopping.max_depth or len(y) < stopping.min_samples_split:
        return None  # decision-tree-stop
    proposed = (propose(j, X[:, j], y, w, numeric[j], criterion) for j in range(X.shape[1]))
    split = choose([s for s in proposed if s is not None])
    return split if split is not None and split.gain >= stopping.min_gain else None


def divide(x: FloatArray, w: FloatArray, split: Split) -> list[tuple[int, IntArray, FloatArray]]:
    """Answer, rows and weights of each branch; a row without the value goes to all, in shares of their sizes."""
    answers = branches(x, split)
    sizes = np.bincount(answers[answers >= 0], w[answers >= 0])
    parts: list[tuple[int, IntArray, FloatArray]] = []
    for a in np.flatnonzero(sizes > 0):
        part = np.flatnonzero((answers == a) | (answers == -1))
        share = np.where(answers[part] == a, 1.0, sizes[a] / sizes.sum())
        parts.append((int(a), part, w[part] * share))
    return parts


def follow(nodes: list[Node], X: FloatArray) -> FloatArray:
    """Class probabilities (n, K): of the leaf, of the node at which a value has no branch, or a mixture for NaN."""
    result = np.zeros((len(X), len(nodes[0].counts)))
    work = [(0, np.arange(len(X)), np.ones(len(X)))]
    while work:
        here, rows, w = work.pop()
        node = nodes[here]
        if node.split is None:
            result[rows] += w[:, None] * node.probabilities
            continue
        answers = branches(X[rows, node.split.feature], node.split)
        missing = answers == -1
        without = ~missing & ~np.isin(answers, list(node.children))
        result[rows[without]] += w[without, None] * node.probabilities
        sizes = {a: nodes[child].counts.sum() for a, child in node.children.items()}
        for a, child in node.children.items():
            part = missing | (answers == a)
            if part.any():
                share = np.where(missing[part], sizes[a] / sum(sizes.values()), 1.0)
                work.append((child, rows[part], w[part] * share))
    return result
