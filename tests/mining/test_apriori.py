"""Itemsets against enumeration and published examples, rules against counts, chance against all orders."""

from fractions import Fraction
from itertools import chain, combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from notes_lib.mining import apriori as module
from notes_lib.mining.apriori import (
    PRODUCTS,
    FPTree,
    Rule,
    apriori,
    association_rules,
    chance_deviation,
    closed_itemsets,
    conditional_paths,
    eclat,
    fp_tree,
    fpgrowth,
    generate_candidates,
    indicator_matrix,
    item_ranks,
    make_baskets,
    maximal_itemsets,
    minimum_count,
    number_of_rules,
    pair_counts,
    permuted_columns,
    rule_measures,
)

MINERS = [apriori, fpgrowth, eclat]
# Han, Kamber and Pei, Data Mining: Concepts and Techniques, 3rd edition, table 6.1
ELECTRONICS = [
    s.split() for s in ("I1 I2 I5", "I2 I4", "I2 I3", "I1 I2 I4", "I1 I3", "I2 I3", "I1 I3", "I1 I2 I3 I5", "I1 I2 I3")
]
# the second example of Wikipedia's article on the Apriori algorithm
SEVEN = [list(s) for s in ("1234", "124", "12", "234", "23", "34", "24")]


def subsets(items):
    """All subsets but the empty one."""
    items = sorted(items)
    return [frozenset(c) for c in chain.from_iterable(combinations(items, k) for k in range(1, len(items) + 1))]


def count(itemset, transactions):
    return sum(set(itemset) <= set(t) for t in transactions)


def enumerated(transactions, least, max_len=None):
    """Counts of all frequent itemsets, from a look at every subset of the items."""
    found = {s: count(s, transactions) for s in subsets(set().union(*transactions))}
    return {s: c for s, c in found.items() if c >= least and (max_len is None or len(s) <= max_len)}


baskets = st.lists(st.frozensets(st.integers(0, 5), min_size=1), min_size=1, max_size=12)
shares = st.fractions(Fraction(1, 20), 1, max_denominator=20)


class TestGolden:
    @pytest.mark.equation("apriori-support")
    @pytest.mark.parametrize("mine", MINERS)
    def test_nine_baskets_of_a_textbook(self, mine):
        expected = {"1": 6, "2": 7, "3": 6, "4": 2, "5": 2, "12": 4, "13": 4, "15": 2, "23": 4, "24": 2, "25": 2,
                    "123": 2, "125": 2}  # fmt: skip
        found = mine(ELECTRONICS, 2 / 9)
        assert found == {frozenset(f"I{c}" for c in s): n / 9 for s, n in expected.items()}
        assert [len(s) for s in found] == sorted(len(s) for s in found)

    @pytest.mark.equation("apriori-confidence")
    def test_confidences_of_the_textbook(self):
        rules = association_rules(apriori(ELECTRONICS, 2 / 9), min_threshold=0.0)
        of = {(r.antecedent, r.consequent): r.confidence for r in rules}
        expected = {("12", "5"): 1 / 2, ("15", "2"): 1, ("25", "1"): 1, ("1", "25"): 1 / 3, ("2", "15"): 2 / 7,
                    ("5", "12"): 1}  # fmt: skip
        for (x, y), confidence in expected.items():
            assert of[frozenset(f"I{c}" for c in x), frozenset(f"I{c}" for c in y)] == pytest.approx(confidence)

    @pytest.mark.parametrize("mine", MINERS)
    def test_seven_baskets_of_an_encyclopedia(self, mine):
        expected = {"1": 3, "2": 6, "3": 4, "4": 5, "12": 3, "23": 3, "24": 4, "34": 3}
        assert mine(SEVEN, 3 / 7) == {frozenset(s): n / 7 for s, n in expected.items()}
        rules = association_rules(mine(SEVEN, 3 / 7), min_threshold=0.0)
        of = {"".join([*r.antecedent, *r.consequent]): r.confidence for r in rules}
        assert of == pytest.approx(
            {"12": 1, "21": 1 / 2, "23": 1 / 2, "32": 3 / 4, "24": 2 / 3, "42": 4 / 5, "34": 3 / 4, "43": 3 / 5}
        )

    @pytest.mark.equation("apriori-path", "apriori-header")
    def test_tree_of_the_textbook(self):
        # figure 6.7 of the same book; its order of equal counts is that of the items
        items, paths = item_ranks(ELECTRONICS, 2 / 9)
        assert items == ["I2", "I1", "I3", "I4", "I5"]
        tree = fp_tree(paths, np.ones(len(paths), int))
        named = [items[r] if r >= 0 else "root" for r in tree.ranks]
        edges = {(named[p], n, int(c)) for p, n, c in zip(tree.parents[1:], named[1:], tree.counts[1:], strict=True)}
        assert edges == {("root", "I2", 7), ("I2", "I1", 4), ("I1", "I5", 1), ("I1", "I4", 1), ("I1", "I3", 2),
                         ("I3", "I5", 1), ("I2", "I3", 2), ("I2", "I4", 1), ("root", "I1", 2)}  # fmt: skip
        assert len(tree.ranks) == 1 + 10
        above, weights = conditional_paths(tree, items.index("I5"))
        bases = {
            "".join(items[r] for r in reversed(row) if r >= 0): w
            for row, w in zip(above.tolist(), weights, strict=True)
        }
        assert bases == {"I2I1": 1, "I2I1I3": 1}

    @pytest.mark.equation("apriori-join")
    def test_join_and_prune_of_the_paper(self):
        # Agrawal and Srikant (1994), section 2.1.1: {1 3 4 5} is joined and pruned, since {1 4 5} is not there
        given = [{1, 2, 3}, {1, 2, 4}, {1, 3, 4}, {1, 3, 5}, {2, 3, 4}]
        assert generate_candidates(given) == [frozenset({1, 2, 3, 4})]


class TestMiners:
    @pytest.mark.equation("apriori-frequent", "apriori-closure", "apriori-tidsets")
    @given(baskets, shares, st.sampled_from([None, 1, 2, 3]))
    @settings(max_examples=150)
    def test_all_three_find_what_enumeration_finds(self, transactions, share, longest):
        n = len(transactions)
        least = -(-share.numerator * n // share.denominator)  # in integers
        expected = {s: c / n for s, c in enumerated(transactions, least, longest).items()}
        for mine in MINERS:
            found = mine(transactions, float(share), longest)
            assert found == expected
            assert list(found) == list(apriori(transactions, float(share), longest))

    @pytest.mark.parametrize("seed", range(3))
    def test_many_baskets_agree(self, seed):
        transactions = make_baskets(2000, seed).transactions
        found = apriori(transactions, 0.01)
        assert max(map(len, found)) >= 5
        assert fpgrowth(transactions, 0.01) == eclat(transactions, 0.01) == found
        itemset = max(found, key=len)
        assert found[itemset] == count(itemset, transactions) / 2000

    @pytest.mark.parametrize("mine", MINERS)
    def test_the_order_of_the_baskets_does_not_count(self, mine):
        transactions = make_baskets(200).transactions
        assert mine(transactions[::-1], 0.05) == mine(transactions, 0.05)

    @pytest.mark.parametrize("mine", MINERS)
    def test_lists_tuples_and_repeated_items(self, mine):
        assert mine([["a", "b", "a"], ("a",), {"b": 1}], 0.5) == {frozenset("a"): 2 / 3, frozenset("b"): 2 / 3}

    @pytest.mark.parametrize("mine", MINERS)
    def test_items_that_cannot_be_compared(self, mine):
        assert mine([{1, "a"}, {1, "a"}, {None}], 0.5) == {
            frozenset({1}): 2 / 3,
            frozenset({"a"}): 2 / 3,
            frozenset({1, "a"}): 2 / 3,
        }

    @pytest.mark.parametrize("mine", MINERS)
    def test_nothing_is_frequent(self, mine):
        assert mine([{1}, {2}, {3}], 0.5) == {}

    @pytest.mark.parametrize("mine", MINERS)
    def test_one_basket_has_all_subsets(self, mine):
        found = mine([set(range(10))], 1.0)
        assert len(found) == 2**10 - 1
        assert set(found.values()) == {1.0}

    @pytest.mark.parametrize("mine", MINERS)
    def test_a_pass_in_many_pieces(self, mine, monkeypatch):
        monkeypatch.setattr(module.frequent, "WORDS", 7)
        transactions = make_baskets(300).transactions
        assert mine(transactions, 0.05) == enumerated_shop(transactions, 15)

    @pytest.mark.equation("apriori-join")
    def test_only_candidates_are_counted(self, monkeypatch):
        counted, intersect = [], module.frequent._intersect
        record = lambda bits, pairs, least: counted.append(len(pairs)) or intersect(bits, pairs, least)
        monkeypatch.setattr(module.frequent, "_intersect", record)
        found = apriori(make_baskets(500).transactions, 0.03)
        levels = [[s for s in found if len(s) == k] for k in range(1, 1 + max(map(len, found)))]
        assert counted == [len(generate_candidates(level)) for level in levels]

    def test_a_hundred_thousand_baskets(self):
        rng = np.random.default_rng(0)
        A = rng.random((100_000, 8)) < np.linspace(0.05, 0.4, 8)
        transactions = [frozenset(np.flatnonzero(row).tolist()) for row in A if row.any()]
        found = apriori(transactions, 0.05)
        used = A[A.any(axis=1)]
        assert all(
            support == pytest.approx(used[:, sorted(s)].all(axis=1).mean(), abs=1e-12) for s, support in found.items()
        )

    @pytest.mark.parametrize("mine", MINERS)
    def test_thresholds_are_counts(self, mine):
        tenth = [{1}] * 3 + [{2}] * 7
        assert frozenset({1}) in mine(tenth, 0.3)
        assert frozenset({1}) in mine(tenth, 0.1 + 0.2)  # 0.30000000000000004
        assert frozenset({1}) not in mine(tenth, 0.301)

    @pytest.mark.equation("apriori-frequent")
    @given(st.integers(1, 300), st.integers(1, 300))
    def test_a_quotient_is_its_count(self, a, b):
        count_, n = min(a, b), max(a, b)
        assert minimum_count(count_ / n, n) == count_
        assert minimum_count(1e-9, n) == 1

    @given(st.integers(0, 2**31))
    def test_candidates_are_the_sets_whose_subsets_are_given(self, seed):
        rng = np.random.default_rng(seed)
        k = int(rng.integers(1, 4))
        every = [frozenset(c) for c in combinations(range(7), k)]
        given = {every[i] for i in rng.choice(len(every), int(rng.integers(1, len(every) + 1)), replace=False)}
        wanted = {s for s in map(frozenset, combinations(range(7), k + 1)) if all(s - {i} in given for i in s)}
        found = generate_candidates(given)
        assert len(found) == len(set(found))
        assert set(found) == wanted

    def test_no_itemsets_have_no_candidates(self):
        assert generate_candidates([]) == []
        assert generate_candidates({frozenset({1}): 0.5, frozenset({2}): 0.4}) == [frozenset({1, 2})]


def enumerated_shop(transactions, least):
    n = len(transactions)
    return {s: c / n for s, c in enumerated(transactions, least).items()}


class TestTree:
    @given(baskets)
    def test_every_path_is_in_the_tree_once(self, transactions):
        items, paths = item_ranks(transactions, 1e-6)
        tree = fp_tree(paths[np.random.default_rng(0).permutation(len(paths))], np.ones(len(paths), int))
        assert isinstance(tree, FPTree)
        walks = []
        for node in range(1, len(tree.ranks)):
            walk = []
            up = node
            while up:
                walk.append(int(tree.ranks[up]))
                up = int(tree.parents[up])
            walks.append(tuple(reversed(walk)))
            through = sum(tuple(r for r in row if r >= 0)[: len(walk)] == walks[-1] for row in paths.tolist())
            assert tree.counts[node] == through
            assert tree.parents[node] < node
        assert len(set(walks)) == len(walks)
        assert tree.counts[0] == len(transactions)
        assert [count([item], transactions) for item in items] == np.bincount(tree.ranks[1:], tree.counts[1:]).tolist()

    @given(baskets)
    def test_pairs_of_the_tree(self, transactions):
        items, paths = item_ranks(transactions, 1e-6)
        table = pair_counts(fp_tree(paths, np.ones(len(paths), int)))
        for i, j in permutations(range(len(items)), 2):
            assert table[i, j] == (count([items[i], items[j]], transactions) if j < i else 0)

    def test_an_empty_tree(self):
        tree = fp_tree(np.full((2, 3), -1), np.array([1, 4]))
        assert [part.tolist() for part in tree] == [[-1], [0], [5]]
        assert pair_counts(tree).shape == (0, 0)

    def test_baskets_without_a_frequent_item_are_left_out(self):
        items, paths = item_ranks([{"a"}, {"b"}, {"a", "c"}], 0.5)
        assert (items, paths.tolist()) == (["a"], [[0], [0]])


class TestRules:
    @pytest.mark.equation("apriori-confidence", "apriori-lift", "apriori-leverage", "apriori-conviction")
    @given(baskets)
    @settings(max_examples=60)
    def test_measures_from_the_counts(self, transactions):
        n = len(transactions)
        found = apriori(transactions, 1 / n)
        rules = association_rules(found, "support", 0.0)
        assert len(rules) == sum(2 ** len(s) - 2 for s in found)
        for r in rules:
            x, y, both = (
                Fraction(count(s, transactions), n) for s in (r.antecedent, r.consequent, r.antecedent | r.consequent)
            )
            assert not r.antecedent & r.consequent
            assert r.support == pytest.approx(float(both))
            assert r.confidence == pytest.approx(float(both / x))
            assert r.lift == pytest.approx(float(both / x / y))
            assert r.leverage == pytest.approx(float(both - x * y), abs=1e-12)
            missing = x - both  # the antecedent without the consequent
            assert r.conviction == (np.inf if missing == 0 else pytest.approx(float(x * (1 - y) / missing)))

    @pytest.mark.equation("apriori-confidence-closure")
    @given(baskets, st.sampled_from(["support", "confidence", "lift", "leverage", "conviction"]), st.floats(0, 1))
    @settings(max_examples=100)
    def test_a_threshold_keeps_exactly_what_reaches_it(self, transactions, metric, least):
        found = apriori(transactions, 1 / len(transactions))
        every = association_rules(found, "support", 0.0)
        kept = association_rules(found, metric, least)
        assert kept == [r for r in every if getattr(r, metric) >= least * (1 - 1e-12)]

    def test_a_threshold_that_a_quotient_just_reaches(self):
        found = apriori([{1, 2}] * 3 + [{1}] * 2 + [{3}] * 5, 0.1)
        assert association_rules(found, min_threshold=0.6)[0].confidence == pytest.approx(0.6)
        assert len(association_rules(found, min_threshold=0.61)) == 1

    def test_names_of_a_row(self):
        rule = association_rules({frozenset("a"): 0.5, frozenset("b"): 0.5, frozenset("ab"): 0.5})[0]
        assert Rule._fields == ("antecedent", "consequent", "support", "confidence", "lift", "leverage", "conviction")
        assert rule == (frozenset("a"), frozenset("b"), 0.5, 1.0, 2.0, 0.25, np.inf)
        assert rule_measures(0.5, 0.5, 1.0).conviction == np.inf

    @pytest.mark.equation("apriori-number-of-rules")
    def test_number_of_rules(self):
        for d in range(7):
            sides = [(x, y) for x in subsets(range(d)) for y in subsets(range(d)) if not x & y]
            assert number_of_rules(d) == len(sides)
        assert number_of_rules(100) == 3**100 - 2**101 + 1


class TestCompact:
    @pytest.mark.equation("apriori-closed")
    @given(baskets, shares)
    @settings(max_examples=60)
    def test_closed_and_maximal_from_the_definition(self, transactions, share):
        found = apriori(transactions, float(share))
        closed, maximal = closed_itemsets(found), maximal_itemsets(found)
        for s, support in found.items():
            covering = [frozenset(t) for t in transactions if s <= frozenset(t)]
            assert (s in closed) == (frozenset.intersection(*covering) == s)
            assert (s in maximal) == (not any(s < other for other in found))
            assert support == max(v for c, v in closed.items() if s <= c)
            assert any(s <= m for m in maximal)
        assert set(maximal) <= set(closed) <= set(found)
        assert all(closed[s] == found[s] for s in closed)


class TestChance:
    @pytest.mark.equation("apriori-chance")
    @pytest.mark.parametrize(("x", "y", "n"), [(3, 2, 6), (1, 4, 5), (5, 5, 6), (0, 3, 6)])
    def test_deviation_over_all_orders(self, x, y, n):
        first = np.arange(n) < x
        both = [(first & np.array(order)).sum() / n for order in set(permutations([True] * y + [False] * (n - y)))]
        deviation = chance_deviation(x / n, y / n, n)
        assert np.mean(both) == pytest.approx(x * y / n**2)
        assert np.std(both) == pytest.approx(deviation, abs=1e-12)
        if x:
            assert n * deviation == pytest.approx(hypergeom(n, x, y).std(), abs=1e-12)

    def test_columns_are_permuted_independently(self):
        A = make_baskets(300)
        items, B = indicator_matrix(A.transactions)
        C = permuted_columns(B, 0)
        assert (C.sum(axis=0) == B.sum(axis=0)).all()
        assert not np.array_equal(np.sort(C.sum(axis=1)), np.sort(B.sum(axis=1)))
        assert np.array_equal(C, permuted_columns(B, 0))
        assert not np.array_equal(C, permuted_columns(B, 1))
        joint = [(lambda D: (D[:, 0] & D[:, 1]).sum())(permuted_columns(B[:, :2], seed)) for seed in range(400)]
        x, y = B[:, :2].sum(axis=0)
        law = hypergeom(300, x, y)
        assert np.mean(joint) == pytest.approx(law.mean(), abs=4.5 * law.std() / 20)
        assert len(items) == 12


class TestShop:
    def test_what_is_planted(self):
        shop = make_baskets(20_000, 1)
        assert set().union(*shop.transactions) == set(PRODUCTS)
        assert all(shop.transactions)
        items, A = indicator_matrix(shop.transactions)
        has = {item: A[:, k] for k, item in enumerate(items)}
        share = lambda y, *given: has[y][np.logical_and.reduce([*given, np.ones(20_000, bool)])]
        near = lambda values, p: abs(values.mean() - p) < 4.5 * np.sqrt(p * (1 - p) / values.size)
        assert near(share("butter", has["bread"]), 0.6)
        assert near(share("jam", has["bread"], has["butter"]), 0.5)
        assert near(share("tomatoes", has["pasta"]), 0.6)
        assert near(share("cheese", has["pasta"], has["tomatoes"]), 0.6)
        assert near(share("milk", has["oat drink"]), 0.6)
        assert near(share("beer", has["bread"]), 0.2)
        assert near(share("nappies", has["bread"]), 0.15)
        assert abs(has["beer"][has["nappies"]].mean() / has["beer"].mean() - 1) < 0.1
        suburb = shop.branch == "suburb"
        for where, tea, with_tea, without in [(suburb, 0.6, 0.5, 0.7), (~suburb, 0.1, 0.06, 0.12)]:
            assert near(has["tea"][where], tea) or where is not suburb  # the station drops empty baskets
            assert near(share("coffee", where, has["tea"]), with_tea)
            assert abs(share("coffee", where, ~has["tea"]).mean() - without) < 0.02
        assert share("coffee", has["tea"]).mean() > share("coffee", ~has["tea"]).mean() + 0.05  # Simpson

    def test_same_seed_same_shop(self):
        assert make_baskets(50, 3).transactions == make_baskets(50, 3).transactions
        assert make_baskets(50, 3).transactions != make_baskets(50, 4).transactions
        assert len(make_baskets(7).branch) == 7


class Frame:
    """What is read of a data frame."""

    ndim = 2

    def __init__(self, A, columns):
        self.A, self.columns = np.asarray(A), columns

    def __array__(self, dtype=None, copy=None):
        return self.A


class TestTable:
    A = np.random.default_rng(3).random((60, 7)) < 0.4
    A[:, 0] |= ~A.any(axis=1)

    @pytest.mark.parametrize("kind", [bool, int, float])
    def test_the_rows_are_baskets_of_their_columns(self, kind):
        baskets = [set(np.flatnonzero(row).tolist()) for row in self.A]
        for mine in MINERS:
            assert mine(self.A.astype(kind), 0.1) == mine(baskets, 0.1)

    def test_names_of_columns_are_the_items_and_keep_their_order(self):
        names = ["tea", "milk", "jam", "bread", "oil", "salt", "rice"]
        baskets = [{name for name, has in zip(names, row, strict=True) if has} for row in self.A]
        for mine in MINERS:
            assert mine(Frame(self.A, names), 0.1) == mine(baskets, 0.1)
        items, A = indicator_matrix(Frame(self.A, names))
        assert items == names
        assert np.array_equal(A, self.A)

    def test_a_column_that_nobody_bought(self):
        table = np.column_stack([np.zeros(60, bool), self.A])
        assert {frozenset(i - 1 for i in s): v for s, v in apriori(table, 0.1).items()} == apriori(self.A, 0.1)

    @pytest.mark.parametrize("mine", [*MINERS, item_ranks])
    @pytest.mark.parametrize(
        ("table", "error", "text"),
        [
            (np.array([[1, 2], [1, 3]]), ValueError, "0 or 1, got 2"),
            (np.array([[0.0, np.nan]]), ValueError, "finite"),
            (np.array([["a", "b"]]), TypeError, "transactions"),
            (np.array([[True], [False]]), ValueError, "row 1 is: leave out"),
            (np.zeros((0, 3), bool), ValueError, "at least one basket"),
            (np.zeros((2, 0), bool), ValueError, "row 0 is"),
            (Frame([[1, 1]], ["tea", "tea"]), ValueError, "different names"),
        ],
    )
    def test_a_bad_table(self, mine, table, error, text):
        with pytest.raises(error, match=text):
            mine(table, 0.5)


class TestErrors:
    @pytest.mark.parametrize("mine", [*MINERS, item_ranks])
    @pytest.mark.parametrize(
        ("transactions", "error", "text"),
        [
            ([], ValueError, "at least one basket"),
            ([{1}, set(), {2}], ValueError, "row 1 is: leave out"),
            ([[1], []], ValueError, "row 1 is"),
            ("abc", TypeError, "got a text"),
            ([{"a"}, "bread"], TypeError, "got 'bread' in row 1"),
            ([{1}, 5], TypeError, "got 5 in row 1"),
            ([[[1, 2]]], TypeError, "hashable"),
            (7, TypeError, "sequence of baskets"),
        ],
    )
    def test_bad_baskets(self, mine, transactions, error, text):
        with pytest.raises(error, match=text):
            mine(transactions, 0.5)

    @pytest.mark.parametrize("mine", [*MINERS, item_ranks])
    @pytest.mark.parametrize("share", [0, -0.1, 1.001, 2])
    def test_a_share_outside_its_interval(self, mine, share):
        with pytest.raises(ValueError, match="min_support must be"):
            mine([{1}], share)

    @pytest.mark.parametrize("share", ["0.5", None, True])
    def test_a_share_that_is_no_number(self, share):
        with pytest.raises(TypeError, match="min_support"):
            apriori([{1}], share)
        with pytest.raises(ValueError, match="min_support"):
            apriori([{1}], np.nan)

    @pytest.mark.parametrize("mine", MINERS)
    def test_a_largest_size(self, mine):
        with pytest.raises(ValueError, match="max_len must be at least 1"):
            mine([{1}], 0.5, 0)
        with pytest.raises(TypeError, match="max_len"):
            mine([{1}], 0.5, 2.0)

    def test_candidates(self):
        with pytest.raises(ValueError, match=r"one size of at least 1, got sizes \[1, 2\]"):
            generate_candidates([{1}, {1, 2}])
        with pytest.raises(ValueError, match="size"):
            generate_candidates([set()])
        with pytest.raises(TypeError, match="text"):
            generate_candidates(["ab"])

    def test_rules(self):
        found = apriori([{1, 2, 3}, {1, 2}, {3}], 0.3)
        with pytest.raises(ValueError, match="metric must be one of"):
            association_rules(found, "interest")
        for metric in ("confidence", "support"):
            with pytest.raises(ValueError, match="between 0 and 1"):
                association_rules(found, metric, 1.2)
        assert association_rules(found, "lift", 1.2)
        with pytest.raises(ValueError, match="finite"):
            association_rules(found, "lift", np.inf)
        with pytest.raises(TypeError, match="min_threshold"):
            association_rules(found, "lift", "1")
        with pytest.raises(ValueError, match="hold all subsets"):
            association_rules(maximal_itemsets(found), "lift", 0)
        with pytest.raises(TypeError, match="frozensets"):
            association_rules({(1, 2): 0.5})
        for bad in (0, 3, -0.5):
            with pytest.raises(ValueError, match=r"support of an itemset|supports above 0"):
                association_rules({frozenset({1}): bad})

    def test_measures(self):
        for shares in [(0, 0.5, 0.5), (0.1, 1.2, 0.5), (0.1, 0.5, 0)]:
            with pytest.raises(ValueError, match="above 0 and at most 1"):
                rule_measures(*shares)
        with pytest.raises(ValueError, match=r"both must lie between -0\.1 and 0\.4"):
            rule_measures(0.45, 0.4, 0.5)
        with pytest.raises(ValueError, match=r"both must lie between 0\.4 and 0\.6"):
            rule_measures(0.3, 0.6, 0.8)
        with pytest.raises(TypeError, match="antecedent"):
            rule_measures(0.1, "a", 0.5)

    def test_numbers(self):
        with pytest.raises(ValueError, match="n_items"):
            number_of_rules(-1)
        with pytest.raises(ValueError, match="n_transactions"):
            chance_deviation(0.5, 0.5, 1)
        with pytest.raises(ValueError, match="consequent must be at most 1"):
            chance_deviation(0.5, 1.5, 10)
        with pytest.raises(ValueError, match="antecedent"):
            chance_deviation(-0.5, 0.5, 10)
        with pytest.raises(ValueError, match="0 or 1"):
            permuted_columns([[2, 0]])
        with pytest.raises(ValueError, match="A must"):
            permuted_columns([1, 0])
        with pytest.raises(ValueError, match="n_transactions"):
            make_baskets(0)
        with pytest.raises(TypeError, match="n_transactions"):
            make_baskets(2.5)
