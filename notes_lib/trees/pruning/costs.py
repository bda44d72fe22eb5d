"""What a node costs if it is a leaf, by three kinds of evidence, and the cheapest way to cut a tree back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from notes_lib.checks import FloatArray, check_numbers, check_real, check_vector
from notes_lib.trees.cart import Tree

TIE = 1e-12  # costs whose difference, relative to the largest one, is smaller count as equal


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
        If the costs are not a finite number for each node, or ``alpha`` is negative.

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
    costs = check_vector(costs, "costs", tree.node_count)
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


def early_stop(tree: Tree, min_impurity_decrease: float) -> Any:
    """Nodes at which growth would have stopped if a split had to gain so much, :eq:`pruning-stop`.

    Parameters
    ----------
    tree : Tree
    min_impurity_decrease : float
        Least decrease of the impurity, times the share of the instances at the node.

    Returns
    -------
    (m,) array of bool

    Raises
    ------
    TypeError, ValueError
        If the least decrease is negative or not finite.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> xor = DecisionTreeClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]).tree_
    >>> early_stop(xor, 0.1)[0]
    np.True_
    """
    least = check_real(min_impurity_decrease, "min_impurity_decrease")
    return tree.is_leaf | (tree.gains() / tree.weighted_n_node_samples[0] < least)  # pruning-stop


def resubstitution_costs(tree: Tree) -> FloatArray:
    """Impurity of each node times its share of the training weight, (m,) array; :eq:`pruning-resubstitution`.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> resubstitution_costs(DecisionTreeRegressor().fit([[1], [2]], [0, 2]).tree_)
    array([1., 0., 0.])
    """
    mass = tree.weighted_n_node_samples
    return mass * tree.impurity / mass[0]  # pruning-resubstitution


def node_errors(tree: Tree) -> FloatArray:
    """Weight of the training instances that are not of the most frequent class of each node, (m,) array.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> node_errors(DecisionTreeClassifier().fit([[1], [2], [3]], [0, 1, 1]).tree_)
    array([1., 0., 0.])
    """
    mass = tree.weighted_n_node_samples
    errors = mass - mass * tree.value.max(axis=1)
    return np.where(errors <= TIE * mass, 0.0, errors)


def reach(tree: Tree, X: FloatArray, loss: Any) -> FloatArray:
    """Sum in each node of the losses of the rows that reach it, (m,) array.

    Parameters
    ----------
    tree : Tree
    X : (n, d) array
    loss : callable
        ``loss(node)``, with the number (n,) of a node for each row, gives the loss (n,) of each row there.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1], [2]], [0, 2]).tree_
    >>> reach(tree, np.array([[5.0], [6.0]]), lambda node: np.ones(2))
    array([2., 0., 2.])
    """
    parent = np.full(tree.node_count, -1)
    inner = np.flatnonzero(~tree.is_leaf)
    parent[tree.children_left[inner]] = parent[tree.children_right[inner]] = inner
    node, total = tree.apply(X), np.zeros(tree.node_count)
    while (node >= 0).any():
        here = np.maximum(node, 0)
        total += np.bincount(here, np.where(node >= 0, loss(here), 0.0), tree.node_count)
        node = np.where(node >= 0, parent[here], -1)  # one level up
    return total


def pessimistic_rate(errors: ArrayLike, n: ArrayLike, confidence: float = 0.25) -> FloatArray:
    """C4.5's upper limit of an error rate, :eq:`pruning-exact-bound`.

    Parameters
    ----------
    errors : array
        Errors in a leaf, or what is left of them if instances have weights: not negative.
    n : array of the same shape
        Instances in the leaf, positive and not fewer than errors.
    confidence : float
        CF, in (0, 1): how probable so few errors are at this rate. A smaller one is more pessimistic.

    Returns
    -------
    array
        The rate at which ``errors`` or fewer among ``n`` have probability ``confidence``; 1 if all are errors.

    Raises
    ------
    TypeError, ValueError
        If a number is out of its range.

    Notes
    -----
    Quinlan (1993), chapter 4, prints 0.206, 0.750 and 0.157 for the example: his program approximates where there are
    errors.

    Examples
    --------
    >>> pessimistic_rate([0, 0, 1], [6, 1, 16]).round(3)
    array([0.206, 0.75 , 0.16 ])
    """
    e, total = check_numbers(errors, "errors"), check_numbers(n, "n")
    if e.shape != total.shape or (e < 0).any() or (total <= 0).any() or (e > total).any():
        raise ValueError("errors must lie between 0 and n for each entry, and n must be positive: count them anew.")
    if not 0 < check_real(confidence, "confidence") < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}; C4.5 takes 0.25.")
    room = np.maximum(total - e, np.finfo(float).tiny)
    return np.where(e < total, betaincinv(e + 1, room, 1 - confidence), 1.0)  # pruning-exact-bound
