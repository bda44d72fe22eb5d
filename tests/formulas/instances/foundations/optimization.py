r"""Optimisation: a quadratic program whose optimum is made, not computed, and a saddle on a circle.

All functions are quadratic, so that differences with a step of 1 are exact. The infimum of a Lagrangian is found with
a triangular factor, values of moved problems by the library.
"""

import itertools

import numpy as np
import scipy.linalg

from notes_lib.foundations.optimization import bordered_hessian, qp_dual, solve_qp
from tests.formulas.values import At, Instance

X, Z, V, LAM, MU, B = r"\mathbf{x}", r"\mathbf{z}", r"\mathbf{v}", r"\boldsymbol{\lambda}", r"\boldsymbol{\mu}", "b_#"
SUP = r"\sup_{\boldsymbol{\lambda},\,\boldsymbol{\mu}\geq\mathbf{0}}"
INF = r"\inf_{\mathbf{x}}"
CURVED = r"\frac{d^2}{dt^2}f(\mathbf{x}(t))\Big|_{t=0}"
UNREAD = {
    "optimization-convex-set": "a set of points",
}
LEAST = (96, 100)


def hessian(function, x):
    """Second derivatives of a quadratic: differences of differences."""
    e = np.eye(len(x))
    return np.array([[function(x + a + b) - function(x + a) - function(x + b) + function(x) for a in e] for b in e])


def on_a_circle(rng):
    """A minimum of a quadratic form on the unit circle, and the second difference of the form on the way through it."""
    S = rng.normal(size=(2, 2))
    S = S + S.T
    values, vectors = np.linalg.eigh(S)
    x, lam = vectors[:, 0], -values[0]  # of x'Sx with the constraint x'x = 1
    A = 2 * x[None]
    tangent = np.array([-A[0, 1], A[0, 0]])
    turned = lambda t: np.cos(t) * x + np.sin(t) / 2 * tangent
    height = lambda t: turned(2 * t) @ S @ turned(2 * t)  # at the speed of the tangent
    bend = -8 * (height(0) - height(np.pi / 4))  # the height is a constant and a wave of frequency 4
    lagrangian = lambda x, lam: float(
        np.ravel(x) @ S @ np.ravel(x) + np.ravel(lam)[0] * (np.ravel(x) @ np.ravel(x) - 1)
    )
    W = hessian(lambda v: lagrangian(v, lam), x)
    return {
        X: x, r"\mathbf{x}^\star": x, r"\boldsymbol{\lambda}^\star": [lam], V: tangent, "a_#": A[0],
        r"\mathbf{W}": W, "W_{##}": W, r"\mathbf{A}": A, r"\mathbf{B}": bordered_hessian(W, A),
        r"\mathbf{Z}": tangent[:, None] / np.linalg.norm(tangent), r"\mathbf{I}": np.eye(1), r"\mathbf{0}": [[0.0]],
        r"\nabla^2_{\mathbf{x}\mathbf{x}}\mathcal{L}": At(
            lambda x, lam: hessian(lambda v: lagrangian(v, lam), np.ravel(x)), X, LAM),
        CURVED: bend,
    }  # fmt: skip


def instance(seed):
    """Five variables; two equalities, one active inequality and two that are not active."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(5, 5))
    P, A, G = root @ root.T + np.eye(5), rng.normal(size=(2, 5)), rng.normal(size=(3, 5))
    x, lam, mu = rng.normal(size=5), rng.normal(size=2), np.array([rng.uniform(0.5, 2), 0.0, 0.0])
    q, b, h = -(P @ x + A.T @ lam + G.T @ mu), A @ x, G @ x + np.r_[0.0, rng.uniform(0.5, 1, size=2)]
    R = np.linalg.cholesky(P).T
    f = lambda v: float(np.ravel(v) @ P @ np.ravel(v) / 2 + q @ np.ravel(v))
    equality = lambda v: A @ np.ravel(v) - b
    inequality = lambda v: G @ np.ravel(v) - h

    def lagrangian(v, lam, mu):
        return f(v) + float(np.ravel(lam) @ equality(v) + np.ravel(mu) @ inequality(v))

    def best(lam, mu):
        """Where the Lagrangian is lowest: a least-squares problem, with a triangular factor."""
        c = q + np.ravel(lam) @ A + np.ravel(mu) @ G
        return np.linalg.lstsq(R, -scipy.linalg.solve_triangular(R, c, trans="T"))[0]

    def lowest(lam, mu):
        """The infimum of the Lagrangian over x."""
        return lagrangian(best(lam, mu), lam, mu)

    def dearest(v, lam, mu):
        """The supremum of the Lagrangian over its multipliers: infinite if it grows with their bound."""
        corners = np.array([*itertools.product((-1, 1), (-1, 1), (0, 1), (0, 1), (0, 1))])
        tops = [max(lagrangian(v, s * c[:2], s * c[2:]) for c in corners) for s in (1, 1e3)]
        return np.inf if tops[1] > tops[0] + 1e-6 else tops[0]

    def optimum(u, b=b):
        return solve_qp(P, q, G, h + np.ravel(u), A, np.ravel(b))

    at = lambda function, k: At(lambda v: float(function(v)[k]), X)
    levels = lambda M: [At(lambda v, row=row: float(row @ np.ravel(v)), X) for row in M]
    rows = lambda M: [At(lambda v, row=row: row, X) for row in M]
    both = np.vstack([A, G])  # the dual problem is a quadratic program too
    all_of_it = qp_dual(P, q, both, np.r_[b, h])
    top = -all_of_it.c - solve_qp(all_of_it.K, all_of_it.r, -np.eye(5)[2:], np.zeros(3)).primal
    feasible = solve_qp(np.eye(5), -rng.normal(size=5), G, h - 0.1, A, b).x
    other_lam, other_mu = rng.normal(size=2), rng.uniform(0, 2, size=3)
    step, away = rng.normal(size=(2, 5))
    weights = rng.dirichlet(np.ones(3))
    points = rng.normal(size=(3, 5))
    values = {
        "i": range(1, 4), "m": range(1, 3), "k": range(1, 3), "j": range(1, 4), "M": 2, "J": 3,
        X: feasible, Z: feasible + rng.normal(size=5), r"\mathbf{d}": step, r"\alpha": rng.uniform(0.2, 0.8),
        r"\alpha_#": weights, r"\mathbf{x}_#": points, "f": At(f, X),
        r"\mathbf{H}": At(lambda v: hessian(f, np.ravel(v)), X), "o": At(lambda s: 0.0),
        r"\mathrm{E}[\mathbf{x}]": weights @ points, r"\mathrm{E}[f(\mathbf{x})]": weights @ [f(p) for p in points],
        "h_#": [at(equality, 0), at(equality, 1)], "g_#": [at(inequality, k) for k in range(3)],
        r"\nabla h_#": rows(A), r"\nabla g_#": rows(G), r"\lambda_#": other_lam, r"\mu_#": other_mu,
        LAM: other_lam, MU: other_mu, r"\mathbf{0}": np.zeros(5), r"\mathbf{u}": rng.uniform(-0.2, 1, size=3),
        r"\mathbf{x}^\star": x, r"\lambda_#^\star": lam, r"\mu_#^\star": mu, r"\boldsymbol{\lambda}^\star": lam,
        r"\boldsymbol{\mu}^\star": mu, r"\boldsymbol{\mu}^{\star\top}": mu[None],
        r"\mathcal{L}": At(lagrangian, X, LAM, MU), r"\theta": At(lowest, LAM, MU),
        INF + r"\mathcal{L}": At(lambda v, lam, mu: lowest(lam, mu), X, LAM, MU),
        r"p^\star": f(x), r"d^\star": top, "c": 0.5,
        r"\mathbf{I}": np.eye(5), INF + SUP + r"\mathcal{L}": optimum(np.zeros(3)).primal,
        SUP + INF + r"\mathcal{L}": lowest(lam, mu), SUP + r"\mathcal{L}": At(dearest, X, LAM, MU),
        r"\mathbf{x}\text{ is feasible,}": At(lambda v: float((inequality(v) <= 1e-9).all()), X),
    }  # fmt: skip
    at_optimum = {X: x, r"\lambda_#": lam, r"\mu_#": mu, LAM: lam, MU: mu}
    plain = solve_qp(P, q, G, h)
    dual, none = qp_dual(P, q, G, h), np.zeros(2)
    program = {
        r"\mathbf{P}": P, r"\mathbf{q}": q, r"\mathbf{G}": G, r"\mathbf{h}": h, X: plain.x, r"\mathbf{K}": dual.K,
        r"\mathbf{r}": dual.r, r"\theta": At(lambda m: lowest(none, m), MU),
    }  # fmt: skip
    equal = np.linalg.solve(np.block([[P, A.T], [A, np.zeros((2, 2))]]), np.r_[-q, b])
    system = {
        r"\mathbf{P}": P, r"\mathbf{A}": A, r"\mathbf{0}": np.zeros((2, 2)), r"\mathbf{q}": q, r"\mathbf{b}": b,
        X: equal[:5], LAM: equal[5:], r"\lambda_#": equal[5:], r"\mathbf{x}^\star": equal[:5],
    }  # fmt: skip
    moved = lambda b: np.linalg.solve(np.block([[P, A.T], [A, np.zeros((2, 2))]]), np.r_[-q, np.ravel(b)])[:5]
    sensitivity = {
        r"p^\star": At(lambda b: f(moved(b)), B), X: At(moved, B), B: b, r"\lambda_#": equal[5:],
        r"\nabla h_#": A,
    }  # fmt: skip
    bent = on_a_circle(rng)
    N = 20
    data, targets, signs = rng.normal(size=(N, 3)), rng.normal(size=N), np.array([1.0, -1.0, 0.0])
    signed = solve_qp(data.T @ data / N, -data.T @ targets / N, -np.diag(signs)[:2], np.zeros(2)).x
    w = r"\mathbf{w}"
    changed = {r"p^\star": At(lambda u: optimum(u).primal), r"\mathbf{0}": np.zeros(3)}
    shift = lambda j: 1e-4 * np.eye(3)[j - 1]
    slopes = [(optimum(shift(j)).primal - optimum(-shift(j)).primal) / 2e-4 for j in (1, 2, 3)]
    own = {
        "optimization-lagrangian": {X: away}, "optimization-must-know-dual": {X: away},
        "optimization-penalty": {X: [feasible, feasible + np.linalg.lstsq(G, np.ones(3))[0]][seed % 2]},
        "optimization-lagrange-several": system, "optimization-kkt-system": system,
        "optimization-lagrange": {X: away, r"\mathcal{L}": At(lambda v, lam: lagrangian(v, lam, np.zeros(3)), X, LAM)},
        "optimization-must-know-lagrange": {**system, r"\mathbf{0}": np.zeros(5)},
        "optimization-must-know-kkt": at_optimum,
        "optimization-qp": program, "optimization-qp-dual": program,
        "optimization-qp-minimiser": {**program, X: At(lambda m: best(none, m), MU)},
        "optimization-curvature-along": bent, "optimization-reduced-hessian": bent,
        "optimization-curvature-necessary": bent,
        "optimization-curvature-sufficient": {**bent, r"\mathbf{0}": np.zeros(2)},
        **{key: {r"\mathbf{0}": np.zeros(3)} for key in [
            "optimization-must-know-dual:3", "optimization-must-know-duality:2"]},
        "optimization-must-know-price:1": sensitivity,
        "optimization-must-know-price:2": {X: equal[:5], B: b, "h_#": levels(A)},
        "optimization-must-know-price:4": {
            B: h, "g_#": levels(G)},
        "optimization-must-know-price:3": {r"\mu_#": mu},
        "optimization-bordered-determinant": bent, "optimization-bordered-hessian": bent,
        "optimization-sensitivity": sensitivity,
        "optimization-price-global": {"u_#": values[r"\mathbf{u}"], **changed},
        "optimization-must-know-price:6": changed,
        "optimization-signed-least-squares": {
            "N": N, r"\mathbf{X}": data, r"\mathbf{y}": targets, w: signed, "w_#": signed, r"\sigma_#": signs},
    }  # fmt: skip
    own["optimization-lagrange-several"] = {**system, r"\mathbf{0}": np.zeros(5)}
    rivals = {
        "optimization-qp": [{X: plain.x + d} for d in 0.3 * rng.normal(size=(40, 5))],
        "optimization-signed-least-squares": [
            {w: v, "w_#": v} for v in signed + 0.2 * np.abs(rng.normal(size=(40, 3))) * signs],
    }  # fmt: skip
    worth = {
        "optimization-must-know-convexity:2": hessian(lambda v: f(v) - 0.25 * v @ v, x),
        "optimization-must-know-price:3": {0: At(lambda j: slopes[int(j) - 1], "j")},
        "optimization-reduced-hessian": bent[CURVED] / (bent[V] @ bent[V]),
    }  # fmt: skip
    return Instance(values, own, worth, rivals=rivals)
