"""Repairs for pinned extensions and themes that do not get along with each other or with HTML.

* sphinx-exercise and sphinx-proof put the body of a box into a *section* without a title whose id is the same in every
  box: duplicate ids, and a crash of sphinx-codeautolink. The body becomes a plain ``div``.
* The same id twice on a page (the boxes of unnumbered proofs, their titles): the first keeps it.
* sphinx-exercise registers visitors for ``singlehtml``, which makes Sphinx forget there all visitors registered for
  ``html``: the two tables are merged.
* What the theme's templates and the writers print so that screen readers stumble (``PAGE_REPAIRS``): a sidebar that is
  no landmark, unfolding buttons without a name, header cells without text.
* The theme's script measures all boxes that may scroll, changing one after the other, and lays out the whole page for
  each: seconds on a phone. ``wide_boxes.js`` asks for those near the screen.
* The theme's script stops where a browser forbids pages to keep anything: no search, no drawer, no dark page. It keeps
  its two words elsewhere then, as long as the page lasts.
"""

from __future__ import annotations

import re
from pathlib import Path

import written_pages
from docutils import nodes
from html_nodes import html_block
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

PAGE_REPAIRS = [
    # the sidebar becomes a landmark
    (re.compile(r'<div(?=[^>]*class="bd-sidebar-primary)(?![^>]*role=)'), '<div role="region" aria-label="Book"'),
    # the title of an unnumbered box loses the id of its box (sphinx-proof looks for it until the page is written)
    (re.compile(r'(<div class="proof[^>]* id="([^"]+)"[^>]*>\s*<p class="admonition-title") id="\2"'), r"\1"),
    # the button that unfolds a branch of the navigation gets a name
    (re.compile(r'<summary>(?=\s*<span class="toctree-toggle")'), '<summary aria-label="Pages below">'),
    # entries of a bibliography carry a deprecated role that a list must not hold
    (re.compile(r'<div role="list" class="citation-list">'), '<div class="citation-list">'),
    (re.compile(r'(<div class="citation" id="[^"]*") role="doc-biblioentry">'), r"\1>"),
    # a header cell without text becomes a plain cell
    (re.compile(r"<th((?:\s[^>]*)?)>\s*(?:<p>\s*</p>)?\s*</th>"), r"<td\1></td>"),
    # what the reader chose is asked for in vain where a browser forbids to keep anything
    (
        re.compile(
            r'(<script data-cfasync="false">\s*)(document\.documentElement\.dataset\.mode = localStorage[^<]*;)\s*<'
        ),
        r'\1try { \2 } catch { Object.assign(document.documentElement.dataset, { mode: "auto", theme: "auto" }); }<',
    ),
]
THEME_SCRIPT = "_static/scripts/pydata-sphinx-theme.js"
MEASURING = re.compile(r'"complete"===document\.readyState\?(\w+)\(\):window\.addEventListener\("load",\1\)')
DONE_INSTEAD = "0/*wide_boxes.js*/"
STORAGE = re.compile(r"\blocalStorage\.")
STORED = (
    'var themeStorage=(()=>{try{localStorage.getItem("mode");return localStorage}catch{const kept=new Map;'
    "return{getItem:(key)=>kept.get(key)??null,setItem:(key,text)=>{kept.set(key,text)}}}})();\n"
)
MEASURED = ".cell_output > .output"  # a selector of what it measures


class PlainBoxes(SphinxTransform):
    """Turn the untitled sections inside boxes into plain blocks."""

    default_priority = 500  # after sphinx-exercise has merged its gated boxes (10), before the page is collected

    def apply(self, **kwargs) -> None:
        """Replace them."""
        for section in list(self.document.findall(nodes.section)):
            if section.parent is not self.document and not isinstance(section.parent, nodes.section):
                content = html_block(
                    "", *section.children, classes=[*section["classes"], "box-content"], tag="div", html={}
                )
                section.replace_self(content)
                content["ids"] = []


def unique_ids(app, doctree) -> None:
    """Let the first element that carries an id keep it alone (titles of unnumbered boxes: see ``PAGE_REPAIRS``)."""
    seen: set[str] = set()
    for node in doctree.findall(nodes.Element):
        if node.get("ids") and not (isinstance(node, nodes.title) and node["ids"] == node.parent["ids"]):
            node["ids"] = [name for name in node["ids"] if name not in seen]
            seen.update(node["ids"])


def merge_single_page_visitors(app) -> None:
    """Give the single-page builder the visitors of the HTML builder as well."""
    handlers = app.registry.translation_handlers
    if "singlehtml" in handlers:
        handlers["singlehtml"] = {**handlers.get("html", {}), **handlers["singlehtml"]}


def repair_page(page: str) -> str:
    """Repair what templates and writers print: each pattern of ``PAGE_REPAIRS`` in turn."""
    for pattern, replacement in PAGE_REPAIRS:
        page = pattern.sub(replacement, page)
    return page


def without_measuring(script: str) -> str:
    """Take the call out of the theme's script that measures all boxes."""
    if DONE_INSTEAD in script:  # an earlier build's
        return script
    changed, times = MEASURING.subn(DONE_INSTEAD, script)
    if times != 1 or MEASURED not in script:
        raise ExtensionError(
            f"{THEME_SCRIPT} measures boxes in another way than it did: mend MEASURING of theme_repairs.py, or install "
            "the pinned theme (python3 run.py book does)"
        )
    return changed


def with_any_storage(script: str) -> str:
    """Let the theme's script do with a storage that lasts as long as the page."""
    if script.startswith(STORED):  # an earlier build's
        return script
    changed, times = STORAGE.subn("themeStorage.", script)
    if not times:
        raise ExtensionError(f"{THEME_SCRIPT} keeps its settings in another way than it did: mend STORAGE")
    return STORED + changed


def repair_script(app, exception) -> None:
    """Repair the theme's script, which each build copies anew."""
    script = Path(app.outdir) / THEME_SCRIPT
    if not exception and app.builder.format == "html" and script.is_file():
        text = without_measuring(script.read_text(encoding="utf-8"))
        script.write_text(with_any_storage(text), encoding="utf-8")


def setup(app):
    """Connect the repairs."""
    app.setup_extension("html_nodes")
    app.setup_extension("written_pages")
    written_pages.change(app, repair_page)
    app.add_transform(PlainBoxes)
    app.connect("doctree-read", unique_ids, priority=950)
    app.connect("builder-inited", merge_single_page_visitors)
    app.connect("build-finished", repair_script, priority=880)
    app.add_js_file("wide_boxes.js", loading_method="defer")
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
