"""How much a score suffers when the values of a feature are exchanged among the instances."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_matrix
from notes_lib.foundations.cross_validation.scoring import as_scorer, checked
from notes_lib.numerics import RandomState, check_rng


class PermutationImportance(NamedTuple):
    """Loss of score (d, R) of each feature in each repetition; its mean and standard deviation (d,) over them."""

    importances: FloatArray
    importances_mean: FloatArray
    importances_std: FloatArray


def permutation_importance(
    estimator: Any, X: ArrayLike, y: ArrayLike, *, scoring: Any = None, n_repeats: int = 5,
    random_state: RandomState = None,
) -> PermutationImportance:  # fmt: skip
    """How much worse a fitted estimator scores if one feature is shuffled, :eq:`random-forest-permutation`.

    Parameters
    ----------
    estimator : estimator
        Fitted.
    X : (n, d) array
    y : (n,) array
        Preferably instances that the estimator has not been fitted to.
    scoring : str, callable or None
        As in :func:`notes_lib.foundations.cross_validation.cross_val_score`.
    n_repeats : int
        How often each feature is shuffled.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    PermutationImportance
        ``importances_std`` has the divisor ``n_repeats``. It measures the shuffling only, not the choice of instances.

    Raises
    ------
    TypeError, ValueError
        Bad data, lengths that differ, an unknown score, ``n_repeats`` below 1.

    Notes
    -----
    1 + d R predictions of all instances. Source: Breiman (2001), section 10.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> X, y = [[0, 1], [1, 1], [2, 1], [3, 1]], [0, 0, 1, 1]
    >>> found = permutation_importance(DecisionTreeClassifier().fit(X, y), X, y, random_state=0)
    >>> bool(found.importances_mean[0] > 0), float(found.importances_mean[1])
    (True, 0.0)
    """
    A, y = checked(check_matrix(X, "X").copy(), np.asarray(y))
    repeats, rng = check_integer(n_repeats, "n_repeats"), check_rng(random_state)
    scorer = as_scorer(estimator, scoring)
    base = scorer(estimator, A, y)
    loss = np.empty((A.shape[1], repeats))
    for j, column in enumerate(A.T.copy()):
        for r in range(repeats):
            A[:, j] = rng.permutation(column)
            loss[j, r] = base - scorer(estimator, A, y)
        A[:, j] = column
    return PermutationImportance(loss, loss.mean(axis=1), loss.std(axis=1))
