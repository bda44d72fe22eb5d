"""Grid search: hyper-parameters chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from notes_lib.checks import check_integer
from notes_lib.foundations.cross_validation.checks import check_grid, check_names
from notes_lib.foundations.cross_validation.scoring import (
    FoldScores,
    Progress,
    Scorer,
    all_folds,
    as_scorer,
    as_splits,
    checked,
)


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
    error_score, return_train_score
        As in :func:`cross_validate`. A candidate whose mean is NaN comes last.

    Attributes
    ----------
    cv_results_ : dict
        ``params``, ``split0_test_score`` ..., ``mean_test_score``, ``std_test_score`` (divisor K), ``rank_test_score``,
        and ``param_<name>`` (masked where a grid lacks the name); ``mean_fit_time``, ``std_fit_time``,
        ``mean_score_time`` and ``std_score_time`` in seconds; with ``return_train_score`` also
        ``split0_train_score`` ..., ``mean_train_score`` and ``std_train_score``.
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
        error_score: float | str = "raise",
        return_train_score: bool = False,
        progress: Progress = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.scoring = scoring
        self.refit = refit
        self.cv = cv
        self.error_score = error_score
        self.return_train_score = return_train_score
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
            ``refit`` returns no index of a candidate; if no candidate has a mean score, because each one failed on
            some split.
        """
        X, y = checked(X, y)
        candidates = parameter_candidates(self.param_grid)
        check_names(self.estimator, candidates)
        scorer, splits = as_scorer(self.estimator, self.scoring), as_splits(self.cv, self.estimator, X, y)
        more = int(self.refit is not False)
        how = (self.progress, more, self.return_train_score, self.error_score)
        found = all_folds(self.estimator, candidates, X, y, splits, scorer, *how)
        self.n_splits_ = len(splits)
        self.cv_results_ = _results(candidates, found, self.return_train_score)
        self.best_index_ = self._winner()
        self.best_params_ = candidates[self.best_index_]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        if more:
            self.best_estimator_ = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
            self.best_estimator_.fit(X, y)
            if self.progress is not None:
                self.progress(found.test.size + 1, found.test.size + 1)
        return self

    def _winner(self) -> int:
        if not callable(self.refit):
            if np.isnan(self.cv_results_["mean_test_score"]).all():
                raise ValueError(
                    "each candidate failed on some split, so none has a mean: set error_score to a number."
                )
            return int(self.cv_results_["rank_test_score"].argmin())
        index = check_integer(self.refit(self.cv_results_), "the result of refit", 0)
        if index >= len(self.cv_results_["params"]):
            raise ValueError(f"refit must return an index of one of {len(self.cv_results_['params'])}, got {index}.")
        return index

    def score(self, X: Any, y: Any = None) -> float:
        """Score of the refitted winner, by the measure of the search."""
        check_is_fitted(self, "best_estimator_")
        return float(as_scorer(self.best_estimator_, self.scoring)(self.best_estimator_, X, y))

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

    @available_if(_refitted("predict_log_proba"))
    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of the probabilities of the classes of the refitted winner."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict_log_proba(X)

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


def _results(candidates: list[dict[str, Any]], found: FoldScores, train: bool) -> dict[str, Any]:
    results: dict[str, Any] = {"params": candidates}
    for name, times in (("fit_time", found.fit_time), ("score_time", found.score_time)):
        results |= {f"mean_{name}": times.mean(axis=1), f"std_{name}": times.std(axis=1)}
    for name in sorted({name for candidate in candidates for name in candidate}):
        column = np.ma.masked_all(len(candidates), dtype=object)
        for i, candidate in enumerate(candidates):
            if name in candidate:
                column[i] = candidate[name]
        results[f"param_{name}"] = column
    for part, scores in (("test", found.test), *([("train", found.train)] if train else [])):
        results |= {f"split{k}_{part}_score": column for k, column in enumerate(scores.T)}
        results |= {f"mean_{part}_score": scores.mean(axis=1), f"std_{part}_score": scores.std(axis=1)}
    mean = np.nan_to_num(results["mean_test_score"], nan=-np.inf)  # cross-validation-k-fold
    rank = 1 + (mean > mean[:, None]).sum(axis=1)  # equal means share the better rank
    return results | {"rank_test_score": rank}
