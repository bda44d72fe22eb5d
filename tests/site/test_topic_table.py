"""Where each topic stands."""

HEADER = "topic,group,chapter,section\n"


def table(new_book, csv):
    book = new_book(pages=["topics", "chapters/clustering/kmeans"])
    book.write("topics.md", "# T\n\n:::{topic-table}\n:::\n")
    book.write("chapters/clustering/kmeans.md", "(kmeans-here)=\n# K\n")
    book.write("topics.csv", csv)
    return book


def test_groups_counts_and_links(good_book, text_of):
    page = good_book.soup("chapters/appendix/topics")
    assert text_of(page.select_one("p.topic-count")) == "1 of 3 topics are covered."
    assert [text_of(title) for title in page.select("h2.topic-group")] == ["Clustering (1 of 1)", "Sequences (0 of 2)"]
    covered = page.select_one("p.topic-covered a")
    assert covered["href"] == "../clustering/kmeans.html#kmeans-both-steps"
    assert covered.select_one(".katex") is not None
    planned = page.select_one("p.topic-planned")
    assert planned.select_one("em").get_text() == "Viterbi"
    assert planned.find_parent("tr").select_one(".chapter-planned").get_text() == "Hidden <Markov> models"


def test_only_what_a_reader_may_look_for_is_shown(new_book, text_of):
    rows = ["Title page,H,topics,here", "Heading: k-means,G,kmeans,kmeans-here", "Lloyd's steps,G,kmeans,kmeans-here"]
    rows += ["Heading: mixtures,G,gmm,", "Heading: EM,G,gmm,", '"Names: a, b",G,hmm,', '"Forward, one sentence",G,hmm,']
    book = table(new_book, HEADER + "\n".join(rows) + "\n").build()
    assert not book.warnings
    page = book.soup("topics")
    assert [text_of(row.td) for row in page.select("tbody tr")] == ["Lloyd’s steps", "Mixtures", "A, b", "Forward"]
    assert [text_of(title) for title in page.select("h2.topic-group")] == ["G (1 of 4)"]


def test_warnings(new_book):
    book = table(new_book, HEADER + "A,G,kmeans,lost\nB,G,kmeans,\nC,G,nonsense,\n").build()
    assert "topics.md:3: WARNING: there is no section with the label 'lost'" in book.warnings
    assert "the topic 'B' names no section although 'kmeans' is written" in book.warnings
    assert "'nonsense' is neither a chapter" in book.warnings


def test_unreadable_files_are_warnings(new_book, tmp_path):
    book = table(new_book, "topic,chapter\nA,kmeans\n").build()
    assert "topics.csv must have the columns topic, group, chapter, section" in book.warnings
    (tmp_path / "topics.csv").unlink()
    book.write("topics.md", "# T again\n\n:::{topic-table}\n:::\n")
    assert "cannot read the topics" in book.build().warnings


def test_an_edited_file_changes_the_page(new_book):
    book = table(new_book, HEADER + "A,G,kmeans,kmeans-here\n").build()
    assert not book.warnings
    book.write("topics.csv", HEADER + "Another,G,kmeans,kmeans-here\n")
    assert "Another" in book.build().page("topics")


def test_columns_stand_in_their_order_and_another_file_may_be_named(new_book):
    book = table(new_book, "group,topic,chapter,section\nG,A,kmeans,kmeans-here\n")
    assert "must have the columns topic, group, chapter, section" in book.build().warnings
    book.write("others.csv", HEADER + "Another,G,kmeans,kmeans-here\n")
    book.write("topics.md", "# T\n\n:::{topic-table} others.csv\n:::\n")
    assert "Another" in book.build().page("topics")


def test_topics_follow_the_chapters(new_book):
    book = table(new_book, HEADER + "A,G,gmm,\n")
    book.toc("chapters/clustering/kmeans", "topics")
    assert book.build().soup("topics").select_one("a.chapter-link") is None
    book.write("chapters/clustering/gmm.md", "# G\n")
    book.toc("chapters/clustering/kmeans", "topics", "chapters/clustering/gmm")
    assert book.build().soup("topics").select_one("a.chapter-link") is not None
