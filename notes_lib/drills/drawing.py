"""Draw the questions of a paper: the same ones on the page of the trainer and in a terminal.

This is the specification; ``static/trainer/drawing.js`` follows it function by function, and a test compares the two.

**Chance.** :func:`generator` is mulberry32: 32-bit integers that follow from the seed; ``below(n)`` scales the next one
to 0, ..., n - 1. :func:`shuffled` exchanges each place, from the last to the second, with one at or before it.

**Order.** Topics are sorted by slug, questions of the chapters by stem and then as they stand in the chapter.

**Formats.** ``long`` fills the time with drills. ``calculations`` spends three tenths of it on fill-ins (one result of
a drill), the rest on drills worth 10 marks or more (on all, if no topic has so many). ``choice`` shuffles all questions
with one right option, statements to judge among them. ``answers`` shuffles the questions with several right options
together with statements in threes: those of each chapter are shuffled first, and what is left over is not asked.

**Drills.** In rounds: the topics are shuffled, and each one that still fits is taken once, with the first seed from
``below(seeds)`` on, counted in a circle, that the paper does not have. The rounds end when one takes nothing.
**Questions** are taken in their shuffled order, each one that still fits; then the options of each are
shuffled, if it has more than two and is not a group of statements.

**Minutes.** Half a minute to read a question, half a minute for each option of which one is right, three quarters for
each that is judged by itself: four options take 2.5 minutes or 3.5, a statement 1.25, near the 1.2 minutes a mark of
papers that ask three marks for such a question. A drill has its own minutes, a fill-in 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

__all__ = ["FORMATS", "SEEDS", "Item", "Piece", "Topic", "compose"]

SEEDS = 40  # of a topic that the page has
READING, PICKING, JUDGING = 0.5, 0.5, 0.75  # minutes for a question, and for each of its options
SHORT_MARKS, SHORT_MINUTES = 2, 4  # of a fill-in
LONG_MARKS = 10  # of a drill that is a long calculation
GROUP = 3  # statements in one question
ALL = 3  # marks of a question with several right options
ONE = {"choice": 3, "true-false": 1}  # marks of a question with one right option; a wrong one costs PENALTY,
PENALTY = 1  # so that guessing among four, or among two, is worth nothing on average
WORD = 0xFFFFFFFF
T = TypeVar("T")
Below = Callable[[int], int]


class Topic(NamedTuple):
    """What drawing needs of a topic; ``fill``: whether it can be a fill-in."""

    slug: str
    marks: int
    minutes: int
    fill: bool


class Piece(NamedTuple):
    """A question of a chapter: its place there, ``choice``, ``multiple`` or ``true-false``, and how many options."""

    stem: str
    number: int
    kind: str
    options: int


class Item(NamedTuple):
    """A question of a paper.

    Attributes
    ----------
    kind : str
        ``drill``, ``short`` (a fill-in), ``one`` (one right option), ``all`` (several) or ``statements``.
    name : str
        Slug of the topic, or stem of the chapter.
    numbers : tuple of int
        Seed of the drill, or places of the questions in the chapter.
    order : tuple of int
        The options as they are shown.
    marks, minutes, penalty : float
        Worth, time, and what a wrong answer costs.
    """

    kind: str
    name: str
    numbers: tuple[int, ...]
    order: tuple[int, ...]
    marks: int
    minutes: float
    penalty: int = 0


def generator(seed: int) -> Below:
    """Mulberry32: ``below(n)`` gives the next number of 0, ..., n - 1."""
    state = seed & WORD

    def below(n: int) -> int:
        nonlocal state
        state = (state + 0x6D2B79F5) & WORD
        mixed = (state ^ state >> 15) * (1 | state) & WORD
        mixed ^= mixed + ((mixed ^ mixed >> 7) * (61 | mixed) & WORD) & WORD
        return (mixed ^ mixed >> 14) * n >> 32

    return below


def shuffled(things: Iterable[T], below: Below) -> list[T]:
    """The same things in a random order."""
    found = list(things)
    for k in range(len(found) - 1, 0, -1):
        other = below(k + 1)
        found[k], found[other] = found[other], found[k]
    return found


def compose(
    form: str, minutes: float, seed: int, topics: Iterable[Topic], pieces: Iterable[Piece] = (), seeds: int = SEEDS
) -> list[Item]:
    """The questions of a paper, in their order.

    Parameters
    ----------
    form : str
        One of ``FORMATS``.
    minutes : float
        The minutes of the questions add up to at most this.
    seed : int
        From 0 to 4294967295.
    topics : iterable of Topic
        To choose drills from.
    pieces : iterable of Piece
        Questions to choose from.
    seeds : int
        How many seeds a topic has.

    Returns
    -------
    list of Item
        Empty if nothing fits.

    Raises
    ------
    ValueError
        If there is no such format or seed.

    Examples
    --------
    >>> compose("long", 20, 3, [Topic("viterbi", 10, 12, True)])
    [Item(kind='drill', name='viterbi', numbers=(28,), order=(), marks=10, minutes=12, penalty=0)]
    """
    if form not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {form!r}.")
    if not 0 <= seed <= WORD:
        raise ValueError(f"seed must be an integer from 0 to {WORD}, got {seed!r}.")
    below = generator(seed)
    if form in ("long", "calculations"):
        return FORMATS[form](sorted(topics), minutes, below, seeds)
    return [mixed_options(item, below) for item in FORMATS[form](sorted(pieces), minutes, below)]


def take_drills(
    topics: Sequence[Topic], minutes: float, below: Below, seeds: int, used: set[tuple[str, int]], short: bool = False
) -> list[Item]:
    """Each topic once before any of them again, while there is time; ``used`` grows."""
    found, left, more = [], minutes, True
    while more:
        more = False
        for topic in shuffled(topics, below):
            start = below(seeds)
            cost = SHORT_MINUTES if short else topic.minutes
            fresh = [(start + k) % seeds for k in range(seeds) if (topic.slug, (start + k) % seeds) not in used]
            if cost > left or not fresh:
                continue
            used.add((topic.slug, fresh[0]))
            marks = SHORT_MARKS if short else topic.marks
            found.append(Item("short" if short else "drill", topic.slug, (fresh[0],), (), marks, cost))
            left, more = left - cost, True
    return found


def take_questions(items: Iterable[Item], minutes: float) -> list[Item]:
    """Those that fit, in their order."""
    found, left = [], minutes
    for item in items:
        if item.minutes <= left:
            found.append(item)
            left -= item.minutes
    return found


def _long(topics: Sequence[Topic], minutes: float, below: Below, seeds: int) -> list[Item]:
    return take_drills(topics, minutes, below, seeds, set())


def _calculations(topics: Sequence[Topic], minutes: float, below: Below, seeds: int) -> list[Item]:
    used: set[tuple[str, int]] = set()
    short = take_drills([topic for topic in topics if topic.fill], 3 * minutes / 10, below, seeds, used, True)
    long = [topic for topic in topics if topic.marks >= LONG_MARKS]
    return short + take_drills(long or topics, minutes - SHORT_MINUTES * len(short), below, seeds, used)


def _choice(pieces: Sequence[Piece], minutes: float, below: Below) -> list[Item]:
    single = shuffled((piece for piece in pieces if piece.kind != "multiple"), below)
    return take_questions((_one(piece) for piece in single), minutes)


def _answers(pieces: Sequence[Piece], minutes: float, below: Below) -> list[Item]:
    found = [_all("all", [piece], piece.options) for piece in pieces if piece.kind == "multiple"]
    for stem in dict.fromkeys(piece.stem for piece in pieces):
        said = shuffled((piece for piece in pieces if (piece.stem, piece.kind) == (stem, "true-false")), below)
        groups = [said[k : k + GROUP] for k in range(0, len(said) - GROUP + 1, GROUP)]
        found += [_all("statements", group, GROUP) for group in groups]
    return take_questions(shuffled(found, below), minutes)


def _one(piece: Piece) -> Item:
    minutes = READING + (PICKING * piece.options if piece.kind == "choice" else JUDGING)
    return Item("one", piece.stem, (piece.number,), tuple(range(piece.options)), ONE[piece.kind], minutes, PENALTY)


def _all(kind: str, pieces: Sequence[Piece], options: int) -> Item:
    numbers = tuple(piece.number for piece in pieces)
    return Item(kind, pieces[0].stem, numbers, tuple(range(options)), ALL, READING + JUDGING * options)


def mixed_options(item: Item, below: Below) -> Item:
    """The options in a new order: not those of two, such as *true* and *false*, nor statements, which are mixed."""
    fixed = item.kind == "statements" or len(item.order) == 2
    return item if fixed else item._replace(order=tuple(shuffled(item.order, below)))


FORMATS: dict[str, Callable[..., list[Item]]] = {
    "long": _long,
    "calculations": _calculations,
    "choice": _choice,
    "answers": _answers,
}
