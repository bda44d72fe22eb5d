"""Kernel methods: the quadratic kernel of the plane with its six features, steps of the library, and other kernels."""

from itertools import combinations, product

import numpy as np
from scipy.linalg import sqrtm
from scipy.stats import poisson

from notes_lib.kernels.kernel_methods import (
    center_kernel,
    gradient_step,
    kernel_distance,
    kernel_neighbors,
    matern_kernel,
    nystroem_features,
    perceptron_pass,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
    spectrum_kernel,
    subsequence_kernel,
    subsequence_table,
)
from tests.formulas.values import At, Instance

N, Q = 7, 6
BETA = r"\boldsymbol{\beta}"
UNREAD = {
    "kernel-methods-mercer": "a sum without end, and an integral over a box; both are computed in the section",
    "kernel-methods-unpenalised": "the smallest value over all numbers",
    "kernel-methods-must-know-valid:4": "a sign without what has it",
    "kernel-methods-must-know-representer:4": "an inner product in angle brackets",
}
CONDITIONS = {
    "kernel-methods-must-know-valid:5",  # what refutes a kernel
    "kernel-methods-must-know-gradient:2",  # the start
    "kernel-methods-must-know-perceptron:3",  # the start
}
LEAST = (96, 92)


def features(x):
    """Features of the kernel (x'z + 1)^2 of the plane."""
    a, b = np.ravel(x)
    r = np.sqrt(2.0)
    return np.array([1.0, r * a, r * b, a * a, b * b, r * a * b])


def of(kernel, **options):
    """A kernel of the library, of two instances."""
    return At(lambda a, b: float(kernel(np.reshape(a, (1, -1)), np.reshape(b, (1, -1)), **options)[0, 0]))


def of_kernels(rng, x, z, quadratic, seed):
    """Values in the formulas of single kernels."""
    p = rng.normal(size=N)
    w = rng.normal(size=4)
    number = rng.uniform(-1, 1)
    cubic = At(lambda v: np.ravel(v) ** np.arange(4))
    exact = lambda D, q: len({tuple(sorted(v)) for v in product(range(D), repeat=q)})
    different = exact(4, 3)  # D = 3 and the factor 1
    frequencies, phases = rng.normal(size=(5, 2)), rng.uniform(0, 6, 5)
    fourier = [
        At(lambda v, a=a, b=b: np.sqrt(2 / 5) * np.cos(a @ np.ravel(v) + b))
        for a, b in zip(frequencies, phases, strict=True)
    ]
    nu = (0.5, 1.5, 2.5)[seed % 3]
    X = rng.normal(size=(N, 2))
    letters, other = rng.integers(0, 2, 6), rng.integers(0, 2, 5)
    text = lambda v: "".join("ab"[int(i)] for i in np.ravel(v))
    s, s2 = text(letters), text(other)
    words = ["".join(v) for v in product("ab", repeat=2)]
    times = lambda t, v: sum(t[i : i + 2] == v for i in range(len(t) - 1))
    listed = lambda t: ["".join(v) for n in range(len(t) + 1) for v in combinations(t, n)]
    T = subsequence_table(s, s2)
    two = {"s": letters, "s'": other, "s_#": letters, "s'_#": other}
    rules = {
        "k_#": [At(lambda a, b: float(np.ravel(a) @ np.ravel(b))), quadratic], "m": range(1, 3),
        "a_#": {0: 0.3, 1: 0.5, 2: 2.0, 3: 1.1}, "f": At(lambda a: float(np.sin(np.ravel(a).sum()))),
        r"\mathbf{g}": At(lambda a: np.ravel(a) ** 3),
    }  # fmt: skip
    return {
        "kernel-methods-feature-map": {"x": number, "f": At(lambda v: float(np.polyval(w[::-1], v))), r"\mathbf{w}": w,
                                       r"\boldsymbol{\phi}": cubic},
        "kernel-methods-monomials": {"D": 3, "Q": different},
        "kernel-methods-monomials-exact": {"D": 3, r"Q_{\text{exact}}": exact(3, 3)},
        "kernel-methods-monomials-ordered": {"D": 3, "q": 4, r"Q_{\text{ordered}}": sum(
            1 for m in range(5) for _ in product(range(3), repeat=m))},
        "kernel-methods-ordered": {r"\tilde x_#": dict(enumerate([1, *x])), r"\tilde z_#": dict(enumerate([1, *z]))},
        "kernel-methods-linear": {"k": At(lambda a, b: float(np.ravel(a) @ np.ravel(b)))},
        "kernel-methods-polynomial": {"k": of(polynomial_kernel, degree=3, gamma=0.4, coef0=0.7)},
        "kernel-methods-rbf": {"k": of(rbf_kernel, gamma=0.4)},
        "kernel-methods-rbf-features": {"x": number, "m": range(6), r"\gamma": 0.4, r"\phi_#": {
            m: At(lambda v, m=m: np.sign(v) ** m * np.sqrt(poisson(0.8 * v * v).pmf(m))) for m in range(6)}},
        "kernel-methods-sigmoid": {"k": of(sigmoid_kernel, gamma=0.4, coef0=0.7)},
        "kernel-methods-matern": {"k": of(matern_kernel, length_scale=0.8, nu=nu), r"\nu": nu, r"\ell": 0.8,
                                  "r": np.linalg.norm(x - z)},
        "kernel-methods-must-know-catalogue": {r"\nu": 0.5, r"\ell": 0.8},
        "kernel-methods-random-features": {"Q": 5, r"\phi_#": fourier, "j": range(1, 6),
                                           r"\boldsymbol{\omega}_#": frequencies, r"\tau_#": phases},
        "kernel-methods-spectrum": {
            **two, "k_#": {2: At(lambda a, b: float(spectrum_kernel([text(a)], [text(b)], 2)[0, 0]))}, "h": 2,
            "v": range(1, 5), r"\phi_#": [At(lambda t, v=v: times(text(t), v)) for v in words]},
        "kernel-methods-subsequence": {
            **two, "k": At(lambda a, b: float(subsequence_kernel([text(a)], [text(b)])[0, 0])),
            r"\text{pairs of equal subsequences}": sum(a == b for a in listed(s) for b in listed(s2))},
        "kernel-methods-subsequence-step": {
            **two, "i": range(1, 7), "j": range(1, 6), "T_{##}": At(lambda i, j: T[i, j]),
            "T_{#,#}": At(lambda i, j: T[i, j])},
        "kernel-methods-conditional-definite": {
            r"\mathbf{K}": -kernel_distance(X, kernel="linear") ** 2, r"\mathbf{c}": p - p.mean(), "c_#": p - p.mean()},
        "kernel-methods-cosine-kernel": {r"k_{\cos}": At(lambda a, b: float(
            features(a) @ features(b) / np.linalg.norm(features(a)) / np.linalg.norm(features(b))))},
        "kernel-methods-new-features": {
            "k_#": [At(lambda a, b: float(np.ravel(a) @ np.ravel(b))), quadratic], "a_#": [0.5, 2.0],
            "i": range(1, 3), r"\phi_#": [At(lambda v, i=i: float(np.ravel(v)[i])) for i in range(2)],
            "j": range(1, 7), r"\psi_#": [At(lambda v, j=j: features(v)[j]) for j in range(6)]},
        "kernel-methods-must-know-closure": {
            "k_#": [x @ z, quadratic(x, z)], "a_#": [0.5, 2.0], "m": range(1, 3)},
        **{name: dict(rules) for name in (
            "kernel-methods-sum", "kernel-methods-product", "kernel-methods-rescaled", "kernel-methods-series",
            "kernel-methods-exponential")},
    }  # fmt: skip


def worth(x, z):
    """Expressions of the rules by explicit features: of x'z, and of the quadratic kernel."""
    phi, psi, phi_z, psi_z = x, features(x), z, features(z)
    pairs = lambda a, b: np.outer(a, b).ravel()
    inner = x @ z
    series = [1.0]
    for m in range(1, 60):
        series.append(series[-1] * inner / m)
    stacked = lambda a, b: np.r_[np.sqrt(0.5) * a, np.sqrt(2.0) * b]
    powers = [np.ones(1), x, pairs(x, x), pairs(pairs(x, x), x)]
    powers_z = [np.ones(1), z, pairs(z, z), pairs(pairs(z, z), z)]
    return {
        "kernel-methods-sum": stacked(phi, psi) @ stacked(phi_z, psi_z),
        "kernel-methods-product": pairs(phi, psi) @ pairs(phi_z, psi_z),
        "kernel-methods-rescaled": (np.sin(x.sum()) * x) @ (np.sin(z.sum()) * z),
        "kernel-methods-rescaled/2": x**3 @ z**3,
        "kernel-methods-series": sum(a * u @ v for a, u, v in zip([0.3, 0.5, 2.0, 1.1], powers, powers_z, strict=True)),
        "kernel-methods-exponential": sum(series),
        "kernel-methods-must-know-closure:1": stacked(phi, psi) @ stacked(phi_z, psi_z),
        "kernel-methods-must-know-closure:2": 0.5,
        "kernel-methods-must-know-closure:3": 0.5 * inner + 2.0 * pairs(x, x) @ pairs(z, z),
        "kernel-methods-must-know-closure:5": phi @ phi_z - psi @ psi_z,
        "kernel-methods-must-know-catalogue:1": polynomial_kernel([x], [z], degree=3, gamma=0.4, coef0=0.7)[0, 0],
        "kernel-methods-must-know-catalogue:5": rbf_kernel([x], [z], gamma=0.4)[0, 0],
        "kernel-methods-must-know-catalogue:7": matern_kernel([x], [z], 0.8, 0.5)[0, 0],
        "kernel-methods-must-know-catalogue:8": sigmoid_kernel([x], [z], gamma=0.4, coef0=0.7)[0, 0],
    }


def of_methods(rng, X, x, K, Phi, beta):
    """Values in the formulas of the algorithms."""
    eigenvalues, U = np.linalg.eigh(K)
    eigenvalues = np.maximum(eigenvalues, 0)
    y, labels = rng.normal(size=N), np.where(X[:, 0] + 0.2 > 0, 1.0, -1.0)
    eta = 0.5 / eigenvalues[-1]
    path, steps = [], np.zeros(N)
    for _ in range(7):
        done = gradient_step(K, y, steps, eta)
        path.append(done.residual)
        steps = done.beta
    one = [gradient_step(K, y, beta, eta, rows=[n]).beta[n] for n in range(N)]
    nearest = int(kernel_neighbors(x[None], X, 1, "poly", degree=2, gamma=1.0).indices[0, 0])
    alpha, passes = np.zeros(N), 0
    while passes < 500:
        alpha, wrong = perceptron_pass(K, labels, alpha)
        passes += 1
        if not len(wrong):
            break
    weights = Phi.T @ (alpha * labels)
    star = weights / np.linalg.norm(weights)
    score = At(lambda v: float(weights @ features(v)))
    state = rng.integers(0, 3, N).astype(float)
    somewhere = At(lambda v: float(Phi.T @ (state * labels) @ features(v)))
    counted = [state[n] + (labels[n] * somewhere(X[n]) <= 0) for n in range(N)]
    perceptron = {
        r"\alpha_#": alpha,
        r"\boldsymbol{\alpha}": alpha,
        "y_#": labels,
        "f": score,
        "A": alpha.sum(),
        "R": np.sqrt(K.diagonal().max()),
        r"\rho": (labels * (Phi @ star)).min(),
        r"\mathbf{w}^{\star\top}": star[None],
    }
    update = {**perceptron, r"\alpha_#": state, "f": somewhere, r"\alpha_#\leftarrow": counted}
    member = [np.arange(N) < 3, np.arange(N) >= 3]
    within = sum((Phi[m] - Phi[m].mean(axis=0)).T @ (Phi[m] - Phi[m].mean(axis=0)) for m in member)
    matrix = Phi @ within @ Phi.T
    u = [K[:, m].mean(axis=1) for m in member]
    mu = 0.3
    M = 3
    landmarks = X[:M]
    K_M = polynomial_kernel(landmarks, degree=2, gamma=1.0)
    V = np.linalg.eigh(K_M)[1]  # the features of the library are turned by it
    short = nystroem_features(X, landmarks, "poly", degree=2, gamma=1.0)
    span = np.linalg.pinv(Phi[:M]) @ Phi[:M]
    nystroem = {
        r"\tilde{\mathbf{K}}": Phi @ span @ Phi.T,
        r"\mathbf{K}_{NM}": K[:, :M],
        r"\mathbf{K}_{MN}": K[:M],
        r"\mathbf{K}_{MM}": K_M,
        r"\mathbf{K}_{MM}^{-1/2}": np.linalg.inv(sqrtm(K_M)),
        r"\tilde{\boldsymbol{\Phi}}": short @ V.T,
    }
    chosen = rng.choice(N, 3, replace=False)
    mean = Phi.mean(axis=0)
    return {
        "kernel-methods-minors": {r"\mathbf{K}_{SS}": K[np.ix_(chosen, chosen)]},
        "kernel-methods-eigenfeatures": {
            r"\mathbf{U}": U, r"\boldsymbol{\Lambda}": np.diag(eigenvalues),
            r"\boldsymbol{\Phi}": U * np.sqrt(eigenvalues),
            r"\boldsymbol{\Lambda}^{1/2}": np.diag(np.sqrt(eigenvalues))},
        "kernel-methods-residual-recursion": {
            "t": range(1, 6), r"\mathbf{y}": y, r"\eta": eta, r"\mathbf{r}^{(#)}": dict(enumerate(path))},
        "kernel-methods-lms": {
            r"\mathbf{k}_#": K, r"\beta_#\leftarrow": one, "y_#": y, r"\eta": eta},
        "kernel-methods-nearest": {r"n^\star": nearest + 1, r"\hat y": At(lambda v: y[nearest]), "y_#": y},
        "kernel-methods-centring": {
            r"k_{\text{centred}}": At(lambda a, b: float((features(a) - mean) @ (features(b) - mean)))},
        "kernel-methods-double-centring": {
            r"\mathbf{D}^{(2)}": kernel_distance(X, kernel="poly", degree=2, gamma=1.0) ** 2,
            r"D^{(2)}_{##}": kernel_distance(X, kernel="poly", degree=2, gamma=1.0) ** 2},
        "kernel-methods-perceptron-score": perceptron, "kernel-methods-must-know-perceptron": perceptron,
        "kernel-methods-mistake-bound": perceptron, "kernel-methods-perceptron-update": update,
        "kernel-methods-must-know-perceptron:2": update,
        "kernel-methods-fisher-direction": {
            BETA: np.linalg.solve(matrix + mu * np.eye(N), u[1] - u[0]), r"\mathbf{N}": matrix, r"\mu": mu,
            r"\mathbf{u}_#": u},
        "kernel-methods-nystroem": nystroem, "kernel-methods-nystroem-features": nystroem,
    }  # fmt: skip


def instance(seed):
    """Seven instances of the plane with the quadratic kernel, two new ones x and z, and any coefficients."""
    rng = np.random.default_rng(seed)
    X, x, z = rng.normal(size=(N, 2)), rng.normal(size=2), rng.normal(size=2)
    y, beta, c = rng.normal(size=N), rng.normal(size=N), rng.normal(size=N)
    Phi = np.array([features(row) for row in X])
    K = polynomial_kernel(X, degree=2, gamma=1.0)
    k = of(polynomial_kernel, degree=2, gamma=1.0)
    w = Phi.T @ beta
    f = At(lambda a: float(w @ features(a)))
    values_of_K = np.maximum(np.linalg.eigvalsh(K), 0)
    largest = np.linalg.eigvalsh(Phi.T @ Phi)[-1]
    eta = 0.9 / largest
    step = gradient_step(K, y, beta, eta)
    numbers = {
        "n": range(1, N + 1), "m": range(1, N + 1), "N": N, "D": 2, r"\mathbf{x}": x, r"\mathbf{z}": z,
        "x_#": x, "z_#": z, r"\mathbf{x}_#": X, "y_#": y, r"\mathbf{y}": y, "k": k, r"\mathbf{K}": K, "K_{##}": K,
        r"\mathbf{k}_x": Phi @ features(x), r"(\mathbf{k}_x)_#": np.array([k(row, x) for row in X]),
        r"\boldsymbol{\phi}": At(features), r"\boldsymbol{\Phi}": Phi, r"\mathbf{c}": c, "c_#": c, BETA: beta,
        r"\beta_#": beta, r"\mathbf{w}": w, "f": f, r"\lVert f \rVert": np.linalg.norm(w), r"\eta": eta,
        r"\mathbf{r}": step.residual, r"\lambda_#": np.r_[largest, values_of_K[::-1][1:]],
        BETA + r"\leftarrow": step.beta, r"\beta_#\leftarrow": step.beta, r"\mathbf{I}": np.eye(N),
        "J": At(lambda v: 0.5 * float(np.sum((y - Phi @ v) ** 2)), r"\mathbf{w}"),
        r"\mathbf{w}\leftarrow": Phi.T @ step.beta, r"\gamma": 0.4, r"\sigma": 1 / np.sqrt(0.8), "c_0": 0.7, "q": 3,
        r"\mathbf{H}": center_kernel(np.eye(N)), "d": At(lambda a, b: float(np.linalg.norm(features(a) - features(b)))),
        r"\mathbf{0}": np.zeros(N),
    }  # fmt: skip
    methods = of_methods(rng, X, x, K, Phi, beta)
    bound = methods["kernel-methods-mistake-bound"]
    sides = worth(x, z) | {
        "kernel-methods-must-know-perceptron:4": K.diagonal().max() / bound[r"\rho"] ** 2,
        "kernel-methods-mistake-bound": {1: bound["A"], 2: K.diagonal().max() / bound[r"\rho"] ** 2},
    }
    return Instance(numbers, {**of_kernels(rng, x, z, k, seed), **methods}, sides)
