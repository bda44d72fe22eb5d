"""Workloads of the chapters on data mining."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
# @apriori imports
# @recommender imports
# @anomaly_detection imports


# @apriori


# @recommender


# @anomaly_detection


WORKLOADS: list[Callable[[], Workload]] = [
    # @apriori workloads
    # @recommender workloads
    # @anomaly_detection workloads
]
