"""The Kalman filter: published numbers, one big Gaussian, plain loops, laws, extremes, errors."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import block_diag, solve_discrete_are
from scipy.stats import multivariate_normal
from sklearn.base import clone

from notes_lib.datasets import load_nile
from notes_lib.foundations.multivariate_gaussian import MultivariateGaussian, linear_gaussian
from notes_lib.linear.bayesian_regression import BayesianLinearRegression
from notes_lib.numerics import central_difference
from notes_lib.sequences.kalman_filter import (
    KalmanFilter,
    Prediction,
    joseph,
    kalman_gain,
    predict_step,
    smooth_step,
    smoother_gain,
    steady_state,
    update_step,
)

NOISE = ["transition_covariance", "observation_covariance"]


def covariance(rng, k, floor=0.1):
    B = rng.normal(size=(k, k))
    return B @ B.T + floor * np.eye(k)


def random_model(seed, d=2, m=1, radius=0.95):
    """A model whose states die out at the given rate."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(d, d))
    A *= radius / np.abs(np.linalg.eigvals(A)).max()
    return KalmanFilter(
        A, rng.normal(size=(m, d)), covariance(rng, d), covariance(rng, m), rng.normal(size=d), covariance(rng, d)
    )


def parameters(model):
    return [np.asarray(value, dtype=float) for value in model.get_params().values()]


def level(q=1.0, r=1.0, mean=0.0, variance=1.0):
    """Local level model: a random walk seen through noise."""
    return KalmanFilter([[1.0]], [[1.0]], [[q]], [[r]], [mean], [[variance]])


def whole(model, T):
    """Mean and covariance of all states at once, and the matrix and noise of all observations."""
    A, C, Q, R, mu, P = parameters(model)
    A, C = np.broadcast_to(A, (T - 1, *A.shape[-2:])), np.broadcast_to(C, (T, *C.shape[-2:]))
    d = len(mu)
    paths = np.eye(T * d)
    for t in range(1, T):  # z_t as a sum of the start and of all noise
        paths[t * d : (t + 1) * d, : t * d] = A[t - 1] @ paths[(t - 1) * d : t * d, : t * d]
    S = paths @ block_diag(P, *[Q] * (T - 1)) @ paths.T
    return paths[:, :d] @ mu, S, block_diag(*C), block_diag(*[R] * T)


def by_one_gaussian(model, X):
    """Means and covariances of all states given X, and the log-likelihood, by conditioning once."""
    X = np.ma.asarray(X)
    T, d = len(X), len(parameters(model)[4])
    mean, S, H, R = whole(model, T)
    seen = ~np.ma.getmaskarray(X).ravel()
    H, R, y = H[seen], R[np.ix_(seen, seen)], np.ma.getdata(X).ravel()[seen]
    V = H @ S @ H.T + R
    G = np.linalg.solve(V, H @ S).T
    P = S - G @ H @ S
    blocks = np.array([P[t * d : (t + 1) * d, t * d : (t + 1) * d] for t in range(T)])
    return (mean + G @ (y - H @ mean)).reshape(T, d), blocks, multivariate_normal(H @ mean, V).logpdf(y), P


def by_steps(model, X):
    """Filtered and smoothed means and covariances and the log-likelihood, one step after another."""
    A, C, Q, R, m, P = parameters(model)
    X = np.ma.asarray(X)
    predicted, filtered, score = [], [], 0.0
    for t, y in enumerate(X):
        if t:
            m, P = predict_step(m, P, A, Q)
        predicted.append(Prediction(m, P))
        seen = ~np.ma.getmaskarray(y)
        if seen.any():
            step = update_step(m, P, np.ma.getdata(y)[seen], C[seen], R[np.ix_(seen, seen)])
            m, P, score = step.mean, step.covariance, score + step.log_density
        filtered.append(Prediction(m, P))
    smoothed = [filtered[-1]]
    for t in range(len(X) - 2, -1, -1):
        smoothed.insert(0, smooth_step(*filtered[t], predicted[t + 1], smoothed[0], A))
    return filtered, smoothed, score


def masked(X, seed, share=0.3):
    """X with a random share of its numbers missing, but not the first one."""
    mask = np.random.default_rng(seed).random(X.shape) < share
    mask.flat[0] = False
    return np.ma.array(X, mask=mask)


# --- published numbers
def test_the_nile_has_the_hundred_published_values():
    data = load_nile()
    assert_array_equal(data.X.ravel(), np.arange(1871, 1971))
    # R's summary of its data set Nile, and its first and last values
    assert_allclose(np.quantile(data.y, [0, 0.25, 0.5, 0.75, 1]), [456, 798.5, 893.5, 1032.5, 1370])
    assert data.y.mean() == pytest.approx(919.35)
    assert data.y[[0, 1, 2, -2, -1]].tolist() == [1120, 1160, 963, 714, 740]


@pytest.mark.equation("kalman-filter-em-q", "kalman-filter-em-r")
def test_em_finds_the_published_variances_of_the_nile():
    # Durbin and Koopman (2012), section 2.10.3: 15099 and 1469.1
    y = load_nile().y
    model = level(1000.0, 10_000.0, 0.0, 1e9)
    model.em(y, 400, NOISE)
    assert_allclose(model.observation_covariance, [[15099]], rtol=2e-4)
    assert_allclose(model.transition_covariance, [[1469.1]], rtol=3e-4)
    # and they are a maximum: the score does not rise in any direction
    best = model.score(y)
    for q, r in [(1.05, 1), (0.95, 1), (1, 1.05), (1, 0.95)]:
        assert level(1469.1 * q, 15099 * r, 0.0, 1e9).score(y) < best


@pytest.mark.equation("kalman-filter-riccati")
def test_the_covariance_of_the_nile_settles_where_it_is_published():
    # Durbin and Koopman (2012), sections 2.2 and 2.11: a filtered variance of 4032
    model = level(1469.1, 15099.0, 0.0, 1e7)
    covariances = model.filter(load_nile().y).covariances
    assert covariances[-1, 0, 0] == pytest.approx(4032.16, abs=0.02)
    settled = steady_state([[1.0]], [[1.0]], [[1469.1]], [[15099.0]])
    assert_allclose(covariances[-1], settled.filtered, rtol=1e-10)


@pytest.mark.equation("kalman-filter-gain", "kalman-filter-update-mean")
def test_two_thermometers():
    """A guess of variance 4 and a reading of variance 1: the mean is weighted by the precisions, 1 to 4."""
    step = update_step([10.0], [[4.0]], [15.0], [[1.0]], [[1.0]])
    assert_allclose(step.gain, [[0.8]])
    assert_allclose(step.mean, [14.0])
    assert_allclose(step.covariance, [[0.8]])


# --- one big Gaussian
@pytest.mark.equation("kalman-filter-smooth-mean", "kalman-filter-smooth-covariance", "kalman-filter-likelihood")
@pytest.mark.parametrize(
    ("seed", "d", "m", "T"), [(0, 1, 1, 1), (1, 1, 1, 2), (2, 2, 1, 8), (3, 3, 2, 7), (4, 2, 3, 6)]
)
@pytest.mark.parametrize("gaps", [False, True])
def test_smoother_and_score_are_those_of_one_big_gaussian(seed, d, m, T, gaps):
    model = random_model(seed, d, m, radius=1.1 if seed == 2 else 0.9)
    X = model.sample(T, seed)[1]
    X = masked(X, seed) if gaps else X
    means, covariances, score, _ = by_one_gaussian(model, X)
    found = model.smooth(X)
    assert found.means.shape == (T, d)
    assert found.covariances.shape == (T, d, d)
    assert_allclose(found.means, means, atol=1e-10)
    assert_allclose(found.covariances, covariances, atol=1e-10)
    assert model.score(X) == pytest.approx(score, abs=1e-9)


@pytest.mark.equation("kalman-filter-update-mean", "kalman-filter-predict-mean", "kalman-filter-predict-covariance")
@pytest.mark.parametrize("seed", range(4))
def test_filter_is_the_smoother_of_each_beginning(seed):
    model = random_model(seed, 2, 2)
    X = masked(model.sample(8, seed)[1], seed)
    means, covariances = model.filter(X)
    for t in range(1, 9):
        m, P, _, _ = by_one_gaussian(model, X[:t])
        assert_allclose(means[t - 1], m[-1], atol=1e-10)
        assert_allclose(covariances[t - 1], P[-1], atol=1e-10)


@pytest.mark.equation("kalman-filter-dynamics", "kalman-filter-observation")
def test_matrices_that_change_with_the_step():
    rng = np.random.default_rng(5)
    T, d, m = 7, 2, 1
    model = random_model(5, d, m)
    model.set_params(
        transition_matrices=rng.normal(size=(T - 1, d, d)), observation_matrices=rng.normal(size=(T, m, d))
    )
    X = masked(model.sample(T, 0)[1], 1)
    means, covariances, score, _ = by_one_gaussian(model, X)
    found = model.smooth(X)
    assert_allclose(found.means, means, atol=1e-10)
    assert_allclose(found.covariances, covariances, atol=1e-10)
    assert model.score(X) == pytest.approx(score, abs=1e-9)
    only_C = model.set_params(transition_matrices=np.eye(2))
    assert_allclose(only_C.smooth(X).means, by_one_gaussian(only_C, X)[0], atol=1e-10)


@pytest.mark.equation("kalman-filter-joint", "kalman-filter-innovation")
def test_an_update_conditions_the_joint_gaussian():
    rng = np.random.default_rng(0)
    m, P, C, R, y = (
        rng.normal(size=3),
        covariance(rng, 3),
        rng.normal(size=(2, 3)),
        covariance(rng, 2),
        rng.normal(size=2),
    )
    joint = linear_gaussian(MultivariateGaussian(m, P), C, np.zeros(2), R)
    right = joint.condition([3, 4], y)
    step = update_step(m, P, y, C, R)
    assert_allclose(step.mean, right.mean)
    assert_allclose(step.covariance, right.covariance)
    assert step.log_density == pytest.approx(joint.marginal([3, 4]).logpdf(y))
    assert_allclose(step.innovation_covariance, joint.marginal([3, 4]).covariance)
    assert_allclose(step.innovation, y - C @ m)


# --- plain loops
def gaps_of_all_kinds(Y):
    mask = np.zeros(Y.shape, dtype=bool)
    mask[10] = mask[300:310] = mask[500:700, 0] = mask[880:] = True
    return np.ma.array(Y, mask=mask)


@pytest.mark.equation("kalman-filter-missing")
@pytest.mark.parametrize("radius", [0.5, 0.98, 1.0])
def test_passes_in_blocks_and_lanes_are_the_plain_steps(radius):
    C, start = [[1.0, 0.0], [0.5, 1.0]], 1e7 * np.eye(2)
    model = KalmanFilter([[1.0, 1.0], [0.0, radius]], C, 0.02 * np.eye(2), np.eye(2), [0.0, 0.0], start)
    Y = model.sample(900, 3)[1]
    for X in (Y[:400], gaps_of_all_kinds(Y), Y[:2], Y[:3], Y[:5]):
        filtered, smoothed, score = by_steps(model, X)
        scale = 1 + np.abs(Y).max()
        for found, plain in [(model.filter(X), filtered), (model.smooth(X), smoothed)]:
            assert_allclose(found.means, [p.mean for p in plain], atol=1e-10 * scale)
            assert_allclose(found.covariances, [p.covariance for p in plain], rtol=1e-9)
        assert model.score(X) == pytest.approx(score, rel=1e-10)


def test_observations_without_noise_and_states_without_noise():
    """Singular covariances: an exact reading, a state that does not move by chance, a start that is known."""
    exact = KalmanFilter(
        [[1.0, 1.0], [0.0, 1.0]], [[1.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]], [[0.0]], [0.0, 0.0], np.eye(2)
    )
    X = exact.sample(6, 0)[1]
    assert_allclose(exact.filter(X).means[:, 0], X[:, 0], atol=1e-12)
    means, covariances = exact.smooth(X)
    assert_allclose(means[:-1, 1], np.diff(X[:, 0]), atol=1e-9)  # the speed is the difference of two positions
    assert_allclose(covariances[:-1], 0, atol=1e-9)
    assert_allclose(exact.filter(exact.sample(300, 0)[1]).covariances[-1], [[0, 0], [0, 1]], atol=1e-9)
    known = KalmanFilter([[0.5]], [[1.0]], [[0.0]], [[1.0]], [2.0], [[0.0]])
    found = known.smooth(np.zeros(4))
    assert_allclose(found.means.ravel(), [2, 1, 0.5, 0.25])
    assert_array_equal(found.covariances, np.zeros((4, 1, 1)))
    states, _ = known.sample(3, 0)
    assert_allclose(states.ravel(), [2, 1, 0.5])


@pytest.mark.parametrize("gaps", ["none", "shared", "own"])
def test_many_series_are_each_as_one(gaps):
    model = random_model(1, 2, 2)
    X = np.array([model.sample(150, seed)[1] for seed in range(3)])
    if gaps != "none":
        X = masked(X, 0) if gaps == "own" else np.ma.array(X, mask=np.broadcast_to(masked(X[0], 0).mask, X.shape))
    score = model.score(X)
    for method in (model.filter, model.smooth):
        found = method(X)
        assert found.means.shape == (3, 150, 2)
        assert found.covariances.shape == (3, 150, 2, 2)
        for k in range(3):
            one = method(X[k])
            assert_allclose(found.means[k], one.means, atol=1e-11)
            assert_allclose(found.covariances[k], one.covariances, atol=1e-11)
    assert score.shape == (3,)
    assert_allclose(score, [model.score(x) for x in X])


def test_a_series_of_numbers_is_a_column():
    model = level()
    assert_array_equal(model.filter([1.0, 2.0]).means, model.filter([[1.0], [2.0]]).means)


def test_results_are_the_callers_own():
    model = random_model(1)
    X = np.stack([model.sample(20, 0)[1]] * 2)
    means, covariances = model.filter(X)
    means[:], covariances[0] = 0, 0
    assert np.abs(covariances[1]).min() > 0
    again = model.filter(X)
    assert np.abs(again.means).max() > 0
    mean = np.zeros(2)
    learned = KalmanFilter(np.eye(2), np.eye(2), np.eye(2), np.eye(2), mean, np.eye(2)).em(X[:, :, [0, 0]], 1, NOISE)
    assert not np.shares_memory(learned.transition_covariance, covariances)


# --- laws
@pytest.mark.equation("kalman-filter-update-covariance", "kalman-filter-joseph", "kalman-filter-information")
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3))
def test_forms_of_the_updated_covariance(seed, d, m):
    rng = np.random.default_rng(seed)
    P, C, R = covariance(rng, d), rng.normal(size=(m, d)), covariance(rng, m)
    K = kalman_gain(P, C, R)
    after = joseph(P, K, C, R)
    assert_allclose(after, (np.eye(d) - K @ C) @ P, atol=1e-9 * np.abs(P).max())
    precision = np.linalg.inv(P) + C.T @ np.linalg.inv(R) @ C
    assert_allclose(np.linalg.inv(after), precision, atol=1e-6 * np.abs(precision).max())
    assert_allclose(K, after @ C.T @ np.linalg.inv(R), atol=1e-8 * (1 + np.abs(K).max()))


@pytest.mark.equation("kalman-filter-gain")
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_no_other_gain_leaves_less_variance(seed):
    rng = np.random.default_rng(seed)
    P, C, R = covariance(rng, 3), rng.normal(size=(2, 3)), covariance(rng, 2)
    K = kalman_gain(P, C, R)
    other = K + 0.1 * rng.normal(size=K.shape)
    more = joseph(P, other, C, R) - joseph(P, K, C, R)
    assert np.linalg.eigvalsh(more).min() > -1e-10
    assert np.trace(more) > 0
    slope = central_difference(lambda k: np.trace(joseph(P, k.reshape(3, 2), C, R)), K.ravel())
    assert_allclose(slope, 0, atol=1e-6)


@pytest.mark.equation("kalman-filter-riccati", "kalman-filter-closed-loop")
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.floats(0.2, 1.5))
def test_steady_state_is_scipys(seed, d, radius):
    A, C, Q, R, _, _ = parameters(random_model(seed, d, 2, radius))
    found = steady_state(A, C, Q, R)
    right = solve_discrete_are(A.T, C.T, Q, R)
    assert_allclose(found.predicted, right, atol=1e-7 * np.abs(right).max())
    K = kalman_gain(found.predicted, C, R)
    assert_allclose(found.gain, K)
    assert_allclose(A @ found.filtered @ A.T + Q, found.predicted, atol=1e-9 * np.abs(right).max())
    assert np.abs(np.linalg.eigvals(A - A @ K @ C)).max() < 1


@pytest.mark.equation("kalman-filter-local-level")
@pytest.mark.parametrize(("q", "r"), [(1.0, 1.0), (2.0, 1.0), (0.01, 3.0)])
def test_steady_state_of_the_local_level(q, r):
    predicted = (q + np.sqrt(q**2 + 4 * q * r)) / 2
    found = steady_state([[1.0]], [[1.0]], [[q]], [[r]])
    assert_allclose(found.predicted, [[predicted]], rtol=1e-12)
    assert_allclose(level(q, r).filter(np.zeros(500)).covariances[-1], found.filtered, rtol=1e-10)


def test_what_grows_without_a_push_still_has_a_steady_state():
    found = steady_state([[2.0]], [[1.0]], [[0.0]], [[1.0]])
    assert_allclose(found.predicted, solve_discrete_are([[2.0]], [[1.0]], [[0.0]], [[1.0]]), rtol=1e-9)
    assert_allclose(found.predicted, [[3.0]], rtol=1e-9)
    A, C, Q = np.diag([1.5, 0.5]), np.array([[1.0, 1.0]]), np.diag([0.0, 1.0])
    found = steady_state(A, C, Q, [[2.0]])
    assert_allclose(found.predicted, solve_discrete_are(A.T, C.T, Q, [[2.0]]), rtol=1e-8)


@pytest.mark.parametrize(
    ("A", "C", "Q"),
    [
        ([[1.0]], [[0.0]], [[1.0]]),  # walks and is not seen
        ([[2.0]], [[0.0]], [[1.0]]),  # grows and is not seen
        ([[1.0]], [[1.0]], [[0.0]]),  # stays where it is: the gain falls with 1/t
        ([[1.0, 0.0], [0.0, 0.5]], [[0.0, 1.0]], np.eye(2)),
    ],
)
def test_without_a_steady_state(A, C, Q):
    with pytest.raises(ValueError, match="no steady state with a stable filter: a part of the state"):
        steady_state(A, C, Q, [[1.0]])


@pytest.mark.equation("kalman-filter-rls")
def test_without_noise_of_the_state_it_is_bayesian_regression():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    model = KalmanFilter(np.eye(3), X[:, None], np.zeros((3, 3)), [[0.25]], np.zeros(3), np.eye(3) / 2)
    means, covariances = model.filter(y)
    right = BayesianLinearRegression(alpha=2.0, beta=4.0, fit_intercept=False).fit(X, y)
    assert_allclose(means[-1], right.coef_)
    assert_allclose(covariances[-1], right.sigma_, atol=1e-12)
    assert model.score(y) == pytest.approx(right.log_evidence())
    assert_allclose(model.smooth(y).means, np.tile(means[-1], (30, 1)), atol=1e-9)


@pytest.mark.equation("kalman-filter-lag-one")
def test_covariance_of_neighbours():
    from notes_lib.sequences.kalman_filter import checks, passes

    model = random_model(3, 2, 1)
    X = model.sample(5, 0)[1]
    checked = checks.check_model(model.get_params())
    found = passes.smoother_pass(checked, passes.filter_pass(checked, checks.check_series(X, checked)))
    whole_covariance = by_one_gaussian(model, X)[3]
    for t in range(4):
        lag = found.covariances[t + 1, 0] @ found.G[t, 0].T
        assert_allclose(lag, whole_covariance[2 * t + 2 : 2 * t + 4, 2 * t : 2 * t + 2], atol=1e-12)


# --- EM
@pytest.mark.equation("kalman-filter-em-q", "kalman-filter-em-r")
@pytest.mark.parametrize("form", ["one", "gaps", "many", "many with gaps"])
@pytest.mark.parametrize("variables", [NOISE, None, "all"])
def test_em_never_lowers_the_likelihood(form, variables):
    truth = random_model(2, 2, 2)
    X = np.array([truth.sample(40, seed)[1] for seed in range(3)])
    X = X if "many" in form else X[0]
    if "gaps" in form:
        mask = np.zeros(X.shape, dtype=bool)
        mask[..., 10:13, :] = True
        if "many" in form:
            mask[1, 20:30] = True
        X = np.ma.array(X, mask=mask)
    model = random_model(7, 2, 2)
    named = tuple(model.get_params()) if variables == "all" else variables
    before, start = model.get_params(), np.sum(model.score(X))
    assert model.em(X, 8, *([] if named is None else [named])) is model
    assert len(model.objective_) == 9
    assert model.n_iter_ == 8
    assert model.objective_[0] == pytest.approx(start)
    assert model.objective_[-1] == pytest.approx(np.sum(model.score(X)))
    assert np.diff(model.objective_).min() > -1e-9
    assert model.objective_[-1] > model.objective_[0] + 1
    learned = named or [*NOISE, "initial_state_mean", "initial_state_covariance"]
    assert {k for k, v in model.get_params().items() if not np.array_equal(v, before[k])} == set(learned)


@pytest.mark.equation("kalman-filter-em-q", "kalman-filter-em-r")
@pytest.mark.parametrize("name", list(random_model(0).get_params()))
@pytest.mark.parametrize("seed", [4, 5])
def test_an_update_goes_along_the_gradient_of_the_likelihood(name, seed):
    """Fisher's identity: an update is a step along the slope of the likelihood, of a known length."""
    model, N, T = random_model(seed, 1, 1), 3, 12
    _, _, Q, R, _, P = (float(p.squeeze()) for p in parameters(model))
    X = np.array([model.sample(T, k)[1] for k in range(N)])
    X = np.ma.array(X, mask=np.broadcast_to(np.arange(T)[:, None] == 3, X.shape))
    at = np.ravel(getattr(model, name))

    def score(values):
        return np.sum(clone(model).set_params(**{name: values.reshape(np.shape(getattr(model, name)))}).score(X))

    slope = central_difference(score, at, 1e-5)
    means, covariances = model.smooth(X)
    squares = (means**2 + covariances[..., 0])[..., 0]
    length = {
        "transition_matrices": Q / squares[:, :-1].sum(),
        "observation_matrices": R / np.delete(squares, 3, axis=1).sum(),
        "transition_covariance": 2 * Q**2 / (N * (T - 1)),
        "observation_covariance": 2 * R**2 / (N * (T - 1)),  # one of the T rows is missing
        "initial_state_mean": P / N,
        "initial_state_covariance": 2 * P**2 / N,
    }[name]
    found = np.ravel(getattr(clone(model).em(X, 1, [name]), name))
    assert_allclose(found, at + length * slope, rtol=1e-5)


# --- extremes
def test_a_long_series():
    model = level(0.5, 2.0)
    X = model.sample(100_000, 0)[1]
    found = model.smooth(X)
    settled = steady_state([[1.0]], [[1.0]], [[0.5]], [[2.0]])
    assert_allclose(model.filter(X).covariances[-1], settled.filtered, rtol=1e-12)
    G = settled.filtered / settled.predicted
    middle = found.covariances[50_000]
    assert_allclose(middle, settled.filtered + G * (middle - settled.predicted) * G, rtol=1e-12)
    cut = model.smooth(X[49_900:50_100]).means[100]  # what is far away does not count
    assert_allclose(found.means[50_000], cut, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_do_not_count(scale):
    model, units = random_model(6, 2, 1), np.diag([1.0, scale])
    A, C, Q, R, mu, P = parameters(model)
    inverse = np.linalg.inv(units)
    other = KalmanFilter(units @ A @ inverse, C @ inverse, units @ Q @ units, R, units @ mu, units @ P @ units)
    X = model.sample(200, 0)[1]
    assert_allclose(other.smooth(X).means @ inverse, model.smooth(X).means, rtol=1e-6, atol=1e-6)
    assert other.score(X) == pytest.approx(model.score(X), rel=1e-9)


def test_states_that_grow_unseen_do_not_hide_the_others():
    model = KalmanFilter([[1.2, 0.0], [0.0, 1.0]], [[0.0, 1.0]], np.eye(2), [[1.0]], [0.0, 0.0], np.eye(2))
    X = level().sample(60, 0)[1]
    found = model.filter(X)
    assert_allclose(found.means[:, 1], level().filter(X).means[:, 0])
    assert found.covariances[-1, 0, 0] == pytest.approx((1.2**120 - 1) / 0.44, rel=1e-9)


def test_a_state_beyond_all_bounds_is_refused():
    model = KalmanFilter([[2.0, 0.0], [0.0, 1.0]], [[0.0, 1.0]], np.eye(2), [[1.0]], [0.0, 0.0], np.eye(2))
    with pytest.raises(ValueError, match="covariance of the state grows beyond what a float can hold at step 51"):
        model.filter(np.zeros(600))


def test_float32_and_order():
    model = random_model(1, 2, 2)
    X = model.sample(30, 0)[1]
    assert_allclose(model.filter(X.astype(np.float32)).means, model.filter(X).means, atol=1e-5)
    assert_array_equal(model.filter(np.asfortranarray(X)).means, model.filter(X).means)
    assert_array_equal(model.filter(np.repeat(X, 2, axis=0)[::2]).means, model.filter(X).means)


def test_copies():
    model = random_model(1)
    for twin in (clone(model), pickle.loads(pickle.dumps(model))):
        for a, b in zip(parameters(model), parameters(twin), strict=True):
            assert_array_equal(a, b)


def test_draws_have_the_moments_of_the_model():
    model, T = random_model(8, 2, 1), 3
    draws = [model.sample(T, seed) for seed in range(2000)]
    mean, S, H, R = whole(model, T)
    states, seen = (np.array([d[k].ravel() for d in draws]) for k in (0, 1))
    error = np.sqrt(np.diag(S) / 2000)
    assert (np.abs(states.mean(axis=0) - mean) < 4 * error).all()
    V = H @ S @ H.T + R
    assert_allclose(np.cov(seen.T), V, atol=0.12 * np.abs(V).max())
    assert_allclose(np.cov(states.T), S, atol=0.12 * np.abs(S).max())
    assert_array_equal(model.sample(5, 3)[1], model.sample(5, 3)[1])


# --- errors
GOOD = dict(zip(random_model(0).get_params(), parameters(random_model(0, 2, 1)), strict=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"transition_covariance": [[1.0, 2.0], [2.0, 1.0]]},
            "transition_covariance must be positive semidefinite, its sm",
        ),
        ({"observation_covariance": [[-1.0]]}, "observation_covariance must be positive semidefinite"),
        (
            {"initial_state_covariance": [[1.0, 0.0], [0.0, -1e-3]]},
            "initial_state_covariance must be positive semidefinite",
        ),
        ({"transition_covariance": [[1.0, 2.0], [0.0, 1.0]]}, "transition_covariance must be symmetric"),
        ({"transition_covariance": np.eye(3)}, r"transition_covariance must have shape \(2, 2\), got \(3, 3\)"),
        ({"observation_covariance": np.eye(2)}, r"observation_covariance must have shape \(1, 1\), got \(2, 2\)"),
        ({"initial_state_covariance": [1.0, 2.0]}, "initial_state_covariance must be a square matrix"),
        ({"transition_matrices": np.eye(3)}, r"transition_matrices must have shape \(2, 2\), got \(3, 3\)"),
        ({"transition_matrices": np.ones((4, 2, 2))}, "transition_matrices must be one matrix or 2, one for each move"),
        (
            {"observation_matrices": np.ones((4, 1, 2))},
            "observation_matrices must be one matrix or 3, one for each step",
        ),
        ({"observation_matrices": [[1.0]]}, r"observation_matrices must have shape \(d, 2\), got \(1, 1\)"),
        ({"observation_matrices": np.empty((0, 2))}, "observation_matrices must have at least one row"),
        ({"observation_matrices": [[np.nan, 1.0]]}, "observation_matrices must be finite"),
        ({"initial_state_mean": [[1.0, 2.0]]}, r"initial_state_mean must be a vector"),
    ],
)
def test_bad_parameters(change, message):
    model = KalmanFilter(**(GOOD | change))
    for call in (model.filter, model.smooth, model.score):
        with pytest.raises(ValueError, match=message):
            call(np.zeros((3, 1)))


def test_text_is_refused():
    with pytest.raises(TypeError, match="transition_matrices must hold real numbers"):
        KalmanFilter(**(GOOD | {"transition_matrices": [["a", "b"], ["c", "d"]]})).filter(np.zeros((3, 1)))
    with pytest.raises(TypeError, match="X must hold real numbers"):
        KalmanFilter(**GOOD).filter([["a"]])


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((3, 2)), r"X must be \(T, 1\), a row for each step.*got shape \(3, 2\)"),
        (np.zeros((0, 1)), r"X must be \(T, 1\).*got shape \(0, 1\)"),
        (np.float64(3), r"X must be \(T, 1\)"),
        (np.zeros((2, 2, 2, 1)), r"X must be \(T, 1\)"),
        ([[0.0], [np.nan]], "X holds NaN or infinity at step 1 outside a mask: mask what is missing"),
        ([[[0.0], [0.0]], [[0.0], [np.inf]]], "X holds NaN or infinity at series 1, step 1 outside a mask"),
        (np.ma.array([[1.0], [np.nan]], mask=[[True], [False]]), "X holds NaN or infinity at step 1 outside a mask"),
        (np.ma.masked_all((3, 1)), "X is masked as a whole: there must be at least one observation"),
        (np.ma.array(np.zeros((2, 2, 1)), mask=[[[0], [0]], [[1], [1]]]), "series 1 of X is masked as a whole"),
    ],
)
def test_bad_series(X, message):
    model = KalmanFilter(**GOOD)
    for call in (model.filter, model.smooth, model.score, model.em):
        with pytest.raises(ValueError, match=message):
            call(X)


def test_nan_under_a_mask_is_missing():
    model = KalmanFilter(**GOOD)
    X = np.array([[1.0], [np.nan], [2.0]])
    found = model.smooth(np.ma.masked_invalid(X))
    assert np.isfinite(found.means).all()
    assert_allclose(found.means, by_one_gaussian(model, np.ma.array([[1.0], [0.0], [2.0]], mask=np.isnan(X)))[0])


def test_an_observation_that_is_known_beforehand():
    model = KalmanFilter(np.eye(1), np.eye(1), [[0.0]], [[0.0]], [0.0], [[1.0]])
    with pytest.raises(
        ValueError, match=r"observation of step 1 has a singular covariance.*observation_covariance positive"
    ):
        model.filter([1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match=r"innovation covariance C P C' \+ R is not positive definite"):
        kalman_gain([[0.0]], [[1.0]], [[0.0]])


def test_errors_of_em():
    model = KalmanFilter(**GOOD)
    X = np.zeros((4, 1))
    with pytest.raises(ValueError, match="n_iter"):
        model.em(X, 0)
    with pytest.raises(ValueError, match="em_vars"):
        model.em(X, 1, ["noise"])
    with pytest.raises(ValueError, match="at least two steps"):
        model.em(X[:1])
    two = random_model(0, 2, 2)
    with pytest.raises(ValueError, match="mask whole rows"):
        two.em(np.ma.array(np.zeros((3, 2)), mask=[[0, 0], [1, 0], [0, 0]]))
    for name, n in [("transition_matrices", 3), ("observation_matrices", 4)]:
        changing = KalmanFilter(**(GOOD | {name: np.stack([GOOD[name]] * n)}))
        with pytest.raises(ValueError, match=f"em needs {name} that do not change"):
            changing.em(X)


def test_errors_of_draws_and_names():
    with pytest.raises(ValueError, match="n_timesteps"):
        level().sample(0)
    with pytest.raises(ValueError, match="has no parameter 'A'"):
        level().set_params(A=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: predict_step([0.0], [[1.0]], np.eye(2), [[1.0]]), r"A must have shape \(1, 1\)"),
        (lambda: predict_step([0.0], [[-1.0]], [[1.0]], [[1.0]]), "covariance must be positive semidefinite"),
        (lambda: predict_step([0.0], [[1.0]], [[1.0]], [[-1.0]]), "Q must be positive semidefinite"),
        (lambda: update_step([0.0], [[1.0]], [1.0, 2.0], [[1.0]], [[1.0]]), r"y must be a vector of shape \(1,\)"),
        (lambda: update_step([0.0], [[1.0]], [1.0], [[1.0, 0.0]], [[1.0]]), "C must have one column for each number"),
        (lambda: kalman_gain([[1.0]], [[1.0]], [[-1.0]]), "R must be positive semidefinite"),
        (lambda: joseph([[1.0]], [[1.0, 1.0]], [[1.0]], [[1.0]]), r"gain must have shape \(1, 1\)"),
        (lambda: smoother_gain([[1.0]], np.eye(2), [[1.0]]), r"A must have shape \(1, 1\)"),
        (lambda: smoother_gain([[1.0]], np.eye(1), np.eye(2)), r"predicted must have shape \(1, 1\)"),
        (
            lambda: smooth_step([0.0], [[1.0]], ([0.0, 0.0], np.eye(2)), ([0.0], [[1.0]]), [[1.0]]),
            "mean, predicted and smoothed must have one length, got 1, 2, 1",
        ),
        (lambda: steady_state([[1.0]], [[1.0]], [[1.0]], [[0.0]]), "R is not positive definite"),
        (lambda: steady_state([[1.0, 2.0]], [[1.0]], [[1.0]], [[1.0]]), "A must be a square matrix"),
    ],
)
def test_errors_of_the_steps(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_smoother_gain_of_a_singular_prediction():
    """A state that is known after a move: the gain is the one of the part that moves."""
    P, A = np.diag([2.0, 0.0]), np.eye(2)
    assert_allclose(smoother_gain(P, A, P), np.diag([1.0, 0.0]))


@pytest.mark.parametrize(("seed", "gaps"), list(itertools.product(range(2), [False, True])))
def test_score_is_the_sum_of_the_steps(seed, gaps):
    model = random_model(seed, 3, 2)
    X = model.sample(40, seed)[1]
    X = masked(X, seed) if gaps else X
    assert model.score(X) == pytest.approx(by_steps(model, X)[2], abs=1e-9)
