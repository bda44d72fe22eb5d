"""The singular value decomposition: published numbers, NumPy and scikit-learn, enumeration, laws, extremes, errors."""

import pickle

import numpy as np
import pytest
import scipy.linalg
import sklearn.decomposition
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.sparse import csc_array, csr_array, csr_matrix, random_array
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.foundations.linear_algebra import svd_solve
from notes_lib.reduction.svd import (
    SVD,
    TruncatedSVD,
    exact_svd,
    low_rank_approximation,
    numerical_rank,
    power_step,
    pseudo_inverse,
    randomized_svd,
    range_finder,
    svd_from_range,
    svd_power,
    truncation_error,
)
from notes_lib.reduction.svd.sketch import orthonormal

USERS = np.array(
    [[1, 1, 1, 0, 0], [3, 3, 3, 0, 0], [4, 4, 4, 0, 0], [5, 5, 5, 0, 0], [0, 2, 0, 4, 4], [0, 0, 0, 5, 5],
     [0, 1, 0, 2, 2]], dtype=float
)  # fmt: skip
LI = np.array([[1, 0, 0, 0], [0, 0, 0, 4], [0, 3, 0, 0], [0, 0, 0, 0], [2, 0, 0, 0]], dtype=float)
SHAPES = [(8, 5), (5, 8), (6, 6), (1, 4), (4, 1)]


def gaussian(seed, n, d):
    return np.random.default_rng(seed).normal(size=(n, d))


def falling(seed, s, n, d):
    """A matrix with given singular values."""
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.normal(size=(m, len(s))))[0] for m in (n, d))
    return (U * s) @ V.T


def assert_is_svd_of(found, A, tol=1e-10):
    """Orthonormal, descending, and singular triplets of A; where all are there, A itself."""
    U, s, Vt = found
    k = len(s)
    assert_allclose(U.T @ U, np.eye(k), atol=tol)
    assert_allclose(Vt @ Vt.T, np.eye(k), atol=tol)
    assert (np.diff(s) <= tol).all()
    assert (s >= 0).all()
    size = max(1.0, np.abs(A).max())
    assert_allclose(A @ Vt.T / size, U * s / size, atol=tol)
    assert_allclose(A.T @ U / size, Vt.T * s / size, atol=tol)


# --- (a) published examples
@pytest.mark.equation("svd-decomposition", "svd-energy")
@pytest.mark.parametrize("decompose", [exact_svd, lambda A: svd_power(A, 3), lambda A: randomized_svd(A, 3)])
def test_users_and_movies(decompose):
    """Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, section 11.3: numbers cut to two digits."""
    U, s, Vt = (part[..., :3] if part.ndim == 1 else part for part in decompose(USERS))
    U, Vt = U[:, :3], Vt[:3]
    assert_allclose(s[:3], [12.4, 9.5, 1.3], atol=0.09)
    assert_allclose(
        np.abs(U),
        [[0.13, 0.02, 0.01], [0.41, 0.07, 0.03], [0.55, 0.09, 0.04], [0.68, 0.11, 0.05], [0.15, 0.59, 0.65],
         [0.07, 0.73, 0.67], [0.07, 0.29, 0.32]], atol=0.0085
    )  # fmt: skip
    assert_allclose(
        np.abs(Vt),
        [[0.56, 0.59, 0.56, 0.09, 0.09], [0.12, 0.02, 0.12, 0.69, 0.69], [0.40, 0.80, 0.40, 0.09, 0.09]], atol=0.0101
    )  # fmt: skip
    assert numerical_rank(USERS) == 3
    assert truncation_error(s, 2).energy == pytest.approx(0.99, abs=0.006)


@pytest.mark.equation("svd-truncation", "svd-eckart-young-frobenius")
def test_li_hang_chapter_15():
    """Li, Statistical Learning Methods, 2nd edition, examples 15.1, 15.3 and 15.5."""
    assert_allclose(exact_svd(LI).s, [4, 3, np.sqrt(5), 0], atol=1e-9)
    assert_allclose(svd_power(LI, 4).s, [4, 3, np.sqrt(5), 0], atol=1e-9)
    assert_allclose(exact_svd([[1, 1], [2, 2], [0, 0]]).s, [np.sqrt(10), 0], atol=1e-9)
    assert np.linalg.norm(LI - low_rank_approximation(LI, 2)) == pytest.approx(np.sqrt(5), abs=1e-9)
    assert truncation_error(exact_svd(LI).s, 2).frobenius == pytest.approx(np.sqrt(5), abs=1e-9)


# --- (b) independent ways to the same result
@pytest.mark.equation("svd-decomposition", "svd-deflation")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_singular_values_are_roots_of_eigenvalues(shape, seed):
    A = gaussian(seed, *shape)
    m = min(shape)
    roots = np.sqrt(np.maximum(np.linalg.eigvalsh(A @ A.T if shape[0] < shape[1] else A.T @ A)[::-1], 0))
    for found in (exact_svd(A), svd_power(A, m), randomized_svd(A, m, random_state=seed)):
        assert_is_svd_of(found, A, 1e-9)
        assert_allclose(found.s, roots, atol=1e-7)
        assert_allclose((found.U * found.s) @ found.Vt, A, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_power_iteration_equals_lapack_with_signs(seed):
    A = gaussian(seed, 12, 7)
    for own, exact in zip(svd_power(A, 4), exact_svd(A), strict=True):
        assert_allclose(own, exact[..., :4] if own.ndim == 1 or len(own) == 12 else exact[:4], atol=1e-9)


@pytest.mark.equation("svd-truncation", "svd-eckart-young-spectral", "svd-eckart-young-frobenius")
@pytest.mark.parametrize("k", [1, 2, 3])
def test_no_product_of_thin_factors_is_nearer(k):
    A = gaussian(k, 5, 4)
    s = np.linalg.svd(A, compute_uv=False)
    best = low_rank_approximation(A, k)
    assert np.linalg.matrix_rank(best) == k
    spectral, frobenius, energy = truncation_error(s, k)
    assert np.linalg.norm(A - best, 2) == pytest.approx(spectral)
    assert np.linalg.norm(A - best) == pytest.approx(frobenius)
    assert np.linalg.norm(best) ** 2 / np.linalg.norm(A) ** 2 == pytest.approx(energy)
    rng = np.random.default_rng(k)
    found = []
    for _ in range(6):
        start = rng.normal(size=9 * k)
        square = lambda z: np.sum((A - z[: 5 * k].reshape(5, k) @ z[5 * k :].reshape(k, 4)) ** 2)
        found.append(np.sqrt(minimize(square, start, method="BFGS", options={"gtol": 1e-9}).fun))
    assert min(found) == pytest.approx(frobenius, rel=1e-6)  # reached by descent, and never beaten
    assert min(found) >= frobenius * (1 - 1e-12)


@pytest.mark.parametrize("k", [1, 2])
def test_no_candidate_is_nearer_in_the_spectral_norm(k):
    A = gaussian(3, 4, 4)
    bound = truncation_error(np.linalg.svd(A, compute_uv=False), k).spectral
    best = low_rank_approximation(A, k)
    rng = np.random.default_rng(0)
    for size in (1e-3, 1e-2, 0.1, 1.0):
        for _ in range(50):
            near = best + size * rng.normal(size=A.shape)
            U, s, Vt = np.linalg.svd(near)
            assert np.linalg.norm(A - (U[:, :k] * s[:k]) @ Vt[:k], 2) >= bound - 1e-12


@pytest.mark.equation("svd-pseudo-inverse", "svd-shortest")
@pytest.mark.parametrize(("n", "d", "rank"), [(6, 4, 4), (6, 4, 2), (4, 6, 4), (4, 6, 3), (5, 5, 1)])
def test_pseudo_inverse(n, d, rank):
    A = gaussian(0, n, rank) @ gaussian(1, rank, d)
    P = pseudo_inverse(A)
    assert_allclose(P, np.linalg.pinv(A, rcond=1e-13), atol=1e-10)
    assert_allclose(P, scipy.linalg.pinv(A, rtol=1e-13), atol=1e-10)
    y = gaussian(2, n, 1)[:, 0]
    assert_allclose(P @ y, svd_solve(A, y).w, atol=1e-10)
    assert_allclose(P @ y, np.linalg.solve(A.T @ A + 1e-9 * np.eye(d), A.T @ y), atol=1e-5)  # limit of a ridge
    assert numerical_rank(A) == rank == np.linalg.matrix_rank(A)


@pytest.mark.equation("svd-rank")
def test_threshold_of_the_rank():
    A = np.diag([1.0, 1e-3, 1e-9, 1e-17])
    assert numerical_rank(A) == 3
    assert numerical_rank(A, 1e-6) == 2
    assert numerical_rank(A, 0.0) == 4
    assert numerical_rank(1e-200 * A) == 3
    assert_allclose(pseudo_inverse(A, 1e-6), np.diag([1.0, 1e3, 0, 0]))
    assert numerical_rank(np.zeros((3, 2))) == 0
    assert_array_equal(pseudo_inverse(np.zeros((3, 2))), np.zeros((2, 3)))


@pytest.mark.equation("svd-power-step", "svd-power-rate")
def test_steps_of_power_iteration():
    A = falling(0, [3.0, 2.0, 0.5], 6, 4)
    _, s, Vt = np.linalg.svd(A)
    v = np.random.default_rng(1).normal(size=4)
    tangent = []
    for _ in range(8):
        by_matrix = A.T @ A @ v
        u, sigma, new = power_step(A, v)
        assert sigma == pytest.approx(np.linalg.norm(A @ v) / np.linalg.norm(v))
        assert sigma <= s[0] * (1 + 1e-12)
        assert_allclose(u, A @ v / np.linalg.norm(A @ v), atol=1e-12)
        assert_allclose(new, by_matrix / np.linalg.norm(by_matrix), atol=1e-12)
        v = new
        cosine = abs(v @ Vt[0])
        tangent.append(np.sqrt(1 - cosine**2) / cosine)
    tangent = np.array(tangent)
    assert (tangent[1:] <= tangent[:-1] * (2 / 3) ** 2 * (1 + 1e-7)).all()
    assert tangent[-1] / tangent[-2] == pytest.approx((2 / 3) ** 2, rel=1e-2)


@pytest.mark.equation("svd-range", "svd-projected", "svd-randomised-power")
@pytest.mark.parametrize("n_iter", [0, 1, 3])
@pytest.mark.parametrize("shape", [(40, 25), (25, 40)])
def test_range_finder_is_the_plain_power_of_a_sketch(n_iter, shape):
    A = falling(0, 0.7 ** np.arange(12), *shape)
    Q = range_finder(A, 6, n_iter, random_state=3)
    Omega = np.random.default_rng(3).standard_normal((shape[1], 6))
    plain = np.linalg.qr(np.linalg.matrix_power(A @ A.T, n_iter) @ A @ Omega)[0]
    assert_allclose(Q @ Q.T, plain @ plain.T, atol=1e-8)
    assert_allclose(Q.T @ Q, np.eye(6), atol=1e-13)
    found = svd_from_range(A, Q)
    assert_is_svd_of(found, Q @ Q.T @ A, 1e-12)
    assert_allclose(randomized_svd(A, 4, n_oversamples=2, n_iter=n_iter, random_state=3).s, found.s[:4], atol=1e-12)


@pytest.mark.parametrize("shape", [(300, 80), (80, 300)])
def test_randomised_equals_exact_where_values_fall_fast(shape):
    A = falling(1, 0.8 ** np.arange(60), *shape)
    own, exact = randomized_svd(A, 8, random_state=0), exact_svd(A)
    assert_allclose(own.s, exact.s[:8], rtol=1e-10)
    assert_allclose(own.U, exact.U[:, :8], atol=1e-7)
    assert_allclose(own.Vt, exact.Vt[:8], atol=1e-7)


def test_n_iter_auto_is_that_of_scikit_learn():
    A = gaussian(0, 50, 40)
    few, many = randomized_svd(A, 3, random_state=0), randomized_svd(A, 4, random_state=0)
    assert_array_equal(few.s, randomized_svd(A, 3, n_iter=7, random_state=0).s)
    assert_array_equal(many.s, randomized_svd(A, 4, n_iter=4, random_state=0).s)
    assert not np.array_equal(few.s, randomized_svd(A, 3, n_iter=4, random_state=0).s)


@pytest.mark.equation("svd-randomised-bound")
def test_mean_error_is_below_the_bound_of_halko_martinsson_and_tropp():
    s = 1 / np.arange(1, 41)
    A = falling(2, s, 60, 50)
    k, p = 5, 5
    errors = []
    for seed in range(60):
        Q = range_finder(A, k + p, random_state=seed)
        errors.append(np.linalg.norm(A - Q @ (Q.T @ A)))
    best = truncation_error(s, k).frobenius
    assert np.mean(errors) <= np.sqrt(1 + k / (p - 1)) * best
    assert np.mean(errors) > truncation_error(s, k + p).frobenius


ALGORITHMS = ["randomized", "exact", "arpack"]


@pytest.mark.equation("svd-coordinates")
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("kind", [np.asarray, csr_matrix, csc_array])
def test_estimator_equals_scikit_learn(algorithm, kind):
    X = random_array((60, 30), density=0.2, rng=np.random.default_rng(0)).toarray() + falling(
        0, 5 * 0.5 ** np.arange(8), 60, 30
    )
    X[np.abs(X) < 0.02] = 0
    X = kind(X)
    own = TruncatedSVD(4, algorithm=algorithm, n_iter=40, random_state=0)
    scores = own.fit_transform(X)
    peer = sklearn.decomposition.TruncatedSVD(4, algorithm="arpack", random_state=0).fit(X)
    for name in ("components_", "singular_values_", "explained_variance_", "explained_variance_ratio_"):
        assert_allclose(getattr(own, name), getattr(peer, name), atol=1e-8, err_msg=name)
    assert_allclose(scores, peer.transform(X), atol=1e-8)
    assert_allclose(own.transform(X), scores, atol=1e-12)
    assert_allclose(own.inverse_transform(scores), peer.inverse_transform(scores), atol=1e-8)
    assert_array_equal(own.get_feature_names_out(), peer.get_feature_names_out())


@pytest.mark.parametrize("algorithm", ALGORITHMS[:2])
def test_check_estimator(algorithm):
    check_estimator(TruncatedSVD(algorithm=algorithm), on_skip=None)


def test_estimator_in_pipeline_grid_and_pickle():
    X = falling(0, 0.6 ** np.arange(6), 30, 8)
    line = make_pipeline(TruncatedSVD(random_state=0), sklearn.decomposition.PCA(1))
    assert line.fit_transform(X).shape == (30, 1)
    score = lambda model, X, y=None: -np.linalg.norm(X - model.inverse_transform(model.transform(X)))
    search = GridSearchCV(TruncatedSVD(random_state=0), {"n_components": [1, 2, 5]}, scoring=score, cv=3).fit(X)
    assert search.best_params_ == {"n_components": 5}
    model = clone(TruncatedSVD(3, algorithm="exact")).fit(X)
    assert_array_equal(pickle.loads(pickle.dumps(model)).transform(X), model.transform(X))


# --- (c) laws
matrices = st.builds(
    lambda seed, n, d: gaussian(seed, n, d), st.integers(0, 2**31), st.integers(1, 7), st.integers(1, 7)
)


@given(matrices, st.integers(0, 2**31))
@settings(max_examples=30, deadline=None)
@pytest.mark.equation("svd-stretch", "svd-norms")
def test_largest_value_is_the_largest_stretch(A, seed):
    v = np.random.default_rng(seed).normal(size=A.shape[1])
    _, s, Vt = exact_svd(A)
    assert np.linalg.norm(A @ v) <= s[0] * np.linalg.norm(v) * (1 + 1e-12)
    assert np.linalg.norm(A @ Vt[0]) == pytest.approx(s[0])
    assert np.sum(A**2) == pytest.approx(np.sum(s**2))
    assert_allclose(np.abs(Vt).max(axis=1), Vt.max(axis=1), rtol=1e-7)


@given(matrices, st.integers(0, 2**31))
@settings(max_examples=30, deadline=None)
@pytest.mark.equation("svd-weyl", "svd-stability")
def test_weyl(A, seed):
    E = np.random.default_rng(seed).normal(size=A.shape)
    a, e, both = (exact_svd(M).s for M in (A, E, A + E))
    for i in range(len(a)):
        for j in range(len(a) - i):
            assert both[i + j] <= a[i] + e[j] + 1e-10
    assert np.abs(both - a).max() <= e[0] + 1e-10


@given(matrices)
@settings(max_examples=30, deadline=None)
@pytest.mark.equation("svd-penrose")
def test_penrose(A):
    P = pseudo_inverse(A)
    assert_allclose(A @ P @ A, A, atol=1e-8)
    assert_allclose(P @ A @ P, P, atol=1e-6 * max(1, np.abs(P).max() ** 2))
    assert_allclose(A @ P, (A @ P).T, atol=1e-6)
    assert_allclose(P @ A, (P @ A).T, atol=1e-6)
    assert_allclose(pseudo_inverse(A.T), P.T, atol=1e-8 * max(1, np.abs(P).max()))


@given(matrices, st.floats(1e-3, 1e3))
@settings(max_examples=20, deadline=None)
def test_units_rotations_and_transposes(A, c):
    s = exact_svd(A).s
    turn = np.linalg.qr(gaussian(0, len(A), len(A)))[0]
    assert_allclose(exact_svd(c * A).s, c * s, rtol=1e-9, atol=1e-9)
    assert_allclose(exact_svd(turn @ A).s, s, atol=1e-10)
    assert_allclose(svd_power(A.T, 1).s, s[:1], rtol=1e-9)


def test_coordinates_do_not_depend_on_the_order_of_rows_or_layout():
    X = falling(0, 0.5 ** np.arange(5), 20, 9)
    order = np.random.default_rng(0).permutation(20)
    base = TruncatedSVD(2, algorithm="exact").fit(X)
    for other in (X[order], np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], X.astype(np.float32)):
        found = TruncatedSVD(2, algorithm="exact").fit(other)
        assert_allclose(found.components_, base.components_, atol=1e-6)


# --- (d) extremes
@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1.0, 1e150, 1e300])
def test_units_far_from_one(scale):
    A = falling(0, [3.0, 2.0, 1.0], 5, 4)
    for found in (svd_power(scale * A, 2), exact_svd(scale * A), randomized_svd(scale * A, 2, random_state=0)):
        assert_allclose(found.s[:2] / scale, [3, 2], rtol=1e-9)
    u, sigma, v = power_step(scale * A, scale * np.ones(4))
    plain = power_step(A, np.ones(4))
    assert sigma / scale == pytest.approx(plain[1])
    assert_allclose(np.concatenate([u, v]), np.concatenate([plain[0], plain[2]]), atol=1e-10)
    assert truncation_error(scale * np.array([2.0, 1.0]), 1).frobenius / scale == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("A", "s"),
    [
        (np.eye(4), [1, 1, 1, 1]),
        (np.zeros((4, 3)), [0, 0, 0]),
        (np.outer([1.0, 2, 2], [3.0, 0, 4, 0]), [15, 0, 0]),
        (np.diag([1.0, 1e-6, 1e-9, 0]), [1, 1e-6, 1e-9, 0]),
        (np.ones((5, 2)), [np.sqrt(10), 0]),
    ],
    ids=["ties", "zeros", "rank one", "falling", "twins"],
)
def test_ties_and_zeros(A, s):
    for found in (svd_power(A, min(A.shape)), randomized_svd(A, min(A.shape), random_state=0), exact_svd(A)):
        assert_allclose(found.s, s, rtol=1e-6, atol=1e-14)
        assert_is_svd_of(found, A)


def test_nearly_equal_values_warn():
    A = np.diag([1.0, 0.999])
    with pytest.warns(ConvergenceWarning, match="max_iter=50 steps.*nearly equal.*Raise max_iter or tol, or use exact"):
        s = svd_power(A, 1, max_iter=50).s
    assert 0.999 <= s[0] <= 1
    assert_allclose(svd_power(A, 2).s, [1, 0.999], rtol=1e-10)


def test_results_come_sorted_whatever_the_start():
    """A start without any part along the first pair finds the second one first."""

    class Chosen(np.random.Generator):
        starts = iter([[0.0, 1.0], [1.0, 1.0]])

        def normal(self, size):
            return np.array(next(self.starts))

    _, s, Vt = svd_power(np.diag([2.0, 1.0]), 2, random_state=Chosen(np.random.PCG64(0)))
    assert_array_equal(s, [2, 1])
    assert_array_equal(Vt, np.eye(2))


@pytest.mark.parametrize("n_iter", [0, 7])
def test_sketch_of_columns_that_depend_on_each_other(n_iter):
    A = falling(0, 10.0 ** -np.arange(0, 24, 2), 40, 30)
    Q = range_finder(A, 15, n_iter, random_state=0)
    assert_allclose(Q.T @ Q, np.eye(15), atol=1e-12)
    assert_allclose(svd_from_range(A, Q).s[:6], 10.0 ** -np.arange(0, 12, 2), rtol=1e-4 if n_iter else 0.5)


def test_two_passes_leave_the_columns_orthonormal_to_rounding():
    A = falling(0, 10.0 ** -np.arange(0, 5, 0.5), 40, 30)
    Q = range_finder(A, 10, 0, random_state=0)
    assert_allclose(Q.T @ Q, np.eye(10), atol=1e-13)


def test_orthonormal_falls_back_to_qr():
    Y = np.array([[1.0, 1.0], [0.0, 1e-9], [0.0, 0.0]])
    for passes in (1, 2):
        Q = orthonormal(Y, passes)
        assert_allclose(Q.T @ Q, np.eye(2), atol=1e-14)
        assert_allclose(np.abs(Q), [[1, 0], [0, 1], [0, 0]], atol=1e-12)
    assert_allclose(orthonormal(np.zeros((3, 2)), 2).T @ orthonormal(np.zeros((3, 2)), 2), np.eye(2), atol=1e-14)


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_data_that_do_not_vary(kind):
    model = TruncatedSVD(1, algorithm="exact").fit(kind(np.full((4, 3), 2.0)))
    assert_allclose(model.singular_values_, [2 * np.sqrt(12)])
    assert_allclose(model.explained_variance_, [0], atol=1e-14)
    assert_array_equal(model.explained_variance_ratio_, [0])


def test_many_rows():
    X = falling(0, [5.0, 3.0, 1.0], 100_000, 10)
    assert_allclose(TruncatedSVD(2, random_state=0).fit(X).singular_values_, [5, 3], rtol=1e-10)


# --- (e) errors
BAD_MATRICES = [
    (np.zeros((0, 3)), "must be a matrix with entries"),
    ([1.0, 2.0], "must be a matrix"),
    ([[1.0, np.nan]], "must be finite"),
    ([[np.inf, 1.0]], "must be finite"),
]


@pytest.mark.parametrize(("A", "match"), BAD_MATRICES)
@pytest.mark.parametrize(
    "call",
    [
        exact_svd, numerical_rank, pseudo_inverse, lambda A: low_rank_approximation(A, 1), lambda A: svd_power(A, 1),
        lambda A: randomized_svd(A, 1), lambda A: range_finder(A, 1), lambda A: power_step(A, [1.0, 1.0]),
        lambda A: svd_from_range(A, [[1.0]]),
    ],
)  # fmt: skip
def test_bad_matrices(call, A, match):
    with pytest.raises(ValueError, match=match):
        call(A)


@pytest.mark.parametrize(("A", "match"), [(csr_array((0, 3)), "at least one row"), ([[1, np.nan]], "must be finite")])
def test_bad_sparse_matrices(A, match):
    with pytest.raises(ValueError, match=match):
        randomized_svd(csr_array(A), 1)


COUNTS = {
    "k": [lambda k: low_rank_approximation(USERS, k), lambda k: svd_power(USERS, k)],
    "n_components": [lambda k: randomized_svd(USERS, k), lambda k: TruncatedSVD(k).fit(USERS)],
    "size": [lambda k: range_finder(USERS, k)],
}


@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in COUNTS.items() for call in calls])
def test_bad_numbers_of_components(name, call):
    with pytest.raises(ValueError, match=f"{name}=6 must be at most min.n_samples, n_features. = 5.*n_samples=7"):
        call(6)
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        call(0)
    for value in (True, 2.0, "two"):
        with pytest.raises(TypeError, match=f"{name} must be an integer"):
            call(value)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: truncation_error([1.0, -1.0], 1), ValueError, "s must not be negative, got -1"),
        (lambda: truncation_error([1.0], 2), ValueError, "k=2 must be at most the number of singular values, 1"),
        (lambda: truncation_error([1.0], -1), ValueError, "k must be at least 0"),
        (lambda: numerical_rank(USERS, 2.0), ValueError, "rtol must be from 0 to 1, got 2.0"),
        (lambda: pseudo_inverse(USERS, -1.0), ValueError, "rtol must be finite and at least 0"),
        (lambda: power_step(USERS, np.zeros(5)), ValueError, "v must not be 0: start from a random vector"),
        (lambda: power_step(USERS, np.ones(4)), ValueError, "v must"),
        (lambda: power_step(np.diag([1.0, 0.0]), [0.0, 1.0]), ValueError, "A v is 0.*another vector"),
        (lambda: svd_power(USERS, 1, tol=-1.0), ValueError, "tol must be finite and at least 0"),
        (lambda: svd_power(USERS, 1, max_iter=0), ValueError, "max_iter must be at least 1"),
        (lambda: svd_power(USERS, 1, random_state="x"), TypeError, "random_state must be an int"),
        (lambda: range_finder(USERS, 2, -1), ValueError, "n_iter must be at least 0"),
        (lambda: randomized_svd(USERS, 2, n_iter="many"), ValueError, "n_iter must be an integer or 'auto'"),
        (lambda: randomized_svd(USERS, 2, n_iter=1.5), TypeError, "n_iter must be an integer"),
        (lambda: randomized_svd(USERS, 2, n_oversamples=-1), ValueError, "n_oversamples must be at least 0"),
        (lambda: svd_from_range(USERS, np.eye(6)[:, :2]), ValueError, "Q must have 7 rows and at most 5 columns"),
        (lambda: svd_from_range(USERS, np.ones((7, 1))), ValueError, "columns of Q must be orthonormal: use range"),
        (lambda: TruncatedSVD(algorithm="lapack").fit(USERS), ValueError, "algorithm must be one of"),
        (lambda: TruncatedSVD(n_iter=-1).fit(USERS), ValueError, "n_iter must be at least 0"),
        (lambda: TruncatedSVD(n_iter="auto").fit(USERS), TypeError, "n_iter must be an integer"),
        (lambda: TruncatedSVD(n_oversamples=0).fit(USERS), ValueError, "n_oversamples must be at least 1"),
        (lambda: TruncatedSVD().fit([[1.0, np.nan], [0, 1]]), ValueError, "X contains NaN"),
        (lambda: TruncatedSVD().fit([1.0, 2.0]), ValueError, "2D array"),
        (lambda: TruncatedSVD().transform(USERS), NotFittedError, "not fitted"),
        (lambda: TruncatedSVD().inverse_transform(USERS), NotFittedError, "not fitted"),
        (lambda: TruncatedSVD().fit(USERS).transform(USERS[:, :4]), ValueError, "4 features, but TruncatedSVD is exp"),
        (lambda: TruncatedSVD().fit(USERS).inverse_transform(USERS), ValueError, "n_components=2 columns, got 5: pass"),
        (lambda: TruncatedSVD(1).fit([[1e300, 0], [0, 1.0]]), ValueError, "X is too large: the squares of X overflow"),
    ],
)  # fmt: skip
def test_errors(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_a_matrix_of_zeros_keeps_everything():
    assert truncation_error([0.0, 0.0], 0) == (0.0, 0.0, 1.0)
    assert truncation_error([2.0, 1.0], 0) == pytest.approx((2.0, np.sqrt(5), 0.0))
    assert truncation_error([2.0, 1.0], 2) == pytest.approx((0.0, 0.0, 1.0))
    assert isinstance(exact_svd(USERS), SVD)
