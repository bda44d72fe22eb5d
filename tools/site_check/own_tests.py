"""The tests of the checks themselves, which let browsers look at planted faults for a minute or two.

    python -m tools.site_check.own_tests [--all]

They are left out when nothing they depend on has changed since they passed: the checks, the tests, the packages, the
browser. ``--record`` of ``tools.site_check`` stores what that was; ``--all`` runs them in any case.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from .browser import find_chromium
from .checked import checks, digest, recorded

ROOT = Path(__file__).resolve().parents[2]
TESTS = [f"tests/site/test_{name}.py" for name in ("planted_faults", "site_check", "site_plan")]
ROOMS = ["tests/site/planted_site.py", "tests/site/conftest.py"]
PACKAGES = ("playwright", "pytest")
PASSED = ROOT / "_build/own_tests_passed"  # the state in which they passed here; a record takes it over


def browser_version() -> str:
    """Name and major version of the browser."""
    said = subprocess.run([find_chromium(), "--version"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"\D+\d+", said)
    return found[0] if found else said


def state() -> str:
    """Hash of all that decides whether the tests pass."""
    files = [(ROOT / name).read_bytes() for name in [*TESTS, *ROOMS]]
    return digest(*files, *(part.encode() for part in (checks(), *map(version, PACKAGES), browser_version())))


def passed() -> bool:
    """Whether the tests passed in this very state, here or when the list was recorded."""
    return state() in (passed_here(), recorded())


def passed_here() -> str:
    """The state in which the tests passed on this machine."""
    return PASSED.read_text(encoding="utf8") if PASSED.exists() else ""


def main(arguments: list[str]) -> int:
    """Run the tests if need be; returns the exit status."""
    files = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests/site").glob("test_*.py"))]
    left_out = "--all" not in arguments and passed()
    if left_out:
        print(
            "the checks are as they were when their own tests passed: those are left out (--all runs them)", flush=True
        )
        files = [file for file in files if file not in TESTS]
    command = [sys.executable, "-m", "pytest", "-q", "-m", "browser", "-n", "2", "--dist", "loadfile", *files]
    status = subprocess.call(command, cwd=ROOT)
    if not status and not left_out:
        PASSED.parent.mkdir(exist_ok=True)
        PASSED.write_text(state(), encoding="utf8")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
