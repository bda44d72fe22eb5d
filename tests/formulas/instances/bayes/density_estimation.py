"""Density estimation on the line: a Gaussian whose kernel estimates have closed moments, small samples, a binomial."""

import numpy as np
from scipy.special import gamma
from scipy.stats import binom, norm

from notes_lib.bayes.density_estimation import (
    DensityClassifier,
    HistogramDensity,
    KernelDensity,
    amise,
    amise_bandwidth,
    gaussian_curvature,
    kernel_constants,
    kernel_log_density,
    knn_log_density,
    least_squares_cv,
    likelihood_cv,
    silverman_bandwidth,
    smoothing_kernel,
)
from tests.formulas.values import At, Instance

X_HAT, KERNEL = r"\hat p", r"\kappa"
LEAST = 95, 100
UNREAD = {"density-estimation-diverges": "an infinite integral; decades of it are summed in the section"}
CONDITIONS = {
    "density-estimation-consistency", "density-estimation-must-know-count:1", "density-estimation-must-know-count:3",
    "density-estimation-must-know-count:4",
}  # fmt: skip
N = 9


def window(kernel):
    """A smoothing kernel of the library at a number."""
    return At(lambda u: float(smoothing_kernel([[float(np.ravel(u)[0])]], kernel)[0]))


def estimate(X, h):
    """The library's Gaussian kernel estimate at a number."""
    return At(lambda x: float(np.exp(kernel_log_density([[float(np.ravel(x)[0])]], X[:, None], h)[0])))


def of_balls(rng):
    """Two classes in three dimensions: the library's nearest-neighbour density, and one ball for both."""
    X, y = rng.normal(size=(12, 3)), np.r_[np.zeros(6, dtype=int), np.ones(6, dtype=int)]
    x, K = rng.normal(size=3), 5
    order = np.argsort(((X - x) ** 2).sum(axis=1))[:K]
    r = np.linalg.norm(X[order[-1]] - x)
    found = float(np.exp(knn_log_density([x], X, K)[0]))
    unit = np.pi**1.5 / gamma(2.5)
    return {
        "K": K, "N": 12, "D": 3, "c_D": unit, r"r_K(\mathbf{x})": r, X_HAT: found,
        r"\hat p(\mathbf{x})": found, "V": unit * r**3, "r_K": r,
        "j": range(1, 3), "K_#": np.bincount(y[order], minlength=2), "N_#": [6, 6],
        r"p(C_#\mid\mathbf{x})": np.bincount(y[order], minlength=2) / K,
    }  # fmt: skip


def of_classes(rng):
    """The posterior of the library, and the density of each class."""
    X, y = rng.normal(size=(9, 2)), np.array([0, 0, 0, 1, 1, 1, 1, 2, 2])
    x = rng.normal(size=2)
    model = DensityClassifier(KernelDensity(bandwidth=0.7)).fit(X, y)
    density = [norm(0, 0.7).pdf(X[y == j] - x).prod(axis=1).mean() for j in range(3)]
    return {
        "j": range(1, 4), "i": range(1, 4), "N": 9, "N_#": [3, 4, 2], r"\hat p(\mathbf{x}\mid C_#)": density,
        r"p(C_#\mid\mathbf{x})": model.predict_proba([x])[0],
    }  # fmt: skip


def instance(seed):
    """Nine instances and a bandwidth; where expectations are meant, they come from a standard normal density."""
    rng = np.random.default_rng(seed)
    X, h, x = rng.normal(size=N), rng.uniform(0.4, 1.2), rng.normal()
    P, n_rows = rng.uniform(0.1, 0.6), 7
    bars = HistogramDensity(bandwidth=h).fit(X[:, None])
    cell = int(np.sum(np.floor(X / h) == np.floor(x / h)))
    kernel = ["gaussian", "epanechnikov", "tophat"][seed % 3]
    roughness, spread = kernel_constants(kernel)
    sigma, mean = rng.uniform(0.5, 2), X.mean()
    others = [float(np.exp(kernel_log_density([[X[n]]], np.delete(X, n)[:, None], h)[0])) for n in range(N)]
    terms = norm(0, h).pdf(x - X)
    found, half = terms.mean(), norm.ppf(0.975).round(2) * terms.std() / np.sqrt(N)
    tiny, many = 0.004, 10**6
    smooth = lambda width: norm(0, np.hypot(1, width)).pdf(x)
    second = 0.5 / (tiny * np.sqrt(np.pi)) * norm(0, np.sqrt(1 + tiny**2 / 2)).pdf(x)  # of one term
    variance = (second - smooth(tiny) ** 2) / many
    normal = {
        "p": At(lambda t: float(norm.pdf(t))), KERNEL: At(lambda u: float(norm.pdf(u))),
        r"R(\kappa)": 0.5 / np.sqrt(np.pi),
        r"\mu_2": 1.0, "x": x, "t": 0.0, "p''(x)": (x**2 - 1) * norm.pdf(x),
    }  # fmt: skip
    bias = {**normal, "h": tiny, r"\operatorname{E}[\hat p(x)]": smooth(tiny), "o(h^2)": 0.0}
    spread_of = {
        **normal, "h": tiny, "N": many, r"\operatorname{var}[\hat p(x)]": variance,
        r"\operatorname{E}[\hat p(x)]": smooth(tiny),
        r"O(\frac1N)": (tiny / 8 / np.sqrt(np.pi) * (x**2 - 1) * norm.pdf(x) - smooth(tiny) ** 2) / many,
    }  # fmt: skip
    least = amise_bandwidth(N, gaussian_curvature(sigma), kernel)
    values = {
        "n": range(1, N + 1), "m": range(1, N + 1), "N": N, "D": 1, "h": h, r"\mathbf{x}": x, "x": x, "x_#": X,
        r"\mathbf{x}_#": X, KERNEL: window("gaussian"), r"\mathbf{u}": 0.3, "u": 0.3, r"\hat\mu": mean,
        r"\hat\sigma^2": X.var(), X_HAT: estimate(X, h), r"\hat p_{-#}(\mathbf{x}_#)": lambda n, _: others[n - 1],
        r"\operatorname{LCV}": At(lambda w: likelihood_cv(X[:, None], [w])[0]),
        r"\operatorname{LSCV}": At(lambda w: least_squares_cv(X[:, None], [w])[0]),
        r"\operatorname{AMISE}": At(lambda w: float(amise(w, N, gaussian_curvature(sigma), kernel))),
        r"R(\kappa)": roughness, r"\mu_2": spread, "R(p'')": gaussian_curvature(sigma), "h^*": least, r"\sigma": sigma,
        "s": X.std(ddof=1), r"\text{interquartile range}": np.subtract(*np.quantile(X, [0.75, 0.25])),
        r"\text{IQR}": np.subtract(*np.quantile(X, [0.75, 0.25])), r"h_{\text{S}}": silverman_bandwidth(X),
        r"\pi": np.pi,
    }  # fmt: skip
    gauss = {"h^*": amise_bandwidth(N, gaussian_curvature(sigma))}
    card = "density-estimation-must-know-"
    balls, height = of_balls(rng), float(np.exp(bars.score_samples([[x]])[0]))
    bell = np.exp(-((x - mean) ** 2) / (2 * X.var())) / np.sqrt(2 * np.pi * X.var())
    share = binom(n_rows, P)
    own = {
        "density-estimation-parametric": {X_HAT: norm(*norm.fit(X)).pdf(x), r"\hat\mu": norm.fit(X)[0],
            r"\hat p(x)": norm(*norm.fit(X)).pdf(x), r"\hat\sigma^2": norm.fit(X)[1] ** 2,
            r"\mathcal{N}(x\mid\hat\mu,\hat\sigma^2)": bell},
        "density-estimation-count": {"N": n_rows, "K": range(n_rows + 1), "P": P,
                                     "p": At(lambda K: float(share.pmf(K)))},
        "density-estimation-count-moments": {"N": n_rows, "P": P,
                                             r"\operatorname{E}[\frac{K}{N}]": share.mean() / n_rows,
                                             r"\operatorname{var}[\frac{K}{N}]": share.var() / n_rows**2},
        "density-estimation-knv": {"K": cell, "V": h, r"\hat p(\mathbf{x})": height},
        "density-estimation-histogram": {r"K_{\text{cell}(\mathbf{x})}": cell,
                                         r"\hat p(\mathbf{x})": height},
        "density-estimation-window": {KERNEL: window(kernel)},
        "density-estimation-mean": {**normal, r"\operatorname{E}[\hat p(x)]": smooth(h)},
        "density-estimation-bias": bias, f"{card}bias:1": bias, "density-estimation-variance": spread_of,
        f"{card}bias:2": spread_of, "density-estimation-band": {"s": At(lambda _: terms.std())},
        "density-estimation-constants": {KERNEL: window(kernel)},
        "density-estimation-reference": gauss, f"{card}h:3": gauss,
        "density-estimation-edge": {**normal, "p(0^+)": 0.7},
        "density-estimation-knn": balls, "density-estimation-posterior": balls, f"{card}knn": balls,
        "density-estimation-classify": of_classes(rng),
        f"{card}count:2": {"K": cell, "V": h, r"\hat p(\mathbf{x})": height},
    }  # fmt: skip
    best = lambda rows: float(amise(amise_bandwidth(rows, 1.0), rows, 1.0))
    worth = {
        "density-estimation-band": [found - half, found + half], f"{card}h:2": best(N) / best(1),
        f"{card}knn:2": At(lambda j: balls[r"p(C_#\mid\mathbf{x})"][j - 1], "j"),
        f"{card}cv:1": likelihood_cv(X[:, None], [h])[0], f"{card}cv:2": least_squares_cv(X[:, None], [h])[0],
    }  # fmt: skip
    return Instance(values, own, worth)
