"""Bias and variance: worlds with all their training sets, a smoother, a window, fits, labels, interpolating weights."""

from itertools import product

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from notes_lib.theory.bias_variance import decompose, optimism, smoother_decomposition, zero_one_parts
from tests.formulas.values import Instance

X, D = r"(\mathbf{x})", r"f_{\mathcal{D}}"
MEAN, OVER = r"\mathbb{E}\,", r"\mathbb{E}_{\mathcal{D}}\,"
COV = r"\operatorname{Cov}(y_#,f_{\mathcal{D}}(\mathbf{x}_#))"
ON_TRAINING = r"\mathbb{E}\,(y_#-f_{\mathcal{D}}(\mathbf{x}_#))^2"
CROSS = [r"\mathbb{E}[(y-h)(h-\bar f)]", rf"\mathbb{{E}}[(h-\bar f)(\bar f-{D})]", rf"\mathbb{{E}}[(y-h)(\bar f-{D})]"]


def all_sets(rng, N=4, p=2):
    """A random linear fit of N inputs, and what it makes of all training sets with targets h plus or minus sigma."""
    A, h, sigma = rng.normal(size=(N, p)), rng.normal(size=N), rng.uniform(0.5, 2)
    targets = h + sigma * np.array(list(product((-1, 1), repeat=N)))
    return A, h, sigma, targets, np.linalg.pinv(A)


def a_world(rng):
    """Three places with their chances: risk and its parts by counting all cases, and by the library."""
    _, h_n, sigma, targets, weights = all_sets(rng)
    rows, h = rng.normal(size=(3, 2)), rng.normal(size=3)
    chance = rng.dirichlet(np.ones(3))
    fits = targets @ (rows @ weights).T  # (16, 3)
    parts = smoother_decomposition(rows @ weights, h_n, h, sigma**2)
    new = h + sigma * np.array([[-1], [1]])
    one, at = rng.normal(size=3), int(rng.integers(3))
    of_sets = ((new[:, None] - fits) ** 2).mean(axis=0)  # (16, 3)
    y, s = float(new[1, at]), int(rng.integers(16))
    f, bar, truth = fits[:, at], float(parts.average_prediction[at]), float(h[at])
    values = {
        "R(f)": ((new - one) ** 2).mean(axis=0) @ chance, rf"{MEAN}\sigma^2{X}": sigma**2,
        rf"{MEAN}(f{X}-h{X})^2": chance @ (one - h) ** 2, r"\bar R": chance @ parts.risk,
        rf"{OVER}R({D})": (of_sets @ chance).mean(), rf"\bar f{X}": bar, r"\bar f": bar, rf"h{X}": truth, "h": truth,
        rf"{OVER}{D}{X}": f.mean(), rf"{OVER}{D}": f.mean(), rf"{D}{X}": f[s], D: f[s], "y": y,
        f"b{X}": (f - truth).mean(), f"v{X}": parts.variance[at], rf"{OVER}({D}{X}-\bar f{X})^2": f.var(),
        rf"\mathbb{{E}}[(y-{D}{X})^2\mid\mathbf{{x}}]": of_sets[:, at].mean(), rf"\sigma^2{X}": sigma**2,
        rf"{OVER}({D}{X}-h{X})^2": ((f - truth) ** 2).mean(), r"\sigma": sigma,
        rf"{MEAN}(y-{D})^2": of_sets[:, at].mean(), rf"{OVER}({D}-\bar f)^2": f.var(),
        r"\mathbb{E}[y\mid\mathbf{x}]": new[:, at].mean(),
        r"\boldsymbol{\ell}": (rows @ weights)[at], rf"\boldsymbol{{\ell}}{X}": (rows @ weights)[at],
        r"\mathbf{h}": h_n,
    }  # fmt: skip
    cases = [(target, fit) for target in new[:, at] for fit in f]
    zero = {name: np.mean([factors(*case, truth, bar) for case in cases])
            for name, factors in zip(CROSS, FACTORS, strict=True)}  # fmt: skip
    pairs = np.array([(f[i] + f[j]) / 2 for i, j in product(range(16), repeat=2)])
    of_pairs = {r"\text{bias}": (pairs - truth).mean(), r"\text{variance}": pairs.var(), "M": 2}
    return values, zero, of_pairs | {"v": f.var()}, f.var()


FACTORS = [
    lambda y, f, h, bar: (y - h) * (h - bar),
    lambda y, f, h, bar: (h - bar) * (bar - f),
    lambda y, f, h, bar: (y - h) * (bar - f),
]


def crossed(rng):
    """Any joint law of three summands: doubled products as what the square of a sum has more than the squares."""
    a, b, c = rng.normal(size=(3, 8)) + rng.normal(size=8)
    more = lambda u, v: ((u + v) ** 2 - u**2 - v**2).mean()
    values = {name: (u * v).mean() for name, (u, v) in zip(CROSS, [(a, b), (b, c), (a, c)], strict=True)}
    return values | {"C_1": more(a, b), "C_2": more(b, c), "C_3": more(a, c)}


def on_training_points(rng):
    """Errors on training targets and their covariances with the fits, over all training sets."""
    A, h, sigma, targets, weights = all_sets(rng, N=5)
    L = A @ weights
    fits = targets @ L.T
    apart = ((targets[:, :, None] - fits[:, None]) ** 2).mean(axis=0)
    cov = np.cov(targets.T, fits.T, bias=True)[:5, 5:]
    parts = smoother_decomposition(L, h, h, sigma**2)
    values = {
        "N": 5, "n": range(1, 6), r"\sigma": sigma, r"\mathbf{L}": L, COV: cov, ON_TRAINING: apart, "p": 2,
        r"b(\mathbf{x}_#)": (fits - h).mean(axis=0), r"v(\mathbf{x}_#)": parts.variance,
    }  # fmt: skip
    return values, fits.var(axis=0).mean(), optimism(L, sigma**2)


def a_window(rng):
    """A parabola whose mean over a window is integrated, and the noise of k targets."""
    N, k, sigma, x = 100, 9, rng.uniform(0.5, 2), rng.normal()
    a = rng.normal(size=3)
    half = k / N / 2
    average = quad(lambda u: np.polyval(a, u), x - half, x + half, epsabs=1e-14)[0] / (2 * half)
    L = np.full((1, k), 1 / k)
    spread = smoother_decomposition(L, np.zeros(k), [0.0], sigma**2).variance[0]
    return {"b": average - np.polyval(a, x), "v": spread, "h''(x)": 2 * a[0], "k": k, "N": N, r"\sigma": sigma,
            r"\boldsymbol{\ell}": L[0]}, spread  # fmt: skip


def fits_at_a_point(rng):
    """Six fits at one point, and the library's estimates."""
    f, h = rng.normal(size=6), rng.normal()
    parts = decompose(f[:, None], [h])
    return {"f_#": f, "h": h, "S": 6, "s": range(1, 7), r"\hat f": f.mean(),
            r"\hat v": parts.variance[0], r"\widehat{b^2}": parts.squared_bias[0]}  # fmt: skip


def shrunk(rng):
    """The factor at which the mean squared error of an estimate is flat."""
    theta, v = rng.normal(), rng.uniform(0.5, 2)

    def error(c):
        parts = smoother_decomposition([[c]], [theta], [theta], v)
        return parts.squared_bias[0] + parts.variance[0]

    best = brentq(lambda c: error(c + 0.5) - error(c - 0.5), -1, 2, xtol=1e-15)
    return {r"c^\star": best, r"\theta": theta, "v": v}


def votes(rng, seed):
    """Predictions of 15 fits for one instance, whose main prediction is right or wrong."""
    F = (rng.random((15, 1)) < 0.3).astype(int)
    h = int(seed % 2) ^ int(F.mean() > 0.5)
    parts = zero_one_parts(F, [h])
    return {r"\beta": parts.bias[0], r"\omega": parts.variance[0], rf"P_{{\mathcal{{D}}}}({D}\neq h)": np.mean(h != F)}


def interpolated(rng):
    """Shortest weights on more features than points."""
    phi, new, sigma = rng.normal(size=(4, 7)), rng.normal(size=7), rng.uniform(0.5, 2)
    _, d, Vt = np.linalg.svd(phi, full_matrices=False)
    parts = smoother_decomposition([new @ np.linalg.pinv(phi)], np.zeros(4), [0.0], sigma**2)
    return {"i": range(1, 5), r"\mathbf{v}_#": Vt, "d_#": d, r"\boldsymbol{\phi}(\mathbf{x})": new, r"\sigma": sigma,
            f"v{X}": parts.variance[0]}  # fmt: skip


def instance(seed):
    """A world with all its training sets, and what the sections add to it."""
    rng = np.random.default_rng(seed)
    (world, zero, of_pairs, spread), (training, fixed, more) = a_world(rng), on_training_points(rng)
    window, of_window = a_window(rng)
    card = "bias-variance-must-know-"
    own = {
        "bias-variance-cross": crossed(rng), f"{card}cross": zero, "bias-variance-averaging": of_pairs,
        "bias-variance-training": training, "bias-variance-optimism": training, "bias-variance-knn": window,
        "bias-variance-pairs": fits_at_a_point(rng), "bias-variance-shrinkage": shrunk(rng),
        "bias-variance-zero-one": votes(rng, seed), "bias-variance-minimum-norm": interpolated(rng),
        f"{card}linear:1": {"b": world[f"b{X}"]}, f"{card}linear:2": window, f"{card}linear:3": training,
        f"{card}linear:4": training, f"{card}lower": {"v": spread, "M": 2},
    }  # fmt: skip
    worth = {
        f"{card}linear:2": of_window, f"{card}linear:3": fixed, f"{card}linear:4": more,
        f"{card}lower:1": of_pairs[r"\text{variance}"],
    }  # fmt: skip
    return Instance(world, own, worth)
