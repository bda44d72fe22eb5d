"""What several tests of drills need to work a drill again in fractions, without the library."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from notes_lib.drills import Drill
from tests.drills.seeds import drawn


def load(topic: str, seed: int) -> tuple[Drill, dict[str, Any], dict[str, Any]]:
    """A drill, what it gives and what it answers, the latter two as a page reads them."""
    drill = drawn(topic, seed)
    given = json.loads(json.dumps(drill.given))
    assert given == drill.given
    return drill, given, json.loads(json.dumps(drill.answer))


def exact(value: Any) -> Any:
    """Nested lists of floats that are whole numbers or short decimals, as fractions."""
    if isinstance(value, list):
        return [exact(v) for v in value]
    return Fraction(value).limit_denominator(10_000)


def near(value: float, expected: Fraction) -> bool:
    """Whether an answer is right to the nine digits to which answers are rounded."""
    return abs(value - expected) < 1e-8 * max(1, abs(expected))


def check_short_numbers(drill: Drill) -> None:
    """Every number of a drill is below 1000 and a short fraction, so that what is printed is the number itself."""
    flat = json.dumps([drill.given, {k: v for k, v in drill.answer.items() if not isinstance(v, bool)}])
    for number in flat.replace("[", " ").replace("]", " ").replace("}", " ").replace(",", " ").split():
        try:
            value = float(number)
        except ValueError:
            continue
        assert abs(exact(value) - Fraction(value)) < 1e-8
        assert abs(value) < 1000


def dot(u: Iterable[Any], v: Iterable[Any]) -> Fraction:
    """Inner product."""
    return sum((Fraction(a) * Fraction(b) for a, b in zip(u, v, strict=True)), Fraction(0))


def solve(A: Sequence[Sequence[Any]], b: Sequence[Any]) -> list[Fraction] | None:
    """Gaussian elimination; None if singular."""
    n = len(b)
    rows = [[Fraction(v) for v in row] + [Fraction(c)] for row, c in zip(A, b, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * c for a, c in zip(rows[i], rows[k], strict=True)]
    return [rows[k][n] / rows[k][k] for k in range(n)]
