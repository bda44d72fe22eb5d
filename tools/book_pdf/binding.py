"""Chapters that Chromium printed become one PDF: bookmarks, numbers of pages, links from chapter to chapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag

from .outline import HEADING, Heading


class Place(NamedTuple):
    """A place of the whole PDF: its page (from 0), and how far from the left and how high."""

    page: int
    left: float | None = None
    top: float | None = None


class Sheets:
    """One printed page of the site: what pypdf reads of it."""

    def __init__(self, path: Path) -> None:
        from pypdf import PdfReader

        self.reader: Any = PdfReader(path)
        self.length = len(self.reader.pages)

    def headings(self) -> list[Heading]:
        """Its bookmarks in order."""
        return list(self._headings(self.reader.outline, 0))

    def _headings(self, entries: Sequence[Any], level: int) -> Iterator[Heading]:
        for entry in entries:
            if isinstance(entry, list):
                yield from self._headings(entry, level + 1)
            else:
                title = " ".join(str(entry.title).split())
                yield Heading(title, level, self._page_of(entry), _number(entry.top))

    def labels(self) -> dict[str, Place]:
        """Its labels and where they are."""
        named = self.reader.named_destinations
        return {
            unquote(name.removeprefix("/")): Place(self._page_of(place), _number(place.left), _number(place.top))
            for name, place in named.items()
        }

    def links(self) -> set[str]:
        """The addresses that its links lead to, apart from its own labels."""
        notes = [note.get_object() for page in self.reader.pages for note in page.get("/Annots", ())]
        return {uri for note in notes if (uri := address_of(note))}

    def _page_of(self, place: Any) -> int:
        return self.reader.get_destination_page_number(place) or 0


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):  # pypdf's null
        return None


def address_of(note: Any) -> str:
    """The address that an annotation leads to; nothing if it leads to a label of its own PDF."""
    action = note.get("/A")
    return str(action.get_object().get("/URI", "")) if action is not None else ""


def places_of(address: str, labels: Mapping[str, Place], before: int) -> dict[str, Place]:
    """Places of a page of the site in the whole PDF, by their addresses; ``before`` pages stand before it.

    Examples
    --------
    >>> places_of("file:///b/svm.html", {"dual": Place(3, 50.0, 700.0)}, 10)["file:///b/svm.html#dual"]
    Place(page=13, left=50.0, top=700.0)
    """
    inside = {f"{address}#{label}": place._replace(page=place.page + before) for label, place in labels.items()}
    return {address: Place(before), **inside}


def target(address: str, places: Mapping[str, Place], headings: Sequence[Place] = ()) -> Place | None:
    """Where a link leads in this PDF: to the label, to the page if it has no such label, nowhere if it is not in it.

    Examples
    --------
    >>> places = {"file:///b/svm.html": Place(10), "file:///b/svm.html#dual": Place(13)}
    >>> target("file:///b/svm.html#dual", places).page, target("file:///b/svm.html#gone", places).page
    (13, 10)
    >>> target("file:///b/cart.html#dual", places)
    """
    if address.startswith(HEADING):
        return headings[int(address.removeprefix(HEADING))]
    return places.get(unquote(address)) or places.get(unquote(urldefrag(address)[0]))


class Binder:
    """The PDF in the making: add the contents and the chapters in order, then ``finish``."""

    def __init__(self) -> None:
        from pypdf import PdfWriter

        self.writer: Any = PdfWriter()
        self.places: dict[str, Place] = {}
        self.origins: list[str] = []  # of each page of the PDF: the address of its page of the site

    def add(self, address: str, sheets: Sheets) -> None:
        """Add all pages of a printed page of the site."""
        before = len(self.writer.pages)
        self.places |= {unquote(key): place for key, place in places_of(address, sheets.labels(), before).items()}
        for page in sheets.reader.pages:
            self.writer.add_page(page)
            self.origins.append(address)

    def finish(self, headings: Sequence[Heading], front: int, about: Mapping[str, str], out: Path) -> None:
        """Lead links to each other, write bookmarks and page numbers (``front`` Roman ones), and store the PDF."""
        places = [Place(heading.page + front, 0.0, heading.top) for heading in headings]
        for page, address in zip(self.writer.pages, self.origins, strict=True):
            self._link(page, address, places)
        if front:
            self.writer.add_outline_item(title="Contents", page_number=0)
        self._bookmarks(headings, places)
        self._number(front)
        self.writer.add_metadata(dict(about))
        self.writer.page_mode = "/UseOutlines"
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("wb") as file:
            self.writer.write(file)

    def _link(self, page: Any, address: str, headings: Sequence[Place]) -> None:
        """Links to places of this PDF lead there; links to the site's other pages are dropped, others stay."""
        from pypdf.generic import ArrayObject, NameObject

        kept = ArrayObject()
        for reference in page.get("/Annots", ()):
            note = reference.get_object()
            note.pop("/StructParent", None)
            uri = address_of(note)
            label = note.get("/Dest")
            if label is not None:
                uri = f"{address}#{unquote(str(label).removeprefix('/'))}"
            place = target(uri, self.places, headings)
            if place is not None:
                note.pop("/A", None)
                note[NameObject("/Dest")] = self._destination(place)
            elif uri.startswith("file:"):
                continue
            kept.append(reference)
        page.pop("/StructParents", None)
        page[NameObject("/Annots")] = kept

    def _destination(self, place: Place) -> Any:
        from pypdf.generic import ArrayObject, FloatObject, NameObject, NullObject

        at = [NullObject() if value is None else FloatObject(value) for value in (place.left, place.top)]
        page = self.writer.pages[place.page].indirect_reference
        return ArrayObject([page, NameObject("/XYZ"), *at, NullObject()])

    def _bookmarks(self, headings: Sequence[Heading], places: Sequence[Place]) -> None:
        from pypdf.generic import Fit

        above: list[Any] = []  # the last bookmark of each level
        for heading, place in zip(headings, places, strict=True):
            del above[heading.level :]
            parent = above[-1] if above else None
            fit = Fit.xyz(left=place.left, top=place.top)
            mark = self.writer.add_outline_item(
                title=heading.title, page_number=place.page, parent=parent, fit=fit, is_open=False
            )
            above.append(mark)

    def _number(self, front: int) -> None:
        """What a reader of PDFs shows as the number of a page is what is printed on it."""
        last = len(self.writer.pages) - 1
        if front:
            self.writer.set_page_label(page_index_from=0, page_index_to=front - 1, style="/r")
        if front <= last:
            self.writer.set_page_label(page_index_from=front, page_index_to=last, style="/D")
