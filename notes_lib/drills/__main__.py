"""Command line of the drills: ``python -m notes_lib.drills --help``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from notes_lib.drills import Drill, draw, exam, title, topics
from notes_lib.drills.checking import check
from notes_lib.drills.papers import scheme_of
from notes_lib.drills.terminal import readable
from notes_lib.drills.webpage import title_of, webpage


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m notes_lib.drills",
        description="Print a hand-calculation drill or a whole paper, or check your answers.",
        epilog="Topics: " + ", ".join(topics()),
    )
    parser.add_argument("topic", help="'list', 'exam', 'check' or a topic")
    parser.add_argument("checked", nargs="?", metavar="topic to check", help="after 'check'")
    parser.add_argument("--seed", type=int, default=0, help="which variant to draw (default 0)")
    parser.add_argument("--minutes", type=int, default=60, help="length of an exam (default 60)")
    parser.add_argument("--topics", help="topics of an exam, with commas (default: all)")
    parser.add_argument("--check", action="store_true", help="ask for the answer, field by field, and give the marks")
    forms = ["text", "markdown", "html"]
    parser.add_argument("--format", choices=forms, help="default: text in a terminal, else markdown")
    parser.add_argument(
        "--solution", "--solutions", dest="solution", action="store_true", help="print the solution too"
    )
    return parser


def _markdown(number: int | None, item: Drill, solution: bool) -> str:
    start = f"## {number}. " if number else "## "
    worth = f"{item.marks} marks, {item.minutes} minutes; {item.topic}, seed {item.seed}"
    text = f"{start}{item.title} ({worth})\n\n{item.statement}\n"
    return text + (f"\n### Solution\n\n{scheme_of(item)}\n" if solution else "")


def _paper(minutes: int, seed: int, chosen: str | None, solution: bool) -> str:
    items = exam(minutes, seed, None if chosen is None else [slug for slug in chosen.split(",") if slug])
    head = f"# Paper {seed}: {minutes} minutes, {sum(item.marks for item in items)} marks\n"
    scheme = "\n".join(f"| {n} | {item.title} | {item.marks} | {item.minutes} |" for n, item in enumerate(items, 1))
    table = f"\n| question | topic | marks | minutes |\n| ---: | :--- | ---: | ---: |\n{scheme}\n"
    return head + table + "".join("\n" + _markdown(n, item, solution) for n, item in enumerate(items, 1))


def _print(markdown: str, form: str | None) -> None:
    """Print in the format asked for; a terminal gets readable text."""
    form = form or ("text" if sys.stdout.isatty() else "markdown")
    if form == "html":
        print(webpage(markdown, title_of(markdown).partition(" (")[0]), end="")
    else:
        print(markdown if form == "markdown" else readable(markdown) + "\n", end="")


def _check(item: Drill, form: str | None) -> None:
    """Show a drill and ask for its answer; the answers may also come from a pipe, one on each line."""
    _print(_markdown(None, item, False), "markdown" if form == "markdown" else "text")
    print()
    check(item, input, print, patient=sys.stdin.isatty())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    args = _parser().parse_args(argv)
    try:
        if args.topic == "list":
            width = max(map(len, topics()))
            print("\n".join(f"{slug:{width}}  {title(slug)}" for slug in topics()))
        elif args.topic == "exam":
            _print(_paper(args.minutes, args.seed, args.topics, args.solution), args.format)
        elif args.check or args.topic == "check":
            _check(draw(args.checked or args.topic, args.seed), args.format)
        else:
            _print(_markdown(None, draw(args.topic, args.seed), args.solution), args.format)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
