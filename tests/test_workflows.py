"""What hosts run: pinned actions, few permissions, commands of the project, and an environment of the same pins."""

import os
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import run

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
WORKFLOW_TEXT = (ROOT / ".github/workflows/book.yml").read_text(encoding="utf-8")
WORKFLOW = yaml.safe_load(WORKFLOW_TEXT)
GITLAB = yaml.safe_load((ROOT / ".gitlab-ci.yml").read_text(encoding="utf-8"))
PINS = {"requirements.txt", "constraints.txt", "pyproject.toml"}
RUN = re.compile(r"python3 run\.py (\w[\w-]*)(?: --[\w-]+)*")
TO_PUBLIC = "mv _build/html public"  # GitLab publishes the folder of this name


def steps():
    """Each step of the workflow for GitHub."""
    return [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def gitlab_jobs():
    """Each job for GitLab, by its name."""
    return {name: job for name, job in GITLAB.items() if isinstance(job, dict) and "script" in job}


def commands():
    """Every line that one of the hosts gives to a shell."""
    found = [line for step in steps() for line in step.get("run", "").splitlines()]
    return found + [line for job in gitlab_jobs().values() for line in job["script"]]


def test_each_action_is_pinned_by_a_whole_hash_and_says_its_version():
    used = [step["uses"] for step in steps() if "uses" in step]
    assert len(used) >= 4
    assert [name for name in used if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", name)] == []
    lines = re.findall(r"uses: (.*)", WORKFLOW_TEXT)
    assert [line for line in lines if not re.fullmatch(r"\S+ # v\d+\.\d+\.\d+", line)] == []
    assert len(lines) == len(used)


def test_only_the_job_that_publishes_may_write():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    asked = {name: job["permissions"] for name, job in WORKFLOW["jobs"].items() if "permissions" in job}
    assert asked == {"deploy": {"pages": "write", "id-token": "write"}}
    publish = WORKFLOW["jobs"]["deploy"]
    assert not any("run" in step for step in publish["steps"])  # nothing of the project runs there
    assert publish["needs"] == "build"
    (checkout,) = [step for step in steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert checkout["with"] == {"persist-credentials": False}
    assert "secrets." not in WORKFLOW_TEXT


def test_only_the_default_branch_is_published():
    default = "github.ref_name == github.event.repository.default_branch"
    assert WORKFLOW["jobs"]["deploy"]["if"] == f"github.event_name != 'pull_request' && {default}"
    (rule,) = GITLAB["pages"]["rules"]
    assert rule["if"].endswith("$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH")
    assert set(WORKFLOW[True]) == {"push", "pull_request", "workflow_dispatch"}  # YAML reads the key "on" as true


def test_two_runs_of_one_branch_do_not_publish_at_once():
    assert WORKFLOW["concurrency"]["group"] == "book-${{ github.ref }}"
    assert GITLAB["pages"]["resource_group"] == "pages"


def test_the_cache_is_renewed_with_the_pins():
    (python,) = [step["with"] for step in steps() if step.get("uses", "").startswith("actions/setup-python@")]
    assert python["cache"] == "pip"
    assert set(python["cache-dependency-path"].split()) == PINS == set(run.REQUIREMENTS)
    cache = GITLAB["build"]["cache"]
    assert set(cache["key"]["files"]) <= PINS
    assert "constraints.txt" in cache["key"]["files"]  # it has the pins of all three (test_structure.py)
    assert cache["paths"] == [".cache/pip"]
    assert GITLAB["variables"]["PIP_CACHE_DIR"] == "$CI_PROJECT_DIR/.cache/pip"


@pytest.mark.parametrize("jobs", [WORKFLOW["jobs"], gitlab_jobs()], ids=["GitHub", "GitLab"])
def test_what_is_published_was_checked_first(jobs):
    build = jobs["build"]
    lines = [step["run"] for step in build["steps"] if "run" in step] if "steps" in build else build["script"]
    assert lines == [".ci/run", "python3 run.py book --no-serve"]
    published = [step["with"]["path"] for step in build.get("steps", []) if "path" in step.get("with", {})]
    assert (published or build["artifacts"]["paths"]) == [run.HTML.relative_to(ROOT).as_posix()]


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_each_command_is_one_of_the_project(command):
    if command == TO_PUBLIC:
        assert GITLAB["pages"]["artifacts"]["paths"] == ["public"]
    elif found := RUN.fullmatch(command):
        assert f"python3 run.py {found[1]}" in README
        assert found[1] in run.VERBS
        assert all(f"{found[1]} {option}" in README for option in re.findall(r"--[\w-]+", command))
    else:
        assert command == ".ci/run"
        assert f"`{command}`" in README
        assert os.access(ROOT / command, os.X_OK)


@pytest.mark.parametrize("said", [WORKFLOW["jobs"]["build"]["steps"][1]["with"]["python-version"], GITLAB["image"]])
def test_hosts_have_a_python_that_the_book_runs_on(said):
    (found,) = re.findall(r"3\.\d+", said)
    assert tuple(map(int, found.split("."))) in run.SUPPORTED


def test_a_launched_notebook_has_the_pins_of_the_book():
    folder = ROOT / ".binder"
    lines = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    assert "-r ../requirements.txt" in lines  # which names constraints.txt, for all that is installed with it
    assert (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()[-1] == "-c constraints.txt"
    (extras,) = [line for line in lines if line != "-r ../requirements.txt"]
    assert re.fullmatch(r"-e \.\[[\w,]+\]", extras)  # of pyproject.toml, whose pins are those of constraints.txt
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {"lab", "dask"} <= set(re.findall(r"\w+", extras.partition("[")[2])) <= set(offered)
    python = (folder / "runtime.txt").read_text(encoding="utf-8")
    assert re.fullmatch(r"python-3\.\d+\n", python)
    assert tuple(map(int, re.findall(r"\d+", python))) in run.SUPPORTED
