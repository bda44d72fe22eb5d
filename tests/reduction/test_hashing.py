"""Hashing against enumeration, SciPy and published numbers; collisions by chance against their probability."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import orthogonal_procrustes
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.reduction.hashing import (
    IterativeQuantization,
    MinHashLSH,
    Mode,
    RandomHyperplaneLSH,
    angle,
    candidate_probability,
    code_step,
    collision_probability,
    hamming_distances,
    hyperplane_bits,
    jaccard,
    minhash_signature,
    principal_directions,
    procrustes_rotation,
    quantization_error,
    spectral_bits,
    spectral_modes,
    steepest_similarity,
    threshold,
)
from notes_lib.reduction.hashing.model import Buckets

EXAMPLE = np.array([[1, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 1, 0, 1, 1], [1, 0, 1, 1, 0]])


def within(hits, p, errors=4.5):
    """Whether a share of independent hits is as near to p as its standard error allows."""
    hits = np.asarray(hits, float)
    return abs(hits.mean() - p) < errors * np.sqrt(p * (1 - p) / hits.size) + 1e-12


class TestGolden:
    @pytest.mark.equation("hashing-s-curve")
    def test_s_curve_of_twenty_bands_of_five(self):
        # Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, 2nd edition, figure 3.8
        s = np.arange(0.2, 0.81, 0.1)
        assert candidate_probability(s, 20, 5) == pytest.approx(
            [0.006, 0.047, 0.186, 0.470, 0.802, 0.975, 0.9996], abs=6e-4
        )
        assert 1 - candidate_probability(0.8, 20, 5) == pytest.approx(0.00035, abs=1e-5)

    @pytest.mark.equation("hashing-threshold")
    def test_threshold_of_twenty_bands_of_five(self):
        assert threshold(20, 5) == pytest.approx(0.55, abs=1.1e-3)

    @pytest.mark.equation("hashing-minhash", "hashing-jaccard")
    def test_signature_of_four_small_sets(self):
        # the same book, section 3.3: rows 0 to 4, hash functions x + 1 and 3 x + 1 modulo 5
        x = np.arange(5)
        signature = minhash_signature(EXAMPLE, [(x + 1) % 5, (3 * x + 1) % 5])
        assert signature.T.tolist() == [[1, 3, 0, 1], [0, 2, 0, 0]]
        assert jaccard(EXAMPLE, EXAMPLE)[0] == pytest.approx([1, 0, 1 / 4, 2 / 3])


class TestAngles:
    @pytest.mark.equation("hashing-angle")
    @given(st.integers(0, 2**31), st.integers(2, 5))
    def test_angle_is_the_arc_cosine(self, seed, d):
        x, y = np.random.default_rng(seed).normal(size=(2, d))
        assert angle(x, y) == pytest.approx(np.arccos(1 - cdist([x], [y], "cosine")[0, 0]), abs=1e-7)

    def test_a_tiny_angle_keeps_its_digits(self):
        assert angle([1.0, 0.0], [1.0, 1e-12]) == pytest.approx(1e-12, rel=1e-12)
        assert angle([1e300, 0.0], [1e-300, 0.0]) == 0

    @pytest.mark.equation("hashing-collision", "hashing-bit")
    @pytest.mark.parametrize("theta", [0.1, 1.0, 2.5])
    def test_share_of_equal_bits(self, theta):
        W = np.random.default_rng(0).normal(size=(40_000, 3))
        pair = [[2.0, 0, 0], [3 * np.cos(theta), 3 * np.sin(theta), 0]]
        bits = hyperplane_bits(pair, W)
        assert within(bits[0] == bits[1], collision_probability(theta))

    @given(st.integers(0, 2**31), st.floats(1e-200, 1e200))
    def test_the_length_of_a_vector_does_not_count(self, seed, c):
        rng = np.random.default_rng(seed)
        X, W = rng.normal(size=(4, 3)), rng.normal(size=(8, 3))
        assert np.array_equal(hyperplane_bits(c * X, W), hyperplane_bits(X, W))
        assert np.array_equal(hyperplane_bits(-X, W), 1 - hyperplane_bits(X, W))

    def test_hamming_distances_against_scipy(self):
        rng = np.random.default_rng(0)
        A, B = rng.integers(0, 2, (5, 9)), rng.integers(0, 2, (4, 9))
        assert np.array_equal(hamming_distances(A, B), np.rint(9 * cdist(A, B, "hamming")))

    @pytest.mark.equation("hashing-hamming", "hashing-angle-variance")
    def test_mean_and_variance_of_the_hamming_distance(self):
        rng, theta, m = np.random.default_rng(1), 1.2, 16
        W = rng.normal(size=(20_000 * m, 2))
        bits = hyperplane_bits([[1.0, 0.0], [np.cos(theta), np.sin(theta)]], W)
        apart = (bits[0] != bits[1]).reshape(-1, m).sum(axis=1)
        p = theta / np.pi
        assert apart.mean() == pytest.approx(m * p, abs=4.5 * np.sqrt(m * p * (1 - p) / 20_000))
        assert apart.var() == pytest.approx(m * p * (1 - p), rel=0.05)


class TestSets:
    @pytest.mark.equation("hashing-minhash-collision")
    def test_all_orders_of_five_items(self):
        orders = np.array(list(permutations(range(5))))
        signature = minhash_signature(EXAMPLE, orders)
        agree = (signature[:, None] == signature[None]).mean(axis=2)
        assert agree == pytest.approx(jaccard(EXAMPLE, EXAMPLE))

    @pytest.mark.equation("hashing-minhash-estimate", "hashing-minhash-variance")
    @pytest.mark.parametrize("shared", [0, 1, 30, 59])
    def test_hash_functions_estimate_the_similarity(self, shared):
        # neighbouring numbers, on which hash functions without mixing are far off
        A, B = set(range(60)), set(range(60 - shared, 120 - shared))
        J = shared / (120 - shared)
        share = []
        for seed in range(40):
            a, b = MinHashLSH(50, 5, random_state=seed).fit([A, B]).transform([A, B])
            share.append((a == b).mean())
        error = np.sqrt(J * (1 - J) / 250 / 40)
        assert np.mean(share) == pytest.approx(J, abs=4.5 * error + 1e-12)
        assert np.std(share) <= 1.5 * np.sqrt(J * (1 - J) / 250)

    def test_sets_and_indicator_rows_are_the_same(self):
        sets = [set(np.flatnonzero(row).tolist()) for row in EXAMPLE]
        lsh = MinHashLSH(4, 3, random_state=0).fit(sets)
        assert np.array_equal(lsh.transform(sets), lsh.transform(EXAMPLE))
        assert np.array_equal(lsh.transform(sets), lsh.transform([frozenset(s) for s in sets]))
        assert np.array_equal(lsh.transform(sets), lsh.transform(EXAMPLE.tolist()))

    def test_items_of_all_kinds(self):
        lsh = MinHashLSH(4, 3, random_state=0).fit([{1}])
        same = lsh.transform([{1}, {np.int64(1)}, {1 + 2**64}, {"a"}, {b"a"}, {-1}, {2**64 - 1}])
        assert np.array_equal(same[0], same[1])
        assert np.array_equal(same[0], same[2])
        assert np.array_equal(same[3], same[4])
        assert np.array_equal(same[5], same[6])
        assert not np.array_equal(same[0], same[3])

    def test_texts_of_all_lengths_alone_and_together(self):
        lsh = MinHashLSH(4, 3, random_state=0).fit([{1}])
        texts = ["", "\0", "\0\0", "a", "a\0", "\0a", "aa", "ab", "ba", "日本", "é", "e", "x" * 1000, "x" * 1001]
        each = lsh.transform([{text} for text in texts])
        assert len(np.unique(each, axis=0)) == len(texts)
        assert np.array_equal(each, lsh.transform([{text.encode()} for text in texts]))
        assert np.array_equal(each.min(axis=0), lsh.transform([set(texts)])[0])
        mixed = lsh.transform([{*texts, 5, 7}, {5}, {7}])
        assert np.array_equal(mixed[0], np.vstack([each, mixed[1:]]).min(axis=0))

    def test_texts_that_differ_in_one_letter_get_unrelated_numbers(self):
        lsh = MinHashLSH(50, 5, random_state=0).fit([{1}])
        alone = lsh.transform([{f"item {k}"} for k in range(4000)])
        assert len(np.unique(alone[:, 0])) == 4000
        bits = np.unpackbits(alone[:, 0].astype(np.uint32).view(np.uint8)).reshape(4000, 32)
        deviation = 2 * np.sqrt(4000) * (bits.mean(axis=0) - 0.5)  # a standard Gaussian each
        assert np.abs(deviation).max() < 5
        A, B = {f"item {k}" for k in range(60)}, {f"item {k}" for k in range(30, 90)}
        a, b = lsh.transform([A, B])
        assert (a == b).mean() == pytest.approx(1 / 3, abs=4.5 * np.sqrt(1 / 3 * 2 / 3 / 250))

    def test_many_sets_in_chunks(self):
        rng = np.random.default_rng(0)
        sets = [set(rng.integers(0, 10**6, n).tolist()) for n in [5000, 1, 3000, 2, 2, 4000]]
        lsh = MinHashLSH(20, 5, random_state=0).fit(sets)
        assert np.array_equal(lsh.transform(sets), np.vstack([lsh.transform([s]) for s in sets]))

    def test_signature_from_its_definition(self):
        lsh = MinHashLSH(2, 3, random_state=0).fit([{5, 9}])
        alone = lsh.transform([{5}, {9}])
        assert np.array_equal(lsh.transform([{5, 9}])[0], alone.min(axis=0))
        assert ((alone >= 0) & (alone < 2**32)).all()
        assert (lsh.multipliers_ % 2 == 1).all()  # else two keys share a number


class TestBuckets:
    @given(st.integers(0, 2**31), st.integers(1, 3), st.integers(1, 12))
    @settings(max_examples=30)
    def test_candidates_by_comparing_all_codes(self, seed, tables, width):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 2, (tables, 30, width)).astype(np.uint8)
        wanted = rng.integers(0, 2, (tables, 5, width)).astype(np.uint8)
        for q, rows in enumerate(Buckets(codes).candidates(wanted)):
            agree = (codes == wanted[:, [q]]).all(axis=2).any(axis=0)
            assert np.array_equal(rows, np.flatnonzero(agree))

    def test_order_of_the_entries_counts(self):
        codes = np.array([[[1, 2], [2, 1], [3, 0], [0, 3]]])
        assert [rows.tolist() for rows in Buckets(codes).candidates(codes)] == [[0], [1], [2], [3]]

    def test_hyperplanes_agree_with_their_bits(self):
        rng = np.random.default_rng(0)
        X, Q = rng.normal(size=(200, 3)), rng.normal(size=(20, 3))
        lsh = RandomHyperplaneLSH(n_bits=6, n_tables=4, random_state=1).fit(X)
        mine, theirs = (lsh.transform(A).reshape(-1, 4, 6) for A in (X, Q))
        assert np.array_equal(lsh.transform(X), hyperplane_bits(X, lsh.hyperplanes_.reshape(24, 3)))
        for q, rows in enumerate(lsh.candidates(Q)):
            assert np.array_equal(rows, np.flatnonzero((mine == theirs[q]).all(axis=2).any(axis=1)))
        assert any(len(rows) == 0 for rows in RandomHyperplaneLSH(30, 1, random_state=0).fit(X).candidates(Q))

    @pytest.mark.equation("hashing-s-curve")
    def test_share_of_candidates_is_the_s_curve(self):
        theta = 0.5
        X, q = [[np.cos(theta), np.sin(theta)]], [[1.0, 0.0]]
        hits = [len(RandomHyperplaneLSH(5, 6, random_state=seed).fit(X).candidates(q)[0]) for seed in range(1500)]
        assert within(hits, candidate_probability(collision_probability(theta), 6, 5))
        A, B = set(range(30)), set(range(6, 36))  # 24 of 36 shared
        hits = [len(MinHashLSH(4, 5, random_state=seed).fit([A]).candidates([B])[0]) for seed in range(1500)]
        assert within(hits, candidate_probability(24 / 36, 4, 5))


class TestCurve:
    @pytest.mark.equation("hashing-steepest")
    @pytest.mark.parametrize(("b", "r"), [(20, 5), (5, 20), (3, 2)])
    def test_steepest_on_a_grid(self, b, r):
        s = np.linspace(0, 1, 200_001)
        slope = np.gradient(candidate_probability(s, b, r), s)
        assert steepest_similarity(b, r) == pytest.approx(s[slope.argmax()], abs=1e-4)

    @given(st.integers(1, 50), st.integers(1, 20))
    def test_ends_and_rise(self, b, r):
        p = candidate_probability(np.linspace(0, 1, 50), b, r)
        assert p[0] == 0
        assert p[-1] == 1
        assert (np.diff(p) >= 0).all()
        assert candidate_probability(threshold(b, r), b, r) == pytest.approx(1 - (1 - 1 / b) ** b)

    def test_one_row_is_never_steepest_inside(self):
        assert steepest_similarity(4, 1) == 0
        assert steepest_similarity(1, 1) == 0

    def test_tiny_probabilities_keep_their_digits(self):
        assert candidate_probability(1e-4, 10, 5) == pytest.approx(10 * 1e-20, rel=1e-12)


class TestLearned:
    @pytest.mark.equation("hashing-procrustes")
    @given(st.integers(0, 2**31), st.integers(1, 4))
    @settings(max_examples=30)
    def test_procrustes_against_scipy_and_chance(self, seed, m):
        rng = np.random.default_rng(seed)
        V, B = rng.normal(size=(2, 12, m))
        R = procrustes_rotation(V, B)
        assert pytest.approx(orthogonal_procrustes(V, B)[0]) == R
        for _ in range(20):
            other = np.linalg.qr(rng.normal(size=(m, m)))[0]
            assert quantization_error(V, R, B) <= quantization_error(V, other, B) + 1e-9

    @pytest.mark.equation("hashing-code-step")
    @given(st.integers(0, 2**31))
    @settings(max_examples=30)
    def test_signs_are_the_best_codes(self, seed):
        rng = np.random.default_rng(seed)
        V, R = rng.normal(size=(3, 2)), np.linalg.qr(rng.normal(size=(2, 2)))[0]
        best = quantization_error(V, R, code_step(V, R))
        for code in np.ndindex(*(2,) * 6):
            assert best <= quantization_error(V, R, 2.0 * np.reshape(code, (3, 2)) - 1) + 1e-12

    def test_principal_directions_against_the_covariance(self):
        X = np.random.default_rng(0).normal(size=(50, 4)) @ np.diag([3, 1, 2, 0.5]) + 7
        P = principal_directions(X, 2)
        share, vectors = np.linalg.eigh(np.cov(X.T))
        assert np.abs(P.T @ vectors[:, :1:-1]) == pytest.approx(np.eye(2), abs=1e-10)
        assert (P[np.abs(P).argmax(axis=0), [0, 1]] > 0).all()
        assert len(share) == 4

    @pytest.mark.equation("hashing-quantization", "hashing-descent")
    @pytest.mark.parametrize("seed", range(3))
    def test_the_error_never_rises_and_the_end_is_a_fixed_point(self, seed):
        X = np.random.default_rng(seed).standard_t(5, size=(200, 6)) * [4, 3, 3, 2, 1, 1] + 5
        itq = IterativeQuantization(4, random_state=seed).fit(X)
        V = (X - itq.mean_) @ itq.components_.T
        B = 2.0 * itq.transform(X) - 1
        assert (np.diff(itq.quantization_errors_) <= 1e-9).all()
        assert itq.n_iter_ > 2
        assert itq.quantization_errors_[-1] == pytest.approx(quantization_error(V, itq.rotation_, B))
        assert procrustes_rotation(V, B) == pytest.approx(itq.rotation_)
        assert itq.rotation_ @ itq.rotation_.T == pytest.approx(np.eye(4))
        pca = quantization_error(V, np.eye(4), code_step(V, np.eye(4)))
        assert itq.quantization_errors_[-1] < pca

    @pytest.mark.equation("hashing-spectral-modes")
    def test_spectral_modes_by_enumeration(self):
        V = np.random.default_rng(0).uniform(size=(40, 3)) * [5, 2.2, 1]
        L = np.ptp(V, axis=0)
        every = sorted(((j / L[k]) ** 2, k, j) for k in range(3) for j in range(1, 20))
        assert spectral_modes(V, 7) == [Mode(k, j) for _, k, j in every[:7]]

    @pytest.mark.equation("hashing-spectral-bit")
    def test_spectral_bits_change_as_often_as_the_wave(self):
        v = np.linspace(-1, 3, 1001)[:, None]
        bits = spectral_bits(v, [Mode(0, j) for j in (1, 2, 3)], [-1.0], [3.0])
        assert np.abs(np.diff(bits.astype(int), axis=0)).sum(axis=0).tolist() == [1, 2, 3]
        assert bits[0].tolist() == [1, 1, 1]
        u = (v + 1) / 4
        clear = (np.abs(np.sin(np.pi / 2 + np.pi * 3 * u)) > 1e-9)[:, 0]
        assert np.array_equal(bits[clear, 2], (np.sin(np.pi / 2 + np.pi * 3 * u) > 0)[clear, 0])

    def test_it_warns_where_bits_still_change(self):
        X = np.random.default_rng(0).normal(size=(300, 6))
        with pytest.warns(ConvergenceWarning, match="raise max_iter"):
            IterativeQuantization(6, max_iter=1, random_state=0).fit(X)


CONTRACT = [
    (estimator, check)
    for estimator in (RandomHyperplaneLSH(2, 2, random_state=0), IterativeQuantization(1, random_state=0))
    for estimator, check in estimator_checks_generator(estimator)
]


@pytest.mark.parametrize(
    ("estimator", "check"), CONTRACT, ids=[f"{type(e).__name__}-{getattr(c, 'func', c).__name__}" for e, c in CONTRACT]
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_contract(estimator, check):
    name = getattr(check, "func", check).__name__
    if isinstance(estimator, RandomHyperplaneLSH) and name == "check_estimators_dtypes":
        with pytest.raises(ValueError, match="X is zero in row"):
            check(estimator)  # its data have such a row
    elif name != "check_array_api_input":  # needs another array library
        check(estimator)


@pytest.mark.parametrize("estimator", [RandomHyperplaneLSH, MinHashLSH])
def test_not_fitted(estimator):
    with pytest.raises(NotFittedError):
        estimator().candidates([[1.0, 1.0]])
    with pytest.raises(NotFittedError):
        estimator().transform([[1.0, 1.0]])


X = [[1.0, 2.0], [3.0, 1.0]]
BAD = [
    (lambda: angle([0.0, 0.0], [1.0, 2.0]), ValueError, "x is zero in row 0"),
    (lambda: angle([1.0], [1.0, 2.0]), ValueError, "y must be a vector of shape"),
    (lambda: hyperplane_bits([[0.0, 0.0]], [[1.0, 0.0]]), ValueError, "X is zero in row 0: it has no direction"),
    (lambda: hyperplane_bits([[1.0]], [[1.0, 0.0]]), ValueError, "X must have shape"),
    (lambda: collision_probability(4.0), ValueError, "theta must lie between 0 and pi"),
    (lambda: hamming_distances([[1, 0]], [[1]]), ValueError, "B must have codes of 2 bits"),
    (lambda: hamming_distances([[2, 0]], [[1, 0]]), ValueError, "A must hold 0 or 1, got 2"),
    (lambda: jaccard([[1, 0]], [[0, 0]]), ValueError, "B has no item in row 0: leave empty sets out"),
    (lambda: jaccard([[1, 0]], [[1]]), ValueError, "B must have 2 items"),
    (lambda: minhash_signature([[1, 0]], [[1, 2, 3]]), ValueError, "values must have shape"),
    (lambda: candidate_probability(1.5, 2, 2), ValueError, "s must lie between 0 and 1"),
    (lambda: candidate_probability(0.5, 2.0, 2), TypeError, "n_bands must be an integer"),
    (lambda: threshold(2, 0), ValueError, "n_rows must be at least 1"),
    (lambda: steepest_similarity(0, 2), ValueError, "n_bands must be at least 1"),
    (lambda: principal_directions(X, 3), ValueError, r"n_bits must be at most min\(n, d\) = 2, got 3"),
    (lambda: quantization_error(X, [[1.0]], X), ValueError, "R must have shape"),
    (lambda: code_step(X, [[1.0]]), ValueError, r"shape \(2, 2\)"),
    (lambda: procrustes_rotation(X, [[1.0, 1.0]]), ValueError, "B must have shape"),
    (lambda: spectral_modes([[1.0], [1.0]], 1), ValueError, "column 0 is constant"),
    (lambda: spectral_bits(X, [Mode(0, 1)], [0.0], [1.0]), ValueError, "low must have shape"),
    (lambda: IterativeQuantization(3).fit(X), ValueError, "n_bits must be at most"),
    (lambda: IterativeQuantization(True).fit(X), TypeError, "n_bits must be an integer"),
    (lambda: IterativeQuantization(1, max_iter=0).fit(X), ValueError, "max_iter must be at least 1"),
    (lambda: IterativeQuantization(1).fit([[1.0, np.nan], [1.0, 2.0]]), ValueError, "NaN"),
    (lambda: IterativeQuantization(1, random_state=0).fit(X).transform([[1.0]]), ValueError, "features"),
    (lambda: RandomHyperplaneLSH().fit([[1.0, 0.0], [0.0, 0.0]]), ValueError, "X is zero in row 1"),
    (lambda: RandomHyperplaneLSH(0).fit(X), ValueError, "n_bits must be at least 1"),
    (lambda: RandomHyperplaneLSH(n_tables=0).fit(X), ValueError, "n_tables must be at least 1"),
    (lambda: RandomHyperplaneLSH().fit(X).candidates([[0.0, 0.0]]), ValueError, "zero in row 0"),
    (lambda: RandomHyperplaneLSH().fit(X).candidates([[1.0]]), ValueError, "features"),
    (lambda: MinHashLSH().fit([{1}, set()]), ValueError, "X must hold sets with items, got none in set 1"),
    (lambda: MinHashLSH().fit([]), ValueError, "X must hold sets with items, got no set"),
    (lambda: MinHashLSH().fit([[1, 0], [0, 0]]), ValueError, "X has no item in row 1"),
    (lambda: MinHashLSH().fit([{1.5}]), TypeError, "integers, text or bytes, got 1.5"),
    (lambda: MinHashLSH().fit(["abc"]), TypeError, "X"),
    (lambda: MinHashLSH(n_bands=0).fit([{1}]), ValueError, "n_bands must be at least 1"),
    (lambda: MinHashLSH(n_rows=0).fit([{1}]), ValueError, "n_rows must be at least 1"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), BAD, ids=[message for *_, message in BAD])
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
