"""Tests of the reader of printed arithmetic: what it evaluates, what it refuses, and which last digits it accepts."""

import math

import numpy as np
import pytest

from tests.drills.arithmetic import (
    CARRIED,
    CARRIED_PLACES,
    EXACT,
    PLACES,
    Number,
    Reader,
    Rounding,
    Unknown,
    Unreadable,
    chains,
    evaluate,
    formulas,
    has_number,
    is_name,
    is_printed_number,
    name,
)

SYMBOLS = {
    name(key): value
    for key, value in {
        r"\mathbf{a}": [1, 2],
        r"\mathbf{b}": [3, -1],
        r"\mathbf{A}": [[2, 1], [1, 3]],
        "x": 2.0,
        r"\hat\mu": 1.5,
        r"\sigma_1^2": 4.0,
        r"\alpha_1(2)": 0.3,
        r"\ell_{21}": 7.0,
        "f(x)": 10.0,
    }.items()
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 - 4", -1),
        ("-3^2", -9),
        ("(-3)^2", 9),
        (r"2 \cdot 3 + 4 \times 5", 26),
        (r"\frac{1}{2} + \tfrac14 + \dfrac{3}{4}", 1.5),
        (r"6 / 2 \cdot 3", 9),
        (r"\tfrac{3}{4}\,(2 + 2)", 3),
        (r"\tfrac12 \big( 4 - 2 \big)", 1),
        (r"\sqrt{9 + 16}", 5),
        (r"2^{10}", 1024),
        ("2 \\cdot 4!", 48),
        (r"\binom62 - \binom{5}{1}", 10),
        (r"\ln 2", math.log(2)),
        (r"\log_2 \tfrac{1}{8}", -3),
        (r"\tfrac{3}{4} \log_2 16 + 1", 4),
        (r"\ln(1 + 2)", math.log(3)),
        (r"\exp(2)", math.exp(2)),
        (r"e^{-0.5}", math.exp(-0.5)),
        (r"\cos(2x)\sin(x)", math.cos(4) * math.sin(2)),
        (r"\max(1, 5) - \min(2, 3)", 3),
        (r"|1 - 4| + \lvert -2 \rvert", 5),
        (r"2 |x - 5|", 6),
        (r"\lVert (3, 4)^\top \rVert^2", 25),
        (r"1.122 \cdot 10^{-8}", 1.122e-8),
        (r"3x^2 - x", 10),
        (r"\mathbf{a}^\top \mathbf{b}", 1),
        (r"\mathbf{a}^\top \mathbf{A} \mathbf{a}", 18),
        (r"|\mathbf{A}|", 5),
        (r"2 \{|\mathbf{A}| - 1\}", 8),
        (r"\hat\mu + \sigma_1^2", 5.5),
        (r"\ell_{21} \cdot \alpha_1(2)", 2.1),
        (r"f(x) + 1", 11),
        (r"x (1 + 2)", 6),
        ("+1", 1),
    ],
)
def test_a_number_comes_out(text, value):
    assert evaluate(text, SYMBOLS).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"(1, 2)^\top", [[1], [2]]),
        ("(1, 2)", [[1, 2]]),
        (r"\frac{1}{2} [(1, 2) + (3, 4)]", [[2, 3]]),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", [[1, 2], [3, 4]]),
        (r"\begin{pmatrix} 1 \\ -3 \end{pmatrix}", [[1], [-3]]),
        (r"\mathbf{A} \begin{pmatrix} 1 \\ -3 \end{pmatrix}", [[-1], [-8]]),
        (r"\mathbf{A}^{-1}", [[0.6, -0.2], [-0.2, 0.4]]),
        (r"2\mathbf{a} - \mathbf{b}", [[-1], [5]]),
        (r"(\mathbf{a}, \mathbf{b})", [[1, 3], [2, -1]]),
        (r"\mathbf{a} \mathbf{b}^\top", [[3, -1], [6, -2]]),
    ],
)
def test_a_vector_or_a_matrix_comes_out(text, value):
    np.testing.assert_allclose(evaluate(text, SYMBOLS).value, value, rtol=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "y + 1",
        "1 +",
        "(1, 2",
        r"\sum_n x_n",
        r"\begin{cases} 1 \end{cases}",
        "1 / 0",
        r"\log 0",
        r"\log_3 9",
        r"\sqrt{-1}",
        r"\binom{2.5}{1}",
        "(-1)!",
        r"\mathbf{a} \mathbf{b}",
        r"\mathbf{a} + 1",
        r"1 / \mathbf{a}",
        r"\mathbf{A}^2",
        r"3 \pm 1",
        "",
    ],
)
def test_what_has_no_meaning_is_refused(text):
    with pytest.raises(Unreadable):
        evaluate(text, SYMBOLS)


def links(formula, rounding=EXACT, **symbols):
    return [link.holds for link in Reader(symbols, rounding).links(formula)]


@pytest.mark.parametrize(
    "formula",
    [
        "1 + 1 = 2",
        r"\frac{2}{3} = 0.6667",
        r"\frac{2}{3} \approx 0.6667",
        "2 < 3",
        r"3 \geq 3",
        r"3 \ne 4",
        r"(2, -4)^\top \propto (1, -2)^\top",
        r"39 \ge \tfrac{41}{2} \ge 16 \ge 16",
    ],
)
def test_what_holds_is_accepted(formula):
    assert links(formula) == [True] * len(links(formula)) != []


@pytest.mark.parametrize(
    "formula",
    [
        "1 + 1 = 3",
        r"\frac{2}{3} = 0.6666",  # cut off, not rounded
        r"\frac{2}{3} = 0.6668",
        r"\frac{2}{3} = 0.66",
        "3 < 3",
        "3 < 2",
        r"3 \geq 4",
        r"3 \ne 3",
        r"(2, -4)^\top \propto (-1, 2)^\top",
        r"(2, -4)^\top \propto (1, 2)^\top",
        "(1, 2) = (1, 3)",
        "0.6000 = 0.6001",
        "(1, 2) = 1",
        r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} = \begin{pmatrix} 1 & 3 \\ 2 & 4 \end{pmatrix}",
    ],
)
def test_what_does_not_hold_is_seen(formula):
    assert links(formula) == [False]


@pytest.mark.parametrize("last", range(10))
def test_only_the_right_last_digit_is_accepted(last):
    assert links(rf"\frac{{5}}{{7}} = 0.714{last}") == [last == 3]  # 0.71428...
    assert links(rf"\frac{{5}}{{7}} = 0.71{last}", PLACES) == [last == 4]


def test_zeros_at_the_end_are_dropped_from_significant_digits_only():
    assert links("0.5 + 0.00002 = 0.5") == [True]  # 0.5000
    assert links("0.5 + 0.0002 = 0.5") == [False]  # 0.5002
    assert links("0.5 + 0.0004 = 0.500", PLACES) == [True]
    assert links("0.5 + 0.0006 = 0.500", PLACES) == [False]


def test_rounded_numbers_carry_their_error_into_a_computation():
    # 2/3 to four digits twice, and their product to four digits: the product of the printed numbers is 0.44448889
    assert links(r"0.6667 \cdot 0.6667 = 0.4444", CARRIED) == [True]
    assert links(r"0.6667 \cdot 0.6667 = 0.4444", EXACT) == [False]
    assert links(r"0.6667 \cdot 0.6667 = 0.4447", CARRIED) == [False]
    assert links("0.918 - 0.595 = 0.322", CARRIED_PLACES) == [True]
    assert links("0.918 - 0.595 = 0.325", CARRIED_PLACES) == [False]
    assert links(r"3 \cdot 2 = 6.001", CARRIED) == [False]  # whole numbers are exact


def test_a_symbol_is_learnt_and_then_held_to_its_value():
    reader = Reader()
    assert [link.holds for link in reader.links("x_1 = 4 / 2 = 2")] == [None, True]
    assert [link.holds for link in reader.links("3 x_1 = 6")] == [True]
    assert [link.holds for link in reader.links("3 x_1 = 7")] == [False]
    reader.links("x_1 = 5")  # a new definition
    assert [link.holds for link in reader.links("x_1 + 1 = 6")] == [True]


def test_a_rounded_symbol_carries_its_error():
    reader = Reader(rounding=CARRIED)
    reader.links(r"\gamma_1 = 0.9836")
    assert [link.holds for link in reader.links(r"\gamma_2 = 1 - \gamma_1 = 0.01639")] == [None, True]
    assert [link.holds for link in reader.links(r"\gamma_2 = 1 - \gamma_1 = 0.0169")] == [None, False]


def test_few_digits_are_exact_where_more_may_be_rounded():
    book = Rounding(significant=None, carried=True, exact=2)
    assert links(r"0.25 \cdot 0.5 = 0.125", book) == [True]
    assert links(r"0.25 \cdot 0.5 = 0.127", book) == [False]
    assert links(r"0.333 \cdot 3 = 1", book) == [True]
    reader = Reader(rounding=book)
    reader.links("x = 0.2")  # a given number, and not 0.2 rounded
    assert [link.holds for link in reader.links("3 x = 0.6 = 0.7")] == [True, False]


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("x_1^2", "x_1"),
        ("t(1 - t)", "t"),
        (r"P(1 \mid x)", r"P(1 \mid x)"),
        (r"r^\star", r"r^{\star}"),
        (r"\varphi'(0)", r"\varphi'"),
    ],
)
def test_a_symbol_without_a_meaning_is_named(text, base):
    with pytest.raises(Unknown) as error:
        evaluate(text, {})
    assert error.value.base == name(base)


def test_an_index_belongs_to_its_symbol():
    with pytest.raises(Unknown):
        evaluate("x_1 + 1", SYMBOLS)


def test_a_told_symbol_is_not_defined_anew():
    assert links("x = 3", x=2.0) == [False]
    assert links("x = 2", x=2.0) == [True]


def test_some_symbols_are_never_learnt():
    reader = Reader(never={"K"})
    assert [link.holds for link in reader.links("K = 4")] == [None]
    assert [link.holds for link in reader.links("K + 1 = 9")] == [None]


def test_an_unreadable_side_does_not_break_a_chain_of_equalities():
    assert links(r"2 = \sum_n x_n = 2") == [None, True]
    assert links(r"2 = \sum_n x_n = 3") == [None, False]
    assert links(r"2 < \sum_n x_n = 3") == [None, True]
    assert links(r"2 < \sum_n x_n \le 2") == [None, False]
    assert links(r"2 \le \sum_n x_n \le 2") == [None, True]
    assert links(r"2 < \sum_n x_n \ge 1") == [None, None]
    assert links(r"0 < x < 2/y = 1", x=3.0) == [True, None, None]  # a condition on x
    assert links(r"2 \ne \sum_n x_n = 2") == [None, None]


def test_formulas_are_found_in_text_displays_and_cells():
    text = "Say $a = 1$ and\n$$\nb = 2\n$$\n| x | 1 · 2 = 2 |\n$c =$ $3$"
    assert [f.strip() for f in formulas(text)] == ["a = 1", "b = 2", "c =  3", "1 · 2 = 2"]


def test_chains_end_at_commas_outside_brackets():
    found = [[side for _, side in chain] for chain in chains(r"a = (1, 2), \qquad b = 3; c")]
    assert found == [["a", "(1, 2)"], ["b", "3"]]


def test_names_have_one_spelling():
    assert name(r"\mathbf{w}") == name(r"\mathbf w")
    assert name(r"x_{1}") == name("x_1")
    assert name(r"\ell_{11}") != name(r"\ell_1 1")
    assert name(r"p(z \,|\, x)") == name("p(z | x)")


@pytest.mark.parametrize("text", ["x", r"\hat\mu", r"\mathbf{x}_2", r"\alpha_1(2)", r"\sigma_1^2", "h(8, 4)", r"P"])
def test_a_name(text):
    assert is_name(text)


@pytest.mark.parametrize("text", ["3", "x + 1", "2x", r"\tfrac12", r"\mathbf{w}^\top \mathbf{x}", ""])
def test_no_name(text):
    assert not is_name(text)


@pytest.mark.parametrize("text", ["3", "-0.5", "(1, -2)^\\top", r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}"])
def test_a_printed_number(text):
    assert is_printed_number(text)


@pytest.mark.parametrize("text", ["3 + 1", "x", r"\frac{1}{2}", "2(3)", "1 / 2"])
def test_no_printed_number(text):
    assert not is_printed_number(text)


def test_numbers_in_subscripts_do_not_count():
    assert has_number("x_1 + 2")
    assert not has_number(r"\alpha_1^2 + x_{12}")


@pytest.mark.parametrize(
    ("token", "rounding", "half"),
    [("0.333", EXACT, 5e-5), ("12.5", EXACT, 5e-3), ("0.001108", EXACT, 5e-7), ("7", EXACT, 5e-4), ("0", EXACT, 5e-10),
     ("0.7083333", EXACT, 5e-8), ("0.40", PLACES, 5e-3), ("7", PLACES, 5e-10), ("1.122e-08", EXACT, 5e-12)],
)  # fmt: skip
def test_half_a_unit_of_the_last_digit(token, rounding, half):
    number = rounding.number(token)
    assert isinstance(number, Number)
    assert number.half == pytest.approx(half)
