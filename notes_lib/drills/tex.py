r"""Numbers, fractions, vectors and matrices in TeX, for the text of the drills.

``show`` writes one number; without it four significant digits are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from notes_lib.display import sig

Show = Callable[[Any], str]


def fraction(value: Fraction, command: str = "tfrac") -> str:
    r"""A whole number, or a fraction with its sign in front.

    Examples
    --------
    >>> fraction(Fraction(-1, 2)), fraction(Fraction(4, 2))
    ('-\\tfrac{1}{2}', '2')
    """
    if value.denominator == 1:
        return str(value.numerator)
    return f"{'-' if value < 0 else ''}\\{command}{{{abs(value.numerator)}}}{{{value.denominator}}}"


def bracket(value: Any, show: Show = sig) -> str:
    """A number as a factor: a negative one in brackets.

    Examples
    --------
    >>> bracket(-2), bracket(2)
    ('(-2)', '2')
    """
    return f"({show(value)})" if value < 0 else show(value)


def row(values: Iterable[Any], show: Show = sig, between: str = ", ") -> str:
    """Numbers in brackets, as a point is written.

    Examples
    --------
    >>> row([1, -2])
    '(1, -2)'
    """
    return f"({between.join(show(v) for v in values)})"


def vector(values: Iterable[Any], show: Show = sig) -> str:
    r"""A column vector on one line.

    Examples
    --------
    >>> vector([1, -2])
    '(1, -2)^\\top'
    """
    return row(values, show) + "^\\top"


def matrix(rows: Iterable[Iterable[Any]], show: Show = sig) -> str:
    r"""A matrix in round brackets.

    Examples
    --------
    >>> matrix([[1, 2], [3, 4]])
    '\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}'
    """
    lines = (" & ".join(show(v) for v in values) for values in rows)
    return "\\begin{pmatrix} " + " \\\\ ".join(lines) + " \\end{pmatrix}"


def column(values: Iterable[Any], show: Show = sig) -> str:
    """A column vector, one number below the other."""
    return matrix(([v] for v in values), show)


def polynomial(terms: Iterable[tuple[Any, str]], show: Show = sig) -> str:
    r"""Sum of coefficients times symbols: a factor 1 is left out, and so is a term of 0; without symbol: a constant.

    Examples
    --------
    >>> polynomial([(1, "x^2"), (0, "x"), (-1, "")])
    'x^2 - 1'
    >>> polynomial([(-2, "x"), (1, "y")]), polynomial([(0, "x")])
    ('-2x + y', '0')
    """
    kept = [(c, symbol) for c, symbol in terms if abs(c) > 1e-12]
    sizes = ["" if symbol and abs(abs(c) - 1) < 1e-12 else show(abs(c)) for c, symbol in kept]
    text = " ".join(f"{'-' if c < 0 else '+'} {size}{symbol}" for size, (c, symbol) in zip(sizes, kept, strict=True))
    return text.replace("- ", "-", 1) if text.startswith("- ") else text.removeprefix("+ ") or "0"


def products(u: Iterable[Any], v: Iterable[Any], show: Show = sig) -> str:
    r"""The products that add up to an inner product, negative numbers in brackets.

    Examples
    --------
    >>> products([1, -2], [3, 4])
    '1 \\cdot 3 + (-2) \\cdot 4'
    """
    return " + ".join(f"{bracket(a, show)} \\cdot {bracket(b, show)}" for a, b in zip(u, v, strict=True))
