"""The front page: doors, the gallery of the chapters, and the copy that is the site's index."""

import base64
import doctest
import io

import front_page
import pytest
from PIL import Image

EXTENSIONS = ("katex_math", "chapter_role", "quiz", "front_page", "today")
FRONT = """# Book

::::{front-doors}
:::{front-door} Read
Begin here.

{doc}`The first <clustering/kmeans>`
:::
:::{front-door} Run
Get it.

{ref}`Run <run>`
:::
::::

## Chapters

:::{chapter-gallery}
:::

(run)=
## Run it

```{toctree}
clustering/kmeans
clustering/gmm
sequences/hmm
other
```
"""
QUIZ = """# k-means

**How many $K$?**

:::{true-false} It stops.
:label: kmeans-tf
:answer: true
Finitely many.
:::

:::{true-false} It grows.
:label: kmeans-tf-2
:answer: false
Never.
:::
"""
DRILLS = {"kmeans": ["k-means", "k-medoids"]}


def picture(colour, width=800):
    file = io.BytesIO()
    Image.new("RGB", (width, 400), colour).save(file, "PNG")
    return {"image/png": base64.b64encode(file.getvalue()).decode(), "text/plain": "<Figure>"}


@pytest.fixture
def book(new_book, notebook_code, monkeypatch):
    monkeypatch.setattr("front_page.topics_of", lambda chapter: DRILLS.get(chapter.stem, []))
    book = new_book(EXTENSIONS, root_doc="chapters/intro")
    (book.root / "intro.md").unlink()
    book.write("chapters/intro.md", FRONT)
    book.write("chapters/other.md", "# No chapter\n")
    cell = notebook_code("draw()", picture("navy"))
    cell["metadata"] = {"mystnb": {"image": {"alt": "Navy"}}}
    book.notebook("chapters/clustering/kmeans.ipynb", QUIZ, cell, minutes=75)
    book.notebook("chapters/clustering/gmm.ipynb", "# GMM\n\nNo question.\n")
    book.write("chapters/sequences/hmm.md", "# HMM\n\n**What was hidden?**\n")
    return book


def test_doors_have_a_heading_a_sentence_and_a_button(book, text_of):
    doors = book.build().soup("chapters/intro").select(".front-doors > .front-door")
    assert book.warnings == ""
    assert [[text_of(part) for part in door.find_all(recursive=False)] for door in doors] == [
        ["Read", "Begin here.", "The first"],
        ["Run", "Get it.", "Run"],
    ]
    assert [door.select_one("h2.front-door-title + p + p.front-door-link > a")["href"] for door in doors] == [
        "clustering/kmeans.html",
        "#run",
    ]


def test_the_gallery_shows_the_written_chapters_by_part(book, text_of):
    soup = book.build().soup("chapters/intro")
    parts = {text_of(heading): heading.find_next_sibling("ul") for heading in soup.select("h3.front-part")}
    cards = {name: part.select("li.front-chapter") for name, part in parts.items()}
    assert {name: [text_of(card.select_one("a")) for card in found] for name, found in cards.items()} == {
        "Clustering": ["k-means", "Gaussian mixtures"],
        "Sequences": ["Hidden <Markov> models"],
    }
    assert [card.a["href"] for card in soup.select(".front-chapter")] == [
        "clustering/kmeans.html",
        "clustering/gmm.html",
        "sequences/hmm.html",
    ]


def test_a_card_has_question_minutes_and_what_the_script_asks_for(book, text_of):
    kmeans, gmm, hmm = book.build().soup("chapters/intro").select(".front-chapter")
    assert str(kmeans.select_one(".front-question").string) == "How many K?"  # no formula, whose fonts would be loaded
    assert kmeans.select_one(".front-question strong") is None
    assert text_of(kmeans.select_one(".front-facts")) == "75 minutes"
    assert (kmeans["data-drills"], kmeans["data-quiz"]) == ("k-means k-medoids", "kmeans-tf kmeans-tf-2")
    assert gmm.select_one(".front-question") is None
    assert text_of(gmm.select_one(".front-facts")) == ""
    assert text_of(hmm.select_one(".front-question")) == "What was hidden?"


def test_the_picture_is_a_small_file_that_loads_late_and_shifts_nothing(book):
    cards = book.build().soup("chapters/intro").select(".front-chapter")
    image = cards[0].select_one("a img")
    assert (image["loading"], image["alt"]) == ("lazy", "")
    file = book.root / "out/html/chapters" / image["src"]
    with Image.open(file) as opened:
        assert opened.format == "WEBP"
        assert [str(length) for length in opened.size] == [image["width"], image["height"]]
    assert [card.select_one("img") is None for card in cards] == [False, True, True]
    assert [card.select_one(".front-picture") is None for card in cards] == [False] * 3


def test_the_page_of_what_is_due_is_named_where_there_is_one(book):
    assert not book.build().soup("chapters/intro").select("[data-today]")
    book.write("chapters/today.md", "# Today\n\n:::{today}\n:::\n")
    book.write("chapters/intro.md", FRONT.replace("\nother\n", "\nother\ntoday\n"))
    book.build()
    assert book.soup("chapters/intro").select_one(".front-gallery")["data-today"] == "today.html"
    assert book.soup("index").select_one(".front-gallery")["data-today"] == "chapters/today.html"


def test_script_and_style_sheet_are_loaded_there_alone(book):
    book.build()
    for name in ("progress.js", "front.js", "front.css"):
        assert name in book.page("chapters/intro")
        assert name not in book.page("chapters/other")


def test_what_the_page_does_not_need_is_not_loaded_there(book):
    book.build()
    assert "katex.min.css" in book.page("chapters/other")
    assert "katex.min.css" not in book.page("chapters/intro")
    book.write("chapters/intro.md", FRONT.replace("Begin here.", "Begin with $x$."))
    assert "katex.min.css" in book.build().page("chapters/intro")


def test_other_formats_have_the_titles(book):
    text = book.build("text").page("chapters/intro", "text")
    assert "How many K?" in text
    assert "Gaussian mixtures" in text


def test_the_index_is_the_front_page(book):
    book.build()
    front, index = book.soup("chapters/intro"), book.soup("index")
    assert index.select_one("h1").get_text() == front.select_one("h1").get_text()
    assert index.select_one(".front-chapter a")["href"] == "chapters/clustering/kmeans.html"
    assert index.select_one(".front-door-link a[href='#run']") is not None
    assert index.html["data-content_root"] == "./"
    folder = book.root / "out/html"
    for name in ("href", "src"):
        files = [each[name].partition("#")[0].partition("?")[0] for each in index.select(f"[{name}]")]
        files = [file for file in files if file and not file.startswith("https:")]
        missing = [file for file in files if not (folder / file).exists()]
        assert set(missing) <= {
            "_static/progress.js",
            "_static/front.js",
            "_static/front.css",
        }  # not of this small book


def test_the_index_follows_the_front_page_and_stays_when_nothing_changes(book):
    index = book.build().root / "out/html/index.html"
    before = index.stat().st_mtime_ns
    book.build()
    assert index.stat().st_mtime_ns == before
    book.write("chapters/intro.md", FRONT.replace("# Book", "# The book"))
    book.build()
    assert book.soup("index").select_one("h1").get_text().startswith("The book")


def test_no_index_without_a_gallery_on_the_first_page(book):
    book.write("chapters/intro.md", FRONT.replace(":::{chapter-gallery}\n:::\n", ""))
    book.write("chapters/other.md", "# Other\n\n:::{chapter-gallery}\n:::\n")
    book.build()
    assert not (book.root / "out/html/index.html").exists()


@pytest.fixture
def apart(book):
    """A gallery on a page that lists no others, which Sphinx would write anew by itself."""
    book.write("chapters/other.md", "# Other\n\n:::{chapter-gallery}\n:::\n")
    return book.build()


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [("How many", "Which", "Which"), ("kmeans-tf-2", "kmeans-tf-3", "kmeans-tf-3"), ("75", "80", "80 minutes")],
)
def test_the_gallery_follows_the_chapters(apart, old, new, seen):
    minutes = int(new) if old == "75" else 75
    apart.notebook("chapters/clustering/kmeans.ipynb", QUIZ.replace(old, new), minutes=minutes)
    assert seen in apart.build().page("chapters/other")


def test_the_gallery_follows_the_picture(apart, notebook_code):
    before = apart.soup("chapters/other").select_one(".front-chapter img")["src"]
    apart.notebook("chapters/clustering/kmeans.ipynb", QUIZ, notebook_code("draw()", picture("red")), minutes=75)
    assert apart.build().soup("chapters/other").select_one(".front-chapter img")["src"] != before


@pytest.mark.parametrize(
    "body",
    [
        "Only a sentence.",
        "A sentence.\n\nNo link.",
        "A sentence.\n\nNo {ref}`link <run>` alone.",
        "{ref}`Run <run>`",
        "",
    ],
)
def test_a_door_without_its_parts_is_a_warning(book, body):
    book.write("chapters/intro.md", FRONT.replace("Get it.\n\n{ref}`Run <run>`", body))
    assert "a door has a sentence, and a last paragraph that is one link" in book.build().warnings


@pytest.mark.parametrize(
    ("page", "copy"),
    [
        ('<img src="../_images/a.webp" alt="">', '<img src="_images/a.webp" alt="">'),
        ('<html data-content_root="../">', '<html data-content_root="./">'),
        ('<form action="../search.html">', '<form action="search.html">'),
        ('<a href="b.html?x=1#y">', '<a href="chapters/b.html?x=1#y">'),
        ('<a href="#"><a href="">', '<a href="#"><a href="">'),
        ('<a href="https://a.org/b"><img src="data:image/png;base64,A/B">',) * 2,
        ('<a href="mailto:a@b.c"><a href="/root">',) * 2,
    ],
)
def test_addresses_of_the_copy(page, copy):
    assert front_page.moved(page, "chapters") == copy


def test_examples():
    assert doctest.testmod(front_page).failed == 0
