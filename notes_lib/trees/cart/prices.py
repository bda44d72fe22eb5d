"""Cost-complexity pruning: the price of a leaf, the weakest links, and the nested trees that they lead through.

Derived in the chapter *Pruning*, whose package makes these functions public; they stand here because every tree can be
grown at a price.
"""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_real, check_vector
from notes_lib.trees.cart.structure import Tree

TIE = 1e-12  # costs whose difference, relative to the largest one, is smaller count as equal


class PruningPath(NamedTuple):
    """The nested trees: from which price ``ccp_alphas`` on each is best, its cost ``impurities`` and its ``n_leaves``.

    The first entry is the full tree at price 0. Each later one makes a leaf of the node in ``links`` (-1 in the first).
    As in scikit-learn, links of equal strength are cut one after the other: their prices are repeated.
    """

    ccp_alphas: FloatArray
    impurities: FloatArray
    n_leaves: IntArray
    links: IntArray

    @property
    def between(self) -> FloatArray:
        """One price for each tree of the sequence, inside its interval: geometric means, :eq:`pruning-geometric`."""
        alphas = np.maximum(self.ccp_alphas, 0.0)
        top = alphas[-1]
        apart = np.append(True, np.diff(alphas) > TIE * top)
        start = alphas[apart]
        return np.append(np.sqrt(start[:-1] * start[1:]), start[-1])  # pruning-geometric


def check_tree(tree: Tree) -> Tree:
    """Return the tree, or say that it is none, such as an estimator."""
    if not isinstance(tree, Tree):
        raise TypeError(f"tree must be a Tree, such as tree_ of a fitted estimator, got {type(tree).__name__}.")
    return tree


def _costs(tree: Tree, costs: ArrayLike | None) -> FloatArray:
    """What each node of a tree costs as a leaf, checked."""
    return resubstitution_costs(tree) if costs is None else check_vector(costs, "costs", check_tree(tree).node_count)


def resubstitution_costs(tree: Tree) -> FloatArray:
    """Impurity of each node times its share of the training weight, (m,) array; :eq:`pruning-resubstitution`.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> resubstitution_costs(DecisionTreeRegressor().fit([[1], [2]], [0, 2]).tree_)
    array([1., 0., 0.])
    """
    mass = check_tree(tree).weighted_n_node_samples
    return mass * tree.impurity / mass[0]  # pruning-resubstitution


def best_cut(tree: Tree, costs: ArrayLike, alpha: float = 0.0) -> Any:
    """Nodes at which the cheapest pruned tree stops, :eq:`pruning-recursion`; of equally cheap ones the smallest.

    Parameters
    ----------
    tree : Tree
    costs : (m,) array
        What each node costs if it is a leaf.
    alpha : float
        What each leaf costs on top.

    Returns
    -------
    (m,) array of bool
        For :func:`notes_lib.trees.cart.collapse`; leaves of ``tree`` are marked, too.

    Raises
    ------
    TypeError, ValueError
        If ``tree`` is no :class:`~notes_lib.trees.cart.Tree`, the costs are not a finite number for each node, or
        ``alpha`` is negative.

    Notes
    -----
    O(m) time: one pass from the leaves to the root.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2], [3]], [0, 1, 9]).tree_
    >>> best_cut(tree, [9, 2, 1, 1, 3])
    array([False,  True,  True,  True,  True])
    """
    costs = check_vector(costs, "costs", check_tree(tree).node_count)
    best = costs + check_real(alpha, "alpha")
    tie = TIE * float(np.abs(best).max())
    price, cut = best.tolist(), tree.is_leaf.tolist()
    left, right = tree.children_left.tolist(), tree.children_right.tolist()
    for t in np.flatnonzero(~tree.is_leaf)[::-1].tolist():  # children come after their parent
        below = price[left[t]] + price[right[t]]
        cut[t] = price[t] <= below + tie
        if not cut[t]:
            price[t] = below  # pruning-recursion
    return np.array(cut)


def _below(tree: Tree, costs: FloatArray) -> tuple[list[float], list[int], list[int]]:
    """Cost of the leaves below each node, their number, and the parent of each node (-1 for the root)."""
    branch, leaves, parent = costs.tolist(), [1] * tree.node_count, [-1] * tree.node_count
    left, right = tree.children_left.tolist(), tree.children_right.tolist()
    for t in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
        a, b = left[t], right[t]
        branch[t], leaves[t] = branch[a] + branch[b], leaves[a] + leaves[b]
        parent[a] = parent[b] = t
    return branch, leaves, parent


def link_strengths(tree: Tree, costs: ArrayLike | None = None) -> FloatArray:
    """What each leaf below a node saves, :eq:`pruning-link`; infinity in a leaf.

    Parameters
    ----------
    tree : Tree
    costs : (m,) array or None
        What each node costs as a leaf; :func:`resubstitution_costs` if None.

    Returns
    -------
    (m,) array

    Raises
    ------
    TypeError, ValueError
        If ``tree`` is no :class:`~notes_lib.trees.cart.Tree`, or the costs are not a finite number for each node.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> link_strengths(DecisionTreeRegressor().fit([[1], [2]], [0, 2]).tree_)
    array([ 1., inf, inf])
    """
    costs = _costs(tree, costs)
    branch, leaves, _ = _below(tree, costs)
    inner, strength = ~tree.is_leaf, np.full(tree.node_count, np.inf)
    gap, less = costs - np.array(branch), np.array(leaves) - 1
    strength[inner] = gap[inner] / less[inner]  # pruning-link
    return strength


def cost_complexity_pruning_path(tree: Tree, costs: ArrayLike | None = None) -> PruningPath:
    """Cut the weakest link again and again, down to the root; :eq:`pruning-weakest`.

    Parameters
    ----------
    tree : Tree
        ``tree_`` of an estimator.
    costs : (m,) array or None
        What each node costs as a leaf; :func:`resubstitution_costs`, as in scikit-learn, if None.

    Returns
    -------
    PruningPath

    Raises
    ------
    TypeError, ValueError
        If ``tree`` is no :class:`~notes_lib.trees.cart.Tree`, or the costs are not a finite number for each node.

    Notes
    -----
    O(m h log m) time for a tree of m nodes and height h: a heap holds the strengths of all links, and a cut changes
    those of the nodes above it only. Of equal strengths the node with the smallest number is cut first.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> path = cost_complexity_pruning_path(DecisionTreeRegressor().fit([[1], [2], [3]], [0, 2, 8]).tree_)
    >>> path.ccp_alphas.round(3), path.n_leaves
    (array([ 0.   ,  0.667, 10.889]), array([3, 2, 1]))
    """
    costs = _costs(tree, costs)
    branch, leaves, parent = _below(tree, costs)
    left, right, node_cost = tree.children_left.tolist(), tree.children_right.tolist(), costs.tolist()
    strength = link_strengths(tree, costs).tolist()
    heap = [(strength[t], t) for t in np.flatnonzero(~tree.is_leaf).tolist()]
    heapq.heapify(heap)
    steps = [(0.0, branch[0], leaves[0], -1)]
    while heap:
        alpha, t = heapq.heappop(heap)
        if alpha != strength[t]:
            continue  # its strength has changed since, or it is gone
        gone = [t]
        while gone:
            u = gone.pop()
            strength[u] = np.inf
            gone += [v for v in (left[u], right[u]) if v >= 0 and strength[v] < np.inf]
        rise, fewer = node_cost[t] - branch[t], leaves[t] - 1
        branch[t], leaves[t], above = node_cost[t], 1, parent[t]
        while above >= 0:
            branch[above] += rise
            leaves[above] -= fewer
            strength[above] = (node_cost[above] - branch[above]) / (leaves[above] - 1)
            heapq.heappush(heap, (strength[above], above))
            above = parent[above]
        steps.append((alpha, branch[0], leaves[0], t))
    alphas, impurities, numbers, links = zip(*steps, strict=True)
    return PruningPath(np.array(alphas), np.array(impurities), np.array(numbers), np.array(links))


def cost_complexity_cut(tree: Tree, ccp_alpha: float, costs: ArrayLike | None = None) -> Any:
    """Nodes at which the smallest tree of the least :eq:`pruning-cost` stops.

    Parameters
    ----------
    tree : Tree
    ccp_alpha : float
        Price of a leaf.
    costs : (m,) array or None
        As in :func:`cost_complexity_pruning_path`.

    Returns
    -------
    (m,) array of bool

    Raises
    ------
    TypeError, ValueError
        If ``tree`` is no :class:`~notes_lib.trees.cart.Tree`, the price is negative or a cost is bad.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> cost_complexity_cut(DecisionTreeRegressor().fit([[1], [2], [3]], [0, 2, 8]).tree_, 1.0)
    array([False,  True,  True,  True,  True])
    """
    return best_cut(tree, _costs(tree, costs), ccp_alpha)
