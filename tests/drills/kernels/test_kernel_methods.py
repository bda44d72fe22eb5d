"""Drills on kernels: answers recomputed from the given numbers, without the library."""

import json
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from notes_lib.display import sig
from notes_lib.drills import draw

SEEDS = range(200)
FORMULAS = {
    "sum": lambda a, x, z: a * x * z + x * x * z * z,
    "polynomial": lambda a, x, z: (x * z + a) ** 3,
    "exponential": lambda a, x, z: math.exp(a * x * z),
    "feature": lambda a, x, z: (x * x - a) * (z * z - a),
    "rescaled": lambda a, x, z: (1 + x * z) * math.exp(-a * (x - z) ** 2),
    "cosine": lambda a, x, z: math.cos(a * x - a * z),
    "squared distance": lambda a, x, z: a * (x - z) ** 2,
    "distance": lambda a, x, z: a * abs(x - z),
    "negative constant": lambda a, x, z: x * z - a,
    "negative coefficient": lambda a, x, z: x * x * z * z - a * x * z,
    "plain sum": lambda a, x, z: a * x + a * z,
    "larger one": lambda a, x, z: max(x, z) + a - 1,
}


def determinant(M):
    """By the first row, on whole numbers."""
    if not M:
        return 1
    return sum((-1) ** j * v * determinant([r[:j] + r[j + 1 :] for r in M[1:]]) for j, v in enumerate(M[0]))


def form(K, c):
    return sum(c[i] * c[j] * K[i][j] for i in range(len(c)) for j in range(len(c)))


def reload(topic, seed):
    drill = draw(topic, seed)
    return drill, json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))


@pytest.mark.equation("kernel-methods-psd", "kernel-methods-minors")
@pytest.mark.parametrize("seed", SEEDS)
def test_validity(seed):
    drill, g, answer = reload("kernel-validity", seed)
    K, a, k = g["K"], g["a"], FORMULAS[g["formula"]]
    assert [list(r) for r in zip(*K, strict=True)] == K
    assert all(isinstance(v, int) and abs(v) <= 9 for r in K for v in r)
    minors = [determinant([[K[i][j] for j in s] for i in s]) for q in (1, 2, 3) for s in combinations(range(3), q)]
    assert answer["minors"] == minors
    valid = all(m >= 0 for m in minors)
    assert answer["matrix_valid"] == valid == (np.linalg.eigvalsh(K)[0] > -1e-9)
    assert ("**a valid kernel matrix**" in drill.solution) == valid
    if not valid:
        assert form(K, answer["weights"]) < 0
        assert f"= {form(K, answer['weights'])} < 0$" in drill.solution
    if answer["formula_valid"]:
        x = np.random.default_rng(seed).uniform(-1.5, 1.5, 12)
        values = np.linalg.eigvalsh([[k(a, s, t) for t in x] for s in x])
        assert values[0] > -1e-9 * values[-1]
        assert "**a kernel**" in drill.solution
    else:
        value = form([[k(a, s, t) for t in answer["points"]] for s in answer["points"]], answer["formula_weights"])
        assert value == answer["value"] < 0
        assert f"= {value} < 0$ (1 mark)" in drill.solution


def test_validity_asks_for_everything():
    drills = [draw("kernel-validity", seed) for seed in SEEDS]
    assert {d.given["formula"] for d in drills} == set(FORMULAS)
    assert 60 < sum(d.answer["matrix_valid"] for d in drills) < 140
    assert 60 < sum(d.answer["formula_valid"] for d in drills) < 140


@pytest.mark.equation("kernel-methods-gradient-step", "kernel-methods-loss", "kernel-methods-prediction")
@pytest.mark.parametrize("seed", SEEDS)
def test_gradient_step_in_fractions(seed):
    drill, g, answer = reload("kernel-gradient-step", seed)
    x, y, eta = [Fraction(v) for v in g["x"]], [Fraction(v) for v in g["y"]], Fraction(str(g["eta"]))
    k = lambda s, t: (s * t + 1) ** g["degree"]
    K = [[k(s, t) for t in x] for s in x]
    assert answer["K"] == K
    assert all(abs(v) <= 26 for r in K for v in r)
    beta, betas, losses = [Fraction(0)] * 3, [], []
    for _ in range(3):
        residual = [y[i] - sum(K[i][j] * beta[j] for j in range(3)) for i in range(3)]
        losses.append(sum(r * r for r in residual) / 2)
        betas.append(beta)
        beta = [b + eta * r for b, r in zip(beta, residual, strict=True)]
    close = lambda found, exact: math.isclose(found, float(exact), rel_tol=1e-9, abs_tol=1e-11)
    assert all(close(f, e) for found, exact in zip(answer["betas"], betas[1:], strict=True)
               for f, e in zip(found, exact, strict=True))  # fmt: skip
    assert close(answer["losses"][0], losses[0])
    assert close(answer["losses"][1], losses[2])
    assert losses[2] < losses[0]
    prediction = sum(k(Fraction(g["query"]), s) * b for s, b in zip(x, betas[2], strict=True))
    assert close(answer["prediction"], prediction)
    assert f"from {sig(round(float(losses[0]), 9))} to {sig(round(float(losses[2]), 9))}." in drill.solution
    for value in (prediction, *betas[1], *betas[2]):  # a few decimals, so every digit is printed
        assert f"{float(value):.10g}" in drill.solution


@pytest.mark.equation("kernel-methods-perceptron-update", "kernel-methods-perceptron-score")
@pytest.mark.parametrize("seed", SEEDS)
def test_perceptron_on_the_six_features(seed):
    # with explicit weights on the ordered products of (1, x): the features of (x'z + 1)^2, nine whole numbers
    drill, g, answer = reload("kernel-perceptron", seed)
    phi = lambda p: [s * t for s in (1, *p) for t in (1, *p)]
    dot = lambda u, v: sum(a * b for a, b in zip(u, v, strict=True))
    features, y = [phi(p) for p in g["X"]], g["y"]
    assert answer["K"] == [[dot(u, v) for v in features] for u in features]
    assert max(map(max, answer["K"])) <= 36
    w, alpha, trace = [0] * 9, [0] * 4, []
    while not trace or trace[-1]:
        trace.append([])
        for n in range(4):
            if y[n] * dot(w, features[n]) <= 0:
                w = [a + y[n] * b for a, b in zip(w, features[n], strict=True)]
                alpha[n] += 1
                trace[-1].append(n)
    assert answer["mistakes"] == trace
    assert answer["alpha"] == alpha
    assert len(trace) <= 4
    assert 3 <= sum(alpha) <= 6
    score = dot(w, phi(g["query"]))
    assert answer["score"] == score != 0
    assert answer["label"] == (1 if score > 0 else -1)
    assert f"so the label is ${answer['label']}$." in drill.solution
    assert f"= {sig(score)}$, so" in drill.solution
    assert drill.solution.count("| yes |") == sum(alpha)


@pytest.mark.parametrize("topic", ["kernel-validity", "kernel-gradient-step", "kernel-perceptron"])
def test_seeds_repeat_and_differ(topic):
    assert all(draw(topic, seed) == draw(topic, seed) for seed in range(20))
    assert len({draw(topic, seed).statement for seed in range(50)}) > 45
