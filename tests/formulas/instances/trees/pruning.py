"""Pruning: a small tree of the library, all its pruned trees by listing, the bounds by SciPy's distributions."""

from itertools import product

import numpy as np
from scipy.stats import beta, binom, norm

from notes_lib.foundations.inference import wilson_interval
from notes_lib.trees.cart import DecisionTreeClassifier, collapse
from notes_lib.trees.pruning import (
    best_cut,
    cost_complexity_cut,
    cost_complexity_pruning_path,
    early_stop,
    link_strengths,
    node_errors,
    pessimistic_rate,
    reach,
    resubstitution_costs,
)
from tests.formulas.values import At, Instance


class Listed:
    """A tree, and the leaves of every pruned branch at each node; nodes count from 1, as on the page."""

    def __init__(self, tree):
        self.tree = tree
        self.child = {r"\ell": tree.children_left + 1, "r": tree.children_right + 1}

    def branches(self, t):
        """The leaves of every pruned branch at node t."""
        if self.tree.is_leaf[t - 1]:
            return [(t,)]
        pairs = product(*(self.branches(child[t - 1]) for child in self.child.values()))
        return [(t,), *(a + b for a, b in pairs)]

    def least(self, t, cost, alpha):
        """The least cost of a branch at t."""
        return min(sum(cost[u - 1] for u in leaves) + alpha * len(leaves) for leaves in self.branches(t))

    def ends(self, cut, t=1):
        """The nodes below t at which a walk stops."""
        return (t,) if cut[t - 1] else tuple(u for child in self.child.values() for u in self.ends(cut, child[t - 1]))

    def left(self, cut):
        """All nodes of the pruned tree."""
        found, work = [], [1]
        while work:
            found.append(work.pop())
            if not cut[found[-1] - 1]:
                work += [int(child[found[-1] - 1]) for child in self.child.values()]
        return frozenset(found)


def grown(rng):
    """A tree on noisy labels, and as many rows kept aside."""
    X, y = rng.normal(size=(90, 3)), rng.integers(0, 2, 90)
    model = DecisionTreeClassifier(max_leaf_nodes=7, random_state=0).fit(X[:45], y[:45])
    return model, X[:45], y[:45], X[45:], y[45:]


def passes(model, X):
    """Which rows reach each node, (m, n)."""
    return model.decision_path(X).toarray().T.astype(bool)


def of(function):
    """A function of a node, or of the place of a node, which the reader gives as a float."""
    return At(lambda t: function(int(t)), "t")


def instance(seed):
    """A tree of at most seven leaves and its prices; leaves with errors."""
    rng = np.random.default_rng(seed)
    model, X, y, aside, labels = grown(rng)
    tree = model.tree_
    listed, m, said = Listed(tree), tree.node_count, tree.value.argmax(axis=1)
    cost, alpha = rng.uniform(1, 3, m), rng.uniform(0.2, 2.5)

    def branch_cost(t, cost, alpha):
        """What the branch costs that the library leaves at t."""
        ends = listed.ends(best_cut(tree, cost, alpha), t)
        return sum(cost[u - 1] for u in ends) + alpha * len(ends)

    R = resubstitution_costs(tree)
    share = [np.array([np.mean(y[row] == k) for k in (0, 1)]) for row in passes(model, X)]
    gini, size = np.array([1 - p @ p for p in share]), passes(model, X).sum(axis=1)
    path = cost_complexity_pruning_path(tree)
    starts = np.unique(path.ccp_alphas)
    k = int(rng.integers(len(starts) - 1))
    stop = cost_complexity_cut(tree, starts[k])
    now = {t: listed.ends(stop, t) for t in sorted(listed.left(stop))}
    inner = [t for t in now if not stop[t - 1]]
    current = collapse(tree, stop)
    strengths = dict(zip(sorted(now), link_strengths(current), strict=True))
    split = np.flatnonzero(~tree.is_leaf) + 1
    gains = {t: gini[t - 1] - sum(size[c[t - 1] - 1] / size[t - 1] * gini[c[t - 1] - 1] for c in listed.child.values())
             for t in split}  # fmt: skip
    limit = rng.uniform(0, 0.08)
    reached = reach(tree, aside, lambda node: said[node] != labels)
    few, n, q = int(rng.integers(0, 4)), int(rng.integers(5, 40)), rng.uniform(0.05, 0.5)
    z = norm.isf(q)
    prices = rng.uniform(0, 0.1, 2)
    values = {
        "t": range(1, m + 1), "k": range(len(starts) - 1), "i": range(30), r"\alpha": alpha,
        r"\alpha'": prices[1], r"\ell": of(lambda t: listed.child[r"\ell"][t - 1]),
        "r": of(lambda t: listed.child["r"][t - 1]), "c": of(lambda t: cost[t - 1]),
        "C": of(lambda t: branch_cost(t, cost, alpha)), "N": len(y), "N_#": size, "I_#": gini, "E": few, "n": n,
        "q": q, "U": float(pessimistic_rate(few, n, q)), r"\text{ is a leaf of }T": of(lambda t: tree.is_leaf[t - 1]),
        r"\text{ if not}": 1.0, r"\text{inner}": of(lambda t: not tree.is_leaf[t - 1]),
        "E_#": node_errors(tree), "M_#": [(labels[row] != said[t]).sum() for t, row in enumerate(passes(model, aside))],
        "R": of(lambda t: R[t - 1]), "T": At(lambda a: listed.left(cost_complexity_cut(tree, a))),
        r"\alpha_#": dict(enumerate(starts)), "z": z, "f": few / n,
    }  # fmt: skip
    priced = listed.ends(cost_complexity_cut(tree, alpha / 20))
    links = {
        "t": range(1, len(inner) + 1), "g": of(lambda j: strengths[inner[j - 1]]),
        "R": of(lambda j: R[inner[j - 1] - 1]), "R(T_#)": lambda j: sum(R[u - 1] for u in now[inner[j - 1]]),
        "T_#": lambda j: len(now[inner[j - 1]]),
    }  # fmt: skip
    split_of = {"t": range(1, len(split) + 1), r"\Delta I_#": [gains[t] for t in split],
                "N_#": [size[t - 1] for t in split], r"\beta": limit}  # fmt: skip
    stops = early_stop(tree, limit)
    upper = np.array(
        [1.0 if e == s else beta(e + 1, s - e).ppf(0.75) for e, s in zip(node_errors(tree), size, strict=True)]
    )
    predicted = {r"\alpha": 0.0, "U": At(lambda e, s: float(pessimistic_rate(e, s))),
                 "c": of(lambda t: size[t - 1] * upper[t - 1])}  # fmt: skip
    whole = {r"\alpha": alpha / 20, "T": len(priced), r"R_\alpha(T)": listed.least(1, R, alpha / 20),
             r"\text{ leaf of }T": of(lambda t: t in priced), "R(T)": sum(R[u - 1] for u in priced)}  # fmt: skip
    difference = {
        "t": range(1, len(split) + 1), r"\ell": of(lambda j: listed.child[r"\ell"][split[j - 1] - 1]),
        "r": of(lambda j: listed.child["r"][split[j - 1] - 1]), "R": of(lambda j: cost[split[j - 1] - 1]),
        "C_#": {t: At(lambda a, t=t: branch_cost(t, cost, a)) for t in range(1, m + 1)},
        "D_#": [At(lambda a, t=t: listed.least(listed.child[r"\ell"][t - 1], cost, a)
                   + listed.least(listed.child["r"][t - 1], cost, a) - cost[t - 1] - a) for t in split],
    }  # fmt: skip
    pure = {"U": At(lambda e, s: float(pessimistic_rate(e, s, q)))}
    card = "pruning-must-know-"
    own = {
        "pruning-stop": split_of, "pruning-zero-bound": pure, "pruning-predicted": predicted,
        "pruning-reduced": {r"\alpha": 0.0, "c": of(lambda t: reached[t - 1])},
        "pruning-normal-bound": {"U_z": wilson_interval(few, n, 1 - 2 * q).high}, "pruning-cost": whole,
        "pruning-nested": {r"\alpha": prices[0]}, "pruning-advantage": difference, "pruning-link": links,
        "pruning-weakest": {**links, "k": range(k, k + 1), r"\text{ inner node of }T_#": lambda *_: 1.0},
        "pruning-geometric": {r"\alpha_#'": dict(enumerate(path.between))},
        f"{card}bound:1": {"q": 0.25, r"P(\text{at most }E\text{ errors of }n\mid U)":
                           binom(n, pessimistic_rate(few, n)).cdf(few)},
        f"{card}bound:2": {"U": float(pessimistic_rate(0, n, q))}, f"{card}cost:1": whole, f"{card}cost:2": links,
    }  # fmt: skip
    return Instance(
        values,
        own,
        given={"pruning-recursion": r"\text{inner}", f"{card}recursion:1": r"\text{inner}"},
        truth={"pruning-stop": of(lambda j: stops[split[j - 1] - 1])},
    )
