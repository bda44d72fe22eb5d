"""Glyphs of a PDF: which are drawn where, from the operators of its pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # every file of the tests is imported where the extra of the browser is not installed, too
    from pypdf import PageObject

IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Glyph(NamedTuple):
    """A drawn glyph: its font, its number there (0 stands for a missing one), its edges and its size in points."""

    font: str
    number: int
    left: float
    right: float
    size: float


def times(first, then):
    """The matrix that applies one matrix and then another."""
    from pypdf import Transformation

    return Transformation(tuple(first)).transform(Transformation(tuple(then))).ctm


class Font:
    """Widths of the glyphs of a font, in units of its size; the numbers of its glyphs."""

    def __init__(self, font) -> None:
        self.kind = str(font["/Subtype"])
        self.wide = self.kind == "/Type0"
        if self.wide:
            inner = font["/DescendantFonts"][0].get_object()
            self.name, self.embedded = str(inner["/BaseFont"]), "/FontFile2" in inner["/FontDescriptor"].get_object()
            self.default, self.widths = float(inner.get("/DW", 1000)) / 1000, dict(_cid_widths(inner.get("/W", ())))
            self.numbers = {}
        else:
            scale = float(font["/FontMatrix"][0]) if self.kind == "/Type3" else 0.001
            first = int(font["/FirstChar"])
            self.name, self.embedded = str(font.get("/Name", self.kind)), self.kind == "/Type3"
            self.widths = {first + i: float(width) * scale for i, width in enumerate(font["/Widths"])}
            self.default, self.numbers = 0.0, dict(_numbers(font["/Encoding"].get_object().get("/Differences", ())))

    def codes(self, text: bytes) -> Iterator[int]:
        """The codes that a string shows."""
        step = 2 if self.wide else 1
        return (int.from_bytes(text[i : i + step], "big") for i in range(0, len(text), step))


def _cid_widths(entries):
    entries = [entry.get_object() for entry in entries]
    while entries:
        first, second = int(entries.pop(0)), entries.pop(0)
        if isinstance(second, list):
            yield from ((first + i, float(width) / 1000) for i, width in enumerate(second))
        else:
            width = float(entries.pop(0)) / 1000
            yield from ((code, width) for code in range(first, int(second) + 1))


def _numbers(differences):
    """Numbers of the glyphs from their names: Chromium writes g2A for glyph 42."""
    code = 0
    for entry in differences:
        if isinstance(entry, int):
            code = int(entry)
        else:
            yield code, int(str(entry).removeprefix("/g"), 16)
            code += 1


def fonts_of(page: PageObject) -> list[Font]:
    """The fonts of a page."""
    return [Font(font.get_object()) for font in page["/Resources"].get("/Font", {}).values()]


def glyphs(page: PageObject) -> Iterator[Glyph]:
    """All glyphs of a page, in the order in which they are drawn."""
    yield from _drawn(page.get_contents(), page["/Resources"].get_object(), page.pdf, IDENTITY)


def _drawn(content, resources, pdf, matrix):
    from pypdf.generic import ContentStream

    fonts = {name: Font(font.get_object()) for name, font in resources.get("/Font", {}).items()}
    kept, font, size, text, line = [], None, 1.0, IDENTITY, IDENTITY
    for operands, operator in ContentStream(content, pdf).operations:
        if operator == b"q":
            kept.append((matrix, font, size))
        elif operator == b"Q":
            matrix, font, size = kept.pop()
        elif operator == b"cm":
            matrix = times(map(float, operands), matrix)
        elif operator == b"BT":
            text = line = IDENTITY
        elif operator == b"Tm":
            text = line = tuple(map(float, operands))
        elif operator in (b"Td", b"TD"):
            text = line = times((1, 0, 0, 1, *map(float, operands)), line)
        elif operator == b"Tf":
            font, size = fonts[operands[0]], float(operands[1])
        elif operator in (b"Tj", b"TJ"):
            for piece in operands[0] if operator == b"TJ" else operands:
                if not isinstance(piece, (bytes, str)):
                    text = times((1, 0, 0, 1, -float(piece) / 1000 * size, 0), text)
                    continue
                raw = piece if isinstance(piece, bytes) else piece.original_bytes
                for code in font.codes(raw):
                    after = times((1, 0, 0, 1, font.widths.get(code, font.default) * size, 0), text)
                    ends = sorted((times(text, matrix)[4], times(after, matrix)[4]))
                    a, b, c, d = times(text, matrix)[:4]
                    yield Glyph(font.name, font.numbers.get(code, code), *ends, size * abs(a * d - b * c) ** 0.5)
                    text = after
        elif operator == b"Do":
            form = resources["/XObject"][operands[0]].get_object()
            if form["/Subtype"] == "/Form":
                inner = times(map(float, form.get("/Matrix", IDENTITY)), matrix)
                yield from _drawn(form, form.get("/Resources", resources).get_object(), pdf, inner)
