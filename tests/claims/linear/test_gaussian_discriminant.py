"""The quiz of the chapter *Gaussian discriminants*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
import scipy.stats

from notes_lib.linear.gaussian_discriminant import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    class_gaussians,
    lda_error,
    logistic_parameters,
    qda_scores,
)
from notes_lib.linear.logistic_regression import LogisticRegression
from tests.claims.deciding import decided

SMALL = 1e-9


def _cases():
    """Two means, one covariance, and unequal priors."""
    rng = np.random.default_rng(0)
    for p in (0.05, 0.3, 0.4, 0.6, 0.7, 0.95):
        F, means = rng.normal(size=(3, 3)), rng.normal(size=(2, 3))
        yield means, F @ F.T + 0.2 * np.eye(3), np.array([p, 1 - p])


def quiz_border():
    """Two Gaussian classes have equal covariances and unequal priors. The border is"""
    middle, across, moved, bent = [], [], [], []
    for means, S, priors in _cases():
        w, b = logistic_parameters(means, S, priors)
        gap = means[1] - means[0]
        share = -(w @ means[0] + b) / (w @ gap)  # of the way from the first mean to the second one
        middle.append(np.isclose(share, 0.5))
        across.append(np.isclose(abs(w @ gap), np.linalg.norm(w) * np.linalg.norm(gap)))
        moved.append((share > 0.5) == (priors[1] < 0.5))
        line = np.outer(np.arange(3), [1.0, -2.0, 0.5])
        odds = np.diff(qda_scores(line, means, [S, S], priors), axis=1)[:, 0]
        bent.append(abs(np.diff(odds, n=2)[0]) > 1e-6)
    return {
        "a hyperplane through the mid-point of the means": all(middle),
        "a hyperplane, always at right angles to the line between the means": all(across),
        "a hyperplane, moved towards the mean of the rarer class": all(moved) and not any(bent),
        "a quadric": any(bent),
    }


def quiz_line(first, second):
    """On a line the classes have variances <first> and <second>, and there are two borders. Between them lies"""
    variances, x = np.array([first, second]), np.linspace(-60, 60, 12_001)
    found = []  # the class between the borders, the one with the larger prior, the one with the smaller mean
    for mean in (-3.0, -1.0, 1.0, 3.0):
        for prior in (0.3, 0.45, 0.6, 0.8):
            scores = qda_scores(x[:, None], [[0.0], [mean]], variances[:, None, None], [prior, 1 - prior])
            said = scores.argmax(axis=1)
            if np.count_nonzero(np.diff(said)) == 2:
                found.append([said[np.argmax(np.diff(said) != 0) + 1], int(prior < 0.5), int(mean < 0)])
    between, larger, smaller = np.array(found).T
    return {
        "the class with variance <v>": lambda v: (variances[between] == v).all(),
        "the class with the larger prior": (between == larger).all(),
        "the class with the smaller mean": (between == smaller).all(),
    }


def _cloud(rng, n, gap, d=5):
    y = rng.permutation(np.repeat([0, 1], n // 2))
    return rng.normal(size=(n, d)) + gap / np.sqrt(d) * (y[:, None] - 0.5), y


def _free():
    return LogisticRegression(C=np.inf)


def quiz_logistic():
    """Which are true of LDA and logistic regression?"""
    rng = np.random.default_rng(0)
    X, y = _cloud(rng, 400, 1.5)
    ones = np.column_stack([np.ones(400), X])
    fits = [LinearDiscriminantAnalysis().fit(X, y), _free().fit(X, y)]
    odds = np.column_stack([np.diff(np.log(fit.predict_proba(X)), axis=1) for fit in fits])
    linear = np.allclose(ones @ np.linalg.lstsq(ones, odds)[0], odds, atol=1e-6)
    kinds, many = (LinearDiscriminantAnalysis, _free), [_cloud(rng, 200, 3.0, 2) for _ in range(60)]
    weights = np.array([[kind().fit(*data).coef_[0] for data in many] for kind in kinds])
    misses = ((weights - 3.0 / np.sqrt(2)) ** 2).mean(axis=(1, 2))  # the true weights are the gap of the means
    counts = rng.poisson(np.repeat([[2.0], [4.0]], 10_000, axis=0))
    slope = _free().fit(counts, np.repeat([0, 1], 10_000)).coef_[0, 0]
    far = LinearDiscriminantAnalysis().fit(*_cloud(rng, 60, 20.0))
    return {
        r"Both have the posterior $\sigma(\mathbf{w}^\top\mathbf{x} + b)$": linear,
        "LDA needs fewer instances if its model is right": 1.2 * misses[0] < misses[1],
        "Logistic regression needs Gaussian classes": abs(slope - np.log(2)) > 0.05,
        "LDA's weights diverge on separable data": not np.linalg.norm(far.coef_) < 1e3,
    }


def _can_be_fitted(model, X, y):
    try:
        return np.isfinite(model.fit(X, y).predict_proba(X)).all()
    except ValueError:  # a covariance is singular
        return False


def quiz_singular(n, d):
    """A class has <n> instances with <d> features. Which fits can be computed?"""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, int(d))) * np.geomspace(1, 100, int(d)), np.arange(200) >= n
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    quadratic = QuadraticDiscriminantAnalysis
    return {
        "QDA": _can_be_fitted(quadratic(), X, y),
        "QDA with shrinkage": _can_be_fitted(quadratic(shrinkage=0.1), X, y),
        "LDA, if all classes together have many more instances": _can_be_fitted(LinearDiscriminantAnalysis(), X, y),
        "QDA after standardising": _can_be_fitted(quadratic(), standard, y),
    }


def tf_logistic():
    r"""If $p(y = 2 \mid \mathbf{x})$ is logistic in $\mathbf{x}$, the classes are Gaussian with one covariance."""
    x, classes = np.arange(12), [scipy.stats.poisson(2.0), scipy.stats.poisson(5.0)]
    odds = classes[1].logpmf(x) - classes[0].logpmf(x)
    assert np.allclose(np.diff(odds, n=2), 0)  # the posterior is logistic
    variance, skewness = np.array([one.stats("vs") for one in classes]).T
    return np.isclose(*variance) and np.allclose(skewness, 0)


def tf_pooled():
    """The maximum-likelihood estimate of the common covariance weighs each class covariance by its share $N_k/N$."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [10, 25, 40])
    X = rng.normal(size=(75, 2)) * (1 + y[:, None]) + y[:, None]
    fit = class_gaussians(X, y)
    D = X - fit.means[y]
    log_likelihood = lambda S: scipy.stats.multivariate_normal.logpdf(D, cov=S).sum()
    weighed = np.tensordot(np.bincount(y) / 75, fit.covariances, 1)
    others = [fit.covariances.mean(axis=0), *(weighed + 0.02 * (F + F.T) for F in rng.normal(size=(20, 2, 2)))]
    return np.allclose(fit.pooled, weighed) and log_likelihood(weighed) > max(map(log_likelihood, others))


def tf_limit():
    """QDA on data whose classes have equal true covariances converges to the same rule as LDA."""
    rng = np.random.default_rng(0)
    new, _ = _cloud(rng, 5000, 2.0)

    def disagree(n):
        data = _cloud(rng, n, 2.0)
        said = [kind().fit(*data).predict(new) for kind in (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis)]
        return np.mean(said[0] != said[1])

    shares = [disagree(n) for n in (50, 1000, 100_000)]
    return shares[0] > 2 * shares[1] > 8 * shares[2] and shares[2] < 0.01


def tf_error():
    r"""With equal priors the error of the best rule for two Gaussian classes with one covariance depends on the
    dimension $D$ at fixed $\Delta$."""
    error = lambda gap, d: lda_error([np.zeros(d), np.full(d, gap / np.sqrt(d))], np.eye(d), [0.5, 0.5])
    assert np.ptp([error(gap, 3) for gap in (1.0, 2.0, 3.0)]) > 0.1
    return np.ptp([error(2.0, d) for d in (1, 2, 5, 20)]) > SMALL


test_claim = decided("linear/gaussian_discriminant", globals())
