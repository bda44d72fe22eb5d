"""Rules and what they are worth; closed and maximal itemsets; numbers of itemsets and rules; chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import check_binary, check_choice, check_integer, check_number, check_real
from notes_lib.mining.apriori.baskets import ROUNDING, Itemset, in_order
from notes_lib.numerics import RandomState, check_rng

METRICS = ("support", "confidence", "lift", "leverage", "conviction")


class Measures(NamedTuple):
    """What a rule is worth."""

    support: float
    confidence: float
    lift: float
    leverage: float
    conviction: float


class Rule(NamedTuple):
    """A rule *antecedent -> consequent*, two disjoint itemsets, and what it is worth."""

    antecedent: Itemset
    consequent: Itemset
    support: float
    confidence: float
    lift: float
    leverage: float
    conviction: float


def rule_measures(both: float, antecedent: float, consequent: float) -> Measures:
    """Measures of a rule from the supports of both sides together and of each side.

    Implements :eq:`apriori-confidence`, :eq:`apriori-lift`, :eq:`apriori-leverage` and :eq:`apriori-conviction`.

    Parameters
    ----------
    both, antecedent, consequent : float
        Shares of the baskets, above 0 and at most 1.

    Raises
    ------
    TypeError, ValueError
        If a share is no number above 0 and at most 1, or ``both`` is above another one or below their sum minus 1.

    Notes
    -----
    The conviction of a rule without exceptions is infinite, also where the consequent is in all baskets.

    Examples
    --------
    >>> rule_measures(0.25, 0.5, 0.25)
    Measures(support=0.25, confidence=0.5, lift=2.0, leverage=0.125, conviction=1.5)
    """
    for name, share in (("both", both), ("antecedent", antecedent), ("consequent", consequent)):
        if not 0 < check_real(share, name) <= 1:
            raise ValueError(f"{name} must be above 0 and at most 1, got {share}: give a share of the baskets.")
    if not antecedent + consequent - 1 <= both * (1 + ROUNDING) or both > min(antecedent, consequent) * (1 + ROUNDING):
        raise ValueError(
            f"both must lie between {antecedent + consequent - 1:g} and {min(antecedent, consequent):g}, got {both}."
        )
    return _measures(both, antecedent, consequent)


def _measures(both: float, antecedent: float, consequent: float) -> Measures:
    confidence = both / antecedent  # apriori-confidence
    sure = confidence >= 1
    return Measures(
        both,
        confidence,
        both / (antecedent * consequent),  # apriori-lift
        both - antecedent * consequent,  # apriori-leverage
        np.inf if sure else (1 - consequent) / (1 - confidence),  # apriori-conviction
    )


def association_rules(
    itemsets: Mapping[Itemset, float], metric: str = "confidence", min_threshold: float = 0.8
) -> list[Rule]:
    """All rules from frequent itemsets that reach a threshold.

    Parameters
    ----------
    itemsets : dict
        Support of each frequent itemset *and of each of its subsets*, as :func:`apriori` returns it.
    metric : 'support', 'confidence', 'lift', 'leverage' or 'conviction'
    min_threshold : float
        Least value of the metric. A value that falls short by a rounding error only is taken.

    Returns
    -------
    list of Rule
        ``antecedent``, ``consequent``, ``support``, ``confidence``, ``lift``, ``leverage``, ``conviction``; in the
        order of the itemsets, then by the size of the antecedent.

    Raises
    ------
    TypeError, ValueError
        If the metric is unknown, ``min_threshold`` is not finite or, for a support or a confidence, lies outside
        [0, 1]; if an itemset is no frozenset, has no support above 0 and at most 1, or a subset of it is missing.

    Notes
    -----
    An itemset of k items makes ``2**k - 2`` rules. For ``metric="confidence"`` a consequent is only enlarged while its
    rules hold, :eq:`apriori-confidence-closure`. Source: Agrawal and Srikant (1994), section 3.

    Examples
    --------
    >>> from notes_lib.mining.apriori import apriori
    >>> found = apriori([{"tea", "milk"}, {"tea", "milk"}, {"milk"}, {"jam"}], min_support=0.5)
    >>> for rule in association_rules(found, min_threshold=0.6):
    ...     print(*rule.antecedent, "->", *rule.consequent, round(rule.confidence, 2), round(rule.lift, 2))
    milk -> tea 0.67 1.33
    tea -> milk 1.0 1.33
    """
    check_choice(metric, "metric", METRICS)
    least = check_number(min_threshold, "min_threshold")
    if metric in ("support", "confidence") and not 0 <= least <= 1:
        raise ValueError(f"min_threshold must lie between 0 and 1 for the {metric}, got {min_threshold}.")
    for itemset, support in itemsets.items():
        if not isinstance(itemset, frozenset):
            raise TypeError(f"itemsets must be frozensets, got {itemset!r}: take what apriori returns.")
        if not 0 < check_real(support, "support of an itemset") <= 1:
            raise ValueError(f"itemsets must have supports above 0 and at most 1, got {support}: give shares.")
    least -= ROUNDING * abs(least)
    return [rule for itemset in itemsets if len(itemset) > 1 for rule in _rules(itemset, itemsets, metric, least)]


def _rules(itemset: Itemset, supports: Mapping[Itemset, float], metric: str, least: float) -> Iterator[Rule]:
    """Rules of one itemset that reach the threshold, small antecedents first."""
    both, kept = supports[itemset], []
    members = in_order(itemset)
    weak: set[Itemset] = set()  # antecedents with too little confidence: their subsets have no more
    for size in range(len(members) - 1, 0, -1):
        for side in combinations(members, size):
            antecedent = frozenset(side)
            if any(antecedent | {item} in weak for item in members if item not in antecedent):
                weak.add(antecedent)  # apriori-confidence-closure
                continue
            consequent = itemset - antecedent
            try:
                measures = _measures(both, supports[antecedent], supports[consequent])
            except KeyError as missing:
                raise ValueError(
                    f"itemsets must hold all subsets of {set(itemset)}, without {set(missing.args[0])}: closed or "
                    "maximal itemsets alone do not give the supports of a rule."
                ) from None
            if getattr(measures, metric) >= least:
                kept.append(Rule(antecedent, consequent, *measures))
            elif metric == "confidence":
                weak.add(antecedent)
    return iter(sorted(kept, key=lambda rule: len(rule.antecedent)))


def closed_itemsets(itemsets: Mapping[Itemset, float]) -> dict[Itemset, float]:
    """Itemsets to which no item can be added without losing support; :eq:`apriori-closed`.

    Parameters
    ----------
    itemsets : dict
        Supports of all frequent itemsets, as :func:`apriori` returns them.

    Returns
    -------
    dict
        The closed ones, in the same order. With them all supports are known: that of an itemset is the largest of a
        closed itemset that contains it.

    Notes
    -----
    O(k) for each itemset of k items.

    Examples
    --------
    >>> closed_itemsets({frozenset({1}): 0.5, frozenset({2}): 0.8, frozenset({1, 2}): 0.5})
    {frozenset({2}): 0.8, frozenset({1, 2}): 0.5}
    """
    equal = {small for small, large in _steps(itemsets) if itemsets[small] <= itemsets[large]}
    return {itemset: support for itemset, support in itemsets.items() if itemset not in equal}


def maximal_itemsets(itemsets: Mapping[Itemset, float]) -> dict[Itemset, float]:
    """Itemsets to which no item can be added without leaving the frequent ones.

    Parameters
    ----------
    itemsets : dict
        Supports of all frequent itemsets, as :func:`apriori` returns them.

    Returns
    -------
    dict
        The maximal ones, in the same order. With them all frequent itemsets are known, but not their supports.

    Examples
    --------
    >>> maximal_itemsets({frozenset({1}): 0.5, frozenset({2}): 0.8, frozenset({1, 2}): 0.3})
    {frozenset({1, 2}): 0.3}
    """
    larger = {small for small, _ in _steps(itemsets)}
    return {itemset: support for itemset, support in itemsets.items() if itemset not in larger}


def _steps(itemsets: Mapping[Itemset, float]) -> Iterator[tuple[Itemset, Itemset]]:
    """Each itemset with one item less, and the itemset."""
    pairs = ((large - {item}, large) for large in itemsets for item in large)
    return ((small, large) for small, large in pairs if small in itemsets)


def number_of_rules(n_items: int) -> int:
    """Rules that can be written with so many items: ``3**d - 2**(d + 1) + 1``; :eq:`apriori-number-of-rules`.

    Raises
    ------
    TypeError, ValueError
        If ``n_items`` is no integer of at least 0.

    Examples
    --------
    >>> [number_of_rules(d) for d in range(7)]
    [0, 0, 2, 12, 50, 180, 602]
    """
    d = check_integer(n_items, "n_items", 0)
    return 3**d - 2 ** (d + 1) + 1


def chance_deviation(antecedent: float, consequent: float, n_transactions: int) -> float:
    """Standard deviation of the leverage if the baskets of both sides were paired at random; :eq:`apriori-chance`.

    Parameters
    ----------
    antecedent, consequent : float
        Supports of both sides, from 0 to 1.
    n_transactions : int
        At least 2.

    Raises
    ------
    TypeError, ValueError
        If a support is no number from 0 to 1, or there are fewer than two baskets.

    Notes
    -----
    The number of common baskets is hypergeometric.

    Examples
    --------
    >>> round(chance_deviation(0.5, 0.2, 101), 4)
    0.02
    """
    n = check_integer(n_transactions, "n_transactions", 2)
    for name, share in (("antecedent", antecedent), ("consequent", consequent)):
        if not check_real(share, name) <= 1:
            raise ValueError(f"{name} must be at most 1, got {share}: give a share of the baskets.")
    return float(np.sqrt(antecedent * (1 - antecedent) * consequent * (1 - consequent) / (n - 1)))


def permuted_columns(A: ArrayLike, random_state: RandomState = None) -> NDArray[np.bool_]:
    """The same items with the same supports, handed to baskets at random: each column in a random order of its own.

    Parameters
    ----------
    A : (N, d) array of 0 and 1
        Which items each basket has, see :func:`indicator_matrix`.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    (N, d) array of bool

    Raises
    ------
    TypeError, ValueError
        If ``A`` is no matrix, or an entry is neither 0 nor 1.

    Examples
    --------
    >>> permuted_columns([[1, 1], [0, 1], [0, 0]], 0).sum(axis=0)
    array([1, 2])
    """
    A = check_binary(A, "A").astype(bool)
    return check_rng(random_state).permuted(A, axis=0)
