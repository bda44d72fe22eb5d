"""The page of all dials: what the table shows, and that each picture is there and moves where it is said to move."""

import json
import re
import shutil
from functools import cache
from pathlib import Path

import method_directions
import pytest
import yaml
from search_index import STATIC

ROOT = Path(__file__).resolve().parents[2]
BOOK = yaml.safe_load((ROOT / "chapters/revision/methods.yml").read_text(encoding="utf-8"))
DIALS = [(method, dial) for method in BOOK["methods"] for dial in method["dials"]]
SEEN = [(method, dial) for method, dial in DIALS if "picture" in dial]
OTHER = {"fig-pruning-depth": ["pruning"]}  # the depth of a tree is turned in the chapter after it
MOVING = re.compile(r"^(?:explorer|player|live)\(", re.M)


@cache
def figures():
    """The label of each figure of a chapter -> the chapter's stem."""
    found = {}
    for path in (ROOT / "chapters").glob("*/*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            name = cell["metadata"].get("mystnb", {}).get("figure", {}).get("name")
            if name:
                found[name] = path.stem
    return found


@cache
def moving_sections():
    """The label of each section that has a moving picture -> the chapter's stem."""
    found = {}
    for path in (ROOT / "chapters").glob("*/*.ipynb"):
        label = ""
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                label = [label, *re.findall(r"^\(([\w-]+)\)=\n+#+ ", source, re.M)][-1]
            elif MOVING.search(source):
                found[label] = path.stem
    return found


@pytest.mark.parametrize(
    ("method", "dial"), SEEN, ids=lambda each: each["name"].replace(" ", "-") if isinstance(each, dict) else each
)
def test_each_picture_is_one_of_the_book(method, dial):
    """A figure by its name, a moving picture by its section; in the method's chapter or that on bias and variance."""
    label = dial["picture"]
    places = figures() if method_directions.FIGURE in label else moving_sections()
    assert label in places
    assert places[label] in {method["chapter"], "bias_variance", *OTHER.get(label, [])}


def test_most_dials_have_a_picture():
    assert len(SEEN) >= 0.6 * len(DIALS)


def test_the_page_holds_the_table_and_its_label():
    text = (ROOT / "chapters/revision/directions.md").read_text(encoding="utf-8")
    assert text.startswith("(directions)=\n# ")
    assert ":::{method-directions} methods.yml\n:::" in text
    assert "  - file: chapters/revision/directions\n" in (ROOT / "_toc.yml").read_text(encoding="utf-8")


METHODS = """
letters: {N: {means: instances, typical: 100}}
tasks: {cluster: Clustering, reduce: Reduction}
methods:
- {name: Centres, chapter: kmeans, tasks: [cluster], classes: [KMeans], assumes: round, objective: distance,
   optimiser: Lloyd, fit: N, memory: N, fails: long, reads: 4,
   dials: [{name: n_clusters, bias: down, variance: up, row: groups, picture: fig-elbow},
           {name: n_init, effect: better}]}
- {name: Bells, chapter: gmm, tasks: [cluster, reduce], classes: [GaussianMixture], assumes: bells,
   objective: likelihood, optimiser: EM, fit: N, memory: N, dials: [], fails: collapse, reads: 2}
- {name: Chains, chapter: hmm, tasks: [reduce], functions: [viterbi], assumes: a chain, objective: likelihood,
   optimiser: EM, fit: N, memory: N, fails: memory, reads: 3,
   dials: [{name: tol, bias: same, variance: either, picture: stopping}]}
trees: []
"""
KMEANS = """# k-means

(fig-elbow)=
```{figure} elbow.png
The elbow.
```

(stopping)=
## Stopping

:::{admonition} Directions
:name: bias-variance-directions

Text.
:::
"""
PAGE = "# Dials\n\n:::{method-directions} methods.yml\n:::\n"
EXTENSIONS = ("katex_math", "chapter_role", "revision_pages", "method_directions")


def written(book, methods=METHODS):
    book.write("chapters/clustering/kmeans.md", KMEANS)
    book.write("chapters/clustering/gmm.md", "# gmm\n\nText.\n")
    shutil.copyfile(STATIC / "page.png", book.root / "chapters/clustering/elbow.png")
    book.write("methods.yml", methods)
    book.write("dials.md", PAGE)
    return book


@pytest.fixture(scope="module")
def book(shared_book):
    book = shared_book(EXTENSIONS, ("chapters/clustering/kmeans", "chapters/clustering/gmm", "dials"))
    for name in ("chance.js", "revision.js", "revision.css", "methods.js", "methods.css", "book.css"):
        shutil.copyfile(STATIC / name, book.root / "static" / name)
    return written(book).build()


def test_a_dial_is_a_row_beside_its_method(book, text_of):
    assert book.warnings == ""
    table = book.soup("dials").select_one("table.method-directions")
    assert text_of(table.select_one("caption")) == "3 hyper-parameters of 2 methods"
    assert [text_of(cell) for cell in table.select("thead th")] == list(method_directions.COLUMNS)
    rows = table.select("tbody tr")
    assert [[text_of(cell) for cell in row.select("td")] for row in rows] == [
        ["Task Clustering", "As it grows n_clusters", "Squared bias ↓", "Variance ↑", "To see it picture , table"],
        ["As it grows n_init", "Effect better", ""],
        ["Task Reduction", "As it grows tol", "Squared bias –", "Variance ↕", "To see it moving picture"],
    ]
    head = rows[0].select_one("th")
    assert (head["rowspan"], head.a["href"]) == ("2", "chapters/clustering/kmeans.html")
    assert [cell.get("colspan") for cell in rows[1].select("td")] == [None, "2", None]


def test_links_lead_to_the_figure_the_section_and_the_folded_table(book):
    links = {link.get_text(): link["href"] for link in book.soup("dials").select("tbody td a")}
    page = "chapters/clustering/kmeans.html"
    assert links == {
        "picture": f"{page}#fig-elbow",
        "moving picture": f"{page}#stopping",
        "table": f"{page}#bias-variance-directions",
    }
    assert "methods.js" in book.page("dials")
    assert "methods.css" in book.page("dials")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("fig-elbow", "fig-knee", "undefined label: 'fig-knee'"),
        ("reads: 4,", "reads: 4, colour: red,", "a method needs"),
    ],
)
def test_what_cannot_be_used_is_a_warning_that_names_the_page(new_book, old, new, complaint):
    book = new_book(EXTENSIONS, ("chapters/clustering/kmeans", "chapters/clustering/gmm", "dials"))
    assert old in METHODS
    written(book, METHODS.replace(old, new)).build()
    (line,) = [line for line in book.warnings.splitlines() if complaint in line]
    assert "dials.md" in line


@pytest.mark.browser
@pytest.mark.xdist_group("revision")
def test_a_task_filters_and_only_the_method_is_sorted(book):
    from tools.site_check.browser import browser, find_chromium, serve

    with serve(book.root / "out/html") as base, browser(find_chromium()) as running:
        page = running.new_page(viewport={"width": 360, "height": 700})
        page.set_default_timeout(5000)
        page.goto(base + "dials.html")
        shown = "[...document.querySelectorAll('.method')].filter((e) => e.checkVisibility())"
        names = f"{shown}.map((e) => e.querySelector('th').textContent)"
        assert page.evaluate("[...document.querySelector('#method-order').options].map((e) => e.value)") == [
            "order of the book",
            "method",
        ]
        page.get_by_label("Task").select_option("Reduction")
        assert page.evaluate(names) == ["Chains"]
        page.get_by_label("Task").select_option("all tasks")
        assert page.evaluate(names) == ["Centres", "Chains"]
        assert page.locator(".method-table").evaluate("e => e.scrollWidth <= e.parentElement.clientWidth")
