"""What was tried and what nothing noticed, as text."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Survivor(NamedTuple):
    """A change that nothing noticed."""

    place: str
    before: str
    after: str
    reason: str = ""  # why it is equivalent, if that is marked


class Tally(NamedTuple):
    """The outcome of one path."""

    path: str
    tried: int
    survivors: list[Survivor]
    left: Counter[str]
    idle: Sequence[str] = ()  # marks of equivalence that fit no survivor

    @property
    def equivalent(self) -> int:
        """Survivors that are marked as equivalent."""
        return sum(bool(survivor.reason) for survivor in self.survivors)

    @property
    def share(self) -> float:
        """Noticed changes among those that are not equivalent."""
        rest = self.tried - self.equivalent
        return (self.tried - len(self.survivors)) / rest if rest else 1.0


def sample(trials: list[T], most: int | None, seed: int) -> list[T]:
    """At most so many of the trials, in their order; the same for the same seed."""
    if most is None or most >= len(trials):
        return trials
    return [trials[i] for i in sorted(random.Random(seed).sample(range(len(trials)), most))]


def listing(tally: Tally) -> str:
    """Every survivor with its line before and after, and what was left alone."""
    lines = [tally.path]
    for place, before, after, reason in tally.survivors:
        lines += [f"  {place}" + f": equivalent ({reason})" * bool(reason), f"    - {before}", f"    + {after}"]
    lines += [f"  left alone: {count} in {reason}" for reason, count in sorted(tally.left.items()) if reason]
    lines += [f"  marked as equivalent, but noticed or gone: {mark}" for mark in tally.idle]
    return "\n".join(lines)


def table(tallies: list[Tally]) -> str:
    """One row a path."""
    rows: list[tuple[str, ...]] = [("changed", "noticed", "equivalent", "unnoticed", "share", "")]
    for tally in tallies:
        alive = len(tally.survivors)
        numbers = (tally.tried, tally.tried - alive, tally.equivalent, alive - tally.equivalent)
        rows.append((*map(str, numbers), f"{tally.share:.1%}", tally.path))
    return "\n".join("  ".join(f"{cell:>10}" for cell in row[:-1]) + f"  {row[-1]}".rstrip() for row in rows)
