"""The trainer in Chromium, from the file system: answers, keyboard, papers, blocked storage, no script, axe-core."""

import contextlib
import json
import shutil
from pathlib import Path
from unicodedata import normalize

import drill_scripts
import pytest
from katex_math import Katex
from shared_markup import share
from trainer import SCRIPTS

from notes_lib.drills import draw, title
from notes_lib.drills.drawing import Piece, Topic, compose
from tools.site_check.accessibility import axe_source
from tools.site_check.browser import browser, find_chromium

pytestmark = pytest.mark.browser

STYLES = ("katex/katex.min.css", "book.css", "trainer.css")
STATIC = Path(__file__).resolve().parents[2] / "static"
PAGE = """<!doctype html><html lang="en" data-theme="light" data-content_root="./"><head><meta charset="utf-8">
<title>Trainer</title><meta name="viewport" content="width=device-width, initial-scale=1">{styles}</head>
<body><main class="bd-article"><section><h1>Trainer</h1><div class="trainer"><p>One exercise.</p></div></section></main>
{scripts}</body>
</html>"""
QUIZ = """<div class="quiz quiz-choice" id="q{n}"><div class="quiz-question" id="q{n}-question"><p>Which?</p></div>
<div class="quiz-options" role="radiogroup" aria-labelledby="q{n}-question">{options}</div></div>"""
OPTION = """<div class="quiz-option"><input type="radio" class="quiz-input" name="q{n}" id="q{n}-{k}"><label
class="quiz-label" for="q{n}-{k}"><span class="quiz-letter">(?)</span> option {k}</label><div class="quiz-feedback
{right}"><p>See <a href="#why">why</a>.</p></div></div>"""
TOPICS = ("viterbi", "kernel-validity")
COACHED = "gaussian-mle"  # has slips and errors carried forward
CARDS = {"estimation-convention-divisor": "page.html#divisor", "estimation-lost-marks-sample": "page.html#sample"}
WORTH = {"marks": 10, "minutes": 12, "fill": True}


def quiz(n, count):
    """A question whose first option is right."""
    options = [OPTION.format(n=n, k=k, right="wrong" if k else "right") for k in range(count)]
    return QUIZ.format(n=n, options="".join(options))


def site(folder, topics, more):
    """A page with some topics of two seeds and three questions; ``more`` is added to the scripts of the topics."""
    for name in (*STYLES, *(f"{script}.js" for script in SCRIPTS)):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(STATIC / name, folder / name)
    patch, katex = pytest.MonkeyPatch(), Katex()
    patch.setattr(drill_scripts, "SEEDS", 2)
    with contextlib.closing(katex):
        for topic in topics:
            data = drill_scripts.topic_data(topic, katex) | more
            drill_scripts.write_script(folder / f"_static/drills/{topic}.js", topic, data)
    patch.undo()
    markup, table = share([quiz(n, 2 + n) for n in range(3)])
    questions = {"table": table, "items": [["choice", 2 + n, item] for n, item in enumerate(markup)]}
    drill_scripts.write_script(folder / "_static/drills/questions-hmm.js", "questions-hmm", questions)
    listed = [{"topic": topic, "title": title(topic), **WORTH, "version": "1"} for topic in topics]
    chapter = {
        "stem": "hmm",
        "title": "HMM",
        "part": "Sequences",
        "page": "chapters/hmm",
        "questions": 3,
        "version": "1",
    }
    index = {"seeds": 2, "chapters": [chapter | {"topics": listed}]}
    drill_scripts.write_script(folder / "_static/drills/index.js", "index", index)
    styles = "".join(f'<link rel="stylesheet" href="{name}">' for name in STYLES)
    scripts = "".join(f'<script src="{name}.js" defer></script>' for name in SCRIPTS)
    (folder / "page.html").write_text(PAGE.format(styles=styles, scripts=scripts), encoding="utf-8")
    return (folder / "page.html").as_uri()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A page with two topics."""
    return site(tmp_path_factory.mktemp("trainer"), TOPICS, {})


@pytest.fixture(scope="module")
def coached(tmp_path_factory):
    """A page with a topic whose fields know slips and what they follow from."""
    return site(tmp_path_factory.mktemp("coached"), [COACHED], {"cards": CARDS})


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium()) as running:
        yield running


@pytest.fixture
def tab(chromium, address):
    """Open the page; a script error fails the test."""
    with contextlib.closing(chromium.new_context(viewport={"width": 390, "height": 800})) as context:
        errors = []

        def opened(hash="#topic=viterbi&seed=1", script="", at=address):
            page = context.new_page()
            page.set_default_timeout(5000)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.add_init_script(script)
            page.goto(at + hash)
            page.wait_for_selector(".trainer[data-ready]")
            return page

        yield opened
        assert not errors


def right_answers():
    """What to type into the inputs of viterbi, seed 1, one after the other."""
    for field in draw("viterbi", 1).fields:
        if field.kind == "matrix":
            yield from (str(value) for row in field.value for value in row)
        else:
            yield ", ".join(field.value) if field.kind == "sequence" else str(field.value)


def shares(page):
    """What is kept of each topic."""
    topics = page.evaluate("bookProgress.read(bookProgress.browser).topics")
    return {topic: kept["share"] for topic, kept in topics.items()}


def verdicts(page):
    return page.locator(".trainer-form .trainer-field").evaluate_all("all => all.map((one) => one.dataset.state)")


def test_an_empty_table_is_folded_and_one_with_numbers_is_not(tab):
    page = tab("#topic=kernel-validity&seed=1")
    assert page.locator(".trainer-statement > details.trainer-blank:not([open]) table").count() == 1
    page.click(".trainer-blank > summary")
    assert page.locator(".trainer-blank td").first.is_visible()
    other = tab("#topic=viterbi&seed=1")
    assert other.locator(".trainer-statement table").first.is_visible()
    assert not other.locator(".trainer-blank").count()


def test_the_trainer_comes_at_once_with_its_exercise(tab):
    seen = "new MutationObserver(() => { const t = document.querySelector('.trainer'); "
    seen += (
        "if (t?.querySelector('#trainer-topic')) window.first ??= t.querySelectorAll('.trainer-exercise').length; })"
    )
    page = tab(script=f"{seen}.observe(document, {{ subtree: true, childList: true }});")
    assert page.evaluate("window.first") == 1


def test_right_wrong_equivalent_and_nonsense(tab):
    page = tab()
    inputs = page.locator(".trainer-form input")
    for place, answer in enumerate(right_answers()):
        inputs.nth(place).fill(answer)
    last = inputs.last
    value = draw("viterbi", 1).fields[-1].value
    check = page.get_by_role("button", name="Check")
    for typed, state in [(f"{value * 100}e-2", "right"), (f"{value * 7}/7".replace(".", ","), "right"),
                         (str(value * 1.01), "wrong"), ("?", "unread"), ("", ""), (str(value), "right")]:  # fmt: skip
        last.fill(typed)
        check.click()
        assert verdicts(page) == ["right"] * 3 + [state], typed
    assert "4 of 4 answers are right. 10 of 10 marks." in page.get_by_role("status").all_inner_texts()
    inputs.first.fill("0.9")
    check.click()
    assert verdicts(page)[0] == "wrong"
    assert inputs.first.get_attribute("aria-invalid") == "true"
    assert inputs.nth(1).get_attribute("aria-invalid") == "false"


def coached_fields():
    return {field.name: field for field in draw(COACHED, 1).fields}


def test_a_slip_is_named_and_links_to_its_card(tab, coached):
    page = tab(f"#topic={COACHED}&seed=1", at=coached)
    slip = coached_fields()["var"].slips[0]
    page.locator(".trainer-form input").nth(1).fill(f"{slip.value:.4g}")
    page.get_by_role("button", name="Check").click()
    said = page.locator(".trainer-verdict").nth(1)
    assert said.inner_text().startswith("✗ That divides by ")
    assert said.locator(".katex").count() == 2
    assert "$" not in said.inner_text()
    assert said.inner_text().endswith("0 of 2 marks.")
    link = said.get_by_role("link", name="Read the card")
    assert link.get_attribute("href") == "./page.html#divisor"
    assert verdicts(page)[1] == "wrong"


def test_an_answer_that_follows_from_a_wrong_one_earns_its_marks(tab, coached):
    page = tab(f"#topic={COACHED}&seed=1", at=coached)
    fields, inputs = coached_fields(), page.locator(".trainer-form input")
    n = len(draw(COACHED, 1).given["x"])
    inputs.nth(1).fill(repr(2 * fields["var"].value))
    inputs.nth(2).fill(repr(2 * fields["unbiased"].value))
    check = page.get_by_role("button", name="Check")
    check.click()
    said = page.locator(".trainer-verdict").nth(2)
    assert said.inner_text() == "✓ Follows from your earlier answer: marks carried forward. 1 of 1 mark."
    assert (verdicts(page)[2], inputs.nth(2).get_attribute("aria-invalid")) == ("follows", "false")
    told = "0 of 6 answers are right. 1 more follows from an earlier one. 1 of 8 marks."
    assert told in page.get_by_role("status").all_inner_texts()
    inputs.nth(2).fill(repr(2.01 * fields["var"].value * n / (n - 1)))
    check.click()
    assert verdicts(page)[2] == "wrong"
    inputs.nth(1).fill(repr(fields["var"].value))
    inputs.nth(2).fill(repr(2 * fields["unbiased"].value))
    check.click()
    assert verdicts(page)[1:3] == ["right", "wrong"]


def test_a_paper_carries_errors_forward_and_its_scheme_has_the_wrong_answers(tab, coached):
    page = tab(f"#topic={COACHED}&seed=1", at=coached)
    data = page.evaluate(f"Trainer.load('{COACHED}').then((data) => Trainer.drill(data, 1))")
    assert [slip["card"] for slip in data["fields"][1]["slips"]] == ["page.html#divisor"] * 2
    fields, n = coached_fields(), 2
    values = [[""], [repr(n * fields["var"].value)], [repr(n * fields["unbiased"].value)], [""], [""], [""]]
    earned = page.evaluate(
        "async ([name, values]) => { const drill = Trainer.drill(await Trainer.load(name), 1);"
        " const one = new Trainer.Exercise(drill, 'p', { paper: true }); one.values = values; one.handIn(() => {});"
        " return one.earned; }",
        [COACHED, values],
    )
    assert earned == 1
    scheme = page.evaluate(
        f"Trainer.load('{COACHED}').then((data) => Trainer.wrongAnswers(Trainer.drill(data, 1).fields)"
        ".map((one) => one.textContent).join(' '))"
    )
    assert scheme.startswith("Common wrong answers")
    assert all(f"{slip.value:.4g}" in scheme for field in fields.values() for slip in field.slips)


def test_the_solution_unfolds_line_by_line_and_closes_the_fields(tab):
    page = tab()
    lines = "all => all.filter((one) => one.checkVisibility()).length"
    blocks = page.locator(".trainer-solution > :not(ul), .trainer-solution li")
    assert blocks.evaluate_all(lines) == 0
    page.get_by_role("button", name="Show the solution").click()
    assert blocks.evaluate_all(lines) == 1
    page.get_by_role("button", name="Next line").click()
    assert blocks.evaluate_all(lines) == 2
    assert page.locator(".trainer-form input").first.get_attribute("readonly") is not None
    page.get_by_role("button", name="Show all of it").click()
    assert blocks.evaluate_all(lines) == blocks.count()
    assert shares(page) == {"viterbi": 0}


def test_the_address_names_the_exercise(tab):
    page = tab("#topic=kernel-validity&seed=1")
    assert "Validity of kernels, seed 1" in page.locator(".trainer-title").inner_text()
    seed = page.get_by_label("Seed", exact=True)
    seed.fill("0")
    seed.press("Enter")
    page.wait_for_function("location.hash === '#topic=kernel-validity&seed=0'")
    matrix = draw("kernel-validity", 0).fields[0].columns
    page.wait_for_function("document.querySelector('.trainer-title').textContent.includes('seed 0')")
    assert page.locator(".trainer-row label").count() == len(matrix)
    seed.fill("77")
    seed.press("Enter")
    page.wait_for_function("document.querySelector('.trainer-notice').textContent.includes('--seed N')")


def test_the_keyboard_alone(tab):
    page = tab()
    page.get_by_label("Topic", exact=True).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    for answer in right_answers():
        page.keyboard.type(answer)
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Check"
    page.keyboard.press("Enter")
    assert verdicts(page) == ["right"] * 4


BLOCKED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"


@pytest.mark.parametrize("script", [BLOCKED, FULL])
def test_storage_that_fails_is_said_and_what_was_typed_stays(tab, script):
    page = tab(script=script)
    first = page.locator(".trainer-form input").first
    first.fill("0.123")
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Show all of it").click()
    assert first.input_value() == "0.123"
    assert page.locator(".trainer-solution").is_visible()
    page.get_by_role("button", name="Another one").click()
    page.wait_for_function("document.querySelector('.trainer-title').textContent.includes('seed 0')")
    assert "progress" in page.locator(".trainer-lasting").inner_text()


TRAINER = "machine-learning-derived.trainer"


def test_progress_that_cannot_be_read_is_said_for_good(tab):
    page = tab()
    page.evaluate(f"localStorage.setItem('{TRAINER}', '{{')")
    page.reload()
    page.wait_for_selector(".trainer[data-ready]")
    page.get_by_role("button", name="Another one").click()
    page.wait_for_function("document.querySelector('.trainer-title').textContent.includes('seed 0')")
    assert "set aside" in page.locator(".trainer-lasting").inner_text()


def test_one_question_and_one_minute_are_told_as_one(tab):
    page = tab()
    page.clock.install()
    page.get_by_text("A paper against the clock").click()
    page.get_by_label("Minutes", exact=True).fill("15")
    page.get_by_role("button", name="Begin the paper").click()
    assert ", 1 question; " in page.locator(".trainer-paper > p").first.inner_text()
    page.clock.fast_forward(16 * 60_000 + 10_000)
    page.get_by_role("button", name="Hand in").click()
    assert "Handed in 1 minute late." in page.locator(".trainer-sheet").inner_text()


def test_two_tabs_keep_a_paper_and_a_finished_topic(tab):
    one, other = tab(), tab("#topic=viterbi&seed=0")
    one.get_by_text("A paper against the clock").click()
    one.get_by_role("button", name="Begin the paper").click()
    first, second = (one.locator(".trainer-paper .trainer-form input:not([type=radio])").nth(n) for n in (0, 1))
    first.fill("0.11")
    assert "in another tab" in other.locator(".trainer-notice").inner_text()
    other.locator(".trainer-form input").first.fill("7")
    other.get_by_role("button", name="Show the solution").click()
    other.get_by_role("button", name="Show all of it").click()
    one.reload()
    one.wait_for_selector(".trainer[data-ready]")
    assert first.input_value() == "0.11"
    assert shares(one) == {"viterbi": 0}
    other.get_by_text("A paper against the clock").click()
    other.get_by_role("button", name="Begin the paper").click()  # it goes on, and none takes its place
    twin = other.locator(".trainer-paper .trainer-form input:not([type=radio])")
    assert twin.first.input_value() == "0.11"
    assert "goes on here" in other.locator(".trainer-notice").inner_text()
    twin.nth(1).fill("0.22")
    one.wait_for_function("[...document.querySelectorAll('.trainer-paper input')].some((one) => one.value === '0.22')")
    assert (first.input_value(), second.input_value()) == ("0.11", "0.22")
    one.get_by_role("button", name="Hand in").click()
    other.wait_for_selector(".trainer-sheet h3")


def test_a_paper_left_open_in_a_tab_that_hears_nothing_loses_no_answer(tab):
    deaf = tab(script="addEventListener('storage', (event) => event.stopImmediatePropagation(), true)")
    deaf.get_by_text("A paper against the clock").click()
    deaf.get_by_role("button", name="Begin the paper").click()
    other = tab()
    ask = ".trainer-question:nth-child({}) input:not([type=radio])"
    first, second = (deaf.locator(ask.format(n)).first for n in (1, 2))
    other.locator(ask.format(2)).first.fill("0.5")
    first.fill("0.25")
    deaf.reload()
    deaf.wait_for_selector(".trainer[data-ready]")
    assert (first.input_value(), second.input_value()) == ("0.25", "0.5")


def test_a_paper_from_beginning_to_mark_sheet(tab):
    page = tab()
    page.get_by_text("A paper against the clock").click()
    page.get_by_label("Format").select_option("choice")
    page.get_by_label("Minutes").fill("10")
    page.get_by_role("button", name="Begin the paper").click()
    question = page.locator(".trainer-question")
    question.nth(2).wait_for()
    assert not page.locator(".quiz-feedback").first.is_visible()
    question.nth(0).get_by_label("option 0").check()
    question.nth(1).get_by_label("option 1").check()
    assert not page.locator(".quiz-feedback").first.is_visible()
    page.reload()
    page.wait_for_selector(".trainer[data-ready]")
    assert question.nth(1).get_by_label("option 1").is_checked()
    assert page.locator(".trainer-clock").inner_text() <= "10:00"
    page.get_by_role("button", name="Hide the clock").click()
    assert not page.locator(".trainer-clock").is_visible()
    page.get_by_role("button", name="Hand in").click()
    assert "2 of 9 marks" in page.locator(".trainer-sheet").inner_text()
    assert "To repeat, the weakest first: HMM." in page.locator(".trainer-sheet").inner_text()
    assert page.locator(".quiz-feedback").first.is_visible()
    assert page.locator(".quiz a").first.evaluate("link => link.href").endswith("/chapters/hmm.html#why")


def in_terminal(form, minutes, seed):
    """The same paper, as the terminal draws it."""
    known = [Topic(topic, *WORTH.values()) for topic in TOPICS]
    return compose(form, minutes, seed, known, [Piece("hmm", n, "choice", 2 + n) for n in range(3)], seeds=2)


@pytest.mark.parametrize("form", ["long", "calculations"])
def test_a_paper_on_the_page_has_the_drills_of_the_terminal(tab, form):
    page = tab()
    page.get_by_text("A paper against the clock").click()
    page.get_by_label("Format").select_option(form)
    page.get_by_label("Seed of the paper").fill("7")
    page.get_by_role("button", name="Begin the paper").click()
    page.wait_for_function("document.querySelector('.trainer-paper')")
    shown = "all => all.map((one) => [one.dataset.topic, Number(one.dataset.seed)])"
    asked = in_terminal(form, 60, 7)
    assert page.locator(".trainer-paper .trainer-exercise").evaluate_all(shown) == [[i.name, *i.numbers] for i in asked]
    heads = [f"{n}. {title(item.name)} ({item.marks} marks)" for n, item in enumerate(asked, 1)]
    assert page.locator(".trainer-paper h3").all_inner_texts() == heads


def test_the_options_stand_in_the_order_of_the_paper(tab):
    page = tab()
    page.get_by_text("A paper against the clock").click()
    page.get_by_label("Format").select_option("choice")
    page.get_by_role("button", name="Begin the paper").click()
    asked = in_terminal("choice", 60, 1)
    page.locator(".trainer-question").nth(len(asked) - 1).wait_for()
    for item, shown in zip(asked, page.locator(".trainer-question").all(), strict=True):
        texts = [f"({letter}) option {k}" for letter, k in zip("abcd", item.order, strict=False)]
        assert shown.locator(".quiz-label").all_inner_texts() == texts
    assert any(item.order != tuple(sorted(item.order)) for item in asked)


def test_topics_can_be_chosen_one_by_one(tab):
    page = tab()
    page.get_by_text("A paper against the clock").click()
    chapter = page.get_by_label("HMM", exact=True)
    page.get_by_text("2 topics").click()
    page.get_by_label("Viterbi algorithm").uncheck()
    assert chapter.evaluate("box => [box.checked, box.indeterminate]") == [True, True]
    page.get_by_role("button", name="Begin the paper").click()
    page.wait_for_function("document.querySelector('.trainer-paper')")
    exercises = page.locator(".trainer-paper .trainer-exercise")
    assert set(exercises.evaluate_all("all => all.map((one) => one.dataset.topic)")) == {"kernel-validity"}


def test_clearing_the_progress_says_that_the_paper_stays(tab):
    page = tab()
    told = []
    page.on("dialog", lambda dialog: (told.append(dialog.message), dialog.accept()))
    page.get_by_text("A paper against the clock").click()
    page.get_by_role("button", name="Begin the paper").click()
    page.get_by_text("Your progress").click()
    page.get_by_role("button", name="Clear").click()
    stays = "The paper that is open stays, with its answers, until you leave it."
    assert stays in told[0]
    assert stays in page.locator(".trainer-notice").inner_text()
    page.reload()
    page.wait_for_selector(".trainer[data-ready]")
    assert page.locator(".trainer-paper").is_visible()


def test_a_paper_of_an_earlier_version_is_closed(tab):
    page = tab()
    paper = {"items": [{"kind": "drill", "topic": "viterbi", "seed": 0}], "minutes": 60, "format": "mixed"}
    kept = json.dumps({"version": 1, "topics": {}, "paper": paper})
    page.evaluate("text => localStorage.setItem('machine-learning-derived.trainer', text)", kept)
    page.reload()
    page.wait_for_selector(".trainer[data-ready]")
    assert "earlier version of this page" in page.locator(".trainer-notice").inner_text()
    assert page.evaluate("Object.keys(localStorage).length") == 0
    assert page.locator(".trainer-form").first.is_visible()


def test_a_mark_scheme_is_printed_and_not_shown(tab):
    page = tab(script="window.print = () => { window.printed = true; }")
    page.get_by_text("A paper against the clock").click()
    page.get_by_role("button", name="Begin the paper").click()
    scheme, paper = page.locator(".trainer-scheme"), page.locator(".trainer-question").first
    page.get_by_role("button", name="Print the mark scheme").click()
    assert page.evaluate("window.printed")
    assert (scheme.is_visible(), paper.is_visible()) == (False, True)
    page.emulate_media(media="print")
    assert (scheme.is_visible(), paper.is_visible()) == (True, False)
    assert not page.get_by_role("button", name="Hand in").is_visible()
    assert not page.locator("h1").is_visible()
    assert scheme.locator("h3").count() == page.locator(".trainer-question").count()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert (scheme.count(), paper.is_visible()) == (0, True)
    hint = page.locator(".trainer-paper .trainer-hint", has_text="one row on each line").first
    assert "four digits or exact" in page.locator(".trainer-paper").inner_text()
    assert not hint.locator(".trainer-how").is_visible()


def test_an_exercise_is_printed_without_the_page_around_it_and_with_room_to_work(tab):
    page = tab("#topic=kernel-validity&seed=1")
    page.emulate_media(media="print")
    hidden = ("h1", ".trainer-blank", ".trainer-chooser", "#paper")
    assert not [name for name in hidden if page.locator(name).first.is_visible()]
    room = "one => parseFloat(getComputedStyle(one, '::after').height) || 0"
    part = page.locator(".trainer-form > [role=group]").first
    assert part.evaluate(room) > 90
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Show the solution").click()
    page.emulate_media(media="print")
    assert part.evaluate(room) == 0


def test_what_is_written_on_paper_is_named_until_the_solution_is_there(tab):
    page = tab("#topic=kernel-validity&seed=0")
    note = page.get_by_text("On paper: ").first
    assert note.is_visible()
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Show all of it").click()
    assert not note.is_visible()
    assert page.get_by_text("Compare with the solution. Do you have it?").first.is_visible()


def test_what_was_typed_is_there_after_the_page_is_loaded_again(tab):
    page = tab()
    first = page.locator(".trainer-form input").first
    first.fill("0.12")
    page.reload()
    page.wait_for_selector(".trainer[data-ready]")
    assert first.input_value() == "0.12"
    page.get_by_role("button", name="The same again").click()
    page.wait_for_function("document.querySelector('.trainer-form input').value === ''")
    first.fill("0.13")
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Show all of it").click()
    page.reload()
    page.wait_for_selector(".trainer[data-ready]")
    assert first.input_value() == ""  # what counted does not come back


def test_a_link_to_a_topic_says_that_a_paper_is_under_way(tab):
    page = tab()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_text("A paper against the clock").click()
    page.get_by_role("button", name="Begin the paper").click()
    page.wait_for_function("document.querySelector('.trainer-paper')")
    notice = page.locator(".trainer-notice")
    assert notice.inner_text() == ""
    page.evaluate("location.hash = '#topic=kernel-validity'")
    page.wait_for_function("document.querySelector('.trainer-notice').textContent.includes('A paper is under way')")
    page.get_by_role("button", name="Leave this paper").click()
    assert notice.inner_text() == ""


def shown(page):
    """What page, address and list say: topic and seed."""
    return page.evaluate(
        "() => { const { topic, seed } = document.querySelector('.trainer-exercise').dataset; return"
        " [[topic, seed], [...new URLSearchParams(location.hash.slice(1)).values()],"
        " [document.querySelector('#trainer-topic').value, document.querySelector('#trainer-seed').value]]; }"
    )


def test_a_link_without_a_seed_gets_the_drawn_one_into_the_address(tab):
    for drawn in (0, 1):
        page = tab("#topic=viterbi", f"Math.random = () => {drawn / 2};")
        assert shown(page) == [["viterbi", str(drawn)]] * 3
        page.reload()
        page.wait_for_selector(".trainer[data-ready]")
        assert shown(page) == [["viterbi", str(drawn)]] * 3


@pytest.mark.parametrize(
    ("asked", "place", "said"),
    [
        (
            "#topic=kernel-valid&seed=1",
            ["kernel-validity", "1"],
            "There is no topic “kernel-valid”. This is the nearest.",
        ),
        ("#topic=viterbi&seed=77", ["viterbi", "1"], "This page has the seeds 0 to 1;"),
    ],
)
def test_what_is_not_there_is_said_and_the_nearest_is_there(tab, asked, place, said):
    page = tab(asked)
    assert page.locator(".trainer-notice").inner_text().startswith(said)
    assert shown(page) == [place] * 3
    assert page.locator("#trainer-topic option").count() == 2


def test_on_a_page_with_an_exercise_the_nearest_is_a_link(tab):
    page = tab("#topic=viterbi&seed=1")
    page.locator(".trainer-form input").first.fill("0.25")
    page.evaluate("location.hash = '#topic=kernel-valid&seed=1'")
    link = page.locator(".trainer-notice a")
    link.wait_for()
    assert shown(page) == [["viterbi", "1"]] * 3
    assert page.locator(".trainer-form input").first.input_value() == "0.25"
    link.click()
    page.wait_for_selector("[data-topic=kernel-validity]")
    assert shown(page) == [["kernel-validity", "1"]] * 3


def test_of_two_quick_changes_the_last_one_wins(tab):
    page = tab("#topic=viterbi&seed=1")
    page.evaluate(
        "() => { const load = Trainer.load; Trainer.load = (name, version) => name === 'kernel-validity'"
        " ? new Promise((done) => { window.late = () => done(load(name, version)); }) : load(name, version); }"
    )
    page.evaluate("location.hash = '#topic=kernel-validity&seed=0'")
    page.wait_for_function("Boolean(window.late)")
    page.evaluate("location.hash = '#topic=viterbi&seed=0'")
    page.wait_for_selector(".trainer-exercise[data-seed='0']")
    page.evaluate("late(); new Promise((done) => setTimeout(done, 300))")
    assert shown(page) == [["viterbi", "0"]] * 3


def test_enter_opens_the_first_topic_that_is_found(tab):
    page = tab("#topic=viterbi&seed=1")
    field = page.get_by_label("Find a topic")
    field.fill("valid")
    assert page.locator("#trainer-topic option").all_inner_texts()[0] == "1 topic: Enter opens it"
    field.press("Enter")
    page.wait_for_selector("[data-topic=kernel-validity]")
    assert shown(page) == [["kernel-validity", "0"]] * 3


NAMES = """boxes => {
  const host = document.createElement('div'), hidden = '<span class="katex-html" aria-hidden="true">z</span>';
  const math = `<span class="katex"><span class="katex-mathml"><math><mi>z</mi></math></span>${hidden}</span>`;
  const plain = { rows: [], options: [], asks: '', marks: 1, label: math };
  document.body.append(host);
  for (const [n, field] of boxes.entries()) {
    const columns = (field.columns || []).map(() => math);
    host.append(new Trainer.FieldBox({ ...plain, ...field, columns }, `named-${n}`).element);
  }
}"""
KINDS = [{"kind": "number"}, {"kind": "matrix"}, {"kind": "vector", "columns": ["1", "2"]},
         {"kind": "sequence", "columns": ["1", "2"], "options": ["a", "b"]},
         {"kind": "choice", "options": ["a", "b"]}]  # fmt: skip


def test_every_input_is_named_by_what_its_label_says_also_in_formulas(tab):
    page = tab()
    page.evaluate(NAMES, KINDS)
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    names = lambda node: normalize("NFKD", node["name"]["value"])  # the letters of formulas are italic ones
    named = [(node["role"]["value"], names(node)) for node in tree if "name" in node]
    roles = ("textbox", "combobox", "group")
    assert {(role, name) for role, name in named if role in roles and name.startswith("z")} == {
        ("textbox", "z (1 mark)"),
        ("group", "z (1 mark)"),
        ("textbox", "z (1 mark) z"),
        ("combobox", "z (1 mark) z"),
    }


def test_that_the_time_is_up_is_seen_in_the_middle_of_a_paper(tab):
    page = tab(script="const now = Date.now; window.ahead = 0; Date.now = () => now() + window.ahead;")
    page.get_by_text("A paper against the clock").click()
    page.get_by_role("button", name="Begin the paper").click()
    page.locator(".trainer-question").nth(2).scroll_into_view_if_needed()
    page.get_by_role("button", name="Hide the clock").click()
    page.evaluate("window.ahead = 3600000")
    alarm = page.get_by_text("The time is up.")
    alarm.wait_for()
    page.locator(".trainer-question").last.scroll_into_view_if_needed()
    assert alarm.evaluate(
        "one => { const { top, bottom } = one.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }"
    )
    assert alarm.evaluate("one => Boolean(one.closest('[role=status]'))")


def test_the_paper_of_a_chapter_takes_two_clicks_wherever_one_is(tab):
    page = tab()
    page.get_by_text("A paper against the clock").click()
    page.evaluate("document.querySelector('.trainer-groups').style.height = '4000px'")
    page.evaluate("document.querySelector('.trainer-fold').nextElementSibling.scrollIntoView()")
    begin = page.get_by_role("button", name="Begin the paper")
    assert begin.evaluate("one => one.getBoundingClientRect().top >= 0")
    page.get_by_role("button", name="None", exact=True).click()
    assert page.get_by_text("Topics chosen: 0 of 2").is_visible()
    begin.click()
    assert page.get_by_text("There is no question that fits").is_visible()
    page.get_by_role("button", name="only HMM").click()
    assert page.get_by_text("Topics chosen: 2 of 2").is_visible()
    begin.click()
    page.wait_for_function("document.querySelector('.trainer-paper')")


PRESS = """(names) => {
  const topics = (stem) => ['a', 'b'].map((topic) => ({ topic: stem + topic, title: topic }));
  const chapters = ['x', 'y'].map((stem) => ({ stem, title: stem, part: 'P', topics: topics(stem) }));
  const choice = new Trainer.TopicChoice(chapters);
  const buttons = [...choice.buttons.slice(0, 2), ...choice.element.querySelectorAll('button')];
  return names.map((name) => {
    buttons.find((one) => (one.getAttribute('aria-label') || one.textContent) === name).click();
    return choice.topics.map((one) => one.topic);
  });
}"""


def test_only_one_chapter_all_or_none(tab):
    found = tab().evaluate(PRESS, ["only y", "None", "All topics", "only x"])
    assert found == [["ya", "yb"], [], ["xa", "xb", "ya", "yb"], ["xa", "xb"]]


def test_without_a_script_the_exercise_of_the_page_stays(chromium, address):
    with contextlib.closing(chromium.new_context(java_script_enabled=False)) as context:
        page = context.new_page()
        page.goto(address)
        assert page.get_by_text("One exercise.").is_visible()


@pytest.mark.parametrize(("theme", "topic"), [("light", "viterbi"), ("dark", "kernel-validity")])
def test_axe_finds_nothing(tab, theme, topic):
    page = tab(f"#topic={topic}&seed=1")
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    page.get_by_text("A paper against the clock").click()
    page.get_by_text("Your progress").click()
    page.locator(".trainer-form input").first.fill("1")
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Show all of it").click()
    page.evaluate(axe_source())  # it does not read MathML, which screen readers do
    page.locator(".katex-mathml").evaluate_all("all => all.forEach((one) => one.replaceChildren('formula'))")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = page.evaluate("axe.run().then((r) => r.violations.map((v) => [v.id, v.nodes[0].html, v.nodes.length]))")
    assert not found, json.dumps(found)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_progress_is_saved_cleared_and_read_again(tab, tmp_path):
    page = tab()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Show all of it").click()
    page.get_by_text("Your progress").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(tmp_path / "progress.json")
    page.get_by_role("button", name="Clear").click()
    assert page.evaluate("localStorage.length") == 0
    page.get_by_label("Read a saved file").set_input_files(tmp_path / "progress.json")
    page.wait_for_function("document.querySelector('.trainer-notice').textContent.includes('1 item')")
    assert shares(page) == {"viterbi": 0}
