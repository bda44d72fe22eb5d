"""Command line of the drills: ``python -m notes_lib.drills --help``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from notes_lib.drills import Drill, draw, exam, topics


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m notes_lib.drills",
        description="Print a hand-calculation drill, or a whole paper, as Markdown.",
        epilog="Topics: " + ", ".join(topics()),
    )
    parser.add_argument("topic", help="'list', 'exam' or a topic")
    parser.add_argument("--seed", type=int, default=0, help="which variant to draw (default 0)")
    parser.add_argument("--minutes", type=int, default=60, help="length of an exam (default 60)")
    parser.add_argument(
        "--solution", "--solutions", dest="solution", action="store_true", help="print the solution too"
    )
    return parser


def _markdown(number: int | None, item: Drill, solution: bool) -> str:
    title = f"## {number}. " if number else "## "
    text = f"{title}{item.topic} ({item.marks} marks, {item.minutes} minutes, seed {item.seed})\n\n{item.statement}\n"
    return text + (f"\n### Solution\n\n{item.solution}\n" if solution else "")


def _paper(minutes: int, seed: int, solution: bool) -> str:
    items = exam(minutes, seed)
    head = f"# Paper {seed}: {minutes} minutes, {sum(item.marks for item in items)} marks\n"
    scheme = "\n".join(f"| {n} | {item.topic} | {item.marks} | {item.minutes} |" for n, item in enumerate(items, 1))
    table = f"\n| question | topic | marks | minutes |\n| ---: | :--- | ---: | ---: |\n{scheme}\n"
    return head + table + "".join("\n" + _markdown(n, item, solution) for n, item in enumerate(items, 1))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    args = _parser().parse_args(argv)
    try:
        if args.topic == "list":
            print("\n".join(topics()))
        elif args.topic == "exam":
            print(_paper(args.minutes, args.seed, args.solution), end="")
        else:
            print(_markdown(None, draw(args.topic, args.seed), args.solution), end="")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
