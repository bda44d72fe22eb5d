"""The quiz of the chapter *Mixture discriminant analysis*, decided: see ``tests/claims/deciding.py``."""

import numpy as np

from notes_lib.clustering.gmm import MStep, m_step
from notes_lib.clustering.mixture_discriminant import (
    ClusterFeatures,
    MixtureDiscriminantAnalysis,
    class_log_densities,
    class_posterior,
    component_posterior,
    segment_profile,
)
from notes_lib.linear.gaussian_discriminant import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from notes_lib.linear.logistic_regression import LogisticRegression
from tests.claims.deciding import Numbers, decided


def _sides(seed, n=40):
    """Class 0 in two clouds on the sides of class 1."""
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(c, 0.7, (n, 2)) for c in ([-4, 0], [4, 1], [0, 0])])
    return X, np.repeat([0, 0, 1], n)


def quiz_sum(a1, a2, b1):
    r"""Class A has the components $r_{A1}=<a1>$ and $r_{A2}=<a2>$ at $\mathbf{x}$, class B has $r_{B1}=<b1>$.
    Predict"""
    at = [float(np.sqrt(-2 * np.log(r))) for r in (a1, a2, b1)]  # distances at which unit Gaussians are in this ratio
    A = MStep(np.array([0.5, 0.5]), np.array([[at[0]], [-at[1]]]), np.ones(2))
    B = MStep(np.array([1.0]), np.array([[at[2]]]), np.ones(1))
    parts = np.hstack(component_posterior([[0.0]], [A, B], [2 / 3, 1 / 3], "spherical"))[0]
    assert np.allclose(parts, np.array([a1, a2, b1]) / (a1 + a2 + b1))
    q = class_posterior([[0.0]], [A, B], [2 / 3, 1 / 3], "spherical")[0]
    return {"A": q[0] > q[1], "B": q[1] > q[0], "neither, it is a tie": bool(np.isclose(*q))}


def quiz_borders():
    """How many borders can two classes of one Gaussian each have on a line, at most?"""
    rng = np.random.default_rng(0)
    free, equal = [], []
    for _ in range(100):
        means, variances = rng.normal(size=(2, 1, 1)) * 3, rng.uniform(0.3, 9, (2, 1))
        free.append(_turns(means, variances))
        equal.append(_turns(means, variances[[0, 0]]))
    return Numbers(max(free), [max(equal), 3, 4])


def _turns(means, variances):
    """Borders of two Gaussians on a line."""
    theta = [MStep(np.ones(1), m, s) for m, s in zip(means, variances, strict=True)]
    log_p = class_log_densities(np.linspace(-90, 90, 9001)[:, None], theta, "spherical")
    return int((np.diff(log_p[:, 0] > log_p[:, 1]) != 0).sum())


def quiz_parameters(classes, components, features):
    """<classes> classes, <components> components each, <features> features, full covariances. Free parameters:"""
    K, J, D = int(classes), int(components), int(features)
    X = np.random.default_rng(0).normal(size=(60, D))
    theta = m_step(X, np.random.default_rng(1).dirichlet(np.ones(J), 60))
    entries = len(np.unique(theta.covariances.round(12)))  # a symmetric matrix repeats its entries
    free = K * (theta.weights.size - 1 + theta.means.size + entries)
    squares = K * (theta.weights.size - 1 + theta.means.size + theta.covariances.size)
    return Numbers(free + K - 1, [free, free - K * (J - 1), squares + K - 1])


def quiz_features():
    """Which are true of cluster labels as features? (Mark all.)"""
    X, y = _sides(0)
    soft, hard = ClusterFeatures(3, random_state=0).fit(X), ClusterFeatures(3, "hard", random_state=0).fit(X)
    score = LogisticRegression().fit(hard.transform(X), y).decision_function(hard.transform(X))
    shuffled = ClusterFeatures(3, random_state=0).fit(X, np.random.default_rng(1).permutation(y))
    wide = np.column_stack([X[:, 0] > 0, 9 * np.random.default_rng(2).integers(0, 2, len(X))])
    wide = wide + 0.1 * np.random.default_rng(3).normal(size=wide.shape)
    target = (X[:, 0] > 0).astype(int)
    few = ClusterFeatures(2, random_state=0).fit(wide).transform(wide)
    raw, by_label = (LogisticRegression().fit(F, target).score(F, target) for F in (wide, few))
    return {
        "hard labels make a linear model piecewise constant": len(np.unique(score.round(9))) <= 3,
        "soft labels of a row sum to 1": np.allclose(soft.transform(X).sum(axis=1), 1),
        "they always lower the error": by_label >= raw,
        "the clusters are found with the help of the classes": not np.allclose(
            shuffled.transform(X), soft.transform(X)
        ),
    }


def tf_split():
    """With known labels, EM in one class does not change the fit of another class."""
    X, y = _sides(1)
    other = X.copy()
    other[y == 0] += np.random.default_rng(0).normal(size=(80, 2))
    one, two = (MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(A, y) for A in (X, other))
    assert not np.allclose(one.mixtures_[0].means_, two.mixtures_[0].means_)
    return np.allclose(one.mixtures_[1].means_, two.mixtures_[1].means_)


def tf_lda():
    """With one component for each class, MDA with a covariance for each component is LDA."""
    X, y = _sides(2)
    mda = MixtureDiscriminantAnalysis(1).fit(X, y).decision_function(X)
    assert np.allclose(mda, QuadraticDiscriminantAnalysis().fit(X, y).decision_function(X))
    return np.allclose(mda, LinearDiscriminantAnalysis().fit(X, y).decision_function(X))


def tf_weights(total):
    """The weights of all components of all classes sum to <total>."""
    X, y = _sides(3)
    model = MixtureDiscriminantAnalysis([2, 1], random_state=0).fit(X, y)
    sums = [m.weights_.sum() for m in model.mixtures_]
    assert np.allclose(sums, total)
    return np.isclose(sum(sums), total)


def tf_standout(bound):
    """The squared standouts of a feature, weighted by the shares of the segments, cannot exceed <bound>."""
    rng = np.random.default_rng(4)
    found = []
    for scale in (0.0, 0.1, 1.0, 5.0):
        labels = np.r_[0, 1, 2, rng.integers(0, 3, 40)]
        X = rng.normal(size=(3, 2))[labels] + scale * rng.normal(size=(43, 2))
        profile = segment_profile(X, labels)
        found.append(profile.shares @ profile.standouts**2)
    assert np.max(found) > bound - 1e-9  # reached where the segments have no spread
    return np.max(found) <= bound + 1e-9


test_claim = decided("clustering/mixture_discriminant", globals())
