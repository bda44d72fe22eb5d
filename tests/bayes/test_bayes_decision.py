"""Bayesian decision theory: textbook numbers, independent routes, laws, extremes, errors."""

import pickle
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.optimize import linprog, minimize_scalar
from scipy.stats import multivariate_normal, norm
from sklearn.base import clone
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.bayes.bayes_decision import (
    REJECT,
    BayesClassifier,
    GaussianDensity,
    bayes_regions,
    binormal_auc,
    binormal_roc,
    chernoff_coefficient,
    chow_reject,
    error_bounds,
    error_reject_curve,
    gaussian_chernoff_coefficient,
    likelihood_ratio_roc,
    likelihood_threshold,
    log_posterior,
    minimax_test,
    minimum_risk_action,
    neyman_pearson,
)
from notes_lib.datasets import load_iris

COST = [[0.5, 3.0], [7.0, 1.0]]


def two_distributions(seed, m=6):
    """Two distributions of m values, of which one is impossible in class 0 and another one in class 1."""
    p, q = np.random.default_rng(seed).dirichlet(np.ones(m), size=2)
    p[0], q[1] = 0.0, 0.0
    return p / p.sum(), q / q.sum()


def posteriors(seed, n=40, K=3):
    return np.random.default_rng(seed).dirichlet(np.full(K, 0.7), size=n)


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("bayes-decision-log-posterior", "bayes-decision-minimum-error", "bayes-decision-minimum-risk")
def test_cells_that_look_normal_and_are_dear_to_miss():
    # Bian and Zhang (2000), Pattern Recognition, Tsinghua University Press, chapter 2: posteriors 0.818 and 0.182,
    # risks 1.092 and 0.818, so that the costs turn the decision round
    P = np.exp(log_posterior(np.log([[0.2, 0.4]]), [0.9, 0.1]))
    assert_allclose(P, [[0.818, 0.182]], atol=5e-4)
    assert minimum_risk_action(P).chosen == [0]
    action = minimum_risk_action(P, [[0, 1], [6, 0]])
    assert action.chosen == [1]
    assert_allclose(action.risk, [0.818], atol=5e-4)
    assert_allclose(P @ [[0, 1], [6, 0]], [[1.092, 0.818]], atol=2e-3)


@pytest.mark.equation("bayes-decision-log-posterior")
def test_parabola_between_two_gaussians():
    # Duda, Hart and Stork (2001), section 2.6, example 1: x2 = 3.514 - 1.125 x1 + 0.1875 x1^2
    x = np.linspace(-4, 10, 15)
    border = np.column_stack([x, 3.514 - 1.125 * x + 0.1875 * x**2])
    classes = [multivariate_normal([3, 6], np.diag([0.5, 2])), multivariate_normal([3, -2], np.diag([2.0, 2]))]
    found = log_posterior(np.column_stack([c.logpdf(border) for c in classes]), [0.5, 0.5])
    assert_allclose(found[:, 0] - found[:, 1], 0, atol=0.01)


@pytest.mark.equation("bayes-decision-chernoff-gaussian", "bayes-decision-bhattacharyya")
def test_bhattacharyya_of_the_same_two_gaussians():
    # by hand: 64 / 2 / 8 + ln(2.5 / 2) / 2
    means, covariances = [[3, 6], [3, -2]], [np.diag([0.5, 2]), np.diag([2.0, 2])]
    bounds = error_bounds(lambda s: gaussian_chernoff_coefficient(means, covariances, s), [0.5, 0.5])
    assert_allclose(bounds.bhattacharyya, 0.5 * np.exp(-4 - np.log(1.25) / 2), rtol=1e-12)


@pytest.mark.equation("bayes-decision-threshold")
def test_threshold_by_hand():
    assert_allclose(likelihood_threshold([0.75, 0.25]), 3)
    assert_allclose(likelihood_threshold([0.75, 0.25], COST), 3 * 2.5 / 6)


@pytest.mark.equation("bayes-decision-binormal", "bayes-decision-binormal-auc")
def test_two_gaussians_one_deviation_apart():
    # the tables of signal detection: d' = 1 gives an area of 0.76, and 16 % false alarms go with 50 % detected
    assert_allclose(binormal_roc(norm.sf(1), [0, 1], [1, 1]), 0.5)
    assert_allclose(binormal_auc([0, 1], [1, 1]), norm.cdf(1 / np.sqrt(2)))


# ------------------------------------------------------------------------------------------------------------- oracle


def at(x, xs, ps):
    """Value of a polyline without jumps inside, 0 outside."""
    return np.interp(x, xs, ps, left=0, right=0)


def random_densities(seed, K):
    rng = np.random.default_rng(seed)
    lines = []
    for _ in range(K):
        x = np.sort(rng.uniform(0, 4, size=5))
        p = rng.uniform(0.1, 1, size=5)
        lines.append((x, p / np.sum((p[1:] + p[:-1]) / 2 * np.diff(x))))
    return lines, rng.dirichlet(np.ones(K))


@pytest.mark.equation("bayes-decision-risk-regions", "bayes-decision-bayes-error")
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_regions_by_quadrature(seed, K):
    lines, pi = random_densities(seed, K)
    cost = np.random.default_rng(seed).uniform(0, 3, size=(K, K + 1))
    for C in (None, cost):
        table = 1 - np.eye(K) if C is None else C
        found = bayes_regions(lines, pi, C)
        joint = lambda x: np.array([w * at(x, *line) for w, line in zip(pi, lines, strict=True)])
        least = lambda x, joint=joint, table=table: (joint(x) @ table).min()
        places = np.unique(np.concatenate([found.borders, *(x for x, _ in lines)]))
        assert_allclose(found.risk, sum(quad(least, a, b)[0] for a, b in pairwise(places)))
        for j, a in enumerate(found.actions):
            x = np.linspace(*found.borders[j : j + 2], 9)[1:-1]
            chosen = np.array([(joint(v) @ table) for v in x])
            assert_allclose(chosen[:, a], chosen.min(axis=1), atol=1e-12)
        assert_allclose(found.masses.sum(axis=1), pi)
        assert (np.diff(found.actions) != 0).all()
    assert_allclose(bayes_regions(lines, pi).risk, 1 - found_right(bayes_regions(lines, pi)))


def found_right(regions):
    return sum(regions.masses[a, j] for j, a in enumerate(regions.actions))


def test_regions_with_jumps():
    # uniform on (0, 2), and 1/4 on (1, 2), 3/4 on (2, 3): the border is the jump, each side by hand
    uniform, steps = ([0, 2], [0.5, 0.5]), ([1, 2, 2, 3], [0.25, 0.25, 0.75, 0.75])
    found = bayes_regions([uniform, steps], [0.5, 0.5])
    assert found.borders.tolist() == [0, 2, 3]
    assert found.actions.tolist() == [0, 1]
    assert_allclose(found.masses, [[0.5, 0], [0.125, 0.375]])
    assert_allclose(found.risk, 0.125)
    assert bayes_regions([uniform, steps], [0.2, 0.8]).borders.tolist() == [0, 1, 3]


@pytest.mark.equation("bayes-decision-roc")
@pytest.mark.parametrize("seed", range(3))
def test_no_set_of_values_lies_above_the_polygon(seed):
    p, q = two_distributions(seed)
    roc = likelihood_ratio_roc(p, q)
    assert (np.diff(roc.ratios) < 0).all()
    sets = np.array(list(product([0, 1], repeat=6)))
    F, D = sets @ p, sets @ q
    inner = roc.false_alarm > 0
    reached = np.interp(F, roc.false_alarm[inner], roc.detection[inner])
    assert (np.maximum(reached, roc.detection[1]) + 1e-12 >= D).all()
    for f, d in zip(roc.false_alarm, roc.detection, strict=True):
        assert np.min(np.hypot(F - f, D - d)) < 1e-12


@pytest.mark.equation("bayes-decision-test", "bayes-decision-problem")
@pytest.mark.parametrize("alpha", [0.0, 0.05, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_neyman_pearson_by_linear_programming(seed, alpha):
    p, q = two_distributions(seed)
    best = linprog(-q, A_ub=[p], b_ub=[alpha], bounds=[(0, 1)] * 6)
    test = neyman_pearson(p, q, alpha)
    assert_allclose(test.detection, -best.fun, atol=1e-9)
    assert_allclose([p @ test.decide, q @ test.decide], [test.false_alarm, test.detection], atol=1e-12)
    assert_allclose(test.false_alarm, alpha, atol=1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = q / p
    assert_array_equal(test.decide[ratio > test.threshold * (1 + 1e-9)], 1)
    assert_array_equal(test.decide[ratio < test.threshold * (1 - 1e-9)], 0)


@pytest.mark.equation("bayes-decision-minimax", "bayes-decision-equaliser", "bayes-decision-risk-line")
@pytest.mark.parametrize("cost", [None, COST, [[0, 1], [20, 0]]])
@pytest.mark.parametrize("seed", range(3))
def test_minimax_by_linear_programming(seed, cost):
    p, q = two_distributions(seed)
    C = np.array([[0, 1], [1, 0]] if cost is None else cost, dtype=float)
    # variables: the six probabilities of deciding 1, and the larger risk
    rows = [[*((C[0, 1] - C[0, 0]) * p), -1], [*((C[1, 1] - C[1, 0]) * q), -1]]
    best = linprog([0] * 6 + [1], A_ub=rows, b_ub=[-C[0, 0], -C[1, 0]], bounds=[(0, 1)] * 6 + [(None, None)])
    found = minimax_test(p, q, cost)
    assert_allclose(found.risk, best.fun, atol=1e-9)
    own = [
        C[0, 0] + (C[0, 1] - C[0, 0]) * (p @ found.test.decide),
        C[1, 0] + (C[1, 1] - C[1, 0]) * (q @ found.test.decide),
    ]
    assert_allclose(own, [found.risk] * 2, atol=1e-9)
    grid = np.linspace(0, 1, 2001)

    def bayes(pi_1):
        return np.minimum.reduce(
            [(1 - pi_1) * np.outer(p, C[0])[:, a] + pi_1 * np.outer(q, C[1])[:, a] for a in (0, 1)]
        ).sum()

    assert max(bayes(w) for w in grid) <= found.risk + 1e-12
    assert_allclose(bayes(found.priors[1]), found.risk, atol=1e-9)


def test_minimax_where_one_class_is_dearer_under_every_test():
    p, q = [0.5, 0.5], [0.2, 0.8]
    found = minimax_test(p, q, [[5, 6], [1, 0]])  # class 0 costs at least 5: never decide 1
    assert_allclose([found.test.false_alarm, found.risk], [0, 5])
    assert_allclose(minimax_test(p, q, [[0, 1], [6, 5]]).test.detection, 1)


@pytest.mark.equation("bayes-decision-chernoff", "bayes-decision-chernoff-gaussian")
@pytest.mark.parametrize("s", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_coefficients_by_quadrature(s):
    p, q = two_distributions(1)
    by_hand = sum(a ** (1 - s) * b**s for a, b in zip(p, q, strict=True) if a * b > 0)
    assert_allclose(chernoff_coefficient(p, q, s), by_hand)
    (m, n), (v, w) = (1.0, -0.5), (0.7, 2.0)
    overlap = lambda x: norm.pdf(x, m, v) ** (1 - s) * norm.pdf(x, n, w) ** s
    found = gaussian_chernoff_coefficient([[m], [n]], [[[v**2]], [[w**2]]], s)
    assert_allclose(found, quad(overlap, -12, 12, points=[m, n])[0], rtol=1e-8)


def test_gaussian_coefficient_in_two_dimensions():
    first = multivariate_normal([0, 0], [[1.0, 0.4], [0.4, 2.0]])
    second = multivariate_normal([1, 2], [[2.0, -0.3], [-0.3, 0.8]])
    axis = np.linspace(-12, 12, 481)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1)
    for s in (0.3, 0.7):
        total = (first.pdf(grid) ** (1 - s) * second.pdf(grid) ** s).sum() * 0.05**2
        covariances = [first.cov_object.covariance, second.cov_object.covariance]
        assert_allclose(gaussian_chernoff_coefficient([[0, 0], [1, 2]], covariances, s), total, rtol=1e-9)


@pytest.mark.equation("bayes-decision-chernoff-bound", "bayes-decision-lower-bound", "bayes-decision-bhattacharyya")
@pytest.mark.parametrize("seed", range(5))
def test_bounds_hold_the_error_between_them(seed):
    p, q = np.random.default_rng(seed).dirichlet(np.ones(5), size=2)
    pi = np.random.default_rng(seed + 100).dirichlet([2, 2])
    error = np.minimum(pi[0] * p, pi[1] * q).sum()
    found = error_bounds(lambda s: chernoff_coefficient(p, q, s), pi)
    assert found.lower <= error <= found.chernoff <= found.bhattacharyya
    bound = lambda s: sum(pi[0] ** (1 - s) * pi[1] ** s * p ** (1 - s) * q**s)
    best = minimize_scalar(bound, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    assert_allclose(found.chernoff, best.fun, rtol=1e-8)
    assert_allclose(found.s, best.x, atol=1e-4)
    u = np.sqrt(pi[0] * pi[1]) * np.sqrt(p * q).sum()
    assert_allclose([found.bhattacharyya, found.lower], [u, (1 - np.sqrt(1 - 4 * u**2)) / 2])


def test_lower_bound_is_reached_where_every_posterior_is_the_same_doubt():
    # symmetric: the posterior is 0.2 or 0.8 everywhere
    found = error_bounds(lambda s: chernoff_coefficient([0.8, 0.2], [0.2, 0.8], s), [0.5, 0.5])
    assert_allclose(found.lower, 0.2)


@pytest.mark.equation("bayes-decision-binormal", "bayes-decision-binormal-auc")
def test_curve_of_two_gaussians_from_thresholds():
    means, scales = [0.3, 1.9], [0.8, 1.7]
    t = np.linspace(-3, 5, 31)
    assert_allclose(binormal_roc(norm.sf(t, 0.3, 0.8), means, scales), norm.sf(t, 1.9, 1.7), rtol=1e-9)
    area = quad(lambda f: float(binormal_roc(f, means, scales)), 0, 1)[0]
    assert_allclose(binormal_auc(means, scales), area, rtol=1e-7)


@pytest.mark.equation("bayes-decision-chow", "bayes-decision-rates")
def test_curve_by_rejecting_at_every_threshold():
    P = posteriors(3)
    P[5] = P[6] = P[7]  # a tie
    y = np.random.default_rng(0).integers(0, 3, size=40)
    w = np.random.default_rng(1).dirichlet(np.ones(40))
    for truth, weights in [(y, None), (y, w), (None, w), (None, None)]:
        share = np.full(40, 1 / 40) if weights is None else weights
        curve = error_reject_curve(P, truth, weights)
        assert len(curve.thresholds) == 38
        for t, reject, error in zip(*curve, strict=True):
            chosen = chow_reject(P, t)
            kept = chosen != REJECT
            wrong = 1 - P.max(axis=1) if truth is None else chosen != truth
            assert_allclose(reject, share[~kept].sum(), atol=1e-12)
            assert_allclose(error, share[kept] @ wrong[kept], atol=1e-12)


@pytest.mark.equation("bayes-decision-tradeoff")
def test_error_is_what_the_rejected_would_have_cost():
    # with the true posterior: E(t) = - integral of t dR, here a sum over the steps of R
    curve = error_reject_curve(posteriors(4, n=200))
    gained = -np.diff(np.r_[1.0, curve.reject])
    assert_allclose(curve.error, np.cumsum(curve.thresholds * gained), atol=1e-12)


@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_gaussian_classifier_is_quadratic_discriminant_analysis(priors):
    X, y = load_iris().X, load_iris().y
    model = BayesClassifier(priors=priors).fit(X, y)
    peer = QuadraticDiscriminantAnalysis(solver="eigen", priors=priors).fit(X, y)  # covariances with divisor n
    assert_allclose(model.predict_proba(X), peer.predict_proba(X), rtol=1e-7, atol=1e-12)
    assert_allclose(model.predict_log_proba(X), np.log(model.predict_proba(X)), atol=1e-9)
    assert_array_equal(model.predict(X), peer.predict(X))


def test_any_density_may_stand_for_the_classes():
    X, y = load_iris().X[:, :2], load_iris().y
    model = BayesClassifier(KernelDensity(bandwidth=0.3)).fit(X, y)
    scores = np.column_stack([KernelDensity(bandwidth=0.3).fit(X[y == k]).score_samples(X) for k in range(3)])
    assert_array_equal(model.predict(X), scores.argmax(axis=1))
    grid = GridSearchCV(model, {"density__bandwidth": [0.1, 0.5]}, cv=3).fit(X, y)
    assert grid.best_score_ > 0.6


def test_costs_and_priors_move_the_decision():
    X, y = load_iris().X, load_iris().y
    cost = np.array([[0, 1, 1], [1, 0, 1], [1, 30, 0]])  # class 2 taken for class 1 is dear
    plain, dear = (BayesClassifier(cost=c).fit(X, y) for c in (None, cost))
    assert_array_equal(dear.predict(X), (plain.predict_proba(X) @ cost).argmin(axis=1))
    assert (dear.predict(X) == 2).sum() > (plain.predict(X) == 2).sum()
    assert_allclose(plain.priors_, [1 / 3] * 3)


@pytest.mark.parametrize("model", [BayesClassifier(), GaussianDensity()])
def test_estimator_contract(model):
    check_estimator(model, on_skip=None)
    X, y = load_iris().X, load_iris().y
    fit = clone(model).fit(X, y)
    again = pickle.loads(pickle.dumps(fit))
    if isinstance(model, GaussianDensity):
        assert_array_equal(again.score_samples(X), fit.score_samples(X))
        assert_allclose(fit.score(X), multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True)).logpdf(X).sum())
    else:
        assert_array_equal(again.predict_proba(X), fit.predict_proba(X))
        assert make_pipeline(StandardScaler(), model).fit(X, y).score(X, y) > 0.95


# --------------------------------------------------------------------------------------------------------------- laws

cells = st.lists(st.integers(0, 9), min_size=2, max_size=7).filter(lambda v: sum(v) > 0)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 0.6))
def test_rejection_is_one_more_action(seed, t):
    P = posteriors(seed, n=30)
    with_column = np.column_stack([1 - np.eye(3), np.full(3, t)])
    action = minimum_risk_action(P, with_column)
    assert_array_equal(np.where(action.chosen == 3, REJECT, action.chosen), chow_reject(P, t))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.05, 0.95))
@pytest.mark.equation("bayes-decision-likelihood-ratio")
def test_the_ratio_rule_is_the_rule_of_least_risk(seed, pi_1):
    rng = np.random.default_rng(seed)
    p, q = rng.uniform(0.05, 1, size=(2, 20))
    P = np.exp(log_posterior(np.log(np.column_stack([p, q])), [1 - pi_1, pi_1]))
    assert_array_equal(q / p > likelihood_threshold([1 - pi_1, pi_1], COST), minimum_risk_action(P, COST).chosen)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_one_curve_holds_all_three_rules(seed):
    """A Bayes rule, Neyman and Pearson's and the minimax rule are points of one concave polygon."""
    p, q = two_distributions(seed)
    roc = likelihood_ratio_roc(p, q)
    steps = np.diff(roc.detection) - 1e-12, np.diff(roc.false_alarm)
    assert (steps[0][:-1] * steps[1][1:] >= steps[0][1:] * steps[1][:-1] - 1e-9).all()
    assert_allclose([roc.false_alarm[-1], roc.detection[-1]], 1)
    alpha = minimax_test(p, q, COST).test.false_alarm
    assert_allclose(neyman_pearson(p, q, min(alpha, 1.0)).detection, minimax_test(p, q, COST).test.detection, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(-5, 5))
def test_a_constant_for_each_truth_changes_no_decision(seed, shift):
    P = posteriors(seed)
    C = np.random.default_rng(seed).uniform(0, 4, size=(3, 4))
    moved = C + np.array([[shift], [0], [-shift]])
    assert_array_equal(minimum_risk_action(P, C).chosen, minimum_risk_action(P, moved).chosen)


# ----------------------------------------------------------------------------------------------------------- extremes


def test_densities_too_small_for_a_float():
    found = log_posterior([[-1e8, -1e8 - 2], [-np.inf, -5000.0]], [0.5, 0.5])
    assert_allclose(found[0], np.log([1 / (1 + np.exp(-2)), 1 / (1 + np.exp(2))]), rtol=1e-6)
    assert_array_equal(found[1], [-np.inf, 0])
    assert_array_equal(log_posterior([[-3.0, -1.0]], [1.0, 0.0]), [[0, -np.inf]])


def test_a_row_far_from_all_classes_still_has_a_posterior():
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = BayesClassifier().fit(X, np.arange(60) % 2)
    P = model.predict_proba([[1e6, -1e6]])
    assert_allclose(P.sum(), 1)
    assert model.predict([[1e6, -1e6]]) in (0, 1)


def test_no_overlap_no_error_and_no_difference_no_knowledge():
    apart = bayes_regions([([0, 1], [1, 1]), ([2, 3], [1, 1])], [0.3, 0.7])
    assert apart.risk == 0
    assert apart.borders.tolist() == [0, 2, 3]  # between them nothing happens, and the first action is taken
    same = ([0, 1], [1, 1])
    assert_allclose(bayes_regions([same, same], [0.3, 0.7]).risk, 0.3)
    assert chernoff_coefficient([1, 0], [0, 1]) == 0
    assert_allclose(error_bounds(lambda s: chernoff_coefficient([1, 0], [1, 0], s), [0.5, 0.5])[:3], 0.5)
    assert_allclose(minimax_test([1.0, 0.0], [0.0, 1.0]).risk, 0)
    roc = likelihood_ratio_roc([0.5, 0.5, 0], [0.5, 0.5, 0])
    assert roc.false_alarm.tolist() == [0, 1]
    assert roc.side.tolist() == [0, 0, 1]


@pytest.mark.equation("bayes-decision-roc")
def test_rounded_probabilities_still_end_at_one():
    """With nine digits a third taken three times is less than 1; the polygon must not stop short of its corner."""
    thirds = np.full(3, 0.333333333)
    roc = likelihood_ratio_roc(thirds, [0.1, 0.3, 0.6])
    assert_allclose([roc.false_alarm[-1], roc.detection[-1]], 1, rtol=1e-15)
    assert_allclose(roc.false_alarm, [0, 1 / 3, 2 / 3, 1], rtol=1e-15)


def test_nobody_is_rejected_where_rejection_costs_more_than_guessing():
    P = posteriors(0)
    assert (chow_reject(P, 2 / 3) != REJECT).all()
    assert (chow_reject(P, 0.0) == REJECT).all()


# ------------------------------------------------------------------------------------------------------------- errors

GOOD = [[0.5, 0.5]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: log_posterior([[0.0, 0.0]], [0.5, 0.6]), "priors must be non-negative and sum to 1"),
        (lambda: log_posterior([[0.0, 0.0]], [1.0]), r"log_density must be \(n, K\)"),
        (lambda: log_posterior([0.0, 0.0], [0.5, 0.5]), r"log_density must be \(n, K\)"),
        (lambda: log_posterior([[0.0, 0.0]], GOOD), r"log_density must be \(n, K\)"),
        (lambda: log_posterior([[np.nan, 0.0]], [0.5, 0.5]), "not NaN"),
        (lambda: log_posterior([[np.inf, 0.0]], [0.5, 0.5]), "below infinity"),
        (lambda: log_posterior([[0.0, 0.0], [-np.inf, -np.inf]], [0.5, 0.5]), "row 1 of log_density has density 0"),
        (lambda: log_posterior([[0.0, -np.inf]], [0.0, 1.0]), "row 0 of log_density has density 0"),
        (lambda: minimum_risk_action([[0.5, 0.6]]), "row 0 of posterior"),
        (lambda: minimum_risk_action(GOOD, [[0, 1]]), "cost must have shape"),
        (lambda: likelihood_threshold([1.0, 0.0]), "priors must be positive"),
        (lambda: likelihood_threshold([0.5, 0.5], [[1, 1], [5, 0]]), "cost must charge a wrong decision more"),
        (lambda: likelihood_threshold([0.5, 0.5], [[0, 1], [0, 0]]), "cost must charge a wrong decision more"),
        (lambda: likelihood_threshold([0.5, 0.5], [[0, 1, 2], [5, 0, 2]]), "cost"),
        (lambda: chow_reject(GOOD, 1.5), "reject_cost must be from 0 to 1"),
        (lambda: chow_reject(GOOD, -0.1), "reject_cost"),
        (lambda: chow_reject([0.5, 0.5], 0.1), r"posterior must be an \(n, K\) array"),
        (lambda: error_reject_curve([[0.5, 0.5]], [2]), "y_true must lie in 0..1"),
        (lambda: error_reject_curve([[0.5, 0.5]], [0, 1]), "y_true must be 1 integers"),
        (lambda: error_reject_curve([[0.5, 0.5]], None, [0.5]), "weights must be non-negative and sum to 1"),
        (lambda: likelihood_ratio_roc([0.5, 0.6], [0.5, 0.5]), "null must be non-negative and sum to 1"),
        (lambda: likelihood_ratio_roc([0.5, 0.5], [1.0]), r"alternative must have shape \(2,\)"),
        (lambda: likelihood_ratio_roc(GOOD, GOOD), "null must be a vector"),
        (lambda: neyman_pearson([0.5, 0.5], [0.1, 0.9], 1.1), "alpha must be a probability"),
        (lambda: neyman_pearson([0.5, 0.5], [0.1, 0.9], -0.1), "alpha"),
        (lambda: minimax_test([0.5, 0.5], [0.1, 0.9], [[0, 0], [1, 0]]), "cost must charge"),
        (lambda: bayes_regions([([0, 1], [1, 2])], [1.0]), "density 0 must integrate to 1, it gives 1.5"),
        (lambda: bayes_regions([([1, 0], [1, 1])], [1.0]), "x of density 0 must not fall"),
        (lambda: bayes_regions([([0, 1, 2], [-1, 2, 1])], [1.0]), "p of density 0 must not be negative"),
        (lambda: bayes_regions([([0, 1], [1, 1, 1])], [1.0]), "p of density 0"),
        (lambda: bayes_regions([([0, 1], [1, 1])] * 2, [1.0]), "priors must have shape"),
        (lambda: bayes_regions([([0, 1], [1, 1])] * 2, [0.5, 0.5], [[1, 0]]), "cost"),
        (lambda: binormal_roc([1.2], [0, 1], [1, 1]), "false_alarm must hold probabilities"),
        (lambda: binormal_roc([-0.2], [0, 1], [1, 1]), "false_alarm must hold probabilities"),
        (lambda: binormal_auc([0, 1], [1, 0]), "scales must hold positive"),
        (lambda: chernoff_coefficient([0.5, 0.5], [0.1, 0.9], 1.2), "s must be from 0 to 1"),
        (lambda: chernoff_coefficient([0.5, 0.5], [1.0], 0.5), "alternative must have shape"),
        (lambda: gaussian_chernoff_coefficient([[0.0], [1.0]], [[[1.0]], [[0.0]]]), "not positive definite"),
        (lambda: gaussian_chernoff_coefficient([[0.0], [1.0]], [[[1.0]]]), "covariances"),
        (lambda: gaussian_chernoff_coefficient([[0.0], [1.0]], [[[1.0]], [[1.0]]], -1), "s must"),
        (lambda: error_bounds(lambda s: 1.0, [1.0, 0.0]), "priors must be positive"),
        (lambda: BayesClassifier().fit([[0.0], [1.0], [5.0]], [0, 0, 1]), "class 1: Found array with 1 sample"),
        (lambda: BayesClassifier().fit([[0.0], [1.0]], [0, 0]), "at least two classes"),
        (lambda: BayesClassifier(priors=[1.0]).fit([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]), "priors"),
        (lambda: BayesClassifier(cost=[[0, 1]]).fit([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]), "cost"),
        (lambda: GaussianDensity().fit([[1.0], [1.0]]), "column 0 is constant"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
