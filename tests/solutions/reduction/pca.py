"""Exercises on principal components: covariance matrices of rows that have them, eigenvectors by NumPy."""

import numpy as np
from scipy.stats import multivariate_normal

from notes_lib.reduction.pca import (
    PCA,
    gram_axes,
    held_out_errors,
    mean_and_covariance,
    principal_axes,
    probabilistic_pca,
)
from tests.formulas.chapters import values_of
from tests.solutions.ledger import Worked

U, S = r"\mathbf{u}", r"\mathbf{S}"


def _rows():
    return np.array(values_of("pca")[r"\mathbf{x}_#"])


def _axis(matrix, number):
    """An eigenvector with the first entry 1, from the largest eigenvalue on."""
    vector = np.linalg.eigh(matrix)[1][:, -number]
    return vector / vector[np.abs(vector) > 1e-9][0]


def _copied(size):
    """Uncorrelated columns of variance 1, the first one stored twice."""
    rows = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1.0]])
    return np.cov(np.column_stack([rows[:, 0], rows])[:, -size:].T, ddof=0)


def _spread(eigenvalues, N, seed=0):
    """Rows whose covariance matrix, with divisor N, is diagonal with these values."""
    X = np.random.default_rng(seed).normal(size=(N, len(eigenvalues)))
    Q = np.linalg.qr(X - X.mean(axis=0))[0]
    return Q * np.sqrt(N * np.array(eigenvalues))


def ex_both():
    X = _rows()
    _, matrix = mean_and_covariance(X, ddof=0)
    values, axes = principal_axes(matrix)[:2]
    first = axes[0]
    u, multiplier, other = np.array([0.3, -0.5, 0.7, 0.2]), 0.7, -0.4
    lagrangian = np.var(X @ u) - multiplier * (np.sum(u**2) - 1)
    gaps = X - X.mean(axis=0) - np.outer((X - X.mean(axis=0)) @ first, first)
    return Worked(
        {U: u, S: matrix, r"\lambda": multiplier, r"\mathbf{u}_#": axes, r"\lambda_#": values,
         r"\mathcal{L}": lagrangian, r"\varphi": first @ matrix @ u - values[0] * (first @ u)},
        own={r"-\varphi\mathbf{u}_1^\top\mathbf{u}": {r"\varphi": other, r"\mathbf{u}_#": axes, U: u}},
        numbers=[-other * np.sum(first * u), first, np.mean(np.sum(gaps**2, axis=1))],
    )  # fmt: skip


def ex_copy():
    matrix, pair = _copied(3), _copied(2)
    found = principal_axes(matrix)
    share = found.eigenvalues / found.eigenvalues.sum()
    weight = found.eigenvalues[0] / np.linalg.eigvalsh(pair)[-1]
    return Worked(
        numbers=[pair[0, 0], weight, matrix, found.eigenvalues, np.linalg.svd(matrix)[0][:, 0] * np.sign(
            np.linalg.svd(matrix)[0][0, 0]), share[0], np.linalg.eigvalsh(pair)[0], weight],
    )  # fmt: skip


def ex_units():
    matrix = np.array([[1, 0.6], [0.6, 1]])
    unit = np.diag([10, 1.0])
    new = np.cov(_spread(np.linalg.eigvalsh(matrix), 5) @ np.linalg.eigh(matrix)[1].T @ unit, rowvar=False, ddof=0)
    low, high = np.linalg.eigvalsh(new)
    return Worked(
        numbers=[1, 0.6, _axis(matrix, 1), _axis(matrix, 2), new[0, 0], new[0, 1], new[1, 1], low + high,
                 abs(np.linalg.eigh(new)[1][0, -1])],
        known=[*np.linalg.eigvalsh(matrix), high, low, low * high],
    )  # fmt: skip


def ex_gram():
    X = np.array([[3, 0, 1, 0], [-3, 0, 1, 0], [0, 0, -2, 0.0]])
    gram = np.array([[np.dot(a, b) for b in X] for a in X])
    values = np.sort(np.linalg.eigvals(gram).real.round(9))[::-1]
    first, second = np.array([1, -1, 0]), np.array([1, 1, -2])
    third = np.cross(first, second) / 2
    axes = np.abs(gram_axes(X)[1][:2])
    return Worked(
        numbers=[X, first, second, np.linalg.norm(axes[0]), len(X), np.sum(X.sum(axis=0)), gram, values[:2],
                 third / third[0], values[2], first, first @ X, second, second @ X, axes],
        known=[PCA().fit(X).explained_variance_],
    )  # fmt: skip


def ex_ppca():
    eigenvalues = [5, 3, 1, 1]
    X = _spread(eigenvalues, 10)
    two, three = probabilistic_pca(X, 2), probabilistic_pca(X, 3)
    lengths = np.linalg.norm(three.W, axis=0)
    C = two.W @ two.W.T + two.noise_variance * np.eye(4)
    likelihood = multivariate_normal(X.mean(axis=0), C).logpdf(X).sum()
    trace = np.mean(np.sum((X - X.mean(axis=0)) @ np.linalg.inv(C) * (X - X.mean(axis=0)), axis=1))
    return Worked(
        {"K": two.W.shape[1], r"\sigma^2": two.noise_variance, r"\mathbf{C}": C},
        worlds=[{"K": three.W.shape[1]}],
        numbers=[len(X), eigenvalues, trace],
        known=[likelihood, lengths],
    )


def cards():
    v, X = values_of("pca"), _rows()
    _, matrix = mean_and_covariance(X, ddof=0)
    axes = principal_axes(matrix).components
    u, N = v[U], len(X)
    S_w, S_b = matrix + np.eye(4), np.outer(X[0], X[0])
    both = [axes[0], axes[0]]
    apart = {r"\mathbf{u}_#": axes, "j": range(3, 5), "k": range(1, 3)}
    line = np.linspace(-1, 1, 9)
    scores = PCA().fit_transform(np.column_stack([line, line**2]))
    divisor = np.sum((X[:, 0] - X[:, 0].mean()) ** 2) / np.var(X[:, 0], ddof=1)
    D, K = 5, 3
    W = np.random.default_rng(0).normal(size=(D, K))
    moves = [np.ravel(W @ E.T + E @ W.T) for E in np.eye(D * K).reshape(-1, D, K)]
    three = _spread([6, 3, 1], 7)
    lost = held_out_errors(three, three).mean(axis=0)
    wide = np.random.default_rng(0).normal(size=(50, 200))
    rank = np.linalg.matrix_rank(wide - wide.mean(axis=0))
    shares = 100 * np.array([2.4, 4 - 2.4]) / np.trace(np.eye(4))
    return {
        "lost-marks-largest": Worked(
            {S: matrix, r"\mathbf{u}_#": axes, r"\lambda_#": np.linalg.eigvalsh(matrix)[::-1]}, numbers=[axes[0]]
        ),
        "lost-marks-centre": Worked(
            {r"\operatorname{E}(\mathbf{u}^\top\mathbf{x})^2": np.mean((X @ u) ** 2)}, numbers=[u @ (X.T @ X / N) @ u]
        ),
        "lost-marks-orthogonal": Worked(
            {r"\mathbf{u}_#": axes, "j": range(1, 5)},
            own={r"\mathbf{u}_j^\top\mathbf{u}_k=1": {r"\mathbf{u}_#": both, "j": range(2, 3), "k": range(1, 2)},
                 r"\mathbf{u}_j^\top\mathbf{u}_k=0": apart},
            numbers=[axes[0] @ both[1], np.linalg.norm(axes[0]) * np.linalg.norm(both[1])],
        ),
        "lost-marks-size": Worked(numbers=[np.linalg.norm(axes[1])]),
        "do-not-confuse-methods": Worked(
            {r"\mathbf{S}_w": S_w, r"\mathbf{S}_b": S_b}, numbers=[np.linalg.solve(S_w, S_b)]
        ),
        "what-if-rows": Worked({"N": N}, numbers=[len(np.vstack([X, X])) / N, divisor]),
        "what-if-scale": Worked(numbers=[100]),
        "counterexample-independent": Worked(numbers=[round(np.corrcoef(scores.T)[0, 1], 9)]),
        "counting-numbers": Worked(
            {"D": D, "K": K}, numbers=[W.size + len(W), np.linalg.matrix_rank(np.array(moves))]
        ),
        "convention-divisor": Worked({"N": N}, numbers=[N - divisor, divisor]),
        "quiz-error": Worked(
            numbers=[np.linalg.svd(three)[1] ** 2 / 7, np.sum([6, 3]), lost[2], lost[2] / lost[0],
                     np.linalg.eigvalsh(three.T @ three / 7)[1]],
        ),
        "quiz-rank": Worked({"N": len(wide)}, numbers=[wide.shape, wide.shape[::-1], rank, rank, 200 - 1]),
        "quiz-same": Worked(numbers=[5, 5, np.var(5 * X[:, 0]) / np.var(X[:, 0]), len([X, X])]),
        "quiz-share": Worked(numbers=[2.4, 2.4 * 10, shares[0], np.trace(np.eye(4)), 2.4, shares[1]]),
    }  # fmt: skip
