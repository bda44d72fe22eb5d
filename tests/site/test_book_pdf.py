"""The book on paper: which pages, in which order, with solutions at the end, bookmarks and links that lead there."""

import pytest
from bs4 import BeautifulSoup

from tools.book_pdf import prepare
from tools.book_pdf.__main__ import main
from tools.book_pdf.binding import Place, target
from tools.book_pdf.outline import HEADING, Heading, Printed, contents, merged
from tools.book_pdf.plan import BIBLIOGRAPHY, chosen


def chapters(*names, sections=()):
    listed = [{"file": f"chapters/{name}"} for name in names]
    listed[0] |= {"sections": [{"file": f"chapters/{name}"} for name in sections]} if sections else {}
    return listed


TOC = {
    "parts": [
        {"caption": "Before you start", "chapters": chapters("notation")},
        {"caption": "Trees and ensembles", "numbered": True, "chapters": chapters("trees/cart", "trees/adaboost")},
        {"caption": "Clustering", "numbered": True, "chapters": chapters("clustering/kmeans")},
        {
            "caption": "Revision",
            "chapters": [
                *chapters("revision/hub", sections=["revision/hub/cart"]),
                *chapters("revision/formula_sheet", sections=["revision/formula_sheet/trees"]),
                *chapters("revision/errata", "revision/glossary", sections=["revision/errata/trees"]),
            ],
        },
        {"caption": "Appendix", "chapters": chapters("appendix/api", "appendix/bibliography")},
    ]
}


def pages_of(word):
    return [page.removeprefix("chapters/") for page in chosen(TOC, word, "Book").pages]


def test_the_book_has_the_chapters_in_order_and_closes_with_what_it_refers_to():
    plan = chosen(TOC, "", "Book")
    assert (plan.name, plan.title) == ("book", "Book")
    assert [page.removeprefix("chapters/") for page in plan.pages] == [
        "notation",
        "trees/cart",
        "trees/adaboost",
        "clustering/kmeans",
        "revision/formula_sheet",
        "revision/glossary",
        "appendix/bibliography",
    ]
    assert [part.title for part in plan.parts] == ["Before you start", "Trees and ensembles", "Clustering", "Reference"]


@pytest.mark.parametrize(
    ("word", "pages"),
    [
        ("trees", ["trees/cart", "trees/adaboost", "appendix/bibliography"]),
        ("adaboost", ["trees/adaboost", "appendix/bibliography"]),
        ("before_you_start", ["notation", "appendix/bibliography"]),
        (
            "revision",
            [
                "revision/formula_sheet",
                "revision/errata",
                "revision/errata/trees",
                "revision/glossary",
                "appendix/bibliography",
            ],
        ),
        ("bibliography", ["appendix/bibliography"]),
        ("appendix", ["appendix/api", "appendix/bibliography"]),
    ],
)
def test_a_part_or_a_page_is_called_by_its_name(word, pages):
    assert pages_of(word) == pages
    assert chosen(TOC, word, "Book").name == word


def test_a_wrong_name_is_answered_with_those_like_it(tmp_path, capsys):
    with pytest.raises(ValueError, match="no part or chapter is called 'adabost'; there is adaboost"):
        chosen(TOC, "adabost", "Book")
    assert main(["clustring", "--html", str(tmp_path)]) == 2
    assert "there is clustering" in capsys.readouterr().err


def test_without_a_book_it_says_how_to_build_one(tmp_path, capsys):
    assert main(["kmeans", "--html", str(tmp_path), "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("chapters/clustering/kmeans is not a page of the built book")
    assert "python3 run.py book" in said
    assert not list(tmp_path.iterdir())


EXERCISES = """<html><body><article><section id="k"><h1>1. k</h1>
<section id="by-hand"><h3>By hand</h3><p>The drill.</p>
<div class="cell"><details class="hide above-input"><summary>Show the full-marks answer</summary>
<div class="cell_input">Markdown(hand.solution)</div></details><div class="cell_output"><p>Drilled.</p></div></div>
</section>
<div class="exercise" id="ex-a"><p class="admonition-title"><span class="caption-number">Exercise 1.1 </span> First</p>
<p>Task A.</p></div>
<div class="solution dropdown" id="so-a"><p class="admonition-title">Solution</p><div><p>Solved A.</p></div></div>
<p>Between.</p>
<div class="exercise" id="ex-b">
<p class="admonition-title"><span class="caption-number">Exercise 1.2 </span> Other</p></div>
<div class="solution dropdown"><p class="admonition-title">Solution</p><div><p>Solved B.</p></div></div>
<section id="summary"><h2>Summary</h2><p>The end.</p></section>
</section></article></body></html>"""


@pytest.fixture
def solved():
    soup = BeautifulSoup(EXERCISES, "html.parser")
    prepare.move_solutions(soup)
    return soup


def test_solutions_stand_at_the_end_in_the_order_of_their_tasks(solved, text_of):
    text = text_of(solved.body)
    places = [text.index(said) for said in ("Task A.", "Between.", "The end.", "Drilled.", "Solved A.", "Solved B.")]
    assert places == sorted(places)
    assert text.count("Solved A.") == 1
    last = solved.select_one("article > section").find_all("section", recursive=False)[-1]
    assert last.h2.get_text() == "Solutions"
    assert "Markdown(" not in text
    assert "full-marks answer" not in text


def test_tasks_and_solutions_lead_to_each_other(solved):
    there = [(link.get_text(), solved.find(id=link["href"][1:])) for link in solved.select(".to-solution a")]
    assert [name for name, _ in there] == [
        f"Solution of {of}" for of in ("drill 1 by hand", "exercise 1.1", "exercise 1.2")
    ]
    said = [box.select_one(".of-exercise ~ *").get_text() for _, box in there]
    assert said == ["Drilled.", "Solved A.", "Solved B."]
    back = [solved.find(id=box.select_one(".of-exercise a")["href"][1:]) for _, box in there]
    assert [place.get("id") for place in back] == ["paper-drill-1", "ex-a", "ex-b"]
    assert "The drill." in back[0].find_previous("p").get_text()


def test_a_page_without_solutions_gets_no_section_for_them():
    soup = BeautifulSoup("<body><article><section><h1>A</h1></section></article></body>", "html.parser")
    prepare.move_solutions(soup)
    assert "Solutions" not in str(soup)


def test_what_moves_becomes_three_frames_with_their_captions():
    frames = "".join(f'<img alt="It moves (frame {i} of 5)" hidden src="{i}.png">' for i in range(1, 6))
    states = "".join(f'<img alt="K = {i}" src="{i}.png">' for i in range(2))
    html = f'<article><div class="anim-player">{frames}</div><div class="explorer">{states}</div></article>'
    soup = BeautifulSoup(prepare.prepared(f"<html><head></head><body>{html}</body></html>", "", 1), "html.parser")
    shown = [(image["src"], image.find_next("p").get_text()) for image in soup.select(".anim-player img")]
    assert shown == [("1.png", "frame 1 of 5"), ("3.png", "frame 3 of 5"), ("5.png", "frame 5 of 5")]
    assert [p.get_text() for p in soup.select(".explorer p")] == ["K = 0", "K = 1"]
    assert not soup.select("img[hidden]")
    assert {image["loading"] for image in soup.select("img")} == {"eager"}


def test_labels_before_a_heading_stay_with_it():
    soup = BeautifulSoup('<section><span id="a"></span><span id="b"></span><h2>Why</h2></section>', "html.parser")
    prepare.join_labels(soup)
    assert [span["id"] for span in soup.select("h2 > span")] == ["a", "b"]
    assert soup.section.contents[0].name == "h2"


def test_of_a_bibliography_what_is_cited_stays():
    entries = "".join(f'<div class="citation" id="id{i}"><p>Work {i}.</p></div>' for i in (1, 2, 12))
    html = f"<html><body><article><section><h1>Works</h1><p>All.</p>{entries}</section></article></body></html>"
    for cited, works in (({"id12", "id2"}, [2, 12]), (None, [1, 2, 12]), (set(), [])):
        soup = BeautifulSoup(prepare.prepared(html, "", 1, cited), "html.parser")
        assert [p.get_text() for p in soup.select(".citation p")] == [f"Work {i}." for i in works]
        assert soup.h1.get_text() == "Works"
        assert ("All." in soup.get_text()) is (cited is None)


def test_a_page_says_its_titles_and_its_first_number():
    made = prepare.prepared("<html><head></head><body><h1>A  \\ <em>B</em></h1></body></html>", 'The "Book"', 36)
    assert r'@top-left { content: "A \\ B"; }' in made
    assert r'@top-right { content: "The \"Book\""; }' in made
    assert "counter-set: page 36" in made


CHAPTERS = [
    Printed("Trees", [Heading("CART", 0, 0, 700.0), Heading("Why", 1, 0, 500.0), Heading("Splits", 1, 2, 90.0)], 4),
    Printed("", [Heading("AdaBoost", 0, 0, 700.0), Heading("Why", 1, 1, 650.0)], 3),
    Printed("Clustering", [Heading("k-means", 0, 0, 700.0)], 2),
]


def test_outlines_of_chapters_become_one():
    assert [(h.title, h.level, h.page, h.top) for h in merged(CHAPTERS)] == [
        ("Trees", 0, 0, None),
        ("CART", 1, 0, 700.0),
        ("Why", 2, 0, 500.0),
        ("Splits", 2, 2, 90.0),
        ("AdaBoost", 1, 4, 700.0),
        ("Why", 2, 5, 650.0),
        ("Clustering", 0, 7, None),
        ("k-means", 1, 7, 700.0),
    ]
    assert [h.level for h in merged([CHAPTERS[1]])] == [0, 1]


def test_the_contents_say_on_which_page_each_heading_is_and_lead_there():
    soup = BeautifulSoup(contents("A & B", merged(CHAPTERS)), "html.parser")
    assert soup.title.get_text() == soup.h1.get_text() == "A & B"
    lines = [[span.get_text() for span in line.select("span")] for line in soup.select("p")]
    assert lines[:3] == [["Trees", "1"], ["CART", "1"], ["Why", "1"]]
    assert lines[4] == ["AdaBoost", "5"]
    headings = [Place(i) for i in range(8)]
    assert [target(a["href"], {}, headings).page for a in soup.select("a")] == list(range(8))
    assert soup.a["href"].startswith(HEADING)


def test_links_lead_to_their_place_or_the_page_of_it_or_nowhere():
    places = {"file:///b/é.html": Place(3), "file:///b/é.html#a b": Place(5)}
    assert target("file:///b/%C3%A9.html#a%20b", places) == Place(5)
    assert target("file:///b/%C3%A9.html#gone", places) == Place(3)
    assert target("file:///b/other.html", places) is None
    assert target("https://doi.org/10.1000/1", places) is None
    assert BIBLIOGRAPHY.endswith("bibliography")
