"""Canonical correlations against published numbers, two eigenproblems, scikit-learn, their own laws, and bad input."""

import pickle

import numpy as np
import pytest
import scipy.linalg
import sklearn.cross_decomposition
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import subspace_angles
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_frets, load_iris, load_prostate, prostate_split
from notes_lib.foundations.linear_algebra import generalized_eigh
from notes_lib.linear.fisher_lda import FisherDiscriminant
from notes_lib.reduction.cca import (
    CCA,
    canonical_pairs,
    direction_correlation,
    first_correlation_test,
    pls_directions,
    pls_regression,
    score_correlations,
    view_covariances,
    whitened_covariance,
)

BROTHERS = np.hsplit(load_frets().X, 2)
ATTRIBUTES = ["x_weights_", "y_weights_", "x_rotations_", "y_rotations_", "x_loadings_", "y_loadings_"]


def two_views(seed, n=80, p=5, q=4, shared=3):
    """Two views that share a few hidden causes."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, shared))
    X, Y = (Z @ rng.normal(size=(shared, d)) + rng.normal(size=(n, d)) + rng.normal(size=d) for d in (p, q))
    return X, Y


# ---------------------------------------------------------------- published examples


@pytest.mark.equation("cca-svd", "cca-correlation", "cca-covariances")
def test_heads_of_brothers():
    """Mardia, Kent and Bibby (1979), section 10.2: correlations 0.7885 and 0.0537, and the first directions."""
    pairs = canonical_pairs(*BROTHERS)
    assert_allclose(pairs.values, [0.7885, 0.0537], atol=6e-5)
    assert_allclose(pairs.x_directions[:, 0], [0.0566, 0.0707], atol=6e-5)
    assert_allclose(pairs.y_directions[:, 0], [0.0502, 0.0802], atol=6e-5)
    assert_allclose(CCA().fit(*BROTHERS).correlations_, [0.7885, 0.0537], atol=6e-5)


def test_partial_least_squares_of_the_prostate_data():
    """Hastie, Tibshirani and Friedman (2009), table 3.3: two components, columns with unit variance over all 97 men."""
    data, (train, _) = load_prostate(), prostate_split()
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0, ddof=1)
    coef, _ = pls_regression(X[train], data.y[train], 2)
    assert_allclose(coef[:, 0], [0.419, 0.344, -0.026, 0.220, 0.243, 0.079, 0.011, 0.084], atol=1e-3)
    assert_allclose(data.y[train].mean(), 2.452, atol=1e-3)  # what the table calls the intercept


# ---------------------------------------------------------------- other routes


@pytest.mark.equation("cca-block", "cca-lagrangian", "cca-svd")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ridge", [0.0, 0.7])
def test_the_eigenproblem_of_both_views_at_once(seed, ridge):
    X, Y = two_views(seed)
    C_xx, C_yy, C_xy = view_covariances(X, Y)
    A = np.block([[np.zeros((5, 5)), C_xy], [C_xy.T, np.zeros((4, 4))]])
    within = scipy.linalg.block_diag(C_xx + ridge * np.eye(5), C_yy + ridge * np.eye(4))
    values, W = scipy.linalg.eigh(A, within)
    pairs = canonical_pairs(X, Y, ridge)
    assert_allclose(pairs.values, values[::-1][:4], rtol=1e-10, atol=1e-12)
    assert_allclose(values, -values[::-1], atol=1e-10)  # with b turned round, every root comes back with a minus
    W = np.sqrt(2) * W[:, ::-1][:, :4]  # each half has half the unit length
    W *= np.sign((W[:5] * pairs.x_directions).sum(axis=0))
    assert_allclose(pairs.x_directions, W[:5], rtol=1e-8, atol=1e-10)
    assert_allclose(pairs.y_directions, W[5:], rtol=1e-8, atol=1e-10)


@pytest.mark.equation("cca-eigen", "cca-back", "cca-whitened")
@pytest.mark.parametrize("seed", range(4))
def test_one_view_eliminated_and_whitened(seed):
    X, Y = two_views(seed)
    C_xx, C_yy, C_xy = view_covariances(X, Y)
    squares, A = generalized_eigh(C_xy @ np.linalg.solve(C_yy, C_xy.T), C_xx, 4)
    pairs = canonical_pairs(X, Y)
    assert_allclose(pairs.values, np.sqrt(squares), rtol=1e-9)
    assert_allclose(pairs.x_directions, A, rtol=1e-7, atol=1e-9)
    assert_allclose(pairs.y_directions, np.linalg.solve(C_yy, C_xy.T @ A) / pairs.values, rtol=1e-8, atol=1e-10)
    K = whitened_covariance(C_xx, C_yy, C_xy)
    assert_allclose(K, scipy.linalg.inv(scipy.linalg.sqrtm(C_xx)) @ C_xy @ scipy.linalg.inv(scipy.linalg.sqrtm(C_yy)))
    assert_allclose(np.linalg.svd(K)[1], pairs.values, rtol=1e-10)
    ridged = whitened_covariance(C_xx, C_yy, C_xy, 0.4)
    assert_allclose(np.linalg.svd(ridged)[1], canonical_pairs(X, Y, 0.4).values, rtol=1e-10)


@pytest.mark.equation("cca-angles")
def test_cosines_of_principal_angles():
    X, Y = two_views(5)
    angles = subspace_angles(X - X.mean(axis=0), Y - Y.mean(axis=0))
    assert_allclose(canonical_pairs(X, Y).values, np.sort(np.cos(angles))[::-1], rtol=1e-12)


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_the_arrays_of_scikit_learn(seed, scale):
    X, Y = two_views(seed)
    X[:, 1] *= 7
    peer = sklearn.cross_decomposition.CCA(3, scale=scale, tol=1e-24, max_iter=20_000).fit(X, Y)
    ours = CCA(3, scale=scale).fit(X, Y)
    for name in ATTRIBUTES:
        assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-6, atol=1e-7, err_msg=name)
    for mine, other in zip(ours.transform(X, Y), peer.transform(X, Y), strict=True):
        assert_allclose(mine, other, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("shape", [(80,), (80, 3)])
@pytest.mark.parametrize("k", [1, 3])
def test_partial_least_squares_of_scikit_learn(shape, k):
    rng = np.random.default_rng(k)
    X, Y = two_views(1)[0], rng.normal(size=shape)
    peer = sklearn.cross_decomposition.PLSRegression(k, scale=False, tol=1e-24, max_iter=20_000).fit(X, Y)
    coef, intercept = pls_regression(X, Y, k)
    assert_allclose(coef, peer.coef_.T, rtol=1e-6, atol=1e-8)
    assert_allclose(X @ coef + intercept, peer.predict(X).reshape(80, -1), rtol=1e-6, atol=1e-8)


@pytest.mark.equation("cca-pls-svd")
def test_no_other_unit_directions_have_a_larger_covariance():
    X, Y = two_views(2)
    peer = sklearn.cross_decomposition.PLSSVD(3, scale=False).fit(X, Y)
    found = pls_directions(X, Y)
    assert_allclose(found.x_directions[:, :3], peer.x_weights_, atol=1e-10)
    assert_allclose(found.y_directions[:, :3], peer.y_weights_, atol=1e-10)
    U, V = X @ found.x_directions, Y @ found.y_directions
    assert_allclose(np.cov(U.T, V.T)[:4, 4:], np.diag(found.values), atol=1e-10)


def test_all_components_of_partial_least_squares_are_least_squares():
    X, Y = two_views(3)
    coef, intercept = pls_regression(X, Y, 5)
    peer = LinearRegression().fit(X, Y)
    assert_allclose(coef, peer.coef_.T, rtol=1e-9, atol=1e-10)
    assert_allclose(intercept, peer.intercept_, rtol=1e-9, atol=1e-10)


# ---------------------------------------------------------------- special cases


@pytest.mark.equation("cca-one-target")
def test_one_target_is_linear_regression():
    X, Y = two_views(6)
    y = Y[:, 0]
    peer = LinearRegression().fit(X, y)
    model = CCA(1, scale=False).fit(X, y)
    assert_allclose(model.correlations_[0] ** 2, peer.score(X, y), rtol=1e-12)
    assert_allclose(model.x_rotations_[:, 0], _unit(peer.coef_), rtol=1e-10)


def _unit(v):
    return v / np.linalg.norm(v) * np.sign(v[np.abs(v).argmax()])


@pytest.mark.equation("cca-lda")
def test_classes_as_a_view_give_fishers_directions():
    X, y = load_iris().X, load_iris().y
    fisher = FisherDiscriminant().fit(X, y)
    pairs = canonical_pairs(X, np.eye(3)[y])
    assert len(pairs.values) == 2  # three indicators, but they sum to 1
    assert_allclose(pairs.values**2, fisher.eigenvalues_ / (1 + fisher.eigenvalues_), rtol=1e-10)
    for ours, theirs in zip(pairs.x_directions.T, fisher.scalings_.T, strict=True):
        assert_allclose(_unit(ours), _unit(theirs), rtol=1e-8)


@pytest.mark.equation("cca-ridge", "cca-ridge-factor")
def test_a_huge_ridge_is_partial_least_squares():
    X, Y = two_views(7)
    pairs, limit = canonical_pairs(X, Y, 1e9), pls_directions(X, Y)
    assert_allclose(pairs.values * 1e9, limit.values, rtol=1e-6)
    assert_allclose(pairs.x_directions * np.sqrt(1e9), limit.x_directions, atol=1e-6)


# ---------------------------------------------------------------- laws


@pytest.mark.equation("cca-invariance", "cca-length")
@given(seed=st.integers(0, 10**6), shift=st.floats(-5, 5))
@settings(max_examples=30, deadline=None)
def test_an_invertible_map_of_a_view_changes_no_correlation(seed, shift):
    X, Y = two_views(seed, n=30, p=3, q=2)
    M = np.random.default_rng(seed).normal(size=(3, 3)) + 4 * np.eye(3)
    before, after = canonical_pairs(X, Y), canonical_pairs(X @ M + shift, Y)
    assert_allclose(after.values, before.values, rtol=1e-8, atol=1e-9)
    U, V = X @ before.x_directions, X @ M @ after.x_directions
    assert_allclose(np.abs(score_correlations(U, V)), 1, rtol=1e-7)


@pytest.mark.equation("cca-uncorrelated")
@given(seed=st.integers(0, 10**6), ridge=st.sampled_from([0.0, 0.3]))
@settings(max_examples=30, deadline=None)
def test_scores_are_uncorrelated_but_for_their_partners(seed, ridge):
    X, Y = two_views(seed, n=25, p=4, q=3)
    C_xx, C_yy, C_xy = view_covariances(X, Y)
    values, A, B = canonical_pairs(X, Y, ridge)
    assert_allclose(A.T @ (C_xx + ridge * np.eye(4)) @ A, np.eye(3), atol=1e-9)
    assert_allclose(B.T @ (C_yy + ridge * np.eye(3)) @ B, np.eye(3), atol=1e-9)
    assert_allclose(A.T @ C_xy @ B, np.diag(values), atol=1e-9)
    assert (np.diff(values) <= 1e-12).all()


@pytest.mark.equation("cca-bound")
@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_no_other_pair_of_directions_is_better(seed):
    X, Y = two_views(seed, n=25, p=4, q=3)
    best = canonical_pairs(X, Y)
    C = view_covariances(X, Y)
    found = direction_correlation(best.x_directions[:, 0], best.y_directions[:, 0], *C)
    assert_allclose(found, best.values[0], rtol=1e-10)
    rng = np.random.default_rng(seed)
    for step in (0.05, 1.0):
        a = best.x_directions[:, 0] * (1 + step * rng.normal(size=4))
        b = best.y_directions[:, 0] * (1 + step * rng.normal(size=3))
        assert direction_correlation(a, b, *C) <= best.values[0] + 1e-12


@pytest.mark.equation("cca-dimension")
@pytest.mark.parametrize(("n", "p", "q"), [(10, 9, 3), (10, 20, 15), (10, 6, 5), (12, 6, 5), (12, 6, 6)])
def test_how_many_correlations_are_one_by_dimensions_alone(n, p, q):
    rng = np.random.default_rng(n)
    values = canonical_pairs(rng.normal(size=(n, p)), rng.normal(size=(n, q))).values
    ranks = min(n - 1, p), min(n - 1, q)
    assert len(values) == min(ranks)
    assert (values > 1 - 1e-9).sum() == max(0, sum(ranks) - (n - 1))


def test_the_same_for_permuted_rows_other_memory_and_single_precision():
    X, Y = two_views(8)
    order = np.random.default_rng(0).permutation(len(X))
    expected = CCA(3).fit(X, Y)
    for A, B in [(X[order], Y[order]), (np.asfortranarray(X), np.repeat(Y, 2, axis=1)[:, ::2])]:
        model = CCA(3).fit(A, B)
        for name in ATTRIBUTES:
            assert_allclose(getattr(model, name), getattr(expected, name), rtol=1e-9, atol=1e-11)
    single = CCA(3).fit(X.astype(np.float32), Y.astype(np.float32))
    assert_allclose(single.correlations_, expected.correlations_, atol=1e-5)


# ---------------------------------------------------------------- permutation test and scores


@pytest.mark.equation("cca-p-value")
def test_shuffled_rows_fitted_anew():
    X, Y = two_views(9, n=15, p=3, q=2)
    for ridge in (0.0, 0.5):
        found = first_correlation_test(X, Y, ridge, n_resamples=25, random_state=3)
        rng = np.random.default_rng(3)
        null = [canonical_pairs(X, Y[rng.permutation(15)], ridge).values[0] for _ in range(25)]
        assert_allclose(found.null, null, rtol=1e-9)
        assert_allclose(found.observed, canonical_pairs(X, Y, ridge).values[0], rtol=1e-12)
        assert found.p_value == (1 + sum(v >= found.observed for v in null)) / 26


@pytest.mark.equation("cca-p-value")
def test_p_values_of_unrelated_views_are_uniform():
    rng = np.random.default_rng(0)
    p = [
        first_correlation_test(rng.normal(size=(12, 3)), rng.normal(size=(12, 2)), n_resamples=19, random_state=s)
        .p_value
        for s in range(200)
    ]  # fmt: skip
    assert abs(np.mean(np.array(p) <= 0.2) - 0.2) < 4 * np.sqrt(0.2 * 0.8 / 200)


def test_more_columns_than_rows_cannot_be_significant():
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(10, 12)), rng.normal(size=(10, 2))
    found = first_correlation_test(X, Y, n_resamples=19, random_state=0)
    assert_allclose(found.observed, 1, rtol=1e-12)
    assert found.p_value == 1


def test_rounding_raises_no_correlation_above_one():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        found = first_correlation_test(rng.normal(size=(9, 12)), rng.normal(size=(9, 8)), n_resamples=20)
        assert found.observed <= 1
        assert found.null.max() <= 1


def test_correlations_of_scores():
    X, Y = two_views(10)
    model = CCA(3, ridge=0.5).fit(X[:50], Y[:50])
    U, V = model.transform(X[50:], Y[50:])
    assert_allclose(score_correlations(U, V), [np.corrcoef(u, v)[0, 1] for u, v in zip(U.T, V.T, strict=True)])
    assert_allclose(model.correlations_, score_correlations(*model.transform(X[:50], Y[:50])), rtol=1e-10)


def test_a_ridge_helps_where_there_are_few_rows():
    """Averages over data sets of 25 rows: the held-out correlation rises with a ridge, the training one falls."""
    training, new = {0.0: [], 1.0: []}, {0.0: [], 1.0: []}
    for seed in range(20):
        X, Y = two_views(seed, n=400, p=12, q=10, shared=1)
        for ridge in training:
            model = CCA(1, ridge=ridge).fit(X[:25], Y[:25])
            training[ridge].append(model.correlations_[0])
            new[ridge].append(score_correlations(*model.transform(X[25:], Y[25:]))[0])
    gain, loss = np.subtract(new[1.0], new[0.0]), np.subtract(training[1.0], training[0.0])
    assert gain.mean() > 4 * gain.std() / np.sqrt(20)
    assert loss.mean() < 0


# ---------------------------------------------------------------- extremes


@pytest.mark.parametrize("factor", [1e-150, 1e-8, 1e8, 1e150])
def test_units_of_any_size(factor):
    X, Y = two_views(11)
    expected = canonical_pairs(X, Y).values
    scaled = X * np.array([factor, 1, 1, 1 / factor, 1])
    assert_allclose(canonical_pairs(scaled, Y * factor).values, expected, rtol=1e-9)
    assert_allclose(CCA(4).fit(scaled, Y * factor).correlations_, expected, rtol=1e-9)


def test_far_from_the_origin():
    X, Y = two_views(12)
    assert_allclose(canonical_pairs(X + 1e6, Y - 1e6).values, canonical_pairs(X, Y).values, rtol=1e-7)


def test_repeated_columns_change_nothing():
    X, Y = two_views(13)
    twice = np.column_stack([X, X[:, 0] + X[:, 1]])
    assert_allclose(canonical_pairs(twice, Y).values, canonical_pairs(X, Y).values, rtol=1e-10)
    U, V = CCA(4).fit_transform(twice, Y)
    assert_allclose(score_correlations(U, V), canonical_pairs(X, Y).values, rtol=1e-10)


def test_the_same_view_twice():
    X, _ = two_views(14)
    assert_allclose(canonical_pairs(X, X[:, ::-1]).values, 1, rtol=1e-12)
    assert (canonical_pairs(X, X).values <= 1).all()


# ---------------------------------------------------------------- contract


def test_estimator_contract():
    check_estimator(CCA(1), on_skip=None)
    check_estimator(CCA(1, scale=False, ridge=0.1), on_skip=None)
    X, Y = two_views(15)
    model = CCA(2, ridge=0.2).fit(X, Y)
    assert clone(model).get_params() == {"n_components": 2, "ridge": 0.2, "scale": True}
    assert_array_equal(pickle.loads(pickle.dumps(model)).transform(X), model.transform(X))
    assert model.get_feature_names_out().tolist() == ["cca0", "cca1"]
    pipe = make_pipeline(StandardScaler(), CCA(1)).fit(X, Y)
    assert pipe.transform(X).shape == (80, 1)
    held_out = lambda model, X, Y: score_correlations(*model.transform(X, Y))[0]
    search = GridSearchCV(CCA(1), {"ridge": [0.0, 1.0]}, scoring=held_out, cv=4).fit(X, Y)
    assert search.best_score_ > 0.5


def test_a_vector_is_one_column():
    X, Y = two_views(16)
    vector, column = CCA(1).fit(X, Y[:, 0]), CCA(1).fit(X, Y[:, :1])
    for a, b in zip(vector.transform(X, Y[:, 0]), column.transform(X, Y[:, :1]), strict=True):
        assert_array_equal(a, b)
    assert_array_equal(vector.transform(X), column.transform(X))


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("parameters", "error", "match"),
    [
        ({"n_components": 5}, ValueError, "n_components=5 must be at most 4, the smaller rank"),
        ({"n_components": 0}, ValueError, "n_components must be at least 1"),
        ({"n_components": 2.0}, TypeError, "n_components must be an integer"),
        ({"n_components": True}, TypeError, "n_components must be an integer"),
        ({"scale": "yes"}, TypeError, "scale must be True or False"),
        ({"ridge": -1}, ValueError, "ridge must be finite and at least 0"),
        ({"ridge": np.nan}, ValueError, "ridge must be finite"),
        ({"ridge": "big"}, TypeError, "ridge must be a number"),
    ],
)
def test_bad_parameters(parameters, error, match):
    with pytest.raises(error, match=match):
        CCA(**parameters).fit(*two_views(0))


def test_more_components_than_rows_allow():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="n_components=5 must be at most 4"):
        CCA(5).fit(rng.normal(size=(5, 9)), rng.normal(size=(5, 8)))


@pytest.mark.parametrize("fit", [lambda X, Y: CCA(1).fit(X, Y), canonical_pairs, first_correlation_test])
def test_bad_views(fit):
    X, Y = two_views(0)
    with pytest.raises(ValueError, match=r"must have the same number of rows, got 80 and 79: a row is one instance"):
        fit(X, Y[1:])
    still = np.column_stack([X, np.full(80, 0.1)])
    with pytest.raises(ValueError, match=r"X has constant columns, \[5\] counted from 0: .* remove them"):
        fit(still, Y)
    with pytest.raises(ValueError, match=r"[Yy] has constant columns, \[0\]"):
        fit(X, np.ones(80))
    for bad in (np.nan, np.inf):
        broken = Y.copy()
        broken[3, 1] = bad
        with pytest.raises(ValueError, match=r"(Y must be finite|Input y contains)"):
            fit(X, broken)
        with pytest.raises(ValueError, match=r"(X must be finite|Input X contains)"):
            fit(broken, X)
    with pytest.raises(ValueError, match=r"(X must be a matrix|Found array with dim 3)"):
        fit(X[:, :, None], Y)
    with pytest.raises(ValueError, match=r"(X must be a matrix with entries|Found array with 0 sample)"):
        fit(X[:0], Y[:0])
    with pytest.raises(ValueError, match=r"1 sample"):
        fit(X[:1], Y[:1])


def test_the_second_view_is_needed():
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        CCA(1).fit(two_views(0)[0], None)


def test_bad_rows_to_transform():
    X, Y = two_views(0)
    with pytest.raises(NotFittedError, match="not fitted"):
        CCA().transform(X)
    model = CCA().fit(X, Y)
    with pytest.raises(ValueError, match="X has 3 features, but CCA is expecting 5"):
        model.transform(X[:, :3])
    with pytest.raises(ValueError, match="y must have the 4 columns that it had in fit, got 3"):
        model.transform(X, Y[:, :3])
    with pytest.raises(ValueError, match="Input y contains NaN"):
        model.transform(X, np.where(Y > 1, np.nan, Y))


def test_bad_covariances_directions_and_scores():
    C = view_covariances(*two_views(0))
    with pytest.raises(ValueError, match=r"C_xy must have shape \(5, 4\)"):
        whitened_covariance(C.C_xx, C.C_yy, C.C_xy.T)
    with pytest.raises(ValueError, match="C_xx must be symmetric"):
        whitened_covariance(np.triu(C.C_xx), C.C_yy, C.C_xy)
    with pytest.raises(ValueError, match="C_yy is singular: remove columns that others explain, or give a positive"):
        whitened_covariance(C.C_xx, np.ones((4, 4)), C.C_xy)
    with pytest.raises(ValueError, match="C_yy is singular"):
        whitened_covariance(C.C_xx, np.diag([1e8, 1e8, 1e8, 1e-9]), C.C_xy)
    assert np.isfinite(whitened_covariance(C.C_xx, np.ones((4, 4)), C.C_xy, 0.1)).all()
    with pytest.raises(ValueError, match=r"a must be a vector of shape \(5,\)"):
        direction_correlation([1, 2], [1, 0, 0, 0], *C)
    with pytest.raises(ValueError, match="a and b must be directions along which the views vary"):
        direction_correlation(np.zeros(5), [1, 0, 0, 0], *C)
    with pytest.raises(ValueError, match="U and V must have the same number of columns, got 2 and 1"):
        score_correlations([[0, 1], [1, 0]], [[0], [1]])
    with pytest.raises(ValueError, match="V has constant columns"):
        score_correlations([[0], [1]], [[1], [1]])
    with pytest.raises(ValueError, match="ridge must be finite"):
        canonical_pairs(*two_views(0), ridge=-0.1)
    with pytest.raises(ValueError, match="n_resamples must be at least 1"):
        first_correlation_test(*two_views(0), n_resamples=0)
    with pytest.raises(TypeError, match="X must hold real numbers"):
        canonical_pairs([["a"], ["b"]], [1, 2])


def test_bad_components_of_partial_least_squares():
    X, Y = two_views(0)
    with pytest.raises(ValueError, match="n_components=6 must be at most 5, the rank of the centred X"):
        pls_regression(X, Y, 6)
    with pytest.raises(TypeError, match="n_components must be an integer"):
        pls_regression(X, Y, 1.0)
    with pytest.raises(ValueError, match="same number of rows"):
        pls_directions(X, Y[1:])
