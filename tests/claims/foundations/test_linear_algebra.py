"""The quiz of the chapter *Linear algebra*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
import pytest
from scipy.special import softmax

from notes_lib.foundations.descent import numerical_gradient
from notes_lib.foundations.linear_algebra import (
    cholesky_solve,
    condition_number,
    generalized_eigh,
    householder_qr,
    project,
)
from tests.claims.deciding import decided

SMALL = 1e-9
TURN = np.array([[0.0, -1.0], [1.0, 0.0]])  # by 90 degrees
SQUARE = [TURN, -np.eye(3), *np.random.default_rng(0).normal(size=(20, 3, 3))]
X, Y = np.random.default_rng(1).normal(size=(20, 3)), np.random.default_rng(2).normal(size=20)


def _is_semi_definite(A):
    return np.allclose(A, A.T) and np.linalg.eigvalsh(A).min() > -SMALL


def _has_factor(A):
    try:
        return np.allclose(A @ cholesky_solve(A, np.ones(len(A))), 1)
    except ValueError:  # a pivot is not positive
        return False


def _digits_lost(kappa, seed):
    """By the normal equations of two columns of length 1 with this condition number, where the fit is perfect."""
    rng, cosine = np.random.default_rng(seed), (kappa**2 - 1) / (kappa**2 + 1)
    Q, _ = np.linalg.qr(rng.normal(size=(20, 2)))
    A, w = Q @ np.array([[1, cosine], [0, np.sqrt(1 - cosine**2)]]), rng.normal(size=2)
    assert condition_number(A) == pytest.approx(kappa, rel=1e-3)
    found = np.linalg.solve(A.T @ A, A.T @ (A @ w))
    return np.log10(np.linalg.norm(found - w) / np.linalg.norm(w) / np.finfo(float).eps)


def quiz_digits(kappa, digits):
    r"""$\mathbf{X}$ has columns of length 1 and the condition number $<kappa>$. How many of <digits> digits can you
    expect from the normal equations?"""
    left = digits - np.log10(kappa**2)
    lost = np.median([_digits_lost(kappa, seed) for seed in range(50)])
    assert abs(digits - lost - left) < 1.5
    return {"<number>": lambda number: np.isclose(number, left), "none": left <= 0}


def quiz_definite():
    r"""Which matrices are positive semi-definite, whatever the real matrix $\mathbf{F}$ is?"""
    every = [*SQUARE, X, X.T]
    return {
        r"$\mathbf{F}^2$ (symmetric or not)": all(_is_semi_definite(F @ F) for F in SQUARE),
        r"$\mathbf{F}^\top\mathbf{F}$": all(_is_semi_definite(F.T @ F) for F in every),
        r"$\mathbf{F} + \mathbf{F}^\top$ (square $\mathbf{F}$)": all(_is_semi_definite(F + F.T) for F in SQUARE),
        r"$\mathbf{F}\mathbf{F}^\top$": all(_is_semi_definite(F @ F.T) for F in every),
    }


def quiz_rank(last, first, second):
    """Column <last> is the sum of columns <first> and <second>. What is $r_{33}$ in the QR factorisation?"""
    A = X.copy()
    A[:, int(last) - 1] = A[:, int(first) - 1] + A[:, int(second) - 1]
    Q, R = householder_qr(A)
    return {
        "<value>": lambda value: np.isclose(R[2, 2], value, atol=SMALL),
        "$r_{11} + r_{22}$": np.isclose(R[2, 2], R[0, 0] + R[1, 1]),
        "It does not exist": not np.allclose(Q @ R, A),
    }


def quiz_bilinear():
    r"""The gradient of $\mathbf{a}^\top\mathbf{X}\mathbf{b}$ by $\mathbf{X}$ is"""
    a, b, at = *X[:2], X[2:5]
    gradient = numerical_gradient(lambda x: a @ x.reshape(3, 3) @ b, at.ravel()).reshape(3, 3)
    same = lambda value: np.shape(value) == gradient.shape and np.allclose(value, gradient, atol=1e-6)
    return {
        r"$\mathbf{a}\mathbf{b}^\top$": same(np.outer(a, b)),
        r"$\mathbf{b}\mathbf{a}^\top$": same(np.outer(b, a)),
        r"$\mathbf{a}^\top\mathbf{b}$": same(a @ b),
        r"$\mathbf{X}$": same(at),
    }


def tf_projector(first, second):
    """A projector has no eigenvalues other than <first> and <second>."""
    oblique = X @ np.linalg.solve(X[::-1].T @ X, X[::-1].T)
    projectors = [oblique, *(np.column_stack([project(X[:, :d], e) for e in np.eye(20)]) for d in (1, 2, 3))]
    assert all(np.allclose(P @ P, P) for P in projectors)
    values = np.concatenate([np.linalg.eigvals(P) for P in projectors])
    return np.minimum(abs(values - first), abs(values - second)).max() < 1e-6


def tf_residual():
    r"""The residual of least squares is orthogonal to the target $\mathbf{y}$."""
    fit = project(X, Y)
    residual = Y - fit
    assert np.allclose(residual @ np.column_stack([X, fit]), 0)
    return np.isclose(residual @ Y, 0)


def tf_cholesky():
    """Every symmetric matrix has a Cholesky factor."""
    assert all(_has_factor(F.T @ F) for F in SQUARE)
    return all(_has_factor(F + F.T) for F in SQUARE)


def tf_generalized():
    r"""The eigenvectors of $\mathbf{B}^{-1}\mathbf{A}$, for symmetric $\mathbf{A}$ and positive definite $\mathbf{B}$,
    are orthogonal."""
    A, B = X[:3] + X[:3].T, X.T @ X

    def are_orthogonal(B):
        values, W = generalized_eigh(A, B)
        assert np.allclose(np.linalg.solve(B, A) @ W, W * values)
        return np.allclose(W.T @ W, np.diag(np.diag(W.T @ W)), atol=1e-6)

    assert are_orthogonal(np.eye(3))
    return are_orthogonal(B)


def tf_softmax(value):
    """The softmax Jacobian has the eigenvalue <value>."""
    at = [np.zeros(4), *np.random.default_rng(3).normal(size=(10, 4))]
    jacobians = [[numerical_gradient(lambda z, k=k: softmax(z)[k], z) for k in range(4)] for z in at]
    return all(abs(np.linalg.eigvals(J) - value).min() < 1e-6 for J in jacobians)


test_claim = decided("foundations/linear_algebra", globals())
