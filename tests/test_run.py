"""Tests of run.py: each failure is explained in one sentence with its remedy, and nothing is done twice."""

import importlib.util
import socket
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def run(monkeypatch, tmp_path):
    """A fresh copy of the program, working on an empty folder."""
    spec = importlib.util.spec_from_file_location("run_under_test", ROOT / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in module.REQUIREMENTS:
        (tmp_path / name).write_text("")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv/bin/python")
    monkeypatch.setattr(module, "HTML", tmp_path / "_build/html")
    return module


def one_sentence(caught):
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_usage(run, capsys):
    assert run.main([]) == 0
    assert run.main(["help"]) == 0
    assert "python3 run.py book" in capsys.readouterr().out
    assert run.main(["boook"]) == 2


@pytest.mark.parametrize("version", [(3, 10, 4), (3, 14, 0)])
def test_wrong_python(run, monkeypatch, version):
    monkeypatch.setattr(run.sys, "version_info", version)
    with pytest.raises(SystemExit) as caught:
        run.set_up()
    assert "Python 3.11, 3.12 or 3.13 is needed" in one_sentence(caught)
    assert "python3.12 run.py" in one_sentence(caught)


def test_incomplete_venv(run, monkeypatch):
    def fail(*_, **__):
        raise subprocess.CalledProcessError(1, "ensurepip")

    monkeypatch.setattr(venv, "create", fail)
    with pytest.raises(SystemExit) as caught:
        run.set_up()
    assert "sudo apt install python3-venv" in one_sentence(caught)


def test_missing_venv(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "venv", None)
    with pytest.raises(SystemExit) as caught:
        run.create_environment()
    assert "sudo apt install python3-venv" in one_sentence(caught)


def test_folder_that_cannot_be_written(run, monkeypatch):
    def fail(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(venv, "create", fail)
    with pytest.raises(SystemExit) as caught:
        run.create_environment()
    assert "copy the project to a folder of your own" in one_sentence(caught)


def test_no_network(run, monkeypatch):
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    closed = "http://127.0.0.1:9/simple"
    with pytest.raises(SystemExit) as caught:
        run.install(["--isolated", "--retries", "1", "--index-url", closed, "a-package-that-is-not-installed"])
    assert "connect to the network" in one_sentence(caught)


@pytest.mark.parametrize(
    ("message", "remedy"),
    [("OSError: No space left on device", "free about 1 GB"), ("ERROR: something else", "delete the folder .venv")],
)
def test_pip_fails_otherwise(run, monkeypatch, tmp_path, message, remedy):
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\necho '{message}'\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(run, "PYTHON", fake)
    with pytest.raises(SystemExit) as caught:
        run.install([])
    assert remedy in one_sentence(caught)


def test_set_up_happens_once_for_the_same_files(run, monkeypatch, tmp_path):
    done = []

    def create(path, **_):
        (path / "bin").mkdir(parents=True)
        (path / "bin/python").write_text("")
        (path / "pyvenv.cfg").write_text(f"version = {run.PYTHON_VERSION}.7")

    monkeypatch.setattr(venv, "create", create)
    monkeypatch.setattr(run, "install", done.append)
    run.set_up()
    run.set_up()
    assert len(done) == 1
    (tmp_path / "constraints.txt").write_text("numpy==2.0.0")
    run.set_up()
    assert len(done) == 2
    run.set_up("browser")
    run.set_up("browser")
    assert done[2:] == [["-e", ".[browser]", "-c", "constraints.txt"]]


def test_port_taken(run, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run.serve(port) == 1
    assert f"port {port} is taken: choose another one" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--port"], ["--port", "x"], ["--port", "99999"]])
def test_port_must_be_a_number(run, capsys, words):
    assert run.book(words) == 2
    assert "--port takes a number" in capsys.readouterr().err


def test_build_happens_once_and_misses_no_page(run, monkeypatch, tmp_path, capsys):
    built = []

    def build(*command):
        built.append(command)
        for page in ("chapters/intro", "chapters/a") if complete else ("chapters/intro",):
            (run.HTML / f"{page}.html").parent.mkdir(parents=True, exist_ok=True)
            (run.HTML / f"{page}.html").write_text("")
        return 0

    monkeypatch.setattr(run, "call", build)
    (tmp_path / "_toc.yml").write_text("root: chapters/intro\nparts:\n- chapters:\n  - file: chapters/a\n")
    complete = False
    assert run.build_book() == 1
    assert "not built: chapters/a" in capsys.readouterr().err
    complete = True
    assert run.build_book() == 0
    assert run.build_book() == 0
    assert len(built) == 2
    assert {"-W", "-n", "--keep-going"} <= set(built[0])
    (tmp_path / "_toc.yml").write_text("root: chapters/intro\n")
    assert run.build_book() == 0
    assert len(built) == 3


def test_a_build_with_warnings_fails_and_is_tried_again(run, monkeypatch, tmp_path):
    (tmp_path / "_toc.yml").write_text("root: chapters/intro\n")
    monkeypatch.setattr(run, "call", lambda *_: 1)
    assert run.build_book() == 1
    assert run.build_book() == 1


def test_every_stage_of_test_runs_even_when_one_fails(run, monkeypatch, capsys):
    status = iter([0, 1, 0, 0, 0, 0])
    monkeypatch.setattr(run, "call", lambda *_: next(status))
    assert run.test([]) == 1
    assert capsys.readouterr().out.endswith("failed: format\n")
