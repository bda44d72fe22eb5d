"""Drills on evaluation: rates of a screening test, an ROC curve with a tie, kappa, the scores of probabilities."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import IntArray
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.foundations.evaluation import (
    accuracy_score,
    brier_score_loss,
    cohen_kappa_score,
    confusion_matrix,
    f1_score,
    log_loss,
    minimum_cost_decision,
    precision_score,
    recall_score,
    roc_auc_score,
    roc_curve,
    specificity_score,
    type_i_error,
    type_ii_error,
)


@drill("confusion-metrics", marks=12, minutes=14, title="Metrics of a confusion matrix")
def confusion_metrics(rng: np.random.Generator) -> Parts:
    """Fill in a confusion matrix from a story, compute every rate, and compare the cost with never raising an alarm."""
    ill, well = int(rng.choice([10, 20, 25, 40, 50])), int(rng.choice([40, 50, 80, 100, 150, 200]))
    tp = int(rng.integers(ill // 2, ill))
    fp = int(rng.integers(1, well // 4))
    fn, tn = ill - tp, well - fp
    miss, alarm = int(rng.integers(5, 21)), int(rng.integers(1, 4))
    n, called = ill + well, tp + fp
    y = np.repeat([1, 1, 0, 0], [tp, fn, fp, tn])
    guess = np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])
    assert confusion_matrix(y, guess).tolist() == [[tn, fp], [fn, tp]]
    cost, never = miss * fn + alarm * fp, miss * ill
    better = "the test" if cost < never else "never raising an alarm" if never < cost else "neither"
    statement = "\n".join(
        [
            f"A test is tried on {n} people, {ill} of them ill. It raises an alarm for {called}, of whom {tp} are "
            "ill. *Positive* means ill.",
            "",
            "1. Fill in the confusion matrix (2 marks).",
            "2. Compute accuracy, precision, recall and specificity (4 marks).",
            "3. Compute the type-I and the type-II error (2 marks).",
            "4. Compute $F_1$ (1 mark).",
            f"5. A miss costs {miss}, a false alarm {alarm}. What does the test cost, what would it cost never to "
            "raise an alarm, and which is cheaper? (3 marks)",
            "",
            table([["ill", "", "", ill], ["healthy", "", "", well], ["sum", called, "", n]], _TABLE).markdown,
        ]
    )
    rows = [["ill", f"TP = {tp}", f"FN = {fn}", ill], ["healthy", f"FP = {fp}", f"TN = {tn}", well]]
    lines = [
        "**Confusion matrix** (1 mark for the ill, 1 for the healthy): rows are the truth, columns the test.",
        "",
        table([*rows, ["sum", called, fn + tn, n]], _TABLE).markdown,
        "",
        f"- **Accuracy** (1 mark): $({tp} + {tn}) / {n} = {_share(tp + tn, n)}$.",
        f"- **Precision** (1 mark), of the alarms: ${_share(tp, called)}$.",
        f"- **Recall** (1 mark), of the ill: ${_share(tp, ill)}$.",
        f"- **Specificity** (1 mark), of the healthy: ${_share(tn, well)}$.",
        f"- **Type-I error** (1 mark), alarms among the healthy: ${_share(fp, well)}$, one minus the specificity.",
        f"- **Type-II error** (1 mark), misses among the ill: ${_share(fn, ill)}$, one minus the recall.",
        f"- **$F_1$** (1 mark): $2 \\cdot {tp} / (2 \\cdot {tp} + {fn} + {fp}) = {_share(2 * tp, 2 * tp + fn + fp)}$.",
        "",
        f"**Cost** (1 mark each): the test costs ${miss} \\cdot {fn} + {alarm} \\cdot {fp} = {cost}$; without alarms "
        f"all {ill} ill are missed, ${miss} \\cdot {ill} = {never}$. Cheaper: {better}.",
    ]
    answer = {
        "matrix": [[tp, fn], [fp, tn]],
        "accuracy": accuracy_score(y, guess),
        "precision": precision_score(y, guess),
        "recall": recall_score(y, guess),
        "specificity": specificity_score(y, guess),
        "type_i": type_i_error(y, guess),
        "type_ii": type_ii_error(y, guess),
        "f1": f1_score(y, guess),
        "cost": cost,
        "cost_never": never,
        "cheaper": better,
    }
    given = {"n": n, "ill": ill, "alarms": called, "ill_with_alarm": tp, "cost_miss": miss, "cost_alarm": alarm}
    outcomes = ["the test", "never raising an alarm", "neither"]
    fields = [
        ask.matrix("matrix", "the confusion matrix", 1, 2, rows=["ill", "healthy"], columns=_TABLE[1:3], whole=True),
        *(ask.number(name, name, 2, percent=True) for name in ("accuracy", "precision", "recall", "specificity")),
        ask.number("type_i", "type-I error", 3, percent=True),
        ask.number("type_ii", "type-II error", 3, percent=True),
        ask.number("f1", "$F_1$", 4, percent=True, **ask.DERIVED),
        ask.number("cost", "cost of the test", 5, whole=True),
        ask.number("cost_never", "cost without any alarm", 5, whole=True),
        ask.choice("cheaper", "cheaper", 5, options=outcomes),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_TABLE = ["", "alarm", "no alarm", "sum"]


@drill("roc-auc", marks=12, minutes=15, title="ROC curve and the area under it")
def roc_auc(rng: np.random.Generator) -> Parts:
    """ROC points, the area by trapezoids and by pairs, and the most accurate threshold; one tie across the classes."""
    while True:
        n_pos, n_neg = (int(v) for v in rng.integers(3, 5, size=2))
        y = rng.permutation(np.repeat([1, 0], [n_pos, n_neg]))
        score = rng.integers(1, 10, size=n_pos + n_neg) + y
        ties = sum(int(p == q) for p in score[y == 1] for q in score[y == 0])
        A = roc_auc_score(y, score)
        if ties == 1 and len(set(score.tolist())) == len(y) - 1 and 0.5 < A < 1:
            break
    curve = roc_curve(y, score, drop_intermediate=False)
    tp, fp = np.rint(curve.tpr * n_pos).astype(int), np.rint(curve.fpr * n_neg).astype(int)
    right = tp + n_neg - fp
    best = int(right.argmax())
    header = ["instance", *(str(i + 1) for i in range(len(y)))]
    data = table([["label", *map(str, y)], ["score", *map(str, score)]], header)
    statement = "\n".join(
        [
            "A classifier gives these scores; label 1 is positive.",
            "",
            data.markdown,
            "",
            "1. Sort by falling score and list the points (FPR, TPR) of the ROC curve, starting at $(0, 0)$ (4 marks).",
            "2. Compute the area under it by trapezoids (3 marks).",
            "3. Compute it again by counting pairs of a positive and a negative instance (3 marks).",
            '4. Which threshold, in the rule "positive if score $\\geq t$", predicts most labels right, and how many? '
            "Take the highest one in a tie. (2 marks)",
            "",
            table([["$\\infty$", 0, 0, "$0$", "$0$"], *([["", "", "", "", ""]] * (len(tp) - 1))], _SWEEP).markdown,
        ]
    )
    sweep = [
        ["$\\infty$" if not np.isfinite(t) else sig(int(t)), a, b, f"${a}/{n_pos}$", f"${b}/{n_neg}$"]
        for t, a, b in zip(curve.thresholds, tp, fp, strict=True)
    ]
    areas = [(int(fp[k + 1] - fp[k]), int(tp[k] + tp[k + 1])) for k in range(len(tp) - 1) if fp[k + 1] > fp[k]]
    doubled = sum(width * heights for width, heights in areas)
    terms = " + ".join(f"{width} \\cdot {heights}" for width, heights in areas)
    wins = [_wins(int(p), score[y == 0]) for p in sorted(score[y == 1].tolist(), reverse=True)]
    total = n_pos * n_neg
    tied = int(next(p for p in score[y == 1] if p in score[y == 0]))
    rule = "no instance is positive" if best == 0 else f"$t = {int(curve.thresholds[best])}$"
    lines = [
        "**Points** (4 marks; 1 off for each wrong row). Instances with one score cross the threshold together: at "
        f"{tied} the curve goes up and to the right in one step.",
        "",
        table(sweep, _SWEEP).markdown,
        "",
        "**Trapezoids** (1 mark for the rule, 2 for the sum). Only steps to the right have an area; a step of width "
        f"$a/{n_neg}$ between the heights $h/{n_pos}$ and $h'/{n_pos}$ adds $a (h + h') / (2 \\cdot {total})$:",
        "",
        f"$\\mathrm{{AUC}} = \\frac{{{terms}}}{{2 \\cdot {total}}} = {_share(doubled, 2 * total)}$.",
        "",
        f"**Pairs** (1 mark for the number of pairs, 2 for the count). There are ${n_pos} \\cdot {n_neg} = {total}$ "
        "pairs; a positive instance wins 1 against a lower negative one and $\\tfrac12$ against an equal one. From the "
        f"highest positive down: ${' + '.join(map(sig, wins))} = {sig(sum(wins))}$, so "
        f"$\\mathrm{{AUC}} = {sig(sum(wins))} / {total} = {sig(A)}$.",
        "",
        f"**Threshold** (1 mark for comparing TP + TN, 1 for the answer): {rule}, with {int(tp[best])} + "
        f"{int(n_neg - fp[best])} = {int(right[best])} of {len(y)} right.",
    ]
    answer = {
        "points": [[float(a), float(b)] for a, b in zip(curve.fpr, curve.tpr, strict=True)],
        "auc": A,
        "wins": float(sum(wins)),
        "pairs": total,
        "threshold": None if best == 0 else int(curve.thresholds[best]),
        "right": int(right[best]),
    }
    thresholds = sorted(set(score.tolist()), reverse=True)
    fields = [
        ask.matrix(
            "points",
            "points of the curve from $(0, 0)$ on: one row for each",
            1,
            4,
            columns=["FPR", "TPR"],
            percent=True,
        ),
        ask.number("auc", "the area", 2, 3, percent=True, **ask.DERIVED),
        ask.number("pairs", "number of pairs", 3, whole=True),
        ask.number("wins", "pairs won, with a half for each tie", 3, 2),
        ask.choice("threshold", "the threshold", 4, options=["infinity", *thresholds], keys=[None, *thresholds]),
        ask.number("right", "labels predicted right", 4, whole=True),
    ]
    given = {"labels": y.tolist(), "scores": score.tolist()}
    return Parts(statement, given, "\n".join(lines), answer, fields)


_SWEEP = ["$t$", "TP", "FP", "TPR", "FPR"]


def _wins(p: int, negative: IntArray) -> float:
    """Negatives that a positive score beats, half a win for a tie."""
    return float(np.sum(negative < p) + 0.5 * np.sum(negative == p))


@drill("kappa", marks=6, minutes=8, title="Cohen's kappa")
def kappa(rng: np.random.Generator) -> Parts:
    """Observed agreement, agreement by chance and Cohen's kappa of two raters with two or three classes."""
    while True:
        K, n = int(rng.integers(2, 4)), int(rng.choice([20, 25, 40, 50]))
        weights = 0.4 * np.ones((K, K)) + np.diag(rng.uniform(0.5, 3.0, K))
        C = rng.multinomial(n, (weights / weights.sum()).ravel()).reshape(K, K)
        a, b = np.repeat(np.arange(K), C.sum(axis=1)), np.concatenate([np.repeat(np.arange(K), row) for row in C])
        if C.min() > 0 and abs(cohen_kappa_score(a, b)) > 0.05:
            break
    rows, columns, agreed = C.sum(axis=1), C.sum(axis=0), int(np.trace(C))
    names = ["A", "B", "C"][:K]
    header = ["first rater / second", *names, "sum"]
    filled = [[name, *row, int(s)] for name, row, s in zip(names, C.tolist(), rows, strict=True)]
    products = int(rows @ columns)
    by_chance, value = products / n**2, cohen_kappa_score(a, b)
    statement = "\n".join(
        [
            f"Two raters sort {n} texts into the classes {', '.join(names)}:",
            "",
            table([[name, *row, ""] for name, row in zip(names, C.tolist(), strict=True)], header).markdown,
            "",
            "1. Compute the row and column sums and the observed agreement $p_o$ (2 marks).",
            "2. Compute the agreement $p_e$ that chance alone would give with these sums (2 marks).",
            "3. Compute Cohen's kappa (2 marks).",
        ]
    )
    terms = " + ".join(f"{r} \\cdot {c}" for r, c in zip(rows, columns, strict=True))
    diagonal = " + ".join(map(str, np.diag(C)))
    lines = [
        "**Sums** (1 mark):",
        "",
        table([*filled, ["sum", *columns.tolist(), n]], header).markdown,
        "",
        f"**Observed agreement** (1 mark): the diagonal, $p_o = ({diagonal}) / {n} = {_share(agreed, n)}$.",
        "",
        "**Agreement by chance** (1 mark for the formula, 1 for the value): row sum times column sum, class by class, "
        f"$p_e = ({terms}) / {n}^2 = {_share(products, n * n)}$.",
        "",
        "**Kappa** (1 mark for the formula, 1 for the value): $\\kappa = \\frac{p_o - p_e}{1 - p_e} = "
        f"\\frac{{{sig(agreed / n)} - {sig(by_chance)}}}{{1 - {sig(by_chance)}}}$. Both parts times ${n}^2 = {n * n}$: "
        f"$\\kappa = \\frac{{{n} \\cdot {agreed} - {products}}}{{{n * n} - {products}}} = "
        f"{_share(n * agreed - products, n * n - products)}$.",
    ]
    answer = {"p_o": agreed / n, "p_e": by_chance, "kappa": value}
    fields = [
        ask.number("p_o", "observed agreement $p_o$", 1, 2, percent=True),
        ask.number("p_e", "agreement by chance $p_e$", 2, 2, percent=True),
        ask.number("kappa", "kappa", 3, 2, places=3, carried=1, percent=True),
    ]
    return Parts(statement, {"table": C.tolist()}, "\n".join(lines), answer, fields)


@drill("log-loss", title="Log loss and Brier score", marks=8, minutes=10)
def log_loss_by_hand(rng: np.random.Generator) -> Parts:
    """Log loss and Brier score of five predictions, the Brier score of a constant, and the threshold of two costs."""
    while True:
        tenths, positives = rng.choice(np.arange(1, 10), 5, replace=False), int(rng.integers(1, 5))
        y = rng.permutation(np.repeat([1, 0], [positives, 5 - positives]))
        miss, alarm = int(rng.integers(2, 9)), int(rng.integers(1, 3))
        if 10 * alarm % (alarm + miss) and miss > alarm and roc_auc_score(y, tenths) > 0.5:  # no p on the threshold
            break
    p = tenths / 10
    chosen = minimum_cost_decision(np.column_stack([1 - p, p]), [[0, alarm], [miss, 0]]).chosen
    alarms = int(chosen.sum())
    names = ["instance", *(str(i + 1) for i in range(5))]
    statement = "\n".join(
        [
            "A classifier predicts these probabilities $p$ of the positive class; $y$ is what happened.",
            "",
            table([["$y$", *y.tolist()], ["$p$", *map(sig, p)]], names).markdown,
            "",
            "1. Compute the log loss, with natural logarithms (3 marks).",
            "2. Compute the Brier score, the mean of $(p - y)^2$ (2 marks).",
            "3. What is the Brier score of predicting the share of positives for everybody? (1 mark)",
            f"4. A miss costs {miss}, a false alarm {alarm}, a right decision nothing. From which probability on is an "
            "alarm right, if the probabilities are? How many of the five get one? (2 marks)",
        ]
    )
    right = np.where(y == 1, tenths, 10 - tenths)  # tenths given to what happened
    given = [sig(v) for v in right / 10]
    product, total = sig(int(right.prod()) / 10**5, 5), sig(int(((10 - right) ** 2).sum()) / 100)  # both exact
    squares = " + ".join(f"{sig(v)}^2" for v in (10 - right) / 10)
    score, brier, constant = log_loss(y, p), brier_score_loss(y, p), brier_score_loss(y, np.full(5, positives / 5))
    logs = " + ".join(f"\\ln {v}" for v in given)
    lines = [
        "**Log loss** (1 mark for the probabilities of what happened, 2 for the value): $p$ where $y = 1$, $1 - p$ "
        f"where $y = 0$, that is ${', '.join(given)}$, so $-\\frac{{1}}{{5}} ({logs}) = "
        f"-\\frac{{1}}{{5}} \\ln {product} = {sig(score)}$.",
        "",
        f"**Brier score** (1 mark for the formula, 1 for the value): $\\frac{{1}}{{5}} ({squares}) = "
        f"\\frac{{{total}}}{{5}} = {sig(brier)}$.",
        "",
        f"**Constant** (1 mark): the share is $\\bar y = {positives}/5$, and the Brier score of $\\bar y$ is the "
        f"variance of the labels, $\\bar y (1 - \\bar y) = {sig(constant)}$.",
        "",
        "**Threshold** (1 mark for the threshold, 1 for the count): "
        f"$t^\\star = {alarm} / ({alarm} + {miss}) = {sig(alarm / (alarm + miss))}$; {alarms} of the five reach it.",
    ]
    answer = {
        "log_loss": score,
        "brier": brier,
        "constant": constant,
        "threshold": alarm / (alarm + miss),
        "alarms": alarms,
    }
    fields = [
        ask.number("log_loss", "log loss", 1, 3, **ask.DERIVED),
        ask.number("brier", "Brier score", 2, 2),
        ask.number("constant", "Brier score of the constant", 3),
        ask.number("threshold", "the threshold $t^\\star$", 4, percent=True),
        ask.number("alarms", "number of alarms", 4, whole=True),
    ]
    given_numbers = {"y": y.tolist(), "p": p.tolist(), "cost_miss": miss, "cost_alarm": alarm}
    return Parts(statement, given_numbers, "\n".join(lines), answer, fields)


def _share(numerator: int, denominator: int) -> str:
    return f"\\frac{{{numerator}}}{{{denominator}}} = {sig(numerator / denominator)}"
