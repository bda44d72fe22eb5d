"""A grown binary tree as arrays over its nodes: looking up leaves, cutting back, drawing, printing."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix

from notes_lib.checks import FloatArray, IntArray, check_integer

LEAF = -1  # in place of a child
NO_TEST = -2  # in place of a feature and a threshold
ROWS = 8192  # that go down together, so that they stay in the processor's cache
LEVELS = 6  # after which those that have arrived are taken out


class Tree(NamedTuple):
    """Arrays over the nodes of a binary tree, named and numbered depth first as in scikit-learn's ``tree_``.

    An instance goes to the left child of an inner node if its ``feature`` is at most ``threshold``. In a leaf the
    children are -1, and feature and threshold -2. ``value`` (m, K) holds the shares of the classes or (m, 1) the mean
    target; ``impurity`` the Gini index, the entropy or the variance; the last two count the instances of each node and
    add up their weights.
    """

    children_left: IntArray
    children_right: IntArray
    feature: IntArray
    threshold: FloatArray
    value: FloatArray
    impurity: FloatArray
    n_node_samples: IntArray
    weighted_n_node_samples: FloatArray

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return len(self.feature)

    @property
    def is_leaf(self) -> Any:
        """Whether each node is a leaf, (m,) array of bool."""
        return self.children_left == LEAF

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(self.is_leaf.sum())

    @property
    def max_depth(self) -> int:
        """Depth of the deepest leaf; the root has depth 0."""
        return int(self.depths().max())

    def depths(self) -> IntArray:
        """Depth of each node, (m,) array: a child comes after its parent in the numbering."""
        depth = np.zeros(self.node_count, dtype=np.intp)
        for node in np.flatnonzero(~self.is_leaf):
            depth[[self.children_left[node], self.children_right[node]]] = depth[node] + 1
        return depth

    def gains(self) -> FloatArray:
        """By how much the split of each node lowers the impurity, times the weight; 0 in a leaf."""
        mass = self.weighted_n_node_samples * self.impurity
        inner = ~self.is_leaf
        gain = np.zeros(self.node_count)
        gain[inner] = mass[inner] - mass[self.children_left[inner]] - mass[self.children_right[inner]]
        return gain

    def apply(self, X: FloatArray) -> IntArray:
        """Number of the leaf of each row, (n,) array; the rows of a block go one level down together."""
        leaf, own = self.is_leaf, np.arange(self.node_count)
        left, right = (np.where(leaf, own, side) for side in (self.children_left, self.children_right))
        child = np.column_stack([left, right]).ravel()  # a leaf leads to itself
        feature, found = np.where(leaf, 0, self.feature), np.zeros(len(X), dtype=np.intp)
        for start in range(0, len(X), ROWS):
            part = slice(start, start + ROWS)
            self._descend(np.ascontiguousarray(X[part]), child, feature, leaf, found[part])
        return found

    def _descend(self, X: FloatArray, child: IntArray, feature: IntArray, leaf: Any, found: IntArray) -> None:
        flat, at = X.ravel(), np.arange(len(X)) * X.shape[1]  # where each row begins
        live, node = np.arange(len(X)), np.zeros(len(X), dtype=np.intp)
        while len(live):
            for _ in range(LEVELS):
                right = flat.take(at + feature.take(node)) > self.threshold.take(node)
                node = child.take(2 * node + right)
            found[live] = node
            on = np.flatnonzero(~leaf.take(node))  # the others have arrived
            live, at, node = live.take(on), at.take(on), node.take(on)

    def decision_path(self, X: FloatArray) -> csr_matrix:
        """Ones for the nodes that each row passes, sparse (n, m) matrix; upwards from the leaf of each row."""
        parent, inner = np.full(self.node_count, -1), np.flatnonzero(~self.is_leaf)
        for side in (self.children_left, self.children_right):
            parent[side[inner]] = inner
        rows, node, passed = np.arange(len(X)), self.apply(X), []
        while len(rows):
            passed.append((rows, node))
            below = node > 0  # the others have reached the root
            rows, node = rows[below], parent[node[below]]
        i, j = (np.concatenate(part) for part in zip(*passed, strict=True))
        path = csr_matrix((np.ones(len(i), dtype=np.int64), (i, j)), shape=(len(X), self.node_count))
        path.sort_indices()
        return path

    def importances(self, d: int) -> FloatArray:
        """Share of each of ``d`` features in the sum of all gains, (d,) array; zeros if there is none."""
        inner = ~self.is_leaf
        total: Any = np.bincount(self.feature[inner], self.gains()[inner], minlength=d)
        return np.asarray(total / total.sum() if total.sum() > 0 else total)


def collapse(tree: Tree, nodes: ArrayLike) -> Tree:
    """Make leaves of the given nodes; what hung below them disappears, and the rest is numbered anew.

    Parameters
    ----------
    tree : Tree
    nodes : (m,) array of bool
        Whether each node becomes a leaf.

    Returns
    -------
    Tree

    Raises
    ------
    ValueError
        If there is not one truth value for each node.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2], [3]], [0, 0, 9]).tree_
    >>> collapse(tree, [True, False, False]).value
    array([[3.]])
    """
    cut = np.asarray(nodes)
    if cut.shape != (tree.node_count,) or cut.dtype != bool:
        raise ValueError(f"nodes must hold {tree.node_count} truth values, one for each node, got {nodes!r}.")
    kept, leaf = np.ones(len(cut), dtype=bool), cut | tree.is_leaf
    for node in np.flatnonzero(~tree.is_leaf):  # parents first
        kept[[tree.children_left[node], tree.children_right[node]]] = kept[node] and not leaf[node]
    number = np.cumsum(kept) - 1
    fields = {name: value[kept] for name, value in tree._asdict().items()}
    ends = leaf[kept]
    for side in ("children_left", "children_right"):
        fields[side] = np.where(ends, LEAF, number[fields[side]])
    fields["feature"] = np.where(ends, NO_TEST, fields["feature"])
    fields["threshold"] = np.where(ends, float(NO_TEST), fields["threshold"])
    return Tree(**fields)


def best_first(tree: Tree, max_leaf_nodes: int) -> Tree:
    """The splits that are made if the leaf with the largest gain is always split next, up to a number of leaves.

    What a split gains does not depend on when it is made, so the order can be found in the full tree.
    """
    gains, ends, leaves = tree.gains(), np.ones(tree.node_count, dtype=bool), 1
    heap = [(-gains[0], 0)]
    while heap and leaves < max_leaf_nodes:
        _, node = heapq.heappop(heap)
        if tree.children_left[node] != LEAF:
            ends[node], leaves = False, leaves + 1
            for child in (tree.children_left[node], tree.children_right[node]):
                heapq.heappush(heap, (-gains[child], int(child)))
    return collapse(tree, ends)


def limited(tree: Tree, min_impurity_decrease: float, max_leaf_nodes: int | None) -> Tree:
    """What is left of a full tree if a split has to lower the impurity by so much, and leaves may be so many only.

    The decrease is that of the node times its share of the weight.
    """
    if min_impurity_decrease > 0:
        decrease = tree.gains() / tree.weighted_n_node_samples[0] + np.finfo(float).eps  # as scikit-learn rounds
        tree = collapse(tree, decrease < min_impurity_decrease)
    return tree if max_leaf_nodes is None else best_first(tree, max_leaf_nodes)


def layout(tree: Tree) -> tuple[dict[str, list[str]], dict[str, tuple[float, float]]]:
    """Parents and places of the nodes, by their numbers as text, for :func:`notes_lib.plotting.draw_graph`.

    Leaves stand side by side, an inner node above the middle of its children, a level at each depth.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> layout(DecisionTreeRegressor().fit([[1], [2]], [0, 9]).tree_)
    ({'0': [], '1': ['0'], '2': ['0']}, {'0': (0.5, 0.0), '1': (0.0, -1.0), '2': (1.0, -1.0)})
    """
    x, depth = np.cumsum(tree.is_leaf) - 1.0, tree.depths()
    parents: dict[str, list[str]] = {"0": []}
    for node in np.flatnonzero(~tree.is_leaf)[::-1]:  # children first
        pair = [tree.children_left[node], tree.children_right[node]]
        x[node] = x[pair].mean()
        parents |= {str(child): [str(node)] for child in pair}
    parents = {str(node): parents[str(node)] for node in range(tree.node_count)}
    return parents, {str(node): (float(x[node]), 0.0 - float(depth[node])) for node in range(tree.node_count)}


def export_text(
    tree: Any, feature_names: Sequence[str] | None = None, class_names: Sequence[Any] | None = None, digits: int = 3
) -> str:
    """The tests and leaves of a tree as indented lines.

    Parameters
    ----------
    tree : Tree or estimator
        A fitted tree, or its ``tree_``.
    feature_names : sequence of str, optional
        By default ``x0``, ``x1``, ...
    class_names : sequence, optional
        ``classes_`` of a classifier: leaves then show the most frequent class instead of the value.
    digits : int
        Significant digits.

    Returns
    -------
    str

    Raises
    ------
    TypeError, ValueError
        If ``tree`` is neither; bad ``digits``, or fewer names than there are features or classes.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> print(export_text(DecisionTreeRegressor().fit([[1], [2]], [0, 9]).tree_, ["age"]))
    age <= 1.5: 0
    age > 1.5: 9
    """
    check_integer(digits, "digits")
    tree = getattr(tree, "tree_", tree)
    if not isinstance(tree, Tree):
        raise TypeError(f"tree must be a fitted tree or its tree_, got {type(tree).__name__}: call fit first.")
    most = int(tree.feature.max()) + 1
    names = [f"x{j}" for j in range(most)] if feature_names is None else list(feature_names)
    if len(names) < most:
        raise ValueError(f"feature_names must name at least {most} features, got {len(names)}.")
    if class_names is not None and len(class_names) != tree.value.shape[1]:
        raise ValueError(f"class_names must name {tree.value.shape[1]} classes, got {len(class_names)}.")

    def number(value: float) -> str:
        return f"{value + 0.0:.{digits}g}"

    def says(node: int) -> str:
        value = tree.value[node]
        if class_names is not None:
            return str(class_names[int(value.argmax())])
        return number(value[0]) if len(value) == 1 else f"[{', '.join(map(number, value))}]"

    def lines(node: int, indent: str) -> list[str]:
        found = []
        for child, sign in ((tree.children_left[node], "<="), (tree.children_right[node], ">")):
            test = f"{indent}{names[tree.feature[node]]} {sign} {number(tree.threshold[node])}"
            inner = tree.children_left[child] != LEAF
            found += [test, *lines(child, indent + "|   ")] if inner else [f"{test}: {says(child)}"]
        return found

    return "\n".join(lines(0, "")) if tree.node_count > 1 else says(0)
