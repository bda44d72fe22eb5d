"""What a later answer would be, given earlier ones: the expressions of ``Field.follows``.

An expression is computed from the answers to earlier fields, so that an error is paid for once. It holds

===================  ================================================================================================
numbers              ``2``, ``0.5``, ``1e-3``: those of the exercise are put in with f-strings; write brackets around
                     one that may be negative and is raised to a power, ``({x})^2``
``means.0``          the answer to the field of that name: letters, digits, ``_``, and points inside
``gamma[1]``         one entry of a vector or a sequence, ``gamma[1,0]`` of a matrix; counted from 0
``+ - * / ^ ( )``    as usual
``< <= > >= == !=``  1 if it holds, else 0; once, or in brackets
functions            ``sqrt ln log log2 exp abs`` of one number (``log`` is ``ln``), ``min max sum argmin argmax`` of
                     several: ``max(a, b, 0)``. The last two count from 0, of equal ones the first
``aic``              all entries of a vector, as arguments of a function: ``argmin(aic)``; likewise ``gamma[:,0]``, the
                     first column of a matrix, ``gamma[0,:]``, its first row
===================  ================================================================================================

A choice and each word of a sequence count as the place of the option, from 0; a set has for each option 1 or 0:
``chosen[2]`` is 1 if the third option was chosen. ``static/judge.js`` has the twin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from notes_lib.drills.expressions import Unreadable, apply, finite, power

__all__ = ["Lookup", "compute", "names"]

Index = tuple["int | None", ...]  # None: all of them
Lookup = Callable[[str, Index], Sequence[float]]

TOKEN = re.compile(r" *([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?|[A-Za-z_]\w*(?:\.\w+)*|\*\*|[<>=!]=|.)", re.ASCII)
COMPARED: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip
OF_ONE = ("sqrt", "ln", "log", "log2", "exp", "abs")
OF_SEVERAL: dict[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "max": max,
    "sum": lambda values: finite(float(sum(values))),
    "argmin": lambda values: float(values.index(min(values))),
    "argmax": lambda values: float(values.index(max(values))),
}


def compute(expression: str, lookup: Lookup) -> float:
    """Value of an expression.

    Parameters
    ----------
    expression : str
        As the module says.
    lookup : callable
        Gives the entries that a name and indices stand for.

    Raises
    ------
    Unreadable
        If it has no value: it divides by zero, or is no expression.

    Examples
    --------
    >>> compute("(mu[1] - 3)^2 / 2 + (1 < 2)", lambda name, index: [7.0])
    9.0
    >>> compute("argmin(aic)", lambda name, index: [4.0, 2.5, 3.0])
    1.0
    """
    return _Computer(expression, lookup).whole()


def names(expression: str) -> set[str]:
    """The names of fields in an expression.

    Examples
    --------
    >>> sorted(names("max(gain.0, gain.1) - left[2]"))
    ['gain.0', 'gain.1', 'left']
    """
    found = [*TOKEN.findall(expression), ""]
    return {a for a, b in pairwise(found) if (a[0].isalpha() or a[0] == "_") and b != "("}


class _Computer:
    """A recursive descent through the tokens."""

    def __init__(self, expression: str, lookup: Lookup) -> None:
        self.tokens = [*TOKEN.findall(expression.strip(" ")), ""]
        self.lookup, self.at = lookup, 0

    def here(self) -> str:
        return self.tokens[self.at]

    def taken(self, *tokens: str) -> str:
        """Go past the next token if it is one of these, and give it."""
        token = self.here()
        if token == "" or token not in tokens:
            return ""
        self.at += 1
        return token

    def needed(self, token: str) -> None:
        if not self.taken(token):
            raise Unreadable(f"“{token}” is missing before “{self.here()}”.")

    def whole(self) -> float:
        value = self.comparison()
        if self.here() != "":
            raise Unreadable(f"“{self.here()}” is not expected here.")
        return value

    def comparison(self) -> float:
        value = self.sum()
        sign = self.taken(*COMPARED)
        return float(COMPARED[sign](value, self.sum())) if sign else value

    def sum(self) -> float:
        value = self.product()
        while sign := self.taken("+", "-"):
            other = self.product()
            value = finite(value + other if sign == "+" else value - other)
        return value

    def product(self) -> float:
        value = self.signed()
        while sign := self.taken("*", "/"):
            other = self.signed()
            if sign == "/" and other == 0:
                raise Unreadable("This divides by zero.")
            value = finite(value * other if sign == "*" else value / other)
        return value

    def signed(self) -> float:
        sign = self.taken("-", "+")
        if sign:
            return -self.signed() if sign == "-" else self.signed()
        base = self.atom()
        return power(base, self.signed()) if self.taken("^", "**") else base

    def atom(self) -> float:
        if self.taken("("):
            value = self.comparison()
            self.needed(")")
            return value
        values = self.listed()
        if len(values) != 1:
            raise Unreadable("One number is needed where several stand.")
        return float(values[0])

    def listed(self) -> Sequence[float]:
        """The values of a number, a function, or a name with its indices."""
        token = self.here()
        self.at += token != ""
        if token[:1].isdigit():
            return [finite(float(token))]
        if not (token[:1].isalpha() or token[:1] == "_"):
            raise Unreadable(f"A number is missing before “{token}”.")
        return [self.function(token)] if self.taken("(") else self.lookup(token, self.indices())

    def function(self, name: str) -> float:
        values = [*self.argument()]
        while self.taken(","):
            values += self.argument()
        self.needed(")")
        if name in OF_SEVERAL:
            return float(OF_SEVERAL[name](values))
        if name not in OF_ONE or len(values) != 1:
            raise Unreadable(f"“{name}” is no function of {len(values)} numbers.")
        return abs(values[0]) if name == "abs" else apply("ln" if name == "log" else name, values[0])

    def argument(self) -> Sequence[float]:
        """A value, or all entries of a vector that stands alone."""
        start = self.at
        if self.here()[:1].isalpha() or self.here()[:1] == "_":
            values = self.listed()
            if self.here() in (",", ")"):
                return values
            self.at = start
        return [self.comparison()]

    def indices(self) -> Index:
        if not self.taken("["):
            return ()
        found = [self.index()]
        while self.taken(","):
            found.append(self.index())
        self.needed("]")
        return tuple(found)

    def index(self) -> int | None:
        token = self.here()
        if self.taken(":"):
            return None
        if not token.isdigit():
            raise Unreadable("An index is a whole number or a colon.")
        self.at += 1
        return int(token)
