"""Bayesian decision theory: tables of a few values, where every rule can be tried, and pairs of Gaussians."""

from itertools import product

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, linprog
from scipy.stats import multivariate_normal, norm

from notes_lib.bayes.bayes_decision import (
    REJECT,
    BayesClassifier,
    bayes_regions,
    binormal_auc,
    binormal_roc,
    chernoff_coefficient,
    chow_reject,
    error_bounds,
    error_reject_curve,
    gaussian_chernoff_coefficient,
    likelihood_ratio_roc,
    likelihood_threshold,
    log_posterior,
    minimax_test,
    minimum_risk_action,
    neyman_pearson,
)
from tests.formulas.values import At, Instance

BOX = r"\boldsymbol"
CONDITIONS = {"bayes-decision-must-know-bounds:3"}  # the exponent of a bound that the card names
LEAST = 100, 100


def table(rng, K, M=6):
    """Priors, one row of likelihoods for each class, the joint table and the library's posteriors."""
    prior, likelihood = rng.dirichlet(np.full(K, 4.0)), rng.dirichlet(np.ones(M), size=K)
    P = np.exp(log_posterior(np.log(likelihood.T), prior))  # (M, K)
    return prior, likelihood, np.array([prior[k] * likelihood[k] for k in range(K)]), P


def counted(values):
    """Values that the page counts from 0."""
    return dict(enumerate(values))


def two_indices(A):
    """A matrix that the page counts from 0."""
    return {(i, j): A[i, j] for i, j in np.ndindex(A.shape)}


def classes(rng):
    """Three classes and four actions at one value."""
    K, A, M = 3, 4, 6
    prior, likelihood, joint, P = table(rng, K, M)
    cost = rng.uniform(0, 5, size=(K, A))
    x = int(rng.integers(M))
    some = rng.integers(K, size=M)
    wrong = sum(joint[k, i] for k in range(K) for i in range(M) if some[i] != k)
    each = float(joint.sum(axis=0) @ (1 - P[np.arange(M), some]))
    labels = rng.permutation(np.repeat(np.arange(K), rng.integers(2, 9, size=K)))
    fitted = BayesClassifier().fit(rng.normal(size=(len(labels), 1)), labels)
    actions = rng.integers(A, size=M)
    paid = np.array([[cost[k, actions[i]] * joint[k, i] for i in range(M)] for k in range(K)]).sum(axis=0)
    new = rng.dirichlet(np.ones(K))
    best = minimum_risk_action(P)
    least = min(sum(joint[k, i] for k in range(K) for i in range(M) if h[i] != k) for h in product(range(K), repeat=M))
    regions = {(a, b): float(paid[actions == a].sum()) for a, b in product(range(A), repeat=2)}
    values = {
        "k": range(K), "j": range(K), "a": range(A), "K": K, r"\pi_#": counted(prior),
        "p_#(x)": counted(likelihood[:, x]), "N": len(labels),
        "p(x)": float(np.exp(np.logaddexp.reduce(np.log(joint[:, x])))), r"P(#\mid x)": counted(P[x]),
        r"\hat\pi_#": counted(fitted.priors_), "N_#": counted(np.unique(labels, return_counts=True)[1]),
        "P_e(h)": wrong, r"\int\big(1-P(h(x)\mid x)\big)p(x)dx": each, r"h^\star(x)": int(best.chosen[x]),
        "c_{##}": two_indices(cost), "e(x)": float(best.risk[x]), "P_e^\\star": least,
        "R": float(paid.sum()), r"\int_{\mathcal{R}_#}\sum_kc_{k#}\pi_kp_k(x)dx": regions,
        r"P'(#\mid x)": counted(np.exp(log_posterior(np.log(likelihood[:, x])[None], new))[0]), r"\pi'_#": counted(new),
    }  # fmt: skip
    blind = min(joint[np.arange(K) != k].sum() for k in range(K))  # of the rules that do not look at x
    vague = float(minimum_risk_action(np.full((1, K), 1 / K)).risk[0])
    guesses = {"must-know-error:4": {1: float(blind)}, "must-know-error:5": {1: vague}}
    return values, {**values, r"h^\star(x)": int(minimum_risk_action(P[x], cost).chosen)}, guesses


def pair(rng, seed):
    """Two classes with costs: a rule tried on all values, and the decision at one of them, on every second draw 1."""
    M = 6
    prior, likelihood, joint, P = table(rng, 2, M)
    some = rng.integers(2, size=M)
    outside = np.array([[likelihood[j, some != k].sum() for j in (0, 1)] for k in (0, 1)])
    wrong = sum(joint[k, i] for k in (0, 1) for i in range(M) if some[i] != k)
    least = min(sum(joint[1 - h[i], i] for i in range(M)) for h in product((0, 1), repeat=M))
    kept = float(P.max(axis=1) @ joint.sum(axis=0))
    lost = float((1 - P.max(axis=1)) @ joint.sum(axis=0))
    cost = np.array([[rng.uniform(0, 1), rng.uniform(1, 5)], [rng.uniform(1, 5), rng.uniform(0, 1)]])
    decisions = minimum_risk_action(P, cost).chosen
    x = int(np.flatnonzero(decisions == seed % 2)[0])
    slope = lambda odds: cost[0, 1] - cost[0, 0] - (cost[1, 0] - cost[1, 1]) * odds  # risk of 1 minus that of 0
    theta = brentq(slope, 0, 1e4, xtol=1e-14, rtol=1e-14) * prior[0] / prior[1]
    assert np.isclose(theta, likelihood_threshold(prior, cost))
    s = rng.uniform(0.1, 0.9)
    bounds = error_bounds(lambda v: chernoff_coefficient(*likelihood, v), prior)
    v, w = rng.uniform(0.1, 2, size=2)
    overlap = lambda v: float(np.exp((1 - v) * np.log(likelihood[0]) + v * np.log(likelihood[1])).sum())
    values = {
        "k": range(2), "K": 2, r"\pi_#": counted(prior), "p_#(x)": counted(likelihood[:, x]),
        r"P(#\mid x)": counted(P[x]), "P_e": wrong, r"\int_{x\notin\mathcal{R}_#}p_#(x)dx": two_indices(outside),
        r"\int_{\mathcal{R}_1}p_0(x)dx": outside[0, 0], r"\int_{\mathcal{R}_0}p_1(x)dx": outside[1, 1],
        r"\int_{\mathcal{R}_1}p_0dx": outside[0, 0], r"\int_{\mathcal{R}_0}p_1dx": outside[1, 1],
        "P_e^\\star": least, r"\int\max_k\pi_kp_k(x)dx": kept, r"\int\min\big(\pi_0p_0(x),\pi_1p_1(x)\big)dx": lost,
        r"\int\min(\pi_0p_0,\pi_1p_1)dx": lost, "c_{##}": two_indices(cost),
        r"R(#\mid x)": counted(P[x] @ cost), r"\ell(x)": float(np.exp(np.diff(np.log(likelihood[:, x]))[0])),
        r"\theta": theta, "v": v, "w": w, "s": s, r"\rho": At(lambda v: chernoff_coefficient(*likelihood, v)),
        r"\int p_0(x)^{1-s}p_1(x)^{s}dx": overlap(s), r"\int p_0^{1-s}p_1^{s}dx": overlap(s),
    }  # fmt: skip
    mean = float(np.average(np.log([v, w]), weights=[1 - s, s]))
    joint_overlap = float(np.exp(np.average(np.log(joint), axis=0, weights=[1 - s, s])).sum())
    worth = {
        "minimum": {1: float(np.exp(mean))}, "chernoff-bound": {1: joint_overlap},
        "bhattacharyya": {1: bounds.bhattacharyya}, "lower-bound": {1: bounds.lower},
        "must-know-bounds:1": {1: joint_overlap},
    }  # fmt: skip
    return values, bool(decisions[x]), worth


def rejection(rng):
    """Chow's rule for many instances of three classes, and the two rates on both sides of one threshold."""
    P, weight = rng.dirichlet(np.ones(3), size=12), rng.dirichlet(np.ones(12))
    curve = error_reject_curve(P, weights=weight)
    i = int(rng.integers(2, 9))
    t = float(curve.thresholds[i])
    doubt = np.array([1 - max(row) for row in P])
    inside = doubt <= t + 1e-12
    steps = -np.diff(np.r_[1.0, curve.reject])  # accepted at each threshold
    return {
        "t": t, "E(t)": float(curve.error[i]), "J(t)": float(curve.reject[i]),
        "dE": float(curve.error[i] - curve.error[i - 1]),
        "dJ": float(curve.reject[i] - curve.reject[i - 1]),
        r"\int_{e(x)\le t}e(x)p(x)dx": float(doubt[inside] @ weight[inside]),
        r"\int_{e(x)>t}p(x)dx": float(weight[~inside].sum()),
        r"\int_0^t\tau dJ(\tau)": -float(steps[: i + 1] @ curve.thresholds[: i + 1]),
    }  # fmt: skip


def prices(rng):
    """What a mistake and a rejection cost, and the doubt at which the cheaper action changes, by bisection."""
    mistake, price = rng.uniform(3, 9), rng.uniform(0.2, 1.4)
    low, high = 0.0, 0.5
    for _ in range(60):
        doubt = (low + high) / 2
        rejects = minimum_risk_action([1 - doubt, doubt], [[0, mistake, price], [mistake, 0, price]]).chosen == 2
        low, high = (low, doubt) if rejects else (doubt, high)
    return {"c_m": mistake, "c_r": price, "t": low}


def one_doubt(rng, seed):
    """The posterior of one instance on either side of the threshold, and what the library does with it."""
    P = rng.dirichlet(np.ones(3))
    t = float(1 - P.max() + (0.05 if seed % 2 else -0.05))
    rejects = bool(chow_reject(P[None], t)[0] == REJECT)
    never = [0.5, 0.7, 0.66, 0.9][seed]
    values = {"k": range(3), "K": 3, r"P(#\mid x)": counted(P), "e(x)": float(minimum_risk_action(P).risk), "t": t}
    return values, rejects, never, bool(chow_reject(np.full((1, 3), 1 / 3), never)[0] != REJECT)


def powerful(rng, seed):
    """The best test of six values, one value of each kind, and other tests with their rates."""
    p, q, alpha = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(6)), rng.uniform(0.1, 0.4)
    best = neyman_pearson(p, q, alpha)
    kinds = [np.flatnonzero(best.decide == 1), np.flatnonzero((best.decide > 0) & (best.decide < 1)),
             np.flatnonzero(best.decide == 0)]  # fmt: skip
    kind = [0, 1, 2, 1][seed]
    x = int(kinds[kind][0]) if len(kinds[kind]) else int(kinds[1][0])
    tests = rng.uniform(size=(300, 6)) * rng.uniform(size=(300, 1))
    other = tests[int(np.argmax(tests @ p <= alpha))]
    lemma = sum((best.decide[i] - other[i]) * (q[i] - best.threshold * p[i]) for i in range(6))
    roc = likelihood_ratio_roc(p, q)
    values = {
        "F": best.false_alarm, "D": float(np.interp(alpha, roc.false_alarm, roc.detection)), r"\alpha": alpha,
        r"\int\varphi p_0dx": float(best.decide @ p), r"\int\varphi p_1dx": float(best.decide @ q),
        r"\varphi^\star(x)": best.decide[x], r"\gamma": best.randomise, r"\theta": best.threshold,
        r"\ell(x)": float(np.exp(np.log(q[x]) - np.log(p[x]))), r"\ell": float(np.exp(np.log(q[x]) - np.log(p[x]))),
    }  # fmt: skip
    against = {**values, "D^\\star": best.detection, "D": float(other @ q), "F": float(other @ p),
               r"\int(\varphi^\star-\varphi)(p_1-\theta p_0)dx": float(lemma)}  # fmt: skip
    rivals = [{"D": float(test @ q), "F": float(test @ p)} for test in tests]
    return values, against, rivals, (bool(best.decide[x] == 1), bool(0 < best.decide[x] < 1))


def game(rng):
    """The minimax rule of six values: against a linear program, and against the worst prior of the best rules."""
    p, q = rng.dirichlet(np.ones(6), size=2)
    alarm, miss = rng.uniform(0.5, 4, size=2)
    found = minimax_test(p, q, [[0, alarm], [miss, 0]])
    F, D = float(found.test.decide @ p), float(found.test.decide @ q)
    program = linprog(  # the smallest z above both risks
        np.r_[np.zeros(6), 1], A_ub=[[*(alarm * p), -1], [*(-miss * q), -1]], b_ub=[0, -miss],
        bounds=[(0, 1)] * 6 + [(None, None)]).fun  # fmt: skip
    ties = alarm * p / (alarm * p + miss * q)  # priors at which a value changes sides
    smallest = max(float(np.minimum((1 - v) * alarm * p, v * miss * q).sum()) for v in ties)
    prior = rng.uniform()
    fixed = rng.uniform(size=6)
    risk = sum((1 - prior) * p[i] * fixed[i] * alarm + prior * q[i] * (1 - fixed[i]) * miss for i in range(6))
    line = {r"R(\pi_1)": float(risk), r"\pi_1": prior, "R_#": counted([alarm * fixed @ p, miss * (1 - fixed) @ q])}
    equal = {
        "R_#": counted([alarm * F, miss * (1 - D)]), "c_{##}": {(0, 1): alarm, (1, 0): miss}, "F": F, "D": D,
        r"\min_h\max_{\pi_1}R(\pi_1;h)": program, r"\max_{\pi_1}\min_hR(\pi_1;h)": smallest,
    }  # fmt: skip
    return line, equal


def gaussians(rng):
    """Two Gaussians in one dimension, with one variance or two."""
    prior, m, s = rng.dirichlet([3, 3]), np.sort(rng.normal(size=2)), rng.uniform(0.5, 2, size=2)
    theta = rng.uniform(0.3, 3)
    log_ratio = lambda x: norm.logpdf(x, m[1], s[0]) - norm.logpdf(x, m[0], s[0])
    b = brentq(lambda x: log_ratio(x) - np.log(theta), -50, 50, xtol=1e-14, rtol=1e-14)
    F = rng.uniform(0.05, 0.9)
    border = brentq(lambda x: norm.sf(x, m[0], s[0]) - F, -50, 50, xtol=1e-14, rtol=1e-14)
    area = quad(lambda x: norm.pdf(x, m[1], s[1]) * norm.cdf(x, m[0], s[0]), -30, 30, epsabs=1e-13, limit=200)[0]
    assert np.isclose(binormal_auc(m, s), area)
    assert np.isclose(binormal_roc(F, m, s), norm.sf(border, m[1], s[1]))
    values = {
        r"\pi_#": counted(prior), r"\Phi": At(lambda z: float(norm.cdf(z))),
        r"\Phi^{-1}": At(lambda z: float(norm.ppf(z))), r"\theta": theta,
        "d'": float(np.ptp(m) / s[0]), "m_#": counted(m), "s_#": counted(s), "F": F,
        "P_e": float(prior @ [norm.sf(b, m[0], s[0]), norm.cdf(b, m[1], s[0])]),
        "D": float(norm.sf(border, m[1], s[1])), r"\mathrm{AUC}": area,
    }  # fmt: skip
    return values


def coefficient(rng, shared=False):
    """The coefficient of two Gaussians in the plane, from the library; the library is held to a sum over a grid."""
    A = rng.normal(size=(2, 2, 2)) * 0.4
    covariances = A @ A.transpose(0, 2, 1) + np.eye(2)
    if shared:
        covariances[1] = covariances[0]
    means, s = rng.normal(size=(2, 2)), 0.5 if shared else rng.uniform(0.2, 0.8)
    axis = np.arange(-12, 12.01, 0.08)
    points = np.stack(np.meshgrid(axis, axis), axis=-1)
    logs = [multivariate_normal(mean, C).logpdf(points) for mean, C in zip(means, covariances, strict=True)]
    total = np.exp((1 - s) * logs[0] + s * logs[1]).sum() * 0.08**2
    assert np.isclose(total, gaussian_chernoff_coefficient(means, covariances, s), rtol=1e-7)
    mixed = s * covariances[0] + (1 - s) * covariances[1]
    delta = means[1] - means[0]
    values = {
        "s": s, r"\rho": At(lambda v: gaussian_chernoff_coefficient(means, covariances, v)),
        rf"{BOX}\delta": delta, rf"{BOX}\delta^\top": delta[None], rf"{BOX}\Sigma_s": mixed,
        rf"|{BOX}\Sigma_s|": float(np.linalg.det(mixed)), r"\Phi": At(lambda z: float(norm.cdf(z))),
    }  # fmt: skip
    for k in (0, 1):
        values |= {rf"{BOX}\Sigma_{k}": covariances[k], rf"|{BOX}\Sigma_{k}|": float(np.linalg.det(covariances[k]))}
    root = np.linalg.inv(np.linalg.cholesky(covariances[0]))
    values[r"\Delta"] = float(np.linalg.norm(root @ delta))
    projected = root.T @ root @ delta  # where the classes differ
    scores, width = means @ projected, np.sqrt(projected @ covariances[0] @ projected)
    error = float(norm.sf(scores.mean(), scores[0], width) + norm.cdf(scores.mean(), scores[1], width)) / 2
    return values, error


def instance(seed):
    """One draw of everything."""
    rng = np.random.default_rng(seed)
    of_classes, with_costs, guesses = classes(rng)
    of_pair, decided, bounds = pair(rng, seed)
    rates = rejection(rng)
    doubt, rejects, never, always = one_doubt(rng, seed)
    best, against, rivals, (above, between) = powerful(rng, seed)
    line, equal = game(rng)
    bells, (plane, _), (sphere, error) = gaussians(rng), coefficient(rng), coefficient(rng, shared=True)
    straight = bayes_regions([([0, 4], [0.5, 0]), ([1, 5], [0, 0.5])], [0.6, 0.4])
    card = "must-know-"
    shared = (
        "error-integral", "bayes-error", "difference", "likelihood-ratio", "threshold", "minimum", "chernoff-bound",
        "chernoff", "bhattacharyya", "lower-bound", f"{card}error:3", f"{card}risk:2",
        *(f"{card}bounds:{k}" for k in (1, 2, 3)),
    )  # fmt: skip
    own = dict.fromkeys(shared, of_pair)
    own |= dict.fromkeys(("minimum-risk", f"{card}risk:1"), with_costs)
    own |= dict.fromkeys(("rates", "tradeoff", f"{card}chow:4"), rates)
    own |= dict.fromkeys(("reject-threshold", f"{card}chow:2"), prices(rng))
    own |= dict.fromkeys(("doubt", "chow", f"{card}chow:1"), doubt)
    own |= dict.fromkeys(("roc", "problem", "test", *(f"{card}np:{k}" for k in range(1, 5))), best)
    own |= dict.fromkeys(("equaliser", "minimax", f"{card}minimax"), equal)
    own |= dict.fromkeys(("gaussian-error", "binormal", "binormal-auc"), bells)
    own |= {
        "triangles": {"P_e^\\star": straight.risk}, "lemma": against, "risk-line": line, "chernoff-gaussian": plane,
        f"{card}chow:3": {"t": never, "K": 3}, f"{card}np:1": against, f"{card}bounds:4": sphere,
        f"{card}bounds:5": sphere,
    }  # fmt: skip
    truth = {
        "difference": decided, "likelihood-ratio": decided, f"{card}risk:2": decided, f"{card}chow:1": rejects,
        f"{card}chow:3": always, f"{card}np:2": above, f"{card}np:3": between,
    }  # fmt: skip
    named = lambda entries: {f"bayes-decision-{key}": value for key, value in entries.items()}
    return Instance(
        of_classes,
        named(own),
        named({**bounds, **guesses, f"{card}bounds:5": error}),
        truth=named(truth),
        rivals=named({"problem": rivals}),
    )
