"""Take apart what a student types: numbers in a row, rows of numbers, words in a row.

**Numbers in a row.** Brackets around them do not count. Semicolons and line ends separate; with them every comma is a
decimal comma. Without them the first of these readings that gives the number of entries asked for is taken:

1. commas with a blank beside them separate, all others are decimal: ``0,5, 1,5``;
2. blanks separate, commas are decimal: ``0,5 1,5``. A sign begins an entry when no blank follows it: ``1 -2`` are two
   numbers, ``1 - 2`` is one;
3. all commas separate: ``(1,2)``.

**Rows** stand on lines of their own, or between semicolons or bars, or each in brackets: ``(1, 2), (3, 4)``. With line
ends a semicolon separates entries: so a page joins the cells of a grid.

**Words** are separated by commas, semicolons, bars, line ends or arrows, without these by blanks, without these by
dashes; words of one letter may also stand close together: ``A -> B -> C``, ``A, B, C``, ``A B C``, ``A-B-C``, ``ABC``.

The words *and* and 和, 与, 及 count as commas with a blank behind them: ``A, B and C``, ``1, 2 and 3``.
"""

from __future__ import annotations

from collections.abc import Sequence

from notes_lib.drills.expressions import DIGITS, FUNCTIONS, LETTERS

__all__ = ["numbers_of", "rows_of", "words_of"]

ANDS = (" and ", "和", "与", "及")


def unwrapped(text: str) -> str:
    """Text without the brackets, and the sign of a transpose, that enclose all of it."""
    text = text.strip(" \n")
    if text.endswith((")^T", ")T")):
        text = text[: text.rfind(")") + 1]
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and at < len(text) - 1:
            return text
    return unwrapped(text[1:-1]) if text.startswith("(") and text.endswith(")") else text


def pieces(text: str, separators: str) -> list[str]:
    """What stands between separators that are in no bracket; an empty piece at the end does not count."""
    found, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth == 0 and character in separators:
            found.append("")
        else:
            found[-1] += character
    trimmed = [piece.strip(" \n") for piece in found]
    return trimmed[:-1] if len(trimmed) > 1 and trimmed[-1] == "" else trimmed


def listed(text: str, options: Sequence[str] = ()) -> str:
    """Text with a comma for each *and*, unless one of the options has the same word."""
    if any(word in option for option in options for word in ANDS):
        return text
    for word in (*(f",{word}" for word in ANDS), *ANDS):
        text = text.replace(word, ", ")
    return text


def marked(text: str) -> str:
    """Text with a semicolon for each comma that has a blank beside it."""
    return text.replace(" ,", ";").replace(", ", ";")


def spaced(text: str) -> str:
    """Text with a semicolon for each blank between two entries."""
    found = ""
    for at, character in enumerate(text):
        before, after = found.rstrip(" "), text[at + 1 :].lstrip(" ")
        inside = before == "" or after == "" or before.endswith((";", "+", "-", "*", "/", "^", "(", ","))
        inside = inside or after[0] in "*/^),%" or is_function(before)
        if after != "" and after[0] in "+-" and after[1:2] == " ":
            inside = True
        found += ";" if character == " " and not inside else character
    return found


def is_function(text: str) -> bool:
    """Whether a text ends with the name of a function, whose argument follows."""
    start = len(text)
    while start > 0 and text[start - 1] in LETTERS:
        start -= 1
    return text[start:].lower() in FUNCTIONS


def numbers_of(folded: str, count: int) -> list[str]:
    """The entries of a row of numbers, read as the module says; ``folded`` comes from ``fold``.

    Examples
    --------
    >>> numbers_of("(1,2)", 2), numbers_of("0,5 1,5", 2), numbers_of("0,5, 1,5", 2), numbers_of("1;2", 2)
    (['1', '2'], ['0,5', '1,5'], ['0,5', '1,5'], ['1', '2'])
    """
    if folded.count("=") == 1:
        folded = folded[folded.find("=") + 1 :]
    text = unwrapped(listed(folded)).rstrip(", ")
    if ";" in text or "\n" in text:
        return pieces(text, ";\n")
    readings = [pieces(marked(text), ";"), pieces(spaced(text), ";"), pieces(text, ",")]
    fitting = [reading for reading in readings if len(reading) == count]
    split = [reading for reading in readings if len(reading) > 1]
    return (fitting or split or readings)[0]


def rows_of(folded: str) -> list[str]:
    """The rows of a table, each as its text.

    Examples
    --------
    >>> rows_of("1 2; 3 4"), rows_of("1; 2 | 3; 4"), rows_of("((1, 2), (3, 4))")
    (['1 2', '3 4'], ['1; 2', '3; 4'], ['1, 2', '3, 4'])
    """
    if folded.count("=") == 1:
        folded = folded[folded.find("=") + 1 :]
    text = unwrapped(folded)
    rows = pieces(text, "|\n" if "|" in text or "\n" in text else ";")
    if len(rows) == 1:
        groups = pieces(text.replace(") (", "),(").replace(")(", "),("), ",")
        rows = groups if all(group.startswith("(") and group.endswith(")") for group in groups) else rows
    return [unwrapped(row.rstrip(",; ")) for row in rows if row != ""]


def words_of(folded: str, options: list[str]) -> list[str]:
    """The words of a path, an order or a set."""
    text = listed(unwrapped(folded), options).replace("->", ">").replace("=>", ">")
    for separators in (",;|\n>", " ", "-"):
        inside = any(mark in option for option in options for mark in separators)
        if not inside and any(mark in text for mark in separators):
            return [word for word in pieces(text, separators) if word != ""] or [text]
    if len(text) > 1 and all(len(option) == 1 for option in options) and not set(text) - set(DIGITS + LETTERS):
        return list(text)
    return [text] if text != "" else []
