"""Partial dependence of any fitted estimator, with the contract of ``sklearn.inspection.partial_dependence``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import Bunch

from notes_lib.checks import FloatArray, check_choice, check_indices, check_integer, check_matrix, check_vector
from notes_lib.linear.linear_regression.checks import check_weights


def partial_dependence(
    estimator: Any, X: ArrayLike, features: int | Sequence[int], *, sample_weight: ArrayLike | None = None,
    response_method: Literal["auto", "predict_proba", "decision_function"] = "auto",
    percentiles: tuple[float, float] = (0.05, 0.95), grid_resolution: int = 100,
    custom_values: dict[int, ArrayLike] | None = None, method: Literal["auto", "brute"] = "auto",
    kind: Literal["average", "individual", "both"] = "average",
) -> Bunch:  # fmt: skip
    """Mean response of a fitted estimator over a grid of some features, :eq:`gradient-boosting-dependence`.

    Parameters
    ----------
    estimator : classifier or regressor
        Fitted.
    X : (n, d) array
    features : int or sequence of int
        Columns, from 0; for several of them the grid holds all combinations of their values.
    sample_weight : (n,) array, optional
        Weights of the rows in the mean.
    response_method : {"auto", "predict_proba", "decision_function"}
        For a classifier; "auto" takes ``predict_proba`` if there is one. A regressor predicts.
    percentiles : (float, float)
        Between which quantiles of a feature, as shares, its grid lies.
    grid_resolution : int
        Values of the grid for each feature; one with fewer different values has a grid of these.
    custom_values : dict, optional
        From the number of a column to its grid.
    method : {"auto", "brute"}
        Both predict all rows at each point; scikit-learn's ``"recursion"`` for its own trees is not here.
    kind : {"average", "individual", "both"}

    Returns
    -------
    Bunch
        ``grid_values``, a list of a (g_j,) array for each feature; ``average`` (q, g_1, g_2, ...);
        ``individual`` (q, n, g_1, g_2, ...), the curves of the rows, which show effects that the mean hides. For K > 2
        classes q is K, for a regressor the number of targets, else 1: the second class.

    Raises
    ------
    TypeError, ValueError
        Bad data or setting, an unknown feature, percentiles between which a feature does not vary; an estimator that is
        neither classifier nor regressor, or a classifier of several outputs.

    Notes
    -----
    As many predictions of n rows as the grid has points; :func:`notes_lib.trees.gradient_boosting.dependence_curves` is
    the case of one feature. ``average`` of trees may differ from the default of scikit-learn, whose recursion weighs
    the branches by the training rows. With correlated features some rows lie where there are no data.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeRegressor
    >>> X = [[1.0, 0.0], [2.0, 0.0], [3.0, 1.0]]
    >>> found = partial_dependence(DecisionTreeRegressor().fit(X, [0, 0, 6]), X, [1], kind="both")
    >>> found.grid_values, found.average, found.individual
    ([array([0., 1.])], array([[2., 2.]]), array([[[0., 0.],
            [0., 0.],
            [6., 6.]]]))
    """
    A = check_matrix(X, "X")
    check_choice(method, "method", ("auto", "brute"))
    check_choice(kind, "kind", ("average", "individual", "both"))
    columns = check_indices(features, "features", A.shape[1]).tolist()
    given = custom_values or {}
    values = [
        check_vector(given[j], f"custom_values[{j}]") if j in given else _grid(A[:, j], percentiles, grid_resolution)
        for j in columns
    ]
    predict, moved = _response(estimator, response_method), A.copy()
    curves = []
    for point in product(*values):
        moved[:, columns] = point
        curves.append(predict(moved))
    individual = np.moveaxis(np.array(curves), 0, -1)  # (q, n, points)
    average = np.average(individual, axis=1, weights=check_weights(sample_weight, len(A)))
    shape = [len(v) for v in values]
    found = {"average": average.reshape(-1, *shape), "individual": individual.reshape(-1, len(A), *shape)}
    names = ["average", "individual"] if kind == "both" else [kind]
    return Bunch(grid_values=values, **{name: found[name] for name in names})


def _grid(x: FloatArray, percentiles: tuple[float, float], grid_resolution: int) -> FloatArray:
    """The different values of a feature, or numbers at equal distances between two of its quantiles."""
    low, high = check_vector(percentiles, "percentiles", 2)
    if not 0 <= low < high <= 1:
        raise ValueError(f"percentiles must be two increasing shares between 0 and 1, got {percentiles}.")
    if len(different := np.unique(x)) < check_integer(grid_resolution, "grid_resolution", 2):
        return different
    ends = _quantile(x, low), _quantile(x, high)
    if np.allclose(*ends):
        raise ValueError(f"percentiles {percentiles} are the same number of a feature, {ends[0]:g}: choose wider ones.")
    return np.linspace(*ends, grid_resolution)


def _quantile(x: FloatArray, p: float) -> float:
    """Cunnane's quantile, as scikit-learn takes it: sorted value i of n lies at (i - 0.4) / (n + 0.2)."""
    v, place = np.sort(x), len(x) * p + 0.4 + 0.2 * p
    k = int(np.clip(place, 1, len(x) - 1))
    share = float(np.clip(place - k, 0, 1))
    return float((1 - share) * v[k - 1] + share * v[k])


def _response(estimator: Any, response_method: str) -> Callable[[FloatArray], FloatArray]:
    """What is averaged, as a function from rows to a (q, n) array."""
    check_choice(response_method, "response_method", ("auto", "predict_proba", "decision_function"))
    if not is_classifier(estimator):
        if not is_regressor(estimator):
            raise ValueError(f"estimator must be a classifier or a regressor, got {type(estimator).__name__}.")
        if response_method != "auto":
            raise ValueError(f"response_method={response_method!r} is for classifiers: leave it 'auto' to predict.")
        return lambda A: np.atleast_2d(np.transpose(estimator.predict(A)))
    if response_method == "auto":
        response_method = "predict_proba" if hasattr(estimator, "predict_proba") else "decision_function"
    respond = getattr(estimator, response_method)

    def scores(A: FloatArray) -> FloatArray:
        P = np.asarray(respond(A))
        if P.ndim > 2:
            raise ValueError("estimator must have one output, not a list of classes for each: fit one for each.")
        return P[None, :] if P.ndim == 1 else P.T if P.shape[1] > 2 else P.T[1:]

    return scores
