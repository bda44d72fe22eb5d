"""Softmax regression: any weights for nine instances; the library's loss on one side, SciPy's softmax on the other."""

import numpy as np
from scipy.linalg import block_diag
from scipy.special import expit, logsumexp, softmax

from notes_lib.linear.logistic_regression import LogisticRegression
from notes_lib.linear.softmax_regression import (
    SoftmaxRegression,
    log_sum_exp,
    one_hot,
    softmax_gradient,
    softmax_hessian,
    softmax_loss,
    softmax_step,
)
from notes_lib.linear.softmax_regression import softmax as own_softmax
from tests.formulas.values import At, Instance

W, A = r"\mathbf{W}", "a_#"
LEAST = 96, 100
UNREAD = {"softmax-regression-temperature": "two limits, which end in words"}
N, D, K = 9, 3, 4


def gradient(w, X, Y, penalty=0.0):
    """Gradient of the loss, by steps along the imaginary axis."""
    found, step = np.zeros(w.shape), 1e-30
    for place in np.ndindex(*w.shape):
        v = w.astype(complex)
        v[place] += step * 1j
        scores = X @ v.T
        loss = np.log(np.exp(scores).sum(axis=1)).sum() - (scores * Y).sum() + penalty / 2 * (v * v).sum()
        found[place] = loss.imag / step
    return found


def instance(seed):
    """Weights and a direction, a penalty of all of them, and a fit with a bias."""
    rng = np.random.default_rng(seed)
    X, w, u, C, T, eta = rng.normal(size=(N, D)), rng.normal(size=(K, D)), rng.normal(size=D), 0.7, 2.5, 0.13
    codes = np.r_[np.arange(K), rng.integers(0, K, N - K)]
    Y, P = one_hot(codes, K), softmax(X @ w.T, axis=1)
    x, label = X[5], int(codes[5])
    a, direction = w @ x, rng.normal(size=(K, D))
    s = X @ direction.T
    spread = [np.cov(row, aweights=p, ddof=0) for row, p in zip(s, P, strict=True)]
    loss = lambda v: softmax_loss(np.reshape(v, (K, D)), X, Y)
    penalised = lambda v: softmax_loss(np.reshape(v, (K, D)), X, Y, 1 / C)
    of_row = lambda v: np.array([softmax_loss(v, X[n : n + 1], Y[n : n + 1]) for n in range(N)])
    fit = SoftmaxRegression(C=C, tol=1e-12).fit(X, codes)
    fitted = fit.predict_proba(X)
    pair, side = w[:2], codes % 2
    two = SoftmaxRegression(C=C, tol=1e-10).fit(X, side)
    twice = LogisticRegression(C=2 * C, tol=1e-10).fit(X, side)
    assert np.allclose(two.coef_[1] - two.coef_[0], twice.coef_[0], atol=1e-6)
    rest = np.array([expit(v @ x) for v in w])
    soft = At(lambda v: own_softmax(np.ravel(v)))
    values = {
        "n": range(1, N + 1), "k": range(1, K + 1), "j": range(1, K + 1), "N": N, "K": K, "D": D, "C": C, "T": T,
        r"\mathbf{x}": x, r"\mathbf{x}_#": X, r"\mathbf{X}": X, W: w, r"\mathbf{w}_#": w, r"\mathbf{u}": u,
        r"\mathbf{a}": a, A: a, r"\mathbf{p}": At(lambda v: softmax(np.ravel(v)), r"\mathbf{a}"),
        "p_#": At(lambda v: softmax(np.ravel(v)), A), "p_{##}": P, r"\mathbf{p}_#": P, r"\mathbf{P}": P,
        r"P(y=#\mid\mathbf{x})": own_softmax(a), "y_#": Y[5], "y_{##}": Y, r"\mathbf{y}_#": Y, r"\mathbf{Y}": Y,
        "y": label + 1, "m": a.max(), "E": At(loss, W), r"\nabla E(\mathbf{W})": gradient(w, X, Y),
        r"\ell": At(lambda v: float(log_sum_exp(v) - v[label]), A),
        r"\mathbf{G}": softmax_gradient(w, X, Y), r"\mathbf{W}\leftarrow": softmax_step(w, X, Y, eta), r"\eta": eta,
        r"\mathbf{H}": softmax_hessian(w, X), r"\operatorname{diag}": At(lambda v: np.diag(np.ravel(v))),
        r"\mathbf{H}_{##}": softmax_hessian(w, X).reshape(K, D, K, D).transpose(0, 2, 1, 3),
        "s_{##}": s, r"\delta_{##}": np.eye(K),
        r"\operatorname{Var}_{k\sim\mathbf{p}_#}(s_{#k})": lambda n, _: spread[int(n) - 1],
        r"\operatorname{softmax}": soft, r"\mathbf{1}": np.ones(K), r"\mathbf{I}": np.eye(K), r"\sigma": At(expit),
        "E_C": At(penalised, W), r"\nabla E_C(\mathbf{W})": gradient(w, X, Y, 1 / C),
        r"\ell_#": of_row(w), r"\mathbf{0}": np.zeros(D), "N_#": np.bincount(codes),
        r"\tilde p_#": rest / rest.sum(), "p_#(T)": own_softmax(a / T),
    }  # fmt: skip
    only_two = {
        "K": 2, "p_1": own_softmax(pair @ x)[0], "a_#": pair @ x, r"\mathbf{w}_#": pair,
        r"\mathbf{w}": pair[0] - pair[1],
    }  # fmt: skip
    zero = softmax_hessian(np.zeros((K, D)), X)
    card = "softmax-regression-must-know-"
    own = {
        "softmax-regression-one-hot": {"y_#": codes + 1, r"\mathbf{e}_#": lambda k: np.eye(K)[int(k) - 1]},
        "softmax-regression-binary": only_two,
        "softmax-regression-calibration": {"p_{##}": fitted},
        "softmax-regression-start": {r"\mathbf{H}": At(lambda _: zero)},
        f"{card}model:3": {"E": loss(w)},
        f"{card}gradient:2": {r"\nabla_{\mathbf{w}_#}E": gradient(w, X, Y)},
        f"{card}null:3": {r"\mathbf{w}_#": w - w[-1]},
        f"{card}two:1": only_two,
    }
    centred = block_diag(*[X] * K) @ (np.eye(K * D) - np.kron(np.full((K, K), 1 / K), np.eye(D)))
    worth = {
        f"{card}null:2": np.linalg.matrix_rank(centred),
        f"{card}lse:3": float(logsumexp(np.full(K, a.max()))),
        f"{card}two:2": twice.C,
    }
    return Instance(values, own, worth)
