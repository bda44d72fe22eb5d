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
    monkeypatch.setattr(module, "PAGE", tmp_path / "_build/page")
    monkeypatch.setattr(module, "LAB", tmp_path / "_build/lab")
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


def test_packages_are_compiled_when_they_are_imported(run, monkeypatch, tmp_path):
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\necho "$@" > told\n')
    fake.chmod(0o755)
    monkeypatch.setattr(run, "PYTHON", fake)
    run.install(["-r", "requirements.txt"])
    told = (tmp_path / "told").read_text().split()
    assert told[:3] == ["-m", "pip", "install"]
    assert "--no-compile" in told
    assert told[-2:] == ["-r", "requirements.txt"]


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


@pytest.fixture
def tree(tmp_path):
    """Two chapters, one of them a package, and a shared room."""
    for name in (
        "chapters/kernels/svm.ipynb",
        "chapters/foundations/linear_algebra.ipynb",
        "notes_lib/kernels/svm/__init__.py",
        "notes_lib/foundations/linear_algebra.py",
        "notes_lib/display.py",
        "notes_lib/drills/kernels/svm.py",
        "tests/kernels/test_svm.py",
        "tests/claims/kernels/test_svm.py",
        "tests/drills/kernels/test_svm.py",
        "tests/formulas/instances/kernels/svm.py",
        "tests/solutions/kernels/svm.py",
        "tests/foundations/test_linear_algebra.py",
        "tests/test_display.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")


SVM = [
    "tests/claims/kernels/test_svm.py",
    "tests/drills/kernels/test_svm.py",
    "tests/kernels/test_svm.py",
    "notes_lib/kernels/svm",
    "notes_lib/drills/kernels/svm.py",
    "chapters/kernels/svm.ipynb",
    "tests/formulas/test_formulas.py::test_every_formula_is_true_or_listed_as_unread[svm]",
    "tests/solutions/test_solutions.py::test_every_number_is_accounted_for[svm]",
]
LINEAR_ALGEBRA = [
    "tests/foundations/test_linear_algebra.py",
    "notes_lib/foundations/linear_algebra.py",
    "chapters/foundations/linear_algebra.ipynb",
]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["svm"], SVM),
        (["linear_algebra", "svm", "-x"], [*LINEAR_ALGEBRA, *SVM, "-x"]),
        (["display"], ["tests/test_display.py", "notes_lib/display.py"]),
        (["tests/kernels", "-k", "svm"], ["tests/kernels", "-k", "svm"]),
        (["-k", "no-such-word"], ["-k", "no-such-word"]),
        (["tests/kernels/test_svm.py::test_a"], ["tests/kernels/test_svm.py::test_a"]),
        (["--seeds", "200"], ["tests/drills", "--seeds", "200"]),
        (["svm", "--seeds", "200"], [*SVM, "--seeds", "200"]),
        (["--old-processor"], ["chapters", "--old-processor"]),
    ],
)
def test_words_after_test_are_names_paths_and_options(run, tree, monkeypatch, words, told):
    calls = []
    monkeypatch.setattr(run, "call", lambda *command: calls.append(command) or 7)
    assert run.test(words) == 7
    ((*program, quiet), rest) = calls[0][:4], list(calls[0][4:])
    assert program == [run.PYTHON, "-m", "pytest"]
    assert quiet == "-q"
    assert rest == told


@pytest.mark.parametrize("words", [["svn"], ["svm", "svn", "-x"]])
def test_an_unknown_word_after_test_is_explained(run, tree, capsys, words):
    assert run.test(words) == 2
    assert capsys.readouterr().err == "'svn' is no chapter, test or path; there is svm\n"


def test_an_unknown_word_that_resembles_nothing_gets_all_names(run, tree, capsys):
    assert run.test(["qqqq"]) == 2
    assert capsys.readouterr().err.endswith("there is display, linear_algebra, svm\n")


@pytest.mark.parametrize(
    ("version", "ci", "measured", "core"),
    [
        ((3, 11, 7), None, False, None),
        ((3, 11, 7), "true", True, None),
        ((3, 12, 1), None, True, "sysmon"),
        ((3, 13, 0), "true", True, "sysmon"),
    ],
)
def test_coverage_is_measured_where_it_is_cheap_and_in_ci(run, monkeypatch, version, ci, measured, core):
    monkeypatch.delenv("COVERAGE_CORE", raising=False)
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(run.sys, "version_info", version)
    stages = []
    monkeypatch.setattr(run, "call", lambda *command: stages.append(command) and 0)
    assert run.test([]) == 0
    assert [("--cov-fail-under=100" in stage) for stage in stages] == [False] * 4 + [measured, False]
    assert run.environment().get("COVERAGE_CORE") == core


def test_compiled_modules_are_kept(run, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in run.environment()


LOG = """\
Running Jupyter-Book
{root}/chapters/kernels/svm.ipynb:40: WARNING: undefined label: 'optimization-kkt'
{root}/chapters/kernels/svm.ipynb:41: WARNING: equation not found: gmm-em
{root}/notes_lib/kernels/svm.py:3: WARNING: notes_lib.svm.f names the equation 'gmm-em', which no page defines
{root}/chapters/appendix/bibliography.md:3: WARNING: undefined label: 'intro-reading'
{root}/chapters/kernels/svm.ipynb:42: WARNING: prf:ref reference target not found: thm-gmm-monotone
{root}/chapters/kernels/svm.ipynb:43: WARNING: undefined label: 'svm-fast'
"""


@pytest.mark.parametrize(
    "fault",
    [
        "{root}/chapters/kernels/svm.ipynb:41: WARNING: undefined label: 'svm-lost'",
        "{root}/chapters/kernels/svm.ipynb:41: WARNING: undefined label: 'fig-svm-lost'",
        "{root}/chapters/kernels/svm.ipynb:41: WARNING: equation not found: svm-lost",
        "{root}/chapters/kernels/svm.ipynb:41: WARNING: prf:ref reference target not found: thm-svm-lost",
        "{root}/chapters/kernels/svm.ipynb:41: WARNING: undefined label: 'svm-fas'",
        "{root}/chapters/kernels/svm.ipynb:41: ERROR: Unknown directive type: 'mus-know'",
        "{root}/notes_lib/kernels/svm.py:3: WARNING: svm.f names the equation 'svm-lost', which no page defines",
    ],
)
def test_a_page_alone_fails_for_its_own_faults_only(run, tree, monkeypatch, tmp_path, capsys, fault):
    log, commands = LOG, []
    (tmp_path / "chapters/speed.md").write_text("(svm-fast)=\n## Fast\n")

    def build(command, **_):
        commands.append(command)
        toc = (tmp_path / "_build/page/_toc.yml").read_text()
        assert toc.startswith("format: jb-book\nroot: chapters/kernels/svm\n")
        return subprocess.CompletedProcess(command, status, stdout=log.format(root=tmp_path))

    status = 0
    monkeypatch.setattr(run.subprocess, "run", build)
    assert run.page(["svm", "--no-serve"]) == 0
    assert "_build/page/_build/html/chapters/kernels/svm.html" in capsys.readouterr().out
    assert "--all" in commands[0]
    log = LOG + f"\x1b[91m{fault}\x1b[39;49;00m"
    assert run.page(["svm", "--no-serve"]) == 1
    assert capsys.readouterr().err == fault.format(root=tmp_path) + "\n"
    log, status = "it broke", 2
    assert run.page(["svm", "--no-serve"]) == 1
    assert capsys.readouterr().err == "it broke\n"


def test_a_page_alone_is_served(run, tree, monkeypatch):
    monkeypatch.setattr(run, "build_page", lambda notebook: 0)
    served = []
    monkeypatch.setattr(run, "serve", lambda *words: served.append(words) or 0)
    assert run.page(["linear_algebra", "--port", "8001"]) == 0
    assert served == [(8001, run.PAGE / "_build/html", "chapters/foundations/linear_algebra.html")]


@pytest.mark.parametrize("words", [[], ["svn"], ["svm", "--port", "x"]])
def test_a_page_needs_a_chapter_and_a_port(run, tree, capsys, words):
    assert run.page(words) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert ("--port takes a number" if "--port" in words else "there is ") in message


@pytest.mark.parametrize(
    ("verb", "extras"), [("test", ["", "dask"]), ("notebooks", ["", "dask"]), ("lab", ["", "dask"]), ("reading", [""])]
)
def test_verbs_that_execute_chapters_install_dask(run, monkeypatch, verb, extras):
    installed = []
    monkeypatch.setattr(run, "set_up", lambda extra="": installed.append(extra))
    monkeypatch.setitem(run.VERBS, verb, lambda words: len(words))
    assert run.main([verb, "hashing"]) == 1
    assert installed == extras


def test_jupyterlab_opens_a_copy_of_the_chapters(run, monkeypatch, tmp_path):
    called = []
    monkeypatch.setattr(run, "set_up", lambda extra="": None)
    monkeypatch.setattr(run, "call", lambda *words: called.append([str(word) for word in words[1:]]) or 0)
    assert run.main(["lab", "--no-browser"]) == 0
    lab = str(tmp_path / "_build/lab")
    assert called == [["-m", "tools.lab_copy", lab], ["-m", "jupyter", "lab", lab, "--no-browser"]]


def test_jupyterlab_is_not_opened_when_the_copy_fails(run, monkeypatch):
    called = []
    monkeypatch.setattr(run, "set_up", lambda extra="": None)
    monkeypatch.setattr(run, "call", lambda *words: called.append(words) or 1)
    assert run.main(["lab"]) == 1
    assert len(called) == 1
