"""Map and reduce: chunk by chunk in this process, or by the workers of a Dask cluster."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from notes_lib.checks import check_choice
from notes_lib.scaling.sufficient_statistics.chunks import read_chunk

BACKENDS = ("numpy", "dask")
NO_DASK = (
    "backend='dask' needs Dask, which is not installed: python -m pip install 'dask[distributed]', or run "
    "python3 run.py test, which installs it; backend='numpy' needs nothing."
)
NO_CLUSTER = (
    "backend='dask' found no cluster: start one first, client = dask.distributed.Client(dask.distributed.LocalCluster("
    "n_workers=2, threads_per_worker=1)), and fit while it runs."
)


def message_bytes(value: Any) -> int:
    """Bytes that ``value`` takes when it is sent to another process, pickled.

    Examples
    --------
    >>> import numpy as np
    >>> 8000 < message_bytes(np.zeros(1000)) < 8200
    True
    """
    return len(pickle.dumps(value, protocol=5))


def map_reduce(
    chunks: Iterable[Any],
    work: Callable[[int, Any], Any],
    merge: Callable[[Any, Any], Any],
    backend: str = "numpy",
) -> Any:
    """Apply ``work`` to every chunk and merge what comes out, in the order of the chunks.

    Implements :eq:`sufficient-statistics-map-reduce`.

    Parameters
    ----------
    chunks : iterable
        Not held: one chunk is taken at a time, on a cluster two for each worker.
    work : callable
        ``work(index, chunk)`` gives the summary of a chunk. With Dask it is sent to the workers, by pickle.
    merge : callable
        ``merge(a, b)`` gives the summary of both. Because the order is that of the chunks, the result does not depend
        on which worker was first.
    backend : {'numpy', 'dask'}

    Returns
    -------
    The merged summary.

    Raises
    ------
    ValueError
        If there is no chunk: the iterable is empty, or an iterator that is spent. If the backend is unknown, or no
        cluster is connected (says how to start one).
    ImportError
        If Dask is not installed (says how to install it).

    Examples
    --------
    >>> map_reduce([[1, 2], [3]], lambda i, chunk: sum(chunk), lambda a, b: a + b)
    6
    """
    check_choice(backend, "backend", BACKENDS)
    found = (work(i, chunk) for i, chunk in enumerate(chunks)) if backend == "numpy" else _on_cluster(chunks, work)
    total = next(found, None)
    if total is None:
        raise ValueError(
            "chunks gave nothing: it is empty, or an iterator that is spent, for a generator can be gone through only "
            "once. Pass a list, or an object whose __iter__ starts again, such as FileChunks."
        )
    for part in found:
        total = merge(total, part)
    return total


def connected_client() -> Any:
    """The Dask client of this process."""
    try:
        from dask.distributed import get_client
    except ImportError as error:
        raise ImportError(NO_DASK) from error
    try:
        client = get_client()
    except ValueError as error:
        raise ValueError(NO_CLUSTER) from error
    if client.status != "running":
        raise ValueError(NO_CLUSTER)
    return client


def _on_cluster(chunks: Iterable[Any], work: Callable[[int, Any], Any]) -> Iterator[Any]:
    """Summaries in order. A task keeps its chunk until it is done: when a worker dies, another one repeats it."""
    client = connected_client()
    room = 2 * max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
    waiting: deque[Any] = deque()
    for i, chunk in enumerate(chunks):
        if len(waiting) == room:
            yield waiting.popleft().result()
        waiting.append(client.submit(work, i, chunk, pure=False))
    while waiting:
        yield waiting.popleft().result()


class Source:
    """Chunks that an estimator goes through, once or several times, always the same ones."""

    def __init__(self, chunks: Iterable[Any], backend: str, target: str | None = None, several: bool = False) -> None:
        if not isinstance(chunks, Iterable):
            raise TypeError(f"chunks must be an iterable of chunks, such as a list, got {type(chunks).__name__}.")
        if several and isinstance(chunks, Iterator):
            raise TypeError(
                "chunks is an iterator, which is spent after one pass, and this method makes several: pass a list, or "
                "an object whose __iter__ starts again, such as FileChunks."
            )
        self.chunks, self.backend, self.target = chunks, backend, target
        self.n_chunks = 0

    def reduce(self, function: Callable[..., Any], merge: Callable[[Any, Any], Any], *, numbered: bool = False) -> Any:
        """One pass; ``function`` takes the rows, and the targets if there are some, after the index if ``numbered``."""
        work = partial(_work, function, self.target, numbered)
        total, _, count = map_reduce(self.chunks, work, partial(_merge, merge), self.backend)
        if self.n_chunks not in (0, count):
            raise ValueError(
                f"chunks gave {self.n_chunks} chunks in the first pass and {count} in a later one: it must give the "
                "same ones each time."
            )
        self.n_chunks = count
        return total


def _work(function: Callable[..., Any], target: str | None, numbered: bool, i: int, chunk: Any) -> tuple[Any, int, int]:
    X, y = read_chunk(i, chunk, target)
    arguments = ([i] if numbered else []) + [X] + ([] if target is None else [y])
    return function(*arguments), X.shape[1], 1


def _merge(merge: Callable[[Any, Any], Any], a: tuple[Any, int, int], b: tuple[Any, int, int]) -> tuple[Any, int, int]:
    if a[1] != b[1]:
        raise ValueError(
            f"chunk {a[2]} has {b[1]} columns and the chunks before it have {a[1]}: all must have the same columns."
        )
    return merge(a[0], b[0]), a[1], a[2] + 1
