"""Tests of the judge on fields made for one question each: what is accepted, what is not, and what it says."""

import json

import pytest

from notes_lib.drills import fields as ask
from notes_lib.drills.judge import earned, judge

NUMBER = ask.number("a", "", 1, 2).filled({"a": 1 / 26})
VECTOR = ask.vector("a", "", 1, 3, titles=["x", "y"]).filled({"a": [0.5, 1.5]})
SQUARE = ask.matrix("a", "", 1, 4, rows=["p", "q"], columns=["x", "y"]).filled({"a": [[1.0, 2.0], [3.0, 4.5]]})
TRACE = ask.matrix("a", "", 1, 4, columns=["x", "y"], whole=True).filled({"a": [[1, 2], [3, 4], [5, 6]]})
DIRECTION = ask.vector("a", "", 1, up_to="scale").filled({"a": [1.0, -2.0]})
SIGNED = ask.vector("a", "", 1, up_to="sign").filled({"a": [1.0, -2.0]})
THOUSAND = ask.number("a", "", 1, whole=True).filled({"a": 1000})
WORDS = ["positive definite", "positive semi-definite", "indefinite"]
CHOICE = ask.choice("a", "", 1, options=WORDS).filled({"a": "positive semi-definite"})
LABEL = ask.choice("a", "", 1, options=["+1", "-1"], keys=[1, -1]).filled({"a": 1})
YES = ask.choice("a", "", 1, options=["yes", "no"], keys=[True, False]).filled({"a": True})
SOME = ask.choice("a", "", 1, options=[3, 5, 11]).filled({"a": 11})
PATH = ask.sequence("a", "", 1, 3, options="ABC").filled({"a": ["A", "C", "B"]})
KINDS = ask.sequence("a", "", 1, options=["none", "on the margin"]).filled({"a": ["on the margin", "none"]})
SET = ask.sequence("a", "", 1, options=range(1, 12), kind="set").filled({"a": [2, 11]})
EMPTY = ask.sequence("a", "", 1, options=range(1, 4), kind="set").filled({"a": []})
FOLDS = ask.sequence("a", "", 1, 2, options=range(5), kind="groups").filled({"a": [[0, 1, 2], [3, 4]]})
REASON = ask.own("a", "", 1)

RIGHT = [
    (THOUSAND, ["1000", "1e3", "1000,0"]),
    (ask.number("a", "", 1).filled({"a": 1.0}), ["1,000", "1", "1.000"]),
    (ask.number("a", "", 1).filled({"a": 12.345}), ["12,345", "12,35"]),
    (NUMBER, ["1/26", "0.03846", "0,03846", "3.846e-2", "0.038457", "0.038465"]),
    (VECTOR, ["(0.5, 1.5)", "0.5; 1.5", "0.5 1.5", "(0.5,1.5)", "0,5; 1,5", "0,5, 1,5", "0,5 1,5", "[0.5 1.5]",
              "1/2 3/2",
              "1/2, 3/2", "(0.5, 1.5)^T", "(0.5, 1.5)⊤", "w = (0.5, 1.5)", "0.5\n1.5", "0.5 , 1.5", "sqrt(1/4) 1 + 1/2",
              "{0.5, 1.5,}", "1 - 1/2 1.5", "(1/2)/1; (3)/2"]),
    (SQUARE, ["1 2; 3 4.5", "1 2\n3 4,5", "(1, 2), (3, 4.5)", "((1,2),(3,4.5))", "[[1, 2], [3, 4.5]]", "1, 2 | 3, 4.5",
              "(1 2) (3 4.5)", "(1, 2)(3, 4.5)", "1;2\n3;4,5", "L = (1 2; 3 9/2)", "(1, 2); (3, 4.5)"]),
    (TRACE, ["1 2; 3 4; 5 6", "1,2\n3,4\n5,6\n"]),
    (DIRECTION, ["1 -2", "-1 2", "(2, -4)", "0.5 -1", "1/√5, -2/√5", "0.4472 -0.8944"]),
    (SIGNED, ["1 -2", "-1 2"]),
    (CHOICE, ["positive semi-definite", "Positive Semi-Definite", "positive semi–definite", "b", "B", "b)", " b. ",
              "*positive semi-definite*"]),
    (LABEL, ["+1", "1", " +1 "]),
    (YES, ["yes", "Y", "ye"]),
    (PATH, ["A C B", "A, C, B", "a,c,b", "A->C->B", "A → C → B", "A-C-B", "ACB", "(A, C, B)", "A; C; B",
            "A => C => B"]),
    (KINDS, ["on the margin, none", "b, a", "on; none", "b -> a"]),
    (SET, ["2, 11", "11 2", "{2, 11}", "2; 11; 2"]),
    (EMPTY, ["none", "{}", "∅", "-", "None"]),
    (FOLDS, ["0 1 2; 3 4", "0,1,2\n3,4", "{2, 1, 0}, {3, 4}", "012; 34", "0, 1, 2 | 4, 3"]),
    (REASON, ["yes", "Y", "right"]),
    (NUMBER, ["\\frac{1}{26}", "$1/26$", "１／２６", "0.03846.", "np.float64(0.03846)"]),
    (VECTOR, ["<0.5, 1.5>", "⟨½, 1½⟩", "½ 1½", "1/2, 3/2.", "0.5、1.5", "0,5 and 1,5", "０．５，１．５", "(½ 3/2)",
              "\\begin{pmatrix} 0.5 \\\\ 1.5 \\end{pmatrix}", "$(\\frac{1}{2}, \\frac{3}{2})^{\\top}$", "0.5 \\frac32",
              "np.array([0.5, 1.5])"]),
    (SQUARE, ["np.array([[1, 2], [3, 4.5]])", "[[1.  2. ]\n [3.  4.5]]",
              "\\begin{pmatrix}\n1 & 2 \\\\\n3 & 4{,}5\n\\end{pmatrix}",
              "$\\begin{bmatrix}1&2\\\\3&\\frac92\\end{bmatrix}$"]),
    (PATH, ["A、C、B", "A, C and B", "A, C, and B", "A和C和B", "$A \\to C \\to B$", "<A, C, B>",
            "\\text{A}, \\text{C}, \\text{B}"]),
    (SET, ["2 and 11", "2、11", "２，１１", "\\{2, 11\\}"]),
    (EMPTY, ["\\emptyset"]),
]  # fmt: skip
AND = ask.sequence("a", "", 1, options=["red and blue", "green"]).filled({"a": ["red and blue", "green"]})
WRONG = [
    (NUMBER, ["0.0385", "0.04", "-1/26", "26", "1/25", "0.038451"]),
    (VECTOR, ["1.5 0.5", "0.5 -1.5", "-0.5 -1.5", "1 3", "5 15", "0.5 1.501"]),
    (SQUARE, ["1 3; 2 4.5", "1 2; 3 -4.5", "3 4.5; 1 2"]),
    (TRACE, ["1 2; 3 4", "1 2; 3 4; 5 6; 5 6", "1 2; 3 4; 5 7", "1 2"]),
    (DIRECTION, ["1 2", "-1 -2", "2 -2", "0 0", "1 0", "0 -2", "0.000001 0.000001"]),
    (SIGNED, ["2 -4", "1 2", "0 0", "-1 -2"]),
    (CHOICE, ["positive definite", "a", "c", "ind"]),
    (LABEL, ["-1", "−1"]),
    (YES, ["no", "n"]),
    (PATH, ["A B C", "B C A", "ACC", "BCA"]),
    (KINDS, ["none, on the margin", "a, b", "b, b"]),
    (SET, ["2", "2 11 3", "none", "1 2"]),
    (EMPTY, ["1", "1 2"]),
    (FOLDS, ["3 4; 0 1 2", "0 1; 2 3 4", "0 1 2; 3"]),
    (REASON, ["no", "N", "wrong"]),
]
NOT_READ = [
    (NUMBER, "1 2", "Two numbers stand side by side where one is asked for."),
    (THOUSAND, "1,000", "“1,000” has a decimal comma: write 1000 if you mean the whole number."),
    (NUMBER, "p = 12,345", "“12,345” has a decimal comma: write 12345 if you mean the whole number."),
    (THOUSAND, "1,000,000", "One number has two decimal points; thousands are written without."),
    (VECTOR, "1", "2 numbers asked for, 1 read."),
    (VECTOR, "1 2 3", "2 numbers asked for, 3 read."),
    (VECTOR, "(1, 2, 3)", "2 numbers asked for, 3 read."),
    (VECTOR, "1; ;2", "2 numbers asked for, 3 read."),
    (VECTOR, ";2", "Entry 1: Nothing was typed."),
    (VECTOR, "1 foo", "Entry 2: “foo” is no number: leave units out; known are pi, e, sqrt, ln, exp, log2 and log10."),
    (VECTOR, "1/0 2", "Entry 1: This divides by zero."),
    (SQUARE, "1 2 3 4.5", "Put each row on a line of its own, or a semicolon between rows."),
    (SQUARE, "1 2; 3 4; 5 6", "2 rows asked for, 3 read."),
    (SQUARE, "1 2; 3", "2 numbers asked for, 1 read."),
    (CHOICE, "positive", f"“positive” is none of: {', '.join(WORDS)}."),
    (CHOICE, "d", f"“d” is none of: {', '.join(WORDS)}."),
    (LABEL, "a", "“a” is none of: +1, -1."),
    (SOME, "1", "“1” is none of: 3, 5, 11."),
    (PATH, "A B", "3 words asked for, 2 read."),
    (PATH, "A B D", "“D” is none of: A, B, C."),
    (SET, "2, 1 1", "“1 1” is none of: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11."),
    (FOLDS, "0 1 2 3 4", "2 groups asked for, 1 read."),
    (REASON, "perhaps", "Compare with the solution, then answer yes or no."),
    (REASON, "", "Nothing was typed."),
]


def test_an_and_of_an_option_does_not_part_it():
    assert judge(AND, "red and blue, green").right
    assert judge(AND, "green, red and blue").read == ("green", "red and blue")


def cases(table):
    return [(field, text) for field, texts in table for text in texts]


@pytest.mark.parametrize(("field", "text"), cases(RIGHT), ids=lambda v: v if isinstance(v, str) else v.kind)
def test_right(field, text):
    verdict = judge(field, text)
    assert verdict.right, verdict
    assert verdict.understood
    assert verdict.message == "Right."
    assert all(verdict.entries)
    assert earned(field, verdict) == field.marks


@pytest.mark.parametrize(("field", "text"), cases(WRONG), ids=lambda v: v if isinstance(v, str) else v.kind)
def test_wrong(field, text):
    verdict = judge(field, text)
    assert not verdict.right
    assert verdict.understood, verdict
    assert earned(field, verdict) < field.marks


@pytest.mark.parametrize(("field", "text", "sentence"), NOT_READ)
def test_not_understood(field, text, sentence):
    verdict = judge(field, text)
    assert (verdict.right, verdict.understood, verdict.message) == (False, False, sentence)
    assert earned(field, verdict) == 0


def test_each_entry_has_a_verdict():
    verdict = judge(SQUARE, "1 2; 4.5 3")
    assert verdict.entries == (True, True, False, False)
    assert verdict.message == "2 of 4 entries are right."
    assert verdict.read == (1, 2, 4.5, 3)
    assert judge(PATH, "A B C").message == "1 of 3 entries is right."
    assert judge(FOLDS, "0 1 2; 3").entries == (True, False)


def test_a_rounding_that_is_too_coarse_is_said():
    assert judge(NUMBER, "0.0385").message == "Close, but not to the digits asked for."
    assert judge(NUMBER, "0.1").message == "Not right."
    assert judge(VECTOR, "0.5 1.501").message == "Close, but not to the digits asked for."


def test_a_comma_before_three_digits_costs_no_other_entry():
    verdict = judge(SQUARE, "1 2; 3,000 4,500")
    assert verdict.right
    verdict = judge(SQUARE, "1 2; 3 1,500")
    assert (verdict.understood, verdict.entries) == (False, (True, True, True, False))
    assert verdict.message.startswith("“1,500” has a decimal comma")
    assert earned(SQUARE, verdict) == 3
    for text in ("0,385", "01,385", "1,3850", "1,38", "1.385", "1234,567"):
        assert judge(NUMBER, text).understood


def test_marks_are_shared_by_the_entries_in_halves():
    assert earned(VECTOR, judge(VECTOR, "0.5 9")) == 1.5
    assert earned(SQUARE, judge(SQUARE, "1 2; 3 9")) == 3
    assert earned(PATH, judge(PATH, "A B C")) == 1
    assert earned(FOLDS, judge(FOLDS, "0 1 2; 3")) == 1
    three = ask.vector("a", "", 1, 1).filled({"a": [1, 2, 3]})
    assert earned(three, judge(three, "1 2 9")) == 0.5
    assert earned(DIRECTION, judge(DIRECTION, "1 2")) == 0.5


def test_the_tolerance_ends_at_half_a_unit():
    field = ask.number("a", "", 1, places=3).filled({"a": 0.3334})
    assert judge(field, "0.333").right
    assert judge(field, "0.3339").right
    assert not judge(field, "0.33291").understood or not judge(field, "0.33285").right
    assert not judge(field, "0.33395").right
    carried = ask.number("a", "", 1, places=3, carried=1).filled({"a": 0.3334})
    assert judge(carried, "0.332").right
    assert not judge(carried, "0.331").right
    zero = ask.number("a", "", 1, places=0).filled({"a": 0.0})  # off by the tolerance, with no rounding in between
    assert judge(zero, "0.5").right
    assert judge(zero, "-1/2").right
    whole = ask.number("a", "", 1, whole=True).filled({"a": 7})
    assert judge(whole, "7.0000001").right
    assert not judge(whole, "7.00001").right


def test_a_percentage_counts_where_a_share_is_asked_for():
    share = ask.number("a", "", 1, percent=True).filled({"a": 0.125})
    assert judge(share, "12.5 %").right
    assert not judge(share, "12.5").right
    assert not judge(ask.number("a", "", 1).filled({"a": 0.125}), "12.5 %").understood


def test_a_field_comes_back_from_json_as_it_was():
    for field, _ in RIGHT:
        assert json.loads(json.dumps(field.as_json())) == field.as_json()


def test_a_zero_where_the_sign_is_read_leaves_the_sign():
    field = ask.vector("a", "", 1, up_to="sign").filled({"a": [-4.0, -2.0]})
    for zero in ("0", "-0", "0.0"):
        assert judge(field, f"({zero}, -2)").entries == (False, True)
    assert judge(field, "(4, 2)").right
