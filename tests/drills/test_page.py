"""Tests of a page that is read until no number is left unchecked."""

import pytest

from tests.drills.page import At, Page


def test_a_page_of_checked_formulas_is_done():
    Page("$x = 2$ and $x + 1 = 3$ (2 marks)", {"x": 2}).done()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$x = 3$", "does not hold"),
        ("$x + 1 = 4$", "does not hold"),
        ("$y = 3$", "nothing checks"),
        ("the sum is 3", "nothing checks"),
        ("the sum is $3$", "nothing checks"),
        ("$x = 2$, so 3", "nothing checks"),
        (r"$\sum_n 3 = x$", "nothing checks"),
        ("| x |\n| --- |\n| 2 |", "nothing checks"),
        (r"$y = z + x$", "relations that nothing checks"),
        (r"$x \leftarrow x + x$", "relations that nothing checks"),
        (r"the score is $\sum_n a_n x_n$", "relations that nothing checks"),
    ],
)
def test_a_wrong_or_unchecked_number_is_seen(text, message):
    with pytest.raises(AssertionError, match=message):
        Page(text, {"x": 2}).done()


def test_numbers_of_lists_marks_and_subscripts_need_no_check():
    Page("1. Find $x_1$ and $x_{12}$. (3 marks)\n2. Say why (1 mark for $3 + 4$, 2 for 5).").done()


def test_a_relation_without_numbers_is_quoted():
    page = Page(r"by $y = z + x$, where $x$ and $y$ are given")
    page.says("$y = z + x$")
    page.done()


def test_a_sentence_is_read():
    page = Page("the sum is $4$ for class 1, the rest $-\\tfrac12$.")
    page.says("the sum is $#$ for class #,", 4, 1)
    page.says("the rest $#$.", -0.5)
    page.done()


@pytest.mark.parametrize(
    ("template", "values", "message"),
    [
        ("sum is $#$", [5], "should stand"),
        ("sum is $#$ for #.", [4, "class B"], "should stand"),
        ("sum was $#$", [4], "nothing says"),
        ("sum is $#$", [4, 4], "places"),
    ],
)
def test_a_wrong_sentence_is_seen(template, values, message):
    with pytest.raises(AssertionError, match=message):
        Page("the sum is $4$ for class A.").says(template, *values)


def test_the_same_sentence_is_read_twice_and_not_three_times():
    page = Page("at 1: $2$. at 1: $3$.")
    page.says("at 1: $#$.", 2)
    page.says("at 1: $#$.", 3)
    with pytest.raises(AssertionError, match="nothing says"):
        page.says("at 1: $#$.", 3)


def test_a_printed_chain_has_the_value_on_every_side():
    Page("mean $6 / 4 = 1.5$.").says("mean $#$.", 1.5)
    with pytest.raises(AssertionError, match="should stand"):
        Page("mean $7 / 4 = 1.5$.").says("mean $#$.", 1.5)


def test_a_formula_in_free_symbols_is_evaluated_at_a_point():
    Page("$f = 3x - 1$").says("f = #$", At({"x": 5}, 14))
    with pytest.raises(AssertionError, match="should stand"):
        Page("$f = 3x + 1$").says("f = #$", At({"x": 5}, 14))


TABLE = "| $n$ | point | text |\n| --- | --- | --- |\n| 1 | $(1, 2)$ | yes |\n| 2 |  | 3 · 4 = 12 |\n"


def test_a_table_is_read():
    page = Page(TABLE)
    page.table([1, [1, 2], "yes"], [2, None, ("# · # = #", 3, 4, 12)])
    page.done()


@pytest.mark.parametrize(
    "rows",
    [
        [[1, [1, 2], "yes"]],
        [[1, [1, 2], "yes"], [3, None, 12]],
        [[1, [2, 1], "yes"], [2, None, 12]],
        [[1, [1, 2], "no"], [2, None, 12]],
        [[1, [1, 2], "yes"], [2, 5, 12]],
        [[1, [1, 2], "yes"], [2, None, 13]],
        [[1, [1, 2], "yes"], [2, None, ("# · # = #", 2, 6, 12)]],
        [[1, [1, 2], "yes"], [2, None, ("# + # = #", 3, 4, 12)]],
        [[1, None, "yes"], [2, None, 12]],
    ],
)
def test_a_wrong_table_is_seen(rows):
    with pytest.raises(AssertionError):
        Page(TABLE).table(*rows)


def test_a_missing_table_is_seen():
    with pytest.raises(AssertionError, match="a table is missing"):
        Page("no table").table([1])
