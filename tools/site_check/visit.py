"""One page in every mode: wide and light, wide and dark, on two phones and as on a sheet of paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .accessibility import AllowList, check_axe
from .browser import PageError
from .features import DOWNLOAD, check_features, features_of
from .links import check_links, check_redirect, external_hosts
from .pages import Site
from .paper import check_print
from .plan import Depth
from .problems import Problem, Report
from .rules import CONTENT_RULES, check_dark, check_layout, collect
from .search import Query
from .watcher import Watcher, watched_tab

DESKTOP = {"width": 1280, "height": 900}
PHONES = (390, 360)
TAB_LIFE = 12  # pages that a tab opens before a fresh one takes over, so that none grows without end
PAPER = 688  # CSS pixels between the margins of an A4 page (182 mm)
MODES: dict[str, dict[str, Any]] = {
    "light": {"viewport": DESKTOP, "color_scheme": "light"},
    "dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "phone": {"viewport": {"width": PHONES[0], "height": 800}, "color_scheme": "light"},
}


@dataclass
class Session:
    """One browser with a tab for each mode, and all that the checks need to know."""

    site: Site
    base: str
    allowed: AllowList
    axe: bool
    screenshots: Path | None
    contexts: dict[str, Any]
    queries: list[Query] = field(default_factory=list)
    tabs: dict[str, tuple[Any, Watcher]] = field(default_factory=dict)
    judged: dict[str, set[str]] = field(default_factory=lambda: {mode: set() for mode in MODES})  # of the sidebar

    def open(self, mode: str, name: str) -> Any:
        """Page ``name`` in the tab for ``mode`` (a key of ``MODES``), loaded with images and fonts unless it is."""
        page, watcher = self._tab(mode, name)
        page.set_viewport_size(MODES[mode]["viewport"])
        if watcher.name != name:
            watcher.name, watcher.opened = name, watcher.opened + 1
            page.goto(self.base + name, wait_until="load")
            collect(page, "settle")
        return page

    def _tab(self, mode: str, name: str) -> tuple[Any, Watcher]:
        _, watcher = self.tabs.get(mode, (None, None))
        if watcher and watcher.opened >= TAB_LIFE and watcher.name != name:
            self.close(mode)
        if mode not in self.tabs:
            self.tabs[mode] = watched_tab(self.contexts[mode], self.base)
        return self.tabs[mode]

    def take(self) -> list[Problem]:
        """What went wrong in the tabs since the last call."""
        return [problem for _, watcher in self.tabs.values() for problem in watcher.take()]

    def close(self, *modes: str) -> None:
        """Close the tabs for ``modes``."""
        for mode in modes:
            self.tabs.pop(mode)[0].close()


def check_page(session: Session, name: str, depth: Depth) -> Report:
    """Apply every rule to one page; one that crashes its tab is tried once more, in case it was the browser's fault."""
    if session.site.redirect(name):
        return Report(check_redirect(session.site, name))
    for last in (False, True):
        report = Report(pages=1, examined=int(depth > Depth.GLANCE))
        failure = _failure(session, name, depth, report)
        report.problems += session.take()
        if failure is None:
            break
        session.close(*session.tabs)
        if last or "crashed" not in failure:
            report.problems.append(Problem(name, "browser", failure))
            break
    return report


def _failure(session: Session, name: str, depth: Depth, report: Report) -> str | None:
    """Look at a page; return the browser's complaint, if it has one."""
    try:
        _glance(session, name, report)
        if depth > Depth.GLANCE:
            _examine_light(session, name, depth, report)
            _examine_phone(session, name, depth, report)
            _examine_dark(session, name, depth, report)
    except PageError as error:
        return error.message.splitlines()[0]
    return None


def _glance(session: Session, name: str, report: Report) -> None:
    """Content, links and widths: one load of the page."""
    page = session.open("light", name)
    facts = collect(page, "content")
    for rule in CONTENT_RULES:
        report.problems += rule(name, facts)
    report.problems += check_links(session.site, name, facts["links"], session.base)
    report.hosts |= external_hosts(facts["links"], session.base)
    report.links, report.formulas, report.load = len(facts["links"]), facts["math"], collect(page, "weight")
    report.features |= {feature.name for feature in features_of(page)}
    report.features |= {DOWNLOAD.name} if session.site.notebook(name).is_file() else set()
    _check_widths(page, name, (DESKTOP["width"], min(PHONES)), report)


def _check_widths(page: Any, name: str, widths: Iterable[int], report: Report) -> None:
    for width in widths:
        page.set_viewport_size({"width": width, "height": DESKTOP["height"]})
        report.problems += check_layout(name, f"{width} px", collect(page, "layout"))


def _examine_light(session: Session, name: str, depth: Depth, report: Report) -> None:
    """Accessibility, paper, then what a reader does (last, because it changes the page)."""
    page = session.open("light", name)
    if depth == Depth.SAMPLE:
        collect(page, "thin")
    _accessible_and_seen(session, page, name, "light", report)
    page.set_viewport_size({"width": PAPER, "height": 900})
    report.problems += check_print(page, name)
    page.set_viewport_size(DESKTOP)
    report.problems += check_features(page, name, session.site)
    if session.site.notebook(name).is_file():
        report.problems += DOWNLOAD.run(page, name, session.site)


def _examine_phone(session: Session, name: str, depth: Depth, report: Report) -> None:
    """Accessibility, and the widths: here the page is as narrow when it is loaded."""
    page = session.open("phone", name)
    _check_widths(page, name, PHONES, report)
    page.set_viewport_size(MODES["phone"]["viewport"])
    if depth == Depth.SAMPLE:
        collect(page, "thin")
    _accessible_and_seen(session, page, name, "phone", report)


def _examine_dark(session: Session, name: str, depth: Depth, report: Report) -> None:
    page = session.open("dark", name)
    report.problems += check_dark(name, page)
    if depth == Depth.SAMPLE:
        collect(page, "thin")
    _accessible_and_seen(session, page, name, "dark", report)


def _accessible_and_seen(session: Session, page: Any, name: str, mode: str, report: Report) -> None:
    """Run axe-core and take a screenshot, where asked for."""
    if session.axe:
        report.problems += check_axe(name, page, mode, session.allowed, session.judged[mode])
    if session.screenshots:
        file = session.screenshots / f"{name.removesuffix('.html').replace('/', '-')}-{mode}.png"
        page.screenshot(path=file, full_page=True, timeout=60_000)
