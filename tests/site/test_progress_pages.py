"""What is kept of a reader's work, in Chromium: on the front page, in the overview, on a hub, and in two tabs."""

import contextlib
import json
from pathlib import Path

import pytest

from tests.site.test_hub_overview import GMM, KMEANS, ROUTE
from tools.site_check.accessibility import AllowList, check_axe
from tools.site_check.browser import browser, find_chromium, serve

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "static"
STYLES = ("book.css", "revision.css", "front.css", "hub.css")
SCRIPTS = ("progress.js", "memory.js", "front.js", "hub_overview.js", "hub_marks.js", "fsrs/ts-fsrs-5.4.2.js")
FRONT = """# Book

::::{front-doors}
:::{front-door} Revise
All of it.

{doc}`Begin <r/hubs>`
:::
::::

## Chapters

:::{chapter-gallery}
:::

```{toctree}
chapters/clustering/kmeans
chapters/clustering/gmm
r/hubs
r/today
r/hub/kmeans
r/hub/gmm
```
"""
PAGES = {"front": "index.html", "chapter": "chapters/clustering/kmeans.html"}
PAGES |= {"overview": "r/hubs.html", "hub": "r/hub/kmeans.html"}
MARK = "machine-learning-derived.mark."
FAILING = """{{ const {name} = Storage.prototype.{name};
Storage.prototype.{name} = function (key, ...more) {{
  if (/quiz|derived/.test(key)) throw new DOMException("no", "{error}");
  return {name}.call(this, key, ...more);
}}; }}"""  # the theme keeps something, too
FULL = FAILING.format(name="setItem", error="QuotaExceededError")
BLOCKED = FULL + FAILING.format(name="getItem", error="SecurityError")


@pytest.fixture(scope="module")
def address(shared_book, notebook_code):
    """A small book with the theme, served."""
    extensions = ["katex_math", "sphinx_exercise", "sphinx_book_theme", "theme_repairs", "offline_site"]
    extensions += ["chapter_role", "revision_pages", "front_page", "hub_overview", "today"]
    options = {"navbar_persistent": [], "show_navbar_depth": 0}
    book = shared_book(extensions, html_theme="sphinx_book_theme", html_theme_options=options, root_doc="front")
    book.config["html_css_files"] = [*STYLES]
    (book.root / "intro.md").unlink()
    book.write("front.md", FRONT)
    for name in (*STYLES, *SCRIPTS):
        book.write(f"static/{name}", (STATIC / name).read_text(encoding="utf-8"))
    first, last = KMEANS.replace("ROUTE", ROUTE).split("CELL")
    more = ":::{true-false} It grows.\n:label: kmeans-tf-2\n:answer: false\nNever.\n:::\n"
    book.notebook("chapters/clustering/kmeans.ipynb", first, notebook_code("1", "1\n"), last, more, minutes=60)
    book.write("chapters/clustering/gmm.md", GMM)
    book.write("r/hubs.md", "# Hubs\n\n:::{hub-overview}\n:::\n")
    book.write("r/today.md", "# Today\n\n:::{today}\n:::\n")
    book.write("r/hub/kmeans.md", "# One\n\n:::{chapter-hub} kmeans\n:::\n")
    book.write("r/hub/gmm.md", "# Two\n\n:::{chapter-hub} gmm\n:::\n")
    book.build()
    with serve(book.root / "out/html") as root:
        yield root


@pytest.fixture(scope="module")
def chromium():
    with browser(find_chromium()) as running:
        yield running


@pytest.fixture
def tab(chromium, address):
    """Open a page in a tab of one browser; a script error fails the test."""
    with contextlib.closing(chromium.new_context(viewport={"width": 1200, "height": 900})) as context:
        errors = []

        def opened(name, script=""):
            page = context.new_page()
            page.set_default_timeout(5000)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.add_init_script(script)
            page.goto(address + PAGES[name])
            return page

        yield opened
        assert not errors


def marks(page):
    return page.evaluate("() => Object.keys(localStorage).filter((key) => key.includes('.mark.')).sort()")


def pressed(page):
    """The marks that are set."""
    return page.locator(".hub-mark[aria-pressed=true]").evaluate_all("all => all.map((one) => one.id).sort()")


def test_two_tabs_answer_questions_and_both_are_kept(tab):
    one, other = tab("chapter"), tab("chapter")
    one.locator("label[for=kmeans-tf-1-true]").click()
    other.wait_for_selector("#kmeans-tf-1-true:checked")
    other.locator("label[for=kmeans-tf-2-true]").click()
    one.wait_for_selector("#kmeans-tf-2-true:checked")
    told = "2 of 2 answered, 1 right at the first try."
    assert told in one.locator(".quiz-score").inner_text()
    one.reload()
    assert told in one.locator(".quiz-score").inner_text()
    one.get_by_role("button", name="Start again").click()
    other.wait_for_function("!document.querySelector('.quiz-input:checked')")
    other.locator("label[for=kmeans-tf-2-false]").click()  # a tab that knew more does not bring it back
    assert list(json.loads(one.evaluate("localStorage.getItem('book-quiz')"))) == ["kmeans-tf-2"]


def test_an_answer_in_a_tab_that_hears_nothing_takes_nothing_away(tab):
    deaf = tab("chapter", "addEventListener('storage', (event) => event.stopImmediatePropagation(), true)")
    tab("chapter").locator("label[for=kmeans-tf-1-true]").click()
    deaf.locator("label[for=kmeans-tf-2-true]").click()
    assert set(json.loads(deaf.evaluate("localStorage.getItem('book-quiz')"))) == {"kmeans-tf-1", "kmeans-tf-2"}


@pytest.mark.parametrize("script", [FULL, BLOCKED], ids=["full", "blocked"])
def test_answers_last_as_long_as_the_page_without_storage(tab, script):
    page = tab("chapter", script)
    for name in ("kmeans-tf-1-true", "kmeans-tf-2-false"):
        page.locator(f"label[for={name}]").click()
    assert "2 of 2 answered, 2 right" in page.locator(".quiz-score").inner_text()


def test_marks_by_keyboard_and_in_two_tabs(tab):
    one, other = tab("hub"), tab("hub")
    button = one.get_by_role("button", name="Known Steps")
    button.focus()
    one.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    assert one.locator(".hub-count").all_inner_texts() == ["1 of 2 known", "0 of 2 done", "0 of 1 known"]
    other.wait_for_selector("#mark-kmeans-must-know-steps[aria-pressed=true]")
    other.get_by_role("button", name="Done Eight").click()
    both = ["mark-kmeans-ex-eight", "mark-kmeans-must-know-steps"]
    one.wait_for_selector("#mark-kmeans-ex-eight[aria-pressed=true]")
    one.reload()
    assert pressed(one) == both
    button.focus()
    one.keyboard.press("Space")
    assert marks(one) == [f"{MARK}kmeans-ex-eight"]


def test_a_mark_does_not_open_the_card(tab):
    page = tab("hub")
    page.get_by_role("button", name="Known Steps").click()
    assert page.locator("details[open]").count() == 0


@pytest.mark.parametrize("script", [FULL, BLOCKED], ids=["full", "blocked"])
def test_marks_last_as_long_as_the_page_without_storage(tab, script):
    page = tab("hub", script)
    button = page.get_by_role("button", name="Known Steps")
    button.click()
    assert pressed(page) == ["mark-kmeans-must-know-steps"]
    button.click()
    assert pressed(page) == []


def scheduled(page):
    """What comes back: ratings, and whether the library has computed the day."""
    items = page.evaluate("bookProgress.items(bookProgress.browser)")
    return {
        name: ([answer[1] for answer in item["answers"]], item["memory"] is not None) for name, item in items.items()
    }


def test_a_question_that_is_answered_and_a_card_that_is_known_come_back(tab):
    chapter, hub = tab("chapter"), tab("hub")
    chapter.locator("label[for=kmeans-tf-1-true]").click()
    chapter.locator("label[for=kmeans-tf-2-true]").click()
    chapter.locator("label[for=kmeans-tf-2-false]").click()  # after the answer was shown it proves nothing
    hub.get_by_role("button", name="Known Steps").click()
    hub.get_by_role("button", name="Done Eight").click()
    known = {"statement:kmeans-tf-1": ([3], True), "statement:kmeans-tf-2": ([1], True)}
    known["card:kmeans-must-know-steps"] = ([3], True)
    hub.wait_for_function("Object.values(bookProgress.items(bookProgress.browser)).every((one) => one.memory)")
    assert scheduled(hub) == known
    hub.get_by_role("button", name="Known Steps").click()
    assert scheduled(hub)["card:kmeans-must-know-steps"] == ([3, 1], True)
    chapter.get_by_role("button", name="Start again").click()
    chapter.locator("label[for=kmeans-tf-1-false]").click()
    assert scheduled(chapter)["statement:kmeans-tf-1"] == ([3, 1], True)


MULTIPLE = """<div class="quiz quiz-choice quiz-multiple" id="q-quiz-1"><p>Which?</p>{}</div>"""
OPTION = """<div class="quiz-option"><input type="checkbox" class="quiz-input" id="q-quiz-1-{0}"><div
class="quiz-feedback {1}">So.</div></div>"""


@pytest.mark.parametrize(("clicks", "ratings"), [("a", []), ("ab", [3]), ("c", [1]), ("acb", [1])])
def test_of_several_boxes_a_right_one_alone_is_no_answer_yet(chromium, tmp_path, clicks, ratings):
    options = [OPTION.format(*option) for option in (("a", "right"), ("b", "right"), ("c", "wrong"))]
    scripts = "".join(
        f"<script defer src='{STATIC / name}'></script>" for name in ("progress.js", "memory.js", "quiz.js")
    )
    (tmp_path / "page.html").write_text(
        f"<!doctype html>{scripts}{MULTIPLE.format(''.join(options))}", encoding="utf-8"
    )
    with contextlib.closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto((tmp_path / "page.html").as_uri())
        for letter in clicks:
            page.locator(f"#q-quiz-1-{letter}").click()
        assert [value[0] for value in scheduled(page).values()] == ([ratings] if ratings else [])


def titles(page):
    return page.locator(".hub-chapter:visible .hub-title").all_inner_texts()


def told(place):
    """The words of a place, whose numbers stay with what they count."""
    return place.inner_text().replace("\N{NO-BREAK SPACE}", " ")


def test_the_overview_without_and_with_what_is_kept(tab):
    overview, hub, chapter = tab("overview"), tab("hub"), tab("chapter")
    assert "2 chapters" in overview.locator(".hub-told").inner_text()
    assert not overview.locator(".hub-order").is_visible()
    assert overview.locator(".hub-next").all_inner_texts() == ["Begin with its 2 cards", "Begin with its 3 drills"]
    hub.get_by_role("button", name="Known Steps").click()
    first = overview.locator(".hub-chapter").first
    first.locator(".hub-sure").wait_for()
    assert "1 of 2 cards · 0 of 3 drills right · 0 of 1 exercise" in told(first.locator(".hub-facts"))
    assert first.locator(".hub-next").inner_text() == "Learn 1 more card"
    chapter.locator("label[for=kmeans-tf-1-true]").click()
    overview.wait_for_function("document.querySelector('.hub-facts').textContent.includes('quiz\u00a0100')")
    hub.get_by_role("button", name="Known Steps").click()
    overview.wait_for_function(
        "document.querySelector('.hub-facts').textContent.includes('0\u00a0of\u00a02\u00a0cards')"
    )


def test_the_weakest_first_and_back(tab):
    page = tab("overview")
    page.evaluate("localStorage.setItem('book-quiz', JSON.stringify({'gmm-tf-1': {checked: [], right: false}}))")
    page.evaluate(f"localStorage.setItem('{MARK}kmeans-must-know-j', '1')")
    page.reload()
    assert titles(page) == ["k-means", "Gaussian mixtures"]
    page.get_by_role("button", name="Weakest first").click()
    assert titles(page) == ["Gaussian mixtures", "k-means"]
    assert not page.get_by_role("heading", name="Clustering").is_visible()
    page.get_by_role("button", name="Order of the book").press("Enter")
    assert titles(page) == ["k-means", "Gaussian mixtures"]
    assert page.get_by_role("heading", name="Clustering").is_visible()


def test_the_front_page_says_what_has_been_done(tab):
    front, chapter = tab("front"), tab("chapter")
    facts = front.locator(".front-facts")
    assert facts.all_inner_texts() == ["60 minutes", ""]
    chapter.locator("label[for=kmeans-tf-1-false]").click()
    front.wait_for_selector(".front-done:not(:empty)")
    assert facts.all_inner_texts() == ["60 minutes · quiz 0 % so far", ""]
    chapter.get_by_role("button", name="Start again").click()
    front.wait_for_function("document.querySelector('.front-done').textContent === ''")
    assert facts.first.inner_text() == "60 minutes"


def test_the_front_page_and_the_overview_say_what_is_due(tab, address):
    front, overview = tab("front"), tab("overview")
    link = front.locator(".front-today a")
    assert not link.is_visible()
    script = "bookMemory.record(bookProgress.browser, 'card:kmeans-must-know-j', {rating: 1}, Date.now() - 3 * 864e5)"
    tab("hub").evaluate(script)
    front.get_by_text("Today: 1 thing due").wait_for()
    overview.get_by_text("1 due").wait_for()
    assert overview.locator(".hub-told a").inner_text() == "Today: 1 thing due"
    for place in (link, overview.locator(".hub-told a")):
        assert place.evaluate("link => link.href") == address + "r/today.html"


def test_the_whole_card_leads_to_the_chapter(tab, address):
    page = tab("front")
    page.locator(".front-chapter").first.locator(".front-facts").click(force=True)
    page.wait_for_url(address + PAGES["chapter"])


@pytest.mark.parametrize("name", ["front", "overview", "hub"])
@pytest.mark.parametrize("mode", ["light", "dark", "phone"])
def test_accessible_with_what_is_kept(tab, name, mode):
    page = tab(name)
    page.evaluate("localStorage.setItem('book-quiz', JSON.stringify({'kmeans-tf-1': {checked: [], right: true}}))")
    page.evaluate(f"['must-know-j', 'ex-eight'].forEach((n) => localStorage.setItem('{MARK}kmeans-' + n, '1'))")
    page.evaluate(f"localStorage.setItem('theme', '{'dark' if mode == 'dark' else 'light'}')")
    page.set_viewport_size({"width": 390 if mode == "phone" else 1200, "height": 900})
    page.reload()
    assert check_axe(name, page, mode, AllowList.read()) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
