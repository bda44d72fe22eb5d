"""Drills on naive Bayes: answers recomputed from the rows by counting in Python, without the library."""

import math
from fractions import Fraction

import pytest

from notes_lib.drills.judge import judge
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

VALUES = [("sun", "cloud", "rain"), ("weak", "strong"), ("work", "free")]
WORDS = ["goal", "law", "team", "vote"]


def four(value):
    """A number rounded to four significant digits."""
    return float(f"{value:.4g}")


def approves(drill, typed):
    fields = {field.name: field for field in drill.fields}
    for name, text in typed.items():
        assert judge(fields[name], text).right, (name, text, fields[name].value)


# --------------------------------------------------------------------------------------------------------- naive-bayes


def shares(g):
    """Number of rows, and for each class its size and how often the three values of the query occur."""
    out = {}
    for c in "AB":
        rows = [row for row, label in zip(g["rows"], g["labels"], strict=True) if label == c]
        out[c] = len(rows), [sum(row[j] == v for row in rows) for j, v in enumerate(g["query"])]
    return len(g["rows"]), out


@pytest.mark.equation("naive-bayes-mle", "naive-bayes-priors", "naive-bayes-posterior")
@each_seed()
def test_table_of_categories(seed):
    drill = drawn("naive-bayes", seed)
    n, of = shares(drill.given)
    s = {c: Fraction(size, n) * math.prod(Fraction(k, size) for k in counts) for c, (size, counts) in of.items()}
    answer = drill.answer
    for i, c in enumerate("AB"):
        size, counts = of[c]
        assert math.isclose(answer["priors"][i], size / n)
        assert all(math.isclose(p, k / size) for p, k in zip(answer["conditionals"][i], counts, strict=True))
        assert math.isclose(answer["products"][i], s[c])
    assert math.isclose(answer["posterior"], s["A"] / (s["A"] + s["B"]))
    assert answer["label"] == max(s, key=s.get)
    rounded = {c: four(float(v)) for c, v in s.items()}
    approves(drill, {"posterior": f"{rounded['A'] / (rounded['A'] + rounded['B']):.4g}"})


@each_seed()
def test_every_number_of_a_table(seed):
    drill = drawn("naive-bayes", seed)
    g = drill.given
    n, of = shares(g)
    s = {c: size / n * math.prod(k / size for k in counts) for c, (size, counts) in of.items()}
    symbols = {"s_A": s["A"], "s_B": s["B"], "P(A)": of["A"][0] / n, "P(B)": of["B"][0] / n}
    symbols[r"P(A \mid \mathbf{x})"] = s["A"] / (s["A"] + s["B"])
    ask, tell = pages(drill, symbols)
    named = [[VALUES[j][v] for j, v in enumerate(row)] for row in [*g["rows"], g["query"]]]
    ask.table(*([i + 1, *row, label] for i, (row, label) in enumerate(zip(named, g["labels"], strict=False))))
    ask.says("A new row has sky = {}, wind = {}, day = {}.".format(*named[-1]))
    ask.done()
    tell.table(*([c, *((r"$\tfrac{#}{#}$", k, of[c][0]) for k in of[c][1])] for c in "AB"))
    label = max(s, key=s.get)
    tell.says(f"$s_{label}$ is the larger one, so the class is {label}.")
    tell.done()


# ---------------------------------------------------------------------------------------------------- naive-bayes-text


def counted(g):
    """Texts, words, occurrences of each word and texts that hold it, for each class; and the words of the query."""
    out = {}
    for c in "AB":
        texts = [text.split() for text, label in zip(g["texts"], g["labels"], strict=True) if label == c]
        every = [word for text in texts for word in text]
        out[c] = len(texts), len(every), [every.count(w) for w in WORDS], [sum(w in t for t in texts) for w in WORDS]
    return out, [g["query"].split().count(w) for w in WORDS]


@pytest.mark.equation("naive-bayes-multinomial-odds", "naive-bayes-bernoulli-odds", "naive-bayes-laplace")
@each_seed()
def test_texts(seed):
    drill = drawn("naive-bayes-text", seed)
    of, x = counted(drill.given)
    joint, presence = {}, {}
    for i, c in enumerate("AB"):
        n, total, times, texts = of[c]
        theta, phi = [Fraction(k + 1, total + 4) for k in times], [Fraction(k + 1, n + 2) for k in texts]
        joint[c] = n * math.prod(t**k for t, k in zip(theta, x, strict=True))
        presence[c] = n * math.prod(p if k else 1 - p for p, k in zip(phi, x, strict=True))
        assert all(math.isclose(a, b) for a, b in zip(drill.answer["counted"][i], theta, strict=True))
        assert all(math.isclose(a, b) for a, b in zip(drill.answer["present"][i], phi, strict=True))
        assert math.isclose(drill.answer["priors"][i], n / (of["A"][0] + of["B"][0]))
    for odds, label, s in [("log_odds", "label", joint), ("log_odds_presence", "label_presence", presence)]:
        assert math.isclose(drill.answer[odds], math.log(s["A"] / s["B"]), rel_tol=1e-9, abs_tol=1e-12)
        assert drill.answer[label] == max(s, key=s.get)
    carried = four(math.log(of["A"][0] / of["B"][0]))
    for j in range(4):
        ratio = (of["A"][2][j] + 1) * (of["B"][1] + 4) / ((of["A"][1] + 4) * (of["B"][2][j] + 1))
        carried += x[j] * four(math.log(ratio))
    approves(drill, {"log_odds": f"{carried:.3g}"})


@each_seed()
def test_every_number_of_the_texts(seed):
    drill = drawn("naive-bayes-text", seed)
    g = drill.given
    of, x = counted(g)
    (n_a, t_a, k_a, p_a), (n_b, t_b, k_b, p_b) = of["A"], of["B"]
    t_1 = math.log(n_a / n_b) + sum(
        k * math.log((a + 1) / (t_a + 4) / ((b + 1) / (t_b + 4))) for k, a, b in zip(x, k_a, k_b, strict=True)
    )
    t_2 = math.log(n_a / n_b)
    for k, a, b in zip(x, p_a, p_b, strict=True):
        theta, phi = (a + 1) / (n_a + 2), (b + 1) / (n_b + 2)
        t_2 += math.log(theta / phi) if k else math.log((1 - theta) / (1 - phi))
    symbols = {"t_1": t_1, "t_2": t_2, "P(A)": n_a / (n_a + n_b), "P(B)": n_b / (n_a + n_b)}
    ask, tell = pages(drill, symbols)
    ask.table(*([i + 1, t, c] for i, (t, c) in enumerate(zip(g["texts"], g["labels"], strict=True))))
    ask.says(f"Classify the text *{g['query']}* by naive Bayes.")
    ask.done()
    tell.says("class A has # words and class B #; each of the 4 words has one more.", t_a, t_b)
    tell.table(*([c, *((r"$\tfrac{#}{#}$", k + 1, of[c][1] + 4) for k in of[c][2])] for c in "AB"))
    tell.table(*([c, *((r"$\tfrac{#}{#}$", k + 1, of[c][0] + 2) for k in of[c][3])] for c in "AB"))
    for name, t in [("t_1", t_1), ("t_2", t_2)]:
        tell.says(f"${name} {'>' if t > 0 else '<'} 0$, class {'A' if t > 0 else 'B'}.")
    tell.done()


def test_the_two_models_disagree_on_some_text():
    answers = [drawn("naive-bayes-text", seed).answer for seed in SEEDS]
    assert any(a["label"] != a["label_presence"] for a in answers)
    assert {a["label"] for a in answers} == {"A", "B"}


# --------------------------------------------------------------------------------------------------- laplace-smoothing


@pytest.mark.equation("naive-bayes-laplace", "naive-bayes-shrink")
@each_seed()
def test_smoothing(seed):
    drill = drawn("laplace-smoothing", seed)
    g, answer = drill.given, drill.answer
    counts, alpha, q = g["counts"], Fraction(g["alpha"]), g["target"]
    N, S = sum(counts), len(counts)
    assert counts.count(0) == 1
    assert all(math.isclose(a, Fraction(k, N)) for a, k in zip(answer["mle"], counts, strict=True))
    assert all(math.isclose(a, Fraction(k + 1, N + S)) for a, k in zip(answer["laplace"], counts, strict=True))
    assert math.isclose(answer["unseen"], alpha / (N + S * alpha))
    w = Fraction(answer["weight"]).limit_denominator(1000)
    for k in counts:
        assert w * Fraction(k, N) + (1 - w) * Fraction(1, S) == (k + alpha) / (N + S * alpha)
    b = Fraction(answer["strength"]).limit_denominator(1000)
    assert b / (N + S * b) == Fraction(1, q)


@each_seed()
def test_every_number_of_smoothing(seed):
    drill = drawn("laplace-smoothing", seed)
    g = drill.given
    counts, alpha, q = g["counts"], g["alpha"], g["target"]
    N, S = sum(counts), len(counts)
    names = "abcde"[:S]
    symbols = {"N": N, "S": S, r"\alpha": alpha, r"\beta": N / (q - S), "w": N / (N + S * alpha)}
    ask, tell = pages(drill, symbols)
    ask.says(f"with the values {', '.join(names)} was seen {', '.join(map(str, counts))} times.")
    ask.says(r"by Laplace's rule, $\alpha = 1$ (2 marks).")
    ask.says(rf"the value {names[counts.index(0)]} with $\alpha = #$? (1 mark)", alpha)
    ask.says(r"With $\alpha = #$, which weight $w$", alpha)
    ask.says("$w$ times it plus $1 - w$ times the uniform distribution")
    ask.says(rf"Which $\alpha$ gives the value {names[counts.index(0)]} the probability $#$?", 1 / q)
    ask.table(*([c, None, None] for c in names))
    ask.done()
    tell.table(*([c, (r"$\tfrac{#}{#}$", k, N), (r"$\tfrac{#}{#}$", k + 1, N + S)]
                 for c, k in zip(names, counts, strict=True)))  # fmt: skip
    tell.done()
