"""The quiz of the chapter *Support vector machines*, decided: see ``tests/claims/deciding.py``."""

from functools import cache

import numpy as np

from notes_lib.kernels.svm import (
    SVC,
    bias_candidates,
    dual_objective,
    geometric_margin,
    primal_objective,
    two_variable_step,
    working_set,
)
from tests.claims.deciding import Words, decided

SMALL = 1e-5  # of a score, where the steps end at a violation of 1e-8
PRICES = (0.1, 1.0, 10.0)


def _cloud(distance, seed=0):
    """Two classes of 12 and 18 instances, whose means are so far apart; they overlap at 2, not at 8."""
    rng = np.random.default_rng(seed)
    y = np.repeat([-1, 1], [12, 18])
    return rng.normal(size=(30, 2)) + np.outer(y, [distance / 2, 0]), y


OVERLAPPING, SEPARABLE = _cloud(2), _cloud(8)


@cache
def _machine(C, data="overlapping"):
    """A linear machine on one of the clouds, with its multipliers."""
    X, y = OVERLAPPING if data == "overlapping" else SEPARABLE
    return _fit(C, X, y)


def _fit(C, X, y):
    model = SVC(C=C, kernel="linear", tol=1e-8).fit(X, y)
    alpha = np.zeros(len(y))
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    return model, alpha


def _margins(model, X, y):
    """``y f(x)`` of each instance: 1 on its kerb, 0 on the hyperplane."""
    return y * model.decision_function(X)


def _same(model, other):
    return np.allclose(np.r_[model.coef_[0], model.intercept_], np.r_[other.coef_[0], other.intercept_], atol=SMALL)


def _width(model):
    return 2 / np.linalg.norm(model.coef_)


def quiz_free():
    r"""A support vector has $0 < \alpha_n < C$. Where does it lie?"""
    X, y = OVERLAPPING
    machines = [(C, *_machine(C)) for C in PRICES]
    u = np.concatenate([_margins(model, X, y)[(alpha > 0) & (alpha < C)] for C, model, alpha in machines])
    return {
        "Inside the street": (np.abs(u) < 1 - SMALL).all(),
        "Beyond its kerb": (u > 1 + SMALL).all(),
        "On the hyperplane $f = 0$": (np.abs(u) < SMALL).all(),
        "Exactly on its kerb": np.allclose(u, 1, atol=SMALL),
    }


def quiz_remove():
    r"""Some support vector is free. You remove a point with $\alpha_n = 0$ and train again. What happens?"""
    X, y = OVERLAPPING
    same, wider, moved = [], [], []
    for C in PRICES:
        model, alpha = _machine(C)
        assert ((alpha > 0) & (alpha < C)).any()
        left = np.delete(np.arange(len(y)), np.flatnonzero(alpha == 0)[0])
        again, _ = _fit(C, X[left], y[left])
        same.append(_same(model, again))
        wider.append(_width(again) > _width(model) + SMALL)
        moved.append(abs(again.intercept_ - model.intercept_) > SMALL)
    return {
        "The same classifier results": all(same),
        "The margin gets wider": any(wider),
        "The bias changes": any(moved),
        "It depends on $C$": len(set(same)) > 1,
    }


def quiz_c():
    """$C$ is made very large. What follows?"""
    X, y = OVERLAPPING
    prices = [0.01, *PRICES, 100.0]
    for_both = [[_machine(C, data)[0] for C in prices] for data in ("overlapping", "separable")]
    widths = [[_width(model) for model in models] for models in for_both]
    steps = [[model.n_iter_[0] for model in models] for models in for_both]
    return {
        "The street does not get wider": all((np.diff(w) < SMALL).all() for w in widths),
        "Training gets faster": all(n[-1] < n[0] for n in steps),
        "The classes become separable": for_both[0][-1].score(X, y) == 1,
        "For separable data the hard margin results": _same(for_both[1][-1], _machine(np.inf, "separable")[0]),
    }


def quiz_two():
    """Why does SMO move two multipliers at a time?"""
    X, y = OVERLAPPING
    K, alpha, C = X @ X.T, np.zeros(len(y)), np.ones(len(y))
    pairs, with_one, with_two = [], [], []
    for _ in range(8):
        F = bias_candidates(alpha, K, y)
        i, j, _ = working_set(F, alpha, y, C, K)
        step = two_variable_step(F, alpha, y, C, K, i, j)
        alpha[i] = step.alpha_i
        with_one.append(abs(y @ alpha))
        alpha[j] = step.alpha_j
        with_two.append(abs(y @ alpha))
        pairs.append((y[i], y[j]))
    return {
        "Because there are two classes": all(a != b for a, b in pairs),
        r"One alone would violate $\sum_n \alpha_n y_n = 0$": min(with_one) > SMALL > max(with_two),
        "To keep the kernel matrix positive semi-definite": Words("the multipliers do not occur in it"),
        r"One for $\mathbf{w}$, one for $b$": Words("neither is a multiplier"),
    }


def tf_gap():
    """At the optimum of a soft-margin machine the primal objective is larger than the dual one."""
    X, y = OVERLAPPING
    K = X @ X.T
    gap = lambda a, b, C: primal_objective(a, b, K, y, C) - dual_objective(a, K, y)
    fits = [(alpha, model.intercept_[0], C) for C in PRICES for model, alpha in [_machine(C)]]
    assert all(gap(alpha / 2, b, C) > SMALL for alpha, b, C in fits)  # before the optimum
    return all(gap(alpha, b, C) > SMALL for alpha, b, C in fits)


def tf_scale():
    r"""Doubling $\mathbf{w}$ and $b$ doubles the functional margin and leaves the geometric margin as it is."""
    X, y = OVERLAPPING
    w, b = np.array([0.7, -1.3]), 0.4
    functional = lambda w, b: (y * (X @ w + b)).min()
    doubled = np.isclose(functional(2 * w, 2 * b), 2 * functional(w, b))
    return doubled and np.isclose(geometric_margin(2 * w, 2 * b, X, y), geometric_margin(w, b, X, y))


def tf_misclassified():
    """Every misclassified training point is a support vector."""
    X, y = OVERLAPPING
    wrong = [alpha[_margins(model, X, y) < 0] for model, alpha in map(_machine, PRICES)]
    return all(len(alpha) and (alpha > 0).all() for alpha in wrong)


def tf_inside():
    """Every support vector is misclassified or inside the street."""
    X, y = OVERLAPPING
    inside = [_margins(model, X, y)[alpha > 0] < 1 - SMALL for model, alpha in map(_machine, PRICES)]
    assert all(some.any() for some in inside)
    return all(some.all() for some in inside)


def tf_slack():
    r"""Without $\xi_n \geq 0$ the soft-margin problem may have no minimum."""
    X, y = OVERLAPPING
    w, C = _machine(1.0)[0].coef_[0], 1.0
    objective = lambda b: w @ w / 2 + C * (1 - y * (X @ w + b)).sum()  # each slack as small as its constraint allows
    falls = np.diff([objective(b) for b in (0.0, 1e3, 2e3, 3e3)])
    return (falls < -1e3).all() and np.allclose(falls, falls[0])


def tf_shatter(dimension, margin, points):
    """In <dimension> dimensions, hyperplanes through the origin with margin <margin> can label <points> points of the
    unit ball at will."""

    # sum_n y_n x_n has a length of at most sqrt(n) for some labels; orthogonal points have it for all labels
    def is_enough_for(n):
        y = np.random.default_rng(0).choice([-1.0, 1.0], n)
        return n <= dimension and geometric_margin(y, 0.0, np.eye(n), y) >= margin - SMALL

    assert is_enough_for(round(1 / margin**2))
    return is_enough_for(int(points))


def tf_feature(factor):
    """Scaling one feature by <factor> leaves the decisions of a linear support vector machine unchanged."""
    X, y = OVERLAPPING
    place = np.random.default_rng(1).uniform(-3, 3, (1000, 2))
    said = _machine(1.0)[0].predict(place)
    unchanged = lambda units: (_fit(1.0, X * units, y)[0].predict(place * units) == said).all()
    assert unchanged(np.array([-1.0, 1.0]))
    return unchanged(np.array([1.0, factor]))


test_claim = decided("kernels/svm", globals())
