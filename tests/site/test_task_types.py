"""The index of tasks, and that what it names is there."""

from pathlib import Path

import pytest
import yaml

from notes_lib import drills

ROOT = Path(__file__).resolve().parents[2]
TASKS = yaml.safe_load((ROOT / "chapters/revision/task_types.yml").read_text(encoding="utf-8"))
KMEANS = """# k-means

```{exercise} Eight points, 8 marks
:label: kmeans-ex-eight
Assign them.
```

:::{true-false} It stops.
:label: kmeans-tf-1
:answer: true
Finitely many.
:::
"""
ENTRIES = """
- {task: "Reasons", chapters: [], statements: all}
- {task: "By hand", chapters: [kmeans, gmm, hmm], exercises: [kmeans-ex-eight], drills: [k-means]}
"""


@pytest.fixture
def book(new_book):
    book = new_book(
        ("katex_math", "sphinx_exercise", "task_types"),
        ("chapters/clustering/kmeans", "chapters/sequences/hmm", "chapters/all", "tasks"),
    )
    book.write("chapters/clustering/kmeans.md", KMEANS)
    book.write("chapters/sequences/hmm.md", "# HMM\n\nA chapter without statements.\n")
    book.write("chapters/all.md", "# All\n\n:::{statement-list}\n:::\n")
    book.write("tasks.md", "# Tasks\n\n:::{task-types} tasks.yml\n:::\n")
    book.write("tasks.yml", ENTRIES)
    return book


def test_a_task_and_what_there_is_for_it(book, text_of):
    book.build()
    assert book.warnings == ""
    items = [
        [text_of(line) for line in item.select("p")] for item in book.soup("tasks").select(".task-types > ol > li")
    ]
    assert items == [
        ["Reasons", "Statements all 1"],
        [
            "By hand",
            "Chapters k-means · Gaussian mixtures · Hidden <Markov> models",
            "Exercises Eight points, 8 marks",
            "Drills Iterations of k-means",
            "Statements 1 of k-means",
        ],
    ]
    links = [link["href"] for link in book.soup("tasks").select(".task-types a")]
    assert links == [
        "chapters/all.html",
        "chapters/clustering/kmeans.html",
        "chapters/sequences/hmm.html",
        "chapters/clustering/kmeans.html#kmeans-ex-eight",
        "chapters/all.html#statements-kmeans",
    ]
    assert book.soup("tasks").select_one(".chapter-planned").get_text() == "Gaussian mixtures"


@pytest.mark.parametrize(
    ("entries", "warning"),
    [
        ("- {task: a}", "needs task and chapters"),
        ("- {task: a, chapters: [], more: 1}", "needs task and chapters"),
        ("task: a", "needs task and chapters"),
        ("- {task: a", "tasks.yml cannot be read"),
        ("- {task: a, chapters: [nowhere]}", "'nowhere' is neither a chapter"),
        ("- {task: a, chapters: [], drills: [k-meens]}", "did you mean k-means"),
        ("- {task: a, chapters: [], exercises: [none]}", "no chapter has the exercise 'none'"),
    ],
)
def test_warnings(book, entries, warning):
    book.write("tasks.yml", entries)
    assert warning in book.build().warnings


def test_the_page_follows_the_file_and_the_chapters(book):
    book.build()
    book.write("tasks.yml", ENTRIES.replace("By hand", "With a pencil"))
    assert "With a pencil" in book.build().page("tasks")
    book.write("chapters/clustering/kmeans.md", KMEANS.replace("Eight points", "Nine points"))
    assert "Nine points" in book.build().page("tasks")


def test_the_drills_are_there():
    named = {topic for entry in TASKS for topic in entry.get("drills", [])}
    assert named
    assert named <= set(drills.topics())


def test_every_task_once_and_every_drill_and_part_somewhere():
    tasks = [entry["task"] for entry in TASKS]
    assert len(set(tasks)) == len(tasks) >= 38
