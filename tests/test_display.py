"""Tests of notes_lib.display."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest

from notes_lib import display
from notes_lib.display import check, fingerprint, progress_line, show_source, sig, table


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (3.14159, "3.142"),
        (-1e-17, "0"),
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


def test_sig_refuses_no_digits():
    with pytest.raises(ValueError, match="digits must be at least 1"):
        sig(1.0, digits=0)


def test_table_in_a_page_and_in_a_terminal():
    t = table([["a", 1.23456], ["bb", -2]], ["name", "$x$"])
    assert t.markdown == "| name | $x$ |\n| :--- | ---: |\n| a | 1.235 |\n| bb | -2 |"
    assert str(t) == "name    $x$\n   a  1.235\n  bb     -2"
    assert t._repr_markdown_() == t.markdown
    assert repr(t) == str(t)


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


def test_check_is_relative_to_the_right_side():
    check("large", 1e12, 1e12 + 1)
    with pytest.raises(AssertionError):
        check("small", 1e-3, 2e-3)


def test_show_source_cuts_the_docstring():
    code = show_source(sig).code
    assert '"""Format a number or an array to a fixed number of significant digits."""' in code
    assert "Parameters" not in code
    assert code.rstrip().endswith('}g}"')
    assert "Parameters" in show_source(sig, docstring=True).code
    assert show_source(display.Table)._repr_markdown_().startswith("```python\nclass Table:")
    assert repr(show_source(sig)) == code


def test_fingerprint_changes_with_the_data():
    def draw(scale):
        fig, (a, b, c) = plt.subplots(1, 3)
        a.plot([0, 1], [0, scale])
        a.scatter([0, 1], [1, scale])
        b.bar([0, 1], [1, scale])
        b.imshow(np.array([[0, scale]]))
        c.contour(np.outer([1, 2, 3], [1, 2, scale]))
        text = fingerprint(fig)
        plt.close(fig)
        return text

    first, second = draw(2.0), draw(3.0)
    kinds = ["line", "points", "patches", "image", "contour"]
    assert [line.split()[2] for line in first.splitlines()] == kinds
    assert all(a != b for a, b in zip(first.splitlines(), second.splitlines(), strict=True))


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
