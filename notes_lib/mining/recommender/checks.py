"""What counts as ratings: a matrix with gaps, or three vectors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from notes_lib.checks import FloatArray, IntArray, check_vector


class Ratings(NamedTuple):
    """Ratings with the names of users and items, and for each rating the number of both.

    Attributes
    ----------
    user_ids, item_ids : (n_users,), (n_items,) arrays
        In ascending order.
    user, item : (n,) arrays of int
        Places of the names.
    value : (n,) array
    """

    user_ids: NDArray[Any]
    item_ids: NDArray[Any]
    user: IntArray
    item: IntArray
    value: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of users and of items."""
        return len(self.user_ids), len(self.item_ids)

    def sparse(self, values: ArrayLike) -> csr_array:
        """Values, one for each rating, in a sparse matrix with a row for each user."""
        return csr_array((np.asarray(values, dtype=float), (self.user, self.item)), shape=self.shape)

    def dense(self) -> FloatArray:
        """The matrix with NaN where there is no rating."""
        R = np.full(self.shape, np.nan)
        R[self.user, self.item] = self.value
        return R


def read_ratings(users: ArrayLike, items: ArrayLike | None = None, ratings: ArrayLike | None = None) -> Ratings:
    """Ratings from a matrix with NaN for the gaps, or from three vectors.

    Parameters
    ----------
    users : (n_users, n_items) array, or (n,) array of integers or text
        All ratings, or who gave them. The users and items of a matrix are numbered from 0.
    items : (n,) array of integers or text, optional
    ratings : (n,) array, optional

    Raises
    ------
    TypeError
        If a name is neither an integer nor text, or only two of the three vectors are given.
    ValueError
        If there are fewer than two ratings, one is infinite, the lengths differ, or a user rates an item twice.

    Notes
    -----
    O(n log n); a matrix takes O(n_users n_items).

    Examples
    --------
    >>> read_ratings(["ann", "bob", "ann"], [7, 7, 9], [4, 2, 5]).dense()
    array([[ 4.,  5.],
           [ 2., nan]])
    """
    if items is None and ratings is None:
        R = np.asarray(users, dtype=float)
        if R.ndim != 2:
            raise ValueError(f"R must be a matrix with a row for each user, got shape {R.shape}.")
        user, item = np.nonzero(~np.isnan(R))
        found = Ratings(np.arange(R.shape[0]), np.arange(R.shape[1]), user, item, R[user, item])
    elif items is None or ratings is None:
        raise TypeError("give a matrix R with NaN for the gaps, or all of users, items and ratings.")
    else:
        value = check_vector(ratings, "ratings")
        user_ids, user = _coded(_names(users, "users", len(value)))
        item_ids, item = _coded(_names(items, "items", len(value)))
        found = Ratings(user_ids, item_ids, user, item, value.copy())
    if len(found.value) < 2:
        raise ValueError(f"at least two ratings are needed, got {len(found.value)}: nothing can be compared.")
    if not np.isfinite(found.value).all():
        raise ValueError("ratings must be finite: write NaN for a gap, and no infinity.")
    _no_pair_twice(found)
    return found


def places(values: ArrayLike, ids: NDArray[Any], name: str) -> IntArray:
    """Numbers of users or items by their names, in the shape of ``values``.

    Raises
    ------
    TypeError
        If a name is neither an integer nor text.
    ValueError
        If a name was not among the ratings of ``fit``.
    """
    wanted = _names(values, name)
    if ids.dtype.kind in "iu" and ids[0] == 0 and ids[-1] == len(ids) - 1:  # the names are the places
        known = (wanted >= 0) & (wanted < len(ids)) if wanted.dtype.kind in "iu" else np.zeros(wanted.shape, bool)
        place = wanted
    else:
        known, place = np.isin(wanted, ids), np.searchsorted(ids, wanted)
    if not known.all():
        raise ValueError(
            f"{name} holds {wanted[~known].ravel()[0]!s}, which fit has not seen: fit again with the first ratings, "
            "or recommend what is popular."
        )
    return place


def _coded(names: NDArray[Any]) -> tuple[NDArray[Any], IntArray]:
    """Different names in ascending order, and the place of each; small whole numbers are counted and not sorted."""
    if names.dtype.kind in "iu" and len(names) and names.min() >= 0 and names.max() < 10 * len(names):
        used = np.bincount(names) > 0
        return np.flatnonzero(used), (np.cumsum(used) - 1)[names]
    return np.unique(names, return_inverse=True)


def _names(values: ArrayLike, name: str, size: int | None = None) -> NDArray[Any]:
    ids = np.asarray(values)
    if ids.dtype.kind == "O":
        ids = np.asarray(ids.tolist())
    if ids.dtype.kind not in "iuU":
        raise TypeError(f"{name} must be integers or text, got dtype {ids.dtype}.")
    if size is not None and ids.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), as ratings, got {ids.shape}.")
    return ids


def _no_pair_twice(found: Ratings) -> None:
    pair = np.sort(found.user.astype(np.int64) * found.shape[1] + found.item)
    twice = pair[1:][np.diff(pair) == 0]
    if twice.size:
        u, i = divmod(int(twice[0]), found.shape[1])
        raise ValueError(
            f"user {found.user_ids[u]} rates item {found.item_ids[i]} more than once: keep the last rating or the mean."
        )
