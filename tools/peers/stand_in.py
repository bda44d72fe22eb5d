"""A plugin of pytest: in one test module of a peer, the names that the library has too are the library's.

The import statements of that module, and of no other, lead to the library's classes and functions; the peer's own code
goes on using its own. Each call of the library's code from outside is watched: a test that makes one reaches the
library, and a keyword that is not known stops it with an error of its own kind, or is left away.

What to do stands in the JSON file that the variable ``PEERS_JOB`` names; what happened is written to its journal, line
by line, so that nothing is lost in a crash.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import json
import os
import signal
import sys
import traceback
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import namesakes
import pytest

from tools.peers.running import is_subject

SHOWN = 300  # characters of a message that are kept


class NotOffered(TypeError):
    """A call with arguments that the library's signature does not have."""


class TooSlow(BaseException):
    """A test that takes longer than it may; no test can catch this."""


class Shown:
    """A module of a peer as its test module sees it."""

    def __init__(self, module: ModuleType, door: Door) -> None:
        self.__dict__.update(_module=module, _door=door)

    def __getattr__(self, name: str) -> Any:
        return self._door.seen(getattr(self._module, name))

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, name, self._door.originals.get(id(value), value))


class Door:
    """Finds and loads the test module, with an import statement of its own."""

    def __init__(self, module: str, library: str, peers: list[str]) -> None:
        self.module, self.peers, self.watch = module, peers, Watch(library)
        self.standing: dict[int, Any] = {}
        self.originals: dict[int, Any] = {}
        for found in namesakes.namesakes(library, peers):
            if not is_subject(found, module):
                continue
            ours = self.watch.whole(found.ours)
            self.standing[id(found.theirs)] = ours
            self.originals[id(ours)] = found.theirs

    def seen(self, thing: Any) -> Any:
        """What the test module gets in place of a thing."""
        if isinstance(thing, ModuleType):
            return Shown(thing, self) if thing.__name__.split(".")[0] in self.peers else thing
        return self.standing.get(id(thing), thing)

    def bring(self, *args: Any, **kwargs: Any) -> Any:
        """The test module's ``__import__``."""
        return self.seen(builtins.__import__(*args, **kwargs))

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find the test module as all others would, to load it here."""
        if name != self.module:
            return None
        finders = [finder for finder in sys.meta_path if finder is not self]
        spec = next((spec for finder in finders if (spec := finder.find_spec(name, path, target))), None)
        if spec is not None:
            self.loader, spec.loader = spec.loader, self  # type: ignore[assignment]
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave that to Python."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with its own import statement."""
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self.bring}
        assert self.loader is not None
        self.loader.exec_module(module)

    def __getattr__(self, name: str) -> Any:  # pytest asks its own loader for more
        return getattr(self.__dict__["loader"], name)


class Watch:
    """Notes when the library's code is reached, and judges the arguments.

    ``lenient`` leaves unknown keywords away.
    """

    def __init__(self, library: str) -> None:
        self.library, self.reached, self.lenient = library, False, True  # while modules are imported, too
        self.seen: set[Any] = set()

    def whole(self, thing: Any) -> Any:
        """A function watched, or a class with all its public methods."""
        if not inspect.isclass(thing):
            return self.watched(thing)
        for owner in thing.__mro__:
            if owner.__module__.split(".")[0] == self.library and owner not in self.seen:
                self.seen.add(owner)
                for name, member in list(vars(owner).items()):
                    if inspect.isfunction(member) and (name in ("__init__", "__call__") or not name.startswith("_")):
                        setattr(owner, name, self.watched(member))
        return thing

    def watched(self, function: Any) -> Any:
        """A function that says when it is called."""
        signature = inspect.signature(function)
        takes_all = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self.reached = True
            if self.lenient and not takes_all:
                kwargs = {name: value for name, value in kwargs.items() if name in signature.parameters}
            try:
                signature.bind(*args, **kwargs)
            except TypeError as error:
                raise NotOffered(f"{function.__qualname__} {error}") from None
            return function(*args, **kwargs)

        return call


class Plugin:
    """Chooses the tests, stops slow ones, and keeps the journal."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.door = Door(job["module"], job["library"], job["peers"])
        sys.meta_path.insert(0, self.door)

    def write(self, **line: Any) -> None:
        """Add a line to the journal."""
        with open(self.job["journal"], "a", encoding="utf-8") as journal:
            journal.write(json.dumps(line) + "\n")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what is done, and what is not asked for."""
        done, only = set(self.job["done"]), self.job["only"]
        items[:] = [item for item in items if item.nodeid not in done and (only is None or item.nodeid in only)]
        self.door.watch.lenient = self.job["lenient"]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Begin a test."""
        self.door.watch.reached, self.error, self.ours, self.skipped = False, "", False, False
        self.write(started=nodeid)
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self.stop)
            signal.setitimer(signal.ITIMER_REAL, self.job["seconds"])

    def stop(self, *_: Any) -> None:
        """End a test that takes too long."""
        raise TooSlow(f"more than {self.job['seconds']} s")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Any:
        """Keep the first error of a test, and whether the library's own code raised it."""
        report = yield
        self.skipped |= report.skipped
        if report.failed and not self.error:
            error = call.excinfo.value if call.excinfo else None
            if isinstance(error, pytest.fail.Exception) and error.__context__ is not None:
                error = error.__context__  # no warning came because of this
            frames = traceback.extract_tb(error.__traceback__) if error else []
            self.ours = bool(frames) and Path(frames[-1].filename).is_relative_to(self.job["folder"])
            words = " ".join(str(error).split())[:SHOWN] if error else "passed, which it should not"
            self.error = f"{type(error).__name__}: {words}"
        return report

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """End a test."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        reached = self.door.watch.reached and not self.skipped
        self.write(test=nodeid, reached=reached, error=self.error, ours=self.ours)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A module that cannot be imported."""
        if report.failed:
            self.write(broken=str(report.longrepr).strip().splitlines()[-1][:SHOWN])

    def pytest_sessionfinish(self) -> None:
        """Say that nothing was cut off."""
        self.write(end=True)


def pytest_configure(config: pytest.Config) -> None:
    """Come when there is a job."""
    job = json.loads(Path(os.environ["PEERS_JOB"]).read_text(encoding="utf-8"))
    config.pluginmanager.register(Plugin(job))
