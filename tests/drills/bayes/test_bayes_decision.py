"""Drills on Bayesian decisions: worked again in fractions, without the library."""

from fractions import Fraction

import pytest

from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

TOPICS = ["bayes-decision", "minimum-risk", "reject-option", "neyman-pearson", "error-integral"]
LETTERS = "ABCDE"
NAMES, ACTIONS = ["sound", "faulty"], ["pass it", "scrap it"]


def exact(values):
    """Fractions of decimals with few places."""
    return [Fraction(round(10_000 * v), 10_000) for v in values]


def close(values):
    return pytest.approx([float(v) for v in values], abs=2e-9)


def best(values):
    return max(range(len(values)), key=lambda k: values[k])


# ----------------------------------------------------------------------------------------------------- smallest error


def work_error(given):
    joint = [a * b for a, b in zip(exact(given["priors"]), exact(given["density"]), strict=True)]
    return joint, sum(joint), [j / sum(joint) for j in joint]


@pytest.mark.equation("bayes-decision-posterior", "bayes-decision-minimum-error", "bayes-decision-log-posterior")
@each_seed()
def test_smallest_error(seed):
    drill = drawn("bayes-decision", seed)
    joint, evidence, posterior = work_error(drill.given)
    answer = drill.answer
    assert answer["joint"] == close(joint)
    assert answer["evidence"] == pytest.approx(float(evidence), abs=2e-9)
    assert answer["posterior"] == close(posterior)
    assert sorted(posterior)[-1] > sorted(posterior)[-2]
    assert answer["label"] == best(posterior)
    assert answer["error"] == pytest.approx(float(1 - max(posterior)), abs=2e-9)
    assert answer["likeliest"] == best(drill.given["density"])


@each_seed()
def test_every_number_of_the_smallest_error(seed):
    drill = drawn("bayes-decision", seed)
    g = drill.given
    joint, evidence, posterior = ([float(v) for v in part] for part in map(_listed, work_error(g)))
    ask, tell = pages(drill)
    rows = list(zip(range(3), g["priors"], g["density"], strict=True))
    ask.table(*([*row, None, None] for row in rows))
    ask.done()
    tell.says("$p(x) = # + # + # = #$.", *joint, *evidence)
    tell.table(
        *(
            [k, a, b, (r"$# \cdot # = #$", a, b, j), (r"$\frac{#}{#} = #$", j, *evidence, p)]
            for (k, a, b), j, p in zip(rows, joint, posterior, strict=True)
        )
    )
    k = drill.answer["label"]
    tell.says("class # has the largest posterior", k)
    tell.says(r"with probability $1 - \frac{#}{#} = #$.", joint[k], *evidence, 1 - posterior[k])
    tell.says("alone decides, class #.", drill.answer["likeliest"])
    tell.done()


def _listed(value):
    return value if isinstance(value, list) else [value]


# ------------------------------------------------------------------------------------------------------ smallest risk


def work_risk(given):
    joint = [a * b for a, b in zip(exact(given["priors"]), exact(given["density"]), strict=True)]
    P = [j / sum(joint) for j in joint]
    C = given["cost"]
    risks = [sum(P[k] * C[k][a] for k in (0, 1)) for a in (0, 1)]
    prior, density = exact(given["priors"]), exact(given["density"])
    theta = prior[0] * (C[0][1] - C[0][0]) / (prior[1] * (C[1][0] - C[1][1]))
    return joint, P, risks, density[1] / density[0], theta


@pytest.mark.equation("bayes-decision-minimum-risk", "bayes-decision-likelihood-ratio", "bayes-decision-threshold")
@each_seed()
def test_smallest_risk(seed):
    drill = drawn("minimum-risk", seed)
    _, P, risks, ratio, theta = work_risk(drill.given)
    answer = drill.answer
    assert answer["posterior"] == close(P)
    assert answer["risks"] == close(risks)
    assert answer["action"] == ACTIONS[risks[1] < risks[0]] == ACTIONS[ratio > theta]
    assert [answer["ratio"], answer["threshold"]] == close([ratio, theta])
    assert answer["plain"] == ACTIONS[P[1] > P[0]]


@each_seed()
def test_every_number_of_the_smallest_risk(seed):
    drill = drawn("minimum-risk", seed)
    g = drill.given
    joint, P, risks, ratio, theta = work_risk(g)
    pi, density, C, total = g["priors"], g["density"], g["cost"], float(sum(joint))
    shares = [value for k in (0, 1) for value in (float(joint[k]), total)]
    ask, tell = pages(drill)
    ask.says("a share of $#$ is faulty (class #), the others are sound (class #)", pi[1], 1, 0)
    ask.says("density $#$ for sound and $#$ for faulty", *density)
    ask.table(*([NAMES[k], *C[k]] for k in (0, 1)))
    ask.done()
    tell.says(r"$p(x) = # \cdot # + # \cdot # = #$;", pi[0], density[0], pi[1], density[1], total)
    tell.says(r"sound $\frac{#}{#} = #$, faulty $\frac{#}{#} = #$.", *shares[:2], float(P[0]), *shares[2:], float(P[1]))
    for name, a in (("pass it costs", 0), ("scrap it", 1)):
        numbers = C[0][a], *shares[:2], C[1][a], *shares[2:], float(risks[a])
        tell.says(rf"to {name} $# \cdot \frac{{#}}{{#}} + # \cdot \frac{{#}}{{#}} = #$", *numbers)
    tell.says(r"$\frac{#}{#} = #$, and the", density[1], density[0], float(ratio))
    numbers = pi[0], C[0][1], C[0][0], pi[1], C[1][0], C[1][1], float(theta)
    tell.says(r"$\frac{# \cdot (# - #)}{# \cdot (# - #)} = #$.", *numbers)
    sign = ">" if ratio > theta else "<"
    tell.says(f"As $# {sign} #$: {drill.answer['action']}, as before.", float(ratio), float(theta))
    tell.done()


# ---------------------------------------------------------------------------------------------------------- rejection


def work_reject(given):
    P = [exact(row) for row in given["posterior"]]
    t = Fraction(given["price"], given["mistake"])
    doubt = [1 - max(row) for row in P]
    words = ["reject" if e > t else str(best(row)) for e, row in zip(doubt, P, strict=True)]
    kept = [e for e in doubt if e <= t]
    return t, doubt, words, kept


@pytest.mark.equation("bayes-decision-chow", "bayes-decision-rates", "bayes-decision-reject-threshold")
@each_seed()
def test_rejection(seed):
    drill = drawn("reject-option", seed)
    g, answer = drill.given, drill.answer
    t, doubt, words, kept = work_reject(g)
    assert answer["threshold"] == pytest.approx(float(t))
    assert answer["doubt"] == close(doubt)
    assert answer["decisions"] == words
    n = 5 - len(kept)
    assert answer["rates"] == close([Fraction(n, 5), sum(kept) / 5, sum(kept) / len(kept)])
    costs = [(g["mistake"] * sum(kept) + g["price"] * n) / 5, g["mistake"] * sum(doubt) / 5]
    assert answer["costs"] == close(costs)
    assert costs[0] < costs[1]


@each_seed()
def test_every_number_of_a_rejection(seed):
    drill = drawn("reject-option", seed)
    g = drill.given
    t, doubt, words, kept = work_reject(g)
    ask, tell = pages(drill)
    ask.table(*([LETTERS[i], *row, None, None] for i, row in enumerate(g["posterior"])))
    ask.says("A mistake costs #, no decision #, a", g["mistake"], g["price"])
    ask.done()
    tell.says(
        r"costs $#\, e$, so reject where $e$ exceeds $# / # = #$.", g["mistake"], g["price"], g["mistake"], float(t)
    )
    rows = zip(g["posterior"], doubt, words, strict=True)
    tell.table(*([LETTERS[i], *row, float(e), word] for i, (row, e, word) in enumerate(rows)))
    n, added = 5 - len(kept), " + ".join("#" for _ in kept)
    values, wrong = [float(e) for e in kept], float(sum(kept))
    tell.says("rejected are $# / 5 = #$;", n, n / 5)
    tell.says(f"wrong are $({added}) / 5 = #$ of all", *values, wrong / 5)
    tell.says(f"$({added}) / # = #$ of the accepted", *values, len(kept), wrong / len(kept))
    means = [float(v) for v in ((g["mistake"] * sum(kept) + g["price"] * n) / 5, g["mistake"] * sum(doubt) / 5)]
    tell.says(rf"$(# \cdot ({added}) + # \cdot #) / 5 = #$,", g["mistake"], *values, g["price"], n, means[0])
    everything = " + ".join("#" for _ in doubt)
    tell.says(rf"without it $# \cdot ({everything}) / 5 = #$.", g["mistake"], *map(float, doubt), means[1])
    tell.done()


# ------------------------------------------------------------------------------------------------ Neyman and Pearson


def work_test(given):
    p, q = exact(given["null"]), exact(given["alternative"])
    order = sorted(range(4), key=lambda i: -q[i] / p[i])
    F = [sum(p[i] for i in order[: j + 1]) for j in range(4)]
    D = [sum(q[i] for i in order[: j + 1]) for j in range(4)]
    alpha = Fraction(round(100 * given["alpha"]), 100)
    j = next(j for j in range(4) if F[j] > alpha)
    before = F[j - 1] if j else Fraction(0)
    return order, F, D, j, before, alpha - before


@pytest.mark.equation("bayes-decision-test", "bayes-decision-roc")
@each_seed()
def test_most_powerful(seed):
    drill = drawn("neyman-pearson", seed)
    g, answer = drill.given, drill.answer
    p, q = exact(g["null"]), exact(g["alternative"])
    order, F, D, j, _, rest = work_test(g)
    assert answer["ratios"] == close([b / a for a, b in zip(p, q, strict=True)])
    assert answer["order"] == [LETTERS[i] for i in order]
    assert answer["false_alarm"] == close(F)
    assert answer["detection"] == close(D)
    assert j in (1, 2)
    assert answer["sometimes"] == LETTERS[order[j]]
    chance = rest / p[order[j]]
    assert 0 < chance < 1
    assert answer["chance"] == pytest.approx(float(chance), abs=2e-9)
    assert answer["power"] == pytest.approx(float(D[j - 1] + chance * q[order[j]]), abs=2e-9)


@each_seed()
def test_every_number_of_the_most_powerful_test(seed):
    drill = drawn("neyman-pearson", seed)
    g = drill.given
    p, q = g["null"], g["alternative"]
    order, F, D, j, before, rest = work_test(g)
    ask, tell = pages(drill)
    ask.table(*([LETTERS[i], p[i], q[i], None] for i in range(4)))
    ask.says("for noise (class 0) and signal (class 1):")
    ask.says(r"$\alpha = #$.", g["alpha"])
    ask.done()
    tell.table(*([LETTERS[i], p[i], q[i], (r"$\frac{#}{#} = #$", q[i], p[i], q[i] / p[i])] for i in range(4)))
    tell.says(f"The order is {', '.join(LETTERS[i] for i in order)}.")
    tell.table(*([LETTERS[i], float(f), float(d)] for i, f, d in zip(order, F, D, strict=True)))
    always, last = " and ".join(LETTERS[i] for i in order[:j]), order[j]
    tell.says(f"at {always} always, which uses up $#$.", float(before))
    tell.says("There is $# - # = #$ left", g["alpha"], float(before), float(rest))
    tell.says(
        rf"at {LETTERS[last]} with probability $\frac{{#}}{{#}} = #$.", float(rest), p[last], float(rest) / p[last]
    )
    power = float(D[j - 1]) + float(rest) / p[last] * q[last]
    tell.says(r"$# + \frac{#}{#} \cdot # = #$.", float(D[j - 1]), float(rest), p[last], q[last], power)
    tell.done()


# ----------------------------------------------------------------------------------------------------- error integral


def work_integral(given):
    a, b, c = given["a"], given["b"], given["cost"]
    pi = exact(given["priors"])
    x = (pi[0] * a + pi[1] * b) / (pi[0] + pi[1])
    errors = [pi[0] * (a - x) ** 2 / a**2, pi[1] * (x - b) ** 2 / a**2]
    return Fraction(2, a**2), x, errors, (pi[0] * a + c * pi[1] * b) / (pi[0] + c * pi[1])


@pytest.mark.equation("bayes-decision-error-integral", "bayes-decision-bayes-error", "bayes-decision-risk-regions")
@each_seed()
def test_error_integral(seed):
    drill = drawn("error-integral", seed)
    g, answer = drill.given, drill.answer
    h, x, errors, moved = work_integral(g)
    assert answer["height"] == pytest.approx(float(h), abs=2e-9)
    assert answer["border"] == pytest.approx(float(x), abs=2e-9)
    assert answer["errors"] == close(errors)
    assert answer["total"] == pytest.approx(float(sum(errors)), abs=2e-9)
    assert answer["moved"] == pytest.approx(float(moved), abs=2e-9)
    assert moved < x
    assert max(0, g["b"]) < moved
    # midpoint rule on the smaller of the two weighted densities
    fine, width = 4000, (g["b"] + g["a"] - min(0, g["b"])) / 4000
    total = 0.0
    for i in range(fine):
        u = min(0, g["b"]) + (i + 0.5) * width
        falling = float(h) * (g["a"] - u) if 0 <= u <= g["a"] else 0.0
        rising = float(h) * (u - g["b"]) if g["b"] <= u <= g["b"] + g["a"] else 0.0
        total += width * min(g["priors"][0] * falling, g["priors"][1] * rising)
    assert answer["total"] == pytest.approx(total, abs=2e-3)


@each_seed()
def test_every_number_of_an_error_integral(seed):
    drill = drawn("error-integral", seed)
    g = drill.given
    a, b, c, pi = g["a"], g["b"], g["cost"], g["priors"]
    h, x, errors, moved = work_integral(g)
    ask, tell = pages(drill)
    ask.says(rf"In class 0 the density is $h\,({a} - x)$ for $0 \le x \le {a}$, in class 1 it is")
    ask.says(rf"$h\,(x - {b})$ for ${b} \le x \le {b + a}$, and 0 elsewhere.")
    ask.says("The priors are $#$ for class 0 and $#$ for class 1.", *pi)
    ask.says("Taking class 1 for class 0 now costs #, the other mistake 1.", c)
    ask.done()
    tell.says(r"of base # and height $#\, h$, so $h = \frac{2}{#^2} = #$.", a, a, a, float(h))
    equation = rf"$#\,({a} - x) = #\,(x - {b})$"
    tell.says(equation + ", the", *pi)
    tell.says(r"$x^\star = # \cdot # + # \cdot # = #$; class 0 to its", pi[0], a, pi[1], b, float(x))
    to_1, to_0 = float(a - x), float(x - b)
    tell.says(f"base $# - # = #$ and $# - {b} = #$.", a, float(x), to_1, float(x), to_0)
    tell.says(r"Class 0 to the right of the border: $# \cdot \frac{#^2}{#^2} = #$.", pi[0], to_1, a, float(errors[0]))
    tell.says(r"Class 1 to its left: $# \cdot \frac{#^2}{#^2} = #$.", pi[1], to_0, a, float(errors[1]))
    total = float(sum(errors))
    tell.says(r"$\frac{# \cdot #^2 + # \cdot #^2}{#^2} = #$.", pi[0], to_1, pi[1], to_0, a, total)
    tell.says(rf"$#\,({a} - x) = # \cdot #\,(x - {b})$,", pi[0], c, pi[1])
    numbers = pi[0], a, c, pi[1], b, pi[0], c, pi[1], float(moved)
    tell.says(r"$x = \frac{# \cdot # + # \cdot # \cdot #}{# + # \cdot #} = #$:", *numbers)
    tell.says("away from class 1.")
    tell.done()
