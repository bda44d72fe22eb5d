"""The quiz of the chapter *Association rules*, decided: see ``tests/claims/deciding.py``."""

from itertools import combinations, product

import numpy as np

from notes_lib.mining.apriori import (
    PRODUCTS,
    apriori,
    association_rules,
    closed_itemsets,
    eclat,
    fp_tree,
    fpgrowth,
    generate_candidates,
    item_ranks,
    make_baskets,
    maximal_itemsets,
    rule_measures,
)
from tests.claims.deciding import Numbers, decided


def quiz_lift(n, x, y, both):
    r"""Of <n> baskets <x> have $X$, <y> have $Y$ and <both> have both. The lift is"""
    m = rule_measures(both / n, x / n, y / n)
    return Numbers(m.lift, [m.confidence, m.leverage, m.conviction])


def quiz_rules(k):
    """How many rules can be made from one itemset of <k> items?"""
    found = apriori([set(range(int(k)))], 1.0)
    rules = association_rules(found, "support", 0.0)
    of_one = [r for r in rules if len(r.antecedent | r.consequent) == k]
    subsets = 2**k
    return Numbers(len(of_one), [subsets, subsets - 1, len(rules)])


def quiz_candidates():
    """The frequent pairs are ab, ac, ad, bc and cd. Which triples are counted?"""
    pairs = ["ab", "ac", "ad", "bc", "cd"]
    found = {"".join(sorted(c)) for c in generate_candidates([set(p) for p in pairs])}
    joined = {a + b[1] for a, b in combinations(pairs, 2) if a[0] == b[0]}
    every = {"".join(c) for c in combinations("abcd", 3)}
    assert joined == {"abc", "abd", "acd"}
    return {
        "abc, abd and acd": found == joined,
        "abc and acd": found == {"abc", "acd"},
        "abc": found == {"abc"},
        "all four triples": found == every,
    }


def quiz_tree():
    """Baskets {a, b, c}, {a, b, d}, {a, c}, {b}, in the order a, b, c, d. How many nodes below the root?"""
    baskets = ["abc", "abd", "ac", "b"]
    places = np.array([["abcd".index(i) if i else -1 for i in (list(b) + [""] * 3)[:3]] for b in baskets])
    nodes = len(fp_tree(places, np.ones(4, int)).ranks) - 1
    alone = sum(map(len, baskets))
    return Numbers(nodes, [alone, len(set("".join(baskets))), nodes - 1])


def _all(transactions):
    found = apriori(transactions, 1 / len(transactions))
    return {(r.antecedent, r.consequent): r for r in association_rules(found, "support", 0.0)}


def _rises(name, side):
    """Whether a measure is larger for a rule with one more item on this side, anywhere in small shops."""
    for seed in range(5):
        found = apriori(make_baskets(200, seed).transactions, 0.02, 3)
        rules = {(r.antecedent, r.consequent): r for r in association_rules(found, "support", 0.0)}
        for (x, y), rule in rules.items():
            for item in frozenset(PRODUCTS) - x - y:
                larger = (x | {item}, y) if side == "antecedent" else (x, y | {item})
                if larger in rules and getattr(rules[larger], name) > getattr(rule, name) + 1e-9:
                    return True
    return False


def quiz_rise():
    """Which of these can rise when an item is added to the itemset or rule? (Mark all.)"""
    found = apriori(make_baskets(200).transactions, 0.01)
    return {
        "the support of an itemset": any(found[s] > found[s - {i}] for s in found if len(s) > 1 for i in s),
        "the confidence, with one more item in the antecedent": _rises("confidence", "antecedent"),
        "the confidence, with one more item in the consequent": _rises("confidence", "consequent"),
        "the lift, with one more item in the antecedent": _rises("lift", "antecedent"),
    }


def quiz_symmetric():
    """Which measures stay the same if $X$ and $Y$ are exchanged? (Mark all.)"""
    there, back = rule_measures(0.2, 0.4, 0.3), rule_measures(0.2, 0.3, 0.4)
    return {name: abs(getattr(there, name) - getattr(back, name)) < 1e-12 for name in there._fields}


def tf_maximal():
    """Every maximal itemset is closed."""
    inside = []
    for seed, share in product(range(5), (0.02, 0.1)):
        found = apriori(make_baskets(100, seed).transactions, share)
        maximal, closed = set(maximal_itemsets(found)), set(closed_itemsets(found))
        assert closed - maximal  # the converse is false
        inside.append(maximal <= closed)
    return all(inside)


def tf_subsets():
    """If all subsets of an itemset are frequent, so is the itemset."""
    found = apriori([{1, 2}, {1, 3}, {2, 3}], 1 / 3)
    candidates = generate_candidates([s for s in found if len(s) == 2])
    assert candidates == [frozenset({1, 2, 3})]
    assert frozenset({1, 2}) in found
    return all(c in found for c in candidates)


def tf_pairs():
    """A lift of 1 for all pairs means that no rule has a lift other than 1."""
    eight = [
        frozenset({"z", *(i for i, b in zip("abc", bits, strict=True) if b)}) for bits in product([0, 1], repeat=3)
    ]
    assert np.allclose([r.lift for r in _all(eight).values()], 1)  # three independent items
    uneven = [b for b in eight if len(b - {"z"}) % 2]  # each pair independent, the third item then fixed
    others = _all(uneven)
    assert np.allclose([r.lift for (x, y), r in others.items() if len(x) == len(y) == 1], 1)
    return bool(np.allclose([r.lift for r in others.values()], 1))


def tf_simpson():
    """A rule that holds in each of two branches with a lift above 1 can have a lift below 1 in both together."""

    def lift(both, x, y, n):
        return rule_measures(both / n, x / n, y / n).lift

    first, second = (15, 20, 70, 100), (3, 80, 3, 100)  # baskets with both, with X, with Y, all
    assert lift(*first) > 1
    assert lift(*second) > 1
    return lift(*(a + b for a, b in zip(first, second, strict=True))) < 1


def tf_same():
    """FP-growth finds more itemsets than Apriori."""
    sizes = []
    for seed in range(4):
        transactions = make_baskets(150, seed).transactions
        found = [mine(transactions, 0.03) for mine in (apriori, fpgrowth, eclat)]
        assert item_ranks(transactions, 0.03)[0]
        sizes.append([len(f) for f in found])
    return any(b > a for a, b, _ in sizes)


test_claim = decided("mining/apriori", globals())
