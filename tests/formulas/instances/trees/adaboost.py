"""AdaBoost: five rounds of the library's steps on twelve instances, with stumps found by trying every one."""

import numpy as np
from scipy.optimize import brentq

from notes_lib.trees.adaboost import (
    exponential_update,
    mistake_update,
    normalizer,
    training_bound,
    vote,
    vote_margins,
    weighted_error,
)
from tests.formulas.values import At, Instance

ROUND = 3  # of h, epsilon and w without a number
K = 4  # classes of SAMME
COPIED = {
    "adaboost-ensemble": "the score is a sum, and H its sign",
    "adaboost-loss": "the mean is its definition",
    "adaboost-must-know-bound:2": "an edge is a name for 1/2 - epsilon",
}


def answer(stump, x):
    """What a stump says: sign times the side on which a feature lies."""
    feature, threshold, sign = stump
    return float(sign * (1 if x[feature] > threshold else -1))


def best_stump(X, y, w):
    """The stump of least weighted error."""
    stumps = [(d, c, s) for d in range(X.shape[1]) for c in X[:, d] for s in (1, -1)]
    return min(
        stumps, key=lambda stump: weighted_error(w, [answer(stump, x) != label for x, label in zip(X, y, strict=True)])
    )


def samme_vote(error):
    """The vote after which the mistakes weigh as much as those of a guesser, a share of (K - 1)/K."""
    share = lambda a: error * np.exp(a) / (error * np.exp(a) + 1 - error)
    return brentq(lambda a: share(a) - (K - 1) / K, -10, 10, xtol=1e-14)


def instance(seed):
    """Rounds 1 to T; their stumps, errors, votes, and weights w^(1) to w^(T+1)."""
    rng = np.random.default_rng(seed)
    N, T = 12, 5
    X = rng.normal(size=(N, 3))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * X[:, 2] > 0, 1, -1)
    w, stumps, answers = [np.full(N, 1 / N)], [], []
    epsilon, alpha, Z = np.zeros((3, T))
    for t in range(T):
        stumps.append(best_stump(X, y, w[t]))
        answers.append(np.array([answer(stumps[t], x) for x in X]))
        epsilon[t] = weighted_error(w[t], answers[t] != y)
        alpha[t] = vote(epsilon[t])
        Z[t] = normalizer(epsilon[t], alpha[t])
        w.append(exponential_update(w[t], y, answers[t], alpha[t]))
    w, answers = np.array(w), np.array(answers)
    weak = [At(lambda x, stump=stump: answer(stump, x)) for stump in stumps]
    vote_of = lambda x, t: float(sum(a * h(x) for a, h in zip(alpha[:t], weak[:t], strict=True)))
    score = {t: At(lambda x, t=t: vote_of(x, t)) for t in range(T + 1)}
    F = score[T]
    miss, bound = answers != y, training_bound(epsilon)[-1]
    gammas = float(np.prod(np.exp(-2 * (0.5 - epsilon) ** 2)))
    errors = rng.uniform(0.5, 0.7, T)  # of SAMME: a vote is positive below 3/4
    votes = np.array([samme_vote(error) for error in errors])
    p = rng.uniform(0.2, 0.8)
    least = brentq(lambda f: (1 - p) * np.exp(f) - p * np.exp(-f), -9, 9, xtol=1e-14)  # of the expected loss
    values = {
        "n": range(1, N + 1), "m": range(1, N + 1), "t": range(1, T + 1), "N": N, "T": T, "K": K,
        r"\mathbf{x}_#": X, r"\mathbf{x}": rng.normal(size=3), "y_#": y, "h_#": weak, "h": weak[ROUND - 1],
        r"\alpha_#": alpha, r"\alpha": 0.4, "F_#": score, "F": F, "H": At(lambda x: float(np.sign(F(x)))),
        "L": At(lambda f: float(np.mean([np.exp(-b * f(a)) for a, b in zip(X, y, strict=True)]))),
        "w_#^{(#)}": w.T, "w_#": w[ROUND - 1], r"\varepsilon_#": epsilon, r"\varepsilon": epsilon[ROUND - 1],
        "Z_#": Z, "Z": At(lambda a: normalizer(epsilon[ROUND - 1], a)), r"\gamma_#": 0.5 - epsilon,
        r"\rho_#": vote_margins(y, answers, alpha), r"\text{mistake}": At(lambda n, t: miss[t - 1, n - 1], "n", "t"),
        r"\text{right}": At(lambda n, t: not miss[t - 1, n - 1], "n", "t"),
    }  # fmt: skip
    this = {"t": ROUND}
    samme = {r"\alpha_#": votes / 2, r"\varepsilon_#": errors}
    after = mistake_update(w[ROUND - 1], miss[ROUND - 1], epsilon[ROUND - 1])
    ratio = w[ROUND - 1] / after  # what a weight is divided by
    own = {
        "adaboost-stage": this, "adaboost-error": this, "adaboost-must-know-weights": this,
        "adaboost-odds": {"F": At(lambda x: least), "p": At(lambda x: p)}, "adaboost-samme": samme,
        "adaboost-must-know-round:3": {"H": np.sign(F(X[0])), "h_#": answers[:, 0]},
        "adaboost-must-know-margin": samme,
        "adaboost-must-know-margin:1": {r"\alpha_#": alpha},
    }  # fmt: skip
    mistakes = np.mean(np.sign([F(x) for x in X]) != y)
    worth = {
        "adaboost-chain": {0: mistakes, 2: bound}, "adaboost-bound": {0: mistakes, 1: bound},
        "adaboost-gamma": {0: bound, 1: gammas},
        "adaboost-must-know-bound:1": {0: mistakes, 1: bound, 2: gammas},
        "adaboost-must-know-weights:1": At(lambda n: after[n - 1], "n"),
        "adaboost-must-know-weights:2": ratio[miss[ROUND - 1]].mean(),
        "adaboost-must-know-weights:3": ratio[~miss[ROUND - 1]].mean(),
        "adaboost-must-know-loss:1": np.mean([np.exp(-b * F(a)) for a, b in zip(X, y, strict=True)]),
        "adaboost-must-know-loss:2": normalizer(epsilon[ROUND - 1], 0.4),
        "adaboost-must-know-margin:2": At(lambda t: votes[t - 1], "t"),
        "adaboost-must-know-margin:3": {1: 1 - 1 / K},
    }  # fmt: skip
    return Instance(values, own, worth)
