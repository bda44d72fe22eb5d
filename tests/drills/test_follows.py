"""Tests of errors carried forward: what follows from an earlier answer earns its marks, and nothing else does."""

import random
from collections import Counter

import pytest

from notes_lib.drills import fields as ask
from notes_lib.drills import topics
from notes_lib.drills.expressions import Unreadable
from notes_lib.drills.fields import NUMERIC, flat
from notes_lib.drills.follow import compute, names
from notes_lib.drills.judge import FOLLOWS, Verdict, earned, judge
from tests.drills.seeds import SEEDS, drawn
from tests.drills.sheets import consequence, like, named, near, off, typed


def followers(drill):
    """The fields that follow from others, each with those before it."""
    return [(field, drill.fields[:k]) for k, field in enumerate(drill.fields) if field.follows is not None]


def right(field):
    return Verdict(True, (True,) * len(flat(field.value)), "", read=tuple(flat(field.value)))


def judged(fields, texts):
    earlier = []
    for field, text in zip(fields, texts, strict=True):
        earlier.append((field, judge(field, text, earlier)))
    return earlier


@pytest.mark.parametrize("topic", topics())
def test_right_answers_lead_to_the_right_answer(topic):
    for seed in SEEDS:
        for field, before in followers(drawn(topic, seed)):
            where = f"{field.name}, seed {seed}"
            others = {f.name for f in before if f.kind not in ("own", "groups")}
            assert named(field), where
            assert set(named(field)) <= others, where
            earlier = [(f, right(f)) for f in before]
            value, wrong = consequence(field, earlier)
            assert not any(wrong), where
            assert judge(field, typed(field, value)).right, f"{value} follows, {field.value} is right: {where}"


@pytest.mark.parametrize("topic", topics())
def test_what_follows_from_a_wrong_answer_earns_its_marks(topic):
    tried, followed = set(), Counter()
    for seed in SEEDS:
        pick = random.Random(f"{topic} {seed}")
        drill = drawn(topic, seed)
        for field, before in followers(drill):
            changed = pick.choice(named(field))
            earlier = [(f, judge(f, typed(f, off(f, pick))) if f.name == changed else right(f)) for f in before]
            found = consequence(field, earlier)
            tried.add(field.name)
            if found is None:
                continue
            value, _ = found
            where = f"{typed(field, value)!r} for {field.name} after {changed}, seed {seed}"
            verdict = judge(field, typed(field, value), earlier)
            assert verdict.right or verdict.follows, f"{where}: {verdict}"
            assert earned(field, verdict) == field.marks, where
            alone = judge(field, typed(field, value))
            if not alone.right:
                followed[field.name] += 1
                assert verdict.message == FOLLOWS
                assert earned(field, alone) < field.marks, where
            if field.kind in NUMERIC and seed % 2:
                miss, k = near(field, value, pick)
                verdict, alone = (judge(field, typed(field, miss), e) for e in (earlier, ()))
                assert earned(field, verdict) == 0 or len(verdict.entries) > 1 or alone.right, where
                assert alone.entries[k] or field.up_to or not verdict.entries[k], where
    assert all(followed[name] for name in tried), f"never followed: {tried - set(followed)}"


def test_most_fields_that_depend_on_others_say_how():
    counts = Counter()
    for topic in topics():
        for seed in SEEDS[:4]:
            for field in drawn(topic, seed).fields:
                before = [f.name for f in drawn(topic, seed).fields if f is not field]
                assert set(field.after) <= set(before), f"{field.name} of {topic}"
                assert not (field.after and field.follows is not None), f"{field.name} of {topic} has both"
                counts["follows"] += field.follows is not None
                counts["after"] += bool(field.after)
    assert counts["follows"] >= 0.6 * counts.total()


# --- the language ----------------------------------------------------------------------------------------------------

VALUES = {"a": [2.0], "v": [3.0, 1.0, 4.0], "means.0": [5.0, 7.0], "pi": [0.25]}


def lookup(name, index):
    return VALUES[name] if not index else [VALUES[name][index[0]]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a", 2), ("-a^2", -4), ("(-a)^2", 4), ("2^3^2", 512), ("2^-a", 0.25), ("a**3", 8), ("6/a/3", 1), ("1 - -3", 4),
        ("7 - 2 - 1", 4), ("2*(a + 1) - 1e1", -4), ("1.5e-1*a", 0.3), ("sqrt(16) + ln(1) + log(1) + log2(8)", 7),
        ("exp(0) + abs(-3)", 4), ("min(v)", 1), ("max(v, 9)", 9), ("sum(v[0], a, 1)", 6), ("argmax(v)", 2),
        ("argmin(a, 2, 3)", 0), ("sum(v) + v[2]", 12), ("means.0[1] - pi", 6.75), ("a < 3", 1), ("(a >= 3) + 1", 1),
        ("a == 2", 1), ("a != 2", 0), ("v[0] > v[1]", 1), ("max(0, a - 5)", 0), ("max(-a, v[1]*2)", 2), ("+a", 2),
        ("a <= 2", 1), ("sum(v)/3 + max(v)", 8 / 3 + 4),
    ],
)  # fmt: skip
def test_expressions(text, value):
    assert compute(text, lookup) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(
    "text",
    ["1/0", "a/(a - 2)", "v", "v + 1", "sqrt(-1)", "ln(0)", "exp(a, 1)", "tan(1)", "a b", "(a", "", "1 +", "v[a]",
     "v[0", "2^9999", "0^-1", "1 < 2 < 3", "max()", "$", "sum(1e308, 1e308)", "1e308*10", "[1]", "exp(v)"],
)  # fmt: skip
def test_nonsense_has_no_value(text):
    with pytest.raises(Unreadable):
        compute(text, lookup)


def test_the_names_of_an_expression():
    assert names("max(a, means.0[1]) + exp(b_2)*1e3") == {"a", "means.0", "b_2"}


# --- the rules, on fields made for one question each -----------------------------------------------------------------

A = ask.number("a", "", 1).filled({"a": 2.0})
V = ask.vector("v", "", 1, titles="xy").filled({"v": [1.0, 2.0]})
M = ask.matrix("m", "", 1, rows="pq", columns="xy").filled({"m": [[1.0, 2.0], [3.0, 4.0]]})


def carried(field, text, *earlier):
    return judge(field, text, judged(*zip(*earlier, strict=True)))


def square(**more):
    return ask.number("b", "", 2, 2, follows="a^2", **more).filled({"b": 4.0})


def test_an_answer_follows_only_from_a_wrong_one_that_was_understood():
    field = square()
    verdict = carried(field, "9", (A, "3"))
    assert (verdict.right, verdict.follows, verdict.message, earned(field, verdict)) == (False, True, FOLLOWS, 2)
    for text in ("2", "2.0001", "", "abc", "3 4", "9e99"):
        assert not carried(field, "9", (A, text)).follows
    assert carried(field, "4", (A, "3")).message == "Right."
    assert not carried(field, "9.01", (A, "3")).follows
    assert not judge(field, "9").follows
    assert carried(field, "1,440", (A, "1.2")).follows  # its comma is a decimal one


def test_nothing_follows_from_a_rounded_right_answer():
    steep = ask.number("b", "", 2, follows="100 * (a - 1.99)").filled({"b": 1.0})
    assert judge(A, "2.0004").right
    assert not carried(steep, "1.04", (A, "2.0004")).follows
    assert carried(steep, "1.06", (A, "2.0006")).follows


def test_a_slip_comes_after_what_follows():
    field = square(slips=[ask.slip(9.0, "A slip.")])
    assert carried(field, "9", (A, "2")).message == "A slip."
    assert carried(field, "9", (A, "3")).slip is None


def test_entries_follow_one_by_one():
    field = ask.vector("b", "", 2, 2, titles="xy", follows=["2*v[0]", "v[1]^2"]).filled({"b": [2.0, 4.0]})
    verdict = carried(field, "6 4", (V, "3 2"))
    assert (verdict.follows, verdict.carried, earned(field, verdict)) == (True, (True, False), 2)
    verdict = carried(field, "6 5", (V, "3 2"))
    assert verdict.message == "1 of 2 entries are right or follow from your earlier answers."
    assert (verdict.entries, earned(field, verdict)) == ((True, False), 1)
    assert carried(field, "2 9", (V, "9e99 3")).follows
    assert not carried(field, "6 9", (V, "3 2")).follows  # 9 does not follow, since 2 was right
    some = ask.vector("b", "", 2, 2, titles="xy", follows=["2*v[0]", None]).filled({"b": [2.0, 4.0]})
    assert carried(some, "6 4", (V, "3 2")).follows
    assert not carried(some, "6 9", (V, "3 3")).follows


def test_an_error_is_carried_through_several_fields():
    last = ask.number("c", "", 3, follows="b + 1").filled({"c": 5.0})
    assert carried(last, "10", (A, "3"), (square(), "9")).follows
    assert not carried(last, "10", (A, "3"), (square(), "4")).follows


def test_entries_of_a_matrix():
    rows = ask.vector("b", "", 2, titles="pq", follows=["sum(m[0,:])", "sum(m[:,1])"]).filled({"b": [3.0, 6.0]})
    assert carried(rows, "9 6", (M, "7 2; 3 4")).follows
    assert carried(rows, "9 10", (M, "3 6; 3 4")).follows
    for bad in ("m[2,0]", "m[0,0,0]", "v[2]", "v[0,1,1]"):
        field = ask.number("b", "", 2, follows=bad).filled({"b": 3.0})
        assert not carried(field, "7", (M, "7 2; 3 4"), (V, "7 7")).follows
    trace = ask.matrix("m", "", 1, columns="xy").filled({"m": [[1.0, 2.0], [3.0, 4.0]]})
    assert not carried(rows, "9 6", (trace, "7 2")).follows
    for shape, text, value in [(("p", "xy"), "5 2", [[1.0, 2.0]]), (("pq", "x"), "5 2", [[1.0], [2.0]])]:
        one = ask.matrix("m", "", 1, rows=shape[0], columns=shape[1]).filled({"m": value})
        last = "m[0,1]" if shape[0] == "p" else "m[1,0]"
        field = ask.number("b", "", 2, follows=f"m[0,0] + {last}").filled({"b": 3.0})
        assert carried(field, "7", (one, text)).follows
    table = ask.matrix("b", "", 2, rows="p", columns="xy", follows=[["a", "2*a"]]).filled({"b": [[2.0, 4.0]]})
    assert carried(table, "3 6", (A, "3")).follows


def test_words():
    choice = ask.choice("b", "", 2, options=["+1", "-1"], keys=[1, -1], follows="a < 0").filled({"b": 1})
    assert carried(choice, "-1", (A, "-2")).follows
    assert not carried(choice, "-1", (A, "3")).follows
    path = ask.sequence("b", "", 2, options="XY", follows=["a > 5", "0"]).filled({"b": ["X", "X"]})
    assert carried(path, "Y X", (A, "6")).follows
    some = ask.sequence("b", "", 2, options="XYZ", kind="set", follows=["a > 5", None, "a > 1"])
    some = some.filled({"b": ["Z"]})
    assert carried(some, "X Z", (A, "6")).follows
    assert not carried(some, "X", (A, "6")).follows
    after = ask.number("c", "", 3, follows="b[0] + 2*b[2]").filled({"c": 2.0})
    assert carried(after, "3", (some, "X Z")).follows
    which = ask.number("c", "", 3, follows="10*b").filled({"c": 0.0})
    assert carried(which, "10", (choice, "-1")).follows


def test_scale_and_sign_do_not_count():
    line = ask.vector("b", "", 2, titles="xy", up_to="scale", follows=["v[1]", "-v[0]"]).filled({"b": [2.0, -1.0]})
    assert carried(line, "-4 6", (V, "3 2")).follows
    assert not carried(line, "4 6", (V, "3 2")).follows


def test_a_wrong_number_of_expressions_is_refused():
    with pytest.raises(ValueError, match="follows of v must have 2 expressions"):
        ask.vector("v", "", 1, titles="xy", follows=["a"]).filled({"v": [1.0, 2.0]})
    assert like(M, [1, 2, 3, 4]) == [[1, 2], [3, 4]]


def test_a_table_of_another_length_does_not_follow():
    trace = ask.matrix("b", "", 2, columns="xy", follows=[["a", "2*a"], [None, None]])
    trace = trace.filled({"b": [[2.0, 4.0], [1.0, 1.0]]})
    assert carried(trace, "3 6; 1 1", (A, "3")).follows
    assert carried(trace, "3 6", (A, "3")).message == "The number of rows is not right."
