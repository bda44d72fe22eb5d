"""Drills on cross-validation: answers recomputed in fractions from what is given, without the library."""

import json
import re
from fractions import Fraction
from math import sqrt

import pytest

from notes_lib.display import sig
from notes_lib.drills import draw


@pytest.mark.equation(
    "cross-validation-fold-sizes",
    "cross-validation-fits",
    "cross-validation-standard-error",
    "cross-validation-one-standard-error",
)
@pytest.mark.parametrize("seed", range(200))
def test_k_fold_split(seed):
    drill = draw("k-fold-split", seed)
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
    marks = [int(m) for m in re.findall(r"\((\d+) marks?\)", drill.statement)]
    assert sum(marks) == drill.marks
    assert n <= 25


def test_every_kind_of_exercise_turns_up():
    answers = [draw("k-fold-split", seed) for seed in range(200)]
    moved = sum(d.answer["best"] != d.answer["chosen"] for d in answers)
    assert 20 < moved < 180  # the rule changes the choice in some and not in others
    assert {d.given["K"] for d in answers} == {3, 4, 5}
    assert {bool(d.given["n"] % d.given["K"]) for d in answers} == {True, False}
