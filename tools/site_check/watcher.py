"""A tab that remembers what went wrong in it: console, exceptions, failed and external requests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .problems import Problem, shorten

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response


@dataclass
class Watcher:
    """Collects what goes wrong while a tab is open: console, exceptions, failed and external requests.

    Attributes
    ----------
    base : str
        Address of the site; a request elsewhere is external.
    name : str
        The page that is open now, for the reports.
    prefix : str
        Put before the name of each check, e.g. ``"file:// "``.
    problems : list of Problem
    opened : int
        How many pages the tab has opened.
    """

    base: str
    name: str = ""
    prefix: str = ""
    problems: list[Problem] = field(default_factory=list)
    opened: int = 0

    def attach(self, page: Page) -> None:
        """Listen to ``page``."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._add("page error", str(error)))
        page.on("request", self._request)
        page.on("requestfailed", self._failed)
        page.on("response", self._response)
        page.on("websocket", lambda socket: self._add("external request", socket.url))

    def take(self) -> list[Problem]:
        """Return what was collected so far and start anew."""
        taken, self.problems = self.problems, []
        return taken

    def _add(self, check: str, detail: str) -> None:
        self.problems.append(Problem(self.name, self.prefix + check, shorten(detail)))

    def _external(self, url: str) -> bool:
        return bool(re.match("https?:", url)) and not url.startswith(self.base)

    def _console(self, message: ConsoleMessage) -> None:
        if message.text.startswith("Failed to load resource"):
            return  # reported as a request, with its address
        if message.type in ("error", "warning"):
            self._add("console", message.text)

    def _request(self, request: Request) -> None:
        if self._external(request.url):
            self._add("external request", request.url)

    def _failed(self, request: Request) -> None:
        if not self._external(request.url) and "ERR_ABORTED" not in (request.failure or ""):
            self._add("request", f"{request.failure} {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and not self._external(response.url):
            self._add("request", f"{response.status} {response.url.removeprefix(self.base)}")


# The checks look at what the server sends: no service worker keeps it (tests/site/test_installed_site.py tries that).
NO_WORKER = "Object.defineProperty(navigator, 'serviceWorker', { value: undefined })"


def watched_tab(context: BrowserContext, base: str, prefix: str = "") -> tuple[Page, Watcher]:
    """Open a tab in ``context`` and a watcher that listens to it."""
    page, watcher = context.new_page(), Watcher(base, prefix=prefix)
    page.add_init_script(NO_WORKER)
    page.set_default_timeout(10_000)
    page.set_default_navigation_timeout(60_000)
    watcher.attach(page)
    return page, watcher
