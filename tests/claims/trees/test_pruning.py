"""The quiz of the chapter *Pruning*, decided: see ``tests/claims/deciding.py``."""

from itertools import pairwise

import numpy as np

from notes_lib.foundations.cross_validation import one_standard_error_index
from notes_lib.trees.cart import DecisionTreeClassifier, collapse
from notes_lib.trees.pruning import (
    alpha_by_cross_validation,
    best_cut,
    cost_complexity_cut,
    early_stop,
    link_strengths,
    node_errors,
    pessimistic_pruning,
    pessimistic_rate,
    prune,
    reach,
    reduced_error_pruning,
)
from tests.claims.deciding import Numbers, decided


def _grown(seed, n=120):
    """A full tree on labels of which some are wrong, and other rows of the same kind."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 3))
    y = ((X[:, 0] > 0) ^ (rng.random(n) < 0.25)).astype(int)
    half = n // 2
    return DecisionTreeClassifier().fit(X[:half], y[:half]), (X[:half], y[:half]), (X[half:], y[half:])


TREES = [_grown(seed) for seed in range(8)]


def quiz_link(alone, leaves, branch):
    """As a leaf a node makes <alone> errors, its branch with <leaves> leaves makes <branch>. The link has the
    strength"""
    tree = DecisionTreeClassifier().fit(np.arange(int(leaves))[:, None], np.arange(int(leaves)) % 2).tree_
    costs = np.where(tree.is_leaf, branch / leaves, alone)
    slips = [(alone - branch) / leaves, alone - branch, branch / leaves]
    return Numbers(link_strengths(tree, costs)[0], slips)


def quiz_bound(q):
    """A pure leaf holds two instances. C4.5's bound for $q=<q>$ is"""
    bound = lambda n: float(pessimistic_rate(0, n, q))
    return Numbers(bound(2), [0, bound(1), q])


def quiz_aside():
    """Which methods can run without data kept aside? (Mark all.)"""
    model, (X, y), (other_X, other_y) = TREES[0]
    price = alpha_by_cross_validation(model, X, y, cv=5).best
    both = [reduced_error_pruning(model, *rows).get_n_leaves() for rows in ((X, y), (other_X, other_y))]
    runs = [pessimistic_pruning(model), prune(model, cost_complexity_cut(model.tree_, price)),
            prune(model, early_stop(model.tree_, 0.01))]  # fmt: skip
    smaller = [found.get_n_leaves() < model.get_n_leaves() for found in runs]
    return {
        "pessimistic pruning": smaller[0],
        "cost-complexity pruning": smaller[1],
        "reduced-error pruning": both[0] <= both[1],  # on its training rows the full tree makes no errors
        "a limit on the gain": smaller[2],
    }


def quiz_rule(errors, leaves, error):
    """Error rates <errors> for <leaves> leaves, each with a standard error of <error>. The one-standard-error rule
    takes"""
    means = -np.asarray(errors)
    chosen = np.asarray(leaves)[one_standard_error_index(means, np.full(len(means), error), leaves)]
    return {f"{n:g} leaves": n == chosen for n in leaves} | {"the root": chosen == 1}


def tf_nested():
    """For two prices, the best tree of the higher one is contained in that of the lower one."""
    prices = np.linspace(0, 0.1, 30)
    cuts = [[cost_complexity_cut(model.tree_, a) for a in prices] for model, *_ in TREES]
    return all((before <= after).all() for rows in cuts for before, after in pairwise(rows))


def tf_reduced():
    """Reduced-error pruning gives the pruned tree with the fewest errors on the pruning set."""
    least = []
    for model, _, (X, y) in TREES:
        tree, said = model.tree_, model.tree_.value.argmax(axis=1)
        wrong = reach(tree, X, lambda node, said=said, y=y: said[node] != y)
        rng = np.random.default_rng(0)
        others = [collapse(tree, tree.is_leaf | (rng.random(tree.node_count) < share)) for share in np.repeat(
            [0.05, 0.1, 0.3], 30)]  # fmt: skip
        errors = [(other.value.argmax(axis=1)[other.apply(X)] != y).sum() for other in others]
        found = (reduced_error_pruning(model, X, y).predict(X) != y).sum()
        assert found == wrong[_ends(tree, best_cut(tree, wrong))].sum()
        least.append(found <= min(errors))
    return all(least)


def _ends(tree, cut):
    """The leaves of a pruned tree."""
    work, found = [0], []
    while work:
        t = work.pop()
        if cut[t]:
            found.append(t)
        else:
            work += [tree.children_left[t], tree.children_right[t]]
    return found


def tf_training():
    """A tree that is pruned never has fewer training errors than the full one."""
    errors = [(node_errors(model.tree_), model.tree_) for model, *_ in TREES]
    return all(
        E[tree.children_left[t]] + E[tree.children_right[t]] <= E[t]
        for E, tree in errors
        for t in np.flatnonzero(~tree.is_leaf)
    )


def tf_root():
    """Pruning makes up for a bad split at the root."""
    kept = set()
    for model, *_ in TREES:
        for price in np.linspace(0, 0.3, 30):
            pruned = collapse(model.tree_, cost_complexity_cut(model.tree_, price))
            root = (model.tree_.feature[0], model.tree_.threshold[0])
            kept.add((pruned.feature[0], pruned.threshold[0]) == root or pruned.node_count == 1)
    return kept != {True}


test_claim = decided("trees/pruning", globals())
