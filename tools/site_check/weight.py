"""How heavy a page and the static files may be."""

from __future__ import annotations

import gzip
from pathlib import Path

from .pages import Site
from .problems import Problem

PAGE_LIMIT = 2_500_000  # bytes of HTML; a chapter with 300 formulas takes about 2 MB
SENT_LIMIT = 180_000  # bytes of HTML as a server sends them, compressed; frames of animations are files of their own
STATIC_LIMIT = 2_500_000  # bytes of _static that do not grow with the book: style sheets, fonts, scripts
PART_LIMIT = 60_000  # compressed bytes of a file that is fetched when it is asked for
PARTS = ("drills", "search")  # folders of _static: exercises of a topic, text of a page that a search has found
INDEX = "index.js"  # of the search, which has a limit of its own


def check_weight(site: Site) -> list[Problem]:
    """No page and no ``_static`` folder is heavier than the limits above."""
    sizes = [(page, site.size(page)) for page in site.pages]
    problems = [
        Problem(page, "weight", f"{size / 1e6:.2f} MB of HTML, the limit is {PAGE_LIMIT / 1e6:.1f} MB")
        for page, size in sizes
        if size > PAGE_LIMIT
    ]
    problems += [
        Problem(page, "weight", f"{sent / 1e3:.0f} kB of compressed HTML, the limit is {SENT_LIMIT / 1e3:.0f} kB")
        for page in site.pages
        if (sent := compressed_size(site.folder / page)) > SENT_LIMIT
    ]
    folders = [site.folder / "_static" / name for name in PARTS]
    problems += [
        Problem(
            "_static", "weight", f"{path.name}: {sent / 1e3:.1f} kB compressed, the limit is {PART_LIMIT / 1e3:.0f} kB"
        )
        for folder in folders
        for path in sorted(folder.glob("*"))
        if path.name != INDEX and (sent := compressed_size(path)) > PART_LIMIT
    ]
    static = folder_size(site.folder / "_static") - sum(map(folder_size, folders))
    if static > STATIC_LIMIT:
        problems.append(
            Problem("_static", "weight", f"{static / 1e6:.2f} MB, the limit is {STATIC_LIMIT / 1e6:.1f} MB")
        )
    return problems


def compressed_size(path: Path) -> int:
    """Bytes of a file as a server sends it."""
    return len(gzip.compress(path.read_bytes(), compresslevel=6))


def folder_size(folder: Path) -> int:
    """Bytes of all files below ``folder``."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
