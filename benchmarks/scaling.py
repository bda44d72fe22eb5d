"""Workloads of the chapters on scaling up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
# @sufficient_statistics imports


# @sufficient_statistics


WORKLOADS: list[Callable[[], Workload]] = [
    # @sufficient_statistics workloads
]
