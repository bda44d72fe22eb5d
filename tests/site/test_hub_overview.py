"""The overview of the hubs: what each chapter asks of a student, and the same for the script."""

import json

import pytest

from notes_lib import drills

KMEANS = """# k-means

:::{must-know} Objective $J$
:label: kmeans-must-know-j
The formula.
:::

:::{must-know} Steps
:label: kmeans-must-know-steps
Two.
:::

:::{lost-marks} It grows
:label: kmeans-lost-marks-j
It cannot.
:::

CELL

```{exercise} Eight </points>, 8 marks, 11 minutes, first
:label: kmeans-ex-eight
Assign them.
```

```{solution} kmeans-ex-eight
:label: kmeans-solution
So, 3 marks, 4 minutes, first
```

```{exercise} Nine points, 8 marks, 12 minutes, then
:label: kmeans-ex-nine
Assign them.
```

:::{true-false} It stops.
:label: kmeans-tf-1
:answer: true
Finitely many.
:::

ROUTE
"""
ROUTE = "**If you have two hours**, 9 minutes, then 31, 11 and 5: 56 minutes. The rest is yours."
GMM = "# GMM\n\n:::{true-false} It fits.\n:label: gmm-tf-1\n:answer: true\nIt does.\n:::\n"
TOPICS = {"kmeans": ["k-means", "viterbi"]}


@pytest.fixture
def book(new_book, notebook_code, monkeypatch):
    for user in ("chapter_hub", "hub_overview"):
        monkeypatch.setattr(f"{user}.topics_of", lambda chapter: TOPICS.get(chapter.stem, []))
    extensions = ("katex_math", "sphinx_exercise", "chapter_role", "hub_overview")
    pages = ("chapters/clustering/kmeans", "chapters/clustering/gmm", "r/hubs", "r/hub/kmeans", "r/hub/gmm")
    book = new_book(extensions, pages)
    book.cell = notebook_code("1", "the number\n")
    write_kmeans(book, KMEANS.replace("ROUTE", ROUTE))
    book.write("chapters/clustering/gmm.md", GMM)
    book.write("r/hubs.md", "# Hubs\n\n:::{hub-overview}\n:::\n")
    book.write("r/hub/kmeans.md", "# One\n\n:::{chapter-hub} kmeans\n:::\n")
    book.write("r/hub/gmm.md", "# Two\n\n:::{chapter-hub} gmm\n:::\n")
    return book


def write_kmeans(book, text):
    first, last = text.split("CELL")
    book.notebook("chapters/clustering/kmeans.ipynb", first, book.cell, last)


def data(book):
    return json.loads(book.soup("r/hubs").select_one("script.hub-data").string)


def test_totals_and_a_beginning_for_each_chapter(book, text_of):
    rows = book.build().soup("r/hubs").select("li.hub-chapter")
    assert book.warnings == ""
    minutes = 9 + drills.draw("k-means", 0).minutes + drills.draw("viterbi", 0).minutes + 11 + 5
    assert [[text_of(part) for part in row.select("p")] for row in rows] == [
        [
            "k-means",
            f"2 cards · 2 drills · 1 exercise · 1 question · 1 mistake · {minutes} min",
            "Begin with its 2 cards",
        ],
        ["Gaussian mixtures", "1 question · 1 min", "Begin with its 1 question"],
    ]
    assert [link["href"] for link in rows[0].select("a")] == ["hub/kmeans.html", "hub/kmeans.html#hub-formulas"]
    assert [link["href"] for link in rows[1].select("a")] == ["hub/gmm.html", "hub/gmm.html"]


def test_parts_are_headings(book):
    parts = book.build().soup("r/hubs").select(".hub-overview > .hub-part")
    assert [(part.h2.get_text(), len(part.select("ul > li"))) for part in parts] == [("Clustering", 2)]


def test_what_the_script_reads(book):
    found = data(book.build())
    assert found["trainer"] is None  # there is none in this book
    kmeans, gmm = found["chapters"]
    assert kmeans == {
        "title": "k-means",
        "hub": "hub/kmeans.html",
        "page": "../chapters/clustering/kmeans.html",
        "cards": ["kmeans-must-know-j", "kmeans-must-know-steps"],
        "mistakes": ["kmeans-lost-marks-j"],
        "drills": [[topic, drills.title(topic), drills.minutes(topic)] for topic in TOPICS["kmeans"]],
        "exercises": [["kmeans-ex-eight", 11]],
        "quiz": ["kmeans-tf-1"],
        "minutes": [9, 5, 0],
    }
    assert (gmm["quiz"], gmm["minutes"]) == (["gmm-tf-1"], [0, 1, 0])


def test_no_text_ends_the_script(book):
    plan = book.root / "chapters/outline.yml"
    plan.write_text(plan.read_text(encoding="utf-8").replace("k-means", "A </script> B"), encoding="utf-8")
    assert data(book.build())["chapters"][0]["title"] == "A </script> B"


def test_a_chapter_without_a_route_has_the_usual_minutes(book):
    write_kmeans(book, KMEANS.replace("ROUTE", ""))
    assert data(book.build())["chapters"][0]["minutes"] == [3, 1, 20]


def test_the_trainer_is_named_where_there_is_one(book):
    book.write("r/trainer.md", "# Trainer\n\n:::{trainer} k-means\n:::\n")
    book.toc(
        "chapters/clustering/kmeans", "chapters/clustering/gmm", "r/hubs", "r/hub/kmeans", "r/hub/gmm", "r/trainer"
    )
    assert data(book.build())["trainer"] == "trainer.html"


def test_script_and_style_sheet_are_loaded_there_alone(book):
    book.build()
    for name in ("progress.js", "hub_overview.js", "hub.css"):
        assert name in book.page("r/hubs")
    assert "hub_overview.js" not in book.page("r/hub/kmeans")


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("kmeans-must-know-steps", "kmeans-must-know-two", "cards"),
        ("11 minutes, first", "13 minutes, first", "exercises"),
        ("kmeans-tf-1", "kmeans-tf-2", "quiz"),
        ("9 minutes, then 31, 11 and 5: 56", "8 minutes, then 31, 11 and 5: 55", "minutes"),
    ],
)
def test_the_overview_follows_the_chapters(book, old, new, key):
    before = data(book.build())["chapters"][0][key]
    write_kmeans(book, KMEANS.replace("ROUTE", ROUTE).replace(old, new))
    assert data(book.build())["chapters"][0][key] != before


def test_other_formats_have_the_list(book):
    first, _, last = KMEANS.partition("```{exercise}")  # the writer of text knows no exercises
    write_kmeans(book, first + last[last.index(":::{true-false}") :])
    text = book.build("text").page("r/hubs", "text")
    assert "its 2 cards" in text
    assert "{" not in text
