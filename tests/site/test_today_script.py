"""What the page Today asks: what is due, weak and new, how long it takes, and the order of a session."""

import json
from pathlib import Path

import pytest

from tests.site.test_progress_store import SCAFFOLD
from tests.site.test_progress_store import SCRIPTS as PROGRESS

STATIC = Path(__file__).resolve().parents[2] / "static"
SCRIPTS = (*PROGRESS, "chance", "today/items")
INDEX = [
    {"stem": "svm", "topics": [{"topic": "svm-dual", "title": "Dual", "minutes": 18}]},
    {"stem": "hmm", "topics": []},
    {"stem": "cca", "topics": []},
]
LABELS = {
    "svm": {"cards": ["svm-a", "svm-b"], "questions": [["svm-quiz-x", 0], ["", 0], ["svm-tf-y", 1]], "version": "1"},
    "hmm": {"cards": ["hmm-a"], "questions": [], "version": "1"},
}


@pytest.fixture(scope="module")
def engine():
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    for name in SCRIPTS:
        engine.eval((STATIC / f"{name}.js").read_text(encoding="utf-8"))
    engine.eval(SCAFFOLD)
    engine.eval(f"var all = bookToday.catalogue({json.dumps(INDEX)}, {json.dumps(LABELS)})")
    engine.eval("var ids = (list) => list.map(({id}) => id), kept = () => bookProgress.items(ask)")
    engine.eval("var today = (n) => bookProgress.dayOf(day(n))")
    yield engine
    engine.close()


@pytest.fixture
def run(engine):
    engine.eval("begin()")
    return lambda script: json.loads(str(engine.eval(f"JSON.stringify((() => {{ {script} }})())")))


def test_everything_has_its_id_and_its_minutes(run):
    assert run("return all.map(({id, minutes, number}) => [id, minutes, number ?? null])") == [
        ["card:svm-a", 1.5, None],
        ["card:svm-b", 1.5, None],
        ["question:svm-quiz-x", 1, 0],
        ["statement:svm-tf-y", 0.5, 2],
        ["drill:svm-dual", 18, None],
        ["card:hmm-a", 1.5, None],
    ]


def test_due_are_those_of_the_list_the_longest_overdue_first(run):
    script = "answer('card:svm-a', 1, 0); answer('card:hmm-a', 1, -5); answer('card:gone', 1, 0);"
    script += "answer('card:svm-b', 4, 0);"
    script += "return [0, 1, 60].map((n) => ids(bookToday.due(all, kept(), today(n))))"
    assert run(script) == [["card:hmm-a"], ["card:hmm-a", "card:svm-a"], ["card:hmm-a", "card:svm-a", "card:svm-b"]]


def test_new_ones_are_limited_by_day(run):
    script = "answer('card:svm-a', 3, -1); answer('card:svm-a', 3, 0); answer('card:svm-b', 3, 0);"
    script += "answer('card:hmm-a', 3, 0);"
    script += "return [ids(bookToday.unseen(all, kept())).length, bookToday.left(3, kept(), today(0)),"
    script += "bookToday.left(1, kept(), today(0)), bookToday.left(3, kept(), today(1))]"
    assert run(script) == [3, 1, 0, 3]


def test_mixed_practice_is_what_is_due_or_weak_once_each(run):
    script = "answer('card:svm-a', 1, -4); answer('card:svm-b', 2, 0); answer('card:hmm-a', 4, 0);"
    script += "answer('drill:svm-dual', 3, -9);"
    script += "const draw = (seed) => ids(bookToday.mixed(all, kept(), today(0), bookChance.generator(seed)));"
    orders = run(script + "return [1, 2, 3, 4, 5].map(draw)")
    assert {tuple(sorted(order)) for order in orders} == {("card:svm-a", "card:svm-b", "drill:svm-dual")}
    assert len({tuple(order) for order in orders}) > 1


def test_how_long_it_takes(run):
    told = run("return [bookToday.told(all), bookToday.told(all.slice(2, 4)), bookToday.told(all.slice(3, 4))]")
    assert told == [
        "3 cards, 1 statement, 1 question, 1 drill, about 24 minutes",
        "1 statement, 1 question, about 2 minutes",
        "1 statement, about 1 minute",
    ]


def test_by_chapter(run):
    assert run("return bookToday.byChapter(all).map(([stem, own]) => [stem, own.length])") == [["svm", 5], ["hmm", 1]]


def test_what_was_not_known_is_asked_again_at_the_end_and_counts_once(run):
    script = """const queue = new bookToday.Queue(all.slice(0, 2)), seen = [];
    for (const known of [false, true, false, true]) {
      const id = queue.item.id;
      seen.push([id, queue.answer(known), queue.done]);
    }
    return [seen, queue.item ?? null, queue.total]"""
    assert run(script) == [
        [["card:svm-a", True, 0], ["card:svm-b", True, 1], ["card:svm-a", False, 1], ["card:svm-a", False, 2]],
        None,
        2,
    ]


def test_a_drill_is_not_asked_again_and_what_is_skipped_is_not_counted(run):
    script = "const queue = new bookToday.Queue(all.slice(3, 6)); queue.skip(); const skipped = queue.total;"
    script += "queue.answer(false); return [skipped, queue.done, queue.item.id, queue.minutes]"
    assert run(script) == [2, 1, "card:hmm-a", 2]


def test_the_four_answers_say_when_it_comes_back(run):
    script = "const days = bookMemory.preview(ask, 'card:svm-a', day(0)); answer('card:svm-a', 4, 0);"
    days, due, later = run(
        script + "return [days, item('card:svm-a').due - today(0), bookMemory.preview(ask, 'card:svm-a', day(8))]"
    )
    assert days == sorted(days)
    assert days[3] == due
    assert later[2] > days[2]
