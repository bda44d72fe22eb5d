"""The quiz of the chapter *The perceptron*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from notes_lib.linear.perceptron import (
    learn,
    least_squares_weights,
    lms_step,
    margin,
    normalised_samples,
    novikoff_bound,
    online_pass,
    perceptron_criterion,
)
from tests.claims.deciding import Numbers, decided

LINE = normalised_samples([[-1.0], [0.0], [1.0], [2.0], [30.0]], [-1, -1, 1, 1, 1])


def _separable(seed):
    """Normalised samples of a cloud that a plane separates."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(40, 2)), rng.normal(size=2)
    return normalised_samples(X, np.where(X @ w > 0.3, 1, -1))


CLOUDS = [_separable(seed) for seed in range(5)]


def quiz_update(w, b, x, y, rate):
    r"""$\mathbf{w}=<w>$, $b=<b>$, and the point $<x>$ with label $<y>$ comes. What are $\mathbf{w}$ and $b$ after it,
    with $\eta=<rate>$?"""
    before, z = np.r_[w, b], normalised_samples([x], [y])
    after = online_pass(z, before, rate).w
    return Numbers(after, [before - rate * z[0], before, [*after[:-1], b]])


def quiz_scale(factor):
    r"""All features and the constant are multiplied by <factor>. The bound $R^2/\gamma^2$"""
    Z, square = CLOUDS[0], factor**2
    w = learn(Z).w
    before, after = novikoff_bound(Z, w), novikoff_bound(factor * Z, w)
    return {
        "stays": np.isclose(after, before),
        f"grows by {square:g}": np.isclose(after, square * before),
        f"falls by {square:g}": np.isclose(after, before / square),
        "needs the number of samples to be known": novikoff_bound(np.vstack([Z, Z]), w) != before,
    }


def quiz_true():
    """Which are true for the perceptron on separable data, from zero? (Mark all.)"""
    runs = [(Z, learn(Z)) for Z in CLOUDS]
    others = [learn(Z, shuffle=True, random_state=0).w for Z in CLOUDS]
    return {
        "The last pass makes no mistake": all(run.errors[-1] == 0 < run.errors[0] for _, run in runs),
        "It finds the largest margin": all(
            margin(Z, run.w) >= margin(Z, other) for (Z, run), other in zip(runs, others, strict=True)
        ),
        "The weights are a combination of the samples with non-negative whole coefficients": all(
            run.alpha.dtype.kind == "i" and (run.alpha >= 0).all() and np.allclose(run.alpha @ Z, run.w)
            for Z, run in runs
        ),
        "Each pass makes fewer mistakes than the one before": all((np.diff(run.errors) < 0).all() for _, run in runs),
    }


def quiz_lms(score, target):
    r"""A sample has $\mathbf{w}^\top\mathbf{z}=<score>$. What do the perceptron and LMS with target <target> do?"""
    z = np.array([2.0, 1.0])
    w = score * z / (z @ z)
    rule, lms = (online_pass([z], w).w - w) @ z, (lms_step(w, z, b=target) - w) @ z
    return {
        "both nothing": rule == 0 and lms == 0,
        r"the perceptron nothing, LMS moves $\mathbf{w}$ against $\mathbf{z}$": rule == 0 and lms < 0,
        r"both add a multiple of $\mathbf{z}$": rule > 0 and lms > 0,
        r"the perceptron subtracts $\mathbf{z}$, LMS nothing": rule < 0 and lms == 0,
    }


def tf_zero():
    """The perceptron criterion is 0 if and only if all samples are right."""
    Z = CLOUDS[0]
    holds = lambda w: (perceptron_criterion(Z, w) == 0) == (Z @ w > 0).all()
    assert holds(learn(Z).w)
    assert holds(-learn(Z).w)
    return holds(np.zeros(3))


def tf_passes():
    """On separable data the number of mistakes does not depend on the number of passes you allow, once it has
    stopped."""
    return all(len(online_pass(Z, learn(Z, max_iter=most).w).mistakes) == 0 for Z in CLOUDS for most in (500, 1000))


def tf_pseudo():
    """The pseudo-inverse classifier separates whenever the data are separable."""
    separates = lambda Z: (Z @ least_squares_weights(Z) > 0).all()
    assert learn(LINE).converged
    assert separates(LINE[:-1])
    return separates(LINE)


def tf_stopped(passes):
    """If the perceptron has not stopped after <passes> passes, the data are not separable."""
    assert learn(CLOUDS[0], max_iter=int(passes)).converged
    Z = normalised_samples([[100.0], [101.0]], [1, -1])
    with pytest.warns(ConvergenceWarning):
        stopped = learn(Z, max_iter=int(passes)).converged
    return stopped or not (Z @ [-1, 100.5] > 0).all()


test_claim = decided("linear/perceptron", globals())
