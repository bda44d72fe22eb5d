"""The search, asked as a reader asks it: a word in the dialog, listed queries, the keyboard, and what it all weighs."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from .browser import PageError
from .pages import Site
from .problems import Problem
from .watcher import NO_WORKER

QUERIES = Path(__file__).parents[2] / "tests/site/search_queries.yml"
RESULT = "a.book-search-result"
SHARE_FIRST = 0.9  # of the queries, a right section comes first; in all of them it is among the first three
QUERY_LIMIT, INDEX_LIMIT, CHAPTERS = 250_000, 180_000, 67  # bytes as a server packs them; of the whole book
ASK = """(query) => { const field = document.querySelector('.book-search input[type=search]');
  field.value = query; field.dispatchEvent(new Event('input')); }"""
ANSWERED = "(query) => document.querySelector('.book-search .book-search-results')?.dataset.query === query"
FOUND = f"[...document.querySelectorAll('{RESULT}')].map((link) => link.getAttribute('href'))"


class Query(NamedTuple):
    """What a reader types, and the sections that answer it."""

    text: str
    right: list[str]


def read_queries(path: Path) -> list[Query]:
    """The listed queries."""
    entries = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    return [Query(str(entry["query"]), entry["right"]) for entry in entries]


def check_search(page: Any, base: str, site: Site) -> list[Problem]:
    """A word of the title of the largest page, typed into the search field, finds that page."""
    target = site.largest
    page.goto(base + target)
    words = re.findall("[A-Za-z]{4,}", page.locator("h1").first.inner_text())
    word = max(words, key=len) if words else "the"
    page.goto(base + site.root)
    button = page.locator(".search-button:visible, .search-button__button:visible").first
    if not button.count():
        return [Problem(site.root, "search", "there is no search button")]
    try:
        button.click()
        field = page.locator("input[type=search]:visible").first
        field.fill(word)
        field.press("Enter")
        page.wait_for_url("**/search.html?*")
        page.locator(RESULT).first.wait_for()
    except PageError:
        return [Problem(site.root, "search", f"searching for {word!r} gives no result")]
    if not any(target in link for link in page.evaluate(FOUND)):
        return [Problem(site.root, "search", f"searching for {word!r} does not find {target}")]
    return []


def check_queries(page: Any, base: str, site: Site, queries: list[Query]) -> list[Problem]:
    """Ask every listed query; a right section is among the first three, and in nine of ten queries first."""
    page.goto(f"{base}search.html")
    problems, first = [], []
    for query in queries:
        try:
            page.evaluate(ASK, query.text)
            page.wait_for_function(ANSWERED, arg=query.text)
        except PageError:
            return [Problem("search.html", "search", f"{query.text!r} is not answered")]
        links = [link.removeprefix("./") for link in page.evaluate(FOUND)]
        found = [link.removeprefix("chapters/").replace(".html", "", 1) for link in links]
        problems += dead_links(site, links)
        first.append(bool(found) and found[0] in query.right)
        if not set(found[:3]) & set(query.right):
            problems.append(Problem("search.html", "search", f"{query.text!r} finds {found[:3]}, not {query.right}"))
    if sum(first) < SHARE_FIRST * len(queries):
        wrong = [query.text for query, right in zip(queries, first, strict=True) if not right]
        problems.append(Problem("search.html", "search", f"a right section is not first for {', '.join(wrong)}"))
    return problems


def dead_links(site: Site, links: list[str]) -> list[Problem]:
    """Results that lead nowhere."""
    split = [(link, *link.partition("#")[::2]) for link in links]
    dead = [link for link, name, anchor in split if name not in site.pages or anchor not in {"", *site.anchors(name)}]
    return [Problem("search.html", "search", f"a result leads to {link}, which is not there") for link in dead]


def check_keyboard(page: Any, base: str, site: Site, query: str) -> list[Problem]:
    """In the dialog: results while typing, more of them, arrow keys to one and Enter to its section; Escape closes."""
    page.goto(base + site.largest)
    dialog = page.locator("#pst-search-dialog")
    try:
        page.keyboard.press("Control+k")
        page.keyboard.type(query)
        dialog.locator(RESULT).first.wait_for()
        more = dialog.get_by_role("button", name="More results")
        if more.is_visible():
            more.press("Enter")
        dialog.locator(RESULT).first.wait_for()
        page.keyboard.press("Escape")
        dialog.wait_for(state="hidden")
        page.keyboard.press("Control+k")
        page.keyboard.press("Control+a")
        page.keyboard.type(query)
        dialog.locator(RESULT).nth(1).wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        second = dialog.locator(RESULT).nth(1).evaluate("(link) => link.href")
        page.keyboard.press("Enter")
        page.wait_for_url(second)
    except PageError as error:
        return [Problem(site.largest, "search", f"the keyboard alone does not do: {str(error).splitlines()[0]}")]
    return []


def check_query_weight(page: Any, base: str, site: Site, query: str) -> list[Problem]:
    """What the first query of a reader fetches, in a browser that has kept nothing yet."""
    context = page.context.browser.new_context()
    tab, bodies = context.new_page(), []
    tab.add_init_script(NO_WORKER)
    tab.goto(f"{base}search.html")
    tab.on("response", lambda response: bodies.append(response))
    tab.evaluate(ASK, query)
    tab.wait_for_function(ANSWERED, arg=query)
    tab.wait_for_load_state("networkidle")
    weight = sum(len(gzip.compress(response.body())) for response in bodies)
    context.close()
    if not 0 < weight < QUERY_LIMIT:
        return [Problem("search.html", "search", f"the query {query!r} fetches {weight / 1000:.0f} kB")]
    return []


def check_index_weight(site: Site) -> list[Problem]:
    """The index of the written chapters, drawn out to the whole book."""
    script = (site.folder / "_static/search/index.js").read_bytes()
    index = json.loads(script[script.index(b",") + 1 : script.rindex(b")")])
    own = {page for page, *_ in index["pages"] if re.fullmatch(r"chapters/(?!revision|appendix)\w+/\w+", page)}
    whole = len(gzip.compress(script)) * CHAPTERS / max(len(own), 1)
    if whole > INDEX_LIMIT:
        return [Problem("_static", "search", f"the index of {CHAPTERS} chapters would have {whole / 1000:.0f} kB")]
    return []


def check_whole_search(page: Any, base: str, site: Site, queries: list[Query]) -> list[Problem]:
    """Everything about the search."""
    problems = check_search(page, base, site)
    if queries:
        problems += check_query_weight(page, base, site, queries[0].text)
        problems += check_keyboard(page, base, site, queries[0].text)
        problems += check_queries(page, base, site, queries)
        problems += check_index_weight(site)
    return problems
