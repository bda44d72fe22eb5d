"""Exam cards and the pages that collect them."""

import pytest

KMEANS, GMM = "chapters/clustering/kmeans", "chapters/clustering/gmm"
CARD = "# {0}\n\n:::{{{1}}} Title\n:label: {2}\n{3}\n:::\n"


def titles(book, page="sheet"):
    return [title.get_text() for title in book.soup(page).select(".exam-card.collected .exam-card-name")]


def test_card_in_its_chapter(good_book, text_of):
    card = good_book.soup(KMEANS).select_one("div.exam-card.must-know#kmeans-must-know-objective")
    assert card["role"] == "group"
    assert text_of(good_book.soup(KMEANS).find(id=card["aria-labelledby"])).startswith("Must know The objective")
    assert card.select_one(".exam-card-name .katex") is not None
    assert card.select_one(".exam-card-body").get_text().strip()
    assert card.select_one(".exam-card-evidence, .exam-card-source") is None


def test_cards_are_collected_by_part_and_chapter(good_book):
    collected = good_book.soup("chapters/revision/sheet").select_one(".card-list.must-know")
    outline = [(node.name, node.get_text()) for node in collected.select("h2, h3")]
    assert outline == [("h2", "Clustering"), ("h3", "k-means"), ("h3", "Gaussian mixtures")]
    assert [card["class"] for card in collected.select(".exam-card")] == [["exam-card", "must-know", "collected"]] * 2
    assert good_book.soup("chapters/revision/sheet").select_one(".card-list.counting .card-list-empty") is not None


def test_references_in_copies_lead_to_the_right_places(good_book):
    card = good_book.soup("chapters/revision/sheet").select_one(".card-list.must-know .exam-card")
    links = {link["href"]: link.get_text() for link in card.select("a")}
    assert links == {
        "../clustering/kmeans.html#equation-kmeans-objective": "(1)",
        "../clustering/gmm.html": "Gaussian mixtures",
        "../clustering/kmeans.html#kmeans-both-steps": "both steps",
        "../clustering/kmeans.html#kmeans-must-know-objective": "k-means, Must know",
    }
    assert card.select_one(".chapter-planned").get_text() == "Hidden <Markov> models"


def test_copies_repeat_no_id(good_book):
    assert not good_book.soup("chapters/revision/sheet").select(".card-list [id]")
    page = good_book.build("singlehtml").soup("intro", "singlehtml")
    ids = [element["id"] for element in page.select("[id]")]
    assert ids.count("kmeans-must-know-objective") == 1


def test_evidence_goes_along(good_book):
    card = good_book.soup("chapters/revision/sheet").select_one(".card-list.lost-marks .exam-card")
    assert card.select_one(".exam-card-evidence .cell_output pre").get_text().strip() == "the objective falls by 4.25"
    assert "print" not in card.get_text()


def test_plain_text(good_book):
    page = good_book.build("text").page("chapters/revision/sheet", "text")
    assert "Must know The objective" in page
    assert "the objective falls by 4.25" in page


def test_evidence_keeps_text_and_drops_pictures(new_book, notebook_code):
    book = new_book(pages=[KMEANS, "sheet"])
    book.notebook(
        f"{KMEANS}.ipynb",
        CARD.format("K", "what-if", "kmeans-what-if-a", "Body."),
        notebook_code(
            "f()",
            {"text/plain": "<Figure>", "image/png": "iVBORw0KGgo="},
            {"text/plain": "plain table", "text/html": "<b>html table</b>"},
            {"text/plain": "md", "text/markdown": "*markdown* output"},
        ),
    )
    book.write("sheet.md", "# Sheet\n\n:::{card-list} what-if\n:::\n")
    evidence = book.build().soup("sheet").select_one(".exam-card-evidence")
    assert evidence.select_one("em").get_text() == "markdown"
    assert "plain table" in evidence.get_text()
    assert "Figure" not in evidence.get_text()
    assert "html table" not in evidence.get_text()
    assert evidence.select_one("img") is None


def test_warnings(new_book, notebook_code):
    book = new_book(pages=[KMEANS, GMM, "sheet"])
    book.notebook(
        f"{KMEANS}.ipynb",
        CARD.format("K", "must-know", "same", "Text."),
        CARD.format("K", "lost-marks", "no-output", "Text."),
        notebook_code("x = 1"),
        CARD.format("K", "lost-marks", "no-cell", "Text."),
        "Text between.",
        notebook_code("print(1)", "1\n"),
        CARD.format("K", "counting", "empty-card", ""),
        ":::{convention} Without label\nText.\n:::",
        CARD.format("K", "must-know", "Bad Label", "Text."),
        CARD.format("Heading", "must-know", "heading", "Text."),
        CARD.format("K", "must-know", "labelled", "$$\na\n$$ (inside)\n"),
    )
    book.write(f"{GMM}.md", CARD.format("G", "must-know", "same", "Text."))
    book.write("sheet.md", "# Sheet\n\n:::{card-list} nonsense\n:::\n")
    book.build()
    expected = [
        "gmm.md:3: WARNING: label 'same' of must-know is already used in chapters/clustering/kmeans",
        "the counting card 'Title' is empty",
        "convention needs a :label: of its own",
        "label 'Bad Label' of must-know may hold only lower-case",
        "label 'heading' of must-know is the id of something else on this page",
        "a card cannot hold the labelled equation 'inside'",
        "sheet.md:3: WARNING: card-list of the unknown kind 'nonsense'",
    ]
    assert [text for text in expected if text not in book.warnings] == []
    assert book.warnings.count("a lost-marks card needs an executed cell") == 2


def test_collecting_page_follows_the_chapters(new_book, tmp_path):
    book = new_book(pages=[KMEANS, GMM, "sheet"])
    book.write("sheet.md", "# Sheet\n\n:::{card-list} must-know\n:::\n")
    book.write(f"{KMEANS}.md", CARD.format("K", "must-know", "one", "Old text."))
    book.write(f"{GMM}.md", CARD.format("G", "must-know", "two", "Text."))
    assert "Old text." in book.build().page("sheet")
    book.write(f"{KMEANS}.md", CARD.format("K", "must-know", "one", "New text."))
    page = book.build().page("sheet")
    assert "New text." in page
    assert "Old text." not in page
    (tmp_path / f"{KMEANS}.md").unlink()
    book.toc(GMM, "sheet")
    assert "New text." not in book.build().page("sheet")
    assert len(titles(book)) == 1


def test_cards_read_in_parallel_are_all_collected(new_book):
    names = [f"page{number}" for number in range(7)]
    book = new_book(pages=[*names, "sheet"])
    for name in names:
        book.write(f"{name}.md", f"# P\n\n:::{{must-know}} {name}\n:label: {name}-card\nText.\n:::\n")
    book.write("sheet.md", "# Sheet\n\n:::{card-list} must-know\n:::\n")
    assert not book.build(parallel=2).warnings
    assert titles(book) == names


@pytest.mark.parametrize("kind", ["do-not-confuse", "convention", "counterexample", "counting", "what-if"])
def test_every_kind_has_its_directive(kind):
    import exam_cards

    assert kind in exam_cards.KINDS
