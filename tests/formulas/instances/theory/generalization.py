"""Generalisation: small worlds in which risks are sums, classes whose labelings are counted, exact tails of means."""

from itertools import combinations, product

import numpy as np
from scipy import stats
from scipy.optimize import brentq, minimize_scalar

from notes_lib.theory.generalization import (
    empirical_rademacher,
    growth_function,
    halving,
    hoeffding_bound,
    is_shattered,
    labelings,
    pac_sample_size,
    rademacher_bound,
    radon_partition,
    uniform_deviation,
    vc_bound,
    winnow,
)
from tests.formulas.values import At, Instance

ALL = r"\max_{\mathbf{x}_1,\dots,\mathbf{x}_N}\big|\{(h(\mathbf{x}_1),\dots,h(\mathbf{x}_N)):h\in\mathcal{H}\}\big|"
OF_POINTS = r"\{(h(\mathbf{x}_1),\dots,h(\mathbf{x}_N)):h\in\mathcal{H}\}"
TAIL = r"P\Big(\Big|\frac1N\sum_nV_n-\mathbb{E}V\Big|\ge\varepsilon\Big)"
ONE_TAIL = r"P\Big(\frac1N\sum_nV_n\ge\varepsilon\Big)"
BEST_FIT = r"\mathbb{E}_\sigma\max_{\mathbf{f}\in F}\frac1N\sum_{n=1}^N\sigma_nf_n"
ROOT = {"xtol": 1e-14, "rtol": 1e-14}


def a_world(rng):
    """Six outcomes, five hypotheses and a sample of 40: all risks."""
    p, wrong, N, M, delta = rng.dirichlet(np.ones(6)), rng.integers(0, 2, size=(5, 6)), 40, 5, 0.05
    counts = rng.multinomial(N, p)
    risk, seen = wrong @ p, wrong @ counts / N
    chosen, best = int(seen.argmin()), int(risk.argmin())
    off = np.abs(risk - seen)
    one = int(off.argmax())
    allowed = uniform_deviation(M, N, delta)
    assert off[one] <= allowed
    values = {
        "N": N, "M": M, r"\delta": delta, r"\varepsilon": off[one], r"R(\hat h)": risk[chosen],
        r"\hat R(\hat h)": seen[chosen], r"R(h^\star)": risk[best], r"\hat R(h^\star)": seen[best],
        r"R(h)": risk[one], r"\hat R(h)": seen[one], "R": risk[one], r"\hat R": seen[one],
    }  # fmt: skip
    steps = {1: seen.min() + off.max(), 2: seen[best] + off.max(), 3: risk.min() + 2 * off.max()}
    return values, float(wrong[chosen] @ (p - counts / N)), steps, allowed


def two_coins(rng):
    """Always 0 or always 1, with labels that are 1 with probability p: mean risks of the better one on the sample."""
    p = rng.uniform(0.4, 0.48)

    def of_sample(N, loss):
        k = np.arange(round(N) + 1)
        return float(stats.binom(round(N), p).pmf(k) @ loss(k, round(N)))

    risk = At(lambda N: of_sample(N, lambda k, n: np.where(2 * k <= n, p, 1 - p)), "N")
    seen = At(lambda N: of_sample(N, lambda k, n: np.minimum(k, n - k) / n), "N")
    least = min(p, 1 - p)
    return {r"R(\hat h)": risk, r"\hat R(\hat h)": seen, r"\inf_hR(h)": least, "N": 100.0}


def means(rng):
    """A variable with two values, centred or not, and exact tails of the mean of N of them."""
    w, p, N = rng.uniform(0.5, 3), rng.uniform(0.2, 0.8), 20
    V, chance = w * (np.array([0.0, 1.0]) - p), np.array([1 - p, p])
    k = np.arange(N + 1)
    mean, pmf = w * (k / N - p), stats.binom(N, p).pmf(k)
    epsilon = rng.uniform(0.15, 0.3) * w
    one, both = float(pmf[mean >= epsilon].sum()), float(pmf[np.abs(mean) >= epsilon].sum())
    slope = lambda s: -N * epsilon + 2 * N * s * w**2 / 8
    s = brentq(slope, 0, 100 / w, **ROOT)
    tilted = chance * np.exp(s * V) / (chance @ np.exp(s * V))
    middle = float(tilted @ V)
    mgf = float(chance @ np.exp(s * V))
    lemma = 2 / float(hoeffding_bound(s, 1, 4 / w))
    bound = float(hoeffding_bound(epsilon, N, w))
    a, share = rng.uniform(0.5, 2), rng.uniform(0.1, 0.9)
    values = {
        "s": s, "w": w, "N": N, "n": range(1, N + 1), r"\varepsilon": epsilon, r"\mathbb{E}V": float(chance @ V),
        r"\mathbb{E}e^{sV}": mgf, r"\mathbb{E}e^{sV_#}": np.full(N, mgf),
        r"\psi''(s)": float(tilted @ (V - middle) ** 2),
        r"\mathbb{E}[V^2e^{sV}]": float(chance @ (V**2 * np.exp(s * V))),
        r"\mathbb{E}[Ve^{sV}]": float(chance @ (V * np.exp(s * V))),
        TAIL: both, ONE_TAIL: one, r"P(|\bar V-\mathbb{E}V|\ge\varepsilon)": both,
        "a": a, r"P(Z\ge a)": share, r"\mathbb{E}Z": share * a,
    }  # fmt: skip
    joint = float(pmf @ np.exp(s * N * (mean - epsilon)))  # over all samples at once
    return values, {"lemma": lemma, "bound": bound, "joint": joint, "markov": share, "half": bound / 2}


def sample_sizes():
    """Instances that suffice for 30 hypotheses, and where the union bound is met exactly."""
    M, epsilon, delta = 30, 0.07, 0.02
    union = lambda n: np.log(2 * M) - 2 * n * epsilon**2 - np.log(delta)
    bad = lambda n: np.log(M) - epsilon * n - np.log(delta)
    values = {"M": M, r"\varepsilon": epsilon, r"\delta": delta, "R": 0.31, r"\hat R": 0.31 - epsilon, "R(h)": epsilon}
    return (
        values | {"N": pac_sample_size(M, epsilon, delta)},
        values | {"N": pac_sample_size(M, epsilon, delta, realizable=True)},
        {"agnostic": brentq(union, 1, 1e5, **ROOT), "realizable": brentq(bad, 1, 1e5, **ROOT)},
    )


def classes(rng, seed):
    """Labelings of points by intervals and half-planes, counted one by one."""
    N, D = 5 + seed % 2, 2
    line, plane = np.sort(rng.normal(size=N))[:, None], rng.normal(size=(N, D))
    by_line, by_plane = len(labelings(line, "intervals")), len(labelings(plane, "half-spaces"))
    growth = {
        r"\Pi": At(lambda n: growth_function("intervals", round(n))), ALL: by_line, "N": N, "d": 2,
    }  # fmt: skip
    corners = rng.normal(size=(3, 2))
    codes = lambda rows: frozenset(int("".join(map(str, row)), 2) for row in rows)
    shattered = {OF_POINTS: codes(labelings(corners, "half-spaces").tolist()),
                 r"\{0,1\}^N": codes(product((0, 1), repeat=3)), "N": 3}  # fmt: skip
    every = np.array(list(product((0, 1), repeat=4)))
    A = every[rng.choice(16, 9, replace=False)]
    sets = [S for r in range(5) for S in combinations(range(4), r)]
    of_A = [k for k, S in enumerate(sets) if len({tuple(row[list(S)]) for row in A}) == 2 ** len(S)]
    pajor = {"A": codes(A.tolist()), r"\{S:A\text{ shatters }S\}": frozenset(of_A)}
    cover = {r"\Pi": At(lambda n: {N: by_plane}[round(n)]), "N": N, "D": D}
    assert len(labelings(np.arange(7.0)[:, None], "intervals")) == growth_function("intervals", 7)
    return growth, shattered, pajor, cover, len(of_A)


def radon(rng):
    """Five points of three dimensions, and weights found by the elimination of one point."""
    X = rng.normal(size=(5, 3))
    weights = np.append(np.linalg.solve(np.vstack([X[:4].T, np.ones(4)]), -np.append(X[4], 1)), 1.0)
    P, Q = (frozenset(np.flatnonzero(side) + 1) for side in (weights > 0, weights <= 0))
    found = radon_partition(X)
    assert abs(found.signs @ np.sign(weights)) == 5
    return {r"\lambda_#": weights, r"\mathbf{x}_#": X, "P": P, "Q": Q, "n": range(1, 6)}, found.point


def sine(rng):
    """Labels of four points, and the frequency read as digits."""
    y = rng.integers(0, 2, size=4)
    digits = int("".join(str(1 - label) for label in y[::-1]) + "1")
    omega = np.pi * digits
    x = 10.0 ** -np.arange(1, 5)
    assert ((np.sin(omega * x) > 0) == (y == 1)).all()
    return {r"\omega": omega, "y_#": y, "N": 4, "x": float(x[0])}, float(y[0])


def second_sample(rng):
    """Thresholds on 100 and 200 numbers: exact law of the first deviation, simulated one of the second."""
    N, epsilon = 100, 0.15
    both = rng.random((4000, 2 * N))
    step = np.where(both.argsort(axis=1) < N, 1, -1).cumsum(axis=1) / N
    apart = float((np.abs(step).max(axis=1) > epsilon / 2).mean())
    return {
        r"P\big(\sup_h|R-\hat R|>\varepsilon\big)": float(stats.kstwo(N).sf(epsilon)),
        r"P\big(\sup_h|\hat R'-\hat R|>\tfrac\varepsilon2\big)": apart,
    }  # fmt: skip


def coins(rng):
    """Values of four hypotheses on six instances, and all signs."""
    F = rng.normal(size=(4, 6))
    signs = np.array(list(product((-1, 1), repeat=6)))
    r, s = float(np.linalg.norm(F, axis=1).max()), rng.uniform(0.3, 1)
    scores = signs @ F.T
    found = empirical_rademacher(F).value
    bound = lambda t: (np.log(4) + t**2 * r**2 / 2) / (6 * t)
    least = minimize_scalar(bound, bracket=(0.1, 1), tol=1e-12).fun
    values = {
        r"\mathfrak{R}": found, BEST_FIT: float(scores.max(axis=1).mean() / 6), "N": 6, "r": r, "s": s,
        "F": frozenset(range(4)),
        r"\mathbb{E}\max_{\mathbf{f}}e^{s\sum_n\sigma_nf_n}": float(np.exp(s * scores.max(axis=1)).mean()),
        r"\sum_{\mathbf{f}}\prod_n\mathbb{E}e^{s\sigma_nf_n}": float(np.cosh(s * F).prod(axis=1).sum()),
    }  # fmt: skip
    gauss = 4 * 2 / float(hoeffding_bound(s, 1, 2 / r))  # e^{s^2 r^2 / 2} for each of four
    start = float(np.exp(s * scores.max(axis=1).mean()))
    return values, least, gauss, start


def nested(rng):
    """Four classes of one sample: their training errors fall, their penalties grow."""
    N, dimensions, k = 200, (1, 3, 6, 12), np.arange(1, 5)
    train, delta = np.sort(rng.uniform(0, 1.5, size=4))[::-1], 0.05 / (k * (k + 1))
    penalty = np.array([vc_bound(N, d, share) for d, share in zip(dimensions, delta, strict=True)])
    growth = {i: At(lambda n, d=d: sum(stats.binom(round(n), 0.5).pmf(range(d + 1)) * 2.0 ** round(n)))
              for i, d in enumerate(dimensions, 1)}  # fmt: skip
    values = {r"\min_{h\in\mathcal{H}_#}\hat R(h)": train, r"\Pi_#": growth, r"\delta_#": delta, "N": N,
              r"\varepsilon_#": penalty, "k": range(1, 5), r"\hat k": int((train + penalty).argmin()) + 1}  # fmt: skip
    return values, {1: At(lambda k: float(penalty[k - 1]), "k")}


def no_lunch(rng):
    """All functions on five points, three of which a learner has seen, whatever it says about the rest."""
    functions = np.array(list(product((0, 1), repeat=5)))
    says = rng.integers(0, 2, size=(8, 2))
    error = [float(np.mean(says[g[:3] @ [4, 2, 1]] != g[3:])) for g in functions]
    return {"G": 32, "g": range(1, 33), r"\text{error off the sample for }#": np.array(error)}


def mistakes(rng, seed):
    """Halving where each vote is tied and wrong, and Winnow on random rounds."""
    rounds = 3 + seed
    experts = np.array(list(product((0, 1), repeat=rounds))).T
    first = {r"\text{mistakes}": len(halving(experts, np.zeros(rounds, dtype=int)).mistakes), "M": 2**rounds}
    m, k = 4 + seed, 2
    X = (rng.random((300, 2**m)) < 0.2).astype(int)
    made = len(winnow(X, X[:, :k].any(axis=1).astype(int)).mistakes)
    return first, {r"\text{mistakes}": made, "k": k, "D": 2**m}, {"halving": rounds, "winnow": 2 + 3 * k * (1 + m)}


def dimensions():
    """Largest set of corners that half-planes and rectangles shatter."""
    corners = np.vstack([[[0, 0]], np.eye(2), -np.eye(2)])
    sets = [S for n in range(1, 6) for S in combinations(range(5), n)]
    most = lambda kind: max(len(S) for S in sets if is_shattered(corners[list(S)], kind))
    largest = {kind: most(kind) for kind in ("half-spaces", "rectangles")}
    return {"D": 2}, largest


def instance(seed):
    """A small world, means of bounded values, classes on the line and in the plane, coins and nested classes."""
    rng = np.random.default_rng(seed)
    world, gap, steps, allowed = a_world(rng)
    (mean, of_mean), (agnostic, realizable, sizes) = means(rng), sample_sizes()
    growth, shattered, pajor, cover, of_A = classes(rng, seed)
    (partition, point), (wave, label) = radon(rng), sine(rng)
    (signs, massart, gauss, start), (halved, winnowed, most) = coins(rng), mistakes(rng, seed)
    classes_of_one, penalty = nested(rng)
    limit, twice, (space, largest) = two_coins(rng), second_sample(rng), dimensions()
    vc = world | {r"\Pi": growth[r"\Pi"], "d": 2}
    big = growth | {"N": 40, "d": 3}
    exponential = float(np.exp(vc_bound(20, 3, 0.05, "exponential") ** 2 * 20 / 8 + np.log(0.05 / 4)))
    some = float(stats.binom(40, 0.5).cdf(3) * 2.0**40)
    twice_apart = 2 * twice[r"P\big(\sup_h|\hat R'-\hat R|>\tfrac\varepsilon2\big)"]
    measured = world | {r"\mathfrak{R}": signs[r"\mathfrak{R}"]}
    gap_bound = world[r"\hat R(h)"] + rademacher_bound(signs[r"\mathfrak{R}"], world["N"], world[r"\delta"])
    card = "generalization-must-know-"
    own = {
        "generalization-consistent": limit, f"{card}consistent:1": limit, f"{card}consistent:2": limit,
        "generalization-markov": mean, "generalization-mgf": mean, "generalization-tilted": mean,
        "generalization-hoeffding": mean, "generalization-chernoff": mean, f"{card}hoeffding": mean,
        "generalization-agnostic": agnostic, "generalization-realizable": realizable,
        f"{card}pac:2": realizable, f"{card}pac:3": realizable, f"{card}pac:4": agnostic, f"{card}pac:5": agnostic,
        "generalization-growth": growth, "generalization-shatter": shattered, "generalization-pajor": pajor,
        "generalization-sauer": growth, f"{card}sauer": growth, f"{card}sauer:3": growth | {"N": 2},
        f"{card}sauer:4": growth | {"N": 2}, "generalization-sauer-power": big, "generalization-cover": cover,
        "generalization-radon": partition, "generalization-sine": wave, "generalization-vc": vc, f"{card}vc": vc,
        "generalization-symmetrisation": twice, "generalization-rademacher": signs,
        "generalization-massart": signs, "generalization-massart-proof": signs,
        "generalization-rademacher-bound": measured, "generalization-structural": classes_of_one,
        "generalization-no-free-lunch": no_lunch(rng),
        "generalization-halving": halved, "generalization-winnow": winnowed, f"{card}dimensions": space | wave,
    }  # fmt: skip
    vc_worth = {1: vc_bound(world["N"], 2, world[r"\delta"])}
    worth = {
        "generalization-gap": gap, "generalization-excess": steps, f"{card}consistent:3": {1: steps[3]},
        "generalization-markov": {1: of_mean["markov"]}, "generalization-mgf": {1: of_mean["lemma"]},
        "generalization-hoeffding": {1: of_mean["bound"]}, f"{card}hoeffding:1": {1: of_mean["bound"]},
        "generalization-chernoff": {1: of_mean["joint"], 2: of_mean["half"]},
        f"{card}hoeffding:2": {1: of_mean["lemma"]},
        "generalization-deviation": {1: allowed}, "generalization-agnostic": {1: sizes["agnostic"]},
        "generalization-realizable": {1: sizes["realizable"]}, f"{card}pac:1": 0.95,
        f"{card}pac:2": {1: sizes["realizable"]}, f"{card}pac:4": {1: sizes["agnostic"]},
        "generalization-pajor": {0: of_A, 1: 9}, "generalization-sauer-power": {0: some, 1: exponential},
        "generalization-radon": {0: point}, "generalization-vc": vc_worth, f"{card}vc:1": vc_worth,
        f"{card}vc:2": 0.95, "generalization-symmetrisation": {1: twice_apart}, "generalization-massart": {1: massart},
        "generalization-massart-proof": {0: start, 3: gauss},
        "generalization-rademacher-bound": {1: gap_bound}, "generalization-structural/2": penalty,
        "generalization-halving": {1: most["halving"]}, "generalization-winnow": {1: most["winnow"]},
        f"{card}dimensions:1": largest["rectangles"], f"{card}dimensions:2": largest["half-spaces"],
    }  # fmt: skip
    growing = ("generalization-consistent", f"{card}consistent:1", f"{card}consistent:2")
    given = dict.fromkeys(growing, r"N \to \infty")
    return Instance(world, own, worth, given, {f"{card}dimensions:3": label})
