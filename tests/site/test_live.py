"""The formulas of the live figures (``static/live``) give what the library gives, in V8."""

import json
from pathlib import Path

import numpy as np
import pytest
from py_mini_racer import MiniRacer

from notes_lib.clustering.kmeans import assign, inertia, lloyd, reseed_empty, update_centers
from notes_lib.foundations.evaluation import confusion_matrix, precision_score, recall_score, roc_curve, type_i_error
from notes_lib.kernels.svm import SVC
from notes_lib.linear.linear_regression import add_intercept, influence
from notes_lib.plotting.live import _IDEAS

LIVE = Path(__file__).resolve().parents[2] / "static/live"
NAMES = {"leverage": "liveLeverage", "street": "liveStreet", "centres": "liveCentres", "threshold": "liveThreshold"}


@pytest.fixture(scope="module")
def script():
    """Call a function of a script with JSON; closed at the end, since V8 left to the interpreter's exit hangs there."""
    engine = MiniRacer()
    for idea in NAMES:
        engine.eval((LIVE / f"{idea}.js").read_text(encoding="utf-8"))

    def call(idea, function, *arguments):
        given = json.dumps(arguments, default=lambda a: a.tolist())
        return json.loads(engine.eval(f"JSON.stringify({NAMES[idea]}.{function}(...{given}))"))

    yield call
    engine.close()


def test_each_idea_has_a_script_and_a_twin_here():
    assert set(_IDEAS) == set(NAMES) == {path.stem for path in LIVE.glob("*.js")} - {"figure"}


@pytest.mark.parametrize("seed", range(20))
def test_leverage(script, seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(3, 5, size=(2, rng.integers(4, 30)))
    x[0] += 40 * (seed % 3)
    told, found = script("leverage", "influence", x, y), influence(add_intercept(x[:, None]), y)
    for name, ours in [("residuals", found.residuals), ("leverages", found.leverages), ("cooks", found.cooks_distance)]:
        np.testing.assert_allclose(told[name], ours, rtol=1e-9, atol=1e-12 * np.ptp(y), err_msg=name)
    slope, intercept = np.polyfit(x, y, 1)
    np.testing.assert_allclose([told["slope"], told["intercept"]], [slope, intercept], rtol=1e-9)
    assert script("leverage", "line", x, y) == {"slope": told["slope"], "intercept": told["intercept"]}


def two_classes(seed, apart):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(rng.integers(4, 21)) % 2, 1, -1)
    return rng.normal(size=(len(y), 2)) + apart * y[:, None] * [1.0, 0.4], y


@pytest.mark.parametrize("seed", range(20))
def test_street_with_a_hard_margin(script, seed):
    X, y = two_classes(seed, apart=3.0)
    told, model = script("street", "hard", X, y), SVC(C=np.inf, kernel="linear", tol=1e-10).fit(X, y)
    np.testing.assert_allclose(told["w"], model.coef_[0], rtol=1e-8)
    np.testing.assert_allclose(told["b"], model.intercept_[0], rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(told["width"], 2 / np.linalg.norm(model.coef_), rtol=1e-8)
    assert set(model.support_) <= set(np.flatnonzero(told["support"]))
    assert not any(told["slacks"])


def test_street_that_rests_on_more_than_it_needs(script):
    square = [[0, 0], [0, 1], [2, 0], [2, 1]]
    told = script("street", "hard", square, [-1, -1, 1, 1])
    np.testing.assert_allclose([*told["w"], told["b"], told["width"]], [1, 0, -1, 2], atol=1e-12)
    assert told["support"] == [True] * 4


@pytest.mark.parametrize("seed", range(10))
def test_where_no_line_separates_there_is_no_hard_street(script, seed):
    X, y = two_classes(seed, apart=0.1)
    X[:4], y[:4] = [[-2, 0], [2, 0], [0, -2], [0, 2]], [1, 1, -1, -1]  # their segments cross
    assert script("street", "hard", X, y) is None


@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("seed", range(10))
def test_street_with_a_price(script, seed, C):
    X, y = two_classes(seed, apart=0.7)
    told, model = script("street", "soft", X, y, C), SVC(C=C, kernel="linear", tol=1e-10).fit(X, y)
    np.testing.assert_allclose(told["w"], model.coef_[0], rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(told["b"], model.intercept_[0], rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(told["slacks"], np.maximum(0, 1 - y * model.decision_function(X)), atol=1e-6)
    assert np.flatnonzero(told["support"]).tolist() == sorted(model.support_)


@pytest.mark.parametrize("seed", range(20))
def test_centres(script, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2)) if seed % 2 else rng.integers(0, 4, size=(60, 2)).astype(float)  # the latter has ties
    mu = X[rng.permutation(60)[:5]]
    if seed % 4 == 0:
        mu[rng.permutation(5)[: 1 + seed % 3]] += 1000  # empty clusters
    labels = assign(X, mu)
    assert script("centres", "assign", X, mu) == labels.tolist()
    np.testing.assert_allclose(script("centres", "inertia", X, labels, mu), inertia(X, labels, mu), rtol=1e-9)
    filled = reseed_empty(X, labels, mu)
    assert script("centres", "reseed", X, labels, mu) == filled.tolist()
    np.testing.assert_allclose(
        script("centres", "update", X, filled, 5), update_centers(X, filled, 5), rtol=1e-9, atol=1e-12
    )
    np.testing.assert_allclose(
        script("centres", "step", X, mu), lloyd(X, mu, max_iter=1).centers, rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("seed", range(20))
def test_threshold(script, seed):
    rng = np.random.default_rng(seed)
    y = np.r_[0, 1, rng.integers(0, 2, size=rng.integers(1, 60))]
    scores = rng.normal(y, 1).round(seed % 3)  # with ties
    for t in [scores.min() - 1, *rng.choice(scores, 4), *rng.normal(0.5, 1, 4), scores.max() + 1]:
        told, called = script("threshold", "counts", scores, y, t), scores >= t
        (tn, fp), (fn, tp) = confusion_matrix(y, called.astype(int), labels=[0, 1]).tolist()
        assert told == {"tn": tn, "fp": fp, "fn": fn, "tp": tp}
        rates = script("threshold", "rates", told)
        np.testing.assert_allclose(rates["tpr"], recall_score(y, called), rtol=1e-9)
        np.testing.assert_allclose(rates["fpr"], type_i_error(y, called), rtol=1e-9)
        assert rates["precision"] == (pytest.approx(precision_score(y, called)) if called.any() else None)
    curve = roc_curve(y, scores, drop_intermediate=False)
    np.testing.assert_allclose(
        script("threshold", "roc", scores, y), np.column_stack([curve.fpr, curve.tpr]), rtol=1e-9
    )
    edges = np.linspace(*np.quantile(scores, [0, 1] if seed % 2 else [0.1, 0.9]), 8)
    assert script("threshold", "histogram", scores, edges) == np.histogram(scores, edges)[0].tolist()
