"""Which code of a chapter stands open on the site: its listings. All other code is folded, and what it shows is not.

A cell whose code is the point carries the tag ``listing``, as the plain implementations in *From equation to code* do.
Every other cell is there for what it prints or draws and is tagged ``hide-input``, unless it is hidden as a whole; of a
cell that shows a listing of the library the call is removed. Importing and drawing are never the point.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from nbformat import NotebookNode

LISTING, FOLDED, REMOVED = "listing", "hide-input", "remove-input"
DRAWN = re.compile(r'class="(anim-player|explorer|live)"')
HIDING = {FOLDED, REMOVED, "hide-cell", "remove-cell"}


def fold(cell: NotebookNode) -> None:
    """Fold the code of a cell that is no listing; remove a call that shows a listing of the library."""
    tags = cell.metadata.get("tags", [])
    if re.fullmatch(r"show_source\([\w.]+\)", cell.source):
        cell.metadata["tags"] = [tag for tag in tags if tag not in (FOLDED, REMOVED)] + [REMOVED]
    elif not {LISTING, *HIDING} & set(tags):
        cell.metadata["tags"] = [*tags, FOLDED]


def listing_problems(cell: NotebookNode) -> Iterator[str]:
    """Why a cell that is tagged as a listing is none."""
    tags = set(cell.metadata.get("tags", []))
    if LISTING not in tags:
        return
    if HIDING & tags:
        yield f"is tagged {LISTING} and {', '.join(sorted(HIDING & tags))}: its code is open or it is not"
    if imports_only(cell.source):
        yield f"is tagged {LISTING} and only imports: fold it ({FOLDED})"
    if draws(cell):
        yield f"is tagged {LISTING} and draws a figure: fold it ({FOLDED}), or draw in a cell of its own"


def imports_only(source: str) -> bool:
    """Whether a cell imports names, may call functions without using what they return, and does nothing else."""
    kinds = {type(statement) for statement in ast.parse(source).body}
    return bool(kinds & {ast.Import, ast.ImportFrom}) and kinds <= {ast.Import, ast.ImportFrom, ast.Expr}


def draws(cell: NotebookNode) -> bool:
    """Whether a cell shows a figure, an animation, an explorer or a live figure."""
    shown = [output.get("data", {}) for output in cell.get("outputs", [])]
    return any("image/png" in data or DRAWN.search(data.get("text/html", "")) for data in shown)
