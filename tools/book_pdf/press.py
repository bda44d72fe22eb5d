"""Chromium prints prepared pages of the site."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.print_page import new_page, open_whole

from .prepare import add_style, prepared

FIT = Path(__file__).with_name("fit.js").read_text(encoding="utf-8")
WIDTH = 650  # of the text between the margins of paper.css, in CSS pixels: 172 mm
LOADED = """() => Promise.all([document.fonts.ready,
  ...[...document.images].filter((image) => !image.complete).map((image) => new Promise((done) => {
    image.onload = image.onerror = done; }))])"""


class Press:
    """A browser that prints pages of one site.

    Parameters
    ----------
    tab : playwright Page
        Where pages are opened.
    html : Path
        Folder of the site.
    """

    def __init__(self, tab: Any, html: Path) -> None:
        self.tab, self.html = tab, html
        self.tab.emulate_media(media="print", color_scheme="light")
        self.tab.set_viewport_size({"width": WIDTH, "height": 1000})

    def address(self, page: str) -> str:
        """Address of a page of the site."""
        return (self.html / f"{page}.html").as_uri()

    def print_page(
        self, page: str, running: str, first: int, out: Path, cited: Collection[str] | None = None
    ) -> list[str]:
        """Print a page of the site; the number of its first page is ``first``. Return what had to be made smaller."""
        text = (self.html / f"{page}.html").read_text(encoding="utf-8")
        if "card-contents" in text:  # the lists of the parts take the place of their contents
            self.tab.unroute_all()
            open_whole(self.tab, self.address(page))
            text = self.tab.content()
        return self._print(self.address(page), prepared(text, running, first, cited), out)

    def print_contents(self, text: str, out: Path) -> None:
        """Print the title and the contents, with the fonts of the site and Roman numbers."""
        from bs4 import BeautifulSoup

        soup = BeautifulSoup(text, "html.parser")
        add_style(soup, ("", ""), 1, "lower-roman")
        self._print(self.address("contents-of-the-pdf"), str(soup), out)

    def _print(self, address: str, text: str, out: Path) -> list[str]:
        """Print a text that the browser takes for the page of an address, so that its links and pictures are right."""
        self.tab.unroute_all()
        self.tab.route(address, lambda route: route.fulfill(body=text, content_type="text/html; charset=utf-8"))
        self.tab.goto(address)
        self.tab.evaluate(LOADED)
        shrunk = self.tab.evaluate(FIT)
        self.tab.pdf(path=str(out), prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
        return shrunk


@contextmanager
def press(html: Path) -> Iterator[Press]:
    """Open a browser for the site in a folder."""
    with new_page() as tab:
        yield Press(tab, html)
