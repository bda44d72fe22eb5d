"""Every page of the built site in a real browser; one line for each problem, exit status 1 if there is any.

    python -m tools.site_check _build/html [--jobs N] [--only PAGE ...] [--screenshots DIR] [--no-axe]

Each page is opened wide and light, wide and dark, on two phones and as on a sheet of paper. No request leaves the
machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .accessibility import AllowList
from .problems import lines
from .weight import folder_size
from .workers import check_site


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
