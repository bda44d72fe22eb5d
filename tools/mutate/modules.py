"""Changes of the library and of the drills, after which the tests still pass.

Nothing is written: a trial is a forked process in which the changed text takes the place of the file when the module is
imported. Tests that ran the changed line when nothing was changed come first, quick ones before slow ones, and the
first failure ends the trial. A test that starts another Python there tests the unchanged file.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tools.mutate.changes import Change, changes
from tools.mutate.processes import limit_time, result_of, unnoticed
from tools.mutate.report import Survivor, Tally, sample


class Trial(NamedTuple):
    """A change of one file."""

    file: Path
    change: Change


class Baseline(NamedTuple):
    """What the tests do when nothing is changed."""

    seconds: dict[str, float]  # by test
    lines: dict[tuple[Path, int], set[str]]  # the tests that run a line of a file


def files_of(path: Path) -> list[Path]:
    """The files of a module, a package, or one file of it; a module may be named without its ending."""
    if path.is_dir():
        return sorted(path.rglob("*.py"))
    file = path if path.suffix == ".py" else path.with_suffix(".py")
    if not file.exists():
        raise FileNotFoundError(f"{path} is neither a notebook, a module nor a package.")
    return [file]


def mirror_of(path: Path, root: Path) -> Path:
    """The file of tests that mirrors a module, a package or one file of a package."""
    place = path.relative_to(root / "notes_lib").with_suffix("")
    for part in (place, place.parent):
        file = root / "tests" / part.parent / f"test_{part.name}.py"
        if file.exists():
            return file
    raise FileNotFoundError(f"{path} has no tests/{place.parent}/test_{place.name}.py.")


def topics_of(files: list[Path]) -> set[str]:
    """The topics of drills that some files register."""
    calls = [node for file in files for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    named = [call.args[0] for call in calls if getattr(call.func, "id", "") == "drill" and call.args]
    return {str(argument.value) for argument in named if isinstance(argument, ast.Constant)}


def root_of(path: Path) -> Path:
    """The project's folder: the one that holds ``notes_lib``."""
    for folder in path.parents:
        if folder.name == "notes_lib":
            return folder.parent
    raise ValueError(f"{path} is neither a notebook nor a part of notes_lib.")


def try_module(path: Path, most: int | None, seed: int, jobs: int) -> Tally:
    """Change the files of a module and run its tests after each change.

    Parameters
    ----------
    path : Path
    most : int or None
        How many changes are tried, drawn with ``seed``; None: all.
    seed : int
    jobs : int
        Processes at the same time.

    Returns
    -------
    Tally
    """
    path = path.resolve()
    root = root_of(path)
    files = files_of(path)
    found = {file: changes(file.read_text(encoding="utf-8"), boundaries=True) for file in files}
    trials = sample([Trial(file, change) for file in files for change in found[file].tried], most, seed)
    suite = _Suite(files, mirror_of(path, root), root)
    survivors = result_of(partial(_survivors, suite, trials, jobs))
    named = [
        Survivor(f"{t.file.relative_to(root)}:{t.change.line}", t.change.before, t.change.after) for t in survivors
    ]
    return Tally(str(path.relative_to(root)), len(trials), named, Counter())


def _survivors(suite: _Suite, trials: list[Trial], jobs: int) -> list[Trial]:
    """Changes after which all tests pass."""
    suite.prepare()
    baseline = result_of(suite.baseline)
    return unnoticed(trials, partial(suite.passes, baseline), jobs)


class _Suite:
    """The tests of some files."""

    def __init__(self, files: list[Path], tests: Path, root: Path) -> None:
        self.files, self.tests, self.root = files, tests, root
        self.topics = topics_of(files)

    def prepare(self) -> None:
        """Import what the tests import, apart from the project itself: no trial needs to do that again."""
        os.chdir(self.root)
        sys.path.insert(0, str(self.root))
        sys.dont_write_bytecode = True
        if self.run("--collect-only") != pytest.ExitCode.OK:
            raise ValueError(f"the tests in {self.tests.relative_to(self.root)} cannot be collected.")
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) or ""
            if file.startswith((str(self.root / "notes_lib"), str(self.root / "tests"))):
                del sys.modules[name]

    def run(self, *words: str, plugin: object = None) -> int:
        """Run pytest in this process."""
        shared = sorted((self.root / "tests" / "drills").glob("test_*.py")) if self.topics else []
        command = [
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "--assert=plain",
            "-W",
            "ignore::pytest.PytestAssertRewriteWarning",
        ]
        plugins = [_Selection(self.topics, self.tests), *([plugin] if plugin else [])]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return pytest.main([*command, *words, *map(str, [self.tests, *shared, *self.files])], plugins)

    def baseline(self) -> Baseline:
        """Run the unchanged tests and note what each one costs and runs."""
        tracer = _Tracer(self.files)
        if self.run(plugin=tracer) != pytest.ExitCode.OK:
            raise ValueError(f"the tests in {self.tests.relative_to(self.root)} fail as they are.")
        return Baseline(tracer.seconds, tracer.lines())

    def passes(self, baseline: Baseline, trial: Trial) -> bool:
        """Whether all tests pass with a changed file."""
        _replace(trial.file, trial.change.source)
        near = set().union(*(baseline.lines.get((trial.file, line), set()) for line in trial.change.lines))
        order = _Order(baseline.seconds, near)
        return self.run(plugin=order) == pytest.ExitCode.OK


def _replace(file: Path, source: str) -> None:
    """Let this process import a changed text in the place of a file."""
    original = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> Any:
        if Path(loader.path).resolve() == file:
            return compile(source, loader.path, "exec", dont_inherit=True)
        return original(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]


class _Selection:
    """Of the tests over all topics of the drills, those of some topics."""

    def __init__(self, topics: set[str], own: Path) -> None:
        self.topics, self.own = topics, own

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self._wanted(item)]

    def _wanted(self, item: pytest.Item) -> bool:
        shared = item.path.parent.name == "drills" and item.path != self.own and item.path.name.startswith("test_")
        return not shared or any(f"[{topic}" in item.nodeid or f"-{topic}]" in item.nodeid for topic in self.topics)


class _Tracer:
    """Notes for each test the processor time and the lines that it runs."""

    def __init__(self, files: list[Path]) -> None:
        from coverage import Coverage

        self.coverage = Coverage(data_file=None, include=list(map(str, files)), config_file=False)
        self.coverage.start()
        self.files = files
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        start = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - start
        return result

    def lines(self) -> dict[tuple[Path, int], set[str]]:
        self.coverage.stop()
        data = self.coverage.get_data()
        return {(f, n): set(tests) for f in self.files for n, tests in data.contexts_by_lineno(str(f)).items()}


class _Order:
    """Runs the tests near a change first, quick ones before slow ones, each for a limited time."""

    def __init__(self, seconds: dict[str, float], near: set[str]) -> None:
        self.seconds, self.near = seconds, near

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: (item.nodeid not in self.near, self.seconds.get(item.nodeid, 0.0)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        limit_time(2 + 5 * self.seconds.get(item.nodeid, 0.0))
