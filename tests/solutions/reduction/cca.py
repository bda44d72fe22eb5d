"""Exercises on canonical correlation: rows that have the covariances of a task, angles of spaces, counts in noise."""

import numpy as np
from scipy.linalg import subspace_angles
from sklearn.linear_model import LinearRegression

from notes_lib.linear.fisher_lda import FisherDiscriminant
from notes_lib.reduction.cca import canonical_pairs
from tests.formulas.chapters import Chapter
from tests.solutions.ledger import Worked

A, B = r"\mathbf{a}", r"\mathbf{b}"
CXX, CYY, CXY, CYX = (rf"\mathbf{{C}}_{{{name}}}" for name in ("xx", "yy", "xy", "yx"))


def _of_chapter():
    return Chapter.of("cca").instances[0]


def _noise(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def _rows(C, N=9):
    """Centred rows with a given covariance, divisor N - 1."""
    Q = np.linalg.qr(_noise(N, len(C)) - _noise(N, len(C)).mean(axis=0))[0]
    return Q @ np.linalg.cholesky(C).T * np.sqrt(N - 1)


def _axis(matrix, number):
    """An eigenvector with the first entry 1, from the largest eigenvalue on."""
    vector = np.linalg.eigh(matrix)[1][:, -number]
    return vector / vector[0]


def _certain(N, p, q):
    """How many correlations of noise are 1."""
    return int(np.sum(canonical_pairs(_noise(N, p), _noise(N, q, seed=1)).values > 1 - 1e-9))


def _product():
    """The matrix whose eigenvalues are the squared correlations, by solving."""
    v = _of_chapter().values
    return np.linalg.solve(v[CXX], v[CXY]) @ np.linalg.solve(v[CYY], v[CYX])


def _variance(direction, matrix):
    """Variance of the scores of rows with this covariance."""
    return np.var(_rows(matrix) @ direction, ddof=1)


def ex_derive():
    v = _of_chapter()
    charged = v.own["cca-lagrangian"]
    lagrangian = (
        r"\mathbf{a}^\top\mathbf{C}_{xy}\mathbf{b}-\frac\alpha2(\mathbf{a}^\top\mathbf{C}_{xx}\mathbf{a}-1)"
        r"-\frac\beta2(\mathbf{b}^\top\mathbf{C}_{yy}\mathbf{b}-1)"
    )
    spread = [
        np.var(v.values[view] @ v.values[side], ddof=1) for view, side in ((r"\mathbf{X}", A), (r"\mathbf{Y}", B))
    ]
    return Worked(
        v.values,
        own={lagrangian: {**v.values, **charged}},
        numbers=[spread[0], charged[r"\mathcal{L}"], spread[1], 0],
    )


def ex_symmetric():
    within, between = np.array([[1, 0.5], [0.5, 1]]), np.array([[0.5, 0.4], [0.4, 0.5]])
    rows = _rows(np.block([[within, between], [between.T, within]]))
    found = canonical_pairs(rows[:, :2], rows[:, 2:])
    signs = np.sign(found.x_directions[0])
    same, other = _axis(within, 1), _axis(within, 2)
    table = np.corrcoef(rows.T)[:2, 2:]
    values = np.linalg.eigvalsh(between)
    return Worked(
        {CXX: within, CYY: within, CXY: between, r"\rho_#": found.values,
         r"\mathbf{a}_#": (found.x_directions * signs).T, r"\mathbf{b}_#": (found.y_directions * signs).T},
        numbers=[1, same, np.linalg.eigvalsh(within)[1], values[1], other, np.linalg.eigvalsh(within)[0], values[0],
                 same, other, table.max(), found.values[0]],
        known=[_variance(same, within), _variance(other, within)],
    )  # fmt: skip


def ex_invariance():
    return Worked(numbers=[np.linalg.norm(np.linalg.svd(_noise(3, 3))[2][0])])


def ex_dimension():
    N, p = 40, 18
    centring = np.eye(N) - 1 / N
    bound = np.linalg.matrix_rank(centring)
    ones = np.linalg.svd(centring)[2][-1]
    assert _certain(N, p, p) == 0
    return Worked(
        {"N": N, r"(1,\dots,1)": ones / ones[0]},
        numbers=[30, 20, 15, 1, N, 2, p, 0.98, np.ones(N), bound, bound, 1, p + p, bound],
        known=[_certain(30, 20, 15)],
    )


def ex_fisher():
    y = np.repeat([0, 1], [4, 6])
    X = _noise(10, 2)
    for c in (0, 1):
        X[y == c] -= X[y == c].mean(axis=0)
    apart = np.array([1, 0.4])
    gamma = lambda shift: FisherDiscriminant().fit(X + np.outer(y, shift), y).eigenvalues_[0]
    X = X + np.outer(y, apart) * np.sqrt(3 / gamma(apart))  # the eigenvalue of the task
    off = X - X.mean(axis=0)
    predicted = LinearRegression().fit(np.eye(2)[y], off).predict(np.eye(2)[y])
    rho = float(np.cos(subspace_angles(off, (y - y.mean())[:, None]))[0])
    S_w, S_b = (off - predicted).T @ (off - predicted), predicted.T @ predicted
    return Worked(
        {r"\gamma": FisherDiscriminant().fit(X, y).eigenvalues_[0], r"\rho": rho, r"\rho_#": [rho], "N": len(X),
         r"\mathbf{S}_b": S_b, r"\mathbf{S}_w": S_w, CXX: np.cov(X.T), A: canonical_pairs(X, y).x_directions[:, 0]},
        numbers=[LinearRegression().fit(X, y).score(X, y), rho,
                 np.cov(predicted.T)],
    )  # fmt: skip


def cards():
    v = _of_chapter().values
    product = _product()
    white = np.linalg.svd(v[r"\mathbf{K}"])[0]
    N, p, q, K = 9, 6, 5, 4
    pairs = len(canonical_pairs(_noise(N, p), _noise(N, q)).values)
    classes = np.eye(K)[np.arange(40) % K]
    most = len(canonical_pairs(_noise(40, p), classes).values)
    scores = _noise(N)
    direction = lambda ddof: 1 / scores.std(ddof=ddof)
    divisor = np.sum((scores - scores.mean()) ** 2) / scores.var(ddof=1)
    C, kappa = np.array([[2, 0.3], [0.3, 1]]), 0.3
    mixed = C - kappa * (C - np.eye(2))
    ridge = mixed[0, 0] * C[0, 1] / mixed[0, 1] - C[0, 0]  # what is added to the diagonal in units of C
    columns = [np.linalg.matrix_rank(_noise(200, size)) for size in (5, 3)]
    x, y = _noise(N, 2), _noise(N, seed=1)
    views = canonical_pairs(_noise(200, 5), _noise(200, 3, seed=1)).values
    parabola = np.linspace(-1, 1, 9)
    nothing = round(canonical_pairs(parabola, parabola**2).values[0], 9)
    return {
        "lost-marks-training": Worked(numbers=[0.99]),
        "lost-marks-square": Worked(v, numbers=[product]),
        "lost-marks-orthogonal": Worked(
            v, own={r"\mathbf{a}_1^\top\mathbf{a}_2=0": {r"\mathbf{a}_#": white.T}}  # where it would hold
        ),
        "lost-marks-independent": Worked(numbers=[nothing]),
        "what-if-ridge": Worked({r"\lambda": 1e-9}),
        "counting-pairs": Worked(
            {"N": N, "p": p, "q": q, "K": K, "r_x": p, "r_y": q},
            numbers=[pairs, most, _certain(N, p, q), 1],
        ),
        "convention-lengths": Worked(
            {"N": N},
            numbers=[np.var(scores * direction(1), ddof=1), np.linalg.norm(white[:, 0]), divisor,
                     direction(0) / direction(1)],
        ),
        "convention-ridge": Worked(
            {"N": N, r"\mathbf{C}": C, r"\mathbf{I}": np.eye(2), r"\kappa": kappa, r"\lambda": ridge},
            numbers=[divisor, mixed],
        ),
        "quiz-pairs": Worked(
            numbers=[200, *columns, columns[0], len(views), sum(columns), np.prod(columns)]
        ),
        "quiz-certain": Worked(
            {"N": 20},
            numbers=[20, 12, 10, 1, _certain(23, 12, 10), np.linalg.matrix_rank(np.eye(20) - 1 / 20), 12 + 10 - 20,
                     len(canonical_pairs(_noise(20, 12), _noise(20, 10)).values),
                     np.linalg.matrix_rank(np.eye(20) - 1 / 20), _certain(20, 12, 10), _certain(20, 12, 10)],
        ),
        "quiz-change": Worked(numbers=[5]),
        "quiz-scores": Worked(numbers=[1 / len(["within", "between"]), np.linalg.norm(white[:, 0])]),
        "tf-regression": Worked(
            {"R": canonical_pairs(x, y).values[0]}, numbers=[LinearRegression().fit(x, y).score(x, y)]
        ),
        "tf-square": Worked(v, numbers=[product]),
        "tf-independent": Worked(numbers=[nothing]),
    }  # fmt: skip
