"""How the code of cells is laid out: as ruff does it, but filled up to the end of the line as a person would.

ruff breaks what does not fit into one argument a line. Here the arguments follow each other, and the closing bracket
follows the last one::

    check(
        "Steiner", inertia(X, zeros, [a]),
        inertia(X, zeros, [mean]) + 30 * np.sum((mean - a) ** 2))

ruff undoes that before it is done again, so that a second call changes nothing. Only the layout changes: the syntax
trees before and after are compared. ``moved_marks`` lets the marks of equivalent changes, which quote lines, follow.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Sequence
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

WIDTH = 78  # columns, of a cell on the site and in a book on paper
RUFF = ("-m", "ruff", "format", "--isolated", "--quiet", f"--line-length={WIDTH}", "--stdin-filename=cells.ipynb")
RUFF += ("--preview", "--config=format.skip-magic-trailing-comma=true")  # preview: f([ ... ]) in one level
OPENING, CLOSING = tuple("([{"), tuple(")]}")


def lay_out(cells: list[NotebookNode]) -> None:
    """Lay out code, and let the marks of equivalent changes quote it as it reads now."""
    for cell, source in zip(cells, formatted([cell.source for cell in cells]), strict=True):
        if "equivalent" in cell.metadata and cell.source != source:
            cell.metadata["equivalent"] = moved_marks(cell.metadata["equivalent"], cell.source, source)
        cell.source = source


def formatted(sources: Sequence[str]) -> list[str]:
    """Lay out the code of cells.

    Parameters
    ----------
    sources : sequence of str

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If a cell is no plain Python.
    """
    before = [_tree(source, position) for position, source in enumerate(sources)]
    result = [fill(source) for source in _by_ruff(sources)]
    for position, tree in enumerate(before):
        if _tree(result[position], position) != tree:
            raise RuntimeError(f"the layout changes what this code does: {sources[position]}")
    return result


def _tree(source: str, position: int) -> str:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError as error:
        raise ValueError(f"code cell {position + 1} is no plain Python ({error.msg}): {source[:60]!r}") from error


def _by_ruff(sources: Sequence[str]) -> list[str]:
    """The layout of ruff, of all cells in one call."""
    notebook = nbformat.writes(new_notebook(cells=[new_code_cell(source) for source in sources]))
    done = subprocess.run([sys.executable, *RUFF, "-"], input=notebook, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise ValueError(f"ruff cannot lay out the cells: {done.stderr}")
    return [cell.source for cell in nbformat.reads(done.stdout, 4).cells]


def fill(source: str) -> str:
    """Fill the lines of every bracket that ruff has broken."""
    lines = source.split("\n")
    for first, last in reversed(_broken(source)):
        lines[first : last + 1] = _refill(lines[first : last + 1])
    return "\n".join(lines)


def _broken(source: str) -> list[tuple[int, int]]:
    """First and last line of what stands in brackets over several lines, if no string in it does."""
    spans: list[tuple[int, int]] = []
    depth, first, fixed = 0, 0, -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        begin, end = token.start[0] - 1, token.end[0] - 1
        if token.type == tokenize.OP and token.string in OPENING:
            if not depth and (not spans or begin > spans[-1][1]):
                first = begin
            depth += 1
        elif token.type == tokenize.OP and token.string in CLOSING:
            depth -= 1
            if not depth and end > first:
                spans = [*(span for span in spans if span[0] != first), (first, end)]
        elif begin != end and depth and token.type not in (tokenize.NL, tokenize.NEWLINE):
            fixed = first
    return [span for span in spans if span[0] != fixed]


def _refill(lines: list[str]) -> list[str]:
    """Fill a bracket: the line that opens it, what stands in it, the line that closes it (and may open another)."""
    base, result, rest = _indent(lines[0]), lines[:1], lines[1:]
    while rest:
        size = next((i for i, line in enumerate(rest) if _indent(line) <= base), len(rest))
        body, closing, rest = rest[:size], rest[size : size + 1], rest[size + 1 :]
        result += _closed(result[-1], _parts(body), closing)
    return result


def _closed(opening: str, parts: list[list[str]], closing: list[str]) -> list[str]:
    """The parts, one after the other, with the closing bracket behind the last one where it may stand there."""
    end = "".join(closing).strip()
    if not end or end.endswith((":", *OPENING)) or _has_comment(parts[-1][-1]):
        return _joined(parts) + closing  # what follows a colon is as deep as the parts
    last = parts[-1][-1]
    tuple_of_one = len(parts) == 1 and not re.search(r"([\w\])]|import )\($|[\[{]$", opening)
    parts[-1][-1] = (last if tuple_of_one else last.removesuffix(",")) + end
    if len(parts[-1][-1]) <= WIDTH:
        return _joined(parts, end)
    parts[-1][-1] = last
    return _joined(parts) + closing


def _parts(lines: list[str]) -> list[list[str]]:
    """What stands in a bracket, piece by piece: a line, or the lines of a bracket in the bracket."""
    base = _indent(lines[0])
    parts: list[list[str]] = []
    for line in lines:
        if _indent(line) > base or (parts and line.lstrip().startswith(CLOSING)):
            parts[-1].append(line)
        else:
            parts.append([line])
    return [_refill(part) for part in parts]


def _joined(parts: list[list[str]], end: str = "") -> list[str]:
    """The parts, as many on a line as fit; one with a comment keeps its line, unless that comment is of the end."""
    result: list[str] = []
    single = False  # whether the last line takes more
    for part in parts:
        head = part[0].strip()
        fits = single and len(f"{result[-1]} {head}") <= WIDTH
        if fits and (head in OPENING if len(part) > 1 else not _has_comment(head.removesuffix(end))):
            result[-1] += f" {head}"
            result += part[1:]
        else:
            result += part
        single = len(part) == 1 and not _has_comment(head)
    return result


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _has_comment(line: str) -> bool:
    if "#" not in line:
        return False
    try:
        return any(t.type == tokenize.COMMENT for t in tokenize.generate_tokens(io.StringIO(line.strip()).readline))
    except tokenize.TokenError:  # a bracket is open, and no comment came before the end
        return False


def moved_marks(marks: Sequence[dict[str, Any]], before: str, after: str) -> list[dict[str, Any]]:
    """Let marks of equivalence (see ``tools.mutate``) quote the lines of a new layout of the same code.

    A mark that fits no change of the old layout stays, for ``mutate`` to name it.
    """
    from tools.mutate.changes import changes
    from tools.mutate.settings import left_alone  # needs matplotlib, and few notebooks need this

    pairs = list(zip(*(changes(source, leave_alone=left_alone).tried for source in (before, after)), strict=True))
    moved: list[dict[str, Any]] = []
    for mark in marks:
        quoted = mark["line"], mark["changed"]
        places = [new for old, new in pairs if (old.before, old.after) == quoted]
        moved += [{**mark, "line": new.before, "changed": new.after} for new in places] or [mark]
    return [mark for i, mark in enumerate(moved) if mark not in moved[:i]]
