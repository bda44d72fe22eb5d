"""Fitting and scoring on every split of a cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from numbers import Real
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.utils import _safe_indexing, assert_all_finite, get_tags, indexable
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _num_samples

from notes_lib.checks import FloatArray
from notes_lib.foundations.cross_validation.checks import Split, check_error_score, check_pairwise, check_splits
from notes_lib.foundations.cross_validation.splits import KFold, StratifiedKFold
from notes_lib.foundations.evaluation import (
    accuracy_score,
    average_precision_score,
    f1_score,
    matthews_corrcoef,
    mean_absolute_error,
    mean_squared_error,
    precision_score,
    r2_score,
    recall_score,
    roc_auc_score,
)

Progress = Callable[[int, int], object] | None  # called with the number of fits done and the number of all
Scorer = Callable[[Any, Any, Any], float]  # called with a fitted estimator, X and y (None if there is none)


def _positive_scores(model: Any, X: Any) -> Any:
    """Scores of the larger one of two classes, which scikit-learn's names of scorers take as positive."""
    if len(model.classes_) != 2:
        raise ValueError(f"scoring by ranking needs two classes, got {len(model.classes_)}: give a callable.")
    return model.decision_function(X) if hasattr(model, "decision_function") else model.predict_proba(X)[:, 1]


def _by_labels(metric: Callable[..., Any], sign: float = 1.0, **fixed: Any) -> Scorer:
    return lambda model, X, y: sign * metric(y, model.predict(X), **fixed)


def _by_ranking(metric: Callable[..., Any]) -> Scorer:
    return lambda model, X, y: metric((np.asarray(y) == model.classes_[1]).astype(int), _positive_scores(model, X))


SCORERS: dict[str, Scorer] = {
    "accuracy": _by_labels(accuracy_score),
    "balanced_accuracy": _by_labels(recall_score, average="macro"),
    "precision": _by_labels(precision_score),
    "recall": _by_labels(recall_score),
    "f1": _by_labels(f1_score),
    "f1_macro": _by_labels(f1_score, average="macro"),
    "matthews_corrcoef": _by_labels(matthews_corrcoef),
    "roc_auc": _by_ranking(roc_auc_score),
    "average_precision": _by_ranking(average_precision_score),
    "r2": _by_labels(r2_score),
    "neg_mean_squared_error": _by_labels(mean_squared_error, -1.0),
    "neg_root_mean_squared_error": _by_labels(lambda y, h: mean_squared_error(y, h) ** 0.5, -1.0),
    "neg_mean_absolute_error": _by_labels(mean_absolute_error, -1.0),
}  # of what larger is better


def as_scorer(estimator: Any, scoring: Any) -> Scorer:
    """The function that scores a fitted model: ``scoring`` itself, one by its name, or the estimator's own."""
    if callable(scoring):
        return lambda model, X, y: scoring(model, X) if y is None else scoring(model, X, y)
    if scoring is None:
        if not hasattr(estimator, "score"):
            raise TypeError(f"scoring must be given, because {type(estimator).__name__} has no score method.")
        return lambda model, X, y: model.score(X) if y is None else model.score(X, y)
    if not isinstance(scoring, str) or scoring not in SCORERS:
        raise ValueError(f"scoring must be None, a callable or one of {sorted(SCORERS)}, got {scoring!r}.")
    return SCORERS[scoring]


def checked(X: Any, y: Any) -> tuple[Any, Any]:
    """Data and targets of one length that can be taken apart by rows; targets without NaN."""
    if y is not None:
        assert_all_finite(np.asarray(y), input_name="y")
    return tuple(indexable(X, y))


def as_splits(cv: Any, estimator: Any, X: Any, y: Any) -> list[Split]:
    """All splits at once, so that every candidate is judged on the same folds."""
    if cv is None or isinstance(cv, int):
        classes = is_classifier(estimator) and y is not None and type_of_target(y) in ("binary", "multiclass")
        cv = (StratifiedKFold if classes else KFold)(5 if cv is None else cv)
    if not hasattr(cv, "split") and not isinstance(cv, Iterable):
        raise TypeError(f"cv must be None, an integer, a splitter or a list of (train, test) pairs, got {cv!r}.")
    return check_splits(cv.split(X, y) if hasattr(cv, "split") else cv, _num_samples(X))


def _with_params(estimator: Any, params: dict[str, Any]) -> Any:
    """A clone with these hyper-parameters; they decide whether X is a kernel matrix, too."""
    return clone(estimator).set_params(**clone(params, safe=False))


def _parts(model: Any, X: Any, y: Any, split: Split) -> tuple[Any, Any, Any, Any]:
    """X and y of the training and of the test part; a kernel or distance matrix loses columns, too."""
    pairwise = get_tags(model).input_tags.pairwise
    columns = _safe_indexing(check_pairwise(X), split.train, axis=1) if pairwise else X
    y_train, y_test = (None if y is None else _safe_indexing(y, part) for part in split)
    return _safe_indexing(columns, split.train), y_train, _safe_indexing(columns, split.test), y_test


class FoldScores(NamedTuple):
    """Scores of one split, or arrays (m, K) of those of m candidates on K splits; NaN where nothing was asked for.

    ``test`` and ``train``: scores on the two parts; ``fit_time`` and ``score_time``: seconds for the fit and for the
    score on the test part; ``fitted``: whether the fit succeeded.
    """

    test: Any
    train: Any
    fit_time: Any
    score_time: Any
    fitted: Any


def _fit_and_score(
    model: Any,
    params: dict[str, Any],
    parts: tuple[Any, Any, Any, Any],
    scorer: Scorer,
    train: bool = False,
    error_score: float | str = "raise",
) -> FoldScores:
    X_train, y_train, X_test, y_test = parts

    def fit() -> bool:
        model.fit(X_train, y_train)
        return True

    def score(X: Any, y: Any) -> float:
        what = lambda: _finite(scorer(model, X, y), params)
        return _attempt(what, error_score, error_score, "scoring", params)

    start = perf_counter()
    fitted = _attempt(fit, False, error_score, "fit", params)
    end_of_fit = perf_counter()
    if not fitted:
        return FoldScores(error_score, error_score, end_of_fit - start, 0.0, False)
    test = score(X_test, y_test)
    score_time = perf_counter() - end_of_fit
    return FoldScores(test, score(X_train, y_train) if train else np.nan, end_of_fit - start, score_time, True)


def _attempt(call: Callable[[], Any], otherwise: Any, error_score: float | str, what: str, params: Any) -> Any:
    """Result of ``call``; where that fails ``otherwise`` and a warning, or the error if it is to be raised."""
    try:
        return call()
    except Exception as error:
        if error_score == "raise":
            raise
        message = f"{what} failed{_where(params)}, the score is set to error_score={error_score}: {error!r}"
        warnings.warn(message, FitFailedWarning, stacklevel=2)
        return otherwise


def _where(params: dict[str, Any]) -> str:
    return f" for {params}" if params else ""


def _finite(value: Any, params: dict[str, Any]) -> float:
    if np.ndim(value) or not isinstance(value := np.asarray(value).item(), Real) or not np.isfinite(float(value)):
        raise ValueError(
            f"scoring must return a finite number, got {value!r}{_where(params)}: choose one that is defined on every "
            "test part."
        )
    return float(value)


def scores_of_both_parts(
    model: Any, params: dict[str, Any], X: Any, y: Any, split: Split, scorer: Scorer
) -> tuple[float, float]:
    """Score on the part that a clone was fitted on, and on the other."""
    model = _with_params(model, params)
    found = _fit_and_score(model, params, _parts(model, X, y, split), scorer, train=True)
    return found.train, found.test


def cross_val_score(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = None,
    scoring: str | Scorer | None = None,
    progress: Progress = None,
) -> FloatArray:
    """Fit on all folds but one, score on that one, for each in turn; :eq:`cross-validation-k-fold` is their mean.

    Parameters
    ----------
    estimator : estimator
        Cloned for each fold; itself left as it is. Whatever learns from data must be inside (a pipeline).
    X : array or table of n rows
        The (n, n) kernel matrix if the estimator takes one: then each part has rows of its own, and the columns of the
        training part.
    y : (n,) array or None
    cv : int, splitter, iterable of (train, test), or None
        An int is a number of folds, None means 5; for a classifier they are stratified. Not shuffled.
    scoring : str, callable or None
        Name of a measure such as 'accuracy' or 'neg_mean_squared_error' (larger is better, hence the sign), a callable
        ``f(fitted, X, y)``, which gets no y if there is none, or the estimator's own ``score``.
    progress : callable or None
        Called as ``progress(done, total)`` before the first and after each fit, e.g. a
        :func:`notes_lib.display.progress_line`.

    Returns
    -------
    (K,) array
        One score for each fold.

    Raises
    ------
    ValueError, TypeError
        If lengths differ, a kernel matrix is not square, ``cv`` or ``scoring`` is not as above, a split names a row
        that is not there or has an instance in both parts, or a score is no finite number.

    Notes
    -----
    K fits.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> cross_val_score(DummyRegressor(), np.zeros((4, 1)), [1, 1, 2, 2], cv=2, scoring="neg_mean_squared_error")
    array([-1., -1.])
    """
    X, y = checked(X, y)
    scorer = as_scorer(estimator, scoring)
    return all_scores(estimator, [{}], X, y, as_splits(cv, estimator, X, y), scorer, progress, 0)[0]


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    scoring: str | Scorer | None = None,
    cv: Any = None,
    return_train_score: bool = False,
    error_score: float | str = "raise",
    progress: Progress = None,
) -> dict[str, FloatArray]:
    """Scores of :func:`cross_val_score` with the times that they took, and on request scores on the training parts.

    Parameters
    ----------
    estimator, X, y, scoring, cv, progress
        As in :func:`cross_val_score`.
    return_train_score : bool
        Whether to score on the training parts, too.
    error_score : 'raise' or number
        Score of a part on which fitting or scoring fails, with a ``FitFailedWarning``; NaN counts as a number. 'raise'
        raises the error. (scikit-learn's default is NaN: an error is easily overlooked then.)

    Returns
    -------
    dict of (K,) arrays
        ``fit_time`` and ``score_time`` (test part only) in seconds, ``test_score``, and ``train_score`` if asked for.

    Raises
    ------
    ValueError, TypeError
        As :func:`cross_val_score`; if ``error_score`` is not as above; if every fit fails.

    Notes
    -----
    K fits.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> mse = "neg_mean_squared_error"
    >>> found = cross_validate(DummyRegressor(), [[0]] * 4, [1, 1, 2, 2], cv=2, scoring=mse, return_train_score=True)
    >>> found["test_score"], found["train_score"]
    (array([-1., -1.]), array([-0., -0.]))
    """
    X, y = checked(X, y)
    scorer, splits = as_scorer(estimator, scoring), as_splits(cv, estimator, X, y)
    found = all_folds(estimator, [{}], X, y, splits, scorer, progress, 0, return_train_score, error_score)
    result = {"fit_time": found.fit_time[0], "score_time": found.score_time[0], "test_score": found.test[0]}
    return result | ({"train_score": found.train[0]} if return_train_score else {})


def all_scores(
    estimator: Any,
    candidates: Sequence[dict[str, Any]],
    X: Any,
    y: Any,
    splits: list[Split],
    scorer: Scorer,
    progress: Progress,
    more: int,
) -> FloatArray:
    """Scores (m, K) on the test parts; parameters as in :func:`all_folds`."""
    return all_folds(estimator, candidates, X, y, splits, scorer, progress, more).test


def all_folds(
    estimator: Any,
    candidates: Sequence[dict[str, Any]],
    X: Any,
    y: Any,
    splits: list[Split],
    scorer: Scorer,
    progress: Progress,
    more: int,
    train: bool = False,
    error_score: float | str = "raise",
) -> FoldScores:
    """Fit and score m candidates on K splits; ``more`` fits that come later are part of the total that is reported."""
    check_error_score(error_score)
    total = len(candidates) * len(splits)
    report: Callable[[int, int], object] = progress or (lambda done, total: None)
    report(0, total + more)
    found = []
    for params, split in product(candidates, splits):
        model = _with_params(estimator, params)
        found.append(_fit_and_score(model, params, _parts(model, X, y, split), scorer, train, error_score))
        report(len(found), total + more)
    if not any(one.fitted for one in found):
        raise ValueError(
            f"all {total} fits failed, so there is no score: see the warnings, or set error_score='raise'."
        )
    table = np.array(found, dtype=float).reshape(len(candidates), len(splits), len(FoldScores._fields))
    return FoldScores(*np.moveaxis(table, 2, 0))
