"""The search of the book: an index of its sections, made while the site is built, and the page that shows the results.

Sphinx's own index knows pages and no sections, lists what it finds by its title, and fetches whole pages for excerpts.
Here MiniSearch makes the index (in V8, by the rules of ``search_terms.js`` and ``search_engine.js``, which the pages
use too) and ``search.js`` asks it. All is in scripts, so that it works without a server:

* ``_static/search/index.js``: the titles of all sections and the index of these and of names, loaded at the first key;
* ``_static/search/words-<letters>.js``: the index of the words in texts that begin so, as a query needs it;
* ``_static/search/<page>.js``: the text of a page's sections, loaded when one of them is a result.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import book_outline
import page_store
import written_pages
from katex_math import source_of
from readable_math import readable
from search_units import Entry, Unit, entries, units

UNITS, ENTRIES, FOLDER = "sections to search", "entries of the glossary", "_static/search"
STATIC = Path(__file__).resolve().parents[1] / "static"
ENGINE = ("minisearch/minisearch-7.2.0.js", "search_terms.js", "search_engine.js")
SPHINX_SEARCH = re.compile(r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"[^>]*></script>')
SEARCH_PAGE = """
<div class="book-search">
  <h1>Search</h1>
  <noscript><p>The search needs JavaScript. Without it, the <a href="genindex.html">index</a> and the
  <a href="chapters/revision/glossary.html">glossary</a> list the terms of the book.</p></noscript>
  <form class="book-search-form" role="search" action="#" method="get">
    <input type="search" class="form-control" name="q" aria-label="Search the book" placeholder="Search the book"
      autocomplete="off" autocorrect="off" autocapitalize="off" spellcheck="false"/>
  </form>
</div>
"""


def collect(app, document) -> None:
    """Keep the sections of a page, and what the glossary says."""
    if app.builder.format != "html":
        return
    env, memory = app.env, {}
    app.katex.render_tree(document)

    def formula(node) -> str:
        key = source_of(node)
        if key not in memory:
            memory[key] = readable(app.katex.render(*key)[0])
        return memory[key]

    places = env.get_domain("std").anonlabels.items()
    labels = {name for name, (page, anchor) in places if page == env.docname and name == anchor}
    for unit in units(document, env.docname, labels, formula):
        page_store.keep(env, UNITS, unit)
    for entry in entries(document):
        page_store.keep(env, ENTRIES, entry)


def found_units(env) -> list[tuple[str, Unit]]:
    """All sections with their pages, in the order of the book."""
    kept = page_store.kept(env, UNITS)
    return [(page, unit) for page in page_store.reading_order(env) for unit in kept.get(page, [])]


def terms(env, sections: list[tuple[str, Unit]]) -> list[str]:
    """What the glossary calls each section: the names of the entries that link to it."""
    place = {(page, name): n for n, (page, unit) in reversed([*enumerate(sections)]) for name in unit.ids}
    place |= {(page, unit.anchor): n for n, (page, unit) in enumerate(sections)}  # itself, not the section around it
    top = {page: n for n, (page, unit) in enumerate(sections) if not unit.anchor}
    names: list[list[str]] = [[] for _ in sections]
    for entry in (entry for page in page_store.kept(env, ENTRIES).values() for entry in page):
        for target in targets(env, entry):
            n = top.get(target) if isinstance(target, str) else place.get(target)
            if n is not None and entry.names not in names[n]:
                names[n].append(entry.names)
    return [" · ".join(found) for found in names]


def targets(env, entry: Entry) -> Iterator[Any]:
    """Where an entry of the glossary links to: pages, or places of pages."""
    labels = env.get_domain("std").anonlabels
    for kind, name in entry.links:
        target = book_outline.page_of(env, name) if kind == "chapter" else labels.get(name)
        if target:
            yield target


def searched(unit: Unit, names: str) -> dict[str, str]:
    """A section as MiniSearch gets it; ``names`` are also searched as wholes."""
    whole = " · ".join(filter(None, [unit.title, names]))
    return {"names": whole, "title": unit.title, "terms": names, "heads": unit.heads, "text": unit.words}


def make_index(documents: list[dict[str, str]]) -> dict[str, Any]:
    """Let MiniSearch make the index, in an engine of its own: it is closed at once (see ``katex_math``)."""
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    try:
        engine.eval("var self = globalThis;")
        for script in ENGINE:
            source = (STATIC / script).read_text(encoding="utf-8")
            engine.eval(source.replace("const Book", "var Book"))  # what one evaluation declares, the next one sees
        return json.loads(str(engine.eval(f"BookSearch.make({json.dumps(documents)})")))
    finally:
        engine.close()


def write_script(path: Path, name: str, value: object) -> str:
    """Write a script that hands a value to ``search.js``; returns a digest of it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"bookSearchData({json.dumps(name)},{text});\n", encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def write_index(app, exception) -> None:
    """Write the index and the texts of all pages."""
    if exception or app.builder.format != "html":
        return
    env, folder = app.env, Path(app.outdir) / FOLDER
    for old in folder.glob("*.js"):
        old.unlink()
    sections = found_units(env)
    names = terms(env, sections)
    pages: list[list[Any]] = []
    for page in dict.fromkeys(page for page, _ in sections):
        own = [n for n, (of, _) in enumerate(sections) if of == page]
        texts = [[sections[n][1].text, names[n]] for n in own]
        digest = write_script(folder / f"{page.replace('/', '-')}.js", page, texts)
        pages.append([page, book_outline.page_title(env, page), digest, own[0]])
    number = {page: n for n, (page, *_) in enumerate(pages)}
    shown = [[number[page], unit.anchor, unit.above, unit.title, unit.standing] for page, unit in sections]
    index = make_index([searched(unit, names[n]) for n, (_, unit) in enumerate(sections)])
    parts = {
        name: write_script(folder / f"words-{name}.js", f"words-{name}", text) for name, text in index["parts"].items()
    }
    index["parts"] = parts
    write_script(folder / "index.js", "index", {**index, "pages": pages, "units": shown})


def replace_sphinx_search(app) -> None:
    """Let Sphinx make neither its index nor its page."""
    if app.builder.format == "html":
        app.builder.search = False


def without_sphinx_search(page: str) -> str:
    """Take away what the theme loads on every page for Sphinx's search, asked for or not."""
    return written_pages.without(page, SPHINX_SEARCH)


def remove_sphinx_search(app, exception) -> None:
    """Delete what no page loads any more."""
    if exception or app.builder.format != "html":
        return
    for name in ("searchtools.js", "language_data.js"):
        (Path(app.outdir) / "_static" / name).unlink(missing_ok=True)


def search_page(app) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The page that shows the results."""
    yield "search", {"title": "Search", "body": SEARCH_PAGE}, "page.html"


def setup(app):
    """Collect while pages are read, write when all is known."""
    for extension in ("page_store", "book_outline", "katex_math", "written_pages"):
        app.setup_extension(extension)
    written_pages.change(app, without_sphinx_search)
    app.connect("builder-inited", replace_sphinx_search)
    app.connect("doctree-read", collect, priority=980)
    app.connect("html-collect-pages", search_page)
    app.connect("build-finished", write_index, priority=500)
    app.connect("build-finished", remove_sphinx_search, priority=890)
    app.add_css_file("search.css")
    app.add_js_file("search.js", loading_method="defer")
    # formulas are rendered while pages are read, which a fork cannot do (see katex_math)
    return {"version": "1", "env_version": 1, "parallel_read_safe": False, "parallel_write_safe": True}
