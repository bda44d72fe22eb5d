"""The puzzles of the derivations: each wrong line is refuted by the numbers of its chapter, and orders are judged.

Of one page: ``python -m pytest -q -n0 tests/formulas/test_puzzles.py -k clustering``.
"""

import json
import random
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

from tests.formulas.execute import FALSE
from tests.formulas.puzzles import distorted, executed, formula_of, puzzles, row_of

STATIC = Path(__file__).resolve().parents[2] / "static"
WRITTEN = {name: puzzle for name, puzzle in puzzles().items() if puzzle.wrong}
TWINS = {
    f"{name}:{line.label}:{number}": (line, twin)
    for name, puzzle in WRITTEN.items()
    for number, (line, twin) in enumerate(puzzle.wrong)
}
EACH = pytest.mark.parametrize("name", WRITTEN)
AT_LEAST = 130  # puzzles; to be raised when there are more
SAMPLES = 20


@pytest.fixture(scope="module")
def engine():
    engine = MiniRacer()
    for script in ("chance", "puzzle_judge"):
        engine.eval((STATIC / f"{script}.js").read_text(encoding="utf-8"))
    yield lambda call: json.loads(str(engine.eval(f"JSON.stringify({call})")))
    engine.close()


@pytest.fixture
def judge(engine):
    """The verdicts of the page on orders of the pieces of a puzzle."""
    return lambda puzzle, orders: engine(f"{json.dumps(orders)}.map((o) => puzzleJudge.order({data(puzzle)}, o))")


def data(puzzle):
    numbers = {line: number for number, line in enumerate(puzzle.lines)}
    wrong = [[numbers[line], "", twin.reason] for line, twin in puzzle.wrong]
    return json.dumps({"after": puzzle.after, "wrong": wrong})


def some_orders(puzzle, count):
    """The declared order, and others that the dependences allow."""
    pick = random.Random(1)
    yield list(range(len(puzzle.lines)))
    for _ in range(count):
        sorter, order = TopologicalSorter(dict(enumerate(puzzle.after))), []
        sorter.prepare()
        ready: list[int] = []
        while sorter.is_active():
            ready += sorter.get_ready()
            order.append(ready.pop(pick.randrange(len(ready))))
            sorter.done(order[-1])
        yield order


# --- wrong lines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TWINS)
def test_a_wrong_line_is_refuted_by_the_numbers_of_its_chapter(name):
    """An equation that only is not read refutes nothing; what is read of it is true (``test_formulas``)."""
    line, twin = TWINS[name]
    tex = distorted(line, twin)
    results = executed(line.label, tex)
    assert FALSE in {result.status for result in results}, f"not refuted: {tex}\n{results}"


@pytest.mark.parametrize("label", sorted({line.label for line, _ in TWINS.values()}))
def test_the_right_line_is_not_refuted(label):
    assert FALSE not in {result.status for result in executed(label, formula_of(label))}


@EACH
def test_lines_of_a_puzzle_can_be_told_apart(name):
    lines = [row_of(line) for line in WRITTEN[name].lines]
    lines += [twin.of(row_of(line)) for line, twin in WRITTEN[name].wrong]
    assert len(lines) == len(set(lines))


@EACH
def test_a_puzzle_has_two_wrong_lines_at_least(name):
    assert len(WRITTEN[name].wrong) >= 2


def test_as_many_derivations_as_before_are_puzzles():
    assert len(WRITTEN) >= AT_LEAST, "fewer than before"


def test_all_derivations_are_read():
    texts = (
        path.read_text(encoding="utf-8") for path in (STATIC.parent / "chapters/revision/derivations").glob("*.md")
    )
    assert len(puzzles()) == sum(text.count("{derivation}") for text in texts) > 100


# --- orders -----------------------------------------------------------------------------------------------------------


@EACH
def test_orders_that_the_dependences_allow_are_right(name, judge):
    puzzle = WRITTEN[name]
    verdicts = judge(puzzle, list(some_orders(puzzle, SAMPLES)))
    assert verdicts == [{"verdict": "right"}] * (SAMPLES + 1)


@EACH
def test_two_lines_of_which_one_uses_the_other_cannot_be_swapped(name, judge):
    """The page names the first line that stands too early, and what it uses."""
    puzzle, orders, faults = WRITTEN[name], [], []
    for line, needs in enumerate(puzzle.after):
        for need in needs:
            order = list(range(len(puzzle.lines)))
            order[line], order[need] = need, line
            above = lambda piece, order=order: order[: order.index(piece)]
            first = next(p for p in order if set(puzzle.after[p]) - {*above(p)})
            lacking = [n for n in puzzle.after[first] if n not in above(first)]
            orders.append(order)
            faults.append({"verdict": "early", "place": order.index(first), "piece": first, "needs": lacking})
    assert orders
    assert judge(puzzle, orders) == faults


@EACH
def test_a_wrong_line_fails_with_its_reason_wherever_it_stands(name, judge):
    puzzle, orders, expected = WRITTEN[name], [], []
    right = list(range(len(puzzle.lines)))
    for number, (_, twin) in enumerate(puzzle.wrong):
        piece = len(right) + number
        for place in range(len(right) + 1):
            orders.append([*right[:place], piece, *right[place:]])
            expected.append({"verdict": "wrong", "place": place, "piece": piece, "reason": twin.reason})
    assert judge(puzzle, orders) == expected


@EACH
def test_what_is_missing_is_said(name, judge):
    puzzle = WRITTEN[name]
    right = list(range(len(puzzle.lines)))
    verdicts = judge(puzzle, [right[:count] for count in right])
    assert verdicts == [{"verdict": "missing", "missing": right[count:]} for count in right]


@EACH
def test_pieces_are_shuffled_and_never_solved(name, engine):
    puzzle = WRITTEN[name]
    right, pieces = len(puzzle.lines), len(puzzle.lines) + len(puzzle.wrong)
    call = f"[...Array(40).keys()].map((seed) => puzzleJudge.shuffled({data(puzzle)}, seed, bookChance))"
    found = engine(call)
    assert found == engine(call)  # the seed alone decides
    assert all(sorted(order) == list(range(pieces)) for order in found)
    assert len({tuple(order) for order in found}) > 5
    in_order = engine(
        f"{json.dumps([[p for p in order if p < right] for order in found])}"
        f".map((o) => puzzleJudge.order({data(puzzle)}, o).verdict)"
    )
    assert "right" not in in_order


def test_lines_of_which_none_uses_another_are_shuffled_nevertheless(engine):
    free = json.dumps({"after": [[], []], "wrong": [[0, "", "it is"]]})
    assert sorted(engine(f"puzzleJudge.shuffled({free}, 1, bookChance)")) == [0, 1, 2]


def test_gaps_are_judged(engine):
    puzzle = json.dumps({"gaps": [[0, "g", [["a", ""], ["b", "it falls"]]]] * 3})
    assert engine(f"puzzleJudge.gaps({puzzle}, [0, 1, null])") == [
        {"verdict": "right"},
        {"verdict": "wrong", "reason": "it falls"},
        {"verdict": "open"},
    ]
