"""How closely each page is looked at."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from .checked import changed_pages
from .cover import cover, kinds
from .pages import Site

START = 400_000  # bytes of HTML that take as long as opening a page


class Depth(IntEnum):
    """How closely a page is looked at; each includes those before it."""

    GLANCE = 0  # one load: what is on the page, links, requests, widths
    SAMPLE = 1  # accessibility, paper, dark mode and what a reader does, on one block of each kind
    WHOLE = 2  # the same on the whole page


def plan(site: Site, checked: Path, everything: bool) -> dict[str, Depth]:
    """Depth for each page: whole if it changed (or for all); a sample of some that have one of each kind of element.

    Parameters
    ----------
    site : Site
    checked : Path
        The list of what was checked, see ``checked.py``.
    everything : bool
        Check all pages whole, whatever the list says.
    """
    changed = set(site.pages) if everything else changed_pages(site, checked)
    kinds_of = {page: kinds(site.html(page)) for page in site.pages if not site.redirect(page)}
    seen = frozenset().union(*(kinds_of[page] for page in changed & kinds_of.keys()))
    sample = cover(kinds_of, {page: site.size(page) + START for page in kinds_of}, seen)
    return {
        page: Depth.WHOLE if page in changed else Depth.SAMPLE if page in sample else Depth.GLANCE
        for page in site.pages
    }


def effort(site: Site, page: str, depth: Depth) -> float:
    """About how long a page takes, in bytes of HTML of a page that is only glanced at."""
    return (site.size(page) + START) * (1, 2, 8)[depth]
