"""Tests of the claims' own machinery on a quiz made for it, and what holds for the claims of every chapter."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

from tests.claims.deciding import Claims, Numbers, Words, decided, fields, read
from tests.claims.items import KINDS, ROOT, items_of, markdown, read_items

FILES = sorted((ROOT / "tests/claims").glob("*/test_*.py"))
NOTEBOOKS = sorted((ROOT / "chapters").glob("*/*.ipynb"))
PAGE = r"""
:::{admonition} A die has 6 sides. The mean of
  its throws is
:class: ignored
:::

:::{admonition} A die has 6 sides. The mean of its throws is
:class: quiz
:name: toy-quiz-mean
- [ ] 3 eyes

  Half of them.
- [x] $\tfrac72$ eyes

  The middle.
- [ ] 21 eyes

  The sum.
:::

:::{admonition} Which are even?
:class: quiz-multiple
:name: toy-quiz-even
All of them count.

- [X] the sum of 3 and 5

  It is 8.
- [ ] the sum of 3 and 4

  It is 7.
- [ ] a proverb

  It is no number.
- [x] 12

  Twice 6.
:::

:::{admonition} All squares below 50 are below 40.
:class: statement-false
:name: toy-tf-squares
49 is not.
:::

:::{admonition} Odd squares are odd.
:class: statement-true
:name: toy-tf-odd
Odd times odd.
:::

:::{admonition} Dice are old.
:class: statement-true
:name: toy-tf-old
So they say.
:::
"""


def quiz_mean(sides):
    """A die has <sides> sides. The mean of its throws is"""
    eyes = np.arange(1, sides + 1)
    return Numbers(eyes.mean(), [sides / 2, eyes.sum()], unit=" eyes")


def quiz_even():
    """Which are even? All of them count."""
    return {
        "the sum of <a> and <b>": lambda a, b: (a + b) % 2 == 0,
        "a proverb": Words("it is no number"),
        "<n>": lambda n: n % 2 == 0,
    }


def tf_squares(below, limit):
    """All squares below <below> are below <limit>."""
    return all(n**2 < limit for n in range(10) if n**2 < below)


def tf_odd():
    """Odd squares are odd."""
    return all(n**2 % 2 for n in range(1, 10, 2))


NAMES = {"__name__": __name__, "WORDS": {"tf_old": "history"}}
NAMES |= {claim.__name__: claim for claim in (quiz_mean, quiz_even, tf_squares, tf_odd)}
CLAIMS = Claims("part/toy", NAMES)


def problems(page, claims=CLAIMS):
    """What is wrong with each item of a page, by its label; a claim that stops with an error notices too."""
    items = {item.label: item for item in read_items(page)}
    found = {}
    for label in {*items, *claims.claims, *claims.words}:
        try:
            found[label] = claims.problem(label, items.get(label))
        except (ValueError, TypeError) as error:
            found[label] = str(error)
    return {label: problem for label, problem in found.items() if problem}


def test_items_are_read_as_they_stand():
    items = read_items(PAGE)
    assert [item.label for item in items] == [
        "toy-quiz-mean", "toy-quiz-even", "toy-tf-squares", "toy-tf-odd", "toy-tf-old"
    ]  # fmt: skip
    assert items[0].options == ("3 eyes", r"$\tfrac72$ eyes", "21 eyes")
    assert items[1].question == "Which are even? All of them count."
    assert items[1].marks == (True, False, False, True)
    assert [item.marks for item in items[2:]] == [(False,), (True,), (True,)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_item_of_a_chapter_is_overlooked(path):
    chapter = f"{path.parent.name}/{path.stem}"
    text = markdown(chapter)
    boxes = re.findall(rf"^:class: (?:{KINDS})\b", text, re.M)
    assert len(boxes) == len(read_items(text)) == len(items_of(chapter))  # one label, one item
    assert "" not in items_of(chapter)


def test_a_sound_page_has_no_problem():
    assert problems(PAGE) == {}


MISTAKES = {  # what is changed on the page, into what
    "mark moved": ("[ ] 3 eyes", "[x] 3 eyes", r"[x] $\tfrac72$", r"[ ] $\tfrac72$"),
    "mark moved to what is left to words": ("[ ] a proverb", "[x] a proverb"),
    "one of several marks": ("[x] 12", "[ ] 12"),
    "one mark too many": ("[ ] the sum", "[x] the sum"),
    "number in the right option": (r"\tfrac72", r"\tfrac73"),
    "number in a wrong option": ("21 eyes", "22 eyes"),
    "unit": ("3 eyes", "3 noses"),
    "the same option twice": ("3 eyes", "21 eyes"),
    "number in an option with numbers": ("3 and 5", "3 and 6"),
    "number in the question": ("A die has 6", "A die has 8"),
    "word in the question": ("Which are even", "Which are odd"),
    "word in an option": ("a proverb", "an adverb"),
    "option left out": ("- [x] 12\n\n  Twice 6.\n", ""),
    "wrong option added": ("- [x] 12", "- [x] 15\n\n  Thrice 5.\n- [x] 12"),
    "false marked true": ("statement-false", "statement-true"),
    "true marked false": ("statement-true\n:name: toy-tf-odd", "statement-false\n:name: toy-tf-odd"),
    "statement mended": ("are below 40", "are below 50"),
    "not lost": ("squares are odd", "squares are not odd"),
    "label": ("toy-tf-odd", "toy-tf-uneven"),
    "no label": (":name: toy-tf-odd\n", ""),
    "item left out": (":class: statement-true\n:name: toy-tf-odd", ":class: note\n:name: toy-tf-odd"),
    "new item": (
        "toy-tf-odd\n",
        "toy-tf-odd\n:::\n\n:::{admonition} New.\n:class: statement-true\n:name: toy-tf-new\n",
    ),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_planted_mistake_is_noticed(kind):
    page = PAGE
    for old, new in zip(MISTAKES[kind][::2], MISTAKES[kind][1::2], strict=True):
        assert old in page
        page = page.replace(old, new)
    assert problems(page)


def test_options_may_change_places():
    (item, *_) = read_items(PAGE)
    turned = item._replace(options=item.options[::-1], marks=item.marks[::-1])
    assert CLAIMS.problem(item.label, turned) == ""


def test_a_number_that_leaves_the_statement_false_may_change():
    assert problems(PAGE.replace("below 40", "below 30")) == {}


def changed(**names):
    """The claims of the page, some of them changed."""
    return Claims("part/toy", NAMES | names)


def test_a_claim_computes():
    def tf_odd():
        """Odd squares are odd."""
        return True

    def returns_a_constant():
        """Odd squares are odd."""
        return {"yes": True}

    def returns_a_constant_function():
        """Odd squares are odd."""
        return {"yes": lambda: True}

    def compares_constants():
        """Odd squares are odd."""
        return 9 % 2 != 0

    for claim in (tf_odd, returns_a_constant, returns_a_constant_function, compares_constants):
        assert problems(PAGE, changed(tf_odd=claim)) == {"toy-tf-odd": "the claim computes nothing"}


def test_a_statement_needs_one_truth_and_a_question_one_for_each_option():
    def tf_odd():
        """Odd squares are odd."""
        return {"odd": len("x") == 1}

    assert "not among the options" in problems(PAGE, changed(tf_odd=tf_odd))["toy-tf-odd"]


def test_an_item_has_a_claim_or_a_reason_and_not_both():
    without = Claims("part/toy", {name: value for name, value in NAMES.items() if name != "tf_odd"})
    both = changed(WORDS={"tf_old": "history", "tf_odd": "two"})
    for claims in (without, both):
        assert problems(PAGE, claims) == {"toy-tf-odd": "it needs a claim or a reason in WORDS, and not both"}
    gone = changed(WORDS={"tf_old": "history", "tf_gone": "three"})
    assert problems(PAGE, gone) == {"toy-tf-gone": "the page has no item of this name"}


def test_only_public_functions_of_the_file_are_claims():
    names = {"_helper": lambda: 1, "test_one": lambda: 2, "read": read, "tf_one": lambda: 3}
    for name, function in names.items():
        function.__name__ = name
    assert set(changed(**names).claims) - set(CLAIMS.claims) == {"toy-tf-one"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("+1", 1),
        ("Eight", 8),
        ("10,000", 10_000),
        ("$-2$ and $2$", [-2, 2]),
        (r"$\pm\frac12$", [-0.5, 0.5]),
        ("9, 6, 4", [9, 6, 4]),
        ("$(2,1)$ and 1", [2, 1, 1]),
        (r"\tfrac12, \tfrac14", [0.5, 0.25]),
        (r"$\ln4$ and $0.8$", [np.log(4), 0.8]),
        ("4.5/6", 0.75),
        ("$e^2$", np.e**2),
    ],
)
def test_numbers_are_read(text, value):
    assert np.allclose(read(text).value, value)


def test_a_decimal_is_rounded_and_a_fraction_is_not():
    assert Numbers(1 / 3, [2 / 3]).verdicts(("0.667", "0.333")) == [False, True]
    assert Numbers(1 / 3, [2 / 3]).verdicts(("2/3", "1/3")) == [False, True]
    assert Numbers(0.1, [1 / 9]).verdicts(("0.1", "1/9")) == [True, False]  # the nearest
    with pytest.raises(ValueError, match="not among the options"):
        Numbers(1 / 3, [2 / 3]).verdicts(("2/3", "33/100"))


def test_fields_of_a_text():
    assert fields("<n> of <k>.", "9 of 10.") == {"n": 9, "k": 10}
    assert fields("<n> of <k>.", "9 out of 10.") is None


def test_the_test_of_a_file_knows_page_and_claims():
    test = decided("kernels/svm", {"__name__": "nowhere"})
    assert set(test.pytestmark[0].args[1]) == set(items_of("kernels/svm"))
    with pytest.raises(AssertionError, match="needs a claim"):
        test("svm-tf-gap")


def test_there_are_claims_and_the_number_of_chapters_only_grows():
    assert len(FILES) >= 8


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem.removeprefix("test_"))
def test_nine_in_ten_items_of_a_chapter_are_decided_and_all_that_are_false(path: Path):
    chapter = f"{path.parent.name}/{path.stem.removeprefix('test_')}"
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    left, items = Claims(chapter, vars(module)).words, items_of(chapter)
    assert len(left) <= len(items) / 10
    assert not [label for label in left if label in items and items[label].marks == (False,)]
    assert all(isinstance(reason, str) and reason for reason in left.values())
    assert f'decided("{chapter}", globals())' in path.read_text(encoding="utf-8")
