"""The estimated lengths of sections."""

import re

import pytest

PAGE = """# Page

Text.

## Short

One line.

## Long

{text}

### Inner

$$
a
$$

## Folded

:::{{admonition}} Solution
:class: dropdown
{text}
:::
"""


@pytest.fixture(scope="module")
def sizes(shared_book, notebook_code):
    book = shared_book(["katex_math", "section_sizes"], ["page"])
    cell = notebook_code("\n".join(["print(1)"] * 40), "1\n")
    folded = {**cell, "metadata": {"tags": ["hide-input"]}}
    book.notebook(
        "page.ipynb", PAGE.format(text="A word of the text. " * 71), "## Code\n", cell, "## Folded code\n", folded
    )
    book.build()
    assert not book.warnings
    sections = book.soup("page").select("section")
    return {section["id"]: section.get("style", "") for section in sections}


def number(style):
    return int(re.fullmatch(r"--lines: (\d+)", style)[1])


def test_every_section_below_the_title_has_an_estimate(sizes):
    assert sizes.pop("page") == ""
    assert all(number(style) > 0 for style in sizes.values())


def test_text_counts_by_its_lines_and_inner_sections_add_up(sizes):
    assert number(sizes["short"]) == 4  # a heading of three lines, one line and a half
    assert number(sizes["inner"]) == 6
    assert number(sizes["long"]) == round(3 + 20.5 + 6.5)  # 1420 characters: 20 lines and a half


def test_what_is_folded_hardly_counts(sizes):
    assert number(sizes["folded"]) < 6
    assert number(sizes["folded-code"]) == number(sizes["code"]) - 30  # 40 lines of small type
