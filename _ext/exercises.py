"""The exercises of the book, as sphinx-exercise keeps them: by their labels."""

from __future__ import annotations

from typing import Any

import book_outline
from docutils import nodes
from practice_labels import parted


def known(env) -> dict[str, dict[str, Any]]:
    """All exercises and solutions: label -> page, type and node."""
    return getattr(env, "sphinx_exercise_registry", {})


def of_page(env, page: str) -> list[dict[str, Any]]:
    """The exercises and solutions of one page."""
    return [entry for entry in known(env).values() if entry["docname"] == page]


def state(env) -> list[tuple[str, str, str]]:
    """Everything of them that other pages print: they are stale when this changes."""
    return sorted((label, entry["docname"], entry["node"].astext()) for label, entry in known(env).items())


def title(entry: dict[str, Any]) -> str:
    """The title that the author gave an exercise, "" without one."""
    titles = (node.astext() for node in entry["node"].findall() if type(node).__name__ == "exercise_subtitle")
    return next(titles, "")


def link(app, label: str) -> nodes.Node:
    """A link to an exercise, by the title that its author gave it, with its marks, minutes and place in the route."""
    entry = known(app.env)[label]
    text, facts = parted(title(entry) or label)
    found = book_outline.link(app, text, entry["docname"], label)
    if facts is None:
        return found
    if isinstance(found, nodes.reference):
        found += facts
        return found
    return nodes.Text(f"{text} ({facts.astext()})")
