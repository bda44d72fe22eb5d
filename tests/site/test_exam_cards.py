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


def test_a_list_begins_with_its_chapters(good_book, text_of):
    nav = good_book.soup("chapters/revision/sheet").select_one('.card-list.must-know nav[aria-label="In this list"]')
    assert [(text_of(item), item.a["href"]) for item in nav.select("li")] == [
        ("k-means (1)", "#must-know-kmeans"),
        ("Gaussian mixtures (1)", "#must-know-gmm"),
    ]


def test_copies_repeat_no_id(good_book):
    ids = [element["id"] for element in good_book.soup("chapters/revision/sheet").select(".card-list [id]")]
    assert ids == ["must-know-kmeans", "must-know-gmm", "lost-marks-kmeans"]  # of the headings alone
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


def test_the_picture_of_a_counterexample_goes_along(new_book, notebook_code):
    book = new_book(pages=[KMEANS, "sheet"])
    picture = notebook_code("draw()", {"text/plain": "<Figure>", "image/png": "iVBORw0KGgo="})
    figure = {"caption": "Two *rings*", "name": "fig-kmeans-rings"}
    picture["metadata"] = {"mystnb": {"figure": figure, "image": {"alt": "two rings"}}}
    book.notebook(f"{KMEANS}.ipynb", CARD.format("K", "counterexample", "kmeans-counterexample-a", "Body."), picture)
    book.write("sheet.md", "# Sheet\n\n:::{card-list} counterexample\n:::\n")
    assert not book.build().warnings
    card = book.soup("sheet").select_one(".exam-card")
    assert card.select_one(".exam-card-evidence img")["alt"] == "two rings"
    assert (book.root / "out/html" / card.img["src"]).is_file()
    assert card.select_one(".exam-card-caption").get_text() == "Two rings"  # its number belongs to the chapter
    assert "draw()" not in card.get_text()
    assert book.soup(KMEANS).select_one("figure#fig-kmeans-rings .caption-number") is not None


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


def evidence(new_book, *cells, kind="what-if"):
    """The evidence that goes along with the only card of a notebook, and the warnings."""
    book = new_book(pages=[KMEANS, "sheet"])
    book.notebook(f"{KMEANS}.ipynb", *cells)
    book.write("sheet.md", f"# Sheet\n\n:::{{card-list}} {kind}\n:::\n")
    found = book.build().soup("sheet").select_one(".exam-card-evidence")
    return found and found.get_text().strip(), book.warnings


def test_a_remark_does_not_part_a_card_from_its_evidence(new_book, notebook_code):
    card = CARD.format("K", "what-if", "kmeans-what-if-a", "Body.")
    text, warnings = evidence(new_book, f"{card}\n% a remark\n\n(there)=\n", notebook_code("print(1)", "1\n"))
    assert (text, warnings) == ("1", "")


def test_a_card_at_the_end_of_its_section_has_no_evidence(new_book, notebook_code):
    card = CARD.format("K", "what-if", "kmeans-what-if-a", "Body.")
    text, warnings = evidence(new_book, card, "## Next", notebook_code("print(1)", "1\n"))
    assert (text, warnings) == (None, "")  # welcome, not required


def test_other_cards_take_no_evidence(new_book, notebook_code):
    card = CARD.format("K", "must-know", "kmeans-must-know-a", "Body.")
    assert evidence(new_book, card, notebook_code("print(1)", "1\n"), kind="must-know") == (None, "")


def test_a_figure_alone_settles_nothing(new_book, notebook_code):
    card = CARD.format("K", "lost-marks", "kmeans-lost-marks-a", "Body.")
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    cell = notebook_code("draw()", {"image/png": pixel, "text/plain": "<Figure>"})
    cell["metadata"] = {"mystnb": {"figure": {"caption": "A caption"}}}
    text, warnings = evidence(new_book, card, cell, kind="lost-marks")
    assert text is None
    assert "a lost-marks card needs an executed cell with text output" in warnings


def test_other_pages_can_refer_to_a_card(new_book):
    book = new_book(pages=["other", "page"])
    book.write("page.md", CARD.format("K", "must-know", " one ", "Text."))
    book.write("other.md", "# Other\n\n{ref}`one` and {ref}`that <one>`, [](#one)\n")
    links = [link for link in book.build().soup("other").select("p a") if "one" in link["href"]]
    assert not book.warnings
    assert [(link["href"], link.get_text()) for link in links] == [
        ("page.html#one", "Title"),
        ("page.html#one", "that"),
        ("page.html#one", "Title"),
    ]
    assert book.soup("page").select_one(".exam-card")["id"] == "one"


def test_cards_of_pages_outside_the_table_of_contents_come_last(new_book):
    book = new_book(pages=["z", "sheet"])
    for name in "za":
        book.write(f"{name}.md", CARD.format(name, "must-know", f"card-{name}", "Text."))
    book.write("sheet.md", "# Sheet\n\n:::{card-list} must-know\n:::\n")
    assert sources(book.build(), "sheet") == ["z.html#card-z", "a.html#card-a"]


def test_a_card_cannot_hold_a_footnote(new_book):
    book = new_book(pages=["page"])
    book.write("page.md", CARD.format("K", "must-know", "one", "Text.[^a]") + "\n[^a]: Note.\n")
    assert "a card cannot hold a footnote" in book.build().warnings


def test_copies_name_nothing_that_is_not_on_their_page(good_book):
    page = good_book.soup("chapters/revision/sheet")
    assert not page.select(".exam-card [aria-labelledby], .exam-card[aria-labelledby]")


def test_warnings_have_a_type_by_which_they_can_be_told_apart(new_book):
    text = ":::{card-list} nonsense\n:::\n"
    assert "unknown kind 'nonsense'" in new_book().toc(text=f"# I\n\n{text}").build().warnings
    assert not new_book(suppress_warnings=["book.card"]).toc(text=f"# I\n\n{text}").build().warnings


NUMBERED = """# {0}

(section-{0})=
## Section

$$
a
$$ (eq-{0})

:::{{figure}} dot.svg
:name: fig-{0}

Caption.
:::

:::{{must-know}} Title
:label: card-{0}
{{eq}}`eq-{0}`, {{numref}}`fig-{0}`, {{numref}}`section-{0}`.
:::
"""


def numbered(new_book, **config):
    book = new_book(**config)
    book.write("dot.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    for name in "ab":
        book.write(f"{name}.md", NUMBERED.format(name))
    book.write("sheet.md", "# Sheet\n\n:::{card-list} must-know\n:::\n")
    book.write("practice.md", "# Practice\n\n:::{derivation}\n1. `eq-b` State it.\n:::\n")
    book.write("table.md", "# Table\n\n:::{equation-table}\n:::\n")
    book.write("tests/test_a.py", "import pytest\n\n\n@pytest.mark.equation('eq-b')\ndef test(): ...\n")
    return book


def order(book, *pages):
    toc = "\n".join([*pages, "sheet", "practice", "table"])
    book.write("intro.md", f"# Intro\n\n```{{toctree}}\n:numbered:\n\n{toc}\n```\n")
    return book.build()


def printed(book):
    """The numbers of page b as the collecting pages print them."""
    card = next(card for card in book.soup("sheet").select(".exam-card") if "b.html#card-b" in str(card))
    texts = [link.get_text() for link in card.select(".exam-card-body a")]
    others = [book.soup(page).select_one('a[href$="#equation-eq-b"]').get_text() for page in ("practice", "table")]
    return [*texts, *others]


def test_numbers_in_copies_follow_the_order_of_the_chapters(new_book):
    book = numbered(new_book)
    before = printed(order(book, "a", "b"))
    assert all("2" in text for text in before), before
    after = printed(order(book, "b", "a"))
    assert after == [text.replace("2.", "1.") for text in before]


def test_numbers_of_equations_follow_those_before_them(new_book):
    book = numbered(new_book, numfig=False)
    assert printed(order(book, "b", "a"))[0] == "(1)"
    book.write("b.md", NUMBERED.format("b").replace("## Section", "## Section\n\n$$\nc\n$$ (eq-c)\n"))
    assert {text for text in printed(book.build()) if "(" in text} == {"(2)"}


def test_copies_follow_titles_and_headings(new_book, tmp_path):
    book = new_book(pages=[KMEANS, "sheet"])
    book.write("sheet.md", "# Sheet\n\n:::{card-list} must-know\n:::\n")
    text = CARD.format("K\n\n## Exam corner", "must-know", "one", "Text.")
    book.write(f"{KMEANS}.md", text)
    assert book.build().soup("sheet").select_one(".exam-card-source").get_text() == "k-means, Exam corner"
    book.write(f"{KMEANS}.md", text.replace("Exam corner", "Revision"))
    assert book.build().soup("sheet").select_one(".exam-card-source").get_text() == "k-means, Revision"
    outline = tmp_path / "chapters/outline.yml"
    outline.write_text(outline.read_text().replace("k-means", "Lloyd"))
    assert book.build().soup("sheet").select_one(".exam-card-source").get_text() == "Lloyd, Revision"


def test_headings_are_never_deeper_than_html_has_them(new_book):
    book = new_book(pages=[KMEANS, "sheet"])
    book.write(f"{KMEANS}.md", CARD.format("K", "must-know", "one", "Text."))
    levels = "\n\n".join("#" * depth + " H" for depth in range(1, 7))
    book.write("sheet.md", f"{levels}\n\n:::{{card-list}} must-know\n:::\n")
    headings = book.build().soup("sheet").select(".card-list-part, .card-list-chapter")
    assert [heading.name for heading in headings] == ["h6", "h6"]


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


PARTS = {
    KMEANS: CARD.format("K", "must-know", "one", "Text.") + "\n" + CARD.format("L", "must-know", "two", "Text."),
    GMM: CARD.format("G", "must-know", "three", "Text.") + "\n" + CARD.format("M", "counting", "four", "Text."),
    "chapters/sequences/hmm": CARD.format("H", "must-know", "five", "Text."),
    "sheet": "# Sheet\n\n:::{card-list} must-know\n:contents:\n:::\n",
    "sheet/clustering": "# Clustering\n\n:::{card-list} must-know\n:part: clustering\n:::\n",
    "sheet/sequences": "# Sequences\n\n:::{card-list} must-know\n:part: sequences\n:::\n",
}


@pytest.fixture
def by_part(new_book):
    book = new_book(pages=list(PARTS))
    for page, text in PARTS.items():
        book.write(f"{page}.md", text)
    return book


def sources(book, page):
    """Where the collected cards of a page come from."""
    return [link["href"] for link in book.soup(page).select(".exam-card-source a")]


def test_every_card_is_on_the_page_of_its_part_and_on_no_other(by_part):
    assert not by_part.build().warnings
    places = [f"{page}.html#{label}" for page, label in ((KMEANS, "one"), (KMEANS, "two"), (GMM, "three"))]
    assert sources(by_part, "sheet/clustering") == [f"../{place}" for place in places]
    assert sources(by_part, "sheet/sequences") == ["../chapters/sequences/hmm.html#five"]
    assert sources(by_part, "sheet") == []
    headings = [
        (node.name, node.get_text()) for node in by_part.soup("sheet/clustering").select(".card-list :is(h2, h3)")
    ]
    assert headings == [("h2", "k-means"), ("h2", "Gaussian mixtures")]  # the page is the part: no heading for it


def test_contents_list_every_part_with_its_number_of_cards(by_part, text_of):
    contents = by_part.build().soup("sheet").select_one(".card-contents.must-know")
    assert [link["href"] for link in contents.select("a")] == ["sheet/clustering.html", "sheet/sequences.html"]
    assert [[text_of(line) for line in item.select("p")] for item in contents.select("li")] == [
        ["Clustering 3 cards", "k-means, Gaussian mixtures"],
        ["Sequences 1 card", "Hidden <Markov> models"],
    ]
    for link, item in zip(contents.select("a"), contents.select("li"), strict=True):
        count = len(sources(by_part, link["href"].removesuffix(".html")))
        assert item.select_one(".card-count").get_text().split()[0] == str(count)
    assert "Clustering 3 cards" in by_part.build("text").page("sheet", "text").replace("*", "")


def test_contents_and_parts_follow_the_chapters(by_part, text_of, tmp_path):
    by_part.build()
    by_part.write(f"{GMM}.md", "# G\n")
    assert text_of(by_part.build().soup("sheet").select_one(".card-count")) == "2 cards"
    assert len(sources(by_part, "sheet/clustering")) == 2
    (tmp_path / "sheet/sequences.md").unlink()
    by_part.toc(*(page for page in PARTS if page != "sheet/sequences"))
    assert "0 pages show the must-know cards of the part 'sequences': one must" in by_part.build().warnings
    assert len(by_part.soup("sheet").select(".card-contents li")) == 1


@pytest.mark.parametrize(
    ("page", "old", "new", "warning"),
    [
        ("sheet/sequences", "sequences\n", "clustering\n", "2 pages show the must-know cards of the part 'clustering'"),
        ("sheet/sequences", "must-know", "counting", "0 pages show the must-know cards of the part 'sequences'"),
        ("sheet/sequences", "sequences\n", "moon\n", "unknown part 'moon'; there are clustering, sequences"),
        (GMM, "# G", "# G\n\nText.", None),
        ("intro", "# Intro", CARD.format("I", "must-know", "six", "Text."), "the card 'six' is in no part"),
    ],
)
def test_a_card_that_is_on_no_page_of_a_part_or_on_two_is_a_warning(by_part, page, old, new, warning):
    file = by_part.root / f"{page}.md"
    text = file.read_text(encoding="utf-8")
    assert old in text
    by_part.write(f"{page}.md", text.replace(old, new))
    warnings = by_part.build().warnings
    assert warning in warnings if warning else not warnings


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


NUMBERS = 'kmeans-convention-scale: {given: "1 and $x$", here: "2", there: "**3**"}\n'
SCALE = CARD.format("k-means", "convention", "kmeans-convention-scale", "With or without.")


def book_with_numbers(new_book, numbers):
    book = new_book(("katex_math", "exam_cards"), (KMEANS, "sheet"))
    book.write(f"{KMEANS}.md", SCALE)
    book.write("sheet.md", "# Sheet\n\n:::{card-list} convention\n:numbers: both.yml\n:::\n")
    book.write("both.yml", numbers)
    return book.build()


def test_numbers_end_a_collected_card(new_book, text_of):
    book = book_with_numbers(new_book, NUMBERS)
    assert book.warnings == ""
    line = book.soup("sheet").select_one(".exam-card.collected > .exam-card-body + .exam-card-numbers")
    assert text_of(line).startswith("For 1 and")
    assert text_of(line).endswith(": here 2, there 3 .")
    assert line.select_one(".katex")
    assert line.strong.get_text() == "3"
    assert not book.soup(KMEANS).select(".exam-card-numbers")
    book.write("both.yml", NUMBERS.replace('"2"', '"2.5"'))
    assert "here 2.5" in text_of(book.build().soup("sheet").select_one(".exam-card-numbers"))


@pytest.mark.parametrize(
    ("numbers", "complaint"),
    [
        (
            NUMBERS + "kmeans-convention-scales: {given: a, here: b, there: c}\n",
            "numbers for 'kmeans-convention-scales'",
        ),
        ("kmeans-convention-scale: {given: a, here: b}\n", "needs given, here and there"),
        ("- 1\n", "needs given, here and there"),
    ],
)
def test_numbers_that_belong_nowhere_are_a_warning(new_book, numbers, complaint):
    assert complaint in book_with_numbers(new_book, numbers).warnings


def test_cards_of_a_page_of_the_revision_stand_behind_the_parts(new_book):
    book = new_book(("katex_math", "exam_cards"), (KMEANS, "extra", "sheet"))
    book.write(f"{KMEANS}.md", SCALE)
    book.write("extra.md", CARD.format("Extra", "convention", "extra-scale", "Either."))
    book.write("sheet.md", "# Sheet\n\n:::{card-list} convention\n:::\n")
    headings = book.build().soup("sheet").select(".card-list :is(h2, h3)")
    assert [(one.name, one.get_text()) for one in headings] == [
        ("h2", "Clustering"),
        ("h3", "k-means"),
        ("h2", "Extra"),
    ]
