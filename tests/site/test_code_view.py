"""Folded code: one word on the page, a switch in the header, nothing cut, and on paper what is open."""

from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "static"
LONG = "x = [" + ", ".join(str(number) for number in range(60)) + "]"


def tagged(cell, *tags):
    cell["metadata"] = {"tags": list(tags)}
    return cell


@pytest.fixture(scope="module")
def folded(shared_book, notebook_code):
    """A notebook with every kind of fold, and a page without any."""
    book = shared_book(
        ["katex_math", "code_view", "sphinx_book_theme"],
        ["page", "plain"],
        html_theme="sphinx_book_theme",
        html_css_files=["book.css"],
        nb_code_prompt_show="Show {type}",
        nb_code_prompt_hide="Hide {type}",
    )
    for name in ("code_view.css", "code_view.js", "book.css"):
        book.write(f"static/{name}", (STATIC / name).read_text(encoding="utf-8"))
    book.notebook(
        "page.ipynb",
        "# Page",
        tagged(notebook_code("import numpy"), "hide-input"),
        tagged(notebook_code(LONG, f"{'words ' * 40}\n"), "hide-input"),
        tagged(notebook_code("def plain(): ...", "listed\n"), "listing"),
        tagged(notebook_code("answer", "42\n"), "hide-cell"),
        tagged(notebook_code("output", "43\n"), "hide-output"),
    )
    book.notebook("plain.ipynb", "# Plain", tagged(notebook_code("1", "1\n"), "listing"))
    return book.build()


def test_no_warning(folded):
    assert not folded.warnings


def test_only_code_is_folded_as_code(folded):
    folds = folded.soup("page").select("details.hide")
    codes = [fold for fold in folds if "code-fold" in fold["class"]]
    assert [fold.select_one("summary").get_text() for fold in codes] == ["Code", "Code"]
    assert all(not fold.has_attr("open") and not fold.select("div.output") for fold in codes)
    assert "words words" in codes[1].find_next_sibling().get_text()  # what it shows stands outside
    others = [fold.select_one("summary").get_text(" ") for fold in folds if fold not in codes]
    assert others == ["Show content Hide content", "Show output Hide output"]
    assert not folded.soup("page").select("summary[aria-label]")  # named by what is seen


def test_the_switch_is_loaded_where_code_is_folded(folded):
    loaded = [bool(folded.soup(name).select('script[src*="code_view.js"]')) for name in ("page", "plain", "intro")]
    assert loaded == [True, False, False]


@pytest.fixture(scope="module")
def chromium():
    from tools.site_check.browser import browser, find_chromium

    with browser(find_chromium()) as running:
        yield running


def opened(context, folded, name="page"):
    page = context.new_page()
    page.goto((folded.root / f"out/html/{name}.html").as_uri())
    return page


def state(page):
    folds = page.locator("details.code-fold").evaluate_all("all => all.map(fold => fold.open)")
    return page.locator(".code-switch").inner_text(), page.locator(".code-switch").get_attribute("aria-expanded"), folds


OPEN, FOLDED = ("Code: open", "true", [True, True]), ("Code: folded", "false", [False, False])


@pytest.mark.browser
def test_the_switch_opens_and_folds_all_and_is_remembered(folded, chromium):
    context = chromium.new_context()
    page = opened(context, folded)
    assert state(page) == FOLDED
    page.locator(".code-switch").focus()
    page.keyboard.press("Enter")
    assert state(page) == OPEN
    assert page.locator(".tag_hide-cell details").get_attribute("open") is None  # an answer is no code
    assert state(opened(context, folded)) == OPEN
    page.keyboard.press("Space")
    assert state(page) == FOLDED
    page.locator("details.code-fold summary").first.click()
    assert state(page)[2] == [True, False]
    assert state(opened(context, folded)) == FOLDED
    assert opened(context, folded, "plain").locator(".code-switch").count() == 0
    context.close()


@pytest.mark.browser
def test_it_works_where_storage_is_refused(folded, chromium):
    context, errors = chromium.new_context(), []
    context.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused'); }})")
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(error.stack))
    page.goto((folded.root / "out/html/page.html").as_uri())
    page.locator(".code-switch").click()
    assert state(page) == OPEN
    assert not [error for error in errors if "code_view" in error]
    context.close()


@pytest.mark.browser
def test_without_scripts_each_fold_opens_by_itself(folded, chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = opened(context, folded)
    assert page.locator(".code-switch").count() == 0
    assert not page.get_by_text("import numpy").is_visible()
    page.locator("details.code-fold summary").first.click()
    assert page.get_by_text("import numpy").is_visible()
    context.close()


@pytest.mark.browser
def test_on_paper_stands_what_is_open(folded, chromium):
    context = chromium.new_context()
    page = opened(context, folded)
    page.locator("details.code-fold summary").nth(1).click()
    page.emulate_media(media="print")
    seen = {text: page.get_by_text(text).first.is_visible() for text in ("import numpy", "x = [", "words", "def plain")}
    assert seen == {"import numpy": False, "x = [": True, "words": True, "def plain": True}
    assert not page.locator("summary:visible, .code-switch:visible").count()
    assert page.locator(".tag_hide-cell .output").is_visible()  # answers are printed
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1440, 390])
def test_no_line_is_cut(folded, chromium, width):
    context = chromium.new_context(viewport={"width": width, "height": 800})
    page = opened(context, folded)
    page.locator(".code-switch").click()
    widths = page.locator("main pre:visible").evaluate_all("all => all.map(pre => [pre.scrollWidth, pre.clientWidth])")
    assert len(widths) >= 4
    assert all(content <= box for content, box in widths)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
