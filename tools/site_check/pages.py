"""The pages of a built site and their anchors, read from the files without a browser."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path

NOT_PAGES = ("_static", "_sources", "_images", "_downloads")


class Site:
    """A built site on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages = sorted(
            path.relative_to(folder).as_posix()
            for path in folder.rglob("*.html")
            if path.relative_to(folder).parts[0] not in NOT_PAGES
        )

    def html(self, page: str) -> str:
        """Return the text of ``page``."""
        return (self.folder / page).read_text(encoding="utf8")

    @cache  # noqa: B019  one site lives as long as the program
    def anchors(self, page: str) -> frozenset[str]:
        """Every id and anchor name that stands in the file of ``page``."""
        found = re.findall(r"""\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)')""", self.html(page))
        return frozenset(html.unescape(double or single) for double, single in found)

    def redirect(self, page: str) -> str | None:
        """Where ``page`` sends the reader, if it is nothing but a redirection."""
        text = self.html(page)
        if len(text) > 2000:
            return None
        match = re.search(r"""http-equiv=["']?refresh["']?[^>]*url=([^"'>\s]+)""", text, re.IGNORECASE)
        return match[1] if match else None

    def notebook(self, page: str) -> Path:
        """Where the notebook lies that ``page`` was made from, if it was."""
        return (self.folder / "_sources" / page).with_suffix(".ipynb")

    def size(self, page: str) -> int:
        """Bytes of the file of ``page``."""
        return (self.folder / page).stat().st_size

    @property
    def root(self) -> str:
        """The first page a reader sees."""
        return self.redirect("index.html") or "index.html" if "index.html" in self.pages else self.pages[0]

    @property
    def largest(self) -> str:
        """The page with the longest file: in a book, the chapter with most formulas and figures."""
        return max(self.pages, key=self.size)
