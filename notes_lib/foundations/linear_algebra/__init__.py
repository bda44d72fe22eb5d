"""Linear algebra: projections, least squares, positive definite matrices, Schur complements, eigenproblems.

The pure functions follow the derivation of the chapter *Linear algebra*. Each rests on a factorisation (QR, Cholesky,
singular values, eigenvalues). Where a problem has no answer to the precision of the machine, they refuse it, and name
the column if there is one to blame.

Source: Golub and Van Loan (2013), Matrix Computations; Higham (2002), Accuracy and Stability of Numerical Algorithms.
"""

from notes_lib.foundations.linear_algebra.digits import condition_number
from notes_lib.foundations.linear_algebra.steps import (
    QR,
    Eigen,
    LeastSquares,
    block_inverse,
    cholesky_solve,
    generalized_eigh,
    householder_qr,
    project,
    qr_solve,
    rayleigh_gradient,
    rayleigh_quotient,
    schur_complement,
    svd_solve,
)

__all__ = [
    "QR",
    "Eigen",
    "LeastSquares",
    "block_inverse",
    "cholesky_solve",
    "condition_number",
    "generalized_eigh",
    "householder_qr",
    "project",
    "qr_solve",
    "rayleigh_gradient",
    "rayleigh_quotient",
    "schur_complement",
    "svd_solve",
]
