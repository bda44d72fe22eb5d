"""Random forest: a small forest of the library, correlated learners, voters, all bootstrap samples of three rows."""

from itertools import product

import numpy as np
from scipy import stats

from notes_lib.trees.random_forest import (
    RandomForestRegressor,
    average_variance,
    hoeffding_vote_bound,
    majority_vote_probability,
    permutation_importance,
)
from tests.formulas.values import At, Instance


def forest(rng):
    """Twenty trees on ten rows: what each tree says, their mean, and the out-of-bag predictions of the library."""
    X, y = rng.normal(size=(10, 2)), rng.normal(size=10)
    model = RandomForestRegressor(n_estimators=20, oob_score=True, random_state=int(rng.integers(99))).fit(X, y)
    trees = [At(lambda x, tree=tree: float(tree.predict(x[None])[0])) for tree in model.estimators_]
    lacking = [frozenset(np.flatnonzero(row == 0) + 1) for row in model.bootstrap_counts_.T]
    seen = [n for n, trees_of_n in enumerate(lacking) if trees_of_n]
    return {
        "b": range(1, 21), "B": 20, "n": range(1, len(seen) + 1), r"\mathbf{x}_#": X[seen],
        r"\mathbf{x}": rng.normal(size=2),
        r"\bar f": At(lambda x: float(model.predict(x[None])[0])), "f_#": trees,
        r"\mathcal{O}_#": [lacking[n] for n in seen], r"\hat f_#": model.oob_prediction_[seen],
    }  # fmt: skip


def correlated(rng):
    """Predictions of five learners in forty repetitions: the variance of their mean, and all covariances."""
    f = rng.normal(size=(40, 5)) + rng.normal(size=(40, 1))
    covariance = np.cov(f.T)
    return {
        "b": range(1, 6), "c": range(1, 6), "B": 5, r"\operatorname{Var}(\bar f)": np.var(f.mean(axis=1), ddof=1),
        r"\operatorname{Cov}(f_#, f_#)": lambda b, c: covariance[b - 1, c - 1],
    }  # fmt: skip


def bootstrap_means(rng):
    """Expectations over all pairs of bootstrap samples of three rows; a learner is the largest value of its sample."""
    values = rng.normal(size=3)
    learners = [max(sample) for sample in product(values, repeat=3)]
    pairs = np.array(list(product(learners, repeat=2)))
    return {
        r"\operatorname{E}\bar f(\mathbf{x})": pairs.mean(axis=1).mean(),
        r"\operatorname{E}f_1(\mathbf{x})": np.mean(learners),
    }


def shuffled(rng):
    """The library's importances, and the errors from which it computes them, in its order."""
    X, y, errors = rng.normal(size=(10, 3)), rng.normal(size=10), []

    def score(model, X, y):
        errors.append(np.mean((model.predict(X) - y) ** 2))
        return -errors[-1]

    model = RandomForestRegressor(n_estimators=5, random_state=0).fit(X, y)
    found = permutation_importance(model, X, y, scoring=score, n_repeats=4, random_state=0)
    after = np.reshape(errors[1:], (3, 4)).mean(axis=1)
    return {"j": range(1, 4), "J_#": found.importances_mean, "E": errors[0], "E_#": after}


def instance(seed):
    """Learners of one variance and correlation; B = 5 voters that are right with probability p."""
    rng = np.random.default_rng(seed)
    B, p, rho, variance = 5, rng.uniform(0.55, 0.9), rng.uniform(0.1, 0.8), rng.uniform(0.5, 2)
    f = rng.normal(size=B)
    values = {
        "b": range(1, B + 1), "k": range(B + 1), "B": B, "m": (B + 1) // 2, "N": 7, "M": 5, "p": p, r"\rho": rho,
        r"\sigma^2": variance,
        r"\operatorname{Var}(\bar f)": At(lambda B: average_variance(variance, rho, int(B)), "B"),
        "P_#": lambda B: majority_vote_probability(p, B), "P_B": majority_vote_probability(p, B),
        "q": At(lambda N, M: stats.binom(M, 1 / N).pmf(0), "N", "M"), "f_#": f, r"\bar f": f.mean(), "y": rng.normal(),
    }  # fmt: skip
    trees = forest(rng)
    own = {
        "random-forest-average": trees, "random-forest-oob": trees, "random-forest-double-sum": correlated(rng),
        "random-forest-expectation": bootstrap_means(rng), "random-forest-permutation": shuffled(rng),
    }  # fmt: skip
    own["random-forest-must-know-importance:1"] = own["random-forest-permutation"]
    bound = {0: 1 - values["P_B"], 1: hoeffding_vote_bound(p, B)}
    many = 10**10  # instances, of which a sample of as many lacks the first
    return Instance(
        values,
        own,
        worth={
            "random-forest-hoeffding": bound,
            "random-forest-must-know-vote:2": bound,
            "random-forest-must-know-oob:1": B * stats.binom(many, 1 / many).pmf(0),
        },
        given={
            "random-forest-must-know-variance:1": r"B \to \infty",
            "random-forest-must-know-bootstrap:1": r"N \to \infty",
        },
    )
