"""Command line of the benchmarks: ``python -m benchmarks [--write] [name ...]``."""

from __future__ import annotations

import argparse
import platform
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks import bayes, clustering, foundations, kernels, linear, neighbors, sequences, theory, trees
from benchmarks.harness import Result, measure

# in the order of the book
PARTS = (foundations, neighbors, bayes, linear, theory, kernels, trees, clustering, sequences)
WORKLOADS = [workload for part in PARTS for workload in part.WORKLOADS]
RESULTS = Path(__file__).with_name("results.md")
TECHNIQUES = "<!-- techniques -->"


def processor() -> str:
    """Name of the processor, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def emphasised(result: Result) -> str:
    """The ratio, in bold when it reaches the goal."""
    ratio = f"{result.ratio:.2f}"
    return f"**{ratio}**" if result.ratio >= result.workload.goal else ratio


def as_markdown(results: list[Result]) -> str:
    """The table of the page *How fast is it?*, and below ``TECHNIQUES`` what makes each workload fast."""
    head = (
        f"Measured on {processor()}, one thread, Python {platform.python_version()}, NumPy {version('numpy')}, "
        f"SciPy {version('scipy')}, scikit-learn {version('scikit-learn')}.\n\n"
        "| workload | data | peer | peer (ms) | ours (ms) | ratio | goal | largest difference |\n"
        "| :--- | :--- | :--- | ---: | ---: | ---: | ---: | ---: |\n"
    )
    rows = (
        f"| {r.workload.name} | {r.workload.size} | {r.workload.peer_name} | {1e3 * r.peer:.0f} | {1e3 * r.ours:.0f} "
        f"| {emphasised(r)} | {r.workload.goal:g} | {r.difference:.0e} |\n"
        for r in results
    )
    named: dict[str, list[str]] = {}
    for r in results:
        names = named.setdefault(r.workload.technique, [])
        names += [r.workload.name] * (r.workload.name not in names)
    list_ = (f"- **{'; '.join(names)}**: {technique}\n" for technique, names in named.items())
    return head + "".join(rows) + f"\n{TECHNIQUES}\n\n" + "".join(list_)


def main() -> int:
    """Measure, print, and with ``--write`` store the table; exit status 1 when a ratio is too low."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these workloads: " + ", ".join(f.__name__ for f in WORKLOADS))
    parser.add_argument("--write", action="store_true", help=f"store the table in {RESULTS.name}")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    warnings.simplefilter("ignore")  # both stop after a fixed number of iterations and say so
    chosen = [f for f in WORKLOADS if not args.names or f.__name__ in args.names]
    with threadpool_limits(1):
        results = [measure(f(), rounds=args.rounds) for f in chosen]
    table = as_markdown(results)
    print(table)
    if args.write:
        RESULTS.write_text(table, encoding="utf-8")
    missed = [r.workload.name for r in results if r.ratio < r.workload.goal]
    print("below the goal: " + ", ".join(missed) if missed else "every goal is reached")
    return 1 if any(r.ratio < r.workload.least for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
