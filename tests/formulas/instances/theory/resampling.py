"""Resampling: a sample with its replicates, all samples of four numbers, a classifier, splits, a known model."""

from itertools import combinations, product

import numpy as np
from scipy import stats
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from notes_lib.neighbors.nearest_neighbors import KNeighborsClassifier
from notes_lib.theory.resampling import (
    basic_interval,
    bca_constants,
    bca_interval,
    bootstrap,
    bootstrap_632,
    bootstrap_counts,
    combine_632,
    corrected_resampled_ttest,
    five_by_two_test,
    jackknife,
    percentile_interval,
    permutation_test,
)
from tests.formulas.values import At, Instance

BIAS, SE = r"\widehat{\text{bias}}", r"\widehat{\text{se}}"
LEFT = {"(i)": r"\hat\theta_{(#)}", "(.)": r"\hat\theta_{(\cdot)}"}
Z_LOW, Z_HIGH = r"z_\alpha", r"z_{1-\alpha}"


def of_sample(rng, alpha):
    """Skewed numbers, replicates of their variance, and what the library makes of both."""
    x, R = rng.exponential(size=15), 40
    run, left = bootstrap(x, np.var, n_resamples=R, random_state=rng), jackknife(x, np.var)
    constants = bca_constants(run.estimate, run.replicates, left.left_out)
    of_shares = lambda w: float(np.ravel(w) @ x**2 - (np.ravel(w) @ x) ** 2)
    values = {
        "N": 15, "R": R, "i": range(1, 16), "r": range(1, R + 1), "t": At(of_shares), r"\hat F": np.full(15, 1 / 15),
        r"\hat\theta": run.estimate, r"\hat\theta^*_#": run.replicates, r"\bar\theta^*": run.replicates.mean(),
        SE: run.standard_error, BIAS: run.bias, LEFT["(i)"]: left.left_out, LEFT["(.)"]: left.left_out.mean(),
        r"q_\alpha": np.quantile(run.replicates, alpha), r"q_{1-\alpha}": np.quantile(run.replicates, 1 - alpha),
        r"\Phi": At(ndtr), r"\Phi^{-1}": At(ndtri), r"\alpha": alpha, Z_LOW: stats.norm.ppf(alpha),
        Z_HIGH: stats.norm.ppf(1 - alpha), "e": np.e,
        "z_0": constants.bias_correction, "a": constants.acceleration,
    }  # fmt: skip
    ends = (
        percentile_interval(run.replicates, 1 - 2 * alpha),
        basic_interval(run.estimate, run.replicates, 1 - 2 * alpha),
    )
    return values, left, [np.array(pair)[:, None] for pair in ends]


def of_expansion(rng):
    """The third central moment of N numbers 0 or 1, which has two terms of a bias; its mean over all samples."""
    N, p = int(rng.integers(2, 7)), rng.uniform(0.1, 0.4)
    samples = np.array(list(product((0, 1), repeat=N)))
    rest = samples - samples.mean(axis=1, keepdims=True)
    ones = samples.sum(axis=1)
    mean = p**ones * (1 - p) ** (N - ones) @ (rest**3).mean(axis=1)
    theta = float(stats.bernoulli(p).stats("s")) * (p * (1 - p)) ** 1.5
    return {"N": N, r"\theta": theta, "b_1": -3 * theta, "b_2": 2 * theta, r"\mathbb{E}\,\hat\theta_N": mean}


def of_model(rng, alpha):
    """The model of BCa: its spread by integration, the end of the interval by solving for it."""
    z0, a, phi, Z = rng.uniform(-0.3, 0.3), rng.uniform(0.02, 0.15), rng.uniform(0, 1), rng.normal()
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    hats = ((1 + a * phi) * (1 + a * (nodes - z0)) - 1) / a
    mean = weights @ hats / weights.sum()
    hat = ((1 + a * phi) * (1 + a * (Z - z0)) - 1) / a
    end = brentq(lambda v: (hat - v) / (1 + a * v) + z0 + ndtri(alpha), -3, 30, xtol=1e-14, rtol=1e-14)
    levels = bca_interval(np.linspace(0, 1, 1001), z0, a, 1 - 2 * alpha)
    values = {
        "z_0": z0, "a": a, r"\phi": phi, "Z": Z, r"\hat\phi": hat, r"\phi_\alpha": end, r"\alpha'": levels.low,
        r"\sigma_\phi": np.sqrt(weights @ (hats - mean) ** 2 / weights.sum()), r"\alpha": alpha,
    }  # fmt: skip
    return values, levels


def all_samples(rng):
    """Four numbers with their 256 samples, and six with all 20 splits."""
    x = rng.exponential(size=4)
    every = x[np.array(list(product(range(4), repeat=4)))]
    pool = rng.integers(0, 6, 6).astype(float)  # with ties
    p = [
        permutation_test(pool[list(s)], np.delete(pool, s), alternative="greater").p_value
        for s in combinations(range(6), 3)
    ]
    level = rng.uniform(0.1, 0.9)
    return {
        "N": 4, "x_#": x, r"\bar x": x.mean(), "i": range(1, 5),
        r"\operatorname{Var}^*(\bar x^*)": every.mean(axis=1).var(),
        r"P(x_#\notin\mathbf{x}^*)": [np.mean(~(every == v).any(axis=1)) for v in x],
        r"P^*(\hat\theta^*=\hat\theta)": np.mean(every.max(axis=1) == x.max()),
        r"\alpha": level, r"P(p\le\alpha)": np.mean(np.array(p) <= level + 1e-12),
    }  # fmt: skip


def of_exchanges(rng):
    """Random exchanges whose statistics are recorded."""
    x, y, R, seen = rng.normal(1, 1, size=12), rng.normal(size=15), 99, []

    def recorded(a, b):
        seen.append(a.mean() - b.mean())
        return seen[-1]

    found = permutation_test(x, y, recorded, alternative="greater", n_resamples=R, random_state=0)
    assert len(seen) == R + 1
    observed = x.mean() - y.mean()
    return {"R": R, "b": sum(v >= observed - 1e-12 for v in seen) - 1, "p": found.p_value}


def of_classifier(rng):
    """Three neighbours on twelve instances, and the same bootstrap samples drawn again."""
    N, R = 12, 30
    y = np.repeat([0, 1], N // 2)
    while True:  # until the errors are in the order that the rule is for
        X, seed = rng.normal(size=(N, 2)) + 0.8 * y[:, None], int(rng.integers(1000))
        found = bootstrap_632(KNeighborsClassifier(3), X, y, n_resamples=R, random_state=seed)
        if found.apparent < found.out_of_bag < found.no_information:
            break
    again = np.random.default_rng(seed)
    fits: list[tuple[set[int], np.ndarray]] = []
    while len(fits) < R:
        rows = np.repeat(np.arange(N), bootstrap_counts(N, random_state=again))
        if len(set(y[rows])) == 2:
            fits.append((set(rows), KNeighborsClassifier(3).fit(X[rows], y[rows]).predict(X)))
    fitted = KNeighborsClassifier(3).fit(X, y).predict(X)
    e0, e1 = found.apparent, found.out_of_bag
    return {
        "N": N, "i": range(1, N + 1), "j": range(1, N + 1), "r": range(1, R + 1), "y_#": y, "x_#": np.arange(1, N + 1),
        r"\hat y": At(lambda k: float(fitted[round(float(k)) - 1])),
        r"\hat y_#": [At(lambda k, says=says: float(says[round(float(k)) - 1])) for _, says in fits],
        r"\mathcal{R}_#": lambda i: frozenset(float(r + 1) for r in range(R) if i - 1 not in fits[r][0]),
        "e_0": e0, "e_1": e1, "e_{.632}": combine_632(e0, e1).error, "e_{.632+}": found.error, "w": found.weight,
        r"\gamma": found.no_information, r"\eta": (1 - 0.632 / found.weight) / 0.368,
    }  # fmt: skip


def of_splits(rng):
    """Equally correlated differences, whose moments are quadratic forms, and the library's tests."""
    J, rho, sigma = 6, rng.uniform(0.1, 0.7), rng.uniform(0.5, 2)
    C = sigma**2 * (rho + (1 - rho) * np.eye(J))
    centre = np.eye(J) - 1 / J
    d, N1, N2 = rng.normal(size=J), 90, 30
    pairs = rng.normal(size=(5, 2))
    moments = {
        "J": J, r"\rho": rho, r"\sigma": sigma, r"\operatorname{Var}(\bar d)": C.sum() / J**2,
        r"\mathbb{E}\,S^2": np.trace(centre @ C) / (J - 1),
    }  # fmt: skip
    test = {
        "J": J, "N_1": N1, "N_2": N2, r"\bar d": d.mean(), "S": d.std(ddof=1), r"\rho": N2 / (N1 + N2),
        "t": corrected_resampled_ttest(d, N1, N2).statistic,
    }  # fmt: skip
    two = {
        "i": range(1, 6), "s_#": pairs.std(axis=1, ddof=1), "d_{#1}": pairs[:, 0], "d_{#2}": pairs[:, 1],
        "d_{11}": pairs[0, 0], "t": five_by_two_test(pairs).statistic,
        "f": five_by_two_test(pairs, combined=True).statistic,
    }  # fmt: skip
    return moments, test, two


def instance(seed):
    """All of them."""
    rng = np.random.default_rng(seed)
    alpha = rng.uniform(0.05, 0.2)
    values, left, (percentile, basic) = of_sample(rng, alpha)
    model, levels = of_model(rng, alpha)
    small, exchanges, classifier, (moments, test, two) = (
        all_samples(rng),
        of_exchanges(rng),
        of_classifier(rng),
        of_splits(rng),
    )
    by_jackknife = {BIAS: left.bias, SE: left.standard_error}
    card = "resampling-must-know-"
    own = {
        **{f"resampling-{name}": small for name in ("mean-error", "missing", "level", "maximum")},
        **dict.fromkeys(["resampling-transformation", "resampling-bca", "resampling-bca-scale"], model),
        **{f"resampling-jackknife-{name}": by_jackknife for name in ("bias", "corrected", "error")},
        **{f"resampling-{name}": classifier for name in ("out-of-bag", "632", "no-information", "632-plus")},
        "resampling-expansion": of_expansion(rng), "resampling-p-value": exchanges,
        "resampling-naive": moments, "resampling-corrected": test,
        "resampling-five-two": two, "resampling-five-two-f": two, f"{card}missing:2": classifier,
        f"{card}intervals:3": model, f"{card}permutation": exchanges, f"{card}compare": test,
    }  # fmt: skip
    worth = {
        "resampling-percentile": percentile, "resampling-basic": basic, f"{card}intervals:1": percentile,
        f"{card}intervals:2": basic, f"{card}intervals:3": levels.low, f"{card}bootstrap:1": values[BIAS],
        f"{card}bootstrap:2": values[r"\hat\theta"] - values[BIAS], f"{card}jackknife:1": left.bias,
        f"{card}jackknife:2": left.standard_error**2, f"{card}intervals:4": stats.norm.isf(alpha),
        f"{card}intervals:5": stats.norm.cdf(values[Z_HIGH]) - stats.norm.cdf(values[Z_LOW]),
        f"{card}compare:2": 5, f"{card}compare:3": test["S"] ** 2 / 6,
    }  # fmt: skip
    return Instance(values, own, worth, given={f"{card}missing:1": r"N \to \infty"})
