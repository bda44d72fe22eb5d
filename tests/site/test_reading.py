"""What a reader sees of a chapter: how it is counted, and the limits for every chapter."""

import json
import re

import pytest

from tests.site.test_exam_corner import CHAPTERS, corner
from tools.reading import COLD, MEAN, Reader, chapters, problems, read

PROSE = """# Title

**Which of the two?**

:::{admonition} You will be able to
:class: objectives
- hidden words
:::

## Why

Three visible words. A longer sentence $x + y$ with a formula, as {eq}`a-b` says.

:::{dropdown} Notation
:name: a-notation

| a | b |
|---|---|
| c | d |
:::

(a-derivation)=
## Derivation

In words it is a square.

$$
a = b
$$ (a-b)

$$ c $$

| open | table |
|---|---|

:::{prf:theorem} Named
:label: a-t
Holds always.
:::

(a-algorithm)=
## Algorithm

$$ no core $$

## Exam corner

:::{admonition} Even?
:class: quiz
:name: q
- [x] yes

  Because it is.
:::

## Summary

The end.
"""


def markdown(source):
    return {"cell_type": "markdown", "source": source, "metadata": {}}


def code(*outputs, tags=()):
    return {"cell_type": "code", "source": "", "metadata": {"tags": list(tags)}, "outputs": list(outputs)}


def reader(*cells):
    made = Reader()
    for cell in cells:
        made.cell(cell)
    return made


def test_words_formulas_and_tables_that_are_open():
    seen = reader(markdown(PROSE))
    before = "Title Which of the two Why Three visible words A longer sentence M with a formula as R says "
    before += "Derivation In words it is a square Named Holds always Algorithm Summary The end"
    assert seen.before.words == len(before.split())
    assert seen.corner.words == len(["Exam", "corner", "Even", "x", "yes"])
    assert (seen.before.equations, seen.before.displayed, seen.before.tables) == (1, 3, 1)
    core = "Derivation In words it is a square Named Holds always"
    assert seen.before.core == len(core.split()) / 2
    assert seen.before.short == pytest.approx(4 / 5)  # of five sentences only the one with the formula is long


def test_a_solution_that_spans_cells_is_folded():
    shown = code({"text": "1 2 3"})
    start, end = ":::{solution-start} a\n:class: dropdown\n:::\nIt is", ":::{solution-end}\n:::\nNow open"
    seen = reader(markdown(start), shown, markdown("more"), markdown(end), shown)
    assert seen.before.words == len(["Now", "open"])
    assert (seen.before.printed, seen.before.numbers) == (1, 3)


def test_outputs_are_counted_by_their_kind():
    table = {"data": {"text/markdown": "| a |\n|---|\n| 1.5 |\n| -2e-3 |"}}
    seen = reader(
        code({"text": "x: 1 = 1 (equal to 1e-10)\nplain 7\n"}, {"data": {"image/png": "", "text/plain": "<Figure>"}}),
        code(table, {"data": {"text/html": "<div>", "text/plain": "<explorer>"}}),
        code(table, tags=["hide-output"]),
        code({"data": {"text/markdown": "```python\n1\n```"}}),
    ).before
    assert (seen.checks, seen.printed, seen.tables, seen.numbers) == (1, 1, 1, 3)
    assert (seen.pictures, seen.moving) == (2, 1)


def test_every_limit_is_looked_at(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": [markdown(PROSE), code({"text": "9 " * 151 + "\n1" * 8})]}), encoding="utf-8")
    assert [found.split()[0] for found in problems(path)] == [
        "33", "printed", "numbers", "short", "pictures", "moving", "core",
    ]  # fmt: skip


@pytest.mark.parametrize("path", chapters([]), ids=lambda path: path.stem)
def test_a_chapter_is_an_evening(path):
    assert not problems(path)


def test_the_mean_of_the_chapters():
    counted = [read(path).before.words for path in chapters([])]
    assert sum(counted) <= MEAN * len(counted)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_at_most_six_cards_to_know_cold(chapter):
    cards = re.findall(r"^:class: must-know(.*)$", corner(chapter), re.M)
    assert 1 <= sum(not tier.strip() for tier in cards) <= COLD
    assert sum("recognise" in tier for tier in cards) == sum(bool(tier.strip()) for tier in cards)


def test_an_unknown_stem_ends_with_a_sentence():
    with pytest.raises(SystemExit, match="no chapter is called svn"):
        chapters(["svn"])
