"""Exercises on the curse of dimensionality: balls by counting and by the library, moments by SciPy, a fit by SciPy."""

import numpy as np
from scipy.integrate import quad
from scipy.spatial.distance import pdist
from scipy.special import gamma
from scipy.stats import beta, binom, chi2, norm, pareto, uniform

from notes_lib.neighbors.curse_of_dimensionality import (
    ball_volume,
    cap_bound,
    edge_length,
    effective_dimension,
    median_nearest_distance,
    relative_spread,
    shell_fraction,
)
from tests.formulas.values import At
from tests.solutions.ledger import Worked


def ex_volume():
    d, r, thin, h = 5, 0.7, 1e-3, 1e-5
    whole = quad(lambda x: np.exp(-x * x), -np.inf, np.inf)[0] ** d
    shell = (ball_volume(d, r + h) - ball_volume(d, r - h)) / (2 * h) * thin
    steps = [ball_volume(n + 2, 0.5) / ball_volume(n, 0.5) for n in range(1, 40)]
    first = 1 + next(n for n, step in enumerate(steps) if step < 0.5)
    assert steps[-1] < 0.05
    x = np.array([0.3, -0.2, 0.5, 0.1, 0.4])
    return Worked(
        {"d": d, "r": r, "dr": thin, "u": r * r, "V_#": {n: ball_volume(n) for n in range(1, 9)}, r"\mathbf{x}": x,
         r"\Gamma": At(lambda z: float(gamma(z)))},
        own={"d=2": {"d": first}},
        numbers=[norm.pdf(x, scale=0.5**0.5).prod() * whole, whole, shell, whole, ball_volume(d, 0.5), 0.5, 0],
    )  # fmt: skip


def ex_ten():
    n, d = 500, 10
    r = median_nearest_distance(d, n)
    none = binom(n, r**d).pmf(0)
    return Worked(
        {"r": r},
        numbers=[2.5, 1, 10, n, n, none, none, r, 1, 1 - r],
        known=[n, r**d],
    )


def ex_length():
    d = 6
    x = np.random.default_rng(0).normal(size=d)
    Z, h, square = x @ x / d - 1, 1e-4, chi2(d)
    rise = (np.sqrt(d * (1 + h)) - np.sqrt(d * (1 - h))) / (2 * h)
    return Worked(
        {"d": d, r"\mathbf{x}": x, "Z": Z, r"\mathbf{0}": np.zeros(d), r"\mathbb{E}x_j^4": norm.moment(4),
         r"\mathbb{E}\lVert\mathbf{x}\rVert^2": square.mean(), r"\operatorname{Var}x_j^2": chi2(1).var(),
         r"\operatorname{sd}Z": square.std() / d, "r": 0.4},
        numbers=[x @ x, np.zeros(d), square.var(), np.sqrt(d) + rise * Z, np.zeros(d)],
    )  # fmt: skip


def ex_ratios():
    rho, d, s, shared = np.array([2, 1.6, 1.25, 1]), 3, 0.4, 1.7
    found = pareto.fit(rho, floc=0, fscale=1)[0]
    assert np.isclose(found, len(rho) / np.log(rho).sum())
    v = np.array([0.3, 0.3 * shared**d])
    return Worked(
        {"i": range(1, 5), "n": len(rho), "d": d, "s": s, "v_#": v, r"\rho_#": rho, r"\rho": shared,
         r"\hat d": found, r"P(\ln\rho>s)": pareto(d).sf(np.exp(s)),
         r"P(v_1/v_2<e^{-ds})": uniform.cdf(np.exp(-s) ** d)},
        numbers=[rho, v[0] / v[1], pareto(d).pdf(rho).prod()],
        known=[np.log(2), np.log(4), found, found / 2],
    )  # fmt: skip


def ex_cap():
    d, t, x = 3, 0.4, np.array([0.6, 0.5, -0.3])
    north = np.array([1, 0, 0])
    bound = 2 * cap_bound(200, 0.18)
    inside = np.floor(100 * (1 - bound))
    return Worked(
        {"d": d, "t": t, "x_#": x, r"\mathbf{x}": x, r"\mathbf{e}_1": north, "V_#": {3: ball_volume(3)}},
        own={r"|x_1|\le0.18": {"x_#": [-0.1]}},
        numbers=[x[0], 0, cap_bound(d, t), 200, inside, 0.1, 0.18, (x - t * north) @ (x - t * north),
                 1 + t * t - 2 * t * x[0], (1 - t) * (1 + t), 0.5, x[0], cap_bound(d, t) * ball_volume(d), bound],
        known=[0.18**2, 100, 3.24],
    )  # fmt: skip


def ex_which():
    m = 9
    far = np.sqrt(chi2(1).var() / chi2(m).var())
    return Worked({"m": m}, numbers=[10_000, 300, 300, 50, 50, 1, 1, far, effective_dimension(np.ones(50))])


def _what_if():
    """Distances of doubled features, of a feature in another unit, and with more samples."""
    X = np.random.default_rng(1).normal(size=(30, 3))
    twice = pdist(np.hstack([X, X])) / pdist(X)
    unit, more = 100, 100
    near = [median_nearest_distance(50, n) for n in (10_000, 10_000 * more)]
    return {
        "what-if-twice": Worked(numbers=[2, twice.mean(), 2]),
        "what-if-unit": Worked(
            {r"d_{\text{eff}}": effective_dimension([1e9, 1, 1])},
            numbers=[unit],
        ),
        "what-if-samples": Worked(numbers=[more, 50], known=[near[0] / near[1]]),
    }


def _limit_of_spread():
    """Standard deviation of the distance of uniform points, from many pairs in 300 dimensions."""
    x, y = np.random.default_rng(2).uniform(size=(2, 20_000, 300))
    return round(np.linalg.norm(x - y, axis=1).std(), 2)


def _quizzes():
    inner = 100 * (1 - shell_fraction(20, 0.1))
    eigenvalues = [4, 4, 0, 0]
    mean = sum(2 * v * chi2(1).mean() for v in eigenvalues)  # of the squared distance
    effective = 2 * mean**2 / sum(4 * v**2 * chi2(1).var() for v in eigenvalues)
    cosine = beta(0.5, (10_000 - 1) / 2)  # of the squared cosine
    degree = np.sin(np.radians(1))
    spread = np.sqrt(cosine.mean())
    quotient = relative_spread(400, 1 / 6, 7 / 180) / relative_spread(100, 1 / 6, 7 / 180)
    return {
        "quiz-border": Worked(
            numbers=[20, 10, 10, 100 - inner, inner, 20 * 10],
            known=[inner / 100],
        ),
        "quiz-root": Worked({"d": 7}, numbers=[quotient, relative_spread(7, 1, 1) * 2, quotient**2, 1 / quotient]),
        "quiz-remedies": Worked(numbers=[500, 500]),
        "quiz-effective": Worked(
            numbers=[eigenvalues, len(eigenvalues), effective, sum(eigenvalues), 1 / effective],
        ),
        "tf-deviation": Worked(numbers=[1000, 10, _limit_of_spread()]),
        "tf-right": Worked(
            numbers=[10_000, spread, np.degrees(spread), degree / spread, round(100 * cosine.cdf(degree**2))],
        ),
    }


def cards():
    d, thin, g = 6, 0.02, 7
    cells = np.array(list(np.ndindex(3, 3, 3, 3)))
    inner = np.sum(np.all((np.array(list(np.ndindex(*[g] * 3))) % (g - 1)) > 0, axis=1))
    plane = effective_dimension([1, 1])
    return {
        **_what_if(),
        **_quizzes(),
        "lost-marks-equal": Worked(numbers=[1000, 0]),
        "lost-marks-shell": Worked(
            {"d": d, r"\varepsilon": thin},
            own={"d=100": {"d": 2 / thin}},
            numbers=[100 * thin, d * 2, 2, shell_fraction(d, thin)],
            known=[100],
        ),
        "lost-marks-linear": Worked(numbers=[20, 5 * 20, 20, (1 / edge_length(5, 20.0**-5)) ** 5]),
        "lost-marks-five": Worked({"d": 1 + int(np.argmax([ball_volume(n) for n in range(1, 30)]))}),
        "do-not-confuse-dimensions": Worked(numbers=[1000, 1000, plane, plane, plane, plane, 1]),
        "counterexample-contrast": Worked(numbers=[0.6, 300]),
        "counting": Worked(
            {"d": 4, "g": g},
            own={"(g-2)^d": {"g": g, "d": 3}, "1-(1-2/g)^d": {"g": g, "d": 3}},
            numbers=[len(cells) - 1, len(list(np.ndindex(2, 2, 2, 2))), 2 * 4, inner, shell_fraction(3, 2 / g)],
        ),
        "convention-contrast": Worked(
            {"D": 1.3},
            numbers=[1.3**2, 2],
        ),
        "convention-sphere": Worked({"d": d}, numbers=[d - 1]),
    }
