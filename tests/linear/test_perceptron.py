"""The perceptron against published traces, the loop word for word, scikit-learn, its own theorems, and bad input."""

import pickle
import warnings

import numpy as np
import pytest
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.linear.perceptron import (
    Perceptron,
    learn,
    least_squares_weights,
    lms_pass,
    lms_step,
    margin,
    normalised_samples,
    novikoff_bound,
    online_pass,
    perceptron_criterion,
    perceptron_gradient,
    perceptron_step,
)
from notes_lib.numerics import central_difference


def cloud(seed, n=60, d=2, gap=0.0):
    """Instances and labels -1 and 1 of a random hyperplane; none nearer to it than ``gap`` of the spread."""
    rng = np.random.default_rng(seed)
    w, b = rng.normal(size=d), 0.3 * rng.normal()
    X = rng.normal(size=(20 * n, d))
    score = (X @ w + b) / np.linalg.norm(w)
    keep = np.abs(score) > gap
    return X[keep][:n], np.sign(score[keep][:n])


def plain_passes(Z, w, passes, rate=1.0):
    """Passes in Python's own loops: all weights after each sample, and the number of mistakes of each pass."""
    w, after, errors = [float(v) for v in w], [], []
    for _ in range(passes):
        wrong = 0
        for z in Z:
            if sum(a * b for a, b in zip(w, z, strict=True)) <= 0:
                w = [a + rate * b for a, b in zip(w, z, strict=True)]
                wrong += 1
            after.append(w)
        errors.append(wrong)
    return np.array(after), errors


# ---------------------------------------------------------------- published examples


@pytest.mark.equation("perceptron-update", "perceptron-normalised")
def test_trace_of_three_points():
    """Li Hang, Statistical Learning Methods, example 2.1: the scan starts again after each update."""
    Z = normalised_samples([[3, 3], [4, 3], [1, 1]], [1, 1, -1])
    w, trace = np.zeros(3), []
    while (wrong := np.flatnonzero(Z @ w <= 0)).size:
        w = online_pass(Z[wrong[:1]], w).w
        trace.append(w.tolist())
    assert trace == [[3, 3, 1], [2, 2, 0], [1, 1, -1], [0, 0, -2], [3, 3, -1], [2, 2, -2], [1, 1, -3]]


@pytest.mark.equation("perceptron-dual", "perceptron-novikoff")
def test_counts_of_mistakes_give_the_weights_and_stay_below_the_bound():
    """Example 2.2 of the same book: 2 and 5 mistakes of the first and the third point."""
    Z = normalised_samples([[3, 3], [4, 3], [1, 1]], [1, 1, -1])
    run = learn(Z)
    assert run.alpha.tolist() == [2, 0, 5]
    assert_array_equal(run.alpha @ Z, run.w)
    assert run.alpha.sum() == 7 <= novikoff_bound(Z, run.w) == 26 * 11


# ---------------------------------------------------------------- other routes


@pytest.mark.equation("perceptron-criterion", "perceptron-gradient", "perceptron-batch")
@pytest.mark.parametrize("seed", range(5))
def test_criterion_gradient_and_batch_step(seed):
    X, y = cloud(seed)
    Z, w = normalised_samples(X, y), np.random.default_rng(seed).normal(size=3)
    terms = [-sum(a * b for a, b in zip(z, w, strict=True)) for z in Z]
    assert perceptron_criterion(Z, w) == pytest.approx(sum(t for t in terms if t > 0), rel=1e-12)
    numeric = central_difference(lambda v: perceptron_criterion(Z, v), w)
    assert_allclose(perceptron_gradient(Z, w), numeric, atol=1e-6)
    assert_allclose(perceptron_step(Z, w, 0.3), w + 0.3 * sum(z for z, t in zip(Z, terms, strict=True) if t > 0))


def test_a_sample_on_the_boundary_is_a_mistake():
    Z = np.array([[1.0, 2.0], [2.0, 1.0]])
    assert_array_equal(perceptron_gradient(Z, [0.0, 0.0]), [-3.0, -3.0])
    assert_array_equal(online_pass(Z, [2.0, -1.0]).mistakes, [0])
    assert learn(Z, [2.0, -1.0]).alpha.tolist() == [1, 0]


@pytest.mark.equation("perceptron-update", "perceptron-average")
@pytest.mark.parametrize("seed", range(8))
def test_learning_is_the_loop_word_for_word(seed):
    rng = np.random.default_rng(seed)
    Z = np.hstack([rng.integers(-3, 4, size=(50, 3)), np.ones((50, 1))]) * rng.choice([-1.0, 1.0], size=(50, 1))
    start, rate = rng.integers(-2, 3, size=4).astype(float), float(rng.choice([0.5, 1.0, 2.0]))
    after, errors = plain_passes(Z.tolist(), start, 4, rate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        last = learn(Z, start, learning_rate=rate, max_iter=4)
        average = learn(Z, start, learning_rate=rate, max_iter=4, keep="average")
    assert_array_equal(last.w, after[-1])
    assert last.errors.tolist() == errors
    assert_allclose(average.w, after.mean(axis=0), rtol=1e-12)
    assert_allclose(start + rate * last.alpha @ Z, last.w, atol=1e-12)
    w = start
    for _ in range(4):
        w = online_pass(Z, w, rate).w
    assert_array_equal(w, last.w)


def test_normalising_leaves_the_instances_as_they_are():
    X = np.array([[1.0], [2.0]])
    for intercept in (True, False):
        assert normalised_samples(X, [-1, 1], intercept)[:, 0].tolist() == [-1.0, 2.0]
        assert X.tolist() == [[1.0], [2.0]]


@pytest.mark.parametrize("seed", range(4))
def test_blocks_find_the_mistakes_of_single_rows_in_long_data(seed):
    X, y = cloud(seed, n=9000, d=4, gap=0.02)
    Z = normalised_samples(X, y)
    w, counts, errors = np.zeros(5), np.zeros(len(Z), dtype=int), []
    while not errors or errors[-1]:
        w, mistakes = online_pass(Z, w)
        np.add.at(counts, mistakes, 1)
        errors.append(len(mistakes))
    run = learn(Z)
    assert run.errors.tolist() == errors
    assert_array_equal(run.alpha, counts)
    assert_allclose(run.w, w, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_weights_of_scikit_learn(seed):
    X, y = cloud(seed, n=300, d=5)
    y[:20] *= -1
    for intercept in (True, False):
        peer = sklearn.linear_model.Perceptron(max_iter=7, tol=None, shuffle=False, fit_intercept=intercept).fit(X, y)
        with pytest.warns(ConvergenceWarning):
            ours = Perceptron(max_iter=7, shuffle=False, fit_intercept=intercept).fit(X, y)
        assert_allclose(ours.coef_, peer.coef_, atol=1e-10)
        assert_allclose(ours.intercept_, peer.intercept_, atol=1e-10)
        assert_array_equal(ours.predict(X), peer.predict(X))


def test_three_classes_as_scikit_learn():
    X, y = load_iris(return_X_y=True)
    peer = sklearn.linear_model.Perceptron(max_iter=9, tol=None, shuffle=False).fit(X, y)
    with pytest.warns(ConvergenceWarning):
        ours = Perceptron(max_iter=9, shuffle=False).fit(X, y)
    assert_allclose(ours.coef_, peer.coef_, atol=1e-10)
    assert_array_equal(ours.predict(X), peer.predict(X))
    assert ours.decision_function(X).shape == (150, 3)
    assert max(len(e) for e in ours.errors_) == ours.n_iter_ == 9
    assert ours.errors_[0][-1] == 0  # the first species is separable


@pytest.mark.equation("perceptron-pseudo-inverse")
@pytest.mark.parametrize("seed", range(4))
def test_least_squares_weights(seed):
    X, y = cloud(seed, d=3)
    Z, b = normalised_samples(X, y), np.random.default_rng(seed).uniform(0.5, 2.0, size=60)
    w = least_squares_weights(Z, b)
    assert_allclose(Z.T @ (Z @ w - b), 0, atol=1e-9)
    assert_allclose(w, np.linalg.pinv(Z) @ b, atol=1e-10)
    peer = sklearn.linear_model.LinearRegression().fit(X, y)
    assert_allclose(least_squares_weights(Z), [*peer.coef_, peer.intercept_], atol=1e-10)
    twin = np.hstack([Z, Z[:, :1]])  # a copied column: the shortest of many solutions shares its weight
    assert_allclose(least_squares_weights(twin)[[0, 4]], least_squares_weights(Z)[0] / 2, atol=1e-10)


@pytest.mark.equation("perceptron-lms")
def test_widrow_hoff_steps():
    X, y = cloud(3)
    Z, b = normalised_samples(X, y), np.random.default_rng(0).uniform(0.5, 2.0, size=60)
    w, rate = np.array([0.3, -0.2, 0.1]), 0.05
    loss = lambda v, n: (Z[n] @ v - b[n]) ** 2 / 2
    moved = w
    for n in range(60):
        gradient = central_difference(lambda v, n=n: loss(v, n), moved)
        assert_allclose(lms_step(moved, Z[n], b[n], rate), moved - rate * gradient, atol=1e-8)
        moved = lms_step(moved, Z[n], b[n], rate)
    assert_allclose(lms_pass(Z, w, b, rate), moved, atol=1e-12)
    for rate in np.repeat([0.02, 0.002], [100, 400]):
        w = lms_pass(Z, w, b, rate)
    assert_allclose(w, least_squares_weights(Z, b), atol=0.02)


# ---------------------------------------------------------------- laws


@pytest.mark.equation("perceptron-novikoff", "perceptron-margin")
@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 5), gap=st.floats(0.05, 0.4))
def test_mistakes_stay_below_the_bound_of_every_separating_vector(seed, d, gap):
    X, y = cloud(seed, d=d, gap=gap)
    Z = normalised_samples(X, y)
    rng = np.random.default_rng(seed)
    run = learn(Z, shuffle=True, random_state=rng)
    assert run.converged
    assert (Z @ run.w > 0).all()
    lengths = np.sqrt((Z**2).sum(axis=1))
    for w in (run.w, least_squares_weights(Z), run.w + 0.1 * rng.normal(size=d + 1)):
        distances = Z @ w / np.sqrt(w @ w)
        assert margin(Z, w) == pytest.approx(distances.min(), rel=1e-10)
        if distances.min() > 0:
            assert novikoff_bound(Z, w) == pytest.approx((lengths.max() / distances.min()) ** 2, rel=1e-9)
            assert run.alpha.sum() <= novikoff_bound(Z, w)


def test_the_bound_is_reached():
    """Orthogonal samples of length 1: each must be a mistake once, and the bound is their number."""
    for n in (1, 4, 9):
        Z = np.eye(n)
        assert learn(Z).alpha.sum() == n
        assert novikoff_bound(Z, np.ones(n)) == pytest.approx(n, rel=1e-12)


@pytest.mark.equation("perceptron-update")
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), rate=st.floats(0.01, 100), unit=st.floats(0.01, 100))
def test_rate_and_unit_change_no_mistake(seed, rate, unit):
    X, y = cloud(seed, gap=0.1)
    Z = normalised_samples(X, y)
    run = learn(Z)
    assert_array_equal(learn(Z, learning_rate=rate).alpha, run.alpha)
    assert_allclose(learn(Z, learning_rate=rate).w, rate * run.w, rtol=1e-9)
    assert_array_equal(learn(unit * Z).alpha, run.alpha)


def test_the_weights_stay_in_the_span_of_the_samples_only_from_a_start_in_it():
    Z = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [1.0, -0.5, 0.0]])
    assert learn(Z).w[2] == 0
    assert learn(Z, [0.0, 0.0, 7.0]).w[2] == 7


@pytest.mark.parametrize("seed", range(5))
def test_pocket_and_average_on_classes_that_overlap(seed):
    X, y = cloud(seed, n=400, d=3)
    flip = np.random.default_rng(seed).random(400) < 0.1
    Z = normalised_samples(X, np.where(flip, -y, y))
    wrong = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for keep in ("last", "average", "pocket"):
            runs = [learn(Z, max_iter=30, keep=keep, shuffle=True, random_state=s) for s in range(10)]
            wrong[keep] = np.mean([(Z @ run.w <= 0).mean() for run in runs])
    assert wrong["pocket"] < wrong["last"]
    assert wrong["average"] < wrong["last"]
    assert wrong["pocket"] < 0.16


def plain_pocket(Z, passes):
    """Gallant's pocket with ratchet in plain loops, in the order of the rows."""
    w, best, fewest, longest, run = np.zeros(Z.shape[1]), None, len(Z) + 1, -1, 0

    def offer():
        nonlocal best, fewest, longest
        if run > longest:
            longest = run
            wrong = sum(float(z @ w) <= 0 for z in Z)
            if wrong < fewest:
                best, fewest = w.copy(), wrong

    for _ in range(passes):
        for z in Z:
            if z @ w <= 0:
                offer()
                w = w + z
                run = 0
            else:
                run += 1
        offer()
    return best


@pytest.mark.parametrize("seed", range(8))
def test_pocket_is_gallants_algorithm(seed):
    X, y = cloud(seed, n=40)
    y[:6] *= -1
    Z = normalised_samples(X, y)
    with pytest.warns(ConvergenceWarning):
        run = learn(Z, max_iter=12, keep="pocket")
    assert_allclose(run.w, plain_pocket(Z, 12), atol=1e-12)


# ---------------------------------------------------------------- the estimator


@pytest.mark.parametrize("keep", ["last", "average", "pocket"])
def test_pipeline_grid_search_clone_pickle(keep):
    X, y = load_breast_cancer(return_X_y=True)
    names = np.array(["malignant", "benign"])[y]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = make_pipeline(StandardScaler(), Perceptron(max_iter=20, random_state=0, keep=keep))
        search = GridSearchCV(model, {"perceptron__eta0": [0.1, 1.0]}, cv=3).fit(X, names)
        fitted = clone(model).fit(X, names)
    assert search.best_score_ > 0.92
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))
    assert fitted.score(X, names) > 0.94


@pytest.mark.parametrize(("estimator", "check"), list(estimator_checks_generator(Perceptron(max_iter=50))))
def test_scikit_learn_contract(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        check(estimator)


def test_partial_fit_goes_on_where_it_stopped():
    X, y = cloud(2, n=90, gap=0.05)
    model = Perceptron(shuffle=False)
    for part in np.split(np.arange(90), 3):
        model.partial_fit(X[part], y[part], classes=[-1, 1])
    once = online_pass(normalised_samples(X, y), np.zeros(3))
    assert_allclose(np.append(model.coef_, model.intercept_), once.w, atol=1e-12)
    model.partial_fit(X, y)
    twice = online_pass(normalised_samples(X, y), once.w)
    assert model.errors_[0].tolist() == [len(twice.mistakes)]
    flat = Perceptron(fit_intercept=False).partial_fit(X, y, classes=[-1, 1])
    assert_allclose(flat.coef_[0], online_pass(normalised_samples(X, y, False), np.zeros(2)).w, atol=1e-12)
    assert flat.intercept_.tolist() == [0.0]


def test_partial_fit_of_three_classes_meets_the_third_one_later():
    X, y = load_iris(return_X_y=True)
    model = Perceptron().partial_fit(X[:100], y[:100], classes=[0, 1, 2])
    assert model.coef_.shape == (3, 4)
    model.partial_fit(X[100:], y[100:])
    assert set(model.predict(X)) <= {0, 1, 2}


def test_any_layout_and_float32():
    X, y = cloud(1, gap=0.1)
    whole = Perceptron(random_state=0).fit(X, y)
    for same in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X.tolist()):
        assert_array_equal(Perceptron(random_state=0).fit(same, y).coef_, whole.coef_)
    assert Perceptron(random_state=0).fit(X.astype(np.float32), y).score(X, y) == 1.0


# ---------------------------------------------------------------- bad input


def test_classes_that_no_line_separates_warn_and_name_the_remedies():
    with pytest.warns(ConvergenceWarning, match=r"last of 5 passes made \d mistakes: raise max_iter, or"):
        model = Perceptron(max_iter=5).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    assert model.n_iter_ == 5


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"max_iter": 0}, ValueError, "max_iter"),
        ({"max_iter": 2.5}, TypeError, "max_iter"),
        ({"eta0": 0.0}, ValueError, "eta0"),
        ({"eta0": "big"}, TypeError, "eta0"),
        ({"keep": "best"}, ValueError, "keep"),
        ({"random_state": "seed"}, (TypeError, ValueError), "random_state"),
    ],
)
def test_bad_parameters(parameters, error, message):
    with pytest.raises(error, match=message):
        Perceptron(**parameters).fit([[0.0], [1.0]], [0, 1])


def test_bad_data():
    with pytest.raises(ValueError, match="class"):
        Perceptron().fit([[0.0], [1.0]], [1, 1])
    with pytest.raises(ValueError, match="NaN"):
        Perceptron().fit([[np.nan], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="2 features"):
        Perceptron().fit([[0.0], [1.0]], [0, 1]).predict([[0.0, 1.0]])


def test_bad_calls_of_partial_fit():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(ValueError, match="classes must be passed on the first call to partial_fit"):
        Perceptron().partial_fit(X, y)
    model = Perceptron().partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="2 features"):
        model.partial_fit([[0.0, 1.0]], [1])
    with pytest.raises(ValueError, match="is not the same as on last call"):
        model.partial_fit(X, y, classes=[0, 2])
    with pytest.raises(ValueError, match="labels that are not in classes"):
        model.partial_fit(X, [0, 5])
    with pytest.raises(ValueError, match="keep='average' needs all passes"):
        Perceptron(keep="average").partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="eta0"):
        Perceptron(eta0=-1.0).partial_fit(X, y, classes=[0, 1])


def test_bad_arguments_of_the_steps():
    Z = normalised_samples([[1.0], [2.0]], [1, -1])
    with pytest.raises(ValueError, match="same number of rows"):
        normalised_samples([[1.0], [2.0]], [1, -1, 1])
    with pytest.raises(ValueError, match="-1"):
        normalised_samples([[1.0], [2.0]], [0, 1])
    for step in (perceptron_criterion, perceptron_gradient, perceptron_step, online_pass, margin, lms_pass):
        with pytest.raises(ValueError, match="w"):
            step(Z, [1.0, 2.0, 3.0])
        with pytest.raises(ValueError, match="Z"):
            step([[np.nan, 1.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="no direction"):
        margin(Z, [0.0, 0.0])
    with pytest.raises(ValueError, match="must classify every sample right"):
        novikoff_bound(Z, [1.0, 0.0])
    for targets in ([1.0], [1.0, 0.0], [1.0, np.inf]):
        with pytest.raises(ValueError, match="b"):
            least_squares_weights(Z, targets)
    for bad in ({"b": -1.0}, {"learning_rate": 0.0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            lms_step([0.0, 0.0], Z[0], **bad)
    with pytest.raises(ValueError, match="z"):
        lms_step([0.0, 0.0], [1.0])
    with pytest.raises(ValueError, match="learning_rate"):
        perceptron_step(Z, [0.0, 0.0], -1.0)
    with pytest.raises(ValueError, match="w"):
        learn(Z, [0.0])
