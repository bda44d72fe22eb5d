"""Listings: what is left out, and that the rest still means the same."""

import ast
import inspect
import json
import textwrap
from pathlib import Path

import numpy as np
import pytest

from notes_lib.listing import LEFT_OUT, without_checks

CHAPTERS = Path(__file__).parents[1] / "chapters"
LONGEST = 30  # lines of code, without docstrings and empty lines
# one loop for seven methods: stopping, line search, history; automatic differentiation, folded on its page
LONGER = {"descend", "Tensor"}


def test_a_check_of_an_argument_goes():
    code = """
        def mean(X, w=None):
            X = check_matrix(X, "X")  # (n, d)
            check_choice(w, "w", ("a", "b")), check_real(2.0, "tol")
            n, k = len(X), check_integer(w, "w")
            if n < 2:
                name = "X"
                raise ValueError(f"{name} is too short.")
            elif n > 9:
                warnings.warn("long")
            return X.mean(axis=0) / checks.check_positive(k, "k")  # mean
    """
    plain = """
        def mean(X, w=None):
            n, k = len(X), w
            return X.mean(axis=0) / k  # mean
    """
    assert listed(code) == dedented(plain) + "\n" + LEFT_OUT


def test_what_is_checked_gets_its_new_name():
    assert one_line('theta, n = check_matrix(prob, "prob"), check_integer(n, "n")') == "theta = prob"
    assert one_line('X, mu, W = checks.check_model(X, means, S, "full")') == "mu, W = means, S"
    assert one_line('N = check_messages("counts", counts, shape)') == "N = counts"
    assert one_line('N = check_counts(check_shape(table, "table", (2, 2)), "table")') == "N = table"
    assert one_line('r = d if k is None else check_integer(k, "k")') == "r = d if k is None else k"


@pytest.mark.parametrize(
    "line", ["rng = check_rng(random_state)", "total = checks.check_total('counts', N)", "checker = check + checks(a)"]
)
def test_what_makes_something_new_stays(line):
    assert one_line(line) == line


def test_a_branch_that_refuses_goes_with_its_else():
    code = """
        def kind(x):
            if x > 0:
                sign = 1
            elif x < 0:
                raise ValueError("x")
            for y in x:
                if y:
                    raise ValueError("y")
            return sign
    """
    plain = """
        def kind(x):
            if x > 0:
                sign = 1
            return sign
    """
    assert listed(code) == dedented(plain) + "\n" + LEFT_OUT


def test_what_needs_its_condition_stays():
    code = """
        def kind(x):
            try:
                y = 1 / x
            except ZeroDivisionError as error:
                raise ValueError("x") from error
            if x < 0:
                raise ValueError("x")
            else:
                y = 2
            return y
    """
    assert listed(code) == dedented(code)


def test_a_method_that_only_checks_goes():
    code = '''
        class Split:
            """Folds."""

            n: int = 5

            def __post_init__(self):
                """Refuse."""
                check_integer(self.n, "n")

            def split(self, X):
                return check_matrix(X, "é")
    '''
    assert "__post_init__" not in listed(code)
    assert listed(code).endswith("    def split(self, X):\n        return X\n" + LEFT_OUT)


def test_letters_of_two_bytes_shift_nothing():
    assert one_line('é, x = check_real(é, "é"), 2  # ü') == "x = 2  # ü"


def shown_sources():
    for path in sorted(CHAPTERS.glob("*/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and source.startswith("show_source("):
                yield pytest.param("".join(cell["outputs"][0]["data"]["text/plain"]), id=f"{path.stem}-{source[12:-1]}")


@pytest.mark.parametrize("code", list(shown_sources()))
def test_a_listing_of_a_chapter_is_short_and_checks_nothing(code):
    tree = ast.parse(code)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not {name for name in names if name.startswith("check_")} - {"check_rng"}
    raised = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    handled = [node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)]
    assert len(raised) <= len(handled)
    lines = [line for line in code.split("\n") if line.strip() and not line.strip().startswith('"""')]
    assert len(lines) <= LONGEST or tree.body[0].name in LONGER


@pytest.mark.parametrize("stem", ["log_posterior", "mcnemar_test", "vote_shares"])
def test_a_listing_computes_what_the_library_does(stem):
    from notes_lib.bayes.bayes_decision import log_posterior
    from notes_lib.foundations.inference import mcnemar_test
    from notes_lib.neighbors.nearest_neighbors import vote_shares

    calls = {
        "log_posterior": (log_posterior, (np.log([[0.2, 0.5], [0.7, 0.1]]), np.array([0.3, 0.7]))),
        "mcnemar_test": (mcnemar_test, (np.array([[50, 12], [3, 35]]),)),
        "vote_shares": (vote_shares, (np.array([[0, 1, 1]]), np.array([[1.0, 2.0, 0.5]]), 2)),
    }
    function, arguments = calls[stem]
    room = dict(vars(inspect.getmodule(function)))
    code = without_checks(textwrap.dedent(inspect.getsource(function)))
    assert code.endswith(LEFT_OUT)
    exec(code, room)
    np.testing.assert_array_equal(room[stem](*arguments), function(*arguments))


def dedented(code):
    return textwrap.dedent(code).strip("\n").rstrip()


def listed(code):
    return without_checks(dedented(code))


def one_line(line):
    return listed(f"def f():\n    {line}\n    return 0").splitlines()[1].strip()
