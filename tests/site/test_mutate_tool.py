"""Tests of tools/mutate: the changes themselves, and planted faults whose survivors are known exactly."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.claims.test_deciding import CLAIMS
from tests.claims.test_deciding import PAGE as QUIZ
from tests.formulas.chapters import Chapter
from tests.formulas.tokens import tokens
from tests.formulas.values import Instance
from tests.solutions.ledger import Worked
from tools.mutate.__main__ import main
from tools.mutate.changes import changes
from tools.mutate.formulas import slips, try_slips
from tools.mutate.modules import files_of, mirror_of, topics_of
from tools.mutate.quizzes import Slip, boxes, changed_words, is_sound, moved_marks, try_boxes
from tools.mutate.report import Survivor, Tally, listing, sample, table
from tools.mutate.settings import left_alone
from tools.mutate.variables import needed_after

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("a + b", ["a - b"]),
        ("(a)  # + not here\n", []),
        ("(a  # * not here\n * b)", ["/ b)"]),
        ("a @ b // c % d", ["a * b // c % d", "a @ b / c % d", "a @ b // c // d"]),
        ("a ** -b", ["a * -b", "a ** b"]),
        ("a &= ~b | c", ["a |= ~b | c", "a &= b | c", "a &= ~b & c"]),
        ("a -= b", ["a += b"]),
        ("a < b <= c", ["a >= b <= c", "a < b > c"]),
        ("a is not b", ["a is b"]),
        ("a not in b and not c", ["a in b and not c", "a not in b or not c", "a not in b and  c"]),
        ("x[1:-1]", ["x[2:-1]", "x[1:-2]"]),
        ("f(20_001, 0, 0.0, 0.75)", ["f(22001, 0, 0.0, 0.75)", "f(20_001, 1, 0.0, 0.75)",
         "f(20_001, 0, 0.1, 0.75)", "f(20_001, 0, 0.0, 0.825)"]),
        ("f(keep=True)", ["f(keep=False)"]),
        ("x.sum(axis=1)", ["x.mean(axis=1)", "x.sum(axis=0)"]),
        ("min(x) + np.argmax(x)", ["max(x) + np.argmax(x)", "min(x) - np.argmax(x)", "min(x) + np.argmin(x)"]),
        ("f'{β * 2:.3f}'", ["f'{β / 2:.3f}'", "f'{β * 3:.3f}'"]),
        ("'a' + b", []),
        ("x: int | None = y", []),
        ("def f(x: int | None) -> int | None: 'text'", []),
    ],
)  # fmt: skip
def test_changes_of_a_line(source, changed):
    assert [change.after for change in changes(source).tried] == changed


def test_a_change_knows_its_line_and_the_whole_text():
    source = "a = 1\nif (\n    a\n    > b\n):\n    c = a\n"
    first, second = changes(source).tried
    assert (first.line, first.before, first.after, first.lines) == (1, "a = 1", "a = 2", range(1, 2))
    assert (second.line, second.before, second.after, second.lines) == (4, "> b", "<= b", range(2, 6))
    assert second.source == source.replace(">", "<=")


def test_boundaries_are_moved_where_that_is_asked_for():
    assert [change.after for change in changes("a <= b == c", boundaries=True).tried] == [
        "a > b == c",
        "a < b == c",
        "a <= b != c",
    ]


def test_looks_and_settings_are_left_alone_and_counted():
    source = dedent("""
        _ = ax.plot(2 * x, 2 * y, lw=4)
        _ = ax.plot(x, 3)
        _ = axes[0].set(xlim=(-1, 1))
        rng = np.random.default_rng(5)
        fit(random_state=5, steps=5)
        grid = np.linspace(6, -b, 70)
        check("claim", a, b, tol=1e-8)
        sig(f(9).round(6), 3)
        close = gap < 1e-6
        prior.update(8)
        """)
    found = changes(source, leave_alone=left_alone)
    assert [change.after for change in found.tried] == [
        "_ = ax.plot(2 * x, 3 * y, lw=4)",
        "_ = ax.plot(2 * x, 2 / y, lw=4)",
        "fit(random_state=5, steps=6)",
        "grid = np.linspace(7, -b, 70)",
        "grid = np.linspace(6, b, 70)",
        "sig(f(10).round(6), 3)",
        "close = gap >= 1e-6",
        "prior.update(9)",
    ]
    assert found.left == {"looks of figures, horizontal places": 7, "tolerances, digits, seeds, sizes of grids": 7}


def test_needed_variables_follow_functions_and_stop_where_a_name_is_bound_anew():
    sources = [
        "scale = 2\nx = 1",
        "def f():\n    return scale",
        "x = 3",
        "g = lambda: f() + x",
        "t = 0",
        "t += g()",
    ]
    assert needed_after(sources) == [
        {"scale"},
        {"f", "scale"},
        {"f", "scale", "x"},
        {"f", "g", "scale", "x"},
        {"f", "g", "scale", "t", "x"},
        set(),
    ]


def mutate(*words):
    env = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(
        [sys.executable, "-m", "tools.mutate", *map(str, words)], cwd=ROOT, env=env, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


CELLS = [
    "import numpy as np\n\nscale, unused = 2, 3\nrng = np.random.default_rng(0)",  # 3: nothing needs it
    "def scaled(x):\n    return scale * x",
    "drawn = rng.normal(size=4)\nx = 5",  # 4: how many are drawn shows in what is drawn next; 5: x is bound anew
    "x = 7.0\nprint(scaled(x))",
    "assert x > 6.0\nprint('x is large')",  # 6.0: a check that leaves room up to 6.6
    "rng.normal()",
]
SURVIVORS = """\
  cell-0 line 3
    - scale, unused = 2, 3
    + scale, unused = 2, 4
  cell-2 line 2
    - x = 5
    + x = 6
  cell-4 line 1: equivalent (room is meant)
    - assert x > 6.0
    + assert x > 6.6
  left alone: 1 in tolerances, digits, seeds, sizes of grids
  marked as equivalent, but noticed or gone: cell-4: assert x < 6.0
"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    path = tmp_path_factory.mktemp("cells") / "planted.ipynb"
    nb = new_notebook(cells=[new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(CELLS)])
    mark = {"line": "assert x > 6.0", "changed": "assert x > 6.6", "reason": "room is meant"}
    nb.cells[4].metadata["equivalent"] = [mark, mark | {"changed": "assert x < 6.0"}]
    nbformat.write(nb, path)
    return path


def test_planted_cells(planted):
    status, text, _ = mutate(planted)
    assert text.startswith(f"{planted}\n{SURVIVORS}")
    assert text.splitlines()[-1].split() == ["8", "5", "1", "2", "71.4%", str(planted)]
    assert status == 1


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import time\nprint(time.time())", "cell-5 does not show the same each time: nothing can be noticed in it.\n"),
        ("1 / 0", "cell-5 fails as it is: ZeroDivisionError: division by zero\n"),
    ],
)
def test_a_cell_in_which_nothing_could_be_noticed_is_refused(planted, tmp_path, source, message):
    nb = nbformat.read(planted, 4)
    nb.cells[5].source = source
    nbformat.write(nb, tmp_path / "useless.ipynb")
    status, _, error = mutate(tmp_path / "useless.ipynb", "--most", 1)
    assert (status, error) == (2, message)


MODULE = '''\
"""A module with one line too many."""


def clip(x, low, high):
    """Restrict.

    >>> clip(5, 1, 3)
    3
    """
    spare = 3
    return min(max(x, low), high) if low <= high else None


def count(x):
    n = 0
    while n < x:
        n += 1
    return n
'''
MODULE_TESTS = """\
from notes_lib.part.tiny import clip, count


def test_clip():
    assert [clip(x, 0, 2) for x in (-1, 1, 9)] == [0, 1, 2]
    assert clip(0, 2, 1) is None


def test_count():
    assert count(5) == 5
    assert count(0) == 0
"""


@pytest.fixture
def project(tmp_path):
    for name, text in {
        "pyproject.toml": '[tool.pytest.ini_options]\naddopts = ["--doctest-modules", "--import-mode=importlib"]\n',
        "notes_lib/__init__.py": "",
        "notes_lib/part/__init__.py": "",
        "notes_lib/part/tiny.py": MODULE,
        "tests/part/test_tiny.py": MODULE_TESTS,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_planted_module(project):
    before = {path: path.read_bytes() for path in project.rglob("*.py")}
    status, text, _ = mutate(project / "notes_lib/part/tiny", "--goal", 70)
    found = text.splitlines()
    assert [line for line in found if line.startswith(("    - ", "    + "))] == [
        "    - spare = 3",
        "    + spare = 4",
        "    - return min(max(x, low), high) if low <= high else None",
        "    + return min(max(x, low), high) if low < high else None",
    ]
    # 3; min, max, <= twice; 0, < twice, +=, 1
    assert found[-1].split()[:5] == ["10", "8", "0", "2", "80.0%"]
    assert status == 0
    assert {path: path.read_bytes() for path in project.rglob("*.py")} == before


def test_a_package_is_one_module(project):
    package = project / "notes_lib/part/tiny"
    package.mkdir()
    (project / "notes_lib/part/tiny.py").rename(package / "steps.py")
    (package / "__init__.py").write_text("from notes_lib.part.tiny.steps import clip, count\n")
    _, text, _ = mutate(package, package / "steps.py", "--most", 4)
    whole, one = (line.split() for line in text.splitlines()[-2:])
    assert whole[:5] == one[:5]
    assert (whole[5], one[5]) == ("notes_lib/part/tiny", "notes_lib/part/tiny/steps.py")
    assert files_of(package) == [package / "__init__.py", package / "steps.py"]
    assert (
        mirror_of(package, project) == mirror_of(package / "steps.py", project) == project / "tests/part/test_tiny.py"
    )


def test_tests_that_fail_as_they_are_are_refused(project):
    (project / "tests/part/test_tiny.py").write_text(MODULE_TESTS.replace("== 5", "== 6"))
    status, _, error = mutate(project / "notes_lib/part/tiny")
    assert (status, error) == (2, "the tests in tests/part/test_tiny.py fail as they are.\n")


def test_drills_bring_the_tests_over_all_topics(project):
    drills = project / "notes_lib/drills/part"
    drills.mkdir(parents=True)
    (drills / "__init__.py").write_text("")
    (project / "notes_lib/drills/__init__.py").write_text(
        "TOPICS = {}\n\n\ndef drill(slug):\n    return lambda make: TOPICS.setdefault(slug, make)\n"
    )
    (drills / "tiny.py").write_text(
        "from notes_lib.drills import drill\n\n\n@drill('tiny-sum')\ndef tiny_sum():\n    return '1 + 1 = 2'\n"
        "\n\n@drill('tiny-one')\ndef tiny_one():\n    return f'1 = {1}'\n"
    )
    tests = project / "tests/drills/part"
    tests.mkdir(parents=True)
    (tests / "test_tiny.py").write_text("from notes_lib.drills.part import tiny\n\n\ndef test():\n    assert tiny\n")
    (project / "tests/drills/test_all.py").write_text(
        dedent("""
            import pytest
            from notes_lib.drills import TOPICS
            from notes_lib.drills.part import tiny

            @pytest.mark.parametrize("topic", ["tiny-one", "other"])
            def test_all(topic):
                left, right = TOPICS[topic]().split("=")
                assert eval(left) == eval(right)
            """)
    )
    assert topics_of([drills / "tiny.py"]) == {"tiny-sum", "tiny-one"}
    status, text, _ = mutate(drills / "tiny.py")
    assert text.splitlines()[-1].split()[:5] == ["1", "1", "0", "0", "100.0%"]
    assert status == 0


def test_a_sample_is_decided_by_its_seed():
    assert sample([1, 2, 3], None, 0) == sample([1, 2, 3], 3, 0) == [1, 2, 3]
    drawn = sample(list(range(100)), 10, 4)
    assert drawn == sample(list(range(100)), 10, 4) == sorted(set(drawn))
    assert drawn != sample(list(range(100)), 10, 5)


def test_report():
    survivors = [Survivor("here", "a", "b"), Survivor("there", "c", "d", "why")]
    tally = Tally("x", 10, survivors, {"looks": 3, "": 2})
    assert (tally.equivalent, tally.share) == (1, 8 / 9)
    assert listing(tally).splitlines() == [
        "x", "  here", "    - a", "    + b", "  there: equivalent (why)", "    - c", "    + d",
        "  left alone: 3 in looks",
    ]  # fmt: skip
    assert table([tally]).splitlines()[-1].split() == ["10", "8", "1", "1", "88.9%", "x"]
    assert Tally("none", 0, [], {}).share == 1.0


LETTERS = ["n", "m", "k"]


@pytest.mark.parametrize(
    ("formula", "slipped"),
    [
        ("a - b", ["a + b"]),
        (r"\mathbf{H}^{-1}", [r"\mathbf H"]),
        (r"\mathbf{w}^\top \mathbf{x}", [r"\mathbf w \mathbf x"]),
        (r"2 x^2 = 4", [r"x ^ 2 = 4", "2 x = 4", "2 x ^ 2 ="]),
        (r"\frac12 \lambda", [r"\frac 2 1 \lambda", r"\lambda", r"\frac 1 2"]),
        (r"\frac{\partial f}{\partial x}", []),
        (r"a \le b", [r"a \ge b"]),
        (r"[a \le b]", [r"[ a \ge b ]", "[ a < b ]"]),
        (r"x_n y_m", ["x _ { m } y _ m", "x _ n y _ { n }"]),
        (r"x_n", ["x _ { 1 }"]),
        (r"K_{nm}", ["K _ { m n }", "K _ { 1 m }"]),
        (r"\sum_{n=1}^N x_n", [r"\sum _ { n = 1 } ^ ( N - 1 ) x _ n", r"\sum _ { n = 1 } ^ N x _ { 1 }"]),
        (r"H(p, q)", ["H ( q , p )"]),
        (r"\max(0, y)", [r"\min ( 0 , y )"]),
        (r"p(y \mid x)", [r"p ( x \mid y )"]),
        (r"\mathbf{A}\mathbf{B}", [r"\mathbf B \mathbf A"]),
        (r"\alpha_t", [r"\alpha _ { 1 }"]),
    ],
)
def test_slips_in_a_formula(formula, slipped):
    letters = [*LETTERS, "t"]
    assert {" ".join(slip) for slip in slips(tokens(formula), letters)} == set(slipped)


@pytest.mark.parametrize(
    ("formula", "slipped"),
    [
        ("d(p, q)", []),
        (r"d_\infty(p, q)", []),
        ("e(p, q)", ["e ( q , p )"]),
        ("e_d(p, q)", ["e _ d ( q , p )"]),
        ("d(x)(p, q)", ["d ( x ) ( q , p )"]),
    ],
)
def test_to_exchange_what_is_symmetric_is_no_slip(formula, slipped):
    assert {" ".join(slip) for slip in slips(tokens(formula), LETTERS, {"d"})} == set(slipped)


def test_what_a_chapter_says_to_be_symmetric_is_not_exchanged():
    values = {"d": lambda a, b: abs(a - b), "e": lambda a, b: abs(a - b), "a": 1.0, "b": 3.0}
    chapter = Chapter({"one": "d(a, b) = 2", "other": "e(a, b) = 2"}, [Instance(values)], symmetric=frozenset("d"))
    assert [s.place for s in try_slips(chapter, "", None, 0).survivors] == ["other"]


def test_slips_of_a_chapter_are_tried():
    """One that nobody can notice: the sign of a step of 0, and the index in 'for all'."""
    chapter = Chapter(
        {"label": "y = a x + b, \\quad x_n > 0", "gone": "c = 1 + 1"},
        [Instance({"y": 6.0, "a": 2.0, "x": 3.0, "b": 0.0, "n": range(1, 3), "x_#": [1.0, 2.0]})],
    )
    tally = try_slips(chapter, "formulas of one", None, 0)
    assert [(s.place, s.after) for s in tally.survivors] == [
        ("label", r"y = a x - b , \quad x"),
        ("label", r"a x + b , \quad x _ { 1 } > 0"),
    ]
    assert tally.tried == 3  # the relation as well; the other formula is unread
    assert try_slips(chapter, "", 1, 0).tried == 1


def test_formulas_of_chapters_that_are_not_executed():
    assert main(["formulas", "svn"]) == 2
    assert main(["solutions", "svn"]) == 2
    assert main(["quiz", "svn"]) == 2
    assert main(["quiz-words", "svn"]) == 2


def lines_after(slips, box):
    """The lines that each slip changes, as they stand then."""
    return [Slip(box, edits).around(True) for edits in slips(box)]


def test_marks_move():
    mean, even, squares, odd, _ = boxes(QUIZ)
    assert lines_after(moved_marks, mean) == [
        "- [x] 3 eyes; - [ ] $\\tfrac72$ eyes",
        "- [ ] $\\tfrac72$ eyes; - [x] 21 eyes",
    ]
    assert lines_after(moved_marks, even) == [
        "- [ ] the sum of 3 and 5", "- [x] the sum of 3 and 4", "- [x] a proverb", "- [ ] 12"
    ]  # fmt: skip
    assert lines_after(moved_marks, squares) == [":class: statement-true"]
    assert lines_after(moved_marks, odd) == [":class: statement-false"]


def test_words_and_digits_change():
    *_, squares, odd, _ = boxes(QUIZ)
    assert lines_after(changed_words, squares) == [
        ":::{admonition} All squares above 50 are below 40.",
        ":::{admonition} All squares below 50 are above 40.",
        ":::{admonition} All squares below 80 are below 40.",
        ":::{admonition} All squares below 53 are below 40.",
        ":::{admonition} All squares below 50 are below 70.",
        ":::{admonition} All squares below 50 are below 43.",
        "79 is not.",
        "42 is not.",
    ]
    assert lines_after(changed_words, odd.replace("Odd times", "More {ref}`below-4` odd times $x_1^2$ never")) == [
        "Less {ref}`below-4` odd times $x_1^2$ never odd.",
        "More {ref}`below-4` odd times $x_1^2$ always odd.",
        "More {ref}`below-4` odd times $x_4^2$ never odd.",
        "More {ref}`below-4` odd times $x_1^5$ never odd.",
    ]


QUIZ_LEDGERS = {
    "toy-quiz-mean": Worked(numbers=[6, 3, 0.5, 3.5, 21]),
    "toy-quiz-even": Worked(numbers=[3, 5, 8, 3, 4, 7, 12, 2, 6]),
    "toy-tf-squares": Worked(numbers=[50, 40, 49]),
}


@pytest.mark.parametrize(
    ("slips", "alive"),
    [
        (moved_marks, [("toy-tf-old", ":class: statement-false")]),  # it is left to a reason in WORDS
        (changed_words, [("toy-tf-odd", "Odd times odd is always even.")]),  # only numbers of a reason are read
    ],
)
def test_slips_of_a_quiz_are_tried(slips, alive):
    found = boxes(QUIZ.replace("Odd times odd.", "Odd times odd is never even."))
    tally = try_boxes(found, "toy", CLAIMS, QUIZ_LEDGERS, slips, most=None, seed=0)
    assert [(survivor.place, survivor.after) for survivor in tally.survivors] == alive
    assert tally.tried == sum(len([*slips(box)]) for box in found) > 8


def test_a_quiz_with_a_fault_is_refused():
    (mean, *_) = boxes(QUIZ)
    assert is_sound(mean, CLAIMS, QUIZ_LEDGERS)
    assert not is_sound(mean, CLAIMS, {})  # a number that no ledger knows
    with pytest.raises(ValueError, match="toy-quiz-mean has a fault as it is"):
        try_boxes(
            [mean.replace("[ ] 3 eyes", "[x] 3 eyes")], "toy", CLAIMS, QUIZ_LEDGERS, moved_marks, most=None, seed=0
        )
