"""Evaluation: published numbers, independent routes, laws, extremes, errors."""

import itertools
import math
import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sklearn.metrics as peer
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import mannwhitneyu
from sklearn.exceptions import UndefinedMetricWarning

from notes_lib.foundations.evaluation import (
    accuracy_score,
    adjusted_rand_score,
    average_precision_score,
    brier_score_loss,
    cohen_kappa_score,
    confusion_matrix,
    f1_score,
    fbeta_score,
    log_loss,
    matthews_corrcoef,
    mean_absolute_error,
    mean_cost,
    mean_squared_error,
    minimum_cost_decision,
    normalized_mutual_info_score,
    one_vs_rest_counts,
    pair_counts,
    precision_recall_curve,
    precision_score,
    purity_score,
    r2_score,
    rand_score,
    recall_score,
    roc_auc_score,
    roc_auc_standard_error,
    roc_curve,
    specificity_score,
    type_i_error,
    type_ii_error,
)

CLASS_SCORES = [precision_score, recall_score, specificity_score, type_i_error, type_ii_error, f1_score]
CLUSTER_SCORES = [purity_score, rand_score, adjusted_rand_score, normalized_mutual_info_score]


def from_table(table):
    """Labels whose confusion matrix (rows true, columns predicted) is ``table``."""
    cells = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return np.array(cells).T


def from_counts(tp, fn, fp, tn):
    return from_table([[tn, fp], [fn, tp]])


def labels(seed, n=60, K=2, skill=0.6):
    """Imbalanced true labels with every class present, and predictions that are right with chance ``skill``."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(K), rng.choice(K, n - K, p=rng.dirichlet(np.full(K, 3.0)))]
    guess = np.where(rng.random(n) < skill, y, rng.integers(0, K, n))
    guess[:K] = rng.permutation(K)
    order = rng.permutation(n)
    return y[order], guess[order]


def scored(seed, n=40, levels=8):
    """Labels of both classes and scores on few levels, so that many are tied."""
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, rng.integers(0, 2, n - 2)]
    return y, (rng.integers(0, levels, n) + rng.integers(0, 3, n) * y) / 4 - 1


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation(
    "evaluation-precision", "evaluation-recall", "evaluation-specificity", "evaluation-type-i", "evaluation-type-ii"
)
def test_faecal_occult_blood_screen():
    # Wikipedia, "Sensitivity and specificity": 2030 people, 30 of them ill
    y, guess = from_counts(tp=20, fn=10, fp=180, tn=1820)
    sensitivity, specificity = recall_score(y, guess), specificity_score(y, guess)
    fpr, fnr = type_i_error(y, guess), type_ii_error(y, guess)
    npv = precision_score(y, guess, pos_label=0)
    found = {
        "sensitivity": sensitivity,
        "specificity": specificity,
        "precision": precision_score(y, guess),
        "npv": npv,
        "fpr": fpr,
        "fnr": fnr,
        "false omission rate": 1 - npv,
        "accuracy": accuracy_score(y, guess),
        "f1": f1_score(y, guess),
        "prevalence": y.mean(),
        "balanced accuracy": recall_score(y, guess, average="macro"),
        "informedness": sensitivity + specificity - 1,
    }
    published = [0.667, 0.91, 0.1, 0.995, 0.09, 0.333, 0.0055, 0.9064, 0.174, 0.0148, 0.788, 0.577]
    assert_allclose(list(found.values()), published, rtol=0, atol=6e-4, err_msg=str(found))
    assert_allclose([sensitivity / fpr, fnr / specificity], [7.41, 0.366], rtol=0, atol=0.005)
    assert_allclose(sensitivity / fpr / (fnr / specificity), 20.2, rtol=0, atol=0.05)  # diagnostic odds ratio


@pytest.mark.equation("evaluation-kappa", "evaluation-confusion", "evaluation-accuracy")
def test_kappa_of_congalton_and_green():
    # Congalton and Green (1999), p. 108, analyst 1; rows are the map, columns the reference, so the table is transposed
    table = np.array([[65, 4, 22, 24], [6, 81, 5, 8], [0, 11, 85, 19], [4, 7, 3, 90]])
    mapped, reference = from_table(table)
    C = confusion_matrix(reference, mapped)
    assert_array_equal(C, table.T)
    assert_array_equal(C.sum(axis=0), [115, 100, 115, 104])
    assert_array_equal(C.sum(axis=1), [75, 103, 115, 141])
    assert_allclose(accuracy_score(reference, mapped), 0.74, rtol=0, atol=0.006)
    assert_allclose(cohen_kappa_score(reference, mapped), 0.65, rtol=0, atol=0.006)


@pytest.mark.equation("evaluation-kappa")
@pytest.mark.parametrize(
    ("table", "kappa"), [([[20, 5], [10, 15]], 0.4), ([[45, 15], [25, 15]], 0.1304), ([[25, 35], [5, 35]], 0.2593)]
)
def test_kappa_of_grant_reviewers(table, kappa):
    # Wikipedia, "Cohen's kappa"
    assert_allclose(cohen_kappa_score(*from_table(table)), kappa, rtol=0, atol=6e-5)


@pytest.mark.equation("evaluation-mcc", "evaluation-mcc-multiclass")
def test_matthews_of_smile():
    # unit test MatthewsCorrelationTest of haifengl/smile
    assert_allclose(matthews_corrcoef(*from_counts(tp=25, fn=5, fp=2, tn=68)), 0.83068, rtol=0, atol=1e-5)


FAWCETT_SCORES = [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505]
FAWCETT_SCORES += [0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.3, 0.1]
FAWCETT_LABELS = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]


@pytest.mark.equation("evaluation-roc", "evaluation-auc-pairs")
def test_fawcett_twenty_instances():
    # Fawcett (2006), figure 3: the most accurate point is (0.1, 0.5), threshold 0.54, 70 %; at 0.5 only 60 % are right
    fpr, tpr, thresholds = roc_curve(FAWCETT_LABELS, FAWCETT_SCORES, drop_intermediate=False)
    assert_allclose(thresholds[1:], FAWCETT_SCORES)
    accuracy = (10 * tpr + 10 * (1 - fpr)) / 20
    best = accuracy.argmax()
    assert_allclose([accuracy[best], thresholds[best], fpr[best], tpr[best]], [0.7, 0.54, 0.1, 0.5], rtol=1e-12)
    assert_allclose(accuracy_score(FAWCETT_LABELS, np.array(FAWCETT_SCORES) >= 0.5), 0.6, rtol=1e-12)
    assert_allclose(roc_auc_score(FAWCETT_LABELS, FAWCETT_SCORES), 0.68, rtol=1e-12)


@pytest.mark.equation("evaluation-auc-pairs")
def test_hanley_and_mcneil_ct_ratings():
    # Hanley and McNeil (1982), table I: 109 CT images rated from 1 to 5, so nearly all pairs of one rating are tied
    ratings = np.repeat(np.tile([1, 2, 3, 4, 5], 2), [33, 6, 6, 11, 2, 3, 2, 2, 11, 33])
    abnormal = np.repeat([0, 1], [58, 51])
    A = roc_auc_score(abnormal, ratings)
    assert_allclose(A, 0.893, rtol=0, atol=6e-4)


@pytest.mark.equation("evaluation-roc", "evaluation-auc-pairs", "evaluation-average-precision")
def test_scikit_learn_docs():
    y, score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    curve = roc_curve(y, score)
    assert_array_equal(curve.fpr, [0, 0, 0.5, 0.5, 1])
    assert_array_equal(curve.tpr, [0, 0.5, 0.5, 1, 1])
    assert_array_equal(curve.thresholds, [np.inf, 0.8, 0.4, 0.35, 0.1])
    assert roc_auc_score(y, score) == 0.75
    assert_allclose(average_precision_score(y, score), 0.83, rtol=0, atol=0.004)
    assert mean_squared_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]) == 0.375
    assert mean_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]) == 0.5
    assert_allclose(r2_score([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]), 0.948, rtol=0, atol=1e-3)


@pytest.mark.equation(
    "evaluation-purity", "evaluation-pairs", "evaluation-rand", "evaluation-mutual-information", "evaluation-nmi"
)
def test_clusters_of_manning_raghavan_schuetze():
    # Introduction to Information Retrieval (2008), section 16.3: 17 points, 3 clusters
    clusters, classes = np.repeat([1, 2, 3], [6, 6, 5]), list("xxxxxoxoooodxxddd")
    assert pair_counts(classes, clusters) == (20, 20, 24, 72)
    assert_allclose(purity_score(classes, clusters), 0.71, rtol=0, atol=0.006)
    assert_allclose(rand_score(classes, clusters), 0.68, rtol=0, atol=0.006)
    assert_allclose(normalized_mutual_info_score(classes, clusters), 0.36, rtol=0, atol=0.006)
    pairs = from_counts(*(pair_counts(classes, clusters)[i] for i in (0, 2, 1, 3)))  # each pair as one decision
    assert_allclose(f1_score(*pairs), 0.48, rtol=0, atol=0.006)
    assert_allclose(fbeta_score(*pairs, beta=5), 0.46, rtol=0, atol=0.006)
    assert_allclose(rand_score(classes, clusters), accuracy_score(*pairs), rtol=1e-12)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("evaluation-confusion", "evaluation-counts")
@pytest.mark.parametrize("seed", range(4))
def test_confusion_matrix_by_counting(seed):
    y, guess = labels(seed, K=2 + seed)
    C = confusion_matrix(y, guess)
    for i, j in np.ndindex(C.shape):
        assert C[i, j] == sum(t == i and p == j for t, p in zip(y, guess, strict=True))
    counts = one_vs_rest_counts(C)
    for k in range(len(C)):
        assert counts.tp[k] == np.sum((y == k) & (guess == k))
        assert counts.fn[k] == np.sum((y == k) & (guess != k))
        assert counts.fp[k] == np.sum((y != k) & (guess == k))
        assert counts.tn[k] == np.sum((y != k) & (guess != k))


def test_confusion_matrix_normalised_and_selected():
    y, guess = labels(7, K=4)
    for normalize in [None, "true", "pred", "all"]:
        for chosen in [None, [3, 0, 1, 2], [2, 0], [1, 9]]:
            ours = confusion_matrix(y, guess, labels=chosen, normalize=normalize)
            assert_allclose(ours, peer.confusion_matrix(y, guess, labels=chosen, normalize=normalize), rtol=1e-13)
    assert_array_equal(confusion_matrix([0, 0, 1], [0, 0, 1], normalize="true"), np.eye(2))  # a row with one instance
    by_row = confusion_matrix(y, guess, normalize="true")
    assert_allclose(np.diag(by_row), recall_score(y, guess, average=None), rtol=1e-13)
    by_column = confusion_matrix(y, guess, normalize="pred")
    assert_allclose(np.diag(by_column), precision_score(y, guess, average=None), rtol=1e-13)


@pytest.mark.equation("evaluation-type-i", "evaluation-type-ii")
@pytest.mark.parametrize("seed", range(4))
def test_rates_from_their_definitions(seed):
    y, guess = (v.astype(bool) for v in labels(seed))
    tp, fn, fp, tn = (int(np.sum(v)) for v in (y & guess, y & ~guess, ~y & guess, ~y & ~guess))
    assert_allclose(type_i_error(y, guess), fp / (fp + tn), rtol=1e-14)
    assert_allclose(type_ii_error(y, guess), fn / (fn + tp), rtol=1e-14)
    assert_allclose(specificity_score(y, guess), tn / (tn + fp), rtol=1e-14)
    assert_allclose(precision_score(y, guess), tp / (tp + fp), rtol=1e-14)
    assert_allclose(recall_score(y, guess), tp / (tp + fn), rtol=1e-14)
    assert_allclose(accuracy_score(y, guess), np.mean(y == guess), rtol=1e-14)
    phi = (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    assert_allclose(matthews_corrcoef(y, guess), phi, rtol=1e-12, atol=1e-15)
    assert_allclose(phi, np.corrcoef(y, guess)[0, 1], rtol=1e-12, atol=1e-15)


@pytest.mark.equation("evaluation-micro", "evaluation-macro", "evaluation-f-beta-counts")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", None])
def test_averages_as_scikit_learn(seed, average):
    y, guess = labels(seed, K=3 + seed)
    for ours, theirs in [
        (precision_score, peer.precision_score),
        (recall_score, peer.recall_score),
        (f1_score, peer.f1_score),
    ]:
        assert_allclose(ours(y, guess, average=average), theirs(y, guess, average=average), rtol=1e-12)
    for beta in (0, 0.5, 3.0):
        expected = peer.fbeta_score(y, guess, beta=beta, average=average)
        assert_allclose(fbeta_score(y, guess, beta=beta, average=average), expected, rtol=1e-12)
    each = [specificity_score(y == k, guess == k) for k in range(3 + seed)]
    expected = {"micro": None, "macro": np.mean(each), "weighted": np.average(each, weights=np.bincount(y)), None: each}
    if average != "micro":
        assert_allclose(specificity_score(y, guess, average=average), expected[average], rtol=1e-12)


@pytest.mark.parametrize("zero_division", [0, 1, np.nan])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", None])
def test_zero_division_as_scikit_learn(zero_division, average):
    for y, guess in [([0, 0, 1, 2], [0, 1, 1, 1]), ([0, 0, 0], [1, 1, 1]), ([0, 1, 1], [2, 2, 2]), ([3, 3], [3, 3])]:
        for ours, theirs in [(precision_score, peer.precision_score), (recall_score, peer.recall_score)]:
            kw = {"average": average, "zero_division": zero_division}
            assert_allclose(ours(y, guess, **kw), theirs(y, guess, **kw), rtol=1e-13, err_msg=f"{y} {guess}")
    nothing = {"average": average, "zero_division": zero_division}
    assert_allclose(specificity_score([1, 1], [1, 1], **nothing), np.full(1 if average is None else (), zero_division))


@pytest.mark.equation("evaluation-weighted-kappa", "evaluation-kappa", "evaluation-mcc-multiclass")
@pytest.mark.parametrize("seed", range(4))
def test_kappa_and_matthews_as_scikit_learn(seed):
    a, b = labels(seed, K=2 + seed)
    C = confusion_matrix(a, b) / len(a)
    p_o, p_e = np.trace(C), C.sum(axis=1) @ C.sum(axis=0)
    assert_allclose(cohen_kappa_score(a, b), (p_o - p_e) / (1 - p_e), rtol=1e-12, atol=1e-14)
    for weights in [None, "linear", "quadratic"]:
        for chosen in [None, list(range(2 + seed))[::-1], [1, 0]]:
            expected = peer.cohen_kappa_score(a, b, weights=weights, labels=chosen)
            assert_allclose(cohen_kappa_score(a, b, weights=weights, labels=chosen), expected, rtol=1e-12, atol=1e-14)
    assert_allclose(matthews_corrcoef(a, b), peer.matthews_corrcoef(a, b), rtol=1e-12, atol=1e-14)


@pytest.mark.equation("evaluation-roc", "evaluation-pr", "evaluation-average-precision")
@pytest.mark.parametrize("seed", range(6))
def test_curves_as_scikit_learn(seed):
    y, score = scored(seed)
    weights = np.random.default_rng(seed).integers(1, 4, len(y))
    for drop, w, t in itertools.product((True, False), (None, weights), (score, 0 * score, np.arange(len(y)))):
        ours, theirs = (f(y, t, sample_weight=w, drop_intermediate=drop) for f in (roc_curve, peer.roc_curve))
        for a, b in zip(ours, theirs, strict=True):
            assert_allclose(a, b, rtol=1e-13)
    for a, b in zip(precision_recall_curve(y, score), peer.precision_recall_curve(y, score), strict=True):
        assert_allclose(a, b, rtol=1e-13)
    assert_allclose(average_precision_score(y, score), peer.average_precision_score(y, score), rtol=1e-13)
    for negative in (0, -1):  # the other class as the positive one, and the other coding
        coded = np.where(y == 1, 1, negative)
        for a, b in zip(roc_curve(coded, -score, pos_label=negative), peer.roc_curve(1 - y, -score), strict=True):
            assert_allclose(a, b, rtol=1e-13)
        other = average_precision_score(coded, -score, pos_label=negative)
        assert_allclose(other, peer.average_precision_score(1 - y, -score), rtol=1e-13)


@pytest.mark.equation("evaluation-roc", "evaluation-pr")
@pytest.mark.parametrize("seed", range(3))
def test_every_point_of_a_curve_is_a_confusion_matrix(seed):
    y, score = scored(seed, n=25)
    for fpr, tpr, t in zip(*roc_curve(y, score, drop_intermediate=False), strict=True):
        assert_allclose([fpr, tpr], [type_i_error(y, score >= t), recall_score(y, score >= t)], rtol=1e-13)
    curve = precision_recall_curve(y, score)
    assert (curve.precision[-1], curve.recall[-1]) == (1, 0)
    for precision, recall, t in zip(curve.precision[:-1], curve.recall[:-1], curve.thresholds, strict=True):
        assert_allclose([precision, recall], [precision_score(y, score >= t), recall_score(y, score >= t)], rtol=1e-13)


@pytest.mark.equation("evaluation-auc-pairs", "evaluation-auc-area")
@pytest.mark.parametrize("seed", range(6))
def test_auc_by_pairs_by_area_and_by_ranks(seed):
    y, score = scored(seed)
    pairs = [Fraction(int(p > q) * 2 + int(p == q), 2) for p in score[y == 1] for q in score[y == 0]]
    assert len({*score}) < len(score)  # ties are there
    by_pairs = float(sum(pairs) / len(pairs))
    assert_allclose(roc_auc_score(y, score), by_pairs, rtol=1e-13)
    for drop in (True, False):
        fpr, tpr, _ = roc_curve(y, score, drop_intermediate=drop)
        assert_allclose(np.trapezoid(tpr, fpr), by_pairs, rtol=1e-13)
    U = mannwhitneyu(score[y == 1], score[y == 0]).statistic
    assert_allclose(U / (y.sum() * (1 - y).sum()), by_pairs, rtol=1e-13)
    assert_allclose(roc_auc_score(np.where(y == 1, "ill", "healthy"), score), by_pairs, rtol=1e-13)


@pytest.mark.equation("evaluation-mse", "evaluation-mae", "evaluation-r2")
def test_regression_as_scikit_learn():
    rng = np.random.default_rng(0)
    y = rng.normal(3, 2, 50)
    guess = y + rng.normal(0.5, 1, 50)
    assert_allclose(mean_squared_error(y, guess), peer.mean_squared_error(y, guess), rtol=1e-13)
    assert_allclose(mean_absolute_error(y, guess), peer.mean_absolute_error(y, guess), rtol=1e-13)
    assert_allclose(r2_score(y, guess), peer.r2_score(y, guess), rtol=1e-12)
    assert_allclose(r2_score(y, guess), 1 - mean_squared_error(y, guess) / y.var(), rtol=1e-12)
    assert_allclose(r2_score(y, np.full(50, y.mean())), 0, rtol=0, atol=1e-14)
    assert_allclose(mean_squared_error(y[:, None], guess[:, None]), mean_squared_error(y, guess), rtol=1e-15)


@pytest.mark.equation("evaluation-pairs", "evaluation-contingency")
@pytest.mark.parametrize("seed", range(4))
def test_pairs_by_enumeration(seed):
    a, b = labels(seed, n=30, K=2 + seed)
    together = [(a[i] == a[j], b[i] == b[j]) for i, j in itertools.combinations(range(30), 2)]
    expected = [together.count(kind) for kind in [(True, True), (False, True), (True, False), (False, False)]]
    assert_array_equal(pair_counts(a, b), expected)


@pytest.mark.equation(
    "evaluation-adjusted-rand", "evaluation-nmi", "evaluation-mutual-information", "evaluation-purity"
)
@pytest.mark.parametrize("seed", range(4))
def test_clusters_as_scikit_learn(seed):
    a, b = labels(seed, K=3 + seed)
    assert_allclose(rand_score(a, b), peer.rand_score(a, b), rtol=1e-13)
    assert_allclose(adjusted_rand_score(a, b), peer.adjusted_rand_score(a, b), rtol=1e-12, atol=1e-14)
    for method in ["arithmetic", "geometric", "min", "max"]:
        ours = normalized_mutual_info_score(a, b, average_method=method)
        assert_allclose(ours, peer.normalized_mutual_info_score(a, b, average_method=method), rtol=1e-11, atol=1e-14)
    assert_allclose(purity_score(a, b), peer.cluster.contingency_matrix(a, b).max(axis=0).sum() / len(a), rtol=1e-13)


def test_adjusted_rand_is_zero_on_average():
    rng = np.random.default_rng(1)
    a, b = np.repeat([0, 1, 2], 20), np.repeat([0, 1, 2, 3], 15)
    shuffled = [(rand_score(a, c), adjusted_rand_score(a, c)) for c in (rng.permutation(b) for _ in range(2000))]
    plain, adjusted = np.mean(shuffled, axis=0)
    standard_error = np.std(shuffled, axis=0)[1] / math.sqrt(2000)
    assert abs(adjusted) < 4 * standard_error
    assert plain > 0.5


# --------------------------------------------------------------------------------------------------------------- laws

binary = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=30)
partitions = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=25)


@pytest.mark.equation("evaluation-type-i", "evaluation-type-ii", "evaluation-micro", "evaluation-f-beta")
@given(binary)
def test_complements_and_symmetries(pairs):
    y, guess = np.array([[True, True], [True, False], [False, True], [False, False], *pairs]).T
    assert_allclose(type_i_error(y, guess), 1 - specificity_score(y, guess), rtol=1e-12)
    assert_allclose(type_ii_error(y, guess), 1 - recall_score(y, guess), rtol=1e-12)
    assert_allclose(specificity_score(y, guess), recall_score(y, guess, pos_label=False), rtol=1e-12)
    assert_allclose(precision_score(y, guess), recall_score(guess, y), rtol=1e-12)  # transposing the table
    for score in (precision_score, recall_score, f1_score):
        assert_allclose(score(y, guess, average="micro"), accuracy_score(y, guess), rtol=1e-12)
    precision, recall = precision_score(y, guess), recall_score(y, guess)
    for beta in (0.5, 1.0, 2.0):
        expected = (1 + beta**2) / (1 / precision + beta**2 / recall)
        assert_allclose(fbeta_score(y, guess, beta=beta), expected, rtol=1e-12)
        assert min(precision, recall) - 1e-12 <= expected <= max(precision, recall) + 1e-12
    for agreement in (cohen_kappa_score, matthews_corrcoef):
        assert_allclose(agreement(y, guess), agreement(guess, y), rtol=1e-12, atol=1e-15)
        assert_allclose(agreement(~y, ~guess), agreement(y, guess), rtol=1e-12, atol=1e-15)
        assert -1 - 1e-12 <= agreement(y, guess) <= 1 + 1e-12
        assert_allclose(agreement(y, y), 1, rtol=1e-12)
    assert abs(cohen_kappa_score(y, guess)) <= abs(matthews_corrcoef(y, guess)) + 1e-12


@pytest.mark.equation("evaluation-bayes")
@given(st.integers(1, 50), st.integers(1, 50), st.integers(1, 50), st.integers(0, 50), st.integers(1, 20))
def test_precision_follows_the_prevalence_and_the_rates_do_not(tp, fn, fp, tn, factor):
    y, guess = from_counts(tp, fn, fp, tn)
    Y, GUESS = from_counts(tp, fn, factor * fp, factor * tn)  # the positive class becomes rarer
    for rate in (recall_score, specificity_score, type_i_error, type_ii_error):
        assert_allclose(rate(Y, GUESS), rate(y, guess), rtol=1e-12)
    prevalence = np.mean(Y)
    hits, alarms = recall_score(y, guess) * prevalence, type_i_error(y, guess) * (1 - prevalence)
    assert_allclose(precision_score(Y, GUESS), hits / (hits + alarms), rtol=1e-12)


@pytest.mark.equation("evaluation-auc-pairs", "evaluation-pr")
@given(st.integers(0, 10**6))
def test_rankings(seed):
    y, score = scored(seed, n=20)
    A = roc_auc_score(y, score)
    assert_allclose(roc_auc_score(y, np.exp(3 * score)), A, rtol=1e-12)  # any increasing map
    assert_allclose(roc_auc_score(y, -score), 1 - A, rtol=1e-12, atol=1e-15)
    assert_allclose(roc_auc_score(1 - y, -score), A, rtol=1e-12, atol=1e-15)
    fpr, tpr, thresholds = roc_curve(y, score)
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(fpr) >= 0).all()
    assert (np.diff(tpr) >= 0).all()
    assert (np.diff(thresholds) < 0).all()
    curve = precision_recall_curve(y, score)
    assert (np.diff(curve.recall) <= 0).all()
    assert (np.diff(curve.thresholds) > 0).all()
    assert_allclose(curve.precision[0], y.mean(), rtol=1e-12)  # everything is called positive
    assert y.mean() / len(y) <= average_precision_score(y, score) <= 1 + 1e-12


@pytest.mark.equation("evaluation-rand", "evaluation-adjusted-rand", "evaluation-nmi", "evaluation-purity")
@given(partitions)
def test_partitions(pairs):
    a, b = np.array(pairs).T
    for score in (rand_score, adjusted_rand_score, normalized_mutual_info_score):
        value = score(a, b)
        assert_allclose(score(b, a), value, rtol=1e-10, atol=1e-12)
        assert_allclose(score(a, (b * 3 + 2) % 5), value, rtol=1e-10, atol=1e-12)  # other names
        assert_allclose(score(a, (a * 3 + 2) % 5), 1, rtol=1e-12)
        assert value <= 1 + 1e-12
    assert rand_score(a, b) >= 0
    assert normalized_mutual_info_score(a, b) >= 0
    finer = 5 * b + np.arange(len(b)) % 2
    assert purity_score(a, finer) >= purity_score(a, b) >= np.bincount(a).max() / len(a) - 1e-12
    assert purity_score(a, np.arange(len(a))) == 1
    assert sum(pair_counts(a, b)) == len(a) * (len(a) - 1) // 2


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.parametrize(
    "recode",
    [
        lambda a: (100 * a - 100).astype(np.int8),  # differences do not fit the type
        lambda a: a.astype(np.uint8) + 253,
        lambda a: a.astype(np.int64) * 10**17 - 10**17,
        lambda a: a.astype(np.uint64) + np.uint64(2**63),
        lambda a: a.astype(float) * 1e300,
        lambda a: a[:, None],
        lambda a: np.array(["a", "bb", "c"])[a],
        lambda a: np.array(["a", "bb", "c"], dtype=object)[a],
        lambda a: a.astype(object),
        lambda a: np.repeat(a, 2)[::2],
        lambda a: [str(v) for v in a],
    ],
)
def test_labels_of_any_type(recode):
    y, guess = labels(3, K=3)
    C = confusion_matrix(recode(y), recode(guess))
    assert_array_equal(C, confusion_matrix(y, guess))
    assert_array_equal(recall_score(recode(y), recode(guess), average=None), recall_score(y, guess, average=None))
    for score in CLUSTER_SCORES:
        assert_allclose(score(recode(y), guess), score(y, guess), rtol=1e-13)


def test_integers_of_two_types_and_gaps():
    C = confusion_matrix(np.array([-5, 900, 900], dtype=np.int16), np.array([7, 900, 7], dtype=np.uint64))
    assert_array_equal(C, [[0, 1, 0], [0, 0, 0], [0, 1, 1]])
    assert f1_score([True, False, True], [True, True, True]) == f1_score([1, 0, 1], [1, 1, 1])


def test_positive_class_by_name():
    y, guess = ["ill", "ill", "ill", "well"], ["ill", "ill", "well", "ill"]
    assert_allclose(precision_score(y, guess, pos_label="ill"), 2 / 3, rtol=1e-13)
    assert precision_score(y, guess, pos_label="well") == 0
    assert_allclose(type_ii_error(y, guess, pos_label="ill"), 1 / 3, rtol=1e-13)


def test_only_one_label():
    assert precision_score([1, 1], [1, 1]) == 1
    assert specificity_score([0, 0], [0, 0]) == 1  # the absent class 1 is positive
    assert recall_score([0, 0], [0, 0], zero_division=0.0) == 0
    assert matthews_corrcoef([1, 1, 0], [1, 1, 1]) == 0
    assert matthews_corrcoef([1, 1], [1, 1]) == 0
    assert confusion_matrix([4, 4], [4, 4]).tolist() == [[2]]


@pytest.mark.equation("evaluation-auc-pairs", "evaluation-average-precision")
def test_rankings_without_information_and_perfect_ones():
    y = np.array([0, 1] * 10)
    assert roc_auc_score(y, np.ones(20)) == 0.5
    assert roc_curve(y, np.ones(20)).tpr.tolist() == [0, 1]
    assert average_precision_score(y, np.ones(20)) == 0.5
    assert roc_auc_score(y, y) == average_precision_score(y, y) == 1
    assert roc_auc_score(y, -y) == 0
    tiny = y + 1e-16 * np.arange(20)
    assert roc_auc_score(y, 1e-300 * tiny) == 1


def test_a_hundred_thousand_instances():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 100_000)
    score = (rng.normal(size=100_000) + y).round(2).astype(np.float32)
    assert_allclose(roc_auc_score(y, score), peer.roc_auc_score(y, score), rtol=1e-12)
    assert_allclose(average_precision_score(y, score), peer.average_precision_score(y, score), rtol=1e-10)
    order = rng.permutation(100_000)
    assert roc_auc_score(y[order], score[order]) == roc_auc_score(y, score)
    big = np.arange(100_000)  # a dense table would have 10^10 cells
    assert adjusted_rand_score(big, big) == rand_score(big, big[::-1]) == 1
    assert_allclose(normalized_mutual_info_score(big, big // 2), 2 * math.log(5e4) / math.log(5e9), rtol=1e-12)
    assert_allclose(matthews_corrcoef(y, score > 0.5), peer.matthews_corrcoef(y, score > 0.5), rtol=1e-10)


@pytest.mark.equation("evaluation-nmi", "evaluation-rand")
def test_trivial_partitions():
    one, each = [0, 0, 0], [0, 1, 2]
    assert [score(one, one) for score in CLUSTER_SCORES] == [1, 1, 1, 1]
    assert [score(each, each) for score in CLUSTER_SCORES] == [1, 1, 1, 1]
    assert [score(one, each) for score in CLUSTER_SCORES] == [1, 0, 0, 0]
    assert [score(each, one) for score in CLUSTER_SCORES] == [1 / 3, 0, 0, 0]
    assert [score([5], ["a"]) for score in CLUSTER_SCORES] == [1, 1, 1, 1]
    assert normalized_mutual_info_score([0, 0, 1, 1], [0, 1, 0, 1]) == 0
    assert normalized_mutual_info_score([0] * 11 + [1] * 11, ([0] * 5 + [1] * 6) * 2) >= 0  # the sum of logs is -6e-17


def test_regression_far_from_zero():
    y = 1e8 + np.arange(5.0)
    assert_allclose(r2_score(y, y + 1), 1 - 5 / 10, rtol=1e-12)
    assert r2_score([1, 2], [1, 2]) == 1


@pytest.mark.equation("evaluation-r2")
@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e200, 1e300])
def test_r2_has_no_unit(scale):  # the squares of such targets are 0 or infinite
    y, guess = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])
    with warnings.catch_warnings(action="error"):
        assert_allclose(r2_score(scale * y, scale * guess), 0.5, rtol=1e-12)
        assert_allclose(r2_score(scale * y, scale * guess[::-1]), -5.5, rtol=1e-12)


@pytest.mark.equation("evaluation-f-beta")
def test_a_large_beta_is_recall():
    y, guess = from_counts(tp=3, fn=1, fp=5, tn=2)
    for beta in (1e9, 1e160, 1e300):
        with warnings.catch_warnings(action="error"):
            assert_allclose(fbeta_score(y, guess, beta=beta), recall_score(y, guess), rtol=1e-12)


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("y", "guess", "message"),
    [
        ([], [], "y_true must be a vector of at least one label"),
        ([[0, 1]], [[0, 1]], r"y_true must be a vector of at least one label, got shape \(1, 2\)"),
        ([0, 1], [0, 1, 1], "y_true and y_pred must have one length, got 2 and 3"),
        ([0, np.nan], [0, 1], "Input y_true contains NaN, which is no label"),
        ([0, 1], [0, np.inf], "Input y_pred contains infinity or a value too large for a float, which is no label"),
        ([0, 1], [0.2, 0.9], "y_pred holds fractions, .*: compare scores with a threshold"),
        ([0, 1], ["0", "1"], r"Mix of label input types \(string and number\) in y_true and y_pred"),
        (np.array([0, "a"], dtype=object), [0, 1], "y_true mixes text with numbers or None"),
        (np.array(["b", None], dtype=object), ["a", "b"], "y_true mixes text with numbers or None"),
        ([0, 1j], [0, 1], "y_true must hold numbers or text as labels, got dtype complex"),
    ],
)
def test_bad_labels(y, guess, message):
    kw = {"beta": 1.0}
    for function in [confusion_matrix, accuracy_score, matthews_corrcoef, *CLASS_SCORES]:
        with pytest.raises(ValueError, match=message):
            function(y, guess)
    with pytest.raises(ValueError, match=message.replace("y_true", "y1").replace("y_pred", "y2")):
        cohen_kappa_score(y, guess)  # its arguments have other names
    with pytest.raises(ValueError, match=message):
        fbeta_score(y, guess, **kw)


@pytest.mark.parametrize("score", [*CLUSTER_SCORES, pair_counts])
def test_bad_partitions(score):
    with pytest.raises(ValueError, match="labels_true and labels_pred must have one length, got 2 and 3"):
        score([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="labels_pred must be a vector of at least one label"):
        score([0, 1], [])
    with pytest.raises(ValueError, match="Input labels_true contains NaN"):
        score([0, np.nan], [0, 1])


@pytest.mark.parametrize("score", CLASS_SCORES)
def test_bad_choices(score):
    with pytest.raises(ValueError, match=r"3 classes, but average='binary' is for two: choose average='micro'"):
        score([0, 1, 2], [0, 1, 1])
    with pytest.raises(ValueError, match=r"pos_label=1 is not one of the labels \['a', 'b'\]"):
        score(["a", "b"], ["a", "b"])
    with pytest.raises(ValueError, match=r"average must be 'binary', .* got 'samples'"):
        score([0, 1], [0, 1], average="samples")
    for bad in ("raise", 2, None, -1):
        with pytest.raises(ValueError, match="zero_division must be 'warn', 0, 1 or nan"):
            score([0, 1], [0, 1], zero_division=bad)
    with pytest.warns(UserWarning, match="pos_label=0 is not used with average='macro'"):
        score([0, 1], [0, 1], pos_label=0, average="macro")


@pytest.mark.parametrize(
    ("score", "y", "guess", "message"),
    [
        (precision_score, [0, 1], [0, 0], "precision is 0/0 because no instance is predicted positive, and set to 0"),
        (recall_score, [0, 0], [0, 1], "recall is 0/0 because no instance is positive"),
        (specificity_score, [1, 1], [0, 1], "specificity is 0/0 because no instance is negative"),
        (type_i_error, [1, 1], [0, 1], "type-I error is 0/0 because no instance is negative"),
        (type_ii_error, [0, 0], [0, 1], "type-II error is 0/0 because no instance is positive"),
        (f1_score, [0, 0], [0, 0], "F-score is 0/0 because no instance is positive or predicted positive"),
    ],
)
def test_zero_over_zero_warns_once_and_says_why(score, y, guess, message):
    with pytest.warns(UndefinedMetricWarning, match=message) as record:
        assert score(y, guess) == 0.0
    assert len(record) == 1
    assert record[0].filename == __file__  # it points at the caller
    for filler in (0, 1, np.nan):
        with warnings.catch_warnings(action="error"):
            assert_allclose(score(y, guess, zero_division=filler), filler)


def test_bad_beta():
    for beta, error in [(-1.0, ValueError), (np.nan, ValueError), ("1", TypeError)]:
        with pytest.raises(error, match="beta must be"):
            fbeta_score([0, 1], [0, 1], beta=beta)


def test_bad_tables():
    with pytest.raises(ValueError, match="normalize must be 'true', 'pred', 'all' or None, got 'rows'"):
        confusion_matrix([0, 1], [0, 1], normalize="rows")
    with pytest.raises(ValueError, match=r"labels must differ, got \[0, 0\]"):
        confusion_matrix([0, 1], [0, 1], labels=[0, 0])
    with pytest.raises(ValueError, match=r"labels must hold at least one label of y_true, got \[2, 3\]"):
        confusion_matrix([0, 1, 1], [0, 1, 2], labels=[2, 3])
    with pytest.raises(ValueError, match=r"C must be a square confusion matrix, got shape \(2, 3\)"):
        one_vs_rest_counts(np.ones((2, 3)))
    for C in ([[1, -1], [0, 2]], [[1, np.nan], [0, 2]], [[1, np.inf], [0, 2]], [["1", "0"], ["0", "1"]]):
        with pytest.raises(ValueError, match="C must hold counts or shares, finite and not negative"):
            one_vs_rest_counts(C)
    with pytest.raises(ValueError, match="weights must be 'linear', 'quadratic' or None, got 'cubic'"):
        cohen_kappa_score([0, 1], [0, 1], weights="cubic")
    for a, b, chosen in [([1, 1], [1, 1], None), ([0, 1], [1, 0], [1]), ([0, 0], [1, 1], [0])]:
        with pytest.raises(ValueError, match="share one label throughout, or none, so kappa is 0/0"):
            cohen_kappa_score(a, b, labels=chosen)
    with pytest.raises(ValueError, match=r"labels must hold at least one label of y1, got \[2, 3\]"):
        cohen_kappa_score([0, 1, 1], [0, 1, 2], labels=[2, 3])
    with pytest.raises(ValueError, match="average_method must be one of arithmetic, geometric, min, max, got 'mean'"):
        normalized_mutual_info_score([0, 1], [0, 1], average_method="mean")


@pytest.mark.parametrize("function", [roc_curve, roc_auc_score, precision_recall_curve, average_precision_score])
def test_bad_scores(function):
    for y, score, message in [
        ([1, 1], [0.1, 0.2], r"y_true must hold two classes, got \[1\]: a rate of a class without instances"),
        ([0, 1, 2], [0.1, 0.2, 0.3], "one against the rest"),
        ([0, 1], [0.1], "y_true and y_score must have one length, got 2 and 1"),
        ([0, 1], [0.1, np.nan], "y_score contains NaN or infinity"),
        ([0, 1], [[0.1, 0.9], [0.2, 0.8]], r"y_score must be a vector of .* got shape \(2, 2\): select one column"),
        ([0, 1], ["a", "b"], "y_score must hold real numbers, got dtype <U1"),
        ([0, 0.5], [0, 1], "y_true holds fractions"),
        ([0, 1], np.array([2**60, 2**60 + 1]), r"y_score holds integers beyond 2\^53, .* replace them by ranks"),
        ([0, 1], np.array([2**63, 2**63 + 1], dtype=np.uint64), r"y_score holds integers beyond 2\^53"),
        ([0, 1], np.array([-(2**60), 0]), r"y_score holds integers beyond 2\^53"),
    ]:
        with pytest.raises(ValueError, match=message):
            function(y, score)


@pytest.mark.parametrize("function", [roc_curve, precision_recall_curve])
def test_positive_class_must_be_named(function):
    with pytest.raises(ValueError, match=r"y_true holds the labels \['a', 'b'\]: say by pos_label which one"):
        function(["a", "b"], [0, 1])
    with pytest.raises(ValueError, match=r"y_true holds the labels \[1, 2\]: say by pos_label"):
        function([1, 2], [0, 1])
    with pytest.raises(ValueError, match="pos_label='c' is not one of the labels"):
        function(["a", "b"], [0, 1], pos_label="c")
    with pytest.raises(ValueError, match="pos_label=1 is not one of the labels"):
        average_precision_score(["a", "b"], [0, 1])


@pytest.mark.parametrize("function", [mean_squared_error, mean_absolute_error, r2_score])
def test_bad_targets(function):
    for y, guess, message in [
        ([1.0, 2.0], [1.0], "y_true and y_pred must have one length, got 2 and 1"),
        ([1.0, np.nan], [1.0, 2.0], "y_true contains NaN or infinity"),
        ([1.0, 2.0], [1.0, np.inf], "y_pred contains NaN or infinity"),
        ([], [], "y_true must be a vector of at least one number"),
        (["a", "b"], [1.0, 2.0], "y_true must hold real numbers, got dtype <U1"),
    ]:
        with pytest.raises(ValueError, match=message):
            function(y, guess)


def test_r2_of_a_constant_target():
    for y in ([2.0, 2.0, 2.0], [1.0]):
        with pytest.raises(ValueError, match=r"y_true is constant, so R\^2 is not defined: give more instances"):
            r2_score(y, y)


# ------------------------------------------------------------------------------- probabilities, costs, several classes


def probable(seed, n=50, K=3):
    """Labels of K classes, all present, and probabilities on a coarse grid, so that many are tied."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(K), rng.integers(0, K, n - K)]
    proba = rng.integers(1, 6, (n, K)) + 3.0 * np.eye(K)[y] * rng.integers(0, 2, (n, 1))
    return y, proba / proba.sum(axis=1, keepdims=True)


@pytest.mark.equation("evaluation-log-loss", "evaluation-brier")
@pytest.mark.parametrize("seed", range(5))
def test_probabilities_as_scikit_learn(seed):
    y, proba = probable(seed)
    assert_allclose(log_loss(y, proba), peer.log_loss(y, proba), rtol=1e-13)
    assert_allclose(log_loss(y, proba, normalize=False), peer.log_loss(y, proba, normalize=False), rtol=1e-13)
    two, p = (y > 0).astype(int), proba[:, 1]
    assert_allclose(log_loss(two, p), peer.log_loss(two, p), rtol=1e-13)
    assert_allclose(log_loss(two, np.column_stack([1 - p, p])), log_loss(two, p), rtol=1e-13)
    assert_allclose(brier_score_loss(two, p), peer.brier_score_loss(two, p), rtol=1e-13)
    names = np.array(["no", "yes"])[two]
    assert_allclose(brier_score_loss(names, p, pos_label="no"), peer.brier_score_loss(names, p, pos_label="no"))
    assert_allclose(log_loss([1, 1], [0.5, 0.25], labels=[0, 1]), 1.5 * math.log(2), rtol=1e-14)
    assert brier_score_loss([-1, -1], [0.5, 0.5]) == 0.25


@pytest.mark.equation("evaluation-log-loss", "evaluation-brier")
def test_an_impossible_instance_costs_36_and_not_infinity():
    assert_allclose(log_loss([1, 0], [0.0, 0.0]), peer.log_loss([1, 0], [0.0, 0.0]), rtol=1e-12)
    assert_allclose(log_loss([1], [0.0], labels=[0, 1]), 52 * math.log(2), rtol=1e-12)
    assert brier_score_loss([1, 0], [0, 1]) == 1


@pytest.mark.equation("evaluation-proper-log", "evaluation-proper-brier", "evaluation-log-loss", "evaluation-brier")
@pytest.mark.parametrize(("positive", "n"), [(1, 20), (6, 20), (17, 20)])
def test_the_share_of_positives_is_the_best_constant(positive, n):
    y, grid = np.repeat([1, 0], [positive, n - positive]), np.arange(1, n) / n
    for score in (log_loss, brier_score_loss):
        losses = [score(y, np.full(n, q)) for q in grid]
        assert_allclose(grid[np.argmin(losses)], positive / n)
    absolute = [np.abs(q - y).mean() for q in grid]
    assert np.argmin(absolute) in (0, n - 2)  # no proper score: it drives the forecast to an end


@pytest.mark.equation("evaluation-brier-parts", "evaluation-brier-murphy", "evaluation-brier")
def test_parts_of_the_brier_score():
    # 10 forecasts of 0.2 with 3 events, 20 of 0.5 with 9, 10 of 0.9 with 8: worked out in fractions
    groups = [(Fraction(1, 5), 10, 3), (Fraction(1, 2), 20, 9), (Fraction(9, 10), 10, 8)]
    y = np.concatenate([np.repeat([1, 0], [k, m - k]) for _, m, k in groups])
    p = np.repeat([0.2, 0.5, 0.9], [10, 20, 10])
    share = Fraction(20, 40)
    calibration = sum(Fraction(m, 40) * (q - Fraction(k, m)) ** 2 for q, m, k in groups)
    resolution = sum(Fraction(m, 40) * (Fraction(k, m) - share) ** 2 for _, m, k in groups)
    assert calibration == Fraction(1, 160)
    assert_allclose(brier_score_loss(y, p), float(calibration + share * (1 - share) - resolution), rtol=1e-13)


@pytest.mark.equation("evaluation-auc-ovr", "evaluation-auc-ovo")
@pytest.mark.parametrize("K", [3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_auc_of_several_classes_by_pairs(seed, K):
    y, proba = probable(seed, K=K)

    def area(k, others):
        pairs = list(itertools.product(proba[y == k, k], proba[np.isin(y, others), k]))
        return sum((p > q) + (p == q) / 2 for p, q in pairs) / len(pairs)

    classes, sizes = range(K), np.bincount(y)
    rest = [area(k, [j for j in classes if j != k]) for k in classes]
    both = {(i, j): (area(i, [j]) + area(j, [i])) / 2 for i, j in itertools.combinations(classes, 2)}
    weights = [sizes[i] + sizes[j] for i, j in both]
    expected = {
        ("ovr", None): rest,
        ("ovr", "macro"): sum(rest) / K,
        ("ovr", "weighted"): np.average(rest, weights=sizes),
        ("ovo", "macro"): 2 * sum(both.values()) / (K * (K - 1)),
        ("ovo", "weighted"): np.average(list(both.values()), weights=weights),
    }
    for (how, average), value in expected.items():
        kw = {"multi_class": how, "average": average}
        assert_allclose(roc_auc_score(y, proba, **kw), value, rtol=1e-12)
        assert_allclose(peer.roc_auc_score(y, proba, **kw), value, rtol=1e-12)
    assert_allclose(roc_auc_score(y, proba, multi_class="ovo", labels=classes), expected["ovo", "macro"])


def test_two_classes_need_no_choice():
    y, s = scored(0)
    assert roc_auc_score(y, s, multi_class="ovo") == roc_auc_score(y, s)


@pytest.mark.equation("evaluation-delong")
@pytest.mark.parametrize("seed", range(4))
def test_delong_is_the_jackknife_of_each_class(seed):
    y, s = scored(seed)

    def auc(y, s):
        gap = s[y == 1][:, None] - s[y == 0]
        return np.mean((gap > 0) + 0.5 * (gap == 0))

    variance = 0
    for k in (0, 1):
        left_out = np.array([auc(np.delete(y, i), np.delete(s, i)) for i in np.flatnonzero(y == k)])
        variance += (len(left_out) - 1) * left_out.var()
    assert_allclose(roc_auc_standard_error(y, s), math.sqrt(variance), rtol=1e-10)


@pytest.mark.equation("evaluation-delong")
def test_delong_of_many_samples():
    rng = np.random.default_rng(11)
    y = np.repeat([1, 0], [40, 80])
    runs = [s + 1.2 * y for s in rng.normal(size=(600, 120))]
    spread = np.std([roc_auc_score(y, s) for s in runs])
    assert_allclose(np.mean([roc_auc_standard_error(y, s) for s in runs]), spread, rtol=4 / math.sqrt(1200))
    assert roc_auc_standard_error(y, y) == 0


@pytest.mark.equation("evaluation-cost-matrix", "evaluation-minimum-cost", "evaluation-cost")
@pytest.mark.parametrize("seed", range(4))
def test_costs_one_by_one(seed):
    rng = np.random.default_rng(seed)
    y, guess = labels(seed, K=3)
    cost = rng.uniform(-3, 20, (3, 3))  # without ties
    assert_allclose(mean_cost(y, guess, cost), np.mean([cost[i, j] for i, j in zip(y, guess, strict=True)]), rtol=1e-13)
    order = [2, 0, 1]
    assert_allclose(mean_cost(y, guess, cost[np.ix_(order, order)], labels=order), mean_cost(y, guess, cost))
    _, proba = probable(seed)
    wide = np.c_[cost, [4, 4, 4]]  # a fourth decision that costs the same in every class
    chosen, expected = minimum_cost_decision(proba, wide)
    by_hand = [[sum(p[i] * wide[i, j] for i in range(3)) for j in range(4)] for p in proba]
    assert_allclose(expected, by_hand, rtol=1e-12, atol=1e-12)
    assert_array_equal(chosen, [min(range(4), key=row.__getitem__) for row in expected.tolist()])
    shifted = minimum_cost_decision(proba, wide + np.array([[5.0], [-2.0], [7.0]]))
    assert_array_equal(shifted.chosen, chosen)  # what is added to a row depends on no decision


@pytest.mark.equation("evaluation-cost-threshold", "evaluation-minimum-cost")
@pytest.mark.parametrize(("miss", "alarm"), [(1, 1), (3, 1), (20, 1), (1, 4)])
def test_two_costs_are_a_threshold(miss, alarm):
    p = (np.arange(200) + 0.5) / 200  # never on the threshold
    chosen = minimum_cost_decision(np.column_stack([1 - p, p]), [[0, alarm], [miss, 0]]).chosen
    assert_array_equal(chosen, p >= alarm / (alarm + miss))


@pytest.mark.parametrize("how", [{"average": "micro"}, {"average": None, "multi_class": "ovo"}, {"average": "none"}])
def test_bad_averages_of_auc(how):
    with pytest.raises(ValueError, match="average must be 'macro', 'weighted', or None with multi_class='ovr'"):
        roc_auc_score(*probable(0), **{"multi_class": "ovr", **how})
    for average in ("none", "micro"):  # two classes have nothing to average, but a slip is still a slip
        with pytest.raises(ValueError, match=f"average must be 'macro', 'weighted', or None .* got '{average}'"):
            roc_auc_score([0, 1], [0.1, 0.2], average=average)
    for average in ("weighted", None):
        assert roc_auc_score([0, 1], [0.1, 0.2], average=average) == 1


def test_bad_probabilities_of_classes():
    y, proba = probable(0)
    with pytest.raises(ValueError, match=r"multi_class must be one of .* got 'both'"):
        roc_auc_score(y, proba, multi_class="both")
    for call, name in [
        (lambda p: log_loss(y, p), "y_pred"),
        (lambda p: roc_auc_score(y, p, multi_class="ovr"), "y_score"),
    ]:
        for p, message in [
            (proba[:, :2], rf"{name} must have one row for each of 50 instances .* 3 classes, got shape \(50, 2\)"),
            (proba[:9], rf"{name} must have one row for each of 50"),
            (proba[:, 0], rf"{name} must have one row .* got shape \(50,\): name classes that are not in y_true by"),
            (2 * proba, f"row 0 of {name} must be non-negative and sum to 1"),
        ]:
            with pytest.raises(ValueError, match=message):
                call(p)
    with pytest.raises(ValueError, match="row 1 of y_pred must be non-negative and sum to 1"):
        log_loss([0, 1], [0.5, 1.5])
    with pytest.raises(ValueError, match=r"labels must hold every label of y_true, got \[0, 1\]: name all classes"):
        log_loss(y, proba, labels=[0, 1])
    for function in (log_loss, partial(roc_auc_score, multi_class="ovr")):  # columns in another order than sorted
        with pytest.raises(ValueError, match=r"'labels' must be ordered, as the columns of y_\w+ are, got \[2, 0, 1\]"):
            function([0, 1, 2, 2], np.full((4, 3), 1 / 3), labels=[2, 0, 1])
    with pytest.raises(ValueError, match="y_true must hold every class of labels: a rate of a class without"):
        roc_auc_score([0, 1], [[0.5, 0.4, 0.1]] * 2, multi_class="ovr", labels=[0, 1, 2])
    with pytest.raises(ValueError, match="y_true must hold two instances of each class"):
        roc_auc_standard_error([0, 1, 1], [1, 2, 3])


def test_bad_brier_scores():
    for y, p, message in [
        ([0, 1], [0.5, 1.5], r"y_proba holds numbers outside \[0, 1\]"),
        ([0, 1], [-0.1, 0.5], r"y_proba holds numbers outside \[0, 1\]"),
        ([0, 1], [0.5], "y_true and y_proba must have one length, got 2 and 1"),
        ([0, 1, 2], [0.5] * 3, "y_true must hold two classes, got 3: take one against the rest"),
        (["a", "b"], [0.5] * 2, r"y_true holds the labels \['a', 'b'\]: say by pos_label"),
        ([1, 2], [0.5] * 2, r"y_true holds the labels \[1, 2\]: say by pos_label"),
    ]:
        with pytest.raises(ValueError, match=message):
            brier_score_loss(y, p)
    with pytest.raises(ValueError, match="pos_label='c' is not one of the labels"):
        brier_score_loss(["a", "b"], [0.5, 0.5], pos_label="c")


def test_bad_costs():
    with pytest.raises(ValueError, match="labels must hold every label of y_true and y_pred"):
        mean_cost([0, 1, 2], [0, 1, 1], np.eye(2), labels=[0, 1])
    with pytest.raises(
        ValueError, match=r"cost must have one row and one column for each of 2 classes, got shape \(3, 3\)"
    ):
        mean_cost([0, 1], [0, 1], np.eye(3))
    for call in (lambda cost: mean_cost([0, 1], [0, 1], cost), lambda cost: minimum_cost_decision([[0.5, 0.5]], cost)):
        with pytest.raises(ValueError, match="cost"):
            call([[0, 1], [np.nan, 0]])
        with pytest.raises(ValueError, match="cost"):
            call([0, 1])
    for proba in ([[0.2, 0.3, 0.5]], [0.5, 0.5]):
        with pytest.raises(ValueError, match="y_proba must have one column for each of the 2 rows of cost, got shape"):
            minimum_cost_decision(proba, np.eye(2))
    with pytest.raises(ValueError, match="row 0 of y_proba must be non-negative and sum to 1"):
        minimum_cost_decision([[0.2, 0.3]], np.eye(2))


def test_labels_of_an_area_need_a_way_to_use_them():
    with pytest.raises(ValueError, match="labels are used with multi_class='ovr' or 'ovo' only"):
        roc_auc_score([0, 1, 1], [0.1, 0.7, 0.6], labels=[0, 1])


# ----------------------------------------------------------------- weights of instances, chosen labels, several outputs


def weighted(seed, n=40):
    """Whole-number weights, some of them 0, and the indices of the rows, each so often repeated."""
    w = np.random.default_rng(seed + 100).integers(0, 4, n)
    return w, np.repeat(np.arange(n), w)


OF_LABELS = {
    "accuracy": (accuracy_score, peer.accuracy_score, {}),
    "number right": (accuracy_score, peer.accuracy_score, {"normalize": False}),
    "confusion": (confusion_matrix, peer.confusion_matrix, {}),
    "confusion by row": (confusion_matrix, peer.confusion_matrix, {"normalize": "true", "labels": [2, 0]}),
    "confusion as shares": (confusion_matrix, peer.confusion_matrix, {"normalize": "all"}),
    "kappa": (cohen_kappa_score, peer.cohen_kappa_score, {"weights": "linear"}),
    "matthews": (matthews_corrcoef, peer.matthews_corrcoef, {}),
    "fbeta": (fbeta_score, peer.fbeta_score, {"beta": 2.0, "average": None}),
    **{
        f"{score.__name__} {average}": (score, getattr(peer, score.__name__), {"average": average})
        for score in (precision_score, recall_score, f1_score)
        for average in ("micro", "macro", "weighted", None)
    },
    "specificity": (specificity_score, None, {"average": None}),
    "type I": (type_i_error, None, {"average": "micro"}),
    "type II": (type_ii_error, None, {"average": "weighted"}),
}


@pytest.mark.parametrize("name", OF_LABELS)
@pytest.mark.parametrize("seed", range(3))
def test_weights_of_predicted_labels(name, seed):
    score, theirs, how = OF_LABELS[name]
    y, guess = labels(seed, n=40, K=3)
    w, rows = weighted(seed)
    assert len({*y[rows]}) == 3
    found = score(y, guess, sample_weight=w, **how)
    assert_allclose(found, score(y[rows], guess[rows], **how), rtol=1e-13)
    assert_allclose(score(y, guess, sample_weight=np.ones(40), **how), score(y, guess, **how), rtol=1e-13)
    if theirs is not None:
        uneven = np.random.default_rng(seed).exponential(size=40)
        assert_allclose(score(y, guess, sample_weight=w, **how), theirs(y, guess, sample_weight=w, **how), rtol=1e-12)
        expected = theirs(y, guess, sample_weight=uneven, **how)
        assert_allclose(score(y, guess, sample_weight=uneven, **how), expected, rtol=1e-12, atol=1e-14)


def test_weights_keep_their_kind():
    y, guess = labels(0)
    for w, kind in [([2] * 60, "i"), ([True] * 60, "i"), ([0.5] * 60, "f")]:
        assert confusion_matrix(y, guess, sample_weight=w).dtype.kind == kind
    for large in (2**50, 2**63 - 1):  # the second one is more than a double, or a sum of integers, can count
        assert confusion_matrix([0, 1, 1], [0, 1, 1], sample_weight=np.full(3, large)).tolist() == [
            [large + large % 2, 0],
            [0, 2 * (large + large % 2)],
        ]
    tiny = confusion_matrix(y, guess, sample_weight=np.full(60, 1e-3), normalize="pred")
    assert_allclose(tiny, confusion_matrix(y, guess, normalize="pred"), rtol=1e-13)
    tiny = cohen_kappa_score(y, guess, sample_weight=np.full(60, 1e-3))  # their sum is below 1
    assert_allclose(tiny, cohen_kappa_score(y, guess), rtol=1e-13)


@pytest.mark.parametrize("seed", range(20))
def test_weights_leave_no_rounding_error_where_nothing_is(seed):
    # sums of the same weights in another order differ by rounding errors, and 1e-16 over 1e-16 is no rate
    rng = np.random.default_rng(seed)
    w, y, ones = rng.exponential(size=60), rng.permutation(np.arange(60) % 11), np.ones(60, dtype=int)
    with pytest.warns(UndefinedMetricWarning, match="specificity is 0/0"):
        assert specificity_score(ones, y, labels=[1], average=None, sample_weight=w) == [0.0]
    assert matthews_corrcoef(y, ones, sample_weight=w) == matthews_corrcoef(ones, y, sample_weight=w) == 0.0
    rare, w[0] = np.r_[0, ones[1:]], 1e-20  # less than a rounding error of the rest
    with warnings.catch_warnings(action="error"):
        assert abs(matthews_corrcoef(rare, y, sample_weight=w)) < 1e-6


OF_SCORES = {
    "roc": (roc_curve, peer.roc_curve, {"drop_intermediate": False}),
    "pr": (precision_recall_curve, peer.precision_recall_curve, {}),
    "auc": (roc_auc_score, peer.roc_auc_score, {}),
    "average precision": (average_precision_score, peer.average_precision_score, {}),
}


def parts(result):
    """The arrays of a curve, or one number."""
    return list(result) if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("name", OF_SCORES)
@pytest.mark.parametrize("seed", range(4))
def test_weights_of_ranked_instances(name, seed):
    score, theirs, how = OF_SCORES[name]
    y, s = scored(seed)
    w, rows = weighted(seed)
    for found, repeated in zip(
        parts(score(y, s, sample_weight=w, **how)), parts(score(y[rows], s[rows], **how)), strict=True
    ):
        assert_allclose(found, repeated, rtol=1e-13)
    for weights in (w, np.random.default_rng(seed).exponential(size=40)):
        expected = parts(theirs(y, s, sample_weight=weights, **how))
        for found, other in zip(parts(score(y, s, sample_weight=weights, **how)), expected, strict=True):
            assert_allclose(found, other, rtol=1e-12)


def test_instances_of_weight_0_are_not_there():
    y, s, w = [0, 1, 0, 1, 2], [0.1, 0.2, 0.3, 0.4, 9.0], [1, 1, 1, 1, 0]
    assert roc_curve(y, s, sample_weight=w).thresholds.max(where=[False, True, True, True, True], initial=0) == 0.4
    assert roc_auc_score(y, s, sample_weight=w) == roc_auc_score(y[:4], s[:4])
    with pytest.raises(ValueError, match=r"y_true must hold two classes, got \[0\]"):
        roc_curve(y[:4], s[:4], sample_weight=[1, 0, 1, 0])
    assert mean_squared_error([1.0, 5.0], [2.0, 5.0], sample_weight=[2, 0]) == 1.0
    with pytest.raises(ValueError, match="y_true is constant"):
        r2_score([1.0, 1.0, 5.0], [2.0, 5.0, 5.0], sample_weight=[0.1, 0.1, 0])


@pytest.mark.parametrize("average", ["macro", "weighted", None])
@pytest.mark.parametrize("seed", range(3))
def test_weights_of_the_auc_of_several_classes(seed, average):
    y, proba = probable(seed)
    w, rows = weighted(seed, n=50)
    for how in ("ovr", "ovo") if average else ("ovr",):
        kw = {"multi_class": how, "average": average}
        found = roc_auc_score(y, proba, sample_weight=w, **kw)
        assert_allclose(found, roc_auc_score(y[rows], proba[rows], **kw), rtol=1e-13)
        if how == "ovr":
            assert_allclose(found, peer.roc_auc_score(y, proba, sample_weight=w, **kw), rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_weights_of_probabilities(seed):
    y, proba = probable(seed)
    w, rows = weighted(seed, n=50)
    uneven = np.random.default_rng(seed).exponential(size=50)
    for normalize in (True, False):
        found = log_loss(y, proba, sample_weight=w, normalize=normalize)
        assert_allclose(found, log_loss(y[rows], proba[rows], normalize=normalize), rtol=1e-13)
        found = log_loss(y, proba, sample_weight=uneven, normalize=normalize)
        assert_allclose(found, peer.log_loss(y, proba, sample_weight=uneven, normalize=normalize), rtol=1e-13)
    two, p = (y > 0).astype(int), proba[:, 1]
    assert_allclose(brier_score_loss(two, p, sample_weight=w), brier_score_loss(two[rows], p[rows]), rtol=1e-13)
    expected = peer.brier_score_loss(two, p, sample_weight=uneven)
    assert_allclose(brier_score_loss(two, p, sample_weight=uneven), expected, rtol=1e-13)


REGRESSION = [mean_squared_error, mean_absolute_error, r2_score]


@pytest.mark.parametrize("score", REGRESSION)
@pytest.mark.parametrize("multioutput", ["raw_values", "uniform_average", [0.5, 0.0, 3.0], "variance_weighted"])
def test_several_outputs_and_weights(score, multioutput):
    if multioutput == "variance_weighted" and score is not r2_score:
        with pytest.raises(ValueError, match=r"multioutput must be 'raw_values', .* got 'variance_weighted'"):
            score([1.0, 2.0], [1.0, 2.0], multioutput=multioutput)
        return
    theirs, rng = getattr(peer, score.__name__), np.random.default_rng(0)
    y = rng.normal(size=(30, 3)) * [1.0, 10.0, 1e3]
    guess = y + rng.normal(size=(30, 3)) * [0.5, 20.0, 30.0]
    w, rows = weighted(0, n=30)
    found = score(y, guess, sample_weight=w, multioutput=multioutput)
    assert_allclose(found, score(y[rows], guess[rows], multioutput=multioutput), rtol=1e-12)
    for weights in (None, w, rng.exponential(size=30)):
        expected = theirs(y, guess, sample_weight=weights, multioutput=multioutput)
        assert_allclose(score(y, guess, sample_weight=weights, multioutput=multioutput), expected, rtol=1e-11)
        for target in (y[:, 0], y[:, :1]):
            single = theirs(target, guess[:, 0], sample_weight=weights)
            assert_allclose(score(target, guess[:, 0], sample_weight=weights), single, rtol=1e-11)
    assert_allclose(score(y[:, 0], guess[:, 0], multioutput="raw_values"), [score(y[:, 0], guess[:, 0])], rtol=1e-14)


@pytest.mark.parametrize("score", REGRESSION)
def test_bad_outputs(score):
    y = np.arange(6.0).reshape(3, 2)
    for guess, how, message in [
        (y[:, 0], {}, "y_true and y_pred must have one number of columns, got 2 and 1"),
        (y[None], {}, r"y_pred must be a vector of at least one number, or a matrix .* got shape \(1, 3, 2\)"),
        (y, {"multioutput": "mean"}, "multioutput must be 'raw_values', 'uniform_average' or an array .* got 'mean'"),
        (y, {"multioutput": [1.0, 2.0, 3.0]}, r"multioutput must be a vector of shape \(2,\)"),
        (y, {"multioutput": [1.0, -1.0]}, "multioutput must not be negative, got -1"),
    ]:
        with pytest.raises(ValueError, match=message):
            score(y, guess, **how)
    with pytest.raises(ValueError, match="y_true is constant"):
        r2_score(np.c_[y, np.ones(3)], np.c_[y, np.ones(3)])


def test_variance_weights_have_no_unit():
    y, guess = np.array([[1.0, 3.0], [2.0, 5.0], [4.0, 4.0]]), np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 5.0]])
    expected = r2_score(y, guess, multioutput="variance_weighted")
    for scale in (1e-250, 1e250):
        with warnings.catch_warnings(action="error"):
            assert_allclose(r2_score(scale * y, scale * guess, multioutput="variance_weighted"), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([1, -1, 1, 1], ValueError, "sample_weight must not be negative, got -1: leave the instance out"),
        ([0, 0, 0, 0], ValueError, "sample_weight must have a positive and finite sum, got 0"),
        ([1e308] * 4, ValueError, "sample_weight must have a positive and finite sum, got inf"),
        (
            [1, 1],
            ValueError,
            r"inconsistent numbers of samples: \[4, 4, 2\]: sample_weight must hold one weight for each",
        ),
        ([[1, 1, 1, 1]], ValueError, r"sample_weight must be a vector of shape \(4,\), got shape \(1, 4\)"),
        ([1, 1, 1, np.nan], ValueError, "sample_weight must be finite"),
        (["a"] * 4, TypeError, "sample_weight must hold real numbers"),
    ],
)
def test_bad_weights(weights, error, message):
    y, guess, p = [0, 1, 1, 0], [0, 1, 0, 0], [0.1, 0.8, 0.3, 0.4]
    calls = [confusion_matrix, accuracy_score, matthews_corrcoef, cohen_kappa_score, *CLASS_SCORES]
    calls = [(f, guess) for f in calls] + [(f, p) for f in [*REGRESSION, log_loss, brier_score_loss]]
    calls += [(f, p) for f in (roc_curve, roc_auc_score, precision_recall_curve, average_precision_score)]
    for function, second in calls:
        with pytest.raises(error, match=message), warnings.catch_warnings(action="error"):
            function(y, second, sample_weight=weights)


@pytest.mark.parametrize("score", [precision_score, recall_score, f1_score])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", None])
@pytest.mark.parametrize("chosen", [[2, 0], [3, 1, 0, 2], [1], [9, 2]])
def test_chosen_labels_as_scikit_learn(score, average, chosen):
    y, guess = labels(3, K=4)
    w = np.random.default_rng(0).exponential(size=60)
    theirs = getattr(peer, score.__name__)
    for weights in (None, w):
        kw = {"labels": chosen, "average": average, "sample_weight": weights, "zero_division": 0}
        assert_allclose(score(y, guess, **kw), theirs(y, guess, **kw), rtol=1e-12)


def test_chosen_labels_are_not_those_of_two_classes():
    y, guess = labels(0)
    with pytest.warns(UserWarning, match="labels are not used with average='binary': name the class by pos_label"):
        assert precision_score(y, guess, labels=[0]) == precision_score(y, guess)
    with pytest.raises(ValueError, match=r"labels must differ, got \[1, 1\]"):
        recall_score(y, guess, labels=[1, 1], average=None)
    names = np.array(["no", "yes"])
    found = f1_score(names[y], names[guess], labels=["yes", "no"], average=None)
    assert_allclose(found, [f1_score(y, guess), f1_score(y, guess, pos_label=0)], rtol=1e-13)
    y, guess = labels(1, K=3)
    found = specificity_score(y, guess, labels=[2, 7], average=None)
    assert_allclose(found, [specificity_score(y == 2, guess == 2), 1.0], rtol=1e-13)  # nobody is called 7
