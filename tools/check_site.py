"""Every page of the built site in a real browser; one line for each problem, exit status 1 if there is any.

    python tools/check_site.py _build/html [--jobs N] [--only PAGE ...] [--screenshots DIR] [--no-axe]

Each page is opened wide and light, wide and dark, on two phones and as on a sheet of paper. The rules are in
``_site_rules.py``, links in ``_site_pages.py``, what a reader does in ``_site_interactions.py``, accessibility in
``_site_axe.py``. No request leaves the machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from _site_axe import AllowList, check_axe
from _site_browser import DESKTOP, PAPER, PHONES, Problem, Watcher, browser, find_chromium, serve, watched_tab
from _site_interactions import (
    DOWNLOAD,
    FEATURES,
    check_dark_switch,
    check_features,
    check_pdf,
    check_print,
    check_search,
)
from _site_pages import Site, check_links, check_redirect, check_weight, external_hosts, folder_size
from _site_rules import CONTENT_RULES, check_dark, check_layout, collect
from playwright.sync_api import Error

MODES: dict[str, dict[str, Any]] = {
    "light": {"viewport": DESKTOP, "color_scheme": "light"},
    "dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "phone": {"viewport": {"width": PHONES[0], "height": 800}, "color_scheme": "light"},
}


@dataclass
class Report:
    """What was found on some pages; reports add up."""

    problems: list[Problem] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)
    pages: int = 0
    links: int = 0
    formulas: int = 0
    load: int = 0  # largest first load of a page without its images, bytes

    def add(self, other: Report) -> None:
        """Add ``other`` to this one."""
        self.problems += other.problems
        self.features |= other.features
        self.hosts |= other.hosts
        self.pages += other.pages
        self.links += other.links
        self.formulas += other.formulas
        self.load = max(self.load, other.load)


@dataclass
class Session:
    """One browser with a tab for each mode, renewed for each page, and all that the checks need to know."""

    site: Site
    base: str
    allowed: AllowList
    axe: bool
    screenshots: Path | None
    contexts: dict[str, Any]
    tabs: dict[str, tuple[Any, Watcher]] = field(default_factory=dict)

    def renew(self) -> None:
        """Replace the tabs by fresh ones: none grows from page to page, and a crash stays with its page."""
        for page, _ in self.tabs.values():
            page.close()
        self.tabs = {mode: watched_tab(context, self.base) for mode, context in self.contexts.items()}

    def open(self, mode: str, name: str) -> Any:
        """Load page ``name`` in the tab for ``mode`` (a key of ``MODES``) and wait for its images and fonts."""
        page, watcher = self.tabs[mode]
        watcher.name = name
        page.set_viewport_size(MODES[mode]["viewport"])
        page.goto(self.base + name, wait_until="load")
        collect(page, "settle")
        return page


def check_page(session: Session, name: str) -> Report:
    """Apply every rule to one page; one that crashes its tab is tried once more, in case it was the browser's fault."""
    if session.site.redirect(name):
        return Report(check_redirect(session.site, name))
    for last in (False, True):
        report = Report(pages=1)
        session.renew()
        try:
            _check_light(session, name, report)
            _check_phone(session, name, report)
            _check_dark(session, name, report)
        except Error as error:
            if "crashed" in error.message and not last:
                continue
            report.problems.append(Problem(name, "browser", error.message.splitlines()[0]))
        break
    for _, watcher in session.tabs.values():
        report.problems += watcher.take()
    return report


def _check_light(session: Session, name: str, report: Report) -> None:
    """Content, links, width, accessibility, paper, then what a reader does (last, because it changes the page)."""
    page = session.open("light", name)
    facts = collect(page, "content")
    for rule in CONTENT_RULES:
        report.problems += rule(name, facts)
    report.problems += check_links(session.site, name, facts["links"], session.base)
    report.hosts |= external_hosts(facts["links"], session.base)
    report.links, report.formulas, report.load = len(facts["links"]), facts["math"], collect(page, "weight")
    _accessible_and_seen(session, page, name, "light", report)
    report.problems += check_layout(name, f"{DESKTOP['width']} px", collect(page, "layout"))
    page.set_viewport_size({"width": PAPER, "height": 900})
    report.problems += check_print(page, name)
    page.set_viewport_size(DESKTOP)
    problems, seen = check_features(page, name, session.site)
    report.problems += problems
    report.features |= seen
    if (session.site.folder / "_sources" / name).with_suffix(".ipynb").is_file():
        report.problems += DOWNLOAD.run(page, name, session.site)
        report.features.add(DOWNLOAD.name)


def _check_phone(session: Session, name: str, report: Report) -> None:
    page = session.open("phone", name)
    _accessible_and_seen(session, page, name, "phone", report)
    for width in PHONES:
        page.set_viewport_size({"width": width, "height": 800})
        report.problems += check_layout(name, f"{width} px", collect(page, "layout"))


def _check_dark(session: Session, name: str, report: Report) -> None:
    page = session.open("dark", name)
    report.problems += check_dark(name, page)
    _accessible_and_seen(session, page, name, "dark", report)


def _accessible_and_seen(session: Session, page: Any, name: str, mode: str, report: Report) -> None:
    """Run axe-core and take a screenshot, where asked for."""
    if session.axe:
        report.problems += check_axe(name, page, mode, session.allowed)
    if session.screenshots:
        file = session.screenshots / f"{name.removesuffix('.html').replace('/', '-')}-{mode}.png"
        page.screenshot(path=file, full_page=True, timeout=60_000)


def check_whole_site(session: Session) -> Report:
    """Search, dark switch, PDF and three pages opened without a server."""
    report = Report()
    context = session.contexts["light"].browser.new_context(**MODES["light"])
    page, watcher = watched_tab(context, session.base)
    watcher.name = session.site.root
    report.problems += check_search(page, session.base, session.site)
    report.problems += check_dark_switch(page, session.base, session.site)
    report.problems += check_pdf(page, session.site.largest)
    page.close()
    page, watcher = watched_tab(context, session.site.folder.as_uri(), prefix="file:// ")
    for name in dict.fromkeys((session.site.root, session.site.largest, "search.html")):
        if name in session.site.pages:
            watcher.name = name
            page.goto((session.site.folder / name).as_uri())
            collect(page, "settle")
    report.problems += watcher.take()
    context.close()
    return report


def work(queue: SimpleQueue[str | None], site: Site, base: str, executable: str, options: argparse.Namespace) -> Report:
    """Check pages from ``queue`` until it is empty, in one browser; None stands for the whole site."""
    report = Report()
    with browser(executable) as running:
        contexts = {mode: running.new_context(**settings) for mode, settings in MODES.items()}
        session = Session(site, base, options.allowed, options.axe, options.screenshots, contexts)
        while True:
            try:
                name = queue.get_nowait()
            except Empty:
                return report
            report.add(check_whole_site(session) if name is None else check_page(session, name))


def check_site(folder: Path, options: argparse.Namespace) -> Report:
    """Check the site in ``folder``; the options are those of the command line."""
    site, executable = Site(folder), find_chromium()
    names = options.only or site.pages
    if unknown := [name for name in names if name not in site.pages]:
        raise SystemExit(f"no such page in {folder}: {', '.join(unknown)}")
    queue: SimpleQueue[str | None] = SimpleQueue()
    whole = [] if options.only else [None]
    for name in [*whole, *sorted(names, key=lambda n: -len(site.html(n)))]:  # long ones first: workers end together
        queue.put(name)
    total = Report(problems=check_weight(site))
    with serve(folder) as base, ThreadPoolExecutor(options.jobs) as pool:
        for future in [pool.submit(work, queue, site, base, executable, options) for _ in range(options.jobs)]:
            total.add(future.result())
    if not options.only:
        total.problems += missing_features(total.features)
        total.problems += options.allowed.stale() if options.axe else []
    return total


def missing_features(seen: set[str]) -> list[Problem]:
    """A feature that no page has any more is a fault of the build."""
    names = {feature.name for feature in (*FEATURES, DOWNLOAD)}
    return [Problem("(all pages)", name, "no page of the site has one") for name in sorted(names - seen)]


def lines(problems: Iterable[Problem], most: int = 3) -> list[str]:
    """One line for each problem; what is on more than ``most`` pages, or as often on one page, shares a line."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for problem in sorted(set(problems)):
        places[problem.check, problem.detail].append(problem.page)
    rows: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (check, detail), pages in places.items():
        for page in pages if len(pages) <= most else [f"{pages[0]} (and {len(pages) - 1} other pages)"]:
            rows[page, check, detail.split(" @ ")[0] if check.startswith("axe") else ""].append(detail)
    return [
        f"{page} | {check} | {detail}"
        for (page, check, _), details in sorted(rows.items())
        for detail in (details if len(details) <= most else [*details[:most], f"... and {len(details) - most} more"])
    ]


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="the built site, e.g. _build/html")
    parser.add_argument("--jobs", type=int, default=2, help="browsers at the same time (default 2)")
    parser.add_argument("--only", nargs="+", metavar="PAGE", help="check these pages only, e.g. intro.html")
    parser.add_argument("--screenshots", type=Path, metavar="DIR", help="store pictures of every page here")
    parser.add_argument("--no-axe", dest="axe", action="store_false", help="leave out the accessibility checks")
    options = parser.parse_args(arguments)
    options.folder = options.folder.resolve()
    if not any(options.folder.glob("*.html")):
        parser.error(f"{options.folder} holds no site: build it first with `python3 run.py book --no-serve`")
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    options.allowed = AllowList.read()
    return options


def main(arguments: list[str]) -> int:
    """Check, print, and return the exit status."""
    options, start = parse(arguments), time.perf_counter()
    report = check_site(options.folder, options)
    print(*lines(report.problems), sep="\n", end="\n" if report.problems else "")
    size, static = folder_size(options.folder), folder_size(options.folder / "_static")
    print(
        f"{report.pages} pages, {report.links} links, {report.formulas} formulas; "
        f"links out of the site, not followed: {', '.join(sorted(report.hosts)) or 'none'}; "
        f"site {size / 1e6:.1f} MB, of it _static {static / 1e6:.1f} MB, largest first load without images "
        f"{report.load / 1e6:.2f} MB; {len(set(report.problems))} problems; {time.perf_counter() - start:.0f} s"
    )
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
