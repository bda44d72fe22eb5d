"""Drills on principal components: worked again in fractions, without the library."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.drills.exact import dot, exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

TOPICS = ("pca-by-hand", "explained-variance", "karhunen-loeve")


def products_mean(points):
    """Mean of the products of coordinates."""
    n = len(points)
    return [[sum((p[i] * p[j] for p in points), Fraction(0)) / n for j in range(2)] for i in range(2)]


def eigenvalues(S):
    """Of a symmetric 2 x 2 matrix, by the quadratic formula; the discriminant must be a square."""
    (a, b), (_, c) = S
    under = (a - c) ** 2 + 4 * b * b
    root = Fraction(math.isqrt(under.numerator), math.isqrt(under.denominator))
    assert root**2 == under
    return (a + c + root) / 2, (a + c - root) / 2


def times(S, v):
    return [dot(row, v) for row in S]


def work_pca(g):
    X, q = exact(g["points"]), exact(g["new"])
    n = len(X)
    mean = [sum(c) / n for c in zip(*X, strict=True)]
    away = [[a - b for a, b in zip(x, mean, strict=True)] for x in X]
    return mean, away, products_mean(away), q


@pytest.mark.equation("pca-covariance", "pca-eigen", "pca-reconstruction")
@each_seed()
def test_pca_answer(seed):
    _, g, answer = load("pca-by-hand", seed)
    mean, away, S, q = work_pca(g)
    large, small = eigenvalues(S)
    assert answer["mean"] == [float(v) for v in mean]
    assert np.allclose(answer["covariance"], [[float(v) for v in row] for row in S], atol=1e-9)
    assert near(answer["eigenvalues"][0], large)
    assert near(answer["eigenvalues"][1], small)
    assert large > small > 0
    u = answer["direction"]
    assert times(S, u) == [large * k for k in u]
    assert near(answer["share"], large / (large + small))
    gap = [a - b for a, b in zip(q, mean, strict=True)]
    length = dot(u, u)
    assert answer["score"] == pytest.approx(float(dot(gap, u)) / math.sqrt(length), abs=1e-8)
    rebuilt = [m + dot(gap, u) / length * k for m, k in zip(mean, u, strict=True)]
    assert all(near(a, b) for a, b in zip(answer["rebuilt"], rebuilt, strict=True))
    across = [-u[1], u[0]]
    assert near(answer["apart"], dot(gap, across) ** 2 / length)
    lost = sum((dot(d, d) - dot(d, u) ** 2 / length for d in away), Fraction(0)) / len(away)
    assert near(answer["error"], lost)
    assert u[0] > 0
    assert answer["apart"] > 0


@pytest.mark.equation("pca-share", "pca-trace", "pca-loadings")
@each_seed()
def test_explained_variance_answer(seed):
    _, g, answer = load("explained-variance", seed)
    values = [exact(answer["missing"]) if v is None else exact(v) for v in g["eigenvalues"]]
    D, e = len(values), exact(g["entry"])
    assert sum(values) == D
    assert values == sorted(values, reverse=True)
    total = [sum(values[: i + 1]) / D for i in range(D)]
    assert all(near(a, b) for a, b in zip(answer["cumulative"], total, strict=True))
    k = answer["needed"]
    assert total[k - 1] > exact(g["share"]) >= total[k - 2]
    assert answer["kaiser"] == sum(v > 1 for v in values)
    assert near(answer["error"], sum(values[k:]))
    assert near(answer["noise"], sum(values[k:]) / (D - k))
    assert answer["loading"] ** 2 == pytest.approx(float(e * e * values[0]), abs=1e-8)
    assert near(answer["explained"], e * e * values[0])
    assert answer["explained"] < 1


def work_classes(g):
    p = exact(g["prior"])
    A, B = exact(g["class_1"]), exact(g["class_2"])
    parts = [products_mean(P) for P in (A, B)]
    R = [[p * parts[0][i][j] + (1 - p) * parts[1][i][j] for j in range(2)] for i in range(2)]
    mean = [p * sum(x[i] for x in A) / 2 + (1 - p) * sum(x[i] for x in B) / 2 for i in range(2)]
    return p, A + B, parts, R, mean


@pytest.mark.equation("pca-autocorrelation")
@each_seed()
def test_karhunen_loeve_answer(seed):
    _, g, answer = load("karhunen-loeve", seed)
    _, X, _, R, mean = work_classes(g)
    large, small = eigenvalues(R)
    assert np.allclose(answer["R"], [[float(v) for v in row] for row in R], atol=1e-9)
    assert near(answer["eigenvalues"][0], large)
    assert near(answer["eigenvalues"][1], small)
    u = answer["direction"]
    assert times(R, u) == [large * k for k in u]
    assert u[0] > 0
    for x, z in zip(X, answer["coordinates"], strict=True):
        assert z == pytest.approx(float(dot(x, u)) / math.sqrt(dot(u, u)), abs=1e-8)
    assert near(answer["error"], small)
    assert all(near(a, b) for a, b in zip(answer["mean"], mean, strict=True))
    S = [[R[i][j] - mean[i] * mean[j] for j in range(2)] for i in range(2)]
    assert near(answer["centred"], eigenvalues(S)[0])


def test_both_directions_of_the_centred_matrix_occur():
    kept = set()
    for seed in range(40):
        drill = drawn("karhunen-loeve", seed)
        kept.add("PCA keeps the same direction" in drill.solution)
        _, _, _, R, mean = work_classes(drill.given)
        S = [[R[i][j] - mean[i] * mean[j] for j in range(2)] for i in range(2)]
        large, u = eigenvalues(S)[0], drill.answer["direction"]
        assert ("PCA keeps the same direction" in drill.solution) == (times(S, u) == [large * k for k in u])
    assert kept == {True, False}


@each_seed()
def test_every_number_of_pca_by_hand(seed):
    drill = drawn("pca-by-hand", seed)
    g, answer = drill.given, drill.answer
    mean, away, S, q = work_pca(g)
    large, small = eigenvalues(S)
    u, n = answer["direction"], len(away)
    gap = [a - b for a, b in zip(q, mean, strict=True)]
    ask, tell = pages(drill, {r"\mathbf{S}": [[float(v) for v in row] for row in S]})
    points = [f"({x:g}, {y:g})" for x, y in g["points"]]
    ask.says("A sample has the points #. Divide sums by $N=#$.", ", ".join(f"${p}$" for p in points), n)
    ask.says("Give the score of the new point $#$", f"({q[0]}, {q[1]})")
    ask.table(*([f"${p}$", None, None, None, None] for p in points))
    ask.done()
    tell.says("**Mean:** $#$.", f"({mean[0]}, {mean[1]})")
    tell.table(*([f"${p}$", f"$({a}, {b})$", float(a * a), float(a * b), float(b * b)]
                 for p, (a, b) in zip(points, away, strict=True)))  # fmt: skip
    tell.says("divided by $#$, are", n)
    tell.says("the trace is $#$ and", float(large + small))
    tell.says(r"$\lambda_1=#$ and $\lambda_2=#$", float(large), float(small))
    tell.says("so $#$ belongs", f"({u[0]}, {u[1]})")
    tell.says("its deviation $#$ has the inner product $#$ with $#$, whose squared length is $#$.",
              f"({gap[0]}, {gap[1]})", float(dot(gap, u)), f"({u[0]}, {u[1]})", float(dot(u, u)))  # fmt: skip
    tell.says(r"The score is $#$.", answer["score"])
    rebuilt = ", ".join(_short(v) for v in exact(answer["rebuilt"]))
    tell.says("the mean and $#$ times $#$, so $#$.", float(dot(gap, u) / dot(u, u)), f"({u[0]}, {u[1]})",
              f"({rebuilt})")  # fmt: skip
    tell.says("The squared distance is $#$.", answer["apart"])
    tell.says("the second eigenvalue, $#$, is what", float(small))
    tell.done()


def _short(value):
    """A decimal of at most four places, or a fraction."""
    if 10_000 % value.denominator == 0:
        return f"{float(value):.10g}"
    sign = "-" if value < 0 else ""
    return rf"{sign}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"


@each_seed()
def test_every_number_of_explained_variance(seed):
    drill = drawn("explained-variance", seed)
    g, answer = drill.given, drill.answer
    values = [answer["missing"] if v is None else v for v in g["eigenvalues"]]
    D, k = len(values), answer["needed"]
    ask, tell = pages(drill)
    shown = ", ".join("?" if v is None else f"{v:g}" for v in g["eigenvalues"])
    ask.says("# features were standardised (variance 1). The eigenvalues of their correlation matrix are #, in "
             "descending order.", str(D), shown)  # fmt: skip
    ask.says("more than # % of the variance?", f"{100 * g['share']:.0f}")
    ask.says("With the number of part 3, give")
    ask.says("A feature has the entry # in the", f"{g['entry']:g}")
    ask.done()
    tell.says("is the number of features, $#$.", answer["missing"])
    tell.table(*([str(i + 1), v, f"{sum(values[: i + 1]) / D:.3f}"] for i, v in enumerate(values)))
    tell.says("**Needed:** #, because # explain only $#$. **Kaiser:** # eigenvalues are above 1.", str(k), str(k - 1),
              f"{answer['cumulative'][k - 2]:.3f}", str(answer["kaiser"]))  # fmt: skip
    tell.says("left out, $#$. **Noise:** their mean, $#$.", answer["error"], answer["noise"])
    tell.says("the correlation is $#$, and its square is $#$.", g["entry"] * math.sqrt(values[0]),
              answer["explained"])  # fmt: skip
    tell.done()


@each_seed()
def test_every_number_of_karhunen_loeve(seed):
    drill = drawn("karhunen-loeve", seed)
    g, answer = drill.given, drill.answer
    p, X, parts, R, mean = work_classes(g)
    large, small = eigenvalues(R)
    u = answer["direction"]
    plain = lambda S: [[float(v) for v in row] for row in S]
    point = lambda x: f"({x[0]}, {x[1]})"
    ask, tell = pages(drill, {r"\mathbf{R}": plain(R)})
    first, second = (", ".join(f"${point(x)}$" for x in X[k : k + 2]) for k in (0, 2))
    ask.says("Class 1 has the patterns # and the prior $#$, class 2 has # and the prior $#$.", first, float(p), second,
             float(1 - p))  # fmt: skip
    ask.done()
    tell.says("are $#$ and $#$, so", plain(parts[0]), plain(parts[1]))
    tell.says("trace $#$, determinant", float(large + small))
    tell.says(r"$\lambda_1=#$ and $\lambda_2=#$", float(large), float(small))
    tell.says("so $#$ is kept.", point(u))
    names = ["first of class 1", "second of class 1", "first of class 2", "second of class 2"]
    tell.table(*([name, f"${point(x)}$", float(dot(x, u)), float(dot(x, u)), z]
                 for name, x, z in zip(names, X, answer["coordinates"], strict=True)))  # fmt: skip
    tell.says("the eigenvalue that is dropped, $#$.", float(small))
    S = [[R[i][j] - mean[i] * mean[j] for j in range(2)] for i in range(2)]
    tex = ", ".join(_fraction(v) for v in mean)
    tell.says("the expectation is $#$, and", f"({tex})")
    tell.says("product with itself is $#$, with", plain(S))
    along = large - dot(mean, u) ** 2 / dot(u, u)
    tell.says("Along $#$ the variance is $#$, along $#$ it is $#$, so the largest is $#$:", point(u), float(along),
              f"({-u[1]}, {u[0]})", float(small), answer["centred"])  # fmt: skip
    tell.done()


def _fraction(value):
    if value.denominator == 1:
        return str(value.numerator)
    return rf"{'-' if value < 0 else ''}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def test_marks_add_up():
    for topic in TOPICS:
        drill = drawn(topic, 0)
        assert sum(field.marks for field in drill.fields) == drill.marks
