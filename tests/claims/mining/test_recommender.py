"""The quiz of the chapter *Recommender systems*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.stats import ortho_group

from notes_lib.mining.recommender import (
    MatrixFactorization,
    als_step,
    generate_ratings,
    sgd_step,
    similarities,
)
from tests.claims.deciding import Numbers, decided


def quiz_bias(n, total):
    r"""A film has <n> ratings whose deviations add up to <total>. With $\lambda=2$ its bias is"""
    deviations = np.full(int(n), total / n)
    bias = np.linspace(-1, 4, 500_001)
    loss = (bias[:, None] ** 2).sum(axis=1) * (n + 2) - 2 * bias * deviations.sum()
    return Numbers(round(bias[loss.argmin()], 4), [deviations.mean(), total / 2, total])


def quiz_shrink(s, n, kappa):
    r"""Two members correlate with <s> over <n> common films. With $\kappa=<kappa>$ the shrunk similarity is"""
    x = np.arange(n)
    x = (x - x.mean()) / np.linalg.norm(x - x.mean())
    other = np.where(np.arange(n) % 2, 1.0, -1.0)
    other -= other.mean() + (other @ x) * x
    y = s * x + np.sqrt(1 - s**2) * other / np.linalg.norm(other)
    assert np.isclose(similarities([x, y])[0, 1], s)
    return Numbers(similarities([x, y], shrinkage=kappa)[0, 1], [kappa / (n + kappa) * s, s / 2, s])


def quiz_step(p, q, r, rate):
    r"""One factor: $p=<p>$, $q=<q>$, rest of the rating <r>, $\eta=<rate>$, no penalty. The new $p$ is"""
    right = sgd_step([p], [q], r, rate, 0.0)[0][0]
    error = r - p * q
    return Numbers(right, [p + rate * r * q, p - rate * error * q, p + rate * error * p])


def quiz_ndcg(gains):
    r"""The gains of a list are <gains>, and these three films are all there are. $\text{NDCG}_2$ is"""
    worth = lambda order: sum(g / np.log2(n + 2) for n, g in enumerate(order[:2]))
    best = sorted(gains, reverse=True)
    return Numbers(worth(gains) / worth(best), [1, np.mean(np.array(gains[:2]) > 0), sum(gains[:2]) / sum(best[:2])])


def quiz_gauge():
    """What changes no prediction of a fitted factor model? (Mark all.)"""
    rng = np.random.default_rng(0)
    P, Q = rng.normal(size=(5, 3)), rng.normal(size=(4, 3))
    turn, sign = ortho_group.rvs(3, random_state=0), np.diag([1, -1, 1])
    same = lambda A, B: np.allclose(A @ B.T, P @ Q.T)
    return {
        "turning all factors of members and films by the same rotation": same(P @ turn, Q @ turn),
        "doubling all factors of members and films": same(2 * P, 2 * Q),
        "doubling the factors of members and halving those of films": same(2 * P, Q / 2),
        "changing the sign of one factor for everybody": same(P @ sign, Q @ sign),
    }


def _moved(fit):
    """Whether what is fitted depends on the ratings that are hidden."""
    rng = np.random.default_rng(0)
    R, hidden = rng.normal(size=(6, 5)), np.zeros((6, 5), bool)
    hidden[[0, 3], [1, 2]] = True
    other = np.where(hidden, R + 5, R)
    return not np.allclose(fit(R, hidden), fit(other, hidden))


def _errors(drift):
    """Error on a random part, and on the last part, mean over seeds."""
    found = []
    for seed in range(4):
        data = generate_ratings(drift=drift, random_state=seed)
        late = data.times > np.quantile(data.times, 0.8)
        chance = np.random.default_rng(seed).uniform(size=len(late)) < 0.2
        row = []
        for test in (chance, late):
            model = MatrixFactorization(2, reg=1.0, random_state=0)
            model.fit(data.users[~test], data.items[~test], data.ratings[~test])
            test &= np.isin(data.users, model.user_ids_) & np.isin(data.items, model.item_ids_)
            off = data.ratings[test] - model.predict(data.users[test], data.items[test])
            row.append(np.sqrt(np.mean(off**2)))
        found.append(row)
    return np.mean(found, axis=0)


def _optimism():
    """How far the error of the penalty that was best on hidden ratings lies below its error on fresh ones."""
    rng, gap = np.random.default_rng(0), []
    for _ in range(400):
        hidden, fresh = rng.normal(size=(2, 10, 8)) ** 2  # squared errors of ten equal choices
        best = hidden.mean(axis=1).argmin()
        gap.append(fresh[best].mean() - hidden[best].mean())
    return np.mean(gap) > 5 * np.std(gap) / 20


def quiz_leak():
    """Which of these leak the hidden ratings into the fit? (Mark all.)"""
    at_random, in_time = _errors(2.0)
    return {
        "film means computed before the split": _moved(lambda R, hidden: R.mean(axis=0)),
        "choosing the penalty by the reported error": bool(_optimism()),
        "film means computed from the training ratings": _moved(
            lambda R, hidden: np.where(hidden, 0, R).sum(axis=0) / (~hidden).sum(axis=0)
        ),
        "a random split where tastes move": bool(at_random < in_time - 0.1),
    }


def _some(seed):
    rng = np.random.default_rng(seed)
    return np.where(rng.uniform(size=(12, 9)) < 0.6, rng.normal(size=(12, 9)), np.nan)


def tf_descent():
    """Alternating least squares never raises its objective."""
    falls = []
    for seed in range(5):
        R, rng = _some(seed), np.random.default_rng(seed)
        P, Q, values = rng.normal(size=(12, 2)), rng.normal(size=(9, 2)), []
        for turn in range(12):
            mine, other, A = (P, Q, R) if turn % 2 == 0 else (Q, P, R.T)
            for n, row in enumerate(A):
                mine[n] = als_step(other[~np.isnan(row)], row[~np.isnan(row)], 0.5)
            values.append(np.nansum((R - P @ Q.T) ** 2) + 0.5 * ((P**2).sum() + (Q**2).sum()))
        falls.append((np.diff(values) <= 1e-9).all() and values[-1] < values[0])
    return all(falls)


def tf_zero():
    """Alternating least squares may start with all factors at 0."""
    r, Q = np.array([1.0, -2.0, 0.5]), np.zeros((3, 2))
    assert als_step(Q + 0.1, r + 1, 0.5).any()  # small numbers do move
    return bool(als_step(Q, r, 0.5).any())


def tf_two():
    """From two common films the correlation is 1 or $-1$, if neither member rates both alike."""
    rng, sizes = np.random.default_rng(0), []
    for _ in range(50):
        sizes.append(abs(similarities(rng.normal(size=(2, 2)))[0, 1]))
    assert abs(similarities([[1.0, 2, 3], [1.0, 3, 2]])[0, 1]) < 0.999
    return np.allclose(sizes, 1)


def _estimate(selection):
    """Mean squared error of one prediction over rated pairs, and over all, without noise."""
    gaps = []
    for seed in range(5):
        data = generate_ratings(selection=selection, noise=0.0, random_state=seed)
        squares = (data.truth - 3.3) ** 2
        below = np.minimum(data.truth - 3.3, 0) ** 2  # what is not liked is missed by so much
        gaps.append([below[data.users, data.items].mean(), below.mean(), squares.mean()])
    return np.mean(gaps, axis=0)


def tf_hidden():
    """The error on hidden ratings is an unbiased estimate of the error over all films, whoever chose what to rate."""
    plain, chosen = _estimate(0.0), _estimate(1.5)
    assert abs(plain[0] - plain[1]) < 0.1 * plain[1]  # where nobody chooses
    return abs(chosen[0] - chosen[1]) < 0.1 * chosen[1]


def tf_cold():
    """A member without ratings is predicted to rate each film with the mean plus the film's bias."""
    R = _some(1)
    R[4] = np.nan
    model = MatrixFactorization(2, reg=0.5, random_state=0).fit(R)
    return np.allclose(model.predict([[4]], np.arange(9)), model.mean_ + model.item_biases_)


test_claim = decided("mining/recommender", globals())
