r"""Recommenders: a small table of ratings, regressions solved by SciPy, correlations by NumPy, errors of all pairs."""

from itertools import product

import numpy as np

from notes_lib.mining.recommender import (
    als_step,
    dcg_at_k,
    inverse_propensity_mean,
    ndcg_at_k,
    neighborhood_rating,
    precision_at_k,
    recall_at_k,
    sgd_step,
    shrunken_mean,
    similarities,
)
from tests.formulas.values import At, Instance

USERS, FILMS, K = 4, 5, 2


def table(rng):
    """Ratings with gaps: each two members share two films at least, each film has two ratings at least."""
    while True:
        seen = rng.uniform(size=(USERS, FILMS)) < 0.75
        if not seen.all() and (seen.astype(int) @ seen.T >= 2).all() and (seen.sum(axis=0) >= 2).all():
            return np.where(seen, rng.uniform(1, 5, size=(USERS, FILMS)), np.nan)


def places(mask):
    """Numbers of what is true, from 1 on."""
    return frozenset((np.flatnonzero(mask) + 1).tolist())


def ridge(Z, r, reg):
    """Least squares on stacked rows."""
    k = Z.shape[1]
    stacked = np.vstack([Z, np.sqrt(reg) * np.eye(k)])
    return np.linalg.lstsq(stacked, np.concatenate([r, np.zeros(k)]))[0]


def neighbours(R, seen, u, v, kappa):
    """Means over common films, correlation, and the shrunk one, by NumPy."""
    both = seen[u] & seen[v]
    s = np.corrcoef(R[u, both], R[v, both])[0, 1]
    return both.sum(), R[u, both].mean(), s, similarities(R, shrinkage=kappa)[u, v]


def measures(rng):
    """A list of six films with their gains; those of gain 2 or 3 are relevant."""
    k, gains = int(rng.integers(2, 6)), np.array([3, 0, 2, 1, 2, 0])
    rng.shuffle(gains)
    relevant, ranked = set(np.flatnonzero(gains >= 2) + 1), list(range(1, 7))
    best = np.sort(gains)[::-1]
    return {
        r"\mathcal{R}": frozenset(relevant), r"\mathcal{L}_k": frozenset(ranked[:k]), "k": k, "j": range(1, 7),
        "P_k": precision_at_k(ranked, relevant, k), "R_k": recall_at_k(ranked, relevant, k), "g_#": gains.astype(float),
        "D_k": dcg_at_k(gains, k), "D_k^*": dcg_at_k(best, k), r"\text{NDCG}_k": ndcg_at_k(gains, k),
    }  # fmt: skip


def reweighted(rng):
    """Squared errors, propensities, what was seen, and the expectation over all outcomes of a small table."""
    e, pi = rng.normal(size=(2, 3)), rng.uniform(0.2, 0.9, size=(2, 3))
    while True:
        seen = rng.uniform(size=(2, 3)) < pi
        if seen.any():
            break
    mean = 0.0
    for outcome in product([0, 1], repeat=6):
        s = np.reshape(outcome, (2, 3)).astype(bool)
        chance = np.prod(np.where(s, pi, 1 - pi))
        mean += chance * (inverse_propensity_mean(e[s] ** 2, pi[s], 6) if s.any() else 0.0)
    return {
        "U": 2, "I": 3, "u": range(1, 3), "i": range(1, 4), "e_{##}": e, r"\pi_{##}": pi,
        r"\mathcal{I}_#": lambda u: places(seen[int(u) - 1]),
        r"\hat E": inverse_propensity_mean(e[seen] ** 2, pi[seen], 6), r"\operatorname{E}\hat E": mean,
    }  # fmt: skip


def counted(rng):
    """Counts, and the factors of one member from all pairs."""
    counts, alpha, reg = rng.poisson(0.8, size=(USERS, FILMS)).astype(float), 1.5, 0.7
    counts[:, 0], counts[:, 1] = 2.0, 0.0
    Q, t = rng.normal(size=(FILMS, K)), (counts > 0).astype(float)
    C = 1 + alpha * counts
    P = np.array([ridge(np.sqrt(c)[:, None] * Q, np.sqrt(c) * row, reg) for c, row in zip(C, t, strict=True)])
    loss = sum(C[u, i] * (t[u, i] - P[u] @ Q[i]) ** 2 for u in range(USERS) for i in range(FILMS))
    return {
        "k_{##}": counts, "t_{##}": t, "c_{##}": C, r"\alpha": alpha, r"\lambda": reg, r"\mathbf{Q}": Q,
        r"\mathbf{q}_#": Q, r"\mathbf{p}_#": P, r"\mathcal{I}_#": lambda u: places(counts[int(u) - 1] > 0),
        "J": loss + reg * (np.linalg.norm(P) ** 2 + np.linalg.norm(Q) ** 2),
    }  # fmt: skip


def instance(seed):
    """Parameters of all members and films, a member ``u`` and a film ``i`` that it has not rated, and a neighbour."""
    rng = np.random.default_rng(seed)
    R = table(rng)
    seen = ~np.isnan(R)
    filled = np.where(seen, R, 0.0)
    mu, reg, kappa, eta = 3.0, rng.uniform(0.3, 2), rng.uniform(1, 5), 0.1
    b, d, P, Q = (
        rng.normal(size=USERS),
        rng.normal(size=FILMS),
        rng.normal(size=(USERS, K)),
        rng.normal(size=(FILMS, K)),
    )
    base = mu + b[:, None] + d
    fitted = base + P @ Q.T
    of_user, of_film = lambda u: places(seen[int(u) - 1]), lambda i: places(seen[:, int(i) - 1])
    squares = (
        np.linalg.norm((filled - fitted)[seen]) ** 2,
        np.linalg.norm(np.concatenate([P.ravel(), Q.ravel()])) ** 2,
    )
    pair = {
        (u, v): neighbours(R, seen, u - 1, v - 1, kappa)
        for u in range(1, USERS + 1)
        for v in range(1, USERS + 1)
        if u != v
    }
    mean = np.array([R[u, seen[u]].mean() for u in range(USERS)])
    u, i = (int(n[0]) + 1 for n in np.nonzero(~seen))
    voters = of_film(i)
    best_b = [shrunken_mean((R[:, k] - mu - b)[seen[:, k]], reg) for k in range(FILMS)]
    z = filled - base
    turn = np.array([als_step(Q[seen[v]], z[v, seen[v]], reg) for v in range(USERS)])
    ones = np.column_stack([Q, np.ones(FILMS)])
    both = np.array([ridge(ones[seen[v]], (filled - mu - d)[v, seen[v]], reg) for v in range(USERS)])
    one = 1  # the member whose loss is looked at
    loss = lambda p: float(np.sum((z[one, seen[one]] - Q[seen[one]] @ np.ravel(p)) ** 2) + reg * np.dot(p, p))
    p = rng.normal(size=K)
    total = lambda P, Q: float(((filled - base - P @ Q.T)[seen] ** 2).sum() + reg * ((P**2).sum() + (Q**2).sum()))
    later = np.array([ridge(Q[seen[v]], z[v, seen[v]], reg) for v in range(USERS)])
    films = np.array([ridge(later[seen[:, k]], z[seen[:, k], k], reg) for k in range(FILMS)])
    a, c = next((int(m), int(n)) for m, n in np.argwhere(seen) if 0 < m != n > 0)  # of different numbers
    n_u, n_i = seen.sum(axis=1), seen.sum(axis=0)
    error = R[a, c] - fitted[a, c]
    new_p, new_q = sgd_step(P[a], Q[c], R[a, c] - base[a, c], eta, (reg / n_u[a], reg / n_i[c]))
    r, rhat = rng.uniform(1, 5, size=(2, 6))
    values = {
        "U": USERS, "I": FILMS, "u": range(1, USERS + 1), "i": range(1, FILMS + 1), "K": K,
        "r_{##}": filled, r"\hat r_{##}": fitted, r"\mu": mu, "b_#": b, "d_#": d,
        r"\mathbf{p}_#": P, r"\mathbf{q}_#": Q,
        r"\mathbf{P}": P, r"\mathbf{Q}": Q, r"\lambda": reg, r"\kappa": kappa, r"\eta": eta, "z_{##}": z,
        r"\mathcal{I}_#": of_user, r"\mathcal{U}_#": of_film, r"\mathbf{I}": np.eye(K),
        "n_u": At(lambda u: float(n_u[int(u) - 1]), "u"), "n_i": At(lambda i: float(n_i[int(i) - 1]), "i"),
        r"\mathbf{M}": rng.normal(size=(K, K)),
        "J": squares[0] + reg * (squares[1] + np.linalg.norm(np.concatenate([b, d])) ** 2),
        "L": At(loss, r"\mathbf{p}"), r"\mathbf{p}": p,
    }  # fmt: skip
    common = {
        "u": u, "v": range(1, USERS + 1), r"\mathcal{I}_{##}": lambda u, v: places(seen[int(u) - 1] & seen[int(v) - 1]),
        "m_{##}": lambda u, v: pair[u, v][1], "s_{##}": lambda u, v: pair[u, v][2],
        "n_{##}": lambda u, v: pair[u, v][0],
        "w_{##}": lambda u, v: pair[u, v][3], r"\bar r_#": mean, r"\mathcal{N}": voters,
    }  # fmt: skip
    two = common | {"u": 2, "v": 3}
    vote = neighborhood_rating(
        mean[u - 1], [R[v - 1, i - 1] - mean[v - 1] for v in sorted(voters)], [pair[u, v][3] for v in sorted(voters)]
    )
    asked = common | {"i": i, r"\hat r_{##}": {(u, i): vote}}
    single = {"u": a + 1, "i": c + 1, "e_{##}": {(a + 1, c + 1): error}, r"\mathbf{p}_#\leftarrow": {a + 1: new_p},
              r"\mathbf{q}_#\leftarrow": {c + 1: new_q}}  # fmt: skip
    alone = {r"\hat r_{##}": base, r"\mathbf{p}_#": P}
    lists, missing, counts = measures(rng), reweighted(rng), counted(rng)
    shared = {"J": squares[0] + reg * squares[1]}
    card = "recommender-must-know-"
    own = {
        "recommender-baseline": alone,
        "recommender-shrunken": {"d_#": best_b},
        "recommender-pearson": two, "recommender-shrinkage": two, "recommender-neighborhood": asked,
        "recommender-als-step": {r"\mathbf{p}_#": turn},
        "recommender-als-bias": {
            r"\tilde{\mathbf{q}}_#": ones, r"\tilde{\mathbf{p}}_#": both, r"\mathbf{I}": np.eye(K + 1),
        },
        "recommender-user-loss": {"u": one + 1}, "recommender-als-gradient": {"u": one + 1},
        "recommender-descent": {"J": total, r"\mathbf{P}'": later, r"\mathbf{Q}'": films},
        "recommender-sgd-share": shared, "recommender-sgd-error": single, "recommender-sgd-step": single,
        "recommender-rmse": {
            "N": 6, "n": range(1, 7), "r_#": r, r"\hat r_#": rhat,
            r"\text{RMSE}": np.linalg.norm(r - rhat) / np.sqrt(6),
        },
        "recommender-ips": missing, "recommender-ips-unbiased": missing,
        f"{card}neighbours": asked, f"{card}neighbours:2": two,
        f"{card}als": {r"\mathbf{p}_#": turn},
        f"{card}sgd": single, f"{card}precision": lists, f"{card}ndcg": lists,
    }  # fmt: skip
    own |= dict.fromkeys([f"recommender-{n}" for n in ("precision", "recall", "dcg", "ndcg")], lists)
    own |= dict.fromkeys([f"recommender-{n}" for n in ("confidence", "implicit", "implicit-step")], counts)
    return Instance(values, own)


UNREAD: dict[str, str] = {}
