"""Resampling against SciPy, enumeration of every sample, closed forms, its own laws, and bad input."""

from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.dummy import DummyClassifier

from notes_lib.neighbors.nearest_neighbors import KNeighborsClassifier
from notes_lib.theory.resampling import (
    basic_interval,
    bca_constants,
    bca_interval,
    bootstrap,
    bootstrap_632,
    bootstrap_counts,
    bootstrap_interval,
    combine_632,
    corrected_resampled_ttest,
    five_by_two_test,
    jackknife,
    out_of_bag_probability,
    percentile_interval,
    permutation_test,
)

SKEWED = np.random.default_rng(0).exponential(size=25)
PAIRS = np.random.default_rng(1).normal(size=(20, 2)) @ [[1.0, 0.6], [0.0, 0.8]]


def correlation(rows):
    return np.corrcoef(rows.T)[0, 1]


# ---------------------------------------------------------------- what a sample holds


@pytest.mark.equation("resampling-missing", "random-forest-out")
def test_in_a_bootstrap_sample():
    """James et al., An Introduction to Statistical Learning, exercise 5.4.2: 0.672, 0.634 and 0.632."""
    found = [1 - out_of_bag_probability(n) for n in (5, 100, 10_000)]
    assert_allclose(found, [0.672, 0.634, 0.632], atol=6e-4)
    assert out_of_bag_probability(10**9) == pytest.approx(np.exp(-1), abs=1e-7)


@pytest.mark.equation("resampling-missing", "random-forest-out")
def test_all_samples_of_three_draws():
    samples = list(product(range(4), repeat=3))
    missing = np.mean([0 not in sample for sample in samples])
    assert out_of_bag_probability(4, 3) == pytest.approx(missing, abs=1e-15)


def test_counts_of_a_sample():
    counts = np.array(
        [bootstrap_counts(10, random_state=rng) for rng in [np.random.default_rng(0)] for _ in range(4000)]
    )
    assert (counts.sum(axis=1) == 10).all()
    assert_allclose(counts.mean(axis=0), 1, atol=4 * np.sqrt(0.9 / 4000))
    assert (counts == 0).mean() == pytest.approx(out_of_bag_probability(10), abs=4 * np.sqrt(0.24 / 40_000))
    assert bootstrap_counts(10, 25, random_state=0).sum() == 25
    assert_array_equal(
        bootstrap_counts(10, random_state=3), bootstrap_counts(10, random_state=3, weight=np.full(10, 7.0))
    )


def test_rows_are_drawn_in_proportion_to_their_weights():
    weight = np.array([0.0, 1e-3, 3e-3, 0.0])
    counts = bootstrap_counts(4, 40_000, random_state=0, weight=weight)
    assert (counts[[0, 3]] == 0).all()
    assert counts[2] / 40_000 == pytest.approx(0.75, abs=4 * np.sqrt(0.1875 / 40_000))
    huge = bootstrap_counts(4, 40_000, random_state=0, weight=weight * 1e308)
    assert_array_equal(huge, counts)


@pytest.mark.equation("resampling-limit")
@pytest.mark.parametrize("n", [2, 5, 50, 1000])
def test_the_share_rises_to_one_over_e(n):
    q = out_of_bag_probability(n)
    assert q < np.exp(-1) < q * n / (n - 1)  # (1 - 1/n)^n < 1/e < (1 - 1/n)^(n - 1)
    assert out_of_bag_probability(n + 1) > q


# ---------------------------------------------------------------- bootstrap


@pytest.mark.equation("resampling-standard-error", "resampling-bias", "resampling-mean-error", "resampling-plug-in")
def test_all_samples_of_a_mean_and_a_variance():
    x = np.array([1.0, 2.0, 4.0, 9.0])
    every = x[np.array(list(product(range(4), repeat=4)))]
    assert every.mean(axis=1).var() == pytest.approx(x.var() / 4)
    assert every.var(axis=1).mean() - x.var() == pytest.approx(-x.var() / 4)
    found = bootstrap(x, np.mean, n_resamples=20_000, vectorized=True, random_state=0)
    assert found.standard_error == pytest.approx(np.sqrt(x.var() / 4), rel=4 / np.sqrt(2 * 20_000))
    assert abs(found.bias) < 4 * found.standard_error / np.sqrt(20_000)
    spread = bootstrap(x, np.var, n_resamples=20_000, vectorized=True, random_state=0)
    assert spread.bias == pytest.approx(-x.var() / 4, abs=4 * spread.standard_error / np.sqrt(20_000))
    assert spread.standard_error == pytest.approx(every.var(axis=1).std(), rel=0.04)


def test_replicates_are_values_on_drawn_rows():
    one = bootstrap(PAIRS, correlation, n_resamples=50, random_state=3)
    rows = np.random.default_rng(3).integers(20, size=(50, 20))
    assert_allclose(one.replicates, [scipy.stats.pearsonr(*PAIRS[r].T)[0] for r in rows])
    assert one.estimate == pytest.approx(scipy.stats.pearsonr(*PAIRS.T)[0])
    assert one.standard_error == pytest.approx(one.replicates.std(ddof=1))
    assert one.bias == pytest.approx(one.replicates.mean() - one.estimate)
    both = [bootstrap(SKEWED, np.median, vectorized=v, random_state=4).replicates for v in (False, True)]
    assert_array_equal(*both)


def test_ends_of_scipy_from_the_same_replicates():
    for data, statistic in ((SKEWED, np.var), (SKEWED, np.mean), (SKEWED, np.median)):
        left_out = jackknife(data, statistic).left_out
        for level in (0.8, 0.95):
            for method in ("percentile", "basic", "BCa"):
                peer = scipy.stats.bootstrap(
                    (data,), statistic, confidence_level=level, n_resamples=999, method=method,
                    random_state=np.random.default_rng(5),
                )  # fmt: skip
                values, estimate = peer.bootstrap_distribution, statistic(data)
                if method == "percentile":
                    ours = percentile_interval(values, level)
                elif method == "basic":
                    ours = basic_interval(estimate, values, level)
                else:
                    ours = bca_interval(values, *bca_constants(estimate, values, left_out), level)
                assert_allclose(ours, peer.confidence_interval, rtol=1e-12)


@pytest.mark.equation("resampling-percentile", "resampling-basic", "resampling-bca")
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_the_interval_is_made_of_its_steps(method):
    found = bootstrap(SKEWED, np.var, n_resamples=1999, random_state=6)
    steps = {
        "percentile": lambda: percentile_interval(found.replicates, 0.9),
        "basic": lambda: basic_interval(found.estimate, found.replicates, 0.9),
        "bca": lambda: bca_interval(
            found.replicates,
            *bca_constants(found.estimate, found.replicates, jackknife(SKEWED, np.var).left_out),
            0.9,
        ),
    }
    whole = bootstrap_interval(SKEWED, np.var, confidence_level=0.9, method=method, random_state=6)
    assert whole == steps[method]()
    assert_allclose(bootstrap_interval(PAIRS, correlation, method=method, random_state=7), [0.4, 0.9], atol=0.5)


@pytest.mark.equation("resampling-percentile", "resampling-basic")
def test_ends_of_a_list():
    values = np.arange(1.0, 20.0)
    assert_allclose(percentile_interval(values, 0.8), [2.8, 17.2])
    assert_allclose(basic_interval(8.0, values, 0.8), [-1.2, 13.2])


@pytest.mark.equation(
    "resampling-transformation", "resampling-bias-correction", "resampling-bca-scale", "resampling-bca"
)
@pytest.mark.parametrize(("z0", "a"), [(0.0, 0.0), (0.2, 0.0), (-0.1, 0.05), (0.15, 0.08)])
def test_bca_undoes_the_transformation(z0, a):
    """In the model of the derivation the exact ends can be solved for."""
    levels = (np.arange(200_000) + 0.5) / 200_000
    estimate = 0.7
    sigma = 1 + a * estimate
    replicates = estimate + sigma * (scipy.stats.norm.ppf(levels) - z0)
    share = (replicates < estimate).mean()
    assert scipy.stats.norm.ppf(share) == pytest.approx(z0, abs=1e-4)
    z = scipy.stats.norm.ppf(0.95)
    exact = [(estimate + z0 - q) / (1 - a * (z0 - q)) for q in (z, -z)]  # estimate = phi + (1 + a phi)(q - z0)
    assert_allclose(bca_interval(replicates, z0, a, 0.9), exact, atol=1e-3)


@pytest.mark.equation("resampling-acceleration")
def test_acceleration_of_a_mean_is_a_sixth_of_its_skewness():
    left_out = jackknife(SKEWED, np.mean).left_out
    expected = scipy.stats.skew(SKEWED) / (6 * np.sqrt(25))
    assert bca_constants(1.0, [0.0, 2.0], left_out).acceleration == pytest.approx(expected)
    assert bca_constants(1.0, [0.0, 2.0], [1.0, 2.0, 3.0]).acceleration == 0  # one of them is the mean
    assert bca_constants(1.0, [0.0, 2.0], -left_out).acceleration == pytest.approx(-expected)
    assert bca_constants(1.0, [0.0, 2.0], 1e200 * left_out).acceleration == pytest.approx(expected)


@pytest.mark.equation("resampling-bias-correction")
def test_equal_replicates_count_half():
    found = bca_constants(3.0, [1, 3, 3, 4, 5], [1.0, 2.0])
    assert found.bias_correction == pytest.approx(scipy.stats.norm.ppf(0.4))


def test_percentiles_and_bca_follow_a_monotone_change_of_scale():
    def log_std(x):
        return np.log(x.std())

    for method in ("percentile", "bca", "basic"):
        plain = bootstrap_interval(SKEWED, np.std, method=method, random_state=8)
        ends = np.exp(bootstrap_interval(SKEWED, log_std, method=method, random_state=8))
        apart = np.abs(ends - plain).max()
        assert apart > 0.05 if method == "basic" else apart < 0.01


# ---------------------------------------------------------------- jackknife


@pytest.mark.equation("resampling-jackknife-error", "resampling-jackknife-bias", "resampling-jackknife-corrected")
@pytest.mark.equation("resampling-expansion")
def test_jackknife_of_mean_and_variance_in_closed_form():
    mean = jackknife(SKEWED, np.mean, vectorized=True)
    assert mean.standard_error == pytest.approx(SKEWED.std(ddof=1) / 5)
    assert mean.bias == pytest.approx(0, abs=1e-12)
    assert_allclose(mean.left_out, (SKEWED.sum() - SKEWED) / 24)
    assert jackknife(SKEWED, np.var).corrected == pytest.approx(SKEWED.var(ddof=1))
    square = jackknife(SKEWED, lambda x: x.mean() ** 2)
    assert square.bias == pytest.approx(SKEWED.var(ddof=1) / 25)


def test_jackknife_of_rows():
    found = jackknife(PAIRS, correlation)
    assert_allclose(found.left_out, [correlation(np.delete(PAIRS, i, axis=0)) for i in range(20)])
    assert found.standard_error == pytest.approx(
        np.sqrt(19 / 20 * ((found.left_out - found.left_out.mean()) ** 2).sum())
    )


def test_jackknife_of_a_median_sees_two_values():
    x = np.sort(SKEWED[:24])
    assert set(jackknife(x, np.median).left_out) == {x[11], x[12]}
    assert jackknife(x, np.median).standard_error == pytest.approx(np.sqrt(23) * (x[12] - x[11]) / 2)


# ---------------------------------------------------------------- .632


@pytest.mark.equation("resampling-632", "resampling-632-plus")
def test_rules_by_hand():
    assert combine_632(0.1, 0.3).error == pytest.approx(0.368 * 0.1 + 0.632 * 0.3)
    overfitting = (0.3 - 0.1) / (0.5 - 0.1)
    weight = 0.632 / (1 - 0.368 * overfitting)
    found = combine_632(0.1, 0.3, 0.5)
    assert found.weight == pytest.approx(weight)
    assert found.error == pytest.approx((1 - weight) * 0.1 + weight * 0.3)
    assert np.isnan(combine_632(0.1, 0.3).no_information)


@pytest.mark.equation("resampling-632-plus")
def test_ends_of_the_plus_rule():
    assert combine_632(0.0, 0.6, 0.5).error == pytest.approx(0.5)  # capped
    assert combine_632(0.2, 0.2, 0.5).weight == pytest.approx(0.632)  # nothing is overfitted
    assert combine_632(0.4, 0.3, 0.5).error == pytest.approx(0.368 * 0.4 + 0.632 * 0.3)
    assert combine_632(0.4, 0.6, 0.3).error == pytest.approx(0.368 * 0.4 + 0.632 * 0.3)


@pytest.mark.equation("resampling-out-of-bag", "resampling-no-information")
def test_out_of_bag_error_instance_by_instance():
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(15, 2)), rng.choice(["a", "b", "c"], size=15)
    found = bootstrap_632(KNeighborsClassifier(3), X, y, n_resamples=30, random_state=10)
    draws, samples = np.random.default_rng(10), []
    while len(samples) < 30:
        rows = np.repeat(np.arange(15), bootstrap_counts(15, random_state=draws))
        if len(set(y[rows])) > 1:
            samples.append(rows)
    errors = []
    for i in range(15):
        fits = [KNeighborsClassifier(3).fit(X[r], y[r]) for r in samples if i not in r]
        errors.append(np.mean([fit.predict(X[[i]])[0] != y[i] for fit in fits]))
    assert found.out_of_bag == pytest.approx(np.mean(errors))
    fitted = KNeighborsClassifier(3).fit(X, y).predict(X)
    assert found.apparent == pytest.approx((fitted != y).mean())
    assert found.no_information == pytest.approx(np.mean([a != b for a in y for b in fitted]))
    assert found == combine_632(found.apparent, found.out_of_bag, found.no_information)
    plain = bootstrap_632(KNeighborsClassifier(3), X, y, plus=False, n_resamples=30, random_state=10)
    assert plain.error == pytest.approx(0.368 * found.apparent + 0.632 * found.out_of_bag)


class TwoClasses(DummyClassifier):
    """Says 0, and fails if it is shown one class only."""

    def fit(self, X, y):
        assert len(set(y)) == 2
        return super().fit(X, y)


def test_one_class_samples_are_drawn_again_and_a_full_sample_leaves_nobody_out():
    says_zero = TwoClasses(strategy="constant", constant=0)
    found = bootstrap_632(says_zero, np.arange(4.0)[:, None], [0, 0, 1, 1], n_resamples=200, random_state=0)
    assert found.apparent == found.out_of_bag == found.no_information == 0.5


# ---------------------------------------------------------------- permutation tests


@pytest.mark.equation("resampling-p-value")
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("paired", [False, True])
def test_all_exchanges_against_scipy(alternative, paired):
    rng = np.random.default_rng(11)
    x, y = rng.normal(size=6) + 0.7, rng.normal(size=6)
    kind = "samples" if paired else "independent"
    for statistic in (lambda a, b: a.mean() - b.mean(), lambda a, b: np.median(a) - np.median(b)):
        peer = scipy.stats.permutation_test((x, y), statistic, permutation_type=kind, alternative=alternative)
        ours = permutation_test(x, y, statistic, alternative=alternative, paired=paired)
        assert ours.p_value == pytest.approx(peer.pvalue)
        assert ours.statistic == pytest.approx(peer.statistic)


@pytest.mark.parametrize("paired", [False, True])
def test_random_exchanges_come_near_the_exact_value(paired):
    rng = np.random.default_rng(12)
    x, y = rng.normal(size=8) + 0.8, rng.normal(size=8)
    for side in ("greater", "less", "two-sided"):
        exact = permutation_test(x, y, alternative=side, paired=paired, n_resamples=10**5).p_value
        drawn = permutation_test(x, y, alternative=side, paired=paired, n_resamples=200, random_state=0).p_value
        assert drawn * 201 == pytest.approx(round(drawn * 201))
        assert drawn == pytest.approx(exact, abs=8 * np.sqrt(exact / 200) + 0.01)


@pytest.mark.equation("resampling-p-value")
def test_the_observed_value_counts_as_one_of_the_exchanges():
    x, y = np.arange(20.0) + 100, np.arange(20.0)
    assert permutation_test(x, y, alternative="greater", n_resamples=99, random_state=0).p_value == 0.01
    assert permutation_test(x, y, n_resamples=99, random_state=0).p_value == 0.02
    assert permutation_test(x, y, alternative="less", n_resamples=99, random_state=0).p_value == 1


@pytest.mark.equation("resampling-level")
def test_the_exact_test_keeps_every_level():
    pool = np.array([0.3, 1.1, 2.0, 2.0, 5.0, 5.0])
    p = []
    for pick in combinations(range(6), 3):
        x, y = pool[list(pick)], np.delete(pool, pick)
        p.append(permutation_test(x, y, alternative="greater").p_value)
    for level in np.arange(1, 20) / 20:
        assert (np.array(p) <= level + 1e-12).mean() <= level + 1e-12
    assert min(p) == 0.1  # two values are equal, so two splits share the largest difference


def test_a_vectorized_statistic_gives_the_same():
    x, y = SKEWED[:12], SKEWED[12:]
    found = [
        permutation_test(x, y, f, vectorized=v, n_resamples=300, random_state=1)
        for v, f in (
            (False, lambda a, b: np.median(a) - np.median(b)),
            (True, lambda a, b, axis: np.median(a, axis) - np.median(b, axis)),
        )
    ]
    assert found[0] == found[1]


# ---------------------------------------------------------------- comparing learners


@pytest.mark.equation("resampling-corrected")
def test_a_tiny_test_part_gives_the_naive_test():
    d = np.random.default_rng(13).normal(0.3, 1, size=12)
    peer = scipy.stats.ttest_1samp(d, 0)
    assert_allclose(corrected_resampled_ttest(d, 10**13, 1), [peer.statistic, peer.pvalue], rtol=1e-9)
    found = corrected_resampled_ttest(d, 90, 10)
    assert found.statistic == pytest.approx(peer.statistic * np.sqrt((1 / 12) / (1 / 12 + 1 / 9)))
    assert found.p_value == pytest.approx(2 * scipy.stats.t.sf(abs(found.statistic), 11))
    assert corrected_resampled_ttest(-d, 90, 10).p_value == found.p_value


@pytest.mark.equation("resampling-naive", "resampling-corrected")
def test_the_factor_of_the_corrected_test_from_the_covariance_matrix():
    J, n_train, n_test = 7, 80, 20
    rho = n_test / (n_train + n_test)
    Sigma = 3.0 * ((1 - rho) * np.eye(J) + rho)
    centring = np.eye(J) - 1 / J
    of_mean, of_spread = Sigma.sum() / J**2, np.trace(centring @ Sigma) / (J - 1)
    assert of_mean == pytest.approx(3 * (1 / J + (J - 1) / J * rho))
    assert of_spread == pytest.approx(3 * (1 - rho))
    d = np.arange(7.0)
    found = corrected_resampled_ttest(d, n_train, n_test).statistic
    assert found == pytest.approx(d.mean() / np.sqrt(of_mean / of_spread * d.var(ddof=1)))


@pytest.mark.equation("resampling-five-two", "resampling-five-two-f")
def test_five_by_two_by_hand():
    d = np.array([[4.0, 2], [1, 3], [5, 3], [0, 2], [3, 3]])
    pairs = [row.var(ddof=1) for row in d]
    found = five_by_two_test(d)
    assert found.statistic == pytest.approx(4 / np.sqrt(np.sum(pairs) / 5))
    assert found.p_value == pytest.approx(2 * scipy.stats.t.sf(found.statistic, 5))
    both = five_by_two_test(d, combined=True)
    assert both.statistic == pytest.approx((d**2).sum() / (2 * np.sum(pairs)))
    assert both.p_value == pytest.approx(scipy.stats.f.sf(both.statistic, 10, 5))
    assert five_by_two_test(-d).p_value == pytest.approx(found.p_value)


# ---------------------------------------------------------------- bad input

X3, Y3 = [[0.0], [1.0], [2.0]], [0, 1, 1]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: out_of_bag_probability(0), ValueError, "n must be at least 1"),
        (lambda: out_of_bag_probability(5, 0), ValueError, "n_draws must be at least 1"),
        (lambda: out_of_bag_probability(2.5), TypeError, "n must be an integer"),
        (lambda: bootstrap_counts(0), ValueError, "n must be at least 1"),
        (lambda: bootstrap_counts(3, 0), ValueError, "n_draws must be at least 1"),
        (lambda: bootstrap_counts(2, weight=[0, 0]), ValueError, "sample_weight is zero for every row"),
        (lambda: bootstrap_counts(2, weight=[-1, 2]), ValueError, "sample_weight must not be negative"),
        (lambda: bootstrap([1.0, 2.0], np.mean, n_resamples=1), ValueError, "n_resamples must be at least 2"),
        (lambda: bootstrap([1.0], np.mean), ValueError, "data must be a vector or a matrix with at least two rows"),
        (lambda: bootstrap(np.zeros((2, 2, 2)), np.mean), ValueError, r"got shape \(2, 2, 2\)"),
        (lambda: bootstrap(["a", "b"], np.mean), TypeError, "data must hold numbers"),
        (lambda: bootstrap([1.0, np.nan], np.mean), ValueError, "data must be finite"),
        (lambda: bootstrap([1.0, 2.0], lambda x: x), ValueError, "statistic must give one number for each of 1"),
        (lambda: bootstrap([1.0, 2.0], lambda x: np.nan), ValueError, "statistic must be finite"),
        (lambda: jackknife([1.0], np.mean), ValueError, "at least two rows"),
        (lambda: jackknife([1.0, 2.0], lambda x: "a"), TypeError, "statistic must hold numbers"),
        (lambda: percentile_interval([1.0]), ValueError, "replicates must hold at least two"),
        (lambda: percentile_interval([1.0, 2.0], 1.0), ValueError, "confidence_level must lie strictly between"),
        (lambda: percentile_interval([1.0, 2.0], 0.0), ValueError, "confidence_level must lie strictly between"),
        (lambda: basic_interval(1.0, [1.0, 2.0], 95), ValueError, "write 95 % as 0.95"),
        (lambda: basic_interval(np.inf, [1.0, 2.0]), ValueError, "estimate must be finite"),
        (lambda: bca_interval([1.0, 2.0], 0, 0, 1.2), ValueError, "confidence_level must lie strictly"),
        (lambda: bca_interval([1.0, 2.0], 0, 0.6), ValueError, "acceleration 0.6 is too large"),
        (lambda: bca_interval([1.0, 2.0], 0, -0.6), ValueError, "acceleration -0.6 is too large"),
        (lambda: bca_constants(3.0, [1.0, 2.0], [1.0, 2.0]), ValueError, "estimate 3 lies outside all replicates"),
        (lambda: bca_constants(0.0, [1.0, 2.0], [1.0, 2.0]), ValueError, "estimate 0 lies outside all replicates"),
        (lambda: bca_constants(1.5, [1.0, 2.0], [1.0, 1.0]), ValueError, "a degenerate jackknife"),
        (lambda: bootstrap_interval(SKEWED, np.mean, confidence_level=0), ValueError, "confidence_level must lie"),
        (lambda: bootstrap_interval(SKEWED, np.mean, method="BCa"), ValueError, "method must be one of"),
        (lambda: bootstrap_interval(SKEWED, np.mean, n_resamples=1), ValueError, "n_resamples must be at least 2"),
        (lambda: bootstrap_interval([1.0, 1.0], np.mean), ValueError, "a degenerate jackknife"),
        (lambda: combine_632(1.2, 0.1), ValueError, "apparent must be a share"),
        (lambda: combine_632(0.1, -0.1), ValueError, "out_of_bag must be finite and at least 0"),
        (lambda: combine_632(0.1, 0.1, 1.1), ValueError, "no_information must be a share"),
        (lambda: bootstrap_632(DummyClassifier(), X3, [0, 0, 0]), ValueError, "at least two classes"),
        (lambda: bootstrap_632(DummyClassifier(), X3, [0, 1]), ValueError, "y must be a vector of shape"),
        (lambda: bootstrap_632(DummyClassifier(), X3, Y3, n_resamples=1), ValueError, "n_resamples must be at least 2"),
        (
            lambda: bootstrap_632(DummyClassifier(), [[0.0], [1.0]], [0, 1]),
            ValueError,
            "2 instances are in every bootstrap sample",
        ),
        (lambda: permutation_test([1.0], [2.0], alternative="both"), ValueError, "alternative must be one of"),
        (lambda: permutation_test([1.0, 2.0], [2.0], paired=True), ValueError, "x and y must have one length"),
        (lambda: permutation_test([1.0], [2.0], n_resamples=1), ValueError, "n_resamples must be at least 2"),
        (lambda: permutation_test([np.nan], [2.0]), ValueError, "x must be finite"),
        (lambda: permutation_test([1.0], ["a"]), TypeError, "y must hold numbers"),
        (lambda: permutation_test([1.0], [2.0], lambda a, b: a - b), ValueError, "statistic must give one number"),
        (lambda: corrected_resampled_ttest([0.1], 9, 1), ValueError, "differences must hold at least two different"),
        (lambda: corrected_resampled_ttest([0.1, 0.1], 9, 1), ValueError, "two different numbers"),
        (lambda: corrected_resampled_ttest([0.1, 0.2], 9, 0), ValueError, "n_test must be at least 1"),
        (lambda: corrected_resampled_ttest([0.1, 0.2], 0, 1), ValueError, "n_train must be at least 1"),
        (lambda: five_by_two_test(np.ones((5, 2))), ValueError, "agree in every row"),
        (lambda: five_by_two_test(np.ones((2, 5))), ValueError, "differences must"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
