"""Drills on density estimation: a histogram, Parzen windows, and nearest neighbours of two classes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction


def _listed(values: np.ndarray) -> str:
    return ", ".join(f"${v}$" for v in values)


def _exact(top: int, first: int, second: int) -> str:
    """A quotient by a product as it is computed, as a fraction and as a decimal."""
    value = Fraction(top, first * second)
    return f"\\frac{{{top}}}{{{first} \\cdot {second}}}={fraction(value)}\\approx{sig(float(value))}"


@drill("histogram-density", marks=8, minutes=10, title="Histogram density and its standard error")
def histogram(rng: np.random.Generator) -> Parts:
    """Ten values, cells of one width: the density at a point for two origins, and its standard error."""
    while True:
        x = np.sort(rng.integers(1, 19, size=10))
        h, new = int(rng.choice([4, 6])), int(rng.integers(4, 15))
        origins = [0.5, 0.5 + h // 2]
        lows = [start + h * ((new - start) // h) for start in origins]
        inside = [x[(x > low) & (x < low + h)] for low in lows]
        k_1, k_2 = (len(values) for values in inside)
        if k_1 != k_2 and min(k_1, k_2) > 0 and max(k_1, k_2) < 9 and min(lows) > 0:
            break
    p = [float(Fraction(k, 10 * h)) for k in (k_1, k_2)]
    share = Fraction(k_1, 10)
    spread = share * (1 - share) / 10
    error = float(spread) ** 0.5 / h
    statement = "\n\n".join(
        [
            f"Ten values are given: {_listed(x)}. A histogram has cells of width ${h}$.",
            f"1. One cell begins at ${sig(origins[0])}$. In which cell lies ${new}$, how many values does it hold, and "
            "what is the estimated density there? (3 marks)",
            f"2. The same with a cell that begins at ${sig(origins[1])}$ (3 marks).",
            "3. The count of a cell is binomial. Estimate the standard error of the density of part 1 (2 marks).",
        ]
    )
    answer = {"count_1": k_1, "density_1": p[0], "count_2": k_2, "density_2": p[1], "error": error}
    fields = [
        ask.number("count_1", "count, first grid", 1, 2, whole=True),
        _cell_density(1, k_1, h),
        ask.number("count_2", "count, second grid", 2, 2, whole=True),
        _cell_density(2, k_2, h),
        ask.number(
            "error",
            "standard error",
            3,
            2,
            carried=1.0,
            follows=f"sqrt(count_1/10*(1 - count_1/10)/10)/{h}",
            slips=[
                ask.slip(
                    float(spread) ** 0.5,
                    "That is the standard error of the share; the density is the share over the width.",
                    card="density-estimation-lost-marks-volume",
                ),
                ask.slip(
                    float(spread) / h**2,
                    "That is the variance of the density; the standard error is its root.",
                    card="density-estimation-lost-marks-volume",
                ),
            ],
        ),
    ]
    lines = []
    for name, low, values in zip(("First", "Second"), lows, inside, strict=True):
        lines.append(
            f"**{name} grid:** the cell from ${sig(low)}$ to ${sig(low + h)}$ (1 mark) holds "
            f"{_listed(values)}, so the count is ${len(values)}$ (1 mark). The density is "
            f"${_exact(len(values), 10, h)}$ (1 mark)."
        )
    lines += [
        f"**Standard error:** the share of the cell is ${fraction(share)}$, with the variance "
        f"$\\frac{{{fraction(share)} \\cdot (1 - {fraction(share)})}}{{10}}={fraction(spread)}$ (1 mark). The "
        f"density is the share over ${h}$, so its standard error is "
        f"$\\frac{{1}}{{{h}}} \\cdot \\sqrt{{{fraction(spread)}}}"
        f"\\approx{sig(error)}$ (1 mark).",
    ]
    given = {"x": x.tolist(), "h": h, "origins": origins, "new": new}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _cell_density(grid: int, count: int, h: int) -> ask.Field:
    """The density in a cell, from its count."""
    return ask.number(
        f"density_{grid}", f"density, {('first', 'second')[grid - 1]} grid", grid,
        follows=f"count_{grid}/{10 * h}",
        slips=[
            ask.slip(
                count / 10, "That is the share of the cell; a density divides it by the width.",
                card="density-estimation-lost-marks-volume",
            ),
            ask.slip(
                count / h, "That divides the count by the width only; divide by the number of all values, too.",
                card="density-estimation-lost-marks-volume",
            ),
        ],
    )  # fmt: skip


@drill("parzen-window", marks=10, minutes=13, title="Parzen windows: box and parabola")
def parzen(rng: np.random.Generator) -> Parts:
    """Six values and a point: the density with a box, with a parabola, and with half the bandwidth."""
    while True:
        x = np.sort(rng.choice(np.arange(0, 16), size=6, replace=False))
        h, new = int(rng.choice([2, 4])), int(rng.integers(3, 13))
        gaps = np.abs(x - new)
        k, narrow = int((gaps < h).sum()), int((gaps < h // 2).sum())
        if 2 <= k <= 4 and 1 <= narrow < k and not np.isin(gaps, [h, h // 2]).any():
            break
    inside = np.flatnonzero(gaps < h)
    u = [Fraction(int(x[i]) - new, h) for i in inside]
    K = [Fraction(3, 4) * (1 - v * v) for v in u]
    total = sum(K, Fraction(0))
    smooth = total / (6 * h)
    statement = "\n\n".join(
        [
            f"Six values are given: {_listed(x)}. The density at ${new}$ is to be estimated with bandwidth ${h}$.",
            "1. The box kernel is one half where the distance, in bandwidths, is below one, and zero elsewhere. How "
            "many values count, and what is the estimate? (3 marks)",
            "2. The kernel is now $\\kappa(u)=\\tfrac{3}{4}(1-u^2)$ inside and zero outside. Compute the estimate. "
            "(5 marks)",
            f"3. What does the box give with bandwidth ${h // 2}$? (2 marks)",
        ]
    )
    answer = {
        "count": k, "box": k / (12 * h), "sum": float(total), "smooth": float(smooth), "narrow": narrow / (6 * h),
    }  # fmt: skip
    fields = [
        ask.number(
            "count",
            "how many values count",
            1,
            whole=True,
            slips=[
                ask.slip(
                    narrow,
                    "That takes the bandwidth for the whole width; the window reaches so far to each side.",
                    card="density-estimation-convention-width",
                )
            ],
        ),
        ask.number(
            "box",
            "estimate with the box",
            1,
            2,
            follows=f"count/{12 * h}",
            slips=[
                ask.slip(
                    k / (6 * h),
                    "That divides by the bandwidth; the window is twice as wide.",
                    card="density-estimation-convention-width",
                ),
                ask.slip(
                    k / 6,
                    "That is the share in the window; a density divides it by the width.",
                    card="density-estimation-lost-marks-volume",
                ),
            ],
        ),
        ask.number(
            "sum",
            "sum of the values of $\\kappa$",
            2,
            4,
            slips=[
                ask.slip(
                    sum(1 - v * v for v in u),
                    "That leaves out the factor $\\tfrac{3}{4}$, which makes the integral of the kernel 1.",
                    card="density-estimation-lost-marks-mercer",
                ),
                ask.slip(
                    0.75 * (1 - (gaps / h) ** 2).sum(),
                    "That counts the values outside with negative weights; there the kernel is zero.",
                    card="density-estimation-lost-marks-mercer",
                ),
            ],
        ),
        ask.number(
            "smooth",
            "estimate with the parabola",
            2,
            follows=f"sum/{6 * h}",
            slips=[
                ask.slip(
                    smooth / 2,
                    "That divides by the width $2h$ of the window; the kernel has the integral 1 already, so divide by "
                    "$h$.",
                    card="density-estimation-convention-width",
                ),
                ask.slip(
                    total / 6,
                    "That is the mean of the kernel; divide it by the bandwidth as well.",
                    card="density-estimation-lost-marks-volume",
                ),
            ],
        ),
        ask.number(
            "narrow",
            f"box of bandwidth {h // 2}",
            3,
            2,
            slips=[
                ask.slip(
                    narrow / (12 * h),
                    "That still divides by the old width; the window is half as wide now.",
                    card="density-estimation-convention-width",
                ),
                ask.slip(
                    k / (6 * h),
                    "That still has the old count; fewer values lie in the narrower window.",
                    card="density-estimation-convention-width",
                ),
            ],
        ),
    ]
    lines = [
        f"**Box:** nearer than ${h}$ lie {_listed(x[inside])}, a count of ${k}$ (1 mark). The window has the width "
        f"$2 \\cdot {h}={2 * h}$ (1 mark), the estimate is ${_exact(k, 6, 2 * h)}$ (1 mark).",
        "**Parabola:** the distances in bandwidths (2 marks) and the values of the kernel (1 mark) are",
    ]
    for i, v, value in zip(inside, u, K, strict=True):
        lines.append(
            f"- $u_{i + 1}=\\frac{{{x[i]} - {new}}}{{{h}}}={fraction(v)}$, "
            f"$\\kappa_{i + 1}=\\tfrac{{3}}{{4}} \\cdot (1 - {fraction(v * v)})={fraction(value)}$"
        )
    lines += [
        f"Their sum is ${' + '.join(fraction(v) for v in K)}={fraction(total)}$ (1 mark), so the estimate "
        f"is $\\frac{{1}}{{6 \\cdot {h}}} \\cdot {fraction(total)}={fraction(smooth)}\\approx{sig(float(smooth))}$ "
        "(1 mark).",
        f"**Half the bandwidth:** nearer than ${h // 2}$ the count is now ${narrow}$ (1 mark), and the width is ${h}$: "
        f"${_exact(narrow, 6, h)}$ (1 mark).",
    ]
    given = {"x": x.tolist(), "h": h, "new": new}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("knn-density", marks=10, minutes=13, title="Nearest-neighbour density and posterior")
def neighbours(rng: np.random.Generator) -> Parts:
    """Two classes on a line: density from the k-th neighbour, class densities in the same interval, posterior."""
    while True:
        x = np.sort(rng.choice(np.arange(0, 21), size=9, replace=False))
        size = int(rng.integers(3, 6))
        first = np.isin(np.arange(9), rng.choice(9, size=size, replace=False))
        k, new = int(rng.choice([3, 4, 5])), int(rng.integers(4, 17))
        gaps = np.abs(x - new)
        ranked = np.sort(gaps)
        near = gaps <= ranked[k - 1]
        counts = [int((near & first).sum()), int((near & ~first).sum())]
        if (
            ranked[0] > 0
            and len(set(ranked[:k])) == k
            and ranked[k] > ranked[k - 1]
            and min(counts) > 0
            and counts[0] != counts[1]
        ):
            break
    r, sizes = int(ranked[k - 1]), [size, 9 - size]
    density = k / (18 * r)
    within = [c / (2 * n * r) for c, n in zip(counts, sizes, strict=True)]
    posterior = [c / k for c in counts]
    statement = "\n\n".join(
        [
            f"Class 1 has the values {_listed(x[first])}, class 2 the values {_listed(x[~first])}. "
            f"The point ${new}$ is judged by its $k={k}$ nearest neighbours.",
            "1. How far is the last of these neighbours, and what is the estimated density of all values there? "
            "(3 marks)",
            "2. Count each class in this interval, and estimate the two class densities at the point (4 marks).",
            "3. Combine them with the class shares to the posterior probabilities, and decide (3 marks).",
        ]
    )
    answer = {"radius": r, "density": density, "counts": counts, "within": within, "posterior": posterior,
              "class": 1 if counts[0] > counts[1] else 2}  # fmt: skip
    titles = ["class 1", "class 2"]
    fields = [
        ask.number(
            "radius",
            "distance of the last neighbour",
            1,
            1,
            whole=True,
            slips=[
                ask.slip(
                    2 * r,
                    "That is the length of the interval; the distance is half of it.",
                    card="density-estimation-convention-width",
                )
            ],
        ),
        ask.number(
            "density",
            "density of all values",
            1,
            2,
            follows=f"{k}/(18*radius)",
            slips=[
                ask.slip(
                    k / (9 * r),
                    "That divides by the distance; the interval reaches so far to both sides.",
                    card="density-estimation-convention-width",
                ),
                ask.slip(
                    k / 9,
                    "That is the share of the neighbours; a density divides it by the length of the interval.",
                    card="density-estimation-lost-marks-volume",
                ),
            ],
        ),
        ask.vector(
            "counts",
            "neighbours of each class",
            2,
            2,
            titles=titles,
            whole=True,
            follows=[" + ".join(f"({gap} <= radius)" for gap in gaps[own]) for own in (first, ~first)],
        ),
        ask.vector(
            "within",
            "class densities",
            2,
            2,
            titles=titles,
            follows=[f"counts[{j}]/({2 * n}*radius)" for j, n in enumerate(sizes)],
            slips=[
                ask.slip(
                    [c / (18 * r) for c in counts],
                    "That divides by all values; the density of a class divides by its own.",
                    card="density-estimation-lost-marks-volume",
                ),
                ask.slip(
                    [c / n for c, n in zip(counts, sizes, strict=True)],
                    "Those are shares of each class; a density divides them by the length of the interval.",
                    card="density-estimation-lost-marks-volume",
                ),
                ask.slip(
                    [2 * p for p in within],
                    "That divides by the distance; the interval reaches so far to both sides.",
                    card="density-estimation-convention-width",
                ),
            ],
        ),
        ask.vector(
            "posterior",
            "posterior probabilities",
            3,
            2,
            titles=titles,
            follows=[f"{n}*within[{j}]/({size}*within[0] + {9 - size}*within[1])" for j, n in enumerate(sizes)],
            slips=[
                ask.slip(
                    [p / sum(within) for p in within],
                    "That leaves out the shares of the classes; multiply each density by its share first.",
                    card="density-estimation-lost-marks-features",
                ),
            ],
        ),
        ask.choice(
            "class",
            "decision",
            3,
            1,
            options=["class 1", "class 2"],
            keys=[1, 2],
            follows="posterior[1] > posterior[0]",
        ),
    ]
    order = np.argsort(gaps, kind="stable")[:k]
    lines = [
        f"**Neighbours:** {_listed(x[order])}; the last one has the distance $|{x[order[-1]]} - {new}|={r}$ (1 mark). "
        f"The interval has the length $2 \\cdot {r}={2 * r}$ (1 mark), the density is "
        f"${_exact(k, 9, 2 * r)}$ (1 mark).",
        f"**Counts:** ${counts[0]}$ of class 1 and ${counts[1]}$ of class 2 (2 marks), out of ${sizes[0]}$ and "
        f"${sizes[1]}$. The class densities are",
    ]
    for c, n in zip(counts, sizes, strict=True):
        lines.append(f"- ${_exact(c, n, 2 * r)}$ (1 mark)")
    joint = [Fraction(c, 18 * r) for c in counts]
    products = " and ".join(
        f"$\\tfrac{{{n}}}{{9}} \\cdot {fraction(Fraction(c, 2 * n * r))}={fraction(j)}$"
        for c, n, j in zip(counts, sizes, joint, strict=True)
    )
    shares = " and ".join(
        f"${fraction(j)} / ({fraction(sum(joint, Fraction(0)))})={fraction(Fraction(c, k))}\\approx{sig(c / k)}$"
        for j, c in zip(joint, counts, strict=True)
    )
    lines += [
        f"**Posterior:** share times density is {products}, with the sum ${fraction(sum(joint, Fraction(0)))}$, which "
        f"is the density of part 1 (1 mark). Divided by it they are {shares} (1 mark), the shares among the "
        f"neighbours. The decision is class ${answer['class']}$ (1 mark).",
    ]
    given = {"first": x[first].tolist(), "second": x[~first].tolist(), "k": k, "new": new}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
