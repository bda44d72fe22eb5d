"""Editing the pages that a build has written, for what no node, template or setting reaches."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path


def edit(app, change: Callable[[str], str]) -> None:
    """Replace each HTML page that this build has written by ``change(page)``; one that stays the same is left alone."""
    for path in sorted(Path(app.outdir).rglob("*.html")):
        if path.stat().st_mtime < app.began:
            continue
        page = path.read_text(encoding="utf-8")
        changed = change(page)
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
    """Look at the clock."""
    app.connect("builder-inited", begin)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
