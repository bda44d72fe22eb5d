"""t-distributed stochastic neighbour embedding: affinities, their divergence, its gradient, and the descent."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import validate_data

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_positive, check_real, check_shape
from notes_lib.numerics import RandomState, check_rng, squared_distances
from notes_lib.reduction.manifold_learning.checks import check_components

STEPS = 60  # halvings of the interval in which a width lies
SMALLEST = 1e-300  # affinities below are taken as this, so that their logarithm is finite
LOUD = 250  # first steps, with exaggerated affinities


def conditional_affinities(D2: ArrayLike, perplexity: float = 30.0) -> FloatArray:
    """Probability that each point picks each other one as its neighbour; :eq:`manifold-learning-conditional`.

    Parameters
    ----------
    D2 : (n, n) array
        Squared distances.
    perplexity : float
        From 1 to less than n - 1. The width of each Gaussian is set so that its row has this perplexity,
        :eq:`manifold-learning-perplexity`.

    Returns
    -------
    (n, n) array
        Rows of sum 1, zeros on the diagonal.

    Raises
    ------
    TypeError, ValueError
        If ``D2`` is not square or holds negative entries, or ``perplexity`` is out of range.

    Notes
    -----
    O(n^2) for each of at most 60 halvings. Where more points than ``perplexity`` lie equally near, the row keeps the
    smallest perplexity that it can have. Source: van der Maaten and Hinton (2008).

    Examples
    --------
    >>> conditional_affinities([[0, 1, 4, 9], [1, 0, 1, 4], [4, 1, 0, 1], [9, 4, 1, 0]], 2.5)[1].round(4)
    array([0.46  , 0.    , 0.46  , 0.0799])
    """
    D2 = check_matrix(D2, "D2", square=True)
    if (D2 < 0).any():
        raise ValueError("D2 must hold squared distances, none of them negative.")
    n, perplexity = len(D2), check_perplexity(perplexity, len(D2))
    others = ~np.eye(n, dtype=bool)
    gaps = D2[others].reshape(n, n - 1)
    gaps = gaps - gaps.min(axis=1, keepdims=True)  # the nearest one has the exponent 0: nothing underflows as a whole
    scale = gaps.mean(axis=1, keepdims=True)
    gaps /= np.where(scale > 0, scale, 1.0)
    low, high = np.full((n, 1), -40.0), np.full((n, 1), 100.0)  # of the logarithm of the precision, to base 2
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        P, entropy = _gaussian_rows(gaps, 2.0**middle)
        wide = entropy > np.log(perplexity)
        low, high = np.where(wide, middle, low), np.where(wide, high, middle)
    full = np.zeros((n, n))
    full[others] = P.ravel()
    return full


def _gaussian_rows(gaps: FloatArray, precision: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rows of probabilities, and their entropies in nats."""
    exponent = gaps * precision
    P = np.exp(-exponent)
    total = P.sum(axis=1, keepdims=True)
    P /= total  # manifold-learning-conditional
    return P, np.log(total) + np.einsum("ij,ij->i", P, exponent)[:, None]


def check_perplexity(perplexity: Any, n: int) -> float:
    """Return a perplexity that the rows of n points can have."""
    perplexity = check_real(perplexity, "perplexity", 1.0)
    if perplexity >= n - 1:
        raise ValueError(
            f"perplexity={perplexity:g} must be less than n_samples - 1 = {n - 1}, the number of other points: lower "
            f"it (n_samples = {n})."
        )
    return perplexity


def joint_affinities(P: ArrayLike) -> FloatArray:
    """Symmetric affinities (n, n) of sum 1 from conditional ones; :eq:`manifold-learning-joint`.

    Raises
    ------
    ValueError
        If ``P`` is not square.

    Examples
    --------
    >>> joint_affinities([[0.0, 1.0], [1.0, 0.0]])
    array([[0. , 0.5],
           [0.5, 0. ]])
    """
    P = check_matrix(P, "P", square=True)
    return (P + P.T) / (2 * len(P))


def student_affinities(Y: ArrayLike) -> FloatArray:
    """Affinities (n, n) of the points of a map, of sum 1, by a heavy-tailed curve; :eq:`manifold-learning-student`.

    Raises
    ------
    ValueError
        If ``Y`` is no matrix of finite numbers.

    Examples
    --------
    >>> student_affinities([[0.0], [1.0], [3.0]]).round(4)
    array([[0.    , 0.3125, 0.0625],
           [0.3125, 0.    , 0.125 ],
           [0.0625, 0.125 , 0.    ]])
    """
    U = _kernel(check_matrix(Y, "Y"))
    return U / U.sum()


def _kernel(Y: FloatArray) -> FloatArray:
    U = squared_distances(Y, Y)
    U += 1.0
    np.reciprocal(U, out=U)
    np.fill_diagonal(U, 0.0)
    return U


def kl_divergence(P: ArrayLike, Y: ArrayLike) -> float:
    """Divergence of the affinities of the map from those of the data, in nats; :eq:`manifold-learning-divergence`.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> kl_divergence([[0.0, 0.5], [0.5, 0.0]], [[0.0], [7.0]])
    0.0
    """
    P, Y = _fitting(P, Y)
    return _divergence(P, student_affinities(Y))


def _divergence(P: FloatArray, Q: FloatArray) -> float:
    seen = P > 0
    return float((P[seen] * np.log(P[seen] / np.maximum(Q[seen], SMALLEST))).sum())


def kl_gradient(P: ArrayLike, Y: ArrayLike) -> FloatArray:
    """Gradient (n, k) of the divergence by the points of the map; :eq:`manifold-learning-gradient`. O(n^2 k).

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> P = [[0.0, 0.3, 0.1], [0.3, 0.0, 0.1], [0.1, 0.1, 0.0]]
    >>> kl_gradient(P, [[0.0], [1.0], [3.0]]).round(4).ravel()
    array([-0.02 ,  0.015,  0.005])
    """
    return _gradient(*_fitting(P, Y))


def _fitting(P: ArrayLike, Y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    P = check_matrix(P, "P", square=True)
    return P, check_shape(Y, "Y", (len(P), None))


def _gradient(P: FloatArray, Y: FloatArray) -> FloatArray:
    U = _kernel(Y)
    F = U / -U.sum()
    F += P
    F *= U  # how strongly each pair attracts
    pull: FloatArray = 4 * (F.sum(axis=1)[:, None] * Y - F @ Y)  # manifold-learning-gradient
    return pull


class TSNE(ClassNamePrefixFeaturesOutMixin, BaseEstimator):
    """A map in which near neighbours stay near, by descent on :eq:`manifold-learning-divergence`.

    Parameters
    ----------
    n_components : int
        Dimensions of the map, at most n - 1.
    perplexity : float
        About how many neighbours each point looks at; from 1 to less than n - 1.
    early_exaggeration : float
        Factor of the affinities in the first 250 steps, which lets groups find together.
    learning_rate : float or "auto"
        ``"auto"``: a 4th of n over ``early_exaggeration``, at least 50.
    max_iter : int
        Length of the descent; it is not meant to end before.
    init : {"pca", "random"} or (n, n_components) array
        ``"pca"``: the first principal components, scaled down to a standard deviation of 1e-4 of the first.
    random_state : int, Generator, RandomState or None
        For a random start.

    Attributes
    ----------
    embedding_ : (n, n_components) array
    kl_divergence_ : float
        At the end, in nats.
    objective_ : array
        The divergence before each tenth step after the exaggeration, and at the end.
    n_iter_ : int
    learning_rate_ : float
    n_features_in_ : int

    Notes
    -----
    O(n^2) for each step, and as much memory: for some thousand points. The descent has momentum 0.5, then 0.8, and a
    gain for each coordinate that grows while its sign stays, as in the article. There is no map for new points. Source:
    van der Maaten and Hinton (2008).

    Examples
    --------
    >>> X = np.arange(30.0)[:, None] * [1.0, 0.5]
    >>> model = TSNE(perplexity=5, max_iter=400).fit(X)
    >>> bool(model.objective_[-1] < model.objective_[0])
    True
    """

    def __init__(
        self, n_components: int = 2, *, perplexity: float = 30.0, early_exaggeration: float = 12.0,
        learning_rate: float | str = "auto", max_iter: int = 1000, init: str | ArrayLike = "pca",
        random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.n_components, self.perplexity, self.early_exaggeration = n_components, perplexity, early_exaggeration
        self.learning_rate, self.max_iter, self.init, self.random_state = learning_rate, max_iter, init, random_state

    def fit(self, X: ArrayLike, y: Any = None) -> TSNE:
        """Descend from the start.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; a perplexity or a number of components that is too large for the data.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> FloatArray:
        """The map (n, n_components); raises as :meth:`fit`."""
        X = validate_data(self, X, dtype=float, ensure_min_samples=4)
        n, rng = len(X), check_rng(self.random_state)
        k = check_components(self.n_components, n - 1, "one less than the number of points")
        exaggeration = check_positive(self.early_exaggeration, "early_exaggeration")
        max_iter = check_integer(self.max_iter, "max_iter")
        auto = isinstance(self.learning_rate, str) and self.learning_rate == "auto"
        rate = max(n / exaggeration / 4, 50.0) if auto else check_positive(self.learning_rate, "learning_rate")
        P = joint_affinities(conditional_affinities(squared_distances(X, X), self.perplexity))
        Y = self._start(X, k, rng)
        velocity, gain, history = np.zeros_like(Y), np.ones_like(Y), []
        for step in range(max_iter):
            loud = step < LOUD
            if not loud and step % 10 == 0:
                history.append(_divergence(P, student_affinities(Y)))
            slope = _gradient(P * exaggeration if loud else P, Y)
            gain = np.maximum(np.where(slope * velocity < 0, gain + 0.2, gain * 0.8), 0.01)
            velocity = (0.5 if loud else 0.8) * velocity - rate * gain * slope
            Y = Y + velocity
        self.embedding_, self.learning_rate_, self.n_iter_ = Y, rate, max_iter
        self.kl_divergence_ = _divergence(P, student_affinities(Y))
        self.objective_ = np.array([*history, self.kl_divergence_])
        return Y.copy()

    def _start(self, X: FloatArray, k: int, rng: np.random.Generator) -> FloatArray:
        if not isinstance(self.init, str):
            return check_shape(self.init, "init", (len(X), k)).copy()
        if self.init == "random":
            return 1e-4 * rng.standard_normal((len(X), k))
        if self.init != "pca":
            raise ValueError(f"init must be 'pca', 'random' or an array, got {self.init!r}.")
        if k > X.shape[1]:
            raise ValueError(
                f"n_components={k} must be at most {X.shape[1]}, n_features = {X.shape[1]}, with init='pca': start at "
                "random."
            )
        U, s, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
        Y = U[:, :k] * s[:k]
        Y *= np.where(np.abs(Y).max(axis=0) == Y.max(axis=0), 1.0, -1.0)
        spread = Y[:, 0].std()
        return np.asarray(1e-4 * Y / spread) if spread > 0 else 1e-4 * rng.standard_normal(Y.shape)
