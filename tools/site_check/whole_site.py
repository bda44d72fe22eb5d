"""What is tried once for the whole site: search, the dark switch, a PDF, and pages opened without a server."""

from __future__ import annotations

from typing import Any

from .pages import Site
from .paper import check_pdf
from .problems import Problem, Report
from .rules import collect
from .search import check_whole_search
from .visit import MODES, Session
from .watcher import watched_tab


def check_whole_site(session: Session) -> Report:
    """Search, dark switch, PDF and three pages opened without a server."""
    report = Report()
    context = session.contexts["light"].browser.new_context(**MODES["light"])
    page, watcher = watched_tab(context, session.base)
    watcher.name = session.site.root
    report.problems += check_whole_search(page, session.base, session.site, session.queries)
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


def check_dark_switch(page: Any, base: str, site: Site) -> list[Problem]:
    """The switch makes a light page dark, and the next page stays dark."""
    theme = "document.documentElement.dataset.theme"
    page.goto(base + site.root)
    switch = page.locator(".theme-switch-button:visible").first
    if not switch.count():
        return [Problem(site.root, "dark switch", "there is no switch")]
    for _ in range(3):  # light, dark, as the system
        switch.click()
        if page.evaluate(theme) == "dark":
            break
    else:
        return [Problem(site.root, "dark switch", "does not make the page dark")]
    page.goto(base + site.largest)
    if page.evaluate(theme) != "dark":
        return [Problem(site.largest, "dark switch", "the choice is forgotten on the next page")]
    return []
