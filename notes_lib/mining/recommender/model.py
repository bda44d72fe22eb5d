"""The models of ratings: neighbours, and factors."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from notes_lib.bayes.bayesian_network.parameters import Parameters
from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_positive, check_real
from notes_lib.mining.recommender.checks import Ratings, places, read_ratings
from notes_lib.mining.recommender.steps import (
    als_steps,
    moved,
    similarities,
    squared_loss,
)
from notes_lib.numerics import RandomState, check_rng


class Recommender(Parameters, ABC):
    """What all recommenders share: names of users and items, predictions, and lists of the best."""

    user_ids_: NDArray[Any]
    item_ids_: NDArray[Any]

    def predict(self, users: ArrayLike, items: ArrayLike) -> FloatArray:
        """Predicted ratings of users for items.

        Parameters
        ----------
        users, items : arrays
            Names as in ``fit``; a matrix numbers them from 0. The two shapes are broadcast: a column of users and a row
            of items give a matrix.

        Returns
        -------
        array
            In the common shape; of two single names, a vector with one entry.

        Raises
        ------
        TypeError, ValueError
            If a name was not in ``fit``, or the shapes do not fit.
        """
        if not hasattr(self, "item_ids_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit first.")
        user = np.atleast_1d(places(users, self.user_ids_, "users"))
        item = np.atleast_1d(places(items, self.item_ids_, "items"))
        try:
            user, item = np.broadcast_arrays(user, item)
        except ValueError:
            raise ValueError(f"users and items must have one shape, got {user.shape} and {item.shape}.") from None
        return self._scores(user.ravel(), item.ravel()).reshape(user.shape)

    def recommend(self, user: Any, n: int = 10) -> NDArray[Any]:
        """The n items of the highest prediction among those that the user has not rated, the best first.

        Raises
        ------
        TypeError, ValueError
            If the user was not in ``fit``, or ``n`` is no positive integer.
        """
        n = check_integer(n, "n")
        score = self.predict([user], self.item_ids_)
        mine = self._ratings.item[self._ratings.user == places([user], self.user_ids_, "user")[0]]
        score[mine] = -np.inf
        best = np.argsort(-score, kind="stable")[: min(n, len(score) - len(mine))]
        return self.item_ids_[best]

    def _read(self, users: ArrayLike, items: ArrayLike | None, ratings: ArrayLike | None) -> Ratings:
        self._ratings = read_ratings(users, items, ratings)
        self.user_ids_, self.item_ids_ = self._ratings.user_ids, self._ratings.item_ids
        return self._ratings

    @abstractmethod
    def _scores(self, user: IntArray, item: IntArray) -> FloatArray:
        """Predictions for pairs of numbers."""


class NeighborhoodRecommender(Recommender):
    """Ratings from those of the most similar users, or of the most similar items.

    The rating of a user for an item is the mean of the user plus the weighted deviations of the ``n_neighbors`` users
    of the largest similarity in size who have rated the item, :eq:`recommender-neighborhood`. With ``kind="item"``
    users and items change their places.

    Parameters
    ----------
    n_neighbors : int
    kind : 'user' or 'item'
    similarity : 'pearson', 'cosine', 'centered_cosine' or 'adjusted_cosine'
        See :func:`similarities`.
    shrinkage : float
        Similarities from n common ratings are multiplied by ``n / (n + shrinkage)``, :eq:`recommender-shrinkage`.

    Attributes
    ----------
    similarity_ : (n_users, n_users) or (n_items, n_items) array
        Shrunk.
    user_ids_, item_ids_ : arrays
        Names, in ascending order.

    Notes
    -----
    O(n_users^2 n_items) to fit (for items: n_users n_items^2), O(n_users) a prediction; the ratings are held as a dense
    matrix. Without a neighbour the mean of the user is predicted; a user without ratings gets the mean of the item, and
    the mean of all ratings if there is none (for items the other way round). Source: Resnick et al. (1994); Sarwar et
    al. (2001).

    Examples
    --------
    >>> R = [[5.0, 1.0, 4.0], [4.0, 2.0, np.nan], [1.0, 5.0, 2.0]]
    >>> NeighborhoodRecommender(n_neighbors=1).fit(R).predict([1], [2]).round(3)
    array([3.667])
    """

    def __init__(
        self, n_neighbors: int = 20, kind: str = "user", similarity: str = "pearson", shrinkage: float = 10.0
    ) -> None:
        self.n_neighbors, self.kind, self.similarity, self.shrinkage = n_neighbors, kind, similarity, shrinkage

    def fit(self, users: ArrayLike, items: ArrayLike | None = None, ratings: ArrayLike | None = None) -> Self:
        """Compute the similarities, from a matrix with NaN for the gaps or from three vectors.

        Parameters
        ----------
        users : (n_users, n_items) array, or (n,) array of names
        items, ratings : (n,) arrays, optional

        Raises
        ------
        TypeError, ValueError
            Ratings as :func:`read_ratings` refuses them, a parameter that is not as described.
        """
        check_integer(self.n_neighbors, "n_neighbors")
        check_choice(self.kind, "kind", ("user", "item"))
        R = self._read(users, items, ratings).dense()
        R = R if self.kind == "user" else R.T
        self.similarity_ = similarities(R, self.similarity, self.shrinkage)
        seen = ~np.isnan(R)
        mean = np.nanmean(R)
        row, column = (
            np.divide(np.nansum(R, axis=a), seen.sum(axis=a), out=np.full(R.shape[1 - a], mean), where=seen.any(axis=a))
            for a in (1, 0)
        )
        self._seen, self._deviation = seen, R - row[:, None]
        self._row, self._column, self._rates = row, column, seen.sum(axis=1) > 0
        return self

    def _scores(self, user: IntArray, item: IntArray) -> FloatArray:
        row, column = (user, item) if self.kind == "user" else (item, user)
        score = np.where(self._rates[row], self._row[row], self._column[column])
        for c in np.unique(column):
            raters = np.flatnonzero(self._seen[:, c])
            ask = np.flatnonzero(column == c)
            weight = self.similarity_[np.ix_(row[ask], raters)]
            weight = np.where(row[ask][:, None] == raters, 0.0, weight)  # nobody is a neighbour of itself
            if len(raters) > self.n_neighbors:
                size = np.abs(weight).round(12)  # equal similarities are a tie, whatever their rounding
                far = np.argsort(-size, axis=1, kind="stable")[:, self.n_neighbors :]
                np.put_along_axis(weight, far, 0.0, axis=1)
            total = np.abs(weight).sum(axis=1)
            vote = weight @ self._deviation[raters, c]
            score[ask] += np.divide(vote, total, out=np.zeros_like(vote), where=total > 0)
        return score


class MatrixFactorization(Recommender):
    """Ratings as a mean, two biases and the product of two short vectors; :eq:`recommender-model`.

    :eq:`recommender-objective` is minimised either by turns, :eq:`recommender-als-step`, or by a step after each
    rating, :eq:`recommender-sgd-step`. A bias moves together with the factors of its user or item, as one more
    coefficient.

    Parameters
    ----------
    n_factors : int
        0 leaves the biases alone.
    reg : float
        Penalty of all squared factors and biases, not divided by the number of ratings.
    max_iter : int
        Most rounds over users and items (over all ratings for 'sgd').
    tol : float
        The fit ends when a round lowers the objective by at most this share of it.
    solver : 'als' or 'sgd'
    biases : bool
        Without them the mean is not taken off either.
    learning_rate : float
        Of the steps of 'sgd'.
    random_state : int, Generator, RandomState or None
        Where the factors start, and the order of the ratings for 'sgd'.

    Attributes
    ----------
    mean_ : float
    user_biases_, item_biases_ : arrays
        0 without biases.
    user_factors_ : (n_users, n_factors) array
    item_factors_ : (n_items, n_factors) array
        Known up to an invertible matrix between the two, :eq:`recommender-rotation`.
    objective_ : array
        After each of the ``n_iter_`` rounds.
    n_iter_ : int
    user_ids_, item_ids_ : arrays
        Names, in ascending order.

    Notes
    -----
    A round of 'als' takes O(n k^2 + (n_users + n_items) k^3) for n ratings and k factors, one of 'sgd' O(n k), in a
    loop in Python. A user without ratings has the factors and the bias 0. Source: Koren, Bell and Volinsky (2009).

    Examples
    --------
    >>> R = [[5.0, 1.0, 4.0], [4.0, 2.0, np.nan], [1.0, 5.0, 2.0]]
    >>> model = MatrixFactorization(1, reg=0.1, random_state=0).fit(R)
    >>> model.predict([0, 1, 2], 2).round(1)
    array([4. , 3.5, 2. ])
    """

    def __init__(
        self,
        n_factors: int = 10,
        reg: float = 5.0,
        max_iter: int = 200,
        tol: float = 1e-4,
        solver: str = "als",
        biases: bool = True,
        learning_rate: float = 0.02,
        random_state: RandomState = None,
    ) -> None:
        self.n_factors, self.reg, self.max_iter, self.tol = n_factors, reg, max_iter, tol
        self.solver, self.biases, self.learning_rate, self.random_state = solver, biases, learning_rate, random_state

    def fit(self, users: ArrayLike, items: ArrayLike | None = None, ratings: ArrayLike | None = None) -> Self:
        """Learn the factors, from a matrix with NaN for the gaps or from three vectors.

        Parameters
        ----------
        users : (n_users, n_items) array, or (n,) array of names
        items, ratings : (n,) arrays, optional

        Raises
        ------
        TypeError, ValueError
            Ratings as :func:`read_ratings` refuses them, a parameter that is not as described, or an objective that is
            no number any more because the steps of 'sgd' are too long.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` ends the fit.
        """
        k, max_iter = check_integer(self.n_factors, "n_factors", 0), check_integer(self.max_iter, "max_iter")
        reg, tol = check_real(self.reg, "reg"), check_real(self.tol, "tol")
        rate = check_positive(self.learning_rate, "learning_rate", "the factors would not move downhill")
        check_choice(self.solver, "solver", ("als", "sgd"))
        check_choice(self.biases, "biases", (True, False))
        if not (k or self.biases):
            raise ValueError("n_factors is 0 and biases is False: nothing is left to learn.")
        rng, data = check_rng(self.random_state), self._read(users, items, ratings)
        self.mean_ = float(data.value.mean()) if self.biases else 0.0
        self.user_biases_, self.item_biases_ = (np.zeros(n) for n in data.shape)
        self.user_factors_, self.item_factors_ = (0.1 * rng.normal(size=(n, k)) for n in data.shape)
        turns = _Turns(data) if self.solver == "als" else None
        objective: list[float] = []
        for _ in range(max_iter):
            with np.errstate(all="ignore"):  # an objective that overflows is reported below
                objective.append(self._turn(turns, reg) if turns else self._pass(data, rng, rate, reg))
            if not np.isfinite(objective[-1]):
                raise ValueError(
                    f"the objective is {objective[-1]} after round {len(objective)}: the steps overshoot, lower "
                    f"learning_rate, which is {rate:g}."
                )
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

    def _turn(self, turns: _Turns, reg: float) -> float:
        """All users, then all items, each with its bias as the coefficient of a column of ones; the new objective."""
        left = 0.0
        for side in ("user", "item"):
            other = "item" if side == "user" else "user"
            Z, of_other = getattr(self, f"{other}_factors_"), getattr(self, f"{other}_biases_")
            if self.biases:
                Z = np.column_stack([Z, np.ones(len(Z))])
            solution, left = turns.solve(side, self.mean_ + of_other, Z, reg)
            if self.biases:
                setattr(self, f"{side}_biases_", solution[:, -1].copy())
                solution = solution[:, :-1].copy()
            setattr(self, f"{side}_factors_", solution)
        return left + reg * float((self.user_factors_**2).sum() + (self.user_biases_**2).sum())

    def _pass(self, data: Ratings, rng: np.random.Generator, rate: float, reg: float) -> float:
        """One step for each rating, in random order, each with its share of the penalty; the new objective."""
        P, Q, b, d = self.user_factors_, self.item_factors_, self.user_biases_, self.item_biases_
        of_user, of_item = (
            reg / np.maximum(np.bincount(codes, minlength=n), 1)
            for codes, n in zip((data.user, data.item), data.shape, strict=True)
        )
        for n in rng.permutation(len(data.value)):
            u, i = data.user[n], data.item[n]
            reg_u, reg_i = of_user[u], of_item[i]
            error = data.value[n] - self.mean_ - b[u] - d[i] - P[u] @ Q[i]
            P[u], Q[i] = moved(P[u], Q[i], error, rate, reg_u, reg_i)
            if self.biases:
                b[u] += rate * (error - reg_u * b[u])
                d[i] += rate * (error - reg_i * d[i])
        error = data.value - self._scores(data.user, data.item)
        parts = (self.user_factors_, self.item_factors_, self.user_biases_, self.item_biases_)
        parameters = np.concatenate([part.ravel() for part in parts])
        if not (np.isfinite(error).all() and np.isfinite(parameters).all()):
            return np.inf
        return squared_loss(error, parameters, reg)

    def _scores(self, user: IntArray, item: IntArray) -> FloatArray:
        products = np.einsum("nk,nk->n", self.user_factors_.take(user, axis=0), self.item_factors_.take(item, axis=0))
        return self.mean_ + self.user_biases_[user] + self.item_biases_[item] + products


class _Turns:
    """The ratings in the order of users and of items, as sparse matrices that keep their pattern."""

    def __init__(self, data: Ratings) -> None:
        by_user = data.sparse(data.value)
        self._tables = {"user": by_user, "item": csr_array(by_user.T)}
        self._rated = {side: self._with(side, np.ones(len(data.value))) for side in self._tables}

    def _with(self, side: str, values: FloatArray) -> csr_array:
        table = self._tables[side]
        return csr_array((values, table.indices, table.indptr), shape=table.shape)

    def solve(self, side: str, known: FloatArray, Z: FloatArray, reg: float) -> tuple[FloatArray, float]:
        """The coefficients of each row for the columns of Z, after what is known of the other side is taken off.

        What the rows leave of their objectives comes with them: a ridge regression leaves the squared responses, minus
        the product of the solution with the right-hand side of its normal equations.
        """
        table = self._tables[side]
        rest = self._with(side, table.data - known[table.indices])
        solution = als_steps(self._rated[side], rest, Z, reg)
        return solution, float(rest.data @ rest.data - (solution * (rest @ Z)).sum())
