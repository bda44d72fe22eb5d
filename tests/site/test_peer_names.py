"""The page on how close the library is to its peers."""

import re
from pathlib import Path

import namesakes
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "chapters/appendix/sklearn.md").read_text(encoding="utf-8")
EXTENSIONS = ["katex_math", "peer_names"]


class Theirs:
    """A model.

    Attributes
    ----------
    coef_ : array
    n_iter_ : int
    """

    def __init__(self, a, b=1, *, c="x"):
        pass

    def fit(self, X, y):
        """Fit."""


class Ours:
    """A model.

    Attributes
    ----------
    coef_ : array
    """

    def __init__(self, a, b=2, mine=None):
        pass

    def fit(self, X, y):
        """Fit."""


class Later(Ours):
    __doc__ = Ours.__doc__

    def __init__(self, a, b=2, *, c="x", mine=None):
        pass


def same(x):
    """Do it."""


def pair(chapter, name, ours, theirs):
    return namesakes.Namesake(f"notes_lib.clustering.{chapter}.{name}", f"sklearn.{name}", ours, theirs)


@pytest.fixture
def new_page(new_book, monkeypatch):
    """Build a page about four pairs of names; a later one of ``ours`` stands for another state of the library."""

    def build(ours=Ours, documented=("gmm.Model", "kmeans.Agreeing", "kmeans.same", "kmeans.early")):
        known = [pair("gmm", "Model", ours, Theirs), pair("kmeans", "Agreeing", Theirs, Theirs)]
        known += [pair("kmeans", "same", same, same), pair("kmeans", "early", Ours, Theirs)]
        monkeypatch.setattr(namesakes, "namesakes", lambda: known)
        book = new_book(EXTENSIONS, ["page", "api"])
        book.write("static/peer_names.css", "")
        book.write("page.md", "# P\n\n```{peer-count}\n```\n\n```{peer-names} clustering\n```\n")
        entries = "\n".join(f".. py:class:: notes_lib.clustering.{name}\n" for name in documented)
        book.write("api.md", f"# A\n\n```{{eval-rst}}\n{entries}\n```\n")
        return book.build()

    return build


@pytest.fixture
def page(new_page):
    def build(*args):
        book = new_page(*args)
        assert not book.warnings
        return book.soup("page")

    return build


def rows(fold, text_of):
    return {text_of(term): text_of(term.find_next_sibling("dd")) for term in fold.select("dt")}


def test_a_fold_says_what_is_there_and_what_is_not(page, text_of):
    fold = page().select("details.peer-fold")[-1]
    assert text_of(fold.summary) == "Model 2 of 3 parameters, 1 of 2 attributes, 1 of 1 methods"
    assert text_of(fold.p) == "notes_lib.clustering.gmm.Model and sklearn.Model"
    assert rows(fold, text_of) == {
        "Parameters, the same": "a",
        "Parameters, not offered": "c",
        "Parameters, only here": "mine",
        "Parameters, different": "b : 2 here, 1 there",
        "Attributes, the same": "coef_",
        "Attributes, not offered": "n_iter_",
        "Methods, the same": "fit",
    }


def test_a_parameter_that_is_added_changes_the_page(page, text_of):
    fold = page(Later).select("details.peer-fold")[-1]
    assert text_of(fold.summary).startswith("Model 3 of 3 parameters")
    assert rows(fold, text_of)["Parameters, the same"] == "a , c"
    assert "Parameters, not offered" not in rows(fold, text_of)


def test_names_that_agree_stand_in_a_line_and_chapters_in_the_order_of_the_book(page, text_of):
    soup = page()
    assert text_of(soup.select_one("p.peer-same")) == "The same in everything: Agreeing , same"
    assert [text_of(fold.code) for fold in soup.select("details.peer-fold")] == ["early", "Model"]


def test_the_counts(page, text_of):
    lines = [text_of(line) for line in page().select("ul.peer-count li")]
    assert re.fullmatch(r"Of the \d{3,} public classes and functions of scikit-learn [\d.]+, 4 are here\.", lines[0])
    assert re.fullmatch(r"Of the \d+ public classes and functions of hmmlearn [\d.]+, 0 are here\.", lines[1])
    assert (
        lines[2] == "Of the 10 parameters that these have there, 8 (80%) are offered here, 2 of them with a difference."
    )
    assert lines[3] == "Of the 6 attributes that these have there, 4 (67%) are offered here."
    assert lines[4] == "Of the 3 methods that these have there, 3 (100%) are offered here."
    assert lines[5] == "2 names agree in everything."


def test_another_thing_under_the_same_name(page, text_of, monkeypatch):
    monkeypatch.setattr(namesakes, "ANOTHER_THING", {"notes_lib.clustering.gmm.odd": "ours is odd"})
    assert text_of(page().select("p.peer-same")[-1]) == (
        "The same word for another thing: notes_lib.clustering.gmm.odd : ours is odd."
    )


def test_quotation_marks_are_those_of_code(page, text_of, monkeypatch):
    class Different(Ours):
        __doc__ = Ours.__doc__

        def __init__(self, a, b=1, *, c="y"):
            pass

    fold = page(Different).select("details.peer-fold")[-1]
    assert rows(fold, text_of)["Parameters, different"] == "c : 'y' here, 'x' there"


def test_a_part_without_namesakes_is_a_warning(new_book):
    book = new_book(EXTENSIONS, ["page"])
    book.write("static/peer_names.css", "")
    book.write("page.md", "# P\n\n```{peer-names} nonsense\n```\n")
    assert "page.md:3: WARNING: no public name of 'nonsense' stands in a peer" in book.build().warnings


def test_a_name_leads_to_the_reference(new_page):
    book = new_page()
    assert book.soup("page").select_one("p.peer-same a")["href"] == "api.html#notes_lib.clustering.kmeans.Agreeing"
    assert "target not found: notes_lib.clustering.gmm.Model" in new_page(documented=["kmeans.early"]).warnings


def test_the_page_belongs_to_the_files_of_the_library(new_page):
    env = new_page().app.env
    files = {Path(env.srcdir, name).resolve() for name in env.dependencies["page"]}
    assert {ROOT / "notes_lib/kernels/svm/model.py", ROOT / "notes_lib/__init__.py"} <= files


def test_the_page_shows_every_part_that_has_namesakes():
    parts = {found.part for found in namesakes.namesakes()} | {name.split(".")[1] for name in namesakes.ANOTHER_THING}
    shown = re.findall(r"^```\{peer-names\} (\w+)$", PAGE, re.M)
    assert sorted(shown) == sorted(parts)
    assert "{peer-count}" in PAGE


@pytest.mark.parametrize("name", ["README.md", "chapters/intro.md", "chapters/appendix/api.md"])
def test_what_is_said_elsewhere_is_a_subset_and_leads_here(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.search(r"a\s+subset", text)
    assert "sklearn.md" in text or re.search(r"\{doc\}`(?:appendix/)?sklearn`", text)
