"""The quiz of the chapter *Manifold learning*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.spatial import procrustes
from scipy.spatial.distance import pdist, squareform

from notes_lib.reduction.manifold_learning import (
    MDS,
    Isomap,
    LocallyLinearEmbedding,
    conditional_affinities,
    double_centring,
    geodesic_distances,
    joint_affinities,
    kl_divergence,
    kl_gradient,
    local_weights,
    neighbor_graph,
    student_affinities,
)
from notes_lib.reduction.pca import PCA
from tests.claims.deciding import Numbers, decided


def quiz_two(d):
    """Two points at distance <d>. After double centring the entry $b_{12}$ is"""
    B = double_centring([[0.0, d], [d, 0.0]])
    return Numbers(B[0, 1], [B[0, 0], -(d**2) / 2, -d / 4])


def quiz_chain(ab, bc, cd, ad):
    """A chain of points A, B, C, D has edges of length <ab>, <bc> and <cd>. An edge of length <ad> from A to D is
    added. The distance from A to C becomes"""
    G = np.zeros((4, 4))
    G[0, 1], G[1, 2], G[2, 3] = ab, bc, cd
    G[0, 3] = ad
    L = geodesic_distances(G)
    return Numbers(L[0, 2], [ad + cd, L[0, 3], np.hypot(ab, bc)])


def quiz_weights(c_11, c_12, c_22):
    """Two neighbours of a point have the local Gram matrix with $c_{11}=<c_11>$, $c_{12}=<c_12>$, $c_{22}=<c_22>$. The
    weight of the first one is"""
    near = np.linalg.cholesky([[c_11, c_12], [c_12, c_22]])  # neighbours of the origin with this Gram matrix
    w = local_weights([0.0, 0.0], near, reg=0.0)
    return Numbers(w[0], [w[1], np.linalg.solve(near @ near.T, [1.0, 1.0])[0], c_11 / c_22])


def quiz_kernel(d):
    """Two points of a map at distance <d> have the kernel $u=$"""
    Y = np.array([[0.0], [d], [1e9]])
    Q = student_affinities(Y)  # the third one is too far to count: q is u over twice itself
    assert Q[0, 1] == max(Q.ravel())
    near = student_affinities(np.array([[0.0], [d], [d + 1.0]]))
    u = near[0, 1] / near[1, 2] * 0.5  # a distance of 1 has the kernel 1/2
    return Numbers(u, [1 / (1 + d), 1 / d**2, np.exp(-(d**2) / 2)])


def _map(X, perplexity=8, steps=300):
    """A map by gradient descent, from scaled principal components."""
    P = joint_affinities(conditional_affinities(squareform(pdist(X)) ** 2, perplexity))
    Y, speed = MDS().fit_transform(X), 0
    Y = 5 * Y / Y[:, 0].std()
    for _ in range(steps):
        speed = 0.8 * speed - 30 * kl_gradient(P, Y)
        Y = Y + speed
    return P, Y


def quiz_read():
    """What can you read from a t-SNE map? (Mark all.)"""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(2, 30, 2))

    def clouds(spread, gap):
        return np.vstack([noise[0], spread * noise[1] + [gap, 0]])

    size = lambda Y: Y[30:].std() / Y[:30].std()
    gap = lambda Y: np.linalg.norm(Y[:30].mean(axis=0) - Y[30:].mean(axis=0))
    base, tight, far = (_map(clouds(*a))[1] for a in ((1, 60), (0.1, 60), (1, 6000)))
    X = clouds(1, 60)
    of_X, of_map = (squareform(pdist(A)) + np.diag(np.full(60, np.inf)) for A in (X, base))
    first = np.take_along_axis(of_X.argsort(axis=1).argsort(axis=1), of_map.argsort(axis=1)[:, :1], axis=1)
    P, Y = _map(X, steps=20)
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    return {
        "which points are near neighbours": np.median(first) <= 2,
        "how dense a group is": abs(size(tight) / size(base) - 0.1) < 0.3,
        "how far two groups are from each other": gap(far) > 2 * gap(base),
        "the direction of the largest variance": not np.isclose(kl_divergence(P, Y @ turn), kl_divergence(P, Y)),
    }


def quiz_turned():
    """Which of these maps stay the same, up to turns and mirror images, when all data are turned in space?
    (Mark all.)"""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4)) * [4, 3, 2, 1]
    turned = X @ np.linalg.qr(rng.normal(size=(4, 4)))[0]
    same = lambda f: procrustes(f(X), f(turned))[2] < 1e-8
    return {
        "classical scaling": same(MDS().fit_transform),
        "Isomap": same(Isomap(n_neighbors=6).fit_transform),
        "locally linear embedding": same(LocallyLinearEmbedding(n_neighbors=6).fit_transform),
        "a scatter plot of the first two columns": same(lambda A: A[:, :2]),
    }


def tf_pca():
    """Classical scaling of straight distances gives the principal component scores, up to signs."""
    X = np.random.default_rng(0).normal(size=(30, 4)) * [4, 3, 2, 1]
    scores, Y = PCA(2).fit_transform(X), MDS().fit_transform(X)
    assert not np.allclose(np.abs(X[:, :2]), np.abs(Y))
    return np.allclose(np.abs(scores), np.abs(Y))


def tf_table():
    """Every symmetric table with zeros on its diagonal and positive entries elsewhere is a table of straight distances
    of some points."""
    points = squareform(pdist(np.random.default_rng(0).normal(size=(4, 2))))
    assert np.linalg.eigvalsh(double_centring(points)).min() > -1e-9
    wrong = np.array([[0.0, 1, 5], [1, 0, 1], [5, 1, 0]])  # a detour of 2 instead of 5
    return np.linalg.eigvalsh(double_centring(wrong)).min() > -1e-9


def tf_longer():
    """The lengths of shortest paths through a graph of neighbours are at least the straight distances."""
    clouds = [np.random.default_rng(s).normal(size=(40, 3)) for s in range(20)]
    gaps = [geodesic_distances(neighbor_graph(X, 6)) - squareform(pdist(X)) for X in clouds]
    assert all(gap.max() > 0.1 for gap in gaps)
    return all(gap.min() > -1e-9 for gap in gaps)


def tf_between():
    """The weights of locally linear embedding lie between 0 and 1."""
    inside = local_weights([1.0], [[0.0], [3.0]], reg=1e-9)
    assert (inside > 0).all()
    outside = local_weights([4.0], [[0.0], [3.0]], reg=1e-9)
    return (outside >= 0).all() and (outside <= 1).all()


def tf_doubled():
    """Doubling all data changes the affinities $p_{ij}$ of t-SNE at a fixed perplexity."""
    D2 = pdist(np.random.default_rng(0).normal(size=(20, 3)), "sqeuclidean")
    P = [joint_affinities(conditional_affinities(squareform(c * D2), p)) for c, p in ((1, 5), (4, 5), (1, 9))]
    assert not np.allclose(P[0], P[2])
    return not np.allclose(P[0], P[1])


test_claim = decided("reduction/manifold_learning", globals())
