"""Drills on naive Bayes: a table of categories, words counted or present, smoothing and its inverse."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from notes_lib.bayes.naive_bayes import (
    bernoulli_log_odds,
    category_table,
    multinomial_log_odds,
    smoothed,
    word_counts,
)
from notes_lib.checks import FloatArray, IntArray
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction

CLASSES = ("A", "B")
FEATURES = {"sky": ("sun", "cloud", "rain"), "wind": ("weak", "strong"), "day": ("work", "free")}
VOCABULARY = ("goal", "law", "team", "vote")


def _over(count: float, total: float, command: str = "tfrac") -> str:
    """A share as it is counted, not reduced."""
    return f"\\{command}{{{sig(count)}}}{{{sig(total)}}}"


@drill("naive-bayes", marks=9, minutes=12, title="Naive Bayes on a table of categories")
def categories(rng: np.random.Generator) -> Parts:
    """Priors, conditional probabilities by counting, the two products, the posterior and the decision."""
    sizes = [len(values) for values in FEATURES.values()]
    while True:
        n = int(rng.integers(8, 11))
        X = np.column_stack([rng.integers(0, S, n) for S in sizes])
        y = rng.integers(0, 2, n)
        query = np.array([int(rng.integers(S)) for S in sizes])
        counts = np.bincount(y, minlength=2)
        if counts.min() < 3:
            continue
        seen = np.array([category_table(x, y, 2, S)[:, v] for x, S, v in zip(X.T, sizes, query, strict=True)]).T
        joint = counts / n * np.prod(seen / counts[:, None], axis=1)
        if seen.min() > 0 and abs(np.log(joint[0] / joint[1])) > 0.1:
            break
    posterior = joint / joint.sum()
    label = CLASSES[int(posterior.argmax())]
    words = [f"{name} = {values[v]}" for (name, values), v in zip(FEATURES.items(), query, strict=True)]
    days = [
        [i + 1, *(values[v] for values, v in zip(FEATURES.values(), x, strict=True)), CLASSES[k]]
        for i, (x, k) in enumerate(zip(X, y, strict=True))
    ]
    statement = "\n".join(
        [
            "A naive Bayes classifier is fitted by maximum likelihood, without smoothing, to these rows:",
            "",
            table(days, ["", *FEATURES, "class"]).markdown,
            "",
            f"A new row has {', '.join(words)}.",
            "",
            "1. Give the priors (1 mark).",
            "2. Give the probability of each of its three values in each class (3 marks).",
            "3. Multiply: prior times probabilities, for each class (2 marks).",
            "4. Find the posterior probability of class A (2 marks).",
            "5. Which class is predicted? (1 mark)",
            "",
            "Fractions; or four digits for priors and probabilities of values, three digits for the rest.",
        ]
    )
    rows = [[c, *(f"${_over(seen[k, j], counts[k])}$" for j in range(3))] for k, c in enumerate(CLASSES)]
    lines = [
        f"**Priors** (1 mark): $P(A) = {_over(counts[0], n, 'frac')}$ and $P(B) = {_over(counts[1], n, 'frac')}$.",
        "",
        "**Conditional probabilities** (3 marks): count among the rows of the class only.",
        "",
        table(rows, ["class", *words]).markdown,
        "",
        "**Products** (1 mark for A, 1 for B): the prior enters once.",
        "",
        *(_product(c, k, seen, counts, n, joint) for k, c in enumerate(CLASSES)),
        "",
        "**Posterior** (1 mark for the sum of both, 1 for the value): $P(A \\mid \\mathbf{x}) = "
        f"\\frac{{s_A}}{{s_A + s_B}} = {sig(posterior[0])}$.",
        "",
        f"**Decision** (1 mark): $s_{label}$ is the larger one, so the class is {label}.",
    ]
    given = {"rows": X.tolist(), "labels": [CLASSES[k] for k in y], "query": query.tolist()}
    answer = {
        "priors": (counts / n).tolist(),
        "conditionals": (seen / counts[:, None]).tolist(),
        "products": joint.tolist(),
        "posterior": float(posterior[0]),
        "label": label,
    }
    likelihood = np.prod(seen / counts[:, None], axis=1)
    fields = [
        ask.vector(
            "priors",
            "the priors",
            1,
            titles=CLASSES,
            slips=[
                ask.slip(
                    (counts + 1) / (n + 2),
                    "Those are smoothed; maximum likelihood takes the shares of the rows.",
                    card="naive-bayes-convention-smoothing",
                )
            ],
        ),
        ask.matrix(
            "conditionals",
            "the probabilities of the values",
            2,
            3,
            rows=CLASSES,
            columns=words,
            slips=[
                ask.slip(
                    seen / n,
                    "Those are shares of all rows, so the prior is in each of them; given the class, divide by the "
                    "rows of the class.",
                    card="naive-bayes-lost-marks-prior",
                ),
                ask.slip(
                    (seen + 1) / (counts[:, None] + sizes),
                    "Those are smoothed by Laplace's rule; maximum likelihood takes the shares among the rows of the "
                    "class.",
                    card="naive-bayes-convention-smoothing",
                ),
            ],
        ),
        ask.vector(
            "products",
            "the products",
            3,
            2,
            titles=CLASSES,
            digits=3,
            carried=1,
            follows=[f"priors[{k}]" + "".join(f"*conditionals[{k},{j}]" for j in range(3)) for k in range(2)],
            slips=[
                ask.slip(
                    (counts / n) ** 3 * likelihood,
                    "That multiplies the prior in for each feature; the class is drawn once.",
                    card="naive-bayes-lost-marks-prior",
                ),
                ask.slip(
                    likelihood,
                    "Those leave out the prior; it enters once.",
                    card="naive-bayes-lost-marks-prior",
                ),
            ],
        ),
        ask.number(
            "posterior",
            "the posterior probability of A",
            4,
            2,
            **ask.DERIVED,
            follows="products[0]/sum(products)",
            slips=[
                ask.slip(
                    joint[0] / np.prod(seen.sum(axis=0) / n),
                    "That divides by the product of the marginals, as if the features were independent in all rows; "
                    "divide by the sum of both products.",
                    card="naive-bayes-lost-marks-evidence",
                ),
                ask.slip(
                    joint[0],
                    "That is the product for A alone; divide it by the sum of both products.",
                    card="naive-bayes-lost-marks-evidence",
                ),
            ],
        ),
        ask.choice("label", "the class", 5, options=CLASSES, follows="argmax(products)"),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


def _product(c: str, k: int, seen: FloatArray, counts: IntArray, n: int, joint: FloatArray) -> str:
    factors = " \\cdot ".join([_over(counts[k], n, "frac"), *(_over(v, counts[k], "frac") for v in seen[k])])
    return f"- $s_{c} = {factors} = {sig(joint[k])}$"


@drill("naive-bayes-text", marks=11, minutes=16, title="Naive Bayes on short texts")
def texts(rng: np.random.Generator) -> Parts:
    """Smoothed word probabilities and log-odds of a text: words counted, then words present or absent."""
    while True:
        n = np.array([int(v) for v in rng.integers(2, 4, size=2)])
        favour = rng.permutation([0.4, 0.3, 0.2, 0.1])
        drawn = [
            " ".join(rng.choice(VOCABULARY, size=int(rng.integers(2, 5)), p=favour if k == 0 else favour[::-1]))
            for k in (0, 1)
            for _ in range(n[k])
        ]
        text = " ".join(rng.choice(VOCABULARY, size=int(rng.integers(3, 5))))
        y = np.repeat([0, 1], n)
        X, x = word_counts(drawn, VOCABULARY), word_counts([text], VOCABULARY)[0]
        N = np.array([X[y == k].sum(axis=0) for k in (0, 1)])
        present = np.array([(X[y == k] > 0).sum(axis=0) for k in (0, 1)])
        priors = n / n.sum()
        pairs = np.stack([present, n[:, None] - present], axis=-1)
        counted = _flipped(multinomial_log_odds(smoothed(N, 1.0), priors), x)
        binary = _flipped(bernoulli_log_odds(smoothed(pairs, 1.0)[..., 0], priors), x > 0)
        if min(abs(counted), abs(binary)) > 0.15 and 0 < (x > 0).sum() < 4:
            break
    labels = ["A" if t > 0 else "B" for t in (counted, binary)]
    statement = "\n".join(
        [
            f"Texts over the vocabulary {', '.join(VOCABULARY)}:",
            "",
            table([[i + 1, t, CLASSES[k]] for i, (t, k) in enumerate(zip(drawn, y, strict=True))],
                  ["", "text", "class"]).markdown,
            "",
            f"Classify the text *{text}* by naive Bayes. Every estimate of a word is smoothed by Laplace's rule, "
            "the priors are not smoothed.",
            "",
            "1. Give the priors (1 mark).",
            "2. Multinomial model: give the probability of each word in each class (2 marks),",
            "3. the log-odds of A against B for the text (2 marks),",
            "4. and the class (1 mark).",
            "5. Bernoulli model: give the probability that each word is present, in each class (2 marks),",
            "6. the log-odds of A against B (2 marks),",
            "7. and the class (1 mark).",
            "",
            "Fractions, or four digits, for the estimates. Logarithms come from a calculator: carry five digits "
            "and give three digits of the log-odds.",
        ]
    )  # fmt: skip
    sums, size = N.sum(axis=1), len(VOCABULARY)
    prior = f"\\ln \\frac{{{n[0]}}}{{{n[1]}}}"
    terms = [_term(int(x[j]), N[0, j] + 1, sums[0] + size, N[1, j] + 1, sums[1] + size) for j in range(size) if x[j]]
    signs = [
        _term(1, *((present[0, j] + 1, n[0] + 2, present[1, j] + 1, n[1] + 2) if x[j] else
                   (n[0] - present[0, j] + 1, n[0] + 2, n[1] - present[1, j] + 1, n[1] + 2)))
        for j in range(size)
    ]  # fmt: skip
    lines = [
        f"**Priors** (1 mark): $P(A) = {_over(n[0], n.sum(), 'frac')}$ and $P(B) = {_over(n[1], n.sum(), 'frac')}$.",
        "",
        f"**Counted words** (1 mark for the denominators, 1 for the values): class A has {sums[0]} words and class B "
        f"{sums[1]}; each of the {size} words has one more.",
        "",
        table([[c, *(f"${_over(N[k, j] + 1, sums[k] + size)}$" for j in range(size))] for k, c in enumerate(CLASSES)],
              ["class", *VOCABULARY]).markdown,
        "",
        "**Log-odds** (1 mark for the terms, 1 for the sum): a word enters as often as it occurs, absent words do not "
        f"enter. $t_1 = {' + '.join([prior, *terms])} = {sig(counted)}$.",
        "",
        f"**Class** (1 mark): $t_1 {'>' if counted > 0 else '<'} 0$, class {labels[0]}.",
        "",
        "**Presence** (1 mark for the denominators, 1 for the values): of texts, not of words; two outcomes have one "
        "pseudo-count each.",
        "",
        table([[c, *(f"${_over(present[k, j] + 1, n[k] + 2)}$" for j in range(size))] for k, c in enumerate(CLASSES)],
              ["class", *VOCABULARY]).markdown,
        "",
        "**Log-odds** (1 mark for present words, 1 for absent ones and the sum): every word of the vocabulary enters "
        f"once. $t_2 = {' + '.join([prior, *signs])} = {sig(binary)}$.",
        "",
        f"**Class** (1 mark): $t_2 {'>' if binary > 0 else '<'} 0$, class {labels[1]}.",
    ]  # fmt: skip
    given = {"texts": drawn, "labels": [CLASSES[k] for k in y], "query": text}
    answer = {
        "priors": priors.tolist(),
        "counted": smoothed(N, 1.0).tolist(),
        "log_odds": counted,
        "label": labels[0],
        "present": smoothed(pairs, 1.0)[..., 0].tolist(),
        "log_odds_presence": binary,
        "label_presence": labels[1],
    }
    chances, presence = smoothed(N, 1.0), smoothed(pairs, 1.0)[..., 0]
    fields = [
        ask.vector(
            "priors",
            "the priors",
            1,
            titles=CLASSES,
            slips=[
                ask.slip(
                    sums / sums.sum(),
                    "Those are the shares of the words; a prior is a share of the texts.",
                    card="naive-bayes-do-not-confuse-words",
                )
            ],
        ),
        ask.matrix(
            "counted",
            "multinomial: the words",
            2,
            2,
            rows=CLASSES,
            columns=VOCABULARY,
            slips=[
                ask.slip(
                    (N + 1) / (sums[:, None] + 1),
                    "That adds one below; one is added for each word of the vocabulary.",
                    card="naive-bayes-lost-marks-denominator",
                ),
                ask.slip(
                    N / sums[:, None],
                    "Those are not smoothed; Laplace's rule adds one to each count.",
                    card="naive-bayes-convention-smoothing",
                ),
            ],
        ),
        ask.number(
            "log_odds",
            "multinomial: the log-odds",
            3,
            2,
            **ask.DERIVED,
            follows=" + ".join(
                ["ln(priors[0]/priors[1])", *(f"{x[j]}*ln(counted[0,{j}]/counted[1,{j}])" for j in range(size) if x[j])]
            ),
            slips=[
                ask.slip(
                    counted + np.log((1 - chances[0]) / (1 - chances[1])) @ (x == 0),
                    "That has factors for absent words too; in the multinomial model only the words of the text enter.",
                    card="naive-bayes-do-not-confuse-words",
                ),
                ask.slip(
                    counted - np.log(chances[0] / chances[1]) @ np.maximum(x - 1, 0),
                    "That counts a repeated word once; in the multinomial model it enters as often as it occurs.",
                    card="naive-bayes-do-not-confuse-words",
                ),
            ],
        ),
        ask.choice("label", "multinomial: the class", 4, options=CLASSES, follows="log_odds < 0"),
        ask.matrix(
            "present",
            "Bernoulli: the words",
            5,
            2,
            rows=CLASSES,
            columns=VOCABULARY,
            slips=[
                ask.slip(
                    (present + 1) / (n[:, None] + 1),
                    "That adds one below; presence has two outcomes, each with one pseudo-count.",
                    card="naive-bayes-lost-marks-denominator",
                ),
                ask.slip(
                    (present + 1) / (n[:, None] + size),
                    "That adds the size of the vocabulary below; each word has two outcomes of its own, present and "
                    "absent.",
                    card="naive-bayes-lost-marks-denominator",
                ),
            ],
        ),
        ask.number(
            "log_odds_presence",
            "Bernoulli: the log-odds",
            6,
            2,
            **ask.DERIVED,
            follows=" + ".join(
                ["ln(priors[0]/priors[1])"]
                + [
                    f"ln(present[0,{j}]/present[1,{j}])" if x[j] else f"ln((1 - present[0,{j}])/(1 - present[1,{j}]))"
                    for j in range(size)
                ]
            ),
            slips=[
                ask.slip(
                    np.log(n[0] / n[1]) + np.log(presence[0] / presence[1]) @ (x > 0),
                    "That leaves out the absent words; each of them has the factor $1 - \\phi_{kj}$.",
                    card="naive-bayes-lost-marks-absent",
                )
            ],
        ),
        ask.choice("label_presence", "Bernoulli: the class", 7, options=CLASSES, follows="log_odds_presence < 0"),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


def _flipped(odds: tuple[FloatArray, FloatArray, float], x: FloatArray | IntArray) -> float:
    """Log-odds of the first class, where the library gives those of the second."""
    return -float(odds[1] @ x + odds[2])


def _term(times: int, a: int, of_a: int, b: int, of_b: int) -> str:
    factor = f"{times} " if times > 1 else ""
    return f"{factor}\\ln \\frac{{{a} \\cdot {of_b}}}{{{of_a} \\cdot {b}}}"


@drill("laplace-smoothing", marks=8, minutes=9, title="Laplace smoothing")
def smoothing(rng: np.random.Generator) -> Parts:
    """Shares, Laplace's rule, another strength, the weight of the data, and the strength that a goal needs."""
    S = int(rng.integers(3, 6))
    counts = rng.integers(1, 7, size=S)
    zero = int(rng.integers(S))
    counts[zero] = 0
    N = int(counts.sum())
    alpha = Fraction(int(rng.choice([1, 4, 6])), 2)
    q = int(rng.choice([v for v in (8, 10, 12, 16, 20) if v > S]))
    names = "abcde"[:S]
    weight = Fraction(N) / (N + alpha * S)
    unseen = alpha / (N + alpha * S)
    needed = Fraction(N, q - S)
    statement = "\n".join(
        [
            f"In one class a feature with the values {', '.join(names)} was seen "
            f"{', '.join(str(c) for c in counts)} times.",
            "",
            "1. Give the maximum-likelihood estimates (1 mark).",
            "2. Give the estimates by Laplace's rule, $\\alpha = 1$ (2 marks).",
            f"3. Which probability has the value {names[zero]} with $\\alpha = {fraction(alpha)}$? (1 mark)",
            f"4. With $\\alpha = {fraction(alpha)}$, which weight $w$ has the maximum-likelihood estimate, if the "
            "smoothed estimate is $w$ times it plus $1 - w$ times the uniform distribution? (2 marks)",
            f"5. Which $\\alpha$ gives the value {names[zero]} the probability $1/{q}$? (2 marks)",
            "",
            "Fractions or four digits. Fill in:",
            "",
            table([[c, "", ""] for c in names], _SMOOTHING).markdown,
        ]
    )
    a = fraction(alpha)
    rows = [[c, f"${_over(v, N)}$", f"${_over(v + 1, N + S)}$"] for c, v in zip(names, counts, strict=True)]
    lines = [
        f"**Estimates** (1 mark for the shares, 2 for Laplace's rule): $N = {N}$ instances, and $S = {S}$ values have "
        "one pseudo-count each.",
        "",
        table(rows, _SMOOTHING).markdown,
        "",
        f"**Not seen** (1 mark): $\\frac{{0 + \\alpha}}{{N + S \\alpha}} = \\frac{{{a}}}{{{N} + {S} \\cdot {a}}} = "
        f"{sig(float(unseen))}$.",
        "",
        f"**Weight** (1 mark for the formula, 1 for the value): $w = \\frac{{N}}{{N + S \\alpha}} = "
        f"\\frac{{{N}}}{{{N} + {S} \\cdot {a}}} = {sig(float(weight))}$.",
        "",
        "**Strength** (1 mark for the equation, 1 for solving it): from "
        f"$\\frac{{\\beta}}{{N + S \\beta}} = \\frac{{1}}{{{q}}}$ follows "
        f"$\\beta = \\frac{{N}}{{{q} - S}} = {_over(N, q - S, 'frac')} = {sig(float(needed))}$.",
    ]
    given = {"counts": counts.tolist(), "alpha": float(alpha), "target": q}
    answer = {
        "mle": (counts / N).tolist(),
        "laplace": smoothed(counts, 1.0).tolist(),
        "unseen": float(smoothed(counts, float(alpha))[zero]),
        "weight": float(weight),
        "strength": float(needed),
    }
    fields = [
        ask.vector("mle", "maximum likelihood", 1, percent=True, titles=names),
        ask.vector(
            "laplace",
            "Laplace's rule",
            2,
            2,
            percent=True,
            titles=names,
            slips=[
                ask.slip(
                    (counts + 1) / (N + 1),
                    "That adds one below, so that the sum exceeds 1; add one for each value.",
                    card="naive-bayes-lost-marks-denominator",
                )
            ],
        ),
        ask.number(
            "unseen",
            "the value not seen",
            3,
            percent=True,
            slips=[
                ask.slip(
                    alpha / (N + alpha),
                    "That adds $\\alpha$ below once; it is added for each value.",
                    card="naive-bayes-lost-marks-denominator",
                ),
                ask.slip(
                    Fraction(1, N + S),
                    "That is Laplace's rule, $\\alpha=1$; here $\\alpha$ is another one.",
                    card="naive-bayes-convention-smoothing",
                ),
            ],
        ),
        ask.number(
            "weight",
            "the weight $w$",
            4,
            2,
            slips=[
                ask.slip(
                    1 - weight,
                    "That is the weight of the uniform distribution; $w$ is one minus it.",
                    card="naive-bayes-convention-smoothing",
                ),
                ask.slip(
                    Fraction(N) / (N + alpha),
                    "That adds $\\alpha$ below once; it is added for each value.",
                    card="naive-bayes-lost-marks-denominator",
                ),
            ],
        ),
        ask.number(
            "strength",
            "$\\alpha$",
            5,
            2,
            slips=[
                ask.slip(
                    Fraction(N, q - 1),
                    "That solves an equation in which $\\alpha$ is added below once; it is added for each value.",
                    card="naive-bayes-lost-marks-denominator",
                )
            ],
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_SMOOTHING = ["value", "maximum likelihood", "Laplace"]
