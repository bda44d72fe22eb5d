"""Exercises on linear algebra: factors by NumPy and SciPy, derivatives by differences, counts by enumeration."""

from itertools import product

import numpy as np
from scipy.linalg import eigh, null_space, qr
from scipy.special import softmax

from tests.formulas.values import At
from tests.solutions.derivatives import slopes
from tests.solutions.ledger import Worked

X, Y, W = r"\mathbf{X}", r"\mathbf{y}", r"\mathbf{w}"
A, B, I0 = r"\mathbf{A}", r"\mathbf{B}", r"\mathbf{I}"
RNG = np.random.default_rng(0)
DATA, TARGET = RNG.normal(size=(5, 2)), RNG.normal(size=5)
GRAM = np.einsum("ni,nj->ij", DATA, DATA)


def _positive_qr(M):
    Q, R = np.linalg.qr(M)
    signs = np.sign(np.diag(R))
    return Q * signs, signs[:, None] * R


def ex_ridge():
    lam = 0.7
    U, sigma, Vt = np.linalg.svd(DATA, full_matrices=False)
    w = np.linalg.lstsq(np.vstack([DATA, np.sqrt(lam) * np.eye(2)]), np.append(TARGET, [0, 0]))[0]
    eigenvalues = np.linalg.eigvalsh(GRAM + lam * np.eye(2))[::-1]
    objective = np.mean((DATA @ w - TARGET) ** 2) * 5 / 2 + lam * np.sum(w**2) / 2
    return Worked(
        {X: DATA, Y: TARGET, W: w, r"\lambda": lam, r"\sigma_#": sigma, r"\mathbf{u}_#": list(U.T),
         r"\mathbf{v}_#": list(Vt), "i": range(1, 3), I0: np.eye(2)},
        own={r"\lambda \to 0": {r"\lambda": 1e-9}},
        numbers=[objective, 0, eigenvalues, 0],
    )  # fmt: skip


def ex_qr():
    M, y = np.array([[1, 2], [2, 1], [2, 4.0]]), np.array([9, 0, 9.0])
    Q, R = _positive_qr(M)
    w = np.linalg.lstsq(M, y)[0]
    cosine = np.corrcoef(np.vstack([M, -M]).T)[0, 1]  # with the opposite rows the means are 0
    return Worked(
        {X: M, Y: y, r"\mathbf{Q}": Q, r"\mathbf{q}_#": list(Q.T), "r_{11}": R[0, 0], "r_{12}": R[0, 1],
         "r_{22}": R[1, 1], "w_#": w, r"\mathbf{p}": M @ w, r"\mathbf{e}": y - M @ w,
         r"\varphi_2": np.arccos(cosine)},
        numbers=[2],
    )  # fmt: skip


def ex_generalized():
    a, b = np.array([[5, 2], [2, 2]]), np.diag([1, 2])
    lam, V = eigh(a, b)
    shown = [2 * V[:, k] / V[0, k] for k in (1, 0)]
    return Worked(
        {A: a, B: b, r"\lambda": lam[1], "w_#": V[:, 1], W: V[:, 1], r"\lambda_1": lam[1]},
        worlds=[{r"\lambda": lam[0], W: V[:, 0], "w_#": V[:, 0]}],
        own={r"\mathbf{w}^\top\mathbf{B}\mathbf{w} = 4 + 2(\lambda - 5)^2": {W: shown[0]}},
        numbers=shown,
    )


def ex_schur():
    F = RNG.normal(size=(8, 5))
    M = F.T @ F
    M11, M12, M22 = M[:2, :2], M[:2, 2:], M[2:, 2:]
    schur = np.linalg.inv(np.linalg.inv(M)[2:, 2:])
    v = np.array([0.4, -1.2, 0.8])
    w = np.append(-np.linalg.solve(M11, M12 @ v), v)
    best = np.linalg.lstsq(np.linalg.cholesky(M11).T, np.linalg.cholesky(M11).T @ w[:2])[0]
    assert np.allclose(best, w[:2])
    difference = M22 - schur
    return Worked(
        {r"\mathbf{M}": M, r"\mathbf{M}_{11}": M11, r"\mathbf{M}_{12}": M12, r"\mathbf{M}_{22}": M22,
         r"\mathbf{M}/\mathbf{M}_{11}": schur, r"\mathbf{v}": v, W: w, r"\mathbf{0}": np.zeros((3, 3))},
        own={r"\mathbf{M}_{12} = \mathbf{0}": dict.fromkeys([r"\mathbf{M}_{12}", r"\mathbf{0}"], np.zeros((2, 3))),
             r"\mathbf{v} \neq \mathbf{0}": {r"\mathbf{v}": v, r"\mathbf{0}": np.zeros(3)},
             r"\mathbf{w} \neq \mathbf{0}": {W: w, r"\mathbf{0}": np.zeros(5)}},
        numbers=[
            M11, M12, M12.T, M22, difference, schur, np.zeros(9), difference, np.linalg.solve(M11, np.eye(2)),
            v @ difference @ v, 0, np.einsum("ij,j->i", M12, v), np.zeros(3), np.zeros(5), np.zeros(9),
        ],
    )  # fmt: skip


def ex_which():
    flops = lambda D, N: (N * D * D, 2 * N * D * D)  # Cholesky of the product, and Householder
    R = _positive_qr(DATA)[1]
    normal, by_qr = flops(50, 10**6)
    return Worked(
        {X: DATA, r"\mathbf{R}": R, r"\mathbf{R}^{-\top}": np.linalg.inv(R).T},
        numbers=[10_000, 50, 12, np.linalg.cond(np.eye(50)), normal / by_qr, 2000],
    )


def ex_jacobi():
    small = np.linalg.svd(np.diag([1, 1e-9]))[1]
    return Worked(numbers=[small[1], small[1], small[1] ** 2, small[0]])


def ex_gaussian():
    N, mu = 5, np.array([0.3, -0.4])
    points = mu + DATA
    best = np.cov(np.vstack([DATA, -DATA]).T, bias=True)
    precision = np.array([[2.0, 0.4], [0.4, 1.5]])
    likelihood = lambda M: N / 2 * np.log(np.linalg.det(M)) - sum(d @ M @ d for d in DATA) / 2
    Sigma = np.linalg.inv(precision)
    values = {r"\boldsymbol{\Lambda}": precision, r"\boldsymbol{\Sigma}": Sigma}
    wrong = -N * np.linalg.inv(GRAM)
    return Worked(
        {"N": N, "n": range(1, 6), r"\mathbf{d}_#": DATA, r"\mathbf{x}_#": points, r"\boldsymbol{\mu}": mu,
         r"\mathbf{0}": np.zeros((2, 2)), **values},
        own={r"\mathbf{0} = N\boldsymbol{\Sigma}^{-1} + \sum_n \mathbf{d}_n\mathbf{d}_n^\top":
             {r"\boldsymbol{\Sigma}": wrong},
             r"\mathbf{0} = N\boldsymbol{\Sigma} - \sum_n \mathbf{d}_n\mathbf{d}_n^\top":
             {r"\boldsymbol{\Sigma}": best},
             r"\boldsymbol{\Sigma} = \tfrac1N\sum_n \mathbf{d}_n\mathbf{d}_n^\top": {r"\boldsymbol{\Sigma}": best}},
        numbers=[likelihood(precision), slopes(likelihood, precision),
                 slopes(lambda S: likelihood(np.linalg.inv(S)), Sigma), np.zeros((2, 2))],
    )  # fmt: skip


def _cholesky_costs(D):
    """Multiplications, divisions and roots, counted in the loops."""
    multiplications = divisions = roots = 0
    for j in range(D):
        multiplications, roots = multiplications + j, roots + 1
        for _ in range(j + 1, D):
            multiplications, divisions = multiplications + j, divisions + 1
    return multiplications, divisions, roots


def cards():
    a, x = np.array([[2, 0.5], [0.5, 1]]), np.array([0.7, -1.3])
    general = np.array([[2, 0.5], [-0.3, 1]])
    gradient = slopes(lambda v: v @ a @ v, x)
    all_positive = np.array([[1, 2], [2, 1]])
    low = eigh(all_positive)[1][:, 0]
    low = low / low[0]
    lam, sigma = 0.7, np.linalg.svd(DATA, compute_uv=False)
    turn = np.array([[-0.5, -np.sqrt(0.75)], [np.sqrt(0.75), -0.5]])  # by a third of a circle: 1/(1 + z) = 1 + 1/z
    w = np.linalg.lstsq(DATA, TARGET)[0]
    e = TARGET - DATA @ w
    P = DATA @ np.linalg.pinv(DATA)
    kappa, D = np.linalg.cond, 4
    scaled = np.linalg.lstsq(DATA * [1000, 1], TARGET)[0]
    twice = np.linalg.svd(np.vstack([DATA, DATA]), compute_uv=False)
    minors = np.linalg.det([[0.0]]), np.linalg.det(np.diag([0.0, -1]))
    skew = np.array([[1, -4], [0, 1]])
    multiplications, divisions, _ = _cholesky_costs(D)
    logdet = lambda M: np.log(np.linalg.det(M))
    mirrored = lambda v: np.array([[v[0], v[1]], [v[1], v[2]]])
    symmetric = mirrored(slopes(lambda v: logdet(mirrored(v)), np.array([2, 0.5, 1])))
    ratio = symmetric[0, 1] / slopes(logdet, a)[0, 1]
    half = sum((r @ w - t) ** 2 for r, t in zip(DATA, TARGET, strict=True)) / 2
    b = np.diag([1, 2.0])
    pair = eigh(a, b)[1].T
    digits = round(-np.log10(np.finfo(float).eps))
    lost = round(np.log10(kappa(np.diag([1, 1e-5]))))
    three = np.column_stack([DATA, DATA.sum(axis=1)])
    R = qr(three, mode="economic")[1]
    R = R * np.sign(np.diag(R))[:, None]
    pi = softmax([0.2, 1.4, -0.3])
    jacobian = np.diag(pi) - np.outer(pi, pi)
    data = {X: DATA, Y: TARGET, W: w, I0: np.eye(2), r"\lambda": lam, r"\sigma_#": sigma, "i": range(1, 3)}
    eigenvalues = np.round(np.linalg.eigvalsh(P)[[0, -1]], 12)
    wrong_sum = r"(\mathbf{X}^\top\mathbf{X} + \lambda\mathbf{I})^{-1} = (\mathbf{X}^\top\mathbf{X})^{-1} "
    wrong_sum += r"+ \lambda^{-1}\mathbf{I}"
    return {
        "lost-marks-quadratic": Worked(
            {A: a, r"\mathbf{x}": x, r"\nabla\mathbf{x}^\top\mathbf{A}\mathbf{x}": gradient},
            numbers=[gradient, gradient],
        ),
        "lost-marks-entries": Worked(
            {W: low, A: all_positive}, numbers=[all_positive, 2 * np.linalg.eigvalsh(all_positive)[0]]
        ),
        "lost-marks-projector": Worked(
            data, numbers=[np.einsum("ij,jk->ik", DATA @ GRAM, DATA.T), P]
        ),
        "lost-marks-logdet": Worked(
            {X: [[2.5]], r"\nabla_{\mathbf{X}} \log|\mathbf{X}|": slopes(logdet, np.array([[2.5]]))},
            numbers=[0.4, 0.4, 0],
        ),
        "lost-marks-inverse-sum": Worked(
            {**data, A: np.eye(2), B: turn},
            own={wrong_sum: {r"\mathbf{X}^\top\mathbf{X}": lam * turn}},
            numbers=[1 / 2, 2, np.linalg.eigvalsh(GRAM)[::-1] + lam],
        ),
        "lost-marks-normal": Worked(data),
        "do-not-confuse-orthogonal": Worked(
            {r"\mathbf{P}": P}, numbers=[np.abs(np.linalg.eigvals(turn))[0], eigenvalues],
        ),
        "do-not-confuse-definite": Worked(
            {r"\mathbf{1}": np.ones(2)}, numbers=[0, 0, np.linalg.det(np.ones((2, 2))), np.full((2, 2), 1),
                                                   all_positive],
        ),
        "what-if-scale": Worked(
            numbers=[1000, w[0] / scaled[0], kappa(np.diag([1000, 1])) / kappa(np.eye(2)), 0]
        ),
        "what-if-rows": Worked(numbers=[twice[0] / sigma[0], 2 * DATA[:, 0] @ DATA[:, 0] / GRAM[0, 0]]),
        "what-if-orthogonal": Worked(numbers=[null_space(DATA.T)[:, 0] @ DATA[:, 0], 0]),
        "counterexample-minors": Worked(numbers=[0, 0, -1, minors, 0]),
        "counterexample-nonsymmetric": Worked(
            {A: skew, r"\mathbf{x}": np.array([1, 0])},
            numbers=[0, skew, np.linalg.eigvals(skew), [[1, -2], [-2, 1]]],
        ),
        "counting-parameters": Worked(
            {"D": D, "r": 2, "N": 5},
            numbers=[
                sum(i <= j for i, j in product(range(D), repeat=2)), sum(i < j for i, j in product(range(D), repeat=2)),
                multiplications, divisions,
            ],
        ),
        "convention-symmetric": Worked(
            {X: a, r"\operatorname{diag}": At(lambda M: np.diag(np.diag(M)))},
            numbers=[ratio, symmetric],
        ),
        "convention-sign": Worked({W: pair[0], B: b}, numbers=[1]),
        "convention-factors": Worked(
            {**data, "N": 5},
            numbers=[half, 2, 2 * half, np.linalg.eigvalsh(GRAM)[::-1], np.linalg.eigvalsh(GRAM / 5)[::-1],
                     np.linalg.eigvalsh(GRAM / 4)[::-1]],
        ),
        "quiz-digits": Worked(
            {r"\kappa": 10.0 ** (digits / 2)},
            numbers=[1, 10.0**lost, digits, digits, kappa(np.eye(2)), digits - lost, digits - 2 * lost,
                     kappa(np.diag([1, 1e-10]))],
        ),
        "quiz-definite": Worked(
            {r"\mathbf{F}": general, W: x},
            numbers=[np.einsum("ij,jk->ik", general, general), 90, np.sum((general @ x) ** 2), 0],
        ),
        "quiz-rank": Worked(
            {f"r_{{{i}{j}}}": R[i - 1, j - 1] for i in (1, 2, 3) for j in (1, 2, 3)},
            numbers=[3, 1, 2, 0, 0, 1, 1, np.sum(np.diag(R)), R[0, 2], R[1, 2]],
        ),
        "tf-projector": Worked({r"\mathbf{P}": P, r"\lambda": 1}, numbers=eigenvalues),
        "tf-residual": Worked({r"\mathbf{e}": e, Y: TARGET}, numbers=[0]),
        "tf-generalized": Worked(
            {A: a, B: b, r"\mathbf{w}_i": pair[0], r"\mathbf{w}_j": pair[1]}, numbers=[np.linalg.solve(b, a)]
        ),
        "tf-softmax": Worked(
            {r"\operatorname{diag}": At(lambda v: np.diag(np.ravel(v))), r"\boldsymbol{\pi}": pi,
             r"\mathbf{0}": np.zeros(3), r"\mathbf{1}": np.ones(3)},
            numbers=[np.round(np.linalg.eigvalsh(jacobian)[0], 12)],
        ),
    }  # fmt: skip
