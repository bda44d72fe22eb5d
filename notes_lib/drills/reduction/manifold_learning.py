"""Drills on manifold learning: double centring, shortest paths, weights of neighbours, affinities of a map."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, matrix, products, rational, row
from notes_lib.reduction.manifold_learning import (
    double_centring,
    geodesic_distances,
    kl_gradient,
    local_weights,
    neighbor_graph,
    student_affinities,
)

NODES = "ABCDEF"
_SQUARED, _GEODESIC, _MORE, _SUM = (
    f"manifold-learning-lost-marks-{name}" for name in ("squared", "geodesic", "more", "sum")
)
_MAPS, _PERPLEXITY = (f"manifold-learning-do-not-confuse-{name}" for name in ("maps", "perplexity"))
_SELF, _SPAN = "manifold-learning-convention-self", "gram[0,0] + gram[1,1] - 2*gram[0,1]"


@drill("double-centring", marks=11, minutes=12, title="From distances to points")
def double_centring_drill(rng: np.random.Generator) -> Parts:
    """Squared distances of an isosceles triangle: means, inner products, two eigenvalues, the map on one axis."""
    a, h = int(rng.integers(1, 10)), int(rng.integers(1, 8))
    apex = int(rng.integers(3))
    base = [i for i in range(3) if i != apex]
    X = np.zeros((3, 2), dtype=int)
    X[apex], X[base[0]], X[base[1]] = (0, 2 * h), (-a, -h), (a, -h)
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    B = double_centring(np.sqrt(squares))
    B = np.rint(B).astype(int)
    means = [Fraction(int(s), 3) for s in squares.sum(axis=1)]
    total = sum(means, Fraction(0)) / 3
    across, along = np.zeros((2, 3), dtype=int)
    across[base] = 1, -1
    along[base], along[apex] = 1, -2
    values = [2 * a * a, 6 * h * h]
    wide = values[0] > values[1]
    first = a * across if wide else h * along
    statement = "\n\n".join(
        [
            "Of three things only their squared distances are known:",
            table(
                [[k + 1, *map(str, r)] for k, r in enumerate(squares.tolist())], ["$d_{ij}^2$", "1", "2", "3"]
            ).markdown,
            "1. Compute the mean of each row and the mean of all nine entries (2 marks).",
            "2. Compute the matrix $B$ of inner products by double centring (4 marks).",
            f"3. Show that $u={row(across)}^\\top$ and $v={row(along)}^\\top$ are eigenvectors of $B$, and give their "
            "eigenvalues (2 marks).",
            "4. Give the coordinates of the map with one dimension, up to a common sign (3 marks).",
            "Fill in:",
            table(
                [[k + 1, "", "", "", ""] for k in range(3)], ["row", "mean", "$b_{i1}$", "$b_{i2}$", "$b_{i3}$"]
            ).markdown,
        ]
    )
    answer = {
        "means": [float(m) for m in means],
        "total": float(total),
        "inner": B.tolist(),
        "values": values,
        "map": first.tolist(),
    }
    fields = [
        ask.vector(
            "means",
            "means of the rows",
            1,
            1,
            titles=[1, 2, 3],
            slips=[
                ask.slip(
                    np.sqrt(squares).mean(axis=1),
                    "These are means of the distances; square every entry first.",
                    card=_SQUARED,
                )
            ],
        ),
        ask.number("total", "mean of all", 1, follows="sum(means) / 3"),
        ask.matrix(
            "inner",
            "$B$",
            2,
            4,
            rows=[1, 2, 3],
            columns=[1, 2, 3],
            whole=True,
            follows=[[f"({squares[i, j]} - means[{i}] - means[{j}] + total) / -2" for j in range(3)] for i in range(3)],
            slips=[
                ask.slip(-2 * B, "The factor $-\\tfrac12$ is missing.", card=_SQUARED),
                ask.slip(-B, "The sign is turned round: the factor is $-\\tfrac12$.", card=_SQUARED),
            ],
        ),
        ask.vector(
            "values",
            "eigenvalues",
            3,
            2,
            titles=["of $u$", "of $v$"],
            whole=True,
            follows=[
                f"inner[{base[0]},{base[0]}] - inner[{base[0]},{base[1]}]",
                f"inner[{base[0]},{base[0]}] + inner[{base[0]},{base[1]}] - 2*inner[{base[0]},{apex}]",
            ],
            slips=[
                ask.slip(
                    [2 * values[0], 6 * values[1]],
                    "That is not divided by the squared length of the vector.",
                    card=_MAPS,
                )
            ],
        ),
        ask.vector("map", "coordinates", 4, 3, titles=[1, 2, 3], up_to="sign"),
    ]
    i, j = 0, 1
    lines = [
        "**Means:** "
        + ", ".join(f"${fraction(m)}$ of row {k}" for k, m in enumerate(means, 1))
        + f"; of all nine entries ${fraction(total)}$.",
        f"**Inner products:** for example $b_{{12}}=-\\tfrac12\\cdot\\big({squares[i, j]}-{fraction(means[i])}-"
        f"{fraction(means[j])}+{fraction(total)}\\big)={B[i, j]}$, and so on:",
        f"$$B={matrix(B)} .$$",
        f"**Eigenvectors:** $Bu={row(B @ across)}^\\top={values[0]}\\,u$ and "
        f"$Bv={row(B @ along)}^\\top={values[1]}\\,v$.",
        f"**Map:** the larger eigenvalue is ${max(values)}$, with the vector ${'u' if wide else 'v'}$ of length "
        f"$\\sqrt{{{2 if wide else 6}}}$. The coordinates are $\\sqrt{{{max(values)}}}\\,/\\sqrt{{{2 if wide else 6}}}="
        f"{a if wide else h}$ times the vector: ${row(first)}$.",
        "Marks: 1 for the means of the rows, 1 for the mean of all, 4 for the matrix, 2 for the eigenvalues, 3 for the "
        "map.",
    ]
    return Parts(statement, {"squares": squares.tolist()}, "\n\n".join(lines), answer, fields)


@drill("isomap-geodesics", marks=10, minutes=12, title="Shortest paths through neighbours")
def isomap_geodesics(rng: np.random.Generator) -> Parts:
    """Distances of six points along an arc: graph of two neighbours, shortest paths from A, and a short circuit."""
    while True:
        t = np.sort(rng.uniform(0, 5.0, 6))
        r = rng.uniform(4, 5.5, 6)
        X = np.column_stack([r * np.cos(t), r * np.sin(t)])
        order = np.r_[0, rng.permutation(np.arange(1, 6))]
        place = order.argsort()  # where each point along the arc stands in the table
        D = np.round(np.linalg.norm(X[order][:, None] - X[order][None], axis=2), 1)
        end = int(place[5])
        near = np.argsort(D + 99 * np.eye(6), axis=1)[:, :2]
        apart = np.sort(D, axis=1)[:, 1:4]
        edges = sorted({(min(i, int(j)), max(i, int(j))) for i in range(6) for j in near[i]})
        G = np.zeros((6, 6))
        for i, j in edges:
            G[i, j] = D[i, j]
        L = geodesic_distances(G)
        exact = neighbor_graph(X[order], 2).toarray()  # rounded distances must not choose other neighbours
        same = np.array_equal(G + G.T > 0, exact + exact.T > 0)
        if not same or (np.diff(apart, axis=1) < 0.15).any() or D[D > 0].min() < 0.6 or not np.isfinite(L).all():
            continue
        path = shortest(G, end)
        short = G.copy()
        short[0, end] = D[0, end]
        S = geodesic_distances(short)[0]
        other = int(np.argmax(L[0] - S - 99 * (np.arange(6) == end)))
        if (
            len(path) > 3
            and all(shortest(G, k) for k in range(1, 6))
            and D[0, end] < L[0, end] - 2
            and S[other] < L[0, other] - 0.5
        ):
            break
    names = list(NODES)
    statement = "\n\n".join(
        [
            "Six points have these distances:",
            table([[n, *(sig(v) for v in r)] for n, r in zip(names, D.tolist(), strict=True)], ["", *names]).markdown,
            "1. Two points are joined if one is among the **two** nearest of the other. How many edges has the graph? "
            "(2 marks)",
            f"2. Compute the geodesic distance from $A$ to each other point, and the path from $A$ to ${names[end]}$ "
            "(6 marks).",
            f"3. Noise adds the edge from $A$ to ${names[end]}$. Which distances from $A$ to ${names[end]}$ and to "
            f"${names[other]}$ does the graph give now? (2 marks)",
            "Fill in:",
            table([["", "", "", "", ""]], [f"to {n}" for n in names[1:]]).markdown,
        ]
    )
    answer: dict[str, Any] = {
        "edges": len(edges),
        "lengths": [round(float(v), 1) for v in L[0, 1:]],
        "path": [names[i] for i in path],
        "short": [round(float(S[end]), 1), round(float(S[other]), 1)],
    }
    given = {"distances": D.tolist(), "end": names[end], "other": names[other]}
    fields = [
        ask.number(
            "edges",
            "edges",
            1,
            2,
            whole=True,
            slips=[ask.slip(int(near.size), "That counts a pair twice if both points name each other.", card=_SELF)],
        ),
        ask.vector(
            "lengths",
            "distance from $A$",
            2,
            5,
            titles=names[1:],
            places=1,
            slips=[
                ask.slip(D[0, 1:], "These are the straight distances; go along the edges of the graph.", card=_GEODESIC)
            ],
        ),
        ask.sequence(
            "path",
            f"path from A to {names[end]}",
            2,
            options=names,
            slips=[
                ask.slip([names[i] for i in path[::-1]], f"That is the path from {names[end]} to A.", card=_GEODESIC)
            ],
        ),
        ask.vector(
            "short",
            "with the new edge",
            3,
            2,
            titles=[f"to {names[end]}", f"to {names[other]}"],
            places=1,
            slips=[
                ask.slip([float(S[end]), float(L[0, other])], "The second path may use the new edge, too.", card=_MORE)
            ],
        ),
    ]
    of_each = [[names[i], ", ".join(names[int(j)] for j in near[i])] for i in range(6)]
    ways = []
    for k in range(1, 6):
        way = shortest(G, k)
        steps = [sig(D[i, j]) for i, j in pairwise(way)]
        total = sig(round(float(L[0, k]), 1))
        ways.append(
            [
                names[k],
                " ".join(names[i] for i in way),
                f"${'+'.join(steps)}={total}$" if len(steps) > 1 else f"${total}$",
            ]
        )
    lines = [
        "**Graph:** the two nearest of each point:",
        table(of_each, ["point", "its two nearest"]).markdown,
        f"A pair that stands there twice is one edge: {len(edges)} edges, "
        + ", ".join(names[i] + names[j] for i, j in edges) + ".",
        "**Geodesic distances from A:** by Dijkstra's algorithm, the nearest point first.",
        table(ways, ["to", "path", "length"]).markdown,
        f"**With the edge A{names[end]}:** the distance to {names[end]} falls to ${sig(answer['short'][0])}$, that of "
        f"the straight line, and the one to {names[other]} to ${sig(answer['short'][1])}$.",
        "Marks: 2 for the edges, 5 for the distances, 1 for the path, 2 for the short circuit.",
    ]  # fmt: skip
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def shortest(G: np.ndarray, end: int) -> list[int]:
    """The only shortest path from node 0, or nothing if two are equally short."""
    L = geodesic_distances(G)[0]
    both, path = G + G.T, [end]
    while path[-1]:
        before = np.flatnonzero((both[path[-1]] > 0) & (np.abs(L + both[path[-1]] - L[path[-1]]) < 0.01))
        if len(before) != 1:
            return []
        path.append(int(before[0]))
    return path[::-1]


@drill("lle-weights", marks=10, minutes=10, title="Weights of two neighbours")
def lle_weights(rng: np.random.Generator) -> Parts:
    """The local Gram matrix of two neighbours, the weights, what they leave, and the place in the map."""
    while True:
        x = rng.integers(-2, 3, size=2)
        near = x + rng.integers(-3, 4, size=(2, 2))
        places = rng.integers(-4, 5, size=2)
        Z = near - x
        C = Z @ Z.T
        det = int(C[0, 0] * C[1, 1] - C[0, 1] ** 2)
        if det and places[0] != places[1] and C[0, 0] != C[1, 1] and C[0, 1]:
            break
    w = [rational(v) for v in local_weights(x, near, reg=0.0)]
    left = Fraction(det, int(C[0, 0] + C[1, 1] - 2 * C[0, 1]))
    placed = w[0] * int(places[0]) + w[1] * int(places[1])
    raw = [int(C[1, 1] - C[0, 1]), int(C[0, 0] - C[0, 1])]
    statement = "\n\n".join(
        [
            f"The point $x={row(x)}$ has the two neighbours $n_1={row(near[0])}$ and $n_2={row(near[1])}$.",
            "1. Compute the local Gram matrix $C$ with the entries $(n_j-x)^\\top(n_k-x)$ (3 marks).",
            "2. Find the weights $w_1+w_2=1$ that make up $x$ from its neighbours best, without regularisation (4 "
            "marks).",
            "3. Which squared distance is left between $x$ and what the weights make up? (1 mark)",
            f"4. In a map with one dimension the neighbours lie at $y_1={places[0]}$ and $y_2={places[1]}$. Where do "
            "the weights put $x$? (2 marks)",
        ]
    )
    answer = {"gram": C.tolist(), "weights": [float(v) for v in w], "left": float(left), "place": float(placed)}
    given = {"x": x.tolist(), "neighbors": near.tolist(), "places": places.tolist()}
    fields = [
        ask.matrix(
            "gram",
            "$C$",
            1,
            3,
            rows=[1, 2],
            columns=[1, 2],
            whole=True,
            slips=[ask.slip(near @ near.T, "The differences to $x$ count, not the neighbours themselves.", card=_SUM)],
        ),
        ask.vector(
            "weights",
            "weights",
            2,
            4,
            titles=["$w_1$", "$w_2$"],
            follows=[f"(gram[1,1] - gram[0,1]) / ({_SPAN})", f"(gram[0,0] - gram[0,1]) / ({_SPAN})"],
            slips=[
                ask.slip(
                    [float(w[1]), float(w[0])], "They are exchanged: $w_1$ has $c_{22} - c_{12}$ above.", card=_SUM
                ),
                ask.slip(raw, "Divide them by their sum.", card=_SUM),
            ],
        ),
        ask.number(
            "left",
            "squared distance",
            3,
            follows=f"(gram[0,0]*gram[1,1] - gram[0,1]^2) / ({_SPAN})",
            slips=[ask.slip(det, "That is the determinant; divide it by the same sum.", card=_SUM)],
        ),
        ask.number(
            "place",
            "place of $x$",
            4,
            2,
            follows=f"weights[0]*({places[0]}) + weights[1]*({places[1]})",
        ),
    ]
    lines = [
        f"**Gram matrix:** the differences are $n_1-x={row(Z[0])}$ and $n_2-x={row(Z[1])}$, so $c_{{11}}="
        f"{products(Z[0], Z[0])}={C[0, 0]}$, $c_{{12}}={products(Z[0], Z[1])}={C[0, 1]}$ and $c_{{22}}="
        f"{products(Z[1], Z[1])}={C[1, 1]}$.",
        f"**Weights:** solve $C\\omega=(1,1)^\\top$ up to a factor: $\\omega$ is proportional to $(c_{{22}}-c_{{12}},"
        f"\\,c_{{11}}-c_{{12}})={row(raw)}$. Divide by the sum ${sum(raw)}$: $w_1={fraction(w[0])}$ and "
        f"$w_2={fraction(w[1])}$.",
        "**What is left:** the determinant over the same sum, "
        f"$\\tfrac{{{C[0, 0]} \\cdot {C[1, 1]} - {bracket(C[0, 1])}^2}}{{{sum(raw)}}}={fraction(left)}$.",
        f"**Place:** $w_1y_1+w_2y_2={products(w, places.tolist(), show=_show)}={fraction(placed)}$.",
        "Marks: 3 for the matrix, 4 for the weights, 1 for what is left, 2 for the place.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _show(value: Fraction | int) -> str:
    return fraction(Fraction(value))


@drill("tsne-affinities", marks=11, minutes=13, title="Affinities and a gradient of t-SNE")
def tsne_affinities(rng: np.random.Generator) -> Parts:
    """Gaussian affinities of one row, heavy-tailed ones of a map of three points, and the gradient at one of them."""
    while True:
        near, far = sorted(int(v) for v in rng.choice(np.arange(1, 6), size=2, replace=False))
        y = np.array([0, *rng.choice([-3, -2, -1, 1, 2, 3], size=2, replace=False)])
        p = rng.integers(1, 8, size=3)
        joint = np.array([p[0], p[1], 10 - p[0] - p[1]])
        if joint[2] < 1:
            continue
        P = np.zeros((3, 3))
        P[0, 1], P[0, 2], P[1, 2] = joint / 20
        P += P.T
        Q, slope = student_affinities(y[:, None].astype(float)), kl_gradient(P, y[:, None].astype(float))[:, 0]
        if abs(slope[0]) > 0.05:
            break
    e = np.exp([-near / 2, -far / 2])
    first = e / e.sum()
    entropy = float(-(first * np.log2(first)).sum())
    pairs = [(0, 1), (0, 2), (1, 2)]
    gaps = [int((y[i] - y[j]) ** 2) for i, j in pairs]
    U = [Fraction(1, 1 + g) for g in gaps]
    total = 2 * sum(U, Fraction(0))
    of_q = [u / total for u in U]
    statement = "\n\n".join(
        [
            f"Three points. In the data the squared distances of point 1 from the points 2 and 3 are ${near}$ and "
            f"${far}$; its Gaussian has $\\sigma=1$. In the map the points lie at $y_1={y[0]}$, $y_2={y[1]}$ and "
            f"$y_3={y[2]}$.",
            "1. Compute $p_{2|1}$ and $p_{3|1}$, and the perplexity of this row (3 marks).",
            "2. Compute the affinities $q_{12}$, $q_{13}$ and $q_{23}$ of the map, which together have the sum "
            "$\\tfrac12$ (4 marks).",
            f"3. The joint affinities are $p_{{12}}={sig(P[0, 1])}$, $p_{{13}}={sig(P[0, 2])}$ and "
            f"$p_{{23}}={sig(P[1, 2])}$. Compute the gradient of the divergence by $y_1$ (3 marks).",
            "4. Which way does a step of descent move point 1? (1 mark)",
            "Fill in:",
            table([[f"{i + 1}{j + 1}", "", "", ""] for i, j in pairs], ["pair", "$d^2$", "$u$", "$q$"]).markdown,
        ]
    )
    answer = {
        "conditional": [float(v) for v in first],
        "perplexity": 2**entropy,
        "affinities": [float(Q[i, j]) for i, j in pairs],
        "gradient": float(slope[0]),
        "way": "left" if slope[0] > 0 else "right",
    }
    given = {"squares": [near, far], "y": y.tolist(), "joint": [float(P[i, j]) for i, j in pairs]}
    fields = [
        ask.vector(
            "conditional",
            "probabilities",
            1,
            2,
            titles=["$p_{2|1}$", "$p_{3|1}$"],
            digits=3,
            slips=[
                ask.slip(
                    np.exp([-near, -far]) / np.exp([-near, -far]).sum(),
                    "The half in the exponent is missing.",
                    card=_PERPLEXITY,
                )
            ],
        ),
        ask.number(
            "perplexity",
            "perplexity",
            1,
            digits=3,
            carried=1,
            follows="2^-(conditional[0]*log2(conditional[0]) + conditional[1]*log2(conditional[1]))",
            slips=[
                ask.slip(entropy, "That is the entropy in bits; the perplexity is 2 to its power.", card=_PERPLEXITY)
            ],
        ),
        ask.vector(
            "affinities",
            "affinities",
            2,
            4,
            titles=["$q_{12}$", "$q_{13}$", "$q_{23}$"],
            digits=3,
            slips=[
                ask.slip(
                    [float(2 * q) for q in of_q],
                    "That divides by the sum over pairs; ordered pairs count, twice as many.",
                    card=_MAPS,
                )
            ],
        ),
        ask.number(
            "gradient",
            "gradient",
            3,
            3,
            digits=3,
            carried=2,
            follows="4*("
            + " + ".join(f"({P[0, k]} - affinities[{k - 1}])*({y[0] - y[k]})*{float(U[k - 1])}" for k in (1, 2))
            + ")",
            slips=[ask.slip(-float(slope[0]), "The sign is turned round: $p - q$ times $y_1 - y_k$.", card=_MAPS)],
        ),
        ask.choice(
            "way",
            "the point moves",
            4,
            options=["left", "right"],
            follows="gradient <= 0",
            slips=[
                ask.slip(
                    "right" if slope[0] > 0 else "left",
                    "That is along the gradient; descent goes against it.",
                    card=_MAPS,
                )
            ],
        ),
    ]
    rows = [
        [f"{i + 1}{j + 1}", str(g), f"${fraction(u)}$", f"${fraction(q)}\\approx{sig(float(q))}$"]
        for (i, j), g, u, q in zip(pairs, gaps, U, of_q, strict=True)
    ]
    terms = [
        f"\\big({sig(P[0, k])}-{fraction(q)}\\big)\\cdot({y[0] - y[k]})\\cdot{fraction(u)}"
        for k, q, u in ((1, of_q[0], U[0]), (2, of_q[1], U[1]))
    ]
    lines = [
        f"**Probabilities:** $e^{{-{near}/2}}\\approx{sig(e[0])}$ and $e^{{-{far}/2}}\\approx{sig(e[1])}$, with the "
        f"sum ${sig(e.sum())}$. So $p_{{2|1}}\\approx{sig(first[0])}$ and $p_{{3|1}}\\approx{sig(first[1])}$. The "
        f"entropy is $H\\approx{sig(entropy)}$ bits, and the perplexity $2^H\\approx{sig(2**entropy)}$.",
        "**Affinities of the map:** $u$ is one over one plus the squared distance, and $q$ is its share of the sum "
        "over all ordered pairs, "
        f"${fraction(total)}$.",
        table(rows, ["pair", "$d^2$", "$u$", "$q$"]).markdown,
        f"**Gradient:** $4\\big[{'+'.join(terms)}\\big]\\approx{sig(slope[0])}$.",
        f"**Step:** against the gradient, to the {answer['way']}.",
        "Marks: 2 for the probabilities, 1 for the perplexity, 4 for the affinities, 3 for the gradient, 1 for the "
        "way.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
