"""The names that the library shares with its peers, scikit-learn and hmmlearn, and how far each pair agrees.

A namesake is a public class or function of ``notes_lib`` whose name a public module of a peer has too. Two of them are
compared by what they take (parameters, with default and kind), what they have (attributes, as the docstrings list them)
and what they can do (public methods). Nothing is run: signatures and docstrings are read.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpydoc.docscrape import NumpyDocString
from sklearn.base import BaseEstimator

PEERS = ("sklearn", "hmmlearn")
NOT_FOR_USERS = {"sklearn.conftest", "sklearn.experimental", "sklearn.externals", "sklearn.utils", "hmmlearn.utils"}
NOT_ALGORITHMS = {"checks", "display", "drills", "listing", "numerics", "plotting"}
ANOTHER_THING = {  # the same word by chance: our name, and what the two are
    "notes_lib.clustering.gmm.entropy": "ours is the entropy of responsibilities, the peer's that of a list of labels",
    "notes_lib.foundations.information.entropy": "ours takes probabilities, the peer's a list of labels",
}
SET_BY_BASE = {"n_features_in_", "feature_names_in_"}  # attributes that scikit-learn's own base class sets
ROUTING = re.compile(r"get_metadata_routing|set_\w+_request")  # machinery for pipelines, made from signatures
STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
DEFAULT = re.compile(r"default\s*=\s*([\w.]+|'[^']*')")
DEPRECATED = "'deprecated'"
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
Call = dict[str, inspect.Parameter]


class Namesake(NamedTuple):
    """One name, here and there."""

    here: str  # notes_lib.kernels.svm.SVC
    there: str  # sklearn.svm.SVC
    ours: Any
    theirs: Any

    @property
    def name(self) -> str:
        """The name itself."""
        return self.here.rpartition(".")[2]

    @property
    def part(self) -> str:
        """The part of the book or, for what all parts share, the module."""
        return self.here.split(".")[1]

    @property
    def chapter(self) -> str:
        """The stem of the chapter or, for what all parts share, the module."""
        return self.here.split(".")[-2]


class Difference(NamedTuple):
    """A parameter that both have and that is not the same."""

    name: str
    here: str
    there: str


class Agreement(NamedTuple):
    """What two things have in common: names, in the order of ours or, for ``missing``, of theirs."""

    shared: list[str]
    missing: list[str]
    extra: list[str]
    different: list[Difference]  # those of ``shared`` that are not the same

    @property
    def offered(self) -> int:
        """How many of the peer's names we have."""
        return len(self.shared)

    @property
    def wanted(self) -> int:
        """How many names the peer has."""
        return len(self.shared) + len(self.missing)


class Comparison(NamedTuple):
    """How far a class or function of ours agrees with its namesake."""

    parameters: Agreement
    attributes: Agreement
    methods: Agreement

    @property
    def complete(self) -> bool:
        """Whether ours has all that the namesake has, the same, and nothing more."""
        return not any(kind.missing or kind.extra or kind.different for kind in self)


# -- which names -----------------------------------------------------------------------------------------------------


def namesakes(library: str = "notes_lib", peers: Iterable[str] = PEERS) -> list[Namesake]:
    """All names that the library and a peer have in common, without those that mean another thing."""
    public = peer_names(peers)
    found = [
        Namesake(f"{module}.{name}", public[name][0], ours, public[name][1])
        for module, name, ours in library_names(library)
        if name in public
    ]
    return [pair for pair in found if pair.here not in ANOTHER_THING]


def library_names(library: str = "notes_lib") -> Iterator[tuple[str, str, Any]]:
    """Module, name and object of every public class and function of the library; a package speaks for its files."""
    for room in children(importlib.import_module(library)):
        if room.__name__.rpartition(".")[2] in NOT_ALGORITHMS:
            continue
        for module in children(room) if hasattr(room, "__path__") else [room]:
            for name, thing in public_things(module):
                yield module.__name__, name, thing


def peer_names(peers: Iterable[str] = PEERS) -> dict[str, tuple[str, Any]]:
    """Where the public modules of the peers have each name: full name and object, the shortest full name first."""
    found: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    for peer in peers:
        for module in public_modules(importlib.import_module(peer)):
            for name, thing in public_things(module):
                found[name].append((f"{module.__name__}.{name}", thing))
    return {name: min(places, key=lambda place: (len(place[0]), place[0])) for name, places in found.items()}


def public_modules(package: ModuleType) -> Iterator[ModuleType]:
    """The modules below a package that are for its users, outer ones first."""
    for module in children(package):
        yield module
        if hasattr(module, "__path__"):
            yield from public_modules(module)


def children(package: ModuleType) -> Iterator[ModuleType]:
    """The modules right below a package whose names are public; its tests are not even imported.

    hmmlearn's change the way in which NumPy handles underflow, for the whole process.
    """
    for entry in pkgutil.iter_modules(package.__path__):
        full = f"{package.__name__}.{entry.name}"
        if not entry.name.startswith("_") and entry.name != "tests" and full not in NOT_FOR_USERS:
            yield importlib.import_module(full)


def public_things(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public classes and functions of a module: those it lists, else those it defines."""
    listed = getattr(module, "__all__", None)
    for name in listed if listed is not None else [name for name in vars(module) if not name.startswith("_")]:
        try:
            thing = getattr(module, name)
        except ImportError:  # an experimental name, which must be asked for
            continue
        own = listed is not None or getattr(thing, "__module__", None) == module.__name__
        if own and (inspect.isclass(thing) or inspect.isroutine(thing)):
            yield name, thing


# -- how far they agree ----------------------------------------------------------------------------------------------


def compare(ours: Any, theirs: Any) -> Comparison:
    """Compare a class or function with its namesake."""
    mine, other = parameters(ours), parameters(theirs)
    gone = [name for name in other if name not in mine and default(other[name]) == DEPRECATED]
    other = {name: parameter for name, parameter in other.items() if name not in gone}
    different = [found for name in mine if name in other and (found := unlike(mine, other, name))]
    not_counted = SET_BY_BASE if inspect.isclass(ours) and issubclass(ours, BaseEstimator) else set()
    has, had = ([name for name in attributes_of(thing) if name not in not_counted] for thing in (ours, theirs))
    can, could = methods(ours), methods(theirs)
    calls = [
        Difference(name, *words) for name in can if name in could and len(set(words := calling(ours, theirs, name))) > 1
    ]
    return Comparison(agreement(mine, other, different), agreement(has, had), agreement(can, could, calls))


def calling(ours: Any, theirs: Any, name: str) -> tuple[str, str]:
    """What a method takes, here and there: the names of its parameters."""
    here, there = (", ".join(list(parameters(getattr(thing, name)))[1:]) for thing in (ours, theirs))
    return f"({here})", f"({there})"


def agreement(ours: Iterable[str], theirs: Iterable[str], different: Iterable[Difference] = ()) -> Agreement:
    """Sort names by who has them."""
    ours, theirs = list(ours), list(theirs)
    return Agreement(
        [name for name in ours if name in theirs],
        [name for name in theirs if name not in ours],
        [name for name in ours if name not in theirs],
        list(different),
    )


def parameters(thing: Any) -> Call:
    """What a function or a constructor takes, by name; compiled code may hide that, then what its docstring lists."""
    try:
        found = list(inspect.signature(thing).parameters.values())
    except ValueError:
        entries = NumpyDocString(inspect.getdoc(thing) or "")["Parameters"]
        found = [documented(entry.name, entry.type) for entry in entries if entry.type]
    return {STARS.get(parameter.kind, "") + parameter.name: parameter for parameter in found}


def documented(name: str, words: str) -> inspect.Parameter:
    """A parameter as a docstring describes it, such as ``leaf_size : positive int, default=40``."""
    found = DEFAULT.search(words)
    value = ast.literal_eval(found[1]) if found else inspect.Parameter.empty
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=value)


def unlike(mine: Call, other: Call, name: str) -> Difference | None:
    """In what a parameter of two calls differs; None if in nothing."""
    pairs = [(place(mine, name), place(other, name)), (default(mine[name]), default(other[name]))]
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    return Difference(name, *(", ".join(words) for words in zip(*apart, strict=True))) if apart else None


def place(call: Call, name: str) -> str:
    """How a parameter is given: its place if it has one."""
    kind = call[name].kind
    if kind in STARS:
        return "any number"
    return "by name only" if kind is inspect.Parameter.KEYWORD_ONLY else f"place {list(call).index(name) + 1}"


def default(parameter: inspect.Parameter) -> str:
    """The default value as it is written; numbers, and rows of numbers, of equal value are written alike."""
    return "no default" if parameter.default is inspect.Parameter.empty else written(parameter.default)


def written(value: Any) -> str:
    """A value as source code has it.

    Examples
    --------
    >>> written(200.0), written((1e-05, 1)), written("rbf"), written(len)
    ('200', '(1e-05, 1)', "'rbf'", 'len')
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}"
    if isinstance(value, tuple | list | np.ndarray):
        return f"({', '.join(written(each) for each in value)})"
    return getattr(value, "__name__", None) or ADDRESS.sub("", repr(value))


def attributes_of(thing: Any) -> list[str]:
    """The attributes that the docstring of a class lists."""
    return section(thing, "Attributes") if inspect.isclass(thing) else []


def section(thing: Any, title: str) -> list[str]:
    """The names in a section of a docstring; several may share a line."""
    entries = NumpyDocString(inspect.getdoc(thing) or "")[title]
    words = [word.strip() for entry in entries for word in (entry.name or entry.type).split(":")[0].split(",")]
    return list(dict.fromkeys(word for word in words if word.isidentifier()))


def methods(thing: Any) -> list[str]:
    """The public methods of a class, in the order of their names."""
    if not inspect.isclass(thing):
        return []
    names = [name for name, _ in inspect.getmembers(thing, callable) if not name.startswith("_")]
    return [name for name in names if not ROUTING.fullmatch(name)]
