"""Tests of the fields: what a student types in, its place in the answer, its marks and its tolerance."""

import json
import math
import re
from collections import defaultdict
from decimal import Decimal

import pytest

from notes_lib.drills import fields as ask
from notes_lib.drills import topics
from notes_lib.drills.judge import judge
from tests.drills.seeds import SEEDS, drawn, each_seed
from tests.drills.test_printed import marks

KEYS = {"name", "label", "asks", "kind", "part", "marks", "value", "tolerance", "rows", "columns", "options",
        "up_to", "percent"}  # fmt: skip
SOMETIMES = {"slips", "follows", "precision"}


def looked_up(answer, name):
    for step in name.split("."):
        answer = answer[int(step)] if isinstance(answer, list) else answer[step]
    return answer


@pytest.mark.parametrize("topic", topics())
def test_the_marks_of_the_fields_are_those_of_the_drill(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        assert sum(f.marks for f in drill.fields) == drill.marks, f"seed {seed}"
        assert len({f.name for f in drill.fields}) == len(drill.fields)
        assert all(f.marks > 0 for f in drill.fields)


@pytest.mark.parametrize("topic", topics())
def test_each_part_of_the_question_has_fields_for_its_marks(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        parts = re.split(r"^(\d)\. ", drill.statement, flags=re.M)
        asked = {int(n): sum(marks(topic, text)) for n, text in zip(parts[1::2], parts[2::2], strict=True)}
        given = defaultdict(float)
        for field in drill.fields:
            given[field.part] += field.marks
        assert given == asked, f"seed {seed}"
        assert [f.part for f in drill.fields] == sorted(f.part for f in drill.fields)


@pytest.mark.parametrize("topic", topics())
def test_the_value_of_a_field_is_the_one_in_the_answer(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        for field in drill.fields:
            if field.kind == "own":
                assert field.value is field.tolerance is None
                continue
            held = ask.flat(looked_up(drill.answer, field.name))
            if field.keys:
                held = [field.options[field.keys.index(v)] for v in held]
            shown = ask.flat(field.value)
            assert shown == (held if field.tolerance is not None else [str(v) for v in held]), f"{field.name}, {seed}"


@pytest.mark.parametrize("topic", topics())
def test_a_field_is_whole(topic):
    for seed in SEEDS:
        for field in drawn(topic, seed).fields:
            data = field.as_json()
            assert set(data) - SOMETIMES == KEYS
            assert json.loads(json.dumps(data)) == data
            assert field.kind in ask.KINDS
            assert field.label.count("$") % 2 == 0
            if field.options:
                assert set(ask.flat(field.value)) <= set(field.options), f"{field.name}, seed {seed}"
                assert len(set(field.options)) == len(field.options)
            if field.kind in ("vector", "sequence") and field.columns:
                assert len(field.columns) == len(field.value), f"{field.name}, seed {seed}"
            if field.kind == "matrix":
                assert {len(row) for row in field.value} == {len(field.columns)}
                assert len(field.value) == len(field.rows) or not field.rows


@pytest.mark.parametrize("topic", topics())
def test_the_tolerance_is_half_a_unit_of_the_last_digit(topic):
    for seed in SEEDS:
        for field in drawn(topic, seed).fields:
            if field.tolerance is None:
                continue
            for value, tolerance in zip(ask.flat(field.value), ask.flat(field.tolerance), strict=True):
                if field.places is not None:
                    last = 10.0**-field.places
                elif field.digits is None:
                    assert abs(value - round(value)) < 1e-9, f"{field.name} is not whole, seed {seed}"
                    last = 2e-6
                else:
                    exponent = Decimal(f"{value:.12g}").adjusted() if value else -1
                    last = 10.0 ** (exponent + 1 - field.digits)
                assert tolerance == pytest.approx((0.5 + field.carried) * last, rel=1e-4, abs=1e-8 * abs(value))


def test_the_drill_as_json_holds_all_that_a_page_needs():
    drill = drawn("viterbi", 7)
    data = json.loads(json.dumps(drill.as_json()))
    assert data["statement"] == drill.statement
    assert data["solution"] == drill.solution
    assert [data[key] for key in ("topic", "seed", "marks", "minutes")] == ["viterbi", 7, 10, 11]
    assert [f["name"] for f in data["fields"]] == ["delta", "pointers", "path", "probability"]
    assert data["fields"][2]["value"] == [str(z) for z in drill.answer["path"]]


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (ask.number("a", "", 1), "four digits or exact"),
        (ask.number("a", "", 1, digits=3), "three digits or exact"),
        (ask.number("a", "", 1, places=1), "one decimal or exact"),
        (ask.number("a", "", 1, places=3), "three decimals or exact"),
        (ask.number("a", "", 1, whole=True), ""),
        (ask.own("a", "", 1), ""),
    ],
)
def test_the_precision_is_said(field, words):
    assert field.asks == words


@pytest.mark.parametrize(
    ("value", "digits", "half"), [(0.0625, 4, 5e-6), (1.5, 4, 5e-4), (0, 4, 5e-5), (-123.4, 3, 0.5), (1000, 4, 0.5)]
)
def test_half_a_unit(value, digits, half):
    assert ask.number("a", "", 1, digits=digits).filled({"a": value}).tolerance == pytest.approx(half, rel=1e-3)


def test_a_table_with_one_column_is_a_vector():
    field = ask.matrix("c", "", 1, rows=["m", "n"], columns=["x"]).filled({"c": [[1.0], [2.5]]})
    assert (field.kind, field.value, field.columns, field.rows) == ("vector", [1.0, 2.5], ("m", "n"), ())


@each_seed()
def test_words_stand_for_what_the_answer_holds(seed):
    drill = drawn("bayes-risk", seed)
    rule = next(f for f in drill.fields if f.name == "rule")
    assert rule.value == [("healthy", "ill")[v] for v in drill.answer["rule"]]
    assert math.isclose(sum(drill.answer["evidence"]), 1)


PRECISION = re.compile(r"\b(\w+ (?:digit|decimal)s?)\b")
CARRIED = re.compile(r"\b[Cc]arry (\w+) digits")


def precisions(drill):
    """What a statement says of digits: those to carry, and those to give."""
    carried = CARRIED.findall(drill.statement)
    return carried, set(PRECISION.findall(CARRIED.sub("", drill.statement)))


@pytest.mark.parametrize("topic", topics())
def test_a_statement_names_the_digits_that_its_fields_ask_for(topic):
    for seed in SEEDS:
        drill = drawn(topic, seed)
        carried, named = precisions(drill)
        asked = {field.asks.removesuffix(" or exact") for field in drill.fields} - {""}
        assert named in (set(), asked), f"seed {seed}"
        digits = [ask._WORDS.index(a.split()[0]) for a in asked if a.endswith("digits")]
        assert all(ask._WORDS.index(word) > max(digits, default=0) for word in carried), f"seed {seed}"


def test_statements_that_name_digits_are_read():
    assert precisions(drawn("gmm-em-step", 0)) == (["four"], {"two decimals", "three digits"})
    assert precisions(drawn("gmm-responsibility", 0)) == ([], {"four digits", "three digits"})
    assert precisions(drawn("information-gain", 0)) == ([], {"three decimals"})


LABELS = re.compile(r"\bprobabilit(?:y|ies)\b|\bshare\b|\baccuracy\b|\brecall\b|p-value", re.IGNORECASE)


@pytest.mark.parametrize("topic", topics())
def test_a_share_may_be_typed_as_a_percentage_and_nothing_else(topic):
    for seed in SEEDS[:8]:
        for field in drawn(topic, seed).fields:
            exact = field.digits is None and field.places is None
            if field.kind in ("number", "vector", "matrix") and LABELS.search(field.label) and not exact:
                assert field.percent, field.label
            if field.percent:
                values = ask.flat(field.value)
                assert all(-0.2 < value < 1.2 for value in values), (
                    f"{field.label}: {values}"
                )  # an interval may end there


def test_the_label_or_the_drill_says_what_is_a_share():
    assert ask.number("a", "probability of error", 1).percent
    assert not ask.number("a", "shares", 1, whole=True).percent
    assert not ask.choice("a", "which share", 1, options="ab").percent
    assert not ask.number("a", "the weight", 1).percent
    assert ask.vector("a", "rates", 1, titles="xy", percent=True).percent
    assert ask.matrix("a", "points", 1, columns="xy", percent=True).percent


def test_the_share_of_a_low_rank_matrix_is_a_share():
    field = next(field for field in drawn("low-rank-error", 0).fields if field.name == "share")
    assert judge(field, "0.881").right
    assert judge(field, "88.1 %").right
