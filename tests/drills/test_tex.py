"""Numbers in TeX, as they are written on paper."""

import pytest

from notes_lib.drills.tex import short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0, "2"),
        (-0.5, "-0.5"),
        (1 / 3, r"\tfrac{1}{3}"),
        (-7 / 6, r"-\tfrac{7}{6}"),
        (0.0625, "0.0625"),
        (-1e-17, "0"),
    ],
)
def test_numbers_are_written_as_on_paper(value, text):
    assert short(value) == text
