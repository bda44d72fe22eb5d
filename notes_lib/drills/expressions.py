"""Read one number as a student types it: ``1/26``, ``0,0385``, ``3.846e-2``, ``sqrt(2)/2``, ``ln 2``, ``12 %``.

The grammar, which ``static/judge.js`` follows line by line (both compute in doubles, and nothing is ever evaluated)::

    sum      product, then any number of  + product  or  - product
    product  signed, then any number of  * signed,  / signed,  or a power right behind (2 sqrt(3), 2pi)
    signed   + signed,  - signed,  or a power
    power    atom, or  atom ^ signed
    atom     a number,  ( sum ),  pi,  e,  or a function of an atom: sqrt, ln, exp, log2, log10

A number may have a point or a comma and an exponent (``3.8e-2``). Blanks between parts do not count. A letter ``x``
between numbers multiplies, as in ``3.8 x 10^-2``. What stands before the last equals sign is left out. Other spellings
of numbers are folded into these before (``spelling``).
"""

from __future__ import annotations

import math

from notes_lib.drills.spelling import Unreadable, fold

__all__ = ["Unreadable", "fold", "read_number"]

DEEPEST = 30  # brackets, signs and exponents inside each other
LARGEST = 700.0  # natural logarithm of the largest power
DIGITS = "0123456789"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
FUNCTIONS = ("sqrt", "ln", "exp", "log")


def read_number(text: str, percent: bool = False) -> float:
    """Value of one number or expression.

    Parameters
    ----------
    text : str
        At most 400 characters, as the module says.
    percent : bool
        Whether a percent sign may stand at the end.

    Returns
    -------
    float
        Finite.

    Raises
    ------
    Unreadable
        If it is no number; the message says what is wrong.

    Examples
    --------
    >>> read_number("1/26") == 1 / 26, read_number("3,8 · 10^-2"), read_number("12 %", percent=True)
    (True, 0.038, 0.12)
    """
    folded = fold(text)
    return _Reader(folded[folded.rfind("=") + 1 :], percent).whole()


def finite(value: float) -> float:
    """Refuse what is beyond all numbers."""
    if value != value or value in (math.inf, -math.inf):
        raise Unreadable("This number is too large.")
    return value


def power(base: float, exponent: float) -> float:
    """A power of real numbers, without a result that is too large."""
    if base == 0 and exponent < 0:
        raise Unreadable("This divides by zero.")
    if base < 0 and exponent != math.floor(exponent):
        raise Unreadable("A negative number has no such power.")
    size = exponent * math.log(abs(base)) if base != 0 else 0.0
    if size > LARGEST:
        raise Unreadable("This number is too large.")
    return 0.0 if size < -LARGEST else math.pow(base, exponent)


def apply(function: str, value: float) -> float:
    """One of the functions."""
    if function == "exp":
        return power(math.e, value)
    if value < 0 or (value == 0 and function != "sqrt"):
        raise Unreadable(f"{function} has no value there.")
    if function == "sqrt":
        return math.sqrt(value)
    return math.log(value) / {"ln": 1.0, "log2": math.log(2.0), "log10": math.log(10.0)}[function]


class _Reader:
    """A recursive descent through the text, one character at a time."""

    def __init__(self, text: str, percent: bool) -> None:
        self.text, self.percent = text, percent
        self.at = self.depth = 0

    def here(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def next(self) -> str:
        """The next character that is not a blank."""
        while self.here() in (" ", "\n"):
            self.at += 1
        return self.here()

    def taken(self, characters: str) -> bool:
        """Go past the next character if it is one of these."""
        found = self.next() != "" and self.here() in characters
        self.at += found
        return found

    def run(self, characters: str) -> str:
        """As many of these characters as follow at once."""
        start = self.at
        while self.here() != "" and self.here() in characters:
            self.at += 1
        return self.text[start : self.at]

    def whole(self) -> float:
        if self.next() == "":
            raise Unreadable("Nothing was typed.")
        value = self.sum()
        if self.taken("%"):
            if not self.percent:
                raise Unreadable("A percentage is not asked for here: write 0.12 instead of 12 %.")
            value = value / 100
        if self.next() != "":
            raise Unreadable(self.surprise())
        return value

    def surprise(self) -> str:
        if self.here() in DIGITS or self.here() in ".,;":
            return "Two numbers stand side by side where one is asked for."
        return f"“{self.here()}” is not expected here."

    def sum(self) -> float:
        value = self.product()
        while self.next() in ("+", "-"):
            if self.taken("+"):
                value = finite(value + self.product())
            else:
                self.taken("-")
                value = finite(value - self.product())
        return value

    def product(self) -> float:
        value, divided = self.signed(), False
        while True:
            if self.taken("*xX"):
                value = finite(value * self.signed())
            elif self.taken("/"):
                below, divided = self.signed(), True
                if below == 0:
                    raise Unreadable("This divides by zero.")
                value = finite(value / below)
            elif self.next() != "" and (self.here() == "(" or self.here() in LETTERS):
                if divided:
                    raise Unreadable("After a division write * or brackets, so that it is clear what it divides by.")
                value = finite(value * self.power())
            else:
                return value

    def signed(self) -> float:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("There are too many brackets or signs.")
        minus = self.taken("-")
        value = self.signed() if minus or self.taken("+") else self.power()
        self.depth -= 1
        return -value if minus else value

    def power(self) -> float:
        base = self.atom()
        return power(base, self.signed()) if self.taken("^") else base

    def atom(self) -> float:
        first = self.next()
        if self.taken("("):
            value = self.sum()
            if not self.taken(")"):
                raise Unreadable("A bracket is not closed." if self.next() == "" else self.surprise())
            return value
        if first != "" and first in LETTERS:
            return self.named()
        if first != "" and (first in DIGITS or first in ".,"):
            return self.number()
        raise Unreadable(f"A number is missing before “{first}”." if first else "A number is missing at the end.")

    def number(self) -> float:
        before = self.run(DIGITS)
        after = ""
        if self.here() != "" and self.here() in ".,":
            self.at += 1
            after = self.run(DIGITS)
            if self.here() != "" and self.here() in ".,":
                raise Unreadable("One number has two decimal points; thousands are written without.")
        if before + after == "":
            raise Unreadable("A point without digits is no number.")
        return finite(float(f"{before}.{after}0{self.exponent()}"))

    def exponent(self) -> str:
        """An exponent such as e-2; the e of a product has no digits behind it."""
        start = self.at
        if self.run("eE") in ("e", "E"):
            sign = self.run("+-")
            digits = self.run(DIGITS)
            if len(sign) < 2 and digits != "":
                return "e" + sign + digits
        self.at = start
        return ""

    def named(self) -> float:
        name = self.run(LETTERS)
        if name in ("e", "pi", "Pi", "PI"):
            return math.e if name == "e" else math.pi
        function = name.lower()
        if function not in FUNCTIONS:
            raise Unreadable(f"“{name}” is no number: leave units out; known are pi, e, sqrt, ln, exp, log2 and log10.")
        if function == "log":
            self.run("_")
            function += self.run(DIGITS)
        if function not in ("sqrt", "ln", "exp", "log2", "log10"):
            raise Unreadable("A logarithm needs its base: ln, log2 or log10.")
        bare = self.next() != "("
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("There are too many brackets or signs.")
        value = apply(function, self.atom())
        self.depth -= 1
        if bare and self.next() == "^":
            raise Unreadable(f"Write brackets around what {function} is taken of.")
        return value
