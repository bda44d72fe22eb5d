"""The pages that set methods side by side: the directive, and that each page has what a comparison needs."""

import json
import re
import shutil
from pathlib import Path

import lab_edition
import method_rows
import pytest
import yaml
from search_index import STATIC

ROOT = Path(__file__).resolve().parents[2]
REVISION = ROOT / "chapters/revision"
LIST = (REVISION / "compare.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^- \{doc\}`compare/(\w+)`: .*\?$", re.sub(r"\n {2}", " ", LIST), re.M)
PAGES = sorted((REVISION / "compare").glob("*.ipynb"))
METHODS = {
    method["name"] for method in yaml.safe_load((REVISION / "methods.yml").read_text(encoding="utf-8"))["methods"]
}
SECTIONS = ["In one table", r"One data set, (?:both|all|\w+) \w+", "Where they differ", "Three exam questions"]
TABLE = re.compile(r"^:::\{method-comparison\}(.*)\n((?::\w+:.*\n)*)((?:.*\n)*?):::$", re.M)
POINTS = re.compile(r"\{exercise(?:-start)?\} .+, (\d+) marks?, (\d+) minutes?$", re.M)


def cells_of(path):
    """The cells of a page, their sources joined."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell | {"source": "".join(cell["source"])} for cell in cells]


def prose_of(path):
    """The Markdown of a page."""
    return "\n\n".join(cell["source"] for cell in cells_of(path) if cell["cell_type"] == "markdown")


def test_the_list_names_each_page_once_in_the_order_of_the_contents():
    toc = re.findall(r"- file: chapters/revision/compare/(\w+)$", (ROOT / "_toc.yml").read_text(encoding="utf-8"), re.M)
    assert toc == LISTED
    assert len(set(LISTED)) == len(LISTED) == LIST.count("{doc}`compare/")
    assert {path.stem for path in PAGES} <= set(LISTED)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
class TestPage:
    def test_it_has_its_label_and_its_sections_in_order(self, path):
        prose = prose_of(path)
        assert prose.startswith(f"(compare-{path.stem.replace('_', '-')})=\n# ")
        heads = re.findall(r"^#+ (.*)$", prose, re.M)[1:]
        assert len(heads) == len(SECTIONS)
        assert all(re.fullmatch(wanted, head) for wanted, head in zip(SECTIONS, heads, strict=True)), heads

    def test_it_has_one_table_of_methods_that_are_there(self, path):
        ((file, options, body),) = TABLE.findall(prose_of(path))
        rows = [method_rows.split(line) for line in body.splitlines() if line.strip()]
        named = re.findall(r"^:methods: (.*)$", options, re.M)
        names = [name.strip() for name in named[0].split(";")] if named else rows.pop(0)[1:]
        assert file.strip() == ("../methods.yml" if named else "")
        assert not named or set(names) <= METHODS
        assert len(set(names)) == len(names) >= 2
        assert 4 <= len(rows) <= (8 if named else 14)
        assert {len(row) for row in rows} == {1 + len(names)}

    def test_it_has_a_picture_that_is_told_in_words_too(self, path):
        pictures = [
            cell
            for cell in cells_of(path)
            if cell["cell_type"] == "code" and any("image/png" in out.get("data", {}) for out in cell["outputs"])
        ]
        assert len(pictures) == 1
        image = pictures[0]["metadata"]["mystnb"]["image"]
        assert len(image["alt"]) > 40

    def test_it_has_three_questions_with_answers(self, path):
        prose = prose_of(path)
        prefix = f"compare-{path.stem.replace('_', '-')}-ex-"
        asked = re.findall(rf"^:label: ({prefix}[\w-]+)$", prose, re.M)
        answered = re.findall(r"^:::+\{solution(?:-start)?\} (\S+)$", prose, re.M)
        assert len(asked) == len(POINTS.findall(prose)) == 3
        assert answered == asked
        assert prose.index("## Three exam questions") < prose.index(asked[0])

    def test_marks_of_an_answer_are_those_of_its_question(self, path):
        prose = prose_of(path)
        solutions = re.split(r"^:::+\{solution(?:-start)?\} ", prose, flags=re.M)[1:]
        for (marks, minutes), solution in zip(POINTS.findall(prose), solutions, strict=True):
            answer = re.split(r"\{exercise", solution)[0]
            assert sum(map(int, re.findall(r"\((\d+) marks?\)", answer))) == int(marks)
            assert int(minutes) >= int(marks) / 2

    def test_some_line_of_an_answer_is_computed(self, path):
        assert any("check(" in cell["source"] for cell in cells_of(path) if cell["cell_type"] == "code")


# -- the directive ---------------------------------------------------------------------------------------------------

BOOK = """
letters: {N: {means: instances, typical: 100}, K: {means: clusters, typical: 3}, Z: {means: sheep, typical: 3}}
tasks: {cluster: Clustering, reduce: Reduction}
methods:
- {name: "Centres, hard", chapter: kmeans, tasks: [cluster], classes: [KMeans], assumes: round, objective: distance,
   optimiser: Lloyd, fit: "N*K", predict: "sqrt(K)", memory: "N**2", fails: long, reads: 4,
   dials: [{name: n_clusters, bias: down, variance: up}, {name: n_init, effect: better}]}
- {name: Bells, chapter: gmm, tasks: [cluster], classes: [GaussianMixture], assumes: bells, objective: likelihood,
   optimiser: EM, fit: "N*log(N)", memory: "N", dials: [], fails: collapse, reads: 2}
trees: []
"""
TWO = ":::{method-comparison} ../methods.yml\n:methods: Centres, hard; Bells\nBorder | $|x|$ | `a|b` *c*\n:::\n"
BARE = ":::{method-comparison}\n| AIC | BIC\nPenalty | 2 | $\\ln N$\nFewer is | better | better\n:::\n"


@pytest.fixture(scope="module")
def book(shared_book):
    pages = ("chapters/clustering/kmeans", "chapters/clustering/gmm", "sub/two", "bare")
    book = shared_book(("katex_math", "chapter_role", "revision_pages", "method_comparison"), pages)
    for name in ("methods.css", "book.css", "revision.css"):
        shutil.copyfile(STATIC / name, book.root / "static" / name)
    for stem in ("kmeans", "gmm"):
        book.write(f"chapters/clustering/{stem}.md", f"# {stem}\n\nText.\n")
    book.write("methods.yml", BOOK)
    book.write("sub/two.md", f"# Two\n\n{TWO}")
    book.write("bare.md", f"# Bare\n\n{BARE}")
    return book.build()


def rows_of(table, text_of):
    return {
        text_of(row.select_one("th")): [
            text_of(cell).replace("\N{NARROW NO-BREAK SPACE}", " ") for cell in row.select("td")
        ]
        for row in table.select("tbody tr")
    }


def test_a_column_a_method_and_a_row_a_property(book, text_of):
    assert book.warnings == ""
    table = book.soup("sub/two").select_one("table.method-comparison")
    heads = table.select("thead tr > *")
    assert [text_of(cell) for cell in heads] == ["", "Centres, hard", "Bells"]
    assert [cell.get("scope") for cell in heads] == [None, "col", "col"]  # an empty one is the head of nothing
    assert [link["href"] for link in table.select("thead a")] == [
        "../chapters/clustering/kmeans.html",
        "../chapters/clustering/gmm.html",
    ]
    rows = rows_of(table, text_of)
    assert list(rows) == [
        *("Task", "Assumes", "Minimises or finds", "Found by", "Border", "Cost to fit", "Cost to predict", "Memory"),
        *("As it grows", "Fails on", "Readable"),
    ]
    assert rows["Task"] == ["both Clustering"]
    assert rows["Found by"] == ["Centres, hard Lloyd", "Bells EM"]
    assert rows["Cost to predict"][1] == "Bells nothing"
    assert rows["As it grows"][0].replace(" :", ":") == ("Centres, hard n_clusters: bias ↓, variance ↑; n_init: better")
    assert rows["As it grows"][1] == "Bells no dial"
    border = table.select("tbody tr")[4].select("td")
    assert (border[1].select_one("code").get_text(), border[1].select_one("em").get_text()) == ("a|b", "c")
    assert border[0].select_one(".math")


def test_letters_that_occur_are_explained_below(book, text_of):
    assert text_of(book.soup("sub/two").select_one(".method-letters")) == "N instances · K clusters"
    assert not book.soup("bare").select_one(".method-letters")


def test_without_a_file_the_first_line_holds_the_heads(book, text_of):
    table = book.soup("bare").select_one("table.method-comparison")
    assert [text_of(cell) for cell in table.select("thead tr > *")] == ["", "AIC", "BIC"]
    assert list(rows_of(table, text_of)) == ["Penalty", "Fewer is"]
    assert rows_of(table, text_of)["Fewer is"] == ["both better"]


def test_the_style_is_loaded_where_a_table_is(book):
    assert "methods.css" in book.page("bare")
    assert "methods.css" not in book.page("chapters/clustering/gmm")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("Border | ", "", "a row is a label and 2 cells"),
        ("*c*", "| more", "a row is a label and 2 cells"),
        ("*c*", "|", "a row is a label and 2 cells"),
        ("; Bells", "; Whistles", "unknown methods: Whistles"),
        ("; Bells", "", "a comparison needs two methods"),
        (" ../methods.yml", "", "a file and :methods: that are taken from it go together"),
        ("methods.yml", "other.yml", "needs letters, tasks, methods and trees"),
        (":methods: Centres, hard; Bells\n", "", "a file and :methods: that are taken from it go together"),
    ],
)
def test_what_cannot_be_used_is_a_warning_that_names_the_page(new_book, old, new, complaint):
    book = new_book(("katex_math", "chapter_role", "method_comparison"), ("sub/two",))
    book.write("methods.yml", BOOK)
    assert old in TWO
    text = TWO.replace(old, new)
    book.write("sub/two.md", f"# Two\n\n{text}")
    book.build()
    (line,) = [line for line in book.warnings.splitlines() if complaint in line]
    assert "sub/two.md" in line


def test_bad_rows_of_the_file_are_not_compared(new_book):
    book = new_book(("katex_math", "chapter_role", "method_comparison"), ("sub/two",))
    book.write("methods.yml", BOOK.replace("reads: 2", "reads: 2, colour: red"))
    book.write("sub/two.md", f"# Two\n\n{TWO}")
    book.build()
    assert "a method needs" in book.warnings
    assert "a comparison needs two methods" in book.warnings


@pytest.mark.parametrize(
    ("line", "cells"),
    [("a | b | c", ["a", "b", "c"]), ("a | $|x|$ | `x|y`", ["a", "$|x|$", "`x|y`"]), ("| b |", ["", "b", ""])],
)
def test_bars_in_formulas_part_nothing(line, cells):
    assert method_rows.split(line) == cells


def test_jupyterlab_gets_the_rows_as_a_table():
    edition = lab_edition.closed_boxes(f"Above\n\n{TWO}\nBelow")
    table = ["|  | Centres, hard | Bells |", "| --- | --- | --- |", r"| Border | $\vert x\vert $ | `a\|b` *c* |"]
    assert edition == "\n".join(["Above", "", *table, "", "Below"])
    assert lab_edition.closed_boxes(BARE).splitlines()[0] == "|  | AIC | BIC |"


@pytest.mark.browser
@pytest.mark.xdist_group("revision")
def test_on_a_phone_a_row_is_a_card(tab):
    page, base = tab
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(base + "sub/two.html")
    labels = page.locator(".method-comparison td:not([colspan]) .method-label")
    assert labels.first.is_visible()
    assert page.locator(".method-comparison").evaluate("e => e.getBoundingClientRect().right") <= 390
    page.set_viewport_size({"width": 1000, "height": 700})
    assert not labels.first.is_visible()
    assert page.get_by_text("both", exact=True).is_visible()
    assert page.get_by_role("columnheader", name="Bells").is_visible()
