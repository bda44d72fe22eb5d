"""The quiz of the chapter *Kernel ridge regression*, decided: see ``tests/claims/deciding.py``."""

import numpy as np

from notes_lib.kernels.kernel_methods import center_kernel, random_fourier_features, rbf_kernel
from notes_lib.kernels.kernel_ridge import KernelRidge, kernel_ridge_solution, leave_one_out_path, loo_residuals
from notes_lib.linear.regularization import ridge_weights
from tests.claims.deciding import decided

SMALL = 1e-9
RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * RNG.normal(size=30)
NEW = RNG.normal(size=(20, 2))
LAM = 0.5


def _refitted(X, y, width, strength=LAM):
    """Residual of each row under the fit to all others; ``width`` chooses gamma anew from the rows of the fit."""
    found = []
    for n in range(len(y)):
        kept = np.arange(len(y)) != n
        model = KernelRidge(strength, kernel="rbf", gamma=width(X[kept], y[kept])).fit(X[kept], y[kept])
        found.append(y[n] - model.predict(X[n : n + 1])[0])
    return np.array(found)


def _best_width(X, y):
    """The width of the smallest leave-one-out error."""
    widths = np.geomspace(0.03, 10, 12)
    return min(widths, key=lambda g: leave_one_out_path(rbf_kernel(X, gamma=g), y, [LAM]).errors[0])


def quiz_equal(n, q):
    r"""$N = <n>$ instances, $Q = <q>$ features. Ridge regression and kernel ridge regression on them, without intercept
    and with one $\lambda > 0$,"""
    rng = np.random.default_rng(1)
    A, t, new = rng.normal(size=(int(n), int(q))), rng.normal(size=int(n)), rng.normal(size=(50, int(q)))
    w, machine = ridge_weights(A, t, LAM), KernelRidge(LAM).fit(A, t)
    same, trained = np.allclose(new @ w, machine.predict(new)), np.allclose(A @ w, machine.predict(A))
    primal_cheaper = q**3 < n**3
    return {
        "have the same predictions; the dual is cheaper": same and not primal_cheaper,
        "have the same predictions; the primal is cheaper": same and primal_cheaper,
        r"differ, since $\mathbf{K}$ is singular": not same,
        "agree on the training rows only": trained and not same,
    }


def quiz_large():
    r"""For a fixed $\lambda$ a coefficient $\alpha_n$ is large and positive. Then"""
    down = Y - 10.0
    fit = KernelRidge(LAM, kernel="rbf", gamma=1.0, fit_intercept=True).fit(X, down)
    n = fit.dual_coef_.argmax()
    residual = down[n] - fit.predict(X)[n]
    return {
        "the curve passes through $y_n$": abs(residual) < SMALL,
        "$y_n$ is large and positive": down[n] > 0,
        "the curve passes far below $y_n$": np.isclose(residual, LAM * fit.dual_coef_[n]) and residual > 0,
        r"$\mathbf{x}_n$ is a support vector, and most others are not": (np.abs(fit.dual_coef_) < SMALL).mean() > 0.5,
    }


def quiz_loo():
    """Which are true of the leave-one-out formula?"""
    K = rbf_kernel(X, gamma=1.0)
    e = loo_residuals(K, Y, LAM)
    ordinary = Y - K @ kernel_ridge_solution(K, Y, LAM).dual_coef
    chosen = _best_width(X, Y)
    anew = _refitted(X, Y, _best_width)
    twice = loo_residuals(rbf_kernel(np.r_[X, X], gamma=1.0), np.r_[Y, Y], LAM)
    return {
        "It is exact": np.allclose(e, _refitted(X, Y, lambda *_: 1.0)),
        r"$|e_n| \geq |y_n - \hat y_n|$ for $\lambda > 0$": (np.abs(e) >= np.abs(ordinary)).all(),
        r"It holds if $\gamma$ is chosen anew without each instance":
            np.allclose(loo_residuals(rbf_kernel(X, gamma=chosen), Y, LAM), anew),
        "It is honest if the rows occur in pairs": np.mean(twice**2) > 0.9 * np.mean(e**2),
    }  # fmt: skip


def quiz_singular():
    r"""$\mathbf{K}$ is singular. Which problems can be solved?"""
    K, ones = X @ X.T, np.ones(30)
    assert np.linalg.matrix_rank(K) < 30
    solvable = lambda M, t: np.allclose(M @ np.linalg.lstsq(M, t)[0], t)
    shifted = [K + strength * np.eye(30) for strength in (0.1, 1, 9)]
    with_b = [np.block([[A, ones[:, None]], [ones[None], np.zeros((1, 1))]]) for A in shifted]
    return {
        r"$(\mathbf{K} + \lambda\mathbf{I})\boldsymbol{\alpha} = \mathbf{y}$ for every $\mathbf{y}$ and $\lambda > 0$":
            all(np.linalg.eigvalsh(A)[0] > SMALL for A in shifted),
        r"$\mathbf{K}\boldsymbol{\alpha} = \mathbf{y}$ for every $\mathbf{y}$": solvable(K, Y),
        r"the system with an intercept, for every $\lambda > 0$":
            all(np.abs(np.linalg.eigvalsh(A)).min() > SMALL for A in with_b),
        r"$\mathbf{H}\mathbf{K}\mathbf{H}\boldsymbol{\alpha} = \mathbf{y}$, because $\mathbf{H}\mathbf{K}\mathbf{H}$ "
        "is invertible": solvable(center_kernel(K), Y),
    }  # fmt: skip


def tf_sum():
    """With an unpenalised intercept the coefficients add up to 0."""
    sums = [
        kernel_ridge_solution(rbf_kernel(X, gamma=g), Y, strength, fit_intercept=True).dual_coef.sum()
        for g in (0.1, 1, 5) for strength in (0.01, 1, 50)
    ]  # fmt: skip
    return np.allclose(sums, 0)


def tf_far():
    r"""With an RBF kernel and no intercept, $f(\mathbf{x}) \to \bar y$ far from the data."""
    target = Y + 3
    away = KernelRidge(LAM, kernel="rbf", gamma=1.0).fit(X, target).predict([[100.0, 100.0]])[0]
    assert abs(away) < SMALL
    return np.isclose(away, target.mean())


def tf_rank():
    r"""The degrees of freedom never exceed the rank of $\mathbf{K}$, without an intercept."""
    kernels = [X @ X.T, np.outer(Y, Y), rbf_kernel(X, gamma=1.0)]
    return all(
        (leave_one_out_path(K, Y, [1e-6, 0.1, 10]).degrees_of_freedom <= np.linalg.matrix_rank(K)).all()
        for K in kernels
    )


def tf_random():
    """Random features make the fit exact for some finite $Q$."""
    exact = KernelRidge(LAM, kernel="rbf", gamma=1.0).fit(X, Y).predict(NEW)
    away = []
    for Q in (100, 1000, 10_000, 40_000):
        phi = random_fourier_features(np.r_[X, NEW], Q, gamma=1.0, random_state=1)
        machine = KernelRidge(LAM, kernel="precomputed").fit(phi[:30] @ phi[:30].T, Y)
        away.append(np.abs(machine.predict(phi[30:] @ phi[:30].T) - exact).max())
    assert away[-1] < away[0] / 4
    return min(away) < SMALL


test_claim = decided("kernels/kernel_ridge", globals())
