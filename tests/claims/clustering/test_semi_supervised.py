"""The quiz of the chapter *Semi-supervised learning*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
import pytest

from notes_lib.clustering.semi_supervised import (
    LabelPropagation,
    LabelSpreading,
    SelfTrainingClassifier,
    SemiSupervisedMixture,
    clamped_e_step,
    harmonic,
    query_threshold,
    uncertainty,
    weighted_m_step,
)
from notes_lib.datasets import make_moons
from tests.claims.deciding import Numbers, decided

pytestmark = pytest.mark.filterwarnings("ignore:labels did not settle")


def _path(weights):
    """Nodes in a row, joined by edges with these weights."""
    W = np.diag(np.asarray(weights, float), 1)
    return W + W.T


def _moons(seed=24, labels=6):
    """Two moons, the true classes, and labels of a few rows of each, one of which is wrong."""
    X, true = make_moons(200, noise=0.08, random_state=seed)
    rng, y = np.random.default_rng(seed), np.full(200, -1)
    for c in (0, 1):
        y[rng.permutation(np.flatnonzero(true == c))[:labels]] = c
    y[np.flatnonzero(y == 0)[1]] = 1
    return X, true, y


def quiz_chain(a, b, c, one, zero):
    """Nodes A, C, D, B in a row, edges with the weights <a>, <b> and <c>; A has the label <one>, B the label <zero>.
    The harmonic function at C is"""
    ends = [-1, -1, -1, -1]
    ends[0], ends[-1] = int(one), int(zero)
    f, equal = harmonic(_path([a, b, c]), ends)[:, 1], harmonic(_path([1, 1, 1]), ends)[:, 1]
    return Numbers(f[1], [(one + zero) / 2, equal[1], f[2]])


def quiz_queries(n):
    """How many questions always find a threshold among <n> sorted rows, if all answers are right?"""
    rows = int(n)
    worst = max(len(query_threshold(rows, lambda i, p=p: i >= p).queries) for p in range(rows + 1))
    assert 2 ** (worst - 1) < rows + 1  # fewer answers cannot tell all places apart
    return Numbers(worst, [rows / 2, round(np.sqrt(rows)), worst - 1])


def quiz_change():
    """Which method can give a labelled training row another class than its label?"""
    X, _, y = _moons()
    known = y >= 0
    changed = lambda found: bool((found[known] != y[known]).any())
    theta = SemiSupervisedMixture(max_iter=50).fit(X, y)
    gamma = clamped_e_step(X, y, (theta.weights_, theta.means_, theta.covariances_)).responsibilities
    return {
        "label propagation": changed(LabelPropagation().fit(X, y).transduction_),
        "label spreading": changed(LabelSpreading(alpha=0.99, max_iter=5000).fit(X, y).transduction_),
        "EM with some labels, by its responsibilities": changed(gamma.argmax(axis=1)),
        "self-training, by the labels it trains on": changed(SelfTrainingClassifier().fit(X, y).transduction_),
    }


def quiz_harmonic():
    """Which are true of the harmonic function? (Mark all.)"""
    rng = np.random.default_rng(0)
    W, y = rng.random((12, 12)), np.array([0, 1, *[-1] * 10])
    W = W + W.T
    f, largest = harmonic(W, y), []
    for neighbours in range(2, 12):
        star = np.zeros((neighbours + 1, neighbours + 1))
        star[0, 1:] = star[1:, 0] = rng.random(neighbours)
        largest.append(harmonic(star, [-1, 0, *[1] * (neighbours - 1)])[0, 1])
    next_to_one = harmonic(np.array([[0, 1, 0], [1, 0, 9], [0, 9, 0]]), [1, -1, 0])[1, 1]
    return {
        "doubling all weights leaves it as it is": np.allclose(harmonic(2 * W, y), f),
        "adding loops leaves it as it is": np.allclose(harmonic(W + np.diag(rng.random(12)), y), f),
        "it can exceed <one> at a node with many neighbours": lambda one: max(largest) > one,
        "a node next to a label always has the class of this label": next_to_one > 0.5,
    }


def tf_more():
    """More unlabelled rows never raise the expected error."""
    errors = {True: [], False: []}
    for seed in range(12):
        rng = np.random.default_rng(seed)
        true = rng.integers(0, 2, 920)
        side = 1 - 2 * true
        height = 3 * side * np.where(rng.random(920) < 0.8, 1, -1) + 0.6 * rng.normal(size=920)
        X = np.column_stack([0.6 * rng.normal(size=920) - side, height])
        y = np.where(np.arange(920) < 20, true, -1)
        for many in errors:
            rows = slice(0, 420 if many else 20)
            model = SemiSupervisedMixture(tol=1e-4).fit(X[rows], y[rows])
            errors[many].append((model.predict(X[420:]) != true[420:]).mean())
    change = np.subtract(errors[True], errors[False])
    assert min(np.mean(errors[False]), np.mean(errors[True])) < 0.15
    return change.mean() < 2 * change.std(ddof=1) / np.sqrt(len(change))


def tf_pinned():
    """In EM with some labels, the responsibilities of labelled rows are the same in every iteration."""
    X, _, y = _moons()
    known, seen = y >= 0, []
    theta = ([0.5, 0.5], X[[0, -1]], np.tile(np.eye(2), (2, 1, 1)))
    for _ in range(5):
        gamma = clamped_e_step(X, y, theta).responsibilities
        seen.append(gamma)
        theta = weighted_m_step(X, gamma, np.ones(len(y)))
    assert not np.allclose(seen[0][~known], seen[-1][~known])
    return all(np.array_equal(g[known], seen[0][known]) for g in seen)


def tf_measures():
    """For two classes, least confidence, margin and entropy order all rows alike."""
    rng = np.random.default_rng(0)
    orders = lambda P: {tuple(np.argsort(uncertainty(P, m))) for m in ("least_confident", "margin", "entropy")}
    assert len(orders(rng.dirichlet(np.ones(3), 50))) > 1  # with three classes they differ
    return len(orders(rng.dirichlet(np.ones(2), 50))) == 1


def tf_equal():
    """If all weights are equal, the harmonic function is the same at every unlabelled node."""
    y = np.array([0, 1, 1, *[-1] * 7])
    f = harmonic(np.ones((10, 10)), y)[y < 0, 1]
    return np.ptp(f) < 1e-12 and np.isclose(f[0], 2 / 3)


def tf_back():
    """Self-training takes a pseudo-label back when a later fit disagrees."""
    taken, disagrees = 0, 0
    for seed in range(10):
        X, _, y = _moons(seed)
        early = SelfTrainingClassifier(criterion="k_best", k_best=20, max_iter=6).fit(X, y)
        late = SelfTrainingClassifier(criterion="k_best", k_best=20, max_iter=None).fit(X, y)
        given = early.labeled_iter_ > 0
        taken += (early.transduction_ != late.transduction_)[given].sum()
        disagrees += (late.predict(X) != late.transduction_)[given].sum()
    assert disagrees > 0
    return taken > 0


test_claim = decided("clustering/semi_supervised", globals())
