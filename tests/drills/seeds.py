"""The seeds that a run of the tests goes through, and every drill of them, drawn once.

``python3 run.py test --seeds 200`` goes through 200 seeds instead of 40.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable
from functools import cache, wraps
from typing import Any

from notes_lib.drills import draw

SEEDS = range(int(os.environ.get("DRILL_SEEDS", "40")))
CHAIN_SEEDS = range(max(50, len(SEEDS)))

drawn = cache(draw)  # tests read a drill and leave it as it is


def each_seed(seeds: Iterable[int] = SEEDS) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make one test of a test with an argument ``seed``: it goes through the seeds, and names the one that fails."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(*args: Any, **kwargs: Any) -> None:
            for seed in seeds:
                try:
                    test(*args, seed=seed, **kwargs)
                except Exception as error:
                    error.add_note(f"seed {seed}")
                    raise

        signature = inspect.signature(test)
        kept = [p for p in signature.parameters.values() if p.name != "seed"]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return decorate
