"""The script that reads what a reader has done: from the trainer's and the quiz's own entries, and from the marks."""

import json
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "static"
SCRIPTS = ("fsrs/ts-fsrs-5.4.2", "progress", "memory", "progress_file", "judge", "trainer/data", "trainer/store")
SCAFFOLD = """
function Disk() {
  const kept = new Map();
  return { get length() { return kept.size; }, key: (k) => [...kept.keys()][k],
    getItem: (key) => (kept.has(key) ? kept.get(key) : null), setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key) };
}
var disk;
var ask = () => disk;
var forbidden = () => { throw new Error("denied"); };
var today = () => Trainer.dayOf(Date.now());
var drill = (topic, share) => new Trainer.Store(ask, Date.now, () => {}).record(topic, share);
var answer = (right) => disk.setItem("book-quiz", JSON.stringify(right));
var kept = () => bookProgress.read(ask);
var know = (...labels) => labels.forEach((label) => bookProgress.mark(ask, label, true, 5));
var chapter = (more) => ({ hub: "hub.html", page: "page.html", cards: ["c1", "c2"], mistakes: ["m1", "m2"],
  drills: [["d-1", "Drill one", 10], ["d-2", "Drill two", 20]], exercises: [["e1", 8]], quiz: ["q1", "q2"],
  minutes: [6, 4, 20], ...more });
var state = (more = {}, day = today()) => bookProgress.state(chapter(more), kept(), day, "trainer.html");
"""


@pytest.fixture(scope="module")
def engine():
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    for name in SCRIPTS:
        engine.eval((STATIC / f"{name}.js").read_text(encoding="utf-8"))
    engine.eval(SCAFFOLD)
    yield engine
    engine.close()


@pytest.fixture
def run(engine):
    engine.eval("disk = Disk()")
    return lambda script: json.loads(str(engine.eval(f"JSON.stringify((() => {{ {script} }})())")))


def test_what_the_trainer_keeps_is_read(run):
    assert run(
        "drill('d-1', 0.8); drill('d-2', 0.79); return bookProgress.line(kept(), ['d-1', 'd-2', 'd-3'], [])"
    ) == ("1 of 3 drills right")


def test_the_entry_of_the_quiz_is_the_one_that_the_quiz_writes():
    name = re.compile(r'\b(?:KEY|QUIZ) = "(book-quiz)"')
    scripts = [(STATIC / f"{script}.js").read_text(encoding="utf-8") for script in ("quiz", "progress")]
    assert [name.findall(script) for script in scripts] == [["book-quiz"]] * 2


@pytest.mark.parametrize(
    ("answers", "line"),
    [
        ({}, ""),
        ({"other": {"right": True}}, ""),
        ({"q1": {"right": True}, "q2": {"right": False}}, "quiz 50 %"),
        ({"q2": {"right": True}}, "quiz 100 % so far"),
        ({"q1": None, "q2": 3}, ""),
    ],
)
def test_a_line_for_the_quiz(run, answers, line):
    assert run(f"answer({json.dumps(answers)}); return bookProgress.line(kept(), ['d-1'], ['q1', 'q2'])") == line


def test_both_on_one_line(run):
    script = "drill('d-1', 1); answer({q1: {right: true}}); return bookProgress.line(kept(), ['d-1'], ['q1'])"
    assert run(script) == "1 of 1 drill right, quiz 100 %"


@pytest.mark.parametrize("text", ["", "{broken", "null", "[]", "7", '{"topics": []}', '{"topics": {"d-1": 3}}'])
def test_what_cannot_be_read_counts_as_nothing(run, text):
    keys = ["machine-learning-derived.trainer", "book-quiz"]
    script = "".join(f"disk.setItem({json.dumps(key)}, {json.dumps(text)});" for key in keys)
    assert run(script + "return [bookProgress.line(kept(), ['d-1'], ['topics', 'q1']), state().begun]") == ["", False]


def test_blocked_storage_counts_as_nothing_and_keeps_no_mark(run):
    script = "const k = bookProgress.read(forbidden); return [bookProgress.line(k, ['d-1'], ['q1']), k.marks.size,"
    assert run(script + "bookProgress.mark(forbidden, 'c1', true, 5)]") == ["", 0, False]


# --- marks -----------------------------------------------------------------------------------------------------------


def test_each_mark_is_an_entry_of_its_own_with_its_time(run):
    script = "know('c1', 'c2'); bookProgress.mark(ask, 'c1', false, 6);"
    assert run(script + "return [[...kept().marks], disk.length, disk.getItem(disk.key(0))]") == [["c2"], 1, "5"]


def test_a_tab_that_read_earlier_takes_nothing_away(run):
    assert run("const mine = kept(); know('c1'); know('c2'); return [mine.marks.size, [...kept().marks]]") == [
        0,
        ["c1", "c2"],
    ]


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (None, True),
        ("book-quiz", True),
        ("machine-learning-derived.item.drill:k-means", True),
        ("machine-learning-derived.note.today", True),
        ("machine-learning-derived.mark.c1", True),
        ("theme", False),
        ("machine-learning-derived.trainer.unreadable", False),
        ("machine-learning-derived.item.drill:k-means.unreadable", False),
    ],
)
def test_what_another_tab_changes(run, key, told):
    assert run(f"return bookProgress.concerns({json.dumps(key)})") is told


# --- the route of a chapter -------------------------------------------------------------------------------------------


def test_nothing_done(run):
    whole = 6 + 10 + 20 + 8 + 4 + 20
    found = run("return state()")
    assert (found["begun"], found["whole"], found["left"], found["sure"]) == (False, whole, whole, 0)
    assert found["next"] == ["Learn", "2 cards", "hub.html#hub-formulas"]


@pytest.mark.parametrize(
    ("script", "left", "worth"),
    [
        ("know('c1')", 65, 3),
        ("drill('d-2', 0.9)", 48, 18),
        ("drill('d-2', 0.5)", 68, 10),
        ("know('e1')", 60, 8),
        ("answer({q1: {right: false}})", 66, 0),
        ("answer({q1: {right: true}})", 66, 2),
        ("know('m2')", 58, 10),
        ("know('c9')", 68, 0),
    ],
)
def test_minutes_left_and_what_went_well(run, script, left, worth):
    found = run(f"{script}; return state()")
    assert found["left"] == left
    assert found["sure"] == pytest.approx(worth / 68)
    assert found["begun"] is (script != "know('c9')")


def test_a_part_of_a_minute_counts_as_one(run):
    script = "know('c1', 'c2', 'c3'); return state({cards: ['c1', 'c2', 'c3', 'c4'], minutes: [5, 4, 20]}).left"
    assert run(script) == 67 - 3


def test_facts(run):
    script = "know('c1', 'm1'); drill('d-1', 1); answer({q1: {right: true}});"
    assert run(script + "return state().facts") == [
        "1 of 2 cards",
        "1 of 2 drills right",
        "0 of 1 exercise",
        "quiz 100 % so far",
        "43 min left",
    ]


NEXT = [  # each line adds to those above it
    ("", ["Learn", "2 cards", "hub.html#hub-formulas"]),
    ("know('c1')", ["Learn", "1 more card", "hub.html#hub-formulas"]),
    ("know('c2')", ["Practise", "Drill one", "trainer.html#topic=d-1"]),
    ("drill('d-1', 0.9)", ["Practise", "Drill two", "trainer.html#topic=d-2"]),
    ("drill('d-2', 0.9)", ["Solve", "1 exercise", "page.html#e1"]),
    ("know('e1')", ["Answer", "2 questions", "page.html#q1"]),
    ("answer({q1: {right: true}})", ["Answer", "1 more question", "page.html#q2"]),
    ("answer({q1: {right: true}, q2: {right: true}})", ["Look through", "2 mistakes", "hub.html#hub-mistakes"]),
    ("know('m1')", ["Look through", "1 more mistake", "hub.html#hub-mistakes"]),
    ("know('m2')", ["All done:", "set yourself a paper", "trainer.html#paper"]),
]


@pytest.mark.parametrize("steps", range(1, len(NEXT) + 1))
def test_the_next_thing_to_do(run, steps):
    script = ";".join(line for line, _ in NEXT[:steps])
    assert run(f"{script}; return state().next") == NEXT[steps - 1][1]


def test_all_done_leaves_nothing(run):
    found = run(";".join(line for line, _ in NEXT) + "; return state()")
    assert (found["left"], found["facts"][-1]) == (0, "nothing left")
    assert found["sure"] == pytest.approx((68 - 30 + 27) / 68)


def test_what_is_due_is_said_of_a_chapter_and_of_all(run):
    script = """const then = (ago) => Date.now() - ago * 86400000;
    const record = (id, ago) => bookMemory.record(ask, id, {rating: 1}, then(ago));
    const none = bookProgress.dueToday(kept(), Date.now());
    record('card:c1', 3); record('statement:q1', 3); record('question:q2', 0); record('drill:other', 3);
    record('puzzle:p', 3);
    return [none, state().facts[0], bookProgress.dueToday(kept(), Date.now()), state({}, today() - 5).facts[0]]"""
    assert run(script) == ["Today: nothing due", "2 due", "Today: 3 things due", "0 of 2 cards"]


def test_a_drill_that_comes_back_goes_first_and_the_weaker_of_two(run):
    script = "drill('d-1', 0.7); drill('d-2', 0.5); know('c1');"
    assert run(script + "return [state().next, state({}, today() + 2).next]") == [
        ["Learn", "1 more card", "hub.html#hub-formulas"],
        ["Repeat", "Drill two", "trainer.html#topic=d-2"],
    ]


def test_without_a_trainer_no_drill_is_asked_for(run):
    script = "know('c1', 'c2'); drill('d-1', 0.1); const day = today() + 9;"
    script += "return bookProgress.state(chapter({}), kept(), day, null).next"
    assert run(script) == ["Solve", "1 exercise", "page.html#e1"]


def test_a_chapter_that_asks_for_nothing(run):
    empty = "{cards: [], drills: [], exercises: [], quiz: [], mistakes: [], minutes: [0, 0, 0]}"
    found = run(f"return state({empty})")
    assert (found["whole"], found["sure"], found["facts"]) == (0, 0, ["nothing left"])


def test_the_weakest_come_first_and_those_that_are_not_begun_last(run):
    script = """const state = (begun, sure) => ({ begun, sure });
    const all = [state(false, 0), state(true, 0.5), state(true, 0.1), state(false, 0), state(true, 0.1)];
    return bookProgress.weakest(all)"""
    assert run(script) == [2, 4, 1, 0, 3]
