r"""What a quiz marks right is compared with what a claim computes.

The claims of a chapter are the public functions of ``tests/claims/<part>/test_<stem>.py``. A claim is called as its
item is labelled: ``tf_gap`` decides ``svm-tf-gap``. Its docstring is the question or the statement word for word, with
``<name>`` for each number (or point, or list of numbers) that the claim is handed as an argument. So a word that
changes on the page is noticed, and a number that changes is computed with. A claim returns

* for a statement, whether it is true;
* for a question, a dictionary that says of each option whether it is right. A key is an option word for word; for one
  with ``<name>`` the value is a function of these numbers. The value ``Words(reason)`` leaves a wrong option
  undecided, because nothing can compute it;
* for a question whose options are all numbers, :class:`Numbers`.

A statement that is false in general is decided by its counter-example; an assertion beside it shows a case where what
it says does hold, so that the claim is not false by a slip of its own.

``WORDS`` of the file gives the reason for each item that nothing can compute, such as a matter of definition.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.claims.items import Item, items_of, plain
from tests.drills.arithmetic import PLACES, Unreadable, Value, evaluate

FIELD = re.compile(r"<([A-Za-z_]\w*)>")
BETWEEN = re.compile(r" and |, (?![^(]*\))")  # two numbers; coordinates of a point stay together
COUNTS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")


class Words(NamedTuple):
    """An option that nothing can compute."""

    reason: str


class Numbers(NamedTuple):
    """Options that are all numbers: the ``right`` one and the ``slips``, each on the page once, in any order."""

    right: Any
    slips: list[Any]
    unit: str = ""  # what may stand behind a number, as a regular expression

    def verdicts(self, options: tuple[str, ...]) -> list[bool | None]:
        """Whether each option is right; None if it is none of the numbers, or the same one as another option."""
        found = [self.nearest(option) for option in options]
        if gone := set(range(1 + len(self.slips))) - set(found):
            raise ValueError(f"not among the options: {[[self.right, *self.slips][n] for n in sorted(gone)]}")
        return [n == 0 if n is not None and found.count(n) == 1 else None for n in found]

    def nearest(self, option: str) -> int | None:
        """Which of the numbers an option prints."""
        printed = known(re.sub(rf"{self.unit}$", "", option))
        numbers = [array(number) for number in (self.right, *self.slips)]
        agreeing = [n for n, number in enumerate(numbers) if printed and printed.agrees(number)]
        return min(agreeing, key=lambda n: np.abs(printed.value - numbers[n].value).max(), default=None)


Claim = Callable[..., Any]


# --- numbers in a text
def array(numbers: Any) -> Value:
    """Numbers that are known exactly."""
    return Value(np.ravel(numbers).astype(float))


def read(text: str) -> Value:
    r"""Numbers of a text, with their rounding: ``$\tfrac12$``, ``ten``, ``9, 6 and 4``, ``$(1,2)$``, ``$\pm 4$``."""
    values = [read_one(part.strip()) for part in BETWEEN.split(text.replace("$", ""))]
    halves = [np.broadcast_to(value.half, np.shape(value.value)) for value in values]
    return Value(np.hstack([np.ravel(value.value) for value in values]), np.hstack([np.ravel(h) for h in halves]))


def read_one(text: str) -> Value:
    """One number or point, or two numbers that differ in their sign."""
    if text.lower() in COUNTS:
        return array(COUNTS.index(text.lower()))
    if text.startswith(r"\pm"):
        size = evaluate(text.removeprefix(r"\pm"), {}, PLACES)
        return Value(np.array([-size.value, size.value]), size.half)
    return evaluate(text.replace(",", "") if THOUSANDS.fullmatch(text) else text, {}, PLACES)


def known(text: str) -> Value | None:
    """The numbers of a text; None if it holds anything else."""
    try:
        return read(text)
    except Unreadable:
        return None


def fields(template: str, text: str) -> dict[str, Any] | None:
    """What stands in a text for each ``<name>`` of a template; None if the words are others."""
    parts = FIELD.split(plain(template))
    pattern = "".join(f"(?P<{part}>.+?)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
    found = re.fullmatch(pattern, text)
    values = {name: known(part) for name, part in found.groupdict().items()} if found else {"": None}
    return {name: np.squeeze(v.value)[()] for name, v in values.items()} if all(values.values()) else None


# --- what a claim says
def verdicts(claim: Claim, item: Item) -> list[Any]:
    """What a claim says of each option, or of the statement; None of an option that it does not know."""
    given = fields(claim.__doc__ or "", item.question)
    if given is None:
        raise ValueError(f"the claim is about another text than {item.question!r}")
    result = claim(**given)
    if isinstance(result, Numbers):
        return result.verdicts(item.options)
    if isinstance(result, Mapping):
        keys = [key_of(option, result) for option in item.options]
        if gone := set(result) - set(keys):
            raise ValueError(f"not among the options: {sorted(gone)}")
        return [key and verdict(option, key, result[key]) for option, key in zip(item.options, keys, strict=True)]
    return [bool(result)]


def key_of(option: str, keys: Mapping[str, Any]) -> str | None:
    """The key of an option: its own words before a template."""
    return option if option in keys else next((key for key in keys if FIELD.search(key) and fields(key, option)), None)


def verdict(option: str, key: str, value: Any) -> bool | Words:
    """Whether an option is right."""
    if callable(value):
        value = value(**(fields(key, option) or {}))
    return value if isinstance(value, Words) else bool(value)


def is_constant(claim: Claim) -> bool:
    """Whether a claim says something that no name occurs in: it is the same whatever is computed."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(claim)))
    said = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    said += [value for node in said if isinstance(node, ast.Dict) for value in node.values]
    bodies = [node.body if isinstance(node, ast.Lambda) else node for node in said if node]
    return not all(any(isinstance(part, ast.Name) for part in ast.walk(body)) for body in bodies)


# --- what is wrong
class Claims:
    """The claims of a chapter, such as kernels/svm: the public functions of a file, and its ``WORDS``."""

    def __init__(self, chapter: str, names: Mapping[str, Any]) -> None:
        self.chapter, self.words = chapter, self.labelled(chapter, names.get("WORDS", {}))
        own = {name: value for name, value in names.items() if inspect.isfunction(value) and is_own(value, names)}
        self.claims = self.labelled(chapter, own)

    @staticmethod
    def labelled(chapter: str, names: Mapping[str, Any]) -> dict[str, Any]:
        """What is called ``tf_gap`` under ``svm-tf-gap``."""
        stem = chapter.partition("/")[2]
        return {f"{stem}-{name}".replace("_", "-"): value for name, value in names.items()}

    def labels(self) -> list[str]:
        """Every label that the page or the file knows."""
        return sorted({*items_of(self.chapter), *self.claims, *self.words})

    def problem(self, label: str, item: Item | None) -> str:
        """Why an item and its claim do not agree; '' if they do."""
        claim = self.claims.get(label)
        if item is None:
            return "the page has no item of this name"
        if (claim is None) == (label not in self.words):
            return "it needs a claim or a reason in WORDS, and not both"
        if claim is None:
            return ""
        if is_constant(claim):
            return "the claim computes nothing"
        told = verdicts(claim, item)
        pairs = zip(item.texts, item.marks, told, strict=True)
        wrong = [f"{text!r} is marked {mark}, computed {said}" for text, mark, said in pairs if not agree(mark, said)]
        return "; ".join(wrong)


def is_own(function: Callable[..., Any], names: Mapping[str, Any]) -> bool:
    """Whether a file wrote a function itself, and for others to see."""
    return function.__module__ == names["__name__"] and not function.__name__.startswith(("_", "test_"))


def agree(mark: bool, said: bool | Words | None) -> bool:
    """Whether a mark is what was computed; only a wrong option may be left to words."""
    return not mark if isinstance(said, Words) else mark is said


def decided(chapter: str, names: Mapping[str, Any]) -> Callable[[str], None]:
    """The test of a file: each item of the chapter has its claim, and the page is right."""
    claims = Claims(chapter, names)

    @pytest.mark.parametrize("label", claims.labels())
    def test_claim(label: str) -> None:
        problem = claims.problem(label, items_of(chapter).get(label))
        assert not problem, problem

    return test_claim
