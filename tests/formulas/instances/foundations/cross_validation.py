r"""Cross-validation: folds refitted one by one, a learner that counts its fits, and every sample of small worlds."""

from itertools import product

import numpy as np
from scipy.stats import chi2

from notes_lib.foundations.cross_validation import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    cross_val_score,
    fold_summary,
    leave_one_out_residuals,
    one_standard_error_index,
)
from notes_lib.linear.regularization import Ridge
from tests.formulas.values import At, Instance

STEM = "cross-validation-"
COUNT = {"fits": 0}


class Counted(Ridge):
    """Ridge regression that counts how often it is fitted."""

    def fit(self, X, y, sample_weight=None):
        COUNT["fits"] += 1
        return super().fit(X, y, sample_weight)


def fits_of(run):
    """How many models are fitted meanwhile."""
    before = COUNT["fits"]
    run()
    return COUNT["fits"] - before


def world(rng):
    """Three candidates scored on every validation set of three instances, each of one of four kinds."""
    kinds, held = 4, 3
    chance, score = rng.dirichlet(np.ones(kinds)), rng.uniform(size=(3, kinds))
    samples = [list(kind) for kind in product(range(kinds), repeat=held)]
    weight = np.array([np.prod(chance[kind]) for kind in samples])
    means = np.array([score[:, kind].mean(axis=1) for kind in samples])
    mean, one = score[0] @ chance, samples[int(rng.integers(len(samples)))]
    expected = weight @ means
    assert expected.max() < weight @ means.max(axis=1)
    first = means[:, 0]
    return {
        r"\hat S": first[samples.index(one)], r"S(f,\mathcal{D}_{\mathrm{val}})": first[samples.index(one)],
        "N_v": held, r"\mathrm{val}": frozenset(range(1, held + 1)), "n": range(1, held + 1),
        r"s(y_#,f(\mathbf{x}_#))": np.diag(score[0, one]), r"\mathrm{E}[\hat S]": expected[0], r"\mathrm{E}[s]": mean,
        r"\operatorname{Var}[\hat S]": weight @ (first - expected[0]) ** 2,
        r"\operatorname{Var}[s]": chance @ (score[0] - mean) ** 2, "j": range(1, 4), "i": range(1, 4),
        r"\mathrm{E}\Big[\max_j\hat S_j\Big]": weight @ means.max(axis=1),
        r"\mathrm{E}[\max_j\hat S_j]": weight @ means.max(axis=1), r"\mathrm{E}\big[\hat S_#\big]": expected,
        r"\mathrm{E}[\hat S_#]": expected, r"\hat S_#": means[samples.index(one)],
    }  # fmt: skip


def pessimism(rng):
    """The mean as a model of a target that is 0 or 1: its loss after n instances, and in K folds of all samples."""
    p, N, K = rng.uniform(0.2, 0.8), 6, int(rng.choice([2, 3]))
    chance = lambda y: np.prod(np.where(y, p, 1 - p))
    worlds = lambda n: [np.array(y) for y in product((0, 1), repeat=n)]
    risk = lambda n: sum(chance(y) * (p * (1 - y.mean()) ** 2 + (1 - p) * y.mean() ** 2) for y in worlds(round(n)))
    of_folds = lambda y: np.mean([np.mean((y[test] - y[train].mean()) ** 2) for train, test in KFold(K).split(y)])
    seen = sum(chance(y) * of_folds(y) for y in worlds(N))
    return {"N": N, "K": K, "R": At(risk), r"\mathrm{E}[\mathrm{CV}_{\mathrm{loss}}]": seen}


def curves(rng):
    """Loss of least squares by the inverse of the Gram matrix, whose diagonal is 1 over a chi-square variable."""
    D, n = int(rng.integers(1, 5)), int(rng.integers(14, 20))
    noise, lacking = rng.uniform(0.3, 2, size=2)
    inverse = chi2(n - D + 1).expect(lambda square: 1 / square, lb=1e-12, epsabs=1e-13, epsrel=1e-13)
    Q, _ = np.linalg.qr(rng.normal(size=(n, D)))
    left = np.eye(n) - Q @ Q.T
    v = noise + lacking
    plain = {"n": n, "D": D, r"\sigma^2": noise, "R(n)": noise * (1 + D * inverse)}
    biased = {
        "v": v, "n": n, "D": D, "R(n)": v * (1 + D * inverse), r"R_{\mathrm{train}}(n)": v * np.sum(left**2) / n,
        r"\mathbf{I}": np.eye(n), r"\mathbf{H}": Q @ Q.T, r"\sigma^2": noise, "b^2": lacking,
    }  # fmt: skip
    return plain, biased


def instance(seed):
    """A ridge regression of a few rows, its folds, a grid of strengths and a search that is judged."""
    rng = np.random.default_rng(seed)
    N, D, K, inner, outer = int(rng.integers(17, 24)), 3, 4, 3, 5
    X = rng.normal(size=(N, D))
    y = X @ rng.normal(size=D) + rng.normal(size=N)
    strength, strengths = 2.0, [0.1, 1.0, 10.0, 300.0]
    m = len(strengths)

    # each fold by hand
    def R2(model, rows):
        return 1 - np.mean((y[rows] - model.predict(X[rows])) ** 2) / np.var(y[rows])

    def fitted(alpha, rows):
        left = np.ones(N, dtype=bool)
        left[rows] = False
        return Ridge(alpha).fit(X[left], y[left])

    by_hand = [R2(fitted(strength, rows), rows) for rows in np.array_split(np.arange(N), K)]
    scores = cross_val_score(Ridge(strength), X, y, cv=KFold(K))
    summary = fold_summary(scores)
    search = GridSearchCV(Counted(), {"alpha": strengths}, cv=KFold(inner))
    fits = fits_of(lambda: GridSearchCV(Counted(), {"alpha": strengths}, cv=KFold(K)).fit(X, y))
    nested_fits = fits_of(lambda: cross_val_score(search, X, y, cv=KFold(outer)))
    final_fits = fits_of(lambda: search.fit(X, y))
    # the outer folds
    outside = [test for _, test in KFold(outer).split(X)]
    inside = np.array([
        [cross_val_score(Ridge(a), np.delete(X, rows, axis=0), np.delete(y, rows), cv=KFold(inner)).mean()
         for rows in outside] for a in strengths
    ])  # fmt: skip
    best = inside.argmax(axis=0)
    judged = [R2(fitted(strengths[a], rows), rows) for a, rows in zip(best, outside, strict=True)]
    nested = cross_val_score(search, X, y, cv=KFold(outer)).mean()
    # the rule, for a score and for a loss
    table = np.array([cross_val_score(Ridge(a), X, y, cv=KFold(K)) for a in strengths])
    mean, error = table.mean(axis=1), table.std(axis=1, ddof=1) / np.sqrt(K)
    top = int(mean.argmax())
    simplicity = -np.arange(m)
    within = [one_standard_error_index(mean[[top, j]], error[[top, j]], [1, 0]) == 1 or j == top for j in range(m)]
    assert within[one_standard_error_index(mean, error, simplicity)]
    # leave one out
    G = np.linalg.solve(X.T @ X + strength * np.eye(D), X.T)
    H = X @ G
    h = np.diag(H)
    refitted = np.array([
        X[n] @ np.linalg.solve(
            np.delete(X, n, axis=0).T @ np.delete(X, n, axis=0) + strength * np.eye(D),
            np.delete(X, n, axis=0).T @ np.delete(y, n)) for n in range(N)
    ])  # fmt: skip
    assert np.allclose(y - refitted, leave_one_out_residuals(y - H @ y, h))
    share = rng.uniform(0.1, 0.8)
    sigma2 = rng.uniform(0.5, 2)
    covariance = sigma2 * (share * np.ones((K, K)) + (1 - share) * np.eye(K))
    small = world(rng)
    plain, biased = curves(rng)
    values = {
        "N": N, "K": K, "k": range(1, K + 1), "n": range(1, N + 1), "j": range(1, N + 1), "m": m, "K_i": inner,
        "K_o": outer, "D": D, "N_#": [len(test) for _, test in KFold(K).split(X)], r"N\bmod K": N % K,
        r"\mathbf{1}": 1.0, r"\Big\lfloor\frac{N}{K}\Big\rfloor": N // K, "s_#": scores, "s": np.std(scores, ddof=1),
        r"S\big(\hat f_\lambda(\cdot\,;\mathcal{D}_{-#}),\,\mathcal{D}_#\big)": np.diag(by_hand),
        r"\mathrm{CV}(\lambda)": summary.mean, r"\mathrm{CV}": summary.mean, r"\mathrm{SE}": summary.standard_error,
        r"\operatorname{Var}[\mathrm{CV}]": covariance.sum() / K**2, r"\sigma^2": sigma2, r"\rho": share,
        r"\mathrm{E}[s^2]": np.trace(covariance) / (K - 1) - covariance.sum() / K / (K - 1),
        "y_#": y, r"\hat y_#": H @ y, "H_{##}": H, "h_#": h, r"\hat y_#^{(-#)}": np.diag(refitted),
        r"\mathbf{H}": H, r"\mathbf{X}": X, r"\mathbf{y}": y, r"\hat{\mathbf{y}}": H @ y, r"\lambda": strength,
        r"\mathbf{I}": np.eye(D), "m_1m_2\\cdots m_q": float(m),
    }  # fmt: skip
    rule = {"j": range(1, m + 1), r"\mathrm{CV}(\lambda_#)": mean, r"\mathrm{CV}(\lambda_{j^*})": mean[top],
            r"\mathrm{SE}(\lambda_{j^*})": error[top]}  # fmt: skip
    search_of = {
        "k": range(1, outer + 1), r"\lambda": range(1, m + 1), r"\hat\lambda_#": best + 1,
        r"\mathrm{CV}\big(#;\,\mathcal{D}_{-#}\big)": inside, r"\mathrm{nested}": nested,
        r"S\big(\hat f_{\hat\lambda_#}(\cdot\,;\mathcal{D}_{-#}),\,\mathcal{D}_#\big)": lambda k, *_: judged[k - 1],
    }  # fmt: skip
    other = int(rng.integers(m))
    card = f"{STEM}must-know-"
    of_card = {r"\mathrm{CV}": mean[other], r"\mathrm{CV}_{\mathrm{best}}": mean[top],
               r"\mathrm{SE}_{\mathrm{best}}": error[top]}  # fmt: skip
    of_loss = {key: value if "SE" in key else -value for key, value in of_card.items()}
    own = {
        f"{STEM}holdout-score": small, f"{STEM}max": small, f"{card}parts": small,
        f"{STEM}bias-formula": pessimism(rng), f"{STEM}learning-curve": plain, f"{STEM}curves": biased,
        f"{STEM}one-standard-error": rule, f"{STEM}nested-score": search_of,
        f"{card}fits:3": {"K": LeaveOneOut().get_n_splits(X)}, f"{card}one-se:1": of_card, f"{card}one-se:2": of_loss,
    }  # fmt: skip
    worth = {
        f"{STEM}fits": fits, f"{STEM}nested-fits": nested_fits + final_fits, f"{card}fits:1": fits,
        f"{card}fits:4": nested_fits, f"{card}fits:5": final_fits,
        f"{card}bias:1": np.mean([len(train) for train, _ in KFold(K).split(X)]),
    }  # fmt: skip
    truth = {
        f"{STEM}one-standard-error": At(lambda j: within[int(j) - 1], "j"), f"{card}one-se:1": within[other],
        f"{card}one-se:2": within[other],
    }  # fmt: skip
    return Instance(values, own, worth, truth=truth)
