"""Random projections against published numbers, exact chi-square tails, enumeration, scikit-learn, and bad input."""

import pickle
from itertools import product

import numpy as np
import pytest
import sklearn.random_projection as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_matrix, csr_matrix, issparse
from scipy.spatial.distance import pdist
from scipy.stats import chi2, chisquare, kstest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.reduction.random_projection import (
    GaussianRandomProjection,
    SparseRandomProjection,
    confident_min_dim,
    distance_ratios,
    failure_bound,
    gaussian_components,
    inner_product_variance,
    johnson_lindenstrauss_min_dim,
    lower_tail_bound,
    sparse_components,
    upper_tail_bound,
)

BOTH = [GaussianRandomProjection, SparseRandomProjection]


def dense(R):
    return R.toarray() if issparse(R) else R


# ---------------------------------------------------------------- published examples


@pytest.mark.equation("random-projection-dimension")
def test_numbers_in_the_documentation_of_scikit_learn():
    """Its examples for the bound of Dasgupta and Gupta: 663, 11841, 1112658; 7894, 9868, 11841."""
    assert johnson_lindenstrauss_min_dim(1e6, eps=0.5) == 663
    assert_array_equal(johnson_lindenstrauss_min_dim(1e6, eps=[0.5, 0.1, 0.01]), [663, 11841, 1112658])
    assert_array_equal(johnson_lindenstrauss_min_dim([1e4, 1e5, 1e6], eps=0.1), [7894, 9868, 11841])


@pytest.mark.equation("random-projection-spike")
def test_a_vector_with_one_entry_under_signs_with_zeros():
    """By hand: s |e|^2 times a share 1/s of the rows, so the variance of one row is s - 1."""
    assert inner_product_variance([2.0, 0.0], [2.0, 0.0], 5, 10.0) == pytest.approx(16 * (10 - 1) / 5)


# ---------------------------------------------------------------- other routes


@pytest.mark.equation("random-projection-dimension")
@pytest.mark.parametrize("n", [1, 2, 17, 1e3, 1e9])
@pytest.mark.parametrize("eps", [0.01, 0.3, 0.5, 0.99])
def test_dimension_of_scikit_learn(n, eps):
    assert johnson_lindenstrauss_min_dim(n, eps=eps) == peers.johnson_lindenstrauss_min_dim(n, eps=eps)
    assert johnson_lindenstrauss_min_dim(n) == peers.johnson_lindenstrauss_min_dim(n)


@pytest.mark.equation("random-projection-upper", "random-projection-lower", "random-projection-tail")
@pytest.mark.parametrize("k", [1, 2, 7, 50, 400])
def test_tails_are_above_the_exact_ones_and_below_the_simple_bound(k):
    eps = np.linspace(0.01, 0.99, 50)
    upper, lower = upper_tail_bound(eps, k), lower_tail_bound(eps, k)
    assert (upper >= chi2(k).sf(k * (1 + eps))).all()
    assert (lower >= chi2(k).cdf(k * (1 - eps))).all()
    simple = failure_bound(2, k, eps) / 2
    assert (upper <= simple).all()
    assert (lower <= upper).all()
    assert upper_tail_bound(0.3, k).shape == ()


@pytest.mark.equation("random-projection-markov", "random-projection-best-t", "random-projection-upper")
@pytest.mark.parametrize("eps", [0.05, 0.4, 0.9])
def test_tails_are_the_smallest_that_markov_can_give(eps):
    """The bound before t is chosen, minimised on a grid, on either side of 0."""
    k = 30
    for sign, found in [(1, upper_tail_bound(eps, k)), (-1, lower_tail_bound(eps, k))]:
        t = sign * np.linspace(1e-4, 0.4999 if sign > 0 else 8.0, 200_001)
        values = np.exp(-t * k * (1 + sign * eps) - k / 2 * np.log1p(-2 * t))
        assert found == pytest.approx(values.min(), rel=1e-6)
        assert found <= values.min() * (1 + 1e-12)


@pytest.mark.equation("random-projection-union")
def test_failures_of_all_pairs_stay_below_the_bound():
    n, k, eps, runs = 8, 60, 0.5, 400
    X = np.random.default_rng(0).normal(size=(n, 80))
    failed = np.array([
        (np.abs(distance_ratios(X, GaussianRandomProjection(k, random_state=r).fit_transform(X)) - 1) >= eps).any()
        for r in range(runs)
    ])  # fmt: skip
    bound, exact = failure_bound(n, k, eps), n * (n - 1) / 2 * (chi2(k).sf(k * 1.5) + chi2(k).cdf(k * 0.5))
    error = np.sqrt(failed.mean() * (1 - failed.mean()) / runs)
    assert bound == pytest.approx(56 * np.exp(-30 * (0.125 - 0.125 / 3)))
    assert 0 < failed.mean() < bound
    assert failed.mean() - 3 * error < exact


@pytest.mark.equation("random-projection-confident")
@pytest.mark.parametrize("delta", [0.5, 0.05, 1e-6])
def test_the_confident_dimension_is_the_first_whose_bound_is_small_enough(delta):
    for n, eps in [(2, 0.3), (1000, 0.1), (50, 0.9)]:
        k = confident_min_dim(n, eps=eps, delta=delta)
        assert failure_bound(n, k, eps) <= delta < failure_bound(n, k - 1, eps)
    assert_array_equal(confident_min_dim([2, 50], eps=0.3, delta=0.1)[1], confident_min_dim(50, eps=0.3, delta=0.1))


@pytest.mark.equation("random-projection-chi-square")
def test_the_squared_length_is_chi_square():
    x, k = np.arange(1.0, 6.0), 4
    lengths = [((gaussian_components(k, 5, seed) @ x) ** 2).sum() for seed in range(2000)]
    assert kstest(k * np.array(lengths) / (x @ x), chi2(k).cdf).pvalue > 0.01


@pytest.mark.equation("random-projection-sparse", "random-projection-moments")
@pytest.mark.parametrize("density", [1.0, 1 / 3, 0.05, 0.002])
def test_entries_have_the_law_of_achlioptas_and_li(density):
    k, D = 40, 1000
    R = dense(sparse_components(k, D, density, 0)) * np.sqrt(k * density)
    values, counts = np.unique(np.round(R, 12), return_counts=True)
    assert set(values) <= {-1.0, 0.0, 1.0}
    expected = {-1.0: density / 2, 0.0: 1 - density, 1.0: density / 2}
    assert chisquare(counts, [expected[v] * k * D for v in values]).pvalue > 0.001
    rows, columns = (R != 0).sum(axis=1), (R != 0).sum(axis=0)  # of a binomial: the variance as well
    for found, size in [(rows, D), (columns, k)]:
        spread = size * density * (1 - density)
        assert abs(found.mean() - size * density) < 5 * np.sqrt(spread / len(found)) + 1e-9
        assert found.var() == pytest.approx(spread, rel=5 * np.sqrt(2.5 / len(found)), abs=1e-9)


def test_places_of_entries_are_independent_of_each_other():
    """All 16 patterns of a 2 x 2 matrix come as often as independent entries let them."""
    p, counts = 0.4, np.zeros(16)
    for seed in range(4000):
        counts[(dense(sparse_components(2, 2, p, seed)).ravel() != 0) @ [8, 4, 2, 1]] += 1
    expected = [np.prod([p if bit else 1 - p for bit in bits]) for bits in product((0, 1), repeat=4)]
    assert chisquare(counts, np.array(expected) * 4000).pvalue > 0.001


@pytest.mark.equation(
    "random-projection-fourth", "random-projection-length-variance", "random-projection-inner-variance"
)
@pytest.mark.parametrize("s", [1, 3, 7])
def test_variance_by_enumeration_of_all_rows(s):
    """All 3^3 rows of signs and zeros with their probabilities: mean and variance of the product of two sums."""
    rng = np.random.default_rng(s)
    x, y = rng.normal(size=3), rng.normal(size=3)
    law = [(-np.sqrt(s), 0.5 / s), (0.0, 1 - 1 / s), (np.sqrt(s), 0.5 / s)]
    for a, b in [(x, y), (x, x), (x, np.array([0, 0, 2.0]))]:
        mean = square = 0.0
        for entries in product(law, repeat=3):
            row, chance = np.array([r for r, _ in entries]), np.prod([c for _, c in entries])
            mean += chance * (row @ a) * (row @ b)
            square += chance * ((row @ a) * (row @ b)) ** 2
        assert mean == pytest.approx(a @ b)
        assert inner_product_variance(a, b, 4, s) == pytest.approx((square - mean**2) / 4)


@pytest.mark.equation("random-projection-inner-mean", "random-projection-inner-variance")
def test_gaussian_inner_products_by_simulation():
    rng = np.random.default_rng(1)
    x, y, k, runs = rng.normal(size=6), rng.normal(size=6), 5, 4000
    found = np.array([(R @ x) @ (R @ y) for R in (gaussian_components(k, 6, rng) for _ in range(runs))])
    variance = inner_product_variance(x, y, k)
    assert abs(found.mean() - x @ y) < 4 * np.sqrt(variance / runs)
    assert found.var() == pytest.approx(variance, rel=0.15)


def test_ratios_of_all_distances():
    rng = np.random.default_rng(2)
    X, Z = rng.normal(size=(9, 5)), rng.normal(size=(9, 2))
    assert_allclose(distance_ratios(X, Z), (pdist(Z) / pdist(X)) ** 2, rtol=1e-12)
    X[4] = X[2]
    found = distance_ratios(X, Z)
    assert found.shape == (35,)
    assert_allclose(found, ((pdist(Z) / np.where(pdist(X) > 0, pdist(X), np.nan)) ** 2)[pdist(X) > 0], rtol=1e-12)


@pytest.mark.equation("random-projection-map")
@pytest.mark.parametrize("E", BOTH)
@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_blocks_of_rows_are_the_plain_product(E, n):
    X = np.random.default_rng(n).normal(size=(n, 90))
    model = E(7, random_state=3).fit(X)
    assert_allclose(model.transform(X), X @ dense(model.components_).T, atol=1e-12)


@pytest.mark.parametrize("E", BOTH)
def test_distances_as_those_of_scikit_learn(E):
    """Other random numbers, the same law: mean and spread of the ratios agree up to their standard errors."""
    X, peer = np.random.default_rng(4).normal(size=(12, 200)), getattr(peers, E.__name__)
    ours, theirs = (
        np.array([distance_ratios(X, P(20, random_state=seed).fit_transform(X)) for seed in range(60)])
        for P in (E, peer)
    )
    for statistic in (lambda R: R.mean(axis=1), lambda R: R.std(axis=1)):
        a, b = statistic(ours), statistic(theirs)
        assert abs(a.mean() - b.mean()) < 4 * np.sqrt((a.var() + b.var()) / 60)


@pytest.mark.equation("random-projection-inverse")
@pytest.mark.parametrize("E", BOTH)
def test_the_inverse_is_the_shortest_solution(E):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(6, 40))
    model = E(8, random_state=0).fit(X)
    Z = model.transform(X)
    back, R = model.inverse_transform(Z), dense(model.components_)
    assert_allclose(back, np.linalg.lstsq(R, Z.T, rcond=None)[0].T, atol=1e-12)
    assert_allclose(model.transform(back), Z, atol=1e-12)
    stored = E(8, compute_inverse_components=True, random_state=0).fit(X)
    assert stored.inverse_components_.shape == (40, 8)
    assert_allclose(stored.inverse_transform(csr_matrix(Z)), back, atol=1e-12)
    stored.inverse_components_ *= 2  # it is what is used
    assert_allclose(stored.inverse_transform(Z), 2 * back, atol=1e-12)


# ---------------------------------------------------------------- laws


@pytest.mark.equation("random-projection-unbiased")
@given(seed=st.integers(0, 10_000), scale=st.floats(1e-100, 1e100), k=st.integers(1, 6))
@settings(max_examples=30, deadline=None)
def test_a_projection_is_linear_so_ratios_do_not_see_a_shift_or_a_scale(seed, scale, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(5, 6))
    for E in BOTH:
        model = E(k, random_state=seed).fit(X)
        assert_allclose(model.transform(X * scale), model.transform(X) * scale, rtol=1e-9, atol=1e-12 * scale)
        moved = distance_ratios(X + 1.0, model.transform(X + 1.0))
        assert_allclose(moved, distance_ratios(X, model.transform(X)), atol=1e-9)


@pytest.mark.parametrize("E", BOTH)
def test_only_the_shape_of_the_data_and_the_seed_matter(E):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(9, 50)), rng.normal(size=(9, 50))
    first, second = (E(6, random_state=1).fit(A) for A in (X, Y))
    assert_array_equal(dense(first.components_), dense(second.components_))
    assert not np.array_equal(dense(first.components_), dense(E(6, random_state=2).fit(X).components_))


@pytest.mark.equation("random-projection-dimension")
@given(n=st.integers(2, 10**9), eps=st.floats(0.05, 0.9))
@settings(max_examples=50, deadline=None)
def test_the_dimension_grows_with_points_and_accuracy(n, eps):
    k = johnson_lindenstrauss_min_dim(n, eps=eps)
    assert johnson_lindenstrauss_min_dim(n + 1, eps=eps) >= k
    assert johnson_lindenstrauss_min_dim(n, eps=eps + 0.05) <= k
    assert failure_bound(n, int(k) + 1, eps) <= 1 - 1 / n + 1e-12  # a success has probability 1/n or more
    assert confident_min_dim(n, eps=eps, delta=0.5) >= k


# ---------------------------------------------------------------- extremes


@pytest.mark.parametrize("E", BOTH)
def test_automatic_components(E):
    X = np.random.default_rng(0).normal(size=(20, 900))
    model = E(eps=0.3, random_state=0).fit(X)
    assert model.n_components_ == peers.johnson_lindenstrauss_min_dim(20, eps=0.3) == 332
    assert model.components_.shape == (332, 900)
    assert list(model.get_feature_names_out()[:2]) == [E.__name__.lower() + "0", E.__name__.lower() + "1"]
    assert len(model.get_feature_names_out()) == 332


def test_density():
    X = np.zeros((2, 400))
    model = SparseRandomProjection(3, random_state=0).fit(X)
    assert model.density_ == 1 / 20
    assert issparse(model.components_)
    signs = SparseRandomProjection(3, density=1, random_state=0).fit(X)
    assert isinstance(signs.components_, np.ndarray)
    assert_allclose(np.abs(signs.components_), 1 / np.sqrt(3))
    empty = sparse_components(1, 3, 1e-300, 0)
    assert empty.nnz == 0
    assert empty.shape == (1, 3)


def test_more_gaps_are_drawn_if_the_first_are_too_small(monkeypatch):
    class Short:
        def __init__(self):
            self.rng = np.random.default_rng(0)

        def geometric(self, p, size):
            return self.rng.geometric(p, max(size // 40, 1))

        def integers(self, *args):
            return self.rng.integers(*args)

    monkeypatch.setattr("notes_lib.reduction.random_projection.steps.check_rng", lambda _: Short())
    R = sparse_components(20, 300, 0.2)
    assert R.nnz == pytest.approx(1200, abs=150)
    assert (np.diff(R.indptr) > 20).all()
    assert R.has_canonical_format


@pytest.mark.parametrize("form", [csr_matrix, csc_matrix])
def test_sparse_data(form):
    X = np.random.default_rng(0).poisson(0.2, size=(70, 60)).astype(float)
    dense_model, model = (E(5, random_state=0).fit(form(X)) for E in BOTH)
    assert isinstance(dense_model.transform(form(X)), np.ndarray)
    assert_allclose(dense_model.transform(form(X)), dense_model.transform(X), atol=1e-12)
    Z = model.transform(form(X))
    assert issparse(Z)
    assert_allclose(Z.toarray(), model.transform(X), atol=1e-12)
    flat = clone(model).set_params(dense_output=True).fit(form(X)).transform(form(X))
    assert isinstance(flat, np.ndarray)
    assert_allclose(flat, Z.toarray())


@pytest.mark.parametrize("E", BOTH)
def test_single_precision_stays_and_order_does_not_matter(E):
    X = np.random.default_rng(0).normal(size=(10, 30)).astype(np.float32)
    model = E(4, random_state=0).fit(X)
    assert model.components_.dtype == model.transform(X).dtype == np.float32
    double = E(4, random_state=0).fit(X.astype(float))
    assert_allclose(model.transform(X), double.transform(X.astype(float)), rtol=1e-4, atol=1e-5)
    A = X.astype(float)
    for B in (np.asfortranarray(A), np.repeat(A, 2, axis=1)[:, ::2]):
        assert_allclose(double.transform(B), double.transform(A), atol=1e-12)


@pytest.mark.parametrize("E", BOTH)
def test_zero_rows_equal_rows_and_one_row(E):
    X = np.vstack([np.zeros((2, 25)), np.ones((2, 25))])
    Z = E(5, random_state=0).fit_transform(X)
    assert_array_equal(Z[:2], 0)
    assert_array_equal(Z[2], Z[3])
    assert E(5, random_state=0).fit_transform(np.ones((1, 25))).shape == (1, 5)
    assert E(25, random_state=0).fit(X).n_components_ == 25
    assert distance_ratios(X[:2], Z[:2]).shape == (0,)


@pytest.mark.parametrize("E", BOTH)
def test_pipeline_grid_search_clone_pickle(E):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 20)) + np.repeat([0, 3], 20)[:, None], np.repeat([0, 1], 20)
    steps = make_pipeline(E(random_state=0), KNeighborsClassifier(1))
    search = GridSearchCV(steps, {E.__name__.lower() + "__n_components": [2, 10]}, cv=2).fit(X, y)
    assert search.score(X, y) > 0.9
    model = pickle.loads(pickle.dumps(E(3, random_state=0).fit(X)))
    assert_array_equal(model.transform(X), clone(model).fit_transform(X))
    named = E(3, random_state=0).set_output(transform="default").fit_transform(X)
    assert named.shape == (40, 3)


@pytest.mark.parametrize(
    ("estimator", "check"),
    [pair for E in BOTH for pair in estimator_checks_generator(E(2, random_state=0))],
    ids=lambda v: getattr(v, "func", v).__class__,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_contract(estimator, check):
    check(estimator)


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize("eps", [0, 1, -0.1, 1.5, np.nan, np.inf])
def test_eps_outside_its_interval(eps):
    calls = [
        lambda: johnson_lindenstrauss_min_dim(10, eps=eps),
        lambda: confident_min_dim(10, eps=eps),
        lambda: upper_tail_bound(eps, 3),
        lambda: lower_tail_bound(eps, 3),
        lambda: failure_bound(10, 3, eps),
        *(lambda E=E, k=k: E(k, eps=eps).fit(np.ones((4, 9))) for E in BOTH for k in (2, "auto")),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="eps must"):
            call()


@pytest.mark.parametrize("eps", [True, "0.1", None])
def test_eps_that_is_no_number(eps):
    for call in (lambda: johnson_lindenstrauss_min_dim(10, eps=eps), lambda: BOTH[0](2, eps=eps).fit(np.ones((4, 9)))):
        with pytest.raises(TypeError, match="eps must"):
            call()


def test_delta_and_numbers_of_points():
    with pytest.raises(ValueError, match="delta must lie between 0 and 1"):
        confident_min_dim(10, delta=1.0)
    for n in (0, -3, [5, 0]):
        with pytest.raises(ValueError, match="n_samples must be at least 1"):
            johnson_lindenstrauss_min_dim(n)
    with pytest.raises(ValueError, match="n_samples must be finite"):
        johnson_lindenstrauss_min_dim(np.nan)
    for function in (lambda n: confident_min_dim(n), lambda n: failure_bound(n, 3, 0.1)):
        with pytest.raises(ValueError, match="n_samples must be at least 2"):
            function(1)
    for n in (True, "5"):
        with pytest.raises(TypeError, match="n_samples must"):
            johnson_lindenstrauss_min_dim(n)


@pytest.mark.parametrize("E", BOTH)
def test_components(E):
    X = np.ones((10, 8))
    with pytest.raises(ValueError, match=r"n_components=9 is more than n_features=8.*lower n_components"):
        E(9).fit(X)
    with pytest.raises(
        ValueError, match=r"n_components='auto' asks for 1973 .*eps=0.1.*n_features=8: raise eps, or set n"
    ):
        E().fit(X)
    with pytest.raises(ValueError, match="n_components='auto' needs two samples"):
        E().fit(X[:1])
    with pytest.raises(ValueError, match="n_components must be 'auto' or an integer, got 'all'"):
        E("all").fit(X)
    for wrong in (0, -2):
        with pytest.raises(ValueError, match="n_components must be at least 1"):
            E(wrong).fit(X)
    for wrong in (2.0, True, None):
        with pytest.raises(TypeError, match="n_components must be an integer"):
            E(wrong).fit(X)


def test_matrices_of_impossible_sizes():
    for draw in (gaussian_components, sparse_components):
        with pytest.raises(ValueError, match="n_components=4 is more than n_features=3"):
            draw(4, 3)
        with pytest.raises(ValueError, match="n_features must be at least 1"):
            draw(1, 0)


@pytest.mark.parametrize("density", [0, -0.5, 1.5, np.nan, "full"])
def test_density_outside_its_interval(density):
    for call in (
        lambda: SparseRandomProjection(2, density=density).fit(np.ones((3, 4))),
        lambda: sparse_components(2, 4, density),
    ):
        with pytest.raises(ValueError, match="density must be"):
            call()
    with pytest.raises(TypeError, match="density must be a number"):
        sparse_components(2, 4, True)


@pytest.mark.parametrize("E", BOTH)
def test_bad_data(E):
    X = np.ones((5, 6))
    model = E(2, random_state=0)
    with pytest.raises(NotFittedError):
        model.transform(X)
    with pytest.raises(NotFittedError):
        model.inverse_transform(X[:, :2])
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        model.fit(X[:0])
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        model.fit(X[:, :0])
    for hole in (np.nan, np.inf):
        with pytest.raises(ValueError, match="Input X contains"):
            model.fit(np.where(np.eye(5, 6), hole, X))
    with pytest.raises(ValueError, match="Expected 2D array"):
        model.fit(X[0])
    model.fit(X)
    with pytest.raises(ValueError, match="X has 5 features"):
        model.transform(X[:, :5])
    with pytest.raises(ValueError, match="X must have n_components_=2 columns, got 3"):
        model.inverse_transform(X[:, :3])


def test_settings():
    X = np.ones((5, 6))
    with pytest.raises(ValueError, match="compute_inverse_components must be one of"):
        GaussianRandomProjection(2, compute_inverse_components="yes").fit(X)
    with pytest.raises(ValueError, match="dense_output must be one of"):
        SparseRandomProjection(2, dense_output="yes").fit(X)
    with pytest.raises(ValueError, match="random_state must be a non-negative integer"):
        SparseRandomProjection(2, random_state=-1).fit(X)
    with pytest.raises(TypeError, match="random_state must be"):
        GaussianRandomProjection(2, random_state="one").fit(X)


def test_vectors_and_moments():
    with pytest.raises(ValueError, match="y must"):
        inner_product_variance([1.0, 2.0], [1.0], 2)
    with pytest.raises(ValueError, match="fourth_moment must be finite and at least 1"):
        inner_product_variance([1.0], [1.0], 2, 0.5)
    with pytest.raises(ValueError, match="n_components must be at least 1"):
        inner_product_variance([1.0], [1.0], 0)
    with pytest.raises(ValueError, match="X and Z need the same number of rows, got 2 and 3"):
        distance_ratios(np.ones((2, 2)), np.ones((3, 2)))
    with pytest.raises(ValueError, match="Z must"):
        distance_ratios(np.ones((2, 2)), np.ones(2))
