"""The page of the worksheets in a small book, and the links to it from the hubs."""

import pytest
from worksheets import SCRIPTS

PAGES = ("chapters/clustering/kmeans", "hub", "sheets/all", "trainer")
SHEETS = "# Worksheet\n\n:::{worksheet}\nWithout *script*, `run.py worksheet`.\n:::\n"


@pytest.fixture
def book(new_book, monkeypatch):
    monkeypatch.setattr("drill_scripts.SEEDS", 2)
    monkeypatch.setattr("trainer.write_drills", lambda app, exception: None)
    book = new_book(("katex_math", "chapter_role", "quiz", "chapter_hub", "trainer", "worksheets"), PAGES)
    book.write("chapters/clustering/kmeans.md", "# k-means\n")
    book.write("hub.md", "# Hub\n\n:::{chapter-hub} kmeans\n:::\n")
    book.write("sheets/all.md", SHEETS)
    book.write("trainer.md", "# Trainer\n\n:::{trainer} k-means\n:::\n")
    return book


def test_the_page_says_what_to_do_without_script_and_where_the_trainer_is(book, text_of):
    (place,) = book.build().soup("sheets/all").select(".worksheet-page")
    assert book.warnings == ""
    assert text_of(place) == "Without script , run.py worksheet ."
    assert place["data-trainer"] == "../trainer.html"


def test_scripts_and_style_sheets_are_loaded_there_alone(book):
    book.build()
    for name in (*(f"{script}.js" for script in SCRIPTS), "worksheet.css"):
        assert name in book.page("sheets/all")
    assert "worksheet.js" not in book.page("hub")


def test_a_hub_leads_to_the_sheets_of_its_chapter(book):
    (link,) = book.build().soup("hub").select("a.hub-worksheet")
    assert (link.get_text(), link["href"]) == ("Print a worksheet", "sheets/all.html#chapter=kmeans&seed=0")


def test_a_hub_leads_nowhere_without_the_page(book):
    book.write("sheets/all.md", "# None\n")
    assert not book.build().soup("hub").select("a.hub-worksheet")
    assert book.warnings == ""


def test_other_formats_have_the_text(book):
    assert "Without *script*" in book.build("text").page("sheets/all", "text")
