"""Drills on estimation: answers recomputed in fractions from the given numbers, without the library."""

import json
import math
import re
from fractions import Fraction

import pytest

from notes_lib.display import sig
from notes_lib.drills import draw

SEEDS = range(200)


def load(topic, seed):
    drill = draw(topic, seed)
    return drill, json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))


@pytest.mark.equation("estimation-gaussian-mu", "estimation-gaussian-var", "estimation-variance-bias")
@pytest.mark.equation("estimation-gaussian-score", "estimation-laplace-mu", "estimation-laplace-b")
@pytest.mark.parametrize("seed", SEEDS)
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
@pytest.mark.parametrize("seed", SEEDS)
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
        }
        # the penalised mean of squares is stationary there, with this strength and no other
        slope = sum(mean - y for y in g["x"]) / n + expected["strength"] * (mean - m)
        assert slope == 0
        assert max(g["x"]) <= 12
    assert expected["mle"] != expected["map"]
    assert set(answer) == set(expected)
    for name, value in expected.items():
        assert answer[name] == pytest.approx(float(value), rel=1e-9), name
        if name != "precision":
            assert sig(float(value)) in drill.solution, name


@pytest.mark.equation("estimation-dirichlet-posterior", "estimation-dirichlet-mode", "estimation-dirichlet-moments")
@pytest.mark.equation("estimation-categorical-mle", "estimation-dirichlet-evidence")
@pytest.mark.parametrize("seed", SEEDS)
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
    assert answer["pair"] == pytest.approx(float(pair), rel=1e-9)
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


@pytest.mark.parametrize("topic", ["gaussian-mle", "map-estimate", "dirichlet-posterior"])
def test_seeds_repeat_and_differ(topic):
    assert all(draw(topic, seed) == draw(topic, seed) for seed in range(20))
    assert len({draw(topic, seed).statement for seed in range(50)}) > 40
    marks = [int(m) for m in re.findall(r"\((\d) marks?\)", draw(topic, 3).statement)]
    assert sum(marks) == draw(topic, 3).marks


def test_both_kinds_and_unseen_categories_occur():
    kinds = [draw("map-estimate", seed).given["kind"] for seed in SEEDS]
    assert min(kinds.count("coin"), kinds.count("mean")) > 60
    assert sum(0 in draw("dirichlet-posterior", seed).given["counts"] for seed in SEEDS) > 40
    assert all(math.isfinite(draw("dirichlet-posterior", seed).answer["pair"]) for seed in range(5))
