"""Exercises on recommender systems: penalised means and factors by least squares with rows added, lists by sklearn."""

from itertools import product

import numpy as np
from sklearn.metrics import dcg_score, ndcg_score, precision_score

from notes_lib.mining.recommender import als_step, neighborhood_rating, shrunken_mean
from notes_lib.numerics import central_difference
from tests.formulas.values import At
from tests.solutions.ledger import Worked

P, Q = r"\mathbf{p}", r"\mathbf{q}_#"
FILMS = np.array([[0.5, 1.0], [-1.0, 0.3], [0.7, -0.4]])
RATINGS, MEMBER = np.array([1.2, -0.5, 0.9]), np.array([0.3, -0.8])


def _ridge(rows, values, penalty):
    """The least squares solution with the penalty as more rows, whose target is 0."""
    rows = np.asarray(rows, dtype=float).reshape(len(values), -1)
    width = rows.shape[1]
    more = np.vstack([rows, penalty**0.5 * np.eye(width)])
    return np.linalg.lstsq(more, np.r_[values, np.zeros(width)])[0]


def _slopes(f, x):
    """Central differences, which are exact for a square."""
    return central_difference(f, x, 0.01)


def _ranked(measure, gains, k):
    """A measure of scikit-learn for a list that is shown in this order."""
    return float(measure([gains], [-np.arange(len(gains))], k=k))


def ex_als():
    penalty = 0.6
    loss = lambda p: np.sum((RATINGS - FILMS @ p) ** 2) + penalty * np.linalg.norm(p) ** 2
    best = _ridge(FILMS, RATINGS, penalty)
    square = lambda k: lambda p: (RATINGS[k] - FILMS[k] @ p) ** 2
    return Worked(
        {"L": At(loss), P: MEMBER, Q: FILMS, "z_{u#}": RATINGS, "i": range(1, 4), r"\lambda": penalty,
         r"\mathcal{I}_u": frozenset([1.0, 2.0, 3.0]), r"\mathbf{I}": np.eye(2)},
        worlds=[{P: best}],
        numbers=[[_slopes(square(k), MEMBER) for k in range(3)],
                 _slopes(lambda p: penalty * np.linalg.norm(p) ** 2, MEMBER), 0, 1 / 2],
    )  # fmt: skip


def ex_bias():
    mean, penalty = 3.5, 2
    ratings, biases = np.array([5, 5, 4]), np.array([0.5, 0, 0])
    deviations = ratings - mean - biases
    bias = lambda values: _ridge(np.ones(len(values)), values, penalty)[0]
    plain = np.mean(deviations)
    close = plain - plain / 10
    n = next(n for n in range(1, 99) if bias(np.full(n, plain)) >= close - 1e-12)
    return Worked(
        {r"\lambda": penalty, "n": n},
        numbers=[mean, ratings, biases, 1 / 10, deviations, deviations.sum(), plain, bias(np.full(n, plain)), close,
                 n - len(ratings)],
    )  # fmt: skip


def ex_lists():
    gains, k = [3, 2, 0, 1], 2
    lists = np.array([[3, 0, 2, 1], [2, 3, 1, 0]])
    precision = [precision_score(shown >= 2, [1, 1, 0, 0]) for shown in lists]
    best = sorted(gains, reverse=True)
    normed = [_ranked(ndcg_score, shown, k) for shown in lists]
    reached = [_ranked(dcg_score, shown, k) for shown in lists]
    return Worked(
        {r"\text{NDCG}_2": normed},
        numbers=[gains, lists, 2, normed, precision, best[:2], reached[0], normed],
        known=[_ranked(dcg_score, best, k), reached],
    )


def ex_share():
    penalty, n = 0.6, len(RATINGS)
    each = [penalty * np.linalg.norm([*MEMBER, *film]) ** 2 for film in FILMS]
    own = np.sum(each) - penalty * np.sum(FILMS**2)
    return Worked(
        {r"\mathbf{p}_u": MEMBER, Q: FILMS, "z_{u#}": RATINGS, "i": range(1, n + 1), r"\lambda": penalty, "n_u": n,
         r"\mathbf{I}": np.eye(2)},
        numbers=[each, own, _ridge(FILMS, RATINGS, n * penalty)],
    )  # fmt: skip


def ex_propensity():
    errors, seen = np.array([1, 1, 4, 4]), np.array([0.8, 0.8, 0.2, 0.2])
    patterns = np.array([*product((0, 1), repeat=4)])
    chance = np.prod(np.where(patterns, seen, 1 - seen), axis=1)
    mean = lambda values: float(chance @ values)
    estimate = lambda pattern: np.sum(pattern * errors / seen, axis=-1) / 4
    number = mean(patterns.sum(axis=1))
    return Worked(
        {"e": errors[2] ** 0.5, r"\pi": seen[2]},
        numbers=[errors, seen[::3], number, mean(patterns @ errors) / number, mean(estimate(patterns)),
                 4 * estimate(np.eye(4)[2]), 4 * mean(estimate(patterns * np.eye(4)[2]))],
        known=[estimate(np.array([1, 0, 1, 0]))],
    )  # fmt: skip


def ex_code():
    return Worked(numbers=[2])


def cards():
    normed = _ranked(ndcg_score, [0, 3, 1], 2)
    shift = [neighborhood_rating(mean, [0.4, -0.3], [0.5, 0.2]) for mean in (3, 4)]
    twice = np.repeat(FILMS[:1], 2, axis=0)
    U, films, K = 5, 4, 3
    fitted = [np.empty((U, K)), np.empty((films, K)), np.empty(U), np.empty(films), np.empty(())]
    gains, g = np.array([1, 3]), 3
    powers = lambda g: sum(2**j for j in range(g))  # all binary digits
    turn = als_step(FILMS, RATINGS, 20 * 0.05)
    assert np.allclose(turn, _ridge(FILMS, RATINGS, 1))
    weight = lambda share: share / 18 * 0.9
    p, q, rest, rate = 2, 1, 3, 0.1
    down = -_slopes(lambda x: (rest - x[0] * q) ** 2 / 2, np.array([p]))[0]
    flat = [np.corrcoef([1, 4], other)[0, 1] for other in ([2, 3], [5, 3])]
    return {
        "lost-marks-zeros": Worked(numbers=[0]),
        "lost-marks-ideal": Worked(numbers=[_ranked(ndcg_score, sorted([0, 1], reverse=True), 2)]),
        "what-if-penalty": Worked(numbers=[0, *np.round(_ridge(FILMS, RATINGS, 1e12)[:1], 9), 0]),
        "what-if-shift": Worked(numbers=[1, shift[1] - shift[0]]),
        "what-if-twice": Worked(
            {Q: FILMS, "i": range(1, 2)}, numbers=[2, np.trace(twice.T @ twice) / np.sum(FILMS[0] ** 2)]
        ),
        "counterexample-order": Worked(numbers=[1.5]),
        "counting": Worked(
            {"U": U, "I": films, "K": K}, numbers=[sum(part.size for part in fitted), np.eye(K).size]
        ),
        "convention-penalty": Worked(numbers=[20, 0.05, 20 * 0.05]),
        "convention-gains": Worked(
            {"g": g, r"\text{NDCG}_2": _ranked(ndcg_score, gains, 2)},
            numbers=[powers(g), gains, _ranked(ndcg_score, gains, 2), _ranked(ndcg_score, gains, 2),
                     _ranked(ndcg_score, [powers(g) for g in gains], 2), powers(g)],
        ),
        "quiz-bias": Worked(
            {r"\lambda": 2},
            numbers=[4, 3, 3 / 4, shrunken_mean([0, 1, 1, 1], 2), *_ridge(np.ones(4), [0, 1, 1, 1], 2), 3 / 2, 3],
        ),
        "quiz-shrink": Worked(
            {r"\kappa": 12}, numbers=[0.9, 6, weight(6), weight(6), weight(12), 0.9 / 2, 1 / 2, weight(18)]
        ),
        "quiz-step": Worked(
            {"p": p, "q": q, r"\eta": rate},
            numbers=[rest, p + rate * rest * q, p - rate * down, p + rate * down, p + rate * down,
                     p + rate * (rest - p * q) * p],
        ),
        "quiz-ndcg": Worked(
            {r"\text{NDCG}_2": normed},
            numbers=[0, 3, 1, normed, _ranked(ndcg_score, [3, 0], 2), precision_score([0, 1, 1], [1, 1, 0]), normed,
                     normed, np.sum([0, 3]) / np.sum([3, 1])],
        ),
        "tf-descent": Worked(numbers=[1 / 2]),
        "tf-zero": Worked(numbers=[0, *als_step(np.zeros((3, 1)), RATINGS, 1)]),
        "tf-two": Worked(numbers=flat),
    }  # fmt: skip
