"""Prototype selection against hand-made traces, imbalanced-learn, plain loops, simulated limits, and bad input."""

import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.neighbors.prototype_selection import (
    CondensedNearestNeighbour,
    EditedNearestNeighbours,
    MultiEdit,
    edited_posterior,
    edited_risk,
    hart_condense,
    inconsistent,
    multi_edit,
    vote,
    wilson_edit,
)
from notes_lib.neighbors.prototype_selection.model import eligible

LINE = [[0], [1], [2], [3], [7], [8], [9], [10]]
SIDES = [0, 0, 0, 0, 1, 1, 1, 1]


def clouds(seed, n=80, d=2, n_classes=2, gap=1.5):
    """Gaussian classes that overlap, in random order, and their labels."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % n_classes)
    return rng.normal(size=(n, d)) + gap * np.eye(max(d, n_classes))[y, :d], y


def distance(a, b):
    return sum((float(u) - float(v)) ** 2 for u, v in zip(a, b, strict=True))


def plain_hart(X, y, order, start):
    """Hart's procedure in plain loops, with all distances computed again at each visit."""
    store, added = list(start), []
    while not added or added[-1]:
        count = 0
        for i in order:
            if i not in store:
                nearest = min(store, key=lambda j: distance(X[i], X[j]))  # the oldest of equally near ones
                if y[nearest] != y[i]:
                    store.append(int(i))
                    count += 1
        added.append(count)
    return store, added


def plain_wilson(X, y, k, kind):
    kept = []
    for i in range(len(X)):
        others = sorted((distance(X[i], X[j]), j) for j in range(len(X)) if j != i)[:k]
        labels = [int(y[j]) for _, j in others]
        best = min(set(labels), key=lambda c: (-labels.count(c), c))
        if (best == y[i]) if kind == "mode" else all(c == y[i] for c in labels):
            kept.append(i)
    return kept


# ---------------------------------------------------------------- worked examples


@pytest.mark.equation("prototype-selection-condense")
def test_hart_on_a_line():
    """Made by hand: 7 is wrong under {0} and stored; then 1, 2, 3 are nearer to 0 and 8, 9, 10 nearer to 7."""
    assert hart_condense(LINE, SIDES).store.tolist() == [0, 4]
    assert hart_condense(LINE, SIDES).added.tolist() == [1, 0]


def test_a_second_pass_may_store_more():
    """6 comes when the store is {0} and is right; under {0, 10} it is wrong, which only the second pass sees."""
    run = hart_condense([[0], [6], [10]], [0, 0, 1])
    assert run.store.tolist() == [0, 2, 1]
    assert run.added.tolist() == [1, 1, 0]
    tie = hart_condense([[0], [5], [10]], [0, 0, 1])  # as near to 0 as to 10: the older one decides
    assert tie.store.tolist() == [0, 2]


@pytest.mark.equation("prototype-selection-wilson")
def test_wilson_on_a_line():
    """The lone class 1 among zeros goes; 3.4, whose nearest it is, stays with three votes and not with one."""
    X, y = [[0], [1], [2.1], [3.4], [7], [8], [9]], [0, 0, 1, 0, 1, 1, 1]
    assert wilson_edit(X, y, k=3).tolist() == [0, 1, 3, 4, 5, 6]
    assert wilson_edit(X, y, k=1).tolist() == [0, 1, 4, 5, 6]
    assert wilson_edit(X, y, k=2, kind="all").tolist() == [4, 5, 6]


# Rows that imbalanced-learn 0.14.2 (with scikit-learn 1.9.1) removes, computed once by its EditedNearestNeighbours.
# With kind_sel="all" the iris flowers are left out: measured to a millimetre, they have neighbours at equal distances.
IRIS_MODE = [70, 72, 83, 106, 119, 133]
WINE_MIDDLE = [59, 60, 62, 68, 69, 70, 72, 73, 74, 77, 78, 81, 83, 84, 89, 95, 96, 98, 100, 110, 112, 120]
WINE_OUTER = [4, 19, 21, 24, 25, 36, 39, 43, 132, 135, 136, 138, 141, 144, 146, 151, 152, 153, 156, 157, 160, 161, 163,
              167, 171, 175, 176]  # fmt: skip
WINE_TWO = [4, 19, 21, 24, 25, 28, 35, 36, 39, 43, 44, 59, 60, 62, 68, 69, 70, 72, 73, 74, 77, 78, 81, 82, 83,
            84, 88, 89, 90, 95, 96, 98, 100, 110, 112, 120, 121, 129, 130, 131, 132, 133, 134, 135, 136, 138,
            140, 141, 142, 144, 145, 146, 149, 150, 151, 152, 153, 154, 155, 156, 157, 160, 161, 162, 163, 165,
            167, 168, 170, 171, 172, 174, 175, 176, 177]  # fmt: skip
WINE_AUTO = [4, 19, 21, 24, 25, 28, 35, 36, 39, 40, 43, 44, 56, 59, 60, 62, 63, 65, 68, 69, 70, 72, 73, 74, 77, 78, 81,
             82, 83, 84, 87, 88, 89, 90, 95, 96, 98, 100, 101, 103, 109, 110, 112, 119, 120, 121, 127, 129]  # fmt: skip


@pytest.mark.equation("prototype-selection-wilson")
@pytest.mark.parametrize(
    ("load", "parameters", "removed"),
    [
        (load_iris, {"sampling_strategy": "all", "kind_sel": "mode"}, IRIS_MODE),
        (load_iris, {"sampling_strategy": "all", "kind_sel": "mode", "n_neighbors": 5}, IRIS_MODE[:-1]),
        (load_iris, {"sampling_strategy": "majority"}, []),
        (load_wine, {"sampling_strategy": "majority", "kind_sel": "mode"}, WINE_MIDDLE),
        (load_wine, {"sampling_strategy": "not majority", "kind_sel": "mode"}, WINE_OUTER),
        (load_wine, {"sampling_strategy": "all", "kind_sel": "mode"}, WINE_MIDDLE + WINE_OUTER),
        (load_wine, {}, WINE_AUTO),
        (load_wine, {"sampling_strategy": "all", "n_neighbors": 2}, WINE_TWO),
    ],
)
def test_rows_that_imbalanced_learn_removes(load, parameters, removed):
    X, y = load(return_X_y=True)
    kept = EditedNearestNeighbours(**parameters).fit(X, y).sample_indices_
    assert sorted(set(range(len(X))) - set(kept.tolist())) == sorted(removed)


# Stored benign rows of the sorted and scaled tumours, by the same version's CondensedNearestNeighbour with the seed
# that draws row 0: one pass against all malignant rows, which here is Hart's first pass.
BENIGN = [0, 1, 3, 4, 6, 8, 16, 17, 18, 20, 25, 27, 28, 31, 32, 39, 40, 41, 43, 44, 56, 68, 73, 78, 93, 97, 99,
          104, 110, 111, 112, 115, 116, 123, 124, 134, 139, 183, 189, 202, 235, 259, 264, 266, 271, 284, 291,
          294, 295, 298, 303, 305, 307, 323, 335, 354]  # fmt: skip


@pytest.mark.equation("prototype-selection-condense")
def test_rows_that_imbalanced_learn_stores():
    X, y = load_breast_cancer(return_X_y=True)
    order = np.argsort(-y, kind="stable")  # benign, the larger class, first
    X, y = ((X - X.mean(axis=0)) / X.std(axis=0))[order], y[order]
    chosen = CondensedNearestNeighbour().fit(X, y).sample_indices_
    assert chosen[y[chosen] == 1].tolist() == BENIGN
    assert_array_equal(chosen[: (y == 0).sum()], np.flatnonzero(y == 0))
    assert hart_condense(X, y, start=np.flatnonzero(y == 0)).added.tolist() == [len(BENIGN), 0]


# ---------------------------------------------------------------- other routes


@pytest.mark.parametrize("seed", range(6))
def test_votes_in_plain_loops(seed):
    labels = np.random.default_rng(seed).integers(3, size=(30, 4))
    for row, winner in zip(labels, vote(labels, 3), strict=True):
        counts = [sum(row == c) for c in range(3)]
        assert winner == counts.index(max(counts))


@pytest.mark.equation("prototype-selection-wilson")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["mode", "all"])
def test_editing_in_plain_loops(seed, kind):
    X, y = clouds(seed, n_classes=2 + seed % 2)
    for k in (1, 2, 3, 6):
        assert wilson_edit(X, y, k, kind).tolist() == plain_wilson(X, y, k, kind)


@pytest.mark.equation("prototype-selection-condense", "prototype-selection-consistent")
@pytest.mark.parametrize("seed", range(10))
def test_condensing_in_plain_loops(seed):
    X, y = clouds(seed, n_classes=2 + seed % 3, gap=1.0)
    if seed % 2:
        X = np.round(2 * X)  # many equal distances, and equal rows with different labels
    order = np.random.default_rng(seed).permutation(len(X))
    for start in ([int(order[0])], [3, 70, 11]):
        run = hart_condense(X, y, order, start)
        store, added = plain_hart(X, y, order, start)
        assert run.store.tolist() == store
        assert run.added.tolist() == added
        assert len(run.store) == len(start) + run.added.sum()


@pytest.mark.equation("prototype-selection-rounds")
def test_rounds_of_multi_edit_word_for_word():
    X, y = clouds(4, n=90, gap=1.2)
    rng, kept, removed = np.random.default_rng(5), np.arange(90), []
    while len(removed) < 2 or removed[-2:] != [0, 0]:
        parts = np.array_split(rng.permutation(kept), 4)
        right = []
        for s in range(4):
            judge = parts[(s + 1) % 4]
            guess = KNeighborsClassifier(1, algorithm="brute").fit(X[judge], y[judge]).predict(X[parts[s]])
            right += parts[s][guess == y[parts[s]]].tolist()
        removed.append(len(kept) - len(right))
        kept = np.sort(right)
    ours = multi_edit(X, y, n_splits=4, patience=2, random_state=5)
    assert_array_equal(ours.kept, kept)
    assert ours.removed.tolist() == removed
    assert_array_equal(MultiEdit(n_splits=4, patience=2, random_state=5).fit(X, y).sample_indices_, kept)


@pytest.mark.equation("prototype-selection-posterior", "prototype-selection-risk")
@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("eta", [0.05, 0.3, 0.5, 0.9])
def test_posterior_and_risk_by_enumeration(eta, k):
    """All labels of an instance and its k voters, one after the other."""
    kept = {0: 0.0, 1: 0.0}
    for label in (0, 1):
        for bits in np.ndindex(*[2] * k):
            if (sum(bits) > k / 2) == bool(label):
                kept[label] += math.prod(eta if b else 1 - eta for b in (label, *bits))
    p = kept[1] / (kept[0] + kept[1])
    assert edited_posterior(eta, k) == pytest.approx(p, rel=1e-12)
    assert edited_risk(eta, k) == pytest.approx(eta * (1 - p) + (1 - eta) * p, rel=1e-12)
    assert edited_risk(eta, k, rounds=0) == pytest.approx(2 * eta * (1 - eta), rel=1e-12)


# ---------------------------------------------------------------- laws


@pytest.mark.equation("prototype-selection-consistent")
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 70), d=st.integers(1, 4), n_classes=st.integers(2, 4))
def test_the_store_is_consistent_in_any_order(seed, n, d, n_classes):
    X, y = clouds(seed, n=n, d=d, n_classes=n_classes)
    order = np.random.default_rng(seed).permutation(n)
    run = hart_condense(X, y, order)
    assert inconsistent(X, y, run.store).size == 0
    nearest = [min(run.store, key=lambda j: distance(x, X[j])) for x in X]
    assert_array_equal(y[nearest], y)
    assert run.store[0] == order[0]
    assert set(y[run.store]) == set(y)  # the first of each class comes in
    assert run.added[-1] == 0
    assert (run.added[:-1] > 0).all()


def test_rows_that_a_subset_gets_wrong():
    X, y = clouds(1)
    store = np.array([5, 9, 60, 2])
    guess = KNeighborsClassifier(1).fit(X[store], y[store]).predict(X)
    assert 0 < len(inconsistent(X, y, store)) < 80
    assert_array_equal(inconsistent(X, y, store), np.flatnonzero(guess != y))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 7), unit=st.floats(0.01, 100))
def test_editing_knows_no_order_unit_or_place(seed, k, unit):
    X, y = clouds(seed)
    kept = wilson_edit(X, y, k)
    order = np.random.default_rng(seed).permutation(len(X))
    if k % 2:  # of a drawn vote the smaller class wins, in any order; distances have no ties
        assert_array_equal(np.sort(order[wilson_edit(X[order], y[order], k)]), kept)
        assert_array_equal(wilson_edit(unit * X + 3, 1 - y, k), kept)
    assert set(wilson_edit(X, y, k, "all")) <= set(kept)


@pytest.mark.equation("prototype-selection-rounds", "prototype-selection-bound")
@settings(max_examples=60, deadline=None)
@given(eta=st.floats(0.0, 1.0), rounds=st.integers(0, 5), k=st.sampled_from([1, 3, 5, 9]))
def test_limits_of_editing(eta, rounds, k):
    p, best = edited_posterior(eta, 1, rounds), min(eta, 1 - eta)
    power = 2**rounds
    assert p == pytest.approx(eta**power / (eta**power + (1 - eta) ** power), rel=1e-9)
    assert edited_posterior(1 - eta, k) == pytest.approx(1 - edited_posterior(eta, k), abs=1e-12)
    assert best - 1e-12 <= edited_risk(eta, k) <= 2 * eta * (1 - eta) + 1e-12
    assert edited_risk(eta, 1, rounds + 1) <= edited_risk(eta, 1, rounds) + 1e-12
    assert edited_risk(eta, k) <= (1 + math.sqrt(2)) / 2 * best + 1e-12


def test_the_bound_of_the_edited_risk_is_reached():
    eta = 1 - math.sqrt(0.5)
    assert edited_risk(eta) / eta == pytest.approx((1 + math.sqrt(2)) / 2, rel=1e-12)
    assert edited_risk(0.3, rounds=12) == pytest.approx(0.3, abs=1e-12)  # many rounds end at Bayes's rule


@pytest.mark.equation("prototype-selection-posterior")
def test_the_posterior_of_edited_labels_is_the_simulated_one():
    """Where the posterior is constant, positions do not matter: voters that are not edited themselves."""
    rng = np.random.default_rng(0)
    n, eta = 20_000, 0.7
    label, votes = rng.random(n) < eta, rng.random((n, 3)) < eta
    kept = label[(votes.sum(axis=1) >= 2) == label]
    error = kept.std(ddof=1) / math.sqrt(len(kept))
    assert abs(kept.mean() - edited_posterior(eta, 3)) < 4 * error
    assert abs(kept.mean() - edited_posterior(eta, 1)) > 4 * error


def test_the_farthest_instance_stays_if_it_comes_first():
    """Hart's rule measures no distance to a border."""
    X, y = clouds(0, n=120, gap=3.0)
    far = int(np.abs(X[:, 0] - X[:, 1]).argmax())
    order = np.r_[far, np.delete(np.arange(120), far)]
    assert far in hart_condense(X, y, order).store
    assert far not in hart_condense(X, y, np.r_[np.delete(np.arange(120), far), far]).store


# ---------------------------------------------------------------- the samplers

SAMPLERS = [
    EditedNearestNeighbours(),
    EditedNearestNeighbours(sampling_strategy="all", kind_sel="mode"),
    CondensedNearestNeighbour(),
    CondensedNearestNeighbour(sampling_strategy="all", shuffle=True, random_state=0),
    MultiEdit(random_state=0),
]


@pytest.mark.parametrize(("estimator", "check"), [(s, c) for m in SAMPLERS for s, c in estimator_checks_generator(m)])
def test_scikit_learn_contract(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check(estimator)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_rows_labels_and_copies(sampler):
    X, y = clouds(3, n=120, gap=2.0)
    names = np.array(["left", "right"])[y]
    new_X, new_y = clone(sampler).fit_resample(X.tolist(), names)
    rows = sampler.fit(X, names).sample_indices_
    assert_array_equal(new_X, X[rows])
    assert_array_equal(new_y, names[rows])
    assert sampler.n_features_in_ == 2
    assert len(rows) < 120
    assert_array_equal(pickle.loads(pickle.dumps(sampler)).sample_indices_, rows)
    for same in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        assert_array_equal(clone(sampler).fit(same, names).sample_indices_, rows)


def test_strategies_of_condensing():
    X, y = clouds(8, n=90)
    y[y == 1] = np.where(np.arange((y == 1).sum()) < 10, 1, 2)  # 45, 10 and 35
    codes = {"auto": {0, 2}, "not minority": {0, 2}, "majority": {0}, "not majority": {1, 2}, "all": {0, 1, 2}}
    for strategy, named in codes.items():
        assert set(y[eligible(y, strategy)]) == named
        rows = CondensedNearestNeighbour(sampling_strategy=strategy).fit(X, y).sample_indices_
        for c in {0, 1, 2} - named:
            assert (y[rows] == c).sum() == (y == c).sum()
        assert inconsistent(X, y, rows).size == 0
    assert_array_equal(rows, hart_condense(X, y).store)


def test_shuffled_orders_come_from_the_seed():
    X, y = clouds(2)
    first, again, other = (
        CondensedNearestNeighbour(sampling_strategy="all", shuffle=True, random_state=s).fit(X, y).sample_indices_
        for s in (0, 0, 1)
    )
    assert_array_equal(first, again)
    assert set(first) != set(other)
    assert_array_equal(first, hart_condense(X, y, np.random.default_rng(0).permutation(80)).store)


# ---------------------------------------------------------------- extremes and bad input


def test_equal_rows_with_different_labels_end_and_are_said():
    X, y = [[0.0], [0.0], [5.0]], [0, 1, 1]
    run = hart_condense(X, y)
    assert run.store.tolist() == [0, 1, 2]
    with pytest.warns(UserWarning, match="equal rows with different labels, so no subset is consistent") as record:
        CondensedNearestNeighbour(sampling_strategy="all").fit(X, y)
    assert record[0].filename == __file__  # the warning points at the call of fit
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CondensedNearestNeighbour(sampling_strategy="all").fit([[0.0], [0.0], [5.0]], [0, 0, 1])


def test_many_rows_of_two_far_clouds_leave_one_of_each():
    X, y = clouds(0, n=20_000, gap=60.0)
    run = hart_condense(X, y)
    assert len(run.store) == 2
    assert hart_condense(1e-6 * X + 7, y).store.tolist() == run.store.tolist()


def test_a_class_that_vanishes_is_said():
    X, y = [[0], [1], [2], [3], [1.5]], [0, 0, 0, 0, 1]
    with pytest.warns(UserWarning, match=r"no instance is left of the classes \[1\]") as record:
        EditedNearestNeighbours(sampling_strategy="all", kind_sel="mode").fit(X, y)
    assert record[0].filename == __file__
    with pytest.raises(ValueError, match="no instance would be left"):
        EditedNearestNeighbours(sampling_strategy="all", n_neighbors=1).fit([[0], [1]], [0, 1])


def test_multi_edit_ends_when_parts_would_be_empty():
    run = multi_edit([[0], [1], [2]], [0, 1, 2], random_state=0)
    assert run.kept.size == 0
    assert run.removed.tolist() == [3]
    calm = multi_edit(LINE[:4] + [[x + 100] for x in range(4)], SIDES, patience=2, random_state=3)
    assert calm.removed[-2:].tolist() == [0, 0]


def test_bad_arguments_of_the_steps():
    with pytest.raises(ValueError, match="k must be at most 7, the number of other instances, got 8"):
        wilson_edit(LINE, SIDES, k=8)
    with pytest.raises(TypeError, match="k must be"):
        wilson_edit(LINE, SIDES, k=1.5)
    with pytest.raises(ValueError, match="k must be"):
        wilson_edit(LINE, SIDES, k=0)
    with pytest.raises(ValueError, match="kind must be one of"):
        wilson_edit(LINE, SIDES, kind="some")
    for step in (wilson_edit, hart_condense, multi_edit):
        with pytest.raises(ValueError, match="one label for each of the 8 rows"):
            step(LINE, SIDES[:7])
        with pytest.raises(ValueError, match="two classes"):
            step(LINE, [1] * 8)
        with pytest.raises(ValueError, match="finite"):
            step([[np.nan], *LINE[1:]], SIDES)
    with pytest.raises(ValueError, match="order must hold each of the 8 rows once, got 2"):
        hart_condense(LINE, SIDES, order=[0, 1])
    with pytest.raises(ValueError, match="order"):
        hart_condense(LINE, SIDES, order=[0] * 8)
    with pytest.raises(ValueError, match="start"):
        hart_condense(LINE, SIDES, start=[8])
    with pytest.raises(ValueError, match="store"):
        inconsistent(LINE, SIDES, [])
    with pytest.raises(ValueError, match="n_splits must be at most 8"):
        multi_edit(LINE, SIDES, n_splits=9)
    with pytest.raises(ValueError, match="n_splits must be"):
        multi_edit(LINE, SIDES, n_splits=2)
    with pytest.raises(ValueError, match="patience must be"):
        multi_edit(LINE, SIDES, patience=0)


def test_bad_arguments_of_the_limits():
    for bad in (1.1, -0.1):
        with pytest.raises(ValueError, match="eta must hold probabilities"):
            edited_posterior(bad)
    with pytest.raises(ValueError, match="k must be odd"):
        edited_risk(0.3, k=2)
    with pytest.raises(ValueError, match="rounds"):
        edited_posterior(0.3, rounds=-1)


@pytest.mark.parametrize(
    ("sampler", "message"),
    [
        (EditedNearestNeighbours(n_neighbors=0), "k must be"),
        (EditedNearestNeighbours(n_neighbors=8), "k must be at most 7"),
        (EditedNearestNeighbours(kind_sel="some"), "kind_sel must be one of"),
        (EditedNearestNeighbours(sampling_strategy="none"), "sampling_strategy must be one of"),
        (CondensedNearestNeighbour(sampling_strategy="none"), "sampling_strategy must be one of"),
        (CondensedNearestNeighbour(shuffle=True, random_state=-1), "random_state"),
        (MultiEdit(n_splits=2), "n_splits"),
    ],
)
def test_bad_parameters(sampler, message):
    with pytest.raises(ValueError, match=message):
        sampler.fit(LINE, SIDES)


def test_bad_data():
    with pytest.raises(ValueError, match="two classes"):
        CondensedNearestNeighbour().fit(LINE, [1] * 8)
    with pytest.raises(ValueError, match="NaN"):
        MultiEdit().fit([[np.nan]] * 8, SIDES)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        EditedNearestNeighbours().fit(LINE, SIDES[:3])
