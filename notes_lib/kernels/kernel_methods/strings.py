"""Kernels of texts: common substrings of one length, and common subsequences by dynamic programming."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from notes_lib.checks import FloatArray, check_integer


def spectrum_kernel(S: Sequence[str], T: Sequence[str] | None = None, length: int = 3) -> FloatArray:
    """How many pairs of equal substrings of one length two texts have; :eq:`kernel-methods-spectrum`.

    Parameters
    ----------
    S : n texts
        Capital and small letters differ; every character counts, spaces too.
    T : m texts, optional
        S itself if None.
    length : int
        Of the substrings, at least 1. A text that is shorter has no features.

    Returns
    -------
    (n, m) array
        Whole numbers.

    Raises
    ------
    TypeError
        If S or T is not a sequence of texts, or ``length`` not an integer.
    ValueError
        If S or T is empty, or ``length`` below 1.

    Notes
    -----
    A feature for each possible substring: its number of occurrences; the features that are 0 are never formed.
    O(length) time for each letter of each text, and as many steps for each pair as its first text has substrings.

    Examples
    --------
    >>> spectrum_kernel(["bar", "cat"], ["bar", "car"], length=2)
    array([[2., 1.],
           [0., 1.]])
    """
    length = check_integer(length, "length")
    rows, columns = ([_substrings(text, length) for text in texts] for texts in _pair(S, T))
    return np.array([[_inner(a, b) for b in columns] for a in rows], dtype=float)  # kernel-methods-spectrum


def subsequence_table(s: str, t: str) -> FloatArray:
    """Pairs of equal subsequences of all beginnings of two texts; :eq:`kernel-methods-subsequence-step`.

    Parameters
    ----------
    s, t : str

    Returns
    -------
    (len(s) + 1, len(t) + 1) array
        Entry ``[i, j]`` counts them for the first i and the first j letters; the last one is the kernel of s and t.

    Raises
    ------
    TypeError
        If ``s`` or ``t`` is not a text.

    Notes
    -----
    O(len(s) len(t)) time and memory, although there are up to ``2^len(s)`` subsequences. The numbers are exact up to
    2^53.

    Examples
    --------
    >>> subsequence_table("ab", "ba")
    array([[1., 1., 1.],
           [1., 1., 2.],
           [1., 2., 3.]])
    """
    for text, name in ((s, "s"), (t, "t")):
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a text, got {text!r}.")
    letters = np.array(list(t))
    M = np.ones((len(s) + 1, len(t) + 1))  # the empty subsequence is in every beginning
    for i, letter in enumerate(s, start=1):
        before = M[i - 1]
        with np.errstate(over="ignore", invalid="ignore"):
            grown = np.diff(before) + (letters == letter) * before[:-1]  # kernel-methods-subsequence-step
            M[i, 1:] += np.cumsum(grown)
    return M


def subsequence_kernel(S: Sequence[str], T: Sequence[str] | None = None) -> FloatArray:
    """How many pairs of equal subsequences two texts have, gaps allowed; :eq:`kernel-methods-subsequence`.

    Parameters
    ----------
    S, T : n and m texts
        As in :func:`spectrum_kernel`.

    Returns
    -------
    (n, m) array
        Whole numbers from 1, because the empty subsequence is common to all.

    Raises
    ------
    TypeError
        If S or T is not a sequence of texts.
    ValueError
        If S or T is empty, or the texts are so long that the count overflows (about 500 letters).

    Notes
    -----
    O(product of the lengths) for each pair. Divide the lengths out, as in :eq:`kernel-methods-cosine-kernel`, before
    texts of different lengths are compared: the kernel of a text with itself grows like an exponential of its length.

    Examples
    --------
    >>> subsequence_kernel(["bar", "baa"])
    array([[ 8.,  6.],
           [ 6., 12.]])
    """
    rows, columns = _pair(S, T)
    K = np.array([[subsequence_table(s, t)[-1, -1] for t in columns] for s in rows])  # kernel-methods-subsequence
    if not np.isfinite(K).all():
        raise ValueError("S holds texts that are too long: the number of subsequences overflows, cut them in pieces.")
    return K


def _substrings(text: str, length: int) -> Counter[str]:
    return Counter(text[i : i + length] for i in range(len(text) - length + 1))


def _inner(a: Counter[str], b: Counter[str]) -> int:
    return sum(count * b[word] for word, count in a.items())


def _pair(S: Sequence[str], T: Sequence[str] | None) -> tuple[Sequence[str], Sequence[str]]:
    for texts, name in ((S, "S"), (S if T is None else T, "T")):
        listed = hasattr(texts, "__len__") and not isinstance(texts, str)
        if not listed or not all(isinstance(text, str) for text in texts):
            raise TypeError(f'{name} must be a sequence of texts, got {texts!r}: write ["abc"] for a single one.')
        if not len(texts):
            raise ValueError(f"{name} must hold at least one text.")
    return S, S if T is None else T
