"""``_ext/README.md`` says of each piece of the book's own code which kept package would do it, and why it is ours."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLES = (ROOT / "_ext/README.md").read_text(encoding="utf-8")
LONGEST = 130  # lines of the list


def kept_libraries():
    """The folders of ``static`` with a licence in them: what is there is another's."""
    return {path.parent for path in (ROOT / "static").glob("*/LICENSE")}


def pieces(folder):
    """The modules, own scripts or tools of a folder, as the list calls them."""
    root = ROOT / folder
    if folder == "static":
        own = (path for path in root.rglob("*.js") if path.parent not in kept_libraries())
        return {path.relative_to(root).with_suffix("").as_posix() for path in own}
    return {path.stem for path in root.glob("*.py")} | {path.parent.name for path in root.glob("*/__init__.py")}


def rows(folder):
    """The rows of a folder's table below its head, as cells."""
    text = re.search(rf"^## `{folder}`.*?\n(.*?)(?=^## |\Z)", TABLES, re.MULTILINE | re.DOTALL)[1]
    lines = [line for line in text.split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("folder", ["_ext", "static", "tools"])
def test_every_piece_has_its_row_and_every_row_its_piece(folder):
    named = [name for first, *_ in rows(folder) for name in re.findall(r"`([^`]+)`", first)]
    assert sorted(named) == sorted(pieces(folder))


@pytest.mark.parametrize("folder", ["_ext", "static", "tools"])
def test_a_row_says_what_it_does_what_comes_nearest_and_why_it_stands(folder):
    for cells in rows(folder):
        group = cells[0].startswith("**")
        assert len(cells) == 4, cells
        assert group or all(cells), cells


def test_the_list_can_be_read():
    assert TABLES.count("\n") <= LONGEST
