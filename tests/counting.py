"""Where the lines that tests reach are counted (coverage), and where not.

On Python 3.11 counting slows down all code by half, that of Sphinx and of the tests too. What builds pages, decides
quizzes, reads what drills or pages print or runs other programs goes without: the library's own tests reach each line
of the library.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath

from coverage import Coverage

READERS = ("answers", "arithmetic", "page", "printed", "rounding", "twin")
UNCOUNTED = ["tests/site/*", "tests/drills/*/*", "tests/claims/*", "tests/claims/*/*", "tests/formulas/*"]
UNCOUNTED += ["tests/solutions/*", "tests/test_run.py", "tests/test_structure.py"]
UNCOUNTED += [f"tests/drills/test_{name}.py" for name in READERS]


def is_counted(path: PurePath) -> bool:
    """Whether lines are counted in a test file, given by its path in the project."""
    return not any(path.match(pattern) for pattern in UNCOUNTED)


@contextmanager
def uncounted() -> Iterator[None]:
    """Count no lines in this block; a process of a parallel run has two counters, one on top of the other."""
    stopped = []
    while counter := Coverage.current():
        counter.stop()
        stopped.append(counter)
    try:
        yield
    finally:
        for counter in reversed(stopped):
            counter.start()


def forget() -> None:
    """Clear what functions of the library keep (``cache``): a counted test must reach their lines itself."""
    for name in [name for name in sys.modules if name.split(".")[0] == "notes_lib"]:
        for function in list(vars(sys.modules[name]).values()):
            if hasattr(function, "cache_clear") and getattr(function, "__module__", None) == name:
                function.cache_clear()
