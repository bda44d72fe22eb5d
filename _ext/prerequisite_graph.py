"""Draw the prerequisites of the chapters as an SVG: plain functions, no Sphinx.

Parts are bands from top to bottom, their chapters are boxes in book order, four in a row; a curve leads from each
prerequisite to the chapter that needs it. Prerequisites that follow from others are not drawn.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH, COLUMNS = 720, 4
BOX_WIDTH, LINE, PADDING = 162, 15, 9
COLUMN_GAP = (WIDTH - COLUMNS * BOX_WIDTH - 2) / (COLUMNS - 1)
ROW_GAP, PART_GAP, PART_TITLE = 34, 12, 22
LETTERS_PER_LINE = 22


class Node(NamedTuple):
    """A chapter to draw; without ``href`` it is not written yet."""

    name: str
    title: str
    part: str
    href: str | None


class Box(NamedTuple):
    """Where a chapter is drawn."""

    x: float
    y: float
    height: float
    lines: list[str]

    @property
    def middle(self) -> float:
        """The centre of the box, from the left."""
        return self.x + BOX_WIDTH / 2

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height


def direct(needs: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Leave out each prerequisite that is also a prerequisite of another one.

    Examples
    --------
    >>> direct({"c": ["a", "b"], "b": ["a"]})
    {'c': ['b'], 'b': ['a']}
    """

    def behind(start: str, name: str) -> set[str]:
        found: set[str] = set()
        waiting = list(needs.get(start, ()))
        while waiting:
            other = waiting.pop()
            if other not in found and other not in (start, name):
                found.add(other)
                waiting += needs.get(other, ())
        return found

    implied = {name: set[str]().union(*(behind(other, name) for other in others)) for name, others in needs.items()}
    return {
        name: [other for other in dict.fromkeys(others) if other not in implied[name]] for name, others in needs.items()
    }


def place(chapters: Sequence[Node]) -> tuple[dict[str, Box], list[tuple[str, float]], float]:
    """Place the boxes: (boxes by name, part titles with their baselines, height of the drawing)."""
    boxes: dict[str, Box] = {}
    titles: list[tuple[str, float]] = []
    y = 1.0
    for part in dict.fromkeys(node.part for node in chapters):
        members = [node for node in chapters if node.part == part]
        titles.append((part, y + 13))
        y += PART_TITLE
        for first in range(0, len(members), COLUMNS):
            row = [(node, textwrap.wrap(node.title, LETTERS_PER_LINE)) for node in members[first : first + COLUMNS]]
            height = max(len(lines) for _, lines in row) * LINE + 2 * PADDING
            for column, (node, lines) in enumerate(row):
                boxes[node.name] = Box(1 + column * (BOX_WIDTH + COLUMN_GAP), y, height, lines)
            y += height + ROW_GAP
        y += PART_GAP
    return boxes, titles, y - PART_GAP


def ports(boxes: Mapping[str, Box], edges: Sequence[tuple[str, str]]) -> dict[tuple[tuple[str, str], str], float]:
    """Where each edge meets its two boxes, so that no two meet one side of a box at the same point."""
    sides: dict[tuple[str, str], list[tuple[float, tuple[str, str], str]]] = defaultdict(list)
    for edge in edges:
        start, end = (boxes[name] for name in edge)
        sides[edge[0], "bottom"].append((end.x, edge, "start"))
        sides[edge[1], "bottom" if start.y == end.y else "top"].append((start.x, edge, "end"))
    place: dict[tuple[tuple[str, str], str], float] = {}
    for (name, _), meeting in sides.items():
        for number, (_, edge, end_name) in enumerate(sorted(meeting), start=1):
            place[edge, end_name] = boxes[name].x + BOX_WIDTH * number / (len(meeting) + 1)
    return place


def curve(start: Box, x1: float, end: Box, x2: float) -> str:
    """The curve from the bottom of one box to another, as SVG path data."""
    y1, y2 = start.bottom, end.y - 3
    if start.y == end.y:  # in one row: a bow below the boxes
        y2, bend = end.bottom + 3, start.bottom + 0.8 * ROW_GAP
        return f"M{x1:.0f} {y1:.0f}C{x1:.0f} {bend:.0f} {x2:.0f} {bend:.0f} {x2:.0f} {y2:.0f}"
    pull = max(ROW_GAP, (y2 - y1) / 3)
    return f"M{x1:.0f} {y1:.0f}C{x1:.0f} {y1 + pull:.0f} {x2:.0f} {y2 - pull:.0f} {x2:.0f} {y2:.0f}"


def draw_edges(
    chapters: Sequence[Node], boxes: Mapping[str, Box], needs: Mapping[str, Sequence[str]], name: str
) -> list[str]:
    """One curve for each direct prerequisite; its tool tip names both ends."""
    titles = {node.name: node.title for node in chapters}
    edges = [(other, chapter) for chapter, others in direct(needs).items() for other in others]
    place = ports(boxes, edges)
    lines = []
    for edge in edges:
        path = curve(boxes[edge[0]], place[edge, "start"], boxes[edge[1]], place[edge, "end"])
        lines.append(
            f'<path class="book-map-edge" d="{path}" fill="none" stroke="currentColor" stroke-opacity="0.45" '
            f'marker-end="url(#{name}-arrow)"><title>{escape(titles[edge[0]])} before {escape(titles[edge[1]])}</title>'
            "</path>"
        )
    return ['<g aria-hidden="true">', *lines, "</g>"]


def draw_box(node: Node, box: Box) -> str:
    """A chapter: a box with its title, a link if it is written, dashed if not."""
    dash = "" if node.href else ' stroke-dasharray="5 4"'
    shape = (
        f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{BOX_WIDTH}" height="{box.height:.0f}" rx="6" '
        f'fill="var(--pst-color-background, Canvas)" stroke="currentColor"{dash}/>'
    )
    colour = "var(--pst-color-link, LinkText)" if node.href else "currentColor"
    top = box.y + box.height / 2 - (len(box.lines) - 1) * LINE / 2 + 4
    text = "".join(
        f'<tspan x="{box.middle:.0f}" y="{top + number * LINE:.0f}">{escape(line)}</tspan>'
        for number, line in enumerate(box.lines)
    )
    label = f'<text text-anchor="middle" font-size="12.5" fill="{colour}">{text}</text>'
    if node.href:
        return f'<a class="book-map-chapter written" href="{escape(node.href)}">{shape}{label}</a>'
    return f'<g class="book-map-chapter planned">{shape}{label}</g>'


def draw(chapters: Sequence[Node], needs: Mapping[str, Sequence[str]], name: str) -> str:
    """Draw the whole graph; ``name`` makes its ids unique in a page."""
    boxes, titles, height = place(chapters)
    written = sum(1 for node in chapters if node.href)
    lines = [
        f'<svg class="book-map-svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" role="group" '
        f'aria-labelledby="{name}-title {name}-desc" xmlns="http://www.w3.org/2000/svg" font-family="inherit" '
        'style="max-width: 100%; height: auto">',
        f'<title id="{name}-title">The chapters and their prerequisites</title>',
        f'<desc id="{name}-desc">{written} written chapters as boxes, by part; curves lead from each chapter to those '
        "that need it. Dashed boxes are chapters that are not written yet.</desc>",
        f'<defs><marker id="{name}-arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>',
        *draw_edges(chapters, boxes, needs, name),
        *(
            f'<text class="book-map-part" x="1" y="{y:.0f}" font-size="12.5" font-weight="600" '
            'paint-order="stroke" stroke="var(--pst-color-background, Canvas)" stroke-width="4" '
            f'fill="currentColor">{escape(title)}</text>'
            for title, y in titles
        ),
        *(draw_box(node, boxes[node.name]) for node in chapters),
        "</svg>",
    ]
    return "\n".join(lines)
