"""Drills on association rules: the passes of Apriori, measures of a rule, a frequent-pattern tree, counting rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction
from notes_lib.mining.apriori import (
    apriori,
    conditional_paths,
    fp_tree,
    fpgrowth,
    generate_candidates,
    item_ranks,
    number_of_rules,
    rule_measures,
)

ITEMS = "ABCDE"
PAIRS = ["".join(p) for p in combinations(ITEMS, 2)]
TRIPLES = ["".join(t) for t in combinations(ITEMS, 3)]
N, LEAST = 6, 2  # baskets, and how many make an itemset frequent


def _baskets(rng: np.random.Generator) -> list[str]:
    """Six baskets of two to four of five items."""
    sizes = rng.integers(2, 5, size=N)
    return ["".join(sorted(rng.permutation(list(ITEMS))[:size].tolist())) for size in sizes]


def _spaced(names: str) -> str:
    return " ".join(names)


def _text(itemset: frozenset[str]) -> str:
    return "".join(sorted(itemset))


def _shown(baskets: list[str]) -> str:
    return table([[str(n), _spaced(b)] for n, b in enumerate(baskets, 1)], ["basket", "items"]).markdown


def _listed(itemsets: list[str]) -> str:
    return ", ".join(f"{{{', '.join(s)}}}" for s in itemsets)


@drill("apriori-passes", marks=12, minutes=15, title="The passes of Apriori")
def apriori_passes(rng: np.random.Generator) -> Parts:
    """Frequent items, pairs and triples of six baskets, the candidates of the join and those that pruning leaves."""
    while True:
        baskets = _baskets(rng)
        supports = apriori([set(b) for b in baskets], LEAST / N)
        levels = [sorted(_text(s) for s in supports if len(s) == k) for k in (1, 2, 3, 4)]
        joined = [a + b[-1] for a, b in combinations(levels[1], 2) if a[0] == b[0]]
        candidates = [_text(s) for s in generate_candidates(levels_of(supports, 2))]
        if len(levels[0]) == 5 and candidates and len(candidates) < len(joined) <= 6 and levels[2] and not levels[3]:
            break
    counts = [sum(i in b for b in baskets) for i in ITEMS]
    total, of_pair = len(supports), {p: sum(set(p) <= set(b) for b in baskets) for p in PAIRS}
    statement = "\n\n".join(
        [
            f"An itemset is frequent if it is in at least ${LEAST}$ of these ${N}$ baskets.",
            _shown(baskets),
            "1. Count each item (2 marks).",
            "2. Which pairs are frequent? (3 marks)",
            "3. How many triples does the join of frequent pairs form (2 marks), and which of them are left after "
            "pruning? (2 marks)",
            "4. Which triples are frequent (2 marks), and how many frequent itemsets are there in all? (1 mark)",
            "Fill in:",
            table([[i, ""] for i in ITEMS], ["item", "baskets"]).markdown,
        ]
    )
    answer = {
        "counts": counts,
        "pairs": levels[1],
        "joined": len(joined),
        "candidates": candidates,
        "triples": levels[2],
        "total": total,
    }
    fields = [
        ask.vector("counts", "baskets", 1, 2, titles=list(ITEMS), whole=True),
        ask.sequence(
            "pairs",
            "frequent pairs",
            2,
            3,
            options=PAIRS,
            kind="set",
            slips=[
                ask.slip(
                    [p for p in PAIRS if of_pair[p] > LEAST],
                    "These are in more baskets than the threshold; as many as the threshold are enough.",
                    card="apriori-convention-support",
                )
            ],
        ),
        ask.number(
            "joined",
            "triples of the join",
            3,
            2,
            whole=True,
            follows=_joins(),
            slips=[ask.slip(len(candidates), "That counts what pruning leaves; the join forms more.", card=_TRIPLE)],
        ),
        ask.sequence(
            "candidates",
            "triples after pruning",
            3,
            2,
            options=TRIPLES,
            kind="set",
            follows=["*".join(f"pairs[{PAIRS.index(a + b)}]" for a, b in combinations(t, 2)) for t in TRIPLES],
            slips=[
                ask.slip(joined, "These are all triples of the join; one with a rare pair is pruned.", card=_TRIPLE)
            ],
        ),
        ask.sequence(
            "triples",
            "frequent triples",
            4,
            2,
            options=TRIPLES,
            kind="set",
            follows=[
                f"candidates[{n}]*{int(sum(set(t) <= set(b) for b in baskets) >= LEAST)}" for n, t in enumerate(TRIPLES)
            ],
        ),
        ask.number(
            "total",
            "frequent itemsets",
            4,
            whole=True,
            follows="5 + sum(pairs) + sum(triples)",
            slips=[
                ask.slip(total - 5, "The single items are frequent itemsets, too.", card="apriori-lost-marks-maximal")
            ],
        ),
    ]
    lines = [
        "**First pass:** all five items are frequent.",
        table([[i, str(c)] for i, c in zip(ITEMS, counts, strict=True)], ["item", "baskets"]).markdown,
        "**Second pass:** all pairs are candidates.",
        table(
            [[_spaced(p), str(c), "yes" if c >= LEAST else "no"] for p, c in of_pair.items()],
            ["pair", "baskets", "frequent"],
        ).markdown,
        "**Join and prune:** two frequent pairs with the same first item are joined; the triple is kept if its third "
        "pair is frequent too.",
        table(
            [[_spaced(t), _spaced(t[1:]), "kept" if t in candidates else "pruned"] for t in joined],
            ["join", "third pair", "candidate"],
        ).markdown,
        "**Third pass:** only the candidates are counted.",
        table(
            [[_spaced(t), str(sum(set(t) <= set(b) for b in baskets))] for t in candidates], ["triple", "baskets"]
        ).markdown,
        f"Frequent: {_listed(levels[2])}. In all there are ${5}+{len(levels[1])}+{len(levels[2])}={total}$ frequent "
        "itemsets.",
        "Marks: 2 for the items, 3 for the pairs, 2 for the join, 2 for pruning, 2 for the triples, 1 for the total.",
    ]
    return Parts(statement, {"baskets": baskets}, "\n\n".join(lines), answer, fields)


_TRIPLE = "apriori-lost-marks-triple"


def _joins() -> str:
    """How many pairs of frequent pairs begin alike, as an expression."""
    return " + ".join(f"pairs[{i}]*pairs[{j}]" for (i, p), (j, q) in combinations(enumerate(PAIRS), 2) if p[0] == q[0])


def levels_of(supports: dict[frozenset[str], float], size: int) -> list[frozenset[str]]:
    """The itemsets of one size."""
    return [s for s in supports if len(s) == size]


_DIRECTION, _MEASURES = "apriori-lost-marks-direction", "apriori-do-not-confuse-measures"


@drill("rule-measures", marks=8, minutes=9, title="Measures of a rule")
def measures_of_a_rule(rng: np.random.Generator) -> Parts:
    """Support, confidence both ways, lift, leverage and conviction from four counts, and what they say."""
    while True:
        n = int(rng.choice([40, 50, 80, 100, 200]))
        x, y = (int(v) for v in rng.integers(n // 10, 9 * n // 10, size=2))
        both = int(rng.integers(max(1, x + y - n), min(x, y)))
        if x != y and abs(n * both - x * y) > n:
            break
    measures = rule_measures(both / n, x / n, y / n)
    back = rule_measures(both / n, y / n, x / n)
    statement = "\n\n".join(
        [
            f"Of ${n}$ baskets ${x}$ have tea, ${y}$ have milk, and ${both}$ have both.",
            "1. Compute support and confidence of the rule *tea -> milk*, and the confidence of *milk -> tea* "
            "(3 marks).",
            "2. Compute lift, leverage and conviction of *tea -> milk* (4 marks).",
            "3. Is milk more or less frequent with tea than overall? (1 mark)",
        ]
    )
    answer = {
        "support": measures.support,
        "confidence": measures.confidence,
        "back": back.confidence,
        "lift": measures.lift,
        "leverage": measures.leverage,
        "conviction": measures.conviction,
        "verdict": "more" if n * both > x * y else "less",
    }
    fields = [
        ask.number("support", "support", 1, percent=True),
        ask.number(
            "confidence",
            "confidence of tea -> milk",
            1,
            percent=True,
            follows=f"support*{n}/{x}",
            slips=[
                ask.slip(
                    both / y,
                    "That is the confidence of *milk -> tea*; divide by the baskets with tea.",
                    card=_DIRECTION,
                )
            ],
        ),
        ask.number(
            "back",
            "confidence of milk -> tea",
            1,
            percent=True,
            follows=f"support*{n}/{y}",
            slips=[
                ask.slip(
                    both / x,
                    "That is the confidence of *tea -> milk*; divide by the baskets with milk.",
                    card=_DIRECTION,
                )
            ],
        ),
        ask.number(
            "lift",
            "lift",
            2,
            follows=f"confidence*{n}/{y}",
            slips=[
                ask.slip(
                    x * y / (both * n),
                    "That is upside down: divide the confidence by the share of milk.",
                    card=_MEASURES,
                )
            ],
        ),
        ask.number(
            "leverage",
            "leverage",
            2,
            follows=f"support - {x * y}/{n * n}",
            slips=[
                ask.slip(
                    both / x - y / n,
                    "That is the confidence minus the share of milk; leverage compares the supports.",
                    card=_MEASURES,
                )
            ],
        ),
        ask.number(
            "conviction",
            "conviction",
            2,
            2,
            digits=3,
            carried=1,
            follows=f"(1 - {y}/{n}) / (1 - confidence)",
            slips=[
                ask.slip(float((1 - Fraction(both, x)) / (1 - Fraction(y, n))), "That is upside down.", card=_MEASURES)
            ],
        ),
        ask.choice("verdict", "milk is then", 3, options=["more", "less"], follows="lift <= 1"),
    ]
    s, c, lift = Fraction(both, n), Fraction(both, x), Fraction(both * n, x * y)
    lever = s - Fraction(x * y, n * n)
    conviction = (1 - Fraction(y, n)) / (1 - c)
    lines = [
        f"**Support:** $\\tfrac{{{both}}}{{{n}}}={sig(float(s))}$.",
        f"**Confidence:** $\\tfrac{{{both}}}{{{x}}}\\approx{sig(float(c))}$ for *tea -> milk*, and "
        f"$\\tfrac{{{both}}}{{{y}}}\\approx{sig(both / y)}$ for *milk -> tea*.",
        f"**Lift:** $\\frac{{{both} \\cdot {n}}}{{{x} \\cdot {y}}}={fraction(lift)}\\approx{sig(float(lift))}$, the "
        "same for both rules.",
        f"**Leverage:** $\\tfrac{{{both}}}{{{n}}}-\\tfrac{{{x}}}{{{n}}} \\cdot \\tfrac{{{y}}}{{{n}}}={fraction(lever)}"
        f"\\approx{sig(float(lever))}$.",
        f"**Conviction:** $\\frac{{1-{y}/{n}}}{{1-{both}/{x}}}={fraction(conviction)}"
        f"\\approx{sig(float(conviction))}$.",
        f"**Verdict:** the lift is {'above' if lift > 1 else 'below'} 1, so milk is *{answer['verdict']}* frequent "
        "with tea than overall.",
        "Marks: 1 for the support, 2 for the confidences, 1 for the lift, 1 for the leverage, 2 for the conviction, 1 "
        "for the verdict.",
    ]
    given = {"n": n, "tea": x, "milk": y, "both": both}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("fp-tree", marks=11, minutes=15, title="A frequent-pattern tree")
def frequent_pattern_tree(rng: np.random.Generator) -> Parts:
    """Order of the items, nodes of the tree of six baskets, the paths above one item and what comes out of them."""
    while True:
        baskets = _baskets(rng)
        names, paths = item_ranks([set(b) for b in baskets], LEAST / N)
        if len(names) < 5:
            continue
        tree = fp_tree(paths, np.ones(len(paths), np.intp))
        found = fpgrowth([set(b) for b in baskets], LEAST / N)
        asked = names[-1]
        ending = [_text(s) for s in found if asked in s and len(s) > 1]
        nodes = len(tree.ranks) - 1
        if 2 <= len(ending) <= 4 and nodes <= 12 and np.sum(tree.ranks == 4) > 1:
            break
    above, weights = conditional_paths(tree, 4)
    counts = [int(weights[(above == r).any(axis=1)].sum()) for r in range(4)]
    options = ["".join(sorted((*c, asked))) for k in (1, 2, 3) for c in combinations(sorted(names[:4]), k)]
    statement = "\n\n".join(
        [
            f"An itemset is frequent if it is in at least ${LEAST}$ of these ${N}$ baskets.",
            _shown(baskets),
            "1. Order the items from the most frequent to the rarest, equal counts alphabetically (2 marks).",
            "2. Put the baskets in this order into a tree. How many nodes has it, without the root? (4 marks)",
            f"3. In the paths above the nodes of *{asked}*, how often does each of the other items occur? (3 marks)",
            f"4. Which frequent itemsets of two or more items contain *{asked}*? (2 marks)",
            "Fill in:",
            table([[str(n), ""] for n in range(1, N + 1)], ["basket", "items in the order of the tree"]).markdown,
        ]
    )
    answer = {"order": names, "nodes": nodes, "counts": counts, "itemsets": ending}
    fields = [
        ask.sequence(
            "order",
            "order",
            1,
            2,
            options=list(ITEMS),
            slips=[
                ask.slip(
                    names[::-1],
                    "That goes from the rarest on; the tree begins with the most frequent item.",
                    card=_MINERS,
                )
            ],
        ),
        ask.number(
            "nodes",
            "nodes",
            2,
            4,
            whole=True,
            after=["order"],
            slips=[
                ask.slip(nodes + 1, "That counts the root, which holds no item.", card=_MINERS),
                ask.slip(
                    sum(map(len, baskets)), "That shares no beginnings; equal ones use the same nodes.", card=_MINERS
                ),
            ],
        ),
        ask.vector(
            "counts",
            f"with {asked}",
            3,
            3,
            titles=names[:4],
            whole=True,
            slips=[
                ask.slip(
                    [sum(i in b for b in baskets) for i in names[:4]],
                    f"These are the counts in all baskets; only those above *{asked}* count here.",
                    card=_MINERS,
                )
            ],
        ),
        ask.sequence(
            "itemsets",
            "frequent itemsets",
            4,
            2,
            options=options,
            kind="set",
            follows=[
                "*".join(f"(counts[{names.index(i)}] >= {LEAST})" for i in s if i != asked)
                + f"*{int(len(s) == 2 or sum(set(s) <= set(b) for b in baskets) >= LEAST)}"
                for s in options
            ],
        ),
    ]
    walks = _walks(tree.ranks.tolist(), tree.parents.tolist(), names)
    bases = [
        ("".join(names[r] for r in reversed(row) if r >= 0), int(w))
        for row, w in zip(above.tolist(), weights, strict=True)
    ]
    lines = [
        "**Order:** "
        + ", ".join(f"{i} in {sum(i in b for b in baskets)}" for i in names)
        + " baskets. In this order the baskets read:",
        table(
            [[str(n), _spaced("".join(i for i in names if i in b))] for n, b in enumerate(baskets, 1)],
            ["basket", "items in the order of the tree"],
        ).markdown,
        f"**Tree:** each beginning that differs is a node; there are ${nodes}$.",
        table(
            [[_spaced(walk), str(c)] for walk, c in zip(walks, tree.counts[1:].tolist(), strict=True)],
            ["path from the root", "baskets through the node"],
        ).markdown,
        f"**Paths above {asked}:** each with the count of its node {asked}; the counts add up to those of {asked}, "
        f"${'+'.join(str(w) for _, w in bases)}={sum(w for _, w in bases)}$.",
        table([[_spaced(path) or "none", str(w)] for path, w in bases], ["path", "baskets"]).markdown,
        table([[i, str(c)] for i, c in zip(names[:4], counts, strict=True)], ["item", f"with {asked}"]).markdown,
        f"**Frequent with {asked}:** {_listed(ending)}.",
        "Marks: 2 for the order, 4 for the tree, 3 for the counts, 2 for the itemsets.",
    ]
    return Parts(statement, {"baskets": baskets}, "\n\n".join(lines), answer, fields)


_MINERS = "apriori-do-not-confuse-miners"


def _walks(ranks: list[int], parents: list[int], names: list[str]) -> list[str]:
    """The path from the root to each node but the root."""
    walks = [""]
    for rank, parent in zip(ranks[1:], parents[1:], strict=True):
        walks.append(walks[parent] + names[rank])
    return walks[1:]


_MAXIMAL = "apriori-lost-marks-maximal"


@drill("rule-count", marks=8, minutes=9, title="How many itemsets and rules?")
def counting_rules(rng: np.random.Generator) -> Parts:
    """All itemsets and rules of a shop, rules of one itemset, and itemsets and rules below two maximal itemsets."""
    d, k = int(rng.integers(4, 10)), int(rng.integers(3, 8))
    while True:
        a, b = (int(v) for v in rng.integers(3, 6, size=2))
        c = int(rng.integers(1, min(a, b)))
        if a != b:
            break
    frequent = 2**a + 2**b - 2**c - 1
    rules = number_of_rules(a) + number_of_rules(b) - number_of_rules(c)
    statement = "\n\n".join(
        [
            f"1. A shop sells ${d}$ products. How many itemsets (without the empty one) and how many rules are there? "
            "(3 marks)",
            f"2. How many rules does one frequent itemset of ${k}$ items make? (1 mark)",
            f"3. Two itemsets are maximal, one of ${a}$ and one of ${b}$ items, and they share ${c}$. How many "
            "itemsets are frequent (2 marks), and how many rules can be made from them? (2 marks)",
        ]
    )
    answer = {
        "itemsets": 2**d - 1,
        "rules": number_of_rules(d),
        "of_one": 2**k - 2,
        "frequent": frequent,
        "from_them": rules,
    }
    fields = [
        ask.number(
            "itemsets",
            "itemsets",
            1,
            whole=True,
            slips=[ask.slip(2**d, "That counts the empty itemset, too.", card=_MAXIMAL)],
        ),
        ask.number(
            "rules",
            "rules",
            1,
            2,
            whole=True,
            slips=[ask.slip(3**d, "That counts rules with an empty side, too.", card=_MAXIMAL)],
        ),
        ask.number(
            "of_one",
            "rules of one itemset",
            2,
            whole=True,
            slips=[ask.slip(2**k, "That counts the two rules with an empty side, too.", card=_MAXIMAL)],
        ),
        ask.number(
            "frequent",
            "frequent itemsets",
            3,
            2,
            whole=True,
            slips=[ask.slip(2**a + 2**b - 2, "That counts the subsets of the shared items twice.", card=_MAXIMAL)],
        ),
        ask.number(
            "from_them",
            "rules from them",
            3,
            2,
            whole=True,
            slips=[
                ask.slip(
                    number_of_rules(a) + number_of_rules(b),
                    "That counts the rules of the shared items twice.",
                    card=_MAXIMAL,
                ),
                ask.slip(2**a - 2 + 2**b - 2, "These are the rules of the two maximal itemsets alone.", card=_MAXIMAL),
            ],
        ),
    ]
    each = [number_of_rules(v) for v in (a, b, c)]
    lines = [
        f"**All:** each product is in the itemset or not, which makes $2^{{{d}}}-1={2**d - 1}$ itemsets. In a rule a "
        f"product stands left, right or nowhere; taken off are those with an empty side: "
        f"$3^{{{d}}}-2 \\cdot 2^{{{d}}}+1={number_of_rules(d)}$.",
        f"**One itemset:** every subset but the empty one and the whole can stand left: $2^{{{k}}}-2={2**k - 2}$.",
        f"**Below two maximal itemsets:** frequent are the subsets of the one or the other, and those of the shared "
        f"items count once: $(2^{{{a}}}-1)+(2^{{{b}}}-1)-(2^{{{c}}}-1)={frequent}$.",
        f"Rules in the same way, with $3^m-2^{{m+1}}+1$ for $m$ items: ${each[0]}+{each[1]}-{each[2]}={rules}$.",
        "Marks: 1 for the itemsets, 2 for the rules, 1 for one itemset, 2 for those below two, 2 for their rules.",
    ]
    given = {"items": d, "one": k, "first": a, "second": b, "shared": c}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)
