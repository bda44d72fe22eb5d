"""The page Today in Chromium, from the file system: learning, what is due, keyboard, two tabs, storage, axe-core."""

import contextlib
import json
import re
import shutil
from pathlib import Path

import drill_scripts
import pytest
from katex_math import Katex
from shared_markup import share
from today import SCRIPTS

from notes_lib.drills import title
from tests.site.test_trainer_page import BLOCKED, FULL, WORTH, quiz
from tools.site_check.accessibility import axe_source
from tools.site_check.browser import browser, find_chromium

pytestmark = pytest.mark.browser

STYLES = ("katex/katex.min.css", "book.css", "trainer.css", "today.css")
STATIC = Path(__file__).resolve().parents[2] / "static"
PAGE = """<!doctype html><html lang="en" data-theme="light" data-content_root="./"><head><meta charset="utf-8">
<title>Today</title><meta name="viewport" content="width=device-width, initial-scale=1">{styles}</head>
<body><main class="bd-article"><section><h1>Today</h1><div class="trainer today"><p>Static.</p></div></section></main>
{scripts}</body>
</html>"""
TRUE_FALSE = """<div class="quiz quiz-true-false" id="hmm-tf-1"><div class="quiz-question" id="hmm-tf-1-question"><p>It
falls.</p></div><div class="quiz-options" role="radiogroup" aria-labelledby="hmm-tf-1-question"><input type="radio"
class="quiz-input wrong" name="hmm-tf-1" id="hmm-tf-1-true"><label class="quiz-label" for="hmm-tf-1-true">True</label>
<input type="radio" class="quiz-input right" name="hmm-tf-1" id="hmm-tf-1-false"><label class="quiz-label"
for="hmm-tf-1-false">False</label><div class="quiz-feedback"><p>Never.</p></div></div></div>"""
CARDS = [["hmm-must-know-a", 0, "<p>First</p>", '<p>One, see <a href="#why">why</a>.</p>'],
         ["hmm-must-know-b", 1, "<p>Second</p>", "<p>Two.</p>"],
         ["hmm-must-know-c", 0, "<p>Third</p>", "<p>Three.</p>"]]  # fmt: skip
LABELS = {"cards": [card[0] for card in CARDS], "questions": [["hmm-quiz-1", 0], ["hmm-tf-1", 1], ["hmm-quiz-2", 0]]}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A chapter with three cards, questions of one box and of several, a statement, a drill; and one with a card."""
    folder = tmp_path_factory.mktemp("today")
    for name in (*STYLES, *(f"{script}.js" for script in SCRIPTS)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(STATIC / name, folder / name)
    scripts = folder / "_static/drills"
    patch, katex = pytest.MonkeyPatch(), Katex()
    patch.setattr(drill_scripts, "SEEDS", 2)
    with contextlib.closing(katex):
        data = drill_scripts.topic_data("viterbi", katex)
    patch.undo()
    several = re.sub("radio(?!group)", "checkbox", quiz(2, 3)).replace("quiz-choice", "quiz-choice quiz-multiple")
    markup, table = share([quiz(1, 3), TRUE_FALSE, several])
    kinds = (("choice", 3), ("true-false", 2), ("multiple", 3))
    items = [[*kind, text] for kind, text in zip(kinds, markup, strict=True)]
    topics = [{"topic": "viterbi", "title": title("viterbi"), **WORTH, "version": "1"}]
    about = {"part": "Sequences", "page": "chapters/hmm", "questions": 3, "version": "1"}
    chapters = [about | {"stem": "hmm", "title": "HMM", "topics": topics}]
    chapters += [about | {"stem": "cca", "title": "CCA", "topics": []}]
    extra = {"cca": {"cards": ["cca-must-know-a"], "questions": [], "version": "1"}}
    for name, value in {
        "viterbi": data,
        "index": {"seeds": 2, "chapters": chapters},
        "questions-hmm": {"table": table, "items": items},
        "cards-hmm": {"table": [], "cards": CARDS},
        "cards-cca": {"table": [], "cards": [["cca-must-know-a", 0, "<p>Fourth</p>", "<p>Four.</p>"]]},
        "today": {"hmm": LABELS | {"version": "1"}} | extra,
    }.items():
        drill_scripts.write_script(scripts / f"{name}.js", name, value)
    links = "".join(f'<link rel="stylesheet" href="{name}">' for name in STYLES)
    tags = "".join(f'<script src="{name}.js" defer></script>' for name in SCRIPTS)
    (folder / "page.html").write_text(PAGE.format(styles=links, scripts=tags), encoding="utf-8")
    return (folder / "page.html").as_uri()


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium()) as running:
        yield running


@pytest.fixture
def tab(chromium, address):
    """Open the page; a script error fails the test."""
    with contextlib.closing(chromium.new_context(viewport={"width": 390, "height": 800})) as context:
        errors = []

        def opened(script=""):
            page = context.new_page()
            page.set_default_timeout(5000)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.add_init_script(script)
            page.goto(address)
            page.wait_for_selector(".today[data-ready]")
            return page

        yield opened
        assert not errors


def press(page, name):
    page.get_by_role("button", name=name).click()


def told(page):
    return page.locator(".today-told").inner_text()


def ratings(page):
    items = page.evaluate("bookProgress.items(bookProgress.browser)")
    return {name: [answer[1] for answer in item["answers"]] for name, item in items.items()}


def make_due(page, *ids):
    """Let things have been learnt a week ago, badly."""
    script = (
        "ids => ids.forEach((id) => bookMemory.record(bookProgress.browser, id, {rating: 1}, Date.now() - 7 * 864e5))"
    )
    page.evaluate(script, list(ids))
    page.reload()
    page.wait_for_selector(".today[data-ready]")


def test_the_first_visit_offers_chapters_and_new_cards_and_the_keyboard_does_them(tab):
    page = tab()
    assert "Nothing is due yet" in told(page)
    assert page.locator(".trainer-fold").first.get_attribute("open") is not None
    page.get_by_label("CCA").uncheck()
    assert not page.get_by_role("button", name="Start").is_visible()
    page.get_by_role("button", name="Learn 3 new cards").press("Enter")
    heading = page.locator(".today-heading")
    heading.wait_for()
    assert page.evaluate("document.activeElement.className") == "today-heading"
    assert not page.get_by_text("One, see").is_visible()
    page.keyboard.press("Space")
    assert page.get_by_text("One, see").is_visible()
    assert page.evaluate("document.activeElement.className") == "today-answer"
    assert page.locator(".today-answer a").get_attribute("href").endswith("/chapters/hmm.html#why")
    page.keyboard.press("3")
    page.get_by_text("Do you recognise it?").wait_for()
    assert page.locator(".today-progress").inner_text() == "1 of 3 done, about 3 minutes left."
    page.keyboard.press("2")  # nothing is shown yet
    page.keyboard.press("Space")
    page.keyboard.press("1")
    page.get_by_text("Third").wait_for()
    page.keyboard.press("Space")
    page.keyboard.press("4")
    page.get_by_text("Second").wait_for()  # was not known: again, and not counted twice
    page.keyboard.press("Space")
    page.keyboard.press("3")
    page.get_by_text("3 things done").wait_for()
    assert "1 of them was not known" in page.locator(".trainer-notice").inner_text()
    names = [f"card:hmm-must-know-{letter}" for letter in "abc"]
    assert ratings(page) == dict(zip(names, ([3], [1], [4]), strict=True))
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('.mark.')).sort()") == [
        f"machine-learning-derived.mark.hmm-must-know-{letter}" for letter in "ac"
    ]
    assert told(page) == "Nothing is due today."


def test_a_statement_and_questions(tab):
    page = tab()
    make_due(page, "question:hmm-quiz-1", "question:hmm-quiz-2", "statement:hmm-tf-1")
    assert told(page) == "Due today: 1 statement, 2 questions, about 3 minutes."
    assert page.locator(".today-list li").all_inner_texts() == ["HMM: 1 statement, 2 questions, about 3 minutes"]
    press(page, "Start")
    page.locator("[id='q1-0']").wait_for()
    assert not page.locator(".quiz-feedback").first.is_visible()
    page.keyboard.press("1")
    assert page.locator(".quiz-feedback").first.is_visible()
    assert page.get_by_role("status").filter(has_text="Right.").count() == 1
    page.keyboard.press("2")  # it is over
    page.keyboard.press("Space")
    page.get_by_text("None of these").wait_for()
    press(page, "Check")
    assert page.get_by_text("Tick at least one box.").is_visible()
    page.keyboard.press("2")
    press(page, "Check")
    assert page.get_by_text("Not right. Right: (a).").is_visible()
    press(page, "Next")
    page.get_by_text("It falls.").wait_for()
    page.keyboard.press("2")
    assert page.get_by_text("Never.").is_visible()
    press(page, "Next")
    page.get_by_text("None of these").wait_for()  # again
    page.keyboard.press("1")
    press(page, "Check")
    press(page, "Next")
    page.get_by_text("3 things done").wait_for()
    assert ratings(page) == {"question:hmm-quiz-1": [1, 3], "question:hmm-quiz-2": [1, 1], "statement:hmm-tf-1": [1, 3]}


def test_a_drill_in_its_place(tab):
    page = tab()
    make_due(page, "drill:viterbi")
    assert "1 drill, about 12 minutes" in told(page)
    press(page, "Start")
    page.locator(".trainer-form input").first.fill("1 2")
    assert not page.get_by_role("button", name="Next").is_visible()
    press(page, "Show the solution")
    press(page, "Show all of it")
    press(page, "Next")
    page.get_by_text("1 thing done").wait_for()
    answers = page.evaluate("bookProgress.item(bookProgress.browser, 'drill:viterbi').answers")
    assert answers[1][1:2] + answers[1][3:] == [1, 0]


def test_skipping_and_stopping_lose_and_invent_nothing(tab):
    page = tab()
    make_due(page, "card:hmm-must-know-a", "card:hmm-must-know-b", "card:hmm-must-know-c")
    press(page, "Start")
    press(page, "Skip")
    page.get_by_text("Second").wait_for()
    press(page, "Show")
    press(page, "3 Good")
    page.get_by_text("Third").wait_for()
    press(page, "Stop here")
    assert "Due today: 2 cards" in told(page)
    page.keyboard.press("1")  # nothing hears it any more
    assert ratings(page) == {f"card:hmm-must-know-{letter}": [1, 3] if letter == "b" else [1] for letter in "abc"}


def test_chapters_new_ones_a_day_and_their_kind_are_kept(tab):
    page = tab()
    page.get_by_label("New a day").fill("2")
    page.get_by_label("New a day").press("Tab")
    assert page.get_by_role("button", name="Learn 2 new cards").is_visible()
    page.get_by_label("New are").select_option("statements and questions")
    page.get_by_label("HMM").uncheck()
    page.reload()
    page.wait_for_selector(".today[data-ready]")
    assert page.locator(".trainer-fold summary").first.inner_text() == "Chapters: 1 of 2"
    assert page.locator("#today-new").input_value() == "2"
    assert page.locator("#today-kind").input_value() == "asked"
    page.get_by_label("New are").select_option("cards")
    press(page, "Learn 1 new card")
    page.get_by_text("Fourth").wait_for()
    press(page, "Show")
    press(page, "4 Easy")
    page.get_by_text("1 thing done").wait_for()
    press(page, "All chapters")
    assert page.get_by_role("button", name="Learn 1 new card").is_visible()  # one of two was new today


def test_mixed_practice_has_what_is_weak_and_not_due(tab):
    page = tab()
    page.evaluate("bookMemory.record(bookProgress.browser, 'card:hmm-must-know-b', {rating: 1}, Date.now())")
    page.reload()
    page.wait_for_selector(".today[data-ready]")
    assert not page.get_by_role("button", name="Start").is_visible()
    press(page, "Mixed practice")
    page.get_by_text("Second").wait_for()


def test_two_tabs(tab):
    one, other = tab(), tab()
    make_due(one, "card:hmm-must-know-a", "card:hmm-must-know-b")
    other.get_by_text("Due today: 2 cards").wait_for()
    press(one, "Start")
    press(one, "Show")
    press(one, "3 Good")
    other.get_by_text("Due today: 1 card").wait_for()
    press(other, "Start")
    other.get_by_text("Second").wait_for()
    press(other, "Show")
    press(other, "4 Easy")
    other.get_by_text("1 thing done").wait_for()
    one.reload()
    assert ratings(one) == {"card:hmm-must-know-a": [1, 3], "card:hmm-must-know-b": [1, 4]}


@pytest.mark.parametrize("script", [BLOCKED, FULL])
def test_without_storage_it_works_for_the_visit_and_says_so_for_good(tab, script):
    page = tab(script)
    press(page, "Learn 4 new cards")
    for number in range(4):
        page.get_by_text(f"{number} of 4 done").wait_for()
        press(page, "Show")
        press(page, "3 Good")
    page.get_by_text("4 things done").wait_for()
    assert page.get_by_text("your progress").first.is_visible()
    assert len(ratings(page)) == 4
    assert told(page) == "Nothing is due today."


def test_progress_goes_to_another_browser(tab, tmp_path):
    page = tab()
    page.on("dialog", lambda dialog: dialog.accept())
    make_due(page, "card:hmm-must-know-a")
    page.get_by_text("Your progress").click()
    with page.expect_download() as download:
        press(page, "Save as a file")
    download.value.save_as(tmp_path / "progress.json")
    press(page, "Clear")
    assert "Nothing is due yet" in told(page)
    page.get_by_label("Read a saved file").set_input_files(tmp_path / "progress.json")
    page.get_by_text("Progress was read: 1 item").wait_for()
    assert "Due today: 1 card" in told(page)


def test_without_a_script_the_page_says_what_it_says(chromium, address):
    with contextlib.closing(chromium.new_context(java_script_enabled=False)) as context:
        page = context.new_page()
        page.goto(address)
        assert page.get_by_text("Static.").is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("place", ["overview", "card", "question", "drill"])
def test_axe_finds_nothing(tab, theme, place):
    page = tab()
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    ids = {"card": "card:hmm-must-know-a", "question": "question:hmm-quiz-2", "drill": "drill:viterbi"}
    if place in ids:
        make_due(page, ids[place])
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        press(page, "Start")
        page.locator(".today-place > *").wait_for()
    if place == "card":
        press(page, "Show")
    page.evaluate(axe_source())  # it does not read MathML, which screen readers do
    page.locator(".katex-mathml").evaluate_all("all => all.forEach((one) => one.replaceChildren('formula'))")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = page.evaluate("axe.run().then((r) => r.violations.map((v) => [v.id, v.nodes[0].html, v.nodes.length]))")
    assert not found, json.dumps(found)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
