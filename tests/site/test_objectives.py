"""What stands at the head of a chapter: two folds, a list of facts, and a line that says the same in short."""

import pytest


def facts(book, page, text_of):
    box = book.soup(page).select_one("dl.objectives-facts")
    return {term.get_text(): text_of(term.find_next_sibling("dd")) for term in box.select("dt")}


def test_list_and_facts(good_book, text_of):
    page = good_book.soup("chapters/clustering/gmm")
    box = page.select_one("details.objectives")
    assert not box.has_attr("open")
    assert box.select_one("summary").get_text() == "What you will learn"
    assert box.select_one("ul li").get_text().strip() == "derive"
    assert facts(good_book, "chapters/clustering/gmm", text_of) == {
        "Reading time": "about 40 minutes",
        "Library": "notes_lib.clustering.gmm",
        "Tests": "tests/clustering/test_gmm.py",
        "Revise": "formulas",
        "Notebook": "gmm.ipynb",
    }
    assert text_of(page.select_one("h1 + p.chapter-line")) == "40 min · revise · notebook"


def test_what_has_a_page_is_a_link_in_the_line_too(good_book):
    page = good_book.soup("chapters/clustering/kmeans")
    links = {link.get_text(): link["href"] for link in page.select("p.chapter-line a")}
    assert set(links) == {"library", "tests", "revise", "notebook"}
    assert links["library"] == "../appendix/api.html#module-notes_lib.clustering.kmeans"
    assert links["tests"] == "../../tests/clustering/test_kmeans.html"
    assert (
        page.select_one(f'dl.objectives-facts a[href="{links["tests"]}"]').get_text()
        == "tests/clustering/test_kmeans.py"
    )


def test_prerequisites_and_documented_module_are_links(good_book, text_of):
    page = good_book.soup("chapters/clustering/gmm")
    needs = page.select_one("details.needs")
    assert needs.select_one("summary").get_text() == "What you need"
    assert text_of(needs.select_one(".chapter-needs")) == "Builds on: k-means , Hidden <Markov> models"
    assert needs.select_one('a[href="kmeans.html"]') is not None
    box = page.select_one("dl.objectives-facts")
    assert box.select_one('a[href*="api.html"]') is None  # notes_lib.clustering.gmm is not documented
    page = good_book.soup("chapters/clustering/kmeans")
    assert page.select_one('dl.objectives-facts a[href="../appendix/api.html#module-notes_lib.clustering.kmeans"]')
    assert "no other chapter" in page.select_one("details.needs").get_text()


def test_notebook_link_leads_to_the_copied_source(good_book):
    link = good_book.soup("chapters/clustering/gmm").select_one("a.objectives-download")
    assert link["download"] == "gmm.ipynb"
    page = good_book.root / "out/html/chapters/clustering/gmm.html"
    assert (page.parent / link["href"]).resolve().is_file()


BOX = "# K\n\n:::{objectives}\n- state\n:::\n"


@pytest.mark.parametrize(
    ("page", "text", "book_entry", "warning"),
    [
        ("chapters/clustering/kmeans", "# K\n\n:::{objectives}\n:::\n", {}, "objectives without a list"),
        ("chapters/kmeans", BOX, {}, "objectives on chapters/kmeans, which is not a chapter of the outline"),
        ("chapters/clustering/kmeans", BOX, {}, "metadata needs book: prerequisites"),
        ("chapters/clustering/kmeans", BOX, {"minutes": 5}, "metadata needs book: prerequisites"),
        ("chapters/clustering/kmeans", BOX, {"prerequisites": []}, "metadata needs book: prerequisites"),
        ("chapters/clustering/kmeans", BOX, {"minutes": "5", "prerequisites": []}, "minutes (a number)"),
        ("chapters/clustering/kmeans", BOX, {"minutes": 5, "prerequisites": ["x1"]}, "kmeans.ipynb:1: WARNING: 'x1'"),
        ("chapters/clustering/kmeans", BOX, {"minutes": 5, "prerequisites": []}, "no tests/clustering/test_kmeans.py"),
        ("chapters/clustering/kmeans", BOX, {"minutes": 5, "prerequisites": ["x1"]}, "'x1' is neither a chapter"),
    ],
    ids=[
        "no-list",
        "no-chapter",
        "no-metadata",
        "no-prerequisites",
        "no-minutes",
        "minutes-in-words",
        "place-of-the-warning",
        "no-tests",
        "unknown-prerequisite",
    ],
)
def test_warnings(new_book, page, text, book_entry, warning):
    book = new_book(pages=[page])
    book.notebook(f"{page}.ipynb", text, **book_entry)
    book.build()
    assert warning in book.warnings


def test_no_notebook_link_where_none_is_copied(new_book):
    book = new_book(pages=["chapters/clustering/kmeans", "chapters/clustering/gmm"], html_copy_source=False)
    book.notebook("chapters/clustering/kmeans.ipynb", BOX, minutes=5, prerequisites=[])
    book.write("chapters/clustering/gmm.md", BOX)
    assert "Notebook" not in book.build().page("chapters/clustering/kmeans")
    book.config["html_copy_source"] = True
    assert "Notebook" not in book.build().page("chapters/clustering/gmm")  # it is no notebook
    assert "Notebook" in book.page("chapters/clustering/kmeans")


def test_copied_source_with_a_suffix(new_book):
    page = "chapters/clustering/kmeans"
    book = new_book(pages=[page], html_sourcelink_suffix=".txt")
    book.notebook(f"{page}.ipynb", BOX, minutes=5, prerequisites=[])
    link = book.build().soup(page).select_one("a.objectives-download")["href"]
    assert link.endswith(".ipynb.txt")
    assert (book.root / "out/html" / page).parent.joinpath(link).resolve().is_file()


def test_prerequisites_become_links_when_they_are_written(new_book):
    gmm = "chapters/clustering/gmm"
    book = new_book(pages=["other", gmm])
    book.write("other.md", "# Other\n")
    book.notebook(f"{gmm}.ipynb", BOX, minutes=5, prerequisites=["kmeans"])
    assert book.build().soup(gmm).select_one(".needs a.chapter-link") is None
    book.write("chapters/clustering/kmeans.md", "# K\n")
    book.toc("other", gmm, "chapters/clustering/kmeans")
    assert book.build().soup(gmm).select_one(".needs a.chapter-link")["href"] == "kmeans.html"


def test_plain_text(good_book):
    page = good_book.build("text").page("chapters/clustering/gmm", "text")
    assert "What you will learn" in page
    assert "about 40 minutes" in page
