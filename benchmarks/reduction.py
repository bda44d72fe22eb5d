"""Workloads of the chapters on dimension reduction."""

from __future__ import annotations

from benchmarks.harness import Workload

WORKLOADS: list[Workload] = []
