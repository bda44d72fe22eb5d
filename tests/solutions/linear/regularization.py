"""Exercises on regularization: ridge by rows appended to least squares, the lasso by scikit-learn, minima by SciPy."""

from itertools import product

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import multivariate_normal, norm
from sklearn.linear_model import Lasso

from tests.formulas.values import At
from tests.solutions.ledger import Worked

W, X_, Y = r"\mathbf{w}", r"\mathbf{X}", r"\mathbf{y}"
RNG = np.random.default_rng(0)
X, TARGETS, WEIGHTS = RNG.normal(size=(6, 3)), RNG.normal(size=6), np.array([0.4, -0.7, 1.1])
STRENGTH, FIRST = 0.7, 0.3  # of the squares and of the 1-norm


def _appended(strength, X=X, y=TARGETS):
    """The rows and targets that make ridge least squares."""
    size = X.shape[1]
    return np.vstack([X, np.sqrt(strength) * np.eye(size)]), np.append(y, np.zeros(size))


def _ridge(strength, X=X, y=TARGETS):
    return np.linalg.lstsq(*_appended(strength, X, y))[0]


def _squares(rows, targets, w):
    return float(np.linalg.norm(targets - rows @ w) ** 2)


def _names(strength=STRENGTH):
    """The symbols of a problem and its ridge solution."""
    return {
        X_: X, Y: TARGETS, W: _ridge(strength), r"\lambda": strength, r"\mathbf{I}": np.eye(3), "N": 6, "D": 3,
        r"\mathbf{0}": np.zeros(3), r"\lambda_1": FIRST, "r_#": TARGETS - X @ WEIGHTS, "n": range(1, 7),
    }  # fmt: skip


def ex_map():
    sigma, tau = 0.9, 1.4
    names = _names((sigma / tau) ** 2)
    noise, prior = multivariate_normal(np.zeros(6), sigma**2), multivariate_normal(np.zeros(3), tau**2)
    w = names[W]
    density, rest = r"\log p(\mathbf{y}\mid\mathbf{w})", r"\lVert\mathbf{y}-\mathbf{X}\mathbf{w}\rVert^2+\text{const}"
    limit = {r"\tau\to0": {r"\tau": 1e-9}, r"\mathbf{w}\to\mathbf{0}": {W: _ridge(1e9)}}
    return Worked(
        {**names, r"\sigma": sigma, r"\tau": tau, r"\mathcal{N}": At(lambda m, S: np.column_stack([m, S])),
         r"p(\mathbf{y}\mid\mathbf{w})": noise.pdf(TARGETS - X @ w), r"p(\mathbf{w})": prior.pdf(w),
         r"\text{const}": prior.logpdf(np.zeros(3))},
        own={**limit, rf"{density}=-\tfrac{{1}}{{2\sigma^2}}{rest}": {r"\text{const}": noise.logpdf(np.zeros(6))}},
        numbers=[
            sigma**2, np.column_stack([np.zeros(3), prior.cov]),
            _squares(*_appended(names[r"\lambda"]), w), 0,
        ],
    )  # fmt: skip


def _soft(z, t, factor=0.5):
    """The minimiser of the squares with this factor and t times the 1-norm."""
    return float(minimize_scalar(lambda w: factor * (w - z) ** 2 + t * abs(w), bracket=(-9, 9), tol=1e-12).x)


def _threshold(t, factor=0.5):
    """From where on the minimiser is not 0: the squares fall as fast as the 1-norm rises."""
    step = 1e-4
    slope = lambda z: factor * ((step - z) ** 2 - (-step - z) ** 2) / (2 * step)
    return brentq(lambda z: slope(z) + t, 0, 9, xtol=1e-13)


def ex_soft():
    w, z, t = 0.6, 2.3, 0.7
    half = norm(z).logpdf(z) - norm(z).logpdf(w)
    zero = {"z": 0.4, "w": round(_soft(0.4, t), 6)}
    return Worked(
        {"w": w, "z": z, "t": t},
        own={"w<0": {"w": _soft(-z, t)}, "w=0": zero, r"-z-t\leq0\leq-z+t": zero, r"|z|\leq t": zero,
             "w=z-t": {"w": _soft(z, t)}, "w=z+t": {"w": _soft(-z, t), "z": -z}},
        numbers=[half + t * w, 0, 2 * half + t * w, 0, 0, 0, z - t, 2, _threshold(t, 1)],
    )  # fmt: skip


def ex_path():
    gram, products = np.array([[2, 1], [1, 2]]), np.array([5, 4])
    root = np.linalg.cholesky(gram).T
    targets = np.linalg.solve(root.T, products)
    lasso = lambda strength: Lasso(alpha=strength / 2, fit_intercept=False, tol=1e-14, max_iter=10**6)

    def at(strength):
        """The weights of the path at a strength."""
        w = np.round(lasso(strength).fit(root, targets).coef_, 9) if strength else np.linalg.solve(gram, products)
        return {r"\lambda_1": strength, "w_#": w, W: w}

    second = next(k / 100 for k in range(500, 0, -1) if at((k - 1) / 100)["w_#"][1] > 0)
    first, both = at(4.2), at(1.2)
    solved = (
        r"\mathbf{w}=\tfrac13\begin{pmatrix}2&-1\\-1&2\end{pmatrix}\begin{pmatrix}5-\lambda_1\\4-\lambda_1\end{pmatrix}"
    )
    return Worked(
        {X_: root, Y: targets, **at(second)},
        own={
            r"\lambda_1=5": at(np.max(products)), "2w_1=5-\\lambda_1": first, r"w_1=(5-\lambda_1)/2": first,
            r"4-w_1=(3+\lambda_1)/2": first,
            rf"{solved}=\big(\tfrac{{6-\lambda_1}}{{3}},\tfrac{{3-\lambda_1}}{{3}}\big)": both,
            r"\lambda_1=0": at(0),
        },
        numbers=[second, 0, at(0)[W]],
    )  # fmt: skip


def ex_compare():
    return Worked({r"\lambda_1": FIRST}, numbers=[2, 1, FIRST])


def ex_augment():
    rows, targets = _appended(STRENGTH)
    value = _squares(rows, targets, WEIGHTS) / 2 + FIRST * sum(map(abs, WEIGHTS))
    return Worked(
        {**_names(), W: WEIGHTS, "j": range(1, 4), "w_#": WEIGHTS, r"\mathbf{r}": TARGETS - X @ WEIGHTS,
         r"\mathbf{r}'": targets - rows @ WEIGHTS},
        numbers=[np.zeros(3), value, value],
    )  # fmt: skip


def ex_loo():
    hat = np.column_stack([X @ _ridge(STRENGTH, y=e) for e in np.eye(6)])
    left = [X[n] @ _ridge(STRENGTH, np.delete(X, n, axis=0), np.delete(TARGETS, n)) for n in range(6)]
    return Worked(
        {"n": range(1, 7), "y_#": TARGETS, "h_{##}": hat, "r_#": TARGETS - hat @ TARGETS, r"\hat y_#": hat @ TARGETS,
         r"\hat y_#^-": left},
        numbers=[TARGETS - left, 0],
    )  # fmt: skip


def ex_selection():
    features, rows, chosen = 200, 100, 5
    tries = [len(range(step, features)) for step in range(chosen)]
    return Worked(numbers=[features, rows], known=[tries, sum(tries)])


def ex_shrinkage():
    values, along = np.array([3, 1]), np.array([6, 2])
    U = np.linalg.qr(np.column_stack([np.ones(4), RNG.normal(size=(4, 2))]))[0][:, 1:]  # orthogonal to the ones
    rows, targets = U * values, U @ along
    weights = _ridge(3, rows, targets)
    return Worked(
        {r"\mathbf{u}_#": U.T, Y: targets, r"\mathbf{v}_#": np.abs(np.linalg.svd(rows)[2]), r"\lambda": 3},
        numbers=[values, np.eye(2), weights],
    )


def cards():
    names = _names()
    generic = {**names, W: WEIGHTS}
    one_norm = sum(map(abs, WEIGHTS))
    tau, sigma, C, z = 1.4, 0.9, 0.8, np.array([3, -1, 0.5])
    prior = multivariate_normal(np.zeros(3), tau**2)
    _, values, V = np.linalg.svd(X, full_matrices=False)
    gain = np.linalg.solve(X.T @ X + STRENGTH * np.eye(3), X.T)
    bias, spread = V @ (gain @ X @ WEIGHTS - WEIGHTS), V @ (sigma**2 * gain @ gain.T) @ V.T
    doubled = _ridge(STRENGTH, np.vstack([X, X]), np.tile(TARGETS, 2))
    assert np.allclose(doubled, _ridge(STRENGTH / 2))
    wide = np.linalg.lstsq(X * [10, 1, 1], TARGETS)[0]
    soft = np.round([_soft(v, 1) for v in z], 6)
    shares = lambda strength: float(sum(s / (s + strength) for s in (9, 4, 1)))
    subsets = len([*product((0, 1), repeat=8)])
    fits = len([*product(range(5), range(4))]) + 1
    return {
        "lost-marks-mean": Worked(
            names,
            own={r"\lambda\lVert\mathbf{w}\rVert^2": generic,
                 r"\tfrac1N\sum_nr_n^2+\lambda\lVert\mathbf{w}\rVert^2": generic},
            numbers=[STRENGTH * np.dot(WEIGHTS, WEIGHTS),
                     np.mean((TARGETS - X @ WEIGHTS) ** 2) + STRENGTH * np.dot(WEIGHTS, WEIGHTS), _ridge(6 * STRENGTH)],
        ),
        "lost-marks-normal": Worked(names, numbers=[np.linalg.lstsq(X, TARGETS)[0], _ridge(STRENGTH)]),
        "lost-marks-threshold": Worked(
            {**generic, "C": C}, numbers=[_squares(X, TARGETS, WEIGHTS) + C * one_norm, 0.5, _threshold(C, 1)]
        ),
        "lost-marks-prior": Worked(
            {**generic, r"\tau": tau, r"\sigma": sigma, r"\lambda": (sigma / tau) ** 2},
            numbers=[norm(0, tau).pdf(np.linalg.norm(WEIGHTS)), prior.pdf(np.zeros(3))],
        ),
        "lost-marks-bias": Worked(numbers=[100, 100, 0]),
        "do-not-confuse-three": Worked(
            {**generic, "z": z[0], r"S_{\lambda_1}": At(lambda z: _soft(z, FIRST))},
            numbers=[WEIGHTS @ WEIGHTS, one_norm, _ridge(STRENGTH, np.eye(1), z[:1]), z[0] - FIRST, 0, 0],
        ),
        "what-if-limits": Worked(
            {**names, r"\sigma": sigma, r"\sigma_#": values, r"\mathbf{v}_#": V, r"\mathbf{w}^\star": WEIGHTS,
             "i": range(1, 4)},
            own={r"\lambda\to0": {r"\lambda": 1e-9}},
            numbers=[np.zeros(3), np.zeros(3), sigma**2, bias, np.diag(spread)],
        ),
        "what-if-rows": Worked(numbers=[2, len(np.tile(TARGETS, 2)) / len(TARGETS), 0.5]),
        "what-if-scale": Worked(numbers=[10, np.linalg.lstsq(X, TARGETS)[0][0] / wide[0]]),
        "what-if-one": Worked(
            {r"\lambda": STRENGTH, "w_#": WEIGHTS[:1], "j": range(1, 2)}, numbers=[STRENGTH * np.square(WEIGHTS[0]), 0]
        ),
        "counting-fits": Worked({"D": 8, "K": 5, "m": 4}, numbers=[subsets, subsets, fits]),
        "convention-strength": Worked(numbers=[0.5]),
        "convention-df": Worked(numbers=[0]),
        "quiz-training": Worked(numbers=[2]),
        "quiz-copies": Worked({r"\lambda": STRENGTH, r"\rho": 0.5, r"\alpha": 0.3}, numbers=[0, 1, 0]),
        "quiz-soft": Worked(
            {"z": z, W: soft, r"\mathbf{r}": z - soft, r"\lambda": 1},
            numbers=[_squares(np.eye(3), z, soft) / 2 + sum(map(abs, soft)), [3, -1, 0], soft,
                     _ridge(1, np.eye(3), z), np.round([_soft(v, 0.5) for v in z], 6), 0.5, 0.5],
        ),
        "quiz-df": Worked(
            {r"\sigma_#": [3.0], "i": range(1, 2), r"\lambda": 1}, own={r"\lambda=0": {r"\lambda": 0}},
            numbers=[4, 1, shares(0), shares(1), shares(1), 1.5, 9 + 4 + 1, 9],
        ),
        "tf-zero": Worked(numbers=[0]),
        "tf-invertible": Worked(
            {r"\lambda": STRENGTH, r"\sigma_#": values, "i": range(1, 4)},
            numbers=[0, np.linalg.eigvalsh(X.T @ X + STRENGTH * np.eye(3))[::-1]],
        ),
        "tf-linear": Worked({r"\lambda_1": FIRST}, numbers=[FIRST, FIRST]),
    }  # fmt: skip
