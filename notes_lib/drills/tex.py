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


def rational(value: float) -> Fraction:
    """The fraction with a denominator of at most 10,000 that a float stands for."""
    return Fraction(float(value)).limit_denominator(10_000)


def short(value: float) -> str:
    r"""A whole number, a decimal of at most four places, or a fraction.

    Examples
    --------
    >>> short(-0.5), short(1 / 3), short(2.0)
    ('-0.5', '\\tfrac{1}{3}', '2')
    """
    exact = rational(value)
    if 10_000 % exact.denominator == 0:
        return f"{float(exact) + 0.0:.10g}"
    return fraction(exact)


def constant(value: float, show: Show = short) -> str:
    """The last term of a sum, with its sign in front; nothing for 0.

    Examples
    --------
    >>> constant(-2.0), constant(0.0)
    (' - 2', '')
    """
    return "" if value == 0 else f" {'-' if value < 0 else '+'} {show(abs(value))}"


def linear(values: Iterable[Any], symbol: str = "x") -> list[tuple[float, str]]:
    """Terms of a linear function, for :func:`polynomial`.

    Examples
    --------
    >>> linear([2, -1])
    [(2.0, 'x_1'), (-1.0, 'x_2')]
    """
    return [(float(v), f"{symbol}_{j + 1}") for j, v in enumerate(values)]
