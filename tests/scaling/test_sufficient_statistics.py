"""Estimators in chunks against those on all rows at once: on one machine, out of core, on a cluster of processes."""

import builtins
import logging
import os
import pickle
import signal
import subprocess
import sys
import textwrap
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from dask.distributed import Client, LocalCluster
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.cluster import MiniBatchKMeans
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as PeerLDA
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LinearRegression as PeerRegression
from sklearn.naive_bayes import GaussianNB as PeerNB

from notes_lib.bayes.naive_bayes import GaussianNB
from notes_lib.clustering.gmm import GaussianMixture, e_step, m_step
from notes_lib.clustering.gmm.steps import MStep
from notes_lib.clustering.kmeans import KMeans, assign, inertia, reseed_empty, update_centers
from notes_lib.linear.fisher_lda import scatter_matrices
from notes_lib.linear.gaussian_discriminant import LinearDiscriminantAnalysis
from notes_lib.linear.linear_regression import LinearRegression
from notes_lib.scaling.sufficient_statistics import (
    ChunkedGaussianMixture,
    ChunkedGaussianNB,
    ChunkedKMeans,
    ChunkedLinearDiscriminantAnalysis,
    ChunkedLinearRegression,
    FileChunks,
    Moments,
    add_cluster_sums,
    add_sums,
    class_moments,
    cluster_sums,
    map_reduce,
    merge_classes,
    merge_mixture_moments,
    merge_moments,
    merge_triangles,
    message_bytes,
    mini_batch_step,
    mixture_moments,
    mixture_parameters,
    moments,
    pooled_moments,
    regression_sums,
    solve_sums,
    triangle_of,
)

ALL = [
    ChunkedLinearRegression,
    ChunkedGaussianNB,
    ChunkedLinearDiscriminantAnalysis,
    ChunkedKMeans,
    ChunkedGaussianMixture,
]
ONE_PASS, PASSES = ALL[:3], ALL[3:]


def data(seed=0, n=300, d=4, K=3):
    """Rows of K classes far from the origin, real targets and labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(K, size=n)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 3 * rng.normal(size=(K, d))[labels] + 50
    return X, X @ rng.normal(size=d) + rng.normal(size=n), np.array(["ash", "birch", "cedar"])[labels]


def cut(*arrays, at=(7, 60, 61, 200)):
    """Pieces of unequal size: pairs, or rows alone."""
    pieces = list(zip(*(np.split(a, at) for a in arrays), strict=True))
    return pieces if len(arrays) > 1 else [p for (p,) in pieces]


def near(a, b, rel=1e-9):
    assert np.asarray(a) == pytest.approx(np.asarray(b), rel=rel, abs=rel * (1 + np.abs(b).max()))


class TestGolden:
    @pytest.mark.equation("sufficient-statistics-merge-mean", "sufficient-statistics-merge-scatter")
    def test_the_moments_of_longley_year(self):
        # NIST StRD, data set NumAcc4: 10000000.2, then 10000000.1 and 10000000.3 in turn, 1001 numbers
        x = np.concatenate([[10000000.2], np.tile([10000000.1, 10000000.3], 500)])
        found = map_reduce(np.split(x, [1, 400, 401]), lambda i, v: moments(v[:, None]), merge_moments)
        assert found.mean[0] == pytest.approx(10000000.2, rel=1e-15)  # certified mean and standard deviation
        assert np.sqrt(found.scatter[0, 0] / 1000) == pytest.approx(0.1, rel=1e-7)
        naive = (x @ x - len(x) * x.mean() ** 2) / 1000
        assert abs(naive - 0.01) > 1e-3  # the difference of two large sums has no digit left

    @pytest.mark.equation("sufficient-statistics-normal", "sufficient-statistics-sums")
    def test_three_points(self):
        # (0, 6), (1, 0), (2, 0): the line 5 - 3 x, Strang, Introduction to Linear Algebra, section 4.3
        parts = [regression_sums([[1.0, x]], [y]) for x, y in [(0.0, 6.0), (1.0, 0.0), (2.0, 0.0)]]
        assert solve_sums(add_sums(add_sums(*parts[:2]), parts[2])) == pytest.approx([5, -3])


class TestMoments:
    @pytest.mark.equation(
        "sufficient-statistics-moments", "sufficient-statistics-merge-mean", "sufficient-statistics-merge-scatter"
    )
    @given(st.integers(0, 2**31), st.integers(1, 5), st.booleans())
    @settings(max_examples=40)
    def test_merged_in_fractions(self, seed, n, full):
        rng = np.random.default_rng(seed)
        A, B = rng.integers(-9, 9, size=(n, 2)), rng.integers(-9, 9, size=(4, 2))
        found = merge_moments(moments(A, full), moments(B, full))
        rows = [[Fraction(int(v)) for v in r] for r in np.vstack([A, B])]
        mean = [sum(c) / len(rows) for c in zip(*rows, strict=True)]
        S = [[sum((r[i] - mean[i]) * (r[j] - mean[j]) for r in rows) for j in range(2)] for i in range(2)]
        assert found.count == n + 4
        assert found.mean == pytest.approx([float(v) for v in mean])
        expected = np.array(S, dtype=float)
        assert found.scatter == pytest.approx(expected if full else np.diag(expected), abs=1e-9)

    @given(st.integers(0, 2**31))
    @settings(max_examples=30)
    def test_the_order_and_the_tree_do_not_count(self, seed):
        a, b, c = (moments(np.random.default_rng([seed, i]).normal(size=(i + 1, 3))) for i in range(3))
        left, right = merge_moments(merge_moments(a, b), c), merge_moments(a, merge_moments(c, b))
        for p, q in zip(left, right, strict=True):
            near(p, q, 1e-12)

    def test_an_empty_group_is_neutral(self):
        none, some = Moments(np.zeros(1), np.zeros((1, 2)), np.zeros((1, 2))), None
        X = np.array([[1.0, 2.0], [5.0, 8.0]])
        some = Moments(np.array([2.0]), X.mean(axis=0)[None], ((X - X.mean(axis=0)) ** 2).sum(axis=0)[None])
        for merged in (merge_moments(none, some), merge_moments(some, none)):
            assert all(np.array_equal(p, q) for p, q in zip(merged, some, strict=True))
        assert not any(np.any(part) for part in merge_moments(none, none))

    @pytest.mark.equation("sufficient-statistics-classes", "sufficient-statistics-pooled")
    @pytest.mark.parametrize("summary", [class_moments, pooled_moments])
    def test_classes_that_a_chunk_lacks(self, summary):
        X, _, y = data(1, 40)
        order = np.argsort(y)
        found = map_reduce(cut(X[order], y[order], at=(3, 20)), lambda i, c: summary(*c), merge_classes)
        assert found.classes.tolist() == ["ash", "birch", "cedar"]
        for k, label in enumerate(found.classes):
            near(found.means[k], X[y == label].mean(axis=0), 1e-12)
            assert found.counts[k] == (y == label).sum()
            if summary is class_moments:
                near(found.scatter[k], X[y == label].var(axis=0) * (y == label).sum(), 1e-10)
        if summary is pooled_moments:
            near(found.scatter, scatter_matrices(X, y).S_w, 1e-10)

    @pytest.mark.equation("sufficient-statistics-triangle", "sufficient-statistics-stack")
    @pytest.mark.parametrize("at", [(1,), (3, 30), (50,)])
    def test_triangles_have_the_products_of_the_rows(self, at):
        X, y, _ = data(2, 60)
        found = map_reduce(cut(X, y[:, None], at=at), lambda i, c: triangle_of(*c), merge_triangles)
        D, e = X - X.mean(axis=0), y - y.mean()
        near(found.R.T @ found.R, D.T @ D, 1e-10)
        near(found.R.T @ found.c, (D.T @ e)[:, None], 1e-10)
        assert found.R.shape == (4, 4)

    @pytest.mark.equation("sufficient-statistics-map-reduce", "sufficient-statistics-additive")
    def test_sums_of_parts(self):
        X, y, _ = data(3)
        found = map_reduce(cut(X, y), lambda i, c: regression_sums(*c), add_sums)
        assert found.count == 300
        near(found.gram, X.T @ X, 1e-12)
        near(found.moment, X.T @ y, 1e-12)


class TestEquality:
    """The same as the one-machine estimator, and as scikit-learn."""

    @pytest.mark.equation("sufficient-statistics-stack", "sufficient-statistics-normal")
    @pytest.mark.parametrize("intercept", [True, False])
    @pytest.mark.parametrize("targets", [1, 2])
    def test_regression(self, intercept, targets):
        X, y, _ = data(4)
        Y = y if targets == 1 else np.column_stack([y, X[:, 0] ** 2])
        whole = LinearRegression(fit_intercept=intercept).fit(X, Y)
        found = ChunkedLinearRegression(fit_intercept=intercept).fit(cut(X, Y))
        for name in ("coef_", "intercept_", "singular_"):
            near(getattr(found, name), getattr(whole, name))
        assert (found.rank_, found.n_rows_, found.n_features_in_) == (whole.rank_, 300, 4)
        near(found.predict(X), whole.predict(X))
        near(found.coef_, PeerRegression(fit_intercept=intercept).fit(X, Y).coef_)

    def test_regression_keeps_digits_that_the_normal_equations_lose(self):
        rng = np.random.default_rng(5)
        t = np.linspace(0, 1, 400)
        X, w = np.vander(t, 11)[:, :-1], rng.normal(size=10)
        y = X @ w
        found = ChunkedLinearRegression().fit(cut(X, y))
        A = np.column_stack([np.ones(400), X])
        error = lambda v: np.abs(v - w).max()
        by_sums = np.linalg.solve(A.T @ A, A.T @ y)[1:]
        assert error(found.coef_) < 1e-5 * error(by_sums)
        assert error(found.coef_) < 10 * max(error(LinearRegression().fit(X, y).coef_), 1e-12)

    @pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 1 / 3, 1e8 / 3, -1e-7])
    def test_constant_columns_get_no_weight(self, value):
        X, y, _ = data(6)
        X = np.column_stack([X, np.full(300, value), X[:, 0]])
        whole = LinearRegression().fit(X, y)
        for at in [(7, 60, 61, 200), range(10, 300, 10), range(1, 300)]:
            found = ChunkedLinearRegression().fit(cut(X, y, at=list(at)))
            assert found.rank_ == whole.rank_ == 4
            near(found.coef_, whole.coef_, 1e-8)
            assert found.coef_[4] == 0
            near(found.intercept_, whole.intercept_, 1e-7)

    def test_a_column_that_is_constant_in_each_chunk_only(self):
        X, y, _ = data(7)
        X[:, 2] = np.repeat([3.0, 5.0, 9.0], 100)
        found = ChunkedLinearRegression().fit(cut(X, y, at=(100, 200)))
        near(found.coef_, LinearRegression().fit(X, y).coef_)

    def test_fewer_rows_than_columns(self):
        X, y, _ = data(8, n=5, d=9)
        whole = LinearRegression().fit(X, y)
        found = ChunkedLinearRegression().fit(cut(X, y, at=(2, 3)))
        near(found.coef_, whole.coef_, 1e-8)
        assert found.rank_ == whole.rank_ == 4

    @pytest.mark.equation("sufficient-statistics-classes")
    def test_naive_bayes(self):
        X, _, y = data(9)
        X[:, 1] += 1e6
        order = np.argsort(y)
        X, y = X[order], y[order]
        whole, found = GaussianNB().fit(X, y), ChunkedGaussianNB().fit(cut(X, y))
        for name in ("theta_", "var_", "class_prior_", "class_count_", "epsilon_"):
            near(getattr(found, name), getattr(whole, name))
        assert np.array_equal(found.predict(X), whole.predict(X))
        near(found.predict_proba(X), whole.predict_proba(X), 1e-7)
        near(found.theta_, PeerNB().fit(X, y).theta_)

    @pytest.mark.equation("sufficient-statistics-pooled")
    @pytest.mark.parametrize("settings_", [{}, {"shrinkage": 0.3}, {"priors": [0.2, 0.3, 0.5], "n_components": 1}])
    def test_discriminant_analysis(self, settings_):
        X, _, y = data(10)
        order = np.argsort(y)
        X, y = X[order], y[order]
        whole = LinearDiscriminantAnalysis(**settings_).fit(X, y)
        found = ChunkedLinearDiscriminantAnalysis(**settings_).fit(cut(X, y))
        for name in ("means_", "covariance_", "coef_", "intercept_", "scalings_", "explained_variance_ratio_"):
            near(getattr(found, name), getattr(whole, name), 1e-8)
        assert np.array_equal(found.predict(X), whole.predict(X))
        near(found.transform(X), whole.transform(X), 1e-7)
        near(found.predict_proba(X), whole.predict_proba(X), 1e-8)
        if not settings_:
            near(found.coef_, PeerLDA().fit(X, y).coef_, 0.05)  # divisor n - K there

    @pytest.mark.parametrize("kind", [ChunkedGaussianNB, ChunkedLinearDiscriminantAnalysis])
    def test_a_column_constant_in_each_class_is_seen(self, kind):
        X, _, y = data(11)
        X[:, 0] = 0.1
        settings_ = {"var_smoothing": 0.0} if kind is ChunkedGaussianNB else {}
        with pytest.raises(ValueError, match=r"column 0"):
            kind(**settings_).fit(cut(X, y, at=range(3, 300, 3)))

    @pytest.mark.equation("sufficient-statistics-clusters")
    @pytest.mark.parametrize("tol", [0.0, 0.01])
    @pytest.mark.parametrize("offset", [0.0, 1e6])
    def test_kmeans(self, tol, offset):
        X = data(12, d=2)[0] + offset
        init = X[:5]
        whole = KMeans(5, init=init, n_init=1, tol=tol).fit(X)
        found = ChunkedKMeans(5, init=init, tol=tol).fit(cut(X))
        near(found.cluster_centers_, whole.cluster_centers_, 1e-12)
        assert (found.n_iter_, found.n_reseeded_) == (whole.n_iter_, 0)
        near(found.inertia_, whole.inertia_, 1e-9)
        near(found.objective_, whole.objective_, 1e-9)
        assert np.array_equal(found.predict(X), whole.labels_)
        assert np.array_equal(found.counts_, np.bincount(whole.labels_))
        near(found.transform(X), whole.transform(X), 1e-9)

    def test_kmeans_fills_an_empty_cluster_as_the_one_machine_does(self):
        rng = np.random.default_rng(13)
        X = np.vstack([rng.normal(size=(60, 2)), rng.normal(size=(3, 2)) + 20])
        init = np.vstack([X[:2], [[1e3, 1e3], [-1e3, 0], [0, 1e3]]])
        whole = KMeans(5, init=init, n_init=1, tol=0).fit(X)
        found = ChunkedKMeans(5, init=init, tol=0).fit(cut(X, at=(10, 61)))
        assert found.n_reseeded_ == whole.n_reseeded_ > 0
        near(found.cluster_centers_, whole.cluster_centers_, 1e-12)
        assert found.n_iter_ == whole.n_iter_

    def test_a_single_member_is_not_taken_away(self):
        X = np.array([[0.0], [0.1], [100.0]])
        init = [[0.0], [90.0], [1e4]]
        labels = reseed_empty(X, assign(X, init), init)
        found = ChunkedKMeans(3, init=init, tol=0).fit([X[2:], X[:2]])
        near(np.sort(found.cluster_centers_, axis=0), np.sort(update_centers(X, labels, 3), axis=0), 1e-12)

    @pytest.mark.parametrize("init", ["k-means++", "random"])
    def test_kmeans_from_a_sample(self, init):
        rng = np.random.default_rng(14)
        X = rng.normal(size=(3000, 2)) + 30 * rng.integers(3, size=(3000, 1))
        found = ChunkedKMeans(3, init=init, random_state=3).fit(cut(X, at=(1500, 1600)))
        assert found.inertia_ == pytest.approx(inertia(X, found.predict(X), found.cluster_centers_))
        if init == "k-means++":
            assert np.sort(found.cluster_centers_[:, 0]).round() == pytest.approx([0, 30, 60], abs=1)
        again = ChunkedKMeans(3, init=init, random_state=3).fit(cut(X, at=(1500, 1600)))
        assert np.array_equal(again.cluster_centers_, found.cluster_centers_)

    def test_the_sample_is_uniform(self):
        from notes_lib.scaling.sufficient_statistics.passes import _merge_samples, _sample

        X = np.arange(200.0)[:, None]
        hits = np.zeros(200)
        for seed in range(400):
            parts = [_sample(seed, 20, i, c) for i, c in enumerate(np.split(X, [5, 90]))]
            rows = _merge_samples(20, _merge_samples(20, *parts[:2]), parts[2])[1]
            hits[rows[:, 0].astype(int)] += 1
        assert hits.sum() == 400 * 20
        assert np.abs(hits - 40).max() < 4.5 * np.sqrt(400 * 0.1 * 0.9)

    @pytest.mark.equation("sufficient-statistics-mixture", "sufficient-statistics-mixture-step")
    @pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
    def test_mixture(self, kind):
        X = data(15, d=2)[0]
        start = m_step(X, np.eye(3)[assign(X, X[:3])], kind)
        precisions = {"full": np.linalg.inv, "tied": np.linalg.inv}.get(kind, lambda S: 1 / S)(start.covariances)
        keys = {"covariance_type": kind, "tol": 1e-6, "max_iter": 500}
        whole = GaussianMixture(
            3, weights_init=start.weights, means_init=start.means, precisions_init=precisions, **keys
        ).fit(X)
        found = ChunkedGaussianMixture(
            3, weights_init=start.weights, means_init=start.means, covariances_init=start.covariances, **keys
        ).fit(cut(X))
        for name in ("weights_", "means_", "covariances_", "precisions_", "lower_bounds_"):
            near(getattr(found, name), getattr(whole, name), 1e-7)
        assert (found.n_iter_, found.converged_) == (whole.n_iter_, True)
        near(found.predict_proba(X), whole.predict_proba(X), 1e-6)
        near(found.score_samples(X), whole.score_samples(X), 1e-6)
        assert np.array_equal(found.predict(X), whole.predict(X))
        assert (np.diff(found.lower_bounds_) > -1e-5).all()

    def test_mixture_from_clusters(self):
        X = data(16, d=2)[0]
        found = ChunkedGaussianMixture(3, random_state=0, max_iter=500).fit(cut(X))
        assert found.converged_
        given_ = ChunkedGaussianMixture(3, means_init=X[:3], random_state=0, max_iter=500).fit(cut(X))
        assert given_.means_.shape == (3, 2)

    def test_mixture_moments_of_all_rows_are_those_of_the_steps(self):
        X = data(17, d=2)[0]
        theta = MStep(np.array([0.4, 0.6]), X[:2], np.array([np.eye(2), 9 * np.eye(2)]) * 30)
        step = e_step(X, *theta)
        parts = [mixture_moments(c, theta) for c in cut(X)]
        total = parts[0]
        for part in parts[1:]:
            total = merge_mixture_moments(total, part)
        for p, q in zip(mixture_parameters(total, reg_covar=0.1), m_step(X, step.responsibilities, reg_covar=0.1),
                        strict=True):  # fmt: skip
            near(p, q, 1e-9)
        assert total.log_likelihood == pytest.approx(step.log_likelihood.sum())


class TestSteps:
    @pytest.mark.equation("sufficient-statistics-clusters")
    def test_ties_go_to_the_first_centre(self):
        found = cluster_sums(np.array([[0.0], [1.0], [2.0]]), np.array([[0.0], [2.0]]), np.array([0.5]))
        assert found.counts.tolist() == [2, 1]
        assert found.sums.ravel().tolist() == [0.0, 1.5]
        assert found.cost == pytest.approx(1.0)
        assert add_cluster_sums(found, found).cost == pytest.approx(2.0)

    @pytest.mark.equation("sufficient-statistics-mini-batch")
    def test_mini_batches_against_scikit_learn(self):
        X = data(18, d=2)[0]
        peer = MiniBatchKMeans(3, init=X[:3], n_init=1, reassignment_ratio=0).partial_fit(X[:100])
        centers, counts = mini_batch_step(X[:3], np.zeros(3), X[:100])
        near(centers, peer.cluster_centers_, 1e-9)
        for rows in (X[100:150], X[150:300]):
            peer.partial_fit(rows)
            centers, counts = mini_batch_step(centers, counts, rows)
        near(centers, peer.cluster_centers_, 1e-9)
        assert counts.sum() == 300

    def test_a_centre_without_rows_stays(self):
        centers, counts = mini_batch_step([[0.0], [50.0]], [0, 0], [[1.0], [2.0]])
        assert centers.ravel().tolist() == [1.5, 50.0]
        assert counts.tolist() == [2, 0]

    def test_messages_are_counted(self):
        assert message_bytes(moments(np.ones((10_000, 3)))) == message_bytes(moments(np.zeros((500, 3))))
        assert message_bytes(np.zeros(10_000)) > 80_000


class Again:
    """Chunks that can be gone through again; they count how many are alive."""

    def __init__(self, chunks):
        self.chunks, self.passes = chunks, 0

    def __iter__(self):
        self.passes += 1
        return iter(self.chunks)


class TestChunks:
    def test_recipes_and_files(self, tmp_path):
        X, y, _ = data(19)
        np.save(tmp_path / "rows.npy", np.column_stack([X, y]))
        found = ChunkedLinearRegression().fit(FileChunks(tmp_path / "rows.npy", 70, target=True))
        near(found.coef_, LinearRegression().fit(X, y).coef_)
        np.save(tmp_path / "single.npy", X.astype(np.float32))
        chunks = FileChunks(tmp_path / "single.npy", 299)
        near(np.vstack([part() for part in chunks]), X, 1e-6)
        assert [part.rows for part in chunks] == [299, 1]
        assert message_bytes(next(iter(chunks))) < 400

    def test_a_header_of_the_second_version(self, tmp_path):
        with open(tmp_path / "new.npy", "wb") as file:
            np.lib.format.write_array(file, np.eye(3), version=(2, 0))
        assert next(iter(FileChunks(tmp_path / "new.npy", 2)))()[1].tolist() == [0, 1, 0]

    def test_lists_and_other_types(self):
        X, y, labels = data(20, n=20)
        a = ChunkedLinearRegression().fit([(X[:9].tolist(), y[:9].tolist()), (X[9:].astype(np.float32), y[9:])])
        near(a.coef_, LinearRegression().fit(X, y).coef_, 1e-4)
        b = ChunkedGaussianNB().fit([(np.asfortranarray(X[:9]), labels[:9].tolist()), (X[9:][::-1], labels[9:][::-1])])
        near(b.theta_, GaussianNB().fit(X, labels).theta_)

    def test_clusters_ignore_targets(self):
        X, y, _ = data(21)
        a = ChunkedKMeans(2, init=X[:2]).fit(cut(X, y))
        assert np.array_equal(a.cluster_centers_, ChunkedKMeans(2, init=X[:2]).fit(cut(X)).cluster_centers_)

    def test_passes_are_counted(self):
        X = data(22)[0]
        chunks = Again(cut(X))
        found = ChunkedKMeans(4, init=X[:4], tol=0).fit(chunks)
        assert chunks.passes == found.n_iter_ + 1

    @pytest.mark.parametrize("kind", ONE_PASS)
    def test_one_pass_takes_a_generator_once(self, kind):
        X, y, labels = data(23)
        chunks = iter(cut(X, y if kind is ChunkedLinearRegression else labels))
        kind().fit(chunks)
        with pytest.raises(ValueError, match="an iterator that is spent"):
            kind().fit(chunks)

    @pytest.mark.parametrize("kind", PASSES)
    def test_several_passes_refuse_an_iterator(self, kind):
        with pytest.raises(TypeError, match=r"is an iterator, which is spent after one pass.*pass a list"):
            kind(2).fit(iter(cut(data(24)[0])))

    @pytest.mark.parametrize("kind", ALL)
    @pytest.mark.parametrize("chunks", [[], ()])
    def test_no_chunk(self, kind, chunks):
        with pytest.raises(ValueError, match="chunks gave nothing: it is empty"):
            kind().fit(chunks)

    @pytest.mark.parametrize("kind", ALL)
    def test_no_iterable(self, kind):
        with pytest.raises(TypeError, match="chunks must be an iterable of chunks, such as a list, got int"):
            kind().fit(7)

    @pytest.mark.parametrize("kind", ALL)
    def test_bad_chunks_are_named(self, kind):
        X, y, labels = data(25)
        good = (X, y if kind is ChunkedLinearRegression else labels)
        bad = X.copy()
        bad[3, 1] = np.nan
        cases = [
            ((X[:, :3], good[1]), "chunk 1 has 3 columns and the chunks before it have 4"),
            ((X[:0], good[1][:0]), "chunk 1 is empty"),
            ((bad, good[1]), "X of chunk 1 must be finite"),
            ((X[0], good[1][:4]), r"chunk 1 must be a matrix of rows \(n, d\), got shape \(4,\).*list of its pieces"),
        ]
        for chunk, message in cases:
            with pytest.raises(ValueError, match=message):
                kind().fit([good, chunk])

    @pytest.mark.parametrize("kind", ONE_PASS)
    def test_targets_that_do_not_fit(self, kind):
        X, y, labels = data(26)
        good = (X, y if kind is ChunkedLinearRegression else labels)
        for chunk, message in [
            ((X, good[1][:-1]), "chunk 1 must have one target for each row"),
            ((X, 1.0), "chunk 1 must have one target for each row"),
            (X, r"chunk 1 must be a pair \(X, y\)"),
        ]:
            with pytest.raises(ValueError, match=message):
                kind().fit([good, chunk])

    def test_other_targets(self):
        X, y, labels = data(27)
        with pytest.raises(ValueError, match="y has 1 targets in some chunks and 2 in others"):
            ChunkedLinearRegression().fit([(X, y), (X, np.column_stack([y, y]))])
        with pytest.raises(ValueError, match="text in some chunks and numbers in others"):
            ChunkedGaussianNB().fit([(X, labels), (X, np.arange(300) % 2)])
        for kind in ONE_PASS[1:]:
            with pytest.raises(ValueError, match="at least two classes, got 1 class"):
                kind().fit([(X, np.ones(300, int))])
        with pytest.raises(ValueError, match="more rows than classes"):
            ChunkedLinearDiscriminantAnalysis().fit([(X[:2], [0, 1])])

    def test_other_chunks_in_a_later_pass(self):
        class Fewer(Again):
            def __iter__(self):
                self.passes += 1
                return iter(self.chunks[: 3 if self.passes > 2 else 5])

        X = data(28)[0]
        with pytest.raises(ValueError, match="gave 5 chunks in the first pass and 3 in a later one"):
            ChunkedKMeans(3, init=X[:3], tol=0).fit(Fewer(cut(X)))

    def test_a_file_that_is_no_matrix(self, tmp_path):
        (tmp_path / "text.npy").write_text("not numbers")
        with pytest.raises(ValueError, match=r"is no \.npy file"):
            FileChunks(tmp_path / "text.npy", 5)
        np.save(tmp_path / "line.npy", np.arange(4.0))
        np.save(tmp_path / "columns.npy", np.asfortranarray(np.ones((3, 2))))
        for name in ("line", "columns"):
            with pytest.raises(ValueError, match="must hold a matrix of numbers in C order"):
                FileChunks(tmp_path / f"{name}.npy", 5)


class TestContract:
    @pytest.mark.parametrize("kind", ALL)
    def test_parameters_and_pickle(self, kind):
        X, y, labels = data(29)
        chunks = cut(X, labels if "classes" in kind.__doc__.lower() and kind in ONE_PASS[1:] else y)
        model = kind()
        assert clone(model).get_params() == model.get_params()
        assert model.set_params(backend="numpy") is model
        with pytest.raises(NotFittedError, match="is not fitted: call fit with chunks"):
            model.predict(X)
        with pytest.raises(ValueError, match="has no parameter 'speed'"):
            model.set_params(speed=3)
        model.set_params(**({"max_iter": 1000} if kind in PASSES else {}))
        assert model.fit(chunks) is model
        assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))

    @pytest.mark.parametrize("kind", ALL)
    def test_an_unknown_backend(self, kind):
        with pytest.raises(ValueError, match=r"backend must be one of .*'dask'.* got 'spark'"):
            kind(backend="spark").fit([np.eye(3)])

    def test_hyperparameters(self):
        X = data(30)[0]
        for settings_, message in [
            ({"n_clusters": 0}, "n_clusters"),
            ({"max_iter": 0}, "max_iter"),
            ({"tol": -1.0}, "tol"),
            ({"init": "best"}, "init must be one of"),
            ({"init": X[:3]}, r"init must be a finite array of shape \(8, 4\), got shape \(3, 4\)"),
            ({"n_clusters": 301}, "only 300 distinct points, fewer than n_clusters=301"),
        ]:
            with pytest.raises(ValueError, match=message):
                ChunkedKMeans(**settings_).fit(cut(X))
        with pytest.raises(ValueError, match="covariance_type"):
            ChunkedGaussianMixture(2, covariance_type="round").fit(cut(X))
        with pytest.raises(ValueError, match="singular"):
            solve_sums(regression_sums([[1.0, 1.0], [2.0, 2.0]], [1.0, 2.0]))

    def test_early_stops_warn(self):
        X = data(31)[0]
        with pytest.warns(ConvergenceWarning, match="max_iter=1 iterations; raise max_iter or tol"):
            ChunkedKMeans(5, init=X[:5], max_iter=1, tol=0).fit(cut(X))
        with pytest.warns(ConvergenceWarning, match="raise one of them"):
            ChunkedGaussianMixture(3, max_iter=1, random_state=0).fit(cut(X))

    def test_a_component_without_rows(self):
        X = data(32, d=2)[0]
        far = {"weights_init": [0.5, 0.5], "means_init": [X[0], [1e6, 1e6]], "covariances_init": [np.eye(2)] * 2}
        with pytest.raises(ValueError, match="component 1 has responsibility for no row"):
            ChunkedGaussianMixture(2, **far).fit(cut(X))

    @pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid")
    def test_numbers_too_large(self):
        X, y, labels = data(33)
        for kind, target, scale in zip(ONE_PASS, (y, labels, labels), (1e306, 1e200, 1e200), strict=True):
            with pytest.raises(ValueError, match="too large"):
                kind().fit(cut(X * scale, target))
        near(1e200 * ChunkedLinearRegression().fit(cut(X * 1e200, y)).coef_, LinearRegression().fit(X, y).coef_)
        with pytest.raises(ValueError, match="too large"):
            ChunkedKMeans(2).fit(cut(X * 1e200))

    def test_one_cluster_of_equal_rows(self):
        found = ChunkedKMeans(1).fit([np.ones((3, 2)), np.ones((2, 2))])
        assert (found.cluster_centers_.tolist(), found.inertia_) == ([[1.0, 1.0]], 0.0)


LIMITED = """
import resource, sys
import numpy as np
from notes_lib.scaling.sufficient_statistics import ChunkedLinearRegression, FileChunks

path, allowed = sys.argv[1], int(sys.argv[2])
few = np.random.default_rng(0).normal(size=(2000, 8))
ChunkedLinearRegression().fit([(few[:, :7], few[:, 7])] * 2)  # lets the libraries take what they keep
pages = int(open("/proc/self/statm").read().split()[0])  # what the interpreter and its libraries take already
limit = pages * resource.getpagesize() + allowed
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    np.load(path)
    print("loaded")
except MemoryError:
    print("too large")
model = ChunkedLinearRegression().fit(FileChunks(path, 2000, target=True))
print(model.n_rows_, *model.coef_)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is Linux's")
def test_a_file_larger_than_the_memory_that_the_process_may_use(tmp_path):
    rng = np.random.default_rng(34)
    n, w = 150_000, np.array([1.0, -2.0, 0.5, 3.0, 0.0, 1.5, -1.0])
    A = np.empty((n, 8))
    A[:, :7] = rng.normal(size=(n, 7)) + 4
    A[:, 7] = A[:, :7] @ w + rng.normal(size=n)
    path = tmp_path / "large.npy"
    np.save(path, A)
    size, allowed = path.stat().st_size, 6 * 10**6
    assert size > allowed + 3 * 10**6
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(LIMITED), str(path), str(allowed)],
        capture_output=True, text=True, check=True, env=dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"),
    )  # fmt: skip
    first, second = done.stdout.strip().split("\n")
    rows, *coef = map(float, second.split())
    assert (first, rows) == ("too large", n)
    assert coef == pytest.approx(LinearRegression().fit(A[:, :7], A[:, 7]).coef_, rel=1e-9, abs=1e-9)


@pytest.fixture(scope="module")
def client():
    """One cluster of two processes for all tests."""
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


class Killing(Again):
    """Chunks that kill a worker in the middle of a pass, with nothing said to anyone."""

    def __init__(self, chunks, process, on_pass=1):
        super().__init__(chunks)
        self.process, self.on_pass = process, on_pass

    def __iter__(self):
        self.passes += 1
        for i, chunk in enumerate(self.chunks):
            if (self.passes, i) == (self.on_pass, len(self.chunks) // 2):
                os.kill(self.process, signal.SIGKILL)
            yield chunk


class TestCluster:
    @pytest.mark.parametrize("kind", ALL)
    def test_the_same_as_in_this_process(self, client, kind):
        X, y, labels = data(35)
        settings_ = {"init": X[:2], "n_clusters": 2, "tol": 0.0} if kind is ChunkedKMeans else {}
        if kind is ChunkedGaussianMixture:
            settings_ = {"n_components": 2, "random_state": 0, "max_iter": 400}
        chunks = cut(X, labels if kind in ONE_PASS[1:] else y, at=(50, 100, 150, 200, 250))
        here, there = kind(**settings_).fit(chunks), kind(**settings_, backend="dask").fit(chunks)
        assert np.asarray(there.predict(X)).dtype == np.asarray(here.predict(X)).dtype
        for name in {"coef_", "theta_", "var_", "covariance_", "cluster_centers_", "means_"} & vars(here).keys():
            near(getattr(there, name), getattr(here, name), 1e-12)

    def test_workers_read_their_own_parts(self, client, tmp_path):
        X, y, _ = data(36)
        np.save(tmp_path / "rows.npy", np.column_stack([X, y]))
        chunks = FileChunks(tmp_path / "rows.npy", 40, target=True)
        processes = map_reduce(chunks, _process, lambda a, b: a | b, "dask")
        assert os.getpid() not in processes
        near(ChunkedLinearRegression(backend="dask").fit(chunks).coef_, LinearRegression().fit(X, y).coef_)

    @pytest.mark.parametrize("on_pass", [2])
    def test_a_killed_worker_changes_nothing(self, client, on_pass):
        X = data(37, n=240)[0]
        pieces = np.split(X, 8)
        model = partial(ChunkedKMeans, 3, init=X[:3], tol=0.1, backend="dask")
        quiet = model().fit(pieces)
        process = next(iter(client.run(os.getpid).values()))
        disturbed = Killing(pieces, process, on_pass)
        found = model().fit(disturbed)
        assert disturbed.passes >= on_pass
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
        assert np.array_equal(found.cluster_centers_, quiet.cluster_centers_)
        assert found.n_iter_ == quiet.n_iter_
        client.wait_for_workers(2, timeout=60)

    def test_a_bad_chunk_is_named_from_afar(self, client):
        X, y, _ = data(38)
        with pytest.raises(ValueError, match="chunk 1 is empty"):
            ChunkedLinearRegression(backend="dask").fit([(X, y), (X[:0], y[:0])])


def _process(i, part):
    assert len(part()) == 2
    return {os.getpid()}


class TestNoCluster:
    """After the module's cluster is closed, or beside it: nobody is connected."""

    def test_it_says_how_to_start_one(self, monkeypatch):
        import dask.distributed

        def nobody():
            raise ValueError("No global client found and no address provided")

        monkeypatch.setattr(dask.distributed, "get_client", nobody)
        with pytest.raises(ValueError, match=r"found no cluster: start one first, .*LocalCluster\(n_workers=2"):
            ChunkedLinearRegression(backend="dask").fit([(np.eye(3), np.ones(3))])

    def test_a_closed_client_is_none(self, monkeypatch):
        import dask.distributed

        class Closed:
            status = "closed"

        monkeypatch.setattr(dask.distributed, "get_client", Closed)
        with pytest.raises(ValueError, match="found no cluster"):
            ChunkedLinearRegression(backend="dask").fit([(np.eye(3), np.ones(3))])

    def test_without_dask_the_error_says_how_to_install_it(self, monkeypatch):
        real = builtins.__import__

        def none(name, *arguments):
            if name.startswith("dask"):
                raise ModuleNotFoundError(f"No module named {name!r}")
            return real(name, *arguments)

        monkeypatch.setattr(builtins, "__import__", none)
        with pytest.raises(ImportError, match=r"pip install 'dask\[distributed\]'"):
            ChunkedLinearRegression(backend="dask").fit([(np.eye(3), np.ones(3))])
        assert ChunkedLinearRegression().fit([(np.eye(3), np.arange(3.0))]).rank_ == 2
