"""Tests of tools/cells: the layout of code, marks that follow it, and which code stands open."""

import ast

import pytest
from nbformat.v4 import new_code_cell, new_output

from tools.cells.folds import draws, fold, imports_only, listing_problems
from tools.cells.layout import WIDTH, formatted, moved_marks

EXPLODED = """\
check(
    "Steiner",
    inertia(X, zeros, [a]),
    inertia(X, zeros, [mean]) + 30 * np.sum((mean - a) ** 2),
)
rows.append(
    [
        rule,
        r.mean(),
        np.median(r),
        r[-1],
        (r < 1.01).mean(),
        np.mean([q.n_iter for q in runs[rule]]),
        empty_at_first[rule] / 60,
    ]
)
from notes_lib.plotting import (
    decision_regions,
    player,
    scatter_clusters,
    subplots,
    use_style,
)
names, rows = (
    np.array(["one name of many letters", "another name of many letters"]),
)
for name, mask in [
    (free, "black", r"$0 < alpha < C$"),
    (bound, "another colour", r"$alpha = C$, at the bound"),
]:
    draw(name, mask)
"""
FILLED = """\
check(
    "Steiner", inertia(X, zeros, [a]),
    inertia(X, zeros, [mean]) + 30 * np.sum((mean - a) ** 2))
rows.append([
    rule, r.mean(), np.median(r), r[-1], (r < 1.01).mean(),
    np.mean([q.n_iter for q in runs[rule]]), empty_at_first[rule] / 60])
from notes_lib.plotting import (
    decision_regions, player, scatter_clusters, subplots, use_style)

names, rows = (
    np.array(["one name of many letters", "another name of many letters"]),)
for name, mask in [
    (free, "black", r"$0 < alpha < C$"),
    (bound, "another colour", r"$alpha = C$, at the bound"),
]:
    draw(name, mask)"""


def same(a, b):
    return ast.dump(ast.parse(a)) == ast.dump(ast.parse(b))


def test_arguments_are_filled_up_to_the_end_of_the_line():
    assert formatted([EXPLODED]) == [FILLED]
    assert same(EXPLODED, FILLED)
    assert max(map(len, FILLED.split("\n"))) <= WIDTH


def test_a_second_call_changes_nothing():
    assert formatted([FILLED]) == [FILLED]
    assert formatted([EXPLODED.replace("\n    ", " ")]) == [FILLED]


LAYOUTS = [
    ("x = f( 1,2 )", "x = f(1, 2)"),
    ("print('a')", 'print("a")'),
    ("", ""),
    # a comment ends its line, and a bracket does not follow it
    (
        "f(\n    a,  # the first\n    b,\n    c,\n)",
        "f(\n    a,  # the first\n    b, c)",
    ),
    ("f(\n    a,\n    b,  # the last\n)", "f(\n    a,\n    b,  # the last\n)"),
    ("f(\n    # both\n    a,\n    b,\n)", "f(\n    # both\n    a, b)"),
    ("f(\n    a,\n    b,  # the second\n    c,\n)", "f(\n    a,\n    b,  # the second\n    c)"),
    (f"x = array([1, 2, 3])  # {'a' * 60}", f"x = array([\n    1, 2, 3])  # {'a' * 60}"),
    # a hash in a string is none
    (
        f'plot(\n    "{"#1f77b4" * 5}",\n    first,\n    second_argument,\n    third_argument=1,\n)',
        f'plot(\n    "{"#1f77b4" * 5}", first, second_argument,\n    third_argument=1)',
    ),
    # a bracket in a bracket begins on the line of its neighbour
    (
        f'table(\n    rows,\n    [\n        "{"a" * 40}",\n        "{"b" * 40}",\n    ],\n    digits=3,\n)',
        f'table(\n    rows, [\n        "{"a" * 40}",\n        "{"b" * 40}"],\n    digits=3)',
    ),
    (
        f"f(\n    a,\n    g(\n        {'a' * 40},\n        {'b' * 40},\n    ),\n    c,\n)",
        f"f(\n    a,\n    g(\n        {'a' * 40},\n        {'b' * 40}),\n    c)",
    ),
    # the text of a string of several lines stays
    ('f("""one\n  two,\n""", a)', 'f(\n    """one\n  two,\n""",\n    a,\n)'),
    # an expression that ruff puts in brackets
    (
        f"x = {'a' * 30} + {'b' * 30} + {'c' * 30}",
        f"x = (\n    {'a' * 30} + {'b' * 30}\n    + {'c' * 30})",
    ),
    # the closing bracket fits, or takes the last argument along, or stands alone
    (
        f"f(\n    {'a' * 34},\n    {'b' * 37},\n    c\n)",
        f"f(\n    {'a' * 34}, {'b' * 37},\n    c)",
    ),
    (
        f"f(\n    {'a' * 70},\n    {'b' * 3},\n    c\n)",
        f"f(\n    {'a' * 70},\n    bbb, c)",
    ),
    (
        f"f(\n    {'a' * 30},\n    {'b' * 40},\n    {'c' * 32},\n    {'d' * 40},\n)",
        f"f(\n    {'a' * 30}, {'b' * 40},\n    {'c' * 32},\n    {'d' * 40})",  # 79 columns with the bracket
    ),
    (f"x = f(\n    {'a' * 74}\n)", f"x = f(\n    {'a' * 74}\n)"),
    # two brackets in a row
    (
        f"x = f(\n    {'a' * 40},\n    {'b' * 40},\n).g(\n    {'c' * 40},\n    {'d' * 40},\n)",
        f"x = f(\n    {'a' * 40},\n    {'b' * 40},\n).g(\n    {'c' * 40},\n    {'d' * 40})",
    ),
]


def test_layouts():
    sources, laid_out = zip(*LAYOUTS, strict=True)
    assert formatted(sources) == list(laid_out)
    assert formatted(laid_out) == list(laid_out)
    assert all(map(same, sources, laid_out))


def test_a_dictionary_and_a_comprehension():
    settings = {f"parameter_{i}": i for i in range(9)}
    laid_out = formatted([f"settings = {settings}", f"x = [{'a' * 30} for a in {'b' * 40} if a]"])
    assert laid_out[0].count("\n") == 3
    assert laid_out[0].endswith("}")
    assert laid_out[1] == f"x = [\n    {'a' * 30}\n    for a in {'b' * 40} if a]"


def test_code_that_is_no_python_is_named():
    with pytest.raises(ValueError, match=r"code cell 2 is no plain Python \(.*\): '%time x'"):
        formatted(["x = 1", "%time x"])


def test_a_layout_that_changes_the_code_is_refused(monkeypatch):
    monkeypatch.setattr("tools.cells.layout.fill", lambda source: source.replace("1", "2"))
    with pytest.raises(RuntimeError, match="changes what this code does: x = 1"):
        formatted(["x = 1"])


def test_marks_follow_the_layout():
    before = f"check(\n    '{'a claim of some letters ' * 2}for two lines',\n    first_argument,\n    x + 1,\n    y,\n)"
    (after,) = formatted([before])
    mark = {"line": "x + 1,", "changed": "x - 1,", "reason": "x is 0"}
    other = {"line": "nowhere", "changed": "no", "reason": "idle"}
    assert moved_marks([mark, other], before, after) == [
        {"line": "first_argument, x + 1, y)", "changed": "first_argument, x - 1, y)", "reason": "x is 0"},
        other,
    ]
    twice = "f(\n    x + 1,\n)\ng(\n    x + 1,\n)"
    both = moved_marks([mark, mark], twice, "f(x + 1)\ng(x + 1)")
    assert [(m["line"], m["changed"]) for m in both] == [("f(x + 1)", "f(x - 1)"), ("g(x + 1)", "g(x - 1)")]


# -- which code stands open ------------------------------------------------------------------------------------------

PIXEL = new_output("display_data", data={"image/png": "", "text/plain": "<Figure>"})
PLAYER = new_output("execute_result", data={"text/html": '<div class="anim-player">'})
EXPLORER = new_output("execute_result", data={"text/html": '<div class="explorer" id="explorer-a">'})
LIVE = new_output("execute_result", data={"text/html": '<div class="live" id="live-a" data-live="street">'})


def cell(source, *tags, outputs=()):
    return new_code_cell(source, metadata={"tags": list(tags)} if tags else {}, outputs=list(outputs))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (cell("check('a', 1, 1)"), ["hide-input"]),
        (cell("x = 1", "nbval-ignore-output"), ["nbval-ignore-output", "hide-input"]),
        (cell("def plain(): pass", "listing"), ["listing"]),
        (cell("print(fingerprint(fig))", "remove-cell"), ["remove-cell"]),
        (cell("Markdown(hand.solution)", "hide-cell"), ["hide-cell"]),
        (cell("show_source(e_step)"), ["remove-input"]),
        (cell("show_source(GaussianMixture._run)", "hide-input"), ["remove-input"]),
        (cell("show_source(e_step); x = 1"), ["hide-input"]),
    ],
)
def test_code_is_folded_unless_it_is_a_listing(before, after):
    fold(before)
    assert before.metadata["tags"] == after
    fold(before)
    assert before.metadata["tags"] == after


@pytest.mark.parametrize(
    ("listing", "problem"),
    [
        (cell("def f(): pass", "listing"), ""),
        (cell("import numpy as np\nx = np.zeros(3)", "listing"), ""),
        (cell("import numpy as np", "hide-input"), ""),
        (cell("import numpy as np\nuse_style()", "listing"), "only imports"),
        (cell("plot()", "listing", outputs=[PIXEL]), "draws a figure"),
        (cell("player()", "listing", outputs=[PLAYER]), "draws a figure"),
        (cell("explorer()", "listing", outputs=[EXPLORER]), "draws a figure"),
        (cell("live()", "listing", outputs=[LIVE]), "draws a figure"),
        (cell("x", "listing", "hide-input"), "is tagged listing and hide-input"),
    ],
)
def test_what_is_no_listing(listing, problem):
    found = " / ".join(listing_problems(listing))
    assert problem in found
    assert bool(problem) == bool(found)


def test_what_a_cell_does():
    assert imports_only("from a import b\n\nb()")
    assert not imports_only("b()")
    assert not imports_only("import a\ny = a.b()")
    assert draws(cell("", outputs=[PIXEL]))
    assert not draws(cell("", outputs=[new_output("stream", text="1")]))
