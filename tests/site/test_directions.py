"""The table of the chapter *Bias and variance* that says which way every dial of the book turns both parts.

Each row is simulated with the estimators of the book: the dial at a small and at a large value, on many training sets.
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from notes_lib.bayes.density_estimation import KernelDensity
from notes_lib.bayes.naive_bayes import CategoricalNB
from notes_lib.clustering.gmm import GaussianMixture
from notes_lib.kernels.gaussian_process import RBF, GaussianProcessRegressor
from notes_lib.kernels.kernel_methods import KernelGradientDescent
from notes_lib.kernels.kernel_ridge import KernelRidge
from notes_lib.kernels.svr import SVR
from notes_lib.linear.bayesian_regression import BayesianLinearRegression
from notes_lib.linear.gaussian_discriminant import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from notes_lib.linear.linear_regression import LinearRegression
from notes_lib.linear.regularization import Lasso, Ridge
from notes_lib.mining.recommender import MatrixFactorization
from notes_lib.neighbors.nearest_neighbors import KNeighborsRegressor
from notes_lib.networks.backpropagation import MLPRegressor
from notes_lib.reduction.pca import PCA
from notes_lib.reduction.random_projection import GaussianRandomProjection
from notes_lib.reinforcement.temporal_difference import lambda_returns
from notes_lib.theory.bias_variance import decompose
from notes_lib.trees.cart import DecisionTreeRegressor
from notes_lib.trees.gradient_boosting import GradientBoostingRegressor
from notes_lib.trees.random_forest import RandomForestRegressor

ROOT = Path(__file__).parents[2]
ARROWS = {"↑": 1, "↓": -1, "–": 0, "↕": None}
QUERY = np.linspace(-1, 1, 25)[:, None]
TRUTH = np.sin(np.pi * QUERY[:, 0])


def rows():
    """First cell of each row, and its two directions."""
    cells = json.loads((ROOT / "chapters/theory/bias_variance.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "".join(line for cell in cells if cell["cell_type"] == "markdown" for line in cell["source"])
    _, _, fold = text.partition(":name: bias-variance-directions\n")
    found = re.findall(r"^\| (.+?) \| ([↑↓–↕]) \| ([↑↓–↕]) \| .*\|$", fold.partition("\n:::")[0], re.M)
    return {name: (ARROWS[bias], ARROWS[variance]) for name, bias, variance in found}


def on_curve(model, S=60, N=30, degree=0):
    """Predictions of a regression for S noisy samples of a sine, perhaps on powers."""
    rng, fits = np.random.default_rng(0), []
    basis = lambda X: np.polynomial.legendre.legvander(X[:, 0], degree)[:, 1:] if degree else X
    for s in range(S):
        x = -1 + 2 * (np.arange(N) + rng.random(N)) / N
        y = np.sin(np.pi * x) + 0.5 * rng.normal(size=N)
        fits.append(np.ravel(model(s).fit(basis(x[:, None]), y).predict(basis(QUERY))))
    return np.array(fits), TRUTH


def curve(model, low, high, **setting):
    """A dial of a regression at both values."""
    return [on_curve(lambda s, v=v: model(v), **setting) for v in (low, high)]


def on_columns(model, S=40, N=50, D=6):
    """Predictions for samples of a linear function of correlated columns."""
    rng, fits, w = np.random.default_rng(1), [], 1 / np.arange(1, D + 1)
    new = rng.normal(size=(20, D)) * w
    for s in range(S):
        X = rng.normal(size=(N, D)) * w
        fits.append(model(s, X, X.sum(axis=1) + np.sin(3 * X[:, 0]) + rng.normal(size=N), new))
    return np.array(fits), new.sum(axis=1) + np.sin(3 * new[:, 0])


def forest(tried):
    """Random forests with so many columns tried at a split."""
    return lambda s, X, y, new: RandomForestRegressor(10, max_features=tried, random_state=s).fit(X, y).predict(new)


def kept(count):
    """Least squares on the first principal components."""

    def predictions(s, X, y, new):
        axes = PCA(count).fit(X)
        return LinearRegression().fit(axes.transform(X), y).predict(axes.transform(new))

    return predictions


def factors(count):
    """Entries of a table of three factors of different sizes, from noisy ones."""
    rng = np.random.default_rng(2)
    truth = (rng.normal(size=(12, 3)) * [2, 1, 0.5]) @ rng.normal(size=(3, 10))
    fits = []
    for _ in range(30):
        model = MatrixFactorization(count, reg=0.1, biases=False, random_state=0, max_iter=30)
        model.fit(truth + rng.normal(size=truth.shape))
        fits.append(model.predict(np.arange(12)[:, None], np.arange(10)).ravel())
    return np.array(fits), truth.ravel()


def densities(model, draw, density, S=60):
    """Estimated densities on a grid."""
    rng, grid = np.random.default_rng(3), np.linspace(-3, 3, 25)
    fits = [np.exp(model.fit(draw(rng)[:, None]).score_samples(grid[:, None])) for _ in range(S)]
    return np.array(fits), density(grid)


def two_humps(model):
    return densities(
        model,
        lambda rng: rng.normal(size=60) * 0.6 + rng.choice([-1.2, 1.2], 60),
        lambda x: (stats.norm(-1.2, 0.6).pdf(x) + stats.norm(1.2, 0.6).pdf(x)) / 2,
    )


def shares(alpha):
    """Estimated probabilities of five categories."""
    rng, p = np.random.default_rng(4), np.array([0.5, 0.25, 0.15, 0.07, 0.03])
    fits = []
    for _ in range(200):
        X = np.r_[rng.choice(5, 20, p=p), np.arange(5)][:, None]  # the second class only names the categories
        model = CategoricalNB(alpha=alpha).fit(X, np.r_[np.zeros(20, int), np.ones(5, int)])
        fits.append(np.exp(model.feature_log_prob_[0][0]))
    return np.array(fits), p


def posteriors(model):
    """Estimated posterior probabilities of two Gaussians with different covariances."""
    rng, scale = np.random.default_rng(5), np.array([2.0, 0.7])
    grid = np.array([[a, b] for a in (-2, -1, 0, 1, 2) for b in (-1, 0, 1)], dtype=float)
    log_p = [stats.norm(0, s).logpdf(grid - m).sum(axis=1) for s, m in zip(scale, ([0, 0], [1, 0]), strict=True)]
    fits = []
    for _ in range(100):
        X = np.vstack([rng.normal(size=(15, 2)) * scale[0], rng.normal(size=(15, 2)) * scale[1] + [1, 0]])
        fits.append(model.fit(X, np.repeat([0, 1], 15)).predict_proba(grid)[:, 1])
    return np.array(fits), 1 / (1 + np.exp(log_p[0] - log_p[1]))


def returns(lam):
    """What a walk with mean reward 1 in each of six steps is worth, from values that are all 0."""
    rewards = 1 + np.random.default_rng(6).normal(size=(400, 6))
    return np.array([lambda_returns(r, np.zeros(7), 1.0, lam)[:1] for r in rewards]), np.array([6.0])


def products(count):
    """Inner products of projected vectors."""
    X = np.random.default_rng(7).normal(size=(6, 40))
    fits = []
    for s in range(200):
        Z = GaussianRandomProjection(count, random_state=s).fit_transform(X)
        fits.append((Z @ Z.T)[np.triu_indices(6, 1)])
    return np.array(fits), (X @ X.T)[np.triu_indices(6, 1)]


def both(function, low, high):
    return [function(low), function(high)]


DIALS = {
    "training instances": lambda: [[on_curve(lambda s: LinearRegression(), N=N) for N in (30, 120)]],
    "degree": lambda: [[on_curve(lambda s: LinearRegression(), degree=d) for d in (1, 7)]],
    r"$\lambda$ of ridge": lambda: [
        curve(lambda a: Ridge(a), 0.1, 10, degree=7),
        curve(lambda a: Lasso(a), 0.001, 0.1, degree=7),
        curve(lambda a: KernelRidge(a, kernel="rbf", gamma=4), 0.1, 5),
    ],
    "precision of the prior": lambda: [
        curve(lambda a: BayesianLinearRegression(alpha=a, beta=4), 0.1, 30, degree=7)
    ],
    "$C$": lambda: [curve(lambda C: SVR(C=C, gamma=4), 0.03, 10, S=30)],
    r"width $\varepsilon$": lambda: [
        curve(lambda e: SVR(C=3, gamma=4, epsilon=e), *ends, S=200) for ends in ((0.3, 0.9), (0.9, 2))
    ],
    "length scale": lambda: [curve(lambda e: KernelRidge(0.1, kernel="rbf", gamma=1 / e), 0.02, 5)],
    "noise variance": lambda: [
        curve(lambda a: GaussianProcessRegressor(RBF(0.4), alpha=a, optimizer=None), 0.05, 5)
    ],
    "neighbours": lambda: [curve(KNeighborsRegressor, 3, 15)],
    "bandwidth": lambda: [
        both(
            lambda h: densities(KernelDensity(bandwidth=h), lambda rng: rng.normal(size=50), stats.norm.pdf), 0.2, 1.0
        )
    ],
    "pseudo-count": lambda: [both(shares, 0.1, 10)],
    "covariance matrices": lambda: [
        both(posteriors, LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis())
    ],
    "depth": lambda: [
        curve(lambda d: DecisionTreeRegressor(max_depth=d), 1, 6, S=30),
        curve(lambda m: DecisionTreeRegressor(max_leaf_nodes=m), 2, 20, S=30),
    ],
    "least instances": lambda: [
        curve(lambda m: DecisionTreeRegressor(min_samples_leaf=m), 1, 12, S=30),
        curve(lambda a: DecisionTreeRegressor(ccp_alpha=a), 0.0, 0.2, S=30),
    ],
    "trees in a forest": lambda: [
        [on_curve(lambda s, B=B: RandomForestRegressor(B, random_state=s), S=40) for B in (1, 8)]
    ],
    "features tried": lambda: [[on_columns(forest(m), S=60, N=20) for m in (1, 6)]],
    "rounds of boosting": lambda: [
        curve(lambda n: GradientBoostingRegressor(n_estimators=n), 2, 40, S=20),
        curve(lambda r: GradientBoostingRegressor(n_estimators=10, learning_rate=r), 0.01, 0.8, S=20),
    ],
    "steps": lambda: [curve(lambda n: KernelGradientDescent(gamma=4, max_iter=n, tol=0.0), 3, 300)],
    "hidden units": lambda: [
        curve(lambda n: MLPRegressor((n,), activation="tanh", solver="lbfgs", max_iter=100, random_state=0), 1, 8, S=20)
    ],
    "components of a mixture": lambda: [
        both(lambda K: two_humps(GaussianMixture(K, random_state=0, reg_covar=1e-2)), 1, 6)
    ],
    "components kept": lambda: [
        [on_columns(kept(q)) for q in (1, 6)],
        both(factors, 1, 3),
    ],
    r"$\lambda$ of TD": lambda: [both(returns, 0.0, 1.0)],
    "random features": lambda: [both(products, 4, 40)],
}  # fmt: skip


def test_every_row_is_simulated():
    assert len(rows()) == len(DIALS)
    for name, key in zip(rows(), DIALS, strict=True):
        assert name.startswith(key)


def change_of(part, low, high):
    """How much one part changes, with its standard error: ten groups of the same training sets, taken apart."""
    (one, truth), (other, _) = low, high
    groups = np.array_split(np.arange(len(one)), 10)
    of = lambda fits: np.array([getattr(decompose(fits[g], truth), part).mean() for g in groups])
    changes = of(other) - of(one)
    return changes.mean(), changes.std(ddof=1) / np.sqrt(10)


@pytest.mark.filterwarnings("ignore:.*(not converged|stopped after|still fell)")  # on purpose
@pytest.mark.parametrize("key", DIALS)
def test_the_dial_turns_both_parts_as_the_table_says(key):
    (arrows,) = [arrows for name, arrows in rows().items() if name.startswith(key)]
    turns = []
    for low, high in DIALS[key]():
        for arrow, part in zip(arrows, ("squared_bias", "variance"), strict=True):
            change, error = change_of(part, low, high)
            if arrow is None:
                turns.append(np.sign(change) * (abs(change) > 2 * error))
            elif arrow:
                assert arrow * change > 2 * error, f"{part}: {change} ± {error}"
            else:
                assert abs(change) < 3 * error, f"{part}: {change} ± {error}"
    assert set(turns) in (set(), {-1, 1})  # a double arrow: it has gone either way
