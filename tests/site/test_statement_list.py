"""The page of all statements."""

import pytest

KMEANS = """# k-means

## Quiz

:::{true-false} The objective may grow. See [there](#there).
:label: kmeans-tf-1
:answer: false
Each step lowers it, {eq}`kmeans-j`.
:::

:::{quiz} Which?
:label: kmeans-quiz-1
- [x] one

  Why.
- [ ] two

  Why not.
:::

(there)=
## There

$$
J
$$ (kmeans-j)
"""
GMM = "# GMM\n\n:::{true-false} EM climbs.\n:label: gmm-tf-1\n:answer: true\nBy Jensen.\n:::\n"


@pytest.fixture(scope="module")
def book(shared_book):
    book = shared_book(
        ("katex_math", "statement_list"), ("chapters/clustering/kmeans", "chapters/clustering/gmm", "all")
    )
    book.write("static/revision.css", "")
    book.write("chapters/clustering/kmeans.md", KMEANS)
    book.write("chapters/clustering/gmm.md", GMM)
    book.write("all.md", "# All\n\n:::{statement-list}\n:::\n")
    return book.build()


def test_statements_by_chapter_without_the_questions(book):
    assert book.warnings == ""
    groups = book.soup("all").select(".statement-list-group")
    assert [(group.h2["id"], group.h2.get_text()) for group in groups] == [
        ("statements-kmeans", "k-means"),
        ("statements-gmm", "Gaussian mixtures"),
    ]
    assert [[item["id"] for item in group.select(".quiz")] for group in groups] == [["kmeans-tf-1"], ["gmm-tf-1"]]


def test_contents(book, text_of):
    nav = book.soup("all").select_one('nav[aria-label="In this list"]')
    assert [(text_of(item), item.a["href"]) for item in nav.select("li")] == [
        ("k-means (1)", "#statements-kmeans"),
        ("Gaussian mixtures (1)", "#statements-gmm"),
    ]


def test_a_copy_answers_as_the_statement_does(book):
    items = [book.soup(page).find(id="kmeans-tf-1") for page in ("all", "chapters/clustering/kmeans")]
    for item in items:
        group = item.select_one("[role=radiogroup]")
        assert item.find(id=group["aria-labelledby"])
        assert [button["id"] for button in group.select("input")] == ["kmeans-tf-1-true", "kmeans-tf-1-false"]
        assert "Each step lowers it" in group.select_one(".quiz-feedback").get_text()
    assert "quiz.js" in book.page("all")


def test_links_lead_where_they_did(book):
    item = book.soup("all").find(id="kmeans-tf-1")
    assert [link["href"] for link in item.select("a")] == [
        "chapters/clustering/kmeans.html#there",
        "chapters/clustering/kmeans.html#equation-kmeans-j",
        "chapters/clustering/kmeans.html#kmeans-tf-1",
    ]


def test_the_page_follows_the_chapters(book):
    book.write("chapters/clustering/gmm.md", GMM.replace("EM climbs", "EM never falls"))
    assert "EM never falls" in book.build().page("all")
    book.write("chapters/clustering/gmm.md", "# GMM\n")
    assert "gmm-tf-1" not in book.build().page("all")


def test_no_statements(new_book):
    book = new_book(("katex_math", "statement_list"), ("all",))
    book.write("all.md", "# All\n\n:::{statement-list}\n:::\n")
    assert "No chapter holds a statement yet." in book.build().page("all")
