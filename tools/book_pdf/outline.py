"""Headings of a PDF: the bookmarks of the whole from those of its chapters, and its contents."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

# where a line of the contents leads to until the pages are bound; no such host can exist
HEADING = "http://heading.invalid/"


class Heading(NamedTuple):
    """A heading: its level (0 is the highest), the page it stands on (from 0), and how high it stands there."""

    title: str
    level: int
    page: int
    top: float | None = None


class Printed(NamedTuple):
    """What is known of a printed page of the site: the part it opens ("" if none), its headings, its length."""

    part: str
    headings: Sequence[Heading]
    length: int


def merged(chapters: Sequence[Printed]) -> list[Heading]:
    """The headings of all chapters in order; where parts have titles, chapters are one level below them.

    Examples
    --------
    >>> two = [Printed("Trees", [Heading("CART", 0, 0)], 9), Printed("", [Heading("Pruning", 0, 0)], 5)]
    >>> [(heading.title, heading.level, heading.page) for heading in merged(two)]
    [('Trees', 0, 0), ('CART', 1, 0), ('Pruning', 1, 9)]
    """
    deeper = int(any(chapter.part for chapter in chapters))
    found, before = [], 0
    for chapter in chapters:
        if chapter.part:
            found.append(Heading(chapter.part, 0, before))
        found += [h._replace(level=h.level + deeper, page=h.page + before) for h in chapter.headings]
        before += chapter.length
    return found


def depth_of_contents(headings: Sequence[Heading], most: int = 130) -> int:
    """How many levels the contents have, one to three: as many as fit into ``most`` lines.

    Examples
    --------
    >>> depth_of_contents([Heading("a", 0, 0), Heading("b", 1, 0), Heading("c", 1, 1)], most=2)
    1
    """
    fits = [depth for depth in (1, 2, 3) if sum(h.level < depth for h in headings) <= most]
    return max(fits, default=1)


def contents(title: str, headings: Sequence[Heading], styles: str = "") -> str:
    """The page with the title and the contents; each line leads to its heading, and says on which page it is."""
    depth = depth_of_contents(headings)
    lines = "\n".join(
        f'<p class="level-{heading.level}"><a href="{HEADING}{i}"><span>{escape(heading.title)}</span>'
        f"<span>{heading.page + 1}</span></a></p>"
        for i, heading in enumerate(headings)
        if heading.level < depth
    )
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>{styles}'
        f'<style>{STYLE}</style></head><body><article class="contents"><h1>{escape(title)}</h1>\n'
        f"{lines}\n</article></body></html>"
    )


STYLE = """
body { color: #000; background: #fff; font: 10pt/1.4 "Source Serif 4", serif; }
.contents h1 { font: 600 22pt/1.2 "Source Sans 3", sans-serif; margin: 0 0 12mm; }
.contents p { margin: 0; break-inside: avoid; }
.contents a { display: flex; gap: 4mm; justify-content: space-between; color: inherit; text-decoration: none; }
.contents .level-0 { margin-top: 3mm; font-weight: 600; break-after: avoid; }
.contents .level-1 { padding-left: 6mm; }
.contents .level-2 { padding-left: 14mm; font-size: 9pt; }
"""
