"""The quiz of the chapter *Sufficient statistics at scale*, decided: see ``tests/claims/deciding.py``."""

import pickle

import numpy as np

from notes_lib.clustering.kmeans import lloyd
from notes_lib.linear.linear_regression import LinearRegression
from notes_lib.scaling.sufficient_statistics import (
    ChunkedKMeans,
    ChunkedLinearDiscriminantAnalysis,
    ChunkedLinearRegression,
    mini_batch_step,
    moments,
    regression_sums,
)
from tests.claims.deciding import Numbers, Words, decided


def _rows(n, mean, scatter=0.0):
    """Numbers of this mean and scatter."""
    v = np.full(int(n), float(mean))
    if scatter:
        v[0] += np.sqrt(scatter / 2)
        v[1] -= np.sqrt(scatter / 2)
    return v


def quiz_mean(n_a, mean_a, n_b, mean_b):
    """Chunk a has <n_a> rows and mean <mean_a>, chunk b has <n_b> row and mean <mean_b>. The mean of all rows is"""
    right = np.concatenate([_rows(n_a, mean_a), _rows(n_b, mean_b)]).mean()
    exchanged = np.concatenate([_rows(n_b, mean_a), _rows(n_a, mean_b)]).mean()
    return Numbers(right, [(mean_a + mean_b) / 2, exchanged, mean_a + mean_b])


def quiz_scatter(n, scatter, delta):
    """Both chunks have <n> rows and scatter <scatter>, their means differ by <delta>. The scatter of all rows is"""
    both = np.concatenate([_rows(n, 0, scatter), _rows(n, delta, scatter)])
    return Numbers(((both - both.mean()) ** 2).sum(), [2 * scatter, 2 * scatter + n * delta**2, 2 * scatter + delta])


def quiz_numbers(D):
    """How many different numbers are in the summary (count, mean, scatter) of <D> columns?"""
    found = moments(np.random.default_rng(0).normal(size=(50, int(D))))
    S = np.unique(found.scatter.round(9)).size
    return Numbers(1 + D + S, [1 + D + D * D, 1 + S, 1 + 2 * D])


class Counted:
    """Chunks that count how often they are gone through."""

    def __init__(self, chunks):
        self.chunks, self.passes = chunks, 0

    def __iter__(self):
        self.passes += 1
        return iter(self.chunks)


def quiz_one():
    """Which fits can be merged from summaries of fixed size in a single pass? (Mark all.)"""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 2)), rng.normal(size=90)
    labels = np.repeat([0, 1, 2], 30)
    sources = [Counted([(X[:40], t[:40]), (X[40:], t[40:])]) for t in (y, labels, y)]
    ChunkedLinearRegression().fit(sources[0])
    ChunkedLinearDiscriminantAnalysis().fit(sources[1])
    ChunkedKMeans(3, random_state=0).fit(sources[2])
    return {
        "linear regression": sources[0].passes == 1,
        "discriminant analysis": sources[1].passes == 1,
        "k-means until it stops": sources[2].passes == 1,
        "logistic regression": Words("its likelihood has no sufficient statistic of fixed size"),
    }


def quiz_merge():
    """Which of these numbers of a chunk can be merged exactly? (Mark all.)"""
    left, right, other = np.array([0.0, 1, 9]), np.array([2.0, 3, 4]), np.array([2.5, 3, 30])
    assert np.median(right) == np.median(other)
    x = np.arange(3.0)
    same = [x, x + 1], [x, x + 9]  # chunks with one slope
    slopes = [np.polyfit(np.append(x, x + 5), np.concatenate(pair), 1)[0] for pair in same]
    union = np.concatenate([left, right])
    return {
        "the largest value": max(left.max(), right.max()) == union.max(),
        "the median": np.median(union) == np.median(np.concatenate([left, other])),
        "the slope of a line": np.isclose(*slopes),
        "the count and the sum together": (len(left) + len(right), left.sum() + right.sum())
        == (len(union), union.sum()),
    }


def tf_rows():
    """The summary of a chunk for linear regression grows with the number of its rows."""
    sizes = [len(pickle.dumps(regression_sums(np.ones((n, 3)), np.ones(n)).gram)) for n in (10, 10_000)]
    return sizes[1] > sizes[0]


def tf_order():
    """The order in which chunks are merged changes the scatter only by rounding."""
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60.0)
    chunks = [(X[i : i + 12], y[i : i + 12]) for i in range(0, 60, 12)]
    orders = [np.random.default_rng(seed).permutation(5) for seed in range(5)]
    fits = [ChunkedLinearRegression().fit([chunks[i] for i in order]) for order in orders]
    whole = LinearRegression().fit(X, y)
    return all(np.allclose(fit.coef_, whole.coef_, rtol=1e-10) for fit in fits)


def tf_grows():
    """The scatter of a union is never smaller than the sum of the scatters of its parts."""
    S = lambda v: ((v - v.mean()) ** 2).sum()
    rng = np.random.default_rng(0)
    pairs = [rng.normal(size=(2, 5)) + rng.normal(size=(2, 1)) for _ in range(200)]
    return all(S(np.append(a, b)) >= S(a) + S(b) - 1e-12 for a, b in pairs)


def tf_batch():
    """Mini-batch k-means ends with the same centres as passes over all rows."""
    X = np.random.default_rng(0).normal(size=(300, 2))
    mu, counts = X[:3], np.zeros(3)
    for i in range(0, 300, 30):
        mu, counts = mini_batch_step(mu, counts, X[i : i + 30])
    return np.allclose(mu, lloyd(X, X[:3]).centers, atol=1e-3)


def tf_always():
    """With enough chunks every cluster beats a laptop."""
    seconds = lambda chunks, send: (1 + chunks / 2 * (send + 1.0), chunks * 1.0)  # two workers
    assert seconds(100, 0.1)[0] < seconds(100, 0.1)[1]
    return all(cluster < laptop for cluster, laptop in (seconds(10**k, 1.5) for k in range(2, 9)))


test_claim = decided("scaling/sufficient_statistics", globals())
