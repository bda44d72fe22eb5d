"""Ridge, lasso, elastic net: nine centred rows of four correlated columns, minimisers of the library, NumPy's norms."""

from itertools import combinations

import numpy as np
from scipy.stats import multivariate_normal, norm

from notes_lib.linear.regularization import (
    ElasticNet,
    Lasso,
    Ridge,
    coordinate_update,
    effective_degrees_of_freedom,
    elastic_net_gap,
    elastic_net_objective,
    largest_alpha,
    lasso_knots,
    ridge_svd,
    ridge_weights,
    soft_threshold,
)
from notes_lib.linear.regularization.steps import penalties
from tests.formulas.values import At, Instance

W, STAR = r"\mathbf{w}", r"\mathbf{w}^\star"
LEAST = 95, 100
UNREAD = {"regularization-knots": "two lists of candidates"}
N, D = 9, 4


def orthonormal(rng, lam, l1):
    """Weights of three methods on orthonormal columns; the best two columns are found by trying all pairs."""
    Q, target = np.linalg.qr(rng.normal(size=(N, D)))[0], 3 * rng.normal(size=N)
    z, subset = Q.T @ target, np.zeros(D)
    left = lambda pair: np.linalg.norm(target - Q[:, pair] @ np.linalg.lstsq(Q[:, pair], target)[0])
    best = min((list(pair) for pair in combinations(range(D), 2)), key=left)
    subset[best] = np.linalg.lstsq(Q[:, best], target)[0]
    sizes = np.sort(np.abs(z))
    return {
        "z_#": z, "c": (sizes[1] + sizes[2]) / 2, r"\mathbf{1}": 1.0,
        r"w_#^{\text{lasso}}": Lasso(l1 / N, fit_intercept=False).fit(Q, target).coef_,
        r"w_#^{\text{ridge}}": ridge_weights(Q, target, lam), r"w_#^{\text{subset}}": subset,
    }  # fmt: skip


def instance(seed):
    """Any weights w, strengths for which some columns are kept, a noise and a prior."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, D)) + rng.normal(size=(N, 1))
    X -= X.mean(axis=0)
    X /= X.std(axis=0)
    y = X @ rng.normal(size=D) + rng.normal(size=N)
    raw, targets = X + rng.normal(size=D), y + 3.0  # before centring
    y = y - y.mean()
    w, b, lam, sigma2, tau2 = rng.normal(size=D), rng.normal(), 0.7, rng.uniform(0.5, 2), rng.uniform(0.5, 2)
    top = largest_alpha(X, y) * N
    l1 = top * rng.uniform(0.1, 0.4)
    G, (U, s, Vt) = X.T @ X, np.linalg.svd(X, full_matrices=False)
    ridge, lasso = ridge_weights(X, y, lam), Lasso(l1 / N, tol=1e-12).fit(X, y).coef_
    smooth = lambda v, c: 2 * N * elastic_net_objective(X, y - c, v, lam / N, 0.0)
    sharp = lambda v: N * elastic_net_objective(X, y, v, l1 / N)
    objective = {"J": At(sharp, W)}
    kept = np.flatnonzero(lasso)
    alpha, rho, z, t = 0.3, 0.6, 2 * rng.normal(), 0.8
    net = ElasticNet(alpha, l1_ratio=rho, tol=1e-12).fit(X, y).coef_
    l1_net, l2_net = penalties(alpha, rho, N)
    fitted = lambda v: X @ ridge_weights(X, v, lam)
    fit = Ridge(lam).fit(raw, targets)
    posterior = lambda v: -multivariate_normal(X @ v, sigma2).logpdf(y) - norm(0, tau2**0.5).logpdf(v).sum()
    mode = np.linalg.solve(G / sigma2 + np.eye(D) / tau2, X.T @ y / sigma2)
    of_mode = {r"\lambda": mode @ X.T @ (y - X @ mode) / (mode @ mode)}  # the strength whose ridge solution it is
    shorter = [v * np.linalg.norm(ridge) * rng.random() ** 0.3 / np.linalg.norm(v) for v in rng.normal(size=(40, D))]
    of_row = lambda n, _: norm(X[n - 1] @ w, sigma2**0.5).pdf(y[n - 1])
    scale = min(1, l1 / np.abs(X.T @ (y - X @ w)).max())
    values = {
        "n": range(1, N + 1), "j": range(1, D + 1), "k": range(1, D + 1), "i": range(1, D + 1), "N": N, "D": D,
        r"\mathbf{X}": X, r"\mathbf{y}": y, "y_#": y, r"\mathbf{x}_#": X, r"\mathbf{a}_#": X.T, W: w, "w_#": w, "b": b,
        r"\mathbf{1}_N": np.ones(N), r"\mathbf{I}": np.eye(D), r"\mathbf{I}_D": np.eye(D), r"\mathbf{I}_N": np.eye(N),
        "J": At(smooth, W, "b"), r"\lambda": lam, r"\lambda_1": l1, r"\mathbf{r}": y - X @ w, r"\sigma^2": sigma2,
        r"\tau^2": tau2, r"\sigma_#": s, r"\sigma_#^2": s**2, r"\mathbf{u}_#": U.T, r"\mathbf{v}_#": Vt,
        r"\hat{\mathbf{y}}": fitted(y), r"\hat y_#": At(fitted, "y_#"), "z": z, "t": t,
        "S_t": At(lambda v: float(soft_threshold(v, t))), r"S_{\lambda_1}": At(lambda v: float(soft_threshold(v, l1))),
        r"\operatorname{df}": At(lambda a: effective_degrees_of_freedom(X, a)), r"\alpha": alpha, r"\rho": rho,
        "w": w[0], r"\mathbf{r}_{-#}": lambda j: y - np.delete(X, j - 1, axis=1) @ np.delete(w, j - 1),
        r"\mathbf{H}": np.column_stack([fitted(row) for row in np.eye(N)]), r"\mathbf{0}": np.zeros(D),
    }  # fmt: skip
    at_ridge, at_lasso = {W: ridge}, {W: lasso, "w_#": lasso, r"\mathbf{r}": y - X @ lasso, **objective}
    updated = {r"w_#\leftarrow": [coordinate_update(X, y, w, j, l1 / N) for j in range(D)]}
    both = [coordinate_update(X, y, w, j, (l1 + lam) / N, l1 / (l1 + lam)) for j in range(D)]
    active = {
        r"\mathbf{w}_{\mathcal{A}}": At(lambda a: lasso_knots(X, y).at(a / N)[kept]),
        r"\mathbf{X}_{\mathcal{A}}": X[:, kept],
        r"\mathbf{s}": np.sign(lasso[kept]),
    }  # fmt: skip
    columns = {
        "w_#": net,
        r"\varrho_{##}": np.corrcoef(X.T),
        r"\text{one sign}": At(lambda j, k: net[int(j) - 1] * net[int(k) - 1] > 0, "j", "k"),
    }
    strength = top * rng.uniform(0.8, 1.2)
    none = not Lasso(strength / N).fit(X, y).coef_.any()
    card = "regularization-must-know-"
    own = {
        "regularization-bias": {"b": fit.intercept_, W: fit.coef_, r"\bar y": targets.mean(),
                                r"\bar{\mathbf{x}}": raw.mean(axis=0)},
        "regularization-ridge-gradient": {"J": At(lambda v: smooth(v, 0.0), W)},
        "regularization-ridge-solution": at_ridge, "regularization-ridge-dual": at_ridge,
        "regularization-ridge-svd": at_ridge, f"{card}ridge:2": at_ridge,
        "regularization-prior": {
            r"p(\mathbf{y}\mid\mathbf{w})": float(multivariate_normal(X @ w, sigma2).pdf(y)),
            r"\mathcal{N}(y_#\mid\mathbf{w}^\top\mathbf{x}_#,\sigma^2)": of_row,
            r"p(\mathbf{w})": float(np.prod(norm(0, tau2**0.5).pdf(w))), r"\pi": np.pi,
        },
        "regularization-posterior": {
            r"p(\mathbf{w}\mid\mathbf{y})": np.exp(-posterior(w)),
            r"\text{const}": posterior(0 * w) - y @ y / (2 * sigma2),
        },
        "regularization-ratio": of_mode, f"{card}map:1": of_mode,
        "regularization-constrained": {W: ridge, "t": float(ridge @ ridge)}, "regularization-lasso": objective,
        "regularization-subgradient": at_lasso, f"{card}subgradient": at_lasso,
        f"{card}subgradient:1": {W: w, r"\mathbf{r}": y - X @ w},
        "regularization-largest": {r"\lambda_1": strength}, "regularization-orthonormal": orthonormal(rng, lam, l1),
        "regularization-coordinate-update": updated, f"{card}coordinate:2": updated,
        "regularization-gap": {STAR: lasso, "c": scale, **objective}, "regularization-active": active,
        "regularization-elastic-net": {"J": At(lambda v: elastic_net_objective(X, y, v, alpha, rho), W)},
        "regularization-grouping": columns,
        "regularization-conventions": {r"\lambda": l2_net, r"\lambda_1": l1_net, r"\alpha_{\text{Ridge}}": l2_net,
                                       r"\text{ridge: }": 1.0, r"\text{lasso: }": 1.0},
    }  # fmt: skip
    own[f"{card}coordinate:4"] = {r"w_#\leftarrow": both}
    worth = {
        f"{card}ridge:1": smooth(w, 0.0), f"{card}ridge:4": np.mean(np.eye(N)[0]),
        f"{card}shrinkage:2": At(lambda i: ridge_svd(X, y, [lam]).factors[i - 1, 0], "i"),
        f"{card}soft:2": elastic_net_objective([[1.0]], [z], w[:1], t), f"{card}subgradient:1": sharp(w),
        f"{card}coordinate:1": sharp(w), f"{card}coordinate:3": (smooth(w, 0.0) - np.sum((y - X @ w) ** 2)) / 2,
        "regularization-gap": {1: N * elastic_net_gap(X, y, w, l1 / N)},
        "regularization-grouping": {1: At(
            lambda j, k: np.linalg.norm(y) * np.linalg.norm(X[:, j - 1] - X[:, k - 1]) / (N * alpha * (1 - rho)),
            "j", "k",
        )},
    }  # fmt: skip
    given = {
        "regularization-grouping": r"\text{one sign}", f"{card}subgradient:2": r"w_j \ne 0",
    }  # fmt: skip
    truth = {"regularization-largest": float(none), f"{card}subgradient:3": At(lambda j: lasso[j - 1] != 0, "j")}
    return Instance(values, own, worth, given, truth, {"regularization-constrained": [{W: v} for v in shorter]})
