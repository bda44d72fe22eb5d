"""The quiz of the chapter *Naive Bayes*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
from scipy.stats import multivariate_normal

from notes_lib.bayes.naive_bayes import (
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    MultinomialNB,
    gaussian_log_odds,
    gaussian_scores,
    parameter_count,
    smoothed,
)
from notes_lib.linear.logistic_regression import LogisticRegression
from tests.claims.deciding import Numbers, decided

PRIORS, MEANS, VARIANCES = [0.3, 0.7], np.array([[0.0, 1.0], [2.0, -1.0]]), np.array([[1.0, 0.5], [2.0, 3.0]])
TEXTS = np.array([[1, 2, 0], [3, 1, 1], [0, 1, 2], [1, 0, 4]])  # counts of three words
AUTHORS = np.array([0, 0, 1, 1])


def quiz_count(classes, features, values):
    """<classes> classes, <features> features with <values> values each. How many free parameters has naive Bayes?"""
    free, table = parameter_count(int(classes), [int(values)] * int(features))
    return Numbers(free, [classes - 1 + classes * features * values, table, free - (classes - 1)])


def quiz_zero(alpha):
    r"""With $\alpha = <alpha>$ one feature of an instance has a value never seen in class A. Its posterior of A"""
    rng = np.random.default_rng(0)
    y = np.repeat(["A", "B"], [40, 20])
    X = rng.integers(3, size=(60, 3))
    X[y == "A", 0] %= 2
    new = X[(y == "B") & (X[:, 0] == 2)]
    of_a = lambda columns: CategoricalNB(alpha=alpha).fit(X[:, columns], y).predict_proba(new[:, columns])[:, 0]
    posterior, without = of_a([0, 1, 2]), of_a([1, 2])
    return {
        "is lowered a little": ((posterior > without / 2) & (posterior < without)).all(),
        "is the prior of A": np.allclose(posterior, (y == "A").mean()),
        "is 0, if B has no zero factor": (posterior == 0).all(),
        "does not change": np.allclose(posterior, without),
    }


def _log_odds(X):
    return np.subtract(*gaussian_scores(X, MEANS, VARIANCES, PRIORS).T)


def quiz_gaussian():
    """Which are true of Gaussian naive Bayes with unequal variances?"""
    start, a, b = np.array([0.3, -0.8]), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    along = lambda step: _log_odds(start + np.arange(5)[:, None] * step)
    steps = [a, b, a + 2 * b, a - b]
    mixed = _log_odds([start, start + a + b]).sum() - _log_odds([start + a, start + b]).sum()
    linear = all(np.allclose(np.diff(along(step), 2), 0) for step in steps)
    X = np.random.default_rng(1).normal(scale=3, size=(50, 2))
    gaussians = [multivariate_normal(m, np.diag(v)) for m, v in zip(MEANS, VARIANCES, strict=True)]
    discriminant = np.subtract(*[g.logpdf(X) + np.log(p) for g, p in zip(gaussians, PRIORS, strict=True)])
    return {
        "The border is a quadric": not linear and all(np.allclose(np.diff(along(step), 3), 0) for step in steps),
        "It is quadratic discriminant analysis with diagonal covariances": np.allclose(discriminant, _log_odds(X)),
        "The log-odds have terms $x_i x_j$": not np.isclose(mixed, 0),
        r"Its posterior is that of a logistic regression on $\mathbf{x}$": linear,
    }


def quiz_repeat(often):
    """Which change when a word is written <often> times instead of once in a text?"""
    before, after = np.array([[1, 1, 0]]), np.array([[often, 1, 0]])
    counted, present = MultinomialNB().fit(TEXTS, AUTHORS), BernoulliNB().fit(TEXTS, AUTHORS)
    scores = lambda model: [model.predict_joint_log_proba(text) for text in (before, after)]
    odds = [np.ptp(score) for score in scores(counted)]
    trained = [MultinomialNB().fit(np.vstack([TEXTS[1:], text]), AUTHORS[[1, 2, 3, 0]]) for text in (before, after)]
    return {
        "The multinomial score": not np.allclose(*scores(counted)),
        "The Bernoulli score": not np.allclose(*scores(present)),
        "The priors": not np.allclose(*[model.class_log_prior_ for model in trained]),
        "The certainty of the multinomial model": not np.isclose(*odds),
    }


def tf_independent():
    """Naive Bayes assumes that the features are independent."""
    X = np.random.default_rng(2).normal(size=(50, 2))

    def is_product(classes, priors):
        def density(columns):
            means, variances = MEANS[classes][:, columns], VARIANCES[classes][:, columns]
            return np.exp(gaussian_scores(X[:, columns], means, variances, priors)).sum(axis=1)

        return np.allclose(density([0, 1]), density([0]) * density([1]))

    assert is_product([0], [1.0])  # given the class
    assert is_product([1], [1.0])
    return is_product([0, 1], PRIORS)


def tf_uniform():
    """Add-one smoothing is the posterior mean under a uniform prior on the probabilities."""
    first, second = np.meshgrid(*[(np.arange(600) + 0.5) / 600] * 2)
    inside = first + second < 1
    p = np.stack([first[inside], second[inside], 1 - first[inside] - second[inside]])

    def posterior_mean(counts):
        likelihood = (p ** np.array(counts)[:, None]).prod(axis=0)
        return p @ likelihood / likelihood.sum()

    tables = [(3, 0, 1), (2, 2, 5), (1, 0, 0)]
    assert not any(np.allclose(posterior_mean(counts), smoothed(counts, 0.5), atol=0.01) for counts in tables)
    return all(np.allclose(posterior_mean(counts), smoothed(counts), atol=0.002) for counts in tables)


def tf_missing():
    """A missing feature can be left out of the product."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(3, size=(60, 2)), rng.integers(2, size=60)
    with_all = CategoricalNB().fit(X, y)
    summed = sum(
        np.exp(with_all.predict_joint_log_proba(np.column_stack([X[:, 0], np.full(60, value)]))) for value in range(3)
    )
    left_out = CategoricalNB().fit(X[:, :1], y).predict_proba(X[:, :1])
    return np.allclose(summed / summed.sum(axis=1, keepdims=True), left_out)


def tf_weights():
    """With equal variances naive Bayes and logistic regression find the same weights."""
    rng = np.random.default_rng(4)
    y = np.arange(4000) % 2

    def distance(correlation):
        noise = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], size=len(y))
        X = noise + y[:, None]
        model = GaussianNB().fit(X, y)
        pooled = np.tile(model.var_.mean(axis=0), (2, 1))
        naive = gaussian_log_odds(model.theta_, pooled, model.class_prior_).linear
        return np.abs(naive - LogisticRegression(C=np.inf).fit(X, y).coef_[0]).max()

    assert distance(0.0) < 0.15  # where the assumption holds, they agree in the limit
    return distance(0.8) < 0.15


test_claim = decided("bayes/naive_bayes", globals())
