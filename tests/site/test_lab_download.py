"""The site offers notebooks as chapters for JupyterLab."""

import nbformat
import pytest

BIB = "@book{one2001, author = {Ann One}, title = {A}, year = {2001}}"


@pytest.fixture
def book(new_book, notebook_code):
    small = new_book(["katex_math", "chapter_role", "lab_download"], ["chapters/clustering/kmeans", "plain"])
    small.write("references.bib", BIB)
    small.write("plain.md", "# Plain\n")
    hidden = notebook_code("print(fingerprint(fig))", "1\n")
    hidden["metadata"] = {"tags": ["remove-cell"]}
    small.notebook("chapters/clustering/kmeans.ipynb", "# k-means\n\nAs in {chapter}`hmm`.", hidden)
    return small


def sources(book):
    nb = nbformat.read(book.root / "out/html/_sources/chapters/clustering/kmeans.ipynb", 4)
    return [cell.source for cell in nb.cells]


def test_the_copy_of_a_notebook_travels_alone(book):
    book.build()
    install, text = sources(book)
    assert "pip install" in install
    assert text == "# k-means\n\nAs in *Hidden <Markov> models*."
    assert (book.root / "out/html/_sources/plain.md").read_text() == "# Plain\n"
    assert "fingerprint" in (book.root / "chapters/clustering/kmeans.ipynb").read_text()


def test_a_later_build_converts_what_it_copies(book):
    book.build()
    before = sources(book)
    book.write("plain.md", "# Plain, changed\n")
    book.build()
    assert sources(book) == before
    book.notebook("chapters/clustering/kmeans.ipynb", "# k-means, changed")
    book.build()
    assert sources(book)[1:] == ["# k-means, changed"]
    assert len(sources(book)) == 2
