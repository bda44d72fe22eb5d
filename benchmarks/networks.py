"""Workloads of the chapters on neural networks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
# @backpropagation imports
# @autoencoder imports


# @backpropagation


# @autoencoder


WORKLOADS: list[Callable[[], Workload]] = [
    # @backpropagation workloads
    # @autoencoder workloads
]
