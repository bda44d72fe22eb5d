"""A student who rounds each intermediate result to four digits, and goes on with it, is right.

The answers are worked here from ``given``, without the library, one printed step after the other.
"""

import math

import pytest

from notes_lib.drills.judge import judge
from tests.drills.seeds import SEEDS, drawn


def four(value):
    return float(f"{value:.4g}")


def gaussian_mixture(x, weights, means, variances):
    """Joint densities, their sums, and the logarithms, each rounded."""
    joint = [
        [four(w / math.sqrt(2 * math.pi * v) * math.exp(-((p - m) ** 2) / (2 * v)))
         for w, m, v in zip(weights, means, variances, strict=True)]
        for p in x
    ]  # fmt: skip
    sums = [four(sum(row)) for row in joint]
    return joint, sums, [four(math.log(s)) for s in sums]


def em_step(g):
    total, x = sum(g["weights"]), g["x"]
    weights = [w / total for w in g["weights"]]
    joint, sums, logs = gaussian_mixture(x, weights, g["means"], [g["variance"]] * 2)
    gamma = [[four(p / s) for p in row] for row, s in zip(joint, sums, strict=True)]
    N = [four(sum(row[k] for row in gamma)) for k in (0, 1)]
    new = [four(n / len(x)) for n in N]
    mu = [four(sum(four(row[k] * p) for row, p in zip(gamma, x, strict=True)) / N[k]) for k in (0, 1)]
    squares = [[four((p - m) ** 2) for p in x] for m in mu]
    var = [four(sum(four(row[k] * s) for row, s in zip(gamma, squares[k], strict=True)) / N[k]) for k in (0, 1)]
    after = gaussian_mixture(x, new, mu, var)[2]
    return {"responsibilities": gamma, "log_likelihood_before": sum(logs), "counts": N, "weights": new, "means": mu,
            "variances": var, "log_likelihood_after": sum(after)}  # fmt: skip


def responsibility(g):
    total = sum(g["weights"])
    variances = [s * s for s in g["sds"]]
    joint, sums, _ = gaussian_mixture(g["x"], [w / total for w in g["weights"]], g["means"], variances)
    gamma = [[four(p / s) for p in row] for row, s in zip(joint, sums, strict=True)]
    if len(gamma) == 1:
        joint, gamma = joint[0], gamma[0]
    return {"joint": joint, "density": sums, "responsibilities": gamma}


def bayes_risk(g):
    joint = [[p * v for v in row] for p, row in zip(g["prior"], g["likelihood"], strict=True)]
    evidence = [a + b for a, b in zip(*joint, strict=True)]
    ill = [four(b / e) for b, e in zip(joint[1], evidence, strict=True)]
    healthy, miss = [four(1 - p) for p in ill], g["cost"][1][0]
    costs = [[four(miss * p), q] for p, q in zip(ill, healthy, strict=True)]
    risk = sum(four(min(p, q) * e) for p, q, e in zip(ill, healthy, evidence, strict=True))
    dear = sum(four(min(pair) * e) for pair, e in zip(costs, evidence, strict=True))
    return {"ill": ill, "conditional_risk": costs, "risk": risk, "risk_cost": dear}


def forward(g):
    pi, A, B, x = (g[key] for key in ("startprob", "transmat", "emissionprob", "symbols"))
    row = [four(pi[k] * B[k][x[0]]) for k in (0, 1)]
    for symbol in x[1:]:
        row = [four(sum(row[i] * A[i][k] for i in (0, 1)) * B[k][symbol]) for k in (0, 1)]
    P = four(sum(row))
    return {"filtered": [four(v / P) for v in row]}


def confusion(g):
    tp, n_ill = g["ill_with_alarm"], g["ill"]
    precision, recall = four(tp / g["alarms"]), four(tp / n_ill)
    return {"f1": four(2 * precision * recall / (precision + recall)), "precision": precision, "recall": recall}


def kappa(g):
    n = sum(map(sum, g["table"]))
    columns = [sum(column) for column in zip(*g["table"], strict=True)]
    p_o = four(sum(g["table"][k][k] for k in range(len(columns))) / n)
    p_e = four(sum(four(sum(row) / n) * four(c / n) for row, c in zip(g["table"], columns, strict=True)))
    return {"kappa": four((p_o - p_e) / (1 - p_e))}


def support_vectors(g):
    w = [four(sum(a * y * p[j] for a, y, p in zip(g["alpha"], g["y"], g["X"], strict=True))) for j in (0, 1)]
    return {"w": w, "margin": four(1 / four(math.hypot(*w)))}


def folds(g):
    means = [sum(row) / g["K"] for row in g["scores"]]
    best = max(range(4), key=lambda k: means[k])
    variance = four(sum((v - means[best]) ** 2 for v in g["scores"][best]) / (g["K"] - 1))
    error = four(math.sqrt(four(variance / g["K"])))
    return {"standard_error": error, "bound": four(means[best] - error), "means": means}


STUDENTS = {"gmm-em-step": em_step, "gmm-responsibility": responsibility, "bayes-risk": bayes_risk,
            "hmm-forward": forward, "confusion-metrics": confusion, "kappa": kappa,
            "svm-support-vectors": support_vectors, "k-fold-split": folds}  # fmt: skip


def typed(value):
    if isinstance(value, list):
        return ("\n" if isinstance(value[0], list) else "; ").join(map(typed, value))
    return f"{value:.4g}"


@pytest.mark.parametrize("topic", STUDENTS)
def test_rounding_on_the_way_costs_nothing(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        fields = {field.name: field for field in drill.fields}
        for name, value in STUDENTS[topic](drill.given).items():
            verdict = judge(fields[name], typed(value))
            where = f"{name}, seed {seed}: {typed(value)!r} for {fields[name].value}"
            assert verdict.right, f"{where}: {verdict.message}"
