"""The quiz of the chapter *Softmax regression*, decided: see ``tests/claims/deciding.py``."""

import warnings

import numpy as np
from scipy.special import logsumexp
from scipy.special import softmax as softmax_of_scipy
from sklearn.exceptions import ConvergenceWarning

from notes_lib.linear.logistic_regression import LogisticRegression, OneVsOneClassifier, OneVsRestClassifier
from notes_lib.linear.softmax_regression import SoftmaxRegression, one_hot, softmax, softmax_gradient, softmax_loss
from notes_lib.numerics import central_difference
from tests.claims.deciding import Numbers, decided

SMALL = 1e-6


def _sample(seed, K=3, n=90):
    """Classes that overlap, drawn from the model itself."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    scores = X @ rng.normal(size=(2, K)) + rng.gumbel(size=(n, K))
    return X, scores.argmax(axis=1)


SAMPLES = [_sample(seed) for seed in range(4)]
X, CODES = SAMPLES[0]
Y = one_hot(CODES, 3)
WEIGHTS = np.random.default_rng(9).normal(size=(20, 3, 2))


def quiz_gradient(scores, power):
    """Scores $<scores>$, the second class is right. What is the gradient of the loss by the scores, about?
    ($e^2=<power>$)"""
    assert np.isclose(power, np.exp(scores[0]), atol=0.005)
    loss = lambda a: logsumexp(a) - a[1]
    slopes = central_difference(loss, np.asarray(scores, float))
    return {"$<g>$": lambda g: np.allclose(g, slopes, atol=0.006)}


def quiz_scale(factor):
    """The weights of *all* classes are multiplied by <factor>. The decisions"""
    before = [softmax(X @ W.T) for W in WEIGHTS]
    after = [softmax(X @ (factor * W).T) for W in WEIGHTS]
    same = all((P.argmax(axis=1) == Q.argmax(axis=1)).all() for P, Q in zip(before, after, strict=True))
    sharper = all((P.max(axis=1) < Q.max(axis=1)).all() for P, Q in zip(before, after, strict=True))
    return {
        "stay, and so do the probabilities": same and np.allclose(before, after),
        "change": not same,
        "stay, and the probabilities become more extreme": same and sharper,
        "become uniform": np.ptp(after, axis=2).max() < SMALL,
    }


def quiz_true():
    """Which are true without a penalty? (Mark all.)"""
    loss = lambda W, X, codes: softmax_loss(W, X, one_hot(codes, 3))
    chords = [
        (loss((V + W) / 2, X, CODES), (loss(V, X, CODES) + loss(W, X, CODES)) / 2)
        for V, W in zip(WEIGHTS, WEIGHTS[::-1], strict=True)
    ]
    fit = SoftmaxRegression(C=np.inf, fit_intercept=False, tol=1e-10).fit(X, CODES).coef_
    other = fit + np.array([3.0, -2.0])
    slopes = [np.abs(softmax_gradient(W, X, Y)).max() for W in (fit, other)]
    assert max(slopes) < 1e-5
    separable = (X @ WEIGHTS[0].T).argmax(axis=1)
    losses = [loss(c * WEIGHTS[0], X, separable) for c in (1, 10, 100, 1e4, 1e6)]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ConvergenceWarning)
        SoftmaxRegression(C=np.inf).fit(X, separable)
    means = [SoftmaxRegression(C=np.inf, tol=1e-10).fit(Z, codes).predict_proba(Z).mean(axis=0) for Z, codes in SAMPLES]
    calibrated = np.allclose(means, [np.bincount(codes) / len(codes) for _, codes in SAMPLES], atol=1e-6)
    return {
        "The loss is convex": all(middle <= chord for middle, chord in chords),
        "Its minimiser is unique": np.allclose(fit, other),
        "On separable classes it has no minimum": losses == sorted(losses, reverse=True)
        and losses[-1] < SMALL
        and bool(told),
        "With a bias, mean predicted probabilities equal the shares of the classes, where a minimum exists": calibrated,
    }


def quiz_count(K):
    """$K=<K>$ classes. How many classifiers do one-vs-rest and one-vs-one train?"""
    Z, codes = _sample(1, int(K), 120)
    rest = len(OneVsRestClassifier(LogisticRegression()).fit(Z, codes).estimators_)
    pairs = len(OneVsOneClassifier(LogisticRegression()).fit(Z, codes).estimators_)
    return Numbers([rest, pairs], [[rest - 1, pairs], [rest, 2 * pairs], [1, rest]])


def tf_hessian():
    """The Hessian of the loss depends on the labels only through the weights."""
    W = WEIGHTS[0]
    by_labels = [
        central_difference(lambda V, k=k, T=T: softmax_gradient(V, X, T).ravel()[k], W)
        for k in range(W.size)
        for T in (Y, np.roll(Y, 1, axis=1))
    ]
    assert not np.allclose(softmax_gradient(W, X, Y), softmax_gradient(W, X, np.roll(Y, 1, axis=1)))
    return np.allclose(by_labels[::2], by_labels[1::2], atol=1e-5)


def tf_line():
    """Softmax regression can separate three classes that lie side by side on a line."""
    x = np.array([-3.0, -2.0, -1.5, -0.4, 0.0, 0.5, 1.6, 2.0, 3.0])[:, None]
    codes = np.repeat([0, 1, 2], 3)
    return SoftmaxRegression(C=100.0).fit(x, codes).score(x, codes) == 1


def tf_overflow():
    """To avoid overflow, add a large constant to all scores."""
    scores = np.array([800.0, 799.0, 0.0])

    def naive(a):
        with np.errstate(over="ignore", invalid="ignore"):
            return np.exp(a) / np.exp(a).sum()

    right = softmax_of_scipy(scores)
    assert np.allclose(naive(scores - scores.max()), right)
    return np.allclose(naive(scores + 1000), right)


def tf_accuracy():
    """A held-out accuracy that does not move as $C$ grows shows that $C$ does not matter."""
    rng = np.random.default_rng(2)
    middles = np.array([[-1.5, -1], [1.5, -1], [0, 1.5]])
    codes, new = np.repeat([0, 1, 2], 8), rng.integers(0, 3, 2000)
    rows, test = (
        np.hstack([middles[c] + rng.normal(size=(len(c), 2)), rng.normal(size=(len(c), 6))]) for c in (codes, new)
    )
    fits = [SoftmaxRegression(C=C).fit(rows, codes) for C in (1.0, 100.0)]
    losses = [-m.predict_log_proba(test)[np.arange(2000), new].mean() for m in fits]
    assert abs(fits[0].score(test, new) - fits[1].score(test, new)) < 0.05
    return losses[1] < 1.5 * losses[0]


test_claim = decided("linear/softmax_regression", globals())
