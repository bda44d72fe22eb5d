"""Logistic regression: seven instances, the library's objective and steps on one side, SciPy's sigmoid on the other."""

from itertools import combinations

import numpy as np
from scipy.special import expit, logit
from scipy.stats import bernoulli, norm

from notes_lib.linear.logistic_regression import (
    LogisticRegression,
    OneVsRestClassifier,
    coefficient_table,
    logistic_gradient,
    logistic_hessian,
    logistic_objective,
    newton_step,
    pairwise_votes,
    proximal_step,
    working_response,
)
from notes_lib.linear.logistic_regression.checks import inverse_strength
from tests.formulas.values import At, Instance, slope

W = r"\mathbf{w}"
LEVEL = 2 * norm.cdf(1.96) - 1
LEAST = 100, 92
UNREAD = {
    "logistic-regression-must-know-separated:2": "a limit",
    "logistic-regression-must-know-tests:1": "holds for large samples",
}
CONDITIONS = {"logistic-regression-must-know-tests:4"}  # the hypothesis


def one_vs_rest(rng, K):
    """Scores of K machines at one point, and the library's probabilities and prediction there."""
    classes = np.repeat(np.arange(1, K + 1), 6)
    X = rng.normal(size=(6 * K, 2)) + np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[classes - 1]
    model = OneVsRestClassifier(LogisticRegression()).fit(X, classes)
    x = X[:1]
    return model.decision_function(x)[0], model.predict_proba(x)[0], model.predict(x)[0]


def one_vs_one(rng, K):
    """Scores of the pairs, one of them 0, which is a vote for the first, and the library's votes, without a tie."""
    while True:
        scores = rng.normal(size=K * (K - 1) // 2)
        scores[rng.integers(len(scores))] = 0
        votes = np.round(pairwise_votes(scores[None], K)[0])
        if (votes == votes.max()).sum() == 1:
            return dict(zip(combinations(range(1, K + 1), 2), scores, strict=True)), votes


def instance(seed):
    """A column of ones, two features; any weights w and a penalty on all but the first."""
    rng = np.random.default_rng(seed)
    N, K, eta, tau = 7, 4, 0.13, rng.uniform(0.2, 0.8)
    X = np.column_stack([np.ones(N), rng.normal(size=(N, 2))])
    y = np.array([0, 1, 0, 1, 1, 0, 1.0])
    w, v, lam, l1 = rng.normal(size=3), rng.normal(size=3), 0.7, 3.5
    penalty, lasso = np.array([0, lam, lam]), np.array([0, l1, l1])
    model = LogisticRegression(C=1 / lam, tol=1e-12).fit(X[:, 1:], y)
    fitted = expit(model.decision_function(X[:, 1:]))
    table, free = coefficient_table(w, X, LEVEL), newton_step(w, X, y)
    gradient_step = w - eta * logistic_gradient(w, X, y)
    lasso_step = proximal_step(w, X, y, lasso, eta)
    side = np.sign(X @ v)  # labels that v separates
    without = w * [1, 1, 0]
    scores, probabilities, chosen = one_vs_rest(rng, K)
    pairs, votes = one_vs_one(rng, K)
    z = logit(tau) + np.array([-9, -1, -0.1, -0.001, 0.001, 0.1, 5])  # scores around the threshold
    log_likelihood = lambda w: float(bernoulli.logpmf(y, expit(X @ w)).sum())
    numbered = lambda a: dict(enumerate(a))  # weights and their errors count from 0
    values = {
        "n": range(1, N + 1), "j": range(3), "k": range(1, K + 1), "l": range(1, K + 1), "i": range(1, K + 1),
        "N": N, "K": K, r"\mathbf{x}": X[2], r"\mathbf{x}_#": X, r"\mathbf{X}": X, "y_#": y, r"\mathbf{y}": y,
        r"\tilde y_#": np.where(y > 0, 1, -1), W: w, "w_#": numbered(w), r"\mathbf{v}": v, r"\hat w_#": numbered(w),
        "z": X[2] @ w, "z_#": At(lambda w: X @ w, W), "p": expit(X[2] @ w), "p_#": expit(X @ w),
        r"\mathbf{p}": expit(X @ w), r"\mathrm{odds}": At(lambda q: np.exp(logit(q)), "p"), r"\sigma": At(expit, "z"),
        r"\tau": tau, "J": At(lambda w: logistic_objective(w, X, y, penalty), W), "c": 1.7,
        r"\mathbf{H}": logistic_hessian(w, X, penalty), "W_#": working_response(w, X, y).weights,
        r"\mathbf{W}": np.diag(working_response(w, X, y).weights), "t_#": working_response(w, X, y).response,
        r"\mathbf{t}": working_response(w, X, y).response, r"\boldsymbol{\Lambda}": np.diag(penalty),
        r"\lambda": inverse_strength(model.C), "C": model.C, r"\lambda_1": l1, r"\eta": eta,
        r"\mathbf{w}^{\text{new}}": newton_step(w, X, y, penalty),
        r"\mathbf{w}\leftarrow": w - eta * logistic_gradient(w, X, y, penalty),
        r"\mathrm{se}_#": numbered(table.standard_error), "f_#": [At(lambda x, s=s: s) for s in scores],
        "f_{##}": pairs, r"\hat y": chosen, r"\mathrm{votes}_#": votes, r"P(#\mid\mathbf{x})": probabilities,
        r"J_{\text{without}}": -log_likelihood(without), r"J_{\text{with}}": -log_likelihood(w),
    }  # fmt: skip
    plain = {"J": At(lambda w: logistic_objective(w, X, y), W)}
    scored = {"z": At(lambda n: z[n - 1], "n"), "p": At(lambda n: expit(z[n - 1]), "n")}
    end = np.log(table.high if seed % 2 else table.low)  # a coefficient may lie there and no further
    card = "logistic-regression-must-know-"
    own = {
        "logistic-regression-irls": {r"\mathbf{w}^{\text{new}}": free}, "logistic-regression-divergence": {
            "J": At(lambda w: logistic_objective(w, X, side > 0), W), r"\mathbf{v}": v, r"\tilde y_#": side,
        },
        "logistic-regression-threshold": scored, "logistic-regression-balance": {"p_#": fitted},
        "logistic-regression-proximal": {
            r"\mathbf{u}": gradient_step, "u_#": numbered(gradient_step), r"w_#^{\text{new}}": numbered(lasso_step),
            "j": range(1, 3),
        },
        "logistic-regression-wald": {"w_#": numbered(end)},
        "logistic-regression-ovo": {r"\hat y": np.argmax(votes) + 1, "j": range(1, K + 1)},
        f"{card}model:4": {r"\sigma": 0.3, r"\sigma'": slope(expit, logit(0.3))}, f"{card}model:5": scored,
        f"{card}objective": plain,
        f"{card}irls": {r"\mathbf{w}^{\text{new}}": free, r"\mathbf{H}": logistic_hessian(w, X), **plain},
        f"{card}separated:1": {r"\inf J": min(logistic_objective(c * v, X, side > 0) for c in 10.0 ** np.arange(6))},
        f"{card}irls:3": {W: 0 * w, r"\mathbf{0}": 0 * w, "W_#": working_response(0 * w, X, y).weights},
        f"{card}irls:4": {"t_#": working_response(0 * w, X, y).response},
    }  # fmt: skip
    worth = {
        f"{card}model:6": At(lambda j: table.odds_ratio[j], "j"),
        f"{card}objective:4": logistic_objective(w, X, y, penalty) - logistic_objective(w, X, y),
        f"{card}tests:2": At(lambda j: table.z[j] ** 2, "j"),
        f"{card}tests:3": 2 * (log_likelihood(w) - log_likelihood(without)),
        f"{card}tests:5": [At(lambda j: table.low[j], "j"), At(lambda j: table.high[j], "j")],
    }
    return Instance(values, own, worth)
