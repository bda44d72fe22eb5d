"""The phrases of examiners: the page, its filter and search, and that each phrase leads to what is there."""

import json
import re
from pathlib import Path

import pytest
import yaml
from search_index import STATIC

from notes_lib import drills

ROOT = Path(__file__).resolve().parents[2]
REVISION = ROOT / "chapters/revision"
GROUPS = yaml.safe_load((REVISION / "exam_wording.yml").read_text(encoding="utf-8"))
PHRASES = [entry for group in GROUPS for entry in group["phrases"]]
TASKS = yaml.safe_load((REVISION / "task_types.yml").read_text(encoding="utf-8"))
QUERIES = yaml.safe_load((ROOT / "tests/site/search_queries.yml").read_text(encoding="utf-8"))
KMEANS = """# k-means

```{exercise} Eight points, 8 marks, 9 minutes, first
:label: kmeans-ex-eight
Assign them.
```

:::{true-false} It stops at $J$.
:label: kmeans-tf-1
:answer: true
Finitely many.
:::

:::{counting} How many $K$
:label: kmeans-counting
Two.
:::

$$
J
$$ (kmeans-objective)
"""
DERIVATIONS = """# Derivations

(derivation-kmeans)=
## Both steps

:::{derivation}
1. `kmeans-objective` State it.
:::
"""
ENTRIES = """
- group: Count
  about: Name the dimensions.
  phrases:
  - label: how-many
    phrase: how many parameters
    also: [count the parameters, number of weights]
    asks: One table at a time.
    exercises: [kmeans-ex-eight]
    drills: [k-means]
    statements: [kmeans-tf-1]
    cards: [kmeans-counting]
    derivations: [derivation-kmeans]
- group: Draw
  about: Name the axes.
  phrases:
  - {label: border, phrase: sketch the boundary, asks: An equation first., cards: [kmeans-counting, kmeans-counting]}
"""
EXTENSIONS = ("katex_math", "sphinx_exercise", "practice_labels", "quiz", "exam_cards", "derivations", "exam_wording")
PAGES = ("chapters/clustering/kmeans", "chapters/revision/kernels", "chapters/revision/wording")


def write(book, entries=ENTRIES):
    for name in ("practice_labels.css", "search.css", "search.js"):
        book.write(f"static/{name}", "")
    for name in ("chance.js", "revision.js", "revision.css"):
        book.write(f"static/{name}", (STATIC / name).read_text(encoding="utf-8"))
    book.write("chapters/clustering/kmeans.md", KMEANS)
    book.write("chapters/revision/kernels.md", DERIVATIONS)
    book.write("chapters/revision/wording.md", "# Wording\n\nAn introduction.\n\n:::{exam-wording} wording.yml\n:::\n")
    book.write("chapters/revision/wording.yml", entries)
    return book


@pytest.fixture
def book(new_book):
    return write(new_book(EXTENSIONS, PAGES))


@pytest.fixture(scope="module")
def built(shared_book):
    return write(shared_book((*EXTENSIONS, "revision_pages", "search_index"), PAGES)).build()


def plain(element):
    """The text of an element, formulas by their source."""
    for formula in element.select(".katex"):
        formula.string = formula.select_one("annotation").get_text()
    return re.sub(r"\s+", " ", element.get_text(" ")).strip()


def test_a_phrase_what_it_asks_and_where_it_leads(built):
    assert built.warnings == ""
    soup = built.soup("chapters/revision/wording")
    first = soup.select_one("#wording-how-many")
    links = [link["href"] for link in first.select("a")]
    assert [plain(line) for line in first.select("p")] == [
        "how many parameters",
        "also count the parameters · number of weights",
        "One table at a time.",
        "Exercises Eight points 8 marks · 9 min · do it first (k-means)",
        "Drills Iterations of k-means",
        "True or false It stops at J . (k-means)",
        "Cards How many K (k-means)",
        "Derivations Both steps",
    ]
    assert links == [
        "../clustering/kmeans.html#kmeans-ex-eight",
        "../clustering/kmeans.html#kmeans-tf-1",
        "../clustering/kmeans.html#kmeans-counting",
        "kernels.html#derivation-kmeans",
    ]
    for href in links:
        page, anchor = href.split("#")
        name = "chapters/" + page.removeprefix("../").removesuffix(".html")
        name = name if "clustering" in page else f"chapters/revision/{page.removesuffix('.html')}"
        assert built.soup(name).find(id=anchor), href


def test_the_groups_have_headings_and_contents(built):
    soup = built.soup("chapters/revision/wording")
    listing = soup.select_one(".wording-list")
    assert [plain(head) for head in listing.select("h2")] == ["Count", "Draw"]
    contents = [(plain(item), item.a["href"]) for item in listing.select(".card-list-contents li")]
    assert contents == [("Count (1)", "#wordings-count"), ("Draw (1)", "#wordings-draw")]
    assert all(soup.find(id=href[1:]) for _, href in contents)
    scripts = [script.get("src", "") for script in soup.select("script")]
    assert any("revision.js" in src for src in scripts)


@pytest.mark.browser
def test_the_filter_leaves_the_phrases_with_all_words_and_their_headings(built):
    from tools.site_check.browser import browser, find_chromium, serve

    with serve(built.root / "out/html") as base, browser(find_chromium()) as running:
        page = running.new_page()
        page.set_default_timeout(5000)
        page.goto(f"{base}chapters/revision/wording.html")
        page.locator(".filter input").fill("boundary sketch")
        assert page.locator(".filter-status").inner_text() == "1 of 2"
        assert page.locator(".wording:visible .wording-phrase").all_inner_texts() == ["sketch the boundary"]
        assert page.locator(".wording-list h2:visible").all_inner_texts() == ["Draw"]
        assert page.locator(".wording-about:visible").all_inner_texts() == ["Name the axes."]
        page.locator(".filter input").fill("")
        assert page.locator(".wording:visible").count() == 2


@pytest.mark.parametrize(
    ("change", "warning"),
    [
        (("[k-means]", "[k-meens]"), "did you mean k-means"),
        (("[kmeans-ex-eight]", "[kmeans-ex-nine]"), "no such place among its exercises: 'kmeans-ex-nine'"),
        (("[kmeans-tf-1]", "[kmeans-ex-eight]"), "no such place among its statements: 'kmeans-ex-eight'"),
        (("cards: [kmeans-counting]", "cards: [kmeans-tf-1]"), "no such place among its cards: 'kmeans-tf-1'"),
        (("[derivation-kmeans]", "[kmeans-counting]"), "no such place among its derivations: 'kmeans-counting'"),
        (("[kmeans-counting, kmeans-counting]", "[kmeans-counting]"), "'sketch the boundary' leads to 1 places, not 2"),
        (("asks: An equation first., ", ""), "a phrase needs asks, label, phrase"),
        (("about: Name the axes.", "why: Name the axes."), "needs group, about and phrases"),
        (("- group: Count", "- {group: Count"), "needs group, about and phrases"),
    ],
)
def test_warnings(book, change, warning):
    assert ENTRIES.count(change[0]) == 1
    assert warning in write(book, ENTRIES.replace(*change)).build().warnings


def test_the_page_follows_the_file_and_the_chapters(book):
    book.build()
    page = "chapters/revision/wording"
    book.write(f"{page}.yml", ENTRIES.replace("how many parameters", "how many numbers"))
    assert "how many numbers" in book.build().page(page)
    for old, new in (("Eight points", "Nine points"), ("How many", "So many"), ("It stops", "It ends")):
        book.write("chapters/clustering/kmeans.md", KMEANS.replace(old, new))
        assert new in book.build().page(page)
    book.write("chapters/revision/kernels.md", DERIVATIONS.replace("Both steps", "Each step"))
    assert "Each step" in book.build().page(page)


def test_the_search_knows_the_phrases_and_their_other_wordings(built):
    from py_mini_racer import MiniRacer
    from search_index import ENGINE

    script = (built.root / "out/html/_static/search/index.js").read_text(encoding="utf-8")
    data = json.loads(script[script.index(",") + 1 : script.rindex(")")])
    engine = MiniRacer()
    try:
        engine.eval("var self = globalThis;")
        for name in ENGINE:
            engine.eval((STATIC / name).read_text(encoding="utf-8").replace("const Book", "var Book"))
        engine.eval(f"var data = {json.dumps(data)}; var search = BookSearch.load(data);")
        for query, anchor in {
            "how many parameters": "wording-how-many",
            "number of weights": "wording-how-many",
            "sketch the boundary": "wording-border",
        }.items():
            asked = f"JSON.stringify(BookSearch.ask(search, data.units, {json.dumps(query)}, []))"
            best = json.loads(engine.eval(asked))[0]["id"]
            assert data["units"][best][1] == anchor
    finally:
        engine.close()


# -- the phrases of the book -----------------------------------------------------------------------------------------


def sources():
    """The text of all chapters."""
    for path in sorted(ROOT.glob("chapters/*/*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


@pytest.fixture(scope="module")
def places():
    """The labels of the book by their kind."""
    text = "\n".join(sources())
    derived = "\n".join(path.read_text(encoding="utf-8") for path in sorted(REVISION.glob("derivations/*.md")))
    named = re.findall(r"^:class: (\S+)[^\n]*\n:name: (\S+)", text, re.MULTILINE)
    return {
        "exercises": set(re.findall(r"^:label: (\S+)", text, re.MULTILINE)),
        "statements": {name for kind, name in named if kind.startswith("statement-")},
        "cards": {name for kind, name in named if not kind.startswith(("statement-", "quiz", "note"))},
        "derivations": set(re.findall(r"^\((derivation-\S+)\)=", derived, re.MULTILINE)),
        "drills": set(drills.topics()),
    }


def test_there_are_phrases_of_each_kind():
    assert [group["group"] for group in GROUPS] == [
        *("Compute", "Derive", "Decide", "Draw"),
        *("Compare", "Count", "Change", "Reason"),
    ]
    assert len(PHRASES) >= 60
    assert min(len(group["phrases"]) for group in GROUPS) >= 5
    for key in ("label", "phrase"):
        assert len({entry[key] for entry in PHRASES}) == len(PHRASES)
    wordings = [text for entry in PHRASES for text in (entry["phrase"], *entry.get("also", []))]
    assert len(set(wordings)) == len(wordings)
    assert all(re.fullmatch("[a-z-]+", entry["label"]) for entry in PHRASES)


@pytest.mark.parametrize("entry", PHRASES, ids=lambda entry: entry["label"])
def test_each_phrase_leads_to_what_is_there(entry, places):
    found = [(kind, label) for kind in places for label in entry.get(kind, [])]
    assert len(set(found)) == len(found) >= 2
    assert [(kind, label) for kind, label in found if label not in places[kind]] == []


@pytest.mark.parametrize("number", range(1, 41))
def test_each_of_the_forty_types_of_task_has_something_to_practise(number, places):
    (entry,) = [entry for entry in TASKS if entry.get("type") == number]
    own = [label for kind in ("exercises", "drills") for label in entry.get(kind, [])]
    assert all(label in places[kind] for kind in ("exercises", "drills") for label in entry.get(kind, []))
    assert len(set(own)) >= 3 or (entry.get("statements") == "all" and len(places["statements"]) >= 3)


def test_no_other_task_claims_to_be_one_of_the_forty():
    assert sorted(entry["type"] for entry in TASKS if "type" in entry) == [*range(1, 41)]


def test_phrases_stand_among_the_queries_of_the_search():
    asked = {entry["query"]: entry["right"] for entry in QUERIES}
    wordings = {text: entry for entry in PHRASES for text in (entry["phrase"], *entry.get("also", []))}
    own = set(asked) & set(wordings)
    assert len(own) >= 25
    for query in own:
        assert f"revision/exam_wording#wording-{wordings[query]['label']}" in asked[query]
