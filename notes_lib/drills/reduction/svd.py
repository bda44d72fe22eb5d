"""Drills on the singular value decomposition: a 2 x 2 matrix by hand, errors of low rank, power iteration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, gcd, isqrt, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import matrix, products, row, short, vector
from notes_lib.reduction.svd import exact_svd, low_rank_approximation, power_step, truncation_error


class _Square(NamedTuple):
    """A matrix of integers whose Gram matrix has whole eigenvalues and eigenvectors of small integers."""

    A: tuple[int, int, int, int]
    gram: tuple[int, int, int]  # upper left, off the diagonal, lower right
    values: tuple[int, int]  # squares of the singular values
    v: tuple[tuple[int, int], tuple[int, int]]


def _squares(largest: int, longest: int = 3) -> list[_Square]:
    """All such matrices with entries up to ``largest`` in modulus and vectors up to ``longest``."""
    found = []
    for a, b, c, d in product(range(-largest, largest + 1), repeat=4):
        p, q, r = a * a + c * c, a * b + c * d, b * b + d * d
        root = isqrt((p - r) ** 2 + 4 * q * q)
        if root**2 != (p - r) ** 2 + 4 * q * q or q == 0 or a * d == b * c or a == 0:
            continue
        values = (p + r + root) // 2, (p + r - root) // 2
        x, y = abs(q), (values[0] - p) * (1 if q > 0 else -1)
        x, y = x // gcd(x, y), y // gcd(x, y)
        if max(x, abs(y)) <= longest:
            found.append(_Square((a, b, c, d), (p, q, r), values, ((x, y), (abs(y), -x if y > 0 else x))))
    return found


def _value(square: int) -> str:
    """A singular value from its square; rounded, too, where it is not a whole number."""
    return _root(square) + ("" if isqrt(square) ** 2 == square else f"\\approx{sig(sqrt(square))}")


def _root(value: int) -> str:
    """A square root, as a whole number where it is one."""
    return str(isqrt(value)) if isqrt(value) ** 2 == value else f"\\sqrt{{{value}}}"


def _eigenvalues(gram: tuple[int, int, int], values: tuple[int, int]) -> str:
    """How the two eigenvalues follow from trace and determinant."""
    p, q, r = gram
    trace, det = p + r, p * r - q * q
    root = f"\\sqrt{{{trace}^2 - 4 \\cdot {det}}}"
    return (
        f"the trace is ${p} + {r}={trace}$ and the determinant ${p} \\cdot {r} - {_signed(q)}^2={det}$, so "
        f"$\\sigma_1^2=\\tfrac{{{trace} + {root}}}{{2}}={values[0]}$ and "
        f"$\\sigma_2^2=\\tfrac{{{trace} - {root}}}{{2}}={values[1]}$"
    )


def _signed(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


@drill("svd-by-hand", marks=13, minutes=16, title="A singular value decomposition by hand")
def svd_by_hand(rng: np.random.Generator) -> Parts:
    """Singular values and vectors of a 2 x 2 matrix from its Gram matrix, and the nearest matrix of rank 1."""
    pool = _squares(5)
    (a, b, c, d), (p, q, r), values, V = pool[int(rng.integers(len(pool)))]
    A = np.array([[a, b], [c, d]], dtype=float)
    s = exact_svd(A).s
    one = low_rank_approximation(A, 1)
    images = [(a * x + b * y, c * x + d * y) for x, y in V]
    statement = "\n\n".join(
        [
            f"$\\mathbf{{A}} = {matrix(A)}$.",
            "1. Compute $\\mathbf{A}^\\top\\mathbf{A}$ (2 marks).",
            "2. Find its eigenvalues and the singular values $\\sigma_1 \\ge \\sigma_2$ of $\\mathbf{A}$ (3 marks).",
            "3. Find the right singular vectors, as multiples of vectors of small integers (2 marks).",
            "4. Find the left singular vectors in the same way, with the signs that $\\mathbf{A}\\mathbf{v}_i = "
            "\\sigma_i\\mathbf{u}_i$ demands (2 marks).",
            "5. Which matrix of rank 1 is nearest to $\\mathbf{A}$? (3 marks) How far is it from $\\mathbf{A}$ in the "
            "Frobenius norm? (1 mark)",
        ]
    )
    answer: dict[str, Any] = {
        "gram": [[p, q], [q, r]],
        "values": [round(float(x), 9) for x in s],
        "v": [list(v) for v in V],
        "u": [list(u) for u in images],
        "nearest": one.round(9).tolist(),
        "distance": round(truncation_error(s, 1).frobenius, 9),
    }
    fields = [
        ask.matrix(
            "gram",
            "$\\mathbf{A}^\\top\\mathbf{A}$",
            1,
            2,
            rows=("row 1", "row 2"),
            columns=("column 1", "column 2"),
            whole=True,
        ),
        ask.vector(
            "values",
            "singular values",
            2,
            3,
            titles=["$\\sigma_1$", "$\\sigma_2$"],
            follows=_roots(),
            slips=[ask.slip(values, "These are the eigenvalues; the singular values are their roots.", card=_EIGEN)],
        ),
        ask.vector(
            "v.0",
            "$\\mathbf{v}_1$; any multiple counts",
            3,
            up_to="scale",
            follows=["gram[0,1]", "values[0]^2 - gram[0,0]"],
            slips=[ask.slip(V[1], "That belongs to the smaller singular value.", card=_EIGEN)],
        ),
        ask.vector(
            "v.1",
            "$\\mathbf{v}_2$; any multiple counts",
            3,
            up_to="scale",
            follows=["-v.0[1]", "v.0[0]"],
            slips=[ask.slip(V[0], "That belongs to the larger singular value.", card=_EIGEN)],
        ),
        *(
            ask.vector(
                f"u.{i}",
                f"$\\mathbf{{u}}_{i + 1}$; any multiple counts",
                4,
                up_to="scale",
                follows=[f"({a})*v.{i}[0] + ({b})*v.{i}[1]", f"({c})*v.{i}[0] + ({d})*v.{i}[1]"],
                slips=[ask.slip(V[i], "That is the right singular vector; multiply it by $\\mathbf{A}$.", card=_EIGEN)],
            )
            for i in range(2)
        ),
        ask.matrix(
            "nearest",
            "nearest matrix of rank 1",
            5,
            3,
            rows=("row 1", "row 2"),
            columns=("column 1", "column 2"),
            **ask.DERIVED,
            follows=[
                [f"(({e})*v.0[0] + ({f})*v.0[1])*v.0[{j}] / (v.0[0]^2 + v.0[1]^2)" for j in range(2)]
                for e, f in ((a, b), (c, d))
            ],
            slips=[
                ask.slip(
                    A - one,
                    "That is what is left; the nearest matrix has the larger singular value.",
                    card="svd-lost-marks-frobenius",
                )
            ],
        ),
        ask.number(
            "distance",
            "distance",
            5,
            **ask.DERIVED,
            follows="values[1]",
            slips=[
                ask.slip(
                    float(s[0]),
                    "That is the larger singular value; the one that is dropped counts.",
                    card="svd-lost-marks-frobenius",
                )
            ],
        ),
    ]
    sizes = [x * x + y * y for x, y in V]
    small = [_in_small_integers(u) for u in images]
    lengths = [x * x + y * y for x, y in small]
    lines = [
        f"**Gram matrix:** ${products((a, c), (a, c))}={p}$, ${products((a, c), (b, d))}={q}$ and "
        f"${products((b, d), (b, d))}={r}$, so $\\mathbf{{A}}^\\top\\mathbf{{A}}={matrix([[p, q], [q, r]])}$.",
        f"**Values:** {_eigenvalues((p, q, r), values)}. So $\\sigma_1={_value(values[0])}$ and "
        f"$\\sigma_2={_value(values[1])}$. Check: $\\sigma_1\\sigma_2=|{a * d - b * c}|$, the "
        "modulus of the determinant.",
        f"**Right vectors:** ${vector(V[0])}$ and, orthogonal to it, ${vector(V[1])}$, divided by their length "
        f"${_root(sizes[0])}$.",
        f"**Left vectors:** $\\mathbf{{A}}$ maps these to ${vector(images[0])}$ and ${vector(images[1])}$. Their inner "
        f"product is ${products(images[0], images[1])}=0$. Brought to length 1 they are "
        f"${vector(small[0])} / {_root(lengths[0])}$ and ${vector(small[1])} / {_root(lengths[1])}$.",
        f"**Nearest matrix:** $\\sigma_1\\mathbf{{u}}_1\\mathbf{{v}}_1^\\top$ is the product of the image "
        f"${vector(images[0])}$ with the row ${row(V[0])}$, divided by ${sizes[0]}$, the squared length: "
        f"${matrix([[short(u * v / sizes[0]) for v in V[0]] for u in images[0]], str)}$. Its distance is "
        f"$\\sigma_2={_value(values[1])}$.",
        "Marks: 2 for the Gram matrix, 1 for its characteristic equation, 1 for the eigenvalues, 1 for their roots, "
        "1 for $\\mathbf{v}_1$, 1 for $\\mathbf{v}_2$, 1 for $\\mathbf{u}_1$, 1 for $\\mathbf{u}_2$, 1 for the "
        "formula of the nearest matrix, 2 for its entries, 1 for the distance.",
    ]
    return Parts(statement, {"A": A.tolist()}, "\n\n".join(lines), answer, fields)


_EIGEN = "svd-lost-marks-eigen"


def _roots() -> list[str]:
    """The singular values by the Gram matrix, as expressions."""
    root = "sqrt((gram[0,0] - gram[1,1])^2 + 4*gram[0,1]*gram[1,0])"
    return [f"sqrt((gram[0,0] + gram[1,1] {sign} {root})/2)" for sign in "+-"]


def _in_small_integers(u: tuple[int, int]) -> tuple[int, int]:
    factor = gcd(*u)
    return u[0] // factor, u[1] // factor


_FROBENIUS, _ENERGY = "svd-lost-marks-frobenius", "svd-lost-marks-energy"


@drill("low-rank-error", marks=12, minutes=13, title="Errors of a low-rank approximation")
def low_rank_error(rng: np.random.Generator) -> Parts:
    """Norms, errors, kept share, needed rank, stored numbers and Weyl's bound from a list of singular values."""
    while True:
        s = sorted((int(v) for v in rng.choice(np.arange(1, 13), size=5, replace=False)), reverse=True)
        k, percent = int(rng.integers(1, 4)), int(rng.choice([80, 90, 95]))
        squares = [v * v for v in s]
        shares = [Fraction(sum(squares[:j]), sum(squares)) for j in range(6)]
        needed = next(j for j in range(6) if shares[j] * 100 >= percent)
        if 1 < needed < 5 and needed != k and s[0] > 7:
            break
    n, d = int(rng.choice([20, 40, 60, 80])), int(rng.choice([10, 30, 50]))
    noise, j = Fraction(int(rng.integers(1, 8)), 10), int(rng.integers(2, 6))
    limit = Fraction(n * d, n + d + 1)
    worth = ceil(limit) - 1  # the largest rank that stores fewer numbers
    whole, error = truncation_error(s, 0), truncation_error(s, k)
    listed = ", ".join(map(str, s))
    statement = "\n\n".join(
        [
            f"A ${n} \\times {d}$ matrix $\\mathbf{{A}}$ has the singular values ${listed}$; all others are 0.",
            "1. Give its spectral norm and its Frobenius norm (2 marks).",
            f"2. How far is the best matrix of rank {k} from $\\mathbf{{A}}$, in both norms? (3 marks)",
            f"3. Which share of the squared Frobenius norm does it keep? (1 mark) Which rank is the smallest that "
            f"keeps {percent} %? (2 marks)",
            f"4. How many numbers store $\\mathbf{{U}}$, $\\mathbf{{V}}$ and the singular values at rank {k}? (1 mark) "
            f"Up to which rank does that save numbers, against all entries of a ${n} \\times {d}$ matrix? (1 mark)",
            f"5. To $\\mathbf{{A}}$ a matrix with the spectral norm {short(float(noise))} is added. Between which "
            f"bounds does $\\sigma_{j}$ lie now? (2 marks)",
        ]
    )
    given = {"values": s, "n": n, "d": d, "k": k, "percent": percent, "noise": float(noise), "j": j}
    answer: dict[str, Any] = {
        "norms": [whole.spectral, round(whole.frobenius, 9)],
        "errors": [error.spectral, round(error.frobenius, 9)],
        "share": round(error.energy, 11),
        "needed": needed,
        "stored": k * (n + d + 1),
        "worth": worth,
        "bounds": [round(float(s[j - 1] - noise), 9), round(float(s[j - 1] + noise), 9)],
    }
    fields = [
        ask.vector(
            "norms",
            "norms",
            1,
            2,
            titles=["spectral", "Frobenius"],
            slips=[ask.slip([s[0], sum(s)], "The Frobenius norm is the root of the sum of squares.", card=_FROBENIUS)],
        ),
        ask.vector(
            "errors",
            "distances",
            2,
            3,
            titles=["spectral", "Frobenius"],
            slips=[
                ask.slip(
                    [s[k], s[k]],
                    "The Frobenius distance sums the squares of all values that are dropped.",
                    card=_FROBENIUS,
                ),
                ask.slip(
                    [s[k - 1], error.frobenius],
                    "The spectral distance is the first value that is dropped.",
                    card=_FROBENIUS,
                ),
            ],
        ),
        ask.number(
            "share",
            "share that is kept",
            3,
            percent=True,
            digits=3,
            follows="1 - errors[1]^2 / norms[1]^2",
            slips=[
                ask.slip(float(1 - shares[k]), "That is the share that is lost.", card=_ENERGY),
                ask.slip(sum(s[:k]) / sum(s), "The values are not squared.", card=_ENERGY),
            ],
        ),
        ask.number(
            "needed",
            "smallest rank",
            3,
            2,
            whole=True,
            slips=[ask.slip(needed - 1, "That rank keeps a little less.", card=_ENERGY)],
        ),
        ask.number(
            "stored",
            "stored numbers",
            4,
            whole=True,
            slips=[ask.slip(k * (n + d), "The singular values are stored, too.", card="svd-convention-thin")],
        ),
        ask.number(
            "worth",
            "largest rank that saves numbers",
            4,
            whole=True,
            slips=[ask.slip(worth + 1, "That rank stores no fewer numbers.", card="svd-convention-thin")],
        ),
        ask.vector("bounds", f"bounds of $\\sigma_{j}$", 5, 2, titles=["from", "to"]),
    ]
    total, rest, kept = sum(squares), sum(squares[k:]), sum(squares[:k])
    add = lambda values: " + ".join(f"{v}^2" for v in values)
    at = lambda j: f"$\\tfrac{{{sum(squares[:j])}}}{{{total}}}\\approx{sig(float(shares[j]))}$ at rank {j}"
    lines = [
        f"**Norms:** the spectral norm is the largest value, ${s[0]}$. The Frobenius norm is "
        f"$\\sqrt{{{add(s)}}}=\\sqrt{{{total}}}\\approx{sig(whole.frobenius)}$.",
        f"**Distances** (Eckart and Young): spectral the next value, ${s[k]}$; Frobenius "
        f"$\\sqrt{{{add(s[k:])}}}=\\sqrt{{{rest}}}\\approx{sig(error.frobenius)}$. The same matrix is best in both "
        "norms.",
        f"**Share:** $\\tfrac{{{total} - {rest}}}{{{total}}}=\\tfrac{{{kept}}}{{{total}}}\\approx"
        f"{sig(error.energy)}$. It is {at(needed - 1)} and {at(needed)}, so rank {needed} is needed for "
        f"{percent} %.",
        f"**Stored:** $k(N + D + 1)$ numbers, here ${k} \\cdot ({n} + {d} + 1)={k * (n + d + 1)}$. That is below "
        f"${n} \\cdot {d}={n * d}$ for $k$ below ${n * d} / {n + d + 1}\\approx{sig(float(limit))}$, so up to rank "
        f"{worth}.",
        f"**Bounds** (Weyl): no singular value moves by more than the spectral norm of what is added, so "
        f"$\\sigma_{j}$ lies between ${s[j - 1]} - {short(float(noise))}={short(float(s[j - 1] - noise))}$ and "
        f"${s[j - 1]} + {short(float(noise))}={short(float(s[j - 1] + noise))}$.",
        "Marks: 1 for the spectral norm, 1 for the Frobenius norm, 1 for the spectral distance, 2 for the Frobenius "
        "distance, 1 for the share, 2 for the smallest rank, 1 for the stored numbers, 1 for the largest rank, 2 for "
        "the bounds.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_RATE = "svd-lost-marks-rate"


@drill("power-iteration", marks=12, minutes=14, title="Two steps of power iteration")
def power_iteration(rng: np.random.Generator) -> Parts:
    """Two steps without scaling, the stretch they have found, the true values, the rate, and steps for a precision."""
    pool = _squares(3)
    (a, b, c, d), (p, q, r), values, _ = pool[int(rng.integers(len(pool)))]
    A = np.array([[a, b], [c, d]], dtype=float)
    start = (1, 0)
    first = (p, q)
    second = (p * p + q * q, q * p + r * q)
    form, size = first[0] * second[0] + first[1] * second[1], first[0] ** 2 + first[1] ** 2
    found = power_step(A, first)[1]
    rate, digits = Fraction(values[1], values[0]), int(rng.choice([3, 6]))
    exact = digits * log(10) / -log(rate)
    statement = "\n\n".join(
        [
            f"$\\mathbf{{A}} = {matrix(A)}$. Power iteration starts at $\\mathbf{{x}}_0 = {vector(start)}$ and goes "
            "on by $\\mathbf{x}_{t+1} = \\mathbf{A}^\\top\\mathbf{A}\\mathbf{x}_t$, here without scaling to length 1.",
            "1. Compute $\\mathbf{A}^\\top\\mathbf{A}$, $\\mathbf{x}_1$ and $\\mathbf{x}_2$ (4 marks).",
            "2. By which factor does $\\mathbf{A}$ stretch $\\mathbf{x}_1$? (2 marks)",
            "3. Find the true $\\sigma_1$ and $\\sigma_2$ (3 marks).",
            "4. By which factor does each step divide the tangent of the angle between $\\mathbf{x}_t$ and "
            "$\\mathbf{v}_1$? (1 mark)",
            f"5. After how many steps is this tangent at most $10^{{-{digits}}}$ times what it was at the start? "
            "(2 marks)",
        ]
    )
    answer: dict[str, Any] = {
        "gram": [[p, q], [q, r]],
        "steps": [list(first), list(second)],
        "stretch": round(found, 9),
        "values": [round(float(x), 9) for x in exact_svd(A).s],
        "factor": round(float(1 / rate), 9),
        "needed": ceil(exact - 1e-9),
    }
    fields = [
        ask.matrix(
            "gram",
            "$\\mathbf{A}^\\top\\mathbf{A}$",
            1,
            2,
            rows=("row 1", "row 2"),
            columns=("column 1", "column 2"),
            whole=True,
        ),
        ask.matrix(
            "steps",
            "steps",
            1,
            2,
            rows=("$\\mathbf{x}_1$", "$\\mathbf{x}_2$"),
            columns=("first", "second"),
            whole=True,
            follows=[
                ["gram[0,0]", "gram[1,0]"],
                ["gram[0,0]^2 + gram[0,1]*gram[1,0]", "gram[1,0]*gram[0,0] + gram[1,1]*gram[1,0]"],
            ],
        ),
        ask.number(
            "stretch",
            "stretch of $\\mathbf{x}_1$",
            2,
            2,
            follows="sqrt((steps[0,0]*steps[1,0] + steps[0,1]*steps[1,1]) / (steps[0,0]^2 + steps[0,1]^2))",
            slips=[ask.slip(found**2, "That is the square of the factor: take the root.", card=_RATE)],
        ),
        ask.vector(
            "values",
            "singular values",
            3,
            3,
            titles=["$\\sigma_1$", "$\\sigma_2$"],
            follows=_roots(),
            slips=[ask.slip(values, "These are the eigenvalues; the singular values are their roots.", card=_EIGEN)],
        ),
        ask.number(
            "factor",
            "factor",
            4,
            follows="values[0]^2 / values[1]^2",
            slips=[ask.slip(sqrt(float(1 / rate)), "That lacks the square: a step maps there and back.", card=_RATE)],
        ),
        ask.number(
            "needed",
            "steps",
            5,
            2,
            whole=True,
            after=["factor"],
            slips=[
                ask.slip(
                    ceil(2 * exact - 1e-9),
                    "That counts with a factor that lacks its square, twice as many steps.",
                    card=_RATE,
                )
            ],
        ),
    ]
    given = {"A": A.tolist(), "start": list(start), "digits": digits}
    lines = [
        f"**Steps:** $\\mathbf{{A}}^\\top\\mathbf{{A}}={matrix([[p, q], [q, r]])}$. Its first column is "
        f"$\\mathbf{{x}}_1={vector(first)}$, and $\\mathbf{{x}}_2$ has the entries "
        f"${products((p, q), first)}={second[0]}$ and ${products((q, r), first)}={second[1]}$.",
        f"**Stretch:** $\\lVert\\mathbf{{A}}\\mathbf{{x}}_1\\rVert^2=\\mathbf{{x}}_1^\\top\\mathbf{{x}}_2="
        f"{products(first, second)}={form}$ and $\\lVert\\mathbf{{x}}_1\\rVert^2={products(first, first)}={size}$, so "
        f"the stretch is $\\sqrt{{{form} / {size}}}\\approx{sig(found)}$, which is at most $\\sigma_1$.",
        f"**Values:** {_eigenvalues((p, q, r), values)}. So $\\sigma_1={_value(values[0])}$ and "
        f"$\\sigma_2={_value(values[1])}$.",
        f"**Factor:** $\\sigma_1^2 / \\sigma_2^2={values[0]} / {values[1]}={short(float(1 / rate))}$.",
        f"**Number of steps:** the factor to the power $t$ reaches $10^{{{digits}}}$ from "
        f"${digits} \\cdot \\ln(10) / \\ln({values[0]} / {values[1]})\\approx{sig(exact)}$ on: "
        f"${ceil(exact - 1e-9)}$ steps.",
        "Marks: 2 for the Gram matrix, 1 for the first step, 1 for the second, 1 for the two squares, 1 for the "
        "stretch, 1 for the characteristic equation, 2 for the singular values, 1 for the factor, 2 for the steps.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
