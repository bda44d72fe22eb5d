"""How much processor time each notebook takes: one line at the end of a run of pytest."""

import os
import tomllib
from pathlib import Path

import pytest

SETTINGS = tomllib.loads((Path(__file__).parent / "pyproject.toml").read_text(encoding="utf-8"))
BUDGET = SETTINGS["tool"]["notebooks"]["seconds"]


def processor_time_of_kernels():
    """Processor time of the children of this process that have ended, in seconds."""
    spent = os.times()
    return spent.children_user + spent.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    """A kernel ends with the last cell of its notebook: only then is its time known."""
    begin = processor_time_of_kernels()
    result = yield
    if item.path.suffix == ".ipynb" and (spent := processor_time_of_kernels() - begin) > 0:
        item.user_properties.append(("processor time", (item.path.stem, spent)))
    return result


def pytest_terminal_summary(terminalreporter):
    """Say what the notebooks took together, and which of them are above the budget."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind if hasattr(report, "when")]
    spent = [value for report in reports if report.when == "teardown"
             for name, value in report.user_properties if name == "processor time"]  # fmt: skip
    if not spent:
        return
    over = [f"{stem} {seconds:.1f} s" for stem, seconds in sorted(spent, key=lambda pair: -pair[1]) if seconds > BUDGET]
    total = f"{len(spent)} notebooks took {sum(seconds for _, seconds in spent):.0f} s of processor time"
    terminalreporter.write_line(f"{total}; above the budget of {BUDGET:g} s: {', '.join(over) or 'none'}")
