"""Loss and risk: published numbers, independent routes, laws, extremes, errors."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import special, stats
from sklearn.metrics import hinge_loss, log_loss, mean_pinball_loss

from notes_lib.foundations.risk import (
    bayes_classifier,
    bayes_risk,
    conditional_risk,
    empirical_risk,
    expected_risk,
    margin_exponential,
    margin_hinge,
    margin_logistic,
    margin_squared,
    margin_zero_one,
    residual_absolute,
    residual_huber,
    residual_huber_gradient,
    residual_norm,
    residual_pinball,
    residual_squared,
    tabulate_posterior,
)
from notes_lib.numerics import central_difference

MARGIN_LOSSES = [margin_zero_one, margin_hinge, margin_logistic, margin_exponential, margin_squared]
RESIDUAL_LOSSES = [residual_squared, residual_absolute, residual_huber, residual_pinball]
numbers = st.floats(-50, 50)


def table(seed, K=3, m=5):
    """Prior (K,), class-conditional rows (K, m) and a cost matrix (K, K) with zeros on its diagonal."""
    rng = np.random.default_rng(seed)
    cost = rng.integers(1, 9, (K, K)) * (1 - np.eye(K))
    return rng.dirichlet(np.ones(K)), rng.dirichlet(np.ones(m), size=K), cost


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("risk-hinge")
def test_hinge_of_the_cs231n_example():
    """Stanford CS231n, notes on linear classification: scores -2.85, 0.86, 0.28, true class 2, hinge loss 1.58."""
    scores, true = np.array([-2.85, 0.86, 0.28]), 2
    against = np.delete(scores, true)
    assert_allclose(margin_hinge(scores[true] - against).sum(), 1.58, atol=1e-12)


@pytest.mark.equation("risk-conditional", "risk-bayes-classifier", "risk-bayes")
def test_cancer_cells_of_a_chinese_textbook():
    """Prior 0.9 and 0.1, densities 0.2 and 0.4: posteriors 0.818 and 0.182; costs 6 and 1 turn the decision round.

    The standard worked example of minimum error against minimum risk (Bian and Zhang, Pattern Recognition, chapter 2).
    """
    joint = np.array([0.9 * 0.2, 0.1 * 0.4])
    P = joint / joint.sum()
    assert_allclose(P, [0.818, 0.182], atol=5e-4)
    cost = [[0, 1], [6, 0]]  # row truth (normal, cancer), column decision
    assert_allclose(conditional_risk(P, cost), [1.092, 0.818], atol=2e-3)  # printed from rounded posteriors
    assert bayes_classifier(P) == 0
    assert bayes_classifier(P, cost) == 1


@pytest.mark.equation("risk-huber", "risk-huber-gradient")
@pytest.mark.parametrize("delta", [0.5, 1.0, 1.345, 2.0])
def test_huber_has_one_value_and_one_slope_at_delta(delta):
    """Huber (1964): value delta^2 / 2 and slope delta from both sides. The widely read r^2, else |r| has neither."""
    step = 1e-7
    assert_allclose(residual_huber([-delta, delta], delta), delta**2 / 2, rtol=1e-15)
    below, at, above = residual_huber([delta - step, delta, delta + step], delta)
    assert_allclose([(at - below) / step, (above - at) / step], delta, rtol=1e-6)
    assert_allclose(residual_huber_gradient([-delta, delta], delta), [-delta, delta], rtol=0)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("risk-huber")
@pytest.mark.parametrize("delta", [0.3, 1.0, 4.0])
def test_huber_against_scipy(delta):
    r = np.random.default_rng(0).normal(scale=3, size=500)
    assert_allclose(residual_huber(r, delta), special.huber(delta, r), rtol=1e-14)
    assert_array_equal(residual_huber(r), residual_huber(r, delta=1.0))


@pytest.mark.equation("risk-huber-gradient")
def test_huber_gradient_against_differences():
    r = np.array([-5.0, -2.1, -1.0, 0.0, 0.4, 1.9, 7.0])
    numeric = central_difference(lambda v: float(residual_huber(v, 2.0).sum()), r)
    assert_allclose(residual_huber_gradient(r, 2.0), numeric, atol=1e-8)
    assert_array_equal(residual_huber_gradient(r), np.clip(r, -1, 1))


@pytest.mark.equation("risk-zero-one", "risk-hinge", "risk-logistic")
def test_margin_losses_against_scikit_learn():
    rng = np.random.default_rng(1)
    y, f = rng.choice([-1, 1], 200), rng.normal(scale=2, size=200)
    assert_allclose(empirical_risk(margin_hinge(y * f)).value, hinge_loss(y, f), rtol=1e-12)
    assert_allclose(empirical_risk(margin_logistic(y * f)).value, log_loss(y, special.expit(f)), rtol=1e-12)
    assert_allclose(empirical_risk(margin_zero_one(y * f)).value, np.mean(np.sign(f) != y), rtol=1e-12)


@pytest.mark.equation("risk-exponential", "risk-margin-squared", "risk-squared", "risk-absolute")
def test_losses_one_by_one():
    m = [-2.0, 0.0, 0.5, 3.0]
    assert_array_equal(margin_zero_one(m), [1, 1, 0, 0])  # 0 counts as an error
    assert_allclose(margin_exponential(m), [1 / np.e**-2, 1, np.e**-0.5, np.e**-3], rtol=1e-15)
    assert_allclose(margin_squared(m), [9, 1, 0.25, 4], rtol=1e-15)
    assert_allclose(residual_squared(m), [4, 0, 0.25, 9], rtol=1e-15)
    assert_allclose(residual_absolute(m), [2, 0, 0.5, 3], rtol=1e-15)


@pytest.mark.equation("risk-pinball")
@pytest.mark.parametrize("tau", [0.1, 0.5, 0.8])
def test_pinball_against_scikit_learn(tau):
    y, f = np.random.default_rng(5).normal(size=(2, 300))
    assert_allclose(residual_pinball(y - f, tau).mean(), mean_pinball_loss(y, f, alpha=tau), rtol=1e-12)
    assert_array_equal(residual_pinball(y), residual_pinball(y, tau=0.5))


@pytest.mark.equation("risk-pinball")
@pytest.mark.parametrize("tau", [0.05, 0.3, 0.75])
def test_pinball_is_least_at_the_quantile(tau):
    """Of 199 observations the one below which a share tau lies; no other observation, and nothing between two."""
    y = np.sort(np.random.default_rng(6).exponential(size=199))
    places = np.sort(np.r_[y, (y[1:] + y[:-1]) / 2])
    risks = [residual_pinball(y - c, tau).mean() for c in places]
    assert places[np.argmin(risks)] == y[int(np.ceil(199 * tau)) - 1]


@pytest.mark.equation("risk-p-norm")
@pytest.mark.parametrize("p", [1, 1.5, 2, 3, np.inf])
def test_norms_against_numpy(p):
    R = np.random.default_rng(2).normal(size=(20, 4))
    R[3] = 0
    assert_allclose(residual_norm(R, p), np.linalg.norm(R, ord=p, axis=1), rtol=1e-13)
    assert_allclose(residual_norm(R[0], p), np.linalg.norm(R[0], ord=p), rtol=1e-13)


def test_norm_is_euclidean_by_default():
    assert residual_norm([3.0, 4.0]) == pytest.approx(5, rel=1e-15)


@pytest.mark.equation("risk-empirical", "risk-standard-error")
def test_empirical_risk_against_scipy():
    losses = np.random.default_rng(3).exponential(size=37)
    value, error = empirical_risk(losses)
    assert value == pytest.approx(losses.mean(), rel=1e-14)
    assert error == pytest.approx(stats.sem(losses), rel=1e-13)


@pytest.mark.equation("risk-standard-error")
def test_standard_error_is_the_spread_over_samples():
    draws = np.random.default_rng(4).random((4000, 50)) < 0.2
    means = draws.mean(axis=1)
    mean_square = np.mean([empirical_risk(d.astype(float)).standard_error ** 2 for d in draws[:400]])
    assert mean_square == pytest.approx(0.16 / 50, rel=0.05)
    assert means.var() == pytest.approx(0.16 / 50, rel=0.1)


@pytest.mark.equation("risk-posterior", "risk-tower", "risk-bayes", "risk-bayes-classifier")
@pytest.mark.parametrize("seed", range(8))
def test_bayes_by_trying_every_rule(seed):
    """Sums over the joint table in a double loop, and all 3^5 rules: none is better."""
    prior, likelihood, cost = table(seed)
    K, m = likelihood.shape
    P, evidence = tabulate_posterior(prior, likelihood)

    def risk(rule):
        return sum(prior[k] * likelihood[k, x] * cost[k, rule[x]] for k in range(K) for x in range(m))

    risks = {rule: risk(rule) for rule in itertools.product(range(K), repeat=m)}
    best = min(risks, key=risks.get)
    assert_array_equal(bayes_classifier(P, cost), best)
    assert bayes_risk(P, evidence, cost) == pytest.approx(risks[best], rel=1e-12)
    for rule in list(risks)[:: 3**3]:
        assert expected_risk(P, rule, evidence, cost) == pytest.approx(risks[rule], rel=1e-12)
    assert_allclose(evidence, prior @ likelihood, rtol=1e-14)
    assert_allclose(P, [[prior[k] * likelihood[k, x] / evidence[x] for k in range(K)] for x in range(m)], rtol=1e-13)


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.equation("risk-surrogate")
@given(numbers)
def test_surrogates_lie_above_the_zero_one_loss(m):
    wrong = margin_zero_one(m)
    for loss in (margin_hinge, margin_exponential, margin_squared):
        assert loss(m) >= wrong
    assert margin_logistic(m) / np.log(2) >= wrong  # in bits
    assert margin_logistic(0.0) < margin_zero_one(0.0)  # in nats it does not


@given(numbers, numbers, st.floats(0, 1))
@pytest.mark.parametrize("loss", [*MARGIN_LOSSES[1:], *RESIDUAL_LOSSES])
def test_losses_are_convex(loss, a, b, t):
    middle = t * a + (1 - t) * b
    bound = t * loss(a) + (1 - t) * loss(b)
    assert loss(middle) <= bound + 1e-9 * max(1.0, abs(bound))


@pytest.mark.equation("risk-margin-squared", "risk-logistic")
@given(numbers, st.sampled_from([-1.0, 1.0]))
def test_margin_forms(f, y):
    assert margin_squared(y * f) == pytest.approx(residual_squared(y - f), rel=1e-12)
    probabilities = np.exp(-margin_logistic([f, -f]))
    assert probabilities.sum() == pytest.approx(1, rel=1e-12)
    assert margin_logistic(f) - margin_logistic(-f) == pytest.approx(-f, abs=1e-12)


@given(st.floats(-20, 20), st.floats(0.01, 10), st.floats(0.1, 5))
def test_huber_scales_and_lies_between(r, delta, c):
    assert residual_huber(c * r, c * delta) == pytest.approx(c**2 * residual_huber(r, delta), rel=1e-10, abs=1e-300)
    assert residual_huber(r, delta) <= min(residual_squared(r) / 2, delta * residual_absolute(r)) + 1e-12


@given(st.lists(numbers, min_size=1, max_size=6))
def test_norms_fall_in_p(r):
    values = [residual_norm(r, p) for p in (1, 2, 3, np.inf)]
    assert all(a >= b - 1e-9 for a, b in itertools.pairwise(values))
    assert residual_norm(r[:1], 3) == pytest.approx(abs(r[0]), rel=1e-12)  # one component: every norm is |r|


@given(st.floats(0.001, 0.999), st.integers(1, 99), st.integers(1, 99))
@pytest.mark.equation("risk-threshold")
def test_threshold_of_two_costs(eta, false_alarm, miss):
    positive = bayes_classifier([1 - eta, eta], [[0, false_alarm], [miss, 0]])
    if abs(eta - false_alarm / (false_alarm + miss)) > 1e-12:
        assert positive == (eta > false_alarm / (false_alarm + miss))


@pytest.mark.parametrize("seed", range(5))
def test_costs_may_be_shifted_by_class_and_scaled(seed):
    prior, likelihood, cost = table(seed)
    P, evidence = tabulate_posterior(prior, likelihood)
    shift = np.array([[5.0], [-2.0], [1.0]])  # what class k costs whatever one does
    assert_array_equal(bayes_classifier(P, 3 * cost + shift), bayes_classifier(P, cost))
    expected = 3 * bayes_risk(P, evidence, cost) + float(prior @ shift.ravel())
    assert bayes_risk(P, evidence, 3 * cost + shift) == pytest.approx(expected, rel=1e-10)


@pytest.mark.equation("risk-bayes-binary")
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_two_classes_without_costs(eta):
    eta = np.array(eta)
    P = np.column_stack([1 - eta, eta])
    assert bayes_risk(P) == pytest.approx(np.minimum(eta, 1 - eta).mean(), abs=1e-12)
    assert bayes_risk(P, cost=1 - np.eye(2)) == pytest.approx(bayes_risk(P), abs=1e-12)


def test_an_action_that_is_no_class():
    """A reject option is a third column: three actions, two classes."""
    assert_array_equal(bayes_classifier([[0.95, 0.05], [0.6, 0.4]], [[0, 1, 0.2], [1, 0, 0.2]]), [0, 2])


# ----------------------------------------------------------------------------------------------------------- extremes


def test_large_margins():
    assert_allclose(margin_logistic([-1e300, 800.0, 40.0]), [1e300, 0, np.exp(-40.0)], rtol=1e-12)
    assert margin_exponential(-1e4) == np.inf
    assert margin_squared(1e200) == np.inf
    assert residual_squared(1e200) == np.inf
    assert residual_huber(1e300, 1e300) == np.inf
    assert_allclose(residual_huber(1e300, 1.0), 1e300)
    assert_allclose(residual_norm([3e200, 4e200]), 5e200)
    assert_allclose(residual_norm([3e-200, 4e-200]), 5e-200)


@pytest.mark.parametrize("loss", [*MARGIN_LOSSES, *RESIDUAL_LOSSES, residual_huber_gradient])
def test_shape_and_kinds_of_input(loss):
    m = np.arange(12).reshape(3, 4) - 5
    assert loss(m).shape == (3, 4)
    assert_array_equal(loss(m), loss(np.asfortranarray(m.astype(np.float32))))
    assert np.ndim(loss(1.5)) == 0


def test_mean_of_huge_losses():
    assert empirical_risk([1e308, 1e308, 1e308]) == (np.inf, np.inf)  # without a warning


def test_one_loss_has_no_standard_error():
    value, error = empirical_risk([0.25])
    assert value == 0.25
    assert np.isnan(error)


def test_one_place_and_ties():
    assert bayes_classifier([0.5, 0.5]) == 0
    assert bayes_risk([0.5, 0.5]) == pytest.approx(0.5)
    assert expected_risk([0.25, 0.75], 0) == pytest.approx(0.75)


def test_exact_fractions():
    """Prior 3/5, 2/5; x in three values: joint and smaller column entries by hand, 8/25."""
    prior = [Fraction(3, 5), Fraction(2, 5)]
    rows = [[Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)], [Fraction(1, 10), Fraction(2, 5), Fraction(1, 2)]]
    by_hand = sum(min(prior[0] * a, prior[1] * b) for a, b in zip(*rows, strict=True))
    P, evidence = tabulate_posterior([0.6, 0.4], [[0.5, 0.3, 0.2], [0.1, 0.4, 0.5]])
    assert by_hand == Fraction(8, 25)
    assert bayes_risk(P, evidence) == pytest.approx(float(by_hand), rel=1e-12)


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("loss", MARGIN_LOSSES)
def test_bad_margins(loss):
    with pytest.raises(ValueError, match="margin must be finite"):
        loss([1.0, np.nan])
    with pytest.raises(ValueError, match="margin is empty"):
        loss([])
    with pytest.raises(TypeError, match="margin must hold numbers"):
        loss(["a"])


@pytest.mark.parametrize("loss", [*RESIDUAL_LOSSES, residual_huber_gradient, residual_norm])
def test_bad_residuals(loss):
    with pytest.raises(ValueError, match="residual must be finite"):
        loss([1.0, np.inf])
    with pytest.raises(TypeError, match="residual must hold numbers"):
        loss([1j])
    with pytest.raises(ValueError, match="residual is empty"):
        loss([])


@pytest.mark.parametrize("huber", [residual_huber, residual_huber_gradient])
def test_bad_delta(huber):
    with pytest.raises(ValueError, match="delta must be positive, got 0"):
        huber([1.0], delta=0)
    with pytest.raises(ValueError, match="delta must be finite and at least 0, got -1"):
        huber([1.0], delta=-1)
    with pytest.raises(TypeError, match="delta must be a number"):
        huber([1.0], delta="1")


def test_bad_tau():
    with pytest.raises(ValueError, match="tau must be positive, got 0"):
        residual_pinball([1.0], tau=0)
    with pytest.raises(ValueError, match="tau must be less than 1, got 1"):
        residual_pinball([1.0], tau=1)
    with pytest.raises(TypeError, match="tau must be a number"):
        residual_pinball([1.0], tau="1")


def test_bad_norm():
    with pytest.raises(ValueError, match="every p-norm is"):
        residual_norm(3.0)
    with pytest.raises(ValueError, match=r"p must be finite and at least 1, got 0\.5"):
        residual_norm([1.0, 2.0], p=0.5)
    with pytest.raises(ValueError, match="p must be finite and at least 1, got nan"):
        residual_norm([1.0, 2.0], p=np.nan)


def test_bad_losses():
    with pytest.raises(ValueError, match=r"losses must be an \(n,\) array.*\(1, 2\)"):
        empirical_risk([[1.0, 2.0]])
    with pytest.raises(ValueError, match="losses is empty"):
        empirical_risk([])
    with pytest.raises(ValueError, match="losses must be finite"):
        empirical_risk([np.inf])


def test_bad_tables():
    with pytest.raises(ValueError, match="prior must be non-negative and sum to 1"):
        tabulate_posterior([0.5, 0.6], [[1.0], [1.0]])
    with pytest.raises(ValueError, match="row 1 of likelihood"):
        tabulate_posterior([0.5, 0.5], [[0.5, 0.5], [0.5, 0.6]])
    with pytest.raises(ValueError, match="one row a class"):
        tabulate_posterior([0.5, 0.5], [[0.5, 0.5]])
    with pytest.raises(ValueError, match="column 1 of likelihood has probability 0"):
        tabulate_posterior([1.0, 0.0], [[1.0, 0.0], [0.5, 0.5]])


def test_bad_posterior_and_cost():
    with pytest.raises(ValueError, match="row 0 of posterior"):
        conditional_risk([[0.5, 0.6]])
    with pytest.raises(ValueError, match=r"posterior must have shape \(K,\) or \(n, K\)"):
        conditional_risk([[[0.5, 0.5]]])
    with pytest.raises(ValueError, match=r"cost must have shape .* K = 2 classes"):
        bayes_classifier([0.5, 0.5], [[0, 1]])
    with pytest.raises(ValueError, match="cost must be finite"):
        bayes_risk([0.5, 0.5], cost=[[0, np.inf], [1, 0]])


def test_bad_rule():
    with pytest.raises(ValueError, match="actions must hold 2 numbers from 0 to 1"):
        expected_risk([[0.5, 0.5], [0.5, 0.5]], [0, 2])
    with pytest.raises(ValueError, match="actions must hold 2 numbers"):
        expected_risk([[0.5, 0.5], [0.5, 0.5]], [0, -1])
    with pytest.raises(ValueError, match="actions must hold 2 numbers"):
        expected_risk([[0.5, 0.5], [0.5, 0.5]], [0])
    with pytest.raises(TypeError, match="actions must hold integers"):
        expected_risk([[0.5, 0.5]], [0.0])
    with pytest.raises(ValueError, match="weights must"):
        bayes_risk([[0.5, 0.5]], weights=[0.5])
