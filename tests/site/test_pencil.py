r"""The page *Pencil and paper*: each number and each rule on it, by quadrature, differences, searches and the library.

A section is read as the drills are: its tables and sentences say what is expected here, every other formula must hold
where its letters are worth something, and no number may be left over.
"""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from notes_lib.drills import by_chapter
from tests.drills.arithmetic import PLACES, evaluate, name
from tests.drills.page import At, Page

TEXT = (Path(__file__).resolve().parents[2] / "chapters/revision/pencil.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^\(pencil-(\w+)\)=\n(.*?)(?=^\(pencil-|\Z)", TEXT, re.M | re.S))
LINKS = re.compile(r"^:::\{drill-links\} (.*)$", re.M)


def section(title, **symbols):
    """A section without its directives and labels, its letters worth what is said."""
    text = re.sub(r"^:::.*$|^:label:.*$|^## .*$", "", SECTIONS[title], flags=re.M)
    return Page(text, symbols, PLACES)


def named(symbols):
    """Values of symbols under the names that the reader gives them."""
    return {name(key): value for key, value in symbols.items()}


def first_cells(page):
    """The values in the first column of the second table, as they are printed."""
    rows = re.findall(r"^\| (\$\\tfrac.*?\$) \|", page.text, re.M)
    return [evaluate(row.strip("$"), {}, PLACES).value for row in rows]


def integral(f):
    return integrate.quad(f, -np.inf, np.inf)[0]


def slopes(f, x, h=1e-5):
    """Differences of a function of an array, in the shape of the array."""
    found = np.zeros_like(x, dtype=float)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x, dtype=float)
        step[place] = h
        found[place] = (f(x + step) - f(x - step)) / (2 * h)
    return found


def test_each_section_has_three_drills_of_its_own():
    linked = [[topic.strip() for topic in found.split(",")] for found in LINKS.findall(TEXT)]
    assert len(linked) == len(SECTIONS) == 6
    assert [topic for topics in linked for topic in topics] == by_chapter()["revision/pencil"]
    assert {len(topics) for topics in linked} == {3}


def test_logarithms():
    page = section("log2", H=1.5)
    xs = [3, 5, 6, 9, 10, 12]
    assert f"| $x$ | {' | '.join(map(str, xs))} |" in page.text
    page.table([r"$\log_2 x$", *np.log2(xs)])
    shares = first_cells(page)
    assert len(shares) == len(set(shares)) == 12
    page.table(*([p, np.log2(p), -p * np.log2(p), stats.entropy([p, 1 - p], base=2)] for p in shares))
    n, N = np.array([4, 2, 2]), 8
    page.says(r"$H=\log_2 N-\tfrac1N\sum_k n_k\log_2 n_k$.")
    page.says("$H = #$ bits.", stats.entropy(n, base=2))
    page.says("Counts 4, 2, 2: $# = #$ and $# = #$", *[math.log2(N)] * 2, *[(n * np.log2(n)).sum()] * 2)
    at = {"a": 9.0, "b": 2.0}
    quotient, base = math.log2(9 / 2), math.log(9, 2)
    page.says(
        r"| logarithm of a quotient | $\log_2\tfrac ab=#$ | $#=#$ |",
        At(at, quotient), *[round(quotient, 3)] * 2,
    )  # fmt: skip
    page.says(r"| quotient of logarithms | $#=\log_b a$: another base | $#=#$ |", At(at, base), *[round(base, 3)] * 2)
    page.says(r"| $-\log_2 p$ is not weighted, $-p\log_2 p$ is | $p=\tfrac14$: 2 and 0.5 |")
    assert (-np.log2(1 / 4), -np.log2(1 / 4) / 4) == (2, 0.5)
    page.says("on 9 and 2")
    page.done()


def test_two_rows():
    a, b, c, d = 3.0, 1.0, -2.0, 4.0
    A = np.array([[4.0, 1], [2, 3]])
    page = section("2x2", a=a, b=b, c=c, d=d, t=a + d, D=a * d - b * c)
    inverse = np.linalg.inv([[a, b], [c, d]])
    page.says("$$\n#=#\n$$", inverse, inverse)
    page.says(r"$t=a+d$ is the sum of the eigenvalues, the determinant $D=ad-bc$ their product:")
    lam = np.linalg.eigvals([[a, b], [c, d]])
    assert lam.sum().real == pytest.approx(a + d)
    assert lam.prod().real == pytest.approx(a * d - b * c)
    real = {"t": 7.0, "D": 10.0}
    high, low = np.sort(np.linalg.eigvals(A))[::-1]
    assert "\\lambda=\\tfrac12\\big(t\\pm\\sqrt{t^2-4D}\\big)" in page.text
    for sign, value in (("+", high), ("-", low)):
        assert evaluate(rf"\tfrac12 (t {sign} \sqrt{{t^2-4D}})", real, PLACES).value == pytest.approx(value)
    page.says(r"$\lambda=\tfrac12\big(t\pm\sqrt{t^2-4D}\big)$")
    page.says("a row $(p,q)$ gives $(q,-p)^\\top$")
    page.says(r"Symmetric with equal diagonal, $#$: eigenvalues", np.array([[a, b], [b, a]]))
    page.says(r"$a+b$ and $a-b$ with" "\n" r"  $(1,1)^\top$ and $(1,-1)^\top$.")
    equal = np.array([[a, b], [b, a]])
    assert np.allclose(equal @ [1, 1], [a + b, a + b])
    assert np.allclose(equal @ [1, -1], [a - b, b - a])
    page.says("if and only if $a>0$ and $ad-b^2>0$.")
    for first, off, last in np.random.default_rng(0).normal(size=(200, 3)):
        definite = np.linalg.eigvalsh([[first, off], [off, last]]).min() > 0
        assert definite == (first > 0 and first * last - off**2 > 0)
    page.says("$\\mathbf{A}=#$ has $t=#$ and $D=#$, so", A, np.trace(A), np.linalg.det(A))
    page.says(r"$\lambda=\tfrac12(7\pm 3)$: 5 and 2.")
    assert (high, low) == pytest.approx((5, 2))
    assert (A @ [1, 1]).tolist() == [5, 5]
    assert (A @ [1, -2]).tolist() == [2, -4]
    page.says(r"The first row of $\mathbf{A}-5\mathbf{I}$ is $#$, so the eigenvector of 5 is", (A - 5 * np.eye(2))[:1])
    page.says(r"$#$. The first row of $\mathbf{A}-2\mathbf{I}$ is $#$, so that of 2 is $#$.",
              np.array([1, 1]), (A - 2 * np.eye(2))[:1], np.array([1, -2]))  # fmt: skip
    page.says("The inverse is\n$#$.", np.linalg.inv(A))
    page.says("| on $#$ |", A)
    page.says("divided by $ad-bc$ | $#$ |", np.linalg.inv(A))
    page.says("change places | $#$ |", A.T)
    page.says("| 5 and 2, not 4 and 3 |")
    page.done()


def test_gaussian_integrals():
    a, b, m, v = 1.5, 0.7, 0.4, 2.5
    A, shift = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([0.3, -0.6])
    page = section("gaussian", a=a, b=b, m=m, v=v, d=2, e=math.e)
    page.symbols |= named({r"\mathbf{A}": A, r"\mathbf{b}": shift, r"\pi": math.pi})
    page.says("with $a>0$ and")

    def plane(linear):
        x = np.arange(-15, 15, 0.05)
        grid = np.stack(np.meshgrid(x, x), axis=-1)
        return np.exp(-((grid @ A) * grid).sum(axis=-1) / 2 + grid @ linear).sum() * 0.05**2

    whole = plane(np.zeros(2))
    rows = re.findall(r"^\| \$\\int (.*?)\$(?: in \$d\$ dimensions)? \| (.*) \|$", page.text, re.M)
    values = [
        integral(lambda x: math.exp(-a * x * x)),
        integral(lambda x: math.exp(-a * x * x + b * x)),
        integral(lambda x: math.exp(-((x - m) ** 2) / (2 * v))),
        integral(lambda x: x * x * math.exp(-a * x * x)),
        whole,
        plane(shift) / whole,
    ]
    for (_, right), value in zip(rows, values, strict=True):
        formula = right.removeprefix("the same times ").strip("$").replace(r"\lvert\mathbf{A}\rvert", "|A|")
        symbols = page.symbols | {"A": A}
        formula = formula.replace("|A|", f"({np.linalg.det(A):.12g})")
        assert evaluate(formula, symbols, PLACES).value == pytest.approx(value, rel=1e-6), right
    moments = [stats.norm(m, math.sqrt(v)).moment(k) for k in (2, 3, 4)]
    grown = integral(lambda x: math.exp(x + stats.norm(m, math.sqrt(v)).logpdf(x)))
    for text, value in zip(("m^2+v", "m^3+3mv", "m^4+6m^2v+3v^2", "e^{m+v/2}"), [*moments, grown], strict=True):
        assert f"${text}$" in page.text
        assert evaluate(text, page.symbols, PLACES).value == pytest.approx(value, rel=1e-6)
    g = lambda x: math.exp(-x * x + 4 * x)
    mass = integral(g)
    mean = integral(lambda x: x * g(x)) / mass
    assert mass == pytest.approx(math.e**4 * math.sqrt(math.pi))
    assert (mean, integral(lambda x: (x - mean) ** 2 * g(x)) / mass) == pytest.approx((2, 1 / 2))
    page.says("$\\int e^{-x^2+4x}\\,dx$: the exponent is $#$, so", At({"x": 0.3}, -0.09 + 1.2))
    page.says(
        r"is $e^4\sqrt\pi$, and",
    )
    page.says("$g(x)=e^{-x^2+4x}$ is proportional to a Gaussian with mean 2 and variance $#$.", 0.5)
    factor = 2.0  # of the square in the exponent -2x^2
    sharp = lambda x: math.exp(-factor * x * x)
    variance = integral(lambda x: x * x * sharp(x)) / integral(sharp)
    assert (factor, 1 / variance, variance) == pytest.approx((2, 4, 0.25))
    page.says("| on $-2x^2$ |")
    page.says("| 2, 4 and 0.25 |")
    page.says("2 would be 4 |")
    page.says(r"mean 3, variance 4: $E\,x^2=#$ |", stats.norm(3, 2).moment(2))


def test_completing_the_square():
    a, b, c, x, y, p, q, t = 2.0, -3.0, 1.5, 0.7, -1.2, 2.0, 3.0, 0.4
    page = section("square", a=a, b=b, c=c)
    low = optimize.minimize_scalar(lambda z: a * z * z + b * z + c)
    at = {"a": a, "b": b, "c": c, "h": low.x}
    page.says("$ax^2+bx+c$ | $a(x-h)^2+k$ with $h=#$ and $k=#$ |", At(at, low.x), At(at, low.fun))
    A, B, xs = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([0.3, -0.6]), np.array([1.1, -0.4])
    m = np.linalg.solve(A, B)
    page.says(r"| $(\mathbf{x}-\mathbf{m})^\top\mathbf{A}(\mathbf{x}-\mathbf{m})+k$ with")
    page.says(r"$\mathbf{A}\mathbf{m}=\mathbf{b}$ and $k=c-\mathbf{m}^\top\mathbf{b}$ |")
    page.says(r"| $\mathbf{x}^\top\mathbf{A}\mathbf{x}-2\mathbf{b}^\top\mathbf{x}+c$,")
    assert xs @ A @ xs - 2 * B @ xs + c == pytest.approx((xs - m) @ A @ (xs - m) + c - m @ B)
    both = optimize.minimize_scalar(lambda z: p * (z - x) ** 2 + q * (z - y) ** 2, tol=1e-12)
    at = {"p": p, "q": q, "x": x, "y": y, "t": t}
    page.says("| $#$ | $(p+q)(t-h)^2+k$ with", At(at, p * (t - x) ** 2 + q * (t - y) ** 2))
    page.says("$h=#$ and $k=#$ |", At(at, round(both.x, 6)), At(at, round(both.fun, 6)))
    assert (p + q) * (t - both.x) ** 2 + both.fun == pytest.approx(p * (t - x) ** 2 + q * (t - y) ** 2)
    f = lambda z: 2 * z * z - 12 * z + 7
    low = optimize.minimize_scalar(f)
    assert (low.x, low.fun) == pytest.approx((3, -11))
    page.says("$#$: $h=#$ and $k=#$, so it is $#$, with the", At({"x": 0.3}, f(0.3)), 3, -11, At({"x": 0.3}, f(0.3)))
    page.says("smallest value $#$ at 3. Check the linear term: $#$.", low.fun, -12)
    page.says("| on $#$ |", At({"x": 0.3}, f(0.3)))
    page.says(r"| $#$ | $-\tfrac ba$, or with the other sign | 3, not 6 or $#$ |", At({"a": 2.0, "b": -12.0}, 3), -3)
    page.says("| $c-ah^2$ | $c-h^2$, or $c$ | $#$, not $#$ or 7 |", -11, 7 - 9)
    page.says("| $p+q$ | $pq$ | 2 and 3 give 5, not 6 |")
    page.done()


def test_lagrange_multipliers():
    page = section("lagrange")
    least = lambda level: optimize.minimize(
        lambda z: (z[0] ** 2 + 2 * z[1] ** 2) / 2,
        [0, 0],
        constraints={"type": "eq", "fun": lambda z: z @ [1, 2] - level},
    )
    found = least(6.0)
    assert (*found.x, found.fun) == pytest.approx((2, 2, 6), abs=1e-5)
    assert (least(6.1).fun - least(5.9).fun) / 0.2 == pytest.approx(2, abs=1e-3)
    assert least(6.1).fun == pytest.approx(6.2, abs=0.01)
    page.says(
        "Smallest $#$ with $#$ equal to 6:",
        At({"x": 0.3, "y": 1.1}, (0.09 + 2 * 1.21) / 2),
        At({"x": 0.3, "y": 1.1}, 2.5),
    )
    page.says(r"$x=\lambda$ and $y=\lambda$, so" "\n" r"$x=y=\lambda$ and $3\lambda=6$.")
    page.says(r"The minimiser is $#$ with $\lambda=#$, the minimum $#$;", found.x.round(3)[None], 2, 6)
    page.says("with 6.1 on\nthe right it is about $#$.", 6.2)
    page.says(r"$\lambda$ | $\lambda=#$ |", 2)
    page.says(r"$-\lambda$ | $\lambda=#$ |", -2)
    gradient = np.array([2.0, 4.0])  # of f at (2, 2); that of g is (1, 2)
    assert np.allclose(gradient, 2 * np.array([1, 2]))
    a, c, r = np.array([1.0, -2.0, 2.0]), 3.0, 2.0
    on_plane = lambda x: abs(a @ x - c) < 1e-9
    x = c / (a @ a) * a
    around = np.random.default_rng(0).normal(size=(500, 3))
    others = around + ((c - around @ a) / (a @ a))[:, None] * a
    assert on_plane(x)
    assert (np.linalg.norm(others, axis=1) >= np.linalg.norm(x)).all()
    sphere = r * around / np.linalg.norm(around, axis=1)[:, None]
    assert (sphere @ a <= a @ (r / np.linalg.norm(a) * a) + 1e-9).all()
    assert a @ (r / np.linalg.norm(a) * a) == pytest.approx(r * np.linalg.norm(a))
    n, p = np.array([3, 5, 2]), np.random.default_rng(1).dirichlet([1, 1, 1], size=500)
    assert (np.log(p) @ n <= n @ np.log(n / n.sum())).all()
    assert np.allclose(n / (n / n.sum()), n.sum())  # the multiplier
    assert (stats.entropy(p, axis=1) <= np.log(3)).all()
    page.says(r"| smallest $\tfrac12\lVert\mathbf{x}\rVert^2$ with")
    page.says(r"with $\lVert\mathbf{x}\rVert=1$ | eigenvector of the largest")
    page.says(r"with $\sum_k p_k=1$ | $p_k=n_k/N$, with")
    page.says(r"with $\sum_{k=1}^{K} p_k=1$ | $p_k=1/K$ |")
    page.says(r"| $\lVert\mathbf{x}\rVert^2=r^2$ as constraint | its gradient is $2\mathbf{x}$: the factor 2 goes into")
    left = [text for text in re.split(r"\n+", "".join(
        "\n" if done else letter for letter, done in zip(page.text, page.checked, strict=True)))
        if re.search(r"(?<!_)\d", text)]  # fmt: skip
    assert left == []


def test_matrix_derivatives():
    rng = np.random.default_rng(0)
    A, X, W = rng.normal(size=(3, 3)), rng.normal(size=(4, 3)), rng.normal(size=(3, 3)) + 2 * np.eye(3)
    b, x, w, y = rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), np.array([1.0, -1, -1, 1])
    sigmoid = lambda z: 1 / (1 + np.exp(-z))
    page = section("derivatives")
    names = {r"\mathbf{A}": A, r"\mathbf{X}": X, r"\mathbf{W}": W, r"\mathbf{b}": b, r"\mathbf{x}": x}
    names |= {r"\mathbf{w}": w, r"\mathbf{y}": y, r"\mathbf{a}": w}
    rules = [
        (r"\mathbf{b}", slopes(lambda x: b @ x, x)),
        (r"(\mathbf{A}+\mathbf{A}^\top)\mathbf{x}", slopes(lambda x: x @ A @ x, x)),
        (r"2\mathbf{X}^\top(\mathbf{X}\mathbf{w}-\mathbf{y})", slopes(lambda w: ((X @ w - y) ** 2).sum(), w)),
        (r"\mathbf{a}\mathbf{b}^\top", slopes(lambda W: w @ W @ b, W)),
        (r"\mathbf{A}^\top", slopes(lambda W: np.trace(A @ W), W)),
        (r"2\mathbf{W}", slopes(lambda W: np.trace(W.T @ W), W)),
    ]
    for text, value in rules:
        assert f"| ${text}$" in page.text
        found = evaluate(text, named(names), PLACES).value
        assert np.allclose(np.squeeze(found), value, atol=1e-6), text
    assert r"Hessian $2\mathbf{X}^\top\mathbf{X}$" in page.text
    steps = [slopes(lambda v, column=column: 2 * column @ (X @ v - y), w) for column in X.T]
    assert np.allclose(steps, 2 * X.T @ X, atol=1e-6)
    assert np.allclose(np.linalg.inv(W).T, slopes(lambda W: math.log(abs(np.linalg.det(W))), W), atol=1e-6)
    logistic = slopes(lambda w: np.log(1 + np.exp(-y * (X @ w))).sum(), w)
    assert np.allclose(-(y * sigmoid(-y * (X @ w))) @ X, logistic, atol=1e-6)
    assert r"$-\sum_n y_n\,\sigma(-y_n\mathbf{w}^\top\mathbf{x}_n)\,\mathbf{x}_n$" in page.text
    A = np.array([[1.0, 2], [0, 3]])
    one = np.ones(2)
    at = {"x_1": 0.3, "x_2": 1.1}
    page.symbols |= named({r"\mathbf{A}": A})
    page.says("$\\mathbf{A}=#$ is $#$. Its gradient", A, At(at, np.array([0.3, 1.1]) @ A @ [0.3, 1.1]))
    gradient = slopes(lambda x: x @ A @ x, one).round(6)
    page.says("at $#$ is\n$#$;", one, gradient)
    page.says(r"twice $\mathbf{A}\mathbf{x}$ would be $#$.", 2 * A @ one)
    page.says("on $#$ at $#$ |", A, one)
    page.says("| $#$, not $#$ |", gradient, 2 * A @ one)
    page.says(r"| $\mathbf{A}$ | $#$ |", A.T)
    page.says(r"| 14, not 10 |")
    assert (np.trace(A.T @ A), np.trace(A @ A)) == (14, 10)
