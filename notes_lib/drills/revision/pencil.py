"""Drills on the arithmetic of a closed-book exam, three for each section of the page *Pencil and paper*."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, constant, matrix, polynomial, products, row, short, vector

_BOTH = ["1", "2"]
_LOGS = {3: 1.5850, 5: 2.3219}
_GIVEN = "Use $\\log_2 3 \\approx 1.5850$ and $\\log_2 5 \\approx 2.3219$."
_LOG_CARD, _TWO_CARD = "pencil-logs", "pencil-two-by-two"
_BELL_CARD, _SQUARE_CARD = "pencil-bells", "pencil-squares"
_MULTIPLIER_CARD, _GRADIENT_CARD = "pencil-multipliers", "pencil-gradients"


# --- logarithms to base 2 --------------------------------------------------------------------------------------------


@drill("log2-fractions", marks=5, minutes=6, title="Logarithms to base 2 of fractions")
def log2_fractions(rng: np.random.Generator) -> Parts:
    """Two logarithms of fractions whose factors are 2, 3 and 5, and one term of an entropy."""
    while True:
        up, down = rng.choice([1, 3, 5, 9, 15, 25, 27, 45], size=2), rng.choice([2, 4, 8, 16, 32], size=2)
        over = int(rng.choice([6, 8, 10, 12, 16, 20, 24]))
        part = int(rng.choice([1, 3, 5]))
        if up[0] != up[1] and up[1] > 1 and 0.1 < part / over < 1 and math.gcd(part, over) == 1:
            break
    fractions = [Fraction(int(a), int(b)) for a, b in zip(up, down, strict=True)]
    p = Fraction(part, over)
    logs = [math.log2(f) for f in fractions]
    term = -float(p) * math.log2(p)
    statement = "\n".join(
        [
            _GIVEN,
            "",
            f"1. Compute $\\log_2 {_tall(fractions[0])}$ and "
            f"$\\log_2 {_tall(fractions[1])}$ to three decimals. (3 marks)",
            f"2. Compute the term $-p \\log_2 p$ of an entropy for $p = {_tall(p)}$ to three decimals. (2 marks)",
        ]
    )
    lines = [
        "**Logarithms** (1 mark for the factors, 2 for the sums): the logarithm of a product is a sum, the one of a "
        "quotient a difference.",
        "",
        *(f"- $\\log_2 {_tall(f)} = {_log_sum(f)} = {log:.4f}$" for f, log in zip(fractions, logs, strict=True)),
        "",
        f"**Term** (1 mark for the logarithm, 1 for the product): $\\log_2 {_tall(p)} = {_log_sum(p)} = "
        f"{math.log2(p):.4f}$, so the term is ${_tall(p)} \\cdot {-math.log2(p):.4f} = {term:.4f}$.",
    ]
    answer = {"logs": logs, "term": term}
    wrong = [math.log2(int(a)) / math.log2(int(b)) for a, b in zip(up, down, strict=True)]
    fields = [
        ask.vector(
            "logs",
            "the two logarithms",
            1,
            3,
            titles=["first", "second"],
            places=3,
            carried=1,
            slips=[
                ask.slip(wrong, "A quotient has the difference of the logarithms, not their quotient.", _LOG_CARD),
                ask.slip([v * math.log(2) for v in logs], "These are natural logarithms; base 2 is asked.", _LOG_CARD),
            ],
        ),
        ask.number(
            "term",
            "$-p \\log_2 p$",
            2,
            2,
            places=3,
            carried=1,
            slips=[
                ask.slip(-math.log2(p), "That is $-\\log_2 p$: the term has the factor $p$ in front.", _LOG_CARD),
                ask.slip(-term, "The logarithm of a number below 1 is negative, so the term is positive.", _LOG_CARD),
            ],
        ),
    ]
    given = {"fractions": [[f.numerator, f.denominator] for f in fractions], "p": [part, over]}
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("entropy-from-counts", marks=5, minutes=7, title="Entropy from counts without fractions")
def entropy_from_counts(rng: np.random.Generator) -> Parts:
    """Entropy of three classes from their counts: logarithm of the total less a mean of whole numbers."""
    while True:
        counts = [int(c) for c in rng.integers(1, 10, size=3)]
        N = sum(counts)
        good = {1, 2, 3, 4, 5, 6, 8, 9}
        if N in (8, 9, 10, 12, 15, 16, 18, 20) and set(counts) <= good and len(set(counts)) > 1 and max(counts) > 2:
            break
    inner, whole = sum(c * math.log2(c) for c in counts), math.log2(N)
    H = whole - inner / N
    terms = " + ".join(f"{c} \\cdot {_log(c)}" if c > 1 else "0" for c in counts)
    statement = "\n".join(
        [
            f"Three classes have $n_1 = {counts[0]}$, $n_2 = {counts[1]}$ and $n_3 = {counts[2]}$ of $N = {N}$ "
            f"instances. {_GIVEN}",
            "",
            "1. Compute $\\log_2 N$ and $S = \\sum_k n_k \\log_2 n_k$ to three decimals. (3 marks)",
            "2. Compute the entropy $H = \\log_2 N - S/N$ of the shares in bits, to three decimals. (2 marks)",
        ]
    )
    lines = [
        f"**Logarithms** (1 mark for the total, 2 for the sum): ${_chain(N)}$"
        f"{_each_log(counts)}. The sum is $S = {terms} = {inner:.4f}$.",
        "",
        f"**Entropy** (1 mark for the rule, 1 for the value): $H = {_log(N)} - {inner:.4f} / {N} = {H:.4f}$ bits.",
    ]
    answer = {"total": whole, "sum": inner, "entropy": H}
    more: dict[str, Any] = {"places": 3, "carried": 1}
    fields = [
        ask.number("total", "$\\log_2 N$", 1, **more),
        ask.number(
            "sum",
            "$S$",
            1,
            2,
            places=3,
            carried=3,
            slips=[
                ask.slip(
                    sum(math.log2(c) for c in counts), "Each logarithm is multiplied by its count first.", _LOG_CARD
                ),
            ],
        ),
        ask.number(
            "entropy",
            "$H$ in bits",
            2,
            2,
            **more,
            follows=f"total - sum / {N}",
            slips=[
                ask.slip(H * math.log(2), "That is the entropy in nats; bits are asked.", _LOG_CARD),
                ask.slip(whole - inner, "The sum is divided by $N$ before it is taken off.", _LOG_CARD),
            ],
        ),
    ]
    return Parts(statement, {"counts": counts}, "\n".join(lines), answer, fields)


@drill("code-lengths", marks=6, minutes=7, title="Code lengths of powers of one half")
def code_lengths(rng: np.random.Generator) -> Parts:
    """Entropy, cross-entropy and divergence of two distributions whose probabilities are powers of one half."""
    while True:
        p, q = (rng.permutation([4, 2, 1, 1]) for _ in range(2))
        if not np.array_equal(p, q):
            break
    own, other = 3 - np.log2(p), 3 - np.log2(q)
    H, cross, back = float(p @ own) / 8, float(p @ other) / 8, float(q @ (own - other)) / 8
    eighths = lambda v: row([short(c / 8) for c in v], str)
    lengths = lambda v: ", ".join(sig(c) for c in v)
    mean = lambda w, v: f"({products(w, v)}) / 8"
    statement = "\n".join(
        [
            f"Four symbols have the probabilities $p = {eighths(p)}$. A code was made for $q = {eighths(q)}$.",
            "",
            "1. Give the lengths $-\\log_2 p_k$ and $-\\log_2 q_k$ of the words of both codes. (2 marks)",
            "2. Give the entropy of $p$ and the mean length of a symbol from $p$ in the code of $q$. (3 marks)",
            "3. How many bits does the wrong code cost? (1 mark)",
        ]
    )
    lines = [
        f"**Lengths** (1 mark for $p$, 1 for $q$): one half is one bit, so they are ${lengths(own)}$ and "
        f"${lengths(other)}$.",
        "",
        f"**Means** (1 mark for the weights, 1 for the entropy, 1 for the cross-entropy): both are weighted by $p$, "
        f"$H(p) = {mean(p, own)} = {sig(H)}$ and $H(p, q) = {mean(p, other)} = {sig(cross)}$.",
        "",
        f"**Price** (1 mark): $D(p, q) = {sig(cross)} - {sig(H)} = {sig(cross - H)}$ bits, the divergence.",
    ]
    answer = {"own": own.tolist(), "other": other.tolist(), "entropy": H, "cross": cross, "price": cross - H}
    names = ["first", "second", "third", "fourth"]
    fields = [
        ask.vector("own", "lengths for $p$", 1, titles=names, whole=True),
        ask.vector("other", "lengths for $q$", 1, titles=names, whole=True),
        ask.number(
            "entropy",
            "entropy of $p$ in bits",
            2,
            1.5,
            follows=f"({_weighted(p, 'own')}) / 8",
            slips=[
                ask.slip(float(own.mean()), "The lengths are weighted by $p$; this is their plain mean.", _LOG_CARD)
            ],
        ),
        ask.number(
            "cross",
            "mean length in the code of $q$",
            2,
            1.5,
            follows=f"({_weighted(p, 'other')}) / 8",
            slips=[
                ask.slip(float(q @ own) / 8, "That weights the code of $p$ by $q$: symbols come from $p$.", _LOG_CARD)
            ],
        ),
        ask.number(
            "price",
            "bits that the wrong code costs",
            3,
            follows="cross - entropy",
            slips=[
                ask.slip(H - cross, "A wrong code costs bits: the divergence is never negative.", _LOG_CARD),
                ask.slip(cross, "That is the whole mean length; the price is what exceeds the entropy.", _LOG_CARD),
            ],
        ),
    ]
    given = {"p": p.tolist(), "q": q.tolist(), "back": back}
    return Parts(statement, given, "\n".join(lines), answer, fields)


# --- two by two ------------------------------------------------------------------------------------------------------


@drill("inverse-2x2", marks=5, minutes=6, title="Inverse of a 2 × 2 matrix and a linear system")
def inverse_2x2(rng: np.random.Generator) -> Parts:
    """Determinant, inverse, and the solution of one system."""
    while True:
        A = rng.integers(-4, 6, size=(2, 2))
        x = rng.integers(-3, 4, size=2)
        det = int(A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0])
        if abs(det) in (2, 4, 5, 8, 10) and A.all() and x.all() and A[0, 0] != A[1, 1]:
            break
    (a, b), (c, d) = A.tolist()
    right, turned = A @ x, np.array([[d, -b], [-c, a]])
    inverse = turned / det
    statement = "\n".join(
        [
            f"$\\mathbf{{A}} = {matrix(A)}$, $\\mathbf{{b}} = {vector(right)}$.",
            "",
            "1. Find the determinant and the inverse of $\\mathbf{A}$. (3 marks)",
            "2. Solve $\\mathbf{A}\\mathbf{x} = \\mathbf{b}$. (2 marks)",
        ]
    )
    lines = [
        f"**Determinant** (1 mark): ${a} \\cdot {bracket(d)} - {bracket(b)} \\cdot {bracket(c)} = {det}$.",
        "",
        "**Inverse** (1 mark for the exchange and the signs, 1 for the quotient): exchange the diagonal, change the "
        "other signs, divide.",
        "",
        f"$$\n\\mathbf{{A}}^{{-1}} = \\frac{{1}}{{{det}}} {matrix(turned)} = {matrix(inverse)} .\n$$",
        "",
        f"**System** (1 mark for the product, 1 for the values): $\\mathbf{{x}} = \\frac{{1}}{{{det}}} "
        f"{matrix(turned)} {vector(right)} = {vector(x)}$.",
    ]
    answer = {"determinant": det, "inverse": inverse.tolist(), "x": x.tolist()}
    entries = "inverse[{0},0] * ({1}) + inverse[{0},1] * ({2})"
    fields = [
        ask.number(
            "determinant",
            "determinant",
            1,
            whole=True,
            slips=[ask.slip(a * d + b * c, "The second product is taken off, not added.", _TWO_CARD)],
        ),
        ask.matrix(
            "inverse",
            "inverse",
            1,
            2,
            rows=_BOTH,
            columns=_BOTH,
            follows=[[f"{d} / determinant", f"{-b} / determinant"], [f"{-c} / determinant", f"{a} / determinant"]],
            slips=[
                ask.slip(inverse.T.tolist(), "That is its transpose: only the diagonal changes places.", _TWO_CARD),
                ask.slip(turned.tolist(), "It is still to be divided by the determinant.", _TWO_CARD),
            ],
        ),
        ask.vector(
            "x",
            "$\\mathbf{x}$",
            2,
            2,
            titles=["$x_1$", "$x_2$"],
            follows=[entries.format(i, *right) for i in (0, 1)],
            slips=[ask.slip((inverse.T @ right).tolist(), "That used the transpose of the inverse.", _TWO_CARD)],
        ),
    ]
    return Parts(statement, {"A": A.tolist(), "b": right.tolist()}, "\n".join(lines), answer, fields)


@drill("eigen-by-trace", marks=6, minutes=8, title="Eigenvalues from trace and determinant")
def eigen_by_trace(rng: np.random.Generator) -> Parts:
    """Trace, determinant, eigenvalues and eigenvectors of a matrix of whole numbers that is not symmetric."""
    while True:
        lam = np.sort(rng.choice(np.arange(-3, 7), size=2, replace=False))[::-1]
        s, t = rng.integers(-2, 3, size=2)
        V = np.array([[1, s], [t, 1 + s * t]])
        A = V @ np.diag(lam) @ np.array([[1 + s * t, -s], [-t, 1]])
        if A.all() and A[0, 1] != A[1, 0] and np.abs(A).max() < 13 and V[1, 1] != 0:
            break
    trace, det, root = int(lam.sum()), int(lam.prod()), int(lam[0] - lam[1])
    statement = "\n".join(
        [
            f"$\\mathbf{{A}} = {matrix(A)}$.",
            "",
            "1. Give the trace $t$ and the determinant $d$. (2 marks)",
            "2. Find the eigenvalues. (2 marks)",
            "3. Find an eigenvector of each. (2 marks)",
        ]
    )
    shifted = [A - v * np.eye(2, dtype=int) for v in lam]
    lines = [
        f"**Trace and determinant** (1 mark for the trace, 1 for the determinant): $t = {A[0, 0]} + "
        f"{bracket(A[1, 1])} = {trace}$ and $d = {A[0, 0]} \\cdot {bracket(A[1, 1])} - {bracket(A[0, 1])} \\cdot "
        f"{bracket(A[1, 0])} = {det}$.",
        "",
        f"**Eigenvalues** (1 mark for the root, 1 for the values): they are $t/2$, more or less half of "
        f"$\\sqrt{{{bracket(trace)}^2 - 4 \\cdot {bracket(det)}}} = {root}$: $\\lambda_1 = \\tfrac{{1}}{{2}} "
        f"({trace} + {root}) = {lam[0]}$ and $\\lambda_2 = \\tfrac{{1}}{{2}} ({trace} - {root}) = {lam[1]}$.",
        "",
        "**Eigenvectors** (1 mark for the first, 1 for the second): orthogonal to the rows of $\\mathbf{A} - "
        "\\lambda\\mathbf{I}$.",
        "",
        *(
            f"- $\\mathbf{{v}}_{k + 1} = {vector(V[:, k])}$, because ${matrix(shifted[k])} {vector(V[:, k])} = "
            f"{vector([0, 0])}$"
            for k in (0, 1)
        ),
    ]
    answer = {"trace": trace, "determinant": det, "eigenvalues": lam.tolist(), "vectors": V.T.tolist()}
    crossed = [[-float(v[1]), float(v[0])] for v in V.T]
    fields = [
        ask.number("trace", "trace", 1, whole=True),
        ask.number(
            "determinant",
            "determinant",
            1,
            whole=True,
            slips=[ask.slip(int(A[0, 0] * A[1, 1] + A[0, 1] * A[1, 0]), "The second product is taken off.", _TWO_CARD)],
        ),
        ask.vector(
            "eigenvalues",
            "eigenvalues, the largest first",
            2,
            2,
            whole=True,
            follows=[f"(trace {sign} sqrt(trace^2 - 4 * determinant)) / 2" for sign in "+-"],
            slips=[
                ask.slip([int(A.diagonal().max()), int(A.diagonal().min())], _DIAGONAL, _TWO_CARD),
                ask.slip([-int(lam[1]), -int(lam[0])], "Their sum is the trace, with its sign.", _TWO_CARD),
            ],
        ),
        ask.vector(
            "vectors.0",
            "eigenvector of the largest; any multiple counts",
            3,
            up_to="scale",
            after=("eigenvalues",),
            slips=[ask.slip(crossed[0], _A_ROW, _TWO_CARD)],
        ),
        ask.vector(
            "vectors.1",
            "eigenvector of the other; any multiple counts",
            3,
            up_to="scale",
            after=("eigenvalues",),
            slips=[ask.slip(crossed[1], _A_ROW, _TWO_CARD)],
        ),
    ]
    return Parts(statement, {"A": A.tolist()}, "\n".join(lines), answer, fields)


@drill("power-2x2", marks=5, minutes=6, title="Power of a symmetric 2 × 2 matrix")
def power_2x2(rng: np.random.Generator) -> Parts:
    """Eigenvalues of a matrix with two equal rows but for their order, and a power of it."""
    while True:
        a, b = (int(v) for v in rng.integers(-4, 5, size=2))
        k = int(rng.integers(3, 6))
        if b and a + b and a - b and abs(a) != abs(b) and max(abs(a + b), abs(a - b)) ** k < 1000:
            break
    plus, minus = a + b, a - b
    on, off = (plus**k + minus**k) // 2, (plus**k - minus**k) // 2
    statement = "\n".join(
        [
            f"$\\mathbf{{A}} = {matrix([[a, b], [b, a]])}$.",
            "",
            "1. Which eigenvalue has the eigenvector $(1, 1)^\\top$, which $(1, -1)^\\top$? (2 marks)",
            f"2. Compute $\\mathbf{{A}}^{{{k}}}$. (3 marks)",
        ]
    )
    lines = [
        f"**Eigenvalues** (1 mark for the sum, 1 for the difference): $\\lambda_1 = {a} + {bracket(b)} = {plus}$ and "
        f"$\\lambda_2 = {a} - {bracket(b)} = {minus}$.",
        "",
        f"**Power** (1 mark for the rule, 1 for the powers, 1 for the matrix): the eigenvectors stay, the eigenvalues "
        f"become ${bracket(plus)}^{k} = {plus**k}$ and ${bracket(minus)}^{k} = {minus**k}$. The diagonal is half "
        f"their sum, $\\tfrac{{1}}{{2}} ({plus**k} + {bracket(minus**k)}) = {on}$, the rest half their difference, "
        f"$\\tfrac{{1}}{{2}} ({plus**k} - {bracket(minus**k)}) = {off}$.",
    ]
    answer = {"plus": plus, "minus": minus, "power": [[on, off], [off, on]]}
    half = f"((plus)^{k} {{}} (minus)^{k}) / 2"
    rows = [[half.format("+"), half.format("-")], [half.format("-"), half.format("+")]]
    fields = [
        ask.number("plus", "eigenvalue of $(1, 1)^\\top$", 1, whole=True, slips=[ask.slip(minus, _OTHER, _TWO_CARD)]),
        ask.number("minus", "eigenvalue of $(1, -1)^\\top$", 1, whole=True, slips=[ask.slip(plus, _OTHER, _TWO_CARD)]),
        ask.matrix(
            "power",
            f"$\\mathbf{{A}}^{{{k}}}$",
            2,
            3,
            rows=_BOTH,
            columns=_BOTH,
            whole=True,
            follows=rows,
            slips=[
                ask.slip([[a**k, b**k], [b**k, a**k]], "A power of a matrix is not taken entry by entry.", _TWO_CARD),
                ask.slip([[plus**k, 0], [0, minus**k]], "That is the power in the eigenvectors' axes.", _TWO_CARD),
            ],
        ),
    ]
    return Parts(statement, {"A": [[a, b], [b, a]], "k": k}, "\n".join(lines), answer, fields)


# --- Gaussian integrals ----------------------------------------------------------------------------------------------


@drill("gaussian-normaliser", marks=6, minutes=7, title="Gaussian integral with a linear term")
def gaussian_normaliser(rng: np.random.Generator) -> Parts:
    """Mean, variance and normaliser of a density whose logarithm is a parabola."""
    root = Fraction(
        *[(1, 2), (1, 1), (2, 1), (1, 4), (4, 1), (5, 2), (3, 1), (1, 3), (3, 2), (5, 1), (2, 3)][rng.integers(11)]
    )
    a = root**2
    h = int(rng.choice([-1, 1]) * rng.integers(1, 8))
    b = 2 * a * h
    statement = "\n".join(
        [
            f"$g(x) = e^{{{polynomial([(-a, 'x^2'), (b, 'x')], short)}}}$ for all real $x$.",
            "",
            "1. $g$ is proportional to a Gaussian density. Give its mean $m$ and its variance $v$. (3 marks)",
            "2. Its integral is $c\\, e^{k} \\sqrt{\\pi}$. Give the numbers $c$ and $k$. (3 marks)",
        ]
    )
    variance, factor, k = 1 / (2 * a), 1 / root, a * h**2
    lines = [
        f"**Mean and variance** (1 mark for the square, 1 for the mean, 1 for the variance): the exponent is "
        f"$-{_times(a)}(x{_moved(h)})^2 + {_s(k)} = {polynomial([(-a, 'x^2'), (b, 'x')], short)}$. So $m = {h}$, and "
        f"$1/(2v) = {_s(a)}$ gives $v = {_s(variance)}$.",
        "",
        f"**Integral** (1 mark for the rule, 1 for $c$, 1 for $k$): the integral of $e^{{-a (x - m)^2}}$ is "
        f"$\\sqrt{{\\pi/a}}$, so $c = 1 / \\sqrt{{{_s(a)}}} = {_s(factor)}$, and what the square leaves over is "
        f"$k = {_s(a)} \\cdot {bracket(h)}^2 = {_s(k)}$.",
    ]
    answer = {"mean": h, "variance": float(variance), "factor": float(factor), "exponent": float(k)}
    fields = [
        ask.number(
            "mean",
            "mean $m$",
            1,
            whole=True,
            slips=[
                ask.slip(-h, "The sign turns round: $x^2 - 2mx$ belongs to $(x - m)^2$.", _BELL_CARD),
                ask.slip(2 * h, "The linear term is twice the mean times the factor of $x^2$.", _BELL_CARD),
            ],
        ),
        ask.number(
            "variance",
            "variance $v$",
            1,
            2,
            slips=[
                ask.slip(float(1 / a), "The exponent of a Gaussian has the factor $1/(2v)$, not $1/v$.", _BELL_CARD),
                ask.slip(float(2 * a), "That is the precision; the variance is one over it.", _BELL_CARD),
            ],
        ),
        ask.number(
            "factor",
            "$c$",
            2,
            1.5,
            follows="sqrt(2 * variance)",
            slips=[
                ask.slip(float(1 / a), "The root is still to be taken.", _BELL_CARD),
                ask.slip(float(root), "The root of $a$ stands below: a narrow bell has a small area.", _BELL_CARD),
            ],
        ),
        ask.number(
            "exponent",
            "$k$",
            2,
            1.5,
            follows="mean^2 / (2 * variance)",
            slips=[ask.slip(-float(k), "What the square takes off is put back: the sign is plus.", _BELL_CARD)],
        ),
    ]
    return Parts(statement, {"a": float(a), "b": float(b)}, "\n".join(lines), answer, fields)


@drill("gaussian-moments", marks=6, minutes=7, title="Moments of a Gaussian")
def gaussian_moments(rng: np.random.Generator) -> Parts:
    """Second, third and fourth moment, and the mean square of a linear function."""
    m, s = int(rng.choice([-3, -2, -1, 1, 2, 3])), int(rng.integers(1, 4))
    a, b = int(rng.choice([2, 3, -2])), int(rng.choice([-4, -3, -1, 1, 2, 3, 4]))
    v = s * s
    second, third, fourth = m**2 + v, m**3 + 3 * m * v, m**4 + 6 * m**2 * v + 3 * v**2
    linear = a**2 * v + (a * m + b) ** 2
    statement = "\n".join(
        [
            f"$x$ is Gaussian with mean $m = {m}$ and variance $v = {v}$.",
            "",
            "1. Give $E\\,x^2$, $E\\,x^3$ and $E\\,x^4$. (4 marks)",
            f"2. Give $E\\,y^2$ for $y = {polynomial([(a, 'x'), (b, '')])}$. (2 marks)",
        ]
    )
    lines = [
        "**Moments** (1 mark for the second, 1 for the third, 2 for the fourth): put $x = m + z$; odd moments of $z$ "
        "are 0, $E\\,z^2 = v$ and $E\\,z^4 = 3v^2$.",
        "",
        f"- second: ${bracket(m)}^2 + {v} = {second}$",
        f"- third: ${bracket(m)}^3 + 3 \\cdot {bracket(m)} \\cdot {v} = {third}$",
        f"- fourth: ${bracket(m)}^4 + 6 \\cdot {bracket(m)}^2 \\cdot {v} + 3 \\cdot {v}^2 = {fourth}$",
        "",
        f"**Linear function** (1 mark for mean and variance, 1 for the value): the mean is ${a} \\cdot {bracket(m)} + "
        f"{bracket(b)} = {a * m + b}$, the variance ${bracket(a)}^2 \\cdot {v} = {a * a * v}$, so "
        f"${bracket(a * m + b)}^2 + {a * a * v} = {linear}$.",
    ]
    answer = {"second": second, "third": third, "fourth": fourth, "linear": linear}
    fields = [
        ask.number(
            "second",
            "$E\\,x^2$",
            1,
            whole=True,
            slips=[
                ask.slip(v, "That is the variance; the square of the mean is missing.", _BELL_CARD),
                ask.slip(m * m, "That is the square of the mean; the variance is missing.", _BELL_CARD),
            ],
        ),
        ask.number(
            "third",
            "$E\\,x^3$",
            1,
            whole=True,
            slips=[ask.slip(m**3 + m * v, "The mixed term comes three times.", _BELL_CARD)],
        ),
        ask.number(
            "fourth",
            "$E\\,x^4$",
            1,
            2,
            whole=True,
            slips=[
                ask.slip(m**4 + 6 * m * m * v + v * v, "The fourth moment of $z$ is $3v^2$.", _BELL_CARD),
                ask.slip(second**2, "The mean of a square is not the square of a mean.", _BELL_CARD),
            ],
        ),
        ask.number(
            "linear",
            "$E\\,y^2$",
            2,
            2,
            whole=True,
            slips=[
                ask.slip(a * a * second + b * b, "The mixed term $2ab\\,m$ is missing.", _BELL_CARD),
                ask.slip(abs(a) * v + (a * m + b) ** 2, "The variance is multiplied by $a^2$.", _BELL_CARD),
            ],
        ),
    ]
    return Parts(statement, {"m": m, "v": v, "a": a, "b": b}, "\n".join(lines), answer, fields)


@drill("gaussian-integral-2d", marks=5, minutes=7, title="Gaussian integral in the plane")
def gaussian_integral_2d(rng: np.random.Generator) -> Parts:
    """Integral of a Gaussian in two dimensions, with and without a linear term."""
    while True:
        a, d = (int(v) for v in rng.integers(1, 9, size=2))
        b = int(rng.choice([-3, -2, -1, 1, 2, 3]))
        u = rng.integers(-2, 3, size=2)
        det = a * d - b * b
        if det in (4, 16, 25) and u.any() and (A := np.array([[a, b], [b, d]])) @ u @ u < 60:
            break
    root, linear, form = math.isqrt(det), A @ u, int(u @ A @ u)
    statement = "\n".join(
        [
            f"$\\mathbf{{A}} = {matrix(A)}$, $\\mathbf{{b}} = {vector(linear)}$.",
            "",
            "1. The integral of $\\exp(-\\tfrac12 \\mathbf{x}^\\top\\mathbf{A}\\mathbf{x})$ over the plane is "
            "$c\\,\\pi$. Give $c$. (2 marks)",
            "2. With $+\\,\\mathbf{b}^\\top\\mathbf{x}$ in the exponent it is $c\\,\\pi\\, e^{k}$. Give the point "
            "$\\mathbf{u}$ where the exponent is largest, and $k$. (3 marks)",
        ]
    )
    lines = [
        f"**Integral** (1 mark for the determinant, 1 for the root): $|\\mathbf{{A}}| = {a} \\cdot {d} - "
        f"{bracket(b)}^2 = {det}$ and $c = 2 / \\sqrt{{{det}}} = {short(2 / root)}$.",
        "",
        f"**Linear term** (2 marks for the point, 1 for the exponent): the gradient is 0 where "
        f"$\\mathbf{{A}}\\mathbf{{u}} = \\mathbf{{b}}$, that is at $\\mathbf{{u}} = \\frac{{1}}{{{det}}} "
        f"{matrix([[d, -b], [-b, a]])} {vector(linear)} = {vector(u)}$, and there "
        f"$k = \\tfrac{{1}}{{2}} \\mathbf{{b}}^\\top\\mathbf{{u}} = \\tfrac{{1}}{{2}} ({products(linear, u)}) = "
        f"{short(form / 2)}$.",
    ]
    answer = {"factor": 2 / root, "point": u.tolist(), "exponent": form / 2}
    fields = [
        ask.number(
            "factor",
            "$c$",
            1,
            2,
            slips=[
                ask.slip(2 * root, "The root of the determinant stands below.", _BELL_CARD),
                ask.slip(2 / det, "The root of the determinant is still to be taken.", _BELL_CARD),
            ],
        ),
        ask.vector(
            "point",
            "$\\mathbf{u}$",
            2,
            2,
            titles=["$u_1$", "$u_2$"],
            slips=[ask.slip((A @ linear).tolist(), "Multiply by the inverse of $\\mathbf{A}$.", _BELL_CARD)],
        ),
        ask.number(
            "exponent",
            "$k$",
            2,
            follows=f"(({linear[0]}) * point[0] + ({linear[1]}) * point[1]) / 2",
            slips=[
                ask.slip(-form / 2, "What the square takes off is put back: the sign is plus.", _BELL_CARD),
                ask.slip(form, "The half in front of the square stays.", _BELL_CARD),
            ],
        ),
    ]
    return Parts(statement, {"A": A.tolist(), "b": linear.tolist()}, "\n".join(lines), answer, fields)


# --- completing the square -------------------------------------------------------------------------------------------


@drill("complete-square", marks=4, minutes=5, title="Completing the square")
def complete_square(rng: np.random.Generator) -> Parts:
    """A parabola as a square and a rest."""
    a = int(rng.choice([-3, -2, 2, 3, 4, 5]))
    h, k = (int(v) for v in rng.choice([-5, -4, -3, -2, -1, 1, 2, 3, 4, 5], size=2))
    b, c = -2 * a * h, a * h * h + k
    text = polynomial([(a, "x^2"), (b, "x"), (c, "")])
    word = "smallest" if a > 0 else "largest"
    statement = "\n".join(
        [
            f"$f(x) = {text}$.",
            "",
            "1. Write it as $a (x - h)^2 + k$: give $h$ and $k$. (3 marks)",
            "2. Is $k$ the smallest or the largest value? (1 mark)",
        ]
    )
    lines = [
        f"**Square** (1 mark for the factor, 1 for $h$, 1 for $k$): half the linear coefficient over $a$ gives "
        f"$h = -{bracket(b)} / (2 \\cdot {bracket(a)}) = {h}$, and the rest is $k = {c} - {bracket(a)} \\cdot "
        f"{bracket(h)}^2 = {k}$, so $f(x) = {a}(x{_moved(h)})^2{constant(k)}$.",
        "",
        f"**Value** (1 mark): $a$ is {'positive' if a > 0 else 'negative'}, so it is the {word}.",
    ]
    answer = {"h": h, "k": k, "word": word}
    fields = [
        ask.number(
            "h",
            "$h$",
            1,
            1.5,
            whole=True,
            slips=[
                ask.slip(-h, "The sign turns round: the square is of $x - h$.", _SQUARE_CARD),
                ask.slip(2 * h, "Only half of the linear coefficient goes into the square.", _SQUARE_CARD),
            ],
        ),
        ask.number(
            "k",
            "$k$",
            1,
            1.5,
            whole=True,
            follows=f"{c} - ({a}) * h^2",
            slips=[
                ask.slip(c - h * h, "The square is multiplied by $a$ before it is taken off.", _SQUARE_CARD),
                ask.slip(c, "What the square adds must be taken off again.", _SQUARE_CARD),
            ],
        ),
        ask.choice("word", "$k$ is the", 2, options=["smallest", "largest"]),
    ]
    return Parts(statement, {"a": a, "b": b, "c": c}, "\n".join(lines), answer, fields)


@drill("complete-square-2d", marks=6, minutes=8, title="Completing the square with a matrix")
def complete_square_2d(rng: np.random.Generator) -> Parts:
    """A quadratic function of two variables as a square and a rest."""
    while True:
        a, d = (int(v) for v in rng.integers(1, 6, size=2))
        b = int(rng.choice([-2, -1, 1, 2]))
        m, k = rng.integers(-3, 4, size=2), int(rng.integers(-6, 7))
        if a * d > b * b and m.all() and k:
            break
    A = np.array([[a, b], [b, d]])
    right, det = A @ m, a * d - b * b
    c = int(m @ right) + k
    statement = "\n".join(
        [
            f"$f(\\mathbf{{x}}) = \\mathbf{{x}}^\\top\\mathbf{{A}}\\mathbf{{x}} - 2\\,\\mathbf{{b}}^\\top\\mathbf{{x}}"
            f"{constant(c)}$ with $\\mathbf{{A}} = {matrix(A)}$ and $\\mathbf{{b}} = {vector(right)}$.",
            "",
            "1. Write it as $(\\mathbf{x} - \\mathbf{m})^\\top\\mathbf{A}(\\mathbf{x} - \\mathbf{m}) + k$: give "
            "$\\mathbf{m}$. (3 marks)",
            "2. Give $k$. (3 marks)",
        ]
    )
    lines = [
        f"**Centre** (1 mark for the rule, 1 for the inverse, 1 for the product): the linear terms agree if "
        f"$\\mathbf{{A}}\\mathbf{{m}} = \\mathbf{{b}}$, so $\\mathbf{{m}} = \\frac{{1}}{{{det}}} "
        f"{matrix([[d, -b], [-b, a]])} {vector(right)} = {vector(m)}$.",
        "",
        f"**Rest** (1 mark for the rule, 1 for the product, 1 for the value): the square brings "
        f"$\\mathbf{{m}}^\\top\\mathbf{{b}} = {products(m, right)} = {int(m @ right)}$ along, so "
        f"$k = {c} - {bracket(int(m @ right))} = {k}$.",
    ]
    answer = {"m": m.tolist(), "k": k}
    fields = [
        ask.vector(
            "m",
            "$\\mathbf{m}$",
            1,
            3,
            titles=["$m_1$", "$m_2$"],
            whole=True,
            slips=[
                ask.slip((-m).tolist(), "The sign turns round: the square is of $x - m$.", _SQUARE_CARD),
                ask.slip(right.tolist(), "The inverse of $A$ is still to be applied.", _SQUARE_CARD),
            ],
        ),
        ask.number(
            "k",
            "$k$",
            2,
            3,
            whole=True,
            follows=f"{c} - (m[0] * ({right[0]}) + m[1] * ({right[1]}))",
            slips=[
                ask.slip(c - int(m @ m), "The square of $m$ is taken with $A$.", _SQUARE_CARD),
                ask.slip(c + int(m @ right), "What the square adds is taken off.", _SQUARE_CARD),
            ],
        ),
    ]
    return Parts(statement, {"A": A.tolist(), "b": right.tolist(), "c": c}, "\n".join(lines), answer, fields)


@drill("two-squares", marks=5, minutes=6, title="The sum of two squares as one")
def two_squares(rng: np.random.Generator) -> Parts:
    """Two weighted squares of one variable as one square and a rest: the product of two Gaussians."""
    while True:
        p, q = (int(v) for v in rng.integers(1, 7, size=2))
        x, y = (int(v) for v in rng.integers(-4, 7, size=2))
        if x != y and x and y and p + q in (2, 4, 5, 8, 10) and p * x + q * y:
            break
    h, k = Fraction(p * x + q * y, p + q), Fraction(p * q * (x - y) ** 2, p + q)
    statement = "\n".join(
        [
            f"$f(t) = {_factor(p)}(t{_moved(x)})^2 + {_factor(q)}(t{_moved(y)})^2$.",
            "",
            "1. Write it as $w (t - h)^2 + k$: give $w$ and $h$. (3 marks)",
            "2. Give $k$. (2 marks)",
        ]
    )
    lines = [
        f"**Weight and centre** (1 mark for the weight, 2 for the centre): the weights add up, $w = {p} + {q} = "
        f"{p + q}$, and the centre is the weighted mean, $h = ({p} \\cdot {bracket(x)} + {q} \\cdot {bracket(y)}) / "
        f"{p + q} = {_s(h)}$.",
        "",
        f"**Rest** (1 mark for the rule, 1 for the value): at the centre both squares remain, $k = {p} "
        f"({_s(h)} - {bracket(x)})^2 + {q} ({_s(h)} - {bracket(y)})^2 = \\frac{{{p} \\cdot {q}}}{{{p + q}}} "
        f"({x} - {bracket(y)})^2 = {_s(k)}$.",
    ]
    answer = {"w": p + q, "h": float(h), "k": float(k)}
    fields = [
        ask.number(
            "w",
            "$w$",
            1,
            whole=True,
            slips=[ask.slip(p * q, "The weights add up, as precisions do.", _SQUARE_CARD)],
        ),
        ask.number(
            "h",
            "$h$",
            1,
            2,
            follows=f"({p * x + q * y}) / w",
            slips=[
                ask.slip((x + y) / 2, "The mean is weighted.", _SQUARE_CARD),
                ask.slip((q * x + p * y) / (p + q), "Each centre has its own weight.", _SQUARE_CARD),
            ],
        ),
        ask.number(
            "k",
            "$k$",
            2,
            2,
            follows=f"{p} * (h - ({x}))^2 + {q} * (h - ({y}))^2",
            slips=[
                ask.slip(float(p * q * abs(x - y) / (p + q)), "The distance is squared.", _SQUARE_CARD),
                ask.slip(float(p * x**2 + q * y**2), "The new square is still to be taken off.", _SQUARE_CARD),
            ],
        ),
    ]
    return Parts(statement, {"weights": [p, q], "centres": [x, y]}, "\n".join(lines), answer, fields)


# --- Lagrange multipliers --------------------------------------------------------------------------------------------


@drill("lagrange-line", marks=5, minutes=7, title="A Lagrange multiplier on a line")
def lagrange_line(rng: np.random.Generator) -> Parts:
    """The smallest weighted square on a line."""
    while True:
        p, q = (int(v) for v in rng.integers(1, 5, size=2))
        a, b = (int(v) for v in rng.choice([-3, -2, -1, 1, 2, 3], size=2))
        lam = int(rng.choice([-4, -3, -2, -1, 1, 2, 3, 4]))
        c = Fraction(lam * a * a, p) + Fraction(lam * b * b, q)
        if c.denominator == 1 and p != q and (lam * a) % p == 0 == (lam * b) % q:
            break
    c, x, y = int(c), lam * a // p, lam * b // q
    scale, value = Fraction(a * a, p) + Fraction(b * b, q), Fraction(p * x * x + q * y * y, 2)
    statement = "\n".join(
        [
            f"Minimise $f = \\tfrac12 ({polynomial([(p, 'x^2'), (q, 'y^2')])})$ subject to "
            f"$g = {polynomial([(a, 'x'), (b, 'y')])} = {c}$, with $\\nabla f = \\lambda \\nabla g$.",
            "",
            "1. Give the multiplier $\\lambda$. (2 marks)",
            "2. Give the minimiser and the minimum. (2 marks)",
            "3. By how much does the minimum change to first order when the right-hand side rises by 0.1? (1 mark)",
        ]
    )
    lines = [
        f"**Multiplier** (1 mark for the conditions, 1 for the value): $x = {_multiple(a, p)}$ and $y = "
        f"{_multiple(b, q)}$ in the constraint give ${_s(scale)}\\,\\lambda = {c}$, so $\\lambda = {c} / "
        f"{_s(scale)} = {lam}$.",
        "",
        f"**Minimiser** (1 mark for the point, 1 for the value): $x = {_over(a, p)} \\cdot {bracket(lam)} = {x}$ and "
        f"$y = {_over(b, q)} \\cdot {bracket(lam)} = {y}$, and the minimum is $\\tfrac{{1}}{{2}} ({p} \\cdot "
        f"{bracket(x)}^2 + {q} \\cdot {bracket(y)}^2) = {_s(value)}$.",
        "",
        f"**Change** (1 mark): the multiplier is its slope, ${lam} \\cdot 0.1 = {sig(lam / 10)}$.",
    ]
    answer = {"multiplier": lam, "point": [x, y], "minimum": float(value), "change": lam / 10}
    fields = [
        ask.number(
            "multiplier",
            "$\\lambda$",
            1,
            2,
            slips=[
                ask.slip(-lam, "With $\\nabla f = \\lambda \\nabla g$ the sign is the other one.", _MULTIPLIER_CARD),
                ask.slip(float(c / (a * a + b * b)), "Each square is divided by its weight.", _MULTIPLIER_CARD),
            ],
        ),
        ask.vector(
            "point",
            "minimiser",
            2,
            titles=["$x$", "$y$"],
            follows=[f"({a}) / {p} * multiplier", f"({b}) / {q} * multiplier"],
        ),
        ask.number(
            "minimum",
            "minimum",
            2,
            follows=f"({p} * point[0]^2 + {q} * point[1]^2) / 2",
            slips=[ask.slip(float(2 * value), "The half in front is missing.", _MULTIPLIER_CARD)],
        ),
        ask.number(
            "change",
            "change of the minimum",
            3,
            follows="multiplier * 0.1",
            slips=[ask.slip(-lam / 10, "Here the multiplier itself is the slope.", _MULTIPLIER_CARD)],
        ),
    ]
    return Parts(statement, {"weights": [p, q], "a": [a, b], "c": c}, "\n".join(lines), answer, fields)


@drill("lagrange-circle", marks=5, minutes=6, title="A linear function on a circle")
def lagrange_circle(rng: np.random.Generator) -> Parts:
    """Largest value of a linear function on a circle, and its multiplier."""
    a, b = (int(v) for v in rng.permutation([(3, 4), (6, 8), (5, 12), (9, 12)][rng.integers(4)]))
    a, b = int(a * rng.choice([-1, 1])), int(b * rng.choice([-1, 1]))
    length = math.isqrt(a * a + b * b)
    r = int(rng.choice([2, 5, 10, 4]))
    x, y, lam = Fraction(r * a, length), Fraction(r * b, length), Fraction(length, 2 * r)
    statement = "\n".join(
        [
            f"Maximise $f = {polynomial([(a, 'x'), (b, 'y')])}$ on the circle $x^2 + y^2 = {r * r}$, with "
            "$\\nabla f = \\lambda \\nabla (x^2 + y^2)$.",
            "",
            "1. Give the maximiser. (2 marks)",
            "2. Give the maximum and the multiplier there. (3 marks)",
        ]
    )
    lines = [
        f"**Maximiser** (1 mark for the direction, 1 for the length): the gradient $({a}, {b})$ has the length "
        f"$\\sqrt{{{bracket(a)}^2 + {bracket(b)}^2}} = {length}$, and the maximiser points its way: $x = {r} \\cdot "
        f"{bracket(a)} / {length} = {_s(x)}$ and $y = {r} \\cdot {bracket(b)} / {length} = {_s(y)}$.",
        "",
        f"**Maximum and multiplier** (1 mark for the maximum, 2 for the multiplier): the value is ${r} \\cdot {length} "
        f"= {r * length}$; the first slope is $2 \\lambda x$, so $\\lambda = {length} / (2 \\cdot {r}) = {_s(lam)}$.",
    ]
    answer = {"point": [float(x), float(y)], "maximum": r * length, "multiplier": float(lam)}
    fields = [
        ask.vector(
            "point",
            "maximiser",
            1,
            2,
            titles=["$x$", "$y$"],
            slips=[
                ask.slip([-float(x), -float(y)], "That is the minimiser.", _MULTIPLIER_CARD),
                ask.slip([a, b], "The point must lie on the circle: scale the gradient.", _MULTIPLIER_CARD),
            ],
        ),
        ask.number(
            "maximum",
            "maximum",
            2,
            follows=f"({a}) * point[0] + ({b}) * point[1]",
            slips=[ask.slip(r * r * length, "The radius is the root of the right-hand side.", _MULTIPLIER_CARD)],
        ),
        ask.number(
            "multiplier",
            "$\\lambda$",
            2,
            2,
            follows=f"({a}) / (2 * point[0])",
            slips=[
                ask.slip(float(2 * lam), "The gradient of the constraint has a factor 2.", _MULTIPLIER_CARD),
                ask.slip(-float(lam), "That is the multiplier of the minimum.", _MULTIPLIER_CARD),
            ],
        ),
    ]
    return Parts(statement, {"a": [a, b], "square": r * r}, "\n".join(lines), answer, fields)


@drill("lagrange-budget", marks=5, minutes=6, title="Logarithms under a budget")
def lagrange_budget(rng: np.random.Generator) -> Parts:
    """The largest weighted sum of logarithms under a linear constraint: shares in proportion to the weights."""
    while True:
        n = rng.integers(1, 8, size=3)
        price = rng.integers(1, 5, size=3)
        budget = int(rng.choice([10, 12, 20, 24, 30]))
        N = int(n.sum())
        share = [Fraction(int(c) * budget, N * int(w)) for c, w in zip(n, price, strict=True)]
        if N in (4, 5, 8, 10) and len(set(n)) > 1 and len(set(price)) > 1 and all(f.denominator < 6 for f in share):
            break
    lam = Fraction(N, budget)
    terms = lambda v, what: polynomial([(int(c), f"{what}x_{k + 1}") for k, c in enumerate(v)])
    aim, spent = terms(n, "\\ln "), terms(price, "")
    statement = "\n".join(
        [
            f"Maximise ${aim}$ over positive numbers with ${spent} = {budget}$.",
            "",
            "1. Give the multiplier $\\lambda$ of $\\partial f / \\partial x_k = \\lambda\\, w_k$. (2 marks)",
            "2. Give the maximiser. (3 marks)",
        ]
    )
    lines = [
        f"**Multiplier** (1 mark for the conditions, 1 for the sum): $n_k / x_k = \\lambda w_k$, so $n_k = \\lambda "
        f"w_k x_k$; summed, ${' + '.join(map(str, n))} = {N}$ is $\\lambda$ times the budget, and $\\lambda = {N} / "
        f"{budget} = {_s(lam)}$.",
        "",
        "**Maximiser** (1 mark for the rule, 2 for the values): each term gets its share of the budget, $n_k / N$.",
        "",
        *(
            f"- $x_{k + 1} = {int(n[k])} \\cdot {budget} / ({N} \\cdot {int(price[k])}) = {_s(share[k])}$"
            for k in range(3)
        ),
    ]
    answer = {"multiplier": float(lam), "x": [float(f) for f in share]}
    flat = [budget / (3 * int(w)) for w in price]
    fields = [
        ask.number(
            "multiplier",
            "$\\lambda$",
            1,
            2,
            slips=[
                ask.slip(float(1 / lam), "That is one over it.", _MULTIPLIER_CARD),
                ask.slip(N, "That is right for a budget of 1 only.", _MULTIPLIER_CARD),
            ],
        ),
        ask.vector(
            "x",
            "maximiser",
            2,
            3,
            titles=["$x_1$", "$x_2$", "$x_3$"],
            follows=[f"{int(c)} / (multiplier * {int(w)})" for c, w in zip(n, price, strict=True)],
            slips=[
                ask.slip([float(f) * int(w) for f, w in zip(share, price, strict=True)], _SPENT, _MULTIPLIER_CARD),
                ask.slip(flat, "The budget is shared by the weights, not equally.", _MULTIPLIER_CARD),
            ],
        ),
    ]
    given = {"n": n.tolist(), "price": price.tolist(), "budget": budget}
    return Parts(statement, given, "\n".join(lines), answer, fields)


# --- matrix derivatives ----------------------------------------------------------------------------------------------


@drill("gradient-quadratic", marks=5, minutes=6, title="Gradient of a quadratic form")
def gradient_quadratic(rng: np.random.Generator) -> Parts:
    """Value, gradient and Hessian of a quadratic function whose matrix is not symmetric."""
    while True:
        A = rng.integers(-3, 5, size=(2, 2))
        b, x = rng.integers(-4, 5, size=2), rng.integers(-2, 4, size=2)
        if A[0, 1] != A[1, 0] and A.all() and b.all() and x.all():
            break
    value, twice = int(x @ A @ x + b @ x), A + A.T
    gradient = twice @ x + b
    statement = "\n".join(
        [
            "$f(\\mathbf{x}) = \\mathbf{x}^\\top\\mathbf{A}\\mathbf{x} + \\mathbf{b}^\\top\\mathbf{x}$ with "
            f"$\\mathbf{{A}} = {matrix(A)}$ and $\\mathbf{{b}} = {vector(b)}$.",
            "",
            f"1. Give its value at $\\mathbf{{x}}_0 = {vector(x)}$. (1 mark)",
            "2. Give the Hessian. (2 marks)",
            "3. Give the gradient at $\\mathbf{x}_0$. (2 marks)",
        ]
    )
    lines = [
        f"**Value** (1 mark): $\\mathbf{{A}}\\mathbf{{x}}_0 = {vector(A @ x)}$, so ${products(x, A @ x)} + "
        f"{products(b, x)} = {value}$.",
        "",
        f"**Hessian** (1 mark for the rule, 1 for the sum): $\\mathbf{{A}} + \\mathbf{{A}}^\\top = {matrix(twice)}$.",
        "",
        f"**Gradient** (1 mark for the product, 1 for the sum): ${matrix(twice)} {vector(x)} + {vector(b)} = "
        f"{vector(gradient)}$.",
    ]
    answer = {"value": value, "hessian": twice.tolist(), "gradient": gradient.tolist()}
    rows = [f"hessian[{i},0] * ({x[0]}) + hessian[{i},1] * ({x[1]}) + ({b[i]})" for i in (0, 1)]
    fields = [
        ask.number("value", "$f(\\mathbf{x}_0)$", 1, whole=True),
        ask.matrix(
            "hessian",
            "Hessian",
            2,
            2,
            rows=_BOTH,
            columns=_BOTH,
            whole=True,
            slips=[
                ask.slip((2 * A).tolist(), "Twice $A$ is right for a symmetric matrix only.", _GRADIENT_CARD),
                ask.slip(A.tolist(), "The transpose is to be added.", _GRADIENT_CARD),
            ],
        ),
        ask.vector(
            "gradient",
            "gradient at $\\mathbf{x}_0$",
            3,
            2,
            titles=_BOTH,
            whole=True,
            follows=rows,
            slips=[
                ask.slip((2 * A @ x + b).tolist(), "That took twice $A$ for $A + A^T$.", _GRADIENT_CARD),
                ask.slip((twice @ x).tolist(), "The linear term has the gradient $b$.", _GRADIENT_CARD),
            ],
        ),
    ]
    return Parts(statement, {"A": A.tolist(), "b": b.tolist(), "x": x.tolist()}, "\n".join(lines), answer, fields)


@drill("gradient-squares", marks=6, minutes=8, title="Gradient of a sum of squares")
def gradient_squares(rng: np.random.Generator) -> Parts:
    """Residuals, gradient and Hessian of the squared length of Xw - y."""
    while True:
        X, w = rng.integers(-2, 4, size=(3, 2)), rng.integers(-2, 3, size=2)
        y = rng.integers(-4, 6, size=3)
        r = X @ w - y
        gram = X.T @ X
        if w.all() and r.any() and (X.T @ r).all() and gram[0, 1] and gram[0, 0] * gram[1, 1] > gram[0, 1] ** 2:
            break
    gradient = 2 * X.T @ r
    statement = "\n".join(
        [
            "$f(\\mathbf{w}) = \\lVert\\mathbf{X}\\mathbf{w} - \\mathbf{y}\\rVert^2$ with "
            f"$\\mathbf{{X}} = {matrix(X)}$ and $\\mathbf{{y}} = {vector(y)}$.",
            "",
            f"1. Give the residuals $\\mathbf{{r}} = \\mathbf{{X}}\\mathbf{{w}} - \\mathbf{{y}}$ at $\\mathbf{{w}} = "
            f"{vector(w)}$. (2 marks)",
            "2. Give the gradient there. (2 marks)",
            "3. Give the Hessian. (2 marks)",
        ]
    )
    lines = [
        f"**Residuals** (1 mark for the product, 1 for the difference): $\\mathbf{{r}} = {vector(X @ w)} - {vector(y)} "
        f"= {vector(r)}$.",
        "",
        f"**Gradient** (1 mark for the rule, 1 for the values): $2\\,\\mathbf{{X}}^\\top\\mathbf{{r}} = 2 "
        f"{matrix(X.T)} {vector(r)} = {vector(gradient)}$.",
        "",
        f"**Hessian** (1 mark for the rule, 1 for the values): $2\\,\\mathbf{{X}}^\\top\\mathbf{{X}} = 2 "
        f"{matrix(gram)} = {matrix(2 * gram)}$.",
    ]
    answer = {"residuals": r.tolist(), "gradient": gradient.tolist(), "hessian": (2 * gram).tolist()}
    sums = [f"2 * ({_weighted(X[:, j], 'residuals')})" for j in (0, 1)]
    fields = [
        ask.vector(
            "residuals",
            "residuals",
            1,
            2,
            titles=["1", "2", "3"],
            whole=True,
            slips=[ask.slip((-r).tolist(), "That is $y - Xw$; the sign is asked the other way round.", _GRADIENT_CARD)],
        ),
        ask.vector(
            "gradient",
            "gradient",
            2,
            2,
            titles=_BOTH,
            whole=True,
            follows=sums,
            slips=[
                ask.slip((gradient / 2).tolist(), "The factor 2 of the square is missing.", _GRADIENT_CARD),
                ask.slip((-gradient).tolist(), "The inner derivative of $Xw - y$ is $+X$.", _GRADIENT_CARD),
            ],
        ),
        ask.matrix(
            "hessian",
            "Hessian",
            3,
            2,
            rows=_BOTH,
            columns=_BOTH,
            whole=True,
            slips=[ask.slip(gram.tolist(), "The factor 2 of the square is missing.", _GRADIENT_CARD)],
        ),
    ]
    return Parts(statement, {"X": X.tolist(), "y": y.tolist(), "w": w.tolist()}, "\n".join(lines), answer, fields)


@drill("gradient-matrix", marks=5, minutes=7, title="Gradient with respect to a matrix")
def gradient_matrix(rng: np.random.Generator) -> Parts:
    """Value and gradient of a bilinear form with a squared penalty, as a function of the matrix."""
    while True:
        W, a, b = rng.integers(-3, 4, size=(2, 2)), rng.integers(-3, 4, size=2), rng.integers(-3, 4, size=2)
        outer = np.outer(a, b)
        if a.all() and b.all() and W.any(axis=1).all() and outer[0, 1] != outer[1, 0] and W[0, 1] != W[1, 0]:
            break
    form, square = int(a @ W @ b), int((W**2).sum())
    gradient = outer + 2 * W
    statement = "\n".join(
        [
            "$f(\\mathbf{W}) = \\mathbf{a}^\\top\\mathbf{W}\\mathbf{b} + \\mathrm{tr}(\\mathbf{W}^\\top\\mathbf{W})$ "
            f"with $\\mathbf{{a}} = {vector(a)}$, $\\mathbf{{b}} = {vector(b)}$, at $\\mathbf{{W}} = {matrix(W)}$.",
            "",
            "1. Give both terms of $f$. (2 marks)",
            "2. Give the gradient, a matrix of the shape of $\\mathbf{W}$. (3 marks)",
        ]
    )
    squares = " + ".join(f"{bracket(v)}^2" for v in W.ravel())
    lines = [
        f"**Terms** (1 mark for the form, 1 for the trace): $\\mathbf{{W}}\\mathbf{{b}} = {vector(W @ b)}$, so "
        f"${products(a, W @ b)} = {form}$; the trace is the sum of all squares, ${squares} = {square}$.",
        "",
        f"**Gradient** (1 mark for the first rule, 1 for the second, 1 for the sum): $\\mathbf{{a}}\\mathbf{{b}}^\\top "
        f"+ 2\\,\\mathbf{{W}} = {matrix(outer)} + {matrix(2 * W)} = {matrix(gradient)}$.",
    ]
    answer = {"form": form, "square": square, "gradient": gradient.tolist()}
    fields = [
        ask.number("form", "$\\mathbf{a}^\\top\\mathbf{W}\\mathbf{b}$", 1, whole=True),
        ask.number(
            "square",
            "the trace",
            1,
            whole=True,
            slips=[ask.slip(int(np.trace(W @ W)), "That is the trace of $W W$ without the transpose.", _GRADIENT_CARD)],
        ),
        ask.matrix(
            "gradient",
            "gradient",
            2,
            3,
            rows=_BOTH,
            columns=_BOTH,
            whole=True,
            slips=[
                ask.slip((outer.T + 2 * W).tolist(), "The first term has $a b^T$, not $b a^T$.", _GRADIENT_CARD),
                ask.slip((outer + W).tolist(), "The square brings a factor 2.", _GRADIENT_CARD),
            ],
        ),
    ]
    return Parts(statement, {"a": a.tolist(), "b": b.tolist(), "W": W.tolist()}, "\n".join(lines), answer, fields)


# --- what several of them print --------------------------------------------------------------------------------------

_DIAGONAL = "The diagonal holds the eigenvalues of a triangular matrix only."
_A_ROW = "That is parallel to a row of $A - \\lambda I$; the eigenvector is orthogonal to the rows."
_OTHER = "That is the eigenvalue of the other vector."
_SPENT = "That is what is spent on each; divide by its price."


def _s(value: Fraction) -> str:
    """A fraction as a whole number, a short decimal or a quotient."""
    return short(float(value))


def _tall(value: Fraction) -> str:
    """A fraction as numerator over denominator."""
    return f"\\tfrac{{{value.numerator}}}{{{value.denominator}}}"


def _log_sum(value: Fraction) -> str:
    """Logarithm of a fraction to base 2 as a sum of those of 3 and 5 and a whole number."""
    terms, rest = [], value
    for prime, log in _LOGS.items():
        times = 0
        while rest.numerator % prime == 0 or rest.denominator % prime == 0:
            up = rest.numerator % prime == 0
            rest, times = (rest / prime, times + 1) if up else (rest * prime, times - 1)
        if times:
            size = f"{abs(times)} \\cdot {log:.4f}" if abs(times) > 1 else f"{log:.4f}"
            terms.append(("-" if times < 0 else "+", size))
    whole = round(math.log2(rest))
    if whole or not terms:
        terms.append(("-" if whole < 0 else "+", str(abs(whole))))
    first = ("-" if terms[0][0] == "-" else "") + terms[0][1]
    return " ".join([first, *(f"{sign} {size}" for sign, size in terms[1:])])


def _each_log(counts: Iterable[int]) -> str:
    """The logarithms of the counts that are neither a power of 2 nor given."""
    known = {1, 2, 3, 4, 5, 8, 16}
    found = [f"${_chain(c)}$" for c in sorted({*counts} - known)]
    return "".join(f", {text}" for text in found)


def _weighted(weights: Iterable[float], name: str) -> str:
    """Sum of the entries of a field with weights, as an expression."""
    return " + ".join(f"({int(w)}) * {name}[{k}]" for k, w in enumerate(weights))


def _moved(value: int) -> str:
    """What stands behind x in x - value."""
    return f" {'-' if value > 0 else '+'} {abs(value)}"


def _factor(value: int) -> str:
    """A factor in front of a bracket; 1 is left out."""
    return "" if value == 1 else str(value)


def _times(value: Fraction) -> str:
    """A factor in front of a bracket; 1 is left out."""
    return "" if value == 1 else _s(value)


def _over(above: int, below: int) -> str:
    """A quotient of two whole numbers, in lowest terms."""
    return _s(Fraction(above, below))


def _multiple(above: int, below: int) -> str:
    """A quotient of two whole numbers times the multiplier."""
    return polynomial([(Fraction(above, below), "\\lambda")], short)


def _log(value: int) -> str:
    """Logarithm of a whole number to base 2: whole, or with four decimals."""
    log = math.log2(value)
    return f"{log:.4f}" if log % 1 else f"{log:.0f}"


def _chain(value: int) -> str:
    """How the logarithm of a whole number is found."""
    steps = [_log_sum(Fraction(value)), _log(value)]
    return " = ".join([f"\\log_2 {value}", *dict.fromkeys(steps)])
