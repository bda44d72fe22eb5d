"""Code lengths that give the measures of information a meaning: Kraft, Shannon, Huffman."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import IntArray, check_distribution
from notes_lib.foundations.information import checks


def kraft_sum(lengths: ArrayLike) -> float:
    """Share of the tree of all bit strings that code words of these lengths take up; :eq:`information-kraft`.

    Parameters
    ----------
    lengths : (K,) array
        Bits of each code word, not negative; need not be whole.

    Returns
    -------
    float
        ``sum 2^-length``. A prefix code with these (whole) lengths exists if and only if it is at most 1.

    Raises
    ------
    ValueError
        If ``lengths`` is not a column of finite non-negative numbers.

    Examples
    --------
    >>> kraft_sum([1, 2, 2])
    1.0
    """
    return float(np.exp2(-checks.lengths(lengths)).sum())  # information-kraft


def expected_length(p: ArrayLike, lengths: ArrayLike) -> float:
    """Mean code length, in bits a symbol, of a source with distribution ``p``; :eq:`information-length`.

    Parameters
    ----------
    p : (K,) array
        Probability of each symbol.
    lengths : (K,) array
        Bits of each code word, not negative; need not be whole.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If ``lengths`` is not a column of finite non-negative numbers, or ``p`` is not a distribution of that shape.

    Examples
    --------
    >>> expected_length([0.5, 0.25, 0.25], [1, 2, 2])
    1.5
    """
    bits = checks.lengths(lengths)
    return float(check_distribution(p, "p", bits.shape) @ bits)  # information-length


def shannon_lengths(p: ArrayLike) -> IntArray:
    """Information of each symbol rounded up to whole bits; :eq:`information-shannon-lengths`.

    Parameters
    ----------
    p : (K,) array
        Probability of each symbol, positive.

    Returns
    -------
    (K,) array of int
        ``ceil(-log2 p)``. Their mean is less than the entropy plus 1 bit. Their Kraft sum is at most 1 as ``sum p`` is;
        where rounding makes that more than 1, powers of 2 among the ``p`` can break the inequality by as much.

    Raises
    ------
    ValueError
        If ``p`` is not one distribution or holds a 0 (leave out symbols that never occur).

    Examples
    --------
    >>> shannon_lengths([0.7, 0.2, 0.1])
    array([1, 3, 4])
    """
    p = checks.symbols(p)
    return np.ceil(-np.log2(p)).astype(int)  # information-shannon-lengths


def huffman_lengths(p: ArrayLike) -> IntArray:
    """Code lengths of Huffman's code, which no prefix code beats on average.

    The two least probable symbols become siblings and are merged into one, until one is left; a symbol's length is the
    number of merges it took part in. Ties go to the symbol that stands first, and to a symbol before a merged one,
    which keeps the longest word short.

    Parameters
    ----------
    p : (K,) array
        Probability of each symbol, positive.

    Returns
    -------
    (K,) array of int
        Bits of each code word; their mean satisfies :eq:`information-source-coding`. A single symbol needs 0 bits.

    Raises
    ------
    ValueError
        If ``p`` is not one distribution or holds a 0 (leave out symbols that never occur).

    Notes
    -----
    O(K log K) time. Source: Huffman (1952), Proceedings of the IRE 40, 1098-1101.

    Examples
    --------
    >>> huffman_lengths([0.7, 0.2, 0.1])
    array([1, 2, 2])
    """
    p = checks.symbols(p)
    K = len(p)
    heap = [(float(mass), node) for node, mass in enumerate(p)]
    heapq.heapify(heap)
    parent = np.zeros(2 * K - 1, dtype=int)
    for merged in range(K, 2 * K - 1):
        (mass, first), (other, second) = heapq.heappop(heap), heapq.heappop(heap)
        parent[[first, second]] = merged
        heapq.heappush(heap, (mass + other, merged))
    depth = np.zeros(2 * K - 1, dtype=int)
    for node in reversed(range(2 * K - 2)):  # from the root, node 2K - 2, down to the symbols
        depth[node] = depth[parent[node]] + 1
    return depth[:K]


def prefix_code(lengths: ArrayLike) -> list[str]:
    """Code words of given lengths, none the beginning of another: the construction that proves Kraft's inequality.

    Parameters
    ----------
    lengths : (K,) array of int
        Bits of each code word.

    Returns
    -------
    list of str
        Words of 0s and 1s in the order of ``lengths``. Among all words, shorter ones come first in binary order
        (the *canonical* code), so the lengths alone tell a receiver the code.

    Raises
    ------
    ValueError
        If a length is negative or not whole, or :eq:`information-kraft` is violated: then no such code exists.

    Examples
    --------
    >>> prefix_code([2, 1, 2])
    ['10', '0', '11']
    """
    bits = checks.lengths(lengths)
    if (bits != np.floor(bits)).any():
        raise ValueError("lengths must be whole numbers of bits: round them up.")
    whole = [int(b) for b in bits]
    longest = max(whole)
    if sum(1 << (longest - b) for b in whole) > 1 << longest:
        raise ValueError(
            f"lengths violate Kraft's inequality, the sum of 2^-length is {kraft_sum(bits):.4g} > 1: lengthen a word."
        )
    words = [""] * len(whole)
    number, previous = 0, 0
    for k in sorted(range(len(whole)), key=lambda k: whole[k]):
        number <<= whole[k] - previous
        words[k] = format(number, f"0{whole[k]}b") if whole[k] else ""
        number, previous = number + 1, whole[k]
    return words
