"""Exercises on bias and variance: parts by the library and by enumeration, integrals by quadrature, votes by SciPy."""

from itertools import product

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from notes_lib.theory.bias_variance import decompose, smoother_decomposition, zero_one_parts
from tests.solutions.ledger import Worked

F = r"f_\mathcal{D}"


def ex_derive():
    y, h, bar, f = 3.1, 2.2, 1.7, 0.9  # any numbers
    return Worked(
        {"y": y, "h": h, r"\bar f": bar, F: f, r"\mathbb{E}[y-h\mid\mathbf{x}]": np.mean([y - h, h - y]),
         r"\mathbb{E}_{\mathcal{D}}[\bar f-f_{\mathcal{D}}]": np.mean([f - bar, bar - f])},
        numbers=[((2.0 + 3.0) ** 2 - 2.0**2 - 3.0**2) / (2.0 * 3.0)],
    )  # fmt: skip


def ex_effects():
    spread = lambda fits, noise: smoother_decomposition(np.full((1, fits), 1 / fits), np.zeros(fits), [0], noise)
    again = spread(10, 1.0).variance[0] / spread(1, 1.0).variance[0]  # ten fits
    half = spread(2, 1.0).variance[0]  # two measurements
    columns, noise = np.linalg.qr(np.random.default_rng(0).normal(size=(40, 4)))[0], 1.3
    of = lambda p: smoother_decomposition(columns[:, :p] @ columns[:, :p].T, np.zeros(40), np.zeros(40), noise)
    one_more = of(4).variance.mean() - of(3).variance.mean()
    return Worked({"k": 1, r"\sigma^2": noise, "N": 40}, numbers=[2, 1, 15, 2, again, half, one_more])


def _of_mean(count, theta, noise):
    """Squared bias, variance and risk of the mean of targets, and of the constant 0, on observed targets."""
    mean = smoother_decomposition(np.full((1, count), 1 / count), np.full(count, theta), [theta], noise)
    zero = smoother_decomposition(np.zeros((1, count)), np.full(count, theta), [theta], noise)
    return mean.risk[0], zero.risk[0]


def ex_constant():
    theta, noise = 1.0, 9.0
    mean, zero = _of_mean(4, theta, noise)
    better = [count for count in range(1, 30) if np.diff(_of_mean(count, theta, noise))[0] < -1e-9]
    equal = [count for count in range(1, 30) if abs(np.diff(_of_mean(count, theta, noise))[0]) < 1e-9]
    return Worked(
        {r"\theta": theta, r"\sigma^2": noise, "N": 4},
        own={"n=1": {"n": 1}},
        numbers=[noise, 1, 0, 2, 1, 1, zero - noise, 0, zero, 2, 0, mean - noise, mean, zero - noise, mean - noise,
                 equal, max(better), equal],
    )  # fmt: skip


def ex_curves():
    first, second = {"train": 6.8, "new": 7.2}, {"train": 0.4, "new": 6.9}
    earlier = {"train": 0.3, "new": 8.1}
    assert second["new"] - second["train"] > 10 * (first["new"] - first["train"])  # the gaps
    assert earlier["new"] > second["new"]
    return Worked(
        numbers=[10, *first.values(), 1000, 1000 // 2, *second.values(), *earlier.values(), 500,
                 min(first["new"], second["new"])],
    )  # fmt: skip


def ex_knn():
    x, noise, counts = np.array([-2.0, -1, 0, 1, 2]), 3.0, (1, 3, 5)

    def parts(k, sigma2):
        near = np.argsort(np.abs(x), kind="stable")[:k]
        L = np.isin(np.arange(5), near)[None] / k
        return smoother_decomposition(L, x**2, [0.0], sigma2)

    of = [parts(k, noise) for k in counts]
    said = [[k, one.average_prediction[0], one.variance[0], one.risk[0]] for k, one in zip(counts, of, strict=True)]
    best = counts[int(np.argmin([one.risk[0] for one in of]))]
    border = brentq(lambda s: parts(1, s).risk[0] - parts(3, s).risk[0], 0, 5, xtol=1e-14)
    below = border - 1e-6
    return Worked(
        {r"\sigma^2": noise, "x": 0.0, "h": lambda v: v**2},
        worlds=[{"k": k} for k in counts],
        own={r"\sigma^2<\frac49+\frac{\sigma^2}3": {r"\sigma^2": below},
             r"\sigma^2<\frac23": {r"\sigma^2": below}},
        numbers=[x, counts[1:], noise, said[0][1:], said[1][1:3], said[2][1:], below, parts(3, below).risk[0] - below,
                 below, border],
        known=[best, said[1][3]],
    )  # fmt: skip


def _uniform(degree):
    """Points and chances of the uniform distribution on [-1, 1], exact for polynomials."""
    nodes, weights = np.polynomial.legendre.leggauss(degree)
    return nodes, weights / 2


def ex_continuum():
    (first, p), (second, q), (asked, r) = map(_uniform, (5, 6, 7))  # no two points are equal
    sets = np.array(list(product(first, second)))
    chance = np.array([a * b for a, b in product(p, q)])
    slope = np.diff(sets**2)[:, 0] / np.diff(sets)[:, 0]
    level = sets[:, 0] ** 2 - slope * sets[:, 0]
    found = {}
    for name, fits in (
        ("mean", np.tile((sets**2).mean(axis=1)[:, None], 7)),
        ("line", level[:, None] + slope[:, None] * asked),
    ):
        average = chance @ fits
        found[name] = average[0], r @ (average - asked**2) ** 2, r @ (chance @ (fits - average) ** 2)
    (average, bias, spread), (flat, of_line, wide) = found["mean"], found["line"]
    assert bias + spread < of_line + wide
    moment = lambda power: float(r @ asked**power)
    return Worked(
        {"x": asked[1], "x_1": sets[7, 0], "x_2": sets[7, 1], "a_1": slope[7], "a_0": level[7], "x_#": sets[7],
         "n": range(1, 3), "y_#": sets[7] ** 2, r"\bar f": average, r"\mathbb{E}x^2": moment(2),
         r"\mathbb{E}x^4": moment(4),
         r"\mathbb{E}(x^2-\bar f)^2": bias, r"\mathbb{E}a_1^2": chance @ slope**2,
         r"\mathbb{E}a_0^2": chance @ level**2},
        worlds=[{r"\bar f": flat}],
        numbers=[sets[7], -1, 1, level[7] + slope[7] * asked[1], -1, 1, moment(3), chance @ slope, of_line + wide],
        known=[wide, spread],
    )  # fmt: skip


def ex_vote():
    a, b = 0.7, 0.3
    three = lambda share: float(stats.binom(3, share).sf(1))
    parts = zero_one_parts(np.array([[0]] * 3 + [[1]] * 7), [1])
    return Worked(
        {"a": a, r"\beta": parts.bias[0], r"\omega": parts.variance[0], r"P(\text{error})": parts.risk[0]},
        worlds=[{"a": b, r"\beta": 1.0, r"P(\text{error})": 1 - parts.variance[0]}],
        own={r"a^3+3a^2(1-a)": {"a": a}},
        numbers=[1 - parts.variance[0], three(a), three(a), 1 - three(a), 1 - a, three(b), 1 - three(b), 1 - b],
    )


def cards():
    fits, target, noise = np.array([2.0, 4, 4, 6]), 5, 1
    bias, spread = fits.mean() - target, fits.var()
    assert abs(decompose(fits[:, None], [target], noise).risk[0] - noise - bias**2 - spread * 4 / 3 * 3 / 4) < 1e-9
    sets = np.array(list(product((-1.0, 1.0), repeat=3)))  # targets 0 plus or minus 1 at three inputs
    L = np.array([[0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]])
    parts = smoother_decomposition(L, np.zeros(3), np.zeros(3), 1.0)
    error = ((sets - sets @ L.T) ** 2).mean(axis=0)
    three = lambda sigma2: smoother_decomposition(np.full((1, 3), 1 / 3), np.zeros(3), [0.0], sigma2).variance[0]
    line = np.column_stack([np.ones(8), np.arange(8.0)])
    hat = line @ np.linalg.pinv(line)
    of_line = smoother_decomposition(hat, np.zeros(8), np.zeros(8), 1.3).variance.mean()
    of_mean = smoother_decomposition(np.full((8, 8), 1 / 8), np.zeros(8), np.zeros(8), 1.3).variance.mean()
    cov = (sets[:, 0] * (sets @ L.T)[:, 0]).mean()
    return {
        "lost-marks-cross": Worked(
            {r"\operatorname{Cov}(y_n,f_\mathcal{D}(\mathbf{x}_n))": cov},
            own={"(a+b)^2=a^2+b^2+ab": {"a": 0.0, "b": 1.7}},  # only without one of them
            numbers=[2, 0, 2, (error - parts.risk)[0]],
        ),
        "do-not-confuse-bias": Worked({"w_0": -0.7}, numbers=[-0.7]),
        "what-if-noise": Worked(numbers=[three(1.3 * 4) / three(1.3)]),
        "what-if-copies": Worked({r"\sigma^2": 1.3, "p": 2, "N": 8}, numbers=[2, of_line, 2]),
        "what-if-lambda": Worked({r"\sigma^2": 1.3, "N": 8}, numbers=[0, 0, of_mean]),
        "counterexample-simple": Worked(numbers=[1, 1 + 4, 1 + 4]),  # four further weights
        "convention-sign": Worked({"S": 4}, numbers=[len(fits) * spread / fits.var(ddof=1)]),
        "quiz-gap": Worked(numbers=[0.1, 2.0]),
        "quiz-knn": Worked(
            {"k": 1}, own={r"\sigma^2/k": {r"\sigma^2": 1.3, "k": 3}}, numbers=[three(1.3)]
        ),
        "tf-zero-one": Worked(numbers=[0, 1]),
        "tf-interpolate": Worked(numbers=[0, 1]),
        "quiz-four": Worked(
            numbers=[fits, target, noise, noise, spread, bias**2 + spread, noise + bias**2 + spread, bias, spread,
                     noise + bias**2 + spread],
        ),
    }  # fmt: skip
