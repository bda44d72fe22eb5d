"""Drills on sufficient statistics: moments of two chunks merged, least squares from the sums of three chunks."""

from __future__ import annotations

from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, row
from notes_lib.linear.linear_regression import add_intercept
from notes_lib.scaling.sufficient_statistics import (
    RegressionSums,
    add_sums,
    map_reduce,
    merge_moments,
    moments,
    regression_sums,
    solve_sums,
)

_DIVISOR = "sufficient-statistics-lost-marks-divisor"
_VARIANCE = "The last number is a variance; the scatter is the sum of squares, not divided."


@drill("merge-moments", marks=10, minutes=12, title="Merging the moments of two chunks")
def merging(rng: np.random.Generator) -> Parts:
    """Count, mean and scatter of two chunks, both of their union, and its variance with either divisor."""
    while True:
        a, b = (rng.integers(-4, 10, size=int(rng.integers(2, 5))) for _ in range(2))
        n = len(a) + len(b)
        delta = b.mean() - a.mean()
        weight = len(a) * len(b) / n
        whole = not a.sum() % len(a) and not b.sum() % len(b)
        if whole and delta and _short(weight * delta**2) and _short((a.sum() + b.sum()) / n):
            break
    parts = [moments(chunk[:, None].astype(float)) for chunk in (a, b)]
    both = merge_moments(*parts)
    (mean_a, S_a), (mean_b, S_b), (mean, S) = (
        (float(part.mean[0]), round(float(part.scatter[0, 0]), 9)) for part in (*parts, both)
    )
    statement = "\n\n".join(
        [
            f"Worker A holds the numbers {row(a)}, worker B the numbers {row(b)}. Each sends its count $n$, its mean "
            "$m$ and its scatter $S$, the sum of the squared deviations from its own mean.",
            "1. What does each worker send? (4 marks)",
            "2. Merge the two means, from the messages alone (2 marks).",
            "3. Merge the two scatters, from the messages alone (2 marks).",
            "4. Give the variance of all numbers, with the divisor $n$ and with the divisor $n-1$ (2 marks).",
            "Fill in:",
            table([["A", "", "", ""], ["B", "", "", ""], ["both", "", "", ""]], ["", "$n$", "$m$", "$S$"]).markdown,
        ]
    )
    lines = [
        f"**Worker A:** {_message('A', a, mean_a, S_a)}",
        f"**Worker B:** {_message('B', b, mean_b, S_b)}",
        f"**Mean:** $n=n_A+n_B={n}$ and $\\delta=m_B-m_A={sig(mean_b)}-{bracket(mean_a)}={sig(delta)}$, so "
        f"$m=m_A+\\tfrac{{n_B}}{{n}}\\delta={sig(mean_a)}+\\tfrac{{{len(b)}}}{{{n}}} \\cdot {bracket(delta)}="
        f"{sig(mean)}$.",
        f"**Scatter:** $S=S_A+S_B+\\tfrac{{n_A n_B}}{{n}}\\delta^2={sig(S_a)}+{sig(S_b)}+"
        f"\\tfrac{{{len(a)} \\cdot {len(b)}}}{{{n}}} \\cdot {bracket(delta)}^2={sig(S)}$.",
        f"**Variance:** $\\tfrac{{S}}{{n}}=\\tfrac{{{sig(S)}}}{{{n}}}{_is(S / n)}$ and "
        f"$\\tfrac{{S}}{{n-1}}=\\tfrac{{{sig(S)}}}{{{n - 1}}}{_is(S / (n - 1))}$.",
        "Marks: 1 for the mean of A, 1 for its scatter, 1 for the mean of B, 1 for its scatter, 1 for the weight of "
        "the step, 1 for the merged mean, 1 for the weight between, 1 for the merged scatter, 1 for the variance with "
        "the divisor $n$, 1 for the other one.",
    ]
    answer = {
        "A": [len(a), mean_a, S_a],
        "B": [len(b), mean_b, S_b],
        "mean": round(mean, 9),
        "scatter": S,
        "biased": S / n,
        "unbiased": S / (n - 1),
    }
    titles = ["$n$", "$m$", "$S$"]
    fields = [
        ask.vector(
            "A",
            "message of A",
            1,
            2,
            titles=titles,
            slips=[
                ask.slip([len(a), mean_a, S_a / len(a)], _VARIANCE, card=_DIVISOR),
            ],
        ),
        ask.vector(
            "B",
            "message of B",
            1,
            2,
            titles=titles,
            slips=[
                ask.slip([len(b), mean_b, S_b / len(b)], _VARIANCE, card=_DIVISOR),
            ],
        ),
        ask.number(
            "mean",
            "merged mean",
            2,
            2,
            follows="(A[0]*A[1] + B[0]*B[1]) / (A[0] + B[0])",
            slips=[
                ask.slip(
                    (mean_a + mean_b) / 2,
                    "That is the mean of the means; weigh each by its count.",
                    card="sufficient-statistics-lost-marks-means",
                )
            ],
        ),
        ask.number(
            "scatter",
            "merged scatter",
            3,
            2,
            follows="A[2] + B[2] + A[0]*B[0]/(A[0] + B[0])*(B[1] - A[1])^2",
            slips=[
                ask.slip(
                    S_a + S_b,
                    "That adds both scatters; what lies between the means is missing.",
                    card="sufficient-statistics-lost-marks-scatter",
                )
            ],
        ),
        ask.number(
            "biased",
            "variance, divisor $n$",
            4,
            **ask.DERIVED,
            follows=f"scatter / {n}",
            slips=[ask.slip(S / (n - 1), "That divides by $n-1$; here the divisor is $n$.", card=_DIVISOR)],
        ),
        ask.number(
            "unbiased",
            "variance, divisor $n-1$",
            4,
            **ask.DERIVED,
            follows=f"scatter / {n - 1}",
            slips=[ask.slip(S / n, "That divides by $n$; here the divisor is $n-1$.", card=_DIVISOR)],
        ),
    ]
    return Parts(statement, {"A": a.tolist(), "B": b.tolist()}, "\n\n".join(lines), answer, fields)


def _short(value: float) -> bool:
    """Whether two decimals are enough."""
    return bool(abs(100 * value - round(100 * value)) < 1e-9)


def _is(value: float) -> str:
    """The end of a chain: equal where the digits printed are all there are."""
    return f"{'=' if _short(value) else chr(92) + 'approx'}{sig(value)}"


def _message(name: str, values: np.ndarray, mean: float, S: float) -> str:
    total = "+".join(bracket(int(v)) for v in values)
    squares = "+".join(f"{bracket(int(v - mean))}^2" for v in values)
    return (
        f"$n_{name}={len(values)}$, $m_{name}=\\tfrac{{{total}}}{{{len(values)}}}={sig(mean)}$ and "
        f"$S_{name}={squares}={sig(S)}$."
    )


@drill("map-reduce-regression", marks=12, minutes=15, title="Least squares from the sums of three workers")
def from_sums(rng: np.random.Generator) -> Parts:
    """Five sums of each of three chunks, their total, slope and intercept, and how many numbers a chunk sends."""
    while True:
        x = rng.permutation(9)[:6]
        y = rng.integers(-4, 10, size=6)
        chunks = [(add_intercept(x[i : i + 2, None].astype(float)), y[i : i + 2].astype(float)) for i in (0, 2, 4)]
        determinant = 6 * int(x @ x) - int(x.sum()) ** 2
        slope = 6 * int(x @ y) - int(x.sum()) * int(y.sum())
        if not slope or slope * 20 % determinant or abs(slope) == determinant:
            continue
        total = map_reduce(chunks, lambda i, chunk: regression_sums(*chunk), add_sums)
        w0, w1 = (round(float(w), 9) for w in solve_sums(total))
        if _short(w0):
            break
    d = int(rng.integers(3, 13))
    sent = (d + 1) * (d + 2) // 2 + d + 1
    rows = [_sums(regression_sums(*chunk)) for chunk in chunks]
    both = _sums(total)
    n, sx, sy, sxx, sxy = both
    header = ["", "$n$", "$\\sum x$", "$\\sum y$", "$\\sum x^2$", "$\\sum xy$"]
    points = [
        [f"worker {k}", *(row(p) for p in zip(x[i : i + 2], y[i : i + 2], strict=True))]
        for k, i in enumerate((0, 2, 4), 1)
    ]
    statement = "\n\n".join(
        [
            "Three workers hold two points $(x, y)$ each.",
            table(points, ["", "first point", "second point"]).markdown,
            "1. Which five sums does each worker send? (5 marks)",
            "2. What are the sums of all points? (2 marks)",
            "3. Solve the normal equations for slope and intercept of the least-squares line (4 marks).",
            f"4. With ${d}$ features and an intercept, how many different numbers does a worker send, whatever the "
            "number of its rows? (1 mark)",
            "Fill in:",
            table([[name, *[""] * 5] for name in ("worker 1", "worker 2", "worker 3", "all")], header).markdown,
        ]
    )
    lines = [
        "**Sums:** the last row is the sum of the rows above it.",
        table(
            [[name, *r] for name, r in zip(("worker 1", "worker 2", "worker 3", "all"), [*rows, both], strict=True)],
            header,
        ).markdown,
        f"**Slope:** $w_1=\\tfrac{{n\\sum xy-\\sum x\\sum y}}{{n\\sum x^2-(\\sum x)^2}}="
        f"\\tfrac{{{n} \\cdot {bracket(sxy)}-{sx} \\cdot {bracket(sy)}}}{{{n} \\cdot {sxx}-{sx}^2}}="
        f"\\tfrac{{{n * sxy - sx * sy}}}{{{n * sxx - sx**2}}}={sig(w1)}$.",
        f"**Intercept:** $w_0=\\tfrac{{\\sum y-w_1\\sum x}}{{n}}=\\tfrac{{{sy}-{bracket(w1)} \\cdot {sx}}}{{{n}}}="
        f"{sig(w0)}$.",
        f"**Message:** with the column of ones there are ${d}+1={d + 1}$ columns. Their products are a symmetric "
        f"matrix with $\\tfrac{{{d + 1} \\cdot {d + 2}}}{{2}}={(d + 1) * (d + 2) // 2}$ different entries, one of "
        f"which is $n$, and ${d + 1}$ products with $y$ join them: ${(d + 1) * (d + 2) // 2}+{d + 1}={sent}$ numbers.",
        "Marks: 5 for the sums of the workers, 1 for adding the rows, 1 for the total, 1 for the determinant, 1 "
        "for the other one, 1 for the slope, 1 for the intercept, 1 for the message.",
    ]
    given = {"x": x.tolist(), "y": y.tolist(), "features": d}
    answer = {"sums": rows, "total": both, "slope": w1, "intercept": w0, "sent": sent}
    fields = [
        ask.matrix("sums", "sums", 1, 5, rows=[f"worker {k}" for k in (1, 2, 3)], columns=header[1:], whole=True),
        ask.vector(
            "total", "all points", 2, 2, titles=header[1:], whole=True, follows=[f"sum(sums[:,{j}])" for j in range(5)]
        ),
        ask.number(
            "slope",
            "slope",
            3,
            3,
            follows="(total[0]*total[4] - total[1]*total[2]) / (total[0]*total[3] - total[1]^2)",
            slips=[
                ask.slip(
                    float(np.mean(np.diff(y)[::2] / np.diff(x)[::2])),
                    "That is the mean of the workers' slopes; add the sums and solve once.",
                    card="sufficient-statistics-lost-marks-weights",
                ),
                ask.slip(
                    sxy / sxx,
                    "That is the slope of a line through the origin; the means are missing.",
                    card="sufficient-statistics-do-not-confuse-ways",
                ),
            ],
        ),
        ask.number(
            "intercept",
            "intercept",
            3,
            1,
            **ask.DERIVED,
            follows="(total[2] - slope*total[1]) / total[0]",
            slips=[
                ask.slip(
                    sy - w1 * sx, "That is not divided by the count.", card="sufficient-statistics-do-not-confuse-ways"
                )
            ],
        ),
        ask.number(
            "sent",
            "numbers in a message",
            4,
            whole=True,
            slips=[
                ask.slip(
                    (d + 1) ** 2 + d + 1,
                    "That counts the symmetric matrix in full; half of its entries beside the diagonal are the same.",
                    card="sufficient-statistics-do-not-confuse-sufficient",
                )
            ],
        ),
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _sums(part: RegressionSums) -> list[Any]:
    """Count, sum of x, of y, of the squares of x and of the products."""
    gram, moment = part.gram, part.moment
    return [int(v) for v in (part.count, gram[0, 1], moment[0], gram[1, 1], moment[1])]
