"""Linear algebra: published numbers, independent routes, laws, extremes, errors."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from notes_lib.datasets import load_iris, load_longley
from notes_lib.foundations.linear_algebra import (
    block_inverse,
    cholesky_solve,
    condition_number,
    generalized_eigh,
    householder_qr,
    project,
    qr_solve,
    rayleigh_gradient,
    rayleigh_quotient,
    schur_complement,
    svd_solve,
)
from notes_lib.numerics import BLOCK, NotPositiveDefiniteError, central_difference, cholesky_factor

# NIST Statistical Reference Datasets, Longley, certified to 15 digits
LONGLEY = [-3482258.63459582, 15.0618722713733, -0.0358191792925910, -2.02022980381683, -1.03322686717359,
           -0.0511041056535807, 1829.15146461355]  # fmt: skip

SOLVERS = [qr_solve, lambda X, y: svd_solve(X, y).w]


def longley():
    data = load_longley()
    return np.column_stack([np.ones(16), data.X]), data.y.astype(float)


def digits(w, exact):
    """Correct digits of the worst entry."""
    return -np.log10(np.max(np.abs((w - exact) / exact)))


def spd(seed, d):
    A = np.random.default_rng(seed).normal(size=(d + 3, d))
    return A.T @ A


def symmetric(seed, d):
    A = np.random.default_rng(seed + 1).normal(size=(d, d))
    return A + A.T


def exact_inverse(M):
    """Inverse of an integer matrix in fractions, by Gauss-Jordan."""
    p = len(M)
    A = [[Fraction(int(v)) for v in row] + [Fraction(int(i == j)) for j in range(p)] for i, row in enumerate(M)]
    for i in range(p):
        k = next(k for k in range(i, p) if A[k][i])
        A[i], A[k] = A[k], A[i]
        A[i] = [a / A[i][i] for a in A[i]]
        for k in range(p):
            if k != i:
                A[k] = [a - A[k][i] * b for a, b in zip(A[k], A[i], strict=True)]
    return np.array([[float(a) for a in row[p:]] for row in A])


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("linear-algebra-projector", "linear-algebra-projector-q", "linear-algebra-qr-solve")
def test_strang_projection_on_a_plane():
    # Strang, Introduction to Linear Algebra, section 4.2: b = (6, 0, 0) on the plane of (1, 1, 1) and (0, 1, 2)
    X, y = np.array([[1.0, 0], [1, 1], [1, 2]]), np.array([6.0, 0, 0])
    assert_allclose(project(X, y), [5, 2, -1], rtol=0, atol=1e-14)
    assert_allclose(y - project(X, y), [1, -2, 1], rtol=0, atol=1e-14)
    for solve in SOLVERS:
        assert_allclose(solve(X, y), [5, -3], rtol=0, atol=1e-14)


@pytest.mark.equation("linear-algebra-projection-line")
def test_strang_projection_on_a_line():
    # Strang, section 4.2: b = (1, 1, 1) on the line through (1, 2, 2) is 5/9 of it
    assert_allclose(project([1.0, 2, 2], [1.0, 1, 1]), np.array([5, 10, 10]) / 9, rtol=1e-14)


@pytest.mark.equation("linear-algebra-qr", "linear-algebra-householder")
def test_wikipedia_qr():
    # Wikipedia, QR decomposition, the example of all three methods
    Q, R = householder_qr([[12.0, -51, 4], [6, 167, -68], [-4, 24, -41]])
    assert_allclose(R, [[14, 21, -14], [0, 175, -70], [0, 0, 35]], rtol=0, atol=1e-12)
    assert_allclose(175 * Q, [[150, -69, -58], [75, 158, 6], [-50, 30, -165]], rtol=0, atol=1e-12)


@pytest.mark.equation("linear-algebra-qr", "linear-algebra-householder")
def test_strang_gram_schmidt():
    # Strang, section 4.4: (1, -1, 0), (2, 0, -2), (3, -3, 3)
    R = householder_qr(np.array([[1.0, -1, 0], [2, 0, -2], [3, -3, 3]]).T).R
    assert_allclose(R**2 * np.sign(R), [[2, 2, 18], [0, 6, -6], [0, 0, 3]], rtol=0, atol=1e-13)


@pytest.mark.equation("linear-algebra-cholesky-solve")
def test_wikipedia_cholesky():
    # Wikipedia, Cholesky decomposition: L = [[2], [6, 1], [-8, 5, 3]]
    A = np.array([[4.0, 12, -16], [12, 37, -43], [-16, -43, 98]])
    L = np.array([[2.0, 0, 0], [6, 1, 0], [-8, 5, 3]])
    assert_allclose(cholesky_solve(A, L @ L.T @ [1.0, -2, 3]), [1, -2, 3], rtol=0, atol=1e-10)


@pytest.mark.equation("linear-algebra-generalized", "linear-algebra-spectral")
def test_johnson_wichern_principal_components():
    # Johnson and Wichern, Applied Multivariate Statistical Analysis, example 8.1: eigenvalues 5.83, 2, 0.17
    values, W = generalized_eigh([[1.0, -2, 0], [-2, 5, 0], [0, 0, 2]])
    assert_allclose(values, [3 + np.sqrt(8), 2, 3 - np.sqrt(8)], rtol=1e-14)
    assert_allclose(W[:, 0], [-0.383, 0.924, 0], rtol=0, atol=5e-4)
    assert_allclose(W[:, 2], [0.924, 0.383, 0], rtol=0, atol=5e-4)


@pytest.mark.equation("linear-algebra-svd", "linear-algebra-pseudo-inverse")
def test_lihang_singular_values():
    # Li Hang, Statistical Learning Methods (2nd ed.), examples 15.1 and 15.5
    A = np.array([[1.0, 0, 0, 0], [0, 0, 0, 4], [0, 3, 0, 0], [0, 0, 0, 0], [2, 0, 0, 0]])
    found = svd_solve(A, np.eye(5))
    assert_allclose(found.singular_values, [4, 3, np.sqrt(5), 0], rtol=0, atol=1e-14)
    assert found.rank == 3
    expected = [[0.2, 0, 0, 0, 0.4], [0, 0, 1 / 3, 0, 0], [0, 0, 0, 0, 0], [0, 0.25, 0, 0, 0]]
    assert_allclose(found.w, expected, rtol=0, atol=1e-14)
    small = svd_solve([[1.0, 1], [2, 2], [0, 0]], np.zeros(3))
    assert_allclose(small.singular_values, [np.sqrt(10), 0], rtol=0, atol=1e-15)


@pytest.mark.equation("linear-algebra-qr-solve", "linear-algebra-cond-squared")
def test_longley_certified():
    X, y = longley()
    normal = np.linalg.solve(X.T @ X, X.T @ y)
    for solve in SOLVERS:
        assert_allclose(solve(X, y), LONGLEY, rtol=1e-9)
        assert digits(solve(X, y), LONGLEY) > digits(normal, LONGLEY) + 1  # measured: 11 or more against about 7
    assert_allclose(cholesky_solve(X.T @ X, X.T @ y), LONGLEY, rtol=1e-3)


@pytest.mark.equation("linear-algebra-condition", "linear-algebra-cond-squared")
def test_published_condition_numbers():
    # Hilbert matrices of order 3 and 5: Higham (2002), table 28.1
    for d, expected in [(3, 5.2406e2), (5, 4.7661e5)]:
        H = 1 / (1.0 + np.arange(d) + np.arange(d)[:, None])
        assert_allclose(condition_number(H, scaled=False), expected, rtol=2e-5)
        assert_allclose(condition_number(H.T @ H, scaled=False), condition_number(H, scaled=False) ** 2, rtol=1e-4)
    # Belsley, Kuh and Welsch (1980) give 43 275 for Longley's data with a constant, columns at length 1
    assert_allclose(condition_number(longley()[0]), 43275, rtol=1e-4)


@pytest.mark.equation("linear-algebra-condition")
@pytest.mark.parametrize("seed", range(4))
def test_condition_number_by_eigenvalues_of_correlations(seed):
    X = np.random.default_rng(seed).normal(size=(9, 4)) * [1.0, 1e-5, 1e3, 7.0]
    cosines = X.T @ X / np.sqrt(np.outer((X**2).sum(axis=0), (X**2).sum(axis=0)))
    low, *_, high = np.linalg.eigvalsh(cosines)
    assert_allclose(condition_number(X), np.sqrt(high / low), rtol=1e-9)
    assert_allclose(condition_number(X, scaled=False), np.linalg.cond(X), rtol=1e-6)
    assert_allclose(condition_number(X * [1e-180, 1.0, 1e150, 1.0]), condition_number(X), rtol=1e-9)  # units


def test_condition_number_of_extremes():
    assert_allclose(condition_number(np.diag([1.0, 1e9, 1e-9])), 1.0)
    dependent = np.random.default_rng(0).normal(size=(7, 3))
    dependent[:, 2] = dependent[:, 0] - 3 * dependent[:, 1]
    for X in (dependent, np.eye(2, 3) + 1.0, np.array([[1.0, 0.0], [2.0, 0.0]])):
        assert condition_number(X) == condition_number(X, scaled=False) == np.inf
    near = np.array([[3.0, 3 - 4e-12], [4.0, 4 + 3e-12]])  # angle 1e-12: far above rounding
    assert_allclose(condition_number(near), 2e12, rtol=1e-3)


@pytest.mark.equation("linear-algebra-ls-perturbation")
@pytest.mark.parametrize("size", [0.0, 1.0])
def test_a_large_residual_squares_the_condition_number(size):
    # first-order change of w under X + t E: rank one E = e v' is the worst direction for the residual
    t, eps = 1e-9, 1e-3
    X = np.array([[1.0, 1.0], [eps, 0.0], [0.0, eps], [0.0, 0.0]])
    e = np.array([0.0, 0.0, 0.0, size])
    v = np.array([1.0, -1.0]) / np.sqrt(2)
    moved = qr_solve(X + t * np.outer([0.0, 0.0, 0.0, 1.0], v), X @ [1.0, 1.0] + e)
    kappa, largest = condition_number(X, scaled=False), np.sqrt(2 + eps**2)
    expected = t / largest * kappa**2 * size / (largest * np.sqrt(2))  # relative; the first term vanishes here
    assert_allclose(np.linalg.norm(moved - 1) / np.sqrt(2), expected, rtol=1e-3, atol=1e-12)


@pytest.mark.equation("linear-algebra-minors")
@pytest.mark.parametrize("seed", range(4))
def test_leading_minors_are_products_of_squared_pivots(seed):
    A = spd(seed, 5)
    pivots = np.diag(cholesky_factor(A)) ** 2
    assert_allclose([np.linalg.det(A[:k, :k]) for k in range(1, 6)], np.cumprod(pivots), rtol=1e-9)


@pytest.mark.equation("linear-algebra-inverse-two", "linear-algebra-eigenvector-two", "linear-algebra-eigen-two")
@pytest.mark.parametrize("seed", range(4))
def test_two_by_two_by_pencil(seed):
    a, b, c = np.random.default_rng(seed).integers(1, 9, size=3).astype(float)
    d = c + 10
    A = [[a, b], [b, d]]
    assert_allclose(block_inverse(A, [0]), np.array([[d, -b], [-b, a]]) / (a * d - b * b), rtol=1e-12)
    values, W = generalized_eigh(A)
    for value, w in zip(values, W.T, strict=True):
        assert_allclose(value**2 - (a + d) * value + a * d - b * b, 0, atol=1e-10)
        assert_allclose(w[0] * (value - a) - w[1] * b, 0, atol=1e-12)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("linear-algebra-normal", "linear-algebra-qr-solve", "linear-algebra-pseudo-inverse")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", [(7, 7), (9, 4), (40, 3), (5, 1)])
def test_least_squares_as_numpy(seed, shape):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=shape), rng.normal(size=(shape[0], 3))
    expected = np.linalg.lstsq(X, Y, rcond=None)[0]
    for solve in SOLVERS:
        assert_allclose(solve(X, Y), expected, rtol=1e-9, atol=1e-11)
        assert_allclose(solve(X, Y[:, 1]), expected[:, 1], rtol=1e-9, atol=1e-11)
    assert_allclose(project(X, Y), X @ expected, rtol=1e-9, atol=1e-11)
    Q, R = householder_qr(X)
    assert_allclose(scipy.linalg.solve_triangular(R, Q.T @ Y), expected, rtol=1e-9, atol=1e-11)


@pytest.mark.equation("linear-algebra-pseudo-inverse")
@pytest.mark.parametrize("shape", [(4, 9), (9, 4), (30, 4)])
def test_minimum_norm_as_pinv(shape):
    rng = np.random.default_rng(shape[0])
    X = rng.normal(size=(shape[0], 2)) @ rng.normal(size=(2, shape[1]))
    found = svd_solve(X, np.eye(shape[0]))
    assert_allclose(found.w, np.linalg.pinv(X), rtol=1e-8, atol=1e-12)
    assert found.rank == 2
    assert_allclose(found.singular_values[:2], np.linalg.svd(X)[1][:2], rtol=1e-12)


@pytest.mark.equation("linear-algebra-schur", "linear-algebra-block-inverse")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("eliminate", [[0], [3, 1], [4, 2, 0, 1]])
def test_block_inverse_in_fractions(seed, eliminate):
    M = np.random.default_rng(seed).integers(-5, 6, size=(5, 5)) + 9 * np.eye(5, dtype=int)
    inverse = exact_inverse(M)
    assert_allclose(block_inverse(M, eliminate), inverse, rtol=1e-11, atol=1e-13)
    rest = [i for i in range(5) if i not in eliminate]
    # the inverse of the Schur complement is the block of the inverse that belongs to the rest
    assert_allclose(np.linalg.inv(schur_complement(M, eliminate)), inverse[np.ix_(rest, rest)], rtol=1e-10, atol=1e-12)


@pytest.mark.equation("linear-algebra-schur")
def test_schur_complement_is_what_gaussian_elimination_leaves():
    M = np.random.default_rng(0).normal(size=(4, 4))
    U = M.copy()
    for k in range(2):
        for i in range(k + 1, 4):
            U[i] -= U[i, k] / U[k, k] * U[k]
    assert_allclose(schur_complement(M, [0, 1]), U[2:, 2:], rtol=1e-11)


@pytest.mark.equation("linear-algebra-schur")
def test_schur_complement_is_the_covariance_of_residuals():
    Z = load_iris().X - load_iris().X.mean(axis=0)
    Sigma = Z.T @ Z / len(Z)
    residuals = Z[:, [0, 2]] - Z[:, [3, 1]] @ qr_solve(Z[:, [3, 1]], Z[:, [0, 2]])
    assert_allclose(schur_complement(Sigma, [3, 1]), residuals.T @ residuals / len(Z), rtol=1e-11)


@pytest.mark.equation("linear-algebra-generalized", "linear-algebra-whitened", "linear-algebra-b-orthonormal")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("d", [1, 2, 7])
def test_generalized_eigh_as_scipy(seed, d):
    A, B = symmetric(seed, d), spd(seed, d)
    values, V = scipy.linalg.eigh(A, B)
    found = generalized_eigh(A, B)
    assert_allclose(found.eigenvalues, values[::-1], rtol=1e-9, atol=1e-11)
    assert_allclose(np.abs(found.vectors), np.abs(V[:, ::-1]), rtol=1e-7, atol=1e-9)
    few = generalized_eigh(A, B, 1)
    assert few.vectors.shape == (d, 1)
    assert_allclose(few.eigenvalues, found.eigenvalues[:1], rtol=1e-10)
    assert_allclose(few.vectors, found.vectors[:, :1], rtol=1e-8, atol=1e-9)
    plain, identity = generalized_eigh(A), generalized_eigh(A, np.eye(d))
    assert_allclose(plain.eigenvalues, np.linalg.eigvalsh(A)[::-1], rtol=1e-11, atol=1e-12)
    assert_allclose(plain.vectors, identity.vectors, rtol=1e-8, atol=1e-10)
    assert_allclose(generalized_eigh(A, None, 1).vectors, plain.vectors[:, :1], rtol=1e-8, atol=1e-9)


@pytest.mark.equation("linear-algebra-rayleigh", "linear-algebra-rayleigh-gradient")
@pytest.mark.parametrize("seed", range(4))
def test_rayleigh_gradient_by_finite_differences(seed):
    A, B, w = symmetric(seed, 4), spd(seed, 4), np.random.default_rng(seed).normal(size=4)
    for metric in (B, None):
        numeric = central_difference(lambda v, metric=metric: rayleigh_quotient(v, A, metric), w)
        assert_allclose(rayleigh_gradient(w, A, metric), numeric, rtol=1e-6, atol=1e-7)


# --------------------------------------------------------------------------------------------------------------- laws

seeds = st.integers(0, 10**6)
quick = settings(max_examples=25, deadline=None)


@pytest.mark.equation("linear-algebra-orthogonal", "linear-algebra-projector-laws", "linear-algebra-pythagoras")
@quick
@given(seed=seeds, d=st.integers(1, 6))
def test_projection_laws(seed, d):
    rng = np.random.default_rng(seed)
    X, y, z = rng.normal(size=(8, d)), rng.normal(size=8), rng.normal(size=8)
    P = project(X, np.eye(8))
    p = project(X, y)
    assert_allclose(X.T @ (y - p), 0.0, atol=1e-12)
    assert_allclose(P @ P, P, atol=1e-13)
    assert_allclose(P, P.T, atol=1e-13)
    assert_allclose(np.trace(P), d, rtol=1e-12)
    assert_allclose(P @ y, p, atol=1e-13)
    assert_allclose(y @ y, p @ p + (y - p) @ (y - p), rtol=1e-12)
    assert np.linalg.norm(y - p) <= np.linalg.norm(y - X @ rng.normal(size=d))
    assert_allclose(project(X @ (rng.normal(size=(d, d)) + 3 * np.eye(d)), z), P @ z, atol=1e-9)  # the space counts


@pytest.mark.equation("linear-algebra-qr", "linear-algebra-gram-cholesky", "linear-algebra-householder")
@quick
@given(seed=seeds, d=st.integers(1, 6))
def test_qr_laws(seed, d):
    X = np.random.default_rng(seed).normal(size=(8, d))
    Q, R = householder_qr(X)
    assert_allclose(Q @ R, X, atol=1e-13)
    assert_allclose(Q.T @ Q, np.eye(d), atol=1e-13)
    assert_array_equal(R, np.triu(R))
    assert (np.diag(R) > 0).all()
    assert_allclose(R.T, np.linalg.cholesky(X.T @ X), rtol=1e-7, atol=1e-9)


@pytest.mark.equation("linear-algebra-b-orthonormal", "linear-algebra-generalized", "linear-algebra-rayleigh-bounds")
@quick
@given(seed=seeds, d=st.integers(1, 6))
def test_eigen_laws(seed, d):
    A, B = symmetric(seed, d), spd(seed, d)
    values, W = generalized_eigh(A, B)
    scale = np.abs(values).max()
    assert_allclose(W.T @ B @ W, np.eye(d), atol=1e-7)
    assert_allclose(W.T @ A @ W, np.diag(values), atol=1e-7 * max(1, scale))
    assert (np.diff(values) <= 0).all()
    assert (W[np.abs(W).argmax(axis=0), np.arange(d)] > 0).all()
    for value, w in zip(values, W.T, strict=True):
        assert_allclose(rayleigh_quotient(w, A, B), value, rtol=1e-7, atol=1e-9 * scale)
    w = np.random.default_rng(seed).normal(size=d)
    assert values[-1] - 1e-9 * scale <= rayleigh_quotient(w, A, B) <= values[0] + 1e-9 * scale
    assert_allclose(rayleigh_quotient(-3 * w, A, B), rayleigh_quotient(w, A, B), rtol=1e-9, atol=1e-12)
    assert_allclose(rayleigh_gradient(w, A, B) @ w, 0.0, atol=1e-8 * scale)
    assert_allclose(rayleigh_gradient(W[:, 0], A, B), 0.0, atol=1e-5 * scale * (1 + np.abs(B).max()))


@pytest.mark.equation("linear-algebra-block-determinant", "linear-algebra-schur-definite")
@quick
@given(seed=seeds, q=st.integers(1, 4))
def test_schur_laws(seed, q):
    rng = np.random.default_rng(seed)
    e = rng.permutation(5)[:q]
    M = rng.normal(size=(5, 5)) + 4 * np.eye(5)
    S = schur_complement(M, e)
    assert_allclose(np.linalg.det(M), np.linalg.det(M[np.ix_(e, e)]) * np.linalg.det(S), rtol=1e-8)
    assert_allclose(block_inverse(M, e) @ M, np.eye(5), atol=1e-9)
    C = spd(seed, 5)
    S = schur_complement(C, e)
    assert_array_equal(S, S.T)
    assert np.linalg.eigvalsh(S).min() > 0
    rest = np.setdiff1d(np.arange(5), e)
    assert np.linalg.eigvalsh(C[np.ix_(rest, rest)] - S).min() > -1e-9  # conditioning never adds variance
    if q > 1:  # one at a time is the same as all at once
        left = [i for i in range(5) if i != e[0]]
        again = schur_complement(schur_complement(C, e[:1]), [left.index(i) for i in e[1:]])
        assert_allclose(again, S, rtol=1e-8, atol=1e-10)


@pytest.mark.equation("linear-algebra-cholesky-solve")
@quick
@given(seed=seeds, d=st.integers(1, 6))
def test_cholesky_solve_solves(seed, d):
    A, X = spd(seed, d), np.random.default_rng(seed).normal(size=(d, 2))
    assert_allclose(A @ cholesky_solve(A, X), X, rtol=1e-7, atol=1e-7)
    assert_allclose(cholesky_solve(A, X[:, 0]), cholesky_solve(A, X)[:, 0], rtol=1e-8, atol=1e-10)


def test_signs_do_not_depend_on_rounding():
    for e in (0.0, 1e-15, -1e-15):  # the two entries of the second vector have one modulus
        W = generalized_eigh([[2.0, 1 + e], [1 + e, 2 + e]]).vectors
        assert_allclose(W, np.sqrt(0.5) * np.array([[1, 1], [1, -1]]), rtol=1e-7)


@pytest.mark.parametrize("function", [qr_solve, lambda X, y: svd_solve(X, y).w, project])
def test_any_layout_and_row_order(function):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    expected = function(X, y)
    assert_allclose(function(np.asfortranarray(X), y), expected, rtol=1e-10, atol=1e-13)
    assert_allclose(function(np.repeat(X, 2, axis=1)[:, ::2], np.repeat(y, 2)[::2]), expected, rtol=1e-10, atol=1e-13)
    assert_allclose(function(X.astype(np.float32), y.astype(np.float32)), expected, rtol=1e-4, atol=1e-5)
    order = rng.permutation(30)
    shuffled = function(X[order], y[order])
    assert_allclose(shuffled, expected[order] if function is project else expected, rtol=1e-10, atol=1e-12)
    before = X.copy()
    function(X, y)
    assert_array_equal(X, before)


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.equation("linear-algebra-qr-blocks", "linear-algebra-qr-solve")
@pytest.mark.parametrize("n", [2 * BLOCK + 1, 3 * BLOCK, 5 * BLOCK + 2])
def test_more_rows_than_one_block(n):
    rng = np.random.default_rng(n)
    X, Y = rng.normal(size=(n, 3)), rng.normal(size=(n, 2))
    expected = np.linalg.lstsq(X, Y, rcond=None)[0]
    for solve in SOLVERS:
        assert_allclose(solve(X, Y), expected, rtol=1e-9, atol=1e-12)
        assert_allclose(solve(X, Y[:, 0]), expected[:, 0], rtol=1e-9, atol=1e-12)
    assert_allclose(svd_solve(X, Y).singular_values, np.linalg.svd(X, compute_uv=False), rtol=1e-11)


@pytest.mark.equation("linear-algebra-lauchli", "linear-algebra-cond-squared")
def test_lauchli_needs_qr():
    e = 1e-9  # e^2 vanishes beside 1
    X = np.array([[1.0, 1], [e, 0], [0, e]])
    with pytest.raises(NotPositiveDefiniteError):
        cholesky_solve(X.T @ X, X.T @ [2.0, e, e])
    for solve in SOLVERS:
        assert_allclose(solve(X, np.array([2.0, e, e])), [1, 1], rtol=1e-6)


@pytest.mark.equation("linear-algebra-sine")
@pytest.mark.parametrize("seed", range(16))  # rounding leaves a diagonal entry of either sign
def test_dependent_column_is_named(seed):
    rng = np.random.default_rng(seed)
    n = 12 if seed < 14 else 2 * BLOCK + 50
    X = rng.normal(size=(n, 3)) * [1.0, 1e6, 1e-6]
    X = np.column_stack([X, X @ [1.0, 2.0, -1.0], rng.normal(size=n)])
    with pytest.raises(ValueError, match=r"column 3 is 0 or a combination of the columns before it.*svd_solve"):
        qr_solve(X, np.ones(n))
    assert np.isfinite(qr_solve(np.delete(X, 3, axis=1), np.ones(n))).all()
    X[:, 1] = 0.0
    with pytest.raises(ValueError, match="column 1 is 0"):
        qr_solve(X, np.ones(n))


@pytest.mark.equation("linear-algebra-sine", "linear-algebra-pivot")
def test_tolerances_are_the_sine_and_its_square():
    angle = 1e-3
    X = np.array([[1.0, np.cos(angle)], [0, np.sin(angle)]]) * [5.0, 0.2]  # lengths do not matter
    sine = np.sin(angle)
    qr_solve(X, [1.0, 1.0], tol=0.999 * sine)
    with pytest.raises(ValueError, match="column 1"):
        qr_solve(X, [1.0, 1.0], tol=1.001 * sine)
    cholesky_solve(X.T @ X, [1.0, 1.0], tol=0.999 * sine**2)
    for solve in (cholesky_solve, lambda A, b, tol: generalized_eigh(np.eye(2), A, tol=tol)):
        with pytest.raises(NotPositiveDefiniteError, match="row and column 1") as caught:
            solve(X.T @ X, [1.0, 1.0], tol=1.001 * sine**2)
        assert caught.value.index == 1


@pytest.mark.equation("linear-algebra-sine")
def test_a_sine_of_0_is_at_most_a_tolerance_of_0():
    with pytest.raises(ValueError, match="column 1 is 0"):
        qr_solve(np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]), np.ones(3), tol=0.0)


@pytest.mark.equation("linear-algebra-sine", "linear-algebra-pivot")
def test_small_but_solid_angles_are_accepted():
    near = np.array([[3.0, 3 - 4e-12], [4.0, 4 + 3e-12]])  # sine 1e-12, some thousand roundings
    assert_allclose(qr_solve(near, near @ [2.0, 3.0]), [2, 3], rtol=0.01)
    A = np.array([[1.0, 1], [1, 1 + 1e-12]])  # share 1e-12 of the variance is left
    assert_allclose(cholesky_solve(A, A @ [2.0, 3.0]), [2, 3], rtol=0.01)


@pytest.mark.equation("linear-algebra-pivot")
@pytest.mark.parametrize("seed", range(16))  # rounding makes the last pivot a small number of either sign
def test_singular_covariance_is_refused(seed):
    X = np.random.default_rng(seed).normal(size=(20, 3)) * [1.0, 1e5, 1e-5]
    X = np.column_stack([X, X @ [1.0, 2.0, -1.0]])
    for solve in (lambda A: cholesky_solve(A, np.ones(4)), lambda A: generalized_eigh(np.eye(4), A)):
        with pytest.raises(NotPositiveDefiniteError) as caught:
            solve(X.T @ X)
        assert caught.value.index == 3


@pytest.mark.parametrize("scales", [[1e-120, 1e120, 1.0], [1e-150] * 3, [1e150] * 3])
def test_units_do_not_matter(scales):
    rng = np.random.default_rng(3)
    X, y, s = rng.normal(size=(9, 3)), rng.normal(size=9), np.array(scales)
    assert_allclose(qr_solve(X * s, y) * s, qr_solve(X, y), rtol=1e-10)
    assert_allclose(project(X * s, y), project(X, y), rtol=1e-10, atol=1e-13)
    assert_allclose(householder_qr(X * s).R / s, householder_qr(X).R, rtol=1e-10, atol=1e-14)
    A, B = symmetric(0, 3), spd(0, 3)
    assert_allclose(cholesky_solve(B * np.outer(s, s), s), cholesky_solve(B, np.ones(3)) / s, rtol=1e-10)
    scaled = generalized_eigh(A * np.outer(s, s), B * np.outer(s, s))
    assert_allclose(scaled.eigenvalues, generalized_eigh(A, B).eigenvalues, rtol=1e-9)
    M = rng.normal(size=(3, 3)) + 3 * np.eye(3)
    expected = schur_complement(M, [0, 2]) * s[1] ** 2
    assert_allclose(schur_complement(M * np.outer(s, s), [0, 2]), expected, rtol=1e-10)


@pytest.mark.equation("linear-algebra-rayleigh", "linear-algebra-rayleigh-gradient")
@pytest.mark.parametrize("scale", [1e-200, -1e200])
def test_the_length_of_a_direction_does_not_matter(scale):
    A, B, w = symmetric(0, 3), spd(0, 3), np.array([1.0, -2.0, 0.5])
    for metric in (B, None):
        assert_allclose(rayleigh_quotient(w * scale, A, metric), rayleigh_quotient(w, A, metric), rtol=1e-13)
        assert_allclose(rayleigh_gradient(w * scale, A, metric) * scale, rayleigh_gradient(w, A, metric), rtol=1e-12)


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_solutions_beyond_the_range_of_floats_are_refused():
    X, y = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), np.array([6.0, 0.0, 0.0])
    for solve in (qr_solve, svd_solve):
        for design, target in [(X * 1e-200, y * 1e200), (X * 1e-310, y), (X * 8e307, y)]:
            with pytest.raises(ValueError, match=r"w is beyond.*nearer to 1"):
                solve(design, target)
    with pytest.raises(ValueError, match=r"x is beyond.*nearer to 1"):
        cholesky_solve(np.array([[2.0, 1.0], [1.0, 2.0]]) * 1e-310, [1.0, 0.0])


def test_project_accepts_what_has_no_inverse():
    y = np.array([3.0, 1.0, 2.0])
    line = np.array([1.0, 1.0, 0.0])
    for X in [line, line[:, None], np.outer(line, [1.0, -2.0, 0.0]), np.outer(line, np.ones(9))]:
        assert_allclose(project(X, y), [2, 2, 0], atol=1e-14)
    assert_allclose(project(np.zeros((3, 2)), y), 0.0, atol=0)
    assert_allclose(project(np.random.default_rng(0).normal(size=(3, 5)), y), y, atol=1e-13)


@pytest.mark.parametrize("shape", [(1000, 2), (2, 1000)])
@pytest.mark.parametrize("share", [50, 5000])
def test_rank_grows_with_the_longer_side_as_in_numpy(shape, share):
    X = np.zeros(shape)
    X[[0, 1], [0, 1]] = 1.0, share * np.finfo(float).eps
    assert svd_solve(X, np.ones(len(X))).rank == np.linalg.matrix_rank(X) == (1 if share < 1000 else 2)


def test_svd_solve_with_threshold_and_zeros():
    X = np.diag([4.0, 1.0, 1e-3])
    y = np.array([4.0, 1.0, 1.0])
    assert_allclose(svd_solve(X, y).w, [1, 1, 1000], rtol=1e-12)
    cut = svd_solve(X, y, rcond=0.01)
    assert_allclose(cut.w, [1, 1, 0], atol=1e-15)
    assert cut.rank == 2
    assert svd_solve(X, y, rcond=0.25).rank == 1  # at most rcond: the limit itself counts as 0
    zero = svd_solve(np.zeros((4, 2)), np.ones(4))
    assert_array_equal(zero.w, [0, 0])
    assert zero.rank == 0


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_householder_neither_overflows_nor_vanishes(scale):
    X = np.random.default_rng(4).normal(size=(5, 3))
    assert_allclose(householder_qr(X * scale).R / scale, householder_qr(X).R, rtol=1e-12, atol=1e-14)
    assert_allclose(qr_solve(X * scale, X[:, 0] * scale), [1, 0, 0], rtol=1e-12, atol=1e-13)


def test_householder_of_columns_without_length():
    X = np.array([[1.0, 0, 2], [0, 0, 3], [0, 0, 4], [0, 0, 0]])
    Q, R = householder_qr(X)
    assert_allclose(Q @ R, X, atol=1e-15)
    assert_allclose(Q.T @ Q, np.eye(3), atol=1e-15)
    assert_array_equal(R[1:, 1], 0.0)
    assert_allclose(householder_qr([[-2.0]]).R, [[2.0]])


@pytest.mark.equation("linear-algebra-householder")
def test_householder_does_not_cancel():
    X = np.array([[1.0, 1.0], [1e-9, 2e-9], [0, 1e-9]])  # nearly on the first axis: the wrong sign would cancel
    Q, R = householder_qr(X)
    assert_allclose(Q.T @ Q, np.eye(2), atol=1e-15)
    assert_allclose(Q @ R, X, atol=1e-16)
    assert_allclose(R[1, 1], np.sqrt(2e-18), rtol=1e-6)


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("function", [project, qr_solve, svd_solve])
@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.ones((3, 2, 2)), np.ones(3), r"X must be a matrix with entries, got shape \(3, 2, 2\)"),
        (np.ones((0, 2)), np.ones(0), "X must be a matrix with entries"),
        ([[1.0, np.nan]], [1.0], "X must be finite.*remove or impute"),
        (np.eye(3), np.ones(2), r"y must have as many rows as X, 3, got shape \(2,\)"),
        (np.eye(2), np.ones((2, 1, 1)), "y must have as many rows as X"),
        (np.eye(2), [1.0, np.inf], "y must be finite"),
        (np.eye(2), np.ones((2, 0)), r"y must have as many rows as X, 2, and a column, got shape \(2, 0\)"),
    ],
)
def test_systems_are_checked(function, X, y, message):
    with pytest.raises(ValueError, match=message):
        function(X, y)


def test_shapes_and_parameters_are_checked():
    with pytest.raises(ValueError, match=r"fewer rows than columns, shape \(2, 3\).*svd_solve"):
        qr_solve(np.ones((2, 3)), np.ones(2))
    with pytest.raises(ValueError, match=r"at least as many rows as columns, got shape \(2, 3\).*transpose"):
        householder_qr(np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"rcond must be from 0 to 1, got 2"):
        svd_solve(np.eye(2), np.ones(2), rcond=2)
    with pytest.raises(TypeError, match="rcond must be a number"):
        svd_solve(np.eye(2), np.ones(2), rcond="small")
    with pytest.raises(ValueError, match="tol must be finite and at least 0"):
        qr_solve(np.eye(2), np.ones(2), tol=-1.0)
    with pytest.raises(ValueError, match="tol must be finite and at least 0"):
        cholesky_solve(np.eye(2), np.ones(2), tol=np.nan)


@pytest.mark.parametrize(
    ("A", "b", "message"),
    [
        (np.ones((2, 3)), np.ones(2), "A must be a square matrix"),
        ([[1.0, 2.0], [0.0, 1.0]], np.ones(2), "A must be symmetric"),
        ([[np.inf]], np.ones(1), "A must be finite"),
        ([[1.0, 2.0], [2.0, 1.0]], np.ones(2), "A is not positive definite"),
        (np.eye(2), np.ones(3), "b must have as many rows as A, 2"),
        (np.eye(2), [np.nan, 1.0], "b must be finite"),
        (np.eye(2), np.ones((2, 0)), r"b must have as many rows as A, 2, and a column, got shape \(2, 0\)"),
        (np.ones((0, 0)), np.ones(0), r"A must be a square matrix with entries, got shape \(0, 0\)"),
    ],
)
def test_cholesky_solve_refuses(A, b, message):
    with pytest.raises(ValueError, match=message):
        cholesky_solve(A, b)


@pytest.mark.parametrize("function", [schur_complement, block_inverse])
@pytest.mark.parametrize(
    ("e", "message"),
    [(e, "at least one integer from 0 to 2") for e in ([], [0.0], [True], [[0]], "a")]
    + [(e, "different integers from 0 to 2") for e in ([0, 0], [-1], [3])]
    + [([0, 1, 2], "leave at least one of the 3 variables")],
)
def test_indices_are_checked(function, e, message):
    with pytest.raises(ValueError, match=f"eliminate must .*{message}"):
        function(np.eye(3), e)


@pytest.mark.parametrize("seed", range(8))
def test_singular_blocks_are_refused(seed):
    u, v = np.random.default_rng(seed).normal(size=(2, 2, 3))
    M = np.eye(5)
    M[:3, :3] = u.T @ v  # rank 2
    for function in (schur_complement, block_inverse):
        with pytest.raises(ValueError, match=r"the block of M that is eliminated is singular: eliminate other"):
            function(M, [0, 1, 2])
    with pytest.raises(ValueError, match=r"the Schur complement, so M itself, is singular"):
        block_inverse([[1.0, 1.0], [1.0, 1.0]], [0])
    with pytest.raises(ValueError, match="eliminated is singular"):
        schur_complement(np.zeros((2, 2)), [0])
    with pytest.raises(ValueError, match="M must be a square matrix"):
        schur_complement(np.ones((2, 3)), [0])
    with pytest.raises(ValueError, match="M must be finite"):
        block_inverse([[np.nan, 1.0], [1.0, 1.0]], [0])


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        ((np.ones((2, 3)),), ValueError, "A must be a square matrix"),
        (([[1.0, 2.0], [0.0, 1.0]],), ValueError, "A must be symmetric"),
        ((np.eye(2), [[1.0, 2.0], [0.0, 1.0]]), ValueError, "B must be symmetric"),
        ((np.eye(2), np.eye(3)), ValueError, r"A and B must have one shape, got \(2, 2\) and \(3, 3\)"),
        ((np.eye(2), -np.eye(2)), NotPositiveDefiniteError, "B is not positive definite"),
        ((np.eye(2), None, 3), ValueError, "n_components=3 must be at most d = 2"),
        ((np.eye(2), None, 0), ValueError, "n_components must be at least 1"),
        ((np.eye(2), None, 1.0), TypeError, "n_components must be an integer"),
        ((np.ones((0, 0)),), ValueError, r"A must be a square matrix with entries, got shape \(0, 0\)"),
    ],
)
def test_generalized_eigh_refuses(args, error, message):
    with pytest.raises(error, match=message):
        generalized_eigh(*args)


def test_generalized_eigh_checks_the_tolerance_without_a_second_matrix_too():
    for B in (None, np.eye(2)):
        with pytest.raises(ValueError, match="tol must be finite and at least 0"):
            generalized_eigh(np.eye(2), B, tol=-1.0)
        with pytest.raises(TypeError, match="tol must be a number"):
            generalized_eigh(np.eye(2), B, tol="small")


@pytest.mark.parametrize("function", [rayleigh_quotient, rayleigh_gradient])
def test_rayleigh_refuses(function):
    with pytest.raises(ValueError, match="w' B w must be positive: w must not be 0"):
        function([0.0, 0.0], np.eye(2))
    with pytest.raises(ValueError, match="w' B w must be positive"):
        function([1.0, 0.0], np.eye(2), -np.eye(2))
    with pytest.raises(ValueError, match=r"got shapes \(3,\), \(2, 2\) and \(2, 2\)"):
        function([1.0, 0.0, 0.0], np.eye(2))
    for w in ([np.nan, 1.0], [np.inf, 1.0]):
        with pytest.raises(ValueError, match="w must be finite"):
            function(w, np.eye(2))
    with pytest.raises(ValueError, match=r"A must be a square matrix with entries, got shape \(0, 0\)"):
        function([], np.zeros((0, 0)))
    with pytest.raises(ValueError, match="A must be symmetric"):
        function([1.0, 0.0], [[1.0, 2.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="B must be symmetric"):
        function([1.0, 0.0], np.eye(2), [[1.0, 2.0], [0.0, 1.0]])


def test_columns_that_nearly_agree_still_span_a_plane():
    X = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-10], [0.0, 0.0]])  # the angle is far above rounding
    y = np.array([0.0, 1.0, 5.0])
    assert_allclose(project(X, y), [0.0, 1.0, 0.0], rtol=0, atol=1e-5)  # not the mean of 0 and 1 twice
