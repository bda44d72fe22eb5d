"""Make the built site self-contained and light: no request leaves it, and nothing unused lies in it.

Jupyter Book and its theme bring along more than this book uses. This extension

* keeps sphinx-thebe out (its script comes from a CDN, its inline configuration stands on every page twice and throws);
* prints every script and style sheet once;
* drops the Font Awesome script (1.5 MB): a font draws every icon that the theme shows (``icon_font.py``);
* deletes source maps, translations and TrueType fonts (browsers take the woff2 files) from ``_static``;
* lets the search button be named by the text it shows (the one that shows an icon only keeps its label).
"""

from __future__ import annotations

import re
from pathlib import Path

import written_pages

UNWANTED_EXTENSION = "sphinx_thebe"
UNWANTED_FILES = ("scripts/fontawesome.js*", "**/*.map", "vendor/**/*.ttf", "sphinx-thebe.*", "locales/**/*.*")
ICON_SCRIPT = re.compile(
    r"<(?:!-- So that users can add custom icons -->\s*<)?script[^>]*scripts/fontawesome\.js[^>]*></script>"
)
SEARCH_BUTTON = re.compile(r'(<button(?=[^>]*search-button-field)[^>]*?)\s+aria-label="Search"')


def disconnect(app, config) -> None:
    """Silence the listeners of the unwanted extension, which Jupyter Book always loads."""
    for listeners in app.events.listeners.values():
        listeners[:] = [item for item in listeners if not item.handler.__module__.startswith(UNWANTED_EXTENSION)]


def prune_assets(app, pagename, templatename, context, doctree) -> None:
    """Keep the first of equal scripts, and no style sheet of the unwanted extension."""
    unique, seen = [], set()
    for script in context.get("script_files", []):
        key = getattr(script, "filename", script) or "", getattr(script, "attributes", {}).get("body")
        if key not in seen:
            seen.add(key)
            unique.append(script)
    context["script_files"] = unique
    context["css_files"] = [
        sheet for sheet in context.get("css_files", []) if "sphinx-thebe" not in str(getattr(sheet, "filename", sheet))
    ]


def clean_page(page: str) -> str:
    """Take the icon script and the misleading name of the search button out of a page."""
    return SEARCH_BUTTON.sub(r"\1", written_pages.without(page, ICON_SCRIPT))


def slim(app, exception) -> None:
    """Delete what no page asks for."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for pattern in UNWANTED_FILES:
        for path in static.glob(pattern):
            path.unlink()
    for folder in sorted((static / "locales").rglob("*"), reverse=True):
        folder.rmdir()


def setup(app):
    """Connect the steps; the last one runs after every other extension has written its files."""
    app.setup_extension("written_pages")
    written_pages.change(app, clean_page)
    app.connect("config-inited", disconnect)
    app.connect("html-page-context", prune_assets, priority=900)
    app.connect("build-finished", slim, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
