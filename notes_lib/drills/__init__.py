"""Hand-calculation trainer: unlimited exercises with full-marks solutions.

A drill is drawn from a topic and a seed; the same pair always gives the same exercise. Its numbers are small enough for
paper, and its solution shows every intermediate number, computed by the library's own step functions.

Command line::

    python -m notes_lib.drills list
    python -m notes_lib.drills k-means --seed 7 [--solution]
    python -m notes_lib.drills check k-means --seed 7
    python -m notes_lib.drills exam --minutes 60 --seed 3 [--solutions] [--topics k-means,viterbi]

They print readable text in a terminal and Markdown elsewhere, or what ``--format`` says. ``check`` asks for the answer
field by field and gives the marks.

Each module ``notes_lib/drills/<part>/<stem>.py`` holds the topics of the chapter of that stem; ``revision/<stem>.py``
those of a page of the revision, which is no chapter.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from notes_lib.drills import drawing
from notes_lib.drills.fields import Field

__all__ = [
    "Drill",
    "Field",
    "Parts",
    "by_chapter",
    "chapter",
    "draw",
    "drill",
    "exam",
    "minutes",
    "title",
    "to_draw",
    "topics",
]

SHORT_KINDS = ("number", "vector", "choice", "sequence")  # of a field that can be asked alone


class Parts(NamedTuple):
    """What a topic's function returns: the varying parts of a drill."""

    statement: str
    given: dict[str, Any]
    solution: str
    answer: dict[str, Any]
    fields: Sequence[Field] = ()


@dataclass(frozen=True, repr=False)
class Drill:
    """One exercise for paper and pencil.

    Attributes
    ----------
    topic : str
        Slug of the topic, such as ``k-means``.
    seed : int
        The seed it was drawn with.
    statement : str
        The exercise, in Markdown.
    given : dict
        Its data, JSON-able.
    solution : str
        A full-marks answer with every intermediate number, in Markdown.
    answer : dict
        What is asked, JSON-able.
    fields : tuple of Field
        What a student types in, with its values from ``answer``; their marks add up to ``marks``.
    marks, minutes : int
        Worth and time of the exercise.
    title : str
        The topic in words.
    """

    topic: str
    seed: int
    statement: str
    given: dict[str, Any]
    solution: str
    answer: dict[str, Any]
    fields: tuple[Field, ...]
    marks: int
    minutes: int
    title: str = ""

    def __repr__(self) -> str:  # short: stored outputs hold it, and the last digits of an answer differ by machine
        return f"Drill({self.topic!r}, seed={self.seed}, marks={self.marks}, minutes={self.minutes})"

    def _repr_markdown_(self) -> str:
        return self.statement

    @property
    def fill_ins(self) -> list[int]:
        """The short fields of the first part, which need no other result."""
        return [k for k, field in enumerate(self.fields) if field.part == 1 and field.kind in SHORT_KINDS]

    @property
    def fill_in(self) -> int:
        """The field that a fill-in of a paper asks for: a short one of the first part, or the first that is typed."""
        typed = [k for k, field in enumerate(self.fields) if field.kind != "own"]
        return (self.fill_ins or typed)[0]

    def wrong_answers(self, only: int | None = None) -> str:
        """The slips of all fields, or of one, for those who mark: a list in Markdown; empty if there are none."""
        asked = self.fields if only is None else self.fields[only : only + 1]
        items = [f"- {f.label}: {f.shown(slip.value)}. {slip.says}" for f in asked for slip in f.slips]
        return "\n".join(["**Common wrong answers**", "", *items]) if items else ""

    def as_json(self) -> dict[str, Any]:
        """All that a page needs: texts in Markdown, and the fields as :mod:`notes_lib.drills.fields` says."""
        plain = ("topic", "title", "seed", "marks", "minutes", "statement", "solution")
        return {name: getattr(self, name) for name in plain} | {"fields": [f.as_json() for f in self.fields]}


class _Topic(NamedTuple):
    make: Callable[[np.random.Generator], Parts]
    marks: int
    minutes: int
    title: str


_TOPICS: dict[str, _Topic] = {}


def drill(
    slug: str, *, marks: int, minutes: int, title: str = ""
) -> Callable[..., Callable[[np.random.Generator], Parts]]:
    """Register the decorated function ``f(rng) -> Parts`` as the topic ``slug``.

    Parameters
    ----------
    slug : str
        Lower case with hyphens; unique.
    marks, minutes : int
        What the exercise is worth, and how long it takes on paper.
    title : str
        The topic in words, as headings and links show it; the slug in words if it is empty.
    """

    def register(make: Callable[[np.random.Generator], Parts]) -> Callable[[np.random.Generator], Parts]:
        known = _TOPICS.get(slug)
        if known is not None and known.make.__qualname__ != make.__qualname__:
            raise ValueError(f"two drills are called {slug!r}: rename one.")
        _TOPICS[slug] = _Topic(make, marks, minutes, title or slug.replace("-", " ").capitalize())
        return make

    return register


@cache  # each drill asks for it, and looking through the folders takes longer than many drills
def _load_topics() -> dict[str, _Topic]:
    """Import the module of every chapter, so that its topics are registered."""
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return _TOPICS


def topics() -> list[str]:
    """Slugs of all topics, sorted.

    Examples
    --------
    >>> "k-means" in topics()
    True
    """
    return sorted(_load_topics())


def by_chapter() -> dict[str, list[str]]:
    """The topics of each chapter, in the order in which its module has them; the chapters by their names.

    Examples
    --------
    >>> by_chapter()["foundations/risk"]
    ['huber-loss', 'margin-losses', 'bayes-risk']
    """
    found: dict[str, list[str]] = {}
    for slug in _load_topics():
        found.setdefault(chapter(slug), []).append(slug)
    return dict(sorted(found.items()))


@cache
def _load_module_of(topic: str) -> None:
    """Import the module whose text registers a topic: with all modules comes the whole library, in half a second."""
    for path in Path(__path__[0]).glob("*/*.py"):
        if f'@drill("{topic}"' in path.read_text(encoding="utf-8"):
            importlib.import_module(f"{__name__}.{path.parent.name}.{path.stem}")


def _known(topic: str) -> _Topic:
    """The topic of that slug."""
    if topic not in _TOPICS:
        _load_module_of(topic)
    known = _TOPICS if topic in _TOPICS else _load_topics()
    if topic not in known:
        near = difflib.get_close_matches(topic, known, n=3) or sorted(known)
        raise ValueError(f"topic must be one of topics(), got {topic!r}; did you mean {', '.join(near)}?")
    return known[topic]


def chapter(topic: str) -> str:
    """Part and stem of the chapter that a topic belongs to.

    Examples
    --------
    >>> chapter("svm-dual")
    'kernels/svm'
    """
    return "/".join(_known(topic).make.__module__.split(".")[-2:])


def title(topic: str) -> str:
    """A topic in words.

    Examples
    --------
    >>> title("viterbi")
    'Viterbi algorithm'
    """
    return _known(topic).title


def minutes(topic: str) -> int:
    """How long an exercise of a topic takes on paper.

    Examples
    --------
    >>> minutes("viterbi") == draw("viterbi", 0).minutes
    True
    """
    return _known(topic).minutes


def draw(topic: str, seed: int) -> Drill:
    """Draw one drill.

    Parameters
    ----------
    topic : str
        A slug from :func:`topics`.
    seed : int
        Not negative; each seed gives another exercise.

    Returns
    -------
    Drill

    Raises
    ------
    ValueError
        If there is no such topic (the message suggests the nearest ones) or ``seed`` is not a non-negative int.

    Examples
    --------
    >>> draw("k-means", 1) == draw("k-means", 1)
    True
    """
    known = _known(topic)
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ValueError(f"seed must be a non-negative integer, got {seed!r}.")
    statement, given, solution, answer, fields = known.make(np.random.default_rng(int(seed)))
    filled = tuple(field.filled(answer) for field in fields)
    texts = (statement, given, solution, answer, filled)
    return Drill(topic, int(seed), *texts, known.marks, known.minutes, known.title)


def exam(minutes: int, seed: int, topics: Iterable[str] | None = None) -> list[Drill]:
    """Assemble a paper of long questions, as ``notes_lib.drills.drawing`` says: the one that the trainer sets, too.

    Parameters
    ----------
    minutes : int
        Length of the paper; the drills' minutes add up to at most this.
    seed : int
        Not negative; the same seed gives the same paper.
    topics : iterable of str, optional
        Slugs to choose from; all of them by default.

    Returns
    -------
    list of Drill

    Raises
    ------
    ValueError
        If ``minutes`` is too short for any drill, or there is no such topic.

    Examples
    --------
    >>> sum(d.minutes for d in exam(60, seed=3)) <= 60
    True
    """
    chosen = to_draw(_load_topics() if topics is None else topics, minutes)
    return [draw(item.name, item.numbers[0]) for item in drawing.compose("long", minutes, seed, chosen)]


def to_draw(topics: Iterable[str], minutes: float) -> list[drawing.Topic]:
    """What drawing a paper of so many minutes needs to know of topics.

    Raises
    ------
    ValueError
        If there is none, none of that slug, or none so short.
    """
    known = {slug: _known(slug) for slug in topics}
    if not known:
        raise ValueError("topics must name at least one topic.")
    shortest = min(topic.minutes for topic in known.values())
    if minutes < shortest:
        raise ValueError(f"minutes must be at least {shortest}, the shortest drill, got {minutes:g}.")
    return [drawing.Topic(slug, t.marks, t.minutes, _has_fill_in(slug)) for slug, t in known.items()]


@cache  # a paper asks it of every topic, and the answer is the same for every seed
def _has_fill_in(slug: str) -> bool:
    return bool(draw(slug, 0).fill_ins)
