"""Words that compare: a phrase of ``prose_words.yml`` stands in its section and is true of the numbers there."""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.site.prose_words import SHARES, Section, agrees, number, sections, tables

ROOT = Path(__file__).parents[2]
WORDS = yaml.safe_load(Path(__file__).with_name("prose_words.yml").read_text(encoding="utf-8"))
PHRASES = [(stem, label, phrases) for stem, labels in WORDS.items() for label, phrases in labels.items()]


@cache
def section(stem, label):
    """A section of a chapter."""
    (path,) = (ROOT / "chapters").glob(f"*/{stem}.ipynb")
    return sections(path)[label]


def compared(stem, label, source):
    """The numbers that a phrase compares."""
    here = section(stem, label)
    names = {"cell": here.cell, "column": here.column, "printed": here.printed}
    return eval(source, {"__builtins__": {}}, names)


@pytest.mark.parametrize(("stem", "label", "phrases"), PHRASES, ids=[label for _, label, _ in PHRASES])
def test_words_that_compare_are_true(stem, label, phrases):
    for phrase, source in phrases.items():
        assert phrase in section(stem, label).text, "not there any more"
        value = compared(stem, label, source)
        assert agrees(phrase, value), f"{phrase}: {value}"


def test_another_word_is_noticed():
    tried = noticed = 0
    for stem, label, phrases in PHRASES:
        for phrase, source in phrases.items():
            value = compared(stem, label, source)
            said = [word for word in SHARES if re.search(rf"\b{word}\b", phrase)]
            for other in set(SHARES) - set(said) if said and not isinstance(value, list) else ():
                tried += 1
                noticed += not agrees(phrase.replace(said[0], other), value)
    assert tried > 200
    assert noticed >= 0.75 * tried  # "less than twice" is true of a half as well; the phrase is no longer there


@pytest.mark.parametrize(
    ("phrase", "true", "false"),
    [
        ("half of them", [0.5, 0.54], [0.4, 2]),
        ("less than half", [0.3, 0.49], [0.5]),
        ("more than a third", [0.34], [0.3]),
        ("nearly twice as many", [1.9], [2.2, 1.5]),
        ("about two thirds", [0.6], [0.5]),
        ("the error falls", [[3, 2, 1]], [[3, 2, 2], [1, 2]]),
        ("B has the larger AUC", [[2, 1]], [[1, 2]]),
        ("it rises in every row", [[1, 2, 3]], [[1, 3, 2]]),
        ("the smallest error", [[1, 3, 2]], [[2, 1]]),
        ("the largest margin", [[3, 1, 2]], [[2, 3]]),
    ],
)
def test_what_words_mean(phrase, true, false):
    assert all(agrees(phrase, value) for value in true)
    assert not any(agrees(phrase, value) for value in false)


def test_cells_of_a_table():
    output = {"data": {"text/markdown": "| who | error |\n| :--- | ---: |\n| one | 0.2 ± 0.1 |\n| two | 12 % |"}}
    here = Section(tables=tables(output), output="error: 33.1% ± 3.5%\n")
    assert (here.cell("one"), here.cell("two", "error")) == (0.2, 0.12)
    assert here.column("error") == [0.2, 0.12]
    assert (here.printed("error:"), here.cell("one", place=1)) == (pytest.approx(0.331), 0.1)
    assert tables({"data": {}}) == []
    with pytest.raises(ValueError, match="no number in 'none'"):
        number("none")
