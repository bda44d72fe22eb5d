"""Drills on estimation: answers recomputed in fractions from the given numbers, without the library."""

import math
import re
from fractions import Fraction

import pytest

from notes_lib.display import sig
from tests.drills.exact import load
from tests.drills.page import At, pages
from tests.drills.seeds import SEEDS, drawn, each_seed


@pytest.mark.equation("estimation-gaussian-mu", "estimation-gaussian-var", "estimation-variance-bias")
@pytest.mark.equation("estimation-gaussian-score", "estimation-laplace-mu", "estimation-laplace-b")
@each_seed()
def test_gaussian_in_fractions(seed):
    drill, g, answer = load("gaussian-mle", seed)
    x = [Fraction(v) for v in g["x"]]
    assert 4 <= len(x) <= 6
    assert all(0 <= v <= 12 for v in x)
    mu = sum(x) / len(x)
    assert mu.denominator == 1
    S = sum((v - mu) ** 2 for v in x)
    a, b = sorted(x)[(len(x) - 1) // 2], sorted(x)[len(x) // 2]
    A = sum(abs(v - (a + b) / 2) for v in x)
    expected = {
        "mu": mu,
        "var": S / len(x),
        "unbiased": S / (len(x) - 1),
        "score": sum(x) / (S / len(x)),
        "median": (a + b) / 2,
        "b": A / len(x),
    }
    assert set(answer) == set(expected)
    for name, value in expected.items():
        assert answer[name] == pytest.approx(float(value), rel=1e-12), name
        assert f"{sig(float(value))}$" in drill.solution or f"{sig(float(value))} = " in drill.solution, name
    ratio = re.search(r"\(x_n - 0\) = \\frac\{(\d+)\}\{(\d+)\} \\cdot (\d+) =", drill.solution).groups()
    assert Fraction(int(ratio[0]) * int(ratio[2]), int(ratio[1])) == expected["score"]  # no rounded number in between
    for v in x:  # the row of every number in the table of the solution
        row = [v, v - mu, (v - mu) ** 2, abs(v - (a + b) / 2)]
        assert "| " + " | ".join(sig(float(c)) for c in row) + " |" in drill.solution


@pytest.mark.equation("estimation-beta-posterior", "estimation-beta-mode", "estimation-beta-moments")
@pytest.mark.equation("estimation-normal-precision", "estimation-normal-gain", "estimation-map-mean")
@each_seed()
def test_map_in_fractions(seed):
    drill, g, answer = load("map-estimate", seed)
    if g["kind"] == "coin":
        A, B = g["a"] + g["heads"], g["b"] + g["tosses"] - g["heads"]
        expected = {
            "mle": Fraction(g["heads"], g["tosses"]),
            "map": Fraction(A - 1, A + B - 2),
            "mean": Fraction(A, A + B),
            "two": Fraction(A * (A + 1), (A + B) * (A + B + 1)),
        }
        assert answer.pop("posterior") == [A, B]
        assert f"Beta}}({A}, {B})$" in drill.solution
        assert max(g["tosses"], g["a"], g["b"]) <= 10
    else:
        n, s2, v, m = len(g["x"]), Fraction(g["noise_var"]), Fraction(g["prior_var"]), Fraction(g["prior_mean"])
        precision = 1 / v + n / s2
        mean = (m / v + sum(g["x"]) / s2) / precision
        expected = {
            "mle": Fraction(sum(g["x"]), n),
            "precision": precision,
            "var": 1 / precision,
            "map": mean,
            "strength": s2 / (n * v),
            "limit": 0,  # of s2 / (n v) as n grows
        }
        # the penalised mean of squares is stationary there, with this strength and no other
        slope = sum(mean - y for y in g["x"]) / n + expected["strength"] * (mean - m)
        assert slope == 0
        assert max(g["x"]) <= 12
        assert re.search(r"= (\d+) = \1\$", drill.solution) is None  # a whole number is said once
    assert expected["mle"] != expected["map"]
    assert set(answer) == set(expected)
    for name, value in expected.items():
        assert answer[name] == pytest.approx(float(value), rel=1e-9), name
        if name != "precision":
            assert sig(float(value)) in drill.solution, name


@pytest.mark.equation("estimation-dirichlet-posterior", "estimation-dirichlet-mode", "estimation-dirichlet-moments")
@pytest.mark.equation("estimation-categorical-mle", "estimation-dirichlet-evidence")
@each_seed()
def test_dirichlet_in_fractions(seed):
    drill, g, answer = load("dirichlet-posterior", seed)
    K, N = len(g["counts"]), sum(g["counts"])
    new = [a + c for a, c in zip(g["alpha"], g["counts"], strict=True)]
    i, j, total = g["first"], g["second"], sum(new)
    pair = Fraction(new[i], total) * Fraction(new[j] + (i == j), total + 1)
    assert answer["posterior"] == new
    assert answer["mle"] == pytest.approx([c / N for c in g["counts"]], rel=1e-12)
    assert answer["map"] == pytest.approx([(a - 1) / (total - K) for a in new], rel=1e-12)
    assert answer["mean"] == pytest.approx([a / total for a in new], rel=1e-12)
    assert answer["mle"] != pytest.approx(answer["map"], rel=1e-9)  # else one estimate would do for both
    assert answer["pair"] == pytest.approx(float(pair), rel=1e-9)
    assert answer["never_zero"] == "posterior mean"  # the only one without 0 for counts (1, 0) and the prior (1, 1)
    factors = re.search(r"Together \$(.*) \\cdot (.*) = (.*)\$", drill.solution)
    assert factors.group(3) == sig(float(pair))
    parts = [Fraction(*map(int, re.findall(r"\d+", factors.group(k)))) for k in (1, 2)]
    assert parts[0] * parts[1] == pair  # no rounded number in between
    assert max(new) <= 12
    for k, a in enumerate(new):
        row = next(line for line in drill.solution.splitlines() if line.startswith(f"| {'ABCD'[k]} | {a} |"))
        cells = [cell.strip(" $") for cell in row.split("|")[3:6]]
        values = [Fraction(g["counts"][k], N), Fraction(a - 1, total - K), Fraction(a, total)]
        shown = [str(v) if v.denominator == 1 else f"\\frac{{{v.numerator}}}{{{v.denominator}}}" for v in values]
        assert cells == shown


def test_both_kinds_and_unseen_categories_occur():
    kinds = [drawn("map-estimate", seed).given["kind"] for seed in SEEDS]
    assert min(kinds.count("coin"), kinds.count("mean")) > 0.3 * len(kinds)
    assert sum(0 in drawn("dirichlet-posterior", seed).given["counts"] for seed in SEEDS) > 0.2 * len(kinds)
    assert all(math.isfinite(drawn("dirichlet-posterior", seed).answer["pair"]) for seed in range(5))


@each_seed()
def test_every_number_of_a_gaussian_fit(seed):
    drill = drawn("gaussian-mle", seed)
    x = drill.given["x"]
    n, ordered = len(x), sorted(x)
    mu = sum(x) / n
    S = sum((v - mu) ** 2 for v in x)
    low, high = ordered[(n - 1) // 2], ordered[n // 2]
    m = (low + high) / 2
    A = sum(abs(v - m) for v in x)
    listed = ", ".join("#" for _ in x)
    ask, tell = pages(drill, {r"\hat\mu": mu, r"\hat\sigma^2": S / n, r"\hat m": m, r"\hat b": A / n})
    ask.says(f"# measurements: ${listed}$.", n, *x)
    ask.says(
        r"What is $\partial \ell / \partial \mu$ of the log-likelihood at $\mu = 0$, $\sigma^2 = \hat\sigma^2$? (1"
    )
    ask.says("of two middle numbers take the mean (3")
    ask.table(*([v, None, None, None] for v in x))
    ask.done()
    tell.table(*([v, v - mu, (v - mu) ** 2, abs(v - m)] for v in x))
    tell.says("The squares add up to $#$, so", S)
    tell.says("divide by $N - 1$: $#$.", S / (n - 1))
    tell.says(r"$\frac{1}{\hat\sigma^2} \sum_n (x_n - 0) = #$. One over", sum(x) * n / S)
    tell.says(f"sorted ${listed}$;", *ordered)
    if low != high:
        tell.says("the two middle numbers # and # (any", low, high)
    tell.says("The distances from it add up to $#$, so", A)
    tell.done()


@each_seed()
def test_every_number_of_a_map_estimate(seed):
    drill = drawn("map-estimate", seed)
    g = drill.given
    (text_of_a_coin if g["kind"] == "coin" else text_of_a_mean)(drill, g)


def text_of_a_coin(drill, g):
    heads, n, a, b = g["heads"], g["tosses"], g["a"], g["b"]
    A, B, theta = a + heads, b + n - heads, 0.3
    at = {r"\theta": theta}
    ask, tell = pages(drill, {"N": n})
    ask.says("In # tosses of a coin, # are heads.", n, heads)
    ask.says(r"\sim \mathrm{Beta}(#, #)$.", a, b)
    ask.says(r"makes $\frac{1}{N} \big( -\log p(\mathcal{D} \mid \theta) + \Omega(\theta) \big)$ minimal")
    ask.done()
    density = theta ** (A - 1) * (1 - theta) ** (B - 1)
    product = r"$\theta^{#} (1 - \theta)^{#} \cdot \theta^{#} (1 - \theta)^{#} = #$, so"
    tell.says(product, heads, n - heads, a - 1, b - 1, At(at, density))
    tell.says(r"\sim \mathrm{Beta}(#, #)$.", A, B)
    values = heads / n, (A - 1) / (A + B - 2), A / (A + B)
    tell.says("MLE $#$; MAP $#$; mean $#$.", *values)
    tell.says(r"$\Omega(\theta) = #$.", At(at, -(a - 1) * math.log(theta) - (b - 1) * math.log(1 - theta)))
    tell.says("divided by $N = #$ too", n)
    tell.says(r"in between, 1 for the number): $# \cdot # = #$.", A / (A + B), (A + 1) / (A + B + 1),
              A / (A + B) * (A + 1) / (A + B + 1))  # fmt: skip
    tell.says("The square of the mean, #, forgets", (A / (A + B)) ** 2)
    tell.done()


def text_of_a_mean(drill, g):
    x, s2, m_0, v = g["x"], g["noise_var"], g["prior_mean"], g["prior_var"]
    n, xbar, lam = len(x), sum(x) / len(x), s2 / v
    variance = 1 / (1 / v + n / s2)
    mu = variance * (m_0 / v + sum(x) / s2)
    symbols = {r"\bar x": xbar, r"\sigma_N^2": variance, r"\mu_N": mu, r"\sigma^2": s2, r"\sigma_0^2": v, "s": lam / n}
    ask, tell = pages(drill, symbols | {"N": n})
    ask.says(f"# measurements ${', '.join('#' for _ in x)}$ of a quantity", n, *x)
    ask.says(r"Prior: $\mu \sim \mathcal{N}(#, #)$.", m_0, v)
    ask.says(r"$\frac{1}{N} \sum_n (x_n - \mu)^2 + s\, (\mu - #)^2$.", m_0)
    ask.done()
    tell.says("is the reciprocal (1 mark): $#$, so", 1 / variance)
    tell.says(r"The prior counts as $\sigma^2 / \sigma_0^2 = #$:", lam)
    tell.says(*(["1 measurement of #.\n", m_0] if lam == 1 else ["$#$ measurements of #.\n", lam, m_0]))
    tell.says(r"by $2 \sigma^2 / N$: $s = ")
    tell.says("It tends to 0 as")
    tell.done()


@each_seed()
def test_every_number_of_a_dirichlet_posterior(seed):
    drill = drawn("dirichlet-posterior", seed)
    counts, alpha = drill.given["counts"], drill.given["alpha"]
    first, second = ("ABCD"[drill.given[key]] for key in ("first", "second"))
    K, N = len(counts), sum(counts)
    names, new = "ABCD"[:K], [a + c for a, c in zip(alpha, counts, strict=True)]
    total = sum(new)
    i, j = names.index(first), names.index(second)
    again = (new[j] + (i == j)) / (total + 1)
    listed = ", ".join("#" for _ in names)
    symbols = {"N": N, "K": K, f"P({first})": new[i] / total, rf"P({second} \mid {first})": again}
    ask, tell = pages(drill, symbols)
    ask.says(f"with values {', '.join(names)} was seen {listed} times.", *counts)
    ask.says(rf"\mathrm{{Dirichlet}}({listed})$.", *alpha)
    ask.says(f"the next value is {first}, and the one after it {second}? (3")
    ask.says("cannot be 0 for")
    ask.table(*([c, None, None, None, None] for c in names))
    ask.done()
    tell.says(rf"$\mathrm{{Dirichlet}}({listed})$.", *new)
    tell.says("the new parameters add up to $#$, and less $K = #$ to $#$.", total, K, total - K)
    tell.table(*([c, a, n / N, (a - 1) / (total - K), a / total] for c, a, n in zip(names, new, counts, strict=True)))
    tell.says(f"Then {first} has one count more, and the sum is #:", total + 1)
    tell.says(r"Together $# \cdot # = #$.", new[i] / total, again, new[i] / total * again)
    tell.says(r"because $\alpha_k > 0$. The MLE is 0, and the MAP estimate is 0 if $\alpha_k = 1$.")
    tell.done()
