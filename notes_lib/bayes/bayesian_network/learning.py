"""Tables of a network from complete data: counts by family, posterior means, and the likelihood of new rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.bayes.bayesian_network.graph import Parents
from notes_lib.checks import FloatArray, IntArray, check_numbers, check_real


def columns(X: Any, parents: Parents) -> dict[str, np.ndarray]:
    """One column for each variable, from an (n, d) array in the order of the graph or a mapping from names to columns.

    Raises
    ------
    ValueError
        If a variable has no column, columns are left over, there is no row, or the columns differ in length.
    """
    if isinstance(X, Mapping):
        if set(X) != set(parents):
            raise ValueError(f"X must have one column for each of {list(parents)}, got {list(X)}.")
        found = {name: np.asarray(X[name]) for name in parents}
    else:
        table = np.asarray(X)
        if table.ndim != 2 or table.shape[1] != len(parents):
            raise ValueError(f"X must have shape (n, {len(parents)}), one column a variable, got {table.shape}.")
        found = dict(zip(parents, table.T, strict=True))
    if len({column.shape for column in found.values()}) > 1 or next(iter(found.values())).ndim != 1:
        raise ValueError(f"the columns of X must be equally long, got { {n: c.shape for n, c in found.items()} }.")
    if not next(iter(found.values())).size:
        raise ValueError("X must hold at least one row.")
    return found


def observed_states(column: np.ndarray, name: str) -> list[Any]:
    """The different values of a column, sorted; ValueError if one is missing (NaN or None)."""
    values = list(dict.fromkeys(column.tolist()))
    if any(value is None or value != value for value in values):
        raise ValueError(f"column {name!r} has missing values (NaN or None): fit needs complete data.")
    return sorted(values)


def encode(column: np.ndarray, states: Sequence[Any], name: str) -> IntArray:
    """Numbers of the states of a column; ValueError for one that is unknown."""
    number = {state: k for k, state in enumerate(states)}
    try:
        return np.array([number[value] for value in column.tolist()])
    except KeyError as error:
        raise ValueError(f"column {name!r} holds {error.args[0]!r}, which is no state: {list(states)}.") from None


def family_counts(family: Sequence[IntArray], shape: Sequence[int]) -> IntArray:
    """How often each combination of states of the parents and the variable occurs; :eq:`bayesian-network-counts`.

    Parameters
    ----------
    family : sequence of (n,) arrays
        Numbers of the states: the parents in their order, then the variable.
    shape : sequence of int
        Their numbers of states.

    Returns
    -------
    Array of that shape; its sum is n.

    Notes
    -----
    O(n) time for each variable of the family.

    Examples
    --------
    >>> family_counts([np.array([0, 0, 1]), np.array([1, 1, 0])], (2, 2))
    array([[0, 2],
           [1, 0]])
    """
    cells = np.ravel_multi_index(tuple(family), tuple(shape))
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)


def learn_table(counts: ArrayLike, alpha: ArrayLike = 0.0, name: str = "the variable") -> FloatArray:
    """Conditional probabilities from counts: :eq:`bayesian-network-mle`, or :eq:`bayesian-network-posterior-mean`.

    Parameters
    ----------
    counts : array
        The last axis belongs to the variable, the others to its parents.
    alpha : float or array
        Parameters of the Dirichlet priors, added to the counts; 0 for maximum likelihood.
    name : str
        What to call the variable in an error message.

    Raises
    ------
    ValueError
        If ``alpha`` is negative, or a combination of states of the parents has neither data nor prior.

    Examples
    --------
    >>> learn_table([[0, 2], [1, 3]]), learn_table([[0, 2], [1, 3]], alpha=1.0)[0]
    (array([[0.  , 1.  ],
           [0.25, 0.75]]), array([0.25, 0.75]))
    """
    prior = check_numbers(alpha, "alpha")
    check_real(float(prior.min()), "alpha")
    counted = np.asarray(counts)
    if prior.ndim and prior.shape != counted.shape:
        raise ValueError(f"alpha of {name!r} must have the shape {counted.shape} of its counts, got {prior.shape}.")
    total = counted + prior
    sums = total.sum(axis=-1, keepdims=True)
    empty = np.argwhere(sums[..., 0] == 0)
    if len(empty):
        raise ValueError(
            f"no row of X has the parents of {name!r} in the states number {tuple(empty[0].tolist())}: "
            "maximum likelihood says nothing there, take alpha > 0."
        )
    return total / sums
