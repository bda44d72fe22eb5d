"""Fitting and scoring on every split of a cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils import _safe_indexing, assert_all_finite, get_tags, indexable
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _num_samples

from notes_lib.checks import FloatArray
from notes_lib.foundations.cross_validation.checks import Split, check_pairwise, check_splits
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
Scorer = Callable[[Any, Any, Any], float]  # called with a fitted estimator, X and y


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
        return scoring
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


def _fit_and_score(model: Any, params: dict[str, Any], parts: tuple[Any, Any, Any, Any], scorer: Scorer) -> float:
    X_train, y_train, X_test, y_test = parts
    model.fit(X_train, y_train)
    return _finite(scorer(model, X_test, y_test), params)


def _finite(value: Any, params: dict[str, Any]) -> float:
    if not isinstance(value, Real) or not np.isfinite(float(value)):
        where = f" for {params}" if params else ""
        raise ValueError(
            f"scoring must return a finite number, got {value!r}{where}: choose one that is defined on every test part."
        )
    return float(value)


def scores_of_both_parts(
    model: Any, params: dict[str, Any], X: Any, y: Any, split: Split, scorer: Scorer
) -> tuple[float, float]:
    """Score on the part that a clone was fitted on, and on the other."""
    model = _with_params(model, params)
    parts = _parts(model, X, y, split)
    test = _fit_and_score(model, params, parts, scorer)
    return _finite(scorer(model, *parts[:2]), params), test


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
        ``f(fitted, X, y)``, or the estimator's own ``score``.
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
    """Scores (m, K); ``more`` fits that come later are part of the total that is reported."""
    scores = np.empty((len(candidates), len(splits)))
    report: Callable[[int, int], object] = progress or (lambda done, total: None)
    report(0, scores.size + more)
    for done, (i, k) in enumerate(np.ndindex(scores.shape), start=1):
        model = _with_params(estimator, candidates[i])
        scores[i, k] = _fit_and_score(model, candidates[i], _parts(model, X, y, splits[k]), scorer)
        report(done, scores.size + more)
    return scores
