"""Exercises on the singular value decomposition: eigenvalues and NumPy's norms, ranks and shapes by counting."""

import inspect

import numpy as np

from notes_lib.datasets import load_china
from notes_lib.reduction.svd import low_rank_approximation, power_step, svd_power
from tests.formulas.chapters import values_of
from tests.solutions.ledger import Worked

A, E = r"\mathbf{A}", r"\mathbf{E}"


def _distance(matrix, k, order=None):
    """How far the best matrix of rank k is away, by the matrix itself."""
    return np.linalg.norm(matrix - low_rank_approximation(matrix, k), order)


def _shrinks(matrix, power):
    """What one application does to a tangent: the quotient of two entries, where the axes are the eigenvectors."""
    x = np.linalg.matrix_power(matrix, power) @ np.ones(2)
    return abs(x[1] / x[0])


def ex_first():
    values = values_of("svd")
    matrix = values[A]
    squares, axes = np.linalg.eigh(matrix.T @ matrix)
    v, s, phi = axes[:, -1], squares[-1] ** 0.5, 0.4
    u = matrix @ v / s
    w = np.linalg.svd(v[None])[2][2]  # orthogonal to v
    turned = lambda angle: np.cos(angle) * v + np.sin(angle) * w
    slope = lambda w: (np.sum((matrix @ (v + 1e-6 * w)) ** 2) - np.sum((matrix @ (v - 1e-6 * w)) ** 2)) / 2e-6
    apart = np.array([0.3, 0.5, -0.2, 0.1])  # not orthogonal, so that the slope is not zero
    cosines = {r"\cos\phi": np.cos(phi), r"\sin\phi": np.sin(phi), r"\cos^2\phi": (1 + np.cos(2 * phi)) / 2,
               r"\sin^2\phi": (1 - np.cos(2 * phi)) / 2}  # fmt: skip
    steep = round(slope(apart), 6)
    assert abs(slope(w)) < 1e-6
    both = lambda angle: np.cos(angle) * v + np.sin(angle) * apart
    general = {A: matrix, r"\mathbf{v}_#": {1: v}, r"\sigma_#": {1: s}, r"\mathbf{u}_#": {1: u}, r"\mathbf{w}": apart,
               **cosines}  # fmt: skip
    square = (
        r"\cos^2\phi\lVert\mathbf{A}\mathbf{v}_1\rVert^2+2\sin\phi\cos\phi(\mathbf{A}\mathbf{v}_1)^\top\mathbf{A}\mathbf{w}"
        r"+\sin^2\phi\lVert\mathbf{A}\mathbf{w}\rVert^2"
    )
    derivative = r"2\sigma_1\mathbf{u}_1^\top\mathbf{A}\mathbf{w}"
    return Worked(
        {A: matrix, r"\mathbf{v}_#": {1: v}, r"\mathbf{u}_#": {1: u}, r"\sigma_#": {1: s}, r"\mathbf{w}": w,
         r"\mathbf{0}": 0 * matrix, **cosines, r"\phi": 0},
        own={derivative: general, square: general},
        numbers=[v, 0 * matrix, u, v, turned(phi), turned(phi) @ turned(phi), np.sum((matrix @ both(phi)) ** 2),
                 steep, np.linalg.norm(w), np.linalg.pinv(matrix) @ u * s**2, v, v, v, u],
    )  # fmt: skip


def ex_weyl():
    values = values_of("svd")
    matrix, B, k = values[A], values[r"\mathbf{B}"], values["k"]
    singular = lambda X: [*np.linalg.svd(X, compute_uv=False), *[0.0] * 9]
    of_matrix = {i: lambda X, i=i: float(singular(X)[i - 1]) for i in range(1, 9)}
    sizes = np.linalg.eigvalsh((matrix - B).T @ (matrix - B))[::-1]
    total = np.trace((matrix - B).T @ (matrix - B))
    rest = np.r_[np.linalg.eigvalsh(matrix.T @ matrix)[::-1][k:], np.zeros(9)]
    index = range(1, 5)
    return Worked(
        {A: matrix, r"\mathbf{B}": B, "k": k, "j": k + 1, "i": index, r"\sigma_#": of_matrix,
         r"\lVert\mathbf{A}-\mathbf{B}\rVert_F": total**0.5},
        numbers=[np.sqrt(np.maximum(0, sizes)), np.linalg.det(B[:2, :2]), total, sizes, rest[:4]],
    )  # fmt: skip


def ex_code():
    values = values_of("svd")
    found = svd_power(values[A], 2)
    u, s, Vt = found
    tolerance = inspect.signature(svd_power).parameters["tol"].default
    return Worked(
        {A: values[A], r"\sigma_#": s, r"\mathbf{u}_#": u.T, r"\mathbf{v}_#": Vt},
        numbers=[s[0], u[:, 0], Vt[0], tolerance, Vt[1], values[A] - low_rank_approximation(values[A], 1),
                 np.linalg.norm(Vt[0]), Vt[0], Vt[0]],
    )  # fmt: skip


def cards():
    values = values_of("svd")
    pixels = load_china()[:426].mean(axis=2).reshape(213, 2, 320, 2)
    photo = pixels.mean(axis=(1, 3)) / 255
    energy = round(100 * (1 - _distance(photo, 1) ** 2 / np.sum(photo**2)))
    wide = np.random.default_rng(0).normal(size=(5, 3)) @ np.random.default_rng(1).normal(size=(3, 4))
    U = np.linalg.svd(wide)[0]
    thin = np.linalg.svd(wide, full_matrices=False)[0]
    rank = np.linalg.matrix_rank(wide)
    square = np.diag([5, 3, 1.0])
    two, slow = np.diag([6, 3.0]), np.diag([6, -3.0])
    there_and_back = power_step(two, np.ones(2))[2]
    N, D, k = 6, 4, 2
    kept = lambda k: np.zeros((N, k)).size + k + np.zeros((k, D)).size
    E_ = values[E]
    error = np.linalg.norm(values[A] - low_rank_approximation(values[A], 2))
    twice = np.linalg.norm(np.vstack([wide, wide]), 2) / np.linalg.norm(wide, 2)
    spectrum = np.linalg.svd(np.random.default_rng(2).normal(size=(9, 7)), compute_uv=False)
    singular = np.array([[1, 2], [2, 4.0]])
    nothing = np.linalg.det(singular)
    return {
        "lost-marks-frobenius": Worked(  # a single value is dropped
            {r"\lVert\mathbf{A}-\mathbf{A}_k\rVert_F": error, r"\sigma_#": values[r"\sigma_#"], "k": 2}
        ),
        "lost-marks-rate": Worked(
            {r"\sigma_#": [6, 3], r"\lambda_#": [6, -3]},
            numbers=[_shrinks(two, 1), there_and_back[1] / there_and_back[0], _shrinks(slow, 1)],
        ),
        "lost-marks-threshold": Worked(numbers=[nothing, nothing]),
        "lost-marks-energy": Worked(numbers=[energy, np.linalg.matrix_rank(low_rank_approximation(photo, 1)), energy]),
        "do-not-confuse-eigen": Worked({E: E_}, numbers=[np.linalg.eigvalsh(E_.T @ E_)[-1] ** 0.5]),
        "do-not-confuse-pca": Worked(numbers=[nothing]),
        "what-if-twice": Worked(numbers=[twice]),
        "what-if-scale": Worked(numbers=[100]),
        "what-if-rank": Worked(
            {r"\mathbf{A}_#": {0: 0 * wide}, r"\mathbf{0}": 0 * wide}, numbers=[0, round(_distance(wide, rank), 9)]
        ),
        "what-if-rounds": Worked(
            {"q": 0, r"\sigma_#": spectrum, "k": 2, "p": 3}, numbers=[0, _distance(np.diag(spectrum), 5, 2)]
        ),
        "counting-numbers": Worked(
            {"N": N, "D": D, "k": k},
            numbers=[kept(k), N * D / kept(1), np.linalg.norm(thin[:, 0])],
            own={r"k<\frac{ND}{N+D+1}": {"N": N, "D": D, "k": max(k for k in range(D) if kept(k) < N * D)}},
        ),
        "convention-thin": Worked(numbers=[wide.size, rank, U.size, thin.size, thin[:, :rank].size]),
        "quiz-error": Worked(
            numbers=[np.diag(square), 1, _distance(square, 1, 2), 3 + 1, _distance(square, 1), _distance(square, 1),
                     np.linalg.norm(square, 2)],
        ),
        "quiz-rate": Worked(
            numbers=[6, 3, 1 / _shrinks(two, 1), 2, 1 / _shrinks(two, 2), there_and_back[0] / there_and_back[1],
                     1 / _shrinks(two, 3), 1 / _shrinks(two, 4), 6 - 3],
        ),
        "quiz-invariant": Worked(numbers=[2]),
        "quiz-shortest": Worked(numbers=[np.linalg.norm(singular @ [2, -1])]),
        "tf-symmetric": Worked({r"\mathbf{I}": np.eye(3)}, numbers=[np.linalg.norm(-np.eye(3), 2)]),
        "tf-sum": Worked({"i": 1, "j": 1}),
    }  # fmt: skip
