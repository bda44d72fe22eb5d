"""Drills on linear regression: answers recomputed in fractions from the given numbers, without the library."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def line(x, y):
    """Intercept and slope from the 2 x 2 normal equations by Cramer's rule."""
    n, sx, sy = len(x), sum(x), sum(y)
    sxx, sxy = sum(u * u for u in x), sum(u * v for u, v in zip(x, y, strict=True))
    det = n * sxx - sx * sx
    return (sy * sxx - sx * sxy) / det, (n * sxy - sx * sy) / det


def given(drill, *names):
    data = json.loads(json.dumps(drill.given))
    return [[Fraction(v) for v in data[name]] for name in names]


@pytest.mark.equation("linear-regression-slope", "linear-regression-r2", "linear-regression-sigma")
@each_seed()
def test_one_feature_in_fractions(seed):
    drill = drawn("linear-regression-1d", seed)
    x, y = given(drill, "x", "y")
    a, b = line(x, y)
    answer, new = drill.answer, Fraction(drill.given["new"])
    mx, my = sum(x) / 5, sum(y) / 5
    rss = sum((v - a - b * u) ** 2 for u, v in zip(x, y, strict=True))
    sums = [sum((u - mx) ** 2 for u in x), sum((u - mx) * (v - my) for u, v in zip(x, y, strict=True)),
            sum((v - my) ** 2 for v in y)]  # fmt: skip
    assert answer["means"] == [mx, my]
    assert answer["sums"] == sums
    exact = {"slope": b, "intercept": a, "rss": rss, "r2": 1 - rss / sums[2], "s2": rss / 3,
             "se": math.sqrt(rss / 3 / sums[0]), "prediction": a + b * new}  # fmt: skip
    for name, value in exact.items():
        assert math.isclose(answer[name], value, abs_tol=1e-8), name
    assert new not in x
    assert len(set(x)) == 5


@each_seed()
def test_every_number_of_one_feature(seed):
    drill = drawn("linear-regression-1d", seed)
    x, y, new = np.array(drill.given["x"]), np.array(drill.given["y"]), drill.given["new"]
    b, a = np.polyfit(x, y, 1)
    dx, dy = x - x.mean(), y - y.mean()
    Q = np.sum((y - a - b * x) ** 2)
    symbols = {
        "S_{xx}": dx @ dx,
        "S_{xy}": dx @ dy,
        "S_{yy}": dy @ dy,
        "w_1": b,
        "w_0": a,
        "Q": Q,
        "R^2": 1 - Q / (dy @ dy),
    }
    symbols |= {r"\bar x": x.mean(), r"\bar y": y.mean(), "s^2": Q / 3, "e": np.sqrt(Q / 3 / (dx @ dx))}
    ask, tell = pages(drill, symbols)
    ask.says(r"Fit $\hat y = w_0 + w_1 x$ by")
    ask.says("prediction at $x = #$", new)
    ask.table(*([u, v, None, None, None, None, None] for u, v in zip(x, y, strict=True)))
    ask.done()
    tell.table(*([u, v, p, q, p * p, p * q, q * q] for u, v, p, q in zip(x, y, dx, dy, strict=True)))
    tell.says("**Prediction** (1 mark): $#$. The", a + b * new)
    tell.done()


@pytest.mark.equation("linear-regression-normal")
@each_seed()
def test_normal_equations_in_fractions(seed):
    drill = drawn("normal-equations", seed)
    (y,) = given(drill, "y")
    X = [[Fraction(v) for v in row] for row in drill.given["X"]]
    G = [[sum(r[i] * r[j] for r in X) for j in range(2)] for i in range(2)]
    c = [sum(r[i] * t for r, t in zip(X, y, strict=True)) for i in range(2)]
    det = G[0][0] * G[1][1] - G[0][1] ** 2
    w = [(c[0] * G[1][1] - c[1] * G[0][1]) / det, (c[1] * G[0][0] - c[0] * G[0][1]) / det]
    e = [t - r[0] * w[0] - r[1] * w[1] for r, t in zip(X, y, strict=True)]
    answer = drill.answer
    assert answer["gram"] == G
    assert answer["c"] == c
    assert answer["determinant"] == det > 0
    inverse = [[G[1][1] / det, -G[0][1] / det], [-G[0][1] / det, G[0][0] / det]]
    assert np.allclose(answer["inverse"], np.array(inverse, dtype=float), rtol=1e-12)
    assert np.allclose(answer["w"], np.array(w, dtype=float), atol=1e-9)
    assert np.allclose(answer["residuals"], np.array(e, dtype=float), atol=1e-9)
    assert math.isclose(answer["rss"], sum(v * v for v in e), abs_tol=1e-8)
    assert sum(v * v for v in e) > 0


@each_seed()
def test_every_number_of_normal_equations(seed):
    drill = drawn("normal-equations", seed)
    X, y = np.array(drill.given["X"]), np.array(drill.given["y"])
    G, c = X.T @ X, X.T @ y
    w = np.linalg.solve(G, c)
    r = y - X @ w
    symbols = {
        r"\mathbf{X}": X,
        r"\mathbf{y}": y,
        r"\mathbf{G}": G,
        r"\mathbf{c}": c,
        r"\mathbf{w}": w,
        r"\mathbf{r}": r,
    }
    symbols |= {r"\mathbf{G}^{-1}": np.linalg.inv(G), r"|\mathbf{G}|": np.linalg.det(G)}
    ask, tell = pages(drill, symbols)
    ask.says(
        r"Compute $\mathbf{G} = \mathbf{X}^\top \mathbf{X}$ and $\mathbf{c} = \mathbf{X}^\top \mathbf{y}$. (3 marks)"
    )
    ask.says(r"Compute $|\mathbf{G}|$ and $\mathbf{G}^{-1}$. (2")
    ask.done()
    tell.done()


@pytest.mark.equation("linear-regression-leverage", "linear-regression-cook", "linear-regression-hat")
@each_seed()
def test_leverages_in_fractions(seed):
    drill = drawn("hat-matrix", seed)
    x, y = given(drill, "x", "y")
    n, k, j = len(x), drill.given["row"], drill.given["column"]
    a, b = line(x, y)
    answer = drill.answer
    det = n * sum(u * u for u in x) - sum(x) ** 2
    s2 = sum(u * u for u in x)

    def entry(u, v):  # (1, u) (X'X)^-1 (1, v)'
        return (s2 - sum(x) * (u + v) + n * u * v) / det

    h = [entry(u, u) for u in x]
    assert np.allclose(answer["leverages"], np.array(h, dtype=float), atol=1e-8)
    assert sum(h) == answer["trace"] == 2
    assert h[k] == max(h)
    assert math.isclose(answer["entry"], entry(x[k], x[j]), abs_tol=1e-8)
    e = y[k] - a - b * x[k]
    rest = [i for i in range(n) if i != k]
    a_, b_ = line([x[i] for i in rest], [y[i] for i in rest])
    assert math.isclose(answer["residual"], e, abs_tol=1e-8)
    assert math.isclose(answer["left_out"], y[k] - a_ - b_ * x[k], abs_tol=1e-7)
    shift = sum((a_ - a + (b_ - b) * u) ** 2 for u in x)  # how far all fitted values move
    rss = sum((v - a - b * u) ** 2 for u, v in zip(x, y, strict=True))
    assert math.isclose(drill.given["rss"], rss, abs_tol=1e-8)
    assert math.isclose(answer["cook"], shift / (2 * rss / (n - 2)), rel_tol=1e-6)
    assert answer["large"] == ("yes" if shift > 2 * rss / (n - 2) else "no")
    assert abs(answer["cook"] - 1) > 0.005  # rounding does not decide


@each_seed()
def test_every_number_of_the_hat_matrix(seed):
    drill = drawn("hat-matrix", seed)
    x, y, k, j = (np.array(drill.given[name]) for name in ("x", "y", "row", "column"))
    n = len(x)
    b, a = np.polyfit(x, y, 1)
    A = np.vander(x, 2)
    H = A @ np.linalg.solve(A.T @ A, A.T)
    Q, r = np.sum((y - a - b * x) ** 2), y[k] - a - b * x[k]
    d, h = x - x.mean(), np.diag(H)
    D = r**2 * h[k] / (1 - h[k]) ** 2 / (2 * Q / (n - 2))
    symbols = {"Q": Q, "r": r, "h": h[k], "r'": r / (1 - h[k]), r"\bar x": x.mean(), "S_{xx}": d @ d, "D": D}
    symbols |= {"s^2": Q / (n - 2), "w_0": a, "w_1": b}
    ask, tell = pages(drill, symbols)
    ask.says(f"to the {n} points of")
    ask.says(f"in row {k + 1} and column {j + 1} (1")
    ask.says(f"of point {k + 1}, and the residual")
    ask.says(f"of point {k + 1}, and whether it exceeds 1 (")
    ask.table(*([i, u, v, None, None, None] for i, (u, v) in enumerate(zip(x, y, strict=True), 1)))
    ask.done()
    tell.says(f"each leverage is $1/{n}$ plus the entry of that column over $#$:", d @ d)
    tell.table(*([i, u, v, p, p * p, g] for i, (u, v, p, g) in enumerate(zip(x, y, d, h, strict=True), 1)))
    tell.says("Their sum (1 mark) is #, the number of weights", "2")
    tell.says("**Entry** (1 mark): $#$.", H[k, j])
    tell.says(f"which is {'above' if D > 1 else 'not above'} 1 (1 mark)")
    tell.done()
