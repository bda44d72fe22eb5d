"""What is tried once for the whole site: search, dark switch, links into a long page, a PDF, pages without a server."""

from __future__ import annotations

from typing import Any

from .pages import Site
from .paper import check_pdf
from .problems import Problem, Report
from .rules import collect
from .search import check_whole_search
from .visit import MODES, Session
from .watcher import watched_tab

HEADER = 200  # pixels that the header and a margin may take
TOP = """async (anchor) => { await new Promise((done) => setTimeout(done, 300));  // the page has settled
  return document.getElementById(anchor).getBoundingClientRect().top; }"""


def check_whole_site(session: Session) -> Report:
    """Search, dark switch, deep links, PDF and three pages opened without a server."""
    report = Report()
    context = session.contexts["light"].browser.new_context(**MODES["light"])
    page, watcher = watched_tab(context, session.base)
    watcher.name = session.site.root
    report.problems += check_whole_search(page, session.base, session.site, session.queries)
    report.problems += check_dark_switch(page, session.base, session.site)
    report.problems += check_deep_links(page, session.base, session.site)
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


def check_deep_links(page: Any, base: str, site: Site) -> list[Problem]:
    """A link to a section of the longest page brings that section to the top, however far down it is.

    Sections out of sight have estimated heights only (``content-visibility``), so that a jump could miss.
    """
    page.goto(base + site.largest)
    anchors = page.eval_on_selector_all("main section section[id]", "found => found.map(node => node.id)")
    problems = []
    for anchor in {anchors[len(anchors) * k // 4] for k in range(1, 4)} if anchors else ():
        page.goto(base + site.root)  # so that the jump is not made on a page that is laid out already
        page.goto(f"{base}{site.largest}#{anchor}")
        page.evaluate("() => document.fonts.ready")
        top = page.evaluate(TOP, anchor)
        if not -1 <= top <= HEADER:  # rounded to device pixels
            problems.append(Problem(site.largest, "deep link", f"#{anchor} is {top:.0f} px from the top"))
    return problems


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
