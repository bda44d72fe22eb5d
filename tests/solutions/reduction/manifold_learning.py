"""Exercises on manifolds: centred products, SciPy's shortest paths and distances, quotients of differences."""

from fractions import Fraction
from itertools import permutations

import numpy as np
from scipy import stats
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import pdist, squareform

from notes_lib.reduction.manifold_learning import (
    LocallyLinearEmbedding,
    alignment_matrix,
    conditional_affinities,
    double_centring,
    geodesic_distances,
    kl_gradient,
    local_weights,
    neighbor_graph,
)
from tests.formulas.chapters import Chapter
from tests.solutions.ledger import Worked

B = r"\mathbf{B}"


def _of_chapter(name=""):
    chapter = Chapter.of("manifold_learning").instances[0]
    return {**chapter.values, **chapter.own.get(f"manifold-learning-{name}", {})}


def _cloud(number, seed=0):
    return np.random.default_rng(seed).normal(size=(number, 2))


def _graph(*edges):
    """A table of edges (from, to, length), there and back."""
    found = np.zeros((1 + max(max(edge[:2]) for edge in edges),) * 2)
    for i, j, length in edges:
        found[i, j] = found[j, i] = length
    return found


def _parts(x):
    """Numerator and denominator."""
    found = Fraction(float(x)).limit_denominator(50)
    return [found.numerator, found.denominator]


def ex_centring():
    places = np.array([0, 1, 3, 8.0])
    off = places - places.mean()
    table = squareform(pdist(places[:, None]))
    products = np.outer(off, off)
    around = table**2 - (table**2).mean(axis=0) - (table**2).mean(axis=1)[:, None] + (table**2).mean()
    four = range(1, 5)
    return Worked(
        {"d_{##}": table, "b_{##}": double_centring(table), "i": four, "j": four, "N": 4, "t": np.trace(products)},
        numbers=[places, np.mean(table**2), table**2, around, around[0, 0] / products[0, 0], off,
                 np.linalg.eigvalsh(double_centring(table))[1].round(9)],
        known=[np.linalg.eigvalsh(double_centring(table))[-1]],
    )  # fmt: skip


def ex_weights():
    v, away = _of_chapter("recipe"), _of_chapter("lagrangian")
    lagrangian = r"\mathcal{L}=\mathbf{w}^\top\mathbf{C}\mathbf{w}-\alpha(\mathbf{1}^\top\mathbf{w}-1)"
    return Worked(
        {**v, r"\mathbf{0}": np.zeros(len(v["w_#"]))},
        own={lagrangian: {**away, r"\mathcal{L}": away[r"\mathcal{L}(\mathbf{w},\alpha)"]}},
        numbers=[v["w_#"].sum(), v[r"\rho(\mathbf{w})"]],
    )


def ex_ring():
    turn = np.exp(2j * np.pi * np.arange(12) / 12)
    ring = np.column_stack([turn.real, turn.imag])
    edge, chord = pdist(ring).min(), pdist(ring).max()
    around = geodesic_distances(neighbor_graph(ring, 2))
    chain = _graph(*[(k, k + 1, edge) for k in range(11)])
    return Worked(
        numbers=[np.linalg.norm(ring[0]), around[0, 6], chord],
        known=[edge, np.angle(turn[6]), shortest_path(chain)[0, 11]],
    )


def ex_gradient():
    v = _of_chapter()
    Y, P = np.array(v[r"\mathbf{Y}"]), np.array(v["p_{##}"])
    square = lambda y, other: np.sum((y - other) ** 2)
    slope = [[(square(Y[0] + e, other) - square(Y[0] - e, other)) / 2 for e in np.eye(2)] for other in Y[1:]]
    pull = sum((P[0, j] - v["q_{##}"][0, j]) * v["u_{##}"][0, j] * (Y[0] - Y[j]) for j in range(1, len(Y)))
    return Worked(
        {**v, "i": range(1, 2), "j": range(2, len(Y) + 1)},
        numbers=[P.sum(), slope, kl_gradient(P, Y)[0, 0] / pull[0]],
    )


def ex_pca():
    X = _cloud(5)
    U, s, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return Worked(
        {r"\mathbf{U}": U, r"\boldsymbol{\Omega}": np.diag(s)}, numbers=[double_centring(squareform(pdist(X)))]
    )


def cards():
    v = _of_chapter("recipe")
    apart = np.vstack([_cloud(4), _cloud(4, 1) + 1e3])
    table = squareform(pdist(apart))
    N, K, q = len(apart), 3, 2
    graph = neighbor_graph(apart, K).toarray()
    weights = np.array([[0.0] * 5] * 5)
    for i, row in enumerate(weights):
        row[[j for j in range(5) if j != i]] = local_weights(_cloud(5)[i], np.delete(_cloud(5), i, axis=0))
    first = 1 + int(np.sum(np.linalg.eigvalsh(alignment_matrix(weights).toarray()) < 1e-12))
    columns = LocallyLinearEmbedding(n_neighbors=5, n_components=2).fit_transform(_cloud(20))
    long = np.sqrt(len(columns)) * columns
    copy = local_weights([0.3, 0.1], [[0.3, 0.1], *_cloud(2)])
    centring = lambda d: double_centring([[0, d], [d, 0]])
    pair = centring(4.0)
    chain = _graph((0, 1, 3), (1, 2, 4), (2, 3, 5), (0, 3, 6))
    direct, through = shortest_path(chain)[0, 2], shortest_path(chain)[0, 3] + shortest_path(chain)[3, 2]
    C = np.diag([2, 6])
    recipe = local_weights([0, 0], np.sqrt(C), reg=0.0)
    solved = np.linalg.solve(C, [1, 1])
    heavy = stats.t(1)
    kernel = lambda square: heavy.pdf(square**0.5) / heavy.pdf(0)
    outside = local_weights([3.0, 0], [[1.0, 0.1], [0, 0]], reg=0.0)
    assert outside.min() < 0
    return {
        "lost-marks-far": Worked(numbers=[conditional_affinities(table**2, 2.0)[0, -1]]),
        "lost-marks-sum": Worked(v, numbers=[v["w_#"].sum()]),
        "lost-marks-constant": Worked({"q": q}, numbers=[first, first + q - 1]),
        "what-if-double": Worked(numbers=[2]),
        "what-if-copy": Worked(numbers=[2, pdist([apart[0], apart[0]])[0], round(copy[0])]),
        "what-if-all": Worked({"N": N}, numbers=[np.sum(table[0] > 0), np.sum(table[-1] > 0)]),
        "what-if-reg": Worked({"K": K}, numbers=[0, 0, local_weights([0.3, 0.1], _cloud(K), reg=1e10)[0]]),
        "counting": Worked(
            {"N": N, "K": K},
            numbers=[len(pdist(apart)), np.linalg.matrix_rank(np.eye(N) - 1 / N),
                     np.sum(np.triu((graph > 0) | (graph.T > 0))),  # two groups, in which all neighbours are mutual
                     len([*permutations(range(N), 2)])],
        ),
        "convention-stress": Worked(numbers=[1, 0.05, 0.2]),
        "convention-length": Worked(numbers=[np.linalg.norm(columns[:, 0]), np.mean(long[:, 0] ** 2)]),
        "convention-self": Worked(numbers=[10, len([*range(10)][1:])]),
        "quiz-two": Worked(
            {"b_{##}": pair},
            numbers=[4, pair[0, 1], pair[0, 0], pair[0, 0] ** 0.5, pair[0, 1], pair[0, 1], -0.5 * 4**2, 0.5,
                     centring(4**0.5)[0, 1]],
        ),
        "quiz-chain": Worked(
            numbers=[chain[0, 1], chain[1, 2], chain[2, 3], chain[0, 3], direct, through, through,
                     shortest_path(chain)[0, 3], np.hypot(chain[0, 1], chain[1, 2])],
        ),
        "quiz-weights": Worked(
            {"c_{##}": C},
            numbers=[_parts(recipe[1]), _parts(solved[0]), _parts(recipe[0]), solved[0], solved.sum(),
                     _parts(C[0, 0] / C[1, 1])],
        ),
        "quiz-kernel": Worked(
            numbers=[3, kernel(3), kernel(9), kernel(9), 1 / (1 / kernel(9) - 1), heavy.pdf(0) * np.pi,
                     stats.norm.pdf(3) / stats.norm.pdf(0)],
        ),
        "quiz-read": Worked(numbers=[conditional_affinities(table**2, 2.0)[0, -1]]),
        "tf-between": Worked(numbers=[0, 1, outside.sum()]),
    }  # fmt: skip
