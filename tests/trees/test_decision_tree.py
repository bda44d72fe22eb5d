"""Decision trees: published tables, independent routes, laws, extremes, errors."""

import itertools
import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_iris
from notes_lib.foundations.information import information_gain
from notes_lib.trees.decision_tree import (
    IMPURITIES,
    C45Classifier,
    ID3Classifier,
    Split,
    best_threshold,
    boundary_thresholds,
    export_text,
    gain_ratio,
    gini,
    impurity_after,
    impurity_decrease,
    intrinsic_value,
    misclassification,
    rules,
    select_split,
    tree_graph,
)
from notes_lib.trees.decision_tree.growing import divide, propose
from notes_lib.trees.decision_tree.steps import midpoints

TENNIS_TEXT = """Sunny Hot High Weak No, Sunny Hot High Strong No, Overcast Hot High Weak Yes,
Rain Mild High Weak Yes, Rain Cool Normal Weak Yes, Rain Cool Normal Strong No, Overcast Cool Normal Strong Yes,
Sunny Mild High Weak No, Sunny Cool Normal Weak Yes, Rain Mild Normal Weak Yes, Sunny Mild Normal Strong Yes,
Overcast Mild High Strong Yes, Overcast Hot Normal Weak Yes, Rain Mild High Strong No"""
TENNIS = [row.split() for row in TENNIS_TEXT.split(",")]
NAMES = ["Outlook", "Temperature", "Humidity", "Wind"]
LOAN_TEXT = """young no no fair no, young no no good no, young yes no good yes,
young yes yes fair yes, young no no fair no, middle no no fair no, middle no no good no, middle yes yes good yes,
middle no yes excellent yes, middle no yes excellent yes, old no yes excellent yes, old no yes good yes,
old yes no good yes, old yes no excellent yes, old no no fair no"""
LOAN = [row.split() for row in LOAN_TEXT.split(",")]
BOTH = [ID3Classifier, C45Classifier]


def columns(table):
    return [row[:-1] for row in table], [row[-1] for row in table]


def counts_of(values, labels):
    kinds, classes = sorted(set(values)), sorted(set(labels))
    pairs = list(zip(values, labels, strict=True))
    return [[pairs.count((v, c)) for c in classes] for v in kinds]


def h(*counts):
    """Entropy of counts in bits."""
    n = sum(counts)
    return math.log2(n) - sum(c * math.log2(c) for c in counts if c) / n


def tables(min_rows=2):
    rows = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)
    return st.lists(rows, min_size=min_rows, max_size=5)


# golden


@pytest.mark.equation("decision-tree-gain", "decision-tree-after")
def test_mitchells_gains_of_the_weather():
    X, y = columns(TENNIS)
    expected = {"Outlook": 0.246, "Temperature": 0.029, "Humidity": 0.151, "Wind": 0.048}
    for j, name in enumerate(NAMES):
        assert impurity_decrease(counts_of([r[j] for r in X], y)) == pytest.approx(expected[name], abs=0.0012)
    sunny = [row for row in TENNIS if row[0] == "Sunny"]
    for j, gain in [(1, 0.57), (2, 0.97), (3, 0.019)]:
        assert impurity_decrease(counts_of([r[j] for r in sunny], [r[-1] for r in sunny])) == pytest.approx(
            gain, abs=0.0012
        )


@pytest.mark.equation("decision-tree-ratio", "decision-tree-intrinsic")
def test_witten_and_franks_gain_ratios():
    X, y = columns(TENNIS)
    for j, (value, ratio) in enumerate([(1.577, 0.156), (1.557, 0.019), (1.0, 0.152), (0.985, 0.049)]):
        table = counts_of([r[j] for r in X], y)
        assert intrinsic_value([sum(row) for row in table]) == pytest.approx(value, abs=0.0006)
        assert gain_ratio(table) == pytest.approx(ratio, abs=0.0006)


def test_the_weather_gives_mitchells_tree():
    X, y = columns(TENNIS)
    for model in BOTH:
        tree = model().fit(X, y)
        assert export_text(tree, NAMES).splitlines() == [
            "Outlook = Overcast: Yes (4)",
            "Outlook = Rain",
            "|   Wind = Strong: No (2)",
            "|   Wind = Weak: Yes (3)",
            "Outlook = Sunny",
            "|   Humidity = High: No (3)",
            "|   Humidity = Normal: Yes (2)",
        ]
        assert tree.score(X, y) == 1
        assert (tree.get_depth(), tree.get_n_leaves()) == (2, 5)


def test_the_loan_table_asks_for_the_house_and_then_for_the_job():
    X, y = columns(LOAN)
    found = [impurity_decrease(counts_of([r[j] for r in X], y)) for j in range(4)]
    assert found == pytest.approx([0.083, 0.324, 0.420, 0.363], abs=6e-4)  # Li Hang, example 5.2
    tree = ID3Classifier().fit(X, y)
    assert [str(rule) for rule in rules(tree, ["age", "job", "house", "credit"])] == [
        "IF house = no AND job = no THEN no",
        "IF house = no AND job = yes THEN yes",
        "IF house = yes THEN yes",
    ]
    assert [(rule.weight, rule.purity) for rule in rules(tree)] == [(6, 1), (3, 1), (6, 1)]


def test_witten_and_franks_numeric_temperature():
    heat = [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]
    play = [bool(int(c)) for c in "00111010111110"]
    assert impurity_after([[4, 2], [5, 3]]) == pytest.approx(0.939, abs=6e-4)
    assert 71.5 in boundary_thresholds(heat, play)
    threshold, gain = best_threshold(heat, play)
    assert threshold == 84
    assert gain == pytest.approx(0.113400864181)


def test_quinlans_missing_outlook():
    """C4.5, section 3.3: the outlook of one of Quinlan's 14 cases is unknown."""
    outlook = ["s"] * 5 + ["o"] * 4 + ["r"] * 5
    y = np.array([1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1])
    codes = np.array([{"s": 0.0, "o": 1.0, "r": 2.0}[v] for v in outlook])
    codes[5] = np.nan  # an overcast one
    split = propose(0, codes, y, np.ones(14), False, "entropy")
    assert split.gain == pytest.approx(0.199, abs=6e-4)  # 13/14 (0.961 - 0.747)
    assert split.intrinsic == pytest.approx(1.809, abs=6e-4)
    parts = {a: (len(rows), w.sum()) for a, rows, w in divide(codes, np.ones(14), split)}
    assert parts[0][1] == pytest.approx(5 + 5 / 13)
    assert parts[1][1] == pytest.approx(3 + 3 / 13)
    assert parts[2] == (6, pytest.approx(5 + 5 / 13))


# an independent way


@settings(max_examples=60, deadline=None)
@given(tables())
@pytest.mark.equation("decision-tree-gini", "decision-tree-misclassification", "decision-tree-gain")
def test_impurities_and_decreases_in_fractions(table):
    n, totals = sum(map(sum, table)), [sum(column) for column in zip(*table, strict=True)]
    exact = {
        "gini": lambda row: 1 - sum(Fraction(c, sum(row)) ** 2 for c in row),
        "misclassification": lambda row: 1 - Fraction(max(row), sum(row)),
        "entropy": lambda row: h(*row),
    }
    for name, measure in exact.items():
        left = sum(sum(row) * measure(row) for row in table) / n
        assert impurity_after(table, name) == pytest.approx(float(left), abs=1e-12)
        decrease = impurity_decrease(table, name)
        assert decrease == pytest.approx(float(measure(totals) - left), abs=1e-12)
        assert decrease >= 0
        shares = np.array(totals) / n
        assert IMPURITIES[name](shares) == pytest.approx(float(measure(totals)), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2)), min_size=2, max_size=20),
    st.sampled_from(list(IMPURITIES)),
)
@pytest.mark.equation("decision-tree-boundary")
def test_a_best_threshold_lies_at_a_boundary(pairs, criterion):
    x, y = (np.array(v) for v in zip(*pairs, strict=True))
    values = np.unique(x)
    every = (values[:-1] + values[1:]) / 2
    decrease = [impurity_decrease(counts_of((x > t).tolist(), y.tolist()), criterion) for t in every]
    cuts = [(a + b) / 2 for a, b in itertools.pairwise(values) if len(set(y[x == a]) | set(y[x == b])) > 1]
    assert_allclose(boundary_thresholds(x, y), cuts)
    threshold, best = best_threshold(x, y, criterion)
    if not cuts:
        assert math.isnan(threshold)
        assert best == 0
        return
    assert best == pytest.approx(max(decrease), abs=1e-12)
    first = next(t for t, v in zip(every, decrease, strict=True) if v >= max(decrease) - 1e-12 and t in cuts)
    assert threshold == pytest.approx(first)


def test_the_gain_is_that_of_the_chapter_on_information():
    rng = np.random.default_rng(0)
    for _ in range(10):
        x, y = rng.integers(0, 4, 30), rng.integers(0, 3, 30)
        expected = information_gain(x, y, base=2)
        assert impurity_decrease(counts_of(x.tolist(), y.tolist())) == pytest.approx(expected, abs=1e-12)
        assert propose(0, x.astype(float), y, np.ones(30), False, "entropy").gain == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("seed", range(4))
def test_two_valued_features_give_the_tree_of_scikit_learn(criterion, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (200, 5))
    y = (X @ [3, 2, 2, 1, 1] + rng.normal(size=200) > 4).astype(int)
    w = rng.uniform(0.5, 1.5, 200)  # so that no two splits tie
    ours = ID3Classifier(criterion=criterion, max_depth=3).fit(X, y, w)
    peer = DecisionTreeClassifier(criterion=criterion, max_depth=3, random_state=0).fit(X, y, w)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-12)


@pytest.mark.equation("decision-tree-average-rule")
def test_numbers_as_scikit_learn_cuts_them():
    """With one feature the gain ratio decides nothing, and both trees cut at the same midpoints."""
    X, y = load_iris().X[:, [3]], load_iris().y
    ours = C45Classifier(max_depth=2).fit(X, y)
    peer = DecisionTreeClassifier(criterion="entropy", max_depth=2, random_state=0).fit(X, y)
    thresholds = sorted(node.split.threshold for node in ours.nodes_ if node.split)
    assert_allclose(thresholds, np.sort(peer.tree_.threshold[peer.tree_.feature >= 0]))
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X))


@pytest.mark.equation("decision-tree-average-rule", "decision-tree-ratio")
def test_the_rule_of_the_mean_gain():
    many = Split(0, np.nan, 0.9, 3.0)
    good = Split(1, np.nan, 0.7, 1.0)
    lopsided = Split(2, 0.5, 0.05, 0.05)
    assert select_split([many, good, lopsided]) == many
    assert select_split([many, good, lopsided], use_ratio=True) == good
    assert select_split([lopsided], use_ratio=True) == lopsided
    assert select_split([]) is None
    assert select_split([good, good._replace(feature=3)]).feature == 1
    even = [Split(j, 0.5, 0.1 + 0.2 * (j == 0), 1.0) for j in range(2)]
    assert select_split([even[1], even[0]], use_ratio=True) == even[0]
    assert (
        select_split([good._replace(gain=0.1), good._replace(gain=0.1, intrinsic=0.5)], use_ratio=True).intrinsic == 0.5
    )


@pytest.mark.equation("decision-tree-missing", "decision-tree-leaf")
def test_missing_values_by_hand():
    """Four rows know the answer, one does not; its halves go down both branches, in training and in prediction."""
    X = [["a"], ["a"], ["a"], ["b"], [None]]
    y = [0, 0, 0, 1, 1]
    tree = C45Classifier().fit(X, y)
    root = tree.nodes_[0]
    assert root.split.gain == pytest.approx(0.8 * h(3, 1))
    assert root.split.intrinsic == pytest.approx(h(3, 1, 1))
    assert [node.counts.tolist() for node in tree.nodes_[1:]] == [[3, 0.75], [0, 1.25]]
    assert_allclose(tree.predict_proba([["a"], ["b"]]), [[0.8, 0.2], [0, 1]])
    share = 3.75 / 5
    assert_allclose(tree.predict_proba([[None]]), [[share * 0.8, share * 0.2 + 1 - share]])
    assert_allclose(tree.predict_proba([[np.nan]]), tree.predict_proba([[None]]))
    assert "(3, 0.75)" in export_text(tree)


def test_missing_numbers():
    X = np.array([[1.0, np.nan], [2.0, 5.0], [np.nan, 6.0], [4.0, 7.0]])
    tree = C45Classifier().fit(X, [0, 0, 1, 1])
    assert_allclose(tree.predict_proba([[1.5, 5.0], [4.0, 9.0]]), [[1, 0], [0, 1]], atol=0.34)
    assert tree.nodes_[0].split[:2] == (0, 3.0) or tree.nodes_[0].split[:2] == (1, 5.5)
    nothing = C45Classifier().fit([[None, 1.0], [None, 2.0]], [0, 1])  # a column of which nothing is known
    assert nothing.nodes_[0].split.feature == 1


# laws


@pytest.mark.parametrize("model", BOTH)
def test_weights_are_repeated_rows_and_order_does_not_matter(model):
    rng = np.random.default_rng(1)
    X, y, w = rng.integers(0, 3, (60, 4)), rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    names = {} if model is ID3Classifier else {"categorical_features": [1, 2]}
    weighted = model(**names).fit(X, y, sample_weight=w)
    repeated = model(**names).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-12)
    order = rng.permutation(60)
    shuffled = model(**names).fit(X[order], y[order], sample_weight=w[order])
    assert_allclose(shuffled.predict_proba(X), weighted.predict_proba(X), atol=1e-12)


def test_numbers_enter_by_their_order_only():
    X, y = load_iris().X, load_iris().y
    tree, stretched = C45Classifier().fit(X, y), C45Classifier().fit(np.exp(X), y)
    assert [n.split.feature for n in tree.nodes_ if n.split] == [n.split.feature for n in stretched.nodes_ if n.split]
    assert_array_equal(tree.predict(X), stretched.predict(np.exp(X)))
    assert_array_equal(C45Classifier().fit(np.asfortranarray(X), y).predict(X), tree.predict(X))
    assert_array_equal(C45Classifier().fit(X.astype(np.float32), y).predict(X.astype(np.float32)), tree.predict(X))


@pytest.mark.equation("decision-tree-rules")
def test_rules_are_exclusive_exhaustive_and_predict():
    X, y = columns(TENNIS)
    tree = C45Classifier().fit(X, y)
    found = rules(tree, NAMES)
    for row, guess in zip(X, tree.predict(X), strict=True):
        facts = {f"{name} = {value}" for name, value in zip(NAMES, row, strict=True)}
        fire = [rule for rule in found if set(rule.conditions) <= facts]
        assert [rule.label for rule in fire] == [guess]
    assert sum(rule.weight for rule in found) == 14
    stump = ID3Classifier(max_depth=1).fit(X, y)
    assert [(r.label, r.weight, r.purity) for r in rules(stump)] == [("Yes", 4, 1.0), ("Yes", 5, 0.6), ("No", 5, 0.6)]
    assert rules(stump)[0].conditions == ("x_0 = Overcast",)
    assert str(rules(ID3Classifier(max_depth=0).fit(X, y))[0]) == "IF anything THEN Yes"
    assert export_text(ID3Classifier(max_depth=0).fit(X, y)) == "Yes (5, 9)"


def test_graph_of_a_tree():
    tree = C45Classifier().fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    texts, edges = tree_graph(tree, ["height"])
    assert texts == ["height", "a\n2", "b\n1"]
    assert edges == [(0, 1, "<= 2.5"), (0, 2, "> 2.5")]
    with pytest.raises(ValueError, match="feature_names must be 1 names, one for each column of X, got 2"):
        tree_graph(tree, ["height", "weight"])


# stopping


@pytest.mark.equation("decision-tree-stop")
def test_when_a_node_stays_a_leaf():
    X, y = columns(TENNIS)
    leaves = lambda **options: ID3Classifier(**options).fit(X, y).get_n_leaves()
    assert leaves() == 5
    assert leaves(max_depth=0) == 1
    assert leaves(max_depth=1) == 3
    assert leaves(min_samples_split=6) == 3
    assert leaves(min_samples_split=5) == 5
    assert leaves(min_gain=0.2467) == 5
    assert leaves(min_gain=0.2468) == 1
    assert leaves(max_impurity=0.9402) == 3 + 2 * 2 - 2
    assert leaves(max_impurity=0.9403) == 1
    assert leaves(max_impurity=h(9, 5)) == 1  # at most, not less than


def test_equal_rows_with_different_labels_end():
    for model in BOTH:
        tree = model().fit([[1.0, 2.0]] * 3, [0, 1, 1])
        assert tree.get_n_leaves() == 1
        assert_allclose(tree.predict_proba([[1.0, 2.0]]), [[1 / 3, 2 / 3]])


def test_xor_needs_a_split_that_gains_nothing():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    for model in BOTH:
        assert model().fit(X, y).score(X, y) == 1
        assert model(min_gain=1e-9).fit(X, y).get_n_leaves() == 1


# extremes


def test_a_very_deep_tree():
    n = 1500
    X, y = np.arange(n, dtype=float)[:, None] ** 1.5, np.arange(n) % 2
    tree = C45Classifier().fit(X, y)
    assert tree.get_n_leaves() == n
    assert tree.get_depth() > 100
    assert_array_equal(tree.predict(X), y)
    assert len(pickle.dumps(tree)) > 0


def test_constant_features_are_never_asked():
    X, y = columns(TENNIS)
    with_constant = [["same", 7.0, *row] for row in X]
    for model in BOTH:
        tree = model().fit(with_constant, y)
        assert {node.split.feature for node in tree.nodes_ if node.split} == {2, 4, 5}
        alone = model().fit([["same"]] * 14, y)
        assert_array_equal(alone.predict([["same"]]), ["Yes"])


def test_neighbouring_floats_are_told_apart():
    a = 1.0
    b = np.nextafter(a, 2)
    assert best_threshold([a, b], [0, 1]) == (a, 1.0)
    assert midpoints(np.array([-1.7e308, 1.7e308])) == 0
    assert 1.6e308 < midpoints(np.array([1.6e308, 1.7e308])) < 1.7e308
    odd, even = b, np.nextafter(b, 2)  # their middle rounds to the upper one
    assert best_threshold([odd, even], [0, 1]) == (odd, 1.0)
    assert_array_equal(C45Classifier().fit([[a], [b]], [0, 1]).predict([[a], [b]]), [0, 1])
    tiny = np.array([0.0, 5e-324])
    assert (tiny[:-1] <= midpoints(tiny)).all()
    assert (midpoints(tiny) < tiny[1:]).all()


def test_an_unseen_category_gets_the_shares_of_the_node():
    X, y = columns(TENNIS)
    for model in BOTH:
        tree = model().fit(X, y)
        assert_allclose(tree.predict_proba([["Fog", "Hot", "High", "Weak"]]), [[5 / 14, 9 / 14]])
        assert_allclose(tree.predict_proba([["Rain", "Hot", "High", "Storm"]]), [[2 / 5, 3 / 5]])
    X = [["a", "u"], ["a", "v"], ["b", "u"], ["b", "w"], ["b", "w"]]
    tree = ID3Classifier().fit(X, [0, 1, 2, 2, 2])
    assert_allclose(tree.predict_proba([["a", "w"]]), [[0.5, 0.5, 0]])  # no row of this node has w


@pytest.mark.parametrize("model", [ID3Classifier(), C45Classifier()])
def test_logarithms_of_the_shares(model):
    rows, y = [["sun"], ["sun"], ["rain"], ["rain"]], [0, 1, 1, 1]
    found = model.fit(rows, y).predict_log_proba([["sun"], ["rain"]])
    assert_allclose(found, [[-np.log(2), -np.log(2)], [-np.inf, 0.0]], rtol=1e-12)


def test_a_class_whose_weights_are_zero():
    tree = ID3Classifier().fit([["a"], ["b"], ["c"]], ["x", "y", "z"], sample_weight=[1, 0, 1])
    assert_array_equal(tree.classes_, ["x", "y", "z"])
    assert_allclose(tree.predict_proba([["a"], ["c"], ["b"]]), [[1, 0, 0], [0, 0, 1], [0.5, 0, 0.5]])


# the contract and errors


@pytest.mark.parametrize("model", BOTH)
def test_the_contract_of_scikit_learn(model):
    results = check_estimator(model(), on_fail=None, on_skip=None)
    assert not [r["check_name"] for r in results if r["status"] == "failed"]
    X, y = load_iris().X, load_iris().y
    chain = make_pipeline(FunctionTransformer(), clone(model(max_depth=2)))
    search = GridSearchCV(chain, {f"{model.__name__.lower()}__max_depth": [1, 2]}, cv=2, error_score="raise")
    assert 0.5 < search.fit(X, y).best_score_ <= 1
    fit = model().fit(X, np.array(["a", "b", "c"])[y])
    assert_array_equal(pickle.loads(pickle.dumps(fit)).predict(X), fit.predict(X))


@pytest.mark.parametrize("model", BOTH)
def test_bad_data(model):
    X, y = columns(TENNIS)
    with pytest.raises(ValueError, match="y must hold at least two classes, got 1 class"):
        model().fit(X, ["Yes"] * 14)
    with pytest.raises(ValueError, match="Sample weights must contain at least one non-zero number"):
        model().fit(X, y, sample_weight=np.zeros(14))
    with pytest.raises(TypeError, match="column 0 of X mixes text and numbers"):
        model().fit([["a"], [1]], [0, 1])
    with pytest.raises(TypeError, match=r"column 0 of X holds \{1\}: each such argument must be a string or a number"):
        model().fit([[{1}], [{2}]], [0, 1])


def test_missing_values_are_refused_by_id3():
    for missing in (None, np.nan):
        with pytest.raises(ValueError, match="column 1 of X holds NaN: give missing values a category"):
            ID3Classifier().fit([["a", missing], ["b", "c"]], [0, 1])
    with pytest.raises(ValueError, match="column 0 of X holds NaN"):
        ID3Classifier().fit([["a"], ["b"]], [0, 1]).predict([[None]])


def test_bad_numbers_of_c45():
    with pytest.raises(ValueError, match="column 0 of X holds infinity"):
        C45Classifier().fit(np.array([[np.inf], ["1"]], dtype=object)[[0, 0]], [0, 1])
    tree = C45Classifier().fit([[1.0, "u"], [2.0, "v"]], [0, 1])
    with pytest.raises(TypeError, match="column 0 of X is a number in the rows of fit: got 'many'"):
        tree.predict([["many", "u"]])


@pytest.mark.parametrize("model", BOTH)
def test_bad_hyper_parameters(model):
    X, y = columns(TENNIS)
    for options, kind, text in [
        ({"max_depth": -1}, ValueError, "max_depth must be at least 0"),
        ({"max_depth": 2.0}, TypeError, "max_depth must be an integer"),
        ({"min_samples_split": 1}, ValueError, "min_samples_split must be at least 2"),
        ({"max_impurity": -0.1}, ValueError, "max_impurity must be finite and at least 0"),
        ({"min_gain": np.nan}, ValueError, "min_gain must be finite and at least 0"),
    ]:
        with pytest.raises(kind, match=text):
            model(**options).fit(X, y)
    with pytest.raises(ValueError, match="criterion must be one of"):
        ID3Classifier(criterion="variance").fit(X, y)
    with pytest.raises(ValueError, match="categorical_features must hold different integers from 0 to 3"):
        C45Classifier(categorical_features=[4]).fit(X, y)


def test_bad_arguments_of_the_steps():
    with pytest.raises(ValueError, match="p must be non-negative and sum to 1"):
        gini([3, 1])
    with pytest.raises(ValueError, match="p must be non-negative and sum to 1"):
        misclassification([3, 1])
    for bad in ([1, 2], [[0, 0]], [[-1, 2]]):
        with pytest.raises(ValueError, match="counts must be non-negative with a positive sum, one row"):
            impurity_after(bad)
    with pytest.raises(ValueError, match="criterion must be one of"):
        impurity_decrease([[1, 2]], "variance")
    with pytest.raises(ValueError, match="sizes must be non-negative with a positive sum"):
        intrinsic_value([0, 0])
    with pytest.raises(ValueError, match="counts must have two branches with instances, else the ratio is 0 / 0"):
        gain_ratio([[3, 2], [0, 0]])
    for x, y in (([1, 2], [0]), ([], []), ([[1]], [[0]])):
        with pytest.raises(ValueError, match="x and y must be columns of one length"):
            boundary_thresholds(x, y)
    with pytest.raises(ValueError, match="criterion must be one of"):
        best_threshold([1, 2], [0, 1], "variance")
    with pytest.raises(TypeError, match="x must hold numbers"):
        best_threshold(["a"], [0])


def test_json_of_what_a_rule_says():
    tree = ID3Classifier().fit([["a"], ["b"]], [3, 4])
    assert json.dumps([rule.label for rule in rules(tree)]) == "[3, 4]"


def test_a_model_without_nodes_is_refused_by_name():
    for function in (export_text, rules):
        with pytest.raises(TypeError, match="model must be an ID3Classifier or C45Classifier, got DummyClassifier"):
            function(DummyClassifier().fit([[0], [1]], [0, 1]))
