"""Bias and variance against all training sets at once, closed forms, leaving sets out one by one, laws, bad input."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor

from notes_lib.theory.bias_variance import (
    bias_variance_decomposition,
    decompose,
    jackknife_error,
    optimism,
    smoother_decomposition,
    standard_errors,
    zero_one_parts,
)

X_FOUR = np.array([-1.0, 0.0, 1.0, 2.0])
TRUTH = np.array([1.0, 0.0, 1.0, 4.0])  # the square
QUERY = np.array([-0.5, 1.5])


def all_training_sets():
    """All 16 sets with targets truth plus or minus 1, equally likely: noise 1."""
    return [TRUTH + np.array(signs) for signs in product([-1, 1], repeat=4)]


def line(x, y, query):
    """Least squares line by its two sums."""
    slope = ((x - x.mean()) * y).sum() / ((x - x.mean()) ** 2).sum()
    return y.mean() + slope * (query - x.mean())


@pytest.mark.equation("bias-variance-floor", "bias-variance-decomposition", "bias-variance-averaged-risk")
def test_parts_add_up_to_the_risk_over_all_training_sets_and_targets():
    fits = np.array([line(X_FOUR, y, QUERY) for y in all_training_sets()])
    risk = [(((h + e) - fits[:, i]) ** 2).mean() for i, h in enumerate(QUERY**2) for e in (-1, 1)]
    risk = np.reshape(risk, (2, 2)).mean(axis=1)
    bias, variance = fits.mean(axis=0) - QUERY**2, fits.var(axis=0)  # divisor 16: these are all sets, not a sample
    assert_allclose(risk, 1 + bias**2 + variance, rtol=1e-13)
    L = np.column_stack([line(X_FOUR, e, QUERY) for e in np.eye(4)])
    exact = smoother_decomposition(L, TRUTH, QUERY**2, 1.0)
    assert_allclose(exact.risk, risk, rtol=1e-13)
    assert_allclose(exact.variance, variance, rtol=1e-13)
    assert_allclose(exact.average_prediction, fits.mean(axis=0), rtol=1e-13)
    assert_allclose(exact.noise, [1, 1])


@pytest.mark.equation("bias-variance-three", "bias-variance-cross", "bias-variance-training", "bias-variance-parts")
def test_cross_terms_vanish_for_new_targets_and_not_for_training_targets():
    sets = np.array(all_training_sets())
    fits = np.array([line(X_FOUR, y, X_FOUR[3]) for y in sets])
    h, average = TRUTH[3], fits.mean()
    L = [[line(X_FOUR, e, X_FOUR[3]) for e in np.eye(4)]]
    parts = smoother_decomposition(L, TRUTH, [h], 1.0)
    assert parts.average_prediction[0] - h == pytest.approx(average - h)
    squares = parts.risk[0]
    for signs, cross in [(np.array([[1], [-1]]), 0.0), (sets[:, 3] - h, -2 * ((sets[:, 3] - h) * fits).mean())]:
        y = h + signs
        assert ((y - fits) ** 2).mean() == pytest.approx(squares + cross)
        three = (y - h, h - average, average - fits)
        doubled = [2 * np.mean(three[i] * three[j]) for i, j in [(0, 1), (1, 2), (0, 2)]]
        assert_allclose(doubled, [0, 0, cross], atol=1e-13)
    assert cross < -1  # the last one, on training targets


@pytest.mark.equation("bias-variance-knn")
@pytest.mark.parametrize("k", [21, 41, 61])
def test_neighbours_of_a_bent_curve(k):
    u = (np.arange(401) - 200) / 401
    L = (np.abs(u) < k / 802) / k
    parts = smoother_decomposition([L], 3 + u + 2 * u**2, [3.0], 0.5)  # second derivative 4
    assert parts.squared_bias[0] == pytest.approx(4**2 / 576 * (k / 401) ** 4, rel=0.02)
    assert parts.variance[0] == pytest.approx(0.5 / k)


@pytest.mark.equation("bias-variance-pairs", "bias-variance-average")
def test_estimates_are_unbiased_over_all_samples_of_training_sets():
    fits = np.array([line(X_FOUR, y, QUERY) for y in all_training_sets()])
    target = QUERY**2
    found = [decompose(fits[list(pick)], target) for pick in product(range(16), repeat=2)]
    assert_allclose(np.mean([p.squared_bias for p in found], axis=0), (fits.mean(axis=0) - target) ** 2, rtol=1e-12)
    assert_allclose(np.mean([p.variance for p in found], axis=0), fits.var(axis=0), rtol=1e-12)


@pytest.mark.equation("bias-variance-pairs")
@pytest.mark.parametrize("seed", range(5))
def test_estimates_are_means_over_pairs(seed):
    rng = np.random.default_rng(seed)
    F, target = rng.normal(size=(7, 3)), rng.normal(size=3)
    pairs = list(combinations(range(7), 2))
    parts = decompose(F, target, 0.3)
    assert_allclose(parts.squared_bias, np.mean([(F[s] - target) * (F[t] - target) for s, t in pairs], axis=0))
    assert_allclose(parts.variance, np.mean([(F[s] - F[t]) ** 2 / 2 for s, t in pairs], axis=0))
    assert_allclose(parts.risk, 0.3 + ((F - target) ** 2).mean(axis=0))


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.floats(-1e3, 1e3), st.floats(-5, 5))
def test_parts_follow_shifts_and_scales(seed, shift, scale):
    rng = np.random.default_rng(seed)
    F, target = rng.normal(size=(5, 4)), rng.normal(size=4)
    one, two = decompose(F, target), decompose(scale * F + shift, scale * target + shift)
    assert_allclose(two.variance, scale**2 * one.variance, atol=1e-9)
    assert_allclose(two.squared_bias, scale**2 * one.squared_bias, atol=1e-8)
    errors, others = standard_errors(F, target), standard_errors(scale * F + shift, scale * target + shift)
    assert_allclose(others, scale**2 * np.array(errors), atol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_standard_errors_are_those_of_leaving_each_set_out(seed):
    rng = np.random.default_rng(seed)
    F, target = rng.normal(size=(9, 4)) + 0.5, rng.normal(size=4)
    errors = standard_errors(F, target)
    left = [decompose(np.delete(F, s, axis=0), target) for s in range(9)]
    for name in ("squared_bias", "variance", "risk"):
        values = np.array([getattr(parts, name).mean() for parts in left])
        assert getattr(errors, name) == pytest.approx(np.sqrt(8 / 9 * ((values - values.mean()) ** 2).sum()))


@pytest.mark.equation("resampling-jackknife-error")
def test_jackknife_error_of_a_mean_is_its_standard_error():
    x = np.array([1.0, 2.0, 6.0, -3.0, 0.5])
    means = [np.mean(rest) for rest in combinations(x, 4)]
    assert jackknife_error(means) == pytest.approx(np.std(x, ddof=1) / np.sqrt(5), rel=1e-13)


def test_standard_errors_have_the_size_of_the_spread():
    rng = np.random.default_rng(0)
    target = np.array([0.0, 1.0])
    runs = rng.normal(size=(1000, 40, 2)) + 0.3
    found = [decompose(F, target) for F in runs]
    errors = np.mean([standard_errors(F, target) for F in runs], axis=0)
    for k, name in enumerate(["squared_bias", "variance", "risk"]):
        spread = np.std([getattr(parts, name).mean() for parts in found], ddof=1)
        assert errors[k] == pytest.approx(spread, rel=0.1)


def parabola(rng):
    return X_FOUR[:, None], TRUTH + rng.normal(size=4)


def smoothers():
    design = np.column_stack([np.ones(4), X_FOUR])
    asked = np.column_stack([np.ones(2), QUERY])
    near = np.array([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    centred, centred_query = X_FOUR - X_FOUR.mean(), QUERY - X_FOUR.mean()
    pulled = 0.25 + np.outer(centred_query, centred) / ((centred**2).sum() + 3)
    yield LinearRegression(), asked @ np.linalg.pinv(design)
    yield KNeighborsRegressor(n_neighbors=2), near
    yield Ridge(alpha=3.0), pulled


@pytest.mark.equation("bias-variance-linear", "bias-variance-decomposition")
@pytest.mark.parametrize(("estimator", "L"), [*smoothers()], ids=lambda v: type(v).__name__)
def test_simulation_agrees_with_the_closed_form(estimator, L):
    exact = smoother_decomposition(L, TRUTH, QUERY**2, 1.0)
    found = bias_variance_decomposition(
        estimator, parabola, QUERY[:, None], QUERY**2, noise=1.0, n_datasets=400, random_state=1
    )
    assert found.predictions.shape == (400, 2)
    for name in ("squared_bias", "variance", "risk"):
        gap = getattr(found.parts, name).mean() - getattr(exact, name).mean()
        error = getattr(found.errors, name)
        assert abs(gap) < 3 * error
        assert error < 0.2 * getattr(exact, name).mean() + 0.05


def test_the_estimator_itself_is_not_fitted_and_seeds_count():
    model = LinearRegression()
    runs = [
        bias_variance_decomposition(model, parabola, [[0.0]], [0.0], n_datasets=3, random_state=seed).predictions
        for seed in (0, 0, 1)
    ]
    assert not hasattr(model, "coef_")
    assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_without_options_a_hundred_training_sets_and_no_noise():
    found = bias_variance_decomposition(LinearRegression(), parabola, [[0.0]], [0.0], random_state=0)
    assert found.predictions.shape == (100, 1)
    for parts in (found.parts, decompose(found.predictions, [0.0])):
        assert parts.risk == pytest.approx((found.predictions**2).mean())


@pytest.mark.equation("bias-variance-optimism", "bias-variance-training")
def test_optimism_over_all_training_sets():
    L = np.column_stack([line(X_FOUR, e, X_FOUR) for e in np.eye(4)])
    sets = np.array(all_training_sets())
    fits = sets @ L.T
    training = ((sets - fits) ** 2).mean()
    fresh = np.mean([((other - fits) ** 2).mean() for other in sets])
    assert optimism(L, 1.0) == pytest.approx(fresh - training, rel=1e-13)
    assert optimism(L, 3.0) == pytest.approx(2 * 3.0 * 2 / 4)  # two parameters, four points
    assert fresh == pytest.approx(smoother_decomposition(L, TRUTH, TRUTH, 1.0).risk.mean())


@pytest.mark.equation("bias-variance-noise-free")
def test_an_observed_target_moves_the_noise_into_the_bias():
    fits = np.array([line(X_FOUR, y, QUERY) for y in all_training_sets()])
    told = [decompose(fits, QUERY**2 + np.array(e)) for e in product([-1, 1], repeat=2)]
    mean = np.mean([parts.squared_bias for parts in told], axis=0)
    assert_allclose(mean, 1 + decompose(fits, QUERY**2).squared_bias)


@pytest.mark.equation("bias-variance-averaging")
def test_averaging_independent_fits_keeps_the_bias_and_divides_the_variance():
    fits = np.array([line(X_FOUR, y, QUERY) for y in all_training_sets()])
    means = np.array([(a + b) / 2 for a in fits for b in fits])
    assert_allclose(means.mean(axis=0), fits.mean(axis=0))
    assert_allclose(means.var(axis=0), fits.var(axis=0) / 2)


@pytest.mark.equation("bias-variance-shrinkage")
@pytest.mark.parametrize(("theta", "v"), [(2.0, 1.0), (0.5, 4.0), (-3.0, 0.2)])
def test_the_best_shrinkage_of_one_unbiased_estimate(theta, v):
    factors = np.linspace(0, 1, 10_001)
    risks = [smoother_decomposition([[c]], [theta], [theta], v).risk[0] - v for c in factors]
    best = theta**2 / (theta**2 + v)
    assert factors[int(np.argmin(risks))] == pytest.approx(best, abs=1e-4)
    assert min(risks) == pytest.approx(theta**2 * v / (theta**2 + v), abs=1e-6)


@pytest.mark.equation("bias-variance-minimum-norm")
@pytest.mark.parametrize("columns", [3, 12])
def test_variance_of_the_shortest_weights(columns):
    rng = np.random.default_rng(columns)
    features, asked = rng.normal(size=(6, columns)), rng.normal(size=(4, columns))
    _, s, Vt = np.linalg.svd(features, full_matrices=False)
    parts = smoother_decomposition(asked @ np.linalg.pinv(features), np.zeros(6), np.zeros(4), 0.7)
    assert_allclose(parts.variance, 0.7 * (((asked @ Vt.T) / s) ** 2).sum(axis=1), rtol=1e-10)
    fit = LinearRegression(fit_intercept=False)
    exact = np.column_stack([fit.fit(features, e).predict(asked) for e in np.eye(6)])
    assert_allclose(exact, asked @ np.linalg.pinv(features), atol=1e-10)


@pytest.mark.equation("bias-variance-zero-one")
@settings(max_examples=60)
@given(st.integers(1, 9), st.integers(1, 5), st.integers(0, 10**6))
def test_zero_one_parts_for_two_classes(S, n, seed):
    rng = np.random.default_rng(seed)
    F, y = rng.integers(0, 2, size=(S, n)), rng.integers(0, 2, size=n)
    parts = zero_one_parts(F, y)
    assert_allclose(parts.risk, parts.bias + (1 - 2 * parts.bias) * parts.variance, atol=1e-12)
    assert_array_equal(parts.main_prediction, (2 * F.sum(axis=0) > S).astype(int))
    assert (parts.variance <= 0.5).all()


def test_zero_one_parts_of_three_classes_are_no_sum():
    F = np.array([["b"], ["b"], ["c"], ["a"], ["b"]])
    parts = zero_one_parts(F, ["a"])
    assert parts.main_prediction.tolist() == ["b"]
    assert (parts.bias[0], parts.variance[0], parts.risk[0]) == (1.0, 0.4, 0.8)  # neither 1.4 nor 0.6


def test_large_offsets_lose_no_variance():
    rng = np.random.default_rng(0)
    F = rng.normal(size=(50, 3))
    far = decompose(1e8 + F, np.full(3, 1e8))
    assert_allclose(far.variance, decompose(F, np.zeros(3)).variance, rtol=1e-6)
    assert standard_errors(1e8 + F, np.full(3, 1e8)).variance == pytest.approx(
        standard_errors(F, np.zeros(3)).variance, rel=1e-5
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: decompose([[1.0, 2.0]], [0.0, 0.0]), "at least 2 training sets, got 1"),
        (lambda: jackknife_error([1.0, np.nan]), "left_out must be finite"),
        (lambda: standard_errors([[1.0], [2.0]], [0.0]), "at least 3 training sets, got 2"),
        (lambda: decompose([[1.0], [np.nan]], [0.0]), "predictions"),
        (lambda: decompose([[1.0], [2.0]], [0.0, 1.0]), "target"),
        (lambda: decompose([[1.0], [2.0]], [0.0], -1), "noise must be one variance"),
        (lambda: decompose([[1.0, 1.0], [2.0, 2.0]], [0.0, 0.0], [1.0, -1.0]), "noise must be one variance"),
        (lambda: decompose([[1.0], [2.0]], [0.0], [1.0, 2.0]), "each of the 1 query points"),
        (lambda: decompose([[1.0], [2.0]], [0.0], np.inf), "noise"),
        (lambda: smoother_decomposition([[1.0, 0.0]], [1.0], [1.0], 1.0), "truth"),
        (lambda: smoother_decomposition([[1.0]], [1.0], [1.0, 2.0], 1.0), "target"),
        (lambda: smoother_decomposition([[1.0]], [1.0], [1.0], -1.0), "noise"),
        (lambda: optimism([[1.0, 2.0]], 1.0), "L must be"),
        (lambda: optimism([[1.0]], -2.0), "noise"),
        (lambda: zero_one_parts([[0, 1]], [0]), r"got shapes \(1, 2\) and \(1,\)"),
        (lambda: zero_one_parts(np.empty((0, 0)), np.empty(0)), "at least one each"),
        (lambda: bias_variance_decomposition(Ridge(), parabola, [[0.0]], [0.0], n_datasets=2), "n_datasets"),
        (lambda: bias_variance_decomposition(Ridge(), parabola, [[0.0]], [0.0, 1.0]), "target"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_sample_must_be_a_function():
    with pytest.raises(TypeError, match="sample must be a function"):
        bias_variance_decomposition(Ridge(), (X_FOUR, TRUTH), [[0.0]], [0.0])
