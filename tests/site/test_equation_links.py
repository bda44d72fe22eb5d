"""From equation to code to test."""

from pathlib import Path
from types import SimpleNamespace

import equation_links
import pytest

from tests.formulas import page
from tests.formulas.chapters import STEMS

KMEANS = "chapters/clustering/kmeans"


def test_labels_are_found_in_docstrings_and_marks(good_book):
    root = Path(good_book.root)
    assert equation_links.by_label(equation_links.citations(root)) == {
        "kmeans-objective": [
            "notes_lib.clustering.kmeans",
            "notes_lib.clustering.kmeans.inertia",
            "notes_lib.clustering.kmeans.KMeans.fit",
            "notes_lib.clustering.kmeans.seed",
            "notes_lib.clustering.kmeans.seeding.helper",
        ]
    }
    file = "tests/clustering/test_kmeans.py"
    assert equation_links.by_label(equation_links.marks(root)) == {
        "gmm-density": [file, f"{file}::test_inertia"],
        "kmeans-objective": [f"{file}::test_inertia", f"{file}::TestSteps::test_step"],
    }


def test_links_stand_after_the_equation(good_book):
    page = good_book.soup(KMEANS)
    line = page.select_one("div.math#equation-kmeans-objective + div.equation-links")
    codes = line.select(".equation-code")
    assert [(code.name, code.get_text(), code["title"]) for code in codes] == [
        ("a", "kmeans", "notes_lib.clustering.kmeans"),
        ("a", "inertia", "notes_lib.clustering.kmeans.inertia"),
        ("span", "KMeans.fit", "notes_lib.clustering.kmeans.KMeans.fit"),
        ("a", "seed", "notes_lib.clustering.kmeans.seed"),
        ("span", "seeding.helper", "notes_lib.clustering.kmeans.seeding.helper"),
    ]
    assert [codes[k]["href"] for k in (0, 3)] == [
        "../appendix/api.html#module-notes_lib.clustering.kmeans",
        "../appendix/api.html#notes_lib.clustering.kmeans.seed",
    ]
    tests = line.select_one("a.equation-tests")
    assert tests.get_text() == "2 tests"
    assert tests["title"].startswith("tests/clustering/test_kmeans.py::test_inertia, ")
    assert tests["href"] == "../../tests/clustering/test_kmeans.html#test_inertia"
    assert page.select_one("#equation-kmeans-unused + div.equation-links") is None


def test_table(good_book, text_of):
    page = good_book.soup("chapters/appendix/equations")
    assert [title.get_text() for title in page.select("h2.equation-table-chapter a")] == [
        "k-means",
        "Gaussian mixtures",
    ]
    row = page.find(id="equation-row-kmeans-objective").find_parent("tr")
    cells = row.select("td")
    assert cells[0].a["href"] == "../clustering/kmeans.html#equation-kmeans-objective"
    assert [text_of(cell) for cell in cells] == [
        "(1)",
        "objective",
        "kmeans , inertia , KMeans.fit , seed , seeding.helper",
        "tests/clustering/test_kmeans.py::test_inertia tests/clustering/test_kmeans.py::TestSteps::test_step",
    ]
    assert [link["href"] for link in cells[3].select("a")] == [
        "../../tests/clustering/test_kmeans.html#test_inertia",
        "../../tests/clustering/test_kmeans.html#TestSteps",
    ]
    assert text_of(page.select_one(".equation-table-note")) == "1 of 2 numbered equations have code or tests."


def broken(new_book):
    book = new_book(pages=[KMEANS, "table"])
    book.write(f"{KMEANS}.md", "# K\n\n$$\na\n$$ (kmeans-a)\n")
    book.write("table.md", "# T\n\n:::{equation-table}\n:::\n")
    return book


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("notes_lib.p.m.steps.f", "notes_lib.p.m.f"),
        ("notes_lib.p.m.steps.C.fit", "notes_lib.p.m.C.fit"),
        ("notes_lib.p.m.steps.f_of_x", None),  # it only begins alike
        ("notes_lib.p.m.steps.D.f", None),
        ("notes_lib.p.m.steps", None),
    ],
)
def test_what_a_package_exports_goes_by_its_public_name(name, public):
    assert equation_links.public_name(name, "notes_lib.p.m.steps", {"f", "C"}) == (public or name)


@pytest.mark.parametrize("table", ["objects", "modules"])
@pytest.mark.parametrize(("known", "found"), [("n.p.m.f", True), ("n.p.m.f_of_x", False), ("n.p.m.g.f", False)])
def test_an_object_is_documented_under_its_own_name(table, known, found):
    tables = {"objects": {}, "modules": {}, table: {known: SimpleNamespace(docname="api", node_id="there")}}
    env = SimpleNamespace(get_domain=lambda domain: SimpleNamespace(**tables))
    assert equation_links.documented(env, "n.p.m.f") == (("api", "there") if found else None)


def test_what_counts_as_a_citation_and_as_a_mark(tmp_path):
    library, tests = tmp_path / "notes_lib", tmp_path / "tests"
    library.mkdir()
    tests.mkdir()
    (library / "a.py").write_text(
        'async def f():\n    """See :eq:`one`, :eq:`the sum <two>`, :eq:`one` again, :eqn:`three`."""\n'
    )
    (tests / "test_a.py").write_text(
        "import pytest\n\nmarks = pytest.mark.equation('unused')\n\n\n"
        "@pytest.mark.equation('one')\n@pytest.mark.equation('one')\n@book.equation('other')\n"
        "@pytest.mark.slow\nasync def test(): ...\n"
    )
    assert equation_links.by_label(equation_links.citations(tmp_path)) == {
        "one": ["notes_lib.a.f"],
        "two": ["notes_lib.a.f"],
    }
    assert equation_links.by_label(equation_links.marks(tmp_path)) == {"one": ["tests/test_a.py::test"]}


TESTED = "import pytest\n\n\n@pytest.mark.equation('k-z-first', 'k-second')\ndef test(): ...\n"


def test_an_equation_that_is_only_tested_has_its_links_too(new_book, text_of):
    book = new_book(pages=[KMEANS, "table"])
    book.write(f"{KMEANS}.md", "# K\n\n$$\na\n$$ (k-z-first)\n\n$$\nb\n$$ (k-second)\n\n$$\nc\n$$ (k-third)\n")
    book.write("table.md", "# T\n\n:::{equation-table}\n:::\n")
    book.write("tests/test_a.py", TESTED)
    book.write("notes_lib/a.py", 'def f():\n    """See :eq:`k-second`."""\n')
    lines = book.build().soup(KMEANS).select(".equation-links")
    assert len(lines) == 2
    assert "Code" not in text_of(lines[0])
    assert "Code: f" in text_of(lines[1])
    rows = [[text_of(cell) for cell in row.select("td")] for row in book.soup("table").select("tbody tr")]
    assert [row[:3] for row in rows] == [["(1)", "k z first", ""], ["(2)", "k second", "f"]]
    assert "2 of 3 numbered equations" in book.page("table")


def test_names_become_links_when_they_are_documented(new_book):
    book = new_book(pages=[KMEANS, "other", "api"])
    book.write(f"{KMEANS}.md", "# K\n\n$$\na\n$$ (k-second)\n")
    book.write("other.md", "# O\n")
    book.write("api.md", "# API\n")
    book.write("notes_lib/a.py", 'def f():\n    """See :eq:`k-second`."""\n')
    book.write("tests/test_a.py", TESTED.replace("'k-z-first', ", ""))
    assert book.build().soup(KMEANS).select_one(".equation-code").name == "span"
    book.write("api.md", "# API\n\n```{eval-rst}\n.. py:module:: notes_lib.a\n\n.. py:function:: f()\n```\n")
    assert book.build().soup(KMEANS).select_one(".equation-code")["href"].endswith("api.html#notes_lib.a.f")


def test_warnings(new_book):
    book = broken(new_book)
    book.write("notes_lib/a.py", 'def f():\n    """See :eq:`kmeans-a` and :eq:`lost`."""\n')
    book.write("tests/test_a.py", "import pytest\nL = 'x'\n\n\n@pytest.mark.equation('gone', L)\ndef test(): ...\n")
    book.build()
    assert "notes_lib/a.py:1: WARNING: notes_lib.a.f names the equation 'lost', which no page defines" in book.warnings
    assert "test_a.py:5: WARNING: tests/test_a.py::test names the equation 'gone'" in book.warnings
    assert "pytest.mark.equation takes literal strings" in book.warnings
    assert "kmeans.md: WARNING: the equation 'kmeans-a' has code (notes_lib.a.f) but no test" in book.warnings


def test_pages_follow_the_sources(new_book, tmp_path):
    book = broken(new_book)
    book.write("notes_lib/a.py", 'def f():\n    """See :eq:`kmeans-a`."""\n')
    book.write("tests/test_a.py", "import pytest\n\n\n@pytest.mark.equation('kmeans-a')\ndef test(): ...\n")
    assert book.build().soup(KMEANS).select_one(".equation-code").get_text() == "f"
    assert not book.warnings
    book.write("notes_lib/a.py", 'def g():\n    """See :eq:`kmeans-a`."""\n')
    assert book.build().soup(KMEANS).select_one(".equation-code").get_text() == "g"
    assert "notes_lib.a.g" in book.page("table")
    book.write("notes_lib/a.py", "")
    book.write("tests/test_a.py", "")
    assert book.build().soup(KMEANS).select_one(".equation-links") is None
    assert "No equation is named" in book.page("table")


def test_plain_text(good_book):
    assert 'Code: "kmeans"' in good_book.build("text").page(KMEANS, "text")


def test_names_in_the_table_leave_the_stem_of_the_page_out(new_book, text_of):
    book = new_book(pages=["two_words", "table"])
    book.write("two_words.md", "# T\n\n$$\na\n$$ (two-words-first-step)\n")
    book.write("table.md", "# T\n\n:::{equation-table}\n:::\n")
    book.write("tests/test_a.py", TESTED.replace("'k-z-first', 'k-second'", "'two-words-first-step'"))
    row = book.build().soup("table").select("tbody tr td")
    assert [text_of(cell) for cell in row[:2]] == ["(1)", "first step"]


VALUES = 'UNREAD = {"k-second": "a limit"}\n\n\ndef instance(seed): ...\n'


def test_an_equation_that_is_executed_says_so(new_book, text_of):
    book = new_book(pages=[KMEANS, "table"])
    book.write(f"{KMEANS}.md", "# K\n\n$$\na\n$$ (k-first)\n\n$$\nb\n$$ (k-second)\n")
    book.write("table.md", "# T\n\n:::{equation-table}\n:::\n")
    book.write("tests/formulas/instances/clustering/kmeans.py", VALUES)
    book.write("tests/test_a.py", TESTED.replace("k-z-first", "k-first"))
    lines = [text_of(line) for line in book.build().soup(KMEANS).select(".equation-links")]
    assert lines == ["1 test · checked on numbers", "1 test"]
    link = book.soup(KMEANS).select(".equation-tests")[1]
    assert link["href"] == "../../tests/formulas/instances/clustering/kmeans.html"
    page = book.soup("tests/formulas/instances/clustering/kmeans")
    assert "def instance(seed)" in page.get_text()
    assert [a.get_text() for a in page.select(".test-equations > li > a:first-child")] == ["k-first"]
    assert "1 of 2 are read from the page and executed." in book.page("table")
    book.write("tests/formulas/instances/clustering/kmeans.py", "UNREAD = {}\n")
    assert len(book.build().soup(KMEANS).find_all(string="checked on numbers")) == 2


CARD = "\n:::{must-know} T\n:label: k-card%s\n%s\n:::\n"


def test_a_card_whose_formulas_are_executed_says_so(new_book):
    book = new_book(pages=[KMEANS, "copies"])
    book.write("copies.md", "# C\n\n:::{card-list} must-know\n:::\n\n:::{anki-deck} must-know\n:::\n")
    cards = ["Where $a = b$.", "Both $a = b$ and $c \\le d$.", "The symbol $a$.", "Words."]
    second = (CARD % (4, "Where $a = b$.")).replace(":label:", ":recognise:\n:label:")
    book.write(f"{KMEANS}.md", "# K\n" + "".join(CARD % pair for pair in enumerate(cards)) + second)
    book.write("tests/formulas/instances/clustering/kmeans.py", 'UNREAD = {"k-card1:2": "a bound"}\n')
    page = book.build().soup(KMEANS)
    marked = [card.select_one(".equation-links") is not None for card in page.select(".exam-card")]
    assert marked == [True, False, False, False, False]
    assert "checked on numbers" not in book.page("copies")
    book.write("tests/formulas/instances/clustering/kmeans.py", "UNREAD = {}\n")
    assert len(book.build().soup(KMEANS).select(".exam-card .equation-links")) == 2


@pytest.mark.parametrize("stem", STEMS)
def test_a_card_states_what_the_tests_execute(stem):
    """What the mark goes by is what the tests of the formulas go by."""
    text = page.markdown(f"{STEMS[stem]}/{stem}")
    executed = {key.partition(":")[0] for key in page.of_cards(text)}
    for label, card in page.CARD.findall(text):
        spans = [display or inline for display, inline in page.SPAN.findall(card)]
        assert any(map(equation_links.STATES.search, spans)) == (label in executed)
