"""Hidden Markov models: published numbers, independent routes, laws, extremes, errors."""

import itertools
import pickle

import hmmlearn.hmm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, norm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from notes_lib.sequences.hmm import (
    CategoricalHMM,
    GaussianHMM,
    backward,
    backward_step,
    best_path,
    e_step,
    expected_transitions,
    filtering,
    forward,
    forward_step,
    gaussian_m_step,
    is_irreducible,
    joint_log_probability,
    lanes,
    normalize_counts,
    period,
    posterior,
    second_eigenvalue,
    smoothing,
    stationary_distribution,
    symbol_counts,
    viterbi,
    viterbi_step,
)
from notes_lib.sequences.hmm.base import draw_categories


def make(pi, A, B, **kw):
    model = CategoricalHMM(len(pi), **kw)
    model.startprob_, model.transmat_, model.emissionprob_ = np.array(pi), np.array(A), np.array(B)
    return model


def log(values):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(values, dtype=float))


def random_model(seed, K=3, M=4, zeros=0.0):
    """A start distribution, a transition and an emission matrix; a share of the transitions can be impossible."""
    rng = np.random.default_rng(seed)
    A = rng.dirichlet(np.ones(K), size=K)
    A = np.where((rng.random((K, K)) < zeros) & ~np.eye(K, dtype=bool), 0.0, A)
    return rng.dirichlet(np.ones(K)), A / A.sum(axis=1, keepdims=True), rng.dirichlet(np.ones(M), size=K)


def enumerated(pi, A, E):
    """All K^T paths and the probability of each with the observations; E (T, K) is not logarithmic."""
    T, K = E.shape
    paths = np.array(list(itertools.product(range(K), repeat=T)))
    p = pi[paths[:, 0]] * E[np.arange(T), paths].prod(axis=1)
    return paths, p * A[paths[:, :-1], paths[:, 1:]].prod(axis=1)


def plain(pi, A, E):
    """The recursions of the chapter, one step after another, scaled: filtered, messages, log-scale, summed xi."""
    T, K = E.shape
    alpha, beta, c = np.empty((T, K)), np.full((T, K), 1 / K), np.empty(T)
    for t in range(T):
        a = forward_step(alpha[t - 1], A, E[t]) if t else pi * E[0]
        c[t] = a.sum()
        alpha[t] = a / c[t]
    for t in range(T - 2, -1, -1):
        b = backward_step(beta[t + 1], A, E[t + 1])
        beta[t] = b / b.sum()
    joint = alpha[:-1, :, None] * A * (E[1:] * beta[1:])[:, None, :]  # (T - 1, K, K)
    xi = (joint / joint.sum(axis=(1, 2), keepdims=True)).sum(axis=0)
    return alpha, beta, np.log(c), xi


def plain_viterbi(pi, A, E):
    """Viterbi by logarithms, one step after another: probability of the best path."""
    log_A, log_E = log(A), log(E)
    delta = log(pi) + log_E[0]
    for log_e in log_E[1:]:
        delta = (delta[:, None] + log_A).max(axis=0) + log_e
    return delta.max()


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("hmm-forward", "hmm-evaluation", "hmm-viterbi", "hmm-pointer", "hmm-backtrack")
def test_li_hang_balls_in_boxes():
    # Li Hang, Statistical Learning Methods, examples 10.2 and 10.3: red, white, red
    pi, A, B = (
        [0.2, 0.4, 0.4],
        [[0.5, 0.2, 0.3], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]],
        [[0.5, 0.5], [0.4, 0.6], [0.7, 0.3]],
    )
    E = np.array(B).T[[0, 1, 0]]
    alpha = [np.array(pi) * E[0]]
    delta, pointers = [alpha[0]], []
    for e in E[1:]:
        alpha.append(forward_step(alpha[-1], A, e))
        d, pointer = viterbi_step(delta[-1], A, e)
        delta.append(d)
        pointers.append(pointer)
    assert_allclose(alpha, [[0.1, 0.16, 0.28], [0.077, 0.1104, 0.0606], [0.04187, 0.03551, 0.05284]], rtol=0, atol=6e-6)
    assert_allclose(np.exp(forward(pi, A, log(E)).log_likelihood), 0.13022, rtol=0, atol=6e-6)
    assert_allclose(delta, [[0.1, 0.16, 0.28], [0.028, 0.0504, 0.042], [0.00756, 0.01008, 0.0147]], rtol=0, atol=6e-6)
    best = viterbi(pi, A, log(E))
    assert_array_equal(best.path + 1, [3, 3, 3])
    assert_array_equal([pointers[1][2], pointers[0][2]], [2, 2])
    assert_allclose(np.exp(best.log_probability), 0.0147, rtol=1e-12)


@pytest.mark.equation("hmm-filter", "hmm-predict", "hmm-backward", "hmm-posterior")
def test_umbrella_world():
    # Wikipedia, "Forward-backward algorithm" (Russell and Norvig's umbrella). There the prior is for day 0, so one
    # transition comes before the first observation: the start distribution here is prior A.
    A, B = np.array([[0.7, 0.3], [0.3, 0.7]]), np.array([[0.9, 0.1], [0.2, 0.8]])
    start = np.array([0.5, 0.5]) @ A
    E = log(B.T[[0, 0, 1, 0, 0]])
    f, b = forward(start, A, E), backward(A, E)
    filtered = [[0.8182, 0.1818], [0.8834, 0.1166], [0.1907, 0.8093], [0.7308, 0.2692], [0.8673, 0.1327]]
    messages = [[0.5923, 0.4077], [0.3763, 0.6237], [0.6533, 0.3467], [0.6273, 0.3727], [0.5, 0.5]]
    smoothed = [[0.8673, 0.1327], [0.8204, 0.1796], [0.3075, 0.6925], [0.8204, 0.1796], [0.8673, 0.1327]]
    assert_allclose(f.filtered, filtered, rtol=0, atol=6e-5)
    assert_allclose(b.messages, messages, rtol=0, atol=6e-5)  # the last row is (1, 1) there, not normalised
    assert_allclose(posterior(f.filtered, b.messages), smoothed, rtol=0, atol=6e-5)
    before = A @ (B[:, 0] * b.messages[0])  # day 0: the message of the whole sequence
    assert_allclose(before / before.sum(), [0.6469, 0.3531], rtol=0, atol=6e-5)
    assert_array_equal(viterbi(start, A, E).path, [0, 0, 1, 0, 0])
    d = f.filtered[0]
    for e, expected in zip(
        B.T[[0, 1, 0, 0]], [[0.5155, 0.0491], [0.0361, 0.1237], [0.0334, 0.0173], [0.021, 0.0024]], strict=True
    ):
        d = viterbi_step(d, A, e)[0]
        assert_allclose(d, expected, rtol=0, atol=6e-5)


@pytest.mark.equation("hmm-log-viterbi", "hmm-backtrack")
def test_gc_rich_regions():
    # Borodovsky and Ekisheva (2006), Problems and Solutions in Biological Sequence Analysis, p. 80: GGCACTGAA
    pi, A, B = [0.5, 0.5], [[0.5, 0.5], [0.4, 0.6]], np.array([[0.2, 0.3, 0.3, 0.2], [0.3, 0.2, 0.2, 0.3]])
    x = [2, 2, 1, 0, 1, 3, 2, 0, 0]
    best = viterbi(pi, A, log(B.T[x]))
    assert_array_equal(best.path, [0, 0, 0, 1, 1, 1, 1, 1, 1])
    assert_allclose(np.exp(best.log_probability), 4.25e-8, rtol=0, atol=6e-11)
    assert_allclose(best.log_probability / np.log(2), -24.49, rtol=0, atol=0.012)
    assert_allclose(np.exp(forward(pi, A, log(B.T[x[:4]])).log_likelihood), 0.0038432, rtol=0, atol=6e-8)
    high = [-2.73, -5.47, -8.21, -11.53, -14.01, None, None, None, -25.65]
    low = [-3.32, -6.06, -8.79, -10.94, -14.01, None, None, None, -24.49]
    delta = np.array(pi) * B[:, x[0]]
    for t, expected in enumerate(zip(high, low, strict=True)):
        if t:
            delta = viterbi_step(delta, A, B[:, x[t]])[0]
        if expected[0] is not None:
            assert_allclose(np.log2(delta), expected, rtol=0, atol=0.012)


@pytest.mark.equation("hmm-chain", "hmm-duration", "hmm-stationary")
def test_rabiner_weather():
    # Rabiner (1989), section II: sun, sun, sun, rain, rain, sun, cloudy, sun, given that the first day is sunny
    A = np.array([[0.4, 0.3, 0.3], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]])
    certain = np.where(np.eye(3)[[2, 2, 2, 0, 0, 2, 1, 2]] == 1, 0.0, -np.inf)  # the weather is seen
    assert_allclose(np.exp(forward([0, 0, 1], A, certain).log_likelihood), 1.536e-4, rtol=1e-12)
    assert_allclose(1 / (1 - np.diag(A)), [1.67, 2.5, 5], rtol=0, atol=0.006)
    p = stationary_distribution(A)
    assert_allclose(p @ A, p, rtol=1e-12)


def sparse_chain(seed, K):
    """A random chain in which many transitions are impossible; of every third, all that keep the parity."""
    rng = np.random.default_rng(seed)
    possible = rng.random((K, K)) < 0.35
    if seed % 3 == 0:
        possible = np.add.outer(np.arange(K), np.arange(K)) % 2 == 1
    possible[np.arange(K), (np.arange(K) + 1) % K] |= ~possible.any(axis=1)  # every state leads somewhere
    A = np.where(possible, rng.uniform(0.2, 1.0, (K, K)), 0.0)
    return A / A.sum(axis=1, keepdims=True)


def ring(lengths):
    """Ways of several lengths that leave state 0 and come back to it."""
    K = 1 + sum(n - 1 for n in lengths)
    A, free = np.zeros((K, K)), iter(range(1, K))
    for n in lengths:
        way = [0, *(next(free) for _ in range(n - 1)), 0]
        A[way[:-1], way[1:]] += 1
    return A / A.sum(axis=1, keepdims=True)


@pytest.mark.equation("hmm-stationary")
@pytest.mark.parametrize("seed", range(60))
def test_irreducible_and_aperiodic_by_powers_of_the_matrix(seed):
    K = 2 + seed % 4
    A = sparse_chain(seed, K)
    steps = [np.linalg.matrix_power(A > 0, n).astype(bool) for n in range(1, K * K + 1)]
    everywhere = np.any(steps[:K], axis=0).all()
    assert is_irreducible(A) == everywhere
    if everywhere:
        assert (period(A) == 1) == bool(steps[K * K - 2 * K + 1].all())  # Wielandt: this power decides
        assert period(A) == np.gcd.reduce([n for n, step in enumerate(steps, 1) if step[K - 1, K - 1]])
        assert (second_eigenvalue(A) < 1 - 1e-9) == (period(A) == 1)


def test_sparse_chains_are_of_every_kind():
    chains = [sparse_chain(seed, 2 + seed % 4) for seed in range(60)]
    kinds = [period(A) if is_irreducible(A) else 0 for A in chains]
    assert {0, 1, 2} <= set(kinds)


@pytest.mark.parametrize(
    ("lengths", "expected"), [([4], 4), ([2, 4], 2), ([6, 9], 3), ([2, 3], 1), ([1], 1), ([1, 5], 1)]
)
def test_period_is_the_common_divisor_of_the_ways_back(lengths, expected):
    A = ring(lengths)
    assert period(A) == expected
    on_circle = np.abs(np.abs(np.linalg.eigvals(A)) - 1) < 1e-9
    assert on_circle.sum() == expected  # Perron and Frobenius: as many eigenvalues of modulus 1


@pytest.mark.equation("hmm-stationary", "hmm-two-states")
@pytest.mark.parametrize("rate", [1e-6, 1e-12, 1e-15, 1e-17, 1e-100])
def test_stationary_distribution_of_chains_that_hardly_ever_move(rate):
    A = np.array([[1 - rate, rate], [3 * rate, 1 - 3 * rate]])
    assert_allclose(stationary_distribution(A), [0.75, 0.25], rtol=1e-14)
    three = [[0.5 - rate, 0.5, rate], [0.25, 0.75, 0.0], [2 * rate, 0.0, 1 - 2 * rate]]  # a tree: each flow goes back
    assert_allclose(stationary_distribution(three), [2 / 7, 4 / 7, 1 / 7], rtol=1e-14)


def test_stationary_distribution_leaves_out_what_the_chain_leaves_for_ever():
    A = [[0.5, 0.25, 0.25, 0.0], [0.0, 0.9, 0.0, 0.1], [0.0, 0.0, 0.5, 0.5], [0.0, 0.2, 0.0, 0.8]]
    s = stationary_distribution(A)
    assert_array_equal(s[[0, 2]], 0.0)
    assert_allclose(s[[1, 3]], [2 / 3, 1 / 3], rtol=1e-14)
    assert_array_equal(stationary_distribution([[1.0]]), [1.0])


@pytest.mark.equation("hmm-two-states", "hmm-forgetting")
@pytest.mark.parametrize(("leave", "back"), [(0.3, 0.2), (0.9, 0.8), (0.5, 0.5), (1.0, 1.0), (0.05, 0.1)])
def test_two_states_in_closed_form(leave, back):
    A = np.array([[1 - leave, leave], [back, 1 - back]])
    s = np.array([back, leave]) / (leave + back)
    assert_allclose(stationary_distribution(A), s, rtol=1e-12)
    assert_allclose(second_eigenvalue(A), abs(1 - leave - back), rtol=0, atol=1e-12)
    p = np.array([0.9, 0.1])
    for _ in range(5):
        p, before = p @ A, p
        assert_allclose(p - s, (1 - leave - back) * (before - s), rtol=0, atol=1e-12)


def test_second_eigenvalue_is_the_rate_of_forgetting():
    rng = np.random.default_rng(0)
    A = rng.dirichlet(np.ones(4), 4)
    far = [np.abs(np.linalg.matrix_power(A, n) - stationary_distribution(A)).max() for n in (8, 16)]
    assert_allclose((far[1] / far[0]) ** (1 / 8), second_eigenvalue(A), rtol=0.05)
    assert second_eigenvalue([[1.0]]) == 0
    assert second_eigenvalue(np.eye(3)) == 1


@pytest.mark.equation("hmm-update-map")
def test_pseudo_counts_are_the_update_of_a_dirichlet_prior():
    pi, A, B = random_model(3)
    x = np.random.default_rng(4).integers(0, 4, 40)
    settings = {"init_params": "", "n_iter": 1, "n_features": 4}
    peer = hmmlearn.hmm.CategoricalHMM(
        3, startprob_prior=1.5, transmat_prior=np.array([[3.0, 1.0, 1.2]] * 3), emissionprob_prior=2.0, **settings
    )
    peer.startprob_, peer.transmat_, peer.emissionprob_ = pi, A, B
    step = e_step(pi, A, log(B[:, x].T))
    peer.fit(x[:, None])
    assert_allclose(normalize_counts(step.start + 0.5, pi), peer.startprob_, rtol=1e-9)
    assert_allclose(normalize_counts(step.transitions + np.array([2.0, 0.0, 0.2]), A), peer.transmat_, rtol=1e-9)
    assert_allclose(normalize_counts(symbol_counts(x, step.posterior, 4) + 1, B), peer.emissionprob_, rtol=1e-9)


@pytest.mark.equation("hmm-viterbi", "hmm-pointer")
def test_fever():
    # Wikipedia, "Viterbi algorithm": normal, cold, dizzy
    pi, A, B = np.array([0.6, 0.4]), [[0.7, 0.3], [0.4, 0.6]], np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
    best = viterbi(pi, A, log(B.T))
    assert_array_equal(best.path, [0, 0, 1])
    assert_allclose(np.exp(best.log_probability), 0.01512, rtol=1e-12)
    d = pi * B[:, 0]
    assert_allclose(d, [0.3, 0.04], rtol=1e-12)
    for x, expected in [(1, [0.084, 0.027]), (2, [0.00588, 0.01512])]:
        d, pointer = viterbi_step(d, A, B[:, x])
        assert_allclose(d, expected, rtol=1e-12)
        assert_array_equal(pointer, [0, 0])  # to both from healthy, although a healthy day follows best from healthy


@pytest.mark.equation("hmm-forward", "hmm-viterbi")
def test_ice_cream_of_jurafsky_and_martin():
    # Speech and Language Processing, 3rd edition draft, appendix A: 3, 1, 3 ice creams; states hot, cold
    pi, A, B = np.array([0.8, 0.2]), [[0.6, 0.4], [0.5, 0.5]], np.array([[0.2, 0.4, 0.4], [0.5, 0.4, 0.1]])
    alpha = pi * B[:, 2]
    assert_allclose(alpha, [0.32, 0.02], rtol=1e-9)
    assert_allclose(forward_step(alpha, A, B[:, 0]), [0.0404, 0.069], rtol=1e-9)
    assert_allclose(viterbi_step(alpha, A, B[:, 0])[0], [0.0384, 0.064], rtol=1e-9)
    assert_allclose(forward(pi, A, log(B.T[[2, 0]])).filtered[1], np.array([0.0404, 0.069]) / 0.1094, rtol=1e-9)


DIARY = "233232322313311121113121112332322"  # ice creams a day


def eisner(start, n_iter, tol=0.0):
    """Eisner's stop probabilities as an absorbing state END that emits a fourth symbol, written after the diary."""
    A = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0, 0, 1]]
    B = [[0.7, 0.2, 0.1, 0], [0.1, 0.2, 0.7, 0], [0, 0, 0, 1]]
    model = make([*start, 0.0], A, B, init_params="", n_iter=n_iter, tol=tol)
    X = np.array([[int(c) - 1] for c in DIARY] + [[3]])
    score = model.score(X)
    with pytest.warns(ConvergenceWarning, match="n_iter"):
        model.fit(X)
    return score, model


@pytest.mark.equation("hmm-xi", "hmm-update-startprob", "hmm-update-transmat", "hmm-update-emission", "hmm-end")
def test_eisners_ice_cream():
    # J. Eisner (2002), the spreadsheet; numbers stored in rust-bio's tests, which mix two starts
    score, once = eisner([0.5, 0.5], 1)
    assert_allclose(np.exp(score), 9.12e-19, rtol=0, atol=1e-20)
    assert_allclose(once.emissionprob_[:2, :3], [[0.6765, 0.2188, 0.1047], [0.0584, 0.4251, 0.5165]], rtol=0, atol=6e-5)
    assert_allclose(once.transmat_[:2, 2], [0.0153, 0.0423], rtol=0, atol=6e-5)
    _, other = eisner([0.3, 0.7], 1)
    assert_allclose(other.startprob_[:2], [0.0597, 0.9403], rtol=0, atol=6e-5)
    assert_allclose(other.transmat_[:2, :2], [[0.8797, 0.1049], [0.0921, 0.8658]], rtol=0, atol=6e-5)
    _, ten = eisner([0.5, 0.5], 10)
    assert_allclose(ten.startprob_, [0, 1, 0], rtol=0, atol=8e-4)
    assert_allclose(ten.transmat_[:2], [[0.9337, 0.0663, 0], [0.0718, 0.865, 0.0632]], rtol=0, atol=8e-4)
    assert_allclose(ten.emissionprob_[:2, :3], [[0.6407, 0.1481, 0.2112], [0.00015, 0.5341, 0.4657]], rtol=0, atol=8e-4)
    for model in (once, other, ten):  # END never leaves and emits its own symbol: zero counts keep the old rows
        assert_array_equal(model.transmat_[2], [0, 0, 1])
        assert_array_equal(model.emissionprob_[2], [0, 0, 0, 1])
        assert_array_equal(model.emissionprob_[:2, 3], [0, 0])


@pytest.mark.equation("hmm-joint", "hmm-evaluation")
def test_smile_joint_probability():
    # stored in the unit test HMMTest of Smile
    pi, A, B = [0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]], np.array([[0.6, 0.4], [0.4, 0.6]])
    E = log(B.T[[0, 0, 1, 1, 0, 1, 1, 0]])
    joint = joint_log_probability(pi, A, E, [0, 0, 1, 1, 1, 1, 1, 0])
    assert_allclose(np.exp(joint), 7.33836e-05, rtol=0, atol=1e-10)
    assert_allclose(joint, -9.51981, rtol=0, atol=1e-5)
    assert_allclose(forward(pi, A, E).log_likelihood, -5.609373, rtol=0, atol=1e-6)
    # Smile reports the path of all zeros; all ones has exactly the same probability
    best = viterbi(pi, A, E)
    assert_allclose(best.log_probability, joint_log_probability(pi, A, E, [0] * 8), rtol=1e-12)
    assert len(set(best.path.tolist())) == 1


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation(
    "hmm-joint", "hmm-evaluation", "hmm-forward", "hmm-backward", "hmm-posterior", "hmm-xi", "hmm-viterbi"
)
@pytest.mark.parametrize("zeros", [0.0, 0.5])
@pytest.mark.parametrize("seed", range(5))
def test_enumeration_of_all_paths(seed, zeros):
    pi, A, B = random_model(seed, K=3, M=4, zeros=zeros)
    x = np.random.default_rng(seed).integers(0, 4, 6)
    E = B.T[x]
    paths, p = enumerated(pi, A, E)
    total = p.sum()
    f, b = forward(pi, A, log(E)), backward(A, log(E))
    assert_allclose(np.exp(f.log_likelihood), total, rtol=1e-11)
    best = viterbi(pi, A, log(E))
    assert_array_equal(best.path, paths[p.argmax()])
    assert_allclose(np.exp(best.log_probability), p.max(), rtol=1e-11)
    step = e_step(pi, A, log(E))
    xi = expected_transitions(A, log(E), f.filtered, b.messages)
    for t in range(6):
        head, weight = enumerated(pi, A, E[: t + 1])
        filtered = [weight[head[:, t] == k].sum() / weight.sum() for k in range(3)]
        assert_allclose(f.filtered[t], filtered, rtol=1e-10, atol=1e-13)
        assert_allclose(np.exp(f.log_scale[: t + 1].sum()), weight.sum(), rtol=1e-10)
        smoothed = [p[paths[:, t] == k].sum() / total for k in range(3)]
        assert_allclose(step.posterior[t], smoothed, rtol=1e-10, atol=1e-13)
        assert_allclose(posterior(f.filtered, b.messages)[t], smoothed, rtol=1e-10, atol=1e-13)
        for k in range(3):  # beta by its definition: start in k with certainty, emit from the next step on
            rest = enumerated(A[k], A, E[t + 1 :])[1].sum() if t < 5 else 1.0
            assert_allclose(b.messages[t, k] * np.exp(b.log_scale[t]), rest, rtol=1e-10, atol=1e-15)
        if t < 5:
            pairs = [[p[(paths[:, t] == i) & (paths[:, t + 1] == j)].sum() / total for j in range(3)] for i in range(3)]
            assert_allclose(xi[t], pairs, rtol=1e-10, atol=1e-13)
    assert_allclose(step.transitions, xi.sum(axis=0), rtol=1e-10, atol=1e-13)
    assert_allclose(step.start, step.posterior[0], rtol=1e-12)


LAYOUTS = [[1], [2], [700], [1, 1, 3], [5, 1300, 64, 2], [100] * 20, [65] * 3]


@pytest.mark.equation("hmm-predict", "hmm-scale", "hmm-filter", "hmm-posterior", "hmm-xi", "hmm-scaled-likelihood")
@pytest.mark.parametrize("lengths", LAYOUTS, ids=str)
@pytest.mark.parametrize("K", [1, 2, 5])
def test_fast_form_equals_the_plain_recursions(lengths, K):
    pi, A, B = random_model(K, K=K, M=6)
    x = np.random.default_rng(len(lengths)).integers(0, 6, sum(lengths))
    E = B.T[x]
    step = e_step(pi, A, log(E), lengths)
    ends = np.cumsum(lengths)
    total, start = np.zeros((K, K)), np.zeros(K)
    for n, (end, size) in enumerate(zip(ends, lengths, strict=True)):
        rows = slice(end - size, end)
        alpha, beta, log_c, xi = plain(pi, A, E[rows])
        gamma = alpha * beta / (alpha * beta).sum(axis=1, keepdims=True)
        assert_allclose(step.posterior[rows], gamma, rtol=1e-10, atol=1e-12)
        assert_allclose(step.log_likelihood[n], log_c.sum(), rtol=1e-10)
        total += xi
        start += gamma[0]
        f, b = forward(pi, A, log(E[rows])), backward(A, log(E[rows]))
        assert_allclose(f.filtered, alpha, rtol=1e-10, atol=1e-12)
        assert_allclose(f.log_scale, log_c, rtol=1e-10, atol=1e-12)
        assert_allclose(b.messages, beta, rtol=1e-10)
    assert_allclose(step.transitions, total, rtol=1e-10, atol=1e-10)
    assert_allclose(step.start, start, rtol=1e-10, atol=1e-12)


@pytest.mark.equation("hmm-log-viterbi", "hmm-backtrack", "hmm-joint")
@pytest.mark.parametrize("lengths", LAYOUTS, ids=str)
@pytest.mark.parametrize("K", [1, 2, 5])
def test_fast_viterbi_finds_the_best_path(lengths, K):
    pi, A, B = random_model(10 + K, K=K, M=6)
    model = make(pi, A, B)
    x = np.random.default_rng(len(lengths)).integers(0, 6, sum(lengths))
    log_probability, z = model.decode(x, lengths)
    best = 0.0
    for end, size in zip(np.cumsum(lengths), lengths, strict=True):
        E = B.T[x[end - size : end]]
        best += plain_viterbi(pi, A, E)
        own = joint_log_probability(pi, A, log(E), z[end - size : end])
        assert_allclose(own, plain_viterbi(pi, A, E), rtol=1e-12, atol=1e-10)
    assert_allclose(log_probability, best, rtol=1e-12, atol=1e-10)
    assert_array_equal(model.predict(x[:, None], lengths), z)


@pytest.mark.parametrize("implementation", ["log", "scaling"])
@pytest.mark.parametrize("seed", range(3))
def test_categorical_as_hmmlearn(seed, implementation):
    pi, A, B = random_model(seed, K=3, M=5)
    X, lengths = make(pi, A, B).sample(600, random_state=seed)[0], [250, 1, 349]
    start = random_model(seed + 50, K=3, M=5)
    ours = make(*start, init_params="", n_iter=20, tol=0.0, n_features=5)
    peer = hmmlearn.hmm.CategoricalHMM(
        3, n_features=5, init_params="", n_iter=20, tol=-np.inf, implementation=implementation
    )
    peer.startprob_, peer.transmat_, peer.emissionprob_ = start
    assert_allclose(ours.score(X, lengths), peer.score(X, lengths), rtol=1e-11)
    assert_allclose(ours.predict_proba(X, lengths), peer.predict_proba(X, lengths), rtol=1e-8, atol=1e-12)
    assert_allclose(ours.decode(X, lengths)[0], peer.decode(X, lengths)[0], rtol=1e-11)
    z = ours.predict(X, lengths)  # not compared state by state: exchanging two equal pieces of a path makes exact ties
    own = [
        joint_log_probability(*start[:2], log(start[2].T[X[a:b, 0]]), z[a:b])
        for a, b in [(0, 250), (250, 251), (251, 600)]
    ]
    assert_allclose(sum(own), peer.decode(X, lengths)[0], rtol=1e-11)
    assert_allclose(ours.bic(X, lengths), peer.bic(X, lengths), rtol=1e-11)
    assert_allclose(ours.aic(X, lengths), peer.aic(X, lengths), rtol=1e-11)
    with pytest.warns(ConvergenceWarning):
        ours.fit(X, lengths)
    peer.fit(X, lengths)
    for name in ("startprob_", "transmat_", "emissionprob_"):
        assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-6, atol=1e-10, err_msg=name)
    assert_allclose(ours.monitor_.history, peer.monitor_.history, rtol=1e-9)


def gaussian(seed, kind, K=3, d=2):
    rng = np.random.default_rng(seed)
    model = GaussianHMM(K, kind)
    model.startprob_, model.transmat_ = rng.dirichlet(np.ones(K)), rng.dirichlet(np.ones(K), size=K)
    model.means_ = 2 * rng.normal(size=(K, d))
    if kind in ("diag", "spherical"):
        model.covars_ = rng.uniform(0.5, 2, size=(K, d) if kind == "diag" else K)
    else:
        W = rng.normal(size=(K, d, d) if kind == "full" else (d, d))
        model.covars_ = W @ np.swapaxes(W, -1, -2) + 0.5 * np.eye(d)
    return model


KINDS = ("diag", "full", "spherical", "tied")


def matrices(model):
    """The covariance of each state as a matrix (K, d, d)."""
    K, d = model.means_.shape
    if model.covariance_type == "tied":
        return np.array([model.covars_] * K)
    return model.covars_ if model.covariance_type == "full" else np.array([v * np.eye(d) for v in model.covars_])


@pytest.mark.equation("hmm-gaussian", "hmm-update-mean", "hmm-update-covariance")
@pytest.mark.parametrize("kind", KINDS)
def test_gaussian_as_hmmlearn(kind):
    X, lengths = gaussian(1, kind).sample(500, random_state=0)[0], [200, 300]
    ours = gaussian(2, kind).set_params(init_params="", n_iter=10, tol=0.0, min_covar=0.0)
    # its priors at values that have no effect
    peer = hmmlearn.hmm.GaussianHMM(
        3, kind, init_params="", n_iter=10, tol=-np.inf, covars_prior=0.0, covars_weight=1.0
    )
    peer.startprob_, peer.transmat_, peer.means_ = ours.startprob_, ours.transmat_, ours.means_
    peer.covars_ = ours.covars_
    assert_allclose(ours.score(X, lengths), peer.score(X, lengths), rtol=1e-11)
    assert_allclose(ours.predict_proba(X, lengths), peer.predict_proba(X, lengths), rtol=1e-8, atol=1e-12)
    assert_array_equal(ours.predict(X, lengths), peer.predict(X, lengths))
    assert_allclose(ours.bic(X, lengths), peer.bic(X, lengths), rtol=1e-11)
    with pytest.warns(ConvergenceWarning):
        ours.fit(X, lengths)
    peer.fit(X, lengths)
    assert_allclose(ours.monitor_.history, peer.monitor_.history, rtol=1e-10)
    assert_allclose(ours.transmat_, peer.transmat_, rtol=1e-6, atol=1e-10)
    assert_allclose(ours.means_, peer.means_, rtol=1e-6, atol=1e-8)
    # the peer reads (K, d, d) in all cases; after a fit it keeps a spherical variance d times and reads it as often
    theirs = peer.covars_[:: 2 if kind == "spherical" else 1]
    assert_allclose(matrices(ours), theirs, rtol=1e-6, atol=1e-8)


@pytest.mark.equation(
    "hmm-update-startprob", "hmm-update-transmat", "hmm-update-mean", "hmm-update-covariance", "hmm-q"
)
@pytest.mark.parametrize("kind", KINDS)
def test_one_gaussian_update_by_the_formulas(kind):
    model = gaussian(3, kind).set_params(init_params="", n_iter=1, min_covar=0.0)
    X, lengths = gaussian(4, kind).sample(60, random_state=1)[0], [20, 40]
    mu, S = model.means_, matrices(model)
    E = np.column_stack([multivariate_normal(mu[k], S[k]).pdf(X) for k in range(3)])
    gamma, xi, start = np.empty((60, 3)), np.zeros((3, 3)), np.zeros(3)
    for rows in (slice(0, 20), slice(20, 60)):
        alpha, beta, _, transitions = plain(model.startprob_, model.transmat_, E[rows])
        gamma[rows] = alpha * beta / (alpha * beta).sum(axis=1, keepdims=True)
        xi += transitions
        start += gamma[rows][0]
    with pytest.warns(ConvergenceWarning):
        model.fit(X, lengths)
    assert_allclose(model.startprob_, start / 2, rtol=1e-9)
    assert_allclose(model.transmat_, xi / xi.sum(axis=1, keepdims=True), rtol=1e-9)
    scatters = []
    for k in range(3):
        weight = gamma[:, k] / gamma[:, k].sum()
        mean = weight @ X
        scatters.append((weight * (X - mean).T) @ (X - mean))
        assert_allclose(model.means_[k], mean, rtol=1e-9)
    updated = {
        "diag": [np.diag(scatter) for scatter in scatters],
        "full": scatters,
        "spherical": [np.trace(scatter) / 2 for scatter in scatters],
        "tied": np.tensordot(gamma.sum(axis=0) / 60, scatters, axes=1),
    }
    assert_allclose(model.covars_, updated[kind], rtol=1e-9, atol=1e-12)


@pytest.mark.equation("hmm-update-emission")
def test_counts_by_loops():
    rng = np.random.default_rng(0)
    x, gamma = rng.integers(0, 3, 40), rng.dirichlet(np.ones(2), size=40)
    counts = np.zeros((2, 4))
    for t in range(40):
        counts[:, x[t]] += gamma[t]
    assert_allclose(symbol_counts(x[:, None], gamma, 4), counts, rtol=1e-12)


@pytest.mark.equation("hmm-chain", "hmm-emission", "hmm-stationary")
def test_samples_have_the_frequencies_of_the_model():
    pi, A, B = [0.2, 0.8], np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([[0.7, 0.3, 0.0], [0.1, 0.1, 0.8]])
    X, z = make(pi, A, B).sample(40_000, random_state=0)
    assert X.shape == (40_000, 1)
    for i in range(2):
        after = z[1:][z[:-1] == i]
        assert_allclose(np.bincount(after, minlength=2) / len(after), A[i], rtol=0, atol=4 * 0.5 / np.sqrt(len(after)))
        seen = X[z == i, 0]
        assert_allclose(np.bincount(seen, minlength=3) / len(seen), B[i], rtol=0, atol=4 * 0.5 / np.sqrt(len(seen)))
    assert not (X[z == 0] == 2).any()
    assert_allclose(np.bincount(z) / len(z), stationary_distribution(A), rtol=0, atol=0.02)
    first = [make(pi, A, B, random_state=s).sample()[1][0] for s in range(400)]
    assert abs(np.mean(first) - 0.8) < 4 * 0.4 / 20
    pairs = np.array([make([0.5, 0.5], np.full((2, 2), 0.5), B).sample(2, random_state=s)[1] for s in range(400)])
    assert abs(np.mean(pairs[:, 0] == pairs[:, 1]) - 0.5) < 4 * 0.5 / 20  # each step has a draw of its own
    assert_array_equal(
        draw_categories(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), np.array([0.0, 1 - 1e-16])), [1, 2]
    )
    assert_array_equal(make(pi, A, B).sample(5, random_state=1, currstate=0)[1][0], 0)
    assert_array_equal(make(pi, A, B, random_state=3).sample(9)[0], make(pi, A, B).sample(9, random_state=3)[0])


@pytest.mark.parametrize("kind", KINDS)
def test_gaussian_samples_have_the_moments_of_the_states(kind):
    model = gaussian(5, kind)
    X, z = model.sample(30_000, random_state=0)
    for k in range(3):
        S = matrices(model)[k]
        assert_allclose(X[z == k].mean(axis=0), model.means_[k], rtol=0, atol=0.1)
        assert_allclose(np.cov(X[z == k].T), S, rtol=0, atol=0.15 * np.trace(S))


# --------------------------------------------------------------------------------------------------------------- laws

seeds = st.integers(0, 10**6)


@pytest.mark.equation("hmm-monotone", "hmm-update-startprob", "hmm-update-transmat", "hmm-update-emission")
@given(seed=seeds, zeros=st.sampled_from([0.0, 0.4]))
def test_baum_welch_never_loses(seed, zeros):
    rng = np.random.default_rng(seed)
    model = make(*random_model(seed, K=3, M=3, zeros=zeros), init_params="", n_iter=12, tol=0.0)
    X = make(*random_model(seed + 1, K=3, M=3)).sample(40, random_state=rng)[0]
    with pytest.warns(ConvergenceWarning):
        model.fit(X, [15, 25])
    history = [*model.monitor_.history, model.score(X, [15, 25])]
    assert np.diff(history).min() >= -1e-9
    assert_allclose(model.transmat_.sum(axis=1), 1, rtol=1e-12)


@pytest.mark.equation("hmm-gaussian", "hmm-update-mean", "hmm-update-covariance")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_gaussian_fit_never_loses_even_at_the_floor(kind, seed):
    X = gaussian(seed, kind).sample(60, random_state=seed)[0].round()  # repeated points: variances want to vanish
    model = GaussianHMM(3, kind, n_iter=25, tol=0.0, min_covar=0.05, random_state=seed)
    with pytest.warns(ConvergenceWarning):
        model.fit(X)
    gains = np.diff([*model.monitor_.history, model.score(X)])
    assert gains[2:].min() >= -1e-8  # the starting covariance plus the floor is not itself an update
    assert np.linalg.eigvalsh(matrices(model)).min() >= 0.05 * (1 - 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_covariances_about_means_that_stay(kind):
    model = gaussian(3, kind).set_params(init_params="", params="c", n_iter=1, tol=0.0, min_covar=0.0)
    X = gaussian(4, kind).sample(60, random_state=1)[0]
    gamma, mu = model.predict_proba(X), model.means_.copy()
    with pytest.warns(ConvergenceWarning):
        model.fit(X)
    N, D = gamma.sum(axis=0), X[:, None] - mu  # (60, 3, 2)
    scatter = np.einsum("tk,tki,tkj->kij", gamma, D, D)
    updated = {
        "diag": np.einsum("kii->ki", scatter) / N[:, None],
        "full": scatter / N[:, None, None],
        "spherical": np.einsum("kii->k", scatter) / N / 2,
        "tied": scatter.sum(axis=0) / 60,
    }
    assert_allclose(model.covars_, updated[kind], rtol=1e-9, atol=1e-12)
    assert_array_equal(model.means_, mu)


@pytest.mark.equation("hmm-posterior", "hmm-xi")
@given(seed=seeds, T=st.integers(1, 30))
def test_sums_and_marginals(seed, T):
    pi, A, B = random_model(seed, K=3, M=3, zeros=0.3)
    E = log(B.T[np.random.default_rng(seed).integers(0, 3, T)])
    f, b = forward(pi, A, E), backward(A, E)
    gamma, xi = posterior(f.filtered, b.messages), expected_transitions(A, E, f.filtered, b.messages)
    assert_allclose(gamma.sum(axis=1), 1, rtol=1e-12)
    assert xi.shape == (T - 1, 3, 3)
    assert_allclose(xi.sum(axis=2), gamma[:-1], rtol=1e-9, atol=1e-12)
    assert_allclose(xi.sum(axis=1), gamma[1:], rtol=1e-9, atol=1e-12)
    assert_allclose(gamma[-1], f.filtered[-1], rtol=1e-9, atol=1e-12)
    every = logsumexp(log(f.filtered) + log(b.messages), axis=1) + np.cumsum(f.log_scale) + b.log_scale
    assert_allclose(every, f.log_likelihood, rtol=1e-10, atol=1e-10)  # any t gives the likelihood
    best = viterbi(pi, A, E)
    assert best.log_probability <= f.log_likelihood + 1e-12


@pytest.mark.equation("hmm-label-switching")
@given(seed=seeds)
def test_renaming_the_states_changes_nothing(seed):
    pi, A, B = random_model(seed, K=4, M=3)
    x = np.random.default_rng(seed).integers(0, 3, 25)
    order = np.random.default_rng(seed + 1).permutation(4)
    plain_model, renamed = make(pi, A, B), make(pi[order], A[np.ix_(order, order)], B[order])
    assert_allclose(renamed.score(x), plain_model.score(x), rtol=1e-11)
    assert_allclose(renamed.predict_proba(x), plain_model.predict_proba(x)[:, order], rtol=1e-9, atol=1e-13)
    assert_allclose(renamed.decode(x)[0], plain_model.decode(x)[0], rtol=1e-11)


@given(seed=seeds)
def test_shifting_log_emissions_shifts_the_likelihood_only(seed):
    pi, A, B = random_model(seed)
    rng = np.random.default_rng(seed)
    E = log(B.T[rng.integers(0, 4, 15)])
    shift = rng.normal(scale=300, size=(15, 1))  # densities may be far above or below 1
    a, b = e_step(pi, A, E), e_step(pi, A, E + shift)
    assert_allclose(b.posterior, a.posterior, rtol=1e-9, atol=1e-12)
    assert_allclose(b.log_likelihood, a.log_likelihood + shift.sum(), rtol=1e-10)
    assert_allclose(
        viterbi(pi, A, E + shift).log_probability, viterbi(pi, A, E).log_probability + shift.sum(), rtol=1e-10
    )
    assert_allclose(backward(A, E + shift).log_scale[0] - backward(A, E).log_scale[0], shift[1:].sum(), rtol=1e-9)


def test_equal_rows_make_a_mixture():
    # with all rows of A equal to pi the states are independent: a mixture of categorical distributions
    pi, _, B = random_model(3)
    x = np.random.default_rng(0).integers(0, 4, 50)
    model = make(pi, np.tile(pi, (3, 1)), B)
    assert_allclose(model.score(x), np.log(pi @ B[:, x]).sum(), rtol=1e-12)
    assert_allclose(model.predict_proba(x), (pi[:, None] * B[:, x] / (pi @ B[:, x])).T, rtol=1e-10)


def test_one_gaussian_state_is_plain_maximum_likelihood():
    X = np.random.default_rng(0).normal(size=(30, 2))
    model = GaussianHMM(1, "full", random_state=0).fit(X)
    assert_allclose(model.means_[0], X.mean(axis=0), rtol=1e-12)
    assert_allclose(model.covars_[0], np.cov(X.T, bias=True), rtol=1e-12)
    assert model.monitor_.converged


def test_params_and_init_params_choose_the_groups():
    start = random_model(1, K=2, M=3)
    X = np.random.default_rng(0).integers(0, 3, 60)
    for letter, name in zip("ste", ("startprob_", "transmat_", "emissionprob_"), strict=True):
        model = make(*start, init_params="", params=letter, n_iter=2, tol=0.0)
        with pytest.warns(ConvergenceWarning):
            model.fit(X)
        for other, value in zip(("startprob_", "transmat_", "emissionprob_"), start, strict=True):
            same = np.allclose(getattr(model, other), value)
            assert same == (other != name), (letter, other)
    first, second = (CategoricalHMM(2, random_state=5, tol=5.0).fit(X) for _ in range(2))
    assert_array_equal(first.emissionprob_, second.emissionprob_)
    wide = CategoricalHMM(2, n_features=7, random_state=0, tol=5.0).fit(X)
    assert wide.emissionprob_.shape == (2, 7)
    keep = gaussian(1, "diag").set_params(init_params="", params="st", n_iter=1)
    means, covars = keep.means_.copy(), keep.covars_.copy()
    with pytest.warns(ConvergenceWarning):
        keep.fit(gaussian(1, "diag").sample(40, random_state=0)[0])
    assert_array_equal(keep.means_, means)
    assert_array_equal(keep.covars_, covars)


def test_a_state_that_is_never_visited_keeps_its_values():
    # state 2 cannot be entered
    model = make([0.5, 0.5, 0], [[0.5, 0.5, 0], [0.5, 0.5, 0], [0.1, 0.2, 0.7]], [[0.9, 0.1], [0.2, 0.8], [0.3, 0.7]])
    with pytest.warns(ConvergenceWarning):
        model.set_params(init_params="", n_iter=3, tol=0.0).fit(np.random.default_rng(0).integers(0, 2, 40))
    assert_allclose(model.transmat_[2], [0.1, 0.2, 0.7], rtol=1e-14)
    assert_allclose(model.emissionprob_[2], [0.3, 0.7], rtol=1e-14)
    other = gaussian(0, "full")
    other.startprob_, other.transmat_ = (
        np.array([0.5, 0.5, 0]),
        np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0.1, 0.2, 0.7]]),
    )
    mean, covar = other.means_[2].copy(), other.covars_[2].copy()
    with pytest.warns(ConvergenceWarning):
        other.set_params(init_params="", n_iter=3, tol=0.0).fit(np.random.default_rng(0).normal(size=(40, 2)))
    assert_array_equal(other.means_[2], mean)
    assert_array_equal(other.covars_[2], covar)
    assert_array_equal(normalize_counts([0.0, 0.0], [0.25, 0.75]), [0.25, 0.75])


def test_fit_stops_at_the_first_gain_below_tol():
    X = make(*random_model(0, K=2, M=3)).sample(200, random_state=0)[0]
    model = CategoricalHMM(2, random_state=1, tol=0.05, n_iter=500).fit(X)
    gains = np.diff(model.monitor_.history)
    assert model.monitor_.converged
    assert gains[-1] < 0.05 <= gains[:-1].min()
    with pytest.warns(ConvergenceWarning, match="did not reach tol=0.05 in n_iter=3 iterations: raise one of them"):
        model.set_params(n_iter=3).fit(X)
    assert not model.monitor_.converged


def test_a_constant_column_does_not_stop_the_fit():
    X = np.column_stack([np.random.default_rng(0).normal(size=40), np.ones(40)])
    for kind in KINDS:
        model = GaussianHMM(2, kind, random_state=0, tol=1.0).fit(X)
        assert_allclose(model.means_[:, 1], 1.0, rtol=1e-12)


def test_sequences_of_one_step_leave_the_transitions_alone():
    model = make(*random_model(0, K=2, M=2), init_params="", n_iter=2, tol=0.0)
    A = model.transmat_.copy()
    with pytest.warns(ConvergenceWarning):
        model.fit([0, 1, 1, 0], [1, 1, 1, 1])
    assert_array_equal(model.transmat_, A)


def test_estimator_contract():
    for model in (CategoricalHMM(3, n_iter=7), GaussianHMM(2, "full", min_covar=0.1)):
        copy = clone(model)
        assert copy is not model
        assert copy.get_params() == model.get_params()
        assert type(model).__name__ in repr(model)
        assert "n_components=" in repr(model)
        with pytest.raises(ValueError, match="has no parameter 'bogus'; it has n_components"):
            model.set_params(bogus=1)
    assert GaussianHMM(2).set_params(n_components=4).n_components == 4
    X = gaussian(1, "diag").sample(80, random_state=0)[0]
    fitted = GaussianHMM(2, random_state=0, tol=1.0).fit(X)
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))
    assert fitted.n_iter_ == fitted.monitor_.iter == len(fitted.monitor_.history)
    single = GaussianHMM(2, random_state=0, tol=1.0).fit(np.asfortranarray(X.astype(np.float32)))
    assert_allclose(single.means_, fitted.means_, rtol=1e-4, atol=1e-4)
    assert_array_equal(fitted.predict(X[::-1][::-1]), fitted.predict(X))


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.equation("hmm-scale", "hmm-scaled-likelihood")
def test_a_hundred_thousand_steps():
    pi, A, B = random_model(0, K=3, M=4)
    model = make(pi, A, B)
    X, _ = model.sample(100_000, random_state=0)
    E = B.T[X[:, 0]]
    alpha, beta, log_c, xi = plain(pi, A, E)
    assert np.exp(log_c.sum()) == 0.0  # the likelihood itself underflows
    score, gamma = model.score_samples(X)
    assert_allclose(score, log_c.sum(), rtol=1e-12)
    assert_allclose(model.score(X), score, rtol=1e-14)
    both = alpha * beta
    assert_allclose(gamma, both / both.sum(axis=1, keepdims=True), rtol=0, atol=1e-11)
    assert_allclose(e_step(pi, A, log(E)).transitions, xi, rtol=1e-10)
    assert_allclose(model.decode(X)[0], plain_viterbi(pi, A, E), rtol=1e-12)
    b = backward(A, log(E))
    assert_allclose(logsumexp(log(pi * E[0] * b.messages[0])) + b.log_scale[0], score, rtol=1e-10)


def test_chains_that_never_forget():
    """A wheel that turns one place a step: only the first state is unknown, and guessed starts never come right."""
    K, T = 4, 3000
    A = np.roll(np.eye(K), 1, axis=1)
    B = np.array([[0.6, 0.4], [0.5, 0.5], [0.5, 0.5], [0.4, 0.6]])
    model = make(np.full(K, 0.25), A, B)
    x, _ = model.sample(T, random_state=0)
    first = np.array([log(B)[(k + np.arange(T)) % K, x[:, 0]].sum() for k in range(K)])
    expected = np.exp(first - logsumexp(first))
    gamma = model.predict_proba(x)
    assert_allclose(model.score(x), logsumexp(first) - np.log(K), rtol=1e-12)
    assert_allclose(gamma[0], expected, rtol=1e-8, atol=1e-12)
    assert_allclose(gamma[777], np.roll(expected, 777), rtol=1e-8, atol=1e-12)
    assert_array_equal(model.predict(x), (first.argmax() + np.arange(T)) % K)


@pytest.mark.parametrize("stay", [0.9, 0.97, 0.99, 1 - 1e-7])
def test_chains_that_forget_slowly(stay):
    A, B = np.array([[stay, 1 - stay], [1 - stay, stay]]), np.array([[0.51, 0.49], [0.49, 0.51]])
    x = np.random.default_rng(0).integers(0, 2, 4000)
    E = B.T[x]
    same_as_plain(A, E, e_step([0.5, 0.5], A, log(E)))
    assert_allclose(viterbi([0.5, 0.5], A, log(E)).log_probability, plain_viterbi([0.5, 0.5], A, E), rtol=1e-12)


@pytest.mark.parametrize("warm_up", [1, 3, 10])
def test_wrong_guesses_are_mended(monkeypatch, warm_up):
    for module in (filtering, smoothing, best_path):
        monkeypatch.setattr(module, "WARM_UP", warm_up)
    monkeypatch.setattr(lanes, "PRODUCTS", 0)
    A, B = np.array([[0.95, 0.05], [0.05, 0.95]]), np.array([[0.6, 0.4], [0.4, 0.6]])
    for seed in range(5):
        E = B.T[np.random.default_rng(seed).integers(0, 2, 1500)]
        same_as_plain(A, E, e_step([0.5, 0.5], A, log(E)))
        assert_allclose(viterbi([0.5, 0.5], A, log(E)).log_probability, plain_viterbi([0.5, 0.5], A, E), rtol=1e-12)


def test_a_product_of_matrices_guesses_as_a_run_step_by_step(monkeypatch):
    rng = np.random.default_rng(0)
    A, F = rng.dirichlet(np.ones(3), 3), rng.random((3, lanes.SHORTEST, 5))
    assert lanes.short(F)
    guesses = [filtering.guess_filtered(A, F), smoothing.guess_messages(A, F)]
    monkeypatch.setattr(lanes, "PRODUCTS", 0)
    assert_allclose(guesses, [filtering.guess_filtered(A, F), smoothing.guess_messages(A, F)], rtol=1e-12)


def same_as_plain(A, E, step):
    alpha, beta, log_c, xi = plain(np.array([0.5, 0.5]), A, E)
    both = alpha * beta
    assert_allclose(step.posterior, both / both.sum(axis=1, keepdims=True), rtol=1e-9, atol=1e-12)
    assert_allclose(step.transitions, xi, rtol=1e-9, atol=1e-9)
    assert_allclose(step.log_likelihood, log_c.sum(), rtol=1e-11)


def test_lanes_that_settle_forward_and_not_backward(monkeypatch):
    answers, original = [], filtering.settle

    def settle(*arguments):
        answers.append(original(*arguments))
        return answers[-1] and len(answers) != 2  # the second call goes backward

    for module in (filtering, smoothing):
        monkeypatch.setattr(module, "settle", settle)
    A, B = np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([[0.8, 0.2], [0.2, 0.8]])
    E = B.T[np.random.default_rng(0).integers(0, 2, 1000)]
    same_as_plain(A, E, e_step([0.5, 0.5], A, log(E)))
    assert answers == [True] * 4


@pytest.mark.equation("hmm-log-forward")
def test_no_state_is_lost_to_underflow():
    """Two coins and no way from one to the other: 3000 heads all but exclude coin 2, 3000 tails bring it back."""
    pi, A, B = [0.5, 0.5], np.eye(2), np.array([[0.9, 0.1], [0.1, 0.9]])
    x = np.repeat([0, 1, 1], [3000, 3000, 50])
    model = make(pi, A, B)
    truth = np.log(0.5) + np.array([log(B)[k, x].sum() for k in range(2)])
    assert_allclose(model.score(x), logsumexp(truth), rtol=1e-12)
    score, gamma = model.score_samples(x)
    assert_allclose(score, logsumexp(truth), rtol=1e-12)
    assert_allclose(gamma, np.tile(np.exp(truth - logsumexp(truth)), (len(x), 1)), rtol=1e-7, atol=1e-12)
    f = forward(pi, A, log(B.T[x]))
    assert_allclose(f.filtered[2999], [1, 0], atol=1e-12)
    assert_allclose(f.filtered[-1], gamma[-1], rtol=1e-7, atol=1e-12)
    assert_allclose(e_step(pi, A, log(B.T[x])).transitions, (len(x) - 1) * np.diag(gamma[0]), rtol=1e-7, atol=1e-6)
    b = backward(A, log(B.T[x]))
    assert_allclose(b.messages[3049], [0, 1], atol=1e-12)
    assert_allclose(b.log_scale[3049], log(B)[1, x[3050:]].sum(), rtol=1e-10)
    assert_array_equal(model.predict(x), np.ones(len(x)))
    lengths = [3000, 3050]  # cut in two, each part is judged alone
    assert_allclose(
        model.score(x, lengths),
        2 * np.log(0.5) + sum(logsumexp(log(B)[:, part].sum(axis=1)) for part in (x[:3000], x[3000:])),
        rtol=1e-12,
    )
    step = e_step(pi, A, log(B.T[x]), lengths)
    assert_allclose(step.transitions, [[2999, 0], [0, 3049]], rtol=1e-10, atol=1e-9)
    gamma = step.posterior
    assert_allclose(gamma[[0, 2999, 3000, -1]], [[1, 0], [1, 0], [0, 1], [0, 1]], atol=1e-12)


def test_one_step_may_underflow_and_later_ones_make_up_for_it():
    E = np.array([[0.0, -800.0], [-700.0, 0.0], [-700.0, 0.0]])  # 1400 nats against state 1, 800 against state 2
    step = e_step([0.5, 0.5], np.eye(2), E)
    assert_allclose(step.posterior, np.tile([0.0, 1.0], (3, 1)), atol=1e-12)
    assert_allclose(step.log_likelihood, np.log(0.5) - 800, rtol=1e-12)


def test_a_state_that_cannot_be_reached_may_fit_far_better():
    # beta of coin 2 over that of coin 1 is 9^3000: infinite in floating point, and of no weight
    x = np.ones(3000, dtype=int)
    model = make([1.0, 0.0], np.eye(2), [[0.9, 0.1], [0.1, 0.9]])
    assert_array_equal(model.predict_proba(x), np.tile([1.0, 0.0], (3000, 1)))
    assert_allclose(model.score(x), 3000 * np.log(0.1), rtol=1e-12)


@pytest.mark.parametrize("A", [[[0.9, 0.1], [0.2, 0.8]], [[0.9, 0.1], [0.0, 1.0]]])
def test_states_far_apart(A):
    model = GaussianHMM(2)
    model.startprob_, model.transmat_, model.means_, model.covars_ = [1, 0], A, [[0.0], [1e4]], [[1.0], [1.0]]
    X = np.array([[0.0], [1.0], [1e4], [1e4 + 1]])
    assert_array_equal(model.predict(X), [0, 0, 1, 1])
    assert_allclose(model.predict_proba(X), [[1, 0], [1, 0], [0, 1], [0, 1]], atol=1e-12)
    path = np.log([0.9, 0.1, np.array(A)[1, 1]]).sum() + norm.logpdf([0, 1, 0, 1]).sum()
    assert_allclose(model.score(X), path, rtol=1e-12)


def test_transitions_of_tiny_probability_count():
    A = np.array([[1 - 1e-120, 1e-120], [1e-120, 1 - 1e-120]])
    E = np.where(np.repeat([0, 1], [30, 30])[:, None] == np.arange(2), 0.0, -np.inf)
    assert_allclose(forward([1, 0], A, E).log_likelihood, np.log(1e-120), rtol=1e-10)
    assert_allclose(viterbi([1, 0], A, E).log_probability, np.log(1e-120), rtol=1e-10)
    assert_allclose(e_step([1, 0], A, E).transitions, [[29, 1], [0, 29]], rtol=1e-10, atol=1e-12)


def test_floor_of_the_covariances():
    X = np.array([[0.0, 0.0], [2.0, 2.0], [5.0, 5.0]])
    gamma, old = np.ones((3, 1)), np.zeros((1, 2))
    S = np.cov(X.T, bias=True)
    _, full = gaussian_m_step(X, gamma, old, np.eye(2)[None], "full", min_covar=0.25)
    values, V = np.linalg.eigh(S)
    assert_allclose(full[0], V @ np.diag(np.maximum(values, 0.25)) @ V.T, rtol=1e-10)
    assert_array_equal(full[0], full[0].T)
    _, diag = gaussian_m_step(X * [1, 0], gamma, old, np.ones((1, 2)), "diag", min_covar=0.25)
    assert_allclose(diag, [[S[0, 0], 0.25]], rtol=1e-12)
    _, spherical = gaussian_m_step(X / 10, gamma, old, [1.0], "spherical", min_covar=0.25)
    assert_allclose(spherical, [0.25], rtol=1e-12)
    _, tied = gaussian_m_step(X, gamma @ [[0.5, 0.5, 0.0]], np.zeros((3, 2)), np.eye(2), "tied", min_covar=0.25)
    assert_allclose(tied, full[0], rtol=1e-10)  # two states with the same rows, and one with none


# ------------------------------------------------------------------------------------------------------------- errors

GOOD = ([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], np.log([[0.5, 0.4], [0.1, 0.2]]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: [0.5, 0.6]}, r"startprob must be non-negative and sum to 1, got \[0.5, 0.6\]"),
        ({0: [1.0]}, r"startprob must have shape \(2,\), got \(1,\)"),
        ({1: [[0.9, 0.2], [0.2, 0.8]]}, "row 0 of transmat must be non-negative and sum to 1"),
        ({1: [[0.9, 0.1], [1.2, -0.2]]}, "row 1 of transmat must be non-negative"),
        ({1: [[0.9, 0.1]]}, r"transmat must be a square \(K, K\) matrix, got shape \(1, 2\)"),
        ({1: [[np.nan, 0.1], [0.5, 0.5]]}, "row 0 of transmat must be non-negative"),
        ({2: [[0.5, 0.4, 0.1]]}, r"log_emission must be \(T, 2\), a row for each step"),
        ({2: np.empty((0, 2))}, r"T >= 1, got shape \(0, 2\)"),
        ({2: [[0.0, 0.0], [np.nan, 0.0]]}, r"log_emission holds NaN or \+inf at step 1"),
        ({2: [[np.inf, 0.0]]}, r"log_emission holds NaN or \+inf at step 0"),
    ],
)
def test_bad_models_are_refused(change, message):
    arguments = [change.get(i, value) for i, value in enumerate(GOOD)]
    for function in (forward, viterbi, e_step):
        with pytest.raises(ValueError, match=message):
            function(*arguments)
    if 0 not in change:
        with pytest.raises(ValueError, match=message):
            backward(*arguments[1:])
        with pytest.raises(ValueError, match=message):
            expected_transitions(*arguments[1:], [[1.0, 0.0]], [[1.0, 0.0]])
    with pytest.raises(ValueError, match=message):
        joint_log_probability(*arguments, [0, 0])


def test_impossible_sequences_are_refused_with_the_step():
    model = make([1.0, 0.0], [[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.5, 0.5]])  # symbol 1 at odd steps only
    fine, bad = [0, 1, 0, 1], [0, 1, 0, 1, 1, 0]
    message = r"step 4 \(counted from 0\) has probability zero: no state .* Check startprob, transmat"
    for call in (model.score, model.predict, model.decode, model.predict_proba, model.score_samples, model.fit):
        if call == model.fit:
            model.set_params(init_params="")
        with pytest.raises(ValueError, match=message):
            call(bad)
        with pytest.raises(ValueError, match=r"sequence 1, step 4 \(counted from 0\)"):
            call(fine + bad + fine, [4, 6, 4])
    E = log(np.array([[1.0, 0.0], [0.5, 0.5]]).T[bad])
    for function in (forward, viterbi, e_step):
        with pytest.raises(ValueError, match=r"step 4 \(counted"):
            function([1.0, 0.0], [[0.0, 1.0], [1.0, 0.0]], E)
    with pytest.raises(ValueError, match="step 0"):
        model.score([1, 0])
    long = np.tile([0, 1], 2000)
    long[3001] = 0
    long[3002] = 1
    with pytest.raises(ValueError, match=r"step 3002 \(counted"):
        model.score(long)
    for A in ([[0.5, 0.5], [0.5, 0.5]], [[0.0, 1.0], [1.0, 0.0]]):
        nothing = np.array([[0.0, 0.0], [-np.inf, -np.inf], [0.0, 0.0]])
        with pytest.raises(ValueError, match=r"step 1 \(counted from 0\) and what follows have probability zero"):
            backward(A, nothing)
        with pytest.raises(ValueError, match=r"step 1 \(counted from 0\) has probability zero"):
            forward([0.5, 0.5], A, nothing)
        with pytest.raises(ValueError, match=r"step 1 \(counted from 0\) has probability zero"):
            viterbi([0.5, 0.5], A, nothing)
    assert joint_log_probability([1.0, 0.0], [[0.0, 1.0], [1.0, 0.0]], E, [0, 1, 0, 1, 0, 1]) == -np.inf


@pytest.mark.parametrize(
    ("X", "lengths", "message"),
    [
        ([0, 3, 1], None, r"X holds the symbol 3 at step 1, unseen so far: the model has the symbols 0 to 1"),
        ([0, -1], None, "X must hold symbols from 0, got -1 at step 1"),
        ([0.0, 1.0], None, "X must hold integers, the numbers of the symbols, got dtype float64"),
        ([0.0, np.nan], None, "X must hold integers"),
        ([], None, r"X must be \(T, 1\), one symbol a row and T >= 1, got shape \(0,\)"),
        ([[0, 1]], None, r"X must be \(T, 1\), one symbol a row and T >= 1, got shape \(1, 2\)"),
        (0, None, r"X must be \(T, 1\)"),
        (["a", "b"], None, "X must hold integers"),
        ([0, 1], [1], r"lengths must add up to the number of rows of X, 2, and add up to 1"),
        ([0, 1], [2, 0], "lengths must be positive integers"),
        ([0, 1], [1.0, 1.0], "lengths must be positive integers"),
        ([0, 1], [], "lengths must be positive integers"),
        ([0, 1], [[1, 1]], "lengths must be positive integers"),
    ],
)
def test_bad_symbols_and_lengths_are_refused(X, lengths, message):
    model = make(*random_model(0, K=2, M=2), init_params="")
    for call in (model.score, model.predict, model.predict_proba, model.fit):
        with pytest.raises(ValueError, match=message):
            call(X, lengths)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[0.0, np.nan]], "X holds NaN or infinity at step 0"),
        ([[0.0, 1.0], [np.inf, 0.0]], "X holds NaN or infinity at step 1"),
        ([0.0, 1.0], r"X must be \(T, d\) with T, d >= 1, got shape \(2,\): X.reshape"),
        (np.empty((0, 2)), r"X must be \(T, d\)"),
        ([[0.0]], "X has 1 columns and means_ has 2"),
    ],
)
def test_bad_vectors_are_refused(X, message):
    for call in (gaussian(0, "diag").score, gaussian(0, "full").set_params(init_params="").fit):
        with pytest.raises(ValueError, match=message):
            call(X)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("startprob_", [0.5, 0.4], "startprob_ must be non-negative and sum to 1"),
        ("startprob_", [0.5, 0.3, 0.2], r"startprob_ must have shape \(2,\), got \(3,\)"),
        ("transmat_", [[0.5, 0.5], [0.5, 0.4]], "row 1 of transmat_ must be"),
        ("transmat_", [0.5, 0.5], r"transmat_ must have shape \(2, 2\)"),
        ("emissionprob_", [[0.5, 0.6], [0.5, 0.5]], "row 0 of emissionprob_ must be"),
        ("emissionprob_", [[0.5, 0.5]], r"emissionprob_ must have shape \(2, 2\), got \(1, 2\)"),
        ("emissionprob_", 0.5, "emissionprob_ must have shape"),
    ],
)
def test_attributes_are_checked_when_used(name, value, message):
    model = make(*random_model(0, K=2, M=2))
    setattr(model, name, value)
    for call in (lambda: model.score([0, 1]), lambda: model.sample(3)):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize(
    ("kind", "name", "value", "message"),
    [
        ("diag", "means_", [[0.0, 0.0]], r"means_ must have shape \(3, d\), got \(1, 2\)"),
        ("diag", "means_", np.full((3, 2), np.nan), "means_ must be finite"),
        ("diag", "covars_", np.ones((3, 2, 2)), r"covars_ must have shape \(3, 2\), got \(3, 2, 2\)"),
        ("full", "covars_", np.ones((3, 2)), r"covars_ must have shape \(3, 2, 2\), got \(3, 2\)"),
        ("diag", "covars_", np.zeros((3, 2)), "covars_, state 0: a variance is not positive.*raise min_covar"),
        ("diag", "covars_", [[1.0, 1.0], [1.0, -1.0], [1.0, 1.0]], "covars_, state 1: a variance is not positive"),
        ("full", "covars_", np.ones((3, 2, 2)), "covars_, state 0: .* is not positive definite.*raise min_covar"),
        ("full", "covars_", [[[1.0, 0.5], [0.0, 1.0]]] * 3, "covars_, state 0: .* must be symmetric"),
        ("full", "covars_", np.full((3, 2, 2), np.inf), "covars_ must be finite"),
        ("spherical", "covars_", np.ones((3, 2)), r"covars_ must have shape \(3,\), got \(3, 2\)"),
        ("spherical", "covars_", np.arange(3.0), "covars_, state 0: a variance is not positive.*raise min_covar"),
        ("tied", "covars_", np.ones((3, 2, 2)), r"covars_ must have shape \(2, 2\), got \(3, 2, 2\)"),
        ("tied", "covars_", np.ones((2, 2)), "covars_, all states: .* is not positive definite.*raise min_covar"),
        ("full", "covariance_type", "round", r"covariance_type must be one of \('full', 'tied',.*, got 'round'"),
    ],
)
def test_gaussian_attributes_are_checked_when_used(kind, name, value, message):
    model = gaussian(0, kind)
    setattr(model, name, value)
    for call in (lambda: model.score([[0.0, 0.0]]), lambda: model.sample(2)):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"n_components": 0}, ValueError, "n_components must be at least 1, got 0"),
        ({"n_components": 2.0}, TypeError, "n_components must be an integer"),
        ({"n_iter": 0}, ValueError, "n_iter must be at least 1"),
        ({"tol": -1.0}, ValueError, "tol must be finite and at least 0"),
        ({"tol": np.nan}, ValueError, "tol must be finite"),
        ({"params": "sx"}, ValueError, "params must be a string of letters out of 'st.*', got 'sx'"),
        ({"init_params": None}, ValueError, "init_params must be a string of letters"),
        ({"random_state": "seed"}, TypeError, "random_state must be"),
    ],
)
@pytest.mark.parametrize(("model", "X"), [(CategoricalHMM, [0, 1, 0, 1]), (GaussianHMM, [[0.0], [1.0], [0.5]])])
def test_bad_hyperparameters_are_refused(model, X, change, error, message):
    with pytest.raises(error, match=message):
        model(**({"n_components": 2} | change)).fit(X)


def test_more_bad_hyperparameters():
    with pytest.raises(ValueError, match="n_features must be at least 1"):
        CategoricalHMM(2, n_features=0).fit([0, 1])
    with pytest.raises(ValueError, match="X holds the symbol 2 at step 1, unseen"):
        CategoricalHMM(2, n_features=2).fit([0, 2])
    with pytest.raises(ValueError, match="covariance_type must be one of"):
        GaussianHMM(2, "round").fit([[0.0], [1.0]])
    with pytest.raises(ValueError, match="min_covar must be finite and at least 0"):
        GaussianHMM(2, min_covar=-1.0).fit([[0.0], [1.0]])
    for X in ([[0.0], [1.0]], [[0.0], [1.0], [1.0], [0.0]]):
        with pytest.raises(ValueError, match="n_components=3 must be at most the number of different rows of X, 2"):
            GaussianHMM(3).fit(X)
    GaussianHMM(2, random_state=0, tol=1.0).fit([[1.0, 0.0], [1.0, 5.0], [1.0, 6.0]])  # the first column is constant
    X = np.repeat([[0.0], [1.0], [2.0]], 5, axis=0)  # every state ends on one point: the remedy is an argument of ours
    with pytest.raises(ValueError, match=r"a variance is not positive\. If fit .* raise min_covar or use fewer states"):
        GaussianHMM(3, min_covar=0.0, random_state=0).fit(X)
    model = make(*random_model(0, K=2, M=2))
    with pytest.raises(ValueError, match="n_samples must be at least 1"):
        model.sample(0)
    with pytest.raises(ValueError, match="currstate must be a state from 0 to 1, got 2"):
        model.sample(1, currstate=2)


def test_models_that_are_not_fitted():
    with pytest.raises(NotFittedError, match="CategoricalHMM has no startprob_: call fit or set it"):
        CategoricalHMM(2).score([0, 1])
    with pytest.raises(NotFittedError, match="GaussianHMM has no startprob_"):
        GaussianHMM(2).sample()
    for model, X in [(CategoricalHMM(2), [0, 1]), (GaussianHMM(2), [[0.0], [1.0]])]:
        for criterion in (model.aic, model.bic):
            with pytest.raises(NotFittedError, match="has no startprob_: call fit or set it"):
                criterion(X)
    with pytest.raises(NotFittedError, match="no transmat_: call fit or set it"):
        CategoricalHMM(2, init_params="se").fit([0, 1])
    with pytest.raises(NotFittedError, match="no emissionprob_"):
        CategoricalHMM(2, init_params="st").fit([0, 1])
    with pytest.raises(NotFittedError, match="no means_"):
        GaussianHMM(2, init_params="stc").fit([[0.0], [1.0]])


def test_bad_arguments_of_the_step_functions():
    with pytest.raises(ValueError, match=r"messages must have shape \(1, 2\), got \(2,\)"):
        posterior([[0.5, 0.5]], [0.5, 0.5])
    with pytest.raises(ValueError, match="filtered must be finite and non-negative"):
        posterior([[1.5, -0.5]], [[0.5, 0.5]])
    with pytest.raises(
        ValueError, match=r"filtered must be \(T, K\), T, K >= 1, a row for each step, got shape \(2,\)"
    ):
        posterior([0.5, 0.5], [0.5, 0.5])
    with pytest.raises(ValueError, match="step 1: filtered times messages is 0 in every state: use e_step"):
        posterior([[1.0, 0.0], [1.0, 0.0]], [[0.5, 0.5], [0.0, 1.0]])
    with pytest.raises(ValueError, match=r"filtered must have shape \(2, 2\)"):
        expected_transitions(GOOD[1], GOOD[2], [[1.0, 0.0]], [[0.5, 0.5], [0.5, 0.5]])
    x = np.repeat([0, 1], [1000, 1000])  # both passes exclude one of two coins: their product underflows in between
    E = log(np.array([[0.9, 0.1], [0.1, 0.9]]).T[x])
    with pytest.raises(ValueError, match=r"steps \d+ and \d+: the product is 0 for every pair of states: use e_step"):
        expected_transitions(np.eye(2), E, forward([0.5, 0.5], np.eye(2), E).filtered, backward(np.eye(2), E).messages)
    nothing = [[0.0, 0.0], [-np.inf, -np.inf]]
    with pytest.raises(ValueError, match="steps 0 and 1: the product is 0"):
        expected_transitions(GOOD[1], nothing, [[0.5, 0.5]] * 2, [[0.5, 0.5]] * 2)
    with pytest.raises(ValueError, match="counts must be finite and non-negative"):
        normalize_counts([1.0, -1.0], [0.5, 0.5])
    with pytest.raises(ValueError, match=r"counts must have shape \(2,\)"):
        normalize_counts([1.0], [0.5, 0.5])
    with pytest.raises(ValueError, match="counts add up to more than a float can hold: divide them by a number first"):
        normalize_counts([[1.0, 2.0], [1e308, 1e308]], np.full((2, 2), 0.5))
    with pytest.raises(ValueError, match="row 1 of old must be non-negative and sum to 1"):
        normalize_counts(np.zeros((2, 2)), [[0.5, 0.5], [7.0, -1.0]])  # a row without counts would keep it
    with pytest.raises(
        ValueError, match=r"filtered must be \(T, K\), T, K >= 1, a row for each step, got shape \(0, 2\)"
    ):
        posterior(np.ones((0, 2)), np.ones((0, 2)))
    for states in ([0, 2], [0], [0.0, 1.0], [-1, 0]):
        with pytest.raises(ValueError, match=r"states must (be 2 integers|lie in 0\.\.1)"):
            joint_log_probability(*GOOD, states)
    with pytest.raises(ValueError, match="several stationary distributions"):
        stationary_distribution(np.eye(2))
    with pytest.raises(ValueError, match="more than one set of states that the chain cannot leave"):
        stationary_distribution([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])  # both ends can be reached
    with pytest.raises(
        ValueError, match="transmat holds probabilities so small that their products underflow: set them"
    ):
        stationary_distribution([[0.5, 0.5, 0.0], [0.0, 1.0, 1e-200], [1e-200, 1.0, 0.0]])  # 1 to 0 is 1e-400
    for function in (stationary_distribution, is_irreducible, period, second_eigenvalue):
        with pytest.raises(ValueError, match="row 0 of transmat"):
            function([[0.5, 0.4], [0.5, 0.5]])
    with pytest.raises(ValueError, match=r"transmat must be irreducible.*each set of states"):
        period([[0.5, 0.5], [0.0, 1.0]])
    with pytest.raises(ValueError, match="lengths must add up"):
        e_step(*GOOD, lengths=[1])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            ([0, 1, 1], [[1.0, 0.0]], 2),
            ValueError,
            r"posterior must be \(3, K\), T, K >= 1, a row for each step, got shape \(1, 2\)",
        ),
        (([0, 1], np.ones((2, 0)), 2), ValueError, r"posterior must be \(2, K\).*, got shape \(2, 0\)"),
        (([0, 1], [1.0, 0.0], 2), ValueError, r"posterior must be \(2, K\)"),
        (([0, 1], [[1.0, 0.0], [-1.0, 2.0]], 2), ValueError, "posterior must be finite and non-negative"),
        (
            ([0, 3], [[1.0, 0.0], [1.0, 0.0]], 3),
            ValueError,
            "n_symbols=3 must be larger than every symbol, and 3 is one",
        ),
        (([0, 1], [[1.0, 0.0], [1.0, 0.0]], 2.0), TypeError, "n_symbols must be an integer"),
    ],
)
def test_bad_arguments_of_the_symbol_counts(arguments, error, message):
    with pytest.raises(error, match=message):
        symbol_counts(*arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: [[0.0], [np.nan]]}, "X holds NaN or infinity at step 1"),
        ({1: [[1.0, 0.0]]}, r"posterior must be \(2, K\)"),
        ({1: [[1.0, 0.0], [-1.0, 2.0]]}, "posterior must be finite and non-negative"),
        ({2: [[0.0]]}, r"means must have shape \(2, 1\), got \(1, 1\)"),
        ({4: "full"}, r"covars must have shape \(2, 1, 1\), got \(2, 1\)"),
        ({4: "round"}, r"covariance_type must be one of \('full', 'tied', .*, got 'round'"),
        ({5: -1.0}, "min_covar must be finite and at least 0"),
        ({0: [[1e200], [-1e200]], 1: [[1.0, 1.0]] * 2}, "X has entries so large that their squares overflow; rescale"),
    ],
)
def test_bad_arguments_of_the_gaussian_update(change, message):
    good = ([[0.0], [1.0]], [[1.0, 0.0], [0.0, 1.0]], [[0.0], [1.0]], [[1.0], [1.0]], "diag", 0.1)
    with pytest.raises(ValueError, match=message):
        gaussian_m_step(*(change.get(i, value) for i, value in enumerate(good)))


@pytest.mark.equation("hmm-parameters")
def test_free_parameters_of_the_criteria():
    # counted one by one: K - 1 of the start, K rows of K - 1, and of the emissions K (M - 1), or K d means and
    # K d variances, K d (d + 1) / 2 covariances, K variances or d (d + 1) / 2 covariances; with d = 3 they all differ
    X, V = np.zeros((5, 1), dtype=int), np.zeros((5, 3))
    for model, data, free in [
        (make(*random_model(0, K=4, M=6)), X, 3 + 4 * 3 + 4 * 5),
        (gaussian(0, "diag", K=2, d=3), V, 1 + 2 * 1 + 2 * 3 + 2 * 3),
        (gaussian(0, "full", K=2, d=3), V, 1 + 2 * 1 + 2 * 3 + 2 * 6),
        (gaussian(0, "spherical", K=2, d=3), V, 1 + 2 * 1 + 2 * 3 + 2),
        (gaussian(0, "tied", K=2, d=3), V, 1 + 2 * 1 + 2 * 3 + 6),
    ]:
        assert_allclose(model.aic(data), 2 * free - 2 * model.score(data), rtol=1e-12)
        assert_allclose(model.bic(data), free * np.log(5) - 2 * model.score(data), rtol=1e-12)


def test_the_best_path_of_a_chain_that_hardly_ever_switches():
    T, switch = 256, 1e-6
    A = np.array([[1 - switch, switch], [switch, 1 - switch]])
    log_emission = np.zeros((T, 2))
    log_emission[0, 0], log_emission[-1, 1] = 5e-4, 3e-4  # state 0 is a little better, which only its start tells
    found = viterbi([0.5, 0.5], A, log_emission)
    assert_array_equal(found.path, np.zeros(T))
    assert_allclose(found.log_probability, np.log(0.5) + (T - 1) * np.log1p(-switch) + 5e-4, rtol=0, atol=1e-12)


@pytest.mark.parametrize("covariance_type", KINDS)
def test_the_start_of_a_gaussian_chain_has_the_covariance_with_divisor_t(covariance_type):
    X = np.array([[0.0, 1.0], [2.0, 0.0], [4.0, 5.0], [1.0, 1.0]])
    model = GaussianHMM(2, covariance_type, tol=1e9, params="", min_covar=0.25, random_state=0).fit(X)
    deviations = X - X.mean(axis=0)
    S = deviations.T @ deviations / 4 + 0.25 * np.eye(2)
    start = {"full": [S, S], "diag": [np.diag(S)] * 2, "spherical": [np.trace(S) / 2] * 2, "tied": S}
    assert_allclose(model.covars_, start[covariance_type], rtol=1e-12)
