"""Drills on optimisation: answers recomputed in fractions from what is given, without the library."""

import json
import re
from fractions import Fraction
from itertools import product

import pytest

from notes_lib.drills import draw
from notes_lib.drills.foundations.optimization import _number

SEEDS = range(200)
TOPICS = ["lagrange-multiplier", "kkt-qp", "gradient-step", "newton-step"]


def drawn(topic, seed):
    drill = draw(topic, seed)
    return drill, json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))


def exact(value):
    """Nested lists of floats that are whole numbers or short decimals, as fractions."""
    if isinstance(value, list):
        return [exact(v) for v in value]
    return Fraction(value).limit_denominator(10_000)


def near(value, expected):
    """Answers are rounded to nine digits."""
    return abs(value - expected) < 1e-8 * max(1, abs(expected))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def solve(M, b):
    """Gaussian elimination in fractions; None if singular."""
    n = len(b)
    rows = [[Fraction(v) for v in row] + [Fraction(t)] for row, t in zip(M, b, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * c for a, c in zip(rows[i], rows[k], strict=True)]
    return [rows[k][n] / rows[k][k] for k in range(n)]


@pytest.mark.equation("optimization-lagrange-several", "optimization-sensitivity")
@pytest.mark.parametrize("seed", SEEDS)
def test_lagrange(seed):
    drill, g, answer = drawn("lagrange-multiplier", seed)
    q, A, b = exact(g["q"]), exact(g["A"]), exact(g["b"])
    d, m = len(q), len(b)
    # eliminate instead of multiplying: the feasible points are a line x = p + t v, and f is a parabola on it
    if m == 1:
        p, v = [b[0] / A[0][0], Fraction(0)], [-A[0][1], A[0][0]]
    else:
        first, second = A
        v = [first[(i + 1) % 3] * second[(i + 2) % 3] - first[(i + 2) % 3] * second[(i + 1) % 3] for i in range(3)]
        free = next(i for i in range(3) if v[i])
        kept = [i for i in range(3) if i != free]
        part = solve([[row[i] for i in kept] for row in A], b)
        p = [Fraction(0)] * 3
        p[kept[0]], p[kept[1]] = part
    t = -(2 * dot(p, v) + dot(q, v)) / (2 * dot(v, v))
    x = [a + t * c for a, c in zip(p, v, strict=True)]
    value = dot(x, x) + dot(q, x)
    assert all(near(a, c) for a, c in zip(answer["x"], x, strict=True))
    assert near(answer["minimum"], value)
    gradient = [2 * a + c for a, c in zip(x, q, strict=True)]
    lam = exact(answer["lam"])
    assert all(gradient[j] + sum(lam[i] * A[i][j] for i in range(m)) == 0 for j in range(d))
    assert near(answer["change"], -lam[0] * exact(g["change"]))
    for number in [*x, value, *lam, -lam[0] * exact(g["change"])]:
        assert _number(float(number)) in drill.solution


@pytest.mark.equation("optimization-kkt-stationarity", "optimization-kkt-slackness", "optimization-qp-dual")
@pytest.mark.parametrize("seed", SEEDS)
def test_program(seed):
    drill, g, answer = drawn("kkt-qp", seed)
    P, q, G, h = (exact(g[k]) for k in ("P", "q", "G", "h"))
    x, mu = exact(answer["x"]), exact(answer["mu"])
    f = lambda x: dot(x, [dot(row, x) for row in P]) / 2 + dot(q, x)
    slack = [dot(row, x) - t for row, t in zip(G, h, strict=True)]
    assert all(s <= 0 for s in slack)
    assert all(a >= 0 for a in mu)
    assert all(a * s == 0 for a, s in zip(mu, slack, strict=True))
    assert all(dot(P[j], x) + q[j] + sum(mu[i] * G[i][j] for i in range(2)) == 0 for j in range(2))
    assert near(answer["minimum"], f(x))

    def theta(mu):  # the Lagrangian at its minimiser, variable by variable, for P is diagonal
        y = [-(q[j] + sum(mu[i] * G[i][j] for i in range(2))) / P[j][j] for j in range(2)]
        return f(y) + sum(mu[i] * (dot(G[i], y) - h[i]) for i in range(2))

    assert theta(mu) == f(x)
    assert near(answer["dual"], f(x))
    for trial in product([0, 1, 5], repeat=2):
        K, r, c = answer["K"], answer["r"], answer["c"]
        quadratic = sum(K[i][j] * trial[i] * trial[j] for i in range(2) for j in range(2))
        assert near(-quadratic / 2 - dot(r, trial) - c, theta([Fraction(v) for v in trial]))
        assert theta([Fraction(v) for v in trial]) <= f(x)
    guess, trial = exact(g["guess"]), exact(g["trial"])
    assert all(dot(row, guess) <= t for row, t in zip(G, h, strict=True))
    assert guess != x
    assert min(trial) >= 0
    assert near(answer["bound"], f(guess) - theta(trial))
    for number in [*x, *mu, f(x), f(guess), theta(trial), f(guess) - theta(trial), f(guess) - f(x)]:
        assert _number(float(number)) in drill.solution
    assert drill.solution.count("| all hold |") >= 1
    assert "(largest violation 0)" in drill.solution


@pytest.mark.equation("optimization-gradient-step", "optimization-stable-step", "optimization-best-step")
@pytest.mark.parametrize("seed", SEEDS)
def test_gradient_steps(seed):
    drill, g, answer = drawn("gradient-step", seed)
    P, q, x, rate = exact(g["P"]), exact(g["q"]), exact(g["x0"]), exact(g["learning_rate"])
    f = lambda x: dot(x, [dot(row, x) for row in P]) / 2 + dot(q, x)
    points = []
    for t in range(2):
        x = [x[j] - rate * (dot(P[j], x) + q[j]) for j in range(2)]
        points.append(x)
        assert all(near(a, c) for a, c in zip(answer["points"][t], x, strict=True))
        assert near(answer["values"][t], f(x))
    trace, det = P[0][0] + P[1][1], P[0][0] * P[1][1] - P[0][1] ** 2
    root = next(r for r in range(30) if r * r == trace**2 - 4 * det)  # the eigenvalues are whole numbers
    low, high = (trace - root) / 2, (trace + root) / 2
    assert near(answer["largest"], 2 / high)
    assert answer["converges"] == (rate * high < 2)
    assert near(answer["best"], 2 / (low + high))
    assert near(answer["factor"], (high - low) / (high + low))
    assert rate * high != 2
    goal = solve(P, [-v for v in q])
    error = [a - c for a, c in zip(exact(g["x0"]), goal, strict=True)]
    for _ in range(200):
        error = [error[j] - rate * dot(P[j], error) for j in range(2)]
        error = [Fraction(float(e)) for e in error]
    assert (max(abs(e) for e in error) < 1) == answer["converges"]
    for number in [*points[0], *points[1], f(points[0]), f(points[1]), 2 / high, 2 / (low + high)]:
        assert _number(float(number)) in drill.solution
    assert ("it converges." in drill.solution) == answer["converges"]


@pytest.mark.equation("optimization-newton-direction")
@pytest.mark.parametrize("seed", SEEDS)
def test_newton_steps(seed):
    drill, g, answer = drawn("newton-step", seed)
    (p, s, t, u, v), x = (Fraction(c) for c in g["coefficients"]), exact(g["x"])
    f = lambda x: p * x[0] ** 4 + s * x[1] ** 2 + t * x[0] * x[1] + u * x[0] + v * x[1]
    h = Fraction(1, 10**6)
    for j in range(2):  # derivatives by differences: exact for squares, and to h^2 for the fourth power
        up, down = [list(x) for _ in range(2)]
        up[j], down[j] = x[j] + h, x[j] - h
        assert abs((f(up) - f(down)) / (2 * h) - exact(answer["gradient"][j])) < 1e-6
        assert abs((f(up) - 2 * f(x) + f(down)) / h**2 - exact(answer["hessian"][j][j])) < 1e-6
    assert answer["hessian"][0][1] == answer["hessian"][1][0] == t
    gradient, H = exact(answer["gradient"]), exact(answer["hessian"])
    assert answer["determinant"] == H[0][0] * H[1][1] - H[0][1] ** 2 > 0
    d = solve(H, [-a for a in gradient])
    new = [a + c for a, c in zip(x, d, strict=True)]
    assert all(near(a, c) for a, c in zip(answer["direction"], d, strict=True))
    assert all(near(a, c) for a, c in zip(answer["point"], new, strict=True))
    assert near(answer["slope"], dot(gradient, d))
    assert dot(gradient, d) < 0
    assert near(answer["values"][0], f(x))
    assert near(answer["values"][1], f(new))
    assert answer["falls"] == (f(new) < f(x))
    for number in [*gradient, *d, *new, dot(gradient, d), f(x), f(new)]:
        assert _number(float(number)) in drill.solution
    assert ("it falls." in drill.solution) == answer["falls"]


@pytest.mark.parametrize("topic", TOPICS)
def test_numbers_on_the_page_are_what_was_computed_and_short(topic):
    for seed in SEEDS:
        drill = draw(topic, seed)
        flat = json.dumps([drill.given, {k: v for k, v in drill.answer.items() if not isinstance(v, bool)}])
        for number in flat.replace("[", " ").replace("]", " ").replace("}", " ").replace(",", " ").split():
            try:
                value = float(number)
            except ValueError:
                continue
            fraction = Fraction(value).limit_denominator(10_000)
            assert abs(fraction - Fraction(value)) < 1e-8  # what _number prints is the number itself
            assert abs(value) < 1000


@pytest.mark.parametrize("topic", TOPICS)
def test_marks_add_up(topic):
    for seed in range(20):
        drill = draw(topic, seed)
        marks = [int(c) for c in re.findall(r"\((\d+) marks?\)", drill.statement)]
        assert sum(marks) == drill.marks


@pytest.mark.parametrize("topic", TOPICS)
def test_seeds_repeat_and_differ(topic):
    assert all(draw(topic, seed) == draw(topic, seed) for seed in range(20))
    assert len({draw(topic, seed).statement for seed in range(50)}) > 45


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0, "2"),
        (-0.5, "-0.5"),
        (1 / 3, r"\tfrac{1}{3}"),
        (-7 / 6, r"-\tfrac{7}{6}"),
        (0.0625, "0.0625"),
        (-1e-17, "0"),
    ],
)
def test_numbers_are_written_as_on_paper(value, text):
    assert _number(value) == text
