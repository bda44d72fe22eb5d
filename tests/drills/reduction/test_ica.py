"""Drills on independent components: worked again in fractions, by enumeration and by multiplying matrices."""

import json
from fractions import Fraction
from itertools import product

import pytest

from tests.drills.exact import exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def times(A, B):
    """Product of two matrices of fractions."""
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A]


def turned(A):
    """The transpose."""
    return [list(row) for row in zip(*A, strict=True)]


def column(v):
    return [[entry] for entry in v]


def all_near(values, expected):
    rows = zip(values, expected, strict=True)
    return all(near(a, b) for row, other in rows for a, b in zip(row, other, strict=True))


def unmixed(given):
    """Covariance, eigenvalues, whitening matrix, rotation, white row and sources, in fractions."""
    A, U, x = exact(given["A"]), exact(given["directions"]), exact(given["x"])
    Sigma = times(A, turned(A))
    values, V = [], []
    for u in U:
        (first,), (second,) = times(Sigma, column(u))
        value = first / u[0]
        assert second == value * u[1]
        root = Fraction(round(float(value) ** 0.5))
        assert root**2 == value
        values.append(value)
        V.append([entry / (5 * root) for entry in u])
    z = times(V, column(x))
    det = A[0][0] * A[1][1] - A[0][1] * A[1][0]
    (a, b), (c, d) = A
    inverse = [[d / det, -b / det], [-c / det, a / det]]
    return Sigma, values, V, times(V, A), [v for (v,) in z], [v for (v,) in times(inverse, column(x))]


@pytest.mark.equation("ica-covariance", "ica-whitening", "ica-rotation", "ica-count")
@each_seed()
def test_whitening_answer(seed):
    _, g, answer = load("whitening-rotation", seed)
    Sigma, values, V, Q, z, s = unmixed(g)
    one = [[1, 0], [0, 1]]
    assert all_near(answer["covariance"], Sigma)
    assert answer["eigenvalues"] == values == sorted(values, reverse=True)
    assert all_near(answer["V"], V)
    assert all(row[0] > 0 for row in V)
    assert times(times(V, Sigma), turned(V)) == one
    assert all_near(answer["Q"], Q)
    assert times(Q, turned(Q)) == one
    assert all_near([answer["z"]], [z])
    assert answer["s"] == s == [v for (v,) in times(turned(Q), column(z))]
    D = g["sources"]
    assert answer["known"] == len({tuple(sorted(pair)) for pair in product(range(D), repeat=2)})
    assert answer["known"] + answer["left"] == D * D


@each_seed()
def test_every_number_of_the_whitening_drill(seed):
    drill = drawn("whitening-rotation", seed)
    g = drill.given
    Sigma, values, V, Q, z, s = unmixed(g)
    D, A, U = g["sources"], exact(g["A"]), exact(g["directions"])
    floats = lambda M: [[float(v) for v in row] for row in M]
    ask, tell = pages(drill, {r"\mathbf{A}": floats(A), r"\mathbf{V}": floats(V), r"\mathbf{Q}": floats(Q)})
    ask.says(
        r"of mean 0 and variance 1 are mixed by $\mathbf{x} = \mathbf{A}\mathbf{s}$ with $\mathbf{A} = #$.", floats(A)
    )
    ask.says("Its eigenvectors are $#$ and $#$, not", *(floats(column(u)) for u in U))
    ask.says(r"Whiten $\mathbf{x} = #$ to", floats(column(exact(g["x"]))))
    ask.says("There are # sources now", str(D))
    ask.done()
    tell.says("by its length 5 and by the root of its eigenvalue, $#$ and $#$:", *(float(v) ** 0.5 for v in values))
    tell.says(r"**Covariance:** $\mathbf{A}\mathbf{A}^\top = #$.", floats(Sigma))
    eigen = [floats(times(Sigma, column(u))) for u in U]
    tell.says(r"**Eigenvalues:** $#$ and $#$.", *eigen)
    tell.says(r"$\mathbf{V} = #$.", floats(V))
    tell.says(r"**Rotation:** $\mathbf{Q} = #$. Its columns have length 1", floats(Q))
    tell.says(r"**One row:** $\mathbf{z} = \mathbf{V}\mathbf{x} = #$, and", floats(column(z)))
    tell.says("the rotation: $#$.", floats(column(s)))
    tell.says(r"holds $#$ numbers; $\mathbf{A}$ has $#$ more", D * (D + 1) / 2, D * (D - 1) / 2)
    tell.done()


def cases(a, p):
    """Values and probabilities, of variance 1 only after scaling."""
    return [(-a, p), (0, 1 - 2 * p), (a, p)]


def moment(law, n):
    return sum(p * v**n for v, p in law)


def mixture(given):
    """Everything in fractions, from sums over all nine cases; squares of the scale are fractions, the scale is not."""
    (a, b), (p, q) = given["values"], [Fraction(*pair) for pair in given["probabilities"]]
    first, second = cases(a, p), cases(b, q)
    variances = [moment(law, 2) for law in (first, second)]
    kurtosis = [moment(law, 4) / v**2 - 3 for law, v in zip((first, second), variances, strict=True)]
    c, s = exact(given["w"])
    u, v = variances
    # E y^4 with y = c s1 + s s2: odd powers have mean 0, so that only even powers of the scales occur
    fourth = c**4 * moment(first, 4) / u**2 + 6 * c**2 * s**2 + s**4 * moment(second, 4) / v**2
    step = [
        c**3 * moment(first, 4) / u**2 + 3 * c * s**2 - 3 * c,
        s**3 * moment(second, 4) / v**2 + 3 * s * c**2 - 3 * s,
    ]
    ratios = [s / c, step[1] / step[0]]
    ratios.append(kurtosis[1] / kurtosis[0] * ratios[1] ** 3)
    return variances, kurtosis, fourth - 3, step, ratios


@pytest.mark.equation("ica-kurtosis", "ica-kurtosis-angle", "ica-cubic", "ica-cubic-ratio")
@each_seed()
def test_kurtosis_answer(seed):
    _, g, answer = load("kurtosis-contrast", seed)
    variances, kurtosis, mixed, step, ratios = mixture(g)
    assert all_near([answer["variances"]], [variances])
    assert all_near([answer["kurtosis"]], [kurtosis])
    assert near(answer["mixture"], mixed)
    assert all_near([answer["step"]], [step])
    assert all_near([answer["ratios"]], [ratios])
    r = ratios[-1]
    for _ in range(4):
        r = float(kurtosis[1] / kurtosis[0]) * float(r) ** 3 if abs(r) < 1e9 else r
    assert answer["leads"] == ("first" if abs(r) < abs(ratios[0]) else "second")
    assert answer["strongest"] == ("first" if abs(kurtosis[0]) > abs(kurtosis[1]) else "second")
    assert 0 not in kurtosis


def test_both_answers_of_each_question_occur():
    answers = [drawn("kurtosis-contrast", s).answer for s in range(30)]
    for name in ("leads", "strongest"):
        assert {answer[name] for answer in answers} == {"first", "second"}
    assert any(answer["leads"] != answer["strongest"] for answer in answers)
    assert any(min(answer["kurtosis"]) < 0 for answer in answers)
    determinants = {
        round(a * d - b * c) > 0 for (a, b), (c, d) in (drawn("whitening-rotation", s).answer["Q"] for s in range(30))
    }
    assert determinants == {True, False}


@each_seed()
def test_every_number_of_the_kurtosis_drill(seed):
    drill = drawn("kurtosis-contrast", seed)
    g, answer = drill.given, drill.answer
    (a, b), (p, q) = g["values"], [Fraction(*pair) for pair in g["probabilities"]]
    variances, kurtosis, mixed, step, ratios = mixture(g)
    c, s = g["w"]
    gain = kurtosis[1] / kurtosis[0]
    ask, tell = pages(drill)
    for which, value, share in (("first", a, p), ("second", b, q)):
        ask.says(f"the {which} one $-#$, 0 and $#$ with the probabilities $#$, $#$, $#$", value, value, share,
                 1 - 2 * share, share)  # fmt: skip
    ask.says("Two independent sources take three values each")
    ask.says("scaled to variance 1. Give the excess kurtosis of their sum with the weights $#$ and $#$ (2", c, s)
    ask.says(r"the cube from $\mathbf{w} = #$, without scaling it to length 1", [[c], [s]])
    ask.says("Give the ratio $w_2/w_1$ at the start, after one step and after two")
    ask.done()
    tell.says("**Variance:** $#$ and $#$.", *variances)
    tell.says(r"minus 3. With $2p$ for the probability of a value that is not 0, this is $\tfrac{1}{2p} - 3$: $#$ and "
              "$#$, whatever", *kurtosis)  # fmt: skip
    tell.says("since the sources are independent: $#$.", mixed)
    tell.says("by the kurtosis of its source: $#$ and $#$.", *step)
    tell.says(r"**Ratio:** $#$. A step cubes the ratio and multiplies it by $#$: it becomes $#$ and then "
              r"$#\approx#$.", ratios[0], gain, ratios[1], *[ratios[2]] * 2)  # fmt: skip
    smaller = "smaller" if answer["leads"] == "first" else "larger"
    tell.says("the ratio becomes # in size with each step, so the steps lead to the # source", smaller, answer["leads"])
    sizes = sorted((abs(k) for k in kurtosis), reverse=True)
    tell.says("is largest along the # source: $#$ against $#$.", answer["strongest"], *sizes)
    tell.done()


def test_given_and_answers_are_plain_data():
    for topic in ("whitening-rotation", "kurtosis-contrast"):
        for seed in SEEDS[:5]:
            json.dumps([drawn(topic, seed).given, drawn(topic, seed).answer])
