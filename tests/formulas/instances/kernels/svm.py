"""Support vector machine: optima of the library, points that are none, a step of SMO, and the exclusive or."""

import numpy as np

from notes_lib.kernels.kernel_methods import rbf_kernel
from notes_lib.kernels.svm import (
    SVC,
    bias_candidates,
    dual_objective,
    geometric_margin,
    one_vs_one_scores,
    platt_probability,
    platt_scaling,
    primal_objective,
    squared_hinge,
    two_variable_step,
    working_set,
)
from notes_lib.kernels.svm.steps import up_low
from notes_lib.linear.logistic_regression.checks import class_weights
from tests.formulas.values import At, Instance

W, XI, ALPHA = r"\mathbf{w}", r"\boldsymbol{\xi}", r"\boldsymbol{\alpha}"
N, D, C = 8, 3, 0.6
TOL = 1e-9
CONDITIONS = {"svm-must-know-bias:2"}  # for a multiplier inside
COPIED = {
    "svm-lagrangian": "the definition; its derivatives and its reductions are not",
    "svm-lambda": "lambda is a name for 1/C",
    "svm-platt-targets": "the definition",
    "svm-stationary-xi": "mu is a name for C - alpha; the derivative is not copied",
    "svm-nu": "a name for the mean of the multipliers over C",
}


def numbers(mask):
    """The numbers of the rows where something is true."""
    return frozenset(int(k) + 1 for k in np.flatnonzero(mask))


def slacks(X, y, w, b):
    """The least slack variables."""
    return np.maximum(0, 1 - y * (X @ w + b))


def solved(X, y, C):
    """Weights, bias and multipliers of the library's optimum."""
    machine = SVC(C=C, kernel="linear", tol=1e-11, max_iter=200_000).fit(X, y)
    alpha = np.zeros(len(y))
    alpha[machine.support_] = np.abs(np.ravel(machine.dual_coef_))
    return X.T @ (alpha * y), float(np.ravel(machine.intercept_)[0]), alpha


def symbols(X, y, C, w, b, alpha, xi, mu):
    """The symbols at one point, which need not be an optimum."""
    K = X @ X.T
    F = bias_candidates(alpha, K, y)
    up, low = up_low(y, alpha, np.full(len(y), C))

    def lagrangian(w, b, xi, alpha, mu):
        return 0.5 * w @ w + C * xi.sum() + alpha @ (1 - xi - y * (X @ w + b)) - mu @ xi

    def primal(w, b):  # the library's takes multipliers
        return primal_objective((np.linalg.pinv(X.T) @ w) * y, float(b), K, y, C)

    return {
        "n": range(1, len(y) + 1), "m": range(1, len(y) + 1), "N": len(y), "C": C, r"\mathbf{x}_#": X, "y_#": y,
        W: w, "b": b, r"\alpha_#": alpha, ALPHA: alpha, r"\xi_#": xi, XI: xi, r"\mu_#": mu, r"\boldsymbol{\mu}": mu,
        "f": At(lambda x: float(w @ x + b)), "P": At(primal, W, "b"),
        r"\theta": At(lambda a: dual_objective(a, K, y), ALPHA),
        r"\mathcal{L}": At(lagrangian, W, "b", r"\xi_#", r"\alpha_#", r"\mu_#"), "F_#": F, "K_{##}": K,
        "k": At(lambda p, q: float(p @ q)), r"I_{\mathrm{up}}": numbers(up), r"I_{\mathrm{low}}": numbers(low),
        r"\underline{b}": F[up].max(), r"\overline{b}": F[low].min(),
    }  # fmt: skip


def stages_of_the_dual(rng, X, y):
    """Any point; multipliers that satisfy the dual's constraints with any w; and with the w that they make."""
    wild = symbols(X, y, C, rng.normal(size=D), rng.normal(), *rng.uniform(0.1, 1, size=(3, N)))
    alpha = rng.uniform(0.05, 0.5, N)
    alpha[y > 0] *= alpha[y < 0].sum() / alpha[y > 0].sum()
    alpha *= 0.9 * C / alpha.max()
    rest = rng.normal(), alpha, rng.uniform(0.1, 1, N), C - alpha
    return wild, symbols(X, y, C, rng.normal(size=D), *rest), symbols(X, y, C, X.T @ (alpha * y), *rest)


def without_free(rng):
    """Equal classes and a small C: every multiplier is C, and b lies in an interval, here between its ends."""
    X, y, C = rng.normal(size=(6, D)), np.repeat([1.0, -1.0], 3), 0.01
    alpha = np.full(6, C)
    found = symbols(X, y, C, X.T @ (alpha * y), 0.0, alpha, alpha, alpha)
    return {**found, "b": 0.3 * found[r"\underline{b}"] + 0.7 * found[r"\overline{b}"]}


def step_of_smo(start, y):
    """The library's next step from a feasible point, and what it moves; the curvature as a second difference."""
    alpha, F, K, prices = start[r"\alpha_#"], start["F_#"], start["K_{##}"], np.full(N, C)
    pair = working_set(F, alpha, y, prices, K)
    i, j = pair.i, pair.j
    step = two_variable_step(F, alpha, y, prices, K, i, j)
    after, direction = alpha.copy(), np.zeros(N)
    after[i], after[j] = step.alpha_i, step.alpha_j
    direction[i], direction[j] = y[i], -y[j]
    line = lambda t: dual_objective(alpha + t * direction, K, y)
    room = [(C - a) if s > 0 else a for a, s in ((alpha[i], y[i]), (alpha[j], -y[j]))]
    distances = np.sum((start[r"\mathbf{x}_#"][:, None] - start[r"\mathbf{x}_#"]) ** 2, axis=2)
    curvature = 2 * line(0) - line(1) - line(-1)
    found = {
        **start, "i": i + 1, "j": j + 1, "t": step.t, r"\alpha_#\leftarrow": after,
        r"F_#\leftarrow": bias_candidates(after, K, y), r"\theta\leftarrow": dual_objective(after, K, y),
        "r_#": dict(zip((i + 1, j + 1), room, strict=True)), r"\boldsymbol{\phi}_#": start[r"\mathbf{x}_#"],
        r"\eta_{##}": distances, r"t^\star": (line(1) - line(-1)) / 2 / curvature,
    }  # fmt: skip
    return found, {**found, r"\theta": At(line), "t": 0.37}


def exclusive_or(rng):
    """The corners of a square with the kernel (1 + x'z)^2."""
    corners, y = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1.0]]), np.array([1, 1, -1, -1.0])
    machine = SVC(C=1e6, kernel="poly", degree=2, gamma=1.0, coef0=1.0, tol=1e-12).fit(corners, y)
    alpha = np.zeros(4)
    alpha[machine.support_] = np.abs(np.ravel(machine.dual_coef_))
    x = rng.normal(size=2)
    return {
        "n": range(1, 5), "m": range(1, 5), "y_#": y, r"\alpha_#": alpha, "b": float(np.ravel(machine.intercept_)[0]),
        r"\mathbf{x}": x, "x_#": x, "f": At(lambda x: float(machine.decision_function(x[None])[0])),
    }  # fmt: skip


def gaussian_kernel(X, y):
    """A machine with a radial kernel, as the library evaluates it."""
    machine = SVC(C=5, kernel="rbf", gamma=0.2, tol=1e-11).fit(X, y)
    alpha = np.zeros(N)
    alpha[machine.support_] = np.abs(np.ravel(machine.dual_coef_))
    return {
        "C": 5.0, "k": At(lambda p, q: rbf_kernel(p[None], q[None], gamma=0.2)[0, 0]), r"\alpha_#": alpha,
        "b": float(np.ravel(machine.intercept_)[0]), "f": At(lambda x: float(machine.decision_function(x[None])[0])),
    }  # fmt: skip


def with_squared_hinge(rng, X, y):
    """Value, gradient and Hessian of the library at some weights."""
    Z, w = np.column_stack([X, np.ones(N)]), 0.5 * rng.normal(size=D + 1)
    found = squared_hinge(w, Z, y, C)
    return {
        W: w, r"\mathbf{z}_#": Z, "J": At(lambda w: squared_hinge(w, Z, y, C).value, W), r"\mathbf{H}": found.hessian,
        r"\mathbf{I}": np.eye(D + 1), r"\mathcal{A}": numbers(y * (Z @ w) < 1),
        r"\mathbf{r}": found.hessian @ w - found.gradient,
    }  # fmt: skip


def votes(rng, K=4):
    """Scores of pairs of classes and the library's votes."""
    s = rng.normal(size=(K, K))
    s = s - s.T
    v = one_vs_one_scores(np.array([[s[p, q] for p in range(K) for q in range(p + 1, K)]]), K)[0]
    return {
        "k": range(1, K + 1), "q": range(1, K + 1), "v_#": v, "s_{##}": s, "S_#": s.sum(axis=1),
        r"\text{votes for } #": np.round(v),
    }  # fmt: skip


def through_the_origin(X, y):
    """Multipliers of the hard margin without a bias, by coordinate ascent on the dual."""
    Q, alpha = (X @ X.T) * np.outer(y, y), np.zeros(len(y))
    for _ in range(20_000):
        for k in range(len(y)):
            alpha[k] = max(0, alpha[k] + (1 - Q[k] @ alpha) / Q[k, k])
        slope = 1 - Q @ alpha
        if np.all((np.abs(slope) < 1e-12) | ((alpha == 0) & (slope < 0))):
            break
    return alpha


def left_out(rng):
    """Mistakes of machines through the origin that have not seen the instance, and the margin with all of them."""
    X = rng.normal(size=(N, D))
    y = np.where(X @ [1, 2, 0.5] > 0, 1, -1.0)
    X += 0.3 * np.outer(y, [1, 2, 0.5])
    mistakes = 0
    for n in range(N):
        keep = np.arange(N) != n
        w = X[keep].T @ (through_the_origin(X[keep], y[keep]) * y[keep])
        mistakes += bool(y[n] * (w @ X[n]) <= 0)
    alpha = through_the_origin(X, y)
    margin = 1 / np.linalg.norm(X.T @ (alpha * y))
    radius = np.linalg.norm(X, axis=1).max()
    return {r"\alpha_#": alpha, "R": radius, r"\rho": margin, r"\text{mistakes when left out}": mistakes}


def rivals_of(rng, X, y, w, b, alpha):
    """Other values near an optimum and far from it, of the primal variables and of the multipliers."""
    near = [(w + e * rng.normal(size=D), b + e * rng.normal()) for e in (1e-3, 1e-2, 0.1, 1) for _ in range(8)]
    near += [(w * c, b * c) for c in (0.5, 0.9, 0.99, 1.01, 1.1, 2)]
    soft = [{W: p, "b": q, r"\xi_#": slacks(X, y, p, q) + e} for p, q in near for e in (0, 0.1, -0.1)]
    soft += [{r"\xi_#": slacks(X, y, w, b) * c} for c in (0, 0.5, 0.9, 1.1)]
    unit = np.eye(N) * y
    dual = [alpha + e * (unit[m] - unit[n]) for m in range(N) for n in range(N) if m != n for e in (1e-3, 0.05)]
    dual += [alpha + e * rng.normal(size=N) for e in (1e-3, 0.1) for _ in range(8)]
    dual += [*(alpha * c for c in (0.5, 0.9, 1.1, 2)), alpha + 0.01, alpha - 0.01]
    return soft, [{ALPHA: a, r"\alpha_#": a} for a in dual]


def instance(seed):
    """The soft margin's optimum on eight instances of unequal classes; single formulas have points of their own."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(N, D)), np.array([1, 1, 1, -1, -1, 1, -1, 1.0])
    X[:, 0] += 1.2 * y
    order = np.argsort(slacks(X, y, *solved(X, y, C)[:2]))
    order = np.r_[order[-2], order[:-2], order[-1]]  # slack at both ends
    X, y = X[order], y[order]
    w, b, alpha = solved(X, y, C)
    x, scores = rng.normal(size=D), X @ w + b
    far = X + 3 * np.outer(y, [1, 0, 0])  # separable
    w_hard, b_hard, alpha_hard = solved(far, y, 1e6)
    hard = symbols(far, y, 1e6, w_hard, b_hard, alpha_hard, 0 * alpha, 1e6 - alpha_hard)
    hard[r"\rho"] = geometric_margin(w_hard, b_hard, far, y)
    wild, half, full = stages_of_the_dual(rng, X, y)
    smo, on_line = step_of_smo(full, y)
    squared, rbf = with_squared_hinge(rng, X, y), gaussian_kernel(X, y)
    soft_rivals, dual_rivals = rivals_of(rng, X, y, w, b, alpha)
    hard_rivals = [{W: r[W], "b": r["b"]} for r in rivals_of(rng, far, y, w_hard, b_hard, alpha)[0] if W in r]
    hard_rivals += [{W: c * (w_hard + 0.01 * rng.normal(size=D)), "b": c * b_hard} for c in np.linspace(0.9, 1.3, 20)]
    # five orthogonal vectors can be split in every way, each class on its side of a street
    shattered = {"N": 5, "R": 2.0, r"\rho": 2 / np.sqrt(5) * (1 if seed == 0 else rng.uniform(0.5, 1))}
    xor, loo, narrow = exclusive_or(rng), left_out(rng), without_free(rng)
    sigmoid = platt_scaling(scores, y)
    positive, negative = int((y > 0).sum()), int((y < 0).sum())
    tau = np.where(y > 0, (positive + 1) / (positive + 2), 1 / (negative + 2))
    chance = platt_probability(scores, sigmoid)
    weight = class_weights("balanced", np.array([-1.0, 1.0]), (y > 0).astype(int))
    nearest = x - np.linalg.lstsq(w[None], [w @ x + b])[0]  # the shortest way to the plane
    values = {
        **symbols(X, y, C, w, b, alpha, slacks(X, y, w, b), C - alpha), r"\mathbf{x}": x, r"\mathbf{0}": np.zeros(D),
        r"\delta": np.sign(w @ x + b) * np.linalg.norm(x - nearest),
        r"\rho_#": np.array([geometric_margin(w, b, X[n : n + 1], y[n : n + 1]) for n in range(N)]),
        r"\rho": geometric_margin(w, b, X, y), r"\lambda": 1 / C, r"P^\star": dual_objective(alpha, X @ X.T, y),
        r"N_{\min}": min(positive, negative), r"\mathrm{tol}": TOL, r"\nu": alpha.mean() / C,
        "A": sigmoid.A, "B": sigmoid.B, r"P(y = 1 \mid \mathbf{x})": platt_probability([w @ x + b], sigmoid)[0],
        r"\tau_#": tau, "N_+": positive, "N_-": negative, "a_#": sigmoid.A * scores + sigmoid.B,
    }  # fmt: skip
    balanced = {"N_#": {-1: negative, 1: positive}, "K": 2, "C_#": C * np.where(y > 0, weight[1], weight[0])}
    own = {
        **dict.fromkeys(("svm-street", "svm-max-margin", "svm-canonical", "svm-hard", "svm-sum-alpha"), hard),
        **dict.fromkeys(("svm-lagrangian", "svm-dual-1", "svm-must-know-dual:1"), wild),
        **dict.fromkeys(("svm-dual-2", "svm-weak-duality", "svm-gap"), half), "svm-dual-3": full, "svm-dual": full,
        **{f"svm-{name}": smo for name in ("pair", "curvature", "step", "clip", "update", "gain", "first-index",
                                           "second-index")},
        "svm-pair-dual": on_line, "svm-bias-interval": narrow, "svm-kernel-score": rbf, "svm-must-know-bias": rbf,
        **dict.fromkeys(("svm-xor-multipliers", "svm-xor-score"), xor), "svm-loo": loo,
        "svm-shatter": shattered,
        **{f"svm-{name}": squared for name in ("squared-hinge", "newton-gradient", "newton-hessian", "newton-step")},
        "svm-one-vs-one": votes(rng), "svm-class-weights": balanced,
        **{f"svm-must-know-margin:{k}": hard for k in (2, 3, 4)}, "svm-must-know-hard": hard,
        "svm-must-know-complementary": {"f": At(lambda n: scores[n - 1], "n")},
        "svm-must-know-complementary:1": {"f": At(lambda x: float(w @ x + b))},
    }  # fmt: skip
    worth = {
        "svm-street": 2 * hard[r"\rho"], "svm-platt-loss": -(tau @ np.log(chance) + (1 - tau) @ np.log(1 - chance)),
        "svm-bias-interval": {0: narrow[r"\underline{b}"], 2: narrow[r"\overline{b}"]},
        "svm-must-know-margin:1": At(lambda n: y[n - 1] * scores[n - 1], "n"),
        "svm-must-know-margin:3": hard[r"\rho"], "svm-must-know-margin:4": 2 * hard[r"\rho"],
    }  # fmt: skip
    given = {"svm-bias-free": r"0 < \alpha_n < C", "svm-must-know-bias:1": r"0 < \alpha_n < C"}
    rivals = {
        "svm-max-margin": hard_rivals, "svm-hard": hard_rivals, "svm-must-know-hard:1": hard_rivals,
        "svm-soft": soft_rivals, "svm-must-know-soft:1": soft_rivals, "svm-dual-problem": dual_rivals,
        "svm-must-know-dual:3": dual_rivals,
    }  # fmt: skip
    return Instance(values, own, worth, given, rivals=rivals)
