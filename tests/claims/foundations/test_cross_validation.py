"""The quiz of the chapter *Cross-validation*, decided: see ``tests/claims/deciding.py``."""

from itertools import pairwise

import numpy as np
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler

from notes_lib.foundations.cross_validation import (
    GridSearchCV,
    KFold,
    fold_summary,
    leave_one_out_residuals,
    number_of_fits,
)
from notes_lib.linear.regularization import Ridge
from tests.claims.deciding import Numbers, decided

STRENGTHS = np.array([0.0, 0.1, 1.0, 10.0, 100.0])


def _data(seed, n=30, D=10):
    """Rows of which the features say little, and their targets."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D))
    return X, 0.5 * X[:, 0] + rng.normal(size=n)


def _loss(model, X, y):
    return np.mean((y - model.predict(X)) ** 2)


def _held_out(model, X, y, K):
    """The mean loss on the folds."""
    return np.mean([_loss(model.fit(X[train], y[train]), X[test], y[test]) for train, test in KFold(K).split(X)])


def quiz_fits(m, K):
    """<m> candidates, <K> folds, final fit included. How many models?"""
    return Numbers(number_of_fits(int(m), int(K)), [m * K, m + K, m * K + K])


def quiz_inside():
    """Which steps belong inside the cross-validation?"""
    gaps = np.where(np.arange(300).reshape(30, 10) % 7 == 0, np.nan, 0)
    train = np.arange(20)

    def learns(step, gaps=0.0):
        """Whether what becomes of the training rows depends on the others."""
        found = []
        for seed in range(5):
            X, y = _data(seed)
            X = X + gaps
            found.append(np.allclose(step(X, y)[train], step(X[train], y[train])))
        return not all(found)

    def chosen(rows, targets):
        """Which columns are left, written into each row."""
        found = SelectKBest(f_regression, k=3).fit(rows, targets).get_support()
        return np.tile(found, (len(rows), 1))

    return {
        "selecting features by correlation with the label": learns(chosen),
        "converting centimetres to metres": learns(lambda rows, _: rows / 100),
        "standardising the columns": learns(lambda rows, _: StandardScaler().fit_transform(rows)),
        "imputing missing values by the mean": learns(lambda rows, _: SimpleImputer().fit_transform(rows), gaps),
    }


def quiz_bias():
    """Compared with the model fitted on all data, 2-fold cross-validation usually reports"""
    model, runs = Ridge(1e-6), []
    for seed in range(200):
        X, y = _data(seed)
        reported = _held_out(model, X, y, 2)
        runs.append([reported, _loss(model.fit(X, y), *_data(1000 + seed, 300))])
    runs = np.array(runs)
    more = fold_summary(runs[:, 0] - runs[:, 1])
    return {
        "a larger loss": more.mean > 4 * more.standard_error,
        "a smaller loss": more.mean < -4 * more.standard_error,
        "the same loss on average": abs(more.mean) < 4 * more.standard_error,
        "a loss of 0": np.allclose(runs[:, 0], 0),
    }


def quiz_se(scores):
    """Fold accuracies <scores>. The standard error of the mean is"""
    K, s = len(scores), np.std(scores, ddof=1)
    return Numbers(fold_summary(scores).standard_error, [s, np.std(scores), s / K])


def quiz_curves():
    """Two curves against the flexibility of the model: loss A falls throughout, loss B falls and then rises."""
    runs = []
    for seed in range(24):
        rng = np.random.default_rng(seed)
        x = rng.uniform(-1, 1, size=40)
        y = np.sin(3 * x) + 0.4 * rng.normal(size=40)
        row = []
        for degree in range(9):
            A = np.vander(x, degree + 1)
            model = Ridge(1e-9, fit_intercept=False)
            row.append([_loss(model.fit(A[:n], y[:n]), A[:n], y[:n]) for n in (15, 40)])
            row[-1] += [_held_out(model, A, y, K) for K in (2, 10)]
        runs.append(row)
    few, many, two, ten = np.median(runs, axis=0).T
    falls = lambda loss: (np.diff(loss) < 0).all()
    turns = lambda loss: 0 < loss.argmin() < len(loss) - 1
    fits = lambda A, B: falls(A) and turns(B)
    return {
        "A is the training loss, B the validation loss.": fits(many, ten),
        "A is the validation loss, B the training loss.": fits(ten, many),
        "Both are validation losses, of few and of many folds.": fits(two, ten) or fits(ten, two),
        "Both are training losses, of few and of many instances.": fits(few, many) or fits(many, few),
    }


def tf_training():
    """The training loss is a fair guide to the strength of a penalty."""
    least = []
    for seed in range(20):
        X, y = _data(seed)
        training = [_loss(Ridge(a).fit(X, y), X, y) for a in STRENGTHS]
        fresh = [_loss(Ridge(a).fit(X, y), *_data(1000 + seed, 400)) for a in STRENGTHS]
        assert np.argmin(training) == 0
        least.append(np.argmin(fresh) == np.argmin(training))
    return np.mean(least) > 0.5


def tf_press():
    """For ridge regression leave-one-out needs only one fit."""
    X, y = _data(0)
    others = lambda n: np.arange(len(y)) != n
    one = lambda n: Ridge(3.0, fit_intercept=False).fit(X[others(n)], y[others(n)])
    refitted = [y[n] - X[n] @ one(n).coef_ for n in range(len(y))]
    H = X @ np.linalg.solve(X.T @ X + 3 * np.eye(X.shape[1]), X.T)
    return np.allclose(leave_one_out_residuals(y - H @ y, np.diag(H)), refitted)


def tf_models():
    """The K models of the folds are combined into the final model."""
    X, y = _data(1)
    final = GridSearchCV(Ridge(), {"alpha": [1.0]}, cv=KFold(5)).fit(X, y).best_estimator_
    of_folds = [Ridge(1.0).fit(X[train], y[train]).coef_ for train, _ in KFold(5).split(X)]
    assert np.allclose(final.coef_, Ridge(1.0).fit(X, y).coef_)
    return np.allclose(final.coef_, np.mean(of_folds, axis=0))


def tf_nested():
    """Nested cross-validation returns one best value of the hyper-parameters."""
    picks = []
    for seed in range(10):
        X, y = _data(seed)
        search = GridSearchCV(Ridge(), {"alpha": STRENGTHS.tolist()}, cv=KFold(4))
        found = {search.fit(X[train], y[train]).best_params_["alpha"] for train, _ in KFold(5).split(X)}
        picks.append(len(found) == 1)
    return all(picks)


def tf_larger():
    """With larger K each model of a fold sees more data."""
    sizes = [[len(train) for train, _ in KFold(K).split(np.zeros(60))] for K in (2, 3, 4, 5, 6, 10, 12, 15, 20, 60)]
    return all(max(fewer) < min(more) for fewer, more in pairwise(sizes))


test_claim = decided("foundations/cross_validation", globals())
