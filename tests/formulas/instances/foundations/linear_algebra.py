"""Linear algebra: factors by the library, NumPy and SciPy, derivatives by a step along the imaginary axis."""

import numpy as np
from scipy.linalg import block_diag, lapack, qr, subspace_angles
from scipy.optimize import minimize
from scipy.special import expit, softmax

from notes_lib.foundations.linear_algebra import (
    block_inverse,
    cholesky_solve,
    condition_number,
    generalized_eigh,
    householder_qr,
    project,
    rayleigh_quotient,
    schur_complement,
    svd_solve,
)
from tests.formulas.values import At, Instance

LEAST = 96, 100
UNREAD = {
    "linear-algebra-ls-perturbation": "a bound up to a modest factor",
    "linear-algebra-schur-definite": "an equivalence in words; the tests and a drill decide it",
}
CONDITIONS = {"linear-algebra-must-know-cholesky:4"}  # which entries the formula is for

X, Y, W = r"\mathbf{X}", r"\mathbf{y}", r"\mathbf{w}"
A, B = r"\mathbf{A}", r"\mathbf{B}"
INDICES = {"D": 3, "i": range(1, 4), "j": range(1, 4), "k": range(1, 4)}
LATER = {**INDICES, "j": range(2, 4)}  # the first column has none before it
DIAGONAL = r"\operatorname{diag}(\lambda_1,\ldots,\lambda_D)"


def gradient(f, at, h=1e-30):
    """Of a number by every entry of an array, by steps along the imaginary axis."""
    slopes = np.empty(np.shape(at))
    for place in np.ndindex(*np.shape(at)):
        moved = np.array(at, dtype=complex)
        moved[place] += 1j * h
        slopes[place] = np.imag(f(moved)) / h
    return slopes


def jacobian(f, at, size):
    """Of a vector, one row for each entry."""
    return np.array([gradient(lambda x, k=k: f(x)[k], at) for k in range(size)])


def log_determinant(M):
    return np.log(np.linalg.det(M))


def definite(rng, d):
    F = rng.normal(size=(d + 3, d))
    return F.T @ F


def symmetric(rng, d):
    F = rng.normal(size=(d, d))
    return F + F.T


def of_a_projection(rng):
    """Six rows, three columns: the nearest point, an orthonormal basis, angles between a column and those before."""
    M, y, a, b = rng.normal(size=(6, 3)), rng.normal(size=6), rng.normal(size=6), rng.normal(size=6)
    Q, R = householder_qr(M)
    P = np.column_stack([project(M, e) for e in np.eye(6)])
    sines = [np.sin(subspace_angles(M[:, : max(j, 1)], M[:, [j]])[0]) for j in range(3)]
    values = {
        X: M, Y: y, W: svd_solve(M, y).w, r"\mathbf{P}": P, r"\mathbf{Q}": Q, r"\mathbf{R}": R, "r_{##}": R,
        r"\mathbf{q}_#": Q.T, r"\mathbf{x}_{\cdot#}": M.T, r"\mathbf{0}": np.zeros(3), r"\mathbf{I}": np.eye(3),
        r"\mathbf{a}": a, r"\mathbf{b}": b, r"\mathbf{p}": project(a, y),
        r"\varphi_#": np.arcsin(sines), "a_{##}": M.T @ M, r"\ell_{##}": np.linalg.cholesky(M.T @ M),
        r"\mathbf{L}": np.linalg.cholesky(M.T @ M), **INDICES,
    }  # fmt: skip
    blocks = [householder_qr(M), householder_qr(second := rng.normal(size=(6, 3)))]
    stacked = householder_qr(np.vstack([block.R for block in blocks]))
    in_blocks = {
        r"\mathbf{X}_#": [M, second], r"\mathbf{R}_#": [block.R for block in blocks],
        r"\operatorname{diag}(\mathbf{Q}_1,\mathbf{Q}_2)": block_diag(*(block.Q for block in blocks)),
        r"\mathbf{Q}_{12}": stacked.Q, r"\mathbf{R}": householder_qr(np.vstack([M, second])).R,
    }  # fmt: skip
    x = rng.normal(size=4)
    H = qr(x[:, None])[0]
    direction = np.linalg.eigh(H)[1][:, 0]  # of the eigenvalue -1
    mirror = {
        r"\mathbf{H}": H, r"\mathbf{n}": direction, r"\mathbf{x}": x, "x_#": x, r"\mathbf{e}_1": np.eye(4)[0],
        r"\mathbf{I}": np.eye(4),
    }  # fmt: skip
    return values, in_blocks, mirror


def of_two_by_two(rng):
    """A matrix of four numbers with two real eigenvalues."""
    M = rng.normal(size=(2, 2))
    M[1, 0] = abs(M[1, 0]) * np.sign(M[0, 1])
    eigenvalues, V = np.linalg.eig(M)
    v = V[:, 0] / V[0, 0] * M[0, 1]
    return {
        "a": M[0, 0], "b": M[0, 1], "c": M[1, 0], "d": M[1, 1], r"\lambda": eigenvalues[0], W: v, A: M,
        r"\mathbf{I}": np.eye(2), r"\mathbf{0}": np.zeros(2),
    }  # fmt: skip


def of_a_pair(rng):
    """A symmetric and a positive definite matrix: together, and each by itself."""
    S, T, w = symmetric(rng, 3), definite(rng, 3), rng.normal(size=3)
    L = np.linalg.cholesky(T)
    eigenvalues, V = generalized_eigh(S, T)
    quotient = {r"\rho": At(lambda v: rayleigh_quotient(v, S, T), W), A: S, B: T, W: w, r"\mathbf{0}": np.zeros(3)}
    lower, _ = lapack.dsygst(S, L, lower=1)
    white = np.tril(lower) + np.tril(lower, -1).T
    together = {
        **quotient, W: V[:, 1], r"\lambda": eigenvalues[1], r"\mathbf{L}": L, r"\mathbf{L}^{-\top}": np.linalg.inv(L).T,
        r"\mathbf{u}": L.T @ V[:, 1], r"\mathbf{W}": V, r"\mathbf{I}": np.eye(3), DIAGONAL: np.diag(eigenvalues),
    }  # fmt: skip
    own, U = np.linalg.eigh(S)
    own, U = own[::-1], U[:, ::-1]
    highest = max(-minimize(lambda v: -rayleigh_quotient(v, S), s, tol=1e-14).fun for s in rng.normal(size=(5, 3)))
    alone = {
        A: S, W: w, r"\rho": At(lambda v: rayleigh_quotient(v, S), W), r"\lambda_#": own, r"\mathbf{V}": U,
        r"\mathbf{v}_#": U.T, DIAGONAL: np.diag(own), r"\mathbf{I}": np.eye(3),
        rf"\max_{{{W}\neq\mathbf{{0}}}}\rho({W})": round(highest, 12), **INDICES,
    }  # fmt: skip
    vector = {A: S, W: U[:, 0], r"\lambda": own[0], r"\mathbf{I}": np.eye(3)}
    return quotient, together, alone, vector, white


def of_singular_values(rng):
    """A matrix of full rank and one of rank 2, a square system that is shaken, and the example of Läuchli."""
    M, y = rng.normal(size=(6, 3)), rng.normal(size=6)
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    whole = {
        X: M, r"\mathbf{U}": U, r"\mathbf{S}": np.diag(s), r"\mathbf{V}": Vt.T, r"\sigma_#": s, r"\mathbf{u}_#": U.T,
        r"\mathbf{v}_#": Vt, "r": 3, r"\dots": s[1], r"\kappa": lambda M: condition_number(M, scaled=False), **INDICES,
    }  # fmt: skip
    low = rng.normal(size=(6, 2)) @ rng.normal(size=(2, 3))
    U, s, Vt = np.linalg.svd(low, full_matrices=False)
    short = {
        X: low, Y: y, W: svd_solve(low, y).w, rf"{X}^+": np.linalg.pinv(low), r"\sigma_#": s, r"\mathbf{u}_#": U.T,
        r"\mathbf{v}_#": Vt, "r": 2, **INDICES,
    }  # fmt: skip
    square, target = rng.normal(size=(3, 3)), rng.normal(size=3)
    w, moved = np.linalg.solve(square, target), target + 0.1 * rng.normal(size=3)
    changes = [
        np.linalg.norm(new - old) / np.linalg.norm(old)
        for new, old in ((np.linalg.solve(square, moved), w), (moved, target))
    ]
    ratio = rf"\frac{{\text{{relative change of }} {W}}}{{\text{{relative change of }} {Y}}}"
    shaken = {X: square, ratio: changes[0] / changes[1], r"\kappa": whole[r"\kappa"]}
    e = rng.uniform(0.01, 0.5)
    return whole, short, shaken, {X: np.vstack([np.ones(2), e * np.eye(2)]), r"\epsilon": e}


def of_a_factor(rng):
    """A positive definite matrix, its triangle, a system."""
    S, b = definite(rng, 3), rng.normal(size=3)
    L = np.linalg.cholesky(S)
    values = {
        A: S, "a_{##}": S, r"\mathbf{L}": L, r"\ell_{##}": L, r"\mathbf{b}": b, r"\mathbf{x}": cholesky_solve(S, b),
        r"\mathbf{z}": np.linalg.solve(L, b), r"\mathbf{A}_{1:#,1:#}": lambda k, _: S[:k, :k], W: rng.normal(size=3),
        r"\mathbf{F}": householder_qr(np.linalg.cholesky(S).T).R, r"\mathbf{0}": np.zeros(3), **INDICES,
    }  # fmt: skip
    return values


def of_blocks(rng):
    """Four by four in blocks of two, a correction of low rank, and the rule that moves a factor through an inverse."""
    M = rng.normal(size=(4, 4)) + 4 * np.eye(4)
    complement = schur_complement(M, [0, 1])
    cut = {rf"\mathbf{{M}}_{{{p + 1}{q + 1}}}": M[2 * p : 2 * p + 2, 2 * q : 2 * q + 2] for p in (0, 1) for q in (0, 1)}
    values = {
        r"\mathbf{M}": M, **cut, r"\mathbf{M}/\mathbf{M}_{11}": complement, r"\mathbf{I}": np.eye(2),
        r"\mathbf{0}": np.zeros((2, 2)), r"\mathbf{T}": block_inverse(M, [0, 1])[2:, 2:],
    }  # fmt: skip
    low = {
        A: rng.normal(size=(4, 4)) + 4 * np.eye(4), r"\mathbf{F}": rng.normal(size=(4, 2)),
        r"\mathbf{G}": rng.normal(size=(2, 4)), r"\mathbf{C}": rng.normal(size=(2, 2)) + 2 * np.eye(2),
    }  # fmt: skip
    push = {X: rng.normal(size=(3, 3)), r"\lambda": rng.uniform(0.1, 2), r"\mathbf{I}": np.eye(3)}
    return values, low, push


def of_vectors(rng):
    """Derivatives by a vector."""
    M, N, F = rng.normal(size=(5, 3)), rng.normal(size=(3, 3)), rng.normal(size=(4, 3))
    a, x, y, w = rng.normal(size=3), rng.normal(size=3), rng.normal(size=5), rng.normal(size=3)
    labels, logits = rng.integers(0, 2, size=5), rng.normal(size=4)
    outer, inner = lambda z: np.sum(np.cos(z)), lambda x: np.exp(F @ x)
    norm = lambda v: np.sqrt(np.sum(v * v))
    squares = lambda w: np.sum((M @ w - y) ** 2) / 2
    logsumexp = lambda z: np.log(np.sum(np.exp(z)))
    probabilities = lambda z: np.exp(z) / np.sum(np.exp(z))
    logistic = lambda w: np.sum(np.log(1 + np.exp(M @ w)) - labels * (M @ w))
    quadratic = gradient(lambda v: v @ N @ v, x)
    left = {
        r"\mathbf{a}^\top\mathbf{x}": gradient(lambda v: a @ v, x), r"\mathbf{x}^\top\mathbf{A}\mathbf{x}": quadratic,
        r"\tfrac12\lVert\mathbf{X}\mathbf{w}-\mathbf{y}\rVert^2": gradient(squares, w),
    }  # fmt: skip
    values = {
        X: M, A: N, r"\mathbf{a}": a, r"\mathbf{x}": x, Y: y, W: w, r"\mathbf{z}": logits,
        **{rf"\nabla{text}": worth for text, worth in left.items()},
        **{rf"\nabla_{{\mathbf{{{'w' if 'w' in text else 'x'}}}}}{text}": worth for text, worth in left.items()},
        r"\nabla_{\mathbf{w}}\lVert\mathbf{w}\rVert": gradient(norm, w), r"\mathbf{0}": np.zeros(3),
        r"\nabla\log\sum_ke^{z_k}": gradient(logsumexp, logits), r"\boldsymbol{\pi}": probabilities(logits),
        r"\operatorname{softmax}": lambda z: softmax(np.ravel(z)),
        r"\operatorname{diag}": lambda v: np.diag(np.ravel(v)),
        r"\frac{\partial\boldsymbol{\pi}}{\partial\mathbf{z}}": jacobian(probabilities, logits, 4),
    }  # fmt: skip
    chain = {
        r"\nabla_{\mathbf{x}}f": gradient(lambda v: outer(inner(v)), x), r"\mathbf{J}": jacobian(inner, x, 4),
        r"\nabla_{\mathbf{z}}f": gradient(outer, inner(x)),
    }  # fmt: skip
    layer = {
        r"\nabla_{\mathbf{x}}f(\mathbf{C}\mathbf{x})": gradient(lambda v: outer(F @ v), x), r"\mathbf{C}": F,
        r"\nabla_{\mathbf{C}}f(\mathbf{C}\mathbf{x})": gradient(lambda C: outer(C @ x), F),
        r"\boldsymbol{\delta}": gradient(outer, F @ x), r"\mathbf{x}": x,
    }  # fmt: skip
    loss = r"\nabla_{\mathbf{w}}\sum_n\big(\log(1+e^{a_n})-y_na_n\big)"
    classes = {loss: gradient(logistic, w), X: M, r"\mathbf{s}": expit(M @ w), Y: labels}
    return values, chain, layer, classes


def of_matrices(rng):
    """Derivatives by a matrix."""
    M, N, C, G = rng.normal(size=(3, 4)), rng.normal(size=(3, 3)), rng.normal(size=(3, 5)), rng.normal(size=(4, 5))
    a, b, c = rng.normal(size=(3, 3))
    flat = lambda Z, V: np.sum(Z * V)
    inverse, square = np.linalg.inv, np.array(definite(rng, 3) / 3 + 0.3 * rng.normal(size=(3, 3)))
    if np.linalg.det(square) < 0:
        square = square[::-1]
    step, S = rng.normal(size=(3, 3)), definite(rng, 3)
    by = r"\nabla_{\mathbf{X}}"
    traces = {
        rf"{by}\operatorname{{tr}}(\mathbf{{A}}\mathbf{{X}})": gradient(lambda Z: np.trace(N @ Z), square), A: N,
        rf"{by}\mathbf{{a}}^\top\mathbf{{X}}\mathbf{{b}}": gradient(lambda Z: a @ Z @ b, square), r"\mathbf{a}": a,
        rf"{by}\operatorname{{tr}}(\mathbf{{X}}^\top\mathbf{{A}}\mathbf{{X}})":
            gradient(lambda Z: np.trace(Z.T @ N @ Z), square),
        r"\mathbf{b}": b, X: square,
    }  # fmt: skip
    fit = {
        rf"{by}\tfrac12\lVert\mathbf{{C}}-\mathbf{{X}}\mathbf{{G}}\rVert_F^2":
            gradient(lambda Z: flat(C - Z @ G, C - Z @ G) / 2, M),
        r"\mathbf{C}": C, r"\mathbf{G}": G, X: M,
    }  # fmt: skip
    turned = {
        X: square, r"\mathrm{d}\mathbf{X}": step, rf"{X}^{{-\top}}": inverse(square).T, r"\mathbf{a}": b,
        r"\mathbf{b}": c, r"\mathrm{d}(\mathbf{X}^{-1})": (inverse(square + 1e-30j * step)).imag / 1e-30,
        r"\mathrm{d}\log|\mathbf{X}|": log_determinant(square + 1e-30j * step).imag / 1e-30,
        rf"{by}\log|\mathbf{{X}}|": gradient(log_determinant, square),
        rf"{by}\mathbf{{a}}^\top\mathbf{{X}}^{{-1}}\mathbf{{b}}": gradient(lambda Z: b @ inverse(Z) @ c, square),
    }  # fmt: skip
    precise = (
        r"\nabla_{\boldsymbol{\Lambda}}\big(\log|\boldsymbol{\Lambda}|"
        r"-\mathbf{d}^\top\boldsymbol{\Lambda}\mathbf{d}\big)"
    )
    spread = (
        r"\nabla_{\boldsymbol{\Sigma}}\big({-\log|\boldsymbol{\Sigma}|}"
        r"-\mathbf{d}^\top\boldsymbol{\Sigma}^{-1}\mathbf{d}\big)"
    )
    gaussian = {
        r"\boldsymbol{\Sigma}": S, r"\mathbf{d}": a,
        precise: gradient(lambda Z: log_determinant(Z) - a @ Z @ a, inverse(S)),
        spread: gradient(lambda Z: -log_determinant(Z) - a @ inverse(Z) @ a, S),
    }  # fmt: skip
    moved = {r"\boldsymbol{\Sigma}": At(lambda t: S + t * np.outer(b, b), r"\tau"), r"\tau": 0.7, Y: a}
    small = {
        "f": At(lambda Z: float(np.sum(np.asarray(Z) ** 2) / 2), X), X: M,
        r"\mathrm{d}\mathbf{X}": rng.normal(size=M.shape), r"\nabla f": gradient(lambda Z: flat(Z, Z) / 2, M),
    }  # fmt: skip
    small[r"\text{terms of second order}"] = float(np.linalg.norm(small[r"\mathrm{d}\mathbf{X}"]) ** 2 / 2)
    return traces, fit, turned, gaussian, moved, small


def instance(seed):
    """Matrices of a few rows and columns; each formula has its own."""
    rng = np.random.default_rng(seed)
    projection, in_blocks, mirror = of_a_projection(rng)
    two = of_two_by_two(rng)
    quotient, together, alone, vector, white = of_a_pair(rng)
    whole, short, shaken, lauchli = of_singular_values(rng)
    factor = of_a_factor(rng)
    blocks, low, push = of_blocks(rng)
    vectors, chain, layer, classes = of_vectors(rng)
    traces, fit, turned, gaussian, moved, small = of_matrices(rng)
    name = "linear-algebra-"
    card = f"{name}must-know-"
    by_problem = [
        (in_blocks, "qr-blocks"), (mirror, "householder"), (LATER, "gram-schmidt sine pivot"),
        (vector, "eigen"), (two, "inverse-two eigen-two eigenvector-two must-know-pencil"),
        (quotient, "rayleigh rayleigh-gradient must-know-rayleigh:1"),
        (together, "generalized whitened b-orthonormal must-know-rayleigh:2 must-know-rayleigh:4 must-know-rayleigh:5"),
        (alone, "spectral rayleigh-bounds must-know-rayleigh:3"), (whole, "svd condition cond-squared"),
        (short, "pseudo-inverse"), (shaken, "perturbation"), (lauchli, "lauchli"),
        (factor, "cholesky cholesky-entries cholesky-logdet cholesky-solve minors must-know-cholesky"),
        (factor, "must-know-definite"),
        (blocks, "schur block-determinant block-ldu block-inverse"),
        (low, "woodbury determinant-lemma"), (push, "push-through"),
        (vectors, "d-linear d-quadratic d-least-squares d-norm d-logsumexp d-softmax must-know-derivatives"),
        (chain, "d-chain"), (layer, "d-layer"), (classes, "d-logistic"), (traces, "d-trace"),
        (fit, "d-frobenius"), (turned, "d-inverse d-logdet d-inverse-form"), (gaussian, "d-precision d-covariance"),
        (moved, "d-parameter"), (small, "d-definition"),
    ]  # fmt: skip
    own = {name + key: problem for problem, keys in by_problem for key in keys.split()}
    tall = rng.normal(size=(2, 3))
    worth = {
        f"{card}definite:4": float(np.linalg.eigvalsh(tall.T @ tall).min().round(12)),
        f"{card}projection:4": projection[r"\mathbf{p}"], f"{card}rayleigh:4": white,
        f"{card}derivatives:5": vectors[r"\frac{\partial\boldsymbol{\pi}}{\partial\mathbf{z}}"],
    }  # fmt: skip
    given = {f"{card}cholesky:3": "i > j"}
    return Instance(projection, own, worth, given)
