"""The reference at a glance: calls and sentences in sight, the rest folded, no entry without words of its own."""

import pytest

MODULE = '''"""A module."""

from typing import NamedTuple


class Pair(NamedTuple):
    """Two numbers, ``left`` and ``right``."""

    left: int
    right: int

    def total(self):
        """Their sum.

        Returns
        -------
        int
            It.
        """


def short():
    """Say nothing."""


def long(x):
    """Say it.

    More words.

    Parameters
    ----------
    x : int
        What.

    Examples
    --------
    >>> long(1)
    """
'''


@pytest.fixture
def page(new_book, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "pairs_of_ours.py").write_text(MODULE)
    extensions = ["sphinx.ext.autodoc", "numpydoc", "katex_math", "reference_folds"]
    book = new_book(extensions, ["page"], numpydoc_show_class_members=False)
    book.write("static/reference.css", "")
    book.write("page.md", "# R\n\n```{eval-rst}\n.. automodule:: pairs_of_ours\n   :members:\n```\n")
    assert not book.build().warnings
    return book.soup("page")


def test_fields_of_a_named_tuple_have_no_entries(page):
    names = [term["id"].split(".", 1)[1] for term in page.select("dt.sig")]
    assert sorted(names) == ["Pair", "Pair.total", "long", "short"]
    assert "Alias for" not in page.get_text()


def test_what_follows_the_first_sentence_is_folded(page, text_of):
    entry = page.find(id="pairs_of_ours.long").find_next_sibling("dd")
    assert [child.name for child in entry.find_all(recursive=False)] == ["p", "details"]
    assert text_of(entry.details.summary) == "Parameters, results, examples"
    assert "More words." in text_of(entry.details)
    assert entry.details.select_one("dl.field-list") is not None
    assert page.find(id="pairs_of_ours.short").find_next_sibling("dd").details is None


def test_methods_stay_in_sight(page):
    method = page.find(id="pairs_of_ours.Pair.total")
    assert method.find_parent("details") is None
    assert method.find_next_sibling("dd").details is not None
