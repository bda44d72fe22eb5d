"""The curse of dimensionality: published numbers, independent routes, laws, extremes, errors."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from notes_lib.datasets import load_iris
from notes_lib.neighbors.curse_of_dimensionality import (
    ball_volume,
    cap_bound,
    cap_fraction,
    distance_contrast,
    edge_length,
    effective_dimension,
    intrinsic_dimension,
    log_ball_volume,
    log_samples_needed,
    median_nearest_distance,
    relative_spread,
    shell_fraction,
    shell_thickness,
)
from notes_lib.neighbors.curse_of_dimensionality.distances import BLOCK

SHARES = st.floats(0.001, 0.999)
DIMENSIONS = st.integers(1, 400)


def uniform(seed, n, d):
    return np.random.default_rng(seed).uniform(size=(n, d))


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("curse-of-dimensionality-volume")
def test_published_volumes_of_the_unit_ball():
    # Tables of the volume of the n-ball print these four decimals; the largest is the one of dimension 5.
    published = [2, 3.1416, 4.1888, 4.9348, 5.2638, 5.1677, 4.7248, 4.0587, 3.2985, 2.5502]
    volumes = [ball_volume(d) for d in range(1, 11)]
    assert_allclose(volumes, published, rtol=0, atol=6e-5)
    assert 1 + int(np.argmax(volumes)) == 5


@pytest.mark.equation("curse-of-dimensionality-edge", "curse-of-dimensionality-nearest")
def test_elements_of_statistical_learning():
    # Hastie, Tibshirani and Friedman (2009), section 2.5: edges of 0.63 and 0.80, a median distance of 0.52.
    assert edge_length(10, 0.01) == pytest.approx(0.63, abs=0.005)
    assert edge_length(10, 0.1) == pytest.approx(0.80, abs=0.006)
    assert median_nearest_distance(10, 500) == pytest.approx(0.52, abs=0.005)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("curse-of-dimensionality-log-volume")
@pytest.mark.parametrize("k", [1, 2, 7, 50, 500])
def test_volume_in_even_dimensions_is_a_power_over_a_factorial(k):
    exact = k * math.log(math.pi) - math.log(math.factorial(k)) + 2 * k * math.log(3)
    assert log_ball_volume(2 * k, 3) == pytest.approx(exact, rel=1e-13, abs=1e-12)


@pytest.mark.equation("curse-of-dimensionality-volume")
@pytest.mark.parametrize("d", range(2, 9))
def test_volume_is_the_integral_of_its_slices(d):
    slices = 2 * ball_volume(d - 1) * quad(lambda s: (1 - s * s) ** ((d - 1) / 2), 0, 1, epsabs=1e-12)[0]
    assert ball_volume(d) == pytest.approx(slices, rel=1e-9)
    assert ball_volume(d, 1.5) == pytest.approx(slices * 1.5**d, rel=1e-9)


@pytest.mark.equation("curse-of-dimensionality-shell", "curse-of-dimensionality-thickness")
@pytest.mark.parametrize(("d", "thickness"), [(1, 0.3), (3, 0.1), (20, 0.01), (1000, 0.001)])
def test_shell_is_what_a_smaller_ball_leaves(d, thickness):
    inner = math.exp(log_ball_volume(d, 2 * (1 - thickness)) - log_ball_volume(d, 2))
    assert shell_fraction(d, thickness) == pytest.approx(1 - inner, rel=1e-10)
    assert shell_thickness(d, 1 - inner) == pytest.approx(thickness, rel=1e-9)


@pytest.mark.equation("curse-of-dimensionality-cap")
@pytest.mark.parametrize("d", [1, 2, 3, 10, 101])
@pytest.mark.parametrize("height", [0.0, 0.2, 0.7])
def test_cap_is_an_integral_over_slices(d, height):
    def slices(low):
        return quad(lambda s: (1 - s * s) ** ((d - 1) / 2), low, 1, epsabs=1e-14)[0]

    assert cap_fraction(d, height) == pytest.approx(slices(height) / (2 * slices(0.0)), rel=1e-8)
    if d == 3:  # Archimedes
        assert cap_fraction(d, height) == pytest.approx((2 - 3 * height + height**3) / 4, rel=1e-12)


@pytest.mark.equation("curse-of-dimensionality-samples")
@pytest.mark.parametrize("d", [1, 2, 4])
def test_samples_needed_fill_a_ball(d):
    n, seeds = 4000, range(30)
    inside = [(np.linalg.norm(uniform(s, n, d) - 0.5, axis=1) < 0.3).mean() for s in seeds]
    share, error = np.mean(inside), np.std(inside, ddof=1) / np.sqrt(len(seeds))
    assert abs(math.exp(-log_samples_needed(d, 0.3)) - share) < 4 * error
    assert log_samples_needed(d, 0.3, 5) == pytest.approx(log_samples_needed(d, 0.3) + math.log(5), rel=1e-12)


@pytest.mark.equation("curse-of-dimensionality-nearest")
@pytest.mark.parametrize(("d", "n"), [(1, 1), (2, 5), (6, 40)])
def test_half_of_the_nearest_samples_are_nearer_than_the_median(d, n):
    rng = np.random.default_rng(d)
    radii = rng.uniform(size=(20_000, n)) ** (1 / d)  # of uniform samples of the ball
    share = (radii.min(axis=1) < median_nearest_distance(d, n)).mean()
    assert abs(share - 0.5) < 4 * 0.5 / np.sqrt(20_000)


@pytest.mark.equation("curse-of-dimensionality-contrast")
@pytest.mark.parametrize("seed", range(3))
def test_contrast_against_scipy(seed):
    rng = np.random.default_rng(seed)
    X, Q = rng.normal(size=(70, 5)) + 100, rng.normal(size=(9, 5)) + 100
    D = cdist(Q, X)
    found = distance_contrast(X, Q)
    for name, expected in (("nearest", D.min(axis=1)), ("farthest", D.max(axis=1)), ("mean", D.mean(axis=1))):
        assert_allclose(getattr(found, name), expected, rtol=1e-9)
    assert_allclose(found.std, D.std(axis=1), rtol=1e-9)
    assert_allclose(found.relative, D.max(axis=1) / D.min(axis=1) - 1, rtol=1e-9)
    assert_allclose(found.spread, D.std(axis=1) / D.mean(axis=1), rtol=1e-9)


@pytest.mark.parametrize("n", [3, BLOCK - 1, BLOCK + 5])
def test_contrast_of_the_samples_among_themselves(n):
    X = np.random.default_rng(n).normal(size=(n, 3))
    found = distance_contrast(X)
    for i in (0, 1, n - 1):
        D = np.linalg.norm(np.delete(X, i, axis=0) - X[i], axis=1)
        assert_allclose(
            [found.nearest[i], found.farthest[i], found.mean[i], found.std[i]],
            [D.min(), D.max(), D.mean(), D.std()],
            rtol=1e-9,
        )
    assert len(found.mean) == n


@pytest.mark.equation("curse-of-dimensionality-spread")
@pytest.mark.parametrize(
    ("draw", "mean", "variance"),
    [("uniform", 1 / 6, 7 / 180), ("standard_normal", 2, 8)],
)
def test_spread_of_independent_coordinates(draw, mean, variance):
    for d in (100, 1000):
        rng = np.random.default_rng(d)
        D = np.linalg.norm(getattr(rng, draw)(size=(4000, d)) - getattr(rng, draw)(size=(4000, d)), axis=1)
        error = 1 / np.sqrt(2 * 4000)  # of a standard deviation, relative
        assert relative_spread(d, mean, variance) == pytest.approx(D.std() / D.mean(), rel=4 * error + 2 / d)


@pytest.mark.equation("curse-of-dimensionality-effective")
def test_effective_dimension_is_that_of_the_squared_distances():
    values = np.array([4.0, 1.0, 1.0, 0.25])
    rng = np.random.default_rng(0)
    square = ((rng.normal(size=(400_000, 4)) - rng.normal(size=(400_000, 4))) ** 2 * values).sum(axis=1)
    assert 2 * square.mean() ** 2 / square.var() == pytest.approx(effective_dimension(values), rel=0.02)
    assert effective_dimension(values) == pytest.approx(np.trace(np.diag(values)) ** 2 / (16 + 1 + 1 + 1 / 16))


@pytest.mark.equation("curse-of-dimensionality-two-nearest")
@pytest.mark.parametrize("d", [1, 2, 5])
def test_intrinsic_dimension_against_scikit_learn(d):
    X = uniform(d, 600, d) @ np.random.default_rng(9).normal(size=(d, 12)) + 50
    r = NearestNeighbors(n_neighbors=3, algorithm="kd_tree").fit(X).kneighbors(X)[0]
    found = intrinsic_dimension(X)
    assert found.estimate == pytest.approx(1 / np.mean(np.log(r[:, 2] / r[:, 1])), rel=1e-9)
    assert found.error == pytest.approx(found.estimate / np.sqrt(600), rel=1e-12)
    if d < 5:  # near the border of a set of more dimensions neighbours are missing: the estimate is too small
        assert abs(found.estimate - d) < 3 * found.error


# --------------------------------------------------------------------------------------------------------------- laws


@given(DIMENSIONS, SHARES)
def test_thickness_and_shell_are_inverse(d, share):
    assert shell_fraction(d, shell_thickness(d, share)) == pytest.approx(share, rel=1e-9)
    assert edge_length(d, 1 - share) == pytest.approx(1 - shell_thickness(d, share), rel=1e-9)


@pytest.mark.equation("curse-of-dimensionality-cap-bound")
@given(DIMENSIONS, SHARES)
def test_cap_lies_below_its_bound(d, height):
    assert cap_fraction(d, height) <= cap_bound(d, height) <= math.exp(-d * height**2 / 2) / 2 + 1e-15
    assert cap_bound(d, height) == pytest.approx(math.exp(d / 2 * math.log1p(-(height**2))) / 2, rel=1e-9)


@given(st.integers(2, 20), st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_an_isometry_changes_no_contrast_and_no_dimension(extra, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2))
    basis = np.linalg.qr(rng.normal(size=(2 + extra, 2)))[0]
    for a, b in zip(distance_contrast(X), distance_contrast(7 + X @ basis.T), strict=True):
        assert_allclose(a, b, rtol=1e-8)
    assert intrinsic_dimension(3 * X @ basis.T).estimate == pytest.approx(intrinsic_dimension(X).estimate, rel=1e-8)


@given(st.lists(st.floats(0.001, 1000), min_size=1, max_size=9))
def test_effective_dimension_lies_between_one_and_d(values):
    found = effective_dimension(values)
    assert 1 - 1e-12 <= found <= len(values) + 1e-9
    assert effective_dimension([5.0] * len(values)) == pytest.approx(len(values))
    assert effective_dimension([*values, 0.0]) == pytest.approx(found)


# ----------------------------------------------------------------------------------------------------------- extremes


def test_dimension_one_thousand_and_a_million():
    assert log_ball_volume(1000) == pytest.approx(500 * math.log(math.pi) - math.log(math.factorial(500)), rel=1e-13)
    assert shell_fraction(1_000_000, 1e-9) == pytest.approx(1e-3, rel=1e-3)
    assert shell_fraction(1, 1e-300) == pytest.approx(1e-300, rel=1e-12)
    assert cap_fraction(10**6, 0.5) == 0
    assert edge_length(10**6, 0.01) == pytest.approx(1 - math.log(100) / 10**6, rel=1e-9)
    assert median_nearest_distance(1, 10**15) == pytest.approx(math.log(2) / 10**15, rel=1e-9)
    assert log_samples_needed(1000, 0.1) == pytest.approx(-log_ball_volume(1000) + 1000 * math.log(10), rel=1e-12)
    assert relative_spread(10**6, 2, 0) == 0


def test_ends_of_the_shares():
    assert (shell_fraction(3, 0), shell_fraction(3, 1), shell_thickness(3, 0), shell_thickness(3, 1)) == (0, 1, 0, 1)
    assert (cap_fraction(3, 0), cap_fraction(3, 1), cap_bound(3, 0), cap_bound(3, 1)) == (0.5, 0, 0.5, 0)
    assert (edge_length(3, 0), edge_length(3, 1)) == (0, 1)
    assert log_samples_needed(1, 0.5) == pytest.approx(0)


def test_near_neighbours_far_from_the_origin_keep_their_digits():
    X = np.array([[1e6, 0.0], [1e6 + 1e-4, 0.0], [1e6 - 3e-4, 0.0], [0.0, 0.0]])
    assert intrinsic_dimension(X[:3]).estimate == pytest.approx(
        3 / (math.log(3) + math.log(4) + math.log(4 / 3)), rel=1e-4
    )
    found = distance_contrast(X)
    assert_allclose(found.nearest, [1e-4, 1e-4, 3e-4, 1e6 - 3e-4], rtol=1e-5)
    assert_allclose(found.farthest, [1e6, 1e6, 1e6, 1e6 + 1e-4], rtol=1e-9)


def test_a_query_on_a_sample_has_infinite_contrast():
    found = distance_contrast([[0.0], [2.0]], [[0.0]])
    assert found.relative.tolist() == [math.inf]
    assert found.nearest.tolist() == [0]
    assert found.spread.tolist() == [1]


def test_single_precision_and_column_order():
    X = load_iris().X[::3]
    for Y in (np.asfortranarray(X), X.astype(np.float32)):
        assert_allclose(distance_contrast(Y).mean, distance_contrast(X).mean, rtol=1e-5)
    before = X.copy()
    distance_contrast(X)
    assert (before == X).all()


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: log_ball_volume(0), "d must be at least 1, got 0"),
        (lambda: log_ball_volume(3, 0.0), "radius must be positive, got 0"),
        (lambda: ball_volume(1000), r"d=1000 gives a volume of exp\(-2039.0\), .*: use log_ball_volume"),
        (lambda: ball_volume(100, 1e9), "which no float holds: use log_ball_volume"),
        (lambda: shell_fraction(0, 0.1), "d must be at least 1"),
        (lambda: shell_fraction(2, 1.1), "thickness must be between 0 and 1, got 1.1"),
        (lambda: shell_fraction(2, -0.1), "thickness must be finite and at least 0"),
        (lambda: shell_thickness(0, 0.5), "d must be at least 1"),
        (lambda: shell_thickness(2, 2), "share must be between 0 and 1, got 2"),
        (lambda: cap_fraction(0, 0.5), "d must be at least 1"),
        (lambda: cap_fraction(2, 1.5), "height must be between 0 and 1, got 1.5"),
        (lambda: cap_bound(0, 0.5), "d must be at least 1"),
        (lambda: cap_bound(2, math.nan), "height must be finite"),
        (lambda: edge_length(0, 0.5), "d must be at least 1"),
        (lambda: edge_length(2, 1.5), "share must be between 0 and 1, got 1.5"),
        (lambda: median_nearest_distance(0, 5), "d must be at least 1"),
        (lambda: median_nearest_distance(5, 0), "n must be at least 1"),
        (lambda: log_samples_needed(2, 0.6), "radius must be at most 1/2, got 0.6: a larger ball does not fit"),
        (lambda: log_samples_needed(2, 0), "radius must be positive"),
        (lambda: log_samples_needed(2, 0.1, 0), "k must be positive"),
        (lambda: relative_spread(0, 1, 1), "d must be at least 1"),
        (lambda: relative_spread(1, 0, 1), "mean must be positive"),
        (lambda: relative_spread(1, 1, -1), "variance must be finite and at least 0"),
        (lambda: distance_contrast([1.0, 2.0]), "X must be a matrix with entries"),
        (lambda: distance_contrast([[1.0], [np.nan]]), "X must be finite"),
        (lambda: distance_contrast([[1.0], [2.0]], [[1.0, 2.0]]), "queries must have 1 columns as X has, got 2"),
        (lambda: distance_contrast([[1.0], [2.0]]), "X must leave each query two samples or more, got 2 rows"),
        (lambda: distance_contrast([[1.0]], [[2.0]]), "X must leave each query two samples or more, got 1 rows"),
        (lambda: distance_contrast([[1.0]] * 3), "queries must not coincide with all samples"),
        (lambda: effective_dimension([1, -1]), "eigenvalues must be non-negative and not all 0"),
        (lambda: effective_dimension([0, 0]), "eigenvalues must be non-negative and not all 0"),
        (lambda: effective_dimension([[1.0]]), "eigenvalues must be a vector"),
        (lambda: intrinsic_dimension([[1.0], [2.0]]), "X must have at least three rows, got 2"),
        (lambda: intrinsic_dimension([[1.0], [2.0], [2.0], [4.0]]), "X holds row 1 twice: remove the duplicates"),
        (lambda: intrinsic_dimension([[0, 0], [0, 1], [1, 0], [1, 1]]), "as a grid has: use irregular samples"),
        (lambda: intrinsic_dimension([[1.0], [np.inf], [2.0]]), "X must be finite"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("call", [lambda: ball_volume(2.0), lambda: shell_fraction(2, "thin")])
def test_wrong_types(call):
    with pytest.raises(TypeError, match="must be a"):
        call()
