"""The map of the book."""

import doctest
import re
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
    book = new_book(pages=["chapters/clustering/kmeans", "chapters/clustering/gmm", "map"])
    book.write("map.md", "# M\n\n:::{book-map} prerequisite\n:::\n")
    book.notebook("chapters/clustering/kmeans.ipynb", "# K")
    book.notebook("chapters/clustering/gmm.ipynb", "# G")
    assert "before" not in book.build().page("map")
    book.notebook("chapters/clustering/gmm.ipynb", "# G", prerequisites=["kmeans"])
    assert "k-means before Gaussian mixtures" in book.build().page("map")


def test_tasks_without_a_name_are_shown_and_two_maps_share_no_id(new_book, text_of):
    book = new_book(pages=["chapters/clustering/kmeans"])
    book.write(
        "chapters/outline.yml", "- {part: clustering, title: C, chapters: [{stem: kmeans, title: K, task: moon}]}\n"
    )
    book.notebook("chapters/clustering/kmeans.ipynb", "# K")
    both = ":::{book-map} prerequisite\n:::\n\n" * 2
    book.toc("chapters/clustering/kmeans", text=f"# I\n\n:::{{book-map}} task\n:::\n\n{both}")
    page = book.build().soup("intro")
    assert text_of(page.select_one(".book-map-group-title")) == "moon 1 of 1 written"
    ids = [element["id"] for element in page.select(".book-map [id]")]
    assert len(ids) == len(set(ids)) == 6
    for drawing in page.select("svg"):
        assert {drawing.marker["id"], *drawing["aria-labelledby"].split()} == {
            node["id"] for node in drawing.select("[id]")
        }


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


def ends(drawing):
    """Both ends of every curve of a drawing, by the titles of its chapters, with the four points of the curve."""
    for path in drawing.findall(".//{*}path"):
        if path.get("class") == "book-map-edge":
            points = [tuple(map(float, pair)) for pair in re.findall(r"(-?\d+) (-?\d+)", path.get("d"))]
            yield path.find("{*}title").text.split(" before "), points


def test_every_curve_leads_from_the_bottom_of_a_box_to_the_edge_of_the_next():
    """To the top of a box below; to the bottom of one in the same row, by a bow under both."""
    chapters, needs = sixty()
    needs["c3"] = [*needs["c3"], "c0"]
    boxes, _, _ = graph.place(chapters)
    by_title = {chapter.title: boxes[chapter.name] for chapter in chapters}
    seen, met = set(), []
    for (first, last), (start, pull, back, end) in ends(ET.fromstring(graph.draw(chapters, needs, "map"))):
        one, other = by_title[first], by_title[last]
        assert one.x < start[0] < one.x + graph.BOX_WIDTH
        assert other.x < end[0] < other.x + graph.BOX_WIDTH
        assert start[1] == pytest.approx(one.bottom, abs=0.51)
        same_row = one.y == other.y
        assert end[1] == pytest.approx(other.bottom + 3 if same_row else other.y - 3, abs=0.51)
        assert (pull[0], back[0]) == (start[0], end[0])  # it leaves and arrives upright
        assert pull[1] > start[1]
        assert back[1] > end[1] if same_row else back[1] < end[1]
        seen.add(same_row)
        met += [(first, start), (last, end)]
    assert seen == {True, False}
    xs = [(title, x, y < by_title[title].bottom - 3) for title, (x, y) in met]
    assert len(xs) == len(set(xs))  # nothing arrives where something leaves


def test_curves_that_leave_a_box_do_not_cross():
    chapters = [graph.Node(name, name, name[0], f"{name}.html") for name in ("a0", "b0", "b1", "b2", "b3")]
    needs = {f"b{i}": ["a0"] for i in range(4)}
    drawing = ET.fromstring(graph.draw(chapters, needs, "map"))
    starts = {titles[1]: points[0][0] for titles, points in ends(drawing)}
    assert sorted(starts, key=starts.get) == ["b0", "b1", "b2", "b3"]
    assert starts["b0"] - 1 == pytest.approx(graph.BOX_WIDTH / 5, abs=1)  # they are spread evenly over the side
    backwards = dict(reversed(needs.items()))  # whatever the order in which they are named
    drawing = ET.fromstring(graph.draw(chapters, backwards, "map"))
    assert {titles[1]: points[0][0] for titles, points in ends(drawing)} == starts


def test_boxes_hold_their_titles():
    long = "A title of several lines that is much longer than the others"
    chapters = [
        graph.Node("a", "A", "P", "a.html"),
        graph.Node("b", long, "P", None),
        graph.Node("c", "C", "Q", "c.html"),
    ]
    drawing = ET.fromstring(graph.draw(chapters, {"c": ["a", "b", "a"]}, "map"))
    assert "2 written chapters" in drawing.find("{*}desc").text
    assert len(list(ends(drawing))) == 2  # a prerequisite that is named twice is drawn once
    assert drawing.find("{*}g").get("aria-hidden") == "true"  # the list says the same
    (marker,) = drawing.findall(".//{*}marker")
    for path in drawing.findall(".//{*}path"):
        assert path.get("class") != "book-map-edge" or path.get("marker-end") == f"url(#{marker.get('id')})"
    boxes = [
        (g.find("{*}rect"), list(g.findall(".//{*}tspan")))
        for g in drawing.iter()
        if "book-map-chapter" in g.get("class", "")
    ]
    assert [rect.get("stroke-dasharray") is None for rect, _ in boxes] == [True, False, True]
    bottoms = []
    for rect, lines in boxes:
        x, y, height = (float(rect.get(key)) for key in ("x", "y", "height"))
        rows = [float(line.get("y")) for line in lines]
        assert {float(line.get("x")) for line in lines} == {x + graph.BOX_WIDTH / 2}
        assert all(abs(b - a - graph.LINE) <= 1 for a, b in pairwise(rows))  # whole pixels
        assert (rows[0] + rows[-1]) / 2 == pytest.approx(y + height / 2 + 4, abs=1)
        assert y + graph.LINE / 2 < rows[0]
        assert rows[-1] < y + height
        bottoms.append(y + height)
    assert bottoms[0] == bottoms[1]  # one height in a row
    titles = {
        text.text: float(text.get("y"))
        for text in drawing.findall(".//{*}text")
        if text.get("class") == "book-map-part"
    }
    assert 0 < titles["P"] < float(boxes[0][0].get("y"))
    assert bottoms[1] < titles["Q"] < float(boxes[2][0].get("y"))


def test_examples_and_implied_prerequisites():
    assert doctest.testmod(graph).failed == 0
    deep = {"d": ["a", "c"], "c": ["b"], "b": ["a"], "e": ["a", "d"]}  # d follows a by way of c and b
    assert graph.direct(deep) == {"d": ["c"], "c": ["b"], "b": ["a"], "e": ["d"]}
    assert graph.direct({"c": ["a", "b"], "b": ["c"]}) == {
        "c": ["a", "b"],
        "b": ["c"],
    }  # one in a circle implies nothing
    assert graph.direct({"a": ["b"], "b": ["a"]}) == {"a": ["b"], "b": ["a"]}  # a cycle is drawn, not followed
