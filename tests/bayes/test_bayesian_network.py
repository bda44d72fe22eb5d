"""Bayesian networks against published queries, enumeration in plain Python, paths, scikit-learn and bad input."""

import pickle
from itertools import combinations, pairwise, product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.naive_bayes import CategoricalNB

from notes_lib.bayes.bayesian_network import (
    BayesianNetwork,
    Factor,
    ancestors,
    count_parameters,
    d_separated,
    eliminate,
    enumerate_all,
    family_counts,
    full_conditional,
    greedy_order,
    learn_table,
    markov_blanket,
    markov_equivalent,
    multiply,
    reachable,
    topological_order,
)
from notes_lib.foundations.estimation import DirichletCategorical
from notes_lib.sequences.hmm import CategoricalHMM


def yes(p):
    """Probabilities of 1, with their complements in front: p[...] becomes [..., 2]."""
    return np.stack([1 - np.array(p), np.array(p)], axis=-1)


SPRINKLER = {"C": [], "S": ["C"], "R": ["C"], "W": ["S", "R"]}
ALARM = {"B": [], "E": [], "A": ["B", "E"], "J": ["A"], "M": ["A"]}
ALARM_TABLES = {
    "B": yes(0.001), "E": yes(0.002), "A": yes([[0.001, 0.29], [0.94, 0.95]]), "J": yes([0.05, 0.9]),
    "M": yes([0.01, 0.7]),
}  # fmt: skip


def sprinkler():
    tables = {"C": yes(0.5), "S": yes([0.5, 0.1]), "R": yes([0.2, 0.8]), "W": yes([[0, 0.9], [0.9, 0.99]])}
    return BayesianNetwork(SPRINKLER).set_tables(tables)


def alarm():
    return BayesianNetwork(ALARM).set_tables(ALARM_TABLES)


def random_graph(rng, d, share=0.4):
    """A random graph, its variables in random order."""
    names = [f"v{i}" for i in range(d)]
    order = rng.permutation(names).tolist()
    above = {n: [p for p in order[: order.index(n)] if rng.random() < share] for n in order}
    return {n: above[n] for n in names}


def random_network(seed, d=6, share=0.4, most=3):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, d, share)
    k = {n: int(rng.integers(2, most + 1)) for n in graph}
    tables = {n: rng.dirichlet(np.ones(k[n]), size=tuple(k[p] for p in above)) for n, above in graph.items()}
    return BayesianNetwork(graph).set_tables(tables)


def plain_joint(network):
    """Every assignment with its probability, in Python's own loops."""
    names = list(network.parents)
    for states in product(*(range(len(network.states_[n])) for n in names)):
        row = dict(zip(names, states, strict=True))
        p = 1.0
        for n in names:
            p *= float(network.cpts_[n][(*(row[a] for a in network.parents[n]), row[n])])
        yield row, p


def plain_query(network, asked, evidence):
    sizes = [len(network.states_[n]) for n in asked]
    sums = np.zeros(sizes)
    for row, p in plain_joint(network):
        if all(row[n] == s for n, s in evidence.items()):
            sums[tuple(row[n] for n in asked)] += p
    return sums / sums.sum()


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("bayesian-network-factorisation", "bayesian-network-query")
@pytest.mark.parametrize("method", ["elimination", "enumeration"])
def test_wet_grass(method):
    """K. Murphy, A brief introduction to graphical models: explaining away lowers 0.430 to 0.1945."""
    network = sprinkler()
    assert_allclose(network.query("W", method=method)[1], 0.6471, rtol=0, atol=6e-5)
    assert_allclose(network.query(["S", "W"], method=method)[1, 1], 0.2781, rtol=0, atol=6e-5)
    assert_allclose(network.query("S", {"W": 1}, method)[1], 0.430, rtol=0, atol=6e-4)
    assert_allclose(network.query("R", {"W": 1}, method)[1], 0.708, rtol=0, atol=6e-4)
    assert_allclose(network.query("S", {"W": 1, "R": 1}, method)[1], 0.1945, rtol=0, atol=6e-5)


def test_grass_with_rain_as_the_only_root():
    """The encyclopaedia's example: 0.16038 / 0.44838 = 0.3577."""
    network = BayesianNetwork({"R": [], "S": ["R"], "G": ["S", "R"]})
    network.set_tables({"R": yes(0.2), "S": yes([0.4, 0.01]), "G": yes([[0, 0.8], [0.9, 0.99]])})
    assert_allclose(np.exp(network.log_probability({"G": 1})), 0.44838, rtol=0, atol=6e-6)
    assert_allclose(np.exp(network.log_probability({"G": 1, "R": 1})), 0.16038, rtol=0, atol=6e-6)
    assert_allclose(network.query("R", {"G": 1})[1], 0.3577, rtol=0, atol=6e-5)


def test_burglary():
    """Russell and Norvig, Artificial Intelligence: A Modern Approach, chapter on Bayesian networks."""
    network = alarm()
    row = {"B": 0, "E": 0, "A": 1, "J": 1, "M": 1}
    assert_allclose(np.exp(network.log_probability(row)), 0.000628, rtol=0, atol=6e-7)
    for evidence, p, tol in [
        ({"J": 1, "M": 1}, 0.284, 6e-4), ({"J": 1, "M": 0}, 0.00513, 6e-6), ({"J": 0, "M": 1}, 0.00688, 6e-6),
        ({"J": 1}, 0.0163, 6e-5), ({"M": 1}, 0.0561, 6e-5),
    ]:  # fmt: skip
        assert_allclose(network.query("B", evidence)[1], p, rtol=0, atol=tol)
    both = network.cost("B", {"J": 1, "M": 1})
    assert_allclose(both.factor.values * np.exp(both.log_scale), [0.0014919, 0.00059224], rtol=0, atol=6e-8)


@pytest.mark.equation("bayesian-network-parameters")
def test_numbers_of_parameters():
    """10 numbers instead of 31 for the burglary."""
    assert alarm().n_parameters_ == 10
    assert count_parameters({"a": [], "b": ["a"], "c": ["a", "b"]}, {"a": 3, "b": 2, "c": 4}) == 2 + 3 + 18


# ------------------------------------------------------------------------------------------------------------- oracles


@pytest.mark.equation("bayesian-network-query", "bayesian-network-message")
@pytest.mark.parametrize("seed", range(8))
def test_queries_against_plain_enumeration(seed):
    network = random_network(seed)
    rng = np.random.default_rng(seed)
    for n_observed in (0, 1, 3):
        names = rng.permutation(list(network.parents)).tolist()
        evidence = {n: int(rng.integers(len(network.states_[n]))) for n in names[:n_observed]}
        asked = names[n_observed : n_observed + 2]
        expected = plain_query(network, asked, evidence)
        for method in ("elimination", "enumeration"):
            assert_allclose(network.query(asked, evidence, method), expected, rtol=1e-10)
        relevant = ancestors(network.parents, {*asked, *evidence})
        hidden = [n for n in names[n_observed + 2 :] if n in relevant]
        assert_allclose(network.query(asked, evidence, order=hidden), expected, rtol=1e-10)
        p = sum(p for row, p in plain_joint(network) if all(row[n] == s for n, s in evidence.items()))
        assert network.log_probability(evidence) == pytest.approx(log(p), rel=1e-10, abs=1e-12)


def test_a_sum_over_thirty_variables_against_einsum():
    network = random_network(3, d=22, share=0.12, most=2)
    number = {name: i for i, name in enumerate(network.parents)}
    operands = []
    for name, above in network.parents.items():
        operands += [network.cpts_[name], [number[v] for v in (*above, name)]]
    expected = np.einsum(*operands, [number["v3"], number["v17"]], optimize="greedy")
    assert_allclose(network.query(["v3", "v17"]), expected, rtol=1e-10)


def open_paths(graph, x, y, given):
    """Whether some path between x and y is open, by the definition: look at every triple of every path."""
    near = {n: set(graph[n]) | {c for c, above in graph.items() if n in above} for n in graph}
    opened = {n for n in graph if any(n in plain_ancestors(graph, z) for z in given)}

    def is_open(path):
        for a, b, c in zip(path, path[1:], path[2:], strict=False):
            collider = a in graph[b] and c in graph[b]
            if (collider and b not in opened) or (not collider and b in given):
                return False
        return True

    def walk(path):
        if path[-1] == y:
            return is_open(path)
        return any(walk([*path, n]) for n in near[path[-1]] if n not in path)

    return walk([x])


def plain_ancestors(graph, node):
    return {node}.union(*(plain_ancestors(graph, p) for p in graph[node]))


@pytest.mark.parametrize("seed", range(12))
def test_d_separation_against_the_definition_by_paths(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 6, 0.35)
    for x, y in combinations(graph, 2):
        rest = [n for n in graph if n not in (x, y)]
        for mask in product([0, 1], repeat=4):
            given = [n for n, m in zip(rest, mask, strict=True) if m]
            assert d_separated(graph, x, y, given) == (not open_paths(graph, x, y, given))


def moral_separated(graph, x, y, given):
    """Lauritzen's criterion: separation in the moral graph of the ancestors."""
    kept = {n for z in [x, y, *given] for n in plain_ancestors(graph, z)}
    edges = {frozenset(e) for n in kept for e in [*((n, p) for p in graph[n]), *combinations(graph[n], 2)]}
    seen, todo = {x}, [x]
    while todo:
        n = todo.pop()
        for m in kept - set(given) - seen:
            if frozenset((n, m)) in edges:
                seen.add(m)
                todo.append(m)
    return y not in seen


@pytest.mark.parametrize("seed", range(12))
def test_d_separation_against_the_moral_graph(seed):
    rng = np.random.default_rng(100 + seed)
    graph = random_graph(rng, 9, 0.25)
    for _ in range(60):
        x, y, *rest = rng.permutation(list(graph)).tolist()
        given = rest[: int(rng.integers(5))]
        assert d_separated(graph, x, y, given) == moral_separated(graph, x, y, given)


@pytest.mark.parametrize("seed", range(6))
def test_d_separation_is_independence_for_random_tables(seed):
    """Separated: independent to rounding. Not separated: dependent, since random tables are faithful."""
    network = random_network(seed, d=5, share=0.45)
    for x, y in combinations(network.parents, 2):
        rest = [n for n in network.parents if n not in (x, y)]
        for size in range(3):
            for z in combinations(rest, size):
                joint = network.query([x, y, *z])
                p_xz, p_yz = joint.sum(axis=1, keepdims=True), joint.sum(axis=0, keepdims=True)
                p_z = joint.sum(axis=(0, 1), keepdims=True)
                gap = np.abs(joint * p_z - p_xz * p_yz).max()
                assert (gap < 1e-12) == network.d_separated(x, y, z), (x, y, z, gap)


def all_graphs(names):
    """Every directed acyclic graph on the names: an ordered pair may have an arrow or not."""
    pairs = list(combinations(names, 2))
    for choice in product([None, 0, 1], repeat=len(pairs)):
        graph = {n: [] for n in names}
        for pair, way in zip(pairs, choice, strict=True):
            if way is not None:
                graph[pair[1 - way]].append(pair[way])
        try:
            topological_order(graph)
        except ValueError:
            continue
        yield graph


@pytest.mark.parametrize(("names", "n_graphs", "n_classes"), [("ab", 3, 2), ("abc", 25, 11), ("abcd", 543, 185)])
def test_equivalent_graphs_state_the_same_independences(names, n_graphs, n_classes):
    """Classes counted by brute force: 2, 11, 185 (Gillispie and Perlman, 2001)."""
    graphs = list(all_graphs(names))
    assert len(graphs) == n_graphs
    statements, representatives = [], {}
    for graph in graphs:
        said = frozenset(
            (x, y, given)
            for x, y in combinations(names, 2)
            for size in range(len(names) - 1)
            for given in combinations([n for n in names if n not in (x, y)], size)
            if d_separated(graph, x, y, given)
        )
        statements.append(said)
        representatives.setdefault(said, graph)
    assert len(representatives) == n_classes
    for graph, said in zip(graphs, statements, strict=True):
        assert markov_equivalent(graph, representatives[said])
    for one, two in combinations(representatives.values(), 2):
        assert not markov_equivalent(one, two)


@pytest.mark.equation("bayesian-network-blanket")
@pytest.mark.parametrize("seed", range(6))
def test_markov_blanket_is_the_smallest_set_that_screens_off(seed):
    graph = random_graph(np.random.default_rng(seed), 6, 0.4)
    for node in graph:
        blanket, others = markov_blanket(graph, node), set(graph) - {node}
        outside = others - blanket
        assert not outside or d_separated(graph, node, outside, blanket)
        for member in blanket:  # without one of them it screens off nothing
            assert not d_separated(graph, node, member, others - {member})


@pytest.mark.equation("bayesian-network-blanket")
def test_full_conditionals_against_the_joint():
    network = random_network(2)
    factors = [Factor((*above, n), network.cpts_[n]) for n, above in network.parents.items()]
    for name in network.parents:
        table = full_conditional(factors, name)
        *blanket, last = table.variables
        assert last == name
        assert set(blanket) == markov_blanket(network.parents, name)
        joint = network.query([*blanket, name])
        assert_allclose(table.values, joint / joint.sum(axis=-1, keepdims=True), rtol=1e-9)


@pytest.mark.equation("bayesian-network-posterior-mean")
def test_naive_bayes_is_a_star():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    X = (rng.random((200, 4)) * (2 + (np.arange(4) + y[:, None]) % 2)).astype(int)
    graph = {"y": []} | {f"x{j}": ["y"] for j in range(4)}
    alpha = {"y": np.zeros(3)} | {f"x{j}": np.ones((3, X[:, j].max() + 1)) for j in range(4)}
    network = BayesianNetwork(graph, alpha=alpha).fit(np.column_stack([y, X]))
    del alpha["y"]  # a variable without a prior is counted, as with zeros
    unnamed = BayesianNetwork(graph, alpha=alpha).fit(np.column_stack([y, X]))
    assert_allclose(unnamed.cpts_["y"], np.bincount(y) / 200, rtol=1e-14)
    peer = CategoricalNB(alpha=1.0).fit(X, y)
    for x in X[:20]:
        ours = network.query("y", {f"x{j}": int(v) for j, v in enumerate(x)})
        assert_allclose(ours, peer.predict_proba([x])[0], rtol=1e-10)


def chain(T):
    """A hidden Markov model as a network, and the same one of the library's own chapter."""
    model = CategoricalHMM(2)
    model.startprob_ = np.array([0.6, 0.4])
    model.transmat_ = np.array([[0.7, 0.3], [0.2, 0.8]])
    model.emissionprob_ = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
    graph = {f"z{t}": [f"z{t - 1}"] if t else [] for t in range(T)} | {f"x{t}": [f"z{t}"] for t in range(T)}
    tables = {"z0": model.startprob_} | {f"z{t}": model.transmat_ for t in range(1, T)}
    return BayesianNetwork(graph).set_tables(tables | {f"x{t}": model.emissionprob_ for t in range(T)}), model


def test_hidden_markov_model_is_a_chain():
    network, model = chain(12)
    x = np.random.default_rng(1).integers(0, 3, 12)
    evidence = {f"x{t}": int(v) for t, v in enumerate(x)}
    smoothed = model.predict_proba(x[:, None])
    for t in range(12):
        assert_allclose(network.query(f"z{t}", evidence), smoothed[t], rtol=1e-10)
    assert network.log_probability(evidence) == pytest.approx(model.score(x[:, None]), rel=1e-12)


@pytest.mark.equation("bayesian-network-counts", "bayesian-network-mle", "bayesian-network-posterior-mean")
def test_tables_are_posterior_means_row_by_row():
    network = random_network(5, d=4)
    rows = network.sample(300, random_state=0)
    X = np.column_stack(list(rows.values()))
    plain = BayesianNetwork(network.parents, network.states_, alpha=0.5).fit(X)
    names = list(network.parents)
    for name, above in network.parents.items():
        shape = [len(network.states_[v]) for v in (*above, name)]
        for c in product(*(range(k) for k in shape[:-1])):
            match = np.all([X[:, names.index(p)] == s for p, s in zip(above, c, strict=True)] or [[True] * 300], axis=0)
            column = X[match, names.index(name)]
            expected = DirichletCategorical(np.full(shape[-1], 0.5)).update(column) if len(column) else None
            mean = expected.mean if expected else np.full(shape[-1], 1 / shape[-1])
            assert_allclose(plain.cpts_[name][c], mean, rtol=1e-12)
            assert_array_equal(plain.counts_[name][c], np.bincount(column, minlength=shape[-1]))


@pytest.mark.equation("bayesian-network-likelihood", "bayesian-network-mle")
def test_maximum_likelihood_beats_every_neighbour():
    network = random_network(1, d=4, most=2)
    rows = network.sample(400, random_state=3)
    best = BayesianNetwork(network.parents, network.states_).fit(rows)
    by_counts = sum((c * np.log(best.cpts_[n], where=c > 0, out=np.zeros(c.shape))).sum()
                    for n, c in best.counts_.items())  # fmt: skip
    assert best.score(rows) == pytest.approx(by_counts / 400, rel=1e-12)
    rng = np.random.default_rng(0)
    for _ in range(50):
        other = {n: 0.97 * t + 0.03 * rng.dirichlet(np.ones(t.shape[-1]), t.shape[:-1]) for n, t in best.cpts_.items()}
        assert BayesianNetwork(network.parents).set_tables(other).score(rows) < best.score(rows)


def test_scores_against_the_product_and_samples_against_the_joint():
    network = random_network(4, d=4)
    states = [row for row, _ in plain_joint(network)]
    p = np.array([p for _, p in plain_joint(network)])
    X = {n: [row[n] for row in states] for n in network.parents}
    assert_allclose(network.score_samples(X), np.log(p), rtol=1e-10)
    assert logsumexp(network.score_samples(X)) == pytest.approx(0, abs=1e-10)
    n = 40_000
    rows = network.sample(n, random_state=0)
    cells = np.ravel_multi_index(list(rows.values()), [len(network.states_[v]) for v in rows])
    z = (np.bincount(cells, minlength=len(p)) - n * p) / np.sqrt(n * p * (1 - p))
    assert np.abs(z).max() < 4.5
    assert 0.7 < np.sqrt((z**2).mean()) < 1.3


@pytest.mark.equation("bayesian-network-gibbs-error")
def test_gibbs_sampling_is_right_within_its_own_error():
    network, truth = sprinkler(), sprinkler().query("S", {"W": 1})[1]
    z = []
    for seed in range(30):
        estimate = network.gibbs("S", {"W": 1}, n_sweeps=150, n_chains=40, burn_in=20, random_state=seed)
        z.append((estimate.probabilities[1] - truth) / estimate.standard_errors[1])
        assert estimate.probabilities.sum() == pytest.approx(1, rel=1e-12)
    assert abs(np.mean(z)) < 4 / np.sqrt(30)
    assert 0.65 < np.std(z) < 1.5


def test_gibbs_sampling_of_three_states_without_evidence():
    network = random_network(7, d=4)
    for name in network.parents:
        estimate = network.gibbs(name, n_sweeps=300, random_state=1)
        assert (np.abs(estimate.probabilities - network.query(name)) < 5 * estimate.standard_errors).all()


def test_burn_in_forgets_the_start():
    """Without it the first states follow the sampling without the evidence below: far from the posterior."""
    early = [alarm().gibbs("B", {"J": 1, "M": 1}, 1, 2000, burn_in, 0).probabilities[1] for burn_in in (0, 60)]
    truth = alarm().query("B", {"J": 1, "M": 1})[1]
    assert early[0] < 0.1
    assert abs(early[1] - truth) < 0.06


# ------------------------------------------------------------------------------------------------------------- laws


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_turning_an_arrow_by_bayes_theorem_keeps_the_joint(seed):
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(2), size=3)
    joint = p[:, None] * q
    forward = BayesianNetwork({"a": [], "b": ["a"]}).set_tables({"a": p, "b": q})
    back = BayesianNetwork({"b": [], "a": ["b"]}).set_tables({"b": joint.sum(0), "a": (joint / joint.sum(0)).T})
    assert_allclose(forward.query(["a", "b"]), back.query(["a", "b"]), rtol=1e-10)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.permutations(range(5)))
def test_the_order_changes_the_cost_only(seed, turn):
    network = random_network(seed, d=6, share=0.5)
    factors = [Factor((*above, n), network.cpts_[n]) for n, above in network.parents.items()]
    names = list(network.parents)
    one, two = (eliminate(factors, order) for order in (names[1:], [names[1 + i] for i in turn]))
    assert_allclose(one.factor.values * np.exp(one.log_scale), two.factor.values * np.exp(two.log_scale), rtol=1e-10)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_separation_is_symmetric_and_reaches_the_same_variables(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 7, 0.3)
    x, *rest = rng.permutation(list(graph)).tolist()
    given = rest[:2]
    found = reachable(graph, x, given)
    for y in rest[2:]:
        assert (y in found) == (not d_separated(graph, y, x, given))
    assert d_separated(graph, x, [y for y in rest[2:] if y not in found], given)


# ------------------------------------------------------------------------------------------------------------- costs


@pytest.mark.equation("bayesian-network-message")
def test_operations_are_counted():
    """A chain of n binary variables: each message takes 4 products and 2 sums; the whole table 2^n."""
    names = [f"v{i}" for i in range(8)]
    factors = [Factor(("v0",), np.array([0.4, 0.6]))]
    factors += [Factor((a, b), np.array([[0.9, 0.1], [0.2, 0.8]])) for a, b in pairwise(names)]
    quick = eliminate(factors, names[:-1])
    assert (quick.multiplications, quick.additions, quick.largest) == (7 * 4, 7 * 2, 4)
    slow = enumerate_all(factors, ["v7"])
    assert (slow.multiplications, slow.additions, slow.largest) == (7 * 2**8, 2**8 - 2, 2**8)
    assert_allclose(quick.factor.values * np.exp(quick.log_scale), slow.factor.values, rtol=1e-12)
    worst = eliminate(factors, ["v3", "v1", "v5", "v2", "v0", "v4", "v6"])
    assert worst.largest == 8


def test_the_last_product_is_counted_too():
    factors = [Factor(("a",), np.ones(3)), Factor(("a",), np.ones(3)), Factor(("b", "a"), np.ones((2, 3)))]
    result = eliminate(factors, [])
    assert (result.multiplications, result.additions, result.largest) == (2 * 6, 0, 6)


def test_the_greedy_order_of_a_star_begins_with_the_leaves():
    star = [Factor(("hub",), np.ones(2))] + [Factor(("hub", f"leaf{i}"), np.ones((2, 2))) for i in range(20)]
    order = greedy_order(star)
    assert order[-1] in ("hub", "leaf19")
    assert order.index("hub") >= 19
    assert eliminate(star, order).largest == 4
    assert eliminate(star, ["hub", *(f"leaf{i}" for i in range(20))]).largest == 2**21
    wide = [Factor(("a", "b"), np.ones((9, 2))), Factor(("b", "c"), np.ones((2, 2))), Factor(("c",), np.ones(2))]
    assert greedy_order(wide) == ["c", "a", "b"]  # sizes count, not numbers of neighbours


def test_variables_below_the_question_cost_nothing():
    cost = alarm().cost("B")
    assert (cost.multiplications, cost.additions) == (2, 0)  # the table of B times the empty product


# ------------------------------------------------------------------------------------------------------------- extremes


def test_a_long_chain_does_not_underflow():
    network, model = chain(800)
    x = np.random.default_rng(0).integers(0, 3, 800)
    expected = model.score(x[:, None])
    assert expected < -750  # beyond the smallest float
    assert network.log_probability({f"x{t}": int(v) for t, v in enumerate(x)}) == pytest.approx(expected, rel=1e-11)


def test_a_variable_with_one_state_and_an_isolated_one():
    network = BayesianNetwork({"a": [], "b": ["a"], "c": []})
    network.set_tables({"a": [1.0], "b": [[0.3, 0.7]], "c": [0.1, 0.9]})
    assert_allclose(network.query(["c", "b"]), np.outer([0.1, 0.9], [0.3, 0.7]), rtol=1e-12)
    assert network.n_parameters_ == 2
    assert network.log_probability({}) == 0.0


def test_names_of_states_are_kept():
    X = np.array([["sun", "dry"], ["rain", "wet"], ["rain", "dry"], ["sun", "dry"]])
    network = BayesianNetwork({"sky": [], "grass": ["sky"]}).fit(X)
    assert network.states_ == {"sky": ["rain", "sun"], "grass": ["dry", "wet"]}
    assert_allclose(network.query("sky", {"grass": "dry"}), [1 / 3, 2 / 3], rtol=1e-12)
    assert set(network.sample(20, random_state=0)["sky"].tolist()) == {"rain", "sun"}
    assert network.log_probability({"sky": "sun", "grass": "wet"}) == -np.inf
    assert network.score_samples([["sun", "wet"]])[0] == -np.inf
    mixed = BayesianNetwork({"sky": [], "n": ["sky"]}).fit({"sky": ["a", "b"], "n": [1, 2]})
    assert mixed.query("n", {"sky": "b"}).tolist() == [0, 1]
    order = BayesianNetwork({"sky": []}, states={"sky": ["sun", "rain"]}).fit([["rain"], ["rain"], ["sun"]])
    assert_allclose(order.cpts_["sky"], [1 / 3, 2 / 3], rtol=1e-12)


def test_clone_and_pickle():
    network = BayesianNetwork(SPRINKLER, alpha=2.0)
    assert clone(network).get_params() == {"parents": SPRINKLER, "states": None, "alpha": 2.0}
    again = pickle.loads(pickle.dumps(sprinkler()))
    assert_array_equal(again.query("S", {"W": 1}), sprinkler().query("S", {"W": 1}))


def test_gibbs_starts_where_it_is_possible():
    """Wet grass without rain or sprinkler is impossible; the chains still start, and learn the cause."""
    network = BayesianNetwork({"S": [], "R": [], "W": ["S", "R"]})
    network.set_tables({"S": yes(0.2), "R": yes(0.1), "W": yes([[0, 1], [1, 1]])})
    estimate = network.gibbs("S", {"W": 1}, n_sweeps=2000, random_state=0)
    assert abs(estimate.probabilities[1] - network.query("S", {"W": 1})[1]) < 4 * estimate.standard_errors[1]


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("parents", "error", "match"),
    [
        ({"a": ["c"], "b": ["a"], "c": ["b"]}, ValueError, "no cycle, got .*a -> b|b -> c -> a"),
        ({"a": ["a"]}, ValueError, "no cycle, got a -> a"),
        ({"a": ["b"]}, ValueError, "'a' has the parent 'b', which is no variable"),
        ({"a": [], "b": ["a", "a"]}, ValueError, "parents of 'b' must be different"),
        ({}, ValueError, "at least one variable"),
        ([("a", "b")], TypeError, "must map each variable to its parents, got list"),
        ({"a": [], "b": "a"}, TypeError, "lists of names, got 'b': 'a'"),
        ({1: []}, TypeError, "got 1:"),
        ({"a": None}, TypeError, "got 'a': None"),
    ],
)  # fmt: skip
def test_a_wrong_graph_is_refused(parents, error, match):
    for attempt in (
        lambda: BayesianNetwork(parents).set_tables({"a": [0.5, 0.5]}),
        lambda: BayesianNetwork(parents).fit([[0]]),
        lambda: BayesianNetwork(parents).d_separated("a", "b"),
        lambda: count_parameters(parents, {"a": 2}),
    ):
        with pytest.raises(error, match=match):
            attempt()


@pytest.mark.parametrize(
    ("tables", "match"),
    [
        ({"a": [0.5, 0.5], "b": [[0.5, 0.5], [0.5, 0.4]]}, "row 1 of the table of 'b' must be non-negative and sum to"),
        ({"a": [0.5, 0.5], "b": [[0.5, 0.5], [1.5, -0.5]]}, "row 1 of the table of 'b'"),
        ({"a": [0.5, 0.5], "b": [0.5, 0.5]}, r"table of 'b' must have shape \(2, 2\), got \(2,\)"),
        ({"a": 0.5, "b": [0.5, 0.5]}, "table of 'a' must have shape"),
        ({"a": [0.5, 0.5]}, "one table for each of"),
    ],
)
def test_wrong_tables_are_refused(tables, match):
    with pytest.raises(ValueError, match=match):
        BayesianNetwork({"a": [], "b": ["a"]}).set_tables(tables)


def test_wrong_states_are_refused():
    tables = {"a": [0.5, 0.5], "b": [[0.5, 0.5], [0.5, 0.5]]}
    graph = {"a": [], "b": ["a"]}
    with pytest.raises(ValueError, match="must list the states of 'b'"):
        BayesianNetwork(graph, states={"a": [0, 1]}).set_tables(tables)
    with pytest.raises(ValueError, match="must list the states of 'b'"):
        BayesianNetwork(graph, states={"a": [0, 1], "b": []}).set_tables(tables)
    with pytest.raises(ValueError, match="states of 'a' must be different"):
        BayesianNetwork(graph, states={"a": [0, 0], "b": [0, 1]}).set_tables(tables)
    with pytest.raises(ValueError, match=r"must have shape \(3, 2\)"):
        BayesianNetwork(graph, states={"a": [0, 1, 2], "b": [0, 1]}).set_tables(tables | {"a": [0.5, 0.5, 0.0]})


@pytest.mark.parametrize(
    ("variables", "evidence", "more", "match"),
    [
        ("X", {}, {}, "variables names 'X', which is no variable of the network"),
        ("S", {"X": 1}, {}, "evidence names 'X', which is no variable of the network"),
        ("S", {"W": 2}, {}, r"'W' has no state 2, only \[0, 1\]"),
        ("S", {"S": 1}, {}, r"both name \['S'\]"),
        (["S", "S"], {}, {}, "each variable once"),
        ([], {}, {}, "at least one variable"),
        ("S", {"W": 1}, {"method": "magic"}, "method must be one of"),
        ("S", {"W": 1}, {"order": ["C"]}, r"order must hold the hidden variables \['C', 'R'\] once each"),
        ("S", {"W": 1}, {"order": ["C", "R", "C"]}, "order must hold"),
    ],
)
def test_a_wrong_question_is_refused(variables, evidence, more, match):
    with pytest.raises(ValueError, match=match):
        sprinkler().query(variables, evidence, **more)
    assert sprinkler().query("S", {"W": 1, "R": 0, "C": 0})[1] == 1  # a right one: nothing else can have wetted it


@pytest.mark.parametrize("method", ["elimination", "enumeration"])
def test_impossible_evidence_says_so(method):
    with pytest.raises(ValueError, match=r"evidence \{'S': 0, 'R': 0, 'W': 1\} has probability 0"):
        sprinkler().query("C", {"S": 0, "R": 0, "W": 1}, method)
    assert sprinkler().log_probability({"S": 0, "R": 0, "W": 1}) == -np.inf
    with pytest.raises(ValueError, match="no start of positive probability"):
        sprinkler().gibbs("C", {"S": 0, "R": 0, "W": 1})


def test_a_table_too_large_is_refused():
    graph = {f"v{i}": [] for i in range(26)} | {"sum": []}
    network = BayesianNetwork(graph).set_tables({name: [0.5, 0.5] for name in graph})
    with pytest.raises(ValueError, match="a table over 27 variables has 134217728 entries"):
        network.query(list(graph))
    assert multiply([Factor(("a",), np.ones(2))]).values.tolist() == [1, 1]
    with pytest.raises(ValueError, match="order names 'b', which no factor holds"):
        eliminate([Factor(("a",), np.ones(2))], ["b"])


@pytest.mark.parametrize(
    ("X", "match"),
    [
        ([[0, 1, 2]], r"must have shape \(n, 2\), one column a variable, got \(1, 3\)"),
        ([0, 1], r"got \(2,\)"),
        (np.empty((0, 2)), "at least one row"),
        ([[0, np.nan], [1, 1]], "'b' has missing values"),
        ({"a": ["x", "y"], "b": [None, "u"]}, "'b' has missing values"),
        ({"a": [0, 1]}, r"one column for each of \['a', 'b'\], got \['a'\]"),
        ({"a": [0, 1], "b": [0]}, "columns of X must be equally long"),
        ({"a": [[0], [1]], "b": [[0], [1]]}, "columns of X must be equally long"),
    ],
)
def test_wrong_data_are_refused(X, match):
    with pytest.raises(ValueError, match=match):
        BayesianNetwork({"a": [], "b": ["a"]}).fit(X)


def test_unknown_states_and_empty_rows_of_parents_are_refused():
    graph = {"a": [], "b": ["a"]}
    states = {"a": [0, 1, 2], "b": [0, 1]}
    X = [[0, 1], [1, 0], [1, 1]]
    with pytest.raises(ValueError, match=r"column 'b' holds 7, which is no state: \[0, 1\]"):
        BayesianNetwork(graph, states).fit([[0, 7]])
    with pytest.raises(ValueError, match=r"parents of 'b' in the states number \(2,\).*alpha > 0"):
        BayesianNetwork(graph, states).fit(X)
    assert_allclose(BayesianNetwork(graph, states, alpha=1.0).fit(X).cpts_["b"][2], [0.5, 0.5])
    with pytest.raises(ValueError, match="column 'a' holds 5"):
        BayesianNetwork(graph, states, alpha=1.0).fit(X).score([[5, 0]])
    with pytest.raises(ValueError, match="alpha"):
        BayesianNetwork(graph, states, alpha=-1.0).fit(X)
    with pytest.raises(ValueError, match=r"alpha of 'b' must have the shape \(3, 2\) of its counts, got \(2,\)"):
        BayesianNetwork(graph, states, alpha={"b": np.ones(2)}).fit(X)
    with pytest.raises(ValueError, match="no row of X has the parents of 'the variable'"):
        learn_table([0, 0])
    assert family_counts([np.array([2, 2, 0])], (3,)).tolist() == [1, 0, 2]


def test_a_network_without_tables_says_so():
    network = BayesianNetwork(SPRINKLER)
    for attempt in (
        lambda: network.query("S"), lambda: network.n_parameters_, lambda: network.sample(2),
        lambda: network.score([[0, 0, 0, 0]]), lambda: network.log_probability({}),
    ):  # fmt: skip
        with pytest.raises(AttributeError, match="call fit or set_tables"):
            attempt()
    assert network.markov_blanket("S") == {"C", "R", "W"}


def test_one_open_path_between_two_sets_is_enough():
    graph = {"a": [], "b": [], "c": ["b"], "d": []}
    assert not d_separated(graph, ["a", "b"], ["c", "d"])
    assert not d_separated(graph, ["b", "a"], "c")
    assert d_separated(graph, ["a", "b"], "d")


def test_hyper_parameters_are_shown_and_checked():
    network = BayesianNetwork({"a": []}).set_params(alpha=1.0)
    assert repr(network) == "BayesianNetwork(parents={'a': []}, states=None, alpha=1.0)"
    with pytest.raises(ValueError, match="BayesianNetwork has no parameter 'beta'; it has parents, states, alpha"):
        network.set_params(beta=1)


def test_wrong_sets_and_numbers_are_refused():
    network = sprinkler()
    with pytest.raises(ValueError, match="no variable in common"):
        network.d_separated("S", "S")
    with pytest.raises(ValueError, match="no variable in common"):
        network.d_separated("S", "R", "S")
    with pytest.raises(ValueError, match="y names 'Q', which is no variable"):
        network.d_separated("S", "Q")
    with pytest.raises(ValueError, match="given names 'Q'"):
        network.d_separated("S", "R", ["C", "Q"])
    with pytest.raises(ValueError, match="node names 'Q'"):
        network.markov_blanket("Q")
    with pytest.raises(ValueError, match="both name 'S'"):
        network.gibbs("S", {"S": 1})
    with pytest.raises(ValueError, match="n_chains"):
        network.gibbs("S", n_chains=1)
    with pytest.raises(ValueError, match="n_sweeps"):
        network.gibbs("S", n_sweeps=0)
    with pytest.raises(ValueError, match="burn_in"):
        network.gibbs("S", burn_in=-1)
    with pytest.raises(ValueError, match="n_samples"):
        network.sample(0)
    with pytest.raises(TypeError, match=r"n_states\['b'\]"):
        count_parameters({"a": [], "b": []}, {"a": 2})
