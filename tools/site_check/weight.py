"""How heavy a page and the static files may be."""

from __future__ import annotations

from pathlib import Path

from .pages import Site
from .problems import Problem

PAGE_LIMIT = 2_500_000  # bytes of HTML; a chapter with 300 formulas and three animations takes about 2 MB
STATIC_LIMIT = 4_000_000  # bytes of _static: style sheets, fonts and the scripts of the theme


def check_weight(site: Site) -> list[Problem]:
    """No page and no ``_static`` folder is heavier than the limits above."""
    sizes = [(page, site.size(page)) for page in site.pages]
    problems = [
        Problem(page, "weight", f"{size / 1e6:.2f} MB of HTML, the limit is {PAGE_LIMIT / 1e6:.1f} MB")
        for page, size in sizes
        if size > PAGE_LIMIT
    ]
    if (static := folder_size(site.folder / "_static")) > STATIC_LIMIT:
        problems.append(
            Problem("_static", "weight", f"{static / 1e6:.2f} MB, the limit is {STATIC_LIMIT / 1e6:.1f} MB")
        )
    return problems


def folder_size(folder: Path) -> int:
    """Bytes of all files below ``folder``."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
