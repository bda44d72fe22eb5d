"""Drills on kernels: answers recomputed from the given numbers, without the library."""

import json
import math
from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from notes_lib.display import sig
from tests.drills.page import At, pages
from tests.drills.seeds import SEEDS, drawn, each_seed

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
    drill = drawn(topic, seed)
    return drill, json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))


@pytest.mark.equation("kernel-methods-psd", "kernel-methods-minors")
@each_seed()
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
    drills = [drawn("kernel-validity", seed) for seed in SEEDS]
    assert {d.given["formula"] for d in drills} == set(FORMULAS)
    assert 0.3 < sum(d.answer["matrix_valid"] for d in drills) / len(drills) < 0.7
    assert 0.3 < sum(d.answer["formula_valid"] for d in drills) / len(drills) < 0.7


@pytest.mark.equation("kernel-methods-gradient-step", "kernel-methods-loss", "kernel-methods-prediction")
@each_seed()
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
@each_seed()
def test_perceptron_on_the_six_features(seed):
    # with explicit weights on the ordered products of (1, x): the features of (x'z + 1)^2, nine whole numbers
    drill, g, answer = reload("kernel-perceptron", seed)
    assert g["query"] not in g["X"]  # else the last pass of the trace holds the answer
    phi = lambda p: [s * t for s in (1, *p) for t in (1, *p)]
    dot = lambda u, v: sum(a * b for a, b in zip(u, v, strict=True))
    features, y = [phi(p) for p in g["X"]], g["y"]
    assert answer["K"] == [[dot(u, v) for v in features] for u in features]
    assert max(map(max, answer["K"])) <= 36
    w, alpha, trace, scores = [0] * 9, [0] * 4, [], []
    while not trace or trace[-1]:
        trace.append([])
        scores.append([])
        for n in range(4):
            scores[-1].append(dot(w, features[n]))
            if y[n] * dot(w, features[n]) <= 0:
                w = [a + y[n] * b for a, b in zip(w, features[n], strict=True)]
                alpha[n] += 1
                trace[-1].append(n)
    assert answer["mistakes"] == trace
    assert answer["scores"] == scores
    assert answer["alpha"] == alpha
    assert len(trace) <= 4
    assert 3 <= sum(alpha) <= 6
    score = dot(w, phi(g["query"]))
    assert answer["score"] == score != 0
    assert answer["label"] == (1 if score > 0 else -1)
    assert f"so the label is ${answer['label']}$." in drill.solution
    assert f"= {sig(score)}$, so" in drill.solution
    assert drill.solution.count("| yes |") == sum(alpha)


CANDIDATES = {
    "sum": lambda a, x, z: a * x * z + (x * z) ** 2,
    "polynomial": lambda a, x, z: (x * z + a) ** 3,
    "exponential": lambda a, x, z: math.exp(a * x * z),
    "feature": lambda a, x, z: (x * x - a) * (z * z - a),
    "rescaled": lambda a, x, z: (1 + x * z) * math.exp(-a * (x - z) ** 2),
    "cosine": lambda a, x, z: math.cos(a * (x - z)),
    "squared distance": lambda a, x, z: a * (x - z) ** 2,
    "distance": lambda a, x, z: a * abs(x - z),
    "negative constant": lambda a, x, z: x * z - a,
    "negative coefficient": lambda a, x, z: (x * z) ** 2 - a * x * z,
    "plain sum": lambda a, x, z: a * (x + z),
    "larger one": lambda a, x, z: max(x, z) + a - 1,
}
REASONS = {
    "sum": (r"$xz$ is a kernel, $(xz)^2$ is one (product), $#\, xz$ is one (# is not negative)", lambda a: (a, a)),
    "polynomial": ("since $# > 0$", lambda a: (a,)),
    "exponential": (r"$#\, xz$ is a kernel", lambda a: (a,)),
    "feature": ("$f(x) = #$; its", lambda a: (At({"x": 1.7}, 1.7**2 - a),)),
    "rescaled": ("the kernel $1 + xz$ and", lambda a: ()),
    "cosine": (r"$\cos(#x)\cos(#z) + \sin(#x)\sin(#z)$", lambda a: (a,) * 4),
    "squared distance": ("the diagonal is 0 and", lambda a: ()),
    "distance": ("the diagonal is 0 and", lambda a: ()),
    "negative coefficient": ("$k(1, 1) = #$ should", lambda a: (1 - a,)),
    "plain sum": ("the matrix of 0 and 1 has", lambda a: ()),
    "larger one": ("the matrix of 0 and 1 has", lambda a: ()),
}


@each_seed()
def test_every_number_of_a_validity_proof(seed):
    drill = drawn("kernel-validity", seed)
    K, a, formula, answer = np.array(drill.given["K"]), drill.given["a"], drill.given["formula"], drill.answer
    k = partial(CANDIDATES[formula], a)
    ask, tell = pages(drill, {r"\mathbf{K}": K})
    rows = [r for size in (1, 2, 3) for r in combinations(range(3), size)]
    titles = [",".join(str(i + 1) for i in r) for r in rows]
    ask.says(r"$\sum_{nm} c_n c_m K_{nm} < 0$")
    ask.says("$k(x, z) = #$ a kernel", At({"x": 1.7, "z": -0.6}, k(1.7, -0.6)))
    ask.table(*([title, None] for title in titles))
    ask.done()
    tell.table(*([title, np.linalg.det(K[np.ix_(r, r)])] for title, r in zip(titles, rows, strict=True)))
    if not answer["matrix_valid"]:
        c = np.array(answer["weights"])
        tell.says(r"$\mathbf{c} = #$, $\mathbf{K}\mathbf{c} = #$, $\mathbf{c}^\top \mathbf{K} \mathbf{c} = # < 0$.",
                  c, K @ c, c @ K @ c)  # fmt: skip
    template, values = REASONS.get(formula, ("**not a kernel**", lambda a: ()))
    tell.says(template, *values(a))
    if not answer["formula_valid"]:
        points, c = answer["points"], np.array(answer["formula_weights"])
        G = np.array([[k(x, z) for z in points] for x in points])
        assert c @ G @ c == answer["value"]
        where = " and ".join(map(str, points))
        tell.says(f"On the point{'s' if len(c) > 1 else ''} {where} its matrix is $#$ (1", G)
        tell.says(r"(1 mark), and $\mathbf{c} = #$ gives $\mathbf{c}^\top \mathbf{K} \mathbf{c} = # < 0$", c, c @ G @ c)
    tell.done()


@each_seed()
def test_every_number_of_a_kernel_gradient_step(seed):
    drill = drawn("kernel-gradient-step", seed)
    x, y = np.array(drill.given["x"]), np.array(drill.given["y"])
    degree, eta, query = (drill.given[key] for key in ("degree", "eta", "query"))
    K, k_x = (np.outer(x, x) + 1) ** degree, (query * x + 1) ** degree
    ask, tell = pages(drill, {r"\mathbf{K}": K, r"\mathbf{k}_x": k_x})
    ask.says(r"$k(x, z) = #$, step $#$, starting from $\boldsymbol{\beta} = \mathbf{0}$:",
             At({"x": 1.7, "z": -0.6}, (1 - 1.7 * 0.6) ** degree), eta)  # fmt: skip
    ask.table(["$x_n$", *x], ["$y_n$", *y])
    ask.says(r"$\tfrac12 \lVert \mathbf{y} - \mathbf{K}\boldsymbol{\beta} \rVert^2$ before")
    ask.says("at $x = #$ after", query)
    ask.table(*([t, None, None, None, None] for t in range(3)))
    ask.done()
    rows, beta = [], np.zeros(3)
    for t in range(3):
        residual = y - K @ beta
        rows.append([t, beta, K @ beta, residual, residual @ residual / 2])
        beta = beta + eta * residual
    tell.table(*rows)
    tell.says("**Loss** (1 mark): from # to #.\n", rows[0][-1], rows[2][-1])
    tell.says(r"$f(#) = \mathbf{k}_x^\top \boldsymbol{\beta} = #$.", query, k_x @ rows[2][1])
    step = r"\boldsymbol{\beta} + \eta\, (\mathbf{y} - \mathbf{K}\boldsymbol{\beta})"
    tell.says(rf"$\boldsymbol{{\beta}} \leftarrow {step}$")
    tell.done()


@each_seed()
def test_every_number_of_a_kernel_perceptron(seed):
    drill = drawn("kernel-perceptron", seed)
    X, y, query = (np.array(drill.given[key]) for key in ("X", "y", "query"))
    K, k_x = (X @ X.T + 1) ** 2, (X @ query + 1) ** 2
    alpha, rows = np.zeros(4), []
    while not rows or any(row[4] == "yes" for row in rows[-4:]):
        for n in range(4):
            score = (alpha * y) @ K[:, n]
            wrong = y[n] * score <= 0
            alpha = alpha + wrong * np.eye(4)[n]
            rows.append([len(rows) // 4 + 1, n + 1, score, y[n] * score, "yes" if wrong else "no", alpha])
    ask, tell = pages(drill, {r"\mathbf{K}": K, r"\mathbf{k}_x": k_x, r"\boldsymbol{\alpha}": alpha})
    u, v = np.array([0.3, 1.2]), np.array([-0.7, 0.4])
    ask.says(r"with $k(\mathbf{x}, \mathbf{z}) = #$ on", At({r"\mathbf{x}": u, r"\mathbf{z}": v}, (u @ v + 1) ** 2))
    ask.says(r"A score of 0 is a mistake; start with $\boldsymbol{\alpha} = \mathbf{0}$.")
    ask.table(*([n + 1, X[n], y[n]] for n in range(4)))
    ask.says("the label of $#$ (2", query)
    ask.table(*([1, n + 1, *[None] * 4] for n in range(4)))
    ask.done()
    tell.says("grows by 1.")
    tell.table(*rows)
    tell.says("Pass # makes no mistake:", len(rows) // 4)
    terms = " ".join(rf"{'+' if y[n] > 0 else '-'} # \cdot #" for n in range(4) if alpha[n]).removeprefix("+ ")
    values = [v for n in range(4) if alpha[n] for v in (alpha[n], k_x[n])]
    score = (alpha * y) @ k_x
    tell.says(f"score ${terms} = #$, so the label is $#$.", *values, score, 1 if score > 0 else -1)
    tell.says(r"the score of point $n$ is $\sum_m \alpha_m y_m K_{mn}$;")
    tell.done()


def common(s, t):
    """Pairs of equal subsequences, found by going through all choices of letters."""
    words = lambda u: ["".join(c) for size in range(len(u) + 1) for c in combinations(u, size)]
    return sum(a == b for a in words(s) for b in words(t))


def pairs_of_letters(s, t):
    return sum(s[i : i + 2] == t[j : j + 2] for i in range(len(s) - 1) for j in range(len(t) - 1))


@pytest.mark.equation("kernel-methods-subsequence", "kernel-methods-spectrum", "kernel-methods-cosine-kernel")
@each_seed()
def test_string_kernels_by_writing_down_all_subsequences(seed):
    _, g, answer = reload("string-kernel", seed)
    s, t = g["s"], g["t"]
    assert answer["table"] == [[common(s[:i], t[:j]) for j in range(4)] for i in range(5)]
    st, ss, tt = (pairs_of_letters(*pair) for pair in ((s, t), (s, s), (t, t)))
    assert answer["pairs"] == [st, ss, tt]
    assert st > 0
    assert answer["distance"] == ss + tt - 2 * st
    assert math.isclose(answer["cosine"] ** 2, st**2 / (ss * tt), rel_tol=1e-12)
    assert t not in (s[:3], s[1:])


@each_seed()
def test_every_number_of_the_kernels_of_two_words(seed):
    drill = drawn("string-kernel", seed)
    s, t = drill.given["s"], drill.given["t"]
    name = lambda word, i: f"`{word[:i]}`" if i else "(empty)"
    ask, tell = pages(drill)
    ask.says("words $s = #$ and $s' = #$?", rf"\texttt{{{s}}}", rf"\texttt{{{t}}}")
    ask.says("Give $k_2(s, s')$, $k_2(s, s)$ and $k_2(s', s')$.")
    ask.says("For $k_2$: the")
    ask.table(*([name(s, i), *[None] * 4] for i in range(5)))
    ask.done()
    (titles, _) = (line.split("|")[2:-1] for line in drill.statement.splitlines() if "(empty)" in line)
    assert [title.strip() for title in titles] == [name(t, j) for j in range(4)]
    M = [[common(s[:i], t[:j]) for j in range(4)] for i in range(5)]
    tell.says("alone gives 1 in the first row")
    tell.says("letters differ, $T_{ij} = T_{i-1,j} + T_{i,j-1} - T_{i-1,j-1}$; where")
    tell.says("are equal, $T_{ij} = T_{i-1,j} + T_{i,j-1}$.")
    for i, j in ((i, j) for i in range(1, 5) for j in range(1, 4)):  # both sentences hold for the table
        both = M[i - 1][j] + M[i][j - 1]
        assert M[i][j] == (both if s[i - 1] == t[j - 1] else both - M[i - 1][j - 1])
    tell.table(*([name(s, i), *M[i]] for i in range(5)))
    tell.says("So $k(s, s') = #$.", M[4][3])
    pieces = sorted({word[i : i + 2] for word in (s, t) for i in range(len(word) - 1)})
    count = lambda piece, word: sum(word[i : i + 2] == piece for i in range(len(word)))
    tell.table(*([f"`{piece}`", count(piece, s), count(piece, t)] for piece in pieces))
    st, ss, tt = (pairs_of_letters(*pair) for pair in ((s, t), (s, s), (t, t)))
    tell.says("$k_2(s, s') = #$, $k_2(s, s) = #$, $k_2(s', s') = #$.", st, ss, tt)
    terms = [rf"{a} \cdot {b}" for a, b in ((count(p, s), count(p, t)) for p in pieces)]
    assert f"$k_2(s, s') = {' + '.join(terms)} = {st}$" in drill.solution
    tell.says("**Distance** (1 mark): $#$.", ss + tt - 2 * st)
    tell.says("**Normalised** (1 mark): $#$.", st / math.sqrt(ss * tt))
    tell.done()
