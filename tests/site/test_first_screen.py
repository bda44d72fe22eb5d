"""The first screen of a chapter: folds in a row, facts in the sidebar, one line where there is none."""

from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "static"
CHAPTER = "chapters/clustering/kmeans"
HEAD = "# k-means\n\n**Where are the groups?**\n\nIt looks for them.\n"
BOXES = """:::{admonition} You will be able to
:class: objectives
- state
:::

:::{admonition} What you need
:class: needs
- patience
:::

**Overview.** One, two.

## Why
"""
PICTURE = {"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'></svg>", "text/plain": "F"}


def folded(cell):
    return cell | {"metadata": {"tags": ["hide-input"]}}


@pytest.fixture(scope="module")
def book(shared_book, notebook_code):
    extensions = ["katex_math", "chapter_role", "exam_cards", "quiz", "lab_boxes", "code_view", "first_screen"]
    made = shared_book(
        [*extensions, "sphinx_book_theme"],
        [CHAPTER, "chapters/clustering/gmm", "plain"],
        html_theme="sphinx_book_theme",
        html_css_files=["book.css"],
    )
    for name in ("book.css", "first_screen.css", "code_view.css", "code_view.js"):
        made.write(f"static/{name}", (STATIC / name).read_text(encoding="utf-8"))
    for stem in ("kmeans", "gmm"):
        made.write(f"tests/clustering/test_{stem}.py", "")
    imports, picture = folded(notebook_code("import numpy")), folded(notebook_code("draw()", PICTURE))
    later = folded(notebook_code("x = 1"))
    made.notebook(f"{CHAPTER}.ipynb", HEAD, imports, picture, BOXES, later, prerequisites=[], minutes=5)
    made.notebook("chapters/clustering/gmm.ipynb", HEAD, picture, imports, BOXES, prerequisites=[], minutes=5)
    made.write("plain.md", "# Plain\n\n## Section\n")
    made.build()
    assert "WARNING" not in made.warnings, made.warnings
    return made


def test_the_picture_stands_before_the_folds(book):
    page = book.soup(CHAPTER)
    row = page.select_one(".chapter-folds")
    assert [fold.get_text() for fold in row.select("summary")] == [
        "What you will learn",
        "What you need",
        "Set-up code",
        "Code of the picture",
    ]
    order = page.select("article :is(h1, h2, p strong, .cell, .chapter-folds)")
    seen = [node["class"][0] if node.name == "div" else node.get_text()[:9] for node in order]
    assert seen == ["k-means#", "Where are", "cell", "chapter-folds", "cell", "cell", "Overview.", "Why#", "cell"]
    assert [cell.get_text().split()[-2:] for cell in row.select(".cell")] == [
        ["import", "numpy"],
        ["picture", "draw()"],
    ]
    assert "x = 1" not in row.get_text()


def test_code_that_stands_after_the_picture_is_found_too(book):
    row = book.soup("chapters/clustering/gmm").select_one(".chapter-folds")
    assert [fold.get_text() for fold in row.select("summary")][2:] == ["Code of the picture", "Set-up code"]


def test_the_facts_move_to_the_sidebar(book):
    page = book.soup(CHAPTER)
    assert len(page.select("dl.objectives-facts")) == 1
    assert page.select_one(".bd-sidebar-secondary dl.objectives-facts dd").get_text().strip() == "about 5 minutes"
    assert not book.soup("plain").select(".chapter-line, .chapter-folds, dl.objectives-facts")


@pytest.fixture(scope="module")
def chromium():
    from tools.site_check.browser import browser, find_chromium

    with browser(find_chromium()) as running:
        yield running


@pytest.mark.browser
@pytest.mark.parametrize(("width", "line"), [(1440, False), (390, True)])
def test_the_facts_are_seen_once(book, chromium, width, line):
    context = chromium.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto((book.root / f"out/html/{CHAPTER}.html").as_uri())
    assert page.locator(".chapter-line").is_visible() is line
    assert page.locator("dl.objectives-facts").is_visible() is not line
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tops = page.locator(".chapter-folds summary").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    assert max(tops[:2]) - min(tops[:2]) < 2  # side by side
    context.close()
