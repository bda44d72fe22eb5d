"""The quiz of the chapter *Hidden Markov models*, decided: see ``tests/claims/deciding.py``."""

from itertools import pairwise, product

import numpy as np

from notes_lib.sequences.hmm import (
    backward,
    forward,
    is_irreducible,
    normalize_counts,
    posterior,
    viterbi,
)
from tests.claims.deciding import Numbers, Words, decided

K, M, T = 3, 4, 5


def _model(seed):
    """Start, transitions and emissions, and a sequence of symbols."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(K)), *(rng.dirichlet(np.ones(n), K) for n in (K, M)), rng.integers(M, size=T)


def _paths(pi, A, B, x):
    """Every path with the probability of it and of the symbols, multiplied out."""
    steps = lambda z: [pi[z[0]], *(A[i, j] for i, j in pairwise(z)), *B[list(z), x[: len(z)]]]
    return {z: float(np.prod(steps(z))) for z in product(range(K), repeat=len(x))}


def _by_state(paths, t):
    """The sums of the paths through each state at a time."""
    return np.array([sum(p for z, p in paths.items() if z[t] == k) for k in range(K)])


def _passes(model):
    """The library's forward and backward pass."""
    pi, A, B, x = model
    log_emission = np.log(B[:, x]).T
    return forward(pi, A, log_emission), backward(A, log_emission)


MODELS = [_model(seed) for seed in range(12)]


def _best(model):
    """The best path, found by trying each one."""
    paths = _paths(*model)
    return max(paths, key=paths.get)


def _updated(pi, A, B, x):
    """The probabilities after one step of Baum and Welch, from the sums over all paths."""
    paths = _paths(pi, A, B, x)
    whole = sum(paths.values())
    moves = np.zeros((K, K))
    for z, p in paths.items():
        np.add.at(moves, (z[:-1], z[1:]), p / whole)
    states = np.array([_by_state(paths, t) for t in range(T)]) / whole
    symbols = np.array([[states[x == m, k].sum() for m in range(M)] for k in range(K)])
    return states[0], normalize_counts(moves, A), normalize_counts(symbols, B), x


def quiz_count(states, symbols):
    """A model with $K = <states>$ states and $M = <symbols>$ symbols has how many free parameters?"""
    a, b = int(states), int(symbols)
    free = lambda n: len(range(1, n))  # of one distribution
    start, moves, emissions = free(a), a * free(a), a * free(b)
    slips = [a + a * a + a * b, start + a * a + emissions, start + a * b]
    return Numbers(start + moves + emissions, slips)


def quiz_filter():
    """You want to know, while the machine is running, whether it is broken *now*. Which quantity?"""
    t, known = 2, {}
    for pi, A, B, x in MODELS:
        now = _paths(pi, A, B, x[: t + 1])
        wanted = _by_state(now, t) / sum(now.values())  # of the last state, given what has been seen
        whole = _paths(pi, A, B, x)
        ahead, messages = _passes((pi, A, B, x))
        shares = {
            "The smoothed probability": _by_state(whole, t) / sum(whole.values()),
            "The most likely path": np.eye(K)[_best((pi, A, B, x[: t + 1]))[t]],
            r"$\beta_t(k)$": messages.messages[t],
            "The filtered probability": ahead.filtered[t],
        }
        for name, share in shares.items():
            known.setdefault(name, []).append(np.allclose(share, wanted))
    return {name: all(found) for name, found in known.items()}


def quiz_viterbi():
    """What turns the forward recursion into Viterbi?"""
    with_most = []
    for pi, A, B, x in MODELS:
        delta, pointers = pi * B[:, x[0]], []
        for symbol in x[1:]:
            pointers.append((delta[:, None] * A).argmax(axis=0))
            delta = (delta[:, None] * A).max(axis=0) * B[:, symbol]
        path = [int(delta.argmax())]
        for back in pointers[::-1]:
            path.append(int(back[path[-1]]))
        with_most.append(tuple(path[::-1]) == _best((pi, A, B, x)))
    return {
        "The maximum in place of the sum, and pointers": all(with_most),
        "Logarithms": Words("they change no result, only its range"),
        "Running from the end to the start": Words("that is the backward recursion"),
        "Dividing each row by its sum": Words("that is the scaling of the forward recursion"),
    }


def quiz_guarantee():
    """Which of these does one update of Baum-Welch guarantee?"""
    gains, more = [], []
    for pi, A, B, x in MODELS:
        A = np.where(np.eye(K) == 1, A, A * (np.arange(K) != 0))  # no way into the first state
        A = A / A.sum(axis=1, keepdims=True)
        after = _updated(pi, A, B, x)
        gains.append((sum(_paths(pi, A, B, x).values()), sum(_paths(*after).values())))
        more.append((after[1][A == 0] == 0).all())
    again = [sum(_paths(*_updated(*_updated(*model))).values()) for model in MODELS]
    once = [sum(_paths(*_updated(*model)).values()) for model in MODELS]
    truth = [tuple(np.random.default_rng(n).integers(K, size=T)) for n in range(len(MODELS))]
    hits = [
        [np.equal(_best(version), z).sum() for version in (model, _updated(*model))]
        for model, z in zip(MODELS, truth, strict=True)
    ]
    return {
        "The likelihood does not fall": all(after >= before for before, after in gains),
        "The likelihood has reached a global maximum": not np.greater(again, np.array(once) * (1 + 1e-9)).any(),
        "The most likely path is the true one more often": all(after > before for before, after in hits),
        "Transitions of probability 0 stay at 0": all(more),
    }


def quiz_true():
    """Which of these are true? (Mark all.)"""
    agree = lambda t: [
        np.allclose(f.filtered[t], posterior(f.filtered, b.messages)[t]) for f, b in map(_passes, MODELS)
    ]
    assert not any(agree(0))
    sums, scales, wholes = [], [], []
    for pi, A, B, x in MODELS:
        wholes.append(sum(_paths(pi, A, B, x).values()))
        beta, alpha, product = np.ones(K), pi, 1.0
        for symbol in x[:0:-1]:
            beta = A @ (B[:, symbol] * beta)
        sums.append(beta.sum())
        for t, symbol in enumerate(x):
            alpha = (alpha @ A if t else alpha) * B[:, symbol]
            product *= alpha.sum()
            alpha = alpha / alpha.sum()
        scales.append(product)
    pi, A, B, x = MODELS[0]
    length = 400  # more paths than any computer could try
    path = viterbi(pi, A, np.log(B[:, np.resize(x, length)]).T).path
    assert all(tuple(viterbi(p, a, np.log(b[:, s]).T).path) == _best((p, a, b, s)) for p, a, b, s in MODELS)
    return {
        "At the last step the filtered and the smoothed distribution agree": all(agree(T - 1)),
        r"$\sum_k \beta_1(k) = p(x_{1:T})$": np.allclose(sums, wholes),
        "Viterbi has to compute the probability of each of the $K^T$ paths": len(path) != length,
        r"With $\hat\alpha_t$ scaled to sum 1, the product of the scales is $p(x_{1:T})$": np.allclose(scales, wholes),
    }


def tf_period():
    """An irreducible chain forgets its start."""
    forgets = lambda A: np.ptp(np.linalg.matrix_power(A, 501), axis=0).max() < 1e-9
    chains = [np.array([[0.0, 1], [1, 0]]), np.array([[0.5, 0.5], [1, 0]])]
    assert all(map(is_irreducible, chains))
    assert forgets(chains[1])
    return all(map(forgets, chains))


def tf_independent():
    """The observations of a hidden Markov model are independent of each other."""
    pi, A, B, _ = MODELS[0]
    pairs = B.T @ (pi[:, None] * A) @ B  # of the first two symbols
    return np.allclose(pairs, np.outer(pairs.sum(axis=1), pairs.sum(axis=0)))


def tf_path():
    """The most likely path consists of the most likely state of each step."""
    single = [tuple(int(_by_state(_paths(*model), t).argmax()) for t in range(T)) for model in MODELS]
    same = [path == _best(model) for path, model in zip(single, MODELS, strict=True)]
    assert any(same)
    return all(same)


def tf_labels():
    """Two fits with the same likelihood may differ by a permutation of the states."""
    pi, A, B, x = MODELS[0]
    turn = [1, 2, 0]
    other = pi[turn], A[np.ix_(turn, turn)], B[turn], x
    return np.isclose(sum(_paths(*other).values()), sum(_paths(*MODELS[0]).values())) and not np.allclose(pi, other[0])


test_claim = decided("sequences/hmm", globals())
