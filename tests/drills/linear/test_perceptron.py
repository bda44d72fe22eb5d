"""Drills on the perceptron: worked again in whole numbers and fractions, without the library."""

from fractions import Fraction

import pytest

from notes_lib.linear.perceptron import margin, normalised_samples, novikoff_bound
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

NAMES = "ABCD"


def normalised(points, labels):
    return [[s * a for a in (*x, 1)] for x, s in zip(points, labels, strict=True)]


def dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def work_trace(given):
    """Passes of (score, weights after), and the counts of mistakes."""
    Z, w, passes, alpha = normalised(given["points"], given["labels"]), [0, 0, 0], [], [0] * 4
    while not passes or any(score <= 0 for score, _ in passes[-1]):
        visits = []
        for n, z in enumerate(Z):
            score = dot(w, z)
            if score <= 0:
                w = [a + b for a, b in zip(w, z, strict=True)]
                alpha[n] += 1
            visits.append((score, w))
        passes.append(visits)
    return passes, alpha


@pytest.mark.equation("perceptron-update", "perceptron-dual")
@each_seed()
def test_trace_answer(seed):
    drill = drawn("perceptron-trace", seed)
    passes, alpha = work_trace(drill.given)
    answer = drill.answer
    w = passes[-1][-1][1]
    assert len(passes) in (3, 4)
    assert answer["weights"] == [visits[-1][1] for visits in passes]
    assert answer["alpha"] == alpha
    Z = normalised(drill.given["points"], drill.given["labels"])
    assert w == [sum(a * z[j] for a, z in zip(alpha, Z, strict=True)) for j in range(3)]
    score = dot(w, [*drill.given["query"], 1])
    assert answer["score"] == score != 0
    assert answer["label"] == ("+1" if score > 0 else "-1")


@pytest.mark.equation("perceptron-margin", "perceptron-novikoff")
@each_seed()
def test_novikoff_answer(seed):
    drill = drawn("novikoff", seed)
    g, answer = drill.given, drill.answer
    Z = normalised(g["points"], g["labels"])
    scores, squares = [dot(z, g["w"]) for z in Z], [dot(z, z) for z in Z]
    assert min(scores) > 0
    assert answer["squares"] == squares
    assert answer["R2"] == max(squares)
    bound = Fraction(max(squares) * dot(g["w"], g["w"]), min(scores) ** 2)
    assert answer["gamma"] == pytest.approx(min(scores) / dot(g["w"], g["w"]) ** 0.5, rel=1e-12)
    assert answer["bound"] == pytest.approx(float(bound), rel=1e-12)
    assert answer["most"] == bound.numerator // bound.denominator


@each_seed()
def test_the_library_gives_the_same_bound(seed):
    drill = drawn("novikoff", seed)
    Z = normalised_samples(drill.given["points"], drill.given["labels"])
    assert drill.answer["gamma"] == pytest.approx(margin(Z, drill.given["w"]), rel=1e-12)
    assert drill.answer["bound"] == pytest.approx(novikoff_bound(Z, drill.given["w"]), rel=1e-12)


def work_lms(given):
    eta, w = Fraction(str(given["eta"])), [Fraction(a) for a in given["w"]]
    steps = []
    for z in given["Z"]:
        score = dot(w, z)
        new = [a + eta * (1 - score) * b for a, b in zip(w, z, strict=True)]
        steps.append((w, score, 1 - score, eta * (1 - score), new))
        w = new
    return steps


@pytest.mark.equation("perceptron-lms")
@each_seed()
def test_lms_answer(seed):
    drill = drawn("lms-step", seed)
    first, second = work_lms(drill.given)
    answer = drill.answer
    assert answer["scores"] == pytest.approx([float(first[1]), float(second[1])], abs=1e-12)
    assert answer["errors"] == pytest.approx([float(first[2]), float(second[2])], abs=1e-12)
    assert answer["w1"] == pytest.approx([float(a) for a in first[4]], abs=1e-12)
    assert answer["w2"] == pytest.approx([float(a) for a in second[4]], abs=1e-12)
    wrong = [n for n, step in enumerate((first, second), 1) if step[1] <= 0]
    assert [f"z_{n}" for n in wrong] == [answer["perceptron"]]


@each_seed()
def test_every_number_of_the_trace(seed):
    drill = drawn("perceptron-trace", seed)
    g = drill.given
    X, y = g["points"], g["labels"]
    ask, tell = pages(drill, {**{NAMES[i]: x for i, x in enumerate(X)}, "Q": g["query"]})
    groups = [" and ".join(f"${a}$" for a, s in zip(NAMES, y, strict=True) if s == sign) for sign in (1, -1)]
    ask.says(
        f"Label $+1$: {groups[0]}; label $-1$: {groups[1]}. Start from $\\mathbf{{w}}=(0, 0)$, $b=0$, use step size 1,"
    )
    ask.says("count a score of 0 as a mistake")
    ask.table(*([name, None, None, None] for name in NAMES))
    ask.done()
    passes, alpha = work_trace(g)
    tell.says(r"$y(\mathbf{w}^\top\mathbf{x}+b)\le0$;")
    for t, visits in enumerate(passes, 1):
        tell.says("**Pass #:**", t)
        tell.table(
            *(
                [("$#=#$", NAMES[n], X[n]), score, "yes" if score <= 0 else "no", w]
                for n, (score, w) in enumerate(visits)
            )
        )  # fmt: skip
    counts = ", ".join(f"{a} #" for a in NAMES)
    tell.says(f"**Counts:** {counts}.", *alpha)
    Z, w = normalised(X, y), passes[-1][-1][1]
    terms = "+".join(r"#\,#" for _ in Z)
    tell.says(f"so $(w_1, w_2, b)={terms}=#$.", *(v for a, z in zip(alpha, Z, strict=True) for v in (a, z)), w)
    tell.says("$y\\,(x_1, x_2, 1)$ once")
    score = dot(w, [*g["query"], 1])
    tell.says("**Query:** $#=#$, so $Q$ gets the class $#$.", score, score, drill.answer["label"])
    tell.done()


@each_seed()
def test_every_number_of_novikoff(seed):
    drill = drawn("novikoff", seed)
    g = drill.given
    Z, w = normalised(g["points"], g["labels"]), g["w"]
    scores, squares, length = [dot(z, w) for z in Z], [dot(z, z) for z in Z], round(dot(w, w) ** 0.5)
    ask, tell = pages(drill)
    for n, (x, s) in enumerate(zip(g["points"], g["labels"], strict=True), 1):
        ask.says("$\\mathbf{x}_#=#$ with $y_#=#$", n, x, n, s)
    ask.says("Three points:")
    ask.says("$w_1=#$, $w_2=#$ and the bias $b=#$ classify", *w)
    ask.says("third component 1.")
    ask.done()
    for n, square in enumerate(squares, 1):
        tell.says("$\\lVert(\\mathbf{x}_#, 1)\\rVert^2=#=#$", n, square, square)
    tell.says("The largest is $R^2=#$.", max(squares))
    tell.table(*([("$\\mathbf{x}_#$", n), score] for n, score in enumerate(scores, 1)))
    tell.says("$\\sqrt{#}=\\sqrt{#}=#$, so $\\gamma=#=#$.", length**2, length**2, length, min(scores) / length,
              min(scores) / length)  # fmt: skip
    bound = Fraction(max(squares) * length**2, min(scores) ** 2)
    if bound.denominator == 1:
        tell.says("**Bound:** $\\frac{R^2}{\\gamma^2}=#=#$.", *[float(bound)] * 2)
    else:
        tell.says("**Bound:** $\\frac{R^2}{\\gamma^2}=#=#\\approx#$.", *[float(bound)] * 3)
    tell.says("there are at most #.", bound.numerator // bound.denominator)
    tell.done()


@each_seed()
def test_every_number_of_lms(seed):
    drill = drawn("lms-step", seed)
    g = drill.given
    ask, tell = pages(drill)
    ask.says("$\\mathbf{z}_1=y_1(\\mathbf{x}_1, 1)=#$ and $\\mathbf{z}_2=#$; both have the target 1.", *g["Z"])
    ask.says("Start from $\\mathbf{w}=#$, whose", g["w"])
    ask.says("$\\eta=#$.", g["eta"])
    ask.says("with $\\mathbf{z}_1$: score")
    ask.says("with $\\mathbf{z}_2$ (3")
    ask.done()
    steps = work_lms(g)
    tell.says(r"$\mathbf{w}\leftarrow\mathbf{w}+\eta\,(1-\mathbf{w}^\top\mathbf{z})\,\mathbf{z}$")
    for n, ((old, score, error, factor, new), z) in enumerate(zip(steps, g["Z"], strict=True), 1):
        before, after = ([float(a) for a in v] for v in (old, new))
        numbers = [float(v) for v in (score, score, error, error)]
        tell.says(r"**Sample #:** the score is $#=#$, the error $#=#$, and $\mathbf{w}=#+#\,#=#+#\,#=#$.", n, *numbers,
                  before, float(factor), z, before, float(factor), z, after)  # fmt: skip
    wrong = next(n for n, step in enumerate(steps, 1) if step[1] <= 0)
    tell.says(r"here at $\mathbf{z}_#$ (score $#$).", wrong, float(steps[wrong - 1][1]))
    tell.says(r"at $\mathbf{z}_#$, which was classified right with score $#$: it asks for the score 1, not", 3 - wrong,
              float(steps[2 - wrong][1]))  # fmt: skip
    tell.done()
