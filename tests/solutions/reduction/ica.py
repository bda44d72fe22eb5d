"""Exercises on independent components: sources of few values, of which all combinations are counted."""

from itertools import combinations, permutations, product

import numpy as np
from scipy import stats
from scipy.linalg import polar
from scipy.optimize import brentq, minimize_scalar

from notes_lib.numerics import central_difference
from notes_lib.reduction.ica import FastICA, rotation, whiten
from tests.formulas.chapters import Chapter
from tests.formulas.values import At
from tests.solutions.ledger import Worked

W, R = r"\mathbf{w}", r"\mathbf{R}"
FLAT = float(stats.uniform.stats(moments="k"))  # the excess kurtosis of a uniform number


def _slope(function, x, step=1e-5):
    return float(central_difference(function, x, step))


def _three_valued(p):
    """A number of variance 1 that is 0 or, with probability p each, one of two opposite values."""
    a = (2 * p) ** -0.5
    return np.array([-a, 0, a]), np.array([p, 1 - 2 * p, p])


def _kurtosis(values, chances):
    return float(np.dot(chances, values**4) / np.dot(chances, values**2) ** 2 - stats.norm.moment(4))


def _mixture(first, second, weights):
    """Values and chances of a weighted sum of two independent numbers."""
    pairs = [(x, y, p * q) for (x, p), (y, q) in product(zip(*first, strict=True), zip(*second, strict=True))]
    return np.array([np.dot(weights, pair[:2]) for pair in pairs]), np.array([pair[2] for pair in pairs])


def _uniform():
    """Nodes that give the moments of a uniform number of variance 1, and their weights."""
    nodes, weights = np.polynomial.legendre.leggauss(5)
    return nodes * np.sqrt(3), weights / 2


def _orders(D):
    """All matrices that change order and signs only."""
    rows = [np.array(order) for order in permutations(range(D))]
    return [np.eye(D)[row] * signs for row in rows for signs in product((1, -1), repeat=D)]


def ex_rotation():
    pairs = len([*combinations(range(6), 2)])
    return Worked(numbers=[np.zeros((6, 6)).size], known=[pairs])


def ex_uncorrelated():
    points = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    angle = np.arctan2(1, 1)  # the points lie on the axes and shall lie on the diagonals
    turned = points @ rotation(angle)
    assert all(
        np.isclose(turned, corner).all(axis=1).any() for corner in np.array([*product((-1, 1), repeat=2)]) / 2**0.5
    )
    squares = points**2
    return Worked(
        {"x_#": points[0], "s_#": [turned[0, 0], -turned[0, 1]],
         r"\operatorname{E}[x_1^2x_2^2]": np.mean(squares.prod(axis=1)),
         **{rf"\operatorname{{E}}[x_{k}^2]": np.mean(squares[:, k - 1]) for k in (1, 2)}},
        numbers=[points[0], points, 1 / len(points), points.mean(), round(np.degrees(angle), 9),
                 np.outer([-1, 1], turned[0, [0, 0]]), 1 / len(np.unique(turned.round(9), axis=0))],
    )  # fmt: skip


def ex_kurtosis():
    angle = 0.4
    source = _uniform()
    of = lambda t: abs(_kurtosis(*_mixture(source, source, [np.cos(t), np.sin(t)])))
    y = _mixture(source, source, [np.cos(angle), np.sin(angle)])
    quarter = np.pi / 2
    least = minimize_scalar(of, bounds=(0, quarter), method="bounded", options={"xatol": 1e-9}).x
    top = [minimize_scalar(lambda t: -of(t), bounds=(m - 0.5, m + 0.5), method="bounded").x for m in (0, quarter)]
    turn, doubled = np.exp(1j * angle), np.exp(2j * angle)
    powers = {rf"\{name}^{k}\theta": part**k for name, part in (("cos", turn.real), ("sin", turn.imag)) for k in (2, 4)}
    s = np.array([source[0][0], source[0][3]])
    moment = np.dot(source[1], source[0] ** 4)
    return Worked(
        {r"\kappa_#": [FLAT, FLAT], "y": s @ [np.cos(angle), np.sin(angle)], "s_#": s, r"\theta": angle, **powers,
         r"\sin^22\theta": doubled.imag**2, r"\operatorname{E}[y^4]": np.dot(y[1], y[0] ** 4), r"\kappa": _kurtosis(*y),
         **{rf"\operatorname{{E}}[s_{k}^4]": moment for k in (1, 2)}},
        numbers=[np.dot(source[1], source[0] ** 2), stats.norm.moment(4), stats.norm.moment(4),
                 round(np.degrees(top[1] - top[0]), 4), of(top[0]), round(least / quarter, 6), of(least),
                 round(np.degrees(least), 4)],
    )  # fmt: skip


def ex_newton():
    v = Chapter.of("ica").instances[0]
    Z = whiten(np.random.default_rng(1).normal(size=(40, 3)) ** 3).Z
    w, u, beta = np.array([2, -1, 2]) / 3, 0.7, 0.3
    cube = lambda u: u**3
    mean = np.mean(np.log(np.cosh(Z @ w)))
    fourth = lambda w: np.mean((Z @ w) ** 4) / 4 - 0.75 * (w @ w) ** 2
    gradient = [(fourth(w + e) - fourth(w - e)) / 2e-5 for e in 1e-5 * np.eye(3)]
    stationary = {**v.values, **v.own["ica-must-know-fixed-point:2"]}
    stationary[r"\operatorname{E}[\mathbf{z}\,g(y)]"] = stationary[
        r"\operatorname{E}[\mathbf{z}\,g(\mathbf{w}^\top\mathbf{z})]"
    ]
    return Worked(
        {"g": At(cube), "u": u, "y": u, W: w, r"\beta": beta,
         r"\operatorname{E}[\mathbf{z}\,y^3]": np.mean(Z * (Z @ w)[:, None] ** 3, axis=0)},
        own={r"\operatorname{E}[G(\mathbf{w}^\top\mathbf{z})]-\tfrac\beta2(\mathbf{w}^\top\mathbf{w}-1)": {
                r"\operatorname{E}[G(\mathbf{w}^\top\mathbf{z})]": mean, W: 2 * w, r"\beta": beta},
             r"\operatorname{E}[\mathbf{z}\,g(y)]-\beta\mathbf{w}=\mathbf{0}": stationary},
        numbers=[mean - beta / 2 * (np.linalg.norm(2 * w) ** 2 - 1), np.round(gradient, 7), round(_slope(cube, u), 7),
                 np.mean([_slope(cube, y) for y in Z @ w])],
    )  # fmt: skip


def ex_gaussian():
    s = np.array([0.3, -1.1])
    joint = -2 * (stats.multivariate_normal([0, 0]).logpdf(s) - stats.multivariate_normal([0, 0]).logpdf([0, 0]))
    return Worked({"s_#": s}, numbers=[joint])


def ex_code():
    matrix = np.random.default_rng(0).normal(size=(3, 3))
    values, axes = np.linalg.eigh(matrix @ matrix.T)
    P, s, Ot = np.linalg.svd(matrix)
    step = np.polynomial.Polynomial([0, 1.5, 0, -0.5])
    fixed = brentq(lambda x: step(x) - x, 0.5, 2)
    edge = brentq(step, 1.2, 3)  # beyond it the value turns its sign
    return Worked(
        {R: matrix, r"(\mathbf{R}\mathbf{R}^\top)^{-1/2}": axes @ np.diag(values**-0.5) @ axes.T,
         r"\mathbf{R}\leftarrow": P @ np.diag(step(s)) @ Ot, r"\sigma": 0.6},
        numbers=[polar(matrix)[0], step(0.6), fixed, 0, edge],
    )  # fmt: skip


def cards():
    X = np.random.default_rng(0).laplace(size=(60, 2)) @ [[1, 0.4], [0.3, 2]]
    model = FastICA(random_state=0).fit(X)
    columns = (X - X.mean(axis=0)) @ model.whitening_.T
    other = FastICA(random_state=0, whiten="arbitrary-variance").fit_transform(X)
    none = _three_valued(1 / 6)  # the probability of the card
    pair = _three_valued(0.1), _three_valued(0.25)
    kappa = [_kurtosis(*source) for source in pair]
    mixed = _kurtosis(*_mixture(*pair, [0.6, 0.8]))
    y, w = X[:, 0] - X[:, 0].mean(), np.array([0.6, 0.8])
    flat = _uniform()
    wild = [none[0][0], 0, none[0][2], none[1], round(_kurtosis(*none), 9)]
    D = 3
    upper = np.triu_indices(D)
    return {
        "lost-marks-pca": Worked(numbers=[1 / len(["whiten", "turn"])]),
        "lost-marks-order": Worked(numbers=[model.transform(X).var(axis=0)[0]]),
        "lost-marks-zero": Worked(numbers=[wild[-1], *wild]),
        "counterexample-zero": Worked(numbers=[round(_kurtosis(*_mixture(none, none, w)), 9)]),
        "counting-unknowns": Worked(
            {"D": D, "D!": len([*permutations(range(D))])},
            numbers=[np.eye(D).size, len(upper[0]), np.sum(upper[0] != upper[1]), len(_orders(D)), len(_orders(2))],
        ),
        "convention-kurtosis": Worked(
            {r"\operatorname{E}[y^4]": np.mean(y**4), r"\operatorname{E}[y^2]": np.mean(y**2),
             r"\operatorname{kurt}(y)": stats.kurtosis(y) * y.var() ** 2},
            numbers=[stats.norm.stats(moments="k"), stats.norm.moment(4), FLAT, np.dot(flat[1], flat[0] ** 4),
                     model.transform(X)[:, 0].var()],
        ),
        "convention-whitening": Worked(
            {"N": len(X)}, numbers=[np.sum(columns[:, 0] ** 2), whiten(X).Z[:, 0].var(), other[:, 0].var()]
        ),
        "quiz-kurtosis": Worked(
            {"y": w @ [0.3, 0.5], "s_#": [0.3, 0.5]},
            numbers=[pair[0][1] @ pair[0][0] ** 2, kappa[0], -kappa[1], w @ kappa, w**2 @ kappa, -mixed, mixed,
                     w**4 @ np.abs(kappa)],
            known=[w**4],
        ),
        "tf-zero": Worked(numbers=[wild[-1], *wild[:-1]]),
    }  # fmt: skip
