"""Drills on cross-validation: answers recomputed in fractions from what is given, without the library."""

import json
import re
from fractions import Fraction
from math import sqrt

import pytest

from notes_lib.display import sig
from tests.drills.arithmetic import CARRIED
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


@pytest.mark.equation(
    "cross-validation-fold-sizes",
    "cross-validation-fits",
    "cross-validation-standard-error",
    "cross-validation-one-standard-error",
)
@each_seed()
def test_k_fold_split(seed):
    drill = drawn("k-fold-split", seed)
    g, answer = json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))
    n, K = g["n"], g["K"]
    folds, rest = [], list(range(n))
    for k in range(K):
        size = -(-len(rest) // (K - k))  # the rest in equal parts, rounded up
        folds.append(rest[:size])
        rest = rest[size:]
    assert answer["folds"] == folds
    for k, fold in enumerate(folds):
        assert f"| {k + 1} | {', '.join(map(str, fold))} |" in drill.solution
    assert answer["fits"] == len([(k, c) for k in range(K) for c in g["neighbours"]]) + 1
    assert answer["nested_fits"] == sum(answer["fits"] for _ in range(g["outer"]))
    means = [Fraction(sum(row), K) for row in g["scores"]]
    assert answer["means"] == pytest.approx([float(m) for m in means], rel=1e-12)
    assert means.count(max(means)) == 1  # the best candidate is unique
    best = means.index(max(means))
    assert answer["best"] == g["neighbours"][best]
    row = g["scores"][best]
    variance = Fraction(K * sum(v * v for v in row) - sum(row) ** 2, K * (K - 1))
    error = sqrt(variance / K)
    assert answer["standard_error"] == pytest.approx(error, rel=1e-12)
    assert answer["bound"] == pytest.approx(float(means[best]) - error, rel=1e-12)
    allowed = [k for k, m in zip(g["neighbours"], means, strict=True) if float(m) >= float(means[best]) - error]
    assert answer["chosen"] == max(allowed)
    assert f"On or above it: {', '.join(map(str, allowed))}." in drill.solution
    assert f"**{max(allowed)}** neighbours" in drill.solution
    assert f"= {sig(error)}$" in drill.solution
    terms = re.search(r"- \$(.*) = ", drill.solution).group(1)
    deviations = [int(t) for t in re.findall(r"(-?\d+)\)?\^2", terms)]
    assert deviations == [v - max(means) for v in row]
    assert sum(t * t for t in deviations) == variance * (K - 1)
    assert n <= 25
    size = int(re.search(r"folds of (\d+)", drill.statement).group(1))  # of the search
    assert all(score * size % 100 == 0 for row in g["scores"] for score in row)  # whole numbers of instances
    assert max(g["neighbours"]) <= (K - 1) * size  # so many instances are there to train on


def test_every_kind_of_exercise_turns_up():
    answers = [drawn("k-fold-split", seed) for seed in SEEDS]
    moved = sum(d.answer["best"] != d.answer["chosen"] for d in answers)
    assert 0.1 < moved / len(answers) < 0.9  # the rule changes the choice in some and not in others
    assert {d.given["K"] for d in answers} == {3, 4, 5}
    assert {bool(d.given["n"] % d.given["K"]) for d in answers} == {True, False}


@each_seed()
def test_every_number_of_a_k_fold_split(seed):
    drill = drawn("k-fold-split", seed)
    g, answer = drill.given, drill.answer
    n, K, neighbours, scores = g["n"], g["K"], g["neighbours"], g["scores"]
    means = [sum(row) / K for row in scores]
    best = means.index(max(means))
    squares = sum((v - means[best]) ** 2 for v in scores[best])
    variance = squares / (K - 1)
    error = sqrt(variance / K)
    symbols = {"m": len(neighbours), "K": K, "s^2": variance, r"\mathrm{SE}": error}
    ask, tell = pages(drill, symbols, CARRIED)
    ask.says("# instances, numbered 0 to #, are divided into # folds", n, n - 1, K)
    ask.says("On # other instances, in # folds of #,", 100 * K, K, 100)
    ask.table(*([k, *row] for k, row in zip(neighbours, scores, strict=True)))
    ask.says("each fold of the # instances", n)
    ask.says("outer cross-validation with # folds", g["outer"])
    ask.says("with divisor $K - 1$ in")
    ask.table(*([k, None, None, None] for k in neighbours))
    ask.done()
    short, long = divmod(n, K)
    sizes = f"{long} folds of {short + 1} and {K - long} of {short}" if long else f"{K} folds of {short}"
    tell.says(r"$# = # \cdot # + #$, so #:", n, K, short, long, sizes)
    tell.table(*([k, ", ".join(map(str, fold))] for k, fold in enumerate(answer["folds"], 1)))
    tell.says("in each of # outer folds, $#$.", g["outer"], answer["nested_fits"])
    tell.table(*([k, (f"# / {K}", sum(row)), m] for k, row, m in zip(neighbours, scores, means, strict=True)))
    tell.says("of the best, # neighbours", neighbours[best])
    tell.says(f"- ${' + '.join('#^2' for _ in range(K))} = #$", *(v - means[best] for v in scores[best]), squares)
    tell.says("the bound is $# - # = #$.", means[best], error, means[best] - error)
    allowed = [k for k, m in zip(neighbours, means, strict=True) if m >= means[best] - error]
    tell.says(
        "On or above it: #. The simplest of these has **#** neighbours.", ", ".join(map(str, allowed)), max(allowed)
    )
    tell.done()
