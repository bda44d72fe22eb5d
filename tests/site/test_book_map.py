"""The map of the book."""

import doctest
import xml.etree.ElementTree as ET
from itertools import pairwise

import prerequisite_graph as graph
import pytest


def test_by_task(good_book, text_of):
    groups = {
        text_of(group.select_one(".book-map-group-title")): group
        for group in good_book.soup("intro").select(".book-map-task .book-map-group")
    }
    assert list(groups) == ["Supervised learning 0 of 1 written", "Unsupervised learning 2 of 2 written"]
    unsupervised = groups["Unsupervised learning 2 of 2 written"]
    assert [link["href"] for link in unsupervised.select("li.written a")] == [
        "chapters/clustering/kmeans.html",
        "chapters/clustering/gmm.html",
    ]
    assert groups["Supervised learning 0 of 1 written"].select_one("li.planned").get_text() == "Hidden <Markov> models"


def test_by_prerequisite_draws_and_lists_the_same(good_book, text_of):
    page = good_book.soup("intro")
    svg = page.select_one("svg.book-map-svg")
    assert {box["href"] for box in svg.select("a.book-map-chapter.written")} == {
        "chapters/clustering/kmeans.html",
        "chapters/clustering/gmm.html",
    }
    assert svg.select_one("g.book-map-chapter.planned rect")["stroke-dasharray"]
    assert [path.get_text() for path in svg.select("path.book-map-edge")] == [
        "k-means before Gaussian mixtures",
        "Hidden <Markov> models before Gaussian mixtures",
    ]
    assert all(page.find(id=name) for name in svg["aria-labelledby"].split())
    assert [text_of(item) for item in page.select(".book-map-list li")] == [
        "k-means needs no other chapter",
        "Gaussian mixtures needs k-means , Hidden <Markov> models",
    ]


def test_plain_text_has_the_list_and_no_drawing(good_book):
    page = good_book.build("text").page("intro", "text")
    assert "Gaussian mixtures needs k-means, Hidden <Markov> models" in page
    assert "svg" not in page


def test_warnings(new_book):
    book = new_book(pages=["chapters/clustering/kmeans"])
    book.toc("chapters/clustering/kmeans", text="# I\n\n:::{book-map} moon\n:::\n\n:::{book-map} prerequisite\n:::\n")
    book.notebook("chapters/clustering/kmeans.ipynb", "# K", prerequisites=["nonsense"])
    book.build()
    assert "book-map is by task or by prerequisite, not by 'moon'" in book.warnings
    assert "chapters/clustering/kmeans needs 'nonsense', which is not in the outline" in book.warnings


def test_map_is_drawn_anew_when_a_chapter_changes_its_prerequisites(new_book):
    book = new_book()
    book.toc("chapters/clustering/kmeans", "chapters/clustering/gmm", text="# I\n\n:::{book-map} prerequisite\n:::\n")
    book.notebook("chapters/clustering/kmeans.ipynb", "# K")
    book.notebook("chapters/clustering/gmm.ipynb", "# G")
    assert "before" not in book.build().page("intro")
    book.notebook("chapters/clustering/gmm.ipynb", "# G", prerequisites=["kmeans"])
    assert "k-means before Gaussian mixtures" in book.build().page("intro")


def sixty():
    chapters = [graph.Node(f"c{i}", f"Chapter with & title {i}", f"Part {i // 7}", f"c{i}.html") for i in range(60)]
    return chapters, {f"c{i}": [f"c{j}" for j in (i - 1, i // 2) if 0 <= j < i] for i in range(60)}


def test_sixty_chapters_stay_apart_and_inside():
    chapters, needs = sixty()
    boxes, titles, height = graph.place(chapters)
    assert len(titles) == 9
    places = sorted(boxes.values(), key=lambda box: (box.y, box.x))
    for one, other in pairwise(places):
        assert other.x >= one.x + graph.BOX_WIDTH + 5 if other.y == one.y else other.y >= one.bottom + 5
    assert max(box.x + graph.BOX_WIDTH for box in places) <= graph.WIDTH <= 720
    assert max(box.bottom for box in places) <= height
    drawing = ET.fromstring(graph.draw(chapters, needs, "map"))
    assert float(drawing.get("viewBox").split()[3]) == pytest.approx(height, abs=1)


def test_no_two_edges_meet_a_side_at_one_point():
    chapters, needs = sixty()
    boxes, _, _ = graph.place(chapters)
    edges = [(other, chapter) for chapter, others in graph.direct(needs).items() for other in others]
    starts = [(edge[0], x) for (edge, end), x in graph.ports(boxes, edges).items() if end == "start"]
    assert len(starts) == len(set(starts)) == len(edges)


def test_examples_and_implied_prerequisites():
    assert doctest.testmod(graph).failed == 0
    assert graph.direct({"a": ["b"], "b": ["a"]}) == {"a": ["b"], "b": ["a"]}  # a cycle is drawn, not followed
