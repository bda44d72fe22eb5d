"""Drills of closed-book arithmetic: worked again in fractions, by quadrature, by differences or by a search."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from notes_lib.drills import by_chapter
from tests.drills.arithmetic import CARRIED_PLACES
from tests.drills.exact import check_short_numbers, dot, exact, load, near, solve
from tests.drills.page import At, pages
from tests.drills.seeds import SEEDS, drawn, each_seed

TOPICS = by_chapter()["revision/pencil"]
ROUNDED = {"log2-fractions", "entropy-from-counts"}


def test_three_drills_for_each_section():
    assert len(TOPICS) == 18


@pytest.mark.parametrize("topic", [topic for topic in TOPICS if topic not in ROUNDED])
def test_numbers_are_short(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        if topic != "gaussian-normaliser":  # its exponents may have four digits
            check_short_numbers(drill)


def times(A, x):
    return [dot(r, x) for r in A]


def quadratic(A, x):
    return dot(x, times(A, x))


def gradient_of(f, x, h=Fraction(1, 7)):
    """Symmetric differences: exact for a quadratic function."""
    found = []
    for j in range(len(x)):
        up, down = ([*x[:j], x[j] + sign * h, *x[j + 1 :]] for sign in (1, -1))
        found.append((f(up) - f(down)) / (2 * h))
    return found


# --- logarithms ------------------------------------------------------------------------------------------------------


@each_seed()
def test_logarithms(seed):
    drill, g, answer = load("log2-fractions", seed)
    given = {2: 1, 3: 1.5850, 5: 2.3219}

    def by_factors(up, down):
        value = 0.0
        for prime, log in given.items():
            for number, sign in ((up, 1), (down, -1)):
                while number % prime == 0:
                    number //= prime
                    value += sign * log
        return value

    logs = [by_factors(*pair) for pair in g["fractions"]]
    assert np.allclose(answer["logs"], logs, atol=3e-4)
    assert np.allclose(2.0 ** np.array(answer["logs"]), [a / b for a, b in g["fractions"]])
    up, down = g["p"]
    assert abs(answer["term"] + up / down * by_factors(up, down)) < 1e-4
    ask, tell = pages(drill, {}, CARRIED_PLACES)
    first, second = (Fraction(*pair) for pair in g["fractions"])
    p = up / down
    ask.says(r"$\log_2 3 \approx #$ and $\log_2 5 \approx #$", 1.5850, 2.3219)
    ask.says(r"$-p \log_2 p$")
    ask.says(r"Compute $\log_2 #$ and $\log_2 #$", float(first), float(second))
    ask.says("for $p = #$", p)
    ask.done()
    tell.done()


@each_seed()
def test_entropy(seed):
    drill, g, answer = load("entropy-from-counts", seed)
    n, N = g["counts"], sum(g["counts"])
    assert abs(answer["entropy"] - stats.entropy(n, base=2)) < 1e-12
    assert abs(2 ** answer["total"] - N) < 1e-9
    assert abs(2 ** answer["sum"] - math.prod(c**c for c in n)) < 1e-9 * math.prod(c**c for c in n)
    symbols = {f"n_{k + 1}": c for k, c in enumerate(n)} | {"N": N, "S": answer["sum"], "H": answer["entropy"]}
    ask, tell = pages(drill, symbols, CARRIED_PLACES)
    ask.says(r"$S = \sum_k n_k \log_2 n_k$")
    ask.done()
    tell.done()


@each_seed()
def test_code_lengths(seed):
    drill, g, answer = load("code-lengths", seed)
    p, q = (np.array(g[name]) / 8 for name in "pq")
    assert np.array_equal(0.5 ** np.array(answer["own"]), p)
    assert np.array_equal(0.5 ** np.array(answer["other"]), q)
    assert abs(answer["entropy"] - stats.entropy(p, base=2)) < 1e-12
    assert abs(answer["price"] - stats.entropy(p, q, base=2)) < 1e-12
    assert abs(answer["cross"] - answer["entropy"] - answer["price"]) < 1e-12
    assert abs(g["back"] - stats.entropy(q, p, base=2)) < 1e-12
    ask, tell = pages(drill)
    ask.says("have the probabilities $p = #$. A code was made for $q = #$.", p[None], q[None])
    ask.says(r"$-\log_2 p_k$ and $-\log_2 q_k$")
    ask.done()
    listed = [", ".join(f"{v:g}" for v in answer[name]) for name in ("own", "other")]
    tell.says("so they are $#$ and $#$.", *listed)
    tell.says("$H(p) = #$ and $H(p, q) = #$.", answer["entropy"], answer["cross"])
    tell.says("$D(p, q) = #$ bits", answer["price"])
    tell.done()


# --- two by two ------------------------------------------------------------------------------------------------------


@each_seed()
def test_inverse(seed):
    drill, g, answer = load("inverse-2x2", seed)
    A, b = exact(g["A"]), exact(g["b"])
    columns = [solve(A, e) for e in ([1, 0], [0, 1])]
    assert all(near(answer["inverse"][i][j], columns[j][i]) for i, j in product((0, 1), repeat=2))
    assert exact(answer["x"]) == solve(A, b)
    assert answer["determinant"] == round(np.linalg.det(np.array(g["A"])))
    symbols = {r"\mathbf{A}": np.array(g["A"]), r"\mathbf{b}": np.array(g["b"]), r"\mathbf{x}": np.array(answer["x"])}
    ask, tell = pages(drill, symbols | {r"\mathbf{A}^{-1}": np.array(answer["inverse"])})
    ask.done()
    tell.says("(1 mark): $#$.", np.linalg.det(np.array(g["A"])))
    tell.done()


@each_seed()
def test_eigenvalues(seed):
    drill, g, answer = load("eigen-by-trace", seed)
    A = exact(g["A"])
    for lam, v in zip(exact(answer["eigenvalues"]), exact(answer["vectors"]), strict=True):
        assert times(A, v) == [lam * c for c in v]
        assert any(v)
    assert answer["eigenvalues"][0] > answer["eigenvalues"][1]
    assert answer["trace"] == np.trace(g["A"])
    assert answer["determinant"] == round(np.linalg.det(np.array(g["A"])))
    lam, v = answer["eigenvalues"], [np.array(vector) for vector in answer["vectors"]]
    symbols = {r"\mathbf{A}": np.array(g["A"]), "t": answer["trace"], "d": answer["determinant"]}
    symbols |= {rf"\lambda_{k + 1}": lam[k] for k in (0, 1)} | {rf"\mathbf{{v}}_{k + 1}": v[k] for k in (0, 1)}
    ask, tell = pages(drill, symbols)
    ask.done()
    tell.says("they are $t/2$, more or less half of $#$:", lam[0] - lam[1])
    tell.says(r"$\mathbf{A} - \lambda\mathbf{I}$.")
    tell.done()


@each_seed()
def test_power(seed):
    drill, g, answer = load("power-2x2", seed)
    A = np.array(g["A"])
    power = np.linalg.matrix_power(A, g["k"])
    assert np.array_equal(answer["power"], power)
    assert (A @ [1, 1]).tolist() == [answer["plus"], answer["plus"]]
    assert (A @ [1, -1]).tolist() == [answer["minus"], -answer["minus"]]
    ask, tell = pages(drill, {r"\mathbf{A}": A, r"\lambda_1": answer["plus"], r"\lambda_2": answer["minus"]})
    ask.says("has the eigenvector $#$, which $#$?", np.array([1, 1]), np.array([1, -1]))
    ask.says(rf"Compute $\mathbf{{A}}^{{{g['k']}}}$.")
    ask.done()
    tell.says("their sum, $#$, the rest half their difference, $#$.", power[0, 0], power[0, 1])
    tell.done()


# --- Gaussian integrals ----------------------------------------------------------------------------------------------


@each_seed()
def test_normaliser(seed):
    drill, g, answer = load("gaussian-normaliser", seed)
    a, b, m = g["a"], g["b"], answer["mean"]
    density = lambda x: math.exp(-a * x * x + b * x - answer["exponent"])
    wide = 12 * math.sqrt(answer["variance"])
    mass, mean, square = (
        integrate.quad(lambda x, k=k: (x - m) ** k * density(x), m - wide, m + wide, points=[m])[0] for k in (0, 1, 2)
    )
    assert abs(mass - answer["factor"] * math.sqrt(math.pi)) < 1e-7 * mass
    assert abs(mean) < 1e-7 * mass
    assert abs(square / mass - answer["variance"]) < 1e-6 * answer["variance"]
    x = 0.3
    value, v = -a * x * x + b * x, answer["variance"]
    symbols = {"x": x, "m": m, "v": v, "c": answer["factor"], "k": answer["exponent"], "e": math.e}
    ask, tell = pages(drill, symbols | {"g(x)": math.exp(value)})
    ask.says(r"Its integral is $c\, e^{k} \sqrt{\pi}$.")
    ask.done()
    tell.says("the exponent is $#$.", value)
    tell.says(r"$e^{-a (x - m)^2}$ is $\sqrt{\pi/a}$,")
    tell.done()


@each_seed()
def test_moments(seed):
    drill, g, answer = load("gaussian-moments", seed)
    m, v = g["m"], g["v"]
    moments = [round(stats.norm(m, math.sqrt(v)).moment(k), 6) for k in (2, 3, 4)]
    assert [answer[name] for name in ("second", "third", "fourth")] == moments
    z, w = np.polynomial.hermite_e.hermegauss(5)
    y = g["a"] * (m + math.sqrt(v) * z) + g["b"]
    assert abs(answer["linear"] - w @ y**2 / w.sum()) < 1e-9
    ask, tell = pages(drill, {"x": 0.3, "m": m, "v": v, "y": g["a"] * 0.3 + g["b"]})
    ask.says(r"$E\,x^2$, $E\,x^3$ and $E\,x^4$.")
    ask.says(r"Give $E\,y^2$")
    ask.done()
    tell.says(r"$x = m + z$; odd moments of $z$ are 0, $E\,z^2 = v$ and $E\,z^4 = 3v^2$.")
    for name, value in zip(("second", "third", "fourth"), moments, strict=True):
        tell.says(f"- {name}: $#$", value)
    mean = g["a"] * m + g["b"]
    tell.says("the mean is $#$, the variance $#$, so $#$.", mean, g["a"] ** 2 * v, answer["linear"])
    tell.done()


@each_seed(SEEDS[:12])
def test_integral_in_the_plane(seed):
    drill, g, answer = load("gaussian-integral-2d", seed)
    A, b, u = np.array(g["A"]), np.array(g["b"]), np.array(answer["point"])
    x = np.arange(-14, 14, 0.05)
    grid = np.stack(np.meshgrid(x, x), axis=-1)
    form = (grid @ A * grid).sum(axis=-1)
    assert abs(np.exp(-form / 2).sum() * 0.05**2 - answer["factor"] * math.pi) < 1e-3
    shifted = np.exp(-form / 2 + grid @ b - answer["exponent"])
    assert abs(shifted.sum() * 0.05**2 - answer["factor"] * math.pi) < 1e-3
    highest = grid.reshape(-1, 2)[shifted.argmax()]
    assert np.allclose(highest, u, atol=0.03)
    symbols = {r"\mathbf{A}": A, r"\mathbf{b}": b, r"\mathbf{u}": u, "c": answer["factor"], "k": answer["exponent"]}
    ask, tell = pages(drill, symbols | {r"|\mathbf{A}|": np.linalg.det(A)})
    ask.says(r"$\exp(-\tfrac12 \mathbf{x}^\top\mathbf{A}\mathbf{x})$ over the plane is $c\,\pi$.")
    ask.says(r"With $+\,\mathbf{b}^\top\mathbf{x}$ in the exponent it is $c\,\pi\, e^{k}$.")
    ask.done()
    tell.says("the gradient is 0 where")
    tell.done()


# --- completing the square -------------------------------------------------------------------------------------------


@each_seed()
def test_square(seed):
    drill, g, answer = load("complete-square", seed)
    a, b, c = g["a"], g["b"], g["c"]
    f = lambda x: a * x * x + b * x + c
    assert all(f(x) == a * (x - answer["h"]) ** 2 + answer["k"] for x in (Fraction(1, 3), 2, -5))
    beside = [f(answer["h"] + t) - answer["k"] for t in (-1, 1)]
    assert (min(beside) > 0) == (answer["word"] == "smallest") == (max(beside) > 0)
    symbols = {"x": 0.3, "f(x)": f(0.3), "h": answer["h"], "k": answer["k"], "a": a}
    ask, tell = pages(drill, symbols)
    ask.says("Write it as $a (x - h)^2 + k$:")
    ask.done()
    tell.done()


@each_seed()
def test_square_with_a_matrix(seed):
    drill, g, answer = load("complete-square-2d", seed)
    A, b, c, m = exact(g["A"]), exact(g["b"]), g["c"], exact(answer["m"])
    for x in ([1, 2], [-3, Fraction(1, 2)], [0, 0]):
        moved = [p - q for p, q in zip(x, m, strict=True)]
        assert quadratic(A, x) - 2 * dot(b, x) + c == quadratic(A, moved) + answer["k"]
    at = np.array([0.4, 1.3])
    value = at @ np.array(g["A"]) @ at - 2 * np.array(g["b"]) @ at + c
    symbols = {r"\mathbf{A}": np.array(g["A"]), r"\mathbf{b}": np.array(g["b"]), r"\mathbf{m}": np.array(answer["m"])}
    symbols |= {"k": answer["k"], r"\mathbf{x}": at, r"f(\mathbf{x})": value}
    ask, tell = pages(drill, symbols)
    ask.says(r"$(\mathbf{x} - \mathbf{m})^\top\mathbf{A}(\mathbf{x} - \mathbf{m}) + k$:")
    ask.done()
    tell.done()


@each_seed()
def test_two_squares(seed):
    drill, g, answer = load("two-squares", seed)
    (p, q), (x, y) = g["weights"], g["centres"]
    f = lambda t: p * (t - x) ** 2 + q * (t - y) ** 2
    h, k = exact(answer["h"]), exact(answer["k"])
    assert all(f(t) == answer["w"] * (t - h) ** 2 + k for t in (Fraction(2, 3), 0, 11))
    ask, tell = pages(drill, {"t": 0.3, "f(t)": f(0.3), "w": answer["w"], "h": answer["h"], "k": answer["k"]})
    ask.says("Write it as $w (t - h)^2 + k$:")
    ask.done()
    tell.done()


# --- Lagrange multipliers --------------------------------------------------------------------------------------------


@each_seed()
def test_line(seed):
    drill, g, answer = load("lagrange-line", seed)
    (p, q), (a, b), c = g["weights"], g["a"], g["c"]

    def least(level):  # eliminate y: f is a parabola on the line
        f = lambda x: (p * x * x + q * ((level - a * x) / b) ** 2) / 2
        x = (f(-1) - f(1)) / (2 * (f(1) + f(-1) - 2 * f(0)))
        return x, f(x)

    x, value = least(Fraction(c))
    assert exact(answer["point"]) == [x, (c - a * x) / b]
    assert exact(answer["minimum"]) == value
    slope = (least(Fraction(c) + 1)[1] - least(Fraction(c) - 1)[1]) / 2  # the minimum is a square of the level
    assert exact(answer["multiplier"]) == slope
    assert exact(answer["change"]) == slope / 10
    at = {"x": 0.3, "y": -0.7}
    lam = answer["multiplier"]
    ask, tell = pages(drill, {r"\lambda": lam, "x": answer["point"][0], "y": answer["point"][1]})
    ask.says(
        r"Minimise $f = #$ subject to $g = # = #$, with $\nabla f = \lambda \nabla g$.",
        At(at, (p * 0.09 + q * 0.49) / 2), At(at, 0.3 * a - 0.7 * b), c,
    )  # fmt: skip
    ask.says("rises by 0.1?")
    ask.done()
    tell.says(r"its slope, $#$.", lam / 10)
    tell.says(r"and the minimum is $#$.", answer["minimum"])
    tell.done()


@each_seed()
def test_circle(seed):
    drill, g, answer = load("lagrange-circle", seed)
    a, b = g["a"]
    x, y = exact(answer["point"])
    assert x * x + y * y == g["square"]
    assert [a, b] == [2 * exact(answer["multiplier"]) * v for v in (x, y)]
    assert a * x + b * y == answer["maximum"]
    angles = np.linspace(0, 2 * np.pi, 1000)
    around = math.sqrt(g["square"]) * (a * np.cos(angles) + b * np.sin(angles))
    assert around.max() <= answer["maximum"] + 1e-9
    at = {"x": 0.3, "y": -0.7}
    symbols = {r"\lambda": answer["multiplier"], "x": answer["point"][0], "y": answer["point"][1]}
    ask, tell = pages(drill, symbols)
    ask.says("Maximise $f = #$ on", At(at, 0.3 * a - 0.7 * b))
    ask.says(r"with $\nabla f = \lambda \nabla (x^2 + y^2)$.")
    ask.done()
    tell.says("the gradient $#$ has", np.array([[a, b]]))
    tell.says("the length $#$, and", math.hypot(a, b))
    tell.says("the value is $#$;", answer["maximum"])
    tell.says(r"the first slope is $2 \lambda x$, so")
    tell.done()


@each_seed()
def test_budget(seed):
    drill, g, answer = load("lagrange-budget", seed)
    n, w, budget = np.array(g["n"]), np.array(g["price"]), g["budget"]
    x = exact(answer["x"])
    assert dot(w, x) == budget
    assert all(Fraction(int(c)) == exact(answer["multiplier"]) * int(p) * v for c, p, v in zip(n, w, x, strict=True))
    found = optimize.minimize(  # the shares of the budget on a scale without bounds
        lambda z: -n @ (np.r_[z, 0] - np.log(np.exp(np.r_[z, 0]).sum())), np.zeros(2), tol=1e-12
    )
    shares = np.exp(np.r_[found.x, 0])
    assert np.allclose(shares / shares.sum() * budget / w, answer["x"], rtol=1e-4)
    at = {f"x_{k + 1}": v for k, v in enumerate((0.3, 1.7, 0.9))}
    values = np.array(list(at.values()))
    symbols = {f"x_{k + 1}": v for k, v in enumerate(answer["x"])} | {r"\lambda": answer["multiplier"]}
    ask, tell = pages(drill, symbols)
    ask.says("Maximise $#$ over", At(at, n @ np.log(values)))
    ask.says(r"$\partial f / \partial x_k = \lambda\, w_k$.")
    ask.done()
    tell.says(r"$n_k / x_k = \lambda w_k$, so $n_k = \lambda w_k x_k$;")
    tell.says("the budget, $n_k / N$.")
    tell.done()


# --- matrix derivatives ----------------------------------------------------------------------------------------------


@each_seed()
def test_gradient_of_a_quadratic(seed):
    drill, g, answer = load("gradient-quadratic", seed)
    A, b, x = exact(g["A"]), exact(g["b"]), exact(g["x"])
    f = lambda x: quadratic(A, x) + dot(b, x)
    assert answer["value"] == f(x)
    assert answer["gradient"] == gradient_of(f, x)
    columns = [gradient_of(lambda x, j=j: gradient_of(f, x)[j], x) for j in (0, 1)]
    assert answer["hessian"] == columns
    symbols = {r"\mathbf{A}": np.array(g["A"]), r"\mathbf{b}": np.array(g["b"]), r"\mathbf{x}_0": np.array(g["x"])}
    at = np.array([0.4, 1.3])
    symbols |= {r"\mathbf{x}": at, r"f(\mathbf{x})": at @ np.array(g["A"]) @ at + np.array(g["b"]) @ at}
    ask, tell = pages(drill, symbols)
    ask.done()
    tell.says("so $#$.", answer["value"])
    tell.done()


@each_seed()
def test_gradient_of_squares(seed):
    drill, g, answer = load("gradient-squares", seed)
    X, y, w = exact(g["X"]), exact(g["y"]), exact(g["w"])
    residuals = lambda w: [p - t for p, t in zip(times(X, w), y, strict=True)]
    f = lambda w: dot(residuals(w), residuals(w))
    assert answer["residuals"] == residuals(w)
    assert answer["gradient"] == gradient_of(f, w)
    assert answer["hessian"] == [gradient_of(lambda w, j=j: gradient_of(f, w)[j], w) for j in (0, 1)]
    names = {r"\mathbf{X}": "X", r"\mathbf{y}": "y", r"\mathbf{w}": "w"}
    symbols = {symbol: np.array(g[name]) for symbol, name in names.items()}
    ask, tell = pages(drill, symbols | {r"\mathbf{r}": np.array(answer["residuals"])})
    ask.says(r"$f(\mathbf{w}) = \lVert\mathbf{X}\mathbf{w} - \mathbf{y}\rVert^2$")
    ask.done()
    tell.done()


@each_seed()
def test_gradient_by_a_matrix(seed):
    drill, g, answer = load("gradient-matrix", seed)
    a, b, W = exact(g["a"]), exact(g["b"]), exact(g["W"])
    form = lambda w: dot(a, times([w[:2], w[2:]], b))
    f = lambda w: form(w) + dot(w, w)
    flat = [*W[0], *W[1]]
    assert answer["form"] == form(flat)
    assert answer["square"] == np.trace(np.array(g["W"]).T @ np.array(g["W"]))
    assert [*answer["gradient"][0], *answer["gradient"][1]] == gradient_of(f, flat)
    symbols = {r"\mathbf{a}": np.array(g["a"]), r"\mathbf{b}": np.array(g["b"]), r"\mathbf{W}": np.array(g["W"])}
    ask, tell = pages(drill, symbols)
    ask.says(r"$f(\mathbf{W}) = \mathbf{a}^\top\mathbf{W}\mathbf{b} + \mathrm{tr}(\mathbf{W}^\top\mathbf{W})$")
    ask.done()
    tell.says("so $#$;", answer["form"])
    tell.says("all squares, $#$.", answer["square"])
    tell.done()
