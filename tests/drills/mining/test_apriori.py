"""The drills on association rules, worked again from the baskets, without the library."""

from fractions import Fraction
from itertools import chain, combinations

import pytest

from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

ITEMS = "ABCDE"


def times(items, baskets):
    return sum(all(i in b for i in items) for b in baskets)


def subsets(items):
    items = sorted(items)
    return ["".join(c) for c in chain.from_iterable(combinations(items, k) for k in range(1, len(items) + 1))]


def spaced(text):
    return " ".join(text)


def braces(itemsets):
    return ", ".join("{" + ", ".join(s) + "}" for s in itemsets)


def work_passes(given):
    """Frequent itemsets by enumeration; triples whose first two pairs are frequent, and those with all three."""
    baskets = given["baskets"]
    frequent = [s for s in subsets(ITEMS) if times(s, baskets) >= 2]
    joined = [t for t in subsets(ITEMS) if len(t) == 3 and {t[:2], t[0] + t[2]} <= set(frequent)]
    return frequent, joined, [t for t in joined if t[1:] in frequent]


@pytest.mark.equation("apriori-frequent", "apriori-join", "apriori-closure")
@each_seed()
def test_apriori_passes_answer(seed):
    g, answer = drawn("apriori-passes", seed).given, drawn("apriori-passes", seed).answer
    frequent, joined, candidates = work_passes(g)
    assert answer["counts"] == [times(i, g["baskets"]) for i in ITEMS]
    assert answer["pairs"] == [s for s in frequent if len(s) == 2]
    assert answer["triples"] == [s for s in frequent if len(s) == 3]
    assert answer["joined"] == len(joined)
    assert answer["candidates"] == candidates
    assert answer["total"] == len(frequent)
    assert set(answer["triples"]) <= set(candidates)
    assert 0 < len(candidates) < len(joined)


@each_seed()
def test_every_number_of_apriori_passes(seed):
    drill = drawn("apriori-passes", seed)
    baskets = drill.given["baskets"]
    frequent, joined, candidates = work_passes(drill.given)
    ask, tell = pages(drill)
    ask.says("in at least $#$ of these $#$ baskets", 2, len(baskets))
    ask.table(*([n, spaced(b)] for n, b in enumerate(baskets, 1)))
    ask.table(*([i, None] for i in ITEMS))
    ask.done()
    tell.table(*([i, times(i, baskets)] for i in ITEMS))
    tell.table(
        *(
            [spaced(p), times(p, baskets), "yes" if p in frequent else "no"]
            for p in ("".join(c) for c in combinations(ITEMS, 2))
        )
    )
    tell.table(*([spaced(t), spaced(t[1:]), "kept" if t in candidates else "pruned"] for t in joined))
    tell.table(*([spaced(t), times(t, baskets)] for t in candidates))
    by_size = [[s for s in frequent if len(s) == k] for k in (1, 2, 3)]
    tell.says("Frequent: #. In all there are $#=#$ frequent itemsets.", braces(by_size[2]),
              sum(map(len, by_size)), len(frequent))  # fmt: skip
    tell.done()


def work_measures(g):
    x, y, both = (Fraction(g[k], g["n"]) for k in ("tea", "milk", "both"))
    return x, y, both, x - both


@pytest.mark.equation("apriori-support", "apriori-confidence", "apriori-lift", "apriori-leverage", "apriori-conviction")
@each_seed()
def test_rule_measures_answer(seed):
    g, answer = drawn("rule-measures", seed).given, drawn("rule-measures", seed).answer
    x, y, both, exceptions = work_measures(g)
    assert answer["support"] == pytest.approx(float(both))
    assert answer["confidence"] == pytest.approx(float(both / x))
    assert answer["back"] == pytest.approx(float(both / y))
    assert answer["lift"] == pytest.approx(float(both / (x * y)))
    assert answer["leverage"] == pytest.approx(float(both - x * y))
    assert answer["conviction"] == pytest.approx(float(x * (1 - y) / exceptions))
    assert answer["verdict"] == ("more" if both / x > y else "less")


def test_rule_measures_varies():
    assert {drawn("rule-measures", s).answer["verdict"] for s in range(30)} == {"more", "less"}


@each_seed()
def test_every_number_of_rule_measures(seed):
    drill = drawn("rule-measures", seed)
    g = drill.given
    x, y, both, exceptions = work_measures(g)
    ask, tell = pages(drill)
    ask.says("Of $#$ baskets $#$ have tea, $#$ have milk, and $#$ have both.", g["n"], g["tea"], g["milk"], g["both"])
    ask.done()
    tell.says("**Support:** $#$.", float(both))
    tell.says("**Confidence:** $#$ for *tea -> milk*, and $#$ for *milk -> tea*.", float(both / x), float(both / y))
    tell.says("**Lift:** $#$, the same for both rules.", float(both / (x * y)))
    tell.says("**Leverage:** $#$.", float(both - x * y))
    tell.says("**Conviction:** $#$.", float(x * (1 - y) / exceptions))
    tell.says("the lift is # 1, so milk is *#* frequent", *(("above", "more") if both > x * y else ("below", "less")))
    tell.done()


def work_tree(given):
    """Order of the items, each basket in it, the beginnings of the baskets, and what stands before the last item."""
    baskets = given["baskets"]
    order = sorted(ITEMS, key=lambda i: (-times(i, baskets), i))
    rows = ["".join(sorted(b, key=order.index)) for b in baskets]
    beginnings = {row[:k] for row in rows for k in range(1, len(row) + 1)}
    asked = order[-1]
    bases = {}
    for row in rows:
        if asked in row:
            bases[row[:-1]] = bases.get(row[:-1], 0) + 1
    return order, rows, beginnings, asked, bases


@pytest.mark.equation("apriori-path", "apriori-header")
@each_seed()
def test_fp_tree_answer(seed):
    g, answer = drawn("fp-tree", seed).given, drawn("fp-tree", seed).answer
    order, _, beginnings, asked, bases = work_tree(g)
    assert answer["order"] == order
    assert answer["nodes"] == len(beginnings)
    assert answer["counts"] == [sum(w for path, w in bases.items() if i in path) for i in order[:4]]
    with_asked = [s for s in subsets(ITEMS) if asked in s and len(s) > 1 and times(s, g["baskets"]) >= 2]
    assert sorted(answer["itemsets"]) == sorted(with_asked)
    assert with_asked


@each_seed()
def test_every_number_of_fp_tree(seed):
    drill = drawn("fp-tree", seed)
    baskets = drill.given["baskets"]
    order, rows, beginnings, asked, bases = work_tree(drill.given)
    ask, tell = pages(drill)
    ask.says("in at least $#$ of these $#$ baskets", 2, len(baskets))
    ask.says("the nodes of *#*, how often", asked)
    ask.says("two or more items contain *#*", asked)
    ask.table(*([n, spaced(b)] for n, b in enumerate(baskets, 1)))
    ask.table(*([n, None] for n in range(1, 7)))
    ask.done()
    tell.says("**Order:** # baskets. In this order", ", ".join(f"{i} in {times(i, baskets)}" for i in order))
    tell.table(*([n, spaced(row)] for n, row in enumerate(rows, 1)))
    tell.says("is a node; there are $#$.", len(beginnings))
    walks = sorted(beginnings, key=lambda walk: [order.index(i) for i in walk])
    tell.table(*([spaced(walk), sum(row.startswith(walk) for row in rows)] for walk in walks))
    paths = sorted(bases, key=lambda path: [order.index(i) for i in path + asked])
    tell.says("add up to those of #, $#$.", asked, times(asked, baskets))
    tell.table(*([spaced(path) or "none", bases[path]] for path in paths))
    tell.table(*([i, sum(w for path, w in bases.items() if i in path)] for i in order[:4]))
    with_asked = [s for s in subsets(ITEMS) if asked in s and len(s) > 1 and times(s, baskets) >= 2]
    tell.says("**Frequent with #:** #.", asked, braces(with_asked))
    tell.done()


def rules_of(itemset):
    return {(a, b) for a in subsets(itemset) for b in subsets(itemset) if not set(a) & set(b)}


@pytest.mark.equation("apriori-number-of-rules")
@each_seed()
def test_rule_count_answer(seed):
    g, answer = drawn("rule-count", seed).given, drawn("rule-count", seed).answer
    letters = "abcdefghi"
    assert answer["itemsets"] == len(subsets(letters[: g["items"]]))
    assert answer["rules"] == sum(2 ** len(s) - 2 for s in subsets(letters[: g["items"]]))
    assert answer["of_one"] == sum(0 < len(s) < g["one"] for s in subsets(letters[: g["one"]]))
    first = letters[: g["first"]]
    second = letters[g["first"] - g["shared"] :][: g["second"]]
    assert len(set(first) & set(second)) == g["shared"]
    assert answer["frequent"] == len({*subsets(first), *subsets(second)})
    assert answer["from_them"] == len(rules_of(first) | rules_of(second))


@each_seed()
def test_every_number_of_rule_count(seed):
    drill = drawn("rule-count", seed)
    g, d, k = drill.given, drill.given["items"], drill.given["one"]
    ask, tell = pages(drill)
    ask.says("A shop sells $#$ products.", d)
    ask.says("one frequent itemset of $#$ items make", k)
    ask.says("one of $#$ and one of $#$ items, and they share $#$.", g["first"], g["second"], g["shared"])
    ask.done()
    rules = lambda m: 3**m - 2 ** (m + 1) + 1
    tell.says("which makes $#$ itemsets", 2**d - 1)
    tell.says("those with an empty side: $#$.", rules(d))
    tell.says("can stand left: $#$.", 2**k - 2)
    a, b, c = (g[name] for name in ("first", "second", "shared"))
    tell.says("count once: $#$.", 2**a + 2**b - 2**c - 1)
    tell.says("with $3^m-2^{m+1}+1$ for $m$ items: $#$.", rules(a) + rules(b) - rules(c))
    tell.done()
