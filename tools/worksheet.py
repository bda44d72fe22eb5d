"""Write a worksheet of a chapter for paper: ``python -m tools.worksheet svm --seed 3``.

Of every drill of the chapter one worked exercise, three to do with room for the work, and on the last page the answers
(``notes_lib.drills.worksheets``). The page *Worksheet* of the book prints the same sheets.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path
from typing import Any

import yaml

from notes_lib.drills import by_chapter
from notes_lib.drills.worksheets import page, worksheet
from tools.paper import printed

ROOT = Path(__file__).resolve().parent.parent


def titles() -> dict[str, str]:
    """The titles of the pages that have drills, by stem: of chapters, and of pages of the revision."""
    parts = yaml.safe_load((ROOT / "chapters" / "outline.yml").read_text(encoding="utf-8"))
    planned = {f"{part['part']}/{one['stem']}": one["title"] for part in parts for one in part["chapters"]}
    return {name.split("/")[1]: planned.get(name) or heading(name) for name in by_chapter()}


def heading(name: str) -> str:
    """The first heading of a page in Markdown."""
    text = (ROOT / "chapters" / f"{name}.md").read_text(encoding="utf-8")
    return next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python3 run.py worksheet", description=__doc__)
    parser.add_argument("chapter", help="its stem, such as svm")
    parser.add_argument("--seed", type=int, default=0, help="which sheet (default 0); no two share an exercise")
    parser.add_argument("--no-pdf", action="store_true", help="write HTML only, which needs no browser")
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "worksheets")
    args: Any = parser.parse_args(argv)
    known = titles()
    if args.chapter not in known:
        near = ", ".join(difflib.get_close_matches(args.chapter, known, n=3) or known)
        print(f"no chapter with drills is called {args.chapter!r}; there is {near}", file=sys.stderr)
        return 2
    try:
        topics = next(found for name, found in by_chapter().items() if name.split("/")[1] == args.chapter)
        text = page(worksheet(known[args.chapter], topics, args.seed))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / f"{args.chapter}-{args.seed}.html"
    path.write_text(text, encoding="utf-8")
    for made in [path] if args.no_pdf else [path, *printed([path])]:
        print(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
