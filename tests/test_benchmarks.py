"""Tests of the benchmark harness: it compares results before it compares times, and its table is a table."""

from dataclasses import replace
from datetime import date

import pytest

from benchmarks import __main__ as command
from benchmarks import harness, stored
from benchmarks.__main__ import WORKLOADS
from benchmarks.harness import Workload, measure
from benchmarks.stored import RESULTS, TECHNIQUES, Run, as_markdown, emphasised, load, run_of, store


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

    monkeypatch.setattr(harness.time, "process_time", lambda: clock[0])
    result = harness.measure(workload(lambda: work(0.25), lambda: work(0.75)), rounds=3, shortest=1.0)
    assert (result.ours, result.peer, result.ratio) == (0.25, 0.75, 3.0)
    assert clock[0] == (1 + 1 + 3 * 4) * 0.25 + (1 + 1 + 3 * 2) * 0.75  # warm-up, one look, rounds of repeats


@pytest.mark.parametrize("wrong", [2.0, float("nan")])
def test_different_results_are_not_timed(wrong):
    with pytest.raises(RuntimeError, match="the results differ"):
        measure(workload(lambda: 1.0, lambda: wrong))


def run(processor="Some(R) Chip Processor", day="2026-11-24", **ratios):
    numbers = {"peer": 0.03, "ours": 0.02, "difference": 1e-9}
    return Run(processor, day, "Python 3", {key: {**numbers, "ratio": ratio} for key, ratio in ratios.items()})


def table(text):
    """Cells of the head and of each row."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return rows[0], rows[2:]


SLEEP = {"sleep": workload(None, None)}


def test_processors_stand_side_by_side():
    runs = [run(sleep=1.5), run("Other(TM) Z @ 3 GHz, family 6, model 1", sleep=0.5), run("Third", "2026-01-01")]
    text = as_markdown(runs, SLEEP)
    head, rows = table(text)
    assert head[4::2] == [
        *(f"{name}: peer / ours (ms)" for name in ("Some Chip", "Other Z", "Third")),
        "largest difference",
    ]
    assert rows == [["sleep", "small", "peer", "1", "30 / 20", "**1.50**", "30 / 20", "0.50", "–", "–", "1e-09"]]
    assert "- **Third**: Third; 2026-01-01; one thread, Python 3.\n" in text


def test_a_workload_that_no_run_has_is_not_measured():
    assert table(as_markdown([run()], SLEEP))[1] == [["sleep", "small", "peer", "1", "–", "–", "–"]]


def test_techniques_stand_below_the_table_once_each():
    one = workload(None, None)
    others = {"a": one, "b": replace(one, name="another"), "c": replace(one, name="another")}
    _, below = as_markdown([run()], others).split(f"\n{TECHNIQUES}\n")
    assert below == f"\n- **{one.name}; another**: none\n"


def test_a_run_takes_the_place_of_the_last_one_on_its_processor(tmp_path):
    paths = tmp_path / "runs.json", tmp_path / "table.md"
    paths[0].write_text("[]")
    for each in (run("A", sleep=1.0), run("B", sleep=2.0), run("A", "2027-01-01", sleep=3.0)):
        store(each, SLEEP, *paths)
    kept = load(paths[0])
    assert kept == [run("A", "2027-01-01", sleep=3.0), run("B", sleep=2.0)]
    assert paths[1].read_text() == as_markdown(kept, SLEEP)


def test_a_run_says_where_and_when_it_was_made(monkeypatch):
    monkeypatch.setattr(stored, "processor", lambda: "here")
    result = measure(workload(lambda: 1.0, lambda: 1.0), rounds=1, shortest=0.0)
    made = run_of({"sleep": result})
    assert (made.processor, made.date) == ("here", date.today().isoformat())
    assert made.software.startswith("Python 3.")
    assert made.results["sleep"]["ratio"] == result.ratio


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("model name\t: Chip Z\ncpu family\t: 25\nmodel\t\t: 17\n\nmodel name\t: last", "Chip Z, family 25, model 17"),
        ("Features : fp", "fallback"),
        (None, "fallback"),
    ],
)
def test_the_processor_is_named(monkeypatch, told, name):
    def read_text(path, encoding):
        if told is None:
            raise OSError
        return told

    monkeypatch.setattr(stored.Path, "read_text", read_text)
    monkeypatch.setattr(stored.platform, "processor", lambda: "fallback")
    assert stored.processor() == name


def test_only_a_whole_run_is_stored(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["benchmarks", "--write", "kmeans"])
    with pytest.raises(SystemExit):
        command.main()
    assert "--write stores a whole run" in capsys.readouterr().err


@pytest.mark.parametrize(("ratio", "status", "said"), [(0.5, 1, "below the goal: sleep"), (2.0, 0, "every goal")])
def test_a_ratio_below_the_floor_fails(monkeypatch, capsys, ratio, status, said):
    made = workload(None, None)
    result = harness.Result(made, ours=1.0, peer=ratio, ratio=ratio, difference=0.0)
    written = []

    def sleep():
        return made

    monkeypatch.setattr(command, "WORKLOADS", [sleep])
    monkeypatch.setattr(command, "measure", lambda made, rounds: result)
    monkeypatch.setattr(command, "store", lambda run, workloads: written.append(run.results))
    monkeypatch.setattr("sys.argv", ["benchmarks", "--write"])
    assert command.main() == status
    assert said in capsys.readouterr().out
    assert [list(results) for results in written] == [["sleep"]]


def test_only_a_reached_goal_is_bold_and_the_floor_counts():
    assert (emphasised(1.0, 1.5), emphasised(2.0, 1.5)) == ("1.00", "**2.00**")
    assert workload(None, None, goal=1.5, floor=0.5).least == 0.5
    assert workload(None, None, goal=1.5).least == 1.5


def test_what_is_stored_is_what_the_workloads_say_and_no_ratio_is_too_low():
    workloads, runs = {make.__name__: make() for make in WORKLOADS}, load()
    assert RESULTS.read_text(encoding="utf-8") == as_markdown(runs, workloads)
    assert set().union(*(each.results for each in runs)) == set(workloads)
    for each in runs:
        for key, found in each.results.items():
            assert found["ratio"] >= workloads[key].least, (each.processor, key)
            assert found["difference"] <= workloads[key].tolerance
