"""Linear regression: nine rows with an intercept and two features, and other designs where a formula asks for them."""

import numpy as np
from scipy import stats
from scipy.linalg import null_space, qr

from notes_lib.linear.linear_regression import (
    LinearRegression,
    PolynomialFeatures,
    breusch_pagan_test,
    f_test,
    hat_matrix,
    influence,
    least_squares_summary,
    leverages,
    normal_equations,
    prediction_intervals,
    regression_log_likelihood,
    sgd_pass,
    shortest_weights,
    squared_error,
    variance_inflation_factors,
)
from tests.formulas.values import At, Instance, Law

W, BEST = r"\mathbf{w}", r"\hat{\mathbf{w}}"
LEVEL, SIGMA = 0.9, 1.3
LEAST = 98, 100
UNREAD = {"linear-regression-model": "the dots of a row"}
CONDITIONS = {
    "linear-regression-must-know-gradient:4",  # the names of three factors
    "linear-regression-must-know-gradient:5",
    "linear-regression-must-know-gradient:6",
    "linear-regression-must-know-covariance:3",  # the hypothesis
    "linear-regression-must-know-intervals:4",  # a distribution's name
}
COPIED = {"linear-regression-loss": "c Q is the library's sum times c"}


def tests_of(rng, X, index):
    """Library's statistics where the hypotheses hold: of one weight, of the last two, of even noise."""
    N, P = X.shape
    t, f, chi2 = [], [], []
    many = np.column_stack([np.ones(150), rng.normal(size=(150, P - 1))])
    for _ in range(120):
        noise = rng.normal(size=N)
        t.append(least_squares_summary(X, noise).tvalues[index])
        f.append(f_test(X[:, :1], X, noise).statistic)
        chi2.append(breusch_pagan_test(many, rng.normal(size=150)).statistic)
    return {
        "t_{N-P}": Law(stats.t(N - P), t), r"F_{P - P_0,\, N - P}": Law(stats.f(P - 1, N - P), f),
        r"\chi^2_{P-1}": Law(stats.chi2(P - 1), chi2),
    }  # fmt: skip


def one_feature(rng):
    """A line through nine points."""
    x, y = rng.normal(size=(2, 9))
    line = stats.linregress(x, y)
    X = np.column_stack([np.ones(9), x])
    Q = qr(X, mode="economic")[0]
    return {
        "x_#": x, "y_#": y, r"\bar x": x.mean(), r"\bar y": y.mean(), r"\hat w_#": {0: line.intercept, 1: line.slope},
        "S_{xy}": 8 * np.cov(x, y)[0, 1], "S_{xx}": 8 * np.var(x, ddof=1), r"\mathbf{X}": X, r"\mathbf{x}_#": X,
        "h_#": leverages(X), r"\mathbf{Q}": Q, "D": 1, "p": range(1, 3),
    }  # fmt: skip


def without_a_row(X, y):
    """Fitted values and noise of the fits that have not seen one row."""
    fitted, noise = [], []
    for n in range(len(y)):
        rest = least_squares_summary(np.delete(X, n, axis=0), np.delete(y, n))
        fitted.append(X @ rest.params)
        noise.append(np.sqrt(rest.scale))
    found = influence(X, y)
    return {
        r"\hat{\mathbf{y}}_{(#)}": np.array(fitted), "s_{(#)}": noise, "D_#": found.cooks_distance,
        "t_#": found.standardized, "t_#^*": found.studentized, "h_#": found.leverages,
    }  # fmt: skip


def with_weights(rng, X, y):
    """Rows of different weight: the noise's variance is sigma^2 over the weight."""
    v = rng.uniform(0.5, 2, len(y))
    best = normal_equations(X, y, sample_weight=v)
    A = np.linalg.pinv(X * np.sqrt(v)[:, None]) * np.sqrt(v)  # takes targets to weights
    return {r"\mathbf{V}": np.diag(v), BEST: best, r"\operatorname{Cov}\hat{\mathbf{w}}": SIGMA**2 * (A / v) @ A.T}


def instance(seed):
    """Any weights w, the best ones, and what the library reports of them; j counts the weights from 0."""
    rng = np.random.default_rng(seed)
    N, D, P = 9, 2, 3
    X = np.column_stack([np.ones(N), rng.normal(size=(N, D)) + 1])
    w, y = rng.normal(size=P), rng.normal(size=N)
    summary, A = least_squares_summary(X, y), np.linalg.pinv(X)
    best, s = summary.params, np.sqrt(summary.scale)
    r = y - X @ best
    convention, c = (("sum", 1), ("half", 0.5), ("mean", 1 / N))[seed % 3]
    longest = np.linalg.norm(X, ord=2) ** 2 / N  # the largest eigenvalue
    eta = (0.5, 1.9, 2.1, 3)[seed % 4] / longest
    new = np.append(1, rng.normal(size=D))
    intervals = prediction_intervals(X, y, new[None], LEVEL)
    batch = sgd_pass(w, X, y, np.arange(N), np.full(1, eta), batch_size=N)[0]
    rows = np.array([1, 4, 6])
    path = sgd_pass(w, np.tile(X, (400, 1)), np.tile(y, 400), np.arange(400 * N), np.full(400, eta), batch_size=N)
    numbered = lambda a: dict(enumerate(a))
    values = {
        "n": range(1, N + 1), "j": range(P), "N": N, "D": D, "P": P, "P_0": 1, r"\mathbf{X}": X, r"\mathbf{x}_#": X,
        r"\mathbf{y}": y, "y_#": y, W: w, BEST: best, r"\hat w_#": numbered(best), r"\boldsymbol{\epsilon}": y - X @ w,
        r"\mathbf{0}": np.zeros(P), "Q": At(lambda w: squared_error(w, X, y), BEST), r"\mathbf{r}": r, "r_#": r, "c": c,
        "J_c": At(lambda w: squared_error(w, X, y, convention), W), r"\bar y": y.mean(), r"\hat y_#": X @ best,
        r"\bar{\mathbf{x}}": X[:, 1:].mean(axis=0), r"\boldsymbol{\beta}": LinearRegression().fit(X[:, 1:], y).coef_,
        "S_{yy}": N * np.var(y), "R^2": summary.rsquared, r"\sigma^2": SIGMA**2,
        r"\log p(\mathbf{y} \mid \mathbf{X}, \mathbf{w}, \sigma^2)": regression_log_likelihood(w, SIGMA**2, X, y),
        r"\mathcal{N}": At(lambda y, mean, variance: stats.norm(mean, np.sqrt(variance)).pdf(y)), "s^2": summary.scale,
        r"\hat\sigma^2": stats.norm.fit(r, floc=0)[1] ** 2, r"\eta": eta, r"\mathbf{w}\leftarrow": batch, "s": s,
        r"\operatorname{Cov}\hat{\mathbf{w}}": SIGMA**2 * A @ A.T, "t_#": numbered(summary.tvalues),
        "s_#": numbered(summary.bse), "F": f_test(X[:, :1], X, y).statistic, "Q_0": N * np.var(y),
        r"\mathbf{x}": new, "h": At(lambda x: float(np.sum((A.T @ x) ** 2))), "t": stats.t(N - P).ppf((1 + LEVEL) / 2),
        r"R^2_{\text{squared residuals}}": LinearRegression().fit(X[:, 1:], r**2).score(X[:, 1:], r**2),
        r"\hat{\mathbf{y}}": X @ best, r"\mathbf{H}": hat_matrix(X),
        r"\lambda_{\max}": At(lambda M: float(np.linalg.eigvalsh(M).max())),
        "B": frozenset((rows + 1).tolist()), **tests_of(rng, X, 1),
    }  # fmt: skip
    twin = np.column_stack([X, X[:, 1] - X[:, 2]])  # of less than full rank
    shortest = shortest_weights(twin, y[:, None]).w[:, 0]
    kernel = null_space(twin)
    line = one_feature(rng)
    points = {
        "x_#": new[1:],
        r"\mathbf{x}": new[1:],
        r"\boldsymbol{\phi}": At(lambda x: PolynomialFeatures(2).fit_transform(x[None])[0]),
    }
    features = {
        "j": range(1, D + 1), "x_{##}": X[:, 1:], r"\bar x_#": X[:, 1:].mean(axis=0),
        r"\mathrm{VIF}_#": variance_inflation_factors(X[:, 1:]),
        r"\operatorname{Var}\hat w_#": SIGMA**2 * np.diag(A @ A.T)[1:],
        "R_#^2": [LinearRegression().fit(X[:, [o]], X[:, k]).score(X[:, [o]], X[:, k]) for k, o in ((1, 2), (2, 1))],
    }  # fmt: skip
    card = "linear-regression-must-know-"
    own = {
        "linear-regression-slope": line, f"{card}normal:3": line, f"{card}normal:4": line,
        "linear-regression-leverage": line, "linear-regression-monomials": points, "linear-regression-vif": features,
        "linear-regression-shortest": {BEST: shortest, r"\mathbf{B}": kernel, r"\mathbf{w}_*": shortest + kernel[:, 0]},
        "linear-regression-sgd": {r"\mathbf{w}\leftarrow": sgd_pass(w, X, y, rows, np.full(1, eta), batch_size=3)[0]},
        f"{card}descent:3": {r"\mathbf{w}\leftarrow": At(
            lambda n: sgd_pass(w, X, y, np.array([n - 1]), np.full(1, eta))[0], "n")},
        **{f"linear-regression-{name}": without_a_row(X, y) for name in ("standardized", "cook", "studentized")},
        "linear-regression-weighted": with_weights(rng, X, y),
    }  # fmt: skip
    worth = {
        "linear-regression-confidence": list(intervals.confidence[0]),
        f"{card}intervals:1": list(intervals.confidence[0]),
        "linear-regression-prediction": list(intervals.prediction[0]),
        f"{card}intervals:2": list(intervals.prediction[0]),
        "linear-regression-breusch-pagan": {0: breusch_pagan_test(X, y).statistic},
        f"{card}covariance:2": {0: At(lambda j: summary.tvalues[j], "j")},
    }  # fmt: skip
    converges = bool(np.linalg.norm(path[-1] - best) < np.linalg.norm(w - best))
    return Instance(values, own, worth, truth={f"{card}descent:2": converges})
