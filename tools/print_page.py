"""Print one page of the built book to PDF with Chromium: ``python -m tools.print_page PAGE OUT.pdf``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run the command line; returns the exit status."""
    from playwright.sync_api import sync_playwright

    from .site_check.browser import ARGUMENTS, find_chromium

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", help="as in _toc.yml, such as chapters/revision/formula_sheet")
    parser.add_argument("out", type=Path)
    parser.add_argument("--hide-answers", action="store_true", help="leave solutions and quiz answers out")
    args = parser.parse_args()
    page_file = ROOT / "_build" / "html" / f"{args.page}.html"
    if not page_file.exists():
        print(f"{args.page} is not a page of the built book: build it with python3 run.py book", file=sys.stderr)
        return 2
    args.out.parent.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        page = browser.new_page()
        page.goto(page_file.as_uri())
        if args.hide_answers:
            page.evaluate("document.body.classList.add('hide-answers')")
        page.pdf(path=str(args.out), format="A4", prefer_css_page_size=True)
        browser.close()
    print(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
