"""A derivation as a puzzle in Chromium, from the file system: buttons, keys, mouse, gaps, storage, print, axe-core."""

import contextlib
import re
import shutil
from pathlib import Path

import pytest
from puzzles import SCRIPTS

from tools.site_check.accessibility import axe_source
from tools.site_check.browser import browser, find_chromium

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "static"
STYLES = ("book.css", "puzzle.css", "formula_styles.css", "katex/katex.min.css")
EXTENSIONS = ["katex_math", "chapter_role", "exam_cards", "quiz", "equation_links", "derivations", "puzzles"]
CHAPTER = """# k-means

$$
a = b
$$ (kmeans-first)

$$
c = -2 d
$$ (kmeans-second)

$$
e = f
$$ (kmeans-third)
"""
PAGE = """# Practice

(derivation-three)=
## Three lines

:::{derivation}
1. `kmeans-first` State $a$.
2. `kmeans-second` Differentiate.
   - wrong: $2 d$ for $-2 d$ because the inner derivative is $-1$.
3. `kmeans-third` Conclude.
   - after: 1
   - wrong: $g$ for $f$ because it is another letter.
:::
"""
SLIP, OTHER = 3, 4  # the wrong pieces
BLOCKED = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied'); } });"
ORDER, GAPS = "Put the lines in order", "Fill the gaps"


@pytest.fixture(scope="module")
def address(shared_book):
    book = shared_book(EXTENSIONS, ["chapters/clustering/kmeans", "practice"], html_css_files=["book.css"])
    book.write("chapters/clustering/kmeans.md", CHAPTER)
    book.write("practice.md", PAGE)
    for name in (*STYLES, *(f"{script}.js" for script in SCRIPTS)):
        (book.root / "static" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(STATIC / name, book.root / "static" / name)
    book.build()
    assert not book.warnings
    text = re.sub(r"<script[^>]*sphinx_highlight[^>]*></script>", "", book.page("practice"))  # it needs storage
    page = book.root / "out/html/practice.html"
    page.write_text(text, encoding="utf-8")
    page.with_name("gone.html").write_text(text.replace('"puzzles-practice"', '"puzzles-gone"'), encoding="utf-8")
    return page.as_uri()


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium()) as running:
        yield running


@pytest.fixture
def tab(chromium, address):
    """Open the page; a script error fails the test."""
    with contextlib.closing(chromium.new_context(viewport={"width": 1000, "height": 1600})) as context:
        errors = []

        def opened(mode=ORDER, script=""):
            page = context.new_page()
            page.set_default_timeout(5000)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.add_init_script(script)
            page.goto(address)
            if mode:
                page.get_by_role("button", name=mode).click()
                page.wait_for_selector(".puzzle:not([hidden])")
            return page

        yield opened
        assert not errors


def line(page, piece):
    return page.locator(f'.puzzle-line[data-piece="{piece}"]')


def own(page):
    return page.locator(".puzzle-own > li").evaluate_all("lines => lines.map((line) => Number(line.dataset.piece))")


def take(page, *pieces):
    for piece in pieces:
        line(page, piece).locator("[data-action=Take]").click()


def checked(page):
    """What is said when one asks, without formulas."""
    page.get_by_role("button", name="Check").click()
    return page.locator(".puzzle-verdict").last.inner_text().partition("\n")[0]


def letter(page, piece):
    return line(page, piece).get_attribute("data-letter")


def test_the_page_is_as_before_until_one_begins_and_when_one_ends(tab):
    page = tab("")
    assert page.locator(".derivation-lines").is_visible()
    assert not page.locator(".puzzle").is_visible()
    page.get_by_role("button", name=ORDER).click()
    page.wait_for_selector(".puzzle-line")
    assert not page.locator(".derivation-lines").is_visible()
    page.get_by_role("button", name=ORDER).click()
    assert page.locator(".derivation-lines").is_visible()


def test_every_order_that_is_right_is_right_and_remembered(tab):
    page = tab()
    take(page, 0, 2, 1)
    assert checked(page) == "Right: all 3 lines, each below those that it uses."
    assert page.locator(".puzzle-done").inner_text() == "Done: put in order"
    again = tab("")
    assert again.locator(".puzzle-done").inner_text() == "Done: put in order"


def test_what_is_missing_early_or_wrong_is_named(tab):
    page = tab()
    assert checked(page) == "Nothing stands here yet. 3 lines are missing. One of them answers: “State "
    take(page, 1)
    uses = f"Line {letter(page, 1)} uses line {letter(page, 0)}, which does not stand above it."
    assert checked(page) == uses
    assert line(page, 1).get_attribute("data-fault") == ""
    line(page, 1).locator("[data-action=Remove]").click()
    take(page, 0, OTHER)
    assert checked(page) == f"Line {letter(page, OTHER)} is wrong, because it is another letter."
    line(page, OTHER).locator("[data-action=Remove]").click()
    take(page, 1)
    assert checked(page) == "So far it is right. 1 line is missing. It answers: “Conclude.”"
    assert not page.locator("[data-fault]").count()


def test_keys_take_move_and_put_back(tab):
    page = tab()
    said = page.locator(".quiz-live")
    for piece in (0, 1, SLIP):
        line(page, piece).focus()
        page.keyboard.press("Enter")
    assert said.inner_text() == f"Line {letter(page, SLIP)} is now number 3 of 3 in your derivation."
    line(page, SLIP).focus()
    page.keyboard.press("Shift+ArrowUp")
    assert own(page) == [0, SLIP, 1]
    assert said.inner_text() == f"Line {letter(page, SLIP)} is now number 2 of 3 in your derivation."
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowUp")
    assert own(page) == [0, 1, SLIP]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Delete")
    assert own(page) == [0, 1]
    assert said.inner_text() == f"Line {letter(page, SLIP)} is back among the lines."
    assert page.evaluate("document.activeElement.dataset.piece") == "1"  # not lost


def test_buttons_move_a_line_and_keep_the_focus(tab):
    page = tab()
    take(page, 0, 1)
    shown = [line(page, piece).locator("button:visible").all_inner_texts() for piece in (0, 1, 2)]
    assert shown == [["↓", "✕"], ["↑", "✕"], ["Take"]]
    line(page, 1).locator("[data-action=Up]").click()
    assert own(page) == [1, 0]
    assert page.evaluate("document.activeElement.closest('.puzzle-line').dataset.piece") == "1"
    line(page, 1).locator("[data-action=Down]").click()
    assert own(page) == [0, 1]
    name = line(page, 1).locator("[data-action=Up]").get_attribute("aria-label")
    assert name == f"Up line {letter(page, 1)}"


def test_no_box_tells_a_wrong_line_from_a_right_one(tab):
    page = tab()
    right, wrong = (line(page, piece) for piece in (1, SLIP))
    assert right.bounding_box()["height"] == wrong.bounding_box()["height"]
    shape = "line => [...line.querySelectorAll(':not(.katex, .katex *)')].map((e) => e.tagName + e.className)"
    assert right.evaluate(shape) == wrong.evaluate(shape)


def test_lines_are_dragged(tab):
    page = tab()
    for piece in (0, 1):
        start, end = line(page, piece).bounding_box(), page.locator(".puzzle-own").bounding_box()
        page.mouse.move(start["x"] + 12, start["y"] + start["height"] / 2)
        page.mouse.down()
        page.mouse.move(start["x"] + 20, start["y"] + start["height"] / 2 + 9, steps=4)
        page.mouse.move(end["x"] + 60, end["y"] + end["height"] - 6, steps=20)
        page.wait_for_timeout(200)
        page.mouse.up()
    assert sorted(own(page)) == [0, 1]
    assert "in your derivation" in page.locator(".quiz-live").inner_text()
    assert line(page, 0).locator("[data-action=Remove]").is_visible()


def test_gaps(tab):
    page = tab(GAPS)
    assert page.locator("fieldset").count() == 2
    assert checked(page) == "0 of 2 gaps right."
    choices = page.locator("fieldset").first.locator("input")
    told = []
    for number in range(2):
        choices.nth(number).check()
        checked(page)
        told.append(page.locator(".puzzle-gaps .puzzle-verdict").first.inner_text().partition(" is")[0])
    assert sorted(told) == ["Right.", "Wrong, because the inner derivative"]
    choices.nth(told.index("Right.")).check()
    for number in range(2):
        page.locator("fieldset").last.locator("input").nth(number).check()
        if checked(page) == "2 of 2 gaps right.":
            break
    assert page.locator(".puzzle-done").inner_text() == "Done: gaps filled"


def test_without_storage_it_lasts_as_long_as_the_page(tab):
    page = tab(script=BLOCKED)
    take(page, 0, 1, 2)
    assert checked(page).startswith("Right")
    assert page.locator(".puzzle-done").inner_text() == "Done: put in order"
    page.reload()
    assert page.locator(".puzzle-done").inner_text() == ""


def test_on_paper_there_is_the_derivation(tab):
    page = tab()
    page.emulate_media(media="print")
    assert page.locator(".derivation-lines").is_visible()
    assert not page.locator(".puzzle, .puzzle-modes").first.is_visible()


def test_a_script_that_is_not_there_is_said(tab, address):
    page = tab("")
    page.goto(address.replace("practice.html", "gone.html"))
    page.get_by_role("button", name=ORDER).click()
    page.wait_for_selector(".puzzle p")
    assert page.locator(".puzzle").inner_text().startswith("The puzzle could not be loaded")


@pytest.mark.parametrize("width", [1000, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("mode", [ORDER, GAPS])
def test_axe_finds_nothing(tab, theme, mode, width):
    page = tab(mode)
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    if mode == ORDER:
        take(page, 1, 0)
    checked(page)
    page.evaluate(axe_source())  # it does not read MathML, which screen readers do
    page.evaluate("document.querySelectorAll('.katex-mathml').forEach((one) => one.replaceChildren('formula'))")
    rules = "axe.run('.puzzle, .puzzle-modes').then((r) => r.violations.map((v) => [v.id, v.nodes[0].html]))"
    assert page.evaluate(rules) == []
    assert page.evaluate("document.querySelector('.puzzle').scrollWidth <= innerWidth")
