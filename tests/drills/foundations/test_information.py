"""Drills on information theory: answers recomputed from the given counts with fractions and math.log alone."""

import itertools
import json
import math
import re
from decimal import ROUND_HALF_UP, Context
from fractions import Fraction

import pytest

from tests.drills.arithmetic import CARRIED_PLACES
from tests.drills.page import At, pages
from tests.drills.seeds import drawn, each_seed

TOPICS = ["entropy", "information-gain", "cross-entropy", "kl-divergence"]
EASY = {2**a * 3**b * 5**c * 7**d for a in range(5) for b in range(3) for c in range(2) for d in range(2)}


def parts(topic, seed):
    drill = drawn(topic, seed)
    return drill, json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))


def h(*counts):
    """Entropy of counts in bits, as log of the total less the mean log of the counts."""
    n = sum(counts)
    return math.log2(n) - sum(c * math.log2(c) for c in counts if c) / n


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-7, abs_tol=2e-9)


def four_digits(value):
    """As on paper: 1.8125 is 1.813."""
    return f"{float(Context(prec=4, rounding=ROUND_HALF_UP).create_decimal(f'{value:.9f}')):.4g}"


def codes(K):
    return [v for v in itertools.product(range(1, K), repeat=K) if sum(Fraction(1, 2**b) for b in v) <= 1]


FOUR = codes(4)


@pytest.mark.equation("information-content", "information-entropy", "information-source-coding")
@each_seed()
def test_entropy(seed):
    drill, given, answer = parts("entropy", seed)
    counts, n = given["counts"], sum(given["counts"])
    assert n <= 24
    assert set(counts) | {n} <= EASY
    assert all(close(v, math.log2(n / c)) for v, c in zip(answer["information"], counts, strict=True))
    assert close(answer["entropy_bits"], h(*counts))
    assert close(answer["entropy_nats"], h(*counts) * math.log(2))
    assert answer["largest"] == h(1, 1, 1, 1)
    means = [Fraction(sum(c * b for c, b in zip(counts, v, strict=True)), n) for v in FOUR]
    best = min(means)
    assert close(answer["mean_length"], best)
    lengths = tuple(answer["lengths"])
    assert lengths in FOUR
    # the lengths are the only ones: no other mark scheme is possible, but for symbols with equal probabilities
    shapes = {tuple(sorted(zip(counts, v, strict=True))) for v, m in zip(FOUR, means, strict=True) if m == best}
    assert shapes == {tuple(sorted(zip(counts, lengths, strict=True)))}
    assert h(*counts) <= answer["mean_length"] + 1e-9 < h(*counts) + 1
    for value in (answer["entropy_bits"], answer["entropy_nats"], answer["mean_length"]):
        assert four_digits(value) in drill.solution


@pytest.mark.equation("information-gain", "information-conditional")
@each_seed()
def test_information_gain(seed):
    drill, given, answer = parts("information-gain", seed)
    totals = [sum(r[k] for r in given["A"]) for k in (0, 1)]
    assert totals == [sum(r[k] for r in given["B"]) for k in (0, 1)]
    n = sum(totals)
    assert 8 <= n <= 14
    assert min(totals) > 0
    gains = []
    for i, name in enumerate("AB"):
        rows = given[name]
        assert len(rows) == i + 2
        for row in rows:
            assert sum(row) >= 2
            assert {c for c in row if c} | {sum(row), n} <= EASY
            assert f"| {row[0]} | {row[1]} |" in drill.statement
        left = sum(sum(r) * h(*r) for r in rows) / n
        gain = max(h(*totals) - left, 0.0)  # rounding must not print -0.000
        assert close(answer["left"][i], left)
        assert close(answer["gain"][i], gain)
        assert f"= {left:.3f}$. Gain: ${h(*totals):.3f} - {left:.3f} = {gain:.3f}$" in drill.solution
        gains.append(gain)
    assert close(answer["entropy"], h(*totals))
    assert answer["root"] == ("A" if gains[0] > gains[1] else "B")
    assert abs(gains[0] - gains[1]) > 0.02
    assert f"(1 mark): {answer['root']}, because" in drill.solution


@pytest.mark.equation("information-log-loss", "information-log-loss-signs")
@each_seed()
def test_cross_entropy(seed):
    drill, given, answer = parts("cross-entropy", seed)
    q, y = [Fraction(*a) for a in given["q"]], given["y"]
    right = [a if label else 1 - a for a, label in zip(q, y, strict=True)]
    loss = [-math.log(a) for a in right]
    assert all(close(a, b) for a, b in zip(answer["loss"], loss, strict=True))
    scores = [math.log(a / (1 - a)) for a in q]
    assert all(close(a, b) for a, b in zip(answer["scores"], scores, strict=True))
    signed = [math.log1p(math.exp(-(2 * label - 1) * f)) for f, label in zip(scores, y, strict=True)]
    assert all(close(a, b) for a, b in zip(answer["loss"], signed, strict=True))
    assert close(answer["mean"], -math.log(math.prod(right)) / 4)
    assert close(answer["change"], (2 * y[3] - 1) * scores[3] / 4)
    assert answer["change"] != 0
    assert len(set(y)) == 2
    assert all(a.denominator <= 10 for a in q)
    for value in [*loss, answer["mean"]]:
        assert f"{value:.3f}" in drill.solution
    odds = 1 / right[0] - 1
    shown = str(odds) if odds.denominator == 1 else f"\\tfrac{{{odds.numerator}}}{{{odds.denominator}}}"
    assert f"= {shown}$, so the loss is" in drill.solution


@pytest.mark.equation("information-kl", "information-cross-entropy", "information-decomposition")
@each_seed()
def test_kl_divergence(seed):
    drill, given, answer = parts("kl-divergence", seed)
    p, q, n = given["p"], given["q"], given["total"]
    assert sum(p) == sum(q) == n
    assert set(p) | set(q) | {n} <= EASY
    assert n in (8, 10, 12, 16)
    forward = math.log2(math.prod(Fraction(a, b) ** a for a, b in zip(p, q, strict=True))) / n
    backward = math.log2(math.prod(Fraction(b, a) ** b for a, b in zip(p, q, strict=True))) / n
    assert close(answer["kl_pq"], forward)
    assert close(answer["kl_qp"], backward)
    assert min(forward, backward) > 0
    assert close(answer["entropy"], h(*p))
    assert close(answer["cross_entropy"], sum(a * math.log2(n / b) for a, b in zip(p, q, strict=True)) / n)
    assert close(answer["cross_entropy"], answer["entropy"] + answer["kl_pq"])
    for value in answer.values():
        assert f"= {value:.3f}$" in drill.solution


def off(mine, exact, unit):
    """By how many units of the last digit two numbers differ once each is rounded."""
    return abs(round(mine / unit) - round(exact / unit))


def last_digit(value, digits=4):
    """Unit of the last of so many significant digits."""
    return 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1) if value else 1.0


def printed(drill, log):
    """Function that takes a logarithm as on paper: from the logarithms of primes that the statement gives."""
    prime = {int(k): float(v) for k, v in re.findall(rf"\\{log} (\d) = ([\d.]+)", drill.statement)}
    if log == "log_2":
        prime[2] = 1.0

    def of(a):
        a, total = Fraction(a), 0.0
        for k, value in prime.items():
            for number, sign in ((a.numerator, 1), (a.denominator, -1)):
                while number % k == 0:
                    number, total = number // k, total + sign * value
        assert math.isclose(total, math.log(a) / (math.log(2) if log == "log_2" else 1), abs_tol=3e-3)
        return total

    return of


@each_seed()
def test_logarithms_of_the_statement_give_the_solution_to_one_unit_of_the_last_digit(seed):
    drill, given, answer = parts("entropy", seed)
    log2, counts = printed(drill, "log_2"), given["counts"]
    shares = [Fraction(c, sum(counts)) for c in counts]
    for a, exact in zip(shares, answer["information"], strict=True):
        assert off(-log2(a), exact, last_digit(exact)) <= 1
        assert off(-a * log2(a), a * exact, last_digit(a * exact)) <= 1
    H = -sum(a * log2(a) for a in shares)
    assert off(H, answer["entropy_bits"], last_digit(answer["entropy_bits"])) <= 1
    ln2 = float(re.search(r"\\ln 2 = ([\d.]+)", drill.statement)[1])
    assert off(H * ln2, answer["entropy_nats"], last_digit(answer["entropy_nats"])) <= 1

    drill, given, answer = parts("information-gain", seed)
    log2 = printed(drill, "log_2")
    node = lambda r: -sum(Fraction(c, sum(r)) * log2(Fraction(c, sum(r))) for c in r if c)
    for name, left, gain in zip("AB", answer["left"], answer["gain"], strict=True):
        rows = given[name]
        n, totals = sum(map(sum, rows)), [sum(column) for column in zip(*rows, strict=True)]
        mine = sum(sum(r) * node(r) for r in rows) / n
        assert off(mine, left, 1e-3) <= 1
        assert off(node(totals) - mine, gain, 1e-3) <= 1

    drill, given, answer = parts("cross-entropy", seed)
    log = printed(drill, "ln")
    right = [Fraction(*a) if label else 1 - Fraction(*a) for a, label in zip(given["q"], given["y"], strict=True)]
    for a, exact in zip(right, answer["loss"], strict=True):
        assert off(-log(a), exact, 1e-3) <= 1
    assert off(-sum(map(log, right)) / 4, answer["mean"], 1e-3) <= 1
    assert off((log(right[3]) - log(1 - right[3])) / 4, answer["change"], 1e-3) <= 1

    drill, given, answer = parts("kl-divergence", seed)
    log2, p, q, n = printed(drill, "log_2"), given["p"], given["q"], given["total"]
    assert off(sum(a * log2(Fraction(a, b)) for a, b in zip(p, q, strict=True)) / n, answer["kl_pq"], 1e-3) <= 1
    assert off(sum(b * log2(Fraction(b, a)) for a, b in zip(p, q, strict=True)) / n, answer["kl_qp"], 1e-3) <= 1
    assert off(-sum(a * log2(Fraction(a, n)) for a in p) / n, answer["entropy"], 1e-3) <= 1
    assert (
        off(-sum(a * log2(Fraction(b, n)) for a, b in zip(p, q, strict=True)) / n, answer["cross_entropy"], 1e-3) <= 1
    )


def bits(*counts):
    total = sum(counts)
    return -sum(c / total * math.log2(c / total) for c in counts if c)


def check_the_given_logarithms(page):
    page.says(r"Use $\log_2 3 = #$, $\log_2 5 = #$, $\log_2 7 = #$ and $\ln 2 = #$; $0 \log 0 = 0$.",
              math.log2(3), math.log2(5), math.log2(7), math.log(2))  # fmt: skip


@each_seed()
def test_every_number_of_an_entropy(seed):
    drill = drawn("entropy", seed)
    counts = drill.given["counts"]
    p = [c / sum(counts) for c in counts]
    H, lengths = bits(*counts), drill.answer["lengths"]
    L = sum(w * n for w, n in zip(p, lengths, strict=True))
    ask, tell = pages(drill, {"H": H, "L": L} | {f"p({s})": w for s, w in zip("ABCD", p, strict=True)})
    ask.table(*([s, w, None, None, None] for s, w in zip("ABCD", p, strict=True)))
    check_the_given_logarithms(ask)
    ask.done()
    tell.table(*([s, w, -math.log2(w), -w * math.log2(w), n] for s, w, n in zip("ABCD", p, lengths, strict=True)))
    tell.says(r"times $\ln 2$ that is $#$ nats", H * math.log(2))
    tell.says(r"Here $#$ bits are missing", 2 - H)
    nodes, depth = dict(zip("ABCD", p, strict=True)), dict.fromkeys("ABCD", 0)
    for first, second, joined in re.findall(r"(\w+) and (\w+) to (\w+) with", drill.solution):
        assert sorted([nodes[first], nodes[second]]) == pytest.approx(sorted(nodes.values())[:2])
        assert joined == "".join(sorted(first + second))
        nodes[joined] = nodes.pop(first) + nodes.pop(second)
        depth |= {s: depth[s] + 1 for s in joined}
        tell.says(f"{first} and {second} to {joined} with $#$", nodes[joined])
    assert list(depth.values()) == lengths
    assert list(nodes) == ["ABCD"]
    tell.says(r"$H \leq L < H + 1$ reads $# \leq # < #$.", H, L, H + 1)
    tell.says("may differ by 1 from yours")
    tell.done()


@each_seed()
def test_every_number_of_a_gain(seed):
    drill = drawn("information-gain", seed)
    tables = {name: drill.given[name] for name in "AB"}
    yes, no = (sum(row[k] for row in tables["A"]) for k in (0, 1))
    n, H = yes + no, bits(yes, no)
    left = {name: sum(sum(row) / n * bits(*row) for row in rows) for name, rows in tables.items()}
    symbols = {f"h({a}, {b})": bits(a, b) for rows in tables.values() for a, b in [*rows, [yes, no]]}
    symbols |= {"H(Y)": H} | {rf"H(Y \mid {name})": value for name, value in left.items()}
    ask, tell = pages(drill, symbols, CARRIED_PLACES)
    ask.says("# instances, # labelled *yes* and # labelled *no*", n, yes, no)
    ask.table(*([f"{name} = {i}", *row] for name, rows in tables.items() for i, row in enumerate(rows, 1)))
    check_the_given_logarithms(ask)
    ask.says("ID3")
    ask.done()
    tell.says(f"$H(Y) = h({yes}, {no}) = #$ bits.", H)
    for name, rows in tables.items():
        each = ", ".join(f"$h({a}, {b}) = #$" for a, b in rows)
        tell.says(f"for the gain): {each}. Left:", *(bits(*row) for row in rows))
        terms = " + ".join(rf"\tfrac{{{sum(row)}}}{{{n}}} \cdot #" for row in rows)
        tell.says(rf"$H(Y \mid {name}) = {terms} = #$.", *(bits(*row) for row in rows), left[name])
        tell.says("Gain: $# - # = #$ bits.", H, left[name], H - left[name])
    tell.says("**Root** (1 mark): #, because", drill.answer["root"])
    tell.says("may differ by 1 from yours")
    tell.done()


@each_seed()
def test_every_number_of_a_cross_entropy(seed):
    drill = drawn("cross-entropy", seed)
    q, y = [a / b for a, b in drill.given["q"]], drill.given["y"]
    loss = [-math.log(a if t else 1 - a) for a, t in zip(q, y, strict=True)]
    scores = [math.log(a / (1 - a)) for a in q]
    flipped = -math.log(1 - q[3] if y[3] else q[3])
    ask, tell = pages(drill, rounding=CARRIED_PLACES)
    at = {"y": 0.3, "q": 0.6, r"\tilde y": -1.2, "f": 0.7}
    ask.says("probabilities $q$ of class 1. Work")
    ask.table(*([n, t, a, None, None, None] for n, (t, a) in enumerate(zip(y, q, strict=True), 1)))
    ask.says(r"for $y \in \{0, 1\}$ and")
    ask.says(r"$\tilde y \in \{-1, 1\}$ and the score $f = #$; check that $#$ is the same loss for instance 1 (2",
             At(at, math.log(0.6 / 0.4)), At(at, math.log(1 + math.exp(1.2 * 0.7))))  # fmt: skip
    ask.says("the label of instance 4 is flipped")
    ask.done()
    tell.says("$#$: minus the logarithm", At(at, -0.3 * math.log(0.6) - 0.7 * math.log(0.4)))
    rows = zip(y, q, scores, loss, strict=True)
    tell.table(*([n, t, a, 2 * t - 1, f, value] for n, (t, a, f, value) in enumerate(rows, 1)))
    odds = math.exp(loss[0]) - 1
    tell.says(r"instance 1 has $e^{-\tilde y f} = #$, so the loss is $#$, the same", odds, loss[0])
    tell.says(r"**Mean** (1 mark): $\tfrac14 (# + # + # + #) = #$ nats.", *loss, sum(loss) / 4)
    tell.says("instance 4 then costs $#$ instead of $#$:", flipped, loss[3])
    tell.says("the mean changes by $#$.", (flipped - loss[3]) / 4)
    tell.says("may differ by 1 from yours")
    tell.done()


@each_seed()
def test_every_number_of_a_divergence(seed):
    drill = drawn("kl-divergence", seed)
    total = drill.given["total"]
    p, q = ([c / total for c in drill.given[key]] for key in "pq")
    cross = lambda a, b: -sum(v * math.log2(w) for v, w in zip(a, b, strict=True))
    H, C = cross(p, p), cross(p, q)
    symbols = {"p": [p], "q": [q], "H(p)": H, "H(p, q)": C}
    symbols |= {r"\mathrm{KL}(p \,\Vert\, q)": C - H, r"\mathrm{KL}(q \,\Vert\, p)": cross(q, p) - cross(q, q)}
    ask, tell = pages(drill, symbols, CARRIED_PLACES)
    check_the_given_logarithms(ask)
    ask.done()
    tell.says("equal entries give 0): ")
    tell.says("Relation (1 mark): $# + # = #$.", H, C - H, C)
    tell.says("pays $#$ bits a symbol", C - H)
    tell.says("may differ by 1 from yours")
    tell.done()
