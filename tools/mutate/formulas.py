"""Slips of a writer in the formulas of a chapter, and whether executing the formulas notices.

A formula is changed as its tokens: a sign, a factor or a power dropped, another index, a relation turned or its
boundary moved, a limit, a fraction upside down, arguments or matrices exchanged. The change is noticed if a statement
of the formula is not true any more, or cannot be read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from tests.formulas.chapters import Chapter
from tests.formulas.execute import TRUE, on_all
from tests.formulas.tokens import Tokens, depth, group_end, split, tokens
from tools.mutate.report import Survivor, Tally, sample

TURNED = {r"\le": r"\ge", r"\leq": r"\geq", r"\ge": r"\le", r"\geq": r"\leq", "<": ">", ">": "<", r"\ne": "=",
          r"\neq": "=", r"\max": r"\min", r"\min": r"\max", r"\prod": r"\sum", "+": "-", "-": "+"}  # fmt: skip
MOVED = {r"\le": "<", r"\leq": "<", "<": r"\le", r"\ge": ">", r"\geq": ">", ">": r"\ge"}
FACTORS = {r"\lambda", r"\eta", r"\rho", r"\pi", r"\gamma", r"\beta", r"\alpha", "C", "N", "B", "K", "T", "c", "t"}
FRACTIONS = {r"\frac", r"\tfrac", r"\dfrac"}
SIZES = {"N", "K", "T", "M", "B", "P"}


def slips(ts: Tokens, letters: Sequence[str], symmetric: Collection[str] = ()) -> Iterator[Tokens]:
    """Every formula that one slip makes of this one; ``letters`` are the indices of the chapter.

    The arguments of the functions that are ``symmetric`` are not exchanged.
    """
    used = [letter for letter in letters if letter in ts]
    level = 0
    for at, t in enumerate(ts):
        level += depth(t) * (not t.startswith((r"\begin", r"\end")))
        before, after = ts[:at], ts[at + 1 :]
        script = ts[at - 1] in ("_", "^") if at else False
        inverse = before[-2:] == ("^", "{") and after[:2] == ("1", "}")
        if t in TURNED and not inverse:
            yield (*before, TURNED[t], *after)
        if t in MOVED and level:
            yield (*before, MOVED[t], *after)
        argument = set(before[-2:]) & FRACTIONS
        if not script and not argument and (re.fullmatch("[2-9]", t) or (t in FACTORS and is_factor(before, after))):
            yield (*before, *after)
        if t == "^" and after[:1] in (("2",), (r"\top",)):
            yield (*before, *after[1:])
        if t == "^" and after[:4] == ("{", "-", "1", "}"):
            yield (*before, *after[4:])
        if t in SIZES and before[-1:] not in (("_",), (r"\mathbf",)) and after[:1] != ("_",):
            yield (*before, "(", t, "-", "1", ")", *after)
        if t == "_" and before and before[-1] not in TURNED and before[-1] != r"\sum":
            yield from ((*before, "_", *script, *after[end:]) for script, end in other_indices(after, used))
        if t in FRACTIONS and r"\partial" not in after[:2]:
            middle = group_end(after, 0)
            end = group_end(after, middle)
            yield (*before, t, *after[middle:end], *after[:middle], *after[end:])
            if after[:middle] == ("1",):
                yield (*before, *after[end:])
        called = before[-3:-2] if before[-2:-1] == ("_",) else before[-1:]
        if t in ("(", "[") and not {*called} & {r"\max", r"\min", *symmetric}:
            end = group_end(ts, at)
            for separator in (",", r"\mid", r"\Vert", ";"):
                parts = split(ts[at + 1 : end - 1], (separator,))
                if len(parts) == 2:
                    yield (*before, t, *parts[1], separator, *parts[0], *ts[end - 1 :])
        if t == r"\mathbf" and after[1:2] == (r"\mathbf",) and after[0].isupper() and after[2:3] > ("A",):
            yield (*before, t, after[2], t, after[0], *after[3:])


def is_factor(before: Tokens, after: Tokens) -> bool:
    """Whether a letter may be dropped: it has no index, is no argument, and something is left beside it."""
    alone = "+-=({,/<>" if not before else before[-1]
    follows = after[0] if after else ""
    if follows in ("_", "^", "'") or before[-1:] in ((r"\frac",), (r"\mathbf",)):
        return False
    return alone not in "+-=({,/<>" or follows not in "+-=)},/<>"


def other_indices(after: Tokens, used: Sequence[str]) -> Iterator[tuple[Tokens, int]]:
    """Other subscripts that could stand here, and where the one that does ends."""
    end = group_end(after, 0)
    script = after[1 : end - 1] if after[0] == "{" else after[:end]
    if not all(letter in used for letter in script):
        return
    if len(set(script)) > 1:
        yield ("{", *script[::-1], "}"), end
    for letter in [letter for letter in used if letter not in script][:2] or ["1"]:
        yield ("{", letter, *script[1:], "}"), end


def try_formulas(stem: str, most: int | None, seed: int) -> Tally:
    """Try the slips in every formula of a chapter."""
    return try_slips(Chapter.of(stem), f"formulas of {stem}", most, seed)


def try_slips(chapter: Chapter, name: str, most: int | None, seed: int) -> Tally:
    """Try the slips in every formula that is read, at least in part."""
    letters = [letter for letter, v in chapter.instances[0].values.items() if isinstance(v, range) and len(letter) == 1]
    truth = {key: statuses(chapter, formula, key) for key, formula in chapter.formulas.items()}
    trials = []
    read = {key: tokens(formula) for key, formula in chapter.formulas.items() if TRUE in truth[key]}
    for key, ts in read.items():
        trials += [(key, ts, slip) for slip in dict.fromkeys(slips(ts, letters, chapter.symmetric)) if slip != ts]
    trials = sample(trials, most, seed)
    survivors = []
    for key, ts, slip in trials:
        if statuses(chapter, " ".join(slip), key) == truth[key]:
            survivors.append(Survivor(key, *difference(ts, slip)))
    return Tally(name, len(trials), survivors, Counter())


def statuses(chapter: Chapter, formula: str, key: str) -> list[str]:
    """What becomes of the statements."""
    return [result.status for result in on_all(formula, chapter.instances, key)]


def difference(old: Tokens, new: Tokens) -> tuple[str, str]:
    """The part of both where they differ, with some tokens around it."""
    first = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    shared = next((k for k, (a, b) in enumerate(zip(old[::-1], new[::-1], strict=False)) if a != b), 0)
    start = max(0, first - 8)
    return " ".join(old[start : len(old) - shared + 4]), " ".join(new[start : len(new) - shared + 4])
