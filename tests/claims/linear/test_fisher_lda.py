"""The quiz of the chapter *Fisher's discriminant*, decided: see ``tests/claims/deciding.py``."""

import numpy as np

from notes_lib.linear.fisher_lda import (
    FisherDiscriminant,
    discriminant_directions,
    fisher_criterion,
    fisher_direction,
    scatter_matrices,
)
from tests.claims.deciding import decided

SMALL = 1e-9
ROUND, LONG = np.eye(2), np.array([[3.0, 1.0], [0.0, 0.5]])
GAP = np.array([1.0, 2.0])


def _data(shapes, sizes=(30, 30), draw="normal"):
    """Two classes whose scatter within has exactly these shapes, and whose means differ by GAP."""
    rng = np.random.default_rng(0)
    X = []
    for n, F, mean in zip(sizes, shapes, (0 * GAP, GAP), strict=True):
        noise = getattr(rng, draw)(size=(n, 2))
        noise -= noise.mean(axis=0)
        X.append(mean + np.linalg.qr(noise)[0] * np.sqrt(n) @ F)
    return np.vstack(X), np.repeat([0, 1], sizes)


def _are_parallel(v, w):
    return np.isclose(abs(v @ w), np.linalg.norm(v) * np.linalg.norm(w))


def quiz_rank(K, d):
    """<K> classes in <d> dimensions. How many useful discriminant directions are there at most?"""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, int(d))), rng.integers(K, size=400)
    values = discriminant_directions(*scatter_matrices(X, y)).eigenvalues
    return {"<number>": lambda number: number == np.count_nonzero(values > SMALL)}


def quiz_eigenvalue():
    """The generalised eigenvalue of a stationary direction is"""
    X, y = _data((LONG, ROUND), (20, 40))
    S_w, S_b = scatter_matrices(X, y)
    found = discriminant_directions(S_w, S_b)
    value, w = found.eigenvalues[0], found.vectors[:, 0]
    return {
        "the value of the Fisher criterion there": np.isclose(fisher_criterion(w, S_w, S_b), value),
        "the variance of the projected data": np.isclose((X @ w).var(), value),
        r"the squared length of $\mathbf{w}$": np.isclose(w @ w, value),
        "the error rate": np.isclose(1 - FisherDiscriminant().fit(X, y).score(X, y), value),
    }


def _can_be_fitted(X, y, shrinkage=None):
    try:
        return np.isfinite(FisherDiscriminant(shrinkage=shrinkage).fit(X, y).transform(X)).all()
    except ValueError:  # the scatter within is singular
        return False


def quiz_singular():
    r"""$\mathbf{S}_w$ of your data is singular. Which remedies make sense?"""
    sound, y = _data((LONG, ROUND))
    X = np.column_stack([sound, sound.sum(axis=1), np.ones(60)])
    assert not _can_be_fitted(X, y)
    both = lambda change: all(_can_be_fitted(change(rows), y) for rows in (X, X[:, :3], X[:, [0, 1, 3]]))
    return {
        "Append a constant coordinate": both(lambda rows: np.column_stack([rows, np.ones(60)])),
        r"Shrink $\mathbf{S}_w$ towards a multiple of the identity": _can_be_fitted(X, y, shrinkage=0.1),
        "Multiply all features by <factor>": lambda factor: both(lambda rows: factor * rows),
        "Remove constant and linearly dependent features": both(lambda rows: rows[:, :2]),
    }


def quiz_round():
    """For which class shapes is the difference of the means already Fisher's direction?"""
    holds = lambda *cases: all(_are_parallel(fisher_direction(*_data(*case)), GAP) for case in cases)
    return {
        r"$\mathbf{S}_w$ is a multiple of the identity": holds(((ROUND, ROUND), (20, 40)), ((3 * ROUND, 3 * ROUND),)),
        "Equally many points in both classes": holds(((LONG, ROUND), (30, 30))),
        "Equal covariances": holds(((LONG, LONG), (20, 40))),
        "Always": holds(((ROUND, ROUND),), ((LONG, ROUND),), ((LONG, LONG),)),
    }


def tf_distance():
    """Fisher's direction maximises the distance between the projected means among all unit vectors."""
    is_widest = lambda shape: abs(fisher_direction(*_data((shape, shape))) @ GAP) > np.linalg.norm(GAP) - 1e-6
    assert is_widest(ROUND)
    return is_widest(LONG)


def tf_standardise():
    """Standardising the features changes the predictions of Fisher's discriminant without shrinkage."""
    X, y = _data((LONG, 2 * ROUND), (20, 40))
    X = X * [1.0, 50.0]
    standard = (X - X.mean(axis=0)) / X.std(axis=0)

    def changes(shrinkage):
        said = [FisherDiscriminant(shrinkage=shrinkage).fit(rows, y).predict(rows) for rows in (X, standard)]
        return (said[0] != said[1]).any()

    assert changes(0.5)
    return changes(None)


def tf_least_squares(first, second):
    """For two classes, least squares on the targets $<first>$ and $<second>$ gives a multiple of Fisher's direction."""

    def is_multiple(X, y):
        rows = np.column_stack([np.ones(len(X)), X])
        return _are_parallel(np.linalg.lstsq(rows, np.where(y, second, first))[0][1:], fisher_direction(X, y))

    return all(is_multiple(*_data((LONG, ROUND), sizes)) for sizes in ((30, 30), (10, 50), (45, 15)))


def tf_equal_means(value):
    """If two classes have the same mean, Fisher's criterion is <value> for every direction."""
    X, y = _data((LONG, ROUND), (20, 40))
    values = lambda X: [
        fisher_criterion(w, *scatter_matrices(X, y)) for w in np.random.default_rng(1).normal(size=(50, 2))
    ]
    assert min(values(X)) != value
    return np.allclose(values(X - np.outer(y, GAP)), value, atol=SMALL)


def tf_gaussian():
    """Fisher's derivation assumes Gaussian classes."""
    angle = np.linspace(0, np.pi, 1000)
    others = np.column_stack([np.cos(angle), np.sin(angle)])

    def is_best(draw):  # of all directions
        X, y = _data((LONG, ROUND), (20, 40), draw)
        scatter = scatter_matrices(X, y)
        best = fisher_criterion(fisher_direction(X, y), *scatter)
        return best >= max(fisher_criterion(w, *scatter) for w in others) - SMALL

    assert is_best("normal")
    return not (is_best("exponential") and is_best("uniform") and is_best("standard_cauchy"))


test_claim = decided("linear/fisher_lda", globals())
