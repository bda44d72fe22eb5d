"""Drills on Gaussian mixtures: answers recomputed from the given data by plain Python, without the library."""

import json
import math
import re

import pytest

from notes_lib.display import sig
from notes_lib.drills import draw

SEEDS = range(200)


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
@pytest.mark.parametrize("seed", SEEDS)
def test_responsibility(seed):
    drill = draw("gmm-responsibility", seed)
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
@pytest.mark.parametrize("seed", SEEDS)
def test_em_step(seed):
    drill = draw("gmm-em-step", seed)
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


@pytest.mark.parametrize("seed", range(60))
def test_the_given_constants_lead_to_the_printed_digits(seed):
    # worked with the constants as they stand in the statement: no last digit of four is off by more than 1
    drill = draw("gmm-responsibility", seed)
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
def test_seeds_repeat_and_differ(topic):
    assert all(draw(topic, seed) == draw(topic, seed) for seed in range(20))
    assert len({draw(topic, seed).statement for seed in range(50)}) > 40


@pytest.mark.parametrize("topic", ["gmm-responsibility", "gmm-em-step"])
def test_every_exponential_is_given(topic):
    for seed in range(50):
        drill = draw(topic, seed)
        sds = drill.given.get("sds", [math.sqrt(drill.given.get("variance", 1))] * 2)
        for v in drill.given["x"]:
            for m, s in zip(drill.given["means"], sds, strict=True):
                u = abs(v - m) / s
                assert u == 0 or f"e^{{-{sig(u * u / 2)}}}" in drill.statement
