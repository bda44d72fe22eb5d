"""Command line of the benchmarks: ``python -m benchmarks [--write] [name ...]``."""

from __future__ import annotations

import argparse
import sys
import warnings

from threadpoolctl import threadpool_limits

from benchmarks import (
    bayes,
    clustering,
    foundations,
    kernels,
    linear,
    mining,
    neighbors,
    networks,
    reduction,
    reinforcement,
    scaling,
    sequences,
    theory,
    trees,
)
from benchmarks.harness import measure
from benchmarks.stored import RUNS, TECHNIQUES, as_markdown, run_of, store

# in the order of the book
PARTS = (
    foundations, neighbors, bayes, linear, theory, kernels, trees, clustering, sequences, reinforcement, reduction,
    networks, mining, scaling,
)  # fmt: skip
WORKLOADS = [workload for part in PARTS for workload in part.WORKLOADS]


def main() -> int:
    """Measure, print, and with ``--write`` store the run; exit status 1 when a ratio is too low."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="only these workloads: " + ", ".join(f.__name__ for f in WORKLOADS))
    parser.add_argument("--write", action="store_true", help=f"store the run of this processor in {RUNS.name}")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    if args.write and args.names:
        parser.error("--write stores a whole run: leave out the names.")
    warnings.simplefilter("ignore")  # both stop after a fixed number of iterations and say so
    chosen = [f for f in WORKLOADS if not args.names or f.__name__ in args.names]
    with threadpool_limits(1):
        results = {f.__name__: measure(f(), rounds=args.rounds) for f in chosen}
    workloads, run = {key: r.workload for key, r in results.items()}, run_of(results)
    print(as_markdown([run], workloads).partition(TECHNIQUES)[0])
    if args.write:
        store(run, workloads)
    missed = [r.workload.name for r in results.values() if r.ratio < r.workload.goal]
    print("below the goal: " + ", ".join(missed) if missed else "every goal is reached")
    return 1 if any(r.ratio < r.workload.least for r in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
