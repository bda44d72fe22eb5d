"""The book, a part or a chapter as PDF: ``python3 run.py pdf``, ``python3 run.py pdf clustering``, ``pdf svm``."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urldefrag

import yaml

from .binding import Binder, Sheets
from .outline import Printed, contents, merged
from .plan import BIBLIOGRAPHY, Plan, chosen
from .press import Press, press

ROOT = Path(__file__).resolve().parents[2]


class Printing(NamedTuple):
    """What has been printed: a file for each page, and what is known of it."""

    pages: list[str]
    files: list[Path]
    known: list[Printed]


def print_all(machine: Press, plan: Plan, running: str, folder: Path) -> Printing:
    """Print every page of a plan; page numbers go on from one to the next."""
    done, cited = Printing([], [], []), set[str]()
    for part in plan.parts:
        for i, page in enumerate(part.pages):
            path = folder / f"{len(done.files)}.pdf"
            before = sum(printed.length for printed in done.known)
            entries = (
                _cited(machine, cited)
                if page == BIBLIOGRAPHY and plan.pages[0] != page and plan.name != "book"
                else None
            )
            if entries is not None and not entries:  # nothing is cited
                continue
            machine.print_page(page, running, before + 1, path, entries)
            sheets = Sheets(path)
            cited |= sheets.links()
            opens = part.title if i == 0 and len(plan.parts) > 2 else ""
            done.pages.append(page)
            done.files.append(path)
            done.known.append(Printed(opens, sheets.headings(), sheets.length))
            print(f"  {page}: {sheets.length} pages", flush=True)
    return done


def _cited(machine: Press, links: set[str]) -> set[str]:
    """Labels of the works that links lead to."""
    bibliography = machine.address(BIBLIOGRAPHY)
    return {label for address, label in map(urldefrag, links) if address == bibliography}


def bind(machine: Press, plan: Plan, printing: Printing, about: dict[str, str], out: Path) -> int:
    """Put what has been printed behind its contents; return the number of pages."""
    headings = merged(printing.known)
    title = plan.title or (headings[0].title if headings else plan.name)
    front = printing.files[0].with_name("contents.pdf")
    machine.print_contents(contents(title, headings, _fonts(machine.html)), front)
    binder, opening = Binder(), Sheets(front)
    binder.add("", opening)
    for page, path in zip(printing.pages, printing.files, strict=True):
        binder.add(machine.address(page), Sheets(path))
    binder.finish(headings, opening.length, {**about, "/Title": title}, out)
    return len(binder.writer.pages)


def _fonts(html: Path) -> str:
    style = html / "_static" / "book.css"
    return f'<link rel="stylesheet" href="{style.as_uri()}">' if style.exists() else ""


def make(html: Path, toc: dict[str, Any], config: dict[str, Any], word: str, out: Path) -> Path:
    """Make the PDF that a word asks for from a built site; return where it is.

    Raises
    ------
    ValueError
        If nothing has that name, or the site lacks a page of it.
    """
    plan = chosen(toc, word, str(config.get("title", "")))
    missing = [page for page in plan.pages if not (html / f"{page}.html").exists()]
    if missing:
        raise ValueError(f"{missing[0]} is not a page of the built book: build it with python3 run.py book --no-serve")
    start, path = time.monotonic(), out / f"{plan.name}.pdf"
    with tempfile.TemporaryDirectory() as folder, press(html) as machine:
        printing = print_all(machine, plan, str(config.get("title", "")), Path(folder))
        about = {"/Author": str(config.get("author", "")), "/Subject": str(config.get("title", ""))}
        pages = bind(machine, plan, printing, about, path)
    print(f"{pages} pages, {path.stat().st_size / 1e6:.0f} MB, {time.monotonic() - start:.0f} s")
    return path


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python3 run.py pdf", description=__doc__)
    parser.add_argument("name", nargs="?", default="", help="of a part (clustering) or a chapter (svm); none: the book")
    parser.add_argument("--html", type=Path, default=ROOT / "_build" / "html", help="the built book")
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "pdf", help="folder of the PDF")
    options = parser.parse_args(arguments)
    toc, config = (yaml.safe_load((ROOT / f"{name}.yml").read_text(encoding="utf-8")) for name in ("_toc", "_config"))
    try:
        print(make(options.html.resolve(), toc, config, options.name, options.out))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
