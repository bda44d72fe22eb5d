"""Exercises on Bayesian networks: sums over the whole joint table, counts of the library, all graphs of a size."""

from itertools import combinations, product

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.stats import entropy

from notes_lib.bayes.bayesian_network import BayesianNetwork, count_parameters
from notes_lib.bayes.bayesian_network.graph import immoralities, skeleton, topological_order
from notes_lib.bayes.bayesian_network.learning import learn_table
from tests.solutions.ledger import Worked

ALARM = {"B": [], "E": [], "A": ["B", "E"], "J": ["A"], "M": ["A"]}


def _binary(p):
    """A table from the probabilities of state 1."""
    return np.stack([1 - np.array(p), p], axis=-1)


def _network(parents, **one):
    """A network of binary variables, by the probabilities of state 1, and its joint table in the order of names."""
    model = BayesianNetwork(parents).set_tables({name: _binary(p) for name, p in one.items()})
    return model, model.query([*parents], method="enumeration")


def _size(parents, **states):
    """The number of free parameters; variables are binary if nothing else is said."""
    return count_parameters(parents, {name: states.get(name, 2) for name in parents})


def ex_triples():
    tables = {"A": 0.5, "C": 0.5, "B": [[1, 0], [0, 1]]}
    _, joint = _network({"A": [], "C": [], "B": ["A", "C"]}, **tables)
    agree = 1
    assert np.allclose(joint[:, :, agree], np.eye(2) / 4)
    return Worked({"B": agree}, numbers=[_binary(tables["B"]).sum(axis=-1)[0, 0]])


def ex_alarm():
    burglary, quake, rings = 0.001, 0.002, [[0.001, 0.29], [0.94, 0.95]]
    john, mary = [0.05, 0.90], [0.01, 0.70]
    model, joint = _network(ALARM, B=burglary, E=quake, A=rings, J=john, M=mary)
    call = joint[..., 1, 1]  # by burglary, earthquake, alarm
    prior = joint.sum(axis=(1, 2, 3, 4))
    inner = call.sum(axis=(1, 2)) / prior
    assert np.isclose(model.query("B", {"J": 1, "M": 1})[1], call[1].sum() / call.sum())
    return Worked(
        numbers=[burglary, quake, 0.95, 0.94, 0.29, 0.001, john[::-1], mary[::-1], np.multiply(john, mary)[::-1],
                 prior[1], prior[0], call[1].sum(), call[0].sum(),
                 joint.size - 1],
        known=[inner, 1 - quake, call[1].sum() / call.sum(), _size(ALARM)],
    )  # fmt: skip


def ex_noisy_or():
    leak, cold, flu = 0.05, 0.6, 0.2
    silent = [[1 - leak, (1 - leak) * flu], [(1 - leak) * cold, (1 - leak) * cold * flu]]
    fever = 1 - np.array(silent)
    model, joint = _network({"cold": [], "flu": [], "fever": ["cold", "flu"]}, cold=0.2, flu=0.1, fever=fever)
    ill = joint[..., 1]
    n = 5
    return Worked(
        {"q": cold, r"\ell": leak, "n": n, r"p(\text{fever})": fever[1, 1],
         r"\prod_{i\text{ present}}q_i": cold * flu},
        worlds=[{"q": flu}],
        numbers=[0.2, 0.1, len([leak, *range(n)]), len(list(product((0, 1), repeat=n))), fever[0, 0], ill[0, 0],
                 ill[1, 0], ill[0, 1], ill[1, 1], ill.sum()],
        known=[fever, ill[:, 1].sum(), ill[1].sum(), model.query("flu", {"fever": 1})[1],
               model.query("flu", {"fever": 1, "cold": 1})[1]],
    )  # fmt: skip


def ex_explanation():
    parents = {"C": [], "S": ["C"], "R": ["C"], "W": ["S", "R"]}
    sprinkler, rain = [0.5, 0.1], [0.2, 0.8]
    wet = [[0, 0.9], [0.9, 0.99]]
    model, joint = _network(parents, C=0.5, S=sprinkler, R=rain, W=wet)
    lawn = joint[..., 1]
    upper = joint.sum(axis=3)  # of clouds, sprinkler and rain
    states = list(product((0, 1), repeat=2))
    best = np.unravel_index(lawn.argmax(), lawn.shape)
    clouds = [state for state in states if upper[:, state[0], state[1]].argmax() == 1]
    assert best == (1, 0, 1)
    return Worked(
        {"p(c)": 0.5, r"p(s\mid c)": sprinkler[1], r"p(r\mid c)": rain[1]},
        numbers=[sprinkler[0], rain[0], wet[0][1], wet[1][1], states, clouds, lawn.max(axis=0), lawn.sum(),
                 upper.sum(axis=0), lawn.sum(axis=0), lawn.sum()],
        known=[lawn.max() / lawn.sum(), model.query("S", {"W": 1})[1]],
    )  # fmt: skip


def ex_score():
    counts = np.array([[40, 10], [10, 40]])
    N = counts.sum()
    likelihood = lambda p: float((counts * np.log(p)).sum())
    apart = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / N**2
    gain = likelihood(counts / N) - likelihood(apart)
    conditional, price = entropy(counts[0]), np.log(N) / 2
    pairs = {"AB": 0.19, "AC": 0.12, "BC": 0.16, "AD": 0.03, "BD": 0.05, "CD": 0.10}
    weights = np.zeros((4, 4))
    for pair, information in pairs.items():
        weights["ABCD".index(pair[0]), "ABCD".index(pair[1])] = -information
    tree = minimum_spanning_tree(weights).toarray()
    assert {"ABCD"[i] + "ABCD"[j] for i, j in zip(*tree.nonzero(), strict=True)} == {"AB", "BC", "CD"}
    return Worked(
        {"N": N, r"\hat I(A;B)": gain / N, r"\hat I": gain / N, r"\hat H(B)": entropy(counts.sum(axis=0)), "A": 0,
         "B": 0, r"\hat H(B\mid A)": conditional},
        worlds=[{"A": 1, "B": 1}],
        numbers=[gain - price, N, counts[0, 0], counts[1, 1], counts[0, 1], list(pairs.values()), price, 0],
        known=[gain, price, gain - price],
    )  # fmt: skip


def ex_gaussian():
    slopes, noise = np.array([[0, 0, 0], [0.5, 0, 0], [0, 2, 0]]), np.diag([4, 1, 3])
    spread = np.linalg.inv(np.eye(3) - slopes)
    mean, S = spread @ [10, 2, 3], spread @ noise @ spread.T
    given = lambda k, at: [mean[0] + S[0, k] / S[k, k] * (at - mean[k]), S[0, 0] - S[0, k] ** 2 / S[k, k]]
    precision = np.linalg.inv(S)
    x, y = 1.4, -0.7
    law = {"X": [10, 4], r"Y\mid x": [2 + slopes[1, 0] * x, 1], r"Z\mid y": [3 + slopes[2, 1] * y, 3]}
    return Worked(
        {**law, "x": x, "y": y, "Y": 9, "Z": 20, r"\mathcal{N}": lambda mean, variance: [mean, variance]},
        numbers=[*law.values(), precision[0, 2], mean[0], S[0, 0], slopes[2, 1], precision[0, 2]],
        known=[mean, S, given(1, 9), given(2, 20)],
    )


def ex_order():
    turned = {"M": [], "J": ["M"], "A": ["M", "J"], "B": ["A"], "E": ["A", "B"]}
    return Worked(numbers=[_size(ALARM)], known=[_size(turned)])


def ex_likelihood():
    w, q, r = 0.36, 1, 0.43
    return Worked({"w": w, r"\mathbb{1}[q]": q, "r": r}, numbers=[w * q, w * q - w * r])


def _graphs(size):
    """All graphs without a cycle on some nodes, as parents."""
    pairs = list(combinations(range(size), 2))
    for ways in product((0, 1, -1), repeat=len(pairs)):
        arrows = [pair[::way] for pair, way in zip(pairs, ways, strict=True) if way]
        parents = {str(t): [str(a) for a, b in arrows if b == t] for t in range(size)}
        try:
            topological_order(parents)
        except ValueError:
            continue
        yield parents


def cards():
    sizes = range(1, 5)
    graphs = [list(_graphs(size)) for size in sizes]
    classes = [len({(frozenset(skeleton(g)), frozenset(immoralities(g))) for g in found}) for found in graphs]
    K, d = 3, 4
    states = [2, 3, 4]
    collider = {"1": [], "2": [], "3": ["1", "2"]}
    star = {"class": [], **{str(j): ["class"] for j in range(d)}}
    quiz = {"A": [], "B": [], "C": ["A", "B"], "D": ["C"]}
    marginal, explained = _tree_of_the_film()
    counts = [8, 2]
    of_parents = {"U": [], "V": [], "T": ["U", "V"]}
    combinations_of = _size(of_parents, U=3, V=4) - (3 - 1) - (4 - 1)
    return {
        "lost-marks-count": Worked(numbers=[3, 4, -1], known=[combinations_of]),
        "lost-marks-sign": Worked({r"p(\mathcal{D})": 0.3}, numbers=[1, 1 / 0.3]),
        "do-not-confuse-models": Worked(numbers=[_binary([0.3]).sum()]),
        "what-if-alpha": Worked({r"\alpha": 1e-9}),
        "what-if-twice": Worked(numbers=[2, 2]),
        "counting": Worked(
            {"t": range(1, 4), "j": range(1, 4), "K_#": states, "K": K, "d": d,
             r"\mathrm{pa}": lambda t: frozenset(map(int, collider[str(round(t))]))},
            numbers=[count_parameters(collider, dict(zip(collider, states, strict=True))), _size(star, **{"class": K}),
                     list(sizes), [len(found) for found in graphs], classes,
                     sum(np.ones((K, K)).size for _ in range(1, d)), (d - 1) * np.ones([K] * d).size],
        ),
        "convention-layout": Worked(numbers=[_binary([0.3]).sum(), 1]),
        "convention-operations": Worked({"k": 4, "n": 8}, numbers=[np.ones((4, 8))[1:].sum()]),
        "convention-alpha": Worked(
            {r"\alpha": 1},
            numbers=[counts, learn_table([counts], 1)[0, 0], 1, learn_table([counts], 1 / np.ones((2, 2)).size)[0, 0]],
        ),
        "quiz-count": Worked(
            numbers=[_size(quiz), _size(quiz), 2**4 - 1, sum(2 ** (1 + len(above)) for above in quiz.values()),
                     _size({**quiz, "C": ["A"]})],
        ),
        "quiz-explanation": Worked({"A": marginal}, worlds=[{"A": explained}]),
    }  # fmt: skip


def _tree_of_the_film():
    """The likelier state of A alone, and its state in the explanation, given D = 1."""
    tables = {"A": 0.4, "B": [0.05, 0.5], "C": [0.5, 0.9], "D": [0.1, 0.7]}
    model, joint = _network({"A": [], "B": ["A"], "C": ["A"], "D": ["C"]}, **tables)
    hidden = joint[..., 1]
    return model.query("A", {"D": 1}).argmax(), np.unravel_index(hidden.argmax(), hidden.shape)[0]
