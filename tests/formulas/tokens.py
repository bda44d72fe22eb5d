r"""The tokens of a displayed formula, and its statements."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise

from tests.drills.arithmetic import DEPTH, RELATIONS, SPACES, Unreadable

Tokens = tuple[str, ...]

WORDS = r"text|mathrm|operatorname\*?|mathcal|mathbb"
TOKEN = re.compile(
    r"(?<=[_^])\d|(?<=_\{)\d|(?<=_\{\d)\d|(?<=frac)\d|(?<=frac\d)\d|\d+(?:\.\d+)?"  # scripts are digits, not numbers
    rf"|\\(?:{WORDS}|begin|end)\{{[^{{}}]*\}}|\\\\(?:\[[^]]*\])?|\\[a-zA-Z]+|\\.|\S",
    re.S,
)
QUADS = (r"\quad", r"\qquad")
SILENT = (SPACES - {*QUADS, "&"}) | {r"\textstyle", r"\displaystyle", r"\limits", r"\bigm", r"\Bigm", r"\mathrel"}
OPEN = {token for token, step in DEPTH.items() if step > 0} | {r"\lceil", r"\lfloor"}
CLOSE = {token for token, step in DEPTH.items() if step < 0} | {r"\rceil", r"\rfloor"}
LOGIC = RELATIONS | {t: t for t in (r"\approx", r"\in", r"\iff", r"\sim", r"\succeq", r"\preceq")}
ARROWS = {r"\to", r"\longrightarrow"}  # to a limit
CONTINUES = {*LOGIC, *ARROWS, r"\leftarrow", "+", "-", r"\cdot", r"\cup", r"\cap"}
CONNECTIVES = {"and", "or", "that is", "so", "with", "where", "hence"}  # words between two statements


def depth(token: str) -> int:
    """What a token adds to the number of open brackets."""
    return (token in OPEN or token.startswith(r"\begin")) - (token in CLOSE or token.startswith(r"\end"))


def word(token: str) -> str:
    r"""What a token ``\text{...}`` says; empty for any other."""
    return token[len(r"\text{") : -1].strip() if token.startswith(r"\text{") else ""


@cache
def tokens(text: str) -> Tokens:
    """The tokens of a formula: braces around one token, and what only makes space, are left out."""
    found = [r"\\" if t.startswith("\\\\") else t for t in TOKEN.findall(text) if t not in SILENT and t != "~"]
    return bars(unbraced(without_underbraces(found)))


def group_end(ts: Sequence[str], start: int) -> int:
    """Where the bracket ends that opens at ``start``, or the token that stands there; behind its last token."""
    level = 0
    for at in range(start, len(ts)):
        level += depth(ts[at])
        if level <= 0:
            return at + 1
    raise Unreadable("a bracket that does not close")


def without_underbraces(ts: list[str]) -> list[str]:
    r"""Leave out ``\underbrace`` and what stands below it; a sign stays in front of its sum."""
    while r"\underbrace" in ts:
        at = ts.index(r"\underbrace")
        end = group_end(ts, at + 1)
        inside, rest = ts[at + 2 : end - 1], ts[end:]
        if rest[:1] == ["_"]:
            rest = rest[group_end(rest, 1) :]
        ts = [*ts[:at], *(inside if inside[0] in "+-" else ["(", *inside, ")"]), *rest]
    return ts


def unbraced(ts: list[str]) -> list[str]:
    """Leave out braces around nothing and around one token, other than a number of several digits."""
    out: list[str] = []
    for t in ts:
        out.append(t)
        if out[-2:] == ["{", "}"]:
            del out[-2:]
        elif t == "}" and out[-3] == "{" and not (out[-2][0].isdigit() and len(out[-2]) > 1):
            out[-3:] = [out[-2]]
    return out


def bars(ts: list[str]) -> Tokens:
    """Every second bar closes."""
    out, opened = [], False
    for t in ts:
        opened ^= t == "|"
        out.append({"|": r"\lvert" if opened else r"\rvert"}.get(t, t))
    return tuple(out)


def outside(ts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The tokens outside of brackets, with their places."""
    level = 0
    for at, t in enumerate(ts):
        level += depth(t)
        if not level:
            yield at, t


def split(ts: Sequence[str], at: Collection[str]) -> list[Tokens]:
    """The parts between certain tokens that stand outside of brackets."""
    ends = [-1, *(k for k, t in outside(ts) if t in at), len(ts)]
    return [tuple(ts[start + 1 : end]) for start, end in pairwise(ends)]


def unwrapped(ts: Tokens) -> Tokens:
    r"""Without the environments that only set lines below each other; ``&`` stays in cases and matrices."""
    out: list[str] = []
    inside: list[str] = []
    for t in ts:
        layout = re.fullmatch(r"\\(?:begin|end)\{(?:aligned|gathered|align\*?|split)\}", t)
        if t.startswith(r"\begin"):
            inside.append(t)
        elif t.startswith(r"\end"):
            inside.pop()
        if not layout and (t != "&" or any("cases" in e or "matrix" in e for e in inside)):
            out.append(t)
    return tuple(out)


def statements(text: str) -> list[Tokens]:
    """The statements of a display: a new line or a wide space goes on with a relation, or begins the next one."""
    parts: list[list[str]] = [[]]
    ts, level = unwrapped(tokens(text)), 0
    for at, t in enumerate(ts):
        level += depth(t)
        soft = t in (r"\\", *QUADS)
        if level or not (soft or t in (",", ";", r"\Rightarrow") or word(t).rstrip(":") in CONNECTIVES):
            parts[-1].append(t)
            continue
        following = next((u for u in ts[at + 1 :] if u not in (r"\\", *QUADS)), "")
        goes_on = following in CONTINUES or (parts[-1] and parts[-1][-1] in CONTINUES)
        if not (soft and parts[-1] and goes_on and parts[-1][-1] != ":"):
            parts.append([])
    return [part for part in map(trimmed, parts) if part]


def trimmed(ts: Sequence[str]) -> Tokens:
    """Without punctuation at the end, and without the range of an index, ``for all n``."""
    end = next((k for k, t in outside(ts) if word(t).startswith(("all", "for all"))), len(ts))
    while end and ts[end - 1] in (".", ",", ";", *QUADS):
        end -= 1
    return tuple(ts[:end])
