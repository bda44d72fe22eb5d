"""The drills on manifold learning, worked again from the definitions, without the library."""

import math
from fractions import Fraction
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def work_centring(given):
    """Means, inner products, and the images of the two vectors, in fractions."""
    squares = [[Fraction(v) for v in row] for row in given["squares"]]
    means = [sum(row) / 3 for row in squares]
    total = sum(means) / 3
    B = [[-(squares[i][j] - means[i] - means[j] + total) / 2 for j in range(3)] for i in range(3)]
    base = next((i, j) for i, j in combinations(range(3), 2) if squares[i][3 - i - j] == squares[j][3 - i - j])
    u, v = [0] * 3, [-2] * 3
    u[base[0]], u[base[1]] = 1, -1
    v[base[0]] = v[base[1]] = 1
    image = lambda x: [sum(b * c for b, c in zip(row, x, strict=True)) for row in B]
    return means, total, B, u, v, image(u), image(v)


@pytest.mark.equation("manifold-learning-double-centring", "manifold-learning-scaling")
@each_seed()
def test_double_centring_answer(seed):
    drill = drawn("double-centring", seed)
    means, total, B, u, v, Bu, Bv = work_centring(drill.given)
    answer = drill.answer
    assert answer["means"] == pytest.approx([float(m) for m in means])
    assert answer["total"] == pytest.approx(float(total))
    assert answer["inner"] == [[int(b) for b in row] for row in B]
    of_u, of_v = answer["values"]
    assert Bu == [of_u * x for x in u]
    assert Bv == [of_v * x for x in v]
    # the map with one dimension: its outer product is the best one of rank one
    values, vectors = np.linalg.eigh(np.array(B, dtype=float))
    best = values[-1] * np.outer(vectors[:, -1], vectors[:, -1])
    assert np.outer(answer["map"], answer["map"]) == pytest.approx(best)
    assert values[-1] > values[-2] + 0.5


@each_seed()
def test_every_number_of_double_centring(seed):
    drill = drawn("double-centring", seed)
    means, total, B, u, v, Bu, Bv = work_centring(drill.given)
    squares = drill.given["squares"]
    ask, tell = pages(drill)
    ask.table(*([k + 1, *row] for k, row in enumerate(squares)))
    ask.says("the mean of all nine entries")
    ask.says("Show that $u=#^\\top$ and $v=#^\\top$ are eigenvectors", [u], [v])
    ask.table(*([k + 1, None, None, None, None] for k in range(3)))
    ask.done()
    floats = [float(m) for m in means]
    tell.says("$#$ of row 1, $#$ of row 2, $#$ of row 3; of all nine entries $#$.", *floats, float(total))
    tell.says("for example $b_{12}=#$, and so on", float(B[0][1]))
    tell.says("$$B=# .$$", [[float(b) for b in row] for row in B])
    of_u, of_v = drill.answer["values"]
    tell.says("$Bu=#^\\top=#\\,u$ and $Bv=#^\\top=#\\,v$.", [Bu], of_u, [Bv], of_v)
    first, length = (of_u, 2) if of_u > of_v else (of_v, 6)
    tell.says("the larger eigenvalue is $#$, with the vector $#$ of length $#$.", first, "u" if of_u > of_v else "v",
              math.sqrt(length))  # fmt: skip
    tell.says("The coordinates are $#$ times the vector: $#$.", math.sqrt(first / length), [drill.answer["map"]])
    tell.done()


def work_paths(given):
    """Edges and all lengths of paths from A, by going through all orders of the points in between."""
    D = np.array(given["distances"])
    near = [sorted((j for j in range(6) if j != i), key=lambda j: D[i, j])[:2] for i in range(6)]
    edges = sorted({(min(i, j), max(i, j)) for i in range(6) for j in near[i]})
    return D, near, edges


def best_path(D, edges, end, unique=True):
    """Length and nodes of the shortest path from A, by enumeration."""
    joined = set(edges) | {(j, i) for i, j in edges}
    found = []
    others = [k for k in range(1, 6) if k != end]
    for m in range(5):
        for between in permutations(others, m):
            way = (0, *between, end)
            steps = list(pairwise(way))
            if all(step in joined for step in steps):
                found.append((sum(D[step] for step in steps), way))
    found.sort()
    assert not unique or len(found) == 1 or found[1][0] > found[0][0] + 1e-6
    return found[0]


@pytest.mark.equation("manifold-learning-path")
@each_seed()
def test_isomap_geodesics_answer(seed):
    drill = drawn("isomap-geodesics", seed)
    g, answer = drill.given, drill.answer
    D, _, edges = work_paths(g)
    assert np.array_equal(D, D.T)
    assert answer["edges"] == len(edges)
    assert answer["lengths"] == pytest.approx([best_path(D, edges, k)[0] for k in range(1, 6)])
    end, other = ("ABCDEF".index(g[key]) for key in ("end", "other"))
    assert answer["path"] == ["ABCDEF"[i] for i in best_path(D, edges, end)[1]]
    assert (0, end) not in edges
    more = [*edges, (0, end)]
    assert answer["short"] == pytest.approx([best_path(D, more, k, unique=False)[0] for k in (end, other)])
    assert answer["short"][0] == D[0, end] < answer["lengths"][end - 1] - 1.9


@each_seed()
def test_every_number_of_isomap_geodesics(seed):
    drill = drawn("isomap-geodesics", seed)
    g, names = drill.given, "ABCDEF"
    D, near, edges = work_paths(g)
    end, other = (names.index(g[key]) for key in ("end", "other"))
    ask, tell = pages(drill)
    ask.table(*([n, *row] for n, row in zip(names, D.tolist(), strict=True)))
    ask.table([None] * 5)
    ask.says("and the path from $A$ to $#$", names[end])
    ask.says("adds the edge from $A$ to $#$.", names[end])
    ask.says("Which distances from $A$ to $#$ and to $#$ does", names[end], names[other])
    ask.done()
    tell.table(*([names[i], ", ".join(names[j] for j in near[i])] for i in range(6)))
    tell.says("is one edge: # edges, #.", str(len(edges)), ", ".join(names[i] + names[j] for i, j in edges))
    ways = [best_path(D, edges, k) for k in range(1, 6)]
    tell.table(
        *([names[k], " ".join(names[i] for i in way), length] for k, (length, way) in enumerate(ways, 1))
    )  # fmt: skip
    tell.says("falls to $#$, that of the straight line, and the one to # to $#$.", D[0, end], names[other],
              best_path(D, [*edges, (0, end)], other, unique=False)[0])  # fmt: skip
    tell.done()


def work_weights(given):
    """Weights by walking along the line through both neighbours to the foot of the perpendicular."""
    x, (a, b) = given["x"], given["neighbors"]
    direction = [q - p for p, q in zip(a, b, strict=True)]
    t = Fraction(
        sum((c - p) * d for c, p, d in zip(x, a, direction, strict=True)), sum(d * d for d in direction)
    )  # fmt: skip
    foot = [p + t * d for p, d in zip(a, direction, strict=True)]
    left = sum((c - f) ** 2 for c, f in zip(x, foot, strict=True))
    return [1 - t, t], left


@pytest.mark.equation("manifold-learning-weights", "manifold-learning-local-gram")
@each_seed()
def test_lle_weights_answer(seed):
    g, answer = drawn("lle-weights", seed).given, drawn("lle-weights", seed).answer
    w, left = work_weights(g)
    Z = np.array(g["neighbors"]) - g["x"]
    assert answer["gram"] == [[int(a @ b) for b in Z] for a in Z]
    assert answer["weights"] == pytest.approx([float(v) for v in w])
    assert answer["left"] == pytest.approx(float(left))
    assert answer["place"] == pytest.approx(float(sum(v * p for v, p in zip(w, g["places"], strict=True))))


@each_seed()
def test_every_number_of_lle_weights(seed):
    drill = drawn("lle-weights", seed)
    g = drill.given
    w, left = work_weights(g)
    Z = np.array(g["neighbors"]) - g["x"]
    C = Z @ Z.T
    ask, tell = pages(drill)
    ask.says("The point $x=#$ has the two neighbours $n_1=#$ and $n_2=#$.", [g["x"]], *([n] for n in g["neighbors"]))
    ask.says("Find the weights $w_1+w_2=1$ that make")
    ask.says("neighbours lie at $y_1=#$ and $y_2=#$.", *g["places"])
    ask.done()
    tell.says("the differences are $n_1-x=#$ and $n_2-x=#$, so $c_{11}=#$, $c_{12}=#$ and $c_{22}=#$.", [Z[0]], [Z[1]],
              C[0, 0], C[0, 1], C[1, 1])  # fmt: skip
    raw = [C[1, 1] - C[0, 1], C[0, 0] - C[0, 1]]
    tell.says("solve $C\\omega=(1,1)^\\top$ up to a factor")
    tell.says("proportional to $(c_{22}-c_{12},\\,c_{11}-c_{12})=#$. Divide by the sum $#$: $w_1=#$ and $w_2=#$.",
              [raw], sum(raw), *(float(v) for v in w))  # fmt: skip
    tell.says("the determinant over the same sum, $#$.", float(left))
    tell.says("$w_1y_1+w_2y_2=#$.", float(sum(v * p for v, p in zip(w, g["places"], strict=True))))
    tell.done()


def work_affinities(given):
    """Probabilities, perplexity, affinities of the map, and the gradient by differences of the divergence."""
    e = [math.exp(-s / 2) for s in given["squares"]]
    first = [v / sum(e) for v in e]
    perplexity = math.prod(v**-v for v in first)
    pairs = list(combinations(range(3), 2))

    def affinities(y):
        u = [1 / (1 + (y[i] - y[j]) ** 2) for i, j in pairs]
        return [v / (2 * sum(u)) for v in u], u

    def divergence(move):
        q, _ = affinities([given["y"][0] + move, *given["y"][1:]])
        return 2 * sum(p * math.log(p / r) for p, r in zip(given["joint"], q, strict=True))

    return first, perplexity, pairs, *affinities(given["y"]), (divergence(1e-5) - divergence(-1e-5)) / 2e-5, e


@pytest.mark.equation(
    "manifold-learning-conditional", "manifold-learning-perplexity", "manifold-learning-student",
    "manifold-learning-gradient",
)  # fmt: skip
@each_seed()
def test_tsne_affinities_answer(seed):
    g, answer = drawn("tsne-affinities", seed).given, drawn("tsne-affinities", seed).answer
    first, perplexity, _, q, _, slope, _ = work_affinities(g)
    assert answer["conditional"] == pytest.approx(first)
    assert answer["perplexity"] == pytest.approx(perplexity)
    assert answer["affinities"] == pytest.approx(q)
    assert answer["gradient"] == pytest.approx(slope, abs=1e-7)
    assert answer["way"] == ("right" if slope < 0 else "left")
    assert sum(g["joint"]) == pytest.approx(0.5)


@each_seed()
def test_every_number_of_tsne_affinities(seed):
    drill = drawn("tsne-affinities", seed)
    g = drill.given
    first, perplexity, pairs, q, u, slope, e = work_affinities(g)
    ask, tell = pages(drill, {"H": math.log2(perplexity)})
    ask.says(
        "distances of point 1 from the points 2 and 3 are $#$ and $#$; its Gaussian has $\\sigma=1$.", *g["squares"]
    )
    ask.says("the points lie at $y_1=#$, $y_2=#$ and $y_3=#$.", *g["y"])
    ask.says("Compute $p_{2|1}$ and $p_{3|1}$, and the perplexity")
    ask.says("the affinities $q_{12}$, $q_{13}$ and $q_{23}$ of the map, which together have the sum $#$", 0.5)
    ask.says("The joint affinities are $p_{12}=#$, $p_{13}=#$ and $p_{23}=#$.", *g["joint"])
    ask.says("the gradient of the divergence by $y_1$")
    ask.says("a step of descent move point 1?")
    names = [f"{i + 1}{j + 1}" for i, j in pairs]
    ask.table(*([n, None, None, None] for n in names))
    ask.done()
    tell.says("$#$ and $#$, with the sum $#$. So $p_{2|1}\\approx#$ and $p_{3|1}\\approx#$.", *e, sum(e), *first)
    tell.says("The entropy is $H\\approx#$ bits, and the perplexity $2^H\\approx#$.", math.log2(perplexity), perplexity)
    tell.says("and $q$ is its share of the sum over all ordered pairs, $#$.", 2 * sum(u))
    gaps = [(g["y"][i] - g["y"][j]) ** 2 for i, j in pairs]
    tell.table(*([n, d, a, b] for n, d, a, b in zip(names, gaps, u, q, strict=True)))
    tell.says("**Gradient:** $#$.", slope)
    tell.done()
