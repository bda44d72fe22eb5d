"""Which pages of the table of contents make up a PDF: the whole book, a part, a page."""

from __future__ import annotations

import difflib
import re
from typing import Any, NamedTuple

# they work on a screen only, or say again what the chapters say
SCREEN_ONLY = ("chapters/revision/hub", "chapters/revision/today", "chapters/revision/trainer")
# what closes the whole book; the other pages of revision are made from the chapters, the appendix is for the screen
BACK = ("chapters/revision/formula_sheet", "chapters/revision/glossary")
BIBLIOGRAPHY = "chapters/appendix/bibliography"


class Part(NamedTuple):
    """A part of the book: the name it is asked for by, its title, its pages."""

    name: str
    title: str
    pages: tuple[str, ...]
    numbered: bool = False


class Plan(NamedTuple):
    """A PDF: its name, its title, and its parts in order."""

    name: str
    title: str
    parts: tuple[Part, ...]

    @property
    def pages(self) -> list[str]:
        """All pages in order."""
        return [page for part in self.parts for page in part.pages]


def parts_of(toc: dict[str, Any]) -> list[Part]:
    """The parts of a table of contents; a page stands before its sections.

    Examples
    --------
    >>> before = {"caption": "Before you start", "chapters": [{"file": "chapters/notation"}]}
    >>> parts_of({"parts": [before]})[0]
    Part(name='before_you_start', title='Before you start', pages=('chapters/notation',), numbered=False)
    """
    return [_part(entry) for entry in toc["parts"]]


def _part(entry: dict[str, Any]) -> Part:
    pages = tuple(page for chapter in entry["chapters"] for page in _with_sections(chapter))
    folders = pages[0].split("/")[1:-1] if pages else []
    name = folders[0] if folders else re.sub(r"\W+", "_", entry["caption"].lower())
    return Part(name, entry["caption"], pages, bool(entry.get("numbered")))


def _with_sections(entry: dict[str, Any]) -> list[str]:
    if entry["file"] in SCREEN_ONLY:
        return []
    sections = [] if entry["file"] in BACK else entry.get("sections", [])  # the formula sheet is printed with its parts
    return [entry["file"], *(page for section in sections for page in _with_sections(section))]


def whole(parts: list[Part], title: str) -> Plan:
    """The whole book: what stands before the first numbered part, the numbered parts, and what closes it."""
    numbered = [i for i, part in enumerate(parts) if part.numbered]
    body = [part for i, part in enumerate(parts) if part.numbered or i < min(numbered, default=0)]
    listed = {page for part in parts for page in part.pages}
    back = tuple(page for page in (*BACK, BIBLIOGRAPHY) if page in listed)
    return Plan("book", title, (*body, *([Part("back", "Reference", back)] if back else [])))


def chosen(toc: dict[str, Any], word: str, title: str) -> Plan:
    """The PDF that a word asks for: nothing is the whole book, else the name of a part or the last name of a page.

    What a part or page cites closes it.

    Raises
    ------
    ValueError
        If nothing has that name; the message says what is called alike.
    """
    parts = parts_of(toc)
    if not word:
        return whole(parts, title)
    found = {page.rsplit("/", 1)[-1]: Part("", "", (page,)) for part in parts for page in part.pages}
    found |= {part.name: part for part in parts}
    if word not in found:
        near = difflib.get_close_matches(word, found, n=3) or [part.name for part in parts]
        raise ValueError(f"no part or chapter is called {word!r}; there is {', '.join(near)}")
    listed = {page for part in parts for page in part.pages}
    pages = found[word].pages
    cited = (Part("", "", (BIBLIOGRAPHY,)),) if BIBLIOGRAPHY in listed - set(pages) else ()
    return Plan(word, found[word].title, (found[word], *cited))
