"""What the search can find: sections, their names and their readable text."""

import pytest
from search_index import found_units
from search_units import CHAPTER, EXAM, REFERENCE, REVISION, named

CHAPTER_TEXT = r"""(kmeans)=
# k-means

Top words.

(kmeans-steps)=
## Both *steps*

The **centre** of mass is $\frac{a}{\sigma^2}$, see {ref}`kmeans-exam` and {eq}`kmeans-mean`.

$$
\mu_k = \lambda
$$ (kmeans-mean)

### Ties of $\lambda$

Words below.

(kmeans-exam)=
## Exam corner

(kmeans-must-know)=
### Must know

:::{must-know} The objective
:label: kmeans-must-know-objective
It falls.
:::

"""
GLOSSARY = """# Glossary

```{glossary}
centre of mass (COM)
  质心, 重心. Mean of a cluster. See {ref}`kmeans-steps`, {chapter}`gmm`.

mean (of numbers)
  均值. See {chapter}`kmeans`.
```
"""


@pytest.fixture(scope="module")
def book(shared_book, notebook_code):
    pages = ("chapters/clustering/kmeans", "chapters/revision/glossary", "chapters/appendix/api")
    book = shared_book(("exam_cards", "chapter_role", "search_index"), pages)
    for name in ("search.js", "search.css"):
        book.write(f"static/{name}", "")
    book.notebook("chapters/clustering/kmeans.ipynb", CHAPTER_TEXT, notebook_code("code_word = 1", "output_word\n"))
    book.write("chapters/revision/glossary.md", GLOSSARY)
    book.write("chapters/appendix/api.md", "# Reference\n\nWords.\n")
    return book.build()


@pytest.fixture(scope="module")
def units(book):
    return {unit.title: unit for _, unit in found_units(book.app.env)}


def test_no_warnings(book):
    assert book.warnings == ""


def test_every_section_is_a_unit_with_its_label_and_what_it_stands_in(units):
    assert [(unit.title, unit.anchor, unit.above) for unit in units.values()] == [
        ("Intro", "", ""),
        ("k-means", "", ""),
        ("Both steps", "kmeans-steps", ""),
        ("Ties of λ", "ties-of-lambda", "Both steps"),
        ("Exam corner", "kmeans-exam", ""),
        ("Must know", "kmeans-must-know", "Exam corner"),
        ("Glossary", "", ""),
        ("centre of mass (COM)", "term-centre-of-mass-COM", ""),
        ("mean (of numbers)", "term-mean-of-numbers", ""),
        ("Reference", "", ""),
    ]


def test_the_text_is_its_own_and_readable(units):
    assert units["k-means"].text == "Top words."
    assert units["Both steps"].text == "The centre of mass is a/σ², see and. μₖ = λ"
    assert units["Both steps"].words == "The centre of mass is σ, see and. μ λ"
    assert units["centre of mass (COM)"].text == "质心, 重心. Mean of a cluster."


def test_code_and_output_are_left_out(units):
    assert not any(word in unit.text for unit in units.values() for word in ("code_word", "output_word"))


def test_titles_of_boxes_and_stressed_words_are_headings(units):
    assert units["Both steps"].heads == "centre"
    assert units["Must know"].heads == "The objective"


def test_an_id_leads_to_its_own_section_alone(units):
    assert "equation-kmeans-mean" in units["Both steps"].ids
    assert "ties-of-lambda" not in units["Both steps"].ids
    assert "kmeans-must-know-objective" in units["Must know"].ids
    assert "kmeans-must-know-objective" not in units["Exam corner"].ids


def test_standing(units):
    expected = {
        "Both steps": CHAPTER,
        "Ties of λ": CHAPTER,
        "Exam corner": EXAM,
        "Must know": EXAM,
        "mean (of numbers)": REVISION,
        "Reference": REFERENCE,
    }
    assert {title: units[title].standing for title in expected} == expected


def test_the_glossary_names_sections(book):
    (entries,) = book.app.env.page_store["entries of the glossary"].values()
    assert entries == [
        ("centre of mass (COM) · 质心, 重心", (("ref", "kmeans-steps"), ("chapter", "gmm"))),
        ("mean (of numbers) · 均值", (("chapter", "kmeans"),)),
    ]


@pytest.mark.parametrize(
    ("formula", "names"), [("C", "C"), ("x", ""), ("αₙ = log det Σ", "α log det Σ"), ("C∑ₙξₙ", "ξ"), ("∇f", "∇")]
)
def test_what_a_formula_is_called(formula, names):
    assert named(formula) == names


def test_the_folded_notation_is_no_text_of_its_section(new_book):
    book = new_book(("chapter_role", "search_index"), ["chapters/clustering/kmeans"])
    book.config["extensions"].append("sphinx_design")
    fold = ":::{dropdown} Notation\n:name: kmeans-notation\nsecretword\n:::\n\n:::{dropdown} Proof\nopenword\n:::\n"
    book.write("chapters/clustering/kmeans.md", f"# k-means\n\n## Why\n\nText.\n\n{fold}")
    found = {unit.title: unit.words for _, unit in found_units(book.build().app.env)}
    assert "openword" in found["Why"]
    assert "secretword" not in found["Why"]
