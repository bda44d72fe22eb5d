"""Changes of a notebook's cells, after which the page shows the same.

The notebook runs once in this process, as Jupyter would run it. Before each cell the process forks: a trial runs the
changed cell, and the following ones for as long as a variable that they need differs. It is noticed by the first
difference in a text that the notebook test compares as well, by an exception, or by the time it takes.
"""

from __future__ import annotations

import ast
import os
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import NamedTuple

import nbformat

from tools.mutate.changes import Change, changes
from tools.mutate.processes import limit_time, result_of, unnoticed
from tools.mutate.report import Survivor, Tally, sample
from tools.mutate.session import UNKNOWN, Session, Shown, show, start, state
from tools.mutate.settings import left_alone
from tools.mutate.variables import loads, needed_after, stores


class Cell(NamedTuple):
    """A code cell as it stands in the notebook."""

    name: str
    source: str
    equivalent: dict[tuple[str, str], str]  # the line before and after -> why no reader could tell
    compared: bool
    raises: bool


class Expected(NamedTuple):
    """What follows from a cell that is not changed."""

    shown: Shown
    state: dict[str, bytes]
    seconds: float


class Trial(NamedTuple):
    """A change of one cell."""

    cell: int
    change: Change


def read(path: Path) -> list[Cell]:
    """The code cells of a notebook."""
    return [
        Cell(
            cell.id,
            cell.source,
            {(mark["line"], mark["changed"]): mark["reason"] for mark in cell.metadata.get("equivalent", [])},
            "nbval-ignore-output" not in cell.metadata.get("tags", []) and "NBVAL_IGNORE_OUTPUT" not in cell.source,
            "raises-exception" in cell.metadata.get("tags", []),
        )
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "code"
    ]


def _run(cells: list[Cell]) -> list[Expected]:
    """Run all cells unchanged."""
    session, expected = start(), []
    for cell in cells:
        began = time.process_time()
        shown = show(session, cell.source)
        if "error" in shown and not cell.raises:
            raise ValueError(f"{cell.name} fails as it is: {shown['error'][0]}")
        expected.append(Expected(shown, state(session), time.process_time() - began))
    return expected


def try_cells(path: Path, most: int | None, seed: int, jobs: int) -> Tally:
    """Change the cells of a notebook and run each change.

    Parameters
    ----------
    path : Path
    most : int or None
        How many changes are tried, drawn with ``seed``; None: all.
    seed : int
    jobs : int
        Processes at the same time.

    Returns
    -------
    Tally
    """
    cells = read(path)
    found = [changes(cell.source, leave_alone=left_alone) for cell in cells]
    trials = sample([Trial(k, change) for k, of_cell in enumerate(found) for change in of_cell.tried], most, seed)
    survivors = result_of(partial(_survivors, path.parent, cells, trials, jobs))
    named = [
        Survivor(
            f"{cells[k].name} line {change.line}",
            change.before,
            change.after,
            cells[k].equivalent.get((change.before, change.after), ""),
        )
        for k, change in survivors
    ]
    left = sum((of_cell.left for of_cell in found), Counter())
    return Tally(str(path), len(trials), named, left, [] if most else _idle(cells, survivors))


def _idle(cells: list[Cell], survivors: list[Trial]) -> list[str]:
    """Marks of equivalence that fit no survivor."""
    used = {(k, change.before, change.after) for k, change in survivors}
    marks = [(k, *lines) for k, cell in enumerate(cells) for lines in cell.equivalent]
    return [f"{cells[k].name}: {after}" for k, before, after in marks if (k, before, after) not in used]


def _survivors(folder: Path, cells: list[Cell], trials: list[Trial], jobs: int) -> list[Trial]:
    """Changes that nothing notices; as in Jupyter, cells run in the notebook's folder."""
    os.chdir(folder)
    expected = result_of(partial(_run, cells))
    session, needed = start(), needed_after([cell.source for cell in cells])
    same = partial(_same, session, cells, expected, needed)
    survivors: list[Trial] = []
    for k, cell in enumerate(cells):
        survivors += unnoticed([trial for trial in trials if trial.cell == k], same, jobs)
        if show(session, cell.source) != expected[k].shown and cell.compared:
            raise ValueError(f"{cell.name} does not show the same each time: nothing can be noticed in it.")
    return survivors


def _same(session: Session, cells: list[Cell], expected: list[Expected], needed: list[set[str]], trial: Trial) -> bool:
    """Whether everything looks the same with one changed cell, which is the next to run."""
    touched: set[str] = set()
    for k in range(trial.cell, len(cells)):
        source = trial.change.source if k == trial.cell else cells[k].source
        limit_time(2 + 5 * expected[k].seconds)
        if show(session, source) != expected[k].shown and cells[k].compared:
            return False
        tree = ast.parse(source)
        touched |= loads(tree) | stores(tree)
        if not needed[k] & _differing(state(session), expected[k].state, touched):
            return True
    return True


def _differing(state: dict[str, bytes], expected: dict[str, bytes], touched: set[str]) -> set[str]:
    """Variables whose value differs, or may differ: it cannot be told, and a cell that ran has touched it."""
    unknown = {name for name in touched if state.get(name) == UNKNOWN}
    return unknown | {name for name in state.keys() | expected.keys() if state.get(name) != expected.get(name)}
