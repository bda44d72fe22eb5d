"""The quiz of the chapter *The Kalman filter*, decided: see ``tests/claims/deciding.py``."""

from functools import cache

import numpy as np

from notes_lib.sequences.kalman_filter import KalmanFilter, kalman_gain, update_step
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


def _level(q, r, variance=10.0):
    return KalmanFilter([[1.0]], [[1.0]], [[q]], [[r]], [0.0], [[variance]])


@cache
def _models():
    """Models with two states, and readings that they have drawn."""
    found = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        A, (B, D) = 0.5 * rng.normal(size=(2, 2)), rng.normal(size=(2, 2, 2))
        model = KalmanFilter(A, rng.normal(size=(1, 2)), B @ B.T, [[1.0]], np.zeros(2), D @ D.T)
        found.append((model, model.sample(15, seed)[1]))
    return found


def quiz_gain(predicted, noise):
    """A level has the predicted variance <predicted> and is read with the variance <noise>. The gain is"""
    gain = update_step([0.0], [[predicted]], [1.0], [[1.0]], [[noise]]).mean[0]
    return Numbers(gain, [1 - gain, predicted / noise, 0.5])


def quiz_steady(q, r):
    """A local level has $q=<q>$ and $r=<r>$. Its predicted variance settles at"""
    filtered = _level(q, r).filter(np.zeros(500)).covariances[-1, 0, 0]
    return Numbers(filtered + q, [filtered, q + r, q * r])


def quiz_depend():
    """Which of these depend on what was read? (Mark all; noises and matrices are given.)"""
    model, X = _models()[0]
    other = X + np.random.default_rng(0).normal(size=X.shape)
    differ = lambda a, b: not np.allclose(a, b, atol=SMALL)

    def gain(X):
        """Of the last update, from what the filter said before it."""
        P = model.filter(X[:-1]).covariances[-1]
        A, Q = model.transition_matrices, model.transition_covariance
        return kalman_gain(A @ P @ A.T + Q, model.observation_matrices, [[1.0]])

    return {
        "the filtered mean": differ(model.filter(X).means, model.filter(other).means),
        "the gain": differ(gain(X), gain(other)),
        "the smoothed covariance": differ(model.smooth(X).covariances, model.smooth(other).covariances),
        "the log-likelihood": differ(model.score(X), model.score(other)),
    }


def quiz_missing():
    """A reading is missing. What does the filter do at this step?"""
    model, lost = _level(1.0, 2.0), np.array([False, False, True])
    X = np.ma.array([3.0, 5.0, 0.0], mask=lost)
    found = np.array([v[-1].item() for v in model.filter(X)])
    before = np.array([v[1].item() for v in model.filter(X)])
    put = lambda value: np.array([v[-1].item() for v in model.filter(np.ma.filled(X, value))])
    same = lambda a: np.allclose(found, a, atol=SMALL)
    return {
        "it predicts and does not update": same(before + np.array([0.0, 1.0])),
        "it updates with the last reading": same(put(5.0)),
        "it updates with the predicted reading": same(put(before[0])),
        "it leaves mean and variance as they were": same(before),
    }


def tf_smaller():
    """The smoothed variance of a state is never larger than its filtered variance."""
    gaps = [model.filter(X).covariances - model.smooth(X).covariances for model, X in _models()]
    return min(np.linalg.eigvalsh(gap).min() for gap in gaps) > -SMALL


def tf_last():
    """At the last step, filter and smoother differ."""
    pairs = [(model.filter(X), model.smooth(X)) for model, X in _models()]
    assert all(np.abs(f.means[0] - s.means[0]).max() > SMALL for f, s in pairs)
    return any(np.abs(f.means[-1] - s.means[-1]).max() > SMALL for f, s in pairs)


def tf_linear():
    """If the noise is not Gaussian, no linear estimate has a smaller mean squared error than the Kalman filter with the
    right variances."""
    model, T, n = _level(1.0, 2.0, 1.0), 4, 200_000
    rng = np.random.default_rng(0)
    coin = lambda variance, shape: np.sqrt(variance) * rng.choice([-1.0, 1.0], shape)
    z = np.cumsum(coin(1.0, (n, T)), axis=1)
    y = z + coin(2.0, (n, T))
    own = model.filter(y[:, :, None]).means[:, -1, 0]
    best = y @ np.linalg.lstsq(y, z[:, -1], rcond=None)[0]  # in hindsight
    gain = np.mean((own - z[:, -1]) ** 2) - np.mean((best - z[:, -1]) ** 2)
    return gain < 20 / n  # what four fitted numbers gain by chance


def tf_still():
    """A level that does not move has a steady gain above 0."""
    variance = _level(0.0, 1.0).filter(np.zeros(10_000)).covariances[:, 0, 0]
    gain = variance / 1.0
    assert np.isclose(gain[-1] * 10_000, 1, rtol=1e-2)
    return gain[-1] > 0.9 * gain[len(gain) // 2]


def tf_double():
    """Doubling $q$ and $r$ leaves the gains as they are, if the start is doubled, too."""
    X = np.eye(6)[0]  # what the filter makes of a one shows its gains
    weights = [_level(q, r, p).filter(np.roll(X, k)).means for k in range(6) for q, r, p in [(1.0, 2.0, 3.0)]]
    doubled = [_level(q, r, p).filter(np.roll(X, k)).means for k in range(6) for q, r, p in [(2.0, 4.0, 6.0)]]
    return np.allclose(weights, doubled, atol=SMALL)


test_claim = decided("sequences/kalman_filter", globals())
