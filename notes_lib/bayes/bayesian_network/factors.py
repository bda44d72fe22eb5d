"""Tables over a few variables, and two ways to sum a product of them: all at once, or one variable after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import log, prod
from typing import NamedTuple

from notes_lib.checks import FloatArray

LARGEST = 2**25  # entries of a table: 256 megabytes


class Factor(NamedTuple):
    """A table of non-negative ``values`` with one axis for each of its ``variables``."""

    variables: tuple[str, ...]
    values: FloatArray


class Elimination(NamedTuple):
    """A sum over all variables but some, with what it cost.

    Attributes
    ----------
    factor : Factor
        The sum, divided by the exponential of ``log_scale``.
    log_scale : float
        Logarithm of what was divided out on the way, so that nothing underflows.
    multiplications, additions : int
        Operations on entries of tables.
    largest : int
        Entries of the largest table.
    """

    factor: Factor
    log_scale: float
    multiplications: int
    additions: int
    largest: int


def restrict(factor: Factor, evidence: Mapping[str, int]) -> Factor:
    """Keep the entries that agree with the evidence (numbers of states), and drop its axes.

    Examples
    --------
    >>> import numpy as np
    >>> restrict(Factor(("a", "b"), np.array([[1.0, 2.0], [3.0, 4.0]])), {"a": 1})
    Factor(variables=('b',), values=array([3., 4.]))
    """
    index = tuple(evidence.get(name, slice(None)) for name in factor.variables)
    return Factor(tuple(name for name in factor.variables if name not in evidence), factor.values[index])


def arrange(factor: Factor, variables: Sequence[str]) -> FloatArray:
    """The values with their axes in the order of ``variables``, of length 1 where the factor has no such axis."""
    kept = [name for name in variables if name in factor.variables]
    values = factor.values.transpose([factor.variables.index(name) for name in kept])
    lengths = iter(values.shape)
    return values.reshape([next(lengths) if name in factor.variables else 1 for name in variables])


def joint_sizes(factors: Iterable[Factor]) -> dict[str, int]:
    """All variables of the factors with their numbers of states, in the order of first appearance."""
    return {name: n for f in factors for name, n in zip(f.variables, f.values.shape, strict=True)}


def multiply(factors: Sequence[Factor]) -> Factor:
    """Product of at least one factor, a table over all of their variables. O(factors times entries).

    Raises
    ------
    ValueError
        If the table would have more than 2**25 entries.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = Factor(("a",), np.array([1.0, 2.0])), Factor(("b",), np.array([3.0, 4.0]))
    >>> multiply([a, b]).values
    array([[3., 4.],
           [6., 8.]])
    """
    sizes = joint_sizes(factors)
    if prod(sizes.values()) > LARGEST:
        raise ValueError(
            f"a table over {len(sizes)} variables has {prod(sizes.values())} entries, more than {LARGEST}: use "
            "method='elimination' or another order, or sample with gibbs."
        )
    values = arrange(factors[0], list(sizes))
    for factor in factors[1:]:
        values = values * arrange(factor, list(sizes))
    return Factor(tuple(sizes), values)


def sum_out(factor: Factor, variable: str) -> Factor:
    """Sum over the states of one variable; :eq:`bayesian-network-message`.

    Examples
    --------
    >>> import numpy as np
    >>> sum_out(Factor(("a", "b"), np.array([[1.0, 2.0], [3.0, 4.0]])), "a")
    Factor(variables=('b',), values=array([4., 6.]))
    """
    kept = tuple(name for name in factor.variables if name != variable)
    return Factor(kept, factor.values.sum(axis=factor.variables.index(variable)))


def eliminate(factors: Sequence[Factor], order: Iterable[str]) -> Elimination:
    """Sum a product of factors over the variables of ``order``, one after the other.

    Implements :eq:`bayesian-network-message`: only the factors that hold a variable are multiplied before it is summed.

    Raises
    ------
    ValueError
        If no factor holds a variable of ``order``, or a table gets too large.

    Notes
    -----
    Time and memory grow with the largest table on the way, which depends on the order.

    Source: N. L. Zhang and D. Poole (1994); R. Dechter (1999), Artificial Intelligence 113.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = Factor(("a",), np.array([1.0, 2.0])), Factor(("a", "b"), np.array([[3.0, 4.0], [5.0, 6.0]]))
    >>> result = eliminate([a, b], ["a"])
    >>> result.factor.values * np.exp(result.log_scale)
    array([13., 16.])
    """
    pool = list(factors)
    log_scale, multiplications, additions, largest = 0.0, 0, 0, 1
    for variable in order:
        near = [f for f in pool if variable in f.variables]
        if not near:
            raise ValueError(f"order names {variable!r}, which no factor holds (any more).")
        pool = [f for f in pool if variable not in f.variables]
        table = multiply(near)
        message = sum_out(table, variable)
        multiplications += (len(near) - 1) * table.values.size
        additions += table.values.size - message.values.size
        largest = max(largest, table.values.size)
        top = float(message.values.max())
        if top > 0:  # a table of zeros stays one: the evidence is impossible
            message, log_scale = message._replace(values=message.values / top), log_scale + log(top)
        pool.append(message)
    rest = multiply(pool)
    multiplications += (len(pool) - 1) * rest.values.size
    return Elimination(rest, log_scale, multiplications, additions, max(largest, rest.values.size))


def enumerate_all(factors: Sequence[Factor], keep: Sequence[str]) -> Elimination:
    """The same sum from the table of the whole product; :eq:`bayesian-network-query`. Exponential in the variables.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = Factor(("a",), np.array([1.0, 2.0])), Factor(("a", "b"), np.array([[3.0, 4.0], [5.0, 6.0]]))
    >>> enumerate_all([a, b], ["b"]).factor.values
    array([13., 16.])
    """
    table = multiply(factors)
    hidden = tuple(i for i, name in enumerate(table.variables) if name not in keep)
    values = table.values.sum(axis=hidden)
    left = tuple(name for name in table.variables if name in keep)
    size = table.values.size
    return Elimination(Factor(left, values), 0.0, (len(factors) - 1) * size, size - values.size, size)


def greedy_order(factors: Sequence[Factor], keep: Iterable[str] = ()) -> list[str]:
    """An order of elimination: next comes the variable whose elimination makes the smallest table.

    A heuristic (*min-weight*): to find the best order is NP-hard. Ties go to the variable that stands first.

    Examples
    --------
    >>> import numpy as np
    >>> chain = [Factor(pair, np.ones((2, 2))) for pair in [("a", "b"), ("b", "c"), ("c", "d")]]
    >>> greedy_order(chain, keep=["a"])
    ['d', 'c', 'b']
    """
    sizes, done = joint_sizes(factors), set(keep)
    near: dict[str, set[str]] = {name: set() for name in sizes}
    for factor in factors:
        for name in factor.variables:
            near[name] |= set(factor.variables)
    place = {name: i for i, name in enumerate(sizes)}

    def entry(name: str) -> tuple[int, int, str]:
        return prod(sizes[other] for other in near[name]), place[name], name

    heap, order = [entry(name) for name in sizes if name not in done], []
    heapify(heap)
    while heap:
        candidate = heappop(heap)
        name = candidate[2]
        if name in done or candidate != entry(name):  # an entry from before its neighbours changed
            continue
        order.append(name)
        done.add(name)
        for other in near[name] - {name}:
            near[other] = (near[other] | near[name]) - {name}
            if other not in done:
                heappush(heap, entry(other))
    return order
