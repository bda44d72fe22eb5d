"""The plan of the book and the pages that belong to no module: outline, glossary, topics, bibliography."""

from __future__ import annotations

import csv
import json
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "chapters"
README = (ROOT / "README.md").read_text(encoding="utf-8")
TASKS = {"foundations", "supervised", "unsupervised", "semi-supervised", "reinforcement"}
FRONT = {"intro": "intro", "what_is_learning": "what_is_learning", "notation": "notation", "topics": "appendix/topics"}
REQUIRED = {
    "article": {"author", "title", "journal", "volume", "pages", "year"},
    "book": {"author", "title", "publisher", "year"},
    "incollection": {"author", "title", "booktitle", "editor", "pages", "publisher", "year"},
    "inproceedings": {"author", "title", "booktitle", "pages", "publisher", "year"},
    "mastersthesis": {"author", "title", "school", "year"},
    "misc": {"author", "title", "year", "url"},
    "techreport": {"author", "title", "institution", "year"},
}


@cache
def outline():
    """The parts of the book, as written in the plan."""
    return yaml.safe_load((CHAPTERS / "outline.yml").read_text(encoding="utf-8"))


@cache
def planned():
    """Stem -> part, in book order."""
    return {chapter["stem"]: part["part"] for part in outline() for chapter in part["chapters"]}


@cache
def pages():
    """The pages in the order of the table of contents."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))

    def files(entries):
        for entry in entries:
            if "file" in entry:
                yield entry["file"]
            yield from files(entry.get("chapters", []) + entry.get("sections", []))

    return [toc["root"], *files(toc["parts"])]


@cache
def prose(page):
    """The Markdown of a page; of a notebook its Markdown cells."""
    path = ROOT / f"{page}.md"
    if path.exists():
        return path.read_text(encoding="utf-8")
    cells = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def section_labels(page):
    """Labels that stand directly above a heading, and that of the folded notation."""
    text = prose(page)
    folded = re.findall(r"^:::\{dropdown\} Notation\n:name: ([\w-]+)$", text, re.M)
    return {*re.findall(r"^\(([\w-]+)\)=\n+#+ ", text, re.M), *folded}


@cache
def bibliography():
    """Key -> (type, fields) of every entry."""
    text = (ROOT / "references.bib").read_text(encoding="utf-8")
    entries = re.findall(r"^@(\w+)\{(\S+),\n(.*?)^\}", text, re.M | re.S)
    assert len(entries) == len(re.findall(r"^@", text, re.M)), "an entry of references.bib is not closed as the others"
    return {key: (kind, dict(re.findall(r"^\s*(\w+)\s*=\s*\{(.*)", body, re.M))) for kind, key, body in entries}


def test_titles_of_sources_hold_no_formula():
    """The bibliography prints them as they are."""
    assert [key for key, (_, fields) in bibliography().items() if "$" in "".join(fields.values())] == []


def cited_keys():
    """Every key that some page cites."""
    roles = re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", "\n".join(map(prose, pages())))
    return {key.strip() for role in roles for key in role.split(",")}


def test_outline_is_complete_and_stems_are_unique():
    chapters = [chapter for part in outline() for chapter in part["chapters"]]
    assert len(chapters) == len(planned())
    for part in outline():
        assert set(part) == {"part", "title", "chapters"}
    for chapter in chapters:
        assert set(chapter) == {"stem", "title", "task"}
        assert chapter["task"] in TASKS
        assert re.fullmatch(r"[a-z]\w*", chapter["stem"])


def test_every_chapter_is_written_and_counted():
    assert [stem for stem, part in planned().items() if f"chapters/{part}/{stem}" not in pages()] == []
    said = f"{len(planned())} chapters in {len(outline())} parts"
    assert [text for text in (prose("chapters/intro"), README) if said not in " ".join(text.split())] == []
    said = f"{len(topics())} topics"
    assert [text for text in (prose("chapters/appendix/topics"), README) if said not in " ".join(text.split())] == []


def test_outline_holds_every_notebook_in_its_part():
    found = {path.stem: path.parent.name for path in CHAPTERS.glob("*/*.ipynb")}
    assert found
    assert found == {stem: planned().get(stem) for stem in found}


def test_table_of_contents_holds_every_page():
    files = [*CHAPTERS.rglob("*.ipynb"), *CHAPTERS.rglob("*.md")]
    files = [path for path in files if ".ipynb_checkpoints" not in path.parts]
    assert sorted(pages()) == sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in files)


def test_table_of_contents_is_in_book_order():
    plan = [f"chapters/{part}/{stem}" for stem, part in planned().items()]
    written = [page for page in pages() if page in plan]
    assert written == sorted(written, key=plan.index)


@pytest.mark.parametrize(("collection", "kind"), [("formula_sheet", "must-know"), ("errata", "lost-marks")])
def test_every_written_part_has_one_page_of_its_cards(collection, kind):
    """So each card stands on one page of a part; the contents show the parts, and no page shows all cards."""
    contents = f"chapters/revision/{collection}"
    written = [part for stem, part in planned().items() if f"chapters/{part}/{stem}" in pages()]
    parts = list(dict.fromkeys(written))
    assert [page for page in pages() if page.startswith(f"{contents}/")] == [f"{contents}/{part}" for part in parts]
    options = {
        page: re.findall(rf"^:::\{{card-list\}} {kind}\n(.*?)^:::$", prose(page), re.M | re.S)
        for page in pages()
        if re.search(rf"\{{card-list\}} {kind}$", prose(page), re.M)
    }
    shown = {f"{contents}/{part}": [f":part: {part}\n"] for part in parts}
    assert options == {contents: [":contents:\n"], **shown}
    titles = {part["part"]: part["title"] for part in outline()}
    for part in parts:
        assert prose(f"{contents}/{part}").splitlines()[0].endswith(f": {titles[part]}")


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        ("confusable", "do-not-confuse"),
        ("what_changes_if", "what-if"),
        ("counterexamples", "counterexample"),
        ("counting", "counting"),
        ("conventions", "convention"),
    ],
)
def test_short_cards_of_a_kind_are_on_one_page(page, kind):
    """Few or short enough for a phone; the cards are collected, never typed again."""
    shown = [name for name in pages() if f"{{card-list}} {kind}\n" in prose(name)]
    assert shown == [f"chapters/revision/{page}"]


def test_every_derivation_is_on_the_page_of_its_part_in_book_order():
    """A page of all of them is too heavy for a phone; a derivation belongs to the chapter of its first line."""
    plan, contents = planned(), "chapters/revision/derivations"
    slugs = {stem.replace("_", "-"): stem for stem in plan}
    assert "{derivation}" not in prose(contents)
    listed = [page for page in pages() if page.startswith(f"{contents}/")]
    held = []
    for page in listed:
        labels = re.findall(r"^:::\{derivation\}\n1\. `([^`]+)`", prose(page), re.M)
        assert len(labels) == prose(page).count("{derivation}") > 0, page
        stems = [slugs[max((slug for slug in slugs if label.startswith(f"{slug}-")), key=len)] for label in labels]
        assert {plan[stem] for stem in stems} == {page.rpartition("/")[2]}
        held += stems
    assert held == sorted(held, key=list(plan).index)


@pytest.mark.parametrize("page", ["chapters/what_is_learning", "chapters/notation", "chapters/revision/glossary"])
def test_chapters_named_on_the_prose_pages_are_planned(page):
    named = set(re.findall(r"\{chapter\}`(\w+)`", prose(page)))
    assert named
    assert named <= set(planned())


def glossary():
    """Pairs of term and definition."""
    body = re.search(r"```\{glossary\}\n(.*?)^```", prose("chapters/revision/glossary"), re.M | re.S).group(1)
    return [entry.split("\n", 1) for entry in body.strip().split("\n\n")]


def test_glossary_is_sorted_unique_and_bilingual():
    entries = glossary()
    keys = [(re.sub(r"[^a-z0-9 ]", "", term.casefold().replace("²", "2")), term) for term, _ in entries]
    assert len(keys) >= 70
    assert keys == sorted(set(keys))
    for term, definition in entries:
        assert definition.startswith("  "), term
        assert re.match(r"\s+[^.]*[\u4e00-\u9fff]", definition), f"{term}: no Chinese name"
        assert re.search(r" See .*\{(chapter|ref|eq)\}", definition), f"{term}: no link to where it is defined"


@cache
def topics():
    """The rows of the table of topics."""
    with open(CHAPTERS / "appendix" / "topics.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def page_of(stem):
    """The page of a chapter, or of one of the pages that belong to no part."""
    return f"chapters/{FRONT[stem]}" if stem in FRONT else f"chapters/{planned()[stem]}/{stem}"


def test_topics_are_complete():
    assert list(topics()[0]) == ["topic", "group", "chapter", "section"]
    assert len({(row["topic"], row["group"]) for row in topics()}) == len(topics()) == 422
    assert len({row["group"] for row in topics()}) == 25


def test_topics_name_chapters_of_the_book():
    for row in topics():
        assert row["chapter"] in planned() or row["chapter"] in FRONT, row


def test_topics_of_written_chapters_name_a_section_that_exists():
    seen = set()
    for row in topics():
        page = page_of(row["chapter"])
        assert row["section"] in section_labels(page), f"{row['topic']}: no section {row['section']!r} in {page}"
        seen.add(page)
    assert {"chapters/intro", "chapters/what_is_learning", "chapters/notation"} < seen


@pytest.mark.parametrize("key", sorted(bibliography()))
def test_reference_has_its_fields_and_is_cited(key):
    kind, fields = bibliography()[key]
    assert REQUIRED[kind] <= set(fields)
    assert re.fullmatch(r"(1[89]|20)\d\d", fields["year"].strip("},"))
    assert fields["year"].strip("},") in key
    assert key in cited_keys()


def test_every_citation_has_a_reference():
    assert cited_keys() <= set(bibliography())
