"""Worksheets for paper: of every drill of a chapter one worked exercise, three to do with room, and their answers.

A sheet has a number, and the exercises of sheet ``n`` have the seeds ``4 n`` to ``4 n + 3``, so that no two sheets
share one. The page *Worksheet* (``static/trainer/worksheet.js``) prints the same sheets from the drills that the site
has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from notes_lib.drills import Drill, Field, draw
from notes_lib.drills.papers import with_marks, worth
from notes_lib.drills.webpage import title_of, webpage

__all__ = ["answers", "page", "room", "seeds", "shown", "worksheet"]

TO_DO = 3  # exercises of each drill, besides the worked one
LEAST, MINUTE, MOST = 40, 6, 150  # millimetres of room: at least, for each minute, and at most a sheet of paper
ROOM = "\ue000"  # before the millimetres, in a paragraph of its own; no text of a drill holds it
STYLE = """
.room { border: 1px dashed #999; border-radius: 2mm; margin: 1rem 0 1.5rem; }
h4 { break-after: avoid; }
#answers { break-before: page; }
"""


def seeds(sheet: int) -> list[int]:
    """The seeds of a sheet: that of the worked exercise, then those to do.

    Examples
    --------
    >>> seeds(2)
    [8, 9, 10, 11]
    """
    return [sheet * (TO_DO + 1) + k for k in range(TO_DO + 1)]


def room(minutes: int) -> int:
    """Millimetres of paper for an exercise of so many minutes."""
    return min(MOST, max(LEAST, MINUTE * minutes))


def shown(field: Field) -> str:
    """The value of a field as the answers print it: numbers to the last digit that is asked for.

    Examples
    --------
    >>> from notes_lib.drills import fields
    >>> shown(fields.vector("w", "weights", 1).filled({"w": [0.5, -1 / 3]}))
    '(0.5, −0.3333)'
    """
    value, off = field.value, field.tolerance
    if field.kind == "own":
        return "compare with the solution"
    if field.kind == "number":
        return _number(value, off)
    if field.kind == "vector":
        return f"({_row(value, off)})"
    if field.kind == "matrix":
        return f"({'; '.join(map(_row, value, off))})"
    if field.kind == "groups":
        return "; ".join(map(_words, value))
    return _words(value) if isinstance(value, list) else str(value)


def _row(values: list[float], off: list[float]) -> str:
    return ", ".join(map(_number, values, off))


def _words(words: list[str]) -> str:
    return ", ".join(words) or "none"


def _number(value: float, off: float) -> str:
    """A number to the digit that its tolerance leaves, as a page writes it; half a digit goes away from 0."""
    places = max(0, -math.floor(math.log10(2 * off) + 1e-6))  # the tolerance is from half to a few units of that digit
    text = f"{abs(Decimal(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}"
    text = text.rstrip("0").rstrip(".") if places else text
    return f"−{text}" if value < 0 and text != "0" else text


def answers(drill: Drill) -> str:
    """All values of an exercise, on one line of Markdown."""
    return "; ".join(f"{field.label}: {shown(field)}" for field in drill.fields)


def worksheet(title: str, topics: Iterable[str], sheet: int) -> str:
    """A worksheet in Markdown; a paragraph of ``ROOM`` and a number is so much room in millimetres.

    Parameters
    ----------
    title : str
        Of the chapter.
    topics : iterable of str
        Slugs of its drills.
    sheet : int
        Number of the sheet, from 0.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is no such topic, or ``sheet`` is negative.
    """
    if sheet < 0:
        raise ValueError(f"the number of a sheet must not be negative, got {sheet}.")
    drills = [[draw(slug, seed) for seed in seeds(sheet)] for slug in topics]
    minutes = sum(TO_DO * worked.minutes for worked, *_ in drills)
    lines = [
        f"# Worksheet {sheet}: {title}",
        f"Of each of {len(drills)} drills a worked example and {TO_DO} exercises, about {minutes} minutes in all. The "
        "answers stand on the last page, the full solutions in the trainer, under the topic and the seed.",
    ]
    for worked, *to_do in drills:
        lines.append(f"## {worked.title} ({worth(worked.marks)}, {worked.minutes} minutes)")
        lines += ["### Worked example", worked.statement, "#### Solution", with_marks(worked)]
        for number, drill in enumerate(to_do, 1):
            lines += [f"### Exercise {number}", drill.statement, f"{ROOM}{room(drill.minutes)}"]
    lines.append("## Answers")
    for _, *to_do in drills:
        lines.append(f"### {to_do[0].title}")
        lines += [f"**{n}** (seed {drill.seed}): {answers(drill)}." for n, drill in enumerate(to_do, 1)]
    return "\n\n".join(lines)


def page(markdown: str) -> str:
    """A worksheet as one web page that can be printed."""
    html = webpage(markdown, title_of(markdown), STYLE)
    html = re.sub(f"<p>{ROOM}(\\d+)</p>", r'<div class="room" style="height: \1mm"></div>', html)
    return html.replace("<h2>Answers</h2>", '<h2 id="answers">Answers</h2>')
