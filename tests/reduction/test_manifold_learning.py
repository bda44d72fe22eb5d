"""Manifold learning against closed forms, enumeration, differences and scikit-learn; what its maps keep."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
import sklearn.manifold
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime, minimize
from scipy.sparse import csr_array
from scipy.spatial import procrustes
from scipy.spatial.distance import pdist, squareform
from scipy.special import xlogy
from scipy.stats import entropy
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.reduction.kernel_pca import KernelPCA
from notes_lib.reduction.manifold_learning import (
    MDS,
    TSNE,
    Isomap,
    LocallyLinearEmbedding,
    alignment_matrix,
    barycenter_weights,
    classical_scaling,
    conditional_affinities,
    connect_parts,
    double_centring,
    geodesic_distances,
    guttman_transform,
    joint_affinities,
    kl_divergence,
    kl_gradient,
    laplacian_eigenmap,
    local_weights,
    neighbor_graph,
    place_new_points,
    stress,
    student_affinities,
    swiss_roll,
    trustworthiness,
)
from notes_lib.reduction.pca import PCA

SEEDS = st.integers(0, 2**31)


def table(X):
    return squareform(pdist(X))


def same_up_to_signs(a, b, **kw):
    assert_allclose(np.abs(a), np.abs(b), **{"rtol": 1e-7, "atol": 1e-9} | kw)


class TestGolden:
    def test_geodesics_of_a_ring(self):
        # closed form of the algorithm of Tenenbaum, de Silva and Langford (2000) on a regular polygon of 12 corners
        t = np.arange(12) * np.pi / 6
        X = np.column_stack([np.cos(t), np.sin(t)])
        step = 2 * np.sin(np.pi / 12)
        steps = np.minimum(np.arange(12), 12 - np.arange(12))
        G = Isomap(n_neighbors=2).fit(X)
        assert_allclose(G.dist_matrix_[0], step * steps, atol=1e-12)
        assert G.eigenvalues_ == pytest.approx([G.eigenvalues_[0]] * 2)

    def test_an_arc_becomes_a_line(self):
        t = np.linspace(0, 1.5 * np.pi, 9)
        model = Isomap(n_neighbors=2, n_components=2).fit(np.column_stack([np.cos(t), np.sin(t)]))
        # each point's two neighbours are the two beside it, so that the ends reach over one point
        chord = lambda steps: 2 * np.sin(steps * 1.5 * np.pi / 16)
        assert model.dist_matrix_[0, 2] == pytest.approx(chord(2))
        chain = csr_array((np.full(8, chord(1)), (np.arange(8), np.arange(1, 9))), shape=(9, 9))
        found = classical_scaling(geodesic_distances(chain), 3)
        assert_allclose(found.eigenvalues, [20.223646523694566, 0, 0], atol=1e-9)

    @pytest.mark.equation("manifold-learning-double-centring")
    def test_three_places_on_a_road(self):
        D = [[0.0, 3.0, 5.0], [3.0, 0.0, 2.0], [5.0, 2.0, 0.0]]
        x = np.array([0.0, 3.0, 5.0]) - 8 / 3
        assert_allclose(double_centring(D), np.outer(x, x), atol=1e-12)
        assert_allclose(MDS(1, dissimilarity="precomputed").fit_transform(D)[:, 0], -x, atol=1e-12)


class TestScaling:
    @pytest.mark.equation("manifold-learning-double-centring", "manifold-learning-centring-matrix")
    @given(SEEDS, st.integers(2, 8), st.integers(1, 4))
    def test_inner_products_of_centred_points(self, seed, n, d):
        X = np.random.default_rng(seed).normal(size=(n, d)) + 5
        centred = X - X.mean(axis=0)
        D = table(X)
        J = np.eye(n) - 1 / n
        assert_allclose(double_centring(D), centred @ centred.T, atol=1e-10)
        assert_allclose(double_centring(D), -0.5 * J @ D**2 @ J, atol=1e-10)

    @pytest.mark.equation("manifold-learning-scaling")
    @pytest.mark.parametrize("n", [40, 350])
    def test_scaling_of_euclidean_distances_is_pca(self, n):
        X = np.random.default_rng(n).normal(size=(n, 4)) * [4, 3, 2, 1]
        found = MDS(2).fit(X)
        pca = PCA(2).fit(X)
        same_up_to_signs(found.embedding_, pca.transform(X))
        assert found.eigenvalues_ == pytest.approx((n - 1) * pca.explained_variance_)
        kernel = KernelPCA(2, kernel="precomputed").fit_transform(-0.5 * table(X) ** 2)
        assert_allclose(found.embedding_, kernel, atol=1e-8)
        assert_allclose(table(MDS(4).fit_transform(X)), table(X), atol=1e-10)

    @pytest.mark.parametrize("seed", range(3))
    def test_against_scikit_learn(self, seed):
        D = table(np.random.default_rng(seed).uniform(size=(30, 6))) ** 1.5  # not Euclidean
        ours = MDS(3, dissimilarity="precomputed").fit(D)
        peer = sklearn.manifold.ClassicalMDS(3, metric="precomputed").fit(D)
        same_up_to_signs(ours.embedding_, peer.embedding_)
        assert_allclose(ours.eigenvalues_, peer.eigenvalues_)
        assert_allclose(ours.dissimilarity_matrix_, D)
        assert ours.n_iter_ == 1

    @given(SEEDS)
    @settings(max_examples=20)
    def test_it_is_the_best_configuration_of_inner_products(self, seed):
        rng = np.random.default_rng(seed)
        D = table(rng.normal(size=(8, 4)))
        B, Y = double_centring(D), classical_scaling(D, 2).points
        best = np.linalg.norm(B - Y @ Y.T)
        for _ in range(10):
            Z = Y + 0.1 * rng.normal(size=Y.shape)
            assert np.linalg.norm(B - Z @ Z.T) >= best - 1e-9

    @pytest.mark.equation("manifold-learning-new-point")
    @given(SEEDS)
    @settings(max_examples=25)
    def test_new_points_find_their_place(self, seed):
        rng = np.random.default_rng(seed)
        X, new = rng.normal(size=(12, 3)), rng.normal(size=(4, 3))
        found = classical_scaling(table(X), 3)
        placed = place_new_points(found, np.linalg.norm(new[:, None] - X[None], axis=2))
        together = np.vstack([found.points, placed])
        assert_allclose(table(together), table(np.vstack([X, new])), atol=1e-8)
        assert_allclose(place_new_points(found, table(X)), found.points, atol=1e-8)

    def test_negative_eigenvalues_count_as_zero(self):
        D = table(np.arange(6.0)[:, None]) ** 2  # a square of a distance keeps no triangle inequality
        found = classical_scaling(D, 5)
        assert found.eigenvalues[4] < -0.1
        assert not found.points[:, 4].any()
        assert not place_new_points(found, np.arange(6.0)[None])[0, 4]

    def test_points_in_one_place(self):
        for n in (5, 400):
            found = MDS(2, dissimilarity="precomputed").fit(np.zeros((n, n)))
            assert not found.embedding_.any()
            assert found.stress_ == 0


class TestStress:
    @pytest.mark.equation("manifold-learning-stress")
    def test_stress_is_a_sum_over_pairs(self):
        rng = np.random.default_rng(0)
        D, Y = table(rng.normal(size=(6, 3))), rng.normal(size=(6, 2))
        pairs = [(D[i, j] - np.linalg.norm(Y[i] - Y[j])) ** 2 for i in range(6) for j in range(i)]
        assert stress(D, Y) == pytest.approx(sum(pairs))

    @pytest.mark.equation("manifold-learning-guttman", "manifold-learning-majorant")
    @given(SEEDS, st.integers(1, 3))
    @settings(max_examples=40)
    def test_a_step_minimises_the_majorant_and_never_raises_the_stress(self, seed, k):
        rng = np.random.default_rng(seed)
        D, Z = table(rng.normal(size=(7, 3))), rng.normal(size=(7, k))
        new = guttman_transform(D, Z)
        assert stress(D, new) <= stress(D, Z) + 1e-12
        apart = table(Z) + np.eye(7)
        B = -D / apart
        np.fill_diagonal(B, -B.sum(axis=1))
        assert_allclose(new, B @ Z / 7, atol=1e-12)
        assert_allclose(new.sum(axis=0), 0, atol=1e-12)

        def majorant(Y):
            gap, old = Y[:, None] - Y[None], Z[:, None] - Z[None]
            pair = D**2 + (gap**2).sum(axis=2) - 2 * D * (gap * old).sum(axis=2) / apart
            return pair.sum() / 2

        assert majorant(Z) == pytest.approx(stress(D, Z))
        for _ in range(5):
            other = new + 0.1 * rng.normal(size=new.shape)
            assert majorant(other) >= majorant(new) - 1e-9
            assert majorant(other) >= stress(D, other) - 1e-9

    @pytest.mark.parametrize("seed", range(3))
    def test_smacof_against_scikit_learn(self, seed):
        rng = np.random.default_rng(seed)
        D, start = table(rng.uniform(size=(25, 5))), rng.uniform(size=(25, 2))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = MDS(method="smacof", dissimilarity="precomputed", init=start, max_iter=15, eps=0).fit(D)
            peer, of_peer = sklearn.manifold.smacof(D, n_components=2, init=start, n_init=1, max_iter=15, eps=0)
        assert_allclose(model.embedding_, peer - peer.mean(axis=0), atol=1e-9)
        assert model.stress_ == pytest.approx(of_peer)
        assert model.n_iter_ == 15
        assert len(model.objective_) == 16
        assert (np.diff(model.objective_) <= 1e-12).all()

    def test_smacof_ends_in_a_minimum(self):
        D = table(np.random.default_rng(1).uniform(size=(8, 4)))
        model = MDS(method="smacof", dissimilarity="precomputed", max_iter=5000, eps=1e-13).fit(D)
        best = minimize(lambda y: stress(D, y.reshape(8, 2)), model.embedding_.ravel(), tol=1e-12)
        assert model.stress_ == pytest.approx(best.fun, rel=1e-6)
        assert model.stress_ < MDS(dissimilarity="precomputed").fit(D).stress_
        again = MDS(method="smacof", dissimilarity="precomputed", eps=1e-6).fit(D, init=model.embedding_)
        assert again.n_iter_ == 1

    def test_a_random_start(self):
        D = table(np.random.default_rng(1).normal(size=(9, 2)))
        a, b, c = (
            MDS(method="smacof", dissimilarity="precomputed", init="random", random_state=s, max_iter=2000).fit(D)
            for s in (0, 0, 1)
        )
        assert np.array_equal(a.embedding_, b.embedding_)
        assert not np.array_equal(a.embedding_, c.embedding_)
        assert a.stress_ < 0.01 * (D**2).sum()

    def test_points_in_one_place_stay(self):
        moved = guttman_transform([[0, 1, 2], [1, 0, 1], [2, 1, 0]], [[0.0], [0.0], [3.0]])
        assert_allclose(moved, [[-2 / 3], [-1 / 3], [1]])

    def test_it_warns_where_the_stress_still_falls(self):
        with pytest.warns(ConvergenceWarning, match="raise max_iter or eps"):
            MDS(method="smacof", init="random", random_state=0, max_iter=1).fit(X)


class TestGraphs:
    @pytest.mark.equation("manifold-learning-path")
    @given(SEEDS, st.integers(4, 9))
    @settings(max_examples=30)
    def test_shortest_paths_by_floyd_and_warshall(self, seed, n):
        X = np.random.default_rng(seed).normal(size=(n, 2))
        G = neighbor_graph(X, 2).toarray()
        L = np.where(G + G.T > 0, np.maximum(G, G.T), np.inf)
        np.fill_diagonal(L, 0)
        for k in range(n):
            L = np.minimum(L, L[:, k : k + 1] + L[k])
        found = geodesic_distances(neighbor_graph(X, 2))
        assert_allclose(found, L, rtol=1e-12)
        assert (found >= table(X) - 1e-12).all()

    @pytest.mark.parametrize("n_neighbors", [6, 12])
    def test_isomap_against_scikit_learn(self, n_neighbors):
        X = swiss_roll(400, noise=0.1, random_state=1).X
        ours, peer = Isomap(n_neighbors=n_neighbors).fit(X), sklearn.manifold.Isomap(n_neighbors=n_neighbors).fit(X)
        assert_allclose(ours.dist_matrix_, peer.dist_matrix_, rtol=1e-12)
        same_up_to_signs(ours.embedding_, peer.embedding_)
        new = X[:20] + 0.3
        same_up_to_signs(ours.transform(new), peer.transform(new))
        assert ours.reconstruction_error() == pytest.approx(peer.reconstruction_error())
        assert_allclose(ours.fit_transform(X), ours.embedding_)

    def test_isomap_with_all_neighbours_is_classical_scaling(self):
        X = np.random.default_rng(0).normal(size=(20, 4))
        same_up_to_signs(Isomap(n_neighbors=19).fit_transform(X), MDS().fit_transform(X))

    def test_a_fitted_row_is_placed_where_it_is(self):
        X = swiss_roll(100, random_state=2).X
        model = Isomap(n_neighbors=8).fit(X)
        assert_allclose(model.transform(X), model.embedding_, atol=1e-9)

    def test_isomap_unrolls_what_pca_does_not(self):
        roll = swiss_roll(800, random_state=0)
        away = lambda Y: procrustes(roll.sheet, Y)[2]
        assert away(Isomap(n_neighbors=8).fit_transform(roll.X)) < 0.02
        assert away(MDS().fit_transform(roll.X)) > 0.3

    @pytest.mark.parametrize("parts", [2, 3])
    def test_a_graph_in_parts_is_joined(self, parts):
        rng = np.random.default_rng(0)
        X = np.vstack([rng.normal(size=(12, 2)) + np.array([20 * p, 0]) for p in range(parts)])
        with pytest.warns(UserWarning, match=f"not connected, it has {parts} parts"):
            model = Isomap(n_neighbors=4).fit(X)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = sklearn.manifold.Isomap(n_neighbors=4).fit(X)
        assert_allclose(model.dist_matrix_, peer.dist_matrix_, rtol=1e-12)
        same_up_to_signs(model.embedding_, peer.embedding_)
        G, found = connect_parts(X, neighbor_graph(X, 4))
        assert found == parts
        assert connect_parts(X, G)[1] == 1

    def test_a_point_that_stands_twice_is_at_distance_zero(self):
        X = np.array([[0.0], [0.0], [1.0], [2.0], [3.0]])
        D = geodesic_distances(neighbor_graph(X, 2))
        assert D[0, 1] == 0
        assert D[0, 4] == pytest.approx(3)

    def test_of_two_lengths_of_an_edge_the_smaller_counts(self):
        assert_allclose(geodesic_distances([[0.0, 5.0], [2.0, 0.0]]), [[0, 2], [2, 0]])
        assert geodesic_distances(np.zeros((2, 2)))[0, 1] == np.inf


class TestLocallyLinear:
    @pytest.mark.equation("manifold-learning-weights", "manifold-learning-local-gram")
    @given(SEEDS, st.integers(2, 4))
    @settings(max_examples=40)
    def test_weights_are_the_best_of_sum_one(self, seed, k):
        rng = np.random.default_rng(seed)
        x, near = rng.normal(size=5), rng.normal(size=(k, 5))
        w = local_weights(x, near, reg=0.0)
        assert w.sum() == pytest.approx(1)
        # w = base + the free directions, by least squares
        steps = near[1:] - near[0]
        free = np.linalg.lstsq(steps.T, x - near[0], rcond=None)[0]
        assert_allclose(w, np.append(1 - free.sum(), free), atol=1e-6)

    @given(SEEDS, st.floats(0.1, 10))
    @settings(max_examples=25)
    def test_turning_shifting_and_scaling_change_no_weight(self, seed, c):
        rng = np.random.default_rng(seed)
        x, near = rng.normal(size=3), rng.normal(size=(5, 3))
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        moved = local_weights(c * R @ x + 7, c * near @ R.T + 7)
        assert_allclose(moved, local_weights(x, near), atol=1e-5)

    @pytest.mark.equation("manifold-learning-regularised")
    @pytest.mark.parametrize("reg", [1e-3, 0.1])
    def test_the_share_of_the_trace_is_a_penalty(self, reg):
        rng = np.random.default_rng(0)
        x, near = rng.normal(size=2), rng.normal(size=(5, 2))
        Z = near - x
        cost = lambda v: ((v @ Z) ** 2).sum() + reg * (Z**2).sum() * (v**2).sum()
        free = minimize(lambda u: cost(np.append(1 - u.sum(), u)), np.full(4, 0.2), tol=1e-14).x
        assert_allclose(local_weights(x, near, reg), np.append(1 - free.sum(), free), atol=1e-5)

    def test_against_scikit_learn(self):
        X = swiss_roll(250, noise=0.1, random_state=3).X
        for reg in (1e-3, 0.05):
            ours = LocallyLinearEmbedding(n_neighbors=9, reg=reg).fit(X)
            peer = sklearn.manifold.LocallyLinearEmbedding(n_neighbors=9, reg=reg, eigen_solver="dense").fit(X)
            same_up_to_signs(ours.embedding_, peer.embedding_, atol=1e-6)
            assert ours.reconstruction_error_ == pytest.approx(peer.reconstruction_error_, rel=1e-6)
            new = X[:10] + 0.2
            same_up_to_signs(ours.transform(new), peer.transform(new), atol=1e-6)
            assert_allclose(ours.fit_transform(X), ours.embedding_)

    @pytest.mark.equation("manifold-learning-alignment", "manifold-learning-lle-cost", "manifold-learning-lle-eigen")
    @pytest.mark.parametrize("n", [120, 500])
    def test_the_map_is_the_lowest_part_of_the_alignment(self, n):
        X = swiss_roll(n, noise=0.2, random_state=4).X
        model = LocallyLinearEmbedding(n_neighbors=10).fit(X)
        near = neighbor_graph(X, 10).indices.reshape(n, 10)
        W = np.zeros((n, n))
        np.put_along_axis(W, near, barycenter_weights(X, X, near), axis=1)
        M = alignment_matrix(W).toarray()
        assert_allclose(M, (np.eye(n) - W).T @ (np.eye(n) - W), atol=1e-12)
        Y = model.embedding_
        assert_allclose(Y.T @ Y, np.eye(2), atol=1e-10)
        assert_allclose(Y.sum(axis=0), 0, atol=1e-6)
        assert ((Y - W @ Y) ** 2).sum() == pytest.approx(model.reconstruction_error_, rel=1e-4)
        assert model.reconstruction_error_ == pytest.approx(np.linalg.eigvalsh(M)[1:3].sum(), rel=1e-6)

    def test_a_flat_sheet_is_found(self):
        rng = np.random.default_rng(0)
        flat = rng.uniform(size=(200, 2))
        X = flat @ rng.normal(size=(2, 5))
        Y = LocallyLinearEmbedding(n_neighbors=8, reg=1e-9).fit_transform(X)
        fitted = np.linalg.lstsq(np.column_stack([flat, np.ones(200)]), Y, rcond=None)
        assert fitted[1].sum() < 1e-4  # an affine image: weights know nothing of scale and shear

    def test_a_graph_in_parts_is_said(self):
        X = np.vstack([np.random.default_rng(0).normal(size=(10, 2)) + c for c in (0, 30)])
        with pytest.warns(UserWarning, match="not connected, it has 2 parts"):
            LocallyLinearEmbedding(n_neighbors=3).fit(X)

    def test_neighbours_on_the_point_itself(self):
        assert_allclose(local_weights([1.0, 1.0], [[1.0, 1.0], [1.0, 1.0]]), [0.5, 0.5])


class TestEigenmap:
    @pytest.mark.equation("manifold-learning-eigenmap", "manifold-learning-roughness")
    def test_against_scikit_learn_and_the_definition(self):
        X = swiss_roll(200, random_state=5).X
        Y = laplacian_eigenmap(X, 2, 8)
        peer = sklearn.manifold.SpectralEmbedding(2, affinity="nearest_neighbors", n_neighbors=9, eigen_solver="lobpcg",
                                                  random_state=0, eigen_tol=1e-12)  # fmt: skip
        theirs = peer.fit_transform(X)
        W = peer.affinity_matrix_.toarray()
        np.fill_diagonal(W, 0)
        L, D = np.diag(W.sum(axis=1)) - W, np.diag(W.sum(axis=1))
        for a, b in zip(Y.T, theirs.T, strict=True):
            assert abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b) == pytest.approx(1, abs=1e-4)
            mu = a @ L @ a / (a @ D @ a)
            assert_allclose(L @ a, mu * D @ a, atol=1e-9)
            rough = sum(W[i, j] * (a[i] - a[j]) ** 2 for i, j in zip(*np.nonzero(W), strict=True)) / 2
            assert a @ L @ a == pytest.approx(rough)

    def test_a_graph_in_parts_is_said(self):
        with pytest.warns(UserWarning, match="not connected, it has 2 parts"):
            laplacian_eigenmap([[0.0], [1.0], [2.0], [50.0], [51.0], [52.0]], 1, 1)


class TestTSNE:
    @pytest.mark.equation("manifold-learning-conditional", "manifold-learning-perplexity")
    @given(SEEDS, st.floats(1.5, 15))
    @settings(max_examples=25)
    def test_each_row_has_the_perplexity_and_is_gaussian(self, seed, perplexity):
        X = np.random.default_rng(seed).normal(size=(20, 3)) * 10.0 ** (seed % 7 - 3)
        D2 = table(X) ** 2
        P = conditional_affinities(D2, perplexity)
        assert_allclose(P.sum(axis=1), 1)
        assert not P.diagonal().any()
        assert_allclose(2 ** entropy(P, base=2, axis=1), perplexity, rtol=1e-6)
        i = int(seed % 20)
        others = np.flatnonzero(P[i] > 1e-200)
        line = np.polyfit(D2[i, others] / D2.max(), np.log(P[i, others]), 1)
        assert_allclose(np.polyval(line, D2[i, others] / D2.max()), np.log(P[i, others]), rtol=1e-6, atol=1e-6)

    def test_equally_near_points_keep_the_smallest_perplexity(self):
        P = conditional_affinities(1.0 - np.eye(6), 2.0)
        assert_allclose(P[0, 1:], 0.2)
        assert_allclose(conditional_affinities(np.zeros((5, 5)), 2.0)[0, 1:], 0.25)

    @pytest.mark.equation("manifold-learning-joint")
    def test_joint_affinities_against_scikit_learn(self):
        from sklearn.manifold._t_sne import _joint_probabilities

        D2 = (table(np.random.default_rng(0).normal(size=(40, 5))) ** 2).astype(np.float32)
        P = joint_affinities(conditional_affinities(D2, 10))
        assert_allclose(squareform(P), _joint_probabilities(D2, 10, 0), rtol=1e-3, atol=1e-6)
        assert P.sum() == pytest.approx(1)
        assert (P.sum(axis=1) > 1 / 80).all()  # no point is left out

    @pytest.mark.equation("manifold-learning-student", "manifold-learning-divergence")
    def test_divergence_from_its_definition(self):
        rng = np.random.default_rng(1)
        Y = rng.normal(size=(7, 2))
        P = joint_affinities(conditional_affinities(table(rng.normal(size=(7, 3))) ** 2, 3))
        U = 1 / (1 + table(Y) ** 2) - np.eye(7)
        Q = student_affinities(Y)
        assert_allclose(Q, U / U.sum(), atol=1e-15)
        off = ~np.eye(7, dtype=bool)
        assert kl_divergence(P, Y) == pytest.approx((xlogy(P[off], P[off]) - xlogy(P[off], Q[off])).sum())

    @pytest.mark.equation("manifold-learning-gradient")
    @given(SEEDS, st.integers(1, 3))
    @settings(max_examples=30)
    def test_gradient_by_differences(self, seed, k):
        rng = np.random.default_rng(seed)
        Y = rng.normal(size=(8, k))
        P = joint_affinities(conditional_affinities(table(rng.normal(size=(8, 3))) ** 2, 3))
        slope = approx_fprime(Y.ravel(), lambda y: kl_divergence(P, y.reshape(8, k)), 1e-7)
        assert_allclose(kl_gradient(P, Y).ravel(), slope, atol=1e-5)
        assert_allclose(kl_gradient(P, Y).sum(axis=0), 0, atol=1e-12)

    def test_it_falls_to_where_scikit_learn_falls(self):
        rng = np.random.default_rng(0)
        X = np.vstack([rng.normal(size=(20, 5)) + c for c in (0, 6, 12)])
        model = TSNE(perplexity=10, max_iter=600).fit(X)
        peer = sklearn.manifold.TSNE(perplexity=10, max_iter=600, method="exact").fit(X)
        assert model.kl_divergence_ == pytest.approx(peer.kl_divergence_, abs=0.1)
        P = joint_affinities(conditional_affinities(table(X) ** 2, 10))
        assert model.kl_divergence_ == pytest.approx(kl_divergence(P, model.embedding_))
        assert model.objective_[-1] == model.kl_divergence_ < model.objective_[0]
        assert trustworthiness(X, model.embedding_) > 0.9
        assert model.n_iter_ == 600

    def test_starts(self):
        X = np.random.default_rng(0).normal(size=(15, 3))
        short = {"perplexity": 4, "max_iter": 5}
        a, b, c = (TSNE(init="random", random_state=s, **short).fit_transform(X) for s in (0, 0, 1))
        assert np.array_equal(a, b)
        assert not np.array_equal(a, c)
        start = np.random.default_rng(1).normal(size=(15, 2))
        moved = TSNE(init=start, learning_rate=1e-6, **short).fit_transform(X)
        assert_allclose(moved, start, atol=1e-3)
        assert TSNE(**short).fit(X).learning_rate_ == 50
        same = TSNE(random_state=0, **short).fit_transform(np.ones((8, 2)))
        assert np.isfinite(same).all()


class TestTrust:
    @pytest.mark.equation("manifold-learning-trustworthiness")
    @given(SEEDS, st.integers(1, 5))
    @settings(max_examples=30)
    def test_against_scikit_learn(self, seed, k):
        rng = np.random.default_rng(seed)
        X, Y = rng.normal(size=(14, 3)), rng.normal(size=(14, 2))
        assert trustworthiness(X, Y, n_neighbors=k) == pytest.approx(
            sklearn.manifold.trustworthiness(X, Y, n_neighbors=k)
        )
        assert trustworthiness(X, 3 * X + 1, n_neighbors=k) == 1

    def test_the_worst_map_has_none(self):
        X = np.array([[0.0], [0.1], [10.0], [10.1]])
        Y = np.array([[0.0], [2.5], [-1.5], [1.0]])  # the nearest one of each is the farthest one in X
        assert trustworthiness(X, Y, n_neighbors=1) == 0


class TestRoll:
    def test_the_sheet_is_flat(self):
        roll = swiss_roll(4000, random_state=0)
        G = geodesic_distances(neighbor_graph(roll.X, 20))[:50]
        flat = np.linalg.norm(roll.sheet[:50, None] - roll.sheet[None], axis=2)
        far = flat > 20
        assert (np.abs(G / np.where(far, flat, 1) - 1)[far] < 0.06).all()
        assert pytest.approx(swiss_roll(5).X) != swiss_roll(5, noise=1.0).X


ESTIMATORS = [
    MDS(), MDS(method="smacof", max_iter=2000), Isomap(n_neighbors=4), LocallyLinearEmbedding(n_neighbors=4),
    TSNE(perplexity=2, max_iter=20),
]  # fmt: skip
CONTRACT = [pair for e in ESTIMATORS for pair in estimator_checks_generator(e)]


@pytest.mark.parametrize(
    ("estimator", "check"), CONTRACT, ids=[f"{type(e).__name__}-{getattr(c, 'func', c).__name__}" for e, c in CONTRACT]
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_contract(estimator, check):
    if getattr(check, "func", check).__name__ != "check_array_api_input":  # needs another array library
        check(estimator)


@pytest.mark.parametrize("estimator", [MDS(), Isomap(), LocallyLinearEmbedding(n_neighbors=8)])
def test_order_of_rows_and_layout_do_not_count(estimator):
    X = swiss_roll(60, noise=0.1, random_state=0).X
    base = clone(estimator).fit_transform(X)
    order = np.random.default_rng(0).permutation(60)
    same_up_to_signs(clone(estimator).fit_transform(X[order]), base[order], atol=1e-6)
    assert_allclose(clone(estimator).fit_transform(np.asfortranarray(X)), base, atol=1e-6)
    same_up_to_signs(clone(estimator).fit_transform(X.astype(np.float32)), base, atol=2e-3)
    scale = 1.0 if isinstance(estimator, LocallyLinearEmbedding) else 1e6
    same_up_to_signs(clone(estimator).fit_transform(1e6 * X), scale * base, atol=1e-5 * scale)


@pytest.mark.parametrize("model", [Isomap(), LocallyLinearEmbedding()])
def test_not_fitted(model):
    with pytest.raises(NotFittedError):
        model.transform([[1.0, 2.0]])
    fitted = clone(model).set_params(n_neighbors=3).fit(np.random.default_rng(0).normal(size=(9, 3)))
    assert len(fitted.get_feature_names_out()) == 2
    with pytest.raises(NotFittedError):
        Isomap().reconstruction_error()


def test_pairwise_tag_follows_the_distances():
    assert MDS(dissimilarity="precomputed").__sklearn_tags__().input_tags.pairwise
    assert not MDS().__sklearn_tags__().input_tags.pairwise


X = np.random.default_rng(0).normal(size=(8, 3))
D = table(X)
LOPSIDED = D + np.triu(np.ones((8, 8)), 1)
PRE = {"dissimilarity": "precomputed"}
BAD = [
    (lambda: double_centring(LOPSIDED), ValueError, "D must be symmetric"),
    (lambda: double_centring(-D), ValueError, "D must hold distances, none of them negative"),
    (lambda: double_centring(D + np.eye(8)), ValueError, "zeros on its diagonal, got 1 in row 0"),
    (lambda: double_centring([[0.0, 1.0]]), ValueError, "D must be a square matrix"),
    (lambda: classical_scaling(D, 8), ValueError, "n_components=8 must be at most 7"),
    (lambda: classical_scaling(D, 0), ValueError, "n_components must be at least 1"),
    (lambda: place_new_points(classical_scaling(D), [[1.0]]), ValueError, "D must have shape"),
    (lambda: place_new_points(classical_scaling(D), -D), ValueError, "D must hold distances, none of them neg"),
    (lambda: stress(D, X[:3]), ValueError, "Y must have 8 rows"),
    (lambda: stress(LOPSIDED, X), ValueError, "D must be symmetric:"),
    (lambda: guttman_transform(D, X[:3]), ValueError, "Y must have 8 rows, one"),
    (lambda: guttman_transform(-D, X), ValueError, "none of them negative: pass"),
    (lambda: swiss_roll(0), ValueError, "n_samples must be at least 1"),
    (lambda: swiss_roll(3, noise=-1), ValueError, "noise must be finite and at least 0"),
    (lambda: neighbor_graph(X, 8), ValueError, "Expected n_neighbors < n_samples_fit"),
    (lambda: neighbor_graph(X, 0), ValueError, "n_neighbors must be at least 1"),
    (lambda: connect_parts(X, np.zeros((3, 3))), ValueError, "G must have shape"),
    (lambda: geodesic_distances(np.ones((2, 3))), ValueError, "G must be a square matrix"),
    (lambda: geodesic_distances(csr_array(np.ones((2, 3)))), ValueError, "G must be square"),
    (lambda: geodesic_distances([[0.0, -1.0], [1.0, 0.0]]), ValueError, "G must hold lengths of edges"),
    (lambda: local_weights([1.0, 2.0], [[1.0]]), ValueError, "neighbors must have shape"),
    (lambda: local_weights([1.0], [[1.0]], -1), ValueError, "reg must be finite and at least 0"),
    (lambda: local_weights([0.0], [[1.0], [2.0]], 0), np.linalg.LinAlgError, "Singular matrix"),
    (lambda: barycenter_weights([[1.0, 2.0]], [[1.0]], np.array([[0]])), ValueError, "X must have shape"),
    (lambda: alignment_matrix(np.ones((2, 3))), ValueError, "W must be square"),
    (lambda: laplacian_eigenmap(X, 8), ValueError, "n_components=8 must be at most 7, one less"),
    (lambda: laplacian_eigenmap(X, 2, 8), ValueError, "n_neighbors < n_samples_fit, but"),
    (lambda: trustworthiness(X, X, n_neighbors=4), ValueError, "n_neighbors=4 must be less than half of the 8"),
    (lambda: trustworthiness(X, X[:3]), ValueError, "X_embedded must have shape"),
    (lambda: conditional_affinities(D, 7.0), ValueError, "perplexity=7 must be less than n_samples - 1 = 7"),
    (lambda: conditional_affinities(D, 0.5), ValueError, "perplexity must be finite and at least 1"),
    (lambda: conditional_affinities(-D, 2.0), ValueError, "D2 must hold squared distances"),
    (lambda: conditional_affinities([[0.0, 1.0]], 2.0), ValueError, "D2 must be a square"),
    (lambda: joint_affinities([[0.0, 1.0]]), ValueError, "P must be a square"),
    (lambda: student_affinities([1.0]), ValueError, "Y must be a matrix"),
    (lambda: kl_divergence(D, X[:3]), ValueError, "Y must have shape"),
    (lambda: kl_gradient([[1.0, 2.0]], X), ValueError, "P must be a square matrix"),
    (lambda: MDS(8).fit(X), ValueError, "n_components=8 must be at most 7, one less than"),
    (lambda: MDS(True).fit(X), TypeError, "n_components must be an integer"),
    (lambda: MDS(**PRE).fit(LOPSIDED), ValueError, "X must be symmetric"),
    (lambda: MDS(**PRE).fit(X), ValueError, "X must be a square matrix"),
    (lambda: MDS(**PRE).fit(D + np.eye(8)), ValueError, "X must have zeros on its diagonal"),
    (lambda: MDS(dissimilarity="cosine").fit(X), ValueError, "dissimilarity must be one of"),
    (lambda: MDS(method="nonmetric").fit(X), ValueError, "method must be one of"),
    (lambda: MDS(method="smacof", init="pca").fit(X), ValueError, "init must be one of"),
    (lambda: MDS(method="smacof", init=X[:2]).fit(X), ValueError, "init must have shape"),
    (lambda: MDS(method="smacof", max_iter=0).fit(X), ValueError, "max_iter must be at least 1"),
    (lambda: MDS(method="smacof", eps=-1).fit(X), ValueError, "eps must be finite and at least 0"),
    (lambda: MDS().fit([[np.nan, 1.0], [1.0, 2.0], [1.0, 3.0]]), ValueError, "NaN"),
    (lambda: Isomap(n_neighbors=8).fit(X), ValueError, "n_neighbors = 8, n_samples_fit = 8"),
    (lambda: Isomap(n_neighbors=3, n_components=8).fit(X), ValueError, "n_components=8 must be at most 7,"),
    (lambda: Isomap(n_neighbors=3).fit(X).transform([[1.0]]), ValueError, "features"),
    (lambda: LocallyLinearEmbedding(n_neighbors=8).fit(X), ValueError, "n_samples_fit = 8 "),
    (lambda: LocallyLinearEmbedding(n_components=4).fit(X), ValueError, "n_components=4 must be at most 3"),
    (lambda: LocallyLinearEmbedding(n_components=3).fit(X[:3]), ValueError, "n_components=3 must be at most 2"),
    (lambda: LocallyLinearEmbedding(reg=-1).fit(X), ValueError, "reg must be finite"),
    (lambda: LocallyLinearEmbedding(n_neighbors=5, reg=0).fit(np.ones((9, 3))), np.linalg.LinAlgError, "Singular"),
    (lambda: LocallyLinearEmbedding(n_neighbors=3).fit(X).transform([[1.0]]), ValueError, "is expecting 3 features"),
    (lambda: TSNE().fit(X), ValueError, "perplexity=30 must be less than n_samples - 1 = 7"),
    (lambda: TSNE(8, perplexity=2).fit(X), ValueError, "n_components=8 must be at most 7, "),
    (lambda: TSNE(4, perplexity=2).fit(X), ValueError, "n_components=4 must be at most 3, n_features = 3"),
    (lambda: TSNE(perplexity=2, init="classical").fit(X), ValueError, "init must be 'pca', 'random' or an array"),
    (lambda: TSNE(perplexity=2, init=X).fit(X), ValueError, r"init must have shape \(8, 2\)"),
    (lambda: TSNE(perplexity=2, max_iter=0).fit(X), ValueError, "max_iter must be at least"),
    (lambda: TSNE(perplexity=2, learning_rate=0.0).fit(X), ValueError, "learning_rate must be positive"),
    (lambda: TSNE(perplexity=2, early_exaggeration=0).fit(X), ValueError, "early_exaggeration must be positive"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), BAD, ids=[message for *_, message in BAD])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_messages_are_told_apart():
    messages = sorted(message for *_, message in BAD)
    assert all(a != b for a, b in pairwise(messages))
