"""The quiz of the chapter *Logistic regression*, decided: see ``tests/claims/deciding.py``."""

import warnings

import numpy as np
from scipy.optimize import brentq, minimize
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from notes_lib.linear.logistic_regression import (
    LogisticRegression,
    coefficient_table,
    logistic_gradient,
    logistic_hessian,
    logistic_objective,
    newton_step,
    working_response,
)
from notes_lib.numerics import central_difference
from tests.claims.deciding import Numbers, decided

SMALL = 1e-6


def _sample(seed, n=60):
    """A design matrix with a column of ones, and labels of classes that overlap."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.normal(size=(n, 2))])
    return X, (rng.uniform(size=n) < expit(X @ [0.5, 1.0, -1.0])).astype(int)


SAMPLES = [_sample(seed) for seed in range(4)]
X, Y = SAMPLES[0]


def _fit(X, y):
    return LogisticRegression(C=np.inf, tol=1e-10).fit(X[:, 1:], y)


def _weights(X, y):
    model = _fit(X, y)
    return np.r_[model.intercept_, model.coef_[0]]


def quiz_1(b, w, x):
    """A model has $z=<b>+<w>x$. What are the odds at $x=<x>$?"""
    z = b + w * x
    odds = expit(z) / expit(-z)
    return {
        "$<odds_of_z>$": lambda odds_of_z: np.isclose(odds, odds_of_z),
        f"{z:g}": np.isclose(odds, z),
        rf"$\sigma({z:g})={expit(z):.2f}$": np.isclose(odds, expit(z)),
        f"$e^{w:g}$": np.isclose(odds, np.exp(w)),
    }


def quiz_2(low, high):
    """You raise the threshold from $<low>$ to $<high>$. The boundary"""
    w = np.array([0.3, 1.0, 2.0])  # class 1 lies above the boundary
    at = lambda x, threshold: brentq(lambda y: expit(w @ [1, x, y]) - threshold, -50, 50)
    before, after = (np.array([at(x, threshold) for x in (0.0, 1.0)]) for threshold in (low, high))
    parallel, up = np.isclose(np.ptp(before), np.ptp(after)), after - before
    return {
        "moves parallel to itself towards the side of class 1.": parallel and (up > SMALL).all(),
        "turns around the origin.": not parallel,
        "stays, only the probabilities change.": np.allclose(up, 0),
        "moves towards the side of class 0.": (up < -SMALL).all(),
    }


def quiz_3():
    r"""Newton's method starts at $\mathbf{w}=\mathbf{0}$. The working responses are"""
    start = np.zeros(3)
    W, response = working_response(start, X, Y)
    return Numbers(np.unique(response), [np.unique(Y), np.unique(Y - expit(X @ start)), [-1 / W.max(), 1 / W.max()]])


def quiz_4():
    r"""What follows if $\mathbf{X}$ has independent columns and there is no penalty? (Mark all.)"""
    starts = np.random.default_rng(5).normal(scale=3, size=(10, 3))
    ends = [minimize(logistic_objective, w, (X, Y), jac=logistic_gradient, tol=1e-10).x for w in starts]
    separated = (X[:, 1] > 0).astype(int)
    return {
        "$J$ is strictly convex.": min(np.linalg.eigvalsh(logistic_hessian(w, X))[0] for w in starts) > 0,
        "A minimum exists.": all(_has_minimum(X, y) for y in (Y, separated)),
        "There is at most one minimum.": np.ptp(ends, axis=0).max() < 1e-3,
        "Newton's method converges from every start.": all(_newton_converges(k * w) for w in starts for k in (1, 3)),
    }


def _has_minimum(X, y):
    """Whether the search for one ends: it proves it if the classes are separated."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ConvergenceWarning)
        _fit(X, y)
    return not told


def _newton_converges(w):
    """Whether full steps end where the gradient is 0."""
    try:
        for _ in range(30):
            w = newton_step(w, X, Y)
    except ValueError as fault:  # probabilities of exactly 0 and 1
        return "singular" not in str(fault)
    return np.abs(logistic_gradient(w, X, Y)).max() < SMALL


def tf_1():
    """The Hessian of logistic regression depends on the labels."""
    w = np.array([0.2, -0.4, 0.3])
    hessians = [central_difference(lambda v, y=y: logistic_gradient(v, X, y), w) for y in (Y, 1 - Y)]
    assert np.allclose(hessians[0], logistic_hessian(w, X), atol=1e-4)
    return not np.allclose(*hessians, atol=1e-4)


def tf_2():
    """With an intercept and without a penalty, the mean of the fitted probabilities is the share of ones."""
    fitted = [_fit(X, y).predict_proba(X[:, 1:])[:, 1] for X, y in SAMPLES]
    return np.allclose([p.mean() for p in fitted], [y.mean() for _, y in SAMPLES])


def tf_3():
    """Logistic regression predicts a discrete outcome."""
    along = np.column_stack([np.linspace(-1, 1, 1001), np.zeros(1001)])
    steps = np.abs(np.diff(_fit(X, Y).predict_proba(along)[:, 1]))
    return steps.max() > 0.01 or (steps == 0).all()  # it jumps, or says the same everywhere


def tf_4():
    """A larger Wald statistic always means stronger evidence."""
    group = np.column_stack([np.ones(200), np.arange(200) // 100])
    tests = []
    for ones in (60, 80, 95, 99):  # of 100 in the second group, 25 in the first
        y = np.r_[np.arange(100) < 25, np.arange(100) < ones].astype(int)
        w, share = _weights(group, y), y.mean()
        nothing = logistic_objective([np.log(share / (1 - share)), 0.0], group, y)
        tests.append((coefficient_table(w, group).z[1], nothing - logistic_objective(w, group, y)))
    wald, evidence = np.array(tests).T
    assert (np.diff(evidence) > 0).all()
    assert wald[1] > wald[0]
    return (np.diff(wald) > 0).all()


def tf_5():
    """Doubling all weights leaves the decisions at threshold one half unchanged."""
    places = np.column_stack([np.ones(1000), np.random.default_rng(6).normal(size=(1000, 2))])
    decide = lambda w: expit(places @ w) > 0.5
    return all((decide(2 * w) == decide(w)).all() for w in (_weights(X, y) for X, y in SAMPLES))


test_claim = decided("linear/logistic_regression", globals())
