"""Exercises on the multivariate Gaussian: densities by SciPy, conditionals by inverses, expectations by quadrature."""

from itertools import combinations_with_replacement

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.spatial.distance import mahalanobis

from tests.formulas.values import At
from tests.solutions.ledger import Worked

S, L, X0 = r"\boldsymbol{\Sigma}", r"\boldsymbol{\Lambda}", r"\mathbf{0}"
PAIR = {r"\mathcal{N}": At(lambda mean, variance: np.array([mean, variance]))}
COVARIANCE = np.array([[2.0, 0.5, 0.3], [0.5, 1.5, -0.4], [0.3, -0.4, 1.0]])  # of a, two variables, and b, one
PRECISION = np.linalg.inv(COVARIANCE)
BLOCKS = {
    rf"{name}_{{{rows}{columns}}}": M[at[rows], at[columns]]
    for name, M in ((S, COVARIANCE), (L, PRECISION))
    for at in ({"a": slice(0, 2), "b": slice(2, 3)},)
    for rows in "ab"
    for columns in "ab"
}
UNRELATED = {rf"{S}_{{ab}} = {X0}": {rf"{S}_{{ab}}": np.zeros((2, 1)), X0: np.zeros((2, 1))}}


def _bivariate(sx, sy, rho):
    return np.array([[sx**2, rho * sx * sy], [rho * sx * sy, sy**2]])


def _given(covariance, known):
    """The covariance of the other variables when these are known."""
    rest = [k for k in range(len(covariance)) if k not in known]
    return np.linalg.inv(np.linalg.inv(covariance)[np.ix_(rest, rest)])


def _moment(f, law):
    """An expectation by quadrature."""
    return quad(lambda x: f(x) * law.pdf(x), -np.inf, np.inf, epsabs=1e-13)[0]


def ex_derive():
    sx, sy, rho, x, y = 1.3, 0.8, 0.6, 0.7, -0.4
    M = _bivariate(sx, sy, rho)
    law = stats.multivariate_normal([0, 0], M)
    bracket = -2 * (1 - rho**2) * (law.logpdf([x, y]) - law.logpdf([0, 0]))
    marginal = stats.norm(0, sx)
    return Worked(
        {r"\sigma_x": sx, r"\sigma_y": sy, r"\rho": rho, S: M, "x": x, "y": y, "p": At(lambda x, y: law.pdf([x, y]))},
        numbers=[law.mean[0], 1, bracket, marginal.pdf(x) / marginal.pdf(0), _given(M, [0])],
    )


def ex_predictor():
    mean, M = np.array([5, 2, 0]), np.array([[10, 1, -1], [1, 7, 3], [-1, 3, 2]])
    z = np.array([2.7, -0.4])
    left = _given(M, [1, 2])[0, 0]
    correlation = M / np.sqrt(np.outer(np.diag(M), np.diag(M)))
    law = stats.multivariate_normal(mean, M)
    at = lambda y: law.logpdf([y, *z])
    best = (at(1) - at(-1)) / 2 * left  # the top of a parabola that bends by one over the conditional variance
    gain = np.linalg.lstsq(np.linalg.cholesky(M[1:, 1:]).T, np.linalg.solve(np.linalg.cholesky(M[1:, 1:]), M[1:, 0]))[0]
    return Worked(
        {"y": best, "z_#": z, r"\boldsymbol{\Sigma}_{bb}": M[1:, 1:], r"\mathbf{G}": gain[None], "(1, -1)": M[:1, 1:],
         r"(1, -2)": gain[None]},
        numbers=[
            best, z, mean, M, 7.8, z, z[0], z[1], z[0], 1 - left / M[0, 0], z[0], correlation[0, 1] ** 2, z[1],
            correlation[0, 2] ** 2, z,
        ],
        known=[left],
    )  # fmt: skip


def ex_ellipse():
    mean, M = np.array([1, 1]), np.array([[5, 2], [2, 2]])
    lam, V = np.linalg.eigh(M)
    lam, V = lam[::-1], V[:, ::-1] * np.sign(V[0, ::-1])
    radius = np.sqrt(stats.chi2(2).ppf(0.95))
    points = np.array([[3, 2], [2, -1]])
    distances = [mahalanobis(p, mean, np.linalg.inv(M)) for p in points]
    lengths = np.sum((points - mean) ** 2, axis=1)
    assert lengths[0] == lengths[1]
    axes = radius * np.sqrt(lam)
    return Worked(
        {r"\lambda": lam[0], r"\lambda_#": lam, "r": radius},
        own={r"\Delta^2 = 5/6": {r"\Delta": distances[0]}, r"\Delta = 2.24": {r"\Delta": distances[1]}},
        numbers=[mean, M, 0.5, 95, points, np.trace(M), lam.prod(), V.T, 0.5, axes[1], points - mean, lengths[0],
                 distances[1] ** 2, distances[0]],
        known=[axes, distances],
    )  # fmt: skip


def ex_mle():
    points = np.array([[3, 6], [4, 4], [5, 7], [4, 7]])
    mean, M = points.mean(axis=0), np.cov(points.T, bias=True)
    squared = [mahalanobis(p, mean, np.linalg.inv(M)) ** 2 for p in points]
    return Worked(
        {r"\hat{\boldsymbol{\mu}}": mean, r"\hat{\boldsymbol{\Sigma}}": M, r"\Delta": np.sqrt(squared[0])},
        numbers=[
            points, 4.18, points - mean, np.cov(points.T) * (len(points) - 1), squared[1],
            np.linalg.matrix_rank(np.cov(points[:2].T)),
        ],
    )  # fmt: skip


def ex_independent():
    a, b = BLOCKS[rf"{S}_{{aa}}"], BLOCKS[rf"{S}_{{bb}}"]
    d = np.array([0.4, -0.7, 1.1])
    apart = np.zeros((3, 3))
    apart[:2, :2], apart[2:, 2:] = a, b
    inverse = np.linalg.inv(apart)
    return Worked(
        {**BLOCKS, r"\Delta": mahalanobis(d, 0 * d, inverse), r"\Delta_a": mahalanobis(d[:2], [0, 0], inverse[:2, :2]),
         r"\Delta_b": abs(d[2]) * inverse[2, 2] ** 0.5, "x": 0.3},
        own=UNRELATED,
        numbers=[inverse[:2, :2], inverse[2, 2], -1, 1, 0.3**2],
    )  # fmt: skip


def ex_correlation():
    N, rho = 28, 0.5
    z, error = np.arctanh(rho), 1 / np.sqrt(N - 3)
    ends = stats.norm(z, error).interval(0.95)
    return Worked(
        {r"\operatorname{artanh} 0.5": z},
        numbers=[N, rho, 95, ends, ends, np.tanh(ends)],
        known=[(1 - rho**2) / np.sqrt(N), stats.norm.ppf(0.975)],
    )


def ex_chain():
    phi, T, noise = 0.7, 4, np.array([0.3, -1.1, 0.5, 0.8])
    step = np.eye(T) - phi * np.eye(T, k=-1)
    x, M = np.linalg.solve(step, noise), np.linalg.inv(step) @ np.linalg.inv(step).T
    precision = np.round(np.linalg.inv(M), 12)
    law = stats.multivariate_normal(np.zeros(T), M)
    later = {"t": range(2, T)}
    return Worked(
        {"x_#": x, r"\varepsilon_#": noise, r"\phi": phi, "T": T, "t": range(2, T + 1), r"\Lambda_{##}": precision,
         r"\Lambda_{#,#}": precision, r"\Lambda_{TT}": precision[-1, -1]},
        own={"t = 2": {"t": 2}, r"\Lambda_{tt} = 1 + \phi^2": {**later, r"\Lambda_{##}": precision, r"\phi": phi},
             r"\operatorname{Cov}(x_s, x_t) = \phi^{t - s} \operatorname{Var} x_s \neq 0":
             {"s": 2, "t": 4, r"\phi": phi, r"\operatorname{Cov}(x_s, x_t)": M[1, 3],
              r"\operatorname{Var} x_s": M[1, 1]}},
        numbers=[
            0, 3, x[1], x[0], x[2], law.logpdf(x) - law.logpdf(0 * x), x[1:] ** 2, precision[1, 1], precision[-1, -1],
            x[1:] * x[:-1], 2 * precision[1, 0], precision[0, 2], 0, x[1], _given(M, [0, 2, 3]),
        ],
    )  # fmt: skip


def ex_sensors():
    prior, noises, readings = np.array([20, 4]), np.array([4, 2]), np.array([23, 22])
    joint = np.full((3, 3), prior[1]) + np.diag([0, *noises])
    inverse = np.linalg.inv(joint[1:, 1:])
    law = stats.multivariate_normal(np.full(3, prior[0]), joint)
    at = lambda t: law.logpdf([t, *readings])
    variance = 1 / (2 * at(20) - at(19) - at(21))
    mean = 20 + variance * (at(21) - at(19)) / 2
    return Worked(
        PAIR,
        numbers=[
            prior, readings[0], noises[0], readings[1], noises[1], 0, 1 / prior[1], 1 / noises, variance, variance,
            joint[1:, 1:], joint[0, 1:], inverse,
        ],
        known=[mean],
    )  # fmt: skip


def ex_kl():
    m, v, mean, sd, x = 0.4, 1.7, -0.6, 0.9, 0.8
    p, q = stats.norm(m, np.sqrt(v)), stats.norm(mean, sd)
    return Worked(
        {"p": p.pdf(x), "q": q.pdf(x), "x": x, r"\mu_p": m, r"\mu_q": mean, r"\sigma_p": np.sqrt(v), r"\sigma_q": sd,
         "m": m, "v": v, r"\operatorname{KL}": _moment(lambda t: p.logpdf(t) - q.logpdf(t), p),
         r"\mathbb{E}(x - \mu_p)^2": _moment(lambda t: (t - m) ** 2, p),
         r"\mathbb{E}(x - \mu_q)^2": _moment(lambda t: (t - mean) ** 2, p),
         r"\mathbb{E}_p\log q": _moment(q.logpdf, p)},
        own={text: {r"\sigma_q": p.std(), "v": v}
             for text in (r"\frac{1}{\sigma_q} = \frac{v}{\sigma_q^3}", r"\sigma_q^2 = v")},
    )  # fmt: skip


def ex_gibbs():
    rho, x2, noise = 0.6, -0.7, np.array([0.3, 1.1])
    sd = np.sqrt(_given(_bivariate(1, 1, rho), [1])[0, 0])
    first = stats.multivariate_normal([0, 0], _bivariate(1, 1, rho))
    mean = lambda x: sd**2 * (first.logpdf([1, x]) - first.logpdf([-1, x])) / 2
    x1 = mean(x2) + sd * noise[0]
    new = mean(x1) + sd * noise[1]
    return Worked(
        {
            r"\rho": rho,
            "x_2": x2,
            r"x_1\leftarrow": x1,
            "x_1": x1,
            r"x_2\leftarrow": new,
            r"\varepsilon": noise[0],
            r"\varepsilon'": noise[1],
            r"x_2^{\text{new}}": new,
            r"\text{noise}": mean(sd * noise[0]) + sd * noise[1],
        },
        worlds=[{r"\rho": 0.99}],
        numbers=[mean(mean(1)), 1 / sd**2, 40],
    )


def cards():
    d = np.array([0.4, -0.7, 1.1])
    signs = np.array([-1, 1])
    square = _moment(lambda x: x * x, stats.norm)
    at = brentq(lambda k: quad(lambda x: x * x * stats.norm.pdf(x), -k, k)[0] - 0.5, 1, 2)
    D = 4
    pairs = len([*combinations_with_replacement(range(D), 2)])
    radius = np.sqrt(stats.chi2(2).ppf(0.95))
    M = np.array([[4, 2], [2, 5]])
    lam, V = np.linalg.eigh(M)
    product = 1 / (1 / 1 + 1 / 3)
    joint = lambda m: stats.norm.logpdf(m) + stats.norm(4, np.sqrt(3)).logpdf(m)
    top = product * (joint(1) - joint(-1)) / 2
    x, tau, error = np.array([0.7, -1.3, 0.4]), 0.5, 0.5
    copied = np.zeros((4, 4))
    copied[:3, :3], copied[3, :3], copied[:3, 3], copied[3, 3] = (
        COVARIANCE, COVARIANCE[0], COVARIANCE[0], COVARIANCE[0, 0] + tau**2,
    )  # fmt: skip
    longer = [*x, x[0] + error]
    before = x @ PRECISION @ x
    a = frozenset([1, 2])
    data = np.random.default_rng(0).normal(size=(6, 2))
    walk = np.minimum.outer(range(1, 4), range(1, 4))  # covariance of the places after 1, 2 and 3 steps
    A = np.array([[1, 2], [0.5, 3]])
    law = stats.multivariate_normal([0, 0], M)
    rank = np.linalg.matrix_rank(np.cov(np.random.default_rng(0).normal(size=(10, 10)).T))
    moved = stats.multivariate_normal([0, 0], A @ M @ A.T)
    return {
        "lost-marks-uncorrelated": Worked(
            {"s": 1, r"\mathbb{E}xy": signs.mean() * square, r"\mathbb{E}s": signs.mean(), r"\mathbb{E}x^2": square},
            numbers=[0, np.mean(signs + 1 == 0)],
        ),
        "lost-marks-blocks": Worked(BLOCKS, own=UNRELATED, numbers=[_given(COVARIANCE, [2])] * 2),
        "lost-marks-conditional": Worked(
            {"x_#": x, r"\Sigma_{ij}": 0, r"\varepsilon": x[2] - x[0] - x[1]},
            numbers=[0, x[:2], x[:2], 0, x[2], x[0], x[1]],
        ),
        "lost-marks-sampling": Worked({S: M, r"\sigma": 1.3}, numbers=[stats.norm(0, 1.3).var()]),
        "lost-marks-product": Worked(
            {**PAIR, r"\mu_#": [0.3, -1], r"\sigma_#": [0.6, 1.5]},
            numbers=[0.3, stats.norm(0, 0.6).var(), -1, stats.norm(0, 1.5).var()],
        ),
        "lost-marks-ellipse": Worked(
            {r"\Delta": 1.5, "r": radius}, numbers=[95, 2, 95, stats.chi2(2).cdf(2**2), 95]
        ),
        "do-not-confuse-marginal": Worked(
            BLOCKS, numbers=[_given(COVARIANCE, [2]), np.linalg.inv(COVARIANCE[:2, :2])],
        ),
        "do-not-confuse-sum": Worked(
            {r"\pi": 0, "p": 0.3, "q": 0.9}, own={r"\pi p + (1 - \pi) q": {r"\pi": 0.25, "p": 0.3, "q": 0.9}},
            numbers=[np.average([0.3, 0.9], weights=[1, 3]), 0, 1],
        ),
        "do-not-confuse-distance": Worked(
            {"i": range(1, 4), "d_#": d, r"\sigma_#": np.sqrt(np.diag(COVARIANCE)), r"\mathbf{d}": d, S: COVARIANCE},
            numbers=[np.linalg.norm(d) ** 2, mahalanobis(d, 0 * d, np.diag(1 / np.diag(COVARIANCE))) ** 2,
                     mahalanobis(d, 0 * d, PRECISION) ** 2],
        ),
        "what-if-units": Worked({r"\mathbf{A}": A}, numbers=[moved.pdf(A @ d[:2]) / law.pdf(d[:2])]),
        "what-if-repeat": Worked(
            {"x_{D+1}": longer[3], "x_1": x[0], r"\varepsilon": error, r"\tau": tau, r"\Delta": np.sqrt(before),
             r"\mathcal{N}": At(lambda mean, variance: mean + np.sqrt(variance))},  # here the error is one deviation
            numbers=[error, before, longer @ np.linalg.inv(copied) @ longer - before, x[0], 2],
        ),
        "what-if-rows": Worked(
            numbers=[law.logpdf([*data] * 2).sum() / law.logpdf(data).sum(),
                     stats.sem(data[:, 0], ddof=0) / stats.sem([*data[:, 0]] * 2, ddof=0)],
        ),
        "counterexample-marginals": Worked(numbers=[at, 3]),
        "counting-parameters": Worked(
            {"D": D, "a": a, "b": frozenset([1, 2, 3])},
            numbers=[pairs, D + pairs, D + D, D + 1, len([*combinations_with_replacement(a, 2)])],
        ),
        "convention-second": Worked({**PAIR, r"\mu": 0.3, r"\sigma": 0.6}, numbers=[0.3, stats.norm(0, 0.6).var()]),
        "convention-divisor": Worked({"N": 6}, numbers=[1 / 6, 1 / 5, 6 * np.var(data) / np.var(data, ddof=0) - 1]),
        "convention-distance": Worked({r"\Delta": 1.5}, numbers=[1.5 * 1.5, 1, 2]),
        "quiz-variance": Worked(
            {S: M, "x_#": x},
            numbers=[x[1], x[0], M[1, 1], _given(M, [0]), _given(M, [0]), _given(M, [1]), x[0], x[1], _given(M, [1]),
                     x[0]],
        ),
        "quiz-axes": Worked(
            {r"\Delta": 1, r"\mathbf{v}_i": V[:, 0], r"\mathbf{d}": V[:, 0] * np.sqrt(lam[0]), r"\lambda_i": lam[0],
             S: M},
            numbers=[0.5, 0.5, np.linalg.inv(M), 0.5],
        ),
        "quiz-precision": Worked(
            {r"\Lambda_{12}": np.linalg.inv(walk)[0, 2], "x_#": x},
            numbers=[x[0], x[1], x[0], x[1], x[0], x[1], 0, 0, x[:2]],
        ),
        "quiz-product": Worked(
            PAIR, numbers=[[0, 1], [4, 3], top, product, 0 + 4, 1 + 3, np.mean([0, 4]), np.mean([1, 3]),
                           np.average([0, 4], weights=[1, 3]), product],
        ),
        "quiz-few": Worked({"N": 10}, numbers=[rank, 10 - 1]),
        "tf-below": Worked({S: M, "D": 2}, numbers=[1, law.pdf([0, 0]), 1]),
        "tf-axis": Worked({r"\rho": 0.6, "x_#": x}, numbers=[0, 1, x[1], x[0], -1, 1]),
        "tf-mean-square": Worked(
            {"N": 6, "n": range(1, 7), r"\mathbf{d}_#": data - data.mean(axis=0), "D": 2,
             r"\hat{\boldsymbol{\Sigma}}": np.cov(data.T, bias=True)},
        ),
    }  # fmt: skip
