"""The quiz of the chapter *Descent*, decided: see ``tests/claims/deciding.py``."""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from notes_lib.foundations.descent import (
    adam_step,
    conjugate_gradients,
    gradient_step,
    line_search,
    momentum_step,
    newton,
    wolfe_search,
)
from tests.claims.deciding import decided

SMALL = 1e-9


class Smooth(NamedTuple):
    """A function of a vector with its gradient, an upper bound ``L`` of its curvature, and where it is least."""

    value: Callable
    gradient: Callable
    L: float
    lowest: float | None = 0.0  # None if it has no minimum, or more than one


def _quadratic(*curvatures):
    P = np.array(curvatures)
    return Smooth(lambda x: x @ (P * x) / 2, lambda x: P * x, P.max())


BOWL, VALLEY = _quadratic(1.0, 3.0), _quadratic(1.0, 100.0)
TILTED = Smooth(  # convex: ln(exp(x) + exp(-2 x))
    lambda x: np.logaddexp(x, -2 * x)[0], lambda x: 1 - 3 / (1 + np.exp(3 * x)), 2.25, np.log(2) / 3
)
FLAT = Smooth(  # convex, curvature 0 at the minimum: x^4 / 12, from 1 on with the curvature 1
    lambda x: np.where(abs(x) < 1, x**4 / 12, x**2 / 2 - 2 / 3 * abs(x) + 1 / 4)[0],
    lambda x: np.where(abs(x) < 1, x**3 / 3, x - 2 / 3 * np.sign(x)),
    1.0,
)
ENDLESS = Smooth(lambda x: np.logaddexp(0, -x)[0], lambda x: -1 / (1 + np.exp(x)), 0.25, None)
CONVEX = {BOWL: [2.0, -1.0], VALLEY: [2.0, -1.0], TILTED: [1.0], FLAT: [1.0], ENDLESS: [0.0]}
WAVES = Smooth(lambda x: np.cos(3 * x).sum() + x @ x / 10, lambda x: -3 * np.sin(3 * x) + x / 5, 9.2, None)
STARTS = np.random.default_rng(0).uniform(-3, 3, (30, 2))


def _path(f, x, rate, steps):
    """Gradient descent: every place that it comes to."""
    places = [np.array(x)]
    for _ in range(steps):
        places.append(gradient_step(places[-1], f.gradient(places[-1]), rate))
    return places


def _losses(f, places):
    return np.array([f.value(x) for x in places])


def _least(f, x):
    return f.value(np.full_like(x, f.lowest))


def quiz_oscillation():
    """Batch gradient descent on a smooth convex loss: the loss goes up and down. What do you do?"""

    def swings(rate, start=1.0):
        places = _path(TILTED, [start], rate, 200)
        late = np.diff(_losses(TILTED, places))[-50:]
        return late.max() > SMALL and late.min() < -SMALL

    rate = 1.3
    assert swings(rate)
    return {
        "Stop, it has converged": abs(TILTED.gradient(_path(TILTED, [1.0], rate, 200)[-1])) < 0.01,
        "Make the step smaller": not any(swings(small) for small in (0.1, 0.4, 1.99 / TILTED.L)),
        "Make the step larger": not any(swings(large) for large in (1.5, 2.0)),
        "Start again from another point": not all(swings(rate, start) for start in (-2.0, 0.0, 0.5, 3.0)),
    }


def quiz_newton(kappa):
    r"""Newton's method on $f = \tfrac12\mathbf{x}^\top\mathbf{P}\mathbf{x}$, $\mathbf{P}$ positive definite with
    $\kappa = <kappa>$, needs"""
    P = np.geomspace(1, kappa, 5)
    starts = np.outer([0.1, 10, 1000], np.random.default_rng(0).normal(size=5))
    runs = [newton(lambda x: x @ (P * x) / 2, x, lambda x: P * x, lambda _: np.diag(P)) for x in starts]
    assert all(run.converged for run in runs)
    steps = np.array([run.n_iter for run in runs])
    return {
        "<n> step": lambda n: (steps == n).all(),
        "about <n> steps": lambda n: np.allclose(steps, n, rtol=0.5),
        "$D$ steps": (steps == len(P)).all(),
        "more steps the further away it starts": steps[-1] > steps[0],
    }


def quiz_batch(large, small):
    """A mini-batch of <large> instead of <small> divides the variance of the gradient by"""
    rng = np.random.default_rng(0)
    gradients = rng.exponential(size=10_000)  # of the instances
    spread = [gradients[rng.integers(10_000, size=(4000, int(size)))].mean(axis=1).var() for size in (small, large)]
    factor = spread[0] / spread[1]
    return {"<n>": lambda n: abs(factor / n - 1) < 0.1, "<n>, it is unbiased": lambda n: abs(factor / n - 1) < 0.1}


def tf_sgd():
    """Stochastic gradient descent with a constant step converges to the minimum if the step is small enough."""

    def gap(targets, rate):  # mean squared distance from the minimum of the mean of (x - target)^2 / 2, at the end
        drawn, x, gaps = np.random.default_rng(0).choice(targets, 10_000), 3.0, []
        for target in drawn:
            x -= rate * (x - target)
            gaps.append((x - targets.mean()) ** 2)
        return np.mean(gaps[5000:])

    rates = (0.1, 0.02, 0.005)
    plateaus = [gap(np.array([-1.0, 0.0, 4.0]), rate) for rate in rates]
    assert all(low < high for high, low in pairwise(plateaus))
    assert all(gap(np.ones(3), rate) < SMALL for rate in rates)  # every gradient vanishes there
    return any(plateau < SMALL for plateau in plateaus)


def _curvature(search, x):
    """``s'y`` of a step downhill."""
    step = search(x, -WAVES.gradient(x)) - x
    return step @ (WAVES.gradient(x + step) - WAVES.gradient(x))


def _armijo(x, direction):
    return line_search(WAVES.value, x, direction, WAVES.gradient(x) @ direction, step=0.02).x


def _wolfe(x, direction):
    return wolfe_search(WAVES.value, x, direction, WAVES.gradient, step=0.02).x


def quiz_wolfe():
    """A line search with Armijo's condition alone is used in BFGS on a function that is not convex. What may
    happen?"""
    falls = [WAVES.value(_armijo(x, -WAVES.gradient(x))) - WAVES.value(x) for x in STARTS]
    x = min(STARTS, key=lambda x: _curvature(_armijo, x))
    s = _armijo(x, -WAVES.gradient(x)) - x
    y = WAVES.gradient(x + s) - WAVES.gradient(x)
    matrix = np.eye(2) - np.outer(s, s) / (s @ s) + np.outer(y, y) / (s @ y)  # BFGS, from the identity
    spoilt = s @ y < 0 and np.linalg.eigvalsh(matrix).min() < 0
    return {
        "The objective may rise": max(falls) > 0,
        r"$\mathbf{s}^\top\mathbf{y}$ may be negative, and the matrix loses its positive definiteness": spoilt,
        "The search never ends": any(fall == 0 for fall in falls),
        "Nothing, Armijo is enough": not spoilt,
    }


def quiz_certain():
    r"""$f$ is convex and $L$-smooth, the steps go against the whole gradient with $\eta = 1/L$. What is certain?"""
    runs = [(f, _path(f, start, 1 / f.L, 2000)) for f, start in CONVEX.items()]
    at_rest, falls, bound, rate = [], [], [], []
    for f, places in runs:
        losses, moving = _losses(f, places), [abs(f.gradient(x)).max() > 1e-6 for x in places]
        at_rest.append(not moving[-1])
        falls.append((np.diff(losses) < 0)[np.array(moving[:-1])].all())
        if f.lowest is not None:
            gap, t = losses - _least(f, places[0]), np.arange(1, 2001)
            bound.append((gap[1:] <= f.L * ((places[0] - f.lowest) ** 2).sum() / (2 * t) + SMALL).all())
            rate.append(gap[1:] / np.maximum(gap[:-1], SMALL))
    return {
        "The method ends after finitely many steps": all(at_rest),
        "$f$ falls in every step until the gradient is zero": all(falls),
        "If a minimum exists, the gap is at most $LR^2/(2t)$ after $t$ steps": all(bound),
        r"Each step multiplies the gap by at most $1 - \mu/L$ with a $\mu > 0$": all(r[-1] < 0.99 for r in rate),
    }


def quiz_cg(n, values):
    """Conjugate gradients on <n> equations whose matrix has <values> different eigenvalues need, without rounding,"""
    rng = np.random.default_rng(0)
    diagonal = np.resize(np.linspace(1, 9, int(values)), int(n))
    steps = [conjugate_gradients(lambda v: diagonal * v, b).n_iter for b in rng.normal(size=(5, int(n)))]
    return {
        "at most <most> steps": lambda most: max(steps) == most,
        "<number> steps": lambda number: min(steps) == number,
        "<number> step": lambda number: max(steps) == number,
    }


def tf_wolfe():
    r"""A step of Wolfe's conditions gives $\mathbf{s}^\top\mathbf{y} > 0$ also where the function is not convex."""
    assert sum(_curvature(_armijo, x) < 0 for x in STARTS) > 3  # it is not convex there
    return all(_curvature(_wolfe, x) > 0 for x in STARTS)


def tf_momentum():
    """With momentum a rising objective shows that the step is too large."""
    rate, x, velocity = 0.3 / VALLEY.L, np.array([2.0, -1.0]), np.zeros(2)
    places = [x]
    for _ in range(2000):
        x, velocity = momentum_step(x, velocity, VALLEY.gradient(x), rate)
        places.append(x)
    rises = lambda places: (np.diff(_losses(VALLEY, places)) > SMALL).any()
    assert abs(x).max() < SMALL  # it converges
    assert not rises(_path(VALLEY, [2.0, -1.0], rate, 2000))
    return not rises(places)


def tf_adam():
    """The first step of Adam has about the same length in every coordinate, however steep $f$ is there."""
    slopes = np.array([1e-4, -0.1, 1.0, -30.0, 1e5])
    x, *_ = adam_step(np.zeros(5), np.zeros(5), np.zeros(5), slopes, 1)
    return np.ptp(abs(x)) < 0.001 * abs(x).max()


def tf_rate():
    r"""For every convex smooth function gradient descent with $\eta = 1/L$ gains digits at a constant rate."""

    def is_constant(f, start, steps):
        digits = -np.log10(_losses(f, _path(f, start, 1 / f.L, 4 * steps))[::steps] - _least(f, start))
        return np.allclose(np.diff(digits)[1:], np.diff(digits)[1], rtol=0.05)

    assert is_constant(VALLEY, [2.0, -1.0], 100)
    return is_constant(FLAT, [1.0], 100)


test_claim = decided("foundations/descent", globals())
