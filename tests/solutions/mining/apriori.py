"""Exercises on association rules: baskets, itemsets and rules counted one by one."""

from itertools import chain, combinations, combinations_with_replacement, product

import numpy as np

from notes_lib.mining.apriori import chance_deviation, generate_candidates, make_baskets, minimum_count
from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _subsets(items):
    """All subsets with at least one item."""
    return [frozenset(s) for k in range(1, len(items) + 1) for s in combinations(sorted(items), k)]


def _share(baskets, itemset):
    return float(np.mean([itemset <= basket for basket in baskets]))


def _measures(x, y):
    """Confidence, lift, leverage and conviction of a rule from what each basket has."""
    x, y = np.asarray(x, dtype=bool), np.asarray(y, dtype=bool)
    exceptions = np.mean(x & ~y)
    conviction = np.mean(x) * np.mean(~y) / exceptions if exceptions else np.inf
    return {"confidence": np.mean(y[x]), "lift": np.mean(y[x]) / np.mean(y),
            "leverage": np.cov(x, y, bias=True)[0, 1], "conviction": conviction}  # fmt: skip


def _two(size, first, second, both):
    """Two columns of baskets with these counts."""
    x, y = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    x[:first] = y[:both] = y[first : first + second - both] = True
    return x, y


def _rules(d):
    """Rules of d items: both sides have one, and no item is on both."""
    return sum({1, 2} <= {*sides} for sides in product(range(3), repeat=d))


def ex_closure():
    kinds = [frozenset(), *_subsets("abc")]
    shops = [shop for shop in combinations_with_replacement(kinds, 5) if _share(shop, {"a", "b"}) == 0.2]
    shares = lambda items: [_share(shop, set(items)) for shop in shops]
    shop = shops[-1]
    return Worked(
        {"a": 1, "b": 2, "c": 3, "s": At(lambda items: _share(shop, {"abc"[round(i) - 1] for i in items}))},
        numbers=[min(shares("a")), max(shares("abc")), min(shares("ac")), max(shares("ac"))],
    )


def ex_cereal():
    size, football, cereal, both = 500, 300, 375, 200
    found = _measures(*_two(size, football, cereal, both))
    return Worked(numbers=[size, football, cereal, both], known=[*found.values()])


def ex_threshold():
    baskets = [set(basket) for basket in ("abc", "ab", "ac", "bc", "abc")]
    count = {k: {sum({*s} <= b for b in baskets) for s in combinations("abc", k)} for k in (1, 2, 3)}
    return Worked(numbers=[one for counts in count.values() for one in counts])


def ex_count():
    d = 5
    sides = [*product(range(3), repeat=d)]
    empty = sum(1 not in side for side in sides)  # on the left; as many on the right
    taken = [sum(k not in side for k in (1, 2)) for side in sides]
    rules = [(s, frozenset("abcde") - s) for s in _subsets("abcde")]
    holding = [rule for rule in rules if rule[1] and rule[1] != frozenset("bcde")]
    return Worked(
        {"d": d, "R": At(lambda d: _rules(round(d)))},
        numbers=[5, len(sides), empty, max(taken), _rules(d)],
        known=[len(holding)],
    )


def _passes(baskets):
    """How often Apriori reads baskets in which whatever occurs is frequent, and the size of the largest itemset."""
    level, passes, size = [frozenset(i) for i in sorted(set(chain(*baskets)))], 0, 0
    while level:
        passes += 1
        last = [s for s in level if _share(baskets, s)]
        size = len(last[0]) if last else size
        level = generate_candidates(last)
    return passes, size


def ex_compare():
    simple, size = _passes([set("abcdef")])
    longer, same = _passes([set(s) for s in combinations("abcdefg", 6)])
    assert size == same
    return Worked(numbers=[size, simple, longer, longer, 2])


def ex_code():
    return Worked(numbers=[99])


def _tables(size):
    """The measures of all possible shops of this size in which both sides of the rule occur, and some basket lacks."""
    for both, x, y in product(range(size + 1), repeat=3):
        if both <= min(x, y) and x + y - both <= size and x and y:
            yield both / size, _measures(*_two(size, x, y, both))


def cards():
    found = [{"support": both, **measures} for both, measures in _tables(8)]
    least = {size: min(m["conviction"] for _, m in _tables(size)) for size in (4, 8)}  # falls as one over the size
    low, high = ({name: pick(m[name] for m in found) for name in found[0]} for pick in (min, max))
    free = _measures(*_two(12, 6, 4, 2))  # without a bond
    some = _two(10, 4, 5, 3)
    bag = _measures(some[0], np.ones(10))
    d, k, m = 5, 4, 6
    more = [np.r_[side, np.zeros(10, dtype=bool)] for side in some]
    bought = _measures(*_two(200, 80, 50, 30))
    tree = ("abc", "abd", "ac", "b")
    paths = {basket[:end] for basket in tree for end in range(1, len(basket) + 1)}
    x, y = np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0])
    pairs = [_measures(*pair)["lift"] for pair in combinations([x, y, x ^ y], 2)]
    deviation = lambda size: chance_deviation(0.4, 0.5, size)
    N = 10
    assert minimum_count(0.2, 9) == 2
    return {
        "lost-marks-confidence": Worked({r"\operatorname{lift}": bought["lift"]}, numbers=[1 / 2, bought["lift"] - 1]),
        "do-not-confuse-measures": Worked(
            numbers=[
                low["support"], high["support"], low["confidence"], high["confidence"], free["lift"], low["lift"],
                free["leverage"], low["leverage"], high["leverage"], free["conviction"], 2 * least[8] - least[4],
            ],
        ),
        "do-not-confuse-miners": Worked(numbers=[2]),
        "what-if-double": Worked(
            {"N": N}, numbers=[2, deviation(N) / deviation(2 * N), deviation(10**8) / deviation(2 * 10**8)]
        ),
        "what-if-bag": Worked(numbers=[bag["confidence"], bag["lift"], bag["leverage"]]),
        "what-if-empty": Worked(numbers=[_measures(*more)["lift"] / _measures(*some)["lift"]]),
        "what-if-threshold": Worked(numbers=[0, 1, 1]),
        "counterexample-best": Worked(numbers=[_of_milk()]),
        "counting": Worked(
            {"d": d, "k": k, "m": m},
            numbers=[
                len(_subsets("abcde")), _rules(d), len(_subsets("abcd")),
                sum({*sides} == {1, 2} for sides in product((1, 2), repeat=k)), len([*combinations(range(m), 2)]),
            ],
        ),
        "convention-support": Worked(numbers=[2, np.mean(np.arange(9) < 2), 0.2, 0.2 * 9]),
        "convention-conviction": Worked(numbers=[1 - bag["confidence"], 1 - np.mean(np.ones(10))]),
        "quiz-lift": Worked(
            numbers=[200, 80, 50, 30, bought["confidence"], bought["lift"], bought["lift"], bought["leverage"],
                     bought["conviction"]],
        ),
        "quiz-rules": Worked(
            numbers=[5, len(_subsets("abcde")) + 1, len(_subsets("abcde")),
                     *[sum({*sides} == {1, 2} for sides in product((1, 2), repeat=5))] * 2, _rules(5)],
        ),
        "quiz-tree": Worked(
            numbers=[len("".join(tree)), len(set("".join(tree))), len(paths), len(paths - {"b"})],
        ),
        "tf-pairs": Worked(numbers=[max(pairs), min(pairs)]),
        "tf-simpson": Worked(numbers=[1, 1]),
    }  # fmt: skip


def _of_milk():
    """The usual lift of the most confident rules with one product on each side."""
    baskets = make_baskets().transactions
    items = sorted(set(chain(*baskets)))
    has = {item: np.array([item in basket for basket in baskets]) for item in items}
    rules = [(x, y, _measures(has[x], has[y])) for x in items for y in items if x != y]
    first = sorted(rules, key=lambda rule: -rule[2]["confidence"])[:10]
    return round(float(np.median([measures["lift"] for _, _, measures in first])))
