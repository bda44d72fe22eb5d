"""``static/judge.js`` gives the verdicts of ``notes_lib.drills.judge``, on thousands of answers, in V8."""

import json
import math
import random
from dataclasses import replace
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

from notes_lib.drills import fields as ask
from notes_lib.drills import topics
from notes_lib.drills.expressions import Unreadable, fold, read_number
from notes_lib.drills.judge import earned, judge
from tests.drills.forms import EMPTY, NONSENSE, right_forms, wrong_forms
from tests.drills.seeds import drawn
from tests.drills.sheets import sheet

SCRIPT = Path(__file__).resolve().parents[2] / "static/judge.js"
TOKENS = ["1", "2", "0.5", "3,25", "17", "9", ".", ",", "e", "pi", "π", "√", "sqrt", "ln", "exp", "log2", "log", "²",
          "log_10", "+", "-", "−", "*", "·", "x", "/", "^", "(", ")", "[", "}", " ", "  ", "\u2009", "e-2", "E+3", "%",
          "=", ";", "\n", "|", "->", "→", "A", "no", "🎓", "10^-3", ", ", "a", "b", "yes", "1/3",
          "(1, 2)", "^T", "½", "⅔", "³", "⁻", "\\frac", "{", "12}", "\\sqrt", "$", "\\\\", "&", "、", "。", "０", "，",
          "np.", "array(", "**", "<", ">", " and ", "和", "\\pi", "\\begin{pmatrix}", "\\left", "\\"]  # fmt: skip
# Signs before powers, brackets around brackets, and a matrix whose rows are not its columns, in either order.
CORNERS = ["-3^2", "2 - -3^2", "-2^-2", "2^3^2", "((1, 2))", "((1, 2), (3, 4))", "(((7)))", "((1; 2; 3))^T"]
WIDE = ask.matrix("a", "", 1, 6, columns=["x", "y", "z"], whole=True).filled({"a": [[1, 2, 3], [4, 5, 6]]})
SHAPES = ["1 2 3\n4 5 6", "1 2 3; 4 5 6", "1 4\n2 5\n3 6", "1 4; 2 5; 3 6", "1 2 3 4 5 6", "((1, 2, 3), (4, 5, 6))",
          "(1, 2, 3)\n(4, 5, 6)", "1 2 3\n4 5", "1 2\n4 5", "1 2 3\n4 5 7\n"]  # fmt: skip


@pytest.fixture(scope="module")
def page():
    """The script of the pages; closed at the end, since V8 left to the interpreter's exit hangs there."""
    engine = MiniRacer()
    engine.eval(SCRIPT.read_text(encoding="utf-8"))
    yield lambda function, calls: json.loads(
        engine.eval(f"JSON.stringify({json.dumps(calls)}.map(function (c) {{ return ({function})(c[0], c[1]); }}))")
    )
    engine.close()


def noise(pick):
    return "".join(pick.choices(TOKENS, k=pick.randrange(1, 9)))


def expression(pick, depth=0):
    """A random expression, mostly one that has a value."""
    way = pick.randrange(9 if depth < 4 else 3)
    inner = [expression(pick, depth + 1) for _ in range(2)] if way > 2 else []
    if way < 2:
        return pick.choice(["1", "2", "7", "0.5", "3,25", "12.5", "4e-2", "1.5E+2", "0"])
    if way == 2:
        return pick.choice(["pi", "e", "√2", "ln 3", "log_2 5", "2π", "x"])
    if way < 6:
        return inner[0] + pick.choice(["+", "-", " - ", "*", "·", "/", " / ", "x", "−"]) + inner[1]
    if way == 6:
        return f"({inner[0]}){pick.choice(['^', '/', '-', '²*', ''])}({inner[1]})"
    return pick.choice(["sqrt({})", "-{}", "ln({})", "exp({})", "[{}]", "{}^2", "2^{}", "+ {}"]).format(inner[0])


def answers(pick):
    """Fields and what may be typed into them: right, wrong, nonsense, noise, corners, and answers to other fields."""
    named = replace(WIDE, rows=("p", "q"))
    yield from ((field, text) for field in (WIDE, named, replace(named, carried=0.5, digits=2)) for text in SHAPES)
    minus = ask.number("a", "", 1, whole=True).filled({"a": -9})
    pair = ask.vector("a", "", 1, 2, titles=["x", "y"]).filled({"a": [1, 2]})
    yield from ((field, text) for field in (minus, pair, WIDE) for text in CORNERS)
    for topic in topics():
        for seed in range(6):
            for field in drawn(topic, seed).fields:
                own = [*right_forms(field, pick, 3), *wrong_forms(field, pick, 3)]
                more = [pick.choice(NONSENSE + EMPTY), pick.choice(CORNERS + SHAPES), noise(pick), noise(pick)]
                yield from ((field, text) for text in own + more)
                yield (
                    field,
                    pick.choice(["{:,}", "x = {:,}", "2; {:,}", "({:,}, 1/2)"]).format(pick.randrange(1000, 99999)),
                )
                text = pick.choice(own)
                place = pick.randrange(len(text) + 1)
                yield field, text[:place] + pick.choice(TOKENS) + text[place + 1 :]


def plain(verdict):
    return {"right": verdict.right, "entries": list(verdict.entries), "message": verdict.message,
            "understood": verdict.understood, "slip": verdict.slip, "carried": list(verdict.carried),
            "follows": verdict.follows}  # fmt: skip


def test_both_judges_give_the_same_verdicts(page):
    cases = list(answers(random.Random(1)))
    assert len(cases) > 10_000
    told = page(
        "function (field, text) { var v = drillJudge.judge(field, text); v.earned = drillJudge.earned(field, v);"
        " return v; }",
        [[field.as_json(), text] for field, text in cases],
    )
    kinds, doubtful = set(), 0
    for (field, text), theirs in zip(cases, told, strict=True):
        verdict = judge(field, text)
        kinds.add((field.kind, verdict.right, verdict.understood))
        doubtful += "decimal comma" in verdict.message
        read = theirs.pop("read")
        assert theirs == plain(verdict) | {"earned": earned(field, verdict)}, f"{text!r} for {field}"
        assert len(read) == len(verdict.read)
        for a, b in zip(read, verdict.read, strict=True):
            assert a == b or math.isclose(a, b, rel_tol=1e-12), f"{text!r} for {field}"
    assert doubtful > 200
    assert len({kind for kind, *_ in kinds}) == 8
    assert all((kind, *case) in kinds for kind, *_ in kinds for case in ((True, True), (False, True), (False, False)))


SHEET = """function (fields, texts) {
  var earlier = [];
  fields.forEach(function (field, k) { earlier.push([field, drillJudge.judge(field, texts[k], earlier)]); });
  return earlier.map(function (pair) {
    var v = pair[1];
    return [v.right, v.entries, v.message, v.understood, v.slip, v.carried, v.follows, drillJudge.earned(pair[0], v)];
  });
}"""


def told_of(field, v):
    """What the script says of a verdict."""
    return [v.right, list(v.entries), v.message, v.understood, v.slip, list(v.carried), v.follows, earned(field, v)]


def test_both_judge_whole_sheets_alike(page):
    """All fields of a drill in their order, with slips, errors carried forward and answers near to them."""
    pick, calls, ours = random.Random(3), [], []
    for topic in topics():
        for drill in [drawn(topic, seed) for seed in range(6)] * 2:
            texts, verdicts = sheet(drill, pick)
            calls.append([[field.as_json() for field in drill.fields], texts])
            ours.append([told_of(field, verdict) for field, verdict in zip(drill.fields, verdicts, strict=True)])
    pair = ask.vector("v", "", 1, titles="xy").filled({"v": [1.0, 2.0]})
    total = ask.number("t", "", 1, follows="v[0] + v[1]").filled({"t": 3.0})
    for texts in (["9e99 3", "4"], ["9e99 2", "3.5"], ["2 2", "4"], ["1 2", "3.5"]):  # 9e99 stands for a missing entry
        verdict = judge(pair, texts[0])
        both = [(pair, verdict), (total, judge(total, texts[1], [(pair, verdict)]))]
        calls.append([[field.as_json() for field, _ in both], texts])
        ours.append([told_of(field, verdict) for field, verdict in both])
    assert [sheet_of[1][6] for sheet_of in ours[-4:]] == [True, False, True, False]
    for (fields, texts), told, theirs in zip(calls, ours, page(SHEET, calls), strict=True):
        for field, text, a, b in zip(fields, texts, told, theirs, strict=True):
            assert a == b, f"{text!r} for {field}, among {texts}"
    every = [verdict for sheet_of in ours for verdict in sheet_of]
    assert len(every) > 10_000
    assert sum(verdict[4] is not None for verdict in every) > 30
    assert sum(verdict[6] for verdict in every) > 60


def value_of(text):
    try:
        return read_number(text, percent=True)
    except Unreadable as error:
        return str(error)


def test_both_read_the_same_numbers(page):
    pick = random.Random(2)
    texts = CORNERS + [noise(pick) for _ in range(3000)] + [expression(pick) for _ in range(3000)]
    read = "function (text) { try { return drillJudge.readNumber(text, true); } catch (e) { return e.message; } }"
    numbers = 0
    for text, theirs in zip(texts, page(read, [[text] for text in texts]), strict=True):
        ours = value_of(text)
        numbers += isinstance(ours, float)
        if isinstance(ours, float):
            assert not isinstance(theirs, str), f"{text!r}: {theirs}"
            assert math.isclose(ours, theirs, rel_tol=1e-12), text
        else:
            assert ours == theirs, repr(text)
    assert 2000 < numbers < 5000
    assert [value_of(text) for text in CORNERS[:4]] == [-9, 11, -0.25, 512]


def test_both_fold_every_character_alike(page):
    characters = [chr(k) for k in range(0x2000) if not 0xD800 <= k < 0xE000]
    characters += [chr(k) for k in (*range(0x2000, 0x3100), *range(0xFE00, 0x10000), 0x1F393)]
    texts = [f"a{character}1" for character in characters]
    assert page("function (text) { return drillJudge.fold(text); }", [[text] for text in texts]) == list(
        map(fold, texts)
    )
