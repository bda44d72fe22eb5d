"""One page in every mode: wide and light, wide and dark, on two phones and as on a sheet of paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Error

from .accessibility import AllowList, check_axe
from .features import DOWNLOAD, check_features
from .links import check_links, check_redirect, external_hosts
from .pages import Site
from .paper import check_print
from .problems import Problem, Report
from .rules import CONTENT_RULES, check_dark, check_layout, collect
from .watcher import Watcher, watched_tab

DESKTOP = {"width": 1280, "height": 900}
PHONES = (390, 360)
PAPER = 688  # CSS pixels between the margins of an A4 page (182 mm)
MODES: dict[str, dict[str, Any]] = {
    "light": {"viewport": DESKTOP, "color_scheme": "light"},
    "dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "phone": {"viewport": {"width": PHONES[0], "height": 800}, "color_scheme": "light"},
}


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
