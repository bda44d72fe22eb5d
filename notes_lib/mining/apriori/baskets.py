"""Baskets: sets of items, their bits, a threshold as a count, and a generated shop whose truth is known."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from notes_lib.checks import check_binary, check_integer, check_real
from notes_lib.numerics import RandomState, check_rng

Transactions = Sequence[Iterable[Hashable]] | NDArray[Any]  # or a table of them
Itemset = frozenset[Any]
NO_BASKET = "transactions must hold at least one basket, got none."
EMPTY = "transactions must not be empty, row {row} is: leave out what nobody bought."
ROUNDING = 1e-12  # relative: 0.1 + 0.2 of ten baskets are three baskets


class Encoded(NamedTuple):
    """Frequent items in their order, and which of them are in which basket: pairs of a row and the place of an item."""

    items: list[Any]
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    n_transactions: int


class Shop(NamedTuple):
    """Generated baskets and for each of them the branch where it was sold."""

    transactions: list[frozenset[str]]
    branch: NDArray[np.str_]


def minimum_count(min_support: float, n_transactions: int) -> int:
    """Smallest number of baskets whose share reaches ``min_support``; :eq:`apriori-frequent`.

    Parameters
    ----------
    min_support : float
        Share of the baskets, above 0 and at most 1.
    n_transactions : int

    Raises
    ------
    TypeError, ValueError
        If ``min_support`` is no number above 0 and at most 1.

    Notes
    -----
    A product that exceeds a whole number by a rounding error only counts as this number.

    Examples
    --------
    >>> minimum_count(0.22, 9), minimum_count(0.1 + 0.2, 10)
    (2, 3)
    """
    share = check_real(min_support, "min_support")
    if not 0 < share <= 1:
        raise ValueError(f"min_support must be above 0 and at most 1, got {min_support}: give a share of the baskets.")
    return max(1, math.ceil(share * n_transactions * (1 - ROUNDING)))


def indicator_matrix(transactions: Transactions) -> tuple[list[Any], NDArray[np.bool_]]:
    """All items in their order, and for each basket which of them it has.

    Returns
    -------
    items : list of length d
        Sorted, or by type and text where the items cannot be compared; of a table, its columns as they are.
    A : (N, d) array of bool

    Raises
    ------
    TypeError
        If the baskets are no sequence of collections of hashable items, or one of them is a text.
    ValueError
        If there is no basket, or one is empty.

    Examples
    --------
    >>> indicator_matrix([{"tea", "milk"}, {"tea"}])
    (['milk', 'tea'], array([[ True,  True],
           [False,  True]]))
    """
    coded = encode(transactions)
    A = np.zeros((coded.n_transactions, len(coded.items)), bool)
    A[coded.rows, coded.columns] = True
    return coded.items, A


def encode(transactions: Transactions, min_support: float | None = None) -> Encoded:
    """Number the items that reach a support, or all of them; errors as in :func:`indicator_matrix`."""
    coded = _from_table(transactions) if getattr(transactions, "ndim", 1) == 2 else _from_sets(transactions)
    if min_support is None:
        return coded
    items, rows, columns, n = coded
    frequent = np.bincount(columns, minlength=len(items)) >= minimum_count(min_support, n)
    kept, number = frequent[columns], frequent.cumsum() - 1
    items = [item for item, often in zip(items, frequent.tolist(), strict=True) if often]
    return Encoded(items, rows[kept], number[columns[kept]], n)


def _from_sets(transactions: Transactions) -> Encoded:
    baskets = _baskets(transactions)
    flat = list(chain.from_iterable(baskets))
    items = in_order(set(flat))
    place = {item: k for k, item in enumerate(items)}
    columns = np.fromiter(map(place.__getitem__, flat), np.intp, len(flat))
    rows = np.repeat(np.arange(len(baskets)), np.fromiter(map(len, baskets), np.intp, len(baskets)))
    return Encoded(items, rows, columns, len(baskets))


def _from_table(table: Any) -> Encoded:
    """Baskets from a row of yes and no for each, as other libraries keep them; the columns are the items."""
    A = np.asarray(table)
    if A.dtype != np.bool_:
        A = check_binary(A, "transactions").astype(bool)
    if not len(A):
        raise ValueError(NO_BASKET)
    rows, columns = np.divmod(np.flatnonzero(A), A.shape[1])
    empty = np.flatnonzero(np.bincount(rows, minlength=len(A)) == 0)
    if len(empty):
        raise ValueError(EMPTY.format(row=empty[0]))
    items = list(getattr(table, "columns", range(A.shape[1])))
    if len(set(items)) < len(items):
        raise ValueError("transactions must have columns of different names, one for each item: rename the equal ones.")
    return Encoded(items, rows, columns, len(A))


def in_order(items: Iterable[Any]) -> list[Any]:
    """Items sorted; by type and text where they cannot be compared."""
    items = list(items)
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=lambda item: (type(item).__name__, repr(item)))


def _baskets(transactions: Transactions) -> list[Any]:
    if isinstance(transactions, str | bytes):
        raise TypeError("transactions must be a sequence of baskets, got a text: give a list of sets of items.")
    if not isinstance(transactions, Iterable):
        raise TypeError(f"transactions must be a sequence of baskets, got {transactions!r}: give a list of sets.")
    baskets = list(transactions)
    kinds = set(map(type, baskets))
    for kind in kinds:
        if issubclass(kind, str | bytes) or not issubclass(kind, Iterable):
            row = next(row for row, basket in enumerate(baskets) if type(basket) is kind)
            raise TypeError(
                f"transactions must hold sets of items, got {baskets[row]!r} in row {row}: put it into a list."
            )
    if not kinds <= {set, frozenset}:
        try:
            baskets = list(map(frozenset, baskets))
        except TypeError as error:
            raise TypeError(f"transactions must hold hashable items: use texts or numbers ({error}).") from error
    if not all(baskets):
        row = next(row for row, basket in enumerate(baskets) if not basket)
        raise ValueError(EMPTY.format(row=row))
    if not baskets:
        raise ValueError(NO_BASKET)
    return baskets


def make_baskets(n_transactions: int = 1000, random_state: RandomState = 0) -> Shop:
    """Receipts of a shop with two branches, drawn from known probabilities.

    Planted are bread with butter and both with jam, pasta with tomatoes and both with cheese, and oat drink in place of
    milk. Tea and coffee replace each other within each branch, and the suburb sells much more of both. Beer and nappies
    are independent of each other and of all other items.

    Parameters
    ----------
    n_transactions : int
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Shop
        ``transactions``, a list of frozensets of twelve products, and ``branch`` (n,), ``"station"`` or ``"suburb"``.

    Raises
    ------
    TypeError, ValueError
        If ``n_transactions`` is no positive integer.

    Notes
    -----
    O(n). Nobody pays for an empty basket: one in fifty is empty and drawn again. The baskets are generated by this
    function and stand under the licence of the project.

    Examples
    --------
    >>> shop = make_baskets(3)
    >>> sorted(shop.transactions[0]), str(shop.branch[0])
    (['beer', 'bread', 'milk'], 'station')
    """
    n = check_integer(n_transactions, "n_transactions")
    rng = check_rng(random_state)
    transactions: list[frozenset[str]] = []
    branch: list[str] = []
    while len(transactions) < n:
        suburb = rng.random() < 0.5
        basket = _basket(suburb, iter(rng.random(len(PRODUCTS))))
        if basket:
            transactions.append(frozenset(basket))
            branch.append("suburb" if suburb else "station")
    return Shop(transactions, np.array(branch))


PRODUCTS = (
    "oat drink",
    "milk",
    "bread",
    "butter",
    "jam",
    "pasta",
    "tomatoes",
    "cheese",
    "tea",
    "coffee",
    "beer",
    "nappies",
)


def _basket(suburb: bool, u: Iterable[float]) -> set[str]:
    """One basket from twelve uniform numbers, which may be empty."""
    has: set[str] = set()
    chance = {
        "oat drink": lambda: 0.15,
        "milk": lambda: 0.6 if "oat drink" in has else 0.8,
        "bread": lambda: 0.45,
        "butter": lambda: 0.6 if "bread" in has else 0.1,
        "jam": lambda: 0.5 if {"bread", "butter"} <= has else 0.1,
        "pasta": lambda: 0.3,
        "tomatoes": lambda: 0.6 if "pasta" in has else 0.15,
        "cheese": lambda: 0.6 if {"pasta", "tomatoes"} <= has else 0.15,
        "tea": lambda: 0.6 if suburb else 0.1,
        "coffee": lambda: (0.5 if "tea" in has else 0.7) if suburb else (0.06 if "tea" in has else 0.12),
        "beer": lambda: 0.2,
        "nappies": lambda: 0.15,
    }
    for product, draw in zip(PRODUCTS, u, strict=True):
        if draw < chance[product]():
            has.add(product)
    return has
