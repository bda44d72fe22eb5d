"""The estimator: a graph, its tables, and the questions that can be asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.bayes.bayesian_network import sampling
from notes_lib.bayes.bayesian_network.factors import (
    Elimination,
    Factor,
    arrange,
    eliminate,
    enumerate_all,
    greedy_order,
    restrict,
)
from notes_lib.bayes.bayesian_network.graph import (
    Names,
    Parents,
    ancestors,
    check_graph,
    check_names,
    count_parameters,
    d_separated,
    markov_blanket,
    topological_order,
)
from notes_lib.bayes.bayesian_network.learning import columns, encode, family_counts, learn_table, observed_states
from notes_lib.bayes.bayesian_network.parameters import Parameters
from notes_lib.checks import FloatArray, IntArray, check_choice, check_distribution, check_integer
from notes_lib.numerics import RandomState, check_rng

Evidence = Mapping[str, Any]


class BayesianNetwork(Parameters):
    """A Bayesian network of discrete variables, :eq:`bayesian-network-factorisation`.

    Parameters
    ----------
    parents : mapping
        For each variable the list of its parents; their order is that of the axes of the tables.
    states : mapping, optional
        For each variable the list of its states. By default ``fit`` takes the values of the data, sorted, and
        ``set_tables`` the numbers 0, 1, ...
    alpha : float or mapping
        Parameter of the Dirichlet prior of every entry of the tables (0: maximum likelihood), or for each variable an
        array of the shape of its table (0 for a variable that is not named).

    Attributes
    ----------
    cpts_ : dict
        For each variable the table of its conditional probabilities, one axis for each parent and then its own.
    states_ : dict
        For each variable the list of its states, in the order of the axes.
    counts_ : dict
        After ``fit``: the counts, in the shape of the tables.

    Notes
    -----
    Sources: J. Pearl (1988), *Probabilistic reasoning in intelligent systems*; D. Koller and N. Friedman (2009),
    *Probabilistic graphical models*, chapters 3, 9, 12 and 17.

    Examples
    --------
    >>> network = BayesianNetwork({"rain": [], "wet": ["rain"]})
    >>> _ = network.set_tables({"rain": [0.8, 0.2], "wet": [[0.9, 0.1], [0.2, 0.8]]})
    >>> network.query("rain", {"wet": 1})
    array([0.33333333, 0.66666667])
    """

    cpts_: dict[str, FloatArray]
    states_: dict[str, list[Any]]
    counts_: dict[str, IntArray]

    def __init__(
        self,
        parents: Parents,
        states: Mapping[str, Sequence[Any]] | None = None,
        alpha: float | Mapping[str, ArrayLike] = 0.0,
    ) -> None:
        self.parents = parents
        self.states = states
        self.alpha = alpha

    # ------------------------------------------------------------------------------------------------ tables

    def set_tables(self, cpts: Mapping[str, ArrayLike]) -> BayesianNetwork:
        """Take known tables instead of learning them, and return the network.

        Parameters
        ----------
        cpts : mapping
            For each variable an array with one axis for each parent, in their order, and a last one for itself.

        Raises
        ------
        TypeError, ValueError
            If the graph is wrong or has a cycle, a table is missing, has another shape, or a row does not add up to 1.
        """
        graph = check_graph(self.parents)
        if set(cpts) != set(graph):
            raise ValueError(f"cpts must hold one table for each of {list(graph)}, got {list(cpts)}.")
        given = {name: self._given_states(name) for name in graph}
        lengths = {name: np.shape(cpts[name])[-1] if np.ndim(cpts[name]) else 0 for name in graph}
        states = {name: given[name] or list(range(lengths[name])) for name in graph}
        tables = {}
        for name, above in graph.items():
            shape = tuple(len(states[other]) for other in (*above, name))
            tables[name] = check_distribution(cpts[name], f"the table of {name!r}", shape)
        self.states_, self.cpts_ = states, tables
        return self

    def fit(self, X: Any, y: None = None) -> BayesianNetwork:
        """Learn every table from complete data: :eq:`bayesian-network-mle` or :eq:`bayesian-network-posterior-mean`.

        Parameters
        ----------
        X : (n, d) array or mapping
            One column for each variable, in the order of ``parents``, or by name.
        y : None
            Not used.

        Raises
        ------
        TypeError, ValueError
            If the graph, ``alpha`` or the data are wrong, a value is missing or no state, or a combination of states
            of parents has neither data nor prior.

        Notes
        -----
        O(n) for each arrow.
        """
        graph = check_graph(self.parents)
        data = columns(X, graph)
        states = {name: self._given_states(name) or observed_states(data[name], name) for name in graph}
        codes = {name: encode(data[name], states[name], name) for name in graph}
        counts, tables = {}, {}
        for name, above in graph.items():
            family = (*above, name)
            counts[name] = family_counts([codes[v] for v in family], [len(states[v]) for v in family])
            alpha = self.alpha.get(name, 0.0) if isinstance(self.alpha, Mapping) else self.alpha
            tables[name] = learn_table(counts[name], alpha, name)
        self.states_, self.counts_, self.cpts_ = states, counts, tables
        return self

    def _given_states(self, name: str) -> list[Any]:
        if self.states is None:
            return []
        if name not in self.states or not len(self.states[name]):
            raise ValueError(f"states must list the states of {name!r}.")
        given = list(self.states[name])
        if len(set(given)) < len(given):
            raise ValueError(f"the states of {name!r} must be different, got {given}.")
        return given

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters, :eq:`bayesian-network-parameters`."""
        self._check_fitted()
        return count_parameters(self.parents, {name: len(states) for name, states in self.states_.items()})

    # --------------------------------------------------------------------------------------------- the graph

    def d_separated(self, x: Names, y: Names, given: Names = ()) -> bool:
        """Whether the graph says that ``x`` and ``y`` are independent given the third, by the Bayes ball.

        Raises
        ------
        ValueError
            If a variable is unknown or stands in two of the sets.
        """
        return d_separated(check_graph(self.parents), x, y, given)

    def markov_blanket(self, variable: str) -> set[str]:
        """Parents, children and other parents of the children; :eq:`bayesian-network-blanket`."""
        return markov_blanket(check_graph(self.parents), variable)

    # --------------------------------------------------------------------------------------------- inference

    def query(
        self,
        variables: Names,
        evidence: Evidence | None = None,
        method: str = "elimination",
        order: Sequence[str] | None = None,
    ) -> FloatArray:
        """Joint distribution of some variables given the states of others; :eq:`bayesian-network-query`.

        Parameters
        ----------
        variables : str or sequence of str
            What is asked.
        evidence : mapping, optional
            Observed variables and their states.
        method : {"elimination", "enumeration"}
            One hidden variable after the other, or the whole table at once. Both are exact.
        order : sequence of str, optional
            Order of elimination of the hidden variables (those neither asked nor observed); by default greedy.

        Returns
        -------
        Array with one axis for each variable asked, in their order; sums to 1.

        Raises
        ------
        ValueError
            If a variable or state is unknown, one is both asked and observed, ``order`` does not hold the hidden
            variables, a table gets too large, or the evidence has probability 0.
        """
        asked, codes = check_names(variables, "variables", self.parents), self._codes(evidence)
        if not asked:
            raise ValueError("variables must name at least one variable.")
        result = self._sum(asked, codes, method, order)
        values = arrange(result.factor, asked)
        if not values.sum() > 0:
            raise ValueError(f"the evidence {dict(evidence or {})} has probability 0: nothing follows from it.")
        return values / values.sum()

    def cost(
        self,
        variables: Names,
        evidence: Evidence | None = None,
        method: str = "elimination",
        order: Sequence[str] | None = None,
    ) -> Elimination:
        """The sum behind a query, not yet divided by the probability of the evidence, with its operations counted.

        Parameters and errors are those of :meth:`query`.
        """
        return self._sum(check_names(variables, "variables", self.parents), self._codes(evidence), method, order)

    def log_probability(self, evidence: Evidence) -> float:
        """Logarithm of the probability of some states, -inf if they are impossible; the others are summed out.

        Raises
        ------
        ValueError
            If a variable or state is unknown.
        """
        result = self._sum([], self._codes(evidence), "elimination", None)
        value = float(result.factor.values)
        return float(np.log(value)) + result.log_scale if value > 0 else -np.inf

    def _sum(self, asked: list[str], codes: Mapping[str, int], method: str, order: Sequence[str] | None) -> Elimination:
        check_choice(method, "method", ("elimination", "enumeration"))
        both = [name for name in asked if name in codes]
        if both:
            raise ValueError(f"variables and evidence both name {both}: leave them out of one.")
        # a variable without observed or asked descendants sums to 1 and may be left out
        relevant = ancestors(self.parents, {*asked, *codes}) if asked or codes else set()
        factors = [restrict(f, codes) for name, f in self._factors().items() if name in relevant]
        factors.append(Factor((), np.array(1.0)))  # the empty product, if nothing else is left
        if method == "enumeration":
            return enumerate_all(factors, asked)
        hidden = relevant - {*asked, *codes}
        if order is not None and (set(order) != hidden or len(order) != len(hidden)):
            raise ValueError(f"order must hold the hidden variables {sorted(hidden)} once each, got {list(order)}.")
        return eliminate(factors, greedy_order(factors, asked) if order is None else order)

    def _factors(self) -> dict[str, Factor]:
        """The tables as factors, parents before children."""
        self._check_fitted()
        order = topological_order(self.parents)
        return {name: Factor((*self.parents[name], name), self.cpts_[name]) for name in order}

    def _codes(self, evidence: Evidence | None) -> dict[str, int]:
        self._check_fitted()
        check_names(evidence or (), "evidence", self.parents)
        for name, state in (evidence or {}).items():
            if state not in self.states_[name]:
                raise ValueError(f"evidence: {name!r} has no state {state!r}, only {self.states_[name]}.")
        return {name: self.states_[name].index(state) for name, state in (evidence or {}).items()}

    def _check_fitted(self) -> None:
        if not hasattr(self, "cpts_"):
            raise AttributeError("the network has no tables yet: call fit or set_tables.")

    # ------------------------------------------------------------------------------------------ data, samples

    def score_samples(self, X: Any) -> FloatArray:
        """Log-probability of each complete row, nats; -inf where a row is impossible.

        Raises
        ------
        ValueError
            If the columns do not fit or a value is no state.
        """
        self._check_fitted()
        data = columns(X, self.parents)
        codes = {name: encode(data[name], self.states_[name], name) for name in self.parents}
        with np.errstate(divide="ignore"):
            logs = [np.log(f.values[tuple(codes[v] for v in f.variables)]) for f in self._factors().values()]
        return np.sum(logs, axis=0)

    def score(self, X: Any, y: None = None) -> float:
        """Mean log-probability of the rows, :eq:`bayesian-network-likelihood` divided by n."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> dict[str, np.ndarray]:
        """Draw rows from the roots down, and return a column of states for each variable."""
        n = check_integer(n_samples, "n_samples")
        rows = sampling.forward_sample(self._factors(), n, check_rng(random_state))
        return {name: np.array(self.states_[name])[rows[name]] for name in self.parents}

    def gibbs(
        self,
        variable: str,
        evidence: Evidence | None = None,
        n_sweeps: int = 500,
        n_chains: int = 50,
        burn_in: int = 50,
        random_state: RandomState = None,
    ) -> sampling.GibbsEstimate:
        """Estimate the distribution of a variable given evidence by Gibbs sampling, with its standard error.

        Parameters
        ----------
        variable : str
            What is asked.
        evidence : mapping, optional
            Observed variables and their states.
        n_sweeps, n_chains, burn_in : int
            Sweeps that count, independent chains (at least 2), and sweeps before them that do not count.
        random_state : int, Generator, RandomState or None
            Source of randomness.

        Returns
        -------
        GibbsEstimate
            ``probabilities`` and ``standard_errors``, in the order of the states.

        Raises
        ------
        TypeError, ValueError
            If a variable, state or number is wrong, or no start of positive probability is found.

        Notes
        -----
        O(sweeps * chains * hidden variables). The chains reach every possible state, and the estimate its limit, if no
        table holds a 0; with zeros they may get stuck, and the standard errors do not tell.

        Source: S. Geman and D. Geman (1984), IEEE Transactions on Pattern Analysis and Machine Intelligence 6.
        """
        (asked,), codes = check_names([variable], "variable", self.parents), self._codes(evidence)
        if asked in codes:
            raise ValueError(f"variable and evidence both name {asked!r}.")
        sweeps, wait = check_integer(n_sweeps, "n_sweeps"), check_integer(burn_in, "burn_in", 0)
        chains, rng = check_integer(n_chains, "n_chains", 2), check_rng(random_state)
        factors = self._factors()
        rows = sampling.possible_start(factors, chains, rng, codes)
        tables = list(factors.values())
        conditionals = [sampling.full_conditional(tables, name) for name in factors if name not in codes]
        seen = np.zeros((chains, len(self.states_[asked])))
        for t in range(wait + sweeps):
            sampling.gibbs_sweep(rows, conditionals, rng)
            if t >= wait:
                seen[np.arange(chains), rows[asked]] += 1
        return sampling.chain_means(seen / sweeps)
