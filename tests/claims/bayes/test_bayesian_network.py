"""The quiz of the chapter *Bayesian networks*, decided: see ``tests/claims/deciding.py``."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.optimize import minimize

from notes_lib.bayes.bayesian_network import BayesianNetwork, d_separated, markov_blanket
from tests.claims.deciding import Numbers, decided

SEEDS = range(6)
SMALL = 1e-10
TREE = {"A": [], "B": ["A"], "C": ["A"], "D": ["C"]}


def _random(graph, seed, states=2):
    rng = np.random.default_rng(seed)
    return BayesianNetwork(graph).set_tables(
        {v: rng.dirichlet(np.ones(states), size=[states] * len(above)) for v, above in graph.items()}
    )


def _independent(graph, x, y, given):
    """Whether two variables are independent in networks with random tables, by their joint distribution."""
    for seed in SEEDS:
        p = _random(graph, seed).query([x, y, *given])
        both = p * p.sum(axis=(0, 1), keepdims=True)
        apart = p.sum(axis=0, keepdims=True) * p.sum(axis=1, keepdims=True)
        if np.abs(both - apart).max() > SMALL:
            return False
    return True


def _statements(graph):
    """All that random tables say about independence of two variables, whatever is known."""
    pairs = combinations(sorted(graph), 2)
    return {
        (x, y, given): _independent(graph, x, y, given)
        for x, y in pairs
        for size in range(len(graph) - 1)
        for given in combinations(sorted(set(graph) - {x, y}), size)
    }


def quiz_collider():
    r"""In $A\to B\leftarrow C$, $B\to D$: which set makes $A$ and $C$ independent?"""
    graph = {"A": [], "C": [], "B": ["A", "C"], "D": ["B"]}
    by = lambda given: _independent(graph, "A", "C", given)
    return {r"$\{B\}$": by("B"), r"$\{D\}$": by("D"), r"$\{B,D\}$": by("BD"), "the empty set": by("")}


def quiz_count():
    r"""Binary nodes, $A\to C$, $B\to C$, $C\to D$: how many free parameters?"""
    model = _random({"A": [], "B": [], "C": ["A", "B"], "D": ["C"]}, 0)
    entries = sum(table.size for table in model.cpts_.values())
    two_rows = model.n_parameters_ - model.cpts_["C"][..., 1].size + 2
    return Numbers(model.n_parameters_, [2 ** len(model.cpts_) - 1, entries, two_rows])


def quiz_equivalent():
    r"""Which graphs are equivalent to $A\to B\to C$? (Mark all.)"""
    chain = _statements({"A": [], "B": ["A"], "C": ["B"]})
    same = lambda graph: _statements(graph) == chain
    return {
        r"$A\to B\to C$ with $A\to C$ added": same({"A": [], "B": ["A"], "C": ["A", "B"]}),
        r"$A\leftarrow B\leftarrow C$": same({"A": ["B"], "B": ["C"], "C": []}),
        r"$A\leftarrow B\to C$": same({"A": ["B"], "B": [], "C": ["B"]}),
        r"$A\to B\leftarrow C$": same({"A": [], "B": ["A", "C"], "C": []}),
    }


def quiz_blanket():
    r"""The Markov blanket of $A$ in $A\to C\leftarrow B$, $C\to D$, $B\to E$ is"""
    graph = {"A": [], "B": [], "C": ["A", "B"], "D": ["C"], "E": ["B"]}
    screens = lambda known: all(_independent(graph, "A", other, known) for other in set("BCDE") - set(known))
    smallest = min((set(known) for n in range(5) for known in combinations("BCDE", n) if screens(known)), key=len)
    assert smallest == markov_blanket(graph, "A")
    return {
        f"${{{names}}}$".replace("{", r"\{").replace("}", r"\}"): set(names.split(",")) == smallest
        for names in ("C", "B,C", "C,D", "B,C,D,E")
    }


def _explained(seed):
    """Of a tree with one observed leaf: the joint best states, and the best state of each variable alone."""
    p = _random(TREE, seed).query([*TREE])[..., 1]
    alone = [int(p.sum(axis=tuple({0, 1, 2} - {k})).argmax()) for k in range(3)]
    return p, tuple(map(int, np.unravel_index(p.argmax(), p.shape))), tuple(alone)


def quiz_explanation():
    """In a network with evidence, the most probable explanation is"""
    found = [_explained(seed) for seed in range(40)]
    priors = [int(_random(TREE, seed).query("A").argmax()) for seed in range(40)]
    return {
        "the list of the most probable state of each hidden variable": all(best == alone for _, best, alone in found),
        "the one assignment of all hidden variables with the largest posterior probability": all(
            p[best] == max(p[states] for states in product([0, 1], repeat=3)) for p, best, _ in found
        ),
        "the state of the parents with the largest prior": all(
            best[0] == prior for (_, best, _), prior in zip(found, priors, strict=True)
        ),
    }


def tf_neighbours():
    """A parent and its child are never d-separated."""
    separated = []
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        graph = {v: [u for u in "ABCDE"[:k] if rng.random() < 0.5] for k, v in enumerate("ABCDE")}
        for child, above in graph.items():
            for parent in above:
                rest = sorted(set(graph) - {child, parent})
                known = [given for n in range(4) for given in combinations(rest, n)]
                separated += [d_separated(graph, parent, child, given) for given in known]
    return bool(separated) and not any(separated)


def tf_more():
    """Observing more variables can only remove dependences."""
    graph = {"A": [], "C": [], "B": ["A", "C"]}
    assert not _independent({"A": [], "B": ["A"], "C": ["B"]}, "A", "C", "")  # here it removes one
    assert _independent({"A": [], "B": ["A"], "C": ["B"]}, "A", "C", "B")
    return _independent(graph, "A", "C", "B") or not _independent(graph, "A", "C", "")


def tf_order():
    """Variable elimination gives different answers for different orders."""
    answers, costs = [], set()
    model = _random({"A": [], "B": ["A"], "C": ["A"], "D": ["B", "C"], "E": ["D"]}, 1, 3)
    for order in (["B", "C", "D"], ["D", "C", "B"], ["C", "D", "B"]):
        answers.append(model.query("E", {"A": 1}, order=order))
        costs.add(model.cost("E", {"A": 1}, order=order).multiplications)
    assert len(costs) > 1
    return not np.allclose(answers, answers[0])


def tf_complete():
    """With complete data and a known graph, maximum likelihood needs no iteration."""
    data = _random({"A": [], "B": ["A"]}, 2).sample(60, 3)
    counted = BayesianNetwork({"A": [], "B": ["A"]}).fit(data)

    def loss(z):
        p = 1 / (1 + np.exp(-z))
        table = lambda q: np.stack([1 - q, q], axis=-1)
        return -BayesianNetwork(counted.parents).set_tables({"A": table(p[0]), "B": table(p[1:])}).score(data)

    searched = minimize(loss, np.zeros(3), tol=1e-10).fun  # with iterations, from another start
    return searched == pytest.approx(-counted.score(data), abs=1e-6)


def tf_root():
    """Chow and Liu's tree does not depend on which node is taken for the root."""
    data = _random({"A": [], "B": ["A"], "C": ["A", "B"], "D": ["C"]}, 4).sample(200, 5)
    lines = [{"A", "B"}, {"B", "C"}, {"C", "D"}]
    scores = []
    for root in "ABCD":
        graph, todo = {root: []}, [root]
        while todo:
            node = todo.pop()
            for other in sorted(o for line in lines if node in line for o in line - {node} if o not in graph):
                graph[other] = [node]
                todo.append(other)
        scores.append(BayesianNetwork(graph).fit(data).score({v: data[v] for v in graph}))
    collider = BayesianNetwork({"A": [], "B": ["A", "C"], "C": [], "D": ["C"]}).fit(data).score(data)
    assert not np.isclose(collider, scores[0])
    return np.allclose(scores, scores[0])


test_claim = decided("bayes/bayesian_network", globals())
