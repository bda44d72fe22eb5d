"""Mixture discriminant analysis: independent routes, laws, extremes, errors."""

import itertools
import pickle
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression as PeerRegression
from sklearn.mixture import GaussianMixture as Peer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.clustering.gmm import GaussianMixture, MStep
from notes_lib.clustering.kmeans import KMeans
from notes_lib.clustering.mixture_discriminant import (
    ClusterFeatures,
    MixtureDiscriminantAnalysis,
    choose_components,
    class_log_densities,
    class_log_joint,
    class_posterior,
    component_posterior,
    local_features,
    mda_parameters,
    segment_matches,
    segment_names,
    segment_profile,
    segment_stability,
)
from notes_lib.clustering.mixture_discriminant.model import REG_COVAR
from notes_lib.datasets import load_iris, make_blobs
from notes_lib.linear.gaussian_discriminant import QuadraticDiscriminantAnalysis

TYPES = ["full", "tied", "diag", "spherical"]


def as_full(covariances, kind, K, d):
    """K matrices, whatever the type."""
    return {
        "full": lambda: covariances,
        "tied": lambda: np.repeat(covariances[None], K, axis=0),
        "diag": lambda: np.array([np.diag(c) for c in covariances]),
        "spherical": lambda: np.array([c * np.eye(d) for c in covariances]),
    }[kind]()


def problem(seed, counts=(2, 3), kind="full", n=40, d=2):
    """Rows, and a mixture for each class."""
    rng = np.random.default_rng(seed)
    mixtures = []
    for J in counts:
        A = rng.normal(size=(J, d, d))
        full = A @ np.swapaxes(A, 1, 2) + 0.5 * np.eye(d)
        shape = {
            "full": full,
            "tied": full[0],
            "diag": rng.uniform(0.3, 2, (J, d)),
            "spherical": rng.uniform(0.3, 2, J),
        }
        mixtures.append(MStep(rng.dirichlet(np.full(J, 3.0)), 2 * rng.normal(size=(J, d)), shape[kind]))
    return 2 * rng.normal(size=(n, d)), mixtures, rng.dirichlet(np.full(len(counts), 3.0))


def joint_by_scipy(X, mixtures, priors, kind="full"):
    """Prior, weight and density of every component of every class, multiplied: a list of (n, J_k) arrays."""
    joint = []
    for P, (weights, means, covariances) in zip(priors, mixtures, strict=True):
        full = as_full(covariances, kind, *means.shape)
        columns = [w * multivariate_normal(m, S).pdf(X) for w, m, S in zip(weights, means, full, strict=True)]
        joint.append(P * np.column_stack(columns))
    return joint


def members(seed, n=60):
    """Class "a" in two clouds on the sides of class "b"."""
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(c, 0.6, (n, 2)) for c in ([-4, 0], [4, 1], [0, 0])])
    return X, np.repeat(["a", "a", "b"], n)


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("mixture-discriminant-class-density", "mixture-discriminant-posterior")
def test_three_clouds_on_a_line_by_hand():
    # N(1) = 0.2420, N(0) = 0.3989, N(2) = 0.0540: at 1, class A has (N(3) + N(1)) / 2 and class B N(1)
    a, b = MStep(np.array([0.5, 0.5]), np.array([[-2.0], [2.0]]), np.ones(2)), MStep([1.0], [[0.0]], [1.0])
    p = class_posterior([[0.0], [1.0]], [a, b], [0.5, 0.5], "spherical")
    phi = np.exp(-(np.arange(4.0) ** 2) / 2)
    assert_allclose(p[0, 0], phi[2] / (phi[2] + phi[0]), rtol=1e-12)
    assert_allclose(p[1, 0], (phi[3] + phi[1]) / (phi[3] + phi[1] + 2 * phi[1]), rtol=1e-12)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation(
    "mixture-discriminant-class-density",
    "mixture-discriminant-density",
    "mixture-discriminant-posterior",
    "mixture-discriminant-component-posterior",
)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seed", range(3))
def test_densities_and_posteriors_are_those_of_scipy(seed, kind):
    X, mixtures, priors = problem(seed, (2, 3, 1), kind)
    joint = joint_by_scipy(X, mixtures, priors, kind)
    whole = np.hstack(joint).sum(axis=1)
    by_class = np.column_stack([j.sum(axis=1) for j in joint])
    assert_allclose(class_log_densities(X, mixtures, kind), np.log(by_class / priors), rtol=1e-10)
    assert_allclose(np.exp(class_log_joint(X, mixtures, priors, kind)).sum(axis=1), whole, rtol=1e-10)
    assert_allclose(class_posterior(X, mixtures, priors, kind), by_class / whole[:, None], rtol=1e-9)
    for ours, theirs in zip(component_posterior(X, mixtures, priors, kind), joint, strict=True):
        assert_allclose(ours, theirs / whole[:, None], rtol=1e-9, atol=1e-300)


@pytest.mark.equation("mixture-discriminant-class-density")
def test_a_class_density_integrates_to_one_and_with_global_weights_it_does_not():
    # the slip of widely read notes: p(G_ij) in place of P(G_ij | C_i) integrates to P(C_i)
    x = np.linspace(-30, 30, 60001)[:, None]
    a, b = MStep(np.array([0.4, 0.6]), np.array([[-3.0], [1.0]]), np.array([1.0, 2.0])), MStep([1.0], [[4.0]], [1.0])
    density = np.exp(class_log_densities(x, [a, b], "spherical"))
    assert_allclose(density.sum(axis=0) * 1e-3, 1.0, rtol=1e-8)
    global_weights = 0.3 * a.weights  # P(C_1) = 0.3
    with pytest.raises(ValueError, match="sum to 1"):
        class_log_densities(x, [a._replace(weights=global_weights), b], "spherical")


@pytest.mark.equation("mixture-discriminant-split", "mixture-discriminant-mstep", "mixture-discriminant-responsibility")
@pytest.mark.equation("mixture-discriminant-rule", "mixture-discriminant-log-odds", "mixture-discriminant-priors")
@pytest.mark.parametrize("kind", TYPES)
def test_every_class_is_the_mixture_that_scikit_learn_fits_to_its_rows(kind):
    X, y = members(1)
    J = [2, 1]
    model = MixtureDiscriminantAnalysis(
        J, covariance_type=kind, reg_covar=1e-6, tol=1e-10, max_iter=500, random_state=0
    )
    model.fit(X, y)
    log_joint = np.empty((len(X), 2))
    for k, label in enumerate("ab"):
        peer = Peer(J[k], covariance_type=kind, tol=1e-10, max_iter=500, random_state=0).fit(X[y == label])
        log_joint[:, k] = peer.score_samples(X) + np.log((y == label).mean())
    assert_allclose(model.score_samples(X), np.logaddexp(*log_joint.T), rtol=0, atol=1e-5)
    assert_allclose(model.decision_function(X), log_joint[:, 1] - log_joint[:, 0], rtol=1e-4, atol=1e-4)
    assert_array_equal(model.predict(X), np.array(["a", "b"])[log_joint.argmax(axis=1)])


@pytest.mark.equation("mixture-discriminant-one-component")
def test_one_component_is_quadratic_discriminant_analysis():
    iris = load_iris()
    ours = MixtureDiscriminantAnalysis(1).fit(iris.X, iris.y)
    qda = QuadraticDiscriminantAnalysis().fit(iris.X, iris.y)
    assert_allclose(ours.predict_proba(iris.X), qda.predict_proba(iris.X), rtol=1e-7, atol=1e-12)
    assert_allclose(ours.predict_log_proba(iris.X), qda.predict_log_proba(iris.X), rtol=1e-8, atol=1e-8)
    for k, mixture in enumerate(ours.mixtures_):  # divisor n_k
        assert_allclose(mixture.covariances_[0], np.cov(iris.X[iris.y == k].T, bias=True), rtol=1e-10)
    floor = MixtureDiscriminantAnalysis(1, reg_covar=0.5).fit(iris.X, iris.y)
    assert_allclose(floor.mixtures_[0].covariances_[0] - ours.mixtures_[0].covariances_[0], 0.5 * np.eye(4), atol=1e-12)


@pytest.mark.equation("mixture-discriminant-parzen")
def test_a_component_on_every_row_is_the_parzen_classifier():
    X, y = members(2, 20)
    h, new = 0.7, np.random.default_rng(3).normal(size=(9, 2))
    mixtures = []
    for label in "ab":
        rows = X[y == label]
        mixtures.append(MStep(np.full(len(rows), 1 / len(rows)), rows, np.full(len(rows), h * h)))
    kernel = np.exp(-((new[:, None] - X) ** 2).sum(axis=2) / (2 * h * h))
    votes = np.column_stack([kernel[:, y == label].sum(axis=1) for label in "ab"])
    assert_allclose(
        class_posterior(new, mixtures, [2 / 3, 1 / 3], "spherical"), votes / votes.sum(axis=1)[:, None], rtol=1e-9
    )


@pytest.mark.equation("mixture-discriminant-bic", "mixture-discriminant-parameters")
@pytest.mark.parametrize("kind", TYPES)
def test_bic_by_counting(kind):
    X, y = members(3)
    model = MixtureDiscriminantAnalysis([2, 3], covariance_type=kind, random_state=0).fit(X, y)
    free = {"full": 3, "tied": 3, "diag": 2, "spherical": 1}[kind]
    count = 1  # one prior is free
    for J in (2, 3):
        count += (J - 1) + 2 * J + free * (1 if kind == "tied" else J)
    assert mda_parameters([2, 3], 2, kind) == count
    log_p = np.log(joint_total(model, X, y, kind))
    assert_allclose(model.bic(X, y), -2 * log_p.sum() + count * np.log(len(X)), rtol=1e-10)


def joint_total(model, X, y, kind):
    """p(x_n, y_n) by SciPy."""
    thetas = [(m.weights_, m.means_, m.covariances_) for m in model.mixtures_]
    joint = np.column_stack([j.sum(axis=1) for j in joint_by_scipy(X, thetas, model.priors_, kind)])
    return joint[np.arange(len(y)), (y == "b").astype(int)]


@pytest.mark.equation("mixture-discriminant-class-bic")
def test_each_class_chooses_for_itself():
    X, y = members(4)
    choice = choose_components(X, y, (1, 2, 3), random_state=0)
    assert choice.n_components == [2, 1]
    assert choice.bic.shape == (2, 3)
    prior_part = -2 * (120 * np.log(2 / 3) + 60 * np.log(1 / 3)) + np.log(180)
    totals = {}
    for pair in itertools.product((1, 2, 3), repeat=2):
        model = MixtureDiscriminantAnalysis(pair, reg_covar=None, random_state=0, n_init=3).fit(X, y)
        totals[pair] = model.bic(X, y)
        expected = prior_part + choice.bic[0, pair[0] - 1] + choice.bic[1, pair[1] - 1]
        if max(pair) < 3:  # the starts of superfluous components differ
            assert_allclose(totals[pair], expected, rtol=1e-3)
    assert min(totals, key=totals.get) == (2, 1)


@pytest.mark.equation("mixture-discriminant-soft", "mixture-discriminant-hard")
@pytest.mark.parametrize("mode", ["soft", "hard"])
def test_cluster_features_are_the_labels_of_scikit_learns_mixture(mode):
    X, labels = make_blobs(150, centers=[[-5, 0], [0, 4], [5, 0]], cluster_std=0.7, random_state=1)
    model = ClusterFeatures(3, mode=mode, random_state=0).fit(X)
    H = model.transform(X)
    peer = Peer(3, random_state=0).fit(X).predict_proba(X)
    match = [((H[:, [j]] - peer) ** 2).sum(axis=0).argmin() for j in range(3)]
    assert sorted(match) == [0, 1, 2]
    target = peer[:, match]
    if mode == "hard":
        target = np.eye(3)[target.argmax(axis=1)]
        assert_array_equal(H.sum(axis=1), 1)
        assert set(np.unique(H)) == {0.0, 1.0}
    assert_allclose(H, target, atol=5e-3)
    assert (H.argmax(axis=1)[:, None] == H.argmax(axis=1)).tolist() == (labels[:, None] == labels).tolist()


@pytest.mark.equation("mixture-discriminant-local")
def test_hard_local_features_give_a_regression_in_each_cluster():
    rng = np.random.default_rng(5)
    X, labels = make_blobs(90, centers=[[-5, 0], [0, 4], [5, 0]], cluster_std=0.7, random_state=1)
    y = np.array([1.0, -2.0, 0.5])[labels] * X[:, 0] + labels + 0.1 * rng.normal(size=90)
    model = ClusterFeatures(3, mode="hard", local=True, random_state=0)
    F = model.fit_transform(X)
    fit = PeerRegression(fit_intercept=False).fit(F, y).predict(F)
    for k in range(3):
        rows = labels == k
        assert_allclose(fit[rows], PeerRegression().fit(X[rows], y[rows]).predict(X[rows]), rtol=1e-8)
    H = ClusterFeatures(3, random_state=0).fit_transform(X)
    loop = [[*h, *(hj * x for hj in h for x in row)] for h, row in zip(H, X, strict=True)]
    assert_allclose(local_features(H, X), loop)


@pytest.mark.equation("mixture-discriminant-standout", "mixture-discriminant-explained")
def test_standouts_by_loops_and_their_squares_are_the_share_of_variance_between():
    rng = np.random.default_rng(6)
    X = np.column_stack([rng.normal(size=(50, 3)) * [1, 100, 0.01], np.full(50, 7.0)])
    labels = rng.integers(0, 4, 50)
    profile = segment_profile(X, labels)
    for j in range(4):
        rows = X[labels == j]
        assert_allclose(profile.means[j], rows.mean(axis=0), rtol=1e-10)
        assert_allclose(profile.shares[j], len(rows) / 50)
        for i in range(3):
            z = (rows[:, i].mean() - X[:, i].mean()) / X[:, i].std()
            assert_allclose(profile.standouts[j, i], z, rtol=1e-9, atol=1e-12)
    assert_array_equal(profile.standouts[:, 3], 0)
    within = sum(((X[labels == j] - X[labels == j].mean(axis=0)) ** 2).sum(axis=0) for j in range(4))
    between = 1 - within[:3] / (50 * X[:, :3].var(axis=0))
    assert_allclose(profile.shares @ profile.standouts[:, :3] ** 2, between, rtol=1e-9)


@pytest.mark.equation("mixture-discriminant-jaccard")
def test_matches_by_sets():
    rng = np.random.default_rng(7)
    a, b = rng.integers(0, 4, 60), rng.integers(0, 3, 60)
    ours = segment_matches(a, b)
    for j in range(4):
        own = set(np.flatnonzero(a == j))
        best = max(len(own & s) / len(own | s) for s in (set(np.flatnonzero(b == m)) for m in range(3)))
        assert_allclose(ours[j], best)


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.equation("mixture-discriminant-posterior", "mixture-discriminant-component-posterior")
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6), kind=st.sampled_from(TYPES), counts=st.lists(st.integers(1, 4), min_size=1, max_size=4)
)
def test_components_add_up_to_their_class_and_classes_to_one(seed, kind, counts):
    X, mixtures, priors = problem(seed, tuple(counts), kind, n=7)
    p = class_posterior(X, mixtures, priors, kind)
    assert_allclose(p.sum(axis=1), 1.0)
    parts = component_posterior(X, mixtures, priors, kind)
    assert_allclose(np.column_stack([q.sum(axis=1) for q in parts]), p, atol=1e-12)
    flat = MStep(np.concatenate([P * m.weights for P, m in zip(priors, mixtures, strict=True)]), *mixtures[0][1:])
    assert_allclose(flat.weights.sum(), 1.0)  # one mixture of all components


@pytest.mark.equation("mixture-discriminant-monotone")
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), J=st.integers(1, 2))
def test_likelihood_of_each_class_never_falls(seed, J):
    X, y = members(seed % 50, 40)
    model = MixtureDiscriminantAnalysis(J, reg_covar=0.0, tol=0.0, max_iter=8, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    for bounds in model.lower_bounds_:
        assert (np.diff(bounds) > -1e-9).all()


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), J=st.integers(2, 5))
def test_soft_labels_are_positive_distributions_and_hard_ones_their_largest(seed, J):
    X = np.random.default_rng(seed).normal(size=(40, 2))
    H = ClusterFeatures(J, random_state=seed).fit_transform(X)
    B = ClusterFeatures(J, "hard", random_state=seed).fit_transform(X)
    assert_allclose(H.sum(axis=1), 1)
    assert_array_equal(B.argmax(axis=1), H.argmax(axis=1))
    assert_array_equal((B == 1).sum(axis=1), 1)
    assert_array_equal((B == 0).sum(axis=1), J - 1)


def test_soft_labels_far_from_a_cluster_are_small_but_not_zero():
    # "only few h_j are nonzero" (widely read notes): few are large, none is 0
    X = np.array([[0.0], [0.1], [-0.1], [6.0], [6.1], [5.9], [12.0], [12.1], [11.9]])
    model = ClusterFeatures(3, reg_covar=1.0, random_state=0).fit(X)
    H = model.transform([[0.0]])
    assert (H > 0).all()
    assert np.sort(H[0])[0] < 1e-20
    assert (H > 0.01).sum() == 1


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_standouts_do_not_depend_on_units_and_average_to_zero(seed):
    rng = np.random.default_rng(seed)
    X, labels = rng.normal(size=(30, 2)), np.r_[0, 1, 2, rng.integers(0, 3, 27)]
    z = segment_profile(X, labels).standouts
    moved = segment_profile(X * [3.0, 1e-5] + [5.0, -2.0], labels)
    assert_allclose(moved.standouts, z, rtol=1e-6, atol=1e-8)
    assert_allclose(moved.shares @ z, 0, atol=1e-10)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_matches_do_not_depend_on_numbers_and_are_one_for_the_same_segments(seed):
    rng = np.random.default_rng(seed)
    a, b = np.r_[0, 1, 2, rng.integers(0, 3, 20)], np.r_[0, 1, 2, rng.integers(0, 3, 20)]
    swap = rng.permutation(3)
    assert_array_equal(segment_matches(a, swap[a]), 1)
    assert_array_equal(segment_matches(a, swap[b]), segment_matches(a, b))
    assert (segment_matches(a, b) > 0).all()


def test_segments_apart_come_back_and_a_split_of_one_does_not():
    rng = np.random.default_rng(8)
    X = np.vstack([rng.normal(0, 1, (60, 2)), rng.normal([9, 0], 1, (60, 2))])
    two = segment_stability(KMeans(2, random_state=0), X, 10, random_state=0)
    assert two.shape == (10, 2)
    assert_array_equal(two, 1.0)
    four = segment_stability(KMeans(4, random_state=0), X, 10, random_state=0)
    assert four.mean() < 0.8
    again = segment_stability(KMeans(4, random_state=0), X, 10, random_state=0)
    assert_array_equal(four, again)


def test_stability_is_the_match_with_clones_fitted_to_samples():
    X, _ = make_blobs(40, centers=[[0, 0], [3, 0]], random_state=2)
    ours = segment_stability(GaussianMixture(2, random_state=0), X, 3, random_state=5)
    labels = GaussianMixture(2, random_state=0).fit(X).predict(X)
    for row, rows in zip(ours, np.random.default_rng(5).integers(0, 40, (3, 40)), strict=True):
        other = GaussianMixture(2, random_state=0).fit(X[rows]).predict(X)
        assert_array_equal(row, segment_matches(labels, other))


# ----------------------------------------------------------------------------------------------------------- extremes


def test_far_points_do_not_underflow():
    X, y = members(9)
    model = MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(X, y)
    far = model.predict_log_proba([[1e4, 0.0], [0.0, -1e5]])
    assert np.isfinite(far).all()
    assert_allclose(np.exp(far).sum(axis=1), 1)


@pytest.mark.parametrize("scale", [1e-2, 1e6])
def test_units_do_not_matter_with_a_floor_in_units_of_the_data(scale):
    X, y = members(10)
    one = MixtureDiscriminantAnalysis(2, reg_covar=0.0, random_state=0).fit(X, y)
    other = MixtureDiscriminantAnalysis(2, reg_covar=0.0, random_state=0).fit(scale * X, y)
    assert_allclose(other.predict_proba(scale * X), one.predict_proba(X), atol=1e-6)


def test_layout_dtype_and_labels_do_not_matter():
    X, y = members(11)
    base = MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(X, y).predict_proba(X)
    wide = np.zeros((len(X), 4))
    wide[:, ::2] = X
    for A in (np.asfortranarray(X), wide[:, ::2], X.tolist()):
        assert_allclose(MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(A, y).predict_proba(A), base, rtol=1e-9)
    codes = (y == "b").astype(int)
    assert_allclose(MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(X, codes).predict_proba(X), base)
    single = X.astype(np.float32)
    assert_allclose(
        MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(single, y).predict_proba(single), base, atol=1e-4
    )


def test_more_features_than_rows_of_a_class():
    rng = np.random.default_rng(12)
    X, y = rng.normal(size=(24, 30)), np.repeat([0, 1], 12)
    X[y == 1] += 2
    model = MixtureDiscriminantAnalysis(2, covariance_type="spherical", random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0


# ---------------------------------------------------------------------------------------------------------- estimator


@pytest.mark.parametrize("estimator", [MixtureDiscriminantAnalysis(), ClusterFeatures(2)], ids=["mda", "features"])
def test_scikit_learn_contract(estimator):
    check_estimator(estimator, on_skip=None)


def test_works_in_pipeline_grid_search_clone_and_pickle():
    X, y = members(13)
    grid = GridSearchCV(
        make_pipeline(StandardScaler(), MixtureDiscriminantAnalysis(random_state=0)),
        {"mixturediscriminantanalysis__n_components": [1, [2, 1]]},
        cv=3,
        scoring="neg_log_loss",
    ).fit(X, y)
    assert grid.best_params_ == {"mixturediscriminantanalysis__n_components": [2, 1]}
    model = MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), model.predict_proba(X))
    assert clone(model).get_params() == model.get_params()
    features = make_pipeline(ClusterFeatures(3, local=True, random_state=0), PeerRegression()).fit(X, y == "b")
    assert features.score(X, y == "b") > 0.9


def test_fitted_attributes():
    X, y = members(14)
    model = MixtureDiscriminantAnalysis([2, 1], priors=[0.5, 0.5], random_state=0).fit(X, y)
    assert_array_equal(model.classes_, ["a", "b"])
    assert_array_equal(model.n_components_, [2, 1])
    assert_array_equal(model.priors_, [0.5, 0.5])
    assert [m.means_.shape for m in model.mixtures_] == [(2, 2), (1, 2)]
    assert model.n_iter_ == max(len(b) for b in model.lower_bounds_)
    parts = model.component_proba(X)
    assert_allclose(np.column_stack([p.sum(axis=1) for p in parts]), model.predict_proba(X), atol=1e-12)
    shares = MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(X, y)
    assert_allclose(shares.priors_, [2 / 3, 1 / 3])
    names = ClusterFeatures(3, local=True, random_state=0).fit(X).get_feature_names_out()
    assert len(names) == 9
    assert names[0] == "clusterfeatures0"


def test_defaults_are_those_of_the_mixture():
    mixture = GaussianMixture().get_params()
    for estimator in (MixtureDiscriminantAnalysis(), ClusterFeatures()):
        for name in ("covariance_type", "tol", "max_iter", "n_init"):
            assert estimator.get_params()[name] == mixture[name]
    assert ClusterFeatures().reg_covar == REG_COVAR == mixture["reg_covar"]
    assert ClusterFeatures().n_clusters == KMeans().n_clusters


def test_floor_of_a_class_of_several_components():
    X, y = members(22)
    same = {"random_state": 0, "max_iter": 1, "tol": 9.0}
    with pytest.warns(ConvergenceWarning):  # the first iteration has nothing to compare with
        floored = MixtureDiscriminantAnalysis([2, 1], **same).fit(X, y)
    with pytest.warns(ConvergenceWarning):
        bare = MixtureDiscriminantAnalysis([2, 1], reg_covar=0.0, **same).fit(X, y)
    apart = floored.mixtures_[0].covariances_ - bare.mixtures_[0].covariances_
    assert_allclose(apart, np.broadcast_to(1e-6 * np.eye(2), (2, 2, 2)), rtol=0, atol=3e-8)
    assert_array_equal(floored.mixtures_[1].covariances_, bare.mixtures_[1].covariances_)


def test_iterations_of_the_slowest_class():
    X, y = members(23)
    model = MixtureDiscriminantAnalysis([1, 4], tol=1e-8, max_iter=500, random_state=0).fit(X, y)
    counts = [len(bounds) for bounds in model.lower_bounds_]
    assert counts[0] < counts[1] == model.n_iter_


def test_five_numbers_of_components_are_tried():
    X, y = members(24)
    assert_array_equal(
        choose_components(X, y, random_state=0).bic, choose_components(X, y, range(1, 6), random_state=0).bic
    )
    harder = np.random.default_rng(0).normal(size=(80, 2))
    half = np.repeat([0, 1], 40)
    one, more = (choose_components(harder, half, (4,), n_init=n, random_state=3).bic for n in (1, 10))
    assert_array_equal(choose_components(harder, half, (4,), random_state=3).bic, one)
    assert more[0, 0] < one[0, 0]  # the first of the ten starts is the one start


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"n_components": 0}, ValueError, "n_components must be at least 1"),
        ({"n_components": 2.0}, TypeError, "n_components must be an integer"),
        ({"n_components": [2, 1.5]}, TypeError, "n_components must be an integer"),
        ({"n_components": [2, 1, 1]}, ValueError, "one for each of 2 classes in the order of classes_, got 3"),
        ({"n_components": [2]}, ValueError, "one for each of 2 classes"),
        ({"n_components": 61}, ValueError, "class b has n_samples=60, too few for n_components=61.*fewer components"),
        ({"covariance_type": "round"}, ValueError, "covariance_type must be one of"),
        ({"priors": [0.5, 0.6]}, ValueError, "priors must be positive and sum to 1"),
        ({"priors": [0.0, 1.0]}, ValueError, "priors must be positive"),
        ({"priors": [1.0]}, ValueError, "priors must have shape"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"n_init": 0}, ValueError, "n_init must be at least 1"),
        ({"tol": -1}, ValueError, "tol must be finite"),
        ({"reg_covar": -1}, ValueError, "reg_covar must be finite"),
    ],
)
def test_bad_hyperparameters(parameters, error, message):
    X, y = members(15)
    with pytest.raises(error, match=message):
        MixtureDiscriminantAnalysis(**parameters).fit(X, y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, y: (np.full_like(X, np.nan), y), "NaN"),
        (lambda X, y: (np.where(X > 4, np.inf, X), y), "infinity"),
        (lambda X, y: (X[:0], y[:0]), "minimum of 1 is required"),
        (lambda X, y: (X, y[:-1]), "inconsistent numbers of samples"),
        (lambda X, y: (X[:, 0], y), "1D array"),
        (lambda X, y: (X, np.repeat("a", len(X))), "at least two classes, got 1"),
        (lambda X, y: (X, np.r_[["c"], y[1:]]), "class c has n_samples=1.*two rows.*add rows"),
        (lambda X, y: (np.column_stack([X, np.where(y == "a", 1, 0)]), y), "class a: .*increase reg_covar"),
        (lambda X, y: (np.where((y == "b")[:, None], 1.0, X), y), "class b: .*distinct"),
    ],
)
def test_bad_data(change, message):
    X, y = change(*members(16))
    reg_covar = 0.0 if X.ndim == 2 and X.shape[1] == 3 else None
    with pytest.raises(ValueError, match=message):
        MixtureDiscriminantAnalysis(2, reg_covar=reg_covar, random_state=0).fit(X, y)


def test_a_flat_class_of_one_component_names_itself_and_the_remedy():
    X, y = members(17)
    X[y == "b", 1] = 3.0
    with pytest.raises(ValueError, match=r"class b: .*reg_covar"):
        MixtureDiscriminantAnalysis(1).fit(X, y)
    assert MixtureDiscriminantAnalysis(1, reg_covar=1e-3).fit(X, y).score(X, y) > 0.9


def test_warns_without_convergence_and_names_the_class():
    X, y = members(18)
    message = r"class a: EM did not reach tol=1e-12 in max_iter=2 iterations: raise either"
    with pytest.warns(ConvergenceWarning, match=message) as caught:
        MixtureDiscriminantAnalysis([3, 1], max_iter=2, tol=1e-12, random_state=0).fit(X, y)
    assert [w.filename for w in caught] == [__file__]  # where fit was called


def test_fitted_model_refuses_other_features_and_labels():
    X, y = members(19)
    model = MixtureDiscriminantAnalysis(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="3 features"):
        model.predict(np.ones((2, 3)))
    for labels in (y[:-1], np.repeat("c", len(y))):
        with pytest.raises(ValueError, match="y must hold a label for each of 180 rows, all among"):
            model.bic(X, labels)
    with pytest.raises(ValueError, match="candidates must hold at least one"):
        choose_components(X, y, ())


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"mode": "fuzzy"}, ValueError, "mode must be one of"),
        ({"local": "yes"}, ValueError, "local must be one of"),
        ({"n_clusters": 0}, ValueError, "n_clusters must be at least 1"),
        ({"n_clusters": 2.5}, TypeError, "n_clusters must be an integer"),
        ({"n_clusters": 181}, ValueError, "n_clusters=181 must be at most n_samples=180"),
        ({"covariance_type": "round"}, ValueError, "covariance_type must be one of"),
    ],
)
def test_bad_cluster_features(parameters, error, message):
    X, _ = members(20)
    with pytest.raises(error, match=message):
        ClusterFeatures(**{"n_clusters": 3} | parameters).fit(X)


def test_step_functions_name_the_bad_argument():
    X, mixtures, priors = problem(21)
    cases = [
        (lambda: class_log_densities(X, []), ValueError, "mixtures must hold a triple"),
        (lambda: class_posterior(X, mixtures, [0.5, 0.4]), ValueError, "priors must be positive and sum to 1"),
        (lambda: class_posterior(X, mixtures, [1.0]), ValueError, "priors must have shape (2,)"),
        (lambda: class_posterior(X[:, :1], mixtures, priors), ValueError, "means must have shape"),
        (lambda: mda_parameters([], 2), ValueError, "the number of classes in n_components must be at least 1"),
        (lambda: mda_parameters([1, 0], 2), ValueError, "n_components must be at least 1"),
        (lambda: local_features([[0.5, 0.4]], [[1.0]]), ValueError, "H must be non-negative and sum to 1"),
        (lambda: local_features([[0.5, 0.5]], [[1.0], [2.0]]), ValueError, "a row of labels for each of the 2 rows"),
        (lambda: local_features([0.5, 0.5], [[1.0], [2.0]]), ValueError, "a row of labels for each of the 2 rows"),
        (lambda: segment_profile(X, [0] * 39), ValueError, "labels must be 40 integers"),
        (lambda: segment_profile(X, [0.5] * 40), ValueError, "labels must be 40 integers"),
        (lambda: segment_profile(X, [-1] + [0] * 39), ValueError, "labels must lie in"),
        (lambda: segment_profile(X, [0] + [2] * 39), ValueError, "labels leave segment 1 without a row"),
        (lambda: segment_names([[1.0]], ["a", "b"]), ValueError, "feature_names must name 1 columns, got 2"),
        (lambda: segment_names([[1.0]], ["a"], least=0), ValueError, "least must be positive"),
        (lambda: segment_names([[1.0]], ["a"], most=0), ValueError, "most must be at least 1"),
        (lambda: segment_matches([0, 1], [0, 0, 1]), ValueError, "others must be 2 integers"),
        (lambda: segment_matches([0, 1], [1, 1]), ValueError, "others leave segment 0"),
        (lambda: segment_stability(KMeans(2), X, 0), ValueError, "n_bootstrap must be at least 1"),
        (lambda: segment_stability(StandardScaler(), X), TypeError, "clusterer must have fit and predict"),
        (lambda: segment_stability(KMeans(41), X, 2), ValueError, "n_clusters"),
    ]
    for call, error, message in cases:
        with pytest.raises(error, match=re.escape(message)):
            call()


def test_names_put_the_largest_standout_first():
    names = segment_names([[0.6, -2.0, 1.0, 0.7], [0.1, 0.2, -0.4, 0.3]], ["a", "b", "c", "d"])
    assert names == ["low b, high c, high d", "average"]
    assert segment_names([[0.6, -2.0, 1.0, 0.7]], ["a", "b", "c", "d"], least=0.9, most=1) == ["low b"]
    assert segment_names([[0.5, -0.25]], ["a", "b"]) == ["high a"]  # a standout of just ``least`` is worth a word
