"""Kernel ridge regression: the quadratic kernel of the plane, fits of the library, refits without some rows."""

import numpy as np

from notes_lib.kernels.kernel_methods import polynomial_kernel, random_fourier_features
from notes_lib.kernels.kernel_ridge import (
    KernelRidge,
    dual_objective,
    kernel_ridge_solution,
    leave_one_out_path,
    loo_residuals,
)
from notes_lib.linear.regularization import ridge_weights
from tests.formulas.values import At, Instance

N, Q = 8, 6
W, ALPHA, PHI, PHI_X = r"\mathbf{w}", r"\boldsymbol{\alpha}", r"\boldsymbol{\Phi}", r"\boldsymbol{\phi}(\mathbf{x})"


def features(x):
    """Features of the kernel (x'z + 1)^2 of the plane."""
    a, b = np.ravel(x)
    r = np.sqrt(2.0)
    return np.array([1.0, r * a, r * b, a * a, b * b, r * a * b])


def refitted(K, y, lam, out, intercept=False):
    """Targets of the rows that are left out, less the prediction of the fit to the others."""
    kept = np.setdiff1d(np.arange(len(y)), out)
    coef, b = kernel_ridge_solution(K[np.ix_(kept, kept)], y[kept], lam, fit_intercept=intercept)
    return y[out] - K[np.ix_(out, kept)] @ coef - b


def instance(seed):
    """Eight rows of two features, a strength, any weights and coefficients, and the minimisers where they are meant."""
    rng = np.random.default_rng(seed)
    X, x, y, lam = rng.normal(size=(N, 2)), rng.normal(size=2), rng.normal(size=N) + 2, rng.uniform(0.3, 2)
    Phi = np.array([features(row) for row in X])
    K, k_x = polynomial_kernel(X, degree=2, gamma=1.0), polynomial_kernel(X, x[None], degree=2, gamma=1.0)[:, 0]
    w, any_alpha = rng.normal(size=Q), rng.normal(size=N)
    best, a = ridge_weights(Phi, y, lam), kernel_ridge_solution(K, y, lam).dual_coef
    with_b = kernel_ridge_solution(K, y, lam, fit_intercept=True)
    machine = lambda b: KernelRidge(lam, kernel="poly", degree=2, gamma=1.0, fit_intercept=b).fit(X, y)
    plain, free = machine(False), machine(True)
    intercept = bool(seed % 2)
    columns = lambda b: np.column_stack(
        [kernel_ridge_solution(K, e, lam, fit_intercept=b).dual_coef for e in np.eye(N)]
    )
    mu, U = np.linalg.eigh(K)
    H, out = np.eye(N) - 1 / N, np.array([1, 4, 6])
    ridge_fit = Phi @ np.linalg.solve(Phi.T @ Phi + lam * np.eye(Q), Phi.T)
    values = {
        "n": range(1, N + 1), "j": range(1, N + 1), "N": N, r"\lambda": lam, r"\mathbf{y}": y, "y_#": y, W: w, PHI: Phi,
        r"\boldsymbol{\phi}(\mathbf{x}_#)": Phi, PHI_X: features(x), r"\mathbf{K}": K, r"\mathbf{I}": np.eye(N),
        r"\mathbf{I}_N": np.eye(N), r"\mathbf{I}_Q": np.eye(Q), ALPHA: a, r"\alpha_#": a, r"\mathbf{x}": x,
        r"\mathbf{x}_#": X, r"\mathbf{k}_x": k_x, "k": At(lambda u, v: (np.ravel(u) @ np.ravel(v) + 1) ** 2),
        "f": At(lambda v: float(plain.predict(np.reshape(v, (1, -1)))[0])), r"\hat{\mathbf{y}}": plain.predict(X),
        r"\hat y_#": plain.predict(X), r"\mathbf{S}": ridge_fit, r"\mathbf{P}": columns(False), r"\mu_#": mu,
        r"\mathbf{u}_#": U.T, "u_{##}": U, r"\operatorname{df}": At(
            lambda strength: leave_one_out_path(K, y, [strength]).degrees_of_freedom[0]),
        r"\mathbf{H}": H, r"\mathbf{1}": np.ones(N), r"\bar y": y.mean(), r"\mathbf{0}": np.zeros(N),
        "e_#": np.concatenate([refitted(K, y, lam, np.array([n])) for n in range(N)]), "s_#": np.diag(ridge_fit),
        "P_{##}": columns(False), r"\mathbf{A}": K + lam * np.eye(N),
        r"\mathbf{v}": np.linalg.solve(K + lam * np.eye(N), np.ones(N)),
    }  # fmt: skip
    of_b = {ALPHA: with_b.dual_coef, "b": with_b.intercept, "f": At(
        lambda v: float(free.predict(np.reshape(v, (1, -1)))[0]))}  # fmt: skip
    P, fitted = columns(intercept), K @ kernel_ridge_solution(K, y, lam, fit_intercept=intercept).dual_coef
    solution = kernel_ridge_solution(K, y, lam, fit_intercept=intercept)
    left_out = {
        "e_#": np.concatenate([refitted(K, y, lam, np.array([n]), intercept) for n in range(N)]), "P_{##}": P,
        r"\alpha_#": solution.dual_coef, r"\hat y_#": fitted + solution.intercept, "s_#": 1 - lam * np.diag(P),
    }  # fmt: skip
    penalised = lambda v: float(np.linalg.norm(np.r_[y - Phi @ v, np.sqrt(lam) * v]) ** 2)
    cosines = random_fourier_features(np.vstack([X, x]), Q, gamma=0.5, random_state=seed)
    rough = KernelRidge(lam, kernel="precomputed").fit(cosines[:N] @ cosines[:N].T, y)
    dual = {ALPHA: any_alpha, "J": At(lambda v: dual_objective(K, y, v, lam).value, ALPHA)}
    card = "kernel-ridge-must-know-"
    own = {
        "kernel-ridge-primal": {"J": At(penalised, W)},
        "kernel-ridge-weights": {W: best}, "kernel-ridge-residual": {W: best}, "kernel-ridge-prediction": {W: best},
        "kernel-ridge-objective": dual, "kernel-ridge-gradient": dual, "kernel-ridge-centred": of_b,
        "kernel-ridge-system": of_b, "kernel-ridge-bias": of_b, "kernel-ridge-bias-map": {r"\mathbf{P}": columns(True)},
        "kernel-ridge-loo": left_out, "kernel-ridge-loo-groups": {
            r"\mathbf{e}_{\mathcal{G}}": refitted(K, y, lam, out, intercept), r"\boldsymbol{\alpha}_{\mathcal{G}}":
            solution.dual_coef[out], r"\mathbf{P}_{\mathcal{G}\mathcal{G}}": P[np.ix_(out, out)]},
        "kernel-ridge-path": {r"e_#(\lambda)": loo_residuals(K, y, lam)}, f"{card}bias": of_b,
        "kernel-ridge-random": {
            PHI: cosines[:N], PHI_X: cosines[N], W: ridge_weights(cosines[:N], y, lam),
            "f": At(lambda _: float(rough.predict(cosines[N:] @ cosines[:N].T)[0])),
        },
        f"{card}solution:3": {W: w}, f"{card}solution:5": {W: best},
    }  # fmt: skip
    worth = {
        f"{card}solution:3": penalised(w),
        f"{card}bias:4": lam * with_b.dual_coef + with_b.intercept,
    }
    return Instance(values, own, worth)
