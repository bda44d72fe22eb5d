"""Exercises on evaluation: tables counted point by point and pair by pair, measures by scikit-learn and SciPy."""

from collections import Counter
from itertools import combinations, product

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from sklearn.metrics import (
    cohen_kappa_score,
    f1_score,
    fbeta_score,
    mutual_info_score,
    normalized_mutual_info_score,
    rand_score,
    roc_auc_score,
)

from notes_lib.datasets import load_breast_cancer, load_iris
from tests.formulas.values import At
from tests.solutions.ledger import Worked


def ex_screening():
    ill, hit, healthy, alarmed = 30, 20, 2000, 180
    right = healthy - alarmed
    table = np.array([[hit, ill - hit], [alarmed, right]])  # rows ill, healthy
    rates = table / table.sum(axis=1, keepdims=True)
    prior = ill / (ill + healthy)
    posterior = table[:, 0] / table[:, 0].sum()
    names = [rf"\Pr(\text{{{kind}}} \mid \text{{alarm}})" for kind in ("ill", "healthy")]
    ratio = rates[0] / rates[1]
    return Worked(
        {**dict(zip(names, posterior, strict=True)), r"\pi": prior, r"\mathrm{TPR}": rates[0, 0],
         r"\mathrm{FPR}": rates[1, 0]},
        numbers=[
            hit, ill, alarmed, healthy, rates[0, 0], rates[1, 1], posterior[0], right / table[:, 1].sum(),
            np.trace(table) / table.sum(),
        ],
        known=[
            ratio, ratio[0] / ratio[1], prior / (1 - prior), posterior[0] / posterior[1], right, table.sum(axis=0),
            np.trace(table), table.sum(),
        ],
    )  # fmt: skip


def ex_harmonic():
    hits, false, missed = 3, 5, 2
    truth, said = [1] * 5 + [0] * 5, [1] * hits + [0] * missed + [1] * false
    P, R = hits / (hits + false), hits / (hits + missed)  # P <= R
    F = f1_score(truth, said)
    return Worked(
        {"P": P, "R": R, "F_1": F},
        own={"2R = P + R": {"P": 0.4, "R": 0.4}},
        numbers=[0, 0, F, np.mean([P, R]), F, 0, 1, R + R, 1, 2, 1, 3],
    )


def ex_fawcett():
    labels = np.array([1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0])
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505,
                       0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.3, 0.1])  # fmt: skip
    above = [int(np.sum((scores > s) & (labels == 1))) for s in scores[labels == 0]]
    right = [int(np.sum((scores >= t) == (labels == 1))) for t in scores]
    best = int(np.argmax(right))
    hits, false = (int(np.sum((scores >= scores[best]) & (labels == k))) for k in (1, 0))
    assert (hits, false) == (5, 1)
    at_half = int(np.sum((scores >= 0.5) == labels))
    return Worked(
        {r"\mathrm{AUC}": roc_auc_score(labels, scores), "t": scores[best]},
        numbers=[len(labels), scores[:10], labels[:10], scores[10:], labels[10:], 0.5, 0.5, above, sum(above), 10 * 10,
                 false / 10, hits / 10, at_half],
        known=[max(right)],
    )  # fmt: skip


def ex_hanley():
    normal, abnormal = np.array([33, 6, 6, 11, 2]), np.array([3, 2, 2, 11, 33])
    ratings = np.arange(1, 6)
    scores = np.concatenate([np.repeat(ratings, normal), np.repeat(ratings, abnormal)])
    labels = np.repeat([0, 1], [normal.sum(), abnormal.sum()])
    area = roc_auc_score(labels, scores)
    wins = [np.sum(scores[labels == 0] < k) + np.sum(scores[labels == 0] == k) / 2 for k in ratings]
    # one abnormal and two normal images, or two and one, with exponential ratings
    size1, size0, rate = abnormal.sum(), normal.sum(), (1 - area) / area
    Q1 = quad(lambda s: np.exp(-s) * np.exp(-2 * rate * s), 0, np.inf, epsabs=1e-12)[0]
    Q2 = quad(lambda s: rate * np.exp(-rate * s) * (1 - np.exp(-s)) ** 2, 0, np.inf, epsabs=1e-12)[0]
    variance = area * (1 - area) + (size1 - 1) * (Q1 - area**2) + (size0 - 1) * (Q2 - area**2)
    se = np.sqrt(variance / (size1 * size0))
    tied = np.mean(scores[labels == 1][:, None] == scores[labels == 0]) / 2
    assert tied > 1.5 * se
    return Worked(
        {"A": area, "N_1": size1, "N_0": size0, "Q_1": Q1, "Q_2": Q2},
        numbers=[
            len(scores), 1, 5, ratings, normal, abnormal, 0.5, se**2, 0, 1, 0.5, 5, wins[4], 4, wins[3], 3, wins[2], 2,
            wins[1],
            1, wins[0], abnormal[::-1], wins @ abnormal, area, se, 0.5,
        ],
        known=[size1 * size0],
    )  # fmt: skip


def ex_gaussian():
    mu = 1
    chance = quad(lambda s: stats.norm(mu).pdf(s) * stats.norm(0).cdf(s), -np.inf, np.inf, epsabs=1e-12)[0]
    return Worked(
        {r"\mu": mu, r"\mathrm{AUC}": chance, r"\Phi": At(stats.norm.cdf), r"\Pr(s^+ > s^-)": chance,
         r"\Pr(s^+ - s^- > 0)": chance, r"\mathcal{N}": At(lambda m, v: np.array([m, v]))},
        own={r"\mathcal{N}(\mu, 1)": {r"\mu": 0.3}},
        numbers=[[0.3, 1], [0, 1], 0],
    )  # fmt: skip


def ex_fraud():
    paid, fraud, found, false, miss, check = 100_000, 100, 80, 920, 500, 5
    alarms = found + false
    right = found + (paid - fraud - false)
    cost = lambda p, alarm: check if alarm else miss * p
    costs = {"c_{01}": check, "c_{00}": 0, "c_{10}": miss, "c_{11}": check}  # said, is: the alarm costs when right too
    pays = next(k / 1000 for k in range(1000) if cost(k / 1000, True) <= cost(k / 1000, False))
    return Worked(
        {**costs, "p": pays, r"t^\star": pays},
        own={"500 p": {"p": 0.3}},
        numbers=[
            paid, fraud, found, false, miss, check, found / alarms, found / fraud, right / paid, (paid - fraud) / paid,
            check, cost(0.3, False),
        ],
        known=[alarms, right - found, (fraud - found) * miss + alarms * check, fraud * miss, miss - check],
    )  # fmt: skip


def ex_clusters():
    cells = {1: "xxxxxo", 2: "xooood", 3: "xxddd"}
    points = [(cluster, kind) for cluster, kinds in cells.items() for kind in kinds]
    pairs = [*combinations(points, 2)]
    count = lambda same_cluster, same_kind: sum(
        (a[0] == b[0]) == same_cluster and (a[1] == b[1]) == same_kind for a, b in pairs
    )
    tp, fp, fn, tn = count(True, True), count(True, False), count(False, True), count(False, False)
    together, alike = ([a[k] == b[k] for a, b in pairs] for k in (0, 1))
    F = [fbeta_score(alike, together, beta=beta) for beta in (1, 5)]
    clusters, kinds = zip(*points, strict=True)
    nmi = normalized_mutual_info_score(kinds, clusters)
    purity = sum(max(Counter(c).values()) for c in cells.values()) / len(points)
    each = [stats.entropy(list(Counter(labels).values())) for labels in (kinds, clusters)]
    return Worked(
        {r"\mathrm{RI}": rand_score(kinds, clusters), "P": tp / (tp + fp), "R": tp / (tp + fn), "F_1": F[0],
         "F_5": F[1],
         r"\mathrm{NMI}": nmi, "I": mutual_info_score(kinds, clusters), r"H_{\text{class}}": each[0],
         r"H_{\text{cluster}}": each[1]},
        numbers=[1, 2, 3, 16.3, F, purity, tp, fp, fn, purity, (tp + tn) / len(pairs), F, nmi],
        known=[len(pairs)],
    )  # fmt: skip


def ex_map():
    table = np.array([[65, 4, 22, 24], [6, 81, 5, 8], [0, 11, 85, 19], [4, 7, 3, 90]])
    kinds, rows, columns = np.arange(1, 5), table.sum(axis=1), table.sum(axis=0)
    places = [(r, c) for r in range(4) for c in range(4) for _ in range(table[r, c])]
    shown, real = np.transpose(places)
    right, kappa = np.mean(shown == real), cohen_kappa_score(shown, real)
    chance = (right - kappa) / (1 - kappa)
    return Worked(
        {"k": range(1, 5), r"\text{row}_#": rows, r"\text{column}_#": columns, "p_e": chance},
        numbers=[
            len(places), kinds, np.c_[kinds, table], right, rows, columns, round(100 * right), kappa,
            np.mean(shown[real == 0] == 0), 1, np.mean(real[shown == 0] == 0), 1,
        ],
        known=[np.sum(shown == real)],
    )  # fmt: skip


def ex_proper():
    eta, p = 0.7, 0.5
    mean_of = lambda score, p: eta * score(1, p) + (1 - eta) * score(0, p)
    log_loss = lambda y, p: -np.log(p if y else 1 - p)
    brier, absolute = (lambda y, p: (y - p) ** 2), (lambda y, p: abs(y - p))
    slope = lambda score, p, h=1e-5: (mean_of(score, p + h) - mean_of(score, p - h)) / (2 * h)
    bend = lambda score, p: slope(lambda y, p: slope(lambda _, p: score(y, p), p, 1e-4), p, 1e-4)
    for score in (log_loss, brier):
        assert np.isclose(minimize_scalar(lambda p, score=score: mean_of(score, p), bounds=(0, 1)).x, eta, atol=1e-4)
    best = min((0, eta, 1), key=lambda p: mean_of(absolute, p))
    texts = (r"-\eta / p + (1 - \eta) / (1 - p) = 0", r"-2 \eta (1 - p) + 2 (1 - \eta) p = 2 (p - \eta) = 0")
    conditions = {r"\eta > \tfrac12": 0.6, r"\eta < \tfrac12": 0.4, r"\eta = \tfrac12": 0.5}
    return Worked(
        {r"\eta": eta, "p": p, r"\infty": np.inf},
        own={**{text: {"p": eta} for text in texts}, **{text: {r"\eta": v} for text, v in conditions.items()},
             "p = 1": {"p": best}, "p = 0.7": {"p": eta}},
        numbers=[0, round(bend(log_loss, p), 4), bend(brier, p), slope(absolute, p), 1, 0.5, 0, 0.5],
        known=[mean_of(absolute, best), mean_of(absolute, eta)],
        unread={r"-\log 0 = \infty": "infinite, as the solution says"},
    )  # fmt: skip


def ex_weighted():
    train, test = np.repeat([1, 0], [6, 294]), np.repeat([1, 0], [15, 85])
    both = np.append(train, test)
    sizes = [len(both), len(train), len(test)]
    return Worked(
        numbers=[train.sum(), len(train), test.sum(), len(test), len(both), both.mean(), test.mean()],
        known=[*sizes, both.mean(), train.mean(), test.mean()],
    )


def cards():
    positive, negative = [9, 6, 4], [6, 2]
    area = roc_auc_score([1] * 3 + [0] * 2, positive + negative)
    wins = [sum((p > n) + (p == n) / 2 for n in negative) for p in positive]
    strict = [sum(p > n for n in negative) for p in positive]
    pairs, N, N1, N0, K = 6, 5, 3, 2, 4
    tables = [t for t in product(range(N + 1), repeat=4) if sum(t) == N]
    given = [t for t in tables if t[0] + t[1] == N1]
    grid = np.linspace(0, 1, 1001)
    pays = lambda miss, alarm: next(p for p in grid if (1 - p) * alarm <= p * miss + 1e-12)
    rare = {"F_1": 0.7}
    area_of_nothing = roc_auc_score([0, 1], [1, 1])
    always = cohen_kappa_score([0, 1, 1], [1, 1, 1])
    return {
        "lost-marks-type-i": Worked(
            {r"\mathrm{FP}": 3, r"\mathrm{TN}": 5, r"\mathrm{specificity}": 5 / 8}, numbers=[1, 5 / 8 + 3 / 8]
        ),
        "lost-marks-pos-label": Worked(numbers=[1, *sorted({*load_breast_cancer().y.tolist()})]),
        "lost-marks-auc": Worked(numbers=[0.9, 90, 0.9, 0.9, 0.5]),
        "counterexample-f1": Worked(rare, numbers=[0, 0.7, 1, 0.7, 99, 100]),
        "counting": Worked(
            {"N": N, "N_1": N1, "N_0": N0, "K": K},
            numbers=[N1 * N0, 1 / (N1 * N0) / 2, len(range(N + 1)), len([*combinations(range(N), N1)]), len(tables),
                     len(given), K * K, K * (K - 1)],
        ),
        "counterexample-crossing": Worked(numbers=[0.5]),
        "lost-marks-log-loss": Worked(numbers=[0.5]),
        "quiz-type-i": Worked(numbers=[1]),
        "quiz-auc": Worked(
            numbers=[positive, negative, sum(strict), pairs, pairs * area, pairs, 9, wins[0], 6, wins[1], 4, wins[2], 5,
                     pairs, 3, 5, 3, 2],
        ),
        "quiz-micro": Worked(rare, numbers=[100, 0.7, 100, 0.7, 0.7]),
        "quiz-threshold": Worked(
            numbers=[9, 1, pays(1, 9), pays(1, 1), pays(9, 1), pays(9, 1), 1, 9, 1, 9],
        ),
        "quiz-proper": Worked(numbers=[0.5, 0, 1]),
        "tf-auc": Worked(numbers=[0.2, 1 - 0.2, 0.5]),
        "tf-calibration": Worked(numbers=[0.1, 0.9]),
        "tf-kappa": Worked(numbers=[always, 1]),
        "tf-r2": Worked({"R^2": 0.3}, numbers=[0.3, 0, 1]),
        "tf-purity": Worked(numbers=[1, 1]),
        "do-not-confuse-rates": Worked(numbers=[1]),
        "do-not-confuse-curves": Worked(numbers=[area_of_nothing]),
        "do-not-confuse-single": Worked(
            {"F_1": 0.7, r"\pi": 0.4},
            numbers=[np.mean([1, 0]), 0.7, 0, f1_score([1] * 2 + [0] * 3, [1] * 5), always, 0, 0, 0],
        ),
        "what-if-negatives": Worked(rare, numbers=[0.7]),
        "what-if-swap": Worked(rare, numbers=[0.7]),
        "what-if-ties": Worked(numbers=[area_of_nothing, area_of_nothing]),
        "what-if-split": Worked(numbers=[1, len(load_iris().y), 0]),
        "convention-zero": Worked(numbers=[0, 0, 0, area_of_nothing]),
        "convention-names": Worked({**rare, "R^2": 0.3}, numbers=[0.7, 0.7, 0.7, 0.3]),
    }  # fmt: skip
