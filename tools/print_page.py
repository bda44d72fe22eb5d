"""Print one page of the built book to PDF with Chromium: ``python -m tools.print_page PAGE OUT.pdf``.

A page that lists the pages of its parts (``:::{card-list} must-know`` with ``:contents:``) is printed with all of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PARTS = "links => links.map(link => [link.textContent, link.href])"
# the cards of a part under its title; links are absolute, since they move to a page in another folder
TAKE = """title => {
  const list = document.querySelector('.card-list'), heading = document.createElement('h2');
  list.querySelectorAll('[href]').forEach(link => link.setAttribute('href', link.href));
  list.querySelectorAll('[src]').forEach(image => image.setAttribute('src', image.src));
  heading.className = 'card-list-part';
  heading.textContent = title;
  list.prepend(heading);
  return list.outerHTML;
}"""
PUT = "lists => { document.querySelector('.card-contents').outerHTML = lists.join(''); }"


@contextmanager
def new_page() -> Iterator[Any]:
    """Open Chromium with one empty tab."""
    from playwright.sync_api import sync_playwright

    from tools.site_check.browser import ARGUMENTS, find_chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        yield browser.new_page()
        browser.close()


def open_whole(page: Any, address: str) -> None:
    """Open a page; if it is the contents of lists of cards, the lists take the place of the contents."""
    page.goto(address)
    lists = []
    for title, part in page.eval_on_selector_all(".card-contents a", PARTS):
        page.goto(part)
        lists.append(page.evaluate(TAKE, title))
    if lists:
        page.goto(address)
        page.evaluate(PUT, lists)


def main() -> int:
    """Run the command line; returns the exit status."""
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
    with new_page() as page:
        open_whole(page, page_file.as_uri())
        if args.hide_answers:
            page.evaluate("document.body.classList.add('hide-answers')")
        page.pdf(path=str(args.out), format="A4", prefer_css_page_size=True)
    print(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
