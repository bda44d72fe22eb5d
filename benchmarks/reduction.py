"""Workloads of the chapters on dimension reduction."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.reduction.hashing import MinHashLSH


def _plain_minhash(sets: list[set[int]], size: int) -> list[list[int]]:
    """One set after the other: numbers of all its items by all hash functions, modulo a prime, and their minima."""
    a, b = np.random.default_rng(0).integers(1, 2**31 - 1, size=(2, size), dtype=np.uint64)
    prime = np.uint64(2**31 - 1)
    signature = [
        ((np.array(list(items), dtype=np.uint64)[:, None] * a + b) % prime).min(axis=0).tolist() for items in sets
    ]
    tables: list[dict[tuple[int, ...], list[int]]] = [{} for _ in range(0, size, 5)]
    for row, numbers in enumerate(signature):
        for t, table in enumerate(tables):
            table.setdefault(tuple(numbers[5 * t : 5 * t + 5]), []).append(row)
    return signature


def _estimate(signature: np.ndarray) -> float:
    """Share of equal entries of a set and the next one, mean over all."""
    return float((signature[1:] == signature[:-1]).mean())


def minhash() -> Workload:
    """Signatures of sets, and their bands in tables."""
    rng = np.random.default_rng(0)
    common = rng.choice(10**6, size=80, replace=False)
    sets = [{*common.tolist(), *rng.integers(0, 10**6, size=20).tolist()} for _ in range(5000)]
    return Workload(
        name="MinHash",
        size="5000 sets of 100 items, 20 bands of 5 rows",
        peer_name="one set after the other",
        ours=lambda: MinHashLSH(20, 5, random_state=0).fit(sets),
        peer=lambda: _plain_minhash(sets, 100),
        difference=lambda lsh, b: abs(_estimate(lsh.transform(sets)) - _estimate(np.array(b))),
        tolerance=0.05,  # of two draws of hash functions: both estimate the same similarities
        goal=5.0,
        floor=1.5,  # the minima over all items are most of the work on both sides
        technique="items of many sets are numbered by all hash functions at once, in pieces that stay in the cache; "
        "the buckets of a table are runs of equal sorted keys",
    )


WORKLOADS = [minhash]
