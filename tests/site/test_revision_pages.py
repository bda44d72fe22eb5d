"""Pages that collect: letters, the script, the links in the exam corner; and in a browser: filter, shuffle, score."""

import pytest
from search_index import STATIC

TRUE_FALSE = ":::{{true-false}} Statement {0}.\n:label: {1}-tf-{0}\n:answer: {2}\nReason {0}.\n:::\n\n"
CARD = ":::{{must-know}} {0}\n:label: {1}-must-know-{2}\nIt is {0}.\n:::\n\n"
QUESTION = """:::{quiz} Which two?
:label: kmeans-quiz-1
:multiple:
- [x] one

  Why.
- [ ] two

  Why not.
- [x] three

  Why, too.
:::
"""
GLOSSARY = """# Glossary

```{glossary}
absolute loss
  绝对损失. Size.

accuracy
  准确率. Share.

Bayes risk
  Risk.
```
"""


@pytest.fixture(scope="module")
def book(shared_book):
    extensions = ("katex_math", "chapter_role", "exam_cards", "quiz", "statement_list", "revision_pages")
    pages = ("chapters/clustering/kmeans", "chapters/clustering/gmm", "sheet", "all", "glossary", "plain")
    book = shared_book(extensions, pages)
    for name in ("chance.js", "revision.js", "revision.css", "quiz.js"):
        book.write(f"static/{name}", (STATIC / name).read_text(encoding="utf-8"))
    for stem, count in (("kmeans", 6), ("gmm", 4)):
        items = "".join(TRUE_FALSE.format(n, stem, "true" if n % 2 else "false") for n in range(count))
        card = CARD.format("Größe" if stem == "kmeans" else "Mixture", stem, "card")
        more = QUESTION if stem == "kmeans" else ""
        book.write(
            f"chapters/clustering/{stem}.md", f"# {stem}\n\n({stem}-exam)=\n## Exam corner\n\n{card}{items}{more}"
        )
    book.write("sheet.md", "# Sheet\n\n:::{card-list} must-know\n:::\n")
    book.write("all.md", "# All\n\n:::{statement-list}\n:::\n")
    book.write("glossary.md", GLOSSARY)
    book.write("plain.md", "# Plain\n\n(plain-exam)=\n## Exam\n")
    return book.build()


def test_letters(book):
    assert book.warnings == ""
    links = book.soup("glossary").select(".glossary-letters a")
    assert [(link.get_text(), link["href"]) for link in links] == [
        ("A", "#term-absolute-loss"),
        ("B", "#term-Bayes-risk"),
    ]
    assert all(book.soup("glossary").find(id=link["href"][1:]) for link in links)


def test_the_script_is_loaded_where_it_is_needed(book):
    loaded = {page for page in ("sheet", "all", "glossary", "plain", "intro") if "revision.js" in book.page(page)}
    assert loaded == {"sheet", "all", "glossary"}


def test_the_exam_corner_begins_with_links(book):
    line = book.soup("chapters/clustering/kmeans").find(id="exam-corner").select_one("h2 + p")
    assert line.get_text() == "Collected for revision: formulas, true or false?"
    assert [link["href"] for link in line.select("a")] == [
        "../../sheet.html#must-know-kmeans",
        "../../all.html#statements-kmeans",
    ]
    assert "Collected" not in book.page("plain")


def shown(page, selector):
    return page.evaluate(
        f"[...document.querySelectorAll('{selector}')].filter((e) => e.checkVisibility()).map((e) => e.id)"
    )


@pytest.mark.browser
@pytest.mark.xdist_group("revision")
class TestInABrowser:
    def test_filter_of_cards(self, tab):
        page, base = tab
        page.goto(base + "sheet.html")
        page.locator(".filter input").fill("grosse")
        assert page.locator(".filter-status").inner_text() == "0 of 2"
        page.locator(".filter input").fill("GRÖSSE")
        page.locator(".filter input").fill("grö it")
        assert page.locator(".filter-status").inner_text() == "1 of 2"
        assert page.locator(".exam-card:visible").count() == 1
        assert shown(page, ".card-list :is(h2, h3)") in (["must-know-kmeans"], ["", "must-know-kmeans"])
        page.locator(".filter input").fill("")
        assert page.locator(".exam-card:visible").count() == 2

    def test_the_page_is_printed_as_it_is_filtered(self, tab):
        page, base = tab
        page.goto(base + "sheet.html")
        page.locator(".filter input").fill("grö it")
        page.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")
        page.get_by_role("button", name="Print, or save as PDF").click()
        assert page.evaluate("window.printed") == 1
        page.emulate_media(media="print")
        assert page.locator(".exam-card:visible").count() == 1
        assert page.locator(".print-button:visible").count() == 0
        page.emulate_media(media="screen")

    def test_filter_of_a_glossary(self, tab):
        page, base = tab
        page.goto(base + "glossary.html")
        page.locator(".filter input").fill("准确率")
        assert shown(page, "dt") == ["term-accuracy"]
        assert page.locator("dd:visible").count() == 1

    def order(self, page):
        return shown(page, ".statement-list .quiz")

    def test_shuffle_by_seed(self, tab):
        page, base = tab
        page.goto(base + "all.html")
        book = self.order(page)
        assert len(book) == 10
        page.locator("#statement-seed").fill("7")
        page.get_by_text("Shuffle", exact=True).click()
        seven = self.order(page)
        assert seven != book
        assert sorted(seven) == sorted(book)
        assert "seed=7" in page.url
        assert page.locator(".statement-told").inner_text() == "10 statements from all chapters, seed 7."
        page.reload()
        assert self.order(page) == seven  # the address keeps the sheet
        page.locator("#statement-seed").fill("8")
        page.get_by_text("Shuffle", exact=True).click()
        assert self.order(page) != seven
        page.get_by_text("Order of the book").click()
        assert self.order(page) == book

    def test_one_chapter(self, tab):
        page, base = tab
        page.goto(base + "all.html?seed=3&from=statements-gmm")
        assert sorted(self.order(page)) == [f"gmm-tf-{n}" for n in range(4)]

    def test_score_counts_first_answers_and_is_kept(self, tab):
        page, base = tab
        page.goto(base + "chapters/clustering/kmeans.html")
        score = page.locator(".quiz-score span")
        assert score.inner_text() == "0 of 7 answered, 0 right at the first try."
        page.locator("#kmeans-tf-1-true").check()
        page.locator("#kmeans-tf-2-true").check()  # wrong
        page.locator("#kmeans-tf-2-false").check()  # too late
        page.locator("#kmeans-quiz-1-a").check()
        assert score.inner_text() == "3 of 7 answered, 1 right at the first try."
        page.locator("#kmeans-quiz-1-c").check()
        assert score.inner_text() == "3 of 7 answered, 2 right at the first try."
        page.goto(base + "all.html")
        assert score.inner_text() == "2 of 10 answered, 1 right at the first try."
        assert page.locator("#kmeans-tf-1-true").is_checked()
        page.locator(".quiz-score button").click()
        assert score.inner_text() == "0 of 10 answered, 0 right at the first try."
        page.goto(base + "chapters/clustering/kmeans.html")
        assert score.inner_text() == "1 of 7 answered, 1 right at the first try."
        assert not page.locator("#kmeans-tf-1-true").is_checked()
        page.locator(".quiz-score button").click()

    def test_without_storage(self, book, tab):
        page, base = tab
        context = page.context.browser.new_context()
        context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no') } })")
        other = context.new_page()
        other.goto(base + "chapters/clustering/kmeans.html")
        other.locator("#kmeans-tf-1-true").check()
        assert other.locator(".quiz-score span").inner_text().startswith("1 of 7 answered, 1 right")
        context.close()
