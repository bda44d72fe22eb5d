"""Tests of notes_lib.display."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest

from notes_lib import display
from notes_lib.display import check, fingerprint, plus_minus, progress_line, show_source, sig, table


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (3.14159, "3.142"),
        (-1e-17, "0"),
        (9e-13, "0"),
        (-9e-13, "0"),
        (1e-12, "1e-12"),
        (1.1e-12, "1.1e-12"),
        (-2.5, "-2.5"),
        (-1e-9, "-1e-09"),
        (-0.0, "0"),
        (7, "7"),
        (123456, "123456"),
        (123456.0, "1.235e+05"),
        (True, "True"),
        ([[1.0, 2.5], [3.0, 4.0]], "[[1, 2.5], [3, 4]]"),
        (np.inf, "inf"),
        ("text", "text"),
    ],
)
def test_sig(x, text):
    assert sig(x) == text


@pytest.mark.parametrize(
    ("x", "text"),
    [(0.41875, "0.4188"), (0.85635, "0.8564"), (1234.5, "1235"), (-10.125, "-10.13"), (3.2415e-7, "3.242e-07")],
)
def test_a_number_half_way_is_rounded_away_from_zero_on_all_machines(x, text):
    """The last bits of a result differ between processors; the digits before them count."""
    assert {sig(x * (1 + n * 2.0**-52)) for n in range(-400, 400)} == {text}
    assert sig(x * (1 - 1e-9)) != text == sig(x * (1 + 1e-9))


def test_sig_prints_as_many_digits_as_it_is_asked_for():
    assert sig(np.pi, 15) == "3.14159265358979"
    assert sig(np.pi, np.int64(2)) == "3.1"
    assert sig([np.nan, -np.inf]) == "[nan, -inf]"


def test_sig_refuses_no_digits():
    with pytest.raises(ValueError, match="digits must be at least 1"):
        sig(1.0, digits=0)


def test_a_mean_stands_with_its_standard_error():
    """The spread of 2, 4, 4, 4, 5, 5, 7, 9 around its mean 5 is the root of 32/7; divided by that of 8 it is 0.756."""
    values = [2, 4, 4, 4, 5, 5, 7, 9]
    assert plus_minus(values) == "5 ± 0.8"
    assert plus_minus(np.array(values) / 3, digits=2) == "1.7 ± 0.3"
    assert plus_minus([True, True, False, True]) == "0.75 ± 0.3"  # a share: root of 3/16 over the root of 3 is 0.25


def test_one_value_has_no_standard_error():
    with pytest.raises(ValueError, match="values must hold at least two repetitions, got 1"):
        plus_minus([3.0])


def test_table_in_a_page_and_in_a_terminal():
    t = table([["a", 1.23456], ["bb", -2]], ["name", "$x$"])
    assert t.markdown == "| name | $x$ |\n| :--- | ---: |\n| a | 1.235 |\n| bb | -2 |"
    assert str(t) == "name    $x$\n   a  1.235\n  bb     -2"
    assert t._repr_markdown_() == t.markdown
    assert repr(t) == str(t)


def test_columns_of_numbers_are_aligned_to_the_right():
    """A column is one of numbers if all its cells are; a gap or a dash is a number that is missing."""
    rows = [["$1$", 1, "", 1, "x"], ["$2.5$", "-", "", "two", "-"]]
    rule = table(rows, ["formula", "gap", "empty", "mixed", "text"]).markdown.splitlines()[1]
    assert rule == "| ---: | ---: | ---: | :--- | :--- |"


def test_a_bar_in_a_cell_does_not_end_it():
    t = table([["a | b", 1], [r"c \| d", 2]], ["$H(Y|X)$", "x"])
    header, _, *rows = t.markdown.splitlines()
    assert header == r"| $H(Y\|X)$ | x |"
    assert rows == [r"| a \| b | 1 |", r"| c \| d | 2 |"]
    assert "a | b" in str(t)  # a terminal shows the text as it is


def test_table_rounds_to_its_digits():
    assert table([[1.23456, [2.34567]]], ["x", "v"], digits=2).cells == [["1.2", "[2.3]"]]


def test_table_refuses_a_short_row():
    with pytest.raises(ValueError, match="each row needs 2 cells"):
        table([["a"]], ["name", "x"])


def test_check_prints_both_sides(capsys):
    check("halves", 0.5, 1 / 2)
    check("many", np.ones((3, 4)), np.ones((3, 4)))
    assert capsys.readouterr().out == "halves: 0.5 = 0.5 (equal to 1e-10)\nmany: 3 x 4 numbers agree (equal to 1e-10)\n"


@pytest.mark.parametrize(("lhs", "rhs"), [(1.0, 1.1), (np.nan, np.nan), ([1.0, 2.0], [1.0, 2.0, 3.0]), (1.0, np.inf)])
def test_check_fails(lhs, rhs):
    with pytest.raises(AssertionError, match="the sides"):
        check("claim", lhs, rhs)


def test_check_prints_each_side_as_it_is(capsys):
    check("sides", 1.23456, 1.23444, tol=1e-3, digits=5)
    check("four digits", 1.23456, 1.23456)
    check("six", range(6), range(6))
    check("seven", range(7), range(7))
    assert capsys.readouterr().out.splitlines() == [
        "sides: 1.2346 = 1.2344 (equal to 0.001)",
        "four digits: 1.235 = 1.235 (equal to 1e-10)",
        "six: [0, 1, 2, 3, 4, 5] = [0, 1, 2, 3, 4, 5] (equal to 1e-10)",
        "seven: 7 numbers agree (equal to 1e-10)",
    ]


def test_check_prints_no_rounding_noise_beside_a_zero(capsys):
    check("slope", [3e-9, 0.0, 2e-9], [0.0, -4e-9, 3e-9], tol=1e-8, digits=1)
    assert capsys.readouterr().out == "slope: [0, 0, 2e-09] = [0, 0, 3e-09] (equal to 1e-08)\n"
    with pytest.raises(AssertionError, match="differ by 3e-09"):
        check("slope", 3e-9, 0.0)


@pytest.mark.parametrize(
    ("rhs", "scale"),
    [
        (0.5, 1.0),
        (1e-3, 1.0),
        (-1e6, 1e6),
        (np.ones(1000), 1.0),
        (np.full((30, 40), 1e-3), 1.0),
        ([0.0, 3.0, -200.0], 200.0),
    ],
)
@pytest.mark.parametrize("tol", [1e-10, 1e-4])
@pytest.mark.parametrize("sign", [1, -1])
def test_check_fails_just_above_its_tolerance(rhs, scale, tol, sign):
    """One entry is off, the first or the last one; size and number of the others make no difference."""
    right = np.asarray(rhs, dtype=float)
    for entry in (0, -1):
        left = right.copy()
        left.flat[entry] += sign * 0.9 * tol * scale
        check("just inside", left, right, **({} if tol == 1e-10 else {"tol": tol}))
        left.flat[entry] = right.flat[entry] + sign * 1.1 * tol * scale
        with pytest.raises(AssertionError, match="the sides differ by"):
            check("just outside", left, right, **({} if tol == 1e-10 else {"tol": tol}))


def test_check_is_relative_to_the_right_side():
    check("large on the right", 0.0, 10.0, tol=1.0)
    with pytest.raises(AssertionError, match="differ by 10, more than 1 x 1"):
        check("large on the left", 10.0, 0.0, tol=1.0)


def test_show_source_cuts_the_docstring():
    code = show_source(sig).code
    assert '"""Format a number or an array to a fixed number of significant digits."""' in code
    assert "Parameters" not in code
    assert code.endswith('}g}"\n# checks and warnings are left out here')
    assert "raise" not in code
    assert "Parameters" in show_source(sig, docstring=True).code
    assert show_source(display.Table)._repr_markdown_().startswith("```python\nclass Table:")
    assert repr(show_source(sig)) == code


def test_show_source_cuts_every_docstring_of_a_class():
    shown = show_source(Documented).code
    assert shown.splitlines() == [
        "class Documented:",
        '    """A class."""',
        "",
        "    def first(self):",
        '        """Do one thing."""',
        "        return 1",
        "",
        "    def second(self):",
        '        """Do another."""',
        "        return 2",
    ]


class Documented:
    """A class.

    With more to say.
    """

    def first(self):
        """Do one thing.

        At length.
        """
        return 1

    def second(self):
        """Do another.

        At length.
        """
        return 2


def test_fingerprint_tells_up_from_across():
    """Vertical data count: for each kind they differ from the horizontal ones here."""
    fig, ax = plt.subplots()
    ax.plot([0, 1], [20, 21])
    ax.scatter([0, 1], [30, 31])
    ax.bar([0, 1], [40, 41])
    ax.contour([0, 1], [50, 51], [[0, 0], [2, 2]], levels=[1])
    ax.fill_between([0, 1], [60, 61], [65, 64])
    ax.errorbar([0, 1], [70, 71], [1, 2], fmt="none")
    assert fingerprint(fig).splitlines() == [
        "axes 0 line n=2 min=20 mean=20.5 max=21",
        "axes 0 points n=2 min=30 mean=30.5 max=31",
        "axes 0 contour n=2 min=50.5 mean=50.5 max=50.5",
        "axes 0 area n=7 min=60 mean=63.4 max=65",  # the last corner above counts twice, the first one thrice
        "axes 0 bars n=4 min=69 mean=70.5 max=73",
        "axes 0 patches n=10 min=0 mean=16.2 max=41",
    ]
    plt.close(fig)


def test_fingerprint_changes_with_the_data():
    def draw(scale):
        fig, (a, b, c) = plt.subplots(1, 3)
        a.plot([0, 1], [0, scale])
        a.scatter([0, 1], [1, scale])
        b.bar([0, 1], [1, scale])
        b.imshow(np.array([[0, scale]]))
        c.contour(np.outer([1, 2, 3], [1, 2, scale]))
        c.fill_between([0, 1], [0, 1], [2, scale])
        c.errorbar([0, 1], [0, 1], [1, scale], fmt="none")
        text = fingerprint(fig)
        plt.close(fig)
        return text

    first, second = draw(2.0), draw(3.0)
    kinds = ["line", "points", "patches", "image", "contour", "area", "bars"]
    assert [line.split()[2] for line in first.splitlines()] == kinds
    assert all(a != b for a, b in zip(first.splitlines(), second.splitlines(), strict=True))


SLOPE = np.outer([1.0, 2.0, 4.0], [1.0, 8.0])  # above left 1, below right 32


def quarters(ax):
    """The means of the quarters that the fingerprint of the only image says."""
    return fingerprint(ax.figure).split("quarters=")[1]


@pytest.mark.parametrize(
    ("options", "turn", "means"),
    [
        ({}, lambda ax: None, "[1.5, 12, 3, 24]"),  # the middle row counts on both sides
        ({"origin": "lower"}, lambda ax: None, "[3, 24, 1.5, 12]"),
        ({"origin": "lower", "extent": (0, 1, 5, 6)}, lambda ax: None, "[3, 24, 1.5, 12]"),
        ({"origin": "upper", "extent": (0, 1, 5, 6)}, lambda ax: None, "[1.5, 12, 3, 24]"),
        ({"origin": "lower", "extent": (0, 1, 6, 5)}, lambda ax: ax.set_ylim(5, 6), "[1.5, 12, 3, 24]"),
        ({}, lambda ax: ax.invert_yaxis(), "[3, 24, 1.5, 12]"),
        ({}, lambda ax: ax.invert_xaxis(), "[12, 1.5, 24, 3]"),
        ({"origin": "lower", "extent": (1, 0, 0, 1)}, lambda ax: ax.set_xlim(0, 1), "[24, 3, 12, 1.5]"),
    ],
)
def test_fingerprint_sees_an_image_as_the_reader_does(options, turn, means):
    fig, ax = plt.subplots()
    ax.imshow(SLOPE, **options)
    turn(ax)
    assert quarters(ax) == means
    plt.close(fig)


def test_what_the_fingerprint_says_of_an_image_is_what_is_drawn():
    """The quarters are those of the pixels on the canvas, for every way to turn a picture."""
    for origin in ("upper", "lower"):
        for inverted in (False, True):
            fig, ax = plt.subplots(figsize=(1, 1))
            ax.set_position((0, 0, 1, 1))
            ax.imshow([[0.0, 0.0], [1.0, 1.0]], origin=origin, cmap="gray", aspect="auto", interpolation="nearest")
            if inverted:
                ax.invert_yaxis()
            fig.canvas.draw()
            pixels = np.asarray(fig.canvas.buffer_rgba())[:, :, 0]
            above, below = (float(half.mean() > 127) for half in np.array_split(pixels, 2))
            assert quarters(ax) == f"[{above:g}, {above:g}, {below:g}, {below:g}]"
            plt.close(fig)


@pytest.mark.parametrize(("picture", "means"), [([[1.0], [3.0]], "[1, 1, 3, 3]"), ([[1.0, 3.0]], "[1, 3, 1, 3]")])
def test_the_only_row_or_column_of_an_image_belongs_to_both_sides(picture, means):
    fig, ax = plt.subplots()
    ax.imshow(picture)
    assert quarters(ax) == means
    plt.close(fig)


def test_fingerprint_of_an_image_with_holes_and_colours():
    fig, axes = plt.subplots(1, 3)
    axes[0].imshow([[np.nan, 1.0], [2.0, np.nan]])
    axes[1].imshow(np.full((4, 4, 3), 0.25) * [[[1.0]], [[1.0]], [[2.0]], [[4.0]]])
    axes[2].imshow(np.ma.masked_equal([[1.0, 7.0]], 7.0))
    assert fingerprint(fig).splitlines() == [
        "axes 0 image n=2 min=1 mean=1.5 max=2 quarters=[nan, 1, 2, nan]",
        "axes 1 image n=48 min=0.25 mean=0.5 max=1 quarters=[0.25, 0.25, 0.75, 0.75]",
        "axes 2 image n=1 min=1 mean=1 max=1 quarters=[1, nan, 1, nan]",
    ]
    assert "quarters=[0.3, 0.3, 0.8, 0.8]" in fingerprint(fig, digits=1)
    plt.close(fig)


def test_fingerprint_counts_and_rounds():
    fig, ax = plt.subplots()
    ax.plot([0, 1, 2], [1.0, np.nan, 2.23456])
    assert fingerprint(fig) == "axes 0 line n=2 min=1 mean=1.62 max=2.23"
    assert fingerprint(fig, digits=5) == "axes 0 line n=2 min=1 mean=1.6173 max=2.2346"
    plt.close(fig)


def test_fingerprint_of_nothing():
    fig, ax = plt.subplots()
    assert fingerprint(fig) == "an empty figure"
    ax.plot([], [])
    assert fingerprint(fig) == "axes 0 line empty"
    plt.close(fig)


def test_progress_line_grows_and_starts_anew():
    out = io.StringIO()
    report = progress_line("fits", width=4, stream=out)
    seen = []
    for done in range(9):
        report(done, 8)
        seen.append(out.getvalue())
    dots = [line.count(".") for line in seen]
    assert dots == [0, 0, 1, 1, 2, 2, 3, 3, 4]
    assert seen[0] == "fits "
    assert seen[-1] == "fits .... 8 of 8\n"
    report(0, 1)
    report(1, 1)
    assert out.getvalue().splitlines()[1] == "fits .... 1 of 1"


def test_progress_line_writes_to_standard_output(capsys):
    progress_line(width=2)(3, 3)
    assert capsys.readouterr().out == "fits .. 3 of 3\n"


def test_progress_line_refuses_no_width():
    with pytest.raises(ValueError, match="width must be at least 1, got 0"):
        progress_line(width=0)


@pytest.fixture
def shell():
    """An IPython with the magics of the module, and what it shows."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    running = InteractiveShell.instance()
    running.run_line_magic("load_ext", "notes_lib.display")

    def run(cell):
        with capture_output() as shown:
            result = running.run_cell(cell)
        return result, shown

    yield run
    InteractiveShell.clear_instance()


def test_a_closed_cell_shows_its_text_below_a_line_to_open(shell):
    _, shown = shell("%%closed Marks\nprint('six')\nanswer = 7\nanswer")
    assert shown.stdout == ""
    (output,) = shown.outputs
    assert output.data["text/markdown"] == (
        "<details><summary>Marks</summary>\n\n```text\nsix\n```\n\n```text\n7\n```\n\n</details>"
    )
    _, shown = shell(
        "%%closed\nfrom IPython.display import Image\nImage(b'\\x89PNG\\r\\n\\x1a\\nx', format='png', width=9)"
    )
    text = shown.outputs[0].data["text/markdown"]
    assert "<summary>Result</summary>" in text
    assert '<img alt="Figure" width="9" src="data:image/png;base64,iVBORw0KGgp4">' in text


def test_a_closed_cell_that_prints_nothing_shows_nothing_and_an_error_is_raised(shell):
    result, shown = shell("%%closed\nhidden = 3")
    assert (result.success, shown.outputs, shown.stdout) == (True, [], "")
    result, _ = shell("assert hidden == 3\nhidden / 0")
    assert isinstance(result.error_in_exec, ZeroDivisionError)
    result, _ = shell("%%closed\n1 / 0")
    assert isinstance(result.error_in_exec, ZeroDivisionError)
