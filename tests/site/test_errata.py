"""No mistake that misleads is lost: errata.csv says which card refutes it, and the card is there with its number.

The list holds what changes a result (weight H) or misleads a careful reader (M) in widely read notes, by the chapter
that it belongs to; the label is empty while that chapter is not written.
"""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.site.test_pages import pages, planned, prose

ROWS = list(csv.DictReader((Path(__file__).parent / "errata.csv").read_text(encoding="utf-8").splitlines()))
CARD = re.compile(r"^:::\{admonition\} .+\n:class: (lost-marks|slip)\n:name: (\S+)$", re.M)


def cards():
    """Label -> chapter or part whose page holds the card that refutes a claim."""
    return {
        label: page.rsplit("/", 1)[1]
        for page in pages()
        for kind, label in CARD.findall(prose(page))
        if (kind == "slip") == page.startswith("chapters/revision/errata/")
    }


def test_the_list_is_whole():
    assert Counter(row["weight"] for row in ROWS) == {"H": 37, "M": 95}
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert {row["chapter"] for row in ROWS} <= set(planned())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_every_mistake_of_a_written_chapter_is_refuted(row):
    part = planned()[row["chapter"]]
    if f"chapters/{part}/{row['chapter']}" in pages():
        assert cards().get(row["label"]) in {row["chapter"], part}
    else:
        assert row["label"] == ""


def test_a_slip_stands_on_the_page_of_its_part():
    slips = [page for page in pages() for kind, _ in CARD.findall(prose(page)) if kind == "slip"]
    assert slips
    assert all(page.startswith("chapters/revision/errata/") for page in slips)
