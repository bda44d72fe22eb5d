"""Tests of the reader of typed numbers: what it accepts, and its sentence for what it does not."""

import math

import pytest

from notes_lib.drills.expressions import Unreadable, read_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("+3", 3),
        ("-3", -3),
        ("\u22123", -3),
        ("\u20133", -3),
        ("- 3", -3),
        ("--3", 3),
        ("0.0385", 0.0385),
        ("0,0385", 0.0385),
        (".5", 0.5),
        ("5.", 5),
        ("1/26", 1 / 26),
        ("1 / 26", 1 / 26),
        ("-1/-2", 0.5),
        ("3.846e-2", 0.03846),
        ("3.846E-2", 0.03846),
        ("3,846e\u22122", 0.03846),
        ("3.846 x 10^-2", 0.03846),
        ("3.846 × 10^−2", 0.03846),
        ("3.846·10^-2", 0.03846),
        ("3.846*10^(-2)", 0.03846),
        ("sqrt(2)/2", math.sqrt(2) / 2),
        ("√2/2", math.sqrt(2) / 2),
        ("2√3", 2 * math.sqrt(3)),
        ("2 sqrt(3)", 2 * math.sqrt(3)),
        ("ln 2", math.log(2)),
        ("ln(2)", math.log(2)),
        ("ln 2 / 3", math.log(2) / 3),
        ("LN 2", math.log(2)),
        ("log2(8)", 3),
        ("log_2 8", 3),
        ("log₂8", 3),
        ("log10(100)", 2),
        ("2^(1/2)", math.sqrt(2)),
        ("e^-1", math.exp(-1)),
        ("e^(-1)", math.exp(-1)),
        ("exp(-1)", math.exp(-1)),
        ("e", math.e),
        ("2e", 2 * math.e),
        ("2e-1", 0.2),
        ("pi", math.pi),
        ("2π", 2 * math.pi),
        ("-3^2", -9),
        ("(-3)^2", 9),
        ("2^-1", 0.5),
        ("2^3^2", 512),
        ("10-3-2", 5),
        ("10 - -2", 12),
        ("1+-2", -1),
        ("1-+2", -1),
        ("12/3/2", 2),
        ("12/3*2", 8),
        ("2(3+4)", 14),
        ("[1+2]*{3}", 9),
        ("3²", 9),
        ("0^0", 1),
        ("0*5", 0),
        ("sqrt 0", 0),
        ("x = 3", 3),
        ("1/26 ≈ 0.0385", 0.0385),
        ("\u20091\u202f", 1),
        ("e^-900", 0),
    ],
)
def test_a_number_is_read(text, value):
    assert read_number(text) == pytest.approx(value, rel=1e-14, abs=1e-300)


@pytest.mark.parametrize(("text", "value"), [("12 %", 0.12), ("12%", 0.12), ("12,5 %", 0.125), ("0.12", 0.12)])
def test_a_percentage_is_read_where_it_is_asked_for(text, value):
    assert read_number(text, percent=True) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Nothing was typed."),
        (" \u2009", "Nothing was typed."),
        ("x =", "Nothing was typed."),
        ("1 2", "Two numbers stand side by side where one is asked for."),
        ("1 1/2", "Two numbers stand side by side where one is asked for."),
        ("sqrt(2)3", "Two numbers stand side by side where one is asked for."),
        ("1;2", "“;” is not expected here."),
        ("1)", "“)” is not expected here."),
        ("12 %", "A percentage is not asked for here."),
        ("1/0", "This divides by zero."),
        ("1/(2-2)", "This divides by zero."),
        ("0^-1", "This divides by zero."),
        ("9^9^9^9", "This number is too large."),
        ("10^400", "This number is too large."),
        ("1e999", "This number is too large."),
        ("1e308*10", "This number is too large."),
        ("1e308+1e308", "This number is too large."),
        ("e^9^9", "This number is too large."),
        ("(-8)^(1/3)", "A negative number has no such power."),
        ("sqrt(-1)", "sqrt has no value there."),
        ("ln 0", "ln has no value there."),
        ("log2(-1)", "log2 has no value there."),
        ("log 2", "A logarithm needs its base: ln, log2 or log10."),
        ("log7(2)", "A logarithm needs its base: ln, log2 or log10."),
        ("ln 2^2", "Write brackets around what ln is taken of."),
        ("1/2pi", "After a division write * or brackets, so that it is clear what it divides by."),
        ("1,234.5", "One number has two decimal points; thousands are written without."),
        ("1.2.3", "One number has two decimal points; thousands are written without."),
        (".", "A point without digits is no number."),
        ("1 +", "A number is missing at the end."),
        ("*2", "A number is missing before “*”."),
        ("½", "A number is missing before “½”."),
        ("(1", "A bracket is not closed."),
        ("foo", "“foo” is no number: leave units out; known are pi, e, sqrt, ln, exp, log2 and log10."),
        ("x", "“x” is no number: leave units out; known are pi, e, sqrt, ln, exp, log2 and log10."),
        ("__import__('os')", "A number is missing before “_”."),
        ("(" * 100, "There are too many brackets or signs."),
        ("-" * 100 + "1", "There are too many brackets or signs."),
        ("2^" * 100 + "1", "There are too many brackets or signs."),
        ("sqrt " * 70 + "1", "There are too many brackets or signs."),
        ("1" * 401, "This is longer than 400 characters."),
    ],
)
def test_what_is_no_number_gets_a_sentence(text, sentence):
    with pytest.raises(Unreadable) as caught:
        read_number(text)
    assert str(caught.value) == sentence
