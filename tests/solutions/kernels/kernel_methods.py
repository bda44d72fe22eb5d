"""Exercises on kernels: features against the library, matrices by NumPy, mistakes counted pass by pass."""

from itertools import combinations, product

import numpy as np
from scipy import stats
from scipy.special import comb
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel

from notes_lib.kernels.kernel_methods import kernel_distance, nystroem_features, perceptron_pass, polynomial_kernel
from notes_lib.kernels.kernel_methods.functions import width
from tests.formulas.chapters import values_of
from tests.formulas.instances.kernels.kernel_methods import features, of
from tests.formulas.values import At
from tests.solutions.ledger import Worked

X, Z, ZERO, K, C = r"\mathbf{x}", r"\mathbf{z}", r"\mathbf{0}", r"\mathbf{K}", r"\mathbf{c}"
LINEAR = of(lambda a, b: a @ b.T)
ROOT = float(np.sqrt(2))


def _two():
    """Two instances of the plane."""
    return np.array([0.7, -1.2]), np.array([1.1, 0.4])


def _gram(k, points):
    """The matrix of a function of two numbers."""
    return np.array([[k(a, b) for b in points] for a in points], dtype=float)


def _by_width(x, z, sigma):
    """The Gaussian kernel from a density, which is normalised by its value at its centre."""
    density = stats.multivariate_normal(np.zeros(len(x)), sigma**2).pdf
    return density(x - z) / density(np.zeros(len(x)))


def ex_product():
    x, z = _two()
    phi = [At(lambda v, i=i: ROOT * float(np.ravel(v)[i])) for i in range(2)]
    psi = [At(lambda v, i=i, j=j: float(np.ravel(v)[i] * np.ravel(v)[j])) for i, j in product(range(2), repeat=2)]
    first, second = 2 * float(x @ z), polynomial_kernel([x], [z], degree=2, gamma=1, coef0=0)[0, 0]
    joined = lambda v: np.r_[ROOT * v, v**2, ROOT * v[0] * v[1]]
    assert np.isclose(joined(x) @ joined(z), first + second)
    many = np.array([joined(v) for v in np.random.default_rng(0).normal(size=(9, 2))])
    return Worked(
        {"k_1": first, "k_2": second, "Q_1": 2, "Q_2": 4, "i": range(1, 3), "j": range(1, 5), r"\phi_#": phi,
         r"\psi_#": psi, X: x, Z: z, "x_#": x},
        numbers=[first, len(phi), second, len(psi), first + second, first * second, first + second,
                 len([*phi, *psi]), len([*product(phi, psi)]), joined(x), ROOT, np.linalg.matrix_rank(many @ many.T)],
    )  # fmt: skip


def ex_valid():
    x, z = 0.7, 1.1
    wide = of(lambda a, b: polynomial_kernel(a, b, degree=2, gamma=1) + rbf_kernel(a, b, 1))
    limit = {"x": x, "z": z, "t": 0.3, r"\infty": z + 1}
    turn = next(u for u in (np.pi / 3, np.pi / 2, np.pi) if np.isclose(np.cos(2 * u), -1))
    return Worked(
        {"x": x, "z": z, "c": 1},
        own={r"x = z = \pi/2": {"x": turn, "z": turn}, "x = z = 0": {"x": 0, "z": 0},
             r"\min(x, z) = \int_0^\infty \mathbf{1}[t \leq x]\, \mathbf{1}[t \leq z]\, \mathrm{d}t": limit},
        numbers=[0, wide(x, z), LINEAR(x, z) - 1, 0, LINEAR(0, 0) - 1],
    )  # fmt: skip


def ex_textbook():
    points, y = np.array([[3, 3], [4, 3], [1, 1.0]]), np.array([1, 1, -1.0])
    kernel = polynomial_kernel(points, degree=1, gamma=1, coef0=1)
    alpha, mistakes = np.zeros(3), []
    while True:
        before = alpha
        alpha, wrong = perceptron_pass(kernel, y, before)
        if not len(wrong):
            break
        mistakes += [n + 1 for n in wrong]
    k = At(lambda a, b: float(np.ravel(a) @ np.ravel(b) + 1))
    return Worked(
        {r"\mathbf{x}_#": points, "k": k, X: points[0], Z: points[1],
         K: kernel, r"\boldsymbol{\alpha}": alpha, r"\mathbf{w}": points.T @ (alpha * y), "b": alpha @ y},
        numbers=[2.2, 1, 2, 3, mistakes],
    )  # fmt: skip


def ex_mean():
    v = values_of("kernel_methods")
    points, x = v[r"\mathbf{x}_#"], v[X]
    members = [0, 2, 5]
    phi = np.array([features(row) for row in points])
    mean = phi[members].mean(axis=0)
    distance = float(euclidean_distances([features(x)], [mean])[0, 0]) ** 2
    return Worked(
        {"n": range(1, len(points) + 1), "m": range(1, len(points) + 1), "C_k": frozenset(n + 1.0 for n in members),
         "N_k": len(members), r"\boldsymbol{\phi}": At(features), r"\mathbf{m}_k": mean, r"\mathbf{x}_#": points, X: x,
         "k": of(polynomial_kernel, degree=2, gamma=1), r"\gamma": 0.1},
        numbers=[distance, distance],
    )  # fmt: skip


def ex_nystroem():
    quadratic = lambda a, b: polynomial_kernel(a, b, degree=2, gamma=1)
    k = of(quadratic)
    short = lambda v, z: nystroem_features(np.reshape(v, (1, -1)), np.reshape(z, (1, -1)), quadratic)[0]
    near = lambda z: At(lambda a, b: float(short(a, z) @ short(b, z)))
    low, x, z = near(1.0)(0.0, 0.0), *_two()
    plane = {X: x, Z: z, r"\mathbf{x}'": 2 * x, r"\tilde k": near(z), "k": k, "f": At(lambda v: short(v, z)[0])}
    line = {"k": k, r"\tilde k": near(1.0), "x": 0.3, "x'": -0.6, "z": 1}
    given = (r"k(x, x') = (xx' + 1)^2", r"\tilde k(0, 0)", r"\tilde k(0, 0) = \tfrac14", "k(0, 1) = 1", "k(1, 1) = 4")
    return Worked(
        plane | {"z": 1},
        own=dict.fromkeys(given, line),
        numbers=[0, low, k(x, z) ** 2, k(0, 0), k(0, 0) - low],
    )


def ex_zero():
    x, z = np.array([0, 0.3]), np.array([0.5, 0.7])
    first = At(lambda a, b: float(np.ravel(a)[0] * np.ravel(b)[0]))  # its feature is the first attribute
    return Worked(
        {"k": first, X: x, Z: z, ZERO: np.zeros(1), r"\boldsymbol{\phi}": At(lambda v: np.ravel(v)[:1]),
         "d": At(lambda a, b: float(np.linalg.norm(a - b)))},
        numbers=[first(x, z) ** 2, np.sqrt(first(x, x)), 0, np.linalg.norm(x - x)],
    )  # fmt: skip


def ex_lms():
    looks, step, size = [30, 60, 150, 1500], 0.5, 30
    x = np.random.default_rng(0).uniform(size=(size, 1))
    kernel = rbf_kernel(x, gamma=60.0)
    slow = np.linalg.eigvalsh(kernel)[-1]
    kept = lambda eta: 1 - eta * kernel[0, 0]  # of the residual of the instance that is looked at
    longest = next(eta for eta in np.arange(1, 9) if abs(kept(eta)) >= 1)
    return Worked(
        {r"\eta": step, "n": range(1, 2), "k": of(rbf_kernel, gamma=60.0), r"\mathbf{x}_#": x[:1], r"\lambda_1": slow},
        numbers=[size, looks, size, step, step, looks[0], kept(step), longest, 2 / slow, looks[-1], step, 100],
    )


def cards():
    v = values_of("kernel_methods")
    x, z = _two()
    points = np.array([[0.0], [1.0]])
    squared = euclidean_distances(points) ** 2
    c = np.array([1, -1])
    plane = {X: x, Z: z, ZERO: np.zeros(2), C: c, "x": 0.7, "z": -0.4, r"\gamma": 0.3}
    far = float(np.sum((x - z) ** 2))
    gaussian = lambda gamma: float(rbf_kernel([x], [z], gamma)[0, 0])
    square = float(polynomial_kernel([[0.7]], [[-0.4]], degree=2, gamma=1)[0, 0])
    rising = At(lambda a, b: 1 + float(np.sum((np.ravel(a) - np.ravel(b)) ** 2)))
    bumps = of(lambda a, b: 2 * rbf_kernel(a, b, 1) - rbf_kernel(a, b, 1 / 9))
    shifted = of(lambda a, b: 2 - rbf_kernel(a, b, 1))
    even = np.arange(0, 8, 2)
    assert np.ones(4) @ _gram(bumps, even) @ np.ones(4) < 0
    rows = lambda a, b: np.array([[a, b], [b, a]])
    values = lambda matrix: np.linalg.eigvalsh(matrix)[::-1]
    near = {**plane, r"\gamma": 1e-5, "k": gaussian(1e-5)}
    dots = np.random.default_rng(1).normal(size=(6, 2))
    line = np.array([[3], [1.6], [0.9], [0.2]])
    nearest = np.argmin(np.abs(line - 1)) + 1
    D, q, N, n = 3, 2, 4, 5
    minors = lambda N: sum(1 for size in range(1, N + 1) for _ in combinations(range(N), size))
    cubic = int(comb(50 + 3, 3, exact=True))
    other = _gram(shifted, [0, 99])
    minor = np.array([[1, 2], [2, 3]])
    sigma = 1.3
    loss = np.sum((v[r"\mathbf{y}"] - v[K] @ v[r"\boldsymbol{\beta}"]) ** 2) / len(v[K]) / 2
    ridge = np.linalg.inv(v[K] + 0.3 * np.eye(len(v[K]))) @ v[r"\mathbf{y}"]
    dot = float(x @ z)
    five, three = 5, 3
    return {
        "in-practice": Worked({r"\nu": Matern(nu=1.5).nu}, numbers=[1.5 + 1, 2, 3, 3, 0, 1, 0, 0, 0]),
        "lost-marks-symmetric": Worked(
            {**plane, "k": LINEAR, r"\mathbf{x}_#": [x, z]}, numbers=[far, np.linalg.det(np.eye(2) - rows(1, 0))]
        ),
        "lost-marks-distance": Worked(
            {**plane, "k": LINEAR}, numbers=[points, squared, c @ squared @ c]
        ),
        "lost-marks-every": Worked(plane, numbers=[np.tanh(2 * 0.7 * -0.4 + 0.5), -1, 1]),
        "lost-marks-cost": Worked({"O": At(lambda u: u), "N": 3000, "Q": 40}, numbers=[3000**2, 3000**2 / (3000 * 40)]),
        "lost-marks-nearest": Worked(
            {"n": range(1, 5), r"\mathbf{x}_#": line, X: line[2] + 0.1, "k": LINEAR, r"n^\star": nearest}
        ),
        "lost-marks-sigmoid": Worked({"v": 0.3}, numbers=[0, 30]),
        "do-not-confuse-names": Worked(
            {**plane, r"\mathbf{A}": np.ones((2, 2)), r"\mathbf{v}": c}, numbers=[1, square]
        ),
        "do-not-confuse-positive": Worked(
            numbers=[0, 0, rows(1, 2), values(rows(1, 2)), rows(2, -1), values(rows(2, -1))]
        ),
        "do-not-confuse-algorithms": Worked(
            {**v, r"\lambda": 0.3, r"\mathbf{I}": np.eye(len(v[K]))}, numbers=[ridge]
        ),
        "what-if-gamma": Worked(
            {**near, "f": gaussian(99)}, own={r"\gamma \to 0": {r"\gamma": 1e-9}},
            numbers=[0, np.linalg.matrix_rank(rbf_kernel(dots, gamma=1e-18))],
        ),
        "what-if-duplicate": Worked(
            {K: rows(2, 1)}, numbers=[np.linalg.eigvalsh(rows(1, 1))[0], 2, np.linalg.inv(rows(2, 1))]
        ),
        "what-if-constant": Worked(
            {ZERO: np.zeros(2), "q": 2, "c_0": 0.7, "f": At(lambda u: float(np.sum(np.ravel(u)) ** 2)), X: x},
            own={r"k(\mathbf{0}, \mathbf{0}) = c_0^q < 0": {
                "k": of(lambda a, b: (a @ b.T - 0.7) ** 3), ZERO: np.zeros(2), "c_0": -0.7, "q": 3}},
            numbers=[0.7, 0, 0.5, 0.7, 0, np.zeros(2), 0],
        ),
        "counterexample-positive": Worked(
            {**plane, "k": rising},
            numbers=[0, points, rising(0, 0), rising(0, 1), rising(1, 0), rising(1, 1), c @ _gram(rising, [0, 1]) @ c,
                     rising(0, 1) ** 2, rising(0, 0) * rising(1, 1)],
        ),
        "counterexample-difference": Worked({**plane, "k": bumps, C: np.ones(4)}, numbers=[even]),
        "counting-monomials": Worked(
            {"D": D, "q": q, "N": N, "n": n},
            numbers=[len({tuple(sorted(m)) for m in product(range(D), repeat=q)}), len({*map(frozenset, product(
                range(N), repeat=2))}), 3 * 3, minors(3), minors(N), len([*product("01", repeat=n)])],
        ),
        "convention-definite": Worked(plane, numbers=[0, np.zeros(2)]),
        "convention-width": Worked(
            {**plane, r"\sigma": sigma}, worlds=[{r"\gamma": width(None, np.ones((4, 3))), "D": 3}],
            own={r"\gamma = 1/(2\sigma^2)": {r"\sigma": sigma, r"\gamma": -np.log(_by_width(x, z, sigma)) / far}},
            numbers=[gaussian(0.3), _by_width(x, z, sigma), _by_width(x, z, sigma / ROOT), sigma**-2],
        ),
        "convention-perceptron": Worked(
            {r"\boldsymbol{\alpha}": np.zeros(2), ZERO: np.zeros(2), "k": dot},
            numbers=[0, 0, -1, polynomial_kernel([x], [z], degree=1, gamma=1)],
        ),
        "convention-loss": Worked({**v, "N": len(v[K])}, numbers=[1 / len(v[K]), loss]),
        "quiz-valid": Worked(
            plane, own={r"\mathbf{x} = \mathbf{z} = \mathbf{0}": {X: 0 * x, Z: 0 * x, ZERO: 0 * x}},
            numbers=[np.linalg.norm(x - x), dot**2 + 3, np.tanh(dot - 1), dot**2 - 3, np.zeros(2), (0 * x) @ z - 3],
        ),
        "quiz-minor": Worked(numbers=[minor, np.trace(minor), np.trace(minor), np.linalg.det(minor)]),
        "quiz-cost": Worked(
            {"N": 500, "D": 50, "Q": cubic}, numbers=[3, cubic**2, cubic**2, 500 * cubic, round(500 * cubic / 1e6)],
            known=[500**2],
        ),
        "quiz-rbf": Worked(
            {"k": of(rbf_kernel, gamma=0.3), X: x},
            own={"d^2 = 2 - 2k": {"d": kernel_distance([x], [z], "rbf", gamma=0.3)[0, 0], "k": gaussian(0.3)}},
            numbers=[0, 1, 1, 1],
        ),
        "quiz-features": Worked(
            numbers=[five, three, five, five * three, five + three, five * three, five + three, five + three,
                     five * three, five + three],
        ),
        "tf-difference": Worked(
            {**plane, "k_1": dot, "k_2": square}, numbers=[dot, square, dot - square, shifted(0.7, -0.4),
                                                           other, np.linalg.det(other)]
        ),
        "tf-mistakes": Worked({"R": 1.7, r"\rho": 0.4}, numbers=[1.7**2 / 0.16]),
        "tf-conditional": Worked(plane, numbers=[-far, 2 * dot]),
        "tf-unique": Worked({"x_#": x}, numbers=[0.5, x[0] * x[1], 2, 1, ROOT]),
    }  # fmt: skip
