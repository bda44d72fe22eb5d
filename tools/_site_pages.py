"""The pages of a built site, their anchors and links, read from the files without a browser."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from _site_browser import Problem, shorten

NOT_PAGES = ("_static", "_sources", "_images", "_downloads")
PAGE_LIMIT = 2_500_000  # bytes of HTML; a chapter with 300 formulas and three animations takes about 2 MB
STATIC_LIMIT = 4_000_000  # bytes of _static: style sheets, fonts and the scripts of the theme


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

    @property
    def root(self) -> str:
        """The first page a reader sees."""
        return self.redirect("index.html") or "index.html" if "index.html" in self.pages else self.pages[0]

    @property
    def largest(self) -> str:
        """The page with the longest file: in a book, the chapter with most formulas and figures."""
        return max(self.pages, key=lambda page: (self.folder / page).stat().st_size)


def check_redirect(site: Site, page: str) -> list[Problem]:
    """The target of a redirecting page exists."""
    target = site.redirect(page)
    if target is None or (site.folder / page).parent.joinpath(target.split("#")[0]).is_file():
        return []
    return [Problem(page, "link", f"redirects to {target}, which does not exist")]


def check_links(site: Site, page: str, links: Iterable[dict[str, str]], base: str) -> list[Problem]:
    """Every link, image, script and download inside the site leads to a file, every fragment to an anchor.

    Parameters
    ----------
    site : Site
    page : str
    links : iterable of {"raw": value as written, "url": absolute address}
    base : str
        Address of the site.
    """
    problems = [_broken(site, page, link["raw"], link["url"], base) for link in links]
    return sorted({problem for problem in problems if problem})


def _broken(site: Site, page: str, raw: str, url: str, base: str) -> Problem | None:
    """Return the problem with one link, if there is one."""
    parts = urlsplit(url)
    if raw.startswith("/") or parts.scheme == "file":
        return Problem(page, "link", f"{shorten(raw)} is not relative: it breaks when the site is opened from a folder")
    if not url.startswith(base):
        return Problem(page, "link", f"{raw} exists on this machine only") if parts.hostname == "localhost" else None
    target = unquote(parts.path.lstrip("/"))
    if target.endswith("/") or not target:
        target += "index.html"
    if not (site.folder / target).is_file():
        return Problem(page, "link", f"{shorten(raw)} leads to no file")
    fragment = unquote(parts.fragment)
    if fragment and target.endswith(".html") and fragment not in site.anchors(target):
        return Problem(page, "anchor", f"{shorten(raw)} leads to no id of {target}")
    return None


def external_hosts(links: Iterable[dict[str, str]], base: str) -> set[str]:
    """Hosts that the page links to outside the site; nothing is ever fetched from them."""
    urls = (urlsplit(link["url"]) for link in links if not link["url"].startswith(base))
    return {parts.hostname for parts in urls if parts.scheme in ("http", "https") and parts.hostname}


def check_weight(site: Site) -> list[Problem]:
    """No page and no ``_static`` folder is heavier than the limits above."""
    sizes = [(page, (site.folder / page).stat().st_size) for page in site.pages]
    problems = [
        Problem(page, "weight", f"{size / 1e6:.2f} MB of HTML, the limit is {PAGE_LIMIT / 1e6:.1f} MB")
        for page, size in sizes
        if size > PAGE_LIMIT
    ]
    if (static := folder_size(site.folder / "_static")) > STATIC_LIMIT:
        problems.append(
            Problem("_static", "weight", f"{static / 1e6:.2f} MB, the limit is {STATIC_LIMIT / 1e6:.1f} MB")
        )
    return problems


def folder_size(folder: Path) -> int:
    """Bytes of all files below ``folder``."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
