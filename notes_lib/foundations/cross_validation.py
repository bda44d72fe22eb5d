"""Cross-validation: judging a model, and choosing its hyper-parameters, on data that it has not seen.

Names, parameters and results are those of scikit-learn, and without shuffling the splits are the same. Nothing prints;
a long search reports to a callable ``progress(done, total)``. Left out: sample weights, groups, several scores at once,
and times in ``cv_results_``.

Source: Stone (1974), J. R. Stat. Soc. B 36, 111-147; Hastie, Tibshirani and Friedman (2009), section 7.10; Breiman,
Friedman, Olshen and Stone (1984), section 3.4 (the one-standard-error rule).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.utils import _safe_indexing, assert_all_finite, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _num_samples, check_is_fitted

from notes_lib.foundations._cross_validation_input import Split, check_grid, check_names, check_splits
from notes_lib.foundations._cross_validation_splits import KFold, LeaveOneOut, StratifiedKFold, train_test_split
from notes_lib.foundations._cross_validation_summary import (
    FoldSummary,
    fold_summary,
    leave_one_out_residuals,
    number_of_fits,
    one_standard_error_index,
)
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
from notes_lib.numerics import FloatArray, check_integer

__all__ = [
    "FoldSummary",
    "GridSearchCV",
    "KFold",
    "LeaveOneOut",
    "Split",
    "StratifiedKFold",
    "cross_val_score",
    "fold_summary",
    "leave_one_out_residuals",
    "number_of_fits",
    "one_standard_error_index",
    "parameter_candidates",
    "train_test_split",
]

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


def _scorer(estimator: Any, scoring: Any) -> Scorer:
    if callable(scoring):
        return scoring
    if scoring is None:
        if not hasattr(estimator, "score"):
            raise TypeError(f"scoring must be given, because {type(estimator).__name__} has no score method.")
        return lambda model, X, y: model.score(X) if y is None else model.score(X, y)
    if scoring not in SCORERS:
        raise ValueError(f"scoring must be None, a callable or one of {sorted(SCORERS)}, got {scoring!r}.")
    return SCORERS[scoring]


def _checked(X: Any, y: Any) -> tuple[Any, Any]:
    if y is not None:
        assert_all_finite(np.asarray(y), input_name="y")
    return tuple(indexable(X, y))


def _splits(cv: Any, estimator: Any, X: Any, y: Any) -> list[Split]:
    """All splits at once, so that every candidate is judged on the same folds."""
    if cv is None or isinstance(cv, int):
        classes = is_classifier(estimator) and y is not None and type_of_target(y) in ("binary", "multiclass")
        cv = (StratifiedKFold if classes else KFold)(5 if cv is None else cv)
    if not hasattr(cv, "split") and not isinstance(cv, Iterable):
        raise TypeError(f"cv must be None, an integer, a splitter or a list of (train, test) pairs, got {cv!r}.")
    return check_splits(cv.split(X, y) if hasattr(cv, "split") else cv, _num_samples(X))


def _parts(X: Any, y: Any, split: Split, pairwise: bool) -> tuple[Any, Any, Any, Any]:
    """X and y of the training and of the test part; a kernel or distance matrix loses columns, too."""
    columns = _safe_indexing(X, split.train, axis=1) if pairwise else X
    y_train, y_test = (None if y is None else _safe_indexing(y, part) for part in split)
    return _safe_indexing(columns, split.train), y_train, _safe_indexing(columns, split.test), y_test


def _fit_and_score(model: Any, params: dict[str, Any], parts: tuple[Any, Any, Any, Any], scorer: Scorer) -> float:
    X_train, y_train, X_test, y_test = parts
    model.set_params(**clone(params, safe=False)).fit(X_train, y_train)
    value = scorer(model, X_test, y_test)
    if not isinstance(value, Real) or not np.isfinite(value):
        where = f" for {params}" if params else ""
        raise ValueError(
            f"scoring must return a finite number, got {value!r}{where}: choose one that is defined on every test part."
        )
    return float(value)


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
        If lengths differ, ``cv`` or ``scoring`` is not as above, a split names a row that is not there or has an
        instance in both parts, or a score is no finite number.

    Notes
    -----
    K fits.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> cross_val_score(DummyRegressor(), np.zeros((4, 1)), [1, 1, 2, 2], cv=2, scoring="neg_mean_squared_error")
    array([-1., -1.])
    """
    X, y = _checked(X, y)
    scorer = _scorer(estimator, scoring)
    return _all_scores(estimator, [{}], X, y, _splits(cv, estimator, X, y), scorer, progress, 0)[0]


def _all_scores(
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
    pairwise = get_tags(estimator).input_tags.pairwise
    for done, (i, k) in enumerate(np.ndindex(scores.shape), start=1):
        scores[i, k] = _fit_and_score(clone(estimator), candidates[i], _parts(X, y, splits[k], pairwise), scorer)
        report(done, scores.size + more)
    return scores


def parameter_candidates(param_grid: Any) -> list[dict[str, Any]]:
    """List all combinations of a grid, in the order of scikit-learn: names sorted, the last one varies fastest.

    Parameters
    ----------
    param_grid : dict of lists, or list of such dicts
        Values of each hyper-parameter; the grids of a list follow one another.

    Returns
    -------
    list of dict

    Raises
    ------
    TypeError, ValueError
        If it is not such a grid, or a list is empty.

    Examples
    --------
    >>> parameter_candidates({"b": [1, 2], "a": ["x"]})
    [{'a': 'x', 'b': 1}, {'a': 'x', 'b': 2}]
    """
    return [
        dict(zip(names, values, strict=True))
        for grid in check_grid(param_grid)
        for names in [sorted(grid)]
        for values in product(*(grid[name] for name in names))
    ]


def _refitted(method: str) -> Callable[[Any], bool]:
    """Whether a search hands ``method`` on: it refits, and its estimator has the method."""

    def available(search: Any) -> bool:
        return search.refit is not False and hasattr(getattr(search, "best_estimator_", search.estimator), method)

    return available


class GridSearchCV(MetaEstimatorMixin, BaseEstimator):
    """Choose hyper-parameters by cross-validation over a grid, then fit once more on everything.

    Parameters
    ----------
    estimator : estimator
        Any with ``get_params``, ``set_params`` and ``fit``.
    param_grid : dict of lists, or list of such dicts
        Values to try; ``step__name`` reaches into a pipeline.
    scoring, cv, progress
        As in :func:`cross_val_score`.
    refit : bool or callable
        Whether to fit the winner on all of the data. A callable is given ``cv_results_`` and returns the index of the
        winner, for instance by :func:`one_standard_error_index`.

    Attributes
    ----------
    cv_results_ : dict
        ``params``, ``split0_test_score`` ..., ``mean_test_score``, ``std_test_score`` (divisor K), ``rank_test_score``,
        and ``param_<name>`` (masked where a grid lacks the name).
    best_index_, best_params_, best_score_
        The winner: highest mean, the first in a tie, or the callable's choice. ``best_score_`` is the mean on which it
        was chosen, so it is optimistic: judge the search by an outer :func:`cross_val_score`.
    best_estimator_ : estimator
        Fitted on all of the data, unless ``refit`` is False.
    n_splits_ : int
    classes_, n_features_in_, feature_names_in_
        Those of ``best_estimator_``, where it has them.

    Notes
    -----
    :eq:`cross-validation-fits` models are fitted.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> grid = {"strategy": ["mean", "median"]}
    >>> search = GridSearchCV(DummyRegressor(), grid, scoring="neg_mean_absolute_error", cv=2)
    >>> search.fit([[0]] * 6, [0, 0, 9, 0, 0, 9]).best_params_
    {'strategy': 'median'}
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        scoring: str | Scorer | None = None,
        refit: bool | Callable[[dict[str, Any]], int] = True,
        cv: Any = None,
        progress: Progress = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.scoring = scoring
        self.refit = refit
        self.cv = cv
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:
        """Search the grid and refit the winner.

        Parameters
        ----------
        X : array or table of n rows
        y : (n,) array or None

        Returns
        -------
        GridSearchCV
            Itself.

        Raises
        ------
        ValueError, TypeError
            As :func:`cross_val_score`; if ``param_grid`` is no grid or names what the estimator lacks; if a callable
            ``refit`` returns no index of a candidate.
        """
        X, y = _checked(X, y)
        candidates = parameter_candidates(self.param_grid)
        check_names(self.estimator, candidates)
        scorer, splits = _scorer(self.estimator, self.scoring), _splits(self.cv, self.estimator, X, y)
        more = int(self.refit is not False)
        scores = _all_scores(self.estimator, candidates, X, y, splits, scorer, self.progress, more)
        self.n_splits_ = len(splits)
        self.cv_results_ = _results(candidates, scores)
        self.best_index_ = self._winner()
        self.best_params_ = candidates[self.best_index_]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        if more:
            self.best_estimator_ = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
            self.best_estimator_.fit(X, y)
            if self.progress is not None:
                self.progress(scores.size + 1, scores.size + 1)
        return self

    def _winner(self) -> int:
        if not callable(self.refit):
            return int(self.cv_results_["mean_test_score"].argmax())
        index = check_integer(self.refit(self.cv_results_), "the result of refit", 0)
        if index >= len(self.cv_results_["params"]):
            raise ValueError(f"refit must return an index of one of {len(self.cv_results_['params'])}, got {index}.")
        return index

    def score(self, X: Any, y: Any = None) -> float:
        """Score of the refitted winner, by the measure of the search."""
        check_is_fitted(self, "best_estimator_")
        return float(_scorer(self.best_estimator_, self.scoring)(self.best_estimator_, X, y))

    def __getattr__(self, name: str) -> Any:
        """Hand the learned attributes of the winner on."""
        if name in ("classes_", "n_features_in_", "feature_names_in_") and "best_estimator_" in vars(self):
            return getattr(self.best_estimator_, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}.")

    def __sklearn_is_fitted__(self) -> bool:
        return "cv_results_" in vars(self)

    @available_if(_refitted("predict"))
    def predict(self, X: Any) -> Any:
        """Predictions of the refitted winner."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict(X)

    @available_if(_refitted("predict_proba"))
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes of the refitted winner."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict_proba(X)

    @available_if(_refitted("decision_function"))
    def decision_function(self, X: Any) -> Any:
        """Decision values of the refitted winner."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.decision_function(X)

    @available_if(_refitted("transform"))
    def transform(self, X: Any) -> Any:
        """Transformed rows of the refitted winner."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.transform(X)

    @available_if(_refitted("score_samples"))
    def score_samples(self, X: Any) -> Any:
        """Log-densities of the refitted winner."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.score_samples(X)

    def __sklearn_tags__(self) -> Any:
        tags, own = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type = own.estimator_type
        tags.classifier_tags, tags.regressor_tags = own.classifier_tags, own.regressor_tags
        tags.input_tags, tags.target_tags = own.input_tags, own.target_tags
        return tags


def _results(candidates: list[dict[str, Any]], scores: FloatArray) -> dict[str, Any]:
    mean = scores.mean(axis=1)  # cross-validation-k-fold
    results: dict[str, Any] = {"params": candidates}
    for name in sorted({name for candidate in candidates for name in candidate}):
        column = np.ma.masked_all(len(candidates), dtype=object)
        for i, candidate in enumerate(candidates):
            if name in candidate:
                column[i] = candidate[name]
        results[f"param_{name}"] = column
    results |= {f"split{k}_test_score": scores[:, k] for k in range(scores.shape[1])}
    rank = 1 + (mean > mean[:, None]).sum(axis=1)  # equal means share the better rank
    return results | {"mean_test_score": mean, "std_test_score": scores.std(axis=1), "rank_test_score": rank}
