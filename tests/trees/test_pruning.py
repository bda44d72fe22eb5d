"""Pruning against published numbers, all pruned trees of a small tree, scikit-learn, its own laws, and bad input."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.foundations.inference import clopper_pearson_interval, wilson_interval
from notes_lib.trees.cart import DecisionTreeClassifier, DecisionTreeRegressor, Tree, collapse
from notes_lib.trees.pruning import (
    RuleList,
    alpha_by_cross_validation,
    best_cut,
    cost_complexity_cut,
    cost_complexity_pruning_path,
    early_stop,
    extract_rules,
    link_strengths,
    node_errors,
    pessimistic_pruning,
    pessimistic_rate,
    prune,
    reach,
    reduced_error_pruning,
    resubstitution_costs,
    simplify_rules,
)

PAIRS = [
    (DecisionTreeClassifier, sklearn.tree.DecisionTreeClassifier),
    (DecisionTreeRegressor, sklearn.tree.DecisionTreeRegressor),
]


def noisy(seed, n=300, classes=True, d=3):
    """Continuous features in single precision, so that scikit-learn sees the same numbers."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)
    signal = X[:, 0] * X[:, 1]
    return X, ((signal + 0.5 * rng.normal(size=n) > 0).astype(int) if classes else signal + 0.5 * rng.normal(size=n))


def small_tree(seed, n=25):
    X, y = noisy(seed, n, classes=False)
    return DecisionTreeRegressor(max_leaf_nodes=7).fit(X, y).tree_


def theirs(model):
    """Arrays of a tree of scikit-learn in ours."""
    t = model.tree_
    fields = [t.children_left, t.children_right, t.feature, t.threshold, t.value[:, 0, :], t.impurity]
    return Tree(*fields, t.n_node_samples, t.weighted_n_node_samples)


def pruned_trees(tree, costs):
    """Nodes at which it stops, cost and number of leaves, for every pruned tree: by choosing both sides freely."""

    @cache
    def under(t):
        found = [((t,), costs[t], 1)]
        if tree.children_left[t] >= 0:
            for a, b in product(under(int(tree.children_left[t])), under(int(tree.children_right[t]))):
                found.append((a[0] + b[0], a[1] + b[1], a[2] + b[2]))
        return found

    return under(0)


def ends(tree, cut):
    """The nodes at which a walk from the root stops."""
    work, found = [0], []
    while work:
        t = work.pop()
        if cut[t]:
            found.append(t)
        else:
            work += [int(tree.children_left[t]), int(tree.children_right[t])]
    return tuple(sorted(found))


# ---------------------------------------------------------------- the recursion and the sequence


@given(st.integers(0, 10**6), st.floats(0, 3))
@settings(max_examples=60, deadline=None)
@pytest.mark.equation("pruning-recursion", "pruning-cost")
def test_no_pruned_tree_is_cheaper_and_no_smaller_one_as_cheap(seed, alpha):
    rng = np.random.default_rng(seed)
    tree = small_tree(seed % 50)
    costs = rng.integers(0, 8, tree.node_count).astype(float)
    alpha = round(alpha * 2) / 2  # many ties
    every = [(cost + alpha * leaves, leaves, nodes) for nodes, cost, leaves in pruned_trees(tree, tuple(costs))]
    least = min(v for v, _, _ in every)
    cheapest = [(leaves, nodes) for v, leaves, nodes in every if v == least]
    found = ends(tree, best_cut(tree, costs, alpha))
    assert (len(found), found) == min((leaves, tuple(sorted(nodes))) for leaves, nodes in cheapest)
    assert sum(leaves == len(found) for leaves, _ in cheapest) == 1  # the smallest one is unique


@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
@pytest.mark.equation("pruning-link", "pruning-weakest", "pruning-cost", "pruning-nested")
def test_the_sequence_of_weakest_links_holds_the_best_trees_of_all_prices(seed):
    rng = np.random.default_rng(seed)
    tree = small_tree(seed % 50)
    costs = resubstitution_costs(tree) if seed % 2 else rng.uniform(0, 8, tree.node_count)
    if not seed % 2:  # a split never costs: as errors do
        for t in np.flatnonzero(~tree.is_leaf)[::-1]:
            costs[t] = costs[tree.children_left[t]] + costs[tree.children_right[t]] + rng.exponential()
    path = cost_complexity_pruning_path(tree, costs)
    assert (np.diff(path.ccp_alphas) > 0).all()
    assert path.n_leaves[-1] == 1
    every = pruned_trees(tree, tuple(costs))
    cut = tree.is_leaf.copy()
    for k, alpha in enumerate(path.between):
        if k:
            cut[path.links[k]] = True
        price = alpha if k < len(path.between) - 1 else 2 * alpha  # the last begins at a tie
        value, leaves, nodes = min((c + price * m, m, tuple(sorted(n))) for n, c, m in every)
        assert ends(tree, cut) == nodes == ends(tree, cost_complexity_cut(tree, alpha, costs))
        assert (path.n_leaves[k], path.impurities[k]) == (leaves, pytest.approx(value - price * leaves))
        assert set(nodes) == set(ends(tree, cost_complexity_cut(tree, path.ccp_alphas[k], costs)))  # from its price on


@pytest.mark.equation("pruning-link", "pruning-resubstitution")
def test_strengths_word_for_word():
    tree = small_tree(3)
    strength = link_strengths(tree)
    for t in range(tree.node_count):
        if tree.is_leaf[t]:
            assert strength[t] == np.inf
            continue
        work, leaves = [t], []
        while work:
            u = work.pop()
            work += [tree.children_left[u], tree.children_right[u]] if tree.children_left[u] >= 0 else []
            leaves += [u] if tree.children_left[u] < 0 else []
        share = tree.n_node_samples / 25
        rise = share[t] * tree.impurity[t] - sum(share[u] * tree.impurity[u] for u in leaves)
        assert strength[t] == pytest.approx(rise / (len(leaves) - 1))


@pytest.mark.equation("pruning-weakest", "pruning-resubstitution")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("Ours", "Peer"), PAIRS)
def test_the_path_of_scikit_learn(Ours, Peer, weighted):
    X, y = noisy(1, 400, classes=Ours is DecisionTreeClassifier)
    w = np.random.default_rng(0).integers(1, 5, len(y)) if weighted else None
    ours, peer = Ours(min_samples_leaf=12), Peer(min_samples_leaf=12, random_state=0)
    expected = peer.cost_complexity_pruning_path(X, y, w)
    found = ours.cost_complexity_pruning_path(X, y, w)
    assert_allclose(found.ccp_alphas, expected.ccp_alphas, atol=1e-14)
    assert_allclose(found.impurities, expected.impurities, atol=1e-14)
    assert len(found.ccp_alphas) > 10
    assert not hasattr(ours, "tree_")
    for alpha in found.between[::5]:
        a, b = Ours(min_samples_leaf=12, ccp_alpha=alpha), Peer(min_samples_leaf=12, ccp_alpha=alpha, random_state=0)
        tree, other = a.fit(X, y, w).tree_, b.fit(X, y, w).tree_
        assert_array_equal(tree.feature, other.feature)
        assert_array_equal(tree.children_left, other.children_left)
        assert_allclose(tree.value, other.value[:, 0, :])


@pytest.mark.equation("pruning-weakest")
@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_the_path_of_the_same_tree_with_ties_number_by_number(load):
    """Equal links are cut in the order of scikit-learn if the tree holds the same floats."""
    X, y = load(return_X_y=True)
    for seed in range(3):
        peer = sklearn.tree.DecisionTreeClassifier(random_state=seed)
        expected = peer.cost_complexity_pruning_path(X, y)
        found = cost_complexity_pruning_path(theirs(peer.fit(X, y)))
        assert_array_equal(found.ccp_alphas, expected.ccp_alphas)
        assert_array_equal(found.impurities, expected.impurities)
        assert_array_equal(np.unique(expected.ccp_alphas.round(12)), np.unique(found.ccp_alphas.round(12)))
        assert len(found.between) <= len(found.ccp_alphas)


@pytest.mark.equation("pruning-geometric")
def test_prices_between():
    path = cost_complexity_pruning_path(small_tree(5))
    assert_array_equal(path.between[:1], [0])
    for k in range(1, len(path.ccp_alphas) - 1):
        assert path.between[k] == pytest.approx(math.sqrt(path.ccp_alphas[k] * path.ccp_alphas[k + 1]))
        assert path.ccp_alphas[k] < path.between[k] < path.ccp_alphas[k + 1]
    assert path.between[-1] == path.ccp_alphas[-1]
    ties = path._replace(ccp_alphas=np.array([0.0, 0.1, 0.1 + 1e-16, 0.4]))
    assert_allclose(ties.between, [0, 0.2, 0.4])
    single = cost_complexity_pruning_path(DecisionTreeRegressor().fit([[1], [1]], [0, 2]).tree_)
    assert (single.ccp_alphas.tolist(), single.between.tolist(), single.impurities.tolist()) == ([0], [0], [1])


def test_errors_as_costs_give_the_example_of_the_book():
    """A stump under a root, worked by hand: 10 instances, 5 errors at the root, 1 + 1 in the leaves."""
    X, y = np.arange(10.0)[:, None], [0, 0, 0, 0, 1, 0, 1, 1, 1, 1]
    tree = DecisionTreeClassifier(max_depth=1, min_samples_leaf=5).fit(X, y).tree_
    assert_array_equal(node_errors(tree), [5, 1, 1])
    path = cost_complexity_pruning_path(tree, node_errors(tree) / 10)
    assert_allclose(path.ccp_alphas, [0, 0.3])
    assert_allclose(path.impurities, [0.2, 0.5])


# ---------------------------------------------------------------- stopping early


@pytest.mark.equation("pruning-stop")
@pytest.mark.parametrize(("Ours", "Peer"), PAIRS)
@pytest.mark.parametrize("least", [0.0, 0.002, 0.02, 9.0])
def test_stopping_is_what_scikit_learn_grows_with_a_limit(Ours, Peer, least):
    X, y = noisy(9, classes=Ours is DecisionTreeClassifier)
    full = Ours(min_samples_leaf=12).fit(X, y)  # no equal gains
    found = prune(full, early_stop(full.tree_, least))
    expected = Peer(min_impurity_decrease=least, min_samples_leaf=12, random_state=0).fit(X, y)
    assert_array_equal(found.tree_.feature, expected.tree_.feature)
    assert_allclose(found.predict(X), expected.predict(X))


@pytest.mark.equation("pruning-stop")
@pytest.mark.parametrize(("least", "leaves"), [(0.99, 2), (1.0, 2), (1.01, 1)])
def test_a_split_that_gains_just_the_least_is_made(least, leaves):
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 2.0, 2.0]  # variance 1, without any after one split
    full = DecisionTreeRegressor().fit(X, y)
    peer = sklearn.tree.DecisionTreeRegressor(min_impurity_decrease=least).fit(X, y)
    assert prune(full, early_stop(full.tree_, least)).get_n_leaves() == peer.get_n_leaves() == leaves


@pytest.mark.equation("pruning-stop")
def test_the_horizon():
    """The exclusive or: stopping sees no gain at the root, pruning sees what lies below."""
    X, y = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 5, axis=0), np.repeat([0, 1, 1, 0], 5)
    full = DecisionTreeClassifier().fit(X, y)
    assert prune(full, early_stop(full.tree_, 0.01)).get_n_leaves() == 1
    assert prune(full, cost_complexity_cut(full.tree_, 0.01)).score(X, y) == 1.0
    assert DecisionTreeClassifier(ccp_alpha=0.01).fit(X, y).get_n_leaves() == 4


# ---------------------------------------------------------------- a pruning set


@pytest.mark.equation("pruning-reduced")
@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_no_pruned_tree_has_fewer_errors_on_the_pruning_set(seed, classes):
    X, y = noisy(seed, 400, classes)
    make = DecisionTreeClassifier if classes else DecisionTreeRegressor
    model = make(max_leaf_nodes=8).fit(X[:200], y[:200])
    found = reduced_error_pruning(model, X[200:300], y[200:300])

    def loss(fitted):
        guess = fitted.predict(X[200:300])
        return (guess != y[200:300]).sum() if classes else ((guess - y[200:300]) ** 2).sum()

    options = []
    for nodes, _, leaves in pruned_trees(model.tree_, (0.0,) * model.tree_.node_count):
        cut = np.isin(np.arange(model.tree_.node_count), nodes)
        options.append((round(float(loss(prune(model, cut))), 9), leaves))
    assert (round(float(loss(found)), 9), found.get_n_leaves()) == min(options)
    assert model.get_n_leaves() == 8  # the original stays


@pytest.mark.equation("pruning-reduced")
def test_labels_of_any_type_and_unknown_ones():
    model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "a", "b", "b"])
    assert reduced_error_pruning(model, [[1], [4]], ["a", "b"]).get_n_leaves() == 2
    assert reduced_error_pruning(model, [[1], [4]], ["a", "a"]).get_n_leaves() == 1
    assert reduced_error_pruning(model, [[1], [4]], ["c", "c"]).get_n_leaves() == 1


def test_losses_on_the_way_up():
    X, y = noisy(4)
    tree = DecisionTreeClassifier(max_depth=4).fit(X, y).tree_
    assert_allclose(reach(tree, X, lambda node: np.ones(300)), tree.n_node_samples)
    errors = reach(tree, X, lambda node: tree.value.argmax(axis=1)[node] != y)
    assert_allclose(errors, node_errors(tree))


# ---------------------------------------------------------------- the pessimistic bound


@pytest.mark.equation("pruning-exact-bound")
def test_published_bounds_of_c45():
    """Quinlan (1993), chapter 4: three leaves with 6, 9 and 1 votes and no error; predicted errors 3.273."""
    rates = pessimistic_rate([0, 0, 0], [6, 9, 1])
    assert_allclose(rates, [0.206, 0.143, 0.750], atol=5e-4)
    assert rates @ [6, 9, 1] == pytest.approx(3.273, abs=2e-3)
    assert pessimistic_rate(1, 16) == pytest.approx(0.157, abs=4e-3)  # his program approximates
    assert 16 * pessimistic_rate(1, 16) < 3.273


@pytest.mark.equation("pruning-normal-bound")
def test_the_normal_bound_of_the_textbooks():
    """Witten and Frank: 2 errors of 6 and 1 of 2 with z = 0.69; and the limit of Wilson."""

    def bound(f, n, z):
        return (f + z**2 / (2 * n) + z * math.sqrt(f * (1 - f) / n + z**2 / (4 * n**2))) / (1 + z**2 / n)

    assert_allclose([bound(2 / 6, 6, 0.69), bound(1 / 2, 2, 0.69)], [0.47, 0.72], atol=0.005)
    for e, n in [(0, 5), (2, 6), (7, 30), (300, 1000)]:
        assert bound(e / n, n, 0.67448975) == pytest.approx(wilson_interval(e, n, 0.5).high, abs=1e-7)
        assert bound(e / n, n, 0.67448975) == pytest.approx(float(pessimistic_rate(e, n)), abs=0.8 / n)


@pytest.mark.equation("pruning-exact-bound", "pruning-zero-bound")
@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.6])
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_so_few_errors_have_the_probability_of_the_confidence(n, confidence):
    for e in range(n):
        p = float(pessimistic_rate(e, n, confidence))
        tail = sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(e + 1))
        assert tail == pytest.approx(confidence, abs=1e-12)
        if confidence < 0.5:
            assert p == pytest.approx(clopper_pearson_interval(e, n, 1 - 2 * confidence).high, abs=1e-12)
    assert pessimistic_rate(n, n, confidence) == 1
    assert pessimistic_rate(0, n, confidence) == pytest.approx(1 - confidence ** (1 / n), abs=1e-12)


def test_bounds_of_fractions_and_extremes():
    grid = pessimistic_rate(np.arange(0, 5, 0.5), np.full(10, 5.0))
    assert (np.diff(grid) > 0).all()
    assert pessimistic_rate(0.0, 0.5) == pytest.approx(1 - 0.25**2)
    assert 0 < pessimistic_rate(0, 10**9) < 2e-9
    assert pessimistic_rate(3, 10, 1e-9) > pessimistic_rate(3, 10) > pessimistic_rate(3, 10, 0.9)


@pytest.mark.equation("pruning-predicted")
@pytest.mark.parametrize("confidence", [0.01, 0.25, 0.8])
def test_pessimistic_pruning_is_a_plain_recursion(confidence):
    X, y = noisy(6)
    model = DecisionTreeClassifier().fit(X, y)
    t = model.tree_

    def grow(node, rows):
        counts = np.bincount(y[rows], minlength=2)
        alone = len(rows) * clopper_upper(len(rows) - counts.max(), len(rows), confidence)
        if t.children_left[node] < 0:
            return alone, 1
        left = X[rows, t.feature[node]] <= t.threshold[node]
        a, b = grow(t.children_left[node], rows[left]), grow(t.children_right[node], rows[~left])
        return (alone, 1) if alone <= a[0] + b[0] else (a[0] + b[0], a[1] + b[1])

    predicted, leaves = grow(0, np.arange(300))
    found = pessimistic_pruning(model, confidence)
    assert found.get_n_leaves() == leaves
    mass = found.tree_.weighted_n_node_samples[found.tree_.is_leaf]
    errors = node_errors(found.tree_)[found.tree_.is_leaf]
    assert (mass * pessimistic_rate(errors, mass, confidence)).sum() == pytest.approx(predicted)
    assert 1 < leaves <= model.get_n_leaves()
    assert (leaves < model.get_n_leaves()) == (confidence < 0.5)


def clopper_upper(e, n, confidence):
    """The limit by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        tail = sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(int(e) + 1))
        low, high = (p, high) if tail > confidence else (low, p)
    return high


# ---------------------------------------------------------------- a price by cross-validation


def test_alpha_search_against_scikit_learn():
    X, y = noisy(9, 400)
    search = alpha_by_cross_validation(DecisionTreeClassifier(min_samples_leaf=12), X, y, cv=5)
    peer = sklearn.tree.DecisionTreeClassifier(min_samples_leaf=12, random_state=0)
    expected = [cross_val_score(peer.set_params(ccp_alpha=a), X, y, cv=StratifiedKFold(5)) for a in search.ccp_alphas]
    assert_allclose(search.scores, expected)
    mean, error = np.mean(expected, axis=1), np.std(expected, axis=1, ddof=1) / np.sqrt(5)
    assert_allclose([search.mean, search.standard_error], [mean, error])
    assert search.best == search.ccp_alphas[mean.argmax()]
    near = mean >= mean.max() - error[mean.argmax()]
    assert search.one_standard_error == search.ccp_alphas[near].max() > search.best
    assert search.one_standard_error < search.ccp_alphas[-1]


def test_alpha_search_for_numbers():
    X, y = noisy(9, 200, classes=False)
    search = alpha_by_cross_validation(DecisionTreeRegressor(min_samples_leaf=8), X, y, cv=4)
    trees = [DecisionTreeRegressor(min_samples_leaf=8, ccp_alpha=a).fit(X, y) for a in (search.best, 0)]
    small, full = (tree.get_n_leaves() for tree in trees)
    assert 1 < small < full
    assert search.one_standard_error >= search.best


# ---------------------------------------------------------------- rules


def test_rules_of_a_tree_say_what_it_says():
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=4).fit(X, y)
    rules = extract_rules(model)
    assert len(rules) == model.get_n_leaves()
    covers = np.array([rule.covers(X) for rule in rules])
    assert_array_equal(covers.sum(axis=0), 1)
    assert_array_equal(np.array([r.label for r in rules])[covers.argmax(axis=0)], model.predict(X))
    leaf = np.unique(model.apply(X), return_inverse=True)[1]
    assert_array_equal(covers.argmax(axis=0), leaf)
    for rule, here in zip(rules, covers, strict=True):
        assert (rule.weight, rule.errors) == (here.sum(), pytest.approx((y[here] != rule.label).sum(), abs=1e-9))
    assert_array_equal(RuleList(tuple(rules), 9).predict(X), model.predict(X))
    assert rules[0].text() == "IF x2 <= 2.45 THEN 0"
    merged = extract_rules(DecisionTreeClassifier().fit([[1], [2], [3], [4]], [0, 1, 1, 0]))
    assert [r.text(["age"]) for r in merged] == [
        "IF age <= 1.5 THEN 0",
        "IF age > 1.5 AND age <= 3.5 THEN 1",
        "IF age > 3.5 THEN 0",
    ]


def test_a_condition_that_says_nothing_goes():
    """The tree first asks a feature that does not matter; its rules lose it."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(200, 3)).astype(float)
    y = np.where((X[:, 0] == 1) & (X[:, 1] == 1), "yes", "no")
    both = extract_rules(DecisionTreeClassifier().fit(X, y))
    split = [r._replace(bounds={2: (-np.inf, 0.5)} | r.bounds) for r in both]
    split += [r._replace(bounds={2: (0.5, np.inf)} | r.bounds) for r in both]
    short = simplify_rules(split, X, y)
    assert [r.text() for r in short.rules] == ["IF x0 <= 0.5 THEN no", "IF x1 <= 0.5 THEN no"]
    assert short.default == "yes"
    assert_array_equal(short.predict(X), y)
    assert sorted(r.weight for r in short.rules) == sorted((x <= 0.5).sum() for x in X.T[:2])
    assert [r.errors for r in short.rules] == [0, 0]


@pytest.mark.equation("pruning-exact-bound")
@pytest.mark.parametrize("seed", range(4))
def test_simplified_rules_are_fewer_and_their_bounds_not_larger(seed):
    X, y = noisy(seed, 200)
    rules = extract_rules(DecisionTreeClassifier(max_depth=5).fit(X, y))
    short = simplify_rules(rules, X, y)
    assert 0 < len(short.rules) < len(rules)
    assert sum(len(r.conditions) for r in short.rules) < sum(len(r.conditions) for r in rules)
    worst = [float(pessimistic_rate(r.errors, r.weight)) for r in short.rules]
    assert worst == sorted(worst)
    for rule in short.rules:
        inside = rule.covers(X)
        assert (rule.weight, rule.errors) == (inside.sum(), (y[inside] != rule.label).sum())
        own = float(pessimistic_rate(rule.errors, rule.weight))
        parents = [r for r in rules if r.label == rule.label and set(rule.conditions) <= set(r.conditions)]
        assert min(float(pessimistic_rate(round(r.errors), r.weight)) for r in parents) >= own - 1e-9
        for j, side, _ in rule.conditions:  # no further condition can go
            more = rule._replace(bounds=rule.without(j, side)).covers(X)
            assert float(pessimistic_rate((y[more] != rule.label).sum(), more.sum())) > own
    errors = (short.predict(X) != y).sum()
    for k in range(len(short.rules)):  # no further rule can go
        rest = short.rules[:k] + short.rules[k + 1 :]
        free = ~np.any([r.covers(X) for r in rest], axis=0) if rest else np.ones(200, dtype=bool)
        default = np.bincount(y[free] if free.any() else y).argmax()
        assert (RuleList(rest, default).predict(X) != y).sum() > errors


def test_a_rule_without_instances_is_left_out():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 1, 1]
    rules = extract_rules(DecisionTreeClassifier().fit(X, y))
    empty = rules[0]._replace(bounds={0: (8.0, 9.0)}, label=5)
    found = simplify_rules([*rules, empty], X, y)
    assert 5 not in found.predict(X)


# ---------------------------------------------------------------- the contract and bad input


@pytest.mark.parametrize("Ours", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_contract(Ours):
    for estimator, check in estimator_checks_generator(Ours(ccp_alpha=0.001)):
        check(estimator)


@pytest.mark.parametrize("Ours", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_price_zero_prunes_nothing_and_a_large_one_all(Ours):
    X, y = noisy(11, classes=Ours is DecisionTreeClassifier)
    full = Ours().fit(X, y)
    path = full.cost_complexity_pruning_path(X, y)
    assert path.n_leaves[0] == full.get_n_leaves()
    assert Ours(ccp_alpha=path.ccp_alphas[1] / 2).fit(X, y).get_n_leaves() == full.get_n_leaves()
    assert Ours(ccp_alpha=1e6).fit(X, y).get_n_leaves() == 1
    limits = {"max_depth": 3, "max_leaf_nodes": 5, "min_samples_split": 9, "min_samples_leaf": 4}
    limited = Ours(**limits, max_features=2, random_state=1)
    assert limited.fit(X, y).get_n_leaves() <= 5
    assert limited.cost_complexity_pruning_path(X, y).n_leaves[0] == limited.get_n_leaves()
    if Ours is DecisionTreeRegressor:
        rough = Ours(tolerance=0.4, leaf_error="worst").fit(X, y)
        assert np.abs(rough.predict(X) - y).max() <= 0.4


@pytest.mark.parametrize("scale", [1e-100, 1e-6, 1e6, 1e100])
def test_another_unit_of_the_target(scale):
    X, y = load_diabetes(return_X_y=True)
    full = DecisionTreeRegressor(max_depth=6).fit(X, y).tree_
    other = DecisionTreeRegressor(max_depth=6).fit(X, scale * y).tree_
    path, found = cost_complexity_pruning_path(full), cost_complexity_pruning_path(other)
    assert_allclose(found.ccp_alphas / scale**2, path.ccp_alphas, rtol=1e-6)
    alpha = path.between[len(path.between) // 2]
    assert_array_equal(
        collapse(full, cost_complexity_cut(full, alpha)).feature,
        collapse(other, cost_complexity_cut(other, alpha * scale**2)).feature,
    )


BAD = [
    (lambda t, m: best_cut(t, [1.0]), ValueError, "costs"),
    (lambda t, m: best_cut(t, np.full(t.node_count, np.nan)), ValueError, "costs"),
    (lambda t, m: best_cut(t, np.ones(t.node_count), -1), ValueError, "alpha"),
    (lambda t, m: early_stop(t, -1), ValueError, "min_impurity_decrease"),
    (lambda t, m: link_strengths(t, [1.0]), ValueError, "costs"),
    (lambda t, m: cost_complexity_pruning_path(t, [1.0]), ValueError, "costs"),
    (lambda t, m: cost_complexity_pruning_path(m), TypeError, "tree must be a Tree, such as .*, got DecisionT"),
    (lambda t, m: cost_complexity_pruning_path(None, [1.0]), TypeError, "tree must be a Tree, .* got NoneType"),
    (lambda t, m: link_strengths(m), TypeError, "tree must be a Tree"),
    (lambda t, m: cost_complexity_cut(m, 1.0), TypeError, "tree must be a Tree"),
    (lambda t, m: cost_complexity_cut(t, "dear"), TypeError, "alpha"),
    (lambda t, m: pessimistic_rate(3, 2), ValueError, "errors"),
    (lambda t, m: pessimistic_rate(-1, 2), ValueError, "errors"),
    (lambda t, m: pessimistic_rate(0, 0), ValueError, "errors"),
    (lambda t, m: pessimistic_rate([0, 1], [2]), ValueError, "errors"),
    (lambda t, m: pessimistic_rate(0, 2, 0), ValueError, "confidence"),
    (lambda t, m: pessimistic_rate(0, 2, 1), ValueError, "confidence"),
    (lambda t, m: prune(m, [True]), ValueError, "nodes"),
    (lambda t, m: prune(DecisionTreeClassifier(), [True]), NotFittedError, "fitted"),
    (lambda t, m: reduced_error_pruning(m, [[1.0, 2, 3]], [0, 1]), ValueError, "y must have 1"),
    (lambda t, m: reduced_error_pruning(m, [[1.0]], [0]), ValueError, "features"),
    (lambda t, m: reduced_error_pruning(DecisionTreeClassifier(), [[1.0]], [0]), NotFittedError, "fitted"),
    (lambda t, m: pessimistic_pruning(DecisionTreeRegressor().fit([[1], [2]], [1, 2])), TypeError, "classifier"),
    (lambda t, m: pessimistic_pruning(m, 2), ValueError, "confidence"),
    (lambda t, m: extract_rules(DecisionTreeRegressor().fit([[1], [2]], [1, 2])), TypeError, "classifier"),
    (lambda t, m: extract_rules(DecisionTreeClassifier()), NotFittedError, "fitted"),
    (lambda t, m: simplify_rules([], [[1.0]], [0]), ValueError, "rules"),
    (lambda t, m: simplify_rules(extract_rules(m), [[1.0, 2, 3]], [0, 1]), ValueError, "y must have 1"),
    (lambda t, m: simplify_rules(extract_rules(m), [[1.0, 2, 3]], [0], 2), ValueError, "confidence"),
    (lambda t, m: DecisionTreeClassifier(ccp_alpha=-1).fit([[1], [2]], [0, 1]), ValueError, "ccp_alpha"),
    (lambda t, m: DecisionTreeRegressor(ccp_alpha=np.nan).fit([[1], [2]], [0, 1]), ValueError, "ccp_alpha"),
    (lambda t, m: DecisionTreeClassifier().fit([[1], [2]], [0, 1], [0, 0]), ValueError, "weight"),
    (lambda t, m: alpha_by_cross_validation(m, [[1.0], [2]], [0, 1], cv=5), ValueError, "n_splits"),
    (lambda t, m: best_cut(m, [1.0]), TypeError, "tree must be a Tree, .* got DecisionTreeClassifier"),
    (lambda t, m: early_stop(m, 0.1), TypeError, "tree must be a Tree"),
    (lambda t, m: resubstitution_costs(m), TypeError, "tree must be a Tree"),
    (lambda t, m: node_errors(m), TypeError, "tree must be a Tree"),
    (lambda t, m: reach(m, np.zeros((1, 3)), abs), TypeError, "tree must be a Tree"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "says"), BAD)
def test_bad_input(call, error, says):
    X, y = noisy(0, 40)
    model = DecisionTreeClassifier().fit(X, y)
    with pytest.raises(error, match=says):
        call(model.tree_, model)


@pytest.mark.parametrize("Ours", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_degenerate_data(Ours):
    dull = Ours(ccp_alpha=0.1).fit(np.ones((4, 2)), [1, 2, 1, 2])
    assert (dull.get_n_leaves(), len(dull.cost_complexity_pruning_path(np.ones((4, 2)), [1, 2, 1, 2]).links)) == (1, 1)
    one = Ours(ccp_alpha=0.1).fit([[1], [2]], [7, 7])
    assert one.predict([[5]]).tolist() == [7]
    with pytest.raises(ValueError, match="NaN"):
        Ours().fit([[np.nan], [1]], [0, 1])
