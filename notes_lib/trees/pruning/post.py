"""Pruning fitted estimators: by a pruning set, by a pessimistic bound, and by a price found in cross-validation."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import check_is_fitted

from notes_lib.checks import FloatArray
from notes_lib.foundations.cross_validation import Split, fold_summary, one_standard_error_index
from notes_lib.foundations.cross_validation.scoring import as_splits, checked
from notes_lib.trees.cart import collapse
from notes_lib.trees.cart.prices import best_cut, cost_complexity_cut, cost_complexity_pruning_path
from notes_lib.trees.pruning.costs import node_errors, pessimistic_rate, reach


class AlphaSearch(NamedTuple):
    """Prices ``ccp_alphas`` (m,), ``scores`` (m, K) of the folds, their mean, the standard error, and two choices.

    ``best`` has the highest mean; ``one_standard_error`` is the largest price within one standard error of it.
    """

    ccp_alphas: FloatArray
    scores: FloatArray
    mean: FloatArray
    standard_error: FloatArray
    best: float
    one_standard_error: float


def prune(model: Any, cut: ArrayLike) -> Any:
    """A copy of a fitted tree estimator with leaves at the marked nodes; the original stays as it is.

    Parameters
    ----------
    model : DecisionTreeClassifier or DecisionTreeRegressor
        Fitted.
    cut : (m,) array of bool

    Returns
    -------
    estimator

    Raises
    ------
    sklearn.exceptions.NotFittedError, ValueError
        If the model is not fitted, or there is not one truth value for each node.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> model = DecisionTreeRegressor().fit([[1], [2], [3]], [0, 2, 7])
    >>> prune(model, [True] + [False] * 4).predict([[1]]), model.get_n_leaves()
    (array([3.]), 3)
    """
    check_is_fitted(model, "tree_")
    pruned = copy.copy(model)
    pruned.tree_ = collapse(model.tree_, np.asarray(cut))
    return pruned


def reduced_error_pruning(model: Any, X: ArrayLike, y: ArrayLike) -> Any:
    """The smallest pruned tree with the least error on a pruning set, :eq:`pruning-reduced`.

    Parameters
    ----------
    model : DecisionTreeClassifier or DecisionTreeRegressor
        Fitted, on other instances.
    X : (n, d) array
        Pruning set.
    y : (n,) array
        Errors are counted for classes, squared for numbers. A class that the tree does not know is an error everywhere.

    Returns
    -------
    estimator
        A pruned copy.

    Raises
    ------
    sklearn.exceptions.NotFittedError, ValueError
        If the model is not fitted, X has other columns, or the lengths differ.

    Notes
    -----
    O(n h) time for a tree of height h.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], [0, 1, 0, 0])
    >>> reduced_error_pruning(model, [[1], [2], [3]], [0, 0, 0]).get_n_leaves()
    1
    """
    check_is_fitted(model, "tree_")
    leaves, target = model.apply(X), np.asarray(y)
    if target.shape != leaves.shape:
        raise ValueError(f"y must have {len(leaves)} entries as X has rows, got shape {target.shape}.")
    tree = model.tree_
    if is_classifier(model):
        said = model.classes_[tree.value.argmax(axis=1)]
        costs = reach(tree, np.asarray(X, dtype=float), lambda node: said[node] != target)
    else:
        costs = reach(tree, np.asarray(X, dtype=float), lambda node: (tree.value[node, 0] - target) ** 2)
    return prune(model, best_cut(tree, costs))  # pruning-reduced


def pessimistic_pruning(model: Any, confidence: float = 0.25) -> Any:
    """Prune where the errors that C4.5 predicts for a leaf are not more than those below it, :eq:`pruning-predicted`.

    Parameters
    ----------
    model : DecisionTreeClassifier
        Fitted.
    confidence : float
        As in :func:`pessimistic_rate`.

    Returns
    -------
    estimator
        A pruned copy.

    Raises
    ------
    sklearn.exceptions.NotFittedError, TypeError, ValueError
        If the model is not fitted or no classifier, or the confidence is not in (0, 1).

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], [0, 1, 0, 0])
    >>> pessimistic_pruning(model).get_n_leaves()
    1
    """
    check_is_fitted(model, "tree_")
    if not is_classifier(model):
        raise TypeError("model must be a classifier, as the bound counts errors: prune a regressor by ccp_alpha.")
    tree = model.tree_
    n = tree.weighted_n_node_samples
    return prune(model, best_cut(tree, n * pessimistic_rate(node_errors(tree), n, confidence)))  # pruning-predicted


def alpha_by_cross_validation(model: Any, X: Any, y: Any, cv: Any = 10) -> AlphaSearch:
    """Prices of a leaf, one for each tree of the sequence of all data, judged by cross-validation.

    Parameters
    ----------
    model : DecisionTreeClassifier or DecisionTreeRegressor
        Cloned; what it says of the growth holds in each fold.
    X : (n, d) array
    y : (n,) array
    cv
        As in :func:`notes_lib.foundations.cross_validation.cross_val_score`.

    Returns
    -------
    AlphaSearch

    Raises
    ------
    TypeError, ValueError
        As :func:`notes_lib.foundations.cross_validation.cross_val_score`.

    Notes
    -----
    Every fold grows one tree and prunes it at all prices: K + 1 trees are grown, not m K.
    Source: Breiman et al. (1984), section 3.4.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> x = np.arange(20.0)
    >>> search = alpha_by_cross_validation(DecisionTreeRegressor(), x[:, None], (x > 9) * 1.0, cv=5)
    >>> search.ccp_alphas.round(3)
    array([0.  , 0.25])
    """
    X, y = map(np.asarray, checked(X, y))
    grown = clone(model).set_params(ccp_alpha=0.0).fit(X, y)
    alphas = cost_complexity_pruning_path(grown.tree_).between
    scores = np.transpose([_along(grown, alphas, X, y, split) for split in as_splits(cv, model, X, y)])
    folds = [fold_summary(row) for row in scores]
    mean, error = np.array([f.mean for f in folds]), np.array([f.standard_error for f in folds])
    simple = one_standard_error_index(mean, error, -alphas)
    return AlphaSearch(alphas, scores, mean, error, float(alphas[mean.argmax()]), float(alphas[simple]))


def _along(model: Any, alphas: FloatArray, X: Any, y: Any, split: Split) -> list[float]:
    """Scores on the test part of a tree that is grown once and pruned at every price."""
    grown = clone(model).fit(X[split.train], y[split.train])
    cuts = (cost_complexity_cut(grown.tree_, a) if a > 0 else grown.tree_.is_leaf for a in alphas)
    return [prune(grown, cut).score(X[split.test], y[split.test]) for cut in cuts]
