"""Drills on penalised least squares: answers recomputed in fractions from what is given, without the library."""

import json
from fractions import Fraction

import numpy as np
import pytest

from tests.drills.arithmetic import CARRIED
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def parts(topic, seed):
    drill = drawn(topic, seed)
    return drill, *json.loads(json.dumps([drill.given, drill.answer]))


def dot(u, v):
    return sum(Fraction(a) * Fraction(b) for a, b in zip(u, v, strict=True))


def pulled(z, t):
    """Soft threshold by its three cases."""
    return z - t if z > t else z + t if z < -t else Fraction(0)


def sweep(g):
    """Both updates of one sweep, from 0."""
    a, b = ([row[j] for row in g["X"]] for j in range(2))
    first = pulled(dot(a, g["y"]), g["strength"]) / dot(a, a)
    r = [y - first * v for y, v in zip(g["y"], a, strict=True)]
    second = pulled(dot(b, r), g["strength"]) / dot(b, b)
    rest = [v - second * u for v, u in zip(r, b, strict=True)]
    return a, b, first, r, second, rest


@pytest.mark.equation("regularization-ridge-solution", "regularization-conventions")
@each_seed()
def test_ridge_in_fractions(seed):
    drill, g, answer = parts("ridge-2d", seed)
    columns = [[row[j] for row in g["X"]] for j in range(2)]
    G = [[dot(u, v) for v in columns] for u in columns]
    c = [dot(u, g["y"]) for u in columns]
    (a, b), (_, e) = A = [[G[i][j] + (i == j) * g["strength"] for j in range(2)] for i in range(2)]
    det = a * e - b * b
    w = [(e * c[0] - b * c[1]) / det, (a * c[1] - b * c[0]) / det]
    assert (answer["gram"], answer["moments"], answer["A"], answer["determinant"]) == (G, c, A, det)
    assert np.allclose(answer["w"], [float(v) for v in w], rtol=0, atol=1e-11)
    assert answer["prediction"] == pytest.approx(float(dot(w, g["x"])), abs=1e-11)
    # beside a mean: the gradient of (1/N) sum r^2 + s |w|^2 vanishes at the same weights
    r = [y - dot(w, x) for x, y in zip(g["X"], g["y"], strict=True)]
    s = dot(columns[0], r) / len(r) / w[0]
    assert answer["with_mean"] == pytest.approx(float(s), rel=1e-12)
    assert drill.marks == sum(field.marks for field in drill.fields)


@each_seed()
def test_every_number_of_ridge(seed):
    drill, g, _ = parts("ridge-2d", seed)
    X, y, strength, x = np.array(g["X"]), np.array(g["y"]), g["strength"], np.array(g["x"])
    A = X.T @ X + strength * np.eye(2)
    w = np.linalg.inv(A) @ X.T @ y
    symbols = {r"\mathbf{X}": X, r"\mathbf{y}": y[:, None], r"\lambda": strength, "N": len(y), r"\mathbf{A}": A}
    ask, tell = pages(drill, symbols | {r"\mathbf{w}": w, r"\mathbf{x}": x}, CARRIED)
    ask.says(r"with $\lambda = #$, without a bias", strength)
    ask.table(*([p, t] for p, t in zip(X, y, strict=True)))
    ask.says(r"puts $\tfrac1N$ before the sum")
    ask.says(r"for $\mathbf{x} = #$", x)
    ask.says(r"Minimise $\sum_n (y_n - \mathbf{w}^\top \mathbf{x}_n)^2 + \lambda \lVert \mathbf{w} \rVert^2$")
    ask.says(r"1. $\mathbf{X}^\top \mathbf{X}$ and $\mathbf{X}^\top \mathbf{y}$")
    ask.says(r"$\mathbf{A} = \mathbf{X}^\top \mathbf{X} + \lambda \mathbf{I}$")
    ask.done()
    tell.says(r"$\mathbf{X}^\top \mathbf{X} = #$ and", X.T @ X)
    tell.says(r"$\mathbf{X}^\top \mathbf{y} = #$.", X.T @ y)
    (a, b), (_, e) = A
    det = a * e - b * b
    tell.says(r"$\mathbf{A} = #$, and $|\mathbf{A}| = # \cdot # - #^2 = #$.", A, a, e, b, det)
    tell.says(r"$\mathbf{A}^{-1} = \frac{1}{#} #$, so", det, np.linalg.inv(A) * det)
    tell.says(r"$\mathbf{w} = \mathbf{A}^{-1} \mathbf{X}^\top \mathbf{y} = \frac{1}{#} # = #$.", det, w * det, w)
    tell.says(r"$\mathbf{w}^\top \mathbf{x} = #$.", w @ x)
    tell.says(r"by $N = #$ moves", len(y))
    tell.says(r"$\lambda / N = # / # = #$.", strength, len(y), strength / len(y))
    tell.done()


@pytest.mark.equation("regularization-soft-threshold", "regularization-orthonormal")
@each_seed()
def test_soft_threshold_in_fractions(seed):
    drill, g, answer = parts("soft-threshold", seed)
    z, t = [Fraction(v) for v in g["z"]], Fraction(g["strength"])
    lasso = [pulled(v, t) for v in z]
    assert answer["lasso"] == lasso
    assert answer["largest"] == max(map(abs, z))
    assert np.allclose(answer["ridge"], [float(v / (1 + t)) for v in z], rtol=1e-12)
    kept = sum(v != 0 for v in lasso)
    best = sorted(range(4), key=lambda j: -abs(z[j]))[:kept]
    assert answer["subset"] == [z[j] if j in best else 0 for j in range(4)]
    assert answer["halved"] == [pulled(v, t / 2) for v in z]
    assert 0 < kept < 4
    assert drill.marks == sum(field.marks for field in drill.fields)


@each_seed()
def test_every_number_of_the_soft_threshold(seed):
    drill, g, answer = parts("soft-threshold", seed)
    z, t = np.array(g["z"]), g["strength"]
    ask, tell = pages(drill, {r"\lambda": t}, CARRIED)
    ask.says(r"$\mathbf{X}^\top \mathbf{X} = \mathbf{I}$")
    ask.says(r"$\mathbf{z} = \mathbf{X}^\top \mathbf{y} = #$. Take $\lambda = #$.", z, t)
    penalised = r"Minimise $\tfrac12 \lVert \mathbf{y} - \mathbf{X}\mathbf{w} \rVert^2 + "
    ask.says(penalised + r"\lambda \lVert \mathbf{w} \rVert_1$")
    ask.says(r"all its weights 0?")
    ask.says(penalised + r"\tfrac{\lambda}{2} \lVert \mathbf{w} \rVert^2$")
    ask.says(r"Minimise $\lVert \mathbf{y} - \mathbf{X}\mathbf{w} \rVert^2 + \lambda \lVert \mathbf{w} \rVert_1$")
    ask.done()
    tell.says("towards 0 by the strength, and to 0 if")
    lasso = np.array([float(pulled(Fraction(v), t)) for v in g["z"]])
    tell.says(r"so $\mathbf{w} = #$.", lasso)
    tell.says("**All are 0** (1 mark) from the largest modulus on, $#$.", np.abs(z).max())
    tell.says(r"is divided by $1 + \lambda = 1 + # = #$: $#$. None is 0.", t, 1 + t, z / (1 + t))
    kept = int((lasso != 0).sum())
    tell.says("with the # largest moduli, and these weights are not pulled: $#$.", kept, np.array(answer["subset"]))
    halved = np.array([float(pulled(Fraction(v), Fraction(t, 2))) for v in g["z"]])
    tell.says(r"the penalty $\lambda / 2 = #$, so $#$.", t / 2, halved)
    tell.done()


@pytest.mark.equation("regularization-coordinate-update")
@each_seed()
def test_lasso_step_in_fractions(seed):
    drill, g, answer = parts("lasso-step", seed)
    a, b, first, r, second, rest = sweep(g)
    assert answer["lengths"] == [dot(a, a), dot(b, b)]
    assert answer["first"] == pytest.approx(float(first), abs=1e-12)
    assert np.allclose(answer["residuals"], [float(v) for v in r], rtol=0, atol=1e-12)
    assert answer["second"] == pytest.approx(float(second), abs=1e-12)
    assert answer["before"] == pytest.approx(float(dot(g["y"], g["y"]) / 2), rel=1e-12)
    after = dot(rest, rest) / 2 + g["strength"] * (abs(first) + abs(second))
    assert answer["after"] == pytest.approx(float(after), rel=1e-12)
    assert after < dot(g["y"], g["y"]) / 2
    assert drill.marks == sum(field.marks for field in drill.fields)


@each_seed()
def test_every_number_of_a_lasso_step(seed):
    drill, g, _ = parts("lasso-step", seed)
    a, b, first, r, second, rest = (np.array(v, dtype=float) for v in sweep(g))
    y, t = np.array(g["y"], dtype=float), g["strength"]
    ask, tell = pages(drill, {r"\mathbf{a}": a, r"\mathbf{b}": b, r"\mathbf{y}": y, r"\mathbf{r}": r}, CARRIED)
    ask.says(
        r"Minimise $\tfrac12 \lVert \mathbf{y} - \mathbf{X}\mathbf{w} \rVert^2 + \lambda \lVert \mathbf{w} \rVert_1$"
    )
    ask.says(r"with $\lambda = #$ by", t)
    ask.says(r"$\mathbf{a} = #$ and $\mathbf{b} = #$, the targets $\mathbf{y} = #$.", a, b, y)
    ask.says("$w_1$ (3 marks),")
    ask.says("$w_2$ (3 marks),")
    ask.done()
    tell.says(r"$\mathbf{a}^\top\mathbf{a} = #$ and $\mathbf{b}^\top\mathbf{b} = #$.", a @ a, b @ b)
    tell.says(r"$\mathbf{a}^\top \mathbf{y} = #$, pulled towards 0 by the strength to $#$", a @ y, first * (a @ a))
    tell.says("so $w_1 = # / # = #$.", first * (a @ a), a @ a, first)
    tell.says(r"$\mathbf{r} = \mathbf{y} - w_1 \mathbf{a} = #$.", r)
    tell.says(r"$\mathbf{b}^\top \mathbf{r} = #$, pulled to $#$", b @ r, second * (b @ b))
    tell.says("so $w_2 = # / # = #$.", second * (b @ b), b @ b, second)
    tell.says(r"before, $\tfrac12 \mathbf{y}^\top\mathbf{y} = #$.", y @ y / 2)
    penalty = t * (abs(first) + abs(second))
    tell.says("now $#$, half their squared length is $#$", rest, rest @ rest / 2)
    tell.says(r"penalty $# \cdot # = #$, together $#$.", t, penalty / t, penalty, rest @ rest / 2 + penalty)
    tell.done()


def test_some_second_weights_stay_zero():
    zeros = [drawn("lasso-step", seed).answer["second"] == 0 for seed in SEEDS]
    assert 0 < sum(zeros) < len(zeros) / 2
