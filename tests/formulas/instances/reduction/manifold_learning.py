r"""Manifold learning: distances of points in space, a graph, a recipe, and the affinities of a small map."""

import numpy as np
from scipy.linalg import eigh, null_space
from scipy.sparse.csgraph import floyd_warshall
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import entropy, rankdata

from notes_lib.clustering.density_clustering import laplacian
from notes_lib.reduction.manifold_learning import (
    alignment_matrix,
    classical_scaling,
    conditional_affinities,
    guttman_transform,
    joint_affinities,
    kl_divergence,
    local_weights,
    stress,
    student_affinities,
    trustworthiness,
)
from tests.formulas.values import At, Instance

N, K = 7, 3


def scaling(rng, X, D):
    """Inner products from the points, a map, a step of it, and the place of a new point."""
    centred = X - X.mean(axis=0)
    B, found = centred @ centred.T, classical_scaling(D, 3)
    U = null_space(np.ones((1, N)))
    new = rng.normal(size=3)
    axes = centred.T @ found.vectors / np.sqrt(np.linalg.eigvalsh(B)[:-4:-1])  # columns of length 1
    Z = rng.normal(size=(N, 2))
    Z -= Z.mean(axis=0)
    values = {
        r"d_{##}": D, r"b_{##}": B, r"\mathbf{B}": B, "t": (centred**2).sum(), r"\mathbf{S}": D**2,
        r"\mathbf{J}": U @ U.T, r"\lambda_#": np.linalg.eigvalsh(B)[::-1], r"v_{##}": found.vectors,
        r"y_{##}": found.points, "m_#": (D**2).mean(axis=1), "m": (D**2).mean(), r"\mathbf{z}_#": Z,
    }  # fmt: skip
    late = {
        "y_#": (new - X.mean(axis=0)) @ axes, r"\delta_#": cdist([new], X)[0], "k": range(1, 4),
    }  # fmt: skip
    return values, late, guttman_transform(D, Z)


def paths(rng):
    """Edges of a graph whose two ways have different lengths, and all shortest paths."""
    L = np.full((N, N), np.inf)
    for i in range(1, N):
        j = rng.integers(i)
        L[i, j], L[j, i] = rng.uniform(1, 3, size=2)
    np.fill_diagonal(L, 0)
    return {r"\ell_{##}": L, r"\delta_{##}": floyd_warshall(np.where(np.isinf(L), 0, L))}


def recipe(rng):
    """A point and its neighbours; the error at the best weights is one over the sum of the inverse."""
    x, near, epsilon = rng.normal(size=5), rng.normal(size=(K, 5)), rng.uniform(0.01, 0.1)
    w = local_weights(x, near, reg=0.0)
    C = (near - x) @ (near - x).T
    rho = 1 / np.linalg.inv(C).sum()
    best = {
        r"\mathbf{x}": x, r"\mathbf{n}_#": near, "K": K, r"\mathbf{w}": w, "w_#": w, r"\rho(\mathbf{w})": rho,
        r"\mathbf{C}": C, "c_{##}": C, r"\alpha": 2 * rho, r"\mathbf{1}": np.ones(K), r"\mathbf{I}": np.eye(K),
        "j": range(1, K + 1), "k": range(1, K + 1), r"\varepsilon": epsilon,
        r"\mathbf{C}'": C + np.diag(np.full(K, epsilon * (cdist([x], near) ** 2).sum())),
    }  # fmt: skip
    s = rng.uniform(1.5, 2.5)  # weights of another sum
    away = best | {
        r"\mathbf{w}": s * w, r"\mathcal{L}(\mathbf{w},\alpha)": s**2 * rho - 2 * rho * (s - 1)
    }  # fmt: skip
    return best, away


def spectral(rng):
    """Weights of all points, with rows of sum 1, and a graph with a smooth vector on it."""
    W = rng.uniform(0.1, 1, size=(N, N))
    np.fill_diagonal(W, 0)
    W /= W.sum(axis=1, keepdims=True)
    M = alignment_matrix(W).toarray()
    mu, V = np.linalg.eigh((np.eye(N) - W).T @ (np.eye(N) - W))
    A = rng.uniform(0.1, 1, size=(N, N))
    A = A + A.T
    np.fill_diagonal(A, 0)
    L, degrees = laplacian(A), np.diag(A.sum(axis=1))
    values, vectors = eigh(L, degrees)
    rough = {
        "a_{##}": A, r"\mathbf{L}": L, r"\mathbf{D}": degrees, r"\mu": values[1], r"\mathbf{y}": vectors[:, 1],
        "y_#": vectors[:, 1],
    }  # fmt: skip
    return {r"\mathbf{W}": W, "w_{##}": W, r"\mathbf{M}": M, r"\mu_#": mu, r"\mathbf{v}_#": V.T}, rough


def affinities(rng, D, Y):
    """Affinities of the data and of the map; the widths come from ratios of affinities."""
    perplexity = rng.uniform(2, 4)
    D = D * rng.uniform(0.9, 1.1, size=D.shape)  # other distances there than back
    P = conditional_affinities(D**2, perplexity)
    joint = joint_affinities(P)
    sigma = []
    for i in range(N):
        a, b = [j for j in np.argsort(D[i]) if j != i][:2]
        sigma.append(np.sqrt((D[i, b] ** 2 - D[i, a] ** 2) / (2 * np.log(P[i, a] / P[i, b]))))
    U = 1 / (1 + squareform(pdist(Y, "sqeuclidean")))
    off = ~np.eye(N, dtype=bool)

    def moved(y):
        other = Y.copy()
        other[2] = y
        return kl_divergence(joint, other)

    return {
        r"p_{#\mid #}": lambda j, i: P[int(i) - 1, int(j) - 1], r"\sigma_#": np.array(sigma),
        "H_#": entropy(P, base=2, axis=1), "p_{##}": joint, "q_{##}": student_affinities(Y), "u_{##}": U,
        "Z": U[off].sum(), r"C(\mathbf{Y})": kl_divergence(joint, Y), "c": -entropy(joint[off]),
    }, {"i": 3, r"\mathbf{y}_i": Y[2], "C": At(moved, r"\mathbf{y}_i")}, {r"d_{##}": D}, perplexity  # fmt: skip


def trust(X, Y):
    """Ranks of all points in the data, and the nearest of each in the map."""
    k = 2
    rank = np.array([rankdata(row) - 1 for row in squareform(pdist(X))])
    near = squareform(pdist(Y)) + np.diag(np.full(N, np.inf))
    return {
        "T": trustworthiness(X, Y, n_neighbors=k), "k": k, "r_{##}": rank,
        "U_#": {i + 1: frozenset(int(j) + 1 for j in near[i].argsort()[:k]) for i in range(N)},
    }  # fmt: skip


def instance(seed):
    """One cloud of seven points with a map, one graph, one recipe."""
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(N, 3)), rng.normal(size=(N, 2))
    D = squareform(pdist(X))
    of_distances, late, step = scaling(rng, X, D)
    best, away = recipe(rng)
    keeps, rough = spectral(rng)
    of_map, third, crooked, perplexity = affinities(rng, D, Y)
    values = (
        {
            "N": N, "i": range(1, N + 1), "j": range(1, N + 1), "k": range(1, 4), "l": range(1, N + 1),
            r"\mathbf{I}": np.eye(N),
            r"\mathbf{1}": np.ones(N), r"\mathbf{Y}": Y, r"\mathbf{y}_#": Y, r"F(\mathbf{Y})": stress(D, Y),
            r"\Phi(\mathbf{Y})": np.linalg.norm(Y - keeps["w_{##}"] @ Y) ** 2,
        }
        | of_distances | paths(rng) | keeps | of_map
    )  # fmt: skip
    label, every = "manifold-learning-", {"k": range(1, N + 1)}
    own = dict.fromkeys(
        [label + name for name in ("recipe", "local-gram", "stationary", "weights", "regularised", "must-know-lle:1")],
        best,
    ) | {
        label + "guttman": {r"\mathbf{y}_#": step}, label + "new-point": late, label + "lagrangian": away,
        label + "roughness": rough, label + "eigenmap": rough,
        label + "trustworthiness": trust(X, Y), label + "gradient": third, label + "conditional": crooked | every,
        label + "majorant": {"i": 1, "j": 2},
        label + "must-know-isomap": every, label + "path": every,
        label + "student": every,
    }  # fmt: skip
    apart = r"i\ne j"
    given = dict.fromkeys(
        [label + name for name in ("majorant", "conditional", "student", "student/2", "must-know-tsne:3")], apart
    )
    Z = of_distances[r"\mathbf{z}_#"]
    shadow = (Y[0] - Y[1]) @ (Z[0] - Z[1]) / np.linalg.norm(Z[0] - Z[1])
    worth = {label + "perplexity": perplexity, label + "majorant": {1: shadow}}
    return Instance(values, own, worth=worth, given=given)


UNREAD: dict[str, str] = {}
