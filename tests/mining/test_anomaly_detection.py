"""Anomaly detection against worked examples, scikit-learn, enumeration of random cuts, and its own conditions."""

import math
import pickle
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.stats import chi2
from sklearn.base import clone
from sklearn.covariance import EllipticEnvelope, EmpiricalCovariance, MinCovDet
from sklearn.ensemble import IsolationForest as PeerForest
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import LocalOutlierFactor as PeerFactor
from sklearn.svm import OneClassSVM as PeerMachine
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.mining.anomaly_detection import (
    IsolationForest,
    LocalOutlierFactor,
    MahalanobisDetector,
    OneClassSVM,
    alarm_precision,
    average_path_length,
    chi_square_threshold,
    concentration_step,
    conformal_p_values,
    grow_forest,
    isolation_score,
    local_outlier_factors,
    local_reachability_density,
    masking_limit,
    mean_depths,
    nearest_others,
    reconstruction_errors,
    squared_mahalanobis,
)

FOUR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [3.0, 0.0]])
DETECTORS = [
    MahalanobisDetector(),
    MahalanobisDetector("auto", robust=True),
    LocalOutlierFactor(),
    LocalOutlierFactor(novelty=True),
    IsolationForest(random_state=0),
    OneClassSVM(),
]


def cloud(seed=0, n=200, d=2):
    return np.random.default_rng(seed).normal(size=(n, d)) @ np.triu(np.ones((d, d))) + 3


class TestGolden:
    @pytest.mark.equation(
        "anomaly-detection-lrd",
        "anomaly-detection-lof",
        "anomaly-detection-reachability",
        "anomaly-detection-k-distance",
    )
    def test_four_points(self):
        # L. Chen, HKUST COMP5331, the example of four points with two neighbours and city-block distance
        found = nearest_others(FOUR, 2, metric="manhattan")
        density = local_reachability_density(found.distances, found.indices, found.distances[:, -1])
        assert found.distances[:, -1].tolist() == [2, 1, 2, 3]
        assert density == pytest.approx([0.667, 0.5, 0.667, 0.333], abs=1.1e-3)
        assert local_outlier_factors(density, density[found.indices]) == pytest.approx(
            [0.875, 1.334, 0.875, 2.0], abs=1.1e-3
        )
        model = LocalOutlierFactor(n_neighbors=2, metric="manhattan").fit(FOUR)
        assert -model.negative_outlier_factor_ == pytest.approx([0.875, 1.334, 0.875, 2.0], abs=1.1e-3)

    @pytest.mark.equation("anomaly-detection-cn", "anomaly-detection-score")
    def test_mean_path_of_256_rows(self):
        # Liu, Ting and Zhou (2008), equations 1 and 2, with H(i) = ln i + 0.5772156649
        approximate = 2 * (math.log(255) + 0.5772156649) - 2 * 255 / 256
        assert approximate == pytest.approx(10.2448, abs=6e-5)
        assert average_path_length(256) == pytest.approx(approximate, abs=1 / 255)
        assert average_path_length([2, 3, 4]) == pytest.approx([1, 5 / 3, 13 / 6])
        assert isolation_score(average_path_length(256), 256) == pytest.approx(0.5)

    @pytest.mark.equation("anomaly-detection-precision")
    def test_test_for_a_rare_disease(self):
        # the textbook example: 1 in 1000, sensitivity 99 %, false alarms 5 %: about 2 %
        assert alarm_precision(0.001, 0.99, 0.05) == pytest.approx(0.0194, abs=5e-5)


class TestOneCloud:
    @pytest.mark.equation("anomaly-detection-mahalanobis")
    def test_against_scikit_learn(self):
        X = cloud()
        model, peer = MahalanobisDetector().fit(X), EmpiricalCovariance().fit(X)
        assert model.mahalanobis(X) == pytest.approx(peer.mahalanobis(X))
        assert model.covariance_ == pytest.approx(peer.covariance_)
        assert model.score_samples(X) == pytest.approx(-peer.mahalanobis(X))

    @pytest.mark.equation("anomaly-detection-alarm", "anomaly-detection-chi-square")
    @pytest.mark.parametrize("d", [1, 2, 7])
    def test_threshold_is_the_quantile(self, d):
        assert chi_square_threshold(0.025, d) == pytest.approx(chi2(d).ppf(0.975))
        assert chi_square_threshold(1.0, d) == 0
        X = np.random.default_rng(d).normal(size=(40_000, d))
        share = (squared_mahalanobis(X, np.zeros(d), np.eye(d)) > chi_square_threshold(0.025, d)).mean()
        assert share == pytest.approx(0.025, abs=4.5 * np.sqrt(0.025 * 0.975 / 40_000))

    def test_automatic_threshold_does_not_look_at_the_rows(self):
        model = MahalanobisDetector("auto", alpha=0.1).fit(cloud())
        assert model.offset_ == pytest.approx(-chi2(2).ppf(0.9))
        assert MahalanobisDetector(0.1).fit(cloud()).offset_ != pytest.approx(model.offset_)

    @pytest.mark.equation("anomaly-detection-trace")
    @given(st.integers(0, 2**31), st.integers(1, 4))
    def test_squared_distances_sum_to_n_d(self, seed, d):
        X = cloud(seed, 12, d)
        assert MahalanobisDetector().fit(X).mahalanobis(X).sum() == pytest.approx(12 * d)

    @pytest.mark.equation("anomaly-detection-masking", "anomaly-detection-leverage")
    @given(st.integers(0, 2**31), st.integers(1, 6), st.floats(1, 1e4))
    def test_equal_rows_hide_each_other(self, seed, m, far):
        X = np.vstack([cloud(seed, 20), np.tile([far, -far], (m, 1))])
        distance = MahalanobisDetector().fit(X).mahalanobis(X[-1:])[0]
        assert distance <= masking_limit(20 + m, m) * (1 + 1e-9)

    @pytest.mark.equation("anomaly-detection-masking")
    def test_limit_is_reached_far_away(self):
        X = np.vstack([cloud(0, 20), np.tile([1e5, -1e5], (4, 1))])
        assert MahalanobisDetector().fit(X).mahalanobis(X[-1:])[0] == pytest.approx(masking_limit(24, 4), rel=1e-3)

    @pytest.mark.equation("anomaly-detection-concentrate")
    @given(st.integers(0, 2**31))
    def test_concentration_never_grows_the_determinant(self, seed):
        rng = np.random.default_rng(seed)
        X, h = rng.standard_t(2, size=(40, 2)), 24
        rows = rng.permutation(40)[:h]
        sizes = []
        for _ in range(5):
            sizes.append(np.linalg.det(np.cov(X[rows].T)))
            rows = concentration_step(X, rows, h)
        assert (np.diff(sizes) <= 1e-9 * sizes[0]).all()

    def test_robust_fit_sees_what_the_plain_one_hides(self):
        X = np.vstack([cloud(1, 80), np.random.default_rng(0).normal(12, 0.1, size=(20, 2))])
        plain, robust = (MahalanobisDetector("auto", robust=r).fit(X) for r in (False, True))
        assert (plain.predict(X[80:]) == 1).all()
        assert (robust.predict(X[80:]) == -1).all()
        assert not robust.support_[80:].any()
        peer = MinCovDet(random_state=0).fit(X)
        assert robust.location_ == pytest.approx(peer.location_, abs=0.4)

    def test_robust_covariance_of_a_gaussian(self):
        X = np.random.default_rng(0).normal(size=(20_000, 3))
        model = MahalanobisDetector("auto", robust=True).fit(X)
        assert model.covariance_ == pytest.approx(np.eye(3), abs=0.06)
        assert (model.predict(X) == -1).mean() == pytest.approx(0.025, abs=0.006)

    def test_robust_with_columns_of_equal_values(self):
        X = np.column_stack([np.r_[np.zeros(30), 1, 2, 3], np.random.default_rng(0).normal(size=33)])
        with pytest.raises(ValueError, match="singular"):
            MahalanobisDetector(robust=True).fit(X)

    def test_few_rows_use_all_of_them(self):
        X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        assert MahalanobisDetector(robust=True).fit(X).support_.all()

    def test_contamination_is_the_share_of_alarms(self):
        X = cloud(2, 400)
        assert (MahalanobisDetector(0.1).fit_predict(X) == -1).sum() == 40
        peer = EllipticEnvelope(contamination=0.1, random_state=0).fit(X)
        assert (MahalanobisDetector(0.1, robust=True).fit_predict(X) == peer.predict(X)).mean() > 0.97


class TestNeighbours:
    @pytest.mark.equation("anomaly-detection-lof")
    @pytest.mark.parametrize(("n", "d", "k"), [(60, 2, 5), (300, 3, 20), (150, 8, 7), (30, 1, 29)])
    def test_against_scikit_learn(self, n, d, k):
        X = cloud(n, n, d)
        model, peer = LocalOutlierFactor(k).fit(X), PeerFactor(n_neighbors=k).fit(X)
        assert model.negative_outlier_factor_ == pytest.approx(peer.negative_outlier_factor_, abs=1e-7)
        assert model.fit_predict(X).tolist() == peer.fit_predict(X).tolist()
        new = cloud(1, 40, d) * 1.5
        model, peer = LocalOutlierFactor(k, novelty=True).fit(X), PeerFactor(n_neighbors=k, novelty=True).fit(X)
        assert model.score_samples(new) == pytest.approx(peer.score_samples(new), abs=1e-7)
        assert model.predict(new).tolist() == peer.predict(new).tolist()

    @pytest.mark.parametrize("metric", ["manhattan", "chebyshev"])
    def test_other_metrics_from_the_definition(self, metric):
        X, k = cloud(3, 40), 4
        D = cdist(X, X, {"manhattan": "cityblock", "chebyshev": "chebyshev"}[metric])
        near = np.argsort(D, axis=1)[:, 1 : k + 1]
        k_distance = np.sort(D, axis=1)[:, k]
        lrd = [1 / np.mean([max(k_distance[j], D[i, j]) for j in near[i]]) for i in range(40)]
        lof = [np.mean([lrd[j] for j in near[i]]) / lrd[i] for i in range(40)]
        assert -LocalOutlierFactor(k, metric=metric).fit(X).negative_outlier_factor_ == pytest.approx(lof)

    @pytest.mark.parametrize(("n", "d"), [(50, 2), (50, 9), (8100, 4)])
    def test_tree_and_table_find_the_same(self, n, d):
        X = np.random.default_rng(0).normal(size=(n, d))
        found = nearest_others(X, 3)
        some = X[:30]
        D = cdist(some, X)
        D[np.arange(30), np.arange(30)] = np.inf
        assert found.distances[:30] == pytest.approx(np.sort(D, axis=1)[:, :3])
        assert nearest_others(X, 3, some + 0.1).distances == pytest.approx(np.sort(cdist(some + 0.1, X), axis=1)[:, :3])

    @given(st.integers(0, 2**31), st.floats(1e-6, 1e6))
    def test_moving_turning_and_scaling_changes_nothing(self, seed, c):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 2))
        turn = np.linalg.qr(rng.normal(size=(2, 2)))[0]
        factors = LocalOutlierFactor(4).fit(X).negative_outlier_factor_
        assert LocalOutlierFactor(4).fit(c * (X @ turn + 5)).negative_outlier_factor_ == pytest.approx(
            factors, rel=1e-5
        )

    @pytest.mark.equation("anomaly-detection-lof")
    def test_a_regular_grid_has_factors_of_one_inside(self):
        X = np.array([[i, j] for i in range(15) for j in range(15)], float)
        factors = -LocalOutlierFactor(8).fit(X).negative_outlier_factor_
        inside = ((X > 3) & (X < 11)).all(axis=1)
        assert factors[inside] == pytest.approx(1)

    def test_twins(self):
        X = np.vstack([np.zeros((6, 2)), [[1.0, 0.0], [0.0, 1.0]]])
        with pytest.warns(UserWarning, match="twins"):
            model = LocalOutlierFactor(3).fit(X)
        assert model.negative_outlier_factor_[:6] == pytest.approx(-1)
        assert (model.negative_outlier_factor_[6:] < -1e7).all()
        assert np.isfinite(model.negative_outlier_factor_).all()
        same = LocalOutlierFactor(3).fit(np.ones((6, 2)))
        assert same.negative_outlier_factor_ == pytest.approx(-1)
        assert local_outlier_factors([np.inf, 1.0], [[np.inf], [2.0]]) == pytest.approx([1, 2])

    def test_too_many_neighbours_are_all_of_them(self):
        with pytest.warns(UserWarning, match="n_neighbors is 20"):
            model = LocalOutlierFactor().fit(FOUR)
        assert model.n_neighbors_ == 3
        assert model.kneighbors().distances.shape == (4, 3)
        assert model.kneighbors([[0.0, 0.0]], 1).indices.tolist() == [[0]]


@cache
def mean_depth(n):
    """Mean depth of a leaf over all sequences of cuts, each rank equally likely, by recursion on the left size."""
    if n == 1:
        return 0.0
    sides = [(i * mean_depth(i) + (n - i) * mean_depth(n - i)) / n for i in range(1, n)]
    return 1 + sum(sides) / (n - 1)


class TestIsolation:
    @pytest.mark.equation(
        "anomaly-detection-cn", "anomaly-detection-total", "anomaly-detection-recursion", "anomaly-detection-step"
    )
    @pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 17])
    def test_mean_path_by_recursion(self, n):
        assert average_path_length(n) == pytest.approx(mean_depth(n))
        assert average_path_length(0) == 0

    @pytest.mark.equation("anomaly-detection-cn")
    def test_mean_path_of_simulated_cuts(self):
        rng, n = np.random.default_rng(0), 20

        def total(n):
            if n == 1:
                return 0
            left = int(rng.integers(1, n))
            return n + total(left) + total(n - left)

        depths = [total(n) / n for _ in range(4000)]
        error = np.std(depths) / np.sqrt(len(depths))
        assert np.mean(depths) == pytest.approx(average_path_length(n), abs=4 * error)

    @pytest.mark.equation("anomaly-detection-gap")
    def test_first_cut_falls_into_a_gap_in_proportion(self):
        X = np.array([[0.0], [1.0], [2.0], [10.0]])
        forest = grow_forest(X, np.tile(np.arange(4), (4000, 1)), 8, np.random.default_rng(0))
        alone = (forest.threshold[:4000] >= 2).mean()
        assert alone == pytest.approx(0.8, abs=4.5 * np.sqrt(0.16 / 4000))

    def test_trees_are_trees(self):
        X = np.random.default_rng(0).normal(size=(64, 3))
        forest = grow_forest(X, np.tile(np.arange(64), (5, 1)), 6, np.random.default_rng(1))
        for t in range(5):
            below = [(t, np.arange(64), 0)]
            n_leaves = 0
            while below:
                node, rows, depth = below.pop()
                child = forest.child[node]
                if child == node:
                    n_leaves += 1
                    assert forest.path[node] == pytest.approx(depth + average_path_length(len(rows)))
                    assert len(rows) == 1 or depth == 6
                    continue
                right = X[rows, forest.feature[node]] > forest.threshold[node]
                assert 0 < right.sum() < len(rows)
                below += [(child, rows[~right], depth + 1), (child + 1, rows[right], depth + 1)]
            assert n_leaves > 6

    @pytest.mark.equation("anomaly-detection-depth")
    def test_two_rows_are_one_cut_apart(self):
        X = np.array([[0.0, 1.0], [2.0, 1.0]])
        model = IsolationForest(n_estimators=3, random_state=0).fit(X)
        assert mean_depths(model.forest_, X).tolist() == [1, 1]
        assert model.score_samples(X).tolist() == [-0.5, -0.5]

    def test_equal_rows_are_not_cut(self):
        model = IsolationForest(n_estimators=3, random_state=0).fit(np.ones((8, 2)))
        assert model.forest_.height == 0
        assert model.score_samples([[5.0, 5.0]]) == pytest.approx(-0.5)

    @pytest.mark.parametrize(("n", "d"), [(200, 2), (2000, 6)])
    def test_scores_agree_with_scikit_learn(self, n, d):
        X = np.vstack([cloud(0, n, d), cloud(1, 10, d) + 8])
        ours = [IsolationForest(random_state=s).fit(X).score_samples(X) for s in range(6)]
        peer = [PeerForest(random_state=s).fit(X).score_samples(X) for s in range(6)]
        spread = np.sqrt((np.var(ours, axis=0, ddof=1) + np.var(peer, axis=0, ddof=1)) / 6)
        gap = np.mean(ours, axis=0) - np.mean(peer, axis=0)
        assert abs(gap).max() < 0.035
        assert abs(gap.mean()) < 0.004
        assert (abs(gap) < 4 * spread + 0.002).mean() > 0.97
        assert roc_auc_score(np.arange(len(X)) < n, ours[0]) > 0.99

    def test_offset_and_share(self):
        X = cloud(5, 500)
        assert IsolationForest(random_state=0).fit(X).offset_ == -0.5
        model = IsolationForest(contamination=0.1, random_state=0).fit(X)
        assert (model.predict(X) == -1).sum() == 50

    def test_sample_sizes(self):
        X = cloud(0, 100)
        assert IsolationForest(random_state=0).fit(X).max_samples_ == 100
        assert IsolationForest(max_samples=0.3, random_state=0).fit(X).max_samples_ == 30
        model = IsolationForest(max_samples=16, random_state=0).fit(X)
        assert model.samples_.shape == (100, 16)
        assert all(len(set(rows.tolist())) == 16 for rows in model.samples_)
        assert model.forest_.height <= 4
        with pytest.warns(UserWarning, match="max_samples is 500"):
            assert IsolationForest(max_samples=500, random_state=0).fit(X).max_samples_ == 100

    def test_values_near_the_largest_floats(self):
        X = np.array([[-1.7e308], [0.0], [1.7e308], [1.0]])
        scores = IsolationForest(n_estimators=20, random_state=0).fit(X).score_samples(X)
        assert np.isfinite(scores).all()
        near = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
        assert IsolationForest(n_estimators=5, random_state=0).fit(near).score_samples(near).tolist() == [-0.5, -0.5]

    def test_many_rows_in_blocks(self):
        X = cloud(0, 9000)
        model = IsolationForest(n_estimators=5, random_state=0).fit(X)
        parts = np.concatenate([model.score_samples(part) for part in np.array_split(X, 7)])
        assert model.score_samples(X) == pytest.approx(parts)


def kkt(model, X, nu):
    """Multipliers of all rows, the largest violation of KKT by them."""
    alpha = np.zeros(len(X))
    alpha[model.support_] = model.dual_coef_[0]
    f = model.decision_function(X)
    assert alpha.sum() == pytest.approx(nu * len(X))
    assert (alpha >= 0).all()
    assert (alpha <= 1).all()
    return alpha, max(f[alpha > 0].max(initial=-np.inf), -f[alpha < 1].min(initial=np.inf))


class TestOneClass:
    @pytest.mark.equation(
        "anomaly-detection-one-class-dual", "anomaly-detection-one-class-score", "anomaly-detection-rho"
    )
    @pytest.mark.parametrize("nu", [0.013, 0.1017, 0.507, 0.913])
    @pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
    def test_against_scikit_learn(self, nu, kernel):
        X = cloud(0, 150)
        settings = {"nu": nu, "kernel": kernel, "tol": 1e-9, "degree": 2}
        model, peer = OneClassSVM(**settings).fit(X), PeerMachine(**settings).fit(X)
        scale = abs(peer.score_samples(X)).max()
        assert model.score_samples(X) / scale == pytest.approx(peer.score_samples(X) / scale, abs=1e-6)
        assert model.offset_ == pytest.approx(peer.offset_, rel=1e-6)
        if kernel == "linear":
            assert model.coef_ == pytest.approx(peer.coef_, rel=1e-6)

    @pytest.mark.equation("anomaly-detection-one-class-stationary", "anomaly-detection-nu")
    @given(st.integers(0, 2**31), st.floats(0.02, 0.98))
    @settings(max_examples=30, deadline=None)
    def test_conditions_and_the_meaning_of_nu(self, seed, nu):
        X = np.random.default_rng(seed).normal(size=(60, 2))
        model = OneClassSVM(nu=nu, tol=1e-8).fit(X)
        alpha, violation = kkt(model, X, nu)
        assert violation < 1e-5
        assert (model.decision_function(X) < -1e-5).mean() <= nu <= (alpha > 0).mean()
        assert (np.diff(model.objective_) >= -1e-9).all()

    @pytest.mark.equation("anomaly-detection-one-class-dual")
    def test_dual_objective_by_enumeration(self):
        X = np.array([[0.0], [1.0], [3.0]])
        K = np.exp(-((X - X.T) ** 2))
        model = OneClassSVM(nu=2 / 3, gamma=1.0, tol=1e-10).fit(X)  # two units in three boxes of size 1
        grid = np.linspace(0, 1, 201)
        a, b = np.meshgrid(grid, grid)
        c = 2 - a - b
        ok = (c >= 0) & (c <= 1)
        alpha = np.stack([a[ok], b[ok], c[ok]])
        values = 0.5 * np.einsum("in,ij,jn->n", alpha, K, alpha)
        assert -model.objective_[-1] == pytest.approx(values.min(), abs=1e-4)

    def test_all_rows_outside(self):
        X = cloud(0, 30)
        model = OneClassSVM(nu=1.0).fit(X)
        assert model.dual_coef_.tolist() == [[1.0] * 30]
        assert model.n_iter_ == 0
        assert model.offset_ == pytest.approx(model.score_samples(X).max())

    def test_border_without_free_rows(self):
        X = np.array([[0.0], [0.2], [9.0], [0.1]])
        model = OneClassSVM(nu=0.25, gamma=1.0, tol=1e-9).fit(X)
        _, violation = kkt(model, X, 0.25)
        assert violation < 1e-6
        far = OneClassSVM(nu=0.5, kernel="precomputed").fit(np.diag([1.0, 1.0, 5.0, 5.0]) + 0.01)
        assert kkt(far, np.diag([1.0, 1.0, 5.0, 5.0]) + 0.01, 0.5)[1] < 1e-2

    def test_precomputed_and_callable(self):
        X = cloud(0, 50)
        K = X @ X.T
        linear = OneClassSVM(nu=0.21, kernel="linear", tol=1e-8).fit(X)
        given_ = OneClassSVM(nu=0.21, kernel="precomputed", tol=1e-8).fit(K)
        called = OneClassSVM(nu=0.21, kernel=lambda A, B: A @ B.T, tol=1e-8).fit(X)
        assert given_.decision_function(K) == pytest.approx(linear.decision_function(X), abs=1e-5)
        assert called.decision_function(X) == pytest.approx(linear.decision_function(X), abs=1e-5)
        with pytest.raises(AttributeError, match="linear"):
            _ = given_.coef_

    def test_early_end_warns(self):
        with pytest.warns(UserWarning, match="max_iter"):
            OneClassSVM(max_iter=1).fit(cloud(0, 100))


class TestScoresOfPlanes:
    @pytest.mark.equation("anomaly-detection-reconstruction", "anomaly-detection-split")
    @given(st.integers(0, 2**31), st.integers(0, 3))
    def test_the_left_out_axes(self, seed, q):
        X = cloud(seed, 20, 3)
        mean = X.mean(axis=0)
        axes = np.linalg.svd(X - mean)[2]
        errors = reconstruction_errors(X, mean, axes[:q]) if q else np.square(X - mean).sum(axis=1)
        assert errors == pytest.approx(np.square((X - mean) @ axes[q:].T).sum(axis=1), abs=1e-9)


class TestAlarms:
    @pytest.mark.equation("anomaly-detection-precision")
    @given(st.floats(0.001, 0.5), st.floats(0.01, 1), st.floats(0.001, 1))
    def test_precision_is_bayes_theorem(self, prevalence, recall, false):
        odds = prevalence / (1 - prevalence) * recall / false
        assert alarm_precision(prevalence, recall, false) == pytest.approx(odds / (1 + odds))

    def test_no_alarm_has_no_precision(self):
        assert np.isnan(alarm_precision(0.1, 0.0, 0.0))

    @pytest.mark.equation("anomaly-detection-p-value", "anomaly-detection-validity")
    def test_p_values_of_usual_rows_by_enumeration(self):
        values = np.array([5.0, 3.0, 2.0, 8.0, 1.0, 0.0, 9.0])  # which of seven comes last is chance
        p = [conformal_p_values(np.delete(values, i), values[[i]])[0] for i in range(7)]
        assert sorted(p) == pytest.approx(np.arange(1, 8) / 7)
        tied = np.zeros(7)
        assert conformal_p_values(tied[1:], tied[:1]) == 1


class TestContract:
    @pytest.mark.parametrize("model", DETECTORS, ids=repr)
    def test_forms_of_the_same_data(self, model):
        X = cloud(0, 120)
        model = clone(model).set_params(**({"novelty": True} if isinstance(model, LocalOutlierFactor) else {}))
        fitted = clone(model).fit(X)
        scores = fitted.score_samples(X)
        assert fitted.decision_function(X) == pytest.approx(scores - fitted.offset_, abs=1e-9)
        assert set(fitted.predict(X)) <= {-1, 1}
        assert np.array_equal(fitted.predict(X) == -1, fitted.decision_function(X) < 0)
        wide = np.zeros((240, 4))
        wide[::2, ::2] = X
        for form in (np.asfortranarray(X), wide[::2, ::2]):
            assert clone(model).fit(form).score_samples(form) == pytest.approx(scores)
        assert clone(model).fit(X.astype(np.float32)).score_samples(X) == pytest.approx(scores, rel=0.03, abs=1e-3)
        assert pickle.loads(pickle.dumps(fitted)).score_samples(X).tolist() == scores.tolist()
        if not isinstance(model, IsolationForest):
            order = np.random.default_rng(0).permutation(120)
            assert clone(model).fit(X[order]).score_samples(X) == pytest.approx(scores, rel=2e-3, abs=2e-3)

    @pytest.mark.parametrize("model", DETECTORS[:5], ids=repr)
    @pytest.mark.parametrize("share", [0, -0.1, 0.51, 1, np.nan, "all", None])
    def test_contamination(self, model, share):
        with pytest.raises(ValueError, match=r"contamination must be above 0 and at most 0\.5"):
            clone(model).set_params(contamination=share).fit(cloud())

    @pytest.mark.parametrize(
        ("model", "match"),
        [
            (MahalanobisDetector(alpha=0.0), "alpha"),
            (MahalanobisDetector(alpha=1.5), "alpha"),
            (LocalOutlierFactor(0), "n_neighbors"),
            (LocalOutlierFactor(metric="sqeuclidean"), "metric"),
            (LocalOutlierFactor(p=0.5), "p"),
            (IsolationForest(n_estimators=0), "n_estimators"),
            (IsolationForest(max_samples="all"), "max_samples"),
            (IsolationForest(max_samples=1), "max_samples"),
            (IsolationForest(max_samples=0.001), "max_samples"),
            (IsolationForest(max_samples=1.5), "max_samples"),
            (IsolationForest(random_state=-1), "random_state"),
            (OneClassSVM(nu=0.0), "nu"),
            (OneClassSVM(nu=1.1), "nu"),
            (OneClassSVM(tol=0.0), "tol"),
            (OneClassSVM(gamma=0.0), "gamma"),
            (OneClassSVM(max_iter=0), "max_iter"),
        ],
    )
    def test_bad_settings(self, model, match):
        with pytest.raises(ValueError, match=match):
            model.fit(cloud())

    def test_integers_must_be_integers(self):
        with pytest.raises(TypeError, match="n_neighbors"):
            LocalOutlierFactor(2.5).fit(cloud())
        with pytest.raises(TypeError, match="n_estimators"):
            IsolationForest(n_estimators=2.5).fit(cloud())

    @pytest.mark.parametrize("model", DETECTORS, ids=repr)
    @pytest.mark.parametrize(
        "bad", [[[np.nan, 1.0], [1.0, 2.0]], [[np.inf, 1.0], [1.0, 2.0]], [1.0, 2.0], np.empty((0, 2))]
    )
    def test_bad_data(self, model, bad):
        with pytest.raises(ValueError, match=r"NaN|infinity|1D|0 sample"):
            clone(model).fit(bad)

    def test_singular_covariance(self):
        with pytest.raises(ValueError, match="constant"):
            MahalanobisDetector().fit(np.column_stack([np.arange(9.0), np.ones(9)]))
        with pytest.raises(ValueError, match="rows for"):
            MahalanobisDetector().fit(np.eye(3))

    @pytest.mark.parametrize("model", DETECTORS[:5], ids=repr)
    def test_one_row(self, model):
        with pytest.raises(ValueError, match="minimum of 2"):
            clone(model).fit([[1.0, 2.0]])

    def test_methods_of_the_wrong_kind(self):
        with pytest.raises(AttributeError, match="predict"):
            LocalOutlierFactor().fit(cloud()).predict(cloud())
        with pytest.raises(AttributeError, match="fit_predict"):
            LocalOutlierFactor(novelty=True).fit_predict(cloud())
        for model in DETECTORS[:2] + DETECTORS[3:]:
            with pytest.raises(NotFittedError):
                clone(model).score_samples(cloud())

    @pytest.mark.parametrize(
        ("call", "match"),
        [
            (lambda: masking_limit(3, 4), "m must be at most n"),
            (lambda: masking_limit(3, 0), "m must be"),
            (lambda: chi_square_threshold(0.0, 2), "alpha"),
            (lambda: chi_square_threshold(0.1, 0), "d must"),
            (lambda: concentration_step(FOUR, [0, 1, 2], 5), "h must be at most"),
            (lambda: concentration_step(FOUR, [0, 1, 7], 3), "rows"),
            (lambda: concentration_step(FOUR, [0, 1], 3), "singular"),
            (lambda: nearest_others(FOUR, 4), "n_neighbors"),
            (lambda: nearest_others(FOUR, 1, [[1.0]]), "columns"),
            (lambda: local_reachability_density([[1.0]], [[0, 1]], [1.0]), "shape"),
            (lambda: local_reachability_density([[1.0]], [[3]], [1.0]), "indices must be integers"),
            (lambda: local_reachability_density([[1.0]], [[0.5]], [1.0]), "indices must be integers"),
            (lambda: local_reachability_density([[-1.0]], [[0]], [1.0]), "negative"),
            (lambda: local_outlier_factors([1.0], [1.0]), "density and of_neighbors"),
            (lambda: local_outlier_factors([0.0], [[1.0]]), "positive"),
            (lambda: average_path_length(-1), "n must not be negative"),
            (lambda: average_path_length(np.nan), "n"),
            (lambda: isolation_score(-1.0, 5), "depth must not be negative"),
            (lambda: isolation_score(1.0, 1), "n must be"),
            (lambda: reconstruction_errors(FOUR, [0.0], [[1.0, 0.0]]), "mean"),
            (lambda: reconstruction_errors(FOUR, [0.0, 0.0], [[1.0]]), "components"),
            (lambda: alarm_precision(1.5, 0.5, 0.5), "prevalence"),
            (lambda: alarm_precision(0.5, -0.1, 0.5), "recall"),
            (lambda: alarm_precision(0.5, 0.5, 2.0), "false_alarms"),
            (lambda: conformal_p_values([], [1.0]), "calibration"),
            (lambda: conformal_p_values([1.0], [np.nan]), "scores"),
            (lambda: squared_mahalanobis(FOUR, [0.0, 0.0], -np.eye(2)), "covariance"),
        ],
    )
    def test_bad_arguments_of_steps(self, call, match):
        with pytest.raises(ValueError, match=match):
            call()


CONTRACT = [(estimator, check) for model in DETECTORS for estimator, check in estimator_checks_generator(clone(model))]


@pytest.mark.parametrize(
    ("estimator", "check"), CONTRACT, ids=[f"{e!r}-{getattr(c, 'func', c).__name__}" for e, c in CONTRACT]
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_contract(estimator, check):
    check(estimator)
