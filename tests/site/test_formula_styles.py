"""The styles of formulas as classes: every one of them says the same as before."""

import re

import formula_styles
from formula_styles import SHEET, classes, shorten

from tools import formula_styles as counting

FORMULA = '<span class="katex"><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>{}</span>'


def test_every_rule_of_the_sheet_is_read_and_no_class_means_two_things():
    rules = [line for line in SHEET.read_text(encoding="utf-8").splitlines() if line.startswith(".")]
    assert len(rules) == len(classes()) == len(set(classes().values())) == counting.MOST


def test_a_known_style_becomes_its_class_and_an_unknown_one_stays():
    style, name = next(iter(classes().items()))
    parts = (
        f'<span class="strut" style="{style}"></span><span style="{style}"></span><span style="height:123em;"></span>'
    )
    short = f'<span class="strut {name}"></span><span class="{name}"></span><span style="height:123em;"></span>'
    assert shorten(FORMULA.format(parts)) == FORMULA.format(short).replace(formula_styles.NAMESPACE, "")
    assert shorten(parts) == parts  # no formula, no change


def test_the_sheet_holds_the_most_frequent_styles_first(monkeypatch):
    monkeypatch.setattr(counting, "MOST", 2)
    span = '<span class="a" style="{}em;">'.format
    page = span("height:1") + 3 * span("height:2") + 2 * span("top:3;left:1")
    assert re.findall(r"kx\w+ \{.*\}", counting.sheet([page])) == ["kx0 { height:2em; }", "kx1 { top:3;left:1em; }"]
    assert counting.digits(35) + counting.digits(36) + counting.digits(71) == "z101z"
