"""Drills on principal components: an axis by hand, shares of variance, the Karhunen-Loeve expansion of two classes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, matrix, products, row, short, vector
from notes_lib.reduction.pca import components_for_share, karhunen_loeve, mean_and_covariance, principal_axes

DIRECTIONS = [(1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2)]
AXES = ["1", "2"]


@drill("pca-by-hand", marks=12, minutes=16, title="Principal components by hand")
def pca_by_hand(rng: np.random.Generator) -> Parts:
    """Covariance, eigenvalues, first axis, share, score and reconstruction of a new point, mean squared distance."""
    while True:
        u = np.array(DIRECTIONS[int(rng.integers(0, len(DIRECTIONS)))])
        v = np.array([-u[1], u[0]])
        a, b, c = int(rng.integers(1, 4)), int(rng.integers(1, 3)), int(rng.integers(0, 4))
        away = [a * u + b * v, a * u - b * v, b * v - a * u, -a * u - b * v, *([c * u, -c * u] if c else [])]
        N, length = len(away), int(u @ u)
        first, second = Fraction(4 * a * a + 2 * c * c, N) * length, Fraction(4 * b * b, N) * length
        m = rng.integers(1, 6, size=2)
        q = m + rng.integers(-4, 5, size=2)
        along = Fraction(int((q - m) @ u), length)
        if first > second and np.abs(away).max() <= 6 and 1 <= abs(along) <= 3 and ((q - m) @ v) != 0:
            break
    X = rng.permutation(np.array(away) + m).astype(float)
    mean, S = mean_and_covariance(X, ddof=0)
    values = principal_axes(S).eigenvalues
    score, rebuilt = float((q - m) @ u / np.sqrt(length)), m + float(along) * u
    apart = float(((q - rebuilt) ** 2).sum())
    statement = "\n\n".join(
        [
            f"A sample has the points {_points(X)}. Divide sums by $N={N}$.",
            "1. Give the mean and the covariance matrix (3 marks).",
            "2. Give the eigenvalues, the larger one first (2 marks).",
            "3. Give the direction of the first principal component, in any length (2 marks).",
            "4. Which share of the variance does it explain? (1 mark)",
            f"5. The first axis points to the side where its first coordinate is positive. Give the score of the new "
            f"point ${row(q)}$, the point that is rebuilt from it, and the squared distance of the two points "
            "(3 marks).",
            "6. Give the mean squared distance of the sample from its reconstruction with one component (1 mark).",
            table([[f"${row(x)}$", "", "", "", ""] for x in X], _HEADER).markdown,
        ]
    )
    answer: dict[str, Any] = {
        "mean": mean.round(9).tolist(), "covariance": S.round(9).tolist(), "eigenvalues": values.round(9).tolist(),
        "direction": u.tolist(), "share": float(first / (first + second)), "score": round(score, 9),
        "rebuilt": rebuilt.tolist(), "apart": round(apart, 9), "error": float(second),
    }  # fmt: skip
    fields = [
        ask.vector("mean", "mean", 1, titles=AXES),
        ask.matrix(
            "covariance",
            "covariance matrix",
            1,
            2,
            rows=AXES,
            columns=AXES,
            follows=[
                [
                    "(" + " + ".join(f"({x[i]} - mean[{i}])*({x[j]} - mean[{j}])" for x in X) + f") / {N}"
                    for j in range(2)
                ]
                for i in range(2)
            ],
            slips=[
                ask.slip(S * N / (N - 1), "That divides by $N - 1$; here the sums are divided by $N$.", card=_DIVISOR),
                ask.slip(
                    X.T @ X / N,
                    "The mean is not subtracted; a covariance is of deviations.",
                    card="pca-lost-marks-centre",
                ),
            ],
        ),
        ask.vector(
            "eigenvalues",
            "eigenvalues, the larger first",
            2,
            2,
            titles=["first", "second"],
            follows=_eigenvalues_of("covariance"),
            slips=[
                ask.slip(
                    np.sqrt(values),
                    "These are the standard deviations along the axes; the eigenvalues are variances.",
                    card=_DIVISOR,
                )
            ],
        ),
        ask.vector(
            "direction",
            "direction of the first axis",
            3,
            2,
            titles=AXES,
            up_to="scale",
            follows=["covariance[0,1]", "eigenvalues[0] - covariance[0,0]"],
            slips=[ask.slip(v, "That belongs to the smaller eigenvalue.", card="pca-lost-marks-largest")],
        ),
        ask.number(
            "share",
            "share of the variance",
            4,
            percent=True,
            follows="eigenvalues[0] / (eigenvalues[0] + eigenvalues[1])",
            slips=[
                ask.slip(
                    float(second / (first + second)),
                    "That is the share of the second axis.",
                    card="pca-lost-marks-largest",
                )
            ],
        ),
        ask.number(
            "score",
            "score",
            5,
            follows=f"(({q[0]} - mean[0])*direction[0] + ({q[1]} - mean[1])*direction[1])*{_UNIT}",
            slips=[
                ask.slip(int((q - m) @ u), "The direction is not brought to length 1.", card="pca-lost-marks-size"),
                ask.slip(float(q @ u / np.sqrt(length)), "The mean is not subtracted.", card="pca-lost-marks-centre"),
            ],
        ),
        ask.vector(
            "rebuilt",
            "rebuilt point",
            5,
            titles=AXES,
            follows=[f"mean[{j}] + score*direction[{j}]*{_UNIT}" for j in range(2)],
            slips=[ask.slip(rebuilt - m, "The mean is missing: it is added again.", card="pca-lost-marks-centre")],
        ),
        ask.number(
            "apart",
            "squared distance",
            5,
            **ask.DERIVED,
            follows=" + ".join(f"({q[j]} - rebuilt[{j}])^2" for j in range(2)),
        ),
        ask.number(
            "error",
            "mean squared distance",
            6,
            follows="eigenvalues[1]",
            slips=[ask.slip(float(first), "That is the variance that is kept.", card="pca-lost-marks-largest")],
        ),
    ]
    entries = [[Fraction(round(float(s) * N), N) for s in line] for line in S]
    (s, t), (_, w) = entries
    trace, det = s + w, s * w - t * t
    lines = [
        f"**Mean:** ${row(m)}$. **Deviations** and their products:",
        table([[f"${row(x)}$", f"${row(x - m)}$", *(p * r for p, r in _pairs(x - m))] for x in X], _HEADER).markdown,
        f"The sums of the last three columns, divided by ${N}$, are the entries of $\\mathbf{{S}}="
        f"{matrix(entries, fraction)}$.",
        f"**Eigenvalues:** the trace is ${fraction(trace)}$ and the determinant ${fraction(s)} \\cdot {fraction(w)} - "
        f"({fraction(t)})^2={fraction(det)}$. Two numbers with this sum and product are "
        f"$\\lambda_1={fraction(first)}$ and $\\lambda_2={fraction(second)}$.",
        f"**Direction:** $\\mathbf{{S}}{vector(u)}={matrix(entries, fraction)}{matrix([[k] for k in u])}="
        f"{fraction(first)}{matrix([[k] for k in u])}$, so ${row(u)}$ belongs to $\\lambda_1$.",
        f"**Share:** ${fraction(first)} / ({fraction(first)} + {fraction(second)})={fraction(first / trace)}"
        f"{_equal(first / trace)}{sig(answer['share'])}$.",
        f"**New point:** its deviation ${row(q - m)}$ has the inner product "
        f"${products(q - m, u)}={(q - m) @ u}$ with ${row(u)}$, whose squared length is ${length}$. The score is "
        f"${(q - m) @ u} / \\sqrt{{{length}}}\\approx{sig(score)}$. Rebuilt: the mean and "
        f"${fraction(along)}$ times ${row(u)}$, so ${row(rebuilt, short)}$. The squared distance is "
        f"{_square(q, rebuilt)}.",
        f"**Error:** the second eigenvalue, ${fraction(second)}{_equal(second)}{sig(float(second))}$, is what is lost.",
        "Marks: 1 for the mean, 2 for the covariance, 2 for the eigenvalues, 2 for the direction, 1 for the share, 1 "
        "for the score, 1 for the rebuilt point, 1 for the distance, 1 for the error.",
    ]
    given = {"points": X.tolist(), "new": q.tolist()}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_DIVISOR = "pca-convention-divisor"
_UNIT = "(2*(direction[0] > 0) - 1)/sqrt(direction[0]^2 + direction[1]^2)"  # to length 1, and to the right


def _eigenvalues_of(name: str) -> list[str]:
    """Both eigenvalues of a symmetric matrix of two rows, as expressions."""
    root = f"sqrt(({name}[0,0] - {name}[1,1])^2 + 4*{name}[0,1]*{name}[1,0])"
    return [f"({name}[0,0] + {name}[1,1] {sign} {root})/2" for sign in "+-"]


_HEADER = ["$\\mathbf{x}$", "deviation $(d_1, d_2)$", "$d_1^2$", "$d_1 d_2$", "$d_2^2$"]


def _pairs(d: Any) -> list[tuple[float, float]]:
    return [(d[0], d[0]), (d[0], d[1]), (d[1], d[1])]


def _points(P: Any) -> str:
    return ", ".join(f"${row(p)}$" for p in P)


def _square(q: Any, rebuilt: Any) -> str:
    """The squared distance of two points, worked out."""
    gap = [Fraction(float(v)).limit_denominator(100) for v in q - rebuilt]
    total = sum(v * v for v in gap)
    return f"$({fraction(gap[0])})^2 + ({fraction(gap[1])})^2={fraction(Fraction(total))}$"


_LOADINGS = "pca-convention-loadings"


@drill("explained-variance", marks=10, minutes=12, title="How many components?")
def explained_variance(rng: np.random.Generator) -> Parts:
    """A missing eigenvalue, cumulative shares, components by three rules, what is lost, the noise, a loading."""
    while True:
        D = int(rng.integers(5, 7))
        tenths = np.sort(rng.choice(np.arange(1, 10 * D - 10), D, replace=False))[::-1]
        share = int(rng.choice([70, 75, 80, 85, 90]))
        total = np.cumsum(tenths) / (10 * D)
        k = int(np.searchsorted(total, share / 100, side="right")) + 1
        away = np.abs(total - share / 100).min()
        if tenths.sum() == 10 * D and 2 <= k <= D - 2 and away > 0.004 and 10 not in tenths and tenths[0] < 35:
            break
    values = [Fraction(int(t), 10) for t in tenths]
    gone = int(rng.integers(1, D - 1))  # the one that is not given
    entry = Fraction(int(rng.integers(3, 6)), 10)
    left = sum(values[k:], Fraction(0))
    noise = left / (D - k)
    ratio = [float(v / D) for v in values]
    kaiser = sum(v > 1 for v in values)
    shown = ["?" if i == gone else short(float(v)) for i, v in enumerate(values)]
    statement = "\n\n".join(
        [
            f"{D} features were standardised (variance 1). The eigenvalues of their correlation matrix are "
            f"{', '.join(shown)}, in descending order.",
            "1. Find the missing eigenvalue (1 mark).",
            "2. Give the cumulative shares of the variance (2 marks).",
            f"3. How many components explain more than {share} % of the variance? (1 mark)",
            "4. How many does Kaiser's rule keep, which asks for more than the variance of one feature? (1 mark)",
            "5. With the number of part 3, give the mean squared distance of the standardised rows from their "
            "reconstruction, and the noise variance of probabilistic PCA (3 marks).",
            f"6. A feature has the entry {short(float(entry))} in the first component. Give its correlation with the "
            "first score, and the share of its variance that this component explains (2 marks).",
        ]
    )
    known = ["missing" if i == gone else str(float(v)) for i, v in enumerate(values)]
    correlation = float(entry) * float(np.sqrt(float(values[0])))
    answer: dict[str, Any] = {
        "missing": float(values[gone]), "cumulative": [round(float(t), 9) for t in total],
        "needed": components_for_share(ratio, share / 100), "kaiser": kaiser, "error": float(left),
        "noise": float(noise), "loading": round(correlation, 9), "explained": float(entry**2 * values[0]),
    }  # fmt: skip
    fields = [
        ask.number("missing", "missing eigenvalue", 1),
        ask.vector(
            "cumulative",
            "cumulative share",
            2,
            2,
            titles=range(1, D + 1),
            digits=3,
            follows=[f"({' + '.join(known[: i + 1])}) / {D}" for i in range(D)],
            slips=[ask.slip(ratio, "These are the shares of the single components; add them up.", card=_LOADINGS)],
        ),
        ask.number(
            "needed",
            "components",
            3,
            whole=True,
            follows="1 + " + " + ".join(f"(cumulative[{i}] <= {share / 100})" for i in range(D)),
            slips=[ask.slip(k - 1, "That many do not yet explain so much.", card="pca-lost-marks-all")],
        ),
        ask.number("kaiser", "components", 4, whole=True, follows=" + ".join(f"({v} > 1)" for v in known)),
        ask.number(
            "error",
            "mean squared distance",
            5,
            2,
            follows=" + ".join(f"{v}*(needed < {i})" for i, v in enumerate(known, 1)),
            slips=[
                ask.slip(float(sum(values[:k])), "That is the variance that is kept.", card="pca-lost-marks-largest")
            ],
        ),
        ask.number(
            "noise",
            "noise variance",
            5,
            **ask.DERIVED,
            follows=f"error / ({D} - needed)",
            slips=[
                ask.slip(
                    float(left / D),
                    "That divides by all features; the noise is the mean of what is left out.",
                    card="pca-convention-noise",
                )
            ],
        ),
        ask.number(
            "loading",
            "correlation",
            6,
            slips=[
                ask.slip(
                    float(entry * values[0]),
                    "The root is missing: the correlation is $\\sqrt{\\lambda}\\,u$.",
                    card=_LOADINGS,
                )
            ],
        ),
        ask.number(
            "explained",
            "share of its variance",
            6,
            **ask.DERIVED,
            follows="loading^2",
            slips=[
                ask.slip(float(entry**2), "The eigenvalue is missing: the share is $\\lambda u^2$.", card=_LOADINGS)
            ],
        ),
    ]
    others = " + ".join(short(float(v)) for i, v in enumerate(values) if i != gone)
    rest = " + ".join(short(float(v)) for v in values[k:])
    e, f = short(float(entry)), short(float(values[0]))
    lines = [
        f"**Missing:** the trace of a correlation matrix is the number of features, "
        f"${D} - ({others})={short(float(values[gone]))}$.",
        "**Shares:**",
        table(
            [[str(i + 1), short(float(v)), f"{t:.3f}"] for i, (v, t) in enumerate(zip(values, total, strict=True))],
            ["component", "eigenvalue", "cumulative share"],
        ).markdown,
        f"**Needed:** {k}, because {k - 1} explain only ${total[k - 2]:.3f}$. **Kaiser:** {kaiser} eigenvalues are "
        "above 1.",
        f"**Error:** the eigenvalues that are left out, ${rest}={short(float(left))}$. **Noise:** their mean, "
        f"${short(float(left))} / {D - k}{_equal(noise)}{sig(float(noise))}$.",
        f"**Feature:** the correlation is ${e} \\cdot \\sqrt{{{f}}}\\approx{sig(correlation)}$, and its square is "
        f"${e}^2 \\cdot {f}={sig(float(entry**2 * values[0]))}$.",
        "Marks: 1 for the eigenvalue, 2 for the shares, 1 for the components, 1 for Kaiser's rule, 2 for the error, 1 "
        "for the noise, 1 for the correlation, 1 for the share.",
    ]
    given = {
        "eigenvalues": [None if i == gone else float(v) for i, v in enumerate(values)], "share": share / 100,
        "entry": float(entry),
    }  # fmt: skip
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _equal(value: Fraction) -> str:
    """Whether four digits are the number itself."""
    return "=" if sig(float(value)) == sig(float(value), 12) else "\\approx"


@drill("karhunen-loeve", marks=12, minutes=16, title="Karhunen-Loève expansion of two classes")
def two_classes(rng: np.random.Generator) -> Parts:
    """Autocorrelation matrix with priors, eigenvalues, first axis, new coordinates, error, and the centred matrix."""
    while True:
        u = np.array(DIRECTIONS[int(rng.integers(0, len(DIRECTIONS)))])
        v = np.array([-u[1], u[0]])
        p = Fraction(int(rng.integers(1, 4)), 4)
        a, b, c, d = (int(k) for k in rng.integers(1, 4, size=4))
        length = int(u @ u)
        first, second = (p * a * a + (1 - p) * c * c) * length, (p * b * b + (1 - p) * d * d) * length
        drift = (p * a - (1 - p) * c) ** 2 * length
        if first > second and abs(first - drift - second) > Fraction(1, 10) and max(a, b, c, d) > 1:
            break
    A = np.array([a * u + b * v, a * u - b * v]).astype(float)
    B = np.array([-c * u + d * v, -c * u - d * v]).astype(float)
    X, y = np.vstack([A, B]), np.repeat([0, 1], 2)
    priors = [p, 1 - p]
    values = karhunen_loeve(X, y=y, priors=[float(k) for k in priors]).eigenvalues
    sums = [P.T @ P / 2 for P in (A, B)]
    R = [[_mix(priors, sums, i, j) for j in range(2)] for i in range(2)]
    mean = [p * Fraction(int(A[:, i].sum()), 2) + (1 - p) * Fraction(int(B[:, i].sum()), 2) for i in range(2)]
    largest = max(first - drift, second)
    cut = [[R[i][j] - mean[i] * mean[j] for j in range(2)] for i in range(2)]
    coordinates = [float(x @ u / np.sqrt(length)) for x in X]
    statement = "\n\n".join(
        [
            f"Class 1 has the patterns {_points(A)} and the {_prior(p)}, class 2 has "
            f"{_points(B)} and the {_prior(1 - p)}. Use the Karhunen-Loève expansion to go from two features to one.",
            "1. Give the autocorrelation matrix $\\mathbf{R}$, the mean of $\\mathbf{x}\\mathbf{x}^\\top$ over both "
            "classes (3 marks).",
            "2. Give its eigenvalues, the larger one first (2 marks).",
            "3. Give the direction of the axis that is kept, in any length (2 marks).",
            "4. The axis points to the side where its first coordinate is positive. Give the new coordinate of each "
            "pattern (2 marks).",
            "5. Give the mean squared error of what is dropped (1 mark).",
            "6. Give the expectation of the patterns, and the largest eigenvalue of the covariance matrix (2 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "R": [[float(r) for r in line] for line in R], "eigenvalues": values.round(9).tolist(),
        "direction": u.tolist(), "coordinates": [round(z, 9) for z in coordinates], "error": float(second),
        "mean": [float(k) for k in mean], "centred": float(largest),
    }  # fmt: skip
    fields = [
        ask.matrix(
            "R",
            "autocorrelation matrix",
            1,
            3,
            rows=AXES,
            columns=AXES,
            slips=[
                ask.slip(
                    [[float(v) for v in line] for line in cut],
                    "That is the covariance matrix; the autocorrelation matrix is not centred.",
                    card="pca-lost-marks-centre",
                ),
                ask.slip(
                    (sums[0] + sums[1]) / 2, "That gives both classes the same weight; use the priors.", card=_METHODS
                ),
            ],
        ),
        ask.vector(
            "eigenvalues",
            "eigenvalues, the larger first",
            2,
            2,
            titles=["first", "second"],
            follows=_eigenvalues_of("R"),
        ),
        ask.vector(
            "direction",
            "direction that is kept",
            3,
            2,
            titles=AXES,
            up_to="scale",
            follows=["R[0,1]", "eigenvalues[0] - R[0,0]"],
            slips=[ask.slip(v, "That belongs to the smaller eigenvalue.", card="pca-lost-marks-largest")],
        ),
        ask.vector(
            "coordinates",
            "new coordinates",
            4,
            2,
            titles=[_name(k) for k in range(4)],
            follows=[f"(({x[0]})*direction[0] + ({x[1]})*direction[1])*{_UNIT}" for x in X],
            slips=[ask.slip(X @ u, "The direction is not brought to length 1.", card="pca-lost-marks-size")],
        ),
        ask.number(
            "error",
            "mean squared error",
            5,
            follows="eigenvalues[1]",
            slips=[
                ask.slip(
                    float(first),
                    "That is what is kept; the smaller eigenvalue is dropped.",
                    card="pca-lost-marks-largest",
                )
            ],
        ),
        ask.vector("mean", "expectation", 6, titles=AXES),
        ask.number(
            "centred", "largest eigenvalue of the covariance matrix", 6, **ask.DERIVED, follows=_largest_centred()
        ),
    ]
    (s, t), (_, w) = R
    lines = [
        f"**Autocorrelation:** the class means of $\\mathbf{{x}}\\mathbf{{x}}^\\top$ are ${matrix(sums[0])}$ and "
        f"${matrix(sums[1])}$, so $\\mathbf{{R}}={fraction(p)}{matrix(sums[0])} + {fraction(1 - p)}{matrix(sums[1])}="
        f"{matrix(R, fraction)}$.",
        f"**Eigenvalues:** trace ${fraction(s + w)}$, determinant ${fraction(s)} \\cdot {fraction(w)} - "
        f"({fraction(t)})^2={fraction(s * w - t * t)}$: $\\lambda_1={fraction(first)}$ and "
        f"$\\lambda_2={fraction(second)}$.",
        f"**Axis:** $\\mathbf{{R}}{vector(u)}={matrix(R, fraction)}{matrix([[k] for k in u])}={fraction(first)}"
        f"{matrix([[k] for k in u])}$, so ${row(u)}$ is kept.",
        "**Coordinates:** the inner products with this direction, over its length "
        f"$\\sqrt{{{length}}}\\approx{sig(float(np.sqrt(length)))}$:",
        table(
            [
                [_name(k), f"${row(x)}$", f"${products(x, u)}$", f"${int(x @ u)}$", sig(z)]
                for k, (x, z) in enumerate(zip(X, coordinates, strict=True))
            ],
            ["pattern", "features", "inner product", "is", "coordinate"],
        ).markdown,
        f"**Error:** the eigenvalue that is dropped, ${fraction(second)}$.",
        f"**Centred:** the expectation is ${row(mean, fraction)}$, and the covariance matrix $\\mathbf{{R}}$ minus its "
        f"product with itself is ${matrix(cut, fraction)}$, with the same two directions. Along ${row(u)}$ the "
        f"variance is ${fraction(first)} - {fraction(drift)}={fraction(first - drift)}$, along ${row(v)}$ it is "
        f"${fraction(second)}$, so the largest is ${fraction(largest)}$: "
        + (
            "PCA keeps the same direction."
            if first - drift > second
            else "PCA would keep the other direction, because it does not count the mean."
        ),
        "Marks: 3 for the matrix, 2 for the eigenvalues, 2 for the axis, 2 for the coordinates, 1 for the error, 1 for "
        "the expectation, 1 for the last eigenvalue.",
    ]
    given = {"class_1": A.tolist(), "class_2": B.tolist(), "prior": float(p)}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_METHODS = "pca-do-not-confuse-methods"


def _largest_centred() -> str:
    """The larger eigenvalue of the autocorrelation matrix minus the product of the mean with itself."""
    (s, t), (_, w) = [[f"(R[{i},{j}] - mean[{i}]*mean[{j}])" for j in range(2)] for i in range(2)]
    return f"({s} + {w} + sqrt(({s} - {w})^2 + 4*{t}^2))/2"


def _mix(priors: list[Fraction], sums: list[Any], i: int, j: int) -> Fraction:
    return sum((P * Fraction(float(S[i, j])) for P, S in zip(priors, sums, strict=True)), Fraction(0))


def _prior(p: Fraction) -> str:
    return f"prior ${fraction(p)}$"


def _name(k: int) -> str:
    return f"{'first' if k % 2 == 0 else 'second'} of class {k // 2 + 1}"
