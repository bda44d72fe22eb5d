"""Semi-supervised learning: published numbers, independent routes, laws, extremes, errors."""

import pickle
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.stats import entropy as scipy_entropy
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB as PeerNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelPropagation as PeerPropagation
from sklearn.semi_supervised import LabelSpreading as PeerSpreading
from sklearn.semi_supervised import SelfTrainingClassifier as PeerSelfTraining
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.clustering.gmm import GaussianMixture, MStep
from notes_lib.clustering.semi_supervised import (
    LabelPropagation,
    LabelSpreading,
    SelfTrainingClassifier,
    SemiSupervisedMixture,
    clamped_e_step,
    energy,
    harmonic,
    normalized_weights,
    one_hot,
    propagate,
    queries_needed,
    query_threshold,
    random_interval,
    select_best,
    select_confident,
    spread,
    spreading,
    transition_matrix,
    uncertainty,
    weighted_m_step,
)
from notes_lib.clustering.semi_supervised.checks import check_partial_labels
from notes_lib.datasets import load_iris, make_blobs, make_moons
from notes_lib.linear.gaussian_discriminant import QuadraticDiscriminantAnalysis

ESTIMATORS = [LabelPropagation, LabelSpreading, SelfTrainingClassifier, SemiSupervisedMixture]
GRAPH = [(LabelPropagation, PeerPropagation), (LabelSpreading, PeerSpreading)]
TYPES = ["full", "tied", "diag", "spherical"]


def path(n):
    """Weights of n nodes in a row."""
    return np.eye(n, k=1) + np.eye(n, k=-1)


def random_graph(seed, n=12, K=3):
    """A connected graph with random symmetric weights, and labels for one node of each class and perhaps others."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.4), 1) + np.eye(n, k=1)
    y = np.where(rng.random(n) < 0.7, -1, rng.integers(0, K, n))
    y[rng.permutation(n)[:K]] = np.arange(K)
    return W + W.T, y


def moons(n=120, labels=3, seed=0):
    """Two moons; the first rows that a permutation of each moon names have a label."""
    X, true = make_moons(n, random_state=seed)
    rng, y = np.random.default_rng(seed), np.full(n, -1)
    for c in (0, 1):
        rows = rng.permutation(np.flatnonzero(true == c))[:labels]
        y[rows] = c
    return X, true, y


def blobs(seed, n=90, share=0.2, d=2):
    """Three overlapping Gaussian classes, a share of them with labels, at least three a class."""
    rng = np.random.default_rng(seed)
    X, true = make_blobs(n, centers=2 * rng.normal(size=(3, d)), random_state=seed)
    y = np.where(rng.random(n) < share, true, -1)
    for c in range(3):
        y[np.flatnonzero(true == c)[: d + 1]] = c
    return X, true, y


def objective(X, y, theta, weight):
    """Weighted log-likelihood by SciPy; full covariances."""
    weights, means, covariances = theta
    joint = np.column_stack(
        [p * multivariate_normal(m, S).pdf(X) for p, m, S in zip(weights, means, covariances, strict=True)]
    )
    known = y >= 0
    return np.log(joint[known, y[known]]).sum() + weight * np.log(joint[~known].sum(axis=1)).sum()


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("semi-supervised-harmonic")
def test_dirichlet_problem_of_doyle_and_snell():
    # Doyle and Snell (1984), Random Walks and Electric Networks, section 1.2: five inner points of a grid, a to e, each
    # the mean of its four neighbours; boundary points have 1 or 0. Published: .823, .787, .876, .506, .323
    W = np.zeros((7, 7))  # a, b, c, d, e, the boundary with 1, the boundary with 0
    for pair in ("ab", "ad", "be", "cd", "de"):
        i, j = ("abcde".index(letter) for letter in pair)
        W[i, j] = W[j, i] = 1
    W[:5, 5], W[:5, 6] = [2, 2, 3, 0, 0], [0, 0, 0, 1, 2]
    W[5:, :5] = W[:5, 5:].T
    f = harmonic(W, [-1, -1, -1, -1, -1, 1, 0])[:5, 1]
    assert_allclose(f, [0.823, 0.787, 0.876, 0.506, 0.323], rtol=0, atol=6e-4)


def test_gamblers_ruin():
    f = harmonic(path(11), [0] + [-1] * 9 + [1])
    assert_allclose(f[:, 1], np.arange(11) / 10, atol=1e-12)


@pytest.mark.equation("semi-supervised-queries")
def test_queries_for_a_threshold():
    for n in range(1, 40):
        counts = [query_threshold(n, lambda i, p=p: int(i >= p)) for p in range(n + 1)]
        assert [s.position for s in counts] == list(range(n + 1))
        assert max(len(s.queries) for s in counts) == queries_needed(n) == int(np.ceil(np.log2(n + 1)))


@pytest.mark.equation("semi-supervised-passive")
@pytest.mark.parametrize(("m", "theta"), [(3, 0.5), (5, 0.2), (1, 0.0)])
def test_what_random_labels_leave_open(m, theta):
    x = np.random.default_rng(0).random((200_000, m))
    above = np.where(x >= theta, x, 1).min(axis=1)
    below = np.where(x < theta, x, 0).max(axis=1)
    length = above - below
    assert abs(length.mean() - random_interval(m, theta)) < 4 * length.std() / np.sqrt(len(x))
    assert random_interval(0, theta) == 1


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("semi-supervised-new")
@pytest.mark.parametrize("kernel", ["rbf", "knn"])
@pytest.mark.parametrize("seed", range(3))
def test_propagation_is_that_of_scikit_learn(seed, kernel):
    X, _, y = moons(seed=seed)
    for settings_ in ({}, {"tol": 1e-9, "max_iter": 50_000}, {"gamma": 5.0, "n_neighbors": 12}):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            ours, peer = (m(kernel, **settings_).fit(X, y) for m in (LabelPropagation, PeerPropagation))
        assert_allclose(ours.label_distributions_, peer.label_distributions_, atol=1e-12)
        assert ours.n_iter_ == peer.n_iter_
        assert_array_equal(ours.transduction_, peer.transduction_)
        assert_array_equal(ours.classes_, peer.classes_)
        assert_allclose(ours.predict_proba(X[:40] + 0.1), peer.predict_proba(X[:40] + 0.1), atol=1e-12)
        assert_array_equal(ours.predict(X[:40] + 0.1), peer.predict(X[:40] + 0.1))


@pytest.mark.parametrize("seed", range(3))
def test_spreading_is_that_of_scikit_learn(seed):
    X, _, y = moons(seed=seed)
    for settings_ in ({}, {"alpha": 0.9, "tol": 1e-9, "max_iter": 5000}, {"kernel": "knn", "n_neighbors": 60}):
        ours, peer = (m(**settings_).fit(X, y) for m in (LabelSpreading, PeerSpreading))
        assert_allclose(ours.label_distributions_, peer.label_distributions_, atol=1e-12)
        assert ours.n_iter_ == peer.n_iter_
        assert_array_equal(ours.transduction_, peer.transduction_)
        assert_allclose(ours.predict_proba(X[:40] + 0.1), peer.predict_proba(X[:40] + 0.1), atol=1e-12)


def test_spreading_goes_on_until_every_row_is_reached():
    X, true, y = moons(200, labels=1)
    ours, peer = (m("knn").fit(X, y) for m in (LabelSpreading, PeerSpreading))
    assert (peer.label_distributions_.sum(axis=1) == 0).any()  # these rows would silently get class 0
    assert_allclose(ours.label_distributions_.sum(axis=1), 1)
    assert (ours.transduction_ == true).mean() > 0.9


def test_a_kernel_of_ones_own():
    X, _, y = moons()
    kernel = lambda A, B: 1 / (0.01 + ((A[:, None] - B) ** 2).sum(axis=2))
    for ours, peer in GRAPH:
        a, b = ours(kernel, max_iter=500).fit(X, y), peer(kernel, max_iter=500).fit(X, y)
        assert_allclose(a.label_distributions_, b.label_distributions_, atol=1e-12)
        assert_allclose(a.predict_proba(X[:9] + 0.1), b.predict_proba(X[:9] + 0.1), atol=1e-12)


@pytest.mark.equation("semi-supervised-select")
@pytest.mark.parametrize("how", [{}, {"threshold": 0.99, "max_iter": None}, {"max_iter": 1}, {"max_iter": 0}])
@pytest.mark.parametrize("make", [PeerNB, lambda: LogisticRegression(C=0.1)])
def test_self_training_is_that_of_scikit_learn(make, how):
    iris = load_iris()
    rng = np.random.default_rng(1)
    y = np.where(rng.random(150) < 0.15, iris.y, -1)
    ours, peer = (m(make(), **how).fit(iris.X, y) for m in (SelfTrainingClassifier, PeerSelfTraining))
    assert_array_equal(ours.transduction_, peer.transduction_)
    assert_array_equal(ours.labeled_iter_, peer.labeled_iter_)
    assert (ours.n_iter_, ours.termination_condition_) == (peer.n_iter_, peer.termination_condition_)
    assert_array_equal(ours.classes_, peer.classes_)
    assert_allclose(ours.predict_proba(iris.X), peer.predict_proba(iris.X))
    assert_array_equal(ours.predict(iris.X), peer.predict(iris.X))


def test_the_surest_rows_first_as_scikit_learn():
    X, _, y = blobs(3)
    how = {"criterion": "k_best", "k_best": 7, "max_iter": 5}
    ours, peer = (m(LogisticRegression(), **how).fit(X, y) for m in (SelfTrainingClassifier, PeerSelfTraining))
    assert_array_equal(ours.labeled_iter_, peer.labeled_iter_)  # no two probabilities are equal here
    assert_array_equal(ours.transduction_, peer.transduction_)
    assert np.bincount(ours.labeled_iter_[ours.labeled_iter_ > 0]).tolist() == [0, 7, 7, 7, 7, 7]


@pytest.mark.equation("semi-supervised-likelihood", "semi-supervised-e-step", "semi-supervised-monotone")
@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_em_climbs_the_weighted_likelihood(seed, weight):
    X, _, y = blobs(seed)
    model = SemiSupervisedMixture(unlabeled_weight=weight, reg_covar=0.0, tol=1e-10, max_iter=2000).fit(X, y)
    theta = model.weights_, model.means_, model.covariances_
    total = (y >= 0).sum() + weight * (y < 0).sum()
    value = objective(X, y, theta, weight)
    assert_allclose(model.lower_bound_, value / total, rtol=1e-8)
    assert (np.diff(model.lower_bounds_) > -1e-12).all()
    rng = np.random.default_rng(seed)
    for _ in range(20):  # a maximum: no neighbour is higher
        moved = model.means_ + 0.05 * rng.normal(size=model.means_.shape)
        assert objective(X, y, (model.weights_, moved, model.covariances_), weight) < value
        other = rng.dirichlet(200 * model.weights_)
        assert objective(X, y, (other, model.means_, model.covariances_), weight) < value
        grown = model.covariances_ * np.exp(0.1 * rng.normal(size=3))[:, None, None]
        assert objective(X, y, (model.weights_, model.means_, grown), weight) < value


def test_responsibilities_and_joint_densities_by_scipy():
    X, _, y = blobs(1)
    rng = np.random.default_rng(0)
    theta = MStep(rng.dirichlet(np.ones(3)), rng.normal(size=(3, 2)), np.array([np.eye(2), 2 * np.eye(2), np.eye(2)]))
    step = clamped_e_step(X, y, theta)
    assert_allclose(step.log_likelihood.sum(), objective(X, y, theta, 1.0), rtol=1e-12)
    assert_allclose(step.responsibilities[y >= 0], one_hot(y)[y >= 0])
    joint = theta.weights * np.column_stack(
        [multivariate_normal(m, S).pdf(X) for m, S in zip(theta.means, theta.covariances, strict=True)]
    )
    expected = joint / joint.sum(axis=1, keepdims=True)
    assert_allclose(step.responsibilities[y < 0], expected[y < 0], rtol=1e-10)


@pytest.mark.equation(
    "semi-supervised-count", "semi-supervised-mean", "semi-supervised-covariance", "semi-supervised-share"
)
def test_m_step_counts_a_row_as_often_as_its_weight():
    rng = np.random.default_rng(0)
    X, gamma, times = rng.normal(size=(30, 2)), rng.dirichlet(np.ones(3), size=30), rng.integers(1, 4, 30)
    once = weighted_m_step(X, gamma, times, reg_covar=0.0)
    again = weighted_m_step(X.repeat(times, axis=0), gamma.repeat(times, axis=0), np.ones(times.sum()), reg_covar=0.0)
    for a, b in zip(once, again, strict=True):
        assert_allclose(a, b, rtol=1e-12)
    assert_allclose(once.covariances[1], np.cov(X.T, aweights=gamma[:, 1] * times, bias=True), rtol=1e-10)


@pytest.mark.equation("semi-supervised-energy")
@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_the_harmonic_function_has_the_least_energy(seed):
    W, y = random_graph(seed)
    rng, F = np.random.default_rng(seed), harmonic(W, y)
    f = F[:, 0]
    assert energy(W, f) == pytest.approx(f @ (np.diag(W.sum(axis=1)) - W) @ f, abs=1e-12)
    moved = f + np.where(y < 0, rng.normal(size=len(f)), 0)
    assert energy(W, f) <= energy(W, moved)
    assert energy(W, F) == pytest.approx(sum(energy(W, column) for column in F.T))


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.equation(
    "semi-supervised-mean-value", "semi-supervised-series", "semi-supervised-walk", "semi-supervised-indicator"
)
@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_laws_of_the_harmonic_function(seed):
    W, y = random_graph(seed)
    F, u, P = harmonic(W, y), y < 0, transition_matrix(W)
    assert_allclose(P.sum(axis=1), 1)
    assert_allclose(F.sum(axis=1), 1)
    assert_allclose(F[~u], one_hot(y)[~u])
    assert_allclose((P @ F)[u], F[u], atol=1e-12)  # the mean of the neighbours
    assert F.min() >= -1e-12  # with the sums: between the labels
    assert_allclose(harmonic(3 * W + np.diag(np.arange(len(y))), y), F, atol=1e-10)  # units and loops do not matter
    order = np.random.default_rng(seed).permutation(len(y))
    assert_allclose(harmonic(W[np.ix_(order, order)], y[order]), F[order], atol=1e-10)
    assert_allclose(harmonic(sparse.csr_array(W), y), F, atol=1e-12)
    walk, step = np.zeros_like(F[u]), (P @ np.where(u[:, None], 0, F))[u]
    for _ in range(3000):  # the walk ends at a label after 1, 2, ... steps
        walk, step = walk + step, P[np.ix_(u, u)] @ step
    assert_allclose(walk, F[u], atol=1e-6)


@pytest.mark.equation("semi-supervised-iteration")
@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_propagation_ends_at_the_harmonic_function(seed):
    W, y = random_graph(seed)
    u, Y = y < 0, one_hot(y)
    B = W[np.ix_(u, ~u)] @ Y[~u]
    settled = propagate(W[np.ix_(u, u)], B, 100_000, 1e-13)
    assert settled.converged
    assert_allclose(settled.F, harmonic(W, y)[u], atol=1e-9)
    assert_allclose(propagate(sparse.csr_array(W[np.ix_(u, u)]), B, 100_000, 1e-13).F, settled.F, atol=1e-12)


@pytest.mark.equation("semi-supervised-spreading", "semi-supervised-spread-step", "semi-supervised-normalised")
@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.5, 0.9]))
@settings(max_examples=20, deadline=None)
def test_laws_of_label_spreading(seed, alpha):
    W, y = random_graph(seed)
    S, Y, F = normalized_weights(W), one_hot(y), spreading(W, y, alpha)
    assert np.abs(np.linalg.eigvalsh(S)).max() <= 1 + 1e-12
    assert_allclose(F, alpha * S @ F + (1 - alpha) * Y, atol=1e-12)  # a fixed point
    settled = spread(W, Y, alpha, 5000, 1e-14)
    assert_allclose(settled.F, F, atol=1e-10)
    assert_allclose(spread(sparse.csr_array(W), Y, alpha, 5000, 1e-14).F, F, atol=1e-10)
    assert_allclose(spreading(sparse.csr_array(W), y, alpha), F, atol=1e-12)
    assert_allclose(normalized_weights(sparse.csr_array(W)).toarray(), S, atol=1e-14)
    d, mu, rng = W.sum(axis=1), (1 - alpha) / alpha, np.random.default_rng(seed)

    def cost(F):
        """What spreading minimises, up to a factor."""
        return energy(W, F / np.sqrt(d)[:, None]) + mu * ((F - Y) ** 2).sum()

    assert cost(F) < cost(F + 0.1 * rng.normal(size=F.shape))


@pytest.mark.equation("semi-supervised-uncertainty")
@given(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_uncertainty_laws(seed):
    P = np.random.default_rng(seed).dirichlet(np.ones(4), size=20)
    assert_allclose(uncertainty(P), scipy_entropy(P, axis=1))
    top = np.sort(P, axis=1)[:, ::-1]
    assert_allclose(uncertainty(P, "least_confident"), 1 - top[:, 0])
    assert_allclose(uncertainty(P, "margin"), 1 - (top[:, 0] - top[:, 1]))
    two = P[:, :2] / P[:, :2].sum(axis=1, keepdims=True)
    orders = [np.argsort(uncertainty(two, m)).tolist() for m in ("least_confident", "margin", "entropy")]
    assert orders[0] == orders[1] == orders[2]


@pytest.mark.parametrize("kind", TYPES)
def test_without_weight_it_is_the_fit_to_the_labelled_rows(kind):
    X, _, y = blobs(2, share=0.4)
    model = SemiSupervisedMixture(kind, unlabeled_weight=0.0, reg_covar=0.0).fit(X, y)
    only = SemiSupervisedMixture(kind, reg_covar=0.0).fit(X[y >= 0], y[y >= 0])
    assert_allclose(model.means_, only.means_)
    assert_allclose(model.covariances_, only.covariances_)
    assert_allclose(model.weights_, only.weights_)
    if kind == "full":  # the divisor n of both
        for k in range(3):
            assert_allclose(model.covariances_[k], np.cov(X[y == k].T, bias=True))
        qda = QuadraticDiscriminantAnalysis().fit(X[y >= 0], y[y >= 0])
        assert (model.predict(X) == qda.predict(X)).mean() > 0.9


@pytest.mark.parametrize("kind", TYPES)
def test_many_rows_without_labels_outvote_the_labels_as_a_mixture(kind):
    X, _, y = blobs(4, n=300, share=0.03)
    model = SemiSupervisedMixture(kind, unlabeled_weight=1e6, reg_covar=0.0, tol=0.0, max_iter=300)
    with pytest.warns(ConvergenceWarning, match="max_iter=300"):
        model.fit(X, y)
    start = np.linalg.inv(model.covariances_) if kind in ("full", "tied") else 1 / model.covariances_
    mixture = GaussianMixture(
        3, covariance_type=kind, weights_init=model.weights_, means_init=model.means_, precisions_init=start,
        reg_covar=0.0, tol=1e-12, max_iter=1,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        mixture.fit(X[y < 0])
    assert_allclose(mixture.means_, model.means_, atol=2e-3)


def test_order_units_and_layout():
    X, _, y = blobs(5)
    rng = np.random.default_rng(0)
    order = rng.permutation(len(y))
    for Model in ESTIMATORS:
        base = Model().fit(X, y)
        for A in (np.asfortranarray(X), X[::-1][::-1], np.column_stack([X, X])[:, :2], X.tolist()):
            assert_array_equal(Model().fit(A, y).transduction_, base.transduction_)
        assert_array_equal(Model().fit(X[order], y[order]).transduction_, base.transduction_[order])
        single = Model().fit(X.astype(np.float32), y)
        assert (single.transduction_ == base.transduction_).mean() > 0.98
    assert_array_equal(
        SemiSupervisedMixture(reg_covar=0.0).fit(1000 * X, y).transduction_,
        SemiSupervisedMixture(reg_covar=0.0).fit(X, y).transduction_,
    )
    assert_allclose(
        LabelPropagation(gamma=20).fit(X, y).label_distributions_,
        LabelPropagation(gamma=20e-6).fit(1000 * X, y).label_distributions_,
        atol=1e-9,
    )


@pytest.mark.filterwarnings("ignore:labels did not settle")
@pytest.mark.parametrize("Model", ESTIMATORS)
def test_text_labels_and_the_contract(Model):
    X, true, y = moons(labels=6)
    names = np.array(["lower", "upper"], dtype=object)
    text = np.array([names[c] if c >= 0 else -1 for c in y], dtype=object)
    model, plain = Model().fit(X, text), Model().fit(X, y)
    assert_array_equal(
        model.transduction_[plain.transduction_ >= 0], names[plain.transduction_[plain.transduction_ >= 0]]
    )
    assert_array_equal(model.predict(X), names[plain.predict(X)])
    assert model.classes_.tolist() == ["lower", "upper"]
    again = pickle.loads(pickle.dumps(plain))
    assert_array_equal(again.predict_proba(X), plain.predict_proba(X))
    assert_array_equal(clone(plain).fit(X, y).predict(X), plain.predict(X))
    chain = make_pipeline(StandardScaler(), Model()).fit(X, y)
    assert chain.score(X, true) > 0.7
    if Model is LabelPropagation:
        search = GridSearchCV(Model(), {"gamma": [0.01, 20.0]}, cv=KFold(2, shuffle=True, random_state=0)).fit(X, true)
        assert search.best_params_ == {"gamma": 20.0}


@pytest.mark.filterwarnings("ignore:y holds no row without a label")
def test_check_estimator():
    for model in (LabelPropagation(), LabelPropagation("knn"), LabelSpreading()):
        check_estimator(model, on_skip=None)
    check_estimator(
        SelfTrainingClassifier(),
        expected_failed_checks={"check_non_transformer_estimators_n_iter": "no round where every row has a label"},
        on_skip=None,
        on_fail="raise",
    )
    check_estimator(
        SemiSupervisedMixture(),
        expected_failed_checks={"check_classifiers_classes": "-1 is no class but means unlabelled"},
        on_skip=None,
        on_fail="raise",
    )


# ----------------------------------------------------------------------------------------------------------- extremes


def test_far_and_near():
    X, _, y = moons()
    far = LabelPropagation().fit(X, y).predict_proba([[1000.0, 0.0], [-1000.0, 0.0]])  # all weights underflow
    assert_allclose(far.sum(axis=1), 1)
    near = LabelPropagation(gamma=1e4).fit(X, np.where(y < 0, 0, y)).predict(X)  # as one nearest neighbour
    assert_array_equal(near, np.where(y < 0, 0, y))
    same = np.vstack([X, X])  # duplicates: the copy of a label gets it, nearly
    twice = harmonic(np.exp(-20 * ((same[:, None] - same) ** 2).sum(axis=2)), np.r_[y, np.full(len(y), -1)])
    assert twice[len(y) :][y == 1, 1].min() > 0.5


def test_all_rows_have_labels():
    X, true, _ = moons()
    for Model in (LabelPropagation, SemiSupervisedMixture):
        assert_array_equal(Model().fit(X, true).transduction_, true)
    with pytest.warns(UserWarning, match="no row without a label"):
        model = SelfTrainingClassifier().fit(X, true)
    assert (model.n_iter_, model.termination_condition_) == (0, "all_labeled")
    assert_array_equal(harmonic(path(3), [0, 1, 0]), one_hot([0, 1, 0]))


def test_one_label_a_class_starts_with_the_spread_of_all_rows():
    X, true = make_blobs(200, centers=[[0, 0], [8, 0]], random_state=0)
    y = np.full(200, -1)
    y[[0, 199]] = true[[0, 199]]
    for kind in TYPES:
        assert (SemiSupervisedMixture(kind).fit(X, y).transduction_ == true).mean() > 0.99


def test_confirmation_no_label_is_ever_taken_back():
    X, _, y = blobs(0)
    model = SelfTrainingClassifier(threshold=0.6).fit(X, y)
    early = SelfTrainingClassifier(threshold=0.6, max_iter=1).fit(X, y)
    given = early.transduction_ >= 0
    assert_array_equal(model.transduction_[given], early.transduction_[given])


def test_all_at_once_when_k_best_is_large():
    X, _, y = blobs(0)
    model = SelfTrainingClassifier(criterion="k_best", k_best=10_000).fit(X, y)
    assert (model.n_iter_, model.termination_condition_) == (1, "all_labeled")


def test_a_long_chain():
    n = 2000
    W = sparse.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[-1, 1], shape=(n, n))
    f = harmonic(W, np.r_[0, np.full(n - 2, -1), 1])[:, 1]
    assert_allclose(f, np.linspace(0, 1, n), atol=1e-9)
    assert query_threshold(10**9, lambda i: i >= 123_456_789).position == 123_456_789


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("Model", ESTIMATORS)
def test_labels_that_do_not_do(Model):
    X, _, y = moons()
    with pytest.raises(ValueError, match="no label at all: label at least one row of each class"):
        Model().fit(X, np.full(len(X), -1))
    with pytest.raises(ValueError, match="one class only \\(0\\): a class without labels"):
        Model().fit(X, np.where(y == 1, -1, y))
    with pytest.raises(ValueError, match="dtype=object"):
        Model().fit(X, y.astype(str))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        Model().fit(X, y[1:])
    with pytest.raises(ValueError, match="NaN"):
        Model().fit(np.where(X[0] == X, np.nan, X), y)
    with pytest.raises(ValueError, match="0 sample"):
        Model().fit(np.empty((0, 2)), [])
    with pytest.raises(ValueError, match=r"(?i)unknown label type"):
        Model().fit(X, y + 0.5 * (y == 1))
    with pytest.raises(ValueError, match="2 features"):
        Model().fit(X, y).predict(X[:, :1])


def test_partial_labels():
    assert check_partial_labels(["a", "b"]).codes.tolist() == [0, 1]
    with pytest.raises(ValueError, match="y must be a vector"):
        check_partial_labels([[0, 1]])


@pytest.mark.parametrize(
    ("Model", "bad", "message"),
    [
        (LabelPropagation, {"kernel": "cosine"}, "kernel must be one of"),
        (LabelPropagation, {"gamma": 0.0}, "gamma must be positive"),
        (LabelPropagation, {"n_neighbors": 0}, "n_neighbors must be at least 1"),
        (LabelPropagation, {"max_iter": 0}, "max_iter must be at least 1"),
        (LabelPropagation, {"tol": -1.0}, "tol must be finite and at least 0"),
        (LabelPropagation, {"kernel": "knn", "n_neighbors": 500}, "n_neighbors"),
        (
            LabelPropagation,
            {"kernel": lambda A, B: -np.ones((len(A), len(B)))},
            r"kernel\(X, X\) must hold finite weights",
        ),
        (LabelPropagation, {"kernel": lambda A, B: np.ones(len(A))}, r"kernel\(X, X\) must be a square matrix"),
        (LabelPropagation, {"gamma": 1e6}, "row 0 has no label, and no path"),
        (LabelSpreading, {"gamma": 1e6}, "row 0 has no label, and no path"),
        (LabelSpreading, {"alpha": 0.0}, "alpha must be positive"),
        (LabelSpreading, {"alpha": 1.0}, "alpha must be below 1"),
        (SelfTrainingClassifier, {"threshold": 1.0}, "threshold must be below 1"),
        (SelfTrainingClassifier, {"threshold": -0.1}, "threshold must be finite and at least 0"),
        (SelfTrainingClassifier, {"criterion": "best"}, "criterion must be one of"),
        (SelfTrainingClassifier, {"k_best": 0}, "k_best must be at least 1"),
        (SelfTrainingClassifier, {"max_iter": -1}, "max_iter must be at least 0"),
        (SelfTrainingClassifier, {"estimator": LinearSVC()}, "estimator must have fit and predict_proba"),
        (SemiSupervisedMixture, {"unlabeled_weight": -1.0}, "unlabeled_weight must be finite and at least 0"),
        (SemiSupervisedMixture, {"covariance_type": "round"}, "covariance_type must be one of"),
        (SemiSupervisedMixture, {"tol": -1.0}, "tol must be finite"),
        (SemiSupervisedMixture, {"reg_covar": -1.0}, "reg_covar must be finite"),
        (SemiSupervisedMixture, {"max_iter": 0}, "max_iter must be at least 1"),
    ],
)
def test_bad_hyperparameters(Model, bad, message):
    X, _, y = moons()
    with pytest.raises((ValueError, TypeError), match=message):
        Model(**bad).fit(X, y)


def test_an_isolated_node():
    W = path(4)
    W[3] = W[:, 3] = 0.0
    with pytest.raises(ValueError, match=r"row 3 has no label, and no path .* label it, or leave it out"):
        harmonic(W, [0, -1, 1, -1])
    assert_allclose(harmonic(W, [0, -1, -1, 1])[:3, 0], 1)  # labelled, it does no harm
    X = np.array([[0.0], [0.1], [1.0], [1.1], [500.0]])
    y = [0, -1, -1, 1, -1]
    for Model in (LabelPropagation, LabelSpreading):
        with pytest.raises(ValueError, match="row 4 has no label"):
            Model().fit(X, y)
    weak = path(4)
    weak[2, 3] = weak[3, 2] = 1e-30
    weak[1, 0] = weak[0, 1] = 1e-30
    with pytest.raises(ValueError, match="weights that vanish beside the others: take a smaller gamma"):
        harmonic(weak, [0, -1, -1, 1])
    assert transition_matrix(W)[3].tolist() == [0, 0, 0, 0]
    assert normalized_weights(W)[3].tolist() == [0, 0, 0, 0]


def test_no_convergence_is_said():
    X, _, y = moons()
    with pytest.warns(ConvergenceWarning, match="max_iter=20"):
        LabelPropagation(max_iter=20).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="max_iter=2 "):
        SemiSupervisedMixture(max_iter=2).fit(X, y)


def test_new_rows_that_a_kernel_does_not_reach():
    X, _, y = moons()
    box = lambda A, B: (np.abs(A[:, None] - B).max(axis=2) < 0.6).astype(float)
    model = LabelPropagation(box).fit(X, y)
    with pytest.raises(ValueError, match="kernel joins row 1 of X to no training row"):
        model.predict([X[0], [99.0, 0.0]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: harmonic([[0, 1]], [0]), "W must be a square matrix"),
        (lambda: harmonic([[0, -1], [-1, 0]], [0, -1]), "W must hold finite weights"),
        (lambda: harmonic([[0, np.nan], [1, 0]], [0, -1]), "W must hold finite weights"),
        (lambda: harmonic([[0, 1], [1, 0]], [0]), "y must hold 2 integers"),
        (lambda: harmonic([[0, 1], [1, 0]], [0.0, 1.0]), "y must hold 2 integers"),
        (lambda: harmonic([[0, 1], [1, 0]], [0, -2]), "y must hold 2 integers"),
        (lambda: harmonic([[0, 1], [1, 0]], [-1, -1]), "no label at all"),
        (lambda: energy([[0, 1], [1, 0]], [1, 2, 3]), "F must have one row for each of the 2 nodes"),
        (lambda: spreading([[0, 1], [1, 0]], [0, -1], 1.5), "alpha must be below 1"),
        (lambda: clamped_e_step([[0.0]], [2], ([1.0], [[0.0]], [1.0]), "spherical"), "codes are 0 to 0, or -1"),
        (lambda: select_confident([0.5, 0.5]), "P must be"),
        (lambda: select_best([[1.5, -0.5]], 1), "P must be"),
        (lambda: select_best([[0.5, 0.5]], 0), "k_best must be at least 1"),
        (lambda: uncertainty([[0.5, 0.5]], "variance"), "measure must be one of"),
        (lambda: queries_needed(0), "n must be at least 1"),
        (lambda: random_interval(-1), "m must be at least 0"),
        (lambda: random_interval(3, 1.5), "theta must be at most 1"),
        (lambda: query_threshold(3, lambda i: "yes"), re.escape("ask(1) must answer 0 or 1, got 'yes'")),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
