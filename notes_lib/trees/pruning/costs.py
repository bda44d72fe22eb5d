"""What a node costs if it is a leaf, by what happened there and by a pessimistic bound."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from notes_lib.checks import FloatArray, check_numbers, check_real
from notes_lib.trees.cart import Tree
from notes_lib.trees.cart.prices import TIE, check_tree


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
        If ``tree`` is no :class:`~notes_lib.trees.cart.Tree`, or the least decrease is negative or not finite.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> xor = DecisionTreeClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]).tree_
    >>> early_stop(xor, 0.1)[0]
    np.True_
    """
    least = check_real(min_impurity_decrease, "min_impurity_decrease")
    check_tree(tree)
    return tree.is_leaf | (tree.gains() / tree.weighted_n_node_samples[0] < least)  # pruning-stop


def node_errors(tree: Tree) -> FloatArray:
    """Weight of the training instances that are not of the most frequent class of each node, (m,) array.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> node_errors(DecisionTreeClassifier().fit([[1], [2], [3]], [0, 1, 1]).tree_)
    array([1., 0., 0.])
    """
    mass = check_tree(tree).weighted_n_node_samples
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
    parent = np.full(check_tree(tree).node_count, -1)
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
