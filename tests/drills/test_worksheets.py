"""Worksheets: what stands on them, how answers are written, and that the page makes the same ones (in V8)."""

import json
import random
import re
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

from notes_lib.drills import by_chapter, draw, drawing, title, topics, worksheets
from notes_lib.drills import fields as ask
from notes_lib.drills.judge import judge
from tests.drills.seeds import drawn
from tools import worksheet as command

STATIC = Path(__file__).resolve().parents[2] / "static"


@pytest.fixture(scope="module")
def page():
    """The script of the page; closed at the end, since V8 left to the interpreter's exit hangs there."""
    engine = MiniRacer()
    for name in ("data", "fields", "progress", "worksheet"):
        engine.eval((STATIC / f"trainer/{name}.js").read_text(encoding="utf-8"))
    yield lambda function, calls: json.loads(engine.eval(f"JSON.stringify({json.dumps(calls)}.map({function}))"))
    engine.close()


def number(value, **kwargs):
    return worksheets.shown(ask.number("x", "", 1, **kwargs).filled({"x": value}))


def test_sheets_share_no_exercise_and_fill_what_the_page_has():
    found = [seed for sheet in range(10) for seed in worksheets.seeds(sheet)]
    assert found == list(range(drawing.SEEDS))


@pytest.mark.parametrize(
    ("value", "options", "text"),
    [
        (7, {"whole": True}, "7"),
        (-1200, {"whole": True}, "−1200"),
        (0.125, {"places": 2}, "0.13"),
        (-0.125, {"places": 2}, "−0.13"),
        (-1e-9, {"places": 2}, "0"),
        (2 / 3, {}, "0.6667"),
        (1234.56, {}, "1235"),
        (123456.7, {}, "123457"),
        (0.5, {"digits": 3, "carried": 1}, "0.5"),
        (0.0004567, {"digits": 3}, "0.000457"),
    ],
)
def test_numbers_have_the_digits_that_are_asked_for(value, options, text):
    assert number(value, **options) == text


def test_words_and_reasons():
    groups = ask.sequence("x", "", 1, options="abc", kind="groups").filled({"x": [["a", "b"], ["c"]]})
    nothing = ask.sequence("x", "", 1, options="abc", kind="set").filled({"x": []})
    shown = [worksheets.shown(field) for field in (groups, nothing, ask.own("y", "why", 1))]
    assert shown == ["a, b; c", "none", "compare with the solution"]


def fields_of(seeds):
    return [field for topic in topics() for seed in seeds for field in drawn(topic, seed).fields]


def test_every_printed_answer_is_right():
    checked = 0
    for field in fields_of(range(1, 4)):
        if field.kind != "own":
            text = worksheets.shown(field).replace("−", "-")
            if field.kind == "matrix":
                text = text[1:-1]
            if field.kind in ("sequence", "set", "groups") and re.search("[ ,]", "".join(field.options)):
                continue  # words of several words are chosen from lists, not typed
            checked += 1
            verdict = judge(field, text)
            assert verdict.right, f"{field.kind} {text!r} of {field.label}: {verdict.message}"
    assert checked > 2000


def test_the_page_writes_the_same_answers(page):
    fields = fields_of(range(1, 4))
    theirs = page("field => Trainer.shown(field)", [field.as_json() for field in fields])
    assert theirs == [worksheets.shown(field) for field in fields]
    pick = random.Random(0)
    values = [pick.choice([-1, 1]) * 10 ** pick.uniform(-6, 6) for _ in range(500)] + [k / 8 for k in range(-40, 40)]
    drawn_ = [ask.number("x", "", 1, places=pick.randrange(4)).filled({"x": value}) for value in values]
    theirs = page("field => Trainer.shown(field)", [field.as_json() for field in drawn_])
    assert theirs == [worksheets.shown(field) for field in drawn_]


def test_the_page_takes_the_same_seeds_and_room(page):
    sheets, minutes = list(range(12)), list(range(1, 40))
    assert page("sheet => Trainer.sheetSeeds(sheet)", sheets) == [worksheets.seeds(sheet) for sheet in sheets]
    assert page("minutes => Trainer.room(minutes)", minutes) == [worksheets.room(each) for each in minutes]


def test_a_sheet_has_a_worked_example_exercises_with_room_and_answers():
    topics_of = by_chapter()["clustering/kmeans"]
    text = worksheets.worksheet("k-means", topics_of, 2)
    before, _, after = text.partition("## Answers")
    for topic in topics_of:
        assert draw(topic, 8).solution in before
        for seed in (9, 10, 11):
            drill = draw(topic, seed)
            assert drill.statement in before
            assert drill.solution not in text
            assert f"(seed {seed}): {worksheets.answers(drill)}." in after.partition(f"### {title(topic)}\n")[2]
    assert before.count(worksheets.ROOM) == 3 * len(topics_of)


def test_a_sheet_without_a_number_is_refused():
    with pytest.raises(ValueError, match="must not be negative"):
        worksheets.worksheet("k-means", ["k-means"], -1)


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command_writes_a_page_with_room_and_a_last_page(tmp_path, capsys):
    assert command.main(["adaboost", "--seed", "1", "--no-pdf", "--out", str(tmp_path)]) == 0
    path = tmp_path / "adaboost-1.html"
    assert capsys.readouterr().out.split() == [str(path)]
    html = path.read_text(encoding="utf-8")
    rooms = re.findall(r'<div class="room" style="height: (\d+)mm"></div>', html)
    assert len(rooms) == 3 * len(by_chapter()["trees/adaboost"])
    assert worksheets.ROOM not in html
    assert '<h2 id="answers">Answers</h2>' in html
    assert "#answers { break-before: page; }" in html


@pytest.mark.parametrize(
    ("words", "message"),
    [(["adabost"], "there is adaboost"), (["svm", "--seed", "-2"], "must not be negative")],
)
def test_mistakes_are_explained(words, message, capsys):
    assert command.main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.browser
def test_the_answers_are_printed_on_a_page_of_their_own(tmp_path, capsys):
    assert command.main(["adaboost", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "adaboost-0.pdf").read_bytes().startswith(b"%PDF")
