r"""Association rules: a few baskets and three disjoint itemsets, a tree, a shop of two branches, permuted columns."""

from itertools import combinations, permutations

import numpy as np

from notes_lib.mining.apriori import (
    apriori,
    association_rules,
    chance_deviation,
    fp_tree,
    item_ranks,
    minimum_count,
    number_of_rules,
    rule_measures,
)
from tests.formulas.values import Instance

D, N = 5, 7


def baskets_of(rng):
    """Rows of zeros and ones with three disjoint itemsets of which some basket has all, and none is everywhere."""
    while True:
        A = rng.integers(0, 2, size=(N, D))
        X, Y, Z = frozenset({1, 2}), frozenset({3}), frozenset({4})
        shares = [A[:, [i - 1 for i in s]].all(axis=1).mean() for s in (X | Y | Z, X, Y, X | Y)]
        if A.any(axis=1).all() and shares[0] > 0 and max(shares) < 1 and shares[3] < shares[1]:
            return A, X, Y, Z


def tree_of(A):
    """Nodes of an item and of a more frequent one, counts of nodes, and the items above each."""
    rows = [frozenset((np.flatnonzero(row) + 1).tolist()) for row in A]
    items, paths = item_ranks(rows, 1 / N)
    tree = fp_tree(paths, np.ones(len(paths), int))
    above = [frozenset()]
    for v in range(1, len(tree.ranks)):
        up = int(tree.parents[v])
        above.append(above[up] | ({items[tree.ranks[up]]} if up else frozenset()))
    first, last = items[0], items[-1]
    nodes = frozenset(np.flatnonzero(tree.ranks == len(items) - 1).tolist())
    both = sum({first, last} <= row for row in rows)
    return {
        "v": range(1, len(tree.ranks)), "V_i": nodes,
        r"c_#": lambda v: int(tree.counts[int(v)]), r"\mathcal{A}_#": lambda v: above[int(v)],
        "N_i": sum(last in row for row in rows), "N_{ij}": both, "j": first,
    }  # fmt: skip


def all_orders(x, y, n):
    """Leverages of two items in x and in y of n baskets, over all ways to hand the second one out."""
    first = np.arange(n) < x
    second = np.array(list(set(permutations([True] * y + [False] * (n - y)))))
    return (first & second).mean(axis=1)


def instance(seed):
    """One table of baskets, with what enumeration says of it."""
    rng = np.random.default_rng(seed)
    A, X, Y, Z = baskets_of(rng)
    rows = lambda S: frozenset(n for n in range(1, N + 1) if all(A[n - 1, i - 1] for i in S))
    s = lambda S: sum(set(S) <= set(np.flatnonzero(row) + 1) for row in A) / N
    measures = rule_measures(s(X | Y), s(X), s(Y))
    found = apriori([frozenset((np.flatnonzero(row) + 1).tolist()) for row in A], 1 / N)
    conf = {(r.antecedent, r.consequent): r.confidence for r in association_rules(found, "support", 0.0)}
    least = float(rng.uniform(0.2, 0.8))
    x, y = len(rows(X)), len(rows(Y))
    orders = all_orders(x, y, N)
    variance = orders.var()
    closure = frozenset(i for i in range(1, D + 1) if all(A[n - 1, i - 1] for n in rows(X)))
    d, k, m, B = int(rng.integers(3, 7)), int(rng.integers(2, 6)), int(rng.integers(2, 8)), 9
    null = rng.normal(size=B) + 1
    z = null[0]  # a tie counts
    branch = rng.integers(0, 2, size=N)
    with_x = np.array([n in rows(X) for n in range(1, N + 1)])
    with_y = np.array([n in rows(Y) for n in range(1, N + 1)])
    groups = [g for g in (0, 1) if (with_x & (branch == g)).any()]
    inside = {g + 1: with_y[with_x & (branch == g)].mean() for g in groups}
    weight = {g + 1: (branch[with_x] == g).mean() for g in groups}
    table = lambda n, i: int(A[int(n) - 1, int(i) - 1])
    rule = r"(X\Rightarrow Y)"
    candidate = all(s(X - {i}) >= least for i in X)
    values = {
        "X": X, "Y": Y, "Z": Z, "N": N, "n": range(1, N + 1), "i": range(1, D + 1), "a_{##}": table, "T": rows,
        "s": s, r"s_{\min}": least, r"X_{-#}": lambda i: X - {i},
        rf"\operatorname{{conf}}{rule}": measures.confidence, rf"\operatorname{{lift}}{rule}": measures.lift,
        rf"\operatorname{{lev}}{rule}": measures.leverage, rf"\operatorname{{conv}}{rule}": measures.conviction,
        r"\operatorname{conf}(X\Rightarrow Y\cup Z)": conf[X, Y | Z],
        r"\operatorname{conf}(X\cup Z\Rightarrow Y)": conf[X | Z, Y],
        "k": k, "m": m, r"|\mathcal{C}_2|": len(list(combinations(range(m), 2))),
        "d": d, "R": number_of_rules, "R(d)": number_of_rules(d), "h": lambda S: closure, "h(X)": closure,
        r"\operatorname{E}_0 s(X\cup Y)": orders.mean(), r"\operatorname{Var}_0(\operatorname{lev})": variance,
        "z": z, "z_#": lambda b: null[int(b) - 1], "b": range(1, B + 1), "B": B,
        "p": np.mean(np.append(null, np.inf) >= z), "g": range(1, 3), "w_#": lambda g: weight.get(int(g), 0.0),
        r"\operatorname{conf}_#": lambda g: inside.get(int(g), 0.0),
    } | tree_of(A)  # fmt: skip
    own = {
        "apriori-explosion": {r"|\mathcal{F}|": len(found), "k": max(map(len, found))},
        "apriori-number-of-rules": {"k": range(2, d + 1)},
        "apriori-z": {"z": measures.leverage / chance_deviation(s(X), s(Y), N)},
    }
    enough = minimum_count(least, N)
    return Instance(
        values,
        own,
        worth={"apriori-must-know-count:1": 2**k - 2, "apriori-frequent/2": enough},
        truth={"apriori-join": candidate, "apriori-must-know-join:1": candidate},
    )


UNREAD: dict[str, str] = {}
