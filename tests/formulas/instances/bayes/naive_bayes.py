"""Naive Bayes: tables of categories, texts and Gaussians; probabilities of the library, of SciPy, and by sums."""

import numpy as np
from scipy.stats import dirichlet, multinomial, multivariate_normal, norm

from notes_lib.bayes.naive_bayes import (
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    MultinomialNB,
    bernoulli_log_odds,
    gaussian_log_odds,
    multinomial_log_odds,
    parameter_count,
)
from tests.formulas.values import At, Instance

N, K, D, S = 40, 3, 2, 3
X = r"\mathbf{x}"


def of_categories(rng):
    """Three classes, two features with three values; the classifier of the library, with and without smoothing."""
    y = rng.permutation(np.r_[np.arange(K), rng.integers(0, K, N - K)])
    while True:
        rows = rng.integers(0, S, size=(N, D))
        counts = np.array([[[np.sum(rows[y == k, j] == s) for s in range(S)] for j in range(D)] for k in range(K)])
        if counts.min() > 0:
            break
    model = CategoricalNB(alpha=0).fit(rows, y)
    theta = np.exp(np.stack(model.feature_log_prob_, axis=1))
    x = rng.integers(0, S, D)
    score = model.predict_joint_log_proba([x])[0]
    of = lambda j, k: theta[k - 1, j - 1, x[j - 1]]
    whole = lambda prior, table: sum(
        np.log(prior[c]) + sum(np.log(table[c, j, v]) for j, v in enumerate(row))
        for row, c in zip(rows, y, strict=True)
    )
    sizes = np.bincount(y)
    values = {
        "n": range(1, N + 1), "k": range(1, K + 1), "l": range(1, K + 1), "j": range(1, D + 1), "s": range(1, S + 1),
        "N": N, "K": K, "D": D, "S_#": [S] * D, "N_#": sizes, "N_{###}": counts, "y_#": y + 1,
        r"\pi_#": np.exp(model.class_log_prior_), r"\hat\pi_#": np.exp(model.class_log_prior_),
        r"\theta_{###}": theta, r"\hat\theta_{###}": theta,
        rf"p({X} \mid y = #)": lambda k: np.exp(score[k - 1]) / np.exp(model.class_log_prior_[k - 1]),
        rf"p({X} \mid #)": lambda k: np.exp(score[k - 1]) / np.exp(model.class_log_prior_[k - 1]),
        r"p(x_# \mid y = #)": of, r"p(x_# \mid #)": of, rf"\delta_#({X})": score,
        rf"p(y = # \mid {X})": model.predict_proba([x])[0],
        rf"\hat y({X})": int(model.predict([x])[0]) + 1, r"\hat y": int(model.predict([x])[0]) + 1,
        r"p(x_{##} \mid y_#)": lambda n, j, _: theta[y[n - 1], j - 1, rows[n - 1, j - 1]],
        r"\ell": whole(np.exp(model.class_log_prior_), theta),
    }  # fmt: skip
    return values, rows, y, whole


def of_lagrangian(rng, values, whole):
    """Any probabilities, not normalised, and multipliers; at the maximum the ones that make the slope 0."""
    pi, theta = rng.uniform(0.1, 1, K), rng.uniform(0.1, 1, (K, D, S))
    free, multipliers = rng.normal(), rng.normal(size=(K, D))
    total = lambda prior, table, zero, each: (
        whole(prior, table) + zero * (1 - prior.sum()) + np.sum(each * (1 - table.sum(axis=2)))
    )
    anywhere = {
        r"\mathcal{L}": total(pi, theta, free, multipliers), r"\ell": whole(pi, theta), r"\pi_#": pi,
        r"\theta_{###}": theta, r"\lambda_0": free, r"\lambda_{##}": multipliers,
    }  # fmt: skip
    best, shares = values[r"\theta_{###}"], values[r"\pi_#"]
    sizes = np.repeat(values["N_#"][:, None], D, axis=1).astype(float)
    at_best = {
        r"\mathcal{L}": At(lambda t: total(shares, np.reshape(t, best.shape), float(N), sizes), r"\theta_{###}"),
        r"\lambda_{##}": sizes,
    }
    return anywhere, at_best


def of_texts(rng):
    """Counts of four words in eight texts of two classes, both models of the library, and a new text."""
    texts, y, alpha = rng.poisson(1.0, size=(8, 4)), np.repeat([0, 1], [3, 5]), rng.uniform(0.2, 2)
    counted, present = MultinomialNB(alpha=alpha).fit(texts, y), BernoulliNB(alpha=alpha).fit(texts > 0, y)
    x, seen = rng.integers(0, 4, 4), rng.integers(0, 2, 4)
    theta, phi = np.exp(counted.feature_log_prob_), np.exp(present.feature_log_prob_)
    prior = np.bincount(y) / 8
    totals = np.array([texts[y == k].sum(axis=0) for k in range(2)])
    both = {"D": 4, "j": range(1, 5), "k": range(1, 3), r"\pi_#": prior, r"\alpha": alpha}
    score = counted.predict_joint_log_proba([x])[0]
    of_counts = {
        **both, r"\theta_{##}": theta, r"\hat\theta_{##}": theta, "x_#": x, rf"\delta_#({X})": score,
        rf"p({X} \mid y = #)": lambda k: float(multinomial(x.sum(), theta[k - 1]).pmf(x)),
        "T_{##}": totals, "T_#": totals.sum(axis=1), r"\delta_#": score,
    }  # fmt: skip
    score = present.predict_joint_log_proba([seen])[0]
    of_presence = {
        **both, r"\phi_{##}": phi, r"\hat\phi_{##}": phi, "x_#": seen, rf"\delta_#({X})": score, r"\delta_#": score,
        "n_{##}": np.array([(texts[y == k] > 0).sum(axis=0) for k in range(2)]), "N_#": np.bincount(y),
    }  # fmt: skip
    odds = multinomial_log_odds(theta, prior)
    assert np.isclose(odds.linear @ x + odds.constant, of_counts[r"\delta_#"][1] - of_counts[r"\delta_#"][0])
    odds = bernoulli_log_odds(phi, prior)
    assert np.isclose(odds.linear @ seen + odds.constant, score[1] - score[0])
    return of_counts, of_presence


def of_gaussians(rng):
    """Numbers of two classes, their densities by SciPy, and what the library makes of them."""
    y = np.repeat([0, 1], [9, 12])
    rows = rng.normal(size=(21, D)) * [1.0, 2.0] + y[:, None]
    model = GaussianNB(var_smoothing=0).fit(rows, y)
    mean, var, prior, x = model.theta_, model.var_, model.class_prior_, rng.normal(size=D)
    score = np.array([np.log(prior[k]) + multivariate_normal(mean[k], np.diag(var[k])).logpdf(x) for k in range(2)])
    odds = gaussian_log_odds(mean, var, prior)
    shared = rng.uniform(0.5, 2, D)
    equal = gaussian_log_odds(mean, [shared, shared], prior)
    density = np.array([prior[k] * norm(mean[k], shared**0.5).pdf(x).prod() for k in range(2)])
    ranges = {"n": range(1, 22), "k": range(1, 3), "y_#": y + 1, "N_#": [9, 12], "x_{##}": rows}
    own = {
        **ranges, r"\mu_{##}": mean, r"\hat\mu_{##}": mean, r"\sigma_{##}^2": var, r"\hat\sigma_{##}^2": var,
        r"\sigma_{##}": var**0.5, r"\pi_#": prior, r"\pi": np.pi, "x_#": x, rf"\delta_#({X})": score,
        r"\delta_#": score, "a_#": odds.quadratic, "w_#": odds.linear, "b": odds.constant,
    }  # fmt: skip
    at_equal = {
        **own, r"\sigma_#^2": shared, r"\sigma_{##}": np.sqrt([shared, shared]), r"\sigma_#": shared**0.5, X: x,
        r"\mathbf{w}": equal.linear, "w_#": equal.linear, "b": equal.constant,
        rf"p(y = 2 \mid {X})": density[1] / density.sum(), rf"p(2 \mid {X})": density[1] / density.sum(),
    }  # fmt: skip
    return own, at_equal


def of_portions(rng):
    """Two portions of a column: means and sums of squared deviations of each and of both."""
    a, b = rng.normal(size=5), rng.normal(2.0, size=8)
    both = np.r_[a, b]
    found = {"": both, "_a": a, "_b": b}
    return {
        **{f"N{name}": len(v) for name, v in found.items()}, **{rf"\mu{name}": v.mean() for name, v in found.items()},
        **{f"Q{name}": np.var(v) * len(v) for name, v in found.items()},
    }  # fmt: skip


def of_copies(rng):
    """A classifier of the library on columns that stand c times, with the scores of one copy."""
    coins, y, c = rng.integers(0, 2, size=(30, 2)), np.arange(30) % 2, int(rng.integers(2, 5))
    x = rng.integers(0, 2, 2)
    once, often = BernoulliNB().fit(coins, y), BernoulliNB().fit(np.tile(coins, c), y)
    phi = np.exp(once.feature_log_prob_)
    return {
        "k": range(1, 3), "j": range(1, 3), "c": c, r"\pi_#": [0.5, 0.5],
        r"p(x_# \mid #)": lambda j, k: phi[k - 1, j - 1] if x[j - 1] else 1 - phi[k - 1, j - 1],
        rf"p_c(y = # \mid {X})": often.predict_proba([np.tile(x, c)])[0],
    }  # fmt: skip


def instance(seed):
    """All of them; smoothing with the mean of a Dirichlet distribution."""
    rng = np.random.default_rng(seed)
    values, rows, y, whole = of_categories(rng)
    anywhere, at_best = of_lagrangian(rng, values, whole)
    alpha, counts = rng.uniform(0.3, 3), values["N_{###}"]
    means = np.array([[dirichlet(row + alpha).mean() for row in of_class] for of_class in counts])
    tables = np.exp(np.stack(CategoricalNB(alpha=alpha).fit(rows, y).feature_log_prob_, axis=1))
    assert np.allclose(tables, means)
    smooth = {r"\alpha": alpha, r"\hat\theta_{###}": means, "u_#": values["N_#"] / (values["N_#"] + alpha * S)}
    texts, presence = of_texts(rng)
    gaussians, equal = of_gaussians(rng)
    sizes = values["N_#"]
    card = "naive-bayes-must-know-"
    own = {
        "naive-bayes-lagrangian": anywhere, "naive-bayes-stationary": at_best, "naive-bayes-laplace": smooth,
        "naive-bayes-shrink": smooth,
        "naive-bayes-smoothed-priors": {r"\alpha": alpha, r"\hat\pi_#": dirichlet(sizes + alpha).mean()},
        "naive-bayes-multinomial": texts, "naive-bayes-multinomial-score": texts,
        "naive-bayes-multinomial-mle": texts, "naive-bayes-multinomial-odds": texts,
        "naive-bayes-bernoulli": presence, "naive-bayes-bernoulli-mle": presence,
        "naive-bayes-bernoulli-odds": presence, "naive-bayes-gaussian": gaussians,
        "naive-bayes-gaussian-mle": gaussians, "naive-bayes-gaussian-odds": gaussians,
        "naive-bayes-logistic": equal, "naive-bayes-merge": of_portions(rng),
        "naive-bayes-double-counting": of_copies(rng),
        f"{card}laplace": smooth, f"{card}words:1": texts, f"{card}words:2": texts, f"{card}words:3": presence,
        f"{card}words:4": presence, f"{card}logistic": equal,
    }  # fmt: skip
    numbers = rng.integers(2, 6, D)
    own["naive-bayes-count"] = {"S_#": numbers}
    free, entries = parameter_count(K, numbers)
    theta, phi, score = texts[r"\theta_{##}"], presence[r"\phi_{##}"], texts[r"\delta_#"]
    worth = {
        "naive-bayes-count": entries, "naive-bayes-count/2": free,
        f"{card}words:1": At(lambda k, j: theta[k - 1, j - 1], "k", "j"),
        f"{card}words:2": At(lambda k: score[k - 1], "k"),
        f"{card}words:3": At(lambda k, j: phi[k - 1, j - 1], "k", "j"),
        f"{card}words:4": At(lambda k, j: np.log1p(-phi[k - 1, j - 1]), "k", "j"),
    }  # fmt: skip
    return Instance(values, own, worth)
