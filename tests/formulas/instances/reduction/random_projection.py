"""Random projections: a Gaussian matrix, the exact chi-square distribution, and every row of signs and zeros."""

from itertools import combinations, product

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import chi2

from notes_lib.reduction.random_projection import (
    GaussianRandomProjection,
    confident_min_dim,
    failure_bound,
    inner_product_variance,
    lower_tail_bound,
    upper_tail_bound,
)
from tests.formulas.values import Instance

Z2, X2 = r"\lVert\mathbf{z}_{\mathbf{x}}\rVert^2", r"\lVert\mathbf{x}\rVert^2"
UPPER, LOWER, EITHER = r"P(Q\ge1+\varepsilon)", r"P(Q\le1-\varepsilon)", r"P(|Q-1|\ge\varepsilon)"


def enumerated(x, y, law):
    """Mean of u v, mean of u^4, variance of u v, over all rows whose entries have this law."""
    rows = np.array([[value for value, _ in row] for row in product(law, repeat=len(x))])
    chance = np.array([np.prod([p for _, p in row]) for row in product(law, repeat=len(x))])
    u, v = rows @ x, rows @ y
    mean = chance @ (u * v)
    return mean, chance @ u**4, chance @ (u * v) ** 2 - mean**2


def three(s):
    """The values of an entry and their probabilities."""
    return [(np.sqrt(s), 0.5 / s), (0.0, 1 - 1 / s), (-np.sqrt(s), 0.5 / s)]


def of_lengths(k, x):
    """Variance of the mean of k squares of a Gaussian mixture, by quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(8)
    squares, weights = (np.linalg.norm(x) * nodes) ** 2, weights / weights.sum()
    return (weights @ squares**2 - (weights @ squares) ** 2) / k


def smallest(bound, largest=1e6):
    """Where a bound falls to what it must be."""
    return brentq(bound, 1e-9, largest, xtol=1e-13, rtol=1e-14)


def instance(seed):
    """Two vectors of four entries; k components, n points, a change eps, entries of fourth moment s."""
    rng = np.random.default_rng(seed)
    k, n, s = int(rng.integers(5, 40)), int(rng.integers(5, 200)), float(rng.uniform(1.5, 9))
    eps, delta = float(rng.uniform(0.2, 0.8)), float(rng.uniform(0.01, 0.3))
    x, y = rng.normal(size=4), rng.normal(size=4)
    law = three(s)
    mean, fourth, variance = enumerated(x, y, law)
    lengths = enumerated(x, x, law)[2] / k
    spike = np.array([1.0, 0, 0, 0])
    model = GaussianRandomProjection(3, random_state=seed).fit(np.ones((2, 4)))
    A = model.components_
    one = failure_bound(2, k, eps)  # the simple bound for one pair
    exponent = -np.log(one / 2) / k  # of one component
    at_n = smallest(lambda c: n**2 * np.exp(-c * exponent) - 1)
    sure = smallest(lambda c: n * (n - 1) * np.exp(-c * exponent) - delta)
    assert np.ceil(sure) == confident_min_dim(n, eps=eps, delta=delta)
    g, q = rng.normal(size=k), chi2(k)
    cumulant = lambda t: -t * k * (1 + eps) - k / 2 * np.log(1 - 2 * t)
    t = smallest(lambda t: -np.imag(cumulant(t + 1e-30j)) / 1e-30, 0.49999)  # its derivative, by a complex step
    squares = lambda t: quad(lambda v: np.exp((t - 0.5) * v * v) / np.sqrt(2 * np.pi), -60, 60, epsabs=1e-13)[0] ** k
    some = float(rng.uniform(0.02, 0.15))
    unit_x, unit_y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    angle = np.arccos(unit_x @ unit_y)
    near, far = rng.uniform(1, 2), (1 + eps) / (1 - eps)
    values = {
        "i": range(1, k + 1), "j": range(1, 5), "k": k, "n": n, "s": s, "D": 4, r"\varepsilon": eps, r"\delta": delta,
        r"\mathbf{x}": x, r"\mathbf{y}": y, "x_#": x, "y_#": y, "g_#": g, r"\mathbf{z}_{\mathbf{x}}": A @ x,
        r"\mathbf{z}_{\mathbf{y}}": A @ y, r"\mathbf{A}": A, r"\mathbf{R}": np.sqrt(3) * A,
        r"\operatorname{E}" + Z2: enumerated(x, x, law)[0], "Q": g @ g / k, r"\operatorname{E}Q": q.mean() / k,
        r"\operatorname{Var}(Q)": q.var() / k**2, r"\operatorname{E}e^{tS}": squares(some), "t": some,
        UPPER: q.sf(k * (1 + eps)), LOWER: q.cdf(k * (1 - eps)), EITHER: q.sf(k * (1 + eps)) + q.cdf(k * (1 - eps)),
        "P_n": n * (n - 1) / 2 * min(1 / n**2, q.sf(k * (1 + eps))),
        r"P(r=\sqrt s)": law[0][1], r"P(r=-\sqrt s)": law[2][1], r"P(r=0)": law[1][1],
        r"\operatorname{E}r": sum(p * r for r, p in law), r"\operatorname{E}r^2": sum(p * r**2 for r, p in law),
        r"\operatorname{E}r^4": sum(p * r**4 for r, p in law), r"\operatorname{E}u^4": fourth,
        r"\operatorname{Var}\big(" + Z2 + r"\big)": lengths, r"\operatorname{Var}(" + Z2 + ")": lengths,
        r"\operatorname{E}(\mathbf{z}_{\mathbf{x}}^\top\mathbf{z}_{\mathbf{y}})": mean,
        r"\operatorname{Var}(\mathbf{z}_{\mathbf{x}}^\top\mathbf{z}_{\mathbf{y}})": variance / k,
        r"\theta": angle, r"\mathbf{z}": A @ x,
        r"\operatorname{Var}\big(\lVert\mathbf{z}_{\mathbf{x}}-\mathbf{z}_{\mathbf{y}}\rVert^2\big)":
            of_lengths(k, unit_x - unit_y),
        r"\hat{\mathbf{x}}": model.inverse_transform((A @ x)[None])[0], r"\mathbf{A}^+": np.linalg.pinv(A),
        r"\mathbf{q}": np.zeros(4), r"\mathbf{x}_{m}": near * unit_x,
        r"\mathbf{x}_{\hat m}": np.sqrt(far) * near * unit_y,
    }  # fmt: skip
    three_rows = {"k": 3}
    units = {r"\mathbf{x}": unit_x, r"\mathbf{y}": unit_y}
    of_spike = {r"\operatorname{Var}(Q)": enumerated(spike, spike, law)[2] / k}
    best = {"t": t}
    at_lemma, at_sure = {"k": at_n}, {"k": sure}
    assert np.isclose(inner_product_variance(x, x, k), of_lengths(k, x))
    own = {
        "random-projection-map": three_rows, "random-projection-best-t": best, "random-projection-angle": units,
        "random-projection-angle-variance": units, "random-projection-spike": of_spike,
        "random-projection-dimension": at_lemma, "random-projection-confident": at_sure,
        "random-projection-must-know-map:1": three_rows, "random-projection-must-know-lemma:3": at_lemma,
        "random-projection-must-know-draw:2": at_sure, "random-projection-must-know-tail:2": best,
        "random-projection-must-know-sparse:3": of_spike,
    }  # fmt: skip
    upper, lower = upper_tail_bound(eps, k), lower_tail_bound(eps, k)
    chernoff = np.exp(-some * k * (1 + eps)) * (1 - 2 * some) ** (-k / 2)
    return Instance(
        values,
        own,
        worth={
            "random-projection-upper": {1: upper}, "random-projection-lower": {1: lower},
            "random-projection-markov": {1: chernoff}, "random-projection-tail": {1: one},
            "random-projection-union": {1: failure_bound(n, k, eps)}, "random-projection-dimension": {1: at_n},
            "random-projection-confident": {1: sure}, "random-projection-must-know-tail:3": {1: one},
            "random-projection-must-know-lemma:3": {1: at_n}, "random-projection-must-know-draw:2": {1: sure},
            "random-projection-must-know-lemma:4": len(list(combinations(range(n), 2))),
            "random-projection-must-know-draw:1": {1: failure_bound(n, k, eps) / (one / 2) / n**2},
        },
    )  # fmt: skip
