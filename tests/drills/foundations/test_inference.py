"""Drills on inference: answers recomputed from the given numbers, without the library."""

import math
import re
from fractions import Fraction

import pytest
from scipy import stats
from scipy.optimize import brentq, minimize_scalar

from notes_lib.display import sig
from tests.drills.exact import load
from tests.drills.page import At, pages
from tests.drills.seeds import drawn, each_seed


def sample(kind, n, S):
    """Values of which the model sees only the sum."""
    return [1] * S + [0] * (n - S) if kind == "bernoulli" else [S / n] * n


def log_density(kind, x, theta):
    """Of one value, up to what does not depend on theta."""
    if kind == "bernoulli":
        return math.log(theta if x else 1 - theta)
    return x * math.log(theta) - theta if kind == "poisson" else math.log(theta) - theta * x


def squared_score(kind, theta):
    """Mean square of the derivative of the log-density, by the moments of scipy.stats."""
    if kind == "bernoulli":
        return theta * (1 / theta) ** 2 + (1 - theta) * (1 / (1 - theta)) ** 2
    law = stats.poisson(theta) if kind == "poisson" else stats.expon(scale=1 / theta)
    return law.expect(lambda x: (x / theta - 1 if kind == "poisson" else 1 / theta - x) ** 2)


@pytest.mark.equation("inference-score", "inference-information", "inference-information-adds", "inference-cramer-rao")
@pytest.mark.equation("inference-score-test", "inference-wald-test", "inference-likelihood-ratio")
@each_seed()
def test_information_by_differences_and_expectations(seed):
    _, g, answer = load("fisher-information", seed)
    n, theta = g["n"], Fraction(*g["theta_0"])
    total = lambda t: sum(log_density(g["kind"], x, t) for x in sample(g["kind"], n, g["sum"]))
    t, h = float(theta), 1e-5
    bounds = 0.01, 0.99 if g["kind"] == "bernoulli" else 20
    best = minimize_scalar(lambda v: -total(v), bounds=bounds, method="bounded", options={"xatol": 1e-10}).x
    slope, null, there = (total(t + h) - total(t - h)) / (2 * h), *(n * squared_score(g["kind"], v) for v in (t, best))
    expected = {
        "score": slope,
        "information": null,
        "bound": 1 / null,
        "mle": best,
        "error": there**-0.5,
        "by_score": slope**2 / null,
        "by_wald": (best - t) ** 2 * there,
        "by_ratio": 2 * (total(best) - total(t)),
    }
    assert set(answer) == set(expected)
    for name, value in expected.items():
        assert answer[name] == pytest.approx(value, rel=2e-6, abs=1e-7), name
    assert g["sum"] <= 20
    assert n <= 20


@pytest.mark.equation("inference-wald", "inference-wilson", "inference-wilson-test")
@each_seed()
def test_intervals_by_the_tests_that_they_invert(seed):
    _, g, answer = load("confidence-interval", seed)
    k, n, p_0 = g["k"], g["n"], g["claim"]
    share = k / n
    excess = lambda p: (share - p) ** 2 - 4 * p * (1 - p) / n  # z = 2; the score test rejects where this is positive
    low = 0.0 if k == 0 else brentq(excess, 1e-12, share)
    high = brentq(excess, share + 1e-9, 1)
    error = stats.binom(n, share).std() / n
    assert answer["share"] == share
    assert answer["error"] == pytest.approx(error, rel=1e-12)
    assert answer["wald"] == pytest.approx([share - 2 * error, share + 2 * error], rel=1e-9)
    assert answer["wilson"] == pytest.approx([low, high], rel=1e-8)
    assert all(end == 0 or abs(end) > 1e-9 for end in answer["wald"] + answer["wilson"])  # else 0 would be judged wrong
    assert answer["centre"] == pytest.approx((low + high) / 2, rel=1e-8)
    verdict = lambda rejected: "rejected" if rejected else "not rejected"
    assert answer["by_wald"] == verdict(abs(share - p_0) > 2 * error)
    assert answer["by_score"] == verdict(excess(p_0) > 0)
    assert n <= 25


@each_seed(range(400))  # a claim comes that close in one of some hundred draws
def test_no_verdict_hangs_on_rounding(seed):
    _, g, answer = load("confidence-interval", seed)
    assert min(abs(g["claim"] - end) for end in [*answer["wald"], *answer["wilson"]]) > 0.005


@pytest.mark.equation("inference-mcnemar-exact", "inference-mcnemar-corrected", "inference-paired-table")
@each_seed()
def test_mcnemar_as_scipy(seed):
    _, g, answer = load("mcnemar", seed)
    (a, b), (c, d) = g["table"]
    n = a + b + c + d
    assert answer["accuracy"] == pytest.approx([(a + b) / n, (a + c) / n], rel=1e-12)
    assert (answer["apart"], answer["mean"]) == (b + c, stats.binom(b + c, 0.5).mean())
    exact = stats.binomtest(b, b + c, 0.5).pvalue
    assert answer["p_value"] == pytest.approx(exact, rel=1e-12)
    assert answer["statistic"] == pytest.approx(float(Fraction((abs(b - c) - 1) ** 2, b + c)), rel=1e-12)
    assert answer["verdict"] == ("a difference is shown" if exact < 0.05 else "no difference is shown")
    assert b + c <= 12
    assert min(a, d) > 0


def test_kinds_and_verdicts_vary():
    kinds = [drawn("fisher-information", seed).given["kind"] for seed in range(40)]
    assert min(kinds.count(kind) for kind in ("poisson", "exponential", "bernoulli")) > 0.15 * 40
    verdicts = [drawn("mcnemar", seed).answer["verdict"] for seed in range(40)]
    assert min(verdicts.count(v) for v in set(verdicts)) > 0.1 * 40
    assert len(set(verdicts)) == 2
    claims = [
        tuple(drawn("confidence-interval", seed).answer[key] for key in ("by_wald", "by_score")) for seed in range(40)
    ]
    assert len(set(claims)) >= 3
    assert any(drawn("confidence-interval", seed).given["k"] == 0 for seed in range(40))


@each_seed()
def test_every_number_of_an_information(seed):
    drill, g, answer = load("fisher-information", seed)
    n, S, kind, theta = g["n"], g["sum"], g["kind"], g["theta_0"][0] / g["theta_0"][1]
    symbols = {r"\theta_0": theta, r"\hat\theta": answer["mle"]}
    at = {"N": 7.0, "S": 3.0, r"\theta": 0.3, "x": 2.0}
    ask, tell = pages(drill, symbols)
    if kind == "bernoulli":
        ask.says(r"Of $N = #$ independent throws, each a one with probability $\theta$, $S = #$ are ones.", n, S)
    else:
        density = {"poisson": "e^{-\\theta} \\theta^x / x!", "exponential": "\\theta e^{-\\theta x}"}[kind]
        words = {"poisson": "counts, each Poisson with mean", "exponential": "times, each exponential with rate"}[kind]
        ask.says(f"$N = #$ independent {words} $\\theta$, so $p(x \\mid \\theta) = {density}$,", n)
        ask.says("add up to $S = #$.", S)
    ask.says(r"likelihood-ratio statistic for $\theta = \theta_0$")
    ask.done()
    slope = {"poisson": 3 / 0.3 - 7, "exponential": 7 / 0.3 - 3, "bernoulli": 3 / 0.3 - 4 / 0.7}[kind]
    tell.says(r"$s(\theta) = #$, at $\theta_0$: $#$.", At(at, slope), answer["score"])
    curved = {"poisson": 7 / 0.3, "exponential": 7 / 0.09, "bernoulli": 7 / 0.21}[kind]
    tell.says(r"$I_N(\theta) = #$, at $\theta_0$: $#$.", At(at, curved), answer["information"])
    tell.says("of Cramer and Rao: $#$.", answer["bound"])
    tell.says(r"the score is 0 at $\hat\theta = #$. **Standard error** (1 mark): $#$.", answer["mle"], answer["error"])
    assert not re.search(r"\\big\(\d+\\big\)", drill.solution)  # a whole number stands without brackets
    assert f"= {sig(answer['mle'])}$. **Standard" in drill.solution
    tell.says("Score: $#$. Wald: $#$. Likelihood ratio: $#$.", *(answer[f"by_{v}"] for v in ("score", "wald", "ratio")))
    tell.done()


@each_seed()
def test_every_number_of_an_interval(seed):
    drill, g, answer = load("confidence-interval", seed)
    k, n = g["k"], g["n"]
    ask, tell = pages(drill, {r"\hat\theta": k / n})
    ask.says(r"errs on # of # new instances. Let $\theta$ be its error rate. Take $z = #$, which is", k, n, 2)
    ask.says("the level # %.", 100 * (1 - 2 * stats.norm.sf(2)))
    ask.says(r"claims that $\theta = #$.", g["claim"])
    ask.done()
    tell.says("**Standard error** (1 mark): $#$.", answer["error"])
    tell.says("from $#$ to $#$.", *answer["wald"])
    tell.says("with $z^2 = #$ two", 4)
    tell.says("so the centre is $#$; from $#$ to $#$.", answer["centre"], *answer["wilson"])
    tell.done()
    assert ("single point" in drill.solution) == (k == 0)
    assert ("negative" in drill.solution) == (answer["wald"][0] < 0)


@each_seed()
def test_every_number_of_a_mcnemar(seed):
    drill, g, answer = load("mcnemar", seed)
    (a, b), (c, d) = g["table"]
    ask, tell = pages(drill)
    ask.says("the same # instances:", a + b + c + d)
    ask.table(["A right", a, b], ["A wrong", c, d])
    ask.says("at level 5 %")
    ask.done()
    tell.says("A $#$, B $#$.", *answer["accuracy"])
    tell.says("the $#$ instances", b + c)
    tell.says(r"with probability $#$: the mean is $#$.", 0.5, (b + c) / 2)
    tell.says("at most # of # fall to the weaker one, on either side: $#$.", min(b, c), b + c, answer["p_value"])
    tell.says("$#$; the limit for 5 % is #.\n", answer["statistic"], round(stats.chi2(1).isf(0.05), 3))
    tell.done()
