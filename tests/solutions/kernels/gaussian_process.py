"""Exercises on Gaussian processes: conditioned Gaussians by the library, derivatives by complex steps and roots."""

import numpy as np
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit
from sklearn.metrics.pairwise import rbf_kernel

from notes_lib.kernels.gaussian_process import RBF, gp_posterior
from notes_lib.linear.bayesian_regression import weight_posterior
from tests.formulas.chapters import Chapter, values_of
from tests.formulas.instances.kernels.gaussian_process import by_step
from tests.formulas.values import At
from tests.solutions.ledger import Worked

K, KY, ONES, Y, NOISE = r"\mathbf{K}", r"\mathbf{K}_y", r"\mathbf{I}", r"\mathbf{y}", r"\sigma^2"
PAIR = At(lambda mean, variance: np.array([mean, variance]))


def _posterior(points, y, noise, x):
    """Mean and variance at one place, for the kernel of variance and length-scale 1."""
    kernel, rows = RBF(1.0), np.reshape(points, (-1, 1))
    found = gp_posterior(kernel(rows), kernel([[x]], rows), kernel([[x]]), np.asarray(y, float), noise)
    return float(found.mean[0]), float(found.covariance[0, 0])


def ex_posterior():
    v = values_of("gaussian_process")
    joint = np.block([[v[KY], v[r"\mathbf{K}_*"].T], [v[r"\mathbf{K}_*"], v[r"\mathbf{K}_{**}"]]])
    G, new = v[r"\mathbf{G}"], len(v[r"\mathbf{G}"])
    rest = np.hstack([-G, np.eye(new)])
    return Worked(
        {**v, r"\mathbf{0}": 0 * G, r"\operatorname{Cov}[\mathbf{r},\mathbf{y}]": (rest @ joint)[:, :len(v[Y])],
         r"\operatorname{Cov}[\mathbf{r}]": (rest @ joint @ rest.T), r"\operatorname{Cov}[\mathbf{y}]": v[KY]},
        own={r"+\,\sigma^2\mathbf{I}": {NOISE: v[NOISE], ONES: np.eye(new)}},
        numbers=[0, v[NOISE], 0, v[r"\mathbf{C}_*"], np.diag(np.full(new, v[NOISE]))],
    )  # fmt: skip


def ex_one():
    y, noise = 2, 0.25

    def given(x, noise):
        mean, variance = (At(lambda x, k=k: _posterior([0.0], [y], noise, x)[k], "x") for k in (0, 1))
        return {"m": mean, "c": variance, "x": x, "y": y, NOISE: noise}

    near, far, small = given(1, noise), given(9, noise), given(0, 1e-9)
    x, z = 0.7, -0.4
    k = At(lambda x, z: float(RBF(1.0)([[x]], [[z]])[0, 0]))
    return Worked(
        {**given(x, noise), "k": k, "x'": z},
        own={"x = 0": small, "x = 1": near, r"\sigma^2\to0": small, r"m(0)\to2": small, r"c(0)\to0": small,
             r"m\to0": far, r"c\to1": far, r"m=2\cdot0.6065/1.25=0.9704": near, "c=1-0.3679/1.25=0.7057": near},
        numbers=[noise, 1],
        known=[k(0, 1), k(0, 1) ** 2, k(0, 0) + noise, _posterior([0.0], [y], noise, 1)],
    )  # fmt: skip


def ex_gradient():
    v = Chapter.of("gaussian_process").instances[0].of("gaussian-process-likelihood")
    matrix, y, N = v[KY], v[Y], v["N"]
    slope = np.diag(np.arange(1.0, N + 1)) + 0.3
    density = lambda M: stats.multivariate_normal(np.zeros(N), M).logpdf(y)
    along = lambda function: by_step(lambda t: function(matrix + t * slope), 0.0)
    B, h = np.linalg.solve(matrix, slope), 1e-2
    rest = np.prod(1 + h * np.linalg.eigvals(B)).real - 1 - h * np.trace(B)
    best = brentq(lambda u: by_step(lambda s: density(s * matrix), u), 0.02, 9, xtol=1e-13)
    variance = {"v": best, r"\mathbf{R}": matrix, Y: y, "N": N, KY: best * matrix}
    return Worked(
        {**v, "h": h, r"\mathbf{B}": B, r"\partial\mathbf{K}_y": slope, ONES: np.eye(N), r"\mathbf{0}": 0 * slope,
         r"p(\mathbf{y})": np.exp(density(matrix)), r"\partial\mathbf{K}_y^{-1}": along(np.linalg.inv),
         r"\partial(\mathbf{K}_y\mathbf{K}_y^{-1})": along(lambda M: M @ np.linalg.inv(M)),
         r"\boldsymbol\alpha": np.linalg.solve(matrix, y), "O": At(lambda size: rest / h**2 * size)},
        own=dict.fromkeys(
            (r"\frac{1}{2v^2}\mathbf{y}^\top\mathbf{R}^{-1}\mathbf{y}-\frac{N}{2v}=0",
             r"v=\mathbf{y}^\top\mathbf{R}^{-1}\mathbf{y}/N", r"\mathbf{K}_y=v\,\mathbf{R}"), variance),
        numbers=[along(density)],
    )  # fmt: skip


def ex_line():
    a, noise, x, y, star, w = 1.7, 0.4, 0.8, -1.3, 2.1, 0.6
    kernel = lambda p, q: np.outer(p, q) / a
    both = kernel([x, star], [x, star])
    mean = gp_posterior(kernel([x], [x]), kernel([star], [x]), kernel([star], [star]), [y], noise).mean
    weight = weight_posterior(np.array([[x]]), np.array([y]), a, 1 / noise).mean
    rank = np.linalg.matrix_rank(both)
    noisy = both + noise * np.eye(2)
    ridge = y * x / weight[0] - x * x
    return Worked(
        {"a": a, NOISE: noise, "x_1": x, "y_1": y, "x_*": star, "w": w, r"\lambda": ridge},
        own={r"w\sim\mathcal{N}(0,1/a)": {"w": [0, kernel(1, 1)[0, 0]], r"\mathcal{N}": PAIR, "a": a},
             r"\mathbf{K}^{-1}": {K: noisy}},
        numbers=[0, kernel(1, 1), noise, x, y, np.linalg.inv(noisy), rank, mean, star * weight, both.size, rank],
    )  # fmt: skip


def ex_twice():
    y, noise = np.array([1, 3]), 1
    matrix = RBF(1.0)([[0.0], [0.0]]) + noise * np.eye(2)
    mean, variance = _posterior([0, 0], y, noise, 0)
    once = _posterior([0], [y.mean()], noise / 2, 0)
    assert np.allclose(once, (mean, variance))
    return Worked(
        {"k": RBF(1.0)([[0.0]])[0, 0], NOISE: noise, KY: matrix, r"\boldsymbol\alpha": np.linalg.solve(matrix, y)},
        own={r"\sigma^2=0": {NOISE: 0}, r"1-\frac23=\frac13": {}},
        numbers=[y, y.mean(), noise / 2, mean],
    )


def ex_kernel():
    hours = 2 * 365 * 24
    values = {"v_1": 0.7, "v_2": 1.3, r"\ell_1": 0.4, r"\ell_2": 2.2, "p": 24, NOISE: 0.3, "N": hours,
              r"k_{\text{RBF}}": At(lambda ell: 1 + ell), r"k_{\text{periodic}}": At(lambda p: 1 / p)}  # fmt: skip
    product = 0.7 * 1.4 / 24
    return Worked(values, numbers=[product, 0.4, 1.3 * 3.2, 2.2, 0.3, round(hours, -2), hours**3 / 3])


def ex_label():
    prior = 4
    psi = lambda f: -np.log(1 + np.exp(-f)) - f * f / (2 * prior)
    first = lambda f: float(np.imag(psi(f + 1e-30j)) * 1e30)
    second = lambda f: float(by_step(first, f))
    mode = brentq(first, 0, 2, xtol=1e-14)
    chance, variance = float(expit(mode)), -1 / second(mode)
    inner = mode / np.sqrt(1 + np.pi * variance / 8)
    at_zero = {r"\Psi'": At(first, "f"), r"\Psi''": At(second, "f"), "f": 0}
    step = {"f": -first(0) / second(0)}
    values = {
        "s": At(lambda f: float(expit(f))),
        "f": 0.7,
        r"\Psi": At(psi),
        r"\Psi'": At(first),
        r"\Psi''": At(second),
    }
    return Worked(
        values,
        own={r"f\sim\mathcal{N}(0,4)": {"f": [0, prior], r"\mathcal{N}": PAIR}, "f = 0": {"f": 0},
             r"\Psi'=\tfrac12": at_zero, r"\Psi''=-\tfrac14-\tfrac14=-\tfrac12": at_zero,
             r"f=0+\tfrac12/\tfrac12=1": step, r"s(1-s)=0.739\cdot0.261=0.193": {"s": chance}},
        numbers=[0, prior, 1, 1, mode, 1, 0, expit(0)],
        known=[variance, chance, 1 - chance, chance * (1 - chance), inner, expit(inner)],
    )  # fmt: skip


def cards():
    v = values_of("gaussian_process")
    noise, z = v[NOISE], stats.norm.ppf(0.975)
    star = {**v, r"k_{**}": v[r"\mathbf{K}_{**}"][1, 1], r"\mathcal{N}": PAIR}
    without = gp_posterior(v[K], v[r"\mathbf{K}_*"], v[r"\mathbf{K}_{**}"], v[Y])
    star[r"p(y\mid\mathbf{x},\mathcal{D})"] = [without.mean[1], without.covariance[1, 1]]
    kernel = {"v": 1.7, r"\ell": 0.8, "d": 0.6, "k": 1.7 * RBF(0.8)([[0.0]], [[0.6]])[0, 0]}
    alone = lambda variance: gp_posterior([[variance]], [[variance]], [[variance]], [1.0], noise).mean
    one = _posterior([0], [2], 0.25, 1)[1]
    function, target = 4, 4 + 1
    return {
        "lost-marks-noise": Worked(star, numbers=[2, v[KY], noise]),
        "lost-marks-target": Worked({NOISE: noise}, numbers=[95, -z, z, 0, noise]),
        "lost-marks-far": Worked({"v": 1.7}, numbers=[0.5, z * 1.7**0.5], known=[z]),
        "do-not-confuse-four": Worked({**v, "D": 3}, numbers=[v[r"\mathbf{m}_*"][1], v["N"] ** 3, v["N"] ** 3, 27]),
        "what-if-scale": Worked({NOISE: noise, "c": -0.7}, numbers=[noise, 0.49]),
        "what-if-scale-limits": Worked({NOISE: noise, "v": 1.7, r"\ell": 1e-9}, numbers=[0, alone(1.7)]),
        "what-if-noise": Worked(
            {NOISE: 1e-9}, own={r"\sigma^2\to\infty": {NOISE: 1e9, r"\infty": 1e9}}, numbers=[0]
        ),
        "counterexample-narrow": Worked({r"\ell": 4}),
        "convention-names": Worked(
            {**kernel, r"\gamma": -np.log(kernel["k"] / 1.7) / 0.6**2},
            numbers=[2, RBF(0.8)([[0.0]], [[0.8]]), rbf_kernel([[0.0]], [[0.8]], gamma=1 / 0.8**2),
                     np.sqrt(one + 0.25), np.sqrt(one)],
        ),
        "quiz-mean": Worked({**v, r"\lambda": noise}, numbers=[0]),
        "quiz-far": Worked(numbers=[function, target - function, 0, target - function, function, target]),
    }  # fmt: skip
