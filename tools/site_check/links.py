"""Links of a page: inside the site each leads to a file and an anchor; outside none is followed."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from .pages import Site
from .problems import Problem, shorten


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
    if "=" in fragment:  # a question to a script of the page, as in trainer.html#topic=viterbi
        return None
    if fragment and target.endswith(".html") and fragment not in site.anchors(target):
        return Problem(page, "anchor", f"{shorten(raw)} leads to no id of {target}")
    return None


def external_hosts(links: Iterable[dict[str, str]], base: str) -> set[str]:
    """Hosts that the page links to outside the site; nothing is ever fetched from them."""
    urls = (urlsplit(link["url"]) for link in links if not link["url"].startswith(base))
    return {parts.hostname for parts in urls if parts.scheme in ("http", "https") and parts.hostname}
