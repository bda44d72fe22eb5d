"""A page of the site as it goes on paper.

Nothing runs there: scripts and controls are left out, and what they would show is written down.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

STYLE = Path(__file__).with_name("paper.css")
# what is left out, by element, class and id: soup.select takes two seconds for as many selectors
ELEMENTS = {"script", "noscript", "dialog", "footer"}
CLASSES = {
    *("bd-sidebar", "bd-sidebar-primary", "bd-sidebar-secondary", "bd-header", "bd-header-article", "bd-footer"),
    *("prev-next-footer", "headerlink", "skip-link", "chapter-line", "trainer-links", "code-fold"),
    *("anim-controls", "anim-note", "explorer-controls", "explorer-note", "explorer-text", "live-note"),
}
IDS = {"jb-print-docs-body", "searchbox", "pst-skip-link", "pst-back-to-top"}
MOVING = ".anim-player, .explorer"
STATE = re.compile(r"\((frame \d+ of \d+)\)\s*$")
ANSWER = "#by-hand details > summary"


def prepared(html: str, running: str, first: int, cited: Collection[str] | None = None) -> str:
    """The page with its solutions at the end, three frames of what moves, a running title and page numbers.

    ``running`` stands above every sheet, opposite the title of the page; ``first`` is the number of its first sheet; of
    a bibliography the entries ``cited`` stay, all of them when None.
    """
    soup = BeautifulSoup(html, "html.parser")
    move_solutions(soup)
    for element in soup.find_all(_is_noise):
        element.decompose()
    for code in soup.select("#by-hand .cell_input"):  # what draws a drill
        code.decompose()
    join_labels(soup)
    keep_three_frames(soup)
    if cited is not None:
        keep_entries(soup, cited)
    for image in soup.select("img"):
        image["loading"] = "eager"
    add_marks(soup)
    title = soup.select_one("h1")
    add_style(soup, (" ".join(title.get_text().split()) if title else "", running), first)
    return str(soup)


def _is_noise(tag: Any) -> bool:
    return tag.name in ELEMENTS or tag.get("id") in IDS or not CLASSES.isdisjoint(tag.get("class", ()))


def move_solutions(soup: BeautifulSoup) -> None:
    """Put the solutions of exercises and of drills into a last section; what they solve and they lead to each other."""
    chapter = soup.select_one("article > section") or soup.body
    boxes = [*_answers_of_drills(soup), *_solutions_of_exercises(soup)]
    if chapter is None or not boxes:
        return
    end = soup.new_tag("section", id="paper-solutions")
    end.append(_tag(soup, "h2", "Solutions"))
    for box, name, task in boxes:
        box["id"] = box.get("id") or f"{task['id']}-solution"
        pointer = _pointer(soup, f"#{box['id']}", f"Solution of {name[0].lower()}{name[1:]}", "to-solution")
        if task.name == "span":
            box.insert_before(pointer)
        else:
            task.append(pointer)
        box.insert(0, _pointer(soup, f"#{task['id']}", name, "of-exercise"))
        end.append(box.extract())
    chapter.append(end)


def _solutions_of_exercises(soup: BeautifulSoup) -> list[tuple[Any, str, Any]]:
    """Each solution, without its title, with the name and the box of the exercise above it."""
    found = []
    for number, box in enumerate(soup.select(".solution"), 1):
        for title in box.find_all(class_="admonition-title", recursive=False):
            title.decompose()
        task = box.find_previous(class_="exercise") or _mark_before(soup, box)
        caption = task.select_one(".caption-number")
        name = " ".join(caption.get_text().split()) if caption else f"Exercise {number}"
        task["id"] = task.get("id") or f"paper-exercise-{number}"
        found.append((box, name, task))
    return found


def _answers_of_drills(soup: BeautifulSoup) -> list[tuple[Any, str, Any]]:
    """Each folded answer of a drill, without the code that asks for it, with a name and a mark in its place."""
    found: list[tuple[Any, str, Any]] = []
    for summary in soup.select(ANSWER):
        if "answer" not in summary.get_text():
            continue
        fold: Any = summary.parent
        cell = fold.find_parent(class_="cell") or fold
        for code in [summary, *fold.select(".cell_input")]:
            code.decompose()
        mark = _mark_before(soup, cell)
        mark["id"] = f"paper-drill-{len(found) + 1}"
        found.append((cell, f"Drill {len(found) + 1} by hand", mark))
        if fold is not cell:
            fold.unwrap()
    return found


def _mark_before(soup: BeautifulSoup, box: Any) -> Any:
    mark = soup.new_tag("span")
    box.insert_before(mark)
    return mark


def _tag(soup: BeautifulSoup, name: str, text: str) -> Any:
    tag = soup.new_tag(name)
    tag.string = text
    return tag


def _pointer(soup: BeautifulSoup, address: str, text: str, role: str) -> Any:
    """A line that leads to another place of the page."""
    line, link = soup.new_tag("p", attrs={"class": role}), soup.new_tag("a", href=address)
    link.string = text
    line.append(link)
    return line


def join_labels(soup: BeautifulSoup) -> None:
    """Labels that stand before a heading go into it: between the two, Chromium would turn the page."""
    for heading in soup.select("section > :is(h1, h2, h3, h4, h5)"):
        for label in heading.find_previous_siblings("span", id=True):
            heading.insert(0, label.extract())


def keep_three_frames(soup: BeautifulSoup) -> None:
    """Of an animation or explorer the first, the middle and the last picture stay, each with what it shows."""
    for box in soup.select(MOVING):
        frames = box.select("img")
        kept = three(len(frames))
        for i, frame in enumerate(frames):
            if i not in kept:
                frame.decompose()
                continue
            del frame["hidden"]
            figure = frame.wrap(soup.new_tag("div", attrs={"class": "paper-frame"}))
            alt = str(frame.get("alt", ""))
            state = STATE.search(alt)
            figure.append(_tag(soup, "p", state[1] if state else alt))


def three(number: int) -> list[int]:
    """The first, the middle and the last of so many.

    Examples
    --------
    >>> three(12), three(2), three(1)
    ([0, 6, 11], [0, 1], [0])
    """
    return sorted({0, number // 2, number - 1}) if number else []


def keep_entries(soup: BeautifulSoup, cited: Collection[str]) -> None:
    """Of a bibliography the entries that are cited stay, and nothing else but its title."""
    heading = soup.select_one("h1")
    entries = [entry for entry in soup.select("div.citation") if _labels(entry) & set(cited)]
    section = soup.select_one("article > section")
    if section is None or heading is None:
        return
    kept = [heading.extract(), *(entry.extract() for entry in entries)]
    section.clear()
    section.extend(kept)


def _labels(entry: Any) -> set[str]:
    return {str(tag["id"]) for tag in [entry, *entry.select("[id]")] if tag.get("id")}


def add_marks(soup: BeautifulSoup) -> None:
    """Link to every label from a list that nobody sees: Chromium keeps only places that a link of the page leads to."""
    body = soup.body
    if body is None:
        return
    labels = [str(tag["id"]) for tag in soup.select("article [id]")]
    hidden = soup.new_tag("div", hidden="")
    for label in labels:
        hidden.append(soup.new_tag("a", href=f"#{label}"))
    body.append(hidden)


def add_style(soup: BeautifulSoup, running: tuple[str, str], first: int, numerals: str = "decimal") -> None:
    """Light colours, the running titles (left and right) and the number of the first page."""
    if soup.html is not None:
        soup.html["data-theme"] = soup.html["data-mode"] = "light"
    head = soup.head or soup.new_tag("head")
    left, right = (text.replace("\\", r"\\").replace('"', r"\"") for text in running)
    own = (
        f'@page {{ @top-left {{ content: "{left}"; }} @top-right {{ content: "{right}"; }} }}\n'
        f"@page {{ @bottom-center {{ content: counter(page, {numerals}); }} }}\n"
        f"@page :first {{ counter-set: page {first}; }}"
    )
    head.append(_tag(soup, "style", STYLE.read_text(encoding="utf-8") + own))
