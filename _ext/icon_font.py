"""The icons of the theme in a font of 2 kB: those that the pages show.

The theme's icon font has 1,400 icons in 156 kB, which every page would load. ``static/fonts/icons.woff`` holds those
of ``ICONS``; ``tools/icon_font.py`` takes them out of the theme's font. An icon that a page asks for and the font does
not have stops the build.
"""

from __future__ import annotations

import re
from pathlib import Path

import written_pages
from sphinx.errors import ExtensionError

ICONS = {  # as the theme's style sheet calls them
    "angle-down": 0xF107,
    "angle-left": 0xF104,
    "angle-right": 0xF105,
    "arrow-up": 0xF062,
    "bars": 0xF0C9,
    "chevron-down": 0xF078,
    "circle-exclamation": 0xF06A,
    "circle-half-stroke": 0xF042,
    "code-branch": 0xF126,
    "download": 0xF019,
    "file": 0xF15B,
    "file-pdf": 0xF1C1,
    "list": 0xF03A,
    "magnifying-glass": 0xF002,
    "moon": 0xF186,
    "pencil": 0xF303,
    "rocket": 0xF135,
    "sun": 0xF185,
}
CLASSES = re.compile(r'class="([^"]*\bfa[sb]?[ -][^"]*)"')
NAME = re.compile(r"\bfa-(?!solid\b|lg\b|fw\b|[2-9]?x[sl]?\b)[a-z0-9-]+")
FOLDER = "_static/vendor/fontawesome"


def missing(page: str) -> set[str]:
    """The icons of a page that the font does not have."""
    shown = {name for classes in CLASSES.findall(page) for name in NAME.findall(classes)}
    return shown - {f"fa-{name}" for name in ICONS}


def check(page: str) -> str:
    """Leave a page as it is, if the font has its icons."""
    if unknown := missing(page):
        raise ExtensionError(
            f"a page shows {', '.join(sorted(unknown))}, which static/fonts/icons.woff has not: add it to ICONS in "
            "_ext/icon_font.py and run .venv/bin/python tools/icon_font.py"
        )
    return page


def remove_fonts(app, exception) -> None:
    """Delete the theme's icon fonts; no page asks for them, as ``icons.css`` comes after the theme's style sheet."""
    if exception or app.builder.format != "html":
        return
    for font in (Path(app.outdir) / FOLDER).rglob("*.*"):
        font.unlink()


def setup(app):
    """Check the written pages, and take the theme's fonts away."""
    app.setup_extension("written_pages")
    app.add_css_file("icons.css")
    written_pages.change(app, check)
    app.connect("build-finished", remove_fonts, priority=895)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
