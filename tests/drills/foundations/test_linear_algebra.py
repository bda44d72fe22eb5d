"""Drills on linear algebra: answers recomputed in fractions from what is given, without the library."""

import math
from fractions import Fraction

import numpy as np
import pytest

from notes_lib.display import sig
from tests.drills.exact import dot, load
from tests.drills.page import At, pages
from tests.drills.seeds import drawn, each_seed


def close(found, exact):
    return all(abs(a - float(b)) < 1e-8 for a, b in zip(found, exact, strict=True))


@pytest.mark.equation("linear-algebra-projection-line", "linear-algebra-normal", "linear-algebra-orthogonal")
@each_seed()
def test_projection_in_fractions(seed):
    drill, g, answer = load("projection", seed)
    y, a, b = g["y"], g["a"], g["b"]
    assert close(answer["line"], [dot(a, y) / dot(a, a) * Fraction(v) for v in a])
    gram = [[dot(a, a), dot(a, b)], [dot(a, b), dot(b, b)]]
    right = [dot(a, y), dot(b, y)]
    assert answer["gram"] == gram
    assert answer["right"] == right
    det = gram[0][0] * gram[1][1] - gram[0][1] ** 2
    w = [(gram[1][1] * right[0] - gram[0][1] * right[1]) / det, (gram[0][0] * right[1] - gram[0][1] * right[0]) / det]
    assert answer["w"] == w  # whole numbers
    assert answer["plane"] == [w[0] * Fraction(u) + w[1] * Fraction(v) for u, v in zip(a, b, strict=True)]
    assert answer["residual"] == [u - v for u, v in zip(y, answer["plane"], strict=True)]
    assert dot(a, answer["residual"]) == dot(b, answer["residual"]) == 0
    assert any(answer["residual"])
    assert det != 0
    assert gram[0][1] != 0
    assert max(map(abs, [*y, *answer["residual"]])) <= 9
    assert all(v == int(v) for v in [*y, *a, *b, *w])
    for value in [*w, *answer["plane"], *answer["residual"], *answer["line"], float(det)]:
        assert sig(float(value)) in drill.solution


@pytest.mark.equation("linear-algebra-eigen", "linear-algebra-rayleigh", "linear-algebra-eigen-two")
@each_seed()
def test_eigen_by_the_definition(seed):
    drill, g, answer = load("eigen-2x2", seed)
    A, w = g["A"], g["w"]
    assert A[0][1] == A[1][0] != 0
    lam, V = answer["eigenvalues"], answer["vectors"]
    assert lam[0] > lam[1]
    assert sum(lam) == A[0][0] + A[1][1]
    assert lam[0] * lam[1] == A[0][0] * A[1][1] - A[0][1] ** 2
    for value, v in zip(lam, V, strict=True):
        assert value == int(value)
        assert [dot(row, v) for row in A] == [Fraction(value) * Fraction(x) for x in v]
        assert math.gcd(int(v[0]), int(v[1])) == 1
    assert dot(*V) == 0
    assert answer["form"] == dot(w, [dot(row, w) for row in A])
    assert math.isclose(answer["quotient"], dot(w, [dot(row, w) for row in A]) / dot(w, w))
    assert lam[1] <= answer["quotient"] <= lam[0]
    assert answer["bounds"] == [lam[1], lam[0]]
    signs = {(v > 0) - (v < 0) for v in lam}
    expected = {
        frozenset({1}): "positive definite",
        frozenset({1, 0}): "positive semi-definite, not definite",
        frozenset({1, -1}): "indefinite",
        frozenset({-1}): "negative definite",
        frozenset({-1, 0}): "negative semi-definite, not definite",
    }[frozenset(signs)]
    assert answer["definiteness"] == expected
    assert f": {expected}." in drill.solution
    for value in [*lam, *(dot(row, w) for row in A), answer["form"], answer["quotient"]]:
        assert sig(float(value)) in drill.solution


def test_every_kind_of_definiteness_is_drawn():
    kinds = {drawn("eigen-2x2", seed).answer["definiteness"] for seed in (0, 1, 2, 5, 7)}  # two are rare
    semi = {f"{sign} semi-definite, not definite" for sign in ("positive", "negative")}
    assert kinds == {"positive definite", "negative definite", "indefinite", *semi}


@pytest.mark.equation("linear-algebra-cholesky", "linear-algebra-cholesky-solve", "linear-algebra-cholesky-logdet")
@each_seed()
def test_cholesky_multiplies_back(seed):
    drill, g, answer = load("cholesky", seed)
    L, A, b = answer["L"], g["A"], g["b"]
    assert [[dot(L[i], L[j]) for j in range(3)] for i in range(3)] == A
    assert all(L[i][j] == 0 for i in range(3) for j in range(i + 1, 3))
    assert all(L[i][i] > 0 for i in range(3))
    assert [dot(row, answer["z"]) for row in L] == b
    assert [dot(column, answer["x"]) for column in zip(*L, strict=True)] == answer["z"]
    assert [dot(row, answer["x"]) for row in A] == b
    (a, d, e), (_, f, h), (_, _, i) = A
    assert answer["determinant"] == a * (f * i - h * h) - d * (d * i - h * e) + e * (d * h - f * e)
    for value in [v for row in L for v in row] + answer["x"] + answer["z"] + [answer["determinant"]]:
        assert sig(float(value)) in drill.solution


@pytest.mark.parametrize("seed", [57, 146, 232, 417])  # draws with the solution 0, or a diagonal matrix, were kept
def test_a_cholesky_drill_leaves_something_to_do(seed):
    g = drawn("cholesky", seed).given
    assert any(g["b"])
    assert any(g["A"][i][j] for i in range(3) for j in range(i))


@pytest.mark.equation("linear-algebra-inverse-two", "linear-algebra-d-logdet")
@each_seed()
def test_log_determinant_in_fractions(seed):
    _, g, answer = load("log-determinant", seed)
    (a, b), (c, d) = X = [[Fraction(v) for v in row] for row in g["X"]]
    C = [[Fraction(v) for v in row] for row in g["C"]]
    det = a * d - b * c
    assert answer["determinant"] == det > 0
    inverse = [[d / det, -b / det], [-c / det, a / det]]
    assert all(close(*rows) for rows in zip(answer["inverse"], inverse, strict=True))
    assert all(close(*rows) for rows in zip(answer["gradient"], zip(*inverse, strict=True), strict=True))
    # |X + t C| is a quadratic in t: its slope at 0, over its value, is the first-order change
    slope = a * C[1][1] + d * C[0][0] - b * C[1][0] - c * C[0][1]
    assert math.isclose(answer["change"], slope / det / 10)
    t = Fraction(1, 10)
    moved = det + t * slope + t * t * (C[0][0] * C[1][1] - C[0][1] * C[1][0])
    assert math.isclose(answer["exact"], math.log(moved / det))
    assert abs(answer["exact"] - answer["change"]) < 0.15
    assert X[0][1] != X[1][0]  # else the transpose would not show


@pytest.mark.equation("linear-algebra-schur", "linear-algebra-block-inverse", "linear-algebra-schur-definite")
@each_seed()
def test_schur_complement_in_fractions(seed):
    _, g, answer = load("schur-complement", seed)
    M = [[Fraction(v) for v in row] for row in g["M"]]
    (a, d, e), (_, f, h), (_, _, i) = M
    assert all(M[j][k] == M[k][j] for j in range(3) for k in range(3))
    assert answer["schur"] == [[f - d * d / a, h - d * e / a], [h - d * e / a, i - e * e / a]]
    det = a * (f * i - h * h) - d * (d * i - h * e) + e * (d * h - f * e)
    assert answer["determinant"] == det != 0
    cofactors = [[a * i - e * e, d * e - a * h], [d * e - a * h, a * f - d * d]]  # of the adjugate
    assert all(close(row, [v / det for v in known]) for row, known in zip(answer["block"], cofactors, strict=True))
    minors = [a, a * f - d * d, det]  # Sylvester, not the complement
    if all(v > 0 for v in minors):
        assert answer["definiteness"] == "positive definite"
    elif all(v > 0 for v in (-minors[0], minors[1], -minors[2])):
        assert answer["definiteness"] == "negative definite"
    else:
        assert answer["definiteness"] == "indefinite"


def test_schur_complements_of_every_kind_are_drawn():
    kinds = [drawn("schur-complement", seed).answer["definiteness"] for seed in range(12)]
    assert set(kinds) == {"positive definite", "negative definite", "indefinite"}


@each_seed()
def test_every_number_of_a_log_determinant(seed):
    drill = drawn("log-determinant", seed)
    X, C = np.array(drill.given["X"]), np.array(drill.given["C"])
    ask, tell = pages(drill, {r"\mathbf{X}": X, r"\mathbf{C}": C})
    ask.says("when $0.1\\,\\mathbf{C}$ is added")
    ask.done()
    inverse, moved = np.linalg.inv(X), X + 0.1 * C
    tell.says(r"1 for the inverse): $#$. Exchange", np.linalg.det(X))
    tell.says("$$\n\\mathbf{X}^{-1} = # .\n$$", inverse)
    tell.says(r"$\mathbf{X}^{-\top} = #$.", inverse.T)
    tell.says(r"gradient and step, $#$.", 0.1 * np.trace(inverse @ C))
    tell.says(r"the new matrix is $#$ with the determinant $#$, and", moved, np.linalg.det(moved))
    tell.says(r"$#$. The two", np.log(np.linalg.det(moved) / np.linalg.det(X)))
    tell.done()


@each_seed()
def test_every_number_of_a_schur_complement(seed):
    drill = drawn("schur-complement", seed)
    M = np.array(drill.given["M"])
    ask, tell = pages(drill, {r"\mathbf{M}": M, r"m_{11}": M[0, 0]})
    ask.says(r"lower right $2 \times 2$ block")
    ask.done()
    S = np.linalg.inv(np.linalg.inv(M)[1:, 1:])
    formula = r"\mathbf{M}_{22} - \frac{\mathbf{M}_{21}\mathbf{M}_{12}}{m_{11}}"
    tell.says(f"$$\n{formula} = # .\n$$", S)
    tell.says(r"that of the complement is $#$, so $|\mathbf{M}| = #$.", np.linalg.det(S), np.linalg.det(M))
    low, high = np.linalg.eigvalsh(S)
    if low * high < 0:
        tell.says("Its two eigenvalues have different signs, because its determinant is negative, and $m_{11}$")
    else:
        sign = "+" if low > 0 else "-"
        tell.says("because its determinant is positive: both are #, and $m_{11}$", sign)
    tell.says("$m_{11}$ is #: #.", "positive" if M[0, 0] > 0 else "negative", drill.answer["definiteness"])
    tell.says("the inverse of the complement, $#$.", np.linalg.inv(M)[1:, 1:])
    tell.done()


@each_seed()
def test_every_number_of_a_projection(seed):
    drill = drawn("projection", seed)
    y, a, b = (np.array(drill.given[key]) for key in "yab")
    X = np.column_stack([a, b])
    w = np.linalg.solve(X.T @ X, X.T @ y)
    symbols = {"y": y, "a": a, "b": b, "X": X, "w": w, "p": X @ w, "e": y - X @ w}
    ask, tell = pages(drill, {rf"\mathbf{{{key}}}": value for key, value in symbols.items()})
    ask.done()
    tell.says(r"$\mathbf{a}^\top\mathbf{y} = #$, $\mathbf{a}^\top\mathbf{a} = #$", a @ y, a @ a)
    tell.says(r"so the projection is $#$.", a * (a @ y) / (a @ a))
    tell.says(r"the determinant is $#$, so", np.linalg.det(X.T @ X))
    e, terms = y - X @ w, r"# \cdot # + # \cdot # + # \cdot #"
    for key, side in (("a", a), ("b", b)):
        factors = (v for pair in zip(side, e, strict=True) for v in pair)
        tell.says(rf"$\mathbf{{{key}}}^\top\mathbf{{e}} = {terms} = 0$", *factors)
    tell.done()


@each_seed()
def test_every_number_of_an_eigenvector(seed):
    drill = drawn("eigen-2x2", seed)
    A, w = np.array(drill.given["A"]), np.array(drill.given["w"])
    lam, V = drill.answer["eigenvalues"], drill.answer["vectors"]
    symbols = {r"\mathbf{A}": A, r"\mathbf{w}": w, r"\mathbf{v}_1": V[0], r"\mathbf{v}_2": V[1]}
    ask, tell = pages(drill, symbols | {r"\lambda_1": lam[0], r"\lambda_2": lam[1]})
    ask.table(*([i, None, None, None] for i in (1, 2)))
    ask.done()
    trace, det = np.trace(A), np.linalg.det(A)
    tell.says("the trace is # and the determinant $#$, so", trace, det)
    tell.says(r", so $# = 0$, and", At({r"\lambda": 0.7}, 0.49 - 0.7 * trace + det))
    tell.says(r"$\lambda = \tfrac12 \big(# \pm \sqrt{#}\big)$: ", trace, trace**2 - 4 * det)
    tell.table(*([i + 1, lam[i], A - lam[i] * np.eye(2), V[i]] for i in (0, 1)))
    signs = " and ".join("+" if v > 0 else "-" if v < 0 else "0" for v in lam)
    tell.says("the signs of the eigenvalues are #: #.", signs, drill.answer["definiteness"])
    tell.says("so the quotient is $#$, between", w @ A @ w / (w @ w))
    tell.done()


@each_seed()
def test_every_number_of_a_cholesky_factor(seed):
    drill = drawn("cholesky", seed)
    A, b = np.array(drill.given["A"]), np.array(drill.given["b"])
    L = np.linalg.cholesky(A)
    z, x = np.linalg.solve(L, b), np.linalg.solve(A, b)
    symbols = {r"\mathbf{A}": A, r"\mathbf{b}": b, r"\mathbf{L}": L, r"\mathbf{x}": x, r"\mathbf{z}": z}
    symbols |= {rf"\ell_{{{i + 1}{j + 1}}}": L[i, j] for i in range(3) for j in range(i + 1)}
    symbols |= {f"{key}_{i + 1}": v[i] for key, v in [("x", x), ("z", z)] for i in range(3)}
    ask, tell = pages(drill, symbols)
    ask.done()
    tell.says("**Determinant** (1 mark): $#$.", np.linalg.det(A))
    tell.says(r"- $\ell_{11} = \sqrt{#} = #$, $\ell_{21} = # / # = #$, $\ell_{31} = # / # = #$",
              A[0, 0], L[0, 0], A[1, 0], L[0, 0], L[1, 0], A[2, 0], L[0, 0], L[2, 0])  # fmt: skip
    tell.says(r"- $\ell_{22} = \sqrt{# - #^2} = #$, $\ell_{32} = (# - # \cdot #) / # = #$",
              A[1, 1], L[1, 0], L[1, 1], A[2, 1], L[2, 0], L[1, 0], L[1, 1], L[2, 1])  # fmt: skip
    tell.says(r"- $\ell_{33} = \sqrt{# - #^2 - #^2} = #$", A[2, 2], L[2, 0], L[2, 1], L[2, 2])
    tell.says("- $z_1 = # / # = #$", b[0], L[0, 0], z[0])
    tell.says(r"- $z_2 = (# - # \cdot #) / # = #$", b[1], L[1, 0], z[0], L[1, 1], z[1])
    tell.says(r"- $z_3 = (# - # \cdot # - # \cdot #) / # = #$", b[2], L[2, 0], z[0], L[2, 1], z[1], L[2, 2], z[2])
    tell.says("- $x_3 = # / # = #$", z[2], L[2, 2], x[2])
    tell.says(r"- $x_2 = (# - # \cdot #) / # = #$", z[1], L[2, 1], x[2], L[1, 1], x[1])
    tell.says(r"- $x_1 = (# - # \cdot # - # \cdot #) / # = #$", z[0], L[1, 0], x[1], L[2, 0], x[2], L[0, 0], x[0])
    tell.done()
