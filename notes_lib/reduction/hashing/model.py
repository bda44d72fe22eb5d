"""Tables of buckets for vectors and for sets: what falls into the bucket of a query is a candidate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import IntArray, check_integer
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reduction.hashing.steps import Bits, hyperplane_bits, indicator

Sets = ArrayLike | Sequence[Iterable[Any]]
CHUNK = 2**17  # hash values held at a time, half a megabyte, so that they stay in the cache
HALF = np.uint64(32)
STEP, FIRST, SECOND = (np.uint64(c) for c in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


class Buckets:
    """For each table the rows in the order of their keys, so that those of one bucket stand side by side.

    Parameters
    ----------
    codes : (n_tables, n, width) array of integers
        A bucket has the rows whose codes agree in all entries; its key has 64 bits, and two buckets share one with a
        probability of 5e-20.
    """

    def __init__(self, codes: NDArray[Any]) -> None:
        keys = _keys(codes)
        self.rows = keys.argsort(axis=1, kind="stable")
        self.keys = np.take_along_axis(keys, self.rows, axis=1)

    def candidates(self, codes: NDArray[Any]) -> list[IntArray]:
        """For each of q queries with codes (n_tables, q, width) the rows that share a bucket with it, in order."""
        q, n, pairs = codes.shape[1], self.rows.shape[1], []
        for rows, keys, wanted in zip(self.rows, self.keys, _keys(codes), strict=True):
            first, last = (np.searchsorted(keys, wanted, side) for side in ("left", "right"))
            size = last - first
            place = np.arange(size.sum()) + np.repeat(first - np.cumsum(size) + size, size)
            pairs.append(np.repeat(np.arange(q), size) * n + rows[place])
        query, row = np.divmod(np.unique(np.concatenate(pairs)), n)
        return np.split(row, np.searchsorted(query, np.arange(1, q)))


class RandomHyperplaneLSH(TransformerMixin, BaseEstimator):
    """Candidates for the vectors of small angle to a query, from tables of random bits.

    Each table has ``n_bits`` random hyperplanes through the origin; vectors with the same bits, :eq:`hashing-bit`, fall
    into one bucket. A pair at angle theta shares a bucket of one table at least with the probability
    :eq:`hashing-s-curve`, whose ``s`` is :eq:`hashing-collision`, whose rows are the bits and whose bands the tables.

    Parameters
    ----------
    n_bits : int
        Hyperplanes of a table: more of them make fewer candidates.
    n_tables : int
        More of them miss fewer neighbours.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    hyperplanes_ : (n_tables, n_bits, d) array
        Normals, drawn from the standard Gaussian: every direction is equally likely.
    n_features_in_ : int

    Notes
    -----
    Time O(n n_tables n_bits d) to build, O(n_tables n_bits d) a query beside its candidates; memory O(n n_tables).
    Centre data whose values are all positive, or all angles are small. Source: Charikar (2002).

    Examples
    --------
    >>> X = [[1.0, 0.1], [1.0, 0.2], [-1.0, 0.1]]
    >>> lsh = RandomHyperplaneLSH(n_bits=4, n_tables=3, random_state=0).fit(X)
    >>> lsh.candidates([[1.0, 0.15]])
    [array([0, 1])]
    """

    def __init__(self, n_bits: int = 8, n_tables: int = 8, random_state: RandomState = None) -> None:
        self.n_bits, self.n_tables, self.random_state = n_bits, n_tables, random_state

    def fit(self, X: ArrayLike, y: None = None) -> RandomHyperplaneLSH:
        """Draw the hyperplanes and fill the tables.

        Parameters
        ----------
        X : (n, d) array

        Raises
        ------
        TypeError, ValueError
            Bad data, a zero row, ``n_bits`` or ``n_tables`` < 1.
        """
        X = validate_data(self, X, dtype=float)
        shape = check_integer(self.n_tables, "n_tables"), check_integer(self.n_bits, "n_bits"), X.shape[1]
        self.hyperplanes_ = check_rng(self.random_state).normal(size=shape)
        self._buckets = Buckets(self._codes(X))
        return self

    def transform(self, X: ArrayLike) -> Bits:
        """Bits (n, n_tables n_bits), those of the first table first.

        Raises
        ------
        ValueError
            Another number of columns than in ``fit``, a value that is not finite, a zero row.
        """
        return hyperplane_bits(self._checked(X), self.hyperplanes_.reshape(-1, self.hyperplanes_.shape[2]))

    def candidates(self, Q: ArrayLike) -> list[IntArray]:
        """For each row of ``Q`` the fitted rows that share a bucket with it, in order; perhaps none.

        Raises
        ------
        ValueError
            As :meth:`transform`.
        """
        Q = self._checked(Q)
        return self._buckets.candidates(self._codes(Q))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # bits are integers
        return tags

    def _checked(self, X: ArrayLike) -> NDArray[Any]:
        check_is_fitted(self)
        return validate_data(self, X, dtype=float, reset=False)

    def _codes(self, X: NDArray[Any]) -> NDArray[np.uint8]:
        tables, bits, d = self.hyperplanes_.shape
        return hyperplane_bits(X, self.hyperplanes_.reshape(-1, d)).reshape(-1, tables, bits).swapaxes(0, 1)


class MinHashLSH(BaseEstimator):
    """Candidates for the sets of large Jaccard similarity to a query, from bands of a MinHash signature.

    The signature has ``n_bands * n_rows`` smallest numbers, :eq:`hashing-minhash`; sets that agree in all rows of a
    band fall into one bucket of it. A pair becomes a candidate with the probability :eq:`hashing-s-curve`.

    Parameters
    ----------
    n_bands : int
        More of them miss fewer similar sets.
    n_rows : int
        Rows of a band: more of them make fewer candidates.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    multipliers_, shifts_ : (n_bands n_rows,) arrays
        Of the hash functions that number the items.

    Notes
    -----
    A data set is a sequence of sets of integers, text or bytes, or a matrix whose rows indicate items: column j is the
    item j. Items are numbered by hash functions, a scrambled key of 32 bits times an odd number plus a shift, and not
    by permutations: no list of all items is needed, and two items get the same key with a probability of about 2e-10.
    Time O(items n_bands n_rows), memory O(n n_bands n_rows + characters). Sources: Broder (1997); Leskovec, Rajaraman
    and Ullman (2014), ch. 3.

    Examples
    --------
    >>> shelf = [{"a", "b", "c"}, {"x", "y"}, {"a", "b", "c", "d"}]
    >>> lsh = MinHashLSH(n_bands=20, n_rows=2, random_state=0).fit(shelf)
    >>> lsh.candidates([{"a", "b", "c"}])
    [array([0, 2])]
    """

    def __init__(self, n_bands: int = 20, n_rows: int = 5, random_state: RandomState = None) -> None:
        self.n_bands, self.n_rows, self.random_state = n_bands, n_rows, random_state

    def fit(self, X: Sets, y: None = None) -> MinHashLSH:
        """Draw the hash functions and fill a table for each band.

        Parameters
        ----------
        X : sequence of n sets, or (n, d) array of 0 and 1

        Raises
        ------
        TypeError, ValueError
            No sets, an empty set, an item that is neither integer nor text nor bytes, ``n_bands`` or ``n_rows`` < 1.
        """
        size = check_integer(self.n_bands, "n_bands") * check_integer(self.n_rows, "n_rows")
        rng = check_rng(self.random_state)
        self.multipliers_, self.shifts_ = rng.integers(2**32, size=(2, size), dtype=np.uint32)
        self.multipliers_ |= np.uint32(1)  # odd: the numbers of different keys differ
        self._buckets = Buckets(self._bands(X))
        return self

    def transform(self, X: Sets) -> IntArray:
        """Signatures (n, n_bands n_rows), those of the first band first; the share of equal entries estimates J.

        Raises
        ------
        TypeError, ValueError
            As :meth:`fit`.
        """
        check_is_fitted(self)
        keys, start = item_keys(X, "X")
        stop = np.append(start[1:], len(keys))
        signature = np.empty((len(self.shifts_), len(start)), dtype=np.uint32)
        step, first = CHUNK // len(self.shifts_), 0
        while first < len(start):  # sets whose items together fill a chunk, at least one
            last = max(first + 1, int(np.searchsorted(stop, start[first] + step, side="right")))
            numbers = keys[start[first] : stop[last - 1]] * self.multipliers_[:, None] + self.shifts_[:, None]
            signature[:, first:last] = np.minimum.reduceat(numbers, start[first:last] - start[first], axis=1)
            first = last
        return np.ascontiguousarray(signature.T.astype(np.int64))  # hashing-minhash

    def candidates(self, Q: Sets) -> list[IntArray]:
        """For each set of ``Q`` the fitted sets that share a bucket with it, in order; perhaps none.

        Raises
        ------
        TypeError, ValueError
            As :meth:`fit`.
        """
        check_is_fitted(self)
        return self._buckets.candidates(self._bands(Q))

    def _bands(self, X: Sets) -> IntArray:
        return self.transform(X).reshape(-1, self.n_bands, self.n_rows).swapaxes(0, 1)


def item_keys(X: Any, name: str) -> tuple[NDArray[np.uint32], IntArray]:
    """A key of 32 scrambled bits for each item, set after set, and where each set begins.

    Raises
    ------
    TypeError, ValueError
        As :meth:`MinHashLSH.fit`.
    """
    if not _are_sets(X):
        row, column = np.nonzero(indicator(X, name))
        return _scrambled(column.astype(np.uint64)), np.flatnonzero(np.diff(row, prepend=-1))
    size = np.fromiter(map(len, X), np.intp, len(X))
    if not len(size) or not size.all():
        which = f"none in set {int(size.argmin())}" if len(size) else "no set"
        raise ValueError(f"{name} must hold sets with items, got {which}: leave empty sets out.")
    items = list(chain.from_iterable(X))
    return _scrambled(_integers(items, name)), np.cumsum(size) - size


def _are_sets(X: Any) -> bool:
    return isinstance(X, Sequence) and all(isinstance(items, set | frozenset) for items in X)


def _integers(items: list[Any], name: str) -> NDArray[np.uint64]:
    """64 bits of each item, the same in every run; Python's own hash of text is not."""
    kinds = set(map(type, items))
    if kinds == {int}:
        numbers = np.array(items)
        if numbers.dtype.kind in "iu":  # whole numbers of more than 64 bits are objects
            return numbers.astype(np.uint64)
    if kinds == {str}:
        return _of_texts(items)
    for kind in kinds:
        if not issubclass(kind, Integral | str | bytes):
            wrong = next(item for item in items if type(item) is kind)
            raise TypeError(f"{name} must hold items that are integers, text or bytes, got {wrong!r}.")
    whole = np.array([isinstance(item, Integral) for item in items])
    numbers = np.empty(len(items), np.uint64)
    numbers[whole] = [int(item) % 2**64 for item in items if isinstance(item, Integral)]
    numbers[~whole] = _of_bytes([_as_bytes(item) for item in items if not isinstance(item, Integral)])
    return numbers


def _of_texts(texts: list[str]) -> NDArray[np.uint64]:
    joined = "".join(texts)
    if not joined.isascii():
        return _of_bytes([text.encode() for text in texts])
    return _sums(joined.encode(), _lengths(texts))


def _as_bytes(item: str | bytes) -> bytes:
    return item.encode() if isinstance(item, str) else item


def _of_bytes(parts: list[bytes]) -> NDArray[np.uint64]:
    return _sums(b"".join(parts), _lengths(parts))


def _lengths(parts: list[str] | list[bytes]) -> IntArray:
    return np.fromiter(map(len, parts), np.intp, len(parts))


def _sums(data: bytes, size: IntArray) -> NDArray[np.uint64]:
    """For each piece of the data its bytes and its length, each times a number of its place, summed modulo 2^64.

    Over random numbers of the places, which are fixed here, two different pieces of less than 256 bytes have equal sums
    with a probability of at most 2^-56.
    """
    place = _mixed(np.arange(size.max(initial=0) + 1, dtype=np.uint64))
    stop = size.cumsum()
    behind = np.repeat(stop, size)
    behind -= np.arange(len(data))  # 1 for the last byte of a piece
    terms = place[behind]
    terms *= np.frombuffer(data, np.uint8)
    sums = size.astype(np.uint64) * place[0]
    filled = size > 0
    sums[filled] += np.add.reduceat(terms, (stop - size)[filled])
    return sums


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The mixing of SplitMix64 (Steele, Lea and Flood 2014), one to one: neighbours become unrelated numbers."""
    z = numbers + STEP
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


def _scrambled(numbers: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """32 mixed bits of each number."""
    return (_mixed(numbers) >> HALF).astype(np.uint32)


def _keys(codes: NDArray[Any]) -> NDArray[np.uint64]:
    """64 mixed bits of each code (n_tables, n) from its entries (n_tables, n, width)."""
    if codes.dtype == np.uint8:
        codes = np.packbits(codes, axis=2)
    key = np.zeros(codes.shape[:2], dtype=np.uint64)
    for entry in np.moveaxis(codes, 2, 0):
        key = _mixed(key ^ entry.astype(np.uint64))
    return key
