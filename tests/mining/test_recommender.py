"""Recommenders against published examples, plain loops, least squares on all coefficients, and a known truth."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import ndcg_score

from notes_lib.mining.recommender import (
    ImplicitFactorization,
    MatrixFactorization,
    NeighborhoodRecommender,
    als_step,
    als_steps,
    dcg_at_k,
    generate_ratings,
    implicit_steps,
    inverse_propensity_mean,
    ndcg_at_k,
    neighborhood_rating,
    precision_at_k,
    read_ratings,
    recall_at_k,
    sgd_step,
    shrunken_mean,
    similarities,
    squared_loss,
)
from notes_lib.numerics import central_difference

NAN = np.nan
# Resnick et al. (1994), table 1: articles by readers Ken, Lee, Meg, Nan
NEWS = np.array([
    [1, 4, 2, 2], [5, 2, 4, 4], [NAN, NAN, 3, NAN], [2, 5, NAN, 5], [4, 1, NAN, 1], [NAN, 2, 5, NAN],
]).T  # fmt: skip
# Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, 2nd edition, figure 9.4
FILMS = np.array([
    [4, NAN, NAN, 5, 1, NAN, NAN], [5, 5, 4, NAN, NAN, NAN, NAN],
    [NAN, NAN, NAN, 2, 4, 5, NAN], [NAN, 3, NAN, NAN, NAN, NAN, 3],
])  # fmt: skip


def gappy(seed, n_users=9, n_items=7, share=0.6):
    """A small matrix of ratings from 1 to 5 with gaps, at least two ratings in each row."""
    rng = np.random.default_rng(seed)
    R = rng.integers(1, 6, size=(n_users, n_items)).astype(float)
    R[rng.uniform(size=R.shape) > share] = NAN
    R[:, :2] = rng.integers(1, 6, size=(n_users, 2))
    return R


class TestGolden:
    @pytest.mark.equation("recommender-pearson")
    def test_correlations_of_grouplens(self):
        assert similarities(NEWS)[0, 1:] == pytest.approx([-0.8, 1, 0])

    @pytest.mark.equation("recommender-neighborhood")
    def test_prediction_of_grouplens(self):
        # the paper takes a neighbour's mean over the articles that both have rated: Lee 3, Meg 3
        assert neighborhood_rating(3.0, [2 - 3, 5 - 3], [-0.8, 1.0]) == pytest.approx(4.56, abs=0.0061)

    def test_prediction_of_grouplens_with_means_of_all_ratings(self):
        model = NeighborhoodRecommender(3, shrinkage=0).fit(NEWS)
        assert model.predict([0], [5]) == pytest.approx(3 + (-0.8 * (2 - 2.8) + (5 - 3.5)) / 1.8)

    def test_cosines_of_films(self):
        assert similarities(FILMS, "cosine")[0, 1:3] == pytest.approx([0.38, 0.322], abs=6e-4)
        assert similarities(FILMS, "centered_cosine")[0, 1:3] == pytest.approx([0.092, -0.559], abs=6e-4)


class TestSimilarities:
    @pytest.mark.equation("recommender-pearson", "recommender-shrinkage")
    @pytest.mark.parametrize("seed", range(5))
    @pytest.mark.parametrize("shrinkage", [0.0, 0.5, 4.0])
    def test_correlation_by_numpy(self, seed, shrinkage):
        R = gappy(seed)
        S = similarities(R, "pearson", shrinkage)
        for u in range(len(R)):
            for v in range(len(R)):
                both = ~np.isnan(R[u] + R[v])
                x, y, n = R[u, both], R[v, both], both.sum()
                flat = n < 2 or np.ptp(x) == 0 or np.ptp(y) == 0
                r = 0.0 if flat else np.corrcoef(x, y)[0, 1]
                assert S[u, v] == pytest.approx(r * n / (n + shrinkage), abs=1e-12)

    @pytest.mark.parametrize("seed", range(3))
    def test_cosines_by_a_loop(self, seed):
        R = gappy(seed)
        by_row, by_column = R - np.nanmean(R, axis=1)[:, None], R - np.nanmean(R, axis=0)
        for name, X in [("cosine", R), ("centered_cosine", by_row), ("adjusted_cosine", by_column)]:
            X, S = np.nan_to_num(X), similarities(R, name)
            for u, v in np.ndindex(S.shape):
                length = np.linalg.norm(X[u]) * np.linalg.norm(X[v])
                assert S[u, v] == pytest.approx(X[u] @ X[v] / length if length else 0.0, abs=1e-12)

    @given(st.integers(0, 2**31), st.floats(-50, 50), st.floats(0.1, 10))
    @settings(max_examples=25)
    def test_correlation_knows_neither_level_nor_scale_of_a_user(self, seed, shift, scale):
        R = gappy(seed)
        moved = R.copy()
        moved[0] = shift + scale * R[0]
        assert similarities(moved) == pytest.approx(similarities(R), abs=1e-7)

    def test_one_common_item_or_equal_ratings_say_nothing(self):
        assert similarities([[1.0, 2.0, NAN], [NAN, 4.0, 5.0]])[0, 1] == 0
        assert similarities([[0.1, 0.1, 0.1], [1.0, 2.0, 3.0]])[0, 1] == 0
        assert similarities([[1.0, NAN], [NAN, 2.0]], "cosine", 3.0)[0, 1] == 0


class TestNeighborhood:
    @pytest.mark.equation("recommender-neighborhood")
    @pytest.mark.parametrize("kind", ["user", "item"])
    @pytest.mark.parametrize("k", [1, 3, 50])
    def test_predictions_by_a_loop(self, kind, k):
        R = gappy(1)
        model = NeighborhoodRecommender(k, kind, shrinkage=2.0).fit(R)
        A = R if kind == "user" else R.T
        S = similarities(A, "pearson", 2.0)
        for u, i in np.ndindex(R.shape):
            row, column = (u, i) if kind == "user" else (i, u)
            others = [v for v in range(len(A)) if v != row and not np.isnan(A[v, column])]
            near = sorted(others, key=lambda v: -round(abs(S[row, v]), 12))[:k]
            up = sum(S[row, v] * (A[v, column] - np.nanmean(A[v])) for v in near)
            down = sum(abs(S[row, v]) for v in near)
            assert model.predict([u], [i])[0] == pytest.approx(np.nanmean(A[row]) + (up / down if down else 0))

    def test_item_neighbours_are_user_neighbours_of_the_transposed_matrix(self):
        R = gappy(2)
        of_items = NeighborhoodRecommender(3, "item").fit(R)
        of_users = NeighborhoodRecommender(3, "user").fit(R.T)
        users, items = np.arange(9)[:, None], np.arange(7)
        assert of_items.predict(users, items) == pytest.approx(of_users.predict(items[:, None], users.ravel()).T)
        assert np.array_equal(of_items.similarity_, of_users.similarity_)

    def test_users_without_ratings_get_the_mean_of_the_item(self):
        R = gappy(3)
        R[4], R[:, 6] = NAN, NAN
        model = NeighborhoodRecommender().fit(R)
        assert model.predict([4], [0]) == pytest.approx(np.nanmean(R[:, 0]))
        assert model.predict([4], [6]) == pytest.approx(np.nanmean(R))
        assert model.predict([0], [6]) == pytest.approx(np.nanmean(R[0]))

    def test_a_rating_does_not_vote_for_itself(self):
        R = np.array([[5.0, 1.0], [NAN, 1.0]])
        assert NeighborhoodRecommender().fit(R).predict([0], [0]) == pytest.approx(3.0)


class TestAls:
    @pytest.mark.equation("recommender-als-step", "recommender-als-gradient")
    @given(st.integers(0, 2**31), st.integers(1, 4), st.integers(1, 6), st.floats(0.01, 10))
    @settings(max_examples=30)
    def test_a_step_is_a_stationary_point(self, seed, k, n, reg):
        rng = np.random.default_rng(seed)
        Q, r = rng.normal(size=(n, k)), rng.normal(size=n)
        p = als_step(Q, r, reg)
        slope = central_difference(lambda p: squared_loss(r - Q @ p, p, reg), p)
        assert slope == pytest.approx(np.zeros(k), abs=1e-6)
        stacked = np.linalg.lstsq(np.vstack([Q, np.sqrt(reg) * np.eye(k)]), np.concatenate([r, np.zeros(k)]))[0]
        assert p == pytest.approx(stacked, abs=1e-9)

    def test_without_penalty_the_shortest(self):
        assert als_step([[3.0, 4.0]], [10.0], 0.0) == pytest.approx([1.2, 1.6])

    @pytest.mark.parametrize("reg", [0.0, 0.7])
    def test_all_users_at_once(self, reg):
        rng = np.random.default_rng(0)
        seen = rng.uniform(size=(2100, 6)) < 0.4
        R, Q = np.where(seen, rng.normal(size=seen.shape), 0), rng.normal(size=(6, 3))
        P = als_steps(csr_array(seen.astype(float)), csr_array(R), Q, reg)
        for u in [0, 1, 2047, 2048, 2099]:
            if seen[u].any():
                assert P[u] == pytest.approx(als_step(Q[seen[u]], R[u, seen[u]], reg))
        assert (P[~seen.any(axis=1)] == 0).all()

    @pytest.mark.equation("recommender-objective", "recommender-als-bias", "recommender-descent")
    @pytest.mark.parametrize("biases", [True, False])
    def test_the_end_is_stationary_in_every_coefficient(self, biases):
        R = gappy(0)
        model = MatrixFactorization(2, reg=0.8, tol=1e-14, max_iter=5000, biases=biases, random_state=0).fit(R)
        assert (np.diff(model.objective_) <= 1e-12).all()
        mean = np.nanmean(R) if biases else 0.0
        shapes = [(9, 2), (7, 2), (9,) if biases else (0,), (7,) if biases else (0,)]
        parts = [model.user_factors_, model.item_factors_, model.user_biases_, model.item_biases_]
        at = np.concatenate([part.ravel()[: int(np.prod(shape))] for part, shape in zip(parts, shapes, strict=True)])

        def objective(theta):
            P, Q, b, d = (
                part.reshape(shape)
                for part, shape in zip(
                    np.split(theta, np.cumsum([np.prod(s) for s in shapes])[:-1]), shapes, strict=True
                )
            )
            fitted = mean + P @ Q.T + (b[:, None] + d if biases else 0.0)
            return np.nansum((R - fitted) ** 2) + 0.8 * theta @ theta

        assert objective(at) == pytest.approx(model.objective_[-1])
        assert central_difference(objective, at) == pytest.approx(np.zeros(len(at)), abs=2e-5)

    def test_a_full_matrix_without_penalty_is_a_truncated_svd(self):
        R = np.random.default_rng(0).normal(size=(8, 6))
        model = MatrixFactorization(2, reg=0, biases=False, tol=1e-15, max_iter=3000, random_state=0).fit(R)
        U, s, Vt = np.linalg.svd(R)
        best = (U[:, :2] * s[:2]) @ Vt[:2]
        assert model.predict(np.arange(8)[:, None], np.arange(6)) == pytest.approx(best, abs=1e-5)

    def test_the_penalty_shrinks_singular_values(self):
        # the minimum over P and Q of the squared error and penalties takes reg off each singular value
        R = np.random.default_rng(1).normal(size=(8, 6))
        model = MatrixFactorization(6, reg=1.1, biases=False, tol=1e-13, max_iter=5000, random_state=0).fit(R)
        U, s, Vt = np.linalg.svd(R, full_matrices=False)
        best = (U * np.maximum(s - 1.1, 0)) @ Vt
        assert model.predict(np.arange(8)[:, None], np.arange(6)) == pytest.approx(best, abs=1e-4)

    @pytest.mark.equation("recommender-rotation")
    def test_factors_are_known_up_to_a_rotation(self):
        R = gappy(5)
        a, b = (
            MatrixFactorization(2, reg=1.0, tol=1e-14, max_iter=5000, random_state=s).fit(R) for s in (0, 1)
        )  # fmt: skip
        users, items = np.arange(9)[:, None], np.arange(7)
        assert a.predict(users, items) == pytest.approx(b.predict(users, items), abs=1e-3)
        assert not np.allclose(a.user_factors_, b.user_factors_, atol=0.05)
        assert a.user_factors_ @ a.user_factors_.T == pytest.approx(b.user_factors_ @ b.user_factors_.T, abs=5e-3)

    @pytest.mark.equation("recommender-shrunken", "recommender-baseline")
    def test_biases_alone_are_shrunken_means(self):
        R = gappy(6)
        model = MatrixFactorization(0, reg=2.0, tol=1e-15, random_state=0).fit(R)
        for u in range(9):
            rest = (R[u] - model.mean_ - model.item_biases_)[~np.isnan(R[u])]
            assert model.user_biases_[u] == pytest.approx(shrunken_mean(rest, 2.0), abs=1e-7)
        assert model.user_factors_.shape == (9, 0)


class TestSgd:
    @pytest.mark.equation("recommender-sgd-step", "recommender-sgd-error")
    @given(st.integers(0, 2**31), st.floats(0.001, 0.5), st.floats(0, 2))
    @settings(max_examples=30)
    def test_a_step_is_half_the_negative_gradient(self, seed, rate, reg):
        rng = np.random.default_rng(seed)
        p, q, r = rng.normal(size=3), rng.normal(size=3), rng.normal()
        part = lambda z: (r - z[:3] @ z[3:]) ** 2 + reg * z @ z
        both = np.concatenate([p, q])
        new = np.concatenate(sgd_step(p, q, r, rate, reg))
        assert new == pytest.approx(both - rate * central_difference(part, both) / 2, abs=1e-7)

    def test_shares_of_their_own(self):
        p, q = sgd_step([1.0], [2.0], 2.0, 0.1, (0.5, 0.25))
        assert (p[0], q[0]) == pytest.approx((0.95, 1.95))

    @pytest.mark.equation("recommender-sgd-share")
    def test_it_ends_near_the_minimum_of_alternating_least_squares(self):
        data = generate_ratings(40, 30, share=0.4, random_state=0)
        settings_ = {"n_factors": 2, "reg": 1.0, "random_state": 0}
        als = MatrixFactorization(tol=1e-8, **settings_).fit(*data[:3])
        sgd = MatrixFactorization(solver="sgd", learning_rate=0.01, tol=1e-4, max_iter=400, **settings_).fit(*data[:3])
        assert als.objective_[-1] < sgd.objective_[-1] < 1.02 * als.objective_[-1]

    def test_without_biases(self):
        model = MatrixFactorization(2, reg=0.1, solver="sgd", biases=False, max_iter=300, tol=1e-3, random_state=0)
        model.fit(gappy(0))
        assert model.mean_ == 0
        assert (model.user_biases_ == 0).all()
        assert np.sqrt(model.objective_[-1] / 40) < 1

    def test_steps_that_are_too_long_are_said(self):
        with pytest.raises(
            ValueError, match=r"the objective is inf after round \d+: .* lower learning_rate, which is 5"
        ):
            MatrixFactorization(2, solver="sgd", learning_rate=5.0, random_state=0).fit(gappy(0))


class TestImplicit:
    @pytest.mark.equation("recommender-implicit-step")
    def test_a_step_by_all_pairs(self):
        rng = np.random.default_rng(0)
        counts, Q, reg, alpha = rng.poisson(0.7, size=(5, 8)), rng.normal(size=(8, 3)), 0.6, 4.0
        P = implicit_steps(csr_array(alpha * counts.astype(float)), Q, reg)
        for u in range(5):
            C, t = np.diag(1 + alpha * counts[u]), (counts[u] > 0).astype(float)
            assert P[u] == pytest.approx(np.linalg.solve(Q.T @ C @ Q + reg * np.eye(3), Q.T @ C @ t))

    @pytest.mark.equation("recommender-implicit", "recommender-confidence")
    def test_objective_over_all_pairs(self):
        counts = np.random.default_rng(1).poisson(0.6, size=(6, 9))
        model = ImplicitFactorization(2, reg=0.5, alpha=3.0, tol=1e-10, max_iter=3000, random_state=0).fit(counts)
        P, Q = model.user_factors_, model.item_factors_
        loss = ((1 + 3.0 * counts) * ((counts > 0) - P @ Q.T) ** 2).sum()
        assert model.objective_[-1] == pytest.approx(loss + 0.5 * ((P**2).sum() + (Q**2).sum()))
        assert (np.diff(model.objective_) <= 1e-9).all()

    def test_zeros_and_gaps_are_the_same(self):
        counts = np.random.default_rng(2).poisson(0.8, size=(6, 9)).astype(float)
        gaps = np.where(counts > 0, counts, NAN)
        a, b = (ImplicitFactorization(2, random_state=0).fit(A) for A in (counts, gaps))
        assert a.predict([0], [1]) == b.predict([0], [1])
        assert set(a.recommend(0, 20)) == set(np.flatnonzero(counts[0] == 0))

    def test_it_warns(self):
        with pytest.warns(ConvergenceWarning, match="raise max_iter"):
            ImplicitFactorization(2, max_iter=1, random_state=0).fit([[1.0, 0.0], [2.0, 1.0]])


class TestMeasures:
    @pytest.mark.equation("recommender-precision", "recommender-recall")
    def test_precision_and_recall_by_sets(self):
        ranked, relevant = [5, 2, 8, 1, 9], {2, 9, 7}
        for k in range(1, 6):
            hits = len(set(ranked[:k]) & relevant)
            assert precision_at_k(ranked, relevant, k) == hits / k
            assert recall_at_k(ranked, relevant, k) == hits / 3

    @pytest.mark.equation("recommender-dcg", "recommender-ndcg")
    @given(st.integers(0, 2**31), st.integers(1, 8))
    @settings(max_examples=30)
    def test_ndcg_by_scikit_learn(self, seed, k):
        gains = np.random.default_rng(seed).integers(0, 4, size=8)
        gains[0] += 1
        assert ndcg_at_k(gains, k) == pytest.approx(ndcg_score([gains], [np.arange(8, 0, -1)], k=k))
        assert 0 <= ndcg_at_k(gains, k) <= 1

    def test_dcg_of_jarvelin_and_kekalainen_form(self):
        assert dcg_at_k([3, 2, 3, 0, 1, 2], 6) == pytest.approx(6.861, abs=5e-4)

    @pytest.mark.equation("recommender-ips", "recommender-ips-unbiased")
    def test_unbiased_over_all_outcomes(self):
        values, p = np.array([1.0, 4.0, 9.0]), np.array([0.2, 0.5, 0.9])
        mean = 0.0
        for seen in np.ndindex(2, 2, 2):
            seen = np.array(seen, bool)
            chance = np.prod(np.where(seen, p, 1 - p))
            mean += chance * (inverse_propensity_mean(values[seen], p[seen], 3) if seen.any() else 0.0)
        assert mean == pytest.approx(values.mean())


class TestGenerated:
    def test_shares_and_truth(self):
        data = generate_ratings(200, 150, share=0.3, noise=0.4, random_state=0)
        assert data.propensity.mean() == pytest.approx(0.3)
        assert len(data.ratings) / 30_000 == pytest.approx(0.3, abs=0.012)
        error = data.ratings - data.truth[data.users, data.items]
        assert error.std() == pytest.approx(0.4, abs=0.02)
        assert np.linalg.matrix_rank(data.truth - data.truth.mean(axis=0) - data.truth.mean(axis=1)[:, None]
                                     + data.truth.mean(), tol=1e-9) == 2  # fmt: skip
        assert (np.diff(data.times) >= 0).all()

    def test_selection_raises_what_is_seen_and_drift_moves_it(self):
        plain, chosen = (generate_ratings(selection=s, random_state=1) for s in (0.0, 1.0))
        assert chosen.truth == pytest.approx(plain.truth)
        assert chosen.ratings.mean() > plain.ratings.mean() + 0.3
        moving = generate_ratings(drift=2.0, noise=0.0, random_state=1)
        off = moving.ratings - moving.truth[moving.users, moving.items]
        assert np.abs(off) == pytest.approx(2 * np.abs(moving.times - 0.5))

    def test_factors_find_the_truth(self):
        data = generate_ratings(120, 80, share=0.4, random_state=0)
        users, items = np.arange(120)[:, None], np.arange(80)
        off = lambda model: np.sqrt(np.mean((model.fit(*data[:3]).predict(users, items) - data.truth) ** 2))
        factors, neighbours, biases = (
            off(MatrixFactorization(2, reg=1.0, random_state=0)), off(NeighborhoodRecommender()),
            off(MatrixFactorization(0)),
        )  # fmt: skip
        assert factors < 0.3 < neighbours < biases


class TestInterface:
    def test_matrix_and_triplets_are_the_same(self):
        R = gappy(7)
        u, i = np.nonzero(~np.isnan(R))
        order = np.random.default_rng(0).permutation(len(u))
        named = np.array([f"user {k}" for k in range(9)]), 10 * np.arange(7)
        for model in (NeighborhoodRecommender(3), MatrixFactorization(2, random_state=0)):
            by_matrix = clone(model).fit(R).predict([3, 4], [1, 2])
            model.fit(named[0][u][order], named[1][i][order], R[u, i][order])
            assert model.predict(["user 3", "user 4"], [10, 20]) == pytest.approx(by_matrix)
            assert model.predict(np.array(["user 3", "user 4"], dtype=object), [10, 20]) == pytest.approx(by_matrix)
            assert pickle.loads(pickle.dumps(model)).predict(["user 3"], [10]) == pytest.approx(by_matrix[:1])

    def test_lists_of_the_best(self):
        R = gappy(8)
        model = MatrixFactorization(2, random_state=0).fit(R)
        best = model.recommend(0, 3)
        open_ = np.flatnonzero(np.isnan(R[0]))
        assert best.tolist() == open_[np.argsort(-model.predict([0], open_))][:3].tolist()
        assert len(model.recommend(0, 100)) == len(open_)

    def test_a_user_without_ratings_gets_the_bias_of_the_item(self):
        R = gappy(9)
        R[3] = NAN
        model = MatrixFactorization(2, random_state=0).fit(R)
        assert model.predict([3], [1]) == pytest.approx(model.mean_ + model.item_biases_[1])

    def test_what_is_learned_shares_no_memory_with_the_data(self):
        R = gappy(0)
        data = read_ratings(R)
        assert not np.shares_memory(data.value, R)
        r = R[~np.isnan(R)]
        u, i = np.nonzero(~np.isnan(R))
        found = read_ratings(u, i, r)
        assert not any(np.shares_memory(a, b) for a in found for b in (u, i, r))

    def test_parameters(self):
        model = clone(MatrixFactorization(3, reg=2.0)).set_params(solver="sgd")
        assert model.get_params()["n_factors"] == 3
        assert "solver='sgd'" in repr(model)

    def test_float32_and_order_of_memory(self):
        R = gappy(1)
        wanted = NeighborhoodRecommender().fit(R).predict([0, 1], [2, 3])
        for A in (R.astype(np.float32), np.asfortranarray(R), np.repeat(R, 2, axis=1)[:, ::2], R.tolist()):
            assert NeighborhoodRecommender().fit(A).predict([0, 1], [2, 3]) == pytest.approx(wanted)

    def test_many_ratings(self):
        rng = np.random.default_rng(0)
        pairs = rng.choice(3000 * 2000, size=60_000, replace=False)
        u, i = np.divmod(pairs, 2000)
        r = 3 + 0.5 * (u % 3 - 1) + 0.3 * (i % 2)
        model = MatrixFactorization(3, reg=0.1, tol=1e-6, random_state=0).fit(u, i, r)
        assert model.predict(u[:50], i[:50]) == pytest.approx(r[:50], abs=0.05)


def test_it_warns_where_the_objective_still_falls():
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        MatrixFactorization(2, max_iter=1, random_state=0).fit(gappy(0))


R0 = gappy(0)
FITTED = MatrixFactorization(1, random_state=0).fit(R0)
INF = np.array([[1.0, np.inf], [2.0, 3.0]])
BAD = [
    (lambda: MatrixFactorization().predict([0], [0]), NotFittedError, "this MatrixFactorization is not fitted yet"),
    (lambda: FITTED.predict([99], [0]), ValueError, "users holds 99, which fit has not seen"),
    (lambda: FITTED.predict([0], [-1]), ValueError, "items holds -1, which fit has not seen: .*what is popular"),
    (lambda: FITTED.predict([0.5], [0]), TypeError, "users must be integers or text"),
    (lambda: FITTED.predict([0, 1], [0, 1, 2]), ValueError, "users and items must have one shape"),
    (lambda: FITTED.recommend(99), ValueError, "users holds 99"),
    (lambda: FITTED.recommend(0, 0), ValueError, "n must be at least 1"),
    (lambda: read_ratings([1.0, 2.0]), ValueError, "R must be a matrix"),
    (lambda: read_ratings([[NAN, 3.0]]), ValueError, "at least two ratings are needed, got 1"),
    (lambda: read_ratings([[NAN]]), ValueError, "at least two ratings are needed, got 0"),
    (lambda: MatrixFactorization().fit([0], [0], [3.0]), ValueError, "at least two ratings"),
    (lambda: NeighborhoodRecommender().fit([0], [0], [3.0]), ValueError, "at least two ratings"),
    (lambda: read_ratings(INF), ValueError, "ratings must be finite"),
    (lambda: read_ratings([0, 1], [0, 1]), TypeError, "all of users, items and ratings"),
    (lambda: read_ratings([0, 1], [0, 1], [1.0, NAN]), ValueError, "ratings must be finite"),
    (lambda: read_ratings([0], [0, 1], [1.0, 2.0]), ValueError, "users must have shape"),
    (lambda: read_ratings([0.5, 1], [0, 1], [1.0, 2.0]), TypeError, "users must be integers or text"),
    (lambda: read_ratings(["a", "a"], [4, 4], [1.0, 2.0]), ValueError, "user a rates item 4 more than once"),
    (lambda: shrunken_mean([1.0], -1.0), ValueError, "reg must be finite and at least 0"),
    (lambda: similarities([1.0]), ValueError, "R must be a matrix"),
    (lambda: similarities([[NAN]]), ValueError, "R holds no rating"),
    (lambda: similarities(INF), ValueError, "R must be finite"),
    (lambda: similarities(R0, "dice"), ValueError, "similarity must be one of"),
    (lambda: similarities(R0, shrinkage=-1), ValueError, "shrinkage must be finite and at least 0"),
    (lambda: neighborhood_rating(3.0, [1.0], [1.0, 2.0]), ValueError, "deviations must be a vector of shape"),
    (lambda: neighborhood_rating(NAN, [1.0], [1.0]), ValueError, "mean must be finite"),
    (lambda: als_step([[1.0]], [1.0, 2.0], 1.0), ValueError, "r must be a vector of shape"),
    (lambda: als_step([[1.0]], [1.0], -1.0), ValueError, "reg must be finite and at least 0"),
    (lambda: squared_loss([1.0], [NAN], 1.0), ValueError, "parameters must be finite"),
    (lambda: sgd_step([1.0], [1.0, 2.0], 1.0, 0.1, 0.0), ValueError, "q must be a vector of shape"),
    (lambda: sgd_step([1.0], [1.0], 1.0, 0.0, 0.0), ValueError, "rate must be positive"),
    (lambda: sgd_step([1.0], [1.0], 1.0, 0.1, (0.1, -1.0)), ValueError, "reg must be finite and at least 0"),
    (lambda: sgd_step([1.0], [1.0], NAN, 0.1, 0.0), ValueError, "r must be finite"),
    (lambda: NeighborhoodRecommender(0).fit(R0), ValueError, "n_neighbors must be at least 1"),
    (lambda: NeighborhoodRecommender(kind="film").fit(R0), ValueError, "kind must be one of"),
    (lambda: NeighborhoodRecommender(similarity="x").fit(R0), ValueError, "similarity must be one of"),
    (lambda: MatrixFactorization(-1).fit(R0), ValueError, "n_factors must be at least 0"),
    (lambda: MatrixFactorization(2.0).fit(R0), TypeError, "n_factors must be an integer"),
    (lambda: MatrixFactorization(reg=-1).fit(R0), ValueError, "reg must be finite and at least 0"),
    (lambda: MatrixFactorization(max_iter=0).fit(R0), ValueError, "max_iter must be at least 1"),
    (lambda: MatrixFactorization(solver="lbfgs").fit(R0), ValueError, "solver must be one of"),
    (lambda: MatrixFactorization(biases="yes").fit(R0), ValueError, "biases must be one of"),
    (lambda: MatrixFactorization(learning_rate=0).fit(R0), ValueError, "learning_rate must be positive"),
    (lambda: MatrixFactorization(0, biases=False).fit(R0), ValueError, "nothing is left to learn"),
    (lambda: ImplicitFactorization().fit([[-1.0, 2.0]]), ValueError, "counts must not be negative"),
    (lambda: ImplicitFactorization().fit([[0.0, 0.0]]), ValueError, "one must be positive"),
    (lambda: ImplicitFactorization(reg=0).fit(R0), ValueError, "reg must be positive"),
    (lambda: precision_at_k([1, 2], {1}, 3), ValueError, "k must be at most the number of ranked items, 2, got 3"),
    (lambda: precision_at_k([1, 1], {1}, 1), ValueError, "ranked holds an item twice"),
    (lambda: recall_at_k([1, 2], set(), 1), ValueError, "relevant is empty: leave this user out"),
    (lambda: dcg_at_k([1.0], 0), ValueError, "k must be at least 1"),
    (lambda: ndcg_at_k([0.0, 0.0], 1), ValueError, "one must be positive: leave this user out"),
    (lambda: ndcg_at_k([-1.0, 1.0], 1), ValueError, "gains must not be negative"),
    (lambda: inverse_propensity_mean([1.0], [0.0], 2), ValueError, "propensities must lie above 0"),
    (lambda: inverse_propensity_mean([1.0], [1.5], 2), ValueError, "propensities must lie above 0"),
    (lambda: inverse_propensity_mean([1.0, 2.0], [0.5, 0.5], 1), ValueError, "n_cells must be at least 2"),
    (lambda: generate_ratings(share=0.9), ValueError, "share must lie above 0 and not above 1/2"),
    (lambda: generate_ratings(0), ValueError, "n_users must be at least 1"),
    (lambda: generate_ratings(noise=-1), ValueError, "noise must be finite and at least 0"),
]


@pytest.mark.parametrize(("call", "error", "match"), BAD, ids=[match[:50] for *_, match in BAD])
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()
