"""Run test modules of the peers, each in a process of its own, and take down what becomes of each test."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from namesakes import Namesake

from tools.peers.verdicts import Result

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0  # that a test may take
MODULE_SECONDS = 3600.0  # that a test module may take
CRASHES = 20  # of one module, after which its other tests are given up


class Place(NamedTuple):
    """Whose tests run on whose names; the tests of this tool use others."""

    library: str = "notes_lib"
    peers: tuple[str, ...] = ("sklearn", "hmmlearn")
    seconds: float = SECONDS
    module_seconds: float = MODULE_SECONDS


def folder_of(package: str) -> Path:
    """The folder of an installed package."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def is_subject(found: Namesake, module: str) -> bool:
    """Whether a name stands for ours in a test module: data sets do so only where they are what is tested."""
    return found.part != "datasets" or ".datasets." in module


def test_modules(place: Place, pairs: list[Namesake]) -> dict[str, set[str]]:
    """The test modules of the peers that name something the library has too, and what they name."""
    found = {}
    for peer in place.peers:
        folder = folder_of(peer)
        for path in sorted(folder.rglob("tests/**/test_*.py")):
            module = ".".join(path.relative_to(folder.parent).with_suffix("").parts)
            named = set(words(ast.parse(path.read_text(encoding="utf-8"))))
            used = {pair.name for pair in pairs if pair.name in named and is_subject(pair, module)}
            if used:
                found[module] = used
    return found


def words(tree: ast.AST) -> Iterator[str]:
    """The names that a module imports, reads or looks up in another one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.alias):
            yield node.name.rpartition(".")[2]
        elif isinstance(node, ast.Attribute):
            yield node.attr


def run_module(module: str, place: Place) -> list[Result]:
    """Run a test module as it is written, then its failures once more without unknown keywords."""
    lines = run(module, place, lenient=False)
    results = [Result(line["test"], line["error"], line["ours"]) for line in lines if line["reached"]]
    refused = [result.test for result in results if result.error.startswith("NotOffered: ")]
    again = run(module, place, lenient=True, only=refused) if refused else []
    passed = {line["test"] for line in again if line["reached"] and not line["error"]}
    return [result._replace(leniently=result.test in passed) for result in results]


def run(module: str, place: Place, lenient: bool, only: list[str] | None = None) -> list[dict[str, Any]]:
    """The journal of a test module: after a crash, the tests after it are run by another process."""
    done: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(CRASHES):
            tests = [line["test"] for line in done]
            job = {"module": module, "lenient": lenient, "only": only, "done": tests, "journal": f"{folder}/journal"}
            ending = start(job, Path(folder), place)
            lines = [json.loads(line) for line in Path(folder, "journal").read_text(encoding="utf-8").splitlines()]
            done += [line for line in lines if "test" in line]
            for line in lines:
                if "broken" in line:
                    return [{"test": module, "reached": True, "error": line["broken"], "ours": False}]
            if lines[-1:] == [{"end": True}]:
                return done
            started = [line["started"] for line in lines if "started" in line]
            name = started[-1] if len(started) > sum("test" in line for line in lines) else module
            done.append({"test": name, "reached": True, "error": ending, "ours": False})
            if name == module:
                return done
    return done


def start(job: dict[str, Any], folder: Path, place: Place) -> str:
    """Run one process; returns how it ended, for the case that it did not end well."""
    site, library = folder_of(place.peers[0]).parent, folder_of(place.library)
    home = folder_of(job["module"].split(".")[0]).parent
    job |= {"library": place.library, "peers": place.peers, "seconds": place.seconds, "folder": str(library)}
    Path(job["journal"]).write_text("", encoding="utf-8")
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    environment = dict(
        os.environ,
        PEERS_JOB=str(folder / "job.json"),
        PYTHONPATH=os.pathsep.join(map(str, (ROOT, ROOT / "_ext", library.parent, site))),
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
        HMMLEARN_SEED="0",
    )
    options = ["-c", folder / "pytest.ini", "--rootdir", home, "--confcutdir", home, "-q", "--tb=line"]
    options += ["-p", "no:cacheprovider", "-p", "tools.peers.stand_in", "--pyargs", job["module"]]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *map(str, options)],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=place.module_seconds,
        )
    except subprocess.TimeoutExpired:
        return f"TooSlow: the module takes more than {place.module_seconds:g} s"
    last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
    return f"Crash: the process ended with {done.returncode}; {' '.join(last)}"[:300]
