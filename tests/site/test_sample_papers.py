"""Sample papers in a small book: their pages, what they hold, and the list that leads to them."""

import re
from itertools import takewhile
from pathlib import Path

import pytest

from notes_lib.drills import papers, topics

PAGE = """# Mock exams

:::{sample-papers}
long 25 1
choice 9 3
:::
"""
STATIC = Path(__file__).resolve().parents[2] / "static"
NAME = "chapters/revision/mock_exams"
SAMPLES = (("long", 25, 1), ("choice", 9, 3))
PAPERS = ("papers/long-1", "papers/choice-3")
CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"


@pytest.fixture(scope="module")
def book(shared_book):
    book = shared_book(("later_builds", "sample_papers", "revision_pages"), (NAME,))
    for name in ("paper.js", "revision.css"):
        book.write(f"static/{name}", (STATIC / name).read_text(encoding="utf-8"))
    book.write(f"{NAME}.md", PAGE)
    return book.build()


def marks_of_questions(page):
    """The marks beside the headings of a page, added up."""
    return sum(float(re.search(r"\(([\d.]+) marks?\)$", head.get_text())[1]) for head in page.find_all("h2"))


def test_no_warnings(book):
    assert book.warnings == ""


def test_links_lead_to_paper_and_scheme(book):
    places = [link["href"] for link in book.soup(NAME).select("li a[href*=papers]")]
    assert places == [f"../../{paper}{end}.html" for paper in PAPERS for end in ("", "-scheme")]
    for place in places:
        assert (book.root / "out/html/chapters/revision" / place).is_file()


@pytest.mark.parametrize(("number", "paper", "minutes"), [(0, PAPERS[0], 25), (1, PAPERS[1], 9)])
def test_minutes_and_marks_of_the_list_are_those_of_the_pages(book, text_of, number, paper, minutes):
    item = [li for li in book.soup(NAME).find_all("li") if li.select("a[href*=papers]")][number]
    for end in ("", "-scheme"):
        page = book.soup(paper + end)
        total = f"{minutes} minutes, {marks_of_questions(page):g} marks."
        assert total in text_of(item)
        assert total in text_of(page)
        assert len(page.find_all("h1")) == 1


def test_answers_stand_in_the_scheme_alone(book, text_of):
    paper, scheme = (text_of(book.soup(PAPERS[1] + end)) for end in ("", "-scheme"))
    assert (paper.count("Right:"), scheme.count("Right:")) == (0, len(book.soup(PAPERS[1]).find_all("h2")))
    assert paper.count("☐") >= 6
    paper, scheme = (book.soup(PAPERS[0] + end) for end in ("", "-scheme"))
    tasks, lines = (set(map(text_of, page.find_all(["p", "li"]))) for page in (paper, scheme))
    head = {line for line in tasks & lines if line.startswith("25 minutes")}
    navigation = {text_of(item) for item in book.soup(NAME).find_all(["p", "li"])}
    assert len(head) == 1
    assert tasks & lines - navigation == head
    solutions = [
        [text_of(one) for one in head.find_next_siblings(["p", "ul", "ol", "h2"])] for head in scheme.find_all("h2")
    ]
    heads = {text_of(head) for head in scheme.find_all("h2")}
    for following in solutions:  # each question has its own solution before the next heading
        own = list(takewhile(lambda line: line not in heads, following))
        assert len([line for line in own if line not in tasks]) > 1


def test_formulas_are_set_and_tables_can_be_reached(book):
    pages = [book.soup(f"{paper}-scheme") for paper in PAPERS]
    with_formulas = ["$" in papers.paper(form, minutes, seed, topics(), CHAPTERS)[1] for form, minutes, seed in SAMPLES]
    assert [bool(page.select(".katex")) for page in pages] == with_formulas  # short answers may do without
    assert any(with_formulas)
    for page in pages:
        assert "$" not in page.get_text()
        assert all(table.parent.get("tabindex") == "0" for table in page.select("table"))


@pytest.mark.browser
def test_a_paper_prints_itself_without_the_button(book):
    from tools.site_check.browser import browser, find_chromium, serve

    with serve(book.root / "out/html") as base, browser(find_chromium()) as running:
        page = running.new_page()
        page.set_default_timeout(5000)
        page.goto(f"{base}{PAPERS[0]}.html")
        page.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")
        page.locator("h1 + p").get_by_role("button", name="Print, or save as PDF").click()
        assert page.evaluate("window.printed") == 1
        page.emulate_media(media="print")
        assert page.locator("h2:visible").count() > 0
        assert page.locator("button:visible").count() == 0


def test_a_later_build_writes_what_is_missing_and_the_same_again(book):
    path = book.root / "out/html" / f"{PAPERS[0]}.html"
    before = path.read_bytes()
    path.unlink()
    book.build()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("choise 45 3", "'choise 45 3' is not a format (long, calculations, choice, answers), minutes and a seed"),
        ("choice 45", "'choice 45' is not a format"),
        ("choice 45 -3", "'choice 45 -3' is not a format"),
        ("choice 1 3", "no question fits into minutes=1"),
        ("choice 9 3\nchoice 12 3", "there is another choice paper with seed 3"),
        ("", "list at least one paper"),
    ],
)
def test_a_bad_line_is_a_warning(new_book, lines, message):
    book = new_book(("sample_papers",), (NAME,))
    book.write(f"{NAME}.md", f"# Mock exams\n\n:::{{sample-papers}}\n{lines}\n:::\n")
    assert f"sample-papers: {message}" in book.build().warnings
    assert f"{NAME}.md:3: WARNING" in book.warnings
