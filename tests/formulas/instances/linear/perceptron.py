"""Perceptron: a separable sample, and the weights that the library passes through until it makes no mistake."""

import numpy as np

from notes_lib.kernels.kernel_methods import linear_kernel
from notes_lib.linear.perceptron import (
    learn,
    least_squares_weights,
    lms_step,
    margin,
    normalised_samples,
    novikoff_bound,
    online_pass,
    perceptron_criterion,
    perceptron_step,
)
from tests.formulas.values import At, Instance

W = r"\mathbf{w}"
AFTER = r"\mathbf{w}\leftarrow"
CONDITIONS = {
    "perceptron-must-know-update:4",  # from w = 0
    "perceptron-must-know-criterion:2",  # at w = 0
    "perceptron-must-know-novikoff:5",  # from w = 0
}
COPIED = {"perceptron-pseudo-inverse": "half a sum of squares"}


def mistakes_of(Z, w):
    """Numbers of the samples at which the library would move the weights."""
    return frozenset(n + 1 for n, z in enumerate(Z) if online_pass(z[None], w).mistakes.size)


def path_of(Z, passes):
    """The weights before the first sample and after each one."""
    path = [np.zeros(Z.shape[1])]
    for z in np.tile(Z, (passes, 1)):
        path.append(online_pass(z[None], path[-1]).w)
    return np.array(path)


def instance(seed):
    """Eight samples, any weights w that are wrong somewhere, and a run of the library that ends without a mistake."""
    rng = np.random.default_rng(seed)
    N, eta = 8, 0.7
    star = np.array([1.0, -2.0, 0.3])
    X = rng.normal(size=(N, 2))
    y = np.where(X @ star[:2] + star[2] > 0, 1, -1)
    X += 0.3 * np.outer(y, star[:2])
    Z = normalised_samples(X, y)
    w = rng.normal(size=3)
    w *= -np.sign(w @ Z[0])
    targets = rng.uniform(0.5, 2, N)
    run = learn(Z)
    path = path_of(Z, run.n_iter)
    after_mistakes = path[1:][np.any(path[1:] != path[:-1], axis=1)]
    T = N * run.n_iter
    values = {
        "n": range(1, N + 1), "j": range(1, N + 1), "t": range(1, T + 1), "k": range(1, len(after_mistakes) + 1),
        "N": N, r"\mathbf{x}_#": X, "y_#": y, r"\mathbf{z}_#": Z, r"\mathbf{Z}": Z, W: w, r"\mathbf{v}": w[:-1],
        "b": w[-1], r"\eta": eta, r"\mathbf{0}": np.zeros(3), AFTER: perceptron_step(Z, w, eta),
        "J_p": At(lambda v: perceptron_criterion(Z, v), W),
        "J_s": At(lambda v: 0.5 * np.sum((Z @ v - targets) ** 2), W),
        r"\mathcal{M}": At(lambda v: mistakes_of(Z, v), W), r"\gamma": margin(Z, star), r"\mathbf{w}^\star": star,
        r"\mathbf{w}^{\star\top}": star[None], "M": run.alpha.sum(), "R": np.linalg.norm(Z, axis=1).max(),
        r"\mathbf{w}_#": after_mistakes, r"\alpha_#": run.alpha, r"\boldsymbol\alpha": run.alpha,
        r"\mathbf{G}": linear_kernel(Z), "G_{##}": linear_kernel(Z), "T": T,
        r"\bar{\mathbf{w}}": learn(Z, keep="average").w, r"\mathbf{w}^{(#)}": path[1:], r"\beta_#": targets,
        r"\boldsymbol\beta": targets,
        r"\mathbf{Z}^{+}": np.linalg.pinv(Z),
    }  # fmt: skip
    some = w * (seed % 2)  # at 0 every sample is a tie, which is a mistake
    online = {W: some, AFTER: At(lambda n: online_pass(Z[n - 1 : n], some, eta).w, "n")}
    lms = {AFTER: At(lambda n: lms_step(w, Z[n - 1], targets[n - 1], eta), "n")}
    best = {W: least_squares_weights(Z, targets)}
    last, tie = {W: run.w}, {W: some}
    own = {
        "perceptron-update": online, "perceptron-lms": lms, "perceptron-pseudo-inverse": best,
        "perceptron-dual": last, "perceptron-criterion": tie, "perceptron-must-know-update:2": tie,
        "perceptron-must-know-update:3": online, "perceptron-must-know-dual:1": last,
        "perceptron-must-know-lms:1": best, "perceptron-must-know-lms:2": best, "perceptron-must-know-lms:3": lms,
    }  # fmt: skip
    worth = {
        "perceptron-novikoff": {0: run.alpha.sum(), 1: novikoff_bound(Z, star)},
        "perceptron-must-know-novikoff:4": novikoff_bound(Z, star),
        "perceptron-must-know-lms:2": np.linalg.lstsq(Z, targets)[1],
    }
    wrong = mistakes_of(Z, some)
    truth = {"perceptron-must-know-update:2": At(lambda n: n not in wrong, "n")}
    return Instance(values, own, worth, truth=truth)
