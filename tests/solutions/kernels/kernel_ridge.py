"""Exercises on kernel ridge regression: fits of scikit-learn and of the library, refits, and counted features."""

from itertools import combinations_with_replacement

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge

from notes_lib.kernels.kernel_ridge import dual_objective, kernel_ridge_solution, leave_one_out_path
from notes_lib.linear.regularization import ridge_weights
from tests.formulas.chapters import values_of
from tests.formulas.instances.kernels.kernel_ridge import refitted
from tests.formulas.values import At
from tests.solutions.ledger import Worked

W, ALPHA, PHI, K, Y = r"\mathbf{w}", r"\boldsymbol{\alpha}", r"\boldsymbol{\Phi}", r"\mathbf{K}", r"\mathbf{y}"
LAM, ONE, ZERO, SAME = r"\lambda", r"\mathbf{1}", r"\mathbf{0}", r"\mathbf{I}"


def _objective(v):
    """The penalised loss: of weights, or of coefficients of the rows, which are more."""
    phi, y, lam = v[PHI], v[Y], v[LAM]
    of_weights = lambda w: float(np.linalg.norm(np.r_[y - phi @ w, np.sqrt(lam) * w]) ** 2)
    return lambda u: of_weights(u) if len(u) == phi.shape[1] else dual_objective(v[K], y, u, lam).value


def ex_derive():
    v = values_of("kernel_ridge")
    J, best = _objective(v), ridge_weights(v[PHI], v[Y], v[LAM])
    a = KernelRidge(v[LAM], kernel="precomputed").fit(v[K], v[Y]).dual_coef_
    anywhere = {**v, ALPHA: np.cos(np.arange(len(a)))}
    at = (r"\nabla J = -2\boldsymbol{\Phi}^\top(\mathbf{y} - \boldsymbol{\Phi}\mathbf{w})"
          r" + 2\lambda\mathbf{w} = \mathbf{0}")  # fmt: skip
    rows = r"\nabla J = 2\mathbf{K}\big((\mathbf{K} + \lambda\mathbf{I})\boldsymbol{\alpha} - \mathbf{y}\big)"
    given = (r"J(\boldsymbol{\alpha}) = \lVert\mathbf{y} - \mathbf{K}\boldsymbol{\alpha}\rVert^2"
             r" + \lambda\boldsymbol{\alpha}^\top\mathbf{K}\boldsymbol{\alpha}")  # fmt: skip
    return Worked(
        {**v, "J": At(J), ALPHA: a},
        own={at: {**v, W: best, "J": At(J, W), ZERO: 0 * best}, rows: {**anywhere, "J": At(J, ALPHA)},
             given: {**anywhere, "J": At(J)}},
        numbers=[0, 0],
    )  # fmt: skip


def ex_push():
    v = values_of("kernel_ridge")
    square = {PHI: v[PHI][:6], LAM: v[LAM], SAME: np.eye(6)}  # both identities have one name
    text = (r"(\boldsymbol{\Phi}^\top\boldsymbol{\Phi} + \lambda\mathbf{I})^{-1}\boldsymbol{\Phi}^\top"
            r" = \boldsymbol{\Phi}^\top(\boldsymbol{\Phi}\boldsymbol{\Phi}^\top + \lambda\mathbf{I})^{-1}")  # fmt: skip
    return Worked(v, own={text: square}, numbers=[0])


def ex_intercept():
    points, lam = np.array([[0, 1], [1, 2], [2, 6.0]]), 2
    x, y = points.T
    fit = lambda x, y: Ridge(alpha=lam).fit(x[:, None], y)
    machine = fit(x, y)
    found = kernel_ridge_solution(np.outer(x, x), y, lam, fit_intercept=True)
    at_first = lambda change: float(fit(x, y + np.array([change, 0, 0])).predict([[0.0]])[0])
    centred = points - points.mean(axis=0)
    return Worked(
        {LAM: lam, "w": machine.coef_[0], "b": found.intercept, ALPHA: found.dual_coef,
         "s_1": at_first(1) - at_first(0), "e_1": y[0] - fit(x[1:], y[1:]).predict([[0.0]])[0]},
        numbers=[points, centred.T, y - machine.predict(x[:, None]), found.dual_coef.sum()],
    )  # fmt: skip


def ex_loo():
    v = values_of("kernel_ridge")
    n, moved = 2, v[Y].copy()
    moved[n] -= v["e_#"][n]
    again = kernel_ridge_solution(v[K], moved, v[LAM]).dual_coef[n]
    return Worked(v, numbers=[len(np.delete(v[Y], n)), v[LAM] * again, again, 0])


def ex_freedom():
    mu, lam = np.array([9, 1, 0.25]), 1
    kept = lambda lam: np.diag(mu) @ KernelRidge(lam, kernel="precomputed").fit(np.diag(mu), np.eye(3)).dual_coef_
    df = lambda lam: leave_one_out_path(np.diag(mu), np.ones(3), [lam]).degrees_of_freedom[0]
    shares = np.diag(kept(lam))
    return Worked(
        own={r"\lambda = 1": {LAM: lam}, r"\lambda \to 0": {LAM: 1e-9}},
        numbers=[mu, shares[:2], df(lam), round(kept(1e-9)[0, 0], 6), round(df(1e-9), 6), round(df(1e9), 6)],
        known=[mu[2] + lam],
    )


def ex_cost():
    D, N = 20, 5000
    Q = sum(1 for _ in combinations_with_replacement(range(D + 1), 2))  # the factor 1 is one of those to choose
    large = 10**6
    return Worked(
        {"N": N, "D": D, "Q": Q},
        own={"N = 10^6": {"N": large}, "Q = 1000": {"Q": 1000}},
        numbers=[2, Q * Q, N * N, np.zeros((N, 1)).nbytes * N / 1e9, np.dtype(float).itemsize * large**2],
        known=[1000],  # a choice
    )


def cards():
    v = values_of("kernel_ridge")
    N, lam, J = v["N"], v[LAM], _objective(v)
    centred = kernel_ridge_solution(v[K], v[Y] - v[Y].mean(), lam).dual_coef
    with_b = kernel_ridge_solution(v[K], v[Y], lam, fit_intercept=True).dual_coef
    total = round(float(with_b.sum()), 9)
    a, residual = v[ALPHA], lam * v[ALPHA]
    length = np.sqrt(a @ v[K] @ a)
    scaled = {"N": N, LAM: lam, r"\lVert\cdot\rVert": np.linalg.norm(residual), r"\lVert f \rVert": length,
              "n": range(1, N + 1), "r_#": residual, "C": 1 / lam}  # fmt: skip
    ones = np.ones(N)
    at_rows = np.linalg.solve(v[r"\mathbf{A}"], ones).sum()
    alone = KernelRidge(lam, kernel="precomputed").fit(np.eye(1), [1.0]).dual_coef_
    doubled = kernel_ridge_solution(np.tile(v[K], (2, 2)), np.tile(v[Y], 2), lam).dual_coef.reshape(2, N).sum(axis=0)
    best = next(factor for factor in (0.25, 0.5, 2) if np.allclose(
        doubled, kernel_ridge_solution(v[K], v[Y], factor * lam).dual_coef))  # fmt: skip
    sizes = {"N": 500, "Q": 10, LAM: lam}
    assert np.allclose(refitted(v[K], v[Y], lam, np.array([0])), v["e_#"][0])
    return {
        "lost-marks-centre": Worked({**v, ALPHA: centred}, numbers=[0, total]),
        "lost-marks-sparse": Worked(numbers=[0]),
        "lost-marks-unique": Worked(v),
        "do-not-confuse-four": Worked({**v, r"\sigma^2": lam}, numbers=[v["f"](v[r"\mathbf{x}"]), lam]),
        "what-if-repeat": Worked(v, numbers=[2, 2, best * lam]),
        "what-if-gamma": Worked({LAM: lam, r"\gamma": 1e-9}, numbers=[alone]),
        "counting-numbers": Worked(
            {"N": N, "Q": 6}, numbers=[len({*map(frozenset, np.ndindex(N, N))}), 6 + 1]
        ),
        "convention-scale": Worked(
            scaled, numbers=[0.5, np.mean(residual**2) + lam * length**2, J(a) / lam / 2]
        ),
        "quiz-equal": Worked(sizes, numbers=[0, 500**2, 10**2, 500**2]),
        "quiz-large": Worked(numbers=[0, 0]),
        "quiz-loo": Worked({**v, r"\hat y_#": v[r"\hat y_#"]}, numbers=[0, 0, 1]),
        "quiz-singular": Worked(v, numbers=[0, 0, at_rows, 0, ones, 0 * ones]),
        "tf-sum": Worked(v, numbers=[total, ones]),
        "tf-far": Worked(numbers=[0]),
        "tf-rank": Worked(numbers=[round(float(1e9 / (1e9 + lam)), 6)]),
        "tf-random": Worked({"Q": 7}, numbers=[7**-0.5, 0]),
    }  # fmt: skip
