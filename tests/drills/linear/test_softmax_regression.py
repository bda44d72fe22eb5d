"""The drill on softmax regression: worked again in fractions and Python's own exponentials, without the library."""

import math
from fractions import Fraction

import pytest

from tests.drills.arithmetic import CARRIED
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def work(given):
    """Gradient and new weights in fractions, then the scores of the first instance, their exponentials, its loss."""
    eta = Fraction(str(given["eta"]))
    G = [
        [
            sum((Fraction(1, 3) - (c == k)) * x[j] for x, c in zip(given["X"], given["classes"], strict=True))
            for j in range(2)
        ]
        for k in (1, 2, 3)
    ]
    W = [[-eta * g for g in row] for row in G]
    scores = [sum(w * x for w, x in zip(row, given["X"][0], strict=True)) for row in W]
    powers = [math.exp(a) for a in scores]
    loss = math.log(sum(powers)) - float(scores[given["classes"][0] - 1])
    return G, W, scores, powers, loss


def floats(values):
    return [[float(v) for v in row] for row in values]


@pytest.mark.equation("softmax-regression-gradient", "softmax-regression-step", "softmax-regression-softmax")
@each_seed()
def test_step_answer(seed):
    drill = drawn("softmax-step", seed)
    g, answer = drill.given, drill.answer
    G, W, scores, powers, loss = work(g)
    assert answer["p"] == pytest.approx([1 / 3] * 3, abs=1e-12)
    assert answer["loss"] == pytest.approx(math.log(9), rel=1e-12)
    for name, rows in (("G", G), ("W", W)):
        for mine, row in zip(answer[name], floats(rows), strict=True):
            assert mine == pytest.approx(row, abs=1e-12)
    assert answer["scores"] == pytest.approx([float(a) for a in scores], abs=1e-12)
    assert answer["P"] == pytest.approx([e / sum(powers) for e in powers], rel=1e-12)
    assert answer["loss_1"] == pytest.approx(loss, rel=1e-12)
    assert loss < math.log(3)
    assert len(set(g["classes"])) == 2


def test_both_step_sizes_occur():
    assert {drawn("softmax-step", seed).given["eta"] for seed in SEEDS} == {0.3, 0.6}


@each_seed()
def test_every_number_of_the_step(seed):
    drill = drawn("softmax-step", seed)
    g = drill.given
    G, W, scores, powers, loss = work(g)
    G, W, scores, total = floats(G), floats(W), [float(a) for a in scores], sum(powers)
    (first, second), (own, other) = g["X"], g["classes"]
    ask, tell = pages(drill, rounding=CARRIED)
    ask.says("$\\mathbf{x}_1=#$ of class # and $\\mathbf{x}_2=#$ of class #. The loss", first, own, second, other)
    ask.says("with step size $\\eta=#$ (2", g["eta"])
    ask.says("scores and the probabilities of $\\mathbf{x}_1$ after")
    ask.done()
    tell.says("scores are 0, so each class has the probability $#$ (1 mark)", 1 / 3)
    tell.says("the loss $#$, together $#=#$ (1 mark)", math.log(3), math.log(9), math.log(9))
    tell.says(r"row $k$ is $\sum_n (p_{nk}-y_{nk})\,\mathbf{x}_n$")
    for k in (1, 2, 3):
        tell.says("- class #: $#=#$", k, G[k - 1], G[k - 1])
    tell.says("subtract $#$ times the gradient", g["eta"])
    for k in (1, 2, 3):
        tell.says("- $\\mathbf{w}_#=#$", k, W[k - 1])
    for k, (a, e) in enumerate(zip(scores, powers, strict=True), 1):
        tell.says("- $a_#=#=#$, $e^{#}=#$", k, a, a, a, e)
    tell.says("have the sum $#=#$ (1 mark)", total, total)
    for k, e in enumerate(powers, 1):
        tell.says("$p_#=#=#$", k, e / total, e / total)
    tell.says("**Loss** (1 mark): $#=#$; it was $#=#$.", loss, loss, math.log(3), math.log(3))
    tell.done()
