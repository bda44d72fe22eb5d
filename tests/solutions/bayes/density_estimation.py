"""Exercises on density estimation: expectations by quadrature, estimates of the library, counts of distances."""

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm

from notes_lib.bayes.density_estimation import (
    amise_bandwidth,
    gaussian_curvature,
    kernel_constants,
    kernel_log_density,
    knn_log_density,
    likelihood_cv,
    silverman_bandwidth,
)
from tests.formulas.values import At
from tests.solutions.ledger import Worked

TINY = 1e-9


def _second(x):
    """Second derivative of the normal density."""
    return float((x * x - 1) * norm.pdf(x))


def _estimate(X, h, kernel="gaussian"):
    """The library's estimate at a number."""
    column = np.array(X, dtype=float)[:, None]
    return At(lambda x: float(np.exp(kernel_log_density([[float(np.ravel(x)[0])]], column, h, kernel)[0])))


def _nearest(K, x):
    """The nearest-neighbour estimate of two instances at a number, and the radius that it needs."""
    X = np.array([[-1.0], [1.0]])
    found = float(np.exp(knn_log_density([[x]], X, K)[0]))
    return {"K": K, "x": x, r"\hat p": found, "r": np.sort(np.abs(X - x), axis=0)[K - 1, 0]}


def _bias(x):
    """What squared width adds to the mean of the estimate of a normal density, for each unit of it."""
    smooth = lambda v: norm(0, np.sqrt(1 + v)).pdf(x)
    return float(smooth(1e-4) - smooth(-1e-4)) / 2e-4


def ex_amise():
    X, h, x, N = np.array([-0.3, 0.4, 1.1, 2.0]), 0.8, 0.5, 4
    best = amise_bandwidth(N, gaussian_curvature(1.0))
    kernel = lambda u: float(norm.pdf(np.ravel(u)[0]))
    second = quad(lambda t: (kernel((x - t) / h) / h) ** 2 * norm.pdf(t), -12, 12)[0]
    constants = kernel_constants()
    of_best = {"h": best, "N": N, r"R(\kappa)": quad(lambda u: kernel(u) ** 2, -12, 12)[0], r"\mu_2": 1.0,
               "R(p'')": quad(lambda t: _second(t) ** 2, -12, 12)[0]}  # fmt: skip
    return Worked(
        {"n": range(1, N + 1), "N": N, "h": h, "x": x, "x_#": X, r"\kappa": At(kernel), r"\hat p": _estimate(X, h),
         r"\int\kappa": quad(kernel, -12, 12)[0], r"\int u\kappa": quad(lambda u: u * kernel(u), -12, 12)[0],
         r"\mu_2": constants.variance, "p''": At(_second),
         r"\int\kappa^2(u)p(x-hu)du": quad(lambda u: kernel(u) ** 2 * norm.pdf(x - h * u), -12, 12)[0]},
        own={r"h^5=R(\kappa)/(\mu_2^2R(p'')N)": of_best},
        numbers=[h * h * _bias(x), 1 / N, second, 0],
    )  # fmt: skip


def ex_count():
    inside, N, length = 12, 300, 0.2
    rows = np.repeat([1 / length, 0], [inside, N - inside])  # what each instance adds to the estimate
    share = inside / N
    return Worked(
        numbers=[inside, N, length, share], known=[rows.mean(), rows.std() / np.sqrt(N), 1 - share],
    )  # fmt: skip


def ex_diverge():
    T, x = 6.0, 0.3
    one, two = _nearest(1, x), _nearest(2, x)
    tail = quad(lambda t: _nearest(2, t)[r"\hat p"], 0, T)[0]
    return Worked(
        {**one, "T": T, r"\int_0^T\frac{dx}{2(x+1)}": tail}, worlds=[two],
        numbers=[-1, 1, 2 * tail, 2 * tail, one[r"\hat p"]],
    )  # fmt: skip


def ex_loo():
    X, h = np.array([0.0, 1, 3]), 2.5
    others = [_estimate(np.delete(X, n), h, "tophat")(X[n]) for n in range(3)]
    nearest = [np.abs(np.delete(X, n) - X[n]).min() for n in range(3)]
    widths = np.arange(0.05, 4, 0.1)
    least = widths[np.isfinite(likelihood_cv(X[:, None], widths, "tophat"))].min() - 0.05
    return Worked(
        {"n": range(1, 4), "x_#": X, r"\kappa": _estimate([0], 1, "tophat")(0.2), "u": 0.2, "h": h,
         r"\hat p": _estimate(X, h, "tophat")},
        own={r"h\to0": {"h": TINY}, "h>2": {"h": 2.05}},
        numbers=[X, 1 / 2, 1, h, others, nearest, round(least, 9), 1 / (6 * h)],
    )  # fmt: skip


def ex_moments():
    X, h = np.array([-0.3, 0.4, 1.1, 2.0]), 0.8
    density = _estimate(X, h)
    moment = lambda power: quad(lambda x: x**power * density(x), -9, 11, epsabs=1e-12)[0]
    variance = moment(2) - moment(1) ** 2
    spread = quad(lambda u: u * u * norm.pdf(u), -12, 12)[0]
    return Worked(
        {"s_N^2": np.var(X), "h": h, r"\mu_2": kernel_constants().variance,
         r"\operatorname{E}[U]": quad(lambda u: u * norm.pdf(u), -12, 12)[0]},
        numbers=[variance, np.mean(X**2) - np.mean(X) ** 2, variance, h * h * spread],
    )  # fmt: skip


def ex_gaussian():
    X, y, x, h = np.array([0, 1, 3]), np.array([2, 4, 9]), 1, 1
    distances = np.abs(X - x)
    weights = norm.pdf(distances) / norm.pdf(0)
    density = _estimate(X, h)
    rounded = np.round(weights, 3)  # as the task gives them
    smooth = lambda h: float(np.average(y, weights=np.exp(-(distances**2) / (2 * h * h))))
    return Worked(
        {"h": h, "x": x, r"\hat p": density},
        own={r"h\to0": {"h": TINY}},
        numbers=[X, y, distances, norm.pdf(0), weights, smooth(h), round(smooth(1e6), 6), smooth(0.01), 0],
        known=[density(x), rounded @ y, rounded.sum()],
    )  # fmt: skip


def cards():
    x = np.array([0.2, 0.5, 0.9, 1.7, 2.0])
    N, h, at, K = len(x), 0.8, 0.5, 3
    quarter = np.quantile(x, [0.25, 0.75])
    zero = {r"h\to0": {"h": TINY}}
    sample, edge = np.array([1, 2, 3, 3.5, 5, 8]), 2
    distances = np.abs(sample - 3)
    share = lambda count, radius=edge: count / (len(sample) * 2 * radius)
    bias = h * h * _bias(at)
    total = quad(_estimate(x, h), -9, 11)[0]
    double = lambda of: of(2 * N) / of(N)
    variance = lambda N: np.var(np.repeat(x, N // len(x))) / N
    rate = amise_bandwidth(N, 1.0) / amise_bandwidth(1, 1.0)
    return {
        "lost-marks-volume": Worked(numbers=[1, 1000]),
        "lost-marks-training": Worked(own=zero),
        "lost-marks-mercer": Worked(numbers=[total]),
        "lost-marks-silverman": Worked(
            {"s": x.std(ddof=1), r"\text{IQR}": np.diff(quarter)[0], "N": N},
            numbers=[silverman_bandwidth(x), 0.9, amise_bandwidth(1, gaussian_curvature(1.0))],
            known=[1.34],
        ),
        "do-not-confuse-three": Worked(numbers=[total, total, total]),
        "what-if-repeat": Worked(numbers=[2]),
        "what-if-limits": Worked(own=zero),
        "convention-width": Worked(
            {"K": K, "N": N, "h": edge},
            numbers=[1 / 2, np.full(K, 1 / (2 * edge)).sum() / N, sample, 3, share((distances < edge).sum()),
                     share((distances <= edge).sum()), share((distances < edge).sum() + 1),
                     share((distances < edge / 2).sum(), edge / 2), edge],
        ),
        "quiz-double": Worked(
            {"h": h, r"\mu_2": kernel_constants().variance, "p''": At(_second, "x"), "x": at, "N": N},
            numbers=[double(variance), bias, 1 / 2, np.full(N, 1 / h).sum() / N**2],
        ),
        "quiz-peak": Worked({"p''": 0}, own={"p''<0": {"p''": _second(0)}}, numbers=[0]),
        "quiz-integral": Worked({"N": N, "x": at, "x_n": x[3]}, numbers=[total, total / N, (1 + at * x[3]) ** 2]),
        "quiz-change": Worked(numbers=[2, 1 / 2]),
        "tf-larger": Worked(numbers=[1, 0.01, 1 / 0.01]),
        "tf-rate": Worked({"N": N}, numbers=[1 / np.sqrt(N), rate]),
    }  # fmt: skip
