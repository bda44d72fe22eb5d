"""Where chunks come from, and what a chunk may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from notes_lib.checks import FloatArray, check_integer, check_labels, check_matrix, check_numbers


@dataclass(frozen=True)
class FilePart:
    """A recipe for some rows of a ``.npy`` file: called without arguments, it reads them, wherever it is called.

    ``path``, the ``offset`` of the first number in bytes, its ``dtype``, ``rows``, ``columns``, and whether the last
    column is the ``target``.
    """

    path: str
    offset: int
    dtype: str
    rows: int
    columns: int
    target: bool

    def __call__(self) -> Any:
        """Return the rows as an array (rows, columns), or as (X, y)."""
        kind = np.dtype(self.dtype)
        values = np.fromfile(self.path, kind, self.rows * self.columns, offset=self.offset)
        A = values.reshape(self.rows, self.columns)
        return (A[:, :-1], A[:, -1]) if self.target else A


class FileChunks:
    """The rows of a matrix in a ``.npy`` file, some at a time; can be gone through again and again.

    Parameters
    ----------
    path : str or Path
        A file that ``numpy.save`` wrote: a matrix of numbers in C order.
    rows : int
        In a chunk; the last one may be shorter.
    target : bool
        Whether the last column is the target: then a chunk is (X, y).

    Raises
    ------
    ValueError
        If the file holds no matrix of numbers in C order.

    Notes
    -----
    Iterating gives recipes, not rows (:class:`FilePart`): with Dask, the process that computes also reads.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(f"{folder}/rows.npy", np.arange(6.0).reshape(3, 2))
    ...     [part() for part in FileChunks(f"{folder}/rows.npy", rows=2)]
    [array([[0., 1.],
           [2., 3.]]), array([[4., 5.]])]
    """

    def __init__(self, path: str | Path, rows: int, target: bool = False) -> None:
        self.path, self.rows, self.target = str(path), check_integer(rows, "rows"), target
        with open(path, "rb") as file:
            try:
                version = npy.read_magic(file)
                read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
                self.shape, fortran, kind = read(file)
            except ValueError as error:
                raise ValueError(f"{path} is no .npy file: write one by numpy.save ({error}).") from error
            self._start = file.tell()
        if len(self.shape) != 2 or fortran or kind.kind not in "biuf":
            raise ValueError(f"{path} must hold a matrix of numbers in C order, got {kind} of shape {self.shape}.")
        self.dtype = kind.str

    def __iter__(self) -> Iterator[FilePart]:
        n, columns = self.shape
        width = columns * np.dtype(self.dtype).itemsize
        for first in range(0, n, self.rows):
            rows = min(self.rows, n - first)
            yield FilePart(self.path, self._start + first * width, self.dtype, rows, columns, self.target)


def read_chunk(index: int, chunk: Any, target: str | None) -> tuple[FloatArray, Any]:
    """Rows (n, d) of a chunk and what ``target`` asks for: 'labels' (n,), 'numbers' (n, m), or None."""
    if callable(chunk):
        chunk = chunk()
    pair = isinstance(chunk, tuple) and len(chunk) == 2
    if target and not pair:
        raise ValueError(f"chunk {index} must be a pair (X, y): fit goes through chunks of rows with their targets.")
    X = chunk[0] if pair else chunk
    if np.ndim(X) != 2:
        raise ValueError(
            f"chunk {index} must be a matrix of rows (n, d), got shape {np.shape(X)}: if all the data are one array, "
            "pass a list of its pieces."
        )
    if not np.size(X):
        raise ValueError(f"chunk {index} is empty, its shape is {np.shape(X)}: leave it out.")
    X = check_matrix(X, f"X of chunk {index}")
    if not target:
        return X, None
    y = chunk[1]
    if np.ndim(y) == 0 or len(y) != len(X):
        raise ValueError(f"chunk {index} must have one target for each row, got {len(X)} rows and y {np.shape(y)}.")
    if target == "labels":
        return X, check_labels(**{f"y of chunk {index}": y})[0]
    Y = check_numbers(y, f"y of chunk {index}")
    return X, Y.reshape(len(X), -1)
