"""Drills on Gaussian mixtures: answers recomputed from the given data by plain Python, without the library."""

import json
import math
import re

import pytest

from notes_lib.display import sig
from tests.drills.arithmetic import CARRIED, PLACES, Rounding
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def close(a, b):
    """Whether nested lists of numbers agree."""
    if isinstance(a, list):
        return len(a) == len(b) and all(close(u, v) for u, v in zip(a, b, strict=True))
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def digits(value):
    """The leading digits as they stand in a solution."""
    return sig(value).partition("e")[0]


def joint_densities(x, weights, means, variances):
    return [
        [
            w / sum(weights) * math.exp(-((v - m) ** 2) / (2 * s)) / math.sqrt(2 * math.pi * s)
            for w, m, s in zip(weights, means, variances, strict=True)
        ]
        for v in x
    ]


@pytest.mark.equation("gmm-responsibility", "gmm-density")
@each_seed()
def test_responsibility(seed):
    drill = drawn("gmm-responsibility", seed)
    g = json.loads(json.dumps(drill.given))
    joint = joint_densities(g["x"], g["weights"], g["means"], [s * s for s in g["sds"]])
    posterior = [[v / sum(row) for v in row] for row in joint]
    assert close(drill.answer["joint"], joint)
    assert close(drill.answer["density"], [sum(row) for row in joint])
    assert close(drill.answer["responsibilities"], posterior)
    assert drill.answer["assignment"] == [1 if row[0] > row[1] else 2 for row in posterior]
    assert all(abs(row[0] - 0.5) > 0.02 for row in posterior)  # no tie
    for row in posterior:
        assert digits(row[0]) in drill.solution


@pytest.mark.equation("gmm-responsibility", "gmm-mstep-mean", "gmm-mstep-types", "gmm-mstep-weights", "gmm-monotone")
@each_seed()
def test_em_step(seed):
    drill = drawn("gmm-em-step", seed)
    g, answer = json.loads(json.dumps(drill.given)), drill.answer
    x = g["x"]
    joint = joint_densities(x, g["weights"], g["means"], [g["variance"]] * 2)
    gamma = [[v / sum(row) for v in row] for row in joint]
    counts = [sum(row[k] for row in gamma) for k in range(2)]
    means = [sum(row[k] * v for row, v in zip(gamma, x, strict=True)) / counts[k] for k in range(2)]
    variances = [
        sum(row[k] * (v - means[k]) ** 2 for row, v in zip(gamma, x, strict=True)) / counts[k] for k in range(2)
    ]
    after = joint_densities(x, counts, means, variances)
    assert close(answer["responsibilities"], gamma)
    assert close(answer["counts"], counts)
    assert close(answer["weights"], [c / len(x) for c in counts])
    assert close(answer["means"], means)
    assert close(answer["variances"], variances)
    assert close(answer["log_likelihood_before"], sum(math.log(sum(row)) for row in joint))
    assert close(answer["log_likelihood_after"], sum(math.log(sum(row)) for row in after))
    assert answer["log_likelihood_after"] > answer["log_likelihood_before"]
    assert 3 <= len(x) <= 4
    for value in [*means, *variances, answer["log_likelihood_after"]]:
        assert digits(value) in drill.solution


@each_seed()
def test_the_given_constants_lead_to_the_printed_digits(seed):
    # worked with the constants as they stand in the statement: no last digit of four is off by more than 1
    drill = drawn("gmm-responsibility", seed)
    given, text = drill.given, drill.statement
    root = float(re.search(r"sqrt\{2\\pi\} = ([\d.]+)", text)[1])
    found = re.findall(r"e\^\{-([\d.]+)\} = ([\d.]+)(?: \\cdot 10\^\{(-?\d+)\})?\$", text)
    powers = {float(a): float(b) * 10 ** int(c or 0) for a, b, c in found}
    for n, x in enumerate(given["x"]):
        joint = []
        for weight, mean, sd in zip(given["weights"], given["means"], given["sds"], strict=True):
            half = ((x - mean) / sd) ** 2 / 2
            joint.append(weight / sum(given["weights"]) * root / sd * (powers[half] if half else 1))
        worked = [*joint, sum(joint), *(v / sum(joint) for v in joint)]
        exact = [*drill.answer["joint"][n], drill.answer["density"][n], *drill.answer["responsibilities"][n]]
        for a, b in zip(worked, exact, strict=True):
            unit = 10.0 ** (math.floor(math.log10(b)) - 3)
            assert abs(float(f"{a:.4g}") - float(f"{b:.4g}")) < 1.5 * unit


@pytest.mark.parametrize("topic", ["gmm-responsibility", "gmm-em-step"])
def test_every_exponential_is_given(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        sds = drill.given.get("sds", [math.sqrt(drill.given.get("variance", 1))] * 2)
        for v in drill.given["x"]:
            for m, s in zip(drill.given["means"], sds, strict=True):
                u = abs(v - m) / s
                assert u == 0 or f"e^{{-{sig(u * u / 2)}}}" in drill.statement


def told_constants(page, u):
    """The constants that the statement gives for the distances ``u`` in standard deviations."""
    sizes = sorted({abs(v) for v in u if v})
    powers = ", ".join("$e^{-#} = #$" for _ in sizes)
    values = [v for s in sizes for v in (s * s / 2, math.exp(-s * s / 2))]
    five = Rounding(significant=5)
    page.rounding, kept = five, page.rounding
    page.says(rf"$1/\sqrt{{2\pi}} = #$ and {powers}", 1 / math.sqrt(2 * math.pi), *values)
    page.rounding = kept


@each_seed()
def test_every_number_of_a_responsibility(seed):
    drill = drawn("gmm-responsibility", seed)
    g = drill.given
    x, w, means, sds = g["x"], [v / sum(g["weights"]) for v in g["weights"]], g["means"], g["sds"]
    joint = joint_densities(x, w, means, [s * s for s in sds])
    symbols = {rf"\{key}_{k}": v[k - 1] for key, v in [("pi", w), ("mu", means), ("sigma", sds)] for k in (1, 2)}
    ask, tell = pages(drill, symbols, CARRIED)
    told_constants(ask, [(v - m) / s for v in x for m, s in zip(means, sds, strict=True)])
    ask.says(f"For {' and for '.join('$x = #$' for _ in x)} compute", *x)
    ask.says(r"standard deviations $\sigma_1 = #$ and $\sigma_2 = #$.", *sds)
    ask.says(r"$\pi_k\,\mathcal{N}(x \mid \mu_k, \sigma_k^2)$ (2")
    ask.says(r"the responsibilities $\gamma_1$ and $\gamma_2$ (2")
    ask.done()
    tell.says(r"= \frac{#}{\sigma_k}\, e^{-u_k^2/2}$ with", 1 / math.sqrt(2 * math.pi))
    tell.says("Marks: 2 for the joint densities, 1 for their sum, 2 for the quotients, 1 for the hard assignment.")
    for v, row in zip(x, joint, strict=True):
        p = sum(row)
        gamma = [a / p for a in row]
        tell.says("**$x = #$**", v)
        cells = zip((1, 2), w, means, sds, row, gamma, strict=True)
        tell.table(*([k, (v - m) / s, a, j / a, j, c] for k, a, m, s, j, c in cells))
        tell.says(r"$p(x) = # + # = #$, so $\gamma_1 = \frac{#}{#} = #$ and $\gamma_2 = 1 - \gamma_1 = #$.",
                  *row, p, row[0], p, *gamma)  # fmt: skip
        tell.says("A hard assignment picks component #.", 1 if row[0] > row[1] else 2)
    tell.says(r"with $u_k = (x - \mu_k)/\sigma_k$.")
    tell.says(r"$\mathcal{N}(x \mid \mu_k, \sigma_k^2) = ")
    tell.done()


@each_seed()
def test_every_number_of_an_em_step(seed):
    drill = drawn("gmm-em-step", seed)
    g, answer = drill.given, drill.answer
    x, w, means, variance = g["x"], [v / sum(g["weights"]) for v in g["weights"]], g["means"], g["variance"]
    gamma, counts = answer["responsibilities"], answer["counts"]
    symbols = {r"\pi_1": w[0], r"\pi_2": w[1], r"\mu_1": means[0], r"\mu_2": means[1]}
    symbols |= {r"\sigma_1^2": variance, r"\sigma_2^2": variance}
    new = {rf"\{key}_{k}": answer[name][k - 1] for key, name in [("pi", "weights"), ("mu", "means")] for k in (1, 2)}
    new |= {rf"\sigma_{k}^2": answer["variances"][k - 1] for k in (1, 2)}
    ask, _ = pages(drill, symbols, CARRIED)
    _, tell = pages(drill, new | {"N": len(x), "N_1": counts[0], "N_2": counts[1]}, CARRIED)
    ask.says(f"to the points ${', '.join('#' for _ in x)}$ by EM", *x)
    told_constants(ask, [(v - m) / math.sqrt(variance) for v in x for m in means])
    ask.says("the exponentials of part 3, come")
    ask.table(*([v, *[None] * 6] for v in x), ["sum", *[None] * 6])
    ask.says(r"$\sigma_1^2 = \sigma_2^2 = #$.", variance)
    ask.done()
    joint = joint_densities(x, w, means, [variance] * 2)
    logs = [math.log(sum(row)) for row in joint]
    rows = zip(x, joint, gamma, logs, strict=True)
    tell.table(*([v, *j, sum(j), *c, p] for v, j, c, p in rows), ["sum", None, None, None, *counts, sum(logs)])
    tell.says(r"$\ell = #$; the sums of the $\gamma$ columns", sum(logs))
    for k in (0, 1):
        column = [row[k] for row in gamma]
        tell.says(rf"- $\pi_{k + 1} = N_{k + 1}/N = #/# = #$", counts[k], len(x), answer["weights"][k])
        terms, m = " + ".join(r"#\cdot#" for _ in x), answer["means"][k]
        listed = [v for pair in zip(column, x, strict=True) for v in pair]
        tell.says(rf"- $\mu_{k + 1} = ({terms})/# = #$", *listed, counts[k], m)
        listed = [v for pair in zip(column, ((a - m) ** 2 for a in x), strict=True) for v in pair]
        tell.says(rf"- $\sigma_{k + 1}^2 = ({terms})/# = #$", *listed, counts[k], answer["variances"][k])
    after = joint_densities(x, counts, answer["means"], answer["variances"])
    logs_after = [math.log(sum(row)) for row in after]
    rows = zip(x, after, logs_after, strict=True)
    tell.table(*([v, *j, sum(j), p] for v, j, p in rows), ["sum", None, None, None, sum(logs_after)])
    tell.says(r"$\ell$ rose by # to $#$.", sum(logs_after) - sum(logs), sum(logs_after))
    tell.done()


def free_entries(kind, K, d):
    """The covariances' free entries, listed: (component, row, column)."""
    upper = [(i, j) for i in range(d) for j in range(i, d)]
    of_one = {"diag": [(i, i) for i in range(d)], "spherical": [(0, 0)]}.get(kind, upper)
    return [(k, *entry) for k in range(1 if kind == "tied" else K) for entry in of_one]


def free_parameters(kind, K, d):
    """Weights but one, means, covariances."""
    return len(range(1, K)) + len([(k, j) for k in range(K) for j in range(d)]) + len(free_entries(kind, K, d))


@pytest.mark.equation("gmm-parameters", "gmm-bic", "gmm-aic")
@each_seed()
def test_every_number_of_the_criteria(seed):
    drill = drawn("gmm-criteria", seed)
    g, answer = json.loads(json.dumps(drill.given)), drill.answer
    names, n, d, log_n = "ABCD", g["n"], g["d"], math.log(g["n"])
    counts = [free_parameters(kind, K, d) for kind, K in g["fits"]]
    aic = [2 * (P - ell) for P, ell in zip(counts, g["log_likelihoods"], strict=True)]
    bic = [P * log_n - 2 * ell for P, ell in zip(counts, g["log_likelihoods"], strict=True)]
    assert answer["parameters"] == counts
    assert counts == sorted(set(counts))
    assert close(answer["aic"], aic)
    assert close(answer["bic"], bic)
    by_aic, by_bic = (names[v.index(min(v))] for v in (aic, bic))
    assert (answer["by_aic"], answer["by_bic"]) == (by_aic, by_bic)
    assert by_bic != "D"
    for values in (aic, [round(log_n, 4) * P - 2 * ell for P, ell in zip(counts, g["log_likelihoods"], strict=True)]):
        first, second = sorted(values)[:2]
        assert second - first > 0.9  # with the rounded logarithm that is given, the choice is the same
    ask, tell = pages(drill, {"N": n, "D": d, r"\log N": log_n}, PLACES)
    fits = [(a, kind, K, ell) for a, (kind, K), ell in zip(names, g["fits"], g["log_likelihoods"], strict=True)]
    ask.says("fitted to $N = #$ points in $D = #$ dimensions", n, d)
    ask.says(r"You may use $\log N = #$.", log_n)
    ask.table(*([*fit, None, None, None] for fit in fits))
    ask.done()
    for (a, kind, K, _), count in zip(fits, counts, strict=True):
        tell.says(f"- {a}: $P = # + # + # = {count}$", K - 1, K * d, len(free_entries(kind, K, d)))
    tell.says(r"$\mathrm{AIC} = -2\ell + 2P$ and $\mathrm{BIC} = -2\ell + P \log N$.")
    tell.table(*([*fit, *row] for fit, *row in zip(fits, counts, aic, bic, strict=True)))
    tell.says(f"so AIC takes {by_aic} and BIC takes {by_bic}.")
    tell.says("$K - 1$ weights, because they sum to 1; $K D$ entries of the means")
    tell.says("a symmetric matrix has $D(D + 1)/2$ free entries")
    tell.done()
