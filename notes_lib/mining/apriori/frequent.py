"""Frequent itemsets level by level (Apriori), by a tree (FP-growth) and by intersections (Eclat)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations, groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from notes_lib.checks import FloatArray, IntArray, check_integer
from notes_lib.mining.apriori.baskets import Encoded, Itemset, Transactions, encode, in_order, minimum_count

Places = tuple[int, ...]
WORDS = 2**14  # of 64 bits, intersected at a time, so that they stay in the cache


def generate_candidates(itemsets: Iterable[Iterable[Any]]) -> list[Itemset]:
    """Join and prune: the itemsets with one item more whose subsets are all given; :eq:`apriori-join`.

    Parameters
    ----------
    itemsets : collection of itemsets
        All frequent itemsets of one size k - 1. A dictionary of supports will do.

    Returns
    -------
    list of frozensets of size k, in order

    Raises
    ------
    TypeError
        If an itemset is a text.
    ValueError
        If the itemsets differ in size, or one is empty.

    Notes
    -----
    Two itemsets are joined if they agree in all items but the last; a candidate stays if its other k - 2 subsets are
    given too. Source: Agrawal and Srikant (1994), section 2.1.1.

    Examples
    --------
    >>> [sorted(c) for c in generate_candidates([{1, 2}, {1, 3}, {2, 3}, {2, 4}])]
    [[1, 2, 3]]
    """
    given = list(itemsets)
    if any(isinstance(s, str | bytes) for s in given):
        raise TypeError("itemsets must be sets of items, got a text: put it into a set.")
    sets = {frozenset(s) for s in given}
    sizes = {len(s) for s in sets}
    if len(sizes) > 1 or 0 in sizes:
        raise ValueError(f"itemsets must all have one size of at least 1, got sizes {sorted(sizes)}.")
    items = in_order(frozenset().union(*sets))
    place = {item: k for k, item in enumerate(items)}
    rows = sorted(tuple(sorted(place[item] for item in s)) for s in sets)
    known = set(rows)
    joined = [
        (*a, b[-1])
        for _, group in groupby(rows, key=lambda row: row[:-1])
        for a, b in combinations(group, 2)  # join: all but the last item agree
    ]
    return [
        frozenset(items[k] for k in places)
        for places in joined
        if all(subset in known for subset in combinations(places, len(places) - 1))  # prune: apriori-closure
    ]


def apriori(transactions: Transactions, min_support: float = 0.5, max_len: int | None = None) -> dict[Itemset, float]:
    """All itemsets whose support reaches a threshold, found level by level.

    Parameters
    ----------
    transactions : sequence of N collections of hashable items, or (N, d) table of 0 and 1
        Baskets, none of them empty; an item counts once in a basket. The columns of a table are its items: their names
        in a data frame, their numbers in an array.
    min_support : float
        Share of the baskets, above 0 and at most 1. It is compared as a count: an itemset is frequent if it is in at
        least ``ceil(min_support * N)`` baskets, :eq:`apriori-frequent`.
    max_len : int or None
        Largest size; None for no limit.

    Returns
    -------
    dict
        The support, :eq:`apriori-support`, of each frequent itemset, a frozenset; small itemsets first.

    Raises
    ------
    TypeError, ValueError
        If there is no basket, one is empty, a text or not of hashable items; if ``min_support`` lies outside (0, 1], or
        ``max_len`` is no positive integer.

    Notes
    -----
    Time O(N) for each candidate, of which each level has those that :func:`generate_candidates` leaves; memory N bits
    for each frequent itemset of two levels. Source: Agrawal and Srikant (1994).

    Examples
    --------
    >>> found = apriori([{"bread", "butter"}, {"bread", "jam"}, {"bread", "butter", "jam"}], min_support=0.6)
    >>> {", ".join(sorted(s)): round(support, 2) for s, support in found.items()}
    {'bread': 1.0, 'butter': 0.67, 'jam': 0.67, 'bread, butter': 0.67, 'bread, jam': 0.67}
    """
    coded, least, longest = _checked(transactions, min_support, max_len)
    bits = _bits(coded)
    level = np.arange(len(coded.items))[:, None]  # (m, k): the frequent itemsets of one size, sorted
    found = [(level, np.bitwise_count(bits).sum(axis=1, dtype=np.int64))]
    keys: list[IntArray] = []  # of each size: the row of the first k - 1 items and the last item in one number
    while len(level) and level.shape[1] < longest:
        pairs = _joined(level)
        candidates = np.column_stack([level[pairs[:, 0]], level[pairs[:, 1], -1]])
        known = _have_all_subsets(candidates, keys, len(coded.items))
        pairs, candidates = pairs[known], candidates[known]
        counts, bits = _intersect(bits, pairs, least)
        frequent = counts >= least
        level = candidates[frequent]
        keys.append(pairs[frequent, 0] * len(coded.items) + level[:, -1])
        found.append((level, counts[frequent]))
    pairs = (zip(places.tolist(), n.tolist(), strict=True) for places, n in found)
    return _itemsets(chain.from_iterable(pairs), coded)


def _joined(level: IntArray) -> IntArray:
    """Pairs of rows that agree in all items but the last; the rows are sorted."""
    m = len(level)
    starts = np.flatnonzero(np.append(True, (level[1:, :-1] != level[:-1, :-1]).any(axis=1)))
    size = np.diff(np.append(starts, m))
    partners = np.repeat(starts + size, size) - np.arange(m) - 1  # rows of the same group further below
    a = np.repeat(np.arange(m), partners)
    b = np.arange(len(a)) - np.repeat(partners.cumsum() - partners, partners) + a + 1
    return np.column_stack([a, b])


def _have_all_subsets(candidates: IntArray, keys: list[IntArray], d: int) -> NDArray[np.bool_]:
    """Whether all subsets with one item less are frequent; those that were joined are."""
    k = candidates.shape[1]
    good = np.ones(len(candidates), bool)
    for left_out in range(k - 2):
        rest = np.flatnonzero(good)
        subsets = np.delete(candidates[rest], left_out, axis=1)
        row = subsets[:, 0]
        for size in range(1, k - 1):
            key = row * d + subsets[:, size]
            row = np.searchsorted(keys[size - 1], key)
            row = np.where(np.append(keys[size - 1], -1)[row] == key, row, -1)  # -1 leads to no later row
        good[rest] = row >= 0
    return good


def _bits(coded: Encoded) -> NDArray[np.uint64]:
    """For each item its baskets as bits, in words of 64."""
    A = np.zeros((len(coded.items), -(-coded.n_transactions // 64) * 64), np.uint8)
    A[coded.columns, coded.rows] = 1
    return np.packbits(A, axis=1).view(np.uint64)


def _intersect(bits: NDArray[np.uint64], pairs: IntArray, least: int) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Baskets that both rows of each pair have: their numbers, and the bits of those that reach the least number."""
    counts, kept = [np.zeros(0, np.int64)], [bits[:0]]
    size = max(1, WORDS // max(1, bits.shape[1]))
    for start in range(0, len(pairs), size):
        a, b = pairs[start : start + size].T
        both = bits.take(a, axis=0)
        both &= bits.take(b, axis=0)  # apriori-tidsets
        number = np.bitwise_count(both).sum(axis=1, dtype=np.uint32)
        counts.append(number.astype(np.int64))
        kept.append(both[number >= least])
    return np.concatenate(counts), np.concatenate(kept)


def eclat(transactions: Transactions, min_support: float = 0.5, max_len: int | None = None) -> dict[Itemset, float]:
    """All itemsets whose support reaches a threshold, in depth first order by intersecting lists of baskets.

    Parameters, result and errors are those of :func:`apriori`.

    Notes
    -----
    The baskets of a union are the intersection of the baskets, :eq:`apriori-tidsets`. Memory N bits for each item and
    each level of the recursion. Source: Zaki (2000).

    Examples
    --------
    >>> eclat([[1, 2], [1, 2], [3]], min_support=0.6)
    {frozenset({1}): 0.6666666666666666, frozenset({2}): 0.6666666666666666, frozenset({1, 2}): 0.6666666666666666}
    """
    coded, least, longest = _checked(transactions, min_support, max_len)
    found: dict[Places, int] = {}

    def deeper(members: list[tuple[Places, int]]) -> None:
        for k, (places, baskets) in enumerate(members):
            found[places] = baskets.bit_count()
            if len(places) < longest:
                joined = [((*places, other[-1]), baskets & theirs) for other, theirs in members[k + 1 :]]
                deeper([(p, both) for p, both in joined if both.bit_count() >= least])

    deeper([((k,), int.from_bytes(row.tobytes())) for k, row in enumerate(_bits(coded))])
    return _itemsets(_small_first(found), coded)


class FPTree(NamedTuple):
    """Baskets as paths from a root: baskets that begin alike share their first nodes.

    ``ranks`` (m,), the rank of the item of each node, 0 for the most frequent; ``parents`` (m,), a smaller number each;
    ``counts`` (m,), how many baskets go through it. Node 0 is the root: rank -1, its own parent.
    """

    ranks: IntArray
    parents: IntArray
    counts: IntArray


def fp_tree(paths: IntArray, weights: IntArray) -> FPTree:
    """Put weighted paths into a tree; :eq:`apriori-path`.

    Parameters
    ----------
    paths : (n, L) array of integers
        Ranks of the items of each basket, in any order; -1 fills up.
    weights : (n,) array of integers
        How many baskets each row stands for.

    Returns
    -------
    FPTree
        Nodes in the order of a walk from the left to the right.

    Notes
    -----
    O(n L log n): after sorting, a node begins wherever a row differs from the one above it.

    Examples
    --------
    >>> tree = fp_tree(np.array([[0, 1], [0, 2], [0, 1]]), np.array([1, 1, 1]))
    >>> tree.ranks.tolist(), tree.parents.tolist(), tree.counts.tolist()
    ([-1, 0, 1, 2], [0, 0, 1, 1], [3, 3, 2, 1])
    """
    beyond = np.iinfo(paths.dtype).max
    P = np.sort(np.where(paths < 0, beyond, paths), axis=1)
    P = P[:, np.less(P, beyond).any(axis=0)]
    order = np.lexsort(P.T[::-1]) if P.shape[1] else np.arange(len(P))
    P, w = P[order], weights[order]
    inside = np.less(P, beyond)
    begins = inside.copy()
    begins[1:] &= np.logical_or.accumulate(P[1:] != P[:-1], axis=1)
    numbers = np.where(begins, begins.cumsum().reshape(P.shape), 0)
    node = np.maximum.accumulate(numbers, axis=0)  # of each row in each column
    above = np.column_stack([np.zeros(len(P), np.intp), node[:, :-1]])[:, : P.shape[1]]
    counts = np.bincount(node[inside], np.repeat(w, inside.sum(axis=1)), 1).astype(np.intp)
    counts[0] = w.sum()
    return FPTree(np.append(-1, P[begins]), np.append(0, above[begins]), counts)


def conditional_paths(tree: FPTree, item: int) -> tuple[IntArray, IntArray]:
    """What stands above the nodes of one item: paths to the root with the counts of these nodes; :eq:`apriori-header`.

    Returns
    -------
    paths : (q, L) array of ranks, the nearest first, filled up with -1
    weights : (q,) array

    Examples
    --------
    >>> tree = fp_tree(np.array([[0, 1], [1, -1], [0, 1]]), np.array([1, 1, 1]))
    >>> paths, weights = conditional_paths(tree, 1)
    >>> paths.tolist(), weights.tolist()
    ([[0], [-1]], [2, 1])
    """
    nodes = np.flatnonzero(tree.ranks == item)
    up, columns = tree.parents[nodes], []
    while up.any():
        columns.append(tree.ranks[up])
        up = tree.parents[up]
    paths = np.array(columns, np.intp).reshape(len(columns), len(nodes)).T
    return paths, tree.counts[nodes]


def pair_counts(tree: FPTree) -> FloatArray:
    """For each rank and each smaller one, how many baskets of the tree have both; all pairs in one climb.

    Returns
    -------
    (k, k) array
        Below its diagonal; k is one more than the largest rank.

    Notes
    -----
    O(m L + k^2) for m nodes and paths of length L. With this table (Grahne and Zhu 2005) a conditional tree is only
    built where an itemset of three or more items can come out of it.

    Examples
    --------
    >>> pair_counts(fp_tree(np.array([[0, 1], [1, -1], [0, 1]]), np.array([1, 1, 1])))
    array([[0., 0.],
           [2., 0.]])
    """
    k = int(tree.ranks.max()) + 1
    node = np.flatnonzero(tree.parents)  # below the first level
    up, keys, weights = tree.parents[node], [], []
    while len(node):
        keys.append(tree.ranks[node] * k + tree.ranks[up])
        weights.append(tree.counts[node])
        up = tree.parents[up]
        node, up = node[up > 0], up[up > 0]
    if not keys:
        return np.zeros((k, k))
    totals = np.bincount(np.concatenate(keys), np.concatenate(weights), k * k).astype(float)
    return totals.reshape(k, k)


def fpgrowth(transactions: Transactions, min_support: float = 0.5, max_len: int | None = None) -> dict[Itemset, float]:
    """All itemsets whose support reaches a threshold, from a tree and without candidates.

    Parameters, result and errors are those of :func:`apriori`.

    Notes
    -----
    The items of a basket are ordered by their frequency, and the baskets become a tree. The itemsets that end in an
    item are the frequent itemsets of the paths above its nodes, a smaller tree. Source: Han, Pei and Yin (2000).

    Examples
    --------
    >>> fpgrowth([[1, 2], [1, 2], [3]], min_support=0.6)
    {frozenset({1}): 0.6666666666666666, frozenset({2}): 0.6666666666666666, frozenset({1, 2}): 0.6666666666666666}
    """
    coded, least, longest = _checked(transactions, min_support, max_len)
    paths, of_rank = _ranked(coded)
    found: dict[Places, int] = {}

    def grow(tree: FPTree, suffix: Places) -> None:
        counts, pairs = np.bincount(tree.ranks[1:], tree.counts[1:]), pair_counts(tree)
        for item, (count, row) in enumerate(zip(counts.tolist(), pairs >= least, strict=True)):
            if count < least:
                continue  # removed from this tree
            ending = (item, *suffix)
            found[ending] = int(count)
            above = np.flatnonzero(row).tolist() if len(ending) < longest else []
            if len(above) == 1:
                found[(above[0], *ending)] = int(pairs[item, above[0]])
            elif above:
                paths, weights = conditional_paths(tree, item)
                grow(fp_tree(np.where(np.append(row, False)[paths], paths, -1), weights), ending)

    grow(fp_tree(paths, np.ones(len(paths), np.intp)), ())
    by_place = {tuple(sorted(of_rank[list(ranks)].tolist())): count for ranks, count in found.items()}
    return _itemsets(_small_first(by_place), coded)


def item_ranks(transactions: Transactions, min_support: float = 0.5) -> tuple[list[Any], IntArray]:
    """Frequent items from the most frequent to the rarest, and each basket as a row of their ranks.

    Returns
    -------
    items : list
        Equal counts in the order of the items.
    paths : (n, L) array of ranks, in order, filled up with -1
        Baskets without a frequent item are left out.

    Raises
    ------
    TypeError, ValueError
        As in :func:`apriori`.

    Examples
    --------
    >>> items, paths = item_ranks([["tea", "milk"], ["milk"], ["jam"]], 0.3)
    >>> items, paths.tolist()
    (['milk', 'jam', 'tea'], [[0, 2], [0, -1], [1, -1]])
    """
    coded, _, _ = _checked(transactions, min_support, None)
    paths, of_rank = _ranked(coded)
    return [coded.items[k] for k in of_rank], paths


def _ranked(coded: Encoded) -> tuple[IntArray, IntArray]:
    """Each basket as a row of ranks, and the item of each rank."""
    of_rank = np.argsort(-np.bincount(coded.columns, minlength=len(coded.items)), kind="stable")
    rank = np.argsort(of_rank)
    order = np.lexsort([rank[coded.columns], coded.rows])
    rows, ranks = coded.rows[order], rank[coded.columns[order]]
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    length = np.diff(np.append(first, len(rows)))
    paths = np.full((len(first), length.max(initial=0)), -1)
    paths[np.arange(paths.shape[1]) < length[:, None]] = ranks
    return paths, of_rank


def _checked(transactions: Transactions, min_support: float, max_len: int | None) -> tuple[Encoded, int, int]:
    """Encoded baskets, the least count and the largest size."""
    longest = 2**31 if max_len is None else check_integer(max_len, "max_len")
    coded = encode(transactions, min_support)
    return coded, minimum_count(min_support, coded.n_transactions), longest


def _small_first(found: dict[Places, int]) -> list[tuple[Places, int]]:
    return sorted(found.items(), key=lambda pair: (len(pair[0]), pair[0]))


def _itemsets(found: Iterable[tuple[Iterable[int], int]], coded: Encoded) -> dict[Itemset, float]:
    """Supports of frozensets, in the order of the itemsets found."""
    items, n = coded.items, coded.n_transactions
    return {frozenset([items[k] for k in places]): count / n for places, count in found}
