"""Exercises on generalisation: labelings enumerated, moments by quadrature, sample sizes and levels as roots."""

from itertools import combinations, combinations_with_replacement, pairwise, product

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq

from notes_lib.theory.generalization import (
    growth_function,
    hoeffding_bound,
    is_shattered,
    labelings,
    pac_sample_size,
    sauer_bound,
    uniform_deviation,
    vc_bound,
)
from tests.formulas.values import At
from tests.solutions.ledger import Worked

MANY = 10**9
DIAMOND = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])


def _blocks(labels):
    """How many runs of equal labels there are."""
    return 1 + sum(a != b for a, b in pairwise(labels))


def _dimension(allowed):
    """The largest number of points on a line whose labelings are all allowed."""
    return next(N for N in range(9) if not all(map(allowed, product((0, 1), repeat=N + 1))))


def _excess(size, candidates, delta, tails=2):
    """The deviation at which the bound of all candidates is the level."""
    return brentq(lambda e: candidates * tails / 2 * hoeffding_bound(e, size) - delta, 0.01, 0.9, xtol=1e-14)


def ex_hoeffding():
    w, s, epsilon, N = 1.4, 0.6, 0.3, 7
    mean_of = lambda s: np.mean(np.exp(s * np.array([-w / 2, w / 2])))
    widest = quad(lambda z: stats.norm(0, w / 2).pdf(z) * np.exp(s * z), -20, 20, epsabs=1e-12)[0]
    exponent = lambda s: N * (s * s * w * w / 8 - s * epsilon)
    tries = np.array([-1, 0, 1])
    parabola = np.polyfit(tries, exponent(tries), 2)
    best = -parabola[1] / (2 * parabola[0])
    return Worked(
        {r"\mathbb{E}e^{sV}": mean_of(s), "s": best, "w": w, r"\varepsilon": epsilon, "N": N,
         r"\psi": At(lambda s: float(np.log(mean_of(s))))},
        own={r"\mathbb{E}e^{sV}\le e^{s^2w^2/8}": {"s": s}},
        numbers=[widest, np.var([0, w]), np.polyval(parabola, best), 2],
    )  # fmt: skip


def ex_pac():
    epsilon, M, delta, N = 0.1, 20, 0.05, 30
    realisable = brentq(lambda n: M * np.exp(-epsilon * n) - delta, 0, 1e4, xtol=1e-12)
    agnostic = brentq(lambda n: M * 2 * np.exp(-epsilon * epsilon * (n + n)) - delta, 0, 1e4, xtol=1e-12)
    risk = {"seen": 0.25, "risk": 0.33, "best_seen": 0.31, "best": 0.28}
    return Worked(
        {r"\varepsilon": epsilon, "M": M, r"\delta": delta, "N": N, r"R(\hat h)": risk["risk"],
         r"\hat R(\hat h)": risk["seen"], r"\hat R(h^\star)": risk["best_seen"], r"R(h^\star)": risk["best"]},
        own={r"N\ge\frac1\varepsilon\ln\frac M\delta": {"N": pac_sample_size(M, epsilon, delta, realizable=True)},
             r"N\ge\frac{1}{2\varepsilon^2}\ln\frac{2M}{\delta}": {"N": pac_sample_size(M, epsilon, delta)}},
        numbers=[
            stats.binom(N, epsilon).pmf(0), realisable, hoeffding_bound(epsilon, N), agnostic,
            risk["best"] + epsilon + epsilon,
        ],
    )  # fmt: skip


def ex_sauer():
    halves = {0: frozenset([1, 2, 3]), 1: frozenset([2, 4])}  # by the labels of all points but the last
    every = [(labels, last) for last, half in halves.items() for labels in half]
    assert sauer_bound(5, 2) == growth_function("intervals", 5)
    return Worked(
        {"N": 5, "d": 2, "A_#": {last: frozenset(map(float, half)) for last, half in halves.items()}},
        numbers=[0.5, len(every)],
        known=[growth_function("intervals", 5)],
    )


def ex_both():
    assert is_shattered(DIAMOND, "rectangles")
    rng = np.random.default_rng(0)
    assert not any(is_shattered(rng.normal(size=(5, 2)), "rectangles") for _ in range(5))
    ones = lambda labels: sum(a < b for a, b in pairwise((0, *labels)))  # blocks of label 1
    two = _dimension(lambda labels: ones(labels) <= 2)
    wrong = [labels for labels in product((0, 1), repeat=two + 1) if ones(labels) > 2]
    return Worked(numbers=[0.5, len(DIAMOND), 1, two, 1, wrong])


def ex_trees():
    L = 3
    too_many = 1 + _dimension(lambda labels: _blocks(labels) <= L)
    return Worked({"L": L}, numbers=[0.5, too_many, too_many])


def ex_candidates():
    size, candidates, error, sure = 500, 1000, 0.12, 0.95
    level = 1 - sure
    off, one, fresh = _excess(size, candidates, level), _excess(size, candidates, level, 1), _excess(size, 1, level)
    assert np.isclose(off, uniform_deviation(candidates, size, level))
    return Worked(
        numbers=[size, candidates, error, sure, size, error + off, 2 * size * one**2, error + one, error + fresh],
        known=[off, 2 * candidates, candidates, fresh],
    )


def ex_mistakes():
    M, D, k, u, m = 8, 8, 2, 5, 2
    left = M
    for _ in range(m):
        left //= 2
    raised = len([w for w in 2.0 ** np.arange(-5, 9) if 1 <= w <= D])  # a weight is doubled while it is at most D
    return Worked(
        {"M": M, "m": m, "D": D, "u": u, "k": k, "v": u}, numbers=[0.5, 1, left, 2, raised, 0.5, k * raised, 2 + u + u,
                                                                  2 + u + u + u],
    )  # fmt: skip


def _signs(count):
    """How many labelings lines through the origin give points in the plane."""
    points = np.random.default_rng(0).normal(size=(count, 2))
    angles = np.linspace(0, 2 * np.pi, 20_001)
    return len({tuple(side) for side in (np.column_stack([np.cos(angles), np.sin(angles)]) @ points.T > 0).tolist()})


def cards():
    N, D, m, d, delta, epsilon = 4, 2, 3, 2, 0.1, 0.3
    every = lambda size: len([*product((0, 1), repeat=size)])
    triangle = np.array([[0, 0], [1, 0], [0, 1]])
    planes = max(n for n in range(1, 5) if growth_function("half-spaces", n, d=2) == 2**n)
    sizes = lambda epsilon: pac_sample_size(MANY, epsilon, 0.05, realizable=True)
    rays = labelings(np.arange(N)[:, None], "rays")
    one_side = _dimension(lambda labels: labels == tuple(sorted(labels)))
    both = {*map(tuple, rays), *map(tuple, 1 - rays)}
    three = labelings(np.arange(3)[:, None], "rays")
    gone = {*product((0, 1), repeat=3)} - {*map(tuple, three), *map(tuple, 1 - three)}
    assert len({*map(tuple, three[:, :2]), *map(tuple, 1 - three[:, :2])}) == 4
    points = np.random.default_rng(0).normal(size=(D + 1, D))
    weights = np.linalg.svd(points.T)[2][-1]
    literals = len([*combinations(range(2 * D), 2)]) + 2 * D  # clauses of two literals, which may be the same
    intervals = len([*combinations_with_replacement(range(m), 2)])
    functions = every(2**D)
    grow = lambda n: growth_function("intervals", round(n))
    short = next(n for n in range(1, 9) if grow(n) < 2**n)
    size = 200
    squares = [vc_bound(size, d, level) ** 2 * size for level in (0.1, 0.1 / np.e)]
    eight = squares[1] - squares[0]
    four = np.exp(squares[0] / eight + np.log(0.1)) / sauer_bound(2 * size, d)
    gap = np.log((2 * np.e * N / d) ** d * 4 / delta)
    blumer = max(4 * np.log(2 / delta), 8 * d * np.log(13 / epsilon)) / np.log(2) / epsilon
    more = (0.08 / 0.04) ** 2
    return {
        "lost-marks-winner": Worked(
            {"N": 100, r"\varepsilon": 0.5 - 0.4}, numbers=[50, 0.4, 100, 0.5], known=[hoeffding_bound(0.1, 100)]
        ),
        "lost-marks-some": Worked(numbers=[0.5, 2, sum(is_shattered(triangle[:n], "half-spaces") for n in (1, 2, 3))]),
        "lost-marks-estimate": Worked(numbers=[0.13, 0.68, 0.13 + 0.68, 0.95, 0.13 + 0.68]),
        "lost-marks-parameters": Worked(
            {r"\omega": 2.0, "x": 0.4}, numbers=[1, float(0.4 % np.pi < np.pi / 2), 0.5, planes]
        ),
        "what-if-epsilon": Worked(
            numbers=[0.5, 0.5, sizes(0.01) / sizes(0.02), 0.1,
                     brentq(lambda x: np.exp(x) - 10, 0, 9, xtol=1e-13)],
        ),
        "what-if-offset": Worked(
            {"D": D, "N": N, "j": range(1, 3), "y_#": [0, 1], "w_#": [-0.5, 0.5], "n": range(1, D + 2),
             r"\lambda_#": weights, r"\mathbf{x}_#": points, r"\mathbf{0}": np.zeros(D)},
            own={r"\lambda_n>0": {"n": 1 + int(np.argmax(weights))}},
            numbers=[0.5, planes, planes, 0, 1, 0, _signs(N)],
        ),
        "what-if-both-sides": Worked(
            {"N": N}, numbers=[_dimension(lambda labels: _blocks(labels) < 3), one_side, len(both), 1,
                               len(rays), 0, 1, len(rays) + len(rays) - len(both), sorted(gone)[-1]],
        ),
        "counterexample-infinite": Worked({"N": 9}, numbers=[1 / 3]),
        "counting": Worked(
            {"D": D, "m": m, "M": functions, r"\varepsilon": epsilon},
            numbers=[len([*product("+-0", repeat=D)]), len([*product("+0", repeat=D)]), functions, 0.5,
                     every(D), intervals**2, every(literals)],
        ),
        "convention-constants": Worked(
            {r"\Pi": At(grow), "N": N, "d": d, r"\delta": delta, r"\varepsilon": epsilon},
            own={r"N\ge\frac1\varepsilon\max\big(4\log_2\frac2\delta,\,8d\log_2\frac{13}\varepsilon\big)": {"N": MANY}},
            numbers=[grow(2 * N), round(eight, 6), round(four, 6), gap, round(eight, 6), blumer],
        ),
        "convention-growth": Worked({r"\Pi": At(grow), "N": short, "d": d}, numbers=[2**short, short]),
        "quiz-four": Worked(
            numbers=[size, 0.08, 0.04, round(size * more**0.25), more**0.25, size * 2, 2, size * more, 2, size * 8, 2]
        ),
        "quiz-sauer": Worked(
            numbers=[2, len([*combinations(range(6), 2)]), grow(6), grow(6), 6 * 6, 6 * 6, every(6)]
        ),
        "quiz-half-spaces": Worked(
            {"D": 10},
            numbers=[0.5, 10, 10, np.append(np.ones(10), 1).size, np.append(np.ones(10), 1).size, 2 * 10, every(10)],
        ),
        "quiz-least": Worked(numbers=[planes, 2, 2], known=[sauer_bound(4, 2)]),
        "tf-polynomial": Worked({"N": N}, numbers=[every(N)]),
        "tf-zero": Worked(numbers=[0]),
        "tf-parameters": Worked(numbers=[3]),
    }  # fmt: skip
