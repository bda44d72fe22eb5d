"""Tests of notes_lib.plotting: what is drawn, not how it looks."""

import json
import re

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from IPython.core.pylabtools import retina_figure
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from notes_lib import plotting
from notes_lib.display import fingerprint
from notes_lib.plotting.drawing import retina


@pytest.fixture
def ax():
    fig, ax = plotting.subplots(width=4, height=3)
    yield ax
    plt.close(fig)


def test_use_style_sets_the_style():
    with matplotlib.rc_context():
        plotting.use_style()
        assert plt.rcParams["legend.frameon"] is False


def test_canvases_share_what_one_has_parsed():
    with matplotlib.rc_context():
        plotting.use_style()
        first, second = (FigureCanvasAgg(Figure(dpi=dpi)).get_renderer() for dpi in (96, 192))
        assert first.mathtext_parser is second.mathtext_parser


def plain(fig):
    fig.subplots().plot([0, 1], [0, 1000])


def crowded(fig):
    """Labels beside the axes, a legend that looks for its place, and a colour bar."""
    axes = fig.subplots(1, 2, sharey=True)
    axes[0].plot(np.arange(9) ** 2, label="squares")
    axes[0].legend()
    axes[0].set(xlabel="$x_n$", ylabel="$y$", title="left")
    axes[1].text(1.3, 0.5, "far out", transform=axes[1].transAxes)
    fig.colorbar(axes[1].imshow(np.arange(6).reshape(2, 3)), ax=axes[1])
    fig.suptitle("above")


def by_hand(fig):
    """No layout, a coloured ground, and text beyond the edge of the figure."""
    fig.set_layout_engine("none")
    fig.set_facecolor("0.9")
    fig.add_axes((0.2, 0.2, 0.6, 0.6)).set_title("a title that is far wider than the figure that it stands on")


@pytest.mark.parametrize("draw", [plain, crowded, by_hand])
def test_a_figure_is_the_one_that_ipython_would_show(draw):
    """The same bytes and the same size, and the figure is left as it was."""
    with matplotlib.rc_context():
        plotting.use_style()
        first, second = plt.figure(figsize=(4, 2)), plt.figure(figsize=(4, 2))
        draw(first)
        draw(second)
        engine = first.get_layout_engine()
        assert retina(first) == retina_figure(second, base64=True)
        assert first.dpi == second.dpi
        assert first.get_layout_engine() is engine
    plt.close(first)
    plt.close(second)


def test_an_empty_figure_is_not_shown():
    fig = plt.figure()
    assert retina(fig) is None
    plt.close(fig)


def test_scatter_draws_every_point_once(ax):
    X = np.arange(12.0).reshape(6, 2)
    plotting.scatter_clusters(ax, X, labels=[0, 1, 0, 1, 2, 2], centers=[[1.0, 2.0]])
    clouds = [np.asarray(c.get_offsets()) for c in ax.collections]
    assert [len(c) for c in clouds] == [2, 2, 2, 1, 1]
    np.testing.assert_array_equal(np.sort(np.vstack(clouds[:3])[:, 0]), X[:, 0])
    grey = (0.45, 0.45, 0.45, 1)
    plotting.scatter_clusters(ax, X)
    np.testing.assert_allclose(ax.collections[-1].get_facecolors(), [grey])
    np.testing.assert_array_equal(np.asarray(ax.collections[-1].get_offsets()), X)


def test_colour_and_marker_follow_from_the_label(ax):
    """A cluster keeps its colour in every picture, also where another one is missing."""
    plotting.scatter_clusters(ax, np.arange(6.0).reshape(3, 2), labels=[3, 1, 9])
    for cloud, label in zip(ax.collections, [1, 3, 9], strict=True):
        color = matplotlib.colors.to_rgb(plotting.COLORS[label % 8])
        np.testing.assert_allclose(cloud.get_facecolors()[0][:3], color)
        marker = matplotlib.markers.MarkerStyle(plotting.MARKERS[label % 8])
        expected = marker.get_path().transformed(marker.get_transform())
        np.testing.assert_array_equal(cloud.get_paths()[0].vertices, expected.vertices)


def test_centres_are_black_crosses_on_white(ax):
    plotting.scatter_clusters(ax, np.zeros((1, 2)), size=9, centers=[[1.0, 2.0], [3.0, 4.0]])
    points, rim, crosses = ax.collections
    assert points.get_sizes() == [9]
    assert rim.get_zorder() < crosses.get_zorder()
    assert rim.get_sizes() > crosses.get_sizes()
    np.testing.assert_array_equal(rim.get_facecolors(), [[1, 1, 1, 1]])
    np.testing.assert_array_equal(crosses.get_facecolors(), [[0, 0, 0, 1]])
    np.testing.assert_array_equal(np.asarray(crosses.get_offsets()), [[1, 2], [3, 4]])
    np.testing.assert_array_equal(np.asarray(rim.get_offsets()), [[1, 2], [3, 4]])


def test_ellipse_is_a_contour_of_mahalanobis_distance(ax):
    mu, Sigma = np.array([1.0, -2.0]), np.array([[3.0, 1.2], [1.2, 1.0]])
    ellipse = plotting.covariance_ellipse(ax, mu, Sigma, n_std=1.5)
    rim = ellipse.get_patch_transform().transform(ellipse.get_path().vertices[:-1])
    difference = rim - mu
    distance = np.sqrt(np.einsum("ij,ij->i", difference @ np.linalg.inv(Sigma), difference))
    on_curve = distance[::3]  # the other vertices are control points of the Bezier curve
    np.testing.assert_allclose(on_curve, 1.5, rtol=1e-6)


def test_decision_regions_show_the_predictions(ax):
    plotting.decision_regions(ax, lambda X: (X[:, 0] > 0) * 2, (-1.0, 1.0, 0.0, 1.0), resolution=4)
    np.testing.assert_array_equal(np.asarray(ax.images[0].get_array()), [[0, 0, 2, 2]] * 4)
    assert ax.get_xlim() == (-1.0, 1.0)


def test_ellipse_takes_a_colour_and_a_style(ax):
    plain = plotting.covariance_ellipse(ax, [0.0, 0.0], np.eye(2))
    assert (plain.get_edgecolor(), plain.get_fill()) == ((0, 0, 0, 1), False)
    red = plotting.covariance_ellipse(ax, [0.0, 0.0], np.eye(2), color="red", linestyle="--", linewidth=3)
    assert (red.get_edgecolor(), red.get_linestyle(), red.get_linewidth()) == ((1, 0, 0, 1), "--", 3)
    assert list(ax.patches) == [plain, red]


def test_colours_of_decision_regions_are_those_of_the_points(ax):
    """Class c has the colour c, also where a class in between is never predicted."""
    plotting.decision_regions(ax, lambda X: np.where(X[:, 0] > 0, 3, 1), (-1.0, 1.0, 0.0, 2.0))
    image = ax.images[0]
    for label in (1, 3):
        np.testing.assert_allclose(image.cmap(image.norm(label)), matplotlib.colors.to_rgba(plotting.COLORS[label]))
    assert image.get_array().shape == (200, 200)
    assert image.get_extent() == [-1.0, 1.0, 0.0, 2.0]


@pytest.mark.parametrize("column", [0, 1])
def test_every_tint_stands_where_the_prediction_is_made(ax, column):
    """Each pixel of the picture has the colour of the class that is predicted at its place."""
    plotting.decision_regions(ax, lambda X: (X[:, column] > 2.5).astype(int), (0.0, 4.0, 1.0, 5.0), resolution=40)
    ax.set_position((0, 0, 1, 1))
    ax.set_axis_off()
    ax.figure.set_layout_engine("none")
    ax.figure.canvas.draw()
    pixels = np.asarray(ax.figure.canvas.buffer_rgba(), dtype=float)[:, :, :3]
    height = len(pixels)
    for x, y in [(0.5, 1.5), (3.5, 1.5), (0.5, 4.5), (3.5, 4.5)]:
        column_px, row_px = ax.transData.transform((x, y))
        color = matplotlib.colors.to_rgb(plotting.COLORS[int((x, y)[column] > 2.5)])
        tint = 255 * (0.18 * np.array(color) + 0.82)
        np.testing.assert_allclose(pixels[height - 1 - int(row_px), int(column_px)], tint, atol=2)


def test_decision_regions_upside_down_have_another_fingerprint(ax):
    plotting.decision_regions(ax, lambda X: (X[:, 1] > 0.25).astype(int), (-1.0, 1.0, 0.0, 1.0), resolution=4)
    assert fingerprint(ax.figure) == "axes 0 image n=16 min=0 mean=0.75 max=1 quarters=[1, 1, 0.5, 0.5]"


def draw_line(fig, i):
    fig.subplots().plot([0, i])


def test_a_graph_has_an_arrow_from_each_parent_and_grey_observations(ax):
    places = {"a": (0.0, 1.0), "b": (2.0, 1.0), "c": (1.0, 0.0)}
    plotting.draw_graph(ax, {"a": [], "b": [], "c": ["a", "b"]}, places, observed=["b"], size=20)
    names = {t.get_text(): t.get_position() for t in ax.texts if t.get_text()}
    assert names == places
    arrows = [(t.xyann, t.xy) for t in ax.texts if isinstance(t, matplotlib.text.Annotation)]
    assert arrows == [(places["a"], places["c"]), (places["b"], places["c"])]
    circles = {tuple(np.ravel(line.get_data())): line for line in ax.lines}
    assert {place: circles[place].get_markerfacecolor() for place in places.values()} == {
        places["a"]: "white", places["b"]: "0.8", places["c"]: "white",
    }  # fmt: skip
    assert {line.get_markersize() for line in ax.lines} == {20}
    assert not ax.axison


def test_player_holds_every_frame_and_nothing_from_outside():
    movie = plotting.player(draw_line, 3, "line", 'a "rising" line')
    markup = movie._repr_html_()
    assert markup.count("data:image/png;base64,") == 3
    assert markup.count('<img class="anim-frame" hidden="hidden" ') == 2
    assert "a &quot;rising&quot; line (frame 3 of 3)" in markup
    assert "http" not in markup
    assert repr(movie).startswith("<animation of 3 frames")


def test_player_draws_each_frame_at_its_size_and_speed():
    drawn = []

    def draw(fig, i):
        drawn.append((i, tuple(fig.get_size_inches())))
        draw_line(fig, i)

    open_before = plt.get_fignums()
    markup = plotting.player(draw, 3, "line", "a line", width=2.0, height=1.0, fps=4.0).markup
    assert drawn == [(0, (2, 1)), (1, (2, 1)), (2, (2, 1))]
    assert plt.get_fignums() == open_before
    frames = re.findall(
        r'<img class="anim-frame"( hidden="hidden")? src="([^"]+)" alt="([^"]+)" width="192" height="96">', markup
    )
    assert [(bool(hidden), alt) for hidden, _, alt in frames] == [
        (False, "a line (frame 1 of 3)"),
        (True, "a line (frame 2 of 3)"),
        (True, "a line (frame 3 of 3)"),
    ]
    assert len({source for _, source, _ in frames}) == 3
    assert "}, 250 * speed.value);" in markup  # milliseconds a frame
    assert '<input type="range" min="1" max="3" value="1"' in markup
    assert "show(slider.value - 1)" in markup  # the slider counts from 1


def test_the_text_of_a_player_tells_of_a_change_in_any_frame():
    def other(fig, i):
        draw_line(fig, i)
        if i == 2:
            fig.axes[0].lines[0].set_ydata(1.01 * fig.axes[0].lines[0].get_ydata())

    text = repr(plotting.player(draw_line, 3, "line", "a line"))
    assert text.startswith("<animation of 3 frames, fingerprint ")
    assert text == repr(plotting.player(draw_line, 3, "other", "another alt", width=2.0))
    assert text != repr(plotting.player(other, 3, "line", "a line"))


def test_player_is_reproducible():
    assert plotting.player(draw_line, 2, "a", "b").markup == plotting.player(draw_line, 2, "a", "b").markup


@pytest.mark.parametrize(
    ("kw", "what"),
    [
        ({"n_frames": 0}, "n_frames must be"),
        ({"name": "a b"}, "name must"),
        ({"name": "\u00e4"}, "name must"),
        ({"max_kilobytes": 1}, "max_kilobytes=1"),
    ],
)
def test_player_refuses(kw, what):
    with pytest.raises(ValueError, match=what):
        plotting.player(**{"draw": draw_line, "n_frames": 2, "name": "a", "alt": "b"} | kw)


def draw_point(fig, size, color):
    fig.subplots().scatter([size], [len(color)])
    return f"a {color} point <{size}>"


def explore(**kw):
    given = {
        "draw": draw_point,
        "grid": {"size s": [1, 0.25, 1 / 3], "colour": ["red", "blue"]},
        "name": "p",
        "alt": "b",
    }
    return plotting.explorer(**given | kw)


def test_explorer_draws_each_state_once_in_the_order_of_the_grid():
    drawn, open_before = [], plt.get_fignums()

    def draw(fig, size, color):
        drawn.append((size, color, tuple(fig.get_size_inches())))
        return draw_point(fig, size, color)

    states = explore(draw=draw, width=2.0, height=1.0)
    assert [(size, color) for size, color, _ in drawn] == [
        (1, "red"), (1, "blue"), (0.25, "red"), (0.25, "blue"), (1 / 3, "red"), (1 / 3, "blue"),
    ]  # fmt: skip
    assert {inches for _, _, inches in drawn} == {(2, 1)}
    assert plt.get_fignums() == open_before
    frame = r'<img class="explorer-frame"( hidden="hidden")? src="data:image/png;base64,([^"]+)" alt="([^"]+)"'
    frames = re.findall(f'{frame} width="192" height="96"', states._repr_html_())
    assert [bool(hidden) for hidden, _, _ in frames] == [False] + 5 * [True]
    assert len({png for _, png, _ in frames}) == 6
    assert [alt for _, _, alt in frames][2:4] == [
        "size s = 0.25, colour = red: a red point &lt;0.25&gt;",
        "size s = 0.25, colour = blue: a blue point &lt;0.25&gt;",
    ]


def test_explorer_has_a_labelled_slider_for_each_parameter():
    markup = explore().markup
    label, value = r'<label for="([^"]+)">([^<]+)</label>', r'<output class="explorer-value" aria-hidden="true">([^<]+)'
    assert re.findall(rf'{label} {value}</output><input type="range" id="([^"]+)" min="0" max="(\d)"', markup) == [
        ("explorer-p-0", "size s", "1", "explorer-p-0", "2"),
        ("explorer-p-1", "colour", "red", "explorer-p-1", "1"),
    ]
    assert re.findall(r'aria-valuetext="([^"]+)"', markup) == ["1", "red"]
    assert "[&quot;1&quot;, &quot;0.25&quot;, &quot;0.333333&quot;]" in markup
    assert '<p class="explorer-text" aria-live="polite">size s = 1, colour = red: a red point &lt;1&gt;</p>' in markup
    assert "http" not in markup


def test_the_text_of_an_explorer_tells_of_a_change_in_any_state():
    def moved(fig, size, color):
        said = draw_point(fig, size, color)
        if (size, color) == (1 / 3, "blue"):
            fig.axes[0].collections[0].set_offsets([[1 / 3, 4.1]])
        return said

    lines = repr(explore()).splitlines()
    assert lines[0].startswith("<explorer of 6 states, fingerprint ")
    assert lines[6] == "size s = 0.333333, colour = blue: a blue point <0.3333333333333333>"
    assert repr(explore(name="q", alt="c", width=2.0)).splitlines() == lines
    changed = repr(explore(draw=moved)).splitlines()
    assert changed[0] != lines[0]
    assert changed[1:] == lines[1:]


@pytest.mark.parametrize(
    ("kw", "what"),
    [
        ({"grid": {}}, "grid must name at least one parameter"),
        ({"grid": {"C": [1.0]}}, r"grid\['C'\] must hold at least two values, got 1"),
        ({"name": "a b"}, "name must"),
        (
            {"draw": lambda fig, size, color: None},
            "draw must return a sentence for every state, got None for size s = 1,",
        ),
        ({"draw": lambda fig, size, color: ""}, "draw must return a sentence"),
        ({"max_kilobytes": 1}, "the explorer takes .* more than max_kilobytes=1: draw fewer or smaller states"),
    ],
)
def test_explorer_refuses(kw, what):
    with pytest.raises(ValueError, match=what):
        explore(**kw)


def test_a_tree_stands_above_its_leaves(ax):
    plotting.draw_tree(ax, ["root", "a", "inner", "b", "c"], [(0, 1, "x"), (0, 2, "y"), (2, 3, "u"), (2, 4, "v")])
    places = {t.get_text(): t.get_position() for t in ax.texts}
    assert [places[name] for name in ("a", "b", "c")] == [(0, -1), (1, -2), (2, -2)]
    assert places["inner"] == (1.5, -1)
    assert places["root"] == (0.75, 0)
    np.testing.assert_allclose([places["x"], places["u"]], [[0.75 + 0.6 * -0.75, -0.6], [1.5 + 0.6 * -0.5, -1.6]])
    frames = {t.get_text(): t.get_bbox_patch().get_edgecolor() for t in ax.texts}
    assert len({frames[name] for name in ("root", "inner")}) == len({frames[name] for name in "abc"}) == 1
    assert frames["root"] != frames["a"]
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert 0 < -left == pytest.approx(right - 2)  # as much room beside the first leaf as beside the last
    assert 0 < top == pytest.approx(-2 - bottom)
    assert [line.get_xydata().tolist() for line in ax.lines][:2] == [[[0.75, 0], [0, -1]], [[0.75, 0], [1.5, -1]]]
    for edges in ([(0, 1, "")], [(0, 1, ""), (2, 2, "")], [(0, 2, ""), (2, 1, "")]):
        with pytest.raises(ValueError, match="edges must name each node but the root once"):
            plotting.draw_tree(ax, ["root", "a", "b"], edges)


def test_a_grid_shows_values_arrows_walls_and_marks():
    ax = plotting.subplots(width=3, height=2)[1]
    values, policy = [[1.0, -2.0, -0.001], [-0.5, 3.0, 9.0]], [[0, 1, 2], [3, -1, 1]]
    plotting.draw_grid(ax, values, policy, walls=[(1, 2)], marks={(0, 1): "end"}, form="{:.2f}")
    assert [text.get_text() for text in ax.texts] == ["1.00", "end", "0.00", "-0.50", "3.00"]
    assert ax.texts[1].get_position() == (1, 0)  # column, row: row 0 is on top
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    corners = [patch.get_xy() for patch in ax.patches if len(patch.get_xy()) == 8]  # of arrows, their tips first
    heads = [xy[0] - xy[[3, 4]].mean(axis=0) for xy in corners]
    assert np.sign(np.round(heads, 9)).tolist() == [[0, -1], [0, 1], [-1, 0]]  # up, down, left; none at the mark
    (image,) = ax.images
    assert image.get_clim() == (-9, 9)
    ax = plotting.subplots(width=3, height=2)[1]
    plotting.draw_grid(ax, np.zeros((2, 2)), [[0, 1], [2, 3]], scale=4.0, form="")
    assert not ax.texts
    assert len(ax.patches) == 4
    assert ax.images[0].get_clim() == (-4, 4)


def test_a_dendrogram_has_a_bracket_for_each_merge(ax):
    Z = [[1, 3, 1.0, 2], [0, 4, 2.0, 3], [2, 5, 4.0, 4]]
    assert plotting.draw_dendrogram(ax, Z, "abcd", [1, 1, 0, 1]) == [2, 0, 1, 3]
    brackets = [line.get_xydata().tolist() for line in ax.lines]
    assert brackets == [
        [[2, 0], [2, 1], [3, 1], [3, 0]], [[1, 0], [1, 2], [2.5, 2], [2.5, 1]], [[0, 0], [0, 4], [1.75, 4], [1.75, 2]],
    ]  # fmt: skip
    assert [line.get_color() for line in ax.lines] == [plotting.COLORS[1], plotting.COLORS[1], "0.5"]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["c", "a", "b", "d"]
    assert ax.get_ylim() == (0, pytest.approx(4.2))
    with pytest.raises(ValueError, match="names must be one for each of the 4 observations, got 3"):
        plotting.draw_dendrogram(ax, Z, "abc")
    with pytest.raises(ValueError, match="labels must be one for each of the 4 observations, got 2"):
        plotting.draw_dendrogram(ax, Z, labels=[0, 1])


def test_a_dendrogram_without_names_or_heights(ax):
    plotting.draw_dendrogram(ax, [[0, 1, 0.0, 2]])
    assert len(ax.get_xticks()) == 0
    assert ax.lines[0].get_color() == "0.5"
    assert ax.get_ylim() == (0, 1)


def draw_state(fig, state):
    fig.subplots().plot(state["x"], state["y"], "o")
    return f"The sum is {state['y'].sum():.4g} <here>."


def alive(**kw):
    given = {
        "idea": "leverage",
        "draw": draw_state,
        "state": {"x": [0.0, 1 / 3, 2], "y": np.array([1, 2, 4]), "moved": np.int64(2), "xlabel": "a </script>"},
        "name": "l",
        "alt": 'a "line"',
    }
    return plotting.live(**given | kw)


def test_a_live_figure_holds_its_first_state_as_a_picture_and_as_numbers():
    drawn, open_before = [], plt.get_fignums()

    def draw(fig, state):
        drawn.append((tuple(fig.get_size_inches()), state))
        return draw_state(fig, state)

    figure = alive(draw=draw, width=2.0, height=1.0)
    markup = figure._repr_html_()
    assert plt.get_fignums() == open_before
    ((size, state),) = drawn
    assert size == (2, 1)
    np.testing.assert_array_equal(state["x"], [0, 0.333333, 2])  # what the script gets, not the last bits
    assert (
        '<div class="live" id="live-l" data-live="leverage" role="group" aria-label="Live figure: a &quot;line'
        in markup
    )
    assert re.search(
        r'<img class="live-still" src="data:image/png;base64,[^"]+" alt="a &quot;line&quot;. The sum', markup
    )
    assert 'width="192" height="96"' in markup
    assert '<p class="live-text">The sum is 7 &lt;here&gt;.</p>' in markup
    assert "On the page of the book you can <span>drag one point and watch the line</span>." in markup
    (data,) = re.findall(r'<script type="application/json">(.*)</script>\n</div>', markup)
    assert json.loads(data) == {"x": [0, 0.333333, 2], "y": [1, 2, 4], "moved": 2, "xlabel": "a </script>"}
    assert "http" not in markup


def test_the_text_of_a_live_figure_tells_of_a_change_in_picture_sentence_and_state():
    def more(fig, state):
        said = draw_state(fig, state)
        fig.axes[0].plot([0, 1], [0, 2])
        return said

    state = {"x": [0, 1, 2], "y": [1, 2, 4], "moved": 2}
    text = repr(alive(state=state))
    assert re.fullmatch(r'<live figure "leverage", fingerprint \w{8}>\nThe sum is 7 <here>\.', text)
    assert text == repr(alive(state=state, name="m", alt="c", width=2.0))
    assert text != repr(alive(state=state, draw=more))
    assert text != repr(alive(state=state | {"moved": 1}))


@pytest.mark.parametrize(
    ("kw", "what"),
    [
        ({"idea": "magic"}, "idea must be one of leverage, street, centres, threshold, got 'magic'"),
        ({"name": "a b"}, "name must"),
        ({"state": {"x": [1], "y": [1]}}, "state needs x, y, moved for 'leverage', got no 'moved'"),
        ({"state": {"x": [1], "y": [1], "moved": 0, "C": 1}}, "state may hold .* for 'leverage', got 'C'"),
        ({"state": {"x": [1, 2], "y": [1], "moved": 0}}, "as many labels or targets as points, got {'x': 2, 'y': 1}"),
        ({"state": {"x": [1, np.nan], "y": [1, 2], "moved": 0}}, r"state\['x'\] must hold finite numbers"),
        ({"state": {"x": [1, 2], "y": [1, None], "moved": 0}}, r"state\['y'\] must hold finite numbers"),
        ({"draw": lambda fig, state: None}, "draw must return a sentence, got None"),
        ({"max_kilobytes": 1}, "the live figure takes .* more than max_kilobytes=1"),
    ],
)
def test_live_refuses(kw, what):
    with pytest.raises(ValueError, match=what):
        alive(**kw)


def test_names_of_classes_are_text():
    state = {"scores": [0.5, 1.5], "y": [False, True], "threshold": 1.0, "classes": ("well", "ill")}
    markup = alive(idea="threshold", state=state, draw=lambda fig, state: "Two.").markup
    assert '{"scores": [0.5, 1.5], "y": [0, 1], "threshold": 1.0, "classes": ["well", "ill"]}' in markup
