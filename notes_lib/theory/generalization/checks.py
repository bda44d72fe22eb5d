"""What the bounds accept."""

from __future__ import annotations

from notes_lib.checks import check_integer
from notes_lib.foundations.inference.checks import check_inside


def check_sample(n: int, delta: float) -> tuple[int, float]:
    """Sample size, at least 1, and the probability that the statement fails, strictly between 0 and 1."""
    return check_integer(n, "n"), check_inside(delta, "delta")
