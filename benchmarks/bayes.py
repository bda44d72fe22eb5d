"""Workloads of the chapters of the part *Bayesian methods*."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.harness import Workload

WORKLOADS: list[Callable[[], Workload]] = []
