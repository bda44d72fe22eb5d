"""The tests of the peers on the library: stand-ins, journal, explanations, on a planted library and a planted peer."""

import csv

import pytest

from tools.peers import __main__ as command
from tools.peers.running import Place, run_module
from tools.peers.verdicts import Difference, Result, read_differences, verdict

MODEL = '''
class Model:
    """Model."""

    def __init__(self, size=1{more}):
        self.size = size

    def fit(self, X):
        """Fit."""
        {fit}
        return self
'''
OURS = (
    MODEL.format(more="", fit="self.coef_ = 3")
    + '''

def double(x):
    """Double."""
    if x < 0:
        raise ValueError("x must be positive: turn it round.")
    return 2 * x
'''
)
THEIRS = (
    MODEL.format(more=", speed=1", fit="self.coef_ = self._inner = self.best_ = 2")
    + '''

def double(x):
    """Double."""
    return x + x


def through(x):
    """Use what the peer itself has."""
    return type(Model().fit(x)).__module__
'''
)
TESTS = """
import os, time
import pytest
import {peer}.models
from {peer} import models
from {peer}.models import Model, double, through
from {peer}._hidden import Model as Hidden

TABLE = Model(speed=2)  # as in a list of parameters


def test_passes():
    assert Model().fit([1]).coef_ == 3 and Model.__module__.startswith("ours")


@pytest.mark.parametrize("get", [lambda: models.Model, lambda: {peer}.models.Model, lambda: Hidden],
                         ids=["from", "import", "hidden"])
def test_by_every_name(get):
    assert get()().fit([1]).coef_ == 3


def test_the_peer_keeps_its_own():
    assert through([1]) == "{peer}._hidden"


def test_a_keyword():
    assert Model(speed=3).fit([1]).size == 1


def test_a_keyword_and_more():
    assert Model(speed=3).fit([1]).coef_ == 2


def test_too_many():
    Model(1, 2)


def test_an_attribute():
    Model().fit([1]).best_


def test_something_private():
    Model().fit([1])._inner


def test_another_result():
    assert Model().fit([1]).coef_ == 2


def test_another_message():
    with pytest.raises(ValueError, match="nothing below zero"):
        double(-1)


def test_a_warning_that_an_error_forestalls():
    with pytest.warns(UserWarning):
        double(-1)


def test_a_warning_that_a_keyword_forestalls():
    with pytest.warns(UserWarning):
        Model(speed=4)


def test_does_not_reach():
    assert False


def test_skips_itself():
    Model()
    pytest.skip()


def test_never_ends():
    double(1)
    while True:
        time.sleep(0.01)


def test_crashes():
    double(1)
    os._exit(3)


def test_goes_on():
    assert double(2) == 4
"""
MODULE = "tests.test_models"


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A library and a peer with tests, found by this process and by those it starts."""
    folder = tmp_path_factory.mktemp("planted")
    files = {
        "ours/__init__.py": "",
        "ours/part/__init__.py": "",
        "ours/part/stem.py": OURS,
        "their/__init__.py": "",
        "their/_hidden.py": THEIRS,
        "their/models.py": "from their._hidden import *\n__all__ = ['Model', 'double', 'through']",
        "their/tests/__init__.py": "",
        "their/tests/test_models.py": TESTS.format(peer="their"),
        "their/tests/test_others.py": "def test_nothing(): pass",
        "their/tests/test_broken.py": "from their.models import Model\nModel.nowhere",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        patch.syspath_prepend(str(folder))
        yield Place("ours", ("their",), seconds=0.5, module_seconds=60)


@pytest.fixture(scope="module")
def results(planted):
    return {result.test.split("::")[-1]: result for result in run_module(f"their.{MODULE}", planted)}


def kinds(results, known=()):
    return {name: verdict(result, known, {"Model"}) for name, result in results.items() if result.error}


def test_what_reaches_the_library_counts(results):
    assert {"test_does_not_reach", "test_skips_itself", "test_the_peer_keeps_its_own"}.isdisjoint(results)
    assert len(results) == 16


def test_every_name_of_a_peer_leads_to_ours(results):
    by_name = {f"test_by_every_name[{way}]" for way in ("from", "import", "hidden")}
    assert {name for name, result in results.items() if not result.error} == {"test_passes", "test_goes_on", *by_name}


def test_a_failure_that_speaks_for_itself_is_explained(results):
    assert kinds(results) == {
        "test_a_keyword": "feature",
        "test_a_keyword_and_more": "feature",
        "test_too_many": "feature",
        "test_an_attribute": "feature",
        "test_something_private": "internals",
        "test_another_result": "fault",
        "test_another_message": "fault",
        "test_a_warning_that_an_error_forestalls": "fault",
        "test_a_warning_that_a_keyword_forestalls": "feature",
        "test_never_ends": "fault",
        "test_crashes": "fault",
    }


def test_unknown_keywords_are_left_away_the_second_time(results):
    assert [name for name, result in results.items() if result.leniently] == ["test_a_keyword"]
    assert "unexpected keyword argument 'speed'" in results["test_a_keyword"].error


def test_a_warning_that_did_not_come_is_told_by_what_forestalled_it(results):
    assert results["test_a_warning_that_an_error_forestalls"].error == "ValueError: x must be positive: turn it round."
    assert "'speed'" in results["test_a_warning_that_a_keyword_forestalls"].error


def test_a_test_that_never_ends_and_one_that_crashes_do_not_end_the_others(results):
    assert results["test_never_ends"].error == "TooSlow: more than 0.5 s"
    assert results["test_crashes"].error.startswith("Crash: the process ended with 3")
    assert not results["test_goes_on"].error


def test_a_module_that_takes_too_long_or_cannot_be_imported_is_a_fault(planted):
    slow = run_module(f"their.{MODULE}", planted._replace(module_seconds=0.01))
    assert [(each.test, each.error) for each in slow] == [
        (f"their.{MODULE}", "TooSlow: the module takes more than 0.01 s")
    ]
    (broken,) = run_module("their.tests.test_broken", planted)
    assert "has no attribute 'nowhere'" in broken.error


def test_the_command_names_what_nothing_explains(planted, results, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "run_module", lambda *_: list(results.values()))
    known, kept = tmp_path / "known.csv", tmp_path / "build/peers.csv"
    known.write_text(
        "kind,test,error,why\n"
        "design,*,Regex pattern did not match,our own words\n"
        "design,their/tests/test_models.py::test_another_result,^AssertionError,three\n"
        "design,their/tests/test_models.py::test_passes,,never\n"
        "design,their/tests/test_gone.py::*,,not run\n"
    )
    assert command.main(["models"], planted, known, kept) == 1
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if line.startswith("total"))
    assert line.split()[1:] == ["16", "5", "6", "5", "2", "1", "3"]
    assert "31%" in out
    assert "'speed' 3" in out
    assert "unexplained: their/tests/test_models.py::test_crashes" in out
    assert "test_another_result\n" not in out
    assert [line for line in out.splitlines() if "no longer" in line] == [
        "no longer needed: design, their/tests/test_models.py::test_passes: never"
    ]
    with kept.open() as file:
        rows = {row["test"].split("::")[-1]: row for row in csv.DictReader(file)}
    assert (rows["test_passes"]["kind"], rows["test_another_message"]["kind"]) == ("passed", "design")
    assert command.main(["no_such_part"], planted, known, kept) == 2
    assert "no test module of their" in capsys.readouterr().err


@pytest.mark.parametrize(("reason", "status"), [("", 1), ("design,*,^(Crash|TooSlow|Assertion),planted\n", 0)])
def test_the_exit_status_tells_of_faults(planted, tmp_path, monkeypatch, reason, status):
    found = [Result("their/tests/test_models.py::test_a", "AssertionError: assert 3 == 2")]
    monkeypatch.setattr(command, "run_module", lambda *_: found)
    known = tmp_path / "known.csv"
    known.write_text(f"kind,test,error,why\n{reason}")
    assert command.main(["test_models"], planted, known, tmp_path / "kept.csv") == status


def test_names_that_no_test_of_the_peers_mentions_are_told(planted, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "run_module", lambda *_: [])
    monkeypatch.setattr(command, "test_modules", lambda *_: {"their.tests.test_models": {"Model"}})
    known = tmp_path / "known.csv"
    known.write_text("kind,test,error,why\n")
    assert command.main([], planted, known, tmp_path / "kept.csv") == 0
    assert "named by no installed test of the peers: double" in capsys.readouterr().out


def test_an_error_of_our_own_code_does_not_speak_for_itself():
    error = "AttributeError: 'Model' object has no attribute 'best_'"
    assert verdict(Result("t", error), [], {"Model"}) == "feature"
    assert verdict(Result("t", error, ours=True), [], {"Model"}) == "fault"
    assert verdict(Result("t", error), [], {"Other"}) == "fault"
    assert verdict(Result("t[a]", error), [Difference("design", "t[a]", "best_", "so")], {"Model"}) == "design"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind,test\n", "must have the columns kind, test, error, why"),
        ("kind,test,error,why\nfault,a,b,c\n", r"row 2: needs a kind \(feature, design, internals\)"),
        ("kind,test,error,why\ndesign,a,b,\n", "row 2: needs a kind .* and a reason"),
    ],
)
def test_explanations_are_complete(tmp_path, text, message):
    (tmp_path / "known.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_differences(tmp_path / "known.csv")


def test_the_known_explanations_can_be_read():
    assert all(difference.why for difference in read_differences(command.DIFFERENCES))
