"""The page of the plan in a small book: what its script reads, and what stands there without one."""

import json
from pathlib import Path

import pytest
import yaml
from exam_plan import SCRIPTS, asked

from notes_lib import drills

ROOT = Path(__file__).resolve().parents[2]
KMEANS = """# k-means

$$
J
$$ (kmeans-j)

:::{must-know} Objective
:label: kmeans-must-know-j
The formula.
:::

```{exercise} Eight </points>, 8 marks, 11 minutes, first
:label: kmeans-ex-eight
Assign them.
```

```{solution} kmeans-ex-eight
:label: kmeans-solution
So.
```

```{exercise} Nine points, 8 marks, 12 minutes, then
:label: kmeans-ex-nine
Assign them.
```
"""
LINES = "# Lines\n\n## Objective\n\n:::{derivation}\n1. `kmeans-j` State it.\n2. `kmeans-j` Again.\n:::\n"
TASKS = """
- {task: One, seen: 7, chapters: [kmeans, gmm]}
- {task: Two, seen: 4, chapters: [kmeans]}
- {task: Three, chapters: [gmm]}
"""
PLAN = "# Plan\n\n:::{exam-plan} tasks.yml\nWithout *script*.\n:::\n"
PAGES = ("chapters/clustering/kmeans", "chapters/clustering/gmm", "r/plan", "r/lines", "r/kmeans", "r/gmm", "r/trainer")


@pytest.fixture
def book(new_book, monkeypatch):
    monkeypatch.setattr("trainer.write_drills", lambda app, exception: None)
    for user in ("chapter_hub", "hub_overview", "trainer"):
        monkeypatch.setattr(f"{user}.topics_of", lambda chapter: ["k-means"] if chapter.stem == "kmeans" else [])
    book = new_book(("katex_math", "sphinx_exercise", "equation_links", "chapter_role", "exam_plan"), PAGES)
    book.notebook("chapters/clustering/kmeans.ipynb", KMEANS, prerequisites=[], minutes=45)
    book.notebook("chapters/clustering/gmm.ipynb", "# GMM\n", prerequisites=["kmeans"], minutes=30)
    book.write("r/lines.md", LINES)
    book.write("r/tasks.yml", TASKS)
    book.write("r/plan.md", PLAN)
    book.write("r/trainer.md", "# Trainer\n\n:::{trainer} k-means\n:::\n")
    for stem in ("kmeans", "gmm"):
        book.write(f"r/{stem}.md", f"# Hub\n\n:::{{chapter-hub}} {stem}\n:::\n")
    return book


def data(book):
    return json.loads(book.build().soup("r/plan").select_one("script.plan-data").string)


def test_what_the_script_reads(book):
    found = data(book)
    assert book.warnings == ""
    assert found["trainer"] == "trainer.html"
    kmeans, gmm = found["chapters"]
    assert kmeans == {
        "stem": "kmeans",
        "title": "k-means",
        "part": "Clustering",
        "page": "../chapters/clustering/kmeans.html",
        "hub": "kmeans.html",
        "needs": [],
        "asked": 11,
        "read": 45,
        "cards": ["kmeans-must-know-j"],
        "mistakes": [],
        "quiz": [],
        "minutes": [2, 0, 0],
        "drills": [["k-means", drills.title("k-means"), drills.minutes("k-means")]],
        "exercises": [["kmeans-ex-eight", 11, "Eight </points>"]],
        "derivations": [["Objective", 4, "lines.html#objective"]],
    }
    assert (gmm["needs"], gmm["asked"], gmm["read"]) == (["kmeans"], 8, 30)


def test_the_text_stays_without_script(book, text_of):
    (place,) = book.build().soup("r/plan").select(".exam-plan")
    assert text_of(place) == "Without script ."


def test_scripts_are_loaded_there_alone_and_the_calendar_is_not(book):
    page = book.build().page("r/plan")
    for name in (*(f"{script}.js" for script in SCRIPTS), "plan.css"):
        assert name in page
    assert "ical-generator" not in page
    assert "planner.js" not in book.page("r/lines")


@pytest.mark.parametrize(("old", "new"), [("11 minutes, first", "9 minutes, first"), ("Eight", "Seven")])
def test_the_plan_follows_the_chapters(book, old, new):
    before = data(book)["chapters"][0]
    book.notebook("chapters/clustering/kmeans.ipynb", KMEANS.replace(old, new), prerequisites=[], minutes=45)
    assert data(book)["chapters"][0] != before


def test_the_plan_follows_the_list_of_tasks(book):
    data(book)
    book.write("r/tasks.yml", TASKS.replace("seen: 4", "seen: 5"))
    assert data(book)["chapters"][0]["asked"] == 12


def test_the_list_of_the_book_counts_every_chapter_and_falls():
    path = ROOT / "chapters/revision/task_types.yml"
    counts = [entry["seen"] for entry in yaml.safe_load(path.read_text(encoding="utf-8")) if "seen" in entry]
    assert counts == sorted(counts, reverse=True)
    planned = yaml.safe_load((ROOT / "chapters/outline.yml").read_text(encoding="utf-8"))
    assert set(asked(path)) == {each["stem"] for part in planned for each in part["chapters"]}
