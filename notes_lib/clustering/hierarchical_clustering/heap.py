"""A binary heap of keys 0 to n - 1 whose values change, which :func:`linkage` needs for centroid and median."""

from __future__ import annotations

from notes_lib.checks import FloatArray


class Heap:
    """Keys by their values, the smallest on top; which of several equal ones follows from the order of the calls."""

    def __init__(self, values: FloatArray) -> None:
        self.value: list[float] = values.tolist()  # by key
        self.keys = list(range(len(values)))  # in the order of the heap: the parent of place i is at (i - 1) // 2
        self.place = list(range(len(values)))  # by key
        for i in reversed(range(len(values) // 2)):
            self._down(i)

    def top(self) -> int:
        """The key with the smallest value."""
        return self.keys[0]

    def pop(self) -> None:
        """Remove the top."""
        self._swap(0, len(self.keys) - 1)
        self.keys.pop()
        self._down(0)

    def change(self, key: int, value: float) -> None:
        """Give a key that is in the heap another value."""
        falls = value < self.value[key]
        self.value[key] = value
        (self._up if falls else self._down)(self.place[key])

    def _at(self, i: int) -> float:
        return self.value[self.keys[i]]

    def _up(self, i: int) -> None:
        while i > 0 and self._at((i - 1) // 2) > self._at(i):
            self._swap(i, (i - 1) // 2)
            i = (i - 1) // 2

    def _down(self, i: int) -> None:
        while (child := 2 * i + 1) < len(self.keys):
            if child + 1 < len(self.keys) and self._at(child + 1) < self._at(child):
                child += 1
            if self._at(i) <= self._at(child):
                break
            self._swap(i, child)
            i = child

    def _swap(self, i: int, j: int) -> None:
        keys = self.keys
        keys[i], keys[j] = keys[j], keys[i]
        self.place[keys[i]], self.place[keys[j]] = i, j
