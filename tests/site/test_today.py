"""The page Today in a small book: labels and cards as scripts, and what is there without JavaScript."""

import json

import pytest
from shared_markup import expand
from today import SCRIPTS

PAGES = ("chapters/clustering/gmm", "chapters/clustering/kmeans", "chapters/revision/today")
GMM = """# Gaussian mixtures

:::{must-know} Density $p$
:label: gmm-must-know-density
A sum, see [below](#below).
:::

:::{must-know} Bound
:label: gmm-must-know-bound
:recognise:
$a \\le b$
:::

:::{convention} Names
:label: gmm-convention-names
None.
:::

(below)=
## Quiz

:::{quiz} Which?
:label: gmm-quiz-1
- [x] this

  Yes.
- [ ] that

  No.
:::

:::{true-false} It falls.
:label: gmm-tf-1
:answer: false
Never.
:::
"""


@pytest.fixture
def book(new_book):
    book = new_book(("chapter_role", "exam_cards", "quiz", "trainer", "today"), PAGES)
    book.write("chapters/clustering/gmm.md", GMM)
    book.write("chapters/clustering/kmeans.md", "# k-means\n\nNothing.\n")
    book.write("chapters/revision/today.md", "# Today\n\n:::{today}\nOnly with a script.\n:::\n")
    return book


def received(book, name):
    text = (book.root / f"out/html/_static/drills/{name}.js").read_text(encoding="utf-8")
    given, _, value = text.removeprefix("Trainer.receive(").partition(",")
    assert json.loads(given) == name
    return json.loads(value.removesuffix(");\n"))


def test_labels_by_chapter(book):
    assert book.build().warnings == ""
    gmm = received(book, "today")["gmm"]
    assert gmm["cards"] == ["gmm-must-know-density", "gmm-must-know-bound"]
    assert gmm["questions"] == [["gmm-quiz-1", 0], ["gmm-tf-1", 1]]


def test_the_questions_stand_where_the_script_of_the_chapter_has_them(book):
    book.build()
    kinds = [kind == "true-false" for kind, *_ in received(book, "questions-gmm")["items"]]
    assert kinds == [bool(judged) for _, judged in received(book, "today")["gmm"]["questions"]]


def test_cards_are_markup_with_their_formulas(book):
    data = received(book.build(), "cards-gmm")
    first, second = data["cards"]
    assert first[:2] == ["gmm-must-know-density", 0]
    assert second[:2] == ["gmm-must-know-bound", 1]
    title, body = (expand(text, data["table"]) for text in first[2:])
    assert "Density" in title
    assert 'class="katex"' in title
    assert "Must know" not in title
    assert 'href="#below"' in body
    assert "id=" not in title + body


def test_what_is_asked_of_a_chapter_changes_its_version(book):
    before = received(book.build(), "today")
    book.write("chapters/clustering/gmm.md", GMM.replace("A sum", "The sum"))
    after = received(book.build(), "today")
    assert before["gmm"].pop("version") != after["gmm"].pop("version")
    assert before == after


def test_the_page_loads_its_scripts_and_no_other_page_does(book):
    def scripts(page):
        return [script["src"].partition("?")[0] for script in book.soup(page).select("script[src]")]

    book.build()
    own = [f"{name}.js" for name in SCRIPTS]
    names = [name.rpartition("_static/")[2] for name in scripts(PAGES[2])]
    assert [name for name in names if name in own] == own
    assert not any("today/" in name or "fsrs" in name for name in scripts(PAGES[0]))
    assert "Only with a script." in book.soup(PAGES[2]).select_one(".today").get_text()


def test_a_page_without_a_script_has_no_index(new_book):
    book = new_book(("chapter_role", "exam_cards", "quiz", "trainer", "today"), PAGES[:1])
    book.write("chapters/clustering/gmm.md", GMM)
    book.build()
    assert not (book.root / "out/html/_static/drills/today.js").exists()
