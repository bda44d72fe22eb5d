"""Descent methods: a quadratic, paths of the library on it, and small data whose draws can all be listed."""

from itertools import combinations, product

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from notes_lib.foundations.descent import (
    adam_step,
    conjugate_gradients,
    golden_section,
    gradient_step,
    lbfgs_direction,
    line_search,
    momentum_step,
    newton,
    newton_direction,
    numerical_gradient,
    wolfe_search,
)
from tests.formulas.values import At, Instance

X, D, S, Y, Q = r"\mathbf{x}", r"\mathbf{d}", r"\mathbf{s}", r"\mathbf{y}", r"\mathbf{q}"
AFTER = r"\mathbf{q}\leftarrow"
COPIED = {
    "descent-difference-error": "a sum of two errors",
    "descent-must-know-gradient:1": "the step of gradient descent",
}
CONDITIONS = {
    "descent-must-know-sgd:4",  # steps that lead anywhere
    "descent-must-know-sgd:5",  # steps that shrink
}
UNREAD = {
    "descent-robbins-monro": "sums without end",
    "descent-sgd-plateau": "an approximation for small steps; the chapter simulates it",
    "descent-must-know-sgd:3": "an approximation for small steps; the chapter simulates it",
}
LEAST = (96, 94)


def quadratic(rng):
    """A positive definite matrix with chosen eigenvalues, what it is multiplied with, and the minimum."""
    values = np.sort(rng.uniform(1, 6, 3))
    V = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    P = V @ np.diag(values) @ V.T
    P = (P + P.T) / 2
    b = rng.normal(size=3)
    return values, V, P, b, np.linalg.solve(P, b)


def rows(arrays):
    """The arrays by an index that begins at 0, as columns and as rows."""
    return lambda t: np.reshape(arrays[int(t)], (-1, 1)), lambda t: np.reshape(arrays[int(t)], (1, -1))


def of_quadratic(rng):
    """Gradient descent, searches, Newton and momentum on a quadratic."""
    values, V, P, b, star = quadratic(rng)
    f = lambda x: float(x @ P @ x / 2 - b @ x)
    grad = lambda x: P @ x - b
    low, high = values[0], values[-1]
    eta, x = 0.8 / high, rng.normal(size=3)
    path = [x]
    for _ in range(7):
        path.append(gradient_step(path[-1], grad(path[-1]), eta))
    column, _ = rows(path)
    d = -grad(x)
    found = wolfe_search(f, x, d, grad)
    backtracked = line_search(f, x, d, slope=-d @ d)
    best = brentq(lambda e: abs(1 - e * low) - abs(1 - e * high), 1 / high, 1 / low, xtol=1e-15)
    first = rng.normal(size=3)
    ball, velocity = first, np.zeros(3)
    rolled: list[tuple[np.ndarray, ...]] = [(ball, velocity)]
    for _ in range(5):
        ball, velocity = momentum_step(ball, velocity, grad(ball), eta, 0.4)
        rolled.append((ball, velocity))
    look, before = first, first
    ahead = [(before, look)]
    for _ in range(5):
        new = gradient_step(look, grad(look), eta)
        look, before = new + 0.4 * (new - before), new
        ahead.append((before, look))
    base = {
        "t": range(6), "i": range(1, 4), X: x, "f": At(f, X), r"\eta": eta, "L": high, r"\mu": low, "f^\\star": f(star),
        r"\mathbf{x}^{(#)}": column, r"\mathbf{x}^\star": star, r"\mathbf{P}": P, r"\lambda_{\max}": high,
        r"\lambda_{\min}": low, r"\lambda_#": values, r"\kappa": np.linalg.cond(P), r"\mathbf{I}": np.eye(3),
        r"\eta^\star": best, D: d,
        r"\mathbf{x}^+": path[1], r"\mathbf{g}": grad(x), "R": np.linalg.norm(x - star), r"\mathbf{H}": P,
        r"\mathbf{x}\leftarrow": path[1], "E": At(lambda h: h**2 / 6 * 5 + 1e-3 / h), r"\beta": 0.4, "N": 4,
        r"\varepsilon": 1e-3, "c_1": 1e-4, "c_2": 0.9,
    }  # fmt: skip
    unit, h = np.eye(3), 0.1
    corners = {
        f"f_{{{a}{c}}}": f(x + float(f"{a}0.1") * unit[0] + float(f"{c}0.1") * unit[1]) for a in "+-" for c in "+-"
    }
    exact = brentq(lambda e: grad(x + e * d) @ d, 0, 10, xtol=1e-15)
    own = {
        "descent-central-difference": {
            r"\frac{\partial f}{\partial x_i}": At(lambda i: grad(x)[int(i) - 1], "i"), "h": h, "O(h^2)": 0.0,
            r"\mathbf{e}_#": unit,
        },
        "descent-difference-error": {
            "h": 0.3, "f'''": 5.0, "f": 1.0,
            "h^\\star": brentq(lambda h: h / 3 * 5 - 1e-3 / h**2, 1e-3, 1, xtol=1e-15)},
        "descent-numerical-hessian": {**corners, "h": h, "O(h^2)": 0.0, "H_{ij}": P[0, 1]},
        "descent-convex-rate": {"t": range(1, 7)},
        "descent-must-know-rates:1": {"t": range(1, 7), "L": 1 / eta},
        "descent-exact-step": {r"\eta": exact},
        "descent-armijo": {r"\eta": backtracked.step},
        "descent-wolfe": {r"\eta": found.step},
        "descent-curvature": {r"\eta": found.step, S: found.x - x, Y: grad(found.x) - grad(x)},
        "descent-must-know-line": {r"\eta": found.step, S: found.x - x, Y: grad(found.x) - grad(x)},
        "descent-must-know-gradient:3": {r"\eta": best},
        "descent-must-know-newton:1": {D: star - x},
        "descent-heavy-ball": {
            r"\mathbf{x}^{(#)}": lambda t: rolled[int(t)][0], r"\boldsymbol{\delta}^{(#)}": lambda t: rolled[int(t)][1],
            "t": range(5),
        },
        "descent-nesterov": {
            r"\mathbf{x}^{(#)}": lambda t: ahead[int(t)][0], r"\mathbf{z}^{(#)}": lambda t: ahead[int(t)][1],
            "t": range(5),
        },
        "descent-must-know-momentum:1": {
            X: rolled[2][0], r"\boldsymbol{\delta}": rolled[2][1], r"\boldsymbol{\delta}\leftarrow": rolled[3][1]},
        "descent-must-know-momentum:2": {
            X: rolled[2][0], r"\boldsymbol{\delta}": rolled[3][1], r"\mathbf{x}\leftarrow": rolled[3][0]},
    }  # fmt: skip
    worth = {
        "descent-must-know-gradient:4": np.abs(1 - best * values).max(),
        "descent-must-know-rates:2": 1 - low / high,
    }
    # Newton on any function, in other units and where the Hessian is indefinite
    A, step = rng.normal(size=(3, 3)) + 3 * np.eye(3), -np.linalg.solve(P, grad(x))
    own["descent-newton-direction"] = {
        r"\mathbf{H}": At(lambda x: P, X),
        D: step,
        r"\mathbf{x}^{(t+1)}": x + eta * step,
        r"\mathbf{x}^{(t)}": x,
    }
    moved = np.linalg.solve(A, star - x)  # of the whole way, in other units
    own["descent-newton-invariance"] = {r"\mathbf{A}": A, D: star - x, r"\mathbf{d}_{\mathbf{z}}": moved}
    bent, saddle = V @ np.diag([-1.5, 0.7, 2.0]) @ V.T, rng.normal(size=3)
    own["descent-newton-absolute"] = {
        D: newton_direction(saddle, (bent + bent.T) / 2), r"\mathbf{u}_#": V.T, r"\lambda_#": [-1.5, 0.7, 2.0],
        r"\nabla f": saddle}  # fmt: skip
    line = [np.array([1.2])]
    newton(
        lambda x: float(x[0] ** 2 / 2 + 0.3 * np.sin(x[0])), line[0], lambda x: x + 0.3 * np.cos(x),
        lambda x: np.array([[1 - 0.3 * np.sin(x[0])]]), tol=1e-14, callback=line.append)  # fmt: skip
    goal = brentq(lambda x: x + 0.3 * np.cos(x), -2, 2, xtol=1e-15)
    own["descent-quadratic-rate"] = {
        "t": range(2),
        "C": 0.3,
        r"\mu": 0.7,
        r"\mathbf{x}^{(#)}": lambda t: line[int(t)],
        r"\mathbf{x}^\star": goal,
    }
    q = brentq(lambda q: high * (1 - q) ** 2 - low * (1 + q) ** 2, 0, 1, xtol=1e-15)  # the window over all eigenvalues
    own["descent-momentum-best"] = {r"\eta": (1 - q) ** 2 / low, r"\beta": q**2}
    root = np.roots([1, -(1 + 0.4 - 0.05), 0.4])[0].real
    own["descent-momentum-roots"] = {"z": root, r"\eta": 0.05, r"\lambda": 1.0, r"\beta": 0.4}
    seen: list[float] = []

    def noted(e: float) -> float:
        seen.append(e)
        return (e - 1) ** 2

    golden_section(noted, 0.5, 2.0)
    inner = sorted(seen[:2])
    own["descent-golden"] = {
        "a": 0.5,
        "b": 2.0,
        "r": brentq(lambda r: r * r + r - 1, 0, 1, xtol=1e-15),
        "x_1": inner[0],
        "x_2": inner[1],
    }
    return base, own, worth, (P, b, star)


def of_conjugate(rng, P, b, star):
    """The points of the library's conjugate gradients; directions by orthogonalising the residuals."""
    start = rng.normal(size=3)
    points = [start]
    conjugate_gradients(P, b, start, rtol=1e-15, max_iter=3, callback=points.append)
    points = np.array(points[:4])
    r = [b - P @ x for x in points[:3]]
    d: list[np.ndarray] = []
    for residual in r:
        new = residual.copy()
        for old in d:
            new -= (residual @ P @ old) / (old @ P @ old) * old
        d.append(new)
    eta = [(points[t + 1] - points[t]) @ d[t] / (d[t] @ d[t]) for t in range(3)]
    gamma = [-(r[t + 1] @ P @ d[t]) / (d[t] @ P @ d[t]) for t in range(2)]
    (r_column, r_row), (d_column, d_row) = rows(r), rows(d)
    steps = {
        r"\mathbf{r}^{(#)}": r_column, r"\mathbf{r}^{(#)\top}": r_row, r"\mathbf{d}^{(#)}": d_column,
        r"\mathbf{d}^{(#)\top}": d_row, "\\eta_#": lambda t: eta[int(t)], r"\gamma_#": lambda t: gamma[int(t)],
        r"\mathbf{x}^{(#)}": lambda t: points[int(t)], "t": range(2),
    }  # fmt: skip
    error = points[0] - star
    powers = np.column_stack([P @ error, P @ P @ error])
    root = np.linalg.cholesky(P).T
    found = np.linalg.lstsq(root @ powers, -root @ error, rcond=None)[0]
    p = lambda A: np.eye(3) + found[0] * np.asarray(A) + found[1] * np.asarray(A) @ np.asarray(A)
    size = lambda t: np.sqrt((points[t] - star) @ P @ (points[t] - star))
    ends = np.linalg.eigvalsh(P)
    q = brentq(lambda q: ends[-1] * (1 - q) ** 2 - ends[0] * (1 + q) ** 2, 0, 1, xtol=1e-15)
    rate = {
        r"\lVert \mathbf{x}^{(t)} - \mathbf{x}^\star \rVert_{\mathbf{P}}": size(2),
        r"\lVert \mathbf{x}^{(0)} - \mathbf{x}^\star \rVert_{\mathbf{P}}": size(0), "t": 2, "q": q,
    }  # fmt: skip
    krylov = {"p": At(p), "t": 2, r"\mathbf{x}^{(#)}": lambda t: points[int(t)]}
    return {
        "descent-cg-step": steps,
        "descent-cg-direction": steps,
        "descent-cg-krylov": krylov,
        "descent-cg-rate": rate,
    }


def of_bfgs(rng, P):
    """What the library's two loops do to unit vectors is the matrix B; each half of a loop is a product with V."""
    s, q = rng.normal(size=(3, 3)), rng.normal(size=3)
    y = s @ P
    rho = 1 / np.sum(s * y, axis=1)
    B = np.array([-lbfgs_direction(e, [s[0]], [y[0]]) for e in np.eye(3)]).T
    start = s[0] @ y[0] / (y[0] @ y[0]) * np.eye(3)
    V = [np.eye(3) - np.outer(b, a) / (a @ b) for a, b in zip(s, y, strict=True)]
    a = (s @ q) / np.sum(s * y, axis=1)
    one = {
        r"\mathbf{I}": np.eye(3),
        r"\mathbf{B}_{t+1}": B,
        r"\mathbf{B}_t": start,
        Y: y[0],
        S: s[0],
        r"\mathbf{V}": V[0],
        r"\rho": rho[0],
    }
    pairs = {r"\mathbf{s}_#": s, r"\mathbf{y}_#": y, r"\rho_#": rho, "a_#": a, "M": 3, Q: q}
    scaled = -lbfgs_direction(y[2], [s[2]], [y[2]])  # what the two loops make of y is s
    return {
        "descent-secant": one, "descent-bfgs": one,
        "descent-two-loop-back": {**pairs, AFTER: At(lambda i: V[int(i) - 1] @ q, "i")},
        "descent-two-loop-scale": {**pairs, Q: y[2], AFTER: (scaled @ y[2]) / (y[2] @ y[2]) * y[2]},
        "descent-two-loop-forth": {
            **pairs, AFTER: At(lambda i: V[int(i) - 1].T @ q + a[int(i) - 1] * s[int(i) - 1], "i"), D: -q},
    }  # fmt: skip


def of_data(rng):
    """Four instances: every batch, and every run of three steps, listed."""
    N, Z, penalty = 4, rng.normal(size=(4, 2)), 0.01
    labels = np.array([1.0, -1.0, 1.0, -1.0])
    Z[:, 0] += 1
    signed = labels[:, None] * Z
    f = lambda w: float(-np.log(expit(signed @ w)).mean() + penalty * w @ w / 2)
    single = lambda w: -signed * expit(-signed @ w)[:, None] + penalty * w
    w = rng.normal(size=2)
    g, whole = single(w), numerical_gradient(f, w)
    batches = [g[list(rows)].mean(axis=0) for rows in combinations(range(N), 2)]
    off = np.mean([np.sum((batch - g.mean(axis=0)) ** 2) for batch in batches])
    best = newton(
        f, np.zeros(2), lambda w: single(w).mean(axis=0), tol=1e-10, hess=lambda w: hessian(signed, w, penalty)
    ).x
    eta, rates = 0.3, np.array([0.3, 0.2, 0.1])
    ends, largest = [], 0.0
    for draws in product(range(N), repeat=3):
        at, total = w, np.zeros(2)
        for n, rate in zip(draws, rates, strict=True):
            largest = max(largest, np.mean(np.sum(single(at) ** 2, axis=1)))
            total = total + rate * at
            at = at - rate * single(at)[n]
        ends.append(f(total / rates.sum()))
    after = np.mean([np.sum((w - eta * one - best) ** 2) for one in g])
    data = {
        "N": N, "n": range(1, N + 1), r"\mathbf{w}": w, r"\nabla f": whole, r"\nabla f_#": g, r"\sigma^2": None,
        r"\mathcal{B}": frozenset({1, 3}), r"\nabla f_#(\mathbf{w}^{(t)})": g, r"\hat{\mathbf{g}}_t": batches[1],
        r"\eta_t": eta, r"\mathbf{w}^{(t)}": w, r"\mathbf{w}^{(t+1)}": w - eta * batches[1],
        r"\mathbb{E}[\hat{\mathbf{g}}_t]": np.mean(batches, axis=0),
        r"\mathbb{E}[\hat{\mathbf{g}}]": np.mean(batches, axis=0),
        r"\mathbb{E} \lVert \hat{\mathbf{g}}_t - \nabla f \rVert^2": off,
        r"\mathbb{E} \lVert \mathbf{e}^{(t+1)} \rVert^2": after, r"\mathbf{e}^{(t)}": w - best,
        r"\mathbb{E} \lVert \hat{\mathbf{g}}_t \rVert^2": np.mean(np.sum(g**2, axis=1)),
        "f": At(f, r"\mathbf{w}"), "f^\\star": f(best), "G": np.sqrt(largest), "R": np.linalg.norm(w - best),
        r"\mathbb{E} f(\bar{\mathbf{w}})": np.mean(ends), "t": 1,
    }  # fmt: skip
    spread = float(np.trace(np.cov(g.T, bias=True)))
    del data[r"\sigma^2"]
    data[r"\sigma"] = np.sqrt(spread)
    two = [g[list(rows)].mean(axis=0) for rows in product(range(N), repeat=2)]
    replaced = np.mean([np.sum((batch - g.mean(axis=0)) ** 2) for batch in two])
    keys = ["step", "unbiased", "variance", "distance", "must-know-sgd"]
    own = {f"descent-{key}" if "must" in key else f"descent-sgd-{key}": data for key in keys}
    own["descent-sgd-bound"] = {**data, "t": range(1, 4), r"\eta_#": rates}
    del own["descent-sgd-bound"][r"\eta_t"]
    places = rng.normal(size=(5, 2))
    own["descent-robbins-monro"] = {"t": 2, r"\eta_t": 0.5 * 300 / (300 + 2), r"\eta_0": 0.5, r"\tau": 300}
    own["descent-sgd-average"] = {
        r"\mathcal{T}": frozenset({2, 3, 5}), r"\mathbf{w}^{(#)}": places,
        r"\bar{\mathbf{w}}": places[[1, 2, 4]].mean(axis=0),
        "t": range(1, 6)}  # fmt: skip
    own["descent-loss"] = {
        "f": At(f, r"\mathbf{w}"), r"\mathbf{w}": w, "N": N, "n": range(1, N + 1), "y_#": labels,
        r"\tilde{\mathbf{x}}_#": Z}  # fmt: skip
    return own, {"descent-must-know-sgd:2": replaced}


def hessian(signed, w, penalty):
    """Second derivatives of the loss."""
    share = expit(signed @ w)
    return (signed.T * share * (1 - share)) @ signed / len(signed) + penalty * np.eye(2)


def of_adam(rng):
    """Three steps of Adam in one coordinate; the means without bias as weighted means."""
    g = rng.normal(size=4)
    b1, b2, eta = 0.9, 0.999, 0.1
    w, m, v = np.array([0.5]), np.zeros(1), np.zeros(1)
    run: list[tuple[np.ndarray, ...]] = [(w, m, v)]
    for t in range(1, 4):
        w, m, v = adam_step(w, m, v, g[t : t + 1], t, eta, b1, b2)
        run.append((w, m, v))
    ages = np.array([2, 1, 0])
    mean = np.average(g[1:], weights=b1**ages)
    square = np.average(g[1:] ** 2, weights=b2**ages)
    values = {
        "t": 3, r"\beta_1": b1, r"\beta_2": b2, r"\eta": eta, r"\hat{\mathbf{g}}_t": g[3],
        r"\mathbf{m}^{(#)}": lambda t: run[int(t)][1], r"\mathbf{v}^{(#)}": lambda t: run[int(t)][2],
        r"\hat{\mathbf{m}}": mean, r"\hat{\mathbf{v}}": square, r"\mathbf{w}^{(t+1)}": run[3][0],
        r"\mathbf{w}^{(t)}": run[2][0], r"\mathbf{w}": run[2][0], r"\mathbf{w}\leftarrow": run[3][0],
    }  # fmt: skip
    keys = ["adam-means", "adam-bias", "adam-step", *(f"must-know-momentum:{k}" for k in (3, 4, 5))]
    worth = {
        "descent-must-know-momentum:4": (1 - b1) * np.sum(b1**ages),
        "descent-must-know-momentum:5": (1 - b2) * np.sum(b2**ages),
    }
    card = {r"\mathbf{w}\leftarrow": adam_step(run[2][0], run[2][1], run[2][2], g[3:4], 3, eta, b1, b2, 0.0)[0]}
    own = {f"descent-{key}": values for key in keys}
    return own | {"descent-must-know-momentum:3": values | card}, worth


def instance(seed):
    """Everything on one draw."""
    rng = np.random.default_rng(seed)
    base, own, worth, (P, b, star) = of_quadratic(rng)
    own |= of_conjugate(rng, P, b, star) | of_bfgs(rng, P)
    for part, known in (of_data(rng), of_adam(rng)):
        own, worth = own | part, worth | known
    return Instance(base, own, worth)
