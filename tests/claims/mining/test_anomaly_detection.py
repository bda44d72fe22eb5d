"""The quiz of the chapter *Anomaly detection*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import chi2

from notes_lib.mining.anomaly_detection import (
    IsolationForest,
    LocalOutlierFactor,
    MahalanobisDetector,
    OneClassSVM,
    nearest_others,
)
from tests.claims.deciding import Numbers, decided


def quiz_threshold(level):
    r"""Two columns, Gaussian rows, $\alpha=<level>$. The threshold of the squared Mahalanobis distance is"""
    right, one = chi2(2).ppf(1 - level), chi2(1).ppf(1 - level)
    return Numbers(right, [np.sqrt(right), one, np.sqrt(one)])


def quiz_masking(equal, rows):
    """<equal> of <rows> rows are equal. Their squared Mahalanobis distance, measured with all rows, is at most"""
    M, N = int(equal), int(rows)
    far = [
        MahalanobisDetector().fit(X).mahalanobis(X[-1:])[0]
        for out in (1e3, 1e5)
        for X in [np.vstack([np.random.default_rng(0).normal(size=(N - M, 2)), np.full((M, 2), out)])]
    ]
    assert far[0] < far[1]
    right = round(far[1], 3)
    return Numbers(right, [N - 1, N / M, np.sqrt(right)])


def _cuts(n):
    """Mean depth of a leaf over all sequences of divisions."""
    return 0 if n == 1 else 1 + sum(i * _cuts(i) + (n - i) * _cuts(n - i) for i in range(1, n)) / n / (n - 1)


def quiz_cn(first, second):
    """In an isolation forest $c(<first>)$ and $c(<second>)$ are"""
    sizes = int(first), int(second)
    right = np.array([_cuts(n) for n in sizes])
    wholes = np.array([n - 1 for n in sizes])
    harmonic = np.array([2 * sum(1 / i for i in range(1, n + 1)) for n in sizes])
    return Numbers(right, [wholes, harmonic, right * sizes])


def quiz_rare(rows, hits, false):
    r"""One row in <rows> is odd, <hits> % of these and <false> % of the others ring. The share of true alarms is"""
    caught, wrong = hits / 100, false / 100 * (rows - 1)
    right = caught / (caught + wrong)
    return Numbers(right, [hits / 100, 1 - false / 100, caught / (caught + false / 100 * (rows / 10 - 1))])


def _two(seed=0):
    return np.random.default_rng(seed).normal(size=(80, 2))


def quiz_scale(factor):
    """Which scores stay the same when one column is multiplied by <factor>? (Mark all.)"""
    X = _two()
    Z = X * [1, factor]
    same = lambda score: bool(np.allclose(score(X), score(Z), rtol=1e-6))
    return {
        "the Mahalanobis distance": same(lambda A: MahalanobisDetector().fit(A).mahalanobis(A)),
        "the local outlier factor": same(lambda A: LocalOutlierFactor(5).fit(A).negative_outlier_factor_),
        "the isolation forest, with the same random numbers": same(
            lambda A: IsolationForest(random_state=0).fit(A).score_samples(A)
        ),
        "the distance of the <k>th neighbour": lambda k: same(lambda A: nearest_others(A, int(k)).distances[:, -1]),
    }


def _hidden(far=20.0, alpha=0.025, robust=False):
    """Share of 30 equal rows among 130 that raise no alarm."""
    X = np.vstack([np.random.default_rng(0).normal(size=(100, 2)), np.full((30, 2), far)])
    return (MahalanobisDetector("auto", alpha=alpha, robust=robust).fit(X).predict(X[100:]) == 1).mean()


def _rank(sample):
    """Mean rank, from the odd end, of a clump of 30 rows among 300 for samples of this size."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(270, 2)), rng.normal(3.2, 0.05, size=(30, 2))])
    ranks = []
    for seed in range(10):
        scores = IsolationForest(max_samples=sample, random_state=seed).fit(X).score_samples(X)
        ranks.append(np.argsort(np.argsort(scores))[270:].mean())
    return np.mean(ranks)


def quiz_masking_remedy():
    """What helps against masking? (Mark all.)"""
    base = _hidden()
    assert base == 1
    return {
        "fitting mean and covariance to the closest half of the rows": _hidden(robust=True) < base,
        "moving the outliers farther away": _hidden(far=1e4) < base,
        "a smaller share of false alarms": _hidden(alpha=0.001) < base,
        "smaller samples for the trees of an isolation forest": _rank(24) < _rank(300) - 5,
    }


def tf_scale(factor):
    """The local outlier factor does not change when all coordinates are multiplied by <factor>."""
    X = _two()
    factors = LocalOutlierFactor(5).fit(X).negative_outlier_factor_
    assert not np.allclose(LocalOutlierFactor(5).fit(X**3).negative_outlier_factor_, factors)
    return np.allclose(LocalOutlierFactor(5).fit(factor * X).negative_outlier_factor_, factors)


def tf_symmetric():
    """The reachability distance is symmetric."""
    X = np.array([[0.0], [1.0], [3.0]])
    D, own = cdist(X, X), nearest_others(X, 2).distances[:, -1]
    reach = np.maximum(D, own[None, :])
    assert np.allclose(D, D.T)
    return np.allclose(reach, reach.T)


def tf_nu(nu):
    r"""With $\nu=<nu>$ exactly a tenth of the fitted rows lies outside."""
    assert nu == 0.1
    outside = [(OneClassSVM(nu=nu, tol=1e-9).fit(X).decision_function(X) < -1e-6).mean() for X in map(_two, range(4))]
    assert max(outside) <= nu
    return all(share == 0.1 for share in outside)


def tf_sum():
    """The squared Mahalanobis distances of all $N$ rows sum to $N\\,D$, whatever the outliers are."""
    sums = []
    for far in (0, 5, 1e3):
        X = np.vstack([_two(), [[far, -far]]])
        sums.append(MahalanobisDetector().fit(X).mahalanobis(X).sum())
    return np.allclose(sums, 81 * 2)


def tf_contamination():
    """A change of the contamination changes the order of the scores."""
    X = _two()
    few, many = (IsolationForest(contamination=c, random_state=0).fit(X) for c in (0.05, 0.3))
    assert (few.predict(X) != many.predict(X)).any()
    return not np.array_equal(np.argsort(few.score_samples(X)), np.argsort(many.score_samples(X)))


test_claim = decided("mining/anomaly_detection", globals())
