"""Interleaved timing: ours, peer, ours, peer, ... so that a drift of the machine's speed falls on both alike.

What is measured is the processor time of this process, in which time that other programs take does not count.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Workload:
    """One comparison.

    Attributes
    ----------
    name, size : str
        What is timed, on what data.
    peer_name : str
        Which implementation it is held against.
    ours, peer : callable
        Do the same work and return their result.
    difference : callable
        ``difference(ours_result, peer_result)``: largest difference of the results, in the units of the result.
    tolerance : float
        The results must not differ by more, else the times mean nothing.
    goal : float
        The ratio to reach.
    technique : str
        What makes our form fast, in one line.
    floor : float or None
        Below it the run fails; the goal itself if None. For workloads that reach their goal on some processors only.
    """

    name: str
    size: str
    peer_name: str
    ours: Callable[[], Any]
    peer: Callable[[], Any]
    difference: Callable[[Any, Any], float]
    tolerance: float
    goal: float
    technique: str
    floor: float | None = None

    @property
    def least(self) -> float:
        """The ratio below which the run fails."""
        return self.goal if self.floor is None else self.floor


@dataclass(frozen=True)
class Result:
    """Medians in seconds, and the median over rounds of peer time / our time."""

    workload: Workload
    ours: float
    peer: float
    ratio: float
    difference: float


def measure(workload: Workload, rounds: int = 7, shortest: float = 0.05) -> Result:
    """Time a workload.

    Parameters
    ----------
    workload : Workload
    rounds : int
        Each round times ours, then the peer.
    shortest : float
        Seconds that one timing must last; faster calls are repeated within it.

    Returns
    -------
    Result

    Raises
    ------
    RuntimeError
        If the two results differ by more than the workload's tolerance.
    """
    gap = workload.difference(workload.ours(), workload.peer())  # also the warm-up of both
    if not gap <= workload.tolerance:
        raise RuntimeError(f"{workload.name}: the results differ by {gap:.3g}, more than {workload.tolerance:g}.")
    repeats = [max(1, math.ceil(shortest / _time(f, 1))) for f in (workload.ours, workload.peer)]
    ours, peer = [], []
    for _ in range(rounds):
        ours.append(_time(workload.ours, repeats[0]))
        peer.append(_time(workload.peer, repeats[1]))
    ratio = statistics.median(p / o for o, p in zip(ours, peer, strict=True))
    return Result(workload, statistics.median(ours), statistics.median(peer), ratio, gap)


def _time(call: Callable[[], Any], repeats: int) -> float:
    gc.collect()
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats
