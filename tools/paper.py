"""Write an exam paper and its mark scheme: ``python -m tools.paper --minutes 90 --topics svm-dual,viterbi --seed 3``.

Four formats: long questions; fill-ins and calculations with boxes to fill in and marks for each; multiple choice, where
a wrong answer costs marks; multiple answer, where any number of options may be right (``notes_lib.drills.papers``).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from notes_lib.drills import topics
from notes_lib.drills.papers import RULES, paper
from notes_lib.drills.webpage import title_of, webpage

ROOT = Path(__file__).resolve().parent.parent


def write(out: Path, name: str, markdown: str) -> Path:
    """Write one page."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}.html"
    path.write_text(webpage(markdown, title_of(markdown)), encoding="utf-8")
    return path


def printed(pages: list[Path]) -> list[Path]:
    """Print pages to PDF with Chromium."""
    from tools.print_page import new_page

    with new_page() as page:
        for path in pages:
            page.goto(path.as_uri())
            page.pdf(path=str(path.with_suffix(".pdf")), format="A4", prefer_css_page_size=True)
    return [path.with_suffix(".pdf") for path in pages]


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python3 run.py paper", description=__doc__)
    parser.add_argument("--minutes", type=int, default=90)
    parser.add_argument("--seed", type=int, default=0, help="which paper to draw (default 0)")
    parser.add_argument("--topics", help="of the drills, with commas; choices are of their chapters (default: all)")
    parser.add_argument("--format", choices=RULES, default="long")
    parser.add_argument("--no-pdf", action="store_true", help="write HTML only, which needs no browser")
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "papers")
    args: Any = parser.parse_args(argv)
    try:
        chosen = topics() if args.topics is None else [slug for slug in args.topics.split(",") if slug]
        texts = paper(args.format, args.minutes, args.seed, chosen, ROOT / "chapters")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    name = f"paper-{args.format}-{args.seed}"
    pages = [write(args.out, name + end, text) for end, text in zip(("", "-marks"), texts, strict=True)]
    for path in pages if args.no_pdf else pages + printed(pages):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
