"""Fisher's linear discriminant: published numbers, independent routes, laws, extremes, errors."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Peer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_digits, load_iris, load_wine
from notes_lib.linear.fisher_lda import (
    FisherDiscriminant,
    discriminant_directions,
    fisher_criterion,
    fisher_direction,
    scatter_matrices,
    shrunk_scatter,
)
from notes_lib.numerics import BLOCK, central_difference

ONE = np.array([[4, 1], [2, 4], [2, 3], [3, 6], [4, 4]], dtype=float)
TWO = np.array([[9, 10], [6, 8], [9, 5], [8, 7], [10, 8]], dtype=float)


def problem(seed, n=60, K=2, d=2):
    """Correlated classes of unequal size with different means; every class has at least two rows."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.r_[np.repeat(np.arange(K), 2), rng.choice(K, n - 2 * K, p=rng.dirichlet(np.full(K, 5.0)))])
    A = rng.normal(size=(d, d)) + 1.5 * np.eye(d)
    return rng.normal(size=(n, d)) @ A.T + 2 * rng.normal(size=(K, d))[y], y


def by_loops(X, y):
    """Scatter matrices as the definitions read, one point at a time."""
    S_w, S_b = np.zeros((X.shape[1],) * 2), np.zeros((X.shape[1],) * 2)
    for k in np.unique(y):
        m = X[y == k].mean(axis=0)
        for x in X[y == k]:
            S_w += np.outer(x - m, x - m)
        S_b += (y == k).sum() * np.outer(m - X.mean(axis=0), m - X.mean(axis=0))
    return S_w, S_b


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("fisher-lda-within", "fisher-lda-between", "fisher-lda-direction", "fisher-lda-eigenproblem")
def test_gutierrez_osuna_worked_example():
    # R. Gutierrez-Osuna, pattern recognition lecture 10. He divides each class scatter by its 5 points and leaves the
    # factor n_1 n_2 / n = 2.5 out of S_b; sums are 5 and 2.5 times his, so his eigenvalue is twice ours.
    X, y = np.vstack([ONE, TWO]), np.repeat([1, 2], 5)
    S_w, S_b = scatter_matrices(X, y)
    assert_allclose(S_w / 5, [[2.64, -0.44], [-0.44, 5.28]], rtol=0, atol=1e-12)
    assert_allclose(S_b / 2.5, [[29.16, 21.6], [21.6, 16]], rtol=0, atol=1e-12)
    assert_allclose(2 * discriminant_directions(S_w, S_b).eigenvalues[0], 15.65685019206146, rtol=1e-13)
    assert_allclose(fisher_direction(X, y), [0.919559317646, 0.39295122004], rtol=1e-11)
    model = FisherDiscriminant().fit(X, y)
    assert_allclose(model.means_, [[3, 3.6], [8.4, 7.6]], rtol=1e-14)
    assert_allclose(2 * model.eigenvalues_, [15.65685019206146], rtol=1e-13)


@pytest.mark.equation("fisher-lda-within", "fisher-lda-between")
def test_teknomo_rings():
    # Kardi Teknomo's chip rings (curvature, diameter). He takes class covariances about the *global* mean and pools
    # them, which is the total scatter S_w + S_b over n, and prints it to three digits.
    X = np.array([[2.95, 6.63], [2.53, 7.79], [3.57, 5.65], [3.16, 5.47], [2.58, 4.46], [2.16, 6.22], [3.27, 3.52]])
    y = np.repeat([1, 2], [4, 3])
    S_w, S_b = scatter_matrices(X, y)
    assert_allclose((S_w + S_b) / 7, [[0.206, -0.233], [-0.233, 1.689]], rtol=0, atol=0.0035)
    model = FisherDiscriminant().fit(X, y)
    assert_allclose(model.means_, [[3.05, 6.38], [2.67, 4.73]], rtol=0, atol=0.006)
    assert_allclose(model.xbar_, [2.88, 5.676], rtol=0, atol=0.009)
    assert model.predict([[2.81, 5.46]]) == [2]


def test_iris_makes_three_mistakes():
    # printed by R's lda on all 150 flowers: versicolor 48 + 2, virginica 1 + 49; proportion of trace 0.9912, 0.0088
    X, y = load_iris().X, load_iris().y
    model = FisherDiscriminant().fit(X, y)
    table = np.array([[np.sum((y == i) & (model.predict(X) == j)) for j in range(3)] for i in range(3)])
    assert_array_equal(table, [[50, 0, 0], [0, 48, 2], [0, 1, 49]])
    assert_allclose(model.explained_variance_ratio_, [0.9912, 0.0088], rtol=0, atol=5e-5)


def test_scikit_learn_docs_example():
    X = [[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]]
    assert FisherDiscriminant().fit(X, [1, 1, 1, 2, 2, 2]).predict([[-0.8, -1]]) == [1]


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("fisher-lda-means", "fisher-lda-within", "fisher-lda-between")
@pytest.mark.parametrize("seed", range(4))
def test_scatter_by_loops(seed):
    X, y = problem(seed, K=2 + seed, d=1 + seed)
    S_w, S_b = scatter_matrices(X, y)
    loop_w, loop_b = by_loops(X, y)
    assert_allclose(S_w, loop_w, rtol=1e-11, atol=1e-10)
    assert_allclose(S_b, loop_b, rtol=1e-11, atol=1e-10)


@pytest.mark.equation("fisher-lda-eigenproblem", "fisher-lda-whitened", "fisher-lda-scalings", "fisher-lda-scores")
@pytest.mark.parametrize("load", [load_iris, load_wine, lambda: None])
def test_same_as_scikit_learn(load):
    data = load()
    X, y = (data.X, data.y) if data else problem(3, n=300, K=5, d=4)
    ours, peer = FisherDiscriminant().fit(X, y), Peer(solver="eigen").fit(X, y)
    r = min(len(ours.classes_) - 1, X.shape[1])
    expected = peer.scalings_[:, :r]
    signs = np.sign(np.sum(ours.scalings_ * expected, axis=0))
    assert ours.scalings_.shape == (X.shape[1], r)
    assert_allclose(ours.scalings_, expected * signs, rtol=1e-7, atol=1e-8)
    assert_allclose(ours.covariance_, peer.covariance_, rtol=1e-9, atol=1e-10)
    assert_allclose(ours.xbar_, Peer(solver="svd").fit(X, y).xbar_, rtol=1e-10, atol=1e-12)
    for name in ["means_", "priors_", "explained_variance_ratio_"]:
        assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-8, atol=1e-10, err_msg=name)
    Y = X + 0.3 * X.std(axis=0) * np.random.default_rng(0).normal(size=X.shape)
    assert_array_equal(ours.predict(Y), peer.predict(Y))
    assert_allclose(ours.predict_proba(Y), peer.predict_proba(Y), rtol=1e-6, atol=1e-10)
    # scikit-learn's eigen solver does not centre; its scores differ by a number that all classes of a row share
    Z = peer.transform(Y) * signs
    assert_allclose(ours.transform(Y), Z - peer.transform(X).mean(axis=0) * signs, rtol=1e-7, atol=1e-7)
    a, b = ours.decision_function(Y), peer.decision_function(Y)
    assert_allclose(a - a[:, :1], b - b[:, :1], rtol=1e-7, atol=1e-7)


@pytest.mark.equation("fisher-lda-threshold", "fisher-lda-scores")
def test_two_classes_as_scikit_learn():
    X, y = problem(5, n=200, d=3)
    ours, peer = FisherDiscriminant().fit(X, y), Peer(solver="eigen").fit(X, y)
    for name in ["coef_", "intercept_"]:
        assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-9, atol=1e-9, err_msg=name)
    assert_allclose(ours.decision_function(X), peer.decision_function(X), rtol=1e-8, atol=1e-9)
    assert_allclose(ours.decision_function(X), X @ ours.coef_[0] + ours.intercept_[0], rtol=1e-9, atol=1e-10)
    assert_array_equal(ours.predict(X), (ours.decision_function(X) > 0).astype(int))


@pytest.mark.equation("fisher-lda-shrinkage")
@pytest.mark.parametrize("shrinkage", [0.0, 0.2, 1.0])
def test_shrinkage_as_scikit_learn(shrinkage):
    X, y = problem(6, n=150, K=3, d=4)
    ours, peer = FisherDiscriminant(shrinkage=shrinkage).fit(X, y), Peer(solver="lsqr", shrinkage=shrinkage).fit(X, y)
    assert_allclose(ours.covariance_, peer.covariance_, rtol=1e-10, atol=1e-12)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=1e-7, atol=1e-12)


@pytest.mark.equation("fisher-lda-scores", "fisher-lda-threshold")
@pytest.mark.parametrize("K", [2, 4])
def test_predict_is_the_bayes_rule_of_gaussians_with_one_covariance(K):
    X, y = problem(7, n=120, K=K, d=3)
    pi = np.arange(1, K + 1) / np.arange(1, K + 1).sum()
    model = FisherDiscriminant(priors=pi).fit(X, y)
    S = by_loops(X, y)[0] / len(X)
    joint = np.column_stack(
        [np.log(pi[k]) + multivariate_normal(X[y == k].mean(axis=0), S).logpdf(X) for k in range(K)]
    )
    ratios = np.exp(joint - joint.max(axis=1, keepdims=True))
    assert_allclose(model.predict_proba(X), ratios / ratios.sum(axis=1, keepdims=True), rtol=1e-6, atol=1e-12)
    scores = model.decision_function(X)
    expected = joint[:, 1] - joint[:, 0]
    assert_allclose(scores if K == 2 else scores[:, 1] - scores[:, 0], expected, rtol=1e-7, atol=1e-8)


@pytest.mark.equation("fisher-lda-eigenproblem", "fisher-lda-whitened", "fisher-lda-constraint")
@pytest.mark.parametrize("seed", range(4))
def test_eigenproblem_as_scipy(seed):
    S_w, S_b = scatter_matrices(*problem(seed, n=80, K=5, d=4))
    found = discriminant_directions(S_w, S_b)
    values, V = eigh(S_b, S_w)
    assert_allclose(found.eigenvalues, values[::-1], rtol=1e-9, atol=1e-12)
    assert_allclose(np.abs(found.vectors), np.abs(V[:, ::-1]), rtol=1e-7, atol=1e-9)
    assert_allclose(S_b @ found.vectors, S_w @ found.vectors * found.eigenvalues, rtol=1e-7, atol=1e-8)
    assert discriminant_directions(S_w, S_b, 2).vectors.shape == (4, 2)


@pytest.mark.equation("fisher-lda-criterion", "fisher-lda-gradient", "fisher-lda-direction")
@pytest.mark.parametrize("seed", range(4))
def test_gradient_of_the_criterion_vanishes_at_the_optimum(seed):
    X, y = problem(seed, d=4)
    S_w, S_b = scatter_matrices(X, y)
    J = lambda w: fisher_criterion(w, S_w, S_b)
    best = fisher_direction(X, y)
    rng = np.random.default_rng(seed)
    assert np.abs(central_difference(J, rng.normal(size=4))).max() > 1e-3  # not flat elsewhere
    assert_allclose(central_difference(J, best), 0.0, atol=1e-7 * J(best))
    assert all(J(best + 0.1 * rng.normal(size=4)) < J(best) for _ in range(50))


@pytest.mark.equation(
    "fisher-lda-direction", "fisher-lda-criterion", "fisher-lda-projection", "fisher-lda-projected-scatter"
)
@pytest.mark.parametrize("seed", range(4))
def test_direction_by_trying_all_angles(seed):
    X, y = problem(seed + 20)
    angles = np.linspace(0, np.pi, 20_001)
    W = np.column_stack([np.cos(angles), np.sin(angles)])
    Z = X @ W.T  # scatter of the projected numbers, without any matrix
    groups = [Z[y == k] for k in range(2)]
    between = sum(len(z) * (z.mean(axis=0) - Z.mean(axis=0)) ** 2 for z in groups)
    ratio = between / sum(((z - z.mean(axis=0)) ** 2).sum(axis=0) for z in groups)
    best = fisher_direction(X, y)
    S_w, S_b = scatter_matrices(X, y)
    assert abs(W[int(np.argmax(ratio))] @ best) > 1 - 1e-7
    assert_allclose(ratio.max(), fisher_criterion(best, S_w, S_b), rtol=1e-6)
    assert_allclose(fisher_criterion(W[77], S_w, S_b), ratio[77], rtol=1e-10)


# --------------------------------------------------------------------------------------------------------------- laws

seeds = st.integers(0, 10**6)
quick = settings(max_examples=25, deadline=None)


@pytest.mark.equation("fisher-lda-criterion")
@quick
@given(seed=seeds, c=st.sampled_from([-3.0, 1e-4, 1e5]))
def test_criterion_ignores_length_and_sign(seed, c):
    S_w, S_b = scatter_matrices(*problem(seed, d=3))
    w = np.random.default_rng(seed).normal(size=3)
    assert_allclose(fisher_criterion(c * w, S_w, S_b), fisher_criterion(w, S_w, S_b), rtol=1e-10)


@pytest.mark.equation("fisher-lda-total")
@quick
@given(seed=seeds, K=st.integers(2, 5), d=st.integers(1, 4))
def test_total_is_within_plus_between(seed, K, d):
    X, y = problem(seed, K=K, d=d)
    S_w, S_b = scatter_matrices(X, y)
    assert_allclose(S_w + S_b, len(X) * np.cov(X.T, bias=True).reshape(d, d), rtol=1e-10, atol=1e-9)


@pytest.mark.equation("fisher-lda-between-two", "fisher-lda-parallel", "fisher-lda-two-value")
@quick
@given(seed=seeds)
def test_between_scatter_of_two_classes_has_the_factor_n1_n2_over_n(seed):
    X, y = problem(seed, d=3)
    n0, n1 = np.bincount(y)
    delta = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    S_w, S_b = scatter_matrices(X, y)
    assert_allclose(S_b, n0 * n1 / (n0 + n1) * np.outer(delta, delta), rtol=1e-8, atol=1e-9)
    assert_allclose(np.cross(S_b @ [0.3, -2.0, 1.0], delta), 0.0, atol=1e-7)
    value = n0 * n1 / (n0 + n1) * delta @ np.linalg.inv(S_w) @ delta
    assert_allclose(discriminant_directions(S_w, S_b).eigenvalues[0], value, rtol=1e-7)


@pytest.mark.equation("fisher-lda-lagrangian", "fisher-lda-value")
@pytest.mark.parametrize("seed", range(4))
def test_every_pair_is_a_stationary_point_of_the_lagrangian(seed):
    S_w, S_b = scatter_matrices(*problem(seed, n=80, K=4, d=3))
    values, W = discriminant_directions(S_w, S_b)
    for value, w in zip(values, W.T, strict=True):
        lagrangian = lambda v: v[:3] @ S_b @ v[:3] - v[3] * (v[:3] @ S_w @ v[:3] - 1)
        assert_allclose(central_difference(lagrangian, np.r_[w, value]), 0.0, atol=1e-6)
        assert_allclose(fisher_criterion(w, S_w, S_b), value, rtol=1e-8, atol=1e-10)


@pytest.mark.equation("fisher-lda-constraint", "fisher-lda-scalings", "fisher-lda-rank")
@quick
@given(seed=seeds, K=st.integers(2, 5), d=st.integers(1, 6))
def test_constraint_and_rank(seed, K, d):
    X, y = problem(seed, K=K, d=d)
    S_w, S_b = scatter_matrices(X, y)
    values, W = discriminant_directions(S_w, S_b)
    assert_allclose(W.T @ S_w @ W, np.eye(d), atol=1e-8)
    assert_allclose(W.T @ S_b @ W, np.diag(values), atol=1e-7 * max(1, values[0]))
    assert (values[K - 1 :] < 1e-9 * values[0]).all()
    assert (values >= 0).all()
    assert (np.diff(values) <= 0).all()
    Z = FisherDiscriminant().fit(X, y).transform(X)
    r = min(K - 1, d)
    assert Z.shape == (len(X), r)
    assert_allclose(Z.mean(axis=0), 0.0, atol=1e-9)
    pooled = sum(np.cov(Z[y == k].T, bias=True).reshape(r, r) * (y == k).sum() for k in range(K)) / len(X)
    assert_allclose(pooled, np.eye(r), atol=1e-8)


@quick
@given(seed=seeds, K=st.integers(2, 4))
def test_affine_maps_of_the_data_change_nothing(seed, K):
    X, y = problem(seed, K=K, d=3)
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(3, 3)) + 3 * np.eye(3)
    plain, mapped = FisherDiscriminant().fit(X, y), FisherDiscriminant().fit(X @ A.T + [5, -3, 40], y)
    Z, Z_mapped = plain.transform(X), mapped.transform(X @ A.T + [5, -3, 40])
    signs = np.sign(np.sum(Z * Z_mapped, axis=0))
    assert_allclose(mapped.eigenvalues_, plain.eigenvalues_, rtol=1e-6, atol=1e-9)
    assert_allclose(mapped.predict_proba(X @ A.T + [5, -3, 40]), plain.predict_proba(X), rtol=1e-5, atol=1e-9)
    if (plain.eigenvalues_[:-1] / plain.eigenvalues_[1:]).min(initial=9) > 1.01:  # well apart: unique up to sign
        assert_allclose(Z_mapped * signs, Z, rtol=1e-5, atol=1e-6)


@pytest.mark.equation("fisher-lda-least-squares")
@quick
@given(seed=seeds, d=st.integers(1, 5))
def test_least_squares_on_any_two_codes_has_fishers_direction(seed, d):
    X, y = problem(seed, d=d)
    t = np.where(y == 1, 3.0, -0.5)
    w = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), t, rcond=None)[0][1:]
    assert_allclose(w / np.linalg.norm(w), fisher_direction(X, y), rtol=1e-6, atol=1e-8)
    S_w, S_b = scatter_matrices(X, y)
    delta = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    alpha = np.bincount(y).prod() / len(X)
    top = discriminant_directions(S_w, S_b).eigenvalues[0]
    assert_allclose(w, alpha * 3.5 / (1 + top) * np.linalg.solve(S_w, delta), rtol=1e-6, atol=1e-8)


@quick
@given(seed=seeds)
def test_sign_conventions(seed):
    X, y = problem(seed, K=4, d=3)
    W = FisherDiscriminant().fit(X, y).scalings_
    assert (W[np.abs(W).argmax(axis=0), range(3)] > 0).all()
    two, labels = problem(seed, d=3)
    w = fisher_direction(two, labels)
    assert_allclose(np.linalg.norm(w), 1.0, rtol=1e-14)
    assert (two[labels == 1] @ w).mean() > (two[labels == 0] @ w).mean()
    assert_allclose(fisher_direction(two, 1 - labels), -w, rtol=1e-8, atol=1e-12)


def test_labels_of_any_type_and_rows_in_any_order():
    X, y = problem(8, n=90, K=3, d=3)
    order = np.random.default_rng(0).permutation(90)
    plain = FisherDiscriminant().fit(X, y)
    named = FisherDiscriminant().fit(np.asfortranarray(X[order]), np.array(["ant", "bee", "cat"])[y][order])
    assert_allclose(named.scalings_, plain.scalings_, rtol=1e-8, atol=1e-10)
    assert_array_equal(named.predict(X), np.array(["ant", "bee", "cat"])[plain.predict(X)])
    single = FisherDiscriminant().fit(X.astype(np.float32), y)
    assert_allclose(single.scalings_, plain.scalings_, rtol=1e-4, atol=1e-5)


def test_priors_move_the_threshold_only():
    X, y = problem(9)
    even, skewed = FisherDiscriminant(priors=[0.5, 0.5]).fit(X, y), FisherDiscriminant(priors=[0.1, 0.9]).fit(X, y)
    assert_array_equal(even.scalings_, skewed.scalings_)
    assert_allclose(skewed.intercept_ - even.intercept_, np.log(9), rtol=1e-10)
    middle = even.means_.mean(axis=0, keepdims=True)
    assert_allclose(even.decision_function(middle), 0.0, atol=1e-9)


def test_n_components_cuts_the_projection_and_not_the_prediction():
    X, y = problem(10, K=4, d=3)
    full, one = FisherDiscriminant().fit(X, y), FisherDiscriminant(1).fit(X, y)
    assert_allclose(one.transform(X), full.transform(X)[:, :1], rtol=1e-10, atol=1e-12)
    assert_array_equal(one.predict(X), full.predict(X))
    assert_allclose(one.explained_variance_ratio_, full.explained_variance_ratio_[:1])
    assert list(one.get_feature_names_out()) == ["fisherdiscriminant0"]
    assert_allclose(full.explained_variance_ratio_.sum(), 1.0, rtol=1e-12)


@pytest.mark.equation("fisher-lda-shrinkage")
def test_shrinkage_keeps_the_trace_and_ends_at_the_identity():
    S_w = scatter_matrices(*problem(11, d=3)).S_w
    for a in (0.0, 0.3, 1.0):
        assert_allclose(np.trace(shrunk_scatter(S_w, a)), np.trace(S_w), rtol=1e-12)
    assert_allclose(shrunk_scatter(S_w, 1.0), np.trace(S_w) / 3 * np.eye(3), rtol=1e-12, atol=1e-12)
    assert_array_equal(shrunk_scatter(S_w, 0), S_w)


def test_estimator_contract():
    for model in [FisherDiscriminant(), FisherDiscriminant(shrinkage=0.5)]:
        check_estimator(model, on_skip=None)
    X, y = problem(12, n=90, K=3, d=3)
    model = FisherDiscriminant(2, shrinkage=0.1).fit(X, y)
    assert clone(model).get_params() == {"n_components": 2, "priors": None, "shrinkage": 0.1}
    assert_array_equal(pickle.loads(pickle.dumps(model)).transform(X), model.transform(X))
    pipe = make_pipeline(StandardScaler(), FisherDiscriminant())
    search = GridSearchCV(pipe, {"fisherdiscriminant__shrinkage": [None, 0.5]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.5


# ----------------------------------------------------------------------------------------------------------- extremes


def test_far_from_the_origin_keeps_its_digits():
    X, y = problem(13, n=200, K=3, d=3)
    shifted = X + 2.0**27  # the addition itself rounds to 3e-8
    near, far = FisherDiscriminant().fit(shifted - 2.0**27, y), FisherDiscriminant().fit(shifted, y)
    assert_allclose(
        scatter_matrices(shifted, y).S_b, scatter_matrices(shifted - 2.0**27, y).S_b, rtol=1e-10, atol=1e-10
    )
    assert_allclose(far.covariance_, near.covariance_, rtol=1e-6, atol=1e-7)
    assert_allclose(far.eigenvalues_, near.eigenvalues_, rtol=1e-6)
    assert_allclose(far.predict_proba(shifted), near.predict_proba(shifted - 2.0**27), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("scales", [[1e-100, 1e100, 1.0], [1e-9] * 3, [1e9] * 3])
def test_units_do_not_matter(scales):
    X, y = problem(14, n=80, K=3, d=3)
    plain, scaled = FisherDiscriminant().fit(X, y), FisherDiscriminant().fit(X * scales, y)
    assert_allclose(scaled.eigenvalues_, plain.eigenvalues_, rtol=1e-8)
    assert_allclose(scaled.predict_proba(X * scales), plain.predict_proba(X), rtol=1e-6, atol=1e-12)
    two = fisher_direction(X[y < 2] * scales, y[y < 2])
    assert_allclose(np.linalg.norm(two), 1.0, rtol=1e-12)


@pytest.mark.equation("fisher-lda-shrinkage")
def test_more_features_than_rows():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 5)
    X = rng.normal(size=(15, 40)) + 3 * rng.normal(size=(3, 40))[y]
    with pytest.raises(ValueError, match=r"S_w is singular: column \d+ of X is, within.*shrinkage"):
        FisherDiscriminant().fit(X, y)
    model = FisherDiscriminant(shrinkage=0.5).fit(X, y)
    assert_array_equal(model.predict(X), y)
    peer = Peer(solver="lsqr", shrinkage=0.5).fit(X, y)
    assert_allclose(model.predict_proba(X), peer.predict_proba(X), rtol=1e-6, atol=1e-12)


def test_digits_have_pixels_that_never_change():
    X, y = load_digits().X, load_digits().y
    with pytest.raises(ValueError, match="column 0 of X is constant within every class"):
        FisherDiscriminant().fit(X, y)
    model, peer = FisherDiscriminant(shrinkage=0.1).fit(X, y), Peer(solver="lsqr", shrinkage=0.1).fit(X, y)
    assert_array_equal(model.predict(X), peer.predict(X))


@pytest.mark.equation("fisher-lda-augmented")
@pytest.mark.parametrize("value", [1.0, 0.1, 1e6 / 3])
def test_an_augmented_coordinate_makes_the_within_scatter_singular(value):
    X, y = problem(15, n=5000, d=3)
    X = np.column_stack([np.where(y == 1, 3 * value, value), X])  # constant within the classes is enough
    S_w = scatter_matrices(X, y).S_w
    assert_array_equal(S_w[0], 0.0)
    assert_array_equal(S_w[:, 0], 0.0)
    for function in [fisher_direction, FisherDiscriminant().fit]:
        with pytest.raises(ValueError, match=r"column 0 of X is constant within every class.*shrinkage"):
            function(X, y)


@pytest.mark.parametrize("seed", range(16))  # rounding makes the last pivot a small number of either sign
def test_collinear_column_is_named(seed):
    X, y = problem(seed, d=3)
    X = np.column_stack([X, X @ [1.0, 2.0, -1.0]])
    with pytest.raises(ValueError, match="column 3 of X is, within the classes, a linear combination"):
        fisher_direction(X, y)


def test_equal_means_leave_the_prior():
    X = np.array([[-1.0, 0], [1, 0], [0, -2], [0, 2], [0, 1], [0, -1]])
    y = np.array([0, 0, 1, 1, 1, 1])
    model = FisherDiscriminant().fit(X, y)
    assert_allclose(model.explained_variance_ratio_, [0.0])
    assert_allclose(model.predict_proba(X)[:, 1], 4 / 6, rtol=1e-12)
    with pytest.raises(ValueError, match="equal class means"):
        fisher_direction(X, y)


def test_more_rows_than_one_block():
    X, y = problem(17, n=2 * BLOCK + 5, K=3, d=3)
    S_w, S_b = scatter_matrices(X, y)
    loop_w, loop_b = by_loops(X, y)
    assert_allclose(S_w, loop_w, rtol=1e-10, atol=1e-7)
    assert_allclose(S_b, loop_b, rtol=1e-10, atol=1e-7)


def test_repeated_rows_double_the_scatter_and_keep_the_model():
    X, y = problem(18, K=3)
    once, twice = FisherDiscriminant().fit(X, y), FisherDiscriminant().fit(np.r_[X, X], np.r_[y, y])
    assert_allclose(twice.scalings_, once.scalings_, rtol=1e-9)
    assert_allclose(scatter_matrices(np.r_[X, X], np.r_[y, y]).S_w, 2 * scatter_matrices(X, y).S_w, rtol=1e-10)


def test_classes_that_projection_collapses_have_infinite_criterion():
    assert fisher_criterion([1.0, 0.0], np.diag([0.0, 1.0]), np.eye(2)) == np.inf


# ------------------------------------------------------------------------------------------------------------- errors

GOOD, LABELS = problem(19, n=30, K=3, d=3)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.where(GOOD[3, 1] == GOOD, np.nan, GOOD), LABELS, "contains NaN"),
        (np.where(GOOD[3, 1] == GOOD, np.inf, GOOD), LABELS, "contains infinity"),
        (np.empty((0, 3)), np.empty(0), "0 sample"),
        (GOOD, LABELS[:-1], "inconsistent numbers of samples"),
        (GOOD[:, 0], LABELS, "Expected 2D array"),
        (GOOD, np.zeros(30), "at least two classes, got 1 class"),
        (GOOD, GOOD[:, 0], "Unknown label type"),
        (GOOD.astype(str), LABELS, "not compatible with arrays of bytes/strings"),
        (1e200 * GOOD, LABELS % 2, "squares of X overflow"),
    ],
)
def test_bad_data(X, y, message):
    for function in [FisherDiscriminant().fit, fisher_direction, scatter_matrices]:
        with pytest.raises(ValueError, match=message):
            function(X, y)


def test_as_many_classes_as_rows():
    with pytest.raises(ValueError, match="more rows than classes, got 4 rows and 4 classes"):
        FisherDiscriminant().fit(np.eye(4), [0, 1, 2, 3])


@pytest.mark.parametrize("shrinkage", [-0.1, 1.5, np.nan, "auto", True])
def test_bad_shrinkage(shrinkage):
    with pytest.raises(ValueError, match=r"shrinkage must be None or a number from 0 to 1, got"):
        FisherDiscriminant(shrinkage=shrinkage).fit(GOOD, LABELS)


@pytest.mark.parametrize("priors", [[0.5, 0.5], [0.2, 0.2, 0.2], [1.2, -0.1, -0.1], [0.5, 0.5, 0.0], [np.nan] * 3])
def test_bad_priors(priors):
    with pytest.raises(ValueError, match=r"priors must (be positive and sum to 1|have shape \(3,\))"):
        FisherDiscriminant(priors=priors).fit(GOOD, LABELS)


@pytest.mark.parametrize("n_components", [0, 3, -1])
def test_bad_n_components(n_components):
    with pytest.raises(ValueError, match=rf"n_components={n_components} must be from 1 to .* = 2"):
        FisherDiscriminant(n_components).fit(GOOD, LABELS)


@pytest.mark.parametrize("n_components", [1.0, "two", True])
def test_n_components_of_another_type(n_components):
    with pytest.raises(TypeError, match="n_components must be an integer or None"):
        FisherDiscriminant(n_components).fit(GOOD, LABELS)


def test_direction_of_more_than_two_classes():
    with pytest.raises(ValueError, match="y must hold two classes, got 3 classes"):
        fisher_direction(GOOD, LABELS)


def test_criterion_of_nothing():
    with pytest.raises(ValueError, match="are both 0"):
        fisher_criterion([0.0, 0.0], np.eye(2), np.eye(2))


@pytest.mark.parametrize(
    ("w", "S_w", "S_b", "message"),
    [
        ([1.0, 2.0, 3.0], np.eye(2), np.eye(2), r"w must have shape \(2,\), got \(3,\)"),
        ([np.nan, 1.0], np.eye(2), np.eye(2), "w must be finite"),
        ([1.0, 0.0], [[1.0, 2.0], [0.0, 1.0]], np.eye(2), "S_w must be symmetric"),
        ([1.0, 0.0], np.eye(2), np.diag([np.nan, 1.0]), "S_b must be finite"),
        ([1.0, 0.0], np.eye(2), np.eye(3), "S_w and S_b must have one shape"),
    ],
)
def test_criterion_of_bad_input(w, S_w, S_b, message):
    with pytest.raises(ValueError, match=message):
        fisher_criterion(w, S_w, S_b)


@pytest.mark.parametrize(
    ("S_w", "message"),
    [
        ([1.0, 2.0], "S_w must be a square matrix"),
        ([[1.0, 2.0]], "S_w must be a square"),
        ([[np.nan]], "S_w must be f"),
    ],
)
def test_shrinkage_of_bad_scatter(S_w, message):
    with pytest.raises(ValueError, match=message):
        shrunk_scatter(S_w, 0.5)


@pytest.mark.parametrize("r", [1.0, "two", True])
def test_number_of_directions_of_another_type(r):
    with pytest.raises(TypeError, match="n_directions must be an integer"):
        discriminant_directions(np.eye(2), np.eye(2), r)


@pytest.mark.parametrize("method", ["predict", "transform", "predict_proba", "decision_function"])
def test_wrong_number_of_features(method):
    model = FisherDiscriminant().fit(GOOD, LABELS)
    with pytest.raises(ValueError, match="X has 2 features, but FisherDiscriminant is expecting 3"):
        getattr(model, method)(GOOD[:, :2])


def test_scatter_that_is_not_finite():
    with pytest.raises(ValueError, match="S_w must be finite"):
        discriminant_directions([[np.nan]], [[1.0]])


@pytest.mark.parametrize(
    ("S_w", "S_b", "r", "message"),
    [
        (np.ones((2, 3)), np.eye(2), None, r"S_w must be a square matrix, got shape \(2, 3\)"),
        ([1.0], np.eye(2), None, "S_w must be a square matrix"),
        (np.eye(2), [[1.0, 2.0], [0.0, 1.0]], None, "S_b must be symmetric: average"),
        ([[2.0, 1.0], [0.0, 2.0]], np.eye(2), None, "S_w must be symmetric"),
        (np.eye(2), np.eye(3), None, "must have one shape"),
        (np.eye(2), np.eye(2), 3, "n_directions=3 must be at most d = 2"),
        (np.eye(2), np.eye(2), 0, "n_directions must be at least 1, got 0"),
        ([[1.0, 1.0], [1.0, 1.0]], np.eye(2), None, "column 1 of X is, within the classes, a linear combination"),
        ([[1.0, 0.0], [0.0, -1.0]], np.eye(2), None, "column 1 of X is constant"),
    ],
)
def test_bad_matrices(S_w, S_b, r, message):
    with pytest.raises(ValueError, match=message):
        discriminant_directions(S_w, S_b, r)


def test_a_column_far_from_zero_counts_if_it_varies():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 2)) + y[:, None]
    far = X + np.array([0.0, 1.7e9])
    assert_allclose(fisher_direction(far, y), fisher_direction(X, y), rtol=1e-5)
