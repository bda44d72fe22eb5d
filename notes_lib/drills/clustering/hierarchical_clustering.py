"""Drills on hierarchical clustering: merges by single and complete linkage, Lance-Williams, cophenetic distances."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from notes_lib.clustering.hierarchical_clustering import (
    cophenet,
    cut_by_height,
    cut_by_number,
    lance_williams,
    linkage,
    ward_increase,
)
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction

NAMES = "ABCDE"
_LINKAGES, _WARD = "hierarchical-clustering-do-not-confuse-linkages", "hierarchical-clustering-convention-ward"
_SQUARES, _OTHER = "hierarchical-clustering-lost-marks-squares", {"single": "complete", "complete": "single"}
UPDATE = {"single": "smaller", "complete": "larger"}


class Merge(NamedTuple):
    """One merge: the clusters before it, their distances, and what is merged at which height."""

    clusters: list[str]
    distances: np.ndarray  # (m, m)
    pair: tuple[int, int]
    height: int

    @property
    def union(self) -> str:
        """The members of the new cluster."""
        return _joined(*(self.clusters[k] for k in self.pair))


@drill("linkage-merges", marks=10, minutes=15, title="Merges by single and complete linkage")
def linkage_merges(rng: np.random.Generator) -> Parts:
    """Five objects with a table of distances: both trees, and the two clusters that each leaves."""
    while True:
        D = _table(rng, 5, 6, 19)
        traces = {method: _merges(D, method) for method in UPDATE}
        if all(_is_clear(trace) for trace in traces.values()) and _unions(traces["single"]) != _unions(
            traces["complete"]
        ):
            break
    two = {method: _two_clusters(D, method) for method in UPDATE}
    statement = "\n\n".join(
        [
            "The distances of five objects are:",
            _distance_table(list(NAMES), D),
            "1. Merge them by **single linkage**. Give for each merge the members of the new cluster and the height "
            "(4 marks).",
            "2. The same by **complete linkage** (4 marks).",
            "3. Which two clusters does each method leave before its last merge? (2 marks)",
            "Fill in, once for each method:",
            table([[str(t), "", ""] for t in range(1, 5)], ["merge", "members", "height"]).markdown,
        ]
    )
    given = {"distances": D.tolist()}
    answer: dict[str, Any] = {}
    fields = []
    for part, method in enumerate(UPDATE, start=1):
        answer[method] = {
            "unions": [list(union) for union in _unions(traces[method])],
            "heights": [merge.height for merge in traces[method]],
        }
        answer[f"two_{method}"] = [list(cluster) for cluster in two[method]]
        titles = [f"merge {t}" for t in range(1, 5)]
        fields += [
            ask.sequence(f"{method}.unions", "members of each new cluster", part, 2, options=NAMES, titles=titles,
                         kind="groups"),
            ask.vector(f"{method}.heights", "heights", part, 2, titles=titles, whole=True, slips=[
                ask.slip(
                    [merge.height for merge in traces[_OTHER[method]]],
                    f"These are the heights of {_OTHER[method]} linkage; here the {UPDATE[method]} distance counts.",
                    card=_LINKAGES,
                ),
                ask.slip(
                    [merge.height for merge in traces[method]][::-1],
                    "These go from the last merge to the first one.",
                    card="hierarchical-clustering-lost-marks-rise",
                ),
            ]),
        ]  # fmt: skip
    for method in UPDATE:
        label = f"the two clusters of {method} linkage, the one with A first"
        titles, sources = ["with A", "other"], [f"{method}.unions"]
        fields.append(
            ask.sequence(f"two_{method}", label, 3, options=NAMES, titles=titles, kind="groups", after=sources)
        )
    lines = []
    for method, trace in traces.items():
        lines.append(
            f"**{method.capitalize()} linkage.** After a merge, the distance to the new cluster is the "
            f"{UPDATE[method]} of the two distances."
        )
        for t, merge in enumerate(trace, start=1):
            if t > 1:
                lines.append(_distance_table(merge.clusters, merge.distances))
            lines.append(f"Merge {t}: the smallest distance is ${merge.height}$, so {merge.union} is made.")
    lines += [
        f"**Two clusters.** Undo the last merge: single linkage leaves {' and '.join(two['single'])}, complete linkage "
        f"leaves {' and '.join(two['complete'])}.",
        "Marks: 2 for the clusters of single linkage, 2 for their heights, 2 for the clusters of complete linkage, 2 "
        "for their heights, 2 for the two clusters before the last merges.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _table(rng: np.random.Generator, n: int, low: int, high: int) -> np.ndarray:
    """Distances that are all different whole numbers and obey the triangle inequality."""
    while True:
        D = np.zeros((n, n), dtype=int)
        D[np.triu_indices(n, 1)] = rng.choice(np.arange(low, high), size=n * (n - 1) // 2, replace=False)
        D += D.T
        if (D[:, :, None] <= D[:, None, :] + D.T[None, :, :]).all():
            return D


def _merges(D: np.ndarray, method: str) -> list[Merge]:
    """Every merge of the library, with the table of distances before it."""
    Z = linkage(D[np.triu_indices(len(D), 1)], method)
    names = list(NAMES[: len(D)])
    clusters, T, found = names.copy(), D.astype(float), []
    for a, b, height, _ in Z:
        i, j = sorted(clusters.index(names[int(c)]) for c in (a, b))
        found.append(Merge(clusters.copy(), T.astype(int), (i, j), int(height)))
        new = [
            lance_williams(method, T[i, k], T[j, k], T[i, j]) if k not in (i, j) else 0.0 for k in range(len(clusters))
        ]
        T[i], T[:, i] = new, new
        T[i, i] = 0
        T = np.delete(np.delete(T, j, axis=0), j, axis=1)
        clusters[i] = _joined(clusters[i], clusters[j])
        names.append(clusters[i])
        clusters.pop(j)
    return found


def _is_clear(trace: list[Merge]) -> bool:
    """Whether each merge has one nearest pair only."""
    return all((m.distances[np.triu_indices(len(m.clusters), 1)] == m.height).sum() == 1 for m in trace)


def _unions(trace: list[Merge]) -> list[str]:
    return [merge.union for merge in trace]


def _joined(a: str, b: str) -> str:
    return "".join(sorted(a + b))


def _two_clusters(D: np.ndarray, method: str) -> list[str]:
    labels = cut_by_number(linkage(D[np.triu_indices(len(D), 1)], method), 2)
    return ["".join(a for a, z in zip(NAMES, labels, strict=True) if z == k) for k in (0, 1)]


def _distance_table(names: list[str], D: np.ndarray) -> str:
    """The distances above the diagonal."""
    rows = [[a, *("" if j <= i else str(int(D[i, j])) for j in range(1, len(names)))] for i, a in enumerate(names)]
    return table(rows[:-1], ["", *names[1:]]).markdown


@drill("lance-williams", marks=10, minutes=13, title="The update of Lance and Williams")
def update(rng: np.random.Generator) -> Parts:
    """Three clusters by their sizes and the squared distances of their means: Ward's merge, centroid, inversion."""
    while True:
        sizes = rng.integers(1, 5, size=3)
        means = rng.integers(0, 7, size=(3, 2))
        squares = {pair: int(((means[pair[0]] - means[pair[1]]) ** 2).sum()) for pair in combinations(range(3), 2)}
        growth = {p: Fraction(int(sizes[p[0]] * sizes[p[1]]), int(sizes[list(p)].sum())) * squares[p] for p in squares}
        first = min(growth, key=lambda p: growth[p])
        if len(set(growth.values())) == 3 and len(set(squares.values())) == 3 and min(squares.values()) > 0:
            k = 3 - sum(first)
            i, j = first
            of = lambda table_, a, b: table_[min(a, b), max(a, b)]
            n_i, n_j, n_k = (int(sizes[c]) for c in (i, j, k))
            both, everyone = n_i + n_j, n_i + n_j + n_k
            D_ik, D_jk, D_ij = of(squares, i, k), of(squares, j, k), squares[first]
            centre = Fraction(n_i * D_ik + n_j * D_jk, both) - Fraction(n_i * n_j * D_ij, both**2)
            last = Fraction(both * n_k, everyone) * centre
            if centre > 0 and centre.denominator <= 36 and centre != D_ij:
                break
    letters = "IJK"
    a, b = letters[i], letters[j]
    pairs = [letters[p] + letters[q] for p, q in squares]
    statement = "\n\n".join(
        [
            f"Three clusters $I$, $J$ and $K$ have ${sizes[0]}$, ${sizes[1]}$ and ${sizes[2]}$ members. The squared "
            "distances of their means are:",
            table([[p, str(v)] for p, v in zip(pairs, squares.values(), strict=True)],
                  ["pair", "squared distance"]).markdown,
            "1. By how much does the sum of squares within the clusters grow if a pair is merged? Answer for each of "
            "the three pairs (3 marks).",
            "2. Which pair does Ward's method merge, and at which height, the root of twice the increase? (2 marks)",
            "3. That pair has been merged. Give the squared distance of its mean to the third mean (2 marks), and the "
            "increase of the sum of squares by the last merge (2 marks).",
            "4. Suppose that centroid linkage has merged the same pair. Does the last merge lie below the first one? "
            "(1 mark)",
        ]
    )  # fmt: skip
    steps = [ward_increase(float(sizes[p]), float(sizes[q]), np.sqrt(squares[p, q])) for p, q in squares]
    central = lance_williams("centroid", D_ik**0.5, D_jk**0.5, D_ij**0.5, n_i, n_j, n_k) ** 2
    answer: dict[str, Any] = {
        "increases": [float(v) for v in steps],
        "pair": a + b,
        "height": float(np.sqrt(2 * ward_increase(n_i, n_j, np.sqrt(D_ij)))),
        "centre": float(central),
        "last": ward_increase(both, n_k, np.sqrt(central)),
        "inversion": "yes" if centre < D_ij else "no",
    }
    given = {"sizes": sizes.tolist(), "squares": list(squares.values())}
    fields = [
        ask.vector(
            "increases",
            "increase",
            1,
            3,
            titles=pairs,
            slips=[
                ask.slip(
                    list(squares.values()),
                    "These are the squared distances alone; the factor $n_i n_j/(n_i + n_j)$ is missing.",
                    card=_SQUARES,
                ),
                ask.slip(
                    [int(sizes[p] * sizes[q]) * squares[p, q] for p, q in squares],
                    "That is not divided by $n_i + n_j$.",
                    card=_SQUARES,
                ),
            ],
        ),
        ask.choice(
            "pair",
            "pair",
            2,
            options=pairs,
            follows="argmin(increases)",
            slips=[
                ask.slip(
                    pairs[int(np.argmax(steps))],
                    "That pair has the largest increase; Ward merges the smallest one.",
                    card="hierarchical-clustering-lost-marks-farthest",
                )
            ],
        ),
        ask.number(
            "height",
            "height",
            2,
            digits=3,
            carried=1,
            follows="sqrt(2*min(increases))",
            slips=[
                ask.slip(
                    float(growth[first]), "That is the increase; here the height is the root of twice that.", card=_WARD
                ),
                ask.slip(float(growth[first]) ** 0.5, "The 2 below the root is missing.", card=_WARD),
            ],
        ),
        ask.number(
            "centre",
            "squared distance of the means",
            3,
            2,
            after=["pair"],
            slips=[
                ask.slip(
                    (n_i * D_ik + n_j * D_jk) / both,
                    "That is the weighted mean of both; the distance within the pair is subtracted.",
                    card=_LINKAGES,
                ),
                ask.slip(
                    (D_ik + D_jk) / 2 - D_ij / 4,
                    "That gives both clusters the same weight; weigh them by their sizes.",
                    card="hierarchical-clustering-lost-marks-weights",
                ),
            ],
        ),
        ask.number(
            "last", "increase by the last merge", 3, 2, digits=3, carried=1, follows=f"{both * n_k}/{everyone}*centre"
        ),
        ask.choice(
            "inversion",
            "Does the last merge lie below the first?",
            4,
            options=["yes", "no"],
            follows=f"centre >= {D_ij}",
        ),
    ]
    lines = [
        "**Increases:** $\\Delta=\\tfrac{n_in_j}{n_i+n_j}\\,\\lVert m_i-m_j\\rVert^2$ for each pair.",
        table(
            [
                [letters[p] + letters[q], _increase(int(sizes[p]), int(sizes[q]), squares[p, q], growth[p, q])]
                for p, q in squares
            ],
            ["pair", "increase"],
        ).markdown,
        f"**Ward** merges the pair with the smallest increase, {a}{b}, at the height "
        f"$\\sqrt{{2\\cdot{fraction(growth[first])}}}\\approx{sig(answer['height'])}$.",
        f"**Mean of the union:** by the formula for centroids, with $n_{a}={n_i}$, $n_{b}={n_j}$ and together "
        f"${n_i}+{n_j}={both}$, the squared distance is",
        f"$$\\tfrac{{{n_i}}}{{{both}}}\\cdot{D_ik}+\\tfrac{{{n_j}}}{{{both}}}\\cdot{D_jk}"
        f"-\\tfrac{{{n_i}\\cdot{n_j}}}{{{both}^2}}\\cdot{D_ij}={fraction(centre)}\\approx{sig(float(centre))}$$",
        f"**Last increase:** $\\tfrac{{{both}\\cdot{n_k}}}{{{everyone}}}\\cdot{fraction(centre)}={fraction(last)}"
        f"\\approx{sig(float(last))}$. Ward's own formula gives the same: "
        f"$\\tfrac{{{n_i + n_k}}}{{{everyone}}}\\cdot{fraction(of(growth, i, k))}"
        f"+\\tfrac{{{n_j + n_k}}}{{{everyone}}}\\cdot{fraction(of(growth, j, k))}"
        f"-\\tfrac{{{n_k}}}{{{everyone}}}\\cdot{fraction(growth[first])}={fraction(last)}$.",
        f"**Inversion:** {answer['inversion']}, since ${fraction(centre)}{'<' if centre < D_ij else '>'}{D_ij}$. "
        "Ward's heights never fall.",
        "Marks: 3 for the increases, 1 for the pair, 1 for the height, 2 for the distance, 2 for the last increase, "
        "1 for the comparison.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _increase(n: int, m: int, square: int, value: Fraction) -> str:
    return f"$\\tfrac{{{n}\\cdot{m}}}{{{n}+{m}}}\\cdot{square}={fraction(value)}$"


@drill("cophenetic", marks=9, minutes=13, title="Cophenetic distances and their correlation")
def cophenetic(rng: np.random.Generator) -> Parts:
    """Four objects and their tree: cophenetic distances, their correlation with the distances, a cut."""
    names, pairs = NAMES[:4], list(combinations(range(4), 2))
    while True:
        D, method = _table(rng, 4, 2, 16), ["single", "complete"][int(rng.integers(2))]
        y = D[np.triu_indices(4, 1)]
        Z = linkage(y, method)
        C = cophenet(Z).astype(int)
        if y.sum() % 6 == 0 and C.sum() % 6 == 0 and len(set(Z[:, 2])) == 3 and _one_largest(np.abs(y - C)):
            break
    trace = _merges(D, method)
    c, _ = cophenet(Z, y)
    low, high = sorted(rng.choice(Z[:, 2].astype(int), size=2, replace=False).tolist())
    level = Fraction(low + high, 2)
    count = int(cut_by_height(Z, float(level)).max()) + 1
    labels = ["".join(names[v] for v in pair) for pair in pairs]
    worst = labels[int(np.abs(y - C).argmax())]
    merges = "; ".join(f"{m.union} at height ${m.height}$" for m in trace)
    statement = "\n\n".join(
        [
            f"The distances of four objects, and the tree of {method} linkage: {merges}.",
            _distance_table(list(names), D),
            "1. Give the cophenetic distance of each pair (3 marks).",
            "2. Compute the cophenetic correlation (4 marks).",
            f"3. Which pair does the tree distort most? How many clusters does a cut at height ${_half(level)}$ leave? "
            "(2 marks)",
            "Fill in:",
            table([[a, "", "", "", "", ""] for a in labels], _PAIR_HEADER).markdown,
        ]
    )
    dy, dc = y - y.mean(), C - C.mean()
    answer: dict[str, Any] = {
        "cophenetic": C.tolist(), "correlation": c, "worst": worst, "clusters": count,
    }  # fmt: skip
    given = {"distances": D.tolist(), "method": method, "level": float(level)}
    fields = [
        ask.vector(
            "cophenetic",
            "cophenetic distances",
            1,
            3,
            titles=labels,
            whole=True,
            slips=[
                ask.slip(
                    y,
                    "These are the given distances; take the height at which both objects first meet.",
                    card="hierarchical-clustering-lost-marks-leaves",
                )
            ],
        ),
        ask.number(
            "correlation",
            "cophenetic correlation",
            2,
            4,
            digits=3,
            carried=1,
            follows=_correlation(y),
            slips=[ask.slip(c * c, "That is the square of the correlation.", card=_LINKAGES)],
        ),
        ask.choice(
            "worst",
            "pair that is distorted most",
            3,
            options=labels,
            follows="argmax(" + ", ".join(f"abs(cophenetic[{j}] - {v})" for j, v in enumerate(y)) + ")",
        ),
        ask.number(
            "clusters",
            "clusters",
            3,
            whole=True,
            slips=[
                ask.slip(
                    4 - count,
                    "These are the merges below the cut; each one makes one cluster fewer.",
                    card="hierarchical-clustering-convention-cut",
                )
            ],
        ),
    ]
    rows = [
        [a, str(d), str(e), str(int(u)), str(int(v)), str(int(u * v))]
        for a, d, e, u, v in zip(labels, y, C, dy, dc, strict=True)
    ]
    S_dc, S_dd, S_cc = (round(float(v)) for v in (dy @ dc, dy @ dy, dc @ dc))
    lines = [
        "The cophenetic distance of two objects is the height of the merge that first unites them. With the means "
        f"$\\bar d={int(y.mean())}$ and $\\bar c={int(C.mean())}$:",
        table(rows, _PAIR_HEADER).markdown,
        f"Sums: $\\sum(d-\\bar d)(c-\\bar c)={S_dc}$, $\\sum(d-\\bar d)^2={S_dd}$, $\\sum(c-\\bar c)^2={S_cc}$, so "
        f"the correlation is $\\tfrac{{{S_dc}}}{{\\sqrt{{{S_dd}\\cdot{S_cc}}}}}\\approx{sig(c)}$.",
        f"The largest difference is that of {worst}, $|{y[labels.index(worst)]}-{C[labels.index(worst)]}|"
        f"={int(np.abs(y - C).max())}$. Of the merges ${4 - count}$ lie below ${_half(level)}$, so "
        f"$4-{4 - count}={count}$ clusters are left.",
        "Marks: 3 for the cophenetic distances, 1 for the means, 2 for the sums, 1 for the correlation, 1 "
        "for the pair, 1 for the clusters.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _correlation(y: np.ndarray) -> str:
    """The correlation with the distances by the cophenetic ones, as an expression."""
    away = [f"(cophenetic[{j}] - (sum(cophenetic))/{len(y)})" for j in range(len(y))]
    both = " + ".join(f"({v - y.mean()})*{a}" for v, a in zip(y, away, strict=True))
    return f"({both}) / sqrt({((y - y.mean()) ** 2).sum()}*({' + '.join(f'{a}^2' for a in away)}))"


_PAIR_HEADER = ["pair", "$d$", "$c$", "$d-\\bar d$", "$c-\\bar c$", "product"]


def _one_largest(values: np.ndarray) -> bool:
    return bool(values.max() > 0 and (values == values.max()).sum() == 1)


def _half(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.1f}"
