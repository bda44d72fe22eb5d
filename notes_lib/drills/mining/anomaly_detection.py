"""Drills on anomaly detection: the local outlier factor, paths in random trees, a chi-square threshold."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, matrix, row, short
from notes_lib.mining.anomaly_detection import (
    average_path_length,
    chi_square_threshold,
    isolation_score,
    local_outlier_factors,
    local_reachability_density,
    nearest_others,
    squared_mahalanobis,
)

NAMES = "abcd"
_RATIO, _ROOT = "anomaly-detection-lost-marks-ratio", "anomaly-detection-lost-marks-root"
_CN, _SIGN = "anomaly-detection-convention-cn", "anomaly-detection-convention-sign"
_SCORES, _SQUARED = "anomaly-detection-do-not-confuse-scores", "anomaly-detection-convention-squared"


@drill("lof-score", marks=14, minutes=18, title="The local outlier factor of four points")
def lof_score(rng: np.random.Generator) -> Parts:
    """k-distances, local reachability densities and factors of four points with two neighbours, in city blocks."""
    while True:
        X = np.vstack([rng.integers(0, 4, size=(3, 2)), rng.integers(3, 9, size=(1, 2))])
        D = np.abs(X[:, None] - X[None]).sum(axis=2)
        apart = np.sort(D, axis=1)
        if (apart[:, 1] == 0).any() or (apart[:, 2] == apart[:, 3]).any():
            continue
        found = nearest_others(X, 2, metric="manhattan")
        own = found.distances[:, -1]
        density = local_reachability_density(found.distances, found.indices, own)
        factors = local_outlier_factors(density, density[found.indices])
        if factors[3] > max(1.3, factors[:3].max() + 0.2) and factors.min() < 0.99:
            break
    near = np.sort(found.indices, axis=1).tolist()
    reach = [[int(max(D[i, j], own[j])) for j in near[i]] for i in range(4)]
    densities = [Fraction(2, sum(r)) for r in reach]
    lof = [(densities[i] + densities[j]) / 2 / densities[n] for n, (i, j) in enumerate(near)]
    statement = "\n\n".join(
        [
            "Four points are "
            + ", ".join(f"${n}={row(x)}$" for n, x in zip(NAMES, X.tolist(), strict=True))
            + ". Distances are city-block distances, and $k=2$.",
            "1. Give the 2-distance of each point (4 marks).",
            "2. Compute the local reachability density of each point: one over the mean reachability distance from its "
            "two neighbours (4 marks).",
            "3. Compute the local outlier factor of each point (4 marks).",
            "4. Which point is the oddest, and which points have a factor below 1? (2 marks)",
            "Fill in:",
            table(
                [[n, "", "", "", ""] for n in NAMES], ["point", "neighbours", "2-distance", "density", "factor"]
            ).markdown,
        ]
    )
    below = [n for n, f in zip(NAMES, lof, strict=True) if f < 1]
    answer = {
        "k_distances": [int(v) for v in own],
        "densities": density.tolist(),
        "factors": factors.tolist(),
        "oddest": NAMES[int(factors.argmax())],
        "below": below,
    }
    fields = [
        ask.vector(
            "k_distances",
            "2-distances",
            1,
            4,
            titles=NAMES,
            whole=True,
            slips=[
                ask.slip(
                    apart[:, 1],
                    "These are the distances of the nearest point; $k = 2$ asks for the second nearest.",
                    card="anomaly-detection-do-not-confuse-scores",
                )
            ],
        ),
        ask.vector(
            "densities",
            "densities",
            2,
            4,
            titles=NAMES,
            digits=3,
            carried=1,
            follows=[
                f"2 / (max({D[n, i]}, k_distances[{i}]) + max({D[n, j]}, k_distances[{j}]))"
                for n, (i, j) in enumerate(near)
            ],
            slips=[
                ask.slip(
                    [float(2 / D[n, pair].sum()) for n, pair in enumerate(near)],
                    "That takes plain distances; a reachability distance is at least the neighbour's 2-distance.",
                    card="anomaly-detection-do-not-confuse-scores",
                ),
                ask.slip(
                    1 / density, "These are mean reachability distances; a density is one over that.", card=_RATIO
                ),
            ],
        ),
        ask.vector(
            "factors",
            "factors",
            3,
            4,
            titles=NAMES,
            digits=3,
            carried=1,
            follows=[f"(densities[{i}] + densities[{j}]) / (2*densities[{n}])" for n, (i, j) in enumerate(near)],
            slips=[
                ask.slip(1 / factors, "That is upside down: the density of the neighbours stands above.", card=_RATIO)
            ],
        ),
        ask.choice(
            "oddest",
            "oddest point",
            4,
            options=NAMES,
            follows="argmax(factors)",
            slips=[
                ask.slip(
                    NAMES[int(factors.argmin())],
                    "That point is denser than its neighbours; odd is far above 1.",
                    card=_RATIO,
                )
            ],
        ),
        ask.sequence(
            "below",
            "points with a factor below 1",
            4,
            options=NAMES,
            kind="set",
            follows=[f"factors[{n}] < 1" for n in range(4)],
        ),
    ]
    distances = [[n, *(f"{D[i, j]}" for j in range(4))] for i, n in enumerate(NAMES)]
    lines = [
        "**Distances:**",
        table(distances, ["", *NAMES]).markdown,
        "**2-distances and densities:** the reachability distance from a neighbour is the larger one of the distance "
        "and the neighbour's 2-distance.",
        table(
            [
                [
                    NAMES[i],
                    ", ".join(NAMES[j] for j in near[i]),
                    f"{int(own[i])}",
                    ", ".join(map(str, reach[i])),
                    f"${fraction(densities[i])}\\approx{sig(float(densities[i]))}$",
                ]
                for i in range(4)
            ],
            ["point", "neighbours", "2-distance", "reachability distances", "density"],
        ).markdown,
        "**Factors:** the mean density of the two neighbours over the point's own.",
        table(
            [
                [
                    NAMES[n],
                    f"$\\tfrac12 \\cdot \\big({fraction(densities[i])}+{fraction(densities[j])}\\big)"
                    f"/\\big({fraction(densities[n])}\\big)="
                    f"{fraction(lof[n])}\\approx{sig(float(lof[n]))}$",
                ]
                for n, (i, j) in enumerate(near)
            ],
            ["point", "factor"],
        ).markdown,
        f"**Verdict:** {answer['oddest']} is the oddest. Below 1: {', '.join(below)}.",
        "Marks: 4 for the 2-distances, 4 for the densities, 4 for the factors, 1 for the oddest point, 1 for the rest.",
    ]
    return Parts(statement, {"X": X.tolist()}, "\n\n".join(lines), answer, fields)


@drill("isolation-depth", marks=9, minutes=11, title="Paths in two random trees")
def isolation_depth(rng: np.random.Generator) -> Parts:
    """C of the sample size, the paths of a row in two small trees, their mean and the score."""
    n = int(rng.choice([6, 8, 10]))
    x = rng.integers(1, 10, size=2).tolist()
    trees, paths, told = [], [], []
    for number in (1, 2):
        alone = int(rng.integers(1, 3))
        low = int(rng.integers(1, n - alone))
        first, second = (int(v) for v in rng.permutation(2))
        while True:
            cut, next_cut = (int(v) for v in rng.integers(1, 10, size=2))
            if cut != x[first] and next_cut != x[second]:
                break
        above = n - alone - low
        trees.append({"alone": alone, "low": low, "first": first, "cut": cut, "second": second, "next": next_cut})
        if x[first] < cut:
            cuts, leaf = 1, alone
        else:
            cuts, leaf = 2, low if x[second] < next_cut else above
        paths.append((cuts, leaf))
        told.append(
            f"Tree {number} cuts $x_{first + 1}<{cut}$; the side where this holds is a leaf with ${alone}$ "
            f"row{'s' * (alone > 1)}. The other side is cut by $x_{second + 1}<{next_cut}$, with ${low}$ "
            f"row{'s' * (low > 1)} where this holds and ${above}$ row{'s' * (above > 1)} where it does not."
        )
    c = {m: 2 * sum((Fraction(1, i) for i in range(2, m + 1)), Fraction(0)) for m in {n, *(leaf for _, leaf in paths)}}
    h = [cuts + c[leaf] for cuts, leaf in paths]
    mean = (h[0] + h[1]) / 2
    score = float(isolation_score(float(mean), n))
    statement = "\n\n".join(
        [
            f"An isolation forest has two trees, each grown from ${n}$ rows and stopped after two cuts. The row "
            f"$x={row(x)}$ is to be judged.",
            *told,
            f"1. Compute $c({n})$, which is $2(H_{{{n}}}-1)$ with the harmonic number (2 marks).",
            "2. Give the path length of the row in each tree, the cuts on the way and $c$ of the rows in its leaf "
            "(4 marks).",
            "3. Compute the mean path length and the score (2 marks).",
            "4. Is the row cut off sooner than an average row? (1 mark)",
        ]
    )
    answer = {
        "c": float(average_path_length(n)),
        "paths": [float(v) for v in h],
        "mean": float(mean),
        "score": score,
        "odd": "yes" if score > 0.5 else "no",
    }
    fields = [
        ask.number(
            "c",
            f"$c({n})$",
            1,
            2,
            slips=[
                ask.slip(float(c[n] + 2), "The 1 is not subtracted: $2(H_n-1)$.", card=_CN),
                ask.slip(float(c[n] / 2), "The 2 before the bracket is missing.", card=_CN),
            ],
        ),
        ask.vector(
            "paths",
            "path lengths",
            2,
            4,
            titles=["tree 1", "tree 2"],
            slips=[
                ask.slip(
                    [cuts for cuts, _ in paths],
                    "These are the cuts alone; add $c$ of the rows that are left in the leaf.",
                    card="anomaly-detection-lost-marks-leaf",
                )
            ],
        ),
        ask.number("mean", "mean path length", 3, **ask.DERIVED, follows="(paths[0] + paths[1]) / 2"),
        ask.number(
            "score",
            "score",
            3,
            **ask.DERIVED,
            follows="2^(-mean / c)",
            slips=[
                ask.slip(
                    2 ** float(mean / c[n]),
                    "The minus in the exponent is missing: long paths have low scores.",
                    card=_SIGN,
                )
            ],
        ),
        ask.choice("odd", "sooner than average", 4, options=["yes", "no"], follows="score <= 0.5"),
    ]
    harmonic = "+".join(f"\\tfrac{{1}}{{{i}}}" for i in range(2, n + 1))
    lines = [
        f"**Normaliser:** $2\\big({harmonic}\\big)={fraction(c[n])}\\approx{sig(float(c[n]))}$.",
        *(
            f"**Tree {t}:** {cuts} cut{'s' * (cuts > 1)}, then a leaf with {leaf} row{'s' * (leaf > 1)}, so "
            f"${cuts}+{fraction(c[leaf])}={fraction(v)}\\approx{sig(float(v))}$."
            for t, ((cuts, leaf), v) in enumerate(zip(paths, h, strict=True), 1)
        ),
        f"**Mean:** $\\tfrac12 \\cdot \\big({fraction(h[0])}+{fraction(h[1])}\\big)={fraction(mean)}"
        f"\\approx{sig(float(mean))}$.",
        f"**Score:** $2^{{-({fraction(mean)})/({fraction(c[n])})}}\\approx{sig(score)}$, "
        f"{'above' if score > 0.5 else 'below'} 0.5: the row is cut off "
        f"{'sooner' if score > 0.5 else 'later'} than an average row.",
        "Marks: 2 for the normaliser, 4 for the paths, 1 for the mean, 1 for the score, 1 for the verdict.",
    ]
    return Parts(statement, {"n": n, "x": x, "trees": trees}, "\n\n".join(lines), answer, fields)


@drill("mahalanobis-threshold", marks=12, minutes=14, title="A Mahalanobis distance and its threshold")
def mahalanobis_threshold(rng: np.random.Generator) -> Parts:
    """Inverse covariance, squared distances of three points, the chi-square threshold, and how many twins hide."""
    while True:
        a, b, d = int(rng.integers(1, 6)), int(rng.integers(-3, 4)), int(rng.integers(1, 6))
        determinant = a * d - b * b
        if b == 0 or determinant <= 0 or 100 % determinant:
            continue
        mean = rng.integers(-3, 6, size=2)
        steps = rng.integers(-5, 6, size=(3, 2))
        alpha = float(rng.choice([0.01, 0.05, 0.1]))
        n = int(rng.choice([40, 60, 80, 100, 200]))
        t = chi_square_threshold(alpha, 2)
        S = np.array([[a, b], [b, d]])
        X = mean + steps
        D = squared_mahalanobis(X, mean, S)
        odd = t < D
        clear = np.abs(D - t).min() > 0.1 and all(abs(D[i] - D[j]) > 0.05 for i, j in combinations(range(3), 2))
        if steps.any(axis=1).all() and 0 < odd.sum() < 3 and clear:
            break
    limit = n / (1 + t)
    least = int(np.floor(limit)) + 1
    inverse = [
        [Fraction(d, determinant), Fraction(-b, determinant)],
        [Fraction(-b, determinant), Fraction(a, determinant)],
    ]
    alarms = [name for name, o in zip("xyz", odd, strict=True) if o]
    statement = "\n\n".join(
        [
            f"Usual rows are Gaussian with the mean $\\mu={row(mean.tolist())}$ and the covariance "
            f"$\\Sigma={matrix(S.tolist())}$. At most a share of ${short(alpha)}$ of them may raise an alarm. "
            "For two columns the threshold $t$ of the squared distance is $-2\\ln\\alpha$.",
            "1. Invert the covariance (2 marks).",
            "2. Compute the squared Mahalanobis distances of "
            + ", ".join(f"${name}={row(v)}$" for name, v in zip("xyz", X.tolist(), strict=True))
            + " (6 marks).",
            "3. Compute the threshold (1 mark). Which points raise an alarm? (1 mark)",
            f"4. Now mean and covariance are estimated from ${n}$ rows, with the divisor ${n}$. From how many equal "
            "rows on can these not raise an alarm any more, however far away they lie? (2 marks)",
        ]
    )
    answer = {
        "inverse": [[float(v) for v in r] for r in inverse],
        "distances": D.tolist(),
        "threshold": t,
        "alarms": alarms,
        "twins": least,
    }
    given = {"mean": mean.tolist(), "covariance": S.tolist(), "X": X.tolist(), "alpha": alpha, "n": n}
    fields = [
        ask.matrix(
            "inverse",
            "inverse covariance",
            1,
            2,
            rows=["", " "],
            columns=["", " "],
            slips=[
                ask.slip(
                    [[d / determinant, b / determinant], [b / determinant, a / determinant]],
                    "The entries beside the diagonal change their sign in the inverse.",
                    card=_SCORES,
                )
            ],
        ),
        ask.vector(
            "distances",
            "squared distances",
            2,
            6,
            titles="xyz",
            follows=[
                f"inverse[0,0]*{u * u} + (inverse[0,1] + inverse[1,0])*{_factor(u * v)} + inverse[1,1]*{v * v}"
                for u, v in steps.tolist()
            ],
            slips=[
                ask.slip(np.sqrt(D), "These are the distances; their squares are asked for.", card=_SQUARED),
                ask.slip((steps**2).sum(axis=1), "That is the plain distance, without the covariance.", card=_SCORES),
            ],
        ),
        ask.number(
            "threshold",
            "threshold",
            3,
            slips=[
                ask.slip(t / 2, "The 2 is missing: the threshold is $-2\\ln\\alpha$.", card=_ROOT),
                ask.slip(
                    float(np.sqrt(t)),
                    "That is the root, for the distance itself; here the squared one counts.",
                    card=_ROOT,
                ),
            ],
        ),
        ask.sequence(
            "alarms", "alarms", 3, options="xyz", kind="set", follows=[f"distances[{k}] > threshold" for k in range(3)]
        ),
        ask.number(
            "twins",
            "equal rows",
            4,
            2,
            whole=True,
            after=["threshold"],
            slips=[
                ask.slip(
                    least - 1,
                    "That many still raise an alarm; one more does not.",
                    card="anomaly-detection-lost-marks-far",
                )
            ],
        ),
    ]
    forms = []
    for name, (u, v), value in zip("xyz", steps.tolist(), D, strict=True):
        mixed = f"{_signed(-2 * b)} \\cdot {_factor(u)} \\cdot {_factor(v)}"
        terms = f"{d} \\cdot {_square(u)} {mixed} + {a} \\cdot {_square(v)}"
        forms.append([f"${name}$", f"${row([u, v])}$", f"$({terms})/{determinant}={short(value)}$"])
    lines = [
        f"**Inverse:** the determinant is ${a} \\cdot {d} - {_square(b)}={determinant}$, so "
        f"$\\Sigma^{{-1}}={matrix(inverse, fraction)}$.",
        "**Squared distances:** of the differences from the mean.",
        table(forms, ["point", "difference", "squared distance"]).markdown,
        f"**Threshold:** $-2\\ln{short(alpha)}\\approx{sig(t)}$. Alarms: {', '.join(alarms)}.",
        f"**Equal rows:** $m$ of them have at most $({n}-m)/m$, which is below the threshold if "
        f"$m$ exceeds ${n}/(1+t)$, which is about ${sig(limit)}$: from ${least}$ rows on.",
        "Marks: 2 for the inverse, 6 for the distances, 1 for the threshold, 1 for the alarms, 2 for the equal rows.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _square(value: int) -> str:
    return f"({value})^2" if value < 0 else f"{value}^2"


def _factor(value: int) -> str:
    return f"({value})" if value < 0 else f"{value}"


def _signed(value: int) -> str:
    return f"- {-value}" if value < 0 else f"+ {value}"
