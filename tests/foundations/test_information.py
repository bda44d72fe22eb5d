"""Tests of notes_lib.foundations.information."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.metrics import log_loss, mutual_info_score

from notes_lib.foundations.information import (
    conditional_entropy,
    cross_entropy,
    entropy,
    expected_length,
    huffman_lengths,
    information_content,
    information_gain,
    joint_distribution,
    kl_divergence,
    kraft_sum,
    mutual_information,
    prefix_code,
    shannon_lengths,
)


def distribution(seed, K, zeros=0):
    """A random distribution whose last ``zeros`` entries are 0."""
    p = np.random.default_rng(seed).dirichlet(np.full(K, 0.7))
    p[K - zeros :] = 0.0
    return p / p.sum()


def joint(seed, r=3, c=4):
    """A random joint distribution in which one pair never happens."""
    P = distribution(seed, r * c).reshape(r, c)
    P[0, 1] = 0.0
    return P / P.sum()


# ------------------------------------------------------------------------------------------------------------- golden

TENNIS = """
Sunny Hot High Weak No
Sunny Hot High Strong No
Overcast Hot High Weak Yes
Rain Mild High Weak Yes
Rain Cool Normal Weak Yes
Rain Cool Normal Strong No
Overcast Cool Normal Strong Yes
Sunny Mild High Weak No
Sunny Cool Normal Weak Yes
Rain Mild Normal Weak Yes
Sunny Mild Normal Strong Yes
Overcast Mild High Strong Yes
Overcast Hot Normal Weak Yes
Rain Mild High Strong No
"""
PLAY = np.array([line.split() for line in TENNIS.split("\n") if line])
ATTRIBUTES = ["Outlook", "Temperature", "Humidity", "Wind"]


@pytest.mark.equation("information-gain", "information-entropy", "information-mutual-entropies")
def test_play_tennis_as_mitchell_prints_it():
    # Mitchell (1997), Machine Learning, table 3.2 and section 3.4; the book cuts after three digits
    y = PLAY[:, 4]
    assert_allclose(entropy([9 / 14, 5 / 14], base=2), 0.940, atol=1e-3)
    gains = [information_gain(PLAY[:, j], y, base=2) for j in range(4)]
    assert_allclose(gains, [0.246, 0.029, 0.151, 0.048], atol=1e-3)
    sunny, rain = PLAY[PLAY[:, 0] == "Sunny"], PLAY[PLAY[:, 0] == "Rain"]
    for node, printed in [(sunny, [0.570, 0.970, 0.019]), (rain, [0.02, 0.02, 0.971])]:
        found = [information_gain(node[:, j], node[:, 4], base=2) for j in (1, 2, 3)]
        assert_allclose(found, printed, atol=1e-3)


def test_play_tennis_split_information_and_gain_ratio():
    # Witten and Frank, Data Mining, table 4.7: split info is the entropy of the attribute itself
    split = [entropy(np.unique(PLAY[:, j], return_counts=True)[1] / 14, base=2) for j in range(4)]
    assert_allclose(split, [1.577, 1.557, 1.000, 0.985], atol=6e-4)
    gains = [information_gain(PLAY[:, j], PLAY[:, 4], base=2) for j in range(4)]
    assert_allclose(np.divide(gains, split), [0.156, 0.019, 0.152, 0.049], atol=6e-4)


def test_numeric_temperature_cut_at_71_5():
    # Witten and Frank, Data Mining, section 6.1: 4 yes and 2 no below, 5 yes and 3 no above, 0.939 bits are left
    temperature = np.array([85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71])
    play = np.array(["No", "No", "Yes", "Yes", "Yes", "No", "Yes", "No", "Yes", "Yes", "Yes", "Yes", "Yes", "No"])
    P = joint_distribution(temperature > 71.5, play)
    assert_array_equal((14 * P).round(12), [[2, 4], [3, 5]])
    assert_allclose(conditional_entropy(P, base=2), 0.939, atol=6e-4)
    assert_allclose(
        entropy(P.sum(axis=0), base=2) - information_gain(temperature > 71.5, play, base=2), 0.939, atol=6e-4
    )


@pytest.mark.equation("information-conditional", "information-mutual", "information-chain")
def test_joint_table_of_cover_and_thomas():
    # Cover and Thomas (2006), example 2.2.1: H(X) = 7/4, H(Y) = 2, H(X|Y) = 11/8, H(Y|X) = 13/8, H(X,Y) = 27/8 bits
    # columns of the printed table are x, rows are y, so it is transposed here
    P = np.array([[4, 2, 1, 1], [2, 4, 1, 1], [2, 2, 2, 2], [8, 0, 0, 0]]).T / 32
    assert entropy(P.sum(axis=1), base=2) == 7 / 4
    assert entropy(P.sum(axis=0), base=2) == 2
    assert_allclose(conditional_entropy(P.T, base=2), 11 / 8, rtol=1e-14)
    assert_allclose(conditional_entropy(P, base=2), 13 / 8, rtol=1e-14)
    assert_allclose(entropy(P.ravel(), base=2), 27 / 8, rtol=1e-14)
    assert_allclose(mutual_information(P, base=2), 3 / 8, rtol=1e-14)


@pytest.mark.equation("information-kl", "information-units")
def test_divergence_of_two_coins():
    # Cover and Thomas (2006), example 2.3.1 with r = 1/2, s = 1/4: 0.2075 and 0.1887 bits
    fair, bent = [0.5, 0.5], [0.75, 0.25]
    assert_allclose(kl_divergence(fair, bent, base=2), 0.2075, atol=5e-5)
    assert_allclose(kl_divergence(bent, fair, base=2), 0.1887, atol=5e-5)
    assert_allclose(kl_divergence(fair, bent), 0.2075 * math.log(2), atol=5e-5)


@pytest.mark.equation("information-content", "information-entropy")
def test_horse_race():
    # Cover and Thomas (2006), section 1.1: 2 bits on average, against 3 bits for naming one of eight horses
    p = [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 64, 1 / 64, 1 / 64, 1 / 64]
    assert entropy(p, base=2) == 2
    assert_array_equal(information_content(p, base=2), [1, 2, 3, 4, 6, 6, 6, 6])
    assert_array_equal(huffman_lengths(p), [1, 2, 3, 4, 6, 6, 6, 6])
    assert expected_length(p, huffman_lengths(p)) == 2


def test_huffman_code_of_cover_and_thomas():
    # Cover and Thomas (2006), example 5.6.1: lengths 2, 2, 2, 3, 3, mean 2.3 bits
    p = [0.25, 0.25, 0.2, 0.15, 0.15]
    assert_array_equal(huffman_lengths(p), [2, 2, 2, 3, 3])
    assert_allclose(expected_length(p, huffman_lengths(p)), 2.3, rtol=1e-12)


def test_letters_of_english_in_mackay():
    # MacKay (2003), table 2.9 and example 5.16: 4.11 bits of entropy, 4.15 bits for Huffman's code; space stands last
    p = [
        575,
        128,
        263,
        285,
        913,
        173,
        133,
        313,
        599,
        6,
        84,
        335,
        235,
        596,
        689,
        192,
        8,
        508,
        567,
        706,
        334,
        69,
        119,
        73,
    ]
    p = np.array([*p, 164, 7, 1928]) / 10_000
    p /= p.sum()  # the printed numbers are rounded
    assert_allclose(entropy(p, base=2), 4.11, atol=6e-3)
    assert_allclose(expected_length(p, huffman_lengths(p)), 4.15, atol=6e-3)


@pytest.mark.equation("information-log-loss")
def test_softmax_loss_of_cs231n():
    # Stanford CS231n notes, linear classification: scores -2.85, 0.86, 0.28, true class 2, loss 1.04 nats
    q = np.exp([-2.85, 0.86, 0.28]) / np.exp([-2.85, 0.86, 0.28]).sum()
    assert_allclose(cross_entropy([0, 0, 1], q), 1.04, atol=6e-3)
    assert_allclose(cross_entropy([0, 0, 1], q, base=10), 0.452, atol=6e-4)  # printed in an older version


def test_frequencies_that_do_not_sum_to_one_are_refused():
    # "X = 1, 2, 3 with probability 0.33 each" stands in widely read notes
    with pytest.raises(ValueError, match=r"p must be non-negative and sum to 1, got \[0.33, 0.33, 0.33\]: divide"):
        entropy([0.33, 0.33, 0.33])
    assert_allclose(entropy([1 / 3] * 3, base=2), 1.5850, atol=5e-5)
    assert_allclose(entropy([0.98, 0.01, 0.01], base=2), 0.1614, atol=5e-5)


@pytest.mark.equation("information-source-coding", "information-blocks")
def test_entropy_is_a_lower_bound_for_questions_not_their_number():
    # "the average number of yes/no answers is the entropy" fails for single symbols and holds in the limit of blocks
    assert_allclose(expected_length([1 / 3] * 3, huffman_lengths([1 / 3] * 3)), 5 / 3, rtol=1e-12)
    p = block = np.array([0.98, 0.01, 0.01])
    rates = []
    for m in range(1, 7):
        rates.append(expected_length(block, huffman_lengths(block)) / m)
        assert entropy(p, base=2) <= rates[-1] < entropy(p, base=2) + 1 / m
        block = np.outer(block, p).ravel()
    assert_allclose([rates[0], rates[1], rates[3], rates[5]], [1.02, 0.545, 0.314, 0.244], atol=5e-4)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("information-entropy", "information-kl")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("base", [None, 2, 10])
def test_entropy_and_divergence_against_scipy(seed, base):
    p, q = distribution(seed, 6, zeros=2), distribution(seed + 50, 6)
    assert_allclose(entropy(p, base), scipy.stats.entropy(p, base=base), rtol=1e-12)
    assert_allclose(kl_divergence(p, q, base), scipy.stats.entropy(p, q, base=base), rtol=1e-12)


def by_loops(p, q, term):
    return sum(term(a, b) for a, b in zip(p, q, strict=True) if a > 0)


@pytest.mark.equation("information-cross-entropy", "information-entropy", "information-kl")
@pytest.mark.parametrize("seed", range(6))
def test_transcriptions(seed):
    p, q = distribution(seed, 5, zeros=1), distribution(seed + 9, 5)
    assert_allclose(cross_entropy(p, q), -by_loops(p, q, lambda a, b: a * math.log(b)), rtol=1e-12)
    assert_allclose(entropy(p), -by_loops(p, q, lambda a, b: a * math.log(a)), rtol=1e-12)
    assert_allclose(kl_divergence(p, q), by_loops(p, q, lambda a, b: a * math.log(a / b)), rtol=1e-12)


@pytest.mark.equation("information-conditional", "information-mutual")
@pytest.mark.parametrize("seed", range(6))
def test_conditional_and_mutual_information_row_by_row(seed):
    P = joint(seed)
    p_x, p_y = P.sum(axis=1), P.sum(axis=0)
    mean_of_rows = sum(p_x[i] * scipy.stats.entropy(P[i] / p_x[i], base=2) for i in range(3))
    assert_allclose(conditional_entropy(P, base=2), mean_of_rows, rtol=1e-12)
    product = np.outer(p_x, p_y)
    as_divergence = sum(P[i, j] * math.log(P[i, j] / product[i, j]) for i in range(3) for j in range(4) if P[i, j] > 0)
    assert_allclose(mutual_information(P), as_divergence, rtol=1e-10)


def columns(seed, kind):
    rng = np.random.default_rng(seed)
    x = rng.integers(-3, 4, 300)
    y = (x + rng.integers(0, 3, 300)) % 4
    names = np.array(["red", "green", "blue", "grey", "pink", "black", "white"])
    return {
        "int": (x, y),
        "spread": (x * 10**12, y),
        "text": (names[x], y),
        "object": (names[x].astype(object), names[y].astype(object)),
        "float": (x / 4, y.astype(float)),
        "bool": (x > 0, y > 1),
        "int8": ((x * 42).astype(np.int8), y.astype(np.uint8)),
    }[kind]


@pytest.mark.equation("information-gain", "information-joint-frequencies", "information-mutual-entropies")
@pytest.mark.parametrize("kind", ["int", "spread", "text", "object", "float", "bool", "int8"])
def test_gain_against_scikit_learn(kind):
    for seed in range(4):
        x, y = columns(seed, kind)
        want = mutual_info_score(x.astype(str), y.astype(str))
        assert_allclose(information_gain(x, y), want, rtol=1e-10)
        assert_allclose(information_gain(x, y, base=2), want / math.log(2), rtol=1e-10)
        P = joint_distribution(x, y)
        assert P.shape == (len(set(x.tolist())), len(set(y.tolist())))
        assert_allclose(mutual_information(P), want, rtol=1e-10)


@pytest.mark.equation("information-joint-frequencies")
def test_frequencies_stand_in_sorted_order():
    P = joint_distribution([7, -1, 7, 7, -1], ["b", "c", "a", "b", "c"])
    assert_array_equal(P, [[0.0, 0.0, 0.4], [0.2, 0.4, 0.0]])


@pytest.mark.equation("information-log-loss", "information-log-loss-signs")
@pytest.mark.parametrize("seed", range(4))
def test_log_loss_in_both_label_conventions(seed):
    rng = np.random.default_rng(seed)
    f = rng.normal(size=50)
    y = rng.integers(0, 2, 50)
    q = np.column_stack([1 - expit(f), expit(f)])
    loss = cross_entropy(np.eye(2)[y], q)
    signs = 2 * y - 1
    assert_allclose(loss, np.log1p(np.exp(-signs * f)), rtol=1e-12)
    assert_allclose(loss.mean(), log_loss(y, q), rtol=1e-12)


def test_log_loss_is_no_other_average_loss():
    # "the average loss is also known as cross-entropy": only that of -log q is
    q, y = np.array([0.9, 0.2, 0.6]), np.array([1, 0, 0])
    loss = cross_entropy(np.eye(2)[y], np.column_stack([1 - q, q])).mean()
    assert_allclose(loss, 0.4149, atol=5e-5)
    assert abs(loss - ((q - y) ** 2).mean()) > 0.2
    assert abs(loss - ((q > 0.5) != y).mean()) > 0.05


def all_kraft_lengths(K):
    """Every vector of lengths that a prefix code of K words without waste can have."""
    return [v for v in itertools.product(range(1, K), repeat=K) if sum(2.0**-b for b in v) <= 1]


@pytest.mark.equation("information-length", "information-source-coding")
@pytest.mark.parametrize("K", [2, 3, 4, 5])
def test_huffman_against_every_code(K):
    codes = np.array(all_kraft_lengths(K))
    for seed in range(20):
        p = distribution(seed, K)
        assert_allclose(expected_length(p, huffman_lengths(p)), (codes @ p).min(), rtol=1e-12)


@pytest.mark.equation("information-kraft")
@pytest.mark.parametrize("longest", [1, 2, 3])
def test_a_prefix_code_exists_exactly_if_kraft_holds(longest):
    words = ["".join(bits) for b in range(1, longest + 1) for bits in itertools.product("01", repeat=b)]
    possible = set()
    for K in (1, 2, 3, 4):
        for chosen in itertools.combinations(words, K):
            if not any(a != b and b.startswith(a) for a in chosen for b in chosen):
                possible.add(tuple(sorted(map(len, chosen))))
    for K in (1, 2, 3, 4):
        for lengths in itertools.combinations_with_replacement(range(1, longest + 1), K):
            assert (lengths in possible) == (kraft_sum(lengths) <= 1)


# --------------------------------------------------------------------------------------------------------------- laws

sizes, seeds = st.integers(2, 8), st.integers(0, 10**6)


@pytest.mark.equation("information-bounds", "information-gibbs", "information-decomposition")
@given(seeds, sizes, st.integers(0, 1))
def test_bounds_and_decomposition(seed, K, zeros):
    p, q, uniform = distribution(seed, K, zeros), distribution(seed + 1, K), np.full(K, 1 / K)
    assert -1e-12 <= entropy(p) <= math.log(K) + 1e-12
    assert kl_divergence(p, q) >= 0
    assert cross_entropy(p, q) >= entropy(p) - 1e-12
    assert_allclose(cross_entropy(p, q), entropy(p) + kl_divergence(p, q), rtol=1e-10)
    assert_allclose(kl_divergence(p, uniform), math.log(K) - entropy(p), atol=1e-12)
    assert kl_divergence(p, p) == 0
    assert_allclose(cross_entropy(p, p), entropy(p), rtol=1e-12)


@pytest.mark.equation("information-concave")
@given(seeds, sizes, st.floats(0, 1))
def test_entropy_is_concave_and_divergence_convex(seed, K, t):
    p, q, r = (distribution(seed + i, K) for i in range(3))
    mixed = t * p + (1 - t) * q
    assert entropy(mixed) >= t * entropy(p) + (1 - t) * entropy(q) - 1e-12
    assert kl_divergence(mixed, r) <= t * kl_divergence(p, r) + (1 - t) * kl_divergence(q, r) + 1e-12


@pytest.mark.equation("information-chain", "information-mutual", "information-conditioning")
@given(seeds)
def test_chain_rule_and_symmetry(seed):
    P = joint(seed)
    h_x, h_y = entropy(P.sum(axis=1)), entropy(P.sum(axis=0))
    assert_allclose(entropy(P.ravel()), h_x + conditional_entropy(P), rtol=1e-10)
    assert_allclose(entropy(P.ravel()), h_y + conditional_entropy(P.T), rtol=1e-10)
    assert_allclose(mutual_information(P), mutual_information(P.T), atol=1e-12)
    assert conditional_entropy(P) <= h_y + 1e-12
    assert mutual_information(P) <= min(h_x, h_y) + 1e-12
    assert_allclose(mutual_information(np.outer(P.sum(axis=1), P.sum(axis=0))), 0, atol=1e-12)


@pytest.mark.equation("information-conditioning")
def test_rounding_never_makes_information_negative():
    for seed in range(60):
        p, q = distribution(seed, 5), distribution(seed + 1, 7)
        assert 0 <= mutual_information(np.outer(p, q)) < 1e-14
        assert 0 <= kl_divergence(p, np.nextafter(p, 1)) < 1e-14
        r, c = 2 + seed % 7, 2 + seed % 11
        x, y = np.repeat(np.arange(r), c), np.tile(np.arange(c), r)  # each pair once: independent
        assert 0 <= information_gain(x, y) < 1e-14


@pytest.mark.equation("information-processing")
@given(seeds)
def test_processing_loses_information(seed):
    P, channel = joint(seed), np.array([distribution(seed + i, 3) for i in range(4)])
    assert mutual_information(P @ channel) <= mutual_information(P) + 1e-12
    merged = np.column_stack([P[:, 0] + P[:, 1], P[:, 2:]])
    assert mutual_information(merged) <= mutual_information(P) + 1e-12


@given(seeds, sizes)
def test_order_of_outcomes_does_not_matter(seed, K):
    p, q = distribution(seed, K), distribution(seed + 1, K)
    order = np.random.default_rng(seed).permutation(K)
    assert_allclose(entropy(p[order]), entropy(p), rtol=1e-12)
    assert_allclose(kl_divergence(p[order], q[order]), kl_divergence(p, q), rtol=1e-9, atol=1e-12)


@given(seeds)
def test_order_and_names_of_rows_do_not_matter(seed):
    x, y = columns(seed, "int")
    order = np.random.default_rng(seed).permutation(300)
    gain = information_gain(x, y)
    assert_allclose(information_gain(x[order], y[order]), gain, rtol=1e-12, atol=1e-13)
    assert_allclose(information_gain(-7 * x + 3, y), gain, rtol=1e-12, atol=1e-13)
    assert_allclose(information_gain(y, x), gain, rtol=1e-10, atol=1e-13)
    assert_allclose(information_gain(np.arange(300), y), entropy(np.bincount(y) / 300), rtol=1e-10)  # an identifier
    assert information_gain(np.zeros(300), y) == 0


@pytest.mark.equation("information-shannon-lengths", "information-source-coding", "information-kraft")
@given(seeds, st.integers(1, 30))
def test_code_lengths(seed, K):
    p = distribution(seed, K) + 1e-9
    p /= p.sum()
    H = entropy(p, base=2)
    for lengths in (shannon_lengths(p), huffman_lengths(p)):
        words = prefix_code(lengths)
        assert [len(w) for w in words] == lengths.tolist()
        assert not any(a != b and words[b].startswith(words[a]) for a in range(K) for b in range(K))
        assert kraft_sum(lengths) <= 1
        assert H - 1e-12 <= expected_length(p, lengths) < H + 1
    assert_array_equal(shannon_lengths(p), [math.ceil(-math.log2(a)) for a in p])
    assert expected_length(p, huffman_lengths(p)) <= expected_length(p, shannon_lengths(p)) + 1e-12
    assert K == 1 or kraft_sum(huffman_lengths(p)) == 1  # no leaf of the tree is left over
    assert_allclose(expected_length(p, information_content(p, base=2)), H, rtol=1e-10)
    assert_allclose(kraft_sum(information_content(p, base=2)), 1, rtol=1e-10)


@settings(max_examples=10)
@given(seeds)
def test_a_message_can_be_read_back(seed):
    rng = np.random.default_rng(seed)
    p = distribution(seed, 7)
    words = prefix_code(huffman_lengths(p + 1e-12))
    message = rng.choice(7, size=100, p=p).tolist()
    bits, read, start = "".join(words[k] for k in message), [], 0
    while start < len(bits):
        k = next(k for k, w in enumerate(words) if bits.startswith(w, start))
        read, start = [*read, k], start + len(words[k])
    assert read == message


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.equation("information-content", "information-entropy", "information-kl")
def test_certain_and_impossible_events():
    assert entropy([1, 0, 0]) == 0
    assert math.copysign(1, entropy([1, 0])) == 1  # not -0
    assert information_content(1.0) == 0
    assert information_content(0.0) == math.inf
    assert cross_entropy([1, 0], [1, 0]) == 0
    assert kl_divergence([0.5, 0.5], [1, 0]) == math.inf
    assert cross_entropy([0.5, 0.5], [1, 0]) == math.inf
    assert_allclose(kl_divergence([1, 0], [0.5, 0.5]), math.log(2), rtol=1e-14)
    assert conditional_entropy([[0.5, 0.5], [0, 0]]) == entropy([0.5, 0.5])


def test_rows_are_handled_alike():
    p = np.array([distribution(s, 4, zeros=s % 2) for s in range(5)])
    q = np.array([distribution(s, 4) for s in range(20, 25)])
    assert_array_equal(entropy(p, 2), [entropy(a, 2) for a in p])
    assert_array_equal(kl_divergence(p, q), [kl_divergence(a, b) for a, b in zip(p, q, strict=True)])
    assert_array_equal(cross_entropy(p, q[0]), [cross_entropy(a, q[0]) for a in p])
    assert_array_equal(cross_entropy(p[0], q), [cross_entropy(p[0], b) for b in q])
    assert_array_equal(entropy(np.asfortranarray(p)), entropy(p))
    assert_array_equal(entropy(np.repeat(p, 2, axis=1)[:, ::2]), entropy(p))
    assert isinstance(entropy(p[0]), float)
    assert isinstance(information_content(0.5, 2), float)


def test_tiny_probabilities_and_many_outcomes():
    tiny = np.array([1 - 1e-300, 1e-300])
    assert_allclose(entropy(tiny), 1e-300 * math.log(1e300), rtol=1e-12)
    assert_allclose(kl_divergence(tiny, [1 - 1e-15, 1e-15]), 1e-15, rtol=0.2)
    assert_allclose(kl_divergence([0.5, 0.5], tiny), math.log(0.5) - 0.5 * math.log(1e-300), rtol=1e-12)
    P = np.array([[1.0, 0.0], [0.0, 1e-200]])  # the product of the marginals underflows
    assert 0 <= mutual_information(P) < 1e-15
    assert_allclose(entropy(np.full(10**6, 1e-6), base=2), math.log2(10**6), rtol=1e-12)


def test_single_precision():
    p, q = distribution(1, 9).astype(np.float32), distribution(2, 9).astype(np.float32)
    assert_allclose(kl_divergence(p, q), kl_divergence(distribution(1, 9), distribution(2, 9)), rtol=1e-4)
    assert_allclose(entropy(p), entropy(distribution(1, 9)), rtol=1e-6)


@pytest.mark.parametrize("top", [2**63 - 1, 2**64 - 1])
def test_labels_at_the_end_of_the_integers(top):
    x = np.array([top, top - 1, top, top - 1], dtype=np.uint64)
    assert_allclose(information_gain(x, [0, 1, 0, 1], base=2), 1, rtol=1e-14)
    low = np.array([-(2**63), 2**63 - 1, -(2**63), 2**63 - 1])
    assert_allclose(information_gain(low, [0, 1, 0, 1], base=2), 1, rtol=1e-14)


def test_two_identifiers_need_no_square_table():
    n = 100_000
    x = np.random.default_rng(0).permutation(n)
    assert_allclose(information_gain(x, x[::-1]), math.log(n), rtol=1e-12)


def test_codes_of_extreme_sources():
    assert huffman_lengths([1.0]).tolist() == shannon_lengths([1.0]).tolist() == [0]
    assert prefix_code([0]) == [""]
    assert kraft_sum([0]) == 1
    fibonacci = [1, 1]
    while len(fibonacci) < 40:
        fibonacci.append(sum(fibonacci[-2:]))
    lengths = huffman_lengths(np.array(fibonacci) / sum(fibonacci))  # one merge after the other: as long as it gets
    assert sorted(lengths.tolist()) == [*range(1, 40), 39]
    assert huffman_lengths(np.full(1000, 1e-3)).max() == 10
    skew = [1 - 2.0**-1000, 2.0**-1000]
    assert shannon_lengths(skew)[1] == 1000
    assert list(map(len, prefix_code(shannon_lengths([0.5, 0.25, 0.25 - 2.0**-40, 2.0**-40])))) == [1, 2, 3, 40]


def test_ties_keep_the_longest_word_short():
    # 1/3, 1/3, 1/6, 1/6: lengths 2, 2, 2, 2 and 1, 2, 3, 3 have the same mean
    assert huffman_lengths([1 / 3, 1 / 3, 1 / 6, 1 / 6]).tolist() == [2, 2, 2, 2]
    assert prefix_code([2, 2, 2, 2]) == ["00", "01", "10", "11"]
    assert prefix_code([3, 1, 3, 2]) == ["110", "0", "111", "10"]


# ------------------------------------------------------------------------------------------------------------- errors

P2, Q3 = [0.5, 0.5], [0.2, 0.3, 0.5]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: entropy([0.5, 0.6]), ValueError, "p must be non-negative and sum to 1"),
        (lambda: entropy([1.5, -0.5]), ValueError, "p must be non-negative"),
        (lambda: entropy([np.nan, 1.0]), ValueError, "p must be non-negative"),
        (lambda: entropy([]), ValueError, "p must have shape"),
        (lambda: entropy([P2, [9, 5]]), ValueError, r"row 1 of p must be .* got \[9.0, 5.0\]: divide counts"),
        (lambda: cross_entropy(P2, [1, 1]), ValueError, "q must be non-negative and sum to 1"),
        (lambda: cross_entropy([2, 2], P2), ValueError, "p must be non-negative and sum to 1"),
        (lambda: cross_entropy(P2, Q3), ValueError, r"p and q must have the same outcomes .* \(2,\) and \(3,\)"),
        (lambda: cross_entropy([1.0], Q3), ValueError, "same outcomes"),
        (
            lambda: kl_divergence([P2, P2], [P2]),
            ValueError,
            r"same outcomes and rows, got shapes \(2, 2\) and",
        ),
        (lambda: kl_divergence(P2, [1, 1]), ValueError, "q must be"),
        (lambda: kl_divergence([1, 1], P2), ValueError, "p must be"),
        (lambda: conditional_entropy(P2), ValueError, r"joint must be a matrix .* got shape \(2,\)"),
        (lambda: conditional_entropy(np.eye(2)), ValueError, "joint must be non-negative and sum to 1"),
        (lambda: mutual_information([[[1.0]]]), ValueError, r"joint must be a matrix .* \(1, 1, 1\)"),
        (lambda: mutual_information([[0.5, 0.7], [-0.2, 0.0]]), ValueError, "joint must be non-negative"),
        (lambda: information_content([0.5, 1.5]), ValueError, "p must hold probabilities from 0 to 1"),
        (lambda: information_content(-0.1), ValueError, "p must hold probabilities from 0 to 1"),
        (lambda: information_content(np.nan), ValueError, "p must hold probabilities from 0 to 1"),
        (lambda: information_gain([1, 2], [[1], [2]]), ValueError, "columns of one length"),
        (lambda: information_gain([1, 2], [1, 2, 3]), ValueError, r"columns of one length .* \(2,\) and \(3,\)"),
        (lambda: information_gain([], []), ValueError, "at least one row"),
        (lambda: information_gain([[1], [2]], [[1], [2]]), ValueError, "x and y must be columns"),
        (lambda: information_gain([1, 2], [0.5, np.nan]), ValueError, "y holds NaN: give missing values"),
        (lambda: information_gain(["a", None], [1, 2]), TypeError, "x mixes types that cannot be sorted: convert"),
        (lambda: joint_distribution([1.0, np.nan], [1, 2]), ValueError, "x holds NaN"),
        (lambda: joint_distribution([1, 2], [1]), ValueError, "columns of one length"),
        (lambda: joint_distribution([1, 2], np.array([1, "a"], dtype=object)), TypeError, "y mixes types"),
        (lambda: shannon_lengths([1, 0]), ValueError, "p must be positive and sum to 1"),
        (lambda: huffman_lengths([1, 0]), ValueError, "p must be positive and sum to 1"),
        (lambda: shannon_lengths([P2]), ValueError, r"p must be one distribution, got shape \(1, 2\)"),
        (lambda: huffman_lengths([P2]), ValueError, "p must be one distribution"),
        (lambda: kraft_sum([]), ValueError, "lengths must be a column of finite numbers"),
        (lambda: kraft_sum([1, -1]), ValueError, "lengths must be a column .* none negative"),
        (lambda: kraft_sum([[1, 1]]), ValueError, "lengths must be a column"),
        (lambda: expected_length(P2, [1, np.inf]), ValueError, "lengths must be a column of finite"),
        (lambda: expected_length(P2, [1, 1, 1]), ValueError, r"p must have shape \(3,\), got \(2,\)"),
        (lambda: expected_length([1, 1], [1, 1]), ValueError, "p must be non-negative and sum to 1"),
        (lambda: prefix_code([1, 1.5]), ValueError, "lengths must be whole numbers of bits: round them up"),
        (lambda: prefix_code([1, 1, 2]), ValueError, r"violate Kraft's inequality, .* is 1.25 > 1: lengthen a word"),
        (lambda: prefix_code([0, 1]), ValueError, "violate Kraft's inequality"),
        (lambda: prefix_code([1, 1, 60]), ValueError, "violate Kraft's inequality"),
        (lambda: prefix_code([-1]), ValueError, "none negative"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("base", "error", "message"),
    [
        (1, ValueError, "base must be greater than 1, got 1: 2 gives bits"),
        (0.5, ValueError, "base must be finite and at least 1, got 0.5"),
        (np.inf, ValueError, "base must be finite"),
        (np.nan, ValueError, "base must be finite"),
        ("bits", TypeError, "base must be a number, got 'bits'"),
    ],
)
def test_bad_base(base, error, message):
    calls = [
        lambda: entropy(P2, base),
        lambda: cross_entropy(P2, P2, base),
        lambda: kl_divergence(P2, P2, base),
        lambda: conditional_entropy([P2, [0, 0]], base),
        lambda: mutual_information([P2, [0, 0]], base),
        lambda: information_gain([1, 2], [1, 2], base),
        lambda: information_content(0.5, base),
    ]
    for call in calls:
        with pytest.raises(error, match=message):
            call()
