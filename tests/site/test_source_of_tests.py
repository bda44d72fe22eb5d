"""The source of the tests on the site."""

import os

import pytest
from source_of_tests import segments

PAGE = "tests/clustering/test_kmeans"


def test_every_link_leads_to_a_place_of_a_page(good_book):
    for page in ("chapters/clustering/kmeans", "chapters/clustering/gmm", "chapters/appendix/equations"):
        links = [link["href"] for link in good_book.soup(page).select("a.equation-tests")]
        assert links
        for link in links:
            file, _, anchor = link.partition("#")
            target = os.path.normpath(f"{page}/../{file}")
            assert not anchor or good_book.soup(target.removesuffix(".html")).find(id=anchor)


def test_the_page_is_the_file(good_book):
    soup = good_book.soup(PAGE)
    assert soup.h1.get_text() == f"{PAGE}.py"
    lines = "".join(block.get_text() for block in soup.select("div.highlight-python > .highlight pre")).split()
    assert lines == (good_book.root / f"{PAGE}.py").read_text(encoding="utf-8").split()
    assert "python3 run.py test kmeans" in soup.p.get_text()


def test_a_test_says_what_it_holds_and_who_else_does(good_book):
    soup = good_book.soup(PAGE)
    notes = {
        note.parent.get("id"): [item.get_text() for item in note.select("li")]
        for note in soup.select(".test-equations")
    }
    file = f"{PAGE}.py"
    assert notes[None] == ["gmm-density, also held by test_inertia"]
    assert notes["test_inertia"] == [
        "kmeans-objective, also held by TestSteps::test_step",
        f"gmm-density, also held by {file}",
    ]
    links = [link["href"] for link in soup.select("#TestSteps .test-equations a")]
    assert links == [
        "../../chapters/clustering/kmeans.html#equation-kmeans-objective",
        "#test_inertia",
    ]
    assert good_book.soup("chapters/clustering/kmeans").find(id="equation-kmeans-objective")


def test_files_without_marks_have_no_page(good_book):
    assert not (good_book.root / "out/html/tests/clustering/test_gmm.html").exists()


@pytest.mark.parametrize("source", ["a = 1\n\n\n@mark\n@other(\n    1\n)\ndef f():\n    pass\n\n\nb = 2\n"])
def test_segments(source):
    parts = list(segments(source, {"f"}))
    assert parts == [("", "a = 1\n\n\n"), ("f", "@mark\n@other(\n    1\n)\ndef f():\n    pass\n"), ("", "\n\nb = 2\n")]
    assert "".join(lines for _, lines in parts) == source
    assert list(segments(source, set())) == [("", source)]


def test_a_page_is_written_when_something_on_it_changed(new_book):
    book = new_book(pages=["k"])
    book.write("k.md", "# K\n\n$$\na\n$$ (k-a)\n")
    book.write("tests/test_a.py", "import pytest\n\n\n@pytest.mark.equation('k-a')\ndef test(): ...\n")
    page = book.root / "out/html/tests/test_a.html"
    book.build()
    first = page.stat().st_mtime_ns
    book.build()
    assert page.stat().st_mtime_ns == first
    book.write("tests/test_b.py", "import pytest\n\n\n@pytest.mark.equation('k-a')\ndef test_b(): ...\n")
    assert "tests/test_b.py::test_b" in book.build().page("tests/test_a")
    book.write("tests/test_a.py", "import pytest\n\n\n@pytest.mark.equation('k-a')\ndef test(): assert 1\n")
    assert "assert" in book.build().page("tests/test_a")


def test_a_mark_with_an_unknown_label_is_left_out(new_book):
    book = new_book(pages=["k"])
    book.write("k.md", "# K\n\n$$\na\n$$ (k-a)\n")
    book.write("tests/test_a.py", "import pytest\n\n\n@pytest.mark.equation('k-a', 'gone')\ndef test(): ...\n")
    notes = book.build().soup("tests/test_a").select(".test-equations li")
    assert [note.get_text() for note in notes] == ["k-a"]


def test_no_links_where_there_are_no_pages(good_book):
    assert "2 tests" in " ".join(good_book.build("text").page("chapters/clustering/kmeans", "text").split())
