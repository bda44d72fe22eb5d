"""The scripts of the trainer in V8: what is kept, marks, and the clock."""

import json
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "static"
PROGRESS = ("fsrs/ts-fsrs-5.4.2", "progress", "memory", "progress_file")
SCRIPTS = (*PROGRESS, "judge", "trainer/data", "trainer/store", "trainer/fields", "trainer/exercise")
SCRIPTS += ("trainer/papers", "trainer/address")
SCAFFOLD = """
function Disk(mode) {
  this.kept = {}; this.mode = mode;
  this.getItem = (key) => (key in this.kept ? this.kept[key] : null);
  this.setItem = (key, text) => { if (this.mode === "full") throw new Error("quota"); this.kept[key] = text; };
  this.removeItem = (key) => { delete this.kept[key]; };
  this.key = (k) => Object.keys(this.kept)[k];
  Object.defineProperty(this, "length", { get: () => Object.keys(this.kept).length });
}
var said, time, disk;
var store = () => new Trainer.Store(() => { if (disk.mode === "blocked") throw new Error("denied"); return disk; },
  () => time, (sentence) => said.push(sentence));
var begin = (mode) => { said = []; time = 1700000000000; disk = new Disk(mode); };
var DAY = 86400000;
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
    engine.eval("begin('')")
    return lambda script: json.loads(str(engine.eval(f"JSON.stringify((() => {{ {script} }})())")))


# --- what is kept ---------------------------------------------------------------------------------------------------


def test_progress_is_there_after_the_page_is_loaded_again(run):
    assert run("store().record('viterbi', 0.9); return store().topics.viterbi.share") == 0.9


@pytest.mark.parametrize("mode", ["blocked", "full"])
def test_storage_that_fails_is_said_once_and_loses_nothing_on_the_page(run, mode):
    script = f"disk.mode = '{mode}'; const s = store(); const ok = s.record('viterbi', 0.9); s.record('viterbi', 1);"
    ok, share, exported, said = run(script + "return [ok, s.topics.viterbi.share, s.exported(), said]")
    assert (ok, share) == (False, 1)
    assert "viterbi" in exported
    assert len(said) == 1
    assert len(said[0]) > 20


def test_text_of_an_earlier_version_that_cannot_be_read_is_set_aside(run):
    script = "const key = 'machine-learning-derived.trainer'; disk.kept[key] = '{broken'; const s = store();"
    assert run(script + "return [s.topics, disk.kept, said.length]") == [
        {},
        {"machine-learning-derived.trainer.unreadable": "{broken"},
        1,
    ]


def test_clearing_forgets_all_but_the_paper_under_way(run):
    script = """const s = store(), paper = {items: [1], values: [['x']], end: 5};
    s.record('k-means', 1); s.keepPaper(paper); s.keepDraft('k-means', 3, [['1']]);
    disk.kept['machine-learning-derived.trainer.unreadable'] = '{';
    disk.kept['book-quiz'] = '{}'; disk.kept.theme = 'dark'; s.clear();
    return [Object.keys(disk.kept).sort(), store().topics, store().paper.values]"""
    paper = ["machine-learning-derived.paper", "machine-learning-derived.paper.0"]
    assert run(script) == [[*paper, "theme"], {}, [["x"]]]


def test_a_paper_survives_loading_again(run):
    script = "store().keepPaper({items: [1], end: time + 1000, values: [['1']]}); time += 400;"
    left, values = run(script + "const p = store().paper; return [Trainer.remaining(p.end, time), p.values]")
    assert (left, values) == (600, [["1"]])


def test_the_time_of_a_drill_is_at_most_twice_its_minutes(run):
    script = """const s = store(), began = time; time += 90000; s.record('a', 1, {began, minutes: 5});
    s.record('b', 1, {began: time - DAY, minutes: 5});
    return ['a', 'b'].map((topic) => bookProgress.spent(bookProgress.item(s.ask, `drill:${topic}`)))"""
    assert run(script) == [90, 600]


# --- two tabs ---------------------------------------------------------------------------------------------------------


def test_a_tab_that_read_earlier_takes_nothing_away(run):
    script = """const a = store(), b = store(); a.keepPaper({items: [1], values: [['1']], end: 9}); a.record('a', 1);
    a.keepDraft('hmm', 2, [['7']]); b.keepDraft('k-means', 1, [['x']]); b.record('b', 0.2); const c = store();
    return [c.paper.values, Object.keys(c.topics).sort(), c.draft('hmm', 2), c.draft('k-means', 1)]"""
    assert run(script) == [[["1"]], ["a", "b"], [["7"]], [["x"]]]


def test_of_a_paper_in_two_tabs_each_answer_that_was_typed_last_stays(run):
    script = """const a = store(), b = store(), paper = {items: [1, 2], end: 9, seed: 1, handedIn: 0};
    a.keepPaper({...paper, values: [['new'], ['']], times: [5]});
    const both = b.keepPaper({...paper, values: [['old'], ['mine']], times: [3, 4]});
    return [both.values, store().paper.values, both.times]"""
    assert run(script) == [[["new"], ["mine"]], [["new"], ["mine"]], [5, 4]]


def test_a_paper_that_was_left_leaves_nothing(run):
    script = "const s = store(); s.keepPaper({items: [1], end: 9, values: [['a']]}); s.keepPaper(null);"
    assert run(script + "return [s.paper, disk.kept]") == [None, {}]


def test_another_paper_takes_the_place_of_one_that_was_left(run):
    script = """const s = store(); s.keepPaper({items: [1], end: 9, seed: 1, values: [['a']], times: [5]});
    s.keepPaper({items: [1], end: 10, seed: 1, values: [['b']], times: [1]});
    const second = s.paper.values;
    s.keepPaper({items: [1], end: 11, seed: 1, values: []}); return [second, s.paper.values]"""
    assert run(script) == [[["b"]], []]


def test_what_is_typed_is_kept_for_the_last_twenty_exercises(run):
    script = """const s = store(); for (let n = 0; n < 25; n += 1) { time += 1; s.keepDraft('a', n, [[String(n)]]); }
    s.keepDraft('a', 24, null); return [s.draft('a', 4), s.draft('a', 5), s.draft('a', 24)]"""
    assert run(script) == [None, [["5"]], None]


def test_the_weakest_comes_first_and_nothing_before_its_day(run):
    script = "const s = store(); s.record('a', 1); s.record('b', 0.2); s.record('c', 0.6); const now = s.due();"
    assert run(script + "time += 3 * DAY; return [now, s.due()]") == [[], ["b", "c", "a"]]


# --- what the address asks for --------------------------------------------------------------------------------------

TOPICS = ["k-means", "viterbi", "forward-algorithm", "bayes-cost", "bayes-reject"]


def place(run, name, seed, seeds=40, drawn=0.5):
    topics = json.dumps([{"topic": topic} for topic in TOPICS])
    return run(f"return Trainer.placeOf({json.dumps(name)}, {json.dumps(seed)}, {topics}, {seeds}, () => {drawn})")


def test_an_address_without_a_seed_draws_one(run):
    assert place(run, "viterbi", None) == {"topic": "viterbi", "seed": 20, "missing": ""}
    assert place(run, "viterbi", None, drawn=0.999)["seed"] == 39
    assert place(run, "viterbi", "7") == {"topic": "viterbi", "seed": 7, "missing": ""}


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("viterb", "viterbi"),
        ("Viterbi", "viterbi"),
        ("kmeans", "k-means"),
        ("forward", "forward-algorithm"),
        ("reject", "bayes-reject"),
    ],
)
def test_of_a_topic_that_is_not_there_the_nearest_is_offered(run, asked, nearest):
    found = place(run, asked, "3")
    assert (found["topic"], found["seed"], found["missing"]) == (nearest, 3, f"There is no topic “{asked}”.")


@pytest.mark.parametrize(
    ("seed", "nearest"), [("40", 39), ("999", 39), ("-1", 0), ("2.6", 3), ("x", 0), ("", 0), ("NaN", 0)]
)
def test_of_a_seed_that_is_not_there_the_nearest_is_offered(run, seed, nearest):
    found = place(run, "viterbi", seed)
    assert found["seed"] == nearest
    assert found["missing"].startswith(
        "This page has the seeds 0 to 39; in a terminal, python -m notes_lib.drills viterbi"
    )


# --- marks ----------------------------------------------------------------------------------------------------------

FIELD = {"kind": "number", "marks": 2, "value": 0.5, "tolerance": 0.00005, "percent": False, "rows": [], "columns": [],
         "options": [], "up_to": ""}  # fmt: skip
TABLE = FIELD | {"kind": "matrix", "rows": ["1", "2"], "columns": ["a", "b"], "value": [[1, 2.5], [3, 4]],
                 "tolerance": [[1e-6, 1e-6], [1e-6, 1e-6]]}  # fmt: skip


def judged(run, field, values, over=False):
    call = f"drillJudge.judge(f, Trainer.typed(f, {json.dumps(values)}, {json.dumps(over)}))"
    return run(f"const f = {json.dumps(field)}; return {call}")


def test_the_cells_of_a_table_are_judged_in_their_places(run):
    assert judged(run, TABLE, ["1", "2,5", "x = 3", "8/2"])["right"]
    assert judged(run, TABLE, ["1", "3", "2,5", "4"])["entries"] == [True, False, False, True]


def test_an_empty_cell_is_wrong_and_costs_no_other(run):
    assert judged(run, TABLE, ["1", "", "3", "4"])["entries"] == [True, False, True, True]
    nothing = TABLE | {"value": [[1, 0], [3, 4]]}
    assert judged(run, nothing, ["1", "", "3", "4"])["entries"] == [True, False, True, True]


def test_an_unreadable_cell_gets_a_sentence_and_in_the_end_is_wrong(run):
    assert not judged(run, TABLE, ["1", "two", "3", "4"])["understood"]
    assert judged(run, TABLE, ["1", "two", "3", "4"], over=True)["entries"] == [True, False, True, True]


def test_nothing_typed_is_nothing(run):
    assert judged(run, TABLE, ["", " ", "", ""])["message"] == "Nothing was typed."


LISTS = FIELD | {"kind": "sequence", "columns": ["x", "y"], "options": ["ill", "healthy"], "value": ["ill", "ill"]}


def test_lists_are_judged_one_by_one(run):
    assert judged(run, LISTS, ["ill", "healthy"])["entries"] == [True, False]
    assert judged(run, LISTS, ["ill", ""], over=True)["entries"] == [True, False]
    assert not judged(run, LISTS, ["ill", ""])["understood"]


def test_options_that_hold_commas_are_not_taken_apart(run):
    pairs = LISTS | {"options": ["1,2", "2,3"], "value": ["1,2", "2,3"]}
    assert judged(run, pairs, ["1,2", "2,3"])["right"]


def test_each_field_counts_once_with_its_last_verdict(run):
    script = f"const f = {json.dumps(FIELD)}, v = [null];"
    script += "const sum = (t) => { v[0] = drillJudge.judge(f, t); return Trainer.marksOf([f], v); };"
    assert run(script + "return ['0.5', '0.5', '0.7', '1/2'].map(sum)") == [2, 2, 0, 2]


def test_a_fill_in_asks_for_one_field_of_two_marks(run):
    drill = {"marks": 9, "fields": [FIELD | {"marks": 4}, FIELD | {"marks": 5, "value": 0.25}]}
    whole, one = run(f"const d = {json.dumps(drill)}; return [Trainer.askedOf(d, null), Trainer.askedOf(d, 1)]")
    assert whole == drill
    assert one == {"marks": 2, "fields": [FIELD | {"marks": 2, "value": 0.25}]}


def test_ticked_options(run):
    plain, cost = '{"marks": 3, "penalty": 0}', '{"marks": 3, "penalty": 1}'
    cases = [(plain, [1], [1]), (plain, [0, 2], [0]), (plain, [0, 2], [0, 1, 2]), (plain, [0, 2], [2, 0])]
    cases += [(cost, [1], []), (cost, [1], [0]), (cost, [1], [1])]
    calls = ", ".join(f"Trainer.ticked({item}, {right}, {chosen})" for item, right, chosen in cases)
    assert run(f"return [{calls}]") == [3, 0, 0, 3, 0, -1, 3]


def test_the_mark_sheet_adds_up_and_names_the_weakest_first(run):
    results = [{"name": "a", "earned": 8, "marks": 10}, {"name": "b", "earned": 1, "marks": 5},
               {"name": "c", "earned": 0, "marks": 2}, {"name": "b", "earned": 2, "marks": 5}]  # fmt: skip
    assert run(f"return Trainer.sheet({json.dumps(results)})") == {"earned": 11, "marks": 22, "repeat": ["c", "b"]}


# --- the clock -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["2026-03-01T23:50:00", "2026-03-01T10:00:00", "2026-12-31T23:59:59"])
def test_the_clock_goes_on_through_midnight(run, start):
    script = f"const begun = new Date('{start}').getTime(), end = begun + 90 * Trainer.MINUTE;"
    script += "const after = (m) => Trainer.clockText(Trainer.remaining(end, begun + m * Trainer.MINUTE));"
    assert run(script + "return [0, 5, 20, 70].map(after)") == ["1:30:00", "1:25:00", "1:10:00", "20:00"]


def test_the_clock_stops_at_nothing(run):
    script = "return [3600000, 3599001, 61000, 999, 0].map(Trainer.clockText).concat(Trainer.remaining(5, 9))"
    assert run(script) == ["1:00:00", "1:00:00", "01:01", "00:01", "00:00", 0]
