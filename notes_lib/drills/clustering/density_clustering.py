"""Drills on density-based and spectral clustering: the labels of DBSCAN, and a graph with its Laplacian and cuts."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from scipy.sparse import csgraph

from notes_lib.clustering.density_clustering import (
    cluster_volumes,
    core_mask,
    cut_weights,
    degrees,
    density_labels,
    eps_neighbors,
    k_distances,
    laplacian,
    normalized_cut,
    ratio_cut,
)
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, matrix, row

NAMES = "ABCDEFGHI"
NODES = "ABCDE"
TYPES = ("core", "border", "noise")


def _groups(rng: np.random.Generator) -> tuple[np.ndarray, int, Any, np.ndarray, np.ndarray]:
    """Nine points with two clusters, border points and noise: points, least number, graph, core, labels."""
    centers = np.array([[2, 2]] * 4 + [[6, 4]] * 3 + [[4, 3], [8, 0]])
    least = int(rng.integers(3, 5))
    shared = least == 4 and bool(rng.random() < 0.6)  # with 3 neighbours nobody reaches two clusters
    while True:
        X = rng.permutation(centers + rng.integers(-1, 2, size=(9, 2)))
        near = ((X[:, None] - X) ** 2).sum(axis=2) <= 4
        core = near.sum(axis=1) >= least
        if len(np.unique(X, axis=0)) < 9 or not 3 <= core.sum() <= 6 or near[core].any(axis=0).sum() > 8:
            continue
        G = eps_neighbors(X, 2.0)
        labels = density_labels(G, core_mask(G, least))
        contested = any(len(_reaching(near[i], core, labels)) > 1 for i in np.flatnonzero(~core))
        if labels.max() == 1 and ((labels >= 0) & ~core).any() and contested == shared:
            return X, least, G, core, labels


def _reaching(near: np.ndarray, core: np.ndarray, labels: np.ndarray) -> set[int]:
    """Clusters that have a core point among these neighbours."""
    return set(labels[near & core].tolist())


@drill("dbscan-labels", marks=10, minutes=13, title="DBSCAN by hand")
def dbscan_labels(rng: np.random.Generator) -> Parts:
    """Nine points in the plane: neighbours, core, border and noise, clusters, and a radius for a core point."""
    X, least, G, core, labels = _groups(rng)
    counts = np.diff(G.indptr)
    near = [sorted(G.indices[G.indptr[i] : G.indptr[i + 1]].tolist()) for i in range(9)]
    types = ["core" if c else "border" if z >= 0 else "noise" for c, z in zip(core, labels, strict=True)]
    asked = int(rng.choice(np.flatnonzero(~core)))
    squares = ((X - X[asked]) ** 2).sum(axis=1)
    radius = round(float(k_distances(X, least)[asked] ** 2))
    point = lambda i: f"${NAMES[i]}={row(X[i], show=str)}$"
    statement = "\n\n".join(
        [
            f"DBSCAN runs on the points {', '.join(map(point, range(9)))} with the Euclidean distance, radius "
            f"$\\varepsilon=2$, and at least {least} neighbours for a core point. A point is its own neighbour, and so "
            "is a point at distance 2.",
            "1. How many neighbours has each point? (3 marks)",
            "2. Which points are core points, border points, noise? (3 marks)",
            "3. Give the cluster of each point. The points are visited in alphabetical order, the first cluster is 0, "
            "and noise is $-1$. (2 marks)",
            f"4. For which $\\varepsilon^2$ does {NAMES[asked]} become a core point, at the smallest? (2 marks)",
            "Fill in:",
            table([[a, "", "", "", ""] for a in NAMES], HEADER).markdown,
        ]
    )
    given = {"points": X.tolist(), "least": least, "asked": asked}
    answer: dict[str, Any] = {
        "counts": counts.tolist(), "types": types, "labels": labels.tolist(), "radius": radius,
    }  # fmt: skip
    fields = [
        ask.vector(
            "counts",
            "neighbours of each point",
            1,
            3,
            titles=NAMES,
            whole=True,
            slips=[ask.slip(counts - 1, "The point itself is missing: it counts as its own neighbour.", card=_ITSELF)],
        ),
        ask.sequence(
            "types",
            "kind of each point",
            2,
            3,
            options=TYPES,
            titles=NAMES,
            follows=[_kind(i, near[i], least) for i in range(9)],
            slips=[
                ask.slip(
                    ["noise" if kind == "border" else kind for kind in types],
                    "A point that has a core point among its neighbours is a border point and no noise.",
                    card="density-clustering-lost-marks-border",
                )
            ],
        ),
        ask.vector(
            "labels",
            "cluster of each point",
            3,
            2,
            titles=NAMES,
            whole=True,
            after=["types"],
            slips=[
                ask.slip(
                    np.where(labels >= 0, labels + 1, -1),
                    "That counts the clusters from 1; here the first is 0.",
                    card="density-clustering-do-not-confuse-methods",
                )
            ],
        ),
        ask.number(
            "radius",
            f"smallest $\\varepsilon^2$ for {NAMES[asked]}",
            4,
            2,
            whole=True,
            slips=[
                ask.slip(
                    int(np.sort(squares)[least]),
                    "That does not count the point itself, which is at distance 0.",
                    card=_ITSELF,
                )
            ],
        ),
    ]
    rows = [[point(i), " ".join(NAMES[j] for j in near[i]), str(counts[i]), types[i], str(labels[i])] for i in range(9)]
    lines = [
        "Two points are neighbours if the sum of their squared differences is at most $2^2=4$.",
        table(rows, HEADER).markdown,
    ]
    for c in (0, 1):
        first = int(np.flatnonzero(core & (labels == c))[0])
        cores = ", ".join(NAMES[i] for i in np.flatnonzero(core & (labels == c)))
        added = ", ".join(NAMES[i] for i in np.flatnonzero(~core & (labels == c)))
        lines.append(
            f"**Cluster {c}** starts at the core point {NAMES[first]} and grows through the core points {cores}. "
            + (f"Their neighbours {added} join as border points." if added else "No border point joins.")
        )
    linked = G.toarray()
    contested = [NAMES[i] for i in np.flatnonzero(~core) if len(_reaching(linked[i], core, labels)) > 1]
    if contested:
        lines.append(
            f"Both clusters reach {', '.join(contested)}; the first one keeps what it has. In another order it may be "
            "the other one."
        )
    lines += [
        "Noise are the points without a core point among their neighbours: "
        f"{', '.join(NAMES[i] for i in np.flatnonzero(labels < 0))}.",
        f"**Radius:** in rising order the squared distances from {NAMES[asked]} are "
        f"{', '.join(str(v) for v in np.sort(squares)[: least + 1])} and so on. The one in place {least} is "
        f"$\\varepsilon^2={radius}$.",
        "Marks: 3 for the numbers, 3 for the kinds, 2 for the clusters, 2 for the radius.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_ITSELF, _HALF = "density-clustering-lost-marks-itself", "density-clustering-convention-half"


def _kind(i: int, near: list[int], least: int) -> str:
    """The kind of a point by the numbers of neighbours, as an expression: 0 for core, 1 for border, 2 for noise."""
    cores = " + ".join(f"(counts[{j}] >= {least})" for j in near if j != i) or "0"
    return f"(counts[{i}] < {least})*(2 - ({cores} > 0))"


HEADER = ["point", "neighbours", "number", "kind", "cluster"]


def _weights(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights of a connected graph on five nodes, and two splits of it with different normalised cuts."""
    while True:
        W = np.triu(rng.integers(1, 6, size=(5, 5)) * (rng.random((5, 5)) < 0.6), 1)
        W = (W + W.T).astype(float)
        size = int(rng.integers(2, 4))
        first, second = np.arange(5) >= size, np.arange(5) >= size + (1 if size == 2 else -1)
        edges = int((W > 0).sum()) // 2
        if csgraph.connected_components(W)[0] > 1 or not 5 <= edges <= 7:
            continue
        a, b = (normalized_cut(W, s) for s in (first, second))
        if abs(a - b) > 0.02 and (W[~first][:, first] > 0).sum() >= 2:
            return W, first, second


@drill("graph-laplacian", marks=11, minutes=15, title="A graph, its Laplacian and its cuts")
def graph_laplacian(rng: np.random.Generator) -> Parts:
    """Five nodes: degrees, Laplacian, the quadratic form, ratio and normalised cut of two splits, and components."""
    W, first, second = _weights(rng)
    f = rng.integers(-2, 4, size=5)
    while len(set(f.tolist())) < 3:
        f = rng.integers(-2, 4, size=5)
    d, L = degrees(W), laplacian(W)
    edges = [(a, b, int(W[a, b])) for a, b in combinations(range(5), 2) if W[a, b]]
    cut = int(cut_weights(W, first)[0])
    apart = W * np.equal.outer(first, first)
    pieces = int(csgraph.connected_components(apart)[0])
    better = "first" if normalized_cut(W, first) < normalized_cut(W, second) else "second"
    statement = "\n\n".join(
        [
            "A graph has the nodes A, B, C, D and E and the edges of this table.",
            table([[f"{NODES[a]} and {NODES[b]}", str(w)] for a, b, w in edges], ["edge", "weight"]).markdown,
            "1. Give the degrees, the Laplacian, and from it the row of the node C. (3 marks)",
            f"2. Give the value of the quadratic form $f^\\top L f$ at ${_vector(f)}$. (2 marks)",
            f"3. Split the graph into {_split(first)}. Give the cut, the ratio cut and the normalised cut, each with "
            "the cut divided once for each group. (3 marks)",
            f"4. Give the normalised cut of {_split(second)}. Which of the two splits is better? (2 marks)",
            f"5. Remove all edges between the groups {_split(first)}. How many eigenvalues of the new Laplacian are 0? "
            "(1 mark)",
        ]
    )
    given = {
        "edges": [list(edge) for edge in edges], "f": f.tolist(), "first": first.astype(int).tolist(),
        "second": second.astype(int).tolist(),
    }  # fmt: skip
    answer: dict[str, Any] = {
        "degrees": d.tolist(), "laplacian": L.tolist(), "form": float(f @ L @ f), "cut": cut,
        "ratio": ratio_cut(W, first), "normalized": normalized_cut(W, first), "second": normalized_cut(W, second),
        "better": better, "zeros": pieces,
    }  # fmt: skip
    fields = [
        ask.vector("degrees", "degrees", 1, 2, titles=NODES, whole=True),
        ask.vector(
            "laplacian.2",
            "row of C in the Laplacian",
            1,
            1,
            titles=NODES,
            whole=True,
            follows=["degrees[2]" if j == 2 else None for j in range(5)],
            slips=[
                ask.slip(
                    np.abs(L[2]),
                    "The weights beside the diagonal have a minus: each row sums to 0.",
                    card="density-clustering-do-not-confuse-laplacians",
                )
            ],
        ),
        ask.number(
            "form",
            "$f^\\top L f$",
            2,
            2,
            whole=True,
            slips=[
                ask.slip(2 * int(f @ L @ f), "That counts each edge twice.", card=_HALF),
                ask.slip(
                    sum(int((f[a] - f[b]) ** 2) for a, b, _ in edges),
                    "The weights of the edges are missing.",
                    card="density-clustering-do-not-confuse-laplacians",
                ),
            ],
        ),
        ask.number("cut", "cut", 3, whole=True, slips=[ask.slip(2 * cut, "That counts each edge twice.", card=_HALF)]),
        ask.number(
            "ratio",
            "ratio cut",
            3,
            follows=f"cut/{int((~first).sum())} + cut/{int(first.sum())}",
            slips=[
                ask.slip(
                    ratio_cut(W, first) / 2,
                    "That is half of it; here the cut is divided once for each group.",
                    card=_HALF,
                )
            ],
        ),
        ask.number(
            "normalized",
            "normalised cut",
            3,
            follows=f"cut/({_volume(~first)}) + cut/({_volume(first)})",
            slips=[ask.slip(ratio_cut(W, first), "That is the ratio cut; here the volumes stand below.", card=_VOLUME)],
        ),
        ask.number(
            "second",
            "normalised cut of the second split",
            4,
            follows=" + ".join(f"{int(cut_weights(W, second)[0])}/({_volume(side)})" for side in (~second, second)),
            slips=[
                ask.slip(ratio_cut(W, second), "That is the ratio cut; here the volumes stand below.", card=_VOLUME)
            ],
        ),
        ask.choice("better", "better split", 4, options=["first", "second"], follows="argmin(normalized, second)"),
        ask.number("zeros", "eigenvalues 0", 5, whole=True),
    ]
    terms = " + ".join(f"{w} \\cdot ({f[a]} - {bracket(f[b], show=str)})^2" for a, b, w in edges)
    crossing = [(a, b, w) for a, b, w in edges if first[a] != first[b]]
    removed = ", ".join(f"{NODES[a]}{NODES[b]}" for a, b, _ in crossing)
    sizes = np.bincount(first)
    lines = [
        "**Degrees** are the sums of the weights at a node: "
        + ", ".join(f"{NODES[i]} has ${_sum(W[i])}$" for i in range(5))
        + ".",
        f"**Laplacian:** degrees on the diagonal, minus the weights elsewhere, ${matrix(L.astype(int), show=str)}$. "
        "Each row sums to 0.",
        f"**Form:** one term for each edge, ${terms}={int(f @ L @ f)}$.",
        f"**First split:** the edges {removed} are cut, ${_sum([w for *_, w in crossing])}$. The "
        f"ratio cut is $\\tfrac{{{cut}}}{{{sizes[0]}}} + \\tfrac{{{cut}}}{{{sizes[1]}}}"
        f"={_exact(Fraction(cut, int(sizes[0])) + Fraction(cut, int(sizes[1])))}$. {_normalized(W, first)}",
        f"**Second split:** {_cut(W, second)} {_normalized(W, second)} The {better} split is better.",
        f"**Components:** without these edges the graph has {pieces} connected components, and as many eigenvalues "
        "are 0.",
        "Marks: 2 for the degrees, 1 for the Laplacian, 2 for the form, 1 for the cut, 1 for the ratio cut, 1 for the "
        "normalised cut, 1 for that of the second split, 1 for the comparison, 1 for the eigenvalues.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_VOLUME = "density-clustering-lost-marks-volume"


def _volume(side: np.ndarray) -> str:
    """The volume of a group by the degrees, as an expression."""
    return " + ".join(f"degrees[{i}]" for i in np.flatnonzero(side))


def _vector(f: np.ndarray) -> str:
    return f"f=({', '.join(map(str, f))})^\\top"


def _split(s: np.ndarray) -> str:
    groups = [", ".join(NODES[i] for i in np.flatnonzero(s == g)) for g in (0, 1)]
    return f"$\\{{{groups[0]}\\}}$ and $\\{{{groups[1]}\\}}$"


def _cut(W: np.ndarray, s: np.ndarray) -> str:
    return f"the cut is ${_sum([W[a, b] for a, b in combinations(range(5), 2) if s[a] != s[b]])}$."


def _sum(weights: Any) -> str:
    """The weights that are not 0 and their sum; a single one alone."""
    terms = [int(w) for w in weights if w]
    return " + ".join(map(str, terms)) + (f"={sum(terms)}" if len(terms) > 1 else "")


def _normalized(W: np.ndarray, s: np.ndarray) -> str:
    cut, volumes = int(cut_weights(W, s)[0]), cluster_volumes(W, s).astype(int)
    left, right = (f"\\tfrac{{{cut}}}{{{v}}}" for v in volumes)
    value = sum(Fraction(cut, int(v)) for v in volumes)
    return (
        f"The groups have the volumes {volumes[0]} and {volumes[1]}, so the normalised cut is "
        f"${left} + {right}={_exact(Fraction(value))}$."
    )


def _exact(value: Fraction) -> str:
    """A fraction, and its decimals unless it is whole."""
    return fraction(value) + ("" if value.denominator == 1 else f"\\approx {sig(float(value))}")
