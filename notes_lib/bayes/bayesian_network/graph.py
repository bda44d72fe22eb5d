"""Directed acyclic graphs: ancestors, d-separation, Markov blankets, equivalence, and the number of parameters.

A graph is a mapping from each variable to the sequence of its parents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from math import prod

from notes_lib.checks import check_integer

Parents = Mapping[str, Sequence[str]]
Names = str | Iterable[str]


def check_graph(parents: Parents) -> dict[str, tuple[str, ...]]:
    """Return the graph with its parents as tuples, in the order given.

    Raises
    ------
    TypeError
        If it is no mapping from names to sequences of names.
    ValueError
        If it is empty, a parent is unknown or stands twice, or the arrows form a cycle (which is named).

    Examples
    --------
    >>> check_graph({"rain": [], "wet": ["rain"]})
    {'rain': (), 'wet': ('rain',)}
    """
    if not isinstance(parents, Mapping):
        raise TypeError(f"parents must map each variable to its parents, got {type(parents).__name__}.")
    if not parents:
        raise ValueError("parents must hold at least one variable.")
    graph = {}
    for node, above in parents.items():
        if not isinstance(node, str) or isinstance(above, str) or not isinstance(above, Sequence):
            raise TypeError(f"parents must map names to lists of names, got {node!r}: {above!r}.")
        for parent in above:
            if parent not in parents:
                raise ValueError(f"{node!r} has the parent {parent!r}, which is no variable: add it to parents.")
        if len(set(above)) < len(above):
            raise ValueError(f"the parents of {node!r} must be different, got {list(above)}.")
        graph[node] = tuple(above)
    topological_order(graph)
    return graph


def check_names(names: Names, argument: str, parents: Parents) -> list[str]:
    """Return one or several variables as a list; ValueError for an unknown or repeated one."""
    listed = [names] if isinstance(names, str) else list(names)
    for name in listed:
        if name not in parents:
            raise ValueError(f"{argument} names {name!r}, which is no variable of the network: {list(parents)}.")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{argument} must name each variable once, got {listed}.")
    return listed


def topological_order(parents: Parents) -> list[str]:
    """All variables, each behind its parents. O(nodes + arrows).

    Raises
    ------
    ValueError
        If the arrows form a cycle; it is named.

    Examples
    --------
    >>> topological_order({"wet": ["rain"], "rain": []})
    ['rain', 'wet']
    """
    try:
        return list(TopologicalSorter(parents).static_order())
    except CycleError as error:
        cycle = " -> ".join(error.args[1])
        raise ValueError(f"the graph must have no cycle, got {cycle}: remove or turn an arrow.") from None


def children(parents: Parents) -> dict[str, list[str]]:
    """For each variable those that it is a parent of. O(nodes + arrows)."""
    below: dict[str, list[str]] = {node: [] for node in parents}
    for node, above in parents.items():
        for parent in above:
            below[parent].append(node)
    return below


def ancestors(parents: Parents, nodes: Names) -> set[str]:
    """The nodes themselves, their parents, the parents of those, and so on. O(nodes + arrows).

    Examples
    --------
    >>> sorted(ancestors({"a": [], "b": ["a"], "c": ["b"], "d": []}, "c"))
    ['a', 'b', 'c']
    """
    found: set[str] = set()
    todo = check_names(nodes, "nodes", parents)
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += parents[node]
    return found


def markov_blanket(parents: Parents, node: str) -> set[str]:
    """Parents, children, and the other parents of the children; :eq:`bayesian-network-blanket`.

    Given them, ``node`` is independent of all other variables.

    Examples
    --------
    >>> sorted(markov_blanket({"a": [], "b": [], "c": ["a", "b"], "d": ["c"]}, "a"))
    ['b', 'c']
    """
    check_names([node], "node", parents)
    below = children(parents)[node]
    family = set(parents[node]) | set(below)
    return family.union(*(parents[child] for child in below)) - {node}


def reachable(parents: Parents, source: str, given: Names = ()) -> set[str]:
    """Variables that an open path joins to ``source`` when ``given`` is observed, without those of ``given``.

    The Bayes ball, as the chapter's algorithm box has it: a ball that comes up from a child goes on in
    every direction, unless the node is observed; one that comes down from a parent falls to the children of an
    unobserved node, and bounces back to the parents of a node that is observed or has an observed descendant.

    Notes
    -----
    O(nodes + arrows) time: each node is visited at most twice.

    Source: R. D. Shachter (1998), *Bayes-ball*; D. Koller and N. Friedman (2009), algorithm 3.1.

    Examples
    --------
    >>> collider = {"a": [], "b": [], "c": ["a", "b"]}
    >>> sorted(reachable(collider, "a")), sorted(reachable(collider, "a", "c"))
    (['a', 'c'], ['a', 'b'])
    """
    observed = set(check_names(given, "given", parents))
    opened, below = ancestors(parents, observed), children(parents)
    visited: set[tuple[str, str]] = set()
    todo = [(node, "up") for node in check_names([source], "source", parents)]
    while todo:
        node, way = todo.pop()
        if (node, way) in visited:
            continue
        visited.add((node, way))
        down = [(child, "down") for child in below[node]] if node not in observed else []
        if way == "up" and node not in observed:
            todo += down + [(parent, "up") for parent in parents[node]]
        elif way == "down":
            todo += down + ([(parent, "up") for parent in parents[node]] if node in opened else [])
    return {node for node, _ in visited} - observed


def d_separated(parents: Parents, x: Names, y: Names, given: Names = ()) -> bool:
    """Whether every path between a variable of ``x`` and one of ``y`` is blocked by ``given``.

    Then the two are independent given the third in every distribution that factorises by the graph.

    Raises
    ------
    ValueError
        If a variable is unknown, or stands in two of the three sets.

    Examples
    --------
    >>> collider = {"a": [], "b": [], "c": ["a", "b"]}
    >>> d_separated(collider, "a", "b"), d_separated(collider, "a", "b", "c")
    (True, False)
    """
    sets = [set(check_names(names, which, parents)) for names, which in [(x, "x"), (y, "y"), (given, "given")]]
    for first, second in combinations(sets, 2):
        if first & second:
            raise ValueError(f"x, y and given must have no variable in common, got {sorted(first & second)} twice.")
    return not any(sets[1] & reachable(parents, source, sets[2]) for source in sets[0])


def skeleton(parents: Parents) -> set[frozenset[str]]:
    """The arrows without their directions."""
    return {frozenset((node, parent)) for node, above in parents.items() for parent in above}


def immoralities(parents: Parents) -> set[tuple[str, frozenset[str]]]:
    """Pairs of parents without an arrow between them, each with the child: ``(child, {parent, parent})``.

    Examples
    --------
    >>> immoralities({"a": [], "b": ["a"], "c": ["a", "b"]})
    set()
    """
    married = skeleton(parents)
    pairs = ((node, frozenset(pair)) for node, above in parents.items() for pair in combinations(above, 2))
    return {(node, pair) for node, pair in pairs if pair not in married}


def markov_equivalent(parents: Parents, other: Parents) -> bool:
    """Whether two graphs state the same independences: same skeleton, same immoralities.

    Source: T. Verma and J. Pearl (1990).

    Examples
    --------
    >>> markov_equivalent({"a": [], "b": ["a"]}, {"a": ["b"], "b": []})
    True
    """
    one, two = check_graph(parents), check_graph(other)
    return one.keys() == two.keys() and skeleton(one) == skeleton(two) and immoralities(one) == immoralities(two)


def count_parameters(parents: Parents, n_states: Mapping[str, int]) -> int:
    """Free numbers in all tables; :eq:`bayesian-network-parameters`.

    Raises
    ------
    TypeError, ValueError
        If a variable has no number of states, or one below 1.

    Examples
    --------
    >>> count_parameters({"a": [], "b": [], "c": ["a", "b"]}, {"a": 2, "b": 3, "c": 4})
    21
    """
    graph = check_graph(parents)
    for node in graph:
        check_integer(n_states.get(node), f"n_states[{node!r}]")
    return sum((n_states[node] - 1) * prod(n_states[p] for p in above) for node, above in graph.items())
