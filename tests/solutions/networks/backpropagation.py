"""Exercises on backpropagation: blames by differences, variances over all signs, sizes of arrays that are made."""

from itertools import pairwise, permutations, product

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import norm
from sklearn.metrics import log_loss
from sklearn.neural_network import MLPClassifier

from notes_lib.networks.backpropagation import he_variance
from notes_lib.numerics import central_difference
from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _slopes(f, x):
    """The derivatives of a number by each entry of a vector."""
    return central_difference(f, x, 1e-5)


def _slope(f, x):
    return float(_slopes(lambda v: f(v[0]), [x])[0])


def _logistic(z):
    return 1 / (1 + np.exp(-z))


def _rectified(z):
    return np.maximum(z, 0)


def ex_derive():
    weights, hidden, target = np.array([[0.4, -1.0, 0.7], [1.1, 0.2, -0.5]]), np.array([0.3, -0.8]), 1
    loss = lambda z: float(logsumexp(z) - z[target])
    outputs = np.tanh(hidden) @ weights
    first = np.round(_slopes(lambda z: -z[target], outputs), 9)
    share = np.exp(outputs) / np.exp(outputs).sum()
    blame = {"j": _slopes(lambda z: loss(np.tanh(z) @ weights), hidden), "k": _slopes(loss, outputs)}
    of = lambda values, letter: At(lambda at: float(values[at - 1]), letter)
    return Worked(
        {"j": range(1, 3), "k": range(1, 4), "w_{##}": weights, r"\delta_j": of(blame["j"], "j"),
         r"\delta_k": of(blame["k"], "k"), "a_j": of(np.tanh(hidden), "j"), "a_k": of(share, "k"),
         "y_k": of(np.eye(3)[target], "k")},
        numbers=[first[target], first[0], [_slope(np.tanh, z) for z in hidden]],
    )  # fmt: skip


def ex_xor():
    inputs = np.array([*product((0, 1), repeat=2)])
    units = np.column_stack([_rectified(inputs.sum(axis=1)), _rectified(inputs.sum(axis=1) - 1)])
    asked = (inputs.sum(axis=1) == 1).astype(float)
    weights, left, *_ = np.linalg.lstsq(units, asked)
    assert np.allclose(left, 0)
    rest = units[-1, 0] * weights[0] - asked[-1]  # what two ones leave to the second unit, which is 1 there
    x, scores = np.array([0.3, 1.1]), np.unique(units, axis=0)
    return Worked(
        {"x_#": x, "r": At(_rectified)},
        numbers=[0, 1, _rectified(x.sum()), _rectified(x.sum() - 1), asked.max(), 1, asked.min(), scores.T, 1,
                 weights[0], rest, weights[1]],
    )  # fmt: skip


def ex_xavier():
    size, spread, before = 4, 0.3, np.array([0.5, -1.2, 0.8, 2.0])
    signs = np.array([*product((-1, 1), repeat=size)]) * spread**0.5  # all equally likely
    sums = signs @ before
    each = np.mean([np.var(signs[:, j] * a) for j, a in enumerate(before)])
    after = lambda fan: brentq(lambda v: fan * v - 1, 0, 1, xtol=1e-15)
    kept = quad(lambda z: _rectified(z) ** 2 * norm.pdf(z), -8, 8, epsabs=1e-12, points=[0])[0]
    compromise = np.var([-1, 1]) / np.mean([90, 60])
    return Worked(
        {"n_{l-1}": size, "v_w": spread, r"\overline{a^2}": np.mean(before**2)},
        numbers=[np.mean(signs), 90, 60, he_variance(size) * size, he_variance(size) * kept, np.mean(sums), each,
                 np.var(sums), after(90), after(60), kept],
        known=[compromise, 90 + 60],
    )  # fmt: skip


def _averaged(gradients, beta):
    """Adam's first mean after each step."""
    means = [0.0]
    for gradient in gradients:
        means.append(means[-1] + (1 - beta) * (gradient - means[-1]))
    return np.array(means[1:])


def ex_adam():
    beta, steps, choices = 0.9, 3, np.array([-0.4, 1.0])
    gradients = np.array([0.7, -0.2, 1.3])
    means = _averaged(gradients, beta)
    mean = np.mean([_averaged(drawn, beta)[-1] for drawn in product(choices, repeat=steps)])
    ones = _averaged(np.ones(steps), beta)
    faded = _averaged([1, 0], beta)
    return Worked(
        {"t": steps, "m_#": means, r"\gamma_#": gradients, r"\beta_1": beta, r"\operatorname{E}m_t": mean,
         r"\operatorname{E}\gamma": choices.mean()},
        numbers=[_averaged([0], beta), means[2], faded[1] / faded[0], ones[-1] / ones[0]],
        known=[ones[-1]],
    )  # fmt: skip


def _side(size, window, stride=1, padding=0):
    """How many places a window has along a side, by moving it."""
    places = np.lib.stride_tricks.sliding_window_view(np.zeros(size + 2 * padding), window)
    return len(places[::stride])


def ex_compare():
    image, windows = np.zeros((28, 28)), np.zeros((16, 5, 5))
    side = _side(28, 5)
    outputs = np.zeros((16, side, side)).size
    shared = windows.size + len(windows)
    return Worked(
        numbers=[image.size, len(windows), windows[0].size, 1],
        known=[outputs, shared, (image.size + 1) * outputs, image.size],
    )


def ex_code():
    return Worked(numbers=[1e-12])


def cards():
    beta, t, a, z = 0.9, 3, 0.6, 0.4
    at_rest = _slopes(lambda hidden: np.tanh(hidden) @ np.zeros(2), [0.3, -0.8])
    ones = _averaged(np.ones(t), beta)
    error = 0.5  # by which the output of the traced example is too large
    output = lambda z: log_loss([1], [[1 - _logistic(z), _logistic(z)]], labels=[0, 1])
    squared = lambda z: (_logistic(z) - 1) ** 2 / 2
    said = np.log(0.8 / 0.2)
    score = 2 * 0.5  # the weight of the way, and the blame at its end
    sizes = [5, 4, 3]
    weights = [np.zeros(shape).size for shape in pairwise(sizes)]
    biases = [np.zeros(width).size for width in sizes]
    m, n = 2, 3
    network = [np.zeros((m, n)), np.zeros(n)]
    same = {tuple(np.ravel(s * np.eye(n)[list(p)])) for p in permutations(range(n)) for s in product((-1, 1), repeat=n)}
    wrong = r"\sigma'(z)=\sigma(a)\,(1-\sigma(a))"
    return {
        "lost-marks-slope": Worked({"a_j": np.tanh(z)}, numbers=[_slope(np.tanh, z)]),
        "lost-marks-twice": Worked(
            {r"\sigma": At(_logistic), "z": z, "a": _logistic(z)},
            own={wrong: {r"\sigma": At(_logistic), "z": z, "a": z}},  # it would hold for a pre-activation
            numbers=[2, _slope(_logistic, z)],
        ),
        "lost-marks-zero": Worked(numbers=[0, np.max(np.abs(at_rest)), 0]),
        "lost-marks-adam": Worked(
            {r"\beta_1": beta, "t": t}, numbers=[ones[0], 1 - ones[-1], ones[-1]]
        ),
        "do-not-confuse-epoch": Worked(numbers=[800, 200, len(range(0, 800, 200))]),
        "what-if-twice": Worked(numbers=[2, 2, 1 / 2]),
        "what-if-scale": Worked({"r": At(_rectified), "z": z}, numbers=[2, 1 / 2]),
        "what-if-alpha": Worked(numbers=[0]),
        "counterexample-loss": Worked(numbers=[1 / 4]),
        "counting": Worked(
            {"m": m, "n": n}, numbers=[sum(part.size for part in network), len(same), _regions(n)]
        ),
        "convention-half": Worked(
            numbers=[1 / 2, 1 / 2, _slope(lambda e: e * e, error) / _slope(lambda e: e * e / 2, error),
                     _slope(lambda e: e * e, error), _slope(lambda e: e * e / 2, error)],
        ),
        "convention-epsilon": Worked({r"\epsilon": MLPClassifier().epsilon}),
        "quiz-count": Worked(
            numbers=[sizes, sum(weights), sum(weights) + sum(biases[1:]), sum(weights) + sum(biases[1:]),
                     np.prod(sizes), sum(weights) + sum(biases)],
        ),
        "quiz-output": Worked(
            numbers=[_logistic(said), 1, _slope(output, said), -_slope(output, said), _slope(squared, said),
                     output(said)],
        ),
        "quiz-hidden": Worked(
            numbers=[a, 2, 0.5, score, score * a, *[score * _slope(np.tanh, np.arctanh(a))] * 2,
                     score * _slope(_logistic, np.log(a / (1 - a)))],
        ),
        "quiz-size": Worked(
            numbers=[np.zeros((3, 3)).size, np.zeros((9, 9)).size, 2, _side(9, 3, 3), 3, _side(9, 3), 1,
                     _side(9, 3, 2, 1), 1, *[_side(9, 3, 2)] * 2],
        ),
        "quiz-symmetry": Worked(numbers=[2, 1 / 2]),
        "quiz-silent": Worked(numbers=[0, 0, _slope(np.tanh, 0), 0, _slope(_rectified, -z)]),
        "tf-adam": Worked(numbers=[5, 0.01]),
    }  # fmt: skip


def _regions(n):
    """Into how many regions n lines cut the plane: as many as there are patterns of sides on a fine grid."""
    angles = np.arange(n) * np.pi / n + 0.1
    grid = np.stack(np.meshgrid(*[np.linspace(-20, 20, 801)] * 2), axis=-1).reshape(-1, 2)
    sides = grid @ np.array([np.cos(angles), np.sin(angles)]) > 1
    return len(np.unique(sides, axis=0))
