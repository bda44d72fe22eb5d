"""The plan of the book: its parts and chapters, which of them are written, and what each page says of itself.

The plan is ``chapters/outline.yml``, a list of parts with their chapters. A chapter counts as written when its page
``chapters/<part>/<stem>`` is in the table of contents. What a notebook says of itself (prerequisites, reading time)
is the entry ``book`` of its metadata.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from docutils import nodes
from sphinx.errors import ExtensionError, NoUri


class Chapter(NamedTuple):
    """One planned chapter."""

    stem: str
    title: str
    task: str
    part: str
    part_title: str

    @property
    def page(self) -> str:
        """The name of the chapter's page."""
        return f"chapters/{self.part}/{self.stem}"

    @property
    def module(self) -> str:
        """The library module of the chapter."""
        return f"notes_lib.{self.part}.{self.stem}"

    @property
    def test_file(self) -> str:
        """The test file of the chapter's module."""
        return f"tests/{self.part}/test_{self.stem}.py"


def read_outline(path: Path) -> dict[str, Chapter]:
    """Read the plan: stem -> chapter, in book order."""
    try:
        parts = yaml.safe_load(path.read_text(encoding="utf-8")) or []
        chapters = [
            Chapter(entry["stem"], entry["title"], entry["task"], part["part"], part["title"])
            for part in parts
            for entry in part["chapters"]
        ]
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise ExtensionError(
            f"{path}: an outline is a list of parts with part, title, chapters (each with stem, title, task); {error!r}"
        ) from error
    outline = {chapter.stem: chapter for chapter in chapters}
    if len(outline) < len(chapters):
        raise ExtensionError(f"{path}: a stem stands in the outline twice")
    return outline


def outline(env) -> dict[str, Chapter]:
    """The plan as it was when this build began."""
    return env.book_outline


def page_of(env, name: str) -> str | None:
    """Find the page of a chapter (by stem) or of another page of the book (by stem or full name), if it is written."""
    chapter = outline(env).get(name)
    if chapter:
        return chapter.page if chapter.page in env.found_docs else None
    found = [page for page in env.found_docs if page == name or page.endswith(f"chapters/{name}")]
    found = found or [page for page in env.found_docs if page.rsplit("/", 1)[-1] == name]
    return min(found, default=None)


def chapter_at(env, page: str) -> Chapter | None:
    """The chapter that a page is, if it is one."""
    chapter = outline(env).get(page.rsplit("/", 1)[-1])
    return chapter if chapter and chapter.page == page else None


def part_of(env, page: str) -> str | None:
    """The part of the book that a page is a chapter of, if it is one."""
    chapter = chapter_at(env, page)
    return chapter.part if chapter else None


def page_title(env, page: str) -> str:
    """The short title of a page: the outline's for a chapter, its heading otherwise."""
    chapter = chapter_at(env, page)
    return chapter.title if chapter else env.titles[page].astext()


def address(app, page: str, node_id: str = "") -> str | None:
    """The address of a page, or of a place on it, seen from the page that is written; None in formats without links."""
    try:
        uri = app.builder.get_relative_uri(app.env.docname, page)
    except NoUri:
        return None
    return uri + (f"#{node_id}" if node_id else "")


def link(app, text: str, page: str, node_id: str = "") -> nodes.Node:
    """A link to a page, or to a place on it, from the page that is written; its text in formats without links."""
    uri = address(app, page, node_id)
    return nodes.Text(text) if uri is None else nodes.reference("", text, internal=True, refuri=uri)


def book_metadata(env, page: str) -> dict[str, Any]:
    """The entry ``book`` of a page's metadata (Sphinx stores the nested part as JSON text)."""
    found = env.metadata.get(page, {}).get("book", {})
    return json.loads(found) if isinstance(found, str) else found


def prerequisites(env, page: str) -> list[str]:
    """The stems that a page names as its prerequisites."""
    return list(book_metadata(env, page).get("prerequisites", []))


def state(env) -> tuple:
    """Everything about the plan that other pages print: they are stale when this changes."""
    written = [
        (page, env.titles[page].astext(), prerequisites(env, page))
        for page in sorted(env.found_docs)
        if page in env.titles
    ]
    return tuple(outline(env).values()), tuple(written)


def load(app) -> None:
    """Read the plan at the start of every build."""
    app.env.book_outline = read_outline(Path(app.srcdir) / app.config.book_outline)


def setup(app):
    """Register the place of the plan."""
    app.add_config_value("book_outline", "chapters/outline.yml", "env", (str,))
    app.connect("builder-inited", load)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
