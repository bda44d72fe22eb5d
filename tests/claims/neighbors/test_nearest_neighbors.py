"""The quiz of the chapter *Nearest neighbours*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np
from scipy.spatial.distance import cdist

from notes_lib.neighbors.nearest_neighbors import (
    BallTree,
    KNeighborsClassifier,
    asymptotic_risk,
    ball_bound,
    cover_hart_bound,
    k_nearest,
    neighbor_weights,
    pairwise_distances,
    vote_shares,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
METRICS = ("euclidean", "manhattan", "chebyshev")


def _sample(seed=0, n=60, d=2, classes=2):
    """Instances without equal ones, with labels that they do not explain."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(classes, size=n)


def _limit(r):
    """Limit of the risk of 1-NN at places of Bayes risk r, two classes."""
    return asymptotic_risk(np.stack([r, 1 - r], axis=-1))


def quiz_bound(bayes):
    r"""Two classes, $R^\star=<bayes>$. The risk of 1-NN with infinitely many instances is at most"""
    # half of the places have the Bayes risk r, the other half what is left
    r = np.linspace(0, 2 * bayes, 201)
    largest = (_limit(r) + _limit(2 * bayes - r)).max() / 2
    return Numbers(largest, [bayes, 2 * bayes, _limit(np.array(0.5))])


def quiz_unit():
    """One feature is given in grams instead of kilograms. The neighbours"""
    (X, y), (queries, _) = _sample(0), _sample(1)

    def stay(units, k, weights="uniform"):
        found = [KNeighborsClassifier(k, weights=weights).fit(X * u, y).kneighbors(queries * u)[1] for u in (1, units)]
        return np.array_equal(*found)

    grams, both = np.array([1000.0, 1.0]), np.array([1000.0, 1000.0])
    assert stay(both, 5)
    return {
        "may change": not stay(grams, 5),
        "stay the same": all(stay(grams, k) for k in range(1, 8)),
        "stay, if $k$ is odd": all(stay(grams, k) for k in (1, 3, 5, 7)),
        "stay, with weights by distance": stay(grams, 5, "distance"),
    }


def quiz_tree():
    """Which are true of a ball tree? (Mark all.)"""
    return {
        "It works with the squared distance": _bound_holds(lambda A, B: pairwise_distances(A, B, "sqeuclidean")),
        "It works for any metric": all(
            _bound_holds(metric)
            for metric in (
                lambda A, B: pairwise_distances(A, B, "minkowski", p=1),
                lambda A, B: pairwise_distances(A, B, "minkowski", p=2),
                lambda A, B: pairwise_distances(A, B) ** 0.5,
                lambda A, B: (
                    pairwise_distances(A, B, "minkowski", p=1) / (1 + pairwise_distances(A, B, "minkowski", p=1))
                ),
                lambda A, B: (np.sign(A)[:, None] != np.sign(B)[None]).sum(axis=2),
            )
        ),
        "It is faster than brute force in any dimension": all(_share_of_distances(d) < 0.8 for d in (2, 20)),
        "It finds the exact neighbours": all(_finds_the_neighbours(d, metric) for d in (1, 3) for metric in METRICS),
    }


def _bound_holds(distance):
    """Whether nothing in a ball is nearer than the way to its centre less the radius, as the tree assumes."""
    X, queries, centre = _sample(2)[0], 4 * _sample(3)[0], np.zeros((1, 2))
    to_centre, radius = distance(queries, centre), distance(X, centre).max()
    assert np.allclose(
        ball_bound(queries, centre[0], 1.0), np.maximum(pairwise_distances(queries, centre)[:, 0] - 1, 0)
    )
    return (distance(queries, X) >= to_centre - radius - SMALL).all()


def _share_of_distances(d, n=300, queries=10):
    """Share of all distances that the tree computes for the nearest neighbour."""
    tree = BallTree(_sample(4, n, d)[0], leaf_size=5)
    tree.query(_sample(5, queries, d)[0])
    return tree.get_n_calls() / (n * queries)


def _finds_the_neighbours(d, metric):
    X, queries = _sample(6, 100, d)[0], _sample(7, 20, d)[0]
    found = BallTree(X, leaf_size=4, metric=metric).query(queries, k=3, return_distance=False)
    return np.array_equal(found, np.argsort(pairwise_distances(queries, X, metric), axis=1)[:, :3])


def quiz_zero(distances):
    """The distances of three neighbours are <distances>, their classes a, b and b. With weights by distance the class
    is"""
    a, b = vote_shares([[0, 1, 1]], neighbor_weights([distances], "distance"), 2)[0]
    return {"a": a > b, "b": b > a, "undefined": not np.isfinite([a, b]).all(), "a tie": a == b}


def quiz_mahalanobis():
    """All features get new units, each its own. No neighbour changes with the"""
    (X, _), (queries, _) = _sample(9, d=3), _sample(10, 20, 3)
    units = np.array([1000.0, 0.1, 3.0])

    def stay(metric, factors):
        return np.array_equal(*(k_nearest(X * f, queries * f, 5, metric).indices for f in (1.0, factors)))

    def by_covariance(factors):
        points = X * factors
        return np.argsort(cdist(queries * factors, points, "mahalanobis", VI=np.linalg.inv(np.cov(points.T))), axis=1)

    assert stay("euclidean", 8.0)
    return {
        "Euclidean distance": stay("euclidean", units),
        "Manhattan distance": stay("manhattan", units),
        "Mahalanobis distance, with the covariance computed anew": np.array_equal(
            by_covariance(np.ones(3)), by_covariance(units)
        ),
        "Euclidean distance on all features divided by one number": stay("euclidean", units / units.max()),
    }


def _training_error(X, y):
    return 1 - KNeighborsClassifier(1).fit(X, y).score(X, y)


def tf_training():
    """The training error of 1-NN is 0 if no two instances are equal."""
    X, y = _sample(0)
    assert _training_error(np.vstack([X, X]), np.r_[y, 1 - y]) == 0.5
    return all(_training_error(*_sample(seed)) == 0 for seed in range(5))


def tf_limit():
    """The bound of Cover and Hart holds for every $N$."""
    noise, rng = 0.1, np.random.default_rng(8)

    def risk(n, sets):  # of a step in the middle of the unit interval, with labels turned over
        x, new = rng.uniform(size=(sets, n)), rng.uniform(size=sets)
        nearest = np.take_along_axis(x, np.abs(x - new[:, None]).argmin(axis=1)[:, None], axis=1)[:, 0]
        truth, told = (((z > 0.5) != (rng.uniform(size=sets) < noise)) for z in (new, nearest))
        return (truth != told).mean()

    bound = cover_hart_bound(noise)
    assert risk(500, 4000) < bound + 0.03
    return risk(2, 20_000) < bound + 0.03


def tf_zero():
    r"""For two classes the limit of 1-NN equals the Bayes risk if $r^\star$ is 0 everywhere."""
    assert _limit(np.array(0.2)) > 0.2
    return all(asymptotic_risk(p) == 1 - max(p) for p in ([0.0, 1.0], [1.0, 0.0]))


def tf_odd():
    """An odd $k$ prevents ties."""

    def has_no_tie(k, classes):
        votes = np.array(list(product(range(classes), repeat=k)))
        shares = np.sort(vote_shares(votes, np.ones(votes.shape), classes), axis=1)
        return (shares[:, -1] > shares[:, -2] + SMALL).all()

    assert all(has_no_tie(k, 2) for k in (1, 3, 5))
    assert k_nearest([[-1.0], [1.0]], [[0.0]], 1).indices[0, 0] == 0  # of equally near instances the first
    return all(has_no_tie(k, classes) for k in (1, 3, 5) for classes in (2, 3))


def tf_diagonal():
    r"""With $\mathbf{S}$ diagonal the Mahalanobis distance is the Euclidean distance of standardised features."""
    X = _sample(11, d=3)[0] * [1.0, 10.0, 0.1]
    deviations = X.std(axis=0)
    direct = cdist(X, X, "mahalanobis", VI=np.diag(1 / deviations**2))
    full = cdist(X, X, "mahalanobis", VI=np.linalg.inv(np.cov(X.T, bias=True)))
    standardised = pairwise_distances(X / deviations)
    assert not np.allclose(full, standardised, rtol=0.01)
    return np.allclose(direct, standardised)


test_claim = decided("neighbors/nearest_neighbors", globals())
