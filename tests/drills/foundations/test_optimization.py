"""Drills on optimisation: answers recomputed in fractions from what is given, without the library."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from notes_lib.drills.tex import short
from tests.drills.exact import check_short_numbers, dot, exact, load, near, solve
from tests.drills.page import At, pages
from tests.drills.seeds import SEEDS, drawn, each_seed

TOPICS = ["lagrange-multiplier", "kkt-qp", "second-order"]


@pytest.mark.equation("optimization-lagrange-several", "optimization-sensitivity")
@each_seed()
def test_lagrange(seed):
    drill, g, answer = load("lagrange-multiplier", seed)
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
        assert short(float(number)) in drill.solution


@pytest.mark.equation("optimization-kkt-stationarity", "optimization-kkt-slackness", "optimization-qp-dual")
@each_seed()
def test_program(seed):
    drill, g, answer = load("kkt-qp", seed)
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
        powers = [trial[0] ** 2, trial[0] * trial[1], trial[1] ** 2, *trial, 1]
        assert near(dot(answer["theta"], powers), theta([Fraction(v) for v in trial]))
        assert theta([Fraction(v) for v in trial]) <= f(x)
    guess, trial = exact(g["guess"]), exact(g["trial"])
    assert all(dot(row, guess) <= t for row, t in zip(G, h, strict=True))
    assert guess != x
    assert min(trial) >= 0
    assert near(answer["bound"], f(guess) - theta(trial))
    for number in [*x, *mu, f(x), f(guess), theta(trial), f(guess) - theta(trial), f(guess) - f(x)]:
        assert short(float(number)) in drill.solution
    assert drill.solution.count("| all hold |") >= 1
    assert "(largest violation 0)" in drill.solution


@pytest.mark.parametrize("topic", TOPICS)
def test_numbers_on_the_page_are_what_was_computed_and_short(topic):
    for seed in SEEDS:
        check_short_numbers(drawn(topic, seed))


def constraints(A, relation):
    return " and ".join(f"$# {relation} #$" for _ in A)


def pairs(A, x, b):
    """Left and right side of each constraint, where the left side is read at ``x``."""
    at = {f"x_{j + 1}": v for j, v in enumerate(x)}
    return [value for row, v in zip(A, b, strict=True) for value in (At(at, row @ x), v)]


@each_seed()
def test_every_number_of_a_lagrangian(seed):
    drill = drawn("lagrange-multiplier", seed)
    q, A, b = (np.array(drill.given[key]) for key in "qAb")
    change, answer = drill.given["change"], drill.answer
    lam = np.array([0.3, -1.7])[: len(b)]  # any multipliers, and the point where the Lagrangian is stationary
    x = -(q + A.T @ lam) / 2
    f = x @ x + q @ x
    symbols = {f"x_{j + 1}": v for j, v in enumerate(x)} | {rf"\lambda_{i + 1}": v for i, v in enumerate(lam)}
    symbols |= {r"f(\mathbf{x})": f, r"\mathcal{L}": f + lam @ (A @ x - b)}
    ask, tell = pages(drill, symbols)
    elsewhere = np.arange(len(q)) + 0.4  # where no constraint and no derivative is 0
    at = {f"x_{j + 1}": v for j, v in enumerate(elsewhere)}
    ask.says(
        rf"$f(\mathbf{{x}}) = #$ subject to {constraints(A, '=')}.",
        At(at, elsewhere @ elsewhere + q @ elsewhere),
        *pairs(A, elsewhere, b),
    )
    ask.says(f"of the {'first ' if len(b) == 2 else ''}constraint changes by $#$.", change)
    ask.done()
    for j in range(len(q)):
        value = 2 * elsewhere[j] + q[j] + A[:, j] @ lam
        tell.says(rf"- $# = 0$, so $x_{j + 1} = #$", At(at, value), x[j])
    for i in range(len(b)):
        tell.says("- $# = #$\n", -(A @ A.T)[i] @ lam / 2, b[i] + A[i] @ q / 2)
    tell.says("so " + " and ".join(rf"$\lambda_{i + 1} = #$" for i in range(len(b))) + ".", *answer["lam"])
    tell.says(r"$\mathbf{x} = #$, $f = #$.", answer["x"], answer["minimum"])
    tell.says(r"$-\lambda_1 \cdot # = #$.", change, answer["change"])
    tell.done()


def case(P, q, G, h, active):
    """Minimiser with equality in the active constraints, multipliers, and the constraints' values."""
    n = len(active)
    M = np.block([[P, G[active].T], [G[active], np.zeros((n, n))]])
    found = np.linalg.solve(M, np.concatenate([-q, h[active]]))
    mu = np.zeros(2)
    mu[active] = found[2:]
    g = G @ found[:2] - h
    if (g > 1e-9).any():
        verdict = f"$g_{int(g.argmax()) + 1} > 0$: not feasible"
    elif (mu < -1e-9).any():
        verdict = rf"$\mu_{int(mu.argmin()) + 1} < 0$: no"
    else:
        verdict = "all hold"
    return [" and ".join(f"$g_{i + 1}$" for i in active) or "none", found[:2], mu, g, verdict]


@each_seed()
def test_every_number_of_a_quadratic_program(seed):
    drill = drawn("kkt-qp", seed)
    P, q, G, h, guess, trial = (np.array(drill.given[key]) for key in ("P", "q", "G", "h", "guess", "trial"))
    answer, f = drill.answer, lambda x: x @ P @ x / 2 + q @ x
    mu = np.array([0.3, 1.7])  # any multipliers, and the point where the Lagrangian is stationary
    x = -np.linalg.solve(P, q + G.T @ mu)
    dual = lambda mu: f(-np.linalg.solve(P, q + G.T @ mu)) + mu @ (G @ -np.linalg.solve(P, q + G.T @ mu) - h)
    symbols = {f"x_{j + 1}": v for j, v in enumerate(x)} | {rf"\mu_{j + 1}": v for j, v in enumerate(mu)}
    ask, tell = pages(drill, symbols)
    elsewhere = np.array([0.4, 1.3])
    at = {f"x_{j + 1}": v for j, v in enumerate(elsewhere)}
    ask.says(
        rf"$f(\mathbf{{x}}) = #$ subject to {constraints(G, chr(92) + 'leq')}.",
        At(at, f(elsewhere)),
        *pairs(G, elsewhere, h),
    )
    ask.says("show that the duality gap is 0 (4 marks)")
    # the minimum is known by now, so the question must say that the bound is asked
    ask.says(r"$\mathbf{x} = #$ and $\boldsymbol{\mu} = #$. Judged by these two alone, how far", guess, trial)
    cases = [case(P, q, G, h, active) for active in ([], [0], [1], [0, 1])]
    ask.table(*([row[0], *[None] * 4] for row in cases))
    ask.says(r"the dual function $\theta(\mu_1, \mu_2)$ and")
    ask.done()
    slopes = P @ elsewhere + q + G.T @ mu
    tell.says("- stationarity: $# = 0$ and $# = 0$", At(at, slopes[0]), At(at, slopes[1]))
    tell.says(f"- primal feasibility: {constraints(G, chr(92) + 'leq')}\n", *pairs(G, elsewhere, h))
    tell.says(r"- dual feasibility: $\mu_1 \geq 0$ and $\mu_2 \geq 0$")
    tell.says(r"$\mu_1 g_1 = 0$ and $\mu_2 g_2 = 0$")
    tell.says("multiplier 0 for the others")
    tell.table(*cases)
    best, g = np.array(answer["x"]), G @ answer["x"] - h
    tell.says(
        r"So $\mathbf{x} = #$ with $\boldsymbol{\mu} = #$ and $f = #$; there $\mathbf{g} = #$. All",
        best,
        answer["mu"],
        f(best),
        g,
    )
    tell.says("(largest violation #)", 0)
    tell.says("by stationarity $x_1 = #$ and $x_2 = #$; inserted", *x)
    tell.says(r"$\theta = #$.", dual(mu))
    tell.says(r"$\theta = # = f$: the gap is 0.", dual(np.array(answer["mu"])))
    tell.says(
        r"$f = #$, $\theta = #$, and $f$ is at most $#$ above the minimum (in truth $#$).",
        f(guess), dual(trial), f(guess) - dual(trial), f(guess) - f(best),
    )  # fmt: skip
    tell.done()


@pytest.mark.equation("optimization-lagrange", "optimization-bordered-hessian", "optimization-curvature-sufficient")
@each_seed()
def test_circle(seed):
    _, g, answer = load("second-order", seed)
    (a, b), (_, d) = exact(g["P"])
    level, change = exact(g["level"]), exact(g["change"])
    f = lambda x: a * x[0] ** 2 + 2 * b * x[0] * x[1] + d * x[1] ** 2
    first, second = exact(answer["lowest"]), exact(answer["highest"])
    for x, lam, value in zip((first, second), exact(answer["lam"]), exact(answer["values"]), strict=True):
        assert dot(x, x) == level
        assert [a * x[0] + b * x[1] + lam * x[0], b * x[0] + d * x[1] + lam * x[1]] == [0, 0]
        assert f(x) == value
    # every other point of the circle by the rational parametrisation from the first: f lies strictly between
    around = [Fraction(k, 7) for k in range(-40, 41) if k]
    circle = [[((1 - t * t) * first[0] - 2 * t * first[1]) / (1 + t * t),
               ((1 - t * t) * first[1] + 2 * t * first[0]) / (1 + t * t)] for t in around]  # fmt: skip
    assert all(f(first) < f(x) <= f(second) for x in circle)
    assert {dot(x, x) for x in circle} == {level}
    assert exact(answer["change"]) == f(first) * change / level  # f is quadratic: proportional to the level
    for x, lam, det in zip((first, second), exact(answer["lam"]), exact(answer["determinants"]), strict=True):
        B = [[0, 2 * x[0], 2 * x[1]], [2 * x[0], 2 * (a + lam), 2 * b], [2 * x[1], 2 * b, 2 * (d + lam)]]
        sarrus = sum(B[0][i] * (B[1][(i + 1) % 3] * B[2][(i + 2) % 3] - B[1][(i + 2) % 3] * B[2][(i + 1) % 3])
                     for i in range(3))  # fmt: skip
        assert sarrus == det
        assert (det < 0) == (x == first)


@each_seed()
def test_every_number_of_a_circle(seed):
    drill = drawn("second-order", seed)
    P, level, change = np.array(drill.given["P"]), drill.given["level"], drill.given["change"]
    (low, high), V = np.linalg.eigh(P)
    X = [np.array(drill.answer[key]) for key in ("lowest", "highest")]
    for x, v in zip(X, V.T, strict=True):  # the same line through 0
        assert abs(abs(x @ v) - np.sqrt(level)) < 1e-9
    elsewhere, at, t = np.array([0.4, 1.3]), {"x_1": 0.4, "x_2": 1.3}, 0.7
    ask, tell = pages(drill, {r"\lambda": t})
    ask.says(
        r"$f(\mathbf{x}) = #$ on the circle $# = #$,",
        At(at, elsewhere @ P @ elsewhere), At(at, elsewhere @ elsewhere), level,
    )  # fmt: skip
    ask.says(r"with $\mathcal{L} = f + \lambda h$, $h$: left side less right.")
    ask.says("changes by $#$.", change)
    ask.table([None] * 5, [None] * 5)
    ask.done()
    slopes = P @ elsewhere + t * elsewhere
    tell.says("are $# = 0$ and $# = 0$, and", At(at, slopes[0]), At(at, slopes[1]))
    det = np.linalg.det(P + t * np.eye(2))
    tell.says(r"$\mathbf{x} = \mathbf{0}$ is not on the circle, so the determinant is 0: $# = # = 0$, "
              r"$\lambda = #$ or $\lambda = #$.", det, det, -low, -high)  # fmt: skip
    dets = []
    for value, x in zip((low, high), X, strict=True):
        row = (P[0] - [value, 0]) @ elsewhere
        tell.says(
            r"- $\lambda = #$: $# = 0$, so $\mathbf{x} = \pm #$ and $f = # = #$",
            -value, At(at, row), x, value * level, x @ P @ x,
        )  # fmt: skip
        W = 2 * (P - value * np.eye(2))
        tangent = np.array([-2 * x[1], 2 * x[0]])
        dets.append(-tangent @ W @ tangent)
        word = "negative, a minimum" if value == low else "positive, a maximum"
        tell.says(rf"- $\mathbf{{W}} = #$, $\nabla h = #$: $# = #$, {word}", W, 2 * x, dets[-1], dets[-1])
    tell.table(*(
        [-value, (r"$\pm #$", x), value * level, d, kind]
        for value, x, d, kind in zip((low, high), X, dets, ("minimum", "maximum"), strict=True)
    ))  # fmt: skip
    tell.says(r"$-\lambda \cdot # = # = #$ with", change, low * change, low * change)
    tell.says(
        r"with $f = \mathbf{x}^\top \mathbf{P} \mathbf{x}$, $\mathbf{W} = 2 (\mathbf{P} + \lambda \mathbf{I})$ is"
    )
    tell.says(r"$\nabla h = 2\mathbf{x}$;")
    tell.says(r"$f = -\lambda \cdot$ right-hand side.\n\n-".replace(r"\n", "\n"))
    tell.says(r"since $f = -\lambda \cdot$ right-hand side.")
    tell.done()
