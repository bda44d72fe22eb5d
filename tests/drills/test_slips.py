"""Tests of the slips: wrong answers that are known, their sentences and cards, and that they are told apart."""

import ast
import json
import math
import random
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from notes_lib import drills
from notes_lib.drills import by_chapter, chapter, topics
from notes_lib.drills import fields as ask
from notes_lib.drills.judge import earned, judge
from tests.drills.forms import right_forms, rounded
from tests.drills.seeds import SEEDS, drawn

CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"
CARD = re.compile(r":::\{(?:convention|do-not-confuse)\} .+\n:label: (\S+)")
BOX = re.compile(r":class: (?:lost-marks|convention|do-not-confuse)\n:name: (\S+)")


@cache
def cards(name):
    """The labels of the cards of a chapter, or of a page of the revision, that a slip may name."""
    page = CHAPTERS / f"{name}.md"
    if page.exists():
        return set(CARD.findall(page.read_text(encoding="utf-8")))
    cells = json.loads((CHAPTERS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return {label for cell in cells for label in BOX.findall("".join(cell["source"]))}


def typed(field, value):
    """A value as a student types it, rounded as it is asked for."""
    if field.kind == "number":
        return rounded(field, value)
    if field.kind == "matrix":
        return "; ".join(" ".join(rounded(field, v) for v in row) for row in value)
    if field.kind == "vector":
        return "; ".join(rounded(field, v) for v in value)
    return value if field.kind == "choice" else "; ".join(value) or "none"


def slips_of(topic):
    return [(seed, field, k, slip) for seed in SEEDS for field in drawn(topic, seed).fields
            for k, slip in enumerate(field.slips)]  # fmt: skip


@pytest.mark.parametrize("topic", topics())
def test_a_slip_is_called_so_and_no_right_answer_is(topic):
    for seed, field, k, slip in slips_of(topic):
        text = typed(field, slip.value)
        verdict = judge(field, text)
        assert (verdict.slip, verdict.message) == (k, slip.says), f"{text!r} for {field.name}, seed {seed}: {verdict}"
        assert not verdict.right
        assert earned(field, verdict) < field.marks
    for seed in SEEDS:
        pick = random.Random(f"{topic} {seed}")
        for field in drawn(topic, seed).fields:
            for text in right_forms(field, pick, 1) if field.slips else []:
                assert judge(field, text).slip is None, f"{text!r} for {field.name}, seed {seed}"


@pytest.mark.parametrize("topic", topics())
def test_slips_are_told_apart_at_most_seeds(topic):
    declared = {(f.name, s.says) for _, f, _, s in slips_of(topic)}
    assert declared, f"{topic} has no slip"
    seeds = {}
    for seed in SEEDS:
        seeds.setdefault(kind_of(topic, seed), []).append(seed)
    found = Counter(seed for seed, *_ in slips_of(topic))
    for kind, own in seeds.items():  # a topic may set two kinds of exercises, each with slips of its own
        most = max(found[seed] for seed in own)
        assert most, f"{topic} of the kind {kind} has no slip"
        share = sum(found[seed] for seed in own) / (most * len(own))
        assert share >= 0.8, f"{topic}, {kind}: {share:.2f} of {most} slips are told apart"


def kind_of(topic, seed):
    return tuple(field.name for field in drawn(topic, seed).fields)


def test_most_topics_have_several():
    several = [topic for topic in topics() if len({(f.name, s.says) for _, f, _, s in slips_of(topic)}) >= 2]
    assert len(several) >= 0.8 * len(topics()), sorted(set(topics()) - set(several))


@pytest.mark.parametrize("topic", topics())
def test_sentence_and_card(topic):
    for seed, field, _, slip in slips_of(topic):
        words = re.sub(r"\$[^$]*\$", "x", slip.says)
        assert words.endswith("."), slip.says
        assert 1 <= len(re.findall(r"[.?!](?= [A-Z]|$)", words)) <= 2, slip.says
        assert len(words) <= 200, slip.says
        assert slip.says.count("$") % 2 == 0, slip.says
        assert slip.card in cards(chapter(topic)), f"{slip.card!r} of {field.name}, seed {seed}"


def is_typed(node):
    """Whether an expression holds no name: its value does not come from the exercise."""
    return not any(isinstance(part, ast.Name) for part in ast.walk(node))


def words(node):
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(node))


@pytest.mark.parametrize("name", by_chapter())
def test_no_slip_is_typed(name):
    source = Path(drills.__path__[0], f"{name}.py").read_text(encoding="utf-8")
    calls = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call)]
    slips = [call for call in calls if getattr(call.func, "attr", "") == "slip"]
    assert slips
    typed_ones = [ast.unparse(call) for call in slips if is_typed(call.args[0]) and not words(call.args[0])]
    assert not typed_ones  # a word of the options may be: which one is wrong is the same at every seed


# --- the rules, on fields made for one question each -----------------------------------------------------------------


def number(*slips, value=2.0, **more):
    return ask.number("a", "", 1, slips=slips, **more).filled({"a": value})


def test_slips_that_cannot_be_told_apart_are_left_out():
    near = number(ask.slip(2.0009, "One."), ask.slip(2.01, "Two."), ask.slip(2.0105, "Three."))
    assert [slip.says for slip in near.slips] == ["Two."]
    broken = number(*(ask.slip(v, "A.") for v in (math.nan, math.inf)))
    assert broken.slips == ()
    assert number(ask.slip(2, "A."), value=2, whole=True).slips == ()
    line = ask.vector("a", "", 1, up_to="scale", slips=[ask.slip([2, 4], "A."), ask.slip([2, 5], "B.")])
    assert [slip.says for slip in line.filled({"a": [1.0, 2.0]}).slips] == ["B."]
    some = ask.sequence(
        "a", "", 1, options="ABC", kind="set", slips=[ask.slip(["C", "A"], "A."), ask.slip(["C"], "B.")]
    )
    assert [slip.says for slip in some.filled({"a": ["A", "C"]}).slips] == ["B."]


def test_what_comes_first():
    field = number(ask.slip(2.01, "Close is a slip."), ask.slip(1.5, "One and a half."))
    assert judge(field, "2.0").slip is None
    assert judge(field, "2.01").message == "Close is a slip."
    assert judge(field, "2.008").message == "Close, but not to the digits asked for."
    assert judge(field, "1,500").message.startswith("“1,500” has a decimal comma")
    assert judge(field, "1,5").slip == 1
    assert judge(field, "7").message == "Not right."


def test_all_of_a_value_must_be_the_slip():
    pair = ask.vector("a", "", 1, 2, titles="xy", slips=[ask.slip([1.0, 4.0], "Squared.")]).filled({"a": [1.0, 2.0]})
    verdict = judge(pair, "1 4")
    assert (verdict.slip, verdict.entries, earned(pair, verdict)) == (0, (True, False), 1)
    assert judge(pair, "3 4").slip is None
    line = ask.vector("a", "", 1, up_to="scale", slips=[ask.slip([2, 5], "B.")]).filled({"a": [1.0, 2.0]})
    assert judge(line, "-4 -10").slip == 0
    free = ask.matrix("a", "", 1, columns="xy", whole=True, slips=[ask.slip([[1, 2]], "Too short.")])
    free = free.filled({"a": [[1, 2], [3, 4]]})
    assert judge(free, "1 2").message == "Too short."
    assert judge(free, "1 3").message == "The number of rows is not right."


def test_words():
    choice = ask.choice("a", "", 1, options=["+1", "-1"], keys=[1, -1], slips=[ask.slip(-1, "Sign.")])
    assert judge(choice.filled({"a": 1}), "-1").message == "Sign."
    path = ask.sequence("a", "", 1, options="AB", slips=[ask.slip(["B", "A"], "Backwards.")]).filled({"a": ["A", "B"]})
    assert judge(path, "B A").message == "Backwards."
    assert judge(path, "B B").slip is None
    some = ask.sequence(
        "a", "", 1, options=range(4), kind="set", slips=[ask.slip([3, 1], "More."), ask.slip([], "No.")]
    )
    some = some.filled({"a": [1]})
    assert judge(some, "1 3").message == "More."
    assert judge(some, "none").message == "No."


def test_a_slip_of_another_shape_is_refused():
    for field, value in [
        (ask.number("a", "", 1, slips=[ask.slip([1.0], "A.")]), 2.0),
        (ask.vector("a", "", 1, slips=[ask.slip([1.0], "A.")]), [1.0, 2.0]),
        (ask.sequence("a", "", 1, options="ABC", slips=[ask.slip(["A"], "A.")]), ["A", "B"]),
    ]:
        with pytest.raises(ValueError, match="a slip of a must have the shape of"):
            field.filled({"a": value})
    groups = ask.sequence("a", "", 1, options="ABC", kind="groups", slips=[ask.slip([["A"]], "A.")])
    with pytest.raises(ValueError, match="neither slips nor follows"):
        groups.filled({"a": [["A"], ["B"]]})


def test_a_matrix_of_one_row_or_column_keeps_its_slips():
    table = ask.matrix("a", "", 1, rows="p", columns="xy", slips=[ask.slip([[1.0, 5.0]], "A.")])
    assert judge(table.filled({"a": [[1.0, 2.0]]}), "1 5").slip == 0
    column = ask.matrix("a", "", 1, rows="pq", columns="x", slips=[ask.slip([[1.0], [5.0]], "A.")])
    assert judge(column.filled({"a": [[1.0], [2.0]]}), "1 5").slip == 0


def test_numbers_of_any_kind_become_plain_ones():
    field = number(ask.slip(Fraction(3, 2), "A."), ask.slip(np.float64(7), "B."))
    assert [type(slip.value) for slip in field.slips] == [float, float]
    row = ask.vector("a", "", 1, slips=[ask.slip(np.array([1, 5]), "A."), ask.slip((Fraction(1, 2), 3), "B.")])
    assert [slip.value for slip in row.filled({"a": [1.0, 2.0]}).slips] == [[1, 5], [0.5, 3]]


def test_a_slip_is_compared_with_what_has_as_many_entries():
    slips = [ask.slip([[1, 2]], "Short."), ask.slip([[2, 2]], "Other.")]
    trace = ask.matrix("a", "", 1, columns="xy", whole=True, slips=slips)
    filled = trace.filled({"a": [[1, 2], [3, 4]]})
    assert judge(filled, "1 2; 3 5").slip is None
    assert judge(filled, "2 2").slip == 1
    zero = ask.vector("a", "", 1, up_to="sign", slips=[ask.slip([0.0, 0.0], "Nothing.")]).filled({"a": [1.0, 2.0]})
    assert judge(zero, "0 0").slip == 0
