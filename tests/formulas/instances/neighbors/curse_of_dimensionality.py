"""The curse of dimensionality: balls of the library, coordinates of two values, Gaussian data, a few samples."""

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from scipy.special import gamma
from scipy.stats import beta, binom, chi2, expon, ncx2, norm, uniform

from notes_lib.neighbors.curse_of_dimensionality import (
    ball_volume,
    cap_bound,
    cap_fraction,
    distance_contrast,
    edge_length,
    effective_dimension,
    intrinsic_dimension,
    log_samples_needed,
    median_nearest_distance,
    shell_fraction,
    shell_thickness,
)
from tests.formulas.values import At, Instance

X_, Y_, Z_, A_ = r"\mathbf{x}", r"\mathbf{y}", r"\mathbf{z}", r"\mathbf{A}"
ME, VAR, SD = r"\mathbb{E}", r"\operatorname{Var}", r"\operatorname{sd}"
UNREAD = {
    "curse-of-dimensionality-must-know-shell:6": "an approximation for many dimensions; its limit has a label",
    "curse-of-dimensionality-must-know-concentration:7": "a limit in probability; the section measures it",
}
LEAST = 100, 91


def of_two_values(share, size, d):
    """Mean and variance of S and D for coordinates that are 0 or ``size``: S is a multiple of a binomial number."""
    differ = binom(d, 2 * share * (1 - share))
    k = np.arange(int(d) + 1)
    D, p = size * np.sqrt(k), differ.pmf(k)
    mean = D @ p / p.sum()
    return differ, mean, np.sqrt((D - mean) ** 2 @ p / p.sum())


def instance(seed):
    """A ball, a grid, two points of two-valued coordinates, a Gaussian with its eigenvalues, a handful of samples."""
    rng = np.random.default_rng(seed)
    d, k = int(rng.integers(3, 8)), int(rng.integers(2, 9))
    r, t, q, thickness = rng.uniform(0.1, 0.45), rng.uniform(0.1, 0.7), rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.6)
    share, size = rng.uniform(0.1, 0.5), rng.uniform(0.5, 2)
    x, y = size * rng.choice(2, (2, d), p=[1 - share, share])
    x[0], y[0] = size, 0
    one = np.array([0, 0, size**2, size**2])  # squared difference of a coordinate in four cases
    cases = np.outer([1 - share, share], [1 - share, share])
    cases = np.r_[cases[0, 0], cases[1, 1], cases[0, 1], cases[1, 0]]
    mu = cases @ one
    variance = cases @ (one - mu) ** 2
    differ, _, _ = of_two_values(share, size, d)
    S_mean, S_var, delta = size**2 * differ.mean(), size**4 * differ.var(), rng.uniform(0.3, 0.9)
    values_of_S = size**2 * np.arange(d + 1)
    far = np.abs(values_of_S / S_mean - 1) >= delta
    X, query = rng.normal(size=(9, 3)), rng.normal(size=(1, 3))
    D_all = cdist(query, X)[0]
    basis = np.linalg.qr(rng.normal(size=(d, 2)))[0]
    z, w, origin = *rng.normal(size=(2, 2)), rng.normal(size=d)
    eigenvalues = rng.uniform(0.1, 3, size=d)
    near = cKDTree(X).query(X, 3)[0]
    found = intrinsic_dimension(X)
    ratio, power = rng.uniform(1.1, 2), rng.uniform(0.5, 4)
    shift, m = rng.uniform(0.1, 0.4), int(rng.integers(1, 9))
    own_sd = At(lambda m: 2 * chi2(m + 1).std(), "m")
    other = At(lambda m: 2 * ncx2(m + 1, shift**2 / 2).mean(), "m")
    values = {
        "j": range(1, d + 1), "i": range(1, len(X) + 1), "d": d, "k": k, "r": r, "t": t, "s": 0.3 * size, "q": q,
        r"\varepsilon": thickness, r"\Gamma": At(lambda u: float(gamma(u))),
        "V_#": {n: ball_volume(n) for n in range(1, 9)}, r"\text{share of the cap}": cap_fraction(d, t),
        r"\ell": edge_length(d, q), r"r_{\text{med}}": At(lambda n: median_nearest_distance(d, int(n)), "n"), "n": 7,
        "x_#": x, "y_#": y, "S": cdist([x], [y], "sqeuclidean")[0, 0], "D": cdist([x], [y])[0, 0],
        r"\mu": mu, r"\sigma": np.sqrt(variance), f"{ME}S": S_mean, f"{VAR}S": S_var, r"\delta": delta,
        r"P(|\frac{S}{d\mu}-1|\ge\delta)": differ.pmf(np.arange(d + 1)) @ far,
        "C": distance_contrast(X, query).relative[0], r"D_{\max}": D_all.max(), r"D_{\min}": D_all.min(),
        X_: basis @ z + origin, Y_: basis @ w + origin, Z_: z, r"\mathbf{z}'": w, A_: basis,
        f"{A_}^\\top": basis.T, r"\lambda_#": eigenvalues, r"d_{\text{eff}}": effective_dimension(eigenvalues),
        r"\rho_#": near[:, 2] / near[:, 1], r"\hat d": found.estimate, r"\operatorname{se}": found.error, "x": ratio,
        r"P(\rho>x)": expon(scale=1 / power).sf(np.log(ratio)),
        r"P(v_1/v_2<x^{-d})": uniform.cdf(ratio**-power), "a": shift, "m": m,
    }  # fmt: skip
    growing = {
        f"{SD}D": At(lambda d: of_two_values(share, size, d)[2], "d"),
        f"{ME}D": At(lambda d: of_two_values(share, size, d)[1], "d"),
    }
    gauss = {
        f"{SD}S": np.sqrt(np.sum(4 * eigenvalues**2 * chi2(1).var())),
        f"{ME}S": np.sum(2 * eigenvalues * chi2(1).mean()),
    }  # fmt: skip
    classes = {
        rf"{ME}S_{{\text{{other}}}}": other, rf"{ME}S_{{\text{{own}}}}": At(lambda m: 2 * chi2(m + 1).mean(), "m"),
        rf"{SD}S_{{\text{{own}}}}": own_sd,
    }  # fmt: skip
    name, card = "curse-of-dimensionality-", "curse-of-dimensionality-must-know-"
    own = {
        f"{name}thickness": {r"\varepsilon": At(lambda d: shell_thickness(int(d), q), "d")},
        f"{name}samples": {"n": np.exp(log_samples_needed(d, r, k))},
        f"{card}samples:2": {"n": np.exp(log_samples_needed(d, r, k))},
        f"{name}spread": growing, f"{card}concentration:5": growing, f"{card}concentration:6": growing,
        f"{name}effective": gauss, f"{card}dimension:1": gauss,
        f"{name}ratio": {"d": power}, f"{name}two-nearest": {"n": len(X)}, f"{card}dimension:3": {"n": len(X)},
        f"{name}noise": classes,
    }  # fmt: skip
    low = norm.pdf(t * np.sqrt(d)) / norm.pdf(0) / 2
    worth = {
        f"{name}cap": cap_fraction(d, t), f"{name}cap-bound": {1: cap_bound(d, t), 2: low},
        f"{card}cap:2": {0: cap_bound(d, t), 1: low}, f"{name}chebyshev": {1: S_var / (S_mean * delta) ** 2},
        f"{card}shell:5": shell_fraction(d, thickness), f"{card}cap:3": np.sqrt(beta(0.5, (d - 1) / 2).mean()),
        f"{card}samples:1": edge_length(d, q),
        f"{card}samples:3": np.exp(log_samples_needed(d, r / 2) - log_samples_needed(d, r)),
        f"{card}irrelevant:1": (other(m) - 2 * chi2(m + 1).mean()) / own_sd(m),
    }  # fmt: skip
    given = dict.fromkeys(
        (f"{name}thickness", f"{name}spread", f"{card}concentration:5", f"{card}concentration:6"), r"d \to \infty"
    ) | {f"{name}nearest": r"n \to \infty", f"{name}noise": r"m \to \infty"}
    return Instance(values, own, worth, given)
