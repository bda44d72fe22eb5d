"""Source code as a page lists it: docstrings cut to their first line, checks of the input left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

CHECK = re.compile(r"_?check(ed|_(?!rng|total|lengths)\w+)")  # what these three return is not what they are given
LEFT_OUT = "# checks and warnings are left out here"


class Change(NamedTuple):
    """A text for what stands between two places of a source: lines from 1, columns from 0 in bytes, as in ``ast``."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


def cut_docstrings(code: str) -> str:
    """Replace every docstring in ``code`` by its first line."""
    documented = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, documented)]
    texts = [(node.body[0], text) for node in nodes if (text := ast.get_docstring(node))]
    return changed(code, [_in_place(place, f'"""{text.splitlines()[0]}"""') for place, text in texts])


def without_checks(code: str) -> str:
    """Leave out what only refuses or warns; a comment at the end says so if there was any.

    A statement goes that does nothing but raise, warn or call a function named ``check_...``. Where the value of such a
    call is used, its first argument that is no text stands in its place.
    """
    plain = changed(code, list(_changes(ast.parse(code).body[0])))
    return code if plain == code else f"{plain}\n{LEFT_OUT}"


def changed(code: str, changes: list[Change]) -> str:
    """Apply changes that do not overlap."""
    lines = [line.encode() for line in code.split("\n")]
    for line, column, end_line, end_column, text in sorted(changes, reverse=True):  # places before it stay right
        rest = lines[end_line - 1][end_column:]
        new = [lines[line - 1][:column] + text.encode() + rest] if text or column else []
        lines[line - 1 : end_line] = new
    return "\n".join(line.decode() for line in lines)


def _changes(node: ast.AST) -> Iterator[Change]:
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.If | ast.For) and all(map(_only_checks, node.body)):
        return  # what happens otherwise needs the condition
    if isinstance(node, ast.If | ast.For) and node.orelse and all(map(_only_checks, node.orelse)):
        children = [child for child in children if child not in node.orelse]
        yield _to_the_end(node.body[-1], node.orelse[-1])
    for child in children:
        if isinstance(child, ast.stmt) and _only_checks(child):
            yield _gone(child)
        elif isinstance(child, ast.Assign) and (pairs := _checked_pairs(child)) is not None:
            left, right = (", ".join(side) for side in zip(*pairs, strict=True)) if pairs else ("", "")
            yield _in_place(child, f"{left} = {right}") if pairs else _gone(child)
        elif _is_check(child):
            yield _in_place(child, _arguments(child)[0])
        elif not isinstance(child, ast.ExceptHandler):
            yield from _changes(child)


def _only_checks(node: ast.stmt) -> bool:
    """Whether a statement refuses or warns, and does nothing else."""
    if isinstance(node, ast.Expr):
        return all(_is_check(value) or _name(value) == "warn" for value in _parts(node.value))
    if isinstance(node, ast.If):
        *message, last = node.body
        return all(isinstance(m, ast.Assign) for m in message) and all(map(_only_checks, [last, *node.orelse]))
    if isinstance(node, ast.For | ast.FunctionDef):
        body = node.body[1:] if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) else node.body
        return all(map(_only_checks, body))
    return isinstance(node, ast.Raise)


def _checked_pairs(node: ast.Assign) -> list[tuple[str, str]] | None:
    """Targets and values of an assignment of checked values, without those that are the same; None if none is one."""
    targets = [ast.unparse(target) for target in _parts(node.targets[0])]
    if _is_check(node.value):
        values = _arguments(node.value)[: len(targets)]
    elif isinstance(node.value, ast.Tuple) and any(map(_is_check, node.value.elts)):
        values = [_arguments(v)[0] if _is_check(v) else ast.unparse(v) for v in node.value.elts]
    else:
        return None
    return [(target, value) for target, value in zip(targets, values, strict=True) if target != value]


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _is_check(node: ast.AST) -> TypeGuard[ast.Call]:
    return CHECK.fullmatch(_name(node)) is not None


def _name(node: ast.AST) -> str:
    """Name of the function that is called, without its module."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _arguments(call: ast.Call) -> list[str]:
    """What a check is given; not the names that its messages use."""
    args = [arg for arg in call.args if not (isinstance(arg, ast.Constant) and isinstance(arg.value, str))]
    return [_arguments(arg)[0] if _is_check(arg) else ast.unparse(arg) for arg in args]


def _in_place(node: ast.stmt | ast.expr, text: str) -> Change:
    return Change(node.lineno, node.col_offset, *_end(node), text)


def _gone(node: ast.stmt) -> Change:
    """Whole lines."""
    return Change(node.lineno, 0, *_end(node), "")


def _to_the_end(first: ast.stmt, last: ast.stmt) -> Change:
    return Change(*_end(first), *_end(last), "")


def _end(node: ast.stmt | ast.expr) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0
