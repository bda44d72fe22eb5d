"""Inference: a Gaussian mean for score and information, counts for intervals and tests; library and enumeration."""

import itertools

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq

from notes_lib.foundations.inference import (
    binomial_coverage,
    clopper_pearson_interval,
    cramer_rao_bound,
    credible_interval,
    delta_method,
    fisher_information,
    likelihood_ratio_test,
    mcnemar_test,
    score,
    score_test,
    standard_errors,
    student_interval,
    two_proportion_test,
    wald_interval,
    wald_test,
    wilson_interval,
)
from notes_lib.numerics import central_difference
from tests.formulas.values import At, Instance, Law

CONDITIONS = {"inference-must-know-normality:4"}  # where the method is meant
Z = stats.norm.ppf(0.975)
PAIR = r"\hat\theta"
MANY, LONG = 400, 400_000  # estimates, and observations behind each of them


def of_a_mean(rng):
    """One observation of a Gaussian variable with known variance: score and information."""
    theta, sigma, x, n = rng.normal(), rng.uniform(0.5, 2), rng.normal(), 5
    density = lambda x, t: float(stats.norm.pdf(x, t, sigma))
    log_density = lambda t, x: stats.norm.logpdf(x, t[0], sigma)
    by_theta = lambda x: density(x, theta) * (x - theta) / sigma**2
    mean = lambda f: quad(lambda x: f(x) * density(x, theta), theta - 12 * sigma, theta + 12 * sigma, epsabs=1e-12)[0]
    one = score(log_density, theta, [x])[0, 0]
    grid = np.linspace(theta - 12 * sigma, theta + 12 * sigma, 4001)
    information = fisher_information(log_density, theta, grid, grid[1] - grid[0])[0, 0]
    area = lambda t: quad(lambda x: density(x, t), -np.inf, np.inf)[0]
    return {
        r"\theta": theta, "x": x, "N": n, r"s(x;\theta)": one, "s": one, r"\sigma": sigma,
        r"p(x\mid\theta)": At(lambda x: density(x, theta), "x"),
        r"\frac{\partial\log p(x\mid\theta)}{\partial\theta}": (x - theta) / sigma**2,
        r"\dfrac{\partial\log p(x\mid\theta)}{\partial\theta}": (x - theta) / sigma**2,
        r"\frac{\partial p(x\mid\theta)}{\partial\theta}": At(by_theta, "x"),
        r"\mathbb{E}_\theta s(x;\theta)": mean(lambda x: (x - theta) / sigma**2),
        r"\mathbb{E}s": mean(lambda x: (x - theta) / sigma**2),
        r"\frac{\partial}{\partial\theta}\int p(x\mid\theta)\mathrm{d}x": central_difference(
            lambda t: area(t[0]), np.array([theta]), 1e-3
        ).item(),
        r"\frac{\partial}{\partial\theta}1": 0.0,
        r"I(\theta)": information, "I": information,
        r"\operatorname{Var}_\theta s(x;\theta)": mean(lambda x: ((x - theta) / sigma**2) ** 2),
        r"\operatorname{Var}s": mean(lambda x: ((x - theta) / sigma**2) ** 2),
        r"\mathbb{E}_\theta s(x;\theta)^2": mean(lambda x: (by_theta(x) / density(x, theta)) ** 2),
        r"\mathbb{E}_\theta\frac{\partial^2}{\partial\theta^2}\log p(x\mid\theta)": -1 / sigma**2,
        r"\mathbb{E}\dfrac{\partial^2\log p}{\partial\theta^2}": -1 / sigma**2,
        r"I_N(\theta)": 1 / stats.norm(theta, sigma / n**0.5).var(),
        "I_N": n / sigma**2,
        r"\operatorname{Var}_\theta\ell'(\theta)": n * mean(lambda x: ((x - theta) / sigma**2) ** 2),
    }  # fmt: skip


def of_six_throws(rng):
    """An estimator that is no multiple of the score, and a biased one: six throws of a coin, all outcomes."""
    t, n = rng.uniform(0.2, 0.8), 6
    outcomes = np.array(list(itertools.product([0, 1], repeat=n)))
    pmf = np.prod(np.where(outcomes == 1, t, 1 - t), axis=1)
    variance = lambda T: float(pmf @ T**2 - (pmf @ T) ** 2)
    first = outcomes[:, :3].mean(axis=1)  # unbiased, but half of the data
    shrunk = (outcomes.sum(axis=1) + 1) / (n + 2)
    bound = cramer_rao_bound(n / (t * (1 - t))).item()
    return {
        r"\theta": t, "N": n, r"I(\theta)": 1 / (t * (1 - t)), r"I_N(\theta)": n / (t * (1 - t)),
        r"\operatorname{Var}_\theta T": variance(first), "e(T)": bound / variance(first),
    }, {
        r"\theta": t, r"I_N(\theta)": n / (t * (1 - t)), r"\operatorname{Var}_\theta T": variance(shrunk),
        r"\mathrm{bias}'(\theta)": n / (n + 2) - 1,
    }  # fmt: skip


def of_a_count(rng):
    """A proportion: likelihood, three statistics, intervals, coverage and posterior."""
    n = int(rng.integers(12, 30))
    k = int(rng.integers(4, n - 3))
    share, null, theta = k / n, rng.uniform(0.3, 0.7), rng.uniform(0.1, 0.9)
    ell = lambda t: float(stats.binom.logpmf(k, n, t))
    slope = lambda t: k / t - (n - k) / (1 - t)
    tests = (
        likelihood_ratio_test(ell(null), ell(share)),
        wald_test(share, null, n / (share * (1 - share))),
        score_test(slope(null), n / (null * (1 - null))),
    )
    low, high = wilson_interval(np.arange(n + 1), n)
    exact = clopper_pearson_interval(k, n)
    a, b = rng.uniform(0.5, 3, 2)
    belief = credible_interval(k, n, a, b)
    posterior = stats.beta(a + k, b + n - k)
    return {
        "N": n, "k": range(n + 1), PAIR: share, r"\theta_0": null, r"\theta": theta, "z": Z, r"\alpha": 0.05,
        r"\ell": ell, r"\ell'": slope, r"I_N": At(lambda t: n / (t * (1 - t))),
        r"\Lambda": tests[0].statistic, "W": tests[1].statistic, "R": tests[2].statistic,
        "L": At(lambda i: float(low[round(i)])), "U": At(lambda i: float(high[round(i)])),
        "C": At(lambda t: float(binomial_coverage(wilson_interval, t, n)), r"\theta"),
        r"P_\theta(L\leq\theta\leq U)": float(binomial_coverage(clopper_pearson_interval, theta, n)),
        r"P_L(K\geq k)": float(stats.binom(n, exact.low).sf(k - 1)),
        r"P_U(K\leq k)": float(stats.binom(n, exact.high).cdf(k)),
        r"P(\theta<L\mid k)": float(posterior.cdf(belief.low)),
        r"P(\theta>U\mid k)": float(posterior.sf(belief.high)),
        r"P(L\leq\theta\leq U\mid\text{data})": float(posterior.cdf(belief.high) - posterior.cdf(belief.low)),
        r"J(\hat\theta)": n / (share * (1 - share)), r"\ell''": lambda t: -k / t**2 - (n - k) / (1 - t) ** 2,
    }, k, share  # fmt: skip


def of_pairs(rng):
    """Two classifiers on the same instances."""
    a, b, c, r = map(int, rng.integers(2, 12, 4))
    b += c + 1
    m, n = b + c, a + b + c + r
    falls = np.array(list(itertools.product([0, 1], repeat=min(m, 16)))).sum(axis=1) if m <= 16 else None
    tails = stats.binomtest(b, m).pvalue
    if falls is not None:
        assert np.isclose(tails, np.mean(np.abs(falls - m / 2) >= abs(b - m / 2)))
    table = [[a, b], [c, r]]
    first, second = np.repeat([1, 1, 0, 0], [a, b, c, r]), np.repeat([1, 0, 1, 0], [a, b, c, r])
    spread = np.var(first - second) / n
    plain, corrected = mcnemar_test(table, exact=False, correction=False), mcnemar_test(table, exact=False)
    values = {
        "a": a, "b": b, "c": c, "r": r, "m": m, "N": n, "i": range(m + 1), r"\hat\delta": first.mean() - second.mean(),
        r"\text{p-value}": tails, r"\chi^2": plain.statistic, r"\theta_b": b / n, r"\theta_c": c / n,
        r"\operatorname{Var}\hat\delta": spread, r"\operatorname{Var}\frac{b-c}{N}": spread,
    }  # fmt: skip
    return values, corrected.statistic, min(1.0, tails)


def instance(seed):
    """A Gaussian mean, a coin, two samples, a Gamma variable with two parameters, and pairs."""
    rng = np.random.default_rng(seed)
    gauss, (throws, biased), (count, k, share) = of_a_mean(rng), of_six_throws(rng), of_a_count(rng)
    pairs, corrected, p_value = of_pairs(rng)
    n = count["N"]

    shape = np.array([3.0, 1.0])
    x = (np.arange(60_000) + 0.5) / 1000
    gamma = lambda t, x: stats.gamma.logpdf(x, t[0], scale=1 / t[1])
    information = fisher_information(gamma, shape, x, 1 / 1000)
    s = score(gamma, shape, x)
    weight = stats.gamma(3.0).pdf(x) / 1000
    bend = np.array([[np.pi**2 / 6 - 1 - 1 / 4, -1.0], [-1.0, 3.0]])  # of shape and rate: trigamma of 3 first
    expected = (weight[:, None] * s).T @ s
    two = {r"\mathbf{I}(\boldsymbol\theta)": information, r"\mathbb{E}\mathbf{s}\mathbf{s}^\top": expected,
           "I_{##}": information, "j": range(1, 3), "k": range(1, 3),
           r"\mathbb{E}\frac{\partial^2\log p(x\mid\boldsymbol\theta)}{\partial\theta_#\partial\theta_#}":
               lambda j, k: float(-information[j - 1, k - 1]) if abs(bend[j - 1, k - 1] - information[j - 1, k - 1])
               < 1e-4 else np.nan}  # fmt: skip
    errors = standard_errors(100 * bend)
    of_errors = {r"\mathrm{se}(\hat\theta_#)": errors, r"\mathbf{I}_N(\hat{\boldsymbol\theta})": 100 * bend,
                 r"\mathbf{J}(\hat{\boldsymbol\theta})": 100 * bend, "j": range(1, 3), "k": 1.0}  # fmt: skip
    D = rng.normal(size=(2, 2))
    bound = cramer_rao_bound(bend / 2, D)  # attained in normal models, with half of the data
    matrix = {r"\operatorname{Cov}_{\boldsymbol\theta}\mathbf{T}": bound, r"\mathbf{D}": D,
              r"\mathbf{I}_N(\boldsymbol\theta)": bend}  # fmt: skip

    uniform, N = rng.uniform(1, 3), int(rng.integers(3, 9))
    u = lambda power: quad(lambda v: v**power * N * v ** (N - 1) / uniform**N, 0, uniform)[0]
    edge = {"N": N, r"\theta": uniform, r"\operatorname{Var}T": ((N + 1) / N) ** 2 * (u(2) - u(1) ** 2)}

    # a Poisson mean: the point between for Taylor's formula, found by a root
    truth, total, size = 2.0, int(rng.integers(25, 40)), 10
    fit = total / size
    rest = lambda t: total / truth - size - (fit - truth) * total / truth**2 + (fit - truth) ** 2 * total / t**3
    between = brentq(rest, *sorted((truth, fit)))
    taylor = {PAIR: fit, r"\theta^\star": truth, r"\tilde\theta": between, r"\ell'": lambda t: total / t - size,
              r"\ell''": lambda t: -total / t**2, r"\ell'''": lambda t: 2 * total / t**3}  # fmt: skip

    g, slope = rng.choice([0, 1]), share * (1 - share)
    jacobian = 1 / slope if g else 2 * share
    delta = {r"\mathrm{se}(g(\hat\theta))": float(delta_method(jacobian, slope / n)[0, 0] ** 0.5), PAIR: share,
             "g'": lambda t: 1 / (t * (1 - t)) if g else 2 * t,
             r"\mathrm{se}(\hat\theta)": (slope / n) ** 0.5}  # fmt: skip

    data = rng.normal(size=6)
    student = {r"\bar x": data.mean(), r"t_{N-1,1-\alpha/2}": stats.t(5).ppf(0.975), "N": 6,
               r"\hat\sigma_u": data.std(ddof=1)}  # fmt: skip
    sizes = rng.integers(40, 90, 2)
    hits = np.array([rng.integers(10, 20), rng.integers(20, 35)])
    shares = hits / sizes
    spread = np.hypot(*(np.sqrt(p * (1 - p) / m) for p, m in zip(shares, sizes, strict=True)))
    samples = {r"\hat\theta_#": shares, "N_#": sizes, PAIR: hits.sum() / sizes.sum(),
               "z": two_proportion_test(hits, sizes).statistic}  # fmt: skip

    estimates = rng.binomial(LONG, share, MANY) / LONG
    variance = share * (1 - share)
    log_odds = lambda p: np.log(p / (1 - p))
    normal = At(lambda mean, var: Law(stats.norm(float(mean), float(var) ** 0.5), []))
    limit = {"N": LONG, PAIR: estimates, r"\theta^\star": np.full(MANY, share), r"I(\theta^\star)": 1 / variance,
             r"\mathcal{N}": normal, r"g(\hat\theta)": log_odds(estimates), r"g'(\theta^\star)": 1 / variance,
             r"g(\theta^\star)": np.full(MANY, log_odds(share))}  # fmt: skip
    distance = LONG * (estimates - share) ** 2 / (estimates * (1 - estimates))
    lost = 2 * LONG * stats.entropy([estimates, 1 - estimates], np.full((2, MANY), [[share], [1 - share]]))
    chi = {r"\Lambda": lost, "W": distance, "R": LONG * (estimates - share) ** 2 / variance,
           r"\chi^2_d": Law(stats.chi2(1), [])}  # fmt: skip

    M, alpha = int(rng.integers(3, 9)), 0.05
    family = {"M": M, r"\alpha": alpha, "j": range(1, M + 1),
              r"P(\text{any false rejection})": 1 - (1 - alpha / M) ** M}  # fmt: skip
    p = {r"P(t(\text{data})\geq t_{\text{observed}}\lvert H_0)": float(stats.norm.sf(1.3)), r"\text{p-value}":
         float(1 - stats.norm.cdf(1.3))}  # fmt: skip
    wilson, wald = wilson_interval(k, n), wald_interval(k, n)
    kept = dict(count, **{r"\theta": rng.uniform(*wilson)})
    middle = {"k": float(k)}
    t = throws[r"\theta"]
    own = {
        "inference-information-matrix": two, "inference-cramer-rao": throws, "inference-efficiency": throws,
        "inference-cramer-rao-biased": biased, "inference-cramer-rao-matrix": matrix, "inference-uniform": edge,
        "inference-taylor": taylor, "inference-observed": count, "inference-standard-error": of_errors,
        "inference-delta": delta | limit | {r"g'(\hat\theta)": jacobian},
        "inference-asymptotic-normality": limit, "inference-chi-square": chi,
        "inference-must-know-normality:1": limit, "inference-confidence": count,
        "inference-wald": count, "inference-wilson": count,
        "inference-wilson-test": kept, "inference-clopper-pearson": count | {"k": float(k)},
        "inference-coverage-binomial": count, "inference-student": student,
        "inference-credible": count | {"k": float(k)}, "inference-p-value": p,
        "inference-likelihood-ratio": count, "inference-wald-test": count, "inference-score-test": count,
        "inference-two-proportions": samples, "inference-difference-interval": samples | {"z": Z},
        "inference-paired-table": pairs, "inference-mcnemar-exact": pairs, "inference-mcnemar": pairs,
        "inference-mcnemar-corrected": pairs | {r"\chi^2": corrected}, "inference-paired-variance": pairs,
        "inference-bonferroni": family, "inference-must-know-information:5": {r"\theta": t},
        "inference-must-know-information:6": {r"\theta": 2.5}, "inference-must-know-information:7": {r"\theta": 2.0},
        "inference-must-know-normality:2": of_errors, "inference-must-know-normality:3": delta,
        "inference-must-know-proportion": count | middle, "inference-must-know-promise": count | middle,
        "inference-must-know-tests": count, "inference-must-know-mcnemar": pairs,
    }  # fmt: skip
    worth = {
        "inference-standard-error/2": At(lambda j: float(errors[j - 1]), "j"),
        "inference-chi-square": lost, "inference-chi-square/2": distance,
        "inference-wald": wald, "inference-wilson": wilson, "inference-student": student_interval(data),
        "inference-difference-interval": tuple(shares[0] - shares[1] + sign * Z * spread for sign in (-1, 1)),
        "inference-must-know-proportion:1": wald, "inference-must-know-proportion:2": wilson,
        "inference-must-know-proportion:3": float(np.mean(wilson)),
        "inference-must-know-mcnemar:1": p_value, "inference-must-know-mcnemar:2": corrected,
        "inference-must-know-information:5": float(1 / stats.bernoulli(t).var()),
        "inference-must-know-information:6": fisher_information(
            lambda t, v: stats.poisson.logpmf(v, t[0]), 2.5, np.arange(60)
        )[0, 0],
        "inference-must-know-information:7": float(stats.expon(scale=0.5).var()),
        "inference-must-know-information:8": gauss["I"],
    }  # fmt: skip
    return Instance(gauss, own, worth)
