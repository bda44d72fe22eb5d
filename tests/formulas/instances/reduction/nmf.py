"""Non-negative matrix factorisation: random factors, SciPy's non-negative least squares, sums over single entries."""

import numpy as np
from scipy import stats
from scipy.optimize import minimize, nnls
from scipy.special import gammaln

from notes_lib.reduction.nmf import majoriser, multiplicative_update, nndsvd, shares
from tests.formulas.values import At, Instance

N, D, K = 5, 4, 3
THOMAS = np.array([[1.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]])
KL = "kullback-leibler"


def half_squares(X, W, H):
    """Half the squared length of the vector of all errors."""
    return 0.5 * np.linalg.norm(np.ravel(X - W @ H)) ** 2


def negative_poisson(X, Y):
    """Minus the Poisson log-likelihood, up to what does not depend on Y: 0 at Y = X."""
    likelihood = lambda M: (X * np.log(M) - M - gammaln(X + 1)).sum()
    return likelihood(X) - likelihood(Y)


def best_factor(x, W, h, loss):
    """The minimum of the majoriser of one column, by a general method."""
    bound = lambda log_u: majoriser(x, W, np.exp(log_u), h, loss)
    return np.exp(minimize(bound, np.log(h), method="BFGS", options={"gtol": 1e-12}).x)


def halves(X):
    """Singular values, and of each pair of vectors the positive or the negative half with the larger product."""
    U, s, V = np.linalg.svd(X)
    pairs = [[(np.maximum(z * U[:, k], 0), np.maximum(z * V[k], 0)) for z in (1, -1)] for k in range(K)]
    best = [max(two, key=lambda pair: np.linalg.norm(np.outer(*pair))) for two in pairs]
    return s[:K], np.array([p for p, _ in best]).T, np.array([q for _, q in best])


def instance(seed):
    """Positive factors; one column of the data with its factor h, and other values u."""
    rng = np.random.default_rng(seed)
    X, W, H = (rng.uniform(0.2, 3, size) for size in [(N, D), (N, K), (K, D)])
    Y = W @ H
    x, h, u = X[:, 0], H[:, 0], rng.uniform(0.2, 3, K)
    best = np.array([nnls(W, column)[0] for column in X.T]).T
    after, after_W = multiplicative_update(X, W, H), multiplicative_update(X.T, H.T, W.T).T
    counted = multiplicative_update(X, W, H, KL)
    s, R = rng.uniform(0.5, 2, K), np.eye(K) + 0.3 * rng.normal(size=(K, K))
    F = At(lambda H: half_squares(X, W, H), "h_{##}")
    one = lambda v: half_squares(x, W, np.asarray(v, float))
    bound = At(lambda u: majoriser(x, W, u, h), "u_#")
    values = {
        "n": range(1, N + 1), "d": range(1, D + 1), "k": range(1, K + 1), "N": N, "D": D, "K": K,
        r"\mathbf{X}": X, r"\mathbf{W}": W, r"\mathbf{H}": H, r"\mathbf{Y}": Y, r"\mathbf{R}": R,
        "x_{##}": X, "w_{##}": W, "h_{##}": H, "y_{##}": Y, "s_#": s,
        "x_#": x, "y_#": Y[:, 0], "h_#": h, "u_#": u, r"\mathbf{u}": u, r"\mathbf{h}": h,
        r"\alpha_{##}": shares(W, h), "F": F, r"\eta_{##}": H / (W.T @ Y),
        r"h_{##}\leftarrow": after, r"w_{##}\leftarrow": after_W, r"\bar x": X.mean(),
        r"\operatorname{E}y_{##}": np.full((N, D), K * stats.halfnorm(scale=np.sqrt(X.mean() / K)).mean() ** 2),
        r"D(\mathbf{X}\,\Vert\,\mathbf{Y})": negative_poisson(X, Y),
        r"(\mathbf{W}^\top\mathbf{X})_{##}": lambda k, d: np.dot(W[:, k - 1], X[:, d - 1]),
        r"(\mathbf{W}^\top\mathbf{W}\mathbf{H})_{##}": lambda k, d: np.dot(W[:, k - 1], Y[:, d - 1]),
    }  # fmt: skip
    column = {
        "F": one, "G": lambda u, h: majoriser(x, W, u, h), r"\mathbf{h}^+": best_factor(x, W, h, "frobenius"),
    }  # fmt: skip
    expected = np.column_stack([X[:, d] @ shares(W, H[:, d]) for d in range(D)])  # of each part, as in EM
    counts = {r"h_{##}\leftarrow": np.linalg.solve(np.diag(W.sum(axis=0)), expected)}
    assert np.allclose(counts[r"h_{##}\leftarrow"][:, 0], best_factor(x, W, h, KL), rtol=1e-5)
    kept = {"h_{##}": counted}
    left = X - Y + np.outer(W[:, 0], H[0])  # what the parts other than the first leave
    row = {"k": range(1, 2), "r_{##}": left, r"h_{##}\leftarrow": [[nnls(W[:, [0]], r)[0][0] for r in left.T]]}
    size, p, q = halves(X)
    first, second = nndsvd(X, K)
    start = {"w_{##}": first, "h_{##}": second, "s_#": size, "p_{##}": p, "q_{##}": q}
    rank = {r"\mathbf{X}": THOMAS, r"\operatorname{rank}_+(\mathbf{X})": 4, "N": 4, "D": 4}
    own = {
        "nmf-objective": {"F": lambda W, H: half_squares(X, W, H)},
        "nmf-must-know-model:2": {"F": half_squares(X, W, H)},
        "nmf-kkt": {"h_{##}": best},
        "nmf-auxiliary": column, "nmf-descent": column, "nmf-must-know-mm": column,
        "nmf-majoriser": {"G": column["G"]}, "nmf-majoriser-slope": {"G": bound},
        "nmf-kl-update": counts, "nmf-must-know-kl:1": counts, "nmf-kl-sums": kept,
        "nmf-rest": row, "nmf-hals": row,
        "nmf-rank-bound": rank, "nmf-nndsvd": start,
    }  # fmt: skip
    return Instance(values, own)
