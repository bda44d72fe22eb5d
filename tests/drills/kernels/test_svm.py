"""Drills on support vector machines: answers recomputed in fractions from the given points, without the library."""

import json
import math
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest

from tests.drills.arithmetic import name
from tests.drills.exact import dot, solve
from tests.drills.page import At, pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def hard_margin_by_enumeration(X, y, kernel=None):
    """The support set whose multipliers are positive and that leaves every point outside the margin."""
    n, kernel = len(X), kernel or dot
    for S in chain.from_iterable(combinations(range(n), r) for r in range(2, n + 1)):
        A = [[y[i] * y[j] * kernel(X[i], X[j]) for j in S] + [y[i]] for i in S] + [[y[j] for j in S] + [0]]
        found = solve(A, [1] * len(S) + [0])
        if found is None or min(found[:-1]) <= 0:
            continue
        alpha = [Fraction(0)] * n
        for k, value in zip(S, found[:-1], strict=True):
            alpha[k] = value
        w = [sum(alpha[k] * y[k] * X[k][c] for k in range(n)) for c in range(2)]
        b = found[-1]
        score = lambda x, alpha=alpha, b=b: sum(alpha[k] * y[k] * kernel(X[k], x) for k in range(n)) + b
        if all(y[k] * score(X[k]) >= 1 for k in range(n)):
            return alpha, w, b
    raise AssertionError("not separable")


def close(a, b):
    return math.isclose(a, float(b), rel_tol=1e-7, abs_tol=1e-8)


@pytest.mark.equation("svm-dual", "svm-stationary-w", "svm-bias-free", "svm-geometric-margin")
@each_seed()
def test_dual_in_fractions(seed):
    drill = drawn("svm-dual", seed)
    g, answer = json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))
    X, y = g["X"], g["y"]
    alpha, w, b = hard_margin_by_enumeration(X, y)
    assert answer["gram"] == [[dot(p, q) for q in X] for p in X]
    assert all(close(p, q) for p, q in zip(answer["alpha"], alpha, strict=True))
    assert all(close(p, q) for p, q in zip(answer["w"], w, strict=True))
    assert close(answer["b"], b)
    assert close(answer["margin"], 1 / math.sqrt(dot(w, w)))
    assert close(answer["margin"], min(abs(dot(w, x) + b) for x in X) / Fraction(math.sqrt(dot(w, w))))
    assert close(answer["dual"], sum(alpha) - dot(w, w) / 2)
    assert sum(alpha) == dot(w, w)
    assert answer["support"] == [k + 1 for k, a in enumerate(alpha) if a > 0]
    for value in [*alpha, *w, b]:
        text = str(value) if value.denominator == 1 else f"\\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"
        assert text in drill.solution


@pytest.mark.equation("svm-stationary-w", "svm-slack", "svm-complementary", "svm-bias-free", "svm-score")
@each_seed()
def test_support_vectors_in_fractions(seed):
    drill = drawn("svm-support-vectors", seed)
    g, answer = json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))
    X, y, C = g["X"], g["y"], Fraction(g["C"])
    alpha = [Fraction(a).limit_denominator(2000) for a in g["alpha"]]
    assert sum(a * t for a, t in zip(alpha, y, strict=True)) == 0
    w = [sum(alpha[k] * y[k] * X[k][c] for k in range(len(X))) for c in range(2)]
    free = [k for k, a in enumerate(alpha) if 0 < a < C]
    biases = {y[k] - dot(w, X[k]) for k in free}
    assert len(biases) == 1  # every free vector gives the same
    b = biases.pop()
    margins = [t * (dot(w, x) + b) for x, t in zip(X, y, strict=True)]
    for a, m in zip(alpha, margins, strict=True):  # the multipliers are optimal
        assert (a == 0 and m >= 1) or (0 < a < C and m == 1) or (a == C and m <= 1)
    assert all(close(p, q) for p, q in zip(answer["w"], w, strict=True))
    assert close(answer["b"], b)
    assert close(answer["margin"], 1 / math.sqrt(dot(w, w)))
    assert all(close(p, max(Fraction(0), 1 - m)) for p, m in zip(answer["slack"], margins, strict=True))
    names = ["none" if a == 0 else "at the bound" if a == C else "on the margin" for a in alpha]
    assert answer["kinds"] == names
    assert set(names) == {"none", "at the bound", "on the margin"}
    assert answer["misclassified"] == [k + 1 for k, m in enumerate(margins) if m < 0]
    assert g["query"] not in X  # the new point is none of the given ones
    score = dot(w, g["query"]) + b
    assert close(answer["score"], score)
    assert answer["label"] == (1 if score > 0 else -1)


@pytest.mark.parametrize("topic", ["svm-dual", "svm-support-vectors"])
def test_numbers_are_small_and_every_kind_is_drawn(topic):
    drills = [drawn(topic, seed) for seed in SEEDS]
    assert all(isinstance(a, int) and abs(a) <= 6 for d in drills for p in d.given["X"] for a in p)
    if topic == "svm-dual":
        assert {len(d.given["X"]) for d in drills} == {2, 3, 4}
        assert {len(d.answer["support"]) for d in drills} == {2, 3}
        assert any("One is not positive" in d.solution for d in drills)


@each_seed()
def test_every_number_of_a_dual(seed):
    drill = drawn("svm-dual", seed)
    X, y = np.array(drill.given["X"]), np.array(drill.given["y"])
    n, K = len(X), X @ X.T
    alpha, w, b = (np.array(v, dtype=float) for v in hard_margin_by_enumeration(drill.given["X"], drill.given["y"]))
    score = y * (X @ w + b)
    symbols = {r"\mathbf{K}": K, r"\mathbf{w}": w, "b": b, "a": alpha[0]}
    for k in range(n):
        symbols |= {rf"\alpha_{k + 1}": alpha[k], f"y_{k + 1}": y[k], rf"\mathbf{{x}}_{k + 1}": X[k]}
        symbols |= {rf"f(\mathbf{{x}}_{k + 1})": y[k] * score[k]}
    free = np.array([0.3, 1.7, 0.9, 2.2])[:n]  # any multipliers: the dual is an identity in them
    at = {rf"\alpha_{k + 1}": v for k, v in enumerate(free)}
    rows = [[k + 1, X[k], f"{y[k]:+d}"] for k in range(n)]
    ask, tell = pages(drill, symbols)
    points = ", ".join("$(#; #)$" for _ in X)
    ask.says(f"The points {points} are given", *(v for k in range(n) for v in (X[k], f"{y[k]:+d}")))
    ask.table(*([*row, None, None] for row in rows))
    ask.done()
    tell.says("\n& # \\\\\n& - \\big( # \\big)\n", At(at, free.sum()), At(at, (free * y) @ K @ (free * y) / 2))
    tell.says(r"under $\alpha_n \geq 0$ and $# = 0$.", At(at, free @ y))
    if n == 2:
        tell.says("Its derivative is 0 at $a = 2 / # = #$.", np.sum((X[0] - X[1]) ** 2), alpha[0])
    else:
        u, v = X[0] - X[1], X[2] - X[1]
        tell.symbols |= {name(r"\mathbf{u}"): u, name(r"\mathbf{v}"): v}
        check_the_two_by_two_system(tell, u, v, alpha, score)
    tell.says(r"\sum_n \alpha_n y_n \mathbf{x}_n = #$. From the support vector $\mathbf{x}_2$: $b", w)
    tell.table(*([*row, alpha[k], score[k]] for k, row in enumerate(rows)))
    tell.says(r"at the optimum $\sum_n \alpha_n = \lVert \mathbf{w} \rVert^2$, so")
    tell.done()


def check_the_two_by_two_system(tell, u, v, alpha, score):
    """Two points against one: the derivatives, their solution, and what follows if one multiplier is not positive."""
    tell.says(r"The constraint says $\alpha_2 = \alpha_1 + \alpha_3$. With")
    tell.says(r"the weights are $\mathbf{w} = \alpha_1 \mathbf{u} + \alpha_3 \mathbf{v}$ and")
    free = np.array([0.3, 0.9])
    at = {r"\alpha_1": free[0], r"\alpha_3": free[1]}
    tell.says(r"the dual is $#$. Both derivatives are 0 if", At(at, 2 * free.sum() - np.sum((free @ [u, v]) ** 2) / 2))
    tell.says(r"$$\n#\, \alpha_1 + #\, \alpha_3 = 2, \qquad #\, \alpha_1 + #\, \alpha_3 = 2,\n$$".replace(r"\n", "\n"),
              u @ u, u @ v, u @ v, v @ v)  # fmt: skip
    a, c = np.linalg.solve([[u @ u, u @ v], [u @ v, v @ v]], [2, 2])
    tell.says(r"that is $\alpha_1 = #$, $\alpha_3 = #$.", a, c)
    if min(a, c) > 0:
        tell.says(r"support vectors and $\alpha_2 = #$.", alpha[1])
        return
    out, kept, d = (1, 3, v) if a <= 0 else (3, 1, u)
    tell.says(
        rf"so $\alpha_{out} = 0$, and the other two are a pair: $\alpha_{kept} = \alpha_2 = 2 / # = #$.",
        d @ d,
        2 / (d @ d),
    )
    tell.says(rf"Below, $y_{out} f(\mathbf{{x}}_{out}) = # > 1$:", score[out - 1])


@each_seed()
def test_every_number_of_a_soft_margin(seed):
    drill = drawn("svm-support-vectors", seed)
    g, answer = drill.given, drill.answer
    X, y, query, C = np.array(g["X"]), np.array(g["y"]), np.array(g["query"]), g["C"]
    alpha = np.array([float(Fraction(a).limit_denominator(2000)) for a in g["alpha"]])
    w = (alpha * y) @ X
    free = [k for k, a in enumerate(alpha) if 0 < a < C]
    b = y[free[0]] - X[free[0]] @ w
    f = X @ w + b
    symbols = {r"\mathbf{w}": w, "b": b, "C": C, r"f(\mathbf{x})": query @ w + b, r"\mathbf{x}": query}
    for k in range(len(X)):
        symbols |= {rf"\alpha_{k + 1}": alpha[k], f"y_{k + 1}": y[k], rf"\mathbf{{x}}_{k + 1}": X[k]}
        symbols |= {rf"f(\mathbf{{x}}_{k + 1})": f[k]}
    rows = [[k + 1, X[k], f"{y[k]:+d}", alpha[k]] for k in range(len(X))]
    ask, tell = pages(drill, symbols)
    ask.says(r"the margin $1 / \lVert \mathbf{w} \rVert$ (1")
    ask.table(*([*row, None, None, None] for row in rows))
    ask.done()
    support = [k for k, a in enumerate(alpha) if a]
    terms = " ".join(rf"{'+' if y[k] > 0 else '-'} # \, #" for k in support).removeprefix("+ ")
    tell.says(rf"$\mathbf{{w}} = {terms} = #$.", *(v for k in support for v in (alpha[k], X[k])), w)
    s = free[0] + 1
    relation = rf"$y_{s} f(\mathbf{{x}}_{s}) = 1$ and $b = y_{s} - \mathbf{{w}}^\top \mathbf{{x}}_{s} = #$."
    tell.says(rf"$0 < \alpha_{s} < C$, so {relation}", b)
    tell.table(*([*row, f[k], max(0, 1 - y[k] * f[k]), answer["kinds"][k]] for k, row in enumerate(rows)))
    wrong = ", ".join(str(k + 1) for k in range(len(X)) if y[k] * f[k] < 0) or "none"
    tell.says(r"Misclassified (1 mark): #; exactly the points with $\xi_n > 1$.", wrong)
    tell.says("so the class is $#$.", "+1" if query @ w + b > 0 else "-1")
    tell.says(r"A vector with $\alpha_n = C$ may have slack")
    tell.done()


@pytest.mark.equation("svm-xor-multipliers", "svm-xor-score", "svm-kernel-score", "svm-sum-alpha")
@each_seed()
def test_kernel_xor_in_fractions(seed):
    drill = drawn("svm-kernel-xor", seed)
    g, answer = json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))
    X, y, query = g["X"], g["y"], g["query"]
    kernel = lambda p, q: (dot(p, q) + g["c"]) ** 2
    sides = {(abs(p), abs(q)) for p, q in X}
    assert len(sides) == 1 and len({tuple(p) for p in X}) == 4  # noqa: PT018
    assert len({t * p * q for (p, q), t in zip(X, y, strict=True)}) == 1  # labelled crosswise
    alpha, _, b = hard_margin_by_enumeration(X, y, kernel)
    score = lambda x: sum(a * t * kernel(p, x) for a, t, p in zip(alpha, y, X, strict=True)) + b
    assert answer["gram"] == [[kernel(p, q) for q in X] for p in X]
    assert all(close(p, q) for p, q in zip(answer["alpha"], alpha, strict=True))
    assert close(answer["b"], b)
    for p, q in [(1, 1), (2, -3), (Fraction(1, 2), 5)]:  # the score is the claimed multiple of x_1 x_2 everywhere
        assert close(answer["slope"] * float(p * q), score((p, q)))
    w_sq = sum(a * c * s * t * kernel(p, q) for a, s, p in zip(alpha, y, X, strict=True)
               for c, t, q in zip(alpha, y, X, strict=True))  # fmt: skip
    assert close(answer["margin"], 1 / math.sqrt(w_sq))
    assert close(answer["score"], score(query))
    assert answer["label"] == (1 if score(query) > 0 else -1)


def test_kernel_xor_draws_both_labellings_and_every_constant():
    drills = [drawn("svm-kernel-xor", seed) for seed in range(40)]
    assert {d.given["y"][0] * np.sign(np.prod(d.given["X"][0])) for d in drills} == {-1, 1}
    assert {d.given["c"] for d in drills} == {1, 2, 3}
    assert {tuple(sorted(map(abs, d.given["X"][0]))) for d in drills} >= {(1, 1), (1, 2), (2, 3)}
    assert {d.answer["label"] for d in drills} == {-1, 1}


@each_seed()
def test_every_number_of_a_kernel_xor(seed):
    drill = drawn("svm-kernel-xor", seed)
    X, y, c = np.array(drill.given["X"]), np.array(drill.given["y"]), drill.given["c"]
    query = np.array(drill.given["query"])
    K = (X @ X.T + c) ** 2
    a = float(hard_margin_by_enumeration(X.tolist(), y.tolist(), lambda p, q: (dot(p, q) + c) ** 2)[0][0])
    score = lambda x: a * y @ (X @ x + c) ** 2
    cross = y[0] * X[0].prod()
    symbols = {r"\mathbf{K}": K, "a": a, "b": 0, "c": c, "y_1": y[0]}
    symbols |= {r"\mathbf{x}": query, r"f(\mathbf{x})": score(query)}
    ask, tell = pages(drill, symbols)
    points = ", ".join("$(#; #)$" for _ in X)
    ask.says(f"The points {points} are given", *(v for k in range(4) for v in (X[k], f"{y[k]:+d}")))
    ask.says(rf"$k(\mathbf{{x}}, \mathbf{{z}}) = (\mathbf{{x}}^\top \mathbf{{z}} + {c})^2$:")
    ask.says("as a polynomial in $x_1$ and $x_2$: it is a multiple of $x_1 x_2$")
    ask.done()
    tell.says(
        r"is $1 - y_n \sum_m \alpha_m y_m K_{nm}$. Where $\alpha_n > 0$ it equals $y_n b$, with "
        r"$b$ as the multiplier of the constraint $\sum_n \alpha_n y_n = 0$."
    )
    tell.says(
        r"holds the same four numbers, so try $\alpha_n = a$ for all $n$, and $b = 0$: $a\, (#) = #\, a = 1$, that is "
        "$a = #$.",
        y[0] * y @ K[0],
        1 / a,
        a,
    )
    tell.says(r"add up to 0, so $\sum_n \alpha_n y_n = 0$:")
    tell.says(r"$b = y_1 - \sum_m \alpha_m y_m K_{1m} = #$.", y[0] - a * y @ K[0])
    tell.says(rf"$f(\mathbf{{x}}) = # \sum_m y_m (\mathbf{{x}}_m^\top \mathbf{{x}} + {c})^2$. Squares", a)
    tell.says(r"has $y_m x_{m1} x_{m2} = #$, so", cross)
    slope = score(np.array([1, 1]))
    free = {"x_1": 1.5, "x_2": -0.4}
    tell.says(r"add up to $#$: $f(\mathbf{x}) = #$.", *[At(free, slope * 1.5 * -0.4)] * 2)
    tell.says(r"the sum of the multipliers, $#$. So", 4 * a)
    tell.says(r"the margin $1 / \lVert \mathbf{w} \rVert$ is $#$.", (4 * a) ** -0.5)
    tell.says("so the class is $#$.", "+1" if score(query) > 0 else "-1")
    tell.done()
