"""What the library shares with its peers: the names, and how far each pair agrees."""

import ast
import inspect
from itertools import count
from pathlib import Path

import hmmlearn
import namesakes
import numpy as np
import pytest
from namesakes import Difference, compare
from sklearn.base import BaseEstimator

ROOT = Path(__file__).resolve().parents[2]
PEER = '''
class Model:
    """A model.

    Parameters
    ----------
    a, b : float

    Attributes
    ----------
    coef_, intercept_ : array
    n_iter_ : int
    """

    def __init__(self, a, b=1.0, *, c="x", old="deprecated"):
        pass

    def fit(self, X, y, sample_weight=None):
        """Fit."""

    def predict(self, X):
        """Predict."""

    def set_fit_request(self):
        """Make requests."""


def score(y, *, normalize=True, **options):
    """Score."""


def only_there():
    """Be there."""


def by_chance():
    """Mean this."""
'''
OURS = '''
class Model:
    """A model.

    Attributes
    ----------
    coef_ : array
    objective_ : array
    """

    def __init__(self, b=1, c="y", *, mine=0):
        pass

    def fit(self, X, y):
        """Fit."""

    def trace(self):
        """Trace."""


def score(y, *, normalize=True, **options):
    """Score."""


def only_here():
    """Be here."""


def by_chance():
    """Mean that."""
'''


@pytest.fixture
def planted(monkeypatch, tmp_path):
    """Write a library and a peer of a few names; gives their namesakes by name."""

    number = count()

    def plant(ours=OURS, theirs=PEER):
        tag = f"{tmp_path.name}_{next(number)}"
        library, peer = f"ours_{tag}", f"theirs_{tag}"
        for path, text in (
            (f"{library}/__init__.py", ""),
            (f"{library}/part/__init__.py", ""),
            (f"{library}/part/stem.py", ours),
            (f"{library}/checks.py", "def only_there(): pass"),
            (f"{peer}/__init__.py", ""),
            (f"{peer}/_hidden.py", theirs),
            (f"{peer}/models.py", f"from {peer}._hidden import *\n__all__ = ['Model', 'score', 'only_there']"),
            (f"{peer}/tests/__init__.py", "def only_here(): pass"),
            (f"{peer}/deep/__init__.py", f"from {peer}._hidden import *\n__all__ = ['Model', 'by_chance']"),
        ):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        monkeypatch.setitem(namesakes.ANOTHER_THING, f"{library}.part.stem.by_chance", "ours is that, the peer's this")
        return {found.name: found for found in namesakes.namesakes(library, [peer])}, library, peer

    monkeypatch.syspath_prepend(str(tmp_path))
    return plant


def test_namesakes_are_public_names_of_both(planted):
    found, library, peer = planted()
    assert sorted(found) == ["Model", "score"]
    model = found["Model"]
    assert (model.here, model.there) == (f"{library}.part.stem.Model", f"{peer}.deep.Model")  # the shortest name
    assert (model.part, model.chapter) == ("part", "stem")


def test_parameters_are_sorted_by_who_has_them_and_how(planted):
    model = planted()[0]["Model"]
    parameters = compare(model.ours, model.theirs).parameters
    assert parameters.shared == ["b", "c"]
    assert parameters.missing == ["a"]  # "old" is deprecated there
    assert parameters.extra == ["mine"]
    assert parameters.different == [
        Difference("b", "place 1", "place 2"),  # 1 and 1.0 are the same default
        Difference("c", "place 2, 'y'", "by name only, 'x'"),
    ]
    assert (parameters.offered, parameters.wanted) == (2, 3)


def test_attributes_and_methods(planted):
    model = planted()[0]["Model"]
    comparison = compare(model.ours, model.theirs)
    assert comparison.attributes == (["coef_"], ["intercept_", "n_iter_"], ["objective_"], [])
    calls = [Difference("fit", "(X, y)", "(X, y, sample_weight)")]
    assert comparison.methods == (["fit"], ["predict"], ["trace"], calls)
    assert not comparison.complete


def test_a_function_that_agrees(planted):
    score = planted()[0]["score"]
    comparison = compare(score.ours, score.theirs)
    assert comparison.complete
    assert comparison.parameters.shared == ["y", "normalize", "**options"]


def test_a_parameter_that_is_added_is_seen(planted):
    before, after = (
        compare(found["Model"].ours, found["Model"].theirs).parameters
        for found, *_ in (planted(), planted(OURS.replace("b=1,", "a, b=1,")))
    )
    assert (before.missing, after.missing) == (["a"], [])
    assert after.different == [before.different[1]._replace(here="place 3, 'y'")]


def test_what_the_base_class_sets_is_not_compared():
    class Ours(BaseEstimator):
        """Ours."""

    class Theirs:
        """Theirs.

        Attributes
        ----------
        n_features_in_ : int
        feature_names_in_ : array
        coef_ : array
        """

    assert compare(Ours, Theirs).attributes.missing == ["coef_"]
    assert len(compare(Theirs, Theirs).attributes.shared) == 3


def test_compiled_code_is_read_from_its_docstring():
    from sklearn.neighbors import KDTree

    with pytest.raises(ValueError, match="no signature"):
        inspect.signature(KDTree)
    found = namesakes.parameters(KDTree)
    assert list(found) == ["X", "leaf_size", "metric"]
    assert [namesakes.default(each) for each in found.values()] == ["no default", "40", "'minkowski'"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "True"),
        (1.0, "1"),
        (np.linspace(0.1, 1, 5), "(0.1, 0.325, 0.55, 0.775, 1)"),
        (np.ptp, "ptp"),
        ("a", "'a'"),
    ],
)
def test_defaults_are_written_as_code(value, text):
    assert namesakes.written(value) == text


def test_an_address_is_no_part_of_a_default():
    assert namesakes.written(object()) == "<object object>"


# -- the library itself ----------------------------------------------------------------------------------------------


def public_names_in_the_sources():
    """Names in ``__all__`` of the modules and packages of the chapters, read without importing them."""
    for path in (ROOT / "notes_lib").glob("*/*"):
        source = path / "__init__.py" if path.is_dir() else path
        if source.suffix == ".py" and source.exists() and path.parent.name not in namesakes.NOT_ALGORITHMS:
            for node in ast.parse(source.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                    yield from (
                        f"notes_lib.{path.parent.name}.{path.stem}.{name}" for name in ast.literal_eval(node.value)
                    )


def test_no_public_namesake_of_scikit_learn_is_missing():
    import sklearn.utils.discovery as discovery

    theirs = {name for name, _ in [*discovery.all_estimators(), *discovery.all_functions()]}
    there = {found.there.rpartition(".")[0] for found in namesakes.namesakes()}
    assert {"sklearn.svm", "sklearn.metrics.pairwise", "sklearn.gaussian_process.kernels", "hmmlearn.hmm"} <= there
    compared = {found.here for found in namesakes.namesakes()} | set(namesakes.ANOTHER_THING)
    utilities = {"softmax"}  # of sklearn.utils
    missing = [
        name
        for name in public_names_in_the_sources()
        if name.rpartition(".")[2] in theirs - utilities and name not in compared
    ]
    assert missing == []


def test_tests_of_a_peer_are_not_imported():
    """hmmlearn's would let all later code of the process warn of underflow."""
    before = np.geterr()
    assert [module.__name__ for module in namesakes.children(hmmlearn)][:1] == ["hmmlearn.base"]
    assert "hmmlearn.tests" not in [module.__name__ for module in namesakes.public_modules(hmmlearn)]
    assert np.geterr() == before


def test_what_means_another_thing_is_there():
    public = {f"{module}.{name}" for module, name, _ in namesakes.library_names()}
    assert set(namesakes.ANOTHER_THING) <= public
    assert {name.rpartition(".")[2] for name in namesakes.ANOTHER_THING} <= set(namesakes.peer_names())


def test_a_familiar_pair():
    found = {each.here: each for each in namesakes.namesakes()}["notes_lib.kernels.svm.SVC"]
    assert found.there == "sklearn.svm.SVC"
    parameters = compare(found.ours, found.theirs).parameters
    assert {"C", "kernel", "gamma"} <= set(parameters.shared)
    assert "probability" not in parameters.missing  # deprecated there
