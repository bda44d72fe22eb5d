"""Inference: published numbers, independent routes, laws, extremes, errors."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar

from notes_lib.foundations.inference import (
    binomial_coverage,
    clopper_pearson_interval,
    cramer_rao_bound,
    credible_interval,
    delta_method,
    fisher_information,
    likelihood_ratio_test,
    mcnemar_table,
    mcnemar_test,
    observed_information,
    score,
    score_test,
    standard_errors,
    student_interval,
    two_proportion_test,
    wald_interval,
    wald_test,
    wilson_interval,
)

BERNOULLI = lambda p, x: np.where(x == 1, np.log(p), np.log(1 - p))
NORMAL = lambda theta, x: -0.5 * np.log(2 * np.pi * theta[1]) - (x - theta[0]) ** 2 / (2 * theta[1])
INTERVALS = [wald_interval, wilson_interval, clopper_pearson_interval]

# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("inference-wilson", "inference-clopper-pearson")
def test_newcombe_15_of_148():
    # Newcombe (1998), Statistics in Medicine 17, 857-872, table I: 81/263, 15/148, 0/20 and 1/29, methods 3 and 5
    published = {
        (81, 263): [(0.2553, 0.3662), (0.2527, 0.3676)],
        (15, 148): [(0.0624, 0.1605), (0.0578, 0.1617)],
        (0, 20): [(0.0000, 0.1611), (0.0000, 0.1684)],
        (1, 29): [(0.0061, 0.1718), (0.0009, 0.1776)],
    }
    for (k, n), (by_score, exact) in published.items():
        assert_allclose(wilson_interval(k, n), by_score, atol=5.1e-5)
        assert_allclose(clopper_pearson_interval(k, n), exact, atol=5.1e-5)


@pytest.mark.equation("inference-mcnemar", "inference-paired-table")
def test_agresti_approval():
    # Agresti (2002), Categorical Data Analysis, 2nd edition, table 10.1: approval of a leader, asked twice
    assert_allclose(mcnemar_test([[794, 150], [86, 570]], exact=False, correction=False).statistic, 17.36, atol=0.005)


@pytest.mark.equation("inference-student")
def test_student_sleep():
    # Student (1908), Biometrika 6, 1-25: extra hours of sleep of ten patients by two drugs; differences 0.70 to 2.46
    difference = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    assert_allclose(student_interval(difference), (0.70, 2.46), atol=0.005)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("inference-score", "inference-information", "inference-information-curvature")
@pytest.mark.equation("inference-information-matrix")
@pytest.mark.parametrize("seed", range(4))
def test_information_of_known_models(seed):
    rng = np.random.default_rng(seed)
    p, rate, mean, var = rng.uniform(0.1, 0.9), rng.uniform(0.5, 3), rng.normal(), rng.uniform(0.5, 4)
    assert_allclose(fisher_information(BERNOULLI, p, [0, 1]), [[1 / (p * (1 - p))]], rtol=1e-8)
    counts = np.arange(60)
    assert_allclose(fisher_information(stats_poisson, rate, counts), [[1 / rate]], rtol=1e-8)
    x = np.linspace(mean - 12 * var**0.5, mean + 12 * var**0.5, 4001)
    expected = np.diag([1 / var, 1 / (2 * var**2)])
    assert_allclose(fisher_information(NORMAL, [mean, var], x, x[1] - x[0]), expected, atol=1e-7)
    curvature = sum(np.exp(stats_poisson(rate, counts)) * counts / rate**2)  # minus the mean second derivative
    assert_allclose(fisher_information(stats_poisson, rate, counts), [[curvature]], rtol=1e-8)
    assert_allclose(score(NORMAL, [mean, var], x[::500])[:, 0], (x[::500] - mean) / var, rtol=1e-6, atol=1e-8)


def stats_poisson(rate, x):
    return stats.poisson(rate).logpmf(x)


@pytest.mark.equation("inference-information-adds")
def test_information_adds():
    pairs = np.array(list(itertools.product([0, 1], repeat=3)))
    three = fisher_information(lambda p, x: BERNOULLI(p, x).sum(axis=1), 0.3, pairs)
    assert_allclose(three, 3 * fisher_information(BERNOULLI, 0.3, [0, 1]), rtol=1e-8)


@pytest.mark.equation("inference-observed", "inference-standard-error")
def test_observed_information_of_a_gaussian():
    x = np.array([1.0, 2.0, 4.0, 5.0, 8.0])
    mean, var = x.mean(), x.var()
    observed = observed_information(lambda theta: NORMAL(theta, x).sum(), [mean, var])
    assert_allclose(observed, np.diag([5 / var, 5 / (2 * var**2)]), atol=1e-5)
    assert_allclose(standard_errors(observed), [np.sqrt(var / 5), var * np.sqrt(2 / 5)], rtol=1e-4)


@pytest.mark.equation("inference-cramer-rao", "inference-cramer-rao-biased", "inference-cramer-rao-matrix")
@pytest.mark.parametrize("p", [0.1, 0.37, 0.6])
def test_no_estimator_of_a_proportion_beats_the_bound(p):
    n, k = 6, np.arange(7)
    pmf = stats.binom(n, p).pmf(k)
    information = n * fisher_information(BERNOULLI, p, [0, 1])
    for estimate, slope in [(k / n, 1.0), ((k + 1) / (n + 2), n / (n + 2)), (k / n * (k - 1) / (n - 1), 2 * p)]:
        variance = pmf @ estimate**2 - (pmf @ estimate) ** 2
        bound = cramer_rao_bound(information, slope).item()
        assert variance >= bound - 1e-9
        if slope != 2 * p:
            assert_allclose(variance, bound, rtol=1e-7)  # linear in the score: attained
        else:
            assert variance > 1.05 * bound


@pytest.mark.equation("inference-delta")
def test_delta_method_of_the_odds():
    p, n = 0.3, 10**6
    variance = delta_method(1 / (1 - p) ** 2, p * (1 - p) / n).item()
    draws = np.random.default_rng(0).binomial(n, p, 20_000) / n
    simulated = np.var(draws / (1 - draws))
    assert_allclose(variance, simulated, rtol=4 * np.sqrt(2 / 20_000))  # four standard errors of a variance
    both = delta_method([[1, -1], [1, 1]], [[4, 1], [1, 9]])
    assert_allclose(both, [[11, -5], [-5, 15]])


@pytest.mark.equation("inference-wald", "inference-wilson")
@pytest.mark.parametrize(("k", "n"), [(0, 7), (1, 7), (3, 7), (7, 7), (20, 90)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_intervals_as_scipy(k, n, level):
    test = stats.binomtest(k, n)
    assert_allclose(wilson_interval(k, n, level), test.proportion_ci(level, method="wilson"), atol=1e-12)
    assert_allclose(clopper_pearson_interval(k, n, level), test.proportion_ci(level, method="exact"), atol=1e-9)
    spread = stats.norm.interval(level, k / n, np.sqrt(k * (n - k) / n**3)) if 0 < k < n else (k / n, k / n)
    assert_allclose(wald_interval(k, n, level), spread, atol=1e-12)


@pytest.mark.equation("inference-wilson-test", "inference-wilson", "inference-score-test")
def test_wilson_holds_what_the_score_test_does_not_reject():
    k, n = 3, 17
    excess = lambda p: score_test(k / p - (n - k) / (1 - p), n / (p * (1 - p))).p_value - 0.05
    ends = brentq(excess, 1e-6, k / n), brentq(excess, k / n, 1 - 1e-6)
    assert_allclose(wilson_interval(k, n), ends, rtol=1e-9)


@pytest.mark.equation("inference-wald-test", "inference-wald")
def test_wald_holds_what_the_wald_test_does_not_reject():
    k, n = 5, 17
    excess = lambda p: wald_test(k / n, p, n / (k / n * (1 - k / n))).p_value - 0.05
    ends = brentq(excess, -1, k / n), brentq(excess, k / n, 2)
    assert_allclose(wald_interval(k, n), ends, rtol=1e-9)


@pytest.mark.equation("inference-credible")
@pytest.mark.parametrize(("k", "n", "a", "b"), [(0, 5, 1, 1), (3, 9, 0.5, 0.5), (9, 9, 2, 7)])
def test_credible_interval_by_quadrature(k, n, a, b):
    low, high = credible_interval(k, n, a, b, credible_level=0.9)
    density = stats.beta(a + k, b + n - k).pdf
    assert_allclose(quad(density, 0, low)[0], 0.05, rtol=1e-6)
    assert_allclose(quad(density, high, 1)[0], 0.05, rtol=1e-6)


@pytest.mark.equation("inference-student")
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_student_interval_as_scipy(level):
    for n in (2, 6):
        x = np.random.default_rng(1).normal(3, 2, n)
        expected = stats.ttest_1samp(x, 0).confidence_interval(level)
        assert_allclose(student_interval(x, level), expected, rtol=1e-10)


@pytest.mark.equation("inference-coverage-binomial")
@pytest.mark.parametrize("interval", INTERVALS)
def test_coverage_by_counting(interval):
    n = 11
    for p in (0.0, 0.02, 0.3, 0.5, 1.0):
        inside = [k for k in range(n + 1) if interval(k, n).low <= p <= interval(k, n).high]
        assert_allclose(binomial_coverage(interval, p, n), stats.binom(n, p).pmf(inside).sum(), atol=1e-12)


@pytest.mark.equation("inference-coverage-binomial")
def test_wald_covers_too_little_and_clopper_pearson_never():
    p = np.linspace(0.001, 0.999, 999)
    assert binomial_coverage(wald_interval, p, 30).min() < 0.05
    assert binomial_coverage(wilson_interval, p, 30).min() > 0.82
    assert binomial_coverage(clopper_pearson_interval, p, 30).min() >= 0.95


@pytest.mark.equation("inference-likelihood-ratio", "inference-wald-test", "inference-score-test")
def test_three_statistics_of_a_poisson_mean():
    x, null = np.array([3, 0, 2, 4, 1, 5]), 1.7
    log_likelihood = lambda t: stats.poisson(t).logpmf(x).sum()
    best = minimize_scalar(lambda t: -log_likelihood(t), bounds=(0.1, 10), method="bounded", options={"xatol": 1e-10}).x
    ratio = likelihood_ratio_test(log_likelihood(null), log_likelihood(best))
    assert_allclose(ratio.statistic, 2 * (15 * np.log(2.5 / null) - 6 * (2.5 - null)), rtol=1e-8)
    assert_allclose(ratio.p_value, stats.chi2(1).sf(ratio.statistic), rtol=1e-10)
    wald, by_score = wald_test(best, null, 6 / best), score_test(15 / null - 6, 6 / null)
    assert_allclose(wald.statistic, (2.5 - null) ** 2 * 6 / 2.5, rtol=1e-6)
    assert_allclose(by_score.statistic, (2.5 - null) ** 2 * 6 / null, rtol=1e-12)
    assert_allclose(by_score.p_value, stats.chi2(1).sf(by_score.statistic), rtol=1e-10)


def test_tests_of_several_parameters():
    information, gap = np.array([[4.0, 1.0], [1.0, 2.0]]), np.array([0.5, -0.3])
    expected = gap @ information @ gap
    assert_allclose(wald_test(gap + 1, [1, 1], information).statistic, expected, rtol=1e-12)
    assert_allclose(score_test(information @ gap, information).statistic, expected, rtol=1e-12)
    assert_allclose(wald_test(gap, [0, 0], information).p_value, stats.chi2(2).sf(expected), rtol=1e-12)
    assert_allclose(likelihood_ratio_test(-3, -1, df=3).p_value, stats.chi2(3).sf(4), rtol=1e-12)


@pytest.mark.equation("inference-two-proportions")
@pytest.mark.parametrize(("k", "n"), [([30, 18], [100, 100]), ([5, 9], [12, 40]), ([0, 3], [20, 20])])
def test_two_proportions_as_pearson(k, n):
    table = np.array([k, np.subtract(n, k)])
    pearson = stats.chi2_contingency(table, correction=False)
    result = two_proportion_test(k, n)
    assert_allclose(result.statistic**2, pearson.statistic, rtol=1e-10)
    assert_allclose(result.p_value, pearson.pvalue, rtol=1e-10)
    assert np.sign(result.statistic) == np.sign(k[0] / n[0] - k[1] / n[1])


@pytest.mark.equation("inference-mcnemar-exact", "inference-mcnemar", "inference-mcnemar-corrected")
@pytest.mark.parametrize(("b", "c"), [(0, 0), (0, 5), (4, 4), (3, 9), (25, 41)])
def test_mcnemar_by_enumeration(b, c):
    table = [[30, b], [c, 12]]
    exact, plain = mcnemar_test(table), mcnemar_test(table, exact=False, correction=False)
    corrected = mcnemar_test(table, exact=False)
    assert_allclose(exact.p_value, stats.binomtest(b, b + c).pvalue if b + c else 1.0, rtol=1e-10)
    assert exact.statistic == min(b, c)
    assert_allclose(plain.statistic, (b - c) ** 2 / max(b + c, 1))
    assert_allclose(corrected.statistic, max(abs(b - c) - 1, 0) ** 2 / max(b + c, 1))
    assert_allclose(corrected.p_value, stats.chi2(1).sf(corrected.statistic), rtol=1e-10)


@pytest.mark.equation("inference-mcnemar")
def test_mcnemar_is_the_score_test_of_a_fair_coin():
    b, c = 14, 5
    fair = score_test(b / 0.5 - c / 0.5, (b + c) / 0.25)
    assert_allclose(mcnemar_test([[9, b], [c, 9]], exact=False, correction=False), fair, rtol=1e-12)


@pytest.mark.equation("inference-paired-table")
def test_paired_table_of_text():
    y, first, second = list("abcabca"), list("abbabaa"), list("aacacba")
    expected = np.zeros((2, 2), dtype=int)
    for t, f, s in zip(y, first, second, strict=True):
        expected[int(f != t), int(s != t)] += 1
    assert_array_equal(mcnemar_table(y, first, second), expected)
    assert mcnemar_table(y, first, second).sum() == 7


# --------------------------------------------------------------------------------------------------------------- laws


@given(st.integers(1, 200), st.data(), st.floats(0.5, 0.999))
@settings(deadline=None, max_examples=60)
def test_laws_of_intervals(n, data, level):
    k = data.draw(st.integers(0, n))
    for interval in (*INTERVALS, lambda k, n, q: credible_interval(k, n, credible_level=q)):
        low, high = interval(k, n, level)
        assert_allclose(interval(n - k, n, level), (1 - high, 1 - low), atol=1e-9)  # successes and failures exchanged
        assert low <= high
    exact, wilson = clopper_pearson_interval(k, n, level), wilson_interval(k, n, level)
    assert 0 <= wilson.low < wilson.high <= 1
    assert exact.low <= k / n <= exact.high
    wider = wilson_interval(k, n, (1 + level) / 2)
    assert wider.low <= wilson.low
    assert wilson.high <= wider.high


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 9), st.integers(0, 9))
@settings(deadline=None, max_examples=60)
def test_laws_of_mcnemar(b, c, a, d):
    for exact, correction in itertools.product([True, False], repeat=2):
        result = mcnemar_test([[a, b], [c, d]], exact, correction)
        assert result == mcnemar_test([[0, c], [b, 0]], exact, correction)  # names exchanged, agreement is no matter
        assert 0 <= result.p_value <= 1


# ----------------------------------------------------------------------------------------------------------- extremes


def test_shapes_and_large_numbers():
    k = np.array([[0, 5], [10, 3]])
    for interval in (*INTERVALS, credible_interval):
        low, high = interval(k, 10)
        assert low.shape == high.shape == (2, 2)
        assert_allclose([low[1, 1], high[1, 1]], interval(3, 10), rtol=1e-12)
    assert_allclose(wilson_interval(10**9, 2 * 10**9), wald_interval(10**9, 2 * 10**9), atol=1e-9)
    assert binomial_coverage(wilson_interval, np.full((2, 3), 0.4), 1000).shape == (2, 3)
    assert binomial_coverage(wilson_interval, 0.4, 10_000) == pytest.approx(0.95, abs=0.005)
    assert mcnemar_test([[0, 10**6], [10**6, 0]]).p_value == 1
    assert two_proportion_test([0, 0], [5, 9]) == two_proportion_test([5, 9], [5, 9]) == (0, 1)
    assert likelihood_ratio_test(-1 + 1e-12, -1) == likelihood_ratio_test(-1, -1) == (0, 1)  # rounding is forgiven


def test_outcomes_of_probability_0_do_not_count():
    with np.errstate(divide="ignore"):
        information = fisher_information(lambda p, x: np.where(x == 2, -np.inf, BERNOULLI(p, x)), 0.4, [0, 1, 2])
    assert_allclose(information, [[1 / 0.24]], rtol=1e-8)


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("interval", [*INTERVALS, credible_interval])
def test_errors_of_intervals(interval):
    with pytest.raises(ValueError, match=r"k must hold counts, whole numbers from 0 to 10, got 11"):
        interval([3, 11], 10)
    with pytest.raises(ValueError, match=r"k must hold counts.*got 2.5"):
        interval(2.5, 10)
    with pytest.raises(ValueError, match=r"k must hold counts.*got -1"):
        interval(-1, 10)
    with pytest.raises(TypeError, match="n must be an integer"):
        interval(1, 10.0)
    with pytest.raises(ValueError, match="n must be at least 1"):
        interval(0, 0)
    with pytest.raises(TypeError, match="k must hold numbers"):
        interval("3", 10)


@pytest.mark.parametrize("level", [0, 1, 95, -0.1])
def test_errors_of_levels(level):
    for interval in INTERVALS:
        with pytest.raises(ValueError, match="confidence_level must lie strictly between 0 and 1"):
            interval(1, 3, level)
    with pytest.raises(ValueError, match="credible_level must lie strictly between 0 and 1"):
        credible_interval(1, 3, credible_level=level)
    with pytest.raises(ValueError, match="confidence_level must lie"):
        student_interval([1, 2], level)


def test_errors_of_other_intervals():
    with pytest.raises(ValueError, match="a must be positive"):
        credible_interval(1, 2, a=0)
    for x in ([3.0], [2.0, 2.0]):
        with pytest.raises(ValueError, match="x must hold at least two different numbers"):
            student_interval(x)
    with pytest.raises(ValueError, match="x must be a vector"):
        student_interval([[1.0, 2.0]])
    with pytest.raises(ValueError, match=r"p must hold proportions, from 0 to 1, got 1.5"):
        binomial_coverage(wald_interval, [0.0, 1.0, 1.5], 10)
    with pytest.raises(ValueError, match=r"from 0 to 1, got -0.1"):
        binomial_coverage(wald_interval, [0.0, -0.1], 10)


def test_errors_of_information():
    with pytest.raises(ValueError, match=r"probabilities of x sum to 0\.4, not to 1"):
        fisher_information(BERNOULLI, 0.4, [1])
    with pytest.raises(ValueError, match=r"sum to 0\.7357\d+, not to 1"):
        fisher_information(stats_poisson, 1.0, [0, 1])
    with pytest.raises(ValueError, match="must give 2 numbers, one for each outcome"):
        score(lambda p, x: 0.0 * p[0], 0.4, [0, 1])
    with pytest.raises(ValueError, match="not finite near theta"), np.errstate(invalid="ignore"):
        score(BERNOULLI, 1.0, [0, 1])
    with pytest.raises(ValueError, match="theta"):
        score(BERNOULLI, np.nan, [0, 1])
    for singular in (0, -1, [[1, 1], [1, 1]]):
        with pytest.raises(ValueError, match="information must be positive definite"):
            standard_errors(singular)
    with pytest.raises(ValueError, match="information must be symmetric"):
        cramer_rao_bound([[1, 2], [0, 1]])
    with pytest.raises(ValueError, match="jacobian must have 2 columns"):
        delta_method([1.0], np.eye(2))


def test_errors_of_tests():
    with pytest.raises(ValueError, match="log_likelihood_1 must be at least log_likelihood_0"):
        likelihood_ratio_test(-1, -2)
    with pytest.raises(TypeError, match="df must be an integer"):
        likelihood_ratio_test(-2, -1, df=1.0)
    with pytest.raises(ValueError, match="theta_0 must be a vector of shape"):
        wald_test([1, 2], [1], np.eye(2))
    with pytest.raises(ValueError, match="score must be a vector of shape"):
        score_test([1, 2], 1.0)
    for count, nobs in [([3, 1], [2, 5]), ([0, 1], [0, 5])]:
        with pytest.raises(ValueError, match="nobs must be positive and at least count"):
            two_proportion_test(count, nobs)
    with pytest.raises(ValueError, match="count must have shape"):
        two_proportion_test([1, 2, 3], [5, 5])
    with pytest.raises(ValueError, match="table must hold counts"):
        mcnemar_test([[1, 0.5], [1, 1]])
    with pytest.raises(ValueError, match="table must have shape"):
        mcnemar_test([1, 2])


def test_errors_of_the_paired_table():
    with pytest.raises(ValueError, match="y_target and y_model1 and y_model2 must have one length, got 2 and 2 and 1"):
        mcnemar_table([0, 1], [0, 1], [0])
    with pytest.raises(ValueError, match="y_target must be a vector of at least one label"):
        mcnemar_table([], [], [])
    with pytest.raises(ValueError, match="in y_target and y_model1 and y_model2: write all labels in one type"):
        mcnemar_table(["a", "b"], ["a", "b"], [0, 1])
    with pytest.raises(ValueError, match="y_model2 mixes text with numbers or None"):
        mcnemar_table([0, 1], [0, 1], [None, 1])
    with pytest.raises(ValueError, match="Input y_model2 contains NaN, which is no label"):
        mcnemar_table([0, 1], [0, 1], [np.nan, 1])
    with pytest.raises(ValueError, match="y_model1 holds fractions"):
        mcnemar_table([0, 1], [0.2, 1], [0, 1])
