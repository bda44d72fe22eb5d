"""Workloads of the chapters on scaling up."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.clustering.gmm import GaussianMixture
from notes_lib.clustering.gmm.steps import MStep
from notes_lib.clustering.kmeans import KMeans
from notes_lib.linear.gaussian_discriminant import LinearDiscriminantAnalysis
from notes_lib.linear.linear_regression import LinearRegression
from notes_lib.scaling.sufficient_statistics import (
    ChunkedGaussianMixture,
    ChunkedKMeans,
    ChunkedLinearDiscriminantAnalysis,
    ChunkedLinearRegression,
    FileChunks,
    map_reduce,
    merge_moments,
    mixture_moments,
    moments,
)

TENTHS = "a tenth of the rows at a time; "


def _tenths(*arrays: np.ndarray) -> list[Any]:
    pieces = list(zip(*(np.array_split(a, 10) for a in arrays), strict=True))
    return pieces if len(arrays) > 1 else [piece for (piece,) in pieces]


def _gap(name: str) -> Callable[[Any, Any], float]:
    return lambda a, b: float(np.max(np.abs(getattr(a, name) - getattr(b, name))))


def chunked_regression() -> Workload:
    """Least squares in ten chunks."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200_000, 20)) + 5
    y = X @ rng.normal(size=20) + rng.normal(size=200_000)
    chunks = _tenths(X, y)
    return Workload(
        name="linear regression in chunks",
        size="200,000 x 20, ten chunks",
        peer_name="all rows in memory (ours)",
        ours=lambda: ChunkedLinearRegression().fit(chunks),
        peer=lambda: LinearRegression().fit(X, y),
        difference=_gap("coef_"),
        tolerance=1e-10,
        goal=1 / 1.3,
        technique=TENTHS + "triangles of the centred rows are stacked",
    )


def chunked_discriminant() -> Workload:
    """Discriminant analysis in ten chunks."""
    rng = np.random.default_rng(0)
    y = rng.integers(5, size=200_000)
    X = rng.normal(size=(200_000, 20)) + y[:, None]
    chunks = _tenths(X, y)
    return Workload(
        name="discriminant analysis in chunks",
        size="200,000 x 20, 5 classes, ten chunks",
        peer_name="all rows in memory (ours)",
        ours=lambda: ChunkedLinearDiscriminantAnalysis().fit(chunks),
        peer=lambda: LinearDiscriminantAnalysis().fit(X, y),
        difference=_gap("covariance_"),
        tolerance=1e-10,
        goal=1 / 1.3,
        technique=TENTHS + "class means and one pooled scatter are merged",
    )


def chunked_kmeans() -> Workload:
    """Twenty iterations of Lloyd in ten chunks."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 16)) + rng.integers(0, 20, size=(100_000, 1))
    init, chunks = X[:64], _tenths(X)
    return Workload(
        name="k-means in chunks",
        size="100,000 x 16, k 64, at most 20 passes, ten chunks",
        peer_name="all rows in memory (ours)",
        ours=lambda: ChunkedKMeans(64, init=init, tol=1e-3, max_iter=20).fit(chunks),
        peer=lambda: KMeans(64, init=init, n_init=1, tol=1e-3, max_iter=20).fit(X),
        difference=_gap("cluster_centers_"),
        tolerance=1e-9,
        goal=1 / 1.3,
        technique=TENTHS + "a column of ones lets one product give counts and sums",
    )


def chunked_mixture() -> Workload:
    """Ten passes of EM in ten chunks."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 8)) + rng.integers(0, 8, size=(50_000, 1))
    unit = np.array([np.eye(8)] * 8)
    start = {"weights_init": np.full(8, 1 / 8), "means_init": X[:8], "tol": 0.0, "max_iter": 10}
    chunks = _tenths(X)
    return Workload(
        name="Gaussian mixture in chunks",
        size="50,000 x 8, 8 components, 10 passes, ten chunks",
        peer_name="all rows in memory (ours)",
        ours=lambda: ChunkedGaussianMixture(8, covariances_init=unit, **start).fit(chunks),
        peer=lambda: GaussianMixture(8, precisions_init=unit, **start).fit(X),
        difference=_gap("means_"),
        tolerance=1e-7,
        goal=1 / 1.3,
        technique=TENTHS + "weighted moments are merged, and the M-step is done once",
    )


def light(index: int, chunk: Any) -> Any:
    """Moments of a chunk: little work for each number that is moved."""
    return moments(chunk() if callable(chunk) else chunk)


def heavy(index: int, chunk: Any) -> Any:
    """A pass of EM with 40 components: much work for each number."""
    X = (chunk() if callable(chunk) else chunk)[:, :16]
    theta = MStep(np.full(40, 1 / 40), np.random.default_rng(0).normal(size=(40, 16)), np.array([np.eye(16)] * 40))
    return mixture_moments(X, theta).moments


def break_even(folder: str, rows: int = 10_000, columns: int = 50, n_chunks: int = 16) -> list[list[Any]]:
    """Seconds for a chunk here and on two workers, and from how many chunks on these win; infinity: never.

    ``python -m benchmarks.scaling`` prints, for two summaries, with the rows sent to the workers and with the rows read
    by them: seconds here, seconds there, seconds to start the cluster, break-even. All are by the clock on the wall, so
    run it on an idle machine with two cores.
    """
    import dask
    from dask.distributed import Client, LocalCluster

    chunks = list(np.random.default_rng(0).normal(size=(n_chunks, rows, columns)))
    np.save(f"{folder}/rows.npy", np.concatenate(chunks))
    sources = {"sent": chunks, "read": FileChunks(f"{folder}/rows.npy", rows)}
    works = {"moments": light, "EM, 40 components": heavy}

    def clock(source: Any, work: Any, backend: str) -> float:
        begin = time.perf_counter()
        map_reduce(source, work, merge_moments, backend)
        return (time.perf_counter() - begin) / n_chunks

    here = {name: min(clock(sources["read"], work, "numpy") for _ in range(5)) for name, work in works.items()}
    # Dask makes its workers give memory back to the system at once, which costs more than the arithmetic of a chunk
    dask.config.set({"distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": "1"}})
    begin = time.perf_counter()
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL) as two,
        Client(two),
    ):
        map_reduce(chunks[:4], light, merge_moments, "dask")  # both workers import what they need
        start = time.perf_counter() - begin
        found: list[list[Any]] = []
        for name, work in works.items():
            for way, source in sources.items():
                there = min(clock(source, work, "dask") for _ in range(5))
                saved = here[name] - there
                found.append([name, way, here[name], there, start, start / saved if saved > 0 else np.inf])
    return found


def _main() -> None:
    import tempfile

    from benchmarks import scaling  # under its own name, so that workers find its functions

    with tempfile.TemporaryDirectory() as folder:
        for name, way, *values in scaling.break_even(folder):
            print(f"{name:20}{way:6}" + "".join(f"{value:10.3g}" for value in values))


WORKLOADS: list[Callable[[], Workload]] = [
    chunked_regression,
    chunked_discriminant,
    chunked_kmeans,
    chunked_mixture,
]

if __name__ == "__main__":
    _main()
