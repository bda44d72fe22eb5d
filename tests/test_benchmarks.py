"""Tests of the benchmark harness: it compares results before it compares times, and its table is a table."""

from dataclasses import replace

import pytest

from benchmarks import harness
from benchmarks.__main__ import RESULTS, TECHNIQUES, WORKLOADS, as_markdown, emphasised
from benchmarks.harness import Result, Workload, measure


@pytest.fixture(autouse=True)
def no_collection(monkeypatch):
    """A collection before each timing takes 50 ms in the large process of a whole test run, and no test is about it."""
    monkeypatch.setattr(harness.gc, "collect", lambda: 0)


def workload(ours, peer, **changes):
    settings = {"name": "sleep", "size": "small", "peer_name": "peer", "ours": ours, "peer": peer, "goal": 1.0}
    settings |= {"difference": lambda a, b: abs(a - b), "tolerance": 0.1, "technique": "none"}
    return Workload(**(settings | changes))


def test_the_ratio_is_the_time_of_the_peer_over_ours(monkeypatch):
    clock = [0.0]

    def work(seconds):
        clock[0] += seconds
        return 1.0

    monkeypatch.setattr(harness.time, "perf_counter", lambda: clock[0])
    result = harness.measure(workload(lambda: work(0.25), lambda: work(0.75)), rounds=3, shortest=1.0)
    assert (result.ours, result.peer, result.ratio) == (0.25, 0.75, 3.0)
    assert clock[0] == (1 + 1 + 3 * 4) * 0.25 + (1 + 1 + 3 * 2) * 0.75  # warm-up, one look, rounds of repeats


@pytest.mark.parametrize("wrong", [2.0, float("nan")])
def test_different_results_are_not_timed(wrong):
    with pytest.raises(RuntimeError, match="the results differ"):
        measure(workload(lambda: 1.0, lambda: wrong))


def test_each_row_has_as_many_cells_as_the_header():
    results = [measure(workload(lambda: 1.0, lambda: 1.0), rounds=1, shortest=0.0)]
    rows = [line for line in as_markdown(results).splitlines() if line.startswith("|")]
    assert len(rows) == 3
    assert len({row.count("|") for row in rows}) == 1


def test_techniques_stand_below_the_table_once_each():
    one = measure(workload(lambda: 1.0, lambda: 1.0), rounds=1, shortest=0.0)
    other = replace(one, workload=replace(one.workload, name="another"))
    _, below = as_markdown([one, other, other]).split(f"\n{TECHNIQUES}\n")
    assert below == f"\n- **{one.workload.name}; another**: none\n"


def test_what_is_stored_is_what_the_workloads_say():
    _, below = RESULTS.read_text(encoding="utf-8").split(TECHNIQUES)
    found = {line.split("**: ", 1)[1] for line in below.strip().splitlines()}
    assert found == {make().technique for make in WORKLOADS}


def test_only_a_reached_goal_is_bold_and_the_floor_counts():
    sets = {"goal": 1.5, "floor": 0.5}
    slow = Result(workload(lambda: 1.0, lambda: 1.0, **sets), ours=1.0, peer=1.0, ratio=1.0, difference=0.0)
    fast = Result(slow.workload, ours=1.0, peer=2.0, ratio=2.0, difference=0.0)
    assert (emphasised(slow), emphasised(fast)) == ("1.00", "**2.00**")
    assert slow.workload.least == 0.5
    assert workload(None, None, goal=1.5).least == 1.5


def test_the_stored_table_holds_every_workload_and_no_ratio_is_too_low():
    rows = [line.split(" | ") for line in RESULTS.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][2:]
    workloads = [make() for make in WORKLOADS]
    assert [row[0].removeprefix("| ") for row in rows] == [w.name for w in workloads]
    for row, w in zip(rows, workloads, strict=True):
        assert len(row) == 8
        assert float(row[5].strip("*")) >= w.least
        assert row[5].startswith("**") == (float(row[5].strip("*")) >= float(row[6]))
        assert float(row[6]) == w.goal
