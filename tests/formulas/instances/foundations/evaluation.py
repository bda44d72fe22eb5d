"""Evaluation: two classes, four classes, scores with ties, predicted numbers, a clustering, and probabilities."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import entropy, mannwhitneyu, rankdata

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
    precision_score,
    purity_score,
    r2_score,
    rand_score,
    recall_score,
    roc_auc_score,
    roc_auc_standard_error,
    specificity_score,
    type_i_error,
    type_ii_error,
)
from tests.formulas.values import At, Instance

MISS, ALARM = 7.0, 2.0  # costs of a false negative and of a false positive
TP, FN, FP, TN = (rf"\mathrm{{{name}}}" for name in ("TP", "FN", "FP", "TN"))
CONDITIONS = {"evaluation-must-know-proper:4"}  # where the excess is 0
COPIED = {
    "evaluation-pr-step": "the counts of an example",
    "evaluation-pr-interpolation": "precision at counts between",
}


def two_classes(rng):
    """Answers for nine positives and fourteen negatives, and their rates from the library."""
    y = np.repeat([1, 0], [9, 14])
    predicted = np.where(rng.random(23) < 0.3, 1 - y, y)
    predicted[:3], predicted[9:12] = [1, 0, 1], [0, 1, 0]
    (tn, fp), (fn, tp) = confusion_matrix(y, predicted)
    beta = 1.7
    recall, miss, alarm = recall_score(y, predicted), type_ii_error(y, predicted), type_i_error(y, predicted)
    precision, specificity = precision_score(y, predicted), specificity_score(y, predicted)
    threshold = brentq(lambda p: (1 - p) * ALARM - p * MISS, 0, 1)
    share = 9 / 23
    cost = lambda tpr, fpr: MISS * share * (1 - tpr) + ALARM * (1 - share) * fpr
    return {
        "n": range(1, 24), "k": range(1, 3), "N": 23, "K": 2, "N_1": 9, "N_0": 14, r"\hat N_1": tp + fp,
        r"\hat N_0": tn + fn, r"\pi": share, r"\beta": beta, "y_#": y, r"\hat y_#": predicted,
        "C_{##}": np.array([[tn, fp], [fn, tp]]), TP: tp, FN: fn, FP: fp, TN: tn,
        r"\mathrm{accuracy}": accuracy_score(y, predicted), r"\mathrm{recall}": recall, r"\mathrm{sensitivity}": recall,
        r"\mathrm{TPR}": recall, "R": recall, r"\mathrm{specificity}": specificity, r"\mathrm{TNR}": specificity,
        r"\text{type-I error}": alarm, r"\mathrm{FPR}": alarm, r"\text{type-II error}": miss, r"\mathrm{FNR}": miss,
        r"\mathrm{precision}": precision, r"\mathrm{PPV}": precision, "P": precision,
        r"\mathrm{NPV}": precision_score(y, predicted, pos_label=0), r"F_\beta": fbeta_score(y, predicted, beta=beta),
        "F_1": f1_score(y, predicted), r"\mathrm{MCC}": matthews_corrcoef(y, predicted),
        r"c_{\mathrm{FN}}": MISS, r"c_{\mathrm{FP}}": ALARM, "c_{01}": ALARM, "c_{00}": 0.0, "c_{10}": MISS,
        "c_{11}": 0.0,
        r"t^\star": threshold, r"\Delta\mathrm{FPR}": 0.05,
        r"\Delta\mathrm{TPR}": brentq(lambda d: cost(recall + d, alarm + 0.05) - cost(recall, alarm), -5, 5),
    }  # fmt: skip


def four_classes(rng):
    """Labels 1 to 4, decisions, probabilities, and what the library makes of them."""
    K, N = 4, 28
    y = np.append(np.tile([1, 2, 3, 4], 6), [1, 1, 2, 3])
    predicted = np.where(rng.random(N) < 0.5, rng.integers(1, 5, N), y)
    predicted[:4] = [1, 2, 3, 4]
    C = confusion_matrix(y, predicted)
    tp, fn, fp, tn = (np.asarray(counts) for counts in one_vs_rest_counts(C))
    cost, proba = rng.uniform(0, 3, (K, K)), rng.dirichlet(np.ones(K), N)
    chosen = minimum_cost_decision(proba, cost).chosen
    distance = np.subtract.outer(np.arange(K), np.arange(K)) ** 2.0
    rest = [roc_auc_score((y == k).astype(int), proba[:, k - 1]) for k in range(1, 5)]
    duels = np.eye(K)
    for i in range(4):
        for j in set(range(4)) - {i}:
            both = np.isin(y, (i + 1, j + 1))
            duels[i, j] = roc_auc_score((y[both] == i + 1).astype(int), proba[both, i])
    found = {
        **{letter: range(1, K + 1) for letter in "ijk"}, "n": range(1, N + 1), "N": N, "K": K, "C_{##}": C, "y_#": y,
        r"\hat y_#": predicted, "c_{##}": cost, "w_{##}": distance, "N_#": np.bincount(y)[1:],
        r"\hat N_#": np.bincount(predicted, minlength=5)[1:], r"\mathrm{TP}_#": tp, r"\mathrm{FP}_#": fp,
        r"\kappa": cohen_kappa_score(y, predicted), "p_o": np.mean(y == predicted),
        "p_e": np.mean([a == b for a in y for b in predicted]),
        r"\kappa_w": cohen_kappa_score(y, predicted, weights="quadratic"),
        r"\mathrm{MCC}": matthews_corrcoef(y, predicted),
        r"\mathrm{precision}_{\mathrm{micro}}": precision_score(y, predicted, average="micro"),
        r"\mathrm{precision}_{\mathrm{macro}}": precision_score(y, predicted, average="macro"),
        "A_#": np.array(rest), r"\mathrm{AUC}_{\mathrm{ovr}}": roc_auc_score(y, proba, multi_class="ovr"),
        "A_{##}": duels, r"\mathrm{AUC}_{\mathrm{ovo}}": roc_auc_score(y, proba, multi_class="ovo"),
    }  # fmt: skip
    one = {TP: At(lambda k: tp[k - 1], "k"), FN: At(lambda k: fn[k - 1], "k"), FP: At(lambda k: fp[k - 1], "k"),
           TN: At(lambda k: tn[k - 1], "k")}  # fmt: skip
    decide = {
        r"\hat y_#": chosen + 1,
        "p_#": [At(lambda i, p=p: p[int(i) - 1]) for p in proba],
        "p": At(lambda i: proba[4, int(i) - 1]),
    }
    return found, {**found, **one}, {**found, **decide}, (mean_cost(y, predicted, cost), chosen[4] + 1.0)


def curves(rng):
    """Scores of nine positives and fourteen negatives, with ties, and the library's curve under every threshold."""
    y = np.repeat([1, 0], [9, 14])
    s = np.round(y + rng.normal(size=23), 1)
    s[:3], s[9:12] = s[9:12], s[:3]
    s[3] = s[13]
    levels = np.append(np.inf, np.unique(s)[::-1])
    tp, fp = (lambda t: float((s[y == 1] >= t).sum())), (lambda t: float((s[y == 0] >= t).sum()))
    alarms = lambda t: (s >= t).astype(int)
    duels = np.sign(np.subtract.outer(s[y == 1], s[y == 0]))
    wins = (duels + 1) / 2
    found = {
        "n": range(1, 24), "i": range(1, 24), "j": range(1, 24), "l": range(1, len(levels)), "N_1": 9, "N_0": 14,
        "y_#": y, "s_#": s, "t_#": dict(enumerate(levels)), "M": len(levels) - 1, "t": s[5], TP: At(tp), FP: At(fp),
        r"\mathrm{TPR}": At(lambda t: recall_score(y, alarms(t))),
        r"\mathrm{FPR}": At(lambda t: type_i_error(y, alarms(t))),
        r"\mathrm{precision}": At(lambda t: precision_score(y, alarms(t))),
        r"\mathrm{recall}": At(lambda t: recall_score(y, alarms(t))), r"\mathrm{AUC}": roc_auc_score(y, s),
        r"\mathrm{AP}": average_precision_score(y, s), "W": rankdata(s)[y == 1].sum(),
        r"\text{sum of the ranks of the positives}": rankdata(s)[:9].sum(), "U": mannwhitneyu(s[:9], s[9:]).statistic,
        r"\Pr(s^+ > s^-)": np.mean(duels > 0), r"\Pr(s^+ = s^-)": np.mean(duels == 0), "V": wins.mean(axis=1),
        "V'": wins.mean(axis=0), r"\mathrm{se}": At(lambda a: roc_auc_standard_error(y, s)),
        r"\operatorname{Var}": At(lambda a: np.var(a, ddof=1)),
    }  # fmt: skip
    low, high, share = -0.9, 0.9, 0.4
    hits = tp(high) + share * (tp(low) - tp(high))
    alarms_there = fp(high) + share * (fp(low) - fp(high))
    between = {
        **found, "t": high, "t'": low, "x": share * (tp(low) - tp(high)),
        r"\mathrm{precision}": hits / (hits + alarms_there),
    }  # fmt: skip
    return found, between


def predicted_numbers(rng):
    """Ten targets and predictions."""
    y, predicted = rng.normal(size=(2, 10))
    r = y - predicted
    return {
        "n": range(1, 11), "N": 10, "y_#": y, r"\hat y_#": predicted, r"\bar y": y.mean(), "r_#": r, "y": y, "r": r,
        r"\bar r": r.mean(), r"\operatorname{Var}": At(np.var), r"\mathrm{MSE}": mean_squared_error(y, predicted),
        r"\mathrm{RMSE}": np.linalg.norm(r) / np.sqrt(10), r"\mathrm{MAE}": mean_absolute_error(y, predicted),
        "R^2": r2_score(y, predicted),
    }  # fmt: skip


def clustering(rng):
    """Three classes and three clusters of 24 instances; every pair of them is counted by the library."""
    classes = np.append(np.repeat([1, 2, 3], 4), rng.integers(1, 4, 12))
    clusters = np.append(np.tile([1, 2, 3, 3], 3), rng.integers(1, 4, 12))
    table = confusion_matrix(classes, clusters)
    pairs = pair_counts(classes, clusters)
    a, b = table.sum(axis=1), table.sum(axis=0)
    return {
        "i": range(1, 4), "j": range(1, 4), "n": range(1, 25), "N": 24, "n_{##}": table,
        "a_#": np.bincount(classes)[1:],
        "b_#": np.bincount(clusters)[1:], TP: pairs.tp, FN: pairs.fn, FP: pairs.fp, TN: pairs.tn,
        r"\mathrm{RI}": rand_score(classes, clusters), r"\mathrm{ARI}": adjusted_rand_score(classes, clusters),
        r"\mathrm{purity}": purity_score(classes, clusters), "I": entropy(a) + entropy(b) - entropy(table.ravel()),
        "E": (a * (a - 1)).sum() * (b * (b - 1)).sum() / 2 / (24 * 23),
        r"\mathrm{NMI}": normalized_mutual_info_score(classes, clusters), r"H_{\text{class}}": entropy(a),
        r"H_{\text{cluster}}": entropy(b),
        r"\text{class } #": At(lambda n: np.arange(1, 4) == classes[n - 1], "n"),
        r"\text{cluster } #": At(lambda n: np.arange(1, 4) == clusters[n - 1], "n"),
    }  # fmt: skip


def instance(seed):
    """Two classes; other formulas are about other problems."""
    rng = np.random.default_rng(seed)
    two, (four, of_class, decide, (cost4, decision)) = two_classes(rng), four_classes(rng)
    (curve, between), numbers, clusters = curves(rng), predicted_numbers(rng), clustering(rng)
    y = two["y_#"]
    p_y = rng.uniform(0.1, 0.9, 23)
    eta, p = rng.uniform(0.2, 0.8, 2)
    expected = lambda loss, q: eta * loss(1, q) + (1 - eta) * loss(0, q)
    log_score = lambda label, q: log_loss([label], [[1 - q, q]], labels=[0, 1])
    brier = lambda label, q: brier_score_loss([label], [q], pos_label=1)
    grouped = np.append([0.2, 0.5, 0.7], rng.choice([0.2, 0.5, 0.7], 20))
    levels, sizes = np.unique(grouped, return_counts=True)
    rates = np.array([y[grouped == level].mean() for level in levels])
    groups = {
        "g": range(1, 4), r"\mathrm{BS}": brier_score_loss(y, grouped), "m_#": sizes, "p_#": levels, r"\bar y_#": rates,
        r"\text{refinement}": np.mean([np.var(y[grouped == q]) for q in grouped]),
    }  # fmt: skip
    log_scores = {
        r"\mathrm{LL}": log_loss(y, np.c_[1 - p_y, p_y]),
        "p_#": [At(lambda label, q=q: q if label == 1 else 1 - q) for q in p_y],
    }
    brier_scores = {r"\mathrm{BS}": brier_score_loss(y, p_y), "p_#": p_y}
    values = {
        **two, r"\mathbb{E}\mathrm{LL}": At(lambda q: expected(log_score, q)), "p": p, r"\eta": eta,
        r"\mathbb{E}\mathrm{BS}": At(lambda q: expected(brier, q)), "s_#": curve["s_#"], "s": rng.normal(), "T": 1.4,
        r"\tau": 0.3, r"\sigma": At(expit), "p_#": expit(curve["s_#"] / 1.4 - 0.3),
    }  # fmt: skip
    precision = {
        r"\hat N_1": 8,
        "u": 3,
        "v": 2,
        r"\mathrm{precision}_{\mathrm{old}}": 5 / 8,
        r"\mathrm{precision}_{\mathrm{new}}": 8 / 13,
    }
    by_problem = [
        (four, "confusion cost-matrix kappa weighted-kappa mcc-multiclass micro macro auc-ovr auc-ovo"),
        (of_class, "counts"), (decide, "minimum-cost must-know-cost:1"),
        (curve, "roc auc-area auc-pairs auc-ranks pr average-precision delong must-know-auc"),
        (between, "pr-interpolation"), (precision, "pr-step"),
        (numbers, "mse mae r2"),
        (clusters, "contingency purity pairs rand adjusted-rand mutual-information nmi"),
        (log_scores, "log-loss must-know-proper:1"), (brier_scores, "brier must-know-proper:2"),
        (groups, "brier-parts brier-murphy"), ({"p_#": np.linspace(0, 1, 23)}, "cost-threshold"),
    ]  # fmt: skip
    own = {f"evaluation-{name}": problem for problem, names in by_problem for name in names.split()}
    card = "evaluation-must-know-"
    worth = {
        "evaluation-cost-matrix": cost4, f"{card}cost:1": decision,
        f"{card}auc:2": curve[r"\mathrm{AUC}"], f"{card}proper:3": expected(brier, p) - expected(brier, eta),
        "evaluation-cost-threshold": {1: two[r"t^\star"]},
    }  # fmt: skip
    near = (0.21, 0.23, 0.7, 0.9)[seed % 4]  # to the threshold 2/9
    alarm = minimum_cost_decision([[1 - near, near]], [[0, ALARM], [MISS, 0]]).chosen[0]
    own[f"{card}cost:2"] = {"p": near}
    given, truth = {"evaluation-cost-threshold": r"p_n \ge t^\star"}, {f"{card}cost:2": alarm}
    return Instance(values, own, worth, given, truth)
