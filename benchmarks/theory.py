"""Workloads of the chapters of the part *Learning theory*."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.harness import Workload

WORKLOADS: list[Callable[[], Workload]] = []
