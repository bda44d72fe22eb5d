"""NMF against a published example, scikit-learn, other routes, its own laws, and extreme and bad input."""

import pickle
import warnings
from itertools import pairwise

import numpy as np
import pytest
import sklearn.decomposition
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.optimize import minimize, nnls
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.numerics import central_difference
from notes_lib.reduction.nmf import (
    NMF,
    coordinate_descent,
    divergence,
    gradient,
    hals_rows,
    hals_update,
    majoriser,
    multiplicative,
    multiplicative_update,
    nndsvd,
    random_start,
    rescaled,
    shares,
)

LOSSES = ("frobenius", "kullback-leibler")
THOMAS = np.array([[1.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]])
SEEDS = range(4)


def problem(seed, n=12, d=9, k=3, noise=0.1):
    """Data that are nearly of non-negative rank k, and a start."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, k)) @ rng.random((k, d)) + noise * rng.random((n, d))
    return X, rng.random((n, k)) + 0.1, rng.random((k, d)) + 0.1


# ---------------------------------------------------------------- published example


@pytest.mark.equation("nmf-rank-bound")
def test_a_matrix_of_rank_three_that_needs_four_parts():
    """Thomas (1974): rank 3, non-negative rank 4."""
    assert_allclose(np.linalg.svd(THOMAS, compute_uv=False), [2, np.sqrt(2), np.sqrt(2), 0], atol=1e-9)
    errors = {
        k: [
            NMF(k, init="random", tol=1e-12, max_iter=3000, random_state=seed).fit(THOMAS).reconstruction_err_
            for seed in range(10)
        ]
        for k in (3, 4)
    }
    assert min(errors[3]) > 0.5  # by the theorem positive; the least over many starts is about 0.77
    assert min(errors[4]) < 1e-5


# ---------------------------------------------------------------- other routes


@pytest.mark.equation("nmf-objective", "nmf-divergence")
@pytest.mark.parametrize("seed", SEEDS)
def test_objectives_entry_by_entry(seed):
    X, W, H = problem(seed)
    X[0, 0] = 0.0
    square, kl = 0.0, 0.0
    for n, d in np.ndindex(X.shape):
        y = sum(W[n, k] * H[k, d] for k in range(3))
        square += (X[n, d] - y) ** 2 / 2
        kl += (X[n, d] * np.log(X[n, d] / y) if X[n, d] else 0.0) - X[n, d] + y
    assert divergence(X, W, H) == pytest.approx(square, rel=1e-12)
    assert divergence(X, W, H, "kullback-leibler") == pytest.approx(kl, rel=1e-12)


def test_a_sum_of_zero_costs_nothing_or_everything():
    assert divergence([[0.0]], [[0.0]], [[1.0]], "kullback-leibler") == 0
    assert divergence([[1.0]], [[0.0]], [[1.0]], "kullback-leibler") == np.inf


@pytest.mark.equation("nmf-gradient")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", SEEDS)
def test_gradient_by_differences(seed, loss):
    X, W, H = problem(seed)
    slope = central_difference(lambda A: divergence(X, W, A, loss), H)
    assert_allclose(gradient(X, W, H, loss), slope, atol=1e-6)


@pytest.mark.equation("nmf-shares")
@pytest.mark.parametrize("seed", SEEDS)
def test_shares_are_what_the_parts_contribute(seed):
    _, W, H = problem(seed)
    alpha = shares(W, H[:, 0])
    assert_allclose(alpha.sum(axis=1), 1)
    assert_allclose(alpha * (W @ H[:, 0])[:, None], W * H[:, 0])


@pytest.mark.equation("nmf-majoriser", "nmf-kl-jensen", "nmf-auxiliary", "nmf-update", "nmf-kl-update")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_update_minimises_the_majoriser(seed, loss):
    X, W, H = problem(seed)
    x, at = X[:, 0], H[:, 0]
    new = multiplicative_update(X, W, H, loss)[:, 0]
    found = minimize(
        lambda log_h: majoriser(x, W, np.exp(log_h), at, loss), np.log(at), method="BFGS", options={"gtol": 1e-9}
    )
    assert_allclose(np.exp(found.x), new, rtol=1e-5)
    assert majoriser(x, W, at, at, loss) == pytest.approx(divergence(x[:, None], W, at[:, None], loss), rel=1e-12)


@pytest.mark.equation("nmf-update", "nmf-kl-update")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_update_entry_by_entry(seed, loss):
    X, W, H = problem(seed)
    Y = W @ H
    expected = np.empty_like(H)
    for k, d in np.ndindex(H.shape):
        if loss == "frobenius":
            top, bottom = sum(W[:, k] * X[:, d]), sum(W[:, k] * Y[:, d])
        else:
            top, bottom = sum(W[:, k] * X[:, d] / Y[:, d]), sum(W[:, k])
        expected[k, d] = H[k, d] * top / bottom
    assert_allclose(multiplicative_update(X, W, H, loss), expected, rtol=1e-12)


@pytest.mark.equation("nmf-hals")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_row_is_best_while_the_others_stand(seed):
    X, W, H = problem(seed)
    new = hals_update(X, W, H)
    mixed = H.copy()
    for k in range(3):
        rest = X - W @ mixed + np.outer(W[:, k], mixed[k])
        mixed[k] = [nnls(W[:, [k]], column)[0][0] for column in rest.T]
        assert_allclose(new[k], mixed[k], atol=1e-12)


@pytest.mark.equation("nmf-hals")
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_from_products(seed):
    X, W, H = problem(seed)
    W[:, 1] = 0.0  # a part that is nowhere in use
    H[0, 2] = 0.0
    expected, slopes, mixed = hals_update(X, W, H), 0.0, H.copy()
    for k in range(3):
        slope = gradient(X, W, mixed)[k]
        slopes += np.abs(np.where(mixed[k] > 0, slope, np.minimum(slope, 0))).sum()
        mixed[k] = expected[k]
    found = H.copy()
    assert hals_rows(W.T @ X, W.T @ W, found) == pytest.approx(slopes, rel=1e-10)
    assert_allclose(found, expected, atol=1e-10)
    assert_array_equal(found[1], H[1])


@pytest.mark.parametrize(("solver", "loss"), [("cd", "frobenius"), ("mu", "frobenius"), ("mu", "kullback-leibler")])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_whole_run_of_scikit_learn(seed, solver, loss):
    X, W, H = problem(seed)
    X[3, :4] = 0.0
    settings_ = {"init": "custom", "solver": solver, "beta_loss": loss, "tol": 1e-3, "max_iter": 500}
    ours, peer = NMF(3, **settings_), sklearn.decomposition.NMF(3, **settings_)
    found, expected = ours.fit_transform(X, W=W, H=H), peer.fit_transform(X, W=W.copy(), H=H.copy())
    assert ours.n_iter_ == peer.n_iter_
    assert_allclose(found, expected, rtol=1e-8, atol=1e-8)
    assert_allclose(ours.components_, peer.components_, rtol=1e-8, atol=1e-8)
    assert ours.reconstruction_err_ == pytest.approx(peer.reconstruction_err_, rel=1e-8)
    assert_allclose(ours.transform(X[:5]), peer.transform(X[:5]), rtol=1e-7, atol=1e-7)
    assert_allclose(ours.inverse_transform(found), found @ ours.components_)


@pytest.mark.parametrize("init", ["nndsvd", "nndsvda"])
@pytest.mark.parametrize("shape", [(12, 9), (9, 12)])
def test_start_of_scikit_learn(init, shape):
    X = problem(5, *shape)[0]
    peer = sklearn.decomposition._nmf._initialize_nmf(X, 4, init=init, random_state=0)
    found = nndsvd(X, 4, {"nndsvd": "zeros", "nndsvda": "mean"}[init])
    for ours, theirs in zip(found, peer, strict=True):
        assert_allclose(ours, theirs, atol=1e-8)


@pytest.mark.equation("nmf-nndsvd")
def test_start_from_singular_vectors():
    X = problem(6)[0]
    U, s, V = np.linalg.svd(X)
    W, H = nndsvd(X, 3)
    assert_allclose(np.outer(W[:, 0], H[0]), s[0] * np.outer(U[:, 0], V[0]), atol=1e-9)
    for k in (1, 2):
        halves = [np.outer(np.maximum(z * U[:, k], 0), np.maximum(z * V[k], 0)) for z in (1, -1)]
        best = max(halves, key=np.linalg.norm)
        assert_allclose(np.outer(W[:, k], H[k]), s[k] * best, atol=1e-6)
        assert np.linalg.norm(W[:, k]) == pytest.approx(np.linalg.norm(H[k]), rel=1e-6)
    assert_array_equal(nndsvd(X, 3)[0], W)


def test_start_fills():
    X, zeros = problem(7)[0], nndsvd(problem(7)[0], 3)
    for fill, level in [("mean", X.mean()), ("random", X.mean() / 20)]:
        for A, B in zip(nndsvd(X, 3, fill, random_state=0), zeros, strict=True):
            assert_array_equal(A[B > 0], B[B > 0])
            assert (A > 0).all()
            assert A[B == 0].max() <= level
    filled = NMF(3, init="nndsvdar", solver="mu", max_iter=1, tol=0, random_state=2).fit(X)
    Wt, H = nndsvd(X, 3, "random", random_state=2)
    expected = multiplicative(X, Wt, H, max_iter=1, tol=0)
    assert_allclose(filled.components_, expected.H)


def test_start_beyond_the_rank_is_zero():
    X = np.outer([1.0, 2, 3], [2.0, 1, 4, 1])
    W, H = nndsvd(X, 3)
    assert_allclose(W @ H, X, atol=1e-6)
    assert not W[:, 1:].any()
    assert not H[1:].any()
    assert NMF(3, init="nndsvd").fit(X).reconstruction_err_ < 1e-6


@pytest.mark.equation("nmf-random")
def test_random_start_has_the_size_of_the_data():
    X = problem(8, 300, 200)[0]
    W, H = random_start(X, 2, random_state=0)
    assert (W > 0).all()
    assert (W @ H).mean() == pytest.approx(X.mean() * 2 / np.pi, rel=0.05)
    again = random_start(X, 2, random_state=0)
    assert_array_equal(again[0], W)
    assert_array_equal(again[1], H)
    model = NMF(2, init="random", random_state=0, tol=0, max_iter=3).fit(X)
    assert_allclose(model.components_, coordinate_descent(X, W, H, max_iter=3, tol=0).H)


@pytest.mark.parametrize("solver", ["cd", "mu"])
def test_transform_solves_for_the_amounts(solver):
    X, W, H = problem(9)
    model = NMF(3, init="custom", solver=solver, tol=1e-9, max_iter=20_000)
    model.fit(X, W=W, H=H)
    new = problem(10)[0]
    expected = [nnls(model.components_.T, row)[0] for row in new]
    assert_allclose(model.transform(new), expected, atol=3e-3 if solver == "mu" else 1e-6)


# ---------------------------------------------------------------- laws


@pytest.mark.equation("nmf-descent")
@given(
    seed=st.integers(0, 10**6), k=st.integers(1, 4), loss=st.sampled_from(LOSSES), solver=st.sampled_from(["cd", "mu"])
)
@settings(max_examples=40, deadline=None)
def test_no_iteration_raises_the_objective(seed, k, loss, solver):
    X, W, H = problem(seed, k=k)
    if solver == "cd":
        found = coordinate_descent(X, W, H, max_iter=30, tol=0)
        loss = "frobenius"
    else:
        found = multiplicative(X, W, H, loss, max_iter=30, tol=0)
    path = [divergence(X, W, H, loss), *found.objective]
    assert all(after <= before + 1e-9 * path[0] for before, after in pairwise(path))
    assert path[-1] == pytest.approx(divergence(X, found.W, found.H, loss), rel=1e-9, abs=1e-12)
    assert len(found.objective) == found.n_iter
    assert found.n_iter == 30 or found.converged
    assert min(found.W.min(), found.H.min()) >= 0


@pytest.mark.equation("nmf-auxiliary")
@given(seed=st.integers(0, 10**6), loss=st.sampled_from(LOSSES))
@settings(max_examples=60, deadline=None)
def test_the_majoriser_is_above_everywhere(seed, loss):
    X, W, H = problem(seed)
    h = np.random.default_rng(seed).exponential(size=3) + 1e-3
    bound = majoriser(X[:, 0], W, h, H[:, 0], loss)
    assert bound >= divergence(X[:, [0]], W, h[:, None], loss) - 1e-10


@pytest.mark.equation("nmf-kl-sums")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_divergence_keeps_the_sum_of_each_column(seed):
    X, W, H = problem(seed)
    new = multiplicative_update(X, W, H, "kullback-leibler")
    assert_allclose((W @ new).sum(axis=0), X.sum(axis=0))


@pytest.mark.equation("nmf-kkt")
@pytest.mark.parametrize(("solver", "loss"), [("cd", "frobenius"), ("mu", "kullback-leibler")])
def test_the_end_satisfies_the_kkt_conditions(solver, loss):
    X, W, H = problem(11)
    model = NMF(3, init="custom", solver=solver, beta_loss=loss, tol=1e-10, max_iter=30_000)
    W = model.fit_transform(X, W=W, H=H)
    for slope, factor in [
        (gradient(X, W, model.components_, loss), model.components_),
        (gradient(X.T, model.components_.T, W.T, loss), W.T),
    ]:
        assert slope.min() > -1e-3
        assert np.abs(slope * factor).max() < 1e-3


@pytest.mark.equation("nmf-scaling")
@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_rescaled_factors_have_the_same_product(seed):
    _, W, H = problem(seed)
    scaled, parts = rescaled(W, H)
    assert_allclose(parts.sum(axis=1), 1)
    assert_allclose(scaled @ parts, W @ H)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_unit_of_the_data_does_not_matter(loss):
    X = problem(12)[0]
    solver = "mu"
    one = NMF(3, solver=solver, beta_loss=loss, init="random", random_state=0, max_iter=2000).fit(X)
    for unit in (1e-12, 1e12):
        other = NMF(3, solver=solver, beta_loss=loss, init="random", random_state=0, max_iter=2000).fit(X * unit)
        assert other.n_iter_ == one.n_iter_
        assert_allclose(rescaled(np.ones((1, 3)), other.components_)[1], rescaled(np.ones((1, 3)), one.components_)[1])


def test_the_order_of_rows_does_not_matter():
    X, order = problem(13)[0], np.random.default_rng(0).permutation(12)
    one, other = (NMF(3, tol=0, max_iter=50).fit(rows) for rows in (X, X[order]))
    assert_allclose(other.components_, one.components_, atol=1e-9)


# ---------------------------------------------------------------- extremes


@pytest.mark.parametrize(("solver", "loss"), [("cd", "frobenius"), ("mu", "frobenius"), ("mu", "kullback-leibler")])
def test_rows_and_columns_of_zeros(solver, loss):
    X = problem(14)[0]
    X[2], X[:, 5] = 0.0, 0.0
    model = NMF(3, solver=solver, beta_loss=loss, max_iter=300, tol=0)
    W = model.fit_transform(X)
    kept = np.delete(np.delete(X, 2, axis=0), 5, axis=1)
    assert_allclose(W[2], 0, atol=1e-12)
    assert_allclose(model.components_[:, 5], 0, atol=1e-12)
    assert np.isfinite(W).all()
    rest = np.delete(W, 2, axis=0) @ np.delete(model.components_, 5, axis=1)
    assert np.linalg.norm(rest - kept) < 0.2 * np.linalg.norm(kept)
    assert_allclose(model.transform(np.zeros((2, 9))), 0, atol=1e-12)


@pytest.mark.equation("nmf-update")
@pytest.mark.parametrize("loss", LOSSES)
def test_a_zero_stays_and_an_unused_part_too(loss):
    X, W, H = problem(15)
    H[1, 2], W[:, 0] = 0.0, 0.0
    new = multiplicative_update(X, W, H, loss)
    assert new[1, 2] == 0
    assert_array_equal(new[0], H[0])
    H[:, 4] = 0.0  # the model has nothing of what the data have
    assert_array_equal(multiplicative_update(X, W, H, loss)[:, 4], 0)
    found = multiplicative(X, W, H, loss, max_iter=5)
    assert np.isfinite(found.W).all()
    assert_array_equal(found.H[:, 4], 0)


@pytest.mark.parametrize("scale", [1e-100, 1e-9, 1e9, 1e100])
def test_tiny_and_huge_numbers(scale):
    X = problem(16)[0]
    one, other = (NMF(3, init="random", random_state=0, tol=0, max_iter=30).fit(rows) for rows in (X, X * scale))
    assert other.reconstruction_err_ == pytest.approx(one.reconstruction_err_ * scale, rel=1e-9)


def test_more_columns_than_rows_and_one_part():
    X = problem(17, 4, 60, k=2, noise=0.0)[0]
    assert NMF(2, tol=1e-10, max_iter=5000).fit(X).reconstruction_err_ < 1e-4
    one = NMF(1, tol=1e-12, max_iter=500).fit(X)
    s = np.linalg.svd(X, compute_uv=False)
    assert one.reconstruction_err_ == pytest.approx(np.sqrt((s[1:] ** 2).sum()), rel=1e-9)
    assert one.n_components_ == 1


def test_kinds_of_arrays_give_the_same_result():
    X = np.asarray(np.round(problem(18)[0], 2))
    expected = NMF(2).fit_transform(X)
    wide = np.zeros((24, 9))
    wide[::2] = X
    for other in (np.asfortranarray(X), wide[::2], X.tolist()):
        assert_allclose(NMF(2).fit_transform(other), expected, atol=1e-12)
    assert_allclose(NMF(2).fit_transform(X.astype(np.float32)), expected, atol=1e-4)


def test_an_exact_start_stops_at_once():
    _, W, H = problem(19)
    for solver in ("cd", "mu"):
        model = NMF(3, init="custom", solver=solver, tol=1e-6)
        model.fit(W @ H, W=W, H=H)
        assert model.n_iter_ <= 10
        assert model.reconstruction_err_ < 1e-12


# ---------------------------------------------------------------- contract and bad input


def test_the_start_is_not_changed_and_its_rows_are_counted():
    X, W, H = problem(20)
    before = W.copy(), H.copy()
    for n_components in ("auto", None, 3):
        model = NMF(n_components, init="custom", max_iter=5, tol=0)
        model.fit_transform(X, W=W, H=H)
        assert model.n_components_ == 3
    assert_array_equal(before[0], W)
    assert_array_equal(before[1], H)
    assert NMF(max_iter=20, tol=0).fit(X[:5]).n_components_ == 5


def test_in_a_pipeline_and_a_search():
    X = problem(21, 30)[0]
    y = (X[:, 0] > np.median(X[:, 0])).astype(int)
    search = GridSearchCV(
        make_pipeline(NMF(max_iter=2000), LogisticRegression()),
        {"nmf__n_components": [2, 3]},
        cv=3,
        error_score="raise",
    )
    assert search.fit(X, y).best_score_ > 0.5
    model = pickle.loads(pickle.dumps(clone(NMF(2)).fit(X)))
    assert_array_equal(model.transform(X), NMF(2).fit(X).transform(X))
    assert list(model.get_feature_names_out()) == ["nmf0", "nmf1"]


# multiplicative updates come near a 0 so slowly that fit_transform and transform differ by more than the 0.01 that
# these checks allow; those of scikit-learn do so too
SLOW = ("check_transformer_general", "check_transformer_data_not_an_array")


@pytest.mark.parametrize(
    ("estimator", "check"),
    [
        (estimator, check)
        for solver in ("cd", "mu")
        for estimator, check in estimator_checks_generator(NMF(solver=solver, max_iter=500))
        if solver == "cd" or getattr(check, "func", check).__name__ not in SLOW
    ],
)
def test_scikit_learn_contract(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        check(estimator)


def test_warnings():
    X, W, H = problem(22)
    with pytest.warns(ConvergenceWarning, match="after max_iter=2 iterations: raise max_iter or tol"):
        NMF(3, max_iter=2).fit(X)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        NMF(3, solver="mu", max_iter=9).fit(X)
    with pytest.warns(UserWarning, match="cannot change the zeros of init='nndsvd'"):
        NMF(3, solver="mu", init="nndsvd", max_iter=500).fit(X)
    with pytest.warns(RuntimeWarning, match="W and H are ignored.*init='custom'"):
        NMF(3, max_iter=5, tol=0).fit(X, W=W, H=H)


@pytest.mark.parametrize(
    ("parameters", "error", "match"),
    [
        ({"n_components": 10}, ValueError, r"n_components=10 must be at most .* = 9, .* lower n_components"),
        ({"n_components": 10, "init": "random"}, ValueError, "n_components=10 must be at most"),
        ({"n_components": 0}, ValueError, "n_components must be at least 1"),
        ({"n_components": 2.0}, TypeError, "n_components must be an integer"),
        ({"n_components": True}, TypeError, "n_components must be an integer"),
        ({"n_components": "all"}, TypeError, "n_components must be an integer"),
        ({"init": "svd"}, ValueError, "init must be one of"),
        ({"solver": "pg"}, ValueError, "solver must be one of"),
        ({"solver": "mu", "beta_loss": "itakura-saito"}, ValueError, "beta_loss must be one of"),
        ({"beta_loss": "kullback-leibler"}, ValueError, "solver='cd' minimises squared errors only.*solver='mu'"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"max_iter": True}, TypeError, "max_iter must be an integer"),
        ({"tol": -1}, ValueError, "tol must be finite and at least 0"),
        ({"tol": "small"}, TypeError, "tol must be a number"),
        ({"init": "custom", "n_components": 2}, ValueError, "init='custom' needs W"),
        ({"random_state": -1}, ValueError, "random_state must be a non-negative integer"),
        ({"init": "random", "random_state": "0"}, TypeError, "random_state must be an int"),
    ],
)
def test_bad_parameters(parameters, error, match):
    with pytest.raises(error, match=match):
        NMF(**parameters).fit(problem(23)[0])


@pytest.mark.parametrize(
    ("X", "error", "match"),
    [
        ([[1.0, -2.0], [3.0, 4.0]], ValueError, r"X\[0, 1\] is -2.*do not centre X"),
        ([[0.0, 0.0], [0.0, 0.0]], ValueError, "X must have a positive entry"),
        ([[1.0, np.nan]], ValueError, "NaN"),
        ([[1.0, np.inf]], ValueError, "infinity"),
        ([[1e200, 1.0]], ValueError, "divide X by its maximum"),
        ([], ValueError, "Expected 2D array|0 sample"),
        ([1.0, 2.0], ValueError, "Expected 2D array"),
        ([["a", "b"]], TypeError, "X must hold numbers, got text"),
        (sparse.csr_array(np.eye(2)), TypeError, "dense"),
    ],
)
def test_bad_data(X, error, match):
    with pytest.raises(error, match=match):
        NMF(1).fit(X)


def test_bad_starts():
    X, W, H = problem(24)
    model = NMF(3, init="custom")
    for bad, match in [
        ({"W": W}, "init='custom' needs H"),
        ({"W": W[1:], "H": H}, r"W must have shape \(12, 3\) .* got \(11, 3\)"),
        ({"W": W, "H": H[:, 1:]}, r"H must have shape \(3, 9\)"),
        ({"W": -W, "H": H}, "Negative values in data passed as W"),
        ({"W": W, "H": 0 * H}, "H must have a positive entry"),
        ({"W": W, "H": H * np.nan}, "H must be finite"),
    ]:
        with pytest.raises(ValueError, match=match):
            model.fit_transform(X, **bad)
    with pytest.raises(ValueError, match="n_components=10 must be at most"):
        NMF(init="custom").fit_transform(X, W=np.ones((12, 10)), H=np.ones((10, 9)))


def test_bad_new_data():
    model = NMF(2)
    with pytest.raises(NotFittedError):
        model.transform([[1.0]])
    with pytest.raises(NotFittedError):
        model.inverse_transform([[1.0]])
    model.fit(problem(25)[0])
    with pytest.raises(ValueError, match="X has 3 features, but NMF is expecting 9 features"):
        model.transform(np.ones((2, 3)))
    with pytest.raises(ValueError, match="Negative values in data passed as X"):
        model.transform(-np.ones((2, 9)))
    with pytest.raises(TypeError, match="X must hold numbers"):
        model.transform([["a"] * 9])
    with pytest.raises(ValueError, match=r"X must have shape \(d, 2\)"):
        model.inverse_transform(np.ones((2, 3)))


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: divergence([[1, 2]], [[1]], [[1]]), ValueError, r"X must be \(n, d\), W \(n, k\) and H \(k, d\)"),
        (lambda: divergence([[1]], [[1]], [[1]], "kl"), ValueError, "beta_loss must be one of"),
        (lambda: gradient([[-1]], [[1]], [[1]]), ValueError, "Negative values in data passed as X"),
        (lambda: gradient([[1]], [[1]], [[1]], "l1"), ValueError, "beta_loss must be one of"),
        (lambda: gradient([[1]], [[0]], [[1]], "kullback-leibler"), ValueError, "must be positive wherever X is"),
        (lambda: multiplicative_update([[1]], [[1]], [[1]], "l1"), ValueError, "beta_loss must be one of"),
        (lambda: multiplicative_update([[1]], [[-1]], [[1]]), ValueError, "passed as W"),
        (lambda: hals_update([[1]], [[1]], [["a"]]), TypeError, "H must hold real numbers"),
        (lambda: shares([[1, 2]], [1]), ValueError, r"h must be a vector of shape \(2,\)"),
        (lambda: shares([[1, 2]], [1, -1]), ValueError, "passed as h"),
        (lambda: shares([[0, 0], [1, 1]], [1, 1]), ValueError, "drop rows of W"),
        (lambda: majoriser([1], [[1]], [0], [1]), ValueError, "h and at must be positive"),
        (lambda: majoriser([1], [[1]], [1], [1], "l1"), ValueError, "beta_loss must be one of"),
        (lambda: majoriser([-1], [[1]], [1], [1]), ValueError, "passed as x"),
        (lambda: majoriser([1, 2], [[1]], [1], [1]), ValueError, r"x must be a vector of shape \(1,\)"),
        (lambda: rescaled([[1, 2]], [[1]]), ValueError, r"W must be \(n, k\) and H \(k, d\)"),
        (lambda: rescaled([[-1]], [[1]]), ValueError, "passed as W"),
        (lambda: random_start([[1, 2]], 2), ValueError, "n_components=2 must be at most"),
        (lambda: random_start([[0, 0]], 1), ValueError, "X must have a positive entry"),
        (lambda: nndsvd([[1, 2]], 2), ValueError, "n_components=2 must be at most"),
        (lambda: nndsvd([[1, 2]], 1, "ones"), ValueError, "fill must be one of"),
    ],
)
def test_bad_arguments_of_the_steps(call, error, match):
    with pytest.raises(error, match=match):
        call()
