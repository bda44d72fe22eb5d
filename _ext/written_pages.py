"""Editing the pages that a build has written, for what no node, template or setting reaches."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path


def change(app, edit: Callable[[str], str]) -> None:
    """Let each HTML page that a build writes become ``edit(page)``; an extension says so when it is set up."""
    app.page_edits.append(edit)


def edit_pages(app, exception) -> None:
    """Read each page that this build has written once, for all edits; one that stays the same is left alone."""
    if exception or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir).rglob("*.html")):
        if path.stat().st_mtime < app.began:
            continue
        page = changed = path.read_text(encoding="utf-8")
        for edit in app.page_edits:
            changed = edit(changed)
        if changed != page:
            path.write_text(changed, encoding="utf-8")


def without(page: str, tags: re.Pattern[str]) -> str:
    """Take out some tags with the white space before them. A pattern begins with its ``<``: then it is found fast."""
    parts, end = [], 0
    for found in tags.finditer(page):
        parts.append(page[end : found.start()].rstrip())
        end = found.end()
    return "".join([*parts, page[end:]])


def begin(app) -> None:
    """Note when the build begins."""
    app.began = time.time()


def setup(app):
    """Look at the clock, and edit when every other extension has written its pages."""
    app.page_edits = []
    app.connect("builder-inited", begin)
    app.connect("build-finished", edit_pages, priority=880)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
