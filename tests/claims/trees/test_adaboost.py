"""The quiz of the chapter *AdaBoost*, decided: see ``tests/claims/deciding.py``."""

from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from notes_lib.trees.adaboost import (
    AdaBoostClassifier,
    exponential_update,
    mistake_update,
    normalizer,
    vote,
    vote_margins,
    weighted_error,
)
from tests.claims.deciding import Numbers, decided


class _Run(NamedTuple):
    """Rounds of AdaBoost with stumps: labels, answers (T, n), votes, errors, losses, and the weights before each."""

    y: np.ndarray
    stumps: list
    h: np.ndarray
    alpha: np.ndarray
    error: np.ndarray
    loss: np.ndarray
    weights: list


@cache
def _run(seed=0, rounds=30):
    """AdaBoost on two classes with a slanting boundary, which some ten stumps can learn."""
    X = np.random.default_rng(seed).uniform(-1, 1, size=(60, 2))
    y = np.where(X.sum(axis=1) > 0, 1, -1)
    model = AdaBoostClassifier(n_estimators=rounds, criterion="error").fit(X, y)
    h = np.array([stump.predict(X) for stump in model.estimators_])
    alpha, weights = model.estimator_weights_ / 2, [np.full(60, 1 / 60)]
    for t in range(len(h)):
        weights.append(exponential_update(weights[-1], y, h[t], alpha[t]))
    return _Run(y, model.estimators_, h, alpha, model.estimator_errors_, model.objective_, weights)


RUNS = [_run(seed) for seed in range(3)]


def _training_errors(run):
    return ((run.alpha[:, None] * run.h).cumsum(axis=0) * run.y <= 0).mean(axis=1)


class _Wrong(ClassifierMixin, BaseEstimator):
    """A weak learner with a given error on rows of equal weight: it gives the first rows the next class."""

    def __init__(self, error):
        self.error = error

    def fit(self, X, y, sample_weight):
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.said_ = self.classes_[(codes + (np.arange(len(y)) < self.error * len(y))) % len(self.classes_)]
        return self

    def predict(self, X):
        return self.said_


def quiz_vote(error):
    """A weak learner has the weighted error <error>. Its vote and the factor $Z_t$ are"""
    alpha = vote(error)
    Z = normalizer(error, alpha)
    return Numbers([alpha, Z], [[2 * alpha, Z], [alpha, Z / 2], [-alpha, Z]])


def quiz_weight(n, mistakes):
    """<n> equal weights, <mistakes> mistakes. The new weight of a mistake is"""
    before, miss = np.full(int(n), 1 / n), np.arange(n) < mistakes
    epsilon = weighted_error(before, miss)
    after = mistake_update(before, miss, epsilon)
    return Numbers(after[0], [before[0] * np.exp(vote(epsilon)), after[miss].sum(), after[-1]])


def quiz_samme(classes):
    """With <classes> classes SAMME accepts a weak learner with the weighted error"""
    y, errors = np.arange(200) % int(classes), np.arange(0.05, 1, 0.1)

    def accepts(error):
        try:
            return len(AdaBoostClassifier(_Wrong(error), n_estimators=1).fit(y[:, None], y).estimators_) == 1
        except ValueError as refusal:
            return "chance" not in str(refusal)

    accepted = np.array([accepts(error) for error in errors])
    below = lambda limit: (accepted == (errors < limit)).all()
    return {
        f"below {1 / 2:g}": below(1 / 2),
        f"below {1 / classes:g}": below(1 / classes),
        "of any size": accepted.all(),
        f"below {1 - 1 / classes:g}": below(1 - 1 / classes),
    }


def quiz_after():
    """Which are true after each round with the best vote? (Mark all.)"""
    last = [weighted_error(w, h != run.y) for run in RUNS for h, w in zip(run.h, run.weights[1:], strict=True)]
    return {
        "The last learner has weighted error $<e>$ on the new weights.": lambda e: np.allclose(last, e),
        "The next weighted error is smaller.": all((np.diff(run.error) < 0).all() for run in RUNS),
        "The training error has fallen.": all((np.diff(_training_errors(run)) < 0).all() for run in RUNS),
        "The mean exponential loss is the product of all $Z_t$.": all(
            np.allclose(run.loss, normalizer(run.error, run.alpha).cumprod()) for run in RUNS
        ),
    }


def tf_same():
    """The same stump is never the best one in two rounds in a row."""
    return all((run.h[1:] != run.h[:-1]).any(axis=1).all() for run in RUNS)


def tf_zero():
    """Training error 0 means that further rounds change nothing."""
    unchanged = []
    for run in RUNS:
        first = np.flatnonzero(_training_errors(run) == 0)[0] + 1
        margins = [vote_margins(run.y, run.h[:t], run.alpha[:t]) for t in (first, first + 1)]
        unchanged.append(np.allclose(*margins) and np.allclose(run.weights[first], run.weights[first + 1]))
    return all(unchanged)


def tf_weights():
    """The weights of AdaBoost are the exponential losses of the ensemble so far, divided by their sum."""
    losses = [np.exp(-(run.alpha[:, None] * run.h).cumsum(axis=0) * run.y) for run in RUNS]
    return all(
        np.allclose(run.weights[1:], loss / loss.sum(axis=1, keepdims=True))
        for run, loss in zip(RUNS, losses, strict=True)
    )


def tf_parallel():
    """AdaBoost can be run in parallel like a random forest."""
    # learners that do not wait for each other have the first weights, and so the first stump
    return all(stump == run.stumps[0] for run in RUNS for stump in run.stumps)


test_claim = decided("trees/adaboost", globals())
