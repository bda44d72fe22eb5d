"""Small changes of a source text, one at a time.

The set is small and usual: an operator, comparison, connective or sign becomes its opposite, a number grows by a
tenth (a whole number by at least 1), True and False change places, an axis and the name of a pair (min, max) too.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

OPERATORS = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.MatMult: ("@", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
COMPARISONS = {
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
BOUNDARIES = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
CONNECTIVES = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
SIGNS = {ast.USub: "-", ast.Invert: "~", ast.Not: "not"}
PAIRS = [("min", "max"), ("argmin", "argmax"), ("minimum", "maximum"), ("sum", "mean"), ("any", "all")]
NAMES = dict(PAIRS) | {second: first for first, second in PAIRS}


class Change(NamedTuple):
    """One changed line of a source text."""

    line: int
    before: str
    after: str
    source: str  # the whole text with this change
    lines: range  # of the statement, without its body: where a tracer sees it run


class Changes(NamedTuple):
    """All changes of a source text, and how many places were left alone, by reason."""

    tried: list[Change]
    left: Counter[str]


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


LeaveAlone = Callable[[ast.AST], Iterable[tuple[ast.AST, str]]]


def changes(source: str, boundaries: bool = False, leave_alone: LeaveAlone = lambda tree: ()) -> Changes:
    """Every small change of a source text, in the order of its lines.

    Parameters
    ----------
    source : str
    boundaries : bool
        Also change ``<`` to ``<=`` and the like: of use where ties occur.
    leave_alone : callable
        Names the parts of the syntax tree that stay as they are, each with its reason.

    Returns
    -------
    Changes
    """
    tree, text = ast.parse(source), _Text(source)
    reasons = dict.fromkeys(_annotations(tree), "")
    for part, reason in leave_alone(tree):
        reasons |= dict.fromkeys(ast.walk(part), reason)
    tried: list[tuple[int, Change]] = []
    left: Counter[str] = Counter()
    for node, lines in _nodes(tree, range(0)):
        for edit in _edits(node, text, boundaries):
            if node in reasons:
                left[reasons[node]] += 1
            else:
                tried.append((edit.start, text.change(edit, lines)))
    return Changes([change for _, change in sorted(tried, key=lambda pair: pair[0])], +left)


class _Text:
    """A source text addressed as a syntax tree does it: by line, and by byte within the line."""

    def __init__(self, source: str) -> None:
        self.data = source.encode()
        self.begins = list(accumulate(map(len, self.data.splitlines(keepends=True)), initial=0))

    def start(self, node: ast.expr) -> int:
        return self.begins[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr) -> int:
        return self.begins[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def replace(self, token: str, new: str, start: int, end: int) -> Iterator[_Edit]:
        """Put ``new`` where ``token`` stands; nothing if it does not stand there."""
        masked = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.data[start:end])
        found = re.search(re.escape(token).replace(r"\ ", r"\s+").encode(), masked)
        if found:
            yield _Edit(start + found.start(), start + found.end(), new)

    def literal(self, node: ast.Constant, new: float) -> Iterator[_Edit]:
        """Put ``new`` in the place of a number or truth value."""
        edit = _Edit(self.start(node), self.end(node), repr(new))
        if re.fullmatch(rb"[\d._]+(e[-+]?\d+)?|0x\w+|True|False", self.data[edit.start : edit.end], re.IGNORECASE):
            yield edit  # Python 3.11 may misplace what stands in an f-string of several lines

    def change(self, edit: _Edit, lines: range) -> Change:
        source = (self.data[: edit.start] + edit.text.encode() + self.data[edit.end :]).decode()
        line = self.data[: edit.start].count(b"\n") + 1
        before, after = (text.split("\n")[line - 1].strip() for text in (self.data.decode(), source))
        return Change(line, before, after, source, lines)


def _nodes(node: ast.AST, lines: range) -> Iterator[tuple[ast.AST, range]]:
    """All nodes below ``node``, each with the lines of its statement."""
    if isinstance(node, ast.stmt):
        body = getattr(node, "body", None)
        lines = range(node.lineno, max(node.lineno + 1, body[0].lineno) if body else (node.end_lineno or 0) + 1)
    yield node, lines
    if isinstance(node, ast.keyword) and node.arg == "axis" and isinstance(node.value, ast.Constant):
        return  # the other axis, not one further
    for child in ast.iter_child_nodes(node):
        yield from _nodes(child, lines)


def _annotations(tree: ast.AST) -> Iterator[ast.AST]:
    """Everything inside type annotations, which nothing evaluates."""
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if part is not None:
                yield from ast.walk(part)


def _edits(node: ast.AST, text: _Text, boundaries: bool) -> Iterator[_Edit]:
    """The changes of one node alone."""
    match node:
        case ast.BinOp(left, op, right) if type(op) in OPERATORS and not _has_text(left, right):
            yield from text.replace(*OPERATORS[type(op)], text.end(left), text.start(right))
        case ast.AugAssign(target, op, value) if type(op) in OPERATORS and not _has_text(value):
            old, new = OPERATORS[type(op)]
            yield from text.replace(f"{old}=", f"{new}=", text.end(target), text.start(value))
        case ast.Compare(left, ops, comparators):
            for op, (one, other) in zip(ops, pairwise([left, *comparators]), strict=True):
                for table in (COMPARISONS, BOUNDARIES) if boundaries else (COMPARISONS,):
                    if type(op) in table:
                        yield from text.replace(*table[type(op)], text.end(one), text.start(other))
        case ast.BoolOp(op, values):
            for one, other in pairwise(values):
                yield from text.replace(*CONNECTIVES[type(op)], text.end(one), text.start(other))
        case ast.UnaryOp(op, operand) if type(op) in SIGNS and not isinstance(operand, ast.Constant):
            yield from text.replace(SIGNS[type(op)], "", text.start(node), text.start(operand))
        case ast.Call(ast.Name(name) | ast.Attribute(_, name) as function) if name in NAMES:
            yield from text.replace(name, NAMES[name], text.end(function) - len(name), text.end(function))
        case ast.Constant(value) if isinstance(value, (int, float)):
            yield from text.literal(node, _other(value))
        case ast.keyword("axis", ast.Constant(0 | 1) as number):
            yield from text.literal(number, int(not number.value))


def _other(value: float) -> float:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + max(1, abs(value) // 10)
    return float(f"{1.1 * value:.12g}") or 0.1


def _has_text(*operands: ast.AST) -> bool:
    """Whether strings or lists are joined or repeated: any other operator would only raise."""
    joined = (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple)
    return any(isinstance(o, joined) or (isinstance(o, ast.Constant) and isinstance(o.value, str)) for o in operands)
