"""What browsers look for at the root of a site: the page for an address that leads nowhere, and the icon.

``404.html`` is a page of the book as any other. A server shows it at the address that was asked for, at any depth: the
first script on it finds the root of the site in that address (it is above the first folder of the book), so that its
links, style sheets and scripts are found. ``favicon.ico`` is for browsers that read no SVG, and for those that ask for
it without being told; ``tools/favicon.py`` makes it from ``static/favicon.svg``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import written_pages

NAME, ICON = "404", "favicon.ico"
LINKS = {  # pages, if the book has them, and what they are for
    "chapters/revision/trainer": "to practise",
    "chapters/revision/today": "what is due today",
    "chapters/revision/hub": "what to know for an exam, by chapter",
    "chapters/revision/glossary": "the terms, in English and Chinese",
}
MARK = 'class="missing-page"'
FIND_ROOT = """<script>
(() => {
  const path = location.pathname, here = path.slice(0, path.lastIndexOf("/") + 1);
  if (path.endsWith("/404.html")) return;
  const at = path.search(/\\/(?:FOLDERS)\\//);
  const root = at < 0 ? here : path.slice(0, at + 1);
  if (root !== here) document.head.append(Object.assign(document.createElement("base"), { href: root }));
})();
</script>"""


def missing_page(app) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Make the page for an address that leads nowhere."""
    if app.builder.name != "html":
        return
    first = app.config.root_doc
    lines = [f'<a href="{app.builder.get_relative_uri(NAME, first)}">The first page</a>, with all chapters']
    for page, purpose in LINKS.items():
        if page in app.env.found_docs:
            uri, title = app.builder.get_relative_uri(NAME, page), app.env.titles[page].astext()
            lines.append(f'<a href="{uri}">{title}</a>, {purpose}')
    items = "".join(f"<li><p>{line}</p></li>" for line in lines)
    body = (
        f"<section {MARK}><h1>This page is not here</h1><p>The address may be mistyped, or the page has moved. The "
        f"search finds chapters and sections by their words. Or go on from here:</p><ul>{items}</ul></section>"
    )
    yield NAME, {"title": "This page is not here", "body": body}, "page.html"


def find_root(page: str) -> str:
    """Set the script that finds the root of the site before all else on the missing page."""
    return page.replace("<head>", f"<head>{FIND_ROOT}", 1) if MARK in page else page


def add_icon(app, pagename, templatename, context, doctree) -> None:
    """Name the icon for browsers that read no SVG."""
    address = context["pathto"](f"_static/{ICON}", resource=True)
    context["metatags"] = context.get("metatags", "") + f'<link rel="icon" href="{address}" sizes="32x32"/>\n'


def copy_icon(app, exception) -> None:
    """Set the icon where browsers ask for it, and tell the missing page which folders the site has."""
    if exception or app.builder.name != "html":
        return
    out = Path(app.outdir)
    if (icon := out / "_static" / ICON).is_file():
        shutil.copyfile(icon, out / ICON)
    page = out / f"{NAME}.html"
    folders = "|".join(sorted(path.name for path in out.iterdir() if path.is_dir() and path.name[0] != "."))
    page.write_text(page.read_text(encoding="utf-8").replace("FOLDERS", folders, 1), encoding="utf-8")


def setup(app):
    """Make the page with the others; the last step comes when all folders are there."""
    app.setup_extension("written_pages")
    written_pages.change(app, find_root)
    app.connect("html-collect-pages", missing_page)
    app.connect("html-page-context", add_icon)
    app.connect("build-finished", copy_icon, priority=899)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
