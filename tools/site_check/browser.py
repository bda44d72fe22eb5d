"""Chromium and a local server of the built site."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

# What needs no browser is tested where none is installed: every module here is imported without Playwright too.
try:
    from playwright.sync_api import Error as PageError
except ImportError:

    class PageError(Exception):  # type: ignore[no-redef]
        """Nothing raises it where there is no browser."""


NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
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
def browser(executable: str, *more: str) -> Iterator[Browser]:
    """Start a headless browser with an empty profile (Playwright makes a temporary one), with ``more`` arguments."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = _launch(playwright, executable, *more)
        try:
            yield running
        finally:
            running.close()


def _launch(playwright: Playwright, executable: str, *more: str) -> Browser:
    return playwright.chromium.launch(executable_path=executable, headless=True, args=[*ARGUMENTS, OFFLINE, *more])
