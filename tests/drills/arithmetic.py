r"""A reader of printed arithmetic: it evaluates the LaTeX of a drill, and shares no code with what printed it.

Values are floats and matrices; a vector is a column, and ``(1, 2)`` is a row unless ``^\top`` stands behind it. A
symbol means what its reader is told, under the name that :func:`name` gives to its LaTeX.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

SPACES = {r"\,", r"\;", r"\:", r"\ ", r"\!", r"\quad", r"\qquad", r"\left", r"\right", "&"}
SPACES |= {rf"\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r")}
TOKEN = re.compile(r"\d+(?:\.\d+)?(?:e[+-]\d+| ?\\cdot 10\^\{-?\d+\})?|\\[a-zA-Z]+|\\.|\S", re.S)
RELATIONS = {"=": "=", r"\approx": "=", r"\propto": r"\propto", "<": "<", ">": ">", r"\le": r"\le", r"\leq": r"\le",
             r"\ge": r"\ge", r"\geq": r"\ge", r"\ne": r"\ne", r"\neq": r"\ne"}  # fmt: skip
FONTS = {r"\mathbf", r"\boldsymbol", r"\mathcal", r"\mathrm", r"\hat", r"\bar", r"\tilde", r"\nabla", r"\text"}
FUNCTIONS = {r"\ln": math.log, r"\log": math.log, r"\exp": math.exp, r"\cos": math.cos, r"\sin": math.sin}
OPERATIONS = {r"\frac", r"\tfrac", r"\dfrac", r"\binom", r"\sqrt", r"\begin", r"\lvert", r"\lVert"}
OPERATIONS |= {r"\max", r"\min", *FUNCTIONS}
CLOSING = {"(": ")", "[": "]", r"\{": r"\}"}
OPENINGS = {*OPERATIONS, *CLOSING}
SHORT = re.compile(r"\{([A-Za-z0-9])\}")  # braces around one character
SCRIPT, DIGIT = re.compile(r"[_^](?:\{[^{}]*\}|\\[a-zA-Z]+|.)"), re.compile(r"\d")
SYMBOL = re.compile(r"[A-Za-z]|\\(?:[a-zA-Z]+)")
NAME = re.compile(
    rf"(?:(?:{'|'.join(re.escape(font) for font in sorted(FONTS, reverse=True))})\s*)*"
    r"(?:\{[^{}]*\}|[A-Za-z]|\\[a-zA-Z]+)"
    r"(?:_(?:\{[^{}]*\}|\\?\w+)|\^(?:\{\([^{}]*\)\}|2|\{-1\})|\([^()]*\)|')*"
)
# a power or a product behind a symbol; its name goes on with (k), with an upper index, with x | y
FACTOR = re.compile(r"\^\{(?!\\star|\\ast|\(|\+\}|\*|-\}|\\text|\\mathrm).*\}|\((?!.*(?:\\mid|\||[,;=])).*\)", re.S)
NOT_SYMBOLS = {r"\cdot", r"\times", r"\pm", r"\mid", r"\rvert", r"\rVert", r"\end", r"\sum", r"\ldots"}
NOT_SYMBOLS |= {r"\partial", r"\sim", r"\in", r"\leftarrow", r"\top", r"\Vert", *RELATIONS, *OPERATIONS}


class Unreadable(Exception):
    """The reader does not know what a formula means."""


class Unknown(Unreadable):
    """A symbol has no meaning; ``base`` is the part of its name that is not a power or a factor in brackets."""

    def __init__(self, symbol: str, base: str) -> None:
        super().__init__(f"no meaning of {symbol}")
        self.base = base


class Number(NamedTuple):
    """A number as it is printed: its value, and half a unit of the last digit that its rounding kept."""

    value: float
    half: float
    decimal: bool = False


@dataclass(frozen=True)
class Rounding:
    """How a drill rounds: to ``significant`` digits or to the printed places, and whether printed numbers go on.

    With ``carried`` a decimal that stands in a computation may be rounded itself, unless it has at most ``exact``
    digits; without it, it is exact.
    """

    significant: int | None = 4
    carried: bool = False
    exact: int = 0

    def number(self, token: str) -> Number:
        """The number that a token prints."""
        number = printed_number(token, self.significant)
        return number if not self.short(token) else number._replace(decimal=False)

    def short(self, text: str) -> bool:
        """Whether a text prints one number of so few digits that it is exact in a computation."""
        return 0 < len(re.sub(r" ?\\cdot.*|e.*|\D", "", text).lstrip("0")) <= self.exact


@cache
def printed_number(token: str, significant: int | None) -> Number:
    """The number that a token prints when numbers are rounded to so many digits, or to the printed places."""
    mantissa, _, exponent = re.sub(r" ?\\cdot 10\^\{(-?\d+)\}", r"e\1", token).partition("e")
    value = float(f"{mantissa}e{exponent or 0}")
    places = len(mantissa.partition(".")[2])
    last = -places if places else -9  # a whole number is exact
    if significant is not None and value:  # zeros at the end are not printed
        last = min(math.floor(math.log10(float(mantissa))) + 1 - significant, -places)
    return Number(value, 0.5 * 10.0 ** (last + int(exponent or 0)), decimal="." in mantissa)


EXACT, PLACES = Rounding(), Rounding(significant=None)
CARRIED, CARRIED_PLACES = Rounding(carried=True), Rounding(significant=None, carried=True)


@cache
def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a formula, without what only makes space."""
    return tuple(t for t in TOKEN.findall(text) if t == "&" or t not in SPACES)


def joined(parts: Iterable[str]) -> str:
    """Tokens as one text again, with a space where a command would run into a letter."""
    return "".join(t + " " if t.startswith("\\") else t for t in parts)


@cache
def name(text: str) -> str:
    r"""One spelling of a symbol, such as ``\hat a_{11}`` or ``\alpha_1(2)``."""
    text = SHORT.sub(r" \1", text)
    return joined(t for t in TOKEN.findall(text) if t not in SPACES).replace("} ", "}").strip()


Node = Callable[[dict[int, float]], Any]


def matrix(value: Any) -> Any:
    """A float, or a matrix; one dimension is a column."""
    if isinstance(value, np.ndarray | list | tuple):
        a = np.asarray(value, dtype=float)
        a = a[:, None] if a.ndim == 1 else a
        return float(a.ravel()[0]) if a.size == 1 else a
    return float(value)


def times(a: Any, b: Any) -> Any:
    if np.ndim(a) == 2 and np.ndim(b) == 2:
        if a.shape[1] != b.shape[0]:
            raise Unreadable(f"a product of shapes {a.shape} and {b.shape}")
        return matrix(a @ b)
    return a * b


def divide(a: Any, b: Any) -> Any:
    if np.ndim(b):
        raise Unreadable("a division by a vector")
    if b == 0:
        raise Unreadable("a division by 0")
    return a / b


def add(a: Any, b: Any) -> Any:
    if np.shape(a) != np.shape(b):
        raise Unreadable(f"a sum of shapes {np.shape(a)} and {np.shape(b)}")
    return a + b


def raised(a: Any, b: float) -> Any:
    if np.ndim(a) == 0:
        return a**b
    if b == -1 and a.shape[0] == a.shape[1]:
        return np.linalg.inv(a)
    raise Unreadable("a power of a matrix")


def whole(a: Any) -> int:
    """A whole number that is not negative, for what can be counted."""
    if np.ndim(a) or a != round(a) or a < 0:
        raise Unreadable(f"{a} where a count should stand")
    return round(a)


def size(a: Any) -> float:
    """Absolute value of a number, determinant of a matrix."""
    return abs(a) if np.ndim(a) == 0 else float(np.linalg.det(a))


def combined(function: Callable[[Any, Any], Any], left: Node, right: Node) -> Node:
    return lambda shift: function(left(shift), right(shift))


class Formula:
    """One side of a relation, parsed: a function of the printed numbers, by recursive descent."""

    def __init__(self, text: str, symbols: Mapping[str, Any], rounding: Rounding) -> None:
        self.tokens, self.at = list(tokens(text.strip().rstrip(".,;: "))), 0
        self.symbols, self.rounding = symbols, rounding
        self.numbers: list[Number] = []
        self.bars = 0  # open ones
        self.node = self.sum()
        if self.at < len(self.tokens):
            raise Unreadable(f"{self.tokens[self.at]!r} at the end")

    # --- tokens
    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self, *expected: str) -> str:
        token = self.peek()
        if not token or (expected and token not in expected):
            raise Unreadable(f"{token!r} where {expected or 'something'} should stand")
        self.at += 1
        return token

    def raw(self, opening: str, closing: str) -> str:
        """The tokens up to the bracket that closes, the opening one being read."""
        depth, start = 1, self.at
        while depth:
            token = self.next()
            depth += (token == opening) - (token == closing)
        return joined(self.tokens[start : self.at - 1])

    def digit(self) -> None:
        """Split a number, because an argument without braces is one digit."""
        token = self.peek()
        if token[:1].isdigit() and len(token) > 1:
            self.tokens[self.at : self.at + 1] = [token[0], token[1:]]

    def script(self) -> str:
        """A subscript or superscript, unread."""
        if self.peek() == "{":
            self.next()
            return self.raw("{", "}")
        self.digit()
        return self.next()

    # --- grammar
    def sum(self) -> Node:
        sign = -1 if self.peek() == "-" else 1
        if self.peek() in ("-", "+"):
            self.next()
        value = self.product()
        if sign < 0:
            value = lambda s, v=value: -v(s)
        while self.peek() in ("+", "-"):
            minus, other = self.next() == "-", self.product()
            value = lambda s, v=value, w=other, m=minus: add(v(s), -w(s) if m else w(s))
        return value

    def product(self) -> Node:
        value = self.power()
        while True:
            token = self.peek()
            if token in (r"\cdot", r"\times", "·", "/"):
                self.next()
                function = divide if token == "/" else times
                value = combined(function, value, self.power())
            elif token and (token[0].isdigit() or self.opens(token) or self.begins_symbol()):
                value = combined(times, value, self.power())
            else:
                return value

    def opens(self, token: str) -> bool:
        """Whether a token may follow a factor directly; a bar closes when one is open."""
        return token in OPENINGS or (token == "|" and not self.bars)

    def begins_symbol(self) -> bool:
        return bool(SYMBOL.fullmatch(self.peek())) and self.peek() not in NOT_SYMBOLS

    def power(self) -> Node:
        value = self.atom()
        if self.peek() == "!":
            self.next()
            return lambda s, v=value: float(math.factorial(whole(v(s))))
        while self.peek() == "^":
            self.next()
            script = self.script()
            if script == r"\top":
                value = lambda s, v=value: matrix(np.asarray(v(s)).T)
            else:
                value = combined(raised, value, self.part(script))
        return value

    def part(self, text: str) -> Node:
        """A formula within a formula, whose numbers count as printed numbers too."""
        inner = Formula.__new__(Formula)
        inner.tokens, inner.at, inner.bars = list(tokens(text)), 0, 0
        inner.symbols, inner.rounding, inner.numbers = self.symbols, self.rounding, self.numbers
        node = inner.sum()
        if inner.at < len(inner.tokens):
            raise Unreadable(f"{inner.peek()!r} at the end of {text!r}")
        return node

    def argument(self) -> Node:
        return self.part(self.script())

    def atom(self) -> Node:
        if self.begins_symbol():
            return self.symbol()
        token = self.next()
        if token[0].isdigit():
            position = len(self.numbers)
            self.numbers.append(self.rounding.number(token))
            return lambda s, i=position: self.numbers[i].value + s.get(i, 0.0)
        if token in CLOSING:
            return self.brackets(CLOSING[token])
        if token in (r"\frac", r"\tfrac", r"\dfrac"):
            above, below = self.argument(), self.argument()
            return lambda s: divide(above(s), below(s))
        if token == r"\binom":
            above, below = self.argument(), self.argument()
            return lambda s: float(math.comb(whole(above(s)), whole(below(s))))
        if token == r"\sqrt":
            inside = self.argument()
            return lambda s: math.sqrt(inside(s))
        if token in FUNCTIONS:
            return self.function(token)
        if token in (r"\max", r"\min"):
            self.next("(")
            entries, choose = self.brackets(")"), max if token == r"\max" else min
            return lambda s: float(choose(np.ravel(entries(s))))
        if token in ("|", r"\lvert", r"\lVert"):
            self.bars += token == "|"
            inside = self.sum()
            self.bars -= token == "|"
            self.next({"|": "|", r"\lvert": r"\rvert", r"\lVert": r"\rVert"}[token])
            measure = np.linalg.norm if token == r"\lVert" else size
            return lambda s: float(measure(inside(s)))
        if token == r"\begin":
            return self.rows()
        raise Unreadable(f"no meaning of {token!r}")

    def function(self, token: str) -> Node:
        binary = token == r"\log" and self.peek() == "_"
        if binary:
            self.next()
            if self.script() != "2":
                raise Unreadable("a logarithm to another base than 2 or e")
        inside = self.power()
        if binary:
            return lambda s: math.log2(inside(s))
        return lambda s, f=FUNCTIONS[token]: f(inside(s))

    def brackets(self, closing: str) -> Node:
        parts = [self.sum()]
        while self.peek() == ",":
            self.next()
            parts.append(self.sum())
        self.next(closing)
        return parts[0] if len(parts) == 1 else lambda s: np.hstack([np.atleast_2d(p(s)) for p in parts])

    def rows(self) -> Node:
        self.next("{")
        if self.raw("{", "}").replace(" ", "") != "pmatrix":
            raise Unreadable("another environment than pmatrix")
        rows: list[list[Node]] = [[]]
        while True:
            rows[-1].append(self.sum())
            token = self.next("&", r"\\", r"\end")
            if token == r"\\":
                rows.append([])
            elif token == r"\end":
                self.next("{")
                self.raw("{", "}")
                return lambda s: matrix([[entry(s) for entry in row] for row in rows])

    def symbol(self) -> Node:
        """A symbol with all that belongs to its name: the longest name with a meaning wins."""
        text = self.next()
        while text.split()[-1] in FONTS:
            text += " " + ("{" + self.script() + "}" if self.peek() == "{" else self.next())
        found, base, based = self.meaning(text), text, True
        while self.peek() in ("_", "^", "(", "'"):
            token, before = self.next(), len(text)
            if token == "(":
                text += "(" + self.raw("(", ")") + ")"
            else:
                text += token + ("" if token == "'" else "{" + self.script() + "}")
            factor = bool(FACTOR.fullmatch(text[before:]))
            found = self.meaning(text) or (found if factor or token == "(" else None)
            based = based and not factor
            base = text if based else base
        if found is None:
            raise Unknown(name(text), name(base))
        value, self.at = found
        if isinstance(value, Number):
            position = len(self.numbers)
            self.numbers.append(value)
            return lambda s: value.value + s.get(position, 0.0)
        return lambda s: value

    def meaning(self, text: str) -> tuple[Any, int] | None:
        """Value of a name, and where it ends; None if it has no meaning."""
        value = self.symbols.get(name(text), math.e if text == "e" else None)
        if value is None:
            return None
        return (value if isinstance(value, Number) else matrix(value)), self.at


@dataclass(frozen=True)
class Value:
    """What a formula is worth, how far rounding may have moved it, and whether it only prints a number."""

    value: Any
    half: Any = 0.0
    printed: bool = False

    def agrees(self, other: Value, relation: str = "=") -> bool:
        """Whether the relation holds, for some numbers that print as these do."""
        a, b = (np.ravel(v.value) for v in (self, other))
        if a.shape != b.shape or not (np.isfinite(a).all() and np.isfinite(b).all()):
            return False
        halves = np.ravel(self.half), np.ravel(other.half)
        both = self.printed and other.printed  # the one is the other one rounded
        slack = np.maximum(*halves) if both else halves[0] + halves[1]
        slack = slack + 1e-9 * np.maximum(np.abs(a), np.abs(b)) + 1e-12
        if relation == r"\propto":
            factor = float(a @ b) / float(b @ b)
            return factor > 0 and bool((np.abs(a - factor * b) <= slack * max(1.0, factor)).all())
        tests = {"=": np.abs(a - b) <= slack, r"\ne": np.abs(a - b) > slack, "<": b - a > -slack, ">": a - b > -slack,
                 r"\le": b - a >= -slack, r"\ge": a - b >= -slack}  # fmt: skip
        strict = relation in ("<", ">")
        return bool(tests[relation].all()) and not (strict and (a == b).any())


def evaluate(text: str, symbols: Mapping[str, Any], rounding: Rounding = EXACT) -> Value:
    """Worth of a formula without relations; a formula in ``symbols`` as a whole is worth what stands there."""
    key = name(text.strip().rstrip(".,;: "))
    if key in symbols:
        known = symbols[key]
        return Value(known.value, known.half) if isinstance(known, Number) else Value(matrix(known))
    formula = Formula(text, symbols, rounding)
    try:
        value = formula.node({})
    except (ValueError, ZeroDivisionError, OverflowError, IndexError, np.linalg.LinAlgError) as error:
        raise Unreadable(str(error)) from error
    printed = [t for t in formula.tokens if t[0].isdigit()]
    lone = not printed or is_printed_number(text)
    half = np.zeros(np.shape(value))
    for i, number in enumerate(formula.numbers):
        if lone or (rounding.carried and number.decimal):
            half = half + np.abs(formula.node({i: number.half}) - value)
    return Value(value, half, printed=bool(printed) and lone)


def is_printed_number(text: str) -> bool:
    """Whether a formula only prints a number, or numbers as a point or a matrix, and computes nothing."""
    bare = re.sub(r"\\(begin|end)\{pmatrix\}|\^\\top|\\\\|&|\\,|\\;|\\ ", " ", text)
    bare = TOKEN.sub(lambda m: "1" if m[0][0].isdigit() else m[0], bare)
    return bool(re.fullmatch(r"[\s(]*-?1(\s*,?\s*-?1)*[\s).,;]*", bare))


DEPTH = dict.fromkeys(("(", "[", "{", r"\{", r"\begin"), 1) | dict.fromkeys((")", "]", "}", r"\}", r"\end"), -1)


def split(text: str, at: Collection[str]) -> list[tuple[str, str]]:
    """Parts of a formula outside all brackets, each with the token in front of it."""
    parts, depth, start, separator = [], 0, 0, ""
    for m in TOKEN.finditer(text):
        token = m[0]
        depth += DEPTH.get(token, 0)
        if depth == 0 and token in at:
            parts.append((separator, text[start : m.start()]))
            separator, start = token, m.end()
    return [*parts, (separator, text[start:])]


class Link(NamedTuple):
    """Two neighbours in a chain, and whether the relation between them holds; None when one cannot be read."""

    left: str
    relation: str
    right: str
    holds: bool | None


def has_number(text: str) -> bool:
    """Whether a number stands in a formula, other than in a subscript or superscript."""
    return bool(DIGIT.search(SCRIPT.sub(" ", text)))


@cache
def chains(formula: str) -> list[list[tuple[str, str]]]:
    """Chains of a formula: its sides with the relation in front of each."""
    pieces = (split(piece, RELATIONS) for _, piece in split(formula, (",", ";", r"\qquad", r"\Rightarrow")))
    return [[(RELATIONS.get(r, ""), side.strip()) for r, side in sides] for sides in pieces if len(sides) > 1]


def between(sides: list[tuple[str, str]], start: int, end: int) -> str | None:
    """The relation between two sides of a chain, over those that cannot be read; None if there is none to check."""
    relation = joint([r for r, _ in sides[start + 1 : end + 1]])
    condition = relation != "=" and end - start > 1 and is_name(sides[start][1])  # on what its name will be
    return None if condition else relation


def joint(relations: Collection[str]) -> str | None:
    """The relation between the ends of a chain: 1 < 3 if 1 < x = y <= 3; None if there is none."""
    for strict, loose in (("<", r"\le"), (">", r"\ge")):
        if set(relations) <= {"=", strict, loose}:
            return next((r for r in (strict, loose) if r in relations), "=")
    (only,) = relations if len(relations) == 1 else (None,)
    return only


def is_name(text: str) -> bool:
    """Whether a side is one symbol, which the other sides may give a meaning."""
    plain = NAME.fullmatch(text.strip())
    return bool(plain) and SYMBOL.match(text.strip()) is not None and tokens(text)[0] not in NOT_SYMBOLS


class Reader:
    """Reads formula after formula, and learns on the way what a symbol means that was told nothing about."""

    def __init__(
        self, symbols: Mapping[str, Any] | None = None, rounding: Rounding = EXACT, never: Collection[str] = ()
    ) -> None:
        self.told, self.rounding, self.never = dict(symbols or {}), rounding, never
        self.known = dict(self.told)  # and what was learnt
        self.worth: dict[str, Value | None] = {}  # of formulas, with what is known now

    def evaluate(self, text: str) -> Value | None:
        """Worth of a formula; None if it cannot be read."""
        if text not in self.worth:
            try:
                self.worth[text] = evaluate(text, self.known, self.rounding)
            except Unreadable:
                self.worth[text] = None
        return self.worth[text]

    def links(self, formula: str) -> list[Link]:
        """Every relation of a formula, checked."""
        return [link for chain in chains(formula) for link in self._chain(chain)]

    def _chain(self, sides: list[tuple[str, str]]) -> list[Link]:
        values = [self.evaluate(side) for _, side in sides]
        (_, first), (relation, _), *_ = sides
        if relation == "=" and is_name(first) and name(first) not in self.told:
            values[0] = None  # a definition, perhaps a new one
        links, known = [], None
        for i, ((relation, side), value) in enumerate(zip(sides, values, strict=True)):
            if i:
                whole = between(sides, known, i) if known is not None and value is not None else None
                if whole is None:
                    links.append(Link(sides[i - 1][1], relation, side, None))
                else:
                    links.append(Link(sides[known][1], whole, side, values[known].agrees(value, whole)))
            known = i if value is not None else known
        if values[0] is None and is_name(first) and name(first) not in {*self.told, *self.never}:
            worth = [(s, v) for v, (r, s) in zip(values, sides, strict=True) if v is not None and r == "="]
            given = len(worth) == 1 and worth[0][1].printed and self.rounding.short(worth[0][0])
            self._learn(name(first), [Value(v.value) if given else v for _, v in worth])
        return links

    def _learn(self, key: str, values: list[Value]) -> None:
        if values:
            best = min(values, key=lambda v: float(np.max(v.half)))
            scalar = np.ndim(best.value) == 0
            self.known[key] = Number(float(best.value), float(best.half), decimal=True) if scalar else best.value
            self.worth = {}


def formulas(text: str) -> list[str]:
    """Every formula of a Markdown text, with the cells of its tables that state an equality without dollar signs."""
    text = text.replace("$ $", "  ")  # one formula that may break between two lines
    cells = re.findall(r"(?<=\|)([^|\n$]*=[^|\n$]*)(?=\|)", text)
    return [a or b for a, b in re.findall(r"\$\$(.*?)\$\$|\$(.*?)\$", text, re.S)] + list(cells)
