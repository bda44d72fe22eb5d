"""The quiz of the chapter *Model selection*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
import scipy.stats

from notes_lib.foundations.descent import numerical_hessian
from notes_lib.theory.model_selection import aic, bic, gaussian_log_likelihood, loo_score, mdl
from tests.claims.deciding import Numbers, Words, decided

SMALL = 1e-9
RNG = np.random.default_rng(0)
X = np.column_stack([np.ones(30), RNG.normal(size=(30, 5))])
Y = X[:, :3] @ [1.0, 0.8, 0.5] + RNG.normal(size=30)


def _hat(X):
    return X @ np.linalg.pinv(X)


def _fits(y, noise=None):
    """Log-likelihoods and numbers of parameters of the nested models of the columns of X."""
    sizes = np.arange(1, 7)
    rss = [((y - _hat(X[:, :d]) @ y) ** 2).sum() for d in sizes]
    return gaussian_log_likelihood(rss, len(y), noise), sizes + (noise is None)


def quiz_count(features):
    """A regression with intercept, <features> features and unknown variance has $k$ equal to"""
    d = int(features) + 1
    w = np.linalg.lstsq(X[:, :d], Y)[0]
    at = np.r_[w, ((Y - X[:, :d] @ w) ** 2).mean()]
    log_likelihood = lambda v: scipy.stats.norm.logpdf(Y, X[:, :d] @ v[:-1], np.sqrt(v[-1])).sum()
    free = np.linalg.matrix_rank(numerical_hessian(log_likelihood, at), tol=0.1)  # directions that matter
    return {"<k>": lambda k: k == free}


def quiz_laplace():
    """Which term of Laplace's approximation gives BIC its charge?"""
    k, times = X.shape[1], 1000

    def terms(copies):  # of a regression with known variance and a standard normal prior
        mode = np.linalg.solve(copies * X.T @ X + np.eye(k), copies * X.T @ Y)
        return np.array([
            scipy.stats.norm.logpdf(mode).sum(),
            k / 2 * np.log(2 * np.pi),
            -np.linalg.slogdet(copies * X.T @ X + np.eye(k))[1] / 2,
            copies * scipy.stats.norm.logpdf(Y, X @ mode).sum(),
        ])  # fmt: skip

    grown = terms(10 * times) - terms(10)
    prior, constant, determinant, fit = np.isclose(grown, -k / 2 * np.log(times), rtol=0.01)
    return {
        "the prior": prior,
        r"$\frac k2\ln2\pi$": constant,
        "the determinant of the Hessian": determinant,
        "the log-likelihood": fit,
    }


def quiz_loo(residual, leverage):
    """A residual is <residual> and its leverage <leverage>. The leave-one-out error is"""
    x = np.sqrt([leverage, 1 - leverage])
    y = 2 * x + residual / x[1] * np.array([x[1], -x[0]])  # the fit and what is orthogonal to it
    assert np.allclose([y[0] - x[0] * (x @ y), _hat(x[:, None])[0, 0]], [residual, leverage])
    without = y[0] - x[0] * y[1] / x[1]  # the first instance is left out
    return Numbers(without, [residual * (1 - leverage), residual * (1 + leverage), residual / leverage])


def quiz_stepwise(features):
    """Forward selection runs through all <features> features. How many models are fitted, the empty one included?"""
    chosen, left, fits = [], {*range(int(features))}, 1
    while left:
        fits += len(left)
        chosen.append(left.pop())
    return Numbers(fits, [len(chosen) + 1, fits - 1, 2 ** len(chosen)])


def quiz_aic():
    """What is true of AIC? (Mark all.)"""
    rng, n = np.random.default_rng(1), 25
    mean = rng.normal(scale=1 / np.sqrt(n), size=20_000)  # of n standard normal instances; the rest of the squares
    rest = rng.chisquare(n - 1, (2, 20_000))
    new = n * (mean - rng.normal(scale=1 / np.sqrt(n), size=20_000)) ** 2 + rest[1]
    charged = aic(gaussian_log_likelihood(rest[0], n, 1.0), np.ones(20_000, int))
    promised = -2 * gaussian_log_likelihood(new, n, 1.0).mean()

    def too_large(n):  # how often a mean is fitted that is 0
        mean = rng.normal(scale=1 / np.sqrt(n), size=5000)
        gain = n * mean**2 / 2
        return (aic(gain, np.ones(5000, int)) < aic(0 * gain, np.zeros(5000, int))).mean()

    rows = np.random.default_rng(2).normal(size=(1000, 4))
    y = rows[:, 0] + np.random.default_rng(3).normal(size=1000)
    rss = ((y - _hat(rows) @ y) ** 2).sum()
    constant = 1000 * np.log(2 * np.pi)
    loss = np.array([1000 * loo_score(_hat(rows), y), aic(gaussian_log_likelihood(rss, 1000, 1.0), 4) - constant])
    return {
        "It estimates an expectation over new data.": abs(charged.mean() - promised) < 0.5,
        "It is consistent.": too_large(1_000_000) < 0.05,
        "It needs a prior.": Words("its formula has none"),
        "It agrees with leave-one-out for large $N$.": abs(np.diff(loss)[0]) < 0.8,
    }


def tf_units():
    """The choice by BIC is the same whether targets are in metres or in centimetres."""
    values = [bic(*_fits(factor * Y), len(Y)) for factor in (1, 100)]
    return np.ptp(values[1] - values[0]) < 1e-6 and np.argmin(values[0]) == np.argmin(values[1])


def _weights(values):
    """Posterior probabilities of models from their BIC."""
    share = np.exp(-(values - values.min()) / 2)
    return share / share.sum()


def tf_probability():
    """The model with the smallest BIC has a high posterior probability."""
    rng = np.random.default_rng(0)
    features, y = rng.normal(size=(50, 40)), rng.normal(size=50)

    def best(y):  # of the models with one feature each
        rss = [((y - _hat(column[:, None]) @ y) ** 2).sum() for column in features.T]
        return _weights(bic(gaussian_log_likelihood(rss, 50), np.full(40, 2), 50)).max()

    assert best(y + 3 * features[:, 0]) > 0.9
    return best(y) > 0.5


def tf_mdl():
    """Two-part MDL with half a logarithm for each parameter chooses like BIC."""
    rng = np.random.default_rng(0)
    lists = [_fits(X @ rng.normal(size=6) + rng.normal(size=30)) for _ in range(50)]
    lengths = [np.sum(mdl(*models, 30, n_models=6), axis=0) for models in lists]
    return all(np.argmin(bits) == np.argmin(bic(*fits, 30)) for bits, fits in zip(lengths, lists, strict=True))


def tf_inside():
    """Features may be selected before cross-validation if the selection is simple."""
    rng = np.random.default_rng(0)
    features, y = rng.normal(size=(40, 1000)), np.tile([-1, 1], 20)  # which have nothing to do with each other
    fold = np.arange(40) // 2 % 5
    chosen = lambda rows: np.argsort(-abs(y[rows] @ features[rows]))[:10]  # the most correlated ones

    def error(select):
        wrong = []
        for test in (fold == n for n in range(5)):
            best = select(~test)
            w = y[~test] @ features[~test][:, best]  # difference of the means
            wrong.append((features[test][:, best] @ w) * y[test] <= 0)
        return np.mean(wrong)

    assert error(chosen) > 0.4
    return error(lambda _: chosen(np.full(40, True))) > 0.4


test_claim = decided("theory/model_selection", globals())
