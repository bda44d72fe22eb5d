"""What the symbols of the chapter *Backpropagation* are worth."""

from itertools import pairwise, permutations, product

import numpy as np
from scipy.signal import correlate2d
from scipy.special import expit

from notes_lib.foundations.descent import adam_step, momentum_step
from notes_lib.networks.backpropagation import (
    convolution_parameters,
    count_parameters,
    forward,
    he_variance,
    initial_weights,
    network_loss,
    output_size,
    step_network,
    xavier_variance,
)
from notes_lib.numerics import central_difference
from tests.formulas.values import At, Instance

SIZES = [3, 4, 4, 2]
ALPHA = 0.7


def padded(arrays, shape):
    """Arrays side by side along a last axis, filled up with zeros."""
    out = np.zeros((*shape, len(arrays)))
    for m, a in enumerate(arrays):
        out[(*(slice(n) for n in a.shape), m)] = a
    return out


class Net:
    """A network of tanh units with linear outputs; its weights and biases as one array each."""

    def __init__(self, rng):
        coefs, intercepts = initial_weights(SIZES, rng, "tanh")
        self.X, self.Y = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
        self.w, self.b = padded(coefs, (4, 4)), padded(intercepts, (4,))

    def lists(self, w, b):
        """Weights and biases of the layers."""
        pairs = list(pairwise(SIZES))
        w, b = np.reshape(w, self.w.shape), np.reshape(b, self.b.shape)
        return [w[:m, :n, k] for k, (m, n) in enumerate(pairs)], [b[:n, k] for k, (_, n) in enumerate(pairs)]

    def layers(self, X, w=None, b=None):
        """Activations of all layers."""
        return forward(X, *self.lists(self.w if w is None else w, self.b if b is None else b), "tanh")

    def loss(self, row=slice(None), w=None, b=None, alpha=0.0):
        """Loss of some rows."""
        w = self.w if w is None else w
        return network_loss(self.layers(self.X[row], w, b)[-1], self.Y[row], [np.reshape(w, self.w.shape)], alpha=alpha)

    def deltas(self, row):
        """Derivatives of the loss of one row by its pre-activations, from those by the biases."""
        return central_difference(lambda b: self.loss([row], b=b), self.b)


def of_network(rng):
    """One row of a batch through a network, and derivatives by differences."""
    net = Net(rng)
    A, layer = net.layers(net.X), int(rng.integers(1, 3))
    D = np.array([net.deltas(row) for row in range(5)])
    coefs, intercepts = net.lists(net.w, net.b)
    Z = [a @ W + c for a, W, c in zip(A, coefs, intercepts, strict=False)]
    j, k = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    values = {
        "l": layer, "L": 3, "K": 2, "j": j, "k": k, "N": 5, "n": range(1, 6), r"\alpha": ALPHA, "g": At(np.tanh),
        "n_#": lambda i: SIZES[int(i)], "P": count_parameters(SIZES),
        "a_#^{(#)}": lambda i, m: A[int(m)][0, int(i) - 1],
        "a_{##}^{(#)}": lambda n, i, m: A[int(m)][int(n) - 1, int(i) - 1],
        "z_#^{(#)}": lambda i, m: Z[int(m) - 1][0, int(i) - 1],
        "w_{##}^{(#)}": net.w, "b_#^{(#)}": net.b, "y_#": net.Y[0],
        r"\delta_#^{(#)}": lambda i, m: D[0, int(i) - 1, int(m) - 1],
        r"\delta_{##}^{(#)}": lambda n, i, m: D[int(n) - 1, int(i) - 1, int(m) - 1],
        r"\ell": At(lambda w, b: net.loss([0], w, b), "w_{##}^{(#)}", "b_#^{(#)}"),
        r"\ell_#": lambda n: net.loss([int(n) - 1]),
        "J": At(lambda w: net.loss(w=w, alpha=ALPHA), "w_{##}^{(#)}"),
    }  # fmt: skip
    P = np.exp(A[3][:1])
    outputs = {"a_#^{(#)}": lambda i, m: (P / P.sum())[0, int(i) - 1], "y_#": np.array([0.0, 1.0])}
    outputs |= {
        r"\ell_{\text{sq}}": network_loss(P / P.sum(), [[0, 1]]),
        r"\ell_{\text{ce}}": network_loss(P / P.sum(), [[0, 1]], (), "log_loss"),
    }
    return values, outputs


def of_starts(rng):
    """Variances over all signs of weights of one size."""
    a, delta, bias = rng.normal(size=4), rng.uniform(0.5, 2), rng.normal()
    v = rng.uniform(0.1, 1)
    signs = np.array(list(product([-1, 1], repeat=4)))
    sums = signs @ a * np.sqrt(v) + bias
    back = np.array([np.sqrt(v) * delta * (s @ t) for s in signs for t in signs])
    return {
        "l": 2, "n_#": lambda i: SIZES[int(i)], "v_w": v, r"\overline{a^2}": (a**2).mean(),
        r"\operatorname{Var}(z_k^{(l)})": sums.var(), r"\operatorname{Var}(\delta_j^{(l-1)})": back.var(),
        r"\operatorname{Var}(\delta_k^{(l)})": delta**2,
    }  # fmt: skip


def of_steps(rng):
    """Three steps of both rules, and the mean of a running mean over all sequences of two gradients."""
    g, eta, mu, b1, b2, eps = rng.normal(size=4), 0.3, 0.6, 0.7, 0.8, 0.05
    u, x, path = np.zeros(1), np.array([1.0]), [(1.0, 0.0)]
    for t in range(1, 4):
        x, u = momentum_step(x, u, g[t : t + 1], eta, mu)
        path.append((x[0], u[0]))
    y, m, v, run = np.array([1.0]), np.zeros(1), np.zeros(1), [(1.0, 0.0, 0.0)]
    for t in range(1, 4):
        y, m, v = adam_step(y, m, v, g[t : t + 1], t, eta, b1, b2, eps)
        run.append((y[0], m[0], v[0]))
    low, high = rng.normal(size=2)
    ends = []
    for sequence in product([low, high], repeat=3):
        mean = 0.0
        for gradient in sequence:
            mean = b1 * mean + (1 - b1) * gradient
        ends.append(mean)
    common = {
        "t": 3, r"\gamma_#": lambda t: g[int(t)], r"\eta": eta, r"\mu": mu, r"\beta_1": b1, r"\beta_2": b2,
        r"\epsilon": eps,
    }  # fmt: skip
    momentum = common | {"u_#": lambda t: path[int(t)][1], r"\theta_#": lambda t: path[int(t)][0]}
    adam = common | {
        r"\theta_#": lambda t: run[int(t)][0], "m_#": lambda t: run[int(t)][1], "s_#": lambda t: run[int(t)][2],
        r"\operatorname{E}m_t": np.mean(ends), r"\operatorname{E}\gamma": (low + high) / 2,
    }  # fmt: skip
    return momentum, adam


def of_images(rng):
    """A small image and window, and the size of a large one."""
    image, window = rng.normal(size=(6, 6)), rng.normal(size=(3, 3))
    small = {
        "k": 3, "i": 2, "j": 3, "S_{##}": correlate2d(image, window, "valid"), "K_{##}": window, "X_{#,#}": image,
    }  # fmt: skip
    h, k, q, t = (int(rng.integers(*ends)) for ends in ((20, 40), (3, 6), (0, 3), (1, 4)))
    size = {"h": h, "k": k, "q": q, "t": t, "h'": output_size(h, k, t, q)}
    return small, size


def of_brakes(rng):
    """All masks of three units with their probabilities."""
    a, p, j = rng.normal(size=3), 0.3, int(rng.integers(1, 4))
    off = rng.integers(0, 2, 3).astype(bool)
    mask = np.where(off, 0, 1 / (1 - p))
    mean = np.zeros(3)
    for silent in product([True, False], repeat=3):
        chance = np.prod([p if s else 1 - p for s in silent])
        mean += chance * np.where(silent, 0, a / (1 - p))
    return {
        "p": p, "j": j, "a_#": a, r"\mu_#": mask, r"\tilde a_#": mask * a, r"\operatorname{E}\tilde a_#": mean,
        r"\text{silenced}": At(lambda j: bool(off[int(j) - 1]), "j"),
    }  # fmt: skip


def arrangements(n):
    """How many matrices move n units to other places and turn some of their signs."""
    eye = np.eye(n)
    turned = [eye[list(places)] * signs for places in permutations(range(n)) for signs in product((-1, 1), repeat=n)]
    return len({tuple(matrix.ravel()) for matrix in turned})


def instance(seed):
    """One network, one start, one step of each rule, one image, one staircase."""
    rng = np.random.default_rng(seed)
    values, outputs = of_network(rng)
    starts, (momentum, adam), (small, size) = of_starts(rng), of_steps(rng), of_images(rng)
    m, kappa = 4, 7.0
    x = np.sort(rng.uniform(size=m + 1))
    f = rng.normal(size=m + 1)
    stairs = {
        "F": lambda at: float(forward([[at]], *step_network(x, f, kappa), "logistic")[-1][0, 0]),
        "x": rng.uniform(), "m": m, r"\kappa": kappa, "f_#": lambda i: f[int(i)], r"\sigma": lambda z: float(expit(z)),
        "c_#": (x[1:] + x[:-1]) / 2,
    }  # fmt: skip
    curves = {"z": rng.normal(), r"\sigma": lambda z: float(expit(z)), "r": lambda z: z if z > 0 else 0.0}
    xavier = xavier_variance(4, 4)
    begun = {"l": 2, "n_#": lambda i: SIZES[int(i)], "v_w": xavier, r"v_{\text{He}}": he_variance(4),
             "R": np.sqrt(3 * xavier)}  # fmt: skip
    windows = {"k": 3, "c": 5, "o": 6, "P": convolution_parameters(3, 5, 6)}
    dropped = of_brakes(rng)
    every = {"j": range(1, 5), "k": range(1, 5)}
    name, card = "backpropagation-", "backpropagation-must-know-"
    own = {
        f"{name}activations": curves, f"{name}slopes": curves, f"{name}losses": outputs, f"{name}loss": every,
        f"{name}forward-variance": starts, f"{name}backward-variance": starts, f"{name}xavier": begun,
        f"{name}uniform": begun, f"{name}he": begun, f"{card}start": begun, f"{name}momentum": momentum,
        f"{name}adam-means": adam, f"{name}adam-bias": adam, f"{name}adam-step": adam, f"{card}adam": adam,
        f"{name}steps": stairs, f"{name}dropout": dropped, f"{name}convolution": small,
        f"{name}convolution-size": size, f"{name}convolution-count": windows,

    }  # fmt: skip
    return Instance(values, own, worth={f"{name}symmetry": arrangements(SIZES[1])})
