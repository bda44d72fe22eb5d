"""Exercises on cross-validation: every fold is fitted, and every fit counted."""

import numpy as np
from scipy import stats

from notes_lib.datasets import load_iris, load_longley
from tests.solutions.ledger import Worked


def _neighbours(x, k):
    """The nearest others of each instance; of two at equal distance the left one."""
    return [
        sorted((j for j in range(len(x)) if j != i), key=lambda j: (abs(x[j] - x[i]), x[j]))[:k] for i in range(len(x))
    ]


def _leave_one_out(x, labels, k):
    votes = [[labels[j] for j in near] for near in _neighbours(x, k)]
    return np.mean([max("AB", key=vote.count) == label for vote, label in zip(votes, labels, strict=True)])


def _searches(candidates, folds, outer=0):
    """The sizes of the training sets of a search, also inside outer folds, as shares of the data."""
    if outer:
        return [share * (1 - 1 / outer) for _ in range(outer) for share in _searches(candidates, folds)]
    return [1 - 1 / folds for _ in range(candidates) for _ in range(folds)] + [1.0]


def ex_loo():
    x, labels = np.array([0, 1, 2, 4, 5, 7]), "AABBBA"
    near = x[np.ravel(_neighbours(x, 1))]
    first, second = np.transpose([x, near])[:2], np.transpose([x, near])[2:]
    one, three = _leave_one_out(x, labels, 1), _leave_one_out(x, labels, 3)
    tied = sorted(x[np.abs(x - 4) == 3])
    return Worked(
        {"k": max((1, 3), key=lambda k: _leave_one_out(x, labels, k))}, own={"x = 0": {"x": x[0]}},
        numbers=[x[1:], first, 2, second, one, x[:4], tied, x[4:], three],
    )  # fmt: skip


def ex_mean():
    y = np.array([0.3, 1.9, -0.4, 1.2, 0.7])
    N, sd = len(y), 0.8
    without = [np.delete(y, n).mean() for n in range(N)]
    ones = np.ones((N, 1))
    hat = ones @ np.linalg.pinv(ones)
    squared = np.mean((y - without) ** 2)
    assert np.isclose(squared, N * y.var() * N / (N - 1) ** 2)
    return Worked(
        {"y_#": y, "n": range(1, N + 1), "N": N, r"\bar y": y.mean(), r"\bar y^{(-#)}": without, "s": y.std(ddof=1),
         r"\mathbf{H}": hat, r"\mathbf{1}": np.ones(N), "h_#": np.diag(hat), r"\sigma": sd},
        numbers=[y - without, N - 1],
    )  # fmt: skip


def ex_count():
    size, folds, outer = 1000, 5, 10
    plain, nested = np.array(_searches(7 * 6, folds)), np.array(_searches(7 * 6, folds, outer))
    inner = plain[plain < 1]
    return Worked(
        numbers=[folds, size, outer, 1, size, 1, 2, len(inner), size * inner[0], size, size * nested.max(),
                 size * nested.min()],
        known=[len(plain), len(nested), np.sum(plain**2), np.sum(nested**2)],
    )  # fmt: skip


def ex_longley():
    data, penalty = load_longley(), 0.1
    X, y = np.column_stack([data.X[:, 1:], data.y]), data.X[:, 0]
    N = len(y)
    errors = []
    for n in range(N):
        train = np.delete(np.arange(N), n)
        mean, sd = X[train].mean(axis=0), X[train].std(axis=0, ddof=1)
        Z = (X[train] - mean) / sd
        w = np.linalg.lstsq(
            np.vstack([Z, np.sqrt(penalty) * np.eye(6)]), np.append(y[train] - y[train].mean(), [0] * 6)
        )[0]
        errors.append(y[n] - y[train].mean() - (X[n] - mean) / sd @ w)
    ratio = np.var(X[1:, 0], ddof=1) / np.var(X[1:, 0])
    return Worked({"n": N - 1, "N": N}, numbers=[N, penalty, N - 1, np.sqrt(np.mean(np.square(errors))), ratio])


def ex_review():
    return Worked(numbers=[600, 150, 10, 200, 97, 96, 200])


def ex_repeated():
    r = 4
    spread = stats.sem(np.tile([-1, 1], r), ddof=0) / stats.sem([-1, 1], ddof=0)
    return Worked({"r": r}, numbers=[spread, spread, 150, 150])


def _minority(labels):
    """Leave-one-out accuracy of the learner that predicts the majority."""
    rest = [np.delete(labels, n) for n in range(len(labels))]
    return np.mean([(others.mean() > 0.5) == label for others, label in zip(rest, labels, strict=True)])


def cards():
    N, m, K, inner, outer = 12, 3, 4, 2, 3
    counts = {"N": N, "m": m, "K": K, "K_i": inner, "K_o": outer}
    parts = [len(np.delete(np.arange(N), part)) for part in np.split(np.arange(N), K)]
    sizes = [len(np.delete(np.arange(N), part)) for part in np.split(np.arange(N), outer)]
    folds = np.split(np.arange(N), K)
    shared = len(set(np.delete(np.arange(N), folds[0])) & set(np.delete(np.arange(N), folds[1])))
    balanced = np.repeat([0, 1], 5)
    scores = np.array([0.8, 0.9, 0.7, 0.8])
    x = np.array([0.3, 1.1, 2.0])
    iris = load_iris()
    thirds = np.split(np.arange(1, len(iris.y) + 1), 3)
    assert all(len(set(iris.y[third - 1])) == 1 for third in thirds)
    fits = len(_searches(8, 5))
    return {
        "lost-marks-bar": Worked(counts, numbers=[np.std(scores, ddof=0) / stats.sem(scores)]),
        "lost-marks-self": Worked(numbers=[np.mean([np.argmin(np.abs(x - v)) == n for n, v in enumerate(x)])]),
        "lost-marks-sorted": Worked(numbers=[3, len(iris.y), [[third[0], third[-1]] for third in thirds]]),
        "do-not-confuse-ways": Worked(
            counts,
            numbers=[1, parts[0], len(np.delete(np.arange(N), 0)), len(_searches(m, inner, outer)), sizes[0]],
        ),
        "counterexample-majority": Worked(numbers=[balanced.mean(), balanced.mean(), _minority(balanced)]),
        "counting": Worked(
            counts,
            numbers=[len(_searches(m, K)), len(_searches(m, inner, outer)),
                     len(_searches(m, inner, outer)) + len(_searches(m, inner)), shared],
        ),
        "convention-pooled": Worked({"R": 0.8, "F_1": 0.7}, numbers=[0.64, 0.7, 0.64]),
        "convention-std": Worked({"K": K}, numbers=[np.var(scores, ddof=0) / np.var(scores, ddof=1) * K]),
        "quiz-fits": Worked(numbers=[8, 5, fits - 1, fits, fits, 8 + 5, len(_searches(8, 5)) - 1 + 5]),
        "quiz-bias": Worked(numbers=[2, 1 - 1 / 2, 0]),
        "quiz-se": Worked(
            {"s": scores.std(ddof=1)},
            numbers=[scores, scores.std(ddof=1), stats.sem(scores), scores.std(ddof=1) / stats.sem(scores),
                     scores.std(),
                     scores.std(ddof=1) / len(scores)],
        ),
        "tf-larger": Worked(counts, numbers=[parts[0]]),
    }  # fmt: skip
