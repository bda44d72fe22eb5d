"""The chapters whose exercises are executed: those with a file in a part's folder, and the ledgers in it.

Such a file has one function for each exercise, named after the end of its label: the ledger of ``svm-ex-three`` is what
``ex_three`` returns. What ``cards`` returns are the ledgers of cards by the ends of their labels.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

from tests.solutions.ledger import Worked

FOLDER = Path(__file__).parent
STEMS = {path.stem: path.parent.name for path in sorted(FOLDER.glob("*/*.py"))}


@cache
def ledgers(stem: str) -> dict[str, Worked]:
    """The ledgers of a chapter by the labels of its exercises and cards."""
    module = importlib.import_module(f"tests.solutions.{STEMS[stem]}.{stem}")
    start = stem.replace("_", "-")
    own = {name: f for name, f in vars(module).items() if getattr(f, "__module__", "") == module.__name__}
    found = {name.replace("_", "-"): f() for name, f in own.items() if not name.startswith("_") and name != "cards"}
    return {f"{start}-{end}": ledger for end, ledger in {**found, **module.cards()}.items()}
