"""Lines are counted in tests of the library, and nowhere else."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from coverage import Coverage

from notes_lib.drills.mining.recommender import _whole_means
from tests.counting import UNCOUNTED, forget, is_counted, uncounted

ROOT = Path(__file__).resolve().parents[1]
SOURCE = "def before():\n    return 1\n\n\ndef inside():\n    return 2\n\n\ndef after():\n    return 3\n"


def test_a_block_counts_no_lines_and_those_around_it_are_counted(tmp_path):
    path = tmp_path / "counted_here.py"
    path.write_text(SOURCE)
    names = {}
    exec(compile(SOURCE, str(path), "exec"), names)
    with uncounted():  # whoever counts this run
        counter = Coverage(include=[str(path)], data_file=None, config_file=False)
        counter.start()
        names["before"]()
        with uncounted():
            names["inside"]()
            assert Coverage.current() is None
            assert sys.gettrace() is None
        names["after"]()
        counter.stop()
    assert counter.get_data().lines(str(path)) == [2, 10]


def test_counters_on_top_of_each_other_stop_and_start_together():
    with uncounted():
        counters = [Coverage(data_file=None, config_file=False) for _ in range(2)]
        for counter in counters:
            counter.start()
        with uncounted():
            assert Coverage.current() is None
            assert sys.gettrace() is None
        for counter in reversed(counters):
            assert Coverage.current() is counter
            counter.stop()


def test_without_a_counter_nothing_happens():
    with uncounted(), uncounted():
        assert Coverage.current() is None


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("tests/kernels/test_svm.py", True),
        ("tests/test_numerics.py", True),
        ("notes_lib/numerics.py", True),
        ("tests/drills/test_core.py", True),
        ("tests/drills/kernels/test_svm.py", False),
        ("tests/drills/test_printed.py", False),
        ("tests/claims/test_deciding.py", False),
        ("tests/claims/kernels/test_svm.py", False),
        ("tests/site/test_pages.py", False),
        ("tests/formulas/test_formulas.py", False),
    ],
)
@pytest.mark.parametrize("measured", [True, False])
def test_where_lines_are_counted(path, counts, measured, request):
    assert (ROOT / path).exists()
    assert is_counted(Path(path)) is counts
    hook = request.config.pluginmanager.get_plugin(str(ROOT / "conftest.py")).pytest_runtest_protocol
    config = SimpleNamespace(getoption=lambda name, default: {"cov_source": ["notes_lib"] if measured else []}[name])
    with uncounted():
        counter = Coverage(data_file=None, config_file=False)
        counter.start()
        test = hook(SimpleNamespace(path=ROOT / path, config=config), None)
        next(test)  # up to where the test would run
        assert (Coverage.current() is counter) is (counts or not measured)
        test.close()
        assert Coverage.current() is counter
        counter.stop()


@pytest.mark.parametrize(("following", "kept"), [("tests/drills/test_core.py", 0), ("tests/site/test_pages.py", 1)])
def test_what_an_uncounted_test_leaves_is_not_known_to_a_counted_one(following, kept, request):
    hook = request.config.pluginmanager.get_plugin(str(ROOT / "conftest.py")).pytest_runtest_protocol
    config = SimpleNamespace(getoption=lambda name, default: ["notes_lib"])
    item, nextitem = (
        SimpleNamespace(path=ROOT / path, config=config) for path in ("tests/site/test_pages.py", following)
    )
    forget()
    with uncounted():
        test = hook(item, nextitem)
        next(test)
        _whole_means(2)
        with pytest.raises(StopIteration):
            test.send(None)
    assert _whole_means.cache_info().currsize == kept


@pytest.mark.parametrize("pattern", UNCOUNTED)
def test_every_pattern_names_a_test(pattern):
    assert list(ROOT.glob(pattern.replace("*/*", "*/test_*.py")))
