"""The chapters whose formulas are executed: those with a file in ``instances``, which gives values to their symbols.

Such a file has a function ``instance(seed)`` and may have tables of formulas, by label or, on a card, by label and
number: ``UNREAD`` and ``COPIED`` with a reason, and ``CONDITIONS``, which a card only names and which do not hold (the
start of an iteration, a hypothesis). ``SYMMETRIC`` names functions of two arguments whose order does not matter, as in
a distance: to exchange them is no slip. ``LEAST`` are the thresholds: percent of the labelled formulas, and of those on
cards, that are read.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.formulas import page
from tests.formulas.values import Instance

FOLDER = Path(__file__).parent / "instances"
STEMS = {path.stem: path.parent.name for path in sorted(FOLDER.glob("*/*.py"))}
SEEDS = range(4)


@dataclass(frozen=True)
class Chapter:
    """Formulas of a chapter and what is known about them."""

    formulas: Mapping[str, str]
    instances: list[Instance]
    unread: Mapping[str, str] = field(default_factory=dict)
    copied: Mapping[str, str] = field(default_factory=dict)
    conditions: frozenset[str] = frozenset()
    least: tuple[int, int] = (100, 100)
    symmetric: frozenset[str] = frozenset()

    @staticmethod
    @cache
    def of(stem: str) -> Chapter:
        """The chapter of this name."""
        if stem not in STEMS:
            raise ValueError(f"no formulas of {stem!r} are executed; there is {', '.join(STEMS)}")
        module = importlib.import_module(f"tests.formulas.instances.{STEMS[stem]}.{stem}")
        text = page.markdown(f"{STEMS[stem]}/{stem}")
        conditions = frozenset(getattr(module, "CONDITIONS", ()))
        return Chapter(
            {**page.labelled(text), **page.of_cards(text)},
            [module.instance(seed) for seed in SEEDS],
            getattr(module, "UNREAD", {}),
            getattr(module, "COPIED", {}),
            conditions,
            getattr(module, "LEAST", (100, 100)),
            frozenset(getattr(module, "SYMMETRIC", ())),
        )


def values_of(stem: str) -> Mapping[str, Any]:
    """What the symbols of a chapter's notation are worth, with the first seed."""
    return Chapter.of(stem).instances[0].values
