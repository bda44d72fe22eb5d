"""Exercises on kernel PCA: explicit features, by Cholesky's factor of kernel values or of a quadratic kernel."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.spatial.distance import cdist

from notes_lib.kernels.kernel_methods import center_kernel, rbf_kernel
from notes_lib.reduction.kernel_pca import KernelPCA, normalized_coefficients
from tests.formulas.chapters import values_of
from tests.formulas.values import At
from tests.solutions.ledger import Worked

X, K, H, ONES = r"\mathbf{x}", r"\mathbf{K}", r"\mathbf{H}", r"\mathbf{1}"
CENTRED, ALPHA, PHI = r"\tilde{\mathbf{K}}", r"\boldsymbol\alpha", r"\boldsymbol\phi"


def _off(features):
    return features - features.mean(axis=0)


def _spectrum(features):
    """Squared singular values of centred features."""
    return np.linalg.svd(_off(features), compute_uv=False) ** 2


def _points(number, seed=0):
    return np.random.default_rng(seed).normal(size=(number, 2))


def _centred_rank(kernel):
    return np.linalg.matrix_rank(center_kernel(kernel))


def ex_derivation():
    v = values_of("kernel_pca")
    scores = v["t_{##}"][:, 0]
    return Worked({**v, "t_#": scores}, numbers=[np.linalg.norm(v[r"\tilde{\boldsymbol\phi}_#"].mean(axis=0))])


def ex_two():
    kernel = np.array([[5, 2], [2, 3.0]])
    features = np.linalg.cholesky(kernel)
    mean = features.mean(axis=0)
    left, s, _ = np.linalg.svd(_off(features))
    v = left[:, 0] * np.sign(left[0, 0])
    distance = np.linalg.norm(features[0] - features[1])
    return Worked(
        {f"{X}_#": features, "k": At(np.dot), CENTRED: _off(features) @ _off(features).T, r"\lambda": s[0] ** 2,
         r"\mathbf{v}": v, ALPHA: v / s[0]},
        numbers=[features @ mean, mean @ mean, distance, distance],
    )  # fmt: skip


def ex_new():
    model = KernelPCA(5, kernel="poly", degree=2, gamma=1.0).fit(_points(7))
    alpha = normalized_coefficients(model.eigenvalues_, model.eigenvectors_)
    ones = np.ones(7)
    lost = np.linalg.norm(center_kernel(np.eye(7)) @ ones)
    return Worked(
        {r"\lambda": model.eigenvalues_[-1], "n": range(1, 8), r"\alpha_#": alpha[:, 0], ONES: ones},
        numbers=[0, np.abs(alpha.sum(axis=0)).max(), lost, ones, 0],
    )


def ex_linear():
    rows = _off(np.random.default_rng(0).normal(size=(4, 6)))
    values, U = np.linalg.eigh(rows @ rows.T)
    values, U = values[:0:-1], U[:, :0:-1]  # without the direction of ones
    s = np.linalg.svd(rows, compute_uv=False)[:3]
    return Worked(
        {r"\mathbf{X}": rows, CENTRED: center_kernel(rows @ rows.T), r"\mathbf{U}": U, r"\mathbf{S}": np.diag(s),
         r"\mathbf{V}": rows.T @ U / s, r"\lambda_#": values, "s_#": s, "j": range(1, 4)},
        numbers=[np.linalg.norm(rows.mean(axis=0))],
    )  # fmt: skip


def ex_distances():
    v = values_of("kernel_pca")
    x, z = _points(2)
    near, far = (np.linalg.cholesky(rbf_kernel([x, z + shift])) for shift in (0, 100))
    apart = lambda features: np.sum((features[0] - features[1]) ** 2)
    scale = np.sum(center_kernel(v[K]) ** 2) / np.sum(center_kernel(v[K]) * center_kernel(v[r"\boldsymbol\Delta"]))
    rbf = {r"\Delta": apart(near), "k": At(lambda x, z: rbf_kernel([x], [z])[0, 0]), X: x, r"\mathbf{z}": z}
    return Worked(
        {**v, r"\mathbf{d}": np.diag(v[K]), r"\mathbf{0}": np.zeros(len(v[K]))},
        own={r"\Delta=2-2k(\mathbf{x},\mathbf{z})": rbf},
        numbers=[apart(far)],
        known=[scale],
    )


def ex_preimage():
    line, x, z = np.array([-1, 1.0]), 0.3, 0.8
    features = lambda x: np.array([x, x**2])
    mean = np.mean([features(x) for x in line], axis=0)
    gap = lambda z: np.sum((features(z) - mean) ** 2)
    best = [minimize_scalar(gap, bounds=ends, options={"xatol": 1e-12}).x for ends in ((-2, 0), (0, 2))]
    demanded = mean[0]
    return Worked(
        {"k": At(lambda x, z: features(x) @ features(z)), "x": x, "z": z, r"\bar{\boldsymbol\phi}": mean},
        own={"z=0": {"z": demanded}, r"z=\pm\frac{1}{\sqrt2}": {"z": round(best[0], 7)}},
        numbers=[features(x), line, features(demanded)[1], mean[1], gap(z),
                 round((gap(z + 1e-5) - gap(z - 1e-5)) / 2e-5, 7)],
    )  # fmt: skip


def ex_code():
    v = values_of("kernel_pca")
    entry = lambda matrix: center_kernel(matrix)[0, 1]
    return Worked(numbers=[entry(v[K]) / entry(v[r"\boldsymbol\Delta"])])


def cards():
    v = values_of("kernel_pca")
    kernel, alpha, points = v[K], v[r"\alpha_{##}"], _points(7)
    N = len(kernel)
    features = _points(N, 1)
    ones, mean = np.ones(N), np.full((N, N), 1 / N)
    spectrum = _spectrum(features)
    twice = _spectrum(np.vstack([features, features])) / spectrum
    tripled = _spectrum(3 * features) / spectrum
    length = lambda eigenvalue: normalized_coefficients([eigenvalue], [[1.0]])[0, 0]
    many = _points(50)
    narrow = rbf_kernel(many, gamma=1e4)
    scores = _off(features) @ np.linalg.svd(_off(features))[2][0]
    entries = np.linalg.svd(_off(features))[0][0, 0] / np.linalg.svd(_off(np.vstack([features, features])))[0][0, 0]
    diagonal = np.linalg.eigvalsh(kernel + 3 * np.eye(N)) - np.linalg.eigvalsh(kernel)
    return {
        "lost-marks-ones": Worked(
            {CENTRED: v[CENTRED], K: kernel, r"\mathbf{I}": np.eye(N), ONES: np.ones((N, N)), "N": N, H: v[H]},
            own={r"\tilde{\mathbf{K}}=(\mathbf{I}-\mathbf{1})\mathbf{K}(\mathbf{I}-\mathbf{1})": {
                    CENTRED: v[CENTRED], K: kernel, r"\mathbf{I}": np.eye(N), ONES: mean},  # what the entries should be
                 r"\mathbf{H}=\mathbf{I}-\frac1N\mathbf{1}\mathbf{1}^\top": {
                    H: v[H], r"\mathbf{I}": np.eye(N), "N": N, ONES: ones}},
            numbers=[np.ones((N, N)), 1, np.linalg.norm(v[CENTRED].sum(axis=0)), mean[0, 0]],
        ),
        "lost-marks-length": Worked(numbers=[np.linalg.norm(v[r"\mathbf{v}_#"][:2], axis=1)]),
        "lost-marks-new": Worked(numbers=[np.ptp(kernel[:1], axis=0)[0]]),
        "do-not-confuse-methods": Worked(
            {H: v[H], r"\boldsymbol\Delta": v[r"\boldsymbol\Delta"]}, numbers=[v[CENTRED]]
        ),
        "what-if-twice": Worked(numbers=[twice[0]]),
        "what-if-scaled": Worked(numbers=[9, tripled[0], tripled[0] ** 0.5, length(1) / length(9)]),
        "counting": Worked(
            {"N": N, X: points[0], r"\mathbf{z}": points[1]},
            numbers=[np.linalg.matrix_rank(v[H]), np.linalg.matrix_rank(v[CENTRED]),
                     v[PHI](points[0]) @ v[PHI](points[1]), _centred_rank(rbf_kernel(points))],
        ),
        "convention-eigenvalue": Worked(
            {"N": N, r"\lambda": spectrum[0]}, numbers=[np.sum(scores**2) / np.var(scores, ddof=1), np.cov(scores)]
        ),
        "quiz-length": Worked(
            {r"\lambda": 16}, numbers=[16, length(1), length(16) ** 2, length(16) ** 2, length(16), 16]
        ),
        "quiz-count": Worked(
            numbers=[len(many), np.linalg.matrix_rank(narrow), _centred_rank(narrow), _centred_rank(many @ many.T),
                     50 - 2],
        ),
        "quiz-constant": Worked(numbers=[3, diagonal[0], diagonal[1]]),
        "quiz-new": Worked(numbers=[np.abs(alpha.sum(axis=0)).max(), cdist([[0, 0]], [[1e3, 0]], lambda a, b: np.exp(
            -np.sum((a - b) ** 2)))]),
        "tf-twice": Worked(numbers=[twice[0], abs(entries)]),
    }  # fmt: skip
