"""The model of counts, which says what was taken and nothing about what was not liked."""

from __future__ import annotations

import warnings
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray, check_integer, check_positive, check_real
from notes_lib.mining.recommender.checks import Ratings
from notes_lib.mining.recommender.model import Recommender
from notes_lib.mining.recommender.steps import implicit_steps
from notes_lib.numerics import RandomState, check_rng


class ImplicitFactorization(Recommender):
    """Factors of counts, such as how often a user has played a song; :eq:`recommender-implicit`.

    Every pair of user and item counts: whether it was taken is to be predicted, 1 or 0, with a confidence of 1 plus
    ``alpha`` times the count. Predictions are scores for a ranking, mostly between 0 and 1.

    Parameters
    ----------
    n_factors : int
    reg : float
        Penalty of all squared factors; positive.
    alpha : float
        Confidence that one count adds.
    max_iter : int
    tol : float
        The fit ends when a round lowers the objective by at most this share of it.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    user_factors_, item_factors_ : (n_users, n_factors), (n_items, n_factors) arrays
    objective_ : array
        After each of the ``n_iter_`` rounds.
    n_iter_ : int
    user_ids_, item_ids_ : arrays

    Notes
    -----
    O(n k^2 + (n_users + n_items) k^3) a round for n counts that are not 0. Source: Hu, Koren and Volinsky (2008).

    Examples
    --------
    >>> counts = [[3.0, 1.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 4.0]]
    >>> ImplicitFactorization(2, reg=1.0, random_state=0).fit(counts).recommend(1, n=1)
    array([0])
    """

    def __init__(
        self,
        n_factors: int = 10,
        reg: float = 5.0,
        alpha: float = 10.0,
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: RandomState = None,
    ) -> None:
        self.n_factors, self.reg, self.alpha = n_factors, reg, alpha
        self.max_iter, self.tol, self.random_state = max_iter, tol, random_state

    def fit(self, users: ArrayLike, items: ArrayLike | None = None, ratings: ArrayLike | None = None) -> Self:
        """Learn the factors, from a matrix of counts or from three vectors; NaN and 0 both mean that nothing was taken.

        Parameters
        ----------
        users : (n_users, n_items) array, or (n,) array of names
        items, ratings : (n,) arrays, optional
            The ratings are the counts, or other amounts that are not negative.

        Raises
        ------
        TypeError, ValueError
            Counts as :func:`read_ratings` refuses them, a negative one, all 0, a parameter that is not as described.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` ends the fit.
        """
        k, max_iter = check_integer(self.n_factors, "n_factors"), check_integer(self.max_iter, "max_iter")
        reg, alpha = check_positive(self.reg, "reg"), check_positive(self.alpha, "alpha")
        tol, rng = check_real(self.tol, "tol"), check_rng(self.random_state)
        data = self._read(users, items, ratings)
        if data.value.min() < 0 or data.value.max() == 0:
            raise ValueError("counts must not be negative, and one must be positive: 0 means that nothing was taken.")
        taken = data.value > 0
        data = self._ratings = data._replace(user=data.user[taken], item=data.item[taken], value=data.value[taken])
        extra = data.sparse(alpha * data.value)
        of_items = csr_array(extra.T)
        P, Q = (0.1 * rng.normal(size=(n, k)) for n in data.shape)
        objective: list[float] = []
        for _ in range(max_iter):
            self.user_factors_ = P = implicit_steps(extra, Q, reg)
            self.item_factors_ = Q = implicit_steps(of_items, P, reg)
            objective.append(self._objective(data, alpha, reg))
            if len(objective) > 1 and objective[-2] - objective[-1] <= tol * objective[-2]:
                break
        else:
            warnings.warn(
                f"the objective still fell in round {max_iter}: raise max_iter, or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.objective_, self.n_iter_ = np.array(objective), len(objective)
        return self

    def _objective(self, data: Ratings, alpha: float, reg: float) -> float:
        """Squares over all pairs, from the two Gram matrices; then what the taken pairs change."""
        P, Q = self.user_factors_, self.item_factors_
        score = self._scores(data.user, data.item)
        everywhere = ((P.T @ P) * (Q.T @ Q)).sum()
        change = ((1 + alpha * data.value) * (1 - score) ** 2 - score**2).sum()
        return float(everywhere + change + reg * ((P**2).sum() + (Q**2).sum()))

    def _scores(self, user: IntArray, item: IntArray) -> FloatArray:
        return np.einsum("nk,nk->n", self.user_factors_[user], self.item_factors_[item])
