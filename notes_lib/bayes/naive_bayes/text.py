"""From a text to counts of its words, and the counts of one famous case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.resources import files

import numpy as np

from notes_lib.checks import IntArray
from notes_lib.datasets import Dataset


def words(text: str) -> list[str]:
    """Runs of the letters a to z, in lower case and in their order; everything else separates words.

    Examples
    --------
    >>> words("We, the People!")
    ['we', 'the', 'people']
    """
    return re.findall("[a-z]+", text.lower())


def word_counts(texts: Iterable[str], vocabulary: Sequence[str]) -> IntArray:
    """How often each word of the vocabulary stands in each text; other words are left out.

    Parameters
    ----------
    texts : iterable of str
    vocabulary : sequence of str
        Different words in lower case.

    Returns
    -------
    (n, len(vocabulary)) array of int
        The order of the words is lost: a *bag of words*.

    Raises
    ------
    TypeError, ValueError
        If ``texts`` is a single text, or the vocabulary is empty or names a word twice.

    Examples
    --------
    >>> word_counts(["No man is an island.", "no, no"], ["no", "man"])
    array([[1, 1],
           [2, 0]])
    """
    if isinstance(texts, str):
        raise TypeError("texts must be several texts, got one str: put it in a list.")
    place = {word: j for j, word in enumerate(vocabulary)}
    if not place or len(place) < len(vocabulary):
        raise ValueError(f"vocabulary must hold different words, at least one, got {list(vocabulary)}.")
    rows = []
    for text in texts:
        known = [place[word] for word in words(text) if word in place]
        rows.append(np.bincount(np.array(known, dtype=np.intp), minlength=len(place)))
    return np.array(rows, dtype=np.intp).reshape(-1, len(place))


def load_federalist() -> Dataset:
    """Federalist papers of 1787 and 1788: 70 function words in 77 papers by Hamilton or Madison.

    Returns
    -------
    Dataset
        ``X`` (77, 70) counts of the words in ``feature_names``; ``y`` (77,) is 0 for Hamilton (51 papers), 1 for
        Madison (14) and 2 for the twelve papers that both have claimed. Rows are in the order of the papers' numbers.

    Examples
    --------
    >>> data = load_federalist()
    >>> data.X.shape, np.bincount(data.y).tolist()
    ((77, 70), [51, 14, 12])
    """
    lines = (files("notes_lib") / "data" / "federalist.csv").read_text(encoding="ascii").split()
    header, *rows = (line.split(",") for line in lines)
    authors = ("Hamilton", "Madison", "disputed")
    return Dataset(
        X=np.array([row[3:] for row in rows], dtype=float),
        y=np.array([authors.index(row[1]) for row in rows]),
        feature_names=tuple(header[3:]),
        target_names=authors,
        description="counts of 70 function words in the Federalist papers of Hamilton and Madison",
        source="The Federalist (1787-1788), counted in the text of Project Gutenberg's e-book 1404",
        licence="public domain",
    )
