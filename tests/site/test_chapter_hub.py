"""One page for the revision of a chapter."""

import pytest

KMEANS = r"""# k-means

$$
J
$$ (kmeans-j)

:::{must-know} Objective $J$
:label: kmeans-must-know-j
See {eq}`kmeans-j` and [there](#there): the formula.
:::

:::{lost-marks} It grows
:label: kmeans-lost-marks-j
It cannot.
:::

CELL

```{exercise} Eight points, 8 marks
:label: kmeans-ex-eight
Assign them.
```

```{solution} kmeans-ex-eight
:label: kmeans-solution
So.
```

:::{true-false} It stops.
:label: kmeans-tf-1
:answer: true
Finitely many.
:::

(there)=
## There
"""
GMM = """# GMM

$$
p
$$ (gmm-p)

:::{must-know} Density
:label: gmm-must-know-p
It is.
:::
"""
LINES = """# Lines

## Objective

:::{derivation}
1. `kmeans-j` State it.
:::

## Other

:::{derivation}
1. `gmm-p` State.
:::

## Both

:::{derivation}
1. `gmm-p` State.
2. `kmeans-j` Compare.
:::
"""
DRILLS = ["k-means", "k-means-plus-plus"]


@pytest.fixture
def book(new_book, notebook_code, monkeypatch):
    monkeypatch.setattr("chapter_hub.topics_of", lambda chapter: DRILLS if chapter.stem == "kmeans" else [])
    extensions = ("katex_math", "sphinx_exercise", "equation_links", "quiz", "chapter_hub")
    book = new_book(extensions, ("chapters/clustering/kmeans", "chapters/clustering/gmm", "lines", "hub", "hub4"))
    first, last = KMEANS.split("CELL")
    book.notebook("chapters/clustering/kmeans.ipynb", first, notebook_code("1", "the number\n"), last)
    book.write("chapters/clustering/gmm.md", GMM)
    book.write("hub4.md", "# Hub of another\n\n:::{chapter-hub} gmm\n:::\n")
    book.write("lines.md", LINES)
    book.write("hub.md", "# Hub\n\n:::{chapter-hub} kmeans\n:::\n")
    return book


def test_every_part_of_a_hub(book, text_of):
    soup = book.build().soup("hub")
    assert book.warnings == ""
    parts = {heading.get_text(): heading.parent for heading in soup.select(".chapter-hub-part")}
    assert list(parts) == ["Formulas", "Derivations", "Exercises", "Drills", "Mistakes", "True or false"]
    for link in soup.select('nav[aria-label="In this list"] a'):
        assert soup.find(id=link["href"][1:]).get_text() == link.get_text()
    links = {name: [(a.get_text(), a["href"]) for a in part.select("li a")] for name, part in parts.items()}
    # one line of the chapter is enough
    assert links["Derivations"] == [("Objective", "lines.html#objective"), ("Both", "lines.html#both")]
    assert links["Exercises"] == [("Eight points, 8 marks", "chapters/clustering/kmeans.html#kmeans-ex-eight")]
    commands = parts["Drills"].pre.get_text().split("\n")
    assert commands[:2] == [f"python -m notes_lib.drills {topic} --seed 1" for topic in DRILLS]
    assert parts["True or false"].find(id="kmeans-tf-1")


def test_a_card_hides_all_but_its_title(book, text_of):
    (card,) = book.build().soup("hub").select("details.must-know")
    assert not card.has_attr("open")
    assert "Objective" in text_of(card.summary)
    assert "the formula" not in text_of(card.summary)
    assert "the formula" in text_of(card)
    assert [link["href"] for link in card.select("a")] == [
        "chapters/clustering/kmeans.html#equation-kmeans-j",
        "chapters/clustering/kmeans.html#there",
        "chapters/clustering/kmeans.html#kmeans-must-know-j",
    ]
    (mistake,) = book.soup("hub").select("details.lost-marks")
    assert text_of(mistake.summary) == "It grows"
    assert "the number" in text_of(mistake)


def test_what_can_be_marked_carries_its_label_and_the_script_is_there(book):
    soup = book.build().soup("hub")
    marks = {each["data-mark"]: each.name for each in soup.select("[data-mark]")}
    assert marks == {"kmeans-must-know-j": "details", "kmeans-lost-marks-j": "details", "kmeans-ex-eight": "span"}
    for name in ("progress.js", "memory.js", "hub_marks.js", "hub.css"):
        assert name in book.page("hub")
        assert name not in book.page("lines")


@pytest.mark.parametrize(
    ("old", "new"),
    [("Objective $J$", "Aim"), ("Eight points", "Nine points"), ("It stops", "It ends"), ("the formula", "the form")],
)
def test_the_hub_follows_the_chapter(book, notebook_code, old, new):
    book.build()
    first, last = KMEANS.replace(old, new).split("CELL")
    book.notebook("chapters/clustering/kmeans.ipynb", first, notebook_code("1", "the number\n"), last)
    assert new in book.build().page("hub")


def test_warnings(book):
    book.write("hub4.md", "# No hub\n")
    book.write("hub2.md", "# Two\n\n:::{chapter-hub} nothing\n:::\n")
    book.write("hub3.md", "# Three\n\n:::{chapter-hub} hmm\n:::\n")
    book.build()
    assert "no page is the hub of the chapter 'gmm'" in book.warnings
    assert "a hub of 'nothing', which is no chapter of the outline" in book.warnings
    assert "the chapter 'hmm' is not written" in book.warnings


def sets_in(value):
    """Whether a value has a set in it, whose order is another one in each process."""
    inside = [*value.items()] if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
    return isinstance(value, set | frozenset) or any(map(sets_in, inside))


def test_what_builds_are_compared_by_has_an_order(book, monkeypatch):
    compared = {}
    monkeypatch.setattr("page_store.changed", lambda env, topic, value: compared.setdefault(topic, value) is value)
    book.build()
    assert len(compared) > 3
    assert [topic for topic, value in compared.items() if sets_in(value)] == []
