"""Non-negative matrix factorisation: a matrix as a sum of parts, by multiplicative updates or row by row.

A non-negative matrix X (n, d) is approximated by ``W @ H``, with W (n, k) and H (k, d) non-negative. The rows of H are
the parts, and a row of W says how much of each part is in the instance. The step functions follow the derivation of the
chapter *Non-negative matrix factorisation*; :class:`NMF` repeats them under scikit-learn's names.

Every step is written for H. The one for W is the same step for the transposed problem, ``X.T`` near ``H.T @ W.T``.

Sources: Paatero and Tapper (1994), *Environmetrics* 5, 111-126; Lee and Seung (1999), *Nature* 401, 788-791; Lee and
Seung (2001), *Algorithms for non-negative matrix factorization*; Cichocki and Phan (2009) for the update by rows;
Boutsidis and Gallopoulos (2008) for the start from the singular value decomposition.
"""

from notes_lib.reduction.nmf.model import NMF
from notes_lib.reduction.nmf.solvers import Factors, coordinate_descent, hals_rows, multiplicative
from notes_lib.reduction.nmf.starts import nndsvd, random_start
from notes_lib.reduction.nmf.steps import (
    divergence,
    gradient,
    hals_update,
    majoriser,
    multiplicative_update,
    rescaled,
    shares,
)

__all__ = [
    "NMF",
    "Factors",
    "coordinate_descent",
    "divergence",
    "gradient",
    "hals_rows",
    "hals_update",
    "majoriser",
    "multiplicative",
    "multiplicative_update",
    "nndsvd",
    "random_start",
    "rescaled",
    "shares",
]
