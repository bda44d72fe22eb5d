"""Drills on descent methods: answers recomputed in fractions from what is given, without the library."""

from fractions import Fraction

import numpy as np
import pytest

from notes_lib.drills.tex import short
from tests.drills.exact import check_short_numbers, dot, exact, load, near, solve
from tests.drills.page import At, pages
from tests.drills.seeds import SEEDS, drawn, each_seed

TOPICS = ["gradient-step", "newton-step", "conjugate-gradient", "momentum-step"]


@pytest.mark.equation("descent-gradient-step", "descent-stable-step", "descent-best-step")
@each_seed()
def test_gradient_steps(seed):
    drill, g, answer = load("gradient-step", seed)
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
        assert short(float(number)) in drill.solution
    assert ("it converges." in drill.solution) == answer["converges"]


@pytest.mark.equation("descent-newton-direction")
@each_seed()
def test_newton_steps(seed):
    drill, g, answer = load("newton-step", seed)
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
    identity = [[dot(row, column) for column in zip(*answer["inverse"], strict=True)] for row in H]
    assert all(near(identity[i][j], i == j) for i in (0, 1) for j in (0, 1))
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
        assert short(float(number)) in drill.solution
    assert ("it falls." in drill.solution) == answer["falls"]


@pytest.mark.equation("descent-cg-step", "descent-cg-direction")
@each_seed()
def test_conjugate_gradients(seed):
    _, g, answer = load("conjugate-gradient", seed)
    P, b, x0 = (exact(g[key]) for key in ("P", "b", "x0"))
    times = lambda v: [dot(row, v) for row in P]
    f = lambda x: dot(x, times(x)) / 2 - dot(b, x)
    r0 = [c - a for c, a in zip(b, times(x0), strict=True)]
    assert answer["residual"] == r0
    first, direction, solution = (exact(answer[key]) for key in ("first", "direction", "x"))
    # no formula of the method: the first point is the lowest one on its line, the second direction is conjugate
    slope = [a - c for a, c in zip(times(first), b, strict=True)]
    assert dot(slope, r0) == 0
    assert (first[0] - x0[0]) * r0[1] == (first[1] - x0[1]) * r0[0]
    assert exact(answer["next_residual"]) == [-a for a in slope]
    assert dot(times(r0), direction) == 0
    assert exact(answer["factor"]) == dot(slope, slope) / dot(r0, r0)
    assert direction == [-a + exact(answer["factor"]) * c for a, c in zip(slope, r0, strict=True)]
    assert first == [a + exact(answer["step"]) * c for a, c in zip(x0, r0, strict=True)]
    assert all(near(a, c) for a, c in zip(solution, solve(P, b), strict=True))
    for a, d, x in zip(first, direction, solution, strict=True):
        assert near(a + exact(answer["next_step"]) * d, x)
    assert f(solution) < f(first) < f(x0)


@pytest.mark.equation("descent-heavy-ball", "descent-momentum-best")
@each_seed()
def test_heavy_ball(seed):
    _, g, answer = load("momentum-step", seed)
    curvatures, x0 = exact(g["curvatures"]), exact(g["x0"])
    rate, beta = exact(g["learning_rate"]), exact(g["momentum"])
    for j, lam in enumerate(curvatures):  # a recursion for each coordinate, as a power of a matrix of two rows
        M = [[1 + beta - rate * lam, -beta], [Fraction(1), Fraction(0)]]
        state, seen = [x0[j], x0[j]], []
        for _ in range(2):
            state = [dot(row, state) for row in M]
            seen.append(state[0])
        assert all(near(answer["points"][t][j], seen[t]) for t in range(2))
        assert near(answer["plain"][j], seen[0] * (1 - rate * lam))
    low, high = (Fraction(int(c) ** 0.5) for c in curvatures)
    assert (low**2, high**2) == tuple(curvatures)
    eta, best = exact(answer["rate"]), exact(answer["beta"])
    for lam in curvatures:  # with the best settings both matrices have a double eigenvalue, of the size of the factor
        trace = 1 + best - eta * lam
        assert trace**2 == 4 * best
        assert abs(trace) / 2 == exact(answer["factor"])
    assert exact(answer["descent"]) == (high**2 - low**2) / (high**2 + low**2)


@pytest.mark.parametrize("topic", TOPICS)
def test_numbers_on_the_page_are_what_was_computed_and_short(topic):
    for seed in SEEDS:
        check_short_numbers(drawn(topic, seed))


@each_seed()
def test_every_number_of_a_gradient_step(seed):
    drill = drawn("gradient-step", seed)
    P, q, x0 = (np.array(drill.given[key]) for key in ("P", "q", "x0"))
    rate, f = drill.given["learning_rate"], lambda x: x @ P @ x / 2 + q @ x
    low, high = np.linalg.eigvalsh(P)
    elsewhere = np.array([0.4, 1.3])
    at = {"x_1": 0.4, "x_2": 1.3}
    ask, tell = pages(drill)
    ask.says(
        r"$f(\mathbf{x}) = #$ from $\mathbf{x}^{(0)} = #$ with step size $\eta = #$.", At(at, f(elsewhere)), x0, rate
    )
    ask.table(*([t, None, None, None] for t in range(3)))
    ask.done()
    tell.says(r"$\nabla f = #$.", At(at, P @ elsewhere + q))
    rows = [[0, x0, P @ x0 + q, f(x0)]]
    for t in (1, 2):
        x = rows[-1][1] - rate * rows[-1][2]
        rows.append([t, x, P @ x + q, f(x)])
    tell.table(*rows)
    mean, spread = (high + low) / 2, (high - low) / 2
    tell.says(r"the Hessian $#$ has the eigenvalues $# \pm #$, that is $#$ and $#$.", P, mean, spread, low, high)
    verdict = "it converges" if abs(1 - rate * high) < 1 else "it does not converge"
    tell.says(r"for $0 < \eta < 2/\lambda_{\max} = #$; with $\eta = #$ #.", 2 / high, rate, verdict)
    tell.says(r"$\eta = 2/(\lambda_{\min} + \lambda_{\max}) = #$;", 2 / (low + high))
    tell.says(r"$(\lambda_{\max} - \lambda_{\min})/(\lambda_{\max} + \lambda_{\min}) = #$.", spread / mean)
    tell.says(r"$\mathbf{x}^{(t+1)} = \mathbf{x}^{(t)} - \eta \nabla f$")
    tell.done()


@each_seed()
def test_every_number_of_a_newton_step(seed):
    drill = drawn("newton-step", seed)
    p, s, t, u, v = drill.given["coefficients"]
    f = lambda x: p * x[0] ** 4 + s * x[1] ** 2 + t * x[0] * x[1] + u * x[0] + v * x[1]
    gradient = lambda x: np.array([4 * p * x[0] ** 3 + t * x[1] + u, 2 * s * x[1] + t * x[0] + v])
    hessian = lambda x: np.array([[12 * p * x[0] ** 2, t], [t, 2 * s]])
    x = np.array(drill.given["x"])
    g, H = gradient(x), hessian(x)
    d = -np.linalg.solve(H, g)
    elsewhere, at = np.array([0.4, 1.3]), {"x_1": 0.4, "x_2": 1.3}
    ask, tell = pages(drill, {r"\mathbf{x}": x, r"\mathbf{d}": d, r"\mathbf{H}": H, r"\nabla f": g, "H_{11}": H[0, 0]})
    ask.says(r"$f(\mathbf{x}) = #$ at $\mathbf{x} = #$.", At(at, f(elsewhere)), x)
    ask.done()
    tell.says(r"$\nabla f = # = #$.", At(at, gradient(elsewhere)), g)
    tell.says(r"**Hessian** (2 marks): $# = #$.", At(at, hessian(elsewhere)), H)
    tell.says(r"yes, $H_{11} = # > 0$ and the determinant is $# \cdot # - #^2 = # > 0$.",
              H[0, 0], H[0, 0], H[1, 1], H[0, 1], np.linalg.det(H))  # fmt: skip
    tell.says(r"$\nabla f^\top \mathbf{d} = # < 0$, as", g @ d)
    verdict = "falls." if f(x + d) < f(x) else "rises, the full step is too long. Halve it."
    tell.says(f"$f$ goes from $#$ to $#$: it {verdict}", f(x), f(x + d))
    tell.done()


@each_seed()
def test_every_number_of_conjugate_gradients(seed):
    drill = drawn("conjugate-gradient", seed)
    P, b, x0 = (np.array(drill.given[key]) for key in ("P", "b", "x0"))
    elsewhere, at = np.array([0.4, 1.3]), {"x_1": 0.4, "x_2": 1.3}
    ask, tell = pages(drill)
    left = P @ elsewhere
    ask.says("Solve $# = #$ and $# = #$ by", At(at, left[0]), b[0], At(at, left[1]), b[1])
    ask.says(r"from $\mathbf{x}^{(0)} = #$.", x0)
    ask.says(r"as $\mathbf{P}\mathbf{x} = \mathbf{b}$.")
    ask.says(r"residual $\mathbf{r}^{(0)}$")
    ask.done()
    r0 = b - P @ x0
    eta0 = r0 @ r0 / (r0 @ P @ r0)
    r1 = b - P @ (x0 + eta0 * r0)
    d1 = r1 - (r1 @ P @ r0) / (r0 @ P @ r0) * r0  # Gram and Schmidt in the scalar product of P
    gamma = r1 @ r1 / (r0 @ r0)
    tell.says(r"$\mathbf{r}^{(0)} = \mathbf{b} - \mathbf{P}\mathbf{x}^{(0)} = #$;", r0)
    tell.says(
        r"$\mathbf{P}\mathbf{d}^{(0)} = #$, so $\eta_0 = #$ and $\mathbf{x}^{(1)} = #$.", P @ r0, eta0, x0 + eta0 * r0
    )
    tell.says(r"$\mathbf{r}^{(1)} = # - # \cdot # = #$, orthogonal", r0, eta0, P @ r0, r1)
    tell.says(r"$\gamma_0 = #$ and $\mathbf{d}^{(1)} = # + # \cdot # = #$.", gamma, r1, gamma, r0, d1)
    tell.says("$# = 0$, the inner", 0)
    tell.says(r"of $\mathbf{P}\mathbf{d}^{(0)}$ and $\mathbf{d}^{(1)}$.")
    tell.says(r"$\eta_1 = #$ and $\mathbf{x}^{(2)} = #$.", r1 @ d1 / (d1 @ P @ d1), np.linalg.solve(P, b))
    tell.says("$# = #$ and $# = #$: solved", b[0], b[0], b[1], b[1])
    tell.done()


@each_seed()
def test_every_number_of_a_heavy_ball(seed):
    drill = drawn("momentum-step", seed)
    low, high = np.sqrt(drill.given["curvatures"])
    c, x0 = np.array(drill.given["curvatures"]), np.array(drill.given["x0"])
    rate, beta = drill.given["learning_rate"], drill.given["momentum"]
    elsewhere, at = np.array([0.4, 1.3]), {"x_1": 0.4, "x_2": 1.3}
    ask, tell = pages(drill)
    ask.says(
        r"$f(\mathbf{x}) = #$ from rest at $\mathbf{x}^{(0)} = #$ with $\eta = #$ and $\beta = #$.",
        At(at, c @ elsewhere**2 / 2), x0, rate, beta,
    )  # fmt: skip
    ask.done()
    x1 = (1 - rate * c) * x0
    plain = (1 - rate * c) * x1
    last = x1 - x0
    tell.says(r"$\nabla f = #$; from rest", c * x0)
    tell.says(r"repeat, $\mathbf{x}^{(1)} = #$.", x1)
    tell.says(r"now $\nabla f = #$, and the last step was $#$.", c * x1, last)
    tell.says(r"$\mathbf{x}^{(2)} = # - # \cdot # + # \cdot # = #$.", x1, rate, c * x1, beta, last, plain + beta * last)
    tell.says(r"$# - # \cdot # = #$.", x1, rate, c * x1, plain)
    tell.says("the Hessian are $#$ and $#$, their roots $#$ and $#$.", *c, low, high)
    ratio = high / low
    root = (ratio - 1) / (ratio + 1)
    tell.says(r"$\eta = #$ and $\beta = #$; the factor", 4 / (low + high) ** 2, root**2)
    tell.says(r"the root of $\beta$, $#$.", root)
    tell.says("$# = #$, which is larger", *[(ratio**2 - 1) / (ratio**2 + 1)] * 2)
    tell.done()
