"""The deck of exam cards for Anki."""

import json
import sqlite3
import time
import zipfile

import pytest

KMEANS, HMM = "chapters/clustering/kmeans", "chapters/sequences/hmm"
PAGES = {
    KMEANS: "# k-means\n\n(there)=\n## A & B\n\n$$\nx\n$$ (kmeans-x)\n\n"
    ":::{must-know} The value $J<1$\n:label: kmeans-must-know-j\nSee {eq}`kmeans-x` in {ref}`there`: $a < b$\n\n"
    "$$\na \\\\ b\n$$\n:::\n\n:::{counting} How many\n:label: kmeans-counting\nTwo.\n:::\n",
    HMM: "# HMM\n\n:::{must-know} Density\n:label: hmm-must-know-density\nA *sum*.\n:::\n",
    "sheet": "# Sheet\n\n:::{anki-deck} must-know\n:::\n",
}


@pytest.fixture
def book(new_book):
    book = new_book(pages=list(PAGES))
    for page, text in PAGES.items():
        book.write(f"{page}.md", text)
    return book


def deck_file(book):
    return book.root / "out" / "html" / "_downloads" / "mini-must-know.apkg"


def collection(book, folder):
    """The only row of the package's table col: what Anki knows of decks and of the type of note."""
    with zipfile.ZipFile(deck_file(book)) as package:
        package.extract("collection.anki2", folder)
    connection = sqlite3.connect(folder / "collection.anki2")
    try:
        ((models, decks),) = connection.execute("select models, decks from col")
        return json.loads(models), json.loads(decks)
    finally:
        connection.close()


def read(book, folder):
    """Notes and decks of the package, read with nothing but SQLite."""
    with zipfile.ZipFile(deck_file(book)) as package:
        package.extract("collection.anki2", folder)
    connection = sqlite3.connect(folder / "collection.anki2")
    try:
        notes = [(guid, *fields.split("\x1f")) for guid, fields in connection.execute("select guid, flds from notes")]
        (decks,) = connection.execute("select decks from col").fetchone()
        return notes, decks
    finally:
        connection.close()


def test_one_note_for_each_card_of_the_kind(book, tmp_path):
    notes, decks = read(book.build(), tmp_path)
    assert not book.warnings
    assert [note[1] for note in notes] == ["kmeans-must-know-j", "hmm-must-know-density"]
    assert [note[4] for note in notes] == ["k-means", "Hidden &lt;Markov&gt; models"]
    assert '"Mini::k-means"' in decks
    assert '"Mini::Hidden <Markov> models"' in decks


def test_formulas_are_source_and_links_are_text(book, tmp_path):
    (_, _, title, statement, _), (_, _, _, density, _) = read(book.build(), tmp_path)[0]
    assert r"The value \(J&lt;1\)" in title
    assert r"A &amp; B</span>: \(a &lt; b\)" in statement
    assert "See (1)" in statement
    assert r"\[\begin{split}a \\ b\end{split}\]" in statement.replace("\n", "")
    assert "<em>sum</em>" in density
    for text in (title, statement, density):
        assert "<a " not in text
        assert "katex" not in text
        assert "id=" not in text


@pytest.mark.parametrize(("old", "new", "field"), [("*sum*", "mixture", 3), ("Density", "Mixture density", 2)])
def test_a_note_keeps_its_identity_when_its_text_changes(book, tmp_path, old, new, field):
    before = read(book.build(), tmp_path)[0]
    book.write(f"{HMM}.md", PAGES[HMM].replace(old, new))
    after = read(book.build(), tmp_path)[0]
    assert [note[0] for note in before] == [note[0] for note in after]
    assert len({note[0] for note in after}) == 2
    assert new in after[1][field]


def test_front_and_back_show_the_fields_under_their_names(book, tmp_path):
    ((note_type,), _) = (list(found.values()) for found in collection(book.build(), tmp_path))
    names = [field["name"] for field in note_type["flds"]]
    note = dict(zip(names, read(book, tmp_path)[0][1][1:], strict=True))
    assert (note["Label"], note["Chapter"]) == ("hmm-must-know-density", "Hidden &lt;Markov&gt; models")
    assert "Density" in note["Title"]
    assert "sum" in note["Statement"]
    assert names[note_type["sortf"]] == "Title"  # what Anki's browser lists
    (template,) = note_type["tmpls"]
    assert [name for name in names if f"{{{{{name}}}}}" in template["qfmt"]] == ["Title", "Chapter"]
    assert "{{FrontSide}}" in template["afmt"]
    assert "{{Statement}}" in template["afmt"]


def test_ids_are_the_same_in_every_release(book, tmp_path):
    """Another number would leave the learner with a second deck and a second type of note."""
    models, decks = collection(book.build(), tmp_path)
    assert list(models) == ["3319666112"]
    assert {deck["name"]: int(key) for key, deck in decks.items() if key != "1"} == {
        "Mini::k-means": 5385787090,
        "Mini::Hidden <Markov> models": 4026476860,
    }


def test_the_link(book):
    link = book.build().soup("sheet").select_one(".deck-link a")
    assert link.get_text() == "Download 2 cards for Anki"
    assert (book.root / "out" / "html" / link["href"]).resolve() == deck_file(book)
    book.write(f"{HMM}.md", "# HMM\n")
    assert book.build().soup("sheet").select_one(".deck-link a").get_text() == "Download 1 cards for Anki"


def test_mistakes_and_statements_lie_in_decks_of_their_own(book, tmp_path, notebook_code):
    mistake = ":::{lost-marks} $J$ may grow\n:label: kmeans-lost-marks-j\nIt *cannot*.\n:::\n"
    true = ":::{true-false} It stops at $J$.\n:label: kmeans-tf-j\n:answer: true\nBy {eq}`kmeans-x`.\n:::\n"
    (book.root / f"{KMEANS}.md").unlink()
    book.notebook(f"{KMEANS}.ipynb", PAGES[KMEANS] + mistake, notebook_code("1", "output\n"), true)
    book.write("sheet.md", "# Sheet\n\n:::{anki-deck} must-know lost-marks statements\n:::\n")
    notes, decks = read(book.build(), tmp_path)
    assert not book.warnings
    for name in ("Mini::k-means", "Mini::Mistakes::k-means", "Mini::True or false::k-means"):
        assert f'"{name}"' in decks
    texts = {label: (title, statement) for _, label, title, statement, _ in notes}
    assert list(texts) == ["kmeans-must-know-j", "hmm-must-know-density", "kmeans-lost-marks-j", "kmeans-tf-j"]
    assert r"\(J\) may grow" in texts["kmeans-lost-marks-j"][0]
    assert "It <em>cannot</em>." in texts["kmeans-lost-marks-j"][1]
    question, answer = texts["kmeans-tf-j"]
    assert r"It stops at \(J\)." in question
    assert "true" not in question
    assert "The statement is true." in answer
    assert "By (1)" in answer
    assert not [word for word in ("Wrong.", "Right.", "<a ", "id=") if word in question + answer]
    assert book.soup("sheet").select_one(".deck-link a").get_text() == "Download 4 cards for Anki"
    ends = true.replace("stops", "ends")  # and nothing else
    book.notebook(f"{KMEANS}.ipynb", PAGES[KMEANS] + mistake, notebook_code("1", "output\n"), ends)
    assert "It ends at" in read(book.build(), tmp_path)[0][-1][2]


def test_unknown_kind(book):
    book.write("sheet.md", "# Sheet\n\n:::{anki-deck} nonsense\n:::\n")
    assert "a deck of the unknown kind 'nonsense'" in book.build().warnings
    assert not deck_file(book).exists()


@pytest.mark.browser
def test_anki_imports_the_deck(book, tmp_path, monkeypatch):
    from anki.collection import Collection, ImportAnkiPackageRequest

    collection = Collection(str(tmp_path / "collection.anki2"))
    try:
        book.build()
        request = ImportAnkiPackageRequest(package_path=str(deck_file(book)))
        assert len(collection.import_anki_package(request).log.new) == 2
        names = {deck.name for deck in collection.decks.all_names_and_ids()}
        assert {"Mini::k-means", "Mini::Hidden <Markov> models"} <= names
        (card,) = (collection.get_card(number) for number in collection.find_cards("Label:hmm-must-know-density"))
        assert "Density" in card.question()
        assert "sum" not in card.question()
        assert "<em>sum</em>" in card.answer()

        again = collection.import_anki_package(request).log  # nothing twice
        assert (len(again.new), len(again.updated), collection.note_count()) == (0, 0, 2)

        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + 60)  # Anki takes the newer of two notes, by the second
        book.write(f"{HMM}.md", PAGES[HMM].replace("*sum*", "product"))
        book.build()
        newer = collection.import_anki_package(request).log
        assert (len(newer.new), len(newer.updated), collection.note_count()) == (0, 2, 2)  # both are rewritten
        assert "product" in collection.get_card(card.id).answer()
    finally:
        collection.close()
