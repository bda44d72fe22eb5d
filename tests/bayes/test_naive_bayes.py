"""Naive Bayes: published examples, independent routes, laws, extremes, errors."""

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
import sklearn.naive_bayes as peer
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from scipy.stats import multinomial, norm
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.bayes.naive_bayes import (
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    MultinomialNB,
    bernoulli_log_odds,
    bernoulli_scores,
    category_table,
    gaussian_log_odds,
    gaussian_scores,
    load_federalist,
    log_product,
    multinomial_log_odds,
    parameter_count,
    smoothed,
    word_counts,
    words,
)
from notes_lib.datasets import load_iris
from notes_lib.foundations.estimation import DirichletCategorical, categorical_mle
from notes_lib.numerics import BLOCK

TENNIS = """Sunny Hot High Weak No, Sunny Hot High Strong No, Overcast Hot High Weak Yes, Rain Mild High Weak Yes,
Rain Cool Normal Weak Yes, Rain Cool Normal Strong No, Overcast Cool Normal Strong Yes, Sunny Mild High Weak No,
Sunny Cool Normal Weak Yes, Rain Mild Normal Weak Yes, Sunny Mild Normal Strong Yes, Overcast Mild High Strong Yes,
Overcast Hot Normal Weak Yes, Rain Mild High Strong No"""
CHINA = ["Chinese Beijing Chinese", "Chinese Chinese Shanghai", "Chinese Macao", "Tokyo Japan Chinese"]
VOCABULARY = ["beijing", "chinese", "japan", "macao", "shanghai", "tokyo"]
QUESTION = "Chinese Chinese Chinese Tokyo Japan"
COUNTING = [MultinomialNB, BernoulliNB, CategoricalNB]
ALL = [*COUNTING, GaussianNB]
PEERS = {model: getattr(peer, model.__name__) for model in ALL}


def problem(seed, n=60, K=3, d=4):
    """Small counts, and classes that each occur."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.r_[np.arange(K), rng.integers(0, K, n - K)])
    return rng.poisson(0.5 + rng.random((K, d))[y] * 2), y


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("naive-bayes-mle", "naive-bayes-rule")
def test_play_tennis():
    # Mitchell (1997), section 6.9.1: 0.0053 for yes and 0.0206 for no, normalised 0.795
    rows = np.array([row.split() for row in TENNIS.split(",")])
    encoder = OrdinalEncoder().fit(rows[:, :4])
    model = CategoricalNB(alpha=0).fit(encoder.transform(rows[:, :4]), rows[:, 4])
    query = encoder.transform([["Sunny", "Cool", "High", "Strong"]])
    joint = np.exp(model.predict_joint_log_proba(query))
    assert_allclose(joint, [[0.0206, 0.0053]], atol=5e-5)
    assert_allclose(
        joint, [[5 / 14 * 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5, 9 / 14 * 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9]], rtol=1e-12
    )
    assert_allclose(model.predict_proba(query)[0, 0], 0.795, atol=5e-4)
    assert model.predict(query) == ["No"]


@pytest.mark.equation("naive-bayes-laplace", "naive-bayes-priors")
def test_li_hang_smooths_features_and_priors():
    # Li Hang (2012), examples 4.1 and 4.2: without smoothing 1/45 and 1/15; with 1 added, also to the class counts
    # (10/17 and 7/17), 0.0327 and 0.0610
    x_1 = np.repeat([0, 1, 2], 5)
    x_2 = np.array(["SML".index(c) for c in "SMMSSSMMLLLMMLL"])
    y = np.array([-1, -1, 1, 1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, -1])
    X, query = np.column_stack([x_1, x_2]), [[1, 0]]
    plain = CategoricalNB(alpha=0).fit(X, y)
    assert_allclose(np.exp(plain.predict_joint_log_proba(query)), [[1 / 15, 1 / 45]], rtol=1e-12)
    laplace = CategoricalNB(alpha=1, class_prior=[7 / 17, 10 / 17]).fit(X, y)
    assert_allclose(np.exp(laplace.predict_joint_log_proba(query)), [[0.0610, 0.0327]], atol=5e-5)
    assert laplace.predict(query) == [-1]


@pytest.mark.equation("naive-bayes-multinomial-mle", "naive-bayes-multinomial-score")
def test_example_of_manning_with_counts():
    # Manning, Raghavan and Schuetze (2008), example 13.1: 3/7, 1/14 and 2/9; 0.0003 against 0.0001
    model = MultinomialNB().fit(word_counts(CHINA, VOCABULARY), [1, 1, 1, 0])
    assert_allclose(np.exp(model.feature_log_prob_[1, [1, 5, 2]]), [3 / 7, 1 / 14, 1 / 14], rtol=1e-12)
    assert_allclose(np.exp(model.feature_log_prob_[0, [1, 5, 2]]), [2 / 9] * 3, rtol=1e-12)
    query = word_counts([QUESTION], VOCABULARY)
    joint = [[1 / 4 * (2 / 9) ** 5, 3 / 4 * (3 / 7) ** 3 / 14**2]]
    assert_allclose(np.exp(model.predict_joint_log_proba(query)), joint, rtol=1e-12)
    assert model.predict(query) == [1]


@pytest.mark.equation("naive-bayes-bernoulli", "naive-bayes-bernoulli-mle")
def test_example_of_manning_with_presence():
    # example 13.2: 0.005 against 0.022, so that the other class wins
    model = BernoulliNB().fit(word_counts(CHINA, VOCABULARY), [1, 1, 1, 0])
    assert_allclose(np.exp(model.feature_log_prob_[1]), [2 / 5, 4 / 5, 1 / 5, 2 / 5, 2 / 5, 1 / 5], rtol=1e-12)
    query = word_counts([QUESTION], VOCABULARY)
    assert_allclose(np.exp(model.predict_joint_log_proba(query)), [[0.022, 0.005]], atol=5e-4)
    assert model.predict(query) == [0]


def test_gaussian_makes_the_mistakes_of_scikit_learn_on_iris():
    iris = load_iris()
    theirs = peer.GaussianNB().fit(iris.X, iris.y).predict(iris.X)
    assert_array_equal(GaussianNB().fit(iris.X, iris.y).predict(iris.X), theirs)
    assert 0 < (theirs != iris.y).sum() < 10


def test_federalist_has_the_papers_of_each_author():
    data = load_federalist()
    assert data.X.shape == (77, 70) == (len(data.y), len(data.feature_names))
    assert np.bincount(data.y).tolist() == [51, 14, 12]
    # Mosteller and Wallace (1964): Hamilton writes "upon" about 3 times in 1000 words, Madison hardly ever
    upon = data.X[:, data.feature_names.index("upon")]
    assert [upon[data.y == k].sum() > 0 for k in range(3)] == [True, True, True]
    assert np.mean(upon[data.y == 0] > 0) == 1.0
    assert np.mean(upon[data.y == 1] > 0) < 0.5
    assert np.flatnonzero(data.y == 2).tolist() == [*range(41, 51), 54, 55]
    assert data.X[0, data.feature_names.index("the")] == 131


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("naive-bayes-mle", "naive-bayes-likelihood")
@pytest.mark.parametrize("seed", range(3))
def test_counting_is_the_maximum_of_the_likelihood(seed):
    X, y = problem(seed)
    X = np.minimum(X, 2)
    rng = np.random.default_rng(seed)
    tables = [smoothed(category_table(x, y, 3, 3), 0) for x in X.T]
    for j, k in itertools.product(range(4), range(3)):
        assert_allclose(tables[j][k], categorical_mle(X[y == k, j], 3), rtol=1e-13)

    def likelihood(tables, priors):
        return sum(np.log(priors[k]) + sum(np.log(t[k, v]) for t, v in zip(tables, x, strict=True))
                   for x, k in zip(X, y, strict=True))  # fmt: skip

    priors = np.bincount(y) / len(y)
    best = likelihood(tables, priors)
    for _ in range(20):
        moved = [t * np.exp(0.1 * rng.normal(size=t.shape)) for t in tables]
        moved = [t / t.sum(axis=1, keepdims=True) for t in moved]
        other = priors * np.exp(0.1 * rng.normal(size=3))
        assert likelihood(moved, priors) < best
        assert likelihood(tables, other / other.sum()) < best


@pytest.mark.equation("naive-bayes-laplace")
@pytest.mark.parametrize("alpha", [0.5, 1, 3])
def test_smoothing_is_the_mean_of_the_dirichlet_posterior(alpha):
    x = np.array([0, 2, 2, 3, 0, 0])
    counts = category_table(x, np.zeros(6, dtype=int), 1, 5)
    posterior = DirichletCategorical([alpha] * 5).update(x)
    assert_allclose(smoothed(counts, alpha)[0], posterior.mean, rtol=1e-14)
    prior = np.array([0.5, 1, 2, 4, 1])
    assert_allclose(smoothed(counts, prior)[0], DirichletCategorical(prior).update(x).mean, rtol=1e-14)


@pytest.mark.equation("naive-bayes-posterior", "naive-bayes-rule")
@pytest.mark.parametrize("model", ALL)
@pytest.mark.parametrize("options", [{}, {"alpha": 0.1}, {"fit_prior": False}, {"class_prior": [0.2, 0.3, 0.5]}])
@pytest.mark.parametrize("seed", range(2))
def test_same_as_scikit_learn(model, options, seed):
    if model is GaussianNB:
        options = {"priors": options["class_prior"]} if "class_prior" in options else {}
    X, y = problem(seed)
    ours, theirs = model(**options).fit(X, y), PEERS[model](**options).fit(X, y)
    for method in ["predict_joint_log_proba", "predict_log_proba", "predict_proba"]:
        assert_allclose(getattr(ours, method)(X), getattr(theirs, method)(X), rtol=1e-9, atol=1e-12)
    assert_array_equal(ours.predict(X), theirs.predict(X))
    names = ["class_count_", "classes_", "n_features_in_"]
    if model is GaussianNB:
        names += ["theta_", "var_", "class_prior_", "epsilon_"]
    else:
        names += ["class_log_prior_"]
        for a, b in zip(ours.feature_log_prob_, theirs.feature_log_prob_, strict=True):
            assert_allclose(a, b, rtol=1e-12)
    if model is CategoricalNB:
        assert_array_equal(ours.n_categories_, theirs.n_categories_)
        for a, b in zip(ours.category_count_, theirs.category_count_, strict=True):
            assert_array_equal(a, b)
    elif model is not GaussianNB:
        names += ["feature_count_"]
    for name in names:
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-12)


@pytest.mark.equation("naive-bayes-gaussian", "naive-bayes-gaussian-mle")
@pytest.mark.parametrize("seed", range(3))
def test_gaussian_by_the_densities_of_scipy(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1, 2], [30, 10, 20]))
    X = rng.normal(size=(60, 2)) * (1 + y)[:, None] + y[:, None]
    model = GaussianNB(var_smoothing=0).fit(X, y)
    joint = np.column_stack([
        np.mean(y == k) * norm(X[y == k].mean(axis=0), X[y == k].std(axis=0)).pdf(X).prod(axis=1) for k in range(3)
    ])  # fmt: skip
    assert_allclose(np.exp(model.predict_joint_log_proba(X)), joint, rtol=1e-10)
    assert_allclose(np.exp(gaussian_scores(X, model.theta_, model.var_, model.class_prior_)), joint, rtol=1e-10)
    smooth = GaussianNB(var_smoothing=0.5).fit(X, y)
    assert_allclose(smooth.var_ - model.var_, 0.5 * X.var(axis=0).max(), rtol=1e-12)
    assert_allclose(smooth.epsilon_, 0.5 * X.var(axis=0).max(), rtol=1e-12)


@pytest.mark.equation("naive-bayes-multinomial", "naive-bayes-assumption")
def test_counts_by_the_multinomial_distribution_of_scipy():
    X, y = problem(4)
    model = MultinomialNB(alpha=0.5).fit(X, y)
    theta = np.array([(X[y == k].sum(axis=0) + 0.5) / (X[y == k].sum() + 2) for k in range(3)])
    joint = np.mean(y[:, None] == [0, 1, 2], axis=0) * np.column_stack(
        [[multinomial(x.sum(), t).pmf(x) for x in X] for t in theta]
    )
    assert_allclose(model.predict_proba(X), joint / joint.sum(axis=1, keepdims=True), rtol=1e-10)


@pytest.mark.equation("naive-bayes-bernoulli")
def test_bernoulli_probabilities_sum_to_one():
    priors, prob = [0.3, 0.7], np.array([[0.1, 0.6, 0.5], [0.9, 0.0, 1.0]])
    every = np.array(list(itertools.product([0, 1], repeat=3)))
    joint = np.exp(bernoulli_scores(every, priors, prob))
    assert_allclose(joint.sum(axis=0), priors, rtol=1e-13)
    assert_allclose(joint[5], [0.3 * 0.1 * 0.4 * 0.5, 0.7 * 0.9 * 1.0 * 1.0], rtol=1e-13)  # the row (1, 0, 1)
    assert_allclose(np.exp(bernoulli_scores(csr_matrix(every), priors, prob)), joint, rtol=1e-13)
    assert_array_equal(np.isneginf(bernoulli_scores(every, [1.0, 0.0], prob[:, :1] * np.ones(3)))[:, 1], [True] * 8)


@pytest.mark.equation("naive-bayes-multinomial-odds", "naive-bayes-bernoulli-odds", "naive-bayes-gaussian-odds")
@pytest.mark.parametrize("seed", range(3))
def test_log_odds_are_the_difference_of_the_scores(seed):
    X, y = problem(seed, K=2)
    for model, odds in [(MultinomialNB, multinomial_log_odds), (BernoulliNB, bernoulli_log_odds)]:
        fit = model().fit(X, y)
        a, b, c = odds(np.exp(fit.feature_log_prob_), np.exp(fit.class_log_prior_))
        features = X if model is MultinomialNB else X > 0
        assert_array_equal(a, 0)
        assert_allclose(features @ b + c, np.diff(fit.predict_joint_log_proba(X))[:, 0], rtol=1e-9, atol=1e-10)
    fit = GaussianNB().fit(X, y)
    a, b, c = gaussian_log_odds(fit.theta_, fit.var_, fit.class_prior_)
    assert_allclose(X**2 @ a + X @ b + c, np.diff(fit.predict_joint_log_proba(X))[:, 0], rtol=1e-9, atol=1e-9)


@pytest.mark.equation("naive-bayes-logistic")
def test_equal_variances_give_a_logistic_posterior():
    means, v, priors = np.array([[1.0, 0.0], [0.0, 3.0]]), np.array([2.0, 0.5]), np.array([0.25, 0.75])
    a, b, c = gaussian_log_odds(means, [v, v], priors)
    assert_array_equal(a, 0)
    x = np.array([0.3, 1.1])
    joint = priors * norm(means, np.sqrt(v)).pdf(x).prod(axis=1)
    assert_allclose(1 / (1 + math.exp(-(b @ x + c))), joint[1] / joint.sum(), rtol=1e-13)
    assert_allclose(b, [-0.5, 6.0], rtol=1e-14)
    assert_allclose(c, 0.25 - 9 + math.log(3), rtol=1e-13)


@pytest.mark.equation("naive-bayes-count")
@pytest.mark.parametrize(("K", "sizes"), [(2, [2, 3]), (3, [4, 2, 2]), (2, [1, 2])])
def test_parameters_are_counted_by_a_list_of_them(K, sizes):
    naive = list(range(K - 1)) + [(k, j, s) for k in range(K) for j, S in enumerate(sizes) for s in range(S - 1)]
    cells = list(itertools.product(range(K), *map(range, sizes)))
    assert parameter_count(K, sizes) == (len(naive), len(cells) - 1)


def test_words_and_their_counts():
    assert words("It's 1787: the People, THE people") == ["it", "s", "the", "people", "the", "people"]
    assert word_counts(["the people", "", "of the of"], ["of", "the"]).tolist() == [[0, 1], [0, 0], [2, 1]]
    assert word_counts([], ["of"]).shape == (0, 1)


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("model", ALL)
@pytest.mark.equation("naive-bayes-merge")
def test_portions_give_what_all_rows_give(model):
    X, y = problem(3, n=90)
    X = X + (1e4 if model is GaussianNB else 0)
    whole, parts = model().fit(X, y), model()
    for rows in np.split(np.arange(90), [1, 20, 50]):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    again = clone(whole).partial_fit(X, y, classes=[2, 1, 0])
    for other in [parts, again]:
        assert_allclose(other.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-8, atol=1e-10)
    assert_array_equal(parts.class_count_, np.bincount(y))
    whole.fit(X[:30], y[:30])  # forgets
    assert whole.class_count_.sum() == 30


@pytest.mark.parametrize("model", ALL)
@given(seed=st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_a_weight_counts_as_repeated_rows(model, seed):
    X, y = problem(seed, n=25)
    weights = np.random.default_rng(seed).integers(0, 4, 25)
    weights[[int(np.flatnonzero(y == k)[0]) for k in range(3)]] = 2
    repeated = np.repeat(np.arange(25), weights)
    options = {} if model is GaussianNB else {"alpha": 0.7}
    if model is CategoricalNB:
        options["min_categories"] = X.max(axis=0) + 1
    a = model(**options).fit(X, y, sample_weight=weights)
    b = model(**options).fit(X[repeated], y[repeated])
    if model is GaussianNB and (b.var_ < 1e-8).any():
        return  # a constant column: the scores are huge
    assert_allclose(a.predict_log_proba(X), b.predict_log_proba(X), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("model", ALL)
def test_order_of_rows_columns_and_memory_does_not_matter(model):
    X, y = problem(5)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(60), rng.permutation(4)
    expected = model().fit(X, y).predict_log_proba(X)
    assert_allclose(model().fit(X[rows], y[rows]).predict_log_proba(X), expected, rtol=1e-10)
    assert_allclose(model().fit(X[:, columns], y).predict_log_proba(X[:, columns]), expected, rtol=1e-10)
    fortran = np.asfortranarray(np.repeat(X, 2, axis=1))[:, ::2]
    assert_allclose(model().fit(fortran, y).predict_log_proba(fortran), expected, rtol=1e-10)
    single = X.astype(np.float32)
    assert_allclose(model().fit(single, y).predict_log_proba(single), expected, rtol=1e-5)


@pytest.mark.parametrize("model", ALL)
def test_column_repeated_counts_double(model):
    X, y = problem(6, d=1)
    options = {"var_smoothing": 0} if model is GaussianNB else {}
    once, twice = (model(**options).fit(Z, y) for Z in (X, np.repeat(X, 2, axis=1)))
    prior = once.class_prior_ if model is GaussianNB else np.exp(once.class_log_prior_)
    evidence = once.predict_joint_log_proba(X) - np.log(prior)
    joint = twice.predict_joint_log_proba(np.repeat(X, 2, axis=1))
    if model is not MultinomialNB:  # there the words of a text share one distribution
        assert_allclose(joint, 2 * evidence + np.log(prior), rtol=1e-9)
    else:
        assert_allclose(joint, X.sum(axis=1, keepdims=True) * 2 * np.log(0.5) + np.log(prior), rtol=1e-9)


@given(
    counts=st.lists(st.integers(0, 50), min_size=2, max_size=6),
    alpha=st.floats(0.01, 100, allow_nan=False),
)
@settings(max_examples=40, deadline=None)
def test_smoothing_shrinks_to_the_uniform_distribution(counts, alpha):
    theta, S = smoothed(counts, alpha), len(counts)
    N = sum(counts)
    assert_allclose(theta.sum(), 1)
    share = N / (N + alpha * S)
    raw = np.array(counts) / N if N else np.zeros(S)
    assert_allclose(theta, share * raw + (1 - share) / S, rtol=1e-10)
    assert Fraction(theta[0]).limit_denominator(10**6) > 0


@pytest.mark.parametrize("model", [MultinomialNB, BernoulliNB])
@pytest.mark.parametrize("alpha", [0, 1, [0.5, 1, 2, 3]])
def test_sparse_rows(model, alpha):
    X, y = problem(7, n=120)
    dense, sparse = model(alpha=alpha).fit(X, y), model(alpha=alpha).fit(csr_matrix(X), y)
    assert_allclose(sparse.predict_log_proba(csr_matrix(X)), dense.predict_log_proba(X), rtol=1e-10)
    negative = BernoulliNB(binarize=-1).fit(csr_matrix(X), y)
    assert_array_equal(negative.feature_count_, np.bincount(y)[:, None] * np.ones(4))
    a = np.broadcast_to(alpha, 4)
    for j in range(4):  # one word after the other
        seen = [(X[y == k] > 0)[:, j].sum() if model is BernoulliNB else X[y == k, j].sum() for k in range(3)]
        all_of = np.bincount(y) + 2 * a[j] if model is BernoulliNB else [X[y == k].sum() + a.sum() for k in range(3)]
        assert_allclose(np.exp(dense.feature_log_prob_[:, j]), (seen + a[j]) / all_of, rtol=1e-12)


@pytest.mark.parametrize("model", [MultinomialNB, BernoulliNB])
def test_sparse_rows_are_never_filled_with_zeros(model):
    n = 10**6  # as many columns as rows: 8 terabytes when filled
    X = csr_matrix((np.ones(n), (np.arange(n), np.arange(n))))
    fit = model().fit(X, np.arange(n) % 2)
    assert_array_equal(fit.predict(X), np.arange(n) % 2)


def test_a_weight_may_be_less_than_one():
    X, y = problem(2)
    fit = GaussianNB().fit(X, y)
    light = GaussianNB().fit(X, y, sample_weight=np.full(60, 1e-3))
    assert_allclose(light.theta_, fit.theta_, rtol=1e-12)
    assert_allclose(light.var_, fit.var_, rtol=1e-10)


def test_binary_features_are_taken_as_they_are():
    X, y = problem(8)
    B = (X > 0).astype(int)
    expected = BernoulliNB().fit(X, y).predict_proba(X)
    for model in [BernoulliNB(binarize=None), BernoulliNB(binarize=0.5)]:
        assert_allclose(model.fit(B, y).predict_proba(B), expected, rtol=1e-12)
        assert_allclose(model.fit(csr_matrix(B), y).predict_proba(csr_matrix(B)), expected, rtol=1e-12)
    assert_allclose(BernoulliNB().fit(0.05 * X, y).predict_proba(0.05 * X), expected, rtol=1e-12)
    assert_array_equal(BernoulliNB(binarize=1).fit(X, y).feature_count_[0], (X[y == 0] > 1).sum(axis=0))


# ----------------------------------------------------------------------------------------------------------- extremes


def test_a_long_text_does_not_underflow():
    model = MultinomialNB().fit([[3, 1], [1, 3]], ["a", "b"])
    proba = model.predict_proba([[50_000, 50_001], [50_001, 50_000], [60_000, 0]])
    assert_allclose(proba[:, 0], [1 / 3, 2 / 3, 1.0], rtol=1e-7)
    assert np.isfinite(model.predict_log_proba([[60_000, 0]])).all()


def test_probability_zero_excludes_a_class():
    model = MultinomialNB(alpha=0).fit([[1, 0], [1, 1]], ["a", "b"])
    assert_array_equal(model.predict_proba([[0, 1], [2, 5]]), [[0, 1], [0, 1]])
    assert_array_equal(model.predict_proba([[0, 0]]), [[0.5, 0.5]])
    assert_array_equal(log_product(csr_matrix([[0, 2], [1, 0]]), [[-np.inf, 0.0]]), [[0.0], [-np.inf]])


def test_gaussian_far_from_zero_keeps_its_digits():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    X = rng.normal(size=(100, 2)) + y[:, None]
    near = GaussianNB(var_smoothing=0).fit(X, y)
    far = GaussianNB(var_smoothing=0).fit(X + 1e7, y)
    assert_allclose(far.var_, near.var_, rtol=1e-7)
    assert_allclose(far.predict_proba(X + 1e7), near.predict_proba(X), rtol=1e-5, atol=1e-9)
    tiny = GaussianNB(var_smoothing=0).fit(X * 1e-120, y)
    assert_allclose(tiny.predict_proba(X * 1e-120), near.predict_proba(X), rtol=1e-9)


def test_gaussian_in_blocks():
    rng = np.random.default_rng(1)
    n = 2 * BLOCK + 5
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 3)) + y[:, None]
    model = GaussianNB(var_smoothing=0).fit(X, y)
    assert_allclose(model.var_[1], X[y == 1].var(axis=0), rtol=1e-12)
    expected = gaussian_scores(X, model.theta_, model.var_, model.class_prior_)
    assert_allclose(model.predict_joint_log_proba(X), expected, rtol=1e-12)


def test_a_class_that_has_not_come_yet_is_never_predicted():
    X, y = problem(9)
    for model in ALL:
        fit = model().partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
        assert_array_equal(fit.predict_proba(X)[:, 2] if model is not CategoricalNB else 0, 0)
        assert set(fit.predict(X[y < 2])) <= {0, 1}
        fit.partial_fit(X[y == 2], y[y == 2])
        assert 2 in fit.predict(X)
    exact = GaussianNB(var_smoothing=0).partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    assert_array_equal(exact.predict_proba(X)[:, 2], 0)
    uniform = MultinomialNB(fit_prior=False).partial_fit([[1, 0], [0, 1]], [0, 1], classes=[0, 1, 2])
    assert_allclose(np.exp(uniform.feature_log_prob_[2]), [0.5, 0.5])  # the mean of the prior


def test_a_class_of_one_row_is_predicted():
    """Its variances are what the smoothing adds, as in scikit-learn."""
    X, y = [[0.0], [1.0], [9.0]], [0, 0, 1]
    found = GaussianNB().fit(X, y).predict_proba([[9.0], [0.5]])
    assert_allclose(found, peer.GaussianNB().fit(X, y).predict_proba([[9.0], [0.5]]), rtol=1e-9)
    assert_allclose(found, [[0, 1], [1, 0]], atol=1e-9)


def test_room_for_categories_that_training_did_not_show():
    X, y = [[0, 0], [1, 1], [1, 0]], [0, 1, 1]
    for least in [3, [3, 2]]:
        model = CategoricalNB(min_categories=least).fit(X, y)
        assert model.n_categories_[0] == 3
        assert_allclose(np.exp(model.feature_log_prob_[0]), [[2 / 4, 1 / 4, 1 / 4], [1 / 5, 3 / 5, 1 / 5]])
        assert_allclose(np.exp(model.predict_joint_log_proba([[2, 0]]))[0, 1],
                        2 / 3 / 5 * (2 / 4 if least != 3 else 2 / 5))  # fmt: skip
    assert CategoricalNB(min_categories=1).fit(X, y).n_categories_.tolist() == [2, 2]


# ------------------------------------------------------------------------------------------------- contract and errors


@pytest.mark.parametrize("model", ALL)
def test_estimator_contract(model):
    whole = "scikit-learn's own data for this check are fractions, which are no categories"
    refused = ["check_sample_weight_equivalence_on_dense_data", "check_classifiers_one_label_sample_weights"]
    expected = dict.fromkeys(refused, whole) if model is CategoricalNB else None
    results = check_estimator(model(), expected_failed_checks=expected, on_fail=None, on_skip=None)
    failed = [r["check_name"] for r in results if r["status"] == "failed"]
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "xfail"} == set(expected or ())
    X, y = problem(1)
    fit = model().fit(X, np.array(["x", "y", "z"])[y])
    assert_array_equal(pickle.loads(pickle.dumps(fit)).predict(X), fit.predict(X))
    key = "var_smoothing" if model is GaussianNB else "alpha"
    chain = make_pipeline(FunctionTransformer(), model())
    search = GridSearchCV(chain, {f"{model.__name__.lower()}__{key}": [0.1, 1.0]}, cv=2, error_score="raise")
    if model is not CategoricalNB:
        assert 0 <= search.fit(X, y).best_score_ <= 1


@pytest.mark.parametrize("model", COUNTING)
def test_bad_smoothing(model):
    X, y = problem(0)
    with pytest.raises(ValueError, match="alpha must not be negative, got -1"):
        model(alpha=-1).fit(X, y)
    if model is not CategoricalNB:  # which takes one number only
        with pytest.raises(ValueError, match="alpha must not be negative, got -1"):
            model(alpha=[1, 2, -1, 3]).fit(X, y)
    with pytest.raises(ValueError, match="alpha must be finite"):
        model(alpha=np.inf).fit(X, y)
    with pytest.raises(TypeError, match="alpha must"):
        model(alpha="one").fit(X, y)
    with pytest.raises(TypeError if model is CategoricalNB else ValueError, match="alpha must"):
        model(alpha=[1, 2]).fit(X, y)
    with pytest.raises(ValueError, match="class_prior must be non-negative and sum to 1"):
        model(class_prior=[0.5, 0.5, 0.5]).fit(X, y)


@pytest.mark.parametrize("model", [MultinomialNB, CategoricalNB])
def test_negative_counts(model):
    X, y = problem(0)
    fit = model().fit(X, y)
    with pytest.raises(ValueError, match="Negative values in data passed to"):
        model().fit(X - 1, y)
    with pytest.raises(ValueError, match="Negative values"):
        fit.predict(X - 1)


def test_unseen_category_and_no_category():
    model = CategoricalNB().fit([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(ValueError, match=r"X\[1, 0\] is the unseen category 7: feature 0 had 2 categories"):
        model.predict([[0, 0], [7, 0]])
    with pytest.raises(ValueError, match=r"category numbers, whole numbers from 0 upwards, got 0\.5"):
        model.predict([[0.5, 0]])
    with pytest.raises(ValueError, match=r"min_categories must be a number or hold 2, got shape \(3,\)"):
        CategoricalNB(min_categories=[2, 2, 2]).fit([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(ValueError, match="min_categories must hold counts"):
        CategoricalNB(min_categories=-1).fit([[0, 1], [1, 0]], [0, 1])


@pytest.mark.parametrize("model", ALL)
def test_class_without_samples(model):
    X, y = problem(0)
    with pytest.raises(ValueError, match="class 2 has no samples: its sample_weight is 0 throughout"):
        model().fit(X, y, sample_weight=y != 2)
    with pytest.raises(ValueError, match="at least two classes, got 1 class"):
        model().fit(X, np.zeros(60))
    options = {"priors": [0.2, 0.3, 0.5]} if model is GaussianNB else {"alpha": 0}
    with pytest.raises(ValueError, match="class 2 has no samples"):
        model(**options).partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2]).predict(X)
    with pytest.raises(ValueError, match="Sample weights must contain at least one non-zero number"):
        model().partial_fit(X, y, classes=[0, 1, 2], sample_weight=np.zeros(60))
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        model().fit(X, y, sample_weight=-np.ones(60))


def test_pseudo_counts_of_some_words_only():
    # one is enough for a distribution of words, a word that is present or absent needs its own
    some = MultinomialNB(alpha=[0, 1]).partial_fit([[1, 1]], ["a"], classes=["a", "b"])
    assert_array_equal(np.exp(some.feature_log_prob_), [[1 / 3, 2 / 3], [0, 1]])
    with pytest.raises(ValueError, match="class b has no samples with a count above 0"):
        BernoulliNB(alpha=[0, 1]).partial_fit([[1, 1]], ["a"], classes=["a", "b"])


def test_texts_without_words_have_no_estimate_without_smoothing():
    with pytest.raises(ValueError, match="class b has no samples with a count above 0: with alpha = 0"):
        MultinomialNB(alpha=0).fit([[1, 2], [0, 0]], ["a", "b"])


@pytest.mark.parametrize("model", ALL)
def test_labels_of_partial_fit(model):
    X, y = problem(0)
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        model().partial_fit(X, y)
    with pytest.raises(ValueError, match=r"y has labels that are not in classes=\[0, 1\]"):
        model().partial_fit(X, y, classes=[0, 1])
    fit = model().partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="is not the same as on last call"):
        fit.partial_fit(X, y, classes=[0, 1])
    fit.partial_fit(X, y, classes=[2, 1, 0])


@pytest.mark.parametrize("model", COUNTING)
def test_row_that_no_class_can_have(model):
    fit = model(alpha=0).fit([[1, 0, 1], [0, 1, 1]], ["a", "b"])
    with pytest.raises(ValueError, match="row 1 of X has probability 0 in every class: fit with alpha > 0"):
        fit.predict([[1, 0, 1], [1, 1, 1]])


def test_variance_of_zero():
    X, y = np.array([[1.0, 0.1], [2.0, 0.1], [3.0, 0.1], [5.0, 0.4]] * 3), [0, 0, 0, 1] * 3
    with pytest.raises(ValueError, match=r"column 1 is constant in class 0: remove it, or set var_smoothing > 0"):
        GaussianNB(var_smoothing=0).fit(X, y)
    assert GaussianNB().fit(X, y).predict([[2.0, 0.1]]) == [0]
    with pytest.raises(ValueError, match="column 0 is constant in class 0"):
        GaussianNB().fit(np.ones((4, 1)), [0, 0, 1, 1])
    with pytest.raises(ValueError, match="column 0 is constant in class 0"):
        GaussianNB().partial_fit([[1.0]], [0], classes=[0, 1]).predict([[1.0]])
    with pytest.raises(ValueError, match="var_smoothing must be finite and at least 0"):
        GaussianNB(var_smoothing=-1).fit(X, y)
    with pytest.raises(ValueError, match="squares of X overflow"):
        GaussianNB().fit(np.array([[1e200], [-1e200], [0.0], [1.0]]), [0, 0, 1, 1])
    with pytest.raises(ValueError, match="priors must be non-negative and sum to 1"):
        GaussianNB(priors=[0.5, 0.6]).fit(X, y)


def test_binarize_is_checked():
    with pytest.raises(ValueError, match="X must hold 0 and 1 only with binarize=None"):
        BernoulliNB(binarize=None).fit([[2, 0], [0, 1]], [0, 1])
    with pytest.raises(TypeError, match="binarize must be a number"):
        BernoulliNB(binarize="half").fit([[2, 0], [0, 1]], [0, 1])


def test_bad_input_of_the_steps():
    half = [0.5, 0.5]
    for call, error, text in [
        (lambda: smoothed([1, -2]), ValueError, "counts must not be negative, got -2"),
        (lambda: smoothed([[1, 1], [0, 0]], 0), ValueError, r"row \[1\] of counts is all zero"),
        (lambda: smoothed(3.0), ValueError, "counts must hold a row of numbers"),
        (lambda: smoothed([]), ValueError, "counts must hold a row of numbers"),
        (lambda: smoothed([1, 2], [1, 2, 3]), ValueError, "alpha must be a number or hold 2 numbers"),
        (lambda: category_table([0, 3], [0, 1], 2, 3), ValueError, r"x must lie in 0..2"),
        (lambda: category_table([0, 1], [0, 2], 2, 3), ValueError, r"codes must lie in 0..1"),
        (lambda: category_table([0], [0], 2, 0), ValueError, "n_categories must be at least 1"),
        (lambda: log_product(np.ones((1, 3)), np.zeros((2, 2))), ValueError, r"X has 3 columns, log_prob has shape"),
        (lambda: bernoulli_scores(np.ones((1, 1)), half, [[0.5], [1.5]]), ValueError, "prob must hold probabilities"),
        (lambda: bernoulli_scores(np.ones((1, 1)), [1, 1], [[0.5], [0.5]]), ValueError, "priors must be"),
        (
            lambda: gaussian_scores([[1.0]], [[0.0], [1.0]], [[1.0], [0.0]], half),
            ValueError,
            "variances must be pos.*, got 0",
        ),
        (lambda: gaussian_scores([[1.0, 2.0]], [[0.0], [1.0]], [[1.0], [1.0]], half), ValueError, "X must have shape"),
        (lambda: multinomial_log_odds([half, [1.0, 0.0]], half), ValueError, "row 1 of prob must be positive"),
        (lambda: multinomial_log_odds([half], half), ValueError, r"prob must have shape \(2, d\)"),
        (lambda: bernoulli_log_odds([[0.5], [1.0]], half), ValueError, "prob must lie between 0 and 1"),
        (lambda: bernoulli_log_odds([[0.5], [0.0]], half), ValueError, "prob must lie between 0 and 1"),
        (lambda: gaussian_log_odds([[0.0]], [[1.0]], [1.0]), ValueError, r"means must have shape \(2, d\)"),
        (lambda: gaussian_log_odds([[0.0], [1.0]], [[1.0], [1.0]], [1, 0]), ValueError, "priors must be positive"),
        (lambda: parameter_count(2, [0, 2]), ValueError, "n_categories must be at least 1 for each feature"),
        (lambda: parameter_count(2, [1.5]), ValueError, "n_categories must hold counts"),
        (lambda: parameter_count(0, [2]), ValueError, "n_classes must be at least 1"),
        (lambda: word_counts("one text", ["one"]), TypeError, "texts must be several texts"),
        (lambda: word_counts(["a"], ["a", "a"]), ValueError, "vocabulary must hold different words"),
        (lambda: word_counts(["a"], []), ValueError, "vocabulary must hold different words"),
    ]:
        with pytest.raises(error, match=text):
            call()


def test_category_tables_count_pairs():
    x, codes = np.array([0, 2, 2, 1]), np.array([1, 1, 0, 1])
    table = category_table(x, codes, 3, 4)
    assert table.tolist() == [[0, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]
    assert_allclose(gaussian_scores([[0.0]], [[0.0], [0.0]], [[1.0], [1.0]], [1.0, 0.0])[0, 1], -np.inf)
