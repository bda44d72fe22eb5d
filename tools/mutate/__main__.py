"""Command line of the changes; ``python -m tools.mutate --help``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import tools.mutate
from tools.mutate import report


def main(argv: list[str] | None = None) -> int:
    """Try changes; exit status 1 if too few of them are noticed."""
    parser = argparse.ArgumentParser(
        prog="run.py mutate", description=tools.mutate.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "paths",
        nargs="+",
        type=Path,
        help="notebooks, modules or packages; or formulas, solutions, quiz or quiz-words, and chapters",
    )
    parser.add_argument("--most", type=int, metavar="N", help="try N changes of each path (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default 0)")
    parser.add_argument("--goal", type=float, default=90, metavar="PERCENT", help="share to be noticed (default 90)")
    parser.add_argument("-j", type=int, default=1, dest="jobs", help="processes at the same time (default 1)")
    args = parser.parse_args(argv)
    if not hasattr(os, "fork"):
        parser.error("needs a system that can fork, such as Linux or macOS")
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # as in run.py; more only get in each other's way
        os.environ.setdefault(name, "1")
    tallies = []
    text = args.paths[0].name if str(args.paths[0]) in ("formulas", "solutions", "quiz", "quiz-words") else ""
    for path in args.paths[bool(text) :]:
        try:
            tallies.append(_try(path, args.most, args.seed, args.jobs, text))
        except (ValueError, FileNotFoundError) as error:
            print(error, file=sys.stderr)
            return 2
        print(report.listing(tallies[-1]), flush=True)
    print(report.table(tallies))
    return 0 if all(100 * tally.share >= args.goal for tally in tallies) else 1


def _try(path: Path, most: int | None, seed: int, jobs: int, text: str) -> report.Tally:
    if text == "formulas":
        from tools.mutate.formulas import try_formulas

        return try_formulas(path.name, most, seed)
    if text.startswith("quiz"):
        from tools.mutate.quizzes import try_quiz

        return try_quiz(path.name, most, seed, text == "quiz-words", jobs)
    if text:
        from tools.mutate.solutions import try_solutions

        return try_solutions(path.name, most, seed)
    if path.suffix == ".ipynb":
        from tools.mutate.cells import try_cells

        return try_cells(path, most, seed, jobs)
    from tools.mutate.modules import try_module

    return try_module(path, most, seed, jobs)


if __name__ == "__main__":
    sys.exit(main())
