"""The quiz of the chapter *Evaluation*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.optimize import brentq

from notes_lib.foundations.evaluation import (
    accuracy_score,
    adjusted_rand_score,
    brier_score_loss,
    cohen_kappa_score,
    f1_score,
    log_loss,
    mean_absolute_error,
    minimum_cost_decision,
    precision_score,
    purity_score,
    r2_score,
    recall_score,
    roc_auc_score,
    specificity_score,
    type_i_error,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


def _labels(tp, fn, fp, tn):
    """True and predicted labels with these counts."""
    return np.repeat([1, 1, 0, 0], [tp, fn, fp, tn]), np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])


def _tested(ill, healthy):
    """Labels of a test that finds 90 % of the ill and 5 % of the healthy."""
    return _labels(9 * ill // 10, ill // 10, healthy // 20, 19 * healthy // 20)


def _scored(seed, n=30):
    """Labels, and scores that know something about them."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return y, y + rng.normal(size=n)


SCORED = [_scored(seed) for seed in range(5)]


def quiz_type_i():
    """Which quotient is the type-I error?"""
    tables = np.random.default_rng(0).integers(1, 30, size=(10, 4)).tolist()
    errors = [type_i_error(*_labels(*table)) for table in tables]

    def is_it(quotient):
        names = [dict(zip(("TP", "FN", "FP", "TN"), table, strict=True)) for table in tables]
        return np.allclose(errors, [eval(quotient, counts) for counts in names])

    return {q: is_it(q) for q in ("FP / (TP + FN)", "FP / (FP + TN)", "FN / (TP + FN)", "FP / (TP + FP)")}


def quiz_prevalence(times):
    """An illness becomes <times> times rarer; the test, which errs on the ill and on the healthy, stays the same. What
    changes?"""
    people, ill = 200_000, 20_000
    before, after = _tested(ill, people - ill), _tested(rarer := int(ill / times), people - rarer)
    moves = lambda measure: abs(measure(*after) - measure(*before)) > 1e-3
    return {
        "precision": moves(precision_score),
        "sensitivity": moves(recall_score),
        "type-I error": moves(type_i_error),
        "NPV": moves(lambda y, said: precision_score(y, said, pos_label=0)),
        "AUC": moves(roc_auc_score),
    }


def quiz_auc(p, positive, n, negative):
    """<p> positives score <positive> and <n> negatives <negative>. The AUC is"""
    assert (len(positive), len(negative)) == (p, n)
    auc = roc_auc_score(np.repeat([1, 0], [int(p), int(n)]), np.r_[positive, negative])
    lead = np.subtract.outer(positive, negative)
    return Numbers(auc, [(lead > 0).mean(), (lead >= 0).mean(), p / (p + n)])


def quiz_micro(classes):
    """<classes> classes, one label per instance. Micro $F_1$ equals"""
    rng, K = np.random.default_rng(1), int(classes)
    y = rng.integers(K, size=5 * K)
    said = np.where(rng.uniform(size=5 * K) < 0.6, y, rng.integers(K, size=5 * K) // 2)
    micro = f1_score(y, said, average="micro")
    return {
        "the accuracy": np.isclose(micro, accuracy_score(y, said)),
        f"the mean of the {K} $F_1$ scores": np.isclose(micro, f1_score(y, said, average="macro", zero_division=0)),
        "kappa": np.isclose(micro, cohen_kappa_score(y, said)),
        "the balanced accuracy": np.isclose(micro, recall_score(y, said, average="macro", zero_division=0)),
    }


def quiz_threshold(miss, alarm):
    """A miss costs <miss>, a false alarm <alarm>, a right decision nothing. From which true probability of "positive"
    on is an alarm right?"""

    def threshold(miss, alarm):
        expected = lambda p: minimum_cost_decision([[1 - p, p]], [[0, alarm], [miss, 0]]).expected[0]
        return brentq(lambda p: np.subtract(*expected(p)), 0, 1)

    return Numbers(threshold(miss, alarm), [threshold(alarm, miss), threshold(1, 1), alarm / miss])


def quiz_proper():
    """Which of these scores makes a forecaster exaggerate?"""
    said, truths = np.linspace(0.01, 0.99, 99), (0.2, 0.7)

    def exaggerates(score):
        one, zero = (np.array([score(outcome, q) for q in said]) for outcome in (1, 0))
        best = [said[np.argmin(p * one + (1 - p) * zero)] for p in truths]
        return all(abs(q - 0.5) > abs(p - 0.5) + 0.02 for q, p in zip(best, truths, strict=True))

    found = {
        "the log loss": exaggerates(lambda y, q: log_loss([y], [q], labels=[0, 1])),
        "the Brier score": exaggerates(lambda y, q: brier_score_loss([y], [q], pos_label=1)),
        "the mean absolute error": exaggerates(lambda y, q: mean_absolute_error([y], [q])),
    }
    return found | {"all of them": all(found.values())}


def _along(measure, y, score):
    """A measure as the threshold falls from the highest score to the lowest."""
    return np.array([measure(y, (score >= t).astype(int)) for t in np.sort(score)[::-1]])


def tf_recall():
    """Lowering the threshold can never lower the recall."""
    return all((np.diff(_along(recall_score, *scored)) >= 0).all() for scored in SCORED)


def tf_precision():
    """Lowering the threshold always lowers the precision."""
    steps = [np.diff(_along(precision_score, *scored)) for scored in SCORED]
    assert all((step < 0).any() for step in steps)
    return all((step < 0).all() for step in steps)


def tf_auc(auc):
    """An AUC of <auc> means that the scores carry no information."""
    score = np.r_[10 * auc - 0.5, np.arange(10)]  # one positive instance, above that share of the negative ones
    y = np.r_[1, np.zeros(10, dtype=int)]
    assert np.isclose(roc_auc_score(y, score), auc)
    return np.isclose(max(roc_auc_score(y, score), roc_auc_score(y, -score)), 0.5)


def tf_calibration():
    """The AUC never changes when a classifier loses its calibration."""
    p = np.random.default_rng(2).choice([0.1, 0.3, 0.9], size=300)
    y = (np.random.default_rng(3).uniform(size=300) < p).astype(int)
    exchanged = np.select([p == 0.1, p == 0.9], [0.9, 0.1], p)
    stays = lambda q: np.isclose(roc_auc_score(y, q), roc_auc_score(y, p))
    assert stays(p**2)
    return stays(exchanged)


def tf_kappa():
    """Where both classes occur, a classifier that always says the same has a kappa of 0."""
    return all(
        abs(cohen_kappa_score(np.arange(10) < ones, np.full(10, said))) < SMALL
        for ones in range(1, 10)
        for said in (True, False)
    )


def tf_r2(low, high):
    """$R^2$ on test data lies between <low> and <high>."""
    y, _ = SCORED[0]
    lies_there = lambda prediction: low <= r2_score(y, prediction) <= high
    assert lies_there(y)
    assert lies_there(np.full(len(y), y.mean()))
    return lies_there(1 - y)


def tf_purity(purity):
    """A clustering with purity <purity> is perfect."""
    species = np.repeat([0, 1, 2], 4)
    singles = np.arange(12)
    assert all(np.isclose(purity_score(species, found), purity) for found in (species, singles))
    assert np.isclose(adjusted_rand_score(species, species), 1)
    return np.isclose(adjusted_rand_score(species, singles), 1)


def tf_rates():
    """As long as the ill and the healthy stay of the same kind, sensitivity and specificity do not depend on how common
    the illness is."""
    tests = [_tested(ill, 1000 - ill) for ill in (20, 100, 500, 900)]
    rates = [(recall_score(*test), specificity_score(*test)) for test in tests]
    return np.allclose(rates, rates[0])


test_claim = decided("foundations/evaluation", globals())
