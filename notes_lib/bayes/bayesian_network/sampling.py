"""Samples from a network: from the roots down, and by Gibbs sampling given evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from notes_lib.bayes.bayesian_network.factors import Factor, arrange, multiply
from notes_lib.checks import FloatArray, IntArray

TRIES = 200  # rounds of forward sampling in search of a possible start


class GibbsEstimate(NamedTuple):
    """Estimated ``probabilities`` (K,) and their ``standard_errors`` (K,), from the means of independent chains."""

    probabilities: FloatArray
    standard_errors: FloatArray


def draw_states(table: FloatArray, family: Sequence[IntArray], rng: np.random.Generator) -> IntArray:
    """One state for each row: ``table`` has the axes of ``family`` (states of n rows), then those to draw from."""
    cumulative = table[tuple(family)].cumsum(axis=-1)
    u = rng.random((cumulative.shape[0], 1)) * cumulative[:, -1:]
    return (u >= cumulative).sum(axis=1)


def forward_sample(
    factors: Mapping[str, Factor], n: int, rng: np.random.Generator, evidence: Mapping[str, int] | None = None
) -> dict[str, IntArray]:
    """Draw n rows, each variable given its parents; variables of ``evidence`` are set, not drawn.

    Parameters
    ----------
    factors : mapping
        The table of each variable, with axes for the parents and then for itself; parents come first.
    n : int
        Number of rows.
    rng : numpy.random.Generator
        Source of randomness.
    evidence : mapping, optional
        Numbers of states. With evidence the rows follow no distribution of interest: they only start a chain.
    """
    rows: dict[str, IntArray] = {}
    for name, factor in factors.items():
        if evidence and name in evidence:
            rows[name] = np.full(n, evidence[name])
        elif factor.variables[:-1]:
            rows[name] = draw_states(factor.values, [rows[p] for p in factor.variables[:-1]], rng)
        else:
            rows[name] = draw_states(factor.values[None], [np.zeros(n, dtype=int)], rng)
    return rows


def possible_start(
    factors: Mapping[str, Factor], n: int, rng: np.random.Generator, evidence: Mapping[str, int]
) -> dict[str, IntArray]:
    """N rows of positive probability that agree with the evidence, found by trial.

    Raises
    ------
    ValueError
        If there are not n of them after 200 rounds: the evidence is too improbable to be met by chance.
    """
    found: dict[str, list[IntArray]] = {name: [] for name in factors}
    missing = n
    for _ in range(TRIES):
        rows = forward_sample(factors, n, rng, evidence)
        values = [f.values[tuple(rows[name] for name in f.variables)] for f in factors.values()]
        good = np.flatnonzero((np.array(values) > 0).all(axis=0))[:missing]
        for name, column in rows.items():
            found[name].append(column[good])
        missing -= len(good)
        if not missing:
            return {name: np.concatenate(parts) for name, parts in found.items()}
    raise ValueError("gibbs found no start of positive probability: the evidence is (nearly) impossible, use query.")


def full_conditional(factors: Sequence[Factor], variable: str) -> Factor:
    """Distribution of a variable given all others, a table over its Markov blanket; :eq:`bayesian-network-blanket`.

    The axis of ``variable`` comes last. Rows of blankets that cannot occur are zero.

    Examples
    --------
    >>> a, b = Factor(("a",), np.array([0.5, 0.5])), Factor(("a", "b"), np.array([[0.8, 0.2], [0.4, 0.6]]))
    >>> full_conditional([a, b], "a").values
    array([[0.66666667, 0.33333333],
           [0.25      , 0.75      ]])
    """
    product = multiply([f for f in factors if variable in f.variables])
    order = (*(name for name in product.variables if name != variable), variable)
    values = arrange(product, order)
    total = values.sum(axis=-1, keepdims=True)
    return Factor(order, np.divide(values, total, out=np.zeros_like(values), where=total > 0))


def gibbs_sweep(rows: dict[str, IntArray], conditionals: Sequence[Factor], rng: np.random.Generator) -> None:
    """Draw each hidden variable anew given the others, in place, for all chains at once."""
    for factor in conditionals:
        *blanket, name = factor.variables
        table = factor.values if blanket else factor.values[None]
        family = [rows[other] for other in blanket] or [np.zeros(len(rows[name]), dtype=int)]
        rows[name] = draw_states(table, family, rng)


def chain_means(shares: FloatArray) -> GibbsEstimate:
    """Mean over independent chains and its standard error; :eq:`bayesian-network-gibbs-error`.

    Parameters
    ----------
    shares : (n_chains, K) array
        How often each chain was in each state.

    Examples
    --------
    >>> chain_means(np.array([[0.5, 0.5], [0.7, 0.3]])).standard_errors
    array([0.1, 0.1])
    """
    return GibbsEstimate(shares.mean(axis=0), shares.std(axis=0, ddof=1) / np.sqrt(len(shares)))
