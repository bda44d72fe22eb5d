"""The quiz of the chapter *Gradient boosting*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from notes_lib.trees.cart import DecisionTreeRegressor
from notes_lib.trees.gradient_boosting import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    dependence_curves,
    leaf_value,
    pseudo_residuals,
    second_order_gain,
)
from tests.claims.deciding import Numbers, decided


def quiz_newton(y, p):
    r"""A leaf holds labels <y> with $p=<p>$ for all. Its Newton value for log loss is"""
    y, u = np.array(y, dtype=float), np.full(len(y), np.log(p / (1 - p)))
    r = pseudo_residuals("logistic", y, u)
    exact = brentq(lambda b: np.sum(y - expit(u + b)), -9, 9, xtol=1e-14)
    return Numbers(leaf_value("logistic", y, u), [r.mean(), r.sum(), exact])


def quiz_median():
    """For absolute errors the leaf value is"""
    rng = np.random.default_rng(0)
    y, u = rng.normal(size=9), rng.normal(size=9)
    loss = lambda b: np.abs(y - u - b).sum()
    best = min(loss(b) for b in y - u)  # the sum has its corners there
    assert np.isclose(loss(leaf_value("absolute_error", y, u)), best)
    signs = pseudo_residuals("absolute_error", y, u)
    said = {
        "the mean of the signs": signs.mean(),
        "the median of the signs": np.median(signs),
        "the median of $y_n-u_n$": np.median(y - u),
        "the mean of $y_n-u_n$": np.mean(y - u),
    }
    return {option: bool(np.isclose(loss(b), best)) for option, b in said.items()}


def quiz_gain(G_L, H_L, G_R, H_R, lam, gamma):
    r"""$G_L=<G_L>$, $H_L=<H_L>$, $G_R=<G_R>$, $H_R=<H_R>$, $\lambda=<lam>$, $\gamma=<gamma>$. The gain is"""
    gain = lambda penalty, price: second_order_gain(G_L, H_L, G_R, H_R, penalty, price)
    return Numbers(gain(lam, gamma), [2 * gain(lam, 0) - gamma, gain(lam, 0), gain(0, gamma)])


def quiz_regularise():
    """Which make overfitting less likely? (Mark all.)"""

    def gap(**chosen):
        """Error on new instances minus error on the training instances."""
        apart = []
        for seed in range(5):
            rng = np.random.default_rng(seed)
            x = rng.uniform(0, 6, size=(600, 1))
            y = np.sin(x[:, 0]) + 0.5 * rng.normal(size=600)
            limits = {"max_depth": 3, "n_estimators": 40, "learning_rate": 0.2, "random_state": 0} | chosen
            model = GradientBoostingRegressor(tree_method="hist", **limits).fit(x[:150], y[:150])
            square = (model.predict(x) - y) ** 2
            apart.append(square[150:].mean() - square[:150].mean())
        return np.mean(apart)

    usual = gap()
    return {
        r"a larger $\lambda$": gap(reg_lambda=20.0) < usual,
        "deeper trees": gap(max_depth=6) < usual,
        "stopping early": gap(n_estimators=300, n_iter_no_change=3, validation_fraction=0.25) < usual,
        "more rounds": gap(n_estimators=120) < usual,
    }


def tf_parallel():
    """The trees of gradient boosting can be grown in parallel."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    second = GradientBoostingRegressor(n_estimators=2, max_depth=2, learning_rate=1.0).fit(X, y).trees_[1][0]
    before = y - GradientBoostingRegressor(n_estimators=1, max_depth=2, learning_rate=1.0).fit(X, y).predict(X)
    assert np.allclose(second.threshold, DecisionTreeRegressor(max_depth=2).fit(X, before).tree_.threshold)
    alone = DecisionTreeRegressor(max_depth=2).fit(X, y).tree_  # what can be grown without the first tree
    return np.array_equal(second.threshold, alone.threshold)


def tf_regression():
    """With a classifier too, each tree is a regression tree."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
    model = GradientBoostingClassifier(n_estimators=4, max_depth=2, learning_rate=0.5).fit(X, y)
    start = np.full(80, np.log(y.mean() / (1 - y.mean())))
    u, same = start, []
    for t, (tree,) in enumerate(model.trees_):
        grown = DecisionTreeRegressor(max_depth=2).fit(X, y - expit(u)).tree_
        same.append(np.allclose(tree.threshold, grown.threshold) and np.array_equal(tree.feature, grown.feature))
        partly = GradientBoostingClassifier(n_estimators=t + 1, max_depth=2, learning_rate=0.5).fit(X, y)
        p = partly.predict_proba(X)[:, 1]
        u = np.log(p / (1 - p))
    return all(same)


def tf_rate(nu):
    r"""With squared errors, $\nu=<nu>$ still lowers the training loss in each round."""
    rng = np.random.default_rng(3)
    falls = lambda rate, X, y: np.all(
        np.diff(GradientBoostingRegressor(n_estimators=6, max_depth=2, learning_rate=rate).fit(X, y).train_score_) < 0
    )
    data = [(rng.normal(size=(50, 2)), rng.normal(size=50)) for _ in range(5)]
    assert not any(falls(2.5, X, y) for X, y in data)
    return all(falls(nu, X, y) for X, y in data)


def tf_conditional():
    """Partial dependence is the conditional mean of the target given the feature."""
    rng = np.random.default_rng(4)
    first, noise = rng.normal(size=2000), rng.normal(size=2000)
    target = lambda X: X[:, 0] + X[:, 1]

    def equal(X):
        """Whether the curve and the mean of the targets near a value agree at 1."""
        near = np.abs(X[:, 0] - 1) < 0.1
        return np.isclose(dependence_curves(target, X, 0, [1.0]).average[0], target(X)[near].mean(), atol=0.3)

    assert equal(np.column_stack([first, noise]))
    return equal(np.column_stack([first, first + 0.1 * noise]))


test_claim = decided("trees/gradient_boosting", globals())
