"""Checks as a chip: one folded line for what display.check prints, whatever else the cell shows."""

from pathlib import Path

import pytest

from notes_lib.display import check

STATIC = Path(__file__).resolve().parents[2] / "static"
CHAPTER = "chapters/clustering/kmeans"
LOST = ":::{admonition} It may grow\n:class: lost-marks\n:name: kmeans-lost-marks-grows\nIt cannot.\n:::\n"
CHECK = "sum: 3 = 3 (equal to 1e-10)\n"
MANY = "all of them: 150 x 3 numbers agree (equal to 1e-05)\n"


def tagged(cell, *tags):
    return cell | {"metadata": {"tags": list(tags)}}


@pytest.fixture(scope="module")
def book(shared_book, notebook_code):
    extensions = ["katex_math", "chapter_role", "exam_cards", "quiz", "lab_boxes", "code_view", "check_chips"]
    made = shared_book([*extensions, "sphinx_book_theme"], [CHAPTER, "mistakes"], html_theme="sphinx_book_theme")
    made.write("static/code_view.css", (STATIC / "code_view.css").read_text(encoding="utf-8"))
    made.write("static/code_view.js", (STATIC / "code_view.js").read_text(encoding="utf-8"))
    cell = notebook_code
    made.notebook(
        f"{CHAPTER}.ipynb",
        "# Page\n",
        tagged(cell("only()", CHECK + MANY), "hide-input"),
        tagged(cell("assert mixed()\ndef f():\n    assert 0", f"before\n{CHECK}after\n"), "hide-input"),
        tagged(cell("listed()", CHECK), "listing"),
        tagged(cell("assert silent()"), "hide-input"),
        tagged(cell("x = nothing"), "hide-input"),
        tagged(cell("said()", "sum: 3 = 3, and no more\n"), "hide-input"),
        LOST,
        tagged(cell("refuted()", CHECK), "hide-input"),
        minutes=5,
        prerequisites=[],
    )
    made.write("mistakes.md", "# Mistakes\n\n:::{card-list} lost-marks\n:::\n")
    made.build()
    assert "WARNING" not in made.warnings, made.warnings
    return made


def cell_with(book, code):
    return next(cell for cell in book.soup(CHAPTER).select("div.cell") if code in cell.get_text())


def test_a_line_of_check_is_known_by_its_form(capsys):
    from check_chips import split

    check("two sides", [1.5, 2.0], [1.5, 2.0])
    check("many", range(9), range(9), tol=1e-5)
    check("a scale: 1, 2", 1.0, 1.0, tol=0.02)
    printed = capsys.readouterr().out
    assert split(printed) == (printed.strip().split("\n"), [])


def test_a_cell_of_checks_is_one_fold_with_lines_and_code(book):
    cell = cell_with(book, "only()")
    (fold,) = cell.select("details")
    assert fold["class"] == ["check-chip", "with-code"]
    assert not fold.has_attr("open")
    assert fold.select_one("summary").get_text() == "✓ 2 identities hold on numbers"
    assert [block.get_text().strip() for block in fold.select("pre")] == ["only()", (CHECK + MANY).strip()]


def test_what_else_a_cell_prints_stays_open_and_its_order(book):
    cell = cell_with(book, "mixed()")
    code, fold = cell.select("details")
    assert code.select_one("summary").get_text() == "Code"
    assert fold.select_one("summary").get_text() == "✓ 1 identity and 1 claim hold on numbers"
    assert fold.select_one("pre").get_text().strip() == CHECK.strip()
    assert cell.select_one(".cell_output > .output pre").get_text() == "before\nafter\n"


def test_a_listing_stays_open(book):
    cell = cell_with(book, "listed()")
    assert [fold["class"] for fold in cell.select("details")] == [["check-chip"]]
    assert cell.select_one(":scope > .cell_input") is not None


def test_silent_claims_are_counted_and_silence_is_not(book):
    assert (
        cell_with(book, "silent()").select_one("details.with-code summary").get_text() == "✓ 1 claim holds on numbers"
    )
    assert not cell_with(book, "x = nothing").select(".check-chip")
    assert not cell_with(book, "said()").select(".check-chip")


def test_evidence_on_a_collected_page_is_a_chip_too(book):
    evidence = book.soup("mistakes").select_one(".exam-card-evidence")
    assert evidence.select_one("details.check-chip summary").get_text() == "✓ 1 identity holds on numbers"


@pytest.fixture(scope="module")
def chromium():
    from tools.site_check.browser import browser, find_chromium

    with browser(find_chromium()) as running:
        yield running


@pytest.mark.browser
def test_the_switch_opens_chips_with_code_and_paper_shows_the_chip_alone(book, chromium):
    context = chromium.new_context()
    page = context.new_page()
    page.goto((book.root / f"out/html/{CHAPTER}.html").as_uri())
    line = page.get_by_text("150 x 3 numbers")
    assert not line.is_visible()
    page.emulate_media(media="print")
    assert not line.is_visible()
    assert page.get_by_text("2 identities").is_visible()
    page.emulate_media(media="screen")
    page.locator(".code-switch").click()
    assert line.is_visible()
    assert page.locator(".check-chip.with-code").evaluate_all("all => all.every(chip => chip.open)")
    context.close()
