"""Drawing a paper: what the formats ask, and that ``static/trainer/drawing.js`` draws the same, in V8."""

import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

from notes_lib.drills import by_chapter, chapter, draw, drawing, exam, papers, to_draw, topics
from notes_lib.drills.drawing import FORMATS, SEEDS, Piece, Topic, compose, generator, shuffled
from tests.drills.seeds import drawn

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = [ROOT / "static" / name for name in ("chance.js", "trainer/drawing.js", "trainer/paper.js")]
SOME = ["svm-dual", "viterbi", "k-means", "gmm-em-step"]
CHOICES = [topics(), SOME, SOME[::-1], ["kappa"], by_chapter()["sequences/hmm"]]
MINUTES = (20, 45, 90, 181)


def pieces(chosen):
    """The questions of the chapters of topics."""
    names = dict.fromkeys(chapter(slug) for slug in chosen)
    return papers.pieces_of({n.split("/")[1]: papers.read_chapter(ROOT / f"chapters/{n}.ipynb") for n in names})


@pytest.fixture(scope="module")
def known():
    """Topics and questions of each choice, as drawing needs them."""
    return [(to_draw(chosen, 20), pieces(chosen)) for chosen in CHOICES]


@pytest.fixture(scope="module")
def page():
    """The scripts of the page; calls of a function with one argument each."""
    engine = MiniRacer()
    engine.eval("var Trainer = {};")
    for script in SCRIPTS:
        engine.eval(script.read_text(encoding="utf-8"))
    yield lambda function, calls: json.loads(
        engine.eval(f"JSON.stringify({json.dumps(calls)}.map((call) => ({function})(call)))")
    )
    engine.close()


def as_page(form, minutes, seed, topics, pieces):
    """The same settings as the page holds them."""
    names = ("topic", "marks", "minutes", "fill")
    return {
        "format": form,
        "minutes": minutes,
        "seed": seed,
        "seeds": SEEDS,
        "topics": [dict(zip(names, topic, strict=True)) for topic in topics],
        "pool": [piece._asdict() for piece in pieces],
    }


def test_the_page_draws_the_papers_of_the_terminal(page, known):
    seeds = (0, 1, 3, 41, 999_999, 2**32 - 1)
    settings = [(f, m, s, t, p) for f, m, s, (t, p) in product(FORMATS, MINUTES, seeds, known)]
    assert len(settings) >= 200
    told = page("Trainer.compose", [as_page(*one) for one in settings])
    drawn_kinds = Counter()
    for one, theirs in zip(settings, told, strict=True):
        ours = [item._asdict() | {"numbers": [*item.numbers], "order": [*item.order]} for item in compose(*one)]
        assert theirs == ours, one[:3]
        drawn_kinds.update(item["kind"] for item in ours)
    assert min(drawn_kinds[kind] for kind in ("drill", "short", "one", "all", "statements")) > 100


def test_the_order_in_which_topics_and_questions_come_does_not_count(page, known):
    found, said = known[1]
    for form in FORMATS:
        turned = as_page(form, 60, 5, found[::-1], said[::-1])
        assert compose(form, 60, 5, found, said) == compose(form, 60, 5, found[::-1], said[::-1])
        assert page("Trainer.compose", [turned]) == page("Trainer.compose", [as_page(form, 60, 5, found, said)])


def test_the_page_asks_for_the_same_field_of_a_fill_in(page):
    drills = [drawn(topic, seed) for topic in topics() for seed in range(SEEDS)]
    asked = page("Trainer.firstTyped", [{"fields": [f.as_json() for f in drill.fields]} for drill in drills])
    assert asked == [drill.fill_in for drill in drills]
    assert sum(number > 0 for number in asked) > 40


def test_the_page_names_the_same_formats(page):
    assert page("(_) => Object.keys(Trainer.FORMATS)", [0]) == [list(FORMATS)]
    assert list(papers.RULES) == list(FORMATS)


def test_the_generator_is_mulberry32():
    below = generator(0)  # the first numbers of the public-domain generator, over 2^32
    assert [below(2**32) / 2**32 for _ in range(3)] == [0.26642920868471265, 0.0003297457005828619, 0.2232720274478197]


def test_numbers_below_are_spread_evenly():
    below = generator(7)
    counts = Counter(below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(abs(count - 1000) < 150 for count in counts.values())  # five standard deviations


def test_every_order_is_as_likely():
    counts = Counter(tuple(shuffled("abc", generator(seed))) for seed in range(6000))
    assert len(counts) == 6
    assert all(abs(count - 1000) < 150 for count in counts.values())


@pytest.mark.parametrize("form", FORMATS)
def test_a_paper_keeps_its_time_and_repeats_nothing(form, known):
    for (found, said), minutes in product(known, (20, 90, 1500)):
        for seed in range(5):
            items = compose(form, minutes, seed, found, said)
            assert sum(item.minutes for item in items) <= minutes
            asked = [(item.name, number, item.kind) for item in items for number in item.numbers]
            assert len({one[:2] for one in asked}) == len(asked)
            assert all(number < SEEDS for _, number, kind in asked if kind in ("drill", "short"))


@pytest.mark.parametrize("form", FORMATS)
def test_a_paper_fills_its_time(form, known):
    found, said = known[0]
    for seed in range(20):
        left = 90 - sum(item.minutes for item in compose(form, 90, seed, found, said))
        assert left < {"long": 8, "calculations": 12, "choice": 1.25, "answers": 2.75}[form]


def test_every_topic_comes_before_any_is_repeated(known):
    found, _ = known[0]
    names = [item.name for item in compose("long", 3 * sum(topic.minutes for topic in found), 1, found)]
    assert set(names[: len(found)]) == set(topics())
    assert len(names) > 2 * len(found)


def test_calculations_begin_with_fill_ins_for_three_tenths_of_the_time(known):
    found, _ = known[0]
    items = compose("calculations", 100, 4, found)
    short = [item for item in items if item.kind == "short"]
    assert items[: len(short)] == short
    assert len(short) == 7  # of 4 minutes
    assert all(item.marks == 2 and draw(item.name, 0).fill_ins for item in short)
    assert all(item.marks >= 10 for item in items[len(short) :])
    worth_less = [topic for topic in found if topic.marks < 10]
    assert {item.kind for item in compose("calculations", 60, 4, worth_less)} == {"short", "drill"}


def test_what_the_formats_ask_of_the_chapters(known):
    found, said = known[0]
    kinds = {(piece.stem, piece.number): piece for piece in said}
    for item in compose("choice", 3000, 1, found, said):
        piece = kinds[item.name, item.numbers[0]]
        assert (item.kind, item.penalty) == ("one", 1)
        assert piece.kind in ("choice", "true-false")
        chance = 1 / piece.options
        if piece.options in (2, 4):
            assert item.marks * chance - item.penalty * (1 - chance) == 0  # guessing earns nothing on average
    asked = compose("answers", 3000, 1, found, said)
    several = [item for item in asked if item.kind == "all"]
    assert {kinds[item.name, item.numbers[0]].kind for item in several} == {"multiple"}
    for item in asked:
        assert item.kind == "all" or {kinds[item.name, n].kind for n in item.numbers} == {"true-false"}
    for stem in {piece.stem for piece in said}:  # of each chapter as many groups as there are
        own = sum(item.kind == "statements" and item.name == stem for item in asked)
        assert own == sum(piece.stem == stem and piece.kind == "true-false" for piece in said) // 3


def test_minutes_follow_from_the_number_of_options():
    said = [Piece("a", 0, "choice", 4), Piece("a", 1, "choice", 3), Piece("a", 2, "true-false", 2)]
    minutes = {item.numbers[0]: item.minutes for item in compose("choice", 60, 0, [], said)}
    assert minutes == {0: 2.5, 1: 2, 2: 1.25}
    said = [Piece("a", 0, "multiple", 4), *(Piece("a", n, "true-false", 2) for n in (1, 2, 3))]
    assert {item.kind: item.minutes for item in compose("answers", 60, 0, [], said)} == {"all": 3.5, "statements": 2.75}


def test_options_are_mixed_but_not_true_and_false(known):
    found, said = known[0]
    orders = {"choice": Counter(), "answers": Counter()}
    for form in orders:
        for item in compose(form, 3000, 2, found, said):
            assert sorted(item.order) == list(range(len(item.order)))
            orders[form][item.kind, item.order] += 1
    four = [order for (_, order) in orders["choice"] if len(order) == 4]
    assert len(four) > 10
    assert ("one", (0, 1)) in orders["choice"]
    assert ("one", (1, 0)) not in orders["choice"]
    assert {order for kind, order in orders["answers"] if kind == "statements"} == {(0, 1, 2)}


def test_an_exam_is_the_long_paper():
    items = compose("long", 90, 3, to_draw(SOME, 90))
    assert [(drill.topic, drill.seed) for drill in exam(90, 3, SOME)] == [(i.name, i.numbers[0]) for i in items]


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_of_another_size_is_refused(seed):
    with pytest.raises(ValueError, match="seed must be an integer from 0 to 4294967295"):
        compose("long", 60, seed, [Topic("a", 5, 5, False)])


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError, match="format must be one of long, calculations, choice, answers, got 'mixed'"):
        compose("mixed", 60, 0, [])


def test_what_does_not_fit_is_left_out():
    found = [Topic("a", 5, 50, True)]
    assert compose("long", 49, 0, found) == []
    assert [item.kind for item in compose("calculations", 49, 0, found)] == ["short"] * 3
    assert len(compose("long", 49 * 100, 0, found)) == SEEDS  # each seed once
    assert drawing.compose("answers", 60, 0, [], [Piece("a", n, "true-false", 2) for n in (0, 1)]) == []
