"""What all runs of pytest share: seeds of the drills, kernels, an older processor, counted lines, processor time."""

import gc
import os
import tomllib
from pathlib import Path

import nbformat
import nbval.kernel
import pytest

from tests.counting import forget, is_counted, uncounted
from tests.processors import of_an_old_processor
from tests.starting import again
from tools.kernels import processor_time, share_imports
from tools.notebooks import granted

ROOT = Path(__file__).parent
NEW_OBJECTS = 50_000  # after so many the newest are searched for cycles; Python's 700 cost a tenth of the time
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUDGET = SETTINGS["tool"]["notebooks"]["seconds"]


def pytest_addoption(parser):
    """Add the options of this project."""
    parser.addoption("--seeds", type=int, metavar="N", help="seeds of each topic of the drills (default 40)")
    parser.addoption("--old-processor", action="store_true", help="notebooks compute as on an older processor")


def pytest_collection_finish():
    """24,000 tests and what they imported stay to the end: no search for cycles goes through them again and again."""
    gc.collect()
    gc.freeze()


def pytest_configure(config):
    """Hand the options on, also to the processes of a parallel run: to ``tests/drills/seeds.py``, and to kernels."""
    gc.set_threshold(NEW_OBJECTS)
    seeds = config.getoption("--seeds")
    if seeds is not None and seeds < 40:  # some tests ask what happens in most drills
        raise pytest.UsageError(f"--seeds must be at least 40, got {seeds}.")
    if seeds is not None:
        os.environ["DRILL_SEEDS"] = str(seeds)
    if config.getoption("--old-processor"):
        os.environ.update(of_an_old_processor())
    if config.getoption("nbval", default=False):
        nbval.kernel.start_new_kernel = again(nbval.kernel.start_new_kernel)
        share_imports()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    """Count no lines, in the test and in its fixtures, where that only costs time; other counters are left alone."""
    measured = item.config.getoption("cov_source", default=None)  # by pytest-cov: mutate counts for itself
    if not measured or is_counted(item.path.relative_to(ROOT)):
        return (yield)
    with uncounted():
        result = yield
    if nextitem and is_counted(nextitem.path.relative_to(ROOT)):
        forget()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    """A kernel ends with the last cell of its notebook: only then is its time known."""
    begin = processor_time()
    result = yield
    if item.path.suffix == ".ipynb" and (spent := processor_time() - begin) > 0:
        budget = BUDGET + sum(granted(nbformat.read(item.path, 4)))
        item.user_properties.append(("processor time", (item.path.stem, spent, budget)))
    return result


def pytest_terminal_summary(terminalreporter):
    """Say what the notebooks took together, and which of them are above the budget."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind if hasattr(report, "when")]
    spent = [value for report in reports if report.when == "teardown"
             for name, value in report.user_properties if name == "processor time"]  # fmt: skip
    if not spent:
        return
    spent = sorted(spent, key=lambda found: -found[1])
    over = [f"{stem} {seconds:.1f} s" for stem, seconds, budget in spent if seconds > budget]
    total = f"{len(spent)} notebooks took {sum(seconds for _, seconds, _ in spent):.0f} s of processor time"
    budget = f"{BUDGET:g} s and what their cells ask for"
    terminalreporter.write_line(f"{total}; above {budget}: {', '.join(over) or 'none'}")
