"""What students type: right answers in every accepted form, wrong ones, and nonsense, for any field of a drill."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import permutations

from notes_lib.drills import Field

NONSENSE = ["?", "abc xyz", "1/0", "9^9^9^9", "((((", "ln 0", "sqrt(-1)", "1e999", "%", "__import__('os')", "1 +",
            ")(", "0^-1", "\\beta", "🎓", "1..2", "NaN", "x" * 401, "(" * 300, "-" * 300,
            "10^10^10", "\x00", "e^e^e^e"]  # fmt: skip
DOUBTFUL = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2},[0-9]{3}(?![0-9])")  # of 1,552 the judge asks what is meant
FULL = {code: code + 0xFEE0 for code in map(ord, "0123456789./+-*(),;=^")}  # as Chinese keyboards type them
EMPTY = ["", "  ", "\n", "\u2009"]


def scientific(value: float, digits: int, between: str) -> str:
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}{between}{int(exponent)}"


def rounded(field: Field, value: float) -> str:
    """A number as it is asked for: to so many digits, or decimals, or whole."""
    if field.places is not None:
        return f"{value:.{field.places}f}"
    return f"{value:.{field.digits}g}" if field.digits else f"{value:.0f}"


def compact(field: Field, value: float, tolerance: float, pick: random.Random) -> str:
    """A number in a form without a blank and without a comma; with tolerance 0 an exact one."""
    sign, size = ("-" if value < 0 else ""), abs(value)
    way = pick.randrange(12)
    if way < 3 and tolerance:
        return pick.choice([rounded(field, value), rounded(field, value).replace("-", "–"), repr(round(value, 12))])
    if way < 5:
        return scientific(value, 13, pick.choice(["e", "E", "x10^", "·10^", "*10^"]))
    if way < 7:
        ratio = Fraction(value).limit_denominator(2000)
        if abs(ratio - Fraction(value)) <= tolerance:
            over = f"\\frac{{{abs(ratio.numerator)}}}{{{ratio.denominator}}}"
            return pick.choice([f"{ratio.numerator}/{ratio.denominator}", sign + over])
    if way == 7:
        square = Fraction(value * value).limit_denominator(2000)
        if abs(math.sqrt(square) - size) <= tolerance:
            return sign + pick.choice([f"√({square})", f"sqrt({square})"])
    if way == 8 and 1e-3 < size < 100:
        log = math.log(size)
        return sign + pick.choice([f"e^({log!r})", f"exp({log!r})", f"2^({log / math.log(2)!r})"])
    if way == 9 and tolerance and 1e-3 < size < 20:
        return pick.choice([f"ln({math.exp(value)!r})", f"log2({2.0**value!r})", f"{value / math.pi!r}*pi"])
    if way == 10 and tolerance:
        return f"({3 * value!r})/3"
    return pick.choice([repr(value), f"+{value!r}" if value >= 0 else repr(value).replace("-", "−")])


def loose(field: Field, value: float, tolerance: float, pick: random.Random) -> str:
    """A number alone, which may also have blanks and commas, or be a percentage."""
    form = compact(field, value, tolerance, pick)
    forms = [form, form.replace(".", ","), f"  {form} ", f"\u2009{form}\u202f", f"p = {form}", f"( {form} )"]
    forms += [scientific(value, 13, " x 10^"), scientific(value, 13, " · 10^"), f"{value!r} + 2 - 2"]
    forms += [f"${form}$", form.translate(FULL), f"np.float64({form})", f"\\left({form}\\right)"]
    return pick.choice(forms + ([f"{100 * value:.9f} %", f"{100 * value:.9f}%"] if field.percent else []))


def off(value: float, tolerance: float) -> list[float]:
    """Numbers that are wrong."""
    ideas = [value + 1.02 * tolerance, value - 1.02 * tolerance, value + 30 * tolerance, -value, 10 * value, value + 1]
    ideas += [value / 10, 1 - value, 1 / value if value else 1.0, value**2]
    return [idea for idea in ideas if abs(idea - value) > 1.01 * tolerance]


def joined(field: Field, values: list[float], tolerances: list[float], pick: random.Random) -> str:
    """A row of numbers in one of the accepted ways."""
    entries = [compact(field, v, t, pick) for v, t in zip(values, tolerances, strict=True)]
    with_commas = [entry.replace(".", ",") for entry in entries]
    brackets = [("", ""), ("(", ")"), ("[", "]"), ("( ", " )"), ("(", ")^T"), ("<", ">"), ("np.array([", "])"),
                ("$(", ")$")]  # fmt: skip
    opening, closing = pick.choice(brackets)
    if len(entries) > 1:
        listed = [", ".join(entries[:-1]) + " and " + entries[-1], "、".join(entries), "和".join(entries)]
        matrix = "\\begin{pmatrix}" + r" \\ ".join(entries) + r"\end{pmatrix}"
        if field.percent and pick.random() < 0.2:
            return pick.choice(["; ", ", ", " "]).join(f"{100 * value:.9f}%" for value in values)
        if pick.random() < 0.2:
            return pick.choice([*listed, matrix, opening + ", ".join(entries).translate(FULL) + closing])
    ways = [", ".join(entries), ",".join(entries), " ".join(entries), "; ".join(entries), " , ".join(entries)]
    if len(entries) > 1:
        ways += ["; ".join(with_commas), ";".join(with_commas), ", ".join(with_commas)]
        ways.append(" ".join(with_commas))
    return opening + pick.choice(ways) + closing


def table(field: Field, rows: list[list[float]], tolerances: list[list[float]], pick: random.Random) -> str:
    """Rows of numbers in one of the accepted ways."""

    def row(k: int, way: Callable[[list[str]], str]) -> str:
        return way([compact(field, v, t, pick) for v, t in zip(rows[k], tolerances[k], strict=True)])

    entries, inner, between, outer = pick.choice([
        (" ".join, "{}", "; ", "{}"), (", ".join, "{}", "; ", "({})"), (",".join, "({})", ", ", "({})"),
        (", ".join, "[{}]", ",", "[{}]"), (" ".join, "{}", "\n", "{}"), ("; ".join, "{}", "\n", "{}"),
        (", ".join, "({})", " ", "{}"), (" ".join, "{}", " | ", "{}"), (", ".join, "[{}]", ", ", "np.array([{}])"),
        (" & ".join, "{}", r" \\ ", r"\begin{{pmatrix}} {} \end{{pmatrix}}"),
        (lambda cells: " ".join(cell.replace(".", ",") for cell in cells), "{}", "\n", "{}"),
    ])  # fmt: skip
    return outer.format(between.join(inner.format(row(k, entries)) for k in range(len(rows))))


def same(field: Field, values: list[float], others: list[float], tolerances: list[float]) -> bool:
    """Whether other values are right too: a tie."""
    if field.up_to:
        k = max(range(len(values)), key=lambda i: abs(values[i]))
        values = [others[k] / values[k] * v for v in values]
    return all(abs(a - b) <= 1.01 * t for a, b, t in zip(values, others, tolerances, strict=True))


def changed(values: list[float], tolerances: list[float], pick: random.Random) -> list[list[float]]:
    """Lists of numbers with one entry, one sign or the order changed."""
    k = pick.randrange(len(values))
    one = [[*values[:k], wrong, *values[k + 1 :]] for wrong in off(values[k], tolerances[k])]
    orders = [list(order) for order in permutations(values)][1:] if len(values) <= 3 else [values[::-1]]
    return [*one, *orders, [-v for v in values], [2 * v for v in values]]


def right_forms(field: Field, pick: random.Random, count: int) -> list[str]:
    """Right answers."""
    if field.kind == "number":
        return [loose(field, field.value, field.tolerance, pick) for _ in range(count)]
    if field.kind == "matrix":
        return [table(field, field.value, field.tolerance, pick) for _ in range(count)]
    if field.kind == "vector":
        scales = {"": [1], "sign": [1, -1], "scale": [1, -1, 2, -0.5]}[field.up_to]
        factors = [pick.choice(scales) for _ in range(count)]
        return [joined(field, [c * v for v in field.value], field.tolerance, pick) for c in factors]
    return sampled(list(words_right(field, pick)), count, pick)


def sampled(items: list, count: int, pick: random.Random) -> list:
    return pick.sample(items, min(count, len(items)))


def words_right(field: Field, pick: random.Random) -> Iterator[str]:
    value = field.value
    if field.kind == "choice":
        yield from (value, f" {value} ", value.upper(), value.lower(), value.replace("-", "−"))
        if any(len(option) > 3 for option in field.options):
            letter = "abcdefg"[field.options.index(value)]
            yield from (letter, f"{letter})", letter.upper())
    elif field.kind in ("sequence", "set"):
        blanks = any(" " in option for option in field.options)
        words = pick.sample(value, len(value)) if field.kind == "set" else value
        for between in (", ", ",", "; ", " -> ", "→", " ⇒ ", *(() if blanks else (" ", "  ", "-"))):
            yield between.join(words) or pick.choice(["none", "{}", "∅", "nothing"])
        if all(len(option) == 1 for option in field.options) and words:
            yield "".join(words)
        for between in ("、", "和", " and ", "，") if words else ():
            yield between.join(words)
    elif field.kind == "groups":
        for inner, between in ((" ", "; "), (", ", "\n"), (",", " | "), (", ", "; ")):
            yield between.join(inner.join(pick.sample(group, len(group))) for group in value)
        yield ", ".join("{" + ", ".join(group) + "}" for group in value)
    else:
        yield from ("yes", "Yes", "y")


def wrong_forms(field: Field, pick: random.Random, count: int) -> list[str]:
    """Wrong answers that can be read."""
    if field.kind == "number":
        return [repr(value) for value in sampled(off(field.value, field.tolerance), count, pick)]
    if field.kind == "vector":
        ideas = changed(field.value, field.tolerance, pick)
        wrong = [values for values in ideas if not same(field, field.value, values, field.tolerance)]
        return plain(joined(field, values, [0.0] * len(values), pick) for values in sampled(wrong, count, pick))
    if field.kind == "matrix":
        tables = sampled(tables_wrong(field, pick), count, pick)
        return plain(table(field, rows, [[0.0] * len(row) for row in rows], pick) for rows in tables)
    return sampled(list(words_wrong(field, pick)), count, pick)


def plain(texts: Iterable[str]) -> list[str]:
    """Those whose commas can only be decimal ones."""
    return [text for text in texts if not DOUBTFUL.search(text)]


def tables_wrong(field: Field, pick: random.Random) -> list[list[list[float]]]:
    """The table with an entry, a sign, the order or the shape changed, and transposed."""
    rows = field.value
    flat, allowed = [v for row in rows for v in row], [t for row in field.tolerance for t in row]
    width = len(rows[0])
    ideas = changed(flat, allowed, pick)
    if len(rows) == width:
        transposed = [v for column in zip(*rows, strict=True) for v in column]
        ideas += [transposed] * 5  # chosen often
    wrong = [values for values in ideas if not same(field, flat, values, allowed)]
    tables = [[values[k : k + width] for k in range(0, len(values), width)] for values in wrong]
    if field.rows:
        return tables
    return [*tables, [*rows, rows[-1]], *([rows[:-1]] if len(rows) > 2 else [])]


def words_wrong(field: Field, pick: random.Random) -> Iterator[str]:
    value = field.value
    if field.kind == "choice":
        yield from (option for option in field.options if option != value)
    elif field.kind == "sequence":
        k = pick.randrange(len(value))
        yield from (", ".join([*value[:k], o, *value[k + 1 :]]) for o in field.options if o != value[k])
        yield from (" -> ".join(order) for order in (value[::-1], [*value[1:], value[0]]) if order != value)
    elif field.kind == "set":
        yield from (", ".join(w for w in value if w != gone) or "none" for gone in value)
        yield from (", ".join([*value, more]) for more in field.options if more not in value)
    elif field.kind == "groups":
        rows = [" ".join(group) for group in value]
        ideas = [
            rows[::-1],
            [" ".join([*value[0], value[1][0]]), " ".join(value[1][1:]), *rows[2:]],
            [" ".join(value[0][:-1]), *rows[1:]],
        ]
        yield from ("; ".join(idea) for idea in ideas if all(idea))  # an empty group is not understood
    else:
        yield from ("no", "No", "n")
