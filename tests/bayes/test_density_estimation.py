"""Density estimation: published numbers, independent routes, laws, extremes, errors."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.special import logsumexp
from scipy.stats import gaussian_kde, kstest, multivariate_normal, norm
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KernelDensity as PeerKDE
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.bayes.density_estimation import (
    DensityClassifier,
    HistogramDensity,
    KernelDensity,
    KNeighborsDensity,
    amise,
    amise_bandwidth,
    count_density,
    gaussian_curvature,
    kernel_constants,
    kernel_log_density,
    knn_log_density,
    least_squares_cv,
    likelihood_cv,
    silverman_bandwidth,
    smoothing_kernel,
)
from notes_lib.bayes.density_estimation.steps import ENTRIES

KERNELS = ["gaussian", "tophat", "epanechnikov", "linear", "exponential"]
DENSITIES = [HistogramDensity, KernelDensity, KNeighborsDensity]
SEEDS = range(5)
# Yearly precipitation of 70 cities in inches: the data set precip of R.
PRECIP = [
    67.0, 54.7, 7.0, 48.5, 14.0, 17.2, 20.7, 13.0, 43.4, 40.2, 38.9, 54.5, 59.8, 48.3, 22.9, 11.5, 34.4, 35.1, 38.7,
    30.8, 30.6, 43.1, 56.8, 40.8, 41.8, 42.5, 31.0, 31.7, 30.2, 25.9, 49.2, 37.0, 35.9, 15.0, 30.2, 7.2, 36.2, 45.5,
    7.8, 33.4, 36.1, 40.2, 42.7, 42.5, 16.2, 39.0, 35.0, 37.0, 31.4, 37.6, 39.9, 36.2, 42.8, 46.4, 24.7, 49.1, 46.0,
    35.9, 7.8, 48.2, 15.2, 32.5, 44.7, 42.6, 38.8, 17.4, 40.8, 29.1, 14.6, 59.2,
]  # fmt: skip


def data(seed, n=40, d=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * rng.uniform(0.5, 2, d) + 3 * rng.normal(size=d)


def on_line(u, kernel):
    """The kernels as books print them, for d = 1."""
    a = abs(u)
    return {
        "gaussian": np.exp(-u * u / 2) / np.sqrt(2 * np.pi),
        "tophat": 0.5 * (a < 1),
        "epanechnikov": 0.75 * max(1 - u * u, 0),
        "linear": max(1 - a, 0),
        "exponential": np.exp(-a) / 2,
    }[kernel]


def naive(q, X, h):
    """Log of the mean of Gaussian densities, point by point."""
    return logsumexp(multivariate_normal(q, h * h * np.eye(len(q))).logpdf(X)) - np.log(len(X))


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("density-estimation-silverman")
def test_bandwidth_that_r_prints_for_precipitation():
    """``density(precip)`` in R prints bw = 3.848 for n = 70."""
    assert silverman_bandwidth(PRECIP) == pytest.approx(3.848, abs=6e-4)
    assert silverman_bandwidth(np.array(PRECIP)[:, None]) == silverman_bandwidth(PRECIP)


def test_example_of_the_scikit_learn_docs():
    X = np.random.RandomState(42).random_sample((100, 3))
    found = KernelDensity(kernel="gaussian", bandwidth=0.5).fit(X).score_samples(X[:3])
    assert_allclose(found, [-1.52955942, -1.51462041, -1.60244657], atol=5e-9, rtol=0)


@pytest.mark.equation("density-estimation-knv")
def test_count_in_a_region():
    density, error = count_density([0, 25, 100], 100, 0.5)
    assert_allclose(density, [0, 0.5, 2])
    assert_allclose(error, [0, 2 * np.sqrt(0.25 * 0.75 / 100), 0])


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("density-estimation-count-moments")
def test_spread_of_a_count_is_binomial():
    rng = np.random.default_rng(0)
    inside = (rng.normal(size=(4000, 200)) < -0.5).sum(axis=1)
    density, error = count_density(inside, 200, 2.0)
    assert density.mean() == pytest.approx(norm.cdf(-0.5) / 2, rel=0.01)
    assert error.mean() == pytest.approx(density.std(), rel=0.05)


@pytest.mark.equation("density-estimation-kde")
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("d", [1, 2, 4])
def test_kernel_density_as_scikit_learn(kernel, d):
    for seed in SEEDS:
        X, Q = data(seed, 60, d), data(seed, 60, d) + 0.3
        for h in [0.4, 2.0]:
            peer = PeerKDE(bandwidth=h, kernel=kernel, rtol=1e-12).fit(X).score_samples(Q)
            found = kernel_log_density(Q, X, h, kernel)
            inside = peer > -300  # where it finds no window at all, the peer prints a large negative number
            assert_array_equal(np.isfinite(found), inside)
            assert_allclose(found[inside], peer[inside], rtol=1e-8, atol=1e-8)


@pytest.mark.equation("density-estimation-window")
@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_on_the_line(kernel):
    u = np.linspace(-2.5, 2.5, 41)
    assert_allclose(smoothing_kernel(u[:, None], kernel), [on_line(v, kernel) for v in u], rtol=1e-12, atol=1e-15)


def test_gaussian_density_as_scipy():
    for seed in SEEDS:
        X = data(seed, 50, 1)
        peer = gaussian_kde(X.T, bw_method=0.3)
        h = float(np.sqrt(peer.covariance[0, 0]))
        q = np.linspace(-6, 6, 30)[:, None]
        assert_allclose(np.exp(kernel_log_density(q, X, h)), peer(q.T), rtol=1e-9)


@pytest.mark.equation("density-estimation-histogram")
def test_histogram_as_numpy():
    for seed in SEEDS:
        X = data(seed, 80, 2)
        model = HistogramDensity(bandwidth=0.7, origin=0.1).fit(X)
        edges = 0.1 + 0.7 * np.arange(-30, 31)
        heights, *_ = np.histogram2d(*X.T, bins=[edges, edges], density=True)
        centres = edges[:-1] + 0.35
        grid = np.stack(np.meshgrid(centres, centres, indexing="ij"), axis=-1).reshape(-1, 2)
        assert_allclose(np.exp(model.score_samples(grid)), heights.ravel(), rtol=1e-12)
        assert model.counts_.sum() == model.n_samples_ == 80


@pytest.mark.equation("density-estimation-knn")
def test_nearest_neighbour_density_by_sorting():
    for seed in SEEDS:
        X, Q = data(seed, 30, 2), data(seed + 100, 20, 2)
        for k in [1, 4, 30]:
            found = KNeighborsDensity(n_neighbors=k).fit(X).score_samples(Q)
            radius = np.array([sorted(np.hypot(*(X - q).T))[k - 1] for q in Q])
            assert_allclose(np.exp(found), k / (30 * np.pi * radius**2), rtol=1e-10)


@pytest.mark.equation("density-estimation-constants")
@pytest.mark.parametrize("kernel", KERNELS)
def test_constants_by_integration(kernel):
    roughness, variance = kernel_constants(kernel)
    assert roughness == pytest.approx(2 * quad(lambda u: on_line(u, kernel) ** 2, 0, 40, points=[1])[0], rel=1e-8)
    assert variance == pytest.approx(2 * quad(lambda u: u * u * on_line(u, kernel), 0, 60, points=[1])[0], rel=1e-8)


@pytest.mark.equation("density-estimation-loo", "density-estimation-likelihood-cv")
@pytest.mark.parametrize("kernel", KERNELS)
def test_likelihood_cross_validation_by_deleting(kernel):
    for seed in SEEDS:
        X = data(seed, 25, 2)
        X[0] += 8  # alone: there the own term is nearly the whole sum
        bandwidths = [0.3, 1.0, 20.0]
        by_hand = [
            np.mean([kernel_log_density(X[[i]], np.delete(X, i, axis=0), h, kernel)[0] for i in range(25)])
            for h in bandwidths
        ]
        assert_allclose(likelihood_cv(X, bandwidths, kernel), by_hand, rtol=1e-10)


@pytest.mark.equation("density-estimation-lscv")
def test_least_squares_cross_validation_by_integration():
    for seed in SEEDS:
        X = data(seed, 12, 1)
        for h in [0.3, 1.0]:
            grid, step = np.linspace(X.min() - 10 * h, X.max() + 10 * h, 4001, retstep=True)
            square = (np.exp(kernel_log_density(grid[:, None], X, h)) ** 2).sum() * step
            out = [np.exp(kernel_log_density(X[[i]], np.delete(X, i, axis=0), h)[0]) for i in range(12)]
            assert least_squares_cv(X, [h])[0] == pytest.approx(square - 2 * np.mean(out), rel=1e-9)


@pytest.mark.equation("density-estimation-amise", "density-estimation-reference")
def test_asymptotic_error_against_the_exact_one_of_a_gaussian():
    """Exact mean integrated squared error of the Gaussian kernel for N(0, sigma^2): Gaussian integrals only."""

    def exact(h, n, s):
        def at_zero(variance):
            return norm.pdf(0, scale=np.sqrt(variance))

        square = at_zero(2 * h * h) / n + (1 - 1 / n) * at_zero(2 * s * s + 2 * h * h)
        return square - 2 * at_zero(2 * s * s + h * h) + at_zero(2 * s * s)

    for sigma in [0.5, 2.0]:
        h = amise_bandwidth(10**8, gaussian_curvature(sigma))
        assert amise(h, 10**8, gaussian_curvature(sigma)) == pytest.approx(exact(h, 10**8, sigma), rel=0.03)
        around = h * np.linspace(0.95, 1.05, 2001)
        best = around[np.argmin(exact(around, 10**8, sigma))]
        assert best == pytest.approx(h, rel=1e-3)


@pytest.mark.equation("density-estimation-classify")
def test_classifier_is_bayes_theorem():
    X, y = data(0, 60, 2), np.repeat(["a", "b", "c"], 20)
    X[y == "b"] += 1
    Q = data(1, 15, 2)
    for priors in [None, [0.2, 0.5, 0.3]]:
        model = DensityClassifier(KernelDensity(bandwidth=0.6), priors=priors).fit(X, y)
        joint = np.column_stack([
            np.exp([naive(q, X[y == c], 0.6) for q in Q]) for c in "abc"
        ]) * (priors or [1 / 3] * 3)  # fmt: skip
        posterior = joint / joint.sum(axis=1, keepdims=True)
        assert_allclose(model.predict_proba(Q), posterior, rtol=1e-9)
        assert_allclose(np.exp(model.predict_log_proba(Q)), posterior, rtol=1e-9)
        assert_array_equal(model.predict(Q), np.array(list("abc"))[posterior.argmax(axis=1)])
    shares = DensityClassifier().fit(X[:30], y[:30])
    assert_allclose(shares.priors_, [2 / 3, 1 / 3])


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("kernel", KERNELS)
def test_integral_is_one(kernel):
    line = np.linspace(-30, 30, 200_001)
    assert smoothing_kernel(line[:, None], kernel).sum() * (line[1] - line[0]) == pytest.approx(1, abs=2e-4)
    reach = 1.05 if smoothing_kernel([[2.0]], kernel) == 0 else 16
    side = np.linspace(-reach, reach, 801)
    plane = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    assert smoothing_kernel(plane, kernel).sum() * (side[1] - side[0]) ** 2 == pytest.approx(1, abs=3e-3)
    rng = np.random.default_rng(0)
    cube = rng.uniform(-1, 1, size=(200_000, 5))
    if kernel in ("tophat", "epanechnikov", "linear"):  # these live in the cube
        values = 2**5 * smoothing_kernel(cube, kernel)
        assert values.mean() == pytest.approx(1, abs=4 * values.std() / np.sqrt(len(values)))


@pytest.mark.equation("density-estimation-diverges")
def test_nearest_neighbour_density_has_no_finite_integral():
    """In front of the smallest instance the tail is k / (2 N distance): each factor of ten adds the same amount."""
    X, k = np.sort(data(0, 20, 1), axis=0), 3
    for low in [1e2, 1e4]:
        t = np.geomspace(low, 10 * low, 2001)
        q = X[k - 1, 0] - t
        heights = np.exp(knn_log_density(q[:, None], X, k))
        mass = np.sum((heights[1:] + heights[:-1]) / 2 * np.diff(t))
        assert mass == pytest.approx(k / (2 * 20) * np.log(10), rel=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.floats(0.1, 10), st.floats(-100, 100), st.sampled_from(KERNELS))
def test_scale_and_shift(seed, a, b, kernel):
    X, Q = data(seed, 15, 2), data(seed + 1, 6, 2)
    plain, moved = kernel_log_density(Q, X, 0.7, kernel), kernel_log_density(a * Q + b, a * X + b, 0.7 * a, kernel)
    near = np.abs(np.linalg.norm(Q[:, None] - X, axis=2) / 0.7 - 1).min(axis=1) > 1e-6  # not on an edge
    assert_allclose(moved[near], plain[near] - 2 * np.log(a), rtol=1e-7, atol=1e-7)
    assert_allclose(knn_log_density(a * Q + b, a * X + b, 3), knn_log_density(Q, X, 3) - 2 * np.log(a), atol=1e-7)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([*KERNELS, "histogram", "neighbours"]))
def test_order_of_rows_layout_and_precision(seed, name):
    X, Q = data(seed, 20, 2), data(seed + 1, 6, 2)
    models = {"histogram": HistogramDensity(bandwidth=2.0), "neighbours": KNeighborsDensity(n_neighbors=3)}
    model = models.get(name) or KernelDensity(kernel=name)
    expected = clone(model).fit(X).score_samples(Q)
    turned = np.random.default_rng(seed).permutation(20)
    assert_allclose(clone(model).fit(X[turned]).score_samples(Q), expected, rtol=1e-10)
    assert_array_equal(clone(model).fit(np.asfortranarray(X)).score_samples(Q), expected)
    assert_array_equal(clone(model).fit(np.repeat(X, 2, axis=1)[:, ::2]).score_samples(Q), expected)
    if name in ("gaussian", "neighbours"):
        found = clone(model).fit(X.astype(np.float32)).score_samples(Q.astype(np.float32))
        assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.equation("density-estimation-optimal")
@pytest.mark.parametrize("kernel", KERNELS)
def test_optimal_bandwidth_is_the_minimum(kernel):
    for n, bend in [(50, 0.2), (5000, 30.0)]:
        best = amise_bandwidth(n, bend, kernel)
        values = amise(best * np.array([0.99, 1.0, 1.01]), n, bend, kernel)
        assert values.argmin() == 1
        roughness, variance = kernel_constants(kernel)
        assert values[1] == pytest.approx(1.25 * (variance**2 * roughness**4 * bend) ** 0.2 * n**-0.8, rel=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("d", [1, 3])
def test_samples_have_the_distribution_of_the_estimate(kernel, d):
    """One instance: the distance from it follows the kernel; its square against the integrated profile."""
    drawn = KernelDensity(bandwidth=0.5, kernel=kernel).fit(np.ones((1, d))).sample(4000, random_state=0)
    radius = np.linalg.norm(drawn - 1, axis=1) / 0.5
    grid = np.linspace(0, 40, 80_001)
    weight = smoothing_kernel(grid[:, None] * np.eye(1, d), kernel) * grid ** (d - 1)
    mass = np.r_[0, np.cumsum((weight[1:] + weight[:-1]) / 2)]
    assert kstest(radius, lambda r: np.interp(r, grid, mass / mass[-1])).pvalue > 0.01
    assert np.abs((drawn - 1).mean(axis=0)).max() < 5 * 0.5 * np.sqrt(20 / 4000)


def test_samples_of_many_instances():
    X = data(0, 200, 2)
    drawn = KernelDensity(bandwidth=0.8).fit(X).sample(20_000, random_state=1)
    assert_allclose(np.cov(drawn.T), np.cov(X.T, bias=True) + 0.64 * np.eye(2), atol=0.15)
    boxes = HistogramDensity(bandwidth=2.0, origin=0.5).fit(X)
    drawn = boxes.sample(20_000, random_state=1)
    again = HistogramDensity(bandwidth=2.0, origin=0.5).fit(drawn)
    assert_array_equal(again.cells_, boxes.cells_[np.isin(boxes.cells_, again.cells_).all(axis=1)])
    assert_allclose(again.counts_ / 20_000, boxes.counts_ / 200, atol=0.015)
    assert kstest(np.mod(drawn[:, 0] - 0.5, 2) / 2, "uniform").pvalue > 0.01
    for model in (boxes, KernelDensity().fit(X)):
        assert_array_equal(model.sample(5, random_state=3), model.sample(5, random_state=3))
        assert model.sample().shape == (1, 2)


def test_smoothing_kernel_is_no_mercer_kernel():
    t = np.linspace(-1, 1, 15)
    gaps = (t[:, None] - t).reshape(-1, 1) / 0.3
    assert np.linalg.eigvalsh(smoothing_kernel(gaps, "tophat").reshape(15, 15)).min() < -0.1
    assert np.linalg.eigvalsh(smoothing_kernel(gaps, "gaussian").reshape(15, 15)).min() > -1e-12


# ----------------------------------------------------------------------------------------------------------- extremes


def test_far_tail():
    """Where each kernel underflows, the sum is taken of logarithms."""
    X = data(0, 300, 8)
    Q = np.vstack([X[:5] + 3, X[:5] * 20])
    expected = [naive(q, X, 0.3) for q in Q]
    assert min(expected) < -1000
    assert_allclose(kernel_log_density(Q, X, 0.3), expected, rtol=1e-11)


@pytest.mark.parametrize("far", [1e6, 1e9])
def test_far_from_the_origin(far):
    X = np.round(data(0, 50, 2) * 64) / 64  # exact after the shift too
    Q = X[:9] + 0.25
    assert_allclose(kernel_log_density(Q + far, X + far, 0.5), kernel_log_density(Q, X, 0.5), rtol=1e-6)
    assert_allclose(knn_log_density(Q + far, X + far, 4), knn_log_density(Q, X, 4), rtol=1e-6)


@pytest.mark.parametrize("h", [1e-7, 1e-5, 1e3])
def test_windows_far_narrower_or_wider_than_the_data(h):
    X = data(0, 40, 1)
    Q = X[:10] + 0.5 * h
    assert_allclose(kernel_log_density(Q, X, h), [naive(q, X, h) for q in Q], rtol=1e-8)


def test_many_rows_and_blocks():
    X = data(0, 700, 2)
    Q = data(1, 2 * (ENTRIES // 700) + 3, 2)
    for call in (lambda Q: kernel_log_density(Q, X), lambda Q: kernel_log_density(Q, X, 1.0, "linear"),
                 lambda Q: knn_log_density(Q, X)):  # fmt: skip
        assert_allclose(call(Q), np.concatenate([call(Q[i : i + 100]) for i in range(0, len(Q), 100)]), rtol=1e-10)


def test_edges_and_duplicates():
    X = np.array([[0.0], [0.0], [1.0], [3.0]])
    assert knn_log_density([[0.0]], X, 2) == np.inf
    assert np.exp(knn_log_density([[0.0]], X, 3))[0] == pytest.approx(3 / (4 * 2))
    assert kernel_log_density([[2.0]], X, 1.0, "tophat") == -np.inf  # distance 1 to both sides: outside
    assert HistogramDensity().fit(X).score_samples([[1.0]]) == pytest.approx(np.log(1 / 4))  # the cell from 1 to 2
    signed = HistogramDensity().fit([[-0.0], [0.5]])
    assert_array_equal(signed.counts_, [2])
    assert not np.signbit(signed.cells_).any()  # the cell is called 0, not -0
    assert likelihood_cv(X, [0.5], "tophat") == -np.inf


def test_many_dimensions():
    X = data(0, 20, 50)
    assert_allclose(KernelDensity().fit(X).score_samples(X), [naive(x, X, 1.0) for x in X], rtol=1e-12)


# ------------------------------------------------------------------------------------------------------------ contract


@pytest.mark.parametrize("model", [*(kind() for kind in DENSITIES), DensityClassifier()])
def test_check_estimator(model):
    check_estimator(model, on_skip=None)


@pytest.mark.parametrize("kind", DENSITIES)
def test_score_is_the_sum_and_models_pickle(kind):
    X = data(0, 30, 2)
    model = kind().fit(X)
    assert model.score(X) == pytest.approx(model.score_samples(X).sum())
    assert_array_equal(pickle.loads(pickle.dumps(model)).score_samples(X), model.score_samples(X))
    if hasattr(model, "X_"):
        X[:] = 0
        assert model.X_.any()


def test_bandwidth_by_grid_search_and_in_a_pipeline():
    X, y = data(0, 80, 2), np.repeat([0, 1], 40)
    X[40:] += 4
    search = GridSearchCV(KernelDensity(), {"bandwidth": [0.01, 0.5, 50.0]}).fit(X)
    assert search.best_params_ == {"bandwidth": 0.5}
    pipe = make_pipeline(StandardScaler(), DensityClassifier(KernelDensity(bandwidth=0.4)))
    assert pipe.fit(X, y).score(X, y) > 0.8


# -------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("h", [0, -1.0, np.nan, np.inf])
def test_bandwidth_must_be_positive(h):
    X = data(0)
    for call in (
        lambda: HistogramDensity(bandwidth=h).fit(X),
        lambda: KernelDensity(bandwidth=h).fit(X),
        lambda: kernel_log_density(X, X, h),
        lambda: likelihood_cv(X, [1.0, h]),
        lambda: least_squares_cv(X, [h]),
        lambda: amise(h, 10, 1.0),
    ):
        with pytest.raises(ValueError, match="bandwidth must be"):
            call()


@pytest.mark.parametrize("call", [
    lambda X: KernelDensity(bandwidth=0).fit(X), lambda X: HistogramDensity(bandwidth=0).fit(X),
    lambda X: kernel_log_density(X, X, 0), lambda X: likelihood_cv(X, 0),
])  # fmt: skip
def test_zero_bandwidth_says_why(call):
    with pytest.raises(ValueError, match=r"bandwidth must be positive, got 0.*: a window without width counts nothing"):
        call(data(0))


def test_cells_that_have_no_number():
    with pytest.raises(ValueError, match=r"bandwidth is too small .*, got 1e-10: .* raise it"):
        HistogramDensity(bandwidth=1e-10).fit([[0.0], [1e300]])
    model = HistogramDensity(bandwidth=1e-10).fit([[0.0], [1.0]])
    assert_array_equal(model.score_samples([[1e300], [-1e300]]), [-np.inf, -np.inf])


def test_more_neighbours_than_instances():
    X = data(0, 4)
    for call in (lambda k: KNeighborsDensity(n_neighbors=k).fit(X), lambda k: knn_log_density(X, X, k)):
        with pytest.raises(ValueError, match="n_neighbors must be at most n_samples = 4, got 5: lower"):
            call(5)
        with pytest.raises(ValueError, match="n_neighbors must be at least 1"):
            call(0)
        with pytest.raises(TypeError, match="n_neighbors must be an integer"):
            call(2.0)


def test_class_without_instances():
    X, y = data(0, 10), np.repeat([0, 1], 5)
    with pytest.raises(ValueError, match="class 2 has no instances in y: add some, or take it out of classes"):
        DensityClassifier(classes=[0, 1, 2]).fit(X, y)
    with pytest.raises(ValueError, match="y holds the class 1, which is not in classes"):
        DensityClassifier(classes=[0]).fit(X, y)
    assert_array_equal(DensityClassifier(classes=[1, 0]).fit(X, y).classes_, [0, 1])
    with pytest.raises(ValueError, match="class 0: n_neighbors must be at most n_samples = 5, got 6"):
        DensityClassifier(KNeighborsDensity(n_neighbors=6)).fit(X, y)
    with pytest.raises(ValueError, match="at least two classes"):
        DensityClassifier().fit(X, np.zeros(10))
    with pytest.raises(ValueError, match="priors must be positive and sum to 1"):
        DensityClassifier(priors=[0.5, 0.6]).fit(X, y)


def test_row_that_no_class_explains():
    X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), [0, 0, 1, 1]
    model = DensityClassifier(KernelDensity(kernel="tophat")).fit(X, y)
    assert_array_equal(model.predict([[0.5], [5.5]]), [0, 1])
    with pytest.raises(ValueError, match="row 1 of X has the density 0 in every class, or an infinite one"):
        model.predict([[0.5], [3.0]])
    nearest = DensityClassifier(KNeighborsDensity(n_neighbors=1)).fit(X, y)
    with pytest.raises(ValueError, match="row 0 of X"):
        nearest.predict_proba([[1.0]])


@pytest.mark.parametrize(("call", "message"), [
    (lambda: smoothing_kernel([[0.0]], "cosine"), "kernel must be one of"),
    (lambda: kernel_constants("box"), "kernel must be one of"),
    (lambda: KernelDensity(kernel="box").fit([[0.0], [1.0]]), "kernel must be one of"),
    (lambda: smoothing_kernel([0.0]), "u must be a matrix"),
    (lambda: kernel_log_density([[0.0, 1.0]], [[0.0]]), "Q must have shape"),
    (lambda: knn_log_density([[0.0, 1.0]], [[0.0]], 1), "Q must have shape"),
    (lambda: kernel_log_density([[0.0]], [[np.nan]]), "X must be finite"),
    (lambda: count_density(3, 2, 1.0), "k must hold counts, whole numbers from 0 to 2"),
    (lambda: count_density(1, 2, 0.0), "volume must be positive, got 0.0: a region without volume"),
    (lambda: count_density(1, 0, 1.0), "n must be at least 1"),
    (lambda: amise(1.0, 0, 1.0), "n must be at least 1"),
    (lambda: amise(1.0, 10, 0.0), "curvature must be positive"),
    (lambda: amise_bandwidth(0, 1.0), "n must be at least 1"),
    (lambda: amise_bandwidth(10, -1.0), "curvature must be"),
    (lambda: gaussian_curvature(0.0), "sigma must be positive"),
    (lambda: silverman_bandwidth([[0.0, 1.0]]), "x must be one feature"),
    (lambda: silverman_bandwidth(np.eye(2)), "x must be one feature"),
    (lambda: silverman_bandwidth([1.0, 1.0]), "at least two different values"),
    (lambda: silverman_bandwidth([]), "at least two different values"),
    (lambda: silverman_bandwidth([1.0, np.inf]), "x must be finite"),
    (lambda: likelihood_cv([[1.0]], [1.0]), "X must hold at least two instances"),
    (lambda: least_squares_cv([[1.0]], [1.0]), "X must hold at least two instances"),
    (lambda: KernelDensity().fit([[0.0]]).sample(0), "n_samples must be at least 1"),
    (lambda: HistogramDensity(origin=np.nan).fit([[0.0]]), "origin must be finite"),
])  # fmt: skip
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_half_of_the_values_equal():
    """Where the quartiles coincide only the standard deviation is left."""
    x = [0.0, 0.0, 0.0, 0.0, 5.0]
    assert silverman_bandwidth(x) == pytest.approx(0.9 * np.std(x, ddof=1) * 5**-0.2)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
@pytest.mark.parametrize(("n", "d"), [(1, 1), (40, 1), (40, 3)])
def test_rules_of_bandwidth_are_those_of_scikit_learn(rule, n, d):
    X = np.random.default_rng(n + d).normal(size=(n, d))
    model, peer = KernelDensity(bandwidth=rule).fit(X), PeerKDE(bandwidth=rule).fit(X)
    assert_allclose(model.bandwidth_, peer.bandwidth_, rtol=1e-15)
    assert_allclose(model.score_samples(X), peer.score_samples(X), rtol=1e-10)
    assert_allclose(model.sample(3, random_state=0), KernelDensity(bandwidth=peer.bandwidth_).fit(X).sample(3, 0))


def test_an_unknown_rule_of_bandwidth():
    with pytest.raises(ValueError, match="bandwidth must be a number, 'scott' or 'silverman', got 'silvermann'"):
        KernelDensity(bandwidth="silvermann").fit([[0.0], [1.0]])
