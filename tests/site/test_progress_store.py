"""What comes back, and the file of all progress: scheduling, uniting, what earlier versions kept, refused files."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "static"
SCRIPTS = ("fsrs/ts-fsrs-5.4.2", "progress", "memory", "progress_file")
SCAFFOLD = """
function Disk() {
  const kept = new Map();
  return { get length() { return kept.size; }, key: (k) => [...kept.keys()][k],
    getItem: (key) => (kept.has(key) ? kept.get(key) : null), setItem: (key, text) => kept.set(key, String(text)),
    removeItem: (key) => kept.delete(key) };
}
var DAY = 86400000, NOON = 20000 * DAY + DAY / 2;
var disk, ask, day = (n) => NOON + n * DAY;
var begin = () => { disk = Disk(); ask = ((own) => () => own)(disk); };
var all = () => Object.fromEntries([...Array(disk.length).keys()].map((k) => [disk.key(k), disk.getItem(disk.key(k))]));
var answer = (id, rating, n, there = ask) => bookMemory.record(there, id, { rating }, day(n));
var item = (id, there = ask) => bookProgress.item(there, id);
var gaps = (ratings) => {
  let n = 0;
  return ratings.map((rating) => {
    answer("card:c", rating, n);
    const gap = item("card:c").due - bookProgress.dayOf(day(n));
    n += gap;
    return gap;
  });
};
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
    engine.eval("begin()")
    return lambda script: json.loads(str(engine.eval(f"JSON.stringify((() => {{ {script} }})())")))


# --- when something comes back --------------------------------------------------------------------------------------


def test_the_library_is_kept_with_its_licence_and_version():
    assert "MIT License" in (STATIC / "fsrs/LICENSE").read_text(encoding="utf-8")
    assert [path.name for path in (STATIC / "fsrs").glob("*.js")] == [f"{SCRIPTS[0].removeprefix('fsrs/')}.js"]
    used = "fsrs/ts-fsrs-5.4.2.js"
    assert used in (STATIC / "memory.js").read_text(encoding="utf-8")


def test_intervals_grow_when_it_goes_well_and_begin_anew_when_not(run):
    good = run("return gaps([3, 3, 3, 3, 3])")
    assert good == sorted(good)
    assert good[-1] > 4 * good[1] > 8
    *_, before, after = run("begin(); return gaps([3, 3, 3, 1])")
    assert after < before / 3


def test_easy_waits_longer_than_good_than_hard_than_again(run):
    firsts = [run(f"begin(); return gaps([{rating}])")[0] for rating in (4, 3, 2, 1)]
    assert firsts == sorted(firsts, reverse=True)
    assert firsts[0] > firsts[1] > firsts[3] == 1


def test_the_chance_to_know_it_on_its_day_is_nine_in_ten(run):
    """The curve of forgetting is written out here, from the library's published weights."""
    due, stability = run("answer('card:c', 4, 0); const e = item('card:c'); return [e.due - 20000, e.memory.stability]")
    decay = -run("return FSRS.default_w[20]")
    chance = (1 + (0.9 ** (1 / decay) - 1) * due / stability) ** decay
    assert chance == pytest.approx(0.9, abs=0.01)


def test_of_several_answers_on_a_day_the_worst_counts(run):
    script = "answer('card:a', 3, 0); answer('card:a', 1, 0.1); answer('card:b', 1, 0); answer('card:b', 4, 0.1);"
    script += (
        "answer('card:c', 1, 0); return ['a', 'b', 'c'].map((n) => [item('card:' + n).memory, item('card:' + n).due])"
    )
    first, second, once = run(script)
    assert first == second == once


def test_ratings_of_marks(run):
    assert run("return [0, 0.49, 0.5, 0.79, 0.8, 1].map(bookProgress.rating)") == [1, 1, 2, 2, 3, 3]


def test_an_answer_is_kept_with_time_rating_seconds_and_share(run):
    script = "bookMemory.record(ask, 'drill:d', {share: 0.6, seconds: 61.4}, 5); answer('drill:d', 3, 0);"
    script += "const e = item('drill:d'); return [e.answers, e.at, bookProgress.spent(e)]"
    noon = 20000 * 86400000 + 43200000
    assert run(script) == [[[5, 2, 61, 0.6], [noon, 3, 0, None]], noon, 61]


def test_what_is_due_and_what_is_weak(run):
    script = """answer('card:a', 1, 0); answer('card:b', 4, 0); answer('drill:c', 3, -9);
    const all = bookProgress.items(ask);
    return [0, 1, 30].map((n) => bookProgress.due(all, bookProgress.dayOf(day(n))))
      .concat([Object.keys(all).filter((id) => bookProgress.weak(all[id]))])"""
    assert run(script) == [["drill:c"], ["drill:c", "card:a"], ["drill:c", "card:a", "card:b"], ["card:a"]]


def test_without_the_library_an_answer_comes_back_tomorrow_and_is_not_lost(engine, run):
    page = "{documentElement: {dataset: {}}, createElement: () => ({}), head: {append() {}}}"
    engine.eval(f"var library = FSRS; globalThis.FSRS = undefined; globalThis.document = {page};")
    try:
        script = "answer('card:a', 4, 0); const e = item('card:a'); return [e.due - 20000, e.answers.length, e.memory]"
        assert run(script) == [1, 1, None]
    finally:
        engine.eval("globalThis.FSRS = library; delete globalThis.document")
    assert run("answer('card:a', 4, 0); bookMemory.settle(ask, 'card:a'); return item('card:a').due - 20000") > 1


# --- two records of the same thing ----------------------------------------------------------------------------------


ONE = {"at": 50, "due": 3, "memory": {"stability": 2, "difficulty": 5}, "answers": [[10, 3, 0, None], [50, 1, 4, None]]}
TWO = {"at": 60, "due": 9, "memory": None, "answers": [[10, 3, 0, None], [60, 4, 0, None]]}


def test_the_state_of_the_later_and_the_answers_of_both(run):
    for pair in ((ONE, TWO), (TWO, ONE)):
        found = run(f"return bookProgress.unite({json.dumps(pair[0])}, {json.dumps(pair[1])})")
        assert found == TWO | {"answers": [[10, 3, 0, None], [50, 1, 4, None], [60, 4, 0, None]]}


def test_records_of_the_same_time_are_united_in_any_order(run):
    other = TWO | {"at": 50}
    script = "const [a, b] = {}; return [bookProgress.unite(a, b), bookProgress.unite(b, a)]"
    one, two = run(script.replace("{}", json.dumps([ONE, other])))
    assert one == two


def test_an_item_that_cannot_be_read_is_set_aside(run):
    script = "disk.setItem('machine-learning-derived.item.card:a', '{'); const none = item('card:a');"
    script += "answer('card:a', 3, 0);"
    script += (
        "return [none, item('card:a').answers.length, bookProgress.unread(ask), Object.keys(bookProgress.items(ask)),"
    )
    script += "all()['machine-learning-derived.item.card:a.unreadable']]"
    assert run(script) == [None, 1, True, ["card:a"], "{"]


def test_a_browser_that_stores_nothing_keeps_all_for_the_visit(run):
    script = """const closed = () => { throw new Error("denied"); }; answer('card:a', 3, 0, closed);
    bookProgress.mark(closed, 'c1', true, 5); bookProgress.keepNote(closed, 'today', {most: 3}, 5);
    const kept = bookProgress.read(closed), on = [...kept.marks]; bookProgress.mark(closed, 'c1', false, 6);
    return [Object.keys(kept.items), on, [...bookProgress.read(closed).marks], bookProgress.note(closed, 'today'),
      bookProgress.works(closed), bookProgress.works(ask), disk.length]"""
    assert run(script) == [["card:a"], ["c1"], [], {"most": 3}, False, True, 0]


# --- what earlier versions kept -------------------------------------------------------------------------------------


OLD = {
    "version": 1,
    "topics": {
        "k-means": {"box": 2, "due": 20010, "done": 5, "share": 0.9},
        "hmm": {"box": 0, "due": 20001, "done": 1, "share": 0.4},
    },
    "paper": {"items": [1], "values": [["a"]]},
    "draft": {"topic": "hmm", "seed": 3, "values": [["b"]]},
}


def test_the_progress_of_the_trainer_is_taken_over(run):
    script = f"disk.setItem('machine-learning-derived.trainer', JSON.stringify({json.dumps(OLD)}));"
    script += "const kept = bookProgress.read(ask); bookProgress.read(ask); return [kept.topics, kept.items, all()]"
    topics, items, everything = run(script)
    assert topics == {"k-means": {"share": 0.9, "due": 20010}, "hmm": {"share": 0.4, "due": 20001}}
    days = [answer[0] // 86400000 for answer in items["drill:k-means"]["answers"]]
    assert days == [20010 - 7 - 3 - 1, 20010 - 7 - 3, 20010 - 7]
    assert [answer[1] for answer in items["drill:hmm"]["answers"]] == [1]
    ours = "machine-learning-derived."
    assert set(everything) == {
        f"{ours}{end}" for end in ("item.drill:k-means", "item.drill:hmm", "paper", "draft.hmm.3")
    }
    assert json.loads(everything[f"{ours}paper"])["plan"] == OLD["paper"]
    assert json.loads(everything[f"{ours}draft.hmm.3"])["values"] == [["b"]]


def test_what_was_taken_over_goes_on_from_its_history(run):
    script = f"disk.setItem('machine-learning-derived.trainer', JSON.stringify({json.dumps(OLD)}));"
    script += "bookProgress.read(ask); bookMemory.record(ask, 'drill:k-means', {share: 1}, day(10));"
    script += "return item('drill:k-means')"
    found = run(script)
    assert len(found["answers"]) == 4
    assert found["due"] - 20010 > 14


def test_without_room_the_old_progress_stays_where_it_is(run):
    script = f"disk.setItem('machine-learning-derived.trainer', JSON.stringify({json.dumps(OLD)}));"
    script += "disk.setItem = () => { throw new Error('quota'); }; const kept = bookProgress.read(ask);"
    keys = run(script + "return [Object.keys(kept.items).length, Object.keys(all())]")
    assert keys == [2, ["machine-learning-derived.trainer"]]


@pytest.mark.parametrize(
    "text", ["{broken", "null", '{"version": 2, "topics": {}}', '{"version": 1, "topics": {"a": 3}}']
)
def test_old_progress_that_cannot_be_read_is_set_aside(run, text):
    script = (
        f"disk.setItem('machine-learning-derived.trainer', {json.dumps(text)}); const kept = bookProgress.read(ask);"
    )
    assert run(script + "return [kept.items, all(), bookProgress.unread(ask)]") == [
        {},
        {"machine-learning-derived.trainer.unreadable": text},
        True,
    ]


def test_old_answers_and_known_cards_come_back_within_a_week(run):
    script = """disk.setItem('book-quiz', JSON.stringify({'a-tf-1': {right: false}, 'a-quiz-2': {right: true}}));
    bookProgress.mark(ask, 'a-must-know-x', true, day(-3)); bookProgress.mark(ask, 'a-ex-one', true, 5);
    const first = JSON.stringify(bookProgress.read(ask).items), kept = bookProgress.read(ask).items;
    const today = bookProgress.dayOf(Date.now());
    return [Object.keys(kept).sort(), kept['statement:a-tf-1'].due - today, Object.values(kept).every((one) =>
      one.due > today && one.due <= today + 7), kept['card:a-must-know-x'].at - day(-3),
      first === JSON.stringify(kept)]"""
    assert run(script) == [["card:a-must-know-x", "question:a-quiz-2", "statement:a-tf-1"], 1, True, 0, True]


# --- the file -------------------------------------------------------------------------------------------------------


FILL = """answer('card:a', 3, 0); answer('drill:d', 1, 1); bookProgress.mark(ask, 'c1', true, 7);
bookProgress.keepNote(ask, 'plan', {days: [1, 2]}, 8);
disk.setItem('book-quiz', JSON.stringify({'a-tf-1': {checked: ['x'], right: true, at: 9}}));"""


def test_a_file_brings_everything_to_another_browser(run):
    script = FILL + "bookProgress.read(ask); const before = all(), text = bookFile.exported(ask, 99); begin();"
    before, after, told = run(script + "const told = bookFile.imported(ask, text); return [before, all(), told]")
    assert after == before
    assert len(after) == 5
    assert told == {"told": "Progress was read: 2 items, 2 of them new here.", "stored": True}


def test_a_file_and_what_is_kept_are_united_by_entry(run):
    script = """answer('card:a', 3, 0); answer('card:a', 1, 4); answer('card:mine', 3, 0);
    const mark = (label, at) => bookProgress.mark(ask, label, true, at);
    const note = (...more) => bookProgress.keepNote(ask, ...more), wrong = (at) => ({checked: [], right: false, at});
    mark('c1', 7); mark('c2', 9); note('plan', 'old', 8); note('set', 'new', 9);
    disk.setItem('book-quiz', JSON.stringify({q: {checked: [], right: true, at: 9}, r: {checked: [], right: true}}));
    const text = bookFile.exported(ask, 99); begin();
    answer('card:a', 3, 0); answer('card:a', 4, 2); answer('card:other', 1, 0); mark('c2', 5);
    note('plan', 'new', 9); note('set', 'old', 8);
    disk.setItem('book-quiz', JSON.stringify({q: wrong(5), r: wrong(1)}));
    bookFile.imported(ask, text); bookFile.imported(ask, text);
    const kept = bookProgress.read(ask), quiz = kept.quiz;
    return [Object.keys(kept.items).sort(), item('card:a').answers.map((one) => one[1]),
      item('card:a').due - bookMemory.scheduled(item('card:a').answers).due, item('card:a').due !== 20005,
      disk.getItem('machine-learning-derived.mark.c2'), [...kept.marks].sort(), bookProgress.note(ask, 'plan'),
      bookProgress.note(ask, 'set'), quiz.q.right, quiz.r.right]"""
    assert run(script) == [
        ["card:a", "card:mine", "card:other"],
        [3, 4, 1],
        0,
        True,
        "9",
        ["c1", "c2"],
        "new",
        "new",
        True,
        False,
    ]


def test_a_file_of_the_trainer_alone_is_still_read(run):
    file = {"format": "machine-learning-derived trainer", "version": 1, "topics": OLD["topics"]}
    script = f"const told = bookFile.imported(ask, {json.dumps(json.dumps(file))}).told;"
    told, topics = run(script + "return [told, bookProgress.read(ask).topics]")
    assert "2 items" in told
    assert topics["hmm"] == {"share": 0.4, "due": 20001}


GOOD = {
    "format": "machine-learning-derived progress",
    "version": 2,
    "saved": 5,
    "items": {},
    "marks": {},
    "quiz": {},
    "notes": {},
}
ENTRY = {"at": 1, "due": 2, "memory": None, "answers": [[1, 3, 0, None]]}
FOREIGN, DAMAGED = "holds no progress of this book", "is damaged"
REFUSED = [
    ("{", "is not JSON"),
    (json.dumps(GOOD)[:-9], "is not JSON"),
    ("null", FOREIGN),
    ("[]", FOREIGN),
    ('{"format": "something else"}', FOREIGN),
    (GOOD | {"version": 3}, "later version"),
    (GOOD | {"version": "x"}, "version"),
    (GOOD | {"version": 1}, DAMAGED),
    (GOOD | {"saved": None}, DAMAGED),
    ({key: value for key, value in GOOD.items() if key != "quiz"}, "“quiz” is missing"),
    (GOOD | {"items": []}, "“items” is missing"),
    (GOOD | {"items": {"card:<b>": ENTRY}}, "“card:<b>”"),
    (GOOD | {"items": {"song:a": ENTRY}}, "“song:a”"),
    (GOOD | {"items": {"card:a": None}}, "“card:a”"),
    (GOOD | {"items": {"card:a": ENTRY | {"answers": []}}}, "“card:a”"),
    (GOOD | {"items": {"card:a": ENTRY | {"answers": [[1, 5, 0, None]]}}}, "“card:a”"),
    (GOOD | {"items": {"card:a": ENTRY | {"answers": [[1, 3, 0, 1.5]]}}}, "“card:a”"),
    (GOOD | {"items": {"card:a": ENTRY | {"answers": [[1, 3, -1, None]]}}}, "“card:a”"),
    (GOOD | {"items": {"card:a": ENTRY | {"due": "soon"}}}, "“card:a”"),
    (GOOD | {"items": {"card:a": ENTRY | {"memory": {"stability": -1, "difficulty": 5}}}}, "“card:a”"),
    (GOOD | {"marks": {"c1": "now"}}, "“c1”"),
    (GOOD | {"quiz": {"q": {"checked": [1], "right": True}}}, "“q”"),
    (GOOD | {"notes": {"plan": {"value": 1}}}, "“plan”"),
    ({"format": "machine-learning-derived trainer", "version": 1, "topics": {"a": {"box": 9}}}, DAMAGED),
]


@pytest.mark.parametrize(("file", "why"), REFUSED)
def test_a_damaged_or_foreign_file_is_refused_whole_and_says_why(run, file, why):
    if isinstance(file, dict):
        file = dict(file)
        file["items"] = (
            {"card:fine": ENTRY} | file["items"] if isinstance(file.get("items"), dict) else file.get("items")
        )
    text = file if isinstance(file, str) else json.dumps(file)
    script = FILL + f"const before = JSON.stringify(all()), told = bookFile.imported(ask, {json.dumps(text)}).told;"
    told, same = run(script + "return [told, JSON.stringify(all()) === before]")
    assert why in told
    assert told.endswith("nothing was changed.")
    assert same


def test_an_intact_file_is_taken(run):
    file = GOOD | {"items": {"card:fine": ENTRY}}
    assert "1 item," in run(f"return bookFile.imported(ask, {json.dumps(json.dumps(file))}).told")


def test_an_import_that_the_browser_cannot_store_is_said(run):
    file = json.dumps(GOOD | {"marks": {"c1": 5}})
    script = "disk.setItem = () => { throw new Error('quota'); };"
    assert run(f"{script} return bookFile.imported(ask, {json.dumps(file)}).stored") is False


def test_days_are_those_of_the_calendar(run):
    day = (date(2026, 3, 1) - date(1970, 1, 1)) // timedelta(days=1)
    assert run("return bookProgress.dayOf(new Date(2026, 2, 1, 23, 59).getTime())") == day
