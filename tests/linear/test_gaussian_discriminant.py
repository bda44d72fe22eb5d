"""Gaussian discriminant analysis: published numbers, independent routes, laws, extremes, errors."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal, norm
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as PeerLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as PeerQDA
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_iris, load_wine
from notes_lib.linear.fisher_lda import FisherDiscriminant, fisher_direction
from notes_lib.linear.gaussian_discriminant import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    class_gaussians,
    lda_coefficients,
    lda_error,
    logistic_parameters,
    qda_scores,
    regularized_covariances,
)
from notes_lib.numerics import BLOCK

BOTH = [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis]
MEANS, COVARIANCE, PRIORS = [[0.0, 0.0], [2.0, 1.0]], [[2.0, 0.5], [0.5, 1.0]], [0.2, 0.8]


def problem(seed, n=90, K=3, d=2):
    """Gaussian classes of unequal size, each with its own covariance and more rows than columns."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.r_[np.repeat(np.arange(K), d + 3), rng.integers(0, K, n - K * (d + 3))])
    A = rng.normal(size=(K, d, d)) + 2 * np.eye(d)
    return np.einsum("nij,nj->ni", A[y], rng.normal(size=(n, d))) + 3 * rng.normal(size=(K, d))[y], y


def by_bayes(X, means, covariances, priors):
    """Posterior probabilities as the theorem reads, with the densities of SciPy."""
    parts = zip(priors, means, covariances, strict=True)
    joint = np.column_stack([p * multivariate_normal(m, S).pdf(X) for p, m, S in parts])
    return joint / joint.sum(axis=1, keepdims=True)


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.parametrize("model", BOTH)
def test_example_of_the_scikit_learn_docs(model):
    X = [[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]]
    assert model().fit(X, [1, 1, 1, 2, 2, 2]).predict([[-0.8, -1]]) == [1]


def test_iris_makes_three_mistakes():
    # resubstitution table printed by R's lda
    X, y = load_iris().X, load_iris().y
    found = LinearDiscriminantAnalysis().fit(X, y).predict(X)
    table = [[int(np.sum((y == i) & (found == j))) for j in range(3)] for i in range(3)]
    assert table == [[50, 0, 0], [0, 48, 2], [0, 1, 49]]


@pytest.mark.equation("gaussian-discriminant-qda-score")
def test_quadratic_leave_one_out_on_iris():
    # 146 of 150: the accuracy 0.9733 of the QDA test of the Java library Smile
    X, y = load_iris().X, load_iris().y
    rows = np.arange(150)
    fits = (QuadraticDiscriminantAnalysis().fit(X[rows != i], y[rows != i]).predict(X[[i]])[0] for i in rows)
    assert sum(int(a == b) for a, b in zip(fits, y, strict=True)) == 146


@pytest.mark.equation("gaussian-discriminant-bias")
def test_bias_has_the_log_of_the_priors_with_a_plus():
    # on the line, variance 1, means 0 and 2, priors 0.2 and 0.8: the log-odds at x = 1 are log 4
    w, b = logistic_parameters([[0.0], [2.0]], [[1.0]], [0.2, 0.8])
    assert_allclose(w @ [1.0] + b, np.log(4), rtol=1e-14)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("gaussian-discriminant-priors", "gaussian-discriminant-mle", "gaussian-discriminant-pooled")
@pytest.mark.parametrize("seed", range(3))
def test_estimates_by_numpy(seed):
    X, y = problem(seed)
    priors, means, covariances, pooled = class_gaussians(X, y)
    for k in range(3):
        assert_allclose(priors[k], np.mean(y == k), rtol=1e-14)
        assert_allclose(means[k], X[y == k].mean(axis=0), rtol=1e-12)
        assert_allclose(covariances[k], np.cov(X[y == k].T, bias=True), rtol=1e-10)
    assert_allclose(pooled, np.cov((X - means[y]).T, bias=True), rtol=1e-10, atol=1e-12)


@pytest.mark.equation("gaussian-discriminant-likelihood", "gaussian-discriminant-mle", "gaussian-discriminant-priors")
@pytest.mark.parametrize("seed", range(3))
def test_no_other_parameters_are_more_likely(seed):
    X, y = problem(seed)
    rng = np.random.default_rng(seed)
    fit = class_gaussians(X, y)

    def likelihood(priors, means, covariances):
        return sum(
            np.log(priors[k]) * np.sum(y == k) + multivariate_normal(means[k], covariances[k]).logpdf(X[y == k]).sum()
            for k in range(3)
        )

    for shared in [False, True]:
        best_covariances = np.array([fit.pooled] * 3) if shared else fit.covariances
        best = likelihood(fit.priors, fit.means, best_covariances)
        for _ in range(30):
            priors = fit.priors + 0.01 * (lambda v: v - v.mean())(rng.normal(size=3))
            means = fit.means + 0.05 * rng.normal(size=(3, 2))
            scale = np.exp(0.05 * rng.normal(size=1 if shared else 3))[:, None, None]
            for other in [
                (priors, fit.means, best_covariances),
                (fit.priors, means, best_covariances),
                (fit.priors, fit.means, best_covariances * scale),
            ]:
                assert likelihood(*other) < best


@pytest.mark.equation("gaussian-discriminant-lda-score", "gaussian-discriminant-softmax", "gaussian-discriminant-rule")
@pytest.mark.parametrize("K", [2, 4])
def test_linear_is_bayes_rule_with_one_covariance(K):
    X, y = problem(4, n=150, K=K, d=3)
    model = LinearDiscriminantAnalysis().fit(X, y)
    posterior = by_bayes(X, model.means_, [model.covariance_] * K, model.priors_)
    assert_allclose(model.predict_proba(X), posterior, rtol=1e-8, atol=1e-12)
    assert_allclose(model.predict_log_proba(X), np.log(posterior), rtol=1e-8, atol=1e-8)
    assert_array_equal(model.predict(X), posterior.argmax(axis=1))
    scores = X @ model.coef_.T + model.intercept_
    assert_allclose(model.decision_function(X), scores[:, 0] if K == 2 else scores, rtol=1e-8, atol=1e-8)
    coef, intercept = lda_coefficients(model.means_, model.covariance_, model.priors_)
    scores = X @ coef.T + intercept
    ratios = np.log(posterior[:, 1:] / posterior[:, :1])
    assert_allclose(scores[:, 1:] - scores[:, :1], ratios, rtol=1e-7, atol=1e-8)


@pytest.mark.equation("gaussian-discriminant-qda-score", "gaussian-discriminant-softmax")
@pytest.mark.parametrize("K", [2, 4])
def test_quadratic_is_bayes_rule_with_a_covariance_for_each_class(K):
    X, y = problem(5, n=150, K=K, d=3)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    posterior = by_bayes(X, model.means_, model.covariance_, model.priors_)
    assert_allclose(model.predict_proba(X), posterior, rtol=1e-8, atol=1e-12)
    scores = qda_scores(X, model.means_, model.covariance_, model.priors_)
    constant = 1.5 * np.log(2 * np.pi)
    joint = [multivariate_normal(m, S).logpdf(X) for m, S in zip(model.means_, model.covariance_, strict=True)]
    assert_allclose(scores - constant, np.transpose(joint) + np.log(model.priors_), rtol=1e-9)
    if K == 2:
        assert_allclose(model.decision_function(X), np.log(posterior[:, 1] / posterior[:, 0]), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("shrinkage", [None, 0.0, 0.3, 1.0])
def test_linear_as_scikit_learn(shrinkage):
    data = load_wine()
    X, y = data.X / data.X.std(axis=0), data.y
    for rows in (y >= 0, y > 0):  # three classes, two classes
        ours = LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(X[rows], y[rows])
        peer = PeerLDA(solver="lsqr", shrinkage=shrinkage).fit(X[rows], y[rows])
        # scikit-learn shrinks each class, which is the same: the trace is linear
        for name in ["classes_", "priors_", "means_", "covariance_"]:
            assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-9, atol=1e-9, err_msg=name)
        assert ours.coef_.shape == peer.coef_.shape
        assert ours.intercept_.shape == peer.intercept_.shape
        assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=1e-6, atol=1e-10)
        if len(ours.classes_) == 2:
            assert_allclose(ours.coef_, peer.coef_, rtol=1e-7, atol=1e-8)
            assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("priors", [None, [0.2, 0.5, 0.3]])
def test_projection_as_scikit_learn(priors):
    data = load_wine()
    X, y, new = data.X[::2], data.y[::2], data.X[1::2]
    for n_components in (None, 1):
        ours = LinearDiscriminantAnalysis(priors=priors, n_components=n_components)
        peer = PeerLDA(priors=priors, n_components=n_components)
        a, b = ours.fit_transform(X, y), peer.fit_transform(X, y)
        signs = np.sign((a * b).sum(axis=0))
        assert_allclose(a, b * signs, rtol=0, atol=1e-9)
        assert_allclose(ours.transform(new), peer.transform(new) * signs, rtol=0, atol=1e-9)
        for name in ["xbar_", "explained_variance_ratio_"]:
            assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-9, err_msg=name)
        assert_array_equal(ours.get_feature_names_out(), peer.get_feature_names_out())
        assert_array_equal(ours.predict(new), peer.predict(new))


@pytest.mark.parametrize("shrinkage", [None, 0.3])
def test_projection_as_fisher(shrinkage):
    data = load_wine()
    X = data.X / data.X.std(axis=0)
    ours = LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(X, data.y)
    fisher = FisherDiscriminant(shrinkage=shrinkage).fit(X, data.y)
    assert_allclose(ours.transform(X), fisher.transform(X), rtol=0, atol=1e-9)
    assert_allclose(ours.scalings_.T @ ours.covariance_ @ ours.scalings_, np.eye(2), rtol=0, atol=1e-9)


def test_number_of_columns_of_the_projection():
    X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]
    equal_means = LinearDiscriminantAnalysis().fit(X, [0, 0, 0, 1, 1, 1])
    assert equal_means.transform(X).shape == (6, 1)
    assert_allclose(equal_means.explained_variance_ratio_, [0.0], rtol=0, atol=1e-15)
    with pytest.raises(ValueError, match=r"n_components=2 must be from 1 to .* = 1"):
        LinearDiscriminantAnalysis(n_components=2).fit(X, [0, 0, 0, 1, 1, 1])
    with pytest.raises(TypeError, match="n_components must be an integer or None"):
        LinearDiscriminantAnalysis(n_components=1.0).fit(X, [0, 0, 0, 1, 1, 1])


@pytest.mark.parametrize("shrinkage", [None, 0.3, 1.0])
def test_quadratic_as_scikit_learn(shrinkage):
    data = load_wine()
    X, y = data.X / data.X.std(axis=0), data.y
    ours = QuadraticDiscriminantAnalysis(shrinkage=shrinkage, priors=[0.2, 0.3, 0.5]).fit(X, y)
    peer = PeerQDA(solver="eigen", shrinkage=shrinkage, priors=[0.2, 0.3, 0.5], store_covariance=True).fit(X, y)
    for name in ["classes_", "priors_", "means_", "covariance_"]:
        assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-9, atol=1e-9, err_msg=name)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=1e-6, atol=1e-10)
    assert_allclose(ours.predict_log_proba(X), peer.predict_log_proba(X), rtol=1e-6, atol=1e-8)


@pytest.mark.equation("gaussian-discriminant-weights", "gaussian-discriminant-bias", "gaussian-discriminant-posterior")
def test_logistic_parameters_give_the_posterior():
    X = np.random.default_rng(0).normal(size=(50, 2)) * 2
    w, b = logistic_parameters(MEANS, COVARIANCE, PRIORS)
    posterior = by_bayes(X, MEANS, [COVARIANCE] * 2, PRIORS)
    assert_allclose(1 / (1 + np.exp(-(X @ w + b))), posterior[:, 1], rtol=1e-10)


@pytest.mark.equation("gaussian-discriminant-bayes-error")
@pytest.mark.parametrize("pi", [0.5, 0.2, 0.97])
def test_error_by_integrating_on_the_line(pi):
    grid, step = np.linspace(-12, 14, 400_001, retstep=True)
    lost = np.minimum((1 - pi) * norm(0, 1.5).pdf(grid), pi * norm(2, 1.5).pdf(grid)).sum() * step
    assert_allclose(lda_error([[0.0], [2.0]], [[2.25]], [1 - pi, pi]), lost, rtol=1e-8)
    # in the plane: the same Mahalanobis distance, turned
    means = np.array([[0.0, 0.0], [2.0, 2.0]]) / np.sqrt(2)
    assert_allclose(lda_error(means, 2.25 * np.eye(2), [1 - pi, pi]), lost, rtol=1e-8)


@pytest.mark.equation("gaussian-discriminant-rda")
def test_regularised_covariances_by_hand():
    S = np.array([[[4.0, 0.0], [0.0, 2.0]], [[2.0, 2.0], [2.0, 4.0]]])
    pooled = np.array([[3.0, 1.0], [1.0, 3.0]])
    found = regularized_covariances(S, pooled, 0.5, 0.2)
    # class 1: half-way [[3.5, 0.5], [0.5, 2.5]], trace 6, so 0.8 of it and 0.2 times 3 on the diagonal
    assert_allclose(found[0], [[3.4, 0.4], [0.4, 2.6]], rtol=1e-14)
    assert_allclose(found[1], [[2.6, 1.2], [1.2, 3.4]], rtol=1e-14)


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.equation("gaussian-discriminant-rda")
@pytest.mark.parametrize("shrinkage", [None, 0.4])
def test_full_pooling_is_linear(shrinkage):
    X, y = problem(6)
    quadratic = QuadraticDiscriminantAnalysis(pooling=1.0, shrinkage=shrinkage).fit(X, y)
    linear = LinearDiscriminantAnalysis(shrinkage=shrinkage).fit(X, y)
    assert_allclose(quadratic.covariance_, [linear.covariance_] * 3, rtol=1e-10)
    assert_allclose(quadratic.predict_proba(X), linear.predict_proba(X), rtol=1e-8, atol=1e-12)
    between = QuadraticDiscriminantAnalysis(pooling=0.5).fit(X, y).predict_proba(X)
    assert np.abs(between - linear.predict_proba(X)).max() > 0.01


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), K=st.integers(2, 4), d=st.integers(1, 3))
def test_affine_maps_change_no_posterior(seed, K, d):
    X, y = problem(seed, K=K, d=d)
    rng = np.random.default_rng(seed)
    A = np.linalg.qr(rng.normal(size=(d, d)))[0] * rng.uniform(0.5, 3, size=d)
    for model in BOTH:
        plain = model().fit(X, y).predict_proba(X)
        moved = X @ A + 10 * rng.normal(size=d)
        assert_allclose(model().fit(moved, y).predict_proba(moved), plain, rtol=1e-6, atol=1e-9)


@pytest.mark.equation("gaussian-discriminant-weights")
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_weights_have_fishers_direction(seed):
    X, y = problem(seed, K=2, d=3)
    w = LinearDiscriminantAnalysis().fit(X, y).coef_[0]
    assert_allclose(w / np.linalg.norm(w), fisher_direction(X, y), rtol=1e-7, atol=1e-9)


def test_same_posterior_as_fishers_discriminant():
    X, y = load_wine().X, load_wine().y
    fisher = FisherDiscriminant().fit(X, y)
    assert_allclose(LinearDiscriminantAnalysis().fit(X, y).predict_proba(X), fisher.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("model", BOTH)
def test_priors_add_their_logarithm_to_the_log_odds(model):
    X, y = problem(7, K=2)
    even = model(priors=[0.5, 0.5]).fit(X, y).decision_function(X)
    rare = model(priors=[0.9, 0.1]).fit(X, y).decision_function(X)
    assert_allclose(rare - even, np.log(0.1 / 0.9), rtol=1e-9)


@pytest.mark.parametrize("model", BOTH)
def test_rows_in_any_order_and_labels_of_any_type(model):
    X, y = problem(8)
    order = np.random.default_rng(0).permutation(len(y))
    names = np.array(["c", "a", "b"])[y]
    plain, other = model().fit(X, y), model().fit(X[order], names[order])
    assert other.classes_.tolist() == ["a", "b", "c"]
    assert_allclose(other.predict_proba(X)[:, [2, 0, 1]], plain.predict_proba(X), rtol=1e-8, atol=1e-12)
    assert_array_equal(other.predict(X), np.array(["c", "a", "b"])[plain.predict(X)])


@pytest.mark.parametrize("model", [*(m() for m in BOTH), QuadraticDiscriminantAnalysis(pooling=0.5, shrinkage=0.1)])
def test_estimator_contract(model):
    check_estimator(model, on_skip=None)
    X, y = problem(9)
    fit = clone(model).fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(fit)).predict_proba(X), fit.predict_proba(X))
    grid = GridSearchCV(
        make_pipeline(StandardScaler(), model), {f"{type(model).__name__.lower()}__shrinkage": [0.1, 1]}
    )
    assert grid.fit(X, y).best_score_ > 0.4


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.parametrize("model", BOTH)
def test_far_from_the_origin_keeps_its_digits(model):
    X, y = problem(10)
    X = np.round(X, 3)
    far = X + 2.0**20
    assert_allclose(model().fit(far, y).predict_proba(far), model().fit(X, y).predict_proba(X), atol=1e-7)


@pytest.mark.parametrize("model", BOTH)
def test_more_rows_than_one_block(model):
    X, y = problem(11, n=2 * BLOCK + 7)
    fit = model().fit(X, y)
    apart = np.vstack([fit.predict_proba(part) for part in np.array_split(X, 9)])
    assert_allclose(fit.predict_proba(X), apart, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("model", BOTH)
def test_shrinkage_helps_more_columns_than_rows(model):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 10)
    X = rng.normal(size=(20, 40)) + y[:, None]
    assert (model(shrinkage=0.5).fit(X, y).predict(X + 0.1 * rng.normal(size=X.shape)) == y).mean() > 0.9


def test_pooling_helps_a_class_with_one_row():
    X, y = problem(12)
    X, y = np.vstack([X, [[9.0, 9.0]]]), np.r_[y, 3]
    assert QuadraticDiscriminantAnalysis(pooling=0.2).fit(X, y).predict([[9.0, 9.0]]) == [3]


@pytest.mark.parametrize("model", BOTH)
def test_far_points_have_a_log_probability(model):
    X, y = problem(13, K=2)
    assert np.isfinite(model().fit(X, y).predict_log_proba([[1e4, -1e4]])).all()


# ------------------------------------------------------------------------------------------------------------- errors

GOOD, LABELS = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [5.0, 5.0], [6.0, 7.0], [7.0, 5.0]], [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("model", BOTH)
@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (GOOD, [1] * 6, "at least two classes, got 1 class"),
        ([[np.nan, 1.0], *GOOD[1:]], LABELS, "NaN"),
        ([[np.inf, 1.0], *GOOD[1:]], LABELS, "infinity"),
        ([[3.0, 4.0]] * 6, LABELS, "column 0 .*is constant"),
        ([[a, 4.0] for a, _ in GOOD], LABELS, "column 1 .*is constant"),
        ([[a, 2 * a + 1] for a, _ in GOOD], LABELS, "column 1 .*(linear combination|linear function)"),
        (GOOD, LABELS[:5], "inconsistent"),
    ],
)
def test_bad_data(model, X, y, message):
    with pytest.raises(ValueError, match=message):
        model().fit(X, y)


@pytest.mark.parametrize("model", BOTH)
@pytest.mark.parametrize("priors", [[0.5, 0.6], [1.0, 0.0], [1.5, -0.5], [1.0], [0.2, 0.3, 0.5]])
def test_bad_priors(model, priors):
    with pytest.raises(ValueError, match="priors must"):
        model(priors=priors).fit(GOOD, LABELS)


@pytest.mark.parametrize("model", BOTH)
@pytest.mark.parametrize("shrinkage", [-0.1, 1.1, "auto", True])
def test_bad_shrinkage(model, shrinkage):
    with pytest.raises(ValueError, match="shrinkage must be None or a number from 0 to 1"):
        model(shrinkage=shrinkage).fit(GOOD, LABELS)


@pytest.mark.parametrize(("pooling", "error"), [(-0.1, ValueError), (1.1, ValueError), ("full", TypeError)])
def test_bad_pooling(pooling, error):
    with pytest.raises(error, match="pooling"):
        QuadraticDiscriminantAnalysis(pooling=pooling).fit(GOOD, LABELS)


@pytest.mark.parametrize("shrinkage", [None, 0.5])
def test_class_with_one_row(shrinkage):
    with pytest.raises(ValueError, match=r"class b has one row.*set pooling"):
        QuadraticDiscriminantAnalysis(shrinkage=shrinkage).fit(GOOD, list("aaaaab"))


def test_class_with_too_few_rows():
    with pytest.raises(ValueError, match=r"class b: .*2 rows for 2 columns.*set pooling or shrinkage"):
        QuadraticDiscriminantAnalysis().fit(GOOD, list("aaaabb"))
    with pytest.raises(ValueError, match=r"class b: .*2 rows for 2 columns"):
        class_gaussians(GOOD, list("aaaabb"))


def test_regularised_and_still_singular():
    X = [[a, 4.0] for a, _ in GOOD]
    with pytest.raises(ValueError, match=r"class 0: .*set shrinkage"):
        QuadraticDiscriminantAnalysis(pooling=0.5).fit(X, LABELS)


def test_as_many_classes_as_rows():
    with pytest.raises(ValueError, match="more rows than classes, got 6 rows and 6 classes"):
        LinearDiscriminantAnalysis().fit(GOOD, list("abcdef"))


@pytest.mark.parametrize("model", BOTH)
def test_another_number_of_columns(model):
    fit = model().fit(GOOD, LABELS)
    with pytest.raises(ValueError, match="features"):
        fit.predict([[1.0]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lda_coefficients([[0.0], [1.0]], [[0.0]], [0.5, 0.5]), "positive definite"),
        (lambda: lda_coefficients([[0.0], [1.0]], np.eye(2), [0.5, 0.5]), "covariance must have shape"),
        (lambda: lda_coefficients([[0.0], [1.0]], [[1.0]], [0.5, 0.6]), "priors must"),
        (lambda: lda_coefficients([[np.nan], [1.0]], [[1.0]], [0.5, 0.5]), "means"),
        (lambda: logistic_parameters([[0.0], [1.0], [2.0]], [[1.0]], [0.2, 0.3, 0.5]), "means must have shape"),
        (lambda: lda_error([[1.0], [1.0]], [[1.0]], [0.5, 0.5]), "means must differ"),
        (lambda: qda_scores([[0.0]], [[0.0], [1.0]], [[[1.0]], [[0.0]]], [0.5, 0.5]), r"covariances\[1\] is not pos"),
        (lambda: qda_scores([[0.0, 1.0]], [[0.0], [1.0]], [[[1.0]]] * 2, [0.5, 0.5]), "X must have shape"),
        (lambda: qda_scores([[0.0]], [[0.0], [1.0]], [[[1.0]]], [0.5, 0.5]), "covariances must have shape"),
        (lambda: regularized_covariances([[[1.0]]], [[1.0]], 2.0), "pooling must be a number from 0 to 1"),
        (lambda: regularized_covariances([[[1.0]]], [[1.0]], 0.0, 2.0), "shrinkage must"),
        (lambda: regularized_covariances([[[1.0]]], np.eye(2)), "covariances must have shape"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
