"""The trainer in a small book: its scripts, the links *By hand*, and the page without JavaScript."""

import json

import pytest
import trainer
from docutils import utils
from quiz import quiz_item
from shared_markup import expand
from trainer import SCRIPTS

from notes_lib.drills import by_chapter, draw, title

GMM = """# Gaussian mixtures

(exam-corner)=
## Exam corner

### By hand

Calculate.

### Quiz

:::{quiz} Which $k$ is right?
:label: gmm-quiz-1
- [ ] wrong

  See the [corner](#exam-corner).
- [x] right

  Why.
:::

:::{true-false} The bound may fall.
:label: gmm-tf-1
:answer: false
It cannot.
:::
"""
CARDS = [
    "gmm-do-not-confuse-kmeans", "gmm-do-not-confuse-likelihoods", "gmm-convention-likelihood",
    "gmm-lost-marks-hard", "gmm-lost-marks-old-mean", "gmm-convention-divisor", "gmm-convention-bic",
]  # fmt: skip
GMM += "".join(f"\n:::{{admonition}} A card\n:name: {label}\nIt says more.\n:::\n" for label in CARDS)
TRAINER = """# Trainer

:::{trainer} gmm-responsibility
:seed: 3
:::
"""
TOPICS = ("gmm-responsibility", "gmm-em-step", "gmm-criteria")
PAGES = ("chapters/clustering/gmm", "chapters/revision/trainer")


@pytest.fixture(scope="module")
def book(shared_book):
    import drill_scripts

    patch = pytest.MonkeyPatch()
    patch.setattr(drill_scripts, "SEEDS", 2)
    patch.setattr(drill_scripts, "fingerprint", lambda topic, module: "0" * 24)
    book = shared_book(("chapter_role", "quiz", "trainer", "chapter_hub", "task_types"), (*PAGES, "hub", "tasks"))
    book.write("hub.md", "# Hub\n\n:::{chapter-hub} gmm\n:::\n")
    book.write("tasks.md", "# Tasks\n\n:::{task-types} tasks.yml\n:::\n")
    book.write("tasks.yml", "- {task: EM, chapters: [gmm], drills: [gmm-em-step]}\n")
    book.write("chapters/clustering/gmm.md", GMM)
    book.write("chapters/revision/trainer.md", TRAINER)
    yield book.build()
    patch.undo()


def received(book, name):
    """What a script hands over."""
    text = (book.root / "out/html/_static/drills" / f"{name}.js").read_text(encoding="utf-8")
    given, _, value = text.removeprefix("Trainer.receive(").partition(",")
    assert json.loads(given) == name
    return json.loads(value.removesuffix(");\n"))


def test_no_warnings(book):
    assert book.warnings == ""


def test_the_index_lists_topics_and_questions_of_written_chapters(book):
    index = received(book, "index")
    assert index["seeds"] == 2
    (chapter,) = index["chapters"]
    assert (chapter["title"], chapter["part"], chapter["questions"]) == ("Gaussian mixtures", "Clustering", 2)
    assert chapter["page"] == PAGES[0]
    topics = {topic["topic"]: topic for topic in chapter["topics"]}
    assert set(topics) == {"gmm-responsibility", "gmm-em-step", "gmm-criteria"}
    drill = draw("gmm-em-step", 0)
    assert [topics["gmm-em-step"][key] for key in ("marks", "minutes", "title")] == [12, 20, drill.title]
    assert all(topic["fill"] == bool(draw(slug, 0).fill_ins) for slug, topic in topics.items())


def test_topics_have_scripts(book):
    for topic in ("gmm-responsibility", "gmm-em-step"):
        assert len(received(book, topic)["exercises"]) == 2


def test_slips_link_to_their_cards(book):
    page = "chapters/clustering/gmm.html"
    cards = {label for topic in TOPICS for label in received(book, topic)["cards"]}
    assert cards == set(CARDS)
    assert received(book, "gmm-criteria")["cards"] == {"gmm-convention-bic": f"{page}#gmm-convention-bic"}
    assert 'id="gmm-convention-bic"' in (book.root / "out/html" / page).read_text(encoding="utf-8")


def test_a_card_that_no_page_has_is_a_warning(new_book):
    book = new_book(("chapter_role", "quiz", "trainer"), PAGES)
    book.write("chapters/clustering/gmm.md", GMM.replace(":name: gmm-convention-bic", ":name: gmm-convention-other"))
    book.write("chapters/revision/trainer.md", TRAINER)
    warned = "a slip of the drill gmm-criteria names the card gmm-convention-bic, which no page has"
    assert warned in book.build().warnings


def test_questions_are_quiz_items_with_their_kind(book):
    data = received(book, "questions-gmm")
    assert [(kind, options) for kind, options, _ in data["items"]] == [("choice", 2), ("true-false", 2)]
    first, second = (expand(markup, data["table"]) for *_, markup in data["items"])
    assert first.startswith('<div class="quiz quiz-choice"')
    assert 'class="katex"' in first
    assert 'href="#exam-corner"' in first
    assert "It cannot." in second


def test_a_part_of_the_page_alone_leaves_its_questions(book):
    before = received(book, "questions-gmm")
    card = utils.new_document("one card")
    card += next(book.app.env.get_doctree(PAGES[0]).findall(quiz_item)).deepcopy()
    trainer.write_questions(book.app, card, PAGES[0])
    assert received(book, "questions-gmm") == before


def test_by_hand_links_to_the_drills_of_the_chapter(book):
    links = book.soup(PAGES[0]).select(".trainer-links a")
    assert [link["href"].partition("#")[2] for link in links] == [
        f"topic={topic}" for topic in ("gmm-responsibility", "gmm-em-step", "gmm-criteria")
    ]
    assert links[0]["href"].startswith("../revision/trainer.html")
    assert links[0].find_parent("section").h3.get_text().startswith("By hand")


def test_an_exercise_stays_without_javascript(book, text_of):
    static = book.soup(PAGES[1]).select_one(".trainer .trainer-static")
    assert "Responsibilities in a Gaussian mixture, seed 3 (6 marks, 8 minutes)" in text_of(static)
    assert static.select_one("details > summary").get_text() == "Solution"
    assert static.select_one("details .katex")
    assert static.select_one("table")


def test_scripts_are_loaded_on_the_page_of_the_trainer_alone(book):
    def scripts(page):
        return [
            script["src"].partition("?")[0].rpartition("_static/")[2]
            for script in book.soup(page).select("script[src]")
        ]

    own = [f"{name}.js" for name in SCRIPTS]
    assert [name for name in scripts(PAGES[1]) if name in own] == own
    for_quizzes = {"progress.js", "memory.js"}
    assert not (set(own) - for_quizzes) & set(scripts(PAGES[0]))


PENCIL = """# Pencil and paper

## Squares

:::{drill-links} complete-square,  two-squares
:::
"""


PENCIL_CARDS = "".join(
    f":::{{do-not-confuse}} Two things\n:label: pencil-{name}\nThey differ.\n:::\n\n"
    for name in ("logs", "two-by-two", "bells", "squares", "multipliers", "gradients")
)


def test_a_page_of_the_revision_may_have_drills_of_its_own(new_book, monkeypatch):
    import drill_scripts

    monkeypatch.setattr(drill_scripts, "SEEDS", 1)
    book = new_book(("chapter_role", "quiz", "trainer", "exam_cards"), (*PAGES, "chapters/revision/pencil"))
    book.write("chapters/clustering/gmm.md", GMM)
    book.write("chapters/revision/trainer.md", TRAINER)
    book.write("chapters/revision/pencil.md", f"{PENCIL}\n{PENCIL_CARDS}")
    book.build()
    assert book.warnings == ""
    *_, page = received(book, "index")["chapters"]
    assert [page[key] for key in ("stem", "title", "part", "questions")] == [
        "pencil",
        "Pencil and paper",
        "Revision",
        0,
    ]
    assert page["page"] == "chapters/revision/pencil"
    assert [topic["topic"] for topic in page["topics"]] == by_chapter()["revision/pencil"]
    links = book.soup("chapters/revision/pencil").select(".trainer-links a")
    assert [link["href"] for link in links] == [
        f"trainer.html#topic={topic}" for topic in ("complete-square", "two-squares")
    ]
    assert "drills/revision/pencil.py" in str(book.app.env.dependencies["chapters/revision/pencil"])


def test_a_link_to_a_drill_that_is_not_there_is_a_warning(new_book):
    book = new_book(("chapter_role", "quiz", "trainer"), ("chapters/revision/trainer", "a"))
    book.write("chapters/revision/trainer.md", TRAINER)
    book.write("a.md", "# A\n\n:::{drill-links} complete-sqare\n:::\n")
    book.build()
    assert "did you mean complete-square" in book.warnings


def test_links_go_when_there_is_no_trainer(new_book):
    book = new_book(("chapter_role", "quiz", "trainer"), PAGES[:1])
    book.write("chapters/clustering/gmm.md", GMM)
    book.build()
    assert book.warnings == ""
    assert not book.soup(PAGES[0]).select(".trainer-links")
    assert not list((book.root / "out/html/_static/drills").glob("index.js"))


def test_an_unknown_topic_is_a_warning(new_book):
    book = new_book(("chapter_role", "quiz", "trainer"), PAGES[1:])
    book.write("chapters/revision/trainer.md", TRAINER.replace("gmm-responsibility", "gmm-responsability"))
    book.build()
    assert "did you mean gmm-responsibility" in book.warnings


BOX = """:::{admonition} Which $k$ is right?
:class: quiz
:name: gmm-quiz-1
- [ ] wrong

  Not so.
- [x] right

  Why.
:::
"""


@pytest.mark.parametrize("text", [BOX, BOX.replace("admonition}", "quiz}").replace(":class: quiz\n:name:", ":label:")])
def test_questions_that_a_terminal_would_not_ask_are_a_warning(new_book, text):
    book = new_book(("chapter_role", "lab_boxes", "quiz", "trainer"), PAGES)
    book.notebook("chapters/clustering/gmm.ipynb", "# Gaussian mixtures\n\n" + text)
    book.write("chapters/revision/trainer.md", TRAINER)
    warned = "the page and run.py paper read different questions" in book.build().warnings
    assert warned == ("{quiz}" in text)
    assert received(book, "questions-gmm")["items"][0][:2] == ["choice", 2]


@pytest.mark.parametrize(
    ("page", "topics"), [("hub", ["gmm-responsibility", "gmm-em-step", "gmm-criteria"]), ("tasks", ["gmm-em-step"])]
)
def test_pages_of_revision_link_to_the_trainer(book, page, topics):
    links = [(a.get_text(), a["href"]) for a in book.soup(page).select("main a, .body a") if "topic=" in a["href"]]
    assert links == [(title(topic), f"chapters/revision/trainer.html#topic={topic}") for topic in topics]


@pytest.mark.parametrize(
    ("page", "above"), [(PAGES[0], set()), ("hub", set()), ("tasks", set()), (PAGES[1], {"drills/tex.py"})]
)
def test_pages_with_drills_are_read_again_when_the_drills_change(book, page, above):
    known = {name.rpartition("notes_lib/")[2] for name in book.app.env.dependencies[page]}
    assert {"drills/clustering/gmm.py", *above} <= known
    assert "drills/kernels/svm.py" not in known
