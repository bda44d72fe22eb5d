"""Loss and risk: losses of the library, tables of small distributions, and every sample of them by enumeration."""

from itertools import product

import numpy as np
from scipy import optimize, special, stats

from notes_lib.foundations.risk import (
    bayes_classifier,
    bayes_risk,
    conditional_risk,
    empirical_risk,
    expected_risk,
    margin_exponential,
    margin_hinge,
    margin_logistic,
    margin_squared,
    margin_zero_one,
    residual_absolute,
    residual_huber,
    residual_pinball,
    residual_squared,
    tabulate_posterior,
)
from notes_lib.numerics import central_difference
from tests.formulas.values import At, Instance

W, X = r"\mathbf{w}", r"\mathbf{x}"
R_HAT, R_OF_HAT, R_BEST = r"\mathbb{E}\hat R(\hat f)", r"R(\hat f)", r"R(f_{\mathcal{F}})"
ROOT = {"xtol": 1e-14, "rtol": 1e-14}


def number(function):
    """A function of one number that gives one."""
    return At(lambda v: float(np.ravel(function(np.ravel(v)))[0]))


def residuals(rng, seed):
    """A residual on either side of delta, and a vector: one component, all equal, or any."""
    delta, tau = rng.uniform(0.5, 2), rng.uniform(0.1, 0.9)
    r = (-1) ** seed * delta * (0.6 if seed < 2 else 1.7)
    J = 3
    v = [np.array([2.0, 0, 0]), np.full(J, 1.3), *rng.normal(size=(2, J))][seed]
    far = 50.0
    line = special.huber(delta, [far, far + 1])
    norm = lambda p: float(np.linalg.norm(v, p))
    return {
        "r": r, r"\delta": delta, r"\tau": tau, r"L_{\mathrm{sq}}": number(residual_squared),
        r"L_{\mathrm{abs}}": number(residual_absolute), r"L_\delta(r)": float(residual_huber([r], delta)[0]),
        r"L_\delta'(r)": float(central_difference(lambda u: special.huber(delta, u).sum(), np.array([r]))[0]),
        r"L_\tau(r)": float(residual_pinball([r], tau)[0]), "a": line[1] - line[0],
        "c": line[0] - far * (line[1] - line[0]),
        r"\mathbf{r}": v, "r_#": v, "j": range(1, J + 1), "J": J, "p": 3,
        "L_p": At(lambda u: float(np.linalg.norm(np.ravel(u), 3))),
        r"\lVert\mathbf{r}\rVert_p": norm(3), r"\lVert\mathbf{r}\rVert_\infty": norm(np.inf),
        r"\lVert\mathbf{r}\rVert_1": norm(1), r"\lVert\mathbf{r}\rVert_2": norm(2),
    }  # fmt: skip


def line(rng):
    """A linear score, a point, and its distance from the plane."""
    w, b, x, y = rng.normal(size=3), rng.normal(), rng.normal(size=3), float(rng.choice([-1, 1]))
    foot = x - np.linalg.pinv(w[None])[:, 0] * (w @ x + b)
    distance = float(np.linalg.norm(x - foot))
    right = bool(y * (w @ x + b) > 0)
    m = (1 if right else -1) * distance * float(np.linalg.norm(w))
    return right, {
        W: w, r"\mathbf{w}^\top": w[None], "b": b, X: x, "y": y, "m": m, r"\gamma": m / float(np.linalg.norm(w)),
        "f": At(lambda v: float(w @ np.ravel(v) + b)), r"\hat y(\mathbf{x})": y if right else -y,
        r"\hat y": y if right else -y, r"\text{confidence}": distance * float(np.linalg.norm(w)),
        r"\mathbf{0}": np.zeros(3),
    }  # fmt: skip


def scores(rng):
    """A posterior and the score that each margin loss asks for."""
    eta = rng.uniform(0.1, 0.9)
    f = rng.normal()
    best = {}
    for name, phi in [("log", margin_logistic), ("exp", margin_exponential), ("sq", margin_squared)]:
        risk = lambda s, phi=phi: float((eta * phi([s]) + (1 - eta) * phi([-s]))[0])
        start = optimize.minimize_scalar(risk, bracket=(-1, 1), tol=1e-12).x
        best[name] = start
    grid = np.linspace(-3, 3, 601)
    hinge = float(np.round(grid[np.argmin(eta * margin_hinge(grid) + (1 - eta) * margin_hinge(-grid))], 6))
    slopes = {
        "log": lambda s: eta * (special.expit(s) - 1) + (1 - eta) * special.expit(s),
        "exp": lambda s: np.log(1 - eta) + s - np.log(eta) + s,
        "sq": lambda s: (1 + s) * (1 - eta) - (1 - s) * eta,
    }
    for name, slope in slopes.items():
        found = optimize.brentq(slope, -20, 20, **ROOT)
        assert abs(found - best[name]) < 1e-4
        best[name] = found
    mean = sum(p * float(margin_logistic([y * f])[0]) for p, y in [(eta, 1), (1 - eta, -1)])
    return {
        r"\eta": eta, "f": f, r"\phi": number(margin_logistic), r"R(f\mid\mathbf{x})": mean,
        r"\mathbb{E}\big[L(f,y)\mid\mathbf{x}\big]": mean, r"f^\star_{\log}": best["log"],
        r"f^\star_{\exp}": best["exp"], r"f^\star_{\mathrm{sq}}": best["sq"], r"f^\star_{\mathrm{hinge}}": hinge,
    }  # fmt: skip


def centres(rng):
    """What losses of a residual ask for where the target is Gamma distributed."""
    law, tau = stats.gamma(rng.uniform(1, 3)), rng.uniform(0.1, 0.9)
    pinball = lambda level: optimize.brentq(
        lambda f: (1 - level) * law.cdf(f) - level * law.sf(f), 1e-9, 60, **ROOT)  # fmt: skip
    mean = optimize.brentq(lambda f: law.expect(lambda y: f - y, epsabs=1e-13), 0, 60, **ROOT)
    return {
        r"f^\star_{\mathrm{sq}}(\mathbf{x})": mean, r"\mathbb{E}[y\mid\mathbf{x}]": law.mean(),
        r"f^\star_{\mathrm{abs}}(\mathbf{x})": pinball(0.5), r"\operatorname{median}[y\mid\mathbf{x}]": law.median(),
        r"\tau": tau, r"P\big(y\leq f^\star_{\tau}(\mathbf{x})\mid\mathbf{x}\big)": law.cdf(pinball(tau)),
    }  # fmt: skip


def decisions(rng):
    """A table of three classes, five inputs and three actions, and one of two classes with two costs."""
    K, A, M = 3, 3, 5
    prior, likelihood = rng.dirichlet(np.ones(K)), rng.dirichlet(np.ones(M), size=K)
    cost = rng.uniform(0, 5, size=(K, A))
    P, evidence = tabulate_posterior(prior, likelihood)
    x = int(rng.integers(M))
    every = [sum(prior[k] * likelihood[k, i] * cost[k, h[i]] for k in range(K) for i in range(M))
             for h in product(range(A), repeat=M)]  # fmt: skip
    rule = bayes_classifier(P, cost)
    some = rng.integers(A, size=M)
    table = {
        "K": K, "k": range(1, K + 1), "j": range(1, K + 1), "a": range(1, A + 1), X: float(x),
        r"P(y=#\mid\mathbf{x})": P[x], r"P(y=#)": prior, r"p(\mathbf{x}\mid y=#)": likelihood[:, x],
        "c_{##}": cost, r"R(#\mid\mathbf{x})": conditional_risk(P[x], cost), r"h^\star(\mathbf{x})": int(rule[x]) + 1,
        r"R^\star": min(every),
        r"\mathbb{E}_{\mathbf{x}}\Big[\min_aR(a\mid\mathbf{x})\Big]": bayes_risk(P, evidence, cost),
        r"\mathbb{E}_{\mathbf{x}}[\min_aR(a\mid\mathbf{x})]": bayes_risk(P, evidence, cost),
    }  # fmt: skip
    joint = sum(prior[k] * likelihood[k, i] * cost[k, some[i]] for k in range(K) for i in range(M))
    tower = expected_risk(P, some, evidence, cost)
    rules = {
        r"R(f)": joint, r"\mathbb{E}_{\mathbf{x}}\big[R(f(\mathbf{x})\mid\mathbf{x})\big]": tower,
        r"\mathbb{E}_{\mathbf{x}}[R(f(\mathbf{x})\mid\mathbf{x})]": tower,
        r"\mathbb{E}_{(\mathbf{x},y)}[L(f(\mathbf{x}),y)]": joint,
    }  # fmt: skip
    false_alarm, miss = rng.uniform(0.5, 3, size=2)
    Q, weights = tabulate_posterior(prior[:2] / prior[:2].sum(), likelihood[:2])
    eta = Q[:, 1]
    alarm = bool(bayes_classifier(Q[x], [[0, false_alarm], [miss, 0]]) == 1)
    least = min(sum(weights[i] * Q[i, 1 - h[i]] for i in range(M)) for h in product((0, 1), repeat=M))
    smaller = float(weights @ np.minimum(eta, 1 - eta))
    two = {
        X: float(x), r"\eta(\mathbf{x})": eta[x], r"\eta": eta[x], r"c_{\mathrm{FP}}": false_alarm,
        r"c_{\mathrm{FN}}": miss, r"h^\star(\mathbf{x})": 2 * int(bayes_classifier(Q[x])) - 1, r"R^\star": least,
        r"\mathbb{E}_{\mathbf{x}}\big[\min(\eta(\mathbf{x}),1-\eta(\mathbf{x}))\big]": smaller,
        r"\mathbb{E}\min(\eta,1-\eta)": smaller,
    }  # fmt: skip
    return table, rules, two, alarm


def plane(rng):
    """The risk of a line where x is uniform and y Gaussian around another line."""
    slope, other, s = rng.normal(size=3)
    risk = (slope - other) ** 2 / 3 + s**2
    z, weight = np.polynomial.hermite_e.hermegauss(20)
    x, dx = np.polynomial.legendre.leggauss(20)
    x, dx = (x + 1) / 2, dx / 2
    mean = float((((other * x[:, None] + s * z) - slope * x[:, None]) ** 2 @ weight / weight.sum()) @ dx)
    return {
        "R(f)": risk, r"\mathbb{E}_{(\mathbf{x},y)}\big[L(f(\mathbf{x}),y)\big]": mean,
        r"\iint L(f(\mathbf{x}),y)p(\mathbf{x},y)d\mathbf{x}dy": mean,
    }  # fmt: skip


def samples(rng):
    """Four rules on three kinds of instances: their risks on one sample, and on all samples of four."""
    N, B, M = 4, 4, 3
    chance = rng.dirichlet(np.ones(M))
    loss = rng.uniform(0, 2, size=(B, M))  # of each rule on each kind
    penalty, strength = rng.uniform(0, 1, size=B), 0.3
    all_of = list(product(range(M), repeat=N))
    weight = np.array([np.prod(chance[list(s)]) for s in all_of])
    means = np.array([loss[:, list(s)].mean(axis=1) for s in all_of])
    true = loss @ chance
    winner = means.argmin(axis=1)
    one = (0, 1, 2, int(rng.integers(M)))
    L = loss[0, list(one)]
    spread = float(chance @ (loss[0] - true[0]) ** 2)
    best, hat = int(true.argmin()), int(loss[:, list(one)].mean(axis=1).argmin())
    pay = loss[:, list(one)].mean(axis=1) + strength * penalty
    eps = 1.2 * np.sqrt(spread / N)
    Z = float(weight @ (np.abs(means[:, 0] - true[0]) >= eps))
    bayes = float(loss.min(axis=0) @ chance)
    p = 0.3
    values = {
        "N": N, "n": range(1, N + 1), "L_#": L, r"R(f)": true[0],
        r"\mathrm{se}": empirical_risk(L).standard_error, r"\mathbb{E}\hat R(f)": float(weight @ means[:, 0]),
        r"\operatorname{Var}\hat R(f)": float(weight @ (means[:, 0] - weight @ means[:, 0]) ** 2),
        r"\sigma_L^2": spread, r"\varepsilon": eps,
        r"P\big(|\hat R(f)-R(f)|\geq\varepsilon\big)": Z, R_HAT: float(weight @ means.min(axis=1)),
        R_BEST: true[best], r"\mathbb{E}R(\hat f)": float(weight @ true[winner]), R_OF_HAT: true[hat],
        r"R^\star": bayes, r"\hat p": p,
    }  # fmt: skip
    measured = {r"\hat R(f)": empirical_risk(L).value, r"L(f(\mathbf{x}_#),y_#)": np.diag(L)}
    choice = {
        "f": range(1, B + 1), r"\mathcal{F}": frozenset(range(1, B + 1)), r"\hat R(#)": means[all_of.index(one)],
        r"\hat f": hat + 1,
    }  # fmt: skip
    paid = choice | {
        r"\hat f": int(pay.argmin()) + 1, r"\Omega(#)": penalty, r"\lambda": strength,
        r"L(#(\mathbf{x}_#),y_#)": np.array([np.diag(loss[i, list(one)]) for i in range(B)]),
    }  # fmt: skip
    share = float(stats.binom(N, p).std() / N)
    return values, measured, choice, paid, share


def turned(rng):
    """A fit that one far instance has turned round."""
    x, y = rng.normal(size=(12, 2)), np.sign(rng.normal(size=12))
    x[0] = 40 * rng.normal(size=2)
    loss = lambda w: margin_logistic(y * (x @ w)).mean() + 0.05 * w @ w
    fit = optimize.minimize(loss, np.zeros(2), method="BFGS", tol=1e-10).x
    return {"N": 12, "n": range(1, 13), r"\hat{\mathbf{w}}^\top": fit[None], "y_#": y, r"\mathbf{x}_#": x}


def efficient(rng):
    """The efficiency of the Huber estimate: derivatives by shifting the law, squares by quadrature."""
    kappa = rng.uniform(0.5, 2)
    psi = lambda z: float(np.clip(z, -kappa, kappa))
    z, weight = np.polynomial.legendre.leggauss(400)
    z, weight = 12 * z, 12 * weight
    clipped = np.clip(z, -kappa, kappa)
    square = 2 * (stats.norm.expect(lambda u: u**2, lb=0, ub=kappa) + kappa**2 * stats.norm.sf(kappa))
    slope = float(stats.norm.cdf(kappa) - stats.norm.cdf(-kappa))
    moved = lambda t: float(
        stats.norm.expect(lambda u: u, loc=t, lb=-kappa, ub=kappa)
        + kappa * (stats.norm.sf(kappa - t) - stats.norm.cdf(-kappa - t)))  # fmt: skip
    assert abs((moved(1e-4) - moved(-1e-4)) / 2e-4 - slope) < 1e-6
    assert abs(clipped**2 @ (weight * stats.norm.pdf(z)) - square) < 1e-3
    values = {
        r"\mathbb{E}\psi'(z)": slope, r"\mathbb{E}\psi(z)^2": square, r"\psi": At(lambda u: psi(float(np.ravel(u)[0]))),
        r"\kappa": kappa, "z": rng.normal() * 2,
    }  # fmt: skip
    return values, slope**2 / square


def instance(seed):
    """One draw of everything."""
    rng = np.random.default_rng(seed)
    of_residual = residuals(rng, seed)
    right, of_line = line(rng)
    table, rules, two, alarm = decisions(rng)
    of_sample, measured, choice, paid, share = samples(rng)
    efficiency, gain = efficient(rng)
    m = float(rng.normal()) if seed else 0.0
    losses = {
        r"\phi_{01}": number(margin_zero_one), r"\phi_{\mathrm{hinge}}": number(margin_hinge),
        r"\phi_{\log}": number(margin_logistic), r"\phi_{\exp}": number(margin_exponential),
        r"\phi_{\mathrm{sq}}": number(margin_squared), "m": m,
    }  # fmt: skip
    s = rng.uniform(0.1, 2, size=3)
    stable = {"s_#": s, "j": range(1, 4), "N": 40, r"\lambda": 0.01}
    loss_at = lambda phi: float(phi([m])[0])
    top = optimize.minimize_scalar(lambda v: -v / (v**2 + 0.4), bounds=(0.1, 3), method="bounded")
    own = {f"risk-{name}": of_residual for name in (
        "squared", "absolute", "huber-ansatz", "huber", "huber-gradient", "pinball", "p-norm", "norm-order",
        "must-know-huber")}  # fmt: skip
    own |= {f"risk-{name}": of_line for name in ("sign", "margin", "geometric-margin", "must-know-margin")}
    own |= {f"risk-{name}": losses for name in (
        "zero-one", "hinge", "logistic", "exponential", "margin-squared", "surrogate",
        "must-know-margin-losses")}  # fmt: skip
    own |= {f"risk-{name}": scores(rng) for name in ("conditional-margin", "minimisers")}
    own |= {f"risk-{name}": table for name in (
        "posterior", "conditional", "bayes-classifier", "bayes", "must-know-expected:1",
        "must-know-bayes:1")}  # fmt: skip
    own |= {f"risk-{name}": two for name in (
        "bayes-binary", "threshold", "must-know-bayes:2", "must-know-bayes:3", "must-know-bayes:4")}  # fmt: skip
    own |= {
        "risk-mean-median": centres(rng), "risk-expected": plane(rng), "risk-tower": rules,
        "risk-must-know-expected:2": rules, "risk-erm": choice, "risk-regularised": paid, "risk-stable": stable,
        "risk-half-space": turned(rng), "risk-efficiency": efficiency,
    }  # fmt: skip
    own |= {f"risk-{name}": measured for name in ("empirical", "standard-error", "must-know-empirical:1")}
    delta = of_residual[r"\delta"]
    huber = of_residual[r"L_\delta(r)"]
    worth = {
        "risk-must-know-margin:4": of_line[r"\gamma"],
        "risk-must-know-margin-losses:1": loss_at(margin_zero_one),
        "risk-must-know-margin-losses:1/2": loss_at(margin_hinge),
        "risk-must-know-margin-losses:1/3": loss_at(margin_logistic),
        "risk-must-know-margin-losses:2": loss_at(margin_exponential),
        "risk-must-know-margin-losses:2/2": loss_at(margin_squared),
        "risk-must-know-huber:1": huber, "risk-must-know-huber:2": huber,
        "risk-must-know-huber:3": float(residual_huber([delta], delta)[0]),
        "risk-must-know-huber:4": (-delta, delta),
        "risk-must-know-bayes:2": float(2 * int(two[r"\eta"] > 1 - two[r"\eta"]) - 1),
        "risk-stable": {1: -top.fun}, "risk-must-know-empirical:5": share, "risk-efficiency": gain,
    }  # fmt: skip
    return Instance(
        of_sample, own, worth,
        truth={"risk-threshold": alarm, "risk-must-know-bayes:4": alarm, "risk-must-know-margin:2": right},
        given={"risk-chebyshev": r"N \to \infty"},
    )  # fmt: skip
