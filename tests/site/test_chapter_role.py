"""The role ``{chapter}``."""


def test_written_chapter_is_a_link(good_book):
    link = good_book.soup("intro").select_one('a.chapter-link[href="chapters/clustering/kmeans.html"]')
    assert link.get_text() == "k-means"


def test_unwritten_chapter_is_its_title(good_book):
    page = good_book.soup("intro")
    assert page.select_one("p > span.chapter-planned").get_text() == "Hidden <Markov> models"


def test_explicit_text_and_other_pages(good_book):
    links = {link.get_text(): link["href"] for link in good_book.soup("intro").select("p > a.chapter-link")}
    assert links["the mixture"] == "chapters/clustering/gmm.html"
    assert links["Sheet"] == "chapters/revision/sheet.html"


def test_text_of_a_link_to_a_chapter_that_is_not_written(new_book):
    book = new_book()
    book.toc(text="# Intro\n\nSee {chapter}`hidden states <hmm>`, {chapter}`hmm`.")
    planned = book.build().soup("intro").select(".chapter-planned")
    assert [chapter.get_text() for chapter in planned] == ["hidden states", "Hidden <Markov> models"]
    assert "See hidden states, Hidden <Markov> models." in book.soup("intro").get_text()  # no space before the stop


def test_pages_are_found_by_stem_or_by_name_the_first_one_of_several(new_book):
    names = ["b/sheet", "a/sheet", "chapters/revision/sheet"]
    book = new_book(pages=names)
    for name in names:
        book.write(f"{name}.md", f"# Sheet of {name}\n")
    book.toc(*names, text="# Intro\n\n{chapter}`sheet` {chapter}`revision/sheet` {chapter}`b/sheet`")
    links = [link["href"] for link in book.build().soup("intro").select("a.chapter-link")]
    assert links == ["a/sheet.html", "chapters/revision/sheet.html", "b/sheet.html"]


def test_a_new_heading_reaches_the_links_to_its_page(new_book):
    book = new_book(pages=["other", "sheet"])
    book.write("other.md", "# Other\n\n{chapter}`sheet`\n")
    book.write("sheet.md", "# Old\n")
    assert book.build().soup("other").select_one("a.chapter-link").get_text() == "Old"
    book.write("sheet.md", "# New\n")
    assert book.build().soup("other").select_one("a.chapter-link").get_text() == "New"


def test_unknown_stem_is_a_warning(new_book):
    book = new_book()
    book.toc(text="# Intro\n\n{chapter}`nonsense`")
    book.build()
    assert "intro.md:3: WARNING: 'nonsense' is neither a chapter" in book.warnings


def test_links_follow_the_table_of_contents(new_book, tmp_path):
    book = new_book(pages=["other", "plain"])
    book.write("other.md", "# Other\n\n{chapter}`kmeans`\n")
    book.write("plain.md", "# Plain\n")
    assert book.build().soup("other").select_one(".chapter-planned") is not None
    book.write("chapters/clustering/kmeans.md", "# K\n")
    book.toc("other", "plain", "chapters/clustering/kmeans")
    assert book.build().soup("other").select_one("a.chapter-link") is not None
    (tmp_path / "chapters/clustering/kmeans.md").unlink()
    book.toc("other", "plain")
    assert book.build().soup("other").select_one("a.chapter-link") is None


def test_a_new_title_in_the_outline_reaches_the_links(new_book, tmp_path):
    book = new_book(pages=["other"])
    book.write("other.md", "# Other\n\n{chapter}`kmeans`\n")
    book.build()
    outline = tmp_path / "chapters/outline.yml"
    outline.write_text(outline.read_text().replace("k-means", "K means again"))
    assert "K means again" in book.build().page("other")


def test_broken_outline_is_an_error(new_book):
    import pytest
    from sphinx.errors import ExtensionError

    book = new_book()
    book.write("chapters/outline.yml", "- part: clustering\n")
    with pytest.raises(ExtensionError, match=r"outline\.yml: an outline is a list of parts"):
        book.build()
    book.write(
        "chapters/outline.yml",
        "- {part: a, title: A, chapters: [{stem: x, title: X, task: t}, {stem: x, title: X, task: t}]}\n",
    )
    with pytest.raises(ExtensionError, match="a stem stands in the outline twice"):
        book.build()
