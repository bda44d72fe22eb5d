r"""Where a symbol stands in a formula: LaTeX read as signs with their scripts.

A *sign* is a letter, a number, an operator, or a letter in a face or under an accent, which is another sign:
``w`` stands neither in ``\mathbf{w}`` nor in ``\hat{w}``. Signs below a root, in a fraction or in a cell of a matrix
stand in the formula as any other; those of a script stand in it less plainly. Spaces, sizes and alignment are nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

TOKEN = re.compile(
    r"\\(?:begin|end)\s*\{[^}]*\}(?:\{[lcr|]+\})?|\\\\(?:\[[^\]]*\])?|\\[A-Za-z]+\*?|\\.|[^\s~&]", re.DOTALL
)
NOTHING = re.compile(
    r"\\(?:[,;:!> ]|begin.*|end.*|\\.*|q?quad|(?:text|display|script)style|limits|nolimits|left|right|middle"
    r"|[bB]igg?[lrm]?|!|nonumber)$",
    re.DOTALL,
)
SAME = {
    **{r"\mid": "|", r"\vert": "|", r"\lvert": "|", r"\rvert": "|", r"\lbrace": r"\{", r"\rbrace": r"\}"},
    **{r"\|": r"\Vert", r"\lVert": r"\Vert", r"\rVert": r"\Vert", r"\Vert": r"\Vert"},
    **{r"\ne": r"\neq", r"\le": r"\leq", r"\ge": r"\geq", r"\leqslant": r"\leq", r"\geqslant": r"\geq", r"\to": "→"},
    **{r"\bm": r"\boldsymbol", r"\bf": r"\mathbf", r"\ast": "*", r"\star": "*", r"\prime": "'"},
    **{r"\rightarrow": "→", r"\dotsc": r"\ldots", r"\dots": r"\ldots"},
}
FACES = {r"\mathbf", r"\boldsymbol", r"\mathcal", r"\mathbb", r"\mathsf", r"\mathfrak", r"\mathit"}
WORDS = {r"\mathrm", r"\text", r"\operatorname", r"\operatorname*", r"\textbf", r"\textit", r"\texttt", r"\mathtt"}
ACCENTS = {
    *(r"\hat", r"\widehat", r"\bar", r"\overline", r"\tilde", r"\widetilde", r"\vec", r"\dot", r"\ddot", r"\check"),
    r"\underline",
}
ARGUMENTS = {r"\frac": 2, r"\tfrac": 2, r"\dfrac": 2, r"\binom": 2, r"\tbinom": 2, r"\overset": 2, r"\underset": 2}
ONE = {r"\sqrt", r"\substack", r"\underbrace", r"\overbrace", r"\boxed", r"\cancel", r"\mathop", r"\phantom"}
RELATIONS = {
    "=",
    r"\in",
    r"\leq",
    r"\geq",
    r"\neq",
    "<",
    ">",
    r"\sim",
    r"\approx",
    r"\propto",
    r"\subset",
    r"\subseteq",
}
OPENING, CLOSING = {"(", "["}, {")", "]"}
LETTER = re.compile(r"(?:[A-Za-z]|\d+|\\(?!mathrm|text|operatorname)[A-Za-z]+(?:\{.*\})?)$")
INDEX = re.compile(r"(?:[A-Za-z]|\d+)$")
MARKS = re.compile(r"[*'(†]|\\dagger")  # above a sign they make it another one; a power does not


class Sign(NamedTuple):
    """A sign with its scripts; a group without a sign of its own has the base ``""`` and its parts in ``inner``."""

    base: str
    sub: tuple[Sign, ...] | None = None
    sup: tuple[Sign, ...] | None = None
    inner: tuple[tuple[Sign, ...], ...] = ()


Signs = tuple[Sign, ...]


def spelt(signs: Signs) -> str:
    """Signs as a string: the base of the accent over them."""
    return "".join(
        sign.base
        + (f"_{{{spelt(sign.sub)}}}" if sign.sub else "")
        + (f"^{{{spelt(sign.sup)}}}" if sign.sup else "")
        + "".join(f"{{{spelt(part)}}}" for part in sign.inner)
        for sign in signs
    )


class Reader:
    """Reads the tokens of a formula from the left to the right."""

    def __init__(self, tex: str) -> None:
        tokens = (SAME.get(token, token) for token in TOKEN.findall(tex.replace(r"\left.", "").replace(r"\right.", "")))
        self.tokens = [token for token in tokens if not NOTHING.match(token)]
        self.at = 0

    def next(self) -> str:
        """The token at hand, ``""`` at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        """The token at hand, which is then behind."""
        token, self.at = self.next(), self.at + 1
        return token

    def signs(self, end: str = "") -> Signs:
        """All signs up to a closing brace or the end."""
        found: list[Sign] = []
        while self.next() and self.next() != end:
            found += self.scripted(self.atom())
        self.take()
        return tuple(found)

    def argument(self) -> Signs:
        """A group in braces, or one sign without scripts."""
        if self.next() == "{":
            self.take()
            return self.signs("}")
        return self.atom(digits=1)

    def atom(self, digits: int = 99) -> Signs:
        """The next sign without its scripts; letters of one face may be several."""
        token = self.take()
        if not token:
            return ()
        if token in ("{", "}"):
            inner = self.signs("}") if token == "{" else ()
            return inner if len(inner) == 1 else (Sign("", inner=(inner,)),)
        if token in WORDS:
            return (Sign(rf"\mathrm{{{spelt(self.argument())}}}"),)
        if token in ACCENTS:
            return (Sign(f"{token}{{{spelt(self.argument())}}}"),)
        if token in FACES:
            parts = self.argument()
            if all(not (part.sub or part.sup or part.inner) for part in parts):
                return tuple(Sign(f"{token}{{{part.base}}}") for part in parts)
            return (Sign(f"{token}{{{spelt(parts)}}}"),)
        if token in ARGUMENTS:
            return (Sign("", inner=tuple(self.argument() for _ in range(ARGUMENTS[token]))),)
        if token in ONE:
            if token == r"\sqrt" and self.next() == "[":
                while self.take() not in ("]", ""):
                    pass
            return (Sign("", inner=(self.argument(),)),)
        while token[0].isdigit() and len(token) < digits and (self.next().isdigit() or self.next() == "."):
            token += self.take()
        return (Sign(token),)

    def scripted(self, atom: Signs) -> Signs:
        """The signs with the scripts behind them, which the last one carries."""
        scripts: dict[str, Signs] = {}
        while self.next() in ("_", "^", "'"):
            mark = self.take()
            if mark == "'":
                scripts["^"] = (*scripts.get("^", ()), Sign("'"))
            else:
                scripts[mark] = (*scripts.get(mark, ()), *self.argument())
        if not scripts or not atom:
            return atom
        return (*atom[:-1], atom[-1]._replace(sub=scripts.get("_"), sup=scripts.get("^")))


def read(tex: str) -> Signs:
    """The signs of a formula."""
    return Reader(tex).signs()


@lru_cache(maxsize=2**14)
def lines(tex: str) -> list[tuple[bool, Signs, set[str]]]:
    """The lines of signs of a formula, whether each is a script, and the signs in it."""
    return [(script, line, {sign.base for sign in line}) for script, line in levels(read(tex))]


def levels(signs: Signs, script: bool = False) -> Iterator[tuple[bool, Signs]]:
    """The lines of signs in a formula: itself, those below roots and in fractions, those of scripts (marked True)."""
    yield script, signs
    for sign in signs:
        for part in sign.inner:
            yield from levels(part, script)
        for part in (sign.sub, sign.sup):
            if part:
                yield from levels(part, True)


def equal(one: Signs | None, other: Signs | None, alike: re.Pattern[str] | None = None) -> bool:
    """Whether two scripts are the same; those that ``alike`` matches may be different letters."""
    if one is None or other is None or alike is None:
        return one == other
    return len(one) == len(other) and all(
        a == b or bool(not a.inner and not b.inner and alike.match(a.base) and alike.match(b.base))
        for a, b in zip(one, other, strict=True)
    )


def same(symbol: Sign, sign: Sign, loose: bool) -> bool:
    """Whether a sign of a formula is that of a symbol: a power of it is, one with another index is not."""
    if symbol.base != sign.base or not equal(symbol.sub, sign.sub, INDEX if loose else None):
        return False
    if symbol.sup is None:
        return not (sign.sup and MARKS.match(sign.sup[0].base))
    return symbol.sup == sign.sup


def stands_at(symbol: Signs, line: Signs, start: int, loose: bool) -> bool:
    """Whether a symbol stands at a place of a line; loosely, indices and what stands in brackets may differ."""
    depth = 0
    for ours, theirs in zip(symbol, line[start:], strict=False):
        depth -= ours.base in CLOSING
        letters = loose and depth and LETTER.match(ours.base) and LETTER.match(theirs.base)
        if not letters and not same(ours, theirs, loose):
            return False
        depth += ours.base in OPENING
    return True


def head(symbol: Signs) -> Signs:
    """What stands before the first relation of a symbol: of ``z = 1`` the ``z``."""
    ends = (n for n, sign in enumerate(symbol) if n and sign.base in RELATIONS)
    return symbol[: next(ends, len(symbol))]


def one_of(symbol: Signs) -> Signs:
    """The first of several symbols with commas between them."""
    depth = 0
    for n, sign in enumerate(symbol):
        depth += (sign.base in OPENING) - (sign.base in CLOSING)
        if n and not depth and sign.base in (",", ";"):
            return symbol[:n]
    return symbol


def stands_in(symbol: Signs, formula: str, script: bool = False, loose: bool = False) -> bool:
    """Whether a symbol stands in a formula: in its lines or, where asked, in its scripts."""
    return bool(symbol) and any(
        stands_at(symbol, line, start, loose)
        for in_script, line, bases in lines(formula)
        if in_script == script and symbol[0].base in bases
        for start in range(len(line) - len(symbol) + 1)
    )
