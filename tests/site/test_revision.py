"""From a chapter to what the revision holds of it."""


def test_the_box_of_a_chapter_links_its_material(new_book, text_of):
    book = new_book(("katex_math", "chapter_role", "exam_cards", "statement_list"), ())
    card = ":::{{must-know}} Card\n:label: {0}-must-know-card\nIt is.\n:::\n"
    true = ":::{true-false} True?\n:label: kmeans-tf-1\n:answer: true\nYes.\n:::\n"
    box = "# Title\n\n:::{objectives}\n- do\n:::\n\n"
    book.notebook("chapters/clustering/kmeans.ipynb", box + card.format("kmeans") + true, prerequisites=[], minutes=1)
    book.notebook("chapters/clustering/gmm.ipynb", box, prerequisites=[], minutes=1)
    book.write("tests/clustering/test_kmeans.py", "")
    book.write("tests/clustering/test_gmm.py", "")
    book.write("sheet.md", "# Sheet\n\n:::{card-list} must-know\n:contents:\n:::\n")
    book.write("part.md", "# Part\n\n:::{card-list} must-know\n:part: clustering\n:::\n")
    book.write("other.md", "# Other\n\n:::{card-list} must-know\n:part: sequences\n:::\n")
    book.write("all.md", "# All\n\n:::{statement-list}\n:::\n")
    book.toc("chapters/clustering/kmeans", "chapters/clustering/gmm", "sheet", "part", "other", "all").build()
    facts = book.soup("chapters/clustering/kmeans").select_one(".objectives-facts")
    term = next(term for term in facts.select("dt") if text_of(term) == "Revise")
    links = [(link.get_text(), link["href"]) for link in term.find_next("dd").select("a")]
    assert links == [
        ("formulas", "../../part.html#must-know-kmeans"),
        ("true or false?", "../../all.html#statements-kmeans"),
    ]
    assert book.soup("part").find(id="must-know-kmeans")
    assert book.soup("all").find(id="statements-kmeans")
    assert "Revise" not in book.page("chapters/clustering/gmm")
