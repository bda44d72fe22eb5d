"""Chromium, a local server and the record of what a page asked for: the ground under ``check_site.py``."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request, Response

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Every name and address but the server's own fails at once, so a stray request is seen and never leaves the machine.
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"

DESKTOP = {"width": 1280, "height": 900}
PHONES = (390, 360)
PAPER = 688  # CSS pixels between the margins of an A4 page (182 mm)


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong on one page."""

    page: str
    check: str
    detail: str


def find_chromium() -> str:
    """Path of the browser: the variable CHROMIUM, else the first of the usual names that is installed.

    Raises
    ------
    SystemExit
        If there is none; the message says what to do.
    """
    named = os.environ.get("CHROMIUM")
    for name in (named,) if named else NAMES:
        if path := shutil.which(name):
            return path
    if named:
        raise SystemExit(f"CHROMIUM={named} is not a program: set CHROMIUM to the path of Chromium or Chrome.")
    raise SystemExit("no Chromium found: run `apt-get install chromium`, or set CHROMIUM to the path of the browser.")


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open; a page makes some thirty requests

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the checks report what fails."""


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve ``folder`` on a free local port; yields its address, which ends in a slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def browser(executable: str) -> Iterator[Browser]:
    """Start a headless browser with an empty profile (Playwright makes a temporary one)."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = _launch(playwright, executable)
        try:
            yield running
        finally:
            running.close()


def _launch(playwright: Playwright, executable: str) -> Browser:
    return playwright.chromium.launch(executable_path=executable, headless=True, args=[*ARGUMENTS, OFFLINE])


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
    """

    base: str
    name: str = ""
    prefix: str = ""
    problems: list[Problem] = field(default_factory=list)

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


def watched_tab(context: BrowserContext, base: str, prefix: str = "") -> tuple[Page, Watcher]:
    """Open a tab in ``context`` and a watcher that listens to it."""
    page, watcher = context.new_page(), Watcher(base, prefix=prefix)
    page.set_default_timeout(10_000)
    page.set_default_navigation_timeout(60_000)
    watcher.attach(page)
    return page, watcher


def shorten(text: str, length: int = 160) -> str:
    """``text`` on one line, cut to ``length``."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
