"""Every page of the built site in a real browser; one line for each problem, exit status 1 if there is any.

    python -m tools.site_check _build/html [--all [--record] | --only PAGE ...] [--jobs N] [--no-axe]

Every page is opened once: what is on it, links, requests, widths. A page that changed since the last record, and some
that together have one of each kind of element, are also opened dark, on a phone and as on paper, judged by axe-core
and used as a reader does. No request leaves the machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .accessibility import AllowList
from .checked import CHECKED, record
from .own_tests import passed_here
from .pages import Site
from .problems import lines
from .search import QUERIES
from .weight import folder_size
from .workers import check_site


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="the built site, e.g. _build/html")
    parser.add_argument("--all", action="store_true", help="examine every page, changed or not")
    parser.add_argument("--record", action="store_true", help="with --all: if nothing is found, store what was checked")
    parser.add_argument("--checked", type=Path, default=CHECKED, metavar="FILE", help="where that is stored")
    parser.add_argument("--queries", type=Path, default=QUERIES, metavar="FILE", help="what the search is asked")
    parser.add_argument("--jobs", type=int, default=2, help="browsers at the same time (default 2)")
    parser.add_argument("--only", nargs="+", metavar="PAGE", help="examine these pages only, e.g. intro.html")
    parser.add_argument("--screenshots", type=Path, metavar="DIR", help="store pictures of every page here")
    parser.add_argument("--no-axe", dest="axe", action="store_false", help="leave out the accessibility checks")
    options = parser.parse_args(arguments)
    options.folder = options.folder.resolve()
    if not any(options.folder.glob("*.html")):
        parser.error(f"{options.folder} holds no site: build it first with `python3 run.py book --no-serve`")
    if options.record and (options.only or not options.axe or not options.all):
        parser.error("--record goes with --all, and with nothing left out")
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    options.allowed = AllowList.read()
    return options


def main(arguments: list[str]) -> int:
    """Check, print, and return the exit status."""
    options, start = parse(arguments), time.perf_counter()
    report = check_site(options.folder, options)
    print(*lines(report.problems), sep="\n", end="\n" if report.problems else "")
    if options.record and not report.problems:
        record(Site(options.folder), options.checked, passed_here())
    size, static = folder_size(options.folder), folder_size(options.folder / "_static")
    print(
        f"{report.pages} pages, {report.examined} of them examined in every way; "
        f"{report.links} links, {report.formulas} formulas; "
        f"links out of the site, not followed: {', '.join(sorted(report.hosts)) or 'none'}; "
        f"site {size / 1e6:.1f} MB, of it _static {static / 1e6:.1f} MB, largest first load without images "
        f"{report.load / 1e6:.2f} MB; {len(set(report.problems))} problems; {time.perf_counter() - start:.0f} s"
    )
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
