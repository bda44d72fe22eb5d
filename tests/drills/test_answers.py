"""The judge on every field of every topic: right answers in each form, wrong ones, nonsense."""

import random
from fractions import Fraction

import pytest

from notes_lib.drills import topics
from notes_lib.drills.judge import earned, judge
from tests.drills.forms import EMPTY, NONSENSE, right_forms, wrong_forms
from tests.drills.seeds import SEEDS, drawn

EACH = 2  # forms of each field at each seed; the seeds bring the others


@pytest.mark.parametrize("topic", topics())
def test_right_answers_are_accepted_wrong_ones_refused_and_nonsense_gets_a_sentence(topic):
    for seed in SEEDS:
        pick = random.Random(f"{topic} {seed}")
        for field in drawn(topic, seed).fields:
            where = f"{field.name}, seed {seed}, value {field.value}"
            for text in right_forms(field, pick, EACH):
                verdict = judge(field, text)
                assert verdict.right, f"{text!r} is refused ({verdict.message}): {where}"
                assert earned(field, verdict) == field.marks
            for text in wrong_forms(field, pick, EACH):
                verdict = judge(field, text)
                assert not verdict.right, f"{text!r} is accepted: {where}"
                assert verdict.understood, f"{text!r} is not understood ({verdict.message}): {where}"
                assert earned(field, verdict) < field.marks
            nonsense = pick.choice(NONSENSE + EMPTY)
            verdict = judge(field, nonsense)
            assert not verdict.understood, f"{nonsense!r} is understood: {where}"
            assert not verdict.right
            assert verdict.message.endswith(".")


BITS, NATS = {2: 1.0, 3: 1.5850, 5: 2.3219, 7: 2.8074}, {2: 0.693, 3: 1.099, 5: 1.609}  # what the drills give


def log(ratio, table):
    """Logarithm of a fraction from the given logarithms of primes."""
    value = 0.0
    for part, sign in ((ratio.numerator, 1), (ratio.denominator, -1)):
        for prime in table:
            while part % prime == 0:
                part //= prime
                value += sign * table[prime]
        assert part == 1
    return value


def entropy(counts):
    n = sum(counts)
    return sum(Fraction(c, n) * log(Fraction(n, c), BITS) for c in counts if c)


def by_the_given_constants(drill):
    """Answers of a student who uses the rounded constants of the statement."""
    g = drill.given
    if drill.topic == "entropy":
        n = sum(g["counts"])
        H = entropy(g["counts"])
        information = [log(Fraction(n, c), BITS) for c in g["counts"]]
        return {"information": information, "entropy_bits": H, "entropy_nats": H * 0.6931}
    if drill.topic == "kl-divergence":
        p, q, n = g["p"], g["q"], g["total"]
        kl = lambda p, q: sum(Fraction(a, n) * log(Fraction(a, b), BITS) for a, b in zip(p, q, strict=True))
        cross = sum(Fraction(a, n) * log(Fraction(n, b), BITS) for a, b in zip(p, q, strict=True))
        return {"kl_pq": kl(p, q), "kl_qp": kl(q, p), "entropy": entropy(p), "cross_entropy": cross}
    if drill.topic == "information-gain":
        totals = [sum(row[k] for row in g["A"]) for k in (0, 1)]
        H = entropy(totals)
        left = [sum(Fraction(sum(row), sum(totals)) * entropy(row) for row in g[name]) for name in "AB"]
        return {"entropy": H} | {f"left.{k}": v for k, v in enumerate(left)} | {
            f"gain.{k}": round(float(H), 3) - round(float(v), 3) for k, v in enumerate(left)}  # fmt: skip
    q = [Fraction(*pair) for pair in g["q"]]
    loss = [-log(a if y else 1 - a, NATS) for a, y in zip(q, g["y"], strict=True)]
    scores = [log(a / (1 - a), NATS) for a in q]
    flipped = -log(1 - q[3] if g["y"][3] else q[3], NATS)
    return {"loss": loss, "scores": scores, "mean": sum(loss) / 4, "change": (flipped - loss[3]) / 4}


@pytest.mark.parametrize("topic", ["entropy", "kl-divergence", "information-gain", "cross-entropy"])
def test_answers_by_the_given_rounded_constants_are_right(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        answers = by_the_given_constants(drill)
        fields = {field.name: field for field in drill.fields}
        assert set(answers) == {name for name, field in fields.items() if field.carried}
        for name, value in answers.items():
            text = "; ".join(f"{float(v):.3f}" for v in (value if isinstance(value, list) else [value]))
            verdict = judge(fields[name], text)
            assert verdict.right, f"{text} is refused for {fields[name].value}: {name}, seed {seed}"
