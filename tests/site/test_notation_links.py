"""Symbols of the table of notation lead to their first use."""

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
CSS = (ROOT / "static/notation_links.css").read_text(encoding="utf-8")
EXTENSIONS = ["sphinx_design", "sphinx_proof", "sphinx_exercise", "katex_math", "notation_links"]
CHAPTERS = {
    "svm": "kernels",
    "linear_regression": "linear",
    "information": "foundations",
    "random_forest": "trees",
}
TEXT = r"""# Title of $a$

:::{admonition} You will be able to
:class: objectives
- use $a$ and $b$
:::

:::{admonition} What you need
:class: needs
$b$
:::

Text with $\mathbf{w}$ and $b^2$.

(page-why)=
## Why

:::{dropdown} Notation
:name: page-notation

| Symbol | Meaning |
|---|---|
| $a$, $b$ | a letter, not $c_n$ |
| $c_n$ | an index |
| $w$ | no bold letter |
| $d_n \in \{0, 1\}$ or $e$ | |
| $K$ | only in a sum |
| $q$ | |
| words | |
:::

## The letter $c_i$

Here $c_i$ stands.

$$
a + x_w
$$

$$
d_n = a
$$ (page-d)

:::{dropdown} Folded
Here $e$ stands, and $q$, and $c_n$.
:::

- a list with $e$
- $\sum_{k=1}^K k$
"""


@pytest.fixture(scope="module")
def book(shared_book, notebook_code):
    book = shared_book(EXTENSIONS, ["page", "other"])
    book.write("static/notation_links.css", CSS)
    book.notebook("page.ipynb", TEXT, notebook_code("1", {"text/html": "$w$"}))
    book.write("other.md", "# Other\n\n$a$\n\n| Symbol |\n|---|\n| $a$ |\n")
    return book.build()


@pytest.fixture(scope="module")
def links(book):
    """The links of the page by the formula that they stand on, and the places that they lead to."""
    page = read(book, "page")
    return {link.get_text(): (link, page.find(id=link["href"][1:])) for link in page.select("td a.first-use-link")}


def read(book, name):
    """A page with its formulas as they are written."""
    page = BeautifulSoup(book.page(name), "html.parser")
    for formula in page.select(".katex"):
        formula.string = formula.select_one("annotation").get_text()
    return page


def test_each_symbol_leads_to_its_first_use(book, links, text_of):
    assert not book.warnings
    places = {symbol: text_of(place) for symbol, (_, place) in links.items()}
    assert places == {
        "a": "a + x_w",  # neither the title nor the objectives
        "b": r"Text with \mathbf{w} and b^2 .",  # a power of it
        "c_n": "Here e stands, and q , and c_n .",  # as it is written, though another letter stands before
        "w": "a + x_w",  # only in an index
        r"d_n \in \{0, 1\}": "(1) ¶ d_n = a",  # what stands before the relation
        "e": "a list with e",  # what is in sight comes first
        "K": r"\sum_{k=1}^K k",
        "q": "Here e stands, and q , and c_n .",
    }


def test_the_link_says_where_it_leads(links):
    assert links["b"][0]["title"] == "first used in section Title of a"
    assert links["a"][0]["title"] == "first used in section The letter cᵢ"
    assert links["d_n \\in \\{0, 1\\}"][0]["href"] == "#equation-page-d"  # an id that was there


def test_places_have_one_id_each(links):
    assert links["a"][1] is links["w"][1]
    places = {place["id"]: place for _, place in links.values()}
    assert len(places) == 6
    assert all("first-use" in place["class"] for place in places.values())


def test_only_the_first_column_of_such_a_table_has_links(book):
    assert len(read(book, "page").select("a.first-use-link")) == 8
    assert not read(book, "other").select("a.first-use-link")


def test_another_index_letter_is_taken_where_the_symbol_stands_nowhere(new_book, text_of):
    book = new_book(EXTENSIONS, ["page"])
    book.write("static/notation_links.css", CSS)
    table = ":::{dropdown} Notation\n:name: page-notation\n\n| Symbol |\n|---|\n| $c_n$ |\n| $z_n$ |\n:::"
    book.write("page.md", f"# Page\n\n## Why\n\n{table}\n\n$c$\n\nOr $c_i$.\n")
    page = read(book.build(), "page")
    (link,) = page.select("a.first-use-link")
    assert text_of(page.find(id=link["href"][1:])) == "Or c_i ."


@pytest.fixture(scope="module")
def chapters(shared_book):
    book = shared_book(EXTENSIONS, list(CHAPTERS))
    book.write("static/notation_links.css", CSS)
    for stem, part in CHAPTERS.items():
        cells = json.loads((ROOT / f"chapters/{part}/{stem}.ipynb").read_text(encoding="utf-8"))["cells"]
        book.notebook(f"{stem}.ipynb", *("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"))
    return book.build()


@pytest.mark.parametrize("stem", CHAPTERS)
def test_chapters_use_the_symbols_that_they_list(chapters, stem):
    page = read(chapters, stem)
    rows = page.select(f"[id={stem.replace('_', '-')}-notation] tbody tr")
    linked = [row for row in rows if row.select_one("td:first-child a.first-use-link")]
    assert len(rows) > 5
    assert len(linked) >= 0.9 * len(rows), [row.td.get_text() for row in rows if row not in linked]


@pytest.mark.browser
@pytest.mark.parametrize("width", [1440, 390])
def test_a_link_brings_the_place_into_view_and_the_keyboard_reaches_it(book, width, tmp_path):
    from tools.site_check.browser import browser, find_chromium

    sheets = [ROOT / "static" / name for name in ("book.css", "long_pages.css", "notation_links.css")]
    page = read(book, "page")
    for link in page.select("link, script"):
        link.decompose()
    page.head.append(page.new_tag("style", string="".join(sheet.read_text(encoding="utf-8") for sheet in sheets)))
    body = page.select_one("section")
    for section in page.select("section section"):
        section.insert(1, BeautifulSoup('<div style="height: 3000px">far</div>', "html.parser"))
    for name in ("article", "main"):
        body = body.wrap(page.new_tag(name, attrs={"class": "bd-article"} if name == "article" else {}))
    (tmp_path / "page.html").write_text(str(page), encoding="utf-8")
    with browser(find_chromium()) as chromium:
        tab = chromium.new_page(viewport={"width": width, "height": 800})
        tab.goto((tmp_path / "page.html").as_uri())
        tab.click("summary")
        for number in range(8):
            link = tab.locator("a.first-use-link").nth(number)
            link.focus()
            tab.keyboard.press("Enter")
            tab.wait_for_timeout(60)
            box = tab.locator(":target").bounding_box()
            assert 70 <= box["y"] <= 760, link.get_attribute("title")
