"""Editing the pages that a build has written, for what no node, template or setting reaches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def edit(folder: str | Path, change: Callable[[str], str]) -> None:
    """Replace every HTML page below ``folder`` by ``change(page)``; a page that stays the same is not written."""
    for path in sorted(Path(folder).rglob("*.html")):
        page = path.read_text(encoding="utf-8")
        changed = change(page)
        if changed != page:
            path.write_text(changed, encoding="utf-8")
