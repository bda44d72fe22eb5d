"""Numbers in sentences: each one is printed by a cell of its section, or says where it comes from."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from notes_lib import datasets
from tests.site.prose_numbers import Number, read
from tools.reading import chapters

ROOT = Path(__file__).parents[2]
SOURCES = yaml.safe_load(Path(__file__).with_name("prose_numbers.yml").read_text(encoding="utf-8"))
CHAPTERS = [f"{path.parent.name}/{path.stem}" for path in chapters([])]
NAMES = {name: getattr(math, name) for name in ("comb", "log", "sqrt")} | {"len": len}
NAMES |= {name: getattr(datasets, name) for name in dir(datasets) if name.startswith("load_")} | {"polyfit": np.polyfit}
CHANGED = 3  # how much the last digit of a number is changed, to see whether that is noticed


@pytest.fixture(scope="module", params=sorted(CHAPTERS))
def chapter(request):
    stem = request.param.rpartition("/")[2]
    return read(ROOT / "chapters" / f"{request.param}.ipynb"), SOURCES.get(stem, {})


def test_every_number_in_a_sentence_comes_from_somewhere(chapter):
    numbers, sources = chapter
    lost = [f"{s.label}: {n.around!r}" for s, n in numbers.unfound() if n.text not in sources.get(s.label, {})]
    assert not lost


def test_a_source_gives_its_number(chapter):
    numbers, sources = chapter
    unfound = {(section.label, number.text): number for section, number in numbers.unfound()}
    assert {(label, text) for label, entries in sources.items() for text in entries} == set(unfound)
    for (label, text), number in unfound.items():
        ((kind, source),) = sources[label][text].items()
        if kind == "computed":
            assert number.is_near(eval(source, {"__builtins__": {}}, NAMES)), f"{text} is not {source}"
        elif kind == "from":
            assert any(map(number.is_near, numbers.given(source)))
        else:
            assert (kind, bool(source)) == ("why", True)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("3.14", [3.1416, -3.135], [3.1454, 3.134, 314]),
        ("65 %", [0.651, 65.4], [0.656, 0.644]),
        (r"65\,\%", [0.651], [0.7]),
        ("1,660", [1660.2], [1661]),
        ("12", [12], [13, 0.12]),
        ("−17.6", [-17.58], [17.66]),
    ],
)
def test_a_number_is_near_what_rounds_to_it(text, near, far):
    number = Number(text, text)
    assert all(map(number.is_near, near))
    assert not any(map(number.is_near, far))


def test_about_and_thousands_are_rounded_to_the_digits_that_are_not_zero():
    assert Number("140", "the odds by about 140, and").is_near(137)
    assert not Number("140", "the odds by 140, and").is_near(137)
    assert not Number("140", "the odds by about 140, and").is_near(134)
    assert Number("43,000", "is 43,000").is_near(43275)
    assert not Number("43,000", "is 43,000").is_near(43600)


def test_a_number_that_is_changed_is_noticed():
    found = noticed = 0
    for name in CHAPTERS:
        chapter = read(ROOT / "chapters" / f"{name}.ipynb")
        for section in chapter.sections:
            for number in filter(lambda n: section.gives(n), section.numbers):
                other = re.sub(r"\d(?=\D*$)", lambda digit: str((int(digit[0]) + CHANGED) % 10), number.text)
                found += 1
                noticed += not section.gives(Number(other, number.around))
    assert found > 150
    assert noticed >= 0.85 * found  # a decimal of one digit, such as 0.1, often has a neighbour in the same output
