"""Drills on the singular value decomposition: worked again by characteristic equations in fractions and by angles."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from tests.drills.exact import exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def gram(A):
    """The product of the transpose with the matrix itself."""
    (a, b), (c, d) = exact(A)
    return a * a + c * c, a * b + c * d, b * b + d * d


def squares(A):
    """Squares of the singular values: they have the sum of squared entries and the squared determinant as product."""
    (a, b), (c, d) = exact(A)
    total, det = a * a + b * b + c * c + d * d, a * d - b * c
    root = math.isqrt(int(total * total - 4 * det * det))
    return (total + root) / 2, (total - root) / 2


def parallel(u, v):
    return abs(u[0] * v[1] - u[1] * v[0]) < 1e-9 and any(u)


@pytest.mark.equation("svd-decomposition", "svd-pair")
@each_seed()
def test_by_hand_answer(seed):
    _, g, answer = load("svd-by-hand", seed)
    A = g["A"]
    p, q, r = gram(A)
    assert answer["gram"] == [[p, q], [q, r]]
    assert all(near(value**2, square) for value, square in zip(answer["values"], squares(A), strict=True))
    v, u = answer["v"], answer["u"]
    for i, square in enumerate(squares(A)):
        image = (p * v[i][0] + q * v[i][1], q * v[i][0] + r * v[i][1])
        assert image == (square * v[i][0], square * v[i][1])  # an eigenvector
        assert u[i] == [A[0][0] * v[i][0] + A[0][1] * v[i][1], A[1][0] * v[i][0] + A[1][1] * v[i][1]]
    one = answer["nearest"]
    assert abs(one[0][0] * one[1][1] - one[0][1] * one[1][0]) < 1e-7  # rank 1
    rest = sum((Fraction(a) - exact(b)) ** 2 for x, y in zip(A, one, strict=True) for a, b in zip(x, y, strict=True))
    assert near(answer["distance"] ** 2, squares(A)[1])
    assert abs(rest - squares(A)[1]) < 1e-6
    # no other angle of a rank-1 matrix (A v) v' is nearer
    angle = np.linspace(0, np.pi, 200)
    V = np.stack([np.cos(angle), np.sin(angle)])
    left = np.sum(np.square(A)) - np.sum((np.array(A) @ V) ** 2, axis=0)
    assert answer["distance"] ** 2 <= left.min() + 1e-9


@pytest.mark.equation("svd-eckart-young-frobenius", "svd-eckart-young-spectral", "svd-energy", "svd-stability")
@each_seed()
def test_low_rank_answer(seed):
    _, g, answer = load("low-rank-error", seed)
    s, k = g["values"], g["k"]
    A = np.diag(s).astype(float)
    for name, part in (("norms", A), ("errors", A - np.diag([*s[:k], *[0] * (5 - k)]))):
        assert answer[name] == pytest.approx([np.linalg.norm(part, 2), np.linalg.norm(part)])
    total = sum(v * v for v in s)
    assert answer["share"] == pytest.approx(1 - sum(v * v for v in s[k:]) / total)
    kept = [100 * sum(v * v for v in s[:j]) for j in range(6)]
    assert kept[answer["needed"]] >= g["percent"] * total > kept[answer["needed"] - 1]
    stored = lambda rank: sum(np.zeros(shape).size for shape in ((g["n"], rank), (g["d"], rank), (rank,)))
    assert answer["stored"] == stored(k)
    assert stored(answer["worth"]) < g["n"] * g["d"] <= stored(answer["worth"] + 1)
    reached = []
    for sign in (-1, 1):  # bounds that a change along the pair itself reaches
        B = A.copy()
        B[g["j"] - 1, g["j"] - 1] += sign * g["noise"]
        reached.append(np.linalg.svd(B, compute_uv=False))
    assert answer["bounds"] == pytest.approx([s[g["j"] - 1] - g["noise"], s[g["j"] - 1] + g["noise"]])
    assert any(np.isclose(reached[0], answer["bounds"][0]))
    assert any(np.isclose(reached[1], answer["bounds"][1]))
    assert answer["bounds"][0] > 0


@pytest.mark.equation("svd-power-step", "svd-power-rate")
@each_seed()
def test_power_answer(seed):
    _, g, answer = load("power-iteration", seed)
    (p, q, r), (large, small) = gram(g["A"]), squares(g["A"])
    C = np.array([[p, q], [q, r]], dtype=float)
    x = np.array(g["start"], dtype=float)
    assert answer["gram"] == C.tolist()
    assert answer["steps"] == [(C @ x).tolist(), (C @ C @ x).tolist()]
    one = C @ x
    assert answer["stretch"] == pytest.approx(np.linalg.norm(np.array(g["A"]) @ one) / np.linalg.norm(one))
    assert all(near(value**2, square) for value, square in zip(answer["values"], (large, small), strict=True))
    assert near(answer["factor"], large / small)
    direction = np.array([float(q), float(large - p)])
    tangent = lambda x: abs(x[0] * direction[1] - x[1] * direction[0]) / abs(x @ direction)
    first, t = tangent(x), 0
    while tangent(x) > first * 10.0 ** -g["digits"] * (1 + 1e-9):
        x, t = C @ x / np.linalg.norm(C @ x), t + 1
    assert answer["needed"] == t


def test_draws_differ():
    assert len({json.dumps(drawn("svd-by-hand", s).given) for s in range(30)}) > 20
    assert len({json.dumps(drawn("power-iteration", s).given) for s in range(30)}) > 15
    assert {drawn("low-rank-error", s).given["k"] for s in range(30)} == {1, 2, 3}


def roots(A):
    return [math.sqrt(square) for square in squares(A)]


def values_told(tell, A):
    """The characteristic equation of the Gram matrix, in numbers."""
    p, q, r = gram(A)
    large, small = squares(A)
    tell.says(
        r"the trace is $#=#$ and the determinant $#=#$, so $\sigma_1^2=#=#$ and $\sigma_2^2=#=#$. So ",
        *[p + r] * 2, *[p * r - q * q] * 2, large, large, small, small
    )  # fmt: skip
    for i, value in enumerate(roots(A)):
        form = r"$\sigma_%d=#$" if value == round(value) else r"$\sigma_%d=#\approx#$"
        tell.says(form % (i + 1), *[value] * (1 if value == round(value) else 2))


@each_seed()
def test_every_number_by_hand(seed):
    drill = drawn("svd-by-hand", seed)
    A, answer = np.array(drill.given["A"]), drill.answer
    (p, q, r), V, U = gram(A.tolist()), np.array(answer["v"]), np.array(answer["u"])
    ask, tell = pages(drill)
    ask.says(r"$\mathbf{A} = #$.", A)
    ask.says(r"singular values $\sigma_1 \ge \sigma_2$ of")
    ask.says(r"that $\mathbf{A}\mathbf{v}_i = \sigma_i\mathbf{u}_i$ demands")
    ask.says("matrix of rank 1 is nearest")
    ask.done()
    tell.says(r"$#=#$, $#=#$ and $#=#$, so $\mathbf{A}^\top\mathbf{A}=#$.", p, p, q, q, r, r, A.T @ A)
    values_told(tell, A.tolist())
    tell.says(r"$\sigma_1\sigma_2=|#|$", np.linalg.det(A).round(9))
    size = float(V[0] @ V[0])
    tell.says("${}$ and, orthogonal to it, ${}$, divided by their length $#$.".format(*map(column, V)), size**0.5)
    small = [u / math.gcd(*(int(x) for x in u)) for u in U]
    tell.says("maps these to ${}$ and ${}$. Their".format(*map(column, U)))
    tell.says("inner product is $#=0$", 0.0)
    lengths = [float(np.linalg.norm(u)) for u in small]
    tell.says("length 1 they are ${} / #$ and ${} / #$.".format(*map(column, small)), *lengths)
    image, right = column(U[0]), column(V[0]).removesuffix(r"^\top")
    tell.says(f"the image ${image}$ with the row ${right}$, divided by $#$, the", size)
    tell.says("squared length: $#$", np.outer(U[0], V[0]) / size)
    value = answer["distance"]
    form = r"Its distance is $\sigma_2=#$" if value == round(value) else r"Its distance is $\sigma_2=#\approx#$"
    tell.says(form, *[value] * (1 if value == round(value) else 2))
    tell.done()


def column(v):
    return "({:g}, {:g})^\\top".format(*v)


@each_seed()
def test_every_number_of_low_rank(seed):
    drill = drawn("low-rank-error", seed)
    g, answer = drill.given, drill.answer
    s, k, n, d, j = (g[name] for name in ("values", "k", "n", "d", "j"))
    ask, tell = pages(drill)
    ask.says(r"A $# \times #$ matrix", str(n), str(d))
    ask.says("singular values $#$; all others are 0.", ", ".join(map(str, s)))
    ask.says("best matrix of rank # from", str(k))
    ask.says("keeps # %?", str(g["percent"]))
    ask.says("values at rank #?", str(k))
    ask.says(r"entries of a $# \times #$ matrix", str(n), str(d))
    ask.says("norm # is added", f"{g['noise']:g}")
    ask.says(r"does $\sigma_#$ lie", str(j))
    ask.done()
    total, rest = sum(v * v for v in s), sum(v * v for v in s[k:])
    tell.says(r"the largest value, $#$. The Frobenius norm is $#=#\approx#$.", s[0], *[total**0.5] * 3)
    tell.says(r"the next value, $#$; Frobenius $#=#\approx#$.", s[k], *[rest**0.5] * 3)
    tell.says(r"**Share:** $#=#\approx#$.", *[1 - rest / total] * 3)
    m = answer["needed"]
    shares = [sum(v * v for v in s[:i]) / total for i in (m - 1, m)]
    tell.says(r"It is $#\approx#$ at rank # and $#\approx#$ at rank #, so rank # is needed for # %.", shares[0],
              shares[0], str(m - 1), shares[1], shares[1], str(m), str(m), str(g["percent"]))  # fmt: skip
    tell.says("**Stored:** $k(N + D + 1)$ numbers, here $#=#$.", *[answer["stored"]] * 2)
    tell.says(r"below $#=#$ for $k$ below $#\approx#$, so up to rank #.", n * d, n * d, *[n * d / (n + d + 1)] * 2,
              str(answer["worth"]))  # fmt: skip
    low, high = answer["bounds"]
    tell.says(r"$\sigma_#$ lies between $#=#$ and $#=#$.", str(j), low, low, high, high)
    tell.done()


@each_seed()
def test_every_number_of_power_iteration(seed):
    drill = drawn("power-iteration", seed)
    g, answer = drill.given, drill.answer
    A, (one, two) = np.array(g["A"]), np.array(answer["steps"])
    ask, tell = pages(drill)
    ask.says(r"$\mathbf{A} = #$. Power iteration starts at $\mathbf{x}_0 = (1, 0)^\top$ and goes on by", A)
    ask.says(r"$\mathbf{x}_{t+1} = \mathbf{A}^\top\mathbf{A}\mathbf{x}_t$, here without scaling to length 1.")
    ask.says("at most $10^{-#}$ times what", str(g["digits"]))
    ask.done()
    tell.says(r"$\mathbf{A}^\top\mathbf{A}=#$. Its first column is", A.T @ A)
    tell.says(rf"$\mathbf{{x}}_1={column(one)}$, and")
    tell.says("has the entries $#=#$ and $#=#$.", two[0], two[0], two[1], two[1])
    tell.says(
        r"$\lVert\mathbf{A}\mathbf{x}_1\rVert^2=\mathbf{x}_1^\top\mathbf{x}_2=#=#$ and "
        r"$\lVert\mathbf{x}_1\rVert^2=#=#$, so the stretch is $#\approx#$",
        *[float(np.sum((A @ one) ** 2))] * 2, *[float(one @ one)] * 2, *[answer["stretch"]] * 2
    )  # fmt: skip
    values_told(tell, g["A"])
    tell.says(r"$\sigma_1^2 / \sigma_2^2=#=#$.", *[answer["factor"]] * 2)
    steps = g["digits"] * math.log(10) / math.log(answer["factor"])
    tell.says(r"reaches $10^{#}$ from $#\approx#$ on: $#$ steps.", str(g["digits"]), steps, steps, answer["needed"])
    tell.done()


def test_given_and_answers_are_plain_data():
    for topic in ("svd-by-hand", "low-rank-error", "power-iteration"):
        for seed in SEEDS[:5]:
            json.dumps([drawn(topic, seed).given, drawn(topic, seed).answer])
