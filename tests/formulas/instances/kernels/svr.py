"""Support vector regression: optima of the library, points that are none, copies of the rows, and two other losses."""

import numpy as np

from notes_lib.foundations.risk import residual_huber_gradient
from notes_lib.kernels.kernel_methods import rbf_kernel
from notes_lib.kernels.svm import SVC
from notes_lib.kernels.svr import (
    SVR,
    bias_interval,
    doubled_problem,
    dual_objective,
    epsilon_insensitive,
    primal_objective,
    tube_nu,
)
from tests.formulas.values import At, Instance

N, D, C, EPS = 9, 2, 0.4, 0.3
W, BETA, X_ROW, PHI = r"\mathbf{w}", r"\boldsymbol{\beta}", r"\mathbf{x}_#", r"\boldsymbol{\phi}_#"
COPIED = {
    "svr-lagrangian": "the definition; its derivatives and its reductions are not",
    "svr-stationary-xi": "mu is a name for C - alpha; the derivative is not copied",
}
CONDITIONS = {
    "svr-must-know-loss:3",  # for which the loss is the absolute one
    "svr-must-know-cases:1",  # for a bound row
    "svr-must-know-cases:2",  # for a free one
    "svr-must-know-bias:2",  # for a free one
}


def linear(w, b):
    """A linear function."""
    return At(lambda x: float(w @ np.ravel(x) + b))


def coefficients(machine, n):
    """The coefficients of all rows."""
    beta = np.zeros(n)
    beta[machine.support_] = np.ravel(machine.dual_coef_)
    return beta


def solved(X, y, price, eps):
    """Weights, bias and coefficients of the library's optimum."""
    machine = SVR(C=price, epsilon=eps, kernel="linear", tol=1e-12, max_iter=200_000).fit(X, y)
    beta = coefficients(machine, len(y))
    return X.T @ beta, float(np.ravel(machine.intercept_)[0]), beta


def symbols(X, y, w, b, alphas, slacks, mus, price=C, eps=EPS):
    """The symbols at one point, which need not be an optimum."""
    K, beta = X @ X.T, alphas[0] - alphas[1]
    low, high = bias_interval(np.clip(beta, -price, price), K, y, price, eps)

    def lagrangian(w, b, xi, xi_star, up, down, mu, mu_star):
        r = y - X @ w - b
        reach = up @ (eps + xi - r) + down @ (eps + xi_star + r)
        return 0.5 * w @ w + price * (xi + xi_star).sum() - reach - mu @ xi - mu_star @ xi_star

    def primal(w, b):  # the library's takes coefficients
        return primal_objective(np.linalg.pinv(X.T) @ w, float(b), K, y, price, eps)

    names = W, "b", r"\xi_#", r"\xi^*_#", r"\alpha_#", r"\alpha^*_#", r"\mu_#", r"\mu^*_#"
    return {
        "n": range(1, len(y) + 1), "m": range(1, len(y) + 1), "N": len(y), "C": price, r"\varepsilon": eps, X_ROW: X,
        PHI: X, "y_#": y, W: w, "b": b, r"\alpha_#": alphas[0], r"\alpha^*_#": alphas[1], r"\beta_#": beta, BETA: beta,
        r"\xi_#": slacks[0], r"\xi^*_#": slacks[1], r"\mu_#": mus[0], r"\mu^*_#": mus[1], "f": linear(w, b),
        "r_#": y - X @ w - b, "P": At(primal, W, "b"), r"\theta": At(lambda v: dual_objective(v, K, y, eps), BETA),
        r"\mathcal{L}": At(lagrangian, *names), "K_{##}": K, "k": At(lambda p, q: float(np.ravel(p) @ np.ravel(q))),
        "g_#": y - X @ w, r"\underline{b}": low, r"\overline{b}": high, r"\mathbf{0}": np.zeros(X.shape[1]),
        r"\ell_\varepsilon": At(lambda r: float(epsilon_insensitive(r, eps))),
        r"\nu": tube_nu(np.clip(beta, -price, price), price),
    }  # fmt: skip


def optimum(X, y, price=C, eps=EPS):
    """The symbols at the library's optimum."""
    w, b, beta = solved(X, y, price, eps)
    alphas = np.maximum(beta, 0), np.maximum(-beta, 0)
    r = y - X @ w - b
    slacks = np.maximum(0, r - eps), np.maximum(0, -r - eps)
    return symbols(X, y, w, b, alphas, slacks, [price - a for a in alphas], price, eps)


def stages_of_the_dual(rng, X, y):
    """Any point; multipliers that satisfy the dual's constraints with any w; and with the w that they make."""
    wild = symbols(X, y, rng.normal(size=D), rng.normal(), *rng.uniform(0.05, C, size=(3, 2, N)))
    up = rng.uniform(0.05, 0.3, N)
    down = rng.permutation(up)
    rest = rng.normal(), (up, down), rng.uniform(0.1, 1, size=(2, N)), (C - up, C - down)
    return wild, symbols(X, y, rng.normal(size=D), *rest), symbols(X, y, X.T @ (up - down), *rest)


def two_copies(rng, found):
    """The state of the library with two copies of each row, and other feasible multipliers."""
    X, y, beta = found[X_ROW], found["y_#"], found[r"\beta_#"]
    state = doubled_problem(beta, X @ X.T, y, C, EPS)
    a, s = state.alpha, state.signs
    moves = [(i, j, 0.01) for i in range(2 * N) for j in range(2 * N) if i != j]
    unit = np.eye(2 * N) * s
    rivals = [a + e * (unit[i] - unit[j]) for i, j, e in moves]
    rivals += [a + e * rng.normal(size=2 * N) for e in (1e-3, 0.1) for _ in range(8)]
    rivals += [c * a for c in (0.5, 0.9, 1.1)] + [a + 0.01, np.tile(a[:N] + 0.1, 2)]
    copies = {
        **found, "i": range(1, 2 * N + 1), "j": range(1, 2 * N + 1), r"\mathbf{a}": a, "a_#": a, "s_#": s,
        "y_#": np.tile(y, 2), "K_{##}": np.tile(X @ X.T, (2, 2)), "F_#": state.F,
    }  # fmt: skip
    return copies, [{r"\mathbf{a}": v, "a_#": v} for v in rivals]


def with_huber(X, y, delta=0.5):
    """The optimum for Huber's loss, by repeated weighted least squares."""
    K, one, r = X @ X.T, np.ones((N, 1)), y - np.median(y)
    for _ in range(2000):
        weight = np.minimum(1, delta / np.maximum(np.abs(r), 1e-12))
        found = np.linalg.solve(np.block([[K + np.diag(1 / (C * weight)), one], [one.T, 0]]), np.r_[y, 0])
        r = y - K @ found[:N] - found[N]
    slope = lambda t: float(residual_huber_gradient(t, delta))
    return {W: X.T @ found[:N], r"\beta_#": found[:N], "r_#": r, r"\ell'": At(slope)}


def on_labels(X):
    """Labels, a wide tube, and the classifier with the price of the equivalence."""
    labels, wide = np.where(X[:, 0] > np.median(X[:, 0]), 1.0, -1.0), 0.9
    machine = SVC(C=0.05 / (1 - wide), kernel="linear", tol=1e-12).fit(X, labels)
    same = SVR(C=0.05, epsilon=wide, kernel="linear", tol=1e-12).fit(X, labels)
    assert np.allclose(same.predict(X), (1 - wide) * machine.decision_function(X), atol=1e-7)
    h = At(lambda x: float(machine.decision_function(np.reshape(x, (1, -1)))[0]))
    return {"y_#": labels, r"\varepsilon": wide, "h": h}


def gaussian_kernel(rng, X, y):
    """A machine with a radial kernel, as the library evaluates it."""
    machine = SVR(C=5, epsilon=EPS, kernel="rbf", gamma=0.5, tol=1e-12).fit(X, y)
    row = lambda v: np.reshape(v, (1, -1))
    return {
        "C": 5.0, "k": At(lambda p, q: float(rbf_kernel(row(p), row(q), gamma=0.5)[0, 0])),
        r"\beta_#": coefficients(machine, N), "b": float(np.ravel(machine.intercept_)[0]),
        r"\mathbf{x}": rng.normal(size=D), "f": At(lambda x: float(machine.predict(row(x))[0])),
    }  # fmt: skip


def rivals_of(rng, found):
    """Other values near an optimum and far from it, of the primal variables and of the coefficients."""
    X, y, w, b, beta = (found[name] for name in (X_ROW, "y_#", W, "b", r"\beta_#"))
    near = [(w + e * rng.normal(size=D), b + e * rng.normal()) for e in (1e-3, 1e-2, 0.1, 1) for _ in range(8)]
    near += [(w * c, b * c) for c in (0.5, 0.9, 0.99, 1.01, 1.1, 2)]
    primal = []
    for p, q in near:
        r = y - X @ p - q
        slacks = np.maximum(0, r - EPS), np.maximum(0, -r - EPS)
        point = {W: p, "b": q, "f": linear(p, q)}
        primal += [{**point, r"\xi_#": slacks[0] + e, r"\xi^*_#": slacks[1] + e} for e in (0, 0.1, -0.1)]
    primal += [{r"\xi_#": found[r"\xi_#"] * c, r"\xi^*_#": found[r"\xi^*_#"] * c} for c in (0, 0.5, 0.9, 1.1)]
    unit = np.eye(N)
    dual = [beta + 0.01 * (unit[m] - unit[n]) for m in range(N) for n in range(N) if m != n]
    dual += [beta + e * rng.normal(size=N) for e in (1e-3, 0.1) for _ in range(8)]
    dual += [*(beta * c for c in (0.5, 0.9, 1.1, 2)), beta + 0.01, beta - 0.01]
    return primal, [{BETA: a, r"\beta_#": a} for a in dual]


def instance(seed):
    """An optimum with rows of all five cases; single formulas have points of their own."""
    rng = np.random.default_rng(seed)
    while True:
        X = rng.normal(size=(N, D))
        y = X @ [1.0, -0.5] + 1 + 0.6 * rng.standard_t(2, size=N)
        found = optimum(X, y)
        beta = found[r"\beta_#"]
        kinds = set((np.sign(beta) * (1 + (np.abs(beta) == C))).astype(int))
        if kinds == {-2, -1, 0, 1, 2}:
            break
    wild, half, full = stages_of_the_dual(rng, X, y)
    primal_rivals, dual_rivals = rivals_of(rng, found)
    copies, copy_rivals = two_copies(rng, found)
    line = np.array([[0.0], [2.0], [5.0]])
    narrow = optimum(line, np.array([0.0, 3.0, 9.0]) + 0.1 * seed, 0.05)  # no row is free
    rbf = gaussian_kernel(rng, X, y)
    free = r"0 < |\beta_n| < C"
    values = {**found, r"\mathbf{x}": rng.normal(size=D), "r": rng.normal() * 2}
    own = {
        **dict.fromkeys(("svr-lagrangian", "svr-dual-1", "svr-risk", "svr-dual"), wild), "svr-dual-2": half,
        "svr-gap": half, "svr-dual-3": full, "svr-bias-interval": narrow, "svr-kernel-score": rbf,
        "svr-must-know-bias:3": rbf, "svr-pull": with_huber(X, y), "svr-classification": on_labels(X),
        "svr-doubled": copies, "svr-candidates": copies,
    }  # fmt: skip
    worth = {"svr-must-know-loss:2": (-1.0, 1.0)}
    given = {"svr-must-know-bias:1": free, "svr-must-know-cases:3": free}
    rivals = {
        "svr-primal": primal_rivals, "svr-must-know-primal:1": primal_rivals, "svr-dual-problem": dual_rivals,
        "svr-must-know-dual:1": dual_rivals, "svr-doubled": copy_rivals,
    }  # fmt: skip
    return Instance(values, own, worth, given, rivals=rivals)
